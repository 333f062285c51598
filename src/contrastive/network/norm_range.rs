//! The smallest and the largest norm of the outputs along a training.

use super::NetworkError;
use super::error::{all_finite, whole_rows};
use enclosures::interval::{self, Interval};

/// Running minimum and maximum of `|f(x)|` over all inputs and all steps recorded so far, enclosed.
///
/// Source: Merad, Yu, Bacry and Gaiffas (2020), Assumption 2: there are `0 < eta < C` with `eta < |f(x)| < C` for every
/// input at every step. Whether `eta` and `C` are fixed before training ([`NormRange::lies_within`]) or may depend on
/// the run ([`NormRange::is_bounded_away`]) is not said there.
///
/// ```
/// use contrapositive_contrastive::network::NormRange;
/// let mut range = NormRange::default();
/// range.record(&[3.0, 4.0, 0.0, 1.0], 2)?;
/// range.record(&[6.0, 8.0, 0.0, 2.0], 2)?;
/// assert_eq!((range.smallest().unwrap().lo(), range.largest().unwrap().hi()), (1.0, 10.0));
/// assert_eq!(range.lies_within(0.9, 10.1), Some(true));
/// assert_eq!(range.lies_within(1.0, 10.1), Some(false));
/// # Ok::<(), contrapositive_contrastive::network::NetworkError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NormRange {
    ends: Option<(Interval, Interval)>,
    steps: usize,
}

impl NormRange {
    /// Adds the outputs of one step, at least one row of `dimension` coordinates.
    ///
    /// # Errors
    /// [`NetworkError::Ragged`] if the last row is incomplete or there is none, [`NetworkError::NotFinite`]; the range
    /// is then what it was before.
    pub fn record(&mut self, outputs: &[f64], dimension: usize) -> Result<(), NetworkError> {
        whole_rows("outputs", outputs, dimension)?;
        all_finite("outputs", outputs)?;
        for row in outputs.chunks_exact(dimension) {
            let norm = interval::dot(row, row).max(Interval::ZERO).sqrt();
            let (least, most) = self.ends.unwrap_or((norm, norm));
            self.ends = Some((least.min(norm), most.max(norm)));
        }
        self.steps += 1;
        Ok(())
    }

    /// Number of steps recorded.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// The smallest norm; none before the first step.
    pub fn smallest(&self) -> Option<Interval> {
        self.ends.map(|(least, _)| least)
    }

    /// The largest norm; none before the first step.
    pub fn largest(&self) -> Option<Interval> {
        self.ends.map(|(_, most)| most)
    }

    /// Whether all norms recorded lie strictly between `floor` and `cap`, `0 < floor < cap`; so they do before the
    /// first step. None if an end agrees with its bound to all digits but exactly is not known.
    pub fn lies_within(&self, floor: f64, cap: f64) -> Option<bool> {
        if !(floor > 0.0 && floor < cap && cap.is_finite()) {
            return Some(false);
        }
        let Some((least, most)) = self.ends else {
            return Some(true);
        };
        if least.lo() > floor && most.hi() < cap {
            Some(true)
        } else if least.hi() <= floor || most.lo() >= cap {
            Some(false)
        } else {
            None
        }
    }

    /// Whether some `0 < floor < cap` exist with all norms recorded strictly between them: no output vanishes. None if
    /// an output is too small to tell.
    pub fn is_bounded_away(&self) -> Option<bool> {
        match self.ends {
            Some((least, _)) if least.hi() <= 0.0 => Some(false),
            Some((least, most)) if least.lo() <= 0.0 || !most.is_finite() => None,
            _ => Some(true),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_range_is_that_of_all_steps_and_its_ends_are_excluded() {
        let mut range = NormRange::default();
        assert_eq!((range.lies_within(1.0, 2.0), range.is_bounded_away()), (Some(true), Some(true)));
        for step in [[3.0, 4.0], [0.0, 1.0], [1.0, 0.0]] {
            range.record(&step, 2).unwrap();
        }
        assert_eq!(range.steps(), 3);
        assert_eq!(range.lies_within(0.99, 5.01), Some(true));
        for (floor, cap) in [(1.0, 6.0), (0.5, 5.0), (1.1, 6.0), (0.0, 6.0), (2.0, 1.0), (0.5, f64::INFINITY)] {
            assert_eq!(range.lies_within(floor, cap), Some(false), "{floor} {cap}");
        }
        assert_eq!(range.is_bounded_away(), Some(true));
        range.record(&[0.0, 0.0], 2).unwrap();
        assert_eq!((range.is_bounded_away(), range.lies_within(1e-300, 6.0)), (Some(false), Some(false)));
    }

    #[test]
    fn what_is_refused_leaves_the_range_alone() {
        let mut range = NormRange::default();
        assert!(matches!(range.record(&[1.0, 2.0, 3.0], 2), Err(NetworkError::Ragged { .. })));
        assert!(matches!(range.record(&[1.0, f64::INFINITY], 2), Err(NetworkError::NotFinite { .. })));
        assert_eq!(range, NormRange::default());
        // The square underflows: the norm cannot be told from zero.
        range.record(&[1e-200, 0.0], 2).unwrap();
        assert_ne!(range.is_bounded_away(), Some(false));
    }
}
