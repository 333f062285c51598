//! The data sets that the statements about the losses quantify over, under the weights of a two-layer linear model.

use enclosures::linear_algebra::{Matrix, haar_orthonormal};
use enclosures::probability::standard_normal;
use enclosures::stream::{Stream, stream};
use evidence::prelude::*;
use linear_ssl::self_supervised::{AnchoredSamples, SharedSamples, TripletData};
use proptest::prelude::{Strategy, any};
use proptest::sample::select;
use rand::RngExt;

use crate::shared::linear_model::{LinearModelOn, Samples};

/// Weights whose entries repeat a short pattern of small integers: every sum of products of integers is then exact.
pub fn patterned(rows: usize, columns: usize, shift: usize) -> Matrix {
    const PATTERN: [f64; 7] = [1.0, -1.0, 2.0, 0.0, 1.0, -2.0, 3.0];
    Matrix::from_fn(rows, columns, |i, j| PATTERN[(shift + 3 * i + 5 * j + i * j) % PATTERN.len()])
        .expect("sizes are at least one")
}

/// The pattern as weights of a given width and number of outputs.
pub fn with_pattern<D: Samples>(data: D, h: usize, z: usize) -> LinearModelOn<D> {
    let first = patterned(h, data.dimension(), 0);
    LinearModelOn { data, first, second: patterned(h, z, 4) }
}

fn unit(d: usize, i: usize, scale: f64) -> Vec<f64> {
    (0..d).map(|j| if i == j { scale } else { 0.0 }).collect()
}

/// Triples of one anchor each, on a line.
pub fn on_a_line(anchor: f64, positive: f64, negative: f64) -> TripletData {
    TripletData { anchors: vec![vec![anchor]], positives: vec![vec![positive]], negatives: vec![vec![negative]] }
}

/// Anchors e₁, …, e_n of ℝ^d with positives and negatives made from the index.
fn orthonormal(d: usize, n: usize, of: impl Fn(usize) -> (Vec<f64>, Vec<f64>)) -> TripletData {
    let (positives, negatives) = (0..n).map(of).unzip();
    TripletData { anchors: (0..n).map(|i| unit(d, i, 1.0)).collect(), positives, negatives }
}

/// Degenerate and small data: single points, duplicates, zeros, orthonormal rows, all points on a line, a quarter turn.
pub fn named_triples() -> Vec<(&'static str, TripletData)> {
    let line = |points: &[f64]| points.iter().map(|&t| vec![t, -2.0 * t, 0.5 * t]).collect::<Vec<_>>();
    let quarter = TripletData {
        anchors: vec![vec![1.0, 0.0], vec![0.0, 1.0]],
        positives: vec![vec![0.0, 0.0], vec![1.0, 0.0]],
        negatives: vec![vec![0.0, 1.0], vec![0.0, 0.0]],
    };
    vec![
        ("one point, x = x⁺ = 1, x⁻ = 0", on_a_line(1.0, 1.0, 0.0)),
        ("one point, x = x⁻ = 1, x⁺ = 0", on_a_line(1.0, 0.0, 1.0)),
        ("one point, x⁺ = 2, x⁻ = 3", on_a_line(1.0, 2.0, 3.0)),
        ("all zero", on_a_line(0.0, 0.0, 0.0)),
        ("x⁻ = x⁺", on_a_line(1.0, -3.0, -3.0)),
        ("orthonormal anchors, x⁺ = x, x⁻ = 0", orthonormal(3, 3, |i| (unit(3, i, 1.0), unit(3, i, 0.0)))),
        ("orthonormal anchors, x⁺ = 0, x⁻ = 2x", orthonormal(3, 2, |i| (unit(3, i, 0.0), unit(3, i, 2.0)))),
        (
            "orthonormal anchors, x⁺ = x, x⁻ the next row",
            orthonormal(3, 3, |i| (unit(3, i, 1.0), unit(3, (i + 1) % 3, 1.0))),
        ),
        ("independent pulls, d = 2n", orthonormal(4, 2, |i| (unit(4, i + 2, -1.0), unit(4, i, 0.0)))),
        ("a quarter turn: x₁ to x₂, x₂ to −x₁", quarter),
        (
            "all points on a line of ℝ³",
            TripletData {
                anchors: line(&[1.0, -1.0, 2.0]),
                positives: line(&[1.0, 0.0, -4.0]),
                negatives: line(&[2.0, 2.0, 2.0]),
            },
        ),
        (
            "±1 vectors",
            TripletData {
                anchors: vec![vec![1.0, 1.0, -1.0], vec![-1.0, 1.0, 1.0]],
                positives: vec![vec![1.0, -1.0, -1.0], vec![1.0, 1.0, 1.0]],
                negatives: vec![vec![-1.0, -1.0, -1.0], vec![-1.0, 1.0, -1.0]],
            },
        ),
    ]
}

/// The laws of the random anchors.
const LAWS: usize = 7;
/// The ways in which partners depend on the anchors.
const PARTNERS: usize = 6;

/// A number with Student's t-distribution with three degrees of freedom.
fn heavy_tailed(rng: &mut Stream) -> f64 {
    let chi: f64 = (0..3).map(|_| standard_normal(rng)).map(|x| x * x).sum();
    standard_normal(rng) / (chi / 3.0).sqrt()
}

/// One of the laws of a point of ℝ^d.
fn draw_point(law: usize, d: usize, rng: &mut Stream) -> Vec<f64> {
    let gaussian = |mean: f64, rng: &mut Stream| (0..d).map(|_| mean + standard_normal(rng)).collect();
    let root = Enclosure::from(d).sqrt().midpoint();
    match law {
        0 => gaussian(0.0, rng),
        1 => gaussian(0.1 / root, rng),
        2 => gaussian(1.0 / root, rng),
        3 => gaussian(10.0 / root, rng),
        4 => (0..d).map(|_| heavy_tailed(rng)).collect(),
        5 => (0..d).map(|_| if rng.random::<bool>() { 1.0 } else { -1.0 }).collect(),
        _ => {
            let along = standard_normal(rng);
            (0..d).map(|j| along * (1.0 + j as f64)).collect()
        }
    }
}

/// Random triples: a law for the anchors, and for the partners independent draws, copies, noisy copies or other anchors.
fn draw_triples(law: usize, partners: usize, n: usize, d: usize, rng: &mut Stream) -> TripletData {
    let anchors: Vec<Vec<f64>> = (0..n).map(|_| draw_point(law, d, rng)).collect();
    let noisy = |x: &[f64], size: f64, rng: &mut Stream| x.iter().map(|t| t + size * standard_normal(rng)).collect();
    let (mut positives, mut negatives) = (Vec::new(), Vec::new());
    for (i, x) in anchors.iter().enumerate() {
        let positive: Vec<f64> = match partners {
            0 => draw_point(law, d, rng),
            1 => x.clone(),
            2 => noisy(x, 0.3, rng),
            _ => noisy(x, 1.0, rng),
        };
        negatives.push(match partners {
            3 => positive.clone(),
            4 => x.clone(),
            5 => anchors[(i + 1) % n].clone(),
            _ => draw_point(law, d, rng),
        });
        positives.push(positive);
    }
    TripletData { anchors, positives, negatives }
}

/// Weights with Gaussian entries, or with orthonormal columns where the width allows.
fn draw_weights(h: usize, columns: usize, orthonormal: bool, rng: &mut Stream) -> Matrix {
    if orthonormal && h >= columns {
        haar_orthonormal(rng, h, columns).expect("h is at least the number of columns")
    } else {
        Matrix::from_fn(h, columns, |_, _| standard_normal(rng)).expect("sizes are at least one")
    }
}

/// The stream of a random instance: a function of the number that the strategy drew.
fn stream_of(key: u64) -> Stream {
    stream(key, &["esser2024 data"])
}

/// The triple families: named data under patterned weights, and random data of every law and size under random weights.
pub fn triples() -> Vec<Family<LinearModelOn<TripletData>>> {
    vec![
        edge("named data", || {
            let sizes = [(1, 1), (2, 1), (1, 2), (3, 2)];
            let with = |(name, data): (&str, TripletData)| {
                let model = move |(h, z)| (format!("{name}, h = {h}, z = {z}"), with_pattern(data.clone(), h, z));
                sizes.map(model)
            };
            named_triples().into_iter().flat_map(with).collect()
        }),
        random("random data", || {
            let sizes = (select(vec![1usize, 2, 3, 5, 20, 100]), select(vec![1usize, 2, 3, 5, 10]));
            let model = (1usize..=5, 1usize..=4, any::<bool>());
            (0..LAWS, 0..PARTNERS, sizes, model, any::<u64>()).prop_map(|(law, partners, (n, d), (h, z, flat), key)| {
                let rng = &mut stream_of(key);
                let data = draw_triples(law, partners, n, d, rng);
                let first = draw_weights(h, d, flat, rng);
                LinearModelOn { data, first, second: draw_weights(h, z, flat, rng) }
            })
        }),
    ]
}

/// Numbers of samples per anchor: equal, unequal, one, none.
const COUNTS: [usize; 4] = [0, 1, 2, 5];

fn random_samples<D: Samples>(
    draw: impl Fn(usize, usize, usize, (usize, usize), &mut Stream) -> D + Clone + Send + Sync + 'static,
) -> Family<LinearModelOn<D>> {
    random("random samples", move || {
        let draw = draw.clone();
        let counts = (select(COUNTS.to_vec()), select(COUNTS.to_vec()));
        let sizes = (select(vec![1usize, 2, 3, 5, 20]), select(vec![1usize, 2, 3, 5]));
        (0..LAWS, sizes, counts, 1usize..=4, 1usize..=3, any::<u64>()).prop_map(
            move |(law, (n, d), counts, h, z, key)| {
                let rng = &mut stream_of(key);
                let data = draw(law, n, d, counts, rng);
                let first = draw_weights(h, d, false, rng);
                LinearModelOn { data, first, second: draw_weights(h, z, false, rng) }
            },
        )
    })
}

fn points(law: usize, count: usize, d: usize, rng: &mut Stream) -> Vec<Vec<f64>> {
    (0..count).map(|_| draw_point(law, d, rng)).collect()
}

/// Anchors with samples of their own: every pair of counts from {0, 1, 2, 5}, and random ones.
pub fn anchored() -> Vec<Family<LinearModelOn<AnchoredSamples>>> {
    vec![
        edge("named samples", || {
            let own = |n: usize, p: usize, q: usize| {
                let at = |i: usize, j: usize, by: f64| vec![1.0 + by * i as f64, j as f64 - by];
                AnchoredSamples {
                    anchors: (0..n).map(|i| at(i, i, 1.0)).collect(),
                    positives: (0..n).map(|i| (0..p).map(|j| at(i, j, 2.0)).collect()).collect(),
                    negatives: (0..n).map(|i| (0..q).map(|j| at(i, j, -3.0)).collect()).collect(),
                }
            };
            let mut all = Vec::new();
            for n in 1..=2 {
                for p in COUNTS {
                    for q in COUNTS {
                        all.push((format!("n = {n}, p = {p}, q = {q}"), with_pattern(own(n, p, q), 2, 1)));
                    }
                }
            }
            let mut uneven = own(2, 2, 1);
            uneven.positives[0].clear();
            all.push(("numbers that differ between anchors".into(), with_pattern(uneven, 3, 2)));
            all
        }),
        random_samples(|law, n, d, (p, q), rng| AnchoredSamples {
            anchors: points(law, n, d, rng),
            positives: (0..n).map(|_| points(law, p, d, rng)).collect(),
            negatives: (0..n).map(|_| points(law, q, d, rng)).collect(),
        }),
    ]
}

/// Anchors with one set of samples for all: every pair of counts from {0, 1, 2, 5}, and random ones.
pub fn shared() -> Vec<Family<LinearModelOn<SharedSamples>>> {
    vec![
        edge("named samples", || {
            let all = |n: usize, p: usize, q: usize| {
                let list = |count: usize, by: f64| (0..count).map(|j| vec![by + j as f64, 1.0 - by]).collect();
                SharedSamples { anchors: list(n, 1.0), positives: list(p, 2.0), negatives: list(q, -3.0) }
            };
            let mut named = Vec::new();
            for n in 1..=2 {
                for p in COUNTS {
                    for q in COUNTS {
                        named.push((format!("n = {n}, p = {p}, q = {q}"), with_pattern(all(n, p, q), 2, 1)));
                    }
                }
            }
            named
        }),
        random_samples(|law, n, d, (p, q), rng| SharedSamples {
            anchors: points(law, n, d, rng),
            positives: points(law, p, d, rng),
            negatives: points(law, q, d, rng),
        }),
    ]
}

/// Σ_i ‖x_i‖ (‖x_i⁻‖ + ‖x_i⁺‖), rounded up.
pub fn data_size(data: &TripletData) -> f64 {
    let norm = |x: &[f64]| x.iter().map(|&t| exact(t).square()).sum::<Enclosure>().sqrt();
    let triple = data.anchors.iter().zip(&data.positives).zip(&data.negatives);
    let sizes = triple.map(|((x, plus), minus)| norm(x) * (norm(plus) + norm(minus)));
    sizes.sum::<Enclosure>().hi()
}

#[cfg(test)]
mod tests {
    use super::*;
    use enclosures::linear_algebra::IntervalMatrix;

    #[test]
    fn the_size_of_data_is_the_one_by_hand() {
        let data = TripletData {
            anchors: vec![vec![3.0, 4.0], vec![0.0, -1.0]],
            positives: vec![vec![0.0, 5.0], vec![2.0, 0.0]],
            negatives: vec![vec![5.0, 12.0], vec![0.0, 0.0]],
        };
        // 5(13 + 5) + 1(0 + 2).
        assert!((data_size(&data) - 92.0).abs() < 1e-12 && data_size(&data) >= 92.0);
    }

    /// Student's law with three degrees of freedom has half of its mass within 0.76489 and 95 % within 3.18245; a normal number
    /// would leave 0.15 % beyond that.
    #[test]
    fn heavy_tails_have_the_quantiles_of_student() {
        let (rng, count) = (&mut stream_of(1), 4000);
        let draws: Vec<f64> = (0..count).map(|_| heavy_tailed(rng).abs()).collect();
        let within = |bound: f64| draws.iter().filter(|x| **x <= bound).count() as f64 / f64::from(count);
        assert!((within(0.76489) - 0.5).abs() < 0.03, "{}", within(0.76489));
        assert!((within(3.18245) - 0.95).abs() < 0.014, "{}", within(3.18245));
    }

    #[test]
    fn points_have_the_means_and_the_shapes_of_their_laws() {
        let (d, count) = (4, 1000);
        for (law, mean) in [(0, 0.0), (1, 0.1), (2, 1.0), (3, 10.0)] {
            let rng = &mut stream_of(2);
            let mut sum = vec![0.0; d];
            for _ in 0..count {
                for (s, x) in sum.iter_mut().zip(draw_point(law, d, rng)) {
                    *s += x;
                }
            }
            // Each coordinate has the mean/√d with an error of 1/√1000.
            let off = sum.iter().map(|s| (s / f64::from(count) - mean / 2.0).abs()).fold(0.0, f64::max);
            assert!(off < 0.12, "law {law} is {off} from its mean");
        }
        let rng = &mut stream_of(3);
        assert!(draw_point(5, 50, rng).iter().all(|x| x.abs() == 1.0));
        let line = draw_point(6, 4, rng);
        assert!((0..4).all(|j| (line[j] - line[0] * (1.0 + j as f64)).abs() < 1e-12));
    }

    #[test]
    fn partners_are_copies_neighbours_or_noise_as_asked() {
        let (n, d) = (40, 5);
        let of = |partners: usize| draw_triples(0, partners, n, d, &mut stream_of(4));
        let (copies, tied, repeated, others) = (of(1), of(3), of(4), of(5));
        assert_eq!(copies.positives, copies.anchors);
        assert_eq!(tied.negatives, tied.positives);
        assert_eq!(repeated.negatives, repeated.anchors);
        assert_eq!(others.negatives[0], others.anchors[1]);
        assert_eq!(others.negatives[n - 1], others.anchors[0]);
        let noise = |data: &TripletData| {
            let pairs = data.anchors.iter().flatten().zip(data.positives.iter().flatten());
            (pairs.map(|(x, y)| (x - y) * (x - y)).sum::<f64>() / (n * d) as f64).sqrt()
        };
        // Two hundred normal numbers: their root mean square is known to 5 %.
        assert!((noise(&of(2)) - 0.3).abs() < 0.06 && (noise(&tied) - 1.0).abs() < 0.2);
        assert!((noise(&of(0)) - 2f64.sqrt()).abs() < 0.3, "independent points are √2 apart");
    }

    #[test]
    fn weights_are_orthonormal_where_the_width_allows() {
        let defect = |h: usize, columns: usize| {
            let w = IntervalMatrix::from(&draw_weights(h, columns, true, &mut stream_of(5)));
            let gram = w.transpose().product(&w).expect("the sizes fit");
            let unit = IntervalMatrix::identity(columns).expect("a size");
            gram.minus(&unit).expect("equal sizes").frobenius_norm().hi()
        };
        assert!(defect(5, 3) < 1e-13 && defect(3, 3) < 1e-13);
        assert!(defect(2, 3) > 0.1, "two rows hold no three columns");
    }
}
