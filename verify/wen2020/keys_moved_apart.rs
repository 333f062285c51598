//! Two drawn encoders whose keys are moved apart and whose query is then moved along them: how large the second-order
//! remainder becomes.

use contrapositive::claim::{MeasureError, Trial};
use contrapositive::instance::Instance;
use contrapositive::network::{Encoder, TwoEncoders};
use serde::{Deserialize, Serialize};

use super::aligned_step::aligned;
use super::encoder_pair::shape;
use super::perturbed_products::dot;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Size {
    Layers,
    Width,
}

/// n = 3 orthonormal inputs, k = 2, d = 5, ω = τ = κ√(d/m); one size doubled again and again.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Networks {
    pub vary: Size,
    pub width: usize,
    pub layers: usize,
    pub kappa: f64,
}

const OUTPUT: usize = 5;

/// The step of the queries is this fraction of the radius, so that the change of a logit stays below one.
const STEPS: f64 = 16.0;

impl Instance for Networks {
    fn describe(&self) -> String {
        format!(
            "n = 3, k = 2, d = {OUTPUT}, m = {}, L = {}, ω = τ = {} √(d/m), {:?} doubled three times",
            self.width, self.layers, self.kappa, self.vary
        )
    }

    fn validate(&self) -> Result<(), String> {
        let sound = self.width >= 10 && (1..=4).contains(&self.layers) && self.kappa > 0.0 && self.kappa <= 1.0;
        sound.then_some(()).ok_or_else(|| "a size out of range".into())
    }
}

/// R and the sizes of one network.
pub struct Found {
    size: f64,
    layers: f64,
    /// m/d.
    share: f64,
    /// R/(k τ²‖ΔW‖²) with spectral norms, and with Frobenius norms for both.
    ratios: [f64; 2],
}

/// A unit vector orthogonal to the rows given, fewer than its dimension.
fn orthogonal(rows: &[&[f64]], dimension: usize) -> Result<Vec<f64>, MeasureError> {
    let mut basis: Vec<Vec<f64>> = Vec::new();
    let rest = |v: &[f64], basis: &[Vec<f64>]| {
        let mut v = v.to_vec();
        // Twice, for the sake of rounding.
        for b in basis.iter().chain(basis) {
            let c = dot(&v, b);
            v.iter_mut().zip(b).for_each(|(x, y)| *x -= c * y);
        }
        v
    };
    let unit = |v: Vec<f64>| {
        let norm = dot(&v, &v).sqrt();
        (norm > 1e-9).then(|| v.iter().map(|x| x / norm).collect::<Vec<f64>>())
    };
    for row in rows {
        basis.extend(unit(rest(row, &basis)));
    }
    let axes = (0..dimension).map(|c| {
        (0..dimension)
            .map(|e| if e == c { 1.0 } else { 0.0 })
            .collect::<Vec<f64>>()
    });
    let longest = axes
        .map(|axis| rest(&axis, &basis))
        .max_by(|a, b| dot(a, a).total_cmp(&dot(b, b)));
    Ok(longest.and_then(unit).ok_or("nothing is orthogonal to all of them")?)
}

/// Σ_i of log Σ_j p_ij e^{y_ij − mean} over the three points, for a change of the queries alone: n times the remainder,
/// without cancellation.
fn remainder(old_q: &[f64], new_q: &[f64], keys: &[f64]) -> f64 {
    let row = |list: &[f64], i: usize| list[i * OUTPUT..(i + 1) * OUTPUT].to_vec();
    let of_point = |i: usize| {
        let z = |j: usize| -> Vec<f64> { row(keys, j).iter().zip(row(keys, i)).map(|(a, b)| a - b).collect() };
        let dq: Vec<f64> = row(new_q, i).iter().zip(row(old_q, i)).map(|(a, b)| a - b).collect();
        let others: Vec<usize> = (0..3).filter(|&j| j != i).collect();
        let exponentials: Vec<f64> = others
            .iter()
            .map(|&j| core_math::exp(dot(&row(old_q, i), &z(j))))
            .collect();
        let total = 1.0 + exponentials.iter().sum::<f64>();
        let terms: Vec<(f64, f64)> = others
            .iter()
            .zip(&exponentials)
            .map(|(&j, e)| (e / total, dot(&dq, &z(j))))
            .collect();
        let mean: f64 = terms.iter().map(|(p, y)| p * y).sum();
        let centred = |y: f64| core_math::expm1(y - mean) - (y - mean);
        core_math::log1p(terms.iter().map(|(p, y)| p * centred(*y)).sum::<f64>() + centred(0.0) / total)
    };
    (0..3).map(of_point).sum()
}

fn one(width: usize, layers: usize, kappa: f64, trial: &mut Trial) -> Result<[f64; 2], MeasureError> {
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let flat = axes.concat();
    let encoders = TwoEncoders::initialise(shape(3, width, layers, OUTPUT), trial.rng())?;
    let at = |encoder: &Encoder| Ok::<_, MeasureError>(encoder.forward(&flat)?.into_outputs());
    let (queries, keys) = (at(&encoders.query)?, at(&encoders.key)?);
    let mut fixed: Vec<&[f64]> = vec![&queries[..OUTPUT]];
    fixed.extend(keys.chunks_exact(OUTPUT));
    let v = orthogonal(&fixed, OUTPUT)?;
    let size = kappa * (OUTPUT as f64 / width as f64).sqrt();
    let apart = aligned(&encoders.key, &[(1.0, &axes[1]), (-1.0, &axes[2])], &v, size)?;
    let step = size / STEPS;
    let along = aligned(&encoders.query, &[(1.0, &axes[0])], &v, step)?;
    let moved_keys = at(&encoders.key.displaced(&apart.weights, 1.0)?)?;
    let moved_queries = at(&encoders.query.displaced(&along.weights, 1.0)?)?;
    let found = remainder(&queries, &moved_queries, &moved_keys) / 3.0 / 2.0;
    let radius_squared = size * size;
    Ok([
        found / (radius_squared * step * step),
        found / (apart.frobenius_squared * along.frobenius_squared),
    ])
}

pub fn measured(n: &Networks, trial: &mut Trial) -> Result<Vec<Found>, MeasureError> {
    let seeds = trial.samples(20);
    let mut list = Vec::new();
    for k in 0..4 {
        let factor = 1usize << k;
        let times = |size: Size, value: usize| if n.vary == size { value * factor } else { value };
        let (width, layers) = (times(Size::Width, n.width), times(Size::Layers, n.layers));
        let mut ratios = [0.0; 2];
        for _ in 0..seeds {
            let found = one(width, layers, n.kappa, trial)?;
            for (largest, found) in ratios.iter_mut().zip(found) {
                *largest = f64::max(*largest, found);
            }
        }
        list.push(Found {
            size: factor as f64,
            layers: layers as f64,
            share: width as f64 / OUTPUT as f64,
            ratios,
        });
    }
    Ok(list)
}

/// R against (m/d)^{2 or 0} L^power and one choice of norms.
pub fn points(list: &[Found], norms: usize, power: i32, with_share: bool) -> Vec<(f64, f64)> {
    let bracket = |f: &Found| {
        let depth: f64 = (0..power).map(|_| f.layers).product();
        depth * if with_share { f.share * f.share } else { 1.0 }
    };
    list.iter().map(|f| (f.size, f.ratios[norms] / bracket(f))).collect()
}
