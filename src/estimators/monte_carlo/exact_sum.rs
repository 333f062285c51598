//! The exact sum of any doubles in any order: addition without rounding, so that merging is associative.
//!
//! Every finite double is an integer multiple of `2^-1074` below `2^2098` in size, so that a fixed-point number of 2240
//! bits holds any sum of up to `2^130` of them without error (Kulisch 1971). Digits of 32 bits sit in 64-bit limbs, which
//! leaves room for `2^30` additions between two propagations of the carries.

use super::MonteCarloError;

/// Limbs of 32 bits; the last one carries the sign.
const LIMBS: usize = 70;
/// Additions after which the carries are propagated. Each adds less than `2^32` to a limb.
const ROOM: u32 = 1 << 30;

/// A sum of doubles that has not been rounded.
///
/// ```
/// use contrapositive_estimators::monte_carlo::ExactSum;
/// let mut sum = ExactSum::default();
/// for x in [1e300, 1.0, -1e300, 1e-300] {
///     sum.add(x).unwrap();
/// }
/// assert_eq!(sum.value(), 1.0); // 1 + 1e-300, rounded once
/// ```
#[derive(Clone, Debug)]
pub struct ExactSum {
    limbs: [i64; LIMBS],
    since: u32,
}

impl Default for ExactSum {
    fn default() -> Self {
        ExactSum { limbs: [0; LIMBS], since: 0 }
    }
}

impl PartialEq for ExactSum {
    /// Whether the two numbers are equal, however they came about.
    fn eq(&self, other: &Self) -> bool {
        self.canonical() == other.canonical()
    }
}

/// Brings all limbs but the last into `[0, 2^32)`.
fn propagate(limbs: &mut [i64; LIMBS]) {
    let mut carry = 0;
    for limb in &mut limbs[..LIMBS - 1] {
        let digit = *limb + carry;
        carry = digit >> 32;
        *limb = digit & 0xffff_ffff;
    }
    limbs[LIMBS - 1] += carry;
}

impl ExactSum {
    /// Adds one double, without error.
    ///
    /// # Errors
    /// [`MonteCarloError::NotFinite`] for NaN and the infinities; the sum is left as it was.
    pub fn add(&mut self, x: f64) -> Result<(), MonteCarloError> {
        if !x.is_finite() {
            return Err(MonteCarloError::NotFinite { index: 0, value: x });
        }
        let bits = x.to_bits();
        let biased = (bits >> 52) & 0x7ff;
        let fraction = bits & ((1 << 52) - 1);
        // x = mantissa * 2^(shift - 1074)
        let (mantissa, shift) = match biased {
            0 => (fraction, 0),
            _ => (fraction | (1 << 52), biased as usize - 1),
        };
        let wide = u128::from(mantissa) << (shift % 32);
        let sign = if x < 0.0 { -1 } else { 1 };
        for (k, limb) in self.limbs[shift / 32..].iter_mut().take(3).enumerate() {
            *limb += sign * ((wide >> (32 * k)) & 0xffff_ffff) as i64;
        }
        self.step();
        Ok(())
    }

    /// Adds another sum, without error: the same number whatever the order and the grouping.
    pub fn merge(&mut self, other: &ExactSum) {
        propagate(&mut self.limbs);
        self.since = 0;
        for (mine, theirs) in self.limbs.iter_mut().zip(other.canonical()) {
            *mine += theirs;
        }
        self.step();
    }

    fn step(&mut self) {
        self.since += 1;
        if self.since >= ROOM {
            propagate(&mut self.limbs);
            self.since = 0;
        }
    }

    fn canonical(&self) -> [i64; LIMBS] {
        let mut limbs = self.limbs;
        propagate(&mut limbs);
        limbs
    }

    /// The sum rounded once, to the nearest double and to even in a tie; infinite beyond the largest double.
    #[must_use]
    pub fn value(&self) -> f64 {
        let mut limbs = self.canonical();
        let negative = limbs[LIMBS - 1] < 0;
        if negative {
            for limb in &mut limbs {
                *limb = -*limb;
            }
            propagate(&mut limbs);
        }
        let Some(top) = limbs.iter().rposition(|&limb| limb != 0) else {
            return 0.0;
        };
        let digit = |k: usize| limbs.get(k).map_or(0, |&limb| limb as u128);
        // Bits are counted from 2^-1074 on; the leading one is bit `lead`.
        let lead = 32 * top + 63 - limbs[top].leading_zeros() as usize;
        let size = if lead < 53 {
            // A multiple of 2^-1074 below 2^53 of them is a double whose bits are that integer.
            (digit(0) | digit(1) << 32) as u64
        } else {
            let low = lead - 52;
            let window = digit(low / 32) | digit(low / 32 + 1) << 32 | digit(low / 32 + 2) << 64;
            let mantissa = (window >> (low % 32)) as u64 & ((1 << 53) - 1);
            let half = (limbs[(low - 1) / 32] >> ((low - 1) % 32)) & 1 == 1;
            let inside = limbs[(low - 1) / 32] & ((1 << ((low - 1) % 32)) - 1);
            let below = inside != 0 || limbs[..(low - 1) / 32].iter().any(|&limb| limb != 0);
            let up = half && (below || mantissa & 1 == 1);
            // Rounding up may carry into the exponent, which is right there.
            let bits = ((lead as u64 - 51) << 52) + (mantissa - (1 << 52)) + u64::from(up);
            bits.min(f64::INFINITY.to_bits())
        };
        let value = f64::from_bits(size);
        if negative { -value } else { value }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use enclosures::stream::stream;
    use rand::Rng;

    fn sum(terms: &[f64]) -> ExactSum {
        let mut sum = ExactSum::default();
        for &x in terms {
            sum.add(x).unwrap();
        }
        sum
    }

    /// Any finite double, subnormal ones included.
    fn any(rng: &mut impl Rng) -> f64 {
        loop {
            let x = f64::from_bits(rng.next_u64());
            if x.is_finite() {
                return x;
            }
        }
    }

    #[test]
    fn two_terms_are_rounded_as_the_processor_does() {
        let mut rng = stream(1, &["exact sum"]);
        for i in 0..200_000 {
            let a = any(&mut rng);
            // Exponents near each other, so that the rounding has something to decide.
            let b = match i % 3 {
                0 => any(&mut rng),
                1 => f64::from_bits(a.to_bits() ^ (rng.next_u64() >> (1 + rng.next_u64() % 63))),
                _ => f64::from_bits(rng.next_u64() >> (rng.next_u64() % 64)),
            };
            if b.is_finite() {
                assert_eq!(sum(&[a, b]).value(), a + b, "{a:e} + {b:e}");
            }
        }
    }

    #[test]
    fn extremes() {
        let least = f64::from_bits(1);
        assert_eq!(sum(&[]).value(), 0.0);
        assert_eq!(sum(&[least, least, -least]).value(), least);
        assert_eq!(sum(&[f64::MAX, f64::MAX]).value(), f64::INFINITY);
        assert_eq!(sum(&[f64::MAX, f64::MAX, -f64::MAX, least]).value(), f64::MAX);
        assert_eq!(sum(&[-f64::MAX, -f64::MAX]).value(), f64::NEG_INFINITY);
        assert_eq!(sum(&[f64::MIN_POSITIVE, -least]).value(), f64::MIN_POSITIVE.next_down());
        assert_eq!(sum(&[1.0, f64::EPSILON / 2.0]).value(), 1.0);
        assert_eq!(sum(&[1.0, f64::EPSILON / 2.0, least]).value(), 1.0 + f64::EPSILON);
        assert!(sum(&[]).add(f64::NAN).is_err() && sum(&[]).add(f64::INFINITY).is_err());
    }

    #[test]
    fn order_and_grouping_do_not_matter() {
        let mut rng = stream(2, &["exact sum"]);
        let terms: Vec<f64> = (0..3000).map(|_| any(&mut rng) * 1e-5).collect();
        let whole = sum(&terms);
        let backwards: Vec<f64> = terms.iter().rev().copied().collect();
        let mut parts: Vec<ExactSum> = terms.chunks(371).map(sum).collect();
        let mut left = parts.clone().into_iter().fold(ExactSum::default(), |mut total, part| {
            total.merge(&part);
            total
        });
        while parts.len() > 1 {
            let last = parts.pop().unwrap();
            parts[0].merge(&last);
        }
        for other in [&sum(&backwards), &left, &parts[0]] {
            assert_eq!(other, &whole);
            assert_eq!(other.value(), whole.value());
        }
        left.add(1e300).unwrap();
        assert_ne!(left, whole);
    }
}
