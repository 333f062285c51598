//! Inequalities that papers on representation learning quote, with their sharp constants, and the misquotations that circulate.
//!
//! A separate catalogue, as a package outside this workspace would be: it uses the public interface of `contrapositive` only, and
//! `cargo test -p classics` tests it in seconds, one test for each claim. Every file holds an inequality (`claim`) and a misquotation of it
//! (`misquoted`), whose printed words fail and whose amendment holds.

mod alignment_uniformity;
mod infonce;
mod pinsker;
mod shared;

contrapositive::catalogue! {
    alignment_uniformity,
    uniformity_with_log_outside: alignment_uniformity::misquoted,
    infonce,
    infonce_without_positive: infonce::misquoted,
    pinsker,
    pinsker_for_the_l1_norm: pinsker::misquoted,
}
