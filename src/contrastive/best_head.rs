//! The supervised loss of the best linear head: `L_sup(f, T) = inf_W E_{(x,c) ~ D_T} [-log softmax(W f(x))_c]`.
//!
//! The infimum is enclosed from both sides and need not be attained. With `pi_j` the probability of the atom `x_j`, `y_j` its class:
//!
//! * **Above**: any head gives a bound. The best one found by a damped Newton iteration from the mean classifier is evaluated in
//!   intervals; the mean classifier itself is one candidate, so that `L_sup <= L_sup^mu` always shows.
//! * **Below**: any `q_j` in the simplex with `sum_j pi_j (q_j - e_{y_j}) x_j^T = 0` gives the bound `sum_j pi_j H(q_j)`, `H` the entropy
//!   ("dual feasible point"). Two are tried.
//!   1. Atoms at the same point share the distribution of their classes: `H(class | f(x))`. It is 0 where all atoms differ.
//!   2. Near the optimum, `q = softmax(W x_j)` misses the constraint by the gradient `R`. With the Hessian `M` of the loss at `W`, the
//!      Newton step `V = -M^-1 R` turns it into the exactly feasible `q_{j,c} (1 + e_{j,c})`, `e_{j,c} = V_c.x_j - sum_b q_{j,b} V_b.x_j`, as long as these
//!      are not below -1. As `|e| <= eps = 2 |V| |x_j|` and `sum_c q_c e_c = 0`, its entropy is at least `(1 - eps) H(q_j) - eps^2`, from
//!      `(1 + e) log(1 + e) <= e + e^2`. `|V| <= |R| / lambda_min(M)`, where `R` and `M` are evaluated in intervals and
//!      `lambda_min` is bounded by a floating-point Cholesky factorisation of `M - sigma I` that succeeds (Rump,
//!      *Verification of positive definiteness*, BIT 46, 2006: then `M >= sigma - gamma tr M`). No matrix is ever inverted.

use std::collections::BTreeMap;

use nalgebra::{Cholesky, DMatrix, DVector, SymmetricEigen};

use super::mean_classifier::{product, sup_mean};
use super::softmax_regression::{PARAMETERS, SoftmaxRegression};
use super::{ContrastiveError, LatentClassModel};
use crate::enclosure::Enclosure;
use crate::interval::{self, Interval};

/// `L_sup(f, T)` in nats, without intercept: an enclosure from a feasible pair of primal and dual points. It is always
/// valid; it is narrow when the classes overlap or are separable, and only bounded by 0 from below when they are separable in part.
///
/// # Errors
/// [`ContrastiveError::Task`] unless the task is a non-empty set of distinct classes.
pub fn best_head_loss(model: &LatentClassModel, task: &[usize]) -> Result<Enclosure, ContrastiveError> {
    let mean_classifier = sup_mean(model, task)?;
    if task.len() == 1 {
        return Ok(Enclosure::ZERO);
    }
    let problem = SoftmaxRegression::new(model, task);
    let head = problem.best_head();
    let mut upper = mean_classifier.hi().min(Enclosure::from(task.len()).ln().hi());
    if let Some(head) = &head {
        upper = upper.min(problem.loss(head).hi());
    }
    let lower = problem.dual_bound(head.as_ref());
    Ok(Enclosure::between(lower.clamp(0.0, upper), upper))
}

/// A lower bound of `L_sup(f, T)` in nats, from dual feasible points alone. [`best_head_loss`] cuts it down to its upper bound; here it is
/// as it was found, so that it can be held against the loss of any head.
///
/// # Errors
/// [`ContrastiveError::Task`] unless the task is a non-empty set of distinct classes.
pub fn best_head_dual_bound(model: &LatentClassModel, task: &[usize]) -> Result<f64, ContrastiveError> {
    model.check_task(task)?;
    if task.len() == 1 {
        return Ok(0.0);
    }
    let problem = SoftmaxRegression::new(model, task);
    Ok(problem.dual_bound(problem.best_head().as_ref()))
}

/// `L_sup(f, C)`, the task of all classes.
///
/// # Errors
/// None in practice; the type is shared with [`best_head_loss`].
pub fn best_head_loss_all(model: &LatentClassModel) -> Result<Enclosure, ContrastiveError> {
    best_head_loss(model, &(0..model.n_classes()).collect::<Vec<_>>())
}

impl SoftmaxRegression {
    /// The head that the iteration ends with; none where all atoms are zero and every head is as good.
    fn best_head(&self) -> Option<DVector<f64>> {
        (self.dimension > 0).then(|| self.minimise())
    }

    /// The better of the two dual bounds of the module's account, never negative.
    fn dual_bound(&self, head: Option<&DVector<f64>>) -> f64 {
        let ties = self.entropy_of_ties().lo().max(0.0);
        let repaired = head.filter(|head| head.len() <= PARAMETERS);
        repaired
            .and_then(|head| self.repaired_dual(head))
            .map_or(ties, |dual| dual.max(ties))
    }

    /// `H(class | f(x))`: the entropy of the classes among the atoms at one point, averaged over the points.
    fn entropy_of_ties(&self) -> Interval {
        let mut points = BTreeMap::<Vec<u64>, Vec<Interval>>::new();
        for ((at, &label), &weight) in self.atoms.iter().zip(&self.labels).zip(&self.weights) {
            // Adding zero makes the two zeros one.
            let key = at.iter().map(|x| (x + 0.0).to_bits()).collect();
            let shares = points.entry(key).or_insert_with(|| vec![Interval::ZERO; self.classes]);
            shares[label] += weight;
        }
        let entropy = |shares: &Vec<Interval>| {
            let positive: Vec<Interval> = shares.iter().copied().filter(|s| s.hi() > 0.0).collect();
            // m_c log(m/m_c), with m/m_c = 1 + (the others)/m_c kept away from rounding.
            let term = |(i, m): (usize, &Interval)| {
                let others = positive.iter().enumerate().filter(|(o, _)| *o != i).map(|(_, m)| *m);
                *m * (others.sum::<Interval>() / *m).ln_1p()
            };
            positive.iter().enumerate().map(term).sum::<Interval>()
        };
        interval::sum(&points.values().map(entropy).collect::<Vec<_>>())
    }

    /// `-log softmax_c` of every class `c` at one atom, in intervals.
    fn losses(&self, head: &DVector<f64>, at: &[f64]) -> Vec<Interval> {
        let zero = vec![0.0; self.dimension];
        let rows: Vec<&[f64]> = self.rows(head).chain([zero.as_slice()]).collect();
        let one = |own: &&[f64]| {
            let difference = |row: &&[f64]| {
                let way: Vec<Interval> = row.iter().zip(*own).map(|(a, b)| Interval::point(*a) - *b).collect();
                product(at, &way)
            };
            let loss = interval::log_sum_exp(&rows.iter().map(difference).collect::<Vec<_>>());
            Interval::new(loss.lo().max(0.0), loss.hi().max(0.0))
        };
        rows.iter().map(one).collect()
    }

    /// The loss of a head, in intervals.
    fn loss(&self, head: &DVector<f64>) -> Interval {
        let each = self.atoms.iter().zip(&self.labels).zip(&self.weights);
        let terms = each.filter_map(|((at, &label), w)| Some(*self.losses(head, at).get(label)? * *w));
        interval::sum(&terms.collect::<Vec<_>>())
    }

    /// The second dual bound of the module's account; none where the Hessian is not shown to be positive definite or the
    /// head is too far from the optimum.
    fn repaired_dual(&self, head: &DVector<f64>) -> Option<f64> {
        let (d, size) = (self.dimension, head.len());
        let mut residual = vec![Interval::ZERO; size];
        let mut hessian = vec![Interval::ZERO; size * size];
        let mut entropies = Vec::with_capacity(self.atoms.len());
        for ((at, &label), &weight) in self.atoms.iter().zip(&self.labels).zip(&self.weights) {
            let losses = self.losses(head, at);
            let q: Vec<Interval> = losses.iter().map(|l| (-*l).exp()).collect();
            // 1 - q without cancellation.
            let rest: Vec<Interval> = losses.iter().map(|l| -(-*l).exp_m1()).collect();
            entropies.push(losses.iter().zip(&q).map(|(l, q)| *l * *q).sum::<Interval>());
            for a in 0..self.classes - 1 {
                let slope = weight * if a == label { -rest[a] } else { q[a] };
                for i in 0..d {
                    residual[a * d + i] += slope * at[i];
                }
                for b in 0..=a {
                    let curvature = weight * if a == b { q[a] * rest[a] } else { -(q[a] * q[b]) };
                    for i in 0..d {
                        let row = curvature * at[i];
                        for k in 0..d {
                            hessian[(a * d + i) * size + b * d + k] += row * at[k];
                        }
                    }
                }
            }
        }
        let length = interval::sum(&residual.iter().map(|r| r.square()).collect::<Vec<_>>()).sqrt();
        let step = length / least_eigenvalue(&hessian, size)?;
        let norm = |at: &[f64]| interval::dot(at, at).sqrt();
        let mut total = Vec::with_capacity(entropies.len());
        for ((at, &weight), entropy) in self.atoms.iter().zip(&self.weights).zip(entropies) {
            let eps = (step * norm(at) * 2.0).hi();
            if eps.is_nan() || eps > 0.5 {
                return None;
            }
            total.push(((Interval::ONE - eps) * entropy - Interval::point(eps).square()) * weight);
        }
        Some(interval::sum(&total).lo())
    }
}

/// A positive lower bound of the least eigenvalue of every symmetric matrix in an interval matrix, of which only the lower
/// triangle is read.
fn least_eigenvalue(matrix: &[Interval], size: usize) -> Option<f64> {
    let entry = |i: usize, k: usize| matrix[i.max(k) * size + i.min(k)];
    let middle = DMatrix::from_fn(size, size, |i, k| entry(i, k).midpoint());
    // The Frobenius norm of the radii bounds what the midpoints leave out.
    let radii = (0..size * size).map(|n| Interval::point(entry(n / size, n % size).width()).square());
    let blur = radii.sum::<Interval>().sqrt().hi();
    let trace = (0..size)
        .map(|i| Interval::point(middle[(i, i)]))
        .sum::<Interval>()
        .hi();
    if !(blur.is_finite() && trace.is_finite()) {
        return None;
    }
    let eigenvalues = SymmetricEigen::try_new(middle.clone(), f64::EPSILON, 10_000)?.eigenvalues;
    let shift = 0.9 * eigenvalues.iter().copied().fold(f64::INFINITY, f64::min);
    if shift.is_nan() || shift <= 0.0 {
        return None;
    }
    let mut shifted = middle;
    (0..size).for_each(|i| shifted[(i, i)] -= shift);
    Cholesky::new(shifted)?;
    let slack = Interval::point((size + 8) as f64) * f64::EPSILON * (Interval::point(trace) + shift) + blur;
    let bound = (Interval::point(shift) - slack).lo();
    (bound > 0.0).then_some(bound)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(weights: &[f64], at: &[f64]) -> LatentClassModel {
        LatentClassModel::point_masses(weights, &at.iter().map(|x| vec![*x]).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn zero_encoder_and_coinciding_classes_have_the_entropy() {
        for n in 2..6 {
            let zero = best_head_loss_all(&LatentClassModel::zero_encoder(n, 2).unwrap()).unwrap();
            assert!(
                zero.width() < 1e-14 && zero.lo() <= core_math::log(n as f64) && zero.hi() >= core_math::log(n as f64)
            );
        }
        // Two classes at one point of probability 1/4 and 3/4: the head sees nothing but the shares.
        let same = best_head_loss_all(&points(&[1.0, 3.0], &[2.0, 2.0])).unwrap();
        let entropy = core_math::log(4.0) - 0.75 * core_math::log(3.0);
        assert!(
            same.lo() <= entropy && entropy <= same.hi() && same.width() < 1e-12,
            "{same:?}"
        );
    }

    #[test]
    fn separable_classes_have_loss_zero() {
        let separable = best_head_loss_all(&points(&[1.0, 1.0], &[1.0, -1.0])).unwrap();
        assert!(separable.lo() == 0.0 && separable.hi() < 1e-12, "{separable:?}");
        assert_eq!(
            best_head_loss(&points(&[1.0, 1.0], &[1.0, -1.0]), &[1]).unwrap(),
            Enclosure::ZERO
        );
    }

    #[test]
    fn overlapping_classes_are_enclosed_narrowly() {
        // The task {1, 3} of the register's model R0.
        let model: LatentClassModel = serde_json::from_str(
            r#"{"class_weights":[5.0,3.0,2.0],"classes":[
                [{"weight":1.0,"at":[1.0,0.0]},{"weight":3.0,"at":[0.5,0.5]}],
                [{"weight":1.0,"at":[-1.0,0.0]}],
                [{"weight":2.0,"at":[0.0,2.0]},{"weight":3.0,"at":[0.0,-1.0]},{"weight":5.0,"at":[1.0,1.0]}]]}"#,
        )
        .unwrap();
        let pair = best_head_loss(&model, &[0, 2]).unwrap();
        assert!(
            (pair.midpoint() - 0.573_711_059_1).abs() < 1e-10 && pair.width() < 1e-10,
            "{pair:?}"
        );
        let dual = best_head_dual_bound(&model, &[0, 2]).unwrap();
        assert_eq!(dual, pair.lo(), "nothing was cut off");
        assert!(best_head_dual_bound(&model, &[3]).is_err());
        let all = best_head_loss_all(&model).unwrap();
        assert!(
            all.lo() <= 0.438_911_86 && (all.hi() - 0.438_911_86).abs() < 1e-7,
            "{all:?}"
        );
        assert!(best_head_loss(&model, &[]).is_err() && best_head_loss(&model, &[7]).is_err());
    }
}
