//! The smallest eigenvalue of the Gram matrix of hidden vectors, in deep networks of infinite width and in one layer of
//! finite width.

use enclosures::probability::{angle_chain, angle_of_chord, chord_of_angle, list_of_standard_normals};
use evidence::prelude::*;
use serde::{Deserialize, Serialize};

use crate::shared::failure_rates::NeededConstants;
use crate::shared::neuron_pair::Widths;

/// Two inputs at distance δ and a constant c, in the limit of infinite width.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, stored)]
pub struct Depths {
    #[instance(range = "0.01..=2", scale = "logarithmic")]
    pub separation: f64,
    /// c.
    #[instance(range = "1e-3..=10", scale = "logarithmic")]
    pub constant: f64,
}

impl Depths {
    fn in_words(&self) -> String {
        format!("n = 2, δ = {}, c = {}, L = {}", self.separation, self.constant, self.depth())
    }
}

impl Depths {
    /// L = ⌈3π/(cδ)⌉ + 2.
    fn depth(&self) -> usize {
        (Interval::pi() * 3.0 / self.constant / self.separation).hi().ceil() as usize + 2
    }

    /// n λ_min(H ∘ K)/δ = (1 − cos φ (1 − φ/π))/δ for the hidden vectors of layer L − 2, which the last hidden layer
    /// sees.
    pub fn ratio(&self) -> Enclosure {
        let delta = Interval::point(self.separation);
        let angle = angle_chain(angle_of_chord(delta)).nth(self.depth() - 2).unwrap_or(Interval::ZERO);
        // 1 − cos φ (1 − φ/π) = 2 sin²(φ/2) + cos φ φ/π.
        let lambda = chord_of_angle(angle).square() / 2.0 + angle.cos() * angle / Interval::pi();
        (lambda / delta).into()
    }
}

/// (mδ/(n³d))/λ_min(M) for n = 2, d = 1 and two unit vectors at distance δ/2, drawn for every width: the least C with
/// λ_min(M) ≥ mδ/(Cn³d). Whether a unit is active for them depends on its weights in their plane.
pub fn smallest_of_pairs(w: &Widths, trial: &mut Trial) -> NeededConstants<u32> {
    let angle = angle_of_chord(Interval::point(w.separation) / 2.0);
    let (cosine, sine) = (angle.cos().midpoint(), angle.sin().midpoint());
    NeededConstants::of(w.widths.iter().copied(), w.runs, trial, |&width, rng| {
        // Σ c_r² over the units that both see, that the first sees, and that the second sees.
        let (mut both, mut first, mut second) = (0.0, 0.0, 0.0);
        let numbers = list_of_standard_normals(rng, 3 * width as usize);
        for unit in numbers.chunks_exact(3) {
            let square = unit[0] * unit[0];
            let [seen, also] = [unit[1] >= 0.0, cosine * unit[1] + sine * unit[2] >= 0.0];
            both += if seen && also { square } else { 0.0 };
            first += if seen { square } else { 0.0 };
            second += if also { square } else { 0.0 };
        }
        // n² M = [[first, cos φ both], [cos φ both, second]].
        let beside = cosine * both;
        let gap = first - second;
        let largest = 0.5 * (first + second + (gap * gap + 4.0 * beside * beside).sqrt());
        let smallest = (first * second - beside * beside) / largest;
        f64::from(width) * w.separation / 8.0 / (smallest / 4.0)
    })
}

/// mδ²/n² for n = 2.
pub fn quarter_of_square(w: &Widths) -> impl Fn(&u32) -> Enclosure {
    let square = exact(w.separation).square() / 4.0;
    move |&m| square * f64::from(m)
}
