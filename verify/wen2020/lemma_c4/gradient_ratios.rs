//! Gradients at initialisation against loss vectors, for orthogonal inputs or two close ones.

use std::fmt;

use contrastive::network::TwoEncoders;
use enclosures::vectors::{minus, norm};
use evidence::prelude::*;
use serde::{Deserialize, Serialize};

use crate::shared::encoder_pair::shape;
use crate::shared::gradient_sweeps::squared;
use crate::shared::unit_points::{axes, two};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Instance)]
#[serde(rename_all = "lowercase")]
#[instance(describe = Self::to_string, stored)]
pub enum RatioSize {
    Points,
    Layers,
    Output,
    Width,
    Angle,
}

impl fmt::Display for RatioSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RatioSize::Points => "n doubled",
            RatioSize::Layers => "L doubled",
            RatioSize::Output => "d doubled",
            RatioSize::Width => "m doubled",
            RatioSize::Angle => "the angle of the inputs halved, from ⅛,",
        })
    }
}

/// Networks of which one size is doubled (the angle of two inputs halved) again and again; inputs orthogonal unless the
/// angle varies, which then begins at ⅛.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "n = {points}, m = {width}, L = {layers}, d = {output}, {vary} {steps} times", stored)]
pub struct RatioSweep {
    pub vary: RatioSize,
    #[instance(range = "2..")]
    pub points: usize,
    #[instance(range = "1..")]
    pub width: usize,
    #[instance(range = "1..")]
    pub layers: usize,
    #[instance(range = "1..")]
    pub output: usize,
    #[instance(range = "2..=4")]
    pub steps: u32,
}

impl RatioSweep {
    /// d ≤ m at every size.
    pub fn narrow_output(&self) -> bool {
        let output = if self.vary == RatioSize::Output { self.output << self.steps } else { self.output };
        output <= self.width
    }
}

/// One size of a sweep with the extreme ratios for conv-F: ‖∇‖²/((Lm/(nd)) Σ‖·‖²) and ‖∇‖²/((mδ/(n³d)) Σ‖·‖²), query
/// and key side.
pub struct GradientRatios {
    pub factor: f64,
    pub points: f64,
    pub layers: f64,
    /// m/d.
    pub share: f64,
    pub separation: f64,
    pub upper: [f64; 2],
    pub lower: [f64; 2],
}

pub fn ratios(s: &RatioSweep, trial: &mut Trial) -> Result<Vec<GradientRatios>, MeasureError> {
    let seeds = trial.samples(20);
    let mut list = Vec::new();
    for k in 0..=s.steps {
        let factor = 1usize << k;
        let times = |size: RatioSize, value: usize| if s.vary == size { value * factor } else { value };
        let (n, m) = (times(RatioSize::Points, s.points), times(RatioSize::Width, s.width));
        let (layers, d) = (times(RatioSize::Layers, s.layers), times(RatioSize::Output, s.output));
        let points: Vec<Vec<f64>> = if s.vary == RatioSize::Angle {
            two(0.125 / factor as f64)
        } else {
            axes(n).into_iter().step_by(2).collect()
        };
        let separation = norm(&minus(&points[0], &points[1]));
        let share = m as f64 / d as f64;
        let mut found = GradientRatios {
            factor: factor as f64,
            points: n as f64,
            layers: layers as f64,
            share,
            separation,
            upper: [0.0; 2],
            lower: [f64::INFINITY; 2],
        };
        for _ in 0..seeds {
            let encoders = TwoEncoders::initialise(shape(points[0].len(), m, layers, d), trial.rng())?;
            let gradient = encoders.gradient(&points.concat(), (n / 4).max(1))?;
            let (gradients, vectors) = squared(&gradient);
            let sides = [gradients[0] / vectors[0], gradients[1] / vectors[1]];
            let n = n as f64;
            for (side, ratio) in sides.into_iter().enumerate() {
                found.upper[side] = found.upper[side].max(ratio * n / (layers as f64 * share));
                found.lower[side] = found.lower[side].min(ratio * n * n * n / (separation * share));
            }
        }
        list.push(found);
    }
    Ok(list)
}

/// A number of every size and of both sides, against a constant. It is computed for drawn networks in plain
/// floating-point arithmetic, so that it is a measured one.
pub fn each(
    list: &[GradientRatios],
    judge: impl Fn(Enclosure) -> Evaluation,
    of: impl Fn(&GradientRatios, usize) -> f64,
) -> Evaluation {
    let sides = [(0, "query side"), (1, "key side")];
    let parts = sides.iter().flat_map(|&(side, name)| {
        let part =
            |r: &GradientRatios| (format!("{name}, factor {}", r.factor), judge(Enclosure::measured(of(r, side))));
        list.iter().map(part).collect::<Vec<_>>()
    });
    let shown = sides.map(|(side, name)| {
        let values: Vec<String> = list.iter().map(|r| format!("{:.2e}", of(r, side))).collect();
        format!("{name}: {}", values.join(", "))
    });
    all_of(parts.collect::<Vec<_>>()).noting(shown.join("; "))
}
