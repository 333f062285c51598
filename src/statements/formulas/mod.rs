//! From the tree to formulas over declared variables, and their values. Names are resolved and kinds are checked once, here; the
//! folders above take a formula as it is, and need not ask whether it makes sense.
//!
//! Lowest first: [`term`] (a formula), `long_sum` (sums that are enclosed along their index once), [`domain`] (what variables range over), [`evaluate`] (the value of a formula on any kind of number),
//! `symmetric` (matrices that are so by how they are written), `entrywise` (equations between vectors and matrices), `undeclared` (what may have been meant by names that nobody declared), `scope` (from the tree to terms; it evaluates the ends of ranges, and so
//! stands above the evaluation).

pub mod domain;
pub(crate) mod entrywise;
pub mod evaluate;
pub(crate) mod long_sum;
pub(crate) mod scope;
pub(crate) mod symmetric;
pub mod term;
pub(crate) mod undeclared;
