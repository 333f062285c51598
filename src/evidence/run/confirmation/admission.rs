//! Whether a stored witness can be judged at all: a file is not trusted to hold an instance, nor one of bearable size.

use std::collections::BTreeMap;

use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::Value;

use crate::claim::{AnySetting, FamilySource, Subject};
use crate::run::context::Context;
use crate::run::trials::guarded;
use crate::verdict::Outcome;
use enclosures::stream;

/// An integer may be this many times as large as the largest one that the families hold in its place: the search never moves
/// integers, so what was found by it stays below them.
const SLACK: u64 = 4;
/// Integers up to this are small wherever they stand.
const SMALL: u64 = 256;
/// How many instances of a random family show how large its integers get.
const DRAWS: usize = 64;

/// The largest integer in each place.
#[derive(Default)]
struct Sizes(BTreeMap<String, u64>);

impl Sizes {
    fn include(&mut self, place: &str, value: &Value) {
        match value {
            Value::Number(number) => {
                let size = number.as_u64().or_else(|| number.as_i64().map(i64::unsigned_abs));
                if let Some(size) = size {
                    let most = self.0.entry(place.to_owned()).or_default();
                    *most = size.max(*most);
                }
            }
            Value::Array(items) => items.iter().for_each(|item| self.include(place, item)),
            Value::Object(fields) => {
                for (name, item) in fields {
                    self.include(&format!("{place}.{name}"), item);
                }
            }
            Value::Null | Value::Bool(_) | Value::String(_) => {}
        }
    }

    fn of(instances: impl IntoIterator<Item = Subject>) -> Self {
        let mut sizes = Sizes::default();
        for value in instances.into_iter().filter_map(|i| i.value().ok()) {
            sizes.include("", &value);
        }
        sizes
    }

    /// The first place where a value holds a larger integer than is reasonable, with what it holds and what may stand there.
    fn exceeded_by(&self, value: &Value) -> Option<(String, u64, u64)> {
        let mut own = Sizes::default();
        own.include("", value);
        own.0.into_iter().find_map(|(place, found)| {
            let allowed = self.0.get(&place).copied().unwrap_or(0).saturating_mul(SLACK).max(SMALL);
            (found > allowed).then(|| (place.trim_start_matches('.').to_owned(), found, allowed))
        })
    }
}

/// Instances of the families of a setting; of those from data sets only if asked, since they are made with more work.
fn examples(setting: &AnySetting, with_data: bool, context: &Context<'_>) -> Vec<Subject> {
    let mut examples = Vec::new();
    for family in &setting.families {
        match &family.source {
            FamilySource::Edge(list) | FamilySource::Outside(list) => {
                examples.extend(list.instances().into_iter().map(|(_, instance)| instance));
            }
            FamilySource::Random { strategy, .. } => {
                let seed = stream::seed(context.seed, &[context.claim, "sizes", family.name]);
                let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
                let mut runner = TestRunner::new_with_rng(Config::default(), rng);
                let draw = strategy();
                examples.extend((0..DRAWS).filter_map(|_| draw(&mut runner).ok()));
            }
            FamilySource::Data(load) if with_data => {
                examples.extend(load(context.fixtures).into_iter().flatten().map(|(_, instance)| instance));
            }
            FamilySource::Data(_) => {}
        }
    }
    examples
}

/// An instance from its stored form: of bearable size, valid, and without a field that means nothing.
pub(super) fn read(setting: &AnySetting, value: &Value, context: &Context<'_>) -> Result<Subject, String> {
    let panicked = |outcome| match outcome {
        Outcome::Panicked { message } => format!("not an instance of this claim: {message}"),
        _ => "not an instance of this claim".to_owned(),
    };
    let exceeded = |with_data: bool| {
        let sizes = guarded(|| Sizes::of(examples(setting, with_data, context))).unwrap_or_default();
        sizes.exceeded_by(value)
    };
    if exceeded(false).is_some()
        && let Some((place, found, allowed)) = exceeded(true)
    {
        return Err(format!(
            "the instance is too large: {place:?} is {found}, and at most {allowed} is accepted, {SLACK} times the \
             largest value in the families of this claim"
        ));
    }
    let instance = guarded(|| (setting.read)(value)).map_err(panicked)?;
    let instance = instance.map_err(|e| format!("not an instance of this claim: {e}"))?;
    guarded(|| instance.validate()).map_err(panicked)?.map_err(|e| format!("not a valid instance: {e}"))?;
    let again = instance.value().map_err(|e| format!("not an instance of this claim: {e}"))?;
    match difference("", value, &again) {
        None => Ok(instance),
        Some(place) => Err(format!("not an instance of this claim: {place:?} means nothing in it")),
    }
}

/// The first place where a stored value says something that the instance read from it does not.
fn difference(place: &str, stored: &Value, read: &Value) -> Option<String> {
    let here = || Some(place.trim_start_matches('.').to_owned());
    match (stored, read) {
        (Value::Object(stored), Value::Object(read)) => stored.iter().find_map(|(name, value)| {
            let place = format!("{place}.{name}");
            match read.get(name) {
                Some(read) => difference(&place, value, read),
                // What may be left out is as good as null.
                None if value.is_null() => None,
                None => Some(place.trim_start_matches('.').to_owned()),
            }
        }),
        (Value::Array(stored), Value::Array(read)) => {
            let mut pairs = stored.iter().zip(read).enumerate();
            let inside = pairs.find_map(|(at, (a, b))| difference(&format!("{place}[{at}]"), a, b));
            inside.or_else(|| if stored.len() == read.len() { None } else { here() })
        }
        // 1 and 1.0 are one number.
        (Value::Number(a), Value::Number(b)) if a == b || a.as_f64() == b.as_f64() => None,
        _ if stored == read => None,
        _ => here(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn sizes_are_bounded_by_what_the_families_reach() {
        let mut reached = Sizes::default();
        reached.include("", &json!({"points": 100, "layers": [{"width": 3}, {"width": 90}], "x": 1e300}));
        assert!(reached.exceeded_by(&json!({"points": 400, "layers": [{"width": 256}], "x": 1e308})).is_none());
        assert_eq!(reached.exceeded_by(&json!({"points": 99_999_999})), Some(("points".into(), 99_999_999, 400)));
        let nested = json!({"layers": [{"width": 3}, {"width": u64::MAX}]});
        assert_eq!(reached.exceeded_by(&nested), Some(("layers.width".into(), u64::MAX, 360)));
        let below = json!({"points": i64::MIN});
        assert_eq!(reached.exceeded_by(&below), Some(("points".into(), 1 << 63, 400)));
    }

    #[test]
    fn a_field_that_means_nothing_is_found_where_it_stands() {
        let read = json!({"k": 1.0, "classes": [{"at": [0.5]}]});
        assert_eq!(difference("", &json!({"k": 1, "classes": [{"at": [0.5]}], "none": null}), &read), None);
        for (stored, place) in [
            (json!({"k": 1, "classes": [{"at": [0.5], "wieght": 1}]}), "classes[0].wieght"),
            (json!({"k": 1, "classes": [{"at": [0.5, 1]}]}), "classes[0].at"),
            (json!({"k": "1", "classes": []}), "classes"),
        ] {
            assert_eq!(difference("", &stored, &read).as_deref(), Some(place), "{stored}");
        }
    }
}
