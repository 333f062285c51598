//! Lemma C.19: the condition number shrinks in Stage 2.
//!
//! True at aligned states of the diagonal manifold without noise: T̄ is a weighted mean, so that T_p ≥ T̄ ≥ T_{p'}
//! for the largest and smallest κ. The term of the noise cannot be left out: with κ nearly equal, a strong and a weak
//! signal part again, at the rate (σ_p²−σ_{p'}²)η(1−T̄). σ_min² is taken over all signals in the print; that of the
//! two extreme ones serves as well. Off the manifold there is no first-order correction.

use evidence::claim::pairs_below;
use evidence::prelude::*;

use crate::shared::manifold_directions::ManifoldDirection;
use crate::shared::manifold_families::{Views, on_manifold};
use crate::shared::norm_rates::{NormRates, largest, on_it as of, smallest};
use crate::shared::notation::{
    AGREEMENT, ARGUMENT, DATA, EXTREME_STRENGTHS, FEATURES, KAPPA, KAPPA_HAT, LOSS, LOSS_WITHOUT_NEGATIVES,
    MEAN_SELECTION, MOTION, NOISE_SHARE, NORMALISER_BOTH, OUTPUTS, PERTURBATION, RHO, SIZES, TANH,
};
use crate::shared::rates_off_manifold::{Leaving, UNIT};
use crate::shared::stage_two::{EQUAL_NORMS, PARALLEL, on_the_manifold, over_directions};

impl NormRates {
    /// −σ_p²(T_p−T̄) − σ_l²(T̄−T_l) + (σ_p²−σ_l²)η(1−T̄), times 4(1−S̄)/N².
    fn formula(&self, s: &ManifoldDirection, p: usize, l: usize) -> Interval {
        let (strong, weak) = (Interval::point(s.sigma_squared[p]), Interval::point(s.sigma_squared[l]));
        self.speed()
            * ((strong - weak) * self.eta * (1.0 - self.mean)
                - strong * (self.tanh[p] - self.mean)
                - weak * (self.mean - self.tanh[l]))
    }

    /// T_p − T_l = sinh(x_p − x_l)/(cosh x_p cosh x_l), as tanh(x_p − x_l)(1 − T_pT_l).
    fn gap(&self, p: usize, l: usize) -> Interval {
        (self.by.arguments[p] - self.by.arguments[l]).tanh() * (1.0 - self.tanh[p] * self.tanh[l])
    }

    fn scale(&self, s: &ManifoldDirection) -> f64 {
        self.speed().magnitude() * strongest(s)
    }
}

fn strongest(s: &ManifoldDirection) -> f64 {
    s.sigma_squared.iter().copied().fold(0.0, f64::max)
}

fn weakest(s: &ManifoldDirection) -> f64 {
    s.sigma_squared.iter().copied().fold(f64::INFINITY, f64::min)
}

/// Every pair of a largest and a smallest κ: the derivative of the logarithm of their ratio is the largest and the
/// smallest over ties. From two signals on one of the pairs has two signals, also where all κ are equal.
fn extremes(s: &ManifoldDirection) -> Vec<(usize, usize)> {
    largest(s).flat_map(|p| smallest(s).map(move |l| (p, l))).collect()
}

fn each(s: &ManifoldDirection, test: impl Fn(usize, usize) -> Evaluation) -> Evaluation {
    for_each_index("signals", extremes(s).into_iter().filter(|(p, l)| p != l), |(p, l)| test(p, l))
}

fn falls_by(s: &ManifoldDirection, m: &NormRates, strength: impl Fn(usize, usize) -> f64) -> Evaluation {
    each(s, |p, l| {
        let bound = -(m.speed() * strength(p, l) * m.gap(p, l));
        at_most(m.signals[p] - m.signals[l], bound).on_scale_of("4(1−S̄)σ_max²/N²", m.scale(s))
    })
}

const WITHOUT_NOISE: Hypothesis<ManifoldDirection> = Hypothesis::new("no noise", |s| s.q() == 0);
const SEVERAL_SIGNALS: Hypothesis<ManifoldDirection> = Hypothesis::new("r ≥ 2", |s| s.r() >= 2);

pub fn claim() -> Claim {
    Claim::new("ren2023.lemma-c19", "the condition number shrinks", Kind::Inequality)
        .statement(
            "p the largest, p' the smallest κ, on the diagonal manifold, equal norms, aligned: d/dt log(κ_p²/κ_{p'}²) \
             = (4(1−S̄)/N²)[−σ_p²(T_p−T̄) − σ_{p'}²(T̄−T_{p'}) + (σ_p²−σ_{p'}²)η(1−T̄)], T̄ = Σ_sκ_s²T_s/‖κ‖²; hence ≤ \
             (4(1−S̄)/N²)[−σ_min²(T_p−T_{p'}) + (σ_max²−σ_min²)η], and without noise ≤ −(4(1−S̄)σ_min²/N²)(T_p−T_{p'}) ≤ \
             0",
        )
        .reconstructed("the display; Section 5.4 gives its shape")
        .source("Lemma C.19", &["Section C.5", "displays of Section 5.4"])
        .symbols([
            SIZES, DATA, FEATURES, NORMALISER_BOTH, OUTPUTS, LOSS, LOSS_WITHOUT_NEGATIVES, AGREEMENT, KAPPA, KAPPA_HAT,
            RHO, NOISE_SHARE, EXTREME_STRENGTHS, ARGUMENT, TANH, MEAN_SELECTION,
        ])
        .symbol("d/dt", MOTION)
        .symbols([PERTURBATION])
        .symbol("T̄", "Σ_sκ_s²T_s/‖κ‖², the sum over all signals s")
        .symbol(
            "p'",
            "p ≠ p' attain the largest and the smallest κ, every such pair if several do, also where all κ are equal",
        )
        .remark(
            "Proof: d log κ_p²/dt = (2σ_p²/N²)(q_p − Q_0) with Q_0 = 2(1−S̄)(1−η)(1−T̄). The pointwise bound holds at \
             ties for every pair of extreme columns, hence for the one-sided derivatives of the largest over the \
             smallest κ², and cond(κ) never grows without noise.",
        )
        .setting(printed())
        .setting(off_manifold())
}

fn printed() -> Setting<ManifoldDirection, NormRates> {
    on_the_manifold(Setting::measuring(|s: &ManifoldDirection, _| NormRates::of(s)))
        .assume(EQUAL_NORMS)
        .assume(PARALLEL)
        .family(edge("named", named))
        .family(random("without noise", || on_manifold(0..1, Views::Aligned)))
        .family(random("with noise", || on_manifold(1..4, Views::Aligned)))
        .part(
            "printed",
            "with noise or without: d/dt log(κ_p²/κ_{p'}²) ≤ (4(1−S̄)/N²)[−σ_min²(T_p−T_{p'}) + (σ_max²−σ_min²)η]",
            holds(),
            |s, m| {
                each(s, |p, l| {
                    let spread = Interval::point(strongest(s)) - weakest(s);
                    let bound = m.speed() * (spread * m.eta - weakest(s) * m.gap(p, l));
                    at_most(m.signals[p] - m.signals[l], bound).on_scale_of("4(1−S̄)σ_max²/N²", m.scale(s))
                })
            },
        )
        .assume(SEVERAL_SIGNALS)
        .part(
            "noiseless",
            "without noise: d/dt log(κ_p²/κ_{p'}²) ≤ −(4(1−S̄)σ_min²/N²)(T_p − T_{p'}) ≤ 0",
            holds(),
            |s, m| {
                each(s, |p, l| {
                    let bound = -(m.speed() * weakest(s) * m.gap(p, l));
                    let falls = at_most(m.signals[p] - m.signals[l], bound);
                    all_of([
                        ("rate", falls.on_scale_of("4(1−S̄)σ_max²/N²", m.scale(s))),
                        ("sign", at_most(bound, 0).on_scale_of("4(1−S̄)σ_max²/N²", m.scale(s))),
                    ])
                })
            },
        )
        .assume(SEVERAL_SIGNALS)
        .assume(WITHOUT_NOISE)
        .part(
            "formula",
            "d/dt log(κ_p²/κ_l²) = (4(1−S̄)/N²)[−σ_p²(T_p−T̄) − σ_l²(T̄−T_l) + (σ_p²−σ_l²)η(1−T̄)] for every two signals \
             p, l, whatever their κ",
            holds(),
            |s, m| {
                for_each_index("signals", pairs_below(s.r()), |(p, l)| {
                    equal(m.signals[p] - m.signals[l], m.formula(s, p, l))
                        .on_scale_of("4·10⁻³(1−S̄)σ_max²/N²", 1e-3 * m.scale(s))
                })
            },
        )
        .assume(SEVERAL_SIGNALS)
        .step("s1", "T_{p'} ≤ T̄ ≤ T_p", holds(), |s, m| {
            each(s, |p, l| ascending([m.tanh[l], m.mean, m.tanh[p]].map(Enclosure::from)))
        })
        .assume(SEVERAL_SIGNALS)
        .step("s2", "T_{p'} ≤ T_s ≤ T_p for every signal s", holds(), |s, m| {
            each(s, |p, l| {
                all_of(
                    m.tanh.iter().flat_map(|&t| [("above", at_most(t, m.tanh[p])), ("below", at_least(t, m.tanh[l]))]),
                )
            })
        })
        .assume(SEVERAL_SIGNALS)
        .step("s3", "T_p − T_{p'} = sinh(x_p−x_{p'})/(cosh x_p cosh x_{p'})", holds(), |s, m| {
            each(s, |p, l| equal(m.gap(p, l), m.tanh[p] - m.tanh[l]).on_scale_of("|T_p|", m.tanh[p].magnitude()))
        })
        .assume(SEVERAL_SIGNALS)
        .sharpening(
            "extreme-pair",
            "without noise the smaller σ² of the two extreme signals serves: d/dt log(κ_p²/κ_{p'}²) ≤ \
             −(4(1−S̄)min(σ_p², σ_{p'}²)/N²)(T_p − T_{p'})",
            holds(),
            |s, m| falls_by(s, m, |p, l| s.sigma_squared[p].min(s.sigma_squared[l])),
        )
        .assume(SEVERAL_SIGNALS)
        .assume(WITHOUT_NOISE)
        .control(
            "n1",
            "σ_max² in place of σ_min²: d/dt log(κ_p²/κ_{p'}²) ≤ −(4(1−S̄)σ_max²/N²)(T_p − T_{p'})",
            |s, m| falls_by(s, m, |_, _| strongest(s)),
        )
        .assume(SEVERAL_SIGNALS)
        .assume(WITHOUT_NOISE)
        .control(
            "n2",
            "the term of the noise dropped: d/dt log(κ_p²/κ_{p'}²) ≤ −(4(1−S̄)σ_min²/N²)(T_p − T_{p'})",
            |s, m| falls_by(s, m, |_, _| weakest(s)),
        )
        .assume(SEVERAL_SIGNALS)
        .assume(Hypothesis::new("noise", |s| s.q() > 0))
        .control("n3", "a strict decrease at τ = 0: d/dt log(κ_p²/κ_{p'}²) < 0", |s, m| {
            each(s, |p, l| less_than(m.formula(s, p, l), 0))
        })
        .assume(SEVERAL_SIGNALS)
        .assume(Hypothesis::new("τ = 0, no noise", |s| s.q() == 0 && s.tau_squared == 0.0))
        .control("n4", "T̄ − T_p replaced by T_p − T̄: the ratio grows", |s, m| {
            each(s, |p, l| {
                equal(m.signals[p] - m.signals[l], -m.formula(s, p, l))
                    .on_scale_of("4·10⁻³(1−S̄)σ_max²/N²", 1e-3 * m.scale(s))
            })
        })
        .assume(SEVERAL_SIGNALS)
        .assume(WITHOUT_NOISE)
}

fn off_manifold() -> Setting<ManifoldDirection, Leaving> {
    over_directions(Setting::measuring(|s: &ManifoldDirection, _| Ok(s.leaving()?)))
        .assume(SEVERAL_SIGNALS)
        .without_search()
        .part(
            "off-manifold",
            "the derivative in ε of d/dt log(‖[K_A]_p‖²/‖[K_A]_s‖²) is 0 on the manifold, for all p, s",
            holds(),
            |s, m| {
                for_each_index("signals", (1..s.r()).map(|p| (0, p)), |(_, p)| {
                    let slope = m.log_norm(0).1 - m.log_norm(p).1;
                    equal(slope, 0).on_scale_of(UNIT, m.unit)
                })
            },
        )
        .tested_by("off-cosines")
        .control("off-cosines", "the derivative in ε of the rates of the cosines between signals is 0 too", |s, m| {
            for_each_index("signals", (1..s.r()).map(|p| (0, p)), |(_, p)| {
                let slope = m.cosine(0, s.d() + p).1;
                equal(slope, 0).on_scale_of(UNIT, m.unit)
            })
        })
}

fn named() -> Vec<(&'static str, ManifoldDirection)> {
    vec![
        ("one signal", of(&[1.0], &[1.0], (1.0, &[]), 1.0, 1.0)),
        ("a strong signal in the middle", of(&[1.0, 1.0, 9.0], &[3.0, 1.0, 2.0], (1.0, &[]), 2.0, 1.0)),
        ("κ² = (4, 1)", of(&[1.0, 1.0], &[4.0, 1.0], (1.0, &[]), 1.0, 1.0)),
        ("κ² = (4, 1), τ = 0", of(&[1.0, 1.0], &[4.0, 1.0], (1.0, &[]), 0.0, 1.0)),
        ("three κ, τ = 0", of(&[1.0, 3.0, 2.0], &[5.0, 1.0, 2.0], (1.0, &[]), 0.0, 2.0)),
        ("ties", of(&[3.0, 1.0, 2.0, 1.0], &[2.0, 2.0, 0.5, 0.5], (1.0, &[]), 1.5, 2.0)),
        ("against σ", of(&[1.0, 9.0], &[3.0, 0.5], (1.0, &[]), 3.0, 0.5)),
        ("nearly equal, noise share 0.3", of(&[3.0, 1.0], &[1.01, 1.0], (0.5, &[0.43]), 1.0, 1.0)),
        ("with noise", of(&[3.0, 1.0, 2.0], &[2.0, 0.5, 1.0], (0.5, &[0.2, 0.1]), 2.0, 2.0)),
        ("T near 1", of(&[2.0, 1.0], &[5.0, 3.0], (1.0, &[]), 12.0, 1.0)),
    ]
}
