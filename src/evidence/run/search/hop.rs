//! From valley to valley: a jump, a short descent, and back if it was not worth it (basin hopping, Wales and Doye 1997).

use rand::RngExt;

use super::encoding::Encoding;
use super::problem::{SearchProblem, Stop};
use super::{axes, quasi_newton};
use enclosures::probability::standard_normal;
use enclosures::stream::Stream;

/// Hops from `start` until the share is used up; descents along the axes where `smooth` is false.
pub(super) fn hop(
    problem: &mut SearchProblem<'_, '_>,
    encoding: &Encoding,
    start: &[f64],
    smooth: bool,
    rng: &mut Stream,
) -> Result<(), Stop> {
    let n = encoding.dimension();
    let mut at = encoding.encode(start);
    let mut value = encoding.value(problem, &at)?;
    loop {
        // Long and short jumps alike, of one number, of some, of all.
        let length = core_math::exp10(0.5 - 2.0 * rng.random::<f64>());
        let share = rng.random::<f64>() * rng.random::<f64>();
        let sure = rng.random_range(0..n);
        let mut jumped = at.clone();
        for (index, u) in jumped.iter_mut().enumerate() {
            if index == sure || rng.random::<f64>() < share {
                *u += length * standard_normal(rng);
            }
        }
        let from = problem.restored(&encoding.decode(&jumped));
        let seen = problem.apart(30 + 16 * n, |problem| {
            if smooth {
                quasi_newton::descend(problem, encoding, &from, 1e-3)
            } else {
                axes::descend(problem, encoding, &from, 0.1 * length)
            }
        })?;
        if let Some((lower, point)) = seen
            && lower <= value
        {
            (value, at) = (lower, encoding.encode(&point));
        }
    }
}
