//! Lemma C.16: the norms of the two views agree in Stage 2.
//!
//! The equations for u_p = log(‖[K_A]_p‖²/‖[K_B]_p‖²) are exact on the diagonal manifold. But "do not increase" (r2)
//! is false: a signal with T_p near 1 has q_p far below Q_0, and then the mismatch ν of the normalisers drives u_p.
//! Nor is the growth bounded by a constant at every temperature (r1): a signal that starts with nine tenths of the norm
//! (κ_1²/κ_2² = 9r) sheds it over r directions and gains about ν·log r at τ² = r; at τ² = 1/4 and 1, seen to r = 16384,
//! the same starts gain at most half of ν. What is true at every temperature: only a signal that
//! loses norm, q_pρ_p < Q_0, can gain mismatch beyond |ν|, at a rate at most |ν| times that of its loss.

use evidence::prelude::*;

use crate::shared::balancing_path::{BalancingPath, FollowedPath};
use crate::shared::manifold_directions::ManifoldDirection;
use crate::shared::manifold_families::{Views, aligned, on_manifold};
use crate::shared::notation::{
    AGREEMENT, ARGUMENT, DATA, FEATURES, KAPPA, KAPPA_HAT, LOSS, LOSS_WITHOUT_NEGATIVES, MEAN_SELECTION, MOTION,
    NORM_RATIO, NORMALISER, NORMALISER_RATIO, OUTPUTS, PERTURBATION, PULL, RADIAL, RHO, SIZES, TANH,
};
use crate::shared::rates_off_manifold::{Leaving, UNIT};
use crate::shared::stage_two::{on_the_manifold, over_directions};

/// Cells of the path in which the growth of a mismatch is enclosed.
const STEPS: u32 = 1600;

/// σ = 1, κ_1² = 9r and r − 1 others of norm one at τ² = `factor`·r, until they are nearly even.
fn shedding(r: u32, factor: f64) -> BalancingPath {
    BalancingPath {
        sigma_squared: 1.0,
        others: r - 1,
        kappa_squared: [9.0 * f64::from(r), 1.0],
        tau_squared: factor * f64::from(r),
        negatives: 1.0,
        ratio: 1.1,
    }
}

/// Whether the path is one of those.
fn is_shedding(p: &BalancingPath) -> bool {
    let r = p.size();
    let lead = p.kappa_squared == [9.0 * r, 1.0] && p.ratio == 1.1 && p.negatives == 1.0;
    lead && r >= 4.0 && (p.tau_squared == r || p.tau_squared == r / 2.0)
}

/// sinh(log(x)/2) for x = first/second, free of logarithms: (first − second)/(2√(first·second)).
fn half_sinh(first: Interval, second: Interval) -> Interval {
    (first - second) / (2.0 * (first * second).sqrt())
}

/// The parts of u̇_p = (4σ_p²/(N_AN_B))(−q_pρ_p sinh(u_p/2) + Q_0 sinh(ν/2)).
fn parts(s: &ManifoldDirection, m: &Leaving, p: usize) -> [Interval; 2] {
    let by = &m.base.by;
    let factor = Interval::point(4.0 * s.sigma_squared[p]) / m.base.normalisers;
    let own = half_sinh(Interval::point(s.norms_a[p]), Interval::point(s.norms_b[p]));
    let common = half_sinh(by.normalisers_squared[0], by.normalisers_squared[1]);
    [-(factor * by.pulls[p] * s.correlation[p] * own), factor * by.scalar * common]
}

fn moves_by(s: &ManifoldDirection, m: &Leaving, with_common: bool) -> Evaluation {
    for_each_index("signal", 0..s.r(), |p| {
        let found = m.log_norm(p).0 - m.log_norm(s.d() + p).0;
        let [own, common] = parts(s, m, p);
        let expected = if with_common { own + common } else { own };
        equal(found, expected).on_scale_of(UNIT, m.unit)
    })
}

fn noise_rate(s: &ManifoldDirection, m: &Leaving) -> Interval {
    let by = &m.base.by;
    let factor = Interval::point(4.0 * s.noise_squared) * s.r() as f64 / s.q() as f64 / m.base.normalisers;
    factor * by.scalar * half_sinh(by.normalisers_squared[0], by.normalisers_squared[1])
}

/// u̇_p and ν̇ on the manifold, with the values of u_p and ν.
struct ManifoldDrift {
    u: Vec<[Interval; 2]>,
    nu: [Interval; 2],
    /// (4σ_p²/(N_AN_B))·max(Q_0 − q_pρ_p, 0)·|sinh(ν/2)|.
    allowed: Vec<Interval>,
}

fn drift(s: &ManifoldDirection) -> Result<ManifoldDrift, Box<dyn std::error::Error + Send + Sync>> {
    let (state, law) = (s.diagonal(), s.law()?);
    let moved = law.velocity(&state, s.objective())?;
    let by = law.selection(&state, s.objective())?;
    let [na, nb] = by.normalisers_squared;
    let mean = |signal: &[Interval], noise: &[Interval]| -> Interval {
        let sum = signal.iter().copied().sum::<Interval>() / s.r() as f64;
        if noise.is_empty() { sum } else { sum + noise.iter().copied().sum::<Interval>() / s.q() as f64 }
    };
    let common = half_sinh(na, nb).abs();
    let allowed = (0..s.r()).map(|p| {
        let loss = (by.scalar - by.pulls[p] * s.correlation[p]).max(Interval::ZERO);
        4.0 * s.sigma_squared[p] / (na * nb).sqrt() * loss * common
    });
    Ok(ManifoldDrift {
        u: (0..s.r())
            .map(|p| [(state.a[p] / state.b[p]).ln(), moved.a[p] / state.a[p] - moved.b[p] / state.b[p]])
            .collect(),
        nu: [(na / nb).ln(), mean(&moved.a, &moved.noise_a) / na - mean(&moved.b, &moved.noise_b) / nb],
        allowed: allowed.collect(),
    })
}

/// d|x|/dt for x of certain sign.
fn outward([x, rate]: [Interval; 2]) -> Option<Interval> {
    match (x.lo() > 0.0, x.hi() < 0.0) {
        (true, _) => Some(rate),
        (_, true) => Some(-rate),
        _ => None,
    }
}

pub fn claim() -> Claim {
    Claim::new("ren2023.lemma-c16", "norms of A and B agree in Stage 2", Kind::Dynamics)
        .statement(
            "u̇_p = (4σ_p²/(N_AN_B))(−q_pρ_p sinh(u_p/2) + Q_0 sinh(ν/2)) + O(ε²), exact on the diagonal manifold; \
             noise columns: u̇_ξ = (4σ_ξ²(r/q)/(N_AN_B))Q_0 sinh(ν/2) + O(ε²): the norms of the two views stay close",
        )
        .reconstructed("the display; that the ratios stay close to one survives in words")
        .sense("equation", "the lemma is its display alone: the rates of the ratios, as in Lemma B.13")
        .source("Lemma C.16", &["Section C.3"])
        .symbols([SIZES, DATA, FEATURES, NORMALISER, OUTPUTS, LOSS, LOSS_WITHOUT_NEGATIVES, AGREEMENT])
        .symbol("κ", KAPPA.meaning)
        .symbols([KAPPA_HAT, RHO, ARGUMENT, TANH, MEAN_SELECTION, PULL, RADIAL, NORM_RATIO, NORMALISER_RATIO])
        .symbol("u̇_p", MOTION)
        .symbols([PERTURBATION])
        .remark(
            "Proof of the amendment: for u_p ≥ |ν| and ρ_p ≥ 0, −q_pρ_p sinh(u_p/2) + Q_0 sinh(ν/2) ≤ (Q_0 − q_pρ_p) \
             sinh(|ν|/2) if Q_0 ≥ q_pρ_p, and ≤ 0 otherwise. For equal σ and no noise ν is conserved to first order, \
             so that |u_p| ≤ max|u(0)| + |ν|·(total fall of log κ_p²): a logarithm.",
        )
        .setting(printed())
        .setting(monotone())
        .setting(growth())
}

fn printed() -> Setting<ManifoldDirection, Leaving> {
    over_directions(Setting::measuring(|s: &ManifoldDirection, _| Ok(s.leaving()?)))
        .family(edge("mismatched", mismatched))
        .without_search()
        .part(
            "printed",
            "for every p, on the manifold u̇_p = (4σ_p²/(N_AN_B))(−q_pρ_p sinh(u_p/2) + Q_0 sinh(ν/2)), and the \
             derivative of this rate in ε is 0",
            holds(),
            |s, m| {
                let slopes = (0..s.r()).map(|p| {
                    let slope = m.log_norm(p).1 - m.log_norm(s.d() + p).1;
                    ("slope in ε", equal(slope, 0).on_scale_of(UNIT, m.unit))
                });
                all_of(slopes.chain([("value", moves_by(s, m, true))]))
            },
        )
        .part(
            "noise",
            "for every noise column, on the manifold u̇_ξ = (4σ_ξ²(r/q)/(N_AN_B))Q_0 sinh(ν/2), and the derivative of \
             this rate in ε is 0",
            holds(),
            |s, m| {
                for_each_index("noise", s.r()..s.d(), |k| {
                    let (a, b) = (m.log_norm(k), m.log_norm(s.d() + k));
                    let value = equal(a.0 - b.0, noise_rate(s, m)).on_scale_of(UNIT, m.unit);
                    all_of([("value", value), ("slope", equal(a.1 - b.1, 0).on_scale_of(UNIT, m.unit))])
                })
            },
        )
        .assume(Hypothesis::new("q ≥ 1", |s| s.q() >= 1))
        .tested_by("noise-still")
        .control("noise-still", "the mismatch of the noise does not move", |s, m| {
            for_each_index("noise", s.r()..s.d(), |k| {
                let moved = m.log_norm(k).0 - m.log_norm(s.d() + k).0;
                equal(moved, 0).on_scale_of(UNIT, m.unit)
            })
        })
        .assume(Hypothesis::new("q ≥ 1", |s| s.q() >= 1))
        .step("s1", "ν lies between the least and the largest of all u_p and u_ξ", holds(), |s, _| {
            let ratios: Vec<Enclosure> = s
                .norms_a
                .iter()
                .zip(&s.norms_b)
                .chain(s.noise_a.iter().zip(&s.noise_b))
                .map(|(&a, &b)| exact(a) / b)
                .collect();
            let low = ratios.iter().copied().reduce(Enclosure::min).unwrap_or(exact(0.0));
            let high = ratios.iter().copied().reduce(Enclosure::max).unwrap_or(exact(0.0));
            match s.base() {
                Ok(base) => {
                    let [na, nb] = base.by.normalisers_squared;
                    let ratio = Enclosure::from(na / nb);
                    ascending([low, ratio, high])
                }
                Err(error) => Evaluation::Failed(error.to_string()),
            }
        })
        .control("n1", "the term with ν dropped", |s, m| moves_by(s, m, false))
        .control("n2", "u̇_ξ < 0 wherever Q_0 > 0 and ν > 0", |s, m| less_than(noise_rate(s, m), 0))
        .assume(Hypothesis::new("q ≥ 1, ν > 0", |s| {
            s.q() >= 1 && s.base().is_ok_and(|b| b.by.normalisers_squared[0].lo() > b.by.normalisers_squared[1].hi())
        }))
        .assume(Hypothesis::new("Q_0 > 0", |s| s.base().is_ok_and(|b| b.by.scalar.lo() > 0.0)))
}

fn monotone() -> Setting<ManifoldDirection, ManifoldDrift> {
    on_the_manifold(Setting::measuring(|s: &ManifoldDirection, _| drift(s)))
        .assume(Hypothesis::new("every ρ_p ≥ 0", |s| s.correlation.iter().all(|&c| c >= 0.0)))
        .degenerate("noise, or τ = 0", |s| s.q() > 0 || s.tau_squared == 0.0)
        .family(edge("mismatched", mismatched))
        .family(random("on the manifold", || on_manifold(0..4, Views::Any)).taking(4.0))
        .sense(
            "r2",
            "neither max_p|u_p| nor |ν| increases",
            fails(
                "q_p < Q_0 where T_p is near 1, and signals without mismatch beside noise that has one: ν drives u_p",
            ),
            |_, m| {
                let size = |x: &[Interval; 2]| x[0].abs();
                let largest = m.u.iter().map(|u| size(u).hi()).fold(0.0, f64::max);
                let leading = m.u.iter().filter(|u| size(u).lo() >= largest * (1.0 - 1e-12));
                let parts = leading.map(|u| ("max|u|", outward(*u))).chain([("|ν|", outward(m.nu))]);
                let parts: Vec<_> = parts.filter_map(|(name, rate)| Some((name, at_most(rate?, 0)))).collect();
                if parts.is_empty() { vacuous("no norm differs between the views") } else { all_of(parts) }
            },
        )
        .sides("growth rate of max_p|u_p|, or of |ν|", "0")
        .except("no norm differs between the views")
        .because("Section C.3 announces that the ratios stay close to one throughout Stage 2")
        .amendment(
            "r2-loss",
            "for every p with |u_p| ≥ |ν|, u_p ≠ 0: d|u_p|/dt ≤ (4σ_p²/(N_AN_B))·max(Q_0 − q_pρ_p, 0)·sinh(|ν|/2)",
            holds(),
            |_, m| {
                let large = m.u.iter().zip(&m.allowed).filter(|(u, _)| u[0].abs().lo() >= m.nu[0].abs().hi());
                let parts: Vec<_> =
                    large.filter_map(|(u, allowed)| Some(("|u_p|", at_most(outward(*u)?, *allowed)))).collect();
                if parts.is_empty() { vacuous("no |u_p| beyond |ν|") } else { all_of(parts) }
            },
        )
        .except("no |u_p| beyond |ν|")
}

fn growth() -> Setting<BalancingPath, FollowedPath> {
    Setting::measuring(|p: &BalancingPath, _| Ok(p.follow(STEPS)))
        .given(
            "H-orth; the flow of L, K > 0, with every ρ_p = 1, no noise, r ≥ 2, σ² = (σ_1², 1, …, 1), κ² = (κ_1², \
             κ_2², …, κ_2²) from κ_1² > Rκ_2² until κ_1² = Rκ_2², R ≥ 1.01; a small mismatch u_p, the same for all p \
             at the start, to first order: u_1/u_1(0) is its limit as u_1(0) → 0",
        )
        .assume(Hypothesis::new("τ² > 0", |p| p.tau_squared > 0.0))
        .assume(Hypothesis::new("σ_1 = 1", |p| p.sigma_squared == 1.0))
        .family(edge("a start that is nearly even", || {
            vec![("κ_1² = 2κ_2²", BalancingPath { kappa_squared: [2.0, 1.0], ..shedding(16, 1.0) })]
        }))
        .family(edge("one signal holds nine tenths of the norm", || {
            let sizes = (2..=15).map(|k| 1u32 << k);
            let of = |factor: f64| move |r: u32| (format!("r = {r}, τ² = {factor}·r"), shedding(r, factor));
            sizes.clone().map(of(1.0)).chain(sizes.map(of(0.5))).collect()
        }))
        .family(edge("the same at a temperature that does not depend on r", || {
            let sizes = (2..=15).step_by(3).map(|k| 1u32 << k);
            let of = |tau_squared: f64| {
                move |r: u32| {
                    let path = BalancingPath { tau_squared, ..shedding(r, 1.0) };
                    (format!("r = {r}, τ² = {tau_squared}"), path)
                }
            };
            sizes.clone().map(of(1.0)).chain(sizes.map(of(0.25))).collect()
        }))
        .family(outside("other paths", || {
            let still = BalancingPath { tau_squared: 0.0, ..shedding(16, 1.0) };
            let strong = BalancingPath { sigma_squared: 16.0, ..shedding(16, 1.0) };
            vec![("τ = 0", still), ("σ_1² = 16", strong)]
        }))
        .without_search()
        .sense(
            "r1",
            "u_1 stays within the factor 4 of its start, whatever r and τ² are: the maximum over time of u_1/u_1(0) is \
             at most 4",
            fails("at τ² = r the factor grows like log r"),
            |_, f| at_most(f.mismatch, 4),
        )
        .sides("max over time of u_1/u_1(0)", "4")
        .our_constant(
            "the factor 4: step r1-growth shows that none serves at τ² = r; r1-cold has one at τ² = 1/4 and 1",
        )
        .because("Section C.3 announces that the ratios stay close to one throughout Stage 2")
        .step("r1-growth", "the maximum over time of u_1/u_1(0) is at least 1 + (log r)/4", holds(), |p, f| {
            at_least(f.mismatch, 1.0 + exact(p.size()).ln() / 4.0)
        })
        .assume(Hypothesis::new("r ≥ 4, τ² = r or r/2, K = 1, κ_1² from 9rκ_2² to 1.1κ_2²", is_shedding))
        .amendment("r1-logarithm", "the maximum over time of u_1/u_1(0) is at most 1 + log r", holds(), |p, f| {
            at_most(f.mismatch, 1.0 + exact(p.size()).ln())
        })
        .amendment(
            "r1-cold",
            "for r = 4, 32, 256, 2048, 16384: the maximum over time of u_1/u_1(0) is at most 3/2",
            holds(),
            |_, f| at_most(f.mismatch, exact(1.5)),
        )
        .assume(Hypothesis::new("τ² = 1/4 or 1, K = 1, κ_1² from at most 9rκ_2² to 1.1κ_2²", |p| {
            let [first, other] = p.kappa_squared;
            [0.25, 1.0].contains(&p.tau_squared)
                && p.negatives == 1.0
                && first <= 9.0 * p.size() * other
                && p.ratio == 1.1
        }))
        .our_constant("the factor 3/2")
        .control("n3", "the maximum over time of u_1/u_1(0) is at most 1", |_, f| at_most(f.mismatch, 1))
}

/// Views whose norms differ.
fn mismatched() -> Vec<(&'static str, ManifoldDirection)> {
    let of = |sigma: &[f64], norms: [&[f64]; 2], noise: [&[f64]; 2], tau: f64| {
        let mut s = aligned(sigma, norms[0], (0.5, noise[0]), tau, 1.0);
        s.norms_b = norms[1].to_vec();
        s.noise_b = noise[1].to_vec();
        s
    };
    let mut still = of(&[1.0, 2.0], [&[2.0, 1.0], &[1.0, 0.5]], [&[], &[]], 1.0);
    still.correlation = vec![0.0, 0.5];
    vec![
        ("K_A = √2 K_B", of(&[1.0, 1.0], [&[8.0, 2.0], &[4.0, 1.0]], [&[], &[]], 4.0)),
        ("tiny mismatch", of(&[1.0, 2.0], [&[1.0001, 1.0], &[1.0, 1.0]], [&[], &[]], 1.0)),
        ("one T near 1", of(&[1.0, 1.0, 1.0], [&[6.0, 1.0, 1.0], &[5.0, 0.8, 0.9]], [&[], &[]], 8.0)),
        ("noise mismatch alone", of(&[1.0], [&[1.0], &[1.0]], [&[0.5], &[0.2]], 1.0)),
        ("noise and signals", of(&[1.0, 2.0], [&[2.0, 1.0], &[1.0, 0.5]], [&[0.5], &[0.2]], 2.0)),
        ("ρ_1 = 0", still),
    ]
}
