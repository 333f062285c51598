//! A Gaussian mixture on a circle: it can only be sampled, yet integrals over one angle give its losses.
//!
//! A draw of class `c` is `r z/|z|` with `z = N(mu_c, sigma_c^2 I_2)`. With `kappa = |mu_c|/sigma_c`, `delta` the angle to `mu_c`,
//! `c = kappa cos delta` and `Phi` the normal distribution function, its angle has the density
//! `p(delta) = e^{-kappa^2/2} / (2 pi) + c e^{-kappa^2 sin^2(delta)/2} Phi(c) / sqrt(2 pi)`
//! (integrate the density of `z` over its length). It is entire and periodic, and so is every logit, so that the trapezoid rule with
//! `M` equidistant angles is exact up to `e^{-aM}`: the mixture may be replaced by a finite model with `M` atoms per class.
//!
//! # The error of that
//! The loss is an integral of `p ... p log(1 + S)`, `S = sum_i e^{r^2 (cos(t_0 - t_i) - cos(t_0 - t_+))}`, over `N + 2` angles. Move one
//! of them, the others being real, to `t + ib` with `|b| <= a`, where `2 r^2 sinh a <= pi/2`. Every exponent's imaginary part is at
//! most `pi/2`, so `Re S >= 0`, the integrand is analytic in the strip, and `|log(1 + S)| <= log(1 + N e^{2 r^2 cosh a}) + pi/2`. From
//! `p(delta) = e^{-kappa^2/2}/(2 pi) (1 + c int_0^inf e^{ct - t^2/2} dt)` follows
//! `|p| <= e^{-kappa^2/2}/(2 pi) (1 + sqrt(2 pi) k e^{k^2/2})`, `k = kappa cosh a`. The trapezoid rule for a function of period `2 pi` that is
//! at most `B` in the strip errs by at most `4 pi B / (e^{aM} - 1)` (Trefethen and Weideman 2014, theorem 3.2); `N + 2` angles are replaced
//! one after the other. Weights rounded by a total of `e` move the loss by at most `(N + 2) e` times its range.

use core::f64::consts::PI;

use crate::monte_carlo::{GaussianMixture, MonteCarloError};
use contrastive::{Atom, ContrastiveError, LatentClassModel, by_quadrature};
use enclosures::enclosure::Enclosure;
use enclosures::interval::Interval;

/// Angles `M` of the finite model.
const ANGLES: usize = 128;
/// Bound of the summed errors of the probabilities of a class. A density is off by at most ten units of the last place of its largest
/// term, which is at most `1 + kappa` with `kappa <= 8`.
const WEIGHT_ERROR: f64 = 1e-13;
const LARGEST_CONCENTRATION: f64 = 8.0;

/// Gaussian classes around means in the plane, projected to the circle of a radius.
#[derive(Clone, Debug)]
pub(super) struct CircleMixture {
    class_weights: Vec<f64>,
    /// Angle of the mean in half turns, and `kappa`.
    classes: Vec<(f64, f64)>,
    radius: f64,
}

impl CircleMixture {
    /// Classes by weight, angle of the mean in half turns, and `kappa`, on the circle of a radius of at most 4.
    ///
    /// # Errors
    /// [`MonteCarloError::Parameter`] for a `kappa` outside `(0, 8]` or a radius outside `(0, 4]`.
    pub(super) fn new(classes: &[(f64, f64, f64)], radius: f64) -> Result<Self, MonteCarloError> {
        let parameter = |what, value| Err(MonteCarloError::Parameter { what, value });
        if let Some(&(.., kappa)) = classes.iter().find(|c| !(c.2 > 0.0 && c.2 <= LARGEST_CONCENTRATION)) {
            return parameter("concentration of a class (at most 8)", kappa);
        }
        if !(radius > 0.0 && radius <= 4.0) {
            return parameter("radius (at most 4)", radius);
        }
        Ok(CircleMixture {
            class_weights: classes.iter().map(|c| c.0).collect(),
            classes: classes.iter().map(|c| (c.1, c.2)).collect(),
            radius,
        })
    }

    /// What can be sampled.
    ///
    /// # Errors
    /// As [`GaussianMixture::new`].
    pub(super) fn sampler(&self) -> Result<GaussianMixture, MonteCarloError> {
        let mean =
            |&(angle, kappa): &(f64, f64)| vec![kappa * core_math::cospi(angle), kappa * core_math::sinpi(angle)];
        let means = self.classes.iter().map(mean).collect();
        GaussianMixture::new(&self.class_weights, means, &vec![1.0; self.classes.len()])?.on_sphere(self.radius)
    }

    /// The finite model with `angles` atoms per class.
    fn on_grid(&self, angles: usize) -> Result<LatentClassModel, ContrastiveError> {
        let place = |j: usize| 2.0 * j as f64 / angles as f64;
        let atoms = |&(angle, kappa): &(f64, f64)| {
            let atom = |j: usize| Atom {
                weight: density(kappa, place(j) - angle),
                at: vec![self.radius * core_math::cospi(place(j)), self.radius * core_math::sinpi(place(j))],
            };
            (0..angles).map(atom).collect()
        };
        LatentClassModel::new(self.class_weights.clone(), self.classes.iter().map(atoms).collect())
    }

    /// Bound of the trapezoid error of the loss; see the module's text.
    fn grid_error(&self, angles: usize, negatives: u64) -> f64 {
        let square = self.radius * self.radius;
        let a = core_math::asinh(0.25 * PI / square);
        let n = negatives as f64;
        let log = core_math::log1p(n * core_math::exp(2.0 * square * core_math::cosh(a))) + 0.5 * PI;
        let largest = |&(_, kappa): &(f64, f64)| {
            let k = kappa * core_math::cosh(a);
            let peak = core_math::exp(0.5 * (k * k - kappa * kappa));
            (core_math::exp(-0.5 * kappa * kappa) + (2.0 * PI).sqrt() * k * peak) / (2.0 * PI)
        };
        let density = self.classes.iter().map(largest).fold(0.0, f64::max);
        1.01 * (n + 2.0) * 4.0 * PI * density * log / core_math::expm1(a * angles as f64)
    }

    /// Number of atoms of the finite model.
    pub(super) fn atoms(&self) -> usize {
        ANGLES * self.classes.len()
    }

    /// Largest logit in size.
    pub(super) fn largest_logit(&self) -> f64 {
        self.radius * self.radius
    }

    /// The losses of the mixture itself.
    ///
    /// # Errors
    /// As [`by_quadrature`].
    pub(super) fn losses(&self, negatives: &[u64]) -> Result<Vec<Enclosure>, ContrastiveError> {
        let losses = by_quadrature(&self.on_grid(ANGLES)?, negatives)?;
        let widened = |(loss, &n): (Interval, &u64)| {
            // The losses lie in a range of at most 4 r^2; coordinates rounded by 4 u move a logit by at most 16 u r^2.
            let square = self.largest_logit();
            let rounding = (n as f64 + 2.0) * WEIGHT_ERROR * 4.0 * square + 32.0 * f64::EPSILON * square;
            let slack = self.grid_error(ANGLES, n) + rounding;
            Enclosure::from(loss.widened_by(slack))
        };
        Ok(losses.into_iter().zip(negatives).map(widened).collect())
    }
}

/// The density of the angle at `delta` half turns from the mean, per radian.
fn density(kappa: f64, delta: f64) -> f64 {
    let (c, s) = (kappa * core_math::cospi(delta), kappa * core_math::sinpi(delta));
    let below = 0.5 * core_math::erfc(-c / core::f64::consts::SQRT_2);
    let flat = core_math::exp(-0.5 * kappa * kappa) / (2.0 * PI);
    flat + c * core_math::exp(-0.5 * s * s) * below / (2.0 * PI).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::monte_carlo::{ChunkStream, Sampler};

    fn mixture() -> CircleMixture {
        CircleMixture::new(&[(2.0, 0.1, 1.5), (1.0, 0.7, 0.4)], 1.2).unwrap()
    }

    #[test]
    fn the_density_is_that_of_the_draws() {
        for kappa in [0.01, 1.0, 3.0, 8.0] {
            let sum: f64 = (0..512).map(|j| density(kappa, f64::from(j) / 256.0)).sum();
            assert!((sum * 2.0 * PI / 512.0 - 1.0).abs() < 1e-13, "{kappa}: {sum}");
        }
        // The mean of cos and sin of the angle, sampled and integrated.
        let mixture = mixture();
        let (sampler, mut stream) = (mixture.sampler().unwrap(), ChunkStream::new(&[5; 32], 0));
        for (class, &(angle, kappa)) in mixture.classes.iter().enumerate() {
            let (mut mean, count) = ([0.0; 2], 40_000);
            for _ in 0..count {
                let mut at = [0.0; 2];
                sampler.draw_embedding(class, &mut stream, &mut at);
                (mean[0], mean[1]) = (mean[0] + at[0], mean[1] + at[1]);
            }
            let each = |j: i32| density(kappa, f64::from(j) / 256.0) * core_math::cospi(f64::from(j) / 256.0);
            let length: f64 = 1.2 * (0..512).map(each).sum::<f64>() * 2.0 * PI / 512.0;
            for (mean, direction) in mean.iter().zip([core_math::cospi(angle), core_math::sinpi(angle)]) {
                // Standard error at most 1.2 / 200.
                let off = mean / f64::from(count) - length * direction;
                assert!(off.abs() < 0.03, "class {class}: {off}");
            }
        }
    }

    #[test]
    fn the_bound_of_the_grid_error_is_one_and_falls_fast() {
        let mixture = mixture();
        let fine = by_quadrature(&mixture.on_grid(96).unwrap(), &[1, 15]).unwrap();
        for angles in [6, 8, 12, 16] {
            let coarse = by_quadrature(&mixture.on_grid(angles).unwrap(), &[1, 15]).unwrap();
            for ((coarse, fine), n) in coarse.iter().zip(&fine).zip([1, 15]) {
                let (off, bound) = ((coarse.midpoint() - fine.midpoint()).abs(), mixture.grid_error(angles, n));
                assert!(off <= bound, "{angles} angles, N = {n}: {off} {bound}");
            }
        }
        // Six angles are visibly too few: the comparison above is not one of rounding errors.
        let few = by_quadrature(&mixture.on_grid(6).unwrap(), &[1]).unwrap();
        assert!((few[0].midpoint() - fine[0].midpoint()).abs() > 1e-6);
        assert!(mixture.grid_error(ANGLES, 4096) < 1e-12);
    }

    #[test]
    fn parameters_beyond_the_error_bounds_are_refused() {
        assert!(CircleMixture::new(&[(1.0, 0.0, 8.5)], 1.0).is_err());
        assert!(CircleMixture::new(&[(1.0, 0.0, f64::NAN)], 1.0).is_err());
        assert!(CircleMixture::new(&[(1.0, 0.0, 1.0)], 4.5).is_err());
    }
}
