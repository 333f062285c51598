//! The run as JSON, under a versioned schema: `docs/json.md` describes it for people, `schema.json` beside this file for programs.

use std::borrow::Cow;

use serde_json::Value;

use super::document::{
    AssumptionsDocument, CellDocument, CheckDocument, ClaimDocument, ClaimEntry, ColumnDocument, ConstantDocument,
    ControlsDocument, DroppedDocument, Ends, FateDocument, GradeDocument, InstancesDocument, NeededDocument, NotYet,
    ProofControls, ProofDocument, ProofOutcome, ReachDocument, ResidualDocument, RunDocument, ScaleDocument,
    SenseDocument, SeriesDocument, SightingDocument, SourceDocument, SymbolDocument, TheoremDocument, WaitingDocument,
    value,
};
use super::{Facts, Register};
use crate::claim::{Cell, Cited, Column, ProofResult, Role, Source, Symbol, Theorem};
use crate::headline::SenseVerdict;
use crate::run::{
    CheckResult, ClaimResult, Dropped, Ledger, LedgerEntry, Reach, Run, SeriesResult, Sides, Sighting, Without,
};
use crate::verdict::Verdict;
use enclosures::enclosure::Grade;
use enclosures::interval::Interval;
use enclosures::proof::CoverResult;

/// Version of the schema.
pub const SCHEMA: u32 = 2;

/// The whole run: facts, one entry per claim of the register, and claims outside it after those.
#[must_use]
pub fn json(run: &Run, register: &Register, facts: &Facts) -> Value {
    let mut claims: Vec<ClaimEntry<'_>> = Vec::new();
    let judged = |result| ClaimEntry::Judged(Box::new(claim(result)));
    for (paper, entry) in register.papers.iter().flat_map(|p| p.entries.iter().map(move |e| (p, e))) {
        claims.push(match run.claims.iter().find(|c| c.id == entry.id) {
            Some(result) => judged(result),
            None => ClaimEntry::Waiting(WaitingDocument {
                id: &entry.id,
                paper: &paper.id,
                title: &entry.title,
                verdict: NotYet::NotYet,
            }),
        });
    }
    let known = register.ids();
    claims.extend(run.claims.iter().filter(|c| !known.contains(c.id)).map(judged));
    value(&RunDocument {
        schema: SCHEMA,
        seed: run.plan.seed,
        budget: run.plan.budget.to_string(),
        facts: facts.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect(),
        claims,
    })
}

fn claim(result: &ClaimResult) -> ClaimDocument<'_> {
    let headline = result.headline();
    let leading = result.leading();
    let named = |role: Role| result.with_role(role).map(check).collect();
    let read = result.checks.iter().filter(|c| c.role.is_reading() || c.role == Role::Step);
    let controls = result.controls();
    ClaimDocument {
        id: result.id,
        paper: result.paper,
        title: result.title,
        kind: result.kind,
        statement: result.statement,
        source: result.source.as_ref().map(source),
        unmissed: &result.unmissed,
        tried_on: result.reach.iter().map(reach).collect(),
        symbols: result.symbols.iter().map(symbol).collect(),
        remarks: &result.remarks,
        reconstructed: result.reconstructed,
        speaks_also_of: result.speaks_also_of,
        verdict: headline.verdict,
        expected: result.expected.verdict,
        why: headline.why(),
        senses: headline.senses.iter().map(sense).collect(),
        as_meant: headline.as_meant,
        grade: result.grade().map(grade),
        reason: leading.and_then(|c| c.expectation.reason),
        checks: read.map(check).collect(),
        amendments: named(Role::Amendment),
        sharpenings: named(Role::Sharpening),
        controls: ControlsDocument { total: controls.total, refuted: controls.refuted, checks: named(Role::Control) },
        leading: leading.map(|c| c.id),
        instances: leading.map(instances),
        tightest: leading.and_then(|c| c.tightest.as_ref()).map(sighting),
        witness: leading.and_then(|c| c.witness.as_ref()),
        without_hypothesis: result.dropped.iter().map(dropped).collect(),
        constants: result.ledgers.iter().map(ledger).collect(),
        series: result.series.iter().map(series).collect(),
    }
}

fn source(source: &Source) -> SourceDocument<'_> {
    SourceDocument { number: source.number, also: &source.also }
}

fn symbol(symbol: &Symbol) -> SymbolDocument<'_> {
    SymbolDocument { sign: symbol.sign, meaning: symbol.meaning }
}

fn reach<'a>((checks, reach): &'a (Vec<Cow<'static, str>>, Reach)) -> ReachDocument<'a> {
    ReachDocument { checks, fields: reach.in_words() }
}

fn assumptions(check: &CheckResult) -> AssumptionsDocument<'_> {
    let assumes = &check.assumes;
    AssumptionsDocument {
        given: &assumes.givens,
        assumed: &assumes.hypotheses,
        except: &assumes.exceptions,
        families: &assumes.restrictions,
        only_families: assumes.restricted_throughout,
        scale: check.scaled.as_ref().map(|s| ScaleDocument {
            instances: s.instances,
            of: s.name.as_deref(),
            within: finite(s.tolerance),
            most: finite(s.most),
        }),
    }
}

fn sense(sense: &SenseVerdict) -> SenseDocument<'static> {
    SenseDocument {
        name: sense.name,
        words: sense.words,
        verdict: sense.verdict,
        counted: sense.counted,
        decisive: sense.decisive.clone(),
    }
}

fn series(series: &SeriesResult) -> SeriesDocument<'_> {
    let table = series.outcome.as_ref().ok();
    SeriesDocument {
        id: &series.id,
        caption: &series.caption,
        note: table.and_then(|t| t.note()),
        columns: table.map(|t| t.columns().iter().map(column).collect()),
        rows: table.map(|t| t.rows().iter().map(|row| row.iter().map(cell).collect()).collect()),
        trouble: series.outcome.as_ref().err().map(String::as_str),
    }
}

fn column(column: &Column) -> ColumnDocument<'_> {
    ColumnDocument { name: &column.name, unit: &column.unit }
}

fn cell(entry: &Cell) -> CellDocument<'_> {
    match entry {
        Cell::Number(x) => CellDocument::Number([x.lo(), x.hi()].map(finite)),
        Cell::Count(n) => CellDocument::Count(*n),
        Cell::Text(text) => CellDocument::Text(text),
    }
}

fn dropped(dropped: &Dropped) -> DroppedDocument<'_> {
    DroppedDocument {
        hypothesis: &dropped.hypothesis,
        check: &dropped.check,
        without: match &dropped.fate {
            Without::Necessary { instance, sides, searched } => {
                FateDocument::Necessary { instance, sides, searched: *searched }
            }
            &Without::NoCounterexample { judged, searched } => {
                FateDocument::NoCounterexampleFound { judged, searched: searched.unwrap_or(0) }
            }
            &Without::Meaningless { tried } => FateDocument::Meaningless { tried },
            Without::Untried { .. } => FateDocument::Untried,
        },
    }
}

fn ledger(ledger: &Ledger) -> ConstantDocument<'_> {
    ConstantDocument {
        id: &ledger.id,
        statement: &ledger.statement,
        printed: &ledger.printed,
        entries: ledger.entries.iter().map(needed).collect(),
    }
}

fn needed(entry: &LedgerEntry) -> NeededDocument<'_> {
    NeededDocument {
        group: &entry.group,
        needed: [entry.needed.lo(), entry.needed.hi()].map(finite),
        instance: &entry.instance,
        measured: entry.measured,
    }
}

fn grade(grade: Grade) -> GradeDocument {
    let (name, alpha) = match grade {
        Grade::Measured => ("measured", None),
        Grade::Sampled { alpha } => ("sampled", Some(alpha)),
        Grade::Exact => ("exact", None),
        Grade::Proved => ("proved", None),
        Grade::Checked => ("checked", None),
    };
    GradeDocument { name, alpha }
}

fn instances(check: &CheckResult) -> InstancesDocument<'_> {
    let counts = &check.counts;
    InstancesDocument {
        met: counts.met,
        discarded: counts.discarded_total(),
        discarded_by: &counts.discarded,
        touching: counts.touching,
        vanishing: counts.vanishing,
        violated: counts.violated,
        violated_by: &counts.violated_by,
        undecided: counts.undecided,
        vacuous: counts.vacuous,
        unrepeated: counts.unrepeated,
        redrawn: counts.redrawn,
        failed: counts.failed,
        panicked: counts.panicked,
        families: &counts.by_family,
    }
}

fn sighting(sighting: &Sighting) -> SightingDocument<'_> {
    SightingDocument {
        instance: &sighting.instance,
        description: &sighting.description,
        sides: Sides::of(&sighting.comparison),
        scale: finite(sighting.comparison.scale),
        note: sighting.comparison.note.as_deref(),
    }
}

fn check(check: &CheckResult) -> CheckDocument<'_> {
    let standing = &check.classification;
    CheckDocument {
        id: check.id,
        role: check.role,
        statement: check.statement,
        hypotheses: assumptions(check),
        undeclared: &check.undeclared,
        senses: &standing.senses,
        implied_by: standing.implied_by,
        not_evidence: standing.not_evidence,
        our_constant: standing.our_constant,
        sides: standing.sides.as_ref(),
        because: standing.because,
        tested_by: standing.tested_by,
        weaknesses: check.weaknesses.iter().map(ToString::to_string).collect(),
        verdict: check.verdict,
        expected: check.expectation.verdict,
        reason: check.expectation.reason,
        grade: check.grade.map(grade),
        grade_without_theorems: check.grade_without_theorems.map(grade),
        instances: instances(check),
        tightest: check.tightest.as_ref().map(sighting),
        before_search: check.before_search.as_ref().map(sighting),
        doubtful: check.doubtful.as_ref().map(sighting),
        trouble: check.trouble.as_deref(),
        witness: check.witness.as_ref(),
        shortest_offered: check.shortest_offered.as_deref(),
        proofs: check.proofs.iter().map(proof).collect(),
        theorems: check.theorems.iter().map(|cited| theorem(cited, check.verdict)).collect(),
    }
}

fn proof(proof: &ProofResult) -> ProofDocument<'_> {
    let ends = |x: &Interval| -> Ends { [x.lo(), x.hi()].map(finite) };
    let (outcome, point, residual) = match &proof.conclusion.outcome {
        CoverResult::Covered => (ProofOutcome::Covered, None, None),
        CoverResult::Refuted { point, .. } => (ProofOutcome::Refuted, Some(point.as_slice()), None),
        CoverResult::Residual { open, hull } => {
            let hull = hull.iter().map(ends).collect();
            (ProofOutcome::Residual, None, Some(ResidualDocument { open: *open, hull }))
        }
    };
    ProofDocument {
        domain: proof.info.domain,
        form: proof.info.form,
        outcome,
        boxes: proof.conclusion.boxes,
        point,
        residual,
        succeeded: proof.succeeded(),
        inside: proof.inside,
        contradiction: proof.contradiction.as_deref(),
        controls: ProofControls {
            total: proof.controls.len(),
            refuted: proof.controls.iter().filter(|(_, c)| c.is_refuted()).count(),
        },
    }
}

fn theorem(cited: &Cited, verdict: Verdict) -> TheoremDocument<'_> {
    let theorem = cited.theorem.as_deref();
    TheoremDocument {
        name: cited.name,
        whole: cited.whole,
        refutes: theorem.map(Theorem::refutes),
        scope: theorem.map(|t| t.scope.as_str()),
        statement: theorem.map(|t| t.statement.as_str()),
        axioms: theorem.map(|t| t.axioms.as_slice()),
        control: theorem.and_then(|t| t.control.as_deref()),
        file: theorem.map(|t| t.file.as_str()),
        contradicted: cited.contradicts(verdict),
    }
}

/// JSON has no infinity: null stands for it.
fn finite(x: f64) -> Option<f64> {
    x.is_finite().then_some(x)
}

#[cfg(test)]
mod tests {
    use super::finite;

    #[test]
    fn only_finite_numbers_are_numbers_of_json() {
        assert_eq!([finite(2.5), finite(-0.0), finite(f64::MAX)], [Some(2.5), Some(-0.0), Some(f64::MAX)]);
        assert_eq!([f64::INFINITY, f64::NEG_INFINITY, f64::NAN].map(finite), [None; 3]);
    }
}
