//! What every mathematical object offers so that a claim can quantify over it: it can be stored, read, shown and made simpler.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// A value that a claim quantifies over: a latent-class model, a triplet of vectors, a symmetric matrix, a pair of sizes.
///
/// The JSON form is the value: a witness is stored in it and re-judged from it. Search and shrinking act on the JSON form
/// too (every number written with a decimal point or exponent is a coordinate that may move; integers are sizes and stay), so
/// choose a representation whose floating-point fields are free: positive weights rather than probabilities that must add
/// up to one. What cannot be free is refused by [`Instance::validate`].
pub trait Instance: Clone + Debug + Serialize + DeserializeOwned + Send + Sync + 'static {
    /// One line for a reader with the paper in hand: sizes first, then the numbers where they are few.
    fn describe(&self) -> String;

    /// Refuses a value outside the domain of the type (wrong lengths, NaN, a non-positive weight), naming what is wrong.
    ///
    /// # Errors
    /// A lower-case fragment that reads well after "not a valid instance: ".
    fn validate(&self) -> Result<(), String> {
        Ok(())
    }

    /// Structurally smaller instances, the boldest first (half the classes, then one class fewer, one dimension fewer ...).
    /// Numbers need no mention: rounding them is done on the JSON form.
    fn simpler(&self) -> Vec<Self> {
        Vec::new()
    }
}
