//! The columns of a network of finite width after both stages of training.

use evidence::prelude::*;
use two_view::{GramState, View};

use super::finite_width::{FiniteWidth, TWO_STAGES};

/// σ_ξ² = 1.
pub fn finite(width: u32, sigma: &[f64], noise: u32, time: f64) -> FiniteWidth {
    FiniteWidth { width, sigma_squared: sigma.to_vec(), noise, noise_squared: 1.0, time }
}

/// Moderate widths, with and without noise.
pub fn widths() -> Vec<(&'static str, FiniteWidth)> {
    vec![
        ("m = 50, r = 2, q = 1", finite(50, &[2.0, 1.0], 1, 40.0)),
        ("m = 400, r = 2, q = 1", finite(400, &[2.0, 1.0], 1, 40.0)),
        ("m = 100, r = 3", finite(100, &[4.0, 1.0, 1.0], 0, 40.0)),
    ]
}

/// A state of finite width: cond(κ²) and |cos| between signals, the larger of both views, min ρ, and the noise ratio.
pub struct Columns {
    pub condition: f64,
    pub cosine: f64,
    pub correlation: f64,
    pub noise_ratio: f64,
}

pub fn columns(state: &GramState<f64>) -> Columns {
    let (r, d) = (state.sizes().signal(), state.sizes().latents());
    let square = |view: View, k: usize| state.inner((view, k), (view, k));
    let cosine = |a: (View, usize), b: (View, usize)| state.inner(a, b) / (square(a.0, a.1) * square(b.0, b.1)).sqrt();
    let mut found = Columns {
        condition: 1.0,
        cosine: 0.0,
        correlation: (0..r).map(|p| cosine((View::A, p), (View::B, p))).fold(1.0, f64::min),
        noise_ratio: 0.0,
    };
    for view in [View::A, View::B] {
        let norms: Vec<f64> = (0..d).map(|k| square(view, k)).collect();
        let least = norms[..r].iter().copied().fold(f64::INFINITY, f64::min);
        let most = |list: &[f64]| list.iter().copied().fold(0.0, f64::max);
        found.condition = found.condition.max(most(&norms[..r]) / least);
        found.noise_ratio = found.noise_ratio.max((most(&norms[r..]) / least).sqrt());
        for (p, s) in pairs(0..r, 0..r).filter(|(p, s)| p != s) {
            found.cosine = found.cosine.max(cosine((view, p), (view, s)).abs());
        }
    }
    found
}

/// The ends of both stages from a Gaussian start.
pub fn trained(s: &FiniteWidth, trial: &mut Trial) -> Result<[Columns; 2], MeasureError> {
    let states = s.stages(&s.start(trial.rng())?, &TWO_STAGES, 1)?;
    match states.as_slice() {
        [first, second] => Ok([columns(first), columns(second)]),
        _ => Err("two stages".into()),
    }
}

#[cfg(test)]
mod tests {
    use two_view::{Features, LatentSizes, MatrixBlock};

    use super::*;

    #[test]
    fn columns_are_measured_as_by_hand() {
        // Columns A_1, A_2, A_ξ, B_1, B_2, B_ξ of ℝ³.
        let list =
            [[2.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 0.5], [1.0, 2.0, 0.0], [0.0, -2.0, 0.0], [0.0, 0.0, 6.0]];
        let sizes = LatentSizes::new(2, 1).expect("a signal");
        let state = |list: [[f64; 3]; 6]| {
            Features::new(sizes, MatrixBlock::from_fn(3, 6, |i, j| list[j][i])).expect("six columns").gram()
        };
        let found = columns(&state(list));
        let root = 5f64.sqrt();
        // A: 4 over 1, B: 5 over 4. ⟨B_1, B_2⟩ = −4 between lengths √5 and 2; ⟨A_1, B_1⟩ = 2 between 2 and √5. Noise 6 over 2.
        assert_eq!(found.condition, 4.0);
        assert!((found.cosine - 2.0 / root).abs() < 1e-15, "{}", found.cosine);
        assert!((found.correlation - 1.0 / root).abs() < 1e-15, "{}", found.correlation);
        assert_eq!(found.noise_ratio, 3.0);
        let [a1, a2, a3, b1, b2, b3] = list;
        let swapped = columns(&state([b1, b2, b3, a1, a2, a3]));
        assert_eq!((swapped.condition, swapped.noise_ratio), (4.0, 3.0));
        assert_eq!((swapped.cosine, swapped.correlation), (found.cosine, found.correlation));
    }
}
