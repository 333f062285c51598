//! Where a list of numbers stops being finite.

use super::dispatch::{InstructionSet, Kernel};

/// Numbers looked at together: a question after each of them would keep them from being looked at eight at a time.
const CHUNK: usize = 64;

/// The index of the first number that is NaN or infinite.
///
/// ```
/// use contrapositive_enclosures::kernels::first_not_finite;
/// assert_eq!(first_not_finite(&[1.0, f64::NAN, f64::INFINITY]), Some(1));
/// assert_eq!(first_not_finite(&[1.0, -1e308]), None);
/// ```
#[must_use]
pub fn first_not_finite(values: &[f64]) -> Option<usize> {
    InstructionSet::best().run(FirstNotFinite { values })
}

struct FirstNotFinite<'a> {
    values: &'a [f64],
}

impl Kernel for FirstNotFinite<'_> {
    type Output = Option<usize>;

    #[inline(always)]
    fn run<const WIDTH: usize>(self) -> Option<usize> {
        // What is not finite is what all bits of the exponent are set in.
        const EXPONENT: u64 = f64::INFINITY.to_bits();
        let mut clean = 0;
        for chunk in self.values.as_chunks::<CHUNK>().0 {
            let found: u64 = chunk.iter().map(|x| u64::from(x.to_bits() & EXPONENT == EXPONENT)).sum();
            if found > 0 {
                break;
            }
            clean += CHUNK;
        }
        let suspects = self.values.get(clean..)?;
        suspects.iter().position(|x| !x.is_finite()).map(|at| clean + at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_is_found_wherever_it_stands() {
        for length in [0, 1, 63, 64, 65, 200] {
            let finite = vec![-f64::MAX; length];
            for set in InstructionSet::available() {
                assert_eq!(set.run(FirstNotFinite { values: &finite }), None);
            }
            for at in 0..length {
                for bad in [f64::NAN, -f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                    let mut values = finite.clone();
                    values[at] = bad;
                    // What comes later does not matter.
                    values[length - 1] = bad;
                    for set in InstructionSet::available() {
                        let found = set.run(FirstNotFinite { values: &values });
                        assert_eq!(found, Some(at), "{} {length}", set.name());
                    }
                }
            }
        }
    }
}
