//! How much work a run may spend, counted in trials, evaluations and samples, never in seconds.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The size of a run. The same budget and seed give the same report everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Budget {
    /// A look: enough to refute every control.
    Quick,
    /// What the committed report is made with.
    Standard,
    /// An overnight search.
    Deep,
}

/// Chance of a miss that one sampled trial may use. With at most [`MAX_SAMPLED_TRIALS`] of them, a whole run misses with
/// probability below 1e-6.
pub const TRIAL_ALPHA: f64 = 1.0 / (1u64 << 40) as f64;

/// How many sampled trials a run may hold before its error budget is spent.
pub const MAX_SAMPLED_TRIALS: usize = 1 << 20;

impl Budget {
    /// Instances drawn from each random family.
    #[must_use]
    pub(crate) fn random_trials(self) -> usize {
        match self {
            Budget::Quick => 24,
            Budget::Standard => 128,
            Budget::Deep => 2048,
        }
    }

    /// The budgets up to this one, the smallest first: a search goes through them in turn, so that a larger budget finds whatever a
    /// smaller one finds.
    #[must_use]
    pub fn stages(self) -> &'static [Budget] {
        const ALL: [Budget; 3] = [Budget::Quick, Budget::Standard, Budget::Deep];
        match self {
            Budget::Quick => &ALL[..1],
            Budget::Standard => &ALL[..2],
            Budget::Deep => &ALL,
        }
    }

    /// Work that the adversarial search of one check spends in the stage of this budget: operations on intervals and the like.
    #[must_use]
    pub(crate) fn search_work(self) -> u64 {
        match self {
            Budget::Quick => 150_000,
            Budget::Standard => 2_500_000,
            Budget::Deep => 80_000_000,
        }
    }

    /// Evaluations that the stage makes whatever they cost.
    #[must_use]
    pub fn search_evaluations(self) -> usize {
        match self {
            Budget::Quick => 120,
            Budget::Standard => 500,
            Budget::Deep => 20_000,
        }
    }

    /// Evaluations that the stage makes at most, however little they cost.
    #[must_use]
    pub(crate) fn most_evaluations(self) -> usize {
        match self {
            Budget::Quick => 4_000,
            Budget::Standard => 50_000,
            Budget::Deep => 2_000_000,
        }
    }

    /// The number of samples that stands for `standard` at this budget.
    #[must_use]
    pub fn samples(self, standard: usize) -> usize {
        match self {
            Budget::Quick => (standard / 4).max(1),
            Budget::Standard => standard,
            Budget::Deep => standard.saturating_mul(16),
        }
    }
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Budget::Quick => "quick",
            Budget::Standard => "standard",
            Budget::Deep => "deep",
        })
    }
}

impl FromStr for Budget {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "quick" => Ok(Budget::Quick),
            "standard" => Ok(Budget::Standard),
            "deep" => Ok(Budget::Deep),
            other => Err(format!("unknown budget \"{other}\": use quick, standard or deep")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Budget; 3] = [Budget::Quick, Budget::Standard, Budget::Deep];

    #[test]
    fn a_larger_budget_goes_through_the_smaller_ones_and_spends_more_of_everything() {
        for (at, budget) in ALL.into_iter().enumerate() {
            assert_eq!(budget.stages(), &ALL[..=at]);
            assert!(budget.search_evaluations() < budget.most_evaluations());
        }
        for pair in ALL.windows(2) {
            let (less, more) = (pair[0], pair[1]);
            assert!(less.random_trials() < more.random_trials() && less.search_work() < more.search_work());
            assert!(less.search_evaluations() < more.search_evaluations());
            assert!(less.most_evaluations() < more.most_evaluations());
        }
        assert!(Budget::Quick.random_trials() > 10);
    }

    #[test]
    fn samples_scale_with_the_budget_and_are_never_none() {
        assert_eq!(ALL.map(|b| b.samples(1000)), [250, 1000, 16_000]);
        assert_eq!(ALL.map(|b| b.samples(3)), [1, 3, 48]);
        assert_eq!(Budget::Deep.samples(usize::MAX), usize::MAX);
    }

    #[test]
    fn names_are_read_back_and_others_refused() {
        for budget in ALL {
            assert_eq!(budget.to_string().parse(), Ok(budget));
        }
        let refused = "endless".parse::<Budget>().expect_err("no budget");
        assert!(refused.contains("endless") && refused.contains("quick, standard or deep"), "{refused}");
    }
}
