//! Latent-class models with a finitely supported encoder: what the losses are expectations over.

use serde::{Deserialize, Serialize};

use super::ContrastiveError;
use enclosures::enclosure::Enclosure;
use enclosures::interval::{self, Interval};

/// One value `f(x)` of the encoder and its weight inside its class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Atom {
    /// Positive; the probability inside the class is the weight divided by the sum over the class.
    pub weight: f64,
    /// The embedding, a vector of `R^d`.
    pub at: Vec<f64>,
}

/// Class probabilities `rho` and, for every class, a finite law of the embedding `f(x)`.
///
/// A positive pair is two independent atoms of one class drawn from `rho`; a negative is an atom of an independently
/// drawn class. Every set of labelled embeddings is such a model (its empirical distribution). Weights are free positive
/// numbers, so that a search may move each of them; probabilities are their shares, enclosed in intervals.
///
/// The type keeps its promises: a value is valid however it came about, also by deserialisation.
///
/// ```
/// use contrapositive_contrastive::LatentClassModel;
/// let model = LatentClassModel::point_masses(&[1.0, 1.0, 2.0], &[vec![1.0], vec![1.0], vec![30.0]]).unwrap();
/// assert_eq!(model.rho(2).midpoint(), 0.5);
/// assert!(LatentClassModel::point_masses(&[1.0, 0.0], &[vec![1.0], vec![2.0]]).is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "UncheckedModel")]
pub struct LatentClassModel {
    class_weights: Vec<f64>,
    classes: Vec<Vec<Atom>>,
}

#[derive(Deserialize)]
struct UncheckedModel {
    class_weights: Vec<f64>,
    classes: Vec<Vec<Atom>>,
}

impl TryFrom<UncheckedModel> for LatentClassModel {
    type Error = ContrastiveError;
    fn try_from(raw: UncheckedModel) -> Result<Self, ContrastiveError> {
        Self::new(raw.class_weights, raw.classes)
    }
}

/// An atom of a model seen from the whole: its class and its probabilities.
#[derive(Clone, Copy, Debug)]
pub struct WeightedAtom<'a> {
    /// Index of the class.
    pub class: usize,
    /// Probability given the class.
    pub within: Interval,
    /// Probability `rho(class) * within` under the law of a negative.
    pub overall: Interval,
    /// The embedding.
    pub at: &'a [f64],
}

/// The share of one weight among all; equal weights give exactly `1 / n`.
fn share(weights: &[f64], index: usize) -> Interval {
    let Some(&weight) = weights.get(index) else {
        return Interval::ZERO;
    };
    if weights.iter().all(|w| *w == weight) {
        return Interval::ONE / weights.len() as f64;
    }
    Interval::point(weight) / total(weights)
}

fn total(weights: &[f64]) -> Interval {
    interval::sum(&weights.iter().map(|w| Interval::point(*w)).collect::<Vec<_>>())
}

fn check_weights(weights: &[f64], what: impl Fn(usize) -> String) -> Result<(), ContrastiveError> {
    let sum: f64 = weights.iter().sum();
    for (index, &value) in weights.iter().enumerate() {
        // A subnormal weight has lost its relative accuracy and with it its meaning as a share.
        if !(value.is_normal() && value > 0.0 && sum.is_finite()) {
            return Err(ContrastiveError::Weight { what: what(index), value });
        }
    }
    Ok(())
}

impl LatentClassModel {
    /// A model from its parts.
    ///
    /// # Errors
    /// No class, a class without atoms, a weight that is not positive and normal, a coordinate that is not finite,
    /// vectors of different or no dimension.
    pub fn new(class_weights: Vec<f64>, classes: Vec<Vec<Atom>>) -> Result<Self, ContrastiveError> {
        if classes.is_empty() {
            return Err(ContrastiveError::NoClasses);
        }
        if class_weights.len() != classes.len() {
            return Err(ContrastiveError::ClassCount { weights: class_weights.len(), classes: classes.len() });
        }
        check_weights(&class_weights, |c| format!("class {c}"))?;
        let mut expected = None;
        for (class, atoms) in classes.iter().enumerate() {
            if atoms.is_empty() {
                return Err(ContrastiveError::EmptyClass { class });
            }
            let name = |j| format!("atom {j} of class {class}");
            check_weights(&atoms.iter().map(|a| a.weight).collect::<Vec<_>>(), name)?;
            for (j, atom) in atoms.iter().enumerate() {
                let expected = *expected.get_or_insert(atom.at.len());
                if atom.at.len() != expected {
                    return Err(ContrastiveError::Dimension { what: name(j), found: atom.at.len(), expected });
                }
                if let Some(&value) = atom.at.iter().find(|x| !x.is_finite()) {
                    return Err(ContrastiveError::NotFinite { what: name(j), value });
                }
            }
        }
        if expected == Some(0) {
            return Err(ContrastiveError::NoCoordinates);
        }
        Ok(LatentClassModel { class_weights, classes })
    }

    /// One atom per class: class `c` has the embedding `points[c]` always.
    ///
    /// # Errors
    /// As [`LatentClassModel::new`].
    pub fn point_masses(class_weights: &[f64], points: &[Vec<f64>]) -> Result<Self, ContrastiveError> {
        let classes = points.iter().map(|at| vec![Atom { weight: 1.0, at: at.clone() }]);
        Self::new(class_weights.to_vec(), classes.collect())
    }

    /// The encoder `f = 0` on equally likely classes.
    ///
    /// # Errors
    /// When one of the sizes is zero.
    pub fn zero_encoder(n_classes: usize, dimension: usize) -> Result<Self, ContrastiveError> {
        Self::point_masses(&vec![1.0; n_classes], &vec![vec![0.0; dimension]; n_classes])
    }

    /// Number of classes `N_C`.
    #[must_use]
    pub fn n_classes(&self) -> usize {
        self.classes.len()
    }

    /// The atoms of every class.
    #[must_use]
    pub fn classes(&self) -> &[Vec<Atom>] {
        &self.classes
    }

    /// The weights whose shares are the class probabilities.
    #[must_use]
    pub fn class_weights(&self) -> &[f64] {
        &self.class_weights
    }

    /// Dimension `d` of the embeddings.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.classes.first().and_then(|c| c.first()).map_or(0, |a| a.at.len())
    }

    /// Number of atoms of all classes.
    #[must_use]
    pub fn n_atoms(&self) -> usize {
        self.classes.iter().map(Vec::len).sum()
    }

    /// Probability `rho(c)`; zero for a class that does not exist.
    #[must_use]
    pub fn rho(&self, class: usize) -> Interval {
        share(&self.class_weights, class)
    }

    /// All class probabilities.
    #[must_use]
    pub fn rhos(&self) -> Vec<Interval> {
        (0..self.n_classes()).map(|c| self.rho(c)).collect()
    }

    /// The class probabilities `D_T(c) = rho(c)/rho(T)` of a task, in its order; zero for classes that do not exist.
    #[must_use]
    pub fn task_probabilities(&self, task: &[usize]) -> Vec<Interval> {
        let weights: Vec<f64> = task.iter().filter_map(|c| self.class_weights.get(*c).copied()).collect();
        if weights.len() != task.len() {
            return vec![Interval::ZERO; task.len()];
        }
        (0..task.len()).map(|i| share(&weights, i)).collect()
    }

    /// Refuses a task that is empty, repeats a class or names one that does not exist.
    ///
    /// # Errors
    /// [`ContrastiveError::Task`].
    pub fn check_task(&self, task: &[usize]) -> Result<(), ContrastiveError> {
        let classes = self.n_classes();
        let refuse = |class| Err(ContrastiveError::Task { class, classes });
        if task.is_empty() {
            return refuse(classes);
        }
        let mut seen = vec![false; classes];
        for &class in task {
            match seen.get_mut(class) {
                Some(seen) if !*seen => *seen = true,
                _ => return refuse(class),
            }
        }
        Ok(())
    }

    /// The smallest class probability.
    #[must_use]
    pub fn p_min(&self) -> Interval {
        self.rhos().into_iter().fold(Interval::ONE, Interval::min)
    }

    /// The largest class probability.
    #[must_use]
    pub fn p_max(&self) -> Interval {
        self.rhos().into_iter().fold(Interval::ZERO, Interval::max)
    }

    /// `tau_N = sum_c rho(c)^(N+1)`, the probability that an anchor and its `N` negatives share one class.
    #[must_use]
    pub fn tau(&self, negatives: u64) -> Interval {
        let exponent = i64::try_from(negatives).unwrap_or(i64::MAX).saturating_add(1);
        if self.is_uniform() {
            // N_C * N_C^-(N+1)
            return (Interval::ONE / self.n_classes() as f64).powi(exponent - 1);
        }
        let power = |class: usize| {
            let rho = self.rho(class);
            if rho.lo() < 0.5 || exponent < 64 {
                return rho.powi(exponent);
            }
            // A large class: a rounded rho would be off by as many units as there are negatives, its complement is not.
            let others = self.class_weights.iter().enumerate().filter(|(c, _)| *c != class);
            let others = total(&others.map(|(_, w)| *w).collect::<Vec<_>>());
            let complement = Interval::ONE / (Interval::point(self.class_weights[class]) / others + 1.0);
            let times = Enclosure::from(negatives).interval() + 1.0;
            ((-complement).ln_1p() * times).exp()
        };
        interval::sum(&(0..self.n_classes()).map(power).collect::<Vec<_>>())
    }

    /// Whether all class weights are equal, exactly.
    #[must_use]
    pub fn is_uniform(&self) -> bool {
        self.class_weights.windows(2).all(|pair| pair[0] == pair[1])
    }

    /// Probabilities of the atoms of one class, given the class; empty for a class that does not exist.
    #[must_use]
    pub fn atom_probabilities(&self, class: usize) -> Vec<Interval> {
        let Some(atoms) = self.classes.get(class) else {
            return Vec::new();
        };
        let weights: Vec<f64> = atoms.iter().map(|a| a.weight).collect();
        if weights.windows(2).all(|pair| pair[0] == pair[1]) {
            return vec![Interval::ONE / atoms.len() as f64; atoms.len()];
        }
        let total = total(&weights);
        weights.iter().map(|w| Interval::point(*w) / total).collect()
    }

    /// The class mean `mu_c`, one interval per coordinate; empty for a class that does not exist.
    #[must_use]
    pub fn class_mean(&self, class: usize) -> Vec<Interval> {
        let atoms = self.classes.get(class).map_or(&[][..], Vec::as_slice);
        if let [only] = atoms {
            return only.at.iter().map(|x| Interval::point(*x)).collect();
        }
        let weights: Vec<f64> = atoms.iter().map(|a| a.weight).collect();
        let equal = weights.windows(2).all(|pair| pair[0] == pair[1]);
        let total = if equal { Interval::point(atoms.len() as f64) } else { total(&weights) };
        let weighted = |i: usize| {
            let terms = atoms.iter().filter_map(|a| {
                let x = Interval::point(*a.at.get(i)?);
                Some(if equal { x } else { x * a.weight })
            });
            interval::sum(&terms.collect::<Vec<_>>()) / total
        };
        (0..self.dimension()).map(weighted).collect()
    }

    /// Every atom with its class and probabilities, class by class.
    #[must_use]
    pub fn weighted_atoms(&self) -> Vec<WeightedAtom<'_>> {
        let mut all = Vec::with_capacity(self.n_atoms());
        for (class, atoms) in self.classes.iter().enumerate() {
            let rho = self.rho(class);
            for (atom, within) in atoms.iter().zip(self.atom_probabilities(class)) {
                all.push(WeightedAtom { class, within, overall: rho * within, at: &atom.at });
            }
        }
        all
    }
}
