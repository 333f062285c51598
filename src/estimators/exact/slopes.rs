//! The derivatives of the loss of one anchor with respect to its logits.
//!
//! # The slopes
//! In `L = int psi(t) (1 - phi(t)^N) dt/t` (see [`super::quadrature`]) a negative with probability `pi_y` and a positive with
//! probability `P_p` have the derivatives
//!
//! `dL/da_y = pi_y A(a_y)`, `A(a) = int psi N phi^(N-1) K'(u + a) du`, and `dL/da_p = -P_p B(a_p)`, `B(a) = int (1 - phi^N) K'(u + a) du`,
//!
//! with `K'(v) = e^v exp(-e^v)`; a point that is both has their sum. `A` and `B` are positive. Both are smooth functions of one variable, so
//! that the histogram works backwards: on every cell they are polynomials, whose coefficients are sums of rows of the
//! table of `K'` over the nodes, and one polynomial per logit gives its slope. Without the positive in the denominator, `psi = 1`,
//! and the power is one of the other `N - 1` draws; the slope of a positive is its probability.
//!
//! # The trapezoid sum and its ends
//! On the line `Im u = y` the integrand of `A` grows by a factor of at most `1/cos y`, as that of the loss, and that of `B` by
//! `1/cos^2 y`, which makes its relative error at most `2e-14` (with `a = pi/2 - h/pi`). Below the first node `t_0`, where `t_0 max(b_P, N b_Y) <= 2^-24`,
//! the terms of `A` are proportional to `t` up to `2^-22`; they are added by a factor `1/(1 - e^-h)` on the first one and weigh at most
//! `2^-22` of `A >= int_0^(2^24 t_0) N b e^(-3 t 2^-24/t_0) dt`. Those of `B` are proportional to `t^2` and below `8 2^-48 B`. Beyond the
//! last node `T` the other factors of `A` fall, so that what is left out of `A` weighs at most what is left out of `int psi`: `e^-41`.
//! For `B`, `G(t) <= G(T) t/T` there and `G(t) >= G(T) t/T` below give at most `42 e^-41`. All in all below [`ENDS`].
//!
//! # Far nodes
//! On a cell far to the left of a node `K'(v) = sum_m (-1)^(m-1) x^m/(m-1)!`, `x = e^v`. Where `v <= -2.9` eight terms leave less than `2.3e-15` of the
//! first one, and so do the Taylor polynomials of `e^(m r/16)`. What the nodes up to some node weigh in the terms, `sum_k w_k e^(m (u_k - u))`, goes from
//! one node to the next by a factor `e^(-m/4)` and an addition: at most three roundings per node. So all far nodes cost a cell as
//! much as eight near ones ([`FarNodes`]).
//!
//! # Errors of the factors
//! With `t -> t/2`, which leaves `dt/t` alone: errors of `psi` and `K'` relative to their comparators `psi(t/2)` and `2 K'(t/2)` cost a
//! factor of two in `A`, as all other factors are larger at `t/2`, and of four in `B`, as `G(t) <= 2 G(t/2)`. The gain `G` does not amplify
//! the error of `S`. The power `phi^m` does, by `m S/phi`: nodes where that exceeds [`AMPLIFICATION`], which hardly
//! contribute, have their possible error added up apart, [`Errors::absolute`].

use super::gradient_kernels::{self, SPREAD};
use super::kernels::{NODES, RUN, STRIDE};
use super::powers;
use super::quadrature::{Law, QuadraturePlan, STEP, TRAPEZOID};
use super::table::{CAP, CELLS, Cell, TERMS, Table};
use super::wide::{SparseLaw, WidePlan};
use enclosures::kernels::ElementwiseFunction;

/// Largest factor by which the relative error of `S` may enter the relative error of a slope.
const AMPLIFICATION: f64 = 16.0;
/// The exponential of this, and of what is below, is zero in doubles.
const VANISHED: f64 = -750.0;
/// What the ends of the sums are off by, relatively.
const ENDS: f64 = 5e-14;
/// The relative error of the trapezoid sum of `B`.
const SQUARED: f64 = 2e-14;
const U: f64 = f64::EPSILON / 2.0;

/// How far computed slopes may be off.
#[derive(Clone, Copy, Debug)]
pub(super) struct Errors {
    /// Of `A`, relative to itself.
    pub(super) negative: f64,
    /// Of `B`, relative to itself.
    pub(super) positive: f64,
    /// Of `A`, in addition.
    pub(super) absolute: f64,
}

/// The slopes of one anchor for one number of draws, as polynomials on the cells of its laws.
pub(super) struct Slopes {
    /// `A` on the cells of the negatives; empty where it is one everywhere.
    pub(super) negatives: Vec<Cell>,
    /// `B` on the cells of the positives; empty where it is one everywhere.
    pub(super) positives: Vec<Cell>,
    /// How far they may be off.
    pub(super) errors: Errors,
}

/// The weights `psi N phi^m` of the nodes and what the error `of_s` of `S` may do to them where it is amplified.
pub(super) struct Chances {
    /// One weight per node, the first one with all those before it.
    pub(super) weights: Vec<f64>,
    /// Sum of the errors of amplified nodes, times the largest slope of `K` there.
    pub(super) amplified: f64,
}

impl Chances {
    /// From `S`, `log(1 - S)` and `psi` (none for one everywhere) on consecutive nodes. The largest negative logit lies at `top` from
    /// the first node.
    pub(super) fn new(
        (s, rates, psi): (&[f64], &[f64], Option<&[f64]>),
        (number, exponent): (u64, u64),
        of_s: f64,
        top: f64,
    ) -> Self {
        let (n, m) = (number as f64, exponent as f64);
        // The product of zero and minus infinity is no power.
        let mut weights: Vec<f64> = (rates.iter()).map(|rate| if exponent == 0 { 0.0 } else { m * rate }).collect();
        ElementwiseFunction::Exp.apply(&mut weights);
        let (mut amplified, of_one) = (0.0, core_math::exp(-1.0));
        for (k, (weight, &s)) in weights.iter_mut().zip(s).enumerate() {
            let psi = n * psi.map_or(1.0, |psi| psi.get(k).copied().unwrap_or(0.0).max(0.0));
            *weight *= psi;
            let phi = (1.0 - s).max(0.0);
            if m * s > AMPLIFICATION * phi && (m - 1.0) * log_bound(phi + of_s) > VANISHED {
                let rest = core_math::exp((m - 1.0) * core_math::log(phi + of_s));
                // What K' is at most: 1/e, and t b.
                let logit = top + k as f64 * STEP;
                let slope = if logit < -1.0 { core_math::exp(logit) } else { of_one };
                amplified += psi * (m * of_s * rest).min(1.0) * slope;
            }
        }
        if let Some(first) = weights.first_mut() {
            // Together with the nodes below: a geometric series of ratio e^-h.
            *first /= -core_math::expm1(-STEP);
        }
        Chances { weights, amplified }
    }

    /// The error bounds of slopes computed from these weights, when `of_psi` is what the error of `psi` costs, and `of_slope` the error
    /// of `K'` relative to its comparator, evaluation and summation included.
    pub(super) fn errors(&self, number: u64, of_s: f64, of_psi: f64, of_slope: f64) -> Errors {
        Errors {
            negative: 1.01
                * (2.02 * of_slope + of_psi + (AMPLIFICATION + 1.0) * (of_s + 8.0 * U) + TRAPEZOID + ENDS + 24.0 * U),
            positive: 1.01 * (4.04 * of_slope + of_s + SQUARED + ENDS + 32.0 * U),
            absolute: 1.1 * STEP * self.amplified + 1e-290 * number as f64,
        }
    }
}

/// At least the logarithm of a number up to about one, without computing it: `x - 1`, or that of the next power of two.
fn log_bound(x: f64) -> f64 {
    let exponent = (x.to_bits() >> 52) as i64 - 1022;
    // A little less than log 2, as most of these powers are below one.
    (x - 1.0).min(exponent as f64 * 0.69)
}

/// Rows up to this one are far.
const FAR: i64 = -48;
/// What the series of the far nodes leave out, relatively.
const SERIES: f64 = 2.5e-15;

/// The tables behind all slopes.
pub(super) struct SlopeTables {
    /// One for every offset, the first one of which is zero.
    tables: Vec<Table>,
    /// `e^(m i/16)` and its derivatives at cell `i` of a block, for `m = 1 ..= 8`.
    powers: [[Cell; SPREAD]; NODES],
    /// `e^(-m h)`, from one node to the next.
    decays: [f64; NODES],
}

/// What all nodes up to each of them weigh in the terms of the series there.
struct FarNodes(Vec<[f64; NODES]>);

impl SlopeTables {
    /// With the tables of a plan.
    pub(super) fn new(plan: &QuadraturePlan) -> Self {
        let row = |m: usize, i: usize| -> Cell {
            let (rate, mut factor) = ((m + 1) as f64 / CELLS as f64, 1.0);
            let value = core_math::exp(rate * i as f64);
            std::array::from_fn(|j| {
                if j > 0 {
                    factor *= rate / j as f64;
                }
                value * factor
            })
        };
        SlopeTables {
            tables: plan.offsets.iter().map(|&offset| Table::slope(FAR - 2 * SPREAD as i64, offset)).collect(),
            powers: std::array::from_fn(|m| std::array::from_fn(|i| row(m, i))),
            decays: std::array::from_fn(|m| core_math::exp(-STEP * (m + 1) as f64)),
        }
    }
}

impl FarNodes {
    fn new(weights: &[f64], decays: &[f64; NODES]) -> Self {
        let mut sums = [0.0; NODES];
        let sum = |weight: &f64| {
            for m in 0..NODES {
                sums[m] = sums[m] * decays[m] + weight;
            }
            sums
        };
        FarNodes(weights.iter().map(sum).collect())
    }

    /// The coefficients of `e^(m a)` for all nodes up to one, `x = e^v` there.
    fn up_to(&self, node: usize, x: f64) -> [f64; NODES] {
        let sums = self.0.get(node).copied().unwrap_or([0.0; NODES]);
        let mut term = x;
        std::array::from_fn(|m| {
            if m > 0 {
                term *= -x / m as f64;
            }
            term * sums[m]
        })
    }
}

impl QuadraturePlan {
    /// The slopes for every number of draws; none where the loss may be too small for plain
    /// doubles. Without `positives`, those of `E log sum_{i<=N} e^{a_{Y_i}}`, `N` being one more than the number of draws of the plan.
    pub(super) fn slopes(
        &self,
        (of, wide): (&SlopeTables, &WidePlan),
        positives: Option<&Law<'_>>,
        negatives: &Law<'_>,
    ) -> Option<Vec<Slopes>> {
        let tables = &of.tables;
        let grid = self.grid(positives.unwrap_or(negatives), negatives)?;
        let (s, of_s) = wide.gains_at(self.set, &SparseLaw::from(negatives), (grid.first, grid.last));
        let rates = powers::log_complements(&s);
        let sparse = positives.map(SparseLaw::from);
        let mut decays: Vec<Option<(Vec<f64>, f64)>> = vec![None; tables.len()];
        let mut all = Vec::with_capacity(self.draws.len());
        for (draws, &(first, last)) in self.draws.iter().zip(&grid.spans) {
            let place = |node: i64| usize::try_from(node - grid.first).ok();
            let (from, to) = (place(first)?, place(last)?);
            let (s, rates) = (s.get(from..=to)?, rates.get(from..=to)?);
            let (psi, of_psi) = match &sparse {
                None => (None, 0.0),
                Some(law) => {
                    let slot = decays.get_mut(draws.table)?;
                    if slot.is_none() {
                        *slot = Some(wide.decays_at(self.set, law, draws, (grid.first, grid.last))?);
                    }
                    let (psi, of_psi) = slot.as_ref()?;
                    (Some(psi.get(from..=to)?), *of_psi)
                }
            };
            let (number, exponent) = match positives {
                Some(_) => (draws.number, draws.number - 1),
                None => (draws.number + 1, draws.number),
            };
            let top = STRIDE as i64 * first + negatives.first + negatives.cells.len() as i64;
            let chances = Chances::new((s, rates, psi), (number, exponent), of_s, top as f64 / CELLS as f64);
            let table = tables.get(draws.table)?;
            let roundings = RUN as f64 + s.len() as f64 / RUN as f64 + 24.0;
            let of_slope = |table: &Table| table.bounds.error + 1.01 * U * roundings * table.bounds.size;
            let of_far = SERIES + 1.01 * U * (3.0 * s.len() as f64 + 48.0);
            let plain = tables.first()?;
            let of_slope = of_slope(table).max(of_slope(plain)) + of_far;
            all.push(Slopes {
                negatives: self.spread((plain, of), negatives, &chances.weights, first, 0),
                positives: positives.map_or(Vec::new(), |law| {
                    let gains = powers::gains(rates, draws.number);
                    self.spread((table, of), law, &gains, first, draws.shift)
                }),
                errors: chances.errors(number, of_s, of_psi, of_slope),
            });
        }
        Some(all)
    }

    /// The polynomials of `h sum_k weights[k] K'(u_k + a)` on the cells of a law, the nodes counted from `first` on.
    fn spread(
        &self,
        (table, of): (&Table, &SlopeTables),
        law: &Law<'_>,
        weights: &[f64],
        first: i64,
        shift: i64,
    ) -> Vec<Cell> {
        let used = weights.iter().rposition(|&w| w > 0.0).map_or(0, |last| last + 1);
        let weights: Vec<f64> = weights.iter().take(used).map(|w| w * STEP).collect();
        let far_nodes = FarNodes::new(&weights, &of.decays);
        let mut cells = vec![[0.0; TERMS]; law.cells.len().next_multiple_of(SPREAD)];
        let stride = STRIDE as i64;
        let count = weights.len() as i64;
        for (block, out) in cells.as_chunks_mut::<SPREAD>().0.iter_mut().enumerate() {
            let row = stride * first + shift + law.first + (block * SPREAD) as i64;
            // The nodes that are far from the whole block, and those whose rows lie below the cap.
            let far = ((FAR - (SPREAD as i64 - 1) - row).div_euclid(stride) + 1).clamp(0, count);
            let hi = (-(row - CAP).div_euclid(stride)).clamp(far, count);
            let weights = weights.get(far as usize..hi as usize).unwrap_or(&[]);
            gradient_kernels::spread(self.set, weights, table.from(row + stride * far), out);
            if far > 0 {
                let x = table.exponential(row + stride * (far - 1));
                gradient_kernels::add_powers(self.set, &far_nodes.up_to(far as usize - 1, x), &of.powers, out);
            }
        }
        cells.truncate(law.cells.len());
        cells
    }
}
