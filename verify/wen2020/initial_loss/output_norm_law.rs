//! The law of the norm of an output at initialisation.

use enclosures::probability::clopper_pearson;
use enclosures::probability::{IncrementLaw, chi_square, chi_square_lower_tail, hidden_norms};
use evidence::prelude::*;
use serde::{Deserialize, Serialize};

/// Sizes of one network and the window for its output.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(stored)]
pub struct OutputNorm {
    #[instance(symbol = "m", range = "1..=1000")]
    pub width: u32,
    #[instance(symbol = "L", range = "1..=64")]
    pub layers: u32,
    #[instance(symbol = "d", range = "1..=1000")]
    pub output: u32,
}

impl OutputNorm {
    /// P(‖f‖ > 2): bounded from above by cells for one layer, sampled for more.
    pub fn excess(&self, trial: &mut Trial) -> Result<Enclosure, MeasureError> {
        if self.layers > 1 {
            let runs = trial.samples(4000);
            let (m, d) = (self.width, self.output);
            let square = |trial: &mut Trial| {
                let hidden = hidden_norms(trial.rng(), m).nth(self.layers as usize - 1).unwrap_or(0.0);
                hidden * hidden * chi_square(trial.rng(), d) / f64::from(d)
            };
            let found = (0..runs).filter(|_| square(trial) > 4.0).count();
            return Ok(clopper_pearson(found as u64, runs as u64, trial.alpha(1))?);
        }
        const CELLS: u32 = 64;
        let law = IncrementLaw::new(self.width);
        let at = |cell: u32| Interval::point(f64::from(cell) / 8.0);
        let tail = |y: Interval| {
            let freedom = Interval::point(f64::from(self.output));
            // Beyond 1350 the tail is not computed; that of 1350 is larger.
            1.0 - Enclosure::from(chi_square_lower_tail(self.output, (4.0 * freedom / y).min(Interval::point(1350.0))))
        };
        let cdf = |cell: u32| Enclosure::from(law.cdf(at(cell)));
        let cells = (0..CELLS).map(|cell| (cdf(cell + 1) - cdf(cell)) * tail(at(cell + 1)));
        let total = cells.sum::<Enclosure>() + (1.0 - cdf(CELLS));
        Ok(Enclosure::between(0.0, total.hi().clamp(0.0, 1.0)))
    }

    pub fn allowed(&self, output: f64, width: f64) -> Enclosure {
        (-(output * Enclosure::from(self.output))).exp()
            + (-(width * exact(f64::from(self.width)) / f64::from(self.layers))).exp()
    }
}
