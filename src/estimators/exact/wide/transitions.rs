//! What a point adds that has the neighbourhood of its logit to itself: by how many points come before it.
//!
//! Where `S` goes from `S_0` to `S_1 = S_0 + p` at one logit, and `psi` from `psi_0` to `psi_0 - s` at the same or not at all, and nothing else happens for
//! some dozens of units on either side, the sum over the nodes there is that of a step at the logit and
//!
//! `psi_0 A - s B`, `A = sum_k G(S_0 + p K_k) - [k < 0] G(S_0) - [k >= 0] G(S_1)`, `B = sum_k K_k G(S_0 + p K_k) - [k >= 0] G(S_1)`,
//!
//! with nodes about the logit in place of those about a multiple of the step: for two places of the logit the sums differ by what the
//! trapezoid rule is off for the derivative of the transition, whose integrand grows by `1/cos^2` off the axis, as in [`super::super::slopes`], so by
//! at most `2e-14` of `psi_0 G(S_1)`. All points weigh the same, so that `S_0` is a multiple of `p`, and `A` and `B` are two numbers for every
//! number of points before and every number of draws.
//!
//! # Errors
//! To the left, `G(S_0 + p K) - G(S_0) = (1 - G(S_0)) G(q K)` with `q = p/(1 - S_0)`, a product without cancellation. As `(1 - s)^N N s <= 1/e`, its sum is at
//! most `1.5`, and what is left out beyond 44 units below `1e-18`. So with relative errors `c` of `G` ([`GainChain::error`]), `1 - G(S_0)` costs `196 c` at most, the 20 nodes to the
//! right `40 c` in `A` and in `B` each, everything else `2 c`; roundings, the trapezoid rule and the cut at 5 units to the right take `2e-13`; all
//! relative to `psi_0 G(S_1)`. The constant stretch before has [`BEFORE`] blocks or more, so at least 160 nodes with terms `psi_0 G(S_0)`, and `G(S_0) >= G(S_1)/2` as soon as one
//! point is before: [`error`] is what that makes of the whole sum.

use crate::exact::gain_chain::GainChain;
use crate::exact::kernels::Instructions;
use rayon::prelude::*;

/// Nodes to the left and to the right of the logit.
const LEFT: usize = 176;
const RIGHT: usize = 20;
/// Blocks of nodes of the constant stretch before.
pub(super) const BEFORE: i64 = 20;
/// Rungs to the next logit: what it does to this one's nodes is below `e^-38`.
pub(super) const AFTER: i64 = 24;
/// Points for which the numbers take memory, at most.
pub(super) const MOST: usize = 20_000;

/// What transitions do to a whole sum, relatively.
pub(super) fn error(chain: &GainChain) -> f64 {
    (278.0 * chain.error() + 2e-13) / 80.0
}

/// `A` and `B` for every number of points before.
pub(super) struct Transitions {
    points: usize,
    draws: usize,
    /// Those of one number of points before: `A` for all draws, `B` for all draws.
    values: Vec<f64>,
}

impl Transitions {
    /// For so many points of one weight, and the draws of a chain.
    pub(super) fn new(set: Instructions, chain: &GainChain, draws: usize, points: usize) -> Self {
        let kernel: Vec<f64> = (0..LEFT + RIGHT)
            .map(|k| -core_math::expm1(-core_math::exp(0.25 * (k as f64 + 0.5 - LEFT as f64))))
            .collect();
        let p = 1.0 / points as f64;
        let mut values = vec![0.0; 2 * draws * points];
        enclosures::work::shared((points * draws) as u64, || {
            values.par_chunks_mut(2 * draws).enumerate().for_each_init(Vec::new, |gains, (before, out)| {
                let start = before as f64 * p;
                let ends = [start, (before + 1) as f64 * p];
                let q = 1.0 / (points - before) as f64;
                let after = kernel.iter().map(|k| start + p * k);
                let s: Vec<f64> = after.chain(ends).chain(kernel[..LEFT].iter().map(|k| q * k)).collect();
                chain.gains(set, &s, gains);
                let (of_a, of_b) = out.split_at_mut(draws);
                for (k, (a, b)) in of_a.iter_mut().zip(of_b).enumerate() {
                    let (after, rest) = chain.row(k, gains, s.len()).split_at(LEFT + RIGHT);
                    let [low, high, rises @ ..] = rest else { continue };
                    let left: f64 = rises.iter().sum();
                    let right: f64 = after[LEFT..].iter().map(|g| g - high).sum();
                    *a = (1.0 - low) * left + right;
                    let falls = after.iter().zip(&kernel).map(|(g, k)| k * g);
                    let (left, right): (f64, f64) =
                        (falls.clone().take(LEFT).sum(), falls.skip(LEFT).map(|fall| fall - high).sum());
                    *b = left + right;
                }
            });
        });
        Transitions { points, draws, values }
    }

    /// The weight of a point.
    pub(super) fn weight(&self) -> f64 {
        1.0 / self.points as f64
    }

    /// Adds `psi_0 A - s B` to the sums of all draws, where so much probability has come before.
    pub(super) fn add(&self, before: f64, (psi, s): (f64, f64), sums: &mut [f64]) {
        let rank = (before * self.points as f64).round() as usize;
        let begin = 2 * self.draws * rank;
        let Some((a, b)) = self.values.get(begin..begin + 2 * self.draws).map(|row| row.split_at(self.draws)) else {
            return;
        };
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += psi * a - s * b;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_and_two_draws_have_closed_forms() {
        // Of 1 - exp(-c e^x) - [x >= 0] the integral is Euler's constant + log c.
        let euler = 0.577_215_664_901_532_9;
        let square = euler - core_math::log(2.0);
        let chain = GainChain::new(&[1, 2]);
        for set in Instructions::available() {
            let transitions = Transitions::new(set, &chain, 2, 5);
            for before in 1..5 {
                let (start, p) = (f64::from(before) / 5.0, 0.2);
                let mut sums = [0.0; 2];
                transitions.add(start, (0.7, 0.0), &mut sums);
                let close = |found: f64, expected: f64| assert!((found - expected).abs() < 2e-13, "{found} {expected}");
                // Four nodes for every unit.
                close(sums[0], 0.7 * 4.0 * p * euler);
                close(sums[1], 0.7 * 4.0 * (2.0 * p * (1.0 - start) * euler - p * p * square));
                let mut sums = [0.0; 2];
                transitions.add(start, (0.0, 0.3), &mut sums);
                close(sums[0], -0.3 * 4.0 * (start * euler + p * square));
            }
        }
    }
}
