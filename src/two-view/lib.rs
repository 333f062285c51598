//! Linear two-view (multimodal) contrastive learning: the data model, both losses, scores and gradient flows.
//!
//! Source: Ren, Li, On the importance of contrastive loss in multimodal learning. Two linear encoders `W_A`, `W_B`
//! (`m x D`) see two views of a shared sign vector z, each with its own noise. Everything depends on the features `𝐊
//! = [K_A | K_{A,ξ} | K_B | K_{B,ξ}]` only through their Gram matrix `G = 𝐊^T 𝐊` (`2d x 2d`, d = r + q), so that the
//! cost of a loss or of a flow does not depend on the width m.
//!
//! - The data and the state: [`TwoViewData`], [`LatentSizes`], [`Features`], [`GramState`]; starts
//!   [`GramState::infinite_width`], [`gaussian_features`].
//! - The contrastive loss, its selection probabilities, tilts, and derivatives by enumeration of all latent states
//!   ([`Enumeration`]); the matrix Q and scalar `Q_0` ([`FeatureSelection`]) of either loss ([`Objective`]).
//! - Right sides of the dynamics in closed form ([`feature_velocity`], [`gram_velocity`]) and, independently,
//!   gradients by automatic differentiation ([`loss_gradient`]).
//! - Flows: in Gram coordinates ([`gram_orbit`]), on the invariant manifold of diagonal states for thousands of
//!   directions ([`DiagonalLaw`]; equation (8) is [`noiseless_velocity`]), and in closed form for positive pairs
//!   alone ([`PositivePairsFlow`]). The first two are solved with error control ([`enclosures::initial_value`]).
//! - Q estimated from batches, with its exact errors ([`Batches`]).
//! - The scores of alignment ([`alignment_score`]) and balance ([`Balance`]).
//!
//! ```
//! use contrapositive_two_view::{Balance, GramState, LatentSizes, View};
//! use enclosures::interval::Interval;
//! // Two signals and no noise at infinite width: both directions count alike, Σ has the eigenvalues ½ and ½.
//! let state = GramState::<Interval>::infinite_width(LatentSizes::new(2, 0)?, &[1.0, 1.0], 1.0)?;
//! let balance = Balance::of(&state, View::A)?;
//! assert!(balance.eigenvalues.iter().all(|e| (e.midpoint() - 0.5).abs() < 1e-12));
//! # Ok::<(), contrapositive_two_view::MultimodalError>(())
//! ```
//!
//! All of it is generic in the number type ([`Scalar`]): doubles, intervals, or dual numbers. The time scale is that
//! of [`Objective`].

mod alignment;
mod balance;
mod batches;
mod block;
mod data;
mod diagonal;
mod enumeration;
mod error;
mod flow;
mod gradient;
mod gram;
mod initial;
mod objective;
mod positive_pairs;
mod scalar;
mod selection;
mod velocity;

#[cfg(test)]
mod tests;

pub use alignment::{AlignmentScore, Closeness, Outcomes, alignment_score};
pub use balance::Balance;
pub use batches::{BatchErrors, Batches};
pub use block::MatrixBlock;
pub use data::{TwoViewData, block_of, metric_diagonal, orthogonal_map};
pub use diagonal::{DiagonalLaw, DiagonalSelection, DiagonalState, noiseless_velocity};
pub use enumeration::{Enumeration, MOST_LATENTS, signs};
pub use error::MultimodalError;
pub use flow::{GramOrbit, gram_orbit};
pub use gradient::{loss_at, loss_gradient, weight_gradient};
pub use gram::{Features, GramState, LatentSizes, View};
pub use initial::{gaussian_features, gaussian_weights};
pub use objective::Objective;
pub use positive_pairs::{NoiseGroup, PositivePairsFlow, PositivePairsState, SignalGroup};
pub use scalar::Scalar;
pub use selection::FeatureSelection;
pub use velocity::{Metrics, feature_rates, feature_velocity, gram_velocity, rates_of};
