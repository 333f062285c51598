//! Lemma C.15: alignment is kept in Stage 2.
//!
//! True, and exact on the diagonal manifold for any norms of the two views: ρ_p never falls there, and grows unless
//! it is ±1. Off the manifold the correction has no first-order part. The rate carries 1 − T_p, so that a strongly
//! aligned and dominating signal hardly moves.

use evidence::prelude::*;

use crate::shared::manifold_directions::ManifoldDirection;
use crate::shared::manifold_families::aligned;
use crate::shared::notation::{
    AGREEMENT, DATA, FEATURES, KAPPA, KAPPA_HAT, LOSS, LOSS_WITHOUT_NEGATIVES, MEAN_SELECTION, MOTION, NORMALISER,
    OUTPUTS, PERTURBATION, PULL, RHO, SIZES, TANH,
};
use crate::shared::rates_off_manifold::{Leaving, UNIT};
use crate::shared::stage_two::over_directions;

/// (q_pσ_p²/(N_AN_B))(a + 1/a)(1 − ρ_p²) with q_p replaced by `pull`.
fn growth(s: &ManifoldDirection, m: &Leaving, p: usize, pull: Interval) -> Interval {
    let a = m.base.alpha[p] / m.base.beta[p];
    let rho = Interval::point(s.correlation[p]);
    pull * s.sigma_squared[p] / m.base.normalisers * (a + 1.0 / a) * (1.0 - rho.square())
}

fn grows_by(s: &ManifoldDirection, m: &Leaving, pull: impl Fn(usize) -> Interval) -> Evaluation {
    for_each_index("signal", 0..s.r(), |p| {
        let (value, _) = m.cosine(p, s.d() + p);
        let right = growth(s, m, p, pull(p));
        // 1 − S̄ and 1 − T_p are differences, so that an enclosure is good to a fraction of the unit, not of the rate.
        equal(value, right).on_scale_of(UNIT, m.unit)
    })
}

pub fn claim() -> Claim {
    Claim::new("ren2023.lemma-c15", "alignment is kept in Stage 2", Kind::Dynamics)
        .statement(
            "dρ_p/dt = (q_pσ_p²/(N_AN_B))(a + 1/a)(1−ρ_p²) + O(ε²), a = ‖[K_A]_p‖/‖[K_B]_p‖, q_p = 2(1−S̄)(1−T_p); \
             exact on the diagonal manifold, where ρ_p is therefore non-decreasing",
        )
        .reconstructed("the display; the equation is derived from the definitions")
        .source("Lemma C.15", &["Section C.3"])
        .symbols([SIZES, DATA, FEATURES, NORMALISER, OUTPUTS, LOSS, LOSS_WITHOUT_NEGATIVES, AGREEMENT])
        .symbol("κ", KAPPA.meaning)
        .symbols([KAPPA_HAT, RHO, TANH, MEAN_SELECTION, PULL])
        .symbol("dρ_p/dt", MOTION)
        .symbols([PERTURBATION])
        .symbol("a", "‖[K_A]_p‖/‖[K_B]_p‖")
        .setting(printed())
}

fn printed() -> Setting<ManifoldDirection, Leaving> {
    over_directions(Setting::measuring(|s: &ManifoldDirection, _| Ok(s.leaving()?)))
        .family(edge("angles", || {
            let at = |rho: [f64; 2], norms: [f64; 2], tau: f64| {
                let mut s = aligned(&[2.0, 1.0], &[1.0, 0.5], (1.0, &[]), tau, 2.0);
                (s.correlation, s.norms_b) = (rho.to_vec(), norms.to_vec());
                s
            };
            vec![
                ("orthogonal", at([0.0, 0.0], [1.0, 0.5], 1.0)),
                ("opposed", at([-1.0, -1.0], [1.0, 0.5], 1.0)),
                ("aligned", at([1.0, 1.0], [1.0, 0.5], 1.0)),
                ("unequal norms", at([0.9, 0.2], [0.01, 3.0], 1.0)),
                ("τ² = 10", at([0.9, 0.8], [1.0, 0.5], 10.0)),
                ("τ² = 0", at([0.9, 0.8], [1.0, 0.5], 0.0)),
            ]
        }))
        .without_search()
        .part(
            "printed",
            "on the manifold dρ_p/dt = (q_pσ_p²/(N_AN_B))(a + 1/a)(1−ρ_p²), and the derivative of dρ_p/dt in ε is 0",
            holds(),
            |s, m| {
                let slopes = (0..s.r()).map(|p| {
                    let slope = m.cosine(p, s.d() + p).1;
                    ("slope in ε", equal(slope, 0).on_scale_of(UNIT, m.unit))
                });
                all_of(slopes.chain([("value", grows_by(s, m, |p| m.base.by.pulls[p]))]))
            },
        )
        .part("monotone", "on the manifold dρ_p/dt ≥ 0 for every p", holds(), |s, m| {
            for_each_index("signal", 0..s.r(), |p| {
                let rate = m.cosine(p, s.d() + p).0;
                at_least(rate, 0).on_scale_of(UNIT, m.unit)
            })
        })
        .step("s1", "on the manifold a + 1/a ≥ 2 and q_p > 0 for every p", holds(), |s, m| {
            all_of((0..s.r()).flat_map(|p| {
                let root = (m.base.alpha[p] / m.base.beta[p]).sqrt();
                let excess = (root - 1.0 / root).square();
                [("a + 1/a − 2", at_least(excess, 0)), ("q_p", greater_than(m.base.by.pulls[p], 0))]
            }))
        })
        .sharpening(
            "at-least-two",
            "on the manifold dρ_p/dt ≥ 2q_pσ_p²(1−ρ_p²)/(N_AN_B), with equality where a = 1",
            holds(),
            |s, m| {
                for_each_index("signal", 0..s.r(), |p| {
                    let least = 2.0 * m.base.by.pulls[p] * s.sigma_squared[p] / m.base.normalisers
                        * (1.0 - Interval::point(s.correlation[p]).square());
                    let rate = m.cosine(p, s.d() + p).0;
                    at_least(rate, least).on_scale_of(UNIT, m.unit)
                })
            },
        )
        .control("more", "at least 2.02q_pσ_p²(1−ρ_p²)/(N_AN_B)", |s, m| {
            for_each_index("signal", 0..s.r(), |p| {
                let a = m.base.alpha[p] / m.base.beta[p];
                let least = growth(s, m, p, m.base.by.pulls[p]) * 2.02 / (a + 1.0 / a);
                let rate = m.cosine(p, s.d() + p).0;
                at_least(rate, least)
            })
        })
        .control("n1", "the rate without 1 − T_p", |s, m| grows_by(s, m, |_| 2.0 * m.base.by.rest))
        .control("n2", "ρ_p strictly increases, also at ρ_p = 1", |s, m| {
            for_each_index("signal", 0..s.r(), |p| {
                let rate = growth(s, m, p, m.base.by.pulls[p]);
                greater_than(rate, 0)
            })
        })
        .control("n3", "a + 1/a replaced by 2", |s, m| {
            for_each_index("signal", 0..s.r(), |p| {
                let a = m.base.alpha[p] / m.base.beta[p];
                let right = growth(s, m, p, m.base.by.pulls[p]) * 2.0 / (a + 1.0 / a);
                equal(m.cosine(p, s.d() + p).0, right)
            })
        })
}
