//! Hoeffding's inequality, against exact binomial tails.
//!
//! The exponent 2 belongs to variables in [0, 1]: for a range [a, b] it is 2/(b − a)², hence ½ for [−1, 1], where 2 is misquoted. The
//! two-sided form needs its factor 2.

use contrapositive::prelude::*;
use contrapositive::probability::Binomial;

use crate::shared::Successes;

struct MeanTail {
    /// P(S ≥ k).
    tail: Enclosure,
    /// t = k/n − p.
    t: Enclosure,
    n: Enclosure,
}

fn sides(s: &Successes) -> Result<MeanTail, MeasureError> {
    Ok(MeanTail { tail: s.tail()?, t: s.excess() / s.trials(), n: s.trials() })
}

/// The inequality as it is quoted.
const FAIR_MAJORITY: Hypothesis<Successes> =
    Hypothesis::new("p = ½ and k > n/2, so that P(|X̄ − ½| ≥ t) = 2 P(S ≥ k)", Successes::is_fair_majority);

pub fn claim() -> Claim {
    Claim::new("classics.hoeffding-inequality", "Hoeffding's inequality", Kind::ProbabilityBound)
        .statement(
            "P(X̄ − p ≥ t) ≤ e^(−2nt²) for all t ≥ 0, where X̄ is the mean of n independent variables in [0, 1] with \
             mean p",
        )
        .source("Hoeffding 1963, theorem 2", &[])
        .symbol("k", "n(p + t), so that the event is S ≥ k")
        .symbol("kl", "kl(a, b) = a log(a/b) + (1 − a) log((1 − a)/(1 − b))")
        .symbol("S", "nX̄, a binomial variable with n trials of probability p")
        .setting(
            Setting::measuring(|s: &Successes, _| sides(s))
                .given(
                    "the variables are coins, X_i ∈ {0, 1}; k is a whole number, k ≤ n ≤ 5000, n kl(k/n, p) ≤ 600, n \
                     kl(k/n, ½) ≤ 600 if k > n/2",
                )
                .assume(Hypothesis::new("t ≥ 0", Successes::is_above_mean))
                .family(edge("named", Successes::named))
                .family(random("drawn", Successes::drawn))
                .outside("below the mean", Successes::below_mean)
                .part("printed", "P(S ≥ k) ≤ e^(−2nt²)", holds(), |_, s| {
                    at_most(s.tail, (-2.0 * s.n * s.t.square()).exp())
                })
                .sharpening("chernoff", "P(S ≥ k) ≤ e^(−n kl(k/n, p))", holds(), |c, s| {
                    at_most(s.tail, (-s.n * c.coin_divergence()).exp())
                })
                .control("a", "P(S ≥ k) ≤ e^(−5nt²/2)", |_, s| {
                    at_most(s.tail, (-2.5 * s.n * s.t.square()).exp())
                })
                .part("two-sided", "P(|X̄ − ½| ≥ t) ≤ 2 e^(−2nt²)", holds(), |_, s| {
                    at_most(2.0 * s.tail, 2.0 * (-2.0 * s.n * s.t.square()).exp())
                })
                .assume(FAIR_MAJORITY)
                .implied_by("printed")
                .control("b", "P(|X̄ − ½| ≥ t) ≤ e^(−2nt²), without the factor 2", |_, s| {
                    at_most(2.0 * s.tail, (-2.0 * s.n * s.t.square()).exp())
                })
                .assume(FAIR_MAJORITY),
        )
}

/// The exponent of [0, 1] for variables in [−1, 1].
pub fn misquoted() -> Claim {
    Claim::new(
        "classics.hoeffding-range",
        "Hoeffding's inequality for variables in [−1, 1], misquoted",
        Kind::ProbabilityBound,
    )
    .statement(
        "P(X̄ ≥ t) ≤ e^(−2nt²) for all t ≥ 0, where X̄ is the mean of n independent variables in [−1, 1] with mean zero",
    )
    .source("a misquotation", &["of Hoeffding 1963, theorem 2"])
    .symbol("k", "n(1 + t)/2, so that the event is S ≥ k")
    .symbol("kl", "kl(a, b) = a log(a/b) + (1 − a) log((1 − a)/(1 − b))")
    .symbol("S", "the number of positive signs, a binomial variable with n trials of probability ½")
    .setting(
        Setting::measuring(|s: &Successes, _| {
            let tail = Enclosure::from(Binomial::new(s.n, 0.5)?.upper_tail(s.k));
            let t = (2.0 * Enclosure::from(s.k) - s.trials()) / s.trials();
            Ok(MeanTail { tail, t, n: s.trials() })
        })
        .given(
            "the variables are fair signs, X_i = ±1; k is a whole number, k ≤ n ≤ 5000, n kl(k/n, p) ≤ 600, n kl(k/n, \
             ½) ≤ 600 if k > n/2",
        )
        .assume(Hypothesis::new("k ≥ n/2", |s| 2 * s.k >= s.n))
        .family(edge("named", Successes::named))
        .family(random("drawn", Successes::drawn))
        .part(
            "printed",
            "P(S ≥ k) ≤ e^(−2nt²)",
            fails("the range has length 2: the exponent is nt²/2"),
            |_, s| at_most(s.tail, (-2.0 * s.n * s.t.square()).exp()),
        )
        .amendment("corrected", "P(S ≥ k) ≤ e^(−nt²/2)", holds(), |_, s| {
            at_most(s.tail, (-0.5 * s.n * s.t.square()).exp())
        })
        .control("a", "P(S ≥ k) ≤ e^(−nt²)", |_, s| at_most(s.tail, (-s.n * s.t.square()).exp())),
    )
}
