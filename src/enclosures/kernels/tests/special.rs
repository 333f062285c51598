//! Zeros, infinities, NaN, and the edges where results overflow or vanish.

use crate::kernels::{ElementwiseFunction, log_sum_exp};
use ElementwiseFunction::{Exp, ExpM1, Ln1p, Sigmoid, Softplus};

const INFINITY: f64 = f64::INFINITY;

#[test]
fn special_values() {
    let tiny = f64::from_bits(1);
    let cases = [
        (Exp, 0.0, 1.0),
        (Exp, -0.0, 1.0),
        (Exp, tiny, 1.0),
        (Exp, INFINITY, INFINITY),
        (Exp, -INFINITY, 0.0),
        (Exp, f64::MAX, INFINITY),
        (Exp, f64::MIN, 0.0),
        (ExpM1, 0.0, 0.0),
        (ExpM1, -0.0, -0.0),
        (ExpM1, tiny, tiny),
        (ExpM1, -tiny, -tiny),
        (ExpM1, INFINITY, INFINITY),
        (ExpM1, -INFINITY, -1.0),
        (ExpM1, -800.0, -1.0),
        (Ln1p, 0.0, 0.0),
        (Ln1p, -0.0, -0.0),
        (Ln1p, tiny, tiny),
        (Ln1p, -tiny, -tiny),
        (Ln1p, -1.0, -INFINITY),
        (Ln1p, INFINITY, INFINITY),
        (Ln1p, f64::MAX, 709.782_712_893_384),
        (Softplus, 0.0, std::f64::consts::LN_2),
        (Softplus, -0.0, std::f64::consts::LN_2),
        (Softplus, INFINITY, INFINITY),
        (Softplus, -INFINITY, 0.0),
        (Softplus, f64::MAX, f64::MAX),
        (Softplus, f64::MIN, 0.0),
        (Sigmoid, 0.0, 0.5),
        (Sigmoid, -0.0, 0.5),
        (Sigmoid, INFINITY, 1.0),
        (Sigmoid, -INFINITY, 0.0),
        (Sigmoid, f64::MAX, 1.0),
        (Sigmoid, f64::MIN, 0.0),
    ];
    for (f, x, expected) in cases {
        // Both formulas: alone in a block of ordinary numbers, and beside a NaN.
        for neighbour in [0.25, f64::NAN] {
            let mut values = [neighbour; 64];
            values[17] = x;
            f.apply(&mut values);
            assert_eq!(values[17].to_bits(), expected.to_bits(), "{f:?} of {x:e}: {:e}", values[17]);
        }
    }
}

#[test]
fn not_a_number_stays_so_and_is_always_the_same() {
    let odd = [f64::NAN, -f64::NAN, f64::from_bits(0x7ff0_0000_0000_0001), f64::from_bits(0xfff8_dead_beef_0000)];
    for f in ElementwiseFunction::ALL {
        for x in odd {
            assert_eq!(f.at(x).to_bits(), f64::NAN.to_bits(), "{f:?}");
        }
    }
    for x in [-1.0 - f64::EPSILON, -2.0, f64::MIN, -INFINITY] {
        assert_eq!(Ln1p.at(x).to_bits(), f64::NAN.to_bits(), "log1p of {x:e}");
    }
}

#[test]
fn the_edges_of_overflow_and_underflow() {
    let largest = 709.782_712_893_384;
    let smallest = -745.133_219_101_941_1;
    for f in [Exp, ExpM1] {
        assert!(f.at(largest) < INFINITY && f.at(largest) > 1.797e308, "{f:?}");
        assert_eq!(f.at(largest.next_up()), INFINITY, "{f:?}");
    }
    for f in [Exp, Softplus, Sigmoid] {
        assert_eq!(f.at(smallest), f64::from_bits(1), "{f:?}");
        assert_eq!(f.at(-745.2), 0.0, "{f:?}");
    }
    // Where the formulas are joined, the values grow on both sides.
    for f in ElementwiseFunction::ALL {
        for edge in [708.0f64, -708.0, 100.0, -37.42, 0.0, 0.5] {
            let (before, at, after) = (f.at(edge.next_down()), f.at(edge), f.at(edge.next_up()));
            let step = 2.0 * (at.next_up() - at);
            assert!(before <= at + step && at <= after + step || at.is_nan(), "{f:?} at {edge}");
        }
    }
}

#[test]
fn fast_and_full_formulas_agree() {
    let mut x = -708.0f64;
    while x <= 708.0 {
        for f in ElementwiseFunction::ALL {
            let mut alone = [x];
            let mut beside = [x, f64::NAN];
            // The filling of a short block is zero, an ordinary number.
            f.apply(&mut alone);
            f.apply(&mut beside);
            assert_eq!(alone[0].to_bits(), beside[0].to_bits(), "{f:?} of {x:e}");
        }
        x += 0.137;
    }
}

#[test]
fn log_sum_exp_of_special_values() {
    let same = |values: &[f64], expected: f64| {
        let computed = log_sum_exp(values);
        assert_eq!(computed.to_bits(), expected.to_bits(), "{values:?}: {computed}");
    };
    same(&[], -INFINITY);
    same(&[-INFINITY], -INFINITY);
    same(&[-INFINITY; 100], -INFINITY);
    same(&[3.25], 3.25);
    same(&[3.25, -INFINITY], 3.25);
    same(&[INFINITY, 1.0, -INFINITY], INFINITY);
    same(&[INFINITY, f64::NAN], f64::NAN);
    same(&[1.0, f64::NAN, 1.0], f64::NAN);
    same(&[f64::MAX, f64::MIN], f64::MAX);
    same(&[f64::MAX, f64::MAX], f64::MAX);
    same(&[f64::MIN, f64::MIN], f64::MIN);
    same(&[0.0, 0.0], std::f64::consts::LN_2);
    same(&[0.0, -800.0], 0.0);
    same(&[0.0, -745.0], core_math::exp(-745.0));
    // n equal entries: log n, whatever the padding.
    for n in 1..200usize {
        let error = (log_sum_exp(&vec![0.0; n]) - core_math::log(n as f64)).abs();
        assert!(error <= 1e-15 * core_math::log(n as f64), "{n}");
    }
}
