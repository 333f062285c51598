//! How far the norms of the two views drift apart while the norms of one view even out: the flow of two levels with a
//! mismatch.

use std::error::Error;

use contrapositive::enclosure::Enclosure;
use contrapositive::initial_value::{InitialValueError, Tolerance, solve};
use contrapositive::instance::Instance;
use serde::{Deserialize, Serialize};

/// The time of the run, in units of dθ = 2(1−S̄)dt, which leaves the path as it is.
const DURATION: f64 = 24.0;
const MISMATCH: f64 = 1e-3;

/// A sweep over r = 4, 8, …, 1024 with τ² = `factor`·r, from κ_1²/κ_2² = `lead`·r.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Shedding {
    pub(super) factor: f64,
    pub(super) lead: f64,
}

impl Instance for Shedding {
    fn describe(&self) -> String {
        format!(
            "r = 4, 8, …, 1024, σ = 1, ρ = 1, τ² = {}·r, κ_1²/κ_2² = {}·r, the others equal, u_p = 10^-3 for all p",
            self.factor, self.lead
        )
    }

    fn validate(&self) -> Result<(), String> {
        if (1e-3..=10.0).contains(&self.factor) && (1.0..=100.0).contains(&self.lead) {
            Ok(())
        } else {
            Err(format!("factor {}, lead {}", self.factor, self.lead))
        }
    }
}

impl Shedding {
    pub(super) fn sizes(&self) -> impl Iterator<Item = f64> {
        (2..=10).map(|k| f64::from(1u32 << k))
    }

    pub(super) fn growth(&self, r: f64) -> Result<Enclosure, Box<dyn Error + Send + Sync>> {
        growth(r, self.factor * r, self.lead * r)
    }
}

/// One large and r − 1 equal signals (σ = 1, no noise, ρ = 1) with κ_1²/κ_2² = `ratio` at the start and u_p =
/// log(a_p/b_p) = 10^{−3} for all p: the largest |u_p| met, over 10^{−3}. An estimate in doubles; its width is twice
/// the solver's error estimate.
fn growth(r: f64, tau_squared: f64, ratio: f64) -> Result<Enclosure, Box<dyn Error + Send + Sync>> {
    let copies = [1.0, r - 1.0];
    let velocity = |_: f64, x: &[f64]| -> Result<Vec<f64>, InitialValueError> {
        let a = [core_math::exp(x[0]), core_math::exp(x[1])];
        let b = [core_math::exp(x[2]), core_math::exp(x[3])];
        let square = |norms: [f64; 2]| (copies[0] * norms[0] + copies[1] * norms[1]) / r;
        let (na, nb) = (square(a), square(b));
        let both = (na * nb).sqrt();
        let h = [0, 1].map(|p: usize| (a[p] * b[p]).sqrt());
        // 1 − tanh x = 2/(1 + e^{2x}).
        let pull = h.map(|h| 2.0 / (1.0 + core_math::exp(2.0 * tau_squared * h / (r * both))));
        let scalar = (copies[0] * pull[0] * h[0] + copies[1] * pull[1] * h[1]) / (r * both);
        let rate = |p: usize, own: f64, n: f64| 2.0 * (pull[p] * h[p] / (own * both) - scalar / n);
        Ok(vec![
            rate(0, a[0], na),
            rate(1, a[1], na),
            rate(0, b[0], nb),
            rate(1, b[1], nb),
        ])
    };
    let top = core_math::log(r * ratio / (ratio + r - 1.0));
    let low = core_math::log(r / (ratio + r - 1.0));
    let half = MISMATCH / 2.0;
    let times: Vec<f64> = (1..=96).map(|k| DURATION * f64::from(k) / 96.0).collect();
    let orbit = solve(
        velocity,
        &[top + half, low + half, top - half, low - half],
        &times,
        Tolerance::of(1e-12),
    )?;
    let largest = orbit
        .states
        .iter()
        .flat_map(|x| [(x[0] - x[2]).abs(), (x[1] - x[3]).abs()])
        .fold(MISMATCH, f64::max);
    let (found, doubt) = (largest / MISMATCH, 2.0 * orbit.error / MISMATCH);
    Ok(Enclosure::between(found - doubt, found + doubt))
}
