//! After Theorem 4.2: is an output dimension of the order of log² m necessary?
//!
//! To tell queries and keys apart it is not. Two dimensions do for any number of points: on a circle, q_i = k_i = R(cos 2πi/n, sin 2πi/n), all logits
//! q_i·(k_j − k_i) are at most −R²(1 − cos(2π/n)), and L_S → 0 as R grows. Only d = 1 is too small, and that for n ≥ 3 whatever m is: a query
//! whose key lies between two others has a logit ≥ 0 with one of them, so that L_S ≥ (n − 2)k log 2/(n(n − 1)), with no larger constant.
//!
//! For the random start it is, in the form in which the proofs use it: W_L h has ‖W_L h‖² = ‖h‖² χ²_d/d, and P(χ²_d ≤ d/2) ≥ e^{−d}, so that an output
//! loses half of its squared length with a probability that is at most e^{−log² m} only if d ≥ log² m. (Log m would do for the 1 − O(1/m) of the
//! theorem itself.)

use contrastive::QueriesAndKeys;
use enclosures::probability::chi_square_lower_tail;
use evidence::prelude::*;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

use crate::shared::hypotheses::{LOGITS, large_logits, moderate_logits};
use crate::shared::query_key_outputs::{families, outputs};
use crate::shared::signs::{KEY, LOSS, NEGATIVES, OUTPUT, POINTS, QUERY, SETS, WIDTH};

/// Points on a circle of ℝ², and the loss that is asked for.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "n = {points}, ε = {accuracy}", stored)]
struct CircleOfKeys {
    #[instance(range = "2..=4096")]
    points: u32,
    #[instance(range = "1e-12..=1.0")]
    accuracy: f64,
}

impl CircleOfKeys {
    /// 1 − cos(2πj/n), without cancellation.
    fn gap(&self, j: u32) -> Enclosure {
        let half = Enclosure::from(Interval::pi()) * f64::from(j) / f64::from(self.points);
        2.0 * half.sin().square()
    }

    /// L_S for k = n − 1, the largest of all k, on the circle of a squared radius: all points have the same part.
    fn loss(&self, square: Enclosure) -> Enclosure {
        let share = |j: u32| (-(square * self.gap(j))).exp();
        (1..self.points).map(share).sum::<Enclosure>().ln_1p()
    }

    /// R² = log(2(n − 1)/ε)/(1 − cos(2π/n)).
    fn squared_radius(&self) -> Enclosure {
        (2.0 * Enclosure::from(self.points - 1) / self.accuracy).ln() / self.gap(1)
    }
}

/// A width, and an output dimension.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "m = {width}, d = {output}", stored)]
struct WidthAndOutput {
    #[instance(range = "1.0..=1e9")]
    width: f64,
    #[instance(range = "1..=400")]
    output: u32,
}

impl WidthAndOutput {
    fn squared_logarithm(&self) -> Enclosure {
        exact(self.width).ln().square()
    }

    /// P(χ²_d ≤ d/2).
    fn short(&self) -> Enclosure {
        chi_square_lower_tail(self.output, Interval::point(f64::from(self.output)) / 2.0).into()
    }
}

/// (n − 2)k log 2/(n(n − 1)).
fn on_a_line(o: &QueriesAndKeys) -> Enclosure {
    let (n, k) = (o.count() as f64, o.negatives() as f64);
    exact(n - 2.0) * k / (n * (n - 1.0)) * Enclosure::ln_2()
}

pub fn claim() -> Claim {
    Claim::new("wen2020.output-dimension", "the output dimension that is needed", Kind::Observation)
        .statement(
            "an output dimension d of magnitude Θ(log² m) is necessary for both encoders to project sufficient information \
             onto the output space and contrast between each queries q_i and keys k_j",
        )
        .source("Section 4, after Theorem 4.2", &["Theorem 4.2"])
        .symbols([POINTS, NEGATIVES, WIDTH, OUTPUT, QUERY, KEY, SETS, LOSS])
        .symbol("χ²_d", "the sum of the squares of d independent standard normal variables")
        .sense("contrast", "outputs of fewer dimensions cannot tell each query's key from the others: L_S stays above some ε")
        .sense(
            "start",
            "the random start projects with fewer dimensions too little: with a probability above e^{−log² m}, that of the \
             proofs, W_L h keeps less than half of ‖h‖²",
        )
        .remark(
            "Neither sense is about training. That descent with a smaller d does not reach the accuracy of Theorem 4.2 is \
             not shown by the paper, and no finite number of runs could show it.",
        )
        .setting(circles())
        .setting(lines())
        .setting(starts())
}

fn circles() -> Setting<CircleOfKeys, Enclosure> {
    Setting::measuring(|c: &CircleOfKeys, _| Ok(c.loss(c.squared_radius())))
        .given(
            "n ≥ 2, k = n − 1, d = 2, ε > 0; q_i = k_i = R(cos 2πi/n, sin 2πi/n), i = 1, …, n, with R² = log(2(n − 1)/ε)/(1 − \
             cos(2π/n))",
        )
        .given("any m with log² m > 2")
        .degenerate("n ≤ 3", |c: &CircleOfKeys| c.points <= 3)
        .family(edge("circles", || {
            let sizes = [2, 3, 4, 10, 100, 1000, 4096];
            described(sizes.into_iter().flat_map(|points| {
                [1.0, 0.1, 1e-3, 1e-12].map(|accuracy| CircleOfKeys { points, accuracy })
            }))
        }))
        .family(random("drawn", || {
            (2..=200u32, -12.0..0.0f64).prop_map(|(points, power)| {
                let accuracy = (exact(power) * Enclosure::from(10).ln()).exp().midpoint();
                CircleOfKeys { points, accuracy: accuracy.clamp(1e-12, 1.0) }
            })
        }))
        .without_search()
        .part(
            "contrast",
            "d = 2 is not enough for L_S ≤ ε: L_S > ε at these outputs",
            fails("points on a circle are all extreme points of their hull: a long query finds its key for any n"),
            |c: &CircleOfKeys, &loss| greater_than(loss, exact(c.accuracy)),
        )
        .sides("L_S", "ε")
        .in_sense("contrast")
        .amendment("plane", "d = 2 is enough for every n and ε: L_S ≤ ε at these outputs", holds(), |c, &loss| {
            at_most(loss, exact(c.accuracy))
        })
        .control("a", "half of that R² is enough", |c, _| {
            at_most(c.loss(c.squared_radius() / 2.0), exact(c.accuracy))
        })
        .control("b", "L_S ≤ ε/8 at these outputs", |c, &loss| at_most(loss, exact(c.accuracy) / 8.0))
}

fn lines() -> Setting<QueriesAndKeys, Enclosure> {
    Setting::measuring(|o: &QueriesAndKeys, _| Ok(o.loss().into()))
        .given("n points, 1 ≤ k ≤ n − 1; their queries q_i and keys k_i are any vectors of one dimension")
        .assume(Hypothesis::new(LOGITS, moderate_logits))
        .family(outside("large logits", large_logits))
        .family(families(6))
        .family(edge("nearly optimal on a line", || {
            let beside = |inner: f64| outputs(2, &[&[-1.0], &[inner], &[4.9]], &[&[0.0], &[60.0], &[61.0]]);
            vec![("the inner point beside an end", beside(0.0833)), ("its query shorter", beside(0.06))]
        }))
        .family(edge("far out in the plane", || {
            let triangle: [&[f64]; 3] = [&[10.0, 0.0], &[-5.0, 8.66], &[-5.0, -8.66]];
            let square: [&[f64]; 4] = [&[10.0, 0.0], &[0.0, 10.0], &[-10.0, 0.0], &[0.0, -10.0]];
            vec![("a triangle", outputs(2, &triangle, &triangle)), ("a square", outputs(2, &square, &square))]
        }))
        .amendment(
            "line",
            "d = 1 is not enough, whatever m is: L_S ≥ (n − 2)k log 2/(n(n − 1))",
            holds(),
            |o, &loss| at_least(loss, on_a_line(o)),
        )
        .assume(Hypothesis::new("d = 1", |o| o.dimension() == 1))
        .tested_by("d")
        .control("c", "L_S ≥ (n − 2)k log 2/(n(n − 1)) in every dimension", |o, &loss| {
            at_least(loss, on_a_line(o))
        })
        .control("d", "d = 1: L_S ≥ 1.2 (n − 2)k log 2/(n(n − 1))", |o, &loss| at_least(loss, 1.2 * on_a_line(o)))
        .assume(Hypothesis::new("d = 1", |o| o.dimension() == 1))
}

fn starts() -> Setting<WidthAndOutput, Enclosure> {
    Setting::measuring(|s: &WidthAndOutput, _| Ok(s.short()))
        .given("h any vector other than zero, the entries of W_L independent with the law N(0, 1/d)")
        .family(edge("sizes", || {
            let widths = [2.0, 3.0, 10.0, 100.0, 1e3, 1e6, 1e9];
            let all = widths
                .into_iter()
                .flat_map(|width: f64| [1, 2, 5, 30, 180, 400].map(|output| WidthAndOutput { width, output }));
            described(all)
        }))
        .family(random("drawn", || {
            (0.0..20.0f64, 1..=400u32)
                .prop_map(|(power, output)| WidthAndOutput { width: exact(power).exp().midpoint(), output })
        }))
        .without_search()
        .part("start", "P(‖W_L h‖² ≤ ‖h‖²/2) = P(χ²_d ≤ d/2) > e^{−log² m}", holds(), |s, &short| {
            greater_than(short, (-s.squared_logarithm()).exp())
        })
        .assume(Hypothesis::new("d < log² m", |s| f64::from(s.output) < s.squared_logarithm().lo()))
        .in_sense("start")
        .our_constant("the constant 1 of Θ(log² m) and of the exponent, and the half of ‖h‖²")
        .sharpening("any", "P(χ²_d ≤ d/2) > e^{−d}", holds(), |s, &short| {
            greater_than(short, (-Enclosure::from(s.output)).exp())
        })
        .control("e", "P(χ²_d ≤ d/2) > e^{−log² m}, for every d", |s, &short| {
            greater_than(short, (-s.squared_logarithm()).exp())
        })
        .control("f", "P(χ²_d ≤ d/2) > e^{−d/12}", |s, &short| {
            greater_than(short, (-(Enclosure::from(s.output) / 12.0)).exp())
        })
}
