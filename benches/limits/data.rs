//! Points to measure on.

use std::path::Path;

use contrastive::data::{LabelledPoints, digits};
use enclosures::probability::standard_normal_pair;
use enclosures::stream::stream;
use nalgebra::DMatrix;
use rayon::prelude::*;

use crate::Answer;

/// Independent standard normal numbers.
pub fn normal(count: usize, name: &str) -> Vec<f64> {
    let mut numbers = vec![0.0; count];
    numbers.par_chunks_mut(4096).enumerate().for_each(|(piece, numbers)| {
        let mut rng = stream(0, &["bench limits", name, &piece.to_string()]);
        numbers.fill_with(|| standard_normal_pair(&mut rng).0);
    });
    numbers
}

/// The digits, pixels times a factor, with their own labels.
pub fn pixels(factor: f64) -> Answer<LabelledPoints> {
    let data = digits::load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures"))?;
    let points = data.points().iter().map(|x| factor * x).collect();
    let labels = data.labels().iter().map(|&c| c as u32).collect();
    Ok(LabelledPoints::new(points, data.dimension(), labels)?)
}

/// The digits through one hidden layer of 64 rectified units onto 32 coordinates, with random weights.
pub fn encoded_digits() -> Answer<LabelledPoints> {
    let data = pixels(1.0)?;
    let images = DMatrix::from_row_slice(data.len(), digits::DIMENSION, data.points());
    let hidden = (images * DMatrix::from_vec(64, 64, normal(64 * 64, "hidden")) / 8.0).map(|x| x.max(0.0));
    let outputs = hidden * DMatrix::from_vec(64, 32, normal(64 * 32, "output")) / 8.0;
    let labels = data.labels().iter().map(|&c| c as u32).collect();
    Ok(LabelledPoints::new(outputs.transpose().as_slice().to_vec(), 32, labels)?)
}

/// Gaussian classes about random centres, on the unit sphere.
pub fn mixture(n: usize, d: usize, classes: usize) -> Answer<LabelledPoints> {
    let centres = normal(classes * d, "centres");
    let mut points = normal(n * d, "noise");
    points.par_chunks_exact_mut(d).enumerate().for_each(|(i, row)| {
        let centre = &centres[i % classes * d..(i % classes + 1) * d];
        row.iter_mut().zip(centre).for_each(|(x, c)| *x = 3.0 * *x + c);
        let norm = row.iter().map(|x| x * x).sum::<f64>().sqrt();
        row.iter_mut().for_each(|x| *x /= norm);
    });
    Ok(LabelledPoints::new(points, d, (0..n).map(|i| (i % classes) as u32).collect())?)
}

/// The same points, each a class of its own.
pub fn singletons(points: &LabelledPoints) -> Answer<LabelledPoints> {
    let labels = (0..points.len() as u32).collect();
    Ok(LabelledPoints::new(points.points().to_vec(), points.dimension(), labels)?)
}

/// The embeddings of `benches/peers/monte_carlo.py`: neighbouring pixels averaged in pairs, centred, of norm `sqrt 5`.
pub fn averaged_digits() -> Answer<LabelledPoints> {
    let data = pixels(1.0)?;
    let halves = data.points().chunks_exact(2).map(|pair| 0.5 * (pair[0] + pair[1]));
    let mut rows: Vec<f64> = halves.collect();
    let mut mean = [0.0; 32];
    for row in rows.chunks_exact(32) {
        mean.iter_mut().zip(row).for_each(|(mean, x)| *mean += x / data.len() as f64);
    }
    for row in rows.chunks_exact_mut(32) {
        row.iter_mut().zip(mean).for_each(|(x, mean)| *x -= mean);
        let norm = row.iter().map(|x| x * x).sum::<f64>().sqrt();
        row.iter_mut().for_each(|x| *x *= 5f64.sqrt() / norm);
    }
    let labels = data.labels().iter().map(|&c| c as u32).collect();
    Ok(LabelledPoints::new(rows, 32, labels)?)
}
