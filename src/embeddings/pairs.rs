//! What the distances of all pairs of points say: uniformity and separation. In floating point.
//!
//! Uniformity is `log E exp(-2 |x - y|^2)` over two different points (Wang and Isola, *Understanding contrastive representation learning through
//! alignment and uniformity on the hypersphere*, 2020, with `t = 2`), separation the least distance of two different points. Where all pairs are too many, some of
//! the points, evenly spaced, meet all others: that says something of the mean, and nothing of the least.

use enclosures::kernels::{ElementwiseFunction, InstructionSet, PackedRows, inner_product};
use enclosures::work::shared;
use rayon::prelude::*;
use serde::Serialize;

use super::{EmbeddingsError, Watcher};

/// What a pair costs beside its coordinates, in multiplications.
const PER_PAIR: f64 = 20.0;
/// Squared distances below this share of the squared norms are taken from the differences, so that equal points have distance zero.
const CANCELLED: f64 = 1e-6;
/// Products of a piece of work.
const PIECE: usize = 1 << 18;

/// Distances of pairs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Distances {
    /// `log E exp(-2 |x - y|^2)` over pairs of different points; none where all of these are zero to a double.
    pub uniformity: Option<f64>,
    /// The least distance of two points; none unless all pairs were looked at.
    pub separation: Option<f64>,
    /// How many points met all others: all of them, or as many as the work allows.
    pub anchors: usize,
}

/// Of points, row by row, with at most so many multiplications; none for a single point.
pub(crate) fn distances(
    points: &[f64],
    d: usize,
    work: f64,
    watcher: &dyn Watcher,
) -> Result<Option<Distances>, EmbeddingsError> {
    let n = points.len() / d;
    if n < 2 {
        return Ok(None);
    }
    let anchor = n as f64 * (d as f64 + PER_PAIR);
    let anchors = ((work / anchor) as usize).clamp(1, n);
    let packed = PackedRows::new(points, d)?;
    let set = InstructionSet::best();
    let row = |i: usize| &points[i * d..(i + 1) * d];
    let squares: Vec<f64> = (0..n).into_par_iter().map(|i| inner_product(row(i), row(i))).collect();
    // Evenly spaced, the first one among them.
    let chosen: Vec<usize> = (0..anchors).map(|k| k * n / anchors).collect();
    let together = (PIECE / n).clamp(1, 64);
    let piece = |some: &[usize]| -> Result<Vec<(f64, f64)>, EmbeddingsError> {
        watcher.pass();
        let rows: Vec<f64> = some.iter().flat_map(|&i| row(i).iter().copied()).collect();
        let mut products = vec![0.0; some.len() * n];
        packed.products_on(set, &rows, &mut products)?;
        let each = some.iter().zip(products.chunks_exact_mut(n));
        Ok(each
            .map(|(&i, products)| {
                let mut least = f64::INFINITY;
                for (j, product) in products.iter_mut().enumerate() {
                    let both = squares[i] + squares[j];
                    let mut square = both - 2.0 * *product;
                    if square <= CANCELLED * both {
                        square = row(i).iter().zip(row(j)).map(|(x, y)| (x - y) * (x - y)).sum();
                    }
                    if j != i {
                        least = least.min(square);
                    }
                    *product = -2.0 * square;
                }
                ElementwiseFunction::Exp.apply(products);
                // The point itself is at distance zero.
                (products.iter().sum::<f64>() - products[i], least)
            })
            .collect())
    };
    let pieces: Result<Vec<_>, EmbeddingsError> =
        shared((anchors * n) as u64, || chosen.par_chunks(together).map(piece).collect());
    let found: Vec<(f64, f64)> = pieces?.into_iter().flatten().collect();
    let mean = found.iter().map(|(sum, _)| sum).sum::<f64>() / anchors as f64 / (n - 1) as f64;
    let least = found.iter().map(|(_, least)| *least).fold(f64::INFINITY, f64::min);
    Ok(Some(Distances {
        uniformity: (mean > 0.0).then(|| core_math::log(mean)),
        separation: (anchors == n).then(|| least.max(0.0).sqrt()),
        anchors,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Unwatched;

    #[test]
    fn distances_are_those_of_plain_loops() {
        let points: Vec<f64> = (0..60).map(|i| f64::from(i * i % 23) / 11.0 - 1.0).collect();
        let square = |i: usize, j: usize| {
            (0..3).map(|k| points[3 * i + k] - points[3 * j + k]).map(|difference| difference * difference).sum::<f64>()
        };
        let (mut sum, mut least) = (0.0, f64::INFINITY);
        for i in 0..20 {
            for j in (0..20).filter(|&j| j != i) {
                sum += core_math::exp(-2.0 * square(i, j));
                least = f64::min(least, square(i, j));
            }
        }
        let found = distances(&points, 3, 1e9, &Unwatched).unwrap().unwrap();
        assert!((found.uniformity.unwrap() - core_math::log(sum / 380.0)).abs() < 1e-12);
        assert!((found.separation.unwrap() - least.sqrt()).abs() < 1e-12 && found.anchors == 20);
        let some = distances(&points, 3, 5000.0, &Unwatched).unwrap().unwrap();
        assert!(some.anchors == 10 && some.separation.is_none());
        assert!((some.uniformity.unwrap() - found.uniformity.unwrap()).abs() < 0.5);
        // A point that stands twice, far from the origin.
        let twice = distances(&[1e3 + 0.1, 2.0, 1e3 + 0.1, 2.0, -5.0, 1.0], 2, 1e9, &Unwatched).unwrap().unwrap();
        assert_eq!(twice.separation, Some(0.0));
        assert!(distances(&[1.0], 1, 1e9, &Unwatched).unwrap().is_none());
    }
}
