//! Hoeffding's lemma: a bounded variable is sub-Gaussian, with a proxy that depends on its range and not on its variance.
//!
//! The quoted words often leave out that E X = 0. With the variance in place of (b − a)²/4 the lemma would be sharper, and is false: a rare
//! large value has a small variance and a large exponential moment.

use contrapositive::prelude::*;
use proptest::prelude::Strategy;
use serde::{Deserialize, Serialize};

use crate::shared::BoundedVariable;

/// A variable and the λ of its exponential moment.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "{variable}, λ = \
                       {lambda}", valid = Self::stays_in_reach, simpler = Self::of_simpler_variables, stored)]
struct Moment {
    variable: BoundedVariable,
    lambda: f64,
}

impl Moment {
    fn stays_in_reach(&self) -> Result<(), String> {
        let reach = self.variable.values().iter().fold(0.0f64, |most, x| most.max(x.abs())) * self.lambda.abs();
        (reach <= 300.0).then_some(()).ok_or_else(|| format!("|λX| reaches {reach}, more than 300"))
    }

    fn of_simpler_variables(&self) -> Vec<Self> {
        let with = |variable| Moment { variable, ..*self };
        self.variable.simpler().into_iter().map(with).collect()
    }
}

struct LogMoments {
    /// log E e^(λX).
    plain: Enclosure,
    /// log E e^(λ(X − EX)).
    centred: Enclosure,
    /// λ²(b − a)².
    range: Enclosure,
    /// λ² Var X.
    variance: Enclosure,
}

fn sides(m: &Moment) -> LogMoments {
    let (x, lambda) = (&m.variable, exact(m.lambda));
    let mean = x.mean();
    LogMoments {
        plain: x.expectation(|x| (lambda * x).exp()).ln(),
        // E(e^y − 1) is small where λ is, and its logarithm too.
        centred: x.expectation(|x| (lambda * (x - mean)).exp_m1()).ln_1p(),
        range: (lambda * (x.most() - x.least())).square(),
        variance: lambda.square() * x.variance(),
    }
}

fn named() -> Vec<(&'static str, Moment)> {
    let of =
        |values: &[f64], weights: &[f64], lambda| Moment { variable: BoundedVariable::of(values, weights), lambda };
    vec![
        ("a sign, λ = 1/4", of(&[-1.0, 1.0], &[1.0, 1.0], 0.25)),
        ("a sign, λ = 2", of(&[-1.0, 1.0], &[1.0, 1.0], 2.0)),
        ("a fair coin", of(&[0.0, 1.0], &[1.0, 1.0], 1.0)),
        ("rare and large", of(&[0.0, 1.0], &[99.0, 1.0], 4.0)),
        ("rare, centred", of(&[-1.0, 99.0], &[99.0, 1.0], 0.05)),
        ("λ = 0", of(&[-1.0, 2.0], &[1.0, 1.0], 0.0)),
        ("constant", of(&[0.0], &[1.0], 1.0)),
        ("three values", of(&[-2.0, 0.5, 1.0], &[1.0, 2.0, 1.0], -1.5)),
    ]
}

fn drawn() -> impl Strategy<Value = Moment> {
    (BoundedVariable::drawn(-1.0, 1.0), -8.0..8.0f64).prop_map(|(variable, lambda)| Moment { variable, lambda })
}

fn setting() -> Setting<Moment, LogMoments> {
    Setting::measuring(|m: &Moment, _| Ok(sides(m)))
        .given("X has finitely many values, the least a and the largest b")
        .family(edge("named", named))
        .family(random("drawn", drawn))
}

/// log E e^… ≤ …, where E e^… is a sum of numbers of size one.
fn below(lhs: Enclosure, rhs: Enclosure) -> Evaluation {
    at_most(lhs, rhs).on_scale_of("the total mass 1", 1.0)
}

/// The lemma as it is quoted: with and without the hypothesis that is often left out.
pub fn claim() -> Claim {
    Claim::new("classics.hoeffding-lemma", "Hoeffding's lemma", Kind::Inequality)
        .statement("E e^(λX) ≤ e^(λ²(b − a)²/8) for a ≤ X ≤ b and all real λ")
        .source("Hoeffding 1963, equation 4.16", &[])
        .symbol("a", "the least value of X")
        .symbol("b", "the largest value of X")
        .setting(
            setting()
                .sense(
                    "centred",
                    "log E e^(λ(X − EX)) ≤ λ²(b − a)²/8: X is centred, as the lemma says in full",
                    holds(),
                    |_, s| below(s.centred, s.range / 8.0),
                )
                .sense(
                    "literal",
                    "log E e^(λX) ≤ λ²(b − a)²/8 for any X",
                    fails("E X need not be 0"),
                    |_, s| below(s.plain, s.range / 8.0),
                )
                .amendment("any-mean", "log E e^(λX) ≤ λ EX + λ²(b − a)²/8", holds(), |m, s| {
                    below(s.plain, m.lambda * m.variable.mean() + s.range / 8.0)
                })
                .control(
                    "a",
                    "log E e^(λ(X − EX)) ≤ 0.12 λ²(b − a)²: no constant below 1/8 will do",
                    |_, s| below(s.centred, 0.12 * s.range),
                ),
        )
}

/// The variance in place of the squared half-range.
pub fn misquoted() -> Claim {
    Claim::new("classics.variance-proxy", "The variance as a proxy, misquoted", Kind::Inequality)
        .statement("log E e^(λ(X − EX)) ≤ λ² Var(X)/2 for every bounded X: its variance is its sub-Gaussian proxy")
        .source("a misquotation", &["of Hoeffding's lemma"])
        .symbol("a", "the least value of X")
        .symbol("b", "the largest value of X")
        .setting(
            setting()
                .part("printed", "log E e^(λ(X − EX)) ≤ λ² Var(X)/2", fails("a rare large value"), |_, s| {
                    below(s.centred, s.variance / 2.0)
                })
                .amendment("range", "log E e^(λ(X − EX)) ≤ λ²(b − a)²/8", holds(), |_, s| {
                    below(s.centred, s.range / 8.0)
                })
                .amendment(
                    "bennett",
                    "log E e^(λ(X − EX)) ≤ Var(X)/(b − a)² · (e^c − 1 − c), c = |λ|(b − a)",
                    holds(),
                    |m, s| {
                        let c = m.lambda.abs() * (m.variable.most() - m.variable.least());
                        below(s.centred, s.variance / c.square() * (c.exp_m1() - c))
                    },
                )
                .assume(Hypothesis::new("λ ≠ 0 and a < b", |m| {
                    m.lambda != 0.0 && m.variable.least().hi() < m.variable.most().lo()
                }))
                .control("a", "log E e^(λ(X − EX)) ≤ λ² Var(X)", |_, s| below(s.centred, s.variance)),
        )
}
