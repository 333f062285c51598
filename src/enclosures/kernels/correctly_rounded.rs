//! Correctly rounded exponentials, hyperbolic tangents, sines and cosines of many numbers: the bits of `core-math`, sooner.
//!
//! Values are [sums of two doubles](super::two_doubles), computed for numbers of moderate size; `core-math` gives the others. With `u = 2^-53`:
//!
//! # Exponentials
//! `x = n log 2/128 + r` with an integer `n`, `|r| <= 2^-8.5`, for `|x| <= 600`. `log 2/128` is a sum of numbers of 36 and 53 bits, whose products with `n`, below
//! `2^17`, are exact or have a known error, and of what is left, below `2^-96`: as a sum of two doubles, `r` is off by less than `2^-79`, and exact for `n = 0`. In `e^r - 1 = r +
//! r^2/2 + r^3 P(r)` with a Taylor sum `P` of degree 4, the square has its rounding error, and the cube, below `2^-28`, is off by `2^-71 r` at most. `2^{i/128}` is tabulated as a
//! sum of two doubles; the product with it and the sum that follows are off by less than `2^-78`. For `n = 0`, `e^x - 1` is `e^r - 1` itself; else it is at least
//! `2^-8.6`, and taking 1 away adds no error to speak of. `tanh x = m/(m + 2)`, `m = e^{2x} - 1`.
//!
//! # Sine and cosine
//! `x = n pi/256 + d` likewise, for `|x| <= 1000`, of [tabulated](super::circle) angles. `d` is off by less than `2^-110`: values below `2^-30`, unless `n = 0` and
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
const STEP: [f64; 3] = [
    f64::from_bits(0x3f76_2e42_fefa_0000),
    1.286_402_311_163_834_6e-14,
    -7.873_397_762_425_893_5e-31,
];
/// `pi/256` to 33 bits, the next 53, and more.
const ANGLE: [f64; 3] = [
    f64::from_bits(0x3f89_21fb_5440_0000),
    4.747_734_770_707_963e-13,
    2.751_218_644_674_375e-29,
];
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
    let (set, mut found) = (InstructionSet::best(), Bracket::EMPTY);
    by_blocks(arguments, |block, count, all| {
        exponentials(set, block, count, &mut found);
        all.extend(&found.least[..count]);
    })
}

/// `e^x` and `e^x - 1` of every number, as `core_math::exp` and `core_math::expm1` have them.
#[must_use]
pub fn exp_and_exp_m1(arguments: &[f64]) -> Vec<(f64, f64)> {
    let (set, mut found) = (InstructionSet::best(), [Bracket::EMPTY, Bracket::EMPTY]);
    by_blocks(arguments, |block, count, all| {
        both_exponentials(set, block, count, &mut found);
        all.extend(pairs(&found, count));
    })
}

/// `tanh x` of every number, as `core_math::tanh` has it.
#[must_use]
pub fn tanh(arguments: &[f64]) -> Vec<f64> {
    let (set, mut found) = (InstructionSet::best(), Bracket::EMPTY);
    by_blocks(arguments, |block, count, all| {
        tangents(set, block, count, &mut found);
        all.extend(&found.least[..count]);
    })
}

/// `sin x` and `cos x` of every number in radians, as `core_math::sin` and `core_math::cos` have them.
#[must_use]
pub fn sin_cos(arguments: &[f64]) -> Vec<(f64, f64)> {
    let (set, mut found) = (InstructionSet::best(), [Bracket::EMPTY, Bracket::EMPTY]);
    by_blocks(arguments, |block, count, all| {
        sines_and_cosines(set, block, count, &mut found);
        all.extend(pairs(&found, count));
    })
}

/// Hands the numbers on in blocks, the last of which ends in zeros, with how many of each are meant.
fn by_blocks<T>(arguments: &[f64], mut treat: impl FnMut(&[f64; LANES], usize, &mut Vec<T>)) -> Vec<T> {
    let mut all = Vec::with_capacity(arguments.len());
    let (blocks, rest) = arguments.as_chunks::<LANES>();
    for block in blocks {
        treat(block, LANES, &mut all);
    }
    if !rest.is_empty() {
        let mut block = [0.0; LANES];
        block[..rest.len()].copy_from_slice(rest);
        treat(&block, rest.len(), &mut all);
    }
    all
}

fn pairs([first, second]: &[Bracket; 2], count: usize) -> impl Iterator<Item = (f64, f64)> {
    first.least.into_iter().zip(second.least).take(count)
}

fn exponentials(set: InstructionSet, arguments: &[f64; LANES], count: usize, found: &mut Bracket) {
    let doubtful = set.run(Exponentials {
        powers: &POWERS,
        arguments,
        found,
    });
    if doubtful > 0 {
        found.settle(arguments, count, core_math::exp);
    }
}

fn both_exponentials(set: InstructionSet, arguments: &[f64; LANES], count: usize, found: &mut [Bracket; 2]) {
    let doubtful = set.run(BothExponentials {
        powers: &POWERS,
        arguments,
        found,
    });
    if doubtful > 0 {
        found[0].settle(arguments, count, core_math::exp);
        found[1].settle(arguments, count, core_math::expm1);
    }
}

fn tangents(set: InstructionSet, arguments: &[f64; LANES], count: usize, found: &mut Bracket) {
    let doubtful = set.run(Tangents {
        powers: &POWERS,
        arguments,
        found,
    });
    if doubtful > 0 {
        found.settle(arguments, count, core_math::tanh);
    }
}

fn sines_and_cosines(set: InstructionSet, arguments: &[f64; LANES], count: usize, found: &mut [Bracket; 2]) {
    let doubtful = set.run(SinesAndCosines {
        circle: &CIRCLE,
        arguments,
        found,
    });
    if doubtful > 0 {
        found[0].settle(arguments, count, core_math::sin);
        found[1].settle(arguments, count, core_math::cos);
    }
}

/// `2^{i/128}`, `i < 128`, as sums of two doubles.
static POWERS: LazyLock<[(f64, f64); STEPS]> =
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
    fn new(powers: &[(f64, f64); STEPS], arguments: &[f64; LANES], factor: f64) -> Self {
        let mut reduced = Reduced {
            whole: [0.0; LANES],
            bits: [0; LANES],
            powers: [[0.0; LANES]; 2],
        };
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

/// Brackets of `e^x`.
struct Exponentials<'a> {
    powers: &'a [(f64, f64); STEPS],
    arguments: &'a [f64; LANES],
    found: &'a mut Bracket,
}

impl Kernel for Exponentials<'_> {
    /// How many are in doubt.
    type Output = u64;

    #[inline(always)]
    fn run<const WIDTH: usize>(self) -> u64 {
        let reduced = Reduced::new(self.powers, self.arguments, 1.0);
        for (i, &x) in self.arguments.iter().enumerate() {
            let value = reduced.exponential(i, reduced.rest(i, x));
            self.found.set(i, ordinary(x.abs() <= EXPONENTS, value));
        }
        self.found.doubtful()
    }
}

/// Brackets of `e^x` and of `e^x - 1`.
struct BothExponentials<'a> {
    powers: &'a [(f64, f64); STEPS],
    arguments: &'a [f64; LANES],
    found: &'a mut [Bracket; 2],
}

impl Kernel for BothExponentials<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<const WIDTH: usize>(self) -> u64 {
        let reduced = Reduced::new(self.powers, self.arguments, 1.0);
        let [exponentials, minus_one] = self.found;
        for (i, &x) in self.arguments.iter().enumerate() {
            let rest = reduced.rest(i, x);
            let value = reduced.exponential(i, rest);
            let moderate = x.abs() <= EXPONENTS;
            exponentials.set(i, ordinary(moderate, value));
            let moderate = moderate & (x.abs() >= TINY);
            minus_one.set(i, ordinary(moderate, reduced.minus_one(i, rest, value)));
        }
        exponentials.doubtful() + minus_one.doubtful()
    }
}

/// Brackets of `tanh x`.
struct Tangents<'a> {
    powers: &'a [(f64, f64); STEPS],
    arguments: &'a [f64; LANES],
    found: &'a mut Bracket,
}

impl Kernel for Tangents<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<const WIDTH: usize>(self) -> u64 {
        let reduced = Reduced::new(self.powers, self.arguments, 2.0);
        for (i, &x) in self.arguments.iter().enumerate() {
            let rest = reduced.rest(i, 2.0 * x);
            let (m, m_low) = reduced.minus_one(i, rest, reduced.exponential(i, rest));
            let (divisor, error) = two_sum(m, 2.0);
            let quotient = m / divisor;
            let (back, back_error) = product(quotient, divisor);
            let left = ((m - back) - back_error) + (m_low - quotient * (error + m_low));
            let value = fast_two_sum(quotient, left / divisor);
            let moderate = (x.abs() <= EXPONENTS / 2.0) & (x.abs() >= TINY);
            self.found.set(i, ordinary(moderate, value));
        }
        self.found.doubtful()
    }
}

/// Brackets of `sin x` and of `cos x`.
struct SinesAndCosines<'a> {
    circle: &'a Circle,
    arguments: &'a [f64; LANES],
    found: &'a mut [Bracket; 2],
}

impl Kernel for SinesAndCosines<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<const WIDTH: usize>(self) -> u64 {
        let mut angles = Angles::ZERO;
        let mut whole = [0.0; LANES];
        for (i, x) in self.arguments.iter().enumerate() {
            let shifted = x * ((ANGLES / 2) as f64 / std::f64::consts::PI) + SHIFT;
            angles.look_up(self.circle, i, shifted.to_bits() as usize);
            whole[i] = shifted - SHIFT;
        }
        for (i, &x) in self.arguments.iter().enumerate() {
            (angles.rests[0][i], angles.rests[1][i]) = without_multiples(whole[i], x, ANGLE);
        }
        let [sines, cosines] = self.found;
        angles.write(cosines, sines);
        for (i, &x) in self.arguments.iter().enumerate() {
            let moderate = (x.abs() <= RADIANS) & (x.abs() >= TINY);
            let exact = whole[i] == 0.0;
            for bracket in [&mut *sines, &mut *cosines] {
                let kept = moderate & (exact | (bracket.least[i].abs() >= CANCELLED));
                bracket.most[i] = if kept { bracket.most[i] } else { f64::NAN };
            }
        }
        sines.doubtful() + cosines.doubtful()
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

    type Evaluated = [[f64; LANES]; 6];

    /// All six functions of the first `count` numbers, and how many values were in doubt.
    fn evaluated(set: InstructionSet, x: &[f64; LANES], count: usize) -> Evaluated {
        let mut one = Bracket::EMPTY;
        let mut two = [Bracket::EMPTY, Bracket::EMPTY];
        exponentials(set, x, count, &mut one);
        let exp = one.least;
        both_exponentials(set, x, count, &mut two);
        let [same, minus_one] = [two[0].least, two[1].least];
        tangents(set, x, count, &mut one);
        let tanh = one.least;
        sines_and_cosines(set, x, count, &mut two);
        [exp, same, minus_one, tanh, two[0].least, two[1].least]
    }

    const CORRECTLY_ROUNDED: [(&str, fn(f64) -> f64); 6] = [
        ("exp", core_math::exp),
        ("exp", core_math::exp),
        ("expm1", core_math::expm1),
        ("tanh", core_math::tanh),
        ("sin", core_math::sin),
        ("cos", core_math::cos),
    ];

    fn agrees(x: &[f64; LANES]) {
        for set in InstructionSet::available() {
            for ((name, truth), found) in CORRECTLY_ROUNDED.iter().zip(evaluated(set, x, LANES)) {
                for (&x, y) in x.iter().zip(found) {
                    let known = truth(x);
                    let same = y.to_bits() == known.to_bits() || (y.is_nan() && known.is_nan());
                    assert!(same, "{name} {x:e} by {}: {y:e}, {known:e}", set.name());
                }
            }
        }
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
    #[test]
    fn few_values_are_in_doubt() {
        let mut rng = stream(4, &["correctly rounded"]);
        let (mut one, mut two) = (Bracket::EMPTY, [Bracket::EMPTY, Bracket::EMPTY]);
        let (mut doubtful, set) = ([0; 4], InstructionSet::best());
        const BLOCKS: u64 = 2000;
        for _ in 0..BLOCKS {
            let (arguments, found) = (&arguments(3, &mut rng), &mut one);
            let powers = &POWERS;
            doubtful[0] += set.run(Exponentials {
                powers,
                arguments,
                found,
            });
            doubtful[1] += set.run(Tangents {
                powers,
                arguments,
                found,
            });
            let found = &mut two;
            doubtful[2] += set.run(BothExponentials {
                powers,
                arguments,
                found,
            });
            let (circle, found) = (&CIRCLE, &mut two);
            doubtful[3] += set.run(SinesAndCosines {
                circle,
                arguments,
                found,
            });
        }
        let all = BLOCKS * LANES as u64;
        assert!(
            doubtful.iter().all(|&d| d > 0 && d < all / 200),
            "{doubtful:?} of {all}"
        );
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
            let each = |f: fn(f64) -> f64| x.iter().map(|&x| f(x)).collect::<Vec<_>>();
            let both = |f: fn(f64) -> f64, g: fn(f64) -> f64| each(f).into_iter().zip(each(g)).collect::<Vec<_>>();
            assert_eq!(exp(x), each(core_math::exp));
            assert_eq!(tanh(x), each(core_math::tanh));
            assert_eq!(exp_and_exp_m1(x), both(core_math::exp, core_math::expm1));
            assert_eq!(sin_cos(x), both(core_math::sin, core_math::cos));
        }
    }
}
