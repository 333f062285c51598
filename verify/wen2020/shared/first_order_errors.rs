//! First-order errors of drawn networks under displacements that make them large.

use std::fmt;

use contrastive::network::{Encoder, Weights};
use enclosures::probability::list_of_standard_normals;
use enclosures::vectors::{norm, sum_of_products, unit_vector};
use evidence::prelude::*;
use serde::{Deserialize, Serialize};

use crate::shared::aligned_step::aligned;
use crate::shared::encoder_pair::shape;

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

    /// F_1/(‖l̃oss‖ ω^{1/3} L² √(m log m/d) ‖W′‖_F) of one network: the largest over three displacements.
    fn ratio(&self, trial: &mut Trial) -> Result<f64, MeasureError> {
        let shape = shape(4, self.width, self.layers, self.output);
        let encoder = Encoder::initialise(shape, trial.rng())?;
        let mut point = list_of_standard_normals(trial.rng(), 4);
        let norm = norm(&point);
        point.iter_mut().for_each(|x| *x /= norm);
        let v = unit_vector(self.output, 0);
        let along = aligned(&encoder, &[(&point, &v)], self.omega)?.weights;
        let mut against = along.clone();
        against.matrices_mut().flatten().for_each(|x| *x = -*x);
        let mut largest = 0.0_f64;
        for step in [along, against, flipping(&encoder, &point, &v, self.omega)?] {
            largest = largest.max(first_order_error(&encoder, &point, &v, &step)?.abs() / size_of(&step));
        }
        let (m, d) = (self.width as f64, self.output as f64);
        let depth = self.layers as f64;
        let bracket = core_math::cbrt(self.omega) * depth * depth * (m * core_math::log(m) / d).sqrt();
        Ok(largest / bracket)
    }
}

pub fn size_of(step: &Weights) -> f64 {
    step.matrices().flatten().map(|x| x * x).sum::<f64>().sqrt()
}

/// W′_0 = −2 (the smallest pre-activations whose flip raises v·f) xᵀ, of Frobenius norm at most ω; the other matrices
/// stay.
pub fn flipping(encoder: &Encoder, point: &[f64], v: &[f64], omega: f64) -> Result<Weights, MeasureError> {
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

pub fn ratios(s: &VariedNetworks, trial: &mut Trial) -> Result<Vec<(f64, f64)>, MeasureError> {
    let seeds = trial.samples(20);
    let mut points = Vec::new();
    for k in 0..s.points {
        let at = s.at(k);
        let mut largest = 0.0_f64;
        for _ in 0..seeds {
            largest = largest.max(at.ratio(trial)?);
        }
        points.push((f64::from(1u32 << k), largest));
    }
    Ok(points)
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
