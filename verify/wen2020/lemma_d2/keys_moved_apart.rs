//! Two drawn encoders whose keys are moved apart and whose queries are then moved along them: how large the
//! second-order remainder becomes.

use std::fmt;

use contrastive::network::{Encoder, TwoEncoders};
use contrastive::subset_contrast;
use enclosures::vectors::{norm, sum_of_products, unit_vector};
use evidence::prelude::*;
use serde::{Deserialize, Serialize};

use crate::shared::aligned_step::{Aim, aligned};
use crate::shared::encoder_pair::shape;

/// What is doubled along a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Instance)]
#[serde(rename_all = "lowercase")]
#[instance(describe = Self::to_string, stored)]
pub enum DoubledSize {
    Layers,
    Width,
    Points,
    Negatives,
    Outputs,
}

impl fmt::Display for DoubledSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DoubledSize::Layers => "L",
            DoubledSize::Width => "m",
            DoubledSize::Points => "n",
            DoubledSize::Negatives => "k",
            DoubledSize::Outputs => "d",
        })
    }
}

/// Orthonormal inputs and ω = τ = κ√(d/m); one size doubled three times.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(
    describe = "{start}, ω = τ = {kappa} √(d/m), {vary} doubled three times",
    valid = Self::stays_small,
    stored
)]
pub struct Networks {
    pub vary: DoubledSize,
    #[instance(range = "(0, 1]")]
    pub kappa: f64,
    pub start: KeySizes,
}

/// n, k, m, L and d.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, Instance)]
#[instance(
    describe = "n = {points}, k = {negatives}, d = {outputs}, m = {width}, L = {layers}",
    valid = Self::fits,
    stored
)]
pub struct KeySizes {
    #[instance(range = "2..=64")]
    pub points: usize,
    #[instance(range = "1..")]
    pub negatives: usize,
    #[instance(range = "10..")]
    pub width: usize,
    #[instance(range = "1..")]
    pub layers: usize,
    pub outputs: usize,
}

impl KeySizes {
    fn fits(&self) -> Result<(), String> {
        let keys = self.negatives < self.points && self.outputs >= 3 * self.points;
        if keys && self.layers * self.width * self.width <= 1 << 23 {
            Ok(())
        } else {
            Err("not k < n, or d < 3n, or a network that is too large".into())
        }
    }
}

/// The step of the queries is this fraction of the radius, so that the change of a logit stays below one.
const STEPS: f64 = 16.0;
const DOUBLINGS: usize = 3;

impl Networks {
    fn stays_small(&self) -> Result<(), String> {
        self.sizes().iter().try_for_each(Instance::validate)
    }

    fn sizes(&self) -> Vec<KeySizes> {
        let at = |doublings: usize| {
            let mut s = self.start;
            let grown = match self.vary {
                DoubledSize::Layers => &mut s.layers,
                DoubledSize::Width => &mut s.width,
                DoubledSize::Points => &mut s.points,
                DoubledSize::Negatives => &mut s.negatives,
                DoubledSize::Outputs => &mut s.outputs,
            };
            *grown <<= doublings;
            s
        };
        (0..=DOUBLINGS).map(at).collect()
    }
}

/// The largest R of one size.
pub struct Found {
    grown: f64,
    sizes: KeySizes,
    /// R/(τ²‖ΔW‖²) with spectral norms, and with Frobenius norms for both.
    ratios: [f64; 2],
}

/// So many orthonormal vectors that are orthogonal to the rows given.
fn complement<'a>(
    rows: impl Iterator<Item = &'a [f64]>,
    dimension: usize,
    count: usize,
) -> Result<Vec<Vec<f64>>, MeasureError> {
    let rest = |v: &[f64], basis: &[Vec<f64>]| {
        let mut v = v.to_vec();
        // Twice, for the sake of rounding.
        for b in basis.iter().chain(basis) {
            let c = sum_of_products(&v, b);
            v.iter_mut().zip(b).for_each(|(x, y)| *x -= c * y);
        }
        v
    };
    let unit = |v: Vec<f64>| {
        let length = norm(&v);
        (length > 1e-9).then(|| v.iter().map(|x| x / length).collect::<Vec<f64>>())
    };
    let mut basis: Vec<Vec<f64>> = Vec::new();
    for row in rows {
        basis.extend(unit(rest(row, &basis)));
    }
    let given = basis.len();
    for _ in 0..count {
        let longest =
            (0..dimension).map(|c| rest(&unit_vector(dimension, c), &basis)).max_by(|a, b| norm(a).total_cmp(&norm(b)));
        basis.push(longest.and_then(unit).ok_or("too few orthogonal directions")?);
    }
    Ok(basis.split_off(given))
}

impl KeySizes {
    pub fn k(&self) -> f64 {
        self.negatives as f64
    }

    /// R/(τ²‖ΔW‖²) for one pair of networks: every key is moved in a direction of its own, orthogonal to all outputs
    /// and to the other directions, and then every query in that of its key. So all logits of a point change together.
    fn draw(&self, kappa: f64, trial: &mut Trial) -> Result<[f64; 2], MeasureError> {
        let d = self.outputs;
        let inputs: Vec<Vec<f64>> = (0..self.points).map(|c| unit_vector(self.points, c)).collect();
        let flat = inputs.concat();
        let encoders = TwoEncoders::initialise(shape(self.points, self.width, self.layers, d), trial.rng())?;
        let at = |encoder: &Encoder| Ok::<_, MeasureError>(encoder.forward(&flat)?.into_outputs());
        let (queries, keys) = (at(&encoders.query)?, at(&encoders.key)?);
        let directions = complement(queries.chunks_exact(d).chain(keys.chunks_exact(d)), d, self.points)?;
        let aims: Vec<Aim> = inputs.iter().zip(&directions).map(|(x, v)| (x.as_slice(), v.as_slice())).collect();
        let radius = kappa * (d as f64 / self.width as f64).sqrt();
        let step = radius / STEPS;
        let apart = aligned(&encoders.key, &aims, radius)?;
        let along = aligned(&encoders.query, &aims, step)?;
        let moved_keys = at(&encoders.key.displaced(&apart.weights, 1.0)?)?;
        let moved_queries = at(&encoders.query.displaced(&along.weights, 1.0)?)?;
        let old = subset_contrast(&queries, &moved_keys, d, self.negatives)?;
        let new = subset_contrast(&moved_queries, &moved_keys, d, self.negatives)?;
        let changes = moved_queries.iter().zip(&queries).zip(&old.query_loss_vectors);
        let linear = changes.map(|((new, old), slope)| slope * (new - old)).sum::<f64>() / self.points as f64;
        // About 1e-5 of a loss that is known to 1e-13.
        let rest = new.loss - old.loss - linear;
        Ok([rest / (radius * radius * step * step), rest / (apart.frobenius_squared * along.frobenius_squared)])
    }
}

pub fn measured(n: &Networks, trial: &mut Trial) -> Result<Vec<Found>, MeasureError> {
    let seeds = trial.samples(20);
    let mut list = Vec::new();
    for (k, sizes) in n.sizes().into_iter().enumerate() {
        let mut ratios = [0.0; 2];
        for _ in 0..seeds {
            let found = sizes.draw(n.kappa, trial)?;
            for (largest, found) in ratios.iter_mut().zip(found) {
                *largest = f64::max(*largest, found);
            }
        }
        list.push(Found { grown: (1u32 << k).into(), sizes, ratios });
    }
    Ok(list)
}

/// Which norms measure τ and ‖ΔW‖.
#[derive(Clone, Copy)]
pub enum NormKind {
    Spectral,
    Frobenius,
}

/// R/(τ²‖ΔW‖²) is at most `constant` times a bracket at every size. R is computed in plain floating-point arithmetic.
pub fn against(list: &[Found], norms: NormKind, constant: f64, bracket: impl Fn(&KeySizes) -> f64) -> Evaluation {
    let ratio = |f: &Found| f.ratios[norms as usize] / bracket(&f.sizes);
    let part = |f: &Found| {
        let part = at_most(Enclosure::measured(ratio(f)), exact(constant));
        (format!("factor {}", f.grown), part)
    };
    let shown: Vec<String> = list.iter().map(|f| format!("×{}: {:.2e}", f.grown, ratio(f))).collect();
    all_of(list.iter().map(part)).noting(shown.join(", "))
}

/// L^power (m/d)².
pub fn deep_and_wide(s: &KeySizes, power: i32) -> f64 {
    let share = s.width as f64 / s.outputs as f64;
    (0..power).map(|_| s.layers as f64).product::<f64>() * share * share
}
