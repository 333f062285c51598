//! A continuous model: every class a Gaussian with its own mean and one variance for all directions.

use super::{ChunkStream, IndexLaw, MonteCarloError, Sampler};
use enclosures::kernels::inner_product;
use enclosures::probability::standard_normal_pair;

/// `D_c = N(mu_c, sigma_c^2 I_d)`, optionally projected to a sphere around the origin as encoders with normalised outputs do.
///
/// Unprojected, the logit of an anchor `x` with a draw of class `c` is `N(x.mu_c, sigma_c^2 |x|^2)` and is drawn as one number;
/// the losses are unbounded then, so that only their standard error is known. Projected, they are bounded by the radius.
#[derive(Clone, Debug)]
pub struct GaussianMixture {
    class_weights: Vec<f64>,
    classes: IndexLaw,
    means: Vec<Vec<f64>>,
    deviations: Vec<f64>,
    sphere: Option<f64>,
}

impl GaussianMixture {
    /// A mixture from class weights, means and standard deviations, one each per class.
    ///
    /// # Errors
    /// Lists of different or no length, means of different or no dimension or with coordinates that are not finite, weights or
    /// deviations that are not positive and finite.
    pub fn new(class_weights: &[f64], means: Vec<Vec<f64>>, deviations: &[f64]) -> Result<Self, MonteCarloError> {
        let classes = IndexLaw::new(class_weights)?;
        let count = |what, value: usize, expected: usize| MonteCarloError::Count {
            what,
            value: value as u64,
            least: expected as u64,
            most: expected as u64,
        };
        for (what, len) in [("number of means", means.len()), ("number of deviations", deviations.len())] {
            if len != class_weights.len() {
                return Err(count(what, len, class_weights.len()));
            }
        }
        let dimension = means.first().map_or(0, Vec::len).max(1);
        for mean in &means {
            if mean.len() != dimension {
                return Err(count("dimension of a mean", mean.len(), dimension));
            }
            if let Some(&value) = mean.iter().find(|x| !x.is_finite()) {
                return Err(MonteCarloError::NotFinite { index: 0, value });
            }
        }
        if let Some(&value) = deviations.iter().find(|s| !(s.is_normal() && **s > 0.0)) {
            let what = "standard deviation";
            return Err(MonteCarloError::Parameter { what, value });
        }
        Ok(GaussianMixture {
            class_weights: class_weights.to_vec(),
            classes,
            means,
            deviations: deviations.to_vec(),
            sphere: None,
        })
    }

    /// The same with every embedding scaled to the norm `radius`.
    ///
    /// # Errors
    /// [`MonteCarloError::Parameter`] for a radius that is not positive and finite.
    pub fn on_sphere(mut self, radius: f64) -> Result<Self, MonteCarloError> {
        if !(radius.is_normal() && radius > 0.0) {
            let what = "radius";
            return Err(MonteCarloError::Parameter { what, value: radius });
        }
        self.sphere = Some(radius);
        Ok(self)
    }
}

impl Sampler for GaussianMixture {
    fn class_weights(&self) -> &[f64] {
        &self.class_weights
    }

    fn dimension(&self) -> usize {
        self.means.first().map_or(0, Vec::len)
    }

    fn radius(&self) -> Option<f64> {
        // Scaling and rounding d coordinates.
        self.sphere.map(|radius| radius * (1.0 + (self.dimension() + 8) as f64 * f64::EPSILON))
    }

    fn distance(&self) -> f64 {
        self.classes.distance()
    }

    fn draw_class(&self, stream: &mut ChunkStream) -> usize {
        self.classes.draw(stream)
    }

    fn draw_embedding(&self, class: usize, stream: &mut ChunkStream, out: &mut [f64]) {
        let (Some(mean), Some(&sigma)) = (self.means.get(class), self.deviations.get(class)) else {
            return;
        };
        for (pair, mean) in out.chunks_mut(2).zip(mean.chunks(2)) {
            let (a, b) = standard_normal_pair(stream);
            for ((x, mean), z) in pair.iter_mut().zip(mean).zip([a, b]) {
                *x = mean + sigma * z;
            }
        }
        if let Some(radius) = self.sphere {
            let norm = inner_product(out, out).sqrt();
            // A draw at the origin itself (never seen) is put on the first axis.
            if norm.is_normal() {
                out.iter_mut().for_each(|x| *x *= radius / norm);
            } else {
                out.fill(0.0);
                out.iter_mut().take(1).for_each(|x| *x = radius);
            }
        }
    }

    fn class_mean(&self, class: usize) -> Option<Vec<f64>> {
        if self.sphere.is_some() { None } else { self.means.get(class).cloned() }
    }

    fn draw_logits(
        &self,
        anchor: &[f64],
        class: Option<usize>,
        stream: &mut ChunkStream,
        scratch: &mut [f64],
        out: &mut [f64],
    ) {
        let mut of = |c: usize, stream: &mut ChunkStream| {
            if self.sphere.is_some() {
                self.draw_embedding(c, stream, scratch);
                (inner_product(anchor, scratch), 0.0)
            } else {
                let centre = self.means.get(c).map_or(0.0, |mean| inner_product(anchor, mean));
                (centre, self.deviations.get(c).copied().unwrap_or(0.0) * inner_product(anchor, anchor).sqrt())
            }
        };
        for pair in out.chunks_mut(2) {
            let noise = if self.sphere.is_none() { standard_normal_pair(stream) } else { (0.0, 0.0) };
            for (logit, z) in pair.iter_mut().zip([noise.0, noise.1]) {
                let c = class.unwrap_or_else(|| self.classes.draw(stream));
                let (centre, width) = of(c, stream);
                *logit = centre + width * z;
            }
        }
    }
}
