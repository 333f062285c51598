//! Probabilities of failure e^{−Ω(X)}: for every size of a sweep a number of encoders is drawn, and of each the least
//! constant C is kept for which the statement holds; the share of the draws that need more than a given C is P, with
//! its Clopper-Pearson interval.
//!
//! The statement leaves both constants open. A check names them: P(more than C is needed) ≤ e^{−cX} at every size, a
//! statement with explicit constants that every size can refute. The constants are ours, and near the edge: the doubled
//! rate 2c is refuted by some size of the same sweep.

use enclosures::probability::clopper_pearson;
use enclosures::stream::Stream;
use evidence::prelude::*;
use serde::{Deserialize, Serialize};

use crate::shared::drawn_encoders::{DrawnSizes, SizeSweep, Varied};

/// Sizes, each drawn as many times as the sweep says, and the constant C of the bound that may fail.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "C = {factor}, {sizes}", valid = Self::has_enough_sizes, stored)]
pub struct FailureSweep {
    #[instance(nested)]
    pub sizes: SizeSweep,
    /// C.
    #[instance(range = "0.1..=100", scale = "logarithmic")]
    pub factor: f64,
}

impl FailureSweep {
    fn has_enough_sizes(&self) -> Result<(), String> {
        if self.sizes.values.len() >= 4 && self.sizes.networks <= 100_000 {
            Ok(())
        } else {
            Err("fewer than four sizes, or more than 100000 networks".into())
        }
    }
}

/// A sweep with its constant C and the number of draws of every size.
pub fn failures(varied: Varied, values: &[f64], others: DrawnSizes, factor: f64, runs: u32) -> FailureSweep {
    let sizes = SizeSweep::of(varied, values, others, runs);
    FailureSweep { sizes, factor }
}

/// At least so many draws of every size whatever the budget, if a sweep asks for as many.
const FEWEST_RUNS: usize = 3000;
/// Constants C at which the same draws are judged: that of the sweep, and one that is too small.
const CONSTANTS: usize = 2;

/// The constants that the draws of every size need, and the chance of a miss for the interval of one probability.
pub struct NeededConstants<S = DrawnSizes> {
    sizes: Vec<(S, Vec<f64>)>,
    alpha: f64,
}

impl<S> NeededConstants<S> {
    /// `needs` draws anew for every run and answers the least C for which the statement holds.
    pub fn of(
        sizes: impl IntoIterator<Item = S>,
        runs: u32,
        trial: &mut Trial,
        needs: impl Fn(&S, &mut Stream) -> f64,
    ) -> Self {
        let standard = runs as usize;
        // What took more to tell two exponents apart is not halved twice.
        let runs = trial.samples(standard).max(FEWEST_RUNS.min(standard)).max(standard / 2);
        let mut measured = Vec::new();
        for size in sizes {
            let needed = (0..runs).map(|_| needs(&size, trial.rng())).collect();
            measured.push((size, needed));
        }
        let alpha = trial.alpha(CONSTANTS * measured.len());
        NeededConstants { sizes: measured, alpha }
    }

    /// P(more than C is needed) ≤ e^{−cX} at every size, for the constant `factor` = C and the rate c.
    pub fn fail_at_most(&self, factor: f64, rate: f64, exponent: impl Fn(&S) -> Enclosure) -> Evaluation {
        let at = |(size, needed): &(S, Vec<f64>)| {
            let failed = needed.iter().filter(|&&needs| needs > factor).count() as u64;
            let found = clopper_pearson(failed, needed.len() as u64, self.alpha)?;
            let x = exponent(size);
            let allowed = (-(x * rate)).exp();
            let x = x.midpoint();
            let text = format!(
                "e^(−{rate:.4}·{x:.1}): P in [{:.4}, {:.4}] against {:.4}",
                found.lo(),
                found.hi(),
                allowed.midpoint()
            );
            Ok((format!("P against e^(−{rate:.4}·{x:.3})"), at_most(found, allowed), text))
        };
        let parts = self.sizes.iter().map(at).collect::<Result<Vec<_>, MeasureError>>();
        Evaluation::from(parts.map(|parts| {
            let shown: Vec<String> = parts.iter().map(|part| part.2.clone()).collect();
            all_of(parts.into_iter().map(|(name, part, _)| (name, part))).noting(shown.join("; "))
        }))
    }
}

impl FailureSweep {
    pub fn draw(&self, trial: &mut Trial, needs: impl Fn(&DrawnSizes, &mut Stream) -> f64) -> NeededConstants {
        let sizes = self.sizes.points().into_iter().map(|(_, sizes)| sizes);
        NeededConstants::of(sizes, self.sizes.networks, trial, needs)
    }
}

#[cfg(test)]
mod tests {
    use enclosures::stream::stream;
    use evidence::judge::Judgement;
    use evidence::testing::judged;

    use super::*;
    use evidence::budget::Budget;
    use evidence::claim::Fixtures;

    fn needed(of: impl Fn(&f64, &mut Stream) -> f64) -> NeededConstants<f64> {
        let mut trial = Trial::new(stream(6, &["needed"]), Budget::Standard, Fixtures::at("none"));
        NeededConstants::of([1.0, 2.0, 4.0], 4000, &mut trial, of)
    }

    /// The needed constant is u^{−1/X}, so that more than C is needed with probability C^{−X} = e^{−X log C}.
    #[test]
    fn an_exponential_probability_has_its_rate_and_no_more() {
        let draws = needed(|&x, rng| core_math::pow(uniform(rng), -1.0 / x));
        for factor in [1.5, 2.0] {
            let rate = core_math::log(factor);
            let at = |times: f64| judged(draws.fail_at_most(factor, times * rate, |&x| exact(x)));
            assert_eq!(at(0.75), Judgement::Holds, "C = {factor}");
            assert_eq!(at(1.35), Judgement::Violated, "C = {factor}");
        }
    }

    /// A draw that needs exactly C does not fail at C.
    #[test]
    fn a_draw_fails_where_more_than_the_constant_is_needed() {
        let draws = needed(|_, _| 3.0);
        let at = |factor: f64| judged(draws.fail_at_most(factor, 1.0, |&x| exact(x)));
        assert_eq!(at(3.0), Judgement::Holds);
        assert_eq!(at(3.0_f64.next_down()), Judgement::Violated);
    }
}
