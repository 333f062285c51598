//! The contrastive loss and its derivatives by enumeration of the 2^d latent states of each view.

use super::MultimodalError;
use super::block::MatrixBlock;
use super::error::check_size;
use super::gram::LatentSizes;
use super::objective::Objective;
use super::scalar::Scalar;

/// Most latent coordinates that are enumerated: 4^10 pairs.
pub const MOST_LATENTS: usize = 10;

/// The signs of latent state `state` of 0..2^d: coordinate k is negative where bit k is set. The first r bits are
/// the signal.
#[must_use]
pub fn signs(latents: usize, state: usize) -> Vec<f64> {
    let sign = |k: usize| if state >> k & 1 == 1 { -1.0 } else { 1.0 };
    (0..latents).map(sign).collect()
}

/// Everything that the contrastive loss is made of, at every pair (i, j) of a latent state i = (z, ξ_A) of view A
/// and a state j = (z, ξ_B) of view B. Each state has probability 2^-d in its view; a pair is positive when the
/// signals agree.
#[derive(Clone, Debug)]
pub struct Enumeration<T> {
    sizes: LatentSizes,
    objective: (f64, f64),
    similarity: MatrixBlock<T>,
    /// `e^{τ^2 Λ_ij - shift}`; every quantity below is a ratio of these.
    weight: MatrixBlock<T>,
    /// Means over j, and over i.
    row_mean: Vec<T>,
    column_mean: Vec<T>,
}

impl<T: Scalar> Enumeration<T> {
    /// Enumerates all pairs for `C = [K_A|K_{A,ξ}]^T [K_B|K_{B,ξ}] / (N_A N_B)`, inverse temperature `τ^2 >= 0` and
    /// strength K.
    ///
    /// # Errors
    /// C is not `d x d`, d is beyond [`MOST_LATENTS`], or a parameter is outside its domain.
    pub fn new(
        sizes: LatentSizes,
        cross: &MatrixBlock<T>,
        tau_squared: f64,
        negatives: f64,
    ) -> Result<Self, MultimodalError> {
        let d = sizes.latents();
        Objective::Contrastive { tau_squared, negatives }.check()?;
        check_size("rows of the cross matrix", cross.rows(), d)?;
        check_size("columns of the cross matrix", cross.columns(), d)?;
        if d > MOST_LATENTS {
            let limit = MOST_LATENTS;
            return Err(MultimodalError::TooManyLatents { latents: d, limit });
        }
        let roots: Vec<T> = (0..d).map(|k| sizes.variance::<T>(k).sqrt()).collect();
        let scaled = MatrixBlock::from_fn(d, d, |i, j| cross.at(i, j) * roots[i] * roots[j]);
        let similarity = bilinear_at_signs(&scaled);
        let largest = similarity.entries().iter().map(|x| x.near()).fold(f64::NEG_INFINITY, f64::max);
        let shift = if largest.is_finite() { largest } else { 0.0 };
        let (tau, shift) = (T::from(tau_squared), T::from(shift));
        let weight = similarity.map(|x| (tau * (x - shift)).exp());
        let count = T::count(weight.rows());
        let mean = |terms: &[T]| T::total(terms.iter().copied()) / count;
        let columns = weight.transpose();
        Ok(Enumeration {
            sizes,
            objective: (tau_squared, negatives),
            row_mean: (0..weight.rows()).map(|i| mean(weight.row(i))).collect(),
            column_mean: (0..weight.rows()).map(|j| mean(columns.row(j))).collect(),
            similarity,
            weight,
        })
    }

    /// How many states each view has, `2^d`.
    #[must_use]
    pub fn states(&self) -> usize {
        self.weight.rows()
    }

    /// Whether i and j share their signal.
    #[must_use]
    pub fn is_positive(&self, i: usize, j: usize) -> bool {
        let signal = (1usize << self.sizes.signal()) - 1;
        i & signal == j & signal
    }

    /// All positive pairs, each of probability [`Enumeration::pair_probability`].
    pub fn positive_pairs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let n = self.states();
        (0..n).flat_map(move |i| (0..n).filter(move |&j| self.is_positive(i, j)).map(move |j| (i, j)))
    }

    /// `2^{-r-2q}`.
    #[must_use]
    pub fn pair_probability(&self) -> f64 {
        1.0 / (1u64 << (self.sizes.signal() + 2 * self.sizes.noise())) as f64
    }

    /// `Λ_ij = <f_A(i), f_B(j)>`.
    #[must_use]
    pub fn similarity(&self, i: usize, j: usize) -> T {
        self.similarity.at(i, j)
    }

    fn odds(&self, i: usize, j: usize, mean: T) -> T {
        T::from(self.objective.1) * mean / self.weight.at(i, j)
    }

    /// `1 - S_A` at the pair (i, j).
    #[must_use]
    pub fn rest_a(&self, i: usize, j: usize) -> T {
        let odds = self.odds(i, j, self.row_mean[i]);
        odds / (T::from(1.0) + odds)
    }

    /// `1 - S_B` at the pair (i, j).
    #[must_use]
    pub fn rest_b(&self, i: usize, j: usize) -> T {
        let odds = self.odds(i, j, self.column_mean[j]);
        odds / (T::from(1.0) + odds)
    }

    /// The tilt `w_A` of the negative j for the anchor i of view A.
    #[must_use]
    pub fn tilt_a(&self, i: usize, j: usize) -> T {
        self.weight.at(i, j) / self.row_mean[i]
    }

    /// The tilt `w_B` of the negative i for the anchor j of view B.
    #[must_use]
    pub fn tilt_b(&self, i: usize, j: usize) -> T {
        self.weight.at(i, j) / self.column_mean[j]
    }

    /// `L = -E log S_A - E log S_B`.
    #[must_use]
    pub fn loss(&self) -> T {
        let terms = self
            .positive_pairs()
            .map(|(i, j)| self.odds(i, j, self.row_mean[i]).ln_1p() + self.odds(i, j, self.column_mean[j]).ln_1p());
        T::total(terms) * T::from(self.pair_probability())
    }

    /// `Ω_ij = -τ^{-2} ∂L/∂Λ_ij`, finite at τ = 0.
    #[must_use]
    pub fn pulls(&self) -> MatrixBlock<T> {
        let (n, zero) = (self.states(), T::from(0.0));
        let (mut alpha, mut beta) = (vec![zero; n], vec![zero; n]);
        let mut positive = MatrixBlock::from_fn(n, n, |_, _| zero).entries().to_vec();
        for (i, j) in self.positive_pairs() {
            let (a, b) = (self.rest_a(i, j), self.rest_b(i, j));
            alpha[i] = alpha[i] + a;
            beta[j] = beta[j] + b;
            positive[i * n + j] = a + b;
        }
        let (p, count) = (T::from(self.pair_probability()), T::count(n));
        MatrixBlock::from_fn(n, n, |i, j| {
            let negative = alpha[i] * self.tilt_a(i, j) + beta[j] * self.tilt_b(i, j);
            p * (positive[i * n + j] - negative / count)
        })
    }

    /// `Q_0 = sum Ω_ij Λ_ij` for these pulls.
    #[must_use]
    pub fn scalar_of(&self, pulls: &MatrixBlock<T>) -> T {
        pulls.inner(&self.similarity)
    }

    /// `Q = r sum Ω_ij u_j u_i^T` (`d x d`; rows belong to view B, columns to view A) for these pulls.
    #[must_use]
    pub fn matrix_of(&self, pulls: &MatrixBlock<T>) -> MatrixBlock<T> {
        let d = self.sizes.latents();
        let n = self.states();
        let sign = |k: usize, state: usize, x: T| if state >> k & 1 == 1 { -x } else { x };
        // Sums of each row of the pulls against the signs of view B, then against those of view A.
        let half = MatrixBlock::from_fn(d, n, |k, i| T::total((0..n).map(|j| sign(k, j, pulls.at(i, j)))));
        let roots: Vec<T> = (0..d).map(|k| self.sizes.variance::<T>(k).sqrt()).collect();
        let r = T::count(self.sizes.signal());
        MatrixBlock::from_fn(d, d, |k, l| T::total((0..n).map(|i| sign(l, i, half.at(k, i)))) * roots[k] * roots[l] * r)
    }
}

/// `s_i^T M s_j` for all sign vectors, by additions only.
fn bilinear_at_signs<T: Scalar>(m: &MatrixBlock<T>) -> MatrixBlock<T> {
    let (d, n) = (m.rows(), 1usize << m.rows());
    let sign = |k: usize, state: usize, x: T| if state >> k & 1 == 1 { -x } else { x };
    let half = MatrixBlock::from_fn(n, d, |i, l| T::total((0..d).map(|k| sign(k, i, m.at(k, l)))));
    MatrixBlock::from_fn(n, n, |i, j| T::total((0..d).map(|l| sign(l, j, half.at(i, l)))))
}
