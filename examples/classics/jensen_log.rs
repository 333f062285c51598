//! Jensen's inequality for the logarithm: the mean of logarithms and the logarithm of the mean.
//!
//! The gap is about Var(X)/(2 (EX)²) for small fluctuations (the delta method). As a bound that is false: small values of X make the mean of
//! the logarithms as small as one likes. With the least value in place of the mean it holds.

use contrapositive::prelude::*;

use crate::shared::BoundedVariable;

struct LogMeans {
    /// log E X.
    outside: Enclosure,
    /// E log X.
    inside: Enclosure,
    mean: Enclosure,
    variance: Enclosure,
    least: Enclosure,
    most: Enclosure,
}

impl LogMeans {
    fn gap_below(&self, bound: Enclosure) -> Evaluation {
        at_most(self.outside - self.inside, bound).on_unit_scale()
    }
}

fn named() -> Vec<(&'static str, BoundedVariable)> {
    vec![
        ("constant", BoundedVariable::of(&[3.0], &[1.0])),
        ("one or two", BoundedVariable::of(&[1.0, 2.0], &[1.0, 1.0])),
        ("sometimes small", BoundedVariable::of(&[0.001, 1.0], &[1.0, 9.0])),
        ("sometimes large", BoundedVariable::of(&[1.0, 1000.0], &[99.0, 1.0])),
        ("nearly constant", BoundedVariable::of(&[1.0, 1.0625], &[1.0, 1.0])),
    ]
}

fn setting() -> Setting<BoundedVariable, LogMeans> {
    Setting::measuring(|x: &BoundedVariable, _| {
        Ok(LogMeans {
            outside: x.mean().ln(),
            inside: x.expectation(Enclosure::ln),
            mean: x.mean(),
            variance: x.variance(),
            least: x.least(),
            most: x.most(),
        })
    })
    .given("X has finitely many values, the least m and the largest M")
    .assume(Hypothesis::new("m > 0", |x| x.least().lo() > 0.0))
    .family(edge("named", named))
    .family(random("drawn", || BoundedVariable::drawn(0.01, 1.0)))
    .family(random("near one", || BoundedVariable::drawn(0.5, 2.0)))
    .outside("not positive", || vec![("zero or one", BoundedVariable::of(&[0.0, 1.0], &[1.0, 1.0]))])
}

/// As it is quoted.
pub fn claim() -> Claim {
    Claim::new("classics.jensen-log", "The mean of logarithms", Kind::Inequality)
        .statement("E log X ≤ log E X for X > 0")
        .source("Jensen 1906", &[])
        .symbol("log", "natural logarithm")
        .setting(
            setting()
                .part("printed", "E log X ≤ log E X", holds(), |_, s| at_most(s.inside, s.outside).on_unit_scale())
                .sharpening("below", "Var X/(2M²) ≤ log E X − E log X", holds(), |_, s| {
                    at_most(s.variance / (2.0 * s.most.square()), s.outside - s.inside).on_unit_scale()
                })
                .sharpening("above", "log E X − E log X ≤ Var X/(m E X)", holds(), |_, s| {
                    s.gap_below(s.variance / (s.least * s.mean))
                })
                .control("a", "log E X ≤ E log X", |_, s| at_most(s.outside, s.inside))
                .control("b", "Var X/M² ≤ log E X − E log X", |_, s| {
                    at_most(s.variance / s.most.square(), s.outside - s.inside)
                }),
        )
}

/// The delta method as a bound.
pub fn misquoted() -> Claim {
    Claim::new("classics.jensen-gap", "The gap in Jensen's inequality by the delta method, misquoted", Kind::Inequality)
        .statement("log E X − E log X ≤ Var(X)/(2 (E X)²) for X > 0")
        .source("a misquotation", &["of a second-order expansion, as a bound"])
        .symbol("m", "the least value of X")
        .setting(
            setting()
                .part("printed", "log E X − E log X ≤ Var X/(2 (E X)²)", fails("small values of X"), |_, s| {
                    s.gap_below(s.variance / (2.0 * s.mean.square()))
                })
                .amendment("corrected", "log E X − E log X ≤ Var X/(2m²)", holds(), |_, s| {
                    s.gap_below(s.variance / (2.0 * s.least.square()))
                })
                .control("a", "log E X − E log X ≤ Var X/(4m²)", |_, s| {
                    s.gap_below(s.variance / (4.0 * s.least.square()))
                }),
        )
}
