//! Every estimator under both confidence sequences on a model whose loss is known: how often a whole run ever misses.

use super::*;
use contrastive::{LatentClassModel, sup_mean_all, sup_mean_average, unsupervised_loss};
use enclosures::enclosure::Enclosure;
use enclosures::probability::clopper_pearson;
use enclosures::stream::seed;

const RUNS: u64 = 60;
/// Looks are after 8, 16, 24, 36, ... chunks.
const CHUNKS: u64 = 40;
/// Single observations that are bet on.
const BETS: usize = 400;
const NEGATIVES: usize = 2;

/// Three classes of two equally likely atoms.
fn model() -> LatentClassModel {
    let points = [1.0, 0.0, -1.0, 0.0, 0.0, 1.0, 0.5, 0.5, -0.2, 0.4, 0.0, -1.0];
    LatentClassModel::from_labelled(&points, 2, &[0, 1, 2, 0, 1, 2]).unwrap()
}

fn apart(e: Enclosure, exact: Enclosure) -> bool {
    e.hi() < exact.lo() || exact.hi() < e.lo()
}

/// Whether a run of chunks under empirical Bernstein ever misses by one of its looks.
fn bernstein_misses(estimator: &dyn Estimator, exact: Enclosure, alpha: f64, run: u64) -> bool {
    let plan = SamplingPlan {
        seed: seed(run, &["coverage"]),
        alpha,
        most_chunks: CHUNKS,
        sequence: Sequence::EmpiricalBernstein,
    };
    let mut ever = false;
    let last = sample_until(estimator, &plan, |e| {
        ever |= apart(e, exact);
        false
    });
    ever | apart(last.unwrap().enclosure, exact)
}

/// Whether bets on single observations ever exclude the exact value. What was excluded once stays so: the last look sees all.
fn betting_misses(estimator: &dyn Estimator, exact: Enclosure, alpha: f64, run: u64) -> bool {
    let error = estimator.error();
    let range = estimator.range().unwrap().widened_by(error).unwrap();
    let mut sequence = Betting::new(range, alpha).unwrap();
    let mut observations = [0.0; BETS];
    // One observation per chunk: those of one chunk come in an order that may depend on them.
    for (i, x) in observations.iter_mut().enumerate() {
        let mut stream = ChunkStream::new(&seed(run, &["coverage", "bets"]), i as u64);
        estimator.observe(&mut stream, std::slice::from_mut(x));
    }
    observations.iter().for_each(|&x| sequence.push(x).unwrap());
    let found = sequence.enclosure().interval().widened_by(error);
    apart(Enclosure::sampled(found.lo(), found.hi(), alpha), exact)
}

#[test]
fn every_estimator_misses_at_most_alpha_and_not_never() {
    let model = model();
    let sampler = AtomSampler::new(&model).unwrap();
    let table = PairTable::new(&sampler).unwrap();
    let un = unsupervised_loss(&model, NEGATIVES as u64).unwrap();
    let task = [0, 2];
    let pair = contrastive::sup_mean(&model, &task).unwrap();
    let plain = Unsupervised::new(&sampler, NEGATIVES).unwrap();
    let rows = RowsUnsupervised::new(&sampler, NEGATIVES).unwrap();
    let tabulated = TabulatedUnsupervised::new(&table, NEGATIVES).unwrap();
    let conditional = ConditionalUnsupervised::new(&table, &model, NEGATIVES).unwrap();
    let batch = BatchUnsupervised::new(&sampler, NEGATIVES, 3, 2).unwrap();
    let antithetic = EvenUnsupervised::new(&table, &model, NEGATIVES, Points::Antithetic).unwrap();
    let lattice = EvenUnsupervised::new(&table, &model, NEGATIVES, Points::Lattice(4)).unwrap();
    let all = Supervised::all(&sampler).unwrap();
    let varied = ControlVariateSupervised::all(&sampler).unwrap();
    let one = Supervised::of_task(&sampler, &task).unwrap();
    let tasks = Supervised::tasks(&sampler, 1).unwrap();
    // Whether an observation spreads over its range as single draws do. Sweeps, batches and what a control variate leaves do not: their sequences are as wide as the
    // range makes them, and may never miss in so few observations.
    let cases: [(&str, &dyn Estimator, Enclosure, bool); 11] = [
        ("plain", &plain, un.into(), true),
        ("rows", &rows, un.into(), true),
        ("table", &tabulated, un.into(), true),
        ("all classes", &all, sup_mean_all(&model).into(), true),
        ("control variate", &varied, sup_mean_all(&model).into(), false),
        ("one task", &one, pair.into(), true),
        ("tasks", &tasks, sup_mean_average(&model, 1).unwrap().into(), true),
        ("conditional", &conditional, un.into(), false),
        ("batch", &batch, un.into(), false),
        ("antithetic", &antithetic, un.into(), false),
        ("lattice", &lattice, un.into(), false),
    ];
    for (name, estimator, exact, single) in cases {
        for alpha in [0.05, 0.9] {
            let bernstein = (0..RUNS).filter(|&run| bernstein_misses(estimator, exact, alpha, run)).count() as u64;
            let betting = (0..RUNS).filter(|&run| betting_misses(estimator, exact, alpha, run)).count() as u64;
            println!("{name}, alpha {alpha}: {bernstein} and {betting} of {RUNS} ever miss");
            for missed in [bernstein, betting] {
                let least = clopper_pearson(missed, RUNS, 1e-6).unwrap().lo();
                assert!(least <= alpha, "{name}, alpha {alpha}: {missed} of {RUNS}");
                // A sequence that never misses is too wide.
                assert!(alpha < 0.9 || !single || missed > 0, "{name} never misses");
            }
        }
    }
}
