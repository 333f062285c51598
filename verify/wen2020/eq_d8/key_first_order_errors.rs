//! First-order errors of drawn key networks with the loss vectors of Fact 2: F_{2,1}, F_{2,2} and F_2.

use contrastive::network::TwoEncoders;
use enclosures::vectors::norm;
use evidence::prelude::*;

use crate::shared::encoder_pair::shape;
use crate::shared::first_order_errors::{
    RatioCurve, VariedNetworks, aimed_steps, errors_by_layer, largest_ratios, size_of,
};
use crate::shared::unit_points::drawn_on_the_sphere;

const POINTS: usize = 4;
const INPUT: usize = 4;
const NEGATIVES: usize = 2;

fn missing() -> MeasureError {
    "a layer or a vector that does not fit".into()
}

/// The largest F_{2,1}^i, F_{2,2}^i and F_2 of one pair of networks, in units of the brackets with τ in place of ω.
fn largest(s: &VariedNetworks, trial: &mut Trial) -> Result<[f64; 3], MeasureError> {
    let encoders = TwoEncoders::initialise(shape(INPUT, s.width, s.layers, s.output), trial.rng())?;
    let points = drawn_on_the_sphere(trial.rng(), POINTS, INPUT);
    let contrast = encoders.gradient(&points.concat(), NEGATIVES)?.contrast;
    let vectors: Vec<&[f64]> = contrast.key_loss_vectors.chunks_exact(s.output).collect();
    let longer = |&i: &usize, &j: &usize| norm(vectors[i]).total_cmp(&norm(vectors[j]));
    let aim = (0..POINTS).max_by(longer).ok_or_else(missing)?;
    let mut found = [0.0_f64; 3];
    for step in aimed_steps(&encoders.key, &points[aim], vectors[aim], s.omega)? {
        let unit = s.bracket() * size_of(&step);
        if unit == 0.0 {
            continue;
        }
        let moved = encoders.key.displaced(&step, 1.0)?;
        let mut sum = 0.0;
        for (point, v) in points.iter().zip(&vectors) {
            // F_{2,1} is the sum of the Q_1^l of the key network, F_{2,2} that of the Q_2^l.
            let layers = errors_by_layer(&encoders.key, &moved, point, v, &step)?;
            let both = [0, 1].map(|part| layers.iter().map(|errors| errors[part]).sum::<f64>());
            let length = norm(v).max(f64::MIN_POSITIVE);
            for (found, part) in found.iter_mut().zip(both) {
                *found = found.max(part.abs() / (length * unit));
            }
            sum += both[0] + both[1];
        }
        // (1/n) Σ F_2^i against ‖l̂oss‖/√n.
        let whole = norm(&contrast.key_loss_vectors) * (POINTS as f64).sqrt();
        found[2] = found[2].max(sum.abs() / (whole * unit));
    }
    Ok(found)
}

/// For every size the largest of each over twenty pairs of networks.
pub fn key_errors(s: &VariedNetworks, trial: &mut Trial) -> Result<[RatioCurve; 3], MeasureError> {
    largest_ratios(s, trial, largest)
}
