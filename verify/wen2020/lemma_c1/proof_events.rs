//! The events A_i in the proof of Lemma C.1, on drawn rows of W_{L−1} and columns of W_L.

use enclosures::probability::clopper_pearson;
use enclosures::probability::{fill_standard_normal, normal_two_sided_tail};
use enclosures::vectors::{norm, sum_of_products, sum_of_squares};
use evidence::prelude::*;
use serde::{Deserialize, Serialize};

use crate::shared::gaussian_events::{orthant_simplex, widest, xi};
use crate::shared::unit_points::{UnitPoints, two};

/// A vector v ∈ ℝ^d, against a column of W_L.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "d = {d}, v = {vector:?}", stored)]
pub struct Column {
    #[instance(length = "d in 1..", range = "-1e6..=1e6")]
    pub vector: Vec<f64>,
}

impl Column {
    fn d(&self) -> f64 {
        self.vector.len() as f64
    }

    /// ‖v‖.
    pub fn length(&self) -> Enclosure {
        self.vector.iter().map(|&x| exact(x).square()).sum::<Enclosure>().sqrt()
    }

    /// ‖v‖/√d.
    pub fn threshold(&self) -> Enclosure {
        self.length() / exact(self.d()).sqrt()
    }

    /// P(|⟨c, v⟩| ≥ t): ⟨c, v⟩ is normal, with the variance Σ v_k²/d of a sum of independent terms.
    pub fn beyond(&self, t: Enclosure) -> Enclosure {
        let variance: Enclosure = self.vector.iter().map(|&x| exact(x).square() / self.d()).sum();
        normal_two_sided_tail((t / variance.sqrt()).interval()).into()
    }

    /// The share of drawn columns with |⟨c, v⟩| ≥ ‖v‖/√d.
    pub fn share_beyond(&self, trial: &mut Trial) -> Result<Enclosure, MeasureError> {
        let runs = trial.samples_at_least(20_000);
        let (root, threshold) = (self.d().sqrt(), self.threshold().midpoint());
        let (mut column, mut beyond) = (vec![0.0; self.vector.len()], 0u64);
        for _ in 0..runs {
            fill_standard_normal(trial.rng(), &mut column);
            beyond += u64::from((sum_of_products(&column, &self.vector) / root).abs() >= threshold);
        }
        Ok(clopper_pearson(beyond, runs as u64, trial.alpha(1))?)
    }
}

pub fn columns() -> Vec<(&'static str, Column)> {
    let of = |vector: &[f64]| Column { vector: vector.to_vec() };
    vec![
        ("d = 1", of(&[0.3])),
        ("d = 2, an axis", of(&[0.0, 7.0])),
        ("d = 4", of(&[1.0, -2.0, 0.5, 3.0])),
        ("d = 9, one large entry", of(&[1e-3, 1.0, 0.0, 2.0, -1.0, 100.0, 0.1, 0.2, 0.3])),
    ]
}

/// Hidden vectors h_i with ½ ≤ ‖h_i‖ ≤ 2, and d.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "d = {output}, h = {points:?}", valid = Self::has_directions, stored)]
pub struct HiddenVectors {
    #[instance(length = "2..")]
    pub points: Vec<Vec<f64>>,
    #[instance(range = "1..=64")]
    pub output: usize,
}

impl HiddenVectors {
    fn has_directions(&self) -> Result<(), String> {
        self.directions().validate()
    }
}

impl HiddenVectors {
    fn directions(&self) -> UnitPoints {
        UnitPoints { layers: 1, points: self.points.clone() }
    }

    /// ½ ≤ ‖h_i‖ ≤ 2, and no direction twice.
    pub fn fits(&self) -> bool {
        let norms = self.points.iter().all(|h| (0.5..=2.0).contains(&norm(h)));
        norms && !self.directions().repeats()
    }
}

/// What was seen of the events.
pub struct Seen {
    count: usize,
    /// The smallest d‖h_r‖²/‖v_i‖² on an A_i.
    least: f64,
}

impl Seen {
    /// On every A_i that was seen: d‖h_r‖²/‖v_i‖² ≥ constant.
    pub fn at_least(&self, constant: f64) -> Evaluation {
        if self.count == 0 {
            return vacuous("no drawn row meets an A_i");
        }
        at_least(Enclosure::measured(self.least), exact(constant))
            .noting(format!("{} rows in some A_i, least d‖h_r‖²/‖v_i‖² {:.3}", self.count, self.least))
    }
}

/// Draws v_1, …, v_n once and then rows w ~ N(0, I) and columns c ~ N(0, I/d), and tests A_i = A_{i,1} ∩ A_{i,2} ∩
/// A_{i,3} as the proof defines it.
pub fn on_events(s: &HiddenVectors, trial: &mut Trial) -> Result<Seen, MeasureError> {
    let p = s.directions();
    let (n, d) = (s.points.len(), s.output as f64);
    let xi = xi(widest(&p), n).midpoint();
    let rows: Vec<Vec<f64>> = (0..n).map(|i| p.direction(i).iter().map(|x| x.midpoint()).collect()).collect();
    let mut vectors = vec![vec![0.0; s.output]; n];
    for v in &mut vectors {
        fill_standard_normal(trial.rng(), v);
    }
    let mut seen = Seen { count: 0, least: f64::INFINITY };
    let (mut w, mut c) = (vec![0.0; rows[0].len()], vec![0.0; s.output]);
    for _ in 0..trial.samples(40_000) {
        fill_standard_normal(trial.rng(), &mut w);
        fill_standard_normal(trial.rng(), &mut c);
        let along: Vec<f64> = rows.iter().map(|h| sum_of_products(h, &w)).collect();
        let weights: Vec<f64> = vectors.iter().map(|v| sum_of_products(&c, v) / d.sqrt()).collect();
        let mut sum = vec![0.0; w.len()];
        for (i, h) in s.points.iter().enumerate() {
            if along[i] >= 0.0 {
                sum.iter_mut().zip(h).for_each(|(x, y)| *x += weights[i] * y);
            }
        }
        let square = sum_of_squares(&sum);
        for (i, v) in vectors.iter().enumerate() {
            let apart =
                |j: usize| j == i || (along[j] - along[i] * sum_of_products(&rows[i], &rows[j])).abs() >= 2.0 * xi;
            let in_w = along[i].abs() <= xi && (0..n).all(apart);
            let length = sum_of_squares(v);
            let large = weights[i].abs() >= (length / d).sqrt();
            if in_w && large && square.sqrt() >= weights[i].abs() / 4.0 {
                seen.count += 1;
                seen.least = seen.least.min(d * square / length);
            }
        }
    }
    Ok(seen)
}

fn scaled(rows: &[Vec<f64>], lengths: &[f64]) -> Vec<Vec<f64>> {
    let of = |(row, &length): (&Vec<f64>, &f64)| {
        let norm = norm(row);
        row.iter().map(|x| x * length / norm).collect()
    };
    rows.iter().zip(lengths).map(of).collect()
}

pub fn hidden_vectors() -> Vec<(&'static str, HiddenVectors)> {
    let of = |rows: &[Vec<f64>], lengths: &[f64], output| HiddenVectors { points: scaled(rows, lengths), output };
    vec![
        ("two at angle 0.3, lengths 0.51 and 1.9", of(&two(0.3), &[0.51, 1.9], 1)),
        ("two at angle 1.5, lengths 0.51, d = 3", of(&two(1.5), &[0.51, 0.51], 3)),
        ("three orthogonal, lengths 0.51, 1, 1.9", of(&orthant_simplex(3, 0.0), &[0.51, 1.0, 1.9], 2)),
        ("four in the orthant, d = 8", of(&orthant_simplex(4, 0.5), &[1.0, 0.7, 1.4, 1.9], 8)),
    ]
}
