//! Running claims. A claim's settings are run one after another, each from top to bottom: its instances are gathered and tried, what violates
//! is confirmed from stored digits and shrunk, what nothing violates is searched, each check is concluded, and ledgers are kept of what the
//! setting needs.
//!
//! Lowest first: `witness` (stored instances that refute), `context` (what a run hands down), `trials` (instances under checks),
//! `confirmation` (violations that repeat), `search`, `conclusion` (what is said of a check), `ledgers` (of hypotheses and constants, and
//! how far instances reach), `claims` (whole claims, and their results as bytes), `neighbours` (statements beside the declared ones).

mod claims;
mod conclusion;
mod confirmation;
mod context;
mod ledgers;
mod neighbours;
mod search;
mod trials;
mod witness;

pub use claims::{ClaimResult, Controls, RecordError, Run, SeriesResult, run, run_claim, run_in_order};
pub use conclusion::{CheckResult, Scaled, Sighting, Weakness};
pub use confirmation::Rejudged;
pub use context::{Context, Event, Observer, Plan, Silent};
pub use ledgers::{Dropped, Ledger, LedgerEntry, Reach, Without};
pub use neighbours::{CheckMutants, Equivalence, Fate, Moved, Strength, equivalence, mutate, strength};
pub use trials::{Counts, Mutation};
pub use witness::{Convincing, LONGEST as LONGEST_WITNESS, Sides, Witness, WitnessError, WitnessStore};
