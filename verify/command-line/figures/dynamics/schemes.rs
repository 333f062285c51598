//! Projected gradient descent (11) beside Euler's scheme (12), step by step from the same network.

use std::time::Instant;

use contrastive::network::Activation;
use enclosures::linear_algebra::{Matrix, MatrixError};
use enclosures::stream::Stream;
use linear_ssl::flow::{FlowError, OrthonormalNetwork};
use serde::{Deserialize, Serialize};

use super::two_digits::{INPUTS, TwoDigits};

/// Step size η of both, the paper's.
pub const ETA: f64 = 0.01;

/// Both at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SideBySide {
    /// Steps made before.
    pub step: u32,
    /// Tr(MᵀCM)/n of (11).
    pub descent: f64,
    /// That of (12).
    pub dynamics: f64,
    /// The largest distance of an entry of M = W₁ᵀW₂ between both.
    pub apart: f64,
}

/// Both along the way, and the maps x ↦ Mᵀx that they end with, d × z.
pub struct Course {
    pub looks: Vec<SideBySide>,
    pub descended: Matrix,
    pub solved: Matrix,
}

/// Steps after which somebody who waits is told.
const STRIDE: u32 = 20;

/// Follows both from a random network of width h with z outputs, and looks at the moments, which increase; `stepped` is told along the way
/// how many steps have been made.
///
/// # Errors
/// A step that leaves the range of doubles.
pub fn follow(
    two: &TwoDigits,
    (h, z): (u32, u32),
    moments: &[u32],
    rng: &mut Stream,
    stepped: &dyn Fn(u32),
) -> Result<Course, FlowError> {
    let unit = Matrix::diagonal(&[1.0; INPUTS])?;
    let mut network = OrthonormalNetwork::haar(Activation::Identity, (INPUTS, z as usize, h as usize), rng)?;
    let mut descended = network.outputs_at(&unit)?;
    let mut q = two.eigenvectors.rounded_product(&descended)?;
    let (mut done, mut looks) = (0, Vec::new());
    for &moment in moments {
        while done < moment {
            let steps = STRIDE.min(moment - done);
            network = network.descended(&unit, &two.matrix, ETA, steps as usize)?;
            for _ in 0..steps {
                q = euler_step(&two.spectrum, &q)?;
            }
            done += steps;
            stepped(steps);
        }
        descended = network.outputs_at(&unit)?;
        let seen = two.eigenvectors.rounded_product(&descended)?;
        looks.push(SideBySide {
            step: moment,
            descent: energy(&two.spectrum, &seen),
            dynamics: energy(&two.spectrum, &q),
            apart: apart(&seen, &q),
        });
    }
    Ok(Course { looks, descended, solved: two.eigenvectors.transpose().rounded_product(&q)? })
}

/// (12): q − 2η[2Λq − Λqqᵀq − qqᵀΛq].
fn euler_step(spectrum: &[f64], q: &Matrix) -> Result<Matrix, MatrixError> {
    let image = Matrix::from_fn(q.rows(), q.columns(), |i, j| spectrum[i] * q.row(i)[j])?;
    let turned = q.transpose();
    let (gram, weighted) = (turned.rounded_product(q)?, turned.rounded_product(&image)?);
    let (one, two) = (image.rounded_product(&gram)?, q.rounded_product(&weighted)?);
    Matrix::from_fn(q.rows(), q.columns(), |i, j| {
        q.row(i)[j] - 2.0 * ETA * (2.0 * image.row(i)[j] - one.row(i)[j] - two.row(i)[j])
    })
}

/// Tr(qᵀΛq).
fn energy(spectrum: &[f64], q: &Matrix) -> f64 {
    let rows = spectrum.iter().zip(q.row_iter());
    rows.map(|(l, row)| l * row.iter().map(|x| x * x).sum::<f64>()).sum()
}

fn apart(a: &Matrix, b: &Matrix) -> f64 {
    let distances = a.entries().iter().zip(b.entries()).map(|(x, y)| (x - y).abs());
    distances.fold(0.0, f64::max)
}

/// How often a step of (11) is timed; steps of (12) are so ten times as often.
pub const REPETITIONS: usize = 20;

/// How long a step takes at one width, in seconds: the least of several repetitions, which other work on the machine disturbs least.
#[derive(Clone, Copy, Debug)]
pub struct StepTime {
    pub width: u32,
    pub descent: f64,
    pub dynamics: f64,
}

/// Times steps of both with z outputs.
///
/// # Errors
/// As [`follow`].
pub fn time(two: &TwoDigits, (h, z): (u32, u32), rng: &mut Stream) -> Result<StepTime, FlowError> {
    let unit = Matrix::diagonal(&[1.0; INPUTS])?;
    let network = OrthonormalNetwork::haar(Activation::Identity, (INPUTS, z as usize, h as usize), rng)?;
    let start = two.eigenvectors.rounded_product(&network.outputs_at(&unit)?)?;
    let mut times = [f64::INFINITY; 2];
    // Pieces of a few milliseconds at most: some of them fall between what else the machine does.
    for _ in 0..REPETITIONS {
        let begin = Instant::now();
        std::hint::black_box(network.descended(&unit, &two.matrix, ETA, 1)?);
        times[0] = times[0].min(begin.elapsed().as_secs_f64());
    }
    for _ in 0..10 * REPETITIONS {
        let begin = Instant::now();
        let mut q = start.clone();
        for _ in 0..100 {
            q = euler_step(&two.spectrum, &q)?;
        }
        std::hint::black_box(q);
        times[1] = times[1].min(begin.elapsed().as_secs_f64() / 100.0);
    }
    Ok(StepTime { width: h, descent: times[0], dynamics: times[1] })
}

#[cfg(test)]
mod tests {
    use super::*;
    use contrastive::data::LabelledPoints;
    use enclosures::stream::stream;

    /// Images whose two classes differ in one square of pixels.
    fn two() -> TwoDigits {
        let count = 201;
        let pixel = |i: usize| {
            let (image, place) = (i / 784, i % 784);
            let bright = place < 4 && image >= count;
            f64::from(u8::from(bright)) + f64::from((i as u32).wrapping_mul(2_654_435_761) >> 24) / 512.0
        };
        let pixels: Vec<f64> = (0..2 * count * 784).map(pixel).collect();
        let images = LabelledPoints::new(pixels, 784, (0..2 * count).map(|i| (i / count) as u32).collect()).unwrap();
        TwoDigits::of(&images, [0, 1], &mut stream(3, &["two digits"])).unwrap()
    }

    #[test]
    fn both_start_together_fall_and_stay_close() {
        let two = two();
        let course = follow(&two, (60, 1), &[0, 1, 45], &mut stream(1, &["start"]), &|_| ()).unwrap();
        let [first, second, last] = course.looks[..] else { panic!("three looks") };
        assert!(first.apart < 1e-14 && (first.descent - first.dynamics).abs() < 1e-14);
        assert!(second.descent < first.descent && second.dynamics < first.dynamics);
        assert!(last.descent < second.descent && last.dynamics < second.dynamics);
        assert!(last.descent >= two.least(1) && last.apart < 0.05, "{}", last.apart);
        let counted = std::cell::Cell::new(0);
        let count = |steps| counted.set(counted.get() + steps);
        let same = follow(&two, (60, 1), &[45], &mut stream(1, &["start"]), &count).unwrap();
        assert_eq!(counted.get(), 45);
        assert_eq!(same.looks[0], last);
        assert_eq!((same.descended.rows(), same.solved.columns()), (INPUTS, 1));
    }

    #[test]
    fn a_unit_eigenvector_rests_under_the_second_scheme() {
        let q = Matrix::new(2, 1, vec![0.0, 1.0]).unwrap();
        assert_eq!(euler_step(&[-2.0, -1.0], &q).unwrap(), q);
        // q = 1/2: q − 4ηλq(1 − q²).
        let half = Matrix::new(1, 1, vec![0.5]).unwrap();
        let next = euler_step(&[-1.0], &half).unwrap();
        assert!((next.entries()[0] - (0.5 + 4.0 * ETA * 0.5 * 0.75)).abs() < 1e-15);
    }
}
