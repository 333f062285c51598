//! How the time of the exact losses grows with every size, as the exponent of a power.

use contrastive::data::LabelledPoints;
use estimators::exact::{LossOptions, exact_unsupervised_losses};

use crate::Answer;
use crate::data::{mixture, pixels};
use crate::rows::timed;

/// What grows, what one expects of the exponent at its upper end, and how a size is measured.
pub struct Sizes {
    pub over: &'static str,
    pub expected: &'static str,
    sizes: &'static [f64],
    points: fn(f64) -> Answer<(LabelledPoints, u64)>,
}

/// The times of a sweep.
pub struct Sweep {
    pub over: &'static str,
    pub expected: &'static str,
    /// Size and seconds.
    pub times: Vec<(f64, f64)>,
}

pub const SWEEPS: [Sizes; 5] = [
    Sizes {
        over: "points n (d = 64, N = 255)",
        expected: "2",
        sizes: &[1000.0, 2000.0, 4000.0, 8000.0, 16_000.0],
        points: |n| Ok((mixture(n as usize, 64, 10)?, 255)),
    },
    Sizes {
        over: "coordinates d (n = 4000, N = 255)",
        expected: "towards 1",
        sizes: &[16.0, 64.0, 256.0, 1024.0],
        points: |d| Ok((mixture(4000, d as usize, 10)?, 255)),
    },
    Sizes {
        over: "negatives N (n = 4000, d = 64)",
        expected: "0",
        sizes: &[1.0, 16.0, 256.0, 4096.0, 65_536.0],
        points: |number| Ok((mixture(4000, 64, 10)?, number as u64)),
    },
    Sizes {
        over: "classes (n = 4000, d = 64, N = 255)",
        expected: "0",
        sizes: &[2.0, 20.0, 200.0, 2000.0],
        points: |classes| Ok((mixture(4000, 64, classes as usize)?, 255)),
    },
    Sizes {
        over: "scale of raw pixels (1797 x 64, N = 255)",
        expected: "0 in the end",
        sizes: &[1.0, 4.0, 16.0, 64.0, 255.0],
        points: |scale| Ok((pixels(scale)?, 255)),
    },
];

/// The exact loss at every size.
pub fn measured(sizes: &Sizes) -> Answer<Sweep> {
    let mut times = Vec::new();
    for &size in sizes.sizes {
        let (points, number) = (sizes.points)(size)?;
        let options = LossOptions {
            temperature: if sizes.over.starts_with("scale") { 1.0 } else { 0.2 },
            ..LossOptions::default()
        };
        let run = || Ok(exact_unsupervised_losses(&points, &[number], &options)?);
        times.push((size, timed(run)?.0));
    }
    Ok(Sweep { over: sizes.over, expected: sizes.expected, times })
}

impl Sweep {
    /// The exponent between the last two sizes.
    pub fn exponent(&self) -> f64 {
        let [.., (a, s), (b, t)] = self.times[..] else {
            return f64::NAN;
        };
        core_math::log(t / s) / core_math::log(b / a)
    }
}
