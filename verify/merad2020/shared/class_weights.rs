//! Class probabilities alone, and with a number of draws, for the statements in which no encoder occurs.

use enclosures::enclosure::{Enclosure, exact, plain};
use enclosures::probability::probabilities_of;
use evidence::instance::Instance;
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, prop_oneof};
use serde::{Deserialize, Serialize};

use super::families::log_uniform;

/// Positive weights whose shares are the class probabilities ρ.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, simpler = Self::of_fewer_classes, equivalents = Self::relabelled, stored)]
pub struct ClassWeights {
    #[instance(length = "1..", range = "1e-100..=1e100")]
    pub weights: Vec<f64>,
}

impl ClassWeights {
    pub fn classes(&self) -> usize {
        self.weights.len()
    }

    pub fn total(&self) -> Enclosure {
        self.weights.iter().map(|&w| exact(w)).sum()
    }

    /// ρ; equal weights have the same enclosure. Empty for weights that are refused anyway.
    pub fn probabilities(&self) -> Vec<Enclosure> {
        let shares = probabilities_of(&self.weights).unwrap_or_default();
        shares.into_iter().map(Enclosure::from).collect()
    }

    pub fn is_uniform(&self) -> bool {
        self.weights.windows(2).all(|pair| pair[0] == pair[1])
    }
}

impl ClassWeights {
    fn in_words(&self) -> String {
        let n = self.classes();
        if self.is_uniform() {
            return format!("N_C = {n}, ρ uniform");
        }
        let shown: Vec<String> = self.weights.iter().take(12).map(|&w| plain(w, 6)).collect();
        let more = if n > 12 { ", …" } else { "" };
        format!("N_C = {n}, ρ proportional to ({}{more})", shown.join(", "))
    }

    fn of_fewer_classes(&self) -> Vec<Self> {
        let n = self.classes();
        let keep = |keep: &dyn Fn(usize) -> bool| ClassWeights {
            weights: (0..n).filter(|&i| keep(i)).map(|i| self.weights[i]).collect(),
        };
        let half = (n > 3).then(|| keep(&|i| i < n / 2));
        half.into_iter()
            .chain((0..n).filter(|_| n > 1).map(|drop| keep(&|i| i != drop)))
            .collect()
    }

    fn relabelled(&self) -> Vec<(&'static str, Self)> {
        let of = |weights: Vec<f64>| ClassWeights { weights };
        vec![
            (
                "classes in another order",
                of(self.weights.iter().rev().copied().collect()),
            ),
            ("weights doubled", of(self.weights.iter().map(|w| 2.0 * w).collect())),
        ]
    }
}

/// Class probabilities and a number N of independent draws from them.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "N = {draws}, {classes}", simpler = Self::smaller, equivalents = Self::relabelled, stored)]
pub struct Draws {
    #[instance(range = "1..=131_072")]
    pub draws: u64,
    pub classes: ClassWeights,
}

impl Draws {
    fn smaller(&self) -> Vec<Self> {
        let classes = self.classes.simpler().into_iter().map(|classes| Draws {
            draws: self.draws,
            classes,
        });
        let fewer = [1, 2, self.draws / 2, self.draws - 1]
            .into_iter()
            .filter(|n| (1..self.draws).contains(n));
        classes
            .chain(fewer.map(|draws| Draws {
                draws,
                classes: self.classes.clone(),
            }))
            .collect()
    }

    fn relabelled(&self) -> Vec<(&'static str, Self)> {
        let models = self.classes.equivalents().into_iter();
        let of = |classes| Draws {
            classes,
            ..self.clone()
        };
        models.map(|(change, classes)| (change, of(classes))).collect()
    }
}

/// Uniform, with one rare or one dominating class, geometric, and in small integers.
pub fn named(sizes: &[usize]) -> Vec<(String, ClassWeights)> {
    let mut list = Vec::new();
    let mut add = |name: String, weights: Vec<f64>| list.push((name, ClassWeights { weights }));
    for &n in sizes {
        add(format!("uniform on {n}"), vec![1.0; n]);
        for rare in [1e-2, 1e-4, 1e-8] {
            let mut weights = vec![1.0; n];
            weights[0] = rare;
            add(format!("one class of {n} has relative weight {rare}"), weights);
        }
        let mut weights = vec![1.0; n];
        weights[n - 1] = 100.0 * n as f64;
        add(format!("one class of {n} dominates"), weights);
        let mut weight = 1.0;
        let halves = (0..n).map(|_| {
            weight *= 0.5;
            weight
        });
        add(format!("geometric on {n}"), halves.collect());
    }
    add("nine to one".into(), vec![9.0, 1.0]);
    add("five, three, two".into(), vec![5.0, 3.0, 2.0]);
    list
}

/// Weights of every spread on at most so many classes.
pub fn drawn(most: usize) -> impl Strategy<Value = ClassWeights> {
    let weights = move |low: f64| (1..=most).prop_flat_map(move |n| vec(log_uniform(low, 1.0), n));
    let equal = (1..=most).prop_flat_map(|n| Just(vec![1.0; n]));
    prop_oneof![2 => weights(0.5), 3 => weights(0.01), 2 => weights(1e-8), 1 => equal]
        .prop_map(|weights| ClassWeights { weights })
}

/// Each of the named weights with each number of draws.
pub fn named_draws(sizes: &[usize], draws: &[u64]) -> Vec<(String, Draws)> {
    let with = |(name, classes): (String, ClassWeights)| {
        let each = move |&draws: &u64| {
            (
                format!("{name}, N = {draws}"),
                Draws {
                    draws,
                    classes: classes.clone(),
                },
            )
        };
        draws.iter().map(each).collect::<Vec<_>>()
    };
    named(sizes).into_iter().flat_map(with).collect()
}
