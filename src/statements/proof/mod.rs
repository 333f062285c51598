//! How a statement is proved: an inequality by covering its whole domain with boxes, an equation in exact arithmetic. What is not proved
//! says why it is left open. Nothing of the search is used here.
//!
//! Lowest first: `case` (whole numbers fixed, all else varying), `touching` (where the sides touch, at doubles and at ends that are none), `rational` (numbers
//! for exact arithmetic), `identity` (equations between quotients of polynomials), `algebra` (exact methods that look at the formulas), `reasoning` (which of
//! them shows a statement), `prove` (which of these a statement needs, and the boxes).

mod algebra;
pub(crate) mod case;
pub(crate) mod identity;
pub(crate) mod prove;
mod rational;
pub(crate) mod reasoning;
mod touching;
