//! First-order errors of drawn networks under displacements that make them large.

use std::fmt;

use contrastive::network::{Activations, Encoder, Weights};
use enclosures::probability::list_of_standard_normals;
use enclosures::vectors::{minus, norm, sum_of_products, unit_vector};
use evidence::prelude::*;
use serde::{Deserialize, Serialize};

use crate::shared::aligned_step::aligned;
use crate::shared::encoder_pair::shape;
use crate::shared::perturbed_products::{masked, set_rank_one};

/// A sweep over drawn networks; one size is multiplied by `factor` again and again.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, stored)]
pub struct VariedNetworks {
    pub vary: Size,
    #[instance(range = "1..")]
    pub width: usize,
    #[instance(range = "1..")]
    pub layers: usize,
    #[instance(range = "1..")]
    pub output: usize,
    pub omega: f64,
    #[instance(range = "3..=5")]
    pub points: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Instance)]
#[serde(rename_all = "lowercase")]
pub enum Size {
    Width,
    Layers,
    Output,
    Radius,
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Size::Width => "m",
            Size::Layers => "L",
            Size::Output => "d",
            Size::Radius => "the radius",
        })
    }
}

impl VariedNetworks {
    fn in_words(&self) -> String {
        format!(
            "m = {}, L = {}, d = {}, radius {}, then {} doubled {} times",
            self.width,
            self.layers,
            self.output,
            self.omega,
            self.vary,
            self.points - 1
        )
    }
}

impl VariedNetworks {
    /// The largest ω along the sweep.
    pub fn largest_radius(&self) -> f64 {
        self.at(self.points - 1).omega
    }

    pub fn at(&self, k: usize) -> Self {
        let mut s = self.clone();
        match self.vary {
            Size::Width => s.width <<= k,
            Size::Layers => s.layers <<= k,
            Size::Output => s.output <<= k,
            Size::Radius => s.omega *= f64::from(1u32 << k),
        }
        s
    }

    /// ω^{1/3} L² √(m log m/d).
    pub fn bracket(&self) -> f64 {
        let (m, d, depth) = (self.width as f64, self.output as f64, self.layers as f64);
        core_math::cbrt(self.omega) * depth * depth * (m * core_math::log(m) / d).sqrt()
    }

    /// The largest ratios of one network over four displacements: F_1 to the bracket times ‖W′‖_F, and Q_1^l and Q_2^l
    /// to the bracket times ‖W′_l‖_F.
    fn ratios(&self, trial: &mut Trial) -> Result<[f64; 3], MeasureError> {
        let shape = shape(4, self.width, self.layers, self.output);
        let encoder = Encoder::initialise(shape, trial.rng())?;
        let mut point = list_of_standard_normals(trial.rng(), 4);
        let length = norm(&point);
        point.iter_mut().for_each(|x| *x /= length);
        let v = unit_vector(self.output, 0);
        let mut largest = [0.0_f64; 3];
        for step in aimed_steps(&encoder, &point, &v, self.omega)? {
            let whole = first_order_error(&encoder, &point, &v, &step)?;
            largest[0] = largest[0].max(whole.abs() / size_of(&step));
            let after = encoder.displaced(&step, 1.0)?;
            let errors = errors_by_layer(&encoder, &after, &point, &v, &step)?;
            for (matrix, [q1, q2]) in step.matrices().zip(errors) {
                let size = norm(matrix);
                if size > 0.0 {
                    largest[1] = largest[1].max(q1.abs() / size);
                    largest[2] = largest[2].max(q2.abs() / size);
                }
            }
        }
        Ok(largest.map(|x| x / self.bracket()))
    }
}

pub fn size_of(step: &Weights) -> f64 {
    step.matrices().flatten().map(|x| x * x).sum::<f64>().sqrt()
}

/// Displacements with ‖W′_l‖₂ ≤ ω that aim at one point: along the gradient of v·f and against it, the first with the
/// output matrix moved along what it does to h_{L−1}, and flips of the first layer.
pub fn aimed_steps(encoder: &Encoder, point: &[f64], v: &[f64], omega: f64) -> Result<Vec<Weights>, MeasureError> {
    let along = aligned(encoder, &[(point, v)], omega)?.weights;
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
        set_rank_one(&mut with_output, last, v, &gap, omega / lengths);
    }
    Ok(vec![along, against, with_output, flipping(encoder, point, v, omega)?])
}

/// W′_0 = −2 (the smallest pre-activations whose flip raises v·f) xᵀ, of Frobenius norm at most ω; the other matrices
/// stay.
fn flipping(encoder: &Encoder, point: &[f64], v: &[f64], omega: f64) -> Result<Weights, MeasureError> {
    let seen = encoder.activations(point)?;
    let weight = seen.back(1, v).ok_or("the vector does not fit")?;
    let pre = seen.pre_activations(0).ok_or("no first layer")?;
    let mut units: Vec<usize> = (0..pre.len()).filter(|&r| weight[r] > 0.0).collect();
    units.sort_by(|&a, &b| pre[a].abs().total_cmp(&pre[b].abs()));
    let mut step = encoder.weights().clone();
    step.matrices_mut().flatten().for_each(|x| *x = 0.0);
    let mut spent = 0.0;
    for r in units {
        let move_by = -2.0 * pre[r];
        spent += move_by * move_by;
        if spent > omega * omega {
            break;
        }
        let row = step.a.chunks_exact_mut(point.len()).nth(r).ok_or("no such unit")?;
        row.iter_mut().zip(point).for_each(|(x, p)| *x = move_by * p);
    }
    Ok(step)
}

/// v·(f_{W+W′}(x) − f_W(x) − the linear part).
fn first_order_error(encoder: &Encoder, point: &[f64], v: &[f64], step: &Weights) -> Result<f64, MeasureError> {
    let before = encoder.forward(point)?;
    let gradient = encoder.backward(&before, v)?;
    let after = encoder.displaced(step, 1.0)?.forward(point)?;
    let pairs = gradient.matrices().flatten().zip(step.matrices().flatten());
    let linear: f64 = pairs.map(|(g, s)| g * s).sum();
    Ok(sum_of_products(after.outputs(), v) - sum_of_products(before.outputs(), v) - linear)
}

fn missing() -> MeasureError {
    "a layer or a vector that does not fit".into()
}

/// The slope of the chord of max(t, 0) between two pre-activations.
fn chord(a: f64, b: f64) -> f64 {
    if (a >= 0.0) == (b >= 0.0) { f64::from(u8::from(a >= 0.0)) } else { a.max(b) / (a - b).abs() }
}

/// Q_1^l and Q_2^l of (D.4) for l = 0, …, L, with v in place of the loss vector. They add up to the first-order error.
pub fn errors_by_layer(
    before: &Encoder,
    after: &Encoder,
    point: &[f64],
    v: &[f64],
    step: &Weights,
) -> Result<Vec<[f64; 2]>, MeasureError> {
    let (old, new) = (before.activations(point)?, after.activations(point)?);
    let layers = before.hidden_layers();
    let mut chords = Vec::new();
    for l in 0..layers {
        let pre = [&old, &new].map(|seen| seen.pre_activations(l).unwrap_or_default());
        chords.push(pre[0].iter().zip(pre[1]).map(|(&a, &b)| chord(a, b)).collect());
    }
    let between = old.clone().with_diagonals(chords)?;
    let mut errors = Vec::new();
    for (l, matrix) in step.matrices().enumerate() {
        let [start, end] = match l.checked_sub(1) {
            Some(below) => [old.hidden(below).ok_or_else(missing)?, new.hidden(below).ok_or_else(missing)?],
            None => [point, point],
        };
        let gap = minus(end, start);
        let back = |through: &Activations<'_>| -> Result<Vec<f64>, MeasureError> {
            let arrived = through.back(l + 1, v).ok_or_else(missing)?;
            Ok(through.diagonal(l).map_or_else(|| arrived.clone(), |diagonal| masked(diagonal, &arrived)))
        };
        let (by_pattern, by_chords) = (back(&old)?, back(&between)?);
        let (mut q1, mut q2) = (0.0, 0.0);
        for ((row, x), y) in matrix.chunks_exact(end.len()).zip(&by_pattern).zip(&by_chords) {
            q1 += (y - x) * sum_of_products(row, end);
            q2 += x * sum_of_products(row, &gap);
        }
        errors.push([q1, q2]);
    }
    Ok(errors)
}

/// The largest of some ratios over the networks drawn at each size, beside what the size is multiplied by.
pub type RatioCurve = Vec<(f64, f64)>;

/// For every size of the sweep the largest of each ratio over twenty draws.
pub fn largest_ratios(
    s: &VariedNetworks,
    trial: &mut Trial,
    drawn: impl Fn(&VariedNetworks, &mut Trial) -> Result<[f64; 3], MeasureError>,
) -> Result<[RatioCurve; 3], MeasureError> {
    let draws = trial.samples(20);
    let mut curves: [RatioCurve; 3] = Default::default();
    for k in 0..s.points {
        let sizes = s.at(k);
        let mut largest = [0.0_f64; 3];
        for _ in 0..draws {
            for (largest, found) in largest.iter_mut().zip(drawn(&sizes, trial)?) {
                *largest = largest.max(found);
            }
        }
        for (curve, largest) in curves.iter_mut().zip(largest) {
            curve.push((f64::from(1u32 << k), largest));
        }
    }
    Ok(curves)
}

/// F_1, and the largest Q_1^l and Q_2^l, in units of their bounds with the constant one and a unit vector in place of l̃oss_i.
pub fn query_errors(s: &VariedNetworks, trial: &mut Trial) -> Result<[RatioCurve; 3], MeasureError> {
    largest_ratios(s, trial, VariedNetworks::ratios)
}

/// Every ratio is at most this. The networks are drawn in plain floating-point arithmetic.
pub fn each_at_most(points: &[(f64, f64)], constant: f64) -> Evaluation {
    let part = |&(factor, ratio): &(f64, f64)| {
        let part = at_most(Enclosure::measured(ratio), exact(constant));
        (format!("factor {factor}"), part)
    };
    let shown: Vec<String> = points.iter().map(|(factor, ratio)| format!("×{factor}: {ratio:.2e}")).collect();
    all_of(points.iter().map(part)).noting(shown.join(", "))
}

/// A displacement beyond the range of the bounds.
pub fn large_radius() -> VariedNetworks {
    VariedNetworks { vary: Size::Width, width: 20, layers: 1, output: 1, omega: 1.0, points: 3 }
}

#[cfg(test)]
mod tests {
    use enclosures::stream::stream;

    use super::*;

    const POINT: [f64; 2] = [0.6, 0.8];

    /// One hidden layer: the pre-activations p_r and the weights b_r of the first output.
    fn drawn() -> (Encoder, Vec<f64>, Vec<f64>) {
        let encoder = Encoder::initialise(shape(2, 12, 1, 2), &mut stream(3, &["first-order errors"])).unwrap();
        let weights = encoder.weights();
        let rows = weights.a.chunks_exact(2);
        let pre = rows.map(|w| w[0] * POINT[0] + w[1] * POINT[1]).collect();
        let last = weights.b[..12].to_vec();
        (encoder, pre, last)
    }

    /// Turning p_r into −p_r changes b_rσ(p_r) by b_r|p_r| more than its linear part says: σ(−p) − σ(p) + 2p1{p ≥ 0} = |p|.
    #[test]
    fn a_flip_has_the_error_of_the_pre_activations_that_are_turned() {
        let (encoder, pre, last) = drawn();
        for omega in [0.3, 1.0, 100.0] {
            let step = flipping(&encoder, &POINT, &[1.0, 0.0], omega).unwrap();
            let turned: Vec<usize> = (0..12).filter(|&r| step.a[2 * r] != 0.0).collect();
            let expected: f64 = turned.iter().map(|&r| last[r] * pre[r].abs()).sum();
            let found = first_order_error(&encoder, &POINT, &[1.0, 0.0], &step).unwrap();
            assert!((found - expected).abs() < 1e-13, "{omega}: {found}, {expected}");
            assert!(expected > 0.0 && size_of(&step) <= omega, "{omega}");
            // The smallest of those that raise the output, as many as the radius allows.
            let mut raising: Vec<usize> = (0..12).filter(|&r| last[r] > 0.0).collect();
            raising.sort_by(|&a, &b| pre[a].abs().total_cmp(&pre[b].abs()));
            let spent = |count: usize| raising[..count].iter().map(|&r| 4.0 * pre[r] * pre[r]).sum::<f64>();
            let most = (0..=raising.len()).filter(|&count| spent(count) <= omega * omega).max().unwrap();
            let mut chosen = raising[..most].to_vec();
            chosen.sort_unstable();
            assert_eq!(turned, chosen, "{omega}");
            assert!((size_of(&step) - spent(most).sqrt()).abs() < 1e-13);
        }
    }

    /// (D.4) on two hidden layers, with displacements that flip units and one that moves the output matrix.
    #[test]
    fn the_errors_of_the_layers_add_up_to_the_first_order_error() {
        let encoder = Encoder::initialise(shape(2, 12, 2, 2), &mut stream(4, &["first-order errors"])).unwrap();
        let v = [0.5, -2.0];
        for step in aimed_steps(&encoder, &POINT, &v, 1.0).unwrap() {
            let after = encoder.displaced(&step, 1.0).unwrap();
            let errors = errors_by_layer(&encoder, &after, &POINT, &v, &step).unwrap();
            let whole = first_order_error(&encoder, &POINT, &v, &step).unwrap();
            assert!((errors.iter().flatten().sum::<f64>() - whole).abs() < 1e-12 * (1.0 + whole.abs()));
            assert!(errors.len() == 3 && errors[2][0] == 0.0 && errors[0][1] == 0.0);
            assert!(errors.iter().any(|[q1, _]| q1.abs() > 1e-3));
        }
    }

    #[test]
    fn the_last_layer_moves_the_output_linearly() {
        let (encoder, ..) = drawn();
        let mut step = encoder.weights().clone();
        step.a.fill(0.0);
        let found = first_order_error(&encoder, &POINT, &[0.5, -2.0], &step).unwrap();
        assert!(found.abs() < 1e-14, "{found}");
        // Both layers doubled: the output is four times as large, of which the linear part explains three.
        let output = encoder.forward(&POINT).unwrap().outputs()[0];
        let both = first_order_error(&encoder, &POINT, &[1.0, 0.0], encoder.weights()).unwrap();
        assert!((both - output).abs() < 1e-13, "{both}, {output}");
    }
}
