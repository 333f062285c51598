//! The functions to about 100 bits, as unevaluated sums of two doubles: slow, simple, and independent of the kernels.

use crate::kernels::ElementwiseFunction;

/// `high + low`, to be multiplied by `2^k`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reference {
    pub(super) high: f64,
    pub(super) low: f64,
    pub(super) k: i32,
}

type Pair = (f64, f64);

fn fast_two_sum(a: f64, b: f64) -> Pair {
    let s = a + b;
    (s, b - (s - a))
}

fn two_sum(a: f64, b: f64) -> Pair {
    let s = a + b;
    let t = s - a;
    (s, (a - (s - t)) + (b - t))
}

fn add(a: Pair, b: Pair) -> Pair {
    let (s, e) = two_sum(a.0, b.0);
    let (t, f) = two_sum(a.1, b.1);
    let (s, e) = fast_two_sum(s, e + t);
    fast_two_sum(s, e + f)
}

fn mul(a: Pair, b: Pair) -> Pair {
    let p = a.0 * b.0;
    let e = a.0.mul_add(b.0, -p);
    fast_two_sum(p, e + (a.0 * b.1 + a.1 * b.0))
}

fn div(a: Pair, b: Pair) -> Pair {
    let q = a.0 / b.0;
    let rest = add(a, mul((-q, 0.0), b));
    let r = rest.0 / b.0;
    let rest = add(rest, mul((-r, 0.0), b));
    add(fast_two_sum(q, r), (rest.0 / b.0, 0.0))
}

/// `log 2` in three parts; the products of the first two with integers below `2^11` are exact.
const LN_2: [f64; 3] = [
    f64::from_bits(0x3fe6_2e42_fefa_3800),
    f64::from_bits(0x3d2e_f357_93c7_6000),
    f64::from_bits(0x3a8c_c01f_97b5_7a08),
];

/// `e^r - 1` for small `r`, by Taylor's series.
fn series(r: Pair) -> Pair {
    let mut sum = (0.0, 0.0);
    for j in (1..=26).rev() {
        sum = div(mul(r, add((1.0, 0.0), sum)), (f64::from(j), 0.0));
    }
    sum
}

/// `e^x` as a pair and an exponent.
fn exp(x: Pair) -> (Pair, i32) {
    let k = (x.0 / std::f64::consts::LN_2).round();
    let mut r = add(x, (-k * LN_2[0], 0.0));
    r = add(r, (-k * LN_2[1], 0.0));
    r = add(r, (-k * LN_2[2], 0.0));
    (add((1.0, 0.0), series(r)), k as i32)
}

fn scaled(a: Pair, k: i32) -> Pair {
    (ldexp(a.0, k), ldexp(a.1, k))
}

/// `x 2^k`, exact unless it overflows or underflows.
pub(super) fn ldexp(mut x: f64, mut k: i32) -> f64 {
    while k > 1000 {
        x *= f64::from_bits(2023 << 52);
        k -= 1000;
    }
    while k < -1000 {
        x *= f64::from_bits(23 << 52);
        k += 1000;
    }
    x * f64::from_bits(((1023 + k) as u64) << 52)
}

/// `log(1 + x)`, `x > -1`, by series or by one step of Newton's method.
fn log1p(x: Pair) -> Pair {
    if x.0.abs() < 1e-3 {
        let mut sum = (0.0, 0.0);
        for j in (1..=12).rev() {
            sum = add(div((1.0, 0.0), (f64::from(j), 0.0)), mul((-x.0, -x.1), sum));
        }
        return mul(x, sum);
    }
    let start = core_math::log1p(x.0);
    let (e, k) = exp((-start, 0.0));
    // For huge x the factors are balanced before they are multiplied.
    let y = scaled(add((1.0, 0.0), x), k);
    let step = add(mul(e, y), (-1.0, 0.0));
    let square = mul(step, step);
    add((start, 0.0), add(step, add((-square.0 / 2.0, -square.1 / 2.0), (square.0 * step.0 / 3.0, 0.0))))
}

/// The exact value, nearly, at a finite `x` where it is finite.
pub(super) fn reference(f: ElementwiseFunction, x: f64) -> Reference {
    let plain = |(high, low): Pair, k: i32| Reference { high, low, k };
    let (e, k) = exp((x, 0.0));
    match f {
        ElementwiseFunction::Exp => plain(e, k),
        ElementwiseFunction::Softplus | ElementwiseFunction::Sigmoid if x < -100.0 => plain(e, k),
        // A tiny x is scaled up; the square that the series leaves out there is below 2^-150 relatively, or added as a sign.
        ElementwiseFunction::ExpM1 | ElementwiseFunction::Ln1p if x.abs() < 1e-150 => {
            let sign = if f == ElementwiseFunction::ExpM1 { 1.0 } else { -1.0 };
            plain((ldexp(x, 500), sign * f64::MIN_POSITIVE), -500)
        }
        ElementwiseFunction::ExpM1 if x.abs() < 0.3 => plain(series((x, 0.0)), 0),
        // Beyond e^100 the one is too small for the exponent of a pair, but not for its comparison with the result.
        ElementwiseFunction::ExpM1 if x > 100.0 => plain(e, k),
        ElementwiseFunction::ExpM1 if x < -100.0 => plain((-1.0, f64::MIN_POSITIVE), 0),
        ElementwiseFunction::ExpM1 => plain(add(scaled(e, k), (-1.0, 0.0)), 0),
        ElementwiseFunction::Ln1p => plain(log1p((x, 0.0)), 0),
        ElementwiseFunction::Softplus if x > 100.0 => plain((x, f64::MIN_POSITIVE), 0),
        ElementwiseFunction::Softplus => {
            let (e, k) = exp((-x.abs(), 0.0));
            plain(add((x.max(0.0), 0.0), log1p(scaled(e, k))), 0)
        }
        ElementwiseFunction::Sigmoid if x > 100.0 => plain((1.0, -f64::MIN_POSITIVE), 0),
        ElementwiseFunction::Sigmoid => {
            let (e, k) = exp((-x.abs(), 0.0));
            let e = scaled(e, k);
            let numerator = if x < 0.0 { e } else { (1.0, 0.0) };
            plain(div(numerator, add((1.0, 0.0), e)), 0)
        }
    }
}

impl Reference {
    /// The distance of a double from the exact value, in units in the last place of the latter.
    pub(super) fn error_of(&self, computed: f64) -> f64 {
        let distance = ((ldexp(computed, -self.k) - self.high) - self.low).abs();
        let bits = self.high.abs().to_bits() >> 52;
        // Just below a power of two the unit is the smaller one.
        let power = self.high.to_bits().trailing_zeros() >= 52;
        let below = power && self.low != 0.0 && (self.low < 0.0) != (self.high < 0.0);
        let exponent = bits as i32 - 1023 - i32::from(below) + self.k;
        let unit = ldexp(1.0, (exponent - 52).max(-1074) - self.k);
        distance / unit
    }

    /// The nearest double.
    pub(super) fn rounded(&self) -> f64 {
        let half = self.k / 2;
        let sum = self.high + self.low;
        ldexp(ldexp(sum, half), self.k - half)
    }
}
