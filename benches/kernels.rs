//! Kernels against scalar loops over the correctly rounded and the platform's functions, and the Gram product.
//!
//! `cargo bench --bench kernels`

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use enclosures::kernels::{ElementwiseFunction, InstructionSet, PackedRows, correctly_rounded, gram, log_sum_exp_on};
use enclosures::stream::stream;
use nalgebra::DMatrix;
use rand::RngExt;
use std::hint::black_box;

/// Small enough for the second cache, as long as a row of logits.
const LENGTH: usize = 4096;

fn numbers(length: usize, lo: f64, hi: f64) -> Vec<f64> {
    let mut rng = stream(0, &["bench", "kernels"]);
    (0..length).map(|_| rng.random_range(lo..hi)).collect()
}

/// The function by a correctly rounded scalar one.
fn one_by_one(f: ElementwiseFunction, x: f64) -> f64 {
    let u = |x: f64| core_math::exp(-x.abs());
    match f {
        ElementwiseFunction::Exp => core_math::exp(x),
        ElementwiseFunction::ExpM1 => core_math::expm1(x),
        ElementwiseFunction::Ln1p => core_math::log1p(x),
        ElementwiseFunction::Softplus => x.max(0.0) + core_math::log1p(u(x)),
        ElementwiseFunction::Sigmoid => 1.0 / (1.0 + core_math::exp(-x)),
    }
}

/// The function by the platform's scalar ones.
#[allow(clippy::disallowed_methods, reason = "the peer that is measured")]
fn platform(f: ElementwiseFunction, x: f64) -> f64 {
    match f {
        ElementwiseFunction::Exp => x.exp(),
        ElementwiseFunction::ExpM1 => x.exp_m1(),
        ElementwiseFunction::Ln1p => x.ln_1p(),
        ElementwiseFunction::Softplus => x.max(0.0) + (-x.abs()).exp().ln_1p(),
        ElementwiseFunction::Sigmoid => 1.0 / (1.0 + (-x).exp()),
    }
}

fn elementwise(c: &mut Criterion) {
    for f in ElementwiseFunction::ALL {
        let input = match f {
            ElementwiseFunction::Ln1p => numbers(LENGTH, -0.9, 20.0),
            _ => numbers(LENGTH, -30.0, 30.0),
        };
        let mut output = vec![0.0; LENGTH];
        let mut group = c.benchmark_group(format!("{f:?}"));
        group.throughput(Throughput::Elements(LENGTH as u64));
        for set in InstructionSet::available() {
            group.bench_function(set.name(), |b| b.iter(|| f.map_on(set, black_box(&input), black_box(&mut output))));
        }
        group.bench_function("scalar, correctly rounded", |b| {
            b.iter(|| {
                for (y, &x) in output.iter_mut().zip(black_box(&input)) {
                    *y = one_by_one(f, x);
                }
                black_box(&mut output);
            });
        });
        group.bench_function("scalar, platform", |b| {
            b.iter(|| {
                for (y, &x) in output.iter_mut().zip(black_box(&input)) {
                    *y = platform(f, x);
                }
                black_box(&mut output);
            });
        });
        group.finish();
    }
    // Masked entries send a block down the full formula.
    let mut input = numbers(LENGTH, -30.0, 30.0);
    input.iter_mut().step_by(32).for_each(|x| *x = f64::NEG_INFINITY);
    let mut output = vec![0.0; LENGTH];
    let mut group = c.benchmark_group("Exp, some infinite");
    group.throughput(Throughput::Elements(LENGTH as u64));
    group.bench_function(InstructionSet::best().name(), |b| {
        b.iter(|| ElementwiseFunction::Exp.map(black_box(&input), black_box(&mut output)))
    });
    group.finish();
}

/// The bits of `core-math`, many at once and one by one.
fn to_the_bit(c: &mut Criterion) {
    type Many = fn(&[f64]) -> Vec<f64>;
    let functions: [(&str, Many, Many); 4] = [
        ("exp", correctly_rounded::exp, |x| x.iter().map(|&x| core_math::exp(x)).collect()),
        (
            "exp and expm1",
            |x| firsts(correctly_rounded::exp_and_exp_m1(x)),
            |x| firsts(x.iter().map(|&x| (core_math::exp(x), core_math::expm1(x))).collect()),
        ),
        ("tanh", correctly_rounded::tanh, |x| x.iter().map(|&x| core_math::tanh(x)).collect()),
        (
            "sin and cos",
            |x| firsts(correctly_rounded::sin_cos(x)),
            |x| firsts(x.iter().map(|&x| (core_math::sin(x), core_math::cos(x))).collect()),
        ),
    ];
    let input = numbers(LENGTH, -6.0, 6.0);
    for (name, many, one_by_one) in functions {
        let mut group = c.benchmark_group(format!("{name}, correctly rounded"));
        group.throughput(Throughput::Elements(LENGTH as u64));
        group.bench_function("many at once", |b| b.iter(|| many(black_box(&input))));
        group.bench_function("one by one", |b| b.iter(|| one_by_one(black_box(&input))));
        group.finish();
    }
}

fn firsts(pairs: Vec<(f64, f64)>) -> Vec<f64> {
    pairs.into_iter().map(|(first, second)| first + second).collect()
}

fn sums(c: &mut Criterion) {
    for length in [16, 64, LENGTH] {
        let input = numbers(length, -30.0, 30.0);
        let mut group = c.benchmark_group(format!("log-sum-exp of {length}"));
        group.throughput(Throughput::Elements(length as u64));
        for set in InstructionSet::available() {
            group.bench_function(set.name(), |b| b.iter(|| log_sum_exp_on(set, black_box(&input))));
        }
        let scalar = |exp: fn(f64) -> f64, log: fn(f64) -> f64| {
            let m = black_box(&input).iter().copied().fold(f64::NEG_INFINITY, f64::max);
            m + log(input.iter().map(|x| exp(x - m)).sum())
        };
        group.bench_function("scalar, correctly rounded", |b| b.iter(|| scalar(core_math::exp, core_math::log)));
        #[allow(clippy::disallowed_methods, reason = "the peer that is measured")]
        group.bench_function("scalar, platform", |b| b.iter(|| scalar(f64::exp, f64::ln)));
        group.finish();
    }
}

fn products(c: &mut Criterion) {
    for (n, d) in [(512, 32), (1797, 32), (2048, 64), (512, 512)] {
        let a = numbers(n * d, -1.0, 1.0);
        let mut output = vec![0.0; n * n];
        let mut group = c.benchmark_group(format!("Gram product, {n} x {d}"));
        group.throughput(Throughput::Elements((n * n * d) as u64));
        let packed = PackedRows::new(&a, d).expect("a multiple of d");
        for set in InstructionSet::available() {
            group.bench_function(format!("{}, one thread", set.name()), |b| {
                b.iter(|| packed.products_on(set, black_box(&a), black_box(&mut output)))
            });
        }
        group.bench_function("all threads, with packing", |b| {
            b.iter(|| gram(black_box(&a), &a, d, black_box(&mut output)))
        });
        let (rows, columns) = (DMatrix::from_row_slice(n, d, &a), DMatrix::from_column_slice(d, n, &a));
        let mut square = DMatrix::zeros(n, n);
        group.bench_function("nalgebra (matrixmultiply), one thread", |b| {
            b.iter(|| square.gemm(1.0, black_box(&rows), &columns, 0.0))
        });
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(std::time::Duration::from_millis(300))
        .measurement_time(std::time::Duration::from_millis(800));
    targets = elementwise, to_the_bit, sums, products
}
criterion_main!(benches);
