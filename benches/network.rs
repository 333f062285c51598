//! The passes of a deep ReLU encoder and of a convolutional one against the matrix products they are made of, and the flow of the outputs of a linear
//! model against gradient descent on its weights as the network widens (Figure 4 of Esser et al.).
//!
//! `cargo bench --bench network`. Every ratio is printed before criterion's rows: the least of several times each, taken in turn in
//! one run on one thread. The peer is nalgebra's product (`matrixmultiply`, with fused multiply-adds where the machine has
//! them); the encoder's products are the same bits everywhere, and so do without.

use std::hint::black_box;
use std::time::{Duration, Instant};

use contrastive::network::{ConvolutionalEncoder, ConvolutionalShape, Encoder, EncoderShape};
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use enclosures::initial_value::{InitialValueError, Tolerance, solve};
use enclosures::linear_algebra::haar_orthonormal;
use enclosures::probability::fill_standard_normal;
use enclosures::stream::stream;
use nalgebra::{DMatrix, DMatrixView, Dyn};

/// Points of a batch; dimensions of a point and of an embedding.
const BATCH: usize = 128;
const ENDS: usize = 64;

/// The least times of some computations, each tried so often, in turn.
fn least<const N: usize>(rounds: usize, computations: [&mut dyn FnMut(); N]) -> [f64; N] {
    let mut best = [f64::INFINITY; N];
    let mut computations = computations;
    for _ in 0..rounds {
        for (best, computation) in best.iter_mut().zip(&mut computations) {
            let start = Instant::now();
            computation();
            *best = best.min(start.elapsed().as_secs_f64());
        }
    }
    best
}

/// An encoder with so many hidden layers, a batch, and what the passes need.
struct Setup {
    encoder: Encoder,
    points: Vec<f64>,
    output_gradient: Vec<f64>,
}

impl Setup {
    fn new(width: usize, layers: usize) -> Self {
        let mut rng = stream(0, &["bench network", &width.to_string(), &layers.to_string()]);
        let shape = EncoderShape { input: ENDS, width, depth: layers - 1, output: ENDS };
        let mut normal = vec![0.0; 2 * BATCH * ENDS];
        fill_standard_normal(&mut rng, &mut normal);
        let output_gradient = normal.split_off(BATCH * ENDS);
        Setup { encoder: Encoder::initialise(shape, &mut rng).expect("fits"), points: normal, output_gradient }
    }

    fn forward(&self) -> f64 {
        self.encoder.forward(black_box(&self.points)).expect("finite").outputs()[0]
    }

    fn both(&self) -> f64 {
        let forward = self.encoder.forward(black_box(&self.points)).expect("finite");
        self.encoder.backward(&forward, &self.output_gradient).expect("finite").a[0]
    }

    /// The products of the forward pass alone, layer by layer into buffers that are there; the batch has one point per column.
    fn products(&self, buffers: &mut [DMatrix<f64>; 2]) -> f64 {
        let width = self.encoder.shape().width;
        let points = DMatrixView::from_slice(&self.points, ENDS, BATCH);
        let weights = self.encoder.weights();
        let [now, next] = buffers;
        now.gemm(1.0, &by_rows(&weights.a, ENDS), &points, 0.0);
        for w in &weights.w {
            next.gemm(1.0, &by_rows(w, width), now, 0.0);
            std::mem::swap(now, next);
        }
        let mut outputs = DMatrix::zeros(ENDS, BATCH);
        outputs.gemm(1.0, &by_rows(&weights.b, width), now, 0.0);
        outputs[0]
    }
}

/// A matrix stored row by row, in place. (`gemm_tr` of the transposed one would not use `matrixmultiply`.)
fn by_rows(matrix: &[f64], columns: usize) -> DMatrixView<'_, f64, Dyn, Dyn> {
    DMatrixView::from_slice_with_strides(matrix, matrix.len() / columns, columns, columns, 1)
}

fn passes(c: &mut Criterion) {
    for (width, layers, rounds) in [(256, 2, 40), (256, 8, 20), (1024, 2, 10), (1024, 8, 5), (4096, 2, 3), (4096, 8, 2)]
    {
        let setup = Setup::new(width, layers);
        let mut buffers = [DMatrix::zeros(width, BATCH), DMatrix::zeros(width, BATCH)];
        let [products, forward, both] = least(
            rounds,
            [
                &mut || {
                    black_box(setup.products(&mut buffers));
                },
                &mut || {
                    black_box(setup.forward());
                },
                &mut || {
                    black_box(setup.both());
                },
            ],
        );
        println!(
            "width {width}, {layers} hidden layers, batch {BATCH}: products {:.2} ms; forward {:.2} times, forward and \
             backward {:.2} times",
            1e3 * products,
            forward / products,
            both / products
        );
        if width > 1024 {
            continue;
        }
        let mut group = c.benchmark_group(format!("width {width}, {layers} hidden layers"));
        group.bench_function("products", |b| b.iter(|| setup.products(&mut buffers)));
        group.bench_function("forward", |b| b.iter(|| setup.forward()));
        group.bench_function("forward and backward", |b| b.iter(|| setup.both()));
        group.finish();
    }
}

/// The convolutional encoder of the figures on a batch of images of 28 x 28 pixels, beside the three products of its forward pass
/// by nalgebra: windows and weights are there, nothing is cut out, cut off or added up.
fn convolutions(c: &mut Criterion) {
    let shape = ConvolutionalShape { side: 28, channels: 1, maps: [8, 16], kernel: 5, stride: 2, output: 16 };
    let mut rng = stream(0, &["bench convolutions"]);
    let encoder = ConvolutionalEncoder::initialise(shape, &mut rng).expect("fits");
    let mut images = vec![0.0; BATCH * 28 * 28];
    fill_standard_normal(&mut rng, &mut images);
    let mut slopes = vec![0.0; BATCH * shape.output];
    fill_standard_normal(&mut rng, &mut slopes);
    // Windows of an image and entries of a window: 12 x 12 and 25, then 4 x 4 and 25 x 8; then one row for each image.
    let layers = [(144 * BATCH, 25, 8), (16 * BATCH, 200, 16), (BATCH, 256, 16)];
    let products = layers.map(|(rows, entries, maps)| {
        let of = |n: usize, m: usize| DMatrix::from_fn(n, m, |i, j| (i * 31 + j * 17) as f64 % 7.0 - 3.0);
        (of(maps, entries), of(entries, rows), DMatrix::zeros(maps, rows))
    });
    let mut products = Vec::from(products);
    let [plain, forward, both] = least(
        20,
        [
            &mut || {
                for (weights, windows, maps) in &mut products {
                    maps.gemm(1.0, weights, windows, 0.0);
                }
                black_box(&products);
            },
            &mut || {
                black_box(encoder.forward(black_box(&images)).expect("finite").outputs()[0]);
            },
            &mut || {
                let forward = encoder.forward(black_box(&images)).expect("finite");
                black_box(encoder.backward(&forward, &slopes).expect("finite").first[0]);
            },
        ],
    );
    println!(
        "convolutions of {BATCH} images: products {:.2} ms; forward {:.2} times, forward and backward {:.2} times",
        1e3 * plain,
        forward / plain,
        both / plain
    );
    let mut group = c.benchmark_group("convolutions");
    group.bench_function("forward", |b| b.iter(|| encoder.forward(black_box(&images)).expect("finite")));
    group.finish();
}

/// Steps of both schemes, and the sizes of Figure 4: d inputs, z outputs.
const STEPS: usize = 10;
const INPUTS: usize = 5;
const OUTPUTS: usize = 2;
const ETA: f64 = 0.01;

/// Orthonormal weights of width h over C = diag(spectrum), and their outputs; all in doubles.
struct Start {
    spectrum: Vec<f64>,
    weights: [DMatrix<f64>; 2],
    q: DMatrix<f64>,
}

/// The factor with orthonormal columns of a QR decomposition whose triangular factor has a positive diagonal.
fn orthonormalised(matrix: DMatrix<f64>) -> DMatrix<f64> {
    let decomposition = matrix.qr();
    let (mut q, r) = decomposition.unpack();
    for (k, mut column) in q.column_iter_mut().enumerate() {
        if r[(k, k)] < 0.0 {
            column.neg_mut();
        }
    }
    q
}

impl Start {
    fn new(width: usize) -> Self {
        let mut rng = stream(0, &["bench width", &width.to_string()]);
        let mut frame = |k| haar_orthonormal(&mut rng, width, k).expect("h is at least k").to_nalgebra();
        let weights = [frame(INPUTS), frame(OUTPUTS)];
        Start {
            spectrum: (0..INPUTS).map(|j| -1.0 + 0.375 * j as f64).collect(),
            q: weights[0].tr_mul(&weights[1]),
            weights,
        }
    }

    /// C times a matrix.
    fn image(&self, q: &DMatrix<f64>) -> DMatrix<f64> {
        DMatrix::from_fn(q.nrows(), q.ncols(), |i, j| self.spectrum[i] * q[(i, j)])
    }

    /// Projected gradient descent (11) on the weights.
    fn descent(&self) -> f64 {
        let [mut first, mut second] = self.weights.clone();
        for _ in 0..STEPS {
            let image = self.image(&first.tr_mul(&second));
            let down = &first - &second * image.transpose() * (2.0 * ETA);
            let up = &second - &first * image * (2.0 * ETA);
            (first, second) = (orthonormalised(down), orthonormalised(up));
        }
        first[0]
    }

    /// The scheme (12) on the outputs.
    fn scheme(&self) -> f64 {
        let mut q = self.q.clone();
        for _ in 0..STEPS {
            let image = self.image(&q);
            let bracket = &image * 2.0 - &image * q.tr_mul(&q) - &q * q.tr_mul(&image);
            q -= bracket * (2.0 * ETA);
        }
        q[0]
    }

    /// The flow (9) over the same time by the solver with error control.
    fn flow(&self) -> f64 {
        let z = OUTPUTS;
        let right_side = |_: f64, q: &[f64]| -> Result<Vec<f64>, InitialValueError> {
            let sum = |weight: &dyn Fn(usize) -> f64, i: usize, j: usize| -> f64 {
                (0..INPUTS).map(|k| weight(k) * q[k * z + i] * q[k * z + j]).sum()
            };
            let gram: Vec<f64> = (0..z * z).map(|k| sum(&|_| 1.0, k / z, k % z)).collect();
            let energy: Vec<f64> = (0..z * z).map(|k| sum(&|k| self.spectrum[k], k / z, k % z)).collect();
            let entry = |at: usize| {
                let (row, column) = (at / z, at % z);
                let times = |m: &[f64]| (0..z).map(|j| q[row * z + j] * m[j * z + column]).sum::<f64>();
                self.spectrum[row] * (2.0 * times(&gram) - 4.0 * q[at]) + 2.0 * times(&energy)
            };
            Ok((0..q.len()).map(entry).collect())
        };
        let start = self.q.transpose();
        let solved = solve(right_side, start.as_slice(), &[ETA * STEPS as f64], Tolerance::of(1e-10));
        solved.expect("a short time").states[0][0]
    }
}

fn widths(c: &mut Criterion) {
    let mut group = c.benchmark_group("outputs against weights, d = 5, z = 2");
    for width in [10, 30, 100, 300, 1000] {
        let start = Start::new(width);
        let [descent, scheme, flow] = least(
            5,
            [
                &mut || {
                    black_box(start.descent());
                },
                &mut || {
                    black_box(start.scheme());
                },
                &mut || {
                    black_box(start.flow());
                },
            ],
        );
        println!(
            "h = {width}: {STEPS} steps of descent on the weights {:.3} ms, {:.1} times the scheme on the outputs, \
             {:.1} times the flow to 1e-10",
            1e3 * descent,
            descent / scheme,
            descent / flow
        );
        group.bench_function(BenchmarkId::new("descent on the weights", width), |b| b.iter(|| start.descent()));
        group.bench_function(BenchmarkId::new("scheme on the outputs", width), |b| b.iter(|| start.scheme()));
        group.bench_function(BenchmarkId::new("flow, error control", width), |b| b.iter(|| start.flow()));
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(Duration::from_millis(500)).warm_up_time(Duration::from_millis(100));
    targets = passes, convolutions, widths
}
criterion_main!(benches);
