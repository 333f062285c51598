//! How often sampled intervals miss, of every estimator, on finite models whose losses are known exactly.

use contrastive::{Atom, LatentClassModel, best_head_loss_all, sup_mean_all, sup_mean_average, unsupervised_loss};
use enclosures::stream;
use estimators::monte_carlo::{
    Answer, Asked, AtomSampler, ChunkStream, ConditionalUnsupervised, DistinctUnsupervised, Estimator,
    EvenUnsupervised, ObservationRange, PairTable, Points, RowsUnsupervised, Sampler, SamplingPlan, Sequence,
    TabulatedUnsupervised, one_negative_u_statistic, sample_until,
};
use evidence::prelude::*;
use serde::{Deserialize, Serialize};

/// Chunks of observations that an interval is made of.
const CHUNKS: u64 = 4;
/// Draws of a class for a mean at which a loss is estimated.
const DRAWS_FOR_A_MEAN: usize = 4;
/// Draws of a class in a batch.
const BATCH: usize = 3;

/// Many small models, drawn one after the other, with an interval of every estimator for each.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, stored)]
pub struct CoverageStudy {
    /// The stated chance of a miss, in hundredths.
    #[instance(range = "1..=50")]
    pub percent: u32,
    /// Whether the estimators with tables, estimated means or best heads are studied, or the others.
    pub costly: bool,
}

/// What was counted of one estimator.
#[derive(Clone, Copy, Debug)]
pub struct Misses {
    /// What estimates which loss.
    pub estimator: &'static str,
    /// Intervals.
    pub intervals: u64,
    /// Those that missed.
    pub missed: u64,
    /// Those that would have missed with a third of the length around the same middle.
    pub missed_by_a_third: u64,
}

/// The number that an interval is for.
enum Exact {
    Loss(Interval),
    /// The observations lie below the loss on average, by no one knows how much.
    Above(Interval),
}

/// The intervals for one model.
struct Intervals {
    plan: SamplingPlan,
    found: Vec<(&'static str, Enclosure, Exact)>,
}

/// The same observations in chunks of at most `len`, so that intervals are about as wide as their estimator errs.
struct Shortened<'a> {
    inner: &'a dyn Estimator,
    len: usize,
}

impl Estimator for Shortened<'_> {
    fn range(&self) -> Option<ObservationRange> {
        self.inner.range()
    }

    fn error(&self) -> f64 {
        self.inner.error()
    }

    fn chunk_len(&self) -> usize {
        self.len.min(self.inner.chunk_len())
    }

    fn observe(&self, stream: &mut ChunkStream, out: &mut [f64]) {
        self.inner.observe(stream, out);
    }
}

impl Intervals {
    fn of(&self, estimator: &dyn Estimator, len: usize) -> Result<Enclosure, MeasureError> {
        let mut plan = self.plan;
        plan.seed[31] ^= self.found.len() as u8;
        Ok(sample_until(&Shortened { inner: estimator, len }, &plan, |_| false)?.enclosure)
    }

    fn take(
        &mut self,
        name: &'static str,
        estimator: &dyn Estimator,
        len: usize,
        exact: Interval,
    ) -> Result<(), MeasureError> {
        self.found.push((name, self.of(estimator, len)?, Exact::Loss(exact)));
        Ok(())
    }

    fn ask(
        &mut self,
        name: &'static str,
        (sampler, asked): (&AtomSampler, Asked),
        len: usize,
        exact: Exact,
    ) -> Result<(), MeasureError> {
        let answer = Answer::of(sampler, asked)?;
        let mean = self.of(answer.estimator(), len)?;
        self.found.push((name, answer.of_loss(mean), exact));
        Ok(())
    }

    /// Of the estimators that take little time.
    fn quick(&mut self, model: &LatentClassModel, negatives: usize) -> Result<(), MeasureError> {
        let sampler = AtomSampler::new(model)?;
        let exact = unsupervised_loss(model, negatives as u64)?;
        self.ask("L_un^N, plain", (&sampler, Asked::Unsupervised { negatives }), 512, Exact::Loss(exact))?;
        self.take("L_un^N, rows", &RowsUnsupervised::new(&sampler, negatives)?, 512, exact)?;
        let batch = Asked::Batch { negatives, per_class: BATCH };
        self.ask("L_un^N, batch", (&sampler, batch), 64, Exact::Loss(exact))?;
        let (all, pairs) = (Exact::Loss(sup_mean_all(model)), Exact::Loss(sup_mean_average(model, 1)?));
        self.ask("L_sup^μ", (&sampler, Asked::MeanClassifier { task: None }), 512, all)?;
        self.ask("L_sup,1^μ", (&sampler, Asked::MeanClassifier { task: Some(1) }), 512, pairs)?;
        // Different members of one batch: the exact value is the statistic of the batch, in plain floating point.
        let (mut draws, d) = (ChunkStream::new(&self.plan.seed, u64::MAX), model.dimension());
        let mut members = |class| {
            let mut at = vec![0.0; BATCH * d];
            sampler.draw_embeddings(class, &mut draws, &mut at);
            at.chunks_exact(d).map(<[f64]>::to_vec).collect()
        };
        let groups: Vec<Vec<Vec<f64>>> = (0..model.n_classes()).map(&mut members).collect();
        let statistic = one_negative_u_statistic(&groups, model.class_weights())?;
        let distinct = DistinctUnsupervised::new(&groups, model.class_weights(), 1)?;
        self.take("U-statistic, N = 1", &distinct, 512, Interval::point(statistic).widened_by(1e-12))
    }

    /// Of those with tables, with means that are estimated, and with the best head.
    fn costly(&mut self, model: &LatentClassModel, negatives: usize) -> Result<(), MeasureError> {
        let sampler = AtomSampler::new(model)?;
        let table = PairTable::new(&sampler)?;
        let exact = unsupervised_loss(model, negatives as u64)?;
        self.take("L_un^N, table", &TabulatedUnsupervised::new(&table, negatives)?, 512, exact)?;
        self.take("L_un^N, conditional", &ConditionalUnsupervised::new(&table, model, negatives)?, 64, exact)?;
        let antithetic = EvenUnsupervised::new(&table, model, negatives, Points::Antithetic)?;
        self.take("L_un^N, antithetic", &antithetic, 64, exact)?;
        let draws = DRAWS_FOR_A_MEAN;
        let asked = [
            ("L_sup^μ, means estimated", Asked::PlugIn { task: None, draws }, 64),
            ("L_sup,1^μ, means estimated", Asked::PlugIn { task: Some(1), draws }, 64),
            ("L_sup^μ, by levels", Asked::Levels { task: None }, 8),
            ("L_sup,1^μ, by levels", Asked::Levels { task: Some(1) }, 8),
        ];
        for (place, (name, asked, len)) in asked.into_iter().enumerate() {
            let exact = if place % 2 == 0 { sup_mean_all(model) } else { sup_mean_average(model, 1)? };
            self.ask(name, (&sampler, asked), len, Exact::Loss(exact))?;
        }
        let best = Exact::Above(best_head_loss_all(model)?);
        self.ask("L_sup, from below", (&sampler, Asked::BestHead { per_class: BATCH }), 1, best)
    }
}

impl CoverageStudy {
    fn in_words(&self) -> String {
        let which =
            if self.costly { "with tables, estimated means or best heads" } else { "with single draws or batches" };
        format!("intervals that miss with probability {}/100, estimators {which}", self.percent)
    }

    /// The stated chance of a miss.
    pub fn level(&self) -> f64 {
        f64::from(self.percent) / 100.0
    }

    /// Draws a model, a number of negatives and a seed each time, and asks whether the intervals hold the exact numbers.
    pub fn misses(&self, trial: &mut Trial) -> Result<Vec<Misses>, MeasureError> {
        let mut counted: Vec<Misses> = Vec::new();
        let models = if self.costly { 500 } else { 2500 };
        for _ in 0..trial.samples_at_least(models) {
            let model = small_model(trial)?;
            let negatives = 1 + (uniform(trial.rng()) * 7.99) as usize;
            let seed = stream::seed(uniform(trial.rng()).to_bits(), &["coverage"]);
            let plan =
                SamplingPlan { seed, alpha: self.level(), most_chunks: CHUNKS, sequence: Sequence::EmpiricalBernstein };
            let mut each = Intervals { plan, found: Vec::new() };
            if self.costly {
                each.costly(&model, negatives)?;
            } else {
                each.quick(&model, negatives)?;
            }
            for (place, (estimator, found, exact)) in each.found.into_iter().enumerate() {
                let away = |lo: f64, hi: f64| {
                    u64::from(match &exact {
                        Exact::Loss(exact) => exact.hi() < lo || hi < exact.lo(),
                        Exact::Above(exact) => exact.hi() < lo,
                    })
                };
                if place == counted.len() {
                    counted.push(Misses { estimator, intervals: 0, missed: 0, missed_by_a_third: 0 });
                }
                counted[place].intervals += 1;
                counted[place].missed += away(found.lo(), found.hi());
                let (middle, third) = (found.midpoint(), (found.hi() - found.lo()) / 6.0);
                counted[place].missed_by_a_third += away(middle - third, middle + third);
            }
        }
        Ok(counted)
    }
}

/// Two to five classes of one to three atoms in one to three dimensions, none of them at rest.
fn small_model(trial: &mut Trial) -> Result<LatentClassModel, MeasureError> {
    let mut whole = |most: f64| 1 + (uniform(trial.rng()) * (most - 0.01)) as usize;
    let (classes, dimension) = (1 + whole(4.0), whole(3.0));
    let sizes: Vec<usize> = (0..classes).map(|_| whole(3.0)).collect();
    let mut number = |low: f64, high: f64| low + (high - low) * uniform(trial.rng());
    let atoms = sizes.iter().map(|&size| {
        let mut atom = || Atom { weight: number(0.1, 1.0), at: (0..dimension).map(|_| number(-1.0, 1.0)).collect() };
        (0..size).map(|_| atom()).collect::<Vec<_>>()
    });
    let atoms: Vec<Vec<Atom>> = atoms.collect();
    let weights = (0..classes).map(|_| number(0.1, 1.0)).collect();
    Ok(LatentClassModel::new(weights, atoms)?)
}
