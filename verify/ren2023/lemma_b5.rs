//! Lemma B.5: the mixed blocks Q_{1,ξA} and Q_{1,ξB} in Stage 1.
//!
//! True, in the reconstructed form: both blocks vanish at τ = 0, and their slopes in τ² are −2K(2+K)/(q(1+K)²) times
//! the transposed cross terms. Three contributions add up: −2K/(1+K)² from S_A + S_B on positive pairs, −K/(1+K) from
//! each tilt.

use evidence::prelude::*;

use crate::shared::feature_families::{families, orthogonal_noise};
use crate::shared::high_temperature::{Expansion, HighTemperature, REMAINDER, agree, expand, vanishes};
use crate::shared::hypotheses::{LATENTS, LOSS, Q_MATRICES};
use crate::shared::notation::{SIZES, SPEED};

/// The slopes at τ = 0 of the three parts of Q_kl: positive pairs, negatives tilted in view B, negatives tilted in
/// view A.
fn contributions(e: &Expansion, k: usize, l: usize) -> [Interval; 3] {
    let n = e.at.states();
    let y: Vec<Vec<Interval>> = (0..n).map(|i| e.latent(i)).collect();
    let (mut parts, probability) = ([Interval::ZERO; 3], e.at.pair_probability());
    for (i, j) in e.start.positive_pairs() {
        let (a, b) = (e.start.rest_a(i, j), e.start.rest_b(i, j));
        parts[0] += (a + b).slopes[0] * y[j][k] * y[i][l] * probability;
        for other in 0..n {
            let share = probability / n as f64;
            parts[1] -= (a * e.start.tilt_a(i, other)).slopes[0] * y[other][k] * y[i][l] * share;
            parts[2] -= (b * e.start.tilt_b(other, j)).slopes[0] * y[j][k] * y[other][l] * share;
        }
    }
    parts.map(|x| x * e.signal() as f64)
}

/// Whether one of two latents is a signal and the other noise.
fn mixed(e: &Expansion) -> impl Fn(usize, usize) -> bool + use<> {
    let r = e.signal();
    move |k, l| (k < r) != (l < r)
}

/// The entries of both blocks.
fn entries(e: &Expansion) -> impl Iterator<Item = (usize, usize)> + use<> {
    let is_mixed = mixed(e);
    pairs(0..e.latents(), 0..e.latents()).filter(move |&(k, l)| is_mixed(k, l))
}

pub fn claim() -> Claim {
    Claim::new("ren2023.lemma-b5", "Q_{1,ξA} and Q_{1,ξB} in Stage 1", Kind::Asymptotic)
        .statement(
            "Q_{1,ξA} = −(2K(2+K)/(1+K)²)(τ²/q) M_{ξAB}^T + O(τ⁴), Q_{1,ξB} = −(2K(2+K)/(1+K)²)(τ²/q) M_{AξB}^T + \
             O(τ⁴); both vanish when the cross terms do",
        )
        .source("Lemma B.5", &["Section B.1"])
        .symbols([SIZES, SPEED])
        .reconstructed("the formulas; they are derived from the definitions")
        .remark(
            "Holds for every state. Remainders are in units of √(r/q), the size of r z_p ξ_k; with this size in place \
             of one the proof is that of Lemma B.4.",
        )
        .setting(both_blocks())
}

fn both_blocks() -> Setting<HighTemperature, Expansion> {
    Setting::measuring(|s: &HighTemperature, _| expand(s))
        .given(LATENTS)
        .given(LOSS)
        .given(Q_MATRICES)
        .given(REMAINDER)
        .assume(Hypothesis::new("q ≥ 1", |s| s.noise > 0))
        .family(families())
        .family(orthogonal_noise().taking(0.25))
        .without_search()
        .part("printed", "value 0 and slope of both blocks at τ = 0 are those of the statement", holds(), |_, e| {
            e.first_order_is_exact(mixed(e))
        })
        .tested_by("n1")
        .part(
            "remainder",
            "|remainder| ≤ 4.3 τ⁴B²√(r/q) for every entry of Q_{1,ξA} and Q_{1,ξB}",
            holds(),
            |_, e| at_most(e.remainder(mixed(e)), e.second_order_bound()).on_unit_scale(),
        )
        .our_constant("the explicit multiple: the words name an order only")
        .part(
            "vanish",
            "Q_{1,ξA} = 0 and Q_{1,ξB} = 0 at the τ² of the instance, any τ² ≥ 0, if M_{AξB} = M_{ξAB} = M_ξξ = 0",
            holds(),
            |_, e| vanishes(e.largest(mixed(e), |k, l| e.matrix.at(k, l)), Interval::ONE),
        )
        .tested_by("n4")
        .assume(Hypothesis::new("no cross term with noise: M_{AξB} = M_{ξAB} = M_ξξ = 0", |s| {
            let (r, d) = (s.signal, s.signal + s.noise);
            let product =
                |i: usize, j: usize| s.rows.iter().map(|row| row[i] * row[d + j]).fold(0.0, |x: f64, y| x + y.abs());
            (0..d * d).all(|k| (k / d < r && k % d < r) || product(k / d, k % d) == 0.0)
        }))
        .step(
            "s1",
            "a factor that does not depend on the noises contributes 0: both blocks vanish at τ = 0",
            holds(),
            |_, e| vanishes(e.largest(mixed(e), |k, l| e.matrix_start.at(k, l).value), Interval::ONE),
        )
        .tested_by("n4")
        .step(
            "s2",
            "the slopes in τ² at τ = 0 of r E[(2−S_A−S_B) z⁺ξ_A⁺ᵀ], −r E[(1−S_A)w_A z⁻ξ_A⁺ᵀ] and −r E[(1−S_B)w_B \
             z⁺ξ_A⁻ᵀ], which add up to Q_{1,ξA}, are −2K/(1+K)², −K/(1+K), −K/(1+K) times M_{ξAB}^T/q",
            holds(),
            |_, e| {
                let (r, d) = (e.signal(), e.latents());
                let half = -(e.speed() / 2.0);
                let factors = [-(2.0 * e.selection_slope()), half, half];
                for_each_index("entry", pairs(0..r, r..d), |(p, k)| {
                    let term = e.cross.at(k, p) / (d - r) as f64;
                    let gaps = contributions(e, p, k).into_iter().zip(factors).map(|(x, f)| (x - f * term).abs());
                    vanishes(gaps.sum(), e.bound + 1.0)
                })
            },
        )
        .tested_by("n3")
        .control("n4", "both blocks are 0 at every τ and for every state", |_, e| {
            vanishes(e.largest(mixed(e), |k, l| e.matrix.at(k, l)), Interval::ONE)
        })
        .control(
            "n1",
            "sign + in the first order: the slopes in τ² at τ = 0 are 2K(2+K)/(q(1+K)²) times M_{ξAB}^T and M_{AξB}^T",
            |_, e| {
                for_each_index("entry", entries(e), |(k, l)| {
                    agree(e.matrix_start.at(k, l).slopes[0], -e.first_order(k, l), e.bound)
                })
            },
        )
        .control("n2", "both blocks are O(τ⁴): their slopes in τ² at τ = 0 are 0", |_, e| {
            for_each_index("entry", entries(e), |(k, l)| vanishes(e.matrix_start.at(k, l).slopes[0], e.bound))
        })
        .control(
            "n3",
            "the constant is 2K/(1+K): entry (1, 1) of Q_{1,ξA} has the slope −(2K/(1+K))[M_{ξAB}]_11/q",
            |_, e| {
                let (r, q) = (e.signal(), e.latents() - e.signal());
                equal(e.matrix_start.at(0, r).slopes[0], -(e.speed() * e.cross.at(r, 0) / q as f64))
            },
        )
}
