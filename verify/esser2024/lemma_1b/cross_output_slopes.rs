//! Slopes of one output of a model in the weights of another.

use enclosures::interval::Interval;
use linear_ssl::self_supervised::TripletData;

use crate::shared::gradient_models::{Model, gradient};
use crate::shared::linear_data::inner;
use crate::shared::model_activations::Differentiable;
use crate::shared::model_instances::ModelOn;

pub fn couples_outputs(i: &ModelOn<TripletData>) -> bool {
    matches!(i.model, Model::TwoLayer { .. }) && i.model.output_count() >= 2
}

/// ∇_Θu_l by forward differentiation.
pub fn slopes(i: &ModelOn<TripletData>, x: &[f64], l: usize) -> Vec<Interval> {
    gradient(&i.model.parameters(), |p| i.model.outputs(p, x)[l])
}

/// The W₁-part of ⟨∇u_l(x), ∇u_j(x′)⟩ by its formula, and the size of its terms.
pub fn hidden_part(i: &ModelOn<TripletData>, x: &[f64], l: usize, y: &[f64], j: usize) -> (Interval, f64) {
    let Model::TwoLayer { activation, first, second } = &i.model else {
        return (Interval::ENTIRE, 0.0);
    };
    let terms = first.iter().zip(second).map(|(w, v)| {
        let slopes = activation.slope(inner(w, x)) * activation.slope(inner(w, y));
        slopes * v[l] * v[j] * inner(x, y)
    });
    let terms: Vec<Interval> = terms.collect();
    (terms.iter().copied().sum(), terms.iter().map(|t| t.magnitude()).sum())
}
