//! Continuous laws of the inputs of every class, seen through encoders whose outputs have a bounded norm.
//!
//! With class centres `m_c`, a spread `s` and a radius `R` an embedding of class `c` is
//!
//! | encoding | embedding | its mean |
//! |---|---|---|
//! | [`Encoding::FourierFeatures`] | `R (cos w_i.x, sin w_i.x) / sqrt(d/2)`, `x ~ N(m_c, s^2 I)` | `R e^{-s^2 \|w_i\|^2 / 2} (cos w_i.m_c, sin w_i.m_c) / sqrt(d/2)` |
//! | [`Encoding::SphericalCap`] | `R (t m_c + sqrt(1 - t^2) u)`, `\|m_c\| = 1`, `t` uniform on `[1 - s, 1]`, `u` uniform on the unit sphere across `m_c` | `R (1 - s/2) m_c` |
//! | [`Encoding::HeavyTails`] | `R W x / B`, `x_j = m_{c,j} +- s min(U^{-1/2}, 8)`, `B` a bound of `\|W x\|` | `R W m_c / B` |
//! | [`Encoding::ReluNetwork`] | `R h / \|h\|`, `h = max(0, W x)`, `x ~ N(m_c, s^2 I)` | not known |
//!
//! The Fourier features are those of Rahimi and Recht (2007); their mean is the characteristic function of a Gaussian.

use enclosures::kernels::inner_product;
use enclosures::probability::{standard_normal, standard_normal_pair, uniform};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};

use super::{ChunkStream, IndexLaw, MonteCarloError, Sampler};

/// Where a heavy tail is cut, in units of the spread.
const CUT: f64 = 8.0;

/// What an encoder makes of the inputs; see the table of the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Encoding {
    /// Random Fourier features of Gaussian inputs.
    FourierFeatures,
    /// Points of a sphere around the direction of their class.
    SphericalCap,
    /// A random linear encoder of inputs with bounded heavy tails.
    HeavyTails,
    /// A random layer of rectified units over Gaussian inputs, scaled to the sphere.
    ReluNetwork,
}

/// The sizes of a [`BoundedLaw`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundedLawShape {
    /// What the encoder does.
    pub encoding: Encoding,
    /// Number of classes.
    pub classes: usize,
    /// Coordinates of an input.
    pub input: usize,
    /// Coordinates of an embedding; an even number for Fourier features.
    pub dimension: usize,
    /// The bound of the norms of the embeddings.
    pub radius: f64,
    /// How far inputs of a class scatter; at most 2 for a spherical cap.
    pub spread: f64,
    /// Class `c = 0, 1, ...` has a probability proportional to `(c + 1)^-skew`.
    pub skew: f64,
}

/// One of the laws of the module, with centres and weights drawn from a seed.
#[derive(Clone, Debug)]
pub struct BoundedLaw {
    shape: BoundedLawShape,
    class_weights: Vec<f64>,
    classes: IndexLaw,
    /// Class centres, one after the other.
    centres: Vec<f64>,
    /// The rows of the encoder's matrix, one after the other.
    rows: Vec<f64>,
    means: Option<Vec<Vec<f64>>>,
    mean_error: f64,
    /// What a heavy-tailed embedding is multiplied with.
    scale: f64,
}

impl BoundedLaw {
    /// The law of this shape that belongs to a seed.
    ///
    /// # Errors
    /// [`MonteCarloError::Count`] for a size of zero, an odd dimension of Fourier features or a cap in one dimension;
    /// [`MonteCarloError::Parameter`] for a radius or spread that is not positive and finite, or a spread of a cap above 2.
    pub fn new(shape: BoundedLawShape, seed: &[u8; 32]) -> Result<Self, MonteCarloError> {
        check(&shape)?;
        let BoundedLawShape { encoding, classes, input, dimension, radius, spread, skew } = shape;
        let mut rng = ChaCha8Rng::from_seed(*seed);
        let mut normals = |count: usize| -> Vec<f64> { (0..count).map(|_| standard_normal(&mut rng)).collect() };
        let width = if encoding == Encoding::SphericalCap { dimension } else { input };
        let mut centres = normals(classes * width);
        let units = match encoding {
            Encoding::FourierFeatures => dimension / 2,
            Encoding::SphericalCap => 0,
            Encoding::HeavyTails | Encoding::ReluNetwork => dimension,
        };
        let rows = normals(units * width);
        if encoding == Encoding::SphericalCap {
            centres.chunks_exact_mut(width).for_each(|centre| {
                let norm = inner_product(centre, centre).sqrt();
                centre.iter_mut().for_each(|x| *x /= norm);
            });
        }
        let class_weights: Vec<f64> = (1..=classes).map(|c| core_math::pow(c as f64, -skew)).collect();
        let norm = |v: &[f64]| inner_product(v, v).sqrt();
        let longest = |list: &[f64]| list.chunks_exact(width).map(norm).fold(0.0, f64::max);
        let mut law = BoundedLaw {
            shape,
            classes: IndexLaw::new(&class_weights)?,
            class_weights,
            // What one rounding of every operation can move a mean or the law of an embedding by: a generous multiple, not derived term by term.
            mean_error: 64.0
                * (dimension + width) as f64
                * f64::EPSILON
                * radius
                * (1.0 + longest(&rows) * (longest(&centres) + CUT * spread * (width as f64).sqrt())),
            centres,
            rows,
            means: None,
            scale: 1.0,
        };
        if encoding == Encoding::HeavyTails {
            law.scale = radius / law.largest_output();
        }
        law.means = (0..classes).map(|class| law.mean(class)).collect();
        Ok(law)
    }

    /// Its sizes.
    #[must_use]
    pub fn shape(&self) -> &BoundedLawShape {
        &self.shape
    }

    fn centre(&self, class: usize) -> &[f64] {
        let width = self.centres.len() / self.shape.classes;
        &self.centres[class * width..(class + 1) * width]
    }

    /// `W x`, written to `out`.
    fn apply(&self, x: &[f64], out: &mut [f64]) {
        for (y, row) in out.iter_mut().zip(self.rows.chunks_exact(x.len())) {
            *y = inner_product(row, x);
        }
    }

    /// A bound of `|W x|` over all inputs with heavy tails: the centre's output, and the longest that the noise of every input
    /// coordinate adds.
    fn largest_output(&self) -> f64 {
        let (d, p) = (self.shape.dimension, self.shape.input);
        let mut out = vec![0.0; d];
        let mut most = 0.0f64;
        for class in 0..self.shape.classes {
            self.apply(self.centre(class), &mut out);
            most = most.max(inner_product(&out, &out).sqrt());
        }
        let column = |j: usize| self.rows.iter().skip(j).step_by(p).map(|x| x * x).sum::<f64>().sqrt();
        let noise: f64 = (0..p).map(column).sum();
        (most + CUT * self.shape.spread * noise) * (1.0 + 1e-9)
    }

    fn mean(&self, class: usize) -> Option<Vec<f64>> {
        let BoundedLawShape { encoding, dimension, radius, spread, .. } = self.shape;
        let centre = self.centre(class);
        match encoding {
            Encoding::FourierFeatures => {
                let amplitude = radius / (dimension as f64 / 2.0).sqrt();
                let features = self.rows.chunks_exact(centre.len()).flat_map(|row| {
                    let shrunk = amplitude * core_math::exp(-0.5 * spread * spread * inner_product(row, row));
                    let angle = inner_product(row, centre);
                    [shrunk * core_math::cos(angle), shrunk * core_math::sin(angle)]
                });
                Some(features.collect())
            }
            Encoding::SphericalCap => Some(centre.iter().map(|x| radius * (1.0 - spread / 2.0) * x).collect()),
            Encoding::HeavyTails => {
                let mut out = vec![0.0; dimension];
                self.apply(centre, &mut out);
                out.iter_mut().for_each(|x| *x *= self.scale);
                Some(out)
            }
            Encoding::ReluNetwork => None,
        }
    }

    /// A Gaussian input of a class.
    fn gaussian(&self, class: usize, stream: &mut ChunkStream) -> Vec<f64> {
        let mut x = self.centre(class).to_vec();
        for pair in x.chunks_mut(2) {
            let (a, b) = standard_normal_pair(stream);
            pair.iter_mut().zip([a, b]).for_each(|(x, z)| *x += self.shape.spread * z);
        }
        x
    }
}

/// What the shape has to keep to.
fn check(shape: &BoundedLawShape) -> Result<(), MonteCarloError> {
    let least_dimension = match shape.encoding {
        Encoding::FourierFeatures | Encoding::SphericalCap => 2,
        Encoding::HeavyTails | Encoding::ReluNetwork => 1,
    };
    let sizes = [
        ("number of classes", shape.classes, 1),
        ("number of input coordinates", shape.input, 1),
        ("dimension of the embeddings", shape.dimension, least_dimension),
    ];
    for (what, value, least) in sizes {
        if !(least..=1 << 20).contains(&value) {
            return Err(MonteCarloError::Count { what, value: value as u64, least: least as u64, most: 1 << 20 });
        }
    }
    if shape.encoding == Encoding::FourierFeatures && !shape.dimension.is_multiple_of(2) {
        let value = shape.dimension as u64;
        let what = "dimension of Fourier features, which come in pairs,";
        return Err(MonteCarloError::Count { what, value, least: value - 1, most: value + 1 });
    }
    let most_spread = if shape.encoding == Encoding::SphericalCap { 2.0 } else { 1e6 };
    let numbers = [("radius", shape.radius, 1e6), ("spread", shape.spread, most_spread)];
    for (what, value, most) in numbers {
        if !(value.is_normal() && 0.0 < value && value <= most) {
            return Err(MonteCarloError::Parameter { what, value });
        }
    }
    if !shape.skew.is_finite() {
        return Err(MonteCarloError::Parameter { what: "skew", value: shape.skew });
    }
    Ok(())
}

impl Sampler for BoundedLaw {
    fn class_weights(&self) -> &[f64] {
        &self.class_weights
    }

    fn dimension(&self) -> usize {
        self.shape.dimension
    }

    fn radius(&self) -> Option<f64> {
        let operations = (self.shape.dimension + self.shape.input + 32) as f64;
        Some(self.shape.radius * (1.0 + operations * f64::EPSILON))
    }

    fn distance(&self) -> f64 {
        self.classes.distance()
    }

    fn draw_class(&self, stream: &mut ChunkStream) -> usize {
        self.classes.draw(stream)
    }

    fn draw_embedding(&self, class: usize, stream: &mut ChunkStream, out: &mut [f64]) {
        let BoundedLawShape { encoding, dimension, radius, spread, .. } = self.shape;
        match encoding {
            Encoding::FourierFeatures => {
                let x = self.gaussian(class, stream);
                let amplitude = radius / (dimension as f64 / 2.0).sqrt();
                for (pair, row) in out.chunks_exact_mut(2).zip(self.rows.chunks_exact(x.len())) {
                    let angle = inner_product(row, &x);
                    pair[0] = amplitude * core_math::cos(angle);
                    pair[1] = amplitude * core_math::sin(angle);
                }
            }
            Encoding::SphericalCap => {
                let centre = self.centre(class);
                let along = 1.0 - spread * uniform(stream);
                for pair in out.chunks_mut(2) {
                    let (a, b) = standard_normal_pair(stream);
                    pair.iter_mut().zip([a, b]).for_each(|(x, z)| *x = z);
                }
                let overlap = inner_product(out, centre);
                out.iter_mut().zip(centre).for_each(|(x, m)| *x -= overlap * m);
                let norm = inner_product(out, out).sqrt();
                let across = if norm > 0.0 { (1.0 - along * along).max(0.0).sqrt() / norm } else { 0.0 };
                out.iter_mut().zip(centre).for_each(|(x, m)| *x = radius * (along * m + across * *x));
            }
            Encoding::HeavyTails => {
                let mut x = self.centre(class).to_vec();
                for x in &mut x {
                    let size = (1.0 / uniform(stream).sqrt()).min(CUT);
                    *x += if stream.word() >> 63 == 0 { spread * size } else { -spread * size };
                }
                self.apply(&x, out);
                out.iter_mut().for_each(|y| *y *= self.scale);
            }
            Encoding::ReluNetwork => {
                let x = self.gaussian(class, stream);
                self.apply(&x, out);
                out.iter_mut().for_each(|y| *y = y.max(0.0));
                let norm = inner_product(out, out).sqrt();
                if norm.is_normal() {
                    out.iter_mut().for_each(|y| *y *= radius / norm);
                } else {
                    out.fill(0.0);
                    out.iter_mut().take(1).for_each(|y| *y = radius);
                }
            }
        }
    }

    fn class_mean(&self, class: usize) -> Option<Vec<f64>> {
        self.means.as_ref()?.get(class).cloned()
    }

    fn mean_error(&self) -> f64 {
        self.mean_error
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::monte_carlo::estimated_means;

    const ENCODINGS: [Encoding; 4] =
        [Encoding::FourierFeatures, Encoding::SphericalCap, Encoding::HeavyTails, Encoding::ReluNetwork];

    fn shape(encoding: Encoding) -> BoundedLawShape {
        BoundedLawShape { encoding, classes: 3, input: 5, dimension: 6, radius: 1.5, spread: 0.7, skew: 0.5 }
    }

    #[test]
    fn embeddings_keep_to_the_radius_and_have_the_means_that_are_said_to_be_known() {
        for encoding in ENCODINGS {
            let law = BoundedLaw::new(shape(encoding), &[7; 32]).unwrap();
            let (mut stream, mut x) = (ChunkStream::new(&[1; 32], 0), [0.0; 6]);
            let (mut longest, mut squares) = (0.0f64, 0.0);
            for draw in 0..3000 {
                law.draw_embedding(draw % 3, &mut stream, &mut x);
                longest = longest.max(inner_product(&x, &x).sqrt());
                squares += inner_product(&x, &x) / 3000.0;
            }
            assert!(longest <= law.radius().unwrap() && longest > 0.1, "{encoding:?}: {longest}");
            const DRAWS: usize = 40_000;
            let estimated = estimated_means(&law, &mut stream, DRAWS);
            for (class, found) in estimated.iter().enumerate() {
                let Some(mean) = law.class_mean(class) else {
                    assert_eq!(encoding, Encoding::ReluNetwork);
                    continue;
                };
                let away: Vec<f64> = found.iter().zip(&mean).map(|(a, b)| a - b).collect();
                // The mean square of this distance is at most that of the embeddings of its class, which is at most three times that of all
                // classes, over the number of draws; six times its root is never seen.
                let most = 6.0 * (3.0 * squares / DRAWS as f64).sqrt();
                assert!(inner_product(&away, &away).sqrt() < most, "{encoding:?} {class}: {away:?}");
                assert!(inner_product(&mean, &mean).sqrt() > 0.01, "{encoding:?}: the mean is not nothing");
            }
        }
    }

    #[test]
    fn classes_are_skewed_as_asked_and_a_seed_gives_one_law() {
        let law = BoundedLaw::new(shape(Encoding::HeavyTails), &[3; 32]).unwrap();
        assert_eq!(law.class_weights()[0], 1.0);
        assert!((law.class_weights()[2] - 1.0 / 3f64.sqrt()).abs() < 1e-15);
        let even = BoundedLaw::new(BoundedLawShape { skew: 0.0, ..shape(Encoding::HeavyTails) }, &[3; 32]).unwrap();
        assert_eq!(even.class_weights(), [1.0; 3]);
        assert_eq!(even.class_mean(1), law.class_mean(1));
        let other = BoundedLaw::new(shape(Encoding::HeavyTails), &[4; 32]).unwrap();
        assert_ne!(other.class_mean(1), law.class_mean(1));
    }

    #[test]
    fn what_is_no_shape_is_refused() {
        let of = |change: fn(&mut BoundedLawShape), encoding| {
            let mut shape = shape(encoding);
            change(&mut shape);
            BoundedLaw::new(shape, &[0; 32]).err()
        };
        for encoding in ENCODINGS {
            for change in [
                |s: &mut BoundedLawShape| s.classes = 0,
                |s: &mut BoundedLawShape| s.dimension = 0,
                |s: &mut BoundedLawShape| s.radius = f64::NAN,
                |s: &mut BoundedLawShape| s.spread = -1.0,
                |s: &mut BoundedLawShape| s.skew = f64::INFINITY,
            ] {
                assert!(of(change, encoding).is_some(), "{encoding:?}");
            }
        }
        assert!(of(|s| s.dimension = 5, Encoding::FourierFeatures).is_some());
        assert!(of(|s| s.spread = 2.5, Encoding::SphericalCap).is_some());
        assert!(of(|s| s.spread = 2.5, Encoding::ReluNetwork).is_none());
    }
}
