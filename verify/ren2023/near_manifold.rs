//! States near the diagonal manifold: every column of one view is nearly orthogonal to the columns of the other one that
//! are not its partner.
//!
//! Along C(t) = diag M + tB, t ∈ [0, 1], the exponents τ²⟨f_A, f_B⟩ move by t·δ with |δ| ≤ Δ. The residuals of first-order formulas are
//! bounded by Δ² with absolute constants, whatever the sizes, norms, τ and K. Write μ = E_wδ, v = Var_wδ ≤ Δ² − μ²
//! for a tilted mean.
//! - S = sigmoid(φ), φ' = δ⁺ − μ, φ'' = −v, so S'' = S(1−S)((1−2S)φ'² − v), |φ'| ≤ Δ + |μ|. With y = |1−2S| the bracket is at
//!   most Δ²/(1−y) for y ≤ 1/2 and 4yΔ² beyond, S(1−S) = (1−y²)/4, hence |S''| ≤ 2Δ²/(3√3).
//! - For |g| ≤ 1, P = (1−S)E_w g has |P'| ≤ (1−S)(S(Δ+|μ|) + √v) ≤ (1−S)(S + √(1+S²))Δ ≤ Δ, and
//!   |P''| ≤ |S''| + (Δ+|μ|)√v/2 + 2v ≤ 0.385Δ² + 0.65Δ² + 2Δ².
//! - An entry of Q is r|y_B y_A| times E[2−S_A−S_B] minus two such P: |Q'| ≤ 3Δ, and a half of |Q''| is at most 3.5Δ².
//! - τ²Q_0 is the same sum over Ω times the exponents themselves, at most X + Δ with X = Σ|x_p|: half of its second derivative
//!   is at most (3.5(X+Δ) + 3)Δ².

use contrapositive::claim::{Evaluation, Family, MeasureError, at_least, at_most, edge, random, vacuous};
use contrapositive::instance::Instance;
use contrapositive::interval::{Dual, Interval};
use contrapositive::multimodal::{Block, Enumeration, LatentSizes, Scalar, observed_orders};
use proptest::collection::vec;
use proptest::sample::select;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

/// Norms and cosines of a state. Cosines of different columns of one view are free: neither loss nor velocity of the norms
/// contains them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NearManifold {
    pub signal: usize,
    pub noise: usize,
    /// σ_p² and σ_ξ², which only move the norms.
    pub sigma_squared: Vec<f64>,
    pub noise_squared: f64,
    /// Squared column norms of [K_A | K_{A,ξ}] and [K_B | K_{B,ξ}].
    pub norms: [Vec<f64>; 2],
    /// ρ_p.
    pub correlation: Vec<f64>,
    /// Cosines of column i of A and column j of B over ε, row by row; places (p, p) of the signal are not read.
    pub cosines: Vec<f64>,
    /// ε.
    pub size: f64,
    pub tau_squared: f64,
    pub negatives: f64,
}

impl Instance for NearManifold {
    fn describe(&self) -> String {
        format!(
            "r = {}, q = {}, squared norms {:?} and {:?}, ρ = {:?}, other cosines {} · {:?}, σ² = {:?}, σ_ξ² = {}, τ² = {}, K = {}",
            self.signal,
            self.noise,
            self.norms[0],
            self.norms[1],
            self.correlation,
            self.size,
            self.cosines,
            self.sigma_squared,
            self.noise_squared,
            self.tau_squared,
            self.negatives
        )
    }

    fn validate(&self) -> Result<(), String> {
        let (r, d) = (self.signal, self.latents());
        if r == 0 || d > 5 {
            return Err("there is no signal, or r + q is beyond 5".into());
        }
        let lengths = [
            self.norms[0].len(),
            self.norms[1].len(),
            self.sigma_squared.len(),
            self.correlation.len(),
        ];
        if lengths != [d, d, r, r] || self.cosines.len() != d * d {
            return Err("a list has the wrong length".into());
        }
        let positive = |x: f64| (1e-4..=1e4).contains(&x);
        let strengths = self
            .sigma_squared
            .iter()
            .chain(&self.norms[0][..r])
            .chain(&self.norms[1][..r]);
        if !strengths.chain([&self.noise_squared]).all(|&x| positive(x)) || !(1e-12..=1e4).contains(&self.negatives) {
            return Err("a strength or a norm is not between 1e-4 and 1e4, or K beyond them and 1e-12".into());
        }
        if !self.norms.iter().flatten().all(|x| (0.0..=1e4).contains(x)) {
            return Err("a noise norm is not between 0 and 1e4".into());
        }
        if !(1e-4..=100.0).contains(&self.tau_squared) || !(0.0..=1.0).contains(&self.size) {
            return Err("τ² is not between 1e-4 and 100, or ε not between 0 and 1".into());
        }
        if self
            .correlation
            .iter()
            .chain(&self.cosines)
            .all(|c| (-1.0..=1.0).contains(c))
        {
            Ok(())
        } else {
            Err("a cosine is not between -1 and 1".into())
        }
    }
}

impl NearManifold {
    /// σ = 1, noise columns of squared norm 0.3, ρ = 1/2, τ² = 2, K = 1.
    pub fn of(signal: &[f64], noise: usize, size: f64, cosines: &[f64]) -> Self {
        let norms: Vec<f64> = signal.iter().copied().chain(std::iter::repeat_n(0.3, noise)).collect();
        NearManifold {
            signal: signal.len(),
            noise,
            sigma_squared: vec![1.0; signal.len()],
            noise_squared: 0.5,
            norms: [norms.clone(), norms],
            correlation: vec![0.5; signal.len()],
            cosines: cosines.to_vec(),
            size,
            tau_squared: 2.0,
            negatives: 1.0,
        }
    }

    pub fn at(mut self, tau_squared: f64, negatives: f64) -> Self {
        (self.tau_squared, self.negatives) = (tau_squared, negatives);
        self
    }

    pub fn correlated(mut self, correlation: &[f64]) -> Self {
        self.correlation = correlation.to_vec();
        self
    }

    /// Other norms and strengths of view B.
    pub fn unequal(mut self, norms_b: &[f64], sigma_squared: &[f64]) -> Self {
        self.norms[1] = norms_b.to_vec();
        self.sigma_squared = sigma_squared.to_vec();
        self
    }

    pub fn latents(&self) -> usize {
        self.signal + self.noise
    }

    /// The cosine of column i of A and column j of B beside the diagonal of the signal.
    pub fn cosine(&self, i: usize, j: usize) -> Interval {
        if i == j && i < self.signal {
            Interval::ZERO
        } else {
            Interval::point(self.cosines[i * self.latents() + j]) * self.size
        }
    }

    /// Whether such columns exist. With orthogonal columns in each view they do if the matrix of cosines has norm at most one,
    /// for which row and column sums suffice; with K_A = K_B up to lengths, if it is symmetric and diagonally dominant.
    pub fn has_columns(&self) -> bool {
        let (r, d) = (self.signal, self.latents());
        let rho = |i: usize| self.correlation.get(i).map_or(0.0, |c| c.abs());
        let row = |i: usize| (0..d).map(|j| self.cosine(i, j).magnitude()).sum::<f64>();
        let column = |j: usize| (0..d).map(|i| self.cosine(i, j).magnitude()).sum::<f64>();
        let orthogonal = (0..d).all(|i| rho(i) + row(i).max(column(i)) <= 1.0);
        let pairs = || (0..d).flat_map(|i| (0..d).map(move |j| (i, j)));
        let same = self.correlation.iter().all(|&c| c == 1.0)
            && pairs().all(|(i, j)| self.cosine(i, j) == self.cosine(j, i))
            && pairs().all(|(i, j)| i.min(j) < r || self.cosine(i, j) == Interval::ZERO)
            && (0..d).all(|i| row(i) <= 0.5 - self.cosine(i, i).magnitude());
        orthogonal || same
    }

    /// Whether no cosine of signals, and none with noise, differs from zero beside the diagonal.
    pub fn bends(&self) -> (bool, bool) {
        let d = self.latents();
        let mut found = (false, false);
        for (i, j) in (0..d).flat_map(|i| (0..d).map(move |j| (i, j))) {
            if self.cosine(i, j) != Interval::ZERO {
                if i.max(j) < self.signal {
                    found.0 = true
                } else {
                    found.1 = true
                }
            }
        }
        found
    }
}

/// Terms of Q: that of the positive pair, that of the negatives of B, that of the negatives of A.
pub struct Terms<T> {
    pub positive: Block<T>,
    pub negative_b: Block<T>,
    pub negative_a: Block<T>,
}

impl<T: Scalar> Terms<T> {
    fn of(e: &Enumeration<T>) -> Self {
        let (n, zero) = (e.states(), T::from(0.0));
        let (mut alpha, mut beta, mut positive) = (vec![zero; n], vec![zero; n], vec![zero; n * n]);
        for (i, j) in e.positive_pairs() {
            let (a, b) = (e.rest_a(i, j), e.rest_b(i, j));
            alpha[i] = alpha[i] + a;
            beta[j] = beta[j] + b;
            positive[i * n + j] = a + b;
        }
        let (p, count) = (T::from(e.pair_probability()), T::count(n));
        let matrix = |pull: &dyn Fn(usize, usize) -> T| e.matrix_of(&Block::from_fn(n, n, |i, j| p * pull(i, j)));
        Terms {
            positive: matrix(&|i, j| positive[i * n + j]),
            negative_b: matrix(&|i, j| alpha[i] * e.tilt_a(i, j) / count),
            negative_a: matrix(&|i, j| beta[j] * e.tilt_b(i, j) / count),
        }
    }

    /// Q itself.
    pub fn q(&self, row: usize, column: usize) -> T {
        self.positive.at(row, column) - self.negative_b.at(row, column) - self.negative_a.at(row, column)
    }
}

/// What the claims compare at one state.
pub struct Near {
    pub sizes: LatentSizes,
    /// All latent states at ε.
    pub at: Enumeration<Interval>,
    pub terms: Terms<Interval>,
    /// Q_0 at ε.
    pub scalar: Interval,
    /// The same as functions of t at t = 0, with their derivatives.
    pub start: Enumeration<Dual<1>>,
    pub start_terms: Terms<Dual<1>>,
    pub start_scalar: Dual<1>,
    /// τ² times C beside its diagonal: E, m_{AξB}, m_{ξAB}, m_{ξξ}; rows belong to view A.
    pub bend: Block<Interval>,
    /// Δ, the largest change of an exponent.
    pub change: Interval,
    /// C_pp and x_p.
    pub diagonal: Vec<Interval>,
    pub x: Vec<Interval>,
    /// T_p and 1 − T_p for p < r; 0 and 1 for a noise coordinate.
    pub tilt: Vec<Interval>,
    pub gap: Vec<Interval>,
    /// S̄ and 1 − S̄.
    pub chosen: Interval,
    pub rest: Interval,
    /// N_A², N_B² and N_A N_B.
    pub squares: [Interval; 2],
    pub normalisers: Interval,
}

fn largest_change(bend: &Block<Interval>, sizes: LatentSizes) -> Interval {
    let d = bend.rows();
    let root = |k: usize| sizes.variance::<Interval>(k).sqrt();
    let scaled = Block::from_fn(d, d, |i, j| bend.at(i, j) * root(i) * root(j));
    let over = |s: usize| -> Interval {
        let signed = |i: usize, j: usize| {
            if s >> i & 1 == 1 {
                -scaled.at(i, j)
            } else {
                scaled.at(i, j)
            }
        };
        (0..d)
            .map(|j| (0..d).map(|i| signed(i, j)).sum::<Interval>().abs())
            .sum()
    };
    (0..1usize << d).map(over).fold(Interval::ZERO, Interval::max)
}

impl Near {
    pub fn of(s: &NearManifold) -> Result<Near, MeasureError> {
        let (r, d) = (s.signal, s.latents());
        let sizes = LatentSizes::new(r, s.noise)?;
        let square = |list: &[f64]| -> Interval {
            let part = |from: usize, to: usize| -> Interval { (from..to).map(|k| Interval::point(list[k])).sum() };
            let signal = part(0, r) / r as f64;
            if s.noise == 0 {
                signal
            } else {
                signal + part(r, d) / s.noise as f64
            }
        };
        let squares = [square(&s.norms[0]), square(&s.norms[1])];
        let normalisers = (squares[0] * squares[1]).sqrt();
        let length = |i: usize, j: usize| (Interval::point(s.norms[0][i]) * s.norms[1][j]).sqrt() / normalisers;
        let diagonal: Vec<Interval> = (0..r).map(|p| length(p, p) * s.correlation[p]).collect();
        let tau = Interval::point(s.tau_squared);
        let off = Block::from_fn(d, d, |i, j| length(i, j) * s.cosine(i, j));
        let straight = |i: usize, j: usize| if i == j && i < r { diagonal[i] } else { Interval::ZERO };
        let cross = Block::from_fn(d, d, |i, j| straight(i, j) + off.at(i, j));
        let line = Block::from_fn(d, d, |i, j| Dual::<1> {
            value: straight(i, j),
            slopes: [off.at(i, j)],
            defined: true,
        });
        let at = Enumeration::new(sizes, &cross, s.tau_squared, s.negatives)?;
        let start = Enumeration::new(sizes, &line, s.tau_squared, s.negatives)?;
        let x: Vec<Interval> = diagonal.iter().map(|&c| tau * c / r as f64).collect();
        let odds = Interval::point(s.negatives).ln()
            + x.iter()
                .map(|&x| (-2.0 * x).softplus() - Interval::ONE.ln_1p())
                .sum::<Interval>();
        let fill = |signal: Vec<Interval>, value: f64| {
            let noise = std::iter::repeat_n(Interval::point(value), s.noise);
            signal.into_iter().chain(noise).collect::<Vec<_>>()
        };
        let bend = off.scaled(tau);
        Ok(Near {
            sizes,
            terms: Terms::of(&at),
            scalar: at.scalar_of(&at.pulls()),
            start_terms: Terms::of(&start),
            start_scalar: start.scalar_of(&start.pulls()),
            change: largest_change(&bend, sizes),
            tilt: fill(x.iter().map(|x| x.tanh()).collect(), 0.0),
            gap: fill(x.iter().map(|&x| 2.0 * (-2.0 * x).sigmoid()).collect(), 1.0),
            chosen: (-odds).sigmoid(),
            rest: odds.sigmoid(),
            at,
            start,
            bend,
            diagonal,
            x,
            squares,
            normalisers,
        })
    }

    /// `y_k` of a latent state.
    pub fn latent(&self, k: usize, state: usize) -> Interval {
        let root = self.sizes.variance::<Interval>(k).sqrt();
        if state >> k & 1 == 1 { -root } else { root }
    }

    /// Largest absolute value over the positive pairs.
    pub fn worst(&self, f: impl Fn(usize, usize) -> Interval) -> Interval {
        let values = self.at.positive_pairs().map(|(i, j)| f(i, j).abs());
        values.fold(Interval::ZERO, Interval::max)
    }

    /// S̄(1−S̄) Σ B_kl y_k y_l weight(k, l) at the pair (i, j), B the bend.
    pub fn first_order(&self, i: usize, j: usize, weight: impl Fn(usize, usize) -> Interval) -> Interval {
        let d = self.bend.rows();
        let places = (0..d).flat_map(|k| (0..d).map(move |l| (k, l)));
        let sum: Interval = places
            .filter(|&(k, l)| self.bend.at(k, l) != Interval::ZERO)
            .map(|(k, l)| self.bend.at(k, l) * self.latent(k, i) * self.latent(l, j) * weight(k, l))
            .sum();
        self.chosen * self.rest * sum
    }

    /// X = Σ|x_p|.
    pub fn total(&self) -> Interval {
        self.x.iter().map(|x| x.abs()).sum()
    }

    /// (1−S̄)Δ, the size of a first-order change.
    pub fn first_size(&self) -> f64 {
        (self.rest * self.change).hi()
    }
}

/// Whether the residual of S is at most Δ²/(3√3), the best constant.
pub fn within_selection_bound(q: &Near, residual: Interval) -> Evaluation {
    at_most(residual, q.change.square() / (3.0 * Interval::point(3.0).sqrt())).on_scale(1.0)
}

/// Whether the residual of an entry of Q, over r|y_B y_A|, is at most 7Δ²/2.
pub fn within_entry_bound(q: &Near, residual: Interval) -> Evaluation {
    at_most(residual.abs(), 3.5 * q.change.square()).on_scale(1.0)
}

/// Exponents in ε of a residual between five halvings from the state's own ε; none if the residual is zero to rounding.
pub fn orders(s: &NearManifold, residual: impl Fn(f64) -> Result<Interval, MeasureError>) -> Option<Vec<f64>> {
    // Residuals of states with second-order terms stay above 1e-11 down to the last halving.
    let above_rounding = |x: f64| if x > 1e-12 { x } else { 0.0 };
    observed_orders(
        |size| residual(size).map_or(f64::NAN, |x| above_rounding(x.midpoint())),
        s.size,
        5,
    )
}

/// The same of a residual that is read off the state.
pub fn state_orders(s: &NearManifold, residual: impl Fn(&Near) -> Interval) -> Option<Vec<f64>> {
    orders(s, |size| Ok(residual(&Near::of(&NearManifold { size, ..s.clone() })?)))
}

/// Whether the last exponent is at least `order`, to within a tenth.
pub fn falls_like(orders: &Option<Vec<f64>>, order: f64) -> Evaluation {
    match orders.as_deref() {
        Some(list @ [.., last]) => at_least(*last, order - 0.1)
            .as_trend()
            .noting(format!("exponents {list:.2?}")),
        _ => vacuous("the residual is zero"),
    }
}

/// Which cosines are not zero.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Bend {
    Signal,
    Noise,
    Both,
}

impl Bend {
    fn keep(self, mut s: NearManifold) -> NearManifold {
        let (r, d) = (s.signal, s.latents());
        for (place, c) in s.cosines.iter_mut().enumerate() {
            let signal = (place / d).max(place % d) < r;
            if self == Bend::Signal && !signal || self == Bend::Noise && signal {
                *c = 0.0;
            }
        }
        s
    }
}

/// Generic states, whose residuals have a second-order term.
pub fn generic() -> Vec<(&'static str, NearManifold)> {
    let of = NearManifold::of;
    let three = [0.0, 0.5, -0.3, 0.9, 0.0, 0.4, -0.6, 0.2, 0.7];
    let four = [
        0.0, 0.5, -0.3, 0.2, 0.9, 0.0, 0.4, -0.7, -0.6, 0.2, 0.3, 0.8, 0.1, -0.4, 0.6, 0.5,
    ];
    vec![
        ("r = 2, q = 1", of(&[2.0, 1.0], 1, 0.05, &three).correlated(&[0.8, 0.6])),
        ("r = 1, q = 2", of(&[1.5], 2, 0.05, &three).at(3.0, 0.5)),
        (
            "r = 2, q = 2",
            of(&[1.0, 0.5], 2, 0.05, &four).correlated(&[0.9, 0.7]).at(4.0, 2.0),
        ),
        (
            "r = 3, q = 1",
            of(&[1.0, 0.5, 2.0], 1, 0.05, &four)
                .correlated(&[0.9, 0.7, 0.3])
                .at(2.5, 1.0),
        ),
        (
            "unequal views",
            of(&[4.0, 2.0], 2, 0.05, &four)
                .unequal(&[1.0, 0.7, 0.2, 0.1], &[3.0, 1.0])
                .at(2.0, 0.3),
        ),
    ]
}

fn special() -> Vec<(&'static str, NearManifold)> {
    let of = NearManifold::of;
    let five: Vec<f64> = (0..25).map(|k| f64::from((k * 7 + 3) % 11 - 5) / 16.0).collect();
    vec![
        ("one direction, no noise", of(&[1.0], 0, 0.1, &[0.0])),
        ("no perturbation", of(&[2.0, 1.0], 0, 0.0, &[0.0, 1.0, 1.0, 0.0])),
        (
            "E symmetric",
            of(&[2.0, 1.0], 0, 0.01, &[0.0, 1.0, 1.0, 0.0]).correlated(&[0.9, 0.9]),
        ),
        (
            "E antisymmetric",
            of(&[2.0, 1.0], 0, 0.01, &[0.0, 1.0, -1.0, 0.0]).correlated(&[0.9, 0.5]),
        ),
        (
            "one entry of E",
            of(&[2.0, 1.0], 0, 1e-3, &[0.0, 1.0, 0.0, 0.0]).correlated(&[0.9, 0.1]),
        ),
        (
            "aligned, κ² = (4, 1)",
            of(&[4.0, 1.0], 1, 0.01, &[0.0, 1.0, 0.5, 1.0, 0.0, -0.5, 0.5, -0.5, 0.0]).correlated(&[1.0, 1.0]),
        ),
        (
            "aligned and cold",
            of(&[1.0, 1.0], 0, 1e-3, &[0.0, 1.0, 1.0, 0.0])
                .correlated(&[1.0, 1.0])
                .at(30.0, 1.0),
        ),
        (
            "opposed",
            of(&[1.0, 2.0], 0, 0.1, &[0.0, 1.0, -0.5, 0.0])
                .correlated(&[-0.8, -0.6])
                .at(3.0, 0.2),
        ),
        (
            "uncorrelated",
            of(&[1.0, 2.0], 1, 0.1, &[0.0, 1.0, 0.3, -0.5, 0.0, 0.2, 0.6, 0.1, 0.9]).correlated(&[0.0, 0.0]),
        ),
        (
            "hot",
            of(&[2.0, 1.0], 1, 0.05, &[0.0, 0.5, -0.3, 0.9, 0.0, 0.4, -0.6, 0.2, 0.7]).at(0.01, 10.0),
        ),
        (
            "cold and bent far",
            of(&[1.0, 1.0], 1, 0.3, &[0.0, 0.9, 0.0, 0.9, 0.0, 0.0, 0.0, 0.0, 1.0])
                .correlated(&[0.7, 0.7])
                .at(100.0, 0.1),
        ),
        (
            "only noise against noise",
            of(&[1.0], 1, 0.05, &[0.0, 0.0, 0.0, 1.0]).at(2.5, 2.0),
        ),
        (
            "K_A ten times K_B",
            of(&[100.0, 50.0], 1, 0.01, &[0.0, 1.0, 1.0, -1.0, 0.0, 1.0, 1.0, 1.0, 1.0])
                .unequal(&[1.0, 0.5, 0.3], &[2.0, 1.0]),
        ),
        (
            "r = 3, q = 2",
            of(&[3.0, 2.0, 1.0], 2, 0.05, &five).correlated(&[0.8, 0.5, -0.3]),
        ),
        (
            "r = 4, q = 1",
            of(&[3.0, 2.0, 1.0, 0.5], 1, 0.05, &five)
                .correlated(&[0.8, 0.5, 0.9, 0.0])
                .at(6.0, 1.0),
        ),
    ]
}

fn strategy() -> impl Strategy<Value = NearManifold> {
    let sizes = select(&[(1usize, 1usize), (1, 2), (2, 0), (2, 1), (2, 2), (3, 0), (3, 1), (4, 0)][..]);
    let constants = (
        -11.0..-1.5f64,
        -4.0..3.0f64,
        -2.3..2.3f64,
        proptest::bool::weighted(0.3),
    );
    (sizes, constants).prop_flat_map(|((signal, noise), (size, tau, k, aligned))| {
        let d = signal + noise;
        let norms = move || vec(-1.5..1.5f64, d);
        let rest = (
            vec(-0.9..0.9f64, signal),
            vec(-1.0..1.0f64, d * d),
            vec(-1.5..1.5f64, signal),
            -1.5..1.5f64,
        );
        (norms(), norms(), rest).prop_map(move |(a, b, (correlation, mut cosines, sigma, noise_squared))| {
            let exp = |x: &f64| Interval::point(*x).exp().midpoint();
            if aligned {
                for (i, j) in (0..d).flat_map(|i| (0..i).map(move |j| (i, j))) {
                    cosines[i * d + j] = if j < signal { cosines[j * d + i] } else { 0.0 };
                    cosines[j * d + i] = cosines[i * d + j];
                }
                for k in 0..d {
                    cosines[k * d + k] = 0.0;
                }
            }
            NearManifold {
                signal,
                noise,
                sigma_squared: sigma.iter().map(exp).collect(),
                noise_squared: exp(&noise_squared),
                norms: [a.iter().map(exp).collect(), b.iter().map(exp).collect()],
                correlation: if aligned {
                    vec![1.0; signal]
                } else {
                    correlation.iter().map(|c| c.abs().max(*c)).collect()
                },
                cosines: cosines.iter().map(|c| c / d as f64).collect(),
                size: exp(&size).min(0.09),
                tau_squared: exp(&tau),
                negatives: exp(&k),
            }
        })
    })
}

/// Hand-picked and random states with these cosines.
pub fn families(bend: Bend) -> [Family<NearManifold>; 3] {
    let kept = move |list: Vec<(&'static str, NearManifold)>| -> Vec<_> {
        list.into_iter().map(|(name, s)| (name, bend.keep(s))).collect()
    };
    [
        edge("generic", move || kept(generic())),
        edge("named", move || kept(special())),
        random("near the manifold", move || strategy().prop_map(move |s| bend.keep(s))).taking(0.5),
    ]
}

/// The generic states alone, for exponents.
pub fn generic_family(bend: Bend) -> Family<NearManifold> {
    edge("generic", move || {
        generic().into_iter().map(|(name, s)| (name, bend.keep(s))).collect()
    })
}
