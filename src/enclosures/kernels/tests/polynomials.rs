//! The approximation errors that the proofs use, bounded on whole intervals in rational arithmetic.

use crate::kernels::{exponential, logarithm};
use num_bigint::BigInt;
use num_rational::BigRational;

fn rational(x: f64) -> BigRational {
    BigRational::from_float(x).expect("finite")
}

fn ratio(a: i64, b: i64) -> BigRational {
    BigRational::new(BigInt::from(a), BigInt::from(b))
}

fn size(x: &BigRational) -> BigRational {
    x.clone().max(-x)
}

/// For equal parts of `[lo, hi]`: the left end, and an upper bound of `|p|` on the part, the sum of the moduli of the terms
/// of its Taylor polynomial about the middle.
fn parts(p: &[BigRational], lo: &BigRational, hi: &BigRational, count: i64) -> Vec<(BigRational, BigRational)> {
    let half = (hi - lo) / ratio(2 * count, 1);
    let part = |i: i64| {
        let middle = lo + &half * ratio(2 * i + 1, 1);
        let mut about = p.to_vec();
        // Horner's scheme, again and again, shifts the origin to the middle.
        for start in 0..about.len() {
            for j in (start + 1..about.len()).rev() {
                let step = &about[j] * &middle;
                about[j - 1] += step;
            }
        }
        let bound = about.iter().rev().fold(ratio(0, 1), |sum, c| sum * &half + size(c));
        (middle - &half, bound)
    };
    (0..count).map(part).collect()
}

/// `|1 + r + r^2 Q(r) - e^r| <= 2^-57 e^r` for `|r| <= 0.34665`.
#[test]
fn the_polynomial_of_the_exponential_is_close() {
    // The difference from Taylor's polynomial of degree 18; what that leaves out is below 0.35^19 / 19! < 2^-85.
    let mut taylor = ratio(1, 1);
    let mut difference = Vec::new();
    for j in 0..=18usize {
        if j > 0 {
            taylor /= ratio(j as i64, 1);
        }
        let own = match j {
            0 | 1 => taylor.clone(),
            _ => exponential::Q.get(j - 2).map_or(ratio(0, 1), |&c| rational(c)),
        };
        difference.push(own - &taylor);
    }
    let relative = f64::from_bits((1023 - 57) << 52);
    let quarter = 1i64 << 22;
    let end = ratio(34_665 * quarter / 100_000 + 1, quarter);
    for (lo, bound) in parts(&difference, &-end.clone(), &end, 1024) {
        // e^r is at least 1 + r + r^2/2 + r^3/6.
        let least = ratio(1, 1) + &lo + &lo * &lo / ratio(2, 1) + &lo * &lo * &lo / ratio(6, 1);
        assert!(bound <= rational(relative) * least, "beyond {lo}");
    }
}

/// `|z L(z) - R(z)| <= 2^-58.4` for `0 <= z <= 0.02944`, with `log((1 + s)/(1 - s)) = 2 s + s R(s^2)`.
#[test]
fn the_polynomial_of_the_logarithm_is_close() {
    // R(z) = 2 sum_{i >= 1} z^i / (2 i + 1); beyond i = 24 below 0.03^25 < 2^-126.
    let mut difference = vec![ratio(0, 1)];
    for i in 1..=24i64 {
        let own = logarithm::L.get(i as usize - 1).map_or(ratio(0, 1), |&c| rational(c));
        difference.push(own - ratio(2, 2 * i + 1));
    }
    let allowed = rational(f64::from_bits((1023 - 59) << 52) * 1.515);
    for (lo, bound) in parts(&difference, &ratio(0, 1), &ratio(29_440, 1_000_000), 100) {
        assert!(bound <= allowed, "beyond {lo}");
    }
}
