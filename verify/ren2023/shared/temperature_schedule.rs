//! How the squared temperature of Stage 2 may grow with the number of directions.

use std::fmt;

use evidence::prelude::*;
use serde::{Deserialize, Serialize};

/// τ² as a function of r.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Instance)]
pub enum Schedule {
    /// 1.
    Constant,
    /// log r.
    Logarithm,
    /// √r.
    Root,
    /// r/2.
    Half,
    /// r.
    Linear,
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Schedule::Constant => "1",
            Schedule::Logarithm => "log r",
            Schedule::Root => "√r",
            Schedule::Half => "r/2",
            Schedule::Linear => "r",
        })
    }
}

impl Schedule {
    pub fn at(self, r: Interval) -> Interval {
        match self {
            Schedule::Constant => Interval::ONE,
            Schedule::Logarithm => r.ln(),
            Schedule::Root => r.sqrt(),
            Schedule::Half => r * 0.5,
            Schedule::Linear => r,
        }
    }

    pub fn is_fixed(self) -> bool {
        self == Schedule::Constant
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schedules_grow_as_their_names_say() {
        let at = |schedule: Schedule| schedule.at(Interval::point(16.0));
        let known = [(Schedule::Constant, 1.0), (Schedule::Root, 4.0), (Schedule::Half, 8.0), (Schedule::Linear, 16.0)];
        for (schedule, value) in known {
            assert!(at(schedule).contains(value) && at(schedule).width() < 1e-12, "τ² = {schedule}");
        }
        assert!(at(Schedule::Logarithm).exp().contains(16.0));
    }
}
