//! The kernels `Q(v) = exp(-e^v)` and `K = 1 - Q` as polynomials of degree seven on cells of a uniform grid.
//!
//! Cell `i` is `v = (i + offset + r)/16`, `|r| <= 1/2`, and its row holds the coefficients of `r^0 .. r^7`.
//!
//! # Coefficients
//! With `x = e^v`, the derivatives are `Q^(j)(v) = e^-x sum_k S(j,k) (-x)^k`, `S` the Stirling numbers of the second kind. The Taylor
//! polynomial of degree twelve in `s = 2r` is economised to degree seven: the leading term `c s^m` is replaced by what is
//! left after subtracting `c 2^(1-m) T_m(s)`, at a cost of at most `|c| 2^(1-m)` on `[-1, 1]`. That cost is added up as it
//! arises, so that the bounds below are those of the very numbers in the table.
//!
//! # Bounds
//! Let `rho = 1/32`, half a cell. As `0 < K'(v) <= K(v)` (because `x e^-x <= 1 - e^-x`), `K >= e^-rho K(v_i)` on cell `i`.
//! - The Taylor terms from `s^13` on: on the disk of radius 1/2 about `v_i`, `Re e^z >= e^(-1/2) cos(1/2) x >= 0.532 x`, so that by
//!   Cauchy `|c_m| <= (2 rho)^m e^(-0.532 x)`, in all at most `2.4e-16 e^(-x e^rho / 2)`. For `K` on the disk of radius 1.4:
//!   `|1 - e^-w| <= (1 - e^(-Re w))/cos(arg w)` gives `|K| <= e^1.4 K(v_i)/cos 1.4 <= 24 K(v_i)` there and in all at most `9e-21 K(v_i)`.
//! - Rounding: every coefficient is a sum of products with at most forty roundings, relative to the same sum with all signs
//!   positive, which is computed too.
//!
//! [`Bounds`] collects them over all rows: for `K` relative to `K`, for `Q` relative to the comparator
//! `C(v) = exp(-e^v / 2)`. The comparator is harmless: in `L = int psi(t) G(t) dt/t` with `G` concave, `G(0) = 0`, replacing
//! `psi(t) = E Q` by `E C = psi(t/2)` gives `int psi(t) G(2t) dt/t <= 2L`.
//!
//! # The slope
//! `K'(v) = x e^-x` has the derivatives `-Q^(j+1)`. Its rows are bounded relative to the comparator `D(v) = x e^(-x/2)`: on the
//! disk of radius 1/2, `|K'| <= e^(1/2) x e^(-0.532 x)`, so that the Taylor terms from `s^13` on are at most `5e-16 D`.
//! This comparator is harmless too, as `D(v) = 2 K'(v - log 2)`: see [`super::slopes`].
//!
//! From row [`CAP`] on, `K'` counts as zero, `Q` too, and `K` as one: `Q <= exp(-0.969 e^4.5)`, below `1e-16` of the comparator.

use rayon::prelude::*;

/// Cells per unit of the logits.
pub(super) const CELLS: i64 = 16;
/// Number of coefficients of a cell.
pub(super) const TERMS: usize = 8;
/// From this row on the kernels have reached their limits.
pub(super) const CAP: i64 = 72;
/// Below this row, where `e^v` comes close to the smallest normal number, `K` counts as zero.
pub(super) const FLOOR: i64 = -700 * CELLS;
/// Rows beyond [`CAP`] that are stored all the same, so that several nodes can be read at once.
const BEYOND: i64 = 64;
/// Degree of the Taylor polynomial.
const DEGREE: usize = 12;
/// Half a cell, in units of the logits.
const HALF: f64 = 1.0 / 32.0;
const U: f64 = f64::EPSILON / 2.0;

/// The coefficients of one cell, or the moments of the logits in it.
pub(super) type Cell = [f64; TERMS];

type Stirling = [[f64; DEGREE + 2]; DEGREE + 2];
type Chebyshev = [[f64; DEGREE + 1]; DEGREE + 1];

/// What the rows of a table guarantee.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// Error of the polynomial of `K`, relative to `K`; of `Q` and `K'`, relative to their comparators.
    pub(super) error: f64,
    /// Sum of the absolute values of the terms, relative to the same.
    pub(super) size: f64,
}

/// Rows of one kernel from `first` to beyond [`CAP`].
pub(super) struct Table {
    first: i64,
    offset: f64,
    rows: Vec<Cell>,
    /// `e^v` at the middle of each row, where it will be asked for again and again.
    exponentials: Vec<f64>,
    /// What the rows guarantee.
    pub(super) bounds: Bounds,
}

impl Table {
    /// The tables of `K` and `Q` from row `first` on (not below [`FLOOR`]), for `v = (i + offset)/16`.
    pub(super) fn both(first: i64, offset: f64) -> (Table, Table) {
        let first = first.clamp(FLOOR, CAP);
        let stirling = stirling();
        let chebyshev = chebyshev();
        let rows: Vec<(Cell, Cell, Bounds, Bounds)> = enclosures::work::shared(0, || {
            (0..(CAP + BEYOND - first) as usize)
                .into_par_iter()
                .with_min_len(128)
                .map(|i| row(first + i as i64, offset, &stirling, &chebyshev))
                .collect()
        });
        let worst = |pick: fn(&(Cell, Cell, Bounds, Bounds)) -> Bounds| {
            rows.iter().map(pick).fold(Bounds { error: 0.0, size: 0.0 }, |a, b| Bounds {
                error: a.error.max(b.error),
                size: a.size.max(b.size),
            })
        };
        let (k, q) = (worst(|r| r.2), worst(|r| r.3));
        let table = |rows, bounds| Table { first, offset, rows, exponentials: Vec::new(), bounds };
        (table(rows.iter().map(|r| r.0).collect(), k), table(rows.iter().map(|r| r.1).collect(), q))
    }

    /// The table of `K'`, likewise.
    pub(super) fn slope(first: i64, offset: f64) -> Table {
        let (stirling, chebyshev) = (stirling(), chebyshev());
        let rows: Vec<(Cell, Bounds)> =
            (first..CAP + BEYOND).map(|i| slope_row(i, offset, &stirling, &chebyshev)).collect();
        let bounds = rows.iter().fold(Bounds { error: 0.0, size: 0.0 }, |a, (_, b)| Bounds {
            error: a.error.max(b.error),
            size: a.size.max(b.size),
        });
        Table {
            first,
            offset,
            rows: rows.into_iter().map(|r| r.0).collect(),
            exponentials: (first..CAP + BEYOND).map(|i| middle(i, offset)).collect(),
            bounds,
        }
    }

    /// The rows from `i` on; none when `i` lies outside.
    pub(super) fn from(&self, i: i64) -> &[Cell] {
        let at = usize::try_from(i - self.first).unwrap_or(usize::MAX);
        self.rows.get(at..).unwrap_or(&[])
    }

    /// `e^v` at the middle of cell `i`.
    pub(super) fn exponential(&self, i: i64) -> f64 {
        let at = usize::try_from(i - self.first).unwrap_or(usize::MAX);
        let known = self.exponentials.get(at).copied();
        known.unwrap_or_else(|| middle(i, self.offset))
    }
}

/// `e^v` at the middle of row `i`.
fn middle(i: i64, offset: f64) -> f64 {
    core_math::exp((i as f64 + offset) / CELLS as f64)
}

/// Stirling numbers of the second kind, one further than `DEGREE` for the slope.
fn stirling() -> Stirling {
    let mut s = [[0.0; DEGREE + 2]; DEGREE + 2];
    s[0][0] = 1.0;
    for j in 1..=DEGREE + 1 {
        for k in 1..=j {
            s[j][k] = k as f64 * s[j - 1][k] + s[j - 1][k - 1];
        }
    }
    s
}

/// Coefficients of the Chebyshev polynomials up to `DEGREE`.
fn chebyshev() -> Chebyshev {
    let mut t = [[0.0; DEGREE + 1]; DEGREE + 1];
    t[0][0] = 1.0;
    t[1][1] = 1.0;
    for m in 2..=DEGREE {
        for k in 0..=m {
            let above = if k > 0 { 2.0 * t[m - 1][k - 1] } else { 0.0 };
            t[m][k] = above - t[m - 2][k];
        }
    }
    t
}

/// Takes the terms from degree `TERMS` on out of a polynomial in `s`, at the cost answered with.
fn economise(c: &mut [f64; DEGREE + 1], chebyshev: &Chebyshev) -> f64 {
    let mut cut = 0.0;
    for m in (TERMS..=DEGREE).rev() {
        let lead = c[m] / chebyshev[m][m];
        cut += lead.abs();
        for (c, t) in c.iter_mut().zip(&chebyshev[m]).take(m) {
            *c -= lead * t;
        }
    }
    cut
}

/// The rows of `K` and `Q` with their bounds.
fn row(i: i64, offset: f64, stirling: &Stirling, chebyshev: &Chebyshev) -> (Cell, Cell, Bounds, Bounds) {
    let flat = |value: f64| {
        let mut cell = [0.0; TERMS];
        cell[0] = value;
        cell
    };
    if i >= CAP {
        let bounds = |size| Bounds { error: 1e-16, size };
        return (flat(1.0), flat(0.0), bounds(1.0), bounds(0.0));
    }
    let x = middle(i, offset);
    let (q, k) = (core_math::exp(-x), -core_math::expm1(-x));
    // Taylor coefficients of Q in s, and the sums of absolute values behind them.
    let (mut c, mut scale, mut sizes) = ([0.0f64; DEGREE + 1], q, 0.0f64);
    for j in 1..=DEGREE {
        scale *= HALF / j as f64;
        let (mut value, mut size) = (0.0f64, 0.0f64);
        for term in stirling[j][1..=j].iter().rev() {
            value = (term - value) * x;
            size = (term + size) * x;
        }
        c[j] = -value * scale;
        sizes += size * scale;
    }
    let cut = economise(&mut c, chebyshev);
    let error = cut + 64.0 * U * sizes;
    // The even economised terms also move the constant.
    let moved = c[0];
    let (mut of_k, mut of_q) = ([0.0; TERMS], [0.0; TERMS]);
    (of_k[0], of_q[0]) = (k - moved, q + moved);
    let (mut power, mut rest) = (1.0, 0.0);
    for j in 1..TERMS {
        power *= 2.0;
        rest += c[j].abs();
        (of_k[j], of_q[j]) = (-c[j] * power, c[j] * power);
    }
    // Generous to the roundings of this very account. The argument of Q carries the error of x.
    let least = k * 0.969;
    let comparator = core_math::exp(-0.516 * x);
    let (of_x, more) = (4.0 * U * (1.0 + x) * (q * x).max(q), 1.01);
    let k_bounds =
        Bounds { error: more * (error + 4.0 * U * k) / least + 1e-20, size: more * (of_k[0].abs() + rest) / least };
    let q_bounds = Bounds {
        error: more * (error + of_x) / comparator + 2.5e-16,
        size: more * (of_q[0].abs() + rest) / comparator,
    };
    (of_k, of_q, k_bounds, q_bounds)
}

/// The row of `K'` with its bounds.
fn slope_row(i: i64, offset: f64, stirling: &Stirling, chebyshev: &Chebyshev) -> (Cell, Bounds) {
    if i >= CAP {
        let bounds = Bounds { error: 1e-16, size: 0.0 };
        return ([0.0; TERMS], bounds);
    }
    let x = middle(i, offset);
    let (mut c, mut scale, mut sizes) = ([0.0f64; DEGREE + 1], core_math::exp(-x), 0.0f64);
    for (j, c) in c.iter_mut().enumerate() {
        if j > 0 {
            scale *= HALF / j as f64;
        }
        let (mut value, mut size) = (0.0f64, 0.0f64);
        for term in stirling[j + 1][1..=j + 1].iter().rev() {
            value = (term - value) * x;
            size = (term + size) * x;
        }
        *c = value * scale;
        sizes += size * scale;
    }
    let error = economise(&mut c, chebyshev) + 64.0 * U * sizes;
    let (mut row, mut power, mut size) = ([0.0; TERMS], 1.0, 0.0);
    for (row, c) in row.iter_mut().zip(c) {
        *row = c * power;
        size += c.abs();
        power *= 2.0;
    }
    // The argument carries the error of x, which changes x e^-x by at most (1 + x) times that.
    let comparator = 0.969 * x * core_math::exp(-0.516 * x);
    let of_x = 4.0 * U * (1.0 + x) * x * core_math::exp(-x);
    let bounds = Bounds { error: 1.01 * (error + of_x) / comparator + 5e-16, size: 1.01 * size / comparator };
    (row, bounds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partitions_are_counted_up_to_the_degree_of_a_slope() {
        // Bell's numbers: all partitions of so many things.
        let bell = [1, 1, 2, 5, 15, 52, 203, 877, 4140, 21_147, 115_975, 678_570, 4_213_597, 27_644_437];
        let sums = stirling().map(|row| row.iter().sum::<f64>());
        assert_eq!(sums, bell.map(f64::from));
    }

    #[test]
    fn cells_are_as_near_the_kernels_as_their_bounds_say_and_no_bound_says_less_than_rounding() {
        let (first, offset) = (-160, 0.37);
        let ((k, q), slope) = (Table::both(first, offset), Table::slope(first, offset));
        let exp = |x: f64| core_math::exp(x);
        // Each table with its kernel, what its bounds are relative to, and the roundings that these count at least: the terms of a slope
        // are as large as itself.
        type Of<'a> = (&'a Table, &'a dyn Fn(f64) -> f64, &'a dyn Fn(f64) -> f64, f64);
        let tables: [Of; 3] = [
            (&k, &|x| -core_math::expm1(-x), &|x| -core_math::expm1(-x), 4.0),
            (&q, &|x| exp(-x), &|x| exp(-0.5 * x), 4.0),
            (&slope, &|x| x * exp(-x), &|x| x * exp(-0.5 * x), 64.0),
        ];
        for (table, kernel, size, roundings) in tables {
            let mut worst = 0.0f64;
            for i in first..CAP {
                let row = &table.from(i)[0];
                for step in -8..=8 {
                    let r = f64::from(step) / 16.0;
                    let x = exp((i as f64 + offset + r) / CELLS as f64);
                    let value = row.iter().rev().fold(0.0, |sum, c| sum * r + c);
                    worst = worst.max((value - kernel(x)).abs() / size(x));
                }
            }
            let Bounds { error, size } = table.bounds;
            // What this test itself rounds is part of the difference.
            assert!(worst <= error + 8.0 * U * size, "{worst:e} {error:e}");
            assert!(error >= roundings * U && error < 1e-13, "{error:e}");
            assert!((0.9..10.0).contains(&size), "{size}");
        }
    }

    #[test]
    fn what_economising_costs_is_what_the_polynomial_moves_at_most_and_about_as_much() {
        let chebyshev = chebyshev();
        let at = |c: &[f64], s: f64| c.iter().rev().fold(0.0, |sum, c| sum * s + c);
        for m in TERMS..=DEGREE {
            let mut before = [0.25; DEGREE + 1];
            before[m + 1..].fill(0.0);
            let mut after = before;
            let cut = economise(&mut after, &chebyshev);
            let moved = |k: i32| {
                let s = f64::from(k) / 500.0;
                (at(&before, s) - at(&after[..TERMS], s)).abs()
            };
            let most = (-500..=500).map(moved).fold(0.0, f64::max);
            assert!(most <= cut * (1.0 + 1e-9), "degree {m}: {most} beyond {cut}");
            assert!(most >= cut / 2.0, "degree {m}: {most} far below {cut}");
        }
    }
}
