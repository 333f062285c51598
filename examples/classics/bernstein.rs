//! Bernstein's inequality, against exact binomial tails.
//!
//! Without the term bt/3 it would be the tail of a normal law with the variance of the sum. For rare successes the tail is that of a Poisson
//! law, which is heavier.

use contrapositive::prelude::*;

use crate::shared::Successes;

struct VarianceTail {
    /// P(S ≥ k).
    tail: Enclosure,
    /// t = k − np.
    t: Enclosure,
    /// v = np(1 − p).
    v: Enclosure,
}

fn setting() -> Setting<Successes, VarianceTail> {
    Setting::measuring(|s: &Successes, _| Ok(VarianceTail { tail: s.tail()?, t: s.excess(), v: s.variance() }))
        .given(
            "the variables are coins, so that X_i − E X_i ≤ 1 = b; k = np + t is a whole number, k ≤ n ≤ 5000, n \
             kl(k/n, p) ≤ 600, n kl(k/n, ½) ≤ 600 if k > n/2",
        )
        .assume(Hypothesis::new("t ≥ 0", Successes::is_above_mean))
        .family(edge("named", Successes::named))
        .family(random("drawn", Successes::drawn))
        .outside("below the mean", Successes::below_mean)
}

fn bernstein(s: &VarianceTail) -> Enclosure {
    (-s.t.square() / (2.0 * s.v + 2.0 * s.t / 3.0)).exp()
}

/// The inequality as it is quoted.
pub fn claim() -> Claim {
    Claim::new("classics.bernstein", "Bernstein's inequality", Kind::ProbabilityBound)
        .statement("P(Σ (X_i − E X_i) ≥ t) ≤ exp(−t²/(2v + 2bt/3)) for all t ≥ 0")
        .source("Bernstein 1927", &["Boucheron, Lugosi, Massart 2013, corollary 2.11"])
        .symbol("X_i", "independent, X_i − E X_i ≤ b")
        .symbol("v", "Σ Var X_i = np(1 − p)")
        .symbol("kl", "kl(a, b) = a log(a/b) + (1 − a) log((1 − a)/(1 − b))")
        .symbol("S", "Σ X_i, binomial with n trials of probability p; the event is S ≥ k, k = np + t")
        .setting(
            setting()
                .part("printed", "P(S ≥ k) ≤ exp(−t²/(2v + 2t/3))", holds(), |_, s| {
                    at_most(s.tail, bernstein(s))
                })
                .sharpening(
                    "bennett",
                    "P(S ≥ k) ≤ exp(−v h(t/v)), h(u) = (1 + u) log(1 + u) − u",
                    holds(),
                    |_, s| {
                        let u = s.t / s.v;
                        at_most(s.tail, (-s.v * ((1.0 + u) * u.ln_1p() - u)).exp())
                    },
                )
                .control("a", "P(S ≥ k) ≤ exp(−t²/(2v + t/8))", |_, s| {
                    at_most(s.tail, (-s.t.square() / (2.0 * s.v + s.t / 8.0)).exp())
                })
                .control("b", "P(S ≥ k) ≤ exp(−t²/(v + 2t/3)), v in place of 2v", |_, s| {
                    at_most(s.tail, (-s.t.square() / (s.v + 2.0 * s.t / 3.0)).exp())
                }),
        )
}

/// The tail of the normal law.
pub fn misquoted() -> Claim {
    Claim::new(
        "classics.bernstein-normal",
        "Bernstein's inequality without its linear term, misquoted",
        Kind::ProbabilityBound,
    )
    .statement("P(Σ (X_i − E X_i) ≥ t) ≤ exp(−t²/(2v)) for all t ≥ 0 and bounded X_i")
    .source("a misquotation", &["of Bernstein's inequality, outside of the range t ≪ v where it is meant"])
    .symbol("X_i", "independent, X_i − E X_i ≤ 1")
    .symbol("v", "Σ Var X_i = np(1 − p)")
    .symbol("kl", "kl(a, b) = a log(a/b) + (1 − a) log((1 − a)/(1 − b))")
    .symbol("S", "Σ X_i, binomial with n trials of probability p; the event is S ≥ k, k = np + t")
    .setting(
        setting()
            .part(
                "printed",
                "P(S ≥ k) ≤ exp(−t²/(2v))",
                fails("rare successes have the tail of a Poisson law"),
                |_, s| at_most(s.tail, (-s.t.square() / (2.0 * s.v)).exp()),
            )
            .amendment("corrected", "P(S ≥ k) ≤ exp(−t²/(2v + 2t/3))", holds(), |_, s| {
                at_most(s.tail, bernstein(s))
            })
            .amendment("likely", "P(S ≥ k) ≤ exp(−t²/(2v)) for p ≥ ½ (Okamoto 1958)", holds(), |_, s| {
                at_most(s.tail, (-s.t.square() / (2.0 * s.v)).exp())
            })
            .assume(Hypothesis::new("p ≥ ½", |s| s.p >= 0.5))
            .control("a", "P(S ≥ k) ≤ exp(−t²/v)", |_, s| at_most(s.tail, (-s.t.square() / s.v).exp())),
    )
}
