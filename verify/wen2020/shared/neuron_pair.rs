//! Two inputs seen by one neuron, by one layer, and by a sweep of widths.

use enclosures::probability::{
    both_active, chord_of_angle, difference_moment, one_active, square_when_only_first_active,
    squared_difference_when_both_active,
};
use evidence::prelude::*;
use serde::{Deserialize, Serialize};

/// Two inputs at distance δ and a layer, counted from 0.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "δ = {separation}, layer l = {layer}", simpler = Self::in_earlier_layers, stored)]
pub struct Pair {
    #[instance(range = "1e-3..=2", scale = "logarithmic")]
    pub separation: f64,
    pub layer: u32,
}

impl Pair {
    fn in_earlier_layers(&self) -> Vec<Self> {
        let layers = [0, self.layer / 2, self.layer.saturating_sub(1)];
        let smaller = layers.into_iter().filter(|&layer| layer < self.layer);
        smaller.map(|layer| Pair { layer, ..self.clone() }).collect()
    }
}

/// Two inputs, a layer, and the widths at which networks are drawn so many times each.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "δ = {separation}, layer l = {layer}, m = {widths:?}, {runs} networks each", stored)]
pub struct Widths {
    #[instance(range = "1e-3..=2", scale = "logarithmic")]
    pub separation: f64,
    pub layer: u32,
    #[instance(range = "1..")]
    pub runs: u32,
    #[instance(length = "2..", range = "1..")]
    pub widths: Vec<u32>,
}

/// A neuron of a layer of width m that sees two unit vectors at angle φ ∈ (0, π].
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "m = {width}, φ = {angle}", simpler = Self::narrower, stored)]
pub struct Neuron {
    #[instance(range = "1..")]
    pub width: u32,
    #[instance(range = "[1e-6, π]")]
    pub angle: f64,
}

impl Neuron {
    fn narrower(&self) -> Vec<Self> {
        let smaller = [1, self.width / 2].into_iter().filter(|&w| w > 0 && w < self.width);
        smaller.map(|width| Neuron { width, ..self.clone() }).collect()
    }
}

/// Exact expectations over one neuron with weights N(0, 2/m).
pub struct Moments {
    pub width: Enclosure,
    /// δ_l² = 2(1 − cos φ).
    pub squared_chord: Enclosure,
    /// E[(σ(w·h_i) − σ(w·h_j))²].
    pub square: Enclosure,
    /// The same given that both inputs activate the neuron.
    pub both: Enclosure,
    /// The same given that exactly one does.
    pub one: Enclosure,
    pub inactive: Enclosure,
    /// 1 − sin φ/(π − φ).
    pub sine_ratio: Enclosure,
    /// Σ_r ¼E[σ(w_r·h_i) − σ(w_r·h_j)]: both inputs have norm one, so both means are (2π)^{−1/2} (2/m)^{1/2}.
    pub mean_difference: Enclosure,
}

pub fn moments(n: &Neuron) -> Moments {
    let (phi, width) = (Interval::point(n.angle), Interval::point(f64::from(n.width)));
    let per_neuron = |x: Interval| Enclosure::from(x * 2.0 / width);
    let psi = Interval::pi() - phi;
    Moments {
        width: width.into(),
        squared_chord: chord_of_angle(phi).square().into(),
        square: per_neuron(difference_moment(phi)),
        both: per_neuron(squared_difference_when_both_active(phi) / both_active(phi)),
        one: per_neuron(square_when_only_first_active(phi) * 2.0 / one_active(phi)),
        inactive: both_active(phi).into(),
        sine_ratio: (Interval::ONE - phi.sin() / psi).into(),
        mean_difference: Enclosure::ZERO,
    }
}

/// What two inputs give one neuron before the ReLU.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(stored)]
pub struct PreActivation {
    #[instance(symbol = "w·h_i", range = "-1e6..=1e6")]
    pub i: f64,
    #[instance(symbol = "w·h_j", range = "-1e6..=1e6")]
    pub j: f64,
}

impl PreActivation {
    /// σ(w·h_i) − σ(w·h_j).
    pub fn difference(&self) -> Enclosure {
        exact(self.i.max(0.0)) - self.j.max(0.0)
    }
}

/// The separations of the register.
pub const SEPARATIONS: [f64; 10] =
    [2.0, 1.9, 1.732_050_807_568_877_2, std::f64::consts::SQRT_2, 1.0, 0.5, 0.25, 0.1, 0.05, 0.01];

/// Every registered separation at layers of several depths (l + 1)δ.
pub fn pairs() -> Vec<(String, Pair)> {
    let mut list = Vec::new();
    for separation in SEPARATIONS {
        // The first layer, the end of what the amended form covers, and what lies beyond 3π/δ; also δL = 0.1, 1, 5, 10,
        // 50.
        for depth in [0.0, 0.1, 1.0, 4.82, 5.0, 8.0, 9.43, 10.0, 50.0] {
            let layer = (depth / separation).floor() as u32;
            if layer <= 1000 {
                list.push((format!("δ = {separation:.3}, l = {layer}"), Pair { separation, layer }));
            }
        }
    }
    list.dedup_by(|a, b| a.0 == b.0);
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(x: Enclosure, y: Enclosure) -> bool {
        (x - y).abs().hi() < 1e-14
    }

    /// At a right angle both inputs give independent normal numbers u and v: E u₊² = 1/2, E u₊ = 1/√(2π).
    #[test]
    fn orthogonal_inputs_have_the_moments_of_independent_numbers() {
        let found = moments(&Neuron { width: 4, angle: std::f64::consts::FRAC_PI_2 });
        // Weights of variance 2/m = 1/2; squares in units of that.
        let (half, pi) = (exact(0.5), Enclosure::pi());
        assert!(near(found.square, half * (1.0 - 1.0 / pi)));
        assert!(near(found.both, half * (2.0 - 4.0 / pi)));
        assert!(near(found.one, half));
        assert!(near(found.inactive, exact(0.25)));
        assert!(near(found.squared_chord, exact(2.0)));
        assert!(near(found.sine_ratio, 1.0 - 2.0 / pi));
    }

    /// E of the square is the mean over the cases: both active, one, none; and opposite inputs always have one.
    #[test]
    fn the_cases_add_up_to_the_whole() {
        for angle in [1e-3, 0.5, 1.0, 2.0, 3.0] {
            let found = moments(&Neuron { width: 2, angle });
            let one = 1.0 - 2.0 * found.inactive;
            let total = found.inactive * found.both + one * found.one;
            assert!((total / found.square - 1.0).abs().hi() < 1e-12, "φ = {angle}: {total}");
            // The ReLU brings numbers together, and halves the square of those that are close.
            let chord = found.squared_chord;
            assert!(found.square.hi() < chord.lo(), "φ = {angle}");
            assert!(angle > 1e-2 || (found.square / chord - 0.5).abs().hi() < 1e-3);
            // sin ψ/ψ = 1 − ψ²/6 + … for ψ = π − φ.
            let rest = Enclosure::pi() - angle;
            assert!(angle < 3.0 || (found.sine_ratio - rest.square() / 6.0).abs().hi() < 1e-5);
        }
        let opposite = moments(&Neuron { width: 2, angle: std::f64::consts::PI });
        assert!(near(opposite.square, Enclosure::ONE) && near(opposite.one, Enclosure::ONE));
    }

    #[test]
    fn the_difference_is_that_of_positive_parts() {
        for (i, j, expected) in [(2.0, -1.0, 2.0), (-2.0, 0.5, -0.5), (-1.0, -3.0, 0.0), (3.0, 0.25, 2.75)] {
            let found = PreActivation { i, j }.difference();
            assert_eq!((found.lo(), found.hi()), (expected, expected));
        }
    }
}
