//! All pairs of a batch: unbiased averages over everything that a batch of embeddings offers.
//!
//! A batch holds `m` embeddings of every class (stratified, the classes being weighted with the known `rho`) and `b` groups of `N`
//! fresh negatives. Every ordered pair `i != j` of one class is an anchor with its positive, and every group serves all pairs:
//! `sum_c rho(c) mean_{i != j in c, groups g} log(1 + sum_{y in g} e^{f_i.(y - f_j)})`. Each summand has the law of a plain draw,
//! since `i`, `j` and the negatives are distinct and independent: the average is unbiased for every `N`. Pairs with `i = j`
//! are what makes the loss of the empirical distribution biased.

use super::elementary::{exp_below_max, sum};
use super::unsupervised::{U, check_negatives, law_error, loss_error, loss_range};
use super::{ChunkStream, Estimator, MonteCarloError, ObservationRange, Sampler};
use enclosures::kernels::{ElementwiseFunction, inner_product};

/// The stratified all-pairs statistic for `N = 1` of a labelled batch: the average over `i != j` in class `c` and `l` in class
/// `c'`, `l` neither `i` nor `j`, of `log(1 + e^{f_i.(f_l - f_j)})`, weighted with `rho(c) rho(c')`. Unbiased for `L_un` of the law from
/// which `groups[c]` was drawn. The work is `sum_c m_c^2` times the size of the batch.
///
/// # Errors
/// [`MonteCarloError::Count`] unless there are as many weights as groups and every group has at least three embeddings, all of one
/// dimension; [`MonteCarloError::Weight`] for weights that are not probabilities up to a factor; [`MonteCarloError::NotFinite`]
/// when a coordinate is not finite or a product overflows.
pub fn one_negative_u_statistic(groups: &[Vec<Vec<f64>>], weights: &[f64]) -> Result<f64, MonteCarloError> {
    let count = |what, value: usize, least: usize, most: usize| MonteCarloError::Count {
        what,
        value: value as u64,
        least: least as u64,
        most: most as u64,
    };
    super::IndexLaw::new(weights)?;
    if weights.len() != groups.len() {
        return Err(count("number of classes", groups.len(), weights.len(), weights.len()));
    }
    let dimension = groups.iter().flatten().next().map_or(0, Vec::len);
    for group in groups {
        if group.len() < 3 {
            return Err(count("embeddings of a class", group.len(), 3, usize::MAX));
        }
        if let Some(other) = group.iter().find(|x| x.len() != dimension) {
            return Err(count("dimension of an embedding", other.len(), dimension, dimension));
        }
    }
    let total: f64 = weights.iter().sum();
    let mut terms = Vec::new();
    for (c, (own, rho)) in groups.iter().zip(weights).enumerate() {
        for (other, (group, sigma)) in groups.iter().zip(weights).enumerate() {
            let (mut sums, pairs) = (Vec::new(), (own.len() * (own.len() - 1)) as f64);
            for (i, anchor) in own.iter().enumerate() {
                let logits: Vec<f64> = group.iter().map(|y| inner_product(anchor, y)).collect();
                for (j, positive) in own.iter().enumerate().filter(|&(j, _)| j != i) {
                    let against = inner_product(anchor, positive);
                    let apart = |l: usize| other != c || (l != i && l != j);
                    let difference = |(l, logit): (usize, &f64)| apart(l).then(|| logit - against);
                    sums.push(softplus_mean(logits.iter().enumerate().filter_map(difference).collect()));
                }
            }
            terms.push(sum(&sums) / pairs * (rho / total) * (sigma / total));
        }
    }
    let value = sum(&terms);
    if value.is_finite() { Ok(value) } else { Err(MonteCarloError::NotFinite { index: 0, value }) }
}

/// The mean of `log(1 + e^a)`.
fn softplus_mean(mut a: Vec<f64>) -> f64 {
    ElementwiseFunction::Softplus.apply(&mut a);
    sum(&a) / a.len() as f64
}

/// One observation per batch; see the module's text.
#[derive(Clone, Copy, Debug)]
pub struct BatchUnsupervised<'a, S: Sampler + ?Sized> {
    model: &'a S,
    negatives: usize,
    per_class: usize,
    groups: usize,
    radius: Option<f64>,
}

impl<'a, S: Sampler + ?Sized> BatchUnsupervised<'a, S> {
    /// Batches of `per_class` embeddings of each class and `groups` groups of `N = negatives` negatives.
    ///
    /// # Errors
    /// [`MonteCarloError::Count`] unless `N` and `groups * N` are at most `2^26`, there is at least one group and
    /// `2 <= per_class <= 4096`.
    pub fn new(model: &'a S, negatives: usize, per_class: usize, groups: usize) -> Result<Self, MonteCarloError> {
        check_negatives(negatives)?;
        check_negatives(negatives.saturating_mul(groups))?;
        if !(2..=4096).contains(&per_class) {
            return Err(MonteCarloError::Count {
                what: "embeddings per class",
                value: per_class as u64,
                least: 2,
                most: 4096,
            });
        }
        Ok(BatchUnsupervised { model, negatives, per_class, groups, radius: model.radius() })
    }
}

impl<S: Sampler + ?Sized> Estimator for BatchUnsupervised<'_, S> {
    fn range(&self) -> Option<ObservationRange> {
        let most = 2.0 * self.radius? * self.radius? * (1.0 + 4.0 * f64::EPSILON);
        loss_range(self.negatives, -most, most)
    }

    /// As for single draws (see [`super::Unsupervised`]), and for the averages over `m - 1` positives and all groups, `m` anchors and the
    /// classes, with two roundings each for mean and weight, `((m - 1) b + m + 2 N_C + 8) u` of the largest loss.
    fn error(&self) -> f64 {
        let terms = self.per_class * self.groups + self.per_class + 2 * self.model.class_weights().len() + 8;
        let average = terms as f64 * U * self.range().map_or(0.0, ObservationRange::hi);
        loss_error(self.model.dimension(), self.radius, self.negatives, self.range())
            + average
            + law_error(self.range(), self.negatives + 2, self.model.distance())
    }

    fn chunk_len(&self) -> usize {
        1
    }

    fn observe(&self, stream: &mut ChunkStream, out: &mut [f64]) {
        let (d, m, n) = (self.model.dimension().max(1), self.per_class, self.negatives);
        let mut negatives = vec![0.0; self.groups * n * d];
        let mut own = vec![0.0; m * d];
        let total: f64 = self.model.class_weights().iter().sum();
        for observation in out {
            for y in negatives.chunks_exact_mut(d) {
                let class = self.model.draw_class(stream);
                self.model.draw_embedding(class, stream, y);
            }
            *observation = 0.0;
            for (class, weight) in self.model.class_weights().iter().enumerate() {
                for x in own.chunks_exact_mut(d) {
                    self.model.draw_embedding(class, stream, x);
                }
                *observation += weight / total * pairs_mean(&own, &negatives, d, n);
            }
        }
    }
}

/// The average over ordered pairs of different rows of `own` and groups of `n` rows of `negatives`.
pub(super) fn pairs_mean(own: &[f64], negatives: &[f64], d: usize, n: usize) -> f64 {
    let m = own.len() / d;
    let mut means = Vec::with_capacity(m);
    let (mut logits, mut differences) = (Vec::new(), Vec::new());
    for (i, anchor) in own.chunks_exact(d).enumerate() {
        let positives: Vec<f64> = own.chunks_exact(d).map(|x| inner_product(anchor, x)).collect();
        differences.clear();
        for group in negatives.chunks_exact(n * d) {
            logits.clear();
            logits.extend(group.chunks_exact(d).map(|y| inner_product(anchor, y)));
            let max = exp_below_max(&mut logits);
            let level = max + core_math::log(sum(&logits));
            let against = positives.iter().enumerate().filter(|&(j, _)| j != i);
            differences.extend(against.map(|(_, positive)| level - positive));
        }
        means.push(softplus_mean(differences.clone()));
    }
    sum(&means) / m as f64
}
