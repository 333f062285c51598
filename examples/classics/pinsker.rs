//! Pinsker's inequality: total variation against the square root of the divergence.
//!
//! The constant ½ belongs to nats and to TV = sup |P(A) − Q(A)|. It is the best one: for a fair coin and one that is off by ε the ratio
//! TV²/KL tends to ½. With the divergence in bits the statement stays true and is no longer sharp: the best constant is then (log 2)/2. The L1
//! norm, which many texts call total variation too, is twice as large, and with it the printed constant is wrong by a factor of four.

use contrapositive::prelude::*;

use crate::shared::PairOfLaws;

/// TV, ‖P − Q‖₁ and KL in nats.
struct PinskerDistances {
    tv: Enclosure,
    l1: Enclosure,
    kl: Enclosure,
}

fn setting() -> Setting<PairOfLaws, PinskerDistances> {
    Setting::measuring(|pair: &PairOfLaws, _| {
        Ok(PinskerDistances { tv: pair.total_variation(), l1: pair.l1(), kl: pair.divergence() })
    })
    .given("P and Q are laws on the same finitely many outcomes")
    .assume(Hypothesis::new("Q(x) > 0 wherever P(x) > 0", PairOfLaws::is_dominated))
    .family(edge("named", PairOfLaws::named))
    .family(random("drawn", PairOfLaws::drawn))
    .family(outside("not dominated", PairOfLaws::not_dominated))
}

/// lhs ≤ rhs between quantities of laws, where the total mass 1 is the size of what was added up.
fn below(lhs: Enclosure, rhs: Enclosure) -> Evaluation {
    at_most(lhs, rhs).on_scale_of("the total mass 1", 1.0)
}

/// The inequality as it is quoted.
pub fn claim() -> Claim {
    Claim::new("classics.pinsker", "Pinsker's inequality", Kind::Inequality)
        .statement("TV(P, Q)² ≤ ½ KL(P‖Q) for all laws P, Q")
        .source("Pinsker 1964", &["constant by Csiszár 1967, Kemperman 1969, Kullback 1967"])
        .symbol("TV(P, Q)", "sup_A |P(A) − Q(A)| = ½ Σ |P(x) − Q(x)|")
        .symbol("KL(P‖Q)", "Σ P(x) log(P(x)/Q(x)), natural logarithm")
        .setting(
            setting()
                .part("printed", "TV² ≤ ½ KL", holds(), |_, d| below(d.tv.square(), d.kl / 2.0))
                .sharpening(
                    "bits",
                    "TV² ≤ ½ log 2 · KL₂ with KL₂ = KL/log 2, the divergence in bits",
                    holds(),
                    |_, d| {
                        let bits = d.kl / Enclosure::ln_2();
                        below(d.tv.square(), Enclosure::ln_2() * bits / 2.0)
                    },
                )
                .not_evidence("the printed inequality in another unit")
                .sharpening("fourth-order", "2 TV² + (4/9) TV⁴ ≤ KL (Kullback 1967)", holds(), |_, d| {
                    below(2.0 * d.tv.square() + 4.0 * d.tv.powi(4) / 9.0, d.kl)
                })
                .control("a", "TV² ≤ 0.49 KL: no constant below ½ will do", |_, d| {
                    below(d.tv.square(), 0.49 * d.kl)
                })
                .control("b", "TV² ≤ ½ log 2 · KL: the constant for bits, with nats", |_, d| {
                    below(d.tv.square(), Enclosure::ln_2() * d.kl / 2.0)
                })
                .control("c", "KL ≤ 4 TV²: a converse, which needs a bound on P/Q", |_, d| {
                    below(d.kl, 4.0 * d.tv.square())
                }),
        )
}

/// The L1 norm in place of total variation.
pub fn misquoted() -> Claim {
    Claim::new("classics.pinsker-l1", "Pinsker's inequality for the L1 norm, misquoted", Kind::Inequality)
        .statement("‖P − Q‖₁ ≤ √(½ KL(P‖Q)) for all laws P, Q")
        .source("a misquotation", &["where ‖P − Q‖₁ is called the total variation distance"])
        .symbol("‖P − Q‖₁", "Σ |P(x) − Q(x)|")
        .symbol("KL(P‖Q)", "Σ P(x) log(P(x)/Q(x)), natural logarithm")
        .setting(
            setting()
                .part("printed", "‖P − Q‖₁ ≤ √(½ KL)", fails("‖P − Q‖₁ is twice TV"), |_, d| {
                    below(d.l1, (d.kl / 2.0).sqrt())
                })
                .amendment("corrected", "‖P − Q‖₁² ≤ 2 KL", holds(), |_, d| below(d.l1.square(), 2.0 * d.kl))
                .control("a", "‖P − Q‖₁² ≤ 1.9 KL", |_, d| below(d.l1.square(), 1.9 * d.kl)),
        )
}
