//! Labelled data sets: loaders that refuse malformed input, and the points they yield.
//!
//! A file becomes a [`NumberTable`] of finite numbers or a list of labels ([`npy`], [`idx`], [`cifar`]); the two together become
//! [`LabelledPoints`], from which contrastive tuples are drawn ([`draw_tuple`]). Whatever passes a constructor here is
//! finite, rectangular and non-empty, so nothing downstream checks it again.

pub mod cifar;
mod class_names;
pub mod digits;
mod error;
mod file;
mod half_moons;
pub mod idx;
mod labelled;
pub mod mnist;
pub mod npy;
mod pair;
mod table;
mod tuples;

pub use class_names::ClassNames;
pub use error::DataError;
pub use file::{LARGEST_FILE, MOST_LABELS, MOST_NUMBERS, at_most, room};
pub use half_moons::half_moons;
pub use labelled::LabelledPoints;
pub use table::NumberTable;
pub use tuples::draw_tuple;
