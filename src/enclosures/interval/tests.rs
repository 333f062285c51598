//! The true value is always inside: arithmetic against exact rationals, elementary functions against 200-bit arithmetic.

use dashu_float::FBig;
use dashu_float::round::mode::HalfEven;
use num_bigint::BigInt;
use num_rational::BigRational;
use proptest::prelude::*;

use super::{Interval, dot, log_sum_exp, sum};

mod dual;
mod elementary;
mod itf1788;

/// High-precision binary arithmetic.
type Real = FBig<HalfEven, 2>;

/// Bits carried by the reference arithmetic: far more than the 53 of a double.
const BITS: usize = 200;

#[test]
fn assigning_operations_are_the_operations() {
    let (a, b) = (Interval::new(-1.0, 3.5), Interval::new(0.25, 2.0));
    let assigned = |change: fn(&mut Interval, Interval)| {
        let mut result = a;
        change(&mut result, b);
        result
    };
    assert_eq!(assigned(|x, y| *x += y), a + b);
    assert_eq!(assigned(|x, y| *x -= y), a - b);
    assert_eq!(assigned(|x, y| *x *= y), a * b);
}

const EDGES: &[f64] = &[
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    2.0,
    -3.0,
    0.1,
    1.0 / 3.0,
    f64::MIN_POSITIVE,
    -f64::MIN_POSITIVE,
    5e-324,
    -5e-324,
    1e-310,
    1e-280,
    1e-154,
    1e154,
    f64::MAX,
    f64::MIN,
    f64::MAX / 2.0,
    f64::EPSILON,
    1.0 + f64::EPSILON,
    1.0 - f64::EPSILON / 2.0,
    -1.0 + f64::EPSILON / 2.0,
    std::f64::consts::PI,
    std::f64::consts::FRAC_PI_2,
    709.78,
    709.79,
    -745.13,
    -745.14,
    36.7,
    -36.7,
    9_007_199_254_740_993.0,
];

/// Finite doubles of every kind: hand-picked ones, any bit pattern, and ordinary magnitudes.
fn finite() -> impl Strategy<Value = f64> {
    prop_oneof![
        2 => prop::sample::select(EDGES),
        3 => any::<u64>().prop_map(|bits| {
            let x = f64::from_bits(bits);
            if x.is_finite() { x } else { f64::MAX }
        }),
        4 => -50.0..50.0,
        1 => (-1.0..1.0, -60..60).prop_map(|(m, e): (f64, i32)| m * core_math::exp2(f64::from(e))),
    ]
}

/// An interval and a smaller one inside it.
fn nested() -> impl Strategy<Value = (Interval, Interval)> {
    (finite(), finite(), finite(), finite()).prop_map(|(a, b, c, d)| {
        let mut ends = [a, b, c, d];
        ends.sort_by(f64::total_cmp);
        (Interval::new(ends[0], ends[3]), Interval::new(ends[1], ends[2]))
    })
}

/// An interval of ordinary magnitude, with every sign of its ends, zero among them.
fn ordinary() -> impl Strategy<Value = Interval> {
    let end = || prop_oneof![1 => Just(0.0), 6 => -50.0..50.0f64];
    (end(), end()).prop_map(|(a, b)| Interval::new(a, b))
}

fn rational(x: f64) -> BigRational {
    BigRational::from_float(x).expect("finite")
}

/// Whether the exact value lies inside; an infinite end bounds nothing.
fn holds(range: Interval, value: &BigRational) -> bool {
    (range.lo() == f64::NEG_INFINITY || &rational(range.lo()) <= value)
        && (range.hi() == f64::INFINITY || value <= &rational(range.hi()))
}

fn real(x: f64) -> Real {
    Real::try_from(x).expect("finite").with_precision(BITS).value()
}

fn holds_real(range: Interval, value: &Real) -> bool {
    (range.lo() == f64::NEG_INFINITY || &real(range.lo()) <= value)
        && (range.hi() == f64::INFINITY || value <= &real(range.hi()))
}

fn inside(inner: Interval, outer: Interval) -> bool {
    outer.lo() <= inner.lo() && inner.hi() <= outer.hi()
}

/// How many doubles lie between the ends.
fn ulps(x: Interval) -> u64 {
    let key = |x: f64| {
        let bits = (x + 0.0).to_bits() as i64;
        i128::from(if bits < 0 { i64::MIN.wrapping_sub(bits) } else { bits })
    };
    (key(x.hi()) - key(x.lo())).unsigned_abs() as u64
}

/// So many cases, and no file of past failures: a failure is turned into a named case by hand.
/// As many inputs as `PROPTEST_CASES` says, or so many.
fn cases(count: u32) -> ProptestConfig {
    let mut config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = count;
    }
    config
}

proptest! {
    #![proptest_config(cases(4000))]

    #[test]
    fn four_operations_hold_the_rational_value(a in finite(), b in finite()) {
        let (p, q) = (Interval::point(a), Interval::point(b));
        let (x, y) = (rational(a), rational(b));
        prop_assert!(holds(p + q, &(&x + &y)));
        prop_assert!(holds(p - q, &(&x - &y)));
        prop_assert!(holds(p * q, &(&x * &y)));
        for range in [p + q, p - q, p * q] {
            prop_assert!(ulps(range) <= 1 || (ulps(range) <= 2 && range.magnitude() < 1e-279), "{range:?}");
        }
        if b != 0.0 {
            prop_assert!(holds(p / q, &(&x / &y)));
            prop_assert!(ulps(p / q) <= 1 || (ulps(p / q) <= 2 && a.abs().min((a / b).abs()) < 1e-279));
        }
        prop_assert!(!(a >= 0.0 && b >= 0.0) || (p * q).lo() >= 0.0);
        prop_assert!(!(a >= 0.0 && b > 0.0) || (p / q).lo() >= 0.0);
        let (root, near) = (p.abs().sqrt(), rational(a.abs()));
        let (below, above) = (rational(root.lo()), rational(root.hi()));
        prop_assert!(&below * &below <= near && near <= &above * &above);
        prop_assert!(ulps(root) <= 2);
    }

    #[test]
    fn dyadic_arithmetic_stays_a_point(a in -1_000_000i64..1_000_000, b in 1i64..1_000_000, shift in -40i32..40) {
        let scale = core_math::exp2(f64::from(shift));
        let (x, y) = (Interval::point(a as f64 * scale), Interval::point(b as f64 * scale));
        for z in [x + y, x - y, x * y, (x * y) / y, x.square(), x.square().sqrt(), x.powi(2), x.abs()] {
            prop_assert_eq!(z.lo(), z.hi());
        }
        prop_assert_eq!(sum(&[x, y, x]), x + y + x);
    }

    #[test]
    fn interval_operations_hold_every_pair(x in nested(), y in nested()) {
        let ((wide, narrow), (other_wide, other)) = (x, y);
        prop_assert!(inside(narrow + other, wide + other_wide));
        prop_assert!(inside(narrow - other, wide - other_wide));
        prop_assert!(inside(narrow * other, wide * other_wide));
        // The quotient by the point zero is nowhere defined and promises nothing.
        let zero = |x: Interval| x.lo() == 0.0 && x.hi() == 0.0;
        prop_assert!(zero(other) || inside(narrow / other, wide / other_wide));
        for (a, b) in [(narrow.lo(), other.hi()), (narrow.hi(), other.lo()), (narrow.midpoint(), other.midpoint())] {
            let (p, q) = (rational(a), rational(b));
            prop_assert!(holds(wide + other_wide, &(&p + &q)));
            prop_assert!(holds(wide - other_wide, &(&p - &q)));
            prop_assert!(holds(wide * other_wide, &(&p * &q)));
            if b != 0.0 {
                prop_assert!(holds(wide / other_wide, &(&p / &q)));
            }
        }
        for k in [-3, -2, -1, 0, 1, 2, 3, 10] {
            prop_assert!((k < 0 && zero(narrow.powi(-k))) || inside(narrow.powi(k), wide.powi(k)), "power {k}");
        }
        prop_assert!(inside(narrow.square(), wide.square()) && wide.square().lo() >= 0.0);
        prop_assert!(inside(narrow.abs(), wide.abs()));
        prop_assert!(inside(narrow.max(other), wide.max(other_wide)));
        prop_assert!(inside(narrow.min(other), wide.min(other_wide)));
        prop_assert!(inside(narrow.hull(other), wide.hull(other_wide)));
        prop_assert!(narrow.width() <= wide.width() && wide.contains(wide.midpoint()));
    }

    /// Products and quotients are found from the signs of the ends; here all four corners are tried.
    #[test]
    fn products_and_quotients_are_those_of_the_corners(x in ordinary(), y in ordinary()) {
        let hull = |f: fn(Interval, Interval) -> Interval| {
            let corners = [(x.lo(), y.lo()), (x.lo(), y.hi()), (x.hi(), y.lo()), (x.hi(), y.hi())];
            let [first, rest @ ..] = corners.map(|(a, b)| f(Interval::point(a), Interval::point(b)));
            rest.into_iter().fold(first, Interval::hull)
        };
        prop_assert_eq!(x * y, hull(|a, b| a * b));
        if y.mignitude() > 0.0 {
            prop_assert_eq!(x / y, hull(|a, b| a / b));
        }
    }

    #[test]
    fn functions_are_inclusion_monotone(x in nested()) {
        let (wide, narrow) = x;
        let functions: [fn(Interval) -> Interval; 14] = [
            Interval::sqrt, Interval::exp, Interval::exp_m1, Interval::ln, Interval::log2, Interval::ln_1p,
            Interval::softplus, Interval::sigmoid, Interval::tanh, Interval::sin, Interval::cos, Interval::asin,
            Interval::acos, |x| -x,
        ];
        for (index, f) in functions.iter().enumerate() {
            // Values that are exact by definition are not widened, their neighbours are: monotone up to a few roundings.
            let (inner, outer) = (f(narrow), f(wide));
            let slack = |end: f64| f64::MIN_POSITIVE + 1e-15 * end.abs().min(f64::MAX);
            prop_assert!(outer.lo() - slack(outer.lo()) <= inner.lo(), "function {index}: {inner:?} in {outer:?}");
            prop_assert!(inner.hi() <= outer.hi() + slack(outer.hi()), "function {index}: {inner:?} in {outer:?}");
        }
    }

    #[test]
    fn infinite_ends_never_panic(a in any::<u64>(), b in any::<u64>(), c in any::<u64>(), k in any::<i64>()) {
        let x = Interval::new(f64::from_bits(a), f64::from_bits(b));
        let y = Interval::new(f64::from_bits(c), if k % 2 == 0 { f64::INFINITY } else { 0.0 });
        for z in [x + y, x - y, x * y, x / y, y / x, x.powi(k), x.exp(), y.ln(), y.softplus(), y.sigmoid(), y.tanh(),
            y.sin(), y.cos(), y.asin(), y.acos(), x.sqrt(), x.widened_by(f64::from_bits(c)), log_sum_exp(&[x, y])] {
            prop_assert!(z.lo() <= z.hi() && z.lo() < f64::INFINITY && z.hi() > f64::NEG_INFINITY, "{z:?}");
        }
    }
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn powers_hold_the_rational_value(a in finite(), k in -12i64..12) {
        prop_assume!(a != 0.0);
        let positive = (0..k.abs()).fold(rational(1.0), |product, _| product * rational(a));
        let exact = if k < 0 { positive.recip() } else { positive };
        prop_assert!(holds(Interval::point(a).powi(k), &exact));
    }

    #[test]
    fn sums_hold_the_rational_value(terms in prop::collection::vec(finite(), 0..40)) {
        let points: Vec<Interval> = terms.iter().map(|&x| Interval::point(x)).collect();
        let exact: BigRational = terms.iter().map(|&x| rational(x)).sum();
        prop_assert!(holds(sum(&points), &exact));
        prop_assert!(holds(points.iter().copied().sum(), &exact));
    }

    #[test]
    fn dot_products_hold_the_rational_value(pairs in prop::collection::vec((finite(), finite()), 0..24)) {
        let (a, b): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
        let exact: BigRational = pairs.iter().map(|&(x, y)| rational(x) * rational(y)).sum();
        prop_assert!(holds(dot(&a, &b), &exact));
    }

    #[test]
    fn sums_are_tight(terms in prop::collection::vec(0.1..1.0, 9..500)) {
        let points: Vec<Interval> = terms.iter().map(|&x| Interval::point(x)).collect();
        let total = sum(&points);
        prop_assert!(total.width() <= terms.len() as f64 * 1e-15 * total.hi());
    }
}

#[test]
fn special_values() {
    assert_eq!(Interval::point(f64::NAN), Interval::ENTIRE);
    assert_eq!(Interval::new(1.0, f64::NAN), Interval::ENTIRE);
    assert_eq!(Interval::point(f64::INFINITY).lo(), f64::MAX);
    assert_eq!(Interval::ZERO.exp(), Interval::ONE);
    assert_eq!(Interval::ONE.ln(), Interval::ZERO);
    assert_eq!(Interval::point(8.0).log2(), Interval::point(3.0));
    assert_eq!(Interval::ZERO.sin(), Interval::ZERO);
    assert_eq!(Interval::ZERO.cos(), Interval::ONE);
    assert_eq!(Interval::ZERO.tanh(), Interval::ZERO);
    assert_eq!(Interval::ONE.acos(), Interval::ZERO);
    assert_eq!(Interval::ZERO.ln().lo(), f64::NEG_INFINITY);
    assert_eq!(Interval::ENTIRE.exp(), Interval::new(0.0, f64::INFINITY));
    assert_eq!(Interval::ENTIRE.sin(), Interval::new(-1.0, 1.0));
    assert_eq!(Interval::ENTIRE.sigmoid(), Interval::new(0.0, 1.0));
    assert_eq!(Interval::ENTIRE.tanh(), Interval::new(-1.0, 1.0));
    assert_eq!(Interval::ENTIRE * Interval::ZERO, Interval::ZERO);
    assert_eq!(Interval::ONE / Interval::ZERO, Interval::ENTIRE);
    assert_eq!(Interval::ONE / Interval::new(0.0, f64::INFINITY), Interval::new(0.0, f64::INFINITY));
    assert_eq!(Interval::point(2.0).powi(i64::MIN).lo(), 0.0);
    assert_eq!(Interval::point(1.0).powi(i64::MIN), Interval::ONE);
    assert_eq!(Interval::new(-2.0, 3.0).powi(2), Interval::new(0.0, 9.0));
    assert_eq!(Interval::new(-4.0, -1.0).sqrt(), Interval::ZERO);
    assert_eq!(sum(&[]), Interval::ZERO);
    assert_eq!(dot(&[], &[]), Interval::ZERO);
    assert_eq!(log_sum_exp(&[]).lo(), f64::NEG_INFINITY);
    assert_eq!(log_sum_exp(&[Interval::point(-7.0)]), Interval::point(-7.0));
    assert!(holds_real(Interval::pi(), &Real::pi(BITS)));
    assert_eq!(ulps(Interval::pi()), 1);
}

#[test]
fn an_end_at_infinity_takes_nothing_from_the_other_one() {
    let above = [Interval::new(1.0, f64::INFINITY); 12];
    assert_eq!(sum(&above), Interval::new(12.0, f64::INFINITY));
    let below = [Interval::new(f64::NEG_INFINITY, -1.0); 12];
    assert_eq!(sum(&below), Interval::new(f64::NEG_INFINITY, -12.0));
}

#[test]
fn long_alternating_sum_is_enclosed() {
    let terms: Vec<Interval> =
        (1..=100_000).map(|k| Interval::point(if k % 2 == 0 { -1.0 } else { 1.0 } / f64::from(k))).collect();
    let exact: BigRational = terms.iter().map(|t| rational(t.lo())).take(2000).sum();
    assert!(holds(sum(&terms[..2000]), &exact));
    assert!((sum(&terms).midpoint() - core_math::log(2.0)).abs() < 1e-5);
    assert!(exact.denom() > &BigInt::from(1));
}
