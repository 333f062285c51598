//! Section D: from gradient flow to gradient descent.
//!
//! On a fixed horizon the words are right: gradient descent follows the flow up to C(T)h, and a batch of n samples
//! estimates Q up to n^{−1/2}, with a bias of order 1/n if the negatives come from the batch (computed without
//! sampling, over all compositions of a batch). Gradient descent with the population gradient does not keep ‖W_A‖_F:
//! the loss is homogeneous of degree 0 in W_A, so ⟨W_A, ∇L⟩ = 0 and every step adds exactly h²‖F_A‖².

mod batches;
mod descent;
mod gradient_step;
mod sampled_descent;

use std::error::Error;

use evidence::prelude::*;
use proptest::collection::vec;
use proptest::strategy::Strategy;
use two_view::{BatchErrors, LatentSizes, Objective, TwoViewData, loss_gradient};

use crate::shared::notation::{DATA, FEATURES, GRAM, H_ORTH, LOSS, NORMALISER, OUTPUTS, SELECTION, SIZES};
use batches::BatchPoint;
use descent::Descent;
use gradient_step::Step;
use sampled_descent::Sampled;

/// What the runs of gradient descent have in common.
const DESCENT: &str = "H-orth, σ_p² = 2/p, σ_ξ² = ½; a Gaussian start of the width m named, weights N(0, 1/m), drawn \
                       anew in every trial";

/// ‖W‖², ‖W + hF‖² and h²‖F‖² of both views.
fn norms(s: &Step) -> Result<[[Interval; 3]; 2], Box<dyn Error + Send + Sync>> {
    let data = TwoViewData::new(LatentSizes::new(s.sigma_squared.len(), s.noise_squared.len())?, s.map(), s.map())?;
    let weights = [s.weights_of(0)?, s.weights_of(1)?];
    let objective = Objective::Contrastive { tau_squared: s.tau_squared, negatives: s.negatives };
    let gradients = loss_gradient(&data, [&weights[0], &weights[1]], objective)?;
    let speed = Interval::point(-(s.sigma_squared.len() as f64)) / s.tau_squared * s.step;
    let of = |view: usize| -> Result<[Interval; 3], Box<dyn Error + Send + Sync>> {
        let change = gradients[view].scaled(speed);
        let moved = weights[view].plus(&change)?;
        Ok([weights[view].squared_norm(), moved.squared_norm(), change.squared_norm()])
    };
    Ok([of(0)?, of(1)?])
}

/// An error along the batch sizes.
fn sizes(errors: &[BatchErrors], of: impl Fn(&BatchErrors) -> f64) -> Trend {
    let points: Vec<(f64, f64)> = errors.iter().map(|e| (e.size, of(e))).collect();
    Trend::through(&points).named("n")
}

pub fn claim() -> Claim {
    Claim::new("ren2023.remark-d", "from gradient flow to gradient descent", Kind::Asymptotic)
        .statement(
            "(a) gradient descent W_{j+1} = W_j + h·F(W_j) follows the flow up to C(T)·h on [0,T]; (b) with n samples \
             per step the gradient error is O(n^{−1/2}) for fixed sizes, negatives inside the batch adding a bias of \
             order 1/n; (c) hence inverse-polynomial h and polynomial n suffice on polynomial horizons",
        )
        .source("Section D", &[])
        .symbols([SIZES, DATA, H_ORTH, FEATURES, NORMALISER, OUTPUTS, SELECTION, LOSS, GRAM])
        .symbol("F", "F(W) = −(r/τ²)∇_W L, in both views at once (its limit at τ = 0); F_A its part in W_A")
        .symbol(
            "error",
            "the largest |entry| of the difference of the two G, of descent W_{j+1} = W_j + hF(W_j) and of the flow Ẇ \
             = F(W) from the same start",
        )
        .symbol(
            "Q",
            "Q_1 of the 2 × 2 signal block: r(E[(2−S_A−S_B)z⁺z⁺ᵀ] − E[(1−S_A)w_A z⁻z⁺ᵀ] − E[(1−S_B)w_B z⁺z⁻ᵀ]), \
             Frobenius norm; w_A = e^{τ²⟨f_A⁺,f_B⁻⟩}/E_{x_B⁻}e^{τ²⟨f_A⁺,f_B⁻⟩}, w_B with the views exchanged; from a \
             batch the means are over its n samples as anchors, each with the others as negatives",
        )
        .symbol("M", "⟨f_A⁺,f_B⁻⟩ = z⁺ᵀMz⁻")
        .symbol("bias", "the norm of the mean of the estimate less the population's")
        .symbol("C(T)", "error at time T over h, h = 1/40, for each start")
        .remark(
            "The text has words only; the exact companion is ‖W_{A,j+1}‖_F² = ‖W_{A,j}‖_F² + h²‖F_A(W_j)‖_F². Part (c) \
             combines (a) and (b), and how C(T) grows with T is not bounded in the text: Gronwall's constant alone is \
             exponential in T, but along these paths, which converge, C(T) grows at most linearly.",
        )
        .remark(
            "With negatives from the batch the error may fall faster than n^{−1/2}: what a sample adds as an anchor \
             and what it adds as a negative partly cancel.",
        )
        .setting(error_of_descent())
        .setting(error_in_time())
        .setting(c_samples())
        .setting(b_population())
        .setting(single_steps())
}

fn error_of_descent() -> Setting<Descent, Vec<(f64, f64)>> {
    Setting::measuring(|s: &Descent, trial| s.errors(trial.rng()))
        .given(DESCENT)
        .family(edge("Gaussian starts", || {
            let of = |signal, noise, width, tau_squared, negatives, end| Descent {
                signal,
                noise,
                width,
                tau_squared,
                negatives,
                end,
            };
            vec![
                ("r = 2, q = 3, m = 60", of(2, 3, 60, 1.0, 1.0, 1.0)),
                ("r = 2, q = 1, m = 60", of(2, 1, 60, 2.0, 2.0, 1.0)),
                ("r = 3, q = 0, m = 2", of(3, 0, 2, 1.0, 0.5, 1.0)),
                ("twice the horizon", of(2, 1, 60, 2.0, 2.0, 2.0)),
                ("τ² = 0", of(2, 2, 8, 0.0, 1.0, 1.0)),
            ]
        }))
        .without_search()
        .part("a", "the error of G at time T is O(h) as h falls from T/40 to T/320", consistent(), |_, errors| {
            Trend::through(errors).named("1/h").grows_at_most(-1.0)
        })
        .our_constant("the order O(h): the words ask for a step that is small enough")
        .control("n1", "the error is O(h²)", |_, errors| Trend::through(errors).named("1/h").grows_at_most(-2.0))
}

fn error_in_time() -> Setting<Descent, Vec<(f64, f64)>> {
    Setting::measuring(|s: &Descent, trial| s.constants(trial.rng()))
        .given(DESCENT)
        .family(edge("longer horizons", || {
            let of = |signal, noise, width, tau_squared| Descent {
                signal,
                noise,
                width,
                tau_squared,
                negatives: 1.0,
                end: 32.0,
            };
            vec![
                ("r = 2, q = 1, T to 32", of(2, 1, 60, 1.0)),
                ("r = 2, q = 3, T to 32", of(2, 3, 60, 2.0)),
                ("r = 3, q = 0, T to 32", of(3, 0, 4, 1.0)),
            ]
        }))
        .without_search()
        .part(
            "c",
            "the constant C(T) of the error C(T)h grows at most like T from T = ½ to T = 32, so that steps of order \
             δ/T keep the error below δ on polynomial horizons",
            consistent(),
            |_, constants| Trend::through(constants).named("T").grows_at_most(1.0),
        )
        .our_constant("the order δ/T: the words say that an inverse polynomial step suffices")
        .control("c-faster", "C(T) grows at least like T^{3/2}", |_, constants| {
            Trend::through(constants).named("T").grows_at_least(1.5)
        })
}

fn c_samples() -> Setting<Sampled, Vec<(f64, f64)>> {
    Setting::measuring(|s: &Sampled, trial| s.errors(trial.rng()))
        .given(
            "H-orth, r = 2, no noise, σ² = (2, 1); a Gaussian start of the width m named, weights N(0, 1/m), drawn \
             anew in every trial",
        )
        .given(
            "h = 1/16; error: here the root mean square over 64 runs of the largest difference of an entry of G from \
             descent with the population gradient; negatives from the batch",
        )
        .family(edge("batches along the way", || {
            let of = |width, tau_squared, end| Sampled { width, tau_squared, negatives: 1.0, end };
            vec![
                ("m = 20, T = 4", of(20, 1.0, 4.0)),
                ("m = 60, T = 4, τ² = ½", of(60, 0.5, 4.0)),
                ("m = 4, T = 8", of(4, 2.0, 8.0)),
            ]
        }))
        .without_search()
        .part(
            "c-samples",
            "with batches of n samples the error at time T is O(n^{−1/2}), n = 16 to 1024",
            consistent(),
            |_, errors| Trend::through(errors).named("n").grows_at_most(-0.5),
        )
        .our_constant("the order n^{−1/2}: the words say that polynomially many samples suffice")
        .control(
            "c-samples-faster",
            "with batches of n samples the error at time T is O(1/n), n = 16 to 1024",
            |_, errors| Trend::through(errors).named("n").grows_at_most(-1.0),
        )
}

fn b_population() -> Setting<BatchPoint, Vec<BatchErrors>> {
    Setting::measuring(|b: &BatchPoint, _| {
        let errors = [12, 24, 48, 96].into_iter().map(|n| b.batches().errors(n));
        Ok(errors.collect::<Result<Vec<_>, _>>()?)
    })
    .given(
        "r = 2, no noise, any M, K > 0; n = 12, 24, 48, 96 independent positive pairs, negatives all other samples of \
         the batch, or the population",
    )
    .family(edge("r = 2", || {
        let of = |cross, tau_squared, negatives| BatchPoint { cross, tau_squared, negatives };
        vec![
            ("aligned, equal", of([1.0, 0.0, 0.0, 1.0], 1.0, 1.0)),
            ("aligned, unequal", of([1.6, 0.0, 0.0, 0.4], 2.0, 2.0)),
            ("off the diagonal", of([1.0, 0.4, -0.2, 0.7], 1.0, 0.5)),
        ]
    }))
    .without_search()
    .part(
        "b",
        "the root mean square error of Q falls at least like n^{−1/2}, with negatives from the batch",
        consistent(),
        |_, e| sizes(e, |e| e.batch).grows_at_most(-0.5),
    )
    .our_constant("the order n^{−1/2}: the words ask for samples that are many enough")
    .part(
        "b-population",
        "the root mean square error of Q falls like n^{−1/2}, with negatives from the population, which are unbiased",
        consistent(),
        |_, e| sizes(e, |e| e.population).grows_like(-0.5),
    )
    .our_constant("the order n^{−1/2}: the words ask for samples that are many enough")
    .because("Algorithm 3.1 samples negative pairs; it does not say whether from the batch")
    .ours("b-bias", "negatives from the batch bias Q by the order 1/n", consistent(), |_, e| {
        sizes(e, |e| e.bias).grows_like(-1.0)
    })
    .because("the words do not speak of a bias")
    .control("n3", "the sampling error is O(1/n), with negatives from the population", |_, e| {
        sizes(e, |e| e.population).grows_at_most(-1.0)
    })
    .control("n4", "negatives from the batch add no bias beyond n^{−3/2}", |_, e| {
        sizes(e, |e| e.bias).grows_at_most(-1.5)
    })
}

fn single_steps() -> Setting<Step, [[Interval; 3]; 2]> {
    Setting::measuring(|s: &Step, _| norms(s))
        .given(
            "AᵀA = BᵀB and A_ξᵀA_ξ = B_ξᵀB_ξ diagonal, AᵀA_ξ = BᵀB_ξ = 0; any weights with N_A, N_B > 0, τ² > 0, K > \
             0, h ≥ 0",
        )
        .family(edge("named", || {
            let of = |width, sigma: &[f64], noise: &[f64], a: &[f64], b: &[f64], step| Step {
                width,
                sigma_squared: sigma.to_vec(),
                noise_squared: noise.to_vec(),
                weights: [a.to_vec(), b.to_vec()],
                tau_squared: 2.0,
                negatives: 0.5,
                step,
            };
            vec![
                ("m = r = 1: nothing moves", of(1, &[1.0], &[], &[1.0], &[1.0], 0.5)),
                ("a right angle", of(2, &[1.0], &[], &[1.0, 0.0], &[0.0, 1.0], 0.5)),
                ("two signals", of(2, &[2.0, 1.0], &[], &[1.0, 0.5, -0.5, 1.0], &[0.3, 1.0, 1.0, 0.0], 0.25)),
                ("with noise", of(2, &[2.0], &[0.5], &[1.0, 0.5, -0.5, 1.0], &[0.3, 1.0, 1.0, 0.0], 1.0)),
                ("no step", of(2, &[2.0], &[0.5], &[1.0, 0.5, -0.5, 1.0], &[0.3, 1.0, 1.0, 0.0], 0.0)),
            ]
        }))
        .family(
            random("weights", || {
                let shape = (1usize..3, 0usize..2, 1usize..4);
                shape.prop_flat_map(|(r, q, width)| {
                    let entries = width * (r + q);
                    let weights = || vec(-2.0..2.0f64, entries);
                    (
                        vec(0.3..3.0f64, r),
                        vec(0.3..3.0f64, q),
                        weights(),
                        weights(),
                        0.1..4.0f64,
                        0.2..5.0f64,
                        0.01..1.0f64,
                    )
                        .prop_map(
                            move |(sigma_squared, noise_squared, a, b, tau_squared, negatives, step)| Step {
                                width,
                                sigma_squared,
                                noise_squared,
                                weights: [a, b],
                                tau_squared,
                                negatives,
                                step,
                            },
                        )
                })
            })
            .taking(0.5),
        )
        .without_search()
        .step(
            "s1",
            "‖W_A + hF_A(W)‖_F² = ‖W_A‖_F² + h²‖F_A(W)‖_F², and the same for B",
            holds(),
            |_, m| all_of(m.iter().map(|[before, after, change]| ("view", equal(*after, *before + *change)))),
        )
        .control("n2", "‖W_A‖_F² is conserved under gradient descent", |_, m| {
            all_of(m.iter().map(|[before, after, _]| ("view", equal(*after, *before))))
        })
}
