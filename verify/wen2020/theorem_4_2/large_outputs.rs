//! One step of Algorithm 1 at output dimensions far beyond the width.

use evidence::claim::Fixtures;
use evidence::prelude::*;
use serde::{Deserialize, Serialize};

use crate::shared::trainings::{Inputs, total, training};

/// Two orthogonal inputs, one hidden layer of this width, a rate of c d/m, and d doubled from `output`.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, valid = Self::fits, stored)]
pub struct LargeOutputs {
    #[instance(range = "1..=64")]
    width: usize,
    #[instance(range = "1..")]
    output: usize,
    #[instance(range = "2..=12")]
    doublings: u32,
    #[instance(range = "1..")]
    rate_in_thousandths: u32,
    #[instance(range = "1..=32")]
    seeds: u32,
}

impl LargeOutputs {
    fn in_words(&self) -> String {
        let LargeOutputs { width, output, .. } = self;
        let (last, rate) = (output << self.doublings, f64::from(self.rate_in_thousandths) / 1000.0);
        format!("n = 2, k = 1, m = {width}, L = 1, d = {output}, …, {last}, η = γ = {rate} d/m, {} seeds", self.seeds)
    }

    fn fits(&self) -> Result<(), String> {
        if self.output << self.doublings <= 1 << 14 {
            Ok(())
        } else {
            Err("an output of more than 2^14 dimensions".into())
        }
    }
}

impl LargeOutputs {
    /// (d, the largest ‖loss^{(1)}‖ over the seeds).
    pub fn after_one_step(&self, fixtures: &Fixtures) -> Result<Vec<(f64, f64)>, MeasureError> {
        let at = |k: u32| {
            let output = self.output << k;
            let longest = (0..self.seeds).try_fold(0.0f64, |longest, seed| {
                let sizes = [2, 1, 2, self.width, 1, output, 1];
                let s = training(
                    Inputs::Close { angle: std::f64::consts::FRAC_PI_2 },
                    sizes,
                    self.rate_in_thousandths,
                    seed,
                );
                let run = s.run(fixtures)?;
                Ok::<_, MeasureError>(longest.max(total(&run.progress[1]).sqrt()))
            })?;
            Ok((output as f64, longest))
        };
        (0..=self.doublings).map(at).collect()
    }
}

/// d from at least m² or so upwards, at rates of order d/m.
pub fn large_outputs() -> Vec<(String, LargeOutputs)> {
    let of = |width, output, doublings, rate_in_thousandths| LargeOutputs {
        width,
        output,
        doublings,
        rate_in_thousandths,
        seeds: 12,
    };
    described([of(8, 64, 7, 100), of(4, 16, 8, 100), of(4, 64, 8, 30)])
}
