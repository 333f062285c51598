//! Logarithms of fractions, and sines and cosines of half turns, correctly rounded, many at once: what polar coordinates of normal
//! numbers are made of.
//!
//! Every value is [a sum of two doubles](super::two_doubles). With `u = 2^-53`:
//!
//! # Logarithm
//! `x = 2^k m` with `m` in `[0.7071, 1.4143)`, in one of 128 cells, and `r` near `1/m` for all of a cell, a multiple of `2^-9`, one next to one. `m` is cut
//! into 26 and 27 bits, so that `z = r m - 1` is the exact sum of two doubles, `|z| <= 2^-7.4`. The logarithm is `k log 2 - log r + z - z^2/2 + z^3 P(z)`:
//! `k log 2` and `-log r` to more than `2^-80`, `z^2` with its rounding error, `P` a Taylor sum of degree 6, which leaves out `2^-70 z`. What is added up in single
//! doubles is the cube, below `2^-22`, and the roundings of the larger terms: off by less than `2^-74`, while the result is at least `2^-8.1` unless `k = 0`
//! and `r = 1`. For these, `|z| <= 2^-8`, and the error of the cube is below `2^-67 z`. As `x <= 1`, no other sum cancels.
//!
//! # Sine and cosine
//! `x = i/256 + t` with an exact `|t| <= 2^-9`, [tabulated](super::circle) angles and `d = pi t`, a sum of two doubles below `2^-7.3`.

use std::sync::LazyLock;

use super::circle::{ANGLES, Angles, CIRCLE, Circle, parts};
use super::dispatch::{InstructionSet, Kernel};
use super::exponential::{LN_2_HIGH, LN_2_LOW, SHIFT};
use super::two_doubles::{Bracket, LANES, fast_two_sum, halves, product, two_sum};
use crate::interval::DoubleDouble;

/// Pairs that are treated together.
pub(crate) const PAIRS: usize = LANES;
/// Cells of the mantissa.
const CELLS: usize = 128;
/// The bits of a double just below the square root of one half.
const HALF_ROOT: u64 = 0x3fe6_a09e << 32;
const ONE: u64 = 1023 << 52;
const FRACTION: u64 = (1 << 52) - 1;
const PI_HIGH: f64 = std::f64::consts::PI;
const PI_LOW: f64 = 1.224_646_799_147_353_2e-16;

/// `sqrt(-2 log u)`, given the logarithm.
#[inline(always)]
pub(crate) fn radius(log: f64) -> f64 {
    (-2.0 * log).sqrt()
}

/// Room for the values behind [`PAIRS`] pairs of normal numbers, to be used again and again.
pub(crate) struct Polar {
    logs: Bracket,
    cosines: Bracket,
    sines: Bracket,
}

impl Polar {
    pub(crate) const EMPTY: Polar = Polar { logs: Bracket::EMPTY, cosines: Bracket::EMPTY, sines: Bracket::EMPTY };

    /// `sqrt(-2 log u) (cos, sin)(pi x)` of the first `count` pairs of a fraction `u` in `(0, 1]` and a number `x` of half turns in `[0, 2)`.
    pub(crate) fn normal_pairs(
        &mut self,
        fractions: &[f64; PAIRS],
        half_turns: &[f64; PAIRS],
        count: usize,
    ) -> [[f64; 2]; PAIRS] {
        let set = InstructionSet::best();
        self.settle(set, fractions, half_turns, count);
        set.run(Scaled { polar: self })
    }

    /// Correctly rounded values of the first `count` pairs, left as the lower ends.
    fn settle(&mut self, set: InstructionSet, fractions: &[f64; PAIRS], half_turns: &[f64; PAIRS], count: usize) {
        let [logs, cosines, sines] =
            set.run(Candidates { tables: &TABLES, circle: &CIRCLE, fractions, half_turns, polar: self });
        if logs > 0 {
            self.logs.settle(fractions, count, core_math::log);
        }
        if cosines > 0 {
            self.cosines.settle(half_turns, count, core_math::cospi);
        }
        if sines > 0 {
            self.sines.settle(half_turns, count, core_math::sinpi);
        }
    }
}

/// The normal numbers of settled values.
struct Scaled<'a> {
    polar: &'a Polar,
}

impl Kernel for Scaled<'_> {
    type Output = [[f64; 2]; PAIRS];

    #[inline(always)]
    fn run<const WIDTH: usize>(self) -> [[f64; 2]; PAIRS] {
        let Polar { logs, cosines, sines } = self.polar;
        std::array::from_fn(|i| {
            let radius = radius(logs.least[i]);
            [radius * cosines.least[i], radius * sines.least[i]]
        })
    }
}

/// Tabulated numbers as sums of two doubles.
struct Tables {
    /// `r` of each cell, and `-log r`.
    reciprocals: [f64; CELLS],
    logs: [(f64, f64); CELLS],
}

static TABLES: LazyLock<Tables> = LazyLock::new(Tables::new);

impl Tables {
    fn new() -> Self {
        let width = ((FRACTION + 1) / CELLS as u64) as f64;
        let reciprocal = |cell: usize| {
            let bits = HALF_ROOT + ((cell as f64 + 0.5) * width) as u64;
            let (least, most) = (bits - (0.5 * width) as u64, bits + (0.5 * width) as u64);
            match (least..most).contains(&ONE) {
                true => 1.0,
                false => (512.0 / f64::from_bits(bits)).round() / 512.0,
            }
        };
        let log = |cell: usize| match reciprocal(cell) {
            1.0 => (0.0, 0.0),
            r => parts(-DoubleDouble::from(r).ln()),
        };
        Tables { reciprocals: std::array::from_fn(reciprocal), logs: std::array::from_fn(log) }
    }
}

/// Brackets of logarithms, cosines and sines.
struct Candidates<'a> {
    tables: &'a Tables,
    circle: &'a Circle,
    fractions: &'a [f64; PAIRS],
    half_turns: &'a [f64; PAIRS],
    polar: &'a mut Polar,
}

impl Kernel for Candidates<'_> {
    /// How many logarithms, cosines and sines are in doubt.
    type Output = [u64; 3];

    #[inline(always)]
    fn run<const WIDTH: usize>(self) -> [u64; 3] {
        let Candidates { tables, circle, fractions, half_turns, polar } = self;
        write_logs(tables, fractions, &mut polar.logs);
        write_circle(circle, half_turns, &mut polar.cosines, &mut polar.sines);
        // (An array's `map` would be compiled for the baseline.)
        [polar.logs.doubtful(), polar.cosines.doubtful(), polar.sines.doubtful()]
    }
}

#[inline(always)]
fn write_logs(tables: &Tables, fractions: &[f64; PAIRS], out: &mut Bracket) {
    // What the tables have comes first, one by one, so that the rest is the same for all.
    let mut reciprocals = [0.0; PAIRS];
    let mut tabulated = [[0.0; PAIRS]; 2];
    for (i, x) in fractions.iter().enumerate() {
        let shifted = x.to_bits().wrapping_add(ONE - HALF_ROOT);
        let cell = ((shifted & FRACTION) >> 45) as usize % CELLS;
        reciprocals[i] = tables.reciprocals[cell];
        (tabulated[0][i], tabulated[1][i]) = tables.logs[cell];
    }
    for i in 0..PAIRS {
        let shifted = fractions[i].to_bits().wrapping_add(ONE - HALF_ROOT);
        let m = f64::from_bits((shifted & FRACTION) + HALF_ROOT);
        // The exponent as a double: the low bits of 2^52 + biased.
        let k = f64::from_bits((1075 << 52) | (shifted >> 52)) - (4_503_599_627_370_496.0 + 1023.0);
        let (m_high, m_low) = halves(m);
        let r = reciprocals[i];
        let (z, z_low) = two_sum(r * m_high - 1.0, r * m_low);
        let (base, base_error) = two_sum(k * LN_2_HIGH, tabulated[0][i]);
        let (first, first_error) = two_sum(base, z);
        let (square, square_error) = product(z, z);
        let (high, high_error) = two_sum(first, -0.5 * square);
        let z2 = square;
        let z4 = z2 * z2;
        let cubic = z
            * z2
            * (((1.0 / 3.0 - 0.25 * z) + z2 * (0.2 - z * (1.0 / 6.0)))
                + z4 * ((1.0 / 7.0 - 0.125 * z) + z2 * (1.0 / 9.0)));
        let small = (k * LN_2_LOW + tabulated[1][i]) + (base_error + first_error) + (z_low - z * z_low);
        let low = (high_error + cubic) + (small - 0.5 * square_error);
        out.set(i, fast_two_sum(high, low));
    }
}

#[inline(always)]
fn write_circle(circle: &Circle, half_turns: &[f64; PAIRS], cosines: &mut Bracket, sines: &mut Bracket) {
    let mut angles = Angles::ZERO;
    for (i, x) in half_turns.iter().enumerate() {
        // To the nearest integer, which then stands in the low bits.
        let shifted = x * (ANGLES / 2) as f64 + SHIFT;
        angles.look_up(circle, i, shifted.to_bits() as usize);
        angles.rests[0][i] = x - (shifted - SHIFT) / (ANGLES / 2) as f64;
    }
    for i in 0..PAIRS {
        let rest = angles.rests[0][i];
        let (d, error) = product(PI_HIGH, rest);
        (angles.rests[0][i], angles.rests[1][i]) = (d, error + PI_LOW * rest);
    }
    angles.write(cosines, sines);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::stream;
    use rand::Rng;

    fn agrees(fractions: &[f64; PAIRS], half_turns: &[f64; PAIRS]) {
        for set in InstructionSet::available() {
            let mut found = Polar::EMPTY;
            found.settle(set, fractions, half_turns, PAIRS);
            for i in 0..PAIRS {
                let (u, x) = (fractions[i], half_turns[i]);
                let of = |y: f64| y.to_bits();
                assert_eq!(of(found.logs.least[i]), of(core_math::log(u)), "log {u:e} by {}", set.name());
                assert_eq!(of(found.cosines.least[i]), of(core_math::cospi(x)), "cospi {x:e}");
                assert_eq!(of(found.sines.least[i]), of(core_math::sinpi(x)), "sinpi {x:e}");
            }
        }
    }

    /// How often the brackets leave the last word to others: how wide they are, more or less.
    #[test]
    fn values_are_those_of_the_correctly_rounded_functions() {
        let mut rng = stream(1, &["polar"]);
        let mut doubtful = [0u32; 3];
        const BLOCKS: u32 = 6000;
        for block in 0..BLOCKS {
            // Uniform, and near the ends of cells and of angles.
            let fractions: [f64; PAIRS] = std::array::from_fn(|i| {
                let word = rng.next_u64();
                let u = ((word >> 11) + 1) as f64 * (f64::EPSILON / 2.0);
                match (block % 4, i % 4) {
                    (0, 0) => 1.0 - u * f64::EPSILON * 64.0,
                    (0, 1) => 1.0 - u / 128.0,
                    (0, 2) => u * f64::EPSILON + f64::EPSILON / 2.0,
                    _ => u,
                }
            });
            let half_turns: [f64; PAIRS] = std::array::from_fn(|i| {
                let x = (rng.next_u64() >> 11) as f64 * f64::EPSILON;
                let near = (x * 256.0).floor() / 256.0;
                match (block % 4, i % 4) {
                    (0, 0) => near,
                    (0, 1) => near + f64::from(i as u32) * f64::EPSILON,
                    (0, 2) => (near - f64::EPSILON).max(0.0),
                    (0, 3) => (x * 2.0).floor() / 2.0 + x * 1e-9,
                    _ => x,
                }
            });
            agrees(&fractions, &half_turns);
            let mut polar = Polar::EMPTY;
            let counts = InstructionSet::best().run(Candidates {
                tables: &TABLES,
                circle: &CIRCLE,
                fractions: &fractions,
                half_turns: &half_turns,
                polar: &mut polar,
            });
            if block % 4 > 0 {
                for (doubtful, count) in doubtful.iter_mut().zip(counts) {
                    *doubtful += count as u32;
                }
            }
        }
        let all = BLOCKS * 3 / 4 * PAIRS as u32;
        assert!(doubtful.iter().all(|&d| d > 0 && d < all / 200), "{doubtful:?} of {all}");
    }

    #[test]
    fn ends_and_special_angles() {
        let fractions: [f64; PAIRS] = std::array::from_fn(|i| match i {
            0 => 1.0,
            1 => 1.0 - f64::EPSILON / 2.0,
            2 => f64::EPSILON / 2.0,
            3 => std::f64::consts::FRAC_1_SQRT_2,
            _ => 1.0 / (i as f64 - 2.0),
        });
        agrees(&fractions, &std::array::from_fn(|i| i as f64 / 16.0));
        let below = |x: f64| if x > 0.0 { x.next_down() } else { 2.0f64.next_down() };
        agrees(&fractions, &std::array::from_fn(|i| below(i as f64 / 16.0)));
    }

    /// The errors that the brackets allow for, measured with a hundred bits.
    #[test]
    fn both_doubles_are_within_a_fraction_of_the_doubt() {
        let mut rng = stream(2, &["polar"]);
        let ln_2 = DoubleDouble::LN_2;
        for _ in 0..200 {
            let fractions: [f64; PAIRS] =
                std::array::from_fn(|_| ((rng.next_u64() >> 11) + 1) as f64 * (f64::EPSILON / 2.0));
            let half_turns: [f64; PAIRS] = std::array::from_fn(|_| (rng.next_u64() >> 11) as f64 * f64::EPSILON);
            let mut polar = Polar::EMPTY;
            InstructionSet::PORTABLE.run(Candidates {
                tables: &TABLES,
                circle: &CIRCLE,
                fractions: &fractions,
                half_turns: &half_turns,
                polar: &mut polar,
            });
            let Polar { logs, cosines, sines } = polar;
            for i in 0..PAIRS {
                // Rounding is monotone: a true value outside the bracket would lie outside what its ends are rounded to.
                let (s, c) = (DoubleDouble::PI * half_turns[i]).sin_cos();
                let log = DoubleDouble::from(fractions[i] * 0.5).ln() + ln_2;
                for (bracket, truth) in [(&logs, log), (&cosines, c), (&sines, s)] {
                    assert!(bracket.least[i] <= truth.hi() && truth.hi() <= bracket.most[i]);
                }
            }
        }
    }
}
