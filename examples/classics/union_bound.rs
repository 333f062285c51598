//! The union bound for independent events, as the inequality of Weierstrass.
//!
//! *True*: the product Π(1 − x_i) is the chance that none of n independent events happens, 1 − Σ x_i what is left of one when every event takes its
//! chance away as if no two could happen at once. By induction: (1 − x)(1 − s) = 1 − x − s + xs ≥ 1 − x − s. Equality for n = 1. Half of what the
//! events share comes back in the second inequality of Bonferroni, Π(1 − x_i) ≤ 1 − Σ x_i + Σ_{i<j} x_i x_j.
//!
//! Proofs with many small chances write e^{−Σ x_i} for the product. That is an upper bound, since 1 − x ≤ e^{−x}; as a lower bound, which a promise
//! that nothing goes wrong needs, it is *false* for every x_i > 0, and e^{−2Σ x_i} serves for chances up to one half.

use contrapositive::prelude::*;
use serde::{Deserialize, Serialize};

/// The chances of independent events.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
struct Chances {
    #[instance(length = "n in 1..=8", range = "0..=1", interchangeable)]
    x: Vec<f64>,
}

struct Products {
    /// Π(1 − x_i).
    none: Enclosure,
    /// Σ x_i.
    sum: Enclosure,
    /// Σ_{i<j} x_i x_j.
    pairs: Enclosure,
}

fn products(chances: &Chances) -> Products {
    let mut found = Products { none: Enclosure::ONE, sum: Enclosure::ZERO, pairs: Enclosure::ZERO };
    for &x in &chances.x {
        found.pairs += found.sum * x;
        found.sum += exact(x);
        found.none = found.none * (1.0 - exact(x));
    }
    found
}

fn setting() -> Setting<Chances, Products> {
    let of = |x: &[f64]| Chances { x: x.to_vec() };
    Setting::measuring(|chances: &Chances, _| Ok(products(chances)))
        .given("x_1, …, x_n between 0 and 1, n from 1 to 8")
        .family(edge("named", move || {
            vec![
                ("one event", of(&[0.25])),
                ("two coins", of(&[0.5, 0.5])),
                ("eight small chances", of(&[0.01; 8])),
                ("a sure event", of(&[1.0, 0.5])),
            ]
        }))
        .family(random("drawn", any::<Chances>))
}

/// As it is quoted.
pub fn claim() -> Claim {
    Claim::new("classics.union-bound", "union bound", Kind::Inequality)
        .statement("Π(1 − x_i) ≥ 1 − Σ x_i for all x_1, …, x_n in [0, 1]")
        .source("Weierstrass' product inequality", &[])
        .setting(
            setting()
                .part("printed", "Π(1 − x_i) ≥ 1 − Σ x_i", holds(), |_, p| {
                    at_least(p.none, 1.0 - p.sum).on_unit_scale()
                })
                .sharpening("pairs", "Π(1 − x_i) ≤ 1 − Σ x_i + Σ_{i<j} x_i x_j", holds(), |_, p| {
                    at_most(p.none, 1.0 - p.sum + p.pairs).on_unit_scale()
                })
                .control("a", "Π(1 − x_i) ≥ 1 − Σ x_i/2", |_, p| at_least(p.none, 1.0 - p.sum / 2.0)),
        )
}

/// With the exponential in place of the product.
pub fn misquoted() -> Claim {
    Claim::new("classics.union-bound-exponential", "union bound by an exponential", Kind::Inequality)
        .statement("Π(1 − x_i) ≥ e^{−Σ x_i} for all x_1, …, x_n in [0, 1]")
        .source("a misquotation", &[])
        .setting(
            setting()
                .part("printed", "Π(1 − x_i) ≥ e^{−Σ x_i}", fails("1 − x ≤ e^{−x}"), |_, p| {
                    at_least(p.none, (-p.sum).exp()).on_unit_scale()
                })
                .sides("Π(1 − x_i)", "e^{−Σ x_i}")
                .amendment("above", "Π(1 − x_i) ≤ e^{−Σ x_i}", holds(), |_, p| {
                    at_most(p.none, (-p.sum).exp()).on_unit_scale()
                })
                .amendment("below", "Π(1 − x_i) ≥ e^{−2Σ x_i}", holds(), |_, p| {
                    at_least(p.none, (-2.0 * p.sum).exp()).on_unit_scale()
                })
                .assume(Hypothesis::new("x_i ≤ 1/2", |c| c.x.iter().all(|&x| x <= 0.5)))
                .control("a", "Π(1 − x_i) ≤ e^{−2Σ x_i}", |_, p| at_most(p.none, (-2.0 * p.sum).exp())),
        )
}
