//! The spectral norm of a matrix of standard normal numbers, exactly in law and in linear time.
//!
//! Householder reflections from both sides turn a matrix of m × n independent standard normals, m ≥ n, into a bidiagonal
//! one with independent entries: χ_m, χ_{m−1}, …, χ_{m−n+1} on the diagonal and χ_{n−1}, …, χ_1 beside it. Its largest
//! singular value squared is the largest eigenvalue of a tridiagonal matrix, found by bisection with Sturm's sequence.

use rand::Rng;

use super::hidden_norms::chi_squares;

/// Halvings after which the bisection has more digits than any use of it.
const HALVINGS: u32 = 34;

/// A draw of the spectral norm of `rows` × `columns` independent standard normal numbers; zero if there are none.
///
/// The law is exact, the number is good to a relative 2^-34. Costs `2 min(rows, columns)` chi-square draws instead of `rows * columns` normals and
/// a singular value. The same bits on every machine.
///
/// Source: the bidiagonal form of Silverstein, The smallest eigenvalue of a large dimensional Wishart matrix (1985).
pub fn gaussian_norm<R: Rng + ?Sized>(rows: u32, columns: u32, rng: &mut R) -> f64 {
    let (rows, columns) = (rows.max(columns), rows.min(columns));
    let (mut diagonal, mut beside) = (Vec::new(), Vec::new());
    let mut previous = 0.0;
    let freedoms: Vec<u32> = (0..columns).flat_map(|k| [rows - k, columns - 1 - k]).collect();
    for pair in chi_squares(rng, &freedoms).chunks_exact(2) {
        let (main, next) = (pair[0], pair[1]);
        diagonal.push(main + previous);
        beside.push(main * next);
        previous = next;
    }
    let reach = |k: usize| {
        let before = if k == 0 { 0.0 } else { beside[k - 1].sqrt() };
        diagonal[k] + before + beside[k].sqrt()
    };
    let mut low = diagonal.iter().copied().fold(0.0, f64::max);
    // Gershgorin's discs.
    let mut high = (0..diagonal.len()).map(reach).fold(low, f64::max);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (low + high);
        if exceeds_all(middle, &diagonal, &beside) {
            high = middle;
        } else {
            low = middle;
        }
    }
    (0.5 * (low + high)).sqrt()
}

/// Whether no eigenvalue of the tridiagonal matrix reaches t: all pivots of the matrix minus t are negative.
fn exceeds_all(t: f64, diagonal: &[f64], beside: &[f64]) -> bool {
    let mut pivot = f64::NEG_INFINITY;
    for (k, main) in diagonal.iter().enumerate() {
        let before = if k == 0 { 0.0 } else { beside[k - 1] / pivot };
        pivot = main - t - before;
        if pivot >= 0.0 {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probability::fill_standard_normal;
    use crate::stream::{Stream, stream};

    #[test]
    fn a_column_and_a_small_square() {
        let mut rng = stream(1, &["norm"]);
        let count = 4000;
        // One column: χ²_9, mean 9. A 2 × 2 matrix: the squared norm has mean 2 + E√(‖A‖⁴ − 4 det²)/2.
        let column: f64 = (0..count).map(|_| gaussian_norm(9, 1, &mut rng)).map(|x| x * x).sum();
        assert!((column / f64::from(count) - 9.0).abs() < 0.35);
        let both = |rng: &mut Stream| {
            let mut a = [0.0; 4];
            fill_standard_normal(rng, &mut a);
            let (sum, det) = (a.iter().map(|x| x * x).sum::<f64>(), a[0] * a[3] - a[1] * a[2]);
            0.5 * (sum + (sum * sum - 4.0 * det * det).max(0.0).sqrt())
        };
        let direct: f64 = (0..count).map(|_| both(&mut rng)).sum();
        let reduced: f64 = (0..count).map(|_| gaussian_norm(2, 2, &mut rng)).map(|x| x * x).sum();
        assert!(((direct - reduced) / f64::from(count)).abs() < 0.3);
        // The limit of the norm of a square matrix is 2√m.
        let large = gaussian_norm(400, 400, &mut rng) / 20.0;
        assert!((1.8..2.1).contains(&large), "{large}");
    }
}
