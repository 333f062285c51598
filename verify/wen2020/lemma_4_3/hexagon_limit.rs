//! Lemma 4.3 on a regular hexagon with one hidden layer, in the limit of infinite width: a point of the ball at
//! which ∇_W = 0 though no loss vector vanishes.
//!
//! With σ(t) − σ(−t) = t one hidden layer has f(x) − f(−x) = W_1W_0x, so that Σ (−1)^i f(x_i) = 0 on a hexagon,
//! and loss vectors (−1)^i v leave ∇_W = 0. Keys k_i = −cos(iπ/3) and queries q_i = c k_i, d = 1, give such loss
//! vectors for some c: l̃oss_i is an odd function of k_i, and l̃oss_0 + l̃oss_1 is positive at c = 0 and negative
//! at c = 5, k = 1.
//!
//! These outputs are near. As long as no unit changes its sign f is linear in W_0, and the displacement of least
//! length that adds y to the six outputs has the squared length yᵀK⁺y, K_ij = Σ_r b_r² 1{both active} x_i·x_j. As
//! m → ∞, 2K/m tends to the circulant matrix of cos φ (1 − φ/π), whose eigenvalues are 0 (on (−1)^i, to which y
//! is orthogonal), 5/6 and more. A unit is moved by O(b_r/m), its pre-activations are of order m^{−1/2}: the
//! share of the units that would change their sign vanishes, and so does the change of K if they are left alone.
//! E‖y‖² = Σ q_i² + n = 3c² + 6, since E f(x_i)² = 1, so that ‖y‖² is more than four times that with probability
//! at most ¼; likewise for the keys.

use contrastive::QueriesAndKeys;
use evidence::claim::edge_over;
use evidence::prelude::*;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

/// The constant c of the radius cδ^{3/2}/(n³L⁶(log m)^{3/2}).
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "a hexagon, k = 1, L = 1, d = 1, c = {constant}", stored)]
pub struct RadiusConstant {
    #[instance(range = "1e-9..=1e6", scale = "logarithmic")]
    constant: f64,
}

/// An upper bound of the factor c between queries and keys.
const FACTOR: f64 = 5.0;

/// Refuses the bound unless l̃oss_0 + l̃oss_1 is negative there.
fn factor() -> Result<Enclosure, MeasureError> {
    let keys = [-1.0, -0.5, 0.5, 1.0, 0.5, -0.5].map(|x| vec![x]);
    let queries = keys.clone().map(|k| vec![FACTOR * k[0]]);
    let vectors = QueriesAndKeys::new(1, queries.to_vec(), keys.to_vec())?.query_loss_vectors();
    let sum = vectors[0][0] + vectors[1][0];
    if sum.hi() < 0.0 { Ok(exact(FACTOR)) } else { Err("the factor between queries and keys is larger".into()) }
}

pub struct Near {
    /// 2√(6(3c² + 6)·2/(5m)), which the distance does not exceed.
    distance: Enclosure,
    radius: Enclosure,
    /// log₂ m.
    power: u32,
}

impl RadiusConstant {
    fn at(&self, factor: Enclosure, power: u32) -> Near {
        let log = Enclosure::ln_2() * f64::from(power);
        let square = 4.0 * (3.0 * factor.square() + 6.0) * 12.0 / 5.0;
        Near {
            distance: square.sqrt() * (-(log / 2.0)).exp(),
            radius: self.constant / (216.0 * log * log.sqrt()),
            power,
        }
    }

    /// At the first power of two at which twice the distance is below the radius.
    fn near(&self) -> Result<Near, MeasureError> {
        let factor = factor()?;
        let mut powers = (4..400).map(|power| self.at(factor, power));
        let found = powers.find(|near| 2.0 * near.distance.hi() < near.radius.lo());
        Ok(found.unwrap_or_else(|| self.at(factor, 400)))
    }
}

fn constants() -> Vec<Family<RadiusConstant>> {
    let named = edge_over("named", "c", [1.0, 0.001, 1000.0], |constant| RadiusConstant { constant });
    let drawn = || (-20.0..10.0f64).prop_map(|log| RadiusConstant { constant: core_math::exp(log) });
    vec![named, random("log-uniform constant", drawn)]
}

/// Q-low on a hexagon, for every constant in the radius.
pub fn setting() -> Setting<RadiusConstant, Near> {
    Setting::measuring(|r: &RadiusConstant, _| r.near())
        .given("six inputs on a regular hexagon, δ = 1, k = 1, one hidden layer, d = 1; a random start")
        .family(constants())
        .part(
            "q-low-antipodal",
            "Q-low for one hidden layer on a hexagon, with a constant c in the radius: the point with ∇_W = 0 and \
             l̃oss_i = (−1)^i v ≠ 0, whose distance is at most √(12·4·81/(5m)) with probability at least ½ as m → ∞, \
             stays out of the ball, √(12·4·81/(5m)) ≥ cδ^{3/2}/(n³L⁶(log m)^{3/2}) at every power of two m ≥ 16",
            fails("on a hexagon Σ (−1)^i f(x_i) = 0, and alternating loss vectors are within O(√(d/m))"),
            |_, near| at_least(near.distance, near.radius).noting(format!("m = 2^{}", near.power)),
        )
        .sides("√(12·4·81/(5m))", "cδ^{3/2}/(n³L⁶(log m)^{3/2})")
        .because("each instance is one constant; q-low-no-constant shows that none works")
        .ours(
            "q-low-no-constant",
            "for every c > 0 there is a power of two m with √(12·4·81/(5m)) < cδ^{3/2}/(n³L⁶(log m)^{3/2})",
            holds(),
            |_, near| less_than(near.distance, near.radius).noting(format!("m = 2^{}", near.power)),
        )
}
