//! The run as `REPORT.md`.

use std::fmt::Write;

use super::text::{cell, in_numbers, sentence};
use super::{Facts, Register};
use crate::budget::{MAX_SAMPLED_TRIALS, TRIAL_ALPHA};
use crate::claim::{Comparison, Role, Symbol};
use crate::run::{CheckResult, ClaimResult, ProofResult, Run, Sides, Witness};
use crate::verdict::Verdict;
use enclosures::enclosure::{Enclosure, plain, safe_digits};
use enclosures::interval::Interval;

/// The whole report. Only digits that the enclosures support are printed, and nothing that varies by machine.
#[must_use]
pub fn markdown(run: &Run, register: &Register, facts: &Facts) -> String {
    let mut out = String::new();
    opening(&mut out, run, register, facts);
    for paper in &register.papers {
        let done: Vec<&ClaimResult> = run.claims.iter().filter(|c| c.paper == paper.id).collect();
        let _ = writeln!(out, "\n## {}\n\n{}\n", paper.id, paper.citation);
        let _ = writeln!(
            out,
            "In the catalogue: {} of {} entries.\n",
            done.len(),
            paper.entries.len()
        );
        out.push_str(HEADER);
        for entry in &paper.entries {
            match done.iter().find(|c| c.id == entry.id) {
                Some(claim) => row(&mut out, claim),
                None => {
                    let name = entry.id.trim_start_matches(paper.id.as_str()).trim_start_matches('.');
                    let _ = writeln!(out, "| {name} | | {} | not yet | | | | | |", cell(&entry.title));
                }
            }
        }
        let known = register.ids();
        done.iter()
            .filter(|c| !known.contains(c.id))
            .for_each(|claim| row(&mut out, claim));
    }
    let others: Vec<&ClaimResult> = run
        .claims
        .iter()
        .filter(|c| register.papers.iter().all(|p| p.id != c.paper))
        .collect();
    if !others.is_empty() {
        let _ = writeln!(out, "\n## Other claims\n");
        out.push_str(HEADER);
        others.iter().for_each(|claim| row(&mut out, claim));
    }
    let broken = |c: &&ClaimResult| matches!(c.verdict(), Verdict::Fails | Verdict::Mixed);
    let failing: Vec<&ClaimResult> = run.claims.iter().filter(broken).collect();
    if !failing.is_empty() {
        let _ = writeln!(out, "\n## Claims that fail as printed, in every sense or in some");
        failing.iter().for_each(|claim| failure(&mut out, claim));
    }
    super::curves::curves(&mut out, run);
    super::ledger::ledgers(&mut out, run);
    if !run.claims.is_empty() {
        let _ = writeln!(out, "\n## Every check");
        run.claims.iter().for_each(|claim| every_check(&mut out, claim));
    }
    out
}

const HEADER: &str = "\
| claim | number | title | result | grade | met / discarded | tightest margin | controls refuted | notes |
|---|---|---|---|---|---|---|---|---|
";

fn opening(out: &mut String, run: &Run, register: &Register, facts: &Facts) {
    let _ = writeln!(out, "# Report\n");
    let _ = writeln!(
        out,
        "Every statement below was compared, side against side, on each instance of its families. PASS means that no \
         instance which met the hypotheses violates it (`holds`), or that a statement about growth agrees with the measured \
         trend (`consistent`); it is evidence, and a proof only where the grade says `proved`. FAIL means that an instance \
         violates the statement as printed, by more than every rounding and sampling error, and did so again when it was \
         re-read from the digits shown here. MIXED means that some senses of the printed words fail and others do not. The headline \
         is computed from the parts of the senses by one rule: within a sense the worst part wins; parts that are no evidence, say \
         nothing or follow from another are left out. A claim that no instance can break is worth nothing, so each claim carries \
         false variants (controls) that the same families must refute.\n"
    );
    let _ = writeln!(
        out,
        "Sides are enclosures: intervals that contain the true value, for a whole domain at once (`proved`), by outward rounding and \
         proven error bounds (`exact`), or with a probability (`sampled`); or they were computed in floating point without a bound \
         (`measured`). The weakest grade that enters a comparison is the comparison's. A sampled trial may miss with probability {}; at most {} of them \
         keep the whole run below 1e-6. Instances whose two sides agree to within 2^-30 of their size are counted as \
         attaining equality. Instances in doubt, whose margin contains zero and is wide, \
         stand in parentheses: a pass has none in its families, only among what the search tried at the edge of the numeric \
         range. A trend is judged by the 95 % interval of a fitted \
         exponent: inside the claimed one with its slack it is consistent, outside it fails, and otherwise it is inconclusive, which is \
         no pass. A trend that a first draw violates and the next does not is drawn twice more; it counts as redrawn if \
         neither violates it, and as in doubt otherwise. Margins are relative to the larger side. Digits that an enclosure does not support are not \
         printed.\n",
        plain(TRIAL_ALPHA, 2),
        MAX_SAMPLED_TRIALS,
    );
    let _ = writeln!(
        out,
        "| | |\n|---|---|\n| budget | {} |\n| seed | {} |",
        run.plan.budget, run.plan.seed
    );
    for (name, value) in facts {
        let _ = writeln!(out, "| {} | {} |", cell(name), cell(value));
    }
    let listed = register.ids();
    let of = |verdict: Verdict| run.claims.iter().filter(|c| c.verdict() == verdict).count();
    let absent = listed
        .iter()
        .filter(|id| run.claims.iter().all(|c| c.id != **id))
        .count();
    let (mut total, mut refuted, mut checks) = (0, 0, 0);
    for claim in &run.claims {
        let controls = claim.controls();
        total += controls.total;
        refuted += controls.refuted;
        checks += claim.checks.len() - controls.total;
    }
    let _ = writeln!(
        out,
        "\nClaims: {} hold, {} consistent, {} mixed, {} fail as printed, {} undecided, {} inconclusive, {} vacuous, {} not yet in the \
         catalogue. Readings, steps, amendments and sharpenings judged: {}. Controls refuted: {} of {}.",
        of(Verdict::Holds),
        of(Verdict::Consistent),
        of(Verdict::Mixed),
        of(Verdict::Fails),
        of(Verdict::Undecided),
        of(Verdict::Inconclusive),
        of(Verdict::Vacuous),
        absent,
        checks,
        refuted,
        total
    );
    let unexpected: Vec<String> = run
        .claims
        .iter()
        .flat_map(|c| {
            let checks = c.checks.iter().filter(|k| !k.as_expected()).map(|k| k.id);
            let series = c.missing_series().map(|(id, _)| id);
            checks.chain(series).map(|id| format!("{}.{id}", c.id))
        })
        .collect();
    if !unexpected.is_empty() {
        let _ = writeln!(out, "\n**Not as expected**: {}.", unexpected.join(", "));
    }
}

/// PASS, FAIL, or why neither.
fn result(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "PASS",
        Verdict::Consistent => "PASS (consistent)",
        Verdict::Mixed => "**MIXED**",
        Verdict::Fails => "**FAIL**",
        Verdict::Undecided => "undecided",
        Verdict::Inconclusive => "inconclusive",
        Verdict::Vacuous => "vacuous",
        Verdict::NotYet => "not yet",
    }
}

fn row(out: &mut String, claim: &ClaimResult) {
    let name = claim.id.trim_start_matches(claim.paper).trim_start_matches('.');
    let number = claim.source.as_ref().map_or("", |s| s.number);
    let controls = claim.controls();
    let mut notes = Vec::new();
    let headline = claim.headline();
    if headline.verdict != claim.expected.verdict {
        notes.push(format!("expected {}", claim.expected.verdict));
    }
    let why = headline.why();
    if why != headline.verdict.to_string() {
        notes.push(why);
    }
    notes.extend(claim.reconstructed.map(reconstruction));
    let mut reasons: Vec<&str> = claim.decisive().iter().filter_map(|c| c.expectation.reason).collect();
    reasons.dedup();
    notes.extend(reasons.into_iter().map(str::to_owned));
    let leading = claim.leading();
    if let Some(leading) = leading {
        if leading.counts.touching > 0 {
            notes.push(format!("equality attained on {} instances", leading.counts.touching));
        }
        notes.extend(leading.witness.iter().map(|w| format!("witness `{}`", w.file_name())));
    }
    for part in claim.decisive() {
        notes.extend(part.proofs.iter().map(proved));
    }
    let fates = |role: Role, word: &str| -> Vec<String> {
        claim
            .with_role(role)
            .map(|c| format!("{word} {}: {}", c.id, c.verdict))
            .collect()
    };
    notes.extend(fates(Role::Meant, "as meant"));
    notes.extend(fates(Role::Amendment, "amendment"));
    notes.extend(fates(Role::Sharpening, "sharpening"));
    let _ = writeln!(
        out,
        "| {name} | {} | {} | {} | {} | {} | {} | {} of {} | {} |",
        cell(number),
        cell(claim.title),
        result(claim.verdict()),
        claim.grade().map_or(String::new(), |g| g.to_string()),
        leading.map_or(String::new(), met),
        leading.map_or(String::new(), tightest),
        controls.refuted,
        controls.total,
        cell(&notes.join("; ")),
    );
}

/// What stands beside the verdict of a statement that its source has lost.
fn reconstruction(lost: &str) -> String {
    format!("reconstructed by us ({lost}); not held against the paper")
}

/// How a proof by subdivision ended, with its domain.
fn proved(proof: &ProofResult) -> String {
    let weak = proof.controls.iter().filter(|(_, c)| !c.is_refuted()).count();
    let mut text = format!("{}: {}", proof.info.domain, proof.conclusion);
    if proof.succeeded() {
        text.insert_str(0, "proved for ");
    } else {
        text.insert_str(0, "not proved for ");
    }
    if proof.controls.is_empty() || weak > 0 {
        text.push_str(", by a procedure that no control has failed");
    }
    if let Some(contradiction) = &proof.contradiction {
        let _ = write!(text, ", **contradicted** ({contradiction})");
    }
    text
}

fn met(check: &CheckResult) -> String {
    let counts = &check.counts;
    let mut text = format!("{} / {}", counts.met, counts.discarded_total());
    if counts.vacuous > 0 {
        let _ = write!(text, " (+{} say nothing)", counts.vacuous);
    }
    if counts.undecided > 0 {
        let _ = write!(text, " ({} in doubt)", counts.undecided);
    }
    if counts.redrawn > 0 {
        let _ = write!(text, " ({} redrawn)", counts.redrawn);
    }
    text
}

/// The relative margin to two digits, and the instance's name.
fn tightest(check: &CheckResult) -> String {
    let Some(sighting) = &check.tightest else {
        return String::new();
    };
    let c = &sighting.comparison;
    let relative = if c.margin.lo() <= 0.0 {
        "equality".into()
    } else if c.scale == 0.0 {
        "0".into()
    } else {
        safe_digits(c.margin.interval() / Interval::point(c.scale), 2)
    };
    format!("{relative} ({})", cell(&sighting.instance))
}

fn failure(out: &mut String, claim: &ClaimResult) {
    let headline = claim.headline();
    let _ = writeln!(out, "\n### {}: {}\n", claim.id, claim.title);
    let _ = writeln!(out, "Printed ({}): {}\n", place(claim), claim.statement);
    if let Some(lost) = claim.reconstructed {
        let _ = writeln!(out, "{}.\n", sentence(&reconstruction(lost)));
    }
    let _ = writeln!(out, "{}.\n", sentence(&headline.why()));
    for sense in headline.senses.iter().filter(|s| !s.words.is_empty()) {
        let _ = writeln!(
            out,
            "Sense {}: {}: {}.\n",
            sense.name,
            sense.words,
            result(sense.verdict)
        );
    }
    for part in claim.decisive() {
        let reason = part.expectation.reason.map_or(String::new(), |r| format!(": {r}"));
        let _ = writeln!(out, "It fails in {}, {}{reason}.\n", part.id, part.statement);
        if let Some(witness) = &part.witness {
            shown(out, witness);
        }
    }
    for meant in claim.with_role(Role::Meant) {
        let _ = writeln!(
            out,
            "\nAs meant ({}): {}: {}.",
            meant.id,
            meant.statement,
            result(meant.verdict)
        );
    }
    for amendment in claim.with_role(Role::Amendment) {
        let _ = writeln!(
            out,
            "\nCorrected ({}): {}: {} on {} instances.",
            amendment.id,
            amendment.statement,
            result(amendment.verdict),
            amendment.counts.met
        );
    }
}

fn place(claim: &ClaimResult) -> String {
    claim.source.as_ref().map_or(String::new(), |s| {
        std::iter::once(s.number)
            .chain(s.also.iter().copied())
            .collect::<Vec<_>>()
            .join("; ")
    })
}

fn shown(out: &mut String, witness: &Witness) {
    let Sides {
        left, relation, right, ..
    } = &witness.sides;
    let number = |ends: &[Option<f64>; 2]| {
        let [lo, hi] = [ends[0].unwrap_or(f64::NEG_INFINITY), ends[1].unwrap_or(f64::INFINITY)];
        Enclosure::between(lo, hi).to_string()
    };
    let _ = writeln!(
        out,
        "Witness `{}`: {}. The statement asks for {} {} {}.",
        witness.file_name(),
        witness.description,
        number(left),
        relation,
        number(right)
    );
    if let Some(convincing) = &witness.convincing {
        let _ = writeln!(
            out,
            "Where not {}: {}. The statement asks for {}.",
            convincing.degenerate,
            convincing.description,
            in_numbers(&convincing.sides)
        );
    }
}

fn every_check(out: &mut String, claim: &ClaimResult) {
    let _ = writeln!(out, "\n### {}\n\n{}\n", claim.id, claim.statement);
    if !claim.symbols.is_empty() {
        let meaning = |s: &Symbol| format!("{}: {}", s.sign, s.meaning);
        let meanings: Vec<String> = claim.symbols.iter().map(meaning).collect();
        let _ = writeln!(out, "Where {}.\n", meanings.join("; "));
    }
    for remark in &claim.remarks {
        let _ = writeln!(out, "{remark}\n");
    }
    for (checks, reach) in &claim.reach {
        let fields = reach.in_words();
        if !fields.is_empty() {
            let _ = writeln!(out, "Tried in {} on: {}.\n", listed(checks), fields.join("; "));
        }
    }
    if !claim.unmissed.is_empty() {
        let _ = writeln!(out, "**Missed by no instance**: {}.\n", claim.unmissed.join("; "));
    }
    out.push_str(
        "| check | part | compares | assuming | result | grade | met / discarded | tightest margin | stopped |\n\
         |---|---|---|---|---|---|---|---|---|\n",
    );
    for check in &claim.checks {
        let mut compares = check.statement.to_owned();
        let standing = &check.classification;
        if !standing.senses.is_empty() {
            let _ = write!(compares, " (sense {})", standing.senses.join(", "));
        }
        if let Some(other) = standing.implied_by {
            let _ = write!(compares, " (implied by {other})");
        }
        if let Some(why) = standing.not_evidence {
            let _ = write!(compares, " (not evidence: {why})");
        }
        if let Some(what) = standing.our_constant {
            let _ = write!(compares, " (the words leave it to us: {what})");
        }
        if let Some(why) = standing.because {
            let _ = write!(compares, " (counted as {} because {why})", check.role);
        }
        let note = check.tightest.as_ref().and_then(|t| t.comparison.note.as_deref());
        if let (Some(note), true) = (note, check.role != Role::Control) {
            let _ = write!(compares, " [{note}]");
        }
        let verdict = if check.role == Role::Control {
            if check.verdict == Verdict::Fails {
                "refuted"
            } else {
                "**survived**"
            }
            .to_owned()
        } else {
            let unexpected = if check.verdict == check.expectation.verdict {
                String::new()
            } else {
                format!(" (expected {})", check.expectation.verdict)
            };
            format!("{}{unexpected}", result(check.verdict))
        };
        let mut stopped = match (&check.witness, &check.trouble) {
            (Some(w), _) => format!("refuted by {}", sides_in_words(w)),
            (None, Some(trouble)) => format!("trouble: {trouble}"),
            (None, None) => check
                .doubtful
                .as_ref()
                .filter(|_| check.verdict == Verdict::Undecided)
                .map_or("budget spent".into(), |d| {
                    format!("in doubt: {} {}", d.instance, in_words(&d.comparison))
                }),
        };
        for proof in &check.proofs {
            let _ = write!(stopped, "; {}", proved(proof));
            if let Some(reason) = proof.info.form.or(proof.info.expected_residual) {
                let _ = write!(stopped, " [{reason}]");
            }
        }
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {verdict} | {} | {} | {} | {} |",
            check.id,
            check.role,
            cell(&compares),
            cell(&assumed(check)),
            check.grade.map_or(String::new(), |g| g.to_string()),
            met(check),
            if check.role == Role::Control {
                String::new()
            } else {
                tightest(check)
            },
            cell(&stopped)
        );
    }
}

/// Ids in a row, the middle ones left out where they are many.
fn listed(ids: &[&str]) -> String {
    match ids {
        [first, _, _, _, .., last] => format!("{first} to {last}"),
        few => few.join(", "),
    }
}

/// All that a check assumes, in one cell: with it the line is a complete statement.
fn assumed(check: &CheckResult) -> String {
    let assumes = &check.assumes;
    let mut told = Vec::new();
    let mut tell = |word: &str, list: Vec<&str>| {
        if !list.is_empty() {
            told.push(format!("{word}{}", list.join("; ")));
        }
    };
    tell("given ", assumes.givens.clone());
    tell("", assumes.hypotheses.clone());
    tell("except where ", assumes.exceptions.clone());
    tell(
        "**undeclared exception**: ",
        check.undeclared.iter().map(String::as_str).collect(),
    );
    tell("families: ", assumes.restrictions.iter().map(String::as_str).collect());
    if let Some(scaled) = &check.scaled {
        let of = scaled.name.map_or(String::new(), |name| format!(" of {name}"));
        told.push(format!(
            "on {} instances judged on a scale{of} of its own, differences of up to {} of the larger side let pass",
            scaled.instances,
            plain(scaled.most, 2)
        ));
    }
    told.join(". ")
}

fn in_words(c: &Comparison) -> String {
    format!("({} {} {})", c.lhs, c.relation, c.rhs)
}

fn sides_in_words(witness: &Witness) -> String {
    format!("{} (not {})", witness.description, in_numbers(&witness.sides))
}
