//! Numbers known to lie between two doubles.
//!
//! Arithmetic rounds outward and elementary functions are correctly rounded, so that an [`enclosure::Enclosure`] holds the real number it
//! was computed for; its [grade](enclosure::Grade) says how well: by proven bounds, up to a chance of a miss, or without a bound.
//!
//! ```
//! use contrapositive_enclosures::enclosure::exact;
//! use contrapositive_enclosures::proof::{CoverResult, Proof};
//! // log(1 + e^1) lies between two neighbours.
//! let softplus = exact(1.0).softplus();
//! assert!(softplus.lo() > 1.3132616875182 && softplus.hi() < 1.3132616875183);
//! // What cancels is wide, and says so: all that is known is that the difference is small.
//! let gap = (exact(1e9).square() + 1.0).sqrt() - exact(1e9);
//! assert!(gap.lo() <= 0.0 && gap.hi() < 1e-6);
//! // A whole domain at once: x − x² ≥ 0 for 0.1 ≤ x ≤ 0.9, by subdivision.
//! let proof = Proof::covering("0.1 ≤ x ≤ 0.9", [(0.1, 0.9)], |[x]| x - x.square());
//! assert!(matches!(proof.run().outcome, CoverResult::Covered));
//! ```
//!
//! Floors, lowest first; nothing imports upwards: [`work`] (counted operations), [`stream`] (keyed random streams), [`interval`] (outward rounding and correctly
//! rounded functions), [`precise`] (the same with 256 bits), [`formula`] (how a number was computed),
//! [`enclosure`] (an interval and how well it is known), [`proof`] (subdivision), [`vectors`] (lists of such numbers), [`kernels`] (the same functions on whole arrays), [`probability`] (laws and limits), [`linear_algebra`] (verified eigenvalues, singular values, ranks),
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
pub mod vectors;
pub mod work;
