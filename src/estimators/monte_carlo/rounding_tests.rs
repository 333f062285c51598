//! What is computed against enclosures of what was drawn: every `error()` covers the rounding of its estimator.

use std::sync::Mutex;

use super::row_sums::{RowSums, table};
use super::uniform_pairs::{PAIRS, UniformPairs};
use super::*;
use crate::contrastive::LatentClassModel;
use crate::interval::{self, Interval};
use crate::probability::standard_normal_pair;

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
    let points: Vec<f64> = (0..18 * 21)
        .map(|_| scale * standard_normal_pair(&mut stream).0)
        .collect();
    LatentClassModel::from_labelled(&points, 21, &(0..18).map(|i| i % 3).collect::<Vec<u32>>()).unwrap()
}

/// From tiny logits to some of a few hundred.
const SCALES: [f64; 4] = [0.01, 0.4, 1.0, 2.5];

fn log_one_plus(anchor: &[f64], positive: &[f64], negatives: &[&[f64]]) -> Interval {
    let own = interval::dot(anchor, positive);
    let mut terms = vec![Interval::ZERO];
    terms.extend(negatives.iter().map(|y| interval::dot(anchor, y) - own));
    interval::log_sum_exp(&terms)
}

/// The observation is within the promised error of the exact value, which is within the range; and the promise says something.
fn check(name: &str, estimator: &dyn Estimator, observation: f64, exact: Interval) {
    let (error, range) = (estimator.error(), estimator.range().unwrap());
    let off = (Interval::point(observation) - exact).mignitude();
    assert!(off <= error, "{name}: {observation} {exact:?} {off:e} {error:e}");
    assert!(
        range.lo() <= exact.hi() && exact.lo() <= range.hi(),
        "{name}: {exact:?} {range:?}"
    );
    assert!(
        error < 1e-12 * (1.0 + range.hi()) * 30.0,
        "{name}: {error:e} is no bound to be proud of"
    );
}

#[test]
fn single_draws() {
    for (scale, negatives) in SCALES.into_iter().flat_map(|s| [1, 2, 9, 300].map(|n| (s, n))) {
        let model = model(scale);
        let inner = AtomSampler::new(&model).unwrap();
        let recorder = Recorder {
            inner: &inner,
            drawn: Mutex::default(),
        };
        let estimator = Unsupervised::new(&recorder, negatives).unwrap();
        let mut losses = [0.0; 40];
        estimator.observe(&mut ChunkStream::new(&[1; 32], 0), &mut losses);
        let drawn = recorder.drawn.lock().unwrap();
        for (loss, drawn) in losses.into_iter().zip(drawn.chunks(negatives + 2)) {
            let others: Vec<&[f64]> = drawn[2..].iter().map(|(_, y)| &y[..]).collect();
            check(
                "single",
                &estimator,
                loss,
                log_one_plus(&drawn[0].1, &drawn[1].1, &others),
            );
        }
    }
}

#[test]
fn draws_in_blocks() {
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
            check("block", &estimator, loss, log_one_plus(point(x), point(p), &others));
        }
    }
}

#[test]
fn batches() {
    let (m, groups, negatives) = (3, 2, 4);
    for scale in SCALES {
        let model = model(scale);
        let inner = AtomSampler::new(&model).unwrap();
        let recorder = Recorder {
            inner: &inner,
            drawn: Mutex::default(),
        };
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
                        terms.push(log_one_plus(&class[i].1, &class[j].1, &group));
                    }
                }
            }
            check("batch", &estimator, loss, interval::sum(&terms) / terms.len() as f64);
        }
    }
}

#[test]
fn supervised_draws() {
    for scale in SCALES {
        let model = model(scale);
        let inner = AtomSampler::new(&model).unwrap();
        let recorder = Recorder {
            inner: &inner,
            drawn: Mutex::default(),
        };
        let means: Vec<Vec<Interval>> = (0..3).map(|c| model.class_mean(c)).collect();
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
                    let logit = |other: usize| {
                        let way = means[other].iter().zip(&means[*class]).map(|(a, b)| *a - *b);
                        way.zip(anchor).map(|(w, x)| w * *x).sum::<Interval>()
                    };
                    let others = task.iter().filter(|(other, _)| other != class);
                    let terms = std::iter::once(Interval::ZERO).chain(others.map(|(other, _)| logit(*other)));
                    interval::log_sum_exp(&terms.collect::<Vec<_>>())
                };
                let exact = task.iter().map(of).sum::<Interval>() / size as f64;
                check("supervised", &estimator, loss, exact);
            }
        }
    }
}

#[test]
fn draws_from_the_table() {
    for (scale, negatives) in SCALES
        .into_iter()
        .flat_map(|s| [1, 2, 15, 127, 128, 200, 5000].map(|n| (s, n)))
    {
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
        let sums = RowSums {
            entries: &entries,
            inverses: &inverses,
            positives: 6,
            atoms: 18,
            negatives,
        };
        let mut ratio = [0.0];
        sums.draw(&mut ChunkStream::new(&[5; 32], 0), &mut ratio);
        // The same places once more.
        let mut stream = ChunkStream::new(&[5; 32], 0);
        let (mut begin, mut places) = ([[0; PAIRS]; 2], Vec::new());
        UniformPairs::new(6, 18).fill(&mut stream, &mut begin);
        places.push(begin[1][0]);
        let mut rows = vec![[0; PAIRS]; negatives.next_multiple_of(2)];
        UniformPairs::new(18, 18).fill(&mut stream, &mut rows);
        if negatives < 128 {
            places.extend(rows.iter().map(|row| row[0]));
        } else {
            places.extend(rows.iter().flatten());
        }
        let others: Vec<&[f64]> = places[..negatives]
            .iter()
            .map(|&y| sampler.point(usize::from(y)))
            .collect();
        let positive = sampler.point(members.start + usize::from(begin[0][0]));
        let exact = log_one_plus(sampler.point(anchor), positive, &others);
        check("table", &estimator, crate::kernels::Function::Ln1p.at(ratio[0]), exact);
    }
}
