//! The left side of Lemma C.1: for one drawn layer W_{L−1} under an output layer W_L, on given vectors h_i, and from
//! above for vectors v_i that are long.

use enclosures::linear_algebra::{IntervalMatrix, symmetric_eigenvalues};
use enclosures::probability::fill_standard_normal;
use enclosures::vectors::{norm, sum_of_products};
use evidence::prelude::*;
use serde::{Deserialize, Serialize};

use crate::shared::gaussian_events::widest;
use crate::shared::unit_points::{UnitPoints, axes, two};

/// Vectors h_i, width and output dimension of a drawn layer.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "m = {width}, d = {output}, h = {points:?}", stored)]
pub struct Layer {
    #[instance(length = "2.., 1..")]
    pub points: Vec<Vec<f64>>,
    #[instance(range = "1..=1048576")]
    pub width: usize,
    #[instance(range = "1..")]
    pub output: usize,
}

impl Layer {
    /// The directions, if no vector is zero.
    fn directions(&self) -> Option<UnitPoints> {
        let points = UnitPoints { layers: 1, points: self.points.clone() };
        points.validate().is_ok().then_some(points)
    }

    /// ½ ≤ ‖h_i‖ ≤ 2, and no direction twice.
    pub fn fits(&self) -> bool {
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
        let active: Vec<bool> = l.points.iter().map(|h| sum_of_products(h, &w) >= 0.0).collect();
        of(&active, &column);
    }
}

/// λ_min(M) n³d/m at the widths m = `width`, 2 `width`, …: the smallest of several draws.
pub fn drawn_layers(l: &Layer, trial: &mut Trial) -> Result<Vec<(usize, Enclosure)>, MeasureError> {
    let (n, d) = (l.points.len(), l.output);
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
                Interval::point(both * sum_of_products(&l.points[a.min(b) / d], &l.points[a.max(b) / d]))
            };
            let eigenvalues = symmetric_eigenvalues(&IntervalMatrix::from_fn(n * d, n * d, entry)?)?;
            least = least.min(eigenvalues[0].lo() * n as f64 * d as f64 / width as f64);
        }
        points.push((width, Enclosure::measured(least)));
    }
    Ok(points)
}

/// λ_min(M) n³d/m ≥ δ/16 at every width, δ as large as the vectors allow.
pub fn at_least_sixteenth(l: &Layer, found: &[(usize, Enclosure)]) -> Evaluation {
    let Some(directions) = l.directions() else {
        return Evaluation::Failed("a vector is zero".into());
    };
    let bound = Enclosure::from(widest(&directions)) / 16.0;
    let shown: Vec<String> = found.iter().map(|(m, x)| format!("m = {m}: {:.2e}", x.lo())).collect();
    all_of(found.iter().map(|&(m, x)| (format!("m = {m}"), at_least(x, bound)))).noting(shown.join(", "))
}

/// A constant c of the bound with norms that are not squared, and n, d and δ.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(stored)]
pub struct Degree {
    #[instance(symbol = "c", range = "1e-12..=1e3", scale = "logarithmic")]
    pub constant: f64,
    #[instance(symbol = "δ", range = "1e-3..=2", scale = "logarithmic")]
    pub separation: f64,
    #[instance(symbol = "n", range = "1..=100_000")]
    pub points: u32,
    #[instance(symbol = "d", range = "1..=100_000")]
    pub output: u32,
}

impl Degree {
    fn n(&self) -> Enclosure {
        self.points.into()
    }

    fn d(&self) -> Enclosure {
        self.output.into()
    }

    /// t = 5n²√d/(cδ).
    fn stretch(&self) -> Enclosure {
        5.0 * self.n().square() * self.d().sqrt() / (exact(self.constant) * self.separation)
    }

    /// 4t/√d, an upper bound of the left side over m at v_i = t e_1 outside an event of probability ¼: every ‖h_i‖ is
    /// at most two, and Σ_r |[W_L]_{1r}| ≤ (m Σ_r [W_L]_{1r}²)^{1/2} ≤ 2m/√d.
    pub fn left(&self) -> Enclosure {
        4.0 * self.stretch() / self.d().sqrt()
    }

    /// c (δ/(n³d)) nt².
    pub fn right(&self) -> Enclosure {
        exact(self.constant) * self.separation * self.stretch().square() / (self.n().square() * self.d())
    }
}

pub fn layers() -> Vec<(String, Layer)> {
    let of = |points: Vec<Vec<f64>>, width, output| Layer { points, width, output };
    vec![
        ("two orthogonal, d = 1".into(), of(vec![vec![1.0, 0.0], vec![0.0, 1.0]], 64, 1)),
        ("two at angle 0.3, d = 2".into(), of(two(0.3), 256, 2)),
        ("three axes, d = 2".into(), of(axes(3).into_iter().step_by(2).collect(), 128, 2)),
    ]
}
