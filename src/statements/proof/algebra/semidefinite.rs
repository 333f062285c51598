//! Matrices that depend on some numbers and are to be positive semidefinite: an interior point in floating point, by Newton's method on the
//! logarithmic barrier. It decides nothing; what it finds is rounded and checked exactly elsewhere.

use super::allowance;

/// `G(y) = G₀ + Σ y_k N_k`, in diagonal blocks.
pub(super) struct Pencil {
    /// The sizes of the blocks.
    pub(super) sizes: Vec<usize>,
    /// The entries of `G₀` on and above the diagonal: block, row, column, value.
    pub(super) constant: Vec<(usize, usize, usize, f64)>,
    /// Those of every `N_k`.
    pub(super) along: Vec<Vec<(usize, usize, usize, f64)>>,
}

/// Where the search ended.
pub(super) struct Interior {
    pub(super) y: Vec<f64>,
    /// A lower bound of the eigenvalues of all blocks that was reached.
    pub(super) least: f64,
}

type Matrix = Vec<f64>;

/// How strongly large matrices are held back, so that there is a centre.
const HELD: f64 = 1e-5;
/// The last weight of the least eigenvalue beside the barrier.
const LAST: f64 = 1e8;

impl Pencil {
    pub(super) fn blocks(&self, y: &[f64]) -> Vec<Matrix> {
        let mut blocks: Vec<Matrix> = self.sizes.iter().map(|n| vec![0.0; n * n]).collect();
        let mut add = |entries: &[(usize, usize, usize, f64)], factor: f64| {
            for &(b, i, j, v) in entries {
                let n = self.sizes[b];
                blocks[b][i * n + j] += factor * v;
                if i != j {
                    blocks[b][j * n + i] += factor * v;
                }
            }
        };
        add(&self.constant, 1.0);
        self.along.iter().zip(y).for_each(|(entries, &y)| add(entries, y));
        blocks
    }

    /// The factors of Cholesky of all blocks less a multiple of the identity; none if one is not positive definite.
    fn factors(&self, y: &[f64], least: f64) -> Option<Vec<Matrix>> {
        let each = self.blocks(y).into_iter().zip(&self.sizes).map(|(mut block, &n)| {
            (0..n).for_each(|i| block[i * n + i] -= least);
            cholesky(block, n)
        });
        each.collect()
    }

    fn barrier(&self, y: &[f64], least: f64, weight: f64) -> Option<f64> {
        if least >= 1.0 {
            return None;
        }
        let entries: usize = self.along.iter().map(Vec::len).sum();
        let cubes: usize = self.sizes.iter().map(|n| n * n * n).sum();
        if !allowance::spend((entries / 100 + cubes / 1000) as u64) {
            return None;
        }
        let factors = self.factors(y, least)?;
        let mut value = -weight * least - core_math::log(1.0 - least);
        for (factor, &n) in factors.iter().zip(&self.sizes) {
            value -= 2.0 * (0..n).map(|i| core_math::log(factor[i * n + i])).sum::<f64>();
        }
        let trace: f64 =
            self.blocks(y).iter().zip(&self.sizes).map(|(b, &n)| (0..n).map(|i| b[i * n + i]).sum::<f64>()).sum();
        Some(value + HELD * trace)
    }

    /// The centre of the matrices whose least eigenvalue is large, or as large as it becomes.
    pub(super) fn interior(&self) -> Option<Interior> {
        let count = self.along.len();
        let mut y = vec![0.0; count];
        let reach = |block: &Matrix, n: usize| {
            (0..n)
                .map(|i| block[i * n + i] - (0..n).filter(|&j| j != i).map(|j| block[i * n + j].abs()).sum::<f64>())
                .fold(f64::INFINITY, f64::min)
        };
        let start = self.blocks(&y).iter().zip(&self.sizes).map(|(b, &n)| reach(b, n)).fold(0.5, f64::min);
        let mut least = start - 1.0;
        let mut weight = 1.0;
        loop {
            for _ in 0..25 {
                let decrement = self.step(&mut y, &mut least, weight)?;
                if decrement < 1e-4 {
                    break;
                }
            }
            if weight >= LAST || least > 1e-3 && weight >= 100.0 || least > 0.3 {
                return Some(Interior { y, least });
            }
            // Far from zero with little left to win: there is none.
            let total: usize = self.sizes.iter().sum();
            if least + 3.0 * (total as f64 + 1.0) / weight < 0.0 {
                return None;
            }
            weight *= 8.0;
        }
    }

    /// One step of Newton; the decrement that it promised.
    fn step(&self, y: &mut Vec<f64>, least: &mut f64, weight: f64) -> Option<f64> {
        // What the second derivatives take.
        let entries: usize = self.along.iter().map(Vec::len).sum();
        let widest = self.sizes.iter().max().copied().unwrap_or(0);
        if !allowance::spend((entries * (self.along.len() + widest * widest)) as u64 / 300) {
            return None;
        }
        let factors = self.factors(y, *least)?;
        let inverses: Vec<Matrix> = factors.iter().zip(&self.sizes).map(|(l, &n)| inverse(l, n)).collect();
        let count = self.along.len();
        let size = count + 1;
        let mut gradient = vec![0.0; size];
        let mut hessian = vec![0.0; size * size];
        let sum = |entries: &[(usize, usize, usize, f64)], of: &[Matrix]| -> f64 {
            let one = |&(b, i, j, v): &(usize, usize, usize, f64)| {
                let n = self.sizes[b];
                if i == j { v * of[b][i * n + i] } else { v * (of[b][i * n + j] + of[b][j * n + i]) }
            };
            entries.iter().map(one).sum()
        };
        for (k, entries) in self.along.iter().enumerate() {
            let trace: f64 = entries.iter().filter(|e| e.1 == e.2).map(|e| e.3).sum();
            gradient[k] = HELD * trace - sum(entries, &inverses);
            // W N W for the blocks that N touches.
            let mut product: Vec<Matrix> = inverses.iter().map(|_| Matrix::new()).collect();
            for &(b, i, j, v) in entries {
                let n = self.sizes[b];
                if product[b].is_empty() {
                    product[b] = vec![0.0; n * n];
                }
                let w = &inverses[b];
                for r in 0..n {
                    let (first, second) = (v * w[r * n + i], v * w[r * n + j]);
                    let row = &mut product[b][r * n..(r + 1) * n];
                    for (c, x) in row.iter_mut().enumerate() {
                        *x += first * w[j * n + c] + if i == j { 0.0 } else { second * w[i * n + c] };
                    }
                }
            }
            for (l, other) in self.along.iter().enumerate().take(k + 1) {
                let one = |&(b, i, j, v): &(usize, usize, usize, f64)| {
                    let n = self.sizes[b];
                    if product[b].is_empty() {
                        0.0
                    } else if i == j {
                        v * product[b][i * n + i]
                    } else {
                        v * (product[b][i * n + j] + product[b][j * n + i])
                    }
                };
                let value: f64 = other.iter().map(one).sum();
                hessian[k * size + l] = value;
                hessian[l * size + k] = value;
            }
            let identity: f64 = product
                .iter()
                .zip(&self.sizes)
                .filter(|(p, _)| !p.is_empty())
                .map(|(p, &n)| (0..n).map(|i| p[i * n + i]).sum::<f64>())
                .sum();
            hessian[k * size + count] = -identity;
            hessian[count * size + k] = -identity;
        }
        let trace: f64 =
            inverses.iter().zip(&self.sizes).map(|(w, &n)| (0..n).map(|i| w[i * n + i]).sum::<f64>()).sum();
        let squares: f64 = inverses.iter().map(|w| w.iter().map(|x| x * x).sum::<f64>()).sum();
        gradient[count] = -weight + trace + 1.0 / (1.0 - *least);
        hessian[count * size + count] = squares + 1.0 / ((1.0 - *least) * (1.0 - *least));
        for k in 0..size {
            hessian[k * size + k] += 1e-11 * hessian[k * size + k] + 1e-13;
        }
        let factor = cholesky(hessian, size)?;
        let direction = solved(&factor, size, gradient.iter().map(|g| -g).collect());
        let decrement: f64 = -direction.iter().zip(&gradient).map(|(d, g)| d * g).sum::<f64>();
        if !decrement.is_finite() {
            return None;
        }
        if !allowance::spend((size * size * size) as u64 / 1000 + (size * size) as u64 / 50) {
            return None;
        }
        let before = self.barrier(y, *least, weight)?;
        let mut length = if decrement > 1.0 { 1.0f64.min(4.0 / decrement.sqrt()) } else { 1.0 };
        for _ in 0..40 {
            let moved: Vec<f64> = y.iter().zip(&direction).map(|(y, d)| y + length * d).collect();
            let raised = *least + length * direction[count];
            if self
                .barrier(&moved, raised, weight)
                .is_some_and(|after| after <= before - 0.01 * length * decrement + 1e-12 * before.abs())
            {
                (*y, *least) = (moved, raised);
                return Some(decrement);
            }
            length *= 0.5;
        }
        Some(0.0)
    }
}

/// The lower factor; none if the matrix is not positive definite.
pub(super) fn cholesky(mut a: Matrix, n: usize) -> Option<Matrix> {
    for j in 0..n {
        let (done, rest) = a.split_at_mut(j * n + n);
        let row = &mut done[j * n..];
        let diagonal = row[j] - row[..j].iter().map(|x| x * x).sum::<f64>();
        if diagonal.is_nan() || diagonal <= 0.0 {
            return None;
        }
        row[j] = diagonal.sqrt();
        let (row, pivot) = (&row[..j], row[j]);
        for i in 0..n - j - 1 {
            let other = &mut rest[i * n..i * n + n];
            let product: f64 = other[..j].iter().zip(row).map(|(x, y)| x * y).sum();
            other[j] = (other[j] - product) / pivot;
        }
    }
    for i in 0..n {
        a[i * n + i + 1..(i + 1) * n].fill(0.0);
    }
    Some(a)
}

fn solved(l: &Matrix, n: usize, mut b: Vec<f64>) -> Vec<f64> {
    for i in 0..n {
        let known: f64 = (0..i).map(|k| l[i * n + k] * b[k]).sum();
        b[i] = (b[i] - known) / l[i * n + i];
    }
    for i in (0..n).rev() {
        b[i] /= l[i * n + i];
        let x = b[i];
        for k in 0..i {
            b[k] -= l[i * n + k] * x;
        }
    }
    b
}

fn inverse(l: &Matrix, n: usize) -> Matrix {
    let mut found = vec![0.0; n * n];
    for j in 0..n {
        let mut unit = vec![0.0; n];
        unit[j] = 1.0;
        let column = solved(l, n, unit);
        for (i, x) in column.into_iter().enumerate() {
            found[i * n + j] = x;
        }
    }
    found
}

/// Eigenvalues with their vectors, the least first: Jacobi's rotations.
pub(super) fn eigenvectors(mut a: Matrix, n: usize) -> Vec<(f64, Vec<f64>)> {
    let mut v = vec![0.0; n * n];
    (0..n).for_each(|i| v[i * n + i] = 1.0);
    for _ in 0..60 {
        if !allowance::spend((n * n * n) as u64 / 300) {
            break;
        }
        let mut off = 0.0;
        for p in 0..n {
            for q in p + 1..n {
                let x = a[p * n + q];
                off += x * x;
                if x.abs() < 1e-300 {
                    continue;
                }
                let theta = (a[q * n + q] - a[p * n + p]) / (2.0 * x);
                let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
                let t = if theta == 0.0 { 1.0 } else { t };
                let c = 1.0 / (t * t + 1.0).sqrt();
                let s = t * c;
                for k in 0..n {
                    let (y, z) = (a[k * n + p], a[k * n + q]);
                    (a[k * n + p], a[k * n + q]) = (c * y - s * z, s * y + c * z);
                }
                for k in 0..n {
                    let (y, z) = (a[p * n + k], a[q * n + k]);
                    (a[p * n + k], a[q * n + k]) = (c * y - s * z, s * y + c * z);
                }
                for k in 0..n {
                    let (y, z) = (v[k * n + p], v[k * n + q]);
                    (v[k * n + p], v[k * n + q]) = (c * y - s * z, s * y + c * z);
                }
            }
        }
        if off < 1e-26 {
            break;
        }
    }
    let mut found: Vec<(f64, Vec<f64>)> =
        (0..n).map(|i| (a[i * n + i], (0..n).map(|k| v[k * n + i]).collect())).collect();
    found.sort_by(|x, y| x.0.total_cmp(&y.0));
    found
}
