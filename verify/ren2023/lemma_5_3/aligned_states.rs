//! Aligned states without noise (K_A = K_B with orthogonal columns), and how they move at any temperature.

use enclosures::vectors::sum_of_products;
use evidence::prelude::*;
use proptest::collection::vec;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};
use two_view::{DiagonalLaw, DiagonalState, Objective};

/// An aligned state without noise: (σ_p², κ_p²).
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(
    describe = "(σ², κ²) = {directions:?}, τ² = {tau_squared}, K = {negatives}",
    simpler = Self::without_a_direction,
    stored
)]
pub struct Aligned {
    #[instance(length = "1..", range = "1e-3..=1e3", scale = "logarithmic")]
    pub directions: Vec<[f64; 2]>,
    #[instance(range = "0..=100")]
    pub tau_squared: f64,
    #[instance(range = "1e-3..=1e3", scale = "logarithmic")]
    pub negatives: f64,
}

impl Aligned {
    fn without_a_direction(&self) -> Vec<Self> {
        let without = |drop: usize| {
            let mut less = self.clone();
            less.directions.remove(drop);
            less
        };
        (0..self.directions.len()).map(without).collect()
    }
}

/// How an aligned state moves.
pub struct AlignedMotion {
    /// d/dt log κ_p² and dρ_p/dt.
    pub log_norm: Vec<Interval>,
    pub correlation: Vec<Interval>,
    /// T_p and T̄.
    pub tanh: Vec<Interval>,
    pub mean: Interval,
    /// 4(1−S̄)/N².
    pub speed: Interval,
    /// Positions of the largest and the smallest κ_p².
    pub extremes: [usize; 2],
}

/// From the velocity on the diagonal manifold.
pub fn motion(s: &Aligned) -> Result<AlignedMotion, MeasureError> {
    let law = DiagonalLaw::new(s.directions.iter().map(|d| d[0]).collect(), 1.0, 0)?;
    let kappa: Vec<Interval> = s.directions.iter().map(|d| Interval::point(d[1])).collect();
    let state =
        DiagonalState { a: kappa.clone(), b: kappa.clone(), h: kappa.clone(), noise_a: vec![], noise_b: vec![] };
    let objective = Objective::Contrastive { tau_squared: s.tau_squared, negatives: s.negatives };
    let (by, v) = (law.selection(&state, objective)?, law.velocity(&state, objective)?);
    let tanh: Vec<Interval> = by.arguments.iter().map(|x| x.tanh()).collect();
    let weighted = sum_of_products(&kappa, &tanh);
    let order = |a: &usize, b: &usize| s.directions[*a][1].total_cmp(&s.directions[*b][1]);
    let n = s.directions.len();
    Ok(AlignedMotion {
        log_norm: v.a.iter().zip(&kappa).map(|(v, k)| *v / *k).collect(),
        correlation: (0..n).map(|p| (v.h[p] - v.a[p]) / kappa[p]).collect(),
        mean: weighted / kappa.iter().copied().sum::<Interval>(),
        tanh,
        speed: 4.0 * by.rest / by.normalisers_squared[0],
        extremes: [(0..n).max_by(order).unwrap_or(0), (0..n).min_by(order).unwrap_or(0)],
    })
}

/// Hand-picked states: κ with and against σ, balanced, one direction, τ = 0 and large.
fn aligned() -> Vec<(&'static str, Aligned)> {
    let of = |directions: &[[f64; 2]], tau_squared: f64, negatives: f64| Aligned {
        directions: directions.to_vec(),
        tau_squared,
        negatives,
    };
    vec![
        ("κ² = (4,1)", of(&[[1.0, 4.0], [1.0, 1.0]], 1.0, 1.0)),
        ("σ² = (1,1,9), κ² = (3,1,2)", of(&[[1.0, 3.0], [1.0, 1.0], [9.0, 2.0]], 1.0, 1.0)),
        ("κ against σ", of(&[[1.0, 5.0], [4.0, 1.0], [2.0, 2.0]], 3.0, 2.0)),
        ("balanced", of(&[[2.0, 1.0], [1.0, 1.0]], 2.0, 0.5)),
        ("one direction", of(&[[1.0, 2.0]], 1.0, 1.0)),
        ("one dominates", of(&[[1.0, 500.0], [1.0, 1.0], [3.0, 0.01]], 10.0, 10.0)),
        ("τ = 0", of(&[[3.0, 4.0], [1.0, 1.0]], 0.0, 1.0)),
        ("τ = 0, three directions", of(&[[2.0, 1.0], [1.0, 3.0], [1.0, 0.5]], 0.0, 2.0)),
        ("large τ", of(&[[3.0, 2.0], [1.0, 1.0], [1.0, 1.0]], 50.0, 0.1)),
    ]
}

fn drawn() -> impl Strategy<Value = Aligned> {
    (vec((-2.0..3.0f64, -3.0..3.0f64), 1..7), -5.0..3.4f64, -2.3..2.3f64).prop_map(
        |(directions, log_tau, log_negatives)| {
            let e = |x: f64| exact(x).exp().midpoint();
            Aligned {
                directions: directions.into_iter().map(|(s, k)| [e(s), e(k)]).collect(),
                tau_squared: e(log_tau),
                negatives: e(log_negatives),
            }
        },
    )
}

pub fn families() -> [Family<Aligned>; 2] {
    [edge("named", aligned), random("any aligned state", drawn)]
}
