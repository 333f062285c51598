//! An output dimension beyond the width, and the constant of a bound in √(m/d).

use enclosures::probability::IncrementLaw;
use evidence::prelude::*;
use serde::{Deserialize, Serialize};

/// Width m, output dimension d, constant C.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(stored)]
pub struct WideOutput {
    #[instance(symbol = "m", range = "1..=10_000")]
    pub width: u32,
    #[instance(symbol = "d", range = "1..=1e12", scale = "logarithmic")]
    pub output: f64,
    #[instance(symbol = "C", range = "0.01..=1e4", scale = "logarithmic")]
    pub factor: f64,
}

impl WideOutput {
    /// P(‖h_0‖² ≤ C²m/d), L = 1.
    pub fn success(&self) -> Enclosure {
        let square = exact(self.factor).square() * f64::from(self.width) / self.output;
        IncrementLaw::new(self.width).cdf(square.interval()).into()
    }
}
