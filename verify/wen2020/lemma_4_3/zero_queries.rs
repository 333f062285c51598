//! A point near the initialisation at which all queries vanish, written out.
//!
//! One hidden layer, two orthogonal inputs: the columns of W_0 are the pre-activations of the two inputs and can be moved
//! independently. For d = 1 the output of input i is Σ_r b_r σ(w_ri); moving w_ri by −f_i b_r/Σ b² on active units, so
//! little that none changes its sign, makes it zero. The squared length of the displacement is Σ_i f_i²/Σ_{r used} b_r²,
//! which is of order 1/m.

use enclosures::probability::list_of_standard_normals;
use enclosures::stream::stream;
use evidence::prelude::*;
use serde::{Deserialize, Serialize};

/// A query encoder with m = `width`, L = 1, d = 1, drawn as Definition 3.2 says, for two orthogonal inputs.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "n = 2, k = 1, x_1 ⊥ x_2, L = 1, d = 1, m = {width}, seed \
                       {seed}", simpler = Self::narrower, stored)]
pub struct ZeroQueries {
    #[instance(range = "1024..=4194304")]
    pub width: usize,
    pub seed: u32,
}

impl ZeroQueries {
    fn narrower(&self) -> Vec<Self> {
        let narrower = ZeroQueries { width: self.width / 2, ..self.clone() };
        Some(narrower).filter(|s| s.validate().is_ok()).into_iter().collect()
    }
}

/// How far away the point is.
pub struct Distance {
    /// ‖W − W^{(0)}‖_F.
    pub distance: Enclosure,
    /// δ^{3/2}/(n³L⁶(log m)^{3/2}).
    pub radius: Enclosure,
}

impl ZeroQueries {
    pub fn measure(&self) -> Result<Distance, MeasureError> {
        let m = self.width;
        let mut rng = stream(u64::from(self.seed), &["zero queries"]);
        let mut draw = |deviation: f64| {
            let mut numbers = list_of_standard_normals(&mut rng, m);
            numbers.iter_mut().for_each(|x| *x *= deviation);
            numbers
        };
        let hidden = (2.0 / m as f64).sqrt();
        let (columns, output) = ([draw(hidden), draw(hidden)], draw(1.0));
        let mut squared = Interval::ZERO;
        for column in &columns {
            squared += Self::squared_displacement(column, &output)?;
        }
        let logarithm = Interval::point(m as f64).ln();
        Ok(Distance {
            distance: squared.sqrt().into(),
            // δ = √2, n = 2, L = 1.
            radius: ((Interval::point(2.0).sqrt() / logarithm).sqrt().powi(3) / 8.0).into(),
        })
    }

    /// f²/Σ b² over the units that are used: active ones which the displacement does not switch off.
    fn squared_displacement(column: &[f64], output: &[f64]) -> Result<Interval, MeasureError> {
        let units = || column.iter().zip(output);
        let value: Interval = units().filter(|(w, _)| **w > 0.0).map(|(&w, &b)| Interval::point(w) * b).sum();
        // Moved by at most 8|f b|/m, because the squares of the b that are used add up to m/8 at least.
        let most = |b: f64| (value * b).magnitude() * 8.0 / column.len() as f64;
        let used: Interval = units().filter(|(w, b)| **w > most(**b)).map(|(_, &b)| Interval::point(b).square()).sum();
        if used.lo() < column.len() as f64 / 8.0 {
            return Err("too few units are active".into());
        }
        Ok(value.square() / used)
    }
}

/// Starts of doubled widths.
pub fn zero_queries() -> Vec<(String, ZeroQueries)> {
    let at = |k: u32| [0, 1].map(|seed| ZeroQueries { width: 1 << k, seed });
    described((10..=21).flat_map(at))
}
