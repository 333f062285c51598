//! Metamorphic trials: what a check says of an instance, it says of every [equivalent](crate::instance::Instance::equivalents) one.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::claim::{AnySetting, Claim, Comparison, Fixtures, Subject};
use crate::comparison::{RESOLUTION, Relation};
use crate::judge::Judgement;
use crate::run::context::{Context, Plan, Silent};
use crate::run::trials::{Candidate, evaluate, gather};
use crate::run::witness::WitnessStore;
use crate::verdict::Outcome;
use enclosures::enclosure::Grade;

/// A judgement that moved.
#[derive(Clone, Debug, PartialEq)]
pub struct Moved {
    /// The check's id.
    pub check: &'static str,
    /// What was changed.
    pub change: &'static str,
    /// The instance in words.
    pub instance: String,
    /// What became of it.
    pub outcome: Outcome,
    /// What became of the one that is equivalent to it.
    pub other: Outcome,
}

/// Every check of a claim on instances and on what their type declares to be equivalent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Equivalence {
    /// How many pairs of judgements were compared, by what was changed.
    pub compared: BTreeMap<&'static str, usize>,
    /// How often only one of the two was decided, by what was changed, and why the other was not: a hypothesis or an exception that speaks of
    /// how an instance is written down ("no two atoms coincide"), rounding, or an evaluation that is too long.
    pub left_out: BTreeMap<(&'static str, String), usize>,
    /// The judgements that moved.
    pub moved: Vec<Moved>,
}

/// Tries every check on the instances of its families, without a search, and on all that are equivalent to them.
///
/// Two judgements are alike if both or none is a violation, or if the margins of both, as fractions of their scales, can be one number: an
/// equality may be attained to the last bit in one order of summation and to within rounding in another.
#[must_use]
pub fn equivalence(claim: &Claim, plan: Plan, fixtures: &Fixtures, witnesses: &WitnessStore) -> Equivalence {
    let context =
        Context { seed: plan.seed, budget: plan.budget, fixtures, witnesses, observer: &Silent, claim: claim.id };
    let mut found = Equivalence::default();
    for setting in claim.settings() {
        let each: Vec<Equivalence> =
            gather(setting, &context).par_iter().map(|candidate| of_candidate(setting, candidate, &context)).collect();
        for one in each {
            for (change, compared) in one.compared {
                *found.compared.entry(change).or_default() += compared;
            }
            for (which, times) in one.left_out {
                *found.left_out.entry(which).or_default() += times;
            }
            found.moved.extend(one.moved);
        }
    }
    found
}

fn of_candidate(setting: &AnySetting, candidate: &Candidate, context: &Context<'_>) -> Equivalence {
    let mut found = Equivalence::default();
    let Some(instance) = candidate.subject().filter(|i| i.validate().is_ok()) else {
        return found;
    };
    let others = instance.equivalents();
    if others.is_empty() {
        return found;
    }
    let every: Vec<usize> = (0..setting.checks.len()).collect();
    // The same draws for both: what is compared is what the instance does to them.
    let judged = |instance: &Subject| {
        let mut trial = context.trial(&["trial", &candidate.name]);
        evaluate(setting, &every, instance, &mut trial)
    };
    let outcomes = judged(instance);
    for (change, other) in others {
        for ((check, outcome), other) in setting.checks.iter().zip(&outcomes).zip(judged(&other)) {
            if let Some(reason) = left_out(outcome, &other).or_else(|| left_out(&other, outcome)) {
                *found.left_out.entry((change, reason)).or_default() += 1;
                continue;
            }
            if matches!(outcome, Outcome::Judged { .. }) {
                *found.compared.entry(change).or_default() += 1;
            }
            if !alike(outcome, &other) {
                found.moved.push(Moved {
                    check: check.id,
                    change,
                    instance: instance.describe(),
                    outcome: outcome.clone(),
                    other,
                });
            }
        }
    }
    found
}

/// Why the second one was not decided, if the first one was judged.
fn left_out(one: &Outcome, other: &Outcome) -> Option<String> {
    if !matches!(one, Outcome::Judged { .. }) {
        return None;
    }
    match other {
        Outcome::Discarded { hypothesis: reason } | Outcome::Vacuous { reason } => Some(reason.clone()),
        Outcome::Failed { .. } => Some("it could not be evaluated".to_owned()),
        Outcome::Judged { judgement: Judgement::Undecided, .. } => Some("rounding left it open".to_owned()),
        Outcome::Judged { .. } | Outcome::Unrepeated | Outcome::Redrawn { .. } | Outcome::Panicked { .. } => None,
    }
}

/// Whether two outcomes say the same.
fn alike(one: &Outcome, other: &Outcome) -> bool {
    match (one, other) {
        (
            Outcome::Judged { judgement, comparison },
            Outcome::Judged { judgement: other_judgement, comparison: other },
        ) => {
            let violated = |judgement: &Judgement| *judgement == Judgement::Violated;
            violated(judgement) == violated(other_judgement) || can_be_one(comparison, other)
        }
        // Which hypothesis is looked at first, and what stops an evaluation, may depend on how an instance is written.
        (
            Outcome::Discarded { .. } | Outcome::Vacuous { .. } | Outcome::Failed { .. },
            Outcome::Discarded { .. } | Outcome::Vacuous { .. } | Outcome::Failed { .. },
        ) => true,
        _ => false,
    }
}

/// Whether the margins of two comparisons, as fractions of their scales, can be one number.
fn can_be_one(one: &Comparison, other: &Comparison) -> bool {
    let ends = |c: &Comparison| {
        let scale = c.scale.max(f64::MIN_POSITIVE);
        // What is measured has no error bound; the judge allows it as much.
        let slack = match c.margin.grade() {
            Grade::Measured if c.relation != Relation::Equal => RESOLUTION,
            _ => 4.0 * f64::EPSILON,
        };
        (c.margin.lo() / scale - slack, c.margin.hi() / scale + slack)
    };
    let ((low, high), (other_low, other_high)) = (ends(one), ends(other));
    low <= other_high && other_low <= high
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};

    use super::*;
    use crate::budget::Budget;
    use crate::prelude::*;

    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Pair {
        first: f64,
        second: f64,
    }

    impl Instance for Pair {
        fn describe(&self) -> String {
            format!("({}, {})", self.first, self.second)
        }

        fn equivalents(&self) -> Vec<(&'static str, Self)> {
            let exchanged = Pair { first: self.second, second: self.first };
            vec![("exchanged", exchanged)]
        }
    }

    fn tried(test: impl Fn(&Pair, &()) -> Evaluation + Send + Sync + 'static) -> Equivalence {
        let pairs = || {
            let of = |first, second| Pair { first, second };
            vec![("unequal", of(0.1, 0.7)), ("equal", of(0.3, 0.3)), ("negative", of(-1.0, 1.0))]
        };
        let setting = Setting::of()
            .assume(Hypothesis::new("x > 0", |p: &Pair| p.first + p.second > 0.0))
            .family(edge("pairs", pairs))
            .part("printed", "what is compared", holds(), test);
        let claim = Claim::new("mine.pairs", "pairs", Kind::Inequality).setting(setting);
        let plan = Plan { seed: 1, budget: Budget::Quick };
        equivalence(&claim, plan, &Fixtures::at("fixtures"), &WitnessStore::default())
    }

    #[test]
    fn what_is_symmetric_is_judged_alike() {
        let found = tried(|p, ()| at_most(exact(p.first) * p.second, exact(p.first) + p.second));
        assert_eq!(found.compared, BTreeMap::from([("exchanged", 2)]), "one of three misses the hypothesis");
        assert_eq!(found.moved, []);
        // The sum of three terms is attained by itself, and rounded otherwise in the other order.
        let sum = |p: &Pair| (exact(p.first) / 3.0 + exact(p.second)) + exact(p.second) / 3.0 + exact(p.first);
        let whole = |p: &Pair| (exact(p.first) + p.second) * 4.0 / 3.0;
        assert_eq!(tried(move |p, ()| at_most(sum(p), whole(p))).moved, []);
    }

    #[test]
    fn margins_that_are_measured_are_alike_within_what_the_judge_allows_them() {
        let compared = |lhs: Enclosure| match at_most(lhs, 1) {
            Evaluation::Compared(comparison) => comparison,
            other => panic!("{other:?}"),
        };
        let alike = |side: fn(f64) -> Enclosure, distance: f64| {
            let (one, other) = (compared(side(0.5)), compared(side(0.5 - distance)));
            assert_eq!(can_be_one(&one, &other), can_be_one(&other, &one));
            can_be_one(&one, &other)
        };
        assert!(alike(Enclosure::measured, RESOLUTION));
        assert!(!alike(Enclosure::measured, 3.0 * RESOLUTION));
        assert!(alike(exact, f64::EPSILON));
        assert!(!alike(exact, RESOLUTION));
    }

    #[test]
    fn what_is_not_symmetric_is_named() {
        let found = tried(|p, ()| at_most(exact(p.first), exact(p.second)));
        let moved: Vec<_> = found.moved.iter().map(|m| (m.check, m.change, m.instance.as_str())).collect();
        assert_eq!(moved, [("printed", "exchanged", "(0.1, 0.7)")]);
        assert!(matches!(found.moved[0].outcome, Outcome::Judged { judgement: Judgement::Holds, .. }));
        let silent = tried(|p, ()| if p.first < p.second { vacuous("small") } else { at_most(1, 2) });
        assert_eq!(silent.moved, []);
        assert_eq!(silent.left_out, BTreeMap::from([(("exchanged", "small".to_owned()), 1)]));
        let failing = |p: &Pair, (): &()| match p.first < p.second {
            true => Evaluation::Failed("no".into()),
            false => at_most(1, 2),
        };
        let stopped = tried(failing);
        assert_eq!(stopped.moved, []);
        assert_eq!(stopped.left_out, BTreeMap::from([(("exchanged", "it could not be evaluated".to_owned()), 1)]));
    }

    #[test]
    fn a_hypothesis_that_is_not_symmetric_is_named() {
        let setting = Setting::of()
            .assume(Hypothesis::new("x is the smaller one", |p: &Pair| p.first <= p.second))
            .family(edge("pairs", || vec![("one", Pair { first: 1.0, second: 2.0 })]))
            .part("printed", "1 ≤ 2", holds(), |_, ()| at_most(1, 2));
        let claim = Claim::new("mine.pairs", "pairs", Kind::Inequality).setting(setting);
        let plan = Plan { seed: 1, budget: Budget::Quick };
        let found = equivalence(&claim, plan, &Fixtures::at("fixtures"), &WitnessStore::default());
        let named = ("exchanged", "x is the smaller one".to_owned());
        assert_eq!(found.left_out, BTreeMap::from([(named, 1)]));
    }
}
