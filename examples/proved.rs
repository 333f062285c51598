//! A statement shown for every real number of its domain, not only where it was tried: `cargo run --example proved`.
//!
//! "1 − e^(−x) ≥ x/2 for 0 ≤ x ≤ 2", as arguments with birthdays and union bounds use it, is false near 2. Up to 3/2 it holds, and
//! subdivision proves it: interval arithmetic bounds the margin on the whole range, and halves what is not settled. A proof has a control
//! of its own, a false margin that the same procedure must refute.

use contrapositive::prelude::*;
use proptest::prelude::Strategy;
use serde::{Deserialize, Serialize};

/// The number x.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(stored)]
struct Point {
    #[instance(range = "-10..=10")]
    x: f64,
}

fn named() -> Vec<(&'static str, Point)> {
    let named = [("zero", 0.0), ("tiny", 1e-9), ("one", 1.0), ("the end of what is true", 1.5), ("two", 2.0)];
    named.map(|(name, x)| (name, Point { x })).into()
}

/// 1 − e^(−x) and x/2.
fn sides(p: &Point) -> (Enclosure, Enclosure) {
    (-(-exact(p.x)).exp_m1(), exact(p.x) / 2.0)
}

fn main() {
    let claim = Claim::new("mine.chord", "The exponential above a chord", Kind::Inequality)
        .statement("1 − e^(−x) ≥ x/2 for 0 ≤ x ≤ 2")
        .setting(
            Setting::measuring(|p: &Point, _| Ok(sides(p)))
                .assume(Hypothesis::new("0 ≤ x ≤ 2", |p| (0.0..=2.0).contains(&p.x)))
                .family(edge("named", named))
                .family(random("drawn", || (0.0..=2.0f64).prop_map(|x| Point { x })))
                .family(outside("outside", || vec![("minus one", Point { x: -1.0 }), ("three", Point { x: 3.0 })]))
                .part("printed", "1 − e^(−x) ≥ x/2", fails("beyond x = 1.5936…"), |_, s| at_least(s.0, s.1))
                .amendment("corrected", "1 − e^(−x) ≥ x/2 for 0 ≤ x ≤ 3/2", holds(), |_, s| {
                    at_least(s.0, s.1)
                })
                .assume(Hypothesis::new("x ≤ 3/2", |p| p.x <= 1.5))
                .proved_by(
                    Proof::covering("0 ≤ x ≤ 3/2", [(0.0, 1.5)], |[x]| -(-x).exp_m1() - 0.5 * x)
                        .control("3/5 in place of 1/2", |[x]| -(-x).exp_m1() - 0.6 * x),
                    |p| Some([exact(p.x)]),
                    |[x]| Point { x },
                )
                .control("a", "1 − e^(−x) ≥ 3x/4", |_, s| at_least(s.0, 1.5 * s.1)),
        );
    println!("{}", claim.tried());
}
