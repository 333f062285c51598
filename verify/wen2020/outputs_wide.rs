//! An output dimension beyond the width, and the constant of a bound in √(m/d).

use enclosures::enclosure::{Enclosure, exact};
use enclosures::probability::IncrementLaw;
use evidence::instance::Instance;
use serde::{Deserialize, Serialize};

/// Width m, output dimension d, constant C.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WideOutput {
    pub width: u32,
    pub output: f64,
    pub factor: f64,
}

impl Instance for WideOutput {
    fn describe(&self) -> String {
        format!("m = {}, d = {}, C = {}", self.width, self.output, self.factor)
    }

    fn validate(&self) -> Result<(), String> {
        let sound = (1.0..=1e12).contains(&self.output) && (0.01..=1e4).contains(&self.factor);
        if sound && (1..=10_000).contains(&self.width) {
            Ok(())
        } else {
            Err("m not in 1 to 10000, d not in [1, 1e12], or C not in [0.01, 1e4]".into())
        }
    }
}

impl WideOutput {
    /// P(‖h_0‖² ≤ C²m/d), L = 1.
    pub fn success(&self) -> Enclosure {
        let square = exact(self.factor).square() * f64::from(self.width) / self.output;
        IncrementLaw::new(self.width).cdf(square.interval()).into()
    }
}
