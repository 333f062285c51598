//! The run as JSON, under a versioned schema that `docs/json.md` describes.

use serde_json::{Map, Value, json as object};

use super::{Facts, Register};
use crate::claim::{Column, Entry as Cell, Role};
use crate::headline::SenseVerdict;
use crate::run::{
    CheckResult, ClaimResult, Dropped, Entry, Ledger, ProofResult, Reach, Run, SeriesResult, Sides, Sighting, Without,
};
use enclosures::enclosure::Grade;
use enclosures::interval::Interval;
use enclosures::proof::Outcome;

/// Version of the schema.
pub const SCHEMA: u32 = 2;

/// The whole run: facts, one entry per claim of the register, and claims outside it after those.
#[must_use]
pub fn json(run: &Run, register: &Register, facts: &Facts) -> Value {
    let mut claims: Vec<Value> = Vec::new();
    for (paper, entry) in register
        .papers
        .iter()
        .flat_map(|p| p.entries.iter().map(move |e| (p, e)))
    {
        claims.push(match run.claims.iter().find(|c| c.id == entry.id) {
            Some(result) => claim(result),
            None => object!({"id": entry.id, "paper": paper.id, "title": entry.title, "verdict": "not-yet"}),
        });
    }
    let known = register.ids();
    claims.extend(run.claims.iter().filter(|c| !known.contains(c.id)).map(claim));
    let facts: Map<String, Value> = facts
        .iter()
        .map(|(k, v)| (k.clone(), Value::String(v.clone())))
        .collect();
    object!({
        "schema": SCHEMA,
        "seed": run.plan.seed,
        "budget": run.plan.budget.to_string(),
        "facts": facts,
        "claims": claims,
    })
}

fn claim(result: &ClaimResult) -> Value {
    let controls = result.controls();
    let headline = result.headline();
    let leading = result.leading();
    let named = |role: Role| -> Vec<Value> { result.with_role(role).map(check).collect() };
    let checks: Vec<Value> = result
        .checks
        .iter()
        .filter(|c| c.role.is_reading() || c.role == Role::Step)
        .map(check)
        .collect();
    object!({
        "id": result.id,
        "paper": result.paper,
        "title": result.title,
        "kind": result.kind.to_string(),
        "statement": result.statement,
        "source": result.source.as_ref().map(|s| object!({"number": s.number, "also": s.also})),
        "unmissed": result.unmissed,
        "tried_on": result.reach.iter().map(reach).collect::<Vec<_>>(),
        "symbols": result.symbols.iter().map(|s| object!({"sign": s.sign, "meaning": s.meaning})).collect::<Vec<_>>(),
        "remarks": result.remarks,
        "reconstructed": result.reconstructed,
        "verdict": headline.verdict.to_string(),
        "expected": result.expected.verdict.to_string(),
        "why": headline.why(),
        "senses": headline.senses.iter().map(sense).collect::<Vec<_>>(),
        "as_meant": headline.as_meant.map(|v| v.to_string()),
        "grade": result.grade().map(grade),
        "reason": leading.and_then(|c| c.expectation.reason),
        "checks": checks,
        "amendments": named(Role::Amendment),
        "sharpenings": named(Role::Sharpening),
        "controls": {"total": controls.total, "refuted": controls.refuted, "checks": named(Role::Control)},
        "leading": leading.map(|c| c.id),
        "instances": leading.map(instances),
        "tightest": leading.and_then(|c| c.tightest.as_ref()).map(sighting),
        "witness": leading.and_then(|c| c.witness.as_ref()),
        "without_hypothesis": result.dropped.iter().map(dropped).collect::<Vec<_>>(),
        "constants": result.ledgers.iter().map(ledger).collect::<Vec<_>>(),
        "series": result.series.iter().map(series).collect::<Vec<_>>(),
    })
}

fn reach((checks, reach): &(Vec<&'static str>, Reach)) -> Value {
    object!({"checks": checks, "fields": reach.in_words()})
}

fn assumptions(check: &CheckResult) -> Value {
    let assumes = &check.assumes;
    object!({
        "given": assumes.givens,
        "assumed": assumes.hypotheses,
        "except": assumes.exceptions,
        "families": assumes.restrictions,
        "scale": check.scaled.as_ref().map(|s| object!({"instances": s.instances, "of": s.name, "most": s.most})),
    })
}

fn sense(sense: &SenseVerdict) -> Value {
    object!({
        "name": sense.name,
        "words": sense.words,
        "verdict": sense.verdict.to_string(),
        "counted": sense.counted,
        "decisive": sense.decisive,
    })
}

fn series(series: &SeriesResult) -> Value {
    let column = |c: &Column| object!({"name": c.name, "unit": c.unit});
    let cell = |entry: &Cell| match entry {
        Cell::Number(x) => object!([x.lo(), x.hi()].map(|e| e.is_finite().then_some(e))),
        Cell::Count(n) => object!(n),
        Cell::Text(text) => object!(text),
    };
    let table = series.outcome.as_ref().ok();
    let row = |row: &Vec<Cell>| row.iter().map(cell).collect::<Vec<_>>();
    object!({
        "id": series.id,
        "caption": series.caption,
        "note": table.and_then(|t| t.note()),
        "columns": table.map(|t| t.columns().iter().map(column).collect::<Vec<_>>()),
        "rows": table.map(|t| t.rows().iter().map(row).collect::<Vec<_>>()),
        "trouble": series.outcome.as_ref().err(),
    })
}

fn dropped(dropped: &Dropped) -> Value {
    let fate = match &dropped.fate {
        Without::Necessary { instance, sides } => object!({"fate": "necessary", "instance": instance, "sides": sides}),
        Without::NoCounterexample { judged, searched } => {
            object!({"fate": "no-counterexample-found", "judged": judged, "searched": searched})
        }
        Without::Meaningless { tried } => object!({"fate": "meaningless", "tried": tried}),
        Without::Untried => object!({"fate": "untried"}),
    };
    object!({"hypothesis": dropped.hypothesis, "check": dropped.check, "without": fate})
}

fn ledger(ledger: &Ledger) -> Value {
    let entry = |e: &Entry| {
        object!({
            "group": e.group,
            "needed": [e.needed.lo(), e.needed.hi()],
            "instance": e.instance,
            "measured": e.measured,
        })
    };
    object!({
        "id": ledger.id,
        "statement": ledger.statement,
        "printed": ledger.printed,
        "entries": ledger.entries.iter().map(entry).collect::<Vec<_>>(),
    })
}

fn grade(grade: Grade) -> Value {
    match grade {
        Grade::Sampled { alpha } => object!({"name": "sampled", "alpha": alpha}),
        other => object!({"name": other.to_string()}),
    }
}

fn instances(check: &CheckResult) -> Value {
    let counts = &check.counts;
    let families: Map<String, Value> = counts
        .by_family
        .iter()
        .map(|(family, n)| (family.to_string(), object!(n)))
        .collect();
    object!({
        "met": counts.met,
        "discarded": counts.discarded_total(),
        "discarded_by": counts.discarded,
        "touching": counts.touching,
        "violated": counts.violated,
        "undecided": counts.undecided,
        "vacuous": counts.vacuous,
        "unrepeated": counts.unrepeated,
        "redrawn": counts.redrawn,
        "failed": counts.failed,
        "panicked": counts.panicked,
        "families": families,
    })
}

fn sighting(sighting: &Sighting) -> Value {
    object!({
        "instance": sighting.instance,
        "description": sighting.description,
        "sides": Sides::of(&sighting.comparison),
        "scale": sighting.comparison.scale,
        "note": sighting.comparison.note,
    })
}

fn check(check: &CheckResult) -> Value {
    object!({
        "id": check.id,
        "role": check.role.to_string(),
        "statement": check.statement,
        "hypotheses": assumptions(check),
        "undeclared": check.undeclared,
        "senses": check.classification.senses,
        "implied_by": check.classification.implied_by,
        "not_evidence": check.classification.not_evidence,
        "our_constant": check.classification.our_constant,
        "because": check.classification.because,
        "tested_by": check.classification.tested_by,
        "weaknesses": check.weaknesses.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "verdict": check.verdict.to_string(),
        "expected": check.expectation.verdict.to_string(),
        "reason": check.expectation.reason,
        "grade": check.grade.map(grade),
        "instances": instances(check),
        "tightest": check.tightest.as_ref().map(sighting),
        "doubtful": check.doubtful.as_ref().map(sighting),
        "trouble": check.trouble,
        "witness": check.witness,
        "proofs": check.proofs.iter().map(proof).collect::<Vec<_>>(),
    })
}

fn proof(proof: &ProofResult) -> Value {
    let ends = |x: &Interval| [x.lo(), x.hi()].map(|e| e.is_finite().then_some(e));
    let (outcome, point, residual) = match &proof.conclusion.outcome {
        Outcome::Covered => ("covered", None, None),
        Outcome::Refuted { point, .. } => ("refuted", Some(point), None),
        Outcome::Residual { open, hull } => {
            let hull: Vec<_> = hull.iter().map(ends).collect();
            ("residual", None, Some(object!({"open": open, "hull": hull})))
        }
    };
    object!({
        "domain": proof.info.domain,
        "form": proof.info.form,
        "outcome": outcome,
        "boxes": proof.conclusion.boxes,
        "point": point,
        "residual": residual,
        "succeeded": proof.succeeded(),
        "inside": proof.inside,
        "contradiction": proof.contradiction,
        "controls": {
            "total": proof.controls.len(),
            "refuted": proof.controls.iter().filter(|(_, c)| c.is_refuted()).count(),
        },
    })
}
