//! What a setting needs: of its constants, of each hypothesis; and how far its instances reach.
//!
//! Lowest first: `reach`, `constants`, `hypotheses`.

mod constants;
mod hypotheses;
mod reach;

pub(crate) use constants::ledger;
pub use constants::{Ledger, LedgerEntry};
pub use hypotheses::{Dropped, Without};
pub(crate) use hypotheses::{Leaving, drop_hypotheses, share_counterexamples};
pub use reach::Reach;
pub(crate) use reach::unmissed;
