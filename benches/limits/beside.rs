//! What stands beside the table: our product of matrices and our passes of an encoder against nalgebra's products (`matrixmultiply`, with fused
//! multiply-adds where the machine has them), and the standard error of plain sampling after one second.

use std::fmt::Write;
use std::hint::black_box;
use std::time::Instant;

use contrastive::LatentClassModel;
use contrastive::network::{Encoder, EncoderShape};
use enclosures::kernels::{KernelError, PackedRows};
use enclosures::stream::stream;
use estimators::monte_carlo::{AtomSampler, PairTable, TabulatedUnsupervised, sample};
use nalgebra::{DMatrix, DMatrixView};
use rayon::prelude::*;

use crate::Answer;
use crate::data::{averaged_digits, normal};
use crate::rows;

/// Rows on either side and coordinates of the products.
const SHAPES: [(usize, usize); 4] = [(1797, 32), (4000, 64), (4000, 128), (2000, 1024)];
/// Points of a batch; dimensions of a point and of an embedding.
const BATCH: usize = 128;
const ENDS: usize = 64;

/// The least seconds of some computations taken in turn.
fn least<const N: usize>(computations: [&mut dyn FnMut(); N]) -> [f64; N] {
    let (start, mut best) = (Instant::now(), [f64::INFINITY; N]);
    let mut computations = computations;
    while start.elapsed().as_secs_f64() < 2.0 {
        for (best, run) in best.iter_mut().zip(&mut computations) {
            let start = Instant::now();
            run();
            *best = best.min(start.elapsed().as_secs_f64());
        }
    }
    best
}

/// All products of some points with themselves by our kernel, block by block as [`rows::gram`].
fn our_gram(points: &[f64], d: usize) -> Result<f64, KernelError> {
    let (n, packed) = (points.len() / d, PackedRows::new(points, d)?);
    let blocks: Result<Vec<f64>, KernelError> = (points.par_chunks(rows::BLOCK * d))
        .map_init(
            || vec![0.0; rows::BLOCK * n],
            |buffer, left| {
                let used = left.len() / d * n;
                packed.products(left, &mut buffer[..used])?;
                Ok(buffer[used - 1])
            },
        )
        .collect();
    Ok(blocks?.iter().sum())
}

/// All products of some points with themselves, by both.
fn products(text: &mut String) -> Answer<()> {
    text.push_str(
        "| product, all threads | ours, the same bits everywhere | nalgebra's | what the same bits cost \
                   |\n|---|---|---|---|\n",
    );
    for (n, d) in SHAPES {
        let points = normal(n * d, "products");
        let columns = DMatrix::from_column_slice(d, n, &points);
        let [ours, theirs] = least([
            &mut || {
                black_box(our_gram(black_box(&points), d).is_ok());
            },
            &mut || {
                black_box(rows::gram_of(black_box(&columns)));
            },
        ]);
        let rate = |seconds: f64| format!("{:.1} ms, {:.2e}/s", 1e3 * seconds, (n * n * d) as f64 / seconds);
        let _ =
            writeln!(text, "| {n} x {d} | {} | {} | {:.2} times the time |", rate(ours), rate(theirs), ours / theirs);
    }
    Ok(())
}

/// The passes of an encoder over the products that its forward pass is made of, on one thread.
fn encoder(text: &mut String) -> Answer<()> {
    text.push_str(
        "\n| encoder, a batch of 128, one thread | forward, over nalgebra's products of the same shapes | \
                   aim | forward and backward (three times the products) |\n|---|---|---|---|\n",
    );
    for (width, hidden) in [(256, 2), (256, 8), (1024, 2), (1024, 8), (4096, 2)] {
        let mut rng = stream(0, &["bench limits", "encoder", &width.to_string()]);
        let shape = EncoderShape { input: ENDS, width, depth: hidden - 1, output: ENDS };
        let encoder = Encoder::initialise(shape, &mut rng)?;
        let points = normal(BATCH * ENDS, "batch");
        let slopes = normal(BATCH * ENDS, "slopes");
        let weights = encoder.weights();
        let by_rows = |matrix: &[f64], columns: usize| -> DMatrix<f64> {
            DMatrix::from_row_slice(matrix.len() / columns, columns, matrix)
        };
        let mut layers = vec![by_rows(&weights.a, ENDS)];
        layers.extend(weights.w.iter().map(|w| by_rows(w, width)));
        layers.push(by_rows(&weights.b, width));
        let mut buffers: Vec<DMatrix<f64>> = layers.iter().map(|w| DMatrix::zeros(w.nrows(), BATCH)).collect();
        let of_points = DMatrixView::from_slice(&points, ENDS, BATCH);
        let [ours, both, theirs] = least([
            &mut || {
                let outputs = encoder.forward(black_box(&points)).map(|pass| pass.outputs()[0]);
                black_box(outputs.unwrap_or(f64::NAN));
            },
            &mut || {
                let pass = encoder.forward(black_box(&points));
                black_box(pass.and_then(|pass| encoder.backward(&pass, &slopes)).is_ok());
            },
            &mut || {
                for (at, layer) in layers.iter().enumerate() {
                    let (before, now) = buffers.split_at_mut(at);
                    match before.last() {
                        None => now[0].gemm(1.0, layer, &of_points, 0.0),
                        Some(before) => now[0].gemm(1.0, layer, before, 0.0),
                    }
                }
                black_box(&buffers);
            },
        ]);
        let _ = writeln!(
            text,
            "| {hidden} hidden layers of {width} | {:.2} times | 1.3 times | {:.2} times |",
            ours / theirs,
            both / theirs
        );
    }
    Ok(())
}

/// Standard error after one second of plain draws from the table of exponentials, setting up included, on all threads.
fn sampling(text: &mut String) -> Answer<()> {
    text.push_str("\n| plain Monte Carlo, 1797 x 32, N | `se sqrt(s)` |\n|---|---|\n");
    let points = averaged_digits()?;
    let labels: Vec<u32> = points.labels().iter().map(|&c| c as u32).collect();
    let model = LatentClassModel::from_labelled(points.points(), points.dimension(), &labels)?;
    for negatives in [1, 15, 255, 4096] {
        let mut chunks = 64;
        let figure = loop {
            let start = Instant::now();
            let sampler = AtomSampler::new(&model)?;
            let table = PairTable::new(&sampler)?;
            let shard = sample(&TabulatedUnsupervised::new(&table, negatives)?, &[7; 32], 0..chunks)?;
            let seconds = start.elapsed().as_secs_f64();
            if seconds > 1.0 {
                break shard.tally()?.standard_error() * seconds.sqrt();
            }
            chunks = (chunks as f64 * (1.3 / seconds).clamp(1.5, 16.0)) as u64;
        };
        let _ = writeln!(text, "| {negatives} | {figure:.2e} |");
    }
    Ok(())
}

/// All of it as Markdown.
pub fn measured() -> Answer<String> {
    let mut text = String::new();
    products(&mut text)?;
    rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()?
        .install(|| encoder(&mut text).map_err(|error| error.to_string()))?;
    sampling(&mut text)?;
    Ok(text)
}
