//! Errors against the exact values, over the whole range, and a hunt for the worst.

use super::reference::reference;
use crate::kernels::{ElementwiseFunction, gram, log_sum_exp};
use crate::stream::{Stream, stream};
use rand::RngExt;

/// Where each function has a finite value that is worth looking at.
fn domain(f: ElementwiseFunction) -> (f64, f64) {
    match f {
        ElementwiseFunction::Exp => (-745.2, 709.782_712_893_383_9),
        ElementwiseFunction::ExpM1 => (-745.2, 709.782_712_893_383_9),
        ElementwiseFunction::Ln1p => (-1.0 + f64::EPSILON / 2.0, f64::MAX),
        ElementwiseFunction::Softplus | ElementwiseFunction::Sigmoid => (-745.2, f64::MAX),
    }
}

fn inside(f: ElementwiseFunction, x: f64) -> bool {
    let (lo, hi) = domain(f);
    (lo..=hi).contains(&x)
}

/// Numbers of every size, of the size that matters, and close to where the formulas change.
fn draw(f: ElementwiseFunction, rng: &mut Stream) -> f64 {
    loop {
        let x = match rng.random_range(0..8) {
            0 => f64::from_bits(rng.random()),
            1 => rng.random_range(-746.0..710.0),
            2 => rng.random_range(-745.2..-708.0),
            3 => rng.random_range(-40.0..40.0),
            4 => rng.random_range(-1.0..1.0),
            5 => (f64::from(rng.random_range(-20..20)) + 0.5) * std::f64::consts::LN_2 + rng.random_range(-1e-3..1e-3),
            6 => {
                let k = rng.random_range(-60..60);
                let y = std::f64::consts::SQRT_2 * (1.0 + rng.random_range(-1e-3..1e-3));
                super::reference::ldexp(y, k) - if f == ElementwiseFunction::Ln1p { 1.0 } else { 0.0 }
            }
            _ => {
                let size = f64::from_bits(u64::from(rng.random_range(960u32..1034)) << 52);
                size * rng.random_range(-2.0..2.0)
            }
        };
        if inside(f, x) {
            return x;
        }
    }
}

fn error(f: ElementwiseFunction, x: f64) -> f64 {
    reference(f, x).error_of(f.at(x))
}

#[test]
fn errors_stay_below_their_bounds_over_the_whole_range() {
    for f in ElementwiseFunction::ALL {
        let mut rng = stream(0, &["kernels", "accuracy", &format!("{f:?}")]);
        let mut pool: Vec<(f64, f64)> = Vec::new();
        for _ in 0..200_000 {
            let x = draw(f, &mut rng);
            pool.push((error(f, x), x));
        }
        // The hunt: the worst have children nearby, at all distances.
        for _ in 0..60 {
            pool.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.total_cmp(&b.1)));
            pool.dedup();
            pool.truncate(64);
            for parent in 0..64.min(pool.len()) {
                for _ in 0..24 {
                    let reach = 1u64 << rng.random_range(0..48);
                    let step = rng.random_range(0..=reach) as i64 * if rng.random() { 1 } else { -1 };
                    let x = f64::from_bits(pool[parent].1.to_bits().wrapping_add_signed(step));
                    if inside(f, x) {
                        pool.push((error(f, x), x));
                    }
                }
            }
        }
        let worst = pool.iter().fold((0.0, 0.0), |a, &b| if b.0 > a.0 { b } else { a });
        println!("{f:?}: {:.3} units in the last place at {:e}", worst.0, worst.1);
        assert!(worst.0 <= f.error_bound(), "{f:?} is off by {} units at {:e}", worst.0, worst.1);
    }
}

#[test]
fn subnormal_results_are_no_worse() {
    let mut rng = stream(0, &["kernels", "subnormal"]);
    for f in [ElementwiseFunction::Exp, ElementwiseFunction::Softplus, ElementwiseFunction::Sigmoid] {
        let mut worst: f64 = 0.0;
        for _ in 0..100_000 {
            worst = worst.max(error(f, rng.random_range(-745.2..-708.0)));
        }
        println!("{f:?}, subnormal: {worst:.3}");
        assert!(worst <= 1.0, "{f:?}: {worst}");
    }
}

/// The proofs give less than the promise where nothing is subnormal and away from the worst place.
#[test]
fn what_the_proofs_say_beyond_the_promises() {
    let mut rng = stream(0, &["kernels", "finer bounds"]);
    let (mut exp, mut minus_one, mut log) = (0.0f64, 0.0f64, 0.0f64);
    for _ in 0..100_000 {
        let x = draw(ElementwiseFunction::Exp, &mut rng);
        if x > -708.0 {
            exp = exp.max(error(ElementwiseFunction::Exp, x));
        }
        if !(0.34..0.42).contains(&x) {
            minus_one = minus_one.max(error(ElementwiseFunction::ExpM1, x));
        }
        log = log.max(error(ElementwiseFunction::Ln1p, draw(ElementwiseFunction::Ln1p, &mut rng)));
    }
    println!("normal exp {exp:.3}, expm1 elsewhere {minus_one:.3}, log1p {log:.3}");
    assert!(exp <= 0.86 && minus_one <= 1.5 && log <= 1.6);
}

/// The reference agrees with the correctly rounded functions.
#[test]
fn the_reference_is_right() {
    type Peer = (ElementwiseFunction, fn(f64) -> f64);
    let peers: [Peer; 3] = [
        (ElementwiseFunction::Exp, core_math::exp),
        (ElementwiseFunction::ExpM1, core_math::expm1),
        (ElementwiseFunction::Ln1p, core_math::log1p),
    ];
    for (f, peer) in peers {
        let mut rng = stream(0, &["kernels", "reference", &format!("{f:?}")]);
        for _ in 0..100_000 {
            let x = draw(f, &mut rng);
            let right = peer(x);
            // A subnormal sum would be rounded twice.
            if right.abs() > 1e-300 {
                assert_eq!(reference(f, x).rounded(), right, "{f:?} of {x:e}");
            }
        }
    }
}

/// The bound of `log_sum_exp` against the same sum with reference exponentials, whose own error is negligible.
#[test]
fn log_sum_exp_keeps_its_bound() {
    let mut rng = stream(0, &["kernels", "log-sum-exp"]);
    let u = f64::EPSILON / 2.0;
    let mut worst: f64 = 0.0;
    for trial in 0..3000 {
        let n = rng.random_range(1..if trial % 10 == 0 { 5000 } else { 200 });
        let spread = [1e-3, 1.0, 30.0, 500.0, 1400.0][trial % 5];
        // Multiples of 2^-20 have exact differences, which the reference needs.
        let grain = f64::from_bits((1023 - 20) << 52);
        let mut x: Vec<f64> =
            (0..n).map(|_| (rng.random_range(-1.0..1.0f64) * spread / grain).round() * grain).collect();
        if trial % 3 == 0 {
            let m = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            x.iter_mut().for_each(|x| *x -= m);
        }
        let m = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let first = x.iter().position(|&x| x == m).expect("the largest entry is there");
        // Terms of the reference, summed with compensation: relative error below 2 u^2 n.
        let (mut sum, mut low) = (0.0f64, 0.0f64);
        for (i, &x) in x.iter().enumerate() {
            if i != first && x - m > -745.0 {
                let term = reference(ElementwiseFunction::Exp, x - m);
                let high = super::reference::ldexp(term.high, term.k);
                let total = sum + high;
                low += if sum >= high { (sum - total) + high } else { (high - total) + sum };
                low += super::reference::ldexp(term.low, term.k);
                sum = total;
            }
        }
        let s = sum + low;
        let log = core_math::log1p(s);
        // What the roundings of the reference itself may add: s and log once each.
        let own = 2.0 * u * log;
        let computed = log_sum_exp(&x);
        let (exact, rest) = (m + log, {
            let total = m + log;
            let back = total - m;
            (m - (total - back)) + (log - back)
        });
        let off = ((computed - exact) - rest).abs();
        let bound = u * computed.abs() + (14.0 + n as f64 * u) * u * log;
        worst = worst.max(off / (bound + own));
        assert!(off <= bound + own + 1e-323, "{n} terms: {computed} for {exact}");
    }
    println!("log-sum-exp: {worst:.3} of its bound");
}

#[test]
fn log_sum_exp_of_two_is_softplus() {
    let mut rng = stream(0, &["kernels", "log-sum-exp of two"]);
    for _ in 0..100_000 {
        let x: f64 = rng.random_range(-745.0..745.0);
        let error = reference(ElementwiseFunction::Softplus, x).error_of(log_sum_exp(&[0.0, x]));
        assert!(error <= 3.0, "{x}: {error}");
    }
}

#[test]
fn products_keep_their_bound() {
    let mut rng = stream(0, &["kernels", "products"]);
    for d in [1, 2, 7, 64, 300] {
        let a: Vec<f64> = (0..5 * d).map(|_| rng.random_range(-1.0..1.0)).collect();
        let b: Vec<f64> = (0..21 * d).map(|_| rng.random_range(-1.0..1.0)).collect();
        let mut output = vec![0.0; 5 * 21];
        gram(&a, &b, d, &mut output).expect("the shapes fit");
        for (i, row) in a.chunks_exact(d).enumerate() {
            for (j, column) in b.chunks_exact(d).enumerate() {
                let exact = crate::interval::dot(row, column);
                let size: f64 = row.iter().zip(column).map(|(x, y)| (x * y).abs()).sum();
                let value = output[i * 21 + j];
                let bound = 1.01 * d as f64 * f64::EPSILON / 2.0 * size;
                assert!(value >= exact.lo() - bound && value <= exact.hi() + bound);
                let plain = row.iter().zip(column).fold(0.0, |sum, (x, y)| sum + x * y);
                assert_eq!(value.to_bits(), plain.to_bits(), "not the plain sum");
            }
        }
    }
}
