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
            noise_rate: point
                .noise
                .map_or(Interval::ZERO, |n| r * n.strength / f64::from(n.count)),
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
        let strongest = self
            .strengths
            .iter()
            .map(|s| s.magnitude())
            .fold(self.noise_rate.magnitude(), f64::max);
        4.0 * strongest * (1.0 / self.squares[0] + 1.0 / self.squares[1] + skew / self.both).magnitude()
    }
}
