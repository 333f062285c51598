//! Section 8, proof of Lemma 6: the softplus at both ends of the line.
//!
//! True, with a rate: ζ(x) − x = ζ(−x), so ζ(x)/x − 1 = ζ(−x)/x, and e^{−x}(1 − e^{−x}/2) ≤ ζ(−x) ≤ e^{−x} from y −
//! y²/2 ≤ log(1 + y) ≤ y. The limits are tried by these bounds, which hold for every x > 0 and tend to 0.

use crate::shared::families::log_uniform;
use crate::shared::notation::{LOGARITHM, SOFTPLUS};
use crate::shared::reals::{Number, number};
use evidence::prelude::*;
use proptest::strategy::Strategy;

/// ζ(x)/x − 1 = ζ(−x)/x.
fn distance_from_one(x: Enclosure) -> Enclosure {
    (-x).softplus() / x
}

/// ζ(−x) = log(1 + y) ≤ y for y = e^{−x}.
fn below_the_exponential() -> Proof<1> {
    Proof::covering("x ≥ 0, y = e^{−x}", [(0.0, 1.0)], |[y]| y / (1.0 + y))
        .in_other_form("both sides agree at y = 0, and the derivative of the difference in y is y/(1 + y)")
        .control("ζ(−x) ≤ 0.99 e^{−x}, the derivative", |[y]| 0.99 - 1.0 / (1.0 + y))
}

/// y − y²/2 ≤ log(1 + y) ≤ y for y = e^{−x}.
fn between_the_powers() -> Proof<1> {
    Proof::covering("x ≥ 0, y = e^{−x}", [(0.0, 1.0)], |[y]| (y.square() / (1.0 + y)).min(y / (1.0 + y)))
        .in_other_form(
            "both bounds are attained at y = 0, and the derivatives of the differences in y are y²/(1 + y) and y/(1 + \
             y)",
        )
        .control("e^{−x}(1 − 0.49 e^{−x}) ≤ ζ(−x), the derivative", |[y]| 1.0 / (1.0 + y) - 1.0 + 0.98 * y)
}

/// e^{−x}, the parameter of both proofs.
fn exponential(n: &Number) -> Option<[Enclosure; 1]> {
    (n.x >= 0.0).then(|| [(-exact(n.x)).exp()])
}

fn at_exponential([y]: [f64; 1]) -> Number {
    Number { x: -exact(y).ln().midpoint() }
}

pub fn claim() -> Claim {
    Claim::new("merad2020.fact-softplus", "asymptotics of softplus", Kind::Asymptotic)
        .statement("ζ(x)/x → 1 as x → +∞ and ζ(x) → 0 as x → −∞")
        .symbols([SOFTPLUS, LOGARITHM])
        .source("section 8, proof of Lemma 6", &["section B of the earlier version, proof of Lemma B.1"])
        .setting(right())
}

fn right() -> Setting<Number, Enclosure> {
    Setting::measuring(|n: &Number, _| Ok(exact(n.x)))
        .assume(Hypothesis::new("x > 0", |n| n.x > 0.0))
        .family(edge("decades", || [1.0, 10.0, 100.0, 700.0, 1e3, 1e4].map(number).to_vec()))
        .family(random("log-uniform", || log_uniform(0.1, 1e4).prop_map(|x| Number { x })))
        .family(outside("x ≤ 0", || [0.0, -1.0, -10.0].map(number).to_vec()))
        .without_search()
        .part("right", "0 ≤ ζ(x)/x − 1 ≤ e^{−x}/x, which tends to 0 as x → +∞", holds(), |_, &x| {
            let above_one = distance_from_one(x);
            all_of([
                ("directly", equal(x.softplus() / x - 1.0, above_one).on_scale_of("1", 1.0)),
                ("lower", at_least(above_one, 0)),
                ("upper", at_most(above_one, (-x).exp() / x)),
            ])
        })
        .checked("merad2020.Facts.fact_softplus_limits")
        .checked("merad2020.Facts.fact_softplus_right")
        .proved_by(below_the_exponential(), exponential, at_exponential)
        .our_constant("the bound of the distance from the limit, which gives the limit")
        .part("left", "0 ≤ ζ(−x) ≤ e^{−x}, which tends to 0 as −x → −∞", holds(), |_, &x| {
            let left = (-x).softplus();
            ascending([0.into(), left, (-x).exp()])
        })
        .checked("merad2020.Facts.fact_softplus_left")
        .checked("merad2020.Facts.fact_softplus_limits")
        .proved_by(below_the_exponential(), exponential, at_exponential)
        .our_constant("the bound of the distance from the limit, which gives the limit")
        .sharpening("reflection", "ζ(x) − x = ζ(−x)", holds(), |_, &x| {
            equal(x.softplus() - x, (-x).softplus()).on_scale_of("x", x.hi())
        })
        .checked("merad2020.Facts.fact_softplus_reflection")
        .sharpening(
            "rate",
            "e^{−x}(1 − e^{−x}/2) ≤ ζ(−x) ≤ e^{−x}, so that ζ(−x)e^x → 1 as well",
            holds(),
            |_, &x| {
                let (left, y) = ((-x).softplus(), (-x).exp());
                ascending([y * (1.0 - 0.5 * y), left, y])
            },
        )
        .checked("merad2020.Facts.fact_softplus_rate")
        .proved_by(between_the_powers(), exponential, at_exponential)
        .control("a", "ζ(x) ≤ x for large x", |_, &x| at_most((-x).softplus(), 0))
        .assume(Hypothesis::new("10 ≤ x ≤ 700", |n| (10.0..=700.0).contains(&n.x)))
        .control("b", "ζ(−x) ≥ e^{−x}", |_, &x| at_least((-x).softplus(), (-x).exp()))
        .control("c", "ζ(−x) ≤ ½·e^{−x}", |_, &x| at_most((-x).softplus(), 0.5 * (-x).exp()))
        .control("d", "ζ(x)/x − 1 ≤ 0.9·e^{−x}/x", |_, &x| at_most(distance_from_one(x), 0.9 * (-x).exp() / x))
}
