//! The flow of the positive pairs alone (the non-contrastive loss, or the contrastive one at τ = 0) in closed form,
//! for diagonal states in which both views have equal norms.
//!
//! In the clock θ with `dθ = (2 c / N^2) dt` (c = 1 for `L_nc`, `2K/(1+K)` for L at τ = 0): `ρ_p = tanh(σ_p^2 θ +
//! artanh ρ_p(0))`, `κ_p^2(θ) = κ_p^2(0) (cosh σ_p^2 θ + ρ_p(0) sinh σ_p^2 θ) e^{-σ_p^2 I}` and a noise norm falls
//! like `e^{-σ_ξ^2 (r/q) I}`, where `I = ∫Ψ dθ` is fixed by the conserved `||W_A||_F^2 = sum κ_p^2/σ_p^2 + sum
//! n_k/σ_ξ^2`.

use super::MultimodalError;
use super::error::{check_domain, check_size};
use enclosures::interval::{Interval, log_sum_exp};

/// One group of equal signal directions at time 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SignalGroup {
    /// `σ_p^2 > 0`.
    pub sigma_squared: f64,
    /// `κ_p^2(0) > 0`.
    pub kappa_squared: f64,
    /// `ρ_p(0)` in [-1, 1].
    pub correlation: f64,
    /// How many directions there are, at least one.
    pub copies: f64,
}

/// Noise at time 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoiseGroup {
    /// `σ_ξ^2 > 0`.
    pub sigma_squared: f64,
    /// The common squared norm of the noise columns at time 0, at least 0.
    pub norm_squared: f64,
    /// q, at least one.
    pub copies: f64,
}

/// The closed-form flow.
#[derive(Clone, Debug, PartialEq)]
pub struct PositivePairsFlow {
    signal: Vec<SignalGroup>,
    noise: Option<NoiseGroup>,
}

/// The state at a value of the clock.
#[derive(Clone, Debug, PartialEq)]
pub struct PositivePairsState {
    /// `log κ_p^2`, one for each group.
    pub log_kappa_squared: Vec<Interval>,
    /// `ρ_p`, one for each group.
    pub correlation: Vec<Interval>,
    /// Logarithm of the common squared norm of the noise columns; none without noise.
    pub log_noise: Option<Interval>,
    /// `I = ∫Ψ dθ`.
    pub integral: Interval,
}

impl PositivePairsFlow {
    /// The flow from this start.
    ///
    /// # Errors
    /// No signal, or a number outside its domain.
    pub fn new(signal: Vec<SignalGroup>, noise: Option<NoiseGroup>) -> Result<Self, MultimodalError> {
        if signal.is_empty() {
            return Err(MultimodalError::NoSignal);
        }
        let positive = |what, x: f64| check_domain(what, x, |x| x > 0.0 && x.is_finite(), "positive and finite");
        for g in &signal {
            positive("a squared strength", g.sigma_squared)?;
            positive("a squared norm", g.kappa_squared)?;
            check_domain("the size of a group", g.copies, |c| c >= 1.0 && c.is_finite(), "at least 1")?;
            check_domain("a correlation", g.correlation, |c| (-1.0..=1.0).contains(&c), "between -1 and 1")?;
        }
        if let Some(g) = noise {
            positive("a squared noise strength", g.sigma_squared)?;
            check_domain("a squared noise norm", g.norm_squared, |n| n >= 0.0 && n.is_finite(), "at least 0")?;
            check_domain("the number of noise columns", g.copies, |c| c >= 1.0 && c.is_finite(), "at least 1")?;
        }
        Ok(PositivePairsFlow { signal, noise })
    }

    /// The start at infinite width: `κ_p^2 = σ_p^2`, `ρ_p = 0`, noise columns of squared norm `σ_ξ^2`; `noise` is
    /// `(σ_ξ^2, q)`.
    ///
    /// # Errors
    /// Lists of different lengths, or a number outside its domain.
    pub fn infinite_width(
        sigma_squared: &[f64],
        copies: &[f64],
        noise: Option<(f64, f64)>,
    ) -> Result<Self, MultimodalError> {
        check_size("sizes of groups", copies.len(), sigma_squared.len())?;
        let group =
            |(&s, &c): (&f64, &f64)| SignalGroup { sigma_squared: s, kappa_squared: s, correlation: 0.0, copies: c };
        Self::new(
            sigma_squared.iter().zip(copies).map(group).collect(),
            noise.map(|(s, q)| NoiseGroup { sigma_squared: s, norm_squared: s, copies: q }),
        )
    }

    fn signal_count(&self) -> Interval {
        self.signal.iter().map(|g| Interval::point(g.copies)).sum()
    }

    /// `||W_A||_F^2`, which the flow keeps.
    #[must_use]
    pub fn squared_weight_norm(&self) -> Interval {
        let signal: Interval =
            self.signal.iter().map(|g| Interval::point(g.copies) * g.kappa_squared / g.sigma_squared).sum();
        let noise = |g: &NoiseGroup| Interval::point(g.copies) * g.norm_squared / g.sigma_squared;
        signal + self.noise.as_ref().map_or(Interval::ZERO, noise)
    }

    /// `σ_ξ^2 r/q`, the rate at which a noise norm falls with I.
    fn noise_rate(&self, g: &NoiseGroup) -> Interval {
        self.signal_count() * g.sigma_squared / g.copies
    }

    /// `log(κ_p^2(θ)/κ_p^2(0)) + σ_p^2 I`, that is `log((1+ρ)/2 e^x + (1-ρ)/2 e^{-x})` at `x = σ_p^2 θ`.
    fn growth(g: &SignalGroup, theta: f64) -> Interval {
        let x = Interval::point(g.sigma_squared) * theta;
        log_sum_exp(&Self::branches(g, x))
    }

    fn branches(g: &SignalGroup, x: Interval) -> Vec<Interval> {
        let rho = Interval::point(g.correlation);
        let both = [(1.0 + rho, x), (1.0 - rho, -x)];
        let kept = both.into_iter().filter(|(weight, _)| weight.hi() > 0.0);
        kept.map(|(weight, x)| (weight * 0.5).ln() + x).collect()
    }

    /// The state at `θ >= 0`.
    ///
    /// # Errors
    /// A clock that is negative or not finite.
    pub fn at(&self, theta: f64) -> Result<PositivePairsState, MultimodalError> {
        check_domain("the clock", theta, |t| t >= 0.0 && t.is_finite(), "finite and at least 0")?;
        let growths: Vec<Interval> = self.signal.iter().map(|g| Self::growth(g, theta)).collect();
        let mut terms: Vec<(Interval, Interval)> = (self.signal.iter().zip(&growths))
            .map(|(g, &growth)| (weight_of(g) + growth, Interval::point(g.sigma_squared)))
            .collect();
        if let Some(g) = self.noise.as_ref().filter(|g| g.norm_squared > 0.0) {
            let share = Interval::point(g.copies) * g.norm_squared / g.sigma_squared;
            terms.push((share.ln(), self.noise_rate(g)));
        }
        let integral = falling_root(&terms, self.squared_weight_norm().ln());
        let kappa = |(g, &growth): (&SignalGroup, &Interval)| {
            Interval::point(g.kappa_squared).ln() + growth - Interval::point(g.sigma_squared) * integral
        };
        Ok(PositivePairsState {
            log_kappa_squared: self.signal.iter().zip(&growths).map(kappa).collect(),
            correlation: self.signal.iter().map(|g| correlation(g, theta)).collect(),
            log_noise: self.noise.as_ref().map(|g| {
                if g.norm_squared > 0.0 {
                    Interval::point(g.norm_squared).ln() - self.noise_rate(g) * integral
                } else {
                    Interval::point(f64::NEG_INFINITY)
                }
            }),
            integral,
        })
    }

    /// The limit θ -> ∞ of `log κ_p^2`: `log(κ_p^2(0) (1 + ρ_p(0))/2) + λ σ_p^2` with λ fixed by the conserved norm;
    /// any noise has died out. None if a correlation is -1 exactly.
    #[must_use]
    pub fn limit(&self) -> Option<Vec<Interval>> {
        let start =
            |g: &SignalGroup| (Interval::point(g.kappa_squared) * (1.0 + Interval::point(g.correlation)) * 0.5).ln();
        if self.signal.iter().any(|g| g.correlation <= -1.0) {
            return None;
        }
        let terms: Vec<(Interval, Interval)> = (self.signal.iter())
            .map(|g| {
                let share = start(g) + Interval::point(g.copies).ln() - Interval::point(g.sigma_squared).ln();
                (share, Interval::point(g.sigma_squared))
            })
            .collect();
        let lambda = -falling_root(&terms, self.squared_weight_norm().ln());
        Some(self.signal.iter().map(|g| start(g) + lambda * g.sigma_squared).collect())
    }
}

fn weight_of(g: &SignalGroup) -> Interval {
    (Interval::point(g.copies) * g.kappa_squared / g.sigma_squared).ln()
}

/// `ρ(θ)`, from the ratio `(1-ρ)/(1+ρ) e^{-2 σ^2 θ}`.
fn correlation(g: &SignalGroup, theta: f64) -> Interval {
    if g.correlation <= -1.0 {
        return Interval::point(-1.0);
    }
    let rho = Interval::point(g.correlation);
    let ratio = (1.0 - rho) / (1.0 + rho) * (Interval::point(-2.0) * g.sigma_squared * theta).exp();
    (1.0 - ratio) / (1.0 + ratio)
}

/// The root y of `log sum e^{c_k - s_k y} = target` for positive `s_k`: the left side falls. Bisection, with the
/// sign of every trial decided in interval arithmetic.
fn falling_root(terms: &[(Interval, Interval)], target: Interval) -> Interval {
    let excess = |y: f64| {
        let exponents: Vec<Interval> = terms.iter().map(|&(c, s)| c - s * y).collect();
        log_sum_exp(&exponents) - target
    };
    let (mut low, mut high) = (-1.0, 1.0);
    while excess(low).lo() <= 0.0 && low > -1e300 {
        low *= 2.0;
    }
    while excess(high).hi() >= 0.0 && high < 1e300 {
        high *= 2.0;
    }
    if excess(low).lo() <= 0.0 || excess(high).hi() >= 0.0 {
        return Interval::ENTIRE;
    }
    // Two bisections: the last point known to lie before the root, and the first one known to lie behind it.
    let edge = |before: bool| {
        let (mut lo, mut hi): (f64, f64) = (low, high);
        loop {
            let middle = 0.5 * lo + 0.5 * hi;
            if middle <= lo || middle >= hi {
                return if before { lo } else { hi };
            }
            let e = excess(middle);
            let left = if before { e.lo() > 0.0 } else { e.hi() >= 0.0 };
            if left { lo = middle } else { hi = middle }
        }
    };
    Interval::new(edge(true), edge(false))
}
