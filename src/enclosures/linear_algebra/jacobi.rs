//! The cyclic Jacobi method in ordinary floating-point numbers: approximate eigenvectors, the same bits everywhere.
//!
//! Only additions, products, quotients and square roots are used, each of them correctly rounded on every machine, in a fixed order.

/// Passes over all pairs before giving up; convergence is quadratic, ten are plenty for ordinary matrices.
const MOST_SWEEPS: usize = 40;

/// Off-diagonal entries below this fraction of the largest entry no longer matter.
const NEGLIGIBLE: f64 = 1e-19;

/// Rows that are approximate unit eigenvectors of a symmetric matrix given row by row, and the eigenvalues that go with
/// them, in no particular order. Nothing is promised about the quality: callers verify.
#[must_use]
pub fn diagonalised(mut a: Vec<f64>, n: usize) -> (Vec<Vec<f64>>, Vec<f64>) {
    let mut vectors: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| if i == j { 1.0 } else { 0.0 }).collect()).collect();
    let largest = a.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    for _ in 0..MOST_SWEEPS {
        let mut rotated = false;
        for p in 0..n {
            for q in p + 1..n {
                let apq = a[p * n + q];
                if apq == 0.0 || apq.abs() <= NEGLIGIBLE * largest {
                    continue;
                }
                rotated = true;
                let theta = (a[q * n + q] - a[p * n + p]) / (2.0 * apq);
                let tangent = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
                let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
                rotate(&mut a, n, (p, q), cosine, tangent * cosine);
                a[p * n + q] = 0.0;
                a[q * n + p] = 0.0;
                let (head, tail) = vectors.split_at_mut(q);
                for (x, y) in head[p].iter_mut().zip(tail[0].iter_mut()) {
                    (*x, *y) = turned(*x, *y, cosine, tangent * cosine);
                }
            }
        }
        if !rotated {
            break;
        }
    }
    let values = (0..n).map(|i| a[i * n + i]).collect();
    (vectors, values)
}

fn turned(x: f64, y: f64, cosine: f64, sine: f64) -> (f64, f64) {
    (cosine * x - sine * y, sine * x + cosine * y)
}

/// `A <- J^T A J` for the rotation J in the plane (p, q).
fn rotate(a: &mut [f64], n: usize, (p, q): (usize, usize), cosine: f64, sine: f64) {
    for k in 0..n {
        (a[k * n + p], a[k * n + q]) = turned(a[k * n + p], a[k * n + q], cosine, sine);
    }
    for k in 0..n {
        (a[p * n + k], a[q * n + k]) = turned(a[p * n + k], a[q * n + k], cosine, sine);
    }
}
