//! Running claims: gathering instances, trying, searching, proving, confirming, shrinking, and summing up; and trying mutants.

mod admission;
mod advice;
mod candidates;
mod catalogue_run;
mod conclusion;
mod context;
mod coordinates;
mod equivalents;
mod evaluate;
mod hypotheses;
mod ledger;
mod mutants;
mod mutation;
mod power;
mod proof;
mod reach;
mod record;
mod redraw;
mod rejudge;
mod result;
mod search;
mod second_look;
mod series;
mod setting_run;
mod shrink;
mod strength;
mod strict_json;
mod told;
mod witness;

pub use crate::claim::ProofResult;
pub use catalogue_run::{ClaimResult, Controls, Plan, Run, run, run_claim};
pub use context::{Context, Event, Observer, Silent};
pub use equivalents::{Equivalence, Moved, equivalence};
pub use hypotheses::{Dropped, Without};
pub use ledger::{Entry, Ledger};
pub use mutants::{CheckMutants, mutate};
pub use mutation::{Fate, Mutation};
pub use power::Weakness;
pub use reach::Reach;
pub use record::RecordError;
pub use rejudge::Rejudged;
pub use result::{CheckResult, Counts, Scaled, Sighting};
pub use series::SeriesResult;
pub use strength::{Strength, strength};
pub use witness::{
    Convincing, LONGEST as LONGEST_WITNESS, SCHEMA as WITNESS_SCHEMA, Sides, Witness, WitnessError, WitnessStore,
};
