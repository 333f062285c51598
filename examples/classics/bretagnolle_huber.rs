//! The inequality of Bretagnolle and Huber: what Pinsker's says nothing about, laws that are far apart.
//!
//! Tsybakov's form follows, because 1 − √(1 − x) ≥ x/2, and is what lower bounds use: whatever the test A, P(A) + Q(Aᶜ)
//! ≥ ½ e^(−KL). The ½ is often lost on the way. It is not the best constant either: by Vajda's bound (1 − TV) e^KL ≥ (1 +
//! TV) e^(−2TV/(1 + TV)), which decreases from 1 to 2/e as TV goes from 0 to 1.

use contrapositive::prelude::*;

use crate::shared::PairOfLaws;

/// TV and KL.
struct HuberDistances {
    tv: Enclosure,
    kl: Enclosure,
}

fn setting() -> Setting<PairOfLaws, HuberDistances> {
    Setting::measuring(|pair: &PairOfLaws, _| Ok(HuberDistances { tv: pair.total_variation(), kl: pair.divergence() }))
        .given("P and Q are laws on the same finitely many outcomes")
        .assume(Hypothesis::new("Q(x) > 0 wherever P(x) > 0", PairOfLaws::is_dominated))
        .family(edge("named", PairOfLaws::named))
        .family(random("drawn", PairOfLaws::drawn))
        .outside("not dominated", PairOfLaws::not_dominated)
}

/// 2/e, the constant that Vajda's bound gives.
fn two_over_e() -> Enclosure {
    2.0 * exact(-1.0).exp()
}

fn below(lhs: Enclosure, rhs: Enclosure) -> Evaluation {
    at_most(lhs, rhs).on_scale_of("the total mass 1", 1.0)
}

/// The inequality as it is quoted, and Tsybakov's form.
pub fn claim() -> Claim {
    Claim::new("classics.bretagnolle-huber", "The inequality of Bretagnolle and Huber", Kind::Inequality)
        .statement("TV(P, Q) ≤ √(1 − e^(−KL(P‖Q))) ≤ 1 − ½ e^(−KL(P‖Q)) for all laws P, Q")
        .source("Bretagnolle and Huber 1979", &["Tsybakov 2009, lemma 2.6 and equation 2.25"])
        .symbol("TV(P, Q)", "sup_A |P(A) − Q(A)| = ½ Σ |P(x) − Q(x)|")
        .symbol("KL(P‖Q)", "Σ P(x) log(P(x)/Q(x)), natural logarithm")
        .setting(
            setting()
                .part("first", "TV² ≤ 1 − e^(−KL)", holds(), |_, d| below(d.tv.square(), -(-d.kl).exp_m1()))
                .part("second", "1 − e^(−KL) ≤ (1 − ½ e^(−KL))²", holds(), |_, d| {
                    let e = (-d.kl).exp();
                    // The right side minus the left one is ¼ e^(−2 KL).
                    below(1.0 - e, (1.0 - e / 2.0).square()).with_margin(e.square() / 4.0)
                })
                .sharpening(
                    "vajda",
                    "log((1 + TV)/(1 − TV)) − 2TV/(1 + TV) ≤ KL for TV < 1 (Vajda 1970)",
                    holds(),
                    |_, d| below(((1.0 + d.tv) / (1.0 - d.tv)).ln() - 2.0 * d.tv / (1.0 + d.tv), d.kl),
                )
                .assume(Hypothesis::new("TV < 1", |pair| pair.total_variation().hi() < 1.0))
                .control("a", "TV² ≤ 1 − e^(−KL/2)", |_, d| below(d.tv.square(), -(-d.kl / 2.0).exp_m1()))
                .sharpening(
                    "two-over-e",
                    "TV ≤ 1 − (2/e) e^(−KL), with 2/e = 0.7357… in place of ½",
                    holds(),
                    |_, d| below(d.tv, 1.0 - two_over_e() * (-d.kl).exp()),
                )
                .control("b", "TV ≤ 1 − 0.85 e^(−KL)", |_, d| below(d.tv, 1.0 - 0.85 * (-d.kl).exp())),
        )
}

/// Tsybakov's form without its factor.
pub fn misquoted() -> Claim {
    Claim::new(
        "classics.bretagnolle-huber-factor",
        "The inequality of Bretagnolle and Huber without its factor ½, misquoted",
        Kind::Inequality,
    )
    .statement("P(A) + Q(Aᶜ) ≥ e^(−KL(P‖Q)) for all laws P, Q and all events A")
    .source("a misquotation", &["of Tsybakov 2009, equation 2.25"])
    .symbol("KL(P‖Q)", "Σ P(x) log(P(x)/Q(x)), natural logarithm")
    .symbol("TV", "sup_A |P(A) − Q(A)|, so that the least value of P(A) + Q(Aᶜ) is 1 − TV")
    .setting(
        setting()
            .part("printed", "1 − TV ≥ e^(−KL)", fails("laws close together: TV is of order √KL"), |_, d| {
                below((-d.kl).exp(), 1.0 - d.tv)
            })
            .amendment("corrected", "1 − TV ≥ ½ e^(−KL)", holds(), |_, d| below((-d.kl).exp() / 2.0, 1.0 - d.tv))
            .amendment("sharper", "1 − TV ≥ (2/e) e^(−KL)", holds(), |_, d| {
                below(two_over_e() * (-d.kl).exp(), 1.0 - d.tv)
            })
            .control("a", "1 − TV ≥ 0.85 e^(−KL)", |_, d| below(0.85 * (-d.kl).exp(), 1.0 - d.tv)),
    )
}
