//! What the checks of a claim assume, each assumption said once on the page: what every check assumes first, what several assume under a
//! name, A1 and so on, that they give, and what one assumes with that check.

use crate::differences::{SHORTENED, differences};
use crate::page::{Block, Item, Line, Target};
use crate::place;
use crate::text::sentence;
use enclosures::enclosure::plain;
use evidence::claim::FamilyKind;
use evidence::run::{CheckResult, ClaimResult, Scaled};

/// The most characters of assumptions that stand with the only check that makes them; longer ones get a name.
const LONGEST: usize = 400;

/// What is tried besides a list of all that was picked, where a setting has instances that miss the assumptions of its other checks.
const PICKED: &str = "instances picked to miss an assumption";
/// The same where it has stored refutations.
const REPLAYED: &str = "the witnesses that the page shows for checks with these assumptions";

/// One assumption.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Assumption {
    /// Holds by the construction of the instances.
    Given(&'static str),
    /// Is checked on each of them.
    Hypothesis(&'static str),
    /// What alone is tried, or else which families do not hold all that the others allow.
    Tried(String),
    /// Where something larger than the sides is the measure of their difference, how far they may differ.
    Equal(String),
}

impl Assumption {
    fn in_words(&self) -> String {
        match self {
            Assumption::Given(text) => format!("given {text}"),
            Assumption::Hypothesis(text) => (*text).to_owned(),
            Assumption::Tried(text) | Assumption::Equal(text) => text.clone(),
        }
    }
}

/// Assumptions that the same checks make.
struct Group {
    assumptions: Vec<Assumption>,
    checks: Vec<&'static str>,
    /// Under which they stand, unless every check makes them, or one alone in few words.
    name: Option<String>,
}

impl Group {
    fn words(&self) -> Vec<String> {
        self.assumptions.iter().map(Assumption::in_words).collect()
    }

    /// As they stand with the only check that makes them.
    fn with_check(&self) -> String {
        let mut givens = Vec::new();
        let mut hypotheses = Vec::new();
        let mut others = Vec::new();
        for assumption in &self.assumptions {
            match assumption {
                Assumption::Given(text) => givens.push(*text),
                Assumption::Hypothesis(text) => hypotheses.push(*text),
                Assumption::Tried(text) | Assumption::Equal(text) => others.push(sentence(text)),
            }
        }
        let mut told = Vec::new();
        if !givens.is_empty() {
            told.push(format!("Given {}", givens.join("; ")));
        }
        if !hypotheses.is_empty() {
            told.push(format!("Assuming {}", hypotheses.join("; ")));
        }
        told.extend(others);
        told.join(". ")
    }
}

/// The assumptions of a claim's checks, and the page on which they stand.
pub(crate) struct Assumptions {
    page: String,
    checks: usize,
    groups: Vec<Group>,
}

impl Assumptions {
    /// The section of the page that holds them.
    pub(crate) const SECTION: &str = "What is assumed";

    pub(crate) fn of(claim: &ClaimResult) -> Self {
        // Every assumption once, with the checks that make it.
        let mut made: Vec<(Assumption, Vec<&'static str>)> = Vec::new();
        for check in &claim.checks {
            for assumption in of_check(check, claim) {
                match made.iter_mut().find(|(known, _)| *known == assumption) {
                    Some((_, checks)) => checks.push(check.id),
                    None => made.push((assumption, vec![check.id])),
                }
            }
        }
        let mut groups: Vec<Group> = Vec::new();
        for (assumption, checks) in made {
            match groups.iter_mut().find(|group| group.checks == checks) {
                Some(group) => group.assumptions.push(assumption),
                None => groups.push(Group { assumptions: vec![assumption], checks, name: None }),
            }
        }
        let mut all = Assumptions { page: place::page(claim), checks: claim.checks.len(), groups: Vec::new() };
        for mut group in groups {
            let short = group.checks.len() == 1 && group.with_check().chars().count() <= LONGEST;
            if !short && !all.is_common(&group) {
                group.name = Some(format!("A{}", all.named().count() + 1));
            }
            all.groups.push(group);
        }
        all
    }

    fn is_common(&self, group: &Group) -> bool {
        group.checks.len() == self.checks
    }

    fn named(&self) -> impl Iterator<Item = (&String, &Group)> {
        self.groups.iter().filter_map(|group| Some((group.name.as_ref()?, group)))
    }

    /// All that does not stand with a check.
    pub(crate) fn blocks(&self) -> Vec<Block> {
        let common = self.groups.iter().filter(|group| self.is_common(group)).flat_map(Group::words);
        let common: Vec<Item> = common.map(|text| Item::from(Line::written(&text))).collect();
        let under = |(name, group): (&String, &Group)| {
            let mut lines = group.words().into_iter().map(|text| Line::written(&text));
            let first = lines.next().unwrap_or_default();
            Item { line: Line::new().strong(name.clone()).text(": ").and(first), below: lines.collect() }
        };
        let named: Vec<Item> = self.named().map(under).collect();
        let mut blocks = Vec::new();
        for (line, items) in [("Every check assumes:", common), ("Some checks also assume:", named)] {
            if !items.is_empty() {
                blocks.push(Block::paragraph(line));
                blocks.push(Block::Items(items));
            }
        }
        if blocks.is_empty() {
            blocks.push(Block::paragraph("Only what each check states."));
        }
        blocks
    }

    /// What one check assumes beyond what every check does; empty if that is all.
    pub(crate) fn of_check(&self, check: &CheckResult) -> Line {
        let made = || self.groups.iter().filter(|g| g.checks.contains(&check.id) && !self.is_common(g));
        let names: Vec<&str> = made().filter_map(|group| group.name.as_deref()).collect();
        let under = (!names.is_empty()).then(|| {
            let there = Target::section(&self.page, Self::SECTION);
            Line::from("Under ").link(names.join(", "), there)
        });
        let alone = made().find(|group| group.name.is_none()).map(|group| Line::written(&group.with_check()));
        Line::joined(under.into_iter().chain(alone), ". ")
    }
}

fn of_check(check: &CheckResult, claim: &ClaimResult) -> Vec<Assumption> {
    let assumes = &check.assumes;
    let givens = assumes.givens.iter().map(|text| Assumption::Given(text));
    let hypotheses = assumes.hypotheses.iter().map(|text| Assumption::Hypothesis(text));
    let tried = tried(check, claim).map(Assumption::Tried);
    let equal = check.scaled.as_ref().map(|scaled| Assumption::Equal(on_a_scale(scaled)));
    givens.chain(hypotheses).chain(tried).chain(equal).collect()
}

/// What the families of a check restrict, in the words of all checks of these families.
fn tried(check: &CheckResult, claim: &ClaimResult) -> Option<String> {
    let assumes = &check.assumes;
    if assumes.restrictions.is_empty() {
        return None;
    }
    let short: Vec<Option<String>> = assumes.restrictions.iter().map(|list| differences(list)).collect();
    let note = if short.iter().any(Option::is_some) { format!(" ({SHORTENED})") } else { String::new() };
    let lists = short.into_iter().zip(&assumes.restrictions);
    let list = lists.map(|(short, whole)| short.unwrap_or_else(|| whole.clone())).collect::<Vec<_>>().join("; ");
    if !assumes.restricted_throughout {
        return Some(format!("some of the tested families contain only{note}: {list}"));
    }
    let alike = |c: &&CheckResult| c.assumes.givens == assumes.givens && c.assumes.restrictions == assumes.restrictions;
    let tries = |such: fn(&CheckResult) -> bool| claim.checks.iter().filter(alike).any(such);
    let picked = tries(|c| c.counts.by_family.contains_key(&FamilyKind::Outside)).then_some(PICKED);
    let besides: String =
        picked.into_iter().chain(tries(replays).then_some(REPLAYED)).map(|what| format!("; and {what}")).collect();
    Some(format!("tried only on{note}: {list}{besides}"))
}

/// Whether a check was tried on stored refutations and, besides these, on nothing but what its families list.
fn replays(check: &CheckResult) -> bool {
    let kinds = &check.counts.by_family;
    let unlisted = [FamilyKind::Random, FamilyKind::Search];
    kinds.contains_key(&FamilyKind::Witness) && unlisted.iter().all(|kind| !kinds.contains_key(kind))
}

/// Within what sides count as equal.
fn on_a_scale(scaled: &Scaled) -> String {
    let within = plain(scaled.tolerance, 2);
    let measure = match scaled.name.as_deref() {
        Some("1") => within,
        Some(name) => format!("{within} times {name}"),
        None => format!("{within} times the larger side, or times the terms before they cancel,"),
    };
    format!("sides within {measure} count as equal")
}
