//! Testing the tester: small true statements, each with a planted error that a run at the quick budget must find.
//!
//! A planted error counts as found only if the stored witness is the smallest one, digit for digit: power and shrinking
//! are properties under test like any other.

mod toys;

use evidence::budget::Budget;
use evidence::claim::{Claim, Fixtures};
use evidence::run::{CheckResult, Observer, Plan, WitnessStore, run};
use evidence::verdict::Verdict;
use serde_json::Value;

pub use toys::toys;

/// A true statement and a false neighbour of it.
pub struct Toy {
    /// The two as one claim: the reading `true` and the reading `planted`, on the same families.
    pub claim: Claim,
    /// The kind of error, in a few words.
    pub error: &'static str,
    /// The smallest instance that refutes the planted statement.
    pub smallest: Value,
}

/// What became of one toy.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The toy's name.
    pub name: &'static str,
    /// The kind of error.
    pub error: &'static str,
    /// The true statement, as run.
    pub sound: CheckResult,
    /// The planted one.
    pub planted: CheckResult,
    /// The smallest instance that refutes the planted statement.
    pub smallest: Value,
}

impl Finding {
    /// Whether the true statement holds.
    #[must_use]
    pub fn spares_the_truth(&self) -> bool {
        self.sound.verdict == Verdict::Holds
    }

    /// Whether the planted error was found.
    #[must_use]
    pub fn finds_the_error(&self) -> bool {
        self.planted.verdict == Verdict::Fails
    }

    /// Whether it is shown by the smallest instance.
    #[must_use]
    pub fn is_smallest(&self) -> bool {
        self.planted.witness.as_ref().is_some_and(|w| w.instance == self.smallest)
    }

    /// Whether everything is as it must be.
    #[must_use]
    pub fn passes(&self) -> bool {
        self.spares_the_truth() && self.finds_the_error() && self.is_smallest()
    }
}

/// Runs every toy at the quick budget.
///
/// # Panics
/// Never: every toy has its two readings.
#[must_use]
pub fn findings(seed: u64, observer: &dyn Observer) -> Vec<Finding> {
    let toys = toys();
    let claims: Vec<&Claim> = toys.iter().map(|toy| &toy.claim).collect();
    let plan = Plan { seed, budget: Budget::Quick };
    let run = run(&claims, plan, &Fixtures::at("."), &WitnessStore::default(), observer);
    let of = |(toy, result): (&Toy, &evidence::run::ClaimResult)| {
        let check = |id: &str| result.checks.iter().find(|c| c.id == id).cloned();
        Some(Finding {
            name: result.title,
            error: toy.error,
            sound: check("true")?,
            planted: check("planted")?,
            smallest: toy.smallest.clone(),
        })
    };
    toys.iter().zip(&run.claims).filter_map(of).collect()
}
