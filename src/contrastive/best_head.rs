//! The supervised loss of the best linear head: `L_sup(f, T) = inf_W E_{(x,c) ~ D_T} [-log softmax(W f(x))_c]`.
//!
//! The infimum is enclosed from both sides and need not be attained. With `pi_j` the probability of the atom `x_j`,
//! `y_j` its class:
//!
//! * **Above**: any head gives a bound. The best one found by a damped Newton iteration from the mean classifier is
//!   evaluated in intervals; the mean classifier itself is one candidate, so that `L_sup <= L_sup^mu` always shows.
//! * **Below**: any `q_j` in the simplex with `sum_j pi_j (q_j - e_{y_j}) x_j^T = 0` gives the bound
//!   `sum_j pi_j H(q_j)`, `H` the entropy ("dual feasible point"). Two are tried.
//!   1. Atoms at the same point share the distribution of their classes: `H(class | f(x))`. It is 0 where all atoms
//!      differ.
//!   2. Near the optimum, `q = softmax(W x_j)` misses the constraint by the gradient `R`. With the Hessian `M` of the
//!      loss at `W`, the Newton step `V = -M^-1 R` turns it into the exactly feasible `q_{j,c} (1 + e_{j,c})`,
//!      `e_{j,c} = V_c.x_j - sum_b q_{j,b} V_b.x_j`, as long as these are not below -1. As `|e| <= eps = 2 |V| |x_j|`
//!      and `sum_c q_c e_c = 0`, its entropy is at least `(1 - eps) H(q_j) - eps^2`, from
//!      `(1 + e) log(1 + e) <= e + e^2`. `|V| <= |R| / lambda_min(M)`, where `R` is evaluated in intervals, `M` in
//!      floating point with an error bound, and `lambda_min` is bounded by a floating-point Cholesky factorisation of
//!      `M - sigma I` that succeeds (Rump, *Verification of positive definiteness*, BIT 46, 2006: then
//!      `M >= sigma - gamma tr M`). No matrix is ever inverted.
//!
//! Classes that are separable in part make `M` singular in the limit: there is a direction in which no loss
//! `(W_c - W_{y_j}).x_j` grows and some fall for ever, and the infimum is not attained. Every feasible `q` vanishes
//! at those pairs `(j, c)`. So they are dropped: the softmax of an atom is taken over the classes that remain (those
//! of probability above a threshold at the head found; a wrong guess costs sharpness, never validity, for a `q` that
//! is zero elsewhere is as feasible as any). What is left depends on `W` through the span `U` of the matrices
//! `(E_c - E_{y_j}) x_j^T` of the pairs kept, and `R` and `M V` lie in `U`. Exact elimination finds as many
//! coordinates as `U` has dimensions that determine its members; so parameters outside these are set to zero, and a
//! residual that vanishes on these vanishes. The second bound then applies to the smaller problem, whose infimum is
//! attained.

use std::collections::BTreeMap;

use nalgebra::{Cholesky, DMatrix, DVector};

use super::exact_span::determining_coordinates;
use super::mean_classifier::{product, sup_mean};
use super::softmax_regression::{PARAMETERS, SoftmaxRegression};
use super::{ContrastiveError, LatentClassModel};
use enclosures::interval::{self, Interval};

/// Relative distance of the two bounds at which nothing more is tried.
const CLOSED: f64 = 1e-9;
/// Class probabilities below one of these count as those of a class that can be separated from the atom.
const THRESHOLDS: [f64; 4] = [1e-10, 1e-7, 1e-5, 1e-3];

/// `L_sup(f, T)` in nats, without intercept: an enclosure from a feasible pair of primal and dual points. It is
/// always valid, and narrow whether the classes overlap, are separable or are separable in part; for heads of
/// hundreds of parameters that are separable in part the lower end may stay at 0.
///
/// # Errors
/// [`ContrastiveError::Task`] unless the task is a non-empty set of distinct classes.
pub fn best_head_loss(model: &LatentClassModel, task: &[usize]) -> Result<Interval, ContrastiveError> {
    let mean_classifier = sup_mean(model, task)?;
    if task.len() == 1 {
        return Ok(Interval::ZERO);
    }
    let problem = SoftmaxRegression::new(model, task);
    let head = problem.best_head();
    let mut upper = mean_classifier.hi().min(Interval::point(task.len() as f64).ln().hi());
    if let Some(head) = &head {
        upper = upper.min(problem.loss(head).hi());
    }
    let lower = problem.dual_bound(head.as_ref());
    Ok(Interval::new(lower.clamp(0.0, upper), upper))
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

/// The head of the task that the iteration for [`best_head_loss`] ends with: a row for every class, the last zero. Its loss is
/// near the infimum where that is attained; nothing is proven of it.
///
/// # Errors
/// [`ContrastiveError::Task`] unless the task is a non-empty set of distinct classes.
pub fn best_head_on(model: &LatentClassModel, task: &[usize]) -> Result<Vec<Vec<f64>>, ContrastiveError> {
    model.check_task(task)?;
    let mut rows = vec![vec![0.0; model.dimension()]; task.len()];
    let problem = SoftmaxRegression::new(model, task);
    if let Some(head) = problem.best_head() {
        for (row, found) in rows.iter_mut().zip(problem.rows(&head)) {
            problem.used.iter().zip(found).for_each(|(&i, w)| row[i] = *w);
        }
    }
    Ok(rows)
}

/// `L_sup(f, C)`, the task of all classes.
///
/// # Errors
/// None in practice; the type is shared with [`best_head_loss`].
pub fn best_head_loss_all(model: &LatentClassModel) -> Result<Interval, ContrastiveError> {
    best_head_loss(model, &(0..model.n_classes()).collect::<Vec<_>>())
}

impl SoftmaxRegression {
    /// The head that the iteration ends with; none where all atoms are zero and every head is as good.
    fn best_head(&self) -> Option<DVector<f64>> {
        (self.dimension > 0).then(|| self.minimise())
    }

    /// The best of the dual bounds of the module's account, never negative.
    fn dual_bound(&self, head: Option<&DVector<f64>>) -> f64 {
        let mut lower = self.entropy_of_ties().lo().max(0.0);
        if let Some(head) = head.filter(|head| head.len() <= PARAMETERS) {
            let upper = self.loss(head).hi();
            lower = lower.max(self.repaired_dual(head).unwrap_or(0.0));
            if upper - lower > CLOSED * upper {
                lower = lower.max(self.inseparable_part(head, upper));
            }
        }
        lower
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

    /// `-log softmax_c` of one atom for a class `c` in its softmax, in intervals.
    fn loss_of(&self, head: &DVector<f64>, atom: usize, class: usize) -> Interval {
        let (at, allowed) = (&self.atoms[atom], &self.allowed[atom]);
        let weight = |row: usize, i: usize| if row + 1 < self.classes { head[row * self.dimension + i] } else { 0.0 };
        let difference = |row: usize| {
            let way = (0..self.dimension).map(|i| Interval::point(weight(row, i)) - weight(class, i));
            product(at, &way.collect::<Vec<_>>())
        };
        let kept = (0..self.classes).filter(|&row| allowed[row]);
        let loss = interval::log_sum_exp(&kept.map(difference).collect::<Vec<_>>());
        Interval::new(loss.lo().max(0.0), loss.hi().max(0.0))
    }

    /// Those of every class; none for the classes that are not in the softmax of this atom.
    fn losses(&self, head: &DVector<f64>, atom: usize) -> Vec<Option<Interval>> {
        let each = self.allowed[atom].iter().enumerate();
        each.map(|(class, allowed)| allowed.then(|| self.loss_of(head, atom, class))).collect()
    }

    /// The loss of a head, in intervals: the class of an atom is always in its softmax.
    fn loss(&self, head: &DVector<f64>) -> Interval {
        let each = self.labels.iter().zip(&self.weights).enumerate();
        let terms = each.map(|(j, (&label, weight))| self.loss_of(head, j, label) * *weight);
        interval::sum(&terms.collect::<Vec<_>>())
    }

    /// The best lower bound from problems without the pairs that look separable at this head.
    fn inseparable_part(&self, head: &DVector<f64>, upper: f64) -> f64 {
        let probabilities = self.probabilities(head);
        let (mut best, mut tried) = (0.0f64, None);
        for threshold in THRESHOLDS {
            let keep = |(q, &label): (&Vec<f64>, &usize)| {
                let one = |(c, q): (usize, &f64)| c == label || *q > threshold;
                q.iter().enumerate().map(one).collect::<Vec<bool>>()
            };
            let allowed: Vec<Vec<bool>> = probabilities.iter().zip(&self.labels).map(keep).collect();
            if tried.as_ref() == Some(&allowed) {
                continue;
            }
            tried = Some(allowed.clone());
            let Some(free) = self.determining_parameters(&allowed) else {
                continue;
            };
            if free.is_empty() {
                continue;
            }
            let reduced = self.restricted(allowed, free);
            let bound = reduced.repaired_dual(&reduced.minimise()).unwrap_or(0.0);
            best = best.max(bound);
            if upper - best <= CLOSED * upper {
                break;
            }
        }
        best
    }

    /// Parameters that determine every matrix of the span of `(E_c - E_{y_j}) x_j^T` over these pairs, where `E_c`
    /// picks row `c` and the last row is left out.
    fn determining_parameters(&self, allowed: &[Vec<bool>]) -> Option<Vec<usize>> {
        let (d, rows) = (self.dimension, self.classes - 1);
        let mut vectors = Vec::new();
        for ((at, &label), allowed) in self.atoms.iter().zip(&self.labels).zip(allowed) {
            for other in (0..self.classes).filter(|&c| c != label && allowed[c]) {
                let mut vector = vec![0.0; d * rows];
                for (row, sign) in [(other, 1.0), (label, -1.0)] {
                    if row < rows {
                        for (entry, x) in vector[row * d..].iter_mut().zip(at) {
                            *entry = sign * x;
                        }
                    }
                }
                vectors.push(vector);
            }
        }
        determining_coordinates(vectors.iter().map(Vec::as_slice), d * rows)
    }

    /// The second dual bound of the module's account; none where the Hessian is not shown to be positive definite or
    /// the head is too far from the optimum.
    fn repaired_dual(&self, head: &DVector<f64>) -> Option<f64> {
        let (d, rows) = (self.dimension, self.classes - 1);
        let mut residual = vec![Interval::ZERO; d * rows];
        let mut coefficients = Vec::with_capacity(self.atoms.len());
        let mut entropies = Vec::with_capacity(self.atoms.len());
        // The error of the quadratic form: that of its coefficients, and of summing them up.
        let (mut blur, mut size) = (Interval::ZERO, Interval::ZERO);
        for (j, ((at, &label), &weight)) in self.atoms.iter().zip(&self.labels).zip(&self.weights).enumerate() {
            let losses = self.losses(head, j);
            let q: Vec<Interval> = losses.iter().map(|l| l.map_or(Interval::ZERO, |l| (-l).exp())).collect();
            // 1 - q without cancellation.
            let rest: Vec<Interval> = losses.iter().map(|l| l.map_or(Interval::ONE, |l| -(-l).exp_m1())).collect();
            let surprise = losses.iter().zip(&q).filter_map(|(l, q)| Some((*l)? * *q));
            entropies.push(surprise.sum::<Interval>());
            let mut middle = vec![0.0; rows * rows];
            let mut spread = Interval::ZERO;
            for a in 0..rows {
                let slope = weight * if a == label { -rest[a] } else { q[a] };
                for (entry, &x) in residual[a * d..].iter_mut().zip(at) {
                    *entry += slope * x;
                }
                for b in 0..rows {
                    let curvature = weight * if a == b { q[a] * rest[a] } else { -(q[a] * q[b]) };
                    middle[a * rows + b] = curvature.midpoint();
                    spread += Interval::point(curvature.width()).square();
                }
            }
            coefficients.push(middle);
            let square = interval::dot(at, at);
            blur += spread.sqrt() * square;
            // The Frobenius norm of diag q - q q^T is at most its trace, and that at most one.
            size += weight * square;
        }
        let steps = (self.atoms.len() + 8) as f64;
        let hessian = self.quadratic_form(|j, a, b| coefficients[j][a * rows + b]);
        let blur = (blur + size * (1.01 * steps * f64::EPSILON)).hi();
        let length = interval::sum(&self.free.iter().map(|&i| residual[i].square()).collect::<Vec<_>>()).sqrt();
        let step = length / least_eigenvalue(&hessian, blur)?;
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

/// A positive lower bound of the least eigenvalue of every symmetric matrix within `blur` of this one in the
/// Frobenius norm.
fn least_eigenvalue(matrix: &DMatrix<f64>, blur: f64) -> Option<f64> {
    let size = matrix.nrows();
    let trace = (0..size).map(|i| Interval::point(matrix[(i, i)])).sum::<Interval>().hi();
    if !(blur.is_finite() && trace.is_finite()) {
        return None;
    }
    // Inverse iteration says where to look; only a factorisation that succeeds counts.
    let factors = Cholesky::new(matrix.clone())?;
    let mut vector = DVector::from_fn(size, |i, _| 1.0 + (i % 7) as f64);
    let mut guess = 0.0;
    for _ in 0..30 {
        let length = vector.norm();
        vector /= length;
        factors.solve_mut(&mut vector);
        guess = 1.0 / vector.norm();
    }
    let slack =
        |shift: f64| Interval::point((size + 8) as f64) * f64::EPSILON * (Interval::point(trace) + shift) + blur;
    [0.9, 0.5, 0.2, 0.05].into_iter().find_map(|part| {
        let shift = part * guess;
        let mut shifted = matrix.clone();
        (0..size).for_each(|i| shifted[(i, i)] -= shift);
        let bound = (Interval::point(shift) - slack(shift)).lo();
        (bound > 0.0 && Cholesky::new(shifted).is_some()).then_some(bound)
    })
}

#[cfg(test)]
mod tests;
