//! How norms and correlations of a diagonal state move.

use enclosures::interval::Interval;
use two_view::{DiagonalState, MultimodalError, Objective};

use super::diagonal_points::DiagonalPoint;

/// A diagonal state and its velocity.
pub struct DiagonalMotion {
    pub state: DiagonalState<Interval>,
    pub speed: DiagonalState<Interval>,
    /// q_p.
    pub pulls: Vec<Interval>,
    /// N_A² and N_B².
    pub squares: [Interval; 2],
    /// N_A N_B.
    pub both: Interval,
    /// Ψ.
    pub agreement: Interval,
    /// η, the share of the noise in N_A².
    pub noise_share: Interval,
    /// c_K.
    pub factor: Interval,
    /// σ_ξ² r/q; zero without noise.
    pub noise_rate: Interval,
    strengths: Vec<Interval>,
}

impl DiagonalMotion {
    /// The motion under the contrastive loss at this temperature.
    pub fn at(point: &DiagonalPoint, tau_squared: f64) -> Result<Self, MultimodalError> {
        let (law, state) = (point.law()?, point.state());
        let negatives = point.negatives;
        let objective = Objective::Contrastive { tau_squared, negatives };
        let by = law.selection(&state, objective)?;
        let both = (by.normalisers_squared[0] * by.normalisers_squared[1]).sqrt();
        let r = Interval::point(law.signal());
        let noise: Interval = state.noise_a.iter().copied().sum();
        let k = Interval::point(negatives);
        Ok(DiagonalMotion {
            speed: law.velocity(&state, objective)?,
            agreement: state.h.iter().copied().sum::<Interval>() / (r * both),
            noise_share: noise / by.normalisers_squared[0],
            pulls: by.pulls,
            squares: by.normalisers_squared,
            both,
            factor: 2.0 * k / (1.0 + k),
            noise_rate: point.noise.map_or(Interval::ZERO, |n| r * n.strength / f64::from(n.count)),
            strengths: point.directions.iter().map(|d| Interval::point(d.strength)).collect(),
            state,
        })
    }

    /// The motion at τ = 0.
    pub fn cold(point: &DiagonalPoint) -> Result<Self, MultimodalError> {
        Self::at(point, 0.0)
    }

    pub fn directions(&self) -> std::ops::Range<usize> {
        0..self.strengths.len()
    }

    pub fn strength(&self, p: usize) -> Interval {
        self.strengths[p]
    }

    /// ρ_p.
    pub fn correlation(&self, p: usize) -> Interval {
        self.state.h[p] / (self.state.a[p] * self.state.b[p]).sqrt()
    }

    /// d/dt log ‖[K_A]_p‖² and d/dt log ‖[K_B]_p‖².
    pub fn log_rates(&self, p: usize) -> [Interval; 2] {
        [self.speed.a[p] / self.state.a[p], self.speed.b[p] / self.state.b[p]]
    }

    /// dρ_p/dt.
    pub fn correlation_rate(&self, p: usize) -> Interval {
        let [a, b] = self.log_rates(p);
        self.speed.h[p] / (self.state.a[p] * self.state.b[p]).sqrt() - self.correlation(p) * 0.5 * (a + b)
    }

    /// ν = log(N_A²/N_B²).
    pub fn log_ratio_of_outputs(&self) -> Interval {
        (self.squares[0] / self.squares[1]).ln()
    }

    /// c_K σ_p²/(N_A N_B).
    pub fn pull(&self, p: usize) -> Interval {
        self.factor * self.strengths[p] / self.both
    }

    /// A bound of the relative rates of all columns.
    pub fn pace(&self) -> f64 {
        let ratios = self.directions().map(|p| (self.state.a[p] / self.state.b[p]).sqrt());
        let skew = ratios.map(|x| (x + 1.0 / x).magnitude()).fold(2.0, f64::max);
        let strongest = self.strengths.iter().map(|s| s.magnitude()).fold(self.noise_rate.magnitude(), f64::max);
        4.0 * strongest * (1.0 / self.squares[0] + 1.0 / self.squares[1] + skew / self.both).magnitude()
    }
}

#[cfg(test)]
mod tests {
    use two_view::{Metrics, View, gram_velocity};

    use super::*;
    use crate::shared::diagonal_points::point;

    /// All latent states know nothing of the product form of a diagonal state.
    #[test]
    fn a_diagonal_state_moves_as_the_enumerated_one() {
        let state = point(&[[1.0, 1.0, 0.5, 0.5], [2.0, 0.5, 0.9, -0.25]], Some((0.5, 0.25, 1.0, 1)));
        let motion = DiagonalMotion::at(&state, 0.75).expect("it moves");
        let gram = motion.state.gram().expect("one column for each");
        let metrics = Metrics::orthogonal(gram.sizes(), &[1.0, 2.0], 0.5).expect("the sizes fit");
        let (tau_squared, negatives) = (0.75, state.negatives);
        let moved =
            gram_velocity(&gram, &metrics, Objective::Contrastive { tau_squared, negatives }).expect("it moves");
        let at = |block: &two_view::GramState<Interval>, i: usize, j: usize| block.gram().at(i, j).midpoint();
        for p in motion.directions() {
            for (rate, i) in motion.log_rates(p).into_iter().zip([p, 3 + p]) {
                let expected = at(&moved, i, i) / at(&gram, i, i);
                assert!((rate.midpoint() - expected).abs() < 1e-12, "column {i}");
                assert!(rate.magnitude() <= motion.pace(), "column {i}");
            }
            let cosine = |by: f64| {
                let entry = |i: usize, j: usize| at(&gram, i, j) + by * at(&moved, i, j);
                entry(p, 3 + p) / (entry(p, p) * entry(3 + p, 3 + p)).sqrt()
            };
            assert!((motion.correlation(p).midpoint() - cosine(0.0)).abs() < 1e-14);
            let slope = (cosine(1e-5) - cosine(-1e-5)) / 2e-5;
            assert!((motion.correlation_rate(p).midpoint() - slope).abs() < 1e-8, "direction {p}");
        }
        let squares = [View::A, View::B].map(|v| gram.normaliser_squared(v).expect("an output"));
        let ratio = core_math::log(squares[0].midpoint() / squares[1].midpoint());
        assert!((motion.log_ratio_of_outputs() - ratio).magnitude() < 1e-13);
        assert!((motion.agreement - gram.agreement().expect("outputs")).magnitude() < 1e-13);
    }

    #[test]
    fn one_cold_direction_turns_by_hand() {
        // c_K = 4/3 at K = 2, N² = κ² = 1: ρ′ = 2c_K σ²(1 − ρ²), and the norms rest.
        let motion = DiagonalMotion::cold(&point(&[[3.0, 1.0, 0.5, 0.0]], None)).expect("it moves");
        assert!((motion.correlation_rate(0) - 6.0).magnitude() < 1e-13, "{:?}", motion.correlation_rate(0));
        assert!(motion.log_rates(0).iter().all(|r| r.magnitude() < 1e-13));
        assert!((motion.pull(0) - 4.0).magnitude() < 1e-13 && motion.noise_share.contains(0.0));
        // N² = 1/1 + 3·(¼)/3, σ_ξ² r/q = ½/3; all three noise columns share a fifth of N².
        let noisy = DiagonalMotion::cold(&point(&[[3.0, 1.0, 0.5, 0.0]], Some((0.5, 0.25, 0.0, 3)))).expect("it moves");
        assert!((noisy.squares[0] - 1.25).magnitude() < 1e-14);
        assert!((noisy.noise_rate - 1.0 / 6.0).magnitude() < 1e-15);
        assert!((noisy.noise_share - 0.2).magnitude() < 1e-14, "{:?}", noisy.noise_share);
    }
}
