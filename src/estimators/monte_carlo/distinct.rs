//! The all-pairs statistic of a batch for any number of negatives, term by term.

use super::elementary::{exp_below_max, sum};
use super::unsupervised::{check_negatives, law_error, loss_error, loss_range};
use super::{ChunkStream, Estimator, IndexLaw, MonteCarloError, ObservationRange};
use enclosures::kernels::{ElementwiseFunction, inner_product};

/// The U-statistic of a labelled batch for `N` negatives, sampled.
///
/// An observation draws a class from `rho`, an anchor and a positive of it, and `N` classes from `rho` with a negative of each; all `N + 2`
/// embeddings are different members of the batch. Its mean given the batch is the U-statistic: the average over all such
/// choices. Since different members of a batch of independent draws are independent draws, the statistic (and each
/// observation) is unbiased for `L_un^N` of the law from which the batch came. The empirical distribution of the batch, whose loss is
/// exact in [`crate::exact`], is biased by repeated members.
///
/// A confidence sequence over observations of one batch encloses the statistic of that batch, not `L_un^N` itself. For `N = 1` the whole
/// average is [`super::one_negative_u_statistic`].
#[derive(Clone, Debug)]
pub struct DistinctUnsupervised {
    groups: Vec<Vec<Vec<f64>>>,
    classes: IndexLaw,
    negatives: usize,
    dimension: usize,
    radius: f64,
}

impl DistinctUnsupervised {
    /// The statistic of `groups[c]`, the embeddings of class `c`, for classes with probabilities proportional to `weights`.
    ///
    /// # Errors
    /// [`MonteCarloError::Count`] unless `1 <= N <= 2^26`, there are as many weights as groups, all embeddings have one dimension and
    /// every group has at least `N + 2` of them, so that no class can run out; [`MonteCarloError::Weight`] for weights that are no
    /// probabilities up to a factor; [`MonteCarloError::NotFinite`] when a norm is not finite.
    pub fn new(groups: &[Vec<Vec<f64>>], weights: &[f64], negatives: usize) -> Result<Self, MonteCarloError> {
        check_negatives(negatives)?;
        let classes = IndexLaw::new(weights)?;
        let count = |what, value: usize, least: usize, most: usize| MonteCarloError::Count {
            what,
            value: value as u64,
            least: least as u64,
            most: most as u64,
        };
        if weights.len() != groups.len() {
            return Err(count("number of classes", groups.len(), weights.len(), weights.len()));
        }
        let dimension = groups.iter().flatten().next().map_or(0, Vec::len);
        let mut square = 0.0f64;
        for group in groups {
            if group.len() < negatives + 2 {
                return Err(count("embeddings of a class", group.len(), negatives + 2, usize::MAX));
            }
            for x in group {
                if x.len() != dimension {
                    return Err(count("dimension of an embedding", x.len(), dimension, dimension));
                }
                let own = inner_product(x, x);
                if !own.is_finite() {
                    return Err(MonteCarloError::NotFinite { index: 0, value: own });
                }
                square = square.max(own);
            }
        }
        Ok(DistinctUnsupervised {
            groups: groups.to_vec(),
            classes,
            negatives,
            dimension,
            radius: (square * (1.0 + 4.0 * (dimension + 2) as f64 * f64::EPSILON)).sqrt().next_up(),
        })
    }
}

/// The members of a class in an order whose first ones have been used.
struct Pile {
    order: Vec<usize>,
    used: usize,
}

impl Pile {
    /// A member that has not been used, all equally likely.
    fn draw(&mut self, stream: &mut ChunkStream) -> usize {
        let at = self.used + stream.below(self.order.len() - self.used);
        self.order.swap(self.used, at);
        self.used += 1;
        self.order[self.used - 1]
    }
}

impl Estimator for DistinctUnsupervised {
    fn range(&self) -> Option<ObservationRange> {
        let most = 2.0 * self.radius * self.radius * (1.0 + 4.0 * f64::EPSILON);
        loss_range(self.negatives, -most, most)
    }

    /// As for single draws.
    fn error(&self) -> f64 {
        loss_error(self.dimension, Some(self.radius), self.negatives, self.range())
            + law_error(self.range(), self.negatives + 1, self.classes.distance())
    }

    fn chunk_len(&self) -> usize {
        (4096 / self.negatives).clamp(16, 1024)
    }

    fn observe(&self, stream: &mut ChunkStream, out: &mut [f64]) {
        let whole = |group: &Vec<Vec<f64>>| Pile { order: (0..group.len()).collect(), used: 0 };
        let mut piles: Vec<Pile> = self.groups.iter().map(whole).collect();
        let mut logits = vec![0.0; self.negatives];
        for loss in out {
            // Any order is a fair start for the next observation.
            piles.iter_mut().for_each(|pile| pile.used = 0);
            let class = self.classes.draw(stream);
            let anchor = &self.groups[class][piles[class].draw(stream)];
            let positive = inner_product(anchor, &self.groups[class][piles[class].draw(stream)]);
            for logit in &mut logits {
                let other = self.classes.draw(stream);
                *logit = inner_product(anchor, &self.groups[other][piles[other].draw(stream)]);
            }
            let max = exp_below_max(&mut logits);
            *loss = ElementwiseFunction::Softplus.at(max - positive + core_math::log(sum(&logits)));
        }
    }
}
