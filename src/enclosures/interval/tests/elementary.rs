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
