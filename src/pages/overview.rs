//! The first page: what a run means, every statement in a line, and what stands out.

use crate::checks::proof_in_words;
use crate::notes::Notes;
use crate::page::{Block, Item, Line, Page, Section, Table, Target};
use crate::place;
use crate::text::{result, shortened, tightest};
use crate::{proved, searched, theorems};
use enclosures::enclosure::{Grade, plain};
use evidence::budget::{MAX_SAMPLED_TRIALS, TRIAL_ALPHA};
use evidence::claim::{RESOLUTION, Role};
use evidence::headline::COUNTED;
use evidence::report::{Facts, Register};
use evidence::run::{CheckResult, ClaimResult, Run, Without};
use evidence::verdict::Verdict;

/// The most characters of a cell: what is longer stands on the page of the claim.
const LONGEST: usize = 120;

/// The first page of the report on a run. Only digits that the enclosures support are printed, and nothing that varies by machine.
#[must_use]
pub fn overview(run: &Run, register: &Register, facts: &Facts, notes: &Notes) -> Page {
    let mut sections = vec![Section::of("Counts", counts(run, register, facts))];
    sections.extend(papers(run, register, notes));
    sections.extend([
        Section::of("Stronger statements that hold", discoveries(run)),
        Section::of("Measured only", measured(run)),
        Section::of("Hypotheses left out", hypotheses(run)),
        Section::of("Checks without power", powerless(run)),
        Section::of(place::MEANING, meaning()),
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

/// A word and what it means.
fn item(word: &str, meaning: impl Into<String>) -> Item {
    Item::from(Line::new().strong(word).text(format!(": {}", meaning.into())))
}

/// What the words of the tables and pages mean.
fn meaning() -> Vec<Block> {
    let verdicts = vec![
        item(
            "PASS",
            "no tested instance violates the statement (holds), or it agrees with all that was measured (consistent): a \
             growth with the claimed one, or sides with a constant that the words leave open and we chose. This is \
             evidence. It is a proof only where the grade is proved or checked.",
        ),
        item(
            "FAIL",
            format!(
                "an instance violates every sense of the printed words, by more than all rounding and sampling error, or, \
                 where a side is only measured, by more than {} of the scale. It did so again when it was read back from \
                 its stored digits.",
                plain(RESOLUTION, 2),
            ),
        ),
        item(
            "MISPRINT",
            "the printed words fail, and what was evidently meant, the same statement but for a slip of the pen, holds \
             or is consistent.",
        ),
        item("MIXED", "the printed words allow several senses; some fail and others do not."),
        item(
            "Headline",
            "one rule computes it. Within a sense the worst part decides. Parts that are no evidence, that say nothing, \
             or that another part implies do not count.",
        ),
        item("Controls", "deliberately false variants, which the same instances must refute."),
        item(
            "Assumptions",
            "what is given holds by the construction of the instances; what is assumed is checked on each instance. \
             An instance that misses an assumption is not counted. An instance that leaves nothing to compare (an \
             empty event, an infinite bound) says nothing. A page states once what all its checks assume, and under a \
             name (A1) what only some assume.",
        ),
    ];
    let numbers = vec![
        item(
            "Sides",
            "both sides of a statement are enclosures: intervals that contain the true value. No digit is printed that \
             its enclosure does not support. Sides below 2.3e-308 are not told apart. An \
             equation holds on an instance whose sides agree to within 2^-30 of their size, which is nine digits, or \
             within what its line names, and fails where they differ by more.",
        ),
        item(
            "Grade",
            format!(
                "how well a number is known. Checked: by a theorem that says all that the check says and whose proof \
                 Coq's kernel accepts, for the scope named with it; a headline is checked only if every check that \
                 decides it is, and the checks cover all that the words say. Proved: for a whole domain at once. \
                 Exact: on each instance, by outward rounding and proven error bounds. Sampled: within a confidence \
                 interval; a trial misses with probability at most {}, and at most {} trials keep the whole run below \
                 1e-6. Measured: by floating-point arithmetic without a bound. A comparison has the weakest grade \
                 that enters it. A headline that passes has the weakest grade of the parts that decide it; one that \
                 fails has the strongest grade of its failing parts, since one of them is enough. The grade of MIXED \
                 and MISPRINT is that of the refutation; the page has the grade of what passes.",
                plain(TRIAL_ALPHA, 2),
                MAX_SAMPLED_TRIALS,
            ),
        ),
        item(
            "Margin and ratio",
            "a margin is relative to the larger side. A ratio is the smaller side over the larger one.",
        ),
        item(
            "Undecided",
            "the margin contains zero and is wide. An undecided instance that the search found is counted and shown. Any \
             other undecided instance prevents a PASS.",
        ),
        item(
            "Trend",
            "growth is judged by the 95 % interval of a fitted exponent. Inside the claimed exponent and its slack the \
             statement is consistent, outside it fails, otherwise it is inconclusive, which is no PASS. A trend that \
             fails on the first draw and not on the second is drawn twice more; if either of these fails, it is \
             undecided.",
        ),
    ];
    vec![Block::Items(verdicts), Block::Items(numbers)]
}

/// The rows of the table of counts: every paper, what was reconstructed apart, and all.
fn counted(run: &Run) -> Vec<(String, Vec<&ClaimResult>)> {
    let mut papers: Vec<&str> = Vec::new();
    for claim in &run.claims {
        if !papers.contains(&claim.paper) {
            papers.push(claim.paper);
        }
    }
    let of = |keep: &dyn Fn(&ClaimResult) -> bool| run.claims.iter().filter(|c| keep(c)).collect::<Vec<_>>();
    let printed = papers.iter().map(|&p| (p.to_owned(), of(&|c| c.paper == p && c.reconstructed.is_none())));
    let rebuilt = papers
        .iter()
        .map(|&p| (format!("{p}, reconstructed by us"), of(&|c| c.paper == p && c.reconstructed.is_some())));
    let rows = printed.chain(rebuilt).chain([("all".to_owned(), of(&|_| true))]);
    rows.filter(|(_, claims)| !claims.is_empty()).collect()
}

fn counts(run: &Run, register: &Register, facts: &Facts) -> Vec<Block> {
    let of = |claims: &[&ClaimResult], verdict| claims.iter().filter(|c| c.verdict() == verdict).count();
    let all: Vec<&ClaimResult> = run.claims.iter().collect();
    // The first five are always told, the others where there are any.
    let told = COUNTED.iter().enumerate().filter(|(at, (verdict, _))| *at < 5 || of(&all, *verdict) > 0);
    let told: Vec<Verdict> = told.map(|(_, (verdict, _))| *verdict).collect();
    let mut table = Table::of(["paper", "claims"]);
    table.columns.extend(told.iter().map(|&verdict| result(verdict).to_owned()));
    for (name, claims) in counted(run) {
        let mut row: Vec<Line> = vec![name.into(), claims.len().to_string().into()];
        row.extend(told.iter().map(|&verdict| Line::from(of(&claims, verdict).to_string())));
        table.rows.push(row);
    }
    let listed = register.ids();
    let absent = listed.iter().filter(|id| run.claims.iter().all(|c| c.id != **id)).count();
    let (mut total, mut refuted, mut checks) = (0, 0, 0);
    for claim in &run.claims {
        let controls = claim.controls();
        total += controls.total;
        refuted += controls.refuted;
        checks += claim.checks.len() - controls.total;
    }
    let mut about = format!(
        "{checks} statements were judged: the senses of {} claims, steps of their proofs, corrected and stronger \
         forms. {refuted} of {total} false variants were refuted.",
        run.claims.len()
    );
    if absent > 0 {
        about.push_str(&format!(" {absent} claims were not in this run."));
    }
    if run.claims.iter().any(|c| c.reconstructed.is_some()) {
        about.push_str(
            " Our copy of one paper lost formulas. Statements that we reconstructed are counted apart and not held \
             against the paper.",
        );
    }
    let mut blocks = vec![Block::Table(table), Block::paragraph(about)];
    blocks.extend(theorems::counted(run).map(Block::paragraph));
    let unexpected = |c: &&ClaimResult| !c.as_expected() || c.survivors().next().is_some();
    let unexpected: Vec<Line> = run.claims.iter().filter(unexpected).map(to_page).collect();
    if !unexpected.is_empty() {
        let line = Line::new().strong("Not as the catalogue expects").text(": ");
        blocks.push(Block::Paragraph(line.and(Line::joined(unexpected, ", ")).text(".")));
    }
    let mut made = Table::of(["run", ""]);
    made.push(["budget".into(), run.plan.budget.to_string().into()]);
    made.push(["seed".into(), run.plan.seed.to_string().into()]);
    for (name, value) in facts {
        made.push([name.clone().into(), value.clone().into()]);
    }
    blocks.push(Block::Folded { summary: "How this run was made".to_owned(), inside: vec![Block::Table(made)] });
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
        let version = notes.on(&paper.id).map(|notes| notes.errata.version.as_str()).filter(|v| !v.is_empty());
        let version = version.map_or(String::new(), |version| format!(" The version that was read: {version}."));
        let mut blocks = vec![Block::paragraph(format!(
            "{}.{version} In this run: {} of {} entries.{}",
            paper.citation,
            done.len(),
            paper.entries.len(),
            reconstructions(&done)
        ))];
        let links = notes.on(&paper.id).and_then(|notes| notes.links(run));
        blocks.extend(links.map(Block::Paragraph));
        blocks.extend(tables(&ordered.collect::<Vec<_>>(), notes));
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
    sections.push(Section::of("Other claims", tables(&others, notes)));
    sections
}

/// How many entries of a paper rest on formulas that its copy lost.
fn reconstructions(claims: &[&ClaimResult]) -> String {
    match claims.iter().filter(|c| c.reconstructed.is_some()).count() {
        0 => String::new(),
        n => format!(
            " Our copy of the text lost the formulas of {n} of them: we reconstructed these, and their verdicts are \
             not held against the paper."
        ),
    }
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
    matches!(claim.verdict(), Verdict::Fails | Verdict::Misprint | Verdict::Mixed)
}

/// What is false or mixed, and what is neither.
fn tables(claims: &[&ClaimResult], notes: &Notes) -> Vec<Block> {
    let mut broken = Table::of(["claim", "number", "result", "what is wrong", "what holds instead", "replay"]);
    let mut sound =
        Table::of(["claim", "number", "title", "result", "grade", "proof, stronger form, or tightest instance"]);
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
                Line::new().code(match &notes.files {
                    Some(files) => format!("{} verify {files}", notes.program),
                    None => format!("{} replay {}", notes.program, claim.id),
                }),
            ]),
            None => sound.push([to_page(claim), number.into(), claim.title.into(), result, graded(claim), told]),
        }
    }
    let mut blocks = Vec::new();
    for (heading, table) in [("False, misprinted or mixed as printed", broken), ("The others", sound)] {
        if !table.rows.is_empty() {
            blocks.push(Block::Heading(heading.to_owned()));
            blocks.push(Block::Table(table));
        }
    }
    blocks
}

/// The grade of the headline; of one that theorems make, what they are proved for.
fn graded(claim: &ClaimResult) -> Line {
    match claim.grade() {
        None => Line::new(),
        Some(Grade::Checked) => {
            let there = Target::section(place::page(claim), theorems::SECTION);
            Line::new().link("checked", there).text(format!(": {}", theorems::scope(claim)))
        }
        Some(grade) => grade.to_string().into(),
    }
}

fn to_page(claim: &ClaimResult) -> Line {
    Line::new().link(place::name(claim), Target::file(place::page(claim)))
}

/// The result in a word, with what qualifies it.
fn word(claim: &ClaimResult) -> Line {
    let verdict = claim.verdict();
    let mut line = match verdict {
        Verdict::Fails | Verdict::Misprint | Verdict::Mixed => Line::new().strong(result(verdict)),
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
        return format!("stronger: {}", sharpening.statement);
    }
    claim.leading().and_then(tightest).unwrap_or_default()
}

/// Whether a sharpening is known to be true by enclosures, and its sides meet on some instance.
fn is_attained(check: &CheckResult) -> bool {
    check.role == Role::Sharpening
        && check.verdict == Verdict::Holds
        && check.classification.not_evidence.is_none()
        && matches!(check.grade_without_theorems, Some(Grade::Exact | Grade::Proved))
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
        let line = Line::new().link(claim.id, Target::section(place::page(claim), "Stronger forms"));
        Some(Item::from(line.text(format!(": {}{more}", shortened(first.statement, LONGEST)))))
    };
    let items: Vec<Item> = run.claims.iter().filter_map(of).collect();
    if items.is_empty() {
        return Vec::new();
    }
    vec![
        Block::paragraph(
            "Each is stronger than the printed statement, or than what it evidently means. It holds on every tested \
             instance, with all sides enclosed, and on some of them two neighbouring sides agree to nine digits. The \
             pages have the proofs.",
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
        "Headlines that rest on floating-point arithmetic without an error bound (fitted slopes, trained networks, \
         solvers). If such a headline passes, a part that decides it is only measured. If it fails, so is every failing \
         part of some sense; the parts of other senses may be exact.",
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
        "Each hypothesis of a statement that holds was left out in turn, {} in all. {} are necessary. For {} no \
         counterexample was found, which proves nothing. No counterexample is searched for if the instances are costly \
         (a flow, a network, a sweep) or a list picked by hand. Claims with a hypothesis without a counterexample:",
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
        "The program finds these. A check was judged on one instance only; or no factor of two and no exchange of its \
         sides is refuted (nor a control in their place); or the interval of its trend is too wide to refute an \
         exponent half a unit worse; or a control is refuted by a single instance, or only at magnitudes of 1e5 and \
         beyond. The pages say which. A check that is marked there does not count as evidence.",
        counted(|k| !k.weaknesses.is_empty()),
    );
    blocks.extend(with_words(
        "The following checks were judged on two instances only, including the search. This is weak evidence, but it \
         counts. Trends are not listed, since each of their instances is a whole sweep. Some of the others are sweeps \
         of sizes as well; their pages describe them.",
        counted(rests_on_two),
    ));
    blocks
}

/// Whether a check that passes was judged on two instances, neither of which is fitted.
fn rests_on_two(check: &CheckResult) -> bool {
    let passes = matches!(check.verdict, Verdict::Holds | Verdict::Consistent);
    let is_trend = check.tightest.as_ref().is_some_and(|t| t.comparison.trend);
    let counts = check.role != Role::Control && check.classification.not_evidence.is_none();
    counts
        && passes
        && !matches!(check.grade, Some(Grade::Proved | Grade::Checked))
        && check.counts.met == 2
        && !is_trend
}
