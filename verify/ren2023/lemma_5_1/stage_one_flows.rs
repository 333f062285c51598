//! Stage 1 from an infinite-width start, followed in closed form and by a solver, and what statements on its pairs of
//! groups and on its time are made of.

use enclosures::initial_value::Solution;
use evidence::prelude::*;
use two_view::PositivePairsState;

use super::clock_solution::{closed, solved};
use crate::shared::equal_norms::EqualNorms;

/// An infinite-width start followed to its clock, to a quarter more, and to the end.
pub struct FollowedFlow {
    pub at: PositivePairsState,
    pub later: PositivePairsState,
    pub limit: Vec<Interval>,
    /// ‖W_A‖_F².
    pub weight: Interval,
    largest_normaliser: Interval,
    /// ∫N² dθ = 2c_K t.
    distance: Interval,
    /// The equations in the clock solved with error control, and the same with every rate halved.
    pub solved: [Option<Solution>; 2],
}

pub fn follow(s: &EqualNorms) -> Result<FollowedFlow, MeasureError> {
    let flow = s.flow()?;
    Ok(FollowedFlow {
        at: flow.at(s.clock)?,
        later: flow.at(1.25 * s.clock)?,
        limit: flow.limit().ok_or("a correlation is −1")?,
        weight: flow.squared_weight_norm(),
        largest_normaliser: s.largest_normaliser(&flow),
        distance: s.distance(&flow, 48)?,
        solved: [solved(s, 1.0)?, solved(s, 0.5)?],
    })
}

/// What an explicit method does not follow: see the longest clock of the solver.
pub const TOO_LONG: &str = "σ_max²θ > 500";

impl FollowedFlow {
    /// No number of the closed form is further from the solver's than the tolerance that was achieved.
    pub fn agrees(&self, solved: &Option<Solution>) -> Evaluation {
        match solved {
            Some(found) => {
                let wrong = found.disagreements(0, &closed(&self.at, self.distance));
                at_most(Enclosure::measured(wrong as f64), 0).noting(format!("achieved {:e}", found.achieved_power()))
            }
            None => vacuous(TOO_LONG),
        }
    }
}

/// A statement about log(κ_p²/κ_s²) of every two groups p, s with σ_p ≥ σ_s, judged by the worst.
pub fn for_ordered_groups(s: &EqualNorms, judge: impl Fn(usize, usize) -> Evaluation) -> Evaluation {
    let n = s.signals.len();
    let ordered = |&(p, o): &(usize, usize)| p != o && s.signals[p].sigma_squared >= s.signals[o].sigma_squared;
    let all = pairs(0..n, 0..n).filter(ordered);
    for_each_index("groups", all, |(p, s)| judge(p, s))
}

/// The same of every two groups, whichever is stronger.
pub fn for_any_groups(s: &EqualNorms, judge: impl Fn(usize, usize) -> Evaluation) -> Evaluation {
    let n = s.signals.len();
    let all = pairs(0..n, 0..n).filter(|(p, o)| p != o);
    for_each_index("groups", all, |(p, s)| judge(p, s))
}

pub fn sigma_ratio(s: &EqualNorms, p: usize, o: usize) -> Interval {
    Interval::point(s.signals[p].sigma_squared) / s.signals[o].sigma_squared
}

/// log(2/δ) with δ := 1 − min ρ at the clock, where (1+ρ_p)/(1−ρ_p) is e^{2σ_p²θ} times its start; none if every ρ_p is 1.
fn log_two_over_gap(s: &EqualNorms) -> Option<Interval> {
    let groups = s.signals.iter().filter(|g| g.correlation < 1.0);
    let logs = groups.map(|g| {
        let start = (1.0 + Interval::point(g.correlation)) / (1.0 - Interval::point(g.correlation));
        (2.0 * g.sigma_squared * Interval::point(s.clock) + start.ln()).softplus()
    });
    logs.reduce(Interval::min)
}

/// (e1) with δ := 1 − min ρ at the clock, and the strength that sets the time: ∫N² dθ ≤ N_max²/(2σ²) log(2/δ).
pub fn in_time(s: &EqualNorms, f: &FollowedFlow, strength: f64) -> Evaluation {
    match log_two_over_gap(s) {
        Some(log) => at_most(f.distance, f.largest_normaliser * log / (2.0 * strength)),
        None => Evaluation::Failed("every ρ_p is 1".into()),
    }
}
