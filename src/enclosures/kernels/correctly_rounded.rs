//! Correctly rounded exponentials, hyperbolic tangents, sines and cosines of many numbers: the bits of `core-math`, sooner.
//!
//! Values are sums of two doubles (`two_doubles.rs`), computed for numbers of moderate size; `core-math` gives the others. With `u = 2^-53`:
//!
//! # Exponentials
//! `x = n log 2/128 + r` with an integer `n`, `|r| <= 2^-8.5`, for `|x| <= 600`. `log 2/128` is a sum of numbers of 36 and 53 bits, whose products with `n`, below
//! `2^17`, are exact or have a known error, and of what is left, below `2^-96`: as a sum of two doubles, `r` is off by less than `2^-79`, and exact for `n = 0`. In `e^r - 1 = r +
//! r^2/2 + r^3 P(r)` with a Taylor sum `P` of degree 4, the square has its rounding error, and the cube, below `2^-28`, is off by `2^-71 r` at most. `2^{i/128}` is tabulated as a
//! sum of two doubles; the product with it and the sum that follows are off by less than `2^-78`. For `n = 0`, `e^x - 1` is `e^r - 1` itself; else it is at least
//! `2^-8.6`, and taking 1 away adds no error to speak of. `tanh x = m/(m + 2)`, `m = e^{2x} - 1`.
//!
//! # Sine and cosine
//! `x = n pi/256 + d` likewise, for `|x| <= 1000`, of tabulated angles (`circle.rs`). `d` is off by less than `2^-110`: values below `2^-30`, unless `n = 0` and
//! `d` is exact, are left to `core-math`.

use std::sync::LazyLock;

use super::circle::{ANGLES, Angles, CIRCLE, Circle, parts};
use super::dispatch::{InstructionSet, Kernel};
use super::exponential::SHIFT;
use super::two_doubles::{Bracket, LANES, fast_two_sum, product, two_sum};
use crate::interval::DoubleDouble;

/// Steps of the exponent between a power of two and the next.
const STEPS: usize = 128;
/// `log 2/128` to 36 bits, the next 53, and more.
const STEP: [f64; 3] =
    [f64::from_bits(0x3f76_2e42_fefa_0000), 1.286_402_311_163_834_6e-14, -7.873_397_762_425_893_5e-31];
/// `pi/256` to 33 bits, the next 53, and more.
const ANGLE: [f64; 3] = [f64::from_bits(0x3f89_21fb_5440_0000), 4.747_734_770_707_963e-13, 2.751_218_644_674_375e-29];
/// Largest size of an exponent.
const EXPONENTS: f64 = 600.0;
/// Largest size of an angle.
const RADIANS: f64 = 1000.0;
/// Below this, products of a number with itself have no exact error.
const TINY: f64 = 1e-140;
/// Below this, `2^-30`, a sine or cosine may have lost too much.
const CANCELLED: f64 = 1.0 / (1 << 30) as f64;

/// `e^x` of every number, as `core_math::exp` has it.
#[must_use]
pub fn exp(arguments: &[f64]) -> Vec<f64> {
    by_blocks::<1, SingleExponential, _>(arguments, |[value]| value)
}

/// `e^x` and `e^x - 1` of every number, as `core_math::exp` and `core_math::expm1` have them.
#[must_use]
pub fn exp_and_exp_m1(arguments: &[f64]) -> Vec<(f64, f64)> {
    by_blocks::<2, BothExponentials, _>(arguments, |[value, less]| (value, less))
}

/// `tanh x` of every number, as `core_math::tanh` has it.
#[must_use]
pub fn tanh(arguments: &[f64]) -> Vec<f64> {
    by_blocks::<1, Tangent, _>(arguments, |[value]| value)
}

/// `sin x` and `cos x` of every number in radians, as `core_math::sin` and `core_math::cos` have them.
#[must_use]
pub fn sin_cos(arguments: &[f64]) -> Vec<(f64, f64)> {
    by_blocks::<2, SineAndCosine, _>(arguments, |[sine, cosine]| (sine, cosine))
}

/// So many functions of one number.
trait BracketedFunctions<const N: usize> {
    /// What is tabulated for it.
    type Table: 'static;
    /// The functions, correctly rounded.
    const ROUNDED: [fn(f64) -> f64; N];
    fn table() -> &'static Self::Table;
    /// Brackets of all values; in doubt where a number is not ordinary. Every function it calls is inlined, as
    /// [`Kernel`] asks.
    fn bracket(table: &Self::Table, arguments: &[f64; LANES], found: &mut [Bracket; N]);
}

/// Functions and the numbers that they are applied to.
struct Bracketing<'a, const N: usize, F: BracketedFunctions<N>> {
    table: &'a F::Table,
    arguments: &'a [f64; LANES],
    found: &'a mut [Bracket; N],
}

impl<const N: usize, F: BracketedFunctions<N>> Kernel for Bracketing<'_, N, F> {
    /// How many values of each function are in doubt.
    type Output = [u64; N];

    #[inline(always)]
    fn run<const WIDTH: usize>(self) -> [u64; N] {
        F::bracket(self.table, self.arguments, self.found);
        let mut doubtful = [0; N];
        for (number, bracket) in doubtful.iter_mut().zip(&*self.found) {
            *number = bracket.doubtful();
        }
        doubtful
    }
}

/// Values of the first `count` numbers, left as the lower ends, and how many of each function were in doubt.
fn settle<const N: usize, F: BracketedFunctions<N>>(
    set: InstructionSet,
    arguments: &[f64; LANES],
    count: usize,
    found: &mut [Bracket; N],
) -> [u64; N] {
    let doubtful = set.run(Bracketing::<N, F> { table: F::table(), arguments, found });
    for ((bracket, rounded), &doubtful) in found.iter_mut().zip(F::ROUNDED).zip(&doubtful) {
        if doubtful > 0 {
            bracket.settle(arguments, count, rounded);
        }
    }
    doubtful
}

/// What the values of each number make, in blocks of numbers, the last of which ends in zeros.
fn by_blocks<const N: usize, F: BracketedFunctions<N>, T>(arguments: &[f64], make: impl Fn([f64; N]) -> T) -> Vec<T> {
    let (set, mut found) = (InstructionSet::best(), [const { Bracket::EMPTY }; N]);
    let mut all = Vec::with_capacity(arguments.len());
    let mut treat = |block: &[f64; LANES], count: usize| {
        settle::<N, F>(set, block, count, &mut found);
        all.extend((0..count).map(|i| make(std::array::from_fn(|n| found[n].least[i]))));
    };
    let (blocks, rest) = arguments.as_chunks::<LANES>();
    for block in blocks {
        treat(block, LANES);
    }
    if !rest.is_empty() {
        let mut block = [0.0; LANES];
        block[..rest.len()].copy_from_slice(rest);
        treat(&block, rest.len());
    }
    all
}

/// `2^{i/128}`, `i < 128`, as sums of two doubles.
type Powers = [(f64, f64); STEPS];

static POWERS: LazyLock<Powers> =
    LazyLock::new(|| std::array::from_fn(|i| parts((DoubleDouble::LN_2 * (i as f64 / STEPS as f64)).exp())));

/// What the exponents `x` of a block are made of.
struct Reduced {
    /// `n`, a whole number, and `n` beside `1.5 * 2^52` as bits.
    whole: [f64; LANES],
    bits: [u64; LANES],
    /// `2^{i/128}`, `i` the last seven bits of `n`.
    powers: [[f64; LANES]; 2],
}

impl Reduced {
    /// Of the arguments times `factor`.
    #[inline(always)]
    fn new(powers: &Powers, arguments: &[f64; LANES], factor: f64) -> Self {
        let mut reduced = Reduced { whole: [0.0; LANES], bits: [0; LANES], powers: [[0.0; LANES]; 2] };
        for (i, x) in arguments.iter().enumerate() {
            let shifted = x * (factor * (std::f64::consts::LOG2_E * STEPS as f64)) + SHIFT;
            reduced.bits[i] = shifted.to_bits();
            reduced.whole[i] = shifted - SHIFT;
        }
        // Looked up one by one, so that the rest is the same for all.
        for (i, bits) in reduced.bits.iter().enumerate() {
            (reduced.powers[0][i], reduced.powers[1][i]) = powers[*bits as usize % STEPS];
        }
        reduced
    }

    /// `e^r - 1` of a lane as a sum of two numbers, the second perhaps `2^-19` of the first.
    #[inline(always)]
    fn rest(&self, lane: usize, x: f64) -> (f64, f64) {
        let (r, r_low) = without_multiples(self.whole[lane], x, STEP);
        let (square, square_error) = product(r, r);
        let cubic = r
            * square
            * ((1.0 / 6.0 + r * (1.0 / 24.0)) + square * ((1.0 / 120.0 + r * (1.0 / 720.0)) + square * (1.0 / 5040.0)));
        let (high, error) = fast_two_sum(r, 0.5 * square);
        (high, (error + (0.5 * square_error + (r_low + r * r_low))) + cubic)
    }

    /// `e^x` of a lane, given `e^r - 1`.
    #[inline(always)]
    fn exponential(&self, lane: usize, (rest, rest_low): (f64, f64)) -> (f64, f64) {
        let (power, power_low) = (self.powers[0][lane], self.powers[1][lane]);
        // n/128, rounded downwards, in the place of the exponent.
        let whole = (self.bits[lane].wrapping_sub(SHIFT.to_bits()) as i64) >> STEPS.trailing_zeros();
        let scale = f64::from_bits(((whole + 1023) as u64) << 52);
        let (step, step_error) = product(power, rest);
        let (high, high_error) = fast_two_sum(power, step);
        let low = high_error + (step_error + (power * rest_low + power_low * (1.0 + rest)));
        let (high, low) = fast_two_sum(high, low);
        (scale * high, scale * low)
    }

    /// `e^x - 1` of a lane, given `e^r - 1` and `e^x`.
    #[inline(always)]
    fn minus_one(&self, lane: usize, rest: (f64, f64), (high, low): (f64, f64)) -> (f64, f64) {
        let (difference, error) = two_sum(high, -1.0);
        let far = self.whole[lane] != 0.0;
        let high = if far { difference } else { rest.0 };
        fast_two_sum(high, if far { error + low } else { rest.1 })
    }
}

/// `x` less so many times a constant in three parts, as a sum of two doubles.
#[inline(always)]
fn without_multiples(whole: f64, x: f64, parts: [f64; 3]) -> (f64, f64) {
    let (multiple, multiple_error) = product(whole, parts[1]);
    let (rest, error) = two_sum(x - whole * parts[0], -multiple);
    (rest, error - (multiple_error + whole * parts[2]))
}

/// The value, or none where the argument is not ordinary.
#[inline(always)]
fn ordinary(is: bool, (high, low): (f64, f64)) -> (f64, f64) {
    (if is { high } else { f64::NAN }, low)
}

struct SingleExponential;

impl BracketedFunctions<1> for SingleExponential {
    type Table = Powers;
    const ROUNDED: [fn(f64) -> f64; 1] = [core_math::exp];

    fn table() -> &'static Powers {
        &POWERS
    }

    #[inline(always)]
    fn bracket(powers: &Powers, arguments: &[f64; LANES], [found]: &mut [Bracket; 1]) {
        let reduced = Reduced::new(powers, arguments, 1.0);
        for (i, &x) in arguments.iter().enumerate() {
            let value = reduced.exponential(i, reduced.rest(i, x));
            found.set(i, ordinary(x.abs() <= EXPONENTS, value));
        }
    }
}

struct BothExponentials;

impl BracketedFunctions<2> for BothExponentials {
    type Table = Powers;
    const ROUNDED: [fn(f64) -> f64; 2] = [core_math::exp, core_math::expm1];

    fn table() -> &'static Powers {
        &POWERS
    }

    #[inline(always)]
    fn bracket(powers: &Powers, arguments: &[f64; LANES], [found, less]: &mut [Bracket; 2]) {
        let reduced = Reduced::new(powers, arguments, 1.0);
        for (i, &x) in arguments.iter().enumerate() {
            let rest = reduced.rest(i, x);
            let value = reduced.exponential(i, rest);
            let moderate = x.abs() <= EXPONENTS;
            found.set(i, ordinary(moderate, value));
            let moderate = moderate & (x.abs() >= TINY);
            less.set(i, ordinary(moderate, reduced.minus_one(i, rest, value)));
        }
    }
}

struct Tangent;

impl BracketedFunctions<1> for Tangent {
    type Table = Powers;
    const ROUNDED: [fn(f64) -> f64; 1] = [core_math::tanh];

    fn table() -> &'static Powers {
        &POWERS
    }

    #[inline(always)]
    fn bracket(powers: &Powers, arguments: &[f64; LANES], [found]: &mut [Bracket; 1]) {
        let reduced = Reduced::new(powers, arguments, 2.0);
        for (i, &x) in arguments.iter().enumerate() {
            let rest = reduced.rest(i, 2.0 * x);
            let (m, m_low) = reduced.minus_one(i, rest, reduced.exponential(i, rest));
            let (divisor, error) = two_sum(m, 2.0);
            let quotient = m / divisor;
            let (back, back_error) = product(quotient, divisor);
            let left = ((m - back) - back_error) + (m_low - quotient * (error + m_low));
            let value = fast_two_sum(quotient, left / divisor);
            let moderate = (x.abs() <= EXPONENTS / 2.0) & (x.abs() >= TINY);
            found.set(i, ordinary(moderate, value));
        }
    }
}

struct SineAndCosine;

impl BracketedFunctions<2> for SineAndCosine {
    type Table = Circle;
    const ROUNDED: [fn(f64) -> f64; 2] = [core_math::sin, core_math::cos];

    fn table() -> &'static Circle {
        &CIRCLE
    }

    #[inline(always)]
    fn bracket(circle: &Circle, arguments: &[f64; LANES], [sines, cosines]: &mut [Bracket; 2]) {
        let mut angles = Angles::ZERO;
        let mut whole = [0.0; LANES];
        for (i, x) in arguments.iter().enumerate() {
            let shifted = x * ((ANGLES / 2) as f64 / std::f64::consts::PI) + SHIFT;
            angles.look_up(circle, i, shifted.to_bits() as usize);
            whole[i] = shifted - SHIFT;
        }
        for (i, &x) in arguments.iter().enumerate() {
            (angles.rests[0][i], angles.rests[1][i]) = without_multiples(whole[i], x, ANGLE);
        }
        angles.write(cosines, sines);
        for (i, &x) in arguments.iter().enumerate() {
            let moderate = (x.abs() <= RADIANS) & (x.abs() >= TINY);
            let exact = whole[i] == 0.0;
            for bracket in [&mut *sines, &mut *cosines] {
                let kept = moderate & (exact | (bracket.least[i].abs() >= CANCELLED));
                bracket.most[i] = if kept { bracket.most[i] } else { f64::NAN };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::exponential::power_of_two;
    use crate::stream::stream;
    use rand::Rng;

    /// Numbers of many sizes and signs, and neighbours of those at which something changes.
    fn arguments(block: u32, rng: &mut impl Rng) -> [f64; LANES] {
        std::array::from_fn(|lane| {
            let fraction = (rng.next_u64() >> 11) as f64 * (f64::EPSILON / 2.0);
            let signed = 2.0 * fraction - 1.0;
            let whole = (signed * 2000.0).round();
            match (block % 8, lane % 4) {
                (0, 0) => signed * 800.0,
                (0, 1) => signed * 1e-3,
                (0, 2) => signed * power_of_two(-((lane as f64) * 32.0)),
                (0, 3) => signed * power_of_two(lane as f64 * 32.0),
                // The ends of cells, tabulated angles and zeros.
                (1, 0) => whole * STEP[0] * (1.0 + signed.signum() * f64::EPSILON),
                (1, 1) => (whole + 0.5) * STEP[0],
                (1, 2) => whole * std::f64::consts::PI / 256.0,
                (1, 3) => (whole / 8.0).round() * std::f64::consts::FRAC_PI_2,
                (2, _) => signed * 30.0,
                _ => signed * 6.0,
            }
        })
    }

    const SPECIAL: [f64; LANES] = {
        let mut all = [1.0; LANES];
        let list = [
            0.0,
            -0.0,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            f64::MIN_POSITIVE,
            -f64::MIN_POSITIVE,
            5e-324,
            f64::MAX,
            f64::MIN,
            600.0,
            -600.0,
            600.1,
            -600.1,
            709.8,
            -708.5,
            -745.2,
            1000.0,
            1000.1,
            -1000.1,
            1e22,
            std::f64::consts::PI,
            f64::EPSILON,
            -f64::EPSILON,
            1e-140,
            9e-141,
        ];
        let mut i = 0;
        while i < list.len() {
            all[i] = list[i];
            i += 1;
        }
        all
    };

    /// All values, function by function.
    fn evaluated<const N: usize, F: BracketedFunctions<N>>(set: InstructionSet, x: &[f64; LANES]) -> [[f64; LANES]; N] {
        let mut found = [const { Bracket::EMPTY }; N];
        settle::<N, F>(set, x, LANES, &mut found);
        found.map(|bracket| bracket.least)
    }

    fn agree<const N: usize, F: BracketedFunctions<N>>(x: &[f64; LANES]) {
        for set in InstructionSet::available() {
            for (number, (truth, found)) in F::ROUNDED.iter().zip(evaluated::<N, F>(set, x)).enumerate() {
                for (&x, y) in x.iter().zip(found) {
                    let known = truth(x);
                    let same = y.to_bits() == known.to_bits() || (y.is_nan() && known.is_nan());
                    let formula = std::any::type_name::<F>();
                    assert!(same, "{formula} {number} of {x:e} by {}: {y:e}, {known:e}", set.name());
                }
            }
        }
    }

    fn agrees(x: &[f64; LANES]) {
        agree::<1, SingleExponential>(x);
        agree::<2, BothExponentials>(x);
        agree::<1, Tangent>(x);
        agree::<2, SineAndCosine>(x);
    }

    #[test]
    fn values_are_those_of_the_correctly_rounded_functions() {
        let mut rng = stream(3, &["correctly rounded"]);
        agrees(&SPECIAL);
        for block in 0..3000 {
            agrees(&arguments(block, &mut rng));
        }
    }

    /// How often the brackets leave the last word to others: how wide they are, more or less.
    fn few_in_doubt<const N: usize, F: BracketedFunctions<N>>() {
        const BLOCKS: u32 = 2000;
        let (mut rng, set) = (stream(4, &["correctly rounded"]), InstructionSet::best());
        let mut found = [const { Bracket::EMPTY }; N];
        let mut doubtful = [0; N];
        for _ in 0..BLOCKS {
            let here = settle::<N, F>(set, &arguments(3, &mut rng), LANES, &mut found);
            doubtful.iter_mut().zip(here).for_each(|(all, here)| *all += here);
        }
        let all = u64::from(BLOCKS) * LANES as u64;
        assert!(doubtful.iter().all(|&d| d > 0 && d < all / 200), "{doubtful:?} of {all}");
    }

    #[test]
    fn few_values_are_in_doubt() {
        few_in_doubt::<1, SingleExponential>();
        few_in_doubt::<2, BothExponentials>();
        few_in_doubt::<1, Tangent>();
        few_in_doubt::<2, SineAndCosine>();
    }

    /// The errors that the brackets allow for, measured with a hundred bits.
    #[test]
    fn both_doubles_are_within_a_fraction_of_the_doubt() {
        let mut rng = stream(5, &["correctly rounded"]);
        for block in 0..400 {
            // Sizes at which the reference keeps its hundred bits.
            let x = arguments(2 + block % 4, &mut rng);
            let reduced = Reduced::new(&POWERS, &x, 1.0);
            for (i, &x) in x.iter().enumerate() {
                let (e, m) = DoubleDouble::from(x).exponentials();
                let rest = reduced.rest(i, x);
                let value = reduced.exponential(i, rest);
                for (found, truth) in [(value, e), (reduced.minus_one(i, rest, value), m)] {
                    let error = ((truth + -found.0) + -found.1).hi().abs();
                    assert!(error <= truth.hi().abs() * power_of_two(-66.0), "{x}: {error:e}");
                }
            }
        }
    }

    #[test]
    fn lists_of_every_length() {
        let all: Vec<f64> = (0..100).map(|i| f64::from(i) * 0.37 - 11.0).collect();
        for length in [0, 1, 31, 32, 33, 64, 100] {
            let x = &all[..length];
            for (found, f) in [(exp(x), core_math::exp as fn(f64) -> f64), (tanh(x), core_math::tanh)] {
                assert!(found.len() == length && found.iter().zip(x).all(|(y, &x)| *y == f(x)));
            }
            let both = exp_and_exp_m1(x).into_iter().zip(sin_cos(x));
            assert_eq!(both.len(), length);
            for (&x, (exponentials, circular)) in x.iter().zip(both) {
                assert_eq!(exponentials, (core_math::exp(x), core_math::expm1(x)));
                assert_eq!(circular, (core_math::sin(x), core_math::cos(x)));
            }
        }
    }
}
