//! The benchmark of the search (`cargo bench --bench refuter`), cut into shards, is the same benchmark.
// Of its modules a test uses a part.
#![allow(dead_code, missing_docs)]

#[path = "../benches/refuter/instances.rs"]
mod instances;
#[path = "../benches/refuter/measure.rs"]
mod measure;
#[path = "../benches/refuter/shards.rs"]
mod shards;
#[path = "../benches/refuter/statement.rs"]
mod statement;
#[path = "../benches/refuter/statements/mod.rs"]
mod statements;
#[path = "../benches/refuter/table.rs"]
mod table;

use std::path::PathBuf;

use cli::MergeError;
use cli::storage::shard::Shard;
use evidence::budget::Budget;
use measure::{Found, Row};
use shards::Task;

const BUDGET: Budget = Budget::Quick;

/// Five statements from three seeds.
fn tasks() -> Vec<Task> {
    let few = statements::all().into_iter().step_by(17).take(5);
    let task = |statement| Task { list: 0, statement, seeds: 3 };
    few.map(task).collect()
}

fn page(tasks: &[Task], found: &[Found]) -> String {
    let rows: Vec<Row> = tasks.iter().zip(found).map(|(task, found)| Row::of(&task.statement, found.clone())).collect();
    table::table(&rows, BUDGET, 3)
}

/// Times depend on the machine and on the moment; they are the shards' own, and nothing else may differ.
fn without_times(found: &[Found]) -> Vec<Found> {
    let bare = |found: &Found| Found {
        times: vec![Default::default(); found.times.len()],
        longest: Default::default(),
        ..found.clone()
    };
    found.iter().map(bare).collect()
}

#[test]
fn shards_in_any_order_give_the_whole_and_what_does_not_belong_is_named() {
    let tasks = tasks();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let shard = |number, of| -> PathBuf {
        let path = folder.path().join(format!("{number}-of-{of}"));
        shards::one(&tasks, BUDGET, Shard::new(number, of).expect("a shard"), &path).expect("written");
        path
    };
    let (first, second, third) = (shard(1, 3), shard(2, 3), shard(3, 3));
    let merged = |paths: &[&PathBuf], budget| {
        let paths: Vec<PathBuf> = paths.iter().map(|p| (*p).clone()).collect();
        shards::merged(&tasks, budget, &paths)
    };
    let whole = shards::all(&tasks, BUDGET);
    let one = merged(&[&third, &first, &second], BUDGET).expect("a whole");
    let other = merged(&[&first, &second, &third], BUDGET).expect("a whole");
    assert_eq!(page(&tasks, &one), page(&tasks, &other), "the shards' own times, in any order");
    let (bare, expected) = (without_times(&one), without_times(&whole));
    assert_eq!(page(&tasks, &bare), page(&tasks, &expected));
    assert_eq!(bare, expected);
    assert!(whole.iter().any(|found| found.refuted() > 0));

    let refused = |paths: &[&PathBuf], budget| match merged(paths, budget) {
        Err(cli::Trouble::Merge(error)) => error,
        other => panic!("{other:?}"),
    };
    assert!(matches!(refused(&[&first, &third], BUDGET), MergeError::Missing(_)));
    assert!(matches!(refused(&[&first, &second, &first], BUDGET), MergeError::Doubled { .. }));
    assert!(matches!(
        refused(&[&first, &second, &third], Budget::Standard),
        MergeError::Foreign { what: "budget", .. }
    ));
    std::fs::write(&second, b"contrapositive refuter shard 1\nnothing").expect("written");
    assert!(matches!(refused(&[&first, &second, &third], BUDGET), MergeError::Damaged { .. }));
}
