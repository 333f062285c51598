//! The losses of section 3 of Merad et al. on finitely supported models: exact values with their enclosures.
//!
//! `cargo bench --bench losses`

use contrastive::{LatentClassModel, Triplet, sup_mean_all, sup_mean_average, unsupervised_loss};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use enclosures::probability::standard_normal;
use enclosures::stream::stream;
use std::hint::black_box;

/// Gaussian embeddings with cyclic labels.
fn model(atoms: usize, classes: usize, dimension: usize) -> LatentClassModel {
    let mut rng = stream(0, &["bench", &atoms.to_string()]);
    let points: Vec<f64> = (0..atoms * dimension).map(|_| standard_normal(&mut rng)).collect();
    let labels: Vec<u32> = (0..atoms).map(|i| (i % classes) as u32).collect();
    LatentClassModel::from_labelled(&points, dimension, &labels).expect("valid by construction")
}

fn losses(c: &mut Criterion) {
    let mut group = c.benchmark_group("unsupervised loss");
    for atoms in [10, 100, 400] {
        let model = model(atoms, 10, 8);
        group.throughput(Throughput::Elements((atoms * atoms) as u64));
        for negatives in [1u64, 15, 255, 65_536] {
            group.bench_with_input(BenchmarkId::new(format!("N = {negatives}"), atoms), &model, |b, m| {
                b.iter(|| unsupervised_loss(black_box(m), negatives));
            });
        }
    }
    group.finish();

    let mut group = c.benchmark_group("supervised loss");
    let model = model(100, 10, 8);
    group.bench_function("mean classifier, all classes", |b| b.iter(|| sup_mean_all(black_box(&model))));
    group.bench_function("mean classifier, tasks of 5 classes", |b| b.iter(|| sup_mean_average(black_box(&model), 4)));
    group.finish();

    let triplet = Triplet::new(vec![1.0, 2.0], vec![0.0, -1.0], vec![0.5, 0.25]).expect("valid by construction");
    c.bench_function("Hessian norm of a triplet", |b| b.iter(|| black_box(&triplet).hessian_spectral_norm()));
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = losses
}
criterion_main!(benches);
