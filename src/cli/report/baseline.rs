//! What moved since an earlier run: verdicts, grades, witnesses, constants, margins, and the time that claims take.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use evidence::budget::Budget;
use evidence::reading;
use serde::Deserialize;
use serde_json::Value;

use crate::outcome::status::Trouble;
use crate::storage::costs::{Costs, Seconds};

/// How many moves of a kind are listed one by one.
const LISTED: usize = 20;
/// The largest size of a report in bytes, some ten times that of a deep run of everything.
const LONGEST: u64 = 1 << 28;
/// Time has moved if it is so many times what it was, or so many times less, and differs by so many seconds.
const SLOWER: (f64, f64) = (1.5, 0.5);

/// What moved, the gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
    /// Seed, budget or data are others, so that what follows may have moved for that reason.
    Circumstances,
    /// A claim or a check has come or gone.
    Catalogue,
    /// What the evidence says.
    Verdict,
    /// How well it is known.
    Grade,
    /// The instance that refutes a check.
    Witness,
    /// What the instances ask of a constant.
    Constant,
    /// The least room that an instance leaves.
    Margin,
    /// Processor time.
    Time,
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            What::Circumstances => "circumstances",
            What::Catalogue => "catalogue",
            What::Verdict => "verdict",
            What::Grade => "grade",
            What::Witness => "witness",
            What::Constant => "constant",
            What::Margin => "margin",
            What::Time => "time",
        })
    }
}

/// One thing that is not what it was.
#[derive(Clone, Debug, PartialEq)]
pub struct Move {
    /// What kind of thing.
    pub what: What,
    /// Claim, check, constant.
    pub place: String,
    /// What it was.
    pub was: String,
    /// What it is.
    pub is: String,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}: {}, was {}", self.what, self.place, self.is, self.was)
    }
}

/// The moves to list, at most twenty of a kind, and for each kind of which there are more how many are left out.
#[must_use]
pub fn shortened(moves: &[Move]) -> (Vec<&Move>, Vec<(What, usize)>) {
    let mut counts: BTreeMap<What, usize> = BTreeMap::new();
    let mut listed = Vec::new();
    for moved in moves {
        let count = counts.entry(moved.what).or_default();
        *count += 1;
        if *count <= LISTED {
            listed.push(moved);
        }
    }
    let more = counts.into_iter().filter(|(_, n)| *n > LISTED);
    (listed, more.map(|(what, n)| (what, n - LISTED)).collect())
}

/// Earlier runs to compare with: a report in JSON, a table of costs, or both.
#[derive(Debug, Default)]
pub struct Baseline {
    report: Option<(PathBuf, Report)>,
    costs: Option<Costs>,
}

impl Baseline {
    /// Reads reports and tables of costs; of several of a kind the last one counts.
    ///
    /// # Errors
    /// A file cannot be read, or is neither.
    pub fn load(paths: &[PathBuf]) -> Result<Self, Trouble> {
        let mut baseline = Baseline::default();
        for path in paths {
            let text = reading::text(path, LONGEST).map_err(|source| Trouble::Io {
                action: "cannot read",
                path: path.clone(),
                source,
            })?;
            let unreadable = |reason: String| Trouble::Baseline { path: path.clone(), reason };
            let value: Value = serde_json::from_str(&text).map_err(|e| unreadable(e.to_string()))?;
            if value.get("claims").is_some() {
                let report = Report::of(value).map_err(unreadable)?;
                baseline.report = Some((path.clone(), report));
            } else {
                baseline.costs = Some(Costs::parse(&text).map_err(unreadable)?);
            }
        }
        Ok(baseline)
    }

    /// Whether there is nothing to compare with.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.report.is_none() && self.costs.is_none()
    }

    /// What moved between the earlier runs and this one, the gravest first. Claims that did not run now are left out.
    ///
    /// # Errors
    /// The report of this run cannot be compared: its form is not the one that was read.
    pub fn moves(&self, now: Value, budget: Budget, measured: Option<&Seconds>) -> Result<Vec<Move>, Trouble> {
        let mut moves = Vec::new();
        if let Some((path, before)) = &self.report {
            let now = Report::of(now).map_err(|reason| Trouble::Baseline { path: path.clone(), reason })?;
            before.compare(&now, &mut moves);
        }
        let before = self.costs.as_ref().and_then(|c| c.measured_at(budget));
        for (claim, is) in measured.into_iter().flatten() {
            let Some(was) = before.and_then(|b| b.get(claim)) else {
                continue;
            };
            let (least, most) = (is.min(*was), is.max(*was));
            if most > SLOWER.0 * least && most - least > SLOWER.1 {
                moves.push(Move {
                    what: What::Time,
                    place: claim.clone(),
                    was: format!("{was:.1} s"),
                    is: format!("{is:.1} s"),
                });
            }
        }
        moves.sort_by_key(|m| m.what);
        Ok(moves)
    }
}

/// As much of a report in JSON as is compared.
#[derive(Debug, Deserialize)]
struct Report {
    schema: u32,
    seed: u64,
    budget: String,
    facts: BTreeMap<String, String>,
    claims: Vec<Claim>,
}

#[derive(Debug, Deserialize)]
struct Claim {
    id: String,
    verdict: String,
    #[serde(default)]
    grade: Option<Grade>,
    #[serde(default)]
    checks: Vec<Check>,
    #[serde(default)]
    amendments: Vec<Check>,
    #[serde(default)]
    sharpenings: Vec<Check>,
    #[serde(default)]
    controls: Controls,
    #[serde(default)]
    constants: Vec<Constant>,
}

#[derive(Debug, Default, Deserialize)]
struct Controls {
    checks: Vec<Check>,
}

#[derive(Debug, Deserialize)]
struct Grade {
    name: String,
}

#[derive(Debug, Deserialize)]
struct Check {
    id: String,
    verdict: String,
    grade: Option<Grade>,
    tightest: Option<Tightest>,
    witness: Option<Witness>,
}

#[derive(Debug, Deserialize)]
struct Tightest {
    sides: Margin,
}

#[derive(Debug, Deserialize)]
struct Margin {
    margin: [Option<f64>; 2],
}

#[derive(Debug, Deserialize)]
struct Witness {
    description: String,
    instance: Value,
}

#[derive(Debug, Deserialize)]
struct Constant {
    id: String,
    entries: Vec<Needed>,
}

#[derive(Debug, Deserialize)]
struct Needed {
    group: String,
    needed: [Option<f64>; 2],
}

/// The verdict of a statement whose claim did not run.
const WAITING: &str = "not-yet";

impl Report {
    fn of(value: Value) -> Result<Self, String> {
        // What is compared has stood under the same names since the first schema.
        let known = 1..=u64::from(evidence::report::JSON_SCHEMA);
        let schema = value.get("schema").and_then(Value::as_u64);
        if !schema.is_some_and(|schema| known.contains(&schema)) {
            return Err(format!("it is not a report of schema 1 to {}", known.end()));
        }
        serde_json::from_value(value).map_err(|e| e.to_string())
    }

    fn compare(&self, now: &Report, moves: &mut Vec<Move>) {
        let mut add = |what, place: &str, was: &str, is: &str| {
            if was != is {
                moves.push(Move { what, place: place.to_owned(), was: was.to_owned(), is: is.to_owned() });
            }
        };
        add(What::Circumstances, "schema", &self.schema.to_string(), &now.schema.to_string());
        add(What::Circumstances, "seed", &self.seed.to_string(), &now.seed.to_string());
        add(What::Circumstances, "budget", &self.budget, &now.budget);
        let names: std::collections::BTreeSet<&String> = self.facts.keys().chain(now.facts.keys()).collect();
        for name in names {
            let fact = |report: &Report| report.facts.get(name).map_or("not stated", String::as_str).to_owned();
            add(What::Circumstances, name, &fact(self), &fact(now));
        }
        for claim in now.claims.iter().filter(|c| c.verdict != WAITING) {
            match self.claims.iter().find(|c| c.id == claim.id && c.verdict != WAITING) {
                None => add(What::Catalogue, &claim.id, "not there", &claim.verdict),
                Some(before) => before.compare(claim, &mut add),
            }
        }
        let judged = self.claims.iter().filter(|c| c.verdict != WAITING);
        for gone in judged.filter(|c| now.claims.iter().all(|n| n.id != c.id)) {
            add(What::Catalogue, &gone.id, &gone.verdict, "not there");
        }
    }
}

impl Claim {
    fn compare(&self, now: &Claim, add: &mut impl FnMut(What, &str, &str, &str)) {
        let grade = |g: &Option<Grade>| g.as_ref().map_or("none", |g| g.name.as_str()).to_owned();
        add(What::Verdict, &self.id, &self.verdict, &now.verdict);
        add(What::Grade, &self.id, &grade(&self.grade), &grade(&now.grade));
        let (before, after) = (self.all_checks(), now.all_checks());
        for (id, check) in &after {
            let place = format!("{} {id}", self.id);
            let Some(was) = before.get(id) else {
                add(What::Catalogue, &place, "not there", &check.verdict);
                continue;
            };
            add(What::Verdict, &place, &was.verdict, &check.verdict);
            add(What::Grade, &place, &grade(&was.grade), &grade(&check.grade));
            let value = |c: &Check| c.witness.as_ref().map(|w| w.instance.clone());
            if value(was) != value(check) {
                let told = |c: &Check| c.witness.as_ref().map_or("none", |w| w.description.as_str()).to_owned();
                let (old, new) = (told(was), told(check));
                // Descriptions are rounded; the instances are not.
                let new = if old == new { format!("{new} (in other digits)") } else { new };
                add(What::Witness, &place, &old, &new);
            }
            let margin = |c: &Check| c.tightest.as_ref().map_or("none".to_owned(), |t| ends(t.sides.margin));
            add(What::Margin, &place, &margin(was), &margin(check));
        }
        for (id, was) in before.iter().filter(|(id, _)| !after.contains_key(*id)) {
            add(What::Catalogue, &format!("{} {id}", self.id), &was.verdict, "not there");
        }
        let (before, after) = (self.all_constants(), now.all_constants());
        for place in before.keys().chain(after.keys().filter(|k| !before.contains_key(*k))) {
            let needed = |all: &BTreeMap<String, String>| all.get(place).map_or("none", String::as_str).to_owned();
            add(What::Constant, &format!("{} {place}", self.id), &needed(&before), &needed(&after));
        }
    }

    fn all_checks(&self) -> BTreeMap<&str, &Check> {
        let controls = &self.controls.checks;
        let lists = [&self.checks, &self.amendments, &self.sharpenings, controls];
        lists.into_iter().flatten().map(|c| (c.id.as_str(), c)).collect()
    }

    fn all_constants(&self) -> BTreeMap<String, String> {
        let of = |c: &Constant, e: &Needed| (format!("{} at {}", c.id, e.group), ends(e.needed));
        let all = self.constants.iter().flat_map(|c| c.entries.iter().map(move |e| of(c, e)));
        all.collect()
    }
}

/// An interval, with as many digits as tell it from others.
fn ends(of: [Option<f64>; 2]) -> String {
    let [lo, hi] = of.map(|end| end.map_or("∞".to_owned(), |x| format!("{x:e}")));
    if lo == hi { lo } else { format!("[{lo}, {hi}]") }
}

/// The name of a file of a baseline, for whoever reads what moved since.
#[must_use]
pub fn named(paths: &[PathBuf]) -> String {
    let names = paths.iter().map(|p: &PathBuf| Path::display(p).to_string());
    names.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use serde_json::json;

    fn report(verdict: &str, margin: f64, x: f64) -> Value {
        let check = json!({
            "id": "printed", "verdict": verdict, "grade": {"name": "exact"},
            "tightest": {"sides": {"margin": [margin, margin]}},
            "witness": {"description": "x = 1", "instance": {"x": x}},
        });
        json!({
            "schema": evidence::report::JSON_SCHEMA, "seed": 1, "budget": "quick", "facts": {},
            "claims": [
                {"id": "a", "verdict": verdict, "grade": {"name": "exact"}, "checks": [check],
                 "constants": [{"id": "c", "entries": [{"group": "n = 1", "needed": [margin, margin]}]}]},
                {"id": "b", "verdict": "not-yet"},
            ],
        })
    }

    fn moved(before: Value, now: Value) -> Vec<String> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("run.json");
        fs::write(&path, before.to_string()).expect("written");
        let baseline = Baseline::load(&[path]).expect("a report");
        let moves = baseline.moves(now, Budget::Quick, None).expect("comparable");
        moves.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn nothing_moves_between_equal_runs() {
        assert_eq!(moved(report("holds", 0.5, 1.0), report("holds", 0.5, 1.0)), [""; 0]);
    }

    #[test]
    fn what_moved_is_said_the_gravest_first() {
        assert_eq!(
            moved(report("holds", 0.5, 1.0), report("fails", 0.25, 1.0 + f64::EPSILON)),
            [
                "verdict of a: fails, was holds",
                "verdict of a printed: fails, was holds",
                "witness of a printed: x = 1 (in other digits), was x = 1",
                "constant of a c at n = 1: 2.5e-1, was 5e-1",
                "margin of a printed: 2.5e-1, was 5e-1",
            ]
        );
    }

    #[test]
    fn claims_come_and_go_but_those_that_did_not_run_now_are_left_out() {
        let mut now = report("holds", 0.5, 1.0);
        now["claims"][0]["verdict"] = json!("not-yet");
        now["claims"][1] = json!({"id": "c", "verdict": "holds"});
        now["seed"] = json!(2);
        let before = report("holds", 0.5, 1.0);
        assert_eq!(moved(before, now), ["circumstances of seed: 2, was 1", "catalogue of c: holds, was not there",]);
    }

    #[test]
    fn a_report_of_the_first_schema_is_still_compared() {
        let earlier: Value = serde_json::from_str(include_str!("tests/report-of-schema-1.json")).expect("JSON");
        assert_eq!(earlier["schema"], json!(1));
        let mut now = earlier.clone();
        now["schema"] = json!(evidence::report::JSON_SCHEMA);
        now["claims"][0]["verdict"] = json!("mixed");
        now["claims"][0]["checks"][0]["tightest"]["sides"]["margin"] = json!([1.0, 1.0]);
        assert_eq!(
            moved(earlier, now),
            [
                "circumstances of schema: 2, was 1",
                "verdict of staged.sound: mixed, was holds",
                "margin of staged.sound printed: 1e0, was 0e0",
            ]
        );
    }

    #[test]
    fn time_moves_by_more_than_a_clock_wavers() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("costs.json");
        let table = json!({"schema": 1, "seconds": {"quick": {"a": 1.0, "b": 1.0, "c": 0.01}}});
        fs::write(&path, table.to_string()).expect("written");
        let baseline = Baseline::load(&[path]).expect("a table");
        let measured = [("a", 1.3), ("b", 2.0), ("c", 0.05)].map(|(c, s)| (c.to_owned(), s));
        let measured: Seconds = measured.into();
        let moves = baseline.moves(Value::Null, Budget::Quick, Some(&measured)).expect("comparable");
        assert_eq!(moves.len(), 1);
        assert_eq!(moves[0].to_string(), "time of b: 2.0 s, was 1.0 s");
    }

    #[test]
    fn what_is_neither_a_report_nor_a_table_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("run.json");
        for text in ["", "{", "{}", r#"{"schema": 1, "claims": []}"#, r#"{"schema": 2, "claims": 3}"#] {
            fs::write(&path, text).expect("written");
            assert!(Baseline::load(std::slice::from_ref(&path)).is_err(), "{text}");
        }
    }

    #[test]
    fn long_lists_are_shortened() {
        let one = |what| Move { what, place: String::new(), was: String::new(), is: String::new() };
        let many = vec![one(What::Margin); LISTED + 5];
        let moves = [vec![one(What::Verdict)], many].concat();
        let (listed, more) = shortened(&moves);
        assert_eq!((listed.len(), more), (LISTED + 1, vec![(What::Margin, 5)]));
    }
}
