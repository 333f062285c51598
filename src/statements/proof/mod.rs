//! How a statement is proved: an inequality by covering its whole domain with boxes, an equation in exact arithmetic. What is not proved
//! says why it is left open. Nothing of the search is used here.
//!
//! Lowest first: `case` (whole numbers fixed, all else varying), `touching` (where the sides touch, at doubles and at ends that are none), `algebra`
//! (exact methods that look at the formulas), `identity` (equations between quotients of polynomials), `substituted` (a number in closed form in place of the only variable), `reasoning` (which of
//! them shows a statement), `along` (one variable at a time), `diagonal` (Jensen's inequality for two numbers), `reading` (terms with sums that cannot be written out), `harmonic` (sums of 1/k),
//! `induction`, `entries` (sums over the entries of vectors of any length), `lengths`, `remainders`, `prove` (which of these a statement needs, and the boxes).

mod algebra;
mod along;
pub(crate) mod case;
mod diagonal;
mod entries;
mod harmonic;
pub(crate) mod identity;
mod induction;
mod lengths;
pub(crate) mod prove;
mod reading;
pub(crate) mod reasoning;
mod remainders;
pub(crate) mod substituted;
mod touching;
