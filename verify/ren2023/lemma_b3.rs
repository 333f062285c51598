//! Lemma B.3: S_A and S_B at a small inverse temperature.
//!
//! True, in the reconstructed form. With ℓ = log K + log E e^{τ²⟨f_A^+,f_B^-⟩} − τ²⟨f_A^+,f_B^+⟩, S = σ(−ℓ), and
//! since the outputs have mean zero the middle term is between 0 and τ⁴B²/2. Taylor's formula for σ gives the value
//! 1/(1+K), the slope K/(1+K)²·⟨f_A^+,f_B^+⟩ and an explicit remainder. The noise part: moving the noises changes ℓ
//! by at most 4τ² times the cross terms.

use enclosures::interval::Dual;
use evidence::prelude::*;

use crate::shared::feature_families::families;
use crate::shared::high_temperature::{Expansion, HighTemperature, expand, vanishes};
use crate::shared::hypotheses::{LATENTS, LOSS, Q_MATRICES};
use crate::shared::notation::{SIZES, SPEED};

/// The largest absolute value over all positive pairs.
fn over_pairs(e: &Expansion, f: impl Fn(usize, usize) -> Interval) -> Interval {
    e.at.positive_pairs().fold(Interval::ZERO, |worst, (i, j)| worst.max(f(i, j).abs()))
}

/// |S − 1/(1+K) − τ²K/(1+K)² ⟨f_A^+, f_B^+⟩|, the larger of both views and over all pairs.
fn residual(e: &Expansion) -> Interval {
    let (t, slope, leading) = (e.tau_squared, e.selection_slope(), 1.0 / (1.0 + e.negatives));
    over_pairs(e, |i, j| {
        let first = leading + t * slope * e.at.similarity(i, j);
        (1.0 - e.at.rest_a(i, j) - first).abs().max((1.0 - e.at.rest_b(i, j) - first).abs())
    })
}

/// The largest deviation of x over positive pairs from its mean over the noises of both views.
fn noise_part(e: &Expansion, x: impl Fn(usize, usize) -> Interval) -> Interval {
    let mask = (1usize << e.signal()) - 1;
    let mut worst = Interval::ZERO;
    for z in 0..=mask {
        let values: Vec<Interval> =
            (e.at.positive_pairs()).filter(|(i, _)| i & mask == z).map(|(i, j)| x(i, j)).collect();
        let mean = values.iter().copied().sum::<Interval>() / values.len() as f64;
        worst = values.iter().fold(worst, |w, &v| w.max((v - mean).abs()));
    }
    worst
}

/// The largest gap, over positive pairs, of the noise part of −∂S_A/∂τ² at 0 from −(K/(1+K)²)(⟨f_A^+, f_B^+⟩ − z^T M z).
fn noise_gap(e: &Expansion) -> Interval {
    let (r, mask) = (e.signal(), (1usize << e.signal()) - 1);
    let mut worst = Interval::ZERO;
    for signal in 0..=mask {
        let z = e.latent(signal);
        let form: Interval = (0..r * r).map(|k| z[k / r] * e.cross.at(k / r, k % r) * z[k % r]).sum();
        let pairs: Vec<(usize, usize)> = (e.at.positive_pairs()).filter(|(i, _)| i & mask == signal).collect();
        let slope = |(i, j): (usize, usize)| e.start.rest_a(i, j).slopes[0];
        let mean = pairs.iter().map(|&pair| slope(pair)).sum::<Interval>() / pairs.len() as f64;
        for &(i, j) in &pairs {
            let expected = -(e.selection_slope() * (e.at.similarity(i, j) - form));
            worst = worst.max((slope((i, j)) - mean - expected).abs());
        }
    }
    worst
}

/// ‖M_{AξB}‖_F + ‖M_{ξAB}‖_F + ‖M_ξξ‖_F.
fn noise_cross_terms(e: &Expansion) -> Interval {
    let (r, d) = (e.signal(), e.latents());
    let part = |rows: (usize, usize), columns: (usize, usize)| -> Interval {
        let square = |k: usize| (columns.0..columns.1).map(|l| e.cross.at(k, l).square()).sum::<Interval>();
        (rows.0..rows.1).map(square).sum::<Interval>().sqrt()
    };
    part((0, r), (r, d)) + part((r, d), (0, r)) + part((r, d), (r, d))
}

/// τ⁴B²/8 + (τ²B + τ⁴B²/2)²/(12√3).
fn bound(e: &Expansion) -> Interval {
    let x = e.tau_squared * e.bound;
    x.square() / 8.0 + (x + x.square() / 2.0).square() / (12.0 * Interval::point(3.0).sqrt())
}

/// log E_{x_B^-} e^{τ²⟨f_A^+, f_B^-⟩} for anchor i.
fn log_mean(e: &Expansion, i: usize) -> Interval {
    e.tau_squared * e.at.similarity(i, 0) - e.at.tilt_a(i, 0).ln()
}

pub fn claim() -> Claim {
    Claim::new("ren2023.lemma-b3", "S_A and S_B in Stage 1", Kind::Asymptotic)
        .statement(
            "as τ² → 0: S_A = 1/(1+K) + (Kτ²/(1+K)²)⟨f_A^+,f_B^+⟩ + O(τ⁴), the same for S_B; the first-order term is \
             (K/(1+K)²) z^T M z plus a noise part made of M_{AξB}, M_{ξAB}, M_ξξ",
        )
        .source("Lemma B.3", &["Section B.1"])
        .symbols([SIZES, SPEED])
        .symbol(
            "z^T M z",
            "the part of ⟨f_A⁺,f_B⁺⟩ without noise; E[S_A | z] the mean over ξ_A, ξ_B at a positive pair",
        )
        .reconstructed(
            "the formulas; the split into a part that depends on z only and a smaller noise part survives in words",
        )
        .remark(
            "S is analytic in τ², so the statement is that of its value and its slope at τ = 0, which are computed \
             with derivatives carried along. The remainder bound is explicit; B is the largest |⟨f_A,f_B⟩|.",
        )
        .setting(printed())
}

fn printed() -> Setting<HighTemperature, Expansion> {
    Setting::measuring(|s: &HighTemperature, _| expand(s))
        .given(LATENTS)
        .given(LOSS)
        .given(Q_MATRICES)
        .given(
            "N_A, N_B > 0; B = max |⟨f_A, f_B⟩|, c_K = 2K/(1+K), Ψ = tr M/r; the remainder is S − 1/(1+K) − \
             (Kτ²/(1+K)²)⟨f_A^+,f_B^+⟩, S = S_A or S_B, at a positive pair",
        )
        .family(families())
        .without_search()
        .part(
            "printed",
            "with 0 in place of the instance's τ²: S = 1/(1+K) and ∂S/∂τ² = (K/(1+K)²)⟨f_A^+,f_B^+⟩ at every positive \
             pair, for S = S_A and S_B",
            holds(),
            |_, e| {
                let leading = e.negatives / (1.0 + e.negatives);
                let gap = over_pairs(e, |i, j| {
                    let expected = -(e.selection_slope() * e.at.similarity(i, j));
                    let gap = |rest: Dual<1>| (rest.value - leading).abs() + (rest.slopes[0] - expected).abs();
                    gap(e.start.rest_a(i, j)).max(gap(e.start.rest_b(i, j)))
                });
                vanishes(gap, e.bound + 1.0)
            },
        )
        .tested_by("n2")
        .part("explicit", "|remainder| ≤ τ⁴B²/8 + (τ²B + τ⁴B²/2)²/(12√3)", holds(), |_, e| {
            at_most(residual(e), bound(e)).on_unit_scale()
        })
        .our_constant("the explicit multiple: the words name an order only")
        .part(
            "noise-part",
            "|S_A − E[S_A | z]| ≤ τ²(‖M_{AξB}‖ + ‖M_{ξAB}‖ + ‖M_ξξ‖), Frobenius norms, at every positive pair",
            holds(),
            |_, e| {
                let found = noise_part(e, |i, j| e.at.rest_a(i, j));
                at_most(found, e.tau_squared * noise_cross_terms(e)).on_unit_scale()
            },
        )
        .our_constant("the explicit multiple: the words name an order only")
        .assume(Hypothesis::new("q ≥ 1", |s| s.noise > 0))
        .step("s1", "0 ≤ log E_{x_B⁻}e^{τ²⟨f_A^+,f_B^-⟩} ≤ τ⁴B²/2 for every x_A⁺", holds(), |_, e| {
            let top = (e.tau_squared * e.bound).square() / 2.0;
            for_each_index("anchor", 0..e.at.states(), |i| {
                let x = log_mean(e, i);
                at_most((-x).max(x - top), 0).on_unit_scale()
            })
        })
        .step("s2", "|S(1−S)(1−2S)| ≤ 1/(6√3) for S = S_A at every positive pair", holds(), |_, e| {
            let curvature = over_pairs(e, |i, j| {
                let s = e.at.rest_a(i, j);
                s * (1.0 - s) * (1.0 - 2.0 * s)
            });
            at_most(curvature, 1.0 / (6.0 * Interval::point(3.0).sqrt()))
        })
        .step(
            "s3",
            "with 0 in place of the instance's τ²: ∂S_A/∂τ² less its mean over ξ_A, ξ_B at the same z is \
             (K/(1+K)²)(⟨f_A^+,f_B^+⟩ − z^T M z)",
            holds(),
            |_, e| vanishes(noise_gap(e), e.bound),
        )
        .tested_by("n3")
        .sharpening(
            "quarter",
            "with c = K/(1+K)² ≤ 1/4 in place of 1/4: |remainder| ≤ cτ⁴B²/2 + (τ²B + τ⁴B²/2)²/(12√3)",
            holds(),
            |_, e| {
                let x = e.tau_squared * e.bound;
                let curved = (x + x.square() / 2.0).square() / (12.0 * Interval::point(3.0).sqrt());
                at_most(residual(e), e.selection_slope() * x.square() / 2.0 + curved).on_unit_scale()
            },
        )
        .control("n1", "S_A = 1/(1+K) + O(τ⁴): no slope at τ = 0", |_, e| {
            vanishes(over_pairs(e, |i, j| e.start.rest_a(i, j).slopes[0]), e.bound)
        })
        .control("n2", "S_A tends to K/(1+K)", |_, e| {
            equal(1.0 - e.start.rest_a(0, 0).value, e.negatives / (1.0 + e.negatives))
        })
        .control("n3", "the noise part S_A − E[S_A | z] is O(τ⁴): no slope at τ = 0", |_, e| {
            vanishes(noise_part(e, |i, j| e.start.rest_a(i, j).slopes[0]), e.bound)
        })
}
