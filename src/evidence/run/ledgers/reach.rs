//! How far the instances that meet a setting's hypotheses reach: the range of every number and length, measured and not told.
//!
//! A statement is tried on what its families hold. Whatever they leave out beyond the hypotheses is a restriction of the
//! evidence, and a reader is to see it; a range that is measured cannot be forgotten or out of date.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::claim::{AnySetting, FamilyKind, Subject};
use crate::run::trials::{Candidate, guarded, meets};
use enclosures::enclosure::plain;

/// The values of one field over the instances.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Extent {
    /// Smallest and largest number.
    Numbers(f64, f64),
    /// Shortest and longest list.
    Lengths(usize, usize),
    /// The words that occur.
    Words(BTreeSet<String>),
}

/// The reach of the families of one setting, field by field.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Reach {
    fields: BTreeMap<String, Extent>,
}

/// More words than this are counted and not listed.
const LISTED: usize = 6;

impl Reach {
    /// What the families of a setting reach within its hypotheses; families of what lies outside are left out.
    pub(crate) fn of_families(setting: &AnySetting, candidates: &[Candidate]) -> Self {
        let meant = candidates.iter().filter(|c| c.family != FamilyKind::Outside);
        Reach::of(meant.filter_map(Candidate::subject).filter(|i| meets(setting, i)))
    }

    /// What some instances reach.
    fn of<'a>(instances: impl Iterator<Item = &'a Subject>) -> Self {
        let mut reach = Reach::default();
        for value in instances.filter_map(|i| i.value().ok()) {
            reach.include("", &value);
        }
        reach
    }

    fn include(&mut self, field: &str, value: &Value) {
        match value {
            Value::Number(number) => {
                let x = number.as_f64().unwrap_or(f64::NAN);
                self.extend(field, Extent::Numbers(x, x));
            }
            Value::String(word) => self.extend(field, Extent::Words(BTreeSet::from([word.clone()]))),
            Value::Bool(flag) => self.extend(field, Extent::Words(BTreeSet::from([flag.to_string()]))),
            Value::Null => self.extend(field, Extent::Words(BTreeSet::from(["none".to_owned()]))),
            Value::Array(items) => {
                self.extend(&format!("{field} length"), Extent::Lengths(items.len(), items.len()));
                for item in items {
                    self.include(field, item);
                }
            }
            Value::Object(fields) => {
                for (name, item) in fields {
                    let path = if field.is_empty() { name.clone() } else { format!("{field}.{name}") };
                    self.include(&path, item);
                }
            }
        }
    }

    fn extend(&mut self, field: &str, by: Extent) {
        let Some(known) = self.fields.get_mut(field) else {
            self.fields.insert(field.to_owned(), by);
            return;
        };
        match (known, by) {
            (Extent::Numbers(lo, hi), Extent::Numbers(x, y)) => (*lo, *hi) = (lo.min(x), hi.max(y)),
            (Extent::Lengths(lo, hi), Extent::Lengths(x, y)) => (*lo, *hi) = ((*lo).min(x), (*hi).max(y)),
            (Extent::Words(words), Extent::Words(more)) => words.extend(more),
            // A field that is now a number and now a word: the words say more.
            (known, by) => {
                if matches!(by, Extent::Words(_)) {
                    *known = by;
                }
            }
        }
    }

    /// One phrase for each field, in alphabetical order of the fields.
    #[must_use]
    pub fn in_words(&self) -> Vec<String> {
        let two = |x: f64| plain(x, 2);
        let phrase = |(field, extent): (&String, &Extent)| match extent {
            Extent::Numbers(lo, hi) if lo == hi => format!("{field} = {}", two(*lo)),
            Extent::Numbers(lo, hi) => format!("{field} from {} to {}", two(*lo), two(*hi)),
            Extent::Lengths(lo, hi) if lo == hi => format!("{field} {lo}"),
            Extent::Lengths(lo, hi) => format!("{field} {lo} to {hi}"),
            Extent::Words(words) if words.len() <= LISTED => {
                format!("{field} {}", words.iter().cloned().collect::<Vec<_>>().join("/"))
            }
            Extent::Words(words) => format!("{field}: {} kinds", words.len()),
        };
        self.fields.iter().map(phrase).collect()
    }
}

/// The hypotheses of the setting and of its checks that every valid instance of the families meets: what nothing misses is not checked.
pub(crate) fn unmissed(setting: &AnySetting, instances: &[&Subject]) -> Vec<&'static str> {
    let valid: Vec<&&Subject> = instances.iter().filter(|i| i.validate().is_ok()).collect();
    let own = setting.checks.iter().flat_map(|check| &check.when);
    let mut names: Vec<&'static str> = Vec::new();
    for hypothesis in setting.hypotheses.iter().chain(own) {
        let missed = |instance: &&&Subject| guarded(|| !hypothesis.is_met(instance)).unwrap_or(false);
        if !names.contains(&hypothesis.name) && !valid.iter().any(missed) {
            names.push(hypothesis.name);
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn ranges_lengths_and_words_are_measured() {
        let mut reach = Reach::default();
        reach.include("", &json!({"k": 1, "model": {"weights": [0.5, 0.25]}, "base": "nats"}));
        reach.include("", &json!({"k": 9, "model": {"weights": [0.01, 1.0, 2.0]}, "base": "bits"}));
        assert_eq!(
            reach.in_words(),
            ["base bits/nats", "k from 1 to 9", "model.weights from 0.01 to 2", "model.weights length 2 to 3"]
        );
    }
}
