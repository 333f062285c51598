//! The numbers of Lemma 4 without the outputs: which accuracies and bounds go together?

use evidence::prelude::*;
use proptest::prelude::Strategy;
use serde::{Deserialize, Serialize};

use super::families::log_uniform;
use super::output_triplets::Outputs;
use super::triples::triple;

/// √(6n) C σ(−2C²).
pub fn corner(triplets: usize, radius: Enclosure) -> Enclosure {
    (Enclosure::from(triplets) * 6.0).sqrt() * radius * (-2.0 * radius.square()).sigmoid()
}

/// An accuracy ε, bounds η and C of the norms, and a number of triplets: are there any outputs?
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "n = {triplets}, ε = {accuracy}, η = {floor}, C = \
                       {cap}", simpler = Self::of_fewer_triplets, stored)]
pub struct Window {
    #[instance(range = "1..=1000")]
    pub triplets: u64,
    /// ε.
    #[instance(range = "(0, ∞)")]
    pub accuracy: f64,
    /// η.
    #[instance(range = "(0, ∞)")]
    pub floor: f64,
    /// C.
    #[instance(range = "(0, ∞)")]
    pub cap: f64,
}

impl Window {
    /// 0 < ε < η/2 and η < C.
    pub fn is_posed(&self) -> bool {
        self.accuracy > 0.0 && 2.0 * self.accuracy < self.floor && self.floor < self.cap
    }

    /// n times z_1 = z_2 = −z_3, a little shorter than C and longer than η.
    pub fn just_inside(&self) -> Outputs {
        let room = (1e-6 * self.cap).min(0.5 * (self.cap - self.floor)).min((1e-5 / self.cap).max(1e-12 * self.cap));
        let radius = self.cap - room;
        let z = triple(&[radius], &[radius], &[-radius]);
        Outputs { floor: self.floor, triplets: vec![z; self.triplets as usize] }
    }
}

impl Window {
    fn of_fewer_triplets(&self) -> Vec<Self> {
        let smaller = [1, self.triplets / 2].into_iter().filter(|&n| n >= 1 && n < self.triplets);
        smaller.map(|triplets| Window { triplets, ..self.clone() }).collect()
    }
}

/// Numbers that miss 0 < ε < η/2 or η < C, and nothing else.
pub fn badly_posed() -> Vec<(&'static str, Window)> {
    let of = |accuracy, floor, cap| Window { triplets: 1, accuracy, floor, cap };
    vec![
        ("ε = η/2", of(0.25, 0.5, 2.0)),
        ("ε above η", of(1.0, 0.5, 2.0)),
        ("ε above η, a small ball", of(0.6, 0.25, 0.5)),
        ("η above C", of(0.1, 1.0, 0.5)),
    ]
}

pub fn windows() -> Vec<Family<Window>> {
    let of = |triplets, accuracy, floor, cap| Window { triplets, accuracy, floor, cap };
    vec![
        edge("named", move || {
            vec![
                ("a small ball", of(1, 0.2, 0.5, 0.8)),
                ("a ball hardly smaller than one that can work", of(1, 0.412, 0.8248, 0.825)),
                ("the largest ball that cannot work", of(1, 0.4123, 0.8247, 0.8248)),
                ("C a little too small for ε = 1/5", of(1, 0.2, 0.5, 0.868)),
                ("C just large enough for a loss of 1/5", of(1, 0.2, 0.5, 0.869)),
                ("a thin shell", of(1, 0.49, 0.999, 1.0)),
                ("radius 2", of(1, 0.1, 1.0, 2.0)),
                ("radius 3, small accuracy", of(1, 1e-6, 1.0, 3.0)),
                ("radius 3, accuracy too small", of(1, 1e-9, 1.0, 3.0)),
                ("many triplets", of(100, 1e-3, 1.0, 3.0)),
                ("radius 5", of(10, 1e-18, 0.01, 5.0)),
            ]
        }),
        random("drawn bounds", || {
            let bounds = (log_uniform(0.05, 6.0), log_uniform(1e-3, 1.0), log_uniform(1e-9, 0.5), 1u64..=20);
            bounds.prop_map(|(cap, floor, accuracy, triplets)| {
                let floor = 0.999 * cap * floor;
                Window { triplets, accuracy: 0.999 * floor * accuracy, floor, cap }
            })
        }),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::triples::norms;
    use super::*;

    fn of(accuracy: f64, floor: f64, cap: f64) -> Window {
        Window { triplets: 1, accuracy, floor, cap }
    }

    /// At z_1 = z_2 = −z_3 of length r the gradient is √6 r σ(−2r²), and √n times that for n triplets.
    #[test]
    fn the_outputs_just_inside_have_the_gradient_of_the_longest_parallel_triple() {
        for window in [of(0.1, 0.5, 0.8), of(0.1, 0.999, 1.0), of(1e-6, 1.0, 3.0)] {
            for triplets in [1, 7] {
                let outputs = Window { triplets, ..window.clone() }.just_inside();
                let cap = exact(window.cap);
                let limit = (6.0 * exact(triplets as f64)).sqrt() * cap * (-2.0 * cap.square()).sigmoid();
                assert_eq!(outputs.triplets.len() as u64, triplets);
                // The room of a millionth of C, or of 10⁻⁵/C, is seen through the slope −4r of the exponent.
                let apart = (outputs.gradient() / limit - 1.0).abs().hi();
                assert!(apart < 1e-4, "{}: {apart}", window.describe());
                let lengths = outputs.triplets.iter().flat_map(norms);
                assert!(outputs.is_above_floor() && lengths.into_iter().all(|norm| norm.hi() < window.cap));
            }
        }
    }

    /// √6 C σ(−2C²) is below C/2 from C² = ½ log(2√6 − 1) on, and below 1/5 from C = 1.1297 on.
    #[test]
    fn a_ball_reaches_an_accuracy_from_some_radius_on() {
        for (window, reached) in [
            (of(0.2, 0.5, 1.129), false),
            (of(0.2, 0.5, 1.13), true),
            (of(0.41235, 0.8248, 0.825), true),
            (of(0.4123, 0.8247, 0.8248), false),
        ] {
            assert!(window.is_posed());
            let least = window.just_inside().gradient();
            assert_eq!(least.hi() <= window.accuracy, reached, "{}: {least}", window.describe());
        }
        assert!(badly_posed().iter().all(|(_, window)| !window.is_posed()));
    }
}
