//! Lemma B.9: the dynamics of the non-contrastive method and those of Stage 1 are equivalent, up to a multiplicative
//! constant and terms of higher order. Reconstructed as F_L(τ) = c_K F_nc + O(τ²), F the velocity of the features,
//! c_K = 2K/(1+K).
//!
//! True for every Gram matrix: at τ = 0, S = 1/(1+K) and all tilts are one, so Q and Q_0 are those of L_nc times c_K,
//! exactly. The remainder is bounded explicitly at every temperature, and trajectories on [0, T] differ by O(τ²).

use contrapositive::claim::{
    Claim, Evaluation, Kind, MeasureError, Setting, all_of, at_most, consistent, equal, holds,
};
use contrapositive::enclosure::Enclosure;
use contrapositive::interval::Interval;
use contrapositive::multimodal::{Block, Objective, gram_orbit};

use super::learning_motion::{Column, Motion, exponent_in_tau_squared, falls_like};
use super::learning_states::{LearningState, states};

/// Both velocities of the features.
struct Pair {
    contrastive: Motion,
    moved: Block<Interval>,
    positive_pairs: Block<Interval>,
}

impl Pair {
    fn of(state: &LearningState, contrastive: Motion) -> Result<Self, MeasureError> {
        let features = state.features::<Interval>()?;
        let other = Motion::positive_pairs(state)?;
        Ok(Pair {
            moved: features.stacked().product(&contrastive.rates)?,
            positive_pairs: features.stacked().product(&other.rates)?,
            contrastive,
        })
    }

    /// ‖F_L − c F_nc‖ on one column.
    fn remainder(&self, x: Column, factor: Interval) -> Interval {
        let j = x.0 as usize * self.contrastive.latents() + x.1;
        let entry = |i: usize| (self.moved.at(i, j) - factor * self.positive_pairs.at(i, j)).square();
        (0..self.moved.rows()).map(entry).sum::<Interval>().sqrt()
    }

    fn agrees(&self, factor: Interval) -> Evaluation {
        let (m, d) = (&self.contrastive, self.contrastive.latents());
        all_of(m.columns().into_iter().flat_map(|x| {
            let (j, scale) = (x.0 as usize * d + x.1, m.pace(x) * m.norm(x).magnitude());
            (0..self.moved.rows()).map(move |i| {
                let right = factor * self.positive_pairs.at(i, j);
                (
                    format!("entry ({}, {})", i + 1, j + 1),
                    equal(self.moved.at(i, j), right).on_scale(scale),
                )
            })
        }))
    }
}

/// The largest difference of the Gram matrices at the end of [0, T], T = 1/pace, the slower clock of L_nc taken into account.
fn drift(state: &LearningState, tau_squared: f64) -> Result<Enclosure, MeasureError> {
    let motion = Motion::positive_pairs(state)?;
    let pace = motion.columns().into_iter().map(|x| motion.pace(x)).fold(0.0, f64::max);
    let end = 2.0 / pace;
    let (start, metrics) = (state.gram::<f64>()?, state.metrics::<f64>()?);
    let negatives = state.negatives;
    let factor = 2.0 * negatives / (1.0 + negatives);
    let warm = Objective::Contrastive { tau_squared, negatives };
    let left = gram_orbit(&start, &metrics, warm, &[end], 1e-13)?;
    let right = gram_orbit(&start, &metrics, Objective::NonContrastive, &[factor * end], 1e-13)?;
    let entries =
        |o: &contrapositive::multimodal::GramOrbit| o.states.last().map_or(Vec::new(), |s| s.gram().entries().to_vec());
    let (a, b) = (entries(&left), entries(&right));
    let gap = a.iter().zip(&b).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
    let error = left.error + right.error;
    Ok(Enclosure::between((gap - error).max(0.0), gap + error))
}

/// The mean exponent of the drift in τ² over τ² = 2^{-5}, …, 2^{-8}.
fn drift_exponent(state: &LearningState) -> Result<Option<Enclosure>, MeasureError> {
    let (first, last) = (drift(state, 1.0 / 32.0)?, drift(state, 1.0 / 256.0)?);
    Ok((last.lo() > 1e-9).then(|| (first / last).log2() / 3.0))
}

pub fn claim() -> Claim {
    Claim::new(
        "ren2023.lemma-b9",
        "Stage 1 is the non-contrastive method",
        Kind::Asymptotic,
    )
    .statement(
        "the dynamics of the non-contrastive method and the Stage 1 dynamics are equivalent, up to a multiplicative \
         constant and some higher order terms: F_L(τ) = c_K F_nc + O(τ²), c_K = 2K/(1+K)",
    )
    .source("Lemma B.9", &["Section B.1"])
    .remark(
        "The words are printed in full; the formula is derived from the definitions. The constant is the one of our \
         time scale.",
    )
    .remark(
        "True at every width without (11), and exact at τ = 0. Column by column, ‖F_L − c_K F_nc‖ ≤ σ² e(τ²B)( r√v_p \
         Σ_j √v_j‖x'_j‖/(N_AN_B) + r v_p B‖x‖/N² ), e(b) = 2b + c_K(e^{2b} − 1), at every temperature.",
    )
    .setting(
        Setting::measuring(|s: &LearningState, _| Pair::of(s, Motion::warm(s)?))
            .assume("no column is zero", LearningState::has_columns)
            .assume("one σ_ξ", LearningState::has_one_noise_strength)
            .families(states())
            .without_search()
            .part(
                "printed",
                "F_L = c_K F_nc up to an explicit multiple of e(τ²B) = O(τ²), at every temperature",
                holds(),
                |s, p| {
                    let m = &p.contrastive;
                    all_of(m.columns().into_iter().map(|x| {
                        let allowed = m.velocity_error(x, s.tau_squared);
                        let scale = m.pace(x) * m.norm(x).magnitude();
                        let name = format!("column {} of view {:?}", x.1 + 1, x.0);
                        (name, at_most(p.remainder(x, m.factor()), allowed).on_scale(scale))
                    }))
                },
            )
            .because("the explicit multiple is ours: the words name an order only"),
    )
    .setting(
        Setting::measuring(|s: &LearningState, _| Pair::of(s, Motion::cold(s)?))
            .assume("no column is zero", LearningState::has_columns)
            .families(states())
            .without_search()
            .step("s1", "exact equality at τ = 0", holds(), |_, p| {
                p.agrees(p.contrastive.factor())
            })
            .control("n1", "the constant is 1 whatever K", |_, p| p.agrees(Interval::ONE))
            .control("factor", "c_K one per cent larger", |_, p| {
                p.agrees(1.01 * p.contrastive.factor())
            }),
    )
    .setting(
        Setting::measuring(|s: &LearningState, _| {
            Ok(exponent_in_tau_squared(s, |s| {
                let Ok(pair) = Motion::warm(s).map_err(Into::into).and_then(|m| Pair::of(s, m)) else {
                    return Ok(Interval::ENTIRE);
                };
                let m = &pair.contrastive;
                Ok(m.columns().into_iter().map(|x| pair.remainder(x, m.factor())).sum())
            })?)
        })
        .assume("no column is zero", LearningState::has_columns)
        .assume("one σ_ξ", LearningState::has_one_noise_strength)
        .families(states())
        .without_search()
        .part(
            "order",
            "the remainder falls at least like τ^{2·0.9}",
            consistent(),
            |_, exponent| falls_like(*exponent, 0.9, "the remainder vanishes"),
        )
        .implied_by("printed")
        .control("n2", "the remainder is O(τ⁴)", |_, exponent| {
            falls_like(*exponent, 1.9, "the remainder vanishes")
        }),
    )
    .setting(
        Setting::measuring(|s: &LearningState, _| drift_exponent(s))
            .assume("no column is zero", LearningState::has_columns)
            .assume("one σ_ξ", LearningState::has_one_noise_strength)
            .assume("d ≤ 3", |s| s.latents() <= 3)
            .families(states().into_iter().map(|f| f.taking(0.2)))
            .without_search()
            .part(
                "trajectories",
                "with time rescaled by c_K the Gram matrices at time T differ by O(τ²)",
                consistent(),
                |_, exponent| falls_like(*exponent, 0.9, "the trajectories agree to rounding"),
            )
            .implied_by("printed")
            .because("on a fixed horizon it follows by Gronwall's lemma")
            .control("trajectories-fourth", "they differ by O(τ⁴)", |_, exponent| {
                falls_like(*exponent, 1.9, "the trajectories agree to rounding")
            }),
    )
}
