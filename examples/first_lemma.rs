//! A first lemma, as one meets it in proofs about multiplicative weights: `cargo run --example first_lemma`.
//!
//! "e^(−x) ≤ 1 − x + x²/2 for all real x" is refuted in a moment, with an instance to hold in hand; for x ≥ 0 it stands.

use contrapositive::prelude::*;
use serde::{Deserialize, Serialize};

/// The number x.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
struct Point {
    #[instance(range = "-700..=700")]
    x: f64,
}

fn main() {
    let exponential = |p: &Point| (-exact(p.x)).exp();
    let parabola = |p: &Point| 1.0 - exact(p.x) + exact(p.x).square() / 2.0;
    let title = "The exponential below its parabola";
    let claim = Claim::new("mine.first-lemma", title, Kind::Inequality)
        .statement("e^(−x) ≤ 1 − x + x²/2 for all real x")
        .setting(
            Setting::of()
                .given("x a double between -700 and 700")
                .family(random("drawn", any::<Point>))
                .part(
                    "printed",
                    "e^(−x) ≤ 1 − x + x²/2",
                    fails("for negative x"),
                    move |p, ()| at_most(exponential(p), parabola(p)),
                )
                .amendment(
                    "corrected",
                    "e^(−x) ≤ 1 − x + x²/2 for x ≥ 0",
                    holds(),
                    move |p, ()| at_most(exponential(p), parabola(p)),
                )
                .when("x ≥ 0", |p| p.x >= 0.0)
                .control("a", "e^(−x) ≤ 1 − x", move |p, ()| {
                    at_most(exponential(p), 1.0 - exact(p.x))
                }),
        );
    println!("{}", claim.tried());
}
