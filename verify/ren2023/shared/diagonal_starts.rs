//! States of the structure (7): both views with the same column norms, all cross terms zero except ⟨[K_A]_p,
//! [K_B]_p⟩.

use evidence::prelude::*;
use proptest::collection::vec;
use proptest::sample::select;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};
use two_view::{
    DiagonalLaw, DiagonalState, GramState, LatentSizes, Metrics, MultimodalError, Objective, Scalar, gram_velocity,
};

#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(
    describe = "σ² = {sigma_squared:?}, κ² = {kappa_squared:?}, ρ = {correlation:?}, {noise} noise columns of squared \
                norm {noise_norm_squared} with σ_ξ² = {noise_squared}, τ² = {tau_squared}, K = {negatives}",
    valid = Self::fits,
    stored
)]
pub struct DiagonalStart {
    #[instance(length = "r in 1..=6", range = "1e-4..=1e4", scale = "logarithmic")]
    pub sigma_squared: Vec<f64>,
    /// κ_p².
    #[instance(length = "r", range = "1e-4..=1e4", scale = "logarithmic")]
    pub kappa_squared: Vec<f64>,
    /// κ̂_p²/κ_p², the correlation of the two columns.
    #[instance(length = "r", range = "-1..=1")]
    pub correlation: Vec<f64>,
    #[instance(range = "0..=5")]
    pub noise: usize,
    #[instance(range = "1e-4..=1e4", scale = "logarithmic")]
    pub noise_squared: f64,
    /// Common squared norm of the noise columns.
    #[instance(range = "0..=1e4")]
    pub noise_norm_squared: f64,
    #[instance(range = "0..=30")]
    pub tau_squared: f64,
    #[instance(range = "1e-4..=1e4", scale = "logarithmic")]
    pub negatives: f64,
}

impl DiagonalStart {
    fn fits(&self) -> Result<(), String> {
        let d = self.sigma_squared.len() + self.noise;
        if d <= 6 { Ok(()) } else { Err(format!("r + q = {d} is beyond 6")) }
    }

    /// The start at infinite width: κ² = σ², ρ = 0, noise columns of squared norm σ_ξ².
    pub fn infinite_width(sigma_squared: &[f64], noise: usize, noise_squared: f64) -> Self {
        DiagonalStart {
            sigma_squared: sigma_squared.to_vec(),
            kappa_squared: sigma_squared.to_vec(),
            correlation: vec![0.0; sigma_squared.len()],
            noise,
            noise_squared,
            noise_norm_squared: noise_squared,
            tau_squared: 1.0,
            negatives: 2.0,
        }
    }

    /// No noise, σ = 1.
    pub fn of(kappa_squared: &[f64], correlation: &[f64]) -> Self {
        let r = kappa_squared.len();
        DiagonalStart {
            kappa_squared: kappa_squared.to_vec(),
            correlation: correlation.to_vec(),
            ..Self::infinite_width(&vec![1.0; r], 0, 1.0)
        }
    }

    pub fn at(mut self, tau_squared: f64, negatives: f64) -> Self {
        (self.tau_squared, self.negatives) = (tau_squared, negatives);
        self
    }

    pub fn with_sigma(mut self, sigma_squared: &[f64]) -> Self {
        self.sigma_squared = sigma_squared.to_vec();
        self
    }

    pub fn signal(&self) -> usize {
        self.sigma_squared.len()
    }

    pub fn sizes(&self) -> Result<LatentSizes, MultimodalError> {
        LatentSizes::new(self.signal(), self.noise)
    }

    pub fn contrastive(&self) -> Objective {
        Objective::Contrastive { tau_squared: self.tau_squared, negatives: self.negatives }
    }

    pub fn kappa<T: Scalar>(&self) -> Vec<T> {
        self.kappa_squared.iter().map(|&k| T::from(k)).collect()
    }

    /// κ̂_p².
    pub fn kappa_hat<T: Scalar>(&self) -> Vec<T> {
        self.kappa_squared.iter().zip(&self.correlation).map(|(&k, &c)| T::from(k) * T::from(c)).collect()
    }

    pub fn diagonal<T: Scalar>(&self) -> DiagonalState<T> {
        let noise = vec![T::from(self.noise_norm_squared); self.noise];
        DiagonalState { a: self.kappa(), b: self.kappa(), h: self.kappa_hat(), noise_a: noise.clone(), noise_b: noise }
    }

    pub fn gram<T: Scalar>(&self) -> Result<GramState<T>, MultimodalError> {
        self.diagonal().gram()
    }

    pub fn law(&self) -> Result<DiagonalLaw, MultimodalError> {
        DiagonalLaw::new(self.sigma_squared.clone(), self.noise_squared, self.noise)
    }

    pub fn metrics<T: Scalar>(&self) -> Result<Metrics<T>, MultimodalError> {
        Metrics::orthogonal(self.sizes()?, &self.sigma_squared, self.noise_squared)
    }

    /// Ġ by the enumeration of all latent states.
    pub fn enumerated_velocity(&self) -> Result<GramState<Interval>, MeasureError> {
        Ok(gram_velocity(&self.gram::<Interval>()?, &self.metrics()?, self.contrastive())?)
    }

    /// T_p = tanh(τ²κ̂_p²/(rN²)) and its argument.
    pub fn tilts(&self) -> Result<Vec<(Interval, Interval)>, MeasureError> {
        let by = self.law()?.selection(&self.diagonal::<Interval>(), self.contrastive())?;
        Ok(by.arguments.iter().map(|&x| (x.tanh(), x)).collect())
    }
}

pub fn families() -> [Family<DiagonalStart>; 2] {
    let named = || {
        let of = DiagonalStart::of;
        vec![
            ("infinite width, σ² = (3, 1)", DiagonalStart::infinite_width(&[3.0, 1.0], 0, 1.0)),
            ("infinite width with noise", DiagonalStart::infinite_width(&[2.0, 1.0], 2, 0.5).at(0.5, 0.5)),
            ("infinite width, σ² = (3, 1, 1, 1)", DiagonalStart::infinite_width(&[3.0, 1.0, 1.0, 1.0], 0, 1.0)),
            ("one direction", of(&[2.0], &[0.5])),
            ("one direction, aligned", of(&[1.0], &[1.0])),
            ("aligned, κ² = (4, 1)", of(&[4.0, 1.0], &[1.0, 1.0]).at(2.0, 2.0)),
            ("aligned and equal", of(&[1.0, 1.0], &[1.0, 1.0]).at(4.0, 0.5)),
            ("τ² = 4, κ̂² = (3, 1)", of(&[4.0, 2.0], &[0.75, 0.5]).at(4.0, 2.0)),
            ("both signs and zero", of(&[1.0, 2.0, 3.0], &[-0.5, 0.0, 1.0]).with_sigma(&[1.0, 2.0, 0.5])),
            ("opposed", of(&[1.0, 2.0], &[-1.0, -1.0]).at(3.0, 0.5)),
            ("σ² = (3, 1), correlated", of(&[2.0, 1.0], &[0.5, 0.25]).with_sigma(&[3.0, 1.0])),
            ("hot", of(&[4.0, 1.0], &[0.5, 0.9]).at(1e-4, 10.0)),
            ("cold", of(&[4.0, 1.0], &[0.5, 0.9]).at(30.0, 0.1)),
            ("no temperature", of(&[4.0, 1.0], &[0.5, 0.9]).at(0.0, 2.0)),
            (
                "strong noise",
                DiagonalStart {
                    noise_norm_squared: 9.0,
                    correlation: vec![0.5],
                    ..DiagonalStart::infinite_width(&[1.0], 3, 2.0)
                },
            ),
            (
                "noise that has died",
                DiagonalStart {
                    noise_norm_squared: 0.0,
                    correlation: vec![0.5, 1.0],
                    ..DiagonalStart::infinite_width(&[1.0, 2.0], 1, 2.0)
                },
            ),
        ]
    };
    [
        edge("named", named),
        random("structure (7)", || {
            let column = (0.3..4.0f64, 0.2..4.0f64, -1.0..1.0f64);
            let noise = (0usize..=1, 0.1..3.0f64, 0.0..3.0f64);
            (vec(column, 1..=3), noise, select(&[0.01, 0.1, 1.0, 3.0, 10.0][..]), select(&[0.1, 0.5, 2.0, 10.0][..]))
                .prop_map(|(columns, (noise, noise_squared, noise_norm_squared), tau_squared, negatives)| {
                    DiagonalStart {
                        sigma_squared: columns.iter().map(|c| c.0).collect(),
                        kappa_squared: columns.iter().map(|c| c.1).collect(),
                        correlation: columns.iter().map(|c| c.2).collect(),
                        noise,
                        noise_squared,
                        noise_norm_squared,
                        tau_squared,
                        negatives,
                    }
                })
        })
        .taking(0.5),
    ]
}

/// Aligned states without noise: ρ_p = 1.
pub fn aligned() -> Family<DiagonalStart> {
    random("aligned, no noise", || {
        let column = (0.3..4.0f64, 0.05..4.0f64);
        let (temperatures, negatives) = (select(&[0.1, 1.0, 3.0, 10.0][..]), select(&[0.1, 0.5, 2.0, 10.0][..]));
        (vec(column, 1..=4), temperatures, negatives).prop_map(|(columns, tau_squared, negatives)| {
            let (sigma, kappa): (Vec<f64>, Vec<f64>) = columns.into_iter().unzip();
            DiagonalStart::of(&kappa, &vec![1.0; kappa.len()]).with_sigma(&sigma).at(tau_squared, negatives)
        })
    })
    .taking(0.25)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_enumerated_velocity_is_that_of_the_diagonal_law() {
        let start = DiagonalStart::of(&[1.0, 0.5], &[0.75, -0.25]).at(0.5, 2.0).with_sigma(&[2.0, 1.0]);
        let enumerated = DiagonalState::of(&start.enumerated_velocity().expect("a velocity"));
        let law = start.law().expect("a law");
        let by_law = law.velocity(&start.diagonal::<Interval>(), start.contrastive()).expect("a velocity");
        let pairs = enumerated.a.iter().zip(&by_law.a).chain(enumerated.h.iter().zip(&by_law.h));
        for (x, y) in pairs {
            assert!(x.intersection(*y).is_some() && x.width() < 1e-9 && y.width() < 1e-9, "{x:?} {y:?}");
        }
        assert!(by_law.h.iter().all(|x| x.magnitude() > 1e-3), "the correlations move");
    }

    #[test]
    fn lists_of_other_lengths_and_large_sizes_are_refused() {
        let start = DiagonalStart::of(&[1.0, 0.5], &[0.75, -0.25]);
        assert_eq!(start.validate(), Ok(()));
        let short = DiagonalStart { correlation: vec![0.5], ..start.clone() };
        assert!(short.validate().is_err());
        let noisy = DiagonalStart { noise: 5, ..start };
        assert_eq!(noisy.validate(), Err("r + q = 7 is beyond 6".to_owned()));
    }
}
