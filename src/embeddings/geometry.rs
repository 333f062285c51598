//! How the embeddings lie: their norms, in how many directions they spread, and how far apart they are. In floating point.
//!
//! With the eigenvalues `l_1 >= l_2 >= ...` of the covariance, the effective rank is `e^H` for the entropy `H` of their shares (Roy and
//! Vetterli, *The effective rank*, EUSIPCO 2007) and the stable rank `sum l_i / l_1`. Either is 1 if all points lie on a line. Where the whole
//! spectrum is too much work, the power method gives a direction in which the variance is no more than `l_1`, so that the stable rank is no more
//! than what is found.

use contrastive::data::LabelledPoints;
use enclosures::kernels::inner_product;
use rayon::prelude::*;
use serde::Serialize;

use super::mean_head::ClassMeans;
use super::pairs::{Distances, distances};
use super::spectrum::eigenvalues;
use super::watcher::Progress;
use super::{EmbeddingsError, Watcher};

/// Shares of the work of a request that the spectrum, the power method and the distances may take.
const FOR_SPECTRUM: f64 = 0.1;
const FOR_POWERS: f64 = 0.05;
const FOR_DISTANCES: f64 = 0.1;
/// Pieces that the points are cut into for the covariance, and numbers that their sums may take together.
const PARTS: usize = 16;
const NUMBERS: usize = 1 << 24;
/// Points that are added to the covariance together.
const BLOCK: usize = 32;
/// Steps of the power method.
const POWERS: f64 = 30.0;
/// Sums of eigenvalues further than this from what they must be are no spectrum.
const TOLERATED: f64 = 1e-9;

/// In how many directions the embeddings spread.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// Eigenvalues of the covariance, largest first.
    pub eigenvalues: Vec<f64>,
    /// `e^H` of their shares.
    pub effective_rank: f64,
    /// Their sum over the largest.
    pub stable_rank: f64,
    /// How far their sum and the sum of their squares are from what the covariance has, relatively.
    pub residual: f64,
}

/// How the embeddings lie.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Geometry {
    /// The smallest Euclidean norm.
    pub least_norm: f64,
    /// The mean norm.
    pub mean_norm: f64,
    /// The largest norm.
    pub largest_norm: f64,
    /// Mean squared distance of two independent points of one class, for classes as likely as they are large (the alignment of Wang
    /// and Isola, 2020).
    pub alignment: f64,
    /// Uniformity and separation; none for a single point.
    pub distances: Option<Distances>,
    /// The spectrum of the covariance, where the work allows it and the points are not all one.
    pub spread: Option<Spread>,
    /// Why there is none.
    pub no_spread: Option<String>,
    /// A number that the stable rank does not exceed, where there is no spectrum.
    pub stable_rank_at_most: Option<f64>,
}

/// The geometry of some points with their class means, as far as the work of the request reaches.
pub(crate) fn geometry(
    points: &LabelledPoints,
    means: &ClassMeans,
    work: f64,
    watcher: &dyn Watcher,
) -> Result<Geometry, EmbeddingsError> {
    let norm = |i: usize| inner_product(points.point(i), points.point(i)).sqrt();
    let norms: Vec<f64> = (0..points.len()).into_par_iter().map(norm).collect();
    let within = |i: usize| square_distance(points.point(i), means.mean(points.label(i)));
    let squares: Vec<f64> = (0..points.len()).into_par_iter().map(within).collect();
    let (n, d) = (points.len() as f64, points.dimension() as f64);
    let pairs = n * n * (d + 20.0);
    watcher.begin("distances of all pairs", pairs.min(FOR_DISTANCES * work));
    let distances = distances(points.points(), points.dimension(), FOR_DISTANCES * work, watcher)?;
    let needed = n * d * d / 2.0 + 2.0 * d * d * d;
    let (mut spread, mut no_spread, mut stable_rank_at_most) = (None, None, None);
    if needed <= FOR_SPECTRUM * work {
        watcher.begin("spectrum of the covariance", needed);
        match spectrum(points, watcher) {
            Ok(found) => spread = Some(found),
            Err(why) => no_spread = Some(why.to_owned()),
        }
    } else {
        no_spread =
            Some(format!("it takes {needed:.1e} multiplications, a tenth of --work is {:.1e}", FOR_SPECTRUM * work));
        let steps = (FOR_POWERS * work / (2.0 * n * d)).min(POWERS) as usize;
        watcher.begin("stable rank", steps as f64 * 2.0 * n * d);
        stable_rank_at_most = stable_rank(points, steps, watcher);
    }
    Ok(Geometry {
        least_norm: norms.iter().copied().fold(f64::INFINITY, f64::min),
        mean_norm: norms.iter().sum::<f64>() / n,
        largest_norm: norms.iter().copied().fold(0.0, f64::max),
        alignment: 2.0 * squares.iter().sum::<f64>() / n,
        distances,
        spread,
        no_spread,
        stable_rank_at_most,
    })
}

fn square_distance(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| (x - y) * (x - y)).sum()
}

/// The mean of all points.
fn centre(points: &LabelledPoints) -> Vec<f64> {
    let (n, d) = (points.len(), points.dimension());
    let mut mean = vec![0.0; d];
    for i in 0..n {
        mean.iter_mut().zip(points.point(i)).for_each(|(m, x)| *m += x / n as f64);
    }
    mean
}

/// The spectrum, or why there is none.
fn spectrum(points: &LabelledPoints, watcher: &dyn Watcher) -> Result<Spread, &'static str> {
    let (n, d) = (points.len(), points.dimension());
    let mean = centre(points);
    let parts = (NUMBERS / (d * d)).clamp(1, PARTS);
    let length = n.div_ceil(parts);
    let progress = Progress::new(watcher, n);
    let part = |first: usize| {
        let (mut sum, mut ways) = (vec![0.0; d * d], Vec::with_capacity(BLOCK * d));
        let end = (first + length).min(n);
        for begin in (first..end).step_by(BLOCK) {
            ways.clear();
            for i in begin..(begin + BLOCK).min(end) {
                ways.extend(points.point(i).iter().zip(&mean).map(|(x, m)| x - m));
            }
            for (k, row) in sum.chunks_exact_mut(d).enumerate() {
                for way in ways.chunks_exact(d) {
                    let a = way[k];
                    row[k..].iter_mut().zip(&way[k..]).for_each(|(s, b)| *s += a * b);
                }
            }
            progress.add((begin + BLOCK).min(end) - begin);
        }
        sum
    };
    let parts: Vec<Vec<f64>> = (0..n).into_par_iter().step_by(length).map(part).collect();
    let mut covariance = vec![0.0; d * d];
    for part in parts {
        covariance.iter_mut().zip(part).for_each(|(c, p)| *c += p / n as f64);
    }
    for k in 0..d {
        for l in 0..k {
            covariance[k * d + l] = covariance[l * d + k];
        }
    }
    let (mut eigenvalues, residual) = eigenvalues(covariance, d).ok_or("the numbers are too large for it")?;
    if residual > TOLERATED {
        return Err("the sum of its eigenvalues failed a check");
    }
    eigenvalues.iter_mut().for_each(|l| *l = l.max(0.0));
    let total: f64 = eigenvalues.iter().sum();
    let largest = eigenvalues.first().copied().unwrap_or(0.0);
    if !(total > 0.0 && total.is_finite()) {
        return Err("all points are one");
    }
    let entropy: f64 = (eigenvalues.iter().map(|l| l / total))
        .filter(|&share| share > 0.0)
        .map(|share| -share * core_math::log(share))
        .sum();
    Ok(Spread { effective_rank: core_math::exp(entropy), stable_rank: total / largest, eigenvalues, residual })
}

/// The variance over that in one direction, which the power method finds from the point that is farthest from the mean; none where no step is allowed
/// or the points are all one.
fn stable_rank(points: &LabelledPoints, steps: usize, watcher: &dyn Watcher) -> Option<f64> {
    let (n, d) = (points.len(), points.dimension());
    let mean = centre(points);
    let far: Vec<f64> = (0..n).into_par_iter().map(|i| square_distance(points.point(i), &mean)).collect();
    let total = far.iter().sum::<f64>() / n as f64;
    let farthest = (0..n).max_by(|&i, &j| far[i].total_cmp(&far[j]))?;
    let mut way: Vec<f64> = points.point(farthest).iter().zip(&mean).map(|(x, m)| x - m).collect();
    let progress = Progress::new(watcher, steps);
    let length = n.div_ceil(PARTS);
    let mut along = None;
    for _ in 0..steps {
        let norm = inner_product(&way, &way).sqrt();
        if !(norm > 0.0 && norm.is_finite()) {
            return None;
        }
        way.iter_mut().for_each(|x| *x /= norm);
        let offset = inner_product(&mean, &way);
        let part = |first: usize| {
            let (mut sum, mut weights, mut variance) = (vec![0.0; d], 0.0, 0.0);
            for i in first..(first + length).min(n) {
                let share = inner_product(points.point(i), &way) - offset;
                variance += share * share;
                weights += share;
                sum.iter_mut().zip(points.point(i)).for_each(|(s, x)| *s += share * x);
            }
            (sum, weights, variance)
        };
        let parts: Vec<(Vec<f64>, f64, f64)> = (0..n).into_par_iter().step_by(length).map(part).collect();
        let (mut next, mut weights, mut variance) = (vec![0.0; d], 0.0, 0.0);
        for (sum, weight, square) in parts {
            next.iter_mut().zip(sum).for_each(|(x, s)| *x += s);
            (weights, variance) = (weights + weight, variance + square);
        }
        next.iter_mut().zip(&mean).for_each(|(x, m)| *x -= weights * m);
        along = Some(variance / n as f64);
        way = next;
        progress.add(1);
    }
    along.filter(|along| *along > 0.0).map(|along| total / along)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Unwatched;
    use crate::mean_head::ClassMeans;

    #[test]
    fn ranks_are_those_of_the_directions_that_are_used() {
        // A square in the first two of four coordinates, moved off the origin.
        let corners = [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]];
        let points = corners.iter().flat_map(|[a, b]| [a + 3.0, b + 4.0, 0.0, 7.0]).collect();
        let points = LabelledPoints::new(points, 4, vec![0, 0, 1, 1]).unwrap();
        let found = geometry(&points, &ClassMeans::of(&points), 1e9, &Unwatched).unwrap();
        let spread = found.spread.unwrap();
        assert!((spread.effective_rank - 2.0).abs() < 1e-12 && (spread.stable_rank - 2.0).abs() < 1e-12);
        assert_eq!(spread.eigenvalues.len(), 4);
        assert!((found.alignment - 2.0).abs() < 1e-14);
        assert!((found.least_norm - (4.0f64 + 9.0 + 49.0).sqrt()).abs() < 1e-14);
        let one = LabelledPoints::new(vec![1.0; 6], 2, vec![0, 1, 1]).unwrap();
        let found = geometry(&one, &ClassMeans::of(&one), 1e9, &Unwatched).unwrap();
        assert!(found.spread.is_none() && found.no_spread.as_deref() == Some("all points are one"));
    }

    #[test]
    fn many_coordinates_have_a_stable_rank_and_a_reason() {
        let points: Vec<f64> = (0..400).map(|i| f64::from(i * i % 23) / 11.0 - 1.0).collect();
        let points = LabelledPoints::new(points, 10, (0..40).map(|i| i % 3).collect()).unwrap();
        let means = ClassMeans::of(&points);
        let whole = geometry(&points, &means, 1e9, &Unwatched).unwrap().spread.unwrap();
        assert!(whole.residual < 1e-12 && whole.eigenvalues.len() == 10);
        let little = geometry(&points, &means, 3.9e4, &Unwatched).unwrap();
        assert!(little.spread.is_none() && little.no_spread.unwrap().contains("4.0e3 multiplications"));
        let few = little.stable_rank_at_most.unwrap();
        assert!(few >= whole.stable_rank * (1.0 - 1e-12), "{few} {}", whole.stable_rank);
        assert!((stable_rank(&points, 300, &Unwatched).unwrap() - whole.stable_rank).abs() < 1e-3 * whole.stable_rank);
    }
}
