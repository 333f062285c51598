//! The elementary functions of points against 200-bit arithmetic.

use proptest::prelude::*;

use super::{Interval, cases, finite, holds_real, log_sum_exp, real, ulps};

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn exponentials_hold_the_true_value(x in finite()) {
        let point = Interval::point(x);
        if x != 0.0 && x.abs() < 800.0 {
            prop_assert!(holds_real(point.exp(), &real(x).exp()));
            prop_assert!(holds_real(point.exp_m1(), &real(x).exp_m1()));
            prop_assert!(ulps(point.exp()) <= 2 && ulps(point.exp_m1()) <= 2);
            let decay = real(-x.abs()).exp();
            let soft = if x > 0.0 { real(x) + decay.ln_1p() } else { decay.ln_1p() };
            prop_assert!(holds_real(point.softplus(), &soft));
            prop_assert!(ulps(point.softplus()) <= 8, "{:?}", point.softplus());
            let one = real(1.0);
            let logistic = if x > 0.0 { &one / (&one + &decay) } else { &decay / (&one + &decay) };
            prop_assert!(holds_real(point.sigmoid(), &logistic));
            prop_assert!(ulps(point.sigmoid()) <= 8, "{:?}", point.sigmoid());
        } else if x == 0.0 {
            prop_assert!(point.exp() == Interval::ONE && point.exp_m1() == Interval::ZERO);
            prop_assert!(holds_real(point.softplus(), &real(2.0).ln()) && point.sigmoid().contains(0.5));
        } else if x > 0.0 {
            prop_assert_eq!(point.exp().lo(), f64::MAX);
            prop_assert!(point.softplus().contains(x) && point.sigmoid().hi() == 1.0);
        } else {
            prop_assert!(point.exp().lo() == 0.0 && point.exp().hi() > 0.0);
            prop_assert!(point.softplus().lo() == 0.0 && point.sigmoid().lo() == 0.0);
        }
    }

    #[test]
    fn logarithms_hold_the_true_value(x in finite()) {
        if x.abs() > 0.0 {
            let natural = real(x.abs()).ln();
            let point = Interval::point(x.abs());
            prop_assert!(holds_real(point.ln(), &natural));
            prop_assert!(ulps(point.ln()) <= 2);
            if x.abs().to_bits() << 12 != 0 {
                prop_assert!(holds_real(point.log2(), &(natural / real(2.0).ln())));
            }
            prop_assert!(ulps(point.log2()) <= 2);
        }
        if x > -1.0 {
            prop_assert!(holds_real(Interval::point(x).ln_1p(), &real(x).ln_1p()));
            prop_assert!(ulps(Interval::point(x).ln_1p()) <= 2);
        }
    }

    #[test]
    fn angles_hold_the_true_value(x in finite()) {
        let point = Interval::point(x);
        if x.abs() < 1e6 && x != 0.0 {
            prop_assert!(holds_real(point.sin(), &real(x).sin()), "{:?}", point.sin());
            prop_assert!(holds_real(point.cos(), &real(x).cos()));
            prop_assert!(holds_real(point.tanh(), &real(x).tanh()));
            prop_assert!(ulps(point.sin()) <= 2 && ulps(point.tanh()) <= 2);
        }
        let ratio = if x.abs() <= 1.0 { x } else { 1.0 / x };
        if ratio != 0.0 {
            prop_assert!(holds_real(Interval::point(ratio).asin(), &real(ratio).asin()));
            prop_assert!(holds_real(Interval::point(ratio).acos(), &real(ratio).acos()));
            prop_assert!(ulps(Interval::point(ratio).asin()) <= 2 && ulps(Interval::point(ratio).acos()) <= 2);
        }
    }

    #[test]
    fn hyperbolic_functions_and_their_inverses_hold_the_true_value(x in finite()) {
        if x.abs() < 700.0 && x != 0.0 {
            let point = Interval::point(x);
            prop_assert!(holds_real(point.sinh(), &real(x).sinh()), "{:?}", point.sinh());
            prop_assert!(holds_real(point.cosh(), &real(x).cosh()), "{:?}", point.cosh());
            prop_assert!(ulps(point.sinh()) <= 2 && ulps(point.cosh()) <= 2);
            prop_assert!(point.cosh().lo() >= 1.0);
        }
        if x.abs() < 1e150 && x != 0.0 {
            let point = Interval::point(x);
            prop_assert!(holds_real(point.asinh(), &real(x).asinh()), "{:?}", point.asinh());
            prop_assert!(holds_real(point.atan(), &real(x).atan()), "{:?}", point.atan());
            prop_assert!(ulps(point.asinh()) <= 2 && ulps(point.atan()) <= 2);
            let above = Interval::point(x.abs().max(1.0));
            prop_assert!(holds_real(above.acosh(), &real(x.abs().max(1.0)).acosh()), "{:?}", above.acosh());
            prop_assert!(ulps(above.acosh()) <= 2);
        }
        let ratio = if x.abs() < 1.0 { x } else { 0.5 / x };
        if ratio != 0.0 {
            let point = Interval::point(ratio);
            prop_assert!(holds_real(point.atanh(), &real(ratio).atanh()), "{:?}", point.atanh());
            prop_assert!(ulps(point.atanh()) <= 2);
        }
    }

    #[test]
    fn tangents_hold_the_true_value_and_know_their_poles(x in -1e5..1e5f64, width in 0.0..4.0f64, t in 0.0..1.0f64) {
        let point = Interval::point(x);
        prop_assert!(holds_real(point.tan(), &real(x).tan()), "{:?}", point.tan());
        prop_assert!(ulps(point.tan()) <= 2);
        let range = Interval::new(x, x + width);
        let inside = (x + t * width).clamp(range.lo(), range.hi());
        prop_assert!(holds_real(range.tan(), &real(inside).tan()), "{range:?} {:?}", range.tan());
    }

    #[test]
    fn even_and_monotone_functions_hold_every_number_between(a in -20.0..20.0f64, width in 0.0..9.0f64, t in 0.0..1.0f64) {
        let range = Interval::new(a, a + width);
        let x = (a + t * width).clamp(range.lo(), range.hi());
        prop_assert!(holds_real(range.cosh(), &real(x).cosh()) && holds_real(range.sinh(), &real(x).sinh()));
        prop_assert!(holds_real(range.atan(), &real(x).atan()) && holds_real(range.asinh(), &real(x).asinh()));
    }

    #[test]
    fn oscillations_hold_every_angle_between(a in -1e3..1e3f64, width in 0.0..7.0f64, t in 0.0..1.0f64) {
        let range = Interval::new(a, a + width);
        let x = (a + t * width).clamp(range.lo(), range.hi());
        prop_assert!(holds_real(range.sin(), &real(x).sin()) && holds_real(range.cos(), &real(x).cos()));
    }

    #[test]
    fn log_sum_exp_holds_the_true_value(terms in prop::collection::vec(-300.0..300.0, 2..20)) {
        let points: Vec<Interval> = terms.iter().map(|&x| Interval::point(x)).collect();
        // With the largest term taken out, so that 200 bits suffice for sums near one.
        let largest = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut rest = real(0.0);
        let mut seen = false;
        for &x in &terms {
            if x == largest && !seen {
                seen = true;
            } else {
                rest += (real(x) - real(largest)).exp();
            }
        }
        let truth = real(largest) + rest.ln_1p();
        let range = log_sum_exp(&points);
        prop_assert!(holds_real(range, &truth), "{range:?}");
        prop_assert!(range.width() <= 4e-13);
    }
}

#[test]
fn ends_of_domains_are_exact_or_infinite() {
    assert_eq!(Interval::ZERO.sinh(), Interval::ZERO);
    assert_eq!(Interval::ZERO.cosh(), Interval::ONE);
    assert_eq!(Interval::ZERO.tan(), Interval::ZERO);
    assert_eq!(Interval::ONE.acosh(), Interval::ZERO);
    assert_eq!(Interval::ONE.atanh().hi(), f64::INFINITY);
    // What lies outside is dropped.
    assert_eq!(Interval::new(0.5, 1.0).acosh(), Interval::ZERO);
    assert_eq!(Interval::new(-3.0, -2.0).atanh().lo(), f64::NEG_INFINITY);
    assert_eq!(Interval::new(1.5, 1.6).tan(), Interval::ENTIRE);
    for end in [1_048_576.0, -1_048_576.0] {
        assert!(Interval::point(end).tan().is_finite());
        assert_eq!(Interval::point(end * 1.5).tan(), Interval::ENTIRE);
    }
    let line = Interval::ENTIRE.atan();
    assert!(line.contains(std::f64::consts::FRAC_PI_2) && line.hi() < 1.570_796_326_794_897_3);
}
