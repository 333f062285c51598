//! Gradient descent on the contrastive loss of fixed triplets in the limit m → ∞, where it is a descent of the 3n
//! outputs along the tangent kernel: z ← z − κδ/(n(L+1)) K ∇L̂_un(z), from Gaussian outputs.
//!
//! How it depends on δ can be read off for one triplet with x orthogonal to x⁺ and x⁻. Put w = z_3 − z_2, a = z_1·w, s
//! = σ(a), K_11 for the kernel of x and k = K_22 + K_33 − 2K_23, which is of order δ (the share of units that tell x⁺
//! from x⁻). The other entries cancel, and in continuous time z_1' = −sK_11 w, w' = −sk z_1. So √k z_1 − √K_11 w grows
//! at the rate s√(kK_11) while √k z_1 + √K_11 w falls at the same rate, and 4√(kK_11) a is the difference of their
//! squares: a passes a given negative level once the first has grown from order √k to order k^{1/4}, after a time of
//! order log(1/k)/√k. With a step proportional to δ these are **T of order δ^{−3/2} log(1/δ)** updates. At a fixed
//! width k falls like δ² as soon as δ is small against 1/m, and the same count gives δ^{−2} log(1/δ).

use contrastive::network::{TangentKernel, contrastive_loss};
use enclosures::stream::stream;
use enclosures::vectors::norm;
use evidence::claim::MeasureError;

use super::training_record::Goal;
use super::training_run::TrainingRun;

/// The most updates.
const MOST: usize = 2_000_000;

/// For so many starts the first step (counted from 1) at which the goal is at most ε. The width of the run is not used.
///
/// # Errors
/// ε is not reached, or the inputs are refused.
pub fn updates_in_the_limit(
    run: &TrainingRun,
    goal: Goal,
    accuracy: f64,
    starts: usize,
) -> Result<Vec<usize>, MeasureError> {
    let (points, dimension) = run.inputs();
    let limit = TangentKernel::of_unit_inputs(&points, dimension, run.depth, run.trained)?;
    // ν m/d.
    let rate = run.rate()? * run.width as f64 / run.output as f64;
    let one = |start: usize| {
        let mut rng = stream(run.seed + start as u64, &["outputs of infinite width"]);
        let mut outputs = limit.first_outputs(run.output, &mut rng);
        for step in 1..=MOST {
            let mean = contrastive_loss(&outputs, run.output, 1)?;
            let n = run.triplets as f64;
            let slopes: Vec<f64> = mean.gradient.into_iter().map(|g| n * g).collect();
            let size = match goal {
                Goal::Loss => n * mean.value,
                Goal::Gradient => norm(&slopes),
            };
            if size <= accuracy {
                return Ok(step);
            }
            let moved = limit.apply(&slopes)?;
            outputs.iter_mut().zip(moved).for_each(|(z, by)| *z -= rate * by);
        }
        Err(format!("ε = {accuracy} not reached in {MOST} updates for m → ∞").into())
    };
    (0..starts).map(one).collect()
}

#[cfg(test)]
mod tests {
    use enclosures::enclosure::exact;
    use enclosures::vectors::sum_of_products;

    use super::super::training_run::Data;
    use super::*;

    /// For one triplet the flow is z_1' = −sK_11 w, w' = −sk z_1 with k = K_22 + K_33 − 2K_23, whatever else the kernel
    /// holds. It is followed by the midpoint rule until log(1 + e^a) has fallen to ε.
    fn time_of_the_flow(run: &TrainingRun, accuracy: f64, start: usize) -> f64 {
        let (points, dimension) = run.inputs();
        let limit = TangentKernel::of_unit_inputs(&points, dimension, run.depth, run.trained).unwrap();
        let at = |i: usize, j: usize| limit.kernel(i, j).unwrap();
        let (first, second) = (at(0, 0), at(1, 1) + at(2, 2) - 2.0 * at(1, 2));
        let d = run.output;
        let z = limit.first_outputs(d, &mut stream(run.seed + start as u64, &["outputs of infinite width"]));
        let mut anchor = z[..d].to_vec();
        let mut way: Vec<f64> = (0..d).map(|c| z[2 * d + c] - z[d + c]).collect();
        let moved = |x: &[f64], by: f64, y: &[f64]| x.iter().zip(y).map(|(a, b)| a - by * b).collect::<Vec<f64>>();
        let (mut time, step) = (0.0, 0.01);
        loop {
            let argument = exact(sum_of_products(&anchor, &way));
            if argument.softplus().midpoint() <= accuracy {
                return time;
            }
            let half = 0.5 * step * argument.sigmoid().midpoint();
            let (middle, across) = (moved(&anchor, half * first, &way), moved(&way, half * second, &anchor));
            let full = step * exact(sum_of_products(&middle, &across)).sigmoid().midpoint();
            (anchor, way) = (moved(&anchor, full * first, &across), moved(&way, full * second, &middle));
            time += step;
        }
    }

    /// An update lasts κδ/(n(L + 1)).
    #[test]
    fn short_updates_take_as_long_as_the_flow_of_anchor_and_way() {
        let run = TrainingRun { pace: 0.05, ..TrainingRun::new(1, Data::Apart { separation: 1.0 }, (1, 1, 2), 7) };
        let lasting = 0.05 / 2.0;
        let found = updates_in_the_limit(&run, Goal::Loss, 0.3, 3).unwrap();
        for (start, &steps) in found.iter().enumerate() {
            let (time, expected) = ((steps - 1) as f64 * lasting, time_of_the_flow(&run, 0.3, start));
            assert!((time - expected).abs() < 0.05 + 0.02 * expected, "{time} and {expected}");
        }
        assert!(found.iter().any(|&steps| steps > 50), "{found:?}");
    }

    #[test]
    fn a_goal_that_the_start_has_is_reached_at_the_first_step() {
        let run = TrainingRun::new(2, Data::Apart { separation: 1.0 }, (1, 1, 2), 7);
        for goal in [Goal::Loss, Goal::Gradient] {
            assert_eq!(updates_in_the_limit(&run, goal, 100.0, 2).unwrap(), [1, 1]);
        }
    }
}
