//! Section 8, proof of Lemma 6: the softplus at both ends of the line.
//!
//! True, with a rate: ζ(x) − x = ζ(−x), so ζ(x)/x − 1 = ζ(−x)/x, and e^{−x}(1 − e^{−x}/2) ≤ ζ(−x) ≤ e^{−x} from y −
//! y²/2 ≤ log(1 + y) ≤ y.

use contrapositive::claim::{Claim, Kind, Setting, all_of, at_least, at_most, consistent, edge, equal, holds, random};
use contrapositive::enclosure::Enclosure;
use contrapositive::proof::Proof;

use super::families::log_uniform;
use super::reals::{Number, number};
use proptest::strategy::Strategy;

/// ζ(x)/x − 1 = ζ(−x)/x.
fn distance_from_one(x: Enclosure) -> Enclosure {
    (-x).softplus() / x
}

/// Whether e^{−x} is a double with full precision.
fn resolved(n: &Number) -> bool {
    n.x <= 700.0
}

pub fn claim() -> Claim {
    Claim::new("merad2020.fact-softplus", "asymptotics of softplus", Kind::Asymptotic)
        .statement("ζ(x)/x → 1 as x → +∞ and ζ(x) → 0 as x → −∞")
        .source(
            "section 8, proof of Lemma 6",
            &["section B of the earlier version, proof of Lemma B.1"],
        )
        .setting(
            Setting::measuring(|n: &Number, _| Ok(Enclosure::from(n.x)))
                .assume("x > 0", |n| n.x > 0.0)
                .family(edge("decades", || {
                    [1.0, 10.0, 100.0, 700.0, 1e3, 1e4].map(number).to_vec()
                }))
                .family(random("log-uniform", || {
                    log_uniform(0.1, 1e4).prop_map(|x| Number { x })
                }))
                .without_search()
                .part(
                    "right",
                    "|ζ(x)/x − 1| shrinks at least tenfold from x to 10x",
                    consistent(),
                    |_, &x| at_least(0.1 * distance_from_one(x), distance_from_one(10.0 * x)).as_trend(),
                )
                .part(
                    "left",
                    "ζ(−x) shrinks at least tenfold from x to 10x, x ≥ 1",
                    consistent(),
                    |_, &x| at_least(0.1 * (-x).softplus(), (-10.0 * x).softplus()).as_trend(),
                )
                .when("x ≥ 1", |n| n.x >= 1.0)
                .sharpening("reflection", "ζ(x) − x = ζ(−x)", holds(), |_, &x| {
                    equal(x.softplus() - x, (-x).softplus()).on_scale(x.hi())
                })
                .sharpening(
                    "rate",
                    "e^{−x}(1 − e^{−x}/2) ≤ ζ(−x) ≤ e^{−x}, so that ζ(−x)e^x → 1 as well",
                    holds(),
                    |_, &x| {
                        let (left, y) = ((-x).softplus(), (-x).exp());
                        all_of([
                            ("lower", at_least(left, y * (1.0 - 0.5 * y))),
                            ("upper", at_most(left, y)),
                        ])
                    },
                )
                .proved_by(
                    Proof::covering("x ≥ 0, y = e^{−x}", [(0.0, 1.0)], |[y]| {
                        (y.square() / (1.0 + y)).min(y / (1.0 + y))
                    })
                    .in_other_form(
                        "both bounds are attained at y = 0, and the derivatives of the differences in y are y²/(1 + y) \
                         and y/(1 + y)",
                    )
                    .control("e^{−x}(1 − 0.49 e^{−x}) ≤ ζ(−x), the derivative", |[y]| {
                        1.0 / (1.0 + y) - 1.0 + 0.98 * y
                    }),
                    |n| (n.x >= 0.0).then(|| [(-Enclosure::from(n.x)).exp()]),
                    |[y]| Number {
                        x: -Enclosure::from(y).ln().midpoint(),
                    },
                )
                .control("a", "ζ(x) ≤ x for large x", |_, &x| at_most((-x).softplus(), 0.0))
                .when("10 ≤ x ≤ 700", |n| n.x >= 10.0 && resolved(n))
                .control("b", "ζ(−x) ≥ e^{−x}", |_, &x| {
                    at_least((-x).softplus(), (-x).exp())
                })
                .control(
                    "c",
                    "ζ(−x) shrinks at least a millionfold from x to 10x, x ≥ 1",
                    |_, &x| at_least(1e-6 * (-x).softplus(), (-10.0 * x).softplus()),
                )
                .when("x ≥ 1", |n| n.x >= 1.0),
        )
}
