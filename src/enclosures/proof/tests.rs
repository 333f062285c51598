//! The prover against inequalities whose truth is known, and against their false neighbours.

use super::*;

const FOREVER: f64 = f64::INFINITY;

fn refuted<const K: usize>(conclusion: Conclusion) -> ([f64; K], Interval) {
    match conclusion.outcome {
        CoverResult::Refuted { point, margin } => (point.try_into().expect("one number for each parameter"), margin),
        other => panic!("not refuted: {other:?}"),
    }
}

#[test]
fn equality_in_a_corner_and_an_infinite_tail_are_covered_by_monotonicity() {
    let proof = Proof::covering("t ≥ 0", [(0.0, FOREVER)], |[t]| t - t.ln_1p());
    assert_eq!(proof.run(), Conclusion { outcome: CoverResult::Covered, boxes: 1 });
}

#[test]
fn a_constant_one_percent_too_small_is_refuted() {
    // x(1 − x) ≤ 1/4.
    let quarter = |scale: f64| move |[x]: [Dual<1>; 1]| 0.25 * scale - x * (1.0 - x);
    let [x] = refuted(Proof::covering("[0, 1]", [(0.0, 1.0)], quarter(0.99)).run()).0;
    assert!(x * (1.0 - x) > 0.2475, "{x}");
    assert!(Proof::covering("[0, 1]", [(0.0, 1.0)], quarter(1.01)).run().is_covered());
}

#[test]
fn equality_inside_leaves_a_residual_unless_it_is_factored() {
    // Not a dyadic point, so that no middle hits it.
    let third = || Interval::ONE / 3.0;
    let plain =
        Proof::covering("[0, 1]", [(0.0, 1.0)], move |[x]: [Dual<1>; 1]| x * x - 2.0 * third() * x + third() * third());
    match plain.within(500).run().outcome {
        CoverResult::Residual { open, hull } => {
            assert!(open > 0 && hull[0].contains(1.0 / 3.0) && hull[0].width() < 0.1, "{hull:?}");
        }
        other => panic!("{other:?}"),
    }
    let factored = Proof::covering("[0, 1]", [(0.0, 1.0)], move |[x]: [Dual<1>; 1]| (x - third()).square());
    assert!(factored.run().is_covered());
    let strict = Proof::covering("[0, 1]", [(0.0, 1.0)], move |[x]: [Dual<1>; 1]| (x - 0.5).square()).strictly();
    assert_eq!(refuted(strict.run()).0, [0.5]);
}

#[test]
fn several_parameters_are_subdivided_where_it_matters() {
    // Rosenbrock's valley, lifted: the minimum 1e-3 at (1, 1).
    let valley = |lift: f64| move |[x, y]: [Dual<2>; 2]| 100.0 * (y - x.square()).square() + (1.0 - x).square() + lift;
    let square = [(-2.0, 2.0), (-2.0, 2.0)];
    let done = Proof::covering("a square", square, valley(1e-3)).run();
    assert!(done.is_covered(), "{done}");
    let (point, margin) = refuted::<2>(Proof::covering("a square", square, valley(-1e-3)).run());
    assert!(margin.hi() < 0.0 && (point[0] - 1.0).abs() < 0.1, "{point:?}");
    // Four parameters, one of them without influence: the arithmetic mean against the geometric one, away from equality.
    let means = |[a, b, c, _]: [Dual<4>; 4]| (a + b + c) / 3.0 - (a * b * c).powi(1) / 9.0;
    let done = Proof::covering("a box", [(1.0, 2.0), (1.0, 2.0), (2.0, 3.0), (-1e9, 1e9)], means).run();
    assert!(done.is_covered(), "{done}");
}

#[test]
fn the_mean_value_form_settles_what_plain_evaluation_does_not() {
    // sin x ≤ x: plain evaluation of x − sin x needs x wider than its own overestimation; slopes make it one look.
    let proof = Proof::covering("0 ≤ x ≤ 3", [(0.0, 3.0)], |[x]: [Dual<1>; 1]| x - x.sin());
    assert_eq!(proof.run().boxes, 1);
    let shifted =
        Proof::covering("a wave", [(0.0, 6.0)], |[x]: [Dual<1>; 1]| x.sin() * x.cos() - 0.5 * (2.0 * x).sin() + 0.01);
    assert!(shifted.run().boxes < 200, "{}", shifted.run());
}

#[test]
fn a_margin_that_is_undefined_somewhere_is_never_proved() {
    let root = Proof::covering("[-1, 1]", [(-1.0, 1.0)], |[x]: [Dual<1>; 1]| x.sqrt()).within(400);
    assert!(matches!(root.run().outcome, CoverResult::Residual { .. }), "{}", root.run());
    let hidden = Proof::covering("[-1, 1]", [(-1.0, 1.0)], |[x]: [Dual<1>; 1]| x.sqrt().square().max(1.0)).within(400);
    assert!(!hidden.run().is_covered());
    let pole = Proof::covering("[-1, 1]", [(-1.0, 1.0)], |[x]: [Dual<1>; 1]| 1.0 / x.square()).within(400);
    assert!(!pole.run().is_covered());
    let nothing = Proof::covering("[0, 1]", [(0.0, 1.0)], |[_]: [Dual<1>; 1]| Dual::constant(f64::NAN)).within(400);
    assert!(!nothing.run().is_covered());
}

#[test]
fn a_violation_far_out_on_a_half_line_is_found() {
    // True up to 1000, false beyond.
    let proof = Proof::covering("x ≥ 0", [(0.0, FOREVER)], |[x]: [Dual<1>; 1]| 1000.0 - x);
    let [x] = refuted(proof.run()).0;
    assert!(x > 1000.0);
    let both = Proof::covering("all x", [(-FOREVER, FOREVER)], |[x]: [Dual<1>; 1]| x + 1e6);
    let [x] = refuted(both.run()).0;
    assert!(x < -1e6);
    // A spike: true everywhere but near 12345.
    let spike = |[x]: [Dual<1>; 1]| (x - 12_345.0).square() - 0.25;
    let [x] = refuted(Proof::covering("x ≥ 0", [(0.0, FOREVER)], spike).run()).0;
    assert!((x - 12_345.0).abs() < 0.5);
}

#[test]
fn the_budget_ends_the_work_and_is_counted() {
    let hard = Proof::covering("a square", [(0.0, 1.0), (0.0, 1.0)], |[x, y]: [Dual<2>; 2]| {
        (x - y) * (x - y) * (x + y - 0.7) - (x - y) * (x - y) * (x + y - 0.7)
    })
    .within(101);
    let done = hard.run();
    assert!(done.boxes <= 101 && !done.is_covered(), "{done}");
    assert_eq!(done, hard.run());
}

#[test]
fn conclusions_read_like_sentences() {
    let said = |outcome, boxes| Conclusion { outcome, boxes }.to_string();
    assert_eq!(said(CoverResult::Covered, 1), "covered by 1 box");
    let hull = vec![Interval::new(0.0, 0.5), Interval::new(1.0, FOREVER)];
    assert_eq!(said(CoverResult::Residual { open: 2, hull }, 40), "2 of 40 boxes left over, within [0, 0.5] × [1, ∞]");
    let margin = Interval::point(-1.0);
    let point = vec![0.25, 3.0];
    assert_eq!(said(CoverResult::Refuted { point, margin }, 3), "refuted at (0.25, 3)");
}

#[test]
fn the_scalar_facts_of_log_sum_exp_are_covered_and_their_false_neighbours_refuted() {
    // max x ≤ LSE(x) ≤ max x + log n for n = 3, with d_i = max x − x_i ≥ 0 and both sides exponentiated.
    let below = |n: f64| move |[d, e]: [Dual<2>; 2]| n - (1.0 + (-d).exp() + (-e).exp());
    let gaps = [(0.0, FOREVER), (0.0, FOREVER)];
    assert!(Proof::covering("n = 3", gaps, below(3.0)).run().is_covered());
    assert_eq!(refuted(Proof::covering("n = 3", gaps, below(2.97)).run()).0, [0.0, 0.0]);
    // Σ log(1 + e^{a_i}) ≥ log(1 + Σ e^{a_i}) for k = 3, x_i = e^{a_i}: Π(1 + x_i) − 1 − Σ x_i, multiplied out.
    let product = |[x, y, z]: [Dual<3>; 3]| x * y + x * z + y * z + x * y * z;
    let positive = [(0.0, FOREVER); 3];
    assert!(Proof::covering("k = 3", positive, product).run().is_covered());
    let reversed = Proof::covering("k = 3", positive, move |x| -product(x)).strictly();
    assert!(reversed.run().is_refuted());
    // Not multiplied out: the slopes alone settle it.
    let plain = |[x, y, z]: [Dual<3>; 3]| (1.0 + x) * (1.0 + y) * (1.0 + z) - 1.0 - x - y - z;
    assert!(Proof::covering("k = 3", [(0.0, 4.0); 3], plain).run().is_covered());
    // ‖diag v − vvᵀ‖ = 2t(1 − t) ≤ 1/2 for v = (t, 1 − t), factored; and for ζ(a) = LSE(0, a) ≥ max(0, a).
    let softmax = |[t]: [Dual<1>; 1]| 2.0 * (t - 0.5).square();
    assert!(Proof::covering("K = 2", [(0.0, 1.0)], softmax).run().is_covered());
    let quarter = |[t]: [Dual<1>; 1]| 0.25 - 2.0 * t * (1.0 - t);
    assert!(Proof::covering("K = 2", [(0.0, 1.0)], quarter).run().is_refuted());
    let softplus = |[a]: [Dual<1>; 1]| (-a.abs()).exp().ln_1p();
    assert!(Proof::covering("all a", [(-FOREVER, FOREVER)], softplus).run().is_covered());
}

#[test]
fn a_strict_inequality_may_touch_at_an_end_that_is_left_out() {
    let open =
        |ends: (bool, bool)| Proof::covering("(0, 1)", [(0.0, 1.0)], |[x]| x * (1.0 - x)).strictly().excluding([ends]);
    assert!(open((true, true)).run().is_covered());
    for ends in [(true, false), (false, true), (false, false)] {
        assert!(open(ends).run().is_refuted(), "{ends:?}");
    }
    // Where the slope vanishes at the end, nothing is concluded from it, and the end is no counterexample.
    let flat = Proof::covering("(0, 1]", [(0.0, 1.0)], |[x]: [Dual<1>; 1]| x.square()).strictly();
    assert!(matches!(flat.excluding([(true, false)]).run().outcome, CoverResult::Residual { .. }));
    // The margin vanishes on the end alone, and is no smaller beyond a face that is not left out.
    let plane = |x: f64| {
        Proof::covering("(0, 1] × [0, 1]", [(0.0, 1.0), (0.0, 1.0)], move |[a, b]: [Dual<2>; 2]| a * (1.0 + b) - x)
            .strictly()
            .excluding([(true, false), (false, false)])
    };
    assert!(plane(0.0).run().is_covered() && plane(1e-300).run().is_refuted());
    let other = Proof::covering("[0, 1] × (0, 1]", [(0.0, 1.0), (0.0, 1.0)], |[a, b]: [Dual<2>; 2]| a * (1.0 + b));
    assert!(other.strictly().excluding([(false, false), (true, false)]).run().is_refuted());
}
