//! Sums over sets, the quadrature and exact derivatives against each other.

use super::anchor::{by_listing, by_quadrature};
use super::*;
use crate::ContrastiveError;
use enclosures::interval::Interval;
use enclosures::probability::standard_normal;
use enclosures::stream::stream;

fn gaussian(n: usize, d: usize, k: usize, scale: f64, name: &str) -> QueriesAndKeys {
    let mut rng = stream(5, &["query_key", name, &n.to_string(), &k.to_string()]);
    let mut rows =
        || -> Vec<Vec<f64>> { (0..n).map(|_| (0..d).map(|_| scale * standard_normal(&mut rng)).collect()).collect() };
    let queries = rows();
    QueriesAndKeys::new(k, queries, rows()).unwrap()
}

fn flat(rows: &[Vec<f64>]) -> Vec<f64> {
    rows.concat()
}

#[test]
fn subsets_are_counted_by_binomial_coefficients() {
    for (n, k, count) in [(1, 1, 1), (5, 2, 10), (6, 6, 1), (4, 0, 1), (3, 4, 0), (12, 5, 792)] {
        let all: Vec<_> = subsets(n, k).collect();
        assert_eq!(all.len(), count, "{n} {k}");
        let mut distinct = all.clone();
        distinct.sort();
        distinct.dedup();
        assert_eq!(distinct.len(), count);
        assert!(all.iter().all(|s| s.len() == k && s.windows(2).all(|w| w[0] < w[1])));
    }
}

#[test]
fn a_worked_example() {
    // Two points: s_12 = q_1 (k_2 - k_1) = 1, s_21 = 0.
    let outputs = QueriesAndKeys::new(1, vec![vec![1.0], vec![0.0]], vec![vec![0.0], vec![1.0]]).unwrap();
    let expected = (Interval::ONE.softplus() + Interval::point(2.0).ln()) / 2.0;
    assert!(outputs.loss().intersection(expected).is_some() && outputs.loss().width() < 1e-15);
    let weight = Interval::ONE.sigmoid();
    assert!(outputs.weights()[0][1].intersection(weight).is_some());
    assert!(outputs.query_loss_vectors()[1][0].contains(-0.5));
    let both = outputs.key_loss_vectors();
    assert!(both[0][0].intersection(-weight).is_some() && both[1][0].intersection(weight).is_some());
}

#[test]
fn loss_vectors_are_n_times_the_derivatives() {
    for (n, d, k) in [(2, 1, 1), (3, 2, 1), (4, 2, 2), (5, 1, 4), (6, 3, 3)] {
        let outputs = gaussian(n, d, k, 1.3, "derivatives");
        let sides = [outputs.query_loss_vectors(), outputs.key_loss_vectors()];
        for (formula, exact) in sides.iter().flatten().flatten().zip(outputs.derivatives().iter().flatten().flatten()) {
            let gap = *formula - *exact * n as f64;
            assert!(gap.contains(0.0) && gap.width() < 1e-12, "{n} {k}: {formula:?} {exact:?}");
        }
    }
}

#[test]
fn doubles_agree_with_intervals() {
    for (n, d, k) in [(2, 1, 1), (5, 2, 2), (9, 3, 4), (10, 2, 9), (12, 1, 6)] {
        for scale in [0.01, 1.0, 4.0] {
            let outputs = gaussian(n, d, k, scale, "doubles");
            let fast = subset_contrast(&flat(outputs.queries()), &flat(outputs.keys()), d, k).unwrap();
            let near = |x: f64, exact: Interval, size: f64| {
                let off = (Interval::point(x) - exact).magnitude();
                assert!(off <= 1e-12 * size, "{x} {exact:?} off by {off:e} of {size}");
            };
            near(fast.loss, outputs.loss(), outputs.loss().hi());
            let weights = outputs.weights();
            for (&x, &exact) in fast.weights.iter().zip(weights.iter().flatten()) {
                near(x, exact, exact.hi());
            }
            for (fast, exact) in [
                (&fast.query_loss_vectors, outputs.query_loss_vectors()),
                (&fast.key_loss_vectors, outputs.key_loss_vectors()),
            ] {
                for (&x, &exact) in fast.iter().zip(exact.iter().flatten()) {
                    near(x, exact, 10.0 * scale);
                }
            }
        }
    }
}

#[test]
fn quadrature_and_listing_agree_at_extreme_logits() {
    for logits in [vec![-200.0, -201.0, -3.0, -150.0], vec![200.0, 199.0, -30.0, 0.5], vec![0.0; 4], vec![-700.0; 5]] {
        for k in 1..=logits.len() {
            let (a, b) = (by_listing(&logits, k), by_quadrature(&logits, k));
            assert!((a.value - b.value).abs() <= 1e-12 * a.value, "{logits:?} {k}: {} {}", a.value, b.value);
            for (x, y) in a.weights.iter().zip(&b.weights) {
                assert!((x - y).abs() <= 1e-12 * x, "{logits:?} {k}: {x} {y}");
            }
        }
    }
}

#[test]
fn equal_logits_have_a_closed_form_at_any_size() {
    let found = by_quadrature(&[-1.0; 300], 60);
    let inverse = core_math::exp(-1.0);
    assert!((found.value - core_math::log1p(60.0 * inverse)).abs() < 1e-13);
    let weight = 60.0 * inverse / (1.0 + 60.0 * inverse) / 300.0;
    assert!(found.weights.iter().all(|w| (w / weight - 1.0).abs() < 1e-12));
}

#[test]
fn huge_logits_stay_finite() {
    let outputs = QueriesAndKeys::new(2, vec![vec![1e3], vec![1.0], vec![0.0]], vec![vec![0.0], vec![1.0], vec![-1.0]]);
    let loss = outputs.unwrap().loss();
    // The first anchor has the logits 1000 and -1000, the second -1 and -2, the third only zeros.
    let second = (Interval::point(-1.0).exp() + Interval::point(-2.0).exp()).ln_1p();
    let expected = (second + 1000.0 + Interval::point(3.0).ln()) / 3.0;
    assert!(loss.intersection(expected).is_some() && loss.width() < 1e-9, "{loss:?} {expected:?}");
}

#[test]
fn malformed_outputs_are_refused() {
    let row = || vec![vec![1.0], vec![2.0]];
    let refused = [
        QueriesAndKeys::new(0, row(), row()),
        QueriesAndKeys::new(2, row(), row()),
        QueriesAndKeys::new(1, row(), vec![vec![1.0]]),
        QueriesAndKeys::new(1, row(), vec![vec![1.0], vec![1.0, 2.0]]),
        QueriesAndKeys::new(1, vec![vec![], vec![]], row()),
        QueriesAndKeys::new(1, row(), vec![vec![1.0], vec![f64::NAN]]),
        QueriesAndKeys::new(1, vec![], vec![]),
    ];
    assert!(refused.iter().all(Result::is_err));
    assert!(matches!(subset_contrast(&[1.0], &[1.0], 0, 1), Err(ContrastiveError::NoCoordinates)));
    assert!(matches!(subset_contrast(&[1.0; 3], &[1.0; 4], 1, 1), Err(ContrastiveError::Shape { .. })));
    assert!(matches!(subset_contrast(&[1.0; 3], &[1.0; 3], 1, 3), Err(ContrastiveError::TaskSize { .. })));
    let huge = subset_contrast(&[1e3; 2], &[0.0, 1e3], 1, 1);
    assert!(matches!(huge, Err(ContrastiveError::NotFinite { .. })));
}
