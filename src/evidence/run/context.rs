//! What a run hands down to every trial.

use super::witness::WitnessStore;
use crate::budget::Budget;
use crate::claim::{Fixtures, Trial};
use crate::verdict::Verdict;
use enclosures::stream;

/// What to run and how much to spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Master seed of every random stream.
    pub seed: u64,
    /// Size of the run.
    pub budget: Budget,
}

/// What happens during a run, for whoever shows progress.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// Work on a claim began.
    Started {
        /// The claim's id.
        claim: String,
    },
    /// So many more evaluations were made.
    Tried {
        /// Evaluations since the last such event.
        trials: usize,
    },
    /// A claim has its verdict.
    Finished {
        /// The claim's id.
        claim: String,
        /// The verdict of the statement as printed.
        verdict: Verdict,
        /// Whether every check of the claim came out as the catalogue expects.
        as_expected: bool,
    },
    /// The mutants of a claim have been tried.
    Mutated {
        /// The claim's id.
        claim: String,
        /// How many mutants there were.
        mutants: usize,
        /// How many of them no instance violates.
        survivors: usize,
    },
}

/// Receives the events of a run, from any thread.
pub trait Observer: Sync {
    /// Called as things happen, in no particular order between claims.
    fn event(&self, event: Event);
}

/// Ignores every event.
pub struct Silent;

impl Observer for Silent {
    fn event(&self, _: Event) {}
}

/// Seed, budget, fixtures and observer of a run, and the claim at hand.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Master seed.
    pub seed: u64,
    /// How much work may be spent.
    pub budget: Budget,
    /// Where data sets are.
    pub fixtures: &'a Fixtures,
    /// Stored witnesses.
    pub witnesses: &'a WitnessStore,
    /// Who is told of progress.
    pub observer: &'a dyn Observer,
    /// The claim being run.
    pub claim: &'a str,
}

impl Context<'_> {
    /// The random stream that belongs to a key of this claim.
    #[must_use]
    pub(crate) fn stream(&self, key: &[&str]) -> stream::Stream {
        let mut path = vec![self.claim];
        path.extend_from_slice(key);
        stream::stream(self.seed, &path)
    }

    /// The trial that belongs to a key of this claim.
    #[must_use]
    pub(crate) fn trial(&self, key: &[&str]) -> Trial {
        Trial::new(self.stream(key), self.budget, self.fixtures.clone())
    }
}
