//! Outputs of an encoder on a list of triplets, as Lemma 4 quantifies over them, and their families.

use contrapositive::claim::{Family, edge, random};
use contrapositive::contrastive::Triplet;
use contrapositive::enclosure::Enclosure;
use contrapositive::instance::Instance;
use contrapositive::interval::{self, Interval};
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

fn positive(name: &str, x: f64) -> Result<(), String> {
    if x.is_finite() && x > 0.0 {
        Ok(())
    } else {
        Err(format!("{name} = {x} is not positive"))
    }
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
        let with = |triplets| Outputs {
            floor: self.floor,
            triplets,
        };
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
}

/// η just below the smallest norm.
fn just_below(triplets: Vec<Triplet>) -> Outputs {
    let smallest = triplets
        .iter()
        .flat_map(norms)
        .map(Enclosure::lo)
        .fold(f64::INFINITY, f64::min);
    let floor = if smallest > 0.0 { 0.999 * smallest } else { 1.0 };
    Outputs { floor, triplets }
}

/// z_1 of length `length`, z_2 orthogonal to it and as long, and z_3 so close to z_2 that a = z_1·(z_3 − z_2) is `argument`; with
/// η a thousandth shorter.
fn close_pair(length: f64, argument: f64, n: usize) -> Outputs {
    let z = triple(&[length, 0.0], &[0.0, length], &[argument / length, length]);
    Outputs {
        floor: 0.999 * length,
        triplets: vec![z; n],
    }
}

/// log(s/(1 − s)), the argument with slope s, to four digits.
fn argument_of(slope: f64) -> f64 {
    let exact = (Enclosure::from(slope) / (1.0 - slope)).ln().midpoint();
    (exact * 1e3).round() / 1e3
}

pub fn named() -> Vec<(String, Outputs)> {
    let mut list: Vec<(String, Outputs)> = Vec::new();
    let mut add = |name: String, outputs: Outputs| list.push((name, outputs));
    let alone = |floor: f64, z: Triplet| Outputs {
        floor,
        triplets: vec![z],
    };
    let with_floor = |floor: f64, outputs: Outputs| Outputs { floor, ..outputs };
    add(
        "z_2 and z_3 close, z_1 long".into(),
        close_pair(100.0, argument_of(0.35), 1),
    );
    add("z = 0".into(), alone(1.0, triple(&[0.0], &[0.0], &[0.0])));
    add("z_1 = 0, z_2 = z_3".into(), alone(1.0, triple(&[0.0], &[2.0], &[2.0])));
    for radius in [0.85, 1.0, 1.5, 2.0, 3.0, 5.0] {
        let z = triple(&[radius], &[radius], &[-radius]);
        add(
            format!("on the sphere of radius {radius}, z_1 = z_2 = −z_3"),
            just_below(vec![z.clone()]),
        );
        add(
            format!("five times on the sphere of radius {radius}"),
            just_below(vec![z; 5]),
        );
    }
    for slope in [0.01, 0.1, 0.2, 0.3, 0.35] {
        let a = argument_of(slope);
        add(format!("slope {slope}, norms 1000"), close_pair(1000.0, a, 1));
        add(
            format!("slope {slope} three times, norms 1000"),
            close_pair(1000.0, a, 3),
        );
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
            let negative: Vec<f64> = positive.iter().zip(&difference).map(|(x, y)| x + y).collect();
            triple(&anchor, &positive, &negative)
        })
    };
    let shape = (select(vec![1usize, 2, 3, 8]), 1usize..=5, log_uniform(1e-3, 1e3));
    shape.prop_flat_map(move |(d, n, floor)| vec(triplet(d, floor), n).prop_map(just_below))
}

/// Outputs whose slopes may be close to one, and the triples of the shared family, with η just below the anchor's norm.
pub fn loose() -> impl Strategy<Value = Outputs> {
    let steep = (log_uniform(1.0, 1e3), 0.1..0.99f64, 1.001..1.1f64).prop_map(|(floor, slope, stretch)| Outputs {
        floor,
        ..close_pair(floor * stretch, argument_of(slope), 1)
    });
    let any = drawn().prop_map(|z| Outputs {
        floor: (0.999 * norms(&z)[0].lo()).max(1e-9),
        triplets: vec![z],
    });
    proptest::prop_oneof![3 => steep, 1 => any]
}

/// Outputs of distinct samples, and triplets that name them: a sample may stand in several places.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SharedOutputs {
    /// η.
    pub floor: f64,
    outputs: Vec<Vec<f64>>,
    /// Anchor, positive and negative of each triplet, counted from 0.
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

    pub fn largest_loss(&self) -> Enclosure {
        self.triples()
            .map(|(_, z)| z.loss())
            .fold(Enclosure::ZERO, Enclosure::max)
    }

    pub fn norms(&self) -> impl Iterator<Item = Enclosure> {
        let norm = |v: &Vec<f64>| Enclosure::from(interval::dot(v, v)).max(0.0).sqrt();
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
        squares.sum::<Enclosure>().max(0.0).sqrt()
    }
}

impl Instance for SharedOutputs {
    fn describe(&self) -> String {
        let names = |[a, p, n]: &[usize; 3]| format!("({}, {}, {})", a + 1, p + 1, n + 1);
        let triplets: Vec<String> = self.triplets.iter().map(names).collect();
        format!(
            "η = {}, outputs {:?}, triplets {}",
            self.floor,
            self.outputs,
            triplets.join(", ")
        )
    }

    fn validate(&self) -> Result<(), String> {
        positive("η", self.floor)?;
        if self.triplets.is_empty() || self.triples().count() != self.triplets.len() {
            return Err("a triplet names an output that is missing or of another dimension".into());
        }
        Ok(())
    }
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
            "two triplets that exchange positive and negative".into(),
            of(1.0, &[&[2.0], &[3.0], &[3.0]], &[[0, 1, 2], [0, 2, 1]]),
        ),
        (
            "three distinct samples, converged".into(),
            of(1.0, &[&[3.0], &[3.0], &[-3.0]], &[[0, 1, 2]]),
        ),
        (
            "anchor = positive, converged".into(),
            of(1.0, &[&[3.0], &[-3.0]], &[[0, 0, 1]]),
        ),
    ]
}

/// An accuracy ε, bounds η and C of the norms, and a number of triplets: are there any outputs?
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Window {
    pub triplets: u64,
    /// ε.
    pub accuracy: f64,
    /// η.
    pub floor: f64,
    /// C.
    pub cap: f64,
}

impl Window {
    /// 0 < ε < η/2 and η < C.
    pub fn is_posed(&self) -> bool {
        self.accuracy > 0.0 && 2.0 * self.accuracy < self.floor && self.floor < self.cap
    }

    /// n times z_1 = z_2 = −z_3, a little shorter than C and longer than η.
    pub fn just_inside(&self) -> Outputs {
        let room = (1e-6 * self.cap)
            .min(0.5 * (self.cap - self.floor))
            .min(1e-5 / self.cap);
        let radius = self.cap - room;
        let z = triple(&[radius], &[radius], &[-radius]);
        Outputs {
            floor: self.floor,
            triplets: vec![z; self.triplets as usize],
        }
    }
}

impl Instance for Window {
    fn describe(&self) -> String {
        format!(
            "n = {}, ε = {}, η = {}, C = {}",
            self.triplets, self.accuracy, self.floor, self.cap
        )
    }

    fn validate(&self) -> Result<(), String> {
        positive("ε", self.accuracy)?;
        positive("η", self.floor)?;
        positive("C", self.cap)?;
        if (1..=1000).contains(&self.triplets) {
            Ok(())
        } else {
            Err("n lies between 1 and 1000".into())
        }
    }

    fn simpler(&self) -> Vec<Self> {
        let smaller = [1, self.triplets / 2]
            .into_iter()
            .filter(|&n| n >= 1 && n < self.triplets);
        smaller
            .map(|triplets| Window {
                triplets,
                ..self.clone()
            })
            .collect()
    }
}

pub fn windows() -> Vec<Family<Window>> {
    let of = |triplets, accuracy, floor, cap| Window {
        triplets,
        accuracy,
        floor,
        cap,
    };
    vec![
        edge("named", move || {
            vec![
                ("a small ball", of(1, 0.2, 0.5, 0.8)),
                ("the smallest ball that can work", of(1, 0.412, 0.8248, 0.825)),
                ("a thin shell", of(1, 0.49, 0.999, 1.0)),
                ("radius 2", of(1, 0.1, 1.0, 2.0)),
                ("radius 3, small accuracy", of(1, 1e-6, 1.0, 3.0)),
                ("radius 3, accuracy too small", of(1, 1e-9, 1.0, 3.0)),
                ("many triplets", of(100, 1e-3, 1.0, 3.0)),
                ("radius 5", of(10, 1e-18, 0.01, 5.0)),
            ]
        }),
        random("drawn bounds", || {
            let bounds = (
                log_uniform(0.05, 6.0),
                log_uniform(1e-3, 1.0),
                log_uniform(1e-9, 0.5),
                1u64..=20,
            );
            bounds.prop_map(|(cap, floor, accuracy, triplets)| {
                let floor = 0.999 * cap * floor;
                Window {
                    triplets,
                    accuracy: 0.999 * floor * accuracy,
                    floor,
                    cap,
                }
            })
        }),
    ]
}
