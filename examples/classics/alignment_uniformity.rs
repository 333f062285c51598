//! Alignment and uniformity (Wang and Isola 2020, theorem 1): the contrastive loss with ever more negatives, exactly.
//!
//! For encoders with finitely many outputs the expectation over M negatives is a finite sum. Minus log M, the loss tends to −E
//! f(x)ᵀf(x⁺)/τ + E_x log E_{x⁻} e^{f(x)ᵀf(x⁻)/τ}; an explicit bound of order 1/M, by Jensen from above and by Taylor from
//! below, is what is compared here. The second term is often replaced by the uniformity loss that the paper introduces beside it, with
//! the logarithm outside of both expectations. That is another number, and by Jensen a larger one, unless every x sees the same repulsion.

use contrapositive::prelude::*;
use contrapositive::probability::Binomial;
use proptest::collection::vec;
use proptest::prelude::Strategy;
use serde::{Deserialize, Serialize};

use crate::shared::{refused, shares};

/// An encoder onto two or three points of the circle.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "points at {angles:?} with weights {weights:?}, positives mixed by {mixed}, τ = {tau}, M = \
                       {negatives}", valid = Self::has_weight, simpler = Self::smaller, stored)]
struct Encoder {
    /// Where the points are, in radians.
    #[instance(length = "n in 2..=3", range = "-100..=100")]
    angles: Vec<f64>,
    /// How often each is the output.
    #[instance(length = "n", range = "1e-3..")]
    weights: Vec<f64>,
    /// The chance that the positive is an independent draw and not the same point.
    #[instance(range = "0..=1")]
    mixed: f64,
    #[instance(range = "0.05..=100")]
    tau: f64,
    #[instance(range = "1..=64")]
    negatives: usize,
}

struct LimitingLoss {
    /// L − log M minus its limit.
    deviation: Enclosure,
    /// −E f(x)ᵀf(x⁺)/τ + E_x log E e^…
    limit: Enclosure,
    /// −E f(x)ᵀf(x⁺)/τ + log E_x E e^…
    outside: Enclosure,
    /// E e^{f(x)ᵀf(x⁺)/τ}/μ(x).
    pull: Enclosure,
    negatives: Enclosure,
    tau: Enclosure,
}

impl LimitingLoss {
    /// max(e^{2/τ}, (e^{2/τ} − 1)²/8)/M.
    fn allowed(&self) -> Enclosure {
        let range = 2.0 / self.tau;
        range.exp().max(range.exp_m1().square() / 8.0) / self.negatives
    }
}

/// How often each point was drawn, and how likely that is: all counts of M draws from two or three points.
fn counts(law: &[Enclosure], negatives: usize) -> Vec<(Vec<usize>, Enclosure)> {
    let [first, rest @ ..] = law else { return Vec::new() };
    if rest.is_empty() {
        return vec![(vec![negatives], Enclosure::ONE)];
    }
    let remaining: Enclosure = rest.iter().copied().sum();
    let conditional: Vec<Enclosure> = rest.iter().map(|&p| (p / remaining).min(1)).collect();
    let masses = Binomial::masses(negatives, first.min(1).interval());
    let mut all = Vec::new();
    for (count, mass) in masses.into_iter().enumerate() {
        for (mut others, chance) in counts(&conditional, negatives - count) {
            others.insert(0, count);
            all.push((others, Enclosure::from(mass) * chance));
        }
    }
    all
}

impl Encoder {
    fn sides(&self) -> LimitingLoss {
        let (law, tau, negatives) = (shares(&self.weights), exact(self.tau), Enclosure::from(self.negatives));
        let n = law.len();
        let similarity = |i: usize, j: usize| {
            if i == j { Enclosure::ONE } else { (exact(self.angles[i]) - self.angles[j]).cos() }
        };
        let repulsion: Vec<Vec<Enclosure>> =
            (0..n).map(|i| (0..n).map(|j| (similarity(i, j) / tau).exp()).collect()).collect();
        let mean: Vec<Enclosure> =
            repulsion.iter().map(|row| row.iter().zip(&law).map(|(&e, &p)| e * p).sum()).collect();
        let positive = |i: usize, j: usize| {
            let same = if i == j { 1.0 - exact(self.mixed) } else { Enclosure::ZERO };
            law[i] * (same + self.mixed * law[j])
        };
        let all = counts(&law, self.negatives);
        let (mut deviation, mut aligned, mut pull) = (Enclosure::ZERO, Enclosure::ZERO, Enclosure::ZERO);
        for i in 0..n {
            let sums: Vec<(Enclosure, Enclosure)> = all
                .iter()
                .map(|(count, chance)| {
                    let terms = count.iter().zip(&repulsion[i]).map(|(&c, &e)| Enclosure::from(c) * e);
                    (terms.sum(), *chance)
                })
                .collect();
            for (j, &own) in repulsion[i].iter().enumerate() {
                let weight = positive(i, j);
                let ratio = |sum: Enclosure| ((own + sum) / (negatives * mean[i])).ln();
                deviation += weight * sums.iter().map(|&(sum, chance)| chance * ratio(sum)).sum::<Enclosure>();
                aligned += weight * similarity(i, j) / tau;
                pull += weight * own / mean[i];
            }
        }
        let log_inside: Enclosure = law.iter().zip(&mean).map(|(&p, &m)| p * m.ln()).sum();
        let mean_of_means: Enclosure = law.iter().zip(&mean).map(|(&p, &m)| p * m).sum();
        LimitingLoss {
            deviation,
            limit: log_inside - aligned,
            outside: mean_of_means.ln() - aligned,
            pull,
            negatives,
            tau,
        }
    }
}

impl Encoder {
    fn has_weight(&self) -> Result<(), String> {
        refused(&self.weights)
    }

    fn smaller(&self) -> Vec<Self> {
        let fewer = |negatives| Encoder { negatives, ..self.clone() };
        let mut all = vec![fewer(self.negatives / 2), fewer(self.negatives - 1)];
        if self.angles.len() == 3 {
            for i in 0..3 {
                let mut without = self.clone();
                without.angles.remove(i);
                without.weights.remove(i);
                all.push(without);
            }
        }
        all
    }
}

fn named() -> Vec<(&'static str, Encoder)> {
    let of = |angles: &[f64], weights: &[f64], mixed, tau, negatives| Encoder {
        angles: angles.to_vec(),
        weights: weights.to_vec(),
        mixed,
        tau,
        negatives,
    };
    vec![
        ("opposite points, one negative", of(&[0.0, 3.125], &[1.0, 1.0], 0.0, 1.0, 1)),
        ("opposite points, 64 negatives", of(&[0.0, 3.125], &[1.0, 1.0], 0.0, 1.0, 64)),
        ("collapsed", of(&[0.0, 0.0], &[1.0, 1.0], 0.0, 1.0, 16)),
        ("lopsided", of(&[0.0, 2.0], &[7.0, 1.0], 0.0, 0.5, 32)),
        ("three points, mixed positives", of(&[0.0, 1.0, 4.0], &[1.0, 2.0, 3.0], 0.5, 1.0, 24)),
        ("independent positives", of(&[0.0, 2.0], &[1.0, 3.0], 1.0, 2.0, 8)),
        ("cold", of(&[0.0, 2.5], &[1.0, 1.0], 0.0, 0.25, 16)),
        ("independent positives, cold, one negative", of(&[0.0, 2.0, 4.0], &[1.0, 1.0, 1.0], 1.0, 0.25, 1)),
        ("two points, independent positives, cold", of(&[0.0, 2.5], &[1.0, 1.0], 1.0, 0.25, 1)),
    ]
}

fn drawn() -> impl Strategy<Value = Encoder> {
    (2usize..=3).prop_flat_map(|n| {
        let points = (vec(-3.0..3.0f64, n), vec(0.05..1.0f64, n));
        (points, 0.0..1.0f64, 0.25..4.0f64, 1usize..=24)
            .prop_map(|((angles, weights), mixed, tau, negatives)| Encoder { angles, weights, mixed, tau, negatives })
    })
}

fn setting() -> Setting<Encoder, LimitingLoss> {
    Setting::measuring(|encoder: &Encoder, _| Ok(encoder.sides()))
        .given(
            "f takes two or three values on the circle; x⁺ = x, or with the chance ρ an independent draw; 1 ≤ M ≤ 64",
        )
        .family(edge("named", named))
        .family(random("drawn", drawn))
}

fn symbols(claim: Claim) -> Claim {
    claim
        .symbol("L(f; τ, M)", "E −log(e^{f(x)ᵀf(x⁺)/τ}/(e^{f(x)ᵀf(x⁺)/τ} + Σ_{i=1..M} e^{f(x)ᵀf(x_i⁻)/τ}))")
        .symbol("x⁺", "the positive of x: (x, x⁺) is a positive pair")
        .symbol("x_i⁻", "M independent negatives with the law of x")
        .symbol("E_x", "the expectation over x, drawn independently of x⁻, over which E_{x⁻} is")
}

/// As it is printed.
pub fn claim() -> Claim {
    symbols(Claim::new(
        "classics.alignment-uniformity",
        "The contrastive loss with infinitely many negatives",
        Kind::Asymptotic,
    ))
    .statement("lim_{M→∞} L(f; τ, M) − log M = −(1/τ) E f(x)ᵀf(x⁺) + E_x log E_{x⁻} e^{f(x)ᵀf(x⁻)/τ}")
    .source("Wang and Isola 2020, theorem 1", &[])
    .symbol("D(M)", "L(f; τ, M) − log M minus the stated limit")
    .remark(
        "From above by Jensen: E log((a + S)/(Mμ)) ≤ a/(Mμ) ≤ e^{2/τ}/M. From below by Taylor, for numbers in [m, m \
         e^{2/τ}]: at least −Var/(2m²M) ≥ −(e^{2/τ} − 1)²/(8M).",
    )
    .setting(
        setting()
            .part("limit", "|D(M)| ≤ max(e^{2/τ}, (e^{2/τ} − 1)²/8)/M for every M", holds(), |_, s| {
                at_most(s.deviation.abs(), s.allowed()).on_unit_scale()
            })
            .because("an explicit bound that tends to zero implies the limit")
            .sharpening(
                "jensen",
                "D(M) ≤ (1/M) E e^{f(x)ᵀf(x⁺)/τ}/E_{x⁻} e^{f(x)ᵀf(x⁻)/τ}",
                holds(),
                |_, s| at_most(s.deviation, s.pull / s.negatives).on_unit_scale(),
            )
            .control("a", "|D(M) + log M| ≤ the same bound: the loss itself has this limit", |_, s| {
                at_most((s.deviation + s.negatives.ln()).abs(), s.allowed())
            })
            .control("b", "D(M) ≤ 0: the limit is approached from below", |_, s| at_most(s.deviation, 0))
            .control("c", "D(M) ≥ 0: the limit is approached from above", |_, s| at_least(s.deviation, 0)),
    )
}

/// The logarithm outside of both expectations.
pub fn misquoted() -> Claim {
    symbols(Claim::new(
        "classics.alignment-uniformity-outside",
        "The limit with the logarithm outside, misquoted",
        Kind::Identity,
    ))
    .statement("lim_{M→∞} L(f; τ, M) − log M = −(1/τ) E f(x)ᵀf(x⁺) + log E_x E_{x⁻} e^{f(x)ᵀf(x⁻)/τ}")
    .source("a misquotation", &["of Wang and Isola 2020, theorem 1, with their uniformity loss for its second term"])
    .symbol("limit", "−(1/τ) E f(x)ᵀf(x⁺) + E_x log E_{x⁻} e^{f(x)ᵀf(x⁻)/τ}, by theorem 1")
    .setting(
        setting()
            .part(
                "printed",
                "limit = −(1/τ) E f(x)ᵀf(x⁺) + log E_x E_{x⁻} e^{f(x)ᵀf(x⁻)/τ}",
                fails("by Jensen it is larger"),
                |_, s| equal(s.limit, s.outside).on_scale_of("1/τ", (1.0 / s.tau).hi()),
            )
            .amendment(
                "at-most",
                "limit ≤ −(1/τ) E f(x)ᵀf(x⁺) + log E_x E_{x⁻} e^{f(x)ᵀf(x⁻)/τ}",
                holds(),
                |_, s| at_most(s.limit, s.outside).on_scale_of("1/τ", (1.0 / s.tau).hi()),
            )
            .amendment(
                "even",
                "equality for two points of equal weight: every x sees the same repulsion",
                holds(),
                |_, s| equal(s.limit, s.outside).on_scale_of("1/τ", (1.0 / s.tau).hi()),
            )
            .assume(Hypothesis::new("two points of equal weight", |e| {
                e.weights.len() == 2 && e.weights[0] == e.weights[1]
            }))
            .control("a", "limit ≤ −(1/τ) E f(x)ᵀf(x⁺)", |_, s| at_most(s.limit, -1.0 / s.tau))
            .assume(Hypothesis::new("ρ = 0, so that E f(x)ᵀf(x⁺) = 1", |e| e.mixed == 0.0)),
    )
}
