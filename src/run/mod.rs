//! Running claims: gathering instances, trying, searching, confirming, shrinking, and summing up.

mod catalogue_run;
mod climb;
mod context;
mod coordinates;
mod evaluate;
mod hypotheses;
mod ledger;
mod result;
mod search;
mod setting_run;
mod shrink;
mod witness;

pub use catalogue_run::{ClaimResult, Controls, Plan, Run, run};
pub use context::{Context, Event, Observer, Silent};
pub use evaluate::Rejudged;
pub(crate) use evaluate::rejudge;
pub use hypotheses::{Dropped, Fate};
pub use ledger::{Entry, Ledger};
pub use result::{CheckResult, Counts, Sighting};
pub(crate) use setting_run::{SettingResult, run_setting};
pub use witness::{SCHEMA as WITNESS_SCHEMA, Sides, Witness, WitnessError, WitnessStore};
