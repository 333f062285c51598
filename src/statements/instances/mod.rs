//! What a statement is tried on: a value for every variable. Here instances are made, moved to where equations are met, compared, and
//! handed to the engine, which describes, changes and shrinks them.
//!
//! Lowest first: [`assignment`] (the values), `system` (the equations that they are to meet), `projected` (moved to where these are met),
//! `located` (where real numbers meet them for certain), `compare` (a chain on an instance), `draw` (instances from declarations), `plainer`
//! (plainer values that meet the same equations), `charted` (where the numbers are, for a search), `instance` (all this as the engine asks
//! for it), `repaired` (moved to where inequalities hold), [`statement`] (what is compared, the variables, the conditions; it is refused as it is read if no instance can be drawn, and so
//! stands above the drawing).

pub mod assignment;
mod charted;
pub(crate) mod compare;
pub(crate) mod draw;
mod instance;
mod located;
mod plainer;
pub(crate) mod projected;
pub(crate) mod repaired;
pub mod statement;
pub(crate) mod system;
