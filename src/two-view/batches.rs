//! The matrix Q estimated from batches in place of expectations, for two signals without noise.

use enclosures::vectors::sum_of_squares;

use super::MultimodalError;
use super::block::MatrixBlock;
use super::enumeration::{Enumeration, signs};
use super::gram::LatentSizes;

/// Latent states of two signals.
const STATES: usize = 4;

/// Batches of samples from r = 2 signals without noise, for any cross matrix M (2 x 2, row by row).
#[derive(Clone, Copy, Debug)]
pub struct Batches {
    /// M, row by row.
    pub cross: [f64; 4],
    /// The inverse temperature τ².
    pub tau_squared: f64,
    /// The strength K of the negatives.
    pub negatives: f64,
}

/// Errors of a batch estimate of Q, in Frobenius norm.
#[derive(Clone, Copy, Debug)]
pub struct BatchErrors {
    /// The batch size n.
    pub size: f64,
    /// Root mean square error with negatives from the population.
    pub population: f64,
    /// Root mean square error with negatives from the batch.
    pub batch: f64,
    /// Norm of the bias with negatives from the batch.
    pub bias: f64,
}

impl Batches {
    /// Latent states of two signals.
    pub const STATES: usize = STATES;

    fn coordinates() -> [[f64; 2]; STATES] {
        std::array::from_fn(|s| {
            let z = signs(2, s);
            [z[0] / core::f64::consts::SQRT_2, z[1] / core::f64::consts::SQRT_2]
        })
    }

    /// `e^{τ² z_sᵀ M z_t}` for every pair of states (s, t), z of unit length.
    #[must_use]
    pub fn weights(&self) -> [[f64; STATES]; STATES] {
        let z = Self::coordinates();
        std::array::from_fn(|s| {
            std::array::from_fn(|t| {
                let inner: f64 = (0..4).map(|k| z[s][k / 2] * self.cross[k] * z[t][k % 2]).sum();
                core_math::exp(self.tau_squared * inner)
            })
        })
    }

    /// The contribution of one anchor s to Q (rows z_B, columns z_A) when the negatives have these shares.
    fn anchored(&self, e: &[[f64; STATES]; STATES], s: usize, shares: [f64; STATES]) -> [f64; 4] {
        let z = Self::coordinates();
        let row: f64 = (0..STATES).map(|t| shares[t] * e[s][t]).sum();
        let column: f64 = (0..STATES).map(|t| shares[t] * e[t][s]).sum();
        let rest_a = self.negatives * row / (e[s][s] + self.negatives * row);
        let rest_b = self.negatives * column / (e[s][s] + self.negatives * column);
        std::array::from_fn(|k| {
            let (i, j) = (k / 2, k % 2);
            let tilted_b: f64 = (0..STATES).map(|t| shares[t] * e[s][t] / row * z[t][i]).sum();
            let tilted_a: f64 = (0..STATES).map(|t| shares[t] * e[t][s] / column * z[t][j]).sum();
            2.0 * ((rest_a + rest_b) * z[s][i] * z[s][j] - rest_a * tilted_b * z[s][j] - rest_b * z[s][i] * tilted_a)
        })
    }

    /// Q of a batch with these numbers of the four states, by the weights of [`Batches::weights`], each anchor against all others, row by row.
    #[must_use]
    pub fn of_counts(&self, e: &[[f64; STATES]; STATES], m: [u32; STATES]) -> [f64; 4] {
        let n: u32 = m.iter().sum();
        let mut estimate = [0.0; 4];
        for s in (0..STATES).filter(|&s| m[s] > 0) {
            let shares = std::array::from_fn(|t| f64::from(m[t] - u32::from(t == s)) / f64::from(n - 1));
            let part = self.anchored(e, s, shares);
            (0..4).for_each(|k| estimate[k] += f64::from(m[s]) / f64::from(n) * part[k]);
        }
        estimate
    }

    /// Q by the enumeration of the population, row by row.
    ///
    /// # Errors
    /// As [`Enumeration::new`].
    pub fn population(&self) -> Result<[f64; 4], MultimodalError> {
        let cross = MatrixBlock::new(2, 2, self.cross.to_vec())?;
        let all = Enumeration::new(LatentSizes::new(2, 0)?, &cross, self.tau_squared, self.negatives)?;
        let q = all.matrix_of(&all.pulls());
        Ok([q.at(0, 0), q.at(0, 1), q.at(1, 0), q.at(1, 1)])
    }

    /// The errors at batch size n > 1, over all compositions of a batch of the four states: no sampling.
    ///
    /// # Errors
    /// As [`Batches::population`].
    pub fn errors(&self, n: u32) -> Result<BatchErrors, MultimodalError> {
        let (target, e) = (self.population()?, self.weights());
        let gap = |x: [f64; 4]| -> [f64; 4] { std::array::from_fn(|k| x[k] - target[k]) };
        let single: f64 =
            (0..STATES).map(|s| sum_of_squares(&gap(self.anchored(&e, s, [0.25; STATES])))).sum::<f64>() / 4.0;
        let factorial: Vec<f64> = (0..=n)
            .scan(0.0, |log, k| {
                *log += if k > 0 { core_math::log(f64::from(k)) } else { 0.0 };
                Some(*log)
            })
            .collect();
        let (mut mean, mut second) = ([0.0; 4], 0.0);
        for m in compositions(n) {
            let log = factorial[n as usize]
                - m.iter().map(|&k| factorial[k as usize]).sum::<f64>()
                - f64::from(n) * core_math::log(4.0);
            let chance = core_math::exp(log);
            let estimate = self.of_counts(&e, m);
            (0..4).for_each(|k| mean[k] += chance * estimate[k]);
            second += chance * sum_of_squares(&gap(estimate));
        }
        Ok(BatchErrors {
            size: f64::from(n),
            population: (single / f64::from(n)).sqrt(),
            batch: second.sqrt(),
            bias: sum_of_squares(&gap(mean)).sqrt(),
        })
    }
}

/// All ways to write n as an ordered sum of four counts.
fn compositions(n: u32) -> impl Iterator<Item = [u32; STATES]> {
    (0..=n).flat_map(move |a| (0..=n - a).flat_map(move |b| (0..=n - a - b).map(move |c| [a, b, c, n - a - b - c])))
}
