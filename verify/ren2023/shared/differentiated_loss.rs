//! Both sides of the gradient formulas on a two-view model: the derivative of the enumerated loss by automatic
//! differentiation, and what the formulas are made of.

use enclosures::vectors::largest_magnitude;
use evidence::prelude::*;
use two_view::{
    Enumeration, FeatureSelection, GramState, MatrixBlock, Metrics, Objective, TwoViewData, View, loss_gradient,
};

use super::two_views::TwoViews;

/// A model with the gradient of its loss by automatic differentiation, and what the formulas for it are made of.
pub struct DifferentiatedLoss {
    pub data: TwoViewData<Interval>,
    pub state: GramState<Interval>,
    /// [K_A | K_{A,ξ}] and [K_B | K_{B,ξ}].
    pub features: [MatrixBlock<Interval>; 2],
    pub weights: [MatrixBlock<Interval>; 2],
    /// ∇_{W_A} and ∇_{W_B} of the loss.
    pub gradient: [MatrixBlock<Interval>; 2],
    pub selection: FeatureSelection<Interval>,
    /// N_A² and N_B².
    pub squares: [Interval; 2],
    /// N_A N_B.
    pub both: Interval,
    /// r over τ² for the contrastive loss, r for the other.
    pub speed: Interval,
    /// E[2 − S_A − S_B] (one for the other loss) and the largest |⟨f_A, f_B⟩|: sizes of the expectations before
    /// positive and negative pairs cancel, which at low temperature they do to many digits.
    pub weight: f64,
    pub similarity: f64,
}

impl DifferentiatedLoss {
    pub fn of(v: &TwoViews, objective: Objective) -> Result<Self, MeasureError> {
        let data = v.data()?;
        let weights = [v.weights(View::A), v.weights(View::B)];
        let features = data.features(&weights[0], &weights[1])?;
        let state = features.gram();
        let r = Interval::point(v.signal as f64);
        let (tau, negatives) = match objective {
            Objective::Contrastive { tau_squared, negatives } => (tau_squared, negatives),
            Objective::NonContrastive => (0.0, 1.0),
        };
        let e = Enumeration::new(data.sizes(), &state.cross()?, tau, negatives)?;
        let rests: Interval = e.positive_pairs().map(|(i, j)| e.rest_a(i, j) + e.rest_b(i, j)).sum();
        let states = 0..e.states();
        Ok(DifferentiatedLoss {
            weight: (rests * e.pair_probability()).magnitude(),
            similarity: states
                .clone()
                .flat_map(|i| states.clone().map(move |j| (i, j)))
                .fold(0.0, |m: f64, (i, j)| m.max(e.similarity(i, j).magnitude())),
            gradient: loss_gradient(&data, [&weights[0], &weights[1]], objective)?,
            selection: FeatureSelection::of(&state, objective)?,
            squares: [state.normaliser_squared(View::A)?, state.normaliser_squared(View::B)?],
            both: state.normalisers()?,
            features: [features.of_view(View::A), features.of_view(View::B)],
            speed: match objective {
                Objective::Contrastive { tau_squared, .. } => r / tau_squared,
                Objective::NonContrastive => r,
            },
            data,
            weights,
            state,
        })
    }

    /// The velocity of [K_A | K_{A,ξ}]: −(r/τ²)(∇_{W_A} L) X_A. An error at τ = 0, where it
    /// is not defined.
    pub fn velocity(&self, view: View) -> Result<MatrixBlock<Interval>, MeasureError> {
        if !self.speed.magnitude().is_finite() {
            return Err("r/τ² at τ = 0".into());
        }
        let product = self.gradient[view as usize].product(self.data.map(view))?;
        Ok(product.scaled(-self.speed))
    }

    /// Size of the two parts of a velocity before anything cancels, against which their rounding errors are small.
    pub fn speed_scale(&self, view: View) -> f64 {
        self.scale_with(view, largest(&self.data.metric(view)))
    }

    /// The same for a gradient.
    pub fn gradient_scale(&self, view: View) -> f64 {
        self.scale_with(view, largest(self.data.map(view))) / self.speed.lo()
    }

    fn scale_with(&self, view: View, outer: f64) -> f64 {
        let sizes = self.data.sizes();
        let (r, d) = (sizes.signal() as f64, sizes.latents() as f64);
        let ratio = (r / sizes.noise().max(1) as f64).max(1.0);
        let pull = largest(&self.features[view.other() as usize]) * r * self.weight / self.both.lo();
        let own = largest(&self.features[view as usize]) * self.weight * self.similarity * ratio;
        outer * d * (pull + own / self.squares[view as usize].lo())
    }

    pub fn metrics(&self) -> Metrics<Interval> {
        Metrics::of(&self.data)
    }
}

/// What Lemma A.6 makes the gradient of L_nc of: ∇_{W_A}L_nc = shrink − pull. For view B the views are exchanged.
pub struct PullAndShrink {
    /// BAᵀ/r.
    pub moment: MatrixBlock<Interval>,
    /// AAᵀ/r + A_ξA_ξᵀ/q.
    pub covariance: MatrixBlock<Interval>,
    /// W_BBAᵀ/(rN_AN_B).
    pub pull: MatrixBlock<Interval>,
    /// ΨW_A(AAᵀ/r + A_ξA_ξᵀ/q)/N_A².
    pub shrink: MatrixBlock<Interval>,
}

impl PullAndShrink {
    pub fn of(
        data: &TwoViewData<Interval>,
        weights: [&MatrixBlock<Interval>; 2],
        view: View,
    ) -> Result<Self, MeasureError> {
        let (sizes, r) = (data.sizes(), data.sizes().signal());
        let (own, other) = (data.map(view), data.map(view.other()));
        let state = data.features(weights[0], weights[1])?.gram();
        let moment = other
            .columns_between(0, r)
            .product(&own.columns_between(0, r).transpose())?
            .scaled(Interval::ONE / r as f64);
        let weighted =
            MatrixBlock::from_fn(own.columns(), own.rows(), |k, i| own.at(i, k) * sizes.variance::<Interval>(k));
        let covariance = own.product(&weighted)?;
        let shrinkage = state.agreement()? / state.normaliser_squared(view)?;
        Ok(PullAndShrink {
            pull: weights[view.other() as usize].product(&moment)?.scaled(Interval::ONE / state.normalisers()?),
            shrink: weights[view as usize].product(&covariance)?.scaled(shrinkage),
            moment,
            covariance,
        })
    }
}

/// The largest absolute value of an entry.
pub fn largest(block: &MatrixBlock<Interval>) -> f64 {
    largest_magnitude(block.entries())
}

/// Two matrices agree entry by entry, on a common scale.
pub fn agree(left: &MatrixBlock<Interval>, right: &MatrixBlock<Interval>, scale: f64) -> Evaluation {
    if (left.rows(), left.columns()) != (right.rows(), right.columns()) {
        return Evaluation::Failed("two matrices of different shapes".into());
    }
    if left.entries().is_empty() {
        return Evaluation::Failed("two empty matrices".into());
    }
    let scale = scale.max(largest(left)).max(largest(right));
    for_each_index("entry", pairs(0..left.rows(), 0..left.columns()), |(i, j)| {
        equal(left.at(i, j), right.at(i, j)).on_scale_of("the terms before they cancel", scale)
    })
}

/// The three expectations of equation (5), for view A: over positive pairs, over negatives in view B, over negatives
/// in view A.
pub struct Expectations {
    /// E{weight · f_B(x_B) (z, ξ_A)ᵀ}, m × d.
    pub pulls: [MatrixBlock<Interval>; 3],
    /// E{weight · ⟨f_A(x_A), f_B(x_B)⟩}.
    pub scalars: [Interval; 3],
}

impl Expectations {
    /// Evaluated as they are written: sums over latent states of outputs times weights, with no matrix Q. The factor
    /// of the positive pairs is `1 − S_A` if `one_sided`, else `2 − S_A − S_B`.
    pub fn of(v: &TwoViews, s: &DifferentiatedLoss, one_sided: bool) -> Result<Self, MeasureError> {
        let e = Enumeration::new(s.data.sizes(), &s.state.cross()?, v.tau_squared, v.negatives)?;
        let (n, d, p) = (e.states(), s.data.sizes().latents(), e.pair_probability());
        let latent = |state: usize, k: usize| {
            let root = s.data.sizes().variance::<Interval>(k).sqrt();
            if state >> k & 1 == 1 { -root } else { root }
        };
        let output = |state: usize| -> Vec<Interval> {
            let norm = s.squares[1].sqrt();
            let row = |i: usize| -> Interval { (0..d).map(|k| s.features[1].at(i, k) * latent(state, k)).sum() };
            (0..s.features[1].rows()).map(|i| row(i) / norm).collect()
        };
        let outputs: Vec<Vec<Interval>> = (0..n).map(output).collect();
        // Weights of the pairs (i, j) in each of the three expectations.
        let (mut alpha, mut beta) = (vec![Interval::ZERO; n], vec![Interval::ZERO; n]);
        let mut weights: Vec<Vec<Interval>> = vec![vec![Interval::ZERO; n * n]; 3];
        for (i, j) in e.positive_pairs() {
            let (a, b) = (e.rest_a(i, j), e.rest_b(i, j));
            weights[0][i * n + j] = (if one_sided { a } else { a + b }) * p;
            alpha[i] += a * p;
            beta[j] += b * p;
        }
        for i in 0..n {
            for j in 0..n {
                weights[1][i * n + j] = alpha[i] * e.tilt_a(i, j) / n as f64;
                weights[2][i * n + j] = beta[j] * e.tilt_b(i, j) / n as f64;
            }
        }
        let pull = |w: &Vec<Interval>| {
            MatrixBlock::from_fn(s.features[1].rows(), d, |row, k| {
                let inner = |i: usize| -> Interval { (0..n).map(|j| w[i * n + j] * outputs[j][row]).sum() };
                (0..n).map(|i| inner(i) * latent(i, k)).sum()
            })
        };
        let scalar =
            |w: &Vec<Interval>| -> Interval { pairs(0..n, 0..n).map(|(i, j)| w[i * n + j] * e.similarity(i, j)).sum() };
        Ok(Expectations {
            pulls: [pull(&weights[0]), pull(&weights[1]), pull(&weights[2])],
            scalars: [scalar(&weights[0]), scalar(&weights[1]), scalar(&weights[2])],
        })
    }

    /// r·Σ sign_k [pull_k/N_A − scalar_k · K · var/N_A²] with a variance for each latent coordinate: the bracket of
    /// equation (5) before the factor D_σ (or σ_ξ²).
    pub fn bracket(
        &self,
        s: &DifferentiatedLoss,
        signs: [f64; 3],
        variance: impl Fn(usize) -> Interval,
    ) -> MatrixBlock<Interval> {
        let (norm, r) = (s.squares[0].sqrt(), Interval::point(s.data.sizes().signal() as f64));
        let scalar: Interval = (0..3).map(|k| self.scalars[k] * signs[k]).sum();
        MatrixBlock::from_fn(s.features[0].rows(), s.features[0].columns(), |i, k| {
            let pull: Interval = (0..3).map(|t| self.pulls[t].at(i, k) * signs[t]).sum();
            (pull / norm - scalar * s.features[0].at(i, k) * variance(k) / s.squares[0]) * r
        })
    }
}

/// Each column times its strength σ_p² or σ_ξ².
pub fn times_strengths(v: &TwoViews, block: &MatrixBlock<Interval>) -> MatrixBlock<Interval> {
    MatrixBlock::from_fn(block.rows(), block.columns(), |i, j| block.at(i, j) * v.strength(j))
}

#[cfg(test)]
mod tests {
    use evidence::judge::{Judgement, judge};
    use two_view::{feature_velocity, loss_at};

    use super::*;
    use crate::shared::two_views::edges;

    fn named(name: &str) -> TwoViews {
        let all = edges().into_iter().find(|(n, _)| *n == name);
        all.expect("a model of this name").1
    }

    /// Losses of nearby weights know nothing of automatic differentiation.
    #[test]
    fn the_gradient_is_a_difference_of_losses() {
        let v = named("r = 2, q = 1, turned").at(1.5, 2.0);
        for objective in [v.contrastive(), Objective::NonContrastive] {
            let (s, step) = (DifferentiatedLoss::of(&v, objective).expect("outputs"), 1e-4);
            for view in [View::A, View::B] {
                let loss = |row: usize, column: usize, by: f64| {
                    let mut weights = s.weights.clone();
                    let here = &s.weights[view as usize];
                    weights[view as usize] = MatrixBlock::from_fn(here.rows(), here.columns(), |i, j| {
                        here.at(i, j) + if (i, j) == (row, column) { by } else { 0.0 }
                    });
                    loss_at(&s.data, [&weights[0], &weights[1]], objective).expect("outputs").midpoint()
                };
                for (i, j) in [(0, 0), (1, 2), (0, 1)] {
                    let difference = (loss(i, j, step) - loss(i, j, -step)) / (2.0 * step);
                    let found = s.gradient[view as usize].at(i, j).midpoint();
                    assert!((found - difference).abs() < 1e-7, "{view:?}, ({i}, {j}): {found} {difference}");
                }
            }
            let features = v.features().expect("sizes fit");
            let moved = feature_velocity(&features, &s.metrics(), objective).expect("outputs");
            for view in [View::A, View::B] {
                let (found, expected) = (s.velocity(view).expect("sizes fit"), moved.of_view(view));
                let off = found.plus(&expected.scaled(-Interval::ONE)).expect("one shape");
                assert!(largest(&off) < 1e-11 && largest(&found) > 0.1, "{view:?}");
                assert!(largest(&found) <= s.speed_scale(view), "{view:?}");
            }
        }
    }

    #[test]
    fn expectations_of_one_signal_are_those_by_hand() {
        // f = ±1, S = 1/(1 + e^{−1}cosh 1), and negatives have the mean tanh 1 times the anchor.
        let v = named("everything one");
        let s = DifferentiatedLoss::of(&v, v.contrastive()).expect("outputs");
        let odds = core_math::exp(-1.0) * core_math::cosh(1.0);
        let (rest, tanh) = (odds / (1.0 + odds), core_math::tanh(1.0));
        for (one_sided, weight) in [(true, rest), (false, 2.0 * rest)] {
            let found = Expectations::of(&v, &s, one_sided).expect("outputs");
            for (k, expected) in [weight, rest * tanh, rest * tanh].into_iter().enumerate() {
                assert!((found.scalars[k] - expected).magnitude() < 1e-14, "scalar {k}");
                assert!((found.pulls[k].at(0, 0) - expected).magnitude() < 1e-14, "pull {k}");
            }
        }
        assert!((s.weight - 2.0 * rest).abs() < 1e-14 && (s.similarity - 1.0).abs() < 1e-14);
    }

    #[test]
    fn the_bracket_with_its_strengths_is_the_velocity() {
        let v = named("r = 1, q = 2, turned");
        let s = DifferentiatedLoss::of(&v, v.contrastive()).expect("outputs");
        let all = Expectations::of(&v, &s, false).expect("outputs");
        let bracket = all.bracket(&s, [1.0, -1.0, -1.0], |k| s.data.sizes().variance(k));
        let (found, expected) = (times_strengths(&v, &bracket), s.velocity(View::A).expect("sizes fit"));
        let judged = |left: &MatrixBlock<Interval>| match agree(left, &expected, 1.0) {
            Evaluation::Compared(c) => Some(judge(&c)),
            _ => None,
        };
        assert!(matches!(judged(&found), Some(Judgement::Holds | Judgement::Touches)));
        let wrong = MatrixBlock::from_fn(found.rows(), found.columns(), |i, j| {
            found.at(i, j) + if (i, j) == (1, 2) { 1e-5 } else { 0.0 }
        });
        assert_eq!(judged(&wrong), Some(Judgement::Violated));
        assert_eq!(judged(&found.transpose()), None, "another shape is no comparison");
    }
}
