//! The unit tests of what the claims share, and of some parts of single claims. These files are compiled here once more, and the claims are not.

#![allow(dead_code, reason = "the claims use the rest")]

#[path = "../exp_c/drawn_matrices.rs"]
mod drawn_matrices;
#[path = "../eq_14.rs"]
mod eq_14;
#[path = "../example_1/moons_descent.rs"]
mod moons_descent;
#[path = "../prop_3d/reachable_products.rs"]
mod reachable_products;
#[path = "../shared/mod.rs"]
mod shared;
#[path = "../lemma_1b/shifted_units.rs"]
mod shifted_units;
