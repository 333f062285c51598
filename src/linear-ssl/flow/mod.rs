//! Gradient flows of linear self-supervised models in closed form, with proven error bounds; of finite networks, rounded.

mod constrained_descent;
mod equations;
mod error;
mod gram_matrices;
mod one_layer;
mod orthogonal_flow;
mod orthonormal_network;
mod runge_kutta;
mod sphere_clock;
mod stiefel_sphere;
mod taylor;
mod taylor_orbit;
mod two_layers;
mod wide_network;

pub use constrained_descent::{euler_step, projected_descent_outputs, projected_descent_step};
pub use equations::{orthogonal_velocity, riccati_velocity, sphere_velocity};
pub use error::FlowError;
pub use gram_matrices::{GramMatrices, QuadraticGradient};
pub use one_layer::{LinearLimit, OneLayerFlow, ScaledState};
pub use orthogonal_flow::{OutputFlow, WeightFlow};
pub use orthonormal_network::OrthonormalNetwork;
pub use runge_kutta::classical_step;
pub use stiefel_sphere::{SphereFlow, SphereLimit, SphereState};
pub use wide_network::{WideNetwork, kernel_prediction};

#[cfg(test)]
mod tests;
