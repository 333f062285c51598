//! Lemma 4.4: a sufficient condition for alignment.
//!
//! In the explicit form of the register, true for scores by distance: ‖f_A⁺ − f_B⁺‖ ≤ e < 2σ_min(K̃_A)/√r − e ≤
//! ‖f_A⁺ − f_B⁻‖. False for scores by inner product: columns that are not orthogonal make some ‖Kz‖ so large that
//! its output attracts other anchors, with K_A = K_B and no noise at all. Witness: K = [3 1; 0 1], z⁺ = (1,−1)/√2,
//! z⁻ = (1,1)/√2: ⟨Kz⁺,Kz⁺⟩ = 5/2 < 7/2 = ⟨Kz⁺,Kz⁻⟩. Without noise the right condition is diagonal dominance of
//! K_AᵀK_B by columns, which is also necessary.

use enclosures::vectors::sum_of_squares;
use evidence::prelude::*;
use two_view::{AlignmentScore, Closeness, View, alignment_score};

use crate::shared::feature_pairs::{FeaturePair, half_to};
use crate::shared::hypotheses::over_features;
use crate::shared::notation::{ALIGNMENT, NOISE_SHARE, SCALED_FEATURES, SIZES};

const UNMET: &str = "the inequality before the colon does not hold, or the enclosures of its sides overlap";
const DOMINATED: &str = "that inequality fails for every p, or enclosures of its sides overlap";

struct AlignmentParts {
    /// By distance, and by inner product.
    scores: [AlignmentScore; 2],
    /// σ_min(K̃_A) and σ_max(K̃_A).
    values: [Interval; 2],
    gap: Interval,
    noise: Interval,
    /// 1 − η.
    signal_share: Interval,
    /// The largest ‖f_A⁺ − f_B⁺‖ and the smallest ‖f_A⁺ − f_B⁻‖ over z⁻ ≠ z⁺.
    distances: [Interval; 2],
    /// min over p of [K_AᵀK_B]_pp − Σ_{s≠p} |[K_AᵀK_B]_sp|, over the largest |entry|.
    dominance: Interval,
    root: Interval,
}

impl AlignmentParts {
    /// e = ‖K̃_A − K̃_B‖ + noise terms.
    fn error(&self) -> Interval {
        self.gap + self.noise
    }

    /// Whether σ_min(K̃_A)/√r exceeds this.
    fn exceeds(&self, error: Interval) -> bool {
        (self.values[0] / self.root - error).lo() > 0.0
    }
}

fn parts(p: &FeaturePair) -> Result<AlignmentParts, MeasureError> {
    let state = p.state()?;
    let values = p.signal_values(View::A)?;
    let (a, b) = (p.outputs(View::A)?, p.outputs(View::B)?);
    let signal = (1usize << p.signal) - 1;
    let distance = |i: usize, j: usize| -> Interval {
        a[i].iter().zip(&b[j]).map(|(&x, &y)| (x - y).square()).sum::<Interval>().sqrt()
    };
    let (mut near, mut far) = (Interval::ZERO, Interval::point(f64::INFINITY));
    for i in 0..a.len() {
        for j in 0..b.len() {
            if i & signal == j & signal { near = near.max(distance(i, j)) } else { far = far.min(distance(i, j)) }
        }
    }
    let cross = |s: usize, q: usize| state.inner((View::A, s), (View::B, q));
    let lead = |q: usize| -> Interval {
        cross(q, q) - (0..p.signal).filter(|&s| s != q).map(|s| cross(s, q).abs()).sum::<Interval>()
    };
    let signal_part: Interval = sum_of_squares(&values) / p.signal as f64;
    Ok(AlignmentParts {
        scores: [alignment_score(&state, Closeness::Distance)?, alignment_score(&state, Closeness::InnerProduct)?],
        values: [values.last().copied().unwrap_or(Interval::ZERO), values.first().copied().unwrap_or(Interval::ZERO)],
        gap: p.signal_gap()?,
        noise: p.noise_norm(View::A)? + p.noise_norm(View::B)?,
        signal_share: signal_part,
        distances: [near, far],
        dominance: (0..p.signal).map(lead).fold(Interval::point(f64::INFINITY), Interval::min),
        root: Interval::point(p.signal as f64).sqrt(),
    })
}

/// Every negative with another signal is strictly farther (or has a strictly smaller inner product), and ρ_A ≥ 1 −
/// 2^{−r}.
fn aligned(p: &FeaturePair, score: &AlignmentScore) -> Evaluation {
    let Some(lead) = score.least_lead else {
        return Evaluation::Failed("no negative has another signal".into());
    };
    all_of([
        ("the smallest lead of the positive partner", greater_than(lead, 0)),
        ("ρ_A ≥ 1 − 2^{−r}", at_least(score.all.score(), exact(1.0 - half_to(p.signal)))),
    ])
}

fn when(condition: bool, then: impl FnOnce() -> Evaluation) -> Evaluation {
    if condition { then() } else { vacuous(UNMET) }
}

pub fn claim() -> Claim {
    Claim::new("ren2023.lemma-4.4", "sufficient condition for alignment", Kind::Inequality)
        .statement(
            "K̃ = K/N, e := ‖K̃_A − K̃_B‖_2 + ‖K_{A,ξ}‖_2/N_A + ‖K_{B,ξ}‖_2/N_B: σ_min(K̃_A)/√r > e implies ‖f_A⁺ − f_B⁺‖ \
             < ‖f_A⁺ − f_B⁻‖ whenever z⁻ ≠ z⁺, so that ρ_A ≥ 1 − 2^{−r}",
        )
        .source("Lemma 4.4", &["Section 4"])
        .symbols([SIZES, NOISE_SHARE, ALIGNMENT, SCALED_FEATURES])
        .symbol("e", "‖K̃_A − K̃_B‖_2 + ‖K_{A,ξ}‖_2/N_A + ‖K_{B,ξ}‖_2/N_B, ‖·‖_2 the largest singular value")
        .symbol("cond(K_A)", "s_1/s_r")
        .symbol(
            "smaller inner product",
            "⟨f_A⁺,f_B⁻⟩ < ⟨f_A⁺,f_B⁺⟩ for all states of the noises: the least lead 2rN_B²(⟨f_A⁺,f_B⁺⟩ − ⟨f_A⁺,f_B⁻⟩) \
             is compared with 0",
        )
        .symbol(
            "farther",
            "in distance: ‖f_A⁺ − f_B⁺‖ < ‖f_A⁺ − f_B⁻‖ for all states of the noises; where ρ_A ≥ 1 − 2^{−r} is said \
             too, the least lead rN_B²(‖f_A⁺ − f_B⁻‖² − ‖f_A⁺ − f_B⁺‖²) is compared with 0",
        )
        .reconstructed(
            "every size; of the printed statement the four conditions survive in words (signal above noise in A and in \
             B, K_A close to K_B, bounded condition number), and the explicit form is ours",
        )
        .sense("distance", "aligned in the score that compares distances")
        .sense("inner product", "aligned in the score that compares inner products")
        .remark(
            "Proof of the amendment: without noise ⟨f_A⁺, f_B⁺ − f_B⁻⟩ is 2/(rN_AN_B) times the sum over the flipped p \
             of Σ_s ε_sε_p[K_AᵀK_B]_sp, which is positive under dominance; flipping one p with the worst signs ε shows \
             that dominance is needed.",
        )
        .setting(enough())
}

fn enough() -> Setting<FeaturePair, AlignmentParts> {
    over_features(Setting::measuring(|p: &FeaturePair, _| parts(p)))
        .part(
            "R1",
            "σ_min(K̃_A)/√r > e: every negative with another signal is farther than the positive, and ρ_A ≥ 1 − 2^{−r} \
             by distance",
            holds(),
            |p, s| when(s.exceeds(s.error()), || aligned(p, &s.scores[0])),
        )
        .except(UNMET)
        .in_sense("distance")
        .part(
            "R2",
            "σ_min(K̃_A)/√r > e: every negative with another signal has the smaller inner product, and ρ_A ≥ 1 − 2^{−r} \
             by inner product",
            fails("K_A = [3 1; 0 1] and K_B equal or near, no noise: a long K z attracts other anchors"),
            |p, s| when(s.exceeds(s.error()), || aligned(p, &s.scores[1])),
        )
        .sides("least lead of the positive partner in the inner product, or ρ_A", "0, or 1 − 2^{−r}")
        .except(UNMET)
        .in_sense("inner product")
        .because("the formula of the score is lost; an accuracy of a classification can be either")
        .part(
            "enough",
            "√(1−η)/(√r·cond(K_A)) > e: every negative with another signal is farther, and ρ_A ≥ 1 − 2^{−r} by \
             distance",
            holds(),
            |p, s| {
                let left = s.signal_share.sqrt() * s.values[0] / (s.root * s.values[1]);
                when((left - s.error()).lo() > 0.0, || aligned(p, &s.scores[0]))
            },
        )
        .except(UNMET)
        .in_sense("distance")
        .step("s1", "‖f_A⁺ − f_B⁺‖ ≤ e at every positive pair", holds(), |_, s| {
            at_most(s.distances[0], s.error()).on_unit_scale()
        })
        .step(
            "s2",
            "‖f_A⁺ − f_B⁻‖ ≥ 2σ_min(K̃_A)/√r − e at every pair of states with z⁻ ≠ z⁺",
            holds(),
            |_, s| at_least(s.distances[1], 2.0 * s.values[0] / s.root - s.error()).on_unit_scale(),
        )
        .step("s3", "σ_min(K̃_A) ≥ √(1−η)/cond(K_A)", holds(), |_, s| {
            // cond = σ_max/σ_min: the same as σ_max ≥ √(1−η) where σ_min > 0.
            at_least(s.values[1], s.signal_share.sqrt())
        })
        .amendment(
            "R2-dominance",
            "[K_AᵀK_B]_pp > Σ_{s≠p} |[K_AᵀK_B]_sp| for every p: every negative with another signal has the smaller \
             inner product, and ρ_A ≥ 1 − 2^{−r} by inner product",
            holds(),
            |p, s| when(s.dominance.lo() > 0.0, || aligned(p, &s.scores[1])),
        )
        .except(UNMET)
        .assume(Hypothesis::new("q = 0", |p| p.noise == 0))
        .sharpening(
            "R2-necessary",
            "without noise, [K_AᵀK_B]_pp ≤ Σ_{s≠p} |[K_AᵀK_B]_sp| for some p: some negative with another signal has an \
             inner product at least as large as that of the positive",
            holds(),
            |_, s| match s.scores[1].least_lead {
                Some(lead) if s.dominance.hi() <= 0.0 => at_most(lead, 0),
                _ => vacuous(DOMINATED),
            },
        )
        .except(DOMINATED)
        .assume(Hypothesis::new("q = 0", |p| p.noise == 0))
        .control(
            "n1",
            "no bound on the condition number, e ≤ 1/10: every negative with another signal is farther",
            |_, s| when(s.error().hi() <= 0.1, || at_least(s.scores[0].other_signal.score(), 1)),
        )
        .sides("the share of the draws with z⁻ ≠ z⁺ in which the negative is farther", "1")
        .except(UNMET)
        .control(
            "n2",
            "K_A close to K_B dropped, ‖K_{A,ξ}‖_2/N_A + ‖K_{B,ξ}‖_2/N_B < σ_min(K̃_A)/√r: every negative with another \
             signal is farther than the positive, and ρ_A ≥ 1 − 2^{−r}",
            |p, s| when(s.exceeds(s.noise), || aligned(p, &s.scores[0])),
        )
        .except(UNMET)
        .control(
            "n3",
            "noise conditions dropped, ‖K̃_A − K̃_B‖_2 < σ_min(K̃_A)/√r: every negative with another signal is farther \
             than the positive, and ρ_A ≥ 1 − 2^{−r}",
            |p, s| when(s.exceeds(s.gap), || aligned(p, &s.scores[0])),
        )
        .except(UNMET)
}
