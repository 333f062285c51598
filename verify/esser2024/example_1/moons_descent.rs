//! The two dynamics of Example 1 in plain doubles: the free gradient flow of L, and gradient descent on the scaled loss L/(‖W₁‖₂²‖W₂‖₂²).

use enclosures::linear_algebra::gaussian_matrix;
use enclosures::stream::Stream;
use enclosures::vectors::largest_magnitude;
use evidence::claim::MeasureError;

use crate::shared::moons_data::eigenvalues;

/// Weights of the two-layer linear model on the plane, one pair of rows (of W₁ and of W₂, z ≤ 2) per hidden unit.
#[derive(Clone, Debug)]
pub struct PlaneWeights {
    first: Vec<[f64; 2]>,
    second: Vec<[f64; 2]>,
}

fn gram(rows: &[[f64; 2]]) -> [f64; 3] {
    rows.iter().fold([0.0; 3], |g, w| [g[0] + w[0] * w[0], g[1] + w[0] * w[1], g[2] + w[1] * w[1]])
}

fn square(rows: &[[f64; 2]]) -> f64 {
    let g = gram(rows);
    g[0] + g[2]
}

/// The largest squared singular value and its right singular vector.
fn leading(rows: &[[f64; 2]]) -> (f64, [f64; 2]) {
    let g = gram(rows);
    let top = eigenvalues(g)[1];
    // Of the two rows of G − λ₂ the one that does not cancel.
    let v = if g[0] >= g[2] { [top - g[2], g[1]] } else { [g[1], top - g[0]] };
    let length = (v[0] * v[0] + v[1] * v[1]).sqrt();
    (top, if length > 0.0 { [v[0] / length, v[1] / length] } else { [1.0, 0.0] })
}

impl PlaneWeights {
    /// Standard normal entries; for z = 1 the second output has weight zero and keeps it.
    pub fn gaussian(z: usize, h: usize, rng: &mut Stream) -> Result<Self, MeasureError> {
        let rows = |m: enclosures::linear_algebra::Matrix| {
            m.row_iter().map(|r| [r[0], r.get(1).copied().unwrap_or(0.0)]).collect()
        };
        Ok(PlaneWeights { first: rows(gaussian_matrix(rng, h, 2)?), second: rows(gaussian_matrix(rng, h, z)?) })
    }

    /// One hidden unit that reads along `direction` and feeds the first output; the others are at zero.
    pub fn along(direction: [f64; 2], h: usize) -> Self {
        let mut weights = PlaneWeights { first: vec![[0.0; 2]; h], second: vec![[0.0; 2]; h] };
        weights.first[0] = direction;
        weights.second[0] = [1.0, 0.0];
        weights
    }

    /// One hidden unit reads along `direction`, another feeds the first output, so that M = 0.
    pub fn apart(direction: [f64; 2]) -> Self {
        PlaneWeights { first: vec![direction, [0.0; 2]], second: vec![[0.0; 2], [1.0, 0.0]] }
    }

    /// CM as rows of a 2×2 matrix, and the loss Tr(MᵀCM).
    fn image(&self, c: [f64; 3]) -> ([[f64; 2]; 2], f64) {
        let mut m = [[0.0; 2]; 2];
        for (a, b) in self.first.iter().zip(&self.second) {
            for i in 0..2 {
                for j in 0..2 {
                    m[i][j] += a[i] * b[j];
                }
            }
        }
        let cm = [0, 1].map(|i| [0, 1].map(|j| c[i] * m[0][j] + c[i + 1] * m[1][j]));
        let loss = (0..2).map(|i| (0..2).map(|j| m[i][j] * cm[i][j]).sum::<f64>()).sum();
        (cm, loss)
    }

    /// Tr(MᵀCM).
    pub fn loss(&self, c: [f64; 3]) -> f64 {
        self.image(c).1
    }

    /// ‖W₁‖_F² + ‖W₂‖_F².
    pub fn size(&self) -> f64 {
        square(&self.first) + square(&self.second)
    }

    /// The gradient of the loss.
    fn gradient(&self, c: [f64; 3]) -> PlaneWeights {
        let (cm, _) = self.image(c);
        let both = |b: &[f64; 2]| [0, 1].map(|i| 2.0 * (cm[i][0] * b[0] + cm[i][1] * b[1]));
        let other = |a: &[f64; 2]| [0, 1].map(|j| 2.0 * (a[0] * cm[0][j] + a[1] * cm[1][j]));
        PlaneWeights { first: self.second.iter().map(both).collect(), second: self.first.iter().map(other).collect() }
    }

    fn moved(&self, by: &PlaneWeights, step: f64) -> PlaneWeights {
        let add = |x: &[[f64; 2]], y: &[[f64; 2]]| {
            x.iter().zip(y).map(|(a, b)| [a[0] + step * b[0], a[1] + step * b[1]]).collect()
        };
        PlaneWeights { first: add(&self.first, &by.first), second: add(&self.second, &by.second) }
    }

    /// The time at which the free flow W′ = −∇L has multiplied ‖W‖² by a million; none if it does not by `limit`.
    pub fn escapes(&self, c: [f64; 3], limit: f64) -> Option<f64> {
        let rate = largest_magnitude(&eigenvalues(c));
        let (mut now, mut time) = (self.clone(), 0.0);
        for _ in 0..20_000 {
            let size = now.size();
            if size > 1e6 * self.size() {
                return Some(time);
            }
            let step = 0.02 / (rate * size);
            if time > limit || !step.is_finite() {
                return None;
            }
            let a = now.gradient(c);
            let b = now.moved(&a, -0.5 * step).gradient(c);
            let d = now.moved(&b, -0.5 * step).gradient(c);
            let e = now.moved(&d, -step).gradient(c);
            for (v, part) in [(a, 1.0), (b, 2.0), (d, 2.0), (e, 1.0)] {
                now = now.moved(&v, -step * part / 6.0);
            }
            time += step;
        }
        None
    }

    /// The scaled loss.
    pub fn scaled_loss(&self, c: [f64; 3]) -> f64 {
        self.loss(c) / (leading(&self.first).0 * leading(&self.second).0)
    }

    /// σ₂/σ₁ of W₁.
    pub fn roundness(&self) -> f64 {
        let [low, high] = eigenvalues(gram(&self.first));
        (low.max(0.0) / high).sqrt()
    }

    /// One step of (sub)gradient descent on the scaled loss from weights of operator norm one.
    pub fn descended(&self, c: [f64; 3], step: f64) -> PlaneWeights {
        let unit = |rows: &[[f64; 2]]| -> Vec<[f64; 2]> {
            let size = leading(rows).0.sqrt();
            rows.iter().map(|w| w.map(|x| x / size)).collect()
        };
        let now = PlaneWeights { first: unit(&self.first), second: unit(&self.second) };
        let (mut slope, value) = (now.gradient(c), now.loss(c));
        for (slope, rows) in [(&mut slope.first, &now.first), (&mut slope.second, &now.second)] {
            let v = leading(rows).1;
            for (s, w) in slope.iter_mut().zip(rows) {
                let along = 2.0 * value * (w[0] * v[0] + w[1] * v[1]);
                *s = [s[0] - along * v[0], s[1] - along * v[1]];
            }
        }
        now.moved(&slope, -step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use enclosures::stream::stream;

    #[test]
    fn the_slope_of_the_scaled_loss_is_a_difference_quotient() {
        let c = [-2.0, 0.5, -0.25];
        let start = PlaneWeights::gaussian(2, 5, &mut stream(1, &["slope"])).unwrap().descended(c, 0.0);
        let step = 1e-6;
        let (one, two) = (start.descended(c, step), start.descended(c, -step));
        let moved: f64 = one.moved(&two, -1.0).size();
        // Along the gradient the loss changes by minus its squared norm: (Q(−) − Q(+))/2h = |g|², |W(+) − W(−)|² = 4h²|g|².
        let fall = (two.scaled_loss(c) - one.scaled_loss(c)) / (2.0 * step);
        assert!((fall - moved / (4.0 * step * step)).abs() < 1e-5 * fall, "{fall} {moved}");
    }

    #[test]
    fn a_single_unit_escapes_at_the_known_time() {
        // w₁ = w₂ = w on the line with C = −1: w′ = 2w³, so w² = 1/(1 − 4t).
        let time = PlaneWeights::along([1.0, 0.0], 1).escapes([-1.0, 0.0, 1.0], 1.0).unwrap();
        assert!((time - 0.25).abs() < 1e-5, "{time}");
        assert_eq!(PlaneWeights::along([0.0, 1.0], 1).escapes([-1.0, 0.0, 1.0], 1.0), None);
    }
}
