//! Linear models of self-supervised learning and the flows that train them.
//!
//! Source: Esser, Mukherjee, Ghoshdastidar, Representation learning dynamics of self-supervised models.
//!
//! ```
//! use contrapositive_linear_ssl::self_supervised::TripletData;
//! use enclosures::linear_algebra::IntervalMatrix;
//! // One anchor that is its own positive: the non-contrastive loss −u(x)ᵀu(x⁺) of the identity is −1.
//! let data = TripletData { anchors: vec![vec![1.0]], positives: vec![vec![1.0]], negatives: vec![vec![0.0]] };
//! assert_eq!(data.non_contrastive_loss(&IntervalMatrix::identity(1)?)?.hi(), -1.0);
//! # Ok::<(), contrapositive_linear_ssl::self_supervised::SelfSupervisedError>(())
//! ```
//!
//! [`self_supervised`] has the losses of triplets as traces, their optima under constraints, and the data; [`flow`] the dynamics: of linear
//! models in closed form, of networks by steps, and of the kernel that wide networks tend to.

pub mod flow;
pub mod self_supervised;
