//! A diagonal start with equal norms in both views, and a value of the clock θ, dθ = (2c_K/N²)dt, of the flow of positive pairs.

use evidence::instance::Instance;
use serde::{Deserialize, Serialize};

use super::diagonal_points::DiagonalPoint;

/// A start and a time. Differences between the norms of the two views are ignored.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "θ = {theta} from {start}", simpler = Self::with_simpler_starts, stored)]
pub struct Course {
    pub start: DiagonalPoint,
    #[instance(range = "0..=1e6")]
    pub theta: f64,
}

impl Course {
    fn with_simpler_starts(&self) -> Vec<Self> {
        let of = |start: DiagonalPoint| Course { start, theta: self.theta };
        self.start.simpler().into_iter().map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::diagonal_points::point;

    #[test]
    fn a_simpler_course_has_a_smaller_start_and_the_same_time() {
        let start = point(&[[1.0, 1.0, 0.5, 0.0], [2.0, 0.5, 0.9, 0.0]], Some((0.5, 0.25, 0.0, 3)));
        let course = Course { start, theta: 1.5 };
        let simpler = course.simpler();
        assert_eq!(simpler.len(), 3, "without the noise, and without either direction");
        for less in simpler {
            assert_eq!((less.validate(), less.theta), (Ok(()), 1.5));
            let size = |c: &Course| c.start.directions.len() + usize::from(c.start.noise.is_some());
            assert_eq!(size(&less), 2);
        }
        assert!(Course { theta: -1.0, ..course }.validate().is_err(), "time starts at 0");
    }
}
