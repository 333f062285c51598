//! Gradient descent in place of the flow, and batches in place of expectations (Section D).

use std::error::Error;

use enclosures::interval::Interval;
use evidence::instance::Instance;
use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};
use two_view::{
    Block, Enumeration, GramState, LatentSizes, Metrics, MultimodalError, Objective, Selection, feature_rates,
    gaussian_features, gram_orbit, rates_of, signs,
};

/// A Gaussian start (drawn by the trial) and the step sizes of gradient descent up to time `end`: `end`/20, halved
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
        if self.signal + self.noise <= 6 {
            Ok(())
        } else {
            Err("r + q is beyond 6".into())
        }
    }
}

/// Steps of the coarsest run.
const FIRST_STEPS: u32 = 20;

/// G ↦ (I + hR)^T G (I + hR): one step of gradient descent on the weights, in Gram coordinates.
fn step(
    state: &GramState<f64>,
    metrics: &Metrics<f64>,
    objective: Objective,
    h: f64,
) -> Result<GramState<f64>, MultimodalError> {
    moved(state, &feature_rates(state, metrics, objective)?.scaled(h))
}

/// G ↦ (I + R)^T G (I + R).
fn moved(state: &GramState<f64>, rates: &Block<f64>) -> Result<GramState<f64>, MultimodalError> {
    let identity = Block::diagonal(&vec![1.0; rates.rows()]);
    let map = identity.plus(rates)?;
    let gram = map.transpose().product(&state.gram().product(&map)?)?;
    GramState::new(state.sizes(), gram)
}

fn largest_gap(x: &GramState<f64>, y: &GramState<f64>) -> f64 {
    let pairs = x.gram().entries().iter().zip(y.gram().entries());
    pairs.map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}

type Start = (GramState<f64>, Metrics<f64>, Objective);

impl Descent {
    fn start<R: Rng + ?Sized>(&self, rng: &mut R) -> Result<Start, MultimodalError> {
        let sizes = LatentSizes::new(self.signal, self.noise)?;
        let sigma: Vec<f64> = (0..self.signal).map(|p| 2.0 / (1.0 + p as f64)).collect();
        let objective = Objective::Contrastive {
            tau_squared: self.tau_squared,
            negatives: self.negatives,
        };
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
}

impl Descent {
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

/// Gradient descent on batches from a Gaussian start: r = 2, no noise, σ² = (2, 1), h = 1/16 up to time `end`.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(stored)]
pub(super) struct Sampled {
    #[instance(symbol = "m", range = "2..=100")]
    pub(super) width: usize,
    #[instance(range = "1e-3..=10", scale = "logarithmic")]
    pub(super) tau_squared: f64,
    #[instance(symbol = "K", range = "1e-3..=1e3", scale = "logarithmic")]
    pub(super) negatives: f64,
    #[instance(symbol = "T", range = "0.5..=16", scale = "logarithmic")]
    pub(super) end: f64,
}

impl Sampled {
    /// (n, root mean square over the runs of the largest difference of an entry of G from descent with the population
    /// gradient).
    pub(super) fn errors<R: Rng + ?Sized>(&self, rng: &mut R) -> Result<Vec<(f64, f64)>, Box<dyn Error + Send + Sync>> {
        const STEP: f64 = 1.0 / 16.0;
        const RUNS: u32 = 64;
        let sizes = LatentSizes::new(2, 0)?;
        let sigma = [2.0, 1.0];
        let metrics = Metrics::orthogonal(sizes, &sigma, 1.0)?;
        let start = gaussian_features::<f64, R>(rng, self.width, sizes, &sigma, 1.0)?.gram();
        let objective = Objective::Contrastive {
            tau_squared: self.tau_squared,
            negatives: self.negatives,
        };
        let steps = (self.end / STEP) as u32;
        let mut expected = start.clone();
        for _ in 0..steps {
            expected = step(&expected, &metrics, objective, STEP)?;
        }
        let mut errors = Vec::new();
        for n in (4..=10).map(|k| 1u32 << k) {
            let mut sum = 0.0;
            for _ in 0..RUNS {
                let mut now = start.clone();
                for _ in 0..steps {
                    let mut counts = [0u32; STATES];
                    (0..n).for_each(|_| counts[rng.random_range(0..STATES)] += 1);
                    let rates = rates_of(&now, &metrics, &self.estimate(&now, counts)?)?;
                    now = moved(&now, &rates.scaled(STEP))?;
                }
                let gap = largest_gap(&now, &expected);
                sum += gap * gap;
            }
            errors.push((f64::from(n), (sum / f64::from(RUNS)).sqrt()));
        }
        Ok(errors)
    }

    /// Q and Q_0 of a batch with these numbers of the four latent states.
    fn estimate(&self, state: &GramState<f64>, counts: [u32; STATES]) -> Result<Selection<f64>, MultimodalError> {
        let cross = state.cross()?;
        let batch = Batches {
            cross: [cross.at(0, 0), cross.at(0, 1), cross.at(1, 0), cross.at(1, 1)],
            tau_squared: self.tau_squared,
            negatives: self.negatives,
        };
        let q = batch.of_counts(&batch.weights(), counts);
        let mut selection = Selection::of(state, Objective::NonContrastive)?;
        selection.matrix = Block::new(2, 2, q.to_vec())?;
        // rQ_0 = tr(CQ), for a batch as for the population.
        selection.scalar = (0..2)
            .flat_map(|i| (0..2).map(move |j| (i, j)))
            .map(|(i, j)| cross.at(i, j) * q[2 * j + i])
            .sum::<f64>()
            / 2.0;
        Ok(selection)
    }
}

/// Batches of n samples from r = 2 signals without noise, M any 2x2 matrix.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(stored)]
pub(super) struct Batches {
    /// M, row by row.
    #[instance(symbol = "M", range = "-10..=10")]
    pub(super) cross: [f64; 4],
    #[instance(range = "1e-3..=10", scale = "logarithmic")]
    pub(super) tau_squared: f64,
    #[instance(symbol = "K", range = "1e-3..=1e3", scale = "logarithmic")]
    pub(super) negatives: f64,
}

/// Errors of a batch estimate of Q, in Frobenius norm.
pub(super) struct BatchErrors {
    pub(super) size: f64,
    /// Root mean square error with negatives from the population, and from the batch.
    pub(super) population: f64,
    pub(super) batch: f64,
    /// Norm of the bias with negatives from the batch.
    pub(super) bias: f64,
}

const STATES: usize = 4;

impl Batches {
    fn coordinates() -> [[f64; 2]; STATES] {
        std::array::from_fn(|s| {
            let z = signs(2, s);
            [z[0] / core::f64::consts::SQRT_2, z[1] / core::f64::consts::SQRT_2]
        })
    }

    fn weights(&self) -> [[f64; STATES]; STATES] {
        let z = Self::coordinates();
        std::array::from_fn(|s| {
            std::array::from_fn(|t| {
                let inner: f64 = (0..4).map(|k| z[s][k / 2] * self.cross[k] * z[t][k % 2]).sum();
                core_math::exp(self.tau_squared * inner)
            })
        })
    }

    /// The contribution of one anchor s to Q (rows z_B, columns z_A) when the negatives have these shares.
    fn anchored(&self, e: &[[f64; STATES]; STATES], s: usize, shares: [f64; STATES]) -> [f64; 4] {
        let z = Self::coordinates();
        let row: f64 = (0..STATES).map(|t| shares[t] * e[s][t]).sum();
        let column: f64 = (0..STATES).map(|t| shares[t] * e[t][s]).sum();
        let rest_a = self.negatives * row / (e[s][s] + self.negatives * row);
        let rest_b = self.negatives * column / (e[s][s] + self.negatives * column);
        std::array::from_fn(|k| {
            let (i, j) = (k / 2, k % 2);
            let tilted_b: f64 = (0..STATES).map(|t| shares[t] * e[s][t] / row * z[t][i]).sum();
            let tilted_a: f64 = (0..STATES).map(|t| shares[t] * e[t][s] / column * z[t][j]).sum();
            2.0 * ((rest_a + rest_b) * z[s][i] * z[s][j] - rest_a * tilted_b * z[s][j] - rest_b * z[s][i] * tilted_a)
        })
    }

    /// Q of a batch with these numbers of the four states, each anchor against all others.
    fn of_counts(&self, e: &[[f64; STATES]; STATES], m: [u32; STATES]) -> [f64; 4] {
        let n: u32 = m.iter().sum();
        let mut estimate = [0.0; 4];
        for s in (0..STATES).filter(|&s| m[s] > 0) {
            let shares = std::array::from_fn(|t| f64::from(m[t] - u32::from(t == s)) / f64::from(n - 1));
            let part = self.anchored(e, s, shares);
            (0..4).for_each(|k| estimate[k] += f64::from(m[s]) / f64::from(n) * part[k]);
        }
        estimate
    }

    /// Q by the enumeration of the population.
    pub(super) fn population(&self) -> Result<[f64; 4], MultimodalError> {
        let cross = Block::new(2, 2, self.cross.to_vec())?;
        let all = Enumeration::new(LatentSizes::new(2, 0)?, &cross, self.tau_squared, self.negatives)?;
        let q = all.matrix_of(&all.pulls());
        Ok([q.at(0, 0), q.at(0, 1), q.at(1, 0), q.at(1, 1)])
    }

    /// The errors at batch size n, over all compositions of a batch of the four states: no sampling.
    pub(super) fn errors(&self, n: u32) -> Result<BatchErrors, Box<dyn Error + Send + Sync>> {
        let (target, e) = (self.population()?, self.weights());
        let square = |x: [f64; 4]| x.iter().map(|v| v * v).sum::<f64>();
        let gap = |x: [f64; 4]| -> [f64; 4] { std::array::from_fn(|k| x[k] - target[k]) };
        let single: f64 = (0..STATES)
            .map(|s| square(gap(self.anchored(&e, s, [0.25; STATES]))))
            .sum::<f64>()
            / 4.0;
        let factorial: Vec<f64> = (0..=n)
            .scan(0.0, |log, k| {
                *log += if k > 0 { core_math::log(f64::from(k)) } else { 0.0 };
                Some(*log)
            })
            .collect();
        let (mut mean, mut second) = ([0.0; 4], 0.0);
        for m in compositions(n) {
            let log = factorial[n as usize]
                - m.iter().map(|&k| factorial[k as usize]).sum::<f64>()
                - f64::from(n) * core_math::log(4.0);
            let chance = core_math::exp(log);
            let estimate = self.of_counts(&e, m);
            (0..4).for_each(|k| mean[k] += chance * estimate[k]);
            second += chance * square(gap(estimate));
        }
        Ok(BatchErrors {
            size: f64::from(n),
            population: (single / f64::from(n)).sqrt(),
            batch: second.sqrt(),
            bias: square(gap(mean)).sqrt(),
        })
    }
}

/// All ways to write n as an ordered sum of four counts.
fn compositions(n: u32) -> impl Iterator<Item = [u32; STATES]> {
    (0..=n).flat_map(move |a| (0..=n - a).flat_map(move |b| (0..=n - a - b).map(move |c| [a, b, c, n - a - b - c])))
}

/// Weights of both views (m x d each, row by row) for d = r + q inputs with orthogonal maps, and a step size.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(
    describe = "m = {width}, σ² = {sigma_squared:?}, σ_ξ² = {noise_squared:?}, τ² = {tau_squared}, K = {negatives}, h = {step}, W = \
                {weights:?}",
    valid = Self::has_outputs,
    stored
)]
pub(super) struct Step {
    #[instance(range = "1..=3")]
    pub(super) width: usize,
    #[instance(length = "1..=3", range = "1e-3..=1e3", scale = "logarithmic")]
    pub(super) sigma_squared: Vec<f64>,
    #[instance(length = "..=2", range = "1e-3..=1e3", scale = "logarithmic")]
    pub(super) noise_squared: Vec<f64>,
    #[instance(range = "-100..=100")]
    pub(super) weights: [Vec<f64>; 2],
    #[instance(range = "1e-3..=20", scale = "logarithmic")]
    pub(super) tau_squared: f64,
    #[instance(range = "1e-3..=1e3", scale = "logarithmic")]
    pub(super) negatives: f64,
    #[instance(range = "0..=10")]
    pub(super) step: f64,
}

impl Step {
    fn has_outputs(&self) -> Result<(), String> {
        let d = self.sigma_squared.len() + self.noise_squared.len();
        if d > 3 || self.weights[0].len() != self.width * d {
            return Err("r + q is beyond 3, or the weights do not fit".into());
        }
        // The normaliser is a mean of squares; a view without output has none.
        match self.weights.iter().any(|w| w.iter().all(|x| x.abs() < 1e-3)) {
            true => Err("a view without output".into()),
            false => Ok(()),
        }
    }
}

impl Step {
    pub(super) fn d(&self) -> usize {
        self.sigma_squared.len() + self.noise_squared.len()
    }

    pub(super) fn map(&self) -> Block<Interval> {
        let scales = self
            .sigma_squared
            .iter()
            .chain(&self.noise_squared)
            .map(|&x| Interval::point(x).sqrt());
        Block::diagonal(&scales.collect::<Vec<_>>())
    }

    pub(super) fn weights_of(&self, view: usize) -> Result<Block<Interval>, MultimodalError> {
        Block::new(
            self.width,
            self.d(),
            self.weights[view].iter().map(|&x| Interval::point(x)).collect(),
        )
    }
}
