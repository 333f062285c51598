use super::*;

type Outcome<T> = Result<T, InitialValueError>;

fn followed(
    velocity: impl Fn(f64, &[f64]) -> Vec<f64>,
    start: &[f64],
    times: &[f64],
    tolerance: f64,
) -> Outcome<Solution> {
    solve(|t, y: &[f64]| Ok(velocity(t, y)), start, times, Tolerance::of(tolerance))
}

#[test]
fn the_oscillator_comes_back_and_the_error_follows_the_tolerance() {
    let circle = |_: f64, y: &[f64]| vec![-y[1], y[0]];
    let mut errors = Vec::new();
    for tolerance in [1e-6, 1e-9, 1e-12] {
        let times: Vec<f64> = (1..=10).map(f64::from).collect();
        let s = followed(circle, &[1.0, 0.0], &times, tolerance).unwrap();
        for (t, y) in times.iter().zip(&s.states) {
            let off = (y[0] - core_math::cos(*t)).abs().max((y[1] - core_math::sin(*t)).abs());
            assert!(off <= s.error, "{off} {}", s.error);
        }
        assert!(s.achieved <= 20.0 * tolerance && s.steps > 0 && s.evaluations > 12 * s.steps);
        errors.push(s.error);
    }
    assert!(errors[2] < 1e-3 * errors[0], "{errors:?}");
}

#[test]
fn a_stiff_linear_system_costs_steps_not_accuracy() {
    // Eigenvalues -1 and -2000 with eigenvectors (1, 1) and (1, -1).
    let stiff = |_: f64, y: &[f64]| {
        let (sum, difference) = (y[0] + y[1], y[0] - y[1]);
        vec![-0.5 * (sum + 2000.0 * difference), -0.5 * (sum - 2000.0 * difference)]
    };
    let s = followed(stiff, &[2.0, 0.0], &[0.001, 1.0], 1e-9).unwrap();
    for (t, y) in [0.001, 1.0].iter().zip(&s.states) {
        let (slow, fast) = (core_math::exp(-t), core_math::exp(-2000.0 * t));
        assert!((y[0] - slow - fast).abs() <= s.error && (y[1] - slow + fast).abs() <= s.error, "{s:?}");
    }
    assert!(s.error < 1e-7 && s.steps > 300, "{s:?}");
}

#[test]
fn logistic_growth_and_a_velocity_that_depends_on_time() {
    let logistic = |_: f64, y: &[f64]| vec![y[0] * (1.0 - y[0])];
    let s = followed(logistic, &[0.01], &[0.0, 5.0, 5.0, 40.0], 1e-11).unwrap();
    for (t, y) in [0.0, 5.0, 5.0, 40.0].iter().zip(&s.states) {
        let exact = 1.0 / (1.0 + 99.0 * core_math::exp(-t));
        assert!((y[0] - exact).abs() <= s.error, "{t}: {} {exact} {}", y[0], s.error);
    }
    assert!(s.error < 1e-9);
    // y' = 2t y, y = e^{t²}.
    let s = followed(|t, y| vec![2.0 * t * y[0]], &[1.0], &[1.0, 3.0], 1e-11).unwrap();
    assert!((s.states[1][0] / core_math::exp(9.0) - 1.0).abs() <= s.achieved && s.achieved < 1e-9);
}

#[test]
fn what_has_no_solution_is_refused_by_name() {
    let square = |_: f64, y: &[f64]| vec![y[0] * y[0]];
    // y = 1/(1 - t).
    let near = followed(square, &[1.0], &[0.99], 1e-10).unwrap();
    assert!((near.states[0][0] / 100.0 - 1.0).abs() <= near.achieved);
    let past = followed(square, &[1.0], &[2.0], 1e-10);
    assert!(matches!(past, Err(InitialValueError::Underflow { time }) if (time - 1.0).abs() < 1e-6), "{past:?}");
    let nan = followed(|_, _| vec![f64::NAN], &[1.0], &[1.0], 1e-10);
    assert_eq!(nan, Err(InitialValueError::Underflow { time: 0.0 }));
    // Overflow without a pole: e^{1000 t}.
    assert!(followed(|_, y| vec![1000.0 * y[0]], &[1.0], &[1.0], 1e-6).is_err());
    let slow = followed(|_, y| vec![-1e7 * y[0]], &[1.0], &[1.0], 1e-10);
    assert!(matches!(slow, Err(InitialValueError::TooManySteps { .. })), "{slow:?}");
}

#[test]
fn a_refusal_of_the_velocity_is_passed_on_and_borders_can_be_approached() {
    #[derive(Debug)]
    struct Outside;
    impl From<InitialValueError> for Outside {
        fn from(e: InitialValueError) -> Self {
            panic!("not the solver's fault: {e}")
        }
    }
    // y' = sqrt(y) downwards: y = (1 - t/2)², which reaches the border of the domain at t = 2.
    let fall = |_: f64, y: &[f64]| {
        if y[0] < 0.0 { Err(Outside) } else { Ok(vec![-y[0].sqrt()]) }
    };
    let near = solve(fall, &[1.0], &[1.99], Tolerance::of(1e-8)).unwrap();
    assert!((near.states[0][0] - 0.000025).abs() <= near.error);
    assert!(solve(|_, _: &[f64]| Err(Outside), &[1.0], &[1.0], Tolerance::of(1e-8)).is_err());
}

#[test]
fn bad_questions_are_refused() {
    let still = |_: f64, y: &[f64]| vec![0.0; y.len()];
    let with = |start: &[f64], times: &[f64], tolerance: f64| followed(still, start, times, tolerance);
    assert_eq!(with(&[1.0], &[], 1e-8).unwrap().states.len(), 0);
    assert!(matches!(with(&[], &[1.0], 1e-8), Err(InitialValueError::Dimension { .. })));
    assert!(matches!(with(&[f64::NAN], &[1.0], 1e-8), Err(InitialValueError::Start { .. })));
    for times in [[1.0, 0.5], [-1.0, 0.0], [0.0, f64::NAN], [0.0, f64::INFINITY]] {
        assert!(matches!(with(&[1.0], &times, 1e-8), Err(InitialValueError::Time { .. })));
    }
    for tolerance in [0.0, -1.0, 1e-15, 1.0, f64::NAN] {
        assert!(matches!(with(&[1.0], &[1.0], tolerance), Err(InitialValueError::Tolerance { .. })));
    }
    let longer = followed(|_, _| vec![0.0; 2], &[1.0], &[1.0], 1e-8);
    assert_eq!(longer, Err(InitialValueError::Dimension { found: 2, expected: 1 }));
}
