//! A first lemma, as one meets it in proofs about multiplicative weights: `cargo run --example first_lemma`.
//!
//! "e^(−x) ≤ 1 − x + x²/2 for all real x" is refuted in a moment, with an instance to hold in hand; for x ≥ 0 it stands.

use contrapositive::prelude::*;
use proptest::prelude::Strategy;
use serde::{Deserialize, Serialize};

/// The number x.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Point {
    x: f64,
}

impl Instance for Point {
    fn describe(&self) -> String {
        format!("x = {}", self.x)
    }
}

fn main() {
    let parabola = |p: &Point| 1.0 - exact(p.x) + exact(p.x).square() / 2.0;
    let claim = Claim::new(
        "mine.first-lemma",
        "The exponential below its parabola",
        Kind::Inequality,
    )
    .statement("e^(−x) ≤ 1 − x + x²/2 for all real x")
    .setting(
        Setting::of()
            .given("x a finite double")
            .family(edge("named", || {
                vec![("zero", Point { x: 0.0 }), ("one", Point { x: 1.0 })]
            }))
            .family(random("drawn", || (0.0..4.0f64).prop_map(|x| Point { x })))
            .part(
                "printed",
                "e^(−x) ≤ 1 − x + x²/2",
                fails("for negative x"),
                move |p, ()| at_most((-exact(p.x)).exp(), parabola(p)),
            )
            .amendment(
                "corrected",
                "e^(−x) ≤ 1 − x + x²/2 for x ≥ 0",
                holds(),
                move |p, ()| at_most((-exact(p.x)).exp(), parabola(p)),
            )
            .when("x ≥ 0", |p| p.x >= 0.0)
            .control("a", "e^(−x) ≤ 1 − x", |p, ()| {
                at_most((-exact(p.x)).exp(), 1.0 - exact(p.x))
            }),
    );
    println!("{}", claim.tried());
}
