//! Metamorphic tests over the catalogue: classes in another order, points turned and given twice, time counted in another unit, and whatever
//! else a type of instance declares to leave every statement's truth alone. No judgement may move.

use std::collections::BTreeMap;

use contrapositive_command_line::catalogue;
use evidence::budget::Budget;
use evidence::claim::Fixtures;
use evidence::run::{Plan, WitnessStore, equivalence};

/// What is changed somewhere in the catalogue; a declaration that is lost would show nothing.
const CHANGES: [&str; 20] = [
    "a piece cut in two",
    "a signal negated",
    "classes in another order",
    "direction doubled",
    "eigenvalues in another order",
    "eigenvectors negated",
    "entries in another order",
    "equal signals apart",
    "features turned",
    "hidden units in another order",
    "inputs in another order",
    "lengths halved",
    "noise in another order",
    "outputs in another order",
    "points given twice",
    "points in another order",
    "points turned",
    "signals in another order",
    "time in another unit",
    "views exchanged",
];

#[test]
fn no_judgement_moves_with_what_leaves_a_statement_alone() {
    let fixtures = Fixtures::at(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures"));
    let witnesses = WitnessStore::load(&fixtures.path("witnesses")).expect("the stored witnesses are readable");
    let plan = Plan {
        seed: 5,
        budget: Budget::Quick,
    };
    let (mut compared, mut claims) = (BTreeMap::<&str, usize>::new(), 0);
    let mut left_out = BTreeMap::<(&str, String), usize>::new();
    let mut moved = Vec::new();
    for claim in catalogue::claims() {
        let found = equivalence(&claim, plan, &fixtures, &witnesses);
        claims += usize::from(!found.compared.is_empty());
        for (change, pairs) in found.compared {
            *compared.entry(change).or_default() += pairs;
        }
        for (which, times) in found.left_out {
            *left_out.entry(which).or_default() += times;
        }
        for one in found.moved {
            let (was, is) = (one.outcome, one.other);
            moved.push(format!(
                "{} {}, {}: {}\n  was {was:?}\n  is  {is:?}",
                claim.id(),
                one.check,
                one.change,
                one.instance
            ));
        }
    }
    for (change, pairs) in &compared {
        println!("{pairs:>7} {change}");
    }
    for ((change, reason), times) in &left_out {
        println!("{times:>7} {change}: only one of two is judged because of \"{reason}\"");
    }
    println!("{} pairs of {claims} claims", compared.values().sum::<usize>());
    assert!(
        moved.is_empty(),
        "{} judgements moved:\n{}",
        moved.len(),
        moved.join("\n")
    );
    let lost: Vec<&&str> = CHANGES
        .iter()
        .filter(|change| !compared.contains_key(**change))
        .collect();
    assert!(lost.is_empty(), "nothing was compared of {lost:?}");
    assert!(claims >= 60, "only {claims} claims have instances with equivalents");
}
