//! The modes of a linear flow from fixed projections, and the ranks that it reaches.

use enclosures::linear_algebra::{IntervalMatrix, MatrixError, SingularValues, rank_by_elimination};
use enclosures::vectors::largest_magnitude;
use evidence::prelude::*;

use super::projected_starts::Projected;

/// Where there is no limit whose rank could be told.
pub const NO_LIMIT: &str = "Y(t) has no limit";

/// Where there is no limit direction whose rank could be told.
pub const NO_DIRECTION: &str = "Y = 0, or the enclosures of the largest rate and of a smaller one overlap";

pub fn rank(matrix: &IntervalMatrix) -> Enclosure {
    rank_by_elimination(matrix).enclosed()
}

/// An entry of Y(0) that is not zero, and its growth rate −2a_i²λ_j (up to the factor two), with its two factors.
pub struct Mode {
    place: (usize, usize),
    pub rate: Interval,
    factors: (f64, f64),
}

impl Mode {
    /// Whether both rates are the same number for certain.
    fn ties(&self, other: &Mode) -> bool {
        let exact = |r: Interval| r.lo() == r.hi();
        self.factors == other.factors || (exact(self.rate) && self.rate == other.rate)
    }
}

pub fn modes(p: &Projected) -> Result<Vec<Mode>, MatrixError> {
    let (weights, outputs) = (p.weights().unwrap_or_default(), p.outputs()?);
    let places = pairs(0..outputs.rows(), 0..outputs.columns());
    let mut found = Vec::new();
    for (i, j) in places {
        if outputs.get(i, j) != Some(Interval::ZERO) && i < weights.len() {
            found.push(Mode {
                place: (i, j),
                rate: Interval::point(weights[i]) * (-p.spectrum[j]),
                factors: (weights[i], p.spectrum[j]),
            });
        }
    }
    Ok(found)
}

/// Y(0) on some of its modes.
fn on_modes(p: &Projected, kept: impl Fn(&Mode) -> bool) -> Result<IntervalMatrix, MatrixError> {
    let (outputs, modes) = (p.outputs()?, modes(p)?);
    IntervalMatrix::from_fn(outputs.rows(), outputs.columns(), |i, j| {
        let survives = modes.iter().any(|m| m.place == (i, j) && kept(m));
        if survives { outputs.at(i, j) } else { Interval::ZERO }
    })
}

/// The modes with the largest growth rate; none if rates that are not exactly equal cannot be told apart.
fn leading_modes(p: &Projected) -> Result<Vec<Mode>, MatrixError> {
    let mut all = modes(p)?;
    all.sort_by(|a, b| b.rate.hi().total_cmp(&a.rate.hi()));
    let decided = all.first().is_some_and(|top| all.iter().all(|m| m.ties(top) || m.rate.hi() < top.rate.lo()));
    if !decided {
        return Ok(Vec::new());
    }
    let count = all.iter().take_while(|m| m.ties(&all[0])).count();
    all.truncate(count);
    Ok(all)
}

/// Rank of lim Y(t), where that exists: what stands on the rate zero, if no rate is positive.
pub fn limit_rank(p: &Projected) -> Result<Evaluation, MatrixError> {
    if modes(p)?.iter().any(|m| m.rate.hi() > 0.0) {
        return Ok(vacuous(NO_LIMIT));
    }
    Ok(at_most(rank(&on_modes(p, |m| m.rate == Interval::ZERO)?), 1))
}

/// Rank of lim Y(t)/‖Y(t)‖.
pub fn direction_rank(p: &Projected) -> Result<Evaluation, MatrixError> {
    let leading = leading_modes(p)?;
    Ok(match leading.first() {
        Some(top) => at_most(rank(&on_modes(p, |m| m.ties(top))?), 1),
        None => vacuous(NO_DIRECTION),
    })
}

/// The number of modes with the largest rate.
pub fn leaders(p: &Projected) -> usize {
    leading_modes(p).map_or(0, |all| all.len())
}

/// The rank at a later time, a rational one, against the rank at the start.
pub fn rank_stays(p: &Projected) -> Result<Evaluation, MatrixError> {
    let largest = largest_magnitude(&p.spectrum).max(1.0) * p.gram()?.infinity_norm().hi().max(1.0);
    let later = p.outputs_at(0.25 / largest)?;
    let bounds = SingularValues::of(&later)?.rank_bounds().and(rank_by_elimination(&later));
    let now = bounds.enclosed();
    Ok(at_least(now, rank(&p.outputs()?)))
}
