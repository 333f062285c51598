//! The bowl behind the ripples: a quadratic function fitted to points drawn all over the reach of the starts sees past valleys that are
//! small beside the whole, and its lowest point is where the descents begin.

use rand::RngExt;

use super::encoding::Encoding;
use super::problem::{SearchProblem, Stop};
use super::quasi_newton;
use enclosures::stream::Stream;

/// The largest number of coordinates for which a bowl is fitted.
pub(super) const LARGEST: usize = 60;

/// So many points for each coefficient at first.
const POINTS: usize = 4;

/// A bowl that explains less of the differences than this, beyond what chance explains, says nothing.
const EXPLAINED: f64 = 0.1;

/// Fits bowls to more and more points, and descends from the bottom of each.
pub(super) fn descend(problem: &mut SearchProblem<'_, '_>, encoding: &Encoding, rng: &mut Stream) -> Result<(), Stop> {
    let n = encoding.dimension();
    let mut fit = QuadraticFit::new(n);
    let mut points = POINTS * (2 * n + 1) + 20;
    loop {
        for _ in 0..points {
            let unit: Vec<f64> = (0..n).map(|_| 2.0 * rng.random::<f64>() - 1.0).collect();
            let value = problem.value(&placed(problem, &unit))?;
            fit.add(&unit, value);
        }
        let Some(bottom) = fit.bottom() else {
            return Ok(());
        };
        let from = problem.restored(&placed(problem, &bottom));
        problem.apart(40 + 16 * n, |problem| quasi_newton::descend(problem, encoding, &from, 1e-3))?;
        points = fit.count;
    }
}

/// The point that lies so in the reach of the starts, from −1 at the least to 1 at the greatest value of each number.
fn placed(problem: &SearchProblem<'_, '_>, unit: &[f64]) -> Vec<f64> {
    let space = &*problem.space;
    let mut point = space.starts[0].1.clone();
    for (&index, u) in space.movable.iter().zip(unit) {
        let (low, high) = space.reach[index];
        point[index] = 0.5 * (low + high) + 0.5 * u * (high - low);
    }
    point
}

/// The sums of a least-squares fit of `a + Σ bᵢ uᵢ + Σ cᵢ uᵢ²`.
struct QuadraticFit {
    n: usize,
    count: usize,
    /// The products of the functions that are fitted, row by row.
    matrix: Vec<f64>,
    right: Vec<f64>,
    squares: f64,
}

impl QuadraticFit {
    fn new(n: usize) -> Self {
        let size = 2 * n + 1;
        QuadraticFit { n, count: 0, matrix: vec![0.0; size * size], right: vec![0.0; size], squares: 0.0 }
    }

    fn add(&mut self, unit: &[f64], value: f64) {
        if !value.is_finite() || value.abs() > 1e100 {
            return;
        }
        let terms: Vec<f64> =
            std::iter::once(1.0).chain(unit.iter().copied()).chain(unit.iter().map(|u| u * u)).collect();
        let size = terms.len();
        for (i, a) in terms.iter().enumerate() {
            for (j, b) in terms.iter().enumerate() {
                self.matrix[i * size + j] += a * b;
            }
            self.right[i] += a * value;
        }
        self.squares += value * value;
        self.count += 1;
    }

    /// The lowest point of the bowl between −1 and 1; none where no bowl is to be seen.
    fn bottom(&self) -> Option<Vec<f64>> {
        let size = 2 * self.n + 1;
        if self.count < 2 * size {
            return None;
        }
        let found = solved(self.matrix.clone(), self.right.clone())?;
        let fitted: f64 = found.iter().zip(&self.right).map(|(c, r)| c * r).sum();
        let mean = self.right[0] / self.count as f64;
        let whole = (self.squares - mean * self.right[0]) / (self.count - 1) as f64;
        let left = (self.squares - fitted) / (self.count - size) as f64;
        if left.is_nan() || left >= (1.0 - EXPLAINED) * whole {
            return None;
        }
        let lowest = |i: usize| {
            let (slope, bend) = (found[1 + i], found[1 + self.n + i]);
            if bend > 0.0 {
                (-0.5 * slope / bend).clamp(-1.0, 1.0)
            } else if slope > 0.0 {
                -1.0
            } else {
                1.0
            }
        };
        Some((0..self.n).map(lowest).collect())
    }
}

/// The solution of a symmetric positive definite system, by elimination.
fn solved(mut matrix: Vec<f64>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let size = right.len();
    for pivot in 0..size {
        let diagonal = matrix[pivot * size + pivot];
        if diagonal.is_nan() || diagonal <= 1e-9 {
            return None;
        }
        for row in pivot + 1..size {
            let factor = matrix[row * size + pivot] / diagonal;
            for column in pivot..size {
                matrix[row * size + column] -= factor * matrix[pivot * size + column];
            }
            right[row] -= factor * right[pivot];
        }
    }
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|c| matrix[row * size + c] * right[c]).sum();
        right[row] = (right[row] - known) / matrix[row * size + row];
    }
    Some(right)
}

#[cfg(test)]
mod tests {
    use super::*;
    use enclosures::stream::stream;

    #[test]
    fn the_bottom_of_a_rippled_bowl_is_found() {
        let mut rng = stream(5, &["trend"]);
        let mut fit = QuadraticFit::new(3);
        for _ in 0..400 {
            let u: Vec<f64> = (0..3).map(|_| 2.0 * rng.random::<f64>() - 1.0).collect();
            let bowl = (u[0] - 0.5) * (u[0] - 0.5) + 2.0 * (u[1] + 0.25) * (u[1] + 0.25) + 3.0 * u[2];
            fit.add(&u, bowl + 0.3 * core_math::cos(40.0 * (u[0] + u[1] + u[2])));
        }
        fit.add(&[0.0; 3], f64::INFINITY);
        let bottom = fit.bottom().expect("the bowl explains most of the differences");
        for (found, wanted) in bottom.iter().zip([0.5, -0.25, -1.0]) {
            assert!((found - wanted).abs() < 0.1, "{bottom:?}");
        }
    }

    #[test]
    fn noise_has_no_bottom() {
        let mut rng = stream(6, &["trend"]);
        let mut fit = QuadraticFit::new(2);
        for _ in 0..200 {
            let u: Vec<f64> = (0..2).map(|_| 2.0 * rng.random::<f64>() - 1.0).collect();
            fit.add(&u, rng.random::<f64>());
        }
        assert_eq!(fit.bottom(), None);
        assert_eq!(QuadraticFit::new(2).bottom(), None, "no points");
    }
}
