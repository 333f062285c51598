//! Section 7, proof of Proposition 1, part (2): at least one foreign class among the negatives.
//!
//! True, for every ρ: uniformity is not used. Let J be the number of draws of the anchor's class c before the first
//! foreign one. Given that there is a foreign draw, the first one has the law of c⁻ given c⁻ ≠ c, independently of J,
//! and P(J = j) is proportional to ρ(c)^j, j < N. So the left side is at least E log(1 + J + e^{a_{c⁻}}), which drops
//! the draws after the first foreign one, and this is at least the right side.
//!
//! The left side even increases with N: the N − 1 − J draws after the first foreign one are unrestricted, and J for N
//! and N + 1 can be coupled so that J grows by 0 or 1; both numbers of summands then grow.

use contrastive::{WeightedLogit, expected_log_ratio};
use enclosures::enclosure::plain;
use enclosures::probability::probabilities_of;
use evidence::prelude::*;
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, prop_oneof};
use serde::{Deserialize, Serialize};

use crate::shared::families::log_uniform;
use crate::shared::notation::{CLASS_COUNT, LOGARITHM, RHO};

/// The weight of the anchor's class, weight and logit of every other class, and the number N of negatives.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, simpler = Self::smaller, stored)]
struct Anchor {
    #[instance(range = "1..=65536")]
    negatives: u64,
    #[instance(range = "1e-9..=1e9")]
    own: f64,
    #[instance(length = "n in 1..=9", range = "1e-9..=1e9")]
    weights: Vec<f64>,
    #[instance(length = "n", range = "-1e4..=1e4")]
    logits: Vec<f64>,
}

/// Up to so many negatives and other classes all outcomes are listed.
const LISTED: (u64, usize) = (8, 4);

impl Anchor {
    fn uniform(negatives: u64, logits: &[f64]) -> Self {
        Anchor { negatives, own: 1.0, weights: vec![1.0; logits.len()], logits: logits.to_vec() }
    }

    fn is_uniform(&self) -> bool {
        self.weights.iter().all(|&w| w == self.own)
    }

    fn is_listed(&self) -> bool {
        self.negatives <= LISTED.0 && self.weights.len() <= LISTED.1
    }
}

impl Anchor {
    fn in_words(&self) -> String {
        let list = |v: &[f64]| v.iter().map(|&x| plain(x, 6)).collect::<Vec<_>>().join(", ");
        let rho = if self.is_uniform() {
            "ρ uniform".into()
        } else {
            format!("weights {} of c and ({}) of the others", plain(self.own, 6), list(&self.weights))
        };
        format!("N = {}, N_C = {}, {rho}, a = ({})", self.negatives, self.weights.len() + 1, list(&self.logits))
    }

    fn smaller(&self) -> Vec<Self> {
        let n = self.logits.len();
        let without = |drop: usize| {
            let mut smaller = self.clone();
            smaller.weights.remove(drop);
            smaller.logits.remove(drop);
            smaller
        };
        let fewer =
            [1, 2, self.negatives / 2, self.negatives - 1].into_iter().filter(|n| (1..self.negatives).contains(n));
        let fewer = fewer.map(|negatives| Anchor { negatives, ..self.clone() });
        (0..n).filter(|_| n > 1).map(without).chain(fewer).collect()
    }
}

/// The law of one negative, seen from the anchor.
struct Law {
    /// ρ(c).
    own: Enclosure,
    /// 1 − ρ(c).
    foreign: Enclosure,
    /// ρ(c') given c' ≠ c, and a_{c'}.
    others: Vec<(Enclosure, Enclosure)>,
}

impl Law {
    fn of(anchor: &Anchor) -> Result<Self, MeasureError> {
        let weights: Vec<f64> = [anchor.own].into_iter().chain(anchor.weights.iter().copied()).collect();
        let rho = probabilities_of(&weights)?;
        let foreign: Interval = rho[1..].iter().copied().sum();
        let given = probabilities_of(&anchor.weights)?;
        Ok(Law {
            own: rho[0].into(),
            foreign: foreign.into(),
            others: given.into_iter().map(Enclosure::from).zip(anchor.logits.iter().map(|&a| exact(a))).collect(),
        })
    }

    /// P(some c_i ≠ c) = 1 − ρ(c)^N.
    fn some_foreign(&self, n: u64) -> Enclosure {
        -(n as f64 * (-self.foreign).ln_1p()).exp_m1()
    }

    /// E[log(1 + e^{a_{c⁻}}) | c⁻ ≠ c].
    fn one_foreign(&self) -> Enclosure {
        self.others.iter().map(|&(p, a)| p * a.softplus()).sum()
    }

    /// E log(1 + J + e^{a_{c⁻}}) with J as in the account above.
    fn up_to_the_first_foreign(&self, n: u64) -> Enclosure {
        let (mut weight, mut total) = (self.foreign / self.some_foreign(n), Enclosure::ZERO);
        for j in 0..n {
            let log = Enclosure::from(j + 1).ln();
            total += weight * self.others.iter().map(|&(p, a)| p * log_sum_exp(&[log, a])).sum::<Enclosure>();
            weight = weight * self.own;
        }
        total
    }

    /// E log(1 + Σ_{i≤N} e^{a_{c_i}}) over the outcomes with at least `least` foreign draws, by listing how often each
    /// class occurs.
    fn listed(&self, n: u64, least: u64) -> Enclosure {
        let mut total = Enclosure::ZERO;
        for own in 0..=n - least {
            let terms = vec![Enclosure::from(own + 1).ln()];
            let chance = choose(n, own) * self.own.powi(own as i64) * self.foreign.powi((n - own) as i64);
            self.descend(0, n - own, chance, terms, &mut total);
        }
        total
    }

    /// Distributes `left` foreign draws over the classes from `class` on.
    fn descend(&self, class: usize, left: u64, chance: Enclosure, terms: Vec<Enclosure>, total: &mut Enclosure) {
        let Some(&(p, a)) = self.others.get(class) else {
            if left == 0 {
                *total += chance * log_sum_exp(&terms);
            }
            return;
        };
        let is_last = class + 1 == self.others.len();
        for count in if is_last { left } else { 0 }..=left {
            let mut terms = terms.clone();
            if count > 0 {
                terms.push(Enclosure::from(count).ln() + a);
            }
            self.descend(class + 1, left - count, chance * choose(left, count) * p.powi(count as i64), terms, total);
        }
    }

    /// E log(1 + Σ_{i≤N} e^{a_{c_i}}) without any condition.
    fn unconditional(&self, n: u64) -> Result<Enclosure, MeasureError> {
        let logit = |probability: Enclosure, logit: Enclosure| WeightedLogit {
            probability: probability.interval(),
            logit: logit.interval(),
        };
        let own = logit(self.own, Enclosure::ZERO);
        let others = self.others.iter().map(|&(p, a)| logit(self.foreign * p, a));
        let laws: Vec<WeightedLogit> = [own].into_iter().chain(others).collect();
        let values = expected_log_ratio(&[logit(Enclosure::ONE, Enclosure::ZERO)], &laws, &[n])?;
        Ok(values.into_iter().next().unwrap_or(Interval::ENTIRE).into())
    }

    /// E[log(1 + Σ_{i≤N} e^{a_{c_i}}) | some c_i ≠ c].
    fn conditional(&self, n: u64, listed: bool) -> Result<Enclosure, MeasureError> {
        let some = self.some_foreign(n);
        if listed {
            return Ok(self.listed(n, 1) / some);
        }
        let all_own = (1.0 - some) * Enclosure::from(n + 1).ln();
        Ok((self.unconditional(n)? - all_own) / some)
    }
}

fn choose(n: u64, k: u64) -> f64 {
    (1..=k).fold(1, |product, i| product * (n + 1 - i) / i) as f64
}

struct Expectations {
    law: Law,
    conditional: Enclosure,
    /// With one more negative.
    one_more: Enclosure,
    unconditional: Enclosure,
    one_foreign: Enclosure,
}

fn expectations(anchor: &Anchor) -> Result<Expectations, MeasureError> {
    let (law, n) = (Law::of(anchor)?, anchor.negatives);
    Ok(Expectations {
        conditional: law.conditional(n, anchor.is_listed())?,
        one_more: law.conditional(n + 1, anchor.is_listed())?,
        unconditional: law.unconditional(n)?,
        one_foreign: law.one_foreign(),
        law,
    })
}

fn named() -> Vec<(String, Anchor)> {
    let mut list = Vec::new();
    let lists: [&[f64]; 9] = [
        &[0.0],
        &[10.0],
        &[-10.0],
        &[0.0, 0.0, 0.0],
        &[-40.0, -50.0],
        &[-700.0, -710.0],
        &[700.0, -700.0, 0.0],
        &[1e4, -1e4],
        &[-3.0, 0.5, 2.0, 9.0],
    ];
    for logits in lists {
        for negatives in [1, 2, 3, 5, 8, 20, 100, 10_000] {
            let even = Anchor::uniform(negatives, logits);
            list.push((format!("N = {negatives}, a = {logits:?}"), even.clone()));
            if negatives <= 8 {
                list.push((format!("c rare, N = {negatives}, a = {logits:?}"), Anchor { own: 0.01, ..even.clone() }));
                list.push((format!("c dominates, N = {negatives}, a = {logits:?}"), Anchor { own: 1e6, ..even }));
            }
        }
    }
    list
}

fn drawn() -> impl Strategy<Value = Anchor> {
    (1usize..=4, log_uniform(0.01, 300.0), prop_oneof![Just(true), Just(false)]).prop_flat_map(|(n, scale, uniform)| {
        let weight = || {
            if uniform { Just(1.0).boxed() } else { log_uniform(1e-3, 1.0).boxed() }
        };
        (1u64..=8, weight(), vec(weight(), n), vec(-scale..scale, n))
            .prop_map(|(negatives, own, weights, logits)| Anchor { negatives, own, weights, logits })
    })
}

/// Where the condition costs no digits: the outcomes can be listed, or it is likely.
const RESOLVED: &str = "N ≤ 8 and N_C ≤ 5, or ρ(c)^N ≤ ½";

/// See [`RESOLVED`].
fn is_resolved(anchor: &Anchor) -> bool {
    let likely = |law: Law| law.some_foreign(anchor.negatives).lo() >= 0.5;
    anchor.is_listed() || Law::of(anchor).is_ok_and(likely)
}

const IS_RESOLVED: Hypothesis<Anchor> = Hypothesis::new(RESOLVED, is_resolved);

pub fn claim() -> Claim {
    Claim::new("merad2020.fact-conditional", "at least one foreign class among the negatives", Kind::Inequality)
        .statement(
            "E[log(1+Σ_{i≤N} e^{a_{c_i}}) | some c_i ≠ c] ≥ E[log(1+e^{a_{c⁻}}) | c⁻ ≠ c] for uniform ρ, N ≥ 1 and a_c \
             = 0",
        )
        .symbols([CLASS_COUNT, RHO, LOGARITHM])
        .symbol("c⁻", "a class drawn from ρ; c is a fixed class, c_1, c_2, … are independent draws from ρ")
        .symbol("a_c", "a_1, …, a_{N_C} are fixed real numbers, a_c = 0")
        .source(
            "section 7, proof of Proposition 1, part (2)",
            &["section A of the earlier version, proof of Proposition 3.3"],
        )
        .remark("The display prints the class index inside the sum without its subscript; it is read as c_i.")
        .remark(
            "Uniformity is not needed. Proof of the sharpenings: condition on the first foreign draw. It has the law \
             of c⁻ given c⁻ ≠ c; J draws of c come before it, with P(J = j) proportional to ρ(c)^j for j < N, and N − \
             1 − J unrestricted ones after it. From N to N + 1 these two numbers can be coupled so that one of them \
             grows by one.",
        )
        .setting(printed())
        .setting(listing())
}

fn printed() -> Setting<Anchor, Expectations> {
    Setting::measuring(|a: &Anchor, _| expectations(a))
        .given("N ≥ 1, a_c = 0, and ρ > 0 on two classes and more")
        .family(outside("many negatives, c nearly certain", || {
            let of = |negatives, own, logits: &[f64]| Anchor { own, ..Anchor::uniform(negatives, logits) };
            described([of(20, 100.0, &[0.0]), of(100, 1e3, &[1.0, -2.0]), of(1000, 1e4, &[3.0])])
        }))
        .family(edge("named", named))
        .family(random("drawn logits", drawn))
        .part(
            "printed",
            "E[log(1+Σ_{i≤N} e^{a_{c_i}}) | some c_i ≠ c] ≥ E[log(1+e^{a_{c⁻}}) | c⁻ ≠ c]",
            holds(),
            |_, e| at_least(e.conditional, e.one_foreign),
        )
        .checked("merad2020.Conditional.fact_conditional_printed")
        .assume(Hypothesis::new("ρ uniform", Anchor::is_uniform))
        .because("inside the sum only c_i is bound by the expectation; the index c⁻ printed there is read as c_i")
        .sharpening(
            "every-rho",
            "E[log(1+Σ_{i≤N} e^{a_{c_i}}) | some c_i ≠ c] ≥ E[log(1+e^{a_{c⁻}}) | c⁻ ≠ c]",
            holds(),
            |_, e| at_least(e.conditional, e.one_foreign),
        )
        .checked("merad2020.Conditional.fact_conditional_every_rho")
        .assume(IS_RESOLVED)
        .sharpening(
            "first-foreign",
            "E[log(1+Σ_{i≤N} e^{a_{c_i}}) | some c_i ≠ c] ≥ E log(1 + J + e^{a_{c⁻}}) ≥ E[log(1+e^{a_{c⁻}}) | c⁻ ≠ c], \
             J the number of draws of c among c_1, …, c_N before the first other one, given that there is one, and c⁻ \
             the class of that one, which is independent of J",
            holds(),
            |a, e| {
                let between = e.law.up_to_the_first_foreign(a.negatives);
                ascending([e.one_foreign, between, e.conditional])
            },
        )
        .assume(IS_RESOLVED)
        .sharpening(
            "increasing",
            "E[log(1+Σ_{i≤N} e^{a_{c_i}}) | some c_i ≠ c] does not decrease from N to N + 1",
            holds(),
            |_, e| at_least(e.one_more, e.conditional),
        )
        .assume(IS_RESOLVED)
        .control(
            "a",
            "E[log(1+Σ_{i≤N} e^{a_{c_i}}) | some c_i ≠ c] ≤ E[log(1+e^{a_{c⁻}}) | c⁻ ≠ c]",
            |_, e| at_most(e.conditional, e.one_foreign),
        )
        .assume(IS_RESOLVED)
        .control(
            "b",
            "E log(1+Σ_{i≤N} e^{a_{c_i}}) ≥ E[log(1+e^{a_{c⁻}}) | c⁻ ≠ c], without the condition on the left",
            |_, e| at_least(e.unconditional, e.one_foreign),
        )
        .assume(IS_RESOLVED)
}

fn listing() -> Setting<Anchor, (Enclosure, Enclosure)> {
    Setting::measuring(|a: &Anchor, _| {
        let law = Law::of(a)?;
        Ok((law.listed(a.negatives, 0), law.unconditional(a.negatives)?))
    })
    .given("N ≥ 1, a_c = 0, and ρ > 0 on two classes and more")
    .assume(Hypothesis::new("N ≤ 8 and N_C ≤ 5", Anchor::is_listed))
    .family(edge("named", named))
    .family(random("drawn logits", drawn).taking(0.5))
    .without_search()
    .step(
        "listing",
        "E log(1+Σ_{i≤N} e^{a_{c_i}}), summed over all outcomes, is ∫_0^∞ e^{−t}(1 − φ(t)^N) dt/t with φ(t) = Σ_{c'} \
         ρ(c') e^{−t e^{a_{c'}}}, by the quadrature that the other checks use",
        holds(),
        |_, (listed, quadrature)| evidence::claim::equal(*listed, *quadrature),
    )
}
