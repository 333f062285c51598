//! Derivatives against difference quotients, boxes against their points.

use crate::interval::{Dual, Interval};

type Function = fn(Dual<2>) -> Dual<2>;

/// Every function with a range on which it is smooth.
const FUNCTIONS: [(&str, Function, f64, f64); 26] = [
    ("exp", Dual::exp, -3.0, 3.0),
    ("exp_m1", Dual::exp_m1, -3.0, 3.0),
    ("ln", Dual::ln, 0.1, 9.0),
    ("ln_1p", Dual::ln_1p, -0.9, 9.0),
    ("softplus", Dual::softplus, -5.0, 5.0),
    ("sigmoid", Dual::sigmoid, -5.0, 5.0),
    ("sigmoid_slope", Dual::sigmoid_slope, -5.0, 5.0),
    ("tanh", Dual::tanh, -3.0, 3.0),
    ("sqrt", Dual::sqrt, 0.1, 9.0),
    ("square", Dual::square, -3.0, 3.0),
    ("cube", |x| x.powi(3), -3.0, 3.0),
    ("inverse square", |x| x.powi(-2), 0.2, 3.0),
    ("sin", Dual::sin, -4.0, 4.0),
    ("cos", Dual::cos, -4.0, 4.0),
    ("tan", Dual::tan, -1.4, 1.4),
    ("atan", Dual::atan, -4.0, 4.0),
    ("asin", Dual::asin, -0.9, 0.9),
    ("acos", Dual::acos, -0.9, 0.9),
    ("sinh", Dual::sinh, -3.0, 3.0),
    ("cosh", Dual::cosh, -3.0, 3.0),
    ("asinh", Dual::asinh, -4.0, 4.0),
    ("acosh", Dual::acosh, 1.1, 4.0),
    ("atanh", Dual::atanh, -0.9, 0.9),
    ("abs", Dual::abs, 0.5, 4.0),
    ("max", |x| x.max(1.0), 1.5, 4.0),
    ("min", |x| x.min(-x), -4.0, -1.0),
];

fn at(f: Function, x: f64) -> Dual<2> {
    let [x, y] = Dual::variables([x, 2.0].map(Interval::point));
    // A non-trivial inner function, so that the chain rule is exercised.
    f(x * y / 2.0)
}

#[test]
fn slopes_agree_with_difference_quotients() {
    for (name, f, lo, hi) in FUNCTIONS {
        for step in 1..20 {
            let (x, h) = (lo + (hi - lo) * f64::from(step) / 20.0, 1e-5);
            let quotient = (at(f, x + h).value.midpoint() - at(f, x - h).value.midpoint()) / (2.0 * h);
            let found = at(f, x).slopes[0];
            let size = 1.0 + quotient.abs();
            assert!((found.midpoint() - quotient).abs() < 1e-6 * size, "{name} at {x}: {found:?} {quotient}");
            assert!(found.width() < 1e-9 * size, "{name} at {x}: {found:?}");
            // Along y the inner function has the slope x/2.
            let along = at(f, x).slopes[1].midpoint();
            assert!((along - found.midpoint() * x / 2.0).abs() < 1e-12 * size, "{name} at {x}: {along}");
        }
    }
}

#[test]
fn a_box_contains_what_happens_at_its_points() {
    for (name, f, lo, hi) in FUNCTIONS {
        let [x, y] = Dual::variables([Interval::new(lo, hi), Interval::point(2.0)]);
        let whole = f(x * y / 2.0);
        for step in 0..=20 {
            let x = (lo + (hi - lo) * f64::from(step) / 20.0).clamp(lo, hi);
            let point = at(f, x);
            assert_eq!(whole.value.intersection(point.value), Some(point.value), "{name} at {x}");
            let slope = point.slopes[0].midpoint();
            assert!(whole.slopes[0].contains(slope), "{name} at {x}: {slope} {:?}", whole.slopes[0]);
        }
    }
}

#[test]
fn what_is_not_defined_on_the_whole_box_is_unknown() {
    let [x] = Dual::variables([Interval::new(-1.0, 1.0)]);
    for undefined in [
        x.sqrt(),
        x.ln(),
        (x - 1.0).ln_1p(),
        1.0 / x,
        x.powi(-1),
        x.known_within(2.0, 3.0),
        (2.0 * x).tan(),
        (2.0 * x).asin(),
        (2.0 * x).acos(),
        x.acosh(),
        (2.0 * x).atanh(),
    ] {
        assert!(!undefined.defined && undefined.value == Interval::ENTIRE);
        // What hides the gap from an interval does not hide it here.
        assert!(!undefined.square().defined && !undefined.max(1.0).defined && !(2.0 + undefined.exp()).defined);
    }
    assert!(x.max(0.0).sqrt().defined);
    assert_eq!(x.max(0.0).sqrt().value, Interval::new(0.0, 1.0));
}

#[test]
fn a_kink_has_every_slope_between_its_two() {
    let [x] = Dual::variables([Interval::new(-1.0, 2.0)]);
    assert_eq!(x.abs().slopes, [Interval::new(-1.0, 1.0)]);
    assert_eq!(x.max(0.0).slopes, [Interval::new(0.0, 1.0)]);
    assert_eq!(x.min(3.0).slopes, [Interval::ONE]);
}
