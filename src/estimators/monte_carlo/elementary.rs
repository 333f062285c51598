//! The two elementary functions of the inner loops, over slices: the only place of the estimators that takes exponentials.
//!
//! Branch-free polynomials in additions and multiplications, never fused, so that every width of registers makes the same bits.
#![allow(unsafe_code)] // Calls of the same portable code compiled for wider registers, after asking the processor.

/// `1.5 * 2^52`: adding it rounds to an integer, which then sits in the low bits.
const ROUNDER: f64 = 6_755_399_441_055_744.0;
const LN2_HI: f64 = 6.931_471_803_691_238e-1;
const LN2_LO: f64 = 1.908_214_929_270_587_7e-10;
/// Below this the exponential is replaced by zero: an absolute error of `4e-308`.
const LOWEST: f64 = -708.0;

/// The largest relative error of either function, in units of roundoff `2^-53`; tested with correctly rounded functions.
pub(super) const ERROR: f64 = 4.0;

#[inline(always)]
fn exp_one(x: f64) -> f64 {
    let clamped = if x < LOWEST { LOWEST } else { x };
    let shifted = clamped * std::f64::consts::LOG2_E + ROUNDER;
    let k = shifted - ROUNDER;
    let r = (clamped - k * LN2_HI) - k * LN2_LO;
    // The Taylor polynomial: for |r| <= 0.347 the remainder is below 5e-18.
    const C: [f64; 14] = [
        1.0,
        1.0,
        0.5,
        1.0 / 6.0,
        1.0 / 24.0,
        1.0 / 120.0,
        1.0 / 720.0,
        1.0 / 5040.0,
        1.0 / 40_320.0,
        1.0 / 362_880.0,
        1.0 / 3_628_800.0,
        1.0 / 39_916_800.0,
        1.0 / 479_001_600.0,
        1.0 / 6_227_020_800.0,
    ];
    let mut p = C[13];
    let mut i = 13;
    while i > 0 {
        i -= 1;
        p = p * r + C[i];
    }
    let power = f64::from_bits(shifted.to_bits().wrapping_add(1023) << 52);
    if x < LOWEST { 0.0 } else { p * power }
}

/// `log(1 + x)` of a non-negative finite number, after fdlibm's `log1p`.
#[inline(always)]
fn log1p_one(x: f64) -> f64 {
    let u = 1.0 + x;
    // Mantissa in [sqrt(1/2), sqrt 2) and biased exponent of u.
    let moved = u.to_bits().wrapping_add(0x3ff0_0000_0000_0000 - 0x3fe6_a09e_667f_3bcd);
    let k = f64::from_bits(0x4330_0000_0000_0000 | (moved >> 52)) - (4_503_599_627_370_496.0 + 1023.0);
    let m = f64::from_bits((moved & 0x000f_ffff_ffff_ffff) + 0x3fe6_a09e_667f_3bcd);
    // What was lost in 1 + x; for x >= 2^54 nothing is.
    let lost = if x < 1.0 { x - (u - 1.0) } else { 1.0 - (u - x) };
    let c = lost / u;
    let f = m - 1.0;
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let t1 = w * (3.999_999_999_940_942e-1 + w * (2.222_219_843_214_978_4e-1 + w * 1.531_383_769_920_937_3e-1));
    let t2 = z
        * (6.666_666_666_666_735e-1
            + w * (2.857_142_874_366_239e-1 + w * (1.818_357_216_161_805e-1 + w * 1.479_819_860_511_658_6e-1)));
    let half = 0.5 * f * f;
    k * LN2_HI - ((half - (s * (half + (t1 + t2)) + (k * LN2_LO + c))) - f)
}

macro_rules! over_slices {
    ($($(#[$doc:meta])* $name:ident, $one:ident, $portable:ident, $avx2:ident, $avx512:ident;)*) => {$(
        #[inline(always)]
        fn $portable(x: &mut [f64]) {
            for x in x {
                *x = $one(*x);
            }
        }

        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2")]
        fn $avx2(x: &mut [f64]) {
            $portable(x);
        }

        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx512f,avx512vl,avx512dq")]
        fn $avx512(x: &mut [f64]) {
            $portable(x);
        }

        $(#[$doc])*
        pub(super) fn $name(x: &mut [f64]) {
            #[cfg(target_arch = "x86_64")]
            {
                let wide = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vl");
                if wide && is_x86_feature_detected!("avx512dq") {
                    // SAFETY: the processor has the features the function was compiled for.
                    return unsafe { $avx512(x) };
                }
                if is_x86_feature_detected!("avx2") {
                    // SAFETY: as above.
                    return unsafe { $avx2(x) };
                }
            }
            $portable(x);
        }
    )*};
}
over_slices! {
    /// Replaces every `x <= 0` by `e^x`; zero below -708.
    exp_nonpositive, exp_one, exp_portable, exp_avx2, exp_avx512;
    /// Replaces every finite `x >= 0` by `log(1 + x)`.
    log1p_nonnegative, log1p_one, log1p_portable, log1p_avx2, log1p_avx512;
}

/// Replaces `x` by `e^(x - max)` and answers with the maximum; minus infinity for an empty slice.
pub(super) fn exp_below_max(x: &mut [f64]) -> f64 {
    let max = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    x.iter_mut().for_each(|x| *x -= max);
    exp_nonpositive(x);
    max
}

/// The sum of a slice in eight interleaved sums: the order is fixed.
pub(super) fn sum(x: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let groups = x.chunks_exact(8);
    for (sum, x) in sums.iter_mut().zip(groups.remainder()) {
        *sum += x;
    }
    for group in groups {
        for (sum, x) in sums.iter_mut().zip(group) {
            *sum += x;
        }
    }
    ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]))
}

/// The inner product of two vectors of one length, in eight interleaved sums.
#[inline(always)]
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let ((left, left_rest), (right, right_rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    for (sum, (x, y)) in sums.iter_mut().zip(left_rest.iter().zip(right_rest)) {
        *sum += x * y;
    }
    for (x, y) in left.iter().zip(right) {
        for k in 0..8 {
            sums[k] += x[k] * y[k];
        }
    }
    let four = [
        sums[0] + sums[4],
        sums[1] + sums[5],
        sums[2] + sums[6],
        sums[3] + sums[7],
    ];
    (four[0] + four[2]) + (four[1] + four[3])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probability::uniform;
    use crate::stream::stream;

    fn check(ours: impl Fn(&mut [f64]), portable: impl Fn(&mut [f64]), exact: impl Fn(f64) -> f64, x: Vec<f64>) {
        let (mut y, mut z) = (x.clone(), x.clone());
        ours(&mut y);
        portable(&mut z);
        for ((x, y), z) in x.iter().zip(&y).zip(&z) {
            assert_eq!(y.to_bits(), z.to_bits(), "{x:e}");
            let exact = exact(*x);
            // The reference is rounded itself: half a unit of the four.
            assert!(
                (y - exact).abs() <= (ERROR - 1.0) * f64::EPSILON / 2.0 * exact,
                "{x:e} {y:e} {exact:e}"
            );
        }
    }

    #[test]
    fn both_functions_keep_their_error_bound() {
        let mut rng = stream(1, &["elementary"]);
        let mut log = |lo: f64, hi: f64| core_math::exp2(lo + (hi - lo) * uniform(&mut rng));
        let near = (0..200_003).map(|_| -log(-60.0, 9.467)).filter(|x| *x >= LOWEST);
        check(
            exp_nonpositive,
            exp_portable,
            core_math::exp,
            near.chain([0.0, -0.0, LOWEST]).collect(),
        );
        let wide = (0..200_003).map(|_| log(-1070.0, 1023.99)).collect();
        check(log1p_nonnegative, log1p_portable, core_math::log1p, wide);
        let middle = (0..200_003)
            .map(|_| log(-60.0, 60.0))
            .chain([0.0, f64::MAX, 1.0])
            .collect();
        check(log1p_nonnegative, log1p_portable, core_math::log1p, middle);
        let mut low = [-708.1, -1e300, f64::NEG_INFINITY];
        exp_nonpositive(&mut low);
        assert_eq!(low, [0.0; 3]);
    }

    #[test]
    fn sums_and_products_take_every_term() {
        let x: Vec<f64> = (1..=21).map(f64::from).collect();
        assert_eq!((sum(&x), dot(&x, &x)), (231.0, 3311.0));
        let mut logits = [1.0, 3.0, 3.0];
        assert_eq!(exp_below_max(&mut logits), 3.0);
        assert_eq!(logits[1], 1.0);
    }
}
