//! Directed rounding without touching the processor's rounding mode: the rounded-to-nearest result is moved by one unit
//! in the last place in the outward direction, and only when an error-free transformation shows that it is inexact.

/// Below this magnitude the error of a product or quotient may itself be lost to underflow, so the result is always moved.
const TRUST_ERROR_TERM: f64 = 1e-280;

/// Exact error of the rounded sum `s = a + b` (Knuth's two-sum); meaningful when everything is finite.
fn sum_error(a: f64, b: f64, s: f64) -> f64 {
    let bb = s - a;
    (a - (s - bb)) + (b - bb)
}

fn settle_down(value: f64, error: f64) -> f64 {
    if error < 0.0 { value.next_down() } else { value }
}

fn settle_up(value: f64, error: f64) -> f64 {
    if error > 0.0 { value.next_up() } else { value }
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
        if a == f64::INFINITY || b == f64::INFINITY {
            s
        } else {
            f64::MAX
        }
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
        return if p == f64::INFINITY && a.is_finite() && b.is_finite() {
            f64::MAX
        } else {
            p
        };
    }
    if p.abs() < TRUST_ERROR_TERM {
        return below_tiny(p, a, b);
    }
    settle_down(p, a.mul_add(b, -p))
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
        return if q == f64::INFINITY && a.is_finite() {
            f64::MAX
        } else {
            q
        };
    }
    if b.is_infinite() || q.abs() < TRUST_ERROR_TERM || a.abs() < TRUST_ERROR_TERM {
        return below_tiny(q, a, b);
    }
    // The remainder a - q b is exact; the true quotient lies below q when remainder and divisor differ in sign.
    let remainder = (-q).mul_add(b, a);
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
    settle_down(r, (-r).mul_add(r, a))
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
    settle_up(r, (-r).mul_add(r, a))
}
