//! Outputs of distinct samples of which some stand in several places: the gradient adds up the blocks of one sample.

use contrastive::Triplet;
use enclosures::interval;
use enclosures::linear_algebra::quarter_turn;
use evidence::prelude::*;
use proptest::collection::vec;
use proptest::prelude::Strategy;
use serde::{Deserialize, Serialize};

/// Outputs of distinct samples, and triplets that name them: a sample may stand in several places.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, valid = Self::fits, equivalents = Self::relabelled, stored)]
pub struct SharedOutputs {
    /// η.
    #[instance(range = "(0, ∞)")]
    pub floor: f64,
    outputs: Vec<Vec<f64>>,
    /// Anchor, positive and negative of each triplet, counted from 0.
    #[instance(length = "1.., 3")]
    triplets: Vec<[usize; 3]>,
}

impl SharedOutputs {
    fn triples(&self) -> impl Iterator<Item = ([usize; 3], Triplet)> {
        let at = |i: usize| self.outputs.get(i).cloned().unwrap_or_default();
        let each = move |&roles: &[usize; 3]| {
            let [a, p, n] = roles.map(at);
            Some((roles, Triplet::new(a, p, n).ok()?))
        };
        self.triplets.iter().filter_map(each)
    }

    /// Whether x⁺ and x⁻ are one sample somewhere, or two samples have one output.
    pub fn is_degenerate(&self) -> bool {
        let equal = |i: usize| self.outputs[..i].contains(&self.outputs[i]);
        self.triplets.iter().any(|[_, p, n]| p == n) || (0..self.outputs.len()).any(equal)
    }

    pub fn largest_loss(&self) -> Enclosure {
        self.triples().map(|(_, z)| z.loss()).fold(Enclosure::ZERO, Enclosure::max)
    }

    pub fn norms(&self) -> impl Iterator<Item = Enclosure> {
        let norm = |v: &Vec<f64>| Enclosure::from(interval::dot(v, v)).max(0).sqrt();
        self.outputs.iter().map(norm)
    }

    /// The norm of the gradient with respect to the outputs of the distinct samples.
    pub fn accuracy(&self) -> Enclosure {
        let mut total: Vec<Vec<Interval>> = self.outputs.iter().map(|v| vec![Interval::ZERO; v.len()]).collect();
        for (roles, z) in self.triples() {
            for (role, block) in roles.into_iter().zip(z.gradient()) {
                for (sum, part) in total[role].iter_mut().zip(block) {
                    *sum += part;
                }
            }
        }
        let squares = total.into_iter().flatten().map(|x| Enclosure::from(x).square());
        squares.sum::<Enclosure>().max(0).sqrt()
    }
}

impl SharedOutputs {
    fn in_words(&self) -> String {
        let names = |[a, p, n]: &[usize; 3]| format!("({}, {}, {})", a + 1, p + 1, n + 1);
        let triplets: Vec<String> = self.triplets.iter().map(names).collect();
        format!("η = {}, outputs {:?}, triplets {}", self.floor, self.outputs, triplets.join(", "))
    }

    fn fits(&self) -> Result<(), String> {
        if self.triples().count() == self.triplets.len() {
            Ok(())
        } else {
            Err("a triplet names an output that is missing or of another dimension".into())
        }
    }

    fn relabelled(&self) -> Vec<(&'static str, Self)> {
        let last = self.outputs.len().saturating_sub(1);
        let renamed = SharedOutputs {
            floor: self.floor,
            outputs: self.outputs.iter().rev().cloned().collect(),
            triplets: self.triplets.iter().map(|roles| roles.map(|i| last - i)).collect(),
        };
        let reordered = SharedOutputs { triplets: self.triplets.iter().rev().copied().collect(), ..self.clone() };
        let turned = SharedOutputs { outputs: self.outputs.iter().map(|v| quarter_turn(v)).collect(), ..self.clone() };
        vec![("points in another order", renamed), ("triplets in another order", reordered), ("points turned", turned)]
    }
}

/// Outputs of which one is shorter than η.
pub fn short_shared() -> Vec<(&'static str, SharedOutputs)> {
    let of = |outputs: [f64; 3]| SharedOutputs {
        floor: 1.0,
        outputs: outputs.map(|x| vec![x]).to_vec(),
        triplets: vec![[0, 1, 2]],
    };
    vec![
        ("a short anchor", of([1e-3, 3.0, 2.9])),
        ("a short positive and negative", of([3.0, 0.5, -0.5])),
        ("all outputs zero", of([0.0; 3])),
    ]
}

/// A few samples on the circle of radius 3, and one to three triplets of them.
pub fn drawn_shared() -> impl Strategy<Value = SharedOutputs> {
    let point = (-3.0..3.0f64).prop_map(|angle| {
        let angle = Interval::point(angle);
        vec![(3.0 * angle.cos()).midpoint(), (3.0 * angle.sin()).midpoint()]
    });
    let triplet = [0usize..4, 0usize..4, 0usize..4];
    (vec(point, 4), vec(triplet, 1..=3)).prop_map(|(outputs, triplets)| SharedOutputs { floor: 1.0, outputs, triplets })
}

pub fn shared() -> Vec<(String, SharedOutputs)> {
    let of = |floor: f64, outputs: &[&[f64]], triplets: &[[usize; 3]]| SharedOutputs {
        floor,
        outputs: outputs.iter().map(|v| v.to_vec()).collect(),
        triplets: triplets.to_vec(),
    };
    vec![
        ("positive = negative".into(), of(1.0, &[&[2.0], &[2.0]], &[[0, 1, 1]])),
        (
            "positive and negative at one angle from the anchor, exchanged".into(),
            of(1.0, &[&[2.0, 0.0], &[1.0, 2.0], &[1.0, -2.0]], &[[0, 1, 2], [0, 2, 1]]),
        ),
        (
            "three at one angle from the anchor, in a cycle".into(),
            of(1.0, &[&[2.0, 0.0], &[1.0, 2.0], &[1.0, -2.0], &[1.0, 3.0]], &[[0, 1, 2], [0, 2, 3], [0, 3, 1]]),
        ),
        (
            "two triplets that exchange positive and negative".into(),
            of(1.0, &[&[2.0], &[3.0], &[3.0]], &[[0, 1, 2], [0, 2, 1]]),
        ),
        ("three distinct samples, converged".into(), of(1.0, &[&[3.0], &[3.0], &[-3.0]], &[[0, 1, 2]])),
        ("anchor = positive, converged".into(), of(1.0, &[&[3.0], &[-3.0]], &[[0, 0, 1]])),
    ]
}
