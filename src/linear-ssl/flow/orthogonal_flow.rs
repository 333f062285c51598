//! Gradient flows of the two-layer linear model under orthogonality constraints, for any number of outputs: enclosed orbits.

use super::FlowError;
use super::error::check_spectrum;
use super::taylor_orbit::{PolynomialField, Series, convolution, followed};
use enclosures::interval::Interval;
use enclosures::linear_algebra::{IntervalMatrix, MatrixError};

/// The flow `q' = -4 Λ q + a Λ q q^T q + b q q^T Λ q` of the outputs `q = V^T W_1^T W_2` (`d x z`).
///
/// `W_1` and `W_2` have orthonormal columns, `L = Tr(W_2^T W_1 C W_1^T W_2)`, `C = V Λ V^T`, and the free gradients are
/// `G_1 = 2 W_2 W_2^T W_1 C`, `G_2 = 2 W_1 C W_1^T W_2`. Different ways to keep `W_1` orthonormal lead to different weights `a, b`:
/// its velocity is `-(I - W_1 W_1^T) G_1` plus `W_1` times a multiple of the skew matrix `K = C M M^T - M M^T C`, `M = W_1^T W_2`.
///
/// Source: Esser, Mukherjee, Ghoshdastidar, Theorem 2 (the printed flow); the two others are derived here.
#[derive(Clone, Debug, PartialEq)]
pub struct OutputFlow {
    spectrum: Vec<f64>,
    cubic: (f64, f64),
}

impl OutputFlow {
    /// Equation (9), `(a, b) = (2, 2)`: `W_1' = -(I - W_1 W_1^T) G_1`.
    ///
    /// # Errors
    /// No eigenvalue, or one that is not finite.
    pub fn printed(spectrum: Vec<f64>) -> Result<Self, FlowError> {
        Self::weighted(spectrum, (2.0, 2.0))
    }

    /// `(a, b) = (1, 3)`: the gradient flow on the Stiefel manifold with the metric of the space around it,
    /// `W_1' = -(G_1 - W_1 sym(W_1^T G_1)) = -(I - W_1 W_1^T) G_1 + W_1 K`. It is the limit of small steps of gradient descent with the polar
    /// retraction.
    ///
    /// # Errors
    /// No eigenvalue, or one that is not finite.
    pub fn stiefel(spectrum: Vec<f64>) -> Result<Self, FlowError> {
        Self::weighted(spectrum, (1.0, 3.0))
    }

    /// `(a, b) = (0, 4)`: the same with the canonical metric, `W_1' = -(G_1 - W_1 G_1^T W_1) = -(I - W_1 W_1^T) G_1 + 2 W_1 K`; then
    /// `q' = -4 (I - q q^T) Λ q`.
    ///
    /// # Errors
    /// No eigenvalue, or one that is not finite.
    pub fn canonical(spectrum: Vec<f64>) -> Result<Self, FlowError> {
        Self::weighted(spectrum, (0.0, 4.0))
    }

    fn weighted(spectrum: Vec<f64>, cubic: (f64, f64)) -> Result<Self, FlowError> {
        check_spectrum(&spectrum, spectrum.len())?;
        Ok(OutputFlow { spectrum, cubic })
    }

    fn image(&self, q: &IntervalMatrix) -> Result<IntervalMatrix, MatrixError> {
        IntervalMatrix::from_fn(q.rows(), q.columns(), |i, j| q.at(i, j) * self.spectrum[i])
    }

    /// The velocity at `q`.
    ///
    /// # Errors
    /// `q` has not as many rows as there are eigenvalues.
    pub fn velocity(&self, q: &IntervalMatrix) -> Result<IntervalMatrix, FlowError> {
        check_spectrum(&self.spectrum, q.rows())?;
        let expansion = self.expansion(std::slice::from_ref(q), 1)?;
        Ok(expansion[0][1].clone())
    }

    /// The outputs at time t, `t >= 0`, from `start`, in so many steps; a step of `1 / (64 max |λ|)` gives about nine digits.
    ///
    /// # Errors
    /// `start` has not as many rows as there are eigenvalues, a time that is negative or not finite, or steps too long to be enclosed.
    pub fn followed(&self, start: &IntervalMatrix, time: f64, steps: usize) -> Result<IntervalMatrix, FlowError> {
        check_spectrum(&self.spectrum, start.rows())?;
        let mut end = followed(self, vec![start.clone()], time, steps)?;
        Ok(end.remove(0))
    }
}

impl PolynomialField for OutputFlow {
    fn expansion(&self, start: &[IntervalMatrix], order: usize) -> Result<Vec<Series>, MatrixError> {
        let mut q: Series = vec![start[0].clone()];
        let (mut turned, mut image, mut gram, mut energy) =
            (Series::new(), Series::new(), Series::new(), Series::new());
        for k in 0..order {
            turned.push(q[k].transpose());
            image.push(self.image(&q[k])?);
            gram.push(convolution(&turned, &q, k)?);
            energy.push(convolution(&turned, &image, k)?);
            let cubic = convolution(&image, &gram, k)?
                .scaled(self.cubic.0)
                .plus(&convolution(&q, &energy, k)?.scaled(self.cubic.1))?;
            let velocity = cubic.minus(&image[k].scaled(4.0))?;
            q.push(velocity.scaled(Interval::ONE / (k + 1) as f64));
        }
        Ok(vec![q])
    }
}

/// The printed flow of the weights, `W_1' = -2 (I - W_1 W_1^T) W_2 W_2^T W_1 C`, `W_2' = -2 (I - W_2 W_2^T) W_1 C W_1^T W_2`.
///
/// Source: Esser, Mukherjee, Ghoshdastidar, proof of Theorem 2.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightFlow {
    c: IntervalMatrix,
}

impl WeightFlow {
    /// The flow for the symmetric matrix `C` (`d x d`).
    ///
    /// # Errors
    /// Not square.
    pub fn new(c: IntervalMatrix) -> Result<Self, FlowError> {
        c.square_side()?;
        Ok(WeightFlow { c })
    }

    /// The velocities of `W_1` and `W_2`.
    ///
    /// # Errors
    /// Weights that fit neither C nor each other.
    pub fn velocity(
        &self,
        first: &IntervalMatrix,
        second: &IntervalMatrix,
    ) -> Result<(IntervalMatrix, IntervalMatrix), FlowError> {
        let expansion = self.expansion(&[first.clone(), second.clone()], 1)?;
        Ok((expansion[0][1].clone(), expansion[1][1].clone()))
    }

    /// `W_1` and `W_2` at time t, `t >= 0`, in so many steps.
    ///
    /// # Errors
    /// Weights that do not fit, a time that is negative or not finite, or steps too long to be enclosed.
    pub fn followed(
        &self,
        first: &IntervalMatrix,
        second: &IntervalMatrix,
        time: f64,
        steps: usize,
    ) -> Result<(IntervalMatrix, IntervalMatrix), FlowError> {
        let mut end = followed(self, vec![first.clone(), second.clone()], time, steps)?;
        let second = end.remove(1);
        Ok((end.remove(0), second))
    }
}

impl PolynomialField for WeightFlow {
    fn expansion(&self, start: &[IntervalMatrix], order: usize) -> Result<Vec<Series>, MatrixError> {
        let (mut first, mut second) = (vec![start[0].clone()], vec![start[1].clone()]);
        let (mut turned, mut product, mut product_turned) = (Series::new(), Series::new(), Series::new());
        let (mut image, mut image_turned) = (Series::new(), Series::new());
        let (mut energy, mut mixed) = (Series::new(), Series::new());
        for k in 0..order {
            turned.push(first[k].transpose());
            product.push(convolution(&turned, &second, k)?);
            product_turned.push(product[k].transpose());
            image.push(self.c.product(&product[k])?);
            image_turned.push(image[k].transpose());
            energy.push(convolution(&product_turned, &image, k)?);
            mixed.push(convolution(&product, &image_turned, k)?);
            let factor = Interval::point(-2.0) / (k + 1) as f64;
            let down = convolution(&second, &image_turned, k)?.minus(&convolution(&first, &mixed, k)?)?;
            let up = convolution(&first, &image, k)?.minus(&convolution(&second, &energy, k)?)?;
            first.push(down.scaled(factor));
            second.push(up.scaled(factor));
        }
        Ok(vec![first, second])
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::flow::{SphereFlow, orthogonal_velocity};
    use enclosures::linear_algebra::{Matrix, PlaneRotation};

    fn column(q: &[f64]) -> IntervalMatrix {
        Matrix::new(q.len(), 1, q.to_vec()).unwrap().into()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn one_output_has_the_closed_form(
            spectrum in prop::collection::vec(-1.0..1.0f64, 1..4),
            start in prop::collection::vec(0.05..0.5f64, 3),
        ) {
            let start = &start[..spectrum.len()];
            let exact = SphereFlow::from_point(spectrum.clone(), start.to_vec()).unwrap().at_time(0.5).unwrap();
            let flow = OutputFlow::printed(spectrum).unwrap();
            let found = flow.followed(&column(start), 0.5, 32).unwrap();
            for (x, y) in found.entries().iter().zip(exact.position()) {
                prop_assert!(x.intersection(y).is_some() && x.width() < 1e-7, "{:?} {:?}", x, y);
            }
        }

        #[test]
        fn the_printed_velocity_is_equation_nine(entries in prop::collection::vec(-3..=3i8, 6)) {
            let q = Matrix::new(3, 2, entries.into_iter().map(f64::from).collect()).unwrap().into();
            let spectrum = [-2.0, 1.0, 3.0];
            let nine = orthogonal_velocity(&spectrum.map(Interval::point), &q).unwrap();
            prop_assert_eq!(OutputFlow::printed(spectrum.to_vec()).unwrap().velocity(&q).unwrap(), nine);
        }
    }

    #[test]
    fn the_flow_on_the_circle_is_an_angle() {
        // ρ = 1: the direction is that of e^{-2Λt} q for (2, 2), of e^{-3Λt} q for (1, 3) and of e^{-4Λt} q for (0, 4).
        let spectrum = vec![-1.0, 0.5];
        let start = IntervalMatrix::new(2, 1, vec![Interval::point(3.0) / 5.0, Interval::point(4.0) / 5.0]).unwrap();
        let flows = [OutputFlow::printed, OutputFlow::stiefel, OutputFlow::canonical];
        for (flow, rate) in flows.into_iter().zip([2.0, 3.0, 4.0]) {
            let end = flow(spectrum.clone()).unwrap().followed(&start, 0.5, 32).unwrap();
            let ratio = end.at(1, 0) / end.at(0, 0);
            let exact = Interval::point(-1.5 * 0.5 * rate).exp() * 4.0 / 3.0;
            assert!(ratio.intersection(exact).is_some() && ratio.width() < 1e-8, "{ratio:?} {exact:?}");
        }
    }

    #[test]
    fn weights_stay_orthonormal_and_give_the_outputs() {
        let turn = |first, second, half_tangent| PlaneRotation { first, second, half_tangent };
        let frame = PlaneRotation::product_of(4, &[turn(0, 2, 0.5), turn(1, 3, 0.25), turn(2, 1, 0.4)]).unwrap();
        let columns = |m: &IntervalMatrix, k| IntervalMatrix::from_fn(4, k, |i, j| m.at(i, j)).unwrap();
        let (first, second) = (columns(&IntervalMatrix::identity(4).unwrap(), 3), columns(&frame, 2));
        let spectrum = vec![-1.0, 0.5, 1.0];
        let flow = WeightFlow::new(Matrix::diagonal(&spectrum).unwrap().into()).unwrap();
        let (one, two) = flow.followed(&first, &second, 0.5, 32).unwrap();
        let gram = one.transpose().product(&one).unwrap();
        let defect = gram.minus(&IntervalMatrix::identity(3).unwrap()).unwrap().infinity_norm().hi();
        assert!(defect < 1e-7, "{defect}");
        let start = first.transpose().product(&second).unwrap();
        let outputs = OutputFlow::printed(spectrum).unwrap().followed(&start, 0.5, 32).unwrap();
        let off = one.transpose().product(&two).unwrap().minus(&outputs).unwrap().infinity_norm();
        assert!(off.hi() < 1e-7, "{off:?}");
    }

    #[test]
    fn bad_questions_are_errors() {
        let flow = OutputFlow::printed(vec![1.0]).unwrap();
        let one = column(&[0.5]);
        assert!(flow.followed(&one, -1.0, 4).is_err() && flow.followed(&one, f64::NAN, 4).is_err());
        assert!(flow.followed(&column(&[0.5, 0.5]), 1.0, 4).is_err());
        assert!(matches!(flow.followed(&one, 100.0, 1), Err(FlowError::StepTooLong { .. })));
        assert!(OutputFlow::printed(vec![]).is_err() && OutputFlow::stiefel(vec![f64::NAN]).is_err());
        assert_eq!(flow.followed(&one, 0.0, 4).unwrap(), one);
        let wide = IntervalMatrix::new(1, 2, vec![Interval::ONE; 2]).unwrap();
        assert!(WeightFlow::new(wide.clone()).is_err());
        let flow = WeightFlow::new(IntervalMatrix::identity(2).unwrap()).unwrap();
        assert!(flow.velocity(&wide, &one).is_ok() && flow.velocity(&one, &one).is_err());
    }
}
