//! First-order errors of drawn key networks with the loss vectors of Fact 2: F_{2,1}, F_{2,2} and F_2.

use contrastive::network::{Encoder, TwoEncoders, Weights};
use enclosures::vectors::{minus, norm, sum_of_products};
use evidence::prelude::*;

use crate::shared::aligned_step::aligned;
use crate::shared::encoder_pair::shape;
use crate::shared::first_order_errors::{VariedNetworks, flipping, size_of};
use crate::shared::perturbed_products::{masked, set_rank_one};
use crate::shared::unit_points::drawn_on_the_sphere;

const POINTS: usize = 4;
const INPUT: usize = 4;
const NEGATIVES: usize = 2;

fn missing() -> MeasureError {
    "a layer or a vector that does not fit".into()
}

/// v·(f_{θ+θ′}(x) − f_θ(x) − its linear part), as F_{2,1} and F_{2,2}: the latter is Σ_l v·θ_L(∏ D_a θ_a)D_l θ′_l
/// (h′_{l−1} − h_{l−1}), the former what remains.
fn parts(
    before: &Encoder,
    after: &Encoder,
    point: &[f64],
    v: &[f64],
    step: &Weights,
) -> Result<[f64; 2], MeasureError> {
    let (old, new) = (before.activations(point)?, after.activations(point)?);
    let layers = before.hidden_layers();
    let (mut linear, mut vectors) = (0.0, 0.0);
    for (l, matrix) in step.matrices().enumerate() {
        let mut seen_through = old.back(l + 1, v).ok_or_else(missing)?;
        if l < layers {
            seen_through = masked(old.diagonal(l).ok_or_else(missing)?, &seen_through);
        }
        let (below, gap) = if l == 0 {
            (point.to_vec(), vec![0.0; point.len()])
        } else {
            let (h, moved) = (old.hidden(l - 1).ok_or_else(missing)?, new.hidden(l - 1).ok_or_else(missing)?);
            (h.to_vec(), minus(moved, h))
        };
        for (row, x) in matrix.chunks_exact(below.len()).zip(&seen_through) {
            linear += x * sum_of_products(row, &below);
            vectors += x * sum_of_products(row, &gap);
        }
    }
    let outputs = [before.forward(point)?.into_outputs(), after.forward(point)?.into_outputs()];
    let whole = sum_of_products(&outputs[1], v) - sum_of_products(&outputs[0], v) - linear;
    Ok([whole - vectors, vectors])
}

/// Displacements with ‖θ′_l‖₂ ≤ τ that aim at one point: along the gradient of v·f and against it, the first with the
/// output matrix moved along what it does to h_{L−1}, and flips of the first layer.
fn steps(encoder: &Encoder, point: &[f64], v: &[f64], tau: f64) -> Result<Vec<Weights>, MeasureError> {
    let along = aligned(encoder, &[(point, v)], tau)?.weights;
    let mut against = along.clone();
    against.matrices_mut().flatten().for_each(|x| *x = -*x);
    let last = encoder.hidden_layers();
    let moved = encoder.displaced(&along, 1.0)?;
    let hidden = |of: &Encoder| -> Result<Vec<f64>, MeasureError> {
        Ok(of.activations(point)?.hidden(last - 1).ok_or_else(missing)?.to_vec())
    };
    let gap = minus(&hidden(&moved)?, &hidden(encoder)?);
    let mut with_output = along.clone();
    let lengths = norm(&gap) * norm(v);
    if lengths > 0.0 {
        set_rank_one(&mut with_output, last, v, &gap, tau / lengths);
    }
    Ok(vec![along, against, with_output, flipping(encoder, point, v, tau)?])
}

/// The largest F_{2,1}^i, F_{2,2}^i and F_2 of one pair of networks, in units of the brackets with τ in place of ω.
fn largest(s: &VariedNetworks, trial: &mut Trial) -> Result<[f64; 3], MeasureError> {
    let encoders = TwoEncoders::initialise(shape(INPUT, s.width, s.layers, s.output), trial.rng())?;
    let points = drawn_on_the_sphere(trial.rng(), POINTS, INPUT);
    let contrast = encoders.gradient(&points.concat(), NEGATIVES)?.contrast;
    let vectors: Vec<&[f64]> = contrast.key_loss_vectors.chunks_exact(s.output).collect();
    let longer = |&i: &usize, &j: &usize| norm(vectors[i]).total_cmp(&norm(vectors[j]));
    let aim = (0..POINTS).max_by(longer).ok_or_else(missing)?;
    let (m, d, depth) = (s.width as f64, s.output as f64, s.layers as f64);
    let bracket = core_math::cbrt(s.omega) * depth * depth * (m * core_math::log(m) / d).sqrt();
    let mut found = [0.0_f64; 3];
    for step in steps(&encoders.key, &points[aim], vectors[aim], s.omega)? {
        let unit = bracket * size_of(&step);
        if unit == 0.0 {
            continue;
        }
        let moved = encoders.key.displaced(&step, 1.0)?;
        let mut sum = 0.0;
        for (point, v) in points.iter().zip(&vectors) {
            let both = parts(&encoders.key, &moved, point, v, &step)?;
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

/// For every size the largest of each over twenty pairs of networks, against what the size is multiplied by.
pub fn key_errors(s: &VariedNetworks, trial: &mut Trial) -> Result<[Vec<(f64, f64)>; 3], MeasureError> {
    let networks = trial.samples(20);
    let mut curves: [Vec<(f64, f64)>; 3] = Default::default();
    for k in 0..s.points {
        let sizes = s.at(k);
        let mut worst = [0.0_f64; 3];
        for _ in 0..networks {
            for (worst, found) in worst.iter_mut().zip(largest(&sizes, trial)?) {
                *worst = worst.max(found);
            }
        }
        let factor = f64::from(1u32 << k);
        for (curve, worst) in curves.iter_mut().zip(worst) {
            curve.push((factor, worst));
        }
    }
    Ok(curves)
}
