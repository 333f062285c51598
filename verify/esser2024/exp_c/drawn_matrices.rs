//! Laws of x for the expectation of C of (7): half moons as a finite support, and normal data with draws of C, their average and how
//! often one is negative definite.

use enclosures::probability::standard_normal;
use enclosures::stream::Stream;
use evidence::claim::{Cell, Series};
use evidence::prelude::*;
use serde::{Deserialize, Serialize};

/// n anchors x ~ N(mean, diag(deviations²)), x⁻ drawn alike, x⁺ = x + ε with ε ~ N(0, σI).
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "n = {anchors}, x normal with mean {mean:?} and deviations {deviations:?}, σ = {noise}", stored)]
pub struct NormalData {
    #[instance(range = "1..=1000")]
    pub anchors: usize,
    #[instance(length = "d in 1..=8", range = "-100..=100")]
    pub mean: Vec<f64>,
    #[instance(length = "d", range = "-100..=100")]
    pub deviations: Vec<f64>,
    /// σ, a variance.
    #[instance(range = "0..=100")]
    pub noise: f64,
}

impl NormalData {
    pub fn standard(d: usize, anchors: usize) -> Self {
        NormalData { anchors, mean: vec![0.0; d], deviations: vec![1.0; d], noise: 0.1 }
    }

    fn d(&self) -> usize {
        self.mean.len()
    }

    fn point(&self, rng: &mut Stream) -> Vec<f64> {
        let coordinate = |(m, s): (&f64, &f64)| m + s * standard_normal(rng);
        self.mean.iter().zip(&self.deviations).map(coordinate).collect()
    }

    /// One C̃, row by row.
    fn draw(&self, rng: &mut Stream) -> Vec<f64> {
        let (d, spread) = (self.d(), self.noise.sqrt());
        let mut matrix = vec![0.0; d * d];
        for _ in 0..self.anchors {
            let (x, other) = (self.point(rng), self.point(rng));
            let pull: Vec<f64> = (0..d).map(|j| other[j] - (x[j] + spread * standard_normal(rng))).collect();
            for (row, a) in matrix.chunks_exact_mut(d).zip(&x) {
                for (entry, b) in row.iter_mut().zip(&pull) {
                    *entry += a * b;
                }
            }
        }
        matrix
    }
}

/// Mean and standard error of every entry of C̃.
pub struct Averages {
    entries: Vec<(f64, f64)>,
}

pub fn averages(data: &NormalData, trial: &mut Trial) -> Result<Averages, MeasureError> {
    let draws = trial.samples(4000).max(400);
    let d = data.d();
    let (mut sums, mut squares) = (vec![0.0; d * d], vec![0.0; d * d]);
    for _ in 0..draws {
        for (k, x) in data.draw(trial.rng()).into_iter().enumerate() {
            sums[k] += x;
            squares[k] += x * x;
        }
    }
    let count = draws as f64;
    let one = |(s, q): (&f64, &f64)| {
        let mean = s / count;
        (mean, ((q / count - mean * mean).max(0.0) / (count - 1.0)).sqrt())
    };
    Ok(Averages { entries: sums.iter().zip(&squares).map(one).collect() })
}

impl Averages {
    /// Every average is within six standard errors of −n(Cov(x) + share · E[x]E[x]ᵀ).
    pub fn agree(&self, data: &NormalData, share: f64) -> Evaluation {
        let d = data.d();
        let places = pairs(0..d, 0..d);
        for_each_index("entry", places, |(i, j)| {
            let (mean, error) = self.entries[i * d + j];
            let variance = if i == j { data.deviations[i] * data.deviations[i] } else { 0.0 };
            let expected = -(data.anchors as f64) * (variance + share * data.mean[i] * data.mean[j]);
            at_most(Enclosure::measured((mean - expected).abs()), Enclosure::measured(6.0 * error + 1e-9))
        })
    }
}

pub fn named() -> Vec<(&'static str, NormalData)> {
    let of = |anchors, mean: &[f64], deviations: &[f64], noise| NormalData {
        anchors,
        mean: mean.to_vec(),
        deviations: deviations.to_vec(),
        noise,
    };
    vec![
        ("centred", of(2, &[0.0, 0.0], &[1.0, 2.0], 1.0)),
        ("mean 3", of(1, &[3.0], &[1.0], 0.0)),
        ("off the origin", of(10, &[1.0, -2.0], &[1.0, 0.5], 1.0)),
        ("on a line off the origin", of(2, &[1.0, 0.0], &[0.0, 1.0], 0.25)),
        ("three dimensions", of(5, &[0.5, 0.0, -0.5], &[1.0, 1.0, 2.0], 0.1)),
    ]
}

/// Whether −(A + Aᵀ)/2 is positive definite: all pivots of Gaussian elimination are positive.
fn is_negative_definite(a: &[f64], d: usize) -> bool {
    let mut m: Vec<Vec<f64>> = (0..d).map(|i| (0..d).map(|j| -0.5 * (a[i * d + j] + a[j * d + i])).collect()).collect();
    for k in 0..d {
        let pivot = m[k].clone();
        if pivot[k] <= 0.0 {
            return false;
        }
        for row in m.iter_mut().skip(k + 1) {
            let factor = row[k] / pivot[k];
            for (x, p) in row.iter_mut().zip(&pivot) {
                *x -= factor * p;
            }
        }
    }
    true
}

/// How often C is negative definite, by n and d.
pub fn definite(trial: &mut Trial) -> Result<Series, MeasureError> {
    const DRAWS: usize = 1000;
    let mut table = Series::of([("n", ""), ("d = 1", ""), ("d = 2", ""), ("d = 3", ""), ("d = 5", "")])
        .noting(format!("shares of {DRAWS} draws, rounded to one in a hundred"));
    for n in [1, 2, 3, 5, 10, 20, 50, 100] {
        let mut row: Vec<Cell> = vec![n.into()];
        for d in [1, 2, 3, 5] {
            let data = NormalData::standard(d, n);
            let hits = (0..DRAWS).filter(|_| is_negative_definite(&data.draw(trial.rng()), d)).count();
            row.push(format!("{:.2}", hits as f64 / DRAWS as f64).into());
        }
        table.push(row);
    }
    Ok(table)
}

/// Half moons: two half circles of radius one, the second turned over and shifted, so many points on each.
pub fn half_moons(each: usize) -> Vec<Vec<f64>> {
    let at = |k: usize| {
        let angle = Enclosure::pi() * (k as f64 / (each - 1) as f64);
        (angle.cos().midpoint(), angle.sin().midpoint())
    };
    let upper = (0..each).map(|k| vec![at(k).0, at(k).1]);
    let lower = (0..each).map(|k| vec![1.0 - at(k).0, 0.5 - at(k).1]);
    upper.chain(lower).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pivots_tell_definite_matrices() {
        assert!(is_negative_definite(&[-2.0, 1.0, 0.5, -1.0], 2));
        assert!(!is_negative_definite(&[-1.0, 2.0, 2.0, -1.0], 2));
        assert!(!is_negative_definite(&[0.0], 1));
    }
}
