//! Section 8, end of the proof of Lemma 7: −log(1−x) ≤ x/(1−x).
//!
//! True, and x ≥ 0 is not needed: with u = x/(1−x) > −1 it is log(1 + u) ≤ u for all x < 1. For 0 ≤ x < 1 the geometric
//! mean of x and x/(1−x) is a better bound: −log(1−x) ≤ x/√(1−x), from log y ≤ √y − 1/√y for y = 1/(1−x) ≥ 1 (the
//! derivative of the difference is (√y − 1)²/(2y^{3/2}) ≥ 0). Lemma 7 needs x ≤ ½ only; there, by convexity, −log(1−x)
//! ≤ (2 log 2)x, which is attained at ½: the 2 of 2ε/η may be replaced by 1.386….

use evidence::prelude::*;
use proptest::prelude::{Strategy, prop_oneof};

use crate::shared::factored::at_most_by;
use crate::shared::families::log_uniform;
use crate::shared::notation::LOGARITHM;
use crate::shared::reals::{Number, number};

const IN_UNIT_INTERVAL: Hypothesis<Number> = Hypothesis::new("0 ≤ x < 1", in_unit_interval);
const IN_FIRST_HALF: Hypothesis<Number> = Hypothesis::new("0 ≤ x ≤ ½", |n| (0.0..=0.5).contains(&n.x));

/// −log(1−x); anything beyond x = 1, where there is no logarithm.
fn left(x: Enclosure) -> Enclosure {
    if x.hi() > 1.0 {
        return Interval::ENTIRE.into();
    }
    -(-x).ln_1p()
}

/// x/(1−x).
fn right(x: Enclosure) -> Enclosure {
    x / (1.0 - x)
}

/// u − log(1 + u) with u = x/(1−x): for small u by Taylor's formula, u²(½ − u/3 + u²/(4(1 + ξ)⁴)) with ξ between 0 and
/// u.
fn excess(x: Enclosure) -> Enclosure {
    let u = right(x);
    if u.magnitude() > 0.05 {
        return u - left(x);
    }
    let between = Enclosure::from(u.interval().hull(Enclosure::ZERO.interval()));
    u.square() * (0.5 - u / 3.0 + u.square() / (4.0 * (1.0 + between).powi(4)))
}

/// x/√(1−x) + log(1−x) = 2(sinh s − s) with s = −½ log(1−x): for small s between s³/3 and (s³/3)(1 + s²/16), since sinh
/// s − s = s³/6 + (s⁵/120) cosh ξ.
fn excess_of_the_mean(x: Enclosure) -> Enclosure {
    let s = 0.5 * left(x);
    if s.magnitude() > 0.05 || s.lo() < 0.0 {
        return x / (1.0 - x).sqrt() - left(x);
    }
    s * s.square() / 3.0 * (1.0 + s.square() * Enclosure::between(0.0, 1.0 / 16.0))
}

fn in_unit_interval(n: &Number) -> bool {
    (0.0..1.0).contains(&n.x)
}

pub fn claim() -> Claim {
    Claim::new("merad2020.fact-neglog", "elementary logarithm inequality", Kind::Inequality)
        .statement("−log(1−x) ≤ x/(1−x) for all 0 ≤ x < 1")
        .symbols([LOGARITHM])
        .source(
            "section 8, end of the proof of Lemma 7",
            &["section B of the earlier version, end of the proof of Lemma 4.2"],
        )
        .setting(printed())
}

fn printed() -> Setting<Number, Enclosure> {
    Setting::measuring(|n: &Number, _| Ok(exact(n.x)))
        .family(edge("named", || {
            let near_one = 1.0f64.next_down();
            [
                0.0, 1e-300, 1e-16, 1e-8, 1e-3, 0.04, 0.05, 0.1, 0.25, 0.497, 0.499, 0.5, 0.75, 0.99, near_one,
                -1e-300, -1e-8, -0.04, -0.1, -0.5, -1.0, -10.0, -1e8,
            ]
            .map(number)
            .to_vec()
        }))
        .family(outside("x ≥ 1", || [1.0, 2.0].map(number).to_vec()))
        .family(random("in the unit interval", || {
            let to_zero = log_uniform(1e-20, 1.0);
            let to_one = log_uniform(1e-15, 1.0).prop_map(|x| 1.0 - x);
            prop_oneof![0.0..1.0f64, to_zero, to_one].prop_map(|x| Number { x })
        }))
        .family(random("negative", || log_uniform(1e-10, 1e6).prop_map(|x| Number { x: -x })).taking(0.5))
        .part("printed", "−log(1−x) ≤ x/(1−x)", holds(), |_, &x| at_most_by(left(x), right(x), excess(x)))
        .checked("merad2020.Facts.fact_neglog_printed")
        .assume(IN_UNIT_INTERVAL)
        .proved_by(
            Proof::covering("0 ≤ x < 1, t = x/(1 − x)", [(0.0, f64::INFINITY)], |[t]| t - t.ln_1p())
                .control("0.99 x/(1 − x)", |[t]| 0.99 * t - t.ln_1p()),
            |n| in_unit_interval(n).then(|| [right(exact(n.x))]),
            |[t]| Number { x: t / (1.0 + t) },
        )
        .ours("negative", "−log(1−x) ≤ x/(1−x)", holds(), |_, &x| at_most_by(left(x), right(x), excess(x)))
        .assume(Hypothesis::new("x < 0", |n| n.x < 0.0))
        .because("the paper asks for 0 ≤ x only")
        .sharpening("mean", "−log(1−x) ≤ x/√(1−x) ≤ x/(1−x)", holds(), |_, &x| {
            let mean = x / (1.0 - x).sqrt();
            all_of([
                ("logarithm", at_most_by(left(x), mean, excess_of_the_mean(x))),
                ("better", at_most(mean, right(x))),
            ])
        })
        .checked("merad2020.Facts.fact_neglog_mean")
        .assume(IN_UNIT_INTERVAL)
        .sharpening("chord", "−log(1−x) ≤ (2 log 2)·x, which is all that Lemma 7 needs", holds(), |_, &x| {
            at_most(left(x), 2.0 * Enclosure::ln_2() * x)
        })
        .checked("merad2020.Facts.fact_neglog_chord")
        .assume(IN_FIRST_HALF)
        .control("a", "−log(1−x) ≤ x", |_, &x| at_most(left(x), x))
        .assume(IN_UNIT_INTERVAL)
        .control("b", "−log(1−x) ≤ x/√(1−x) for every x < 1", |_, &x| at_most(left(x), x / (1.0 - x).sqrt()))
        .assume(Hypothesis::new("x < 1", |n| n.x < 1.0))
        .control("c", "−log(1−x) ≤ 1.38·x for 0 ≤ x ≤ ½", |_, &x| at_most(left(x), 1.38 * x))
        .assume(IN_FIRST_HALF)
}
