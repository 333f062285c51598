//! How the norms of a diagonal state of equal views move, and the signals of smallest and largest κ (Lemmas C.18 to
//! C.20).

use std::error::Error;

use enclosures::interval::Interval;
use enclosures::vectors::sum_of_products;
use two_view::DiagonalSelection;

use super::manifold_directions::ManifoldDirection;
use super::manifold_families::aligned;

pub struct NormRates {
    /// d/dt log κ_p², from the velocity.
    pub signals: Vec<Interval>,
    /// d/dt log of the squared norm of a noise column; none without noise.
    pub noise: Option<Interval>,
    /// q_p, Q_0, x_p and 1 − S̄.
    pub by: DiagonalSelection<Interval>,
    /// T_p.
    pub tanh: Vec<Interval>,
    /// T̄ = Σκ_q²T_q/‖κ‖².
    pub mean: Interval,
    /// N².
    pub square: Interval,
    /// Noise share, exactly 0 without noise.
    pub eta: Interval,
    /// σ_ξ²(r/q); 0 without noise.
    pub noise_strength: Interval,
}

impl NormRates {
    pub fn of(s: &ManifoldDirection) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let (state, law) = (s.diagonal(), s.law()?);
        let moved = law.velocity(&state, s.objective())?;
        let by = law.selection(&state, s.objective())?;
        let square = by.normalisers_squared[0];
        let tanh: Vec<Interval> = by.arguments.iter().map(|x| x.tanh()).collect();
        let total: Interval = state.a.iter().copied().sum();
        let noise: Interval = state.noise_a.iter().copied().sum();
        let per_column = |x: Interval| if s.q() == 0 { Interval::ZERO } else { x / s.q() as f64 };
        Ok(NormRates {
            signals: (0..s.r()).map(|p| moved.a[p] / state.a[p]).collect(),
            noise: moved.noise_a.first().map(|&rate| rate / state.noise_a[0]),
            mean: sum_of_products(&tanh, &state.a) / total,
            eta: per_column(noise) / square,
            noise_strength: per_column(Interval::point(s.noise_squared) * s.r() as f64),
            square,
            tanh,
            by,
        })
    }

    /// 4(1−S̄)/N².
    pub fn speed(&self) -> Interval {
        4.0 * self.by.rest / self.square
    }
}

/// Every p at which κ_p is as small as any.
pub fn smallest(s: &ManifoldDirection) -> impl Iterator<Item = usize> {
    let least = s.norms_a.iter().copied().fold(f64::INFINITY, f64::min);
    (0..s.r()).filter(move |&p| s.norms_a[p] == least)
}

/// Every p at which κ_p is as large as any.
pub fn largest(s: &ManifoldDirection) -> impl Iterator<Item = usize> {
    let most = s.norms_a.iter().copied().fold(0.0, f64::max);
    (0..s.r()).filter(move |&p| s.norms_a[p] == most)
}

/// An aligned state of the manifold itself: squared strengths and norms of the signals, σ_ξ² with the squared norms
/// of the noise columns, τ² and K.
pub fn on_it(sigma: &[f64], kappa: &[f64], noise: (f64, &[f64]), tau: f64, k: f64) -> ManifoldDirection {
    ManifoldDirection { cosines: Vec::new(), ..aligned(sigma, kappa, noise, tau, k) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_of_two_signals_are_those_by_hand() {
        // N² = (3 + 1)/2 + (0.25 + 0.75)/2, x_p = τ²κ_p²/(rN²), the noise share per column 0.5/2.5, σ_ξ² r/q = ½.
        let s = on_it(&[2.0, 1.0], &[3.0, 1.0], (0.5, &[0.25, 0.75]), 2.0, 3.0);
        let rates = NormRates::of(&s).expect("it moves");
        let tanh = [core_math::tanh(1.2), core_math::tanh(0.4)];
        for (found, expected) in rates.tanh.iter().zip(tanh) {
            assert!((*found - expected).magnitude() < 1e-14);
        }
        assert!((rates.square - 2.5).magnitude() < 1e-14 && (rates.eta - 0.2).magnitude() < 1e-14);
        assert!((rates.mean - (3.0 * tanh[0] + tanh[1]) / 4.0).magnitude() < 1e-14);
        assert_eq!(rates.noise_strength.midpoint(), 0.5);
        let odds = 3.0 * core_math::exp(-1.6) * core_math::cosh(1.2) * core_math::cosh(0.4);
        assert!((rates.speed() - 4.0 * odds / (1.0 + odds) / 2.5).magnitude() < 1e-13);
        assert!(rates.noise.is_some_and(|r| r.hi() < 0.0), "noise falls");
    }

    /// Σκ_p²/σ_p² rests without noise; the enumerated velocity says the same of every norm.
    #[test]
    fn norms_move_as_the_enumerated_velocity_and_keep_their_weighted_sum() {
        let s = on_it(&[2.0, 1.0, 0.5], &[3.0, 0.5, 1.0], (1.0, &[]), 2.5, 2.0);
        let rates = NormRates::of(&s).expect("it moves");
        let moved = s.moved(&s.gram_at(Interval::ZERO).expect("sizes fit")).expect("it moves");
        let mut sum = Interval::ZERO;
        for p in 0..3 {
            let expected = moved.gram().at(p, p) / s.norms_a[p];
            assert!((rates.signals[p] - expected).magnitude() < 1e-12 && expected.mignitude() > 1e-3);
            sum += rates.signals[p] * s.norms_a[p] / s.sigma_squared[p];
        }
        assert!(sum.magnitude() < 1e-13, "{sum:?}");
        assert!(rates.noise.is_none() && rates.eta == Interval::ZERO && rates.noise_strength == Interval::ZERO);
    }

    #[test]
    fn ties_count_among_the_smallest_and_the_largest() {
        let s = on_it(&[1.0; 5], &[1.0, 3.0, 1.0, 3.0, 2.0], (1.0, &[]), 1.0, 1.0);
        assert_eq!(smallest(&s).collect::<Vec<_>>(), [0, 2]);
        assert_eq!(largest(&s).collect::<Vec<_>>(), [1, 3]);
    }
}
