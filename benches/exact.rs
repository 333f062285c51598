//! The exact unsupervised loss and its gradient against the Gram product of the same points, and against the straightforward path;
//! the loss over subsets; and the loss of raw pixels, whose logits reach 6000.
//!
//! `cargo bench --bench exact`; compare the rows of a group. The Gram product is nalgebra's, in blocks of 64 rows spread over the
//! same threads, each thread reusing one buffer for its blocks.

use std::hint::black_box;
use std::path::Path;

use contrastive::data::{LabelledPoints, digits};
use contrastive::{LatentClassModel, by_quadrature};
use criterion::{Criterion, criterion_group, criterion_main};
use enclosures::probability::standard_normal_pair;
use enclosures::stream::stream;
use estimators::exact::{
    LossOptions, SubsetOptions, exact_subset_losses, exact_unsupervised_gradients, exact_unsupervised_losses,
};
use nalgebra::DMatrix;
use rayon::prelude::*;

const NUMBERS: [u64; 5] = [1, 15, 255, 4096, 65_536];
/// Rows of one block of the Gram product.
const ROWS: usize = 64;

fn normal(count: usize, name: &str) -> Vec<f64> {
    let mut rng = stream(0, &["bench exact", name]);
    (0..count).map(|_| standard_normal_pair(&mut rng).0).collect()
}

/// The digits through one hidden layer of 64 rectified units onto 32 coordinates, with random weights.
fn encoded_digits() -> LabelledPoints {
    let fixtures = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures"));
    let data = digits::load(fixtures).expect("the digits come with the project");
    let images = DMatrix::from_row_slice(data.len(), digits::DIMENSION, data.points());
    let hidden = (images * DMatrix::from_vec(64, 64, normal(64 * 64, "hidden")) / 8.0).map(|x| x.max(0.0));
    let outputs = hidden * DMatrix::from_vec(64, 32, normal(64 * 32, "output")) / 8.0;
    let labels = data.labels().iter().map(|&c| c as u32).collect();
    LabelledPoints::new(outputs.transpose().as_slice().to_vec(), 32, labels).expect("finite")
}

/// Ten Gaussian classes about random centres, logits of a few units.
fn mixture(n: usize, d: usize) -> LabelledPoints {
    let (noise, centres) = (normal(n * d, "noise"), normal(10 * d, "centres"));
    let scale = 1.0 / (d as f64).sqrt();
    let points = (0..n * d).map(|at| scale * (noise[at] + centres[at / d % 10 * d + at % d])).collect();
    LabelledPoints::new(points, d, (0..n).map(|i| (i % 10) as u32).collect()).expect("finite")
}

/// All inner products, reduced to one number so that none may be left out.
fn gram(points: &LabelledPoints) -> f64 {
    let (n, d) = (points.len(), points.dimension());
    let columns = DMatrix::from_column_slice(d, n, points.points());
    let blocks: Vec<f64> = (0..n.div_ceil(ROWS))
        .into_par_iter()
        .map_init(
            || DMatrix::zeros(ROWS, n),
            |buffer, b| {
                let rows = ROWS.min(n - b * ROWS);
                let anchors = columns.columns(b * ROWS, rows).transpose();
                anchors.mul_to(&columns, &mut buffer.rows_mut(0, rows));
                buffer[(rows - 1, n - 1)]
            },
        )
        .collect();
    blocks.iter().sum()
}

fn exact(c: &mut Criterion) {
    let options = LossOptions::default();
    for (name, points) in [("digits, 1797 x 32", encoded_digits()), ("mixture, 20000 x 64", mixture(20_000, 64))] {
        for loss in exact_unsupervised_losses(&points, &NUMBERS, &options).expect("valid options") {
            println!("{name}: {loss:.12}, relative half-width {:.1e}", 0.5 * loss.width() / loss.magnitude());
        }
        let mut group = c.benchmark_group(name);
        group.sample_size(10);
        group.bench_function("Gram product", |b| b.iter(|| gram(black_box(&points))));
        group.bench_function("exact, N = 1 .. 65536", |b| {
            b.iter(|| exact_unsupervised_losses(black_box(&points), &NUMBERS, &options));
        });
        group.bench_function("exact gradient, N = 255", |b| {
            b.iter(|| exact_unsupervised_gradients(black_box(&points), &[255], &options));
        });
        if points.len() < 2000 {
            group.bench_function("exact gradients, N = 1 .. 65536", |b| {
                b.iter(|| exact_unsupervised_gradients(black_box(&points), &NUMBERS, &options));
            });
            let subsets = SubsetOptions::default();
            for size in [15, 255] {
                group.bench_function(format!("exact over subsets of {size}"), |b| {
                    b.iter(|| exact_subset_losses(black_box(&points), &[size], &subsets));
                });
            }
            let foreign = SubsetOptions { same_class_negatives: false, ..subsets };
            group.bench_function("exact over foreign subsets of 255", |b| {
                b.iter(|| exact_subset_losses(black_box(&points), &[255], &foreign));
            });
            let labels: Vec<u32> = points.labels().iter().map(|&c| c as u32).collect();
            let model = LatentClassModel::from_labelled(points.points(), points.dimension(), &labels).expect("finite");
            group.bench_function("straightforward path, N = 1 .. 65536", |b| {
                b.iter(|| by_quadrature(black_box(&model), &NUMBERS));
            });
        }
        group.finish();
    }
}

/// Pixels from 0 to 16 as they come: far beyond what a histogram holds.
fn raw(c: &mut Criterion) {
    let fixtures = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures"));
    let points = digits::load(fixtures).expect("the digits come with the project");
    let points = LabelledPoints::new(
        points.points().iter().map(|x| 16.0 * x).collect(),
        points.dimension(),
        points.labels().iter().map(|&c| c as u32).collect(),
    )
    .expect("finite");
    let mut group = c.benchmark_group("raw pixels, 1797 x 64");
    group.sample_size(10);
    group.bench_function("Gram product", |b| b.iter(|| gram(black_box(&points))));
    group.bench_function("exact, N = 1 .. 65536", |b| {
        b.iter(|| exact_unsupervised_losses(black_box(&points), &NUMBERS, &LossOptions::default()));
    });
    group.finish();
}

criterion_group!(benches, exact, raw);
criterion_main!(benches);
