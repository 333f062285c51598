//! What an estimator is, and how it is run: chunks in parallel, evidence in order, a stop when the question is decided.

use std::ops::Range as Indices;

use rayon::prelude::*;

use super::{
    Betting, ChunkStream, ChunkTotals, Collector, EmpiricalBernstein, Moments, MonteCarloError, ObservationRange, Tally,
};
use enclosures::enclosure::Enclosure;
use enclosures::interval::Interval;
use enclosures::work::shared;

/// A source of independent observations whose mean is the quantity of interest.
pub trait Estimator: Sync {
    /// The range in which every exact observation lies; none for unbounded ones, which have no confidence sequence.
    fn range(&self) -> Option<ObservationRange>;

    /// A bound of the difference between the mean of what is computed and the quantity of interest, and between a computed
    /// observation and the exact one: rounding, and the distance of the law drawn from to the one asked for.
    fn error(&self) -> f64;

    /// Observations per chunk, a property of the estimator and not of the machine.
    fn chunk_len(&self) -> usize;

    /// Fills `out` with independent observations, in an order that may depend on them.
    fn observe(&self, stream: &mut ChunkStream, out: &mut [f64]);

    /// Hands a chunk of [`Estimator::chunk_len`] observations to the collector. For estimators that need not hold all of them at
    /// a time.
    fn observe_chunk(&self, stream: &mut ChunkStream, collector: &mut Collector) {
        let mut observations = vec![0.0; self.chunk_len().max(1)];
        self.observe(stream, &mut observations);
        collector.take(&observations);
    }
}

/// The observations of one chunk: the stream depends on the seed and the chunk's index alone.
fn chunk<E: Estimator + ?Sized>(estimator: &E, seed: &[u8; 32], index: u64) -> Result<Moments, MonteCarloError> {
    let mut stream = ChunkStream::new(seed, index);
    let mut collector = Collector::default();
    estimator.observe_chunk(&mut stream, &mut collector);
    let range = estimator.range().map(|range| range.widened_by(estimator.error())).transpose()?;
    collector.finish(range)
}

/// The chunks with these indices. Their bits depend on neither the number of threads nor on which other chunks are sampled.
///
/// # Errors
/// [`MonteCarloError::NotFinite`] and [`MonteCarloError::OutOfRange`] for an observation that is not what was promised.
pub fn sample<E: Estimator + ?Sized>(
    estimator: &E,
    seed: &[u8; 32],
    chunks: Indices<u64>,
) -> Result<ChunkTotals, MonteCarloError> {
    let first = chunks.start;
    let observations = 4096 * chunks.clone().count() as u64;
    let moments: Result<Vec<Moments>, _> =
        shared(observations, || chunks.into_par_iter().map(|i| chunk(estimator, seed, i)).collect());
    Ok(ChunkTotals::new(first, moments?))
}

/// Which confidence sequence to follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sequence {
    /// [`EmpiricalBernstein`] on single observations: the choice where observations are many and cheap.
    EmpiricalBernstein,
    /// [`Betting`] on chunk means: the choice where observations are few.
    Betting,
}

/// How much to sample, and with which guarantee.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SamplingPlan {
    /// Key of the streams, for example from [`enclosures::stream::seed`].
    pub seed: [u8; 32],
    /// Miss probability of the answer.
    pub alpha: f64,
    /// The most chunks to sample.
    pub most_chunks: u64,
    /// The confidence sequence.
    pub sequence: Sequence,
}

/// What was sampled and what it shows.
#[derive(Clone, Debug)]
pub struct Estimate {
    /// Mean, variance and number of the observations.
    pub tally: Tally,
    /// The quantity of interest.
    pub enclosure: Enclosure,
    /// Number of chunks sampled.
    pub chunks: u64,
}

/// Either sequence, fed with chunks.
enum Follower {
    Bernstein(EmpiricalBernstein),
    Betting(Betting),
}

impl Follower {
    fn push(&mut self, chunk: &Moments) -> Result<(), MonteCarloError> {
        match self {
            Follower::Bernstein(sequence) => sequence.push(chunk),
            Follower::Betting(sequence) => sequence.push(chunk.mean())?,
        }
        Ok(())
    }

    fn enclosure(&self) -> Enclosure {
        match self {
            Follower::Bernstein(sequence) => sequence.enclosure(),
            Follower::Betting(sequence) => sequence.enclosure(),
        }
    }
}

/// Samples in rounds, each half as large as all before together, until `decided` says so or the plan is used up. The
/// guarantee survives the stopping because the sequence holds at all times.
///
/// # Errors
/// [`MonteCarloError::Range`] for an unbounded estimator (reported as the whole line), [`MonteCarloError::Level`], and what
/// [`sample`] refuses.
pub fn sample_until<E: Estimator + ?Sized>(
    estimator: &E,
    plan: &SamplingPlan,
    mut decided: impl FnMut(Enclosure) -> bool,
) -> Result<Estimate, MonteCarloError> {
    let unbounded = MonteCarloError::Range { lo: f64::NEG_INFINITY, hi: f64::INFINITY };
    let exact = estimator.range().ok_or(unbounded)?;
    // Chunk means are rounded once more.
    let size = exact.lo().abs().max(exact.hi().abs());
    let error = estimator.error() + (estimator.chunk_len() + 4) as f64 * f64::EPSILON * size;
    let range = exact.widened_by(error)?;
    let mut follower = match plan.sequence {
        Sequence::EmpiricalBernstein => Follower::Bernstein(EmpiricalBernstein::new(range, plan.alpha)?),
        Sequence::Betting => Follower::Betting(Betting::new(range, plan.alpha)?.of_means(estimator.chunk_len() as u64)),
    };
    let (mut tally, mut done) = (Tally::default(), 0);
    let whole = Interval::new(exact.lo(), exact.hi());
    let mut enclosure = Enclosure::sampled(exact.lo(), exact.hi(), plan.alpha);
    while done < plan.most_chunks && !(done > 0 && decided(enclosure)) {
        let next = (done + (done / 2).max(8)).min(plan.most_chunks);
        for (_, moments) in sample(estimator, &plan.seed, done..next)?.chunks() {
            tally.add(moments)?;
            follower.push(moments)?;
        }
        done = next;
        let here = follower.enclosure().interval().widened_by(error);
        let here = here.intersection(whole).unwrap_or(whole);
        enclosure = Enclosure::sampled(here.lo(), here.hi(), plan.alpha);
    }
    Ok(Estimate { tally, enclosure, chunks: done })
}
