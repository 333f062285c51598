//! Random networks near a linear one, and how far their outputs and kernels are from it.

use contrastive::network::Activation;
use evidence::prelude::*;
use serde::{Deserialize, Serialize};

use crate::shared::initial_differences::{Difference, draw, draw_in_law};

/// An activation, the sizes of the network and the norm of the point.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(
    describe = "φ = {activation}, d = {d}, z = {z}, h = {h}, ‖x‖ = {norm}",
    valid = Self::has_room,
    simpler = Self::with_smaller_sizes,
    stored
)]
pub struct NearLinearStart {
    pub activation: Activation,
    #[instance(range = "1..")]
    pub d: u32,
    #[instance(range = "1..")]
    pub z: u32,
    #[instance(range = "1..=16384")]
    pub h: u32,
    #[instance(range = "0..=1e6")]
    pub norm: f64,
}

impl NearLinearStart {
    fn has_room(&self) -> Result<(), String> {
        let room = self.h >= self.d.max(self.z);
        room.then_some(()).ok_or_else(|| "h < max(d, z)".into())
    }

    fn with_smaller_sizes(&self) -> Vec<Self> {
        let smaller = [(1, 1, self.h), (1, 1, 1), (self.d, self.z, self.d.max(self.z))];
        let others = smaller.into_iter().filter(|&sizes| sizes != (self.d, self.z, self.h));
        others.map(|(d, z, h)| NearLinearStart { d, z, h, ..self.clone() }).collect()
    }

    pub fn h(&self) -> Enclosure {
        Enclosure::from(self.h)
    }

    pub fn square(&self) -> Enclosure {
        exact(self.norm).square()
    }

    /// The supremum of |φ″|, or over |s| ≤ ‖x‖ if it is infinite: no pre-activation is larger than ‖x‖.
    pub fn curvature(&self) -> Option<Enclosure> {
        let x = exact(self.norm);
        match self.activation {
            Activation::Cubic => Some(6.0 * x),
            Activation::ExponentialMinusOne => Some(x.exp()),
            Activation::HyperbolicSine => Some((x.exp() - (-x).exp()) / 2.0),
            other => other.curvature().map(Enclosure::from),
        }
    }

    /// φ′ is Lipschitz on the line.
    pub fn is_bounded(&self) -> bool {
        self.activation.curvature().is_some()
    }

    /// h ≥ 64z². With more outputs the difference is larger, by √z, and 1/100 for K serves only later.
    pub fn is_wide(&self) -> bool {
        self.h >= 64 * self.z * self.z
    }

    /// d log²h/√h.
    pub fn rate(&self) -> Enclosure {
        f64::from(self.d) * self.h().ln().square() / self.h().sqrt()
    }

    /// 3zc²‖x‖⁴/(4h(h+2)), the bound of the mean square.
    pub fn mean_square(&self, c: Enclosure) -> Enclosure {
        3.0 * f64::from(self.z) * (c * self.square()).square() / (4.0 * self.h() * (self.h() + 2.0))
    }

    /// Whether the bound is not zero: x ≠ 0, and φ is not the identity.
    pub fn bends(&self) -> bool {
        self.norm > 0.0 && self.curvature().is_none_or(|c| c.lo() > 0.0)
    }

    pub fn bounded(&self, right: impl Fn(Enclosure) -> Evaluation) -> Evaluation {
        let missing = || Evaluation::Failed("φ″ is unbounded near zero".into());
        self.curvature().map_or_else(missing, right)
    }
}

/// What was drawn.
pub struct Observed {
    /// Draws of W₁ and W₂ in full.
    pub draws: Vec<Difference>,
    /// Many more of ‖u^φ − u^I‖ alone, from its law.
    pub in_law: Vec<f64>,
}

pub fn observe(s: &NearLinearStart, trial: &mut Trial) -> Result<Observed, MeasureError> {
    let draws = match s.h {
        // So many that a frequency far below 1/4 is told from 1/4 on every budget.
        0..=128 => trial.samples(400).max(500),
        129..=1024 => trial.samples(100),
        _ => trial.samples(20),
    };
    let shape = (s.d as usize, s.z as usize, s.h as usize);
    Ok(Observed {
        draws: (0..draws).map(|_| draw(s.activation, shape, s.norm, trial.rng())).collect::<Result<_, _>>()?,
        // So many that a chance below 2/√h is told from 2/√h at the widest network on every budget.
        in_law: (0..2000)
            .filter(|_| s.h >= 64)
            .map(|_| draw_in_law(s.activation, shape, s.norm, trial.rng()))
            .collect(),
    })
}
