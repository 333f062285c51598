//! The supervised side: coverage probabilities beside the recursion that they replaced, and the best linear head.
//!
//! `cargo bench --bench supervised`

use contrastive::{LatentClassModel, best_head_loss_all};
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use enclosures::probability::{Coverage, CoverageLaw, standard_normal};
use enclosures::stream::stream;
use std::hint::black_box;

fn coverage(c: &mut Criterion) {
    let mut group = c.benchmark_group("coverage probability");
    for classes in [10usize, 100, 1000] {
        let near = 8 * classes as u64;
        for draws in [classes as u64 + 1, near, 1_000_000] {
            let equal = vec![1.0; classes];
            let distinct: Vec<f64> = (0..classes).map(|c| 1.0 + c as f64 / classes as f64).collect();
            for (name, weights) in [("equal", equal), ("distinct", distinct)] {
                let id = BenchmarkId::new(format!("{classes} {name} classes"), draws);
                group.bench_with_input(id, &weights, |b, w| b.iter(|| Coverage::of_weights(black_box(w), draws)));
            }
        }
        // The peer: the recursion for equal classes, which also gives every smaller number of draws.
        group.bench_function(BenchmarkId::new(format!("{classes} equal classes, recursion"), near), |b| {
            b.iter(|| CoverageLaw::uniform(black_box(classes), near as usize));
        });
    }
    group.finish();
}

/// Gaussian embeddings with cyclic labels, `shift` times a class-dependent direction apart.
fn model(atoms: usize, classes: usize, dimension: usize, shift: f64) -> LatentClassModel {
    let mut rng = stream(0, &["bench", &atoms.to_string()]);
    let mut points: Vec<f64> = (0..atoms * dimension).map(|_| standard_normal(&mut rng)).collect();
    for i in 0..atoms {
        points[i * dimension + i % classes % dimension] += shift;
    }
    let labels: Vec<u32> = (0..atoms).map(|i| (i % classes) as u32).collect();
    LatentClassModel::from_labelled(&points, dimension, &labels).expect("valid by construction")
}

fn best_head(c: &mut Criterion) {
    let mut group = c.benchmark_group("best head");
    for (atoms, classes, dimension, shift) in
        [(100, 10, 8, 0.0), (100, 3, 2, 4.0), (100, 3, 2, 40.0), (1800, 10, 8, 1.0), (1800, 10, 64, 1.0)]
    {
        let name = format!("{classes} classes of dimension {dimension}, shift {shift}");
        let model = model(atoms, classes, dimension, shift);
        group.bench_with_input(BenchmarkId::new(name, atoms), &model, |b, m| {
            b.iter(|| best_head_loss_all(black_box(m)));
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10);
    targets = coverage, best_head
}
criterion_main!(benches);
