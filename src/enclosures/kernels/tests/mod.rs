//! The promises of the kernels, checked.

mod accuracy;
mod polynomials;
mod reference;
mod reproducibility;
mod special;
