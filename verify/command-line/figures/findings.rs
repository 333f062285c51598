//! What the trainings show: curves, averages, and how often an inequality held.

use contrastive::drawn_probability;
use enclosures::enclosure::{Enclosure, exact};
use enclosures::interval::Interval;
use enclosures::probability::Coverage;

use super::super::status::Trouble;
use super::training::Look;

/// One moment of one training, as numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    pub step: u32,
    pub trained_loss: f64,
    pub one_negative: f64,
    pub mean_classifier: f64,
    /// The ends between which the loss of the best linear head lies, and L_sup^μ of the same images.
    pub best_head: [f64; 3],
    pub smallest: f64,
    pub largest: f64,
}

/// All trainings with one number of negatives.
pub struct Trainings {
    pub negatives: u32,
    /// The runs, each with the same moments.
    pub runs: Vec<Vec<Moment>>,
    /// p_cc(N): all classes are among N negatives.
    pub covered: f64,
    /// 1 - (1 - p_min)^N.
    pub drawn: f64,
    pub classes: usize,
}

/// An upper bound on L_sup^μ at one moment, or the printed words without one of their factors.
pub struct Bound {
    pub name: &'static str,
    /// Whether it is a theorem.
    pub proved: bool,
    pub value: fn(&Trainings, &Moment) -> f64,
}

/// log N_C, L_un and the factors: of all that is compared with L_sup^μ.
pub const BOUNDS: [Bound; 6] = [
    Bound {
        name: "Lemma 1 as printed: L_un/p_min + log N_C",
        proved: true,
        value: |t, m| m.one_negative * t.classes as f64 + t.chance(),
    },
    Bound {
        name: "Lemma 1 without log N_C: L_un/p_min",
        proved: true,
        value: |t, m| m.one_negative * t.classes as f64,
    },
    Bound {
        name: "less the collisions: (L_un − τ log 2)/p_min",
        proved: true,
        // τ = 1/N_C for equally likely classes and one negative.
        value: |t, m| m.one_negative * t.classes as f64 - core::f64::consts::LN_2,
    },
    Bound {
        name: "Lemma 2: L_un^N/p_cc(N)",
        proved: true,
        value: |t, m| {
            if t.covered > 0.0 { m.trained_loss / t.covered } else { f64::INFINITY }
        },
    },
    Bound {
        name: "the sharp factor: L_un^N/(1 − (1 − p_min)^N)",
        proved: true,
        value: |t, m| m.trained_loss / t.drawn,
    },
    Bound { name: "no factor, as in Figure 2: L_un^N", proved: false, value: |_, m| m.trained_loss },
];

impl Moment {
    fn of(look: &Look) -> Result<Self, Trouble> {
        let number = |decimals: &String| {
            let read = decimals.parse::<f64>();
            read.map_err(|_| Trouble::Unusable(format!("{decimals:?} was kept of a training, and is no number")))
        };
        Ok(Moment {
            step: look.step,
            trained_loss: number(&look.trained_loss)?,
            one_negative: number(&look.one_negative)?,
            mean_classifier: number(&look.mean_classifier)?,
            best_head: {
                let [from, to, there] = &look.best_head;
                [number(from)?, number(to)?, number(there)?]
            },
            smallest: number(&look.smallest)?,
            largest: number(&look.largest)?,
        })
    }
}

impl Trainings {
    /// Numbers from what was written down.
    ///
    /// # Errors
    /// The coverage of so many classes cannot be had.
    pub fn of(negatives: u32, classes: usize, looks: &[Vec<Look>]) -> Result<Self, Trouble> {
        let coverage = Coverage::of_weights(&vec![1.0; classes], u64::from(negatives))
            .map_err(|e| Trouble::Unusable(e.to_string()))?;
        let share = Interval::point(1.0) / Interval::point(classes as f64);
        let moments = |run: &Vec<Look>| run.iter().map(Moment::of).collect();
        let runs = looks.iter().map(moments).collect::<Result<_, Trouble>>()?;
        Ok(Trainings {
            negatives,
            runs,
            covered: Enclosure::from(coverage.covered).midpoint(),
            drawn: Enclosure::from(drawn_probability(share, u64::from(negatives))).midpoint(),
            classes,
        })
    }

    /// log N_C, what a head of zeros costs: a bound above it says nothing.
    pub fn chance(&self) -> f64 {
        Enclosure::from(self.classes).ln().midpoint()
    }

    /// The updates at which was looked.
    pub fn steps(&self) -> Vec<u32> {
        self.runs.first().map_or(Vec::new(), |run| run.iter().map(|m| m.step).collect())
    }

    /// The average over the runs at every moment.
    pub fn mean(&self, of: impl Fn(&Moment) -> f64) -> Vec<f64> {
        let at = |index: usize| self.runs.iter().map(|run| of(&run[index])).sum::<f64>() / self.runs.len() as f64;
        (0..self.steps().len()).map(at).collect()
    }

    /// At how many of how many logged steps of all runs a comparison held.
    pub fn held(&self, compare: impl Fn(&Moment) -> bool) -> (usize, usize) {
        let all = self.runs.iter().flatten();
        (all.clone().filter(|m| compare(m)).count(), all.count())
    }

    /// Kendall's rank correlation of the two losses over the logged steps, averaged over the runs.
    pub fn rank_correlation(&self) -> f64 {
        let sign = |x: f64| if x > 0.0 { 1.0 } else { f64::from(-i8::from(x < 0.0)) };
        let of = |run: &Vec<Moment>| {
            let pairs = (0..run.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
            let agreements: Vec<f64> = pairs
                .map(|(i, j)| {
                    sign(run[i].trained_loss - run[j].trained_loss)
                        * sign(run[i].mean_classifier - run[j].mean_classifier)
                })
                .collect();
            agreements.iter().sum::<f64>() / agreements.len().max(1) as f64
        };
        self.runs.iter().map(of).sum::<f64>() / self.runs.len() as f64
    }

    /// The first logged step from which on a bound is below log N_C in every run, and stays so.
    pub fn informative_from(&self, bound: &Bound) -> Option<u32> {
        let informs = |index: &usize| self.runs.iter().all(|run| (bound.value)(self, &run[*index]) < self.chance());
        let steps = self.steps();
        (0..steps.len()).rev().take_while(informs).last().map(|index| steps[index])
    }

    /// The last logged step up to which the norms of all runs are short; none if some are long from the start.
    pub fn short_until(&self) -> Option<u32> {
        let steps = self.steps();
        let are_short = |index: &usize| self.runs.iter().all(|run| self.is_short(&run[*index]));
        (0..steps.len()).take_while(are_short).last().map(|index| steps[index])
    }

    /// Whether N_C e^{C⁴/2} ≤ N + e^{−2C²} for the largest norm C: then L_sup^μ ≤ L_un^N is proved for these embeddings.
    pub fn is_short(&self, moment: &Moment) -> bool {
        let square = exact(moment.largest).square();
        let left = Enclosure::from(self.classes) * (0.5 * square.square()).exp();
        left.hi() <= (Enclosure::from(self.negatives) + (-2.0 * square).exp()).lo()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(step: u32, trained: &str, mean: &str, largest: &str) -> Look {
        let words = |w: &str| w.to_owned();
        Look {
            step,
            trained_loss: words(trained),
            one_negative: words("0.5"),
            mean_classifier: words(mean),
            best_head: [words("0.25"), words("0.3"), words("1.25")],
            smallest: words("0.1"),
            largest: words(largest),
        }
    }

    fn trainings() -> Trainings {
        let first = vec![look(0, "2.5", "2.3", "0.2"), look(1, "2", "1", "1"), look(2, "1", "1.5", "9")];
        let second = vec![look(0, "3", "2.1", "0.2"), look(1, "2", "2.05", "1"), look(2, "1", "0.5", "1.3")];
        Trainings::of(35, 10, &[first, second]).unwrap()
    }

    #[test]
    fn averages_counts_and_correlations() {
        let found = trainings();
        assert_eq!(found.steps(), [0, 1, 2]);
        assert_eq!(found.mean(|m| m.trained_loss), [2.75, 2.0, 1.0]);
        assert_eq!(found.held(|m| m.mean_classifier <= m.trained_loss), (4, 6));
        // Three pairs agree in the second run, two of three in the first.
        assert!((found.rank_correlation() - (1.0 / 3.0 + 1.0) / 2.0).abs() < 1e-15);
    }

    #[test]
    fn a_bound_informs_from_the_step_after_which_it_stays_below_chance() {
        let found = trainings();
        let bare = &BOUNDS[5];
        assert!(!bare.proved);
        assert_eq!(found.informative_from(bare), Some(1));
        // 5 is never below log 10.
        assert_eq!(found.informative_from(&BOUNDS[1]), None);
        // 1/(1 - 0.9^35) = 1.0257.
        let sharp = (BOUNDS[4].value)(&found, &found.runs[0][1]);
        assert!((sharp - 2.0 / (1.0 - 0.025_031_555)).abs() < 1e-6, "{sharp}");
    }

    #[test]
    fn short_norms_are_those_of_the_proof() {
        // 10 e^(1/2) = 16.5 < 35, and 10 e^(1.3^4/2) = 41.7 > 35.1.
        let found = trainings();
        let short: Vec<bool> = found.runs[1].iter().map(|m| found.is_short(m)).collect();
        assert_eq!(short, [true, true, false]);
        assert_eq!(found.short_until(), Some(1));
        let long = Trainings::of(1, 10, &[vec![look(0, "1", "1", "0.9"), look(1, "1", "1", "0.01")]]).unwrap();
        assert_eq!(long.short_until(), None);
    }

    #[test]
    fn what_is_no_number_is_refused() {
        assert!(Trainings::of(1, 10, &[vec![look(0, "2.5", "much", "1")]]).is_err());
    }
}
