//! Softmax regression without intercept in plain floating point: where to look for the best linear head.
//!
//! Nothing here is rigorous, and nothing needs to be: the bounds are taken elsewhere, at the head found here.

use nalgebra::{Cholesky, DMatrix, DVector};
use rayon::prelude::*;

use super::LatentClassModel;
use enclosures::interval::Interval;
use enclosures::work::shared;

/// Newton's method serves heads of at most this many free parameters.
pub(super) const PARAMETERS: usize = 1024;
const NEWTON_STEPS: usize = 60;
const QUASI_NEWTON_STEPS: usize = 500;
/// How many past steps make up the picture of the curvature.
const MEMORY: usize = 12;

/// Softmax regression on weighted atoms. The head is a flat vector of `classes - 1` rows; the last row is zero, which
/// loses nothing because adding one vector to all rows changes no softmax.
pub(super) struct SoftmaxRegression {
    /// Number of classes of the task.
    pub(super) classes: usize,
    /// Number of coordinates that are not zero everywhere.
    pub(super) dimension: usize,
    /// Which ones.
    pub(super) used: Vec<usize>,
    /// The embeddings.
    pub(super) atoms: Vec<Vec<f64>>,
    /// Position of each atom's class in the task.
    pub(super) labels: Vec<usize>,
    /// Probability of each atom under `D_T`.
    pub(super) weights: Vec<Interval>,
    /// Which classes stand in the softmax of each atom; its own always does.
    pub(super) allowed: Vec<Vec<bool>>,
    /// The parameters that are free; the others are zero.
    pub(super) free: Vec<usize>,
    /// The mean classifier, or zero.
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
        let used: Vec<usize> =
            (0..model.dimension()).filter(|&i| chosen.iter().any(|(_, a)| a.at.get(i) != Some(&0.0))).collect();
        let restrict = |at: &[f64]| used.iter().filter_map(|&i| at.get(i).copied()).collect::<Vec<_>>();
        let means: Vec<Vec<f64>> = task
            .iter()
            .map(|&c| restrict(&model.class_mean(c).iter().map(|m| m.midpoint()).collect::<Vec<_>>()))
            .collect();
        let (last, rows) = means.split_last().map_or((&[][..], &[][..]), |(l, r)| (l.as_slice(), r));
        let start = rows.iter().flat_map(|row| row.iter().zip(last).map(|(a, b)| a - b));
        SoftmaxRegression {
            allowed: vec![vec![true; task.len()]; chosen.len()],
            free: (0..used.len() * (task.len() - 1)).collect(),
            classes: task.len(),
            dimension: used.len(),
            start: DVector::from_vec(start.collect()),
            labels: chosen.iter().map(|(label, _)| *label).collect(),
            weights: chosen.iter().filter_map(|(l, a)| Some(*shares.get(*l)? * a.within)).collect(),
            atoms: chosen.iter().map(|(_, a)| restrict(a.at)).collect(),
            used,
        }
    }

    /// The rows of a head but the last, which is zero.
    pub(super) fn rows<'a>(&'a self, head: &'a DVector<f64>) -> impl Iterator<Item = &'a [f64]> {
        head.as_slice().chunks_exact(self.dimension.max(1))
    }

    /// The same atoms with fewer classes in their softmax and fewer free parameters.
    pub(super) fn restricted(&self, allowed: Vec<Vec<bool>>, free: Vec<usize>) -> Self {
        SoftmaxRegression {
            allowed,
            free,
            used: self.used.clone(),
            atoms: self.atoms.clone(),
            labels: self.labels.clone(),
            weights: self.weights.clone(),
            start: DVector::zeros(self.start.len()),
            ..*self
        }
    }

    /// Loss and class probabilities of one atom in plain floating point.
    fn softmax(&self, head: &DVector<f64>, atom: usize) -> (f64, Vec<f64>) {
        let (at, label, allowed) = (&self.atoms[atom], self.labels[atom], &self.allowed[atom]);
        let rows = self.rows(head).map(|row| row.iter().zip(at).map(|(w, x)| w * x).sum());
        let logits = rows.chain([0.0]).zip(allowed);
        let mut values: Vec<f64> =
            logits.map(|(logit, allowed)| if *allowed { logit } else { f64::NEG_INFINITY }).collect();
        let top = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let own = values[label];
        values.iter_mut().for_each(|value| *value = core_math::exp(*value - top));
        let total: f64 = values.iter().sum();
        let loss = if values[label] > 0.5 {
            core_math::log1p(sum_without(&values, label) / values[label])
        } else {
            core_math::log(total) + top - own
        };
        values.iter_mut().for_each(|value| *value /= total);
        (loss, values)
    }

    /// The class probabilities of every atom.
    pub(super) fn probabilities(&self, head: &DVector<f64>) -> Vec<Vec<f64>> {
        self.evaluated(head).1
    }

    /// The loss, and the class probabilities of every atom.
    fn evaluated(&self, head: &DVector<f64>) -> (f64, Vec<Vec<f64>>) {
        let (losses, probabilities): (Vec<f64>, Vec<Vec<f64>>) =
            (0..self.atoms.len()).map(|j| self.softmax(head, j)).unzip();
        let weighted = self.weights.iter().zip(losses).map(|(weight, loss)| weight.midpoint() * loss);
        (weighted.sum(), probabilities)
    }

    /// The gradient in all parameters.
    fn gradient(&self, probabilities: &[Vec<f64>]) -> DVector<f64> {
        let d = self.dimension;
        let mut gradient = DVector::zeros(d * (self.classes - 1));
        for (j, q) in probabilities.iter().enumerate() {
            for a in 0..self.classes - 1 {
                // q - 1 as minus the sum of the others, which keeps its digits.
                let slope = if a == self.labels[j] { -sum_without(q, a) } else { q[a] };
                let factor = self.weights[j].midpoint() * slope;
                for (g, x) in gradient.as_mut_slice()[a * d..].iter_mut().zip(&self.atoms[j]) {
                    *g += factor * x;
                }
            }
        }
        gradient
    }

    /// `sum_j C_j x_j x_j^T` in the free parameters, where `C_j` is the matrix `coefficient(j, a, b)`, `a <= b`, over
    /// the classes but the last. Blocks are independent and each is summed in the order of the atoms, so that threads
    /// change nothing.
    pub(super) fn quadratic_form(&self, coefficient: impl Fn(usize, usize, usize) -> f64 + Sync) -> DMatrix<f64> {
        let d = self.dimension;
        let pairs: Vec<(usize, usize)> = (0..self.classes - 1).flat_map(|b| (0..=b).map(move |a| (a, b))).collect();
        let block = |&(a, b): &(usize, usize)| {
            let mut block = vec![0.0; d * d];
            for (j, at) in self.atoms.iter().enumerate() {
                let c = coefficient(j, a, b);
                if c == 0.0 {
                    continue;
                }
                for (row, x) in block.chunks_exact_mut(d).zip(at) {
                    let factor = c * x;
                    for (entry, y) in row.iter_mut().zip(at) {
                        *entry += factor * y;
                    }
                }
            }
            block
        };
        let blocks: Vec<Vec<f64>> = shared(500 * pairs.len() as u64, || pairs.par_iter().map(block).collect());
        let entry = |row: usize, column: usize| {
            let (row, column) = (self.free[row], self.free[column]);
            let (a, b) = (row / d, column / d);
            let number = |low: usize, high: usize| high * (high + 1) / 2 + low;
            if a <= b {
                blocks[number(a, b)][row % d * d + column % d]
            } else {
                blocks[number(b, a)][column % d * d + row % d]
            }
        };
        DMatrix::from_fn(self.free.len(), self.free.len(), entry)
    }

    fn hessian(&self, probabilities: &[Vec<f64>]) -> DMatrix<f64> {
        self.quadratic_form(|j, a, b| {
            let q = &probabilities[j];
            let curvature = if a == b { q[a] * sum_without(q, a) } else { -q[a] * q[b] };
            self.weights[j].midpoint() * curvature
        })
    }

    /// The part of a full vector in the free parameters, and back.
    fn compress(&self, full: &DVector<f64>) -> DVector<f64> {
        DVector::from_iterator(self.free.len(), self.free.iter().map(|&i| full[i]))
    }

    fn expand(&self, part: &DVector<f64>) -> DVector<f64> {
        let mut full = DVector::zeros(self.start.len());
        for (&i, x) in self.free.iter().zip(part.iter()) {
            full[i] = *x;
        }
        full
    }

    /// A head of small loss: damped Newton steps, or steps of the limited-memory BFGS method for very large heads.
    pub(super) fn minimise(&self) -> DVector<f64> {
        self.minimise_by(self.free.len() <= PARAMETERS)
    }

    #[cfg(test)]
    pub(super) fn quasi_newton(&self) -> DVector<f64> {
        self.minimise_by(false)
    }

    fn minimise_by(&self, newton: bool) -> DVector<f64> {
        let mut head = self.start.clone();
        let (mut loss, mut probabilities) = self.evaluated(&head);
        let zero = DVector::zeros(self.start.len());
        let at_zero = self.evaluated(&zero);
        if loss.is_nan() || loss > at_zero.0 {
            (head, (loss, probabilities)) = (zero, at_zero);
        }
        let mut memory = Curvature::default();
        for _ in 0..if newton { NEWTON_STEPS } else { QUASI_NEWTON_STEPS } {
            let gradient = self.compress(&self.gradient(&probabilities));
            let direction = if newton {
                let mut hessian = self.hessian(&probabilities);
                let size = self.free.len();
                let ridge = 1e-14 * hessian.trace() / size as f64 + 1e-300;
                (0..size).for_each(|i| hessian[(i, i)] += ridge);
                match Cholesky::new(hessian) {
                    Some(factors) => self.expand(&factors.solve(&-gradient)),
                    None => break,
                }
            } else {
                self.expand(&memory.direction(self.compress(&head), gradient))
            };
            let mut step = 1.0;
            let better = (0..60).find_map(|_| {
                let next = &head + &direction * step;
                let found = self.evaluated(&next);
                if found.0 < loss {
                    return Some((next, found));
                }
                step *= 0.5;
                None
            });
            let Some((next, found)) = better else { break };
            let gained = loss - found.0;
            (head, (loss, probabilities)) = (next, found);
            if gained <= 1e-16 * loss || loss < 1e-290 {
                break;
            }
        }
        if newton { self.polish(head, probabilities) } else { head }
    }

    /// Undamped Newton steps as long as they shorten the gradient: near the minimum the loss no longer tells better
    /// from worse, but the gradient does.
    fn polish(&self, mut head: DVector<f64>, mut probabilities: Vec<Vec<f64>>) -> DVector<f64> {
        let mut gradient = self.compress(&self.gradient(&probabilities));
        for _ in 0..4 {
            let Some(factors) = Cholesky::new(self.hessian(&probabilities)) else { break };
            let next = &head - self.expand(&factors.solve(&gradient));
            let there = self.probabilities(&next);
            let slope = self.compress(&self.gradient(&there));
            let length = slope.norm();
            if length.is_nan() || length >= gradient.norm() {
                break;
            }
            (head, probabilities, gradient) = (next, there, slope);
        }
        head
    }
}

fn sum_without(values: &[f64], index: usize) -> f64 {
    let others = values.iter().enumerate().filter(|(c, _)| *c != index);
    others.map(|(_, p)| p).sum()
}

/// The last steps and the changes of the gradient along them (Nocedal and Wright, *Numerical Optimization*, algorithm
/// 7.4).
#[derive(Default)]
struct Curvature {
    last: Option<(DVector<f64>, DVector<f64>)>,
    pairs: std::collections::VecDeque<(DVector<f64>, DVector<f64>)>,
}

impl Curvature {
    /// The next direction, from where the head is and its gradient there.
    fn direction(&mut self, head: DVector<f64>, gradient: DVector<f64>) -> DVector<f64> {
        if let Some((before, slope)) = &self.last {
            let (step, change) = (&head - before, &gradient - slope);
            if step.dot(&change) > 1e-300 {
                self.pairs.push_back((step, change));
            }
            if self.pairs.len() > MEMORY {
                self.pairs.pop_front();
            }
        }
        let mut direction = -&gradient;
        self.last = Some((head, gradient));
        let mut shares = Vec::with_capacity(self.pairs.len());
        for (step, change) in self.pairs.iter().rev() {
            let share = step.dot(&direction) / step.dot(change);
            direction.axpy(-share, change, 1.0);
            shares.push(share);
        }
        if let Some((step, change)) = self.pairs.back() {
            direction *= step.dot(change) / change.norm_squared();
        }
        for ((step, change), share) in self.pairs.iter().zip(shares.iter().rev()) {
            let other = change.dot(&direction) / step.dot(change);
            direction.axpy(share - other, step, 1.0);
        }
        direction
    }
}
