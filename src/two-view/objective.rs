//! The two losses.

use super::MultimodalError;
use super::error::check_domain;

/// What the flow descends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Objective {
    /// `L = -E log S_A - E log S_B`, with the time scale `W' = -(r/τ^2) ∇L` (the limit τ -> 0 included).
    Contrastive {
        /// Inverse temperature `τ^2 >= 0`.
        tau_squared: f64,
        /// Strength K > 0 of the negatives.
        negatives: f64,
    },
    /// `L_nc = -E<f_A^+, f_B^+>`, with the time scale `W' = -r ∇L_nc`.
    NonContrastive,
}

impl Objective {
    /// Refuses a negative inverse temperature and a strength that is not positive.
    ///
    /// # Errors
    /// The parameter at fault.
    pub fn check(self) -> Result<(), MultimodalError> {
        if let Objective::Contrastive { tau_squared, negatives } = self {
            check_domain("tau^2", tau_squared, |t| t >= 0.0 && t.is_finite(), "finite and at least 0")?;
            check_domain("K", negatives, |k| k > 0.0 && k.is_finite(), "finite and positive")?;
        }
        Ok(())
    }
}
