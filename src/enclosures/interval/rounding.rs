//! Directed rounding without touching the processor's rounding mode: the rounded-to-nearest result is moved by one unit
//! in the last place in the outward direction, and only when an error-free transformation shows that it is inexact.

/// Below this magnitude the error of a product or quotient may itself be lost to underflow, so the result is always moved.
pub(crate) const TRUST_ERROR_TERM: f64 = 1e-280;

/// Exact error of the rounded sum `s = a + b` (Knuth's two-sum); meaningful when everything is finite.
#[inline(always)]
pub(crate) fn sum_error(a: f64, b: f64, s: f64) -> f64 {
    let bb = s - a;
    (a - (s - bb)) + (b - bb)
}

/// The rounding error of a product `p = a b`: the sign of it always, all of it where nothing underflows.
///
/// A fused multiply-add says it at once, but costs two calls of functions on processors that are not known to have one.
#[inline(always)]
pub(crate) fn product_error(a: f64, b: f64, p: f64) -> f64 {
    if !cfg!(any(target_feature = "fma", target_arch = "aarch64")) && p.abs() >= TRUST_ERROR_TERM {
        let error = product_error_by_halves(a, b, p);
        if error.is_finite() {
            return error;
        }
    }
    a.mul_add(b, -p)
}

/// The rounding error of a product as the sum of the products of halves of the factors (Dekker 1971), 26 bits and a sign each: exact unless
/// they overflow or the product is below [`TRUST_ERROR_TERM`].
#[inline(always)]
pub(crate) fn product_error_by_halves(a: f64, b: f64, p: f64) -> f64 {
    let ((a_high, a_low), (b_high, b_low)) = (halves(a), halves(b));
    a_low * b_low - (((p - a_high * b_high) - a_low * b_high) - a_high * b_low)
}

/// `a - x y` where `x y` differs from `a` by a few units in the last place: the sign of it always.
#[inline(always)]
fn remainder(a: f64, x: f64, y: f64) -> f64 {
    let product = x * y;
    if product.is_finite() { (a - product) - product_error(x, y, product) } else { (-x).mul_add(y, a) }
}

/// The nearest number of 26 bits and the rest.
#[inline(always)]
fn halves(x: f64) -> (f64, f64) {
    let high = f64::from_bits(x.to_bits().wrapping_add(0x400_0000) & !0x7ff_ffff);
    (high, x - high)
}

/// One step down if the error is negative, without a branch that could be predicted half of the time. A value that is zero has no error.
#[inline(always)]
fn settle_down(value: f64, error: f64) -> f64 {
    let (bits, step) = (value.to_bits(), u64::from(error < 0.0));
    f64::from_bits(bits.wrapping_sub(step).wrapping_add(2 * step * (bits >> 63)))
}

/// One step up if the error is positive.
#[inline(always)]
fn settle_up(value: f64, error: f64) -> f64 {
    -settle_down(-value, -error)
}

/// One step below a product or quotient of `a` and `b` whose error may have underflowed, but never below zero where the
/// signs agree.
fn below_tiny(value: f64, a: f64, b: f64) -> f64 {
    let below = value.next_down();
    if (a > 0.0) == (b > 0.0) { below.max(0.0) } else { below }
}

/// Largest double at most `a + b`, or the next one below it. An undefined sum (opposite infinities) gives minus infinity.
pub(crate) fn add_down(a: f64, b: f64) -> f64 {
    let s = a + b;
    if s.is_finite() {
        let e = sum_error(a, b, s);
        if e.is_nan() { s.next_down() } else { settle_down(s, e) }
    } else if s == f64::INFINITY {
        if a == f64::INFINITY || b == f64::INFINITY { s } else { f64::MAX }
    } else {
        f64::NEG_INFINITY
    }
}

/// Smallest double at least `a + b`, or the next one above it.
pub(crate) fn add_up(a: f64, b: f64) -> f64 {
    -add_down(-a, -b)
}

/// Lower bound of `a - b`.
pub(crate) fn sub_down(a: f64, b: f64) -> f64 {
    add_down(a, -b)
}

/// Upper bound of `a - b`.
pub(crate) fn sub_up(a: f64, b: f64) -> f64 {
    add_up(a, -b)
}

/// Lower bound of `a * b`, with `0 * inf = 0` (the product of a number that is zero with one that is merely large).
pub(crate) fn mul_down(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 {
        return 0.0;
    }
    let p = a * b;
    if !p.is_finite() {
        return if p == f64::INFINITY && a.is_finite() && b.is_finite() { f64::MAX } else { p };
    }
    if p.abs() < TRUST_ERROR_TERM {
        return below_tiny(p, a, b);
    }
    settle_down(p, product_error(a, b, p))
}

/// Upper bound of `a * b`.
pub(crate) fn mul_up(a: f64, b: f64) -> f64 {
    -mul_down(-a, b)
}

/// Lower bound of `a / b`, `b != 0`; `0 / inf` and `inf / inf` count the infinity as a large finite number.
pub(crate) fn div_down(a: f64, b: f64) -> f64 {
    if a == 0.0 {
        return 0.0;
    }
    let q = a / b;
    if q.is_nan() {
        // inf / inf: any non-negative quotient when the signs agree, any non-positive one otherwise.
        return if (a > 0.0) == (b > 0.0) { 0.0 } else { f64::NEG_INFINITY };
    }
    if !q.is_finite() {
        return if q == f64::INFINITY && a.is_finite() { f64::MAX } else { q };
    }
    if b.is_infinite() || q.abs() < TRUST_ERROR_TERM || a.abs() < TRUST_ERROR_TERM {
        return below_tiny(q, a, b);
    }
    // The remainder a - q b is exact; the true quotient lies below q when remainder and divisor differ in sign.
    let remainder = remainder(a, q, b);
    settle_down(q, if b > 0.0 { remainder } else { -remainder })
}

/// Upper bound of `a / b`, `b != 0`.
pub(crate) fn div_up(a: f64, b: f64) -> f64 {
    -div_down(-a, b)
}

/// Lower bound of the square root of `a >= 0`.
pub(crate) fn sqrt_down(a: f64) -> f64 {
    let r = a.sqrt();
    if !r.is_finite() || r == 0.0 {
        return r;
    }
    if a < TRUST_ERROR_TERM {
        return r.next_down();
    }
    settle_down(r, remainder(a, r, r))
}

/// Upper bound of the square root of `a >= 0`.
pub(crate) fn sqrt_up(a: f64) -> f64 {
    let r = a.sqrt();
    if !r.is_finite() || r == 0.0 {
        return r;
    }
    if a < TRUST_ERROR_TERM {
        return r.next_up();
    }
    settle_up(r, remainder(a, r, r))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::stream;
    use rand::Rng;

    /// Mantissas with few bits, of halves, and of all bits; exponents from subnormal numbers to the largest.
    fn numbers() -> Vec<f64> {
        let mut rng = stream(3, &["rounding"]);
        let mut all = vec![f64::MAX, -f64::MAX, f64::MIN_POSITIVE, f64::from_bits(1), 1.0, -1.0, 1.0f64.next_down()];
        for k in 0..1500 {
            let word = rng.next_u64();
            let mask = match k % 4 {
                0 => !0,
                1 => !0 << 26,
                2 => !0 << 45,
                _ => !(!0 << 27),
            };
            let exponent = match k % 3 {
                0 => 1023 + rng.next_u64() % 8,
                1 => rng.next_u64() % 2047,
                _ => [1, 90, 96, 2045, 2046, 1534][(rng.next_u64() % 6) as usize],
            };
            all.push(f64::from_bits((word & (1 << 63)) | (exponent << 52) | (word & mask & ((1 << 52) - 1))));
        }
        all
    }

    #[test]
    fn errors_and_remainders_have_the_signs_of_fused_operations() {
        let numbers = numbers();
        let sign = |x: f64| (x > 0.0, x < 0.0);
        for (i, &a) in numbers.iter().enumerate() {
            for &b in numbers.iter().skip(i % 7).step_by(7) {
                let (p, q, r) = (a * b, a / b, a.abs().sqrt());
                if p.is_finite() && p.abs() >= TRUST_ERROR_TERM {
                    assert_eq!(product_error(a, b, p), a.mul_add(b, -p), "{a:e} {b:e}");
                }
                if q.is_finite() && q.abs() >= TRUST_ERROR_TERM && a.abs() >= TRUST_ERROR_TERM {
                    assert_eq!(sign(remainder(a, q, b)), sign((-q).mul_add(b, a)), "{a:e} / {b:e}");
                }
                if a.abs() >= TRUST_ERROR_TERM {
                    assert_eq!(sign(remainder(a.abs(), r, r)), sign((-r).mul_add(r, a.abs())), "sqrt {a:e}");
                }
            }
        }
    }

    #[test]
    fn sums_beyond_the_doubles_are_bounded_by_the_largest_of_them() {
        let infinite = f64::INFINITY;
        assert_eq!((add_down(f64::MAX, f64::MAX), add_up(f64::MAX, f64::MAX)), (f64::MAX, infinite));
        assert_eq!((add_up(-f64::MAX, -f64::MAX), add_down(-f64::MAX, -f64::MAX)), (-f64::MAX, -infinite));
        for (a, b) in [(infinite, 1.0), (1.0, infinite), (infinite, infinite)] {
            assert_eq!((add_down(a, b), add_up(a, b)), (infinite, infinite));
            assert_eq!((add_down(-a, -b), add_up(-a, -b)), (-infinite, -infinite));
        }
        assert_eq!((add_down(infinite, -infinite), add_up(infinite, -infinite)), (-infinite, infinite));
    }

    #[test]
    fn bounds_of_a_root_are_neighbours_from_where_its_error_is_trusted() {
        for a in [TRUST_ERROR_TERM, 2.0 * TRUST_ERROR_TERM, 2.0, 3.0, f64::MAX] {
            let (down, up) = (sqrt_down(a), sqrt_up(a));
            assert_eq!(up, down.next_up(), "{a:e}");
        }
        assert_eq!((sqrt_down(4.0), sqrt_up(4.0)), (2.0, 2.0));
        // Below, the rounded root is moved either way, exact or not.
        let tiny = core_math::exp2(-1000.0);
        assert_eq!((sqrt_down(tiny).next_up(), sqrt_up(tiny).next_down()), (tiny.sqrt(), tiny.sqrt()));
    }

    #[test]
    fn steps_are_those_to_the_neighbours() {
        for x in numbers() {
            assert_eq!(settle_down(x, -1.0), x.next_down());
            assert_eq!(settle_up(x, 1.0), x.next_up());
            for error in [0.0, -0.0, f64::NAN] {
                assert_eq!((settle_down(x, error), settle_up(x, error)), (x, x));
            }
            assert_eq!((settle_down(x, 1.0), settle_up(x, -1.0)), (x, x));
        }
    }
}
