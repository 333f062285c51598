//! How a latent-class model is shown to a reader and made smaller, and which models are the same one.

use super::{Atom, LatentClassModel};
use enclosures::enclosure::plain;
use enclosures::linear_algebra::quarter_turn;
use evidence::instance::Instance;

/// Models with at most this many numbers are written out.
const SHOWN: usize = 12;

fn list(values: impl Iterator<Item = f64>) -> String {
    values.map(|x| plain(x, 6)).collect::<Vec<_>>().join(", ")
}

fn vector(at: &[f64]) -> String {
    match at {
        [x] => plain(*x, 6),
        _ => format!("({})", list(at.iter().copied())),
    }
}

/// The class probabilities: "uniform", integer weights over their sum, or four digits of each share.
fn rho(model: &LatentClassModel) -> String {
    let weights = model.class_weights();
    if model.is_uniform() {
        return "uniform".into();
    }
    let sum: f64 = weights.iter().sum();
    if weights.iter().all(|w| w.fract() == 0.0 && *w < 1e6) {
        return format!("({})/{}", list(weights.iter().copied()), plain(sum, 9));
    }
    let shares = weights.iter().map(|w| plain(w / sum, 4)).collect::<Vec<_>>();
    format!("({})", shares.join(", "))
}

fn norm(at: &[f64]) -> f64 {
    at.iter().map(|x| x * x).sum::<f64>().sqrt()
}

impl Instance for LatentClassModel {
    fn describe(&self) -> String {
        let (n, d) = (self.n_classes(), self.dimension());
        let sizes = format!("N_C = {n}, d = {d}");
        let shares = if n <= SHOWN {
            format!("ρ = {}", rho(self))
        } else if self.is_uniform() {
            "ρ uniform".into()
        } else {
            let sum: f64 = self.class_weights().iter().sum();
            let ends = self.class_weights().iter().fold((f64::MAX, 0.0f64), |(lo, hi), w| (lo.min(*w), hi.max(*w)));
            format!("ρ from {} to {}", plain(ends.0 / sum, 3), plain(ends.1 / sum, 3))
        };
        let points = self.classes().iter().all(|c| c.len() == 1);
        let atoms = self.classes().iter().flatten();
        let law = if self.n_atoms() * d > SHOWN {
            let (least, most) =
                atoms.map(|a| norm(&a.at)).fold((f64::MAX, 0.0f64), |(lo, hi), r| (lo.min(r), hi.max(r)));
            let count = if points { "point masses".into() } else { format!("{} atoms", self.n_atoms()) };
            format!("{count} of norm {} to {}", plain(least, 3), plain(most, 3))
        } else if points {
            format!("point masses {}", atoms.map(|a| vector(&a.at)).collect::<Vec<_>>().join(", "))
        } else {
            let class = |c: &Vec<Atom>| {
                let equal = c.iter().all(|a| a.weight == c[0].weight);
                let one = |a: &Atom| {
                    if equal { vector(&a.at) } else { format!("{} × {}", plain(a.weight, 4), vector(&a.at)) }
                };
                format!("{{{}}}", c.iter().map(one).collect::<Vec<_>>().join(", "))
            };
            format!("atoms {}", self.classes().iter().map(class).collect::<Vec<_>>().join(", "))
        };
        format!("{sizes}, {shares}, {law}")
    }

    fn validate(&self) -> Result<(), String> {
        Self::new(self.class_weights().to_vec(), self.classes().to_vec()).map(drop).map_err(|e| e.to_string())
    }

    fn simpler(&self) -> Vec<Self> {
        let (weights, classes) = (self.class_weights(), self.classes());
        let (n, d) = (self.n_classes(), self.dimension());
        let mut found = Vec::new();
        let mut offer = |weights: Vec<f64>, classes: Vec<Vec<Atom>>| {
            found.extend(Self::new(weights, classes).ok());
        };
        if n > 2 {
            let half = n / 2;
            offer(weights[..half].to_vec(), classes[..half].to_vec());
            offer(weights[half..].to_vec(), classes[half..].to_vec());
        }
        if n > 1 {
            for c in 0..n {
                let mut kept = (weights.to_vec(), classes.to_vec());
                kept.0.remove(c);
                kept.1.remove(c);
                offer(kept.0, kept.1);
            }
        }
        if classes.iter().any(|c| c.len() > 1) {
            offer(weights.to_vec(), (0..n).map(|c| vec![self.mean_atom(c)]).collect());
        }
        if d > 1 {
            let cut = |keep: &dyn Fn(usize) -> bool| {
                let shorten = |a: &Atom| Atom {
                    weight: a.weight,
                    at: a.at.iter().enumerate().filter(|(i, _)| keep(*i)).map(|(_, x)| *x).collect(),
                };
                classes.iter().map(|c| c.iter().map(shorten).collect()).collect::<Vec<Vec<Atom>>>()
            };
            if d > 2 {
                offer(weights.to_vec(), cut(&|i| i < d / 2));
                offer(weights.to_vec(), cut(&|i| i >= d / 2));
            }
            for dropped in 0..d.min(64) {
                offer(weights.to_vec(), cut(&|i| i != dropped));
            }
        }
        if !self.is_uniform() {
            offer(vec![1.0; n], classes.to_vec());
        }
        for c in 0..n {
            let replaced = |class: Vec<Atom>| {
                let mut classes = classes.to_vec();
                classes[c] = class;
                classes
            };
            let atoms = &classes[c];
            if atoms.len() == 1 {
                continue;
            }
            offer(weights.to_vec(), replaced(vec![self.mean_atom(c)]));
            if atoms.len() > 2 {
                offer(weights.to_vec(), replaced(atoms[..atoms.len() / 2].to_vec()));
                offer(weights.to_vec(), replaced(atoms[atoms.len() / 2..].to_vec()));
            }
            if atoms.iter().any(|a| a.weight != 1.0) {
                let mut equal = atoms.clone();
                equal.iter_mut().for_each(|a| a.weight = 1.0);
                offer(weights.to_vec(), replaced(equal));
            }
            for j in 0..atoms.len().min(16) {
                let mut fewer = atoms.clone();
                fewer.remove(j);
                offer(weights.to_vec(), replaced(fewer));
            }
        }
        found
    }

    fn equivalents(&self) -> Vec<(&'static str, Self)> {
        let (weights, classes) = (self.class_weights(), self.classes());
        let reversed = |atoms: &Vec<Atom>| atoms.iter().rev().cloned().collect::<Vec<_>>();
        let turned = |atoms: &Vec<Atom>| {
            let turn = |a: &Atom| Atom { weight: a.weight, at: quarter_turn(&a.at) };
            atoms.iter().map(turn).collect::<Vec<_>>()
        };
        let first_twice = |atoms: &Vec<Atom>| {
            let half = Atom { weight: 0.5 * atoms[0].weight, at: atoms[0].at.clone() };
            [half.clone(), half].into_iter().chain(atoms[1..].iter().cloned()).collect::<Vec<_>>()
        };
        let each = |change: &dyn Fn(&Vec<Atom>) -> Vec<Atom>| classes.iter().map(change).collect::<Vec<_>>();
        let twice = |weights: &[f64]| weights.iter().map(|w| 2.0 * w).collect::<Vec<_>>();
        let parts = [
            (
                "classes in another order",
                weights.iter().rev().copied().collect(),
                classes.iter().rev().cloned().collect(),
            ),
            ("points in another order", weights.to_vec(), each(&reversed)),
            ("points turned", weights.to_vec(), each(&turned)),
            ("points given twice", weights.to_vec(), each(&first_twice)),
            ("weights doubled", twice(weights), classes.to_vec()),
        ];
        let made = |(change, weights, classes)| Some((change, Self::new(weights, classes).ok()?));
        parts.into_iter().filter_map(made).collect()
    }
}

impl LatentClassModel {
    /// A point mass near the mean of a class.
    fn mean_atom(&self, class: usize) -> Atom {
        Atom { weight: 1.0, at: self.class_mean(class).iter().map(|m| m.midpoint()).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_models_are_written_out() {
        let model = LatentClassModel::point_masses(&[1.0, 1.0, 2.0], &[vec![1.0], vec![1.0], vec![30.0]]).unwrap();
        assert_eq!(model.describe(), "N_C = 3, d = 1, ρ = (1, 1, 2)/4, point masses 1, 1, 30");
        let large = LatentClassModel::zero_encoder(50, 3).unwrap();
        assert_eq!(large.describe(), "N_C = 50, d = 3, ρ uniform, point masses of norm 0 to 0");
        let spread = LatentClassModel::from_labelled(&[1.0, -1.0, 2.0], 1, &[0, 0, 7]).unwrap();
        assert_eq!(spread.describe(), "N_C = 2, d = 1, ρ = (2, 1)/3, atoms {1, -1}, {2}");
    }

    #[test]
    fn every_simpler_model_is_valid_and_shrinking_ends() {
        let mut model =
            LatentClassModel::from_labelled(&[1.0, -1.0, 2.0, 0.5, 3.0, 9.0, 1.0, 1.0], 2, &[0, 0, 7, 3]).unwrap();
        let mut steps = 0;
        while let Some(next) = model.simpler().into_iter().next() {
            assert!(model.simpler().iter().all(|m| m.validate().is_ok()));
            model = next;
            steps += 1;
            assert!(steps < 50);
        }
        assert_eq!((model.n_classes(), model.dimension(), model.n_atoms()), (1, 1, 1));
    }

    #[test]
    fn equivalent_models_are_other_models_of_the_same_size() {
        let model = LatentClassModel::from_labelled(&[1.0, -1.0, 2.0, 0.5, 3.0, 9.0], 2, &[0, 0, 7]).unwrap();
        let all = model.equivalents();
        let changes: Vec<&str> = all.iter().map(|(change, _)| *change).collect();
        assert_eq!(changes.len(), 5);
        for (change, other) in &all {
            assert!(*other != model && other.dimension() == 2 && other.n_classes() == 2, "{change}");
        }
        let of = |name: &str| &all.iter().find(|(change, _)| *change == name).unwrap().1;
        assert_eq!(of("classes in another order").class_weights(), [1.0, 2.0]);
        assert_eq!(of("points turned").classes()[1][0].at, [-9.0, 3.0]);
        assert_eq!(of("points given twice").n_atoms(), 5);
    }

    #[test]
    fn json_is_the_model_and_refuses_what_is_none() {
        let model = LatentClassModel::point_masses(&[1.0, 2.0], &[vec![1.0], vec![0.5]]).unwrap();
        let text = serde_json::to_string(&model).unwrap();
        assert_eq!(
            text,
            r#"{"class_weights":[1.0,2.0],"classes":[[{"weight":1.0,"at":[1.0]}],[{"weight":1.0,"at":[0.5]}]]}"#
        );
        assert_eq!(serde_json::from_str::<LatentClassModel>(&text).unwrap(), model);
        for bad in ["[1.0,-2.0]", "[1.0]", "[1.0,0.0]"] {
            assert!(serde_json::from_str::<LatentClassModel>(&text.replace("[1.0,2.0]", bad)).is_err());
        }
        assert!(serde_json::from_str::<LatentClassModel>(&text.replace("[0.5]", "[0.5,1.0]")).is_err());
        assert!(serde_json::from_str::<LatentClassModel>(&text.replace("[0.5]", "[]")).is_err());
    }
}
