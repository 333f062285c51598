//! Gradients against automatic differentiation of the definition, against the straightforward path, and their symmetries.

use num_dual::{Dual64, DualNum};

use super::{NUMBERS, convention, gaussian, labels};
use crate::exact::gradient::gradients_with;
use crate::exact::kernels::Instructions;
use crate::exact::sample::Sample;
use crate::exact::{
    Aggregation, ClassShares, LossGradient, LossOptions, exact_unsupervised_gradients, exact_unsupervised_losses,
    reference_slopes,
};
use contrastive::LogarithmBase;
use contrastive::data::LabelledPoints;

/// The definition over dual numbers, by enumeration of all tuples of negatives.
fn loss_over_duals(points: &[Vec<Dual64>], labels: &[u32], number: u32, options: &LossOptions) -> Dual64 {
    let n = points.len();
    let class = |x: usize| (0..n).filter(|&y| labels[y] == labels[x]).collect::<Vec<_>>();
    let classes = labels.iter().collect::<std::collections::BTreeSet<_>>().len();
    let probability = |x: usize| match options.shares {
        ClassShares::Empirical => 1.0 / n as f64,
        ClassShares::Uniform => 1.0 / (classes * class(x).len()) as f64,
    };
    let mut total = Dual64::from(0.0);
    for x in 0..n {
        let exponentials: Vec<Dual64> = (0..n)
            .map(|y| {
                let product: Dual64 = points[x].iter().zip(&points[y]).map(|(a, b)| *a * *b).sum();
                (product / options.temperature).exp()
            })
            .collect();
        let positives: Vec<usize> = class(x).into_iter().filter(|&p| options.self_positive || p != x).collect();
        let negatives: Vec<usize> =
            (0..n).filter(|&y| options.same_class_negatives || labels[y] != labels[x]).collect();
        let mass: f64 = negatives.iter().map(|&y| probability(y)).sum();
        for tuple in 0..negatives.len().pow(number) {
            let (mut rest, mut weight, mut sum) = (tuple, 1.0, Dual64::from(0.0));
            for _ in 0..number {
                let y = negatives[rest % negatives.len()];
                rest /= negatives.len();
                weight *= probability(y) / mass;
                sum += exponentials[y];
            }
            if options.aggregation == Aggregation::Mean {
                sum /= f64::from(number);
            }
            for &p in &positives {
                let positive = if options.positive_in_denominator { exponentials[p] } else { Dual64::from(0.0) };
                let loss = ((positive + sum) / exponentials[p]).ln();
                total += loss * (probability(x) * weight / positives.len() as f64);
            }
        }
    }
    total
}

/// Every entry of the gradient encloses the value and is as sharp as promised.
fn check(gradient: &LossGradient, values: &[f64], slack: f64, sharpness: f64, what: &str) {
    let largest = values.iter().fold(0.0f64, |a, x| a.max(x.abs()));
    let dimension = values.len() / gradient.points();
    for (at, &value) in values.iter().enumerate() {
        let entry = gradient.entry(at / dimension, at % dimension).unwrap();
        let slack = slack * largest;
        assert!(entry.lo() - slack <= value && value <= entry.hi() + slack, "{what}: {at} {entry:?} {value}");
    }
    assert!(gradient.largest_radius() <= sharpness * largest, "{what}: {:e} of {largest:e}", gradient.largest_radius());
}

#[test]
fn agrees_with_automatic_differentiation_of_the_definition_in_every_convention() {
    let points = gaussian(6, 2, 2, 0.9);
    let labels = labels(&points);
    for bits in 0..64 {
        let options = convention(bits, 0.4);
        let gradients = exact_unsupervised_gradients(&points, &[1, 2, 3], &options).unwrap();
        for (gradient, number) in gradients.iter().zip(1..) {
            let derivative = |of: usize| {
                let dual = |(i, &x): (usize, &f64)| Dual64::new(x, if i == of { 1.0 } else { 0.0 });
                let duals: Vec<Dual64> = points.points().iter().enumerate().map(dual).collect();
                let rows: Vec<Vec<Dual64>> = duals.chunks(2).map(<[Dual64]>::to_vec).collect();
                loss_over_duals(&rows, &labels, number, &options).eps
            };
            let values: Vec<f64> = (0..points.points().len()).map(derivative).collect();
            check(gradient, &values, 1e-13, 1e-11, &format!("{options:?} {number}"));
        }
    }
}

/// The gradient from the slopes of the straightforward path, with the error that these may have, and the largest sum of the
/// absolute values of the terms of an entry.
fn by_reference(points: &LabelledPoints, number: u64, options: &LossOptions) -> (Vec<f64>, f64, f64) {
    let sample = Sample::new(points, options).unwrap();
    let (n, d) = (points.len(), points.dimension());
    let (mut values, mut parts) = (vec![0.0; n * d], vec![0.0; n * d]);
    let mut error = 0.0f64;
    for x in 0..n {
        let weight = sample.weights[x] / options.temperature;
        for (y, slope) in reference_slopes::anchor_slopes(&sample, x, number, options).iter().enumerate() {
            for k in 0..d {
                let (fx, fy) = (sample.point(x)[k], sample.point(y)[k]);
                for (at, of) in [(sample.order[x], fy), (sample.order[y], fx)] {
                    values[at * d + k] += weight * slope.value * of;
                    parts[at * d + k] += (weight * slope.value * of).abs();
                }
                error += weight * slope.error * (fx.abs() + fy.abs());
            }
        }
    }
    let parts = parts.iter().fold(0.0, |a: f64, x| a.max(*x));
    (values, error, parts)
}

#[test]
fn agrees_with_the_straightforward_path_for_any_number_and_spread() {
    for (n, d, classes, scale) in [(60, 3, 7, 0.01), (50, 5, 4, 1.0), (30, 2, 3, 4.0), (24, 3, 2, 8.0)] {
        let points = gaussian(n, d, classes, scale);
        for bits in [0b01_1001, 0b01_1101, 0b00_0001, 0b11_1000] {
            let options = convention(bits, 0.4);
            let gradients = exact_unsupervised_gradients(&points, &NUMBERS, &options).unwrap();
            for (gradient, &number) in gradients.iter().zip(&NUMBERS) {
                let (values, error, parts) = by_reference(&points, number, &options);
                let largest = values.iter().fold(0.0f64, |a, x| a.max(x.abs()));
                assert!(error < 1e-7 * largest, "{error:e} {largest:e}");
                // What an entry consists of may cancel. Far from each other, so do the slopes of a point as positive and as negative.
                let sharpness = if scale < 5.0 { 1e-11 } else { 1e-10 } * parts / largest;
                assert!(sharpness < 1e-8, "{sharpness:e}");
                check(gradient, &values, 1e-12, sharpness, &format!("{n} {number} {options:?}"));
            }
        }
    }
}

#[test]
fn agrees_with_differences_of_the_exact_loss() {
    let points = gaussian(40, 3, 4, 0.8);
    let options = LossOptions::default();
    let gradients = exact_unsupervised_gradients(&points, &NUMBERS, &options).unwrap();
    let labels = labels(&points);
    for at in [0, 17, 61] {
        let losses = |step: f64| {
            let mut moved = points.points().to_vec();
            moved[at] += step;
            let moved = LabelledPoints::new(moved, 3, labels.clone()).unwrap();
            exact_unsupervised_losses(&moved, &NUMBERS, &options).unwrap()
        };
        let h = 1.0 / 128.0;
        let (a, b, c, d) = (losses(-2.0 * h), losses(-h), losses(h), losses(2.0 * h));
        for (j, gradient) in gradients.iter().enumerate() {
            let m = |l: &[enclosures::enclosure::Enclosure]| l[j].midpoint();
            let difference = (m(&a) - 8.0 * m(&b) + 8.0 * m(&c) - m(&d)) / (12.0 * h);
            let value = gradient.values()[at];
            // The fifth derivative times h^4/30.
            assert!((difference - value).abs() < 1e-7, "{at} {j} {difference} {value}");
        }
    }
}

#[test]
fn one_negative_has_a_closed_form() {
    // Two points of two classes with f = x and y: L = (log 2 + log(1 + e^(x(y - x))))/4 + the same with x and y exchanged.
    let (x, y) = (0.75, -1.25);
    let points = LabelledPoints::new(vec![x, y], 1, vec![0, 1]).unwrap();
    let gradient = &exact_unsupervised_gradients(&points, &[1], &LossOptions::default()).unwrap()[0];
    let sigmoid = |a: f64| 1.0 / (1.0 + core_math::exp(-a));
    let of = |x: f64, y: f64| 0.25 * (sigmoid(x * (y - x)) * (y - 2.0 * x) + sigmoid(y * (x - y)) * y);
    for (i, value) in [of(x, y), of(y, x)].into_iter().enumerate() {
        let entry = gradient.entry(i, 0).unwrap();
        assert!(
            (entry.midpoint() - value).abs() < 1e-15 && entry.lo() <= value && value <= entry.hi(),
            "{entry:?} {value}"
        );
    }
    assert!(gradient.entry(2, 0).is_none() && gradient.entry(0, 1).is_none());
}

#[test]
fn rotations_do_no_work_and_permutations_carry_the_gradient_along() {
    let points = gaussian(90, 4, 5, 0.9);
    let options = LossOptions::default();
    let gradients = exact_unsupervised_gradients(&points, &NUMBERS, &options).unwrap();
    let order: Vec<usize> = (0..90).map(|i| i * 11 % 90).collect();
    let moved = order.iter().flat_map(|&i| points.point(i).to_vec()).collect();
    let moved = LabelledPoints::new(moved, 4, order.iter().map(|&i| 7 + points.label(i) as u32).collect()).unwrap();
    let others = exact_unsupervised_gradients(&moved, &NUMBERS, &options).unwrap();
    assert_eq!(gradients.iter().map(LossGradient::negatives).collect::<Vec<_>>(), NUMBERS);
    for (gradient, other) in gradients.iter().zip(&others) {
        // sum_i f(i) grad(i)^T is symmetric.
        for a in 0..4 {
            for b in 0..a {
                let term = |i: usize| {
                    let (f, g) = (points.point(i), &gradient.values()[4 * i..4 * i + 4]);
                    f[a] * g[b] - f[b] * g[a]
                };
                let torque: f64 = (0..90).map(term).sum();
                assert!(torque.abs() < 1e-14, "{torque:e}");
            }
        }
        for (at, &i) in order.iter().enumerate() {
            for k in 0..4 {
                let (a, b) = (gradient.entry(i, k).unwrap(), other.entry(at, k).unwrap());
                assert!(a.lo() <= b.hi() && b.lo() <= a.hi(), "{a:?} {b:?}");
            }
        }
    }
}

#[test]
fn bits_are_another_unit_and_no_number_asks_for_nothing() {
    let points = gaussian(20, 2, 3, 1.0);
    let options = LossOptions::default();
    let in_bits = LossOptions { base: LogarithmBase::Bits, ..options };
    let nats = &exact_unsupervised_gradients(&points, &[7], &options).unwrap()[0];
    let bits = &exact_unsupervised_gradients(&points, &[7], &in_bits).unwrap()[0];
    for (nats, bits) in nats.values().iter().zip(bits.values()) {
        assert!((nats - bits * std::f64::consts::LN_2).abs() <= 1e-15 * nats.abs());
    }
    assert!(exact_unsupervised_gradients(&points, &[], &options).unwrap().is_empty());
    assert!(exact_unsupervised_gradients(&points, &[0], &options).is_err());
}

#[test]
fn the_bits_depend_neither_on_threads_nor_on_instructions() {
    // More than one block of anchors, and more than one strip of points.
    let points = gaussian(600, 19, 6, 0.5);
    let compute = |threads: usize, set: Instructions| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| gradients_with(set, &points, &[1, 255], &LossOptions::default(), &|_| ()).unwrap())
    };
    let one = compute(1, Instructions::Portable);
    for set in Instructions::available() {
        assert_eq!(one, compute(3, set), "{set:?}");
    }
}

#[test]
fn extreme_points_give_valid_enclosures() {
    for x in [0.0, 1e-200, 25.0, 40.0, 1e4, 1e150, 1e300] {
        let points = LabelledPoints::new(vec![x, -x, x, 0.5 * x], 1, vec![0, 0, 1, 1]).unwrap();
        for bits in [0b01_1001, 0b00_0001, 0b11_1000, 0b01_1100] {
            for gradient in exact_unsupervised_gradients(&points, &[1, 1000], &convention(bits, 0.4)).unwrap() {
                let entries = (0..4).map(|i| gradient.entry(i, 0).unwrap());
                assert!(entries.clone().all(|e| !e.lo().is_nan() && e.lo() <= e.hi()), "{x} {bits}");
            }
        }
    }
}

#[test]
fn gradients_of_tiny_losses_keep_their_digits() {
    // Opposite classes on a line: losses of N e^(-2 r^2), down to the least normal numbers.
    for r in [7.0, 16.0, 17.5, 18.0, 18.4, 18.84] {
        let points = LabelledPoints::new(vec![r, r, -r, -r], 1, vec![0, 0, 1, 1]).unwrap();
        let options = LossOptions { same_class_negatives: false, ..LossOptions::default() };
        let gradients = exact_unsupervised_gradients(&points, &[1, 4096], &options).unwrap();
        for (gradient, number) in gradients.iter().zip([1.0, 4096.0]) {
            // The sum of all derivatives along x, both points of a class moved alike, is -4 r N e^(-2 r^2) to first order, a quarter of it each.
            let share = r * number * core_math::exp(-2.0 * r * r);
            for (i, sign) in [-1.0, -1.0, 1.0, 1.0].into_iter().enumerate() {
                let entry = gradient.entry(i, 0).unwrap();
                // To the order of the square of the loss, which is 1e-39 of it at worst.
                let slack = 1e-13 * share;
                assert!(
                    entry.lo() - slack <= sign * share && sign * share <= entry.hi() + slack,
                    "{r} {number} {entry:?}"
                );
                // What is promised beside digits is 1e-290 of a slope.
                assert!(entry.width() <= 1e-10 * share + 1e-290 * number * 100.0, "{r} {number} {entry:?}");
            }
        }
    }
}

#[test]
fn slopes_of_which_nothing_is_known_lie_between_those_of_a_maximum() {
    // Logits of 1e8, too far apart for nodes: each slope errs by its positive's share and by one.
    let points = LabelledPoints::new(vec![1e4, -1e4, 1e4, 5e3], 1, vec![0, 0, 1, 1]).unwrap();
    let options = LossOptions::default();
    let sample = Sample::new(&points, &options).unwrap();
    for anchor in 0..4 {
        let class = sample.class(anchor);
        for (y, slope) in reference_slopes::anchor_slopes(&sample, anchor, 8, &options).iter().enumerate() {
            let share = if sample.class(y) == class { 0.5 } else { 0.0 };
            assert_eq!(slope.value, 0.0);
            assert!(slope.error >= share + 1.0 && slope.error <= 1.02 * share + 1.0, "{slope:?}");
        }
    }
}

#[test]
fn gradients_of_large_logits_are_as_sharp_as_their_slopes() {
    // Logits of hundreds, which are gathered in cells, and of thousands, which take the straightforward path.
    for scale in [10.0, 25.0] {
        let points = gaussian(24, 3, 2, scale);
        let options = LossOptions::default();
        let sample = Sample::new(&points, &options).unwrap();
        for (gradient, &number) in
            exact_unsupervised_gradients(&points, &[7, 255], &options).unwrap().iter().zip(&[7, 255])
        {
            let (_, error, parts) = by_reference(&points, number, &options);
            let radius = gradient.largest_radius();
            // Nothing is known better than to the rounding of a logit, of which a slope changes by as much.
            let logit = (0..24).map(|at| sample.logit_bound(at)).fold(0.0, f64::max);
            let rounding = 0.5 * f64::EPSILON * logit;
            assert!(radius <= error + 1e-10 * parts, "{radius:e} {error:e} {parts:e}");
            assert!(radius >= 0.1 * rounding * parts / 24.0, "{radius:e} {rounding:e} {parts:e}");
        }
    }
}
