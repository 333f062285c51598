//! Sizes of the model without negatives, where its training ends, and the arcs of the proof.

use evidence::prelude::*;
use serde::{Deserialize, Serialize};
use two_view::PositivePairsFlow;

use crate::shared::equal_norms::log_condition;

/// s, r and w = ‖W_A‖_F², in logarithms.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(stored)]
pub struct Sizes {
    #[instance(range = "1..=1e3", scale = "logarithmic")]
    pub s: f64,
    #[instance(symbol = "log r", range = "0.6932..=200")]
    pub log_rank: f64,
    /// log(w/r) ≥ 0; zero without noise.
    #[instance(symbol = "log(w/r)", range = "0..=200")]
    pub log_excess: f64,
}

/// log cond(κ²) in the limit, and log s, log r, log w for the r and w that were used.
pub struct LongTrainingEnd {
    pub log_condition: Enclosure,
    pub log_spread: Enclosure,
    pub log_rank: Enclosure,
    log_total: Enclosure,
}

pub fn end(sizes: &Sizes) -> Result<LongTrainingEnd, MeasureError> {
    let rank = core_math::exp(sizes.log_rank);
    // The weight of the noise columns is their number: w = r + q.
    let count = rank * core_math::expm1(sizes.log_excess);
    let noise = (count >= 1.0).then_some((1.0, count));
    let flow = PositivePairsFlow::infinite_width(&[sizes.s, 1.0], &[1.0, rank - 1.0], noise)?;
    let limit = flow.limit().ok_or("no limit")?;
    Ok(LongTrainingEnd {
        log_condition: log_condition(&limit).into(),
        log_spread: exact(sizes.s).ln(),
        log_rank: exact(rank).ln(),
        log_total: Enclosure::from(flow.squared_weight_norm()).ln(),
    })
}

impl LongTrainingEnd {
    /// log s + min((1 − 1/s) log(xw), (s−1) log(yw/r)).
    pub fn bound(&self, s: f64, x: f64, y: f64) -> Enclosure {
        let (log_x, log_y) = (exact(x).ln(), exact(y).ln());
        let strong = (1.0 - 1.0 / exact(s)) * (log_x + self.log_total);
        self.log_spread + strong.min((exact(s) - 1.0) * (log_y + self.log_total - self.log_rank))
    }
}

/// The instance of the proof at one size, without noise.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "σ² = ({s}, 1, …), r = {r}, θ = {theta}", stored)]
pub struct Proof {
    #[instance(range = "1..=100", scale = "logarithmic")]
    pub s: f64,
    #[instance(range = "2..=1_000_000", scale = "logarithmic")]
    pub r: u32,
    #[instance(range = "0..=1e3")]
    pub theta: f64,
}

/// ρ_1, ρ_2 and log(κ_1²/κ_2²) at a clock.
pub fn at(p: &Proof, theta: f64) -> Result<[Enclosure; 3], MeasureError> {
    let state = PositivePairsFlow::infinite_width(&[p.s, 1.0], &[1.0, f64::from(p.r - 1)], None)?.at(theta)?;
    let ratio = Enclosure::from(state.log_kappa_squared[0]) - Enclosure::from(state.log_kappa_squared[1]);
    Ok([state.correlation[0].into(), state.correlation[1].into(), ratio])
}
