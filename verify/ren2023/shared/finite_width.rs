//! Gaussian starts of finite width and the flow from them, stage after stage, integrated in Gram coordinates.

use enclosures::stream::Stream;
use evidence::prelude::*;
use serde::{Deserialize, Serialize};
use two_view::{GramOrbit, GramState, LatentSizes, Metrics, Objective, gaussian_features, gram_orbit};

/// Per step of the solver, relative to the largest entry of G at the start.
pub const TOLERANCE: f64 = 1e-10;

/// Sizes and strengths of a Gaussian start, and how long it is followed.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(
    describe = "m = {width}, σ² = {sigma_squared:?}, {noise} noise columns of σ_ξ² = {noise_squared}, until t = {time}",
    valid = Self::fits,
    stored
)]
pub struct FiniteWidth {
    #[instance(range = "1..=20_000", scale = "logarithmic")]
    pub width: u32,
    #[instance(length = "1..=5", range = "1e-3..=1e3", scale = "logarithmic")]
    pub sigma_squared: Vec<f64>,
    #[instance(range = "0..=4")]
    pub noise: u32,
    #[instance(range = "1e-3..=1e3", scale = "logarithmic")]
    pub noise_squared: f64,
    #[instance(range = "0..=200")]
    pub time: f64,
}

impl FiniteWidth {
    fn fits(&self) -> Result<(), String> {
        let d = self.sigma_squared.len() + self.noise as usize;
        if d <= 5 { Ok(()) } else { Err(format!("r + q = {d} is beyond 5")) }
    }

    pub fn sizes(&self) -> Result<LatentSizes, MeasureError> {
        Ok(LatentSizes::new(self.sigma_squared.len(), self.noise as usize)?)
    }

    /// A Gaussian start.
    pub fn start(&self, rng: &mut Stream) -> Result<GramState<f64>, MeasureError> {
        let sizes = self.sizes()?;
        Ok(gaussian_features::<f64, _>(rng, self.width as usize, sizes, &self.sigma_squared, self.noise_squared)?
            .gram())
    }

    /// The states at equal distances of time.
    pub fn follow(&self, start: &GramState<f64>, objective: Objective, times: u32) -> Result<GramOrbit, MeasureError> {
        let metrics = Metrics::orthogonal(self.sizes()?, &self.sigma_squared, self.noise_squared)?;
        let times: Vec<f64> = (1..=times).map(|k| self.time * f64::from(k) / f64::from(times)).collect();
        Ok(gram_orbit(start, &metrics, objective, &times, TOLERANCE)?)
    }
}

/// Small τ_1², then τ_2² = 1, with K = 1.
pub const TWO_STAGES: [Objective; 2] = [
    Objective::Contrastive { tau_squared: 0.01, negatives: 1.0 },
    Objective::Contrastive { tau_squared: 1.0, negatives: 1.0 },
];

impl FiniteWidth {
    /// The states at equal distances of time in every stage, one stage after the other.
    pub fn stages(
        &self,
        start: &GramState<f64>,
        stages: &[Objective],
        times: u32,
    ) -> Result<Vec<GramState<f64>>, MeasureError> {
        let mut states = vec![start.clone()];
        for &objective in stages {
            let now = states.last().cloned().ok_or("no state")?;
            let orbit = self.follow(&now, objective, times)?;
            if orbit.error > 1e-6 {
                return Err(format!("the integration is off by {}", orbit.error).into());
            }
            states.extend(orbit.states);
        }
        states.remove(0);
        Ok(states)
    }

    /// (m, the largest distance of G from the infinite-width trajectory), for several starts at each of several widths.
    pub fn distances(
        &self,
        stages: &[Objective],
        times: u32,
        factors: &[u32],
        trial: &mut Trial,
    ) -> Result<Vec<(f64, f64)>, MeasureError> {
        let wide = GramState::infinite_width(self.sizes()?, &self.sigma_squared, self.noise_squared)?;
        let reference = self.stages(&wide, stages, times)?;
        let (draws, mut points) = (trial.samples_at_least(8), Vec::new());
        for &factor in factors {
            let wider = FiniteWidth { width: self.width * factor, ..self.clone() };
            for _ in 0..draws {
                let states = wider.stages(&wider.start(trial.rng())?, stages, times)?;
                let gap = |(a, b): (&GramState<f64>, &GramState<f64>)| -> f64 {
                    let pairs = a.gram().entries().iter().zip(b.gram().entries());
                    pairs.map(|(x, y)| (x - y) * (x - y)).sum::<f64>().sqrt()
                };
                let largest = states.iter().zip(&reference).map(gap).fold(0.0, f64::max);
                points.push((f64::from(wider.width), largest));
            }
        }
        Ok(points)
    }
}

/// The same numbers as intervals.
pub fn rigorous(state: &GramState<f64>) -> Result<GramState<Interval>, MeasureError> {
    Ok(GramState::new(state.sizes(), state.gram().map(Interval::point))?)
}

#[cfg(test)]
mod tests {
    use enclosures::stream::stream;
    use two_view::View;

    use super::*;

    fn one_signal(width: u32, time: f64) -> FiniteWidth {
        FiniteWidth { width, sigma_squared: vec![3.0], noise: 0, noise_squared: 1.0, time }
    }

    /// One direction without noise keeps κ² = σ² = N², and ρ′ = 2(1 − ρ²) under the positive pairs alone.
    #[test]
    fn one_direction_aligns_as_the_hyperbolic_tangent_of_twice_the_time() {
        let s = one_signal(1, 0.5);
        let start = GramState::infinite_width(s.sizes().expect("a signal"), &s.sigma_squared, 1.0).expect("sizes fit");
        let orbit = s.follow(&start, Objective::NonContrastive, 2).expect("it is integrated");
        assert_eq!(orbit.states.len(), 2);
        for (state, time) in orbit.states.iter().zip([0.25, 0.5]) {
            assert!((state.correlation(0) - core_math::tanh(2.0 * time)).abs() < 1e-8, "t = {time}");
            assert!((state.squared_norm(View::A, 0) - 3.0).abs() < 1e-7);
        }
        // Two stages of one objective are one of twice the length.
        let stages = s.stages(&start, &[Objective::NonContrastive; 2], 1).expect("it is integrated");
        assert_eq!(stages.len(), 2, "the start itself is left out");
        assert!((stages[1].correlation(0) - core_math::tanh(2.0)).abs() < 1e-8);
    }

    #[test]
    fn wide_starts_have_the_gram_matrix_of_infinite_width() {
        let s = FiniteWidth { sigma_squared: vec![4.0, 0.5], noise: 1, noise_squared: 2.0, ..one_signal(20_000, 1.0) };
        let start = s.start(&mut stream(1, &["finite width"])).expect("sizes fit");
        // Each squared norm is a chi-square of 20000 degrees of freedom over 20000: known to a hundredth.
        let expected = [4.0, 0.5, 2.0, 4.0, 0.5, 2.0];
        for (i, square) in expected.into_iter().enumerate() {
            assert!((start.gram().at(i, i) / square - 1.0).abs() < 0.05, "column {i}");
            for (j, other) in expected.into_iter().enumerate().filter(|(j, _)| *j != i) {
                assert!((start.gram().at(i, j) / (square * other).sqrt()).abs() < 0.04, "columns {i}, {j}");
            }
        }
        let exact = rigorous(&start).expect("the same sizes");
        assert!(exact.gram().at(0, 1).contains(start.gram().at(0, 1)) && exact.gram().at(0, 1).width() == 0.0);
    }
}
