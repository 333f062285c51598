//! The first page: what a run means, every statement in a line, and what stands out.

use crate::checks::proof_in_words;
use crate::notes::Notes;
use crate::page::{Block, Item, Line, Page, Section, Table, Target};
use crate::place;
use crate::text::{result, shortened, tightest};
use crate::{proved, searched};
use enclosures::enclosure::{Grade, plain};
use evidence::budget::{MAX_SAMPLED_TRIALS, TRIAL_ALPHA};
use evidence::claim::Role;
use evidence::report::{Facts, Register};
use evidence::run::{CheckResult, ClaimResult, Run, Without};
use evidence::verdict::Verdict;

/// The most characters of a cell: what is longer stands on the page of the claim.
const LONGEST: usize = 120;

/// The first page of the report on a run. Only digits that the enclosures support are printed, and nothing that varies by machine.
#[must_use]
pub fn overview(run: &Run, register: &Register, facts: &Facts, notes: &Notes) -> Page {
    let mut sections =
        vec![Section::of(place::MEANING, meaning()), Section::of("Counts", counts(run, register, facts))];
    sections.extend(papers(run, register, notes));
    sections.extend([
        Section::of("Sharpest discoveries", discoveries(run)),
        Section::of("Measured only", measured(run)),
        Section::of("Hypotheses left out", hypotheses(run)),
        Section::of("Checks without power", powerless(run)),
    ]);
    let sections: Vec<Section> = sections.into_iter().flatten().collect();
    let link =
        |section: &Section| Line::new().link(section.title.clone(), Target::section(place::OVERVIEW, &section.title));
    let of_all = notes.folder(run).into_iter().flat_map(|folder| {
        [("What the search found", searched::path(folder)), ("What is proved", proved::path(folder))]
    });
    let of_all = of_all.map(|(title, path)| Line::new().link(title, Target::file(path)));
    let contents = Line::joined(sections.iter().map(link).chain(of_all), " · ");
    Page {
        path: place::OVERVIEW.to_owned(),
        title: "Report".to_owned(),
        opening: vec![Block::Paragraph(contents)],
        sections,
    }
}

fn meaning() -> Vec<Block> {
    vec![
        Block::Paragraph(
            Line::from("Every statement was compared, side against side, on each instance of its families. ")
                .strong("PASS")
                .text(
                    ": no instance that met the hypotheses violates it (holds), or a statement about growth agrees \
                     with the measured trend (",
                )
                .strong("consistent")
                .text("); this is evidence, and a proof only where the grade says proved. ")
                .strong("FAIL")
                .text(
                    ": an instance violates the statement as printed, by more than every rounding and sampling error, \
                     and did so again when it was re-read from its stored digits. ",
                )
                .strong("MIXED")
                .text(
                    ": some senses of the printed words fail and others do not. The headline is computed from the \
                     parts of the senses by one rule: within a sense the worst part wins; parts that are no evidence, \
                     say nothing or follow from another are left out. Every claim carries false variants (controls) \
                     that the same instances must refute. What is given holds by the construction of the instances, and \
                     the search keeps to it; what is assumed is checked on each. An instance that misses either is \
                     not counted, and one that leaves nothing to compare (an empty event, an infinite bound) says \
                     nothing. Sides below 2.3e-308 are not told apart by doubles. A page says once what every check on it assumes, and under a name (A1) what some \
                     assume besides.",
                ),
        ),
        Block::paragraph(format!(
            "Sides are enclosures, intervals that contain the true value: for a whole domain at once (grade proved), \
             by outward rounding and proven error bounds (exact), with a probability (sampled; a trial may miss with \
             probability {}, and at most {} of them keep the whole run below 1e-6), or without a bound, in \
             floating-point arithmetic (measured). The weakest grade that enters a comparison is the comparison's; of \
             a headline that passes it is the weakest among the parts that decide it, of one that fails the strongest \
             among the parts that fail, since one of them is enough. Sides that agree to within 2^-30 of their size \
             attain equality. Instances in doubt, whose margin contains zero and is wide, prevent a pass unless only \
             the search met them, at the edge of the numeric range. A trend is judged by the 95 % interval of a fitted \
             exponent: inside the claimed one with its slack it is consistent, outside it fails, otherwise it is \
             inconclusive, which is no pass; one that a first draw violates and the next does not is drawn twice more, \
             and is in doubt if either violates it. Margins are relative to the larger side, and a ratio is that of the smaller side to it. No digit is printed that \
             its enclosure does not support.",
            plain(TRIAL_ALPHA, 2),
            MAX_SAMPLED_TRIALS,
        )),
    ]
}

fn counts(run: &Run, register: &Register, facts: &Facts) -> Vec<Block> {
    let listed = register.ids();
    let of = |verdict: Verdict| run.claims.iter().filter(|c| c.verdict() == verdict).count();
    let absent = listed.iter().filter(|id| run.claims.iter().all(|c| c.id != **id)).count();
    let (mut total, mut refuted, mut checks) = (0, 0, 0);
    for claim in &run.claims {
        let controls = claim.controls();
        total += controls.total;
        refuted += controls.refuted;
        checks += claim.checks.len() - controls.total;
    }
    let mut blocks = vec![Block::paragraph(format!(
        "Claims: {} hold, {} consistent, {} mixed, {} fail as printed, {} undecided, {} inconclusive, {} vacuous, \
         {absent} not in this run. Readings, steps, amendments and sharpenings judged: {checks}. Controls refuted: \
         {refuted} of {total}.",
        of(Verdict::Holds),
        of(Verdict::Consistent),
        of(Verdict::Mixed),
        of(Verdict::Fails),
        of(Verdict::Undecided),
        of(Verdict::Inconclusive),
        of(Verdict::Vacuous),
    ))];
    let unexpected = |c: &&ClaimResult| !c.as_expected() || c.survivors().next().is_some();
    let unexpected: Vec<Line> = run.claims.iter().filter(unexpected).map(to_page).collect();
    if !unexpected.is_empty() {
        let line = Line::new().strong("Not as the catalogue expects").text(": ");
        blocks.push(Block::Paragraph(line.and(Line::joined(unexpected, ", ")).text(".")));
    }
    let mut table = Table::of(["run", ""]);
    table.push(["budget".into(), run.plan.budget.to_string().into()]);
    table.push(["seed".into(), run.plan.seed.to_string().into()]);
    for (name, value) in facts {
        table.push([name.clone().into(), value.clone().into()]);
    }
    blocks.push(Block::Table(table));
    blocks
}

fn papers(run: &Run, register: &Register, notes: &Notes) -> Vec<Option<Section>> {
    let mut sections = Vec::new();
    for paper in &register.papers {
        let done: Vec<&ClaimResult> = run.claims.iter().filter(|c| c.paper == paper.id).collect();
        if done.is_empty() {
            continue;
        }
        let found = |id: &str| done.iter().find(|c| c.id == id).copied();
        let ordered: Vec<&ClaimResult> = paper.entries.iter().filter_map(|e| found(&e.id)).collect();
        let known = register.ids();
        let ordered = ordered.into_iter().chain(done.iter().filter(|c| !known.contains(c.id)).copied());
        let mut blocks = vec![Block::paragraph(format!(
            "{}. In this run: {} of {} entries.",
            paper.citation,
            done.len(),
            paper.entries.len()
        ))];
        let links = notes.on(&paper.id).and_then(|notes| notes.links(run));
        blocks.extend(links.map(Block::Paragraph));
        blocks.extend(tables(&ordered.collect::<Vec<_>>(), &notes.program));
        let absent: Vec<&str> =
            paper.entries.iter().filter(|e| found(&e.id).is_none()).map(|e| e.id.as_str()).collect();
        if !absent.is_empty() {
            blocks.push(Block::Folded {
                summary: "Not in this run".to_owned(),
                inside: vec![Block::paragraph(format!("{}.", absent.join(", ")))],
            });
        }
        sections.push(Section::of(&paper.id, blocks));
    }
    let others: Vec<&ClaimResult> =
        run.claims.iter().filter(|c| register.papers.iter().all(|p| p.id != c.paper)).collect();
    sections.push(Section::of("Other claims", tables(&others, &notes.program)));
    sections
}

/// What there is to say of a claim in a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glance {
    /// The result in a word, with what qualifies it.
    pub result: Line,
    /// What is wrong, or the strongest that is known.
    pub told: Line,
    /// What holds in place of a statement that is false or mixed.
    pub instead: Option<Line>,
}

/// A claim in a line.
#[must_use]
pub fn glance(claim: &ClaimResult) -> Glance {
    let short = |text: &str| Line::written(&shortened(text, LONGEST));
    let result = word(claim);
    if is_broken(claim) {
        Glance { result, told: short(&wrong(claim)), instead: Some(short(&instead(claim))) }
    } else {
        Glance { result, told: short(&strongest(claim)), instead: None }
    }
}

fn is_broken(claim: &ClaimResult) -> bool {
    matches!(claim.verdict(), Verdict::Fails | Verdict::Mixed)
}

/// What is false or mixed, and what is neither.
fn tables(claims: &[&ClaimResult], program: &str) -> Vec<Block> {
    let mut broken = Table::of(["claim", "number", "result", "what is wrong", "what holds instead", "replay"]);
    let mut sound = Table::of(["claim", "number", "title", "result", "grade", "the strongest that is known"]);
    for claim in claims {
        let number = claim.source.as_ref().map_or("", |s| s.number);
        let Glance { result, told, instead } = glance(claim);
        match instead {
            Some(instead) => broken.push([
                to_page(claim),
                number.into(),
                result,
                told,
                instead,
                Line::new().code(format!("{program} replay {}", claim.id)),
            ]),
            None => sound.push([
                to_page(claim),
                number.into(),
                claim.title.into(),
                result,
                claim.grade().map_or(String::new(), |g| g.to_string()).into(),
                told,
            ]),
        }
    }
    let mut blocks = Vec::new();
    for (heading, table) in [("False or mixed as printed", broken), ("The others", sound)] {
        if !table.rows.is_empty() {
            blocks.push(Block::Heading(heading.to_owned()));
            blocks.push(Block::Table(table));
        }
    }
    blocks
}

fn to_page(claim: &ClaimResult) -> Line {
    Line::new().link(place::name(claim), Target::file(place::page(claim)))
}

/// The result in a word, with what qualifies it.
fn word(claim: &ClaimResult) -> Line {
    let verdict = claim.verdict();
    let mut line = match verdict {
        Verdict::Fails | Verdict::Mixed => Line::new().strong(result(verdict)),
        _ => Line::from(result(verdict)),
    };
    if claim.reconstructed.is_some() {
        line = line.text(", of a reconstruction");
    }
    if verdict != claim.expected.verdict {
        line = line.text(format!(", expected {}", claim.expected.verdict));
    }
    line
}

/// Why it fails, in the words of the parts that decide.
fn wrong(claim: &ClaimResult) -> String {
    let mut reasons: Vec<&str> = claim.decisive().iter().filter_map(|c| c.expectation.reason).collect();
    reasons.dedup();
    if reasons.is_empty() { claim.headline().why() } else { reasons.join("; ") }
}

/// What holds in its place: as meant, as amended, or in another sense.
fn instead(claim: &ClaimResult) -> String {
    let holding = |c: &&CheckResult| matches!(c.verdict, Verdict::Holds | Verdict::Consistent);
    if let Some(meant) = claim.with_role(Role::Meant).find(holding) {
        return format!("a misprint for: {}", meant.statement);
    }
    if let Some(amendment) = claim.with_role(Role::Amendment).find(holding) {
        return amendment.statement.to_owned();
    }
    let headline = claim.headline();
    let sense = headline.senses.iter().find(|s| s.verdict != Verdict::Fails);
    sense.map_or(String::new(), |sense| match sense.words {
        "" => format!("sense {}", sense.name),
        words => format!("sense {}: {words}", sense.name),
    })
}

/// A proof, a sharper statement, where equality is attained, or how much room there is.
fn strongest(claim: &ClaimResult) -> String {
    let decisive = claim.decisive();
    let mut proofs = decisive.iter().flat_map(|c| &c.proofs);
    if let Some(proof) = proofs.find(|p| p.succeeded()) {
        return proof_in_words(proof);
    }
    let sharper = |c: &&CheckResult| {
        matches!(c.verdict, Verdict::Holds | Verdict::Consistent) && c.classification.not_evidence.is_none()
    };
    if let Some(sharpening) = claim.with_role(Role::Sharpening).find(sharper) {
        return format!("even: {}", sharpening.statement);
    }
    claim.leading().and_then(tightest).unwrap_or_default()
}

/// Whether a sharpening is known to be true by enclosures, and to be attained: no factor can be gained.
fn is_attained(check: &CheckResult) -> bool {
    check.role == Role::Sharpening
        && check.verdict == Verdict::Holds
        && check.classification.not_evidence.is_none()
        && matches!(check.grade, Some(Grade::Exact | Grade::Proved))
        && check.counts.touching > 0
}

fn discoveries(run: &Run) -> Vec<Block> {
    let of = |claim: &ClaimResult| {
        let found: Vec<&CheckResult> = claim.checks.iter().filter(|c| is_attained(c)).collect();
        let first = found.first()?;
        let more = match found.len() {
            1 => String::new(),
            n => format!(" (and {} more)", n - 1),
        };
        let line = Line::new().link(claim.id, Target::section(place::page(claim), "Sharper"));
        Some(Item::from(line.text(format!(": {}{more}", shortened(first.statement, LONGEST)))))
    };
    let items: Vec<Item> = run.claims.iter().filter_map(of).collect();
    if items.is_empty() {
        return Vec::new();
    }
    vec![
        Block::paragraph(
            "Statements stronger than the printed ones that hold on every instance, with both sides enclosed, and are \
             attained: no factor can be gained. The proofs are on the pages.",
        ),
        Block::Items(items),
    ]
}

/// Links to the pages of some claims, paper by paper.
fn linked<'a>(claims: impl Iterator<Item = (&'a ClaimResult, usize)>) -> Vec<Block> {
    let mut papers: Vec<(&str, Vec<Line>)> = Vec::new();
    for (claim, times) in claims {
        if papers.last().is_none_or(|(paper, _)| *paper != claim.paper) {
            papers.push((claim.paper, Vec::new()));
        }
        let line = match times {
            1 => to_page(claim),
            n => to_page(claim).text(format!(" ({n})")),
        };
        if let Some((_, lines)) = papers.last_mut() {
            lines.push(line);
        }
    }
    let item = |(paper, lines): (&str, Vec<Line>)| {
        Item::from(Line::new().strong(paper).text(": ").and(Line::joined(lines, ", ")))
    };
    let items: Vec<Item> = papers.into_iter().map(item).collect();
    if items.is_empty() { Vec::new() } else { vec![Block::Items(items)] }
}

fn measured(run: &Run) -> Vec<Block> {
    let only = |c: &&ClaimResult| c.grade() == Some(Grade::Measured);
    with_words(
        "Headlines that rest on floating-point arithmetic without a bound (fitted slopes, trained networks, solvers): \
         a part that decides a pass is known so only, or every part that fails is.",
        linked(run.claims.iter().filter(only).map(|c| (c, 1))),
    )
}

fn with_words(words: &str, mut blocks: Vec<Block>) -> Vec<Block> {
    if !blocks.is_empty() {
        blocks.insert(0, Block::paragraph(words));
    }
    blocks
}

fn hypotheses(run: &Run) -> Vec<Block> {
    let all = || run.claims.iter().flat_map(|c| &c.dropped);
    if all().next().is_none() {
        return Vec::new();
    }
    let necessary = |fate: &Without| matches!(fate, Without::Necessary { .. });
    let standing = |fate: &Without| matches!(fate, Without::NoCounterexample { .. });
    let words = format!(
        "Every hypothesis of a statement that holds was left out in turn, {} in all: {} are necessary, for {} no \
         counterexample was found, which proves nothing. A check whose instances are costly (a flow, a network, a \
         sweep) or a list picked by hand is not searched for one. Those without a counterexample stand in:",
        all().count(),
        all().filter(|d| necessary(&d.fate)).count(),
        all().filter(|d| standing(&d.fate)).count(),
    );
    let count = |c: &'_ ClaimResult| c.dropped.iter().filter(|d| standing(&d.fate)).count();
    let claims = run.claims.iter().map(|c| (c, count(c))).filter(|(_, n)| *n > 0);
    let mut blocks = vec![Block::paragraph(words)];
    blocks.extend(linked(claims));
    blocks
}

fn powerless(run: &Run) -> Vec<Block> {
    let counted = |which: fn(&CheckResult) -> bool| {
        let count = move |c: &'_ ClaimResult| c.checks.iter().filter(|k| which(k)).count();
        linked(run.claims.iter().map(|c| (c, count(c))).filter(|(_, n)| *n > 0))
    };
    let mut blocks = with_words(
        "Found by machine: judged on one instance only; moved by no factor of two and no exchange of the sides (unless \
         a refuted control stands for that); a trend whose interval is too wide to refute an exponent half a unit \
         worse; controls refuted by a single instance, or only at magnitudes of 1e5 and beyond. The pages say which; \
         what is marked there is not counted as evidence.",
        counted(|k| !k.weaknesses.is_empty()),
    );
    blocks.extend(with_words(
        "Judged on two instances only, search included: little, but not left out. Trends are not listed, since each of \
         their instances is a whole sweep; of the others some are sweeps of sizes, too, which the pages describe.",
        counted(rests_on_two),
    ));
    blocks
}

/// Whether a check that passes was judged on two instances, neither of which is fitted.
fn rests_on_two(check: &CheckResult) -> bool {
    let passes = matches!(check.verdict, Verdict::Holds | Verdict::Consistent);
    let is_trend = check.tightest.as_ref().is_some_and(|t| t.comparison.trend);
    let counts = check.role != Role::Control && check.classification.not_evidence.is_none();
    counts && passes && check.grade != Some(Grade::Proved) && check.counts.met == 2 && !is_trend
}
