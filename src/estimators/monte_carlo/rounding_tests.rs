//! What is computed against the losses of what was drawn, taken to 128 bits: every `error()` covers the rounding of its estimator, and
//! none is much larger than what was found. Enclosures in doubles are wider than the errors that are looked for.

use std::sync::Mutex;

use dashu_float::FBig;
use dashu_float::round::mode::HalfEven;

use super::lanes::LANES;
use super::row_sums::{RowSums, table};
use super::uniform_pairs::{UniformPairs, unpacked};
use super::*;
use contrastive::LatentClassModel;
use enclosures::interval::Interval;
use enclosures::kernels::ElementwiseFunction;
use enclosures::probability::standard_normal_pair;

/// A sampler that keeps what it drew.
struct Recorder<'a> {
    inner: &'a AtomSampler,
    drawn: Mutex<Vec<(usize, Vec<f64>)>>,
}

impl Sampler for Recorder<'_> {
    fn class_weights(&self) -> &[f64] {
        self.inner.class_weights()
    }
    fn dimension(&self) -> usize {
        self.inner.dimension()
    }
    fn radius(&self) -> Option<f64> {
        self.inner.radius()
    }
    fn distance(&self) -> f64 {
        self.inner.distance()
    }
    fn draw_class(&self, stream: &mut ChunkStream) -> usize {
        self.inner.draw_class(stream)
    }
    fn draw_embedding(&self, class: usize, stream: &mut ChunkStream, out: &mut [f64]) {
        self.inner.draw_embedding(class, stream, out);
        self.drawn.lock().unwrap().push((class, out.to_vec()));
    }
    fn class_mean(&self, class: usize) -> Option<Vec<f64>> {
        self.inner.class_mean(class)
    }
    fn mean_error(&self) -> f64 {
        self.inner.mean_error()
    }
}

/// Three classes of six atoms each, all equally likely, of dimension 21.
fn model(scale: f64) -> LatentClassModel {
    let mut stream = ChunkStream::new(&[6; 32], 1);
    let points: Vec<f64> = (0..18 * 21).map(|_| scale * standard_normal_pair(&mut stream).0).collect();
    LatentClassModel::from_labelled(&points, 21, &(0..18).map(|i| i % 3).collect::<Vec<u32>>()).unwrap()
}

/// From tiny logits to some of a few hundred.
const SCALES: [f64; 4] = [0.01, 0.4, 1.0, 2.5];

type Real = FBig<HalfEven, 2>;

fn real(x: f64) -> Real {
    Real::try_from(x).unwrap().with_precision(128).value()
}

fn product(a: &[f64], b: &[Real]) -> Real {
    a.iter().zip(b).fold(real(0.0), |sum, (a, b)| sum + real(*a) * b)
}

fn reals(x: &[f64]) -> Vec<Real> {
    x.iter().map(|x| real(*x)).collect()
}

fn mean(terms: Vec<Real>) -> Real {
    let count = real(terms.len() as f64);
    terms.into_iter().fold(real(0.0), |sum, term| sum + term) / count
}

/// `log(1 + sum e^a)`.
fn log_one_plus_exponentials(logits: impl Iterator<Item = Real>) -> Real {
    logits.fold(real(0.0), |sum, a| sum + a.exp()).ln_1p()
}

fn exact_loss(anchor: &[f64], positive: &[f64], negatives: &[&[f64]]) -> Real {
    let own = product(anchor, &reals(positive));
    log_one_plus_exponentials(negatives.iter().map(|y| product(anchor, &reals(y)) - &own))
}

/// The observation is within the promised error of the exact value, and the range holds. Answers with the share of the promise that
/// was used up.
fn check(name: &str, estimator: &dyn Estimator, observation: f64, exact: &Real) -> f64 {
    let (error, range) = (estimator.error(), estimator.range().unwrap());
    let off = (real(observation) - exact).to_f64().value().abs();
    assert!(off <= error, "{name}: {observation} {exact} {off:e} {error:e}");
    let near = Interval::point(exact.to_f64().value()).widened_by(f64::EPSILON);
    assert!(range.lo() <= near.hi() && near.lo() <= range.hi(), "{name}: {exact} {range:?}");
    off / error
}

/// Promises are worst cases, and errors mostly cancel; but no promise is a thousand times too large everywhere.
fn tight(name: &str, shares: &[f64]) {
    let largest = shares.iter().copied().fold(0.0, f64::max);
    println!("{name}: up to {largest:.3} of the promised error");
    assert!(largest > 1e-3, "{name}: {largest}");
}

#[test]
fn single_draws() {
    let mut shares = Vec::new();
    for (scale, negatives) in SCALES.into_iter().flat_map(|s| [1, 2, 9, 300].map(|n| (s, n))) {
        let model = model(scale);
        let inner = AtomSampler::new(&model).unwrap();
        let recorder = Recorder { inner: &inner, drawn: Mutex::default() };
        let estimator = Unsupervised::new(&recorder, negatives).unwrap();
        let mut losses = [0.0; 12];
        estimator.observe(&mut ChunkStream::new(&[1; 32], 0), &mut losses);
        let drawn = recorder.drawn.lock().unwrap();
        for (loss, drawn) in losses.into_iter().zip(drawn.chunks(negatives + 2)) {
            let others: Vec<&[f64]> = drawn[2..].iter().map(|(_, y)| &y[..]).collect();
            let exact = exact_loss(&drawn[0].1, &drawn[1].1, &others);
            shares.push(check("single", &estimator, loss, &exact));
        }
    }
    tight("single draws", &shares);
}

#[test]
fn draws_in_blocks() {
    let mut shares = Vec::new();
    for (scale, negatives) in SCALES.into_iter().flat_map(|s| [1, 2, 9, 100].map(|n| (s, n))) {
        let model = model(scale);
        let sampler = AtomSampler::new(&model).unwrap();
        let estimator = RowsUnsupervised::new(&sampler, negatives).unwrap();
        let mut losses = [0.0; 10];
        estimator.observe(&mut ChunkStream::new(&[2; 32], 0), &mut losses);
        let (mut pairs, mut places) = ([[0; 2]; 10], vec![0; 10 * negatives]);
        estimator.draw(&mut ChunkStream::new(&[2; 32], 0), &mut pairs, &mut places);
        let point = |i: u32| sampler.point(i as usize);
        for ((loss, [x, p]), places) in losses.into_iter().zip(pairs).zip(places.chunks(negatives)) {
            let others: Vec<&[f64]> = places.iter().map(|&y| point(y)).collect();
            let exact = exact_loss(point(x), point(p), &others);
            shares.push(check("block", &estimator, loss, &exact));
        }
    }
    tight("draws in blocks", &shares);
}

#[test]
fn sweeps() {
    let mut shares = Vec::new();
    for (scale, negatives) in SCALES.into_iter().flat_map(|s| [1, 2, 9].map(|n| (s, n))) {
        let model = model(scale);
        let sampler = AtomSampler::new(&model).unwrap();
        let table = PairTable::new(&sampler).unwrap();
        let estimator = ConditionalUnsupervised::new(&table, &model, negatives).unwrap();
        let mut losses = [0.0; 3];
        estimator.observe(&mut ChunkStream::new(&[8; 32], 0), &mut losses);
        let (mut stream, mut places) = (ChunkStream::new(&[8; 32], 0), vec![0u32; negatives]);
        for loss in losses {
            let mut terms = Vec::new();
            for anchor in 0..18 {
                table.model().overall().fill(&mut stream, &mut places);
                let others: Vec<&[f64]> = places.iter().map(|&y| sampler.point(y as usize)).collect();
                for positive in table.model().members(table.model().class_of(anchor)) {
                    terms.push(exact_loss(sampler.point(anchor), sampler.point(positive), &others));
                }
            }
            shares.push(check("sweep", &estimator, loss, &mean(terms)));
        }
    }
    tight("sweeps", &shares);
}

/// Embeddings of lengths up to `r` have logits of both signs, and losses up to that of a difference of `2 r^2`.
#[test]
fn ranges_reach_to_the_largest_loss() {
    for length in [1.0, 700.0] {
        let (x, y) = (0.6 * length, 0.8 * length);
        let rows = [length, 0.0, x, y, -length, 0.0, -x, -y];
        let model = LatentClassModel::from_labelled(&rows, 2, &[0, 0, 1, 1]).unwrap();
        let sampler = AtomSampler::new(&model).unwrap();
        let most = 2.0 * Interval::point(sampler.radius().unwrap()).square();
        for negatives in [1, 9] {
            let largest = (Interval::point(negatives as f64).ln() + most).softplus();
            let estimator = BatchUnsupervised::new(&sampler, negatives, 2, 1).unwrap();
            let range = estimator.range().unwrap();
            assert!(range.hi() >= largest.hi(), "{range:?} {largest:?}");
            assert!(range.hi() <= largest.hi() * (1.0 + 1e-12) + 1e-12, "{range:?} {largest:?}");
        }
    }
}

#[test]
fn batches() {
    let (m, groups, negatives) = (3, 2, 4);
    let mut shares = Vec::new();
    for scale in SCALES {
        let model = model(scale);
        let inner = AtomSampler::new(&model).unwrap();
        let recorder = Recorder { inner: &inner, drawn: Mutex::default() };
        let estimator = BatchUnsupervised::new(&recorder, negatives, m, groups).unwrap();
        let mut losses = [0.0; 20];
        estimator.observe(&mut ChunkStream::new(&[3; 32], 0), &mut losses);
        let drawn = recorder.drawn.lock().unwrap();
        for (loss, drawn) in losses.into_iter().zip(drawn.chunks(groups * negatives + 3 * m)) {
            let (others, own) = drawn.split_at(groups * negatives);
            let mut terms = Vec::new();
            for class in own.chunks(m) {
                for (i, j) in (0..m).flat_map(|i| (0..m).map(move |j| (i, j))).filter(|(i, j)| i != j) {
                    for group in others.chunks(negatives) {
                        let group: Vec<&[f64]> = group.iter().map(|(_, y)| &y[..]).collect();
                        terms.push(exact_loss(&class[i].1, &class[j].1, &group));
                    }
                }
            }
            shares.push(check("batch", &estimator, loss, &mean(terms)));
        }
    }
    tight("batches", &shares);
}

#[test]
fn supervised_draws() {
    let mut shares = Vec::new();
    for scale in SCALES {
        let model = model(scale);
        let inner = AtomSampler::new(&model).unwrap();
        let recorder = Recorder { inner: &inner, drawn: Mutex::default() };
        // Six equally likely atoms each.
        let coordinate = |c: usize, k: usize| mean(inner.members(c).map(|i| real(inner.point(i)[k])).collect());
        let means: Vec<Vec<Real>> = (0..3).map(|c| (0..21).map(|k| coordinate(c, k)).collect()).collect();
        let estimators = [
            Supervised::all(&recorder).unwrap(),
            Supervised::of_task(&recorder, &[2, 0]).unwrap(),
            Supervised::of_task(&recorder, &[1]).unwrap(),
            Supervised::tasks(&recorder, 1).unwrap(),
        ];
        for (estimator, size) in estimators.into_iter().zip([3, 2, 1, 2]) {
            recorder.drawn.lock().unwrap().clear();
            let mut losses = [0.0; 30];
            estimator.observe(&mut ChunkStream::new(&[4; 32], 0), &mut losses);
            let drawn = recorder.drawn.lock().unwrap();
            for (loss, task) in losses.into_iter().zip(drawn.chunks(size)) {
                let of = |(class, anchor): &(usize, Vec<f64>)| {
                    let own = product(anchor, &means[*class]);
                    let others = task.iter().filter(|(other, _)| other != class);
                    log_one_plus_exponentials(others.map(|(other, _)| product(anchor, &means[*other]) - &own))
                };
                let exact = mean(task.iter().map(of).collect());
                shares.push(check("supervised", &estimator, loss, &exact));
            }
        }
    }
    tight("supervised draws", &shares);
}

/// `log sum e^{z.mu}` over the means of a task.
fn log_sum(at: &[Real], means: &[Vec<Real>]) -> Real {
    let product = |mean: &Vec<Real>| at.iter().zip(mean).fold(real(0.0), |sum, (a, b)| sum + a * b);
    let logits: Vec<Real> = means.iter().map(product).collect();
    let first = logits[0].clone();
    &first + log_one_plus_exponentials(logits[1..].iter().map(|logit| logit - &first))
}

/// What the first-order expansion at the mean of a class leaves of the loss of an anchor, to 128 bits.
fn above_expansion(anchor: &[Real], own: &[Real], means: &[Vec<Real>]) -> Real {
    let at_mean = log_sum(own, means);
    let linear = means.iter().fold(real(0.0), |sum, mean| {
        let products = |to: &[Real]| mean.iter().zip(to).fold(real(0.0), |sum, (m, x)| sum + m * x);
        sum + (products(own) - &at_mean).exp() * (products(anchor) - products(own))
    });
    log_sum(anchor, means) - at_mean - linear
}

#[test]
fn draws_with_a_control_variate() {
    let mut shares = Vec::new();
    for scale in SCALES {
        let model = model(scale);
        let inner = AtomSampler::new(&model).unwrap();
        let recorder = Recorder { inner: &inner, drawn: Mutex::default() };
        for task in [&[0, 1, 2][..], &[2, 0], &[1]] {
            let means: Vec<Vec<Real>> = task.iter().map(|c| reals(&inner.class_mean(*c).unwrap())).collect();
            let own_loss = |own: &Vec<Real>| log_sum(own, &means) - own.iter().fold(real(0.0), |sum, x| sum + x * x);
            let first = mean(means.iter().map(own_loss).collect());
            let estimator = ControlVariateSupervised::of_task(&recorder, task).unwrap();
            recorder.drawn.lock().unwrap().clear();
            let mut losses = [0.0; 30];
            estimator.observe(&mut ChunkStream::new(&[4; 32], 0), &mut losses);
            let drawn = recorder.drawn.lock().unwrap();
            assert_eq!(drawn.len(), losses.len());
            for (loss, (class, anchor)) in losses.into_iter().zip(drawn.iter()) {
                let own = &means[task.iter().position(|c| c == class).unwrap()];
                let exact = &first + above_expansion(&reals(anchor), own, &means);
                shares.push(check("control variate", &estimator, loss, &exact));
            }
        }
    }
    tight("draws with a control variate", &shares);
}

#[test]
fn draws_from_the_table() {
    let mut shares = Vec::new();
    for (scale, negatives) in SCALES.into_iter().flat_map(|s| [1, 2, 15, 127, 128, 200, 5000].map(|n| (s, n))) {
        let model = model(scale);
        let sampler = AtomSampler::new(&model).unwrap();
        let pair_table = PairTable::new(&sampler).unwrap();
        let estimator = TabulatedUnsupervised::new(&pair_table, negatives).unwrap();
        let (mut entries, mut inverses) = (table(), table());
        let anchor = 7;
        let members = sampler.members(sampler.class_of(anchor));
        entries[..18].copy_from_slice(pair_table.row(anchor));
        for (inverse, &e) in inverses.iter_mut().zip(&pair_table.row(anchor)[members.clone()]) {
            *inverse = 1.0 / e;
        }
        let sums = RowSums { entries: &entries, inverses: &inverses, positives: 6, atoms: 18, negatives };
        let mut ratio = [0.0];
        sums.draw(&mut ChunkStream::new(&[5; 32], 0), &mut ratio);
        // The same places once more.
        let mut stream = ChunkStream::new(&[5; 32], 0);
        let (mut begin, mut places) = ([[0; LANES]], Vec::new());
        UniformPairs::new(6, 18).fill(&mut stream, &mut begin);
        let [own, first, ..] = unpacked(begin[0][0]);
        places.push(first);
        let mut rows = vec![[0; LANES]; negatives];
        UniformPairs::new(18, 18).fill(&mut stream, &mut rows);
        if negatives < 128 {
            places.extend(rows.iter().flat_map(|row| unpacked(row[0])[..2].to_vec()));
        } else {
            places.extend(rows.iter().flatten().flat_map(|&word| unpacked(word)));
        }
        let others: Vec<&[f64]> = places[..negatives].iter().map(|&y| sampler.point(y)).collect();
        let positive = sampler.point(members.start + own);
        let exact = exact_loss(sampler.point(anchor), positive, &others);
        shares.push(check("table", &estimator, ElementwiseFunction::Ln1p.at(ratio[0]), &exact));
    }
    tight("draws from the table", &shares);
}
