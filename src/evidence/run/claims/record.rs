//! The result of a claim as bytes and back, without a loss: what a run keeps so that a later one can go on from it.
//!
//! What the claim itself declares (statements, roles, expectations) is not stored but taken from the claim again, so that a record
//! is only readable beside the claim that it came from. Numbers keep all their bits, infinities included.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::claim_result::ClaimResult;
use super::series::SeriesResult;
use crate::claim::{Cell, CheckInfo, Claim, Comparison, ProofResult, Relation, Series};
use crate::comparison::Compared;
use crate::run::conclusion::{CheckResult, Scaled, Sighting, Weakness, advice};
use crate::run::ledgers::{Dropped, Entry, Ledger, Reach, Without};
use crate::run::trials::Counts;
use crate::run::witness::Witness;
use crate::verdict::Verdict;
use enclosures::enclosure::{Enclosure, Grade};
use enclosures::proof::Conclusion;

/// A record could not be written or read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The bytes are no record.
    #[error("not a record: {0}")]
    Format(#[from] postcard::Error),
    /// The instance of a witness is not JSON.
    #[error("not a record: {0}")]
    Witness(#[from] serde_json::Error),
    /// A comparison whose margin is not that of its sides.
    #[error("not a record: a margin contradicts the sides of its comparison")]
    Contradiction,
    /// The record is one of another claim, or of an earlier form of this one.
    #[error("a record of {found}, not of {expected} as it is now")]
    OtherClaim {
        /// The claim that was recorded.
        found: String,
        /// The claim that was expected.
        expected: String,
    },
}

#[derive(Serialize, Deserialize)]
struct ClaimRecord {
    id: String,
    unmissed: Vec<String>,
    reach: Vec<(Vec<String>, Reach)>,
    checks: Vec<CheckRecord>,
    dropped: Vec<(String, String, Without)>,
    ledgers: Vec<(String, String, String, Vec<Entry>)>,
    series: Vec<(String, String, Result<SeriesRecord, String>)>,
}

#[derive(Serialize, Deserialize)]
struct CheckRecord {
    id: String,
    undeclared: Vec<String>,
    scaled: Option<(usize, Option<String>, f64, f64)>,
    verdict: Verdict,
    grade: Option<Grade>,
    counts: Counts,
    tightest: Option<SightingRecord>,
    before_search: Option<SightingRecord>,
    doubtful: Option<SightingRecord>,
    trouble: Option<String>,
    /// As JSON: the instance of a witness has no form that is known before.
    witness: Option<String>,
    shortest_offered: Option<String>,
    proofs: Vec<ProofRecord>,
    weaknesses: Vec<Weakness>,
}

#[derive(Serialize, Deserialize)]
struct SightingRecord {
    instance: String,
    description: String,
    lhs: Enclosure,
    rhs: Enclosure,
    relation: usize,
    margin: Enclosure,
    scale: f64,
    tolerance: f64,
    trend: bool,
    lacks_power: bool,
    note: Option<String>,
    scale_name: Option<String>,
    left_out: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct ProofRecord {
    conclusion: Conclusion,
    controls: Vec<(String, Conclusion)>,
    inside: usize,
    contradiction: Option<String>,
}

#[derive(Serialize, Deserialize)]
struct SeriesRecord {
    columns: Vec<(String, String)>,
    rows: Vec<Vec<CellRecord>>,
    note: Option<String>,
}

#[derive(Serialize, Deserialize)]
enum CellRecord {
    Number(Enclosure),
    Count(u64),
    Text(String),
}

/// The order in which relations are counted in a record.
const RELATIONS: [Relation; 5] =
    [Relation::AtMost, Relation::AtLeast, Relation::LessThan, Relation::GreaterThan, Relation::Equal];

/// A text that lives as long as the program; equal ones are kept once.
fn kept(text: String) -> &'static str {
    static KEPT: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut all = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = all.get(text.as_str()) {
        return known;
    }
    let text: &'static str = Box::leak(text.into_boxed_str());
    all.insert(text);
    text
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|w| (*w).to_owned()).collect()
}

impl ClaimResult {
    /// The result as bytes.
    ///
    /// # Errors
    /// A witness cannot be written as JSON.
    pub fn to_record(&self) -> Result<Vec<u8>, RecordError> {
        let checks: Result<Vec<CheckRecord>, RecordError> = self.checks.iter().map(CheckRecord::of).collect();
        let record = ClaimRecord {
            id: self.id.to_owned(),
            unmissed: owned(&self.unmissed),
            reach: (self.reach.iter()).map(|(checks, reach)| (owned(checks), reach.clone())).collect(),
            checks: checks?,
            dropped: (self.dropped.iter())
                .map(|d| (d.hypothesis.to_owned(), d.check.to_owned(), d.fate.clone()))
                .collect(),
            ledgers: (self.ledgers.iter())
                .map(|l| {
                    let (id, statement, printed) = (l.id.to_owned(), l.statement.to_owned(), l.printed.to_owned());
                    (id, statement, printed, l.entries.clone())
                })
                .collect(),
            series: (self.series.iter())
                .map(|s| {
                    let table = s.outcome.as_ref().map(SeriesRecord::of).map_err(Clone::clone);
                    (s.id.to_owned(), s.caption.to_owned(), table)
                })
                .collect(),
        };
        Ok(postcard::to_stdvec(&record)?)
    }

    /// The result of a claim from its bytes.
    ///
    /// # Errors
    /// The bytes are no record, or not one of this claim with these checks.
    pub fn from_record(claim: &Claim, bytes: &[u8]) -> Result<Self, RecordError> {
        let record: ClaimRecord = postcard::from_bytes(bytes)?;
        let infos = claim.checks();
        let same = record.id == claim.id()
            && record.checks.len() == infos.len()
            && (record.checks.iter().zip(&infos)).all(|(r, i)| r.id == i.id && r.proofs.len() == i.proofs.len());
        if !same {
            return Err(RecordError::OtherClaim { found: record.id, expected: claim.id().to_owned() });
        }
        let checks: Result<Vec<CheckResult>, RecordError> =
            (record.checks.into_iter().zip(infos)).map(|(check, info)| check.into_result(info)).collect();
        Ok(ClaimResult {
            unmissed: record.unmissed.into_iter().map(kept).collect(),
            reach: (record.reach.into_iter())
                .map(|(checks, reach)| (checks.into_iter().map(kept).collect(), reach))
                .collect(),
            checks: checks?,
            dropped: (record.dropped.into_iter())
                .map(|(hypothesis, check, fate)| Dropped { hypothesis: kept(hypothesis), check: kept(check), fate })
                .collect(),
            ledgers: (record.ledgers.into_iter())
                .map(|(id, statement, printed, entries)| Ledger {
                    id: kept(id),
                    statement: kept(statement),
                    printed: kept(printed),
                    entries,
                })
                .collect(),
            series: (record.series.into_iter())
                .map(|(id, caption, table)| SeriesResult {
                    id: kept(id),
                    caption: kept(caption),
                    outcome: table.map(SeriesRecord::into_series),
                })
                .collect(),
            ..ClaimResult::declared(claim)
        })
    }
}

impl CheckRecord {
    fn of(check: &CheckResult) -> Result<Self, RecordError> {
        let scaled = check.scaled.as_ref();
        let witness = check.witness.as_ref().map(serde_json::to_string);
        Ok(CheckRecord {
            id: check.id.to_owned(),
            undeclared: check.undeclared.clone(),
            scaled: scaled.map(|s| (s.instances, s.name.map(str::to_owned), s.tolerance, s.most)),
            verdict: check.verdict,
            grade: check.grade,
            counts: check.counts.clone(),
            tightest: check.tightest.as_ref().map(SightingRecord::of),
            before_search: check.before_search.as_ref().map(SightingRecord::of),
            doubtful: check.doubtful.as_ref().map(SightingRecord::of),
            trouble: check.trouble.clone(),
            witness: witness.transpose()?,
            shortest_offered: check.shortest_offered.clone(),
            proofs: check.proofs.iter().map(ProofRecord::of).collect(),
            weaknesses: check.weaknesses.clone(),
        })
    }

    fn into_result(self, info: CheckInfo) -> Result<CheckResult, RecordError> {
        let witness: Option<Witness> = self.witness.map(|w| serde_json::from_str(&w)).transpose()?;
        let proofs = self.proofs.into_iter().zip(info.proofs);
        let read = |sighting: Option<SightingRecord>| sighting.map(SightingRecord::into_sighting).transpose();
        let (tightest, before_search) = (read(self.tightest)?, read(self.before_search)?);
        let doubtful = read(self.doubtful)?;
        let advice = doubtful.as_ref().map(|sighting| advice(&sighting.comparison));
        Ok(CheckResult {
            id: info.id,
            role: info.role,
            statement: info.statement,
            expectation: info.expectation,
            classification: info.classification,
            assumes: info.assumes,
            undeclared: self.undeclared,
            scaled: self.scaled.map(|(instances, name, tolerance, most)| Scaled {
                instances,
                name: name.map(kept),
                tolerance,
                most,
            }),
            verdict: self.verdict,
            grade: self.grade,
            counts: self.counts,
            tightest,
            before_search,
            doubtful,
            advice,
            trouble: self.trouble,
            witness,
            shortest_offered: self.shortest_offered,
            proofs: proofs
                .map(|(proof, info)| ProofResult {
                    info,
                    conclusion: proof.conclusion,
                    controls: proof.controls.into_iter().map(|(name, c)| (kept(name), c)).collect(),
                    inside: proof.inside,
                    contradiction: proof.contradiction,
                })
                .collect(),
            weaknesses: self.weaknesses,
        })
    }
}

impl Sighting {
    /// The sighting as bytes.
    ///
    /// # Errors
    /// It cannot be written down.
    pub fn to_record(&self) -> Result<Vec<u8>, RecordError> {
        Ok(postcard::to_allocvec(&SightingRecord::of(self))?)
    }

    /// What [`to_record`](Sighting::to_record) wrote down.
    ///
    /// # Errors
    /// These are no such bytes, or they contradict themselves.
    pub fn from_record(bytes: &[u8]) -> Result<Self, RecordError> {
        postcard::from_bytes::<SightingRecord>(bytes)?.into_sighting()
    }
}

impl SightingRecord {
    fn of(sighting: &Sighting) -> Self {
        let c = &sighting.comparison;
        SightingRecord {
            instance: sighting.instance.clone(),
            description: sighting.description.clone(),
            lhs: c.lhs,
            rhs: c.rhs,
            relation: RELATIONS.iter().position(|r| *r == c.relation).unwrap_or_default(),
            margin: c.margin,
            scale: c.scale,
            tolerance: c.tolerance,
            trend: c.trend,
            lacks_power: c.lacks_power,
            note: c.note.clone(),
            scale_name: c.scale_name.map(str::to_owned),
            left_out: c.left_out.clone(),
        }
    }

    fn into_sighting(self) -> Result<Sighting, RecordError> {
        let comparison = Comparison::read_back(Compared {
            lhs: self.lhs,
            rhs: self.rhs,
            relation: RELATIONS[self.relation % RELATIONS.len()],
            margin: self.margin,
            scale: self.scale,
            tolerance: self.tolerance,
            trend: self.trend,
            lacks_power: self.lacks_power,
            note: self.note,
            scale_name: self.scale_name.map(kept),
            left_out: self.left_out,
        });
        Ok(Sighting {
            instance: self.instance,
            description: self.description,
            comparison: comparison.ok_or(RecordError::Contradiction)?,
        })
    }
}

impl ProofRecord {
    fn of(proof: &ProofResult) -> Self {
        let controls = proof.controls.iter();
        ProofRecord {
            conclusion: proof.conclusion.clone(),
            controls: controls.map(|(name, c)| ((*name).to_owned(), c.clone())).collect(),
            inside: proof.inside,
            contradiction: proof.contradiction.clone(),
        }
    }
}

impl SeriesRecord {
    fn of(series: &Series) -> Self {
        let cell = |cell: &Cell| match cell {
            Cell::Number(x) => CellRecord::Number(*x),
            Cell::Count(n) => CellRecord::Count(*n),
            Cell::Text(text) => CellRecord::Text(text.clone()),
        };
        let columns = series.columns().iter();
        SeriesRecord {
            columns: columns.map(|c| (c.name.clone(), c.unit.clone())).collect(),
            rows: (series.rows().iter()).map(|row| row.iter().map(cell).collect()).collect(),
            note: series.note().map(str::to_owned),
        }
    }

    fn into_series(self) -> Series {
        let mut series = Series::of(self.columns);
        for row in self.rows {
            series.push(row.into_iter().map(|cell| match cell {
                CellRecord::Number(x) => Cell::Number(x),
                CellRecord::Count(n) => Cell::Count(n),
                CellRecord::Text(text) => Cell::Text(text),
            }));
        }
        match self.note {
            Some(note) => series.noting(note),
            None => series,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde::{Deserialize, Serialize};

    use crate::budget::Budget;
    use crate::claim::{
        Claim, Fixtures, Hypothesis, Kind, Series, Setting, at_least, at_most, edge, fails, holds, random,
    };
    use crate::instance::Instance;
    use crate::run::{ClaimResult, Plan, Silent, WitnessStore, run_claim};
    use enclosures::enclosure::{Enclosure, exact};
    use proptest::prelude::Strategy;

    #[derive(Clone, Debug, Serialize, Deserialize)]
    struct Number {
        x: f64,
    }

    impl Instance for Number {
        fn describe(&self) -> String {
            format!("x = {}", self.x)
        }
    }

    /// A claim with something in every field that a record keeps but proofs.
    fn claim() -> Claim {
        Claim::new("staged.record", "everything at once", Kind::Inequality)
            .series("table", "numbers, counts and words", |_| {
                let mut table = Series::of([("a", "m"), ("b", ""), ("c", "")]).noting("a note");
                table.push([Enclosure::between(-0.0, f64::INFINITY).into(), 3u64.into(), "word".into()]);
                Ok(table)
            })
            .series("missing", "a table that cannot be had", |_| Err("no data".into()))
            .setting(
                Setting::measuring(|n: &Number, _| Ok(exact(n.x)))
                    .given("a double")
                    .assume(Hypothesis::new("x ≥ 0", |n| n.x >= 0.0))
                    .family(edge("named", || vec![("zero", Number { x: 0.0 }), ("two", Number { x: 2.0 })]))
                    .family(random("wide", || (-5.0..5.0f64).prop_map(|x| Number { x })))
                    .part("printed", "x ≤ 1", fails("two is more"), |_, &x| at_most(x, 1))
                    .part("other", "x ≥ 0", holds(), |_, &x| at_least(x, 0))
                    .control("a", "x ≤ -1", |_, &x| at_most(x, -1)),
            )
    }

    #[test]
    fn a_result_comes_back_from_its_record_as_it_was() {
        let claim = claim();
        let plan = Plan { seed: 3, budget: Budget::Quick };
        let result = run_claim(&claim, plan, &Fixtures::at("none"), &WitnessStore::default(), &Silent);
        assert!(result.checks[0].witness.is_some() && !result.dropped.is_empty() && result.series.len() == 2);
        let bytes = result.to_record().expect("it can be written");
        let again = ClaimResult::from_record(&claim, &bytes).expect("it can be read");
        assert_eq!(format!("{again:?}"), format!("{result:?}"));
        assert_eq!(again.to_record().expect("it can be written"), bytes);
    }

    #[test]
    fn a_damaged_record_is_an_error_and_never_a_panic() {
        let claim = claim();
        let plan = Plan { seed: 3, budget: Budget::Quick };
        let result = run_claim(&claim, plan, &Fixtures::at("none"), &WitnessStore::default(), &Silent);
        let bytes = result.to_record().expect("it can be written");
        for length in 0..bytes.len() {
            assert!(ClaimResult::from_record(&claim, &bytes[..length]).is_err());
        }
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 0x80;
            // Many changes cannot be told from another result; a checksum is for whoever stores records.
            if let Ok(read) = ClaimResult::from_record(&claim, &changed) {
                assert_eq!(read.id, claim.id());
            }
        }
        let other = Claim::new("staged.other", "another", Kind::Inequality);
        assert!(ClaimResult::from_record(&other, &bytes).is_err());
    }
}
