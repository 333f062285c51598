//! The Q-matrices of a state at a high temperature, that is a small inverse temperature t = τ², and their expansion
//! at t = 0.
//!
//! Everything is a function of tC, C = [K_A | K_{A,ξ}]^T [K_B | K_{B,ξ}]/(N_A N_B), so that values and derivatives at
//! t = 0 come from one enumeration in numbers that carry ∂/∂t. All these functions are analytic in t: "= first order
//! + O(τ⁴)" is the identity of both coefficients, and remainders have explicit bounds.
//!
//! *The bounds.* Let |⟨f_A, f_B⟩| ≤ B, ℓ = log((1 − S)/S). Then |ℓ'| ≤ 2B, 0 ≤ ℓ'' ≤ B² (a variance of numbers in
//! [−B, B]), |σ'| ≤ 1/4 and |σ''| ≤ 1/(6√3) give |(1 − S)'| ≤ B/2 and |(1 − S)''| ≤ (2/(3√3) + 1/4)B² < 0.635B². A
//! tilt w has E|w'| ≤ B and E|w''| ≤ 2B². An entry of Q is r E[...] of products of two coordinates of sizes √v_k,
//! √v_l (v = 1/r or 1/q), so with s_kl = r√(v_k v_l): |Q'_kl| ≤ (1 + 2(1/2 + 1))B s_kl = 4B s_kl and |Q''_kl| ≤
//! (2·0.635 + 2(0.635 + 1 + 2))B² s_kl < 8.6B² s_kl. In Q_0 the product is ⟨f_A, f_B⟩, of size B instead of s_kl.

use enclosures::interval::Dual;
use evidence::prelude::*;
use serde::{Deserialize, Serialize};
use two_view::{Enumeration, Features, LatentSizes, MatrixBlock, Scalar, signs};

/// What is given of the expansions of Q.
pub const REMAINDER: &str = "N_A, N_B > 0; B = max |⟨f_A, f_B⟩|, c_K = 2K/(1+K), Ψ = tr M/r; the remainder is what is left of a quantity after \
                             its terms in τ⁰ and τ² in the statement; value and slope in τ² at τ = 0 are with 0 in place of the instance's τ²";

/// Half of the bound of Q''.
pub const SECOND_ORDER: f64 = 4.3;

/// Features 𝐊 = [K_A | K_{A,ξ} | K_B | K_{B,ξ}] by rows, τ² and K.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(
    describe = "r = {signal}, q = {noise}, m = {m}, τ² = {tau_squared}, K = {negatives}, 𝐊 = {rows:?}",
    valid = Self::fits,
    simpler = Self::without_a_row,
    stored
)]
pub struct HighTemperature {
    #[instance(range = "1..=5")]
    pub signal: usize,
    #[instance(range = "0..=4")]
    pub noise: usize,
    #[instance(length = "m in 1..", range = "-1e3..=1e3")]
    pub rows: Vec<Vec<f64>>,
    #[instance(range = "0..=4")]
    pub tau_squared: f64,
    #[instance(range = "1e-3..=1e3", scale = "logarithmic")]
    pub negatives: f64,
}

impl HighTemperature {
    fn fits(&self) -> Result<(), String> {
        let d = self.signal + self.noise;
        if d > 5 || self.rows[0].len() != 2 * d {
            return Err(format!("a row has {} entries where r + q = {d}, at most 5", self.rows[0].len()));
        }
        let normaliser = |view: usize| entries_of(&self.rows, view * d, d).any(|x| x.abs() > 1e-3);
        if normaliser(0) && normaliser(1) { Ok(()) } else { Err("a view without output".into()) }
    }

    fn without_a_row(&self) -> Vec<Self> {
        let without = |drop: usize| {
            let mut less = self.clone();
            less.rows.remove(drop);
            less
        };
        (0..self.rows.len()).map(without).collect()
    }
}

fn entries_of(rows: &[Vec<f64>], from: usize, count: usize) -> impl Iterator<Item = f64> + '_ {
    rows.iter().flat_map(move |row| row[from..from + count].iter().copied())
}

type Numbers = MatrixBlock<Interval>;

/// A state's expansion at τ = 0 and its values at τ².
pub struct Expansion {
    pub sizes: LatentSizes,
    /// τ² and K.
    pub tau_squared: Interval,
    pub negatives: Interval,
    /// C.
    pub cross: Numbers,
    /// B = max |⟨f_A, f_B⟩|.
    pub bound: Interval,
    /// Everything at τ².
    pub at: Enumeration<Interval>,
    /// Everything at τ = 0, with ∂/∂τ².
    pub start: Enumeration<Dual<1>>,
    /// Q at τ², and at τ = 0.
    pub matrix: Numbers,
    pub matrix_start: MatrixBlock<Dual<1>>,
    /// Q_0 at τ², at τ = 0, and ∂Q_0/∂τ² at τ = 0.
    pub scalar: Interval,
    pub scalar_start: Interval,
    pub scalar_slope: Interval,
}

fn cross_of<T: Scalar>(s: &HighTemperature) -> Result<(LatentSizes, MatrixBlock<T>), MeasureError> {
    let sizes = LatentSizes::new(s.signal, s.noise)?;
    let stacked = MatrixBlock::from_fn(s.rows.len(), 2 * sizes.latents(), |i, j| T::from(s.rows[i][j]));
    Ok((sizes, Features::new(sizes, stacked)?.gram().cross()?))
}

/// Both, by enumeration.
pub fn expand(s: &HighTemperature) -> Result<Expansion, MeasureError> {
    let (sizes, cross) = cross_of::<Interval>(s)?;
    let at = Enumeration::new(sizes, &cross, s.tau_squared, s.negatives)?;
    let moving = cross.map(|c| Dual { value: Interval::ZERO, slopes: [c], defined: true });
    let start = Enumeration::new(sizes, &moving, 1.0, s.negatives)?;
    let (pulls, first) = (at.pulls(), start.pulls());
    let n = at.states();
    let over = |f: &dyn Fn(usize, usize) -> Interval| -> Interval { (0..n * n).map(|k| f(k / n, k % n)).sum() };
    Ok(Expansion {
        sizes,
        tau_squared: Interval::point(s.tau_squared),
        negatives: Interval::point(s.negatives),
        bound: (0..n * n).fold(Interval::ZERO, |b, k| b.max(at.similarity(k / n, k % n).abs())),
        scalar: at.scalar_of(&pulls),
        scalar_start: over(&|i, j| first.at(i, j).value * at.similarity(i, j)),
        scalar_slope: over(&|i, j| first.at(i, j).slopes[0] * at.similarity(i, j)),
        matrix: at.matrix_of(&pulls),
        matrix_start: start.matrix_of(&first),
        cross,
        at,
        start,
    })
}

impl Expansion {
    /// c_K = 2K/(1+K).
    pub fn speed(&self) -> Interval {
        2.0 * self.negatives / (1.0 + self.negatives)
    }

    /// K/(1+K)².
    pub fn selection_slope(&self) -> Interval {
        self.negatives / (1.0 + self.negatives).square()
    }

    /// 2K(2+K)/(1+K)².
    pub fn noise_factor(&self) -> Interval {
        2.0 * self.selection_slope() * (2.0 + self.negatives)
    }

    pub fn signal(&self) -> usize {
        self.sizes.signal()
    }

    pub fn latents(&self) -> usize {
        self.sizes.latents()
    }

    /// s_kl = r√(v_k v_l).
    pub fn size(&self, k: usize, l: usize) -> Interval {
        let v = |k| self.sizes.variance::<Interval>(k);
        let product = if v(k) == v(l) { v(k) } else { (v(k) * v(l)).sqrt() };
        product * self.signal() as f64
    }

    /// The register's first-order coefficient of Q_kl (row k of view B, column l of view A).
    pub fn first_order(&self, k: usize, l: usize) -> Interval {
        let (r, m) = (self.signal(), |i, j| self.cross.at(i, j));
        if k >= r || l >= r {
            let v = |k| self.sizes.variance::<Interval>(k);
            return -(self.noise_factor() * v(k) * v(l) * r as f64 * m(l, k));
        }
        let spread = if k == l { (0..r).map(|p| m(p, p)).sum() } else { m(k, l) + m(l, k) };
        -((2.0 * self.selection_slope() * spread + self.speed() * m(l, k)) / r as f64)
    }

    /// Over the entries (k, l) that `chosen` keeps: Q_kl(τ²) − Q_kl(0) − τ²·(first order), in units of s_kl.
    pub fn remainder(&self, chosen: impl Fn(usize, usize) -> bool) -> Interval {
        self.largest(chosen, |k, l| {
            let start = self.leading(k, l) + self.tau_squared * self.first_order(k, l);
            (self.matrix.at(k, l) - start) / self.size(k, l)
        })
    }

    /// Q_kl at τ = 0: c_K on the diagonal of the signal block.
    pub fn leading(&self, k: usize, l: usize) -> Interval {
        if k == l && k < self.signal() { self.speed() } else { Interval::ZERO }
    }

    /// The largest absolute value over the chosen entries.
    pub fn largest(&self, chosen: impl Fn(usize, usize) -> bool, f: impl Fn(usize, usize) -> Interval) -> Interval {
        let d = self.latents();
        let kept = pairs(0..d, 0..d).filter(|&(k, l)| chosen(k, l));
        kept.fold(Interval::ZERO, |worst, (k, l)| worst.max(f(k, l).abs()))
    }

    /// The chosen entries of Q have the stated value and slope at τ = 0.
    pub fn first_order_is_exact(&self, chosen: impl Fn(usize, usize) -> bool) -> Evaluation {
        let gap = self.largest(chosen, |k, l| {
            let found = self.matrix_start.at(k, l);
            (found.value - self.leading(k, l)).abs() + (found.slopes[0] - self.first_order(k, l)).abs()
        });
        vanishes(gap, self.bound + 1.0)
    }

    /// 4.3 τ⁴B², in units of s_kl.
    pub fn second_order_bound(&self) -> Interval {
        SECOND_ORDER * (self.tau_squared * self.bound).square()
    }

    /// The signs of latent state `state`, scaled: the vector y = (z, ξ).
    pub fn latent(&self, state: usize) -> Vec<Interval> {
        let v = |k| self.sizes.variance::<Interval>(k).sqrt();
        let scaled = |(k, sign): (usize, f64)| v(k) * sign;
        signs(self.latents(), state).into_iter().enumerate().map(scaled).collect()
    }
}

/// The number is zero to rounding, on this scale.
pub fn vanishes(x: Interval, scale: Interval) -> Evaluation {
    agree(x, Interval::ZERO, scale)
}

/// The numbers are equal to rounding, on this scale.
pub fn agree(x: Interval, y: Interval, scale: Interval) -> Evaluation {
    equal(x, y).on_scale_of("the largest |⟨f_A, f_B⟩|, or that plus 1", scale.hi())
}

#[cfg(test)]
mod tests {
    use evidence::judge::{Judgement, judge};

    use super::*;

    fn generic(tau_squared: f64) -> HighTemperature {
        HighTemperature {
            signal: 2,
            noise: 1,
            rows: vec![vec![1.0, 0.5, -0.25, 0.75, -0.5, 0.25], vec![-0.5, 1.0, 0.5, 0.25, 1.5, -0.5]],
            tau_squared,
            negatives: 2.0,
        }
    }

    #[test]
    fn one_aligned_signal_has_the_selection_by_hand() {
        // ⟨f_A, f_B⟩ = ±1, S = 1/(1 + Ke^{−t}cosh t) and Q = 2(1 − S)(1 − tanh t).
        let (t, k) = (0.7, 3.0);
        let found =
            expand(&HighTemperature { signal: 1, noise: 0, rows: vec![vec![2.0, 0.5]], tau_squared: t, negatives: k })
                .expect("the sizes fit");
        let odds = k * core_math::exp(-t) * core_math::cosh(t);
        let q = 2.0 * odds / (1.0 + odds) * (1.0 - core_math::tanh(t));
        assert!((found.matrix.at(0, 0) - q).magnitude() < 1e-13 && (found.scalar - q).magnitude() < 1e-13);
        assert!((found.bound - 1.0).magnitude() < 1e-14);
        // Q(0) = 2K/(1 + K), and the slope −2K/(1 + K)² − 2K/(1 + K).
        assert!((found.leading(0, 0) - 1.5).magnitude() < 1e-15);
        assert!((found.first_order(0, 0) + 0.375 + 1.5).magnitude() < 1e-14);
        assert!((found.scalar_start - 1.5).magnitude() < 1e-14);
        assert!((found.scalar_slope + 1.875).magnitude() < 1e-14, "{:?}", found.scalar_slope);
    }

    /// What the first order leaves out is quadratic in τ², entry by entry, and below its bound.
    #[test]
    fn remainders_fall_by_four_as_the_temperature_doubles() {
        let (warm, warmer) = (expand(&generic(0.01)).expect("sizes fit"), expand(&generic(0.005)).expect("sizes fit"));
        for k in 0..3 {
            for l in 0..3 {
                let entry = |e: &Expansion| e.remainder(|i, j| (i, j) == (k, l)).midpoint();
                let ratio = entry(&warm) / entry(&warmer);
                assert!((ratio - 4.0).abs() < 0.2, "entry ({k}, {l}): {ratio}");
                assert!(entry(&warm) <= warm.second_order_bound().hi());
            }
        }
    }

    #[test]
    fn the_first_order_is_exact_and_another_is_refuted() {
        let judged = |evaluation: Evaluation| match evaluation {
            Evaluation::Compared(c) => Some(judge(&c)),
            _ => None,
        };
        let mut found = expand(&generic(0.5)).expect("sizes fit");
        let exact = judged(found.first_order_is_exact(|_, _| true));
        assert!(matches!(exact, Some(Judgement::Holds | Judgement::Touches)), "{exact:?}");
        found.negatives = Interval::point(2.001);
        assert_eq!(judged(found.first_order_is_exact(|_, _| true)), Some(Judgement::Violated));
        assert!(found.remainder(|k, l| (k, l) == (0, 1)).lo() <= found.remainder(|k, _| k == 0).hi());
    }

    #[test]
    fn sizes_and_latent_states_are_those_by_hand() {
        // Variances ½, ½ and 1, times r = 2.
        let found = expand(&generic(0.0)).expect("the sizes fit");
        let expected = [1.0, 2f64.sqrt(), 2.0];
        for ((k, l), size) in [(0, 1), (1, 2), (2, 2)].into_iter().zip(expected) {
            assert!((found.size(k, l) - size).magnitude() < 1e-15, "({k}, {l})");
        }
        let y: Vec<f64> = found.latent(0b101).iter().map(|x| x.midpoint()).collect();
        assert!((y[0] + y[1]).abs() < 1e-15 && (y[1] - 0.5f64.sqrt()).abs() < 1e-15, "{y:?}");
        assert_eq!(y[2], -1.0);
        // At τ = 0 the matrix Q is c_K = 4/3 on the signals and nothing else.
        for (k, l) in pairs(0..3, 0..3) {
            let expected = if k == l && k < 2 { 4.0 / 3.0 } else { 0.0 };
            assert!((found.matrix.at(k, l) - expected).magnitude() < 1e-14, "({k}, {l})");
            assert!((found.leading(k, l) - expected).magnitude() < 1e-15, "({k}, {l})");
        }
    }
}
