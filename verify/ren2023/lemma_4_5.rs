//! Lemma 4.5: a sufficient condition for balance.
//!
//! True in the explicit form of the register: Σ_A is K̃_AK̃_Aᵀ/r plus a positive semidefinite noise part of norm η₂,
//! so that λ_1 ≤ s_1²/r + η₂ and λ_k ≥ s_k²/r; and r s_r² ≤ Σs_k² = r(1−η). The bounds hold with cond²(1−η) in place
//! of cond².

use enclosures::vectors::sum_of_squares;
use evidence::prelude::*;
use two_view::{Balance, View};

use crate::shared::feature_pairs::FeaturePair;
use crate::shared::hypotheses::over_features;
use crate::shared::notation::{BALANCE, CONDITION, COVARIANCE, KAPPA, NOISE_SHARE, SCALED_FEATURES, SIZES};

const FLAT: &str = "s_r ≤ 10⁻⁶";

struct BalanceParts {
    /// R1 and R2.
    balance: [Enclosure; 2],
    /// s_1 ≥ … ≥ s_r.
    values: Vec<Enclosure>,
    /// η₂ = ‖K_{A,ξ}‖_2²/(qN_A²).
    noise: Enclosure,
    largest: Enclosure,
    signal: Enclosure,
}

impl BalanceParts {
    fn least(&self) -> Enclosure {
        self.values.last().copied().unwrap_or(Enclosure::ZERO)
    }

    /// cond², where s_r is certainly positive.
    fn condition(&self) -> Option<Enclosure> {
        let equal_values = self.values.len() == 1;
        (self.least().lo() > 1e-6)
            .then(|| if equal_values { Enclosure::ONE } else { (self.values[0] / self.least()).square() })
    }

    /// 1 − η.
    fn signal_share(&self) -> Enclosure {
        sum_of_squares(&self.values) / self.signal
    }

    fn with(&self, bound: impl FnOnce(Enclosure) -> Evaluation) -> Evaluation {
        self.condition().map_or_else(|| vacuous(FLAT), bound)
    }
}

fn parts(p: &FeaturePair) -> Result<BalanceParts, MeasureError> {
    let balance = Balance::of(&p.state()?, View::A)?;
    let noise = Enclosure::from(p.noise_norm(View::A)?).square();
    Ok(BalanceParts {
        balance: [balance.stable_rank().into(), balance.trace_over_largest().into()],
        values: p.signal_values(View::A)?.into_iter().map(Enclosure::from).collect(),
        noise: if p.noise == 0 { Enclosure::ZERO } else { noise / p.noise as f64 },
        largest: balance.largest().into(),
        signal: Enclosure::from(p.signal),
    })
}

pub fn claim() -> Claim {
    Claim::new("ren2023.lemma-4.5", "sufficient condition for balance", Kind::Inequality)
        .statement(
            "with cond = s_1/s_r of K̃_A and η₂ = ‖K_{A,ξ}‖_2²/(qN_A²): ρ_B ≥ r/(cond² + rη₂) (R2), ρ_B ≥ r/(cond² + \
             rη₂/s_r²)² (R1)",
        )
        .source("Lemma 4.5", &["Section 4"])
        .symbols([SIZES])
        .symbol("κ", KAPPA.meaning)
        .symbols([NOISE_SHARE, CONDITION, COVARIANCE, BALANCE, SCALED_FEATURES])
        .symbol("cond", "s_1/s_r, the same of K_A and of K̃_A")
        .symbol("η₂", "‖K_{A,ξ}‖_2²/(qN_A²), 0 if q = 0")
        .reconstructed(
            "every size; \"a condition number close to 1 and small noise give balance\" survives, and the explicit \
             form is ours",
        )
        .sense("R2", "the balance is tr Σ/‖Σ‖_2")
        .sense("R1", "the balance is ‖Σ‖_F²/‖Σ‖_2²")
        .remark(
            "Proof of the sharpening: λ_1(Σ_A) ≤ s_1²/r + η₂ and s_1² = cond² s_r² ≤ cond²(1−η); without noise λ_k ≥ \
             λ_1/cond² for all k ≤ r.",
        )
        .setting(orthogonal())
}

fn orthogonal() -> Setting<FeaturePair, BalanceParts> {
    over_features(Setting::measuring(|p: &FeaturePair, _| parts(p)))
        .part("R2", "tr Σ/‖Σ‖_2 ≥ r/(cond² + rη₂)", holds(), |_, s| {
            s.with(|c| at_least(s.balance[1], s.signal / (c + s.signal * s.noise)))
        })
        .checked("ren2023.Balance.lemma_4_5_R2")
        .except(FLAT)
        .in_sense("R2")
        .part("R1", "‖Σ‖_F²/‖Σ‖_2² ≥ r/(cond² + rη₂/s_r²)²", holds(), |_, s| {
            s.with(|c| at_least(s.balance[0], s.signal / (c + s.signal * s.noise / s.least().square()).square()))
        })
        .checked("ren2023.Balance.lemma_4_5_R1")
        .except(FLAT)
        .in_sense("R1")
        .part(
            "orthogonal",
            "for cond² = 1 + δ (cond(κ²), for orthogonal columns): tr Σ/‖Σ‖_2 ≥ r/(1+δ)",
            holds(),
            |_, s| s.with(|c| at_least(s.balance[1], s.signal / c)),
        )
        .except(FLAT)
        .in_sense("R2")
        .implied_by("R2")
        .assume(Hypothesis::new("q = 0", |p| p.noise == 0))
        .step("s1", "λ_1(Σ_A) ≤ s_1²/r + η₂", holds(), |_, s| {
            let top = s.values.first().map_or(Enclosure::ZERO, |x| x.square());
            at_most(s.largest, top / s.signal + s.noise)
        })
        .checked("ren2023.Balance.lemma_4_5_s1")
        .step("s2", "1 − η ≤ s_1² ≤ cond²(1−η)", holds(), |_, s| {
            let top = s.values.first().map_or(Enclosure::ZERO, |x| x.square());
            s.with(|c| ascending([s.signal_share(), top, c * s.signal_share()]))
        })
        .except(FLAT)
        .sharpening("share", "tr Σ/‖Σ‖_2 ≥ r/(cond²(1−η) + rη₂)", holds(), |_, s| {
            s.with(|c| at_least(s.balance[1], s.signal / (c * s.signal_share() + s.signal * s.noise)))
        })
        .checked("ren2023.Balance.lemma_4_5_share")
        .except(FLAT)
        .sharpening(
            "noise-free",
            "tr Σ/‖Σ‖_2 ≥ 1 + (r−1)/cond² and ‖Σ‖_F²/‖Σ‖_2² ≥ 1 + (r−1)/cond⁴",
            holds(),
            |_, s| {
                let rest = s.signal - 1.0;
                s.with(|c| {
                    all_of([
                        ("R2", at_least(s.balance[1], 1.0 + rest / c)),
                        ("R1", at_least(s.balance[0], 1.0 + rest / c.square())),
                    ])
                })
            },
        )
        .except(FLAT)
        .assume(Hypothesis::new("q = 0", |p| p.noise == 0))
        .control("n1", "without the condition number: ρ_B ≥ r/(1 + rη₂) (R2)", |_, s| {
            at_least(s.balance[1], s.signal / (1.0 + s.signal * s.noise))
        })
        .control("n2", "without small noise: ρ_B ≥ r/cond² (R2)", |_, s| {
            s.with(|c| at_least(s.balance[1], s.signal / c))
        })
        .except(FLAT)
        .control("n3", "R1 with cond in place of cond²", |_, s| {
            s.with(|c| at_least(s.balance[0], s.signal / (c.sqrt() + s.signal * s.noise / s.least().square()).square()))
        })
        .except(FLAT)
        .control("n4", "the bound of R2 is always attained", |_, s| {
            s.with(|c| equal(s.balance[1], s.signal / (c + s.signal * s.noise)))
        })
        .except(FLAT)
}
