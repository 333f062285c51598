//! Gradient flows of linear self-supervised models in closed form, with proven error bounds; of finite networks, rounded.

mod constrained_descent;
mod equations;
mod error;
mod one_layer;
<<<<<<< HEAD
mod orthonormal_network;
=======
mod orthogonal_flow;
>>>>>>> from_g
mod sphere_clock;
mod stiefel_sphere;
mod taylor;
mod taylor_orbit;
mod wide_network;

pub use constrained_descent::{euler_step, projected_descent_outputs, projected_descent_step};
pub use equations::{orthogonal_velocity, riccati_velocity, sphere_velocity};
pub use error::FlowError;
pub use one_layer::{LinearLimit, OneLayerFlow, ScaledState};
<<<<<<< HEAD
pub use orthonormal_network::OrthonormalNetwork;
=======
pub use orthogonal_flow::{OutputFlow, WeightFlow};
>>>>>>> from_g
pub use stiefel_sphere::{SphereFlow, SphereLimit, SphereState};
pub use wide_network::{HiddenUnit, WideNetwork, kernel_prediction};
