//! The fast path against the straightforward one, against golden values, and against its symmetries.

use proptest::prelude::*;

use super::quadrature::Law;
use super::*;
use contrastive::{LatentClassModel, LogarithmBase, WeightedLogit, by_enumeration, by_quadrature};
use enclosures::probability::standard_normal_pair;
use enclosures::stream::stream;

mod golden;
mod gradient;
mod kernels;

const NUMBERS: [u64; 5] = [1, 15, 255, 4096, 65_536];

/// Gaussian points of a given scale with irregular labels.
fn gaussian(n: usize, d: usize, classes: usize, scale: f64) -> LabelledPoints {
    let mut rng = stream(7, &["exact", &n.to_string()]);
    let points = (0..n * d).map(|_| scale * standard_normal_pair(&mut rng).0).collect();
    let labels = (0..n).map(|i| (i * (i + 1) / 2 % classes) as u32).collect();
    LabelledPoints::new(points, d, labels).unwrap()
}

fn labels(points: &LabelledPoints) -> Vec<u32> {
    points.labels().iter().map(|&c| c as u32).collect()
}

fn model(points: &LabelledPoints) -> LatentClassModel {
    LatentClassModel::from_labelled(points.points(), points.dimension(), &labels(points)).unwrap()
}

fn default_losses(points: &LabelledPoints, numbers: &[u64]) -> Vec<Enclosure> {
    exact_unsupervised_losses(points, numbers, &LossOptions::default()).unwrap()
}

/// Both enclose the same number, the first one tightly.
fn agree(fast: Enclosure, slow: Enclosure, relative: f64) {
    assert!(fast.lo() <= slow.hi() && slow.lo() <= fast.hi(), "{fast:?} {slow:?}");
    let half = 0.5 * fast.width() / fast.magnitude();
    assert!(half <= relative, "{fast:?} {half:e}");
}

#[test]
fn agrees_with_the_straightforward_path() {
    // Logits of up to 1e-3, a few, dozens, and hundreds, and more than one strip of points.
    for (n, d, classes, scale) in
        [(90, 3, 7, 0.01), (60, 5, 4, 1.0), (40, 2, 3, 5.0), (30, 4, 2, 12.0), (700, 3, 5, 0.7)]
    {
        let points = gaussian(n, d, classes, scale);
        let slow = by_quadrature(&model(&points), &NUMBERS).unwrap();
        for (fast, slow) in default_losses(&points, &NUMBERS).into_iter().zip(slow) {
            agree(fast, slow.into(), 1e-12);
        }
    }
}

#[test]
fn agrees_with_the_straightforward_path_on_logits_up_to_a_million() {
    // Gaussian points with largest logits of thousands, and a hundred thousand; repeated points, which share
    // cells; points on a line whose logits leave gaps of thousands.
    let repeated = gaussian(20, 2, 3, 40.0);
    let gaps = vec![0.5, 30.0, -31.0, 180.0, 179.0, -600.0, 900.0, 0.0, 899.875, -600.25];
    for points in [
        gaussian(50, 4, 3, 30.0),
        gaussian(30, 3, 2, 150.0),
        gaussian(24, 2, 4, 200.0),
        LabelledPoints::new(repeated.points().repeat(4), 2, labels(&repeated).repeat(4)).unwrap(),
        LabelledPoints::new(gaps, 1, vec![0, 0, 1, 1, 2, 2, 0, 1, 2, 0]).unwrap(),
    ] {
        let slow = by_quadrature(&model(&points), &NUMBERS).unwrap();
        for (fast, slow) in default_losses(&points, &NUMBERS).into_iter().zip(slow) {
            agree(fast, slow.into(), 1e-12);
        }
        // Only anchors beyond the histogram matter here.
        let sample = Sample::new(&points, &LossOptions::default()).unwrap();
        let bound = (0..points.len()).map(|i| sample.logit_bound(i)).fold(0.0, f64::max);
        assert!((LARGEST..1e6).contains(&bound), "{bound}");
        for aggregation in [Aggregation::Sum, Aggregation::Mean] {
            let options = LossOptions { aggregation, same_class_negatives: false, ..LossOptions::default() };
            let problem = Problem::new(Instructions::detect(), &sample, &[1, 300], &options, LARGEST);
            for anchor in 0..points.len() {
                let slow = reference::anchor_losses(&sample, anchor, &[1, 300], &options).unwrap();
                // Losses that underflow have no other path.
                for (wide, slow) in problem.wide_loss(anchor).into_iter().flatten().zip(slow) {
                    assert!(wide.intersection(slow).is_some(), "{anchor} {wide:?} {slow:?}");
                    assert!(wide.width() <= 1e-12 * wide.hi(), "{anchor} {wide:?}");
                }
            }
        }
    }
}

#[test]
fn agrees_with_enumeration_for_few_negatives() {
    let points = gaussian(9, 2, 3, 1.3);
    for n in [1, 2, 3] {
        let slow = by_enumeration(&model(&points), n).unwrap();
        agree(default_losses(&points, &[n])[0], slow.into(), 1e-12);
    }
}

/// Which choices the bits of a number stand for; 64 in all.
fn convention(bits: u32, temperature: f64) -> LossOptions {
    let on = |bit: u32| bits >> bit & 1 == 1;
    LossOptions {
        positive_in_denominator: on(0),
        temperature: if on(1) { temperature } else { 1.0 },
        aggregation: if on(2) { Aggregation::Mean } else { Aggregation::Sum },
        base: LogarithmBase::Nats,
        same_class_negatives: on(3),
        self_positive: on(4),
        shares: if on(5) { ClassShares::Uniform } else { ClassShares::Empirical },
    }
}

#[test]
fn agrees_with_the_straightforward_path_in_every_convention() {
    let points = gaussian(40, 3, 4, 1.1);
    for bits in 0..64u32 {
        let options = convention(bits, 0.3);
        let sample = Sample::new(&points, &options).unwrap();
        let numbers = [1, 2, 77];
        let problem = Problem::new(Instructions::detect(), &sample, &numbers, &options, LARGEST);
        for (anchor, fast) in problem.per_anchor(&|_| ()).unwrap().into_iter().enumerate() {
            let slow = reference::anchor_losses(&sample, anchor, &numbers, &options).unwrap();
            let wide = problem.wide_loss(anchor).unwrap();
            for ((fast, wide), slow) in fast.into_iter().zip(wide).zip(slow) {
                for loss in [fast, wide] {
                    assert!(loss.intersection(slow).is_some(), "{options:?} {loss:?} {slow:?}");
                    // Without the positive in the denominator, relative to the parts: logits of up to 40.
                    let size = loss.magnitude() + if options.positive_in_denominator { 0.0 } else { 40.0 };
                    assert!(loss.width() <= 2e-12 * size, "{loss:?}");
                }
            }
        }
        let in_bits = LossOptions { base: LogarithmBase::Bits, ..options };
        let nats = exact_unsupervised_losses(&points, &[77], &options).unwrap()[0];
        let bits = exact_unsupervised_losses(&points, &[77], &in_bits).unwrap()[0];
        assert_eq!(bits, LogarithmBase::Bits.from_nats(nats));
    }
}

/// `E max(0, max_i a_{Y_i} - a_P)`, in plain doubles: the loss without the width of its kernels.
fn expected_excess(points: &LabelledPoints, number: u64) -> f64 {
    let n = points.len();
    let mut total = 0.0;
    for x in 0..n {
        let logit = |y: usize| -> f64 { points.point(x).iter().zip(points.point(y)).map(|(a, b)| a * b).sum() };
        let mut logits: Vec<f64> = (0..n).map(logit).collect();
        logits.sort_by(f64::total_cmp);
        let chance = |below: usize| core_math::pow(below as f64 / n as f64, number as f64);
        let own = points.class_members(points.label(x));
        for &p in own {
            let excess = logits.iter().enumerate().map(|(i, y)| {
                let largest = chance(i + 1) - chance(i);
                largest * (y - logit(p)).max(0.0)
            });
            total += excess.sum::<f64>() / own.len() as f64;
        }
    }
    total / n as f64
}

#[test]
fn logits_of_any_size_keep_their_digits() {
    // Up to thousands, and then ever further apart, to 1e13.
    for scale in [16.0, 255.0, 1e4, 3e5] {
        let points = gaussian(200, 8, 4, scale);
        for (loss, number) in default_losses(&points, &NUMBERS).into_iter().zip(NUMBERS) {
            let half = 0.5 * loss.width() / loss.magnitude();
            assert!(half <= 2e-13, "{scale} {number} {half:e}");
            let excess = expected_excess(&points, number);
            let above = core_math::log1p(number as f64);
            assert!(loss.hi() >= excess * (1.0 - 1e-12), "{scale} {number} {loss:?} {excess}");
            assert!(loss.lo() <= excess * (1.0 + 1e-12) + above, "{scale} {number} {loss:?} {excess}");
        }
    }
}

/// A law of logits in cells, as the anchors gather it: `(weight, logit)`.
fn cells(values: &[(f64, f64)]) -> (Vec<table::Cell>, i64) {
    let place = |a: f64| (a * 16.0).round_ties_even();
    let first = values.iter().map(|v| place(v.1)).fold(f64::INFINITY, f64::min) as i64;
    let last = values.iter().map(|v| place(v.1)).fold(f64::NEG_INFINITY, f64::max) as i64;
    let mut cells = vec![[0.0; table::TERMS]; (last - first + 1) as usize];
    for &(w, a) in values {
        let mut power = w;
        for moment in &mut cells[(place(a) as i64 - first) as usize] {
            *moment += power;
            power *= a * 16.0 - place(a);
        }
    }
    (cells, first)
}

fn ratio(values: &[(f64, f64)], number: u64) -> Interval {
    let (negatives, first) = cells(values);
    let (positives, zero) = cells(&[(1.0, 0.0)]);
    let law = |cells, first| Law { cells, first, scale: 1.0, roundings: 20.0 };
    let plan = QuadraturePlan::new(Instructions::detect(), &[number], false);
    let least = values.iter().map(|v| v.0).fold(1.0, f64::min);
    let (positives, negatives) = (law(&positives, zero), law(&negatives, first));
    WidePlan::new(&plan, least, None)
        .expected_log_ratio(&plan, &SparseLaw::from(&positives), &SparseLaw::from(&negatives))
        .unwrap()[0]
}

#[test]
fn reference_values_of_the_register() {
    let law = [(0.1, -3.0), (0.4, 0.0), (0.3, 2.0), (0.2, 9.0)];
    let printed = [
        (&law[..], 1, 2.720_220_691_132_19),
        (&law, 8, 8.480_513_229_443_46),
        (&law, 1024, 14.321_698_035_768_7),
        (&law, 65_536, 18.482_502_997_147_9),
        (&[(0.5, -40.0), (0.5, -60.0)], 1, 2.124_177_132_024_05e-18),
        // The register prints 13.5883520985602, wrong from its tenth digit on.
        (&[(0.01, 200.0), (0.99, -200.0)], 7, 13.588_352_098_760_185),
    ];
    for (values, number, value) in printed {
        let loss = ratio(values, number);
        // Half a unit of the fifteenth digit.
        let slack = 5e-15 * value;
        assert!(loss.lo() - slack <= value && value <= loss.hi() + slack, "{loss:?} {value}");
        assert!(loss.width() <= 1e-12 * value, "{loss:?}");
        let weighted: Vec<WeightedLogit> = (values.iter())
            .map(|&(p, a)| WeightedLogit { probability: Interval::point(p), logit: Interval::point(a) })
            .collect();
        let anchor = [WeightedLogit { probability: Interval::ONE, logit: Interval::ZERO }];
        let slow = contrastive::expected_log_ratio(&anchor, &weighted, &[number]).unwrap()[0];
        assert!(loss.intersection(slow.widened_by(1e-15 * value)).is_some(), "{loss:?} {slow:?}");
    }
}

#[test]
fn tiny_losses_and_huge_spreads_keep_their_relative_accuracy() {
    // Opposite classes at distance: losses of e^-2r^2; and logits of +-r^2. Below 1e-250 the straightforward path takes over.
    for r in [3.0, 4.5, 16.0, 17.5, 18.3, 18.7, 18.8, 30.0, 33.0] {
        let points = LabelledPoints::new(vec![r, 0.1, r, -0.2, -r, 0.3, -r, 0.0], 2, vec![0, 0, 1, 1]).unwrap();
        let options = LossOptions { same_class_negatives: false, ..LossOptions::default() };
        for n in [1, 4096] {
            let loss = exact_unsupervised_losses(&points, &[n], &options).unwrap()[0];
            let rough = n as f64 * core_math::exp(-2.0 * r * r);
            assert!(0.1 * rough <= loss.hi() && loss.lo() <= 10.0 * rough, "{r} {loss:?} {rough:e}");
            assert!(0.5 * loss.width() <= 1e-12 * loss.hi() || r > 17.0, "{r} {loss:?}");
        }
        let slow = by_quadrature(&model(&points), &NUMBERS).unwrap();
        for (fast, slow) in default_losses(&points, &NUMBERS).into_iter().zip(slow) {
            agree(fast, slow.into(), if r < 30.0 { 1e-12 } else { 1e-11 });
        }
    }
}

#[test]
fn the_bits_depend_neither_on_threads_nor_on_instructions() {
    // In a histogram, on rungs with gaps between them, and both with inner products in twice the precision.
    for points in [gaussian(600, 19, 6, 0.6), gaussian(60, 5, 6, 300.0), gaussian(90, 7, 3, 4.0)] {
        let compute = |threads: usize, set: Instructions| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| losses_with(set, &points, &NUMBERS, &LossOptions::default(), &|_| ()).unwrap())
        };
        let one = compute(1, Instructions::Portable);
        for set in Instructions::available() {
            assert_eq!(one, compute(1, set), "{set:?}");
            assert_eq!(one, compute(4, set), "{set:?}");
        }
    }
}

#[test]
fn losses_count_as_the_same_work_on_any_number_of_threads() {
    let points = gaussian(600, 3, 6, 0.6);
    let work = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| enclosures::work::counted(|| default_losses(&points, &NUMBERS)).1)
    };
    let one = work(1);
    assert!(one > 0);
    assert_eq!([one; 3], [2, 5, 16].map(work));
}

/// No logit is known better than to the rounding of its own digits, and hardly any is known much worse.
#[test]
fn errors_of_logits_are_neither_forgotten_nor_exaggerated() {
    // Plain inner products, and such as are taken in twice the precision.
    for (points, is_precise) in [(gaussian(40, 5, 4, 1.0), false), (gaussian(40, 5, 4, 300.0), true)] {
        let options = LossOptions::default();
        let sample = Sample::new(&points, &options).unwrap();
        let problem = Problem::new(Instructions::Portable, &sample, &NUMBERS, &options, LARGEST);
        for anchor in 0..points.len() {
            assert_eq!(problem.precise(anchor), is_precise, "{anchor}");
            let (error, rounding) = (problem.logit_error(anchor), 0.5 * f64::EPSILON * sample.logit_bound(anchor));
            let (least, most) =
                if is_precise { (f64::MIN_POSITIVE, 1e-3 * rounding) } else { (rounding, 32.0 * rounding) };
            assert!(least <= error && error <= most, "{error:e}, rounding {rounding:e}");
        }
    }
}

#[test]
fn bounds_of_logits_are_products_of_norms() {
    let points = LabelledPoints::new(vec![3.0, 4.0, 0.0, -2.0, 0.0, 0.0], 2, vec![0, 1, 1]).unwrap();
    let options = LossOptions { temperature: 0.5, ..LossOptions::default() };
    let sample = Sample::new(&points, &options).unwrap();
    // The largest norm is 5.
    for (at, norm) in [5.0, 2.0, 0.0].into_iter().enumerate() {
        let (bound, error) = (sample.logit_bound(at), sample.logit_error(at));
        let logit = 5.0 * norm / 0.5;
        assert!(bound >= logit && bound <= logit * (1.0 + 1e-14) + 1e-140, "{bound:e} {logit}");
        // What underflows is lost even where all else is zero.
        assert!(error > 0.0 && error <= 1e-14 * logit + 1e-150, "{error:e} {logit}");
    }
    let zero = LabelledPoints::new(vec![0.0; 4], 2, vec![0, 1]).unwrap();
    assert!(Sample::new(&zero, &options).unwrap().logit_error(0) >= 1e-290);
}

#[test]
fn anchors_that_meet_a_strip_together_keep_their_histograms_in_the_cache() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let at_once = |points: usize, cells: usize| pool.install(|| anchors_at_once(points, cells));
    let many = 1 << 20;
    assert_eq!([16, 128, 256].map(|cells| at_once(many, cells)), [64, 64, 32]);
    // No fewer than so many, short histograms or not, and no more than give every thread some blocks.
    assert_eq!([at_once(many, 2048), at_once(many, 2049), at_once(many, 1 << 20)], [16, 8, 8]);
    assert_eq!([1, 128, 400, 1000].map(|points| at_once(points, 16)), [8, 8, 24, 56]);
}

/// Integers over a power of two, whose inner products are exact in wide integers, against the cells and rests of logits that are
/// far too large for plain doubles.
#[test]
fn accurate_logits_keep_digits_far_beyond_a_double() {
    let mut rng = stream(21, &["accurate"]);
    let (n, d, temperature) = (70usize, 5, 0.3f64);
    // Numbers of 26 bits, so that a product has 52.
    let whole: Vec<i64> = (0..n * d).map(|_| (rand::Rng::next_u64(&mut rng) >> 38) as i64 - (1 << 25)).collect();
    let points = whole.iter().map(|&k| k as f64 / 1024.0).collect();
    let points = LabelledPoints::new(points, d, (0..n as u32).map(|i| i % 3).collect()).unwrap();
    let options = LossOptions { temperature, ..LossOptions::default() };
    let sample = Sample::new(&points, &options).unwrap();
    // 16/0.3 as a fraction: 16 * 2^54 over the digits of 0.3.
    let digits = (temperature * (1u64 << 54) as f64) as i128;
    for set in Instructions::available() {
        let (mut places, mut rests) = (vec![0; n], vec![0.0; n]);
        AccurateLogits::new(temperature).places(set, &sample, 7, &mut places, &mut rests);
        for y in 0..n {
            let of = |at: usize| &whole[sample.order[at] * d..][..d];
            let product: i128 = of(7).iter().zip(of(y)).map(|(a, b)| i128::from(a * b)).sum();
            // product 2^-20 * 16 * 2^54/digits = product 2^38/digits cells.
            let beyond = (product << 38) - i128::from(places[y]) * digits;
            let rest = beyond as f64 / digits as f64;
            let error = 16.0 * AccurateLogits::error(&sample, 7);
            assert!(places[y].abs() > 1 << 24 || y == 7 || product.abs() < 1 << 45, "{}", places[y]);
            assert!((rests[y] - rest).abs() <= error && error < 1e-12, "{y}: {} {rest} {error:e}", rests[y]);
        }
    }
}

#[test]
fn malformed_requests_are_refused() {
    let points = gaussian(6, 2, 6, 1.0);
    let refuse =
        |numbers: &[u64], options: LossOptions| exact_unsupervised_losses(&points, numbers, &options).unwrap_err();
    let default = LossOptions::default();
    assert_eq!(refuse(&[1, 0], default), EstimatorError::Negatives { negatives: 0 });
    for temperature in [0.0, -1.0, f64::INFINITY, 1e-320] {
        assert_eq!(refuse(&[1], LossOptions { temperature, ..default }), EstimatorError::Temperature { temperature });
    }
    let nan = LossOptions { temperature: f64::NAN, ..default };
    assert!(matches!(refuse(&[1], nan), EstimatorError::Temperature { .. }));
    let alone = LossOptions { self_positive: false, ..default };
    assert!(matches!(refuse(&[1], alone), EstimatorError::NoPositive { .. }));
    let one = LabelledPoints::new(vec![1.0, 2.0], 1, vec![5, 5]).unwrap();
    let foreign = LossOptions { same_class_negatives: false, ..default };
    let error = exact_unsupervised_losses(&one, &[1], &foreign).unwrap_err();
    assert_eq!(error, EstimatorError::NoNegative { label: 5 });
}

#[test]
fn extreme_points_give_valid_enclosures() {
    for x in [0.0, 1e-200, 40.0, 1e4, 1e150, 1e300] {
        let points = LabelledPoints::new(vec![x, -x, x, 0.5 * x], 1, vec![0, 0, 1, 1]).unwrap();
        for options in
            [LossOptions::default(), LossOptions { positive_in_denominator: false, ..LossOptions::default() }]
        {
            let loss = exact_unsupervised_losses(&points, &[1, 1000], &options).unwrap();
            assert!(loss.iter().all(|l| l.lo() <= l.hi() && !l.lo().is_nan()), "{x} {loss:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Rotations by multiples of a right angle, permutations and new names of the labels leave the loss as it is.
    #[test]
    fn invariant_under_rotation_permutation_and_relabelling(
        rows in prop::collection::vec((-3.0..3.0f64, -3.0..3.0f64, 0u32..4), 2..40),
        turn in 1usize..40,
    ) {
        let build = |rows: &[(f64, f64, u32)]| {
            let points = rows.iter().flat_map(|r| [r.0, r.1]).collect();
            LabelledPoints::new(points, 2, rows.iter().map(|r| r.2).collect()).unwrap()
        };
        let mut other: Vec<_> = rows.iter().map(|&(x, y, c)| (-y, x, 9 - 2 * c)).collect();
        other.rotate_left(turn % rows.len());
        for (a, b) in default_losses(&build(&rows), &NUMBERS).into_iter().zip(default_losses(&build(&other), &NUMBERS)) {
            agree(a, b, 1e-12);
        }
    }

    #[test]
    fn agrees_with_the_straightforward_path_on_random_sets(
        rows in prop::collection::vec((-4.0..4.0f64, -4.0..4.0f64, 0u32..4), 2..30),
        scale in 0.001..4.0f64,
        number in 1u64..1_000_000,
    ) {
        let points: Vec<f64> = rows.iter().flat_map(|r| [scale * r.0, scale * r.1]).collect();
        let points = LabelledPoints::new(points, 2, rows.iter().map(|r| r.2).collect()).unwrap();
        let slow = by_quadrature(&model(&points), &[number]).unwrap()[0];
        agree(default_losses(&points, &[number])[0], slow.into(), 1e-12);
    }
}

#[test]
fn nearly_opposite_points_of_any_norm_keep_their_digits() {
    for norm in [1e3, 1e5, 1e7] {
        let points = [1.0, 1e-7, -1.0, 1e-7, 1.0, -1e-7, -1.0, -1e-7].map(|x: f64| x * norm).to_vec();
        let data = LabelledPoints::new(points, 2, vec![0, 0, 1, 1]).unwrap();
        let losses = exact_unsupervised_losses(&data, &[1, 15, 4096], &LossOptions::default()).unwrap();
        for loss in losses {
            // Half of the positives lie opposite; a negative on the anchor's side is all but certain, or has one chance in two.
            let size = norm * norm;
            assert!(loss.lo() >= 0.4 * size && loss.hi() <= 1.1 * size, "{norm}: {loss:?}");
            assert!(loss.hi() - loss.lo() <= 1e-9 * size + 10.0, "{norm}: {loss:?}");
        }
    }
}
