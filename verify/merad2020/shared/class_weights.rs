//! Class probabilities alone, and with a number of draws, for the statements in which no encoder occurs.

use enclosures::enclosure::plain;
use enclosures::probability::probabilities_of;
use evidence::prelude::*;
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
        half.into_iter().chain((0..n).filter(|_| n > 1).map(|drop| keep(&|i| i != drop))).collect()
    }

    fn relabelled(&self) -> Vec<(&'static str, Self)> {
        let of = |weights: Vec<f64>| ClassWeights { weights };
        vec![
            ("classes in another order", of(self.weights.iter().rev().copied().collect())),
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
        let classes = self.classes.simpler().into_iter().map(|classes| Draws { draws: self.draws, classes });
        let fewer = [1, 2, self.draws / 2, self.draws - 1].into_iter().filter(|n| (1..self.draws).contains(n));
        classes.chain(fewer.map(|draws| Draws { draws, classes: self.classes.clone() })).collect()
    }

    fn relabelled(&self) -> Vec<(&'static str, Self)> {
        let models = self.classes.equivalents().into_iter();
        let of = |classes| Draws { classes, ..self.clone() };
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
        let each = move |&draws: &u64| (format!("{name}, N = {draws}"), Draws { draws, classes: classes.clone() });
        draws.iter().map(each).collect::<Vec<_>>()
    };
    named(sizes).into_iter().flat_map(with).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(weights: &[f64]) -> ClassWeights {
        ClassWeights { weights: weights.to_vec() }
    }

    #[test]
    fn probabilities_are_shares_of_the_total() {
        // Powers of two as shares, so that the doubles are the numbers themselves.
        let found = of(&[3.0, 1.0, 0.5, 3.5]).probabilities();
        for (p, expected) in found.iter().zip([0.375, 0.125, 0.0625, 0.4375]) {
            assert!(p.interval().contains(expected) && p.width() < 1e-15, "{p}");
        }
        assert_eq!(found.len(), 4);
        for (name, classes) in named(&[2, 5, 20]) {
            let total: Enclosure = classes.probabilities().into_iter().sum();
            assert!(total.interval().contains(1.0) && total.width() < 1e-13, "{name}: {total}");
        }
    }

    /// A relabelling permutes the probabilities; nothing else may change.
    #[test]
    fn equivalent_weights_have_the_same_probabilities() {
        let sorted = |w: &ClassWeights| {
            let mut list: Vec<f64> = w.probabilities().iter().map(|p| p.midpoint()).collect();
            list.sort_by(f64::total_cmp);
            list
        };
        for (name, classes) in named(&[3, 8]) {
            for (change, other) in classes.equivalents() {
                let pairs = sorted(&classes).into_iter().zip(sorted(&other));
                let apart = pairs.map(|(x, y)| ((x - y) / y).abs()).fold(0.0, f64::max);
                assert!(other.classes() == classes.classes() && apart < 1e-14, "{name}, {change}: {apart}");
            }
        }
    }

    #[test]
    fn simpler_draws_are_smaller_in_one_of_the_two_sizes() {
        let draws = Draws { draws: 5, classes: of(&[1.0, 2.0, 4.0, 8.0]) };
        let sizes = |d: &Draws| (d.draws, d.classes.classes());
        let found = draws.simpler();
        assert!(found.iter().all(|d| (d.draws < 5) != (d.classes.classes() < 4)));
        let mut seen: Vec<(u64, usize)> = found.iter().map(sizes).collect();
        seen.sort_unstable();
        // 5 draws: the first half, and each class left out; all classes: 1, 2, ⌊5/2⌋ and 4 draws.
        assert_eq!(seen, [(1, 4), (2, 4), (2, 4), (4, 4), (5, 2), (5, 3), (5, 3), (5, 3), (5, 3)]);
        for k in 0..4 {
            let mut rest = draws.classes.weights.clone();
            rest.remove(k);
            assert!(found.iter().any(|d| d.classes.weights == rest));
        }
    }
}
