//! Hypotheses that several claims share: each name says what is demanded, and stands beside its test.

use evidence::prelude::*;

use crate::shared::model_instances::{ModelOn, Trained};
use crate::shared::spectra::LinearProblem;

/// Outputs are differentiable in all parameters; of the activations at hand the rectifier alone has a kink.
pub const SMOOTH: &str = "no unit of a ReLU network at its kink, at x or at a point of the data";

/// See [`SMOOTH`].
pub fn is_smooth<D: Trained>(i: &ModelOn<D>) -> bool {
    i.is_smooth()
}

/// What Proposition 3 asks of C.
pub const NEGATIVE: &str = "C has a negative eigenvalue";

/// See [`NEGATIVE`].
pub fn has_a_negative_eigenvalue(problem: &LinearProblem) -> bool {
    problem.negative() > 0
}

/// The condition at the end of the proof of Proposition 3.
pub const SEVERAL: Hypothesis<LinearProblem> =
    Hypothesis::new("C has at least two negative eigenvalues", |p| p.negative() >= 2);

/// Problem 4 has feasible weights.
pub const ROOM: Hypothesis<LinearProblem> = Hypothesis::new("h ≥ max(d, z)", |p| p.forced().is_some());

#[cfg(test)]
mod tests {
    use contrastive::network::Activation;

    use super::*;
    use crate::shared::gradient_models::Model;
    use crate::shared::model_families::{coupled, on_the_line};
    use crate::shared::spectra::diagonal;

    #[test]
    fn each_is_met_and_missed() {
        assert!(is_smooth(&coupled([0.0, 5.0])) && is_smooth(&on_the_line(1.0, 2.0, 3.0, 1.0)));
        let kink = ModelOn {
            model: Model::two_layer(Activation::Relu, &[&[1.0]], &[&[1.0]]),
            ..on_the_line(1.0, 0.0, 3.0, 1.0)
        };
        assert!(!is_smooth(&kink));
        let (one, two) = (diagonal(&[-1.0, 1.0], 2, 2), diagonal(&[-1.0, -2.0], 2, 1));
        assert!(has_a_negative_eigenvalue(&one) && !has_a_negative_eigenvalue(&diagonal(&[0.0, 1.0], 1, 1)));
        assert!(SEVERAL.is_met(&two) && !SEVERAL.is_met(&one));
        assert!(ROOM.is_met(&one) && !ROOM.is_met(&two));
    }
}
