//! The smallest eigenvalue of the Gram matrix of hidden vectors, layer by layer and at finite width.

use contrapositive::claim::Trial;
use contrapositive::instance::Instance;
use contrapositive::interval::Interval;
use contrapositive::probability::{angle_chain, angle_of_chord, chord_of_angle, fill_standard_normal};
use serde::{Deserialize, Serialize};

use super::failure_rates::NeededConstants;
use super::neuron_pair::Widths;

/// A separation of two inputs, and depths at which the hidden vectors are looked at, in the limit of infinite width.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Depths {
    pub separation: f64,
    pub doublings: u32,
}

impl Instance for Depths {
    fn describe(&self) -> String {
        format!("n = 2, δ = {}, l up to 2^{}", self.separation, self.doublings)
    }

    fn validate(&self) -> Result<(), String> {
        let sound = self.separation > 0.0 && self.separation <= 2.0 && (3..=12).contains(&self.doublings);
        sound
            .then_some(())
            .ok_or_else(|| "δ outside (0, 2], or not 3 to 12 doublings".into())
    }
}

impl Depths {
    /// n λ_min(H ∘ K)/δ = (1 − cos φ (1 − φ/π))/δ for the hidden vectors of two inputs.
    pub fn ratios(&self) -> Vec<(f64, f64)> {
        let delta = Interval::point(self.separation);
        let angles: Vec<Interval> = angle_chain(angle_of_chord(delta)).take(1 << self.doublings).collect();
        let at = |k: u32| {
            let layer = 1usize << k;
            let angle = angles[layer - 1];
            // 1 − cos φ (1 − φ/π) = 2 sin²(φ/2) + cos φ φ/π.
            let lambda = chord_of_angle(angle).square() / 2.0 + angle.cos() * angle / Interval::pi();
            (layer as f64, (lambda / delta).midpoint())
        };
        (0..=self.doublings).map(at).collect()
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
        let mut numbers = vec![0.0; 3 * width as usize];
        fill_standard_normal(rng, &mut numbers);
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
pub fn quarter_of_square(w: &Widths) -> impl Fn(&u32) -> f64 {
    let square = w.separation * w.separation / 4.0;
    move |&m| f64::from(m) * square
}
