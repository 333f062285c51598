//! The birthday bound: how likely two of n hashes collide.
//!
//! The exact chance is 1 − Π_{i<n} (1 − i/d). From 1 − x ≤ e^(−x) it is at least 1 − e^(−n(n−1)/(2d)), and by the
//! union bound at most n(n−1)/(2d).  In the first of these n(n − 1) is often rounded up to n²; that is an approximation and no bound.

use contrapositive::prelude::*;
use proptest::prelude::Strategy;
use serde::{Deserialize, Serialize};

/// n draws from d equally likely values.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "n = {n}, d = {d}", simpler = Self::fewer, stored)]
struct Draws {
    #[instance(range = "1..=2000")]
    n: u32,
    #[instance(range = "1..")]
    d: u32,
}

impl Draws {
    fn fewer(&self) -> Vec<Self> {
        let of = |n, d| Draws { n, d };
        vec![of(self.n / 2, self.d / 2), of(self.n - 1, self.d), of(self.n, self.d - 1)]
    }
}

struct CollisionChance {
    /// P(two are equal).
    collision: Enclosure,
    /// n(n − 1)/(2d).
    pairs: Enclosure,
    /// n²/(2d).
    square: Enclosure,
}

fn sides(draws: &Draws) -> CollisionChance {
    let (n, d) = (Enclosure::from(draws.n), Enclosure::from(draws.d));
    // Beyond d draws a factor is negative, and a collision is certain.
    let distinct = (0..draws.n).fold(Enclosure::ONE, |all, i| all * ((d - Enclosure::from(i)) / d).max(0));
    CollisionChance { collision: 1.0 - distinct, pairs: n * (n - 1.0) / (2.0 * d), square: n.square() / (2.0 * d) }
}

fn setting() -> Setting<Draws, CollisionChance> {
    let of = |n, d| Draws { n, d };
    Setting::measuring(|draws: &Draws, _| Ok(sides(draws)))
        .given("n ≤ 2000 independent draws of d equally likely values")
        .family(edge("named", move || {
            vec![
                ("one draw", of(1, 10)),
                ("two draws", of(2, 10)),
                ("23 birthdays", of(23, 365)),
                ("more draws than values", of(10, 5)),
                ("one value", of(3, 1)),
                ("few draws of many", of(100, 1_000_000)),
            ]
        }))
        .family(random("drawn", || (1u32..=60, 1u32..=2000).prop_map(|(n, d)| Draws { n, d })))
}

/// As it is quoted.
pub fn claim() -> Claim {
    Claim::new("classics.birthday", "The birthday bound", Kind::ProbabilityBound)
        .statement("1 − e^(−n(n−1)/(2d)) ≤ P(two of n draws are equal) ≤ n(n−1)/(2d)")
        .source("folklore", &["Mitzenmacher and Upfal 2017, section 5.1"])
        .symbol("P", "the exact chance 1 − Π_{i<n} (1 − i/d)")
        .setting(
            setting()
                .part("below", "1 − e^(−n(n−1)/(2d)) ≤ P", holds(), |_, s| {
                    at_most(-(-s.pairs).exp_m1(), s.collision).on_scale_of("the total mass 1", 1.0)
                })
                .part("above", "P ≤ n(n−1)/(2d)", holds(), |_, s| {
                    at_most(s.collision, s.pairs).on_scale_of("the total mass 1", 1.0)
                })
                .control("a", "P ≤ 1 − e^(−n(n−1)/(2d))", |_, s| at_most(s.collision, -(-s.pairs).exp_m1()))
                .control("b", "n(n−1)/(2d) ≤ P", |_, s| at_most(s.pairs, s.collision)),
        )
}

/// The square of n in place of the number of ordered pairs.
pub fn misquoted() -> Claim {
    Claim::new("classics.birthday-square", "The birthday bound with n², misquoted", Kind::ProbabilityBound)
        .statement("P(two of n draws are equal) ≥ 1 − e^(−n²/(2d))")
        .source("a misquotation", &["an approximation for large n, as a bound"])
        .symbol("P", "the exact chance 1 − Π_{i<n} (1 − i/d)")
        .setting(
            setting()
                .part("printed", "P ≥ 1 − e^(−n²/(2d))", fails("one draw does not collide"), |_, s| {
                    at_least(s.collision, -(-s.square).exp_m1())
                })
                .degenerate("a single draw", |draws| draws.n == 1)
                .amendment("corrected", "P ≥ 1 − e^(−n(n−1)/(2d))", holds(), |_, s| {
                    at_least(s.collision, -(-s.pairs).exp_m1()).on_scale_of("the total mass 1", 1.0)
                })
                .control("a", "P ≥ 1 − e^(−n²/d)", |_, s| at_least(s.collision, -(-2.0 * s.square).exp_m1())),
        )
}
