//! How far the inputs of a data set lie apart, and whether they are normalised.

use super::NetworkError;
use super::error::{all_finite, whole_rows};
use enclosures::interval::{self, Interval};

/// Which pairs of inputs Assumption 1 of Merad et al. (2020) speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pairs {
    /// All pairs of positions in the list: an input that stands in two places is at distance 0 from itself.
    Indexed,
    /// All pairs of distinct points: the inputs form a set, and an input may stand in several places.
    Distinct,
}

/// Norms and smallest distances of a list of inputs, enclosed.
///
/// Source: Merad, Yu, Bacry and Gaiffas (2020), Assumption 1: `|x| = 1` and `|x - x'| >= delta` for all inputs.
///
/// ```
/// use contrapositive_contrastive::network::{Pairs, Separation};
/// let inputs = Separation::of(&[1.0, 0.0, 0.0, 1.0, 1.0, 0.0], 2)?;
/// assert_eq!(inputs.satisfies(Pairs::Distinct, 1.4, 1e-12), Some(true));
/// assert_eq!(inputs.satisfies(Pairs::Indexed, 1.4, 1e-12), Some(false));
/// # Ok::<(), contrapositive_contrastive::network::NetworkError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Separation {
    norms: Interval,
    indexed: Option<Interval>,
    distinct: Option<Interval>,
}

impl Separation {
    /// Of `points`, at least one row of `dimension` coordinates.
    ///
    /// # Errors
    /// [`NetworkError::Ragged`] if the last row is incomplete or there is none, [`NetworkError::NotFinite`].
    pub fn of(points: &[f64], dimension: usize) -> Result<Self, NetworkError> {
        whole_rows("inputs", points, dimension)?;
        all_finite("inputs", points)?;
        let rows: Vec<&[f64]> = points.chunks_exact(dimension).collect();
        let norm = |x: &&[f64]| interval::dot(x, x).max(Interval::ZERO).sqrt();
        let norms = rows.iter().map(norm).reduce(Interval::hull).unwrap_or(Interval::ZERO);
        let (mut indexed, mut distinct) = (None, None);
        for (i, x) in rows.iter().enumerate() {
            for y in &rows[..i] {
                let apart = distance(x, y);
                keep_smaller(&mut indexed, apart);
                if x != y {
                    keep_smaller(&mut distinct, apart);
                }
            }
        }
        Ok(Separation { norms, indexed, distinct })
    }

    /// From the smallest to the largest norm.
    pub fn norms(&self) -> Interval {
        self.norms
    }

    /// The largest admissible `delta`, the smallest distance over the pairs; none if there is no pair.
    pub fn smallest_distance(&self, pairs: Pairs) -> Option<Interval> {
        match pairs {
            Pairs::Indexed => self.indexed,
            Pairs::Distinct => self.distinct,
        }
    }

    /// Whether all norms are within `tolerance` of 1.
    pub fn is_normalised(&self, tolerance: f64) -> bool {
        self.norms.lo() >= 1.0 - tolerance && self.norms.hi() <= 1.0 + tolerance
    }

    /// Whether the assumption holds with this `delta > 0`, norms being compared up to `tolerance`. None if the smallest
    /// distance agrees with `delta` to all digits, so that double precision cannot tell.
    pub fn satisfies(&self, pairs: Pairs, delta: f64, tolerance: f64) -> Option<bool> {
        if !(self.is_normalised(tolerance) && delta > 0.0) {
            return Some(false);
        }
        match self.smallest_distance(pairs) {
            Some(apart) if apart.hi() < delta => Some(false),
            Some(apart) if apart.lo() < delta => None,
            _ => Some(true),
        }
    }
}

fn distance(x: &[f64], y: &[f64]) -> Interval {
    let squares = x.iter().zip(y).map(|(&x, &y)| (Interval::point(x) - y).square());
    interval::sum(&squares.collect::<Vec<_>>()).max(Interval::ZERO).sqrt()
}

fn keep_smaller(least: &mut Option<Interval>, candidate: Interval) {
    *least = Some(least.map_or(candidate, |l| l.min(candidate)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_input_separates_the_readings() {
        let inputs = Separation::of(&[1.0, 0.0, 0.6, 0.8, 1.0, 0.0, 0.0, -1.0], 2).unwrap();
        assert_eq!(inputs.smallest_distance(Pairs::Indexed), Some(Interval::ZERO));
        let apart = inputs.smallest_distance(Pairs::Distinct).unwrap();
        assert!(apart.contains(0.8f64.sqrt()) && apart.width() < 1e-15);
        assert_eq!(inputs.satisfies(Pairs::Indexed, 1e-9, 1e-12), Some(false));
        assert_eq!(inputs.satisfies(Pairs::Distinct, 0.89, 1e-12), Some(true));
        assert_eq!(inputs.satisfies(Pairs::Distinct, 0.9, 1e-12), Some(false));
        assert_eq!(inputs.satisfies(Pairs::Distinct, 0.0, 1e-12), Some(false));
    }

    #[test]
    fn the_norm_tolerance_is_as_stated() {
        let of = |norm: f64| Separation::of(&[norm, 0.0, 0.0, -1.0], 2).unwrap();
        assert!(of(1.0 + 5e-13).is_normalised(1e-12) && !of(1.001).is_normalised(1e-12));
        assert_eq!(of(0.999).satisfies(Pairs::Indexed, 0.5, 1e-12), Some(false));
        assert_eq!(of(0.0).norms().lo(), 0.0);
    }

    #[test]
    fn degenerate_lists() {
        let one = Separation::of(&[0.0, 1.0], 2).unwrap();
        assert_eq!(
            (one.smallest_distance(Pairs::Indexed), one.satisfies(Pairs::Indexed, 2.0, 0.0)),
            (None, Some(true))
        );
        let touching = Separation::of(&[1.0, 0.0, 0.0, 1.0], 2).unwrap();
        assert_eq!(touching.satisfies(Pairs::Indexed, std::f64::consts::SQRT_2, 1e-12), None);
        // Zeros of both signs are one point.
        let zeros = Separation::of(&[1.0, 0.0, 1.0, -0.0], 2).unwrap();
        assert_eq!(zeros.smallest_distance(Pairs::Distinct), None);
        assert!(matches!(Separation::of(&[1.0, 0.0, 1.0], 2), Err(NetworkError::Ragged { .. })));
        assert!(matches!(Separation::of(&[], 2), Err(NetworkError::Ragged { .. })));
        assert!(matches!(Separation::of(&[1.0], 0), Err(NetworkError::Ragged { .. })));
        assert!(matches!(Separation::of(&[f64::NAN], 1), Err(NetworkError::NotFinite { .. })));
    }
}
