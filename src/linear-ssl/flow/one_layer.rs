//! The unconstrained gradient flow of a one-layer linear model.

use super::FlowError;
use super::error::{check_spectrum, check_time};
use enclosures::interval::Interval;
use enclosures::linear_algebra::{IntervalMatrix, Matrix};

/// The gradient flow `Θ' = -2 Θ C` of the loss `L(Θ) = Tr(Θ C Θ^T)`, `Θ` of shape `z x d`, in the eigenbasis of
/// `C = V Λ V^T`: column j of `Θ(t) V = Θ_0 V e^{-2 Λ t}` is `e^{-2 λ_j t}` times column j of `Θ_0 V`.
///
/// A column that is exactly zero stays so. Norms, ranks and ratios are taken after a common factor is taken out, because the
/// exponentials overflow long before the direction settles. The stored columns are those of `Θ_0 V`; multiply
/// by `V^T` from the right for `Θ`, which changes neither norms nor singular values.
///
/// Source: Esser, Mukherjee, Ghoshdastidar, Proposition 1, whose linear case is this flow.
///
/// ```
/// use contrapositive_linear_ssl::flow::OneLayerFlow;
/// use enclosures::linear_algebra::{Matrix, SingularValues};
/// // Two equal lowest eigenvalues: the direction keeps rank two for ever.
/// let flow = OneLayerFlow::new(vec![-1.0, -1.0], Matrix::diagonal(&[1.0, 1.0])?)?;
/// let late = SingularValues::of(&flow.at(1e6)?.matrix)?;
/// assert_eq!(late.stable_rank().unwrap().lo(), 2.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct OneLayerFlow {
    spectrum: Vec<f64>,
    initial: Matrix,
}

/// `Θ(t) V = e^{log_scale} * matrix`, with the largest column of `matrix` of the order of its initial size.
#[derive(Clone, Debug, PartialEq)]
pub struct ScaledState {
    /// Logarithm of the factor taken out: `-2 λ t` with the lowest eigenvalue `λ` that has a non-zero column.
    pub log_scale: Interval,
    /// The rest (`z x d`): same rank, same direction, same ratios of singular values as `Θ(t)`.
    pub matrix: IntervalMatrix,
}

/// What becomes of `Θ(t) V` as t tends to infinity.
#[derive(Clone, Debug, PartialEq)]
pub enum LinearLimit {
    /// A negative eigenvalue has a non-zero column: `||Θ(t)||` grows beyond all bounds.
    Diverges,
    /// The columns of the eigenvalue zero survive, all others tend to zero.
    Converges(Matrix),
}

impl OneLayerFlow {
    /// The flow for the eigenvalues `spectrum` (any order) that starts at `initial = Θ_0 V` (`z x d`).
    ///
    /// # Errors
    /// No eigenvalue, one that is not finite, or another number of columns.
    pub fn new(spectrum: Vec<f64>, initial: Matrix) -> Result<Self, FlowError> {
        check_spectrum(&spectrum, initial.columns())?;
        Ok(OneLayerFlow { spectrum, initial })
    }

    /// The eigenvalues, in the order of the columns.
    #[must_use]
    pub fn spectrum(&self) -> &[f64] {
        &self.spectrum
    }

    /// The start `Θ_0 V`.
    #[must_use]
    pub fn initial(&self) -> &Matrix {
        &self.initial
    }

    fn is_active(&self, column: usize) -> bool {
        self.initial.row_iter().any(|row| row[column] != 0.0)
    }

    /// The eigenvalues with a non-zero column.
    fn active(&self) -> impl Iterator<Item = f64> {
        (0..self.spectrum.len()).filter(|&j| self.is_active(j)).map(|j| self.spectrum[j])
    }

    /// The lowest eigenvalue with a non-zero column; none at the start zero.
    #[must_use]
    pub fn lowest_active(&self) -> Option<f64> {
        self.active().reduce(f64::min)
    }

    /// The columns for which `keep(λ)`, the others replaced by zero.
    fn columns_where(&self, keep: impl Fn(f64) -> bool) -> Result<Matrix, FlowError> {
        let entry = |i: usize, j: usize| {
            if keep(self.spectrum[j]) { self.initial.row(i)[j] } else { 0.0 }
        };
        Ok(Matrix::from_fn(self.initial.rows(), self.spectrum.len(), entry)?)
    }

    /// The state at time t, with the leading factor taken out.
    ///
    /// # Errors
    /// A negative or non-finite time.
    pub fn at(&self, t: f64) -> Result<ScaledState, FlowError> {
        check_time(t)?;
        let reference = Interval::point(self.lowest_active().unwrap_or(0.0));
        let decay: Vec<Interval> = (self.spectrum.iter()).map(|&l| ((reference - l) * 2.0 * t).exp()).collect();
        let entry = |i: usize, j: usize| match self.initial.row(i)[j] {
            0.0 => Interval::ZERO,
            x => decay[j] * x,
        };
        Ok(ScaledState {
            log_scale: reference * -2.0 * t,
            matrix: IntervalMatrix::from_fn(self.initial.rows(), self.spectrum.len(), entry)?,
        })
    }

    /// The limit of `Θ(t) V`, by the signs of the eigenvalues with a non-zero column.
    ///
    /// # Errors
    /// Never for a flow made by [`OneLayerFlow::new`].
    pub fn limit(&self) -> Result<LinearLimit, FlowError> {
        if self.active().any(|l| l < 0.0) {
            return Ok(LinearLimit::Diverges);
        }
        self.columns_where(|l| l == 0.0).map(LinearLimit::Converges)
    }

    /// The part of `Θ_0 V` that wins: its columns at the lowest active eigenvalue, zeros elsewhere. Its direction is the limit
    /// of the direction of `Θ(t) V`, and its rank decides about collapse. None at the start zero.
    ///
    /// # Errors
    /// Never for a flow made by [`OneLayerFlow::new`].
    pub fn leading_part(&self) -> Result<Option<Matrix>, FlowError> {
        match self.lowest_active() {
            Some(lowest) => self.columns_where(|l| l == lowest).map(Some),
            None => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use enclosures::linear_algebra::SingularValues;
    use proptest::prelude::*;

    use super::*;

    fn flow(spectrum: &[f64], rows: Vec<Vec<f64>>) -> OneLayerFlow {
        OneLayerFlow::new(spectrum.to_vec(), Matrix::from_rows(rows).unwrap()).unwrap()
    }

    #[test]
    fn limits_by_the_signs_of_the_active_eigenvalues() {
        let kept = flow(&[0.0, 1.0, 0.0], vec![vec![1.0, 2.0, 0.0], vec![0.0, 3.0, 4.0]]);
        let expected = Matrix::from_rows(vec![vec![1.0, 0.0, 0.0], vec![0.0, 0.0, 4.0]]).unwrap();
        assert_eq!(kept.limit().unwrap(), LinearLimit::Converges(expected));
        let growing = flow(&[-1.0, 2.0], vec![vec![1e-300, 1.0]]);
        assert_eq!(growing.limit().unwrap(), LinearLimit::Diverges);
        let blind = flow(&[-1.0, 2.0], vec![vec![0.0, 1.0]]);
        let zero = Matrix::from_rows(vec![vec![0.0, 0.0]]).unwrap();
        assert_eq!(blind.limit().unwrap(), LinearLimit::Converges(zero));
        assert_eq!(blind.lowest_active(), Some(2.0));
        let leading = Matrix::from_rows(vec![vec![0.0, 1.0]]).unwrap();
        assert_eq!(blind.leading_part().unwrap(), Some(leading));
        assert_eq!(flow(&[1.0], vec![vec![0.0]]).leading_part().unwrap(), None);
    }

    #[test]
    fn the_stable_rank_can_grow_on_the_way() {
        // Start [[0, 10], [0.1, 0]] with spectrum (-1, 0): equal singular values at t = ln(100) / 2.
        let crossing = flow(&[-1.0, 0.0], vec![vec![0.0, 10.0], vec![0.1, 0.0]]);
        let stable = |t: f64| {
            let state = crossing.at(t).unwrap();
            SingularValues::of(&state.matrix).unwrap().stable_rank().unwrap()
        };
        assert!(stable(0.0).hi() < 1.001);
        assert!(stable(core_math::log(100.0) / 2.0).lo() > 1.999);
        assert!(stable(1e5).hi() < 1.0 + 1e-12);
    }

    #[test]
    fn bad_input_is_refused() {
        let one = Matrix::from_rows(vec![vec![1.0]]).unwrap();
        assert!(OneLayerFlow::new(vec![], one.clone()).is_err());
        assert!(OneLayerFlow::new(vec![f64::NAN], one.clone()).is_err());
        let fine = OneLayerFlow::new(vec![1.0], one).unwrap();
        for t in [-1.0, f64::NAN, f64::INFINITY] {
            assert!(fine.at(t).is_err());
        }
    }

    proptest! {
        #[test]
        fn the_flow_solves_its_equation(
            spectrum in prop::collection::vec(-2.0..2.0f64, 3),
            entries in prop::collection::vec(-2.0..2.0f64, 6),
            t in 0.0..1.0f64,
        ) {
            let initial = Matrix::new(2, 3, entries).unwrap();
            let flow = OneLayerFlow::new(spectrum.clone(), initial.clone()).unwrap();
            let state = flow.at(t).unwrap();
            let closed = state.matrix.scaled(state.log_scale.exp());
            // Classical Runge-Kutta for x' = -2 λ x in every entry.
            let steps = 1000;
            let factor = |lambda: f64| {
                let a = -2.0 * lambda * t / f64::from(steps);
                1.0 + a * (1.0 + a / 2.0 * (1.0 + a / 3.0 * (1.0 + a / 4.0)))
            };
            for (k, found) in closed.entries().iter().enumerate() {
                let growth = factor(spectrum[k % 3]);
                let x = (0..steps).fold(initial.entries()[k], |x, _| x * growth);
                let error = *found - x;
                prop_assert!(error.magnitude() < 1e-9, "{error:?}");
            }
        }
    }
}
