//! The losses against reference values, against each other and against their symmetries.

use proptest::prelude::*;

use super::*;
use enclosures::interval::Interval;

fn law(values: &[(f64, f64)]) -> Vec<WeightedLogit> {
    let one = |&(p, a): &(f64, f64)| WeightedLogit { probability: Interval::point(p), logit: Interval::point(a) };
    values.iter().map(one).collect()
}

/// The model R0 of the register: three classes in the plane with one, two and three atoms.
fn r0() -> LatentClassModel {
    let class = |atoms: &[(f64, [f64; 2])]| -> Vec<Atom> {
        let one = |&(weight, at): &(f64, [f64; 2])| Atom { weight, at: at.to_vec() };
        atoms.iter().map(one).collect()
    };
    let classes = vec![
        class(&[(1.0, [1.0, 0.0]), (3.0, [0.5, 0.5])]),
        class(&[(1.0, [-1.0, 0.0])]),
        class(&[(2.0, [0.0, 2.0]), (3.0, [0.0, -1.0]), (5.0, [1.0, 1.0])]),
    ];
    LatentClassModel::new(vec![5.0, 3.0, 2.0], classes).unwrap()
}

fn encloses(x: Interval, value: f64, relative: f64) {
    // The reference has fifteen digits; half a unit of its last one is allowed for.
    let slack = 1e-14 * value;
    assert!(x.lo() - slack <= value && value <= x.hi() + slack, "{x:?} {value}");
    assert!(x.width() <= relative * value, "{x:?} {value} {:e}", x.width() / value);
}

#[test]
fn reference_values_of_the_unsupervised_loss() {
    let model = r0();
    let sizes = [1, 2, 8, 64, 1024, 65536];
    let values = [
        0.566_399_972_068_693, 0.916_169_385_414_689, 1.931_740_099_487_07, 3.873_661_161_278_07, 6.626_677_962_326_86,
        10.784_264_585_639_4,
    ];
    for (loss, value) in by_quadrature(&model, &sizes).unwrap().into_iter().zip(values) {
        encloses(loss, value, 1e-13);
    }
    for (loss, value) in unsupervised_losses(&model, &sizes).unwrap().into_iter().zip(values) {
        encloses(loss, value, 1e-13);
    }
    for (n, value) in sizes.into_iter().zip(values).take(3) {
        encloses(by_enumeration(&model, n).unwrap(), value, 1e-12);
    }
}

#[test]
fn reference_values_of_the_integral() {
    let zero = law(&[(1.0, 0.0)]);
    let check = |negatives: &[(f64, f64)], cases: &[(u64, f64)]| {
        for &(n, value) in cases {
            let found = expected_log_ratio(&zero, &law(negatives), &[n]).unwrap()[0];
            encloses(found, value, 1e-13);
        }
    };
    let wide = [(0.1, -3.0), (0.4, 0.0), (0.3, 2.0), (0.2, 9.0)];
    let values = [2.720_220_691_132_19, 8.480_513_229_443_46, 14.321_698_035_768_7, 18.482_502_997_147_9];
    check(&wide, &[(1, values[0]), (8, values[1]), (1024, values[2]), (65536, values[3])]);
    check(&[(0.5, -40.0), (0.5, -60.0)], &[(1, 2.124_177_132_024_05e-18)]);
    check(&[(0.01, 200.0), (0.99, -200.0)], &[(7, 13.588_352_098_760_185)]);
}

#[test]
fn reference_values_of_the_mean_classifier() {
    let model = r0();
    encloses(sup_mean_all(&model), 0.709_434_946_007_408, 1e-13);
    encloses(sup_mean(&model, &[0, 2]).unwrap(), 0.687_692_273_414_094, 1e-13);
    encloses(sup_mean_average(&model, 1).unwrap(), 0.406_512_016_619_281, 1e-13);
    assert_eq!(sup_mean(&model, &[1]).unwrap(), Interval::ZERO);
    for task in [&[][..], &[0, 0], &[3]] {
        assert!(matches!(sup_mean(&model, task), Err(ContrastiveError::Task { .. })));
    }
    assert!(sup_mean_average(&model, 0).is_err() && sup_mean_average(&model, 3).is_err());
}

#[test]
fn logits_of_any_size_are_enclosed() {
    // Two negatives far apart: log(1 + sum) is the larger one, up to e^-gap, unless none of the draws hits it.
    for gap in [10.0, 700.0, 1e4, 1e6, 1e8, 1e10, 1e14] {
        let found = expected_log_ratio(&law(&[(1.0, 0.0)]), &law(&[(0.5, gap), (0.5, -gap)]), &[3]).unwrap()[0];
        // K = number of draws that hit: 1, 2, 3 with probability 3/8, 3/8, 1/8.
        let truth = 0.875 * gap + (3.0 * core_math::log(2.0) + core_math::log(3.0)) / 8.0;
        let slack = 1e-12 * truth + core_math::exp(-gap);
        // Beyond the reach of the quadrature the width is log 4 more.
        let width = 1e-12 * truth + if gap < 1e7 { 0.0 } else { 1.4 };
        assert!(
            (found.midpoint() - truth).abs() <= slack + 0.5 * width && found.width() <= width,
            "{gap} {found:?} {truth}"
        );
    }
    let huge = expected_log_ratio(&law(&[(1.0, 0.0)]), &law(&[(0.5, 1e12), (0.5, -1e300)]), &[3]).unwrap()[0];
    assert!(huge.lo() >= 0.0 && huge.hi() >= 0.875e12);
    // Large and uncertain, and yet close to each other: the differences decide.
    let far = |x: f64| WeightedLogit {
        probability: Interval::point(0.5),
        logit: Interval::new(1e10 + x - 1e-6, 1e10 + x + 1e-6),
    };
    for n in [1, 7, 4096] {
        let found = expected_log_ratio(&[far(0.0), far(1.0)], &[far(2.0), far(-1.0)], &[n]).unwrap()[0];
        let near =
            expected_log_ratio(&law(&[(0.5, 0.0), (0.5, 1.0)]), &law(&[(0.5, 2.0), (0.5, -1.0)]), &[n]).unwrap()[0];
        assert!(found.lo() <= near.lo() && near.hi() <= found.hi() && found.width() < 2e-5, "{n} {found:?} {near:?}");
    }
    // Positives of very different size, the rare one decisive.
    let positives = law(&[(1.0 - 1e-9, 50.0), (1e-9, -1e5)]);
    let found = expected_log_ratio(&positives, &law(&[(0.5, 0.0), (0.5, 1.0)]), &[1]).unwrap()[0];
    let one = |a: f64| 0.5 * (Interval::point(-a).softplus() + Interval::point(1.0 - a).softplus());
    let truth = one(50.0) * (1.0 - 1e-9) + one(-1e5) * 1e-9;
    assert!(
        found.lo() <= truth.hi() && truth.lo() <= found.hi() && found.width() < 1e-12 * found.hi(),
        "{found:?} {truth:?}"
    );
}

#[test]
fn zero_encoder_gives_the_logarithm() {
    for n_classes in 1..=5 {
        let model = LatentClassModel::zero_encoder(n_classes, 2).unwrap();
        for n in [1, 2, 3, 1000, 65536] {
            let loss = unsupervised_loss(&model, n).unwrap();
            let truth = Interval::point(n as f64).ln_1p();
            assert!(loss.lo() <= truth.lo() && truth.hi() <= loss.hi() && loss.width() < 4e-15, "{loss:?}");
            let jensen = jensen_loss(&model, n).unwrap();
            assert!(jensen.lo() <= truth.lo() && truth.hi() <= jensen.hi());
        }
        encloses(sup_mean_all(&model), core_math::log(n_classes as f64), 1e-14);
    }
}

#[test]
fn numbers_of_negatives_out_of_range_are_refused() {
    for n in [0, u64::MAX] {
        assert_eq!(unsupervised_loss(&r0(), n), Err(ContrastiveError::Negatives { negatives: n }));
        assert!(jensen_loss(&r0(), n).is_err() && collision_split(&r0(), n).is_err());
    }
    assert!(matches!(by_enumeration(&r0(), 1000), Err(ContrastiveError::TooManyTerms { .. })));
    assert!(by_enumeration(&r0(), u64::MAX).is_err());
    assert!(expected_log_ratio(&[], &law(&[(1.0, 0.0)]), &[1]).is_err());
    assert!(unsupervised_loss(&r0(), 1 << 53).is_ok());
}

#[test]
fn collisions_are_split_off() {
    for n in [1, 2, 5, 40, 65536] {
        let split = collision_split(&r0(), n).unwrap();
        let whole = split.tau * split.same + (1.0 - split.tau) * split.different.unwrap();
        let direct = unsupervised_loss(&r0(), n).unwrap();
        assert!(
            whole.lo() <= direct.hi() && direct.lo() <= whole.hi() && whole.width() < 1e-11,
            "{whole:?} {direct:?}"
        );
        assert!(split.same.hi() >= core_math::log((n + 1) as f64));
    }
    // Separated point masses: the loss on different classes is far below rounding errors of the whole.
    let points = LatentClassModel::point_masses(&[1.0, 1.0], &[vec![10.0], vec![-10.0]]).unwrap();
    let split = collision_split(&points, 1).unwrap();
    encloses(split.different.unwrap(), core_math::exp(-200.0), 1e-13);
    assert_eq!(split.same, Interval::point(2.0).ln());
    assert!(collision_split(&LatentClassModel::zero_encoder(1, 1).unwrap(), 3).unwrap().different.is_none());
}

#[test]
fn collisions_of_a_dominating_class_keep_their_digits() {
    // (1 - 10^-6)^(N + 1) and, for the rare class, nothing to speak of.
    let model = LatentClassModel::point_masses(&[999_999.0, 1.0], &[vec![1.0], vec![2.0]]).unwrap();
    for n in [10_000u64, 1_000_000, 100_000_000] {
        let truth = core_math::exp((n + 1) as f64 * core_math::log1p(-1e-6));
        let tau = model.tau(n);
        let exponent = n as f64 * 1e-6;
        assert!((tau.midpoint() - truth).abs() <= 1e-15 * (1.0 + exponent) * truth, "{n} {tau:?} {truth}");
        assert!(tau.width() <= 2e-15 * (1.0 + exponent) * truth, "{n} {tau:?}");
    }
    let even = LatentClassModel::point_masses(&[3.0, 2.0], &[vec![1.0], vec![2.0]]).unwrap();
    assert!(even.tau(1000).width() <= 1e-12 * even.tau(1000).lo());
    assert!(even.tau(1450).lo() > 0.0 && even.tau(1_000_000).lo() == 0.0);
}

#[test]
fn labelled_points_become_their_empirical_distribution() {
    let model = LatentClassModel::from_labelled(&[1.0, 2.0, 3.0, 4.0], 1, &[5, 2, 5, 5]).unwrap();
    assert_eq!((model.n_classes(), model.n_atoms(), model.dimension()), (2, 4, 1));
    assert_eq!(model.rho(0), Interval::point(0.25));
    assert!(model.class_mean(1)[0].contains(8.0 / 3.0));
    assert_eq!(model.tau(1), Interval::point(0.625));
    assert!(!model.is_uniform());
    let uniform = LatentClassModel::from_labelled_uniform(&[1.0, 2.0, 3.0, 4.0], 1, &[5, 2, 5, 5]).unwrap();
    assert_eq!(
        (uniform.tau(3), uniform.p_min(), uniform.p_max()),
        (Interval::point(0.125), uniform.rho(0), uniform.rho(1))
    );
    assert!(LatentClassModel::from_labelled(&[1.0], 1, &[]).is_err());
    assert!(LatentClassModel::from_labelled(&[], 1, &[]).is_err());
    assert!(LatentClassModel::from_labelled(&[1.0], 0, &[1]).is_err());
    assert!(LatentClassModel::from_labelled(&[f64::NAN], 1, &[1]).is_err());
    assert!(LatentClassModel::zero_encoder(0, 1).is_err() && LatentClassModel::zero_encoder(1, 0).is_err());
}

#[test]
fn no_size_of_number_panics() {
    let sizes = [0.0, 5e-324, 1e-160, 1e-8, 1.0, 1e3, 1e5, 1e160, f64::MAX];
    for (i, &a) in sizes.iter().enumerate() {
        for (j, &b) in sizes.iter().enumerate() {
            let weights = [1.0, [1e-300, 1.0, 1e300][(i + j) % 3]];
            let atom = |weight: f64, x: f64, y: f64| Atom { weight, at: vec![x, y] };
            let classes = vec![vec![atom(1.0, a, b), atom(weights[1], -b, 1.0)], vec![atom(1e-9, -a, b)]];
            let model = LatentClassModel::new(weights.to_vec(), classes).unwrap();
            for n in [1, 2, 65536] {
                for loss in [by_quadrature(&model, &[n]).unwrap()[0], jensen_loss(&model, n).unwrap()] {
                    assert!(loss.lo() >= 0.0 && loss.hi() >= loss.lo());
                }
                let split = collision_split(&model, n).unwrap();
                assert!(split.same.hi() >= 0.0 && split.different.unwrap().hi() >= 0.0);
            }
            assert!(meet(by_quadrature(&model, &[2]).unwrap()[0], by_enumeration(&model, 2).unwrap()));
            let (best, mean) = (best_head_loss_all(&model).unwrap(), sup_mean_all(&model));
            assert!(best.lo() >= 0.0 && best.lo() <= best.hi() && best.hi() <= mean.hi(), "{best:?} {mean:?}");
            let z = Triplet::new(vec![a], vec![b], vec![-a]).unwrap();
            let (hessian, gradient) = (z.hessian_spectral_norm(), z.squared_gradient_norm());
            assert!(hessian.lo() >= 0.0 && gradient.lo() >= 0.0, "{z:?} {hessian:?} {gradient:?}");
        }
    }
}

fn models() -> impl Strategy<Value = LatentClassModel> {
    let atom = |scale: f64| {
        (0.01f64..1.0, prop::collection::vec(-scale..scale, 2)).prop_map(|(weight, at)| Atom { weight, at })
    };
    prop::sample::select(vec![0.0, 0.5, 2.0, 5.0])
        .prop_flat_map(move |scale| {
            prop::collection::vec((0.01f64..1.0, prop::collection::vec(atom(scale + 1e-3), 1..3)), 1..4)
        })
        .prop_map(|parts| {
            let (weights, classes) = parts.into_iter().unzip();
            LatentClassModel::new(weights, classes).unwrap()
        })
}

fn meet(a: Interval, b: Interval) -> bool {
    a.lo() <= b.hi() && b.lo() <= a.hi()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn quadrature_agrees_with_enumeration(model in models(), n in 1u64..5) {
        let found = by_quadrature(&model, &[n]).unwrap()[0];
        let exact = by_enumeration(&model, n).unwrap();
        prop_assert!(meet(found, exact), "{found:?} {exact:?}");
        prop_assert!(found.width() <= 1e-12 * exact.lo() && exact.width() <= 1e-12 * exact.lo());
        prop_assert!(jensen_loss(&model, n).unwrap().lo() <= exact.hi());
    }

    #[test]
    fn extreme_logits_agree_with_the_sum(
        values in prop::collection::vec((0.001f64..1.0, -50.0f64..50.0), 2..6),
        own in prop::collection::vec((0.001f64..1.0, -50.0f64..50.0), 1..4),
    ) {
        let normal = |v: &[(f64, f64)]| {
            let total: f64 = v.iter().map(|x| x.0).sum();
            law(&v.iter().map(|x| (x.0 / total, x.1)).collect::<Vec<_>>())
        };
        let (negatives, positives) = (normal(&values), normal(&own));
        let found = expected_log_ratio(&positives, &negatives, &[1]).unwrap()[0];
        let terms = positives.iter().flat_map(|p| negatives.iter().map(move |y| (y.logit - p.logit).softplus() * y.probability * p.probability));
        let exact: Interval = terms.sum();
        // The probabilities miss a sum of one by a few units in the last place.
        let exact = exact.widened_by(4e-15 * exact.hi());
        prop_assert!(meet(found, exact), "{found:?} {exact:?}");
        prop_assert!(found.width() < 2e-13 * exact.hi());
    }

    #[test]
    fn order_of_classes_and_quarter_turns_do_not_matter(model in models(), n in 1u64..100_000) {
        let turned = |classes: &[Vec<Atom>]| {
            let turn = |a: &Atom| Atom { weight: a.weight, at: vec![-a.at[1], a.at[0]] };
            classes.iter().rev().map(|c| c.iter().rev().map(turn).collect()).collect()
        };
        let weights = model.class_weights().iter().rev().copied().collect();
        let other = LatentClassModel::new(weights, turned(model.classes())).unwrap();
        prop_assert!(meet(unsupervised_loss(&model, n).unwrap(), unsupervised_loss(&other, n).unwrap()));
        prop_assert!(meet(sup_mean_all(&model), sup_mean_all(&other)));
        prop_assert!(meet(jensen_loss(&model, n).unwrap(), jensen_loss(&other, n).unwrap()));
    }

    #[test]
    fn best_head_lies_below_the_mean_classifier(model in models()) {
        let (best, mean) = (best_head_loss_all(&model).unwrap(), sup_mean_all(&model));
        prop_assert!(0.0 <= best.lo() && best.hi() <= mean.hi());
    }

    #[test]
    fn more_negatives_cost_more(model in models(), n in 1u64..60_000) {
        let losses = unsupervised_losses(&model, &[n, n + 1]).unwrap();
        prop_assert!(losses[0].lo() <= losses[1].hi());
        let alone = unsupervised_loss(&model, n).unwrap();
        prop_assert!(meet(losses[0], alone));
    }
}
