//! The objects against each other, against values worked out by hand, and against automatic differentiation.

use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::*;
use enclosures::initial_value::{Tolerance, solve};
use enclosures::interval::Interval;
use enclosures::linear_algebra::gaussian_matrix;

const SIZES: [(usize, usize); 6] = [(1, 0), (1, 1), (2, 0), (2, 1), (1, 2), (2, 2)];

fn sizes(signal: usize, noise: usize) -> LatentSizes {
    LatentSizes::new(signal, noise).unwrap()
}

fn contrastive(tau_squared: f64, negatives: f64) -> Objective {
    Objective::Contrastive { tau_squared, negatives }
}

fn gaussian<T: Scalar>(rng: &mut ChaCha8Rng, rows: usize, columns: usize) -> MatrixBlock<T> {
    block_of(&gaussian_matrix(rng, rows, columns).unwrap())
}

fn features(rng: &mut ChaCha8Rng, (r, q): (usize, usize), width: usize) -> Features<f64> {
    let stacked = gaussian(rng, width, 2 * (r + q));
    Features::new(sizes(r, q), stacked).unwrap()
}

fn state_of(signal_a: &[&[f64]], signal_b: &[&[f64]]) -> GramState<Interval> {
    let (m, r) = (signal_a.len(), signal_a[0].len());
    let entry = |i: usize, j: usize| Interval::point(if j < r { signal_a[i][j] } else { signal_b[i][j - r] });
    let stacked = MatrixBlock::from_fn(m, 2 * r, entry);
    Features::new(sizes(r, 0), stacked).unwrap().gram()
}

fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * (1.0 + a.abs().max(b.abs()))
}

/// Largest difference of two matrices, and their largest entry.
fn gap(a: &MatrixBlock<f64>, b: &MatrixBlock<f64>) -> f64 {
    assert_eq!((a.rows(), a.columns()), (b.rows(), b.columns()));
    let size = a.entries().iter().fold(1.0, |m: f64, x| m.max(x.abs()));
    a.entries().iter().zip(b.entries()).fold(0.0, |m: f64, (x, y)| m.max((x - y).abs())) / size
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// The velocity of the features is -(r/τ²)(∇L) X for arbitrary maps X, neither orthogonal nor square.
    #[test]
    fn velocities_are_scaled_gradients(
        seed: u64, which in 0..SIZES.len(), tau in 0.05..4.0f64, k in 0.2..5.0f64, nc: bool,
    ) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let (r, q) = SIZES[which];
        let (inputs, width) = (3, 2);
        let (map_a, map_b) = (gaussian(&mut rng, inputs, r + q), gaussian(&mut rng, inputs, r + q));
        let data = TwoViewData::new(sizes(r, q), map_a, map_b).unwrap();
        let weights: [MatrixBlock<Interval>; 2] = [gaussian(&mut rng, width, inputs), gaussian(&mut rng, width, inputs)];
        let (objective, speed) = if nc {
            (Objective::NonContrastive, -(r as f64))
        } else {
            (contrastive(tau, k), -(r as f64) / tau)
        };
        let gradient = loss_gradient(&data, [&weights[0], &weights[1]], objective).unwrap();
        let moving = data.features(&weights[0], &weights[1]).unwrap();
        let velocity = feature_velocity(&moving, &Metrics::of(&data), objective).unwrap();
        for view in [View::A, View::B] {
            let expected = gradient[view as usize].product(data.map(view)).unwrap().scaled(Interval::point(speed));
            let found = velocity.of_view(view);
            for (e, f) in expected.entries().iter().zip(found.entries()) {
                prop_assert!(e.intersection(*f).is_some(), "{e:?} {f:?}");
                prop_assert!(e.width() < 1e-6 && f.width() < 1e-6, "{e:?} {f:?}");
            }
        }
    }

    #[test]
    fn the_scalar_is_a_trace_and_the_loss_falls(
        seed: u64, which in 0..SIZES.len(), tau in 0.05..4.0f64, k in 0.2..5.0f64,
    ) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let (r, q) = SIZES[which];
        let state = features(&mut rng, (r, q), 3).gram();
        let by = FeatureSelection::of(&state, contrastive(tau, k)).unwrap();
        let product = state.cross().unwrap().product(&by.matrix).unwrap();
        let trace: f64 = (0..r + q).map(|i| product.at(i, i)).sum();
        prop_assert!(close(r as f64 * by.scalar, trace, 1e-12));
        let metrics = Metrics::orthogonal(sizes(r, q), &vec![1.5; r], 0.5).unwrap();
        let orbit = gram_orbit(&state, &metrics, contrastive(tau, k), &[0.02, 0.05], 1e-11).unwrap();
        let mut last = by.loss;
        for later in &orbit.states {
            let loss = FeatureSelection::of(later, contrastive(tau, k)).unwrap().loss;
            prop_assert!(loss < last + 1e-13, "{loss} {last}");
            last = loss;
        }
    }

    /// The product form on the diagonal manifold is the enumeration there, and equation (8) is its noiseless
    /// symmetric case.
    #[test]
    fn diagonal_states_move_as_gram_matrices_do(
        norms in prop::collection::vec((0.2..3.0f64, 0.2..3.0f64, -1.0..1.0f64, 0.3..3.0f64), 1..3),
        noise in prop::collection::vec((0.1..2.0f64, 0.1..2.0f64), 0..3),
        tau in 0.01..4.0f64, k in 0.2..5.0f64, nc: bool,
    ) {
        let (r, q) = (norms.len(), noise.len());
        let state = DiagonalState {
            a: norms.iter().map(|n| n.0).collect(),
            b: norms.iter().map(|n| n.1).collect(),
            h: norms.iter().map(|n| n.2 * (n.0 * n.1).sqrt()).collect(),
            noise_a: noise.iter().map(|n| n.0).collect(),
            noise_b: noise.iter().map(|n| n.1).collect(),
        };
        let sigma: Vec<f64> = norms.iter().map(|n| n.3).collect();
        let objective = if nc { Objective::NonContrastive } else { contrastive(tau, k) };
        let law = DiagonalLaw::new(sigma.clone(), 0.7, q).unwrap();
        let gram = state.gram().unwrap();
        let metrics = Metrics::orthogonal(sizes(r, q), &sigma, 0.7).unwrap();
        let moved = gram_velocity(&gram, &metrics, objective).unwrap();
        prop_assert!(gap(moved.gram(), law.velocity(&state, objective).unwrap().gram().unwrap().gram()) < 1e-12);
        let by = law.selection(&state, objective).unwrap();
        prop_assert!(close(by.loss, FeatureSelection::of(&gram, objective).unwrap().loss, 1e-12));
        let even = DiagonalState { b: state.a.clone(), h: norms.iter().map(|n| n.2 * n.0).collect(), noise_a: vec![], noise_b: vec![], ..state };
        let law = DiagonalLaw::new(sigma.clone(), 0.7, 0).unwrap();
        let expected = law.velocity(&even, contrastive(tau, k)).unwrap();
        for (p, (norm, inner)) in noiseless_velocity(&sigma, &even.a, &even.h, tau, k).unwrap().into_iter().enumerate() {
            prop_assert!(close(norm, expected.a[p], 1e-11) && close(inner, expected.h[p], 1e-11));
        }
    }

    /// The closed form follows the integrated flow, noise and unequal starts included.
    #[test]
    fn the_closed_form_solves_the_positive_pair_equations(
        groups in prop::collection::vec((0.3..3.0f64, 0.2..2.0f64, -0.9..0.9f64), 1..4),
        noise in prop::option::of((0.3..2.0f64, 0.1..2.0f64)), end in 0.05..0.6f64,
    ) {
        let sigma: Vec<f64> = groups.iter().map(|g| g.0).collect();
        let start: Vec<SignalGroup> = groups.iter().map(|&(s, k, c)| SignalGroup { sigma_squared: s, kappa_squared: k, correlation: c, copies: 2.0 }).collect();
        let noisy = noise.map(|(s, n)| NoiseGroup { sigma_squared: s, norm_squared: n, copies: 3.0 });
        let flow = PositivePairsFlow::new(start, noisy).unwrap();
        let counts = if noise.is_some() { vec![3] } else { vec![] };
        let law = DiagonalLaw::grouped(sigma, vec![2; groups.len()], noise.map_or(1.0, |n| n.0), counts).unwrap();
        let norms: Vec<f64> = groups.iter().map(|g| g.1).collect();
        let noise_norms: Vec<f64> = noise.iter().map(|n| n.1).collect();
        let state = DiagonalState { a: norms.clone(), b: norms, h: groups.iter().map(|g| g.1 * g.2).collect(), noise_a: noise_norms.clone(), noise_b: noise_norms };
        let (states, error) = law.orbit(&state, Objective::NonContrastive, &[end], 1e-11).unwrap();
        prop_assert!(error < 1e-8, "{error}");
        let late = &states[0];
        // The clock is read off the correlation of the first group.
        let theta = (core_math::atanh(late.h[0] / late.a[0]) - core_math::atanh(groups[0].2)) / groups[0].0;
        let closed = flow.at(theta.max(0.0)).unwrap();
        for p in 0..groups.len() {
            prop_assert!(close(closed.correlation[p].midpoint(), late.h[p] / late.a[p], 1e-7));
            prop_assert!(close(closed.log_kappa_squared[p].midpoint(), core_math::log(late.a[p]), 1e-7));
        }
        if let Some(n) = closed.log_noise {
            prop_assert!(close(n.midpoint(), core_math::log(late.noise_a[0]), 1e-7));
        }
    }
}

/// The loss written out once more from weights and inputs, without Gram matrices or matrix C.
#[test]
fn the_loss_from_first_principles() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let (r, q, inputs, width, tau, k): (usize, usize, usize, usize, f64, f64) = (2, 1, 3, 2, 1.3, 2.0);
    let maps: [MatrixBlock<f64>; 2] = [gaussian(&mut rng, inputs, 3), gaussian(&mut rng, inputs, 3)];
    let weights: [MatrixBlock<f64>; 2] = [gaussian(&mut rng, width, inputs), gaussian(&mut rng, width, inputs)];
    let latent = |s: usize| {
        let z = signs(r + q, s);
        MatrixBlock::from_fn(r + q, 1, |i, _| z[i] / (if i < r { r as f64 } else { q as f64 }).sqrt())
    };
    let outputs = |view: usize| -> Vec<MatrixBlock<f64>> {
        let raw: Vec<MatrixBlock<f64>> =
            (0..8).map(|s| weights[view].product(&maps[view].product(&latent(s)).unwrap()).unwrap()).collect();
        let mean = raw.iter().map(MatrixBlock::squared_norm).sum::<f64>() / 8.0;
        raw.into_iter().map(|x| x.scaled(1.0 / mean.sqrt())).collect()
    };
    let (a, b) = (outputs(0), outputs(1));
    let e = |i: usize, j: usize| core_math::exp(tau * a[i].inner(&b[j]));
    let (mut loss, mut pairs) = (0.0, 0.0);
    for i in 0..8 {
        for j in (0..8).filter(|j| j & 3 == i & 3) {
            let (row, column): (f64, f64) = ((0..8).map(|l| e(i, l)).sum(), (0..8).map(|l| e(l, j)).sum());
            let share = |mean: f64| e(i, j) / (e(i, j) + k * mean / 8.0);
            loss -= core_math::log(share(row)) + core_math::log(share(column));
            pairs += 1.0;
        }
    }
    let data = TwoViewData::new(sizes(r, q), maps[0].clone(), maps[1].clone()).unwrap();
    let state = data.features(&weights[0], &weights[1]).unwrap().gram();
    let by = FeatureSelection::of(&state, contrastive(tau, k)).unwrap();
    assert!(close(by.loss, loss / pairs, 1e-12), "{} {}", by.loss, loss / pairs);
}

#[test]
fn the_limit_of_small_tau_is_the_flow_of_positive_pairs() {
    let mut rng = ChaCha8Rng::seed_from_u64(6);
    let state = features(&mut rng, (2, 1), 3).gram();
    let limit = FeatureSelection::of(&state, contrastive(0.0, 3.0)).unwrap();
    let enumerated = FeatureSelection::enumerated(&state, 0.0, 3.0).unwrap();
    assert!(gap(&enumerated.matrix, &limit.matrix) < 1e-14 && close(enumerated.scalar, limit.scalar, 1e-14));
    assert!(close(enumerated.loss, limit.loss, 1e-14));
    assert!(close(limit.matrix.at(0, 0), 1.5, 1e-15));
    let at_zero = Enumeration::new(state.sizes(), &state.cross().unwrap(), 0.0, 3.0).unwrap();
    let pulls = at_zero.pulls();
    assert!(gap(&at_zero.matrix_of(&pulls), &limit.matrix) < 1e-14);
    assert!(close(at_zero.scalar_of(&pulls), limit.scalar, 1e-13) && close(at_zero.loss(), limit.loss, 1e-14));
    let residual = |tau: f64| {
        let near = FeatureSelection::of(&state, contrastive(tau, 3.0)).unwrap();
        gap(&near.matrix, &limit.matrix)
    };
    for tau in [0.01, 0.005, 0.0025, 0.00125] {
        let order = core_math::log2(residual(tau) / residual(tau / 2.0));
        assert!((order - 1.0).abs() < 0.05, "{order}");
    }
}

#[test]
fn reference_values_of_the_closed_form() {
    // σ² = (3, 1, 1, 1) without noise: final κ² = (5.1926, 0.75637, ..), balance 1.437.
    let flow = PositivePairsFlow::infinite_width(&[3.0, 1.0], &[1.0, 3.0], None).unwrap();
    let limit = flow.limit().unwrap();
    let end: Vec<Interval> = limit.iter().map(|x| x.exp()).collect();
    assert!((end[0].midpoint() - 5.1926).abs() < 5e-5 && (end[1].midpoint() - 0.75637).abs() < 5e-6, "{end:?}");
    assert!(end[0].width() < 1e-12);
    let share = (end[0] + 3.0 * end[1]) / end[0];
    assert!((share.midpoint() - 1.437).abs() < 5e-4);
    let late = flow.at(60.0).unwrap();
    assert!((late.log_kappa_squared[0].midpoint() - limit[0].midpoint()).abs() < 1e-12);
    assert!(late.correlation.iter().all(|c| c.lo() > 1.0 - 1e-15));
    let opposed = SignalGroup { sigma_squared: 1.0, kappa_squared: 1.0, correlation: -1.0, copies: 1.0 };
    let stuck = PositivePairsFlow::new(vec![opposed], None).unwrap();
    assert_eq!((stuck.limit(), stuck.at(2.0).unwrap().correlation[0]), (None, Interval::point(-1.0)));
}

#[test]
fn scores_worked_out_by_hand() {
    let identity: &[&[f64]] = &[&[1.0, 0.0], &[0.0, 1.0]];
    let opposite: &[&[f64]] = &[&[-1.0, 0.0], &[0.0, -1.0]];
    let of = |a: &[&[f64]], b: &[&[f64]]| alignment_score(&state_of(a, b), Closeness::Distance).unwrap();
    let fine = of(identity, identity);
    assert_eq!((fine.all.wins, fine.all.ties, fine.all.losses), (12, 4, 0));
    assert_eq!(fine.all.score(), Interval::point(0.75));
    assert_eq!(fine.other_signal.score(), Interval::ONE);
    assert_eq!(of(identity, opposite).all.wins, 0);
    let one: &[&[f64]] = &[&[1.0, 1.0]];
    let flat = of(one, one).other_signal;
    assert_eq!((flat.wins, flat.total()), (10, 12));
    // K = [[3, 1], [0, 1]]: columns that are not orthogonal, scored by inner products.
    let oblique: &[&[f64]] = &[&[3.0, 1.0], &[0.0, 1.0]];
    let inner = alignment_score(&state_of(oblique, oblique), Closeness::InnerProduct).unwrap();
    assert!(inner.other_signal.losses > 0 && of(oblique, oblique).other_signal.losses == 0);
    // Outputs are normalised: the scale of one view alone does not matter.
    let enlarged: &[&[f64]] = &[&[12.0, 4.0], &[0.0, 4.0]];
    assert_eq!(of(enlarged, oblique), of(oblique, oblique));
    let balance = Balance::of(&state_of(&[&[10.0, 0.0], &[0.0, 1.0]], identity), View::A).unwrap();
    assert!((balance.trace_over_largest().midpoint() - 1.01).abs() < 1e-12);
    assert!((balance.stable_rank().midpoint() - 1.0001).abs() < 1e-12);
    assert!((balance.participation_ratio().midpoint() - 101.0 * 101.0 / 10001.0).abs() < 1e-12);
    let rank_one = Balance::of(&state_of(one, one), View::B).unwrap();
    assert!(rank_one.rank_at_most == 1 && rank_one.largest().contains(1.0));
}

#[test]
fn gram_flow_keeps_its_invariants_at_any_width() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let (sigma, noise) = ([2.0, 1.0], 0.5);
    let at = sizes(2, 1);
    let metrics = Metrics::orthogonal(at, &sigma, noise).unwrap();
    for width in [2, 40] {
        let start: Features<f64> = gaussian_features(&mut rng, width, at, &sigma, noise).unwrap();
        let weight = |s: &GramState<f64>, v: View| {
            s.squared_norm(v, 0) / 2.0 + s.squared_norm(v, 1) + s.squared_norm(v, 2) / 0.5
        };
        let orbit = gram_orbit(&start.gram(), &metrics, contrastive(1.0, 2.0), &[1.0], 1e-11).unwrap();
        assert!(orbit.error < 1e-9, "{}", orbit.error);
        // The features themselves, followed at this width, arrive at the same Gram matrix.
        let velocity = |x: &[f64]| -> Result<Vec<f64>, MultimodalError> {
            let now = Features::new(at, MatrixBlock::new(width, 6, x.to_vec())?)?;
            Ok(feature_velocity(&now, &metrics, contrastive(1.0, 2.0))?.stacked().entries().to_vec())
        };
        let direct =
            solve(|_, x: &[f64]| velocity(x), start.stacked().entries(), &[1.0], Tolerance::of(1e-11)).unwrap();
        let end = Features::new(at, MatrixBlock::new(width, 6, direct.states[0].clone()).unwrap()).unwrap().gram();
        assert!(gap(end.gram(), orbit.states[0].gram()) < 1e-9);
        for view in [View::A, View::B] {
            assert!(close(weight(&start.gram(), view), weight(&end, view), 1e-10));
        }
    }
}

#[test]
fn bad_input_is_refused() {
    assert_eq!(LatentSizes::new(0, 1), Err(MultimodalError::NoSignal));
    let zero = GramState::new(sizes(1, 0), MatrixBlock::diagonal(&[0.0, 1.0])).unwrap();
    assert!(matches!(zero.cross(), Err(MultimodalError::Normaliser { view: "A", .. })));
    assert!(GramState::new(sizes(1, 1), MatrixBlock::diagonal(&[1.0, 1.0])).is_err());
    let start = GramState::<f64>::infinite_width(sizes(1, 0), &[1.0], 1.0).unwrap();
    for bad in [contrastive(-1.0, 1.0), contrastive(1.0, 0.0), contrastive(f64::NAN, 1.0)] {
        assert!(FeatureSelection::of(&start, bad).is_err());
    }
    let metrics = Metrics::orthogonal(sizes(1, 0), &[1.0], 1.0).unwrap();
    for (times, tolerance) in [(vec![1.0, 0.5], 1e-8), (vec![1.0], 0.0), (vec![f64::NAN], 1e-8)] {
        assert!(gram_orbit(&start, &metrics, Objective::NonContrastive, &times, tolerance).is_err());
    }
    let large = GramState::<f64>::infinite_width(sizes(11, 0), &[1.0; 11], 1.0).unwrap();
    assert!(matches!(
        FeatureSelection::of(&large, contrastive(1.0, 1.0)),
        Err(MultimodalError::TooManyLatents { latents: 11, limit: 10 })
    ));
    assert!(PositivePairsFlow::infinite_width(&[1.0], &[0.5], None).is_err());
    assert!(DiagonalLaw::new(vec![], 1.0, 0).is_err() && DiagonalLaw::new(vec![1.0], -1.0, 1).is_err());
    assert!(metric_diagonal(sizes(1, 1), &[1.0], f64::NAN).is_err());
}
