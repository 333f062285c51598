use std::convert::Infallible;

use proptest::prelude::*;

use super::*;
use crate::flow::{classical_step, sphere_velocity};

/// Classical Runge-Kutta for (10) on rounded numbers.
fn integrated(spectrum: &[f64], start: &[f64], t: f64, steps: usize) -> Vec<f64> {
    let velocity = |q: &[f64]| -> Vec<f64> {
        let rho: f64 = q.iter().map(|x| x * x).sum();
        let energy: f64 = spectrum.iter().zip(q).map(|(l, x)| l * x * x).sum();
        let coordinate = |(l, x): (&f64, &f64)| -2.0 * (2.0 - rho) * l * x + 2.0 * energy * x;
        spectrum.iter().zip(q).map(coordinate).collect()
    };
    let moved = |q: &[f64], v: &[f64], h: f64| -> Vec<f64> { q.iter().zip(v).map(|(x, y)| x + h * y).collect() };
    let h = t / steps as f64;
    let mut q = start.to_vec();
    for _ in 0..steps {
        let Ok(next) = classical_step(&q, h, |q| Ok::<_, Infallible>(velocity(q)), |q, v, h| moved(q, v, h));
        q = next;
    }
    q
}

#[test]
fn one_dimension_has_an_elementary_solution() {
    // d = 1: rho / (1 - rho) = rho_0 / (1 - rho_0) e^{-8 λ t}.
    for lambda in [-1.0, 0.5, 3.0] {
        let flow = SphereFlow::from_point(vec![lambda], vec![-0.5]).unwrap();
        for t in [0.0, 0.1, 1.0, 7.0] {
            let state = flow.at_time(t).unwrap();
            let odds = (Interval::point(-8.0 * lambda) * t).exp() / 3.0;
            let rho = odds / (Interval::ONE + odds);
            assert!(state.squared_norm.intersection(rho).is_some(), "{state:?} {rho:?}");
            assert!(state.squared_norm.width() < 1e-10, "{state:?}");
            assert_eq!(state.direction, [-Interval::ONE]);
        }
    }
}

#[test]
fn the_two_special_starts() {
    let rest = SphereFlow::from_point(vec![-1.0, 2.0], vec![0.0, 0.0]).unwrap();
    assert_eq!(rest.at_time(5.0).unwrap().position(), [Interval::ZERO; 2]);
    assert_eq!(rest.limit().position(), [Interval::ZERO; 2]);
    assert_eq!(rest.time_at_clock(2.0).unwrap(), Interval::ONE);
    let sphere = SphereFlow::new(vec![1.0, 2.0], vec![3.0, 4.0], 1.0).unwrap();
    let state = sphere.at_time(0.5).unwrap();
    assert_eq!((state.squared_norm, state.clock), (Interval::ONE, Interval::point(0.5)));
    // q_2 / q_1 = (4/3) e^{-2 t}.
    let ratio = state.direction[1] / state.direction[0];
    let exact = Interval::point(-1.0).exp() * 4.0 / 3.0;
    assert!(ratio.intersection(exact).is_some() && ratio.width() < 1e-14);
    // All eigenvalues positive, and yet no decay.
    assert_eq!(sphere.limit().position(), [Interval::ONE, Interval::ZERO]);
}

#[test]
fn limits_by_the_lowest_eigenvalue_touched() {
    let limit = |spectrum: &[f64], q: &[f64]| {
        let flow = SphereFlow::from_point(spectrum.to_vec(), q.to_vec()).unwrap();
        flow.limit().position()
    };
    assert_eq!(limit(&[-1.0, 2.0], &[-0.5, 0.5]), [-Interval::ONE, Interval::ZERO]);
    assert_eq!(limit(&[-2.0, -1.0], &[0.0, 0.5]), [Interval::ZERO, Interval::ONE]);
    assert_eq!(limit(&[-1.0, 2.0], &[0.0, 0.5]), [Interval::ZERO; 2]);
    // Eigenvalue zero: kappa = (1/4)^2 / (1/2), rho = 2 / (1 + sqrt(33)).
    let kernel = limit(&[0.0, 3.0], &[0.5, 0.5])[0].square();
    let exact = 2.0 / (Interval::ONE + Interval::point(33.0).sqrt());
    assert!(kernel.intersection(exact).is_some() && kernel.width() < 1e-14);
    // A repeated eigenvalue keeps the direction inside its eigenspace.
    let tied = SphereFlow::new(vec![-1.0, -1.0, 5.0], vec![3.0, 4.0, 1.0], 0.25).unwrap().limit().position();
    assert!(tied[0].contains(0.6) && tied[1].contains(0.8) && tied[0].width() < 1e-15);
}

#[test]
fn bad_starts_are_refused() {
    let new = |spectrum: &[f64], direction: &[f64], rho| SphereFlow::new(spectrum.to_vec(), direction.to_vec(), rho);
    assert_eq!(new(&[1.0], &[1.0], 1.5), Err(FlowError::SquaredNorm(1.5)));
    assert!(new(&[1.0], &[1.0], f64::NAN).is_err());
    assert_eq!(new(&[1.0], &[0.0], 0.5), Err(FlowError::NoDirection));
    assert!(new(&[1.0, 2.0], &[1.0], 0.5).is_err() && new(&[], &[], 0.0).is_err());
    let near = SphereFlow::from_point(vec![1.0, 1.0], vec![0.6, 0.8]);
    assert!(matches!(near, Err(FlowError::Undecided { .. })));
    let fine = new(&[1.0], &[1.0], 0.5).unwrap();
    assert!(fine.at_time(-1.0).is_err() && fine.at_clock(f64::INFINITY).is_err());
}

#[test]
fn far_ends_and_stiff_spectra_neither_overflow_nor_lie() {
    let stiff = SphereFlow::new(vec![-1e4, 1e-3, 1e4], vec![1e-12, 1.0, -1.0], 0.5).unwrap();
    for t in [1e-9, 1e-3, 1.0, 1e3, 1e300] {
        let state = stiff.at_time(t).unwrap();
        assert!(state.squared_norm.lo() >= 0.0 && state.squared_norm.hi() <= 1.0);
        assert!(state.direction.iter().all(|x| x.is_finite()), "{t}: {state:?}");
    }
    assert!(stiff.at_time(1.0).unwrap().direction[0].lo() > 0.999_999);
    // The slack keeps its relative accuracy where 1 - rho is far below one unit in the last place.
    let slack = SphereFlow::from_point(vec![-1.0], vec![0.5]).unwrap().at_time(10.0).unwrap().slack;
    let exact = Interval::point(-80.0).exp() * 3.0;
    assert!((slack / exact - 1.0).magnitude() < 1e-10, "{slack:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_solution_agrees_with_runge_kutta(
        spectrum in prop::collection::vec(-2.0..2.0f64, 1..5),
        start in prop::collection::vec(-0.49..0.49f64, 4),
        t in 0.0..1.5f64,
    ) {
        let start = start[..spectrum.len()].to_vec();
        prop_assume!(start.iter().any(|x| x.abs() > 1e-3));
        let flow = SphereFlow::from_point(spectrum.clone(), start.clone()).unwrap();
        let state = flow.at_time(t).unwrap();
        let numeric = integrated(&spectrum, &start, t, 3000);
        for (x, y) in state.position().iter().zip(&numeric) {
            prop_assert!((*x - *y).magnitude() < 1e-9 && x.width() < 1e-10, "{:?} {}", x, y);
        }
        prop_assert!((state.squared_norm + state.slack).contains(1.0));
    }

    #[test]
    fn what_is_conserved_is_conserved(
        spectrum in prop::collection::vec(-2.0..2.0f64, 3),
        start in prop::collection::vec(0.05..0.5f64, 3),
        tau in 0.0..2.0f64,
    ) {
        let flow = SphereFlow::from_point(spectrum.clone(), start.clone()).unwrap();
        let state = flow.at_clock(tau).unwrap();
        // rho^2 / ((1 - rho) N^2) keeps its value at the start, 1 / (1 - rho_0).
        let grown = |j: usize| (Interval::point(-2.0 * spectrum[j]) * tau).exp() * start[j];
        let n: Interval = (0..3).map(|j| grown(j).square()).sum();
        let conserved = state.squared_norm.square() / (state.slack * n.square());
        let initial = Interval::ONE / (Interval::ONE - flow.initial_squared_norm());
        prop_assert!(conserved.intersection(initial).is_some());
        prop_assert!(conserved.width() < 1e-10 * conserved.magnitude());
        let odds = state.direction[1] / state.direction[0];
        prop_assert!(odds.intersection(grown(1) / grown(0)).is_some());
    }

    #[test]
    fn time_and_clock_are_inverse(
        spectrum in prop::collection::vec(-20.0..20.0f64, 2),
        start in prop::collection::vec(-0.5..0.5f64, 2),
        t in 0.0..5.0f64,
    ) {
        prop_assume!(start.iter().all(|x| *x != 0.0));
        let flow = SphereFlow::from_point(spectrum, start).unwrap();
        let tau = flow.clock_at(t).unwrap();
        prop_assert!(tau.width() <= 1e-11 * (1.0 + t), "{:?}", tau);
        let (low, high) = (flow.time_at_clock(tau.lo()).unwrap(), flow.time_at_clock(tau.hi()).unwrap());
        prop_assert!(low.lo() <= t && t <= high.hi());
    }

    #[test]
    fn the_velocity_is_the_derivative(
        spectrum in prop::collection::vec(-2.0..2.0f64, 3),
        start in prop::collection::vec(-0.5..0.5f64, 3),
        t in 0.1..1.0f64,
    ) {
        prop_assume!(start.iter().any(|x| x.abs() > 1e-3));
        let flow = SphereFlow::from_point(spectrum.clone(), start).unwrap();
        let h = 1e-4;
        let at = |t: f64| flow.at_time(t).unwrap().position();
        let lambda: Vec<Interval> = spectrum.iter().map(|&l| Interval::point(l)).collect();
        let velocity = sphere_velocity(&lambda, &at(t)).unwrap();
        for ((a, b), v) in at(t - h).iter().zip(&at(t + h)).zip(&velocity) {
            prop_assert!(((*b - *a) / (2.0 * h) - *v).magnitude() < 1e-5);
        }
    }
}
