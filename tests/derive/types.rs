//! The declared types. The first five stand in the catalogue with hand-written implementations.

use contrapositive::instance::Instance;
use serde::{Deserialize, Serialize};

/// Two numbers, as in the tail sums of wen2020.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Instance)]
pub struct Coins {
    #[instance(symbol = "m", range = "1..=100_000", draw = "1..=60")]
    pub count: u32,
    #[instance(symbol = "p", range = "(0, 1]")]
    pub probability: f64,
}

/// Two vectors of one dimension, as in Lemma D.1 of wen2020.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Instance)]
pub struct Displacement {
    #[instance(symbol = "y", length = "k in 0..", range = "-1e6..=1e6")]
    pub point: Vec<f64>,
    #[instance(symbol = "y′", length = "k", range = "-1e6..=1e6")]
    pub by: Vec<f64>,
}

/// Two matrices of one shape, as in the notation of wen2020.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Instance)]
#[instance(describe = "A = {a:?}, B = {b:?}")]
pub struct Matrices {
    #[instance(length = "m in 1.., n in 1..", range = "-1e6..=1e6")]
    pub a: Vec<Vec<f64>>,
    #[instance(length = "m, n", range = "-1e6..=1e6")]
    pub b: Vec<Vec<f64>>,
}

/// Lists that share a length, numbers beside them, and a condition on all of them, as in the tail sums of wen2020.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Instance)]
#[instance(
    describe = "‖v_i‖² = {squares:?}, P(A_i)/κ = {excess:?}, nκ = {share}, d = {output}",
    valid = Self::probabilities
)]
pub struct Weighted {
    #[instance(length = "n in 1..", range = "0..=1e6", interchangeable)]
    pub squares: Vec<f64>,
    #[instance(length = "n", range = "1..=1e3")]
    pub excess: Vec<f64>,
    #[instance(range = "0<..", draw = "0<..=1")]
    pub share: f64,
    #[instance(range = "1..", draw = "1..=8")]
    pub output: u32,
}

impl Weighted {
    fn probabilities(&self) -> Result<(), String> {
        if self.excess.iter().sum::<f64>() * self.share <= self.squares.len() as f64 {
            Ok(())
        } else {
            Err("probabilities beyond one".into())
        }
    }
}

/// Sizes with lists, as the diagonal starts of ren2023.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Instance)]
#[instance(
    describe = "σ² = {sigma_squared:?}, κ² = {kappa_squared:?}, ρ = {correlation:?}, {noise} noise columns of squared \
                norm {noise_norm_squared} with σ_ξ² = {noise_squared}, τ² = {tau_squared}, K = {negatives}",
    valid = Self::small
)]
pub struct DiagonalStart {
    #[instance(length = "r in 1..=6", range = "1e-4..=1e4", scale = "logarithmic")]
    pub sigma_squared: Vec<f64>,
    #[instance(length = "r", range = "1e-4..=1e4", scale = "logarithmic")]
    pub kappa_squared: Vec<f64>,
    #[instance(length = "r", range = "-1..=1")]
    pub correlation: Vec<f64>,
    #[instance(range = "0..=5")]
    pub noise: usize,
    #[instance(range = "1e-4..=1e4", scale = "logarithmic")]
    pub noise_squared: f64,
    #[instance(range = "0..=1e4")]
    pub noise_norm_squared: f64,
    #[instance(range = "0..=30")]
    pub tau_squared: f64,
    #[instance(range = "1e-4..=1e4", scale = "logarithmic")]
    pub negatives: f64,
}

impl DiagonalStart {
    fn small(&self) -> Result<(), String> {
        let d = self.sigma_squared.len() + self.noise;
        if d <= 6 { Ok(()) } else { Err(format!("r + q = {d} is beyond 6")) }
    }
}

/// Atoms of a law: a probability vector before it is divided by its sum, and points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Instance)]
pub struct Law {
    #[instance(symbol = "p", weights, length = "n in 1..=8", interchangeable)]
    pub weights: Vec<f64>,
    #[instance(symbol = "x", range = "[-1e3, 1e3]", length = "n, d in 1..=3")]
    pub points: Vec<Vec<f64>>,
}

/// A symmetric matrix and an exponent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Instance)]
pub struct Quadratic {
    #[instance(symbol = "A", symmetric, length = "n in 1..=5", range = "-100..=100")]
    pub matrix: Vec<Vec<f64>>,
    #[instance(fixed)]
    pub seed: u64,
}

/// A plain choice.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, Instance)]
pub enum Activation {
    Identity,
    Relu,
    Sigmoid,
}

/// An enum with fields.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Instance)]
pub enum Inputs {
    Circle,
    #[instance(describe = "closer than {angle}")]
    Close {
        #[instance(range = "1e-6<..3.1")]
        angle: f64,
    },
    Given(#[instance(symbol = "x", length = "1..=4", range = "-9..=9")] Vec<f64>),
}

/// A type whose instances say for themselves what they are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ByHand {
    pub x: f64,
}

impl Instance for ByHand {
    fn describe(&self) -> String {
        format!("by hand {}", self.x)
    }

    fn validate(&self) -> Result<(), String> {
        if self.x.abs() <= 2.0 { Ok(()) } else { Err("beyond two".into()) }
    }

    fn edges() -> Vec<(String, Self)> {
        vec![("two".into(), ByHand { x: 2.0 })]
    }
}

/// Everything at once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Instance)]
pub struct Network {
    pub activation: Activation,
    pub inputs: Inputs,
    #[instance(nested)]
    pub start: ByHand,
    #[instance(length = "1..=3", interchangeable)]
    pub layers: Vec<Coins>,
    #[instance(unit = "d/m")]
    pub eta: Option<f64>,
    pub bias: [f64; 2],
    pub biased: bool,
}

/// A run that costs much: described and made simpler by functions, moved by its stored form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, valid = Self::in_step, simpler = Self::halved, stored)]
pub struct Simulation {
    #[instance(symbol = "m", range = "1..=1024")]
    pub width: u32,
    #[instance(range = "0..=10", length = "1..=2")]
    pub times: Vec<f64>,
}

impl Simulation {
    fn in_words(&self) -> String {
        format!("{} units until {:?}", self.width, self.times.last())
    }

    fn in_step(&self) -> Result<(), String> {
        if self.times.is_sorted() { Ok(()) } else { Err("time runs backwards".into()) }
    }

    fn halved(&self) -> Vec<Self> {
        let times = self.times.clone();
        vec![Simulation { width: self.width / 2, times }]
    }
}

/// Fields whose names are those of what the methods work with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Instance)]
pub struct Journey {
    pub from: Coins,
    #[instance(length = "1..=2")]
    pub lengths: Vec<f64>,
    pub survey: f64,
    pub edit: f64,
    pub sentence: f64,
}
