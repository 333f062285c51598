//! How far the norms of the two views drift apart along the flow of the positive pairs.

use evidence::prelude::*;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};
use two_view::{DiagonalLaw, DiagonalState, Objective};

/// Log ratios u_p of the norms of A and B and v of the noises at the start; strengths.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(
    describe = "σ² = {sigma_squared:?}, u(0) = {signal_gaps:?}, v(0) = {noise_gap}, σ_ξ² = {noise_squared}, q = \
                {noise}, t ≤ {time}",
    stored
)]
pub struct ViewGap {
    #[instance(length = "r in 1..", range = "1e-2..=1e2", scale = "logarithmic")]
    pub sigma_squared: Vec<f64>,
    #[instance(length = "r", range = "-1..=1")]
    pub signal_gaps: Vec<f64>,
    #[instance(range = "-1..=1")]
    pub noise_gap: f64,
    #[instance(range = "1e-2..=1e2", scale = "logarithmic")]
    pub noise_squared: f64,
    #[instance(range = "1..")]
    pub noise: u32,
    #[instance(range = "0.1..=500", scale = "logarithmic")]
    pub time: f64,
}

impl ViewGap {
    /// One signal and one noise direction of strength one, where both normalisers are constant.
    pub fn is_plain(&self) -> bool {
        self.sigma_squared == [1.0] && self.noise == 1 && self.noise_squared == 1.0
    }

    /// v(0) + (N_A²/N_B² − 1) log(n_A(0)/n_A(T)) there, given the logarithm.
    pub fn drift(&self, decay: f64) -> f64 {
        let square = |sign: f64| -> f64 {
            let half = |u: f64| exact(0.5 * sign * u).exp().midpoint();
            half(self.signal_gaps[0]) + half(self.noise_gap)
        };
        self.noise_gap + (square(1.0) / square(-1.0) - 1.0) * decay
    }
}

/// The largest |u_p|, |v| at the start, the largest later |u_p|, the last |v|, and log(n(0)/n(T)).
pub struct Gaps {
    pub start: f64,
    pub signals: f64,
    pub noise: f64,
    pub decay: f64,
}

/// Follows the flow from ρ_p = 0.
pub fn gaps(s: &ViewGap) -> Result<Gaps, MeasureError> {
    let law =
        DiagonalLaw::grouped(s.sigma_squared.clone(), vec![1; s.sigma_squared.len()], s.noise_squared, vec![s.noise])?;
    let half = |u: f64| exact(0.5 * u).exp().midpoint();
    let norms =
        |sign: f64| s.sigma_squared.iter().zip(&s.signal_gaps).map(|(k, u)| k * half(sign * u)).collect::<Vec<f64>>();
    let start = DiagonalState {
        a: norms(1.0),
        b: norms(-1.0),
        h: vec![0.0; s.sigma_squared.len()],
        noise_a: vec![s.noise_squared * half(s.noise_gap)],
        noise_b: vec![s.noise_squared * half(-s.noise_gap)],
    };
    let times: Vec<f64> = (1..=10).map(|k| s.time * f64::from(k) / 10.0).collect();
    let (states, error) = law.orbit(&start, Objective::NonContrastive, &times, 1e-11)?;
    if error > 1e-6 {
        return Err(format!("the integration is off by {error}").into());
    }
    let log = |x: f64| exact(x).ln().midpoint();
    let signals = |x: &DiagonalState<f64>| x.a.iter().zip(&x.b).map(|(a, b)| log(a / b).abs()).fold(0.0, f64::max);
    let end = states.last().ok_or("no state")?;
    Ok(Gaps {
        start: signals(&start).max(s.noise_gap.abs()),
        signals: states.iter().map(signals).fold(0.0, f64::max),
        noise: log(end.noise_a[0] / end.noise_b[0]).abs(),
        decay: log(start.noise_a[0] / end.noise_a[0]),
    })
}

/// Both gaps, one of them, opposite ones; short and long.
pub fn view_gaps() -> Vec<(&'static str, ViewGap)> {
    let of = |sigma: &[f64], signals: &[f64], noise_gap: f64, noise_squared: f64, noise: u32, time: f64| ViewGap {
        sigma_squared: sigma.to_vec(),
        signal_gaps: signals.to_vec(),
        noise_gap,
        noise_squared,
        noise,
        time,
    };
    vec![
        ("one signal, short", of(&[1.0], &[0.1], 0.1, 1.0, 1, 5.0)),
        ("one signal, long", of(&[1.0], &[0.1], 0.1, 1.0, 1, 60.0)),
        ("only the signals differ, long", of(&[2.0, 1.0], &[0.1, 0.1], 0.0, 1.0, 2, 100.0)),
        ("opposite signs", of(&[4.0, 1.0], &[0.1, -0.1], 0.0, 0.5, 2, 30.0)),
        ("only the noise differs", of(&[2.0, 1.0, 1.0], &[0.0, 0.0, 0.0], 0.05, 1.0, 6, 60.0)),
        ("a weak direction", of(&[9.0, 0.3], &[0.1, 0.1], 0.1, 1.0, 2, 60.0)),
    ]
}

/// One signal and one noise direction, σ = σ_ξ = 1, whose norms differ between the views by one factor: a = n_A = e^{g/2}, b
/// = n_B = e^{−g/2}; and the target δ of the noise-to-signal ratio.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(stored)]
pub struct GapDrift {
    #[instance(symbol = "u(0) = v(0)", range = "1e-3..=1", scale = "logarithmic")]
    pub gap: f64,
    #[instance(range = "1e-6..=0.7", scale = "logarithmic")]
    pub delta: f64,
}

impl GapDrift {
    /// At least this large is log(n_A/n_B) at T_1, where n_A ≤ δ²a: N_A² = a + n_A = ‖W_A‖_F² is constant, n_A is then at
    /// most N_A²δ²/(1 + δ²), and N_A²/N_B² = e^g.
    pub fn at_the_end(&self) -> Interval {
        let square = Interval::point(self.delta).square();
        let decay = ((1.0 + square) / (2.0 * square)).ln();
        self.gap + Interval::point(self.gap).exp_m1() * decay
    }
}

/// Small and large gaps, coarse and fine targets.
pub fn drifts() -> Vec<(String, GapDrift)> {
    let named = |(gap, delta)| (format!("gap {gap}, δ = {delta}"), GapDrift { gap, delta });
    [(0.1, 0.5), (0.1, 0.1), (0.1, 0.01), (0.05, 1e-3), (0.5, 0.01)].map(named).into()
}

pub fn any_drift() -> impl Strategy<Value = GapDrift> {
    (-5.0..-0.5f64, -7.0..-0.5f64)
        .prop_map(|(log_gap, log_delta)| GapDrift { gap: core_math::exp(log_gap), delta: core_math::exp(log_delta) })
}
