//! How the estimators' times grow with the number of points `n`, their dimension `d` and the number of negatives `N`.
//!
//! `cargo bench --bench scaling`; compare the rows of a group. Exact losses are for `N` alone; sampled ones are one chunk of 1024
//! observations on one thread (one observation for sweeps over all anchors), throughput counting negatives.

use std::hint::black_box;
use std::time::Duration;

use contrastive::LatentClassModel;
use contrastive::data::LabelledPoints;
use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use enclosures::probability::standard_normal;
use enclosures::stream::stream;
use estimators::exact::{LossOptions, exact_unsupervised_losses};
use estimators::monte_carlo::{
    AtomSampler, BatchUnsupervised, ChunkStream, ConditionalUnsupervised, Estimator, PairTable, RowsUnsupervised,
    TabulatedUnsupervised, Unsupervised,
};

const CLASSES: usize = 10;
/// The sizes that are kept while another one grows.
const POINTS: usize = 1000;
const DIMENSION: usize = 32;
const NEGATIVES: usize = 15;
const OBSERVATIONS: usize = 1024;

/// Ten Gaussian classes about random centres, logits of a few units whatever the dimension.
fn points(n: usize, d: usize) -> LabelledPoints {
    let mut rng = stream(0, &["bench scaling", &n.to_string(), &d.to_string()]);
    let centres: Vec<f64> = (0..CLASSES * d).map(|_| standard_normal(&mut rng)).collect();
    let scale = 1.0 / (d as f64).sqrt();
    let coordinates =
        (0..n * d).map(|at| scale * (standard_normal(&mut rng) + centres[at / d % CLASSES * d + at % d])).collect();
    LabelledPoints::new(coordinates, d, (0..n).map(|i| (i % CLASSES) as u32).collect()).expect("finite")
}

fn exact_group(group: &mut BenchmarkGroup<'_, WallTime>, label: String, points: &LabelledPoints, negatives: u64) {
    let pairs = points.len() * points.len();
    group.throughput(Throughput::Elements(pairs as u64));
    group.bench_function(BenchmarkId::new("exact", label), |b| {
        b.iter(|| exact_unsupervised_losses(black_box(points), &[negatives], &LossOptions::default()));
    });
}

fn sampled_group(group: &mut BenchmarkGroup<'_, WallTime>, label: &str, points: &LabelledPoints, negatives: usize) {
    let labels: Vec<u32> = points.labels().iter().map(|&c| c as u32).collect();
    let model = LatentClassModel::from_labelled(points.points(), points.dimension(), &labels).expect("finite");
    let sampler = AtomSampler::new(&model).expect("equal weights");
    let table = PairTable::new(&sampler).expect("small logits");
    let mut each = |name: &str, estimator: &dyn Estimator, observations: usize, negatives: usize| {
        let mut out = vec![0.0; observations];
        group.throughput(Throughput::Elements((observations * negatives) as u64));
        group.bench_function(BenchmarkId::new(name, label), |b| {
            b.iter(|| estimator.observe(&mut ChunkStream::new(&[1; 32], 0), black_box(&mut out)));
        });
    };
    let plain = Unsupervised::new(&sampler, negatives).expect("valid number");
    each("plain", &plain, OBSERVATIONS, negatives);
    let rows = RowsUnsupervised::new(&sampler, negatives).expect("valid number");
    each("rows", &rows, OBSERVATIONS, negatives);
    let tabulated = TabulatedUnsupervised::new(&table, negatives).expect("valid number");
    each("table", &tabulated, OBSERVATIONS, negatives);
    let batch = BatchUnsupervised::new(&sampler, negatives, 8, 1).expect("valid sizes");
    each("batch", &batch, 1, negatives);
    let conditional = ConditionalUnsupervised::new(&table, &model, negatives).expect("its own model");
    each("conditional", &conditional, 1, negatives * points.len());
}

fn scaling(c: &mut Criterion) {
    let mut group = c.benchmark_group("over n, d = 32, N = 15");
    for n in [250, 500, 1000, 2000, 4000] {
        let points = points(n, DIMENSION);
        exact_group(&mut group, format!("n = {n}"), &points, NEGATIVES as u64);
        sampled_group(&mut group, &format!("n = {n}"), &points, NEGATIVES);
    }
    group.finish();

    let mut group = c.benchmark_group("over d, n = 1000, N = 15");
    for d in [2, 8, 32, 128, 512] {
        let points = points(POINTS, d);
        exact_group(&mut group, format!("d = {d}"), &points, NEGATIVES as u64);
        sampled_group(&mut group, &format!("d = {d}"), &points, NEGATIVES);
    }
    group.finish();

    let mut group = c.benchmark_group("over N, n = 1000, d = 32");
    let points = points(POINTS, DIMENSION);
    for negatives in [1, 15, 255, 4096] {
        exact_group(&mut group, format!("N = {negatives}"), &points, negatives as u64);
        sampled_group(&mut group, &format!("N = {negatives}"), &points, negatives);
    }
    for negatives in [65_536, 1_000_000] {
        exact_group(&mut group, format!("N = {negatives}"), &points, negatives);
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(Duration::from_millis(500)).warm_up_time(Duration::from_millis(100));
    targets = scaling
}
criterion_main!(benches);
