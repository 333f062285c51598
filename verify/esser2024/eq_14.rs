//! Equation (14): rows of a Haar matrix with orthonormal columns, and the pre-activations that they give.
//!
//! *True*, for every constant C > 0 as h → ∞: a row has a squared norm with the law Beta(d/2, (h−d)/2), and P(‖row‖² ≥ βd/h) ≤ e^{d(1−β+log β)/2}, so with
//! β = C log²h a union over the h rows gives a bound that tends to zero. With C = 9 (the square of L = 3 from Lemma 2) it is at most 1/h at every h.
//! One logarithm suffices, and its constant is 4: with β = 4 log h and x = βd/h, P(‖row‖² ≥ x) ≤ h^{−2} for all h ≥ 2. For d = 1 by
//! (1 − x)^{(h−1)/2}, as log(1 − x) ≤ −x − x²/2 and (1 − 1/h)(1 + 2log h/h) ≥ 1 from h = 3 on; for d ≥ 2 because d(β − 1 − log β) ≥ β
//! from h = 4 on; in the remaining cases x > 1. For d = 1 less does not do: the union over rows is sharp there, and h^{1−C/2} ≤ 1/h needs C ≥ 4.

use enclosures::linear_algebra::{IntervalMatrix, haar_orthonormal};
use enclosures::probability::orthonormal_row_tail;
use enclosures::probability::standard_normal;
use enclosures::vectors::sum_of_squares;
use evidence::prelude::*;
use proptest::prelude::Strategy;
use serde::{Deserialize, Serialize};

use crate::shared::notation::STIEFEL;

/// Width and number of columns.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(valid = Self::is_tall, simpler = Self::with_smaller_sizes, stored)]
struct Shape {
    #[instance(range = "1..=4503599627370496")]
    h: u64,
    #[instance(range = "1..")]
    d: u64,
}

impl Shape {
    fn is_tall(&self) -> Result<(), String> {
        if self.d <= self.h { Ok(()) } else { Err(format!("d = {} is beyond h = {}", self.d, self.h)) }
    }

    fn with_smaller_sizes(&self) -> Vec<Self> {
        let of = |h: u64, d: u64| Shape { h, d };
        let (h, d) = (self.h, self.d);
        let halved = (h > 1).then(|| of(h.div_ceil(2), d.min(h.div_ceil(2))));
        let less = (h > 1).then(|| of(h - 1, d.min(h - 1)));
        let fewer = (d > 1).then(|| of(h, d.div_ceil(2)));
        [halved, less, fewer].into_iter().flatten().collect()
    }
}

impl Shape {
    fn log(&self) -> Enclosure {
        Enclosure::from(self.h).ln()
    }

    /// P(some row has ‖row‖² ≥ x): at least that of one row, at most h times it.
    fn some_row_above(&self, x: Enclosure) -> Enclosure {
        let one = Enclosure::from(orthonormal_row_tail(self.h, self.d, x.interval()));
        let all = (one * Enclosure::from(self.h)).min(Enclosure::ONE);
        Enclosure::between(one.lo(), all.hi())
    }

    fn mean(&self) -> Enclosure {
        Enclosure::from(self.d) / Enclosure::from(self.h)
    }
}

/// A drawn matrix with a point.
struct Drawn {
    matrix: IntervalMatrix,
    point: Vec<Interval>,
}

fn drawn(shape: &Shape, trial: &mut Trial) -> Result<Drawn, MeasureError> {
    let (h, d) = (shape.h as usize, shape.d as usize);
    let matrix = haar_orthonormal(trial.rng(), h, d)?;
    let point = (0..d).map(|_| Interval::point(standard_normal(trial.rng())));
    Ok(Drawn { point: point.collect(), matrix: matrix.into() })
}

impl Drawn {
    fn squares(&self) -> Vec<Enclosure> {
        let square = |row: &[Interval]| sum_of_squares(row);
        self.matrix.row_iter().map(|row| square(row).into()).collect()
    }

    fn largest_row(&self) -> Enclosure {
        self.squares().into_iter().fold(Enclosure::ZERO, |m, x| m.max(x))
    }

    fn largest_entry_squared(&self) -> Enclosure {
        let largest = self.matrix.entries().iter().fold(Interval::ZERO, |m, x| m.max(x.square()));
        largest.into()
    }

    /// |row_i·x|² ≤ ‖row_i‖²‖x‖² for every row.
    fn cauchy_schwarz(&self) -> Result<Evaluation, MeasureError> {
        let size: Enclosure = self.point.iter().map(|x| Enclosure::from(x.square())).sum();
        let products = self.matrix.times_vector(&self.point)?;
        let rows = products.into_iter().zip(self.squares());
        Ok(for_each("row", rows, |_, (p, row)| at_most(Enclosure::from(p).square(), row * size)))
    }
}

pub fn claim() -> Claim {
    Claim::new("esser2024.eq-14", "row norms and pre-activations of a random matrix", Kind::ProbabilityBound)
        .statement(
            "W₁ Haar on St(h,d): with probability → 1, for all rows ‖row_i(W₁)‖² ≤ Cd log²h/h and |row_i·x|² ≤ \
             ‖row_i‖²‖x‖² ≤ C‖x‖²d log²h/h",
        )
        .source("Equation (14)", &["the display before it"])
        .symbols([STIEFEL])
        .symbol("row_i", "row i of W₁, i = 1, …, h")
        .symbol("log", "the natural logarithm")
        .remark(
            "d ≤ h is all that is assumed. At h = 1 the right side is zero and the row has norm one: the exceptional \
             probability is 1 = 1/h.",
        )
        .setting(printed())
        .setting(squared_rows())
}

fn printed() -> Setting<Shape, ()> {
    Setting::of()
        .given("1 ≤ d ≤ h, W₁ uniformly distributed on St(h,d)")
        .family(edge("widths", || {
            let mut all = Vec::new();
            for h in [1u64, 2, 3, 4, 6, 8, 16, 20, 64, 100, 1024, 8192, 1_000_000, 1_000_000_000] {
                for d in [1, 2, 5, 20, h] {
                    if d <= h {
                        all.push(Shape { h, d });
                    }
                }
            }
            described(all)
        }))
        .family(random("any width", || {
            (0.0..27.0f64, 0.0..=1.0f64).prop_map(|(size, share)| {
                let h = (exact(size).exp().midpoint() as u64).max(1);
                let d = (exact(size * share).exp().midpoint() as u64).clamp(1, h);
                Shape { h, d }
            })
        }))
        .part(
            "printed",
            "C = 9: some row with ‖row‖² ≥ Cd log²h/h has probability at most 1/h",
            holds(),
            |s, ()| at_most(s.some_row_above(9.0 * s.mean() * s.log().square()), 1.0 / Enclosure::from(s.h)),
        )
        .our_constant("9, and the rate 1/h at which the probability vanishes; printed is that there are such")
        .sharpening(
            "one-log",
            "some row with ‖row‖² ≥ 4d log h/h has probability at most 1/h",
            holds(),
            |s, ()| at_most(s.some_row_above(4.0 * s.mean() * s.log()), 1.0 / Enclosure::from(s.h)),
        )
        .assume(Hypothesis::new("h ≥ 2", |s| s.h >= 2))
        .control("a", "for every W₁ ∈ St(h,d), C = 9: for [I; 0], a row of norm one, 1 ≤ 9d log²h/h", |s, ()| {
            at_most(1, 9.0 * s.mean() * s.log().square())
        })
        .control("no-log", "some row with ‖row‖² ≥ 3d/h has probability at most 1/h", |s, ()| {
            at_most(s.some_row_above(3.0 * s.mean()), 1.0 / Enclosure::from(s.h))
        })
}

fn squared_rows() -> Setting<Shape, Drawn> {
    Setting::measuring(drawn)
        .given("W₁ ∈ St(h,d), one draw; x a draw of N(0, I)")
        .family(edge("shapes", || {
            let of = |h, d| (format!("h = {h}, d = {d}"), Shape { h, d });
            [(1, 1), (2, 1), (2, 2), (3, 2), (8, 5), (64, 1), (64, 20), (512, 5), (2048, 2)]
                .map(|(h, d)| of(h, d))
                .to_vec()
        }))
        .without_search()
        .step(
            "s1",
            "Σ_{j≤d}(W₁)²_{ij} ≤ d·m for every row i, m the largest squared entry of W₁",
            holds(),
            |s, w| at_most(w.largest_row(), w.largest_entry_squared() * Enclosure::from(s.d)),
        )
        .part("cauchy-schwarz", "|row_i·x|² ≤ ‖row_i‖²‖x‖² for all rows", holds(), |_, w| {
            w.cauchy_schwarz().into()
        })
        .control("b", "‖row_i‖² ≤ d/h for all rows", |s, w| at_most(w.largest_row(), s.mean()))
}

#[cfg(test)]
mod tests {
    use enclosures::linear_algebra::Matrix;

    use super::*;

    #[test]
    fn an_unturned_matrix_attains_its_step() {
        let matrix = Matrix::from_fn(3, 2, |i, j| f64::from(u8::from(i == j))).unwrap();
        let w = Drawn { matrix: matrix.into(), point: vec![Interval::ONE; 2] };
        assert_eq!((w.largest_row().hi(), w.largest_entry_squared().lo()), (1.0, 1.0));
    }
}
