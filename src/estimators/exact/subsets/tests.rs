//! Averages over subsets against enumeration, golden values, draws with replacement and their symmetries.

use serde::Deserialize;

use super::kernel::PerNode;
use super::*;
use crate::exact::exact_unsupervised_losses;
use enclosures::probability::standard_normal_pair;
use enclosures::stream::stream;

fn gaussian(n: usize, d: usize, classes: usize, scale: f64) -> LabelledPoints {
    let mut rng = stream(9, &["subsets", &n.to_string()]);
    let points = (0..n * d).map(|_| scale * standard_normal_pair(&mut rng).0).collect();
    let labels = (0..n).map(|i| (i % classes) as u32).collect();
    LabelledPoints::new(points, d, labels).unwrap()
}

/// Which choices the bits of a number stand for.
fn convention(bits: u32) -> SubsetOptions {
    let on = |bit: u32| bits >> bit & 1 == 1;
    SubsetOptions {
        temperature: 0.7,
        aggregation: if on(0) { Aggregation::Mean } else { Aggregation::Sum },
        base: LogarithmBase::Nats,
        same_class_negatives: on(1),
        self_positive: on(2),
        anchor_among_negatives: on(3),
        positive_among_negatives: on(4),
        shares: if on(5) { ClassShares::Uniform } else { ClassShares::Empirical },
    }
}

/// The definition, word by word, in plain doubles.
fn by_enumeration(points: &LabelledPoints, size: usize, options: &SubsetOptions) -> f64 {
    let n = points.len();
    let mut total = 0.0;
    for x in 0..n {
        let logit = |y: usize| {
            let product: f64 = points.point(x).iter().zip(points.point(y)).map(|(a, b)| a * b).sum();
            product / options.temperature
        };
        let class = points.class_members(points.label(x));
        let positives: Vec<usize> = (class.iter().copied()).filter(|&p| options.self_positive || p != x).collect();
        let mut of_anchor = 0.0;
        for &p in &positives {
            let candidates: Vec<usize> = (0..n)
                .filter(|&y| options.same_class_negatives || points.label(y) != points.label(x))
                .filter(|&y| options.anchor_among_negatives || y != x)
                .filter(|&y| options.positive_among_negatives || y != p)
                .collect();
            let (mut sum, mut count) = (0.0, 0.0);
            for subset in 0u32..1 << candidates.len() {
                if subset.count_ones() as usize == size {
                    let chosen = candidates.iter().enumerate().filter(|(i, _)| subset >> i & 1 == 1);
                    let ratio: f64 = chosen.map(|(_, &y)| core_math::exp(logit(y) - logit(p))).sum();
                    let mean = options.aggregation == Aggregation::Mean;
                    sum += core_math::log1p(if mean { ratio / size as f64 } else { ratio });
                    count += 1.0;
                }
            }
            of_anchor += sum / count / positives.len() as f64;
        }
        let share = match options.shares {
            ClassShares::Empirical => 1.0 / n as f64,
            ClassShares::Uniform => 1.0 / (points.classes() * class.len()) as f64,
        };
        total += share * of_anchor;
    }
    total
}

/// Candidates with these `b` at the first node, halves of them at the next, and so on.
pub(super) fn candidates(values: &[f64]) -> Vec<(PerNode, PerNode)> {
    let lanes = |b: &f64| -> PerNode { std::array::from_fn(|l| b / (1u32 << l) as f64) };
    values.iter().map(|b| (lanes(b).map(|b| 1.0 - b), lanes(b))).collect()
}

/// The recurrence in positive terms, one candidate after the other: `F_c` of the subsets of `c` of `r` candidates is
/// `(c/r)(b_r + a_r F_(c-1)) + (1 - c/r) F_c` of those of `r - 1`.
pub(super) fn by_recurrence(b: &[f64], size: usize) -> f64 {
    let mut gains = vec![0.0f64; size + 1];
    for (joined, b) in (1..).zip(b) {
        for c in (1..=size.min(joined)).rev() {
            let share = c as f64 / joined as f64;
            let with = b + (1.0 - b) * gains[c - 1];
            gains[c] = share * with + if c < joined { (1.0 - share) * gains[c] } else { 0.0 };
        }
    }
    gains[size]
}

#[test]
fn agrees_with_enumeration_in_every_convention() {
    // Unequal classes of four and three.
    let points = gaussian(7, 2, 2, 1.2);
    let mut compared = 0;
    for bits in 0..64 {
        let options = convention(bits);
        for size in 1..=7 {
            match exact_subset_losses(&points, &[size], &options) {
                Ok(losses) => {
                    let (loss, value) = (losses[0], by_enumeration(&points, size, &options));
                    let slack = 1e-14 * value;
                    assert!(
                        loss.lo() - slack <= value && value <= loss.hi() + slack,
                        "{options:?} {size} {loss:?} {value}"
                    );
                    assert!(loss.width() <= 1e-12 * value, "{options:?} {loss:?}");
                    compared += 1;
                }
                Err(error) => {
                    assert!(matches!(error, EstimatorError::SubsetSize { .. }), "{error}");
                    // Some anchor and positive must really lack candidates.
                    assert!(by_enumeration(&points, size, &options).is_nan(), "{options:?} {size}");
                }
            }
        }
    }
    assert!(compared > 200, "{compared}");
}

#[derive(Deserialize)]
struct Golden {
    sets: std::collections::BTreeMap<String, LabelledPoints>,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    points: String,
    k: usize,
    value: String,
    temperature: Option<f64>,
    same: Option<bool>,
    #[serde(default)]
    itself: bool,
    #[serde(default)]
    anchor: bool,
    #[serde(default)]
    positive: bool,
    #[serde(default)]
    mean: bool,
}

#[test]
fn forty_digit_values_lie_inside() {
    let golden = include_str!("../../../../fixtures/golden/subset_losses.json");
    let golden: Golden = serde_json::from_str(golden).unwrap();
    let mut smallest = f64::INFINITY;
    for case in &golden.cases {
        let options = SubsetOptions {
            temperature: case.temperature.unwrap_or(1.0),
            aggregation: if case.mean { Aggregation::Mean } else { Aggregation::Sum },
            same_class_negatives: case.same.unwrap_or(true),
            self_positive: case.itself,
            anchor_among_negatives: case.anchor,
            positive_among_negatives: case.positive,
            ..SubsetOptions::default()
        };
        let loss = exact_subset_losses(&golden.sets[&case.points], &[case.k], &options).unwrap()[0];
        let value: f64 = case.value.parse().unwrap();
        assert!(
            loss.lo() <= value.next_up() && value.next_down() <= loss.hi(),
            "{} {} {loss:?} {value:e}",
            case.points,
            case.k
        );
        assert!(0.5 * loss.width() <= 1e-12 * value, "{loss:?}");
        smallest = smallest.min(value);
    }
    assert!(smallest < 1e-15, "the set of separated classes has a tiny loss");
}

#[test]
fn one_negative_is_one_negative_with_or_without_replacement() {
    let points = gaussian(300, 4, 5, 0.8);
    for bits in 0..4 {
        let options =
            SubsetOptions { anchor_among_negatives: true, positive_among_negatives: true, ..convention(bits << 1) };
        let subsets = exact_subset_losses(&points, &[1], &options).unwrap()[0];
        let draws = exact_unsupervised_losses(&points, &[1], &options.independent()).unwrap()[0];
        assert!(subsets.lo() <= draws.hi() && draws.lo() <= subsets.hi(), "{subsets:?} {draws:?}");
        assert!(subsets.width() < 1e-12 && draws.width() < 1e-12);
    }
}

#[test]
fn replacement_matters_less_the_more_candidates_there_are() {
    // Copies of the same points: the law of one draw stays, and the chance of a repeated candidate falls like 1/n.
    let few = gaussian(12, 2, 3, 0.9);
    let options = SubsetOptions {
        self_positive: true,
        anchor_among_negatives: true,
        positive_among_negatives: true,
        ..SubsetOptions::default()
    };
    let gap = |copies: usize| {
        let labels: Vec<u32> = few.labels().iter().map(|&c| c as u32).collect();
        let points = LabelledPoints::new(few.points().repeat(copies), 2, labels.repeat(copies)).unwrap();
        let subsets = exact_subset_losses(&points, &[10], &options).unwrap()[0];
        let draws = exact_unsupervised_losses(&points, &[10], &options.independent()).unwrap()[0];
        subsets.lo() - draws.hi()
    };
    let (near, nearer) = (gap(2), gap(8));
    // Draws without repetition are more spread out, and the logarithm is concave.
    assert!(near > 0.0 && nearer > 0.0, "{near} {nearer}");
    let ratio = near / nearer;
    assert!((3.5..5.0).contains(&ratio), "{ratio}");
}

#[test]
fn the_positive_left_out_of_a_large_class_is_the_same_as_by_hand() {
    // One class of forty and one of three: with foreign negatives only, and all of them, a sum over one subset.
    let mut rng = stream(3, &["forty"]);
    let points: Vec<f64> = (0..86).map(|_| standard_normal_pair(&mut rng).0).collect();
    let labels = (0..43).map(|i| u32::from(i >= 40)).collect();
    let points = LabelledPoints::new(points, 2, labels).unwrap();
    let all = exact_subset_losses(&points, &[41, 40], &SubsetOptions::default()).unwrap();
    let value = by_complement(&points, 0);
    assert!((all[0].midpoint() - value).abs() < 1e-13 * value, "{:?} {value}", all[0]);
    let value = by_complement(&points, 1);
    assert!((all[1].midpoint() - value).abs() < 1e-13 * value, "{:?} {value}", all[1]);
}

/// The default loss over all candidates but `missing` of them, for 0 or 1.
fn by_complement(points: &LabelledPoints, missing: usize) -> f64 {
    let n = points.len();
    let mut total = 0.0;
    for x in 0..n {
        let exponential = |y: usize| {
            let product: f64 = points.point(x).iter().zip(points.point(y)).map(|(a, b)| a * b).sum();
            core_math::exp(product)
        };
        let class = points.class_members(points.label(x));
        let share = 1.0 / (n * (class.len() - 1)) as f64;
        for &p in class.iter().filter(|&&p| p != x) {
            let candidates: Vec<usize> = (0..n).filter(|&y| y != x && y != p).collect();
            let sum: f64 = candidates.iter().map(|&y| exponential(y)).sum();
            let value = |without: f64| core_math::log1p((sum - without) / exponential(p));
            total += share
                * if missing == 0 {
                    value(0.0)
                } else {
                    let values = candidates.iter().map(|&y| value(exponential(y)));
                    values.sum::<f64>() / candidates.len() as f64
                };
        }
    }
    total
}

#[test]
fn subsets_of_hundreds_agree_with_a_hypergeometric_sum() {
    // Points in two places only: the number of distant negatives is hypergeometric, and the loss a sum over it. Enough
    // candidates for bands, powers of two and all regimes.
    let (n, far) = (240, 80);
    let points = (0..n).map(|i| if i % 3 == 0 { -1.5 } else { 1.5 }).collect();
    let labels = (0..n).map(|i| u32::from(i % 3 == 0)).collect();
    let points = LabelledPoints::new(points, 1, labels).unwrap();
    let log_factorials: Vec<f64> = std::iter::once(0.0)
        .chain((1..=n).scan(0.0, |sum, i| {
            *sum += core_math::log(i as f64);
            Some(*sum)
        }))
        .collect();
    let binomial = |n: usize, k: usize| log_factorials[n] - log_factorials[k] - log_factorials[n - k];
    // An anchor, its positive, and k out of `near` candidates in its place and `away` in the other.
    let expected = |near: usize, away: usize, k: usize| -> f64 {
        let from = k.saturating_sub(near);
        let terms = (from..=k.min(away)).map(|c| {
            let probability = binomial(away, c) + binomial(near, k - c) - binomial(near + away, k);
            core_math::exp(probability) * core_math::log1p((k - c) as f64 + c as f64 * core_math::exp(-4.5))
        });
        terms.sum()
    };
    for k in [1, 40, 120, 200, 237, 238] {
        let loss = exact_subset_losses(&points, &[k], &SubsetOptions::default()).unwrap()[0];
        let value =
            (expected(n - far - 2, far, k) * (n - far) as f64 + expected(far - 2, n - far, k) * far as f64) / n as f64;
        // The logarithms of factorials are good for twelve digits.
        assert!((loss.midpoint() - value).abs() < 1e-11 * value, "{k} {loss:?} {value}");
        assert!(loss.width() < 2e-12 * value, "{k} {loss:?}");
    }
}

#[test]
fn the_bits_depend_neither_on_threads_nor_on_instructions() {
    let points = gaussian(90, 5, 3, 0.9);
    let compute = |threads: usize, set: Instructions| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| losses_with(set, &points, &[1, 30, 88], &SubsetOptions::default(), &|_| ()).unwrap())
    };
    let one = compute(1, Instructions::Portable);
    for set in Instructions::available() {
        assert_eq!(one, compute(3, set), "{set:?}");
    }
}

#[test]
fn losses_grow_with_the_subset_and_do_not_depend_on_names_or_order() {
    let points = gaussian(60, 3, 4, 1.0);
    let sizes = [1, 2, 7, 20, 40, 58];
    let losses = exact_subset_losses(&points, &sizes, &SubsetOptions::default()).unwrap();
    assert!(losses.windows(2).all(|w| w[0].hi() < w[1].lo()));
    let order: Vec<usize> = (0..60).map(|i| i * 7 % 60).collect();
    let coordinates = order.iter().flat_map(|&i| {
        let p = points.point(i);
        [-p[1], p[0], p[2]]
    });
    let labels = order.iter().map(|&i| 90 - points.label(i) as u32).collect();
    let other = LabelledPoints::new(coordinates.collect(), 3, labels).unwrap();
    for (a, b) in losses.iter().zip(exact_subset_losses(&other, &sizes, &SubsetOptions::default()).unwrap()) {
        assert!(a.lo() <= b.hi() && b.lo() <= a.hi() && a.width() < 1e-12 * a.hi(), "{a:?} {b:?}");
    }
}

#[test]
fn extreme_points_give_valid_enclosures() {
    for x in [0.0, 1e-200, 25.0, 90.0, 1e4, 1e150, 1e300] {
        let points = LabelledPoints::new(vec![x, -x, x, 0.5 * x, -0.25 * x], 1, vec![0, 0, 1, 1, 1]).unwrap();
        for bits in 0..32 {
            let Ok(losses) = exact_subset_losses(&points, &[1, 2], &convention(bits)) else {
                continue;
            };
            assert!(losses.iter().all(|l| 0.0 <= l.lo() && !l.hi().is_nan()), "{x} {losses:?}");
        }
    }
}

/// With one point per class, which is its own positive, the loss over k-subsets of the others is the average loss of the mean
/// classifier over tasks of k + 1 classes.
#[test]
fn one_point_per_class_gives_the_average_task_loss() {
    let points = gaussian(7, 2, 7, 1.5);
    let rows: Vec<Vec<f64>> = (0..7).map(|i| points.point(i).to_vec()).collect();
    let model = contrastive::LatentClassModel::point_masses(&[1.0; 7], &rows).unwrap();
    let options = SubsetOptions { same_class_negatives: false, self_positive: true, ..SubsetOptions::default() };
    let found = exact_subset_losses(&points, &[1, 2, 3, 4, 5, 6], &options).unwrap();
    for (k, found) in (1..).zip(found) {
        let listed = Enclosure::from(contrastive::sup_mean_average(&model, k).unwrap());
        assert!(listed.interval().intersection(found.interval()).is_some(), "{k}: {listed} {found}");
        assert!((found.hi() - found.lo()) < 1e-11 * found.lo());
    }
}
