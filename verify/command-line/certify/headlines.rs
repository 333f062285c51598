//! Which headlines are certified, and which way.
//!
//! A headline fails by its failing senses, and one false part makes a sense false. A part is false by an instance whose comparison Coq
//! refuses to hold, or by a recorded theorem that refutes it.

use evidence::claim::{CheckInfo, Claim};
use evidence::headline::Headline;
use evidence::verdict::Verdict;

use super::super::console::say;

/// The failing parts of one failing sense.
struct FailingSense {
    name: &'static str,
    parts: Vec<FailingPart>,
}

struct FailingPart {
    /// The name of its counterexample.
    counterexample: String,
    id: &'static str,
    /// The recorded theorem that refutes it.
    theorem: Option<&'static str>,
    /// Whether Coq accepts its counterexample, and how many of the numbers in it are any in an interval.
    accepted: Option<usize>,
}

struct FailingHeadline {
    claim: String,
    verdict: Verdict,
    senses: Vec<FailingSense>,
}

/// The headlines that fail, with what is certified of them.
#[derive(Default)]
pub struct Headlines(Vec<FailingHeadline>);

/// What refutes a part, for a reader.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Instance,
    Theorem,
}

impl FailingPart {
    fn of(claim: &Claim, check: &CheckInfo) -> Self {
        let refutes = |cited: &&evidence::claim::Cited| cited.theorem.as_ref().is_some_and(|theorem| theorem.refutes());
        FailingPart {
            counterexample: format!("{}.{}", claim.id, check.id),
            id: check.id,
            theorem: check.theorems.iter().find(refutes).map(|cited| cited.name),
            accepted: None,
        }
    }
}

impl FailingSense {
    /// How it is refuted, and in words: by an instance with as few given numbers as there are, otherwise by a theorem.
    fn refutation(&self) -> Option<(Way, usize, String)> {
        let by_instance = self.parts.iter().filter_map(|part| Some((part.accepted?, part.id))).min();
        let by_theorem = || self.parts.iter().find_map(|part| part.theorem);
        by_instance
            .map(|(given, part)| (Way::Instance, given, format!("{part} by instance")))
            .or_else(|| by_theorem().map(|name| (Way::Theorem, 0, format!("by theorem {name}"))))
    }

    fn called(&self) -> String {
        if self.name.is_empty() { "the statement".to_owned() } else { format!("sense {}", self.name) }
    }
}

impl Headlines {
    /// Takes note of a headline, if it fails.
    pub fn add(&mut self, claim: &Claim, headline: &Headline) {
        let checks = claim.checks();
        let failing = headline.senses.iter().filter(|sense| sense.verdict == Verdict::Fails);
        let parts = |decisive: &[&'static str]| -> Vec<FailingPart> {
            let of_id = |id: &&'static str| checks.iter().find(|check| check.id == *id);
            decisive.iter().filter_map(of_id).map(|check| FailingPart::of(claim, check)).collect()
        };
        let senses: Vec<FailingSense> =
            failing.map(|sense| FailingSense { name: sense.name, parts: parts(&sense.decisive) }).collect();
        if !senses.is_empty() {
            self.0.push(FailingHeadline { claim: claim.id.to_owned(), verdict: headline.verdict, senses });
        }
    }

    /// Coq accepts a counterexample in which so many numbers are any in an interval.
    pub fn accept(&mut self, counterexample: &str, given: usize) {
        let parts = self.0.iter_mut().flat_map(|headline| &mut headline.senses).flat_map(|sense| &mut sense.parts);
        parts.filter(|part| part.counterexample == counterexample).for_each(|part| part.accepted = Some(given));
    }

    /// Says of each headline whether it is certified and how, and counts.
    pub fn say(&self) -> Result<(), cli::Trouble> {
        let (mut by_instance, mut with_given, mut by_theorem) = (0, 0, 0);
        for headline in &self.0 {
            let refutations: Vec<_> = headline.senses.iter().map(FailingSense::refutation).collect();
            let told = headline.senses.iter().zip(&refutations).map(|(sense, refutation)| match refutation {
                Some((_, _, words)) => format!("{}: {words}", sense.called()),
                None => format!("{}: not", sense.called()),
            });
            let told: Vec<String> = told.collect();
            let all: Option<Vec<&(Way, usize, String)>> = refutations.iter().map(Option::as_ref).collect();
            let certified = match &all {
                Some(all) if all.iter().all(|(way, ..)| *way == Way::Instance) => {
                    by_instance += 1;
                    with_given += usize::from(all.iter().any(|(_, given, _)| *given > 0));
                    "certified    "
                }
                Some(_) => {
                    by_theorem += 1;
                    "certified    "
                }
                None => "uncertified  ",
            };
            say!("{certified}{} {}: {}", headline.claim, headline.verdict, told.join("; "))?;
        }
        if self.0.len() > 1 {
            let (all, certified) = (self.0.len(), by_instance + by_theorem);
            say!(
                "{certified} of {all} headlines that fail are certified: {by_instance} by an instance, {with_given} \
                 of them with numbers known only within an interval, and {by_theorem} by a theorem"
            )?;
        }
        Ok(())
    }
}
