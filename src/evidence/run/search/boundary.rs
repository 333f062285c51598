//! Along the boundary of the hypotheses: every direction from a point well inside stands for the point where they end, so that a smooth
//! boundary is searched like a space of its own.

use super::encoding::Encoding;
use super::problem::{SearchProblem, Stop};
use super::quasi_newton;

/// Of so many starts the mean is taken for a point well inside.
const STARTS: usize = 16;

/// Descends along the boundary from where the way to `start` meets it, if it meets one.
pub(super) fn descend(problem: &mut SearchProblem<'_, '_>, start: &[f64]) -> Result<(), Stop> {
    let starts: Vec<&Vec<f64>> = problem.space.starts.iter().take(STARTS).map(|(_, x)| x).collect();
    let mean = (0..start.len()).map(|i| starts.iter().map(|x| x[i]).sum::<f64>() / starts.len() as f64);
    let centre = problem.restored(&mean.collect::<Vec<f64>>());
    if centre == start || !problem.admits(&centre) || problem.drawn_out(&centre, start).is_none() {
        return Ok(());
    }
    let encoding = Encoding::radial(problem.space, &centre);
    quasi_newton::descend(problem, &encoding, start, 1e-4)
}
