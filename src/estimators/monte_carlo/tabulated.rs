//! Plain Monte Carlo for `L_un^N` of a finite model, from a table of exponentials.
//!
//! The anchors of a chunk are drawn first; then those that fell on one atom are served together, so that its row of the table
//! comes from memory once and stays in the first cache. Given the anchors all positives and negatives are drawn afresh
//! for each observation, so that the observations of a chunk are independent draws of the plain law, sorted by anchor. Only
//! what does not depend on their order is kept.

use std::cell::Cell;

use super::moments::Collector;
use super::row_sums::{RowSums, SIZE, count_uniform, table};
use super::unsupervised::check_negatives;
use super::{AtomSampler, ChunkStream, Estimator, IndexLaw, MonteCarloError, ObservationRange, PairTable};
use enclosures::kernels::ElementwiseFunction;

/// Negatives per anchor and chunk, roughly: enough to make up for fetching its row.
const WORK: usize = 8_192;
/// Observations collected before logarithms are taken.
const BLOCK: usize = 2048;

/// The sum of the entries of a row at the given places, in four interleaved sums.
#[inline]
pub(super) fn gather(row: &[f64], places: &[u32]) -> f64 {
    let mut sums = [0.0; 4];
    let groups = places.chunks_exact(4);
    for (sum, &i) in sums.iter_mut().zip(groups.remainder()) {
        *sum += row.get(i as usize).copied().unwrap_or(0.0);
    }
    for group in groups {
        for (sum, &i) in sums.iter_mut().zip(group) {
            *sum += row.get(i as usize).copied().unwrap_or(0.0);
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3])
}

/// [`super::Unsupervised`] for a finite model, from a [`PairTable`]; see the module's text.
#[derive(Clone, Copy, Debug)]
pub struct TabulatedUnsupervised<'a> {
    table: &'a PairTable<'a>,
    negatives: usize,
}

/// What a chunk is drawn with.
struct ChunkTables {
    /// How many anchors fell on each atom; zero between chunks.
    counts: Box<[u32; SIZE]>,
    /// Of the anchor at hand; behind its row nothing is read but the last entry, which stays zero.
    entries: Box<[f64; SIZE]>,
    inverses: Box<[f64; SIZE]>,
}

thread_local! {
    /// Those of the last chunk: a chunk of a small model takes less time than making them.
    static TABLES: Cell<Option<ChunkTables>> = const { Cell::new(None) };
}

impl<'a> TabulatedUnsupervised<'a> {
    /// The estimator for `N = negatives`.
    ///
    /// # Errors
    /// [`MonteCarloError::Count`] unless `1 <= N <= 2^26`.
    pub fn new(table: &'a PairTable<'a>, negatives: usize) -> Result<Self, MonteCarloError> {
        check_negatives(negatives)?;
        Ok(TabulatedUnsupervised { table, negatives })
    }

    fn model(&self) -> &'a AtomSampler {
        self.table.model()
    }

    /// Counts how many of `draws` anchors fall on each atom.
    fn count_anchors(&self, stream: &mut ChunkStream, draws: usize, counts: &mut [u32; SIZE]) {
        match self.model().overall() {
            IndexLaw::Uniform(atoms) => count_uniform(stream, *atoms, draws, counts),
            law => {
                for _ in 0..draws {
                    counts[law.draw(stream) % SIZE] += 1;
                }
            }
        }
    }

    /// Appends `count` ratios of the sum over the negatives to the positive of one anchor.
    fn ratios(
        &self,
        anchor: usize,
        count: usize,
        stream: &mut ChunkStream,
        tables: &mut ChunkTables,
        places: &mut Vec<u32>,
        out: &mut Vec<f64>,
    ) {
        let model = self.model();
        let class = model.class_of(anchor);
        let members = model.members(class);
        let row = self.table.row(anchor);
        let own = row.get(members.clone()).unwrap_or(&[]);
        let begin = out.len();
        out.resize(begin + count, 0.0);
        let out = &mut out[begin..];
        match (model.overall(), model.within(class)) {
            (IndexLaw::Uniform(atoms), Some(IndexLaw::Uniform(positives))) => {
                tables.entries[..row.len()].copy_from_slice(row);
                tables.inverses.iter_mut().zip(own).for_each(|(inverse, e)| *inverse = 1.0 / e);
                let sums = RowSums {
                    entries: &tables.entries,
                    inverses: &tables.inverses,
                    positives: *positives,
                    atoms: *atoms,
                    negatives: self.negatives,
                };
                sums.draw(stream, out);
            }
            (overall, within) => {
                places.resize(self.negatives, 0);
                for ratio in out {
                    let positive = within.map_or(0, |law| law.draw(stream));
                    overall.fill(stream, places);
                    *ratio = gather(row, places) / own.get(positive).copied().unwrap_or(1.0);
                }
            }
        }
    }

    /// Draws so many observations and hands them over in pieces.
    fn draw(&self, stream: &mut ChunkStream, draws: usize, mut take: impl FnMut(&[f64])) {
        let made = || ChunkTables { counts: table(), entries: table(), inverses: table() };
        let mut tables = TABLES.take().unwrap_or_else(made);
        self.count_anchors(stream, draws, &mut tables.counts);
        // As many as there are negatives, which may be millions: not kept between chunks.
        let mut places = Vec::new();
        let mut losses = Vec::with_capacity(BLOCK);
        let mut hand_over = |losses: &mut Vec<f64>| {
            ElementwiseFunction::Ln1p.apply(losses);
            take(losses);
            losses.clear();
        };
        for anchor in 0..self.model().n_atoms() {
            let mut missing = std::mem::take(&mut tables.counts[anchor]) as usize;
            while missing > 0 {
                let now = missing.min(BLOCK - losses.len());
                self.ratios(anchor, now, stream, &mut tables, &mut places, &mut losses);
                missing -= now;
                if losses.len() == BLOCK {
                    hand_over(&mut losses);
                }
            }
        }
        hand_over(&mut losses);
        TABLES.set(Some(tables));
    }
}

impl Estimator for TabulatedUnsupervised<'_> {
    fn range(&self) -> Option<ObservationRange> {
        self.table.range(self.negatives)
    }

    fn error(&self) -> f64 {
        self.table.error(self.negatives)
    }

    fn chunk_len(&self) -> usize {
        (self.model().n_atoms() * WORK / self.negatives).clamp(16, 1 << 20)
    }

    fn observe(&self, stream: &mut ChunkStream, out: &mut [f64]) {
        let mut rest = &mut *out;
        let draws = rest.len();
        self.draw(stream, draws, |losses| {
            let (now, later) = std::mem::take(&mut rest).split_at_mut(losses.len());
            now.copy_from_slice(losses);
            rest = later;
        });
    }

    fn observe_chunk(&self, stream: &mut ChunkStream, collector: &mut Collector) {
        self.draw(stream, self.chunk_len(), |losses| collector.take(losses));
    }
}
