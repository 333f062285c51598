//! Both ends of a sum, a product or a quotient at once, the lower one rounded down and the upper one up.
//!
//! On x86-64 they are computed in the two halves of one register, the upper end negated, so that both are rounded down: the operations of
//! [`rounding`](super::rounding), in its order, and therefore its bits. What is out of the ordinary there (an infinity, an error that may
//! have underflowed) is left to it, as is everything on other processors.

use super::Interval;
use super::rounding::{add_down, add_up, div_down, div_up, mul_down, mul_up};

/// The sum of two intervals.
#[inline(always)]
pub(super) fn sum(a: Interval, b: Interval) -> Interval {
    #[cfg(target_arch = "x86_64")]
    if let Some(sum) = registers::sum_or_none(a, b) {
        return sum;
    }
    sum_end_by_end(a, b)
}

/// The interval from a lower bound of one product to an upper bound of another.
#[inline(always)]
pub(super) fn product(lower: (f64, f64), upper: (f64, f64)) -> Interval {
    #[cfg(target_arch = "x86_64")]
    if let Some(product) = registers::product_or_none(lower, upper) {
        return product;
    }
    product_end_by_end(lower, upper)
}

/// The interval from a lower bound of one quotient to an upper bound of another; no divisor is zero.
#[inline(always)]
pub(super) fn quotient(lower: (f64, f64), upper: (f64, f64)) -> Interval {
    #[cfg(target_arch = "x86_64")]
    if let Some(quotient) = registers::quotient_or_none(lower, upper) {
        return quotient;
    }
    quotient_end_by_end(lower, upper)
}

#[cfg_attr(target_arch = "x86_64", cold)]
fn sum_end_by_end(a: Interval, b: Interval) -> Interval {
    Interval::ordered(add_down(a.lo, b.lo), add_up(a.hi, b.hi))
}

#[cfg_attr(target_arch = "x86_64", cold)]
fn product_end_by_end(lower: (f64, f64), upper: (f64, f64)) -> Interval {
    Interval::ordered(mul_down(lower.0, lower.1), mul_up(upper.0, upper.1))
}

#[cfg_attr(target_arch = "x86_64", cold)]
fn quotient_end_by_end(lower: (f64, f64), upper: (f64, f64)) -> Interval {
    Interval::ordered(div_down(lower.0, lower.1), div_up(upper.0, upper.1))
}

#[cfg(target_arch = "x86_64")]
mod registers {
    #![allow(unsafe_code, reason = "functions compiled for SSE2 are called by others; every x86-64 has it")]

    use std::arch::x86_64::{
        __m128d, _mm_add_epi64, _mm_add_pd, _mm_and_pd, _mm_and_si128, _mm_andnot_pd, _mm_castpd_si128,
        _mm_castsi128_pd, _mm_cmpeq_pd, _mm_cmpge_pd, _mm_cmplt_pd, _mm_cmpunord_pd, _mm_cvtsd_f64, _mm_div_pd,
        _mm_movemask_pd, _mm_mul_pd, _mm_or_pd, _mm_set_pd, _mm_set1_epi64x, _mm_set1_pd, _mm_setzero_pd,
        _mm_shuffle_epi32, _mm_srai_epi32, _mm_sub_epi64, _mm_sub_pd, _mm_unpackhi_pd, _mm_xor_pd, _mm_xor_si128,
    };

    use super::Interval;
    use crate::interval::rounding::TRUST_ERROR_TERM;

    #[inline(always)]
    pub(super) fn sum_or_none(a: Interval, b: Interval) -> Option<Interval> {
        // SAFETY: SSE2 is part of every x86-64.
        unsafe { sum(a, b) }
    }

    #[inline(always)]
    pub(super) fn product_or_none(lower: (f64, f64), upper: (f64, f64)) -> Option<Interval> {
        // SAFETY: SSE2 is part of every x86-64.
        unsafe { product(lower, upper) }
    }

    #[inline(always)]
    pub(super) fn quotient_or_none(lower: (f64, f64), upper: (f64, f64)) -> Option<Interval> {
        // SAFETY: SSE2 is part of every x86-64.
        unsafe { quotient(lower, upper) }
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn sum(a: Interval, b: Interval) -> Option<Interval> {
        let (a, b) = (second_negated(a.lo, a.hi), second_negated(b.lo, b.hi));
        let sum = _mm_add_pd(a, b);
        let seen = _mm_sub_pd(sum, a);
        let error = _mm_add_pd(_mm_sub_pd(a, _mm_sub_pd(sum, seen)), _mm_sub_pd(b, seen));
        // Where anything overflows, infinities are subtracted from one another.
        let ordinary = _mm_movemask_pd(_mm_cmpunord_pd(error, error)) == 0;
        ordinary.then(|| settled(sum, error))
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn product(lower: (f64, f64), upper: (f64, f64)) -> Option<Interval> {
        let (a, b) = (second_negated(lower.0, upper.0), _mm_set_pd(upper.1, lower.1));
        let product = _mm_mul_pd(a, b);
        let error = product_error(a, b, product);
        let trusted = _mm_and_pd(is_large(product), is_finite(error));
        // NaN (zero times infinity) is not zero.
        let none = _mm_and_pd(is_zero(product), _mm_or_pd(is_zero(a), is_zero(b)));
        let ordinary = _mm_movemask_pd(_mm_or_pd(trusted, none)) == 0b11;
        ordinary.then(|| settled(without_negative_zeros(product), error))
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn quotient(lower: (f64, f64), upper: (f64, f64)) -> Option<Interval> {
        let (a, b) = (second_negated(lower.0, upper.0), _mm_set_pd(upper.1, lower.1));
        let quotient = _mm_div_pd(a, b);
        let product = _mm_mul_pd(quotient, b);
        let error = product_error(quotient, b, product);
        let trusted =
            _mm_and_pd(_mm_and_pd(is_large(a), is_large(quotient)), _mm_and_pd(is_large(product), is_finite(error)));
        let ordinary = _mm_movemask_pd(_mm_or_pd(trusted, _mm_and_pd(is_zero(a), is_finite(b)))) == 0b11;
        // The true quotient lies below where the remainder and the divisor differ in sign.
        let remainder = _mm_sub_pd(_mm_sub_pd(a, product), error);
        let error = _mm_xor_pd(remainder, _mm_and_pd(b, _mm_set1_pd(-0.0)));
        ordinary.then(|| settled(without_negative_zeros(quotient), error))
    }

    /// The second half negated, so that what is rounded down there is rounded up.
    #[inline]
    #[target_feature(enable = "sse2")]
    fn second_negated(first: f64, second: f64) -> __m128d {
        _mm_xor_pd(_mm_set_pd(second, first), _mm_set_pd(-0.0, 0.0))
    }

    /// Dekker's error of a product, exact where it is finite and the product is large.
    #[inline]
    #[target_feature(enable = "sse2")]
    fn product_error(a: __m128d, b: __m128d, product: __m128d) -> __m128d {
        let (a_high, b_high) = (high_half(a), high_half(b));
        let (a_low, b_low) = (_mm_sub_pd(a, a_high), _mm_sub_pd(b, b_high));
        let rest = _mm_sub_pd(product, _mm_mul_pd(a_high, b_high));
        let rest = _mm_sub_pd(_mm_sub_pd(rest, _mm_mul_pd(a_low, b_high)), _mm_mul_pd(a_high, b_low));
        _mm_sub_pd(_mm_mul_pd(a_low, b_low), rest)
    }

    /// The nearest number of 26 bits.
    #[inline]
    #[target_feature(enable = "sse2")]
    fn high_half(x: __m128d) -> __m128d {
        let rounded = _mm_add_epi64(_mm_castpd_si128(x), _mm_set1_epi64x(0x400_0000));
        _mm_castsi128_pd(_mm_and_si128(rounded, _mm_set1_epi64x(!0x7ff_ffff)))
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn is_large(x: __m128d) -> __m128d {
        _mm_cmpge_pd(_mm_andnot_pd(_mm_set1_pd(-0.0), x), _mm_set1_pd(TRUST_ERROR_TERM))
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn is_finite(x: __m128d) -> __m128d {
        is_zero(_mm_sub_pd(x, x))
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn is_zero(x: __m128d) -> __m128d {
        _mm_cmpeq_pd(x, _mm_setzero_pd())
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn without_negative_zeros(x: __m128d) -> __m128d {
        _mm_add_pd(x, _mm_setzero_pd())
    }

    /// One step down where the error is negative, and the second half negated back. What is zero has no error.
    #[inline]
    #[target_feature(enable = "sse2")]
    fn settled(value: __m128d, error: __m128d) -> Interval {
        // A step is −1 in the bits of a positive number, 1 in those of a negative one.
        let step = _mm_castpd_si128(_mm_cmplt_pd(error, _mm_setzero_pd()));
        let bits = _mm_castpd_si128(value);
        let sign = _mm_shuffle_epi32::<0b11_11_01_01>(_mm_srai_epi32::<31>(bits));
        let below = _mm_add_epi64(bits, _mm_sub_epi64(_mm_xor_si128(step, sign), sign));
        let ends = _mm_xor_pd(_mm_castsi128_pd(below), _mm_set_pd(-0.0, 0.0));
        Interval { lo: _mm_cvtsd_f64(ends), hi: _mm_cvtsd_f64(_mm_unpackhi_pd(ends, ends)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interval::rounding::TRUST_ERROR_TERM;
    use crate::stream::stream;
    use rand::Rng;

    /// Ends of every kind: zeros of both signs, subnormal numbers, those at which errors are first trusted, few and all bits,
    /// the largest, and infinities.
    fn ends() -> Vec<f64> {
        let trusted = TRUST_ERROR_TERM;
        let mut all = vec![0.0, 1.0, 3.0, 0.1, 1e-140, 1e154, 1e300, f64::MAX, f64::MIN_POSITIVE, f64::INFINITY];
        all.extend([f64::from_bits(1), trusted, f64::next_down(trusted), f64::next_down(1.0)]);
        let mut rng = stream(5, &["both ends"]);
        for k in 0..24 {
            let exponent = if k % 2 == 0 { 1018 + rng.next_u64() % 10 } else { rng.next_u64() % 2047 };
            let mantissa = rng.next_u64() & ((1 << 52) - 1) & if k % 3 == 0 { !0 << 30 } else { !0 };
            all.push(f64::from_bits((exponent << 52) | mantissa));
        }
        let negative: Vec<f64> = all.iter().map(|x| -x).collect();
        all.extend(negative);
        all
    }

    fn same(what: &str, found: Interval, expected: Interval) {
        let bits = |i: Interval| (i.lo.to_bits(), i.hi.to_bits());
        assert_eq!(bits(found), bits(expected), "{what}: {found:?}, {expected:?}");
    }

    #[test]
    fn both_ends_at_once_are_the_bits_of_each_by_itself() {
        let ends = ends();
        let pairs: Vec<(f64, f64)> = ends.iter().flat_map(|&a| ends.iter().map(move |&b| (a, b))).collect();
        for (i, &lower) in pairs.iter().enumerate() {
            for &upper in pairs.iter().skip(i % 11).step_by(11) {
                // Products and quotients are taken of the ends that make an interval of the result.
                let (down, up) = (mul_down(lower.0, lower.1), mul_up(upper.0, upper.1));
                if down <= up {
                    same("product", product(lower, upper), Interval::ordered(down, up));
                }
                if lower.1 != 0.0 && upper.1 != 0.0 {
                    let (down, up) = (div_down(lower.0, lower.1), div_up(upper.0, upper.1));
                    if down <= up {
                        same("quotient", quotient(lower, upper), Interval::ordered(down, up));
                    }
                }
                let interval = |(lo, hi)| Interval::try_from([lo, hi]);
                if let (Ok(a), Ok(b)) = (interval(lower), interval(upper)) {
                    same("sum", sum(a, b), sum_end_by_end(a, b));
                }
            }
        }
    }
}
