//! A first lemma, as one meets it in proofs about multiplicative weights: `cargo run --example first_lemma`.
//!
//! "e^(−x) ≤ 1 − x + x²/2 for all real x" is refuted in a moment, with an instance to hold in hand.

use contrapositive::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
struct Point {
    #[instance(range = "-700..=700")]
    x: f64,
}

fn main() {
    let lemma = "e^(−x) ≤ 1 − x + x²/2 for all real x";
    let line = |p: &Point| 1.0 - exact(p.x);
    let setting = Setting::of()
        .family(random("drawn", any::<Point>))
        .part("printed", lemma, fails("for x < 0"), move |p, ()| {
            at_most((-exact(p.x)).exp(), line(p) + exact(p.x).square() / 2.0)
        })
        .control("a", "e^(−x) ≤ 1 − x", move |p, ()| at_most((-exact(p.x)).exp(), line(p)));
    let claim = Claim::new("mine.first", lemma, Kind::Inequality).setting(setting);
    println!("{}", claim.tried());
}
