//! Outputs of an encoder on a list of triplets, as Lemma 4 quantifies over them, and their families.

use contrastive::Triplet;
use enclosures::vectors::plus;
use evidence::prelude::*;
use proptest::collection::vec;
use proptest::prelude::Strategy;
use proptest::sample::select;
use serde::{Deserialize, Serialize};

use super::families::log_uniform;
use super::triples::{drawn, norms, triple};

/// n triplets of outputs and the lower bound η of their norms.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Outputs {
    /// η.
    pub floor: f64,
    pub triplets: Vec<Triplet>,
}

/// Refuses what is not a positive number.
fn positive(name: &str, x: f64) -> Result<(), String> {
    if x.is_finite() && x > 0.0 { Ok(()) } else { Err(format!("{name} = {x} is not positive")) }
}

impl Instance for Outputs {
    fn describe(&self) -> String {
        let each: Vec<String> = self.triplets.iter().map(Instance::describe).collect();
        format!("η = {}, n = {}: {}", self.floor, self.triplets.len(), each.join("; "))
    }

    fn validate(&self) -> Result<(), String> {
        positive("η", self.floor)?;
        if self.triplets.is_empty() {
            return Err("there is no triplet".into());
        }
        self.triplets.iter().try_for_each(|z| {
            z.validate()?;
            let in_range = z.vectors().concat().iter().all(|x| x.abs() <= 1e6);
            if in_range && z.argument().magnitude() <= 500.0 {
                Ok(())
            } else {
                Err("an output exceeds 1e6 or a slope is below e^−500".into())
            }
        })
    }

    fn simpler(&self) -> Vec<Self> {
        let with = |triplets| Outputs { floor: self.floor, triplets };
        let alone = self.triplets.iter().filter(|_| self.triplets.len() > 1);
        let mut found: Vec<Self> = alone.map(|z| with(vec![z.clone()])).collect();
        for (i, z) in self.triplets.iter().enumerate() {
            for smaller in z.simpler() {
                let mut triplets = self.triplets.clone();
                triplets[i] = smaller;
                found.push(with(triplets));
            }
        }
        found
    }

    fn equivalents(&self) -> Vec<(&'static str, Self)> {
        let with = |triplets| Outputs { floor: self.floor, triplets };
        let turned = self.triplets.iter().flat_map(Instance::equivalents);
        vec![
            ("triplets in another order", with(self.triplets.iter().rev().cloned().collect())),
            ("points turned", with(turned.map(|(_, z)| z).collect())),
        ]
    }
}

impl Outputs {
    /// ‖∇L̂_un‖ with respect to the 3n outputs.
    pub fn gradient(&self) -> Enclosure {
        let squares = self.triplets.iter().map(Triplet::squared_gradient_norm);
        squares.sum::<Enclosure>().max(0).sqrt()
    }

    /// ‖z_{i,j}‖ > η for all i, j.
    pub fn is_above_floor(&self) -> bool {
        self.triplets.iter().flat_map(norms).all(|norm| norm.lo() > self.floor)
    }

    /// ‖z_{i,1}‖ > η for all i.
    pub fn has_anchors_above_floor(&self) -> bool {
        self.triplets.iter().all(|z| norms(z)[0].lo() > self.floor)
    }

    /// ‖∇L̂_un‖ < η times a number.
    pub fn has_gradient_below(&self, times: f64) -> bool {
        self.gradient().hi() < self.floor * times
    }
}

/// η just below the smallest norm.
fn just_below(triplets: Vec<Triplet>) -> Outputs {
    let smallest = triplets.iter().flat_map(norms).map(Enclosure::lo).fold(f64::INFINITY, f64::min);
    let floor = if smallest > 0.0 { 0.999 * smallest } else { 1.0 };
    Outputs { floor, triplets }
}

/// z_1 of length `length`, z_2 orthogonal to it and as long, and z_3 so close to z_2 that a = z_1·(z_3 − z_2) is `argument`; with
/// η a thousandth shorter.
fn close_pair(length: f64, argument: f64, n: usize) -> Outputs {
    let z = triple(&[length, 0.0], &[0.0, length], &[argument / length, length]);
    Outputs { floor: 0.999 * length, triplets: vec![z; n] }
}

/// log(s/(1 − s)), the argument with slope s, to four digits.
fn argument_of(slope: f64) -> f64 {
    let argument = (exact(slope) / (1.0 - slope)).ln().midpoint();
    (argument * 1e3).round() / 1e3
}

pub fn named() -> Vec<(String, Outputs)> {
    let mut list: Vec<(String, Outputs)> = Vec::new();
    let mut add = |name: String, outputs: Outputs| list.push((name, outputs));
    let alone = |floor: f64, z: Triplet| Outputs { floor, triplets: vec![z] };
    let with_floor = |floor: f64, outputs: Outputs| Outputs { floor, ..outputs };
    add("z_2 and z_3 close, z_1 long".into(), close_pair(100.0, argument_of(0.35), 1));
    add("z = 0".into(), alone(1.0, triple(&[0.0], &[0.0], &[0.0])));
    add("z_1 = 0, z_2 = z_3".into(), alone(1.0, triple(&[0.0], &[2.0], &[2.0])));
    add("z_1 = 0, z_2 near z_3".into(), alone(1.0, triple(&[0.0], &[3.0], &[2.5])));
    add("z_1 short, z_2 near z_3".into(), alone(1.0, triple(&[0.01, 0.0], &[2.0, 2.0], &[2.0, 2.3])));
    for radius in [0.85, 1.0, 1.5, 2.0, 3.0, 5.0] {
        let z = triple(&[radius], &[radius], &[-radius]);
        add(format!("on the sphere of radius {radius}, z_1 = z_2 = −z_3"), just_below(vec![z.clone()]));
        add(format!("five times on the sphere of radius {radius}"), just_below(vec![z; 5]));
    }
    for slope in [0.01, 0.1, 0.2, 0.3, 0.35] {
        let a = argument_of(slope);
        add(format!("slope {slope}, norms 1000"), close_pair(1000.0, a, 1));
        add(format!("slope {slope} three times, norms 1000"), close_pair(1000.0, a, 3));
    }
    for slope in [0.6, 0.92, 0.95, 0.98] {
        let outputs = with_floor(999.9, close_pair(1000.0, argument_of(slope), 1));
        add(format!("slope {slope}, norms 1000"), outputs);
    }
    list
}

/// Outputs with a = z_1·(z_3 − z_2) between −0.5 and −60 and norms down to 1e−3 and up to 1e3 or more.
pub fn converged() -> impl Strategy<Value = Outputs> {
    let triplet = |d: usize, floor: f64| {
        let numbers = (1.0..2.7f64, 0.5..60.0f64, 0.3..1.0f64, 1.0..3.0f64);
        (numbers, vec(-1.0..1.0f64, 2)).prop_map(move |((stretch, size, cosine, height), off)| {
            let p = floor * stretch;
            let q = size / (p * cosine);
            let mut difference = vec![0.0; d];
            difference[0] = -q * cosine;
            if d > 1 {
                difference[1] = q * (1.0 - cosine * cosine).max(0.0).sqrt() * off[0].signum();
            }
            let mut anchor = vec![0.0; d];
            anchor[0] = p;
            let mut positive = vec![0.0; d];
            positive[0] = floor * height + q;
            if d > 2 {
                positive[2] = floor * off[1];
            }
            let negative = plus(&positive, &difference);
            triple(&anchor, &positive, &negative)
        })
    };
    let shape = (select(vec![1usize, 2, 3, 8]), 1usize..=5, log_uniform(1e-3, 1e3));
    shape.prop_flat_map(move |(d, n, floor)| vec(triplet(d, floor), n).prop_map(just_below))
}

/// Outputs whose slopes may be close to one, and the triples of the shared family, with η just below the anchor's norm.
pub fn loose() -> impl Strategy<Value = Outputs> {
    let steep = (log_uniform(1.0, 1e3), 0.1..0.99f64, 1.001..1.1f64)
        .prop_map(|(floor, slope, stretch)| Outputs { floor, ..close_pair(floor * stretch, argument_of(slope), 1) });
    let any = drawn().prop_map(|z| Outputs { floor: (0.999 * norms(&z)[0].lo()).max(1e-9), triplets: vec![z] });
    proptest::prop_oneof![3 => steep, 1 => any]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hypotheses_of_lemma_4_are_met_and_missed() {
        let of = |anchor: f64, floor: f64| Outputs { floor, triplets: vec![triple(&[anchor], &[3.0], &[-3.0])] };
        let met = of(3.0, 2.0);
        assert!(met.is_above_floor() && met.has_anchors_above_floor() && met.has_gradient_below(0.5));
        assert!(!of(1.0, 2.0).has_anchors_above_floor());
        let other = of(3.5, 3.25);
        assert!(other.has_anchors_above_floor() && !other.is_above_floor());
        assert!(!of(-3.0, 2.0).has_gradient_below(0.5));
    }
}
