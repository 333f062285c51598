//! A piece of the work behind a page, which is done and kept by itself.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::super::status::Trouble;

/// A piece of the work: a training, or two schemes from one start.
pub trait Piece: Sync {
    /// What is seen in it.
    type Seen: Serialize + DeserializeOwned + Send;

    /// By which it is kept and told; no other piece has it.
    fn name(&self) -> String;

    /// What it takes, in units of any size.
    fn cost(&self) -> u64;

    /// Does it; `advance` is told along the way how much of the cost has been paid.
    ///
    /// # Errors
    /// It cannot be done.
    fn carry_out(&self, advance: &dyn Fn(u64)) -> Result<Self::Seen, Trouble>;

    /// What to say of it when it is finished.
    fn told(&self, seen: &Self::Seen) -> String;
}
