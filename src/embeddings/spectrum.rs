//! Eigenvalues of a symmetric matrix without their vectors, in plain floating point: Householder's tridiagonal form, then implicit QL steps
//! (Golub and Van Loan, *Matrix Computations*, 8.3), with a limit of their number. Only sums, products, quotients and square roots in a fixed
//! order: the same bits everywhere. The answer is checked by the two sums that are known without it.

use enclosures::kernels::inner_product;
use rayon::prelude::*;

/// Steps for an eigenvalue at the most.
const STEPS: usize = 60;
/// Off-diagonal entries below this share of their neighbours are none.
const NEGLIGIBLE: f64 = f64::EPSILON;
/// Sizes above which rows are shared by threads.
const LARGE: usize = 192;

/// All eigenvalues of the `n x n` matrix given row by row, largest first, and how far their sum and the sum of their squares are from the trace and
/// from the squared Frobenius norm, relatively to the second's root times the root of `n`, and to the second; none where the steps did not end.
pub(crate) fn eigenvalues(mut a: Vec<f64>, n: usize) -> Option<(Vec<f64>, f64)> {
    let trace: f64 = (0..n).map(|i| a[i * n + i]).sum();
    let square = inner_product(&a, &a);
    if !square.is_finite() {
        return None;
    }
    let (mut diagonal, mut beside) = tridiagonal(&mut a, n);
    implicit_ql(&mut diagonal, &mut beside)?;
    diagonal.sort_by(|x, y| y.total_cmp(x));
    let sum: f64 = diagonal.iter().sum();
    let squares = inner_product(&diagonal, &diagonal);
    let scale = (square * n as f64).sqrt().max(f64::MIN_POSITIVE);
    let off = ((sum - trace).abs() / scale).max((squares - square).abs() / square.max(f64::MIN_POSITIVE));
    off.is_finite().then_some((diagonal, off))
}

/// Diagonal and subdiagonal of a similar tridiagonal matrix, by reflections that leave row after row.
fn tridiagonal(a: &mut [f64], n: usize) -> (Vec<f64>, Vec<f64>) {
    let (mut diagonal, mut beside) = (vec![0.0; n], vec![0.0; n.saturating_sub(1)]);
    let (mut v, mut p) = (vec![0.0; n], vec![0.0; n]);
    for k in 0..n {
        diagonal[k] = a[k * n + k];
        if k + 1 >= n {
            break;
        }
        let rest = n - k - 1;
        let column = &a[k * n + k + 1..(k + 1) * n];
        let largest = column.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        if rest == 1 || largest == 0.0 {
            beside[k] = column[0];
            continue;
        }
        let v = &mut v[..rest];
        v.iter_mut().zip(column).for_each(|(v, x)| *v = x / largest);
        let length = inner_product(v, v).sqrt();
        let alpha = if v[0] > 0.0 { -length } else { length };
        beside[k] = alpha * largest;
        v[0] -= alpha;
        // H = I - 2 v v^T / |v|^2.
        let factor = 2.0 / inner_product(v, v);
        let v = &*v;
        let p = &mut p[..rest];
        let below = &mut a[(k + 1) * n..];
        let dot = |(p, row): (&mut f64, &[f64])| *p = factor * inner_product(&row[k + 1..], v);
        if rest > LARGE {
            p.par_iter_mut().zip(below.par_chunks_exact(n)).with_min_len(16).for_each(dot);
        } else {
            p.iter_mut().zip(below.chunks_exact(n)).for_each(dot);
        }
        let half = 0.5 * factor * inner_product(p, v);
        p.iter_mut().zip(v).for_each(|(p, v)| *p -= half * v);
        let p = &*p;
        let update = |(i, row): (usize, &mut [f64])| {
            let (vi, pi) = (v[i], p[i]);
            for ((x, v), p) in row[k + 1..].iter_mut().zip(v).zip(p) {
                *x -= vi * p + pi * v;
            }
        };
        if rest > LARGE {
            below.par_chunks_exact_mut(n).enumerate().with_min_len(16).for_each(update);
        } else {
            below.chunks_exact_mut(n).enumerate().for_each(update);
        }
    }
    (diagonal, beside)
}

/// The eigenvalues of a symmetric tridiagonal matrix take the place of its diagonal.
fn implicit_ql(d: &mut [f64], beside: &mut Vec<f64>) -> Option<()> {
    let n = d.len();
    beside.push(0.0);
    let e = beside;
    for l in 0..n {
        let mut steps = 0;
        loop {
            let split = (l..n - 1).find(|&m| e[m].abs() <= NEGLIGIBLE * (d[m].abs() + d[m + 1].abs()));
            let m = split.unwrap_or(n - 1);
            if m == l {
                break;
            }
            steps += 1;
            if steps > STEPS {
                return None;
            }
            let g = (d[l + 1] - d[l]) / (2.0 * e[l]);
            let r = (g * g + 1.0).sqrt();
            let mut g = d[m] - d[l] + e[l] / (g + if g >= 0.0 { r } else { -r });
            let (mut s, mut c, mut p) = (1.0, 1.0, 0.0);
            let mut whole = true;
            for i in (l..m).rev() {
                let (f, b) = (s * e[i], c * e[i]);
                let r = length(f, g);
                e[i + 1] = r;
                if r == 0.0 {
                    d[i + 1] -= p;
                    e[m] = 0.0;
                    whole = false;
                    break;
                }
                (s, c) = (f / r, g / r);
                g = d[i + 1] - p;
                let r = (d[i] - g) * s + 2.0 * c * b;
                p = s * r;
                d[i + 1] = g + p;
                g = c * r - b;
            }
            if whole {
                d[l] -= p;
                e[l] = g;
                e[m] = 0.0;
            }
        }
    }
    Some(())
}

/// `sqrt(x^2 + y^2)` without overflow.
fn length(x: f64, y: f64) -> f64 {
    let (large, small) = (x.abs().max(y.abs()), x.abs().min(y.abs()));
    if large == 0.0 {
        return 0.0;
    }
    let ratio = small / large;
    large * (1.0 + ratio * ratio).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use enclosures::linear_algebra::diagonalised;

    #[test]
    fn eigenvalues_are_those_of_rotations() {
        for n in [1, 2, 3, 7, 40, 230] {
            let entry = |i: usize, j: usize| {
                let (i, j) = (i.min(j), i.max(j));
                ((i * i + 3 * i * j + 7 * j) % 31) as f64 / 7.0 - 2.0 + if i == j { 5.0 } else { 0.0 }
            };
            let a: Vec<f64> = (0..n * n).map(|at| entry(at / n, at % n)).collect();
            let (found, off) = eigenvalues(a.clone(), n).unwrap();
            let (_, mut known) = diagonalised(a, n);
            known.sort_by(|x, y| y.total_cmp(x));
            let scale = known[0].abs().max(known[n - 1].abs());
            for (found, known) in found.iter().zip(&known) {
                assert!((found - known).abs() <= 1e-12 * scale, "{n}: {found} {known}");
            }
            assert!(off < 1e-12, "{n}: {off}");
        }
    }

    #[test]
    fn matrices_of_low_rank_and_zero_end() {
        assert_eq!(eigenvalues(vec![0.0; 9], 3).unwrap().0, [0.0; 3]);
        let ones = eigenvalues(vec![1.0; 100], 10).unwrap().0;
        assert!((ones[0] - 10.0).abs() < 1e-13 && ones[1..].iter().all(|l| l.abs() < 1e-13));
        assert!(eigenvalues(vec![f64::NAN; 4], 2).is_none());
    }
}
