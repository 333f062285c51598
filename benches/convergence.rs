//! How long both losses take until they are known to a relative half-width of 10^-2 and of 10^-3 at alpha = 10^-6, of 10, 100 and 1000
//! classes that can only be drawn from: a centre on a sphere plus noise in every coordinate, whose mean is the centre.
//!
//! `cargo bench --bench convergence` prints seconds; `benches/peers/convergence.py` asks the same of NumPy, Numba and JAX, in the same columns.

use std::hint::black_box;
use std::time::{Duration, Instant};

use enclosures::probability::uniform;
use estimators::monte_carlo::{
    ChunkStream, ControlVariateSupervised, Estimator, IndexLaw, Sampler, SamplingPlan, Sequence, Unsupervised,
    sample_until,
};

/// Coordinates of an embedding.
const DIMENSION: usize = 32;
/// Norm of a centre.
const RADIUS: f64 = 1.5;
/// Noise in a coordinate is uniform between minus this and this.
const NOISE: f64 = 0.25;
/// Negatives of the unsupervised loss.
const NEGATIVES: usize = 15;

/// Equally likely classes around centres.
struct Noisy {
    class_weights: Vec<f64>,
    classes: IndexLaw,
    centres: Vec<f64>,
}

impl Noisy {
    /// The centres are the same in the peers: word `i` of the generator is the Weyl sequence `i 0x9E3779B97F4A7C15`, mixed as by SplitMix64.
    fn new(classes: usize) -> Self {
        let number = |i: u64| {
            let mut z = i.wrapping_mul(0x9E37_79B9_7F4A_7C15);
            z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        let mut centres: Vec<f64> = (1..=(classes * DIMENSION) as u64).map(number).collect();
        for centre in centres.chunks_exact_mut(DIMENSION) {
            let norm = centre.iter().map(|x| x * x).sum::<f64>().sqrt();
            centre.iter_mut().for_each(|x| *x *= RADIUS / norm);
        }
        let class_weights = vec![1.0; classes];
        Noisy { classes: IndexLaw::new(&class_weights).expect("equal weights"), class_weights, centres }
    }

    fn centre(&self, class: usize) -> &[f64] {
        &self.centres[class * DIMENSION..(class + 1) * DIMENSION]
    }
}

impl Sampler for Noisy {
    fn class_weights(&self) -> &[f64] {
        &self.class_weights
    }

    fn dimension(&self) -> usize {
        DIMENSION
    }

    fn radius(&self) -> Option<f64> {
        Some((RADIUS + NOISE * (DIMENSION as f64).sqrt()) * (1.0 + 1e-12))
    }

    fn distance(&self) -> f64 {
        self.classes.distance()
    }

    fn draw_class(&self, stream: &mut ChunkStream) -> usize {
        self.classes.draw(stream)
    }

    fn draw_embedding(&self, class: usize, stream: &mut ChunkStream, out: &mut [f64]) {
        for (x, m) in out.iter_mut().zip(self.centre(class)) {
            *x = m + NOISE * (2.0 * uniform(stream) - 1.0);
        }
    }

    fn class_mean(&self, class: usize) -> Option<Vec<f64>> {
        Some(self.centre(class).to_vec())
    }

    fn class_radius(&self) -> Option<f64> {
        Some(NOISE * (DIMENSION as f64).sqrt() * (1.0 + 1e-12))
    }

    fn mean_error(&self) -> f64 {
        1e-15
    }
}

/// Draws until the interval is as narrow, relative to its middle, as asked; answers with its middle.
fn known(estimator: &dyn Estimator, relative: f64) -> f64 {
    let plan =
        SamplingPlan { seed: [7; 32], alpha: 1e-6, most_chunks: 1 << 22, sequence: Sequence::EmpiricalBernstein };
    let narrow = |found: enclosures::enclosure::Enclosure| 0.5 * found.width() <= relative * found.midpoint();
    sample_until(estimator, &plan, narrow).expect("bounded observations").enclosure.midpoint()
}

/// The median time of three runs, or the time of the first if that is long, and what was found.
fn timed(run: impl Fn() -> f64) -> (Duration, f64) {
    let mut times = Vec::new();
    let mut found = 0.0;
    while times.is_empty() || (times.len() < 3 && times[0] < Duration::from_secs(5)) {
        let start = Instant::now();
        found = black_box(run());
        times.push(start.elapsed());
    }
    times.sort_unstable();
    (times[times.len() / 2], found)
}

fn main() {
    println!("{:>9} {:>8} {:>7} {:>6} {:>9} {:>9}", "loss", "classes", "width", "way", "mean", "seconds");
    for classes in [10usize, 100, 1000] {
        let model = Noisy::new(classes);
        for relative in [1e-2, 1e-3] {
            let row = |loss: &str, (time, mean): (Duration, f64)| {
                println!("{loss:>9} {classes:>8} {relative:>7} {:>6} {mean:>9.5} {:>9.4}", "rust", time.as_secs_f64());
            };
            // What an estimator computes once is part of its time.
            let unsupervised =
                || known(&Unsupervised::new(&model, NEGATIVES).expect("a number of negatives"), relative);
            row("L_un^15", timed(unsupervised));
            let supervised = || known(&ControlVariateSupervised::all(&model).expect("known means"), relative);
            row("L_sup^mu", timed(supervised));
        }
    }
}
