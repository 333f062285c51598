//! Whole claims at the quick budget, from the families to the verdict: one on finitely supported models, with its search, and
//! one that costs next to nothing.
//!
//! `cargo bench -p contrapositive-command-line --bench claims`

use std::time::Duration;

use contrapositive_command_line::catalogue;
use criterion::{Criterion, criterion_group, criterion_main};
use evidence::budget::Budget;
use evidence::claim::{Claim, Fixtures};
use evidence::run::{Plan, Silent, WitnessStore, run};

const CLAIMS: [&str; 2] = ["merad2020.lemma-1", "ren2023.lemma-b2"];

fn claims(c: &mut Criterion) {
    let fixtures = Fixtures::at(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures"));
    let witnesses = WitnessStore::load(&fixtures.path("witnesses")).expect("the stored witnesses are readable");
    let plan = Plan { seed: 1, budget: Budget::Quick };
    let all = catalogue::claims();
    let mut group = c.benchmark_group("whole claim, quick budget");
    for id in CLAIMS {
        let claim: &Claim = all.iter().find(|claim| claim.id == id).expect("the claim is in the catalogue");
        let whole = || run(&[claim], plan, &fixtures, &witnesses, &Silent);
        // The digits' encoder is trained once in a process: not part of a claim's own time.
        let first = whole();
        let trials: usize = first.claims[0].checks.iter().map(|check| check.counts.met).sum();
        println!("{id}: {}, {trials} instances judged", first.claims[0].verdict());
        group.bench_function(id, |b| b.iter(whole));
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).measurement_time(Duration::from_secs(5)).warm_up_time(Duration::from_millis(500));
    targets = claims
}
criterion_main!(benches);
