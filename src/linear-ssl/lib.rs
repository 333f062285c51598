//! Linear models of self-supervised learning and the flows that train them.
//!
//! Source: Esser, Mukherjee, Ghoshdastidar, Representation learning dynamics of self-supervised models.

pub mod flow;
pub mod self_supervised;
