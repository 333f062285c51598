//! Two-layer linear networks of two inputs and two outputs in their Gram matrices, in plain doubles: the gradient flow at a cost that does
//! not depend on the width.

use std::convert::Infallible;

use rand::Rng;

use super::FlowError;
use super::runge_kutta::classical_step;
use enclosures::probability::{chi_square, standard_normal};

type Square = [[f64; 2]; 2];

/// `a = W_1^T W_1/h`, `b = W_2^T W_2/h` and `m = W_1^T W_2/h` of `W_1` and `W_2`, both `h x 2`, row by row.
///
/// Under the gradient flow of a loss whose gradient with respect to `m` is `g` they follow `a' = -(g m^T + m g^T)`,
/// `b' = -(g^T m + m^T g)` and `m' = -(g b + a g)`, in which neither the weights nor their number appear. The bits are the same on every
/// machine: fixed order, no fused operations.
///
/// Source: Esser, Mukherjee, Ghoshdastidar, the scaling P1 with a linear activation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GramMatrices {
    a: Square,
    b: Square,
    m: Square,
}

/// The gradient `g = D m - y` of a quadratic loss with respect to `m`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QuadraticGradient {
    /// The diagonal of `D`.
    pub diagonal: [f64; 2],
    /// `y`, row by row.
    pub offset: Square,
}

impl GramMatrices {
    /// Those of `W_1` and `W_2`, at least one row each and as many.
    ///
    /// ```
    /// use contrapositive_linear_ssl::flow::GramMatrices;
    /// let gram = GramMatrices::of(&[[1.0, 0.0], [1.0, 2.0]], &[[0.0, 1.0], [4.0, 1.0]]);
    /// assert_eq!(gram.a(), &[[1.0, 1.0], [1.0, 2.0]]);
    /// assert_eq!(gram.m(), &[[2.0, 1.0], [4.0, 1.0]]);
    /// ```
    #[must_use]
    pub fn of(first: &[[f64; 2]], second: &[[f64; 2]]) -> Self {
        let width = first.len().max(1) as f64;
        let inner = |x: &[[f64; 2]], y: &[[f64; 2]]| {
            square(|i, j| x.iter().zip(y).map(|(x, y)| x[i] * y[j]).sum::<f64>() / width)
        };
        GramMatrices { a: inner(first, first), b: inner(second, second), m: inner(first, second) }
    }

    /// Those of independent standard normal weights of a width of at least four, by Bartlett's factor of a Wishart matrix.
    ///
    /// # Errors
    /// [`FlowError::Width`] below.
    pub fn gaussian<R: Rng + ?Sized>(width: u32, rng: &mut R) -> Result<Self, FlowError> {
        if width < 4 {
            let (found, least) = (width, 4);
            return Err(FlowError::Width { found, least });
        }
        let mut factor = [[0.0; 4]; 4];
        for (i, row) in factor.iter_mut().enumerate() {
            row[..i].iter_mut().for_each(|x| *x = standard_normal(rng));
            row[i] = chi_square(rng, width - i as u32).sqrt();
        }
        let entry = |i: usize, j: usize| (0..4).map(|k| factor[i][k] * factor[j][k]).sum::<f64>() / f64::from(width);
        let block = |r: usize, c: usize| square(|i, j| entry(r + i, c + j));
        Ok(GramMatrices { a: block(0, 0), b: block(2, 2), m: block(0, 2) })
    }

    /// `W_1^T W_1/h`.
    #[must_use]
    pub fn a(&self) -> &Square {
        &self.a
    }

    /// `W_2^T W_2/h`.
    #[must_use]
    pub fn b(&self) -> &Square {
        &self.b
    }

    /// `W_1^T W_2/h`.
    #[must_use]
    pub fn m(&self) -> &Square {
        &self.m
    }

    fn velocity(&self, gradient: &QuadraticGradient) -> Self {
        let g = square(|i, j| gradient.diagonal[i] * self.m[i][j] - gradient.offset[i][j]);
        let (left, right) = (product(&g, &transpose(&self.m)), product(&transpose(&g), &self.m));
        GramMatrices {
            a: minus_sum(&left, &transpose(&left)),
            b: minus_sum(&right, &transpose(&right)),
            m: minus_sum(&product(&g, &self.b), &product(&self.a, &g)),
        }
    }

    fn moved(&self, velocity: &Self, step: f64) -> Self {
        GramMatrices {
            a: along(&self.a, &velocity.a, step),
            b: along(&self.b, &velocity.b, step),
            m: along(&self.m, &velocity.m, step),
        }
    }

    /// What they are after a classical Runge-Kutta step of this length.
    #[must_use]
    pub fn stepped(&self, gradient: &QuadraticGradient, step: f64) -> Self {
        let Ok(next) = classical_step(self, step, |now| Ok::<_, Infallible>(now.velocity(gradient)), Self::moved);
        next
    }
}

#[inline]
fn square(entry: impl Fn(usize, usize) -> f64) -> Square {
    [[entry(0, 0), entry(0, 1)], [entry(1, 0), entry(1, 1)]]
}

#[inline]
fn product(x: &Square, y: &Square) -> Square {
    square(|i, j| x[i][0] * y[0][j] + x[i][1] * y[1][j])
}

#[inline]
fn transpose(x: &Square) -> Square {
    square(|i, j| x[j][i])
}

#[inline]
fn along(x: &Square, y: &Square, factor: f64) -> Square {
    square(|i, j| x[i][j] + factor * y[i][j])
}

/// `-(x + y)`.
#[inline]
fn minus_sum(x: &Square, y: &Square) -> Square {
    square(|i, j| -x[i][j] - y[i][j])
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;

    type Layers = [[[f64; 2]; 3]; 2];

    /// `W_1' = -W_2 g^T`, `W_2' = -W_1 g`.
    fn velocity([first, second]: &Layers, gradient: &QuadraticGradient) -> Layers {
        let m = GramMatrices::of(first, second).m;
        let g = square(|i, j| gradient.diagonal[i] * m[i][j] - gradient.offset[i][j]);
        let times = |row: &[f64; 2], g: &Square| [0, 1].map(|j| -(row[0] * g[0][j] + row[1] * g[1][j]));
        [second.map(|row| times(&row, &transpose(&g))), first.map(|row| times(&row, &g))]
    }

    fn moved(weights: &Layers, velocity: &Layers, step: f64) -> Layers {
        std::array::from_fn(|l| {
            std::array::from_fn(|r| std::array::from_fn(|c| weights[l][r][c] + step * velocity[l][r][c]))
        })
    }

    #[test]
    fn they_follow_the_weights() {
        let gradient = QuadraticGradient { diagonal: [-2.0, 1.5], offset: [[0.25, -0.5], [1.0, 0.75]] };
        let mut weights: Layers = [[[1.0, 0.5], [-0.5, 2.0], [0.25, -1.0]], [[0.5, -1.5], [1.0, 0.75], [-2.0, 0.5]]];
        let mut gram = GramMatrices::of(&weights[0], &weights[1]);
        let start = gram;
        for _ in 0..200 {
            let Ok(next) = classical_step(&weights, 1e-3, |w| Ok::<_, Infallible>(velocity(w, &gradient)), moved);
            weights = next;
            gram = gram.stepped(&gradient, 1e-3);
        }
        let expected = GramMatrices::of(&weights[0], &weights[1]);
        let apart = |x: &GramMatrices, y: &GramMatrices| {
            let pairs = [(&x.a, &y.a), (&x.b, &y.b), (&x.m, &y.m)];
            let entries = pairs.into_iter().flat_map(|(x, y)| x.iter().flatten().zip(y.iter().flatten()));
            entries.map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
        };
        assert!(apart(&gram, &expected) < 1e-10, "{gram:?} {expected:?}");
        assert!(apart(&gram, &start) > 0.1, "nothing has moved");
    }

    #[test]
    fn random_ones_have_the_law_of_wishart() {
        let (width, count) = (9, 4000);
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let (mut diagonal, mut mixed) = (0.0, 0.0);
        for _ in 0..count {
            let gram = GramMatrices::gaussian(width, &mut rng).unwrap();
            diagonal += gram.a[0][0] + gram.a[1][1] + gram.b[0][0] + gram.b[1][1];
            mixed += gram.m.iter().flatten().map(|x| x * x).sum::<f64>();
            assert_eq!((gram.a[0][1], gram.b[0][1]), (gram.a[1][0], gram.b[1][0]));
        }
        // Means 4 and 4/h; standard deviations about 0.015 and 0.006.
        let (diagonal, mixed) = (diagonal / f64::from(count), mixed / f64::from(count));
        assert!((diagonal - 4.0).abs() < 0.08, "{diagonal}");
        assert!((mixed - 4.0 / 9.0).abs() < 0.04, "{mixed}");
        assert!(GramMatrices::gaussian(4, &mut rng).is_ok());
        let narrow = FlowError::Width { found: 3, least: 4 };
        assert_eq!(GramMatrices::gaussian(3, &mut rng), Err(narrow));
    }
}
