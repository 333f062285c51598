//! Plain Monte Carlo for `L_un^N` of a finite model, from its embeddings alone.
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
use super::{AtomSampler, ChunkStream, Estimator, IndexLaw, MonteCarloError, Range, Sampler, Unsupervised};
use enclosures::kernels::Function;

/// Negatives per block.
const BLOCK: usize = 1024;

/// [`Unsupervised`] for a finite model, in blocks.
#[derive(Debug)]
pub struct RowsUnsupervised<'a> {
    model: &'a AtomSampler,
    plain: Unsupervised<'a, AtomSampler>,
    negatives: usize,
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
        })
    }

    fn positive(&self, anchor: usize, stream: &mut ChunkStream) -> u32 {
        let class = self.model.class_of(anchor);
        let within = self.model.within(class).map_or(0, |law| law.draw(stream));
        (self.model.members(class).start + within) as u32
    }

    /// Draws anchors, positives and negatives of a block; a single negative comes from the anchor's random word.
    pub(super) fn draw(&self, stream: &mut ChunkStream, pairs: &mut [[u32; 2]], negatives: &mut [u32]) {
        let overall = self.model.overall();
        let small = match overall {
            IndexLaw::Uniform(n) if *n < 1 << 21 && self.negatives == 1 => Some(*n as u64),
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
        overall.fill(stream, negatives);
    }
}

impl Estimator for RowsUnsupervised<'_> {
    fn range(&self) -> Option<Range> {
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
        for losses in out.chunks_mut(block) {
            let count = losses.len();
            let (pairs, negatives) = (&mut pairs[..count], &mut negatives[..count * n]);
            let terms = &mut terms[..count * (n + 1)];
            self.draw(stream, pairs, negatives);
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
            Function::Exp.apply(terms);
            for ((group, loss), top) in terms.chunks_exact(n + 1).zip(losses.iter_mut()).zip(&tops) {
                // Without a positive logit the leading one is left out exactly; otherwise it is among the terms.
                *loss = if *top == 0.0 {
                    sum(&group[1..])
                } else {
                    (sum(group) - 1.0).max(0.0)
                };
            }
            Function::Ln1p.apply(losses);
            losses.iter_mut().zip(&tops).for_each(|(loss, top)| *loss += top);
        }
    }
}
