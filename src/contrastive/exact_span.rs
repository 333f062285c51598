//! The span of vectors of doubles, in exact arithmetic.
//!
//! Which classes a linear head can separate turns on exact dependencies, which no floating-point rank can settle.

use num_bigint::BigInt;

/// Most multiplications of long integers.
const LIMIT: f64 = 2e6;

/// A double as an integer times a power of two.
fn parts(x: f64) -> (i64, i32) {
    let bits = x.to_bits();
    let (biased, fraction) = (((bits >> 52) & 0x7ff) as i32, (bits & ((1 << 52) - 1)) as i64);
    let magnitude = if biased == 0 { fraction } else { fraction | 1 << 52 };
    (if x < 0.0 { -magnitude } else { magnitude }, biased.max(1) - 1075)
}

/// The vector times the smallest power of two that makes it integer, or a smaller one.
fn integers(vector: &[f64]) -> Vec<BigInt> {
    let least = vector.iter().filter(|x| **x != 0.0).map(|x| parts(*x).1).min().unwrap_or(0);
    let one = |x: &f64| {
        let (mantissa, exponent) = parts(*x);
        if mantissa == 0 { BigInt::ZERO } else { BigInt::from(mantissa) << (exponent - least) as usize }
    };
    vector.iter().map(one).collect()
}

/// Coordinates that determine every vector of the span: a vector of the span that vanishes on them is zero. There are
/// as many as the dimension of the span. Elimination without fractions (Bareiss 1968): every division is exact.
/// Nothing if it would take too long.
pub(super) fn determining_coordinates<'a>(
    vectors: impl Iterator<Item = &'a [f64]>,
    dimension: usize,
) -> Option<Vec<usize>> {
    let mut basis: Vec<(Vec<BigInt>, usize)> = Vec::new();
    let mut work = 0.0;
    for vector in vectors {
        if basis.len() == dimension {
            break;
        }
        let mut rest = integers(vector);
        let mut previous = BigInt::from(1);
        work += (2 * dimension * (basis.len() + 1)) as f64;
        if work > LIMIT {
            return None;
        }
        for (row, pivot) in &basis {
            let factor = rest[*pivot].clone();
            for (own, other) in rest.iter_mut().zip(row) {
                *own = (&*own * &row[*pivot] - &factor * other) / &previous;
            }
            previous = row[*pivot].clone();
        }
        let largest = (0..dimension).max_by(|&a, &b| rest[a].magnitude().cmp(rest[b].magnitude()))?;
        if rest[largest] != BigInt::ZERO {
            basis.push((rest, largest));
        }
    }
    let mut coordinates: Vec<usize> = basis.iter().map(|(_, pivot)| *pivot).collect();
    coordinates.sort_unstable();
    Some(coordinates)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn coordinates(vectors: &[&[f64]]) -> Vec<usize> {
        determining_coordinates(vectors.iter().copied(), vectors[0].len()).unwrap()
    }

    #[test]
    fn dependencies_are_seen_exactly() {
        assert_eq!(coordinates(&[&[0.1, 0.2, 0.5], &[0.3, 0.6, 1.5]]).len(), 2);
        assert_eq!(coordinates(&[&[0.1, 0.2, 0.5], &[0.2, 0.4, 1.0]]).len(), 1);
        assert_eq!(coordinates(&[&[0.0, 0.0]]), Vec::<usize>::new());
        assert_eq!(coordinates(&[&[0.0, 2.0], &[0.0, -1e-300]]), vec![1]);
        // The third is the sum of the others; the last bit decides.
        let (a, b) = ([1.0, 1e16, 3.0, 0.0], [0.5, 2.0, 0.0, 7.0]);
        let sum = [1.5, 1e16 + 2.0, 3.0, 7.0];
        assert_eq!(coordinates(&[&a, &b, &sum]).len(), 2);
        let off = [1.5, 1e16 + 4.0, 3.0, 7.0];
        assert_eq!(coordinates(&[&a, &b, &off]).len(), 3);
        assert_eq!(coordinates(&[&[f64::MAX, 5e-324], &[1.0, 0.0]]).len(), 2);
    }

    #[test]
    fn too_much_work_is_refused() {
        let vectors: Vec<Vec<f64>> = (0..2000).map(|i| (0..400).map(|k| f64::from(i % 7 * k)).collect()).collect();
        assert_eq!(determining_coordinates(vectors.iter().map(Vec::as_slice), 400), None);
    }
}
