//! What is measured, in which unit, and what it should come to.

use std::hint::black_box;
use std::time::Instant;

use contrastive::data::LabelledPoints;
use contrastive::mean_classifier_loss;
use embeddings::{Effort, Embeddings, Settings, Unwatched, labelled_report, unsupervised_losses};
use estimators::exact::{
    LossOptions, SubsetOptions, exact_subset_losses, exact_unsupervised_gradients, exact_unsupervised_losses,
};
use nalgebra::DMatrix;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::Answer;
use crate::data::{encoded_digits, mixture, pixels, singletons};

/// Five numbers of negatives.
pub const NUMBERS: [u64; 5] = [1, 15, 255, 4096, 65_536];
/// Rows of one block of the Gram product.
pub const BLOCK: usize = 64;
/// A row that takes longer is measured once.
const LONG: f64 = 2.0;

/// What a row is to come to.
pub enum Aim {
    /// So many Gram products of the same points, by nalgebra, in full.
    Products(f64),
    /// So many seconds, and megabytes where they matter.
    Seconds(f64, Option<f64>),
}

/// One line of the table.
pub struct Row {
    pub name: &'static str,
    /// What it came to when the aims were set, where it was measured then.
    pub then: &'static str,
    pub aim: Aim,
    pub points: fn() -> Answer<LabelledPoints>,
    pub run: fn(&Embeddings) -> Answer<String>,
}

/// What came of it.
#[derive(Serialize, Deserialize)]
pub struct Measured {
    pub seconds: f64,
    /// Seconds of the Gram product, where that is the unit.
    pub product: Option<f64>,
    /// The most memory that the process has held, the points with it.
    pub megabytes: Option<f64>,
    /// What the points alone take.
    pub data: f64,
    /// Seconds that a million points would take, were the time to grow with their square: for rows with many, where that is the law.
    pub million: Option<f64>,
    /// What there is to say of the result.
    pub result: String,
}

pub const ROWS: [Row; 18] = [
    Row {
        name: "exact losses, five N, 1797 x 32",
        then: "6.8 products",
        aim: Aim::Products(3.0),
        points: encoded_digits,
        run: |own| losses(own.points(), &NUMBERS),
    },
    Row {
        name: "exact losses, five N, 20 000 x 64",
        then: "1.5 to 1.8 products",
        aim: Aim::Products(1.2),
        points: || mixture(20_000, 64, 10),
        run: |own| losses(own.points(), &NUMBERS),
    },
    Row {
        name: "exact gradient, N = 255, 20 000 x 64",
        then: "15 products",
        aim: Aim::Products(4.0),
        points: || mixture(20_000, 64, 10),
        run: |own| gradients(own.points(), &[255]),
    },
    Row {
        name: "exact gradients, five N, 1797 x 32",
        then: "75 products",
        aim: Aim::Products(10.0),
        points: encoded_digits,
        run: |own| gradients(own.points(), &NUMBERS),
    },
    Row {
        name: "raw pixels, 0 to 16, five N, 1797 x 64",
        then: "8.7 s",
        aim: Aim::Seconds(1.0, None),
        points: || pixels(16.0),
        run: |own| losses(own.points(), &NUMBERS),
    },
    Row {
        name: "raw pixels, 0 to 255, five N, 1797 x 64",
        then: "over 490 s",
        aim: Aim::Seconds(1.0, None),
        points: || pixels(255.0),
        run: |own| losses(own.points(), &NUMBERS),
    },
    Row {
        name: "subsets of 15 without replacement, 1797 x 32",
        then: "14 s",
        aim: Aim::Seconds(1.0, None),
        points: encoded_digits,
        run: |own| subsets(own.points(), 15),
    },
    Row {
        name: "subsets of 255 without replacement, 1797 x 32",
        then: "42 s",
        aim: Aim::Seconds(1.0, None),
        points: encoded_digits,
        run: |own| subsets(own.points(), 255),
    },
    Row {
        name: "report, 1797 classes of one point, 1797 x 64",
        then: "29 s, 1 GB",
        aim: Aim::Seconds(2.0, Some(100.0)),
        points: || singletons(&pixels(1.0)?),
        run: |own| report(own, &[15, 255]),
    },
    Row {
        name: "report, 10 000 classes, 50 000 x 64",
        then: "",
        aim: Aim::Seconds(60.0, None),
        points: || mixture(50_000, 64, 10_000),
        run: |own| report(own, &[15, 255]),
    },
    Row {
        name: "report without exact losses, 10 000 classes, 50 000 x 2048",
        then: "does not fit",
        aim: Aim::Seconds(60.0, Some(1000.0)),
        points: || mixture(50_000, 2048, 10_000),
        run: |own| report(own, &[15]),
    },
    Row {
        name: "mean classifier alone, 10 000 classes, 50 000 x 2048",
        then: "does not fit",
        aim: Aim::Seconds(60.0, Some(1000.0)),
        points: || mixture(50_000, 2048, 10_000),
        run: |own| mean_classifier(own.points()),
    },
    Row {
        name: "report, 200 000 x 256, N = 255 sampled to 1e-3",
        then: "",
        aim: Aim::Seconds(300.0, None),
        points: || mixture(200_000, 256, 100),
        run: |own| report(own, &[255]),
    },
    Row {
        name: "1e6 x 128, N = 255 sampled to 1e-2, alpha = 1e-6",
        then: "not possible",
        aim: Aim::Seconds(60.0, None),
        points: || mixture(1_000_000, 128, 10),
        run: |own| sampled(own, &[255], 1e-2),
    },
    Row {
        name: "1e6 x 128, five N sampled to 1e-2, alpha = 1e-6",
        then: "not possible",
        aim: Aim::Seconds(60.0, None),
        points: || mixture(1_000_000, 128, 10),
        run: |own| sampled(own, &NUMBERS, 1e-2),
    },
    Row {
        name: "1e6 x 128, N = 255 sampled to 1e-3, alpha = 1e-6",
        then: "",
        aim: Aim::Seconds(300.0, None),
        points: || mixture(1_000_000, 128, 10),
        run: |own| sampled(own, &[255], 1e-3),
    },
    Row {
        name: "exact losses, five N, 50 000 x 128",
        then: "",
        aim: Aim::Products(1.2),
        points: || mixture(50_000, 128, 10),
        run: |own| losses(own.points(), &NUMBERS),
    },
    Row {
        name: "exact losses, five N, 100 000 x 128",
        then: "not possible",
        aim: Aim::Products(1.2),
        points: || mixture(100_000, 128, 10),
        run: |own| losses(own.points(), &NUMBERS),
    },
];

/// At temperature 0.2, which makes logits of unit vectors as wide as they are in practice.
fn options(points: &LabelledPoints) -> LossOptions {
    let norm = |i: usize| points.point(i).iter().map(|x| x * x).sum::<f64>();
    LossOptions { temperature: if (norm(0) - 1.0).abs() < 1e-9 { 0.2 } else { 1.0 }, ..LossOptions::default() }
}

fn losses(points: &LabelledPoints, numbers: &[u64]) -> Answer<String> {
    let losses = exact_unsupervised_losses(black_box(points), numbers, &options(points))?;
    let half = |loss: &enclosures::enclosure::Enclosure| 0.5 * loss.width() / loss.magnitude();
    let worst = losses.iter().map(half).fold(0.0, f64::max);
    Ok(format!("relative half-width at most {worst:.1e}"))
}

fn gradients(points: &LabelledPoints, numbers: &[u64]) -> Answer<String> {
    let gradients = exact_unsupervised_gradients(black_box(points), numbers, &options(points))?;
    let relative = gradients.iter().map(|gradient| {
        let largest = gradient.values().iter().fold(0.0f64, |most, x| most.max(x.abs()));
        gradient.largest_radius() / largest
    });
    let worst = relative.fold(0.0, f64::max);
    Ok(format!("radius at most {worst:.1e} of the largest entry"))
}

fn subsets(points: &LabelledPoints, size: usize) -> Answer<String> {
    let losses = exact_subset_losses(black_box(points), &[size], &SubsetOptions::default())?;
    Ok(format!("relative half-width {:.1e}", 0.5 * losses[0].width() / losses[0].magnitude()))
}

fn settings(numbers: &[u64]) -> Settings {
    Settings { negatives: numbers.to_vec(), temperature: 0.2, ..Settings::default() }
}

fn report(embeddings: &Embeddings, numbers: &[u64]) -> Answer<String> {
    let report = labelled_report(embeddings, &settings(numbers), &Unwatched)?;
    let largest = report.unsupervised.iter().rfind(|row| row.asked);
    let grade = largest.map(|row| row.loss.grade().to_string());
    Ok(format!("losses {}", grade.unwrap_or_default()))
}

/// The widest of some sampled losses.
fn sampled(embeddings: &Embeddings, numbers: &[u64], half_width: f64) -> Answer<String> {
    let settings = Settings { half_width, effort: Effort::Within, ..settings(numbers) };
    let losses = unsupervised_losses(embeddings, &settings, &Unwatched)?;
    let half = losses.iter().map(|(_, loss)| 0.5 * loss.width() / loss.magnitude());
    let worst = half.fold(0.0, f64::max);
    let most = if losses.len() > 1 { "at most " } else { "" };
    Ok(format!("relative half-width {most}{worst:.1e}"))
}

fn mean_classifier(points: &LabelledPoints) -> Answer<String> {
    let loss = mean_classifier_loss(black_box(points));
    Ok(format!("relative half-width {:.1e}", 0.5 * loss.width() / loss.magnitude()))
}

/// All inner products, reduced to one number so that none may be left out.
pub fn gram(points: &LabelledPoints) -> f64 {
    gram_of(&DMatrix::from_column_slice(points.dimension(), points.len(), points.points()))
}

/// Of the columns of a matrix.
pub fn gram_of(columns: &DMatrix<f64>) -> f64 {
    let n = columns.ncols();
    let blocks: Vec<f64> = (0..n.div_ceil(BLOCK))
        .into_par_iter()
        .map_init(
            || DMatrix::zeros(BLOCK, n),
            |buffer, b| {
                let rows = BLOCK.min(n - b * BLOCK);
                let anchors = columns.columns(b * BLOCK, rows).transpose();
                anchors.mul_to(columns, &mut buffer.rows_mut(0, rows));
                buffer[(rows - 1, n - 1)]
            },
        )
        .collect();
    blocks.iter().sum()
}

/// The median of some runs, or the one run that was long, in seconds.
pub fn timed<T>(mut run: impl FnMut() -> Answer<T>) -> Answer<(f64, T)> {
    let mut times = Vec::new();
    loop {
        let start = Instant::now();
        let result = run()?;
        times.push(start.elapsed().as_secs_f64());
        let total: f64 = times.iter().sum();
        if total > LONG && (times.len() >= 5 || times.len() == 1 || total > 5.0 * LONG) {
            times.sort_by(f64::total_cmp);
            return Ok((times[times.len() / 2], result));
        }
    }
}

/// Measures a row in this process.
pub fn measured(row: &Row) -> Answer<Measured> {
    let embeddings = Embeddings::from((row.points)()?);
    let (seconds, result) = timed(|| (row.run)(&embeddings))?;
    // Before the unit takes memory of its own.
    let megabytes = peak_megabytes();
    let product = match row.aim {
        Aim::Products(_) => Some(timed(|| Ok(black_box(gram(embeddings.points()))))?.0),
        Aim::Seconds(..) => None,
    };
    let (n, d) = (embeddings.points().len() as f64, embeddings.points().dimension() as f64);
    Ok(Measured {
        seconds,
        product,
        megabytes,
        data: n * d * 8.0 / (1024.0 * 1024.0),
        million: (product.is_some() && n >= 1e5).then(|| seconds * (1e6 / n) * (1e6 / n)),
        result,
    })
}

/// The largest resident set of this process, where the system tells.
fn peak_megabytes() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: f64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kilobytes / 1024.0)
}
