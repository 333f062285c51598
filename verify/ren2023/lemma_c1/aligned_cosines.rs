//! Aligned diagonal states and an infinitesimal perturbation of all cosines: the linear system of Lemmas C.10 to
//! C.14, by automatic differentiation of the velocity of the Gram matrix.

use enclosures::interval::Dual;
use enclosures::vectors::points;
use evidence::claim::pairs_below;
use evidence::prelude::*;
use proptest::collection::vec;
use proptest::sample::select;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};
use two_view::{DiagonalLaw, DiagonalState, GramState, LatentSizes, MatrixBlock, Metrics, Objective, gram_velocity};

/// K_A = K_B with orthogonal columns, orthogonal noise, and a direction in the space of the other cosines. Such
/// directions are those of positive semidefinite matrices whenever their squares are small against 1 − ρ.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(
    describe = "σ² = {sigma_squared:?}, κ² = {kappa_squared:?}, {noise} noise columns of squared norm \
                {noise_norm_squared} with σ_ξ² = {noise_squared}, cosines {cosines:?}, τ² = {tau_squared}, K = \
                {negatives}",
    valid = Self::fits,
    stored
)]
pub struct AlignedCosines {
    #[instance(length = "r in 1..=4", range = "1e-3..=1e3", scale = "logarithmic")]
    pub sigma_squared: Vec<f64>,
    #[instance(length = "r", range = "1e-3..=1e3", scale = "logarithmic")]
    pub kappa_squared: Vec<f64>,
    #[instance(range = "0..=3")]
    pub noise: usize,
    #[instance(range = "1e-3..=1e3", scale = "logarithmic")]
    pub noise_squared: f64,
    #[instance(range = "1e-3..=1e3", scale = "logarithmic")]
    pub noise_norm_squared: f64,
    /// Cosines above the diagonal of the matrix of all 2d columns, row by row; the places of the ρ_p are not read.
    #[instance(range = "-1..=1")]
    pub cosines: Vec<f64>,
    #[instance(range = "0..=60")]
    pub tau_squared: f64,
    #[instance(range = "1e-3..=1e3", scale = "logarithmic")]
    pub negatives: f64,
}

impl AlignedCosines {
    fn fits(&self) -> Result<(), String> {
        let d = self.sigma_squared.len() + self.noise;
        if d <= 4 && self.cosines.len() == d * (2 * d - 1) {
            Ok(())
        } else {
            Err(format!("{} cosines where r + q = {d}, at most 4", self.cosines.len()))
        }
    }
}

type Moving = (Interval, Interval);

/// Linearised velocities, each with the value it belongs to.
pub struct CosineRates {
    /// (u, v) of every mode, by name.
    pub modes: Vec<(String, Vec<Moving>)>,
    /// The largest of the four cosines of each pair of signals.
    pub corners: Vec<Moving>,
    /// (across views, cosine, velocity) of two noise columns.
    pub noise_pairs: Vec<(bool, Interval, Interval)>,
    /// d/dt log(n/min κ²).
    pub noise_ratio: Option<Interval>,
    /// Sizes against which a rate counts as zero.
    pub scale: f64,
    pub rate_scale: f64,
}

impl CosineRates {
    pub fn of(s: &AlignedCosines) -> Result<CosineRates, MeasureError> {
        let (r, d) = (s.sigma_squared.len(), s.sigma_squared.len() + s.noise);
        let sizes = LatentSizes::new(r, s.noise)?;
        let norm = |k: usize| Interval::point(s.kappa_squared.get(k % d).copied().unwrap_or(s.noise_norm_squared));
        let place = |i: usize, j: usize| i * (4 * d - i - 1) / 2 + j - i - 1;
        let partner = |i: usize, j: usize| i % d == j % d && i % d < r;
        let cosine = |i: usize, j: usize| match (i == j, partner(i, j)) {
            (true, _) | (_, true) => Interval::ZERO,
            _ => Interval::point(s.cosines[place(i.min(j), i.max(j))]),
        };
        let entry = |i: usize, j: usize| {
            let length = (norm(i) * norm(j)).sqrt();
            let value = if i == j || partner(i, j) { norm(i) } else { Interval::ZERO };
            Dual::<1> { value, slopes: [length * cosine(i, j)], defined: true }
        };
        let state = GramState::new(sizes, MatrixBlock::from_fn(2 * d, 2 * d, entry))?;
        let metrics = Metrics::<Dual<1>>::orthogonal(sizes, &s.sigma_squared, s.noise_squared)?;
        let objective = Objective::Contrastive { tau_squared: s.tau_squared, negatives: s.negatives };
        let velocity = gram_velocity(&state, &metrics, objective)?;
        let rate = |i: usize| velocity.gram().at(i, i).value / norm(i);
        let moving = |i: usize, j: usize| -> Moving {
            let inner = velocity.gram().at(i, j).slopes[0] / (norm(i) * norm(j)).sqrt();
            (cosine(i, j), inner - cosine(i, j) * (rate(i) + rate(j)) * 0.5)
        };
        let half = |x: Moving, y: Moving, sign: f64| ((x.0 + sign * y.0) * 0.5, (x.1 + sign * y.1) * 0.5);
        let (mut modes, mut corners, mut noise_pairs) = (Vec::new(), Vec::new(), Vec::new());
        for (p, t) in pairs_below(r) {
            let (aa, bb, ab, ba) = (moving(p, t), moving(d + p, d + t), moving(p, d + t), moving(d + p, t));
            for (sign, name) in [(1.0, "sum"), (-1.0, "difference")] {
                let mode = vec![half(aa, bb, sign), half(ab, ba, sign)];
                modes.push((format!("signals {} and {}, {name}", t + 1, p + 1), mode));
            }
            let larger = |x: Moving, y: Moving| if y.0.mignitude() > x.0.mignitude() { y } else { x };
            corners.push([bb, ab, ba].into_iter().fold(aa, larger));
        }
        for (p, k, view) in (0..r).flat_map(|p| (r..d).flat_map(move |k| [(p, k, 0), (p, k, d)])) {
            let mode = vec![moving(p, view + k), moving(d + p, view + k)];
            modes.push((format!("signal {} and noise", p + 1), mode));
        }
        for (k, l) in pairs(r..d, r..d) {
            noise_pairs.push((true, moving(k, d + l).0, moving(k, d + l).1));
            if l < k {
                noise_pairs.push((false, moving(k, l).0, moving(k, l).1));
            }
        }
        let largest =
            |list: &[f64]| list.iter().fold(s.noise_squared * r as f64 / s.noise.max(1) as f64, |m: f64, x| m.max(*x));
        let rate_scale = 8.0 * largest(&s.sigma_squared) / state.normalisers()?.value.lo();
        Ok(CosineRates {
            modes,
            corners,
            noise_pairs,
            noise_ratio: s.noise_ratio()?,
            scale: rate_scale * s.tau_squared.max(1.0),
            rate_scale,
        })
    }
}

impl AlignedCosines {
    fn noise_ratio(&self) -> Result<Option<Interval>, MeasureError> {
        if self.noise == 0 {
            return Ok(None);
        }
        let law = DiagonalLaw::new(self.sigma_squared.clone(), self.noise_squared, self.noise)?;
        let (kappa, noise) = (points(&self.kappa_squared), vec![Interval::point(self.noise_norm_squared); self.noise]);
        let state =
            DiagonalState { a: kappa.clone(), b: kappa.clone(), h: kappa, noise_a: noise.clone(), noise_b: noise };
        let objective = Objective::Contrastive { tau_squared: self.tau_squared, negatives: self.negatives };
        let velocity = law.velocity(&state, objective)?;
        let smallest = (0..self.kappa_squared.len())
            .fold(0, |m, p| if self.kappa_squared[p] < self.kappa_squared[m] { p } else { m });
        Ok(Some(velocity.noise_a[0] / state.noise_a[0] - velocity.a[smallest] / state.a[smallest]))
    }

    fn of(sigma_squared: &[f64], kappa_squared: &[f64], noise: usize, cosines: &[f64], tau_squared: f64) -> Self {
        AlignedCosines {
            sigma_squared: sigma_squared.to_vec(),
            kappa_squared: kappa_squared.to_vec(),
            noise,
            noise_squared: 0.5,
            noise_norm_squared: 0.3,
            cosines: cosines.to_vec(),
            tau_squared,
            negatives: 1.0,
        }
    }
}

fn named() -> Vec<(&'static str, AlignedCosines)> {
    // Columns in the order A_1, A_2, B_1, B_2: the places above the diagonal are AA, –, AB, BA, –, BB.
    let two = |sigma: &[f64], kappa: &[f64], [aa, bb, ab, ba]: [f64; 4], tau: f64| {
        AlignedCosines::of(sigma, kappa, 0, &[aa, 0.0, ab, ba, 0.0, bb], tau)
    };
    vec![
        ("equal cosines", two(&[1.0, 1.0], &[1.0, 1.0], [1.0; 4], 2.0)),
        ("opposed within and across, cold", two(&[1.0, 1.0], &[1.0, 1.0], [-1.0, -1.0, 1.0, 1.0], 20.0)),
        ("opposed within and across, hot", two(&[1.0, 1.0], &[1.0, 1.0], [-1.0, -1.0, 1.0, 1.0], 0.1)),
        ("antisymmetric", two(&[3.0, 1.0], &[4.0, 1.0], [1.0, -1.0, 1.0, -1.0], 4.0)),
        ("antisymmetric across, against the strengths", two(&[1.0, 9.0], &[9.0, 1.0], [0.0, 0.0, 1.0, -1.0], 6.0)),
        ("within only", two(&[1.0, 2.0], &[1.0, 2.0], [1.0, 0.5, 0.0, 0.0], 3.0)),
        ("no cosines", two(&[1.0, 2.0], &[1.0, 2.0], [0.0; 4], 3.0)),
        ("one dominates", two(&[5.0, 1.0], &[100.0, 1.0], [0.5, 0.2, 1.0, -0.3], 10.0)),
        ("signal and noise", AlignedCosines::of(&[1.0], &[1.0], 1, &[1.0, 0.0, -0.5, -0.5, 0.7, 1.0], 3.0)),
        (
            "strong noise",
            AlignedCosines {
                noise_norm_squared: 9.0,
                ..AlignedCosines::of(&[1.0], &[1.0], 1, &[1.0, 0.0, -1.0, 1.0, 0.7, 1.0], 3.0)
            },
        ),
        ("ties for the smallest κ", {
            let cosines: Vec<f64> = (0..28).map(|k| f64::from((k * 5 + 2) % 9 - 4) / 4.0).collect();
            AlignedCosines::of(&[3.0, 1.0], &[1.0, 1.0], 2, &cosines, 2.0)
        }),
    ]
}

/// A state at τ = 0, and one without any pair of columns to speak of.
pub fn other_states() -> Vec<(&'static str, AlignedCosines)> {
    vec![
        ("τ = 0", AlignedCosines::of(&[2.0, 1.0], &[1.0, 1.0], 0, &[1.0; 6], 0.0)),
        ("one signal, no noise", AlignedCosines::of(&[1.0], &[1.0], 0, &[0.0], 1.0)),
    ]
}

pub fn families() -> [Family<AlignedCosines>; 2] {
    [
        edge("named", named),
        random("any pattern", || {
            let sizes = select(&[(1usize, 1usize), (1, 2), (2, 0), (2, 1), (2, 2), (3, 0), (3, 1)][..]);
            let constants = (-2.0..4.0f64, -2.0..2.0f64, -1.5..1.5f64, -3.0..1.5f64);
            (sizes, constants).prop_flat_map(|((r, noise), (tau, k, noise_squared, noise_norm))| {
                let d = r + noise;
                let column = (-1.5..1.5f64, -1.5..1.5f64);
                (vec(column, r), vec(-1.0..1.0f64, d * (2 * d - 1))).prop_map(move |(columns, cosines)| {
                    let exp = |x: f64| Interval::point(x).exp().midpoint();
                    AlignedCosines {
                        sigma_squared: columns.iter().map(|c| exp(c.0)).collect(),
                        kappa_squared: columns.iter().map(|c| exp(c.1)).collect(),
                        noise,
                        noise_squared: exp(noise_squared),
                        noise_norm_squared: exp(noise_norm),
                        cosines,
                        tau_squared: exp(tau),
                        negatives: exp(k),
                    }
                })
            })
        })
        .taking(0.5),
    ]
}
