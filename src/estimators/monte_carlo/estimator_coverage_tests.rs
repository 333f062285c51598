//! Every estimator under both confidence sequences on a model whose loss is known: how often a whole run ever misses.

use super::*;
use crate::contrastive::{Atom, LatentClassModel, sup_mean_all, sup_mean_average, unsupervised_loss};
use crate::enclosure::Enclosure;
use crate::probability::clopper_pearson;
use crate::stream::seed;

const RUNS: u64 = 60;
/// Looks are after 8, 16, 24, 36, ... chunks.
const CHUNKS: u64 = 120;
const NEGATIVES: usize = 2;

/// Three classes of two atoms with unequal weights.
fn model() -> LatentClassModel {
    let atom = |weight, x, y| Atom { weight, at: vec![x, y] };
    let classes = vec![
        vec![atom(0.25, 1.0, 0.0), atom(0.75, 0.5, 0.5)],
        vec![atom(0.5, -1.0, 0.0), atom(0.5, -0.2, 0.4)],
        vec![atom(0.4, 0.0, 1.0), atom(0.6, 0.0, -1.0)],
    ];
    LatentClassModel::new(vec![0.5, 0.3, 0.2], classes).unwrap()
}

/// How many runs ever miss the exact value by one of their looks.
fn misses(estimator: &dyn Estimator, exact: Enclosure, alpha: f64, sequence: Sequence) -> u64 {
    let missed = |run: &u64| {
        let plan = Plan {
            seed: seed(*run, &["coverage"]),
            alpha,
            most_chunks: CHUNKS,
            sequence,
        };
        let apart = |e: Enclosure| e.hi() < exact.lo() || exact.hi() < e.lo();
        let mut ever = false;
        let last = sample_until(estimator, &plan, |e| {
            ever |= apart(e);
            false
        });
        ever | apart(last.unwrap().enclosure)
    };
    (0..RUNS).filter(missed).count() as u64
}

#[test]
fn every_estimator_misses_at_most_alpha_and_not_never() {
    let model = model();
    let sampler = AtomSampler::new(&model).unwrap();
    let table = PairTable::new(&sampler).unwrap();
    let un = unsupervised_loss(&model, NEGATIVES as u64).unwrap();
    let task = [0, 2];
    let pair = crate::contrastive::sup_mean(&model, &task).unwrap();
    let plain = Unsupervised::new(&sampler, NEGATIVES).unwrap();
    let rows = RowsUnsupervised::new(&sampler, NEGATIVES).unwrap();
    let tabulated = TabulatedUnsupervised::new(&table, NEGATIVES).unwrap();
    let conditional = ConditionalUnsupervised::new(&table, &model, NEGATIVES).unwrap();
    let batch = BatchUnsupervised::new(&sampler, NEGATIVES, 3, 2).unwrap();
    let antithetic = EvenUnsupervised::new(&table, &model, NEGATIVES, Points::Antithetic).unwrap();
    let lattice = EvenUnsupervised::new(&table, &model, NEGATIVES, Points::Lattice(4)).unwrap();
    let all = Supervised::all(&sampler).unwrap();
    let one = Supervised::of_task(&sampler, &task).unwrap();
    let tasks = Supervised::tasks(&sampler, 1).unwrap();
    let cases: [(&str, &dyn Estimator, Enclosure); 10] = [
        ("plain", &plain, un),
        ("rows", &rows, un),
        ("table", &tabulated, un),
        ("conditional", &conditional, un),
        ("batch", &batch, un),
        ("antithetic", &antithetic, un),
        ("lattice", &lattice, un),
        ("all classes", &all, sup_mean_all(&model)),
        ("one task", &one, pair),
        ("tasks", &tasks, sup_mean_average(&model, 1).unwrap()),
    ];
    let mut missed_by = [0, 0];
    for (name, estimator, exact) in cases {
        for (sequence, total) in [Sequence::EmpiricalBernstein, Sequence::Betting]
            .into_iter()
            .zip(&mut missed_by)
        {
            for alpha in [0.05, 0.9] {
                let missed = misses(estimator, exact, alpha, sequence);
                let least = clopper_pearson(missed, RUNS, 1e-6).unwrap().lo();
                assert!(least <= alpha, "{name} {sequence:?}, alpha {alpha}: {missed} of {RUNS}");
                println!("{name}, {sequence:?}, alpha {alpha}: {missed} of {RUNS} ever miss");
                *total += if alpha == 0.9 { missed } else { 0 };
            }
        }
    }
    // A sequence that never misses is too wide.
    assert!(missed_by.iter().all(|&missed| missed > 0), "{missed_by:?}");
}
