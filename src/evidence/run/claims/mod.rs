//! Whole claims: their settings one after another, and the result as a value, as bytes and in words.
//!
//! Lowest first: `series`, `setting_run`, `claim_result`, `record`, `whole` (a claim from beginning to end), `told`.

mod claim_result;
mod record;
mod series;
mod setting_run;
mod told;
mod whole;

pub use claim_result::{ClaimResult, Controls};
pub use record::RecordError;
pub use series::SeriesResult;
pub use whole::{Run, run, run_claim, run_in_order};
