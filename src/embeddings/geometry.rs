//! How the embeddings lie: their norms, and in how many directions they spread. In floating point.
//!
//! With the eigenvalues `l_1 >= l_2 >= ...` of the covariance, the effective rank is `e^H` for the entropy `H` of their shares (Roy and
//! Vetterli, *The effective rank*, EUSIPCO 2007) and the stable rank `sum l_i / l_1`. Either is 1 if all points lie on a line.

use contrastive::data::LabelledPoints;
use enclosures::kernels::inner_product;
use enclosures::linear_algebra::diagonalised;
use rayon::prelude::*;
use serde::Serialize;

use super::mean_head::ClassMeans;

/// More coordinates than this have no spectrum here: it takes the cube of them.
const MOST_COORDINATES: usize = 320;
/// Pieces that the points are cut into for the covariance.
const PARTS: usize = 16;

/// In how many directions the embeddings spread.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// Eigenvalues of the covariance, largest first.
    pub eigenvalues: Vec<f64>,
    /// `e^H` of their shares.
    pub effective_rank: f64,
    /// Their sum over the largest.
    pub stable_rank: f64,
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
    /// The spectrum of the covariance; none for more than 320 coordinates.
    pub spread: Option<Spread>,
}

/// The geometry of some points with their class means.
pub(crate) fn geometry(points: &LabelledPoints, means: &ClassMeans) -> Geometry {
    let norm = |i: usize| inner_product(points.point(i), points.point(i)).sqrt();
    let norms: Vec<f64> = (0..points.len()).into_par_iter().map(norm).collect();
    let within = |i: usize| {
        let mean = means.mean(points.label(i));
        points
            .point(i)
            .iter()
            .zip(mean)
            .map(|(x, m)| (x - m) * (x - m))
            .sum::<f64>()
    };
    let squares: Vec<f64> = (0..points.len()).into_par_iter().map(within).collect();
    let n = points.len() as f64;
    Geometry {
        least_norm: norms.iter().copied().fold(f64::INFINITY, f64::min),
        mean_norm: norms.iter().sum::<f64>() / n,
        largest_norm: norms.iter().copied().fold(0.0, f64::max),
        alignment: 2.0 * squares.iter().sum::<f64>() / n,
        spread: (points.dimension() <= MOST_COORDINATES)
            .then(|| spread(points))
            .flatten(),
    }
}

/// None where all points are one.
fn spread(points: &LabelledPoints) -> Option<Spread> {
    let (n, d) = (points.len(), points.dimension());
    let mut mean = vec![0.0; d];
    for i in 0..n {
        mean.iter_mut()
            .zip(points.point(i))
            .for_each(|(m, x)| *m += x / n as f64);
    }
    let length = n.div_ceil(PARTS);
    let part = |first: usize| {
        let (mut sum, mut way) = (vec![0.0; d * d], vec![0.0; d]);
        for i in first..(first + length).min(n) {
            way.iter_mut()
                .zip(points.point(i))
                .zip(&mean)
                .for_each(|((w, x), m)| *w = x - m);
            for (k, (row, a)) in sum.chunks_exact_mut(d).zip(&way).enumerate() {
                row[k..].iter_mut().zip(&way[k..]).for_each(|(s, b)| *s += a * b);
            }
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
    let (_, mut eigenvalues) = diagonalised(covariance, d);
    eigenvalues.iter_mut().for_each(|l| *l = l.max(0.0));
    eigenvalues.sort_by(|a, b| b.total_cmp(a));
    let total: f64 = eigenvalues.iter().sum();
    let largest = *eigenvalues.first()?;
    if !(total > 0.0 && total.is_finite()) {
        return None;
    }
    let entropy: f64 = (eigenvalues.iter().map(|l| l / total))
        .filter(|&share| share > 0.0)
        .map(|share| -share * core_math::log(share))
        .sum();
    Some(Spread {
        effective_rank: core_math::exp(entropy),
        stable_rank: total / largest,
        eigenvalues,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mean_head::ClassMeans;

    #[test]
    fn ranks_are_those_of_the_directions_that_are_used() {
        // A square in the first two of four coordinates, moved off the origin.
        let corners = [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]];
        let points = corners.iter().flat_map(|[a, b]| [a + 3.0, b + 4.0, 0.0, 7.0]).collect();
        let points = LabelledPoints::new(points, 4, vec![0, 0, 1, 1]).unwrap();
        let found = geometry(&points, &ClassMeans::of(&points));
        let spread = found.spread.unwrap();
        assert!((spread.effective_rank - 2.0).abs() < 1e-12 && (spread.stable_rank - 2.0).abs() < 1e-12);
        assert_eq!(spread.eigenvalues.len(), 4);
        assert!((found.alignment - 2.0).abs() < 1e-14);
        assert!((found.least_norm - (4.0f64 + 9.0 + 49.0).sqrt()).abs() < 1e-14);
        let one = LabelledPoints::new(vec![1.0; 6], 2, vec![0, 1, 1]).unwrap();
        assert!(geometry(&one, &ClassMeans::of(&one)).spread.is_none());
    }
}
