//! Symmetric matrices with eigenvalues that a person would try: two that are equal, one that is not zero, none that is negative.

/// Sweeps of Jacobi's rotations; a dozen are plenty for matrices that a search can bear.
const SWEEPS: usize = 16;

/// A symmetric matrix, row by row, with each of these changes to its eigenvalues: two neighbours made equal, all but the largest (by absolute
/// value) made zero, the negative ones made zero, all made equal in absolute value.
pub(super) fn changed(matrix: &[f64], size: usize) -> Vec<Vec<f64>> {
    let (values, vectors) = decomposed(matrix, size);
    let mut order: Vec<usize> = (0..size).collect();
    order.sort_by(|&i, &j| values[i].total_cmp(&values[j]));
    let mut spectra = Vec::new();
    for pair in order.windows(2) {
        let mut tied = values.clone();
        let mean = 0.5 * (values[pair[0]] + values[pair[1]]);
        pair.iter().for_each(|&i| tied[i] = mean);
        spectra.push(tied);
    }
    let largest = values.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    let with = |f: &dyn Fn(f64) -> f64| values.iter().map(|&x| f(x)).collect::<Vec<f64>>();
    spectra.push(with(&|x| if x.abs() == largest { x } else { 0.0 }));
    spectra.push(with(&|x| x.max(0.0)));
    spectra.push(with(&|x| largest * x.signum()));
    spectra.iter().map(|spectrum| composed(spectrum, &vectors, size)).collect()
}

/// Eigenvalues, and eigenvectors as columns (Jacobi; Golub and Van Loan, Matrix Computations, 8.5).
fn decomposed(matrix: &[f64], size: usize) -> (Vec<f64>, Vec<f64>) {
    let mut a = matrix.to_vec();
    let mut vectors: Vec<f64> =
        (0..size * size).map(|place| f64::from(u8::from(place / size == place % size))).collect();
    for _ in 0..SWEEPS {
        for p in 0..size {
            for q in p + 1..size {
                if a[p * size + q] != 0.0 {
                    rotate(&mut a, &mut vectors, size, (p, q));
                }
            }
        }
    }
    ((0..size).map(|i| a[i * size + i]).collect(), vectors)
}

/// The rotation that makes one entry beside the diagonal zero.
fn rotate(a: &mut [f64], vectors: &mut [f64], size: usize, (p, q): (usize, usize)) {
    let theta = (a[q * size + q] - a[p * size + p]) / (2.0 * a[p * size + q]);
    let t = 1f64.copysign(theta) / (theta.abs() + (theta * theta + 1.0).sqrt());
    let c = 1.0 / (t * t + 1.0).sqrt();
    let s = t * c;
    let turn = |x: &mut [f64], i: usize, j: usize| {
        let (y, z) = (x[i], x[j]);
        (x[i], x[j]) = (c * y - s * z, s * y + c * z);
    };
    for k in 0..size {
        turn(a, k * size + p, k * size + q);
        turn(vectors, k * size + p, k * size + q);
    }
    for k in 0..size {
        turn(a, p * size + k, q * size + k);
    }
}

fn composed(values: &[f64], vectors: &[f64], size: usize) -> Vec<f64> {
    let entry = |i: usize, j: usize| {
        let terms = (0..size).map(|k| values[k] * (vectors[i * size + k] * vectors[j * size + k]));
        terms.sum::<f64>()
    };
    (0..size * size).map(|place| entry(place / size, place % size)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eigenvalues_are_tied_cut_and_made_equal() {
        let matrix = [2.0, 1.0, 0.0, 1.0, 2.0, 0.0, 0.0, 0.0, -5.0];
        // Eigenvalues -5, 1, 3.
        let expected = [
            [0.5, 2.5, 0.0, 2.5, 0.5, 0.0, 0.0, 0.0, -2.0],
            [2.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, -5.0],
            [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -5.0],
            [2.0, 1.0, 0.0, 1.0, 2.0, 0.0, 0.0, 0.0, 0.0],
            [5.0, 0.0, 0.0, 0.0, 5.0, 0.0, 0.0, 0.0, -5.0],
        ];
        let all = changed(&matrix, 3);
        assert_eq!(all.len(), expected.len());
        for (found, expected) in all.iter().zip(expected) {
            assert!(found.iter().zip(expected).all(|(x, y)| (x - y).abs() < 1e-12), "{found:?}");
        }
        assert!(changed(&[f64::NAN; 4], 2).iter().flatten().all(|x| x.is_nan()));
    }
}
