//! Plain Monte Carlo for `L_un^N` of a finite model, from its embeddings alone.
//!
//! # Other conventions
//! What losses in batches are: the positive is another point of the class than the anchor ([`RowsUnsupervised::excluding_anchor`]), the negatives
//! all differ and are neither the anchor nor its positive ([`RowsUnsupervised::without_replacement`]: a set of `N` of the `M` candidates by Floyd's
//! algorithm, each set equally likely). Either is a law on the same rows, so that ranges and errors are the same.
//!
//! For up to a few hundred negatives this is faster than a table of all pairs: the embeddings stay in the cache, the table does
//! not. Observations are computed in blocks, so that exponentials and logarithms run over whole slices.
//!
//! # Rounding
//! In the words of [`super::unsupervised`]: two inner products err by `2 g C^2`, their difference `a` is rounded by `2 C^2 u`, its distance to
//! the largest, of which `0` is one, by `4 C^2 u`; exponential, sum and the subtraction of one by `(N + 4) u`; the last function and the last sum
//! by `5 u B`. With `2 C^2 <= B` that is at most `2 g C^2 + (N + 4 + 8 B) u`, which the bound for single draws covers.

use super::elementary::sum;
use super::row_products::RowDifferences;
use super::unsupervised::check_negatives;
use super::{AtomSampler, ChunkStream, Estimator, IndexLaw, MonteCarloError, ObservationRange, Sampler, Unsupervised};
use enclosures::kernels::ElementwiseFunction;

/// Negatives per block.
const BLOCK: usize = 1024;

/// [`Unsupervised`] for a finite model, in blocks.
#[derive(Debug)]
pub struct RowsUnsupervised<'a> {
    model: &'a AtomSampler,
    plain: Unsupervised<'a, AtomSampler>,
    negatives: usize,
    self_positive: bool,
    replacement: bool,
}

impl<'a> RowsUnsupervised<'a> {
    /// The estimator for `N = negatives`.
    ///
    /// # Errors
    /// [`MonteCarloError::Count`] unless `1 <= N <= 2^26`.
    pub fn new(model: &'a AtomSampler, negatives: usize) -> Result<Self, MonteCarloError> {
        check_negatives(negatives)?;
        Ok(RowsUnsupervised {
            model,
            plain: Unsupervised::new(model, negatives)?,
            negatives,
            self_positive: true,
            replacement: true,
        })
    }

    /// With positives that are never the anchor: all other points of its class, equally likely.
    ///
    /// # Errors
    /// [`MonteCarloError::Count`] for a class of a single point, and as [`RowsUnsupervised::without_replacement`] if that was asked for before.
    pub fn excluding_anchor(mut self) -> Result<Self, MonteCarloError> {
        for class in 0..self.model.class_weights().len() {
            let points = self.model.members(class).len();
            if points < 2 {
                return Err(count_of("points of a class without the anchor as its positive", points, 2, usize::MAX));
            }
        }
        self.self_positive = false;
        self.checked()
    }

    /// With negatives that all differ and are neither the anchor nor its positive; every set of so many points is equally likely, whatever
    /// their classes.
    ///
    /// # Errors
    /// [`MonteCarloError::Count`] if there are fewer points than that.
    pub fn without_replacement(mut self) -> Result<Self, MonteCarloError> {
        self.replacement = false;
        self.checked()
    }

    fn checked(self) -> Result<Self, MonteCarloError> {
        let taken =
            if self.self_positive && (0..self.model.class_weights().len()).all(|c| self.model.members(c).len() < 2) {
                1
            } else {
                2
            };
        let candidates = self.model.n_atoms().saturating_sub(taken);
        if self.replacement || self.negatives <= candidates {
            Ok(self)
        } else {
            Err(count_of("negatives without replacement", self.negatives, 1, candidates))
        }
    }

    fn positive(&self, anchor: usize, stream: &mut ChunkStream) -> u32 {
        let class = self.model.class_of(anchor);
        let members = self.model.members(class);
        if !self.self_positive {
            let other = members.start + stream.below(members.len().saturating_sub(1));
            return (other + usize::from(other >= anchor)) as u32;
        }
        let within = self.model.within(class).map_or(0, |law| law.draw(stream));
        (members.start + within) as u32
    }

    /// A set of candidates for every pair. `marked` has a place for every point, none of them true, before and after.
    fn draw_sets(&self, stream: &mut ChunkStream, pairs: &[[u32; 2]], negatives: &mut [u32], marked: &mut [bool]) {
        for (pair, set) in pairs.iter().zip(negatives.chunks_exact_mut(self.negatives)) {
            let (low, high) = (pair[0].min(pair[1]), pair[0].max(pair[1]));
            let candidates = marked.len() - if low == high { 1 } else { 2 };
            for (last, place) in (candidates - set.len()..candidates).zip(set.iter_mut()) {
                let drawn = stream.below(last + 1);
                *place = if marked[drawn] { last } else { drawn } as u32;
                marked[*place as usize] = true;
            }
            for place in set {
                marked[*place as usize] = false;
                // The candidates in order are all points but one or two.
                *place += u32::from(*place >= low);
                *place += u32::from(low != high && *place >= high);
            }
        }
    }

    /// Draws anchors, positives and negatives of a block; a single negative comes from the anchor's random word.
    pub(super) fn draw(&self, stream: &mut ChunkStream, pairs: &mut [[u32; 2]], negatives: &mut [u32]) {
        let overall = self.model.overall();
        let small = match overall {
            IndexLaw::Uniform(n) if *n < 1 << 21 && self.negatives == 1 && self.replacement => Some(*n as u64),
            _ => None,
        };
        if let Some(n) = small {
            for (pair, negative) in pairs.iter_mut().zip(negatives) {
                let [anchor, other] = stream.several([n, n]);
                *pair = [anchor as u32, self.positive(anchor as usize, stream)];
                *negative = other as u32;
            }
            return;
        }
        for pair in pairs.iter_mut() {
            let anchor = overall.draw(stream);
            *pair = [anchor as u32, self.positive(anchor, stream)];
        }
        if self.replacement {
            overall.fill(stream, negatives);
        }
    }
}

fn count_of(what: &'static str, value: usize, least: usize, most: usize) -> MonteCarloError {
    MonteCarloError::Count { what, value: value as u64, least: least as u64, most: most as u64 }
}

impl Estimator for RowsUnsupervised<'_> {
    fn range(&self) -> Option<ObservationRange> {
        self.plain.range()
    }

    fn error(&self) -> f64 {
        self.plain.error()
    }

    fn chunk_len(&self) -> usize {
        (65_536 / self.negatives).clamp(16, 4096)
    }

    fn observe(&self, stream: &mut ChunkStream, out: &mut [f64]) {
        let n = self.negatives;
        let block = (BLOCK / n).max(1).min(out.len().max(1));
        let mut pairs = vec![[0u32; 2]; block];
        let mut negatives = vec![0u32; block * n];
        let mut terms = vec![0.0; block * (n + 1)];
        let mut tops = vec![0.0; block];
        let mut marked = vec![false; if self.replacement { 0 } else { self.model.n_atoms() }];
        for losses in out.chunks_mut(block) {
            let count = losses.len();
            let (pairs, negatives) = (&mut pairs[..count], &mut negatives[..count * n]);
            let terms = &mut terms[..count * (n + 1)];
            self.draw(stream, pairs, negatives);
            if !self.replacement {
                self.draw_sets(stream, pairs, negatives, &mut marked);
            }
            let differences = RowDifferences {
                points: self.model.points(),
                d: self.model.dimension(),
                pairs,
                negatives,
                n,
                out: terms,
            };
            differences.write();
            // log(1 + sum e^a) = top + log(sum of e^(a - top), the term 0 included).
            for (group, top) in terms.chunks_exact_mut(n + 1).zip(&mut tops) {
                *top = group.iter().copied().fold(0.0, |m, a| if a > m { a } else { m });
                group.iter_mut().for_each(|a| *a -= *top);
            }
            ElementwiseFunction::Exp.apply(terms);
            for ((group, loss), top) in terms.chunks_exact(n + 1).zip(losses.iter_mut()).zip(&tops) {
                // Without a positive logit the leading one is left out exactly; otherwise it is among the terms.
                *loss = if *top == 0.0 { sum(&group[1..]) } else { (sum(group) - 1.0).max(0.0) };
            }
            ElementwiseFunction::Ln1p.apply(losses);
            losses.iter_mut().zip(&tops).for_each(|(loss, top)| *loss += top);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use contrastive::LatentClassModel;

    #[test]
    fn sets_are_as_large_as_there_are_points_beside_the_anchor_and_its_positive() {
        let points = [0.1, 0.4, -0.3, 0.8];
        let most = |labels: [u32; 4], excluding: bool| {
            let model = LatentClassModel::from_labelled(&points, 1, &labels).unwrap();
            let sampler = AtomSampler::new(&model).unwrap();
            let allowed = |negatives: usize| {
                let rows = RowsUnsupervised::new(&sampler, negatives).unwrap();
                let rows = if excluding { rows.excluding_anchor().unwrap() } else { rows };
                rows.without_replacement().is_ok()
            };
            (1..6).take_while(|&negatives| allowed(negatives)).count()
        };
        // In classes of one point the anchor is its own positive.
        assert_eq!(most([0, 1, 2, 3], false), 3);
        assert_eq!([most([0, 1, 0, 1], false), most([0, 1, 0, 1], true), most([0, 1, 2, 0], false)], [2, 2, 2]);
    }

    #[test]
    fn every_set_without_the_anchor_and_its_positive_is_drawn_equally_often() {
        let points = [0.1, 0.4, -0.3, 0.8, -0.9, 0.2];
        let model = LatentClassModel::from_labelled(&points, 1, &[0, 1, 0, 1, 0, 1]).unwrap();
        let sampler = AtomSampler::new(&model).unwrap();
        let rows = RowsUnsupervised::new(&sampler, 2).unwrap().without_replacement().unwrap();
        let mut stream = ChunkStream::new(&[3; 32], 0);
        let mut marked = [false; 6];
        for (pair, sets) in [([1, 4], 6), ([4, 1], 6), ([0, 5], 6), ([2, 2], 10), ([5, 5], 10)] {
            let draws = 600 * sets;
            let mut negatives = vec![0; 2 * draws];
            rows.draw_sets(&mut stream, &vec![pair; draws], &mut negatives, &mut marked);
            assert_eq!(marked, [false; 6]);
            let mut counts: BTreeMap<[u32; 2], i32> = BTreeMap::new();
            for set in negatives.as_chunks::<2>().0 {
                let (low, high) = (set[0].min(set[1]), set[0].max(set[1]));
                assert!(low < high && high < 6, "{set:?}");
                assert!(!pair.contains(&low) && !pair.contains(&high), "{pair:?} {set:?}");
                *counts.entry([low, high]).or_default() += 1;
            }
            assert_eq!(counts.len(), sets, "{pair:?} {counts:?}");
            // Five standard deviations of a count.
            assert!(counts.values().all(|count| (count - 600).abs() < 125), "{pair:?} {counts:?}");
        }
    }
}
