//! The contrastive data of Example 1: half moons, partners with normal noise, and negatives drawn from the data set.

use contrastive::data::half_moons;
use enclosures::linear_algebra::Matrix;
use enclosures::probability::standard_normal;
use enclosures::stream::Stream;
use evidence::prelude::*;

/// Anchors and positives as points, and for each anchor the index of its negative.
pub struct Moons {
    pub anchors: Vec<[f64; 2]>,
    pub positives: Vec<[f64; 2]>,
    pub negatives: Vec<usize>,
}

impl Moons {
    /// x on the moons with this noise, x⁺ = x + ε with so large a standard deviation, x⁻ uniform over the data set.
    pub fn draw(count: usize, noise: f64, deviation: f64, rng: &mut Stream) -> Result<Self, MeasureError> {
        let moons = half_moons(count, noise, rng)?;
        let anchors: Vec<[f64; 2]> = (0..count).map(|i| [moons.point(i)[0], moons.point(i)[1]]).collect();
        let positives = anchors.iter().map(|x| x.map(|t| t + deviation * standard_normal(rng))).collect();
        let negatives = (0..count).map(|_| ((uniform(rng) * count as f64) as usize).min(count - 1)).collect();
        Ok(Moons { anchors, positives, negatives })
    }

    fn count(&self) -> usize {
        self.anchors.len()
    }

    /// C = (C̃ + C̃ᵀ)/2 as the entries (1,1), (1,2), (2,2).
    pub fn matrix(&self) -> [f64; 3] {
        let mut c = [0.0; 3];
        for (i, x) in self.anchors.iter().enumerate() {
            let (plus, minus) = (self.positives[i], self.anchors[self.negatives[i]]);
            let pull = [minus[0] - plus[0], minus[1] - plus[1]];
            c[0] += x[0] * pull[0];
            c[1] += 0.5 * (x[0] * pull[1] + x[1] * pull[0]);
            c[2] += x[1] * pull[1];
        }
        c
    }

    /// Anchors and positives as rows, and the pairing matrix of the contrastive loss divided by `divisor`.
    pub fn pairing(&self, divisor: f64) -> Result<(Matrix, Matrix), MeasureError> {
        let n = self.count();
        let rows = self.anchors.iter().chain(&self.positives).map(|x| x.to_vec()).collect();
        let mut entries = vec![0.0; 4 * n * n];
        let mut add = |i: usize, j: usize, value: f64| {
            entries[i * 2 * n + j] += 0.5 * value / divisor;
            entries[j * 2 * n + i] += 0.5 * value / divisor;
        };
        for (i, &k) in self.negatives.iter().enumerate() {
            add(i, i + n, -1.0);
            add(i, k, 1.0);
        }
        Ok((Matrix::from_rows(rows)?, Matrix::new(2 * n, 2 * n, entries)?))
    }
}

/// The eigenvalues of a symmetric 2×2 matrix from its entries, the lower first.
pub fn eigenvalues([a, b, c]: [f64; 3]) -> [f64; 2] {
    let (middle, root) = (0.5 * (a + c), (0.25 * (a - c) * (a - c) + b * b).sqrt());
    [middle - root, middle + root]
}

#[cfg(test)]
mod tests {
    use super::*;
    use enclosures::stream::stream;

    #[test]
    fn the_pairing_matrix_gives_the_data_matrix() {
        let moons = Moons::draw(7, 0.1, 0.3, &mut stream(5, &["moons"])).unwrap();
        let (points, pairing) = moons.pairing(1.0).unwrap();
        let c = points.transpose().rounded_product(&pairing).unwrap().rounded_product(&points).unwrap();
        let found = moons.matrix();
        for (x, y) in [(c.entries()[0], found[0]), (c.entries()[1], found[1]), (c.entries()[3], found[2])] {
            assert!((x - y).abs() < 1e-12);
        }
        assert_eq!(eigenvalues([1.0, 0.0, -2.0]), [-2.0, 1.0]);
    }
}
