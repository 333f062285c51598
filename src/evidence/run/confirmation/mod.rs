//! A violation counts if it repeats from the digits of its instance; it is shown on the plainest instance that keeps it.
//!
//! Lowest first: `confirm`, `redraw` (a trend that one draw violates), `coordinates`, `shrink`, `admission` (whether a file holds an instance
//! of bearable size), `rejudge` (a stored instance, judged again).

mod admission;
mod confirm;
mod coordinates;
mod redraw;
mod rejudge;
mod shrink;

pub(crate) use confirm::{MOST_SAMPLES, Violating, as_stored, confirm, samples_wanted, stored_outcome};
pub(crate) use coordinates::coordinates;
pub(crate) use redraw::unrepeated;
pub use rejudge::Rejudged;
pub(crate) use shrink::{shrink, shrink_among};
