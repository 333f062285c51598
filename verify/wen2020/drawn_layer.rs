//! One drawn layer W_{L−1} under an output layer W_L, on given vectors h_i: the left side of Lemma C.1.

use contrapositive::claim::{MeasureError, Trial};
use contrapositive::instance::Instance;
use contrapositive::interval::Interval;
use contrapositive::linear_algebra::{IntervalMatrix, symmetric_eigenvalues};
use contrapositive::probability::fill_standard_normal;
use serde::{Deserialize, Serialize};

use super::gaussian_events::widest;
use super::unit_points::{UnitPoints, axes, two};

/// Vectors h_i (unit), width and output dimension of a drawn layer, and the factors t by which v is stretched.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Layer {
    pub points: Vec<Vec<f64>>,
    pub width: usize,
    pub output: usize,
}

impl Instance for Layer {
    fn describe(&self) -> String {
        format!("m = {}, d = {}, h = {:?}", self.width, self.output, self.points)
    }

    fn validate(&self) -> Result<(), String> {
        let sound = self.width > 0 && self.output > 0 && self.points.len() >= 2 && self.width <= 1 << 20;
        let dimension = self.points.first().map_or(0, Vec::len);
        let rows = dimension > 0 && self.points.iter().all(|h| h.len() == dimension);
        (sound && rows)
            .then_some(())
            .ok_or_else(|| "a size of zero or beyond 2^20, or ragged vectors".into())
    }
}

impl Layer {
    /// The directions, if no vector is zero.
    fn directions(&self) -> Option<UnitPoints> {
        let points = UnitPoints {
            layers: 1,
            points: self.points.clone(),
        };
        points.validate().is_ok().then_some(points)
    }

    /// ½ ≤ ‖h_i‖ ≤ 2, and no direction twice.
    pub fn fits(&self) -> bool {
        let norm = |h: &Vec<f64>| h.iter().map(|x| x * x).sum::<f64>().sqrt();
        let norms = self.points.iter().all(|h| (0.5..=2.0).contains(&norm(h)));
        norms && self.directions().is_some_and(|p| !p.repeats())
    }

    /// m ≥ n³d/δ² with δ as large as the vectors allow.
    pub fn wide(&self) -> bool {
        let n = self.points.len() as f64;
        self.directions().is_some_and(|p| {
            let delta = widest(&p).lo();
            self.width as f64 >= n * n * n * self.output as f64 / (delta * delta)
        })
    }
}

/// The active units of every row r, and its column c_r of W_L.
fn rows(l: &Layer, width: usize, trial: &mut Trial, mut of: impl FnMut(&[bool], &[f64])) {
    let mut w = vec![0.0; l.points[0].len()];
    let mut column = vec![0.0; l.output];
    let share = 1.0 / (l.output as f64).sqrt();
    for _ in 0..width {
        fill_standard_normal(trial.rng(), &mut w);
        fill_standard_normal(trial.rng(), &mut column);
        column.iter_mut().for_each(|c| *c *= share);
        let active: Vec<bool> = l
            .points
            .iter()
            .map(|h| h.iter().zip(&w).map(|(a, b)| a * b).sum::<f64>() >= 0.0)
            .collect();
        of(&active, &column);
    }
}

/// Σ_r ‖(1/n) Σ_i ⟨c_r, t e_1⟩ s_ri h_i‖ / (t² n) with the constant m/(n³d) for t = 1, 10, …, 10⁶.
pub fn stretched(l: &Layer, trial: &mut Trial) -> Result<Vec<(f64, f64)>, MeasureError> {
    let n = l.points.len() as f64;
    let mut sum = 0.0;
    rows(l, l.width, trial, |active, column| {
        let coordinate = |c: usize| {
            let terms = l.points.iter().zip(active).map(|(h, &s)| if s { h[c] } else { 0.0 });
            terms.sum::<f64>() * column[0] / n
        };
        sum += (0..l.points[0].len())
            .map(|c| coordinate(c) * coordinate(c))
            .sum::<f64>()
            .sqrt();
    });
    let bound = l.width as f64 / (n * n * n * l.output as f64) * n;
    Ok((0..=6)
        .map(|k| core_math::exp10(f64::from(k)))
        .map(|t| (t, t * sum / (t * t * bound)))
        .collect())
}

/// λ_min(M) n³d/m at the widths m = `width`, 2 `width`, …: the smallest of several draws.
pub fn drawn_layers(l: &Layer, trial: &mut Trial) -> Result<Vec<(f64, f64)>, MeasureError> {
    let (n, d) = (l.points.len(), l.output);
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let seeds = trial.samples(20);
    let mut points = Vec::new();
    for k in 0..4 {
        let width = l.width << k;
        let mut least = f64::INFINITY;
        for _ in 0..seeds {
            let mut m = vec![0.0; n * d * n * d];
            rows(l, width, trial, |active, column| {
                for (i, p) in (0..n).filter(|&i| active[i]).flat_map(|i| (0..d).map(move |p| (i, p))) {
                    for (j, q) in (0..n).filter(|&j| active[j]).flat_map(|j| (0..d).map(move |q| (j, q))) {
                        m[(i * d + p) * n * d + j * d + q] += column[p] * column[q];
                    }
                }
            });
            // s_r s_rᵀ ∘ H: the Gram matrix comes last.
            let entry = |a: usize, b: usize| {
                let both = 0.5 * (m[a * n * d + b] + m[b * n * d + a]);
                Interval::point(both * dot(&l.points[a.min(b) / d], &l.points[a.max(b) / d]))
            };
            let eigenvalues = symmetric_eigenvalues(&IntervalMatrix::from_fn(n * d, n * d, entry)?)?;
            least = least.min(eigenvalues[0].lo() * n as f64 * d as f64 / width as f64);
        }
        points.push((width as f64, least.max(1e-300)));
    }
    Ok(points)
}

pub fn layers() -> Vec<(String, Layer)> {
    let of = |points: Vec<Vec<f64>>, width, output| Layer { points, width, output };
    vec![
        (
            "two orthogonal, d = 1".into(),
            of(vec![vec![1.0, 0.0], vec![0.0, 1.0]], 64, 1),
        ),
        ("two at angle 0.3, d = 2".into(), of(two(0.3), 256, 2)),
        (
            "three axes, d = 2".into(),
            of(axes(3).into_iter().step_by(2).collect(), 128, 2),
        ),
    ]
}
