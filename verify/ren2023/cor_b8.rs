//! Corollary B.8: the direction of a signal column turns towards its partner, dK̄_{A,p}/dt =
//! (c_Kσ_p²/(N_AN_B))(‖[K_B]_p‖/‖[K_A]_p‖)(I − K̄_{A,p}K̄_{A,p}^T)K̄_{B,p} + O(τ²), and the direction of a noise
//! column has dK̄_{A,ξ,k}/dt = O(τ²).
//!
//! True for every Gram matrix, with an explicit remainder at every temperature: with e(b) = 2b + c_K(e^{2b} − 1), its
//! norm is at most σ² e(τ²B) r √v_p Σ_j √v_j ‖x'_j‖/(N_AN_B‖x‖), the sum over all columns of the other view: this is
//! where the condition number enters.

use evidence::prelude::*;
use two_view::MatrixBlock;

use crate::shared::hypotheses::over_orthogonal_learning_states;
use crate::shared::learning_motion::{Column, LearningMotion};
use crate::shared::learning_states::LearningState;
use crate::shared::notation::{
    AGREEMENT, COLUMN, DATA, DIRECTION, FEATURES, H_ORTH, LOSS, LOSS_WITHOUT_NEGATIVES, MOTION, NORMALISER, OUTPUTS,
    SIMILARITY, SIZES, SPEED,
};

/// The motion, the unit vectors of all columns, and their velocities.
struct Turning {
    motion: LearningMotion,
    units: MatrixBlock<Interval>,
    velocities: MatrixBlock<Interval>,
}

impl Turning {
    fn of(state: &LearningState, motion: LearningMotion) -> Result<Self, MeasureError> {
        let features = state.features::<Interval>()?;
        let moved = features.stacked().product(&motion.rates)?;
        let columns = motion.columns();
        let units = MatrixBlock::from_fn(moved.rows(), moved.columns(), |i, j| {
            features.stacked().at(i, j) / motion.norm(columns[j])
        });
        let along: Vec<Interval> =
            (0..moved.columns()).map(|j| (0..moved.rows()).map(|i| units.at(i, j) * moved.at(i, j)).sum()).collect();
        let velocities = MatrixBlock::from_fn(moved.rows(), moved.columns(), |i, j| {
            (moved.at(i, j) - along[j] * units.at(i, j)) / motion.norm(columns[j])
        });
        Ok(Turning { motion, units, velocities })
    }

    fn column(&self, x: Column) -> usize {
        x.0 as usize * self.motion.latents() + x.1
    }

    /// The right side at τ = 0 for this rate.
    fn predicted(&self, x: Column, rate: Interval) -> Vec<Interval> {
        let (own, partner) = (self.column(x), self.column((x.0.other(), x.1)));
        let rho = self.motion.correlation(x.1);
        (0..self.units.rows())
            .map(|i| {
                if x.1 < self.motion.signal() {
                    rate * (self.units.at(i, partner) - rho * self.units.at(i, own))
                } else {
                    Interval::ZERO
                }
            })
            .collect()
    }

    /// The norm of what the velocity differs by from the right side at τ = 0.
    fn remainder(&self, x: Column) -> Interval {
        let right = self.predicted(x, self.motion.pull_on(x));
        let squares = right.iter().enumerate().map(|(i, &y)| (self.velocities.at(i, self.column(x)) - y).square());
        squares.sum::<Interval>().sqrt()
    }

    fn agrees(&self, columns: Vec<Column>, rate: impl Fn(Column) -> Interval) -> Evaluation {
        all_of(columns.into_iter().flat_map(|x| {
            let right = self.predicted(x, rate(x));
            let scale = self.motion.pace(x);
            right.into_iter().enumerate().map(move |(i, y)| {
                let left = self.velocities.at(i, self.column(x));
                (
                    format!("entry {} of column {} of view {:?}", i + 1, x.1 + 1, x.0),
                    equal(left, y).on_scale_of("the terms before they cancel", scale),
                )
            })
        }))
    }
}

pub fn claim() -> Claim {
    Claim::new("ren2023.cor-b8", "tangential dynamics in Stage 1", Kind::Dynamics)
        .statement(
            "dK̄_{A,p}/dt = (c_Kσ_p²/(N_AN_B))(‖[K_B]_p‖/‖[K_A]_p‖)(I − K̄_{A,p}K̄_{A,p}^T)K̄_{B,p} + O(τ²) and \
             dK̄_{A,ξ,k}/dt = O(τ²); the same for B",
        )
        .source("Corollary B.8", &["Section B.1"])
        .symbols([SIZES, DATA, H_ORTH, FEATURES, NORMALISER, OUTPUTS, LOSS, LOSS_WITHOUT_NEGATIVES, AGREEMENT, SPEED])
        .symbol("/dt", MOTION)
        .symbols([SIMILARITY, DIRECTION, COLUMN])
        .reconstructed("the formulas and the size of the remainder; O(τ²) is ours")
        .remark(
            "True at every width and without (11). The remainder has at every temperature at most the norm σ² e(τ²B) \
             r√v_p Σ_j √v_j ‖x'_j‖/(N_AN_B‖x‖), e(b) = 2b + c_K(e^{2b} − 1), with the columns x'_j of the other view; \
             the ratio ‖x'_j‖/‖x‖ is where the condition number enters.",
        )
        .setting(printed())
        .setting(zero())
}

fn printed() -> Setting<LearningState, Turning> {
    over_orthogonal_learning_states(Setting::measuring(|s: &LearningState, _| Turning::of(s, LearningMotion::warm(s)?)))
        .without_search()
        .part(
            "printed",
            "at every τ², for every column x the line of the statement that is its own (signal or noise), O(τ²) left \
             out, holds up to a vector of norm at most σ² e(τ²B) r√v Σ_j √v_j ‖x'_j‖/(N_AN_B‖x‖) = O(τ²), e(b) = 2b + \
             c_K(e^{2b} − 1), B = Σ√(v_iv_j)|C_ij|, v = 1/r or 1/q the variance of the column's latent, x'_j the \
             columns of the other view",
            holds(),
            |s, t| {
                all_of(t.motion.columns().into_iter().map(|x| {
                    let allowed = t.motion.tangential_error(x, s.tau_squared);
                    let name = format!("column {} of view {:?}", x.1 + 1, x.0);
                    (
                        name,
                        at_most(t.remainder(x), allowed).on_scale_of("the terms before they cancel", t.motion.pace(x)),
                    )
                }))
            },
        )
        .our_constant("the explicit multiple: the words name an order only")
        .control("fourth", "the remainder is O(τ⁴): at most τ²B times the bound", |s, t| {
            all_of(t.motion.columns().into_iter().map(|x| {
                let allowed = t.motion.tangential_error(x, s.tau_squared);
                let name = format!("column {} of view {:?}", x.1 + 1, x.0);
                (name, at_most(t.remainder(x), allowed * t.motion.largest_similarity() * s.tau_squared))
            }))
        })
        .control("n2", "noise directions are constant at τ² = 1", |_, t| {
            t.agrees(t.motion.noise_columns(), |_| Interval::ZERO)
        })
        .assume(Hypothesis::new("q ≥ 1", |s| s.latents() > s.signal))
        .assume(Hypothesis::new("τ² = 1", |s| s.tau_squared == 1.0))
}

fn zero() -> Setting<LearningState, Turning> {
    over_orthogonal_learning_states(Setting::measuring(|s: &LearningState, _| Turning::of(s, LearningMotion::cold(s)?)))
        .without_search()
        .ours(
            "zero",
            "at τ = 0 both lines of the statement, and those of B, are equations without O(τ²)",
            holds(),
            |_, t| t.agrees(t.motion.columns(), |x| t.motion.pull_on(x)),
        )
        .checked("ren2023.StageOne.cor_b8_zero")
        .step(
            "s2",
            "noise directions are constant at τ = 0: dK̄_{A,ξ,k}/dt = dK̄_{B,ξ,k}/dt = 0 for every k",
            holds(),
            |_, t| t.agrees(t.motion.noise_columns(), |_| Interval::ZERO),
        )
        .checked("ren2023.StageOne.cor_b8_s2")
        .assume(Hypothesis::new("q ≥ 1", |s| s.latents() > s.signal))
        .tested_by("n2")
        .control("n1", "the ratio of norms dropped", |_, t| t.agrees(t.motion.signal_columns(), |x| t.motion.pull(x.1)))
        .control("factor", "c_K one per cent larger", |_, t| {
            t.agrees(t.motion.signal_columns(), |x| 1.01 * t.motion.pull_on(x))
        })
}
