//! The numerics below the claims take any double without a panic, and never answer with a NaN.

use contrapositive_linear_ssl::flow::{OneLayerFlow, SphereFlow};
use contrapositive_linear_ssl::self_supervised::{
    DescentEffort, TripletData, descent_on_problem_2, descent_on_problem_4, norm_loss, trace_loss, value_of_problem_4,
};
use enclosures::interval::Interval;
use enclosures::linear_algebra::{
    IntervalMatrix, Matrix, PlaneRotation, SingularValues, SymmetricMatrix, rank_by_elimination, symmetric_eigenvalues,
};
use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Any finite double, with the awkward ones more often than they deserve.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        prop::num::f64::NORMAL | prop::num::f64::SUBNORMAL | prop::num::f64::ZERO,
        prop::sample::select(vec![0.0, -0.0, 1.0, -1.0, f64::MAX, f64::MIN, f64::MIN_POSITIVE, 5e-324, 1e154, 1e-154]),
    ]
}

fn sound(values: &[Interval]) -> bool {
    values.iter().all(|x| x.lo() <= x.hi())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn matrices(e in prop::collection::vec(number(), 9), half_tangent in number()) {
        let matrix = Matrix::new(3, 3, e.clone()).unwrap();
        let intervals = IntervalMatrix::from(&matrix);
        prop_assert!(sound(SingularValues::of(&intervals).unwrap().values()));
        let singular = SingularValues::of(&intervals).unwrap();
        let (certain, bounds) = (singular.rank_bounds(), rank_by_elimination(&intervals));
        prop_assert!(certain.at_least <= bounds.at_most && bounds.at_least <= certain.at_most);
        prop_assert!(singular.stable_rank().is_none_or(|r| r.lo() >= 1.0 && r.hi() <= 3.0));
        let triangle = SymmetricMatrix::LowerTriangle(vec![e[..1].to_vec(), e[1..3].to_vec(), e[3..6].to_vec()]);
        let eigenvalues = triangle.eigenvalues().unwrap();
        prop_assert!(sound(&eigenvalues));
        let sum: Interval = eigenvalues.iter().copied().sum();
        prop_assert!(sum.intersection(triangle.entries().unwrap().trace().unwrap()).is_some());
        let rotations = vec![PlaneRotation { first: 0, second: 2, half_tangent }];
        let turned = SymmetricMatrix::Spectral { spectrum: e[..3].to_vec(), rotations };
        if let Ok(found) = symmetric_eigenvalues(&turned.entries().unwrap()) {
            for (l, exact) in found.iter().zip(turned.eigenvalues().unwrap()) {
                prop_assert!(l.intersection(exact).is_some(), "{:?} {:?}", l, exact);
            }
        }
    }

    #[test]
    fn flows(e in prop::collection::vec(number(), 6), rho in 0.0..=1.0f64, t in number()) {
        let t = t.abs();
        let linear = OneLayerFlow::new(e[..2].to_vec(), Matrix::new(2, 2, e[2..].to_vec()).unwrap()).unwrap();
        prop_assert!(sound(linear.at(t).unwrap().matrix.entries()));
        linear.limit().unwrap();
        linear.leading_part().unwrap();
        if let Ok(flow) = SphereFlow::new(e[..2].to_vec(), e[2..4].to_vec(), rho) {
            let state = flow.at_time(t).unwrap();
            prop_assert!(sound(&state.position()) && sound(&flow.limit().position()));
            prop_assert!(state.squared_norm.lo() >= 0.0 && state.squared_norm.hi() <= 1.0);
        }
        let _ = SphereFlow::from_point(e[..2].to_vec(), e[2..4].to_vec());
    }

    #[test]
    fn losses(e in prop::collection::vec(number(), 10), h in 0..4usize) {
        let rows = |from: usize| vec![e[from..from + 2].to_vec()];
        let data = TripletData { anchors: rows(0), positives: rows(2), negatives: rows(4) };
        let map = IntervalMatrix::from(Matrix::new(2, 2, e[6..].to_vec()).unwrap());
        let c = data.contrastive_matrix().unwrap();
        let (loss, trace) = (data.contrastive_loss(&map).unwrap(), trace_loss(&map, &c).unwrap());
        prop_assert!(loss.intersection(trace).is_some());
        let _ = norm_loss(&map, &c);
        let spectrum = &e[..2];
        let points: Vec<Interval> = spectrum.iter().map(|&l| Interval::point(l)).collect();
        let effort = DescentEffort { starts: 1, steps: 5 };
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let _ = descent_on_problem_2(spectrum, 2, h, effort, &mut rng);
        if let Ok(found) = descent_on_problem_4(spectrum, 2, h, effort, &mut rng) {
            let value = value_of_problem_4(&points, 2, h).unwrap().unwrap();
            prop_assert!(value.lo() <= found.upper_bound);
        }
    }
}
