//! Two linear encoders, both losses, and gradient descent on either.
//!
//! f_A = W_A x_A/N_A with N_A² = E‖W_A x_A‖², and so for B; all expectations are those of the law of the images at hand. The
//! contrastive loss is −E log S_A − E log S_B with S_A = e^{τ² f_A·f_B}/(e^{τ² f_A·f_B} + K E e^{τ² f_A·f_B'}), f_B' of an independent image,
//! and S_B with the views exchanged; the loss without negatives is −E f_A·f_B.
//!
//! Source: Ren, Li, On the importance of contrastive loss in multimodal learning, section 3.

use enclosures::linear_algebra::{Matrix, MatrixError};
use enclosures::probability::standard_normal;
use enclosures::stream::Stream;
use two_view::Objective;

use super::halves::{Halves, INPUTS};

/// Both encoders, m × 98.
#[derive(Clone)]
pub struct Encoders {
    pub weights: [Matrix; 2],
}

/// The normalised embeddings of all images, one row each.
pub struct Embedded {
    pub views: [Matrix; 2],
    norms: [f64; 2],
}

impl Encoders {
    /// Weights with independent entries from N(0, 1/m).
    ///
    /// # Errors
    /// A width of zero.
    pub fn random(width: usize, rng: &mut Stream) -> Result<Self, MatrixError> {
        let scale = 1.0 / (width as f64).sqrt();
        let mut draw = || Matrix::from_fn(width, INPUTS, |_, _| scale * standard_normal(rng));
        Ok(Encoders { weights: [draw()?, draw()?] })
    }

    /// Encodes both halves.
    ///
    /// # Errors
    /// Weights so large that an embedding is not finite.
    pub fn embed(&self, halves: &Halves) -> Result<Embedded, MatrixError> {
        let (mut views, mut norms) = (Vec::new(), [0.0; 2]);
        for (k, (inputs, weights)) in [&halves.left, &halves.right].into_iter().zip(&self.weights).enumerate() {
            let outputs = inputs.rounded_product(&weights.transpose())?;
            norms[k] = (square(&outputs) / outputs.rows() as f64).sqrt();
            views.push(scaled(&outputs, 1.0 / norms[k])?);
        }
        let [left, right] = [views.remove(0), views.remove(0)];
        Ok(Embedded { views: [left, right], norms })
    }

    /// Makes a step of gradient descent and returns the loss before it.
    ///
    /// # Errors
    /// Weights that leave the range of doubles.
    pub fn descend(&mut self, halves: &Halves, objective: Objective, rate: f64) -> Result<f64, MatrixError> {
        let embedded = self.embed(halves)?;
        let (loss, slopes) = slopes(&embedded, objective)?;
        for (k, (inputs, slope)) in [&halves.left, &halves.right].into_iter().zip(&slopes).enumerate() {
            // Along the embeddings themselves the normaliser takes back what the slope gives.
            let f = &embedded.views[k];
            let along = inner(slope, f) / f.rows() as f64;
            let back = Matrix::from_fn(f.rows(), f.columns(), |i, j| {
                (slope.row(i)[j] - along * f.row(i)[j]) / embedded.norms[k]
            })?;
            let gradient = back.transpose().rounded_product(inputs)?;
            let weights = &self.weights[k];
            self.weights[k] =
                Matrix::from_fn(weights.rows(), INPUTS, |i, j| weights.row(i)[j] - rate * gradient.row(i)[j])?;
        }
        Ok(loss)
    }
}

/// The loss, and its derivatives with respect to the embeddings of both views.
fn slopes(embedded: &Embedded, objective: Objective) -> Result<(f64, [Matrix; 2]), MatrixError> {
    let [a, b] = &embedded.views;
    let n = a.rows();
    let share = 1.0 / n as f64;
    let Objective::Contrastive { tau_squared, negatives } = objective else {
        let loss = -share * inner(a, b);
        return Ok((loss, [scaled(b, -share)?, scaled(a, -share)?]));
    };
    let products = a.rounded_product(&b.transpose())?;
    let logits = scaled(&products, tau_squared)?;
    // Of the logit of each pair of images: the derivative of both halves of the loss.
    let mut pulls = vec![0.0; n * n];
    let mut loss = 0.0;
    for view in [0, 1] {
        let logit = |anchor: usize, other: usize| match view {
            0 => logits.row(anchor)[other],
            _ => logits.row(other)[anchor],
        };
        for anchor in 0..n {
            let own = logit(anchor, anchor);
            let powers: Vec<f64> =
                (0..n).map(|other| negatives * share * core_math::exp(logit(anchor, other) - own)).collect();
            let total = 1.0 + powers.iter().sum::<f64>();
            loss += share * core_math::log(total);
            for (other, power) in powers.iter().enumerate() {
                let pull = share * power / total;
                let place = |x: usize, y: usize| if view == 0 { x * n + y } else { y * n + x };
                pulls[place(anchor, other)] += pull;
                pulls[place(anchor, anchor)] -= pull;
            }
        }
    }
    let pulls = scaled(&Matrix::new(n, n, pulls)?, tau_squared)?;
    Ok((loss, [pulls.rounded_product(b)?, pulls.transpose().rounded_product(a)?]))
}

fn scaled(a: &Matrix, factor: f64) -> Result<Matrix, MatrixError> {
    Matrix::new(a.rows(), a.columns(), a.entries().iter().map(|x| factor * x).collect())
}

fn inner(a: &Matrix, b: &Matrix) -> f64 {
    a.entries().iter().zip(b.entries()).map(|(x, y)| x * y).sum()
}

fn square(a: &Matrix) -> f64 {
    inner(a, a)
}

#[cfg(test)]
mod tests {
    use super::*;
    use contrastive::data::LabelledPoints;
    use enclosures::stream::stream;

    fn halves() -> Halves {
        let pixel = |i: usize| f64::from((i as u32).wrapping_mul(2_654_435_761) >> 20) / 4096.0;
        let points: Vec<f64> = (0..7 * 784).map(pixel).collect();
        let images = LabelledPoints::new(points, 784, (0..7).map(|i| i % 2).collect()).unwrap();
        Halves::of(&images, 2).unwrap()
    }

    #[test]
    fn a_small_step_lowers_the_loss_by_the_square_of_the_gradient() {
        let halves = halves();
        let contrastive = Objective::Contrastive { tau_squared: 3.0, negatives: 2.0 };
        for objective in [contrastive, Objective::NonContrastive] {
            let start = Encoders::random(5, &mut stream(1, &["encoders"])).unwrap();
            let loss = |e: &Encoders| slopes(&e.embed(&halves).unwrap(), objective).unwrap().0;
            let rate = 1e-5;
            let (mut up, mut down) = (start.clone(), start.clone());
            assert_eq!(down.descend(&halves, objective, rate).unwrap(), loss(&start));
            up.descend(&halves, objective, -rate).unwrap();
            let moved: f64 = (0..2)
                .map(|k| {
                    let (from, to) = (up.weights[k].entries(), down.weights[k].entries());
                    from.iter().zip(to).map(|(x, y)| (x - y) * (x - y)).sum::<f64>()
                })
                .sum();
            // The steps are ±rate ∇L: their distance is 2 rate ‖∇L‖, and the losses differ by 2 rate ‖∇L‖².
            let (found, expected) = (loss(&up) - loss(&down), moved / (2.0 * rate));
            assert!(found > 0.0 && (found - expected).abs() < 1e-6 * expected, "{found} {expected}");
        }
    }

    #[test]
    fn equal_embeddings_cost_what_chance_does() {
        // All rows alike: every exponential is the same, and S = 1/(1 + K).
        let row = Matrix::from_fn(4, 3, |_, j| [0.6, 0.0, 0.8][j]).unwrap();
        let same = Embedded { views: [row.clone(), row], norms: [1.0; 2] };
        let objective = Objective::Contrastive { tau_squared: 2.0, negatives: 3.0 };
        let (loss, slopes) = slopes(&same, objective).unwrap();
        assert!((loss - 2.0 * core_math::log(4.0)).abs() < 1e-14);
        assert!(slopes[0].entries().iter().all(|s| s.abs() < 1e-15));
    }
}
