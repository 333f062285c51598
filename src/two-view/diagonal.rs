//! The invariant manifold of diagonal states, on which the contrastive loss has a product form: any number of
//! directions.
//!
//! The only non-zero off-diagonal entries of G are `h_p = <[K_A]_p, [K_B]_p>`. Then `E_{x_B^-} e^{τ^2 <f_A^+,
//! f_B^->} = prod cosh x_p` with `x_p = τ^2 h_p / (r N_A N_B)`, whatever the anchor, and S is one number.

use super::MultimodalError;
use super::block::MatrixBlock;
use super::error::{check_domain, check_size};
use super::flow::autonomous;
use super::gram::{GramState, LatentSizes, View};
use super::objective::Objective;
use super::scalar::Scalar;

/// The strengths `σ_p^2` and `σ_ξ^2`. Equal directions may be grouped: entry p stands for `copies[p]` of them.
#[derive(Clone, Debug, PartialEq)]
pub struct DiagonalLaw {
    sigma_squared: Vec<f64>,
    copies: Vec<u32>,
    noise_squared: f64,
    noise_copies: Vec<u32>,
}

/// Squared norms and inner products of the columns of a diagonal state, one entry for each group.
#[derive(Clone, Debug, PartialEq)]
pub struct DiagonalState<T> {
    /// `a_p = ||[K_A]_p||^2`.
    pub a: Vec<T>,
    /// `b_p = ||[K_B]_p||^2`.
    pub b: Vec<T>,
    /// `h_p = <[K_A]_p, [K_B]_p>`.
    pub h: Vec<T>,
    /// Squared norms of the noise columns of view A.
    pub noise_a: Vec<T>,
    /// Squared norms of the noise columns of view B.
    pub noise_b: Vec<T>,
}

/// What moves a diagonal state.
#[derive(Clone, Debug, PartialEq)]
pub struct DiagonalSelection<T> {
    /// `N_A^2` and `N_B^2`.
    pub normalisers_squared: [T; 2],
    /// `x_p = τ^2 h_p / (r N_A N_B)`.
    pub arguments: Vec<T>,
    /// `1 - S` at every positive pair, the same for both views.
    pub rest: T,
    /// `q_p = 2 (1 - S)(1 - tanh x_p)`; one for the non-contrastive loss.
    pub pulls: Vec<T>,
    /// `Q_0 = sum q_p h_p / (r N_A N_B)`.
    pub scalar: T,
    /// The loss.
    pub loss: T,
}

impl<T: Scalar> DiagonalState<T> {
    fn parts(&self) -> [&Vec<T>; 5] {
        [&self.a, &self.b, &self.h, &self.noise_a, &self.noise_b]
    }

    /// The state as a Gram matrix, for groups of one direction each.
    ///
    /// # Errors
    /// Lists of different lengths.
    pub fn gram(&self) -> Result<GramState<T>, MultimodalError> {
        let (r, q) = (self.a.len(), self.noise_a.len());
        let sizes = LatentSizes::new(r, q)?;
        for (what, list, expected) in [
            ("norms of view B", &self.b, r),
            ("inner products", &self.h, r),
            ("noise norms of view B", &self.noise_b, q),
        ] {
            check_size(what, list.len(), expected)?;
        }
        let d = r + q;
        let norm = |k: usize| match (k < d, k % d < r) {
            (true, true) => self.a[k],
            (true, false) => self.noise_a[k - r],
            (false, true) => self.b[k - d],
            (false, false) => self.noise_b[k - d - r],
        };
        let entry = |i: usize, j: usize| {
            if i == j {
                norm(i)
            } else if i % d == j % d && i % d < r {
                self.h[i % d]
            } else {
                T::from(0.0)
            }
        };
        GramState::new(sizes, MatrixBlock::from_fn(2 * d, 2 * d, entry))
    }

    /// The diagonal part of a Gram matrix.
    #[must_use]
    pub fn of(state: &GramState<T>) -> Self {
        let (r, d) = (state.sizes().signal(), state.sizes().latents());
        let norms = |view: View, from: usize, to: usize| (from..to).map(|k| state.squared_norm(view, k)).collect();
        DiagonalState {
            a: norms(View::A, 0, r),
            b: norms(View::B, 0, r),
            h: (0..r).map(|p| state.inner((View::A, p), (View::B, p))).collect(),
            noise_a: norms(View::A, r, d),
            noise_b: norms(View::B, r, d),
        }
    }
}

impl DiagonalLaw {
    /// Directions of strengths `σ_p^2` and `noise` noise directions of strength `σ_ξ^2`, one by one.
    ///
    /// # Errors
    /// No signal, or a strength that is not positive.
    pub fn new(sigma_squared: Vec<f64>, noise_squared: f64, noise: usize) -> Result<Self, MultimodalError> {
        let copies = vec![1; sigma_squared.len()];
        Self::grouped(sigma_squared, copies, noise_squared, vec![1; noise])
    }

    /// Groups of equal directions; a state has one entry for each group.
    ///
    /// # Errors
    /// No signal, lists of different lengths, an empty group, or a strength that is not positive.
    pub fn grouped(
        sigma_squared: Vec<f64>,
        copies: Vec<u32>,
        noise_squared: f64,
        noise_copies: Vec<u32>,
    ) -> Result<Self, MultimodalError> {
        if sigma_squared.is_empty() {
            return Err(MultimodalError::NoSignal);
        }
        check_size("sizes of groups", copies.len(), sigma_squared.len())?;
        let strengths = sigma_squared.iter().chain((!noise_copies.is_empty()).then_some(&noise_squared));
        for &s in strengths {
            check_domain("a squared strength", s, |s| s > 0.0 && s.is_finite(), "positive and finite")?;
        }
        for &c in copies.iter().chain(&noise_copies) {
            check_domain("the size of a group", f64::from(c), |c| c >= 1.0, "at least 1")?;
        }
        Ok(DiagonalLaw { sigma_squared, copies, noise_squared, noise_copies })
    }

    /// r.
    #[must_use]
    pub fn signal(&self) -> f64 {
        self.copies.iter().map(|&c| f64::from(c)).sum()
    }

    /// q.
    #[must_use]
    pub fn noise(&self) -> f64 {
        self.noise_copies.iter().map(|&c| f64::from(c)).sum()
    }

    /// `σ_p^2`, one for each group.
    #[must_use]
    pub fn sigma_squared(&self) -> &[f64] {
        &self.sigma_squared
    }

    /// The start at infinite width: `a = b = σ^2`, `h = 0`, noise columns of squared norm `σ_ξ^2`.
    #[must_use]
    pub fn infinite_width<T: Scalar>(&self) -> DiagonalState<T> {
        let signal: Vec<T> = self.sigma_squared.iter().map(|&s| T::from(s)).collect();
        let noise = vec![T::from(self.noise_squared); self.noise_copies.len()];
        DiagonalState {
            h: vec![T::from(0.0); signal.len()],
            a: signal.clone(),
            b: signal,
            noise_a: noise.clone(),
            noise_b: noise,
        }
    }

    fn check<T: Scalar>(&self, state: &DiagonalState<T>) -> Result<(), MultimodalError> {
        let (r, q) = (self.sigma_squared.len(), self.noise_copies.len());
        for (list, expected) in state.parts().into_iter().zip([r, r, r, q, q]) {
            check_size("entries of a diagonal state", list.len(), expected)?;
        }
        Ok(())
    }

    fn over<T: Scalar>(copies: &[u32], terms: impl Iterator<Item = T>) -> T {
        T::total(copies.iter().zip(terms).map(|(&c, x)| T::from(f64::from(c)) * x))
    }

    /// What moves the state: normalisers, S, the pulls `q_p`, `Q_0`, and the loss.
    ///
    /// # Errors
    /// A state of another shape, a view without output, or a parameter outside its domain.
    pub fn selection<T: Scalar>(
        &self,
        state: &DiagonalState<T>,
        objective: Objective,
    ) -> Result<DiagonalSelection<T>, MultimodalError> {
        self.check(state)?;
        objective.check()?;
        let (one, two) = (T::from(1.0), T::from(2.0));
        let square = |view: &'static str, signal: &[T], noise: &[T]| {
            let mut sum = Self::over(&self.copies, signal.iter().copied()) / T::from(self.signal());
            if !noise.is_empty() {
                sum = sum + Self::over(&self.noise_copies, noise.iter().copied()) / T::from(self.noise());
            }
            if sum.near() > 0.0 { Ok(sum) } else { Err(MultimodalError::Normaliser { view, value: sum.near() }) }
        };
        let squares = [square("A", &state.a, &state.noise_a)?, square("B", &state.b, &state.noise_b)?];
        let scale = T::from(self.signal()) * (squares[0] * squares[1]).sqrt();
        let shares: Vec<T> = state.h.iter().map(|&h| h / scale).collect();
        let agreement = Self::over(&self.copies, shares.iter().copied());
        let (arguments, rest, pulls, loss) = match objective {
            Objective::NonContrastive => (vec![T::from(0.0); shares.len()], one, vec![one; shares.len()], -agreement),
            Objective::Contrastive { tau_squared, negatives } => {
                let arguments: Vec<T> = shares.iter().map(|&s| T::from(tau_squared) * s).collect();
                // log((1 - S)/S) = log K + sum of (log cosh x - x), and log cosh x - x = log(1 + e^{-2x}) - log 2.
                let mean_exponential = |&x: &T| (-(two * x)).softplus() - T::from(1.0).ln_1p();
                let odds = Self::over(&self.copies, arguments.iter().map(mean_exponential));
                let odds = odds + (T::from(negatives) - one).ln_1p();
                let rest = odds.sigmoid();
                // 1 − tanh x = 2/(1 + e^{2x}) loses no digits where x is large.
                let pulls = arguments.iter().map(|&x| two * two * rest * (-(two * x)).sigmoid()).collect();
                (arguments, rest, pulls, two * odds.softplus())
            }
        };
        let scalar = Self::over(&self.copies, pulls.iter().zip(&shares).map(|(&q, &s)| q * s));
        Ok(DiagonalSelection { normalisers_squared: squares, arguments, rest, pulls, scalar, loss })
    }

    /// The velocity of the state (in the same layout).
    ///
    /// # Errors
    /// See [`DiagonalLaw::selection`].
    pub fn velocity<T: Scalar>(
        &self,
        state: &DiagonalState<T>,
        objective: Objective,
    ) -> Result<DiagonalState<T>, MultimodalError> {
        let by = self.selection(state, objective)?;
        let [na, nb] = by.normalisers_squared;
        let (both, two) = ((na * nb).sqrt(), T::from(2.0));
        let sigma = |p: usize| T::from(self.sigma_squared[p]);
        let groups = 0..self.sigma_squared.len();
        let norm = |own: &[T], square: T, p: usize| {
            two * sigma(p) * (by.pulls[p] * state.h[p] / both - by.scalar * own[p] / square)
        };
        let inner = |p: usize| {
            let pull = by.pulls[p] * (state.a[p] + state.b[p]) / both;
            sigma(p) * (pull - by.scalar * state.h[p] * (T::from(1.0) / na + T::from(1.0) / nb))
        };
        let decay = |noise: &[T], square: T| {
            let rate = |&n: &T| {
                -(two * T::from(self.noise_squared) * T::from(self.signal()) / T::from(self.noise()) * by.scalar * n
                    / square)
            };
            noise.iter().map(rate).collect()
        };
        Ok(DiagonalState {
            a: groups.clone().map(|p| norm(&state.a, na, p)).collect(),
            b: groups.clone().map(|p| norm(&state.b, nb, p)).collect(),
            h: groups.map(inner).collect(),
            noise_a: decay(&state.noise_a, na),
            noise_b: decay(&state.noise_b, nb),
        })
    }

    /// Follows the flow from `start` at time 0 to the increasing `times`, to a `tolerance` per step relative to the
    /// largest entry of the start: the states, and the estimated error of an entry ([`Solution::error`]). Noise norms fall
    /// exponentially and are followed by their logarithms, whose error counts.
    ///
    /// # Errors
    /// Times that do not increase from 0 on, a tolerance that is not positive or finer than doubles, or what
    /// [`DiagonalLaw::selection`] refuses.
    ///
    /// [`Solution::error`]: enclosures::initial_value::Solution::error
    pub fn orbit(
        &self,
        start: &DiagonalState<f64>,
        objective: Objective,
        times: &[f64],
        tolerance: f64,
    ) -> Result<(Vec<DiagonalState<f64>>, f64), MultimodalError> {
        self.check(start)?;
        let (r, q) = (self.sigma_squared.len(), self.noise_copies.len());
        let fallen = |from: &[f64], logs: &[f64]| -> Vec<f64> {
            from.iter().zip(logs).map(|(n, x)| n * core_math::exp(*x)).collect()
        };
        let unpack = |x: &[f64]| DiagonalState {
            a: x[..r].to_vec(),
            b: x[r..2 * r].to_vec(),
            h: x[2 * r..3 * r].to_vec(),
            noise_a: fallen(&start.noise_a, &x[3 * r..3 * r + q]),
            noise_b: fallen(&start.noise_b, &x[3 * r + q..]),
        };
        // All noise norms of a view fall at one rate; one that is zero stays so.
        let rate = |noise: &[f64], velocity: &[f64]| {
            let moving = noise.iter().zip(velocity).find(|(n, _)| **n > 0.0);
            moving.map_or(0.0, |(n, v)| v / n)
        };
        let velocity = |x: &[f64]| -> Result<Vec<f64>, MultimodalError> {
            let state = unpack(x);
            let moved = self.velocity(&state, objective)?;
            let rates = [rate(&state.noise_a, &moved.noise_a), rate(&state.noise_b, &moved.noise_b)];
            let noise = rates.into_iter().flat_map(|v| std::iter::repeat_n(v, q));
            Ok([moved.a, moved.b, moved.h].into_iter().flatten().chain(noise).collect())
        };
        let signal = [&start.a, &start.b, &start.h].into_iter().flatten().copied();
        let packed: Vec<f64> = signal.chain(std::iter::repeat_n(0.0, 2 * q)).collect();
        let solution = autonomous(velocity, &packed, times, tolerance)?;
        Ok((solution.states.iter().map(|x| unpack(x)).collect(), solution.error))
    }
}

/// Equation (8), the noiseless case of equal norms at infinite width: `(d κ_p^2/dt, d κ̂_p^2/dt)` for every p, with
/// `κ_p^2 = ||[K_A]_p||^2 = ||[K_B]_p||^2` and `κ̂_p^2 = <[K_A]_p, [K_B]_p>` (a signed number).
///
/// # Errors
/// Lists of different lengths, a strength that is not positive, or a parameter outside its domain.
pub fn noiseless_velocity<T: Scalar>(
    sigma_squared: &[f64],
    kappa_squared: &[T],
    kappa_hat_squared: &[T],
    tau_squared: f64,
    negatives: f64,
) -> Result<Vec<(T, T)>, MultimodalError> {
    let law = DiagonalLaw::new(sigma_squared.to_vec(), 1.0, 0)?;
    let state = DiagonalState {
        a: kappa_squared.to_vec(),
        b: kappa_squared.to_vec(),
        h: kappa_hat_squared.to_vec(),
        noise_a: Vec::new(),
        noise_b: Vec::new(),
    };
    let by = law.selection(&state, Objective::Contrastive { tau_squared, negatives })?;
    let norm = T::total(kappa_squared.iter().copied());
    let hat_norm = T::total(kappa_hat_squared.iter().copied());
    let tanh: Vec<T> = by.arguments.iter().map(|x| x.tanh()).collect();
    let tilted = T::total(kappa_hat_squared.iter().zip(&tanh).map(|(&k, &t)| k * t)) / norm;
    let mean = hat_norm / norm;
    let one = |p: usize| {
        let rate = T::from(4.0) * by.rest * T::from(sigma_squared[p]) / by.normalisers_squared[0];
        let (k, h, t) = (kappa_squared[p], kappa_hat_squared[p], tanh[p]);
        let norm_rate = rate * (h - mean * k) - rate * (h * t - tilted * k);
        (norm_rate, rate * (k - mean * h) - rate * (k * t - tilted * h))
    };
    Ok((0..sigma_squared.len()).map(one).collect())
}
