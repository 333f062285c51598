//! Full-batch gradient descent on a few fixed triplets, continued for a long time.

use contrastive::Triplet;
use contrastive::network::{Encoder, EncoderShape, GradientDescent, NormRange, Trained, contrastive_loss};
use enclosures::probability::list_of_standard_normals;
use enclosures::stream::stream;
use enclosures::vectors::norm;
use evidence::prelude::*;
use serde::{Deserialize, Serialize};

use crate::shared::experiments::logged;

/// The first updates, after which training goes on for 1000 times as many.
const EARLY: usize = 20;

/// A network with m hidden units and L square matrices, and n triplets of inputs drawn on the unit sphere. All numbers are
/// whole, so that nothing is to be gained by moving them a little.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(
    describe = "n = {triplets}, d_x = {input}, m = {width}, L = {depth}, d = {output}, step size 1/{slowness}, seed \
                {seed}",
    stored
)]
pub struct Descent {
    #[instance(range = "1..=1024")]
    pub triplets: u64,
    #[instance(range = "1..=1024")]
    pub input: u64,
    #[instance(range = "1..=1024")]
    pub width: u64,
    #[instance(range = "0..=4")]
    pub depth: u64,
    #[instance(range = "1..=1024")]
    pub output: u64,
    /// The step size is one over this.
    #[instance(range = "1..=1024")]
    pub slowness: u64,
    pub seed: u64,
}

/// What is known after so many updates.
pub struct Moment {
    pub step: usize,
    /// L̂_un, the sum over the triplets.
    pub loss: Enclosure,
    /// The smallest and the largest ‖f(x)‖.
    pub smallest: Enclosure,
    pub largest: Enclosure,
}

/// The descent at its logged steps.
pub struct Course {
    pub triplets: f64,
    /// The first updates and the last.
    pub early: usize,
    pub moments: Vec<Moment>,
}

impl Course {
    /// The largest norm over the logged steps up to this one.
    pub fn largest_until(&self, step: usize) -> Enclosure {
        let until = self.moments.iter().filter(|m| m.step <= step);
        until.map(|m| m.largest).fold(Enclosure::ZERO, Enclosure::max)
    }

    /// The moments after the first hundredth of the updates.
    pub fn last_two_decades(&self) -> impl Iterator<Item = &Moment> {
        let end = self.moments.last().map_or(0, |m| m.step);
        self.moments.iter().filter(move |m| m.step >= 1 && 100 * m.step >= end)
    }

    /// (log t, (max ‖f(x)‖)²) over the last two decades.
    pub fn growth(&self) -> Vec<(f64, f64)> {
        let point = |m: &Moment| (Enclosure::from(m.step).ln().midpoint(), m.largest.square().midpoint());
        self.last_two_decades().map(point).collect()
    }
}

/// Runs the descent.
///
/// # Errors
/// Training leaves the range of doubles.
pub fn descend(descent: &Descent, trial: &Trial) -> Result<Course, MeasureError> {
    let shape = EncoderShape {
        input: descent.input as usize,
        width: descent.width as usize,
        depth: descent.depth as usize,
        output: descent.output as usize,
    };
    let mut rng = stream(descent.seed, &["long descent"]);
    let mut points = list_of_standard_normals(&mut rng, 3 * descent.triplets as usize * shape.input);
    for x in points.chunks_exact_mut(shape.input) {
        let norm = norm(x);
        x.iter_mut().for_each(|x| *x /= norm);
    }
    let encoder = Encoder::initialise(shape, &mut rng)?;
    // The loss below is the mean over the triplets, L̂_un their sum.
    let rate = descent.triplets as f64 / descent.slowness as f64;
    let mut run = GradientDescent::new(encoder, points, rate, Trained::All)?;
    let early = trial.samples(EARLY);
    let marks = logged(1000 * early);
    let mut moments = Vec::with_capacity(marks.len());
    for step in 0..=1000 * early {
        if step > 0 {
            let loss = contrastive_loss(run.outputs(), shape.output, 1)?;
            run.step(&loss.gradient)?;
        }
        if marks.binary_search(&step).is_ok() {
            moments.push(look(step, run.outputs(), shape.output)?);
        }
    }
    Ok(Course { triplets: descent.triplets as f64, early, moments })
}

/// Loss and norms of the outputs.
fn look(step: usize, outputs: &[f64], dimension: usize) -> Result<Moment, MeasureError> {
    let rows: Vec<Vec<f64>> = outputs.chunks_exact(dimension).map(<[f64]>::to_vec).collect();
    let triplet = |z: &[Vec<f64>]| Triplet::new(z[0].clone(), z[1].clone(), z[2].clone());
    let losses: Vec<Triplet> = rows.chunks_exact(3).map(triplet).collect::<Result<_, _>>()?;
    let mut norms = NormRange::default();
    norms.record(outputs, dimension)?;
    let end = |norm: Option<Interval>| match norm {
        Some(norm) => Ok(Enclosure::from(norm).as_measured()),
        None => Err("there is no output"),
    };
    Ok(Moment {
        step,
        loss: losses.iter().map(Triplet::loss).sum::<Enclosure>().as_measured(),
        smallest: end(norms.smallest())?,
        largest: end(norms.largest())?,
    })
}
