//! Lemma C.18: the noise stays small against the weakest signal in Stage 2.
//!
//! True. On the diagonal manifold the smallest κ has the smallest T and so the largest q: q_{p'} ≥ Q_0/(1−η) ≥ Q_0 at
//! aligned states, and the ratio falls, at least at the rate (2/N²)(σ_{p'}²q_{p'}η + σ_ξ²(r/q)Q_0). With ρ < 1 it can
//! grow by at most (2σ_{p'}²q_{p'}/N²)(1−ρ_{p'}).

use evidence::prelude::*;

use crate::shared::manifold_directions::ManifoldDirection;
use crate::shared::manifold_families::{Views, on_manifold};
use crate::shared::norm_rates::{NormRates, largest, on_it as of, smallest};
use crate::shared::notation::{
    AGREEMENT, DATA, FEATURES, KAPPA, KAPPA_HAT, LOSS, LOSS_WITHOUT_NEGATIVES, MEAN_SELECTION, MOTION, NOISE_SHARE,
    NORMALISER, NORMALISER_BOTH, OUTPUTS, PERTURBATION, PULL, RADIAL, RHO, SIZES, TANH,
};
use crate::shared::rates_off_manifold::{Leaving, UNIT};
use crate::shared::stage_two::{EQUAL_NORMS, PARALLEL, on_the_manifold, over_directions};

impl NormRates {
    /// d/dt log(‖noise‖²/κ_p²) of the state.
    fn to_signal(&self, p: usize) -> Interval {
        self.noise.map_or(Interval::ENTIRE, |noise| noise - self.signals[p])
    }

    /// 1/(1 + e^{2x_i}), of which q_i is a multiple.
    fn share(&self, i: usize) -> Interval {
        (-(2.0 * self.by.arguments[i])).sigmoid()
    }

    /// Q_0 of a state of equal norms.
    fn radial(&self, s: &ManifoldDirection) -> Interval {
        let sum: Interval =
            (0..s.r()).map(|i| self.by.pulls[i] * (s.norms_a[i] * Interval::point(s.correlation[i]))).sum();
        sum / (self.square * s.r() as f64)
    }

    /// q_p(1−η) − Q_0 = Σκ_i²[(q_p − q_i) + q_i(1−ρ_i)]/(rN²) of a state of equal norms: no summand is negative where κ̂_p² is the smallest.
    fn lead(&self, s: &ManifoldDirection, p: usize) -> Interval {
        let one = |i: usize| {
            // Equal arguments have equal pulls, whose enclosures would not say so.
            let alike = self.by.arguments[i] == self.by.arguments[p];
            let before = if alike { Interval::ZERO } else { self.share(p) - self.share(i) };
            (before + self.share(i) * (1.0 - Interval::point(s.correlation[i]))) * s.norms_a[i]
        };
        let sum: Interval = (0..s.r()).map(one).sum();
        4.0 * self.by.rest * sum / (self.square * s.r() as f64)
    }

    /// (2/N²)(σ_p²q_pη + σ_ξ²(r/q)Q_0).
    fn fall(&self, s: &ManifoldDirection, p: usize) -> Interval {
        2.0 / self.square * (s.sigma_squared[p] * self.by.pulls[p] * self.eta + self.noise_strength * self.radial(s))
    }

    /// (2σ_p²/N²)(q_p(ρ_p − η) − Q_0), which is what it falls beside that.
    fn beside(&self, s: &ManifoldDirection, p: usize) -> Interval {
        let turned = self.by.pulls[p] * (1.0 - Interval::point(s.correlation[p]));
        2.0 * s.sigma_squared[p] / self.square * (self.lead(s, p) - turned)
    }

    /// Whether the sums above are about a state.
    fn is_summed(&self, s: &ManifoldDirection) -> bool {
        s.has_equal_norms() && self.noise.is_some()
    }

    /// d/dt log(‖noise‖²/κ_p²), from the velocity and from the sums, whose parts do not cancel.
    fn rate(&self, s: &ManifoldDirection, p: usize) -> Interval {
        let moved = self.to_signal(p);
        let summed = self.is_summed(s).then(|| -(self.fall(s, p) + self.beside(s, p)));
        // Where they contradicted one another, the check of the formula would say so.
        summed.and_then(|summed| moved.intersection(summed)).unwrap_or(moved)
    }

    /// The comparison with its room as a sum, for a state that the sums are about.
    fn with_room(&self, s: &ManifoldDirection, compared: Evaluation, room: impl FnOnce() -> Interval) -> Evaluation {
        if self.is_summed(s) { compared.with_margin(room().into()) } else { compared }
    }

    /// −(2/N²)[σ_p²(q_pρ_p − Q_0) + σ_ξ²(r/q)Q_0], and the size of its parts.
    fn ratio_formula(&self, s: &ManifoldDirection, p: usize) -> (Interval, f64) {
        let own = s.sigma_squared[p] * self.by.pulls[p] * s.correlation[p];
        let parts = [own, -(s.sigma_squared[p] * self.by.scalar), self.noise_strength * self.by.scalar];
        let factor = -2.0 / self.square;
        let scale = parts.iter().map(|x| (*x * factor).magnitude()).fold(0.0, f64::max);
        (parts.into_iter().sum::<Interval>() * factor, scale)
    }
}

fn hat(s: &ManifoldDirection, p: usize) -> f64 {
    s.norms_a[p] * s.correlation[p]
}

/// The signals with the smallest κ_p that have the smallest κ̂_p² too.
fn weakest(s: &ManifoldDirection) -> impl Iterator<Item = usize> {
    let least = (0..s.r()).map(|p| hat(s, p)).fold(f64::INFINITY, f64::min);
    smallest(s).filter(move |&p| hat(s, p) <= least)
}

fn each(listed: impl Iterator<Item = usize>, test: impl Fn(usize) -> Evaluation) -> Evaluation {
    for_each_index("signal", listed, test)
}

const NONE_OPPOSED: Hypothesis<ManifoldDirection> =
    Hypothesis::new("all κ̂² ≥ 0", |s| s.correlation.iter().all(|&c| c >= 0.0));
const SMALLEST_IN_BOTH: Hypothesis<ManifoldDirection> =
    Hypothesis::new("a smallest κ_p has the smallest κ̂_p²", |s| weakest(s).next().is_some());

pub fn claim() -> Claim {
    Claim::new("ren2023.lemma-c18", "noise-to-signal ratio in Stage 2", Kind::Inequality)
        .statement(
            "let p' be the index of the smallest κ. On the diagonal manifold with equal norms, d/dt \
             log(‖[K_{A,ξ}]_k‖²/κ_{p'}²) = −(2/N²)[σ_{p'}²(q_{p'}ρ_{p'} − Q_0) + σ_ξ²(r/q)Q_0]. At aligned states this \
             is ≤ 0; in general it is ≤ (2σ_{p'}²q_{p'}/N²)(1−ρ_{p'}) when all κ̂² ≥ 0 and κ̂_{p'}² is the smallest",
        )
        .reconstructed("the display; that the noise-to-signal ratio remains small survives in words")
        .source("Lemma C.18", &["Section C.4"])
        .symbols([
            SIZES, DATA, FEATURES, NORMALISER, NORMALISER_BOTH, OUTPUTS, LOSS, LOSS_WITHOUT_NEGATIVES, AGREEMENT,
            KAPPA, KAPPA_HAT, RHO, NOISE_SHARE, TANH, MEAN_SELECTION, PULL, RADIAL,
        ])
        .symbol("d/dt", MOTION)
        .symbols([PERTURBATION])
        .symbol("p'", "a signal with the smallest κ, each of them if several have it")
        .remark(
            "Proof: T_{p'} is the smallest, so that Q_0 = Σq_pκ̂_p²/(rN²) ≤ q_{p'}(1−η) at aligned states, η the noise \
             share.",
        )
        .setting(printed())
        .setting(off_manifold())
}

fn printed() -> Setting<ManifoldDirection, NormRates> {
    on_the_manifold(Setting::measuring(|s: &ManifoldDirection, _| NormRates::of(s)))
        .assume(EQUAL_NORMS)
        .assume(Hypothesis::new("q ≥ 1", |s| s.q() >= 1))
        .family(edge("named", named))
        .family(random("aligned", || on_manifold(1..4, Views::Aligned)))
        .family(random("any angles", || on_manifold(1..4, Views::EqualNorms)))
        .part("printed", "d/dt log(‖[K_{A,ξ}]_k‖²/κ_{p'}²) ≤ 0 for every k", holds(), |s, m| {
            each(smallest(s), |p| at_most(m.rate(s, p), 0))
        })
        .assume(PARALLEL)
        .part(
            "formula",
            "d/dt log(‖[K_{A,ξ}]_k‖²/κ_p²) = −(2/N²)[σ_p²(q_pρ_p − Q_0) + σ_ξ²(r/q)Q_0] for every k and every signal p",
            holds(),
            |s, m| {
                each(0..s.r(), |p| {
                    let (expected, scale) = m.ratio_formula(s, p);
                    equal(m.to_signal(p), expected).on_scale_of("the largest summand", scale)
                })
            },
        )
        .part(
            "general",
            "d/dt log(‖[K_{A,ξ}]_k‖²/κ_{p'}²) ≤ (2σ_{p'}²q_{p'}/N²)(1−ρ_{p'}) for every k and every p' whose κ̂_{p'}² \
             is the smallest too",
            holds(),
            |s, m| {
                each(weakest(s), |p| {
                    let strength = 2.0 * s.sigma_squared[p] / m.square;
                    let allowed = strength * m.by.pulls[p] * (1.0 - Interval::point(s.correlation[p]));
                    let compared = at_most(m.rate(s, p), allowed);
                    m.with_room(s, compared, || m.fall(s, p) + strength * m.lead(s, p))
                })
            },
        )
        .assume(NONE_OPPOSED)
        .assume(SMALLEST_IN_BOTH)
        .step("s1", "q_{p'}(1−η) ≥ Q_0", holds(), |s, m| {
            each(smallest(s), |p| {
                let compared = at_least(m.by.pulls[p] * (1.0 - m.eta), m.by.scalar);
                m.with_room(s, compared, || m.lead(s, p))
            })
        })
        .assume(PARALLEL)
        .sharpening(
            "strict",
            "d/dt log(‖[K_{A,ξ}]_k‖²/κ_{p'}²) ≤ −(2/N²)(σ_{p'}²q_{p'}η + σ_ξ²(r/q)Q_0) for every k",
            holds(),
            |s, m| {
                each(smallest(s), |p| {
                    // One signal alone falls at this very rate.
                    m.with_room(s, at_most(m.rate(s, p), -m.fall(s, p)), || m.beside(s, p))
                })
            },
        )
        .assume(PARALLEL)
        .control("general-tight", "the general bound less by two per cent", |s, m| {
            each(weakest(s), |p| {
                let allowed =
                    2.0 * s.sigma_squared[p] * m.by.pulls[p] / m.square * (1.0 - Interval::point(s.correlation[p]));
                at_most(m.to_signal(p), 0.98 * allowed)
            })
        })
        .assume(NONE_OPPOSED)
        .assume(SMALLEST_IN_BOTH)
        .control("n1", "aligned: the ratio to the largest κ does not grow", |s, m| {
            each(largest(s), |p| at_most(m.to_signal(p), 0))
        })
        .assume(PARALLEL)
        .control("n2", "the ratio is constant", |s, m| each(smallest(s), |p| equal(m.to_signal(p), 0)))
        .control("n3", "the factor r/q dropped", |s, m| {
            each(0..s.r(), |p| {
                let (expected, _) = m.ratio_formula(s, p);
                let change = 2.0 / m.square * (m.noise_strength - s.noise_squared) * m.by.scalar;
                equal(m.to_signal(p), expected + change)
            })
        })
}

fn off_manifold() -> Setting<ManifoldDirection, Leaving> {
    over_directions(Setting::measuring(|s: &ManifoldDirection, _| Ok(s.leaving()?)))
        .assume(Hypothesis::new("q ≥ 1", |s| s.q() >= 1))
        .without_search()
        .part(
            "off-manifold",
            "the derivative in ε of d/dt log(‖[K_{A,ξ}]_k‖²/‖[K_A]_p‖²) is 0 on the manifold, for every k and p",
            holds(),
            |s, m| {
                let columns = (0..s.r()).flat_map(|p| (s.r()..s.d()).map(move |k| (k, p)));
                for_each_index("columns", columns, |(k, p)| {
                    let slope = m.log_norm(k).1 - m.log_norm(p).1;
                    equal(slope, 0).on_scale_of(UNIT, m.unit)
                })
            },
        )
        .tested_by("off-cosines")
        .control(
            "off-cosines",
            "the derivative in ε of the rates of the cosines between signal and noise is 0 too",
            |s, m| {
                for_each_index("signal", 0..s.r(), |p| {
                    let slope = m.cosine(p, s.r()).1;
                    equal(slope, 0).on_scale_of(UNIT, m.unit)
                })
            },
        )
}

fn named() -> Vec<(&'static str, ManifoldDirection)> {
    let mut turned = of(&[1.0, 2.0], &[0.5, 1.0], (0.5, &[0.3]), 2.0, 1.0);
    turned.correlation = vec![0.1, 0.9];
    // Q_0 is nearly q_{p'}, and neither ρ_{p'} nor the noise takes anything off: the general bound is nearly attained.
    let mut crossed = of(&[1.0, 1.0], &[1e-3, 1.0], (1e-3, &[1e-3]), 0.0, 1.0);
    crossed.correlation = vec![0.0, 1.0];
    let mut warmer = of(&[2.0, 3.0], &[1e-3, 1.0], (1e-3, &[1e-3]), 0.005, 2.0);
    warmer.correlation = vec![0.0, 1.0];
    vec![
        ("one signal", of(&[1.0], &[1.0], (1.0, &[0.1]), 1.0, 1.0)),
        ("the largest κ loses to the noise", of(&[3.0, 1.0, 1.5], &[3.0, 0.8, 1.0], (0.4, &[0.05; 3]), 2.0, 1.0)),
        ("ties for the smallest κ", of(&[3.0, 1.0, 2.0], &[0.5, 0.5, 2.0], (0.5, &[0.2]), 2.0, 2.0)),
        ("all κ equal", of(&[3.0, 1.0, 2.0], &[1.0; 3], (0.5, &[0.2, 0.1]), 3.0, 0.5)),
        ("τ² = 0", of(&[3.0, 1.0], &[0.5, 2.0], (0.5, &[0.2]), 0.0, 2.0)),
        ("little noise", of(&[3.0, 1.0], &[0.5, 2.0], (1e-5, &[1e-5]), 1.0, 2.0)),
        ("turned", turned),
        ("a small κ at a right angle, hot, weak noise", crossed),
        ("a small κ at a right angle, τ² = 1/200, weak noise", warmer),
    ]
}
