//! The cosines and norm ratios of (11) along the flow of the positive pairs, from any features.

use evidence::prelude::*;
use two_view::{Features, GramState, LatentSizes, MatrixBlock, Metrics, Objective, View, gram_orbit};

use crate::shared::high_temperature::HighTemperature;

/// Largest |cos| between signals, and between signals and noise or noises of different views.
#[derive(Clone, Copy)]
pub struct FeatureCosines {
    pub signals: f64,
    pub signal_noise: f64,
    pub noises: f64,
}

fn cosines(g: &GramState<f64>) -> FeatureCosines {
    let (r, d) = (g.sizes().signal(), g.sizes().latents());
    let mut worst = FeatureCosines { signals: 0.0, signal_noise: 0.0, noises: 0.0 };
    for (view, i) in [View::A, View::B].into_iter().flat_map(|v| (0..d).map(move |i| (v, i))) {
        for (other, j) in [View::A, View::B].into_iter().flat_map(|v| (0..d).map(move |j| (v, j))) {
            let size = (g.squared_norm(view, i) * g.squared_norm(other, j)).sqrt();
            let cos = g.inner((view, i), (other, j)).abs() / size;
            let slot = match (i < r, j < r) {
                (true, true) if i != j => &mut worst.signals,
                (true, false) => &mut worst.signal_noise,
                (false, false) if view != other => &mut worst.noises,
                _ => continue,
            };
            *slot = slot.max(cos);
        }
    }
    worst
}

/// Cosines of a flow of the positive pairs at its start and at their largest later; the spread of the noise norms of
/// view A at both ends; the factor 2/(1 + min ρ(0)).
pub struct Errors {
    pub start: FeatureCosines,
    pub largest: FeatureCosines,
    pub spread: [f64; 2],
    pub factor: f64,
}

/// Follows signals of strengths 1, 2, … and noise of strength ½.
pub fn errors(s: &HighTemperature) -> Result<Errors, MeasureError> {
    let sizes = LatentSizes::new(s.signal, s.noise)?;
    let (r, d) = (s.signal, s.signal + s.noise);
    let stacked = MatrixBlock::from_fn(s.rows.len(), 2 * d, |i, j| s.rows[i][j]);
    let start = Features::new(sizes, stacked)?.gram();
    let strengths: Vec<f64> = (0..r).map(|p| 1.0 + p as f64).collect();
    let metrics = Metrics::orthogonal(sizes, &strengths, 0.5)?;
    // Velocities are of the order σ²/(N_A N_B).
    let unit = start.normalisers()?;
    let orbit =
        gram_orbit(&start, &metrics, Objective::NonContrastive, &[0.25, 0.5, 1.0, 2.0].map(|t| t * unit), 1e-10)?;
    if orbit.error > 1e-4 {
        return Err(format!("the integration is off by {}", orbit.error).into());
    }
    let mut largest = cosines(&start);
    for state in &orbit.states {
        let now = cosines(state);
        largest.signals = largest.signals.max(now.signals);
        largest.signal_noise = largest.signal_noise.max(now.signal_noise);
        largest.noises = largest.noises.max(now.noises);
    }
    let spread = |g: &GramState<f64>| {
        let norms: Vec<f64> = (r..d).map(|k| g.squared_norm(View::A, k)).collect();
        let (least, most) = norms.iter().fold((f64::INFINITY, 0.0f64), |(l, m), &n| (l.min(n), m.max(n)));
        if norms.is_empty() { 1.0 } else { most / least }
    };
    let least = (0..r).map(|p| start.correlation(p)).fold(1.0, f64::min);
    Ok(Errors {
        spread: [spread(&start), orbit.states.last().map_or(f64::NAN, spread)],
        start: cosines(&start),
        largest,
        factor: 2.0 / (1.0 + least),
    })
}

/// Two aligned pairs to be: ρ_p = 0, and all four cosines between different signals are 0.1.
pub fn four_equal_cosines() -> Vec<(&'static str, HighTemperature)> {
    let rows = vec![
        vec![1.0, 0.1, 0.0, 0.1],
        vec![0.0, 0.1, 1.0, 0.1],
        vec![0.0, 0.98995, 0.0, -0.020203],
        vec![0.0, 0.0, 0.0, 0.98975],
    ];
    vec![("ρ = 0, four equal cosines", HighTemperature { signal: 2, noise: 0, rows, tau_squared: 0.0, negatives: 1.0 })]
}
