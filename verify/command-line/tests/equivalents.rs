//! Metamorphic tests over the catalogue: classes in another order, points turned and given twice, time counted in another unit, and whatever
//! else a type of instance declares to leave every statement's truth alone. No judgement may move.

use std::collections::{BTreeMap, BTreeSet};

use cli::storage::costs::{Costs, TABLE};
use contrapositive_command_line::catalogue;
use evidence::budget::Budget;
use evidence::claim::Fixtures;
use evidence::run::{Plan, WitnessStore, equivalence};
use evidence::verdict::Verdict;
use rayon::prelude::*;

use crate::support::whole_tests;

/// What is changed somewhere in the catalogue; a declaration that is lost would show nothing.
const CHANGES: [&str; 20] = [
    "a piece cut in two", "a signal negated", "classes in another order", "direction doubled",
    "eigenvalues in another order", "eigenvectors negated", "entries in another order", "equal signals apart",
    "features turned", "hidden units in another order", "inputs in another order", "lengths halved",
    "noise in another order", "outputs in another order", "points given twice", "points in another order",
    "points turned", "signals in another order", "time in another unit", "views exchanged",
];

/// False as they stand, controls and printed displays that speak of an order, of one of the two views, or of one side: where they fail
/// depends on how an instance is written down. None of them is a statement that is expected to hold.
const FALSE_BY_ORDER: [(&str, &str); 23] = [
    ("esser2024.eq-7", "range"),
    ("esser2024.thm-3b", "R1"),
    ("esser2024.thm-3b", "s3"),
    ("esser2024.thm-3b", "s4"),
    ("merad2020.fact-lse-pairing", "b"),
    ("ren2023.cor-a4", "n5"),
    ("ren2023.def-4.2", "n1"),
    ("ren2023.def-4.2", "n3"),
    ("ren2023.def-4.2", "n4"),
    ("ren2023.eq-5", "n4"),
    ("ren2023.eq-6", "n4"),
    ("ren2023.lemma-4.5", "n1"),
    ("ren2023.lemma-4.5", "n2"),
    ("ren2023.lemma-4.5", "n4"),
    ("ren2023.lemma-a2", "n2"),
    ("ren2023.lemma-a3", "n3"),
    ("ren2023.lemma-c13", "r2"),
    ("ren2023.lemma-c4", "n1"),
    ("ren2023.setup-norm", "n2"),
    ("ren2023.setup-norm", "n4"),
    ("wen2020.assumption-1", "b"),
    ("wen2020.backprop-5.2", "s5"),
    ("wen2020.lemma-c4", "s4-printed"),
];

/// Claims whose run takes longer are tried where long tests run whole.
const MOST_SECONDS: f64 = 2.0;

#[test]
fn no_judgement_moves_with_what_leaves_a_statement_alone() {
    let fixtures = Fixtures::at(concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures"));
    let witnesses = WitnessStore::load(&fixtures.path("witnesses")).expect("the stored witnesses are readable");
    let plan = Plan { seed: 5, budget: Budget::Quick };
    let costs = Costs::load(&fixtures.path(TABLE)).expect("the table of costs");
    let seconds = costs.at(Budget::Standard).expect("costs at the standard budget");
    let is_tried = |claim: &str| whole_tests() || seconds[claim] <= MOST_SECONDS;
    let (mut compared, mut claims) = (BTreeMap::<&str, usize>::new(), 0);
    let mut without = Vec::new();
    let mut left_out = BTreeMap::<(&str, String), usize>::new();
    let mut moved = Vec::new();
    let mut by_order = BTreeSet::new();
    let claims_and_changes: Vec<_> = catalogue::claims()
        .into_par_iter()
        .filter(|claim| is_tried(claim.id))
        .map(|claim| {
            let found = equivalence(&claim, plan, &fixtures, &witnesses);
            (claim, found)
        })
        .collect();
    for (claim, found) in claims_and_changes {
        claims += usize::from(!found.compared.is_empty());
        if found.compared.is_empty() {
            without.push(claim.id.to_owned());
        }
        for check in claim.checks() {
            assert!(
                !FALSE_BY_ORDER.contains(&(claim.id, check.id)) || check.expectation.verdict == Verdict::Fails,
                "{} {} is expected to hold",
                claim.id,
                check.id
            );
        }
        for (change, pairs) in found.compared {
            *compared.entry(change).or_default() += pairs;
        }
        for (which, times) in found.left_out {
            *left_out.entry(which).or_default() += times;
        }
        for one in found.moved {
            let check = (claim.id, one.check);
            if FALSE_BY_ORDER.contains(&check) {
                by_order.insert(check);
                continue;
            }
            let (was, is) = (one.outcome, one.other);
            moved.push(format!(
                "{} {}, {}: {}\n  was {was:?}\n  is  {is:?}",
                claim.id, one.check, one.change, one.instance
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
    println!("nothing is declared for {}: {}", without.len(), without.join(", "));
    assert!(moved.is_empty(), "{} judgements moved:\n{}", moved.len(), moved.join("\n"));
    let idle: Vec<_> = FALSE_BY_ORDER.iter().filter(|check| is_tried(check.0) && !by_order.contains(*check)).collect();
    assert!(idle.is_empty(), "no order matters to {idle:?}");
    let lost: Vec<&&str> = CHANGES.iter().filter(|change| !compared.contains_key(**change)).collect();
    assert!(lost.is_empty(), "nothing was compared of {lost:?}");
    assert!(claims >= 60, "only {claims} claims have instances with equivalents");
}
