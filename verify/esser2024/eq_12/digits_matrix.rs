//! Euler's scheme (12) with η = 0.01 on the matrix C of (7) of two classes of the digits, as a sum and as a mean over the images.

use contrastive::data::digits;
use enclosures::linear_algebra::{IntervalMatrix, Matrix, symmetric_eigenvalues};
use enclosures::probability::standard_normal;
use enclosures::probability::standard_normals;
use enclosures::vectors::{largest_magnitude, norm, sum_of_products, sum_of_squares};
use evidence::prelude::*;
use serde::{Deserialize, Serialize};

/// Two digits, and whether C is divided by the number of their images.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, valid = Self::differ, stored)]
pub struct TwoDigits {
    #[instance(range = "0..=9")]
    pub digits: [u32; 2],
    pub mean: bool,
}

impl TwoDigits {
    fn in_words(&self) -> String {
        let [a, b] = self.digits;
        let c = if self.mean { "C/n" } else { "C" };
        format!("images of {a} and {b}, {c}, η = 0.01")
    }

    fn differ(&self) -> Result<(), String> {
        if self.digits[0] != self.digits[1] { Ok(()) } else { Err("twice the same digit".into()) }
    }
}

pub fn pairs() -> Vec<(String, TwoDigits)> {
    let of = |digits, mean| TwoDigits { digits, mean };
    described([of([0, 1], false), of([4, 9], false), of([0, 1], true), of([4, 9], true)])
}

/// After 10000 steps: ‖m‖, ‖Cm − λm‖ with λ = mᵀCm, and λ, next to the lowest eigenvalue of C.
pub struct DigitsRun {
    norm: f64,
    residual: f64,
    rayleigh: f64,
    lowest: Interval,
    fraction: f64,
}

const ETA: f64 = 0.01;

/// C with x⁻ an image drawn from both classes and x⁺ = x + ε, ε of variance 0.1, the scheme of Example 1.
fn matrix(two: &TwoDigits, trial: &mut Trial) -> Result<Matrix, MeasureError> {
    let images = digits::load(trial.fixtures().root())?;
    let chosen: Vec<&[f64]> = (0..images.len())
        .filter(|&i| two.digits.contains(&images.original_labels()[images.label(i)]))
        .map(|i| images.point(i))
        .collect();
    let (n, d) = (chosen.len(), images.dimension());
    let mut entries = vec![0.0; d * d];
    for x in &chosen {
        let other = chosen[((uniform(trial.rng()) * n as f64) as usize).min(n - 1)];
        let pull: Vec<f64> = (0..d).map(|j| other[j] - x[j] - 0.1f64.sqrt() * standard_normal(trial.rng())).collect();
        for (i, a) in x.iter().enumerate() {
            for (j, b) in pull.iter().enumerate() {
                entries[i * d + j] += 0.5 * a * b;
                entries[j * d + i] += 0.5 * a * b;
            }
        }
    }
    let divisor = if two.mean { n as f64 } else { 1.0 };
    for x in &mut entries {
        *x /= divisor;
    }
    Ok(Matrix::new(d, d, entries)?)
}

fn times(c: &Matrix, m: &[f64]) -> Vec<f64> {
    c.row_iter().map(|row| sum_of_products(row, m)).collect()
}

/// The scheme in the basis of the pixels, m = Vq, so that no eigenvectors are needed; ‖m₀‖ = 1/10 as for a wide network.
pub fn run(two: &TwoDigits, trial: &mut Trial) -> Result<DigitsRun, MeasureError> {
    let c = matrix(two, trial)?;
    let mut m: Vec<f64> = standard_normals(trial.rng(), c.rows());
    let size = norm(&m);
    m.iter_mut().for_each(|x| *x *= 0.1 / size);
    for _ in 0..10_000 {
        let (image, rho) = (times(&c, &m), sum_of_squares(&m));
        let energy = sum_of_products(&m, &image);
        let change = |(x, y): (&f64, &f64)| x - 2.0 * ETA * ((2.0 - rho) * y - energy * x);
        m = m.iter().zip(&image).map(change).collect();
        let size = sum_of_squares(&m);
        if size.is_nan() || size > 1e100 {
            break;
        }
    }
    let rho = sum_of_squares(&m);
    let image = times(&c, &m);
    let rayleigh = sum_of_products(&m, &image) / rho;
    let off: Vec<f64> = image.iter().zip(&m).map(|(y, x)| y - rayleigh * x).collect();
    let spectrum = symmetric_eigenvalues(&IntervalMatrix::from(c))?;
    let lowest = spectrum.first().copied().unwrap_or(Interval::ENTIRE);
    let steepest = largest_magnitude(&spectrum);
    Ok(DigitsRun { norm: rho.sqrt(), residual: norm(&off), rayleigh, lowest, fraction: ETA * steepest })
}

impl DigitsRun {
    /// The end is a unit vector of the lowest eigenspace, to 0.001.
    pub fn arrives(&self) -> Evaluation {
        let note = format!("η|λ|max = {:.3}, end of norm {:.3e}", self.fraction, self.norm);
        let finite = |x: f64| Enclosure::measured(if x.is_finite() { x } else { f64::MAX });
        all_of([
            ("‖m‖ = 1", at_most(finite((self.norm - 1.0).abs()), exact(0.001))),
            ("Cm = λm", at_most(finite(self.residual), exact(0.001) * self.lowest.magnitude())),
            (
                "λ = λ₁",
                at_most(finite((self.rayleigh - self.lowest.midpoint()).abs()), exact(0.001) * self.lowest.magnitude()),
            ),
        ])
        .noting(note)
    }
}
