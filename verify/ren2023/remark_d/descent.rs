//! Gradient descent in place of the flow.

use std::error::Error;

use evidence::instance::Instance;
use rand::Rng;
use serde::{Deserialize, Serialize};
use two_view::{
    GramState, LatentSizes, MatrixBlock, Metrics, MultimodalError, Objective, feature_rates, gaussian_features,
    gram_orbit,
};

/// A Gaussian start (drawn by the trial) and the step sizes of gradient descent up to time `end`: `end`/40, halved
/// three times.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(
    describe = "r = {signal}, q = {noise}, m = {width}, τ² = {tau_squared}, K = {negatives}, T = {end}",
    valid = Self::fits,
    stored
)]
pub(super) struct Descent {
    #[instance(range = "1..=6")]
    pub(super) signal: usize,
    #[instance(range = "0..=5")]
    pub(super) noise: usize,
    #[instance(range = "1..=400")]
    pub(super) width: usize,
    #[instance(range = "0..=20")]
    pub(super) tau_squared: f64,
    #[instance(range = "1e-3..=1e3", scale = "logarithmic")]
    pub(super) negatives: f64,
    #[instance(range = "0.1..=32", scale = "logarithmic")]
    pub(super) end: f64,
}

impl Descent {
    fn fits(&self) -> Result<(), String> {
        if self.signal + self.noise <= 6 { Ok(()) } else { Err("r + q is beyond 6".into()) }
    }
}

/// Steps of the coarsest run.
const FIRST_STEPS: u32 = 40;

/// G ↦ (I + hR)^T G (I + hR): one step of gradient descent on the weights, in Gram coordinates.
pub(super) fn step(
    state: &GramState<f64>,
    metrics: &Metrics<f64>,
    objective: Objective,
    h: f64,
) -> Result<GramState<f64>, MultimodalError> {
    moved(state, &feature_rates(state, metrics, objective)?.scaled(h))
}

/// G ↦ (I + R)^T G (I + R).
pub(super) fn moved(state: &GramState<f64>, rates: &MatrixBlock<f64>) -> Result<GramState<f64>, MultimodalError> {
    let identity = MatrixBlock::diagonal(&vec![1.0; rates.rows()]);
    let map = identity.plus(rates)?;
    let gram = map.transpose().product(&state.gram().product(&map)?)?;
    GramState::new(state.sizes(), gram)
}

pub(super) fn largest_gap(x: &GramState<f64>, y: &GramState<f64>) -> f64 {
    let pairs = x.gram().entries().iter().zip(y.gram().entries());
    pairs.map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

type DescentStart = (GramState<f64>, Metrics<f64>, Objective);

impl Descent {
    fn start<R: Rng + ?Sized>(&self, rng: &mut R) -> Result<DescentStart, MultimodalError> {
        let sizes = LatentSizes::new(self.signal, self.noise)?;
        let sigma: Vec<f64> = (0..self.signal).map(|p| 2.0 / (1.0 + p as f64)).collect();
        let objective = Objective::Contrastive { tau_squared: self.tau_squared, negatives: self.negatives };
        let start = gaussian_features::<f64, R>(rng, self.width, sizes, &sigma, 0.5)?.gram();
        Ok((start, Metrics::orthogonal(sizes, &sigma, 0.5)?, objective))
    }

    /// (1/h, largest difference of an entry of G from the flow at time `end`).
    pub(super) fn errors<R: Rng + ?Sized>(&self, rng: &mut R) -> Result<Vec<(f64, f64)>, Box<dyn Error + Send + Sync>> {
        let (start, metrics, objective) = self.start(rng)?;
        let flow = gram_orbit(&start, &metrics, objective, &[self.end], 1e-12)?;
        let exact = flow.states.first().ok_or("no state")?;
        (0..4)
            .map(|k| {
                let steps = FIRST_STEPS << k;
                let h = self.end / f64::from(steps);
                let mut now = start.clone();
                for _ in 0..steps {
                    now = step(&now, &metrics, objective, h)?;
                }
                Ok((1.0 / h, largest_gap(&now, exact)))
            })
            .collect()
    }

    /// (T, error of G at time T over h) for gradient descent from one start, h = `end`/1280, at T = `end`/64, …, `end`.
    pub(super) fn constants<R: Rng + ?Sized>(
        &self,
        rng: &mut R,
    ) -> Result<Vec<(f64, f64)>, Box<dyn Error + Send + Sync>> {
        const STEPS: u32 = 1280;
        const PARTS: [u32; 7] = [64, 32, 16, 8, 4, 2, 1];
        let (start, metrics, objective) = self.start(rng)?;
        let times = PARTS.map(|part| self.end / f64::from(part));
        let flow = gram_orbit(&start, &metrics, objective, &times, 1e-12)?;
        let h = self.end / f64::from(STEPS);
        let (mut now, mut found) = (start, Vec::new());
        for k in 1..=STEPS {
            now = step(&now, &metrics, objective, h)?;
            if let Some(at) = PARTS.iter().position(|part| k * part == STEPS) {
                let exact = flow.states.get(at).ok_or("no state")?;
                found.push((times[at], largest_gap(&now, exact) / h));
            }
        }
        Ok(found)
    }
}
