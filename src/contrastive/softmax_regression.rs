//! Softmax regression without intercept in plain floating point: where to look for the best linear head.
//!
//! Nothing here is rigorous, and nothing needs to be: the bounds are taken elsewhere, at the head found here.

use nalgebra::{Cholesky, DMatrix, DVector};

use super::LatentClassModel;
use crate::interval::Interval;

/// Newton's method serves heads of at most this many free parameters.
pub(super) const PARAMETERS: usize = 96;
const NEWTON_STEPS: usize = 60;
const GRADIENT_STEPS: usize = 200;

/// Softmax regression on weighted atoms. The head is a flat vector of `classes - 1` rows; the last row is zero, which loses
/// nothing because adding one vector to all rows changes no softmax.
pub(super) struct SoftmaxRegression {
    /// Number of classes of the task.
    pub(super) classes: usize,
    /// Number of coordinates that are not zero everywhere.
    pub(super) dimension: usize,
    /// The embeddings.
    pub(super) atoms: Vec<Vec<f64>>,
    /// Position of each atom's class in the task.
    pub(super) labels: Vec<usize>,
    /// Probability of each atom under `D_T`.
    pub(super) weights: Vec<Interval>,
    /// The mean classifier.
    start: DVector<f64>,
}

impl SoftmaxRegression {
    /// The atoms of the classes of a task, which must exist.
    pub(super) fn new(model: &LatentClassModel, task: &[usize]) -> Self {
        let shares = model.task_probabilities(task);
        let chosen: Vec<_> = model
            .weighted_atoms()
            .into_iter()
            .filter_map(|a| Some((task.iter().position(|&c| c == a.class)?, a)))
            .collect();
        // A coordinate that is zero everywhere constrains nothing.
        let used: Vec<usize> = (0..model.dimension())
            .filter(|&i| chosen.iter().any(|(_, a)| a.at.get(i) != Some(&0.0)))
            .collect();
        let restrict = |at: &[f64]| used.iter().filter_map(|&i| at.get(i).copied()).collect::<Vec<_>>();
        let means: Vec<Vec<f64>> = task
            .iter()
            .map(|&c| restrict(&model.class_mean(c).iter().map(|m| m.midpoint()).collect::<Vec<_>>()))
            .collect();
        let (last, rows) = means
            .split_last()
            .map_or((&[][..], &[][..]), |(l, r)| (l.as_slice(), r));
        let start = rows.iter().flat_map(|row| row.iter().zip(last).map(|(a, b)| a - b));
        SoftmaxRegression {
            classes: task.len(),
            dimension: used.len(),
            start: DVector::from_vec(start.collect()),
            labels: chosen.iter().map(|(label, _)| *label).collect(),
            weights: chosen
                .iter()
                .filter_map(|(l, a)| Some(*shares.get(*l)? * a.within))
                .collect(),
            atoms: chosen.iter().map(|(_, a)| restrict(a.at)).collect(),
        }
    }

    /// The rows of a head but the last, which is zero.
    pub(super) fn rows<'a>(&'a self, head: &'a DVector<f64>) -> impl Iterator<Item = &'a [f64]> {
        head.as_slice().chunks_exact(self.dimension.max(1))
    }

    /// Logits of one atom in plain floating point.
    fn logits(&self, head: &DVector<f64>, at: &[f64]) -> Vec<f64> {
        let mut logits: Vec<f64> = self
            .rows(head)
            .map(|row| row.iter().zip(at).map(|(w, x)| w * x).sum())
            .collect();
        logits.push(0.0);
        logits
    }

    /// Loss and class probabilities of one atom in plain floating point.
    fn softmax(&self, head: &DVector<f64>, at: &[f64], label: usize) -> (f64, Vec<f64>) {
        let logits = self.logits(head, at);
        let top = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let powers: Vec<f64> = logits.iter().map(|a| core_math::exp(a - top)).collect();
        let total: f64 = powers.iter().sum();
        let others: f64 = powers
            .iter()
            .enumerate()
            .filter(|(c, _)| *c != label)
            .map(|(_, p)| p)
            .sum();
        let loss = if powers[label] > 0.5 {
            core_math::log1p(others / powers[label])
        } else {
            core_math::log(total) + top - logits[label]
        };
        (loss, powers.iter().map(|p| p / total).collect())
    }

    fn approximate_loss(&self, head: &DVector<f64>) -> f64 {
        let each = self.atoms.iter().zip(&self.labels).zip(&self.weights);
        each.map(|((at, &label), w)| w.midpoint() * self.softmax(head, at, label).0)
            .sum()
    }

    fn gradient(&self, head: &DVector<f64>, mut hessian: Option<&mut DMatrix<f64>>) -> DVector<f64> {
        let d = self.dimension;
        let mut gradient = DVector::zeros(head.len());
        for ((at, &label), weight) in self.atoms.iter().zip(&self.labels).zip(&self.weights) {
            let (weight, q) = (weight.midpoint(), self.softmax(head, at, label).1);
            for a in 0..self.classes - 1 {
                // q - 1 as minus the sum of the others, which keeps its digits.
                let slope = if a == label {
                    -q.iter()
                        .enumerate()
                        .filter(|(c, _)| *c != a)
                        .map(|(_, p)| p)
                        .sum::<f64>()
                } else {
                    q[a]
                };
                for i in 0..d {
                    gradient[a * d + i] += weight * slope * at[i];
                }
                let Some(hessian) = hessian.as_deref_mut() else {
                    continue;
                };
                for b in 0..=a {
                    let rest = q
                        .iter()
                        .enumerate()
                        .filter(|(c, _)| *c != a)
                        .map(|(_, p)| p)
                        .sum::<f64>();
                    let curvature = weight * if a == b { q[a] * rest } else { -q[a] * q[b] };
                    for i in 0..d {
                        for k in 0..d {
                            hessian[(a * d + i, b * d + k)] += curvature * at[i] * at[k];
                        }
                    }
                }
            }
        }
        if let Some(hessian) = hessian {
            hessian.fill_upper_triangle_with_lower_triangle();
        }
        gradient
    }

    /// A head of small loss: damped Newton steps where the problem is small, gradient steps otherwise.
    pub(super) fn minimise(&self) -> DVector<f64> {
        let size = self.start.len();
        let newton = size <= PARAMETERS;
        let (mut head, mut loss) = (self.start.clone(), self.approximate_loss(&self.start));
        let zero = DVector::zeros(size);
        let at_zero = self.approximate_loss(&zero);
        if loss.is_nan() || loss > at_zero {
            (head, loss) = (zero, at_zero);
        }
        let mut rate = 1.0;
        for _ in 0..if newton { NEWTON_STEPS } else { GRADIENT_STEPS } {
            let direction = if newton {
                let mut hessian = DMatrix::zeros(size, size);
                let gradient = self.gradient(&head, Some(&mut hessian));
                let ridge = 1e-14 * hessian.trace() / size as f64 + 1e-300;
                (0..size).for_each(|i| hessian[(i, i)] += ridge);
                match Cholesky::new(hessian) {
                    Some(factors) => factors.solve(&-gradient),
                    None => break,
                }
            } else {
                -self.gradient(&head, None)
            };
            let mut step = if newton { 1.0 } else { 4.0 * rate };
            let better = (0..60).find_map(|_| {
                let next = &head + &direction * step;
                let value = self.approximate_loss(&next);
                if value < loss {
                    return Some((next, value));
                }
                step *= 0.5;
                None
            });
            let Some((next, value)) = better else { break };
            rate = step;
            let gained = loss - value;
            (head, loss) = (next, value);
            if gained <= 1e-16 * loss || loss < 1e-290 {
                break;
            }
        }
        if newton {
            self.polish(&mut head);
        }
        head
    }

    /// Undamped Newton steps as long as they shorten the gradient: near the minimum the loss no longer tells better from
    /// worse, but the gradient does.
    fn polish(&self, head: &mut DVector<f64>) {
        let size = head.len();
        for _ in 0..4 {
            let mut hessian = DMatrix::zeros(size, size);
            let gradient = self.gradient(head, Some(&mut hessian));
            let Some(factors) = Cholesky::new(hessian) else { return };
            let next = &*head - factors.solve(&gradient);
            let length = self.gradient(&next, None).norm();
            if length.is_nan() || length >= gradient.norm() {
                return;
            }
            *head = next;
        }
    }
}
