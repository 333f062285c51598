//! Numbers known to lie between two doubles.
//!
//! Floors, lowest first; nothing imports upwards: [`work`] (counted operations), [`stream`] (keyed random streams), [`interval`] (outward rounding and correctly
//! rounded functions), [`precise`] (the same with 256 bits), [`proof`] (subdivision), [`formula`] (how a number was computed),
//! [`enclosure`] (an interval and how well it is known), [`kernels`] (the same functions on whole arrays), [`probability`] (laws and limits), [`linear_algebra`] (verified eigenvalues, singular values, ranks),
//! [`piecewise_linear`] and [`initial_value`].

pub mod enclosure;
pub mod formula;
pub mod initial_value;
pub mod interval;
pub mod kernels;
pub mod linear_algebra;
pub mod piecewise_linear;
pub mod precise;
pub mod probability;
pub mod proof;
pub mod stream;
pub mod work;
