//! The ledger of a constant: what the instances ask of it, group by group.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::claim::{AnySetting, Constant, Subject, Trial};
use crate::run::context::Context;
use crate::run::search::{Effort, Height, Slopes, Trials, climb, height};
use crate::run::trials::{measured, meets};
use enclosures::enclosure::Enclosure;

/// The largest value asked for within one group of instances.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LedgerEntry {
    /// The group ("N_C = 3").
    pub group: String,
    /// The value.
    pub needed: Enclosure,
    /// The instance that asks for it, in words.
    pub instance: String,
    /// How many instances of the group were measured.
    pub measured: usize,
}

/// A constant and what is asked of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ledger {
    /// The constant's id within the claim.
    pub id: Cow<'static, str>,
    /// What is measured.
    pub statement: Cow<'static, str>,
    /// What the statement grants, in its own words.
    pub printed: Cow<'static, str>,
    /// One entry for each group, in natural order.
    pub entries: Vec<LedgerEntry>,
}

/// How many groups are searched beyond the instances of the families.
const SEARCHED_GROUPS: usize = 12;

struct InstanceGroup {
    name: String,
    needed: Enclosure,
    instance: Subject,
    measured: usize,
}

/// Fills the ledger of one constant from the instances of the families, then climbs in each group.
pub(crate) fn ledger(
    setting: &AnySetting,
    constant: &Constant,
    instances: &[&Subject],
    context: &Context<'_>,
) -> Ledger {
    let value = |instance: &Subject, trial: &mut Trial| -> Option<(String, Enclosure)> {
        let group = constant.group.ask(instance)?;
        let quantities = measured(setting, instance, trial)?;
        let needed = constant.needed.ask(instance, &quantities)?;
        (needed.lo().is_finite()).then_some((group, needed))
    };
    let mut groups: Vec<InstanceGroup> = Vec::new();
    let mut record = |name: String, needed: Enclosure, instance: &Subject| -> usize {
        let at = groups.iter().position(|g| g.name == name).unwrap_or_else(|| {
            groups.push(InstanceGroup { name, needed, instance: instance.clone(), measured: 0 });
            groups.len() - 1
        });
        let group = &mut groups[at];
        group.measured += 1;
        if needed.lo() > group.needed.lo() {
            group.needed = needed;
            group.instance = instance.clone();
        }
        at
    };
    let mut seen: Vec<(String, f64, &Subject)> = Vec::new();
    for (number, instance) in instances.iter().enumerate() {
        let mut trial = context.trial(&["ledger", constant.id, &number.to_string()]);
        if let Some((name, needed)) = value(instance, &mut trial) {
            seen.push((name.clone(), needed.lo(), *instance));
            record(name, needed, instance);
        }
    }
    let mut names: Vec<String> = Vec::new();
    for (name, ..) in &seen {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names.sort_by(|a, b| natural(a, b));
    if setting.searched {
        for name in names.iter().take(SEARCHED_GROUPS) {
            let starts: Vec<(f64, &Subject)> = seen
                .iter()
                .filter(|(group, ..)| group == name)
                .map(|(_, height, instance)| (*height, *instance))
                .collect();
            // What one value costs is known to no count here: the looks are limited as well.
            let budget = context.budget;
            let looks = budget.search_evaluations() / 2;
            let mut effort = Effort::new(budget.search_work() / 2, looks, 4 * looks);
            let streams = |turn: &str| context.stream(&["ledger", constant.id, name, turn]);
            let mut trials = Trials::new(|| context.trial(&["ledger", constant.id, name]));
            let admits = |instance: &Subject| meets(setting, instance);
            let mut look = |instance: &Subject, _: Option<&mut Slopes>| match value(instance, trials.next()) {
                Some((group, needed)) if group == *name => {
                    record(group, needed, instance);
                    height(needed.lo())
                }
                _ => Height::Nothing,
            };
            climb(&starts, &mut effort, false, &streams, &admits, &mut look);
        }
    }
    groups.sort_by(|a, b| natural(&a.name, &b.name));
    Ledger {
        id: constant.id.into(),
        statement: constant.statement.into(),
        printed: constant.printed.into(),
        entries: groups
            .into_iter()
            .map(|g| LedgerEntry {
                instance: g.instance.describe(),
                group: g.name,
                needed: g.needed,
                measured: g.measured,
            })
            .collect(),
    }
}

/// The order a reader expects: "N_C = 2" before "N_C = 10".
fn natural(a: &str, b: &str) -> std::cmp::Ordering {
    fn parts(text: &str) -> Vec<Result<u128, &str>> {
        let mut found = Vec::new();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let digit = first.is_ascii_digit();
            let end = rest.find(|c: char| c.is_ascii_digit() != digit).unwrap_or(rest.len());
            let (part, later) = rest.split_at(end);
            found.push(part.parse::<u128>().map_err(|_| part));
            rest = later;
        }
        found
    }
    parts(a).cmp(&parts(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::claim::Fixtures;
    use crate::prelude::*;
    use crate::run::{Plan, Silent, WitnessStore, run};
    use crate::toy::Point;
    use proptest::strategy::Strategy;

    /// What a quick run finds of `4x(1 - x)`, computed so many times over, from shares below a tenth.
    fn found(times: usize) -> LedgerEntry {
        let parabola = move |s: &Point| {
            let once = |_| exact(s.x) * (1.0 - exact(s.x)) * 4.0;
            (0..times).map(once).fold(exact(0.0), Enclosure::max)
        };
        let setting = Setting::of()
            .assume(Hypothesis::new("0 ≤ x ≤ 1", |s: &Point| (0.0..=1.0).contains(&s.x)))
            .family(random("the first tenth", || (0.0..0.1).prop_map(|x| Point { x })))
            .part("printed", "4x(1 - x) ≤ 1", holds(), move |s: &Point, ()| at_most(parabola(s), 1))
            .constant("c", "4x(1 - x)", "1", |_| Some("n = 1".into()), move |s, ()| Some(parabola(s)));
        let claim = Claim::new("mine.share", "a parabola", Kind::Inequality).setting(setting);
        let budget = Budget::Quick;
        let plan = Plan { seed: 1, budget };
        let result = run(&[&claim], plan, &Fixtures::at("fixtures"), &WitnessStore::default(), &Silent);
        result.claims[0].ledgers[0].entries[0].clone()
    }

    #[test]
    fn a_search_raises_what_the_families_ask_of_a_constant_and_ends() {
        let (budget, cheap, dear) = (Budget::Quick, found(1), found(400));
        for entry in [&cheap, &dear] {
            assert_eq!(entry.group, "n = 1");
            // The families get no further than 0.36.
            assert!(entry.needed.lo() > 0.99 && entry.needed.hi() <= 1.0 + 1e-12, "{entry:?}");
        }
        // Half of what a check spends: at most four times half its looks, and no fewer than that half whatever they cost. Those that
        // leave the hypothesis are not measured.
        let looks = |entry: &LedgerEntry| entry.measured - budget.random_trials();
        let half = budget.search_evaluations() / 2;
        assert!((3 * half..=4 * half).contains(&looks(&cheap)), "{}", looks(&cheap));
        assert!((half / 2..2 * half).contains(&looks(&dear)), "{}", looks(&dear));
    }

    #[test]
    fn numbers_in_names_are_ordered_as_numbers() {
        let mut names = ["N_C = 10", "N_C = 2", "N_C = 2, N = 15", "d = 1"];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(names, ["N_C = 2", "N_C = 2, N = 15", "N_C = 10", "d = 1"]);
    }
}
