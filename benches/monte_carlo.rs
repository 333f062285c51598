//! Sampled estimates of the unsupervised loss on embeddings of the digits: draws per second, and the standard error after one
//! second, `se sqrt(s)`, which no amount of sampling changes. Setting up (inner products, tables) is counted.
//!
//! `cargo bench --bench monte_carlo` prints the table and then measures single chunks; `benches/peers/monte_carlo.py` measures
//! the same figure for NumPy on the same embeddings.

use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};

use contrastive::data::digits;
use contrastive::{LatentClassModel, unsupervised_losses};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use estimators::monte_carlo::{
    AtomSampler, ChunkStream, Collector, ConditionalUnsupervised, Estimator, EvenUnsupervised, PairTable, Points,
    RowsUnsupervised, TabulatedUnsupervised, Tally, sample,
};

const NEGATIVES: [usize; 4] = [1, 15, 255, 4096];
/// Norm of the embeddings; its square is the inverse temperature.
const SQUARE: f64 = 5.0;
const DIMENSION: usize = 32;

/// Neighbouring pixels averaged in pairs, centred, scaled to the norm `sqrt 5`: 1797 embeddings of dimension 32.
fn embeddings() -> LatentClassModel {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let data = digits::load(&fixtures).expect("the digits come with the project");
    let halves = data.points().chunks_exact(2).map(|pair| 0.5 * (pair[0] + pair[1]));
    let mut rows: Vec<f64> = halves.collect();
    let n = rows.len() / DIMENSION;
    let mean: Vec<f64> =
        (0..DIMENSION).map(|k| rows.iter().skip(k).step_by(DIMENSION).sum::<f64>() / n as f64).collect();
    for row in rows.chunks_exact_mut(DIMENSION) {
        row.iter_mut().zip(&mean).for_each(|(x, m)| *x -= m);
        let norm = row.iter().map(|x| x * x).sum::<f64>().sqrt();
        row.iter_mut().for_each(|x| *x *= SQUARE.sqrt() / norm);
    }
    let labels: Vec<u32> = data.labels().iter().map(|&label| label as u32).collect();
    LatentClassModel::from_labelled(&rows, DIMENSION, &labels).expect("finite numbers")
}

/// Samples for about a second; answers with seconds and tally.
fn timed(make: impl Fn(u64) -> (u64, Tally)) -> (f64, Tally) {
    let mut chunks = 64;
    loop {
        let start = Instant::now();
        let (drawn, tally) = make(chunks);
        let seconds = start.elapsed().as_secs_f64();
        if seconds > 1.0 || drawn < chunks {
            return (seconds, tally);
        }
        chunks = (chunks as f64 * (1.3 / seconds).clamp(1.5, 16.0)) as u64;
    }
}

fn run<E: Estimator>(estimator: &E, chunks: u64) -> (u64, Tally) {
    let shard = sample(estimator, &[7; 32], 0..chunks).expect("finite losses");
    (chunks, shard.tally().expect("finite losses"))
}

fn table(model: &LatentClassModel) {
    let start = Instant::now();
    let exact = unsupervised_losses(model, &NEGATIVES.map(|n| n as u64)).expect("valid numbers");
    println!(
        "exact, all N together: {:.2} s, relative width {:.1e}",
        start.elapsed().as_secs_f64(),
        exact[0].width() / exact[0].lo()
    );
    println!(
        "{:>6} {:>12} {:>12} {:>14} {:>12} {:>12}",
        "N", "estimator", "mean", "error / se", "draws / s", "se sqrt(s)"
    );
    for (negatives, exact) in NEGATIVES.into_iter().zip(&exact) {
        let line = |name: &str, (seconds, tally): (f64, Tally), draws: f64| {
            let se = tally.standard_error();
            let off = (tally.mean() - exact.midpoint()) / se;
            let rate = tally.count() as f64 * draws / seconds;
            println!(
                "{negatives:>6} {name:>12} {:>12.6} {off:>14.2} {rate:>12.3e} {:>12.3e}",
                tally.mean(),
                se * seconds.sqrt()
            );
        };
        let with_table = |conditional: bool, chunks| {
            let sampler = AtomSampler::new(model).expect("valid model");
            let table = PairTable::new(&sampler).expect("small logits");
            if conditional {
                run(&ConditionalUnsupervised::new(&table, model, negatives).expect("valid number"), chunks)
            } else {
                run(&TabulatedUnsupervised::new(&table, negatives).expect("valid number"), chunks)
            }
        };
        line(
            "rows",
            timed(|chunks| {
                let sampler = AtomSampler::new(model).expect("valid model");
                run(&RowsUnsupervised::new(&sampler, negatives).expect("valid number"), chunks)
            }),
            1.0,
        );
        line("table", timed(|chunks| with_table(false, chunks)), 1.0);
        line("conditional", timed(|chunks| with_table(true, chunks)), model.n_atoms() as f64);
    }
}

/// How much a draw is worth: the variance of sweeps times the draws of a sweep, over the variance of plain draws, and the
/// standard error after one second, setting up included.
fn even_points(model: &LatentClassModel) {
    println!("{:>6} {:>18} {:>16} {:>12}", "N", "points", "variance ratio", "se sqrt(s)");
    let sampler = AtomSampler::new(model).expect("valid model");
    let pairs = PairTable::new(&sampler).expect("small logits");
    for negatives in [1usize, 15] {
        let plain = TabulatedUnsupervised::new(&pairs, negatives).expect("valid number");
        let single = run(&plain, 4).1.variance();
        for points in [Points::Independent(2), Points::Antithetic, Points::Lattice(16), Points::Lattice(128)] {
            let start = Instant::now();
            let table = PairTable::new(&sampler).expect("small logits");
            let estimator = EvenUnsupervised::new(&table, model, negatives, points).expect("valid number");
            let sweeps = (512 / estimator.points_per_anchor() as u64).max(16);
            let tally = run(&estimator, sweeps).1;
            let draws = (model.n_atoms() * estimator.points_per_anchor()) as f64;
            println!(
                "{negatives:>6} {:>18} {:>16.2e} {:>12.3e}",
                format!("{points:?}"),
                tally.variance() * draws / single,
                tally.standard_error() * start.elapsed().as_secs_f64().sqrt()
            );
        }
    }
}

fn monte_carlo(c: &mut Criterion) {
    let model = embeddings();
    table(&model);
    even_points(&model);
    let sampler = AtomSampler::new(&model).expect("valid model");
    let pairs = PairTable::new(&sampler).expect("small logits");
    let mut group = c.benchmark_group("one chunk, one thread");
    for negatives in NEGATIVES {
        let estimator = TabulatedUnsupervised::new(&pairs, negatives).expect("valid number");
        group.throughput(Throughput::Elements(estimator.chunk_len() as u64));
        group.bench_function(BenchmarkId::new("plain, from the table", negatives), |b| {
            b.iter(|| {
                let mut collector = Collector::default();
                estimator.observe_chunk(&mut ChunkStream::new(&[1; 32], 0), &mut collector);
                black_box(collector.finish(None))
            });
        });
    }
    group.finish();
    c.bench_function("table of 1797 x 1797 exponentials", |b| b.iter(|| PairTable::new(black_box(&sampler))));
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(Duration::from_secs(1)).warm_up_time(Duration::from_millis(300));
    targets = monte_carlo
}
criterion_main!(benches);
