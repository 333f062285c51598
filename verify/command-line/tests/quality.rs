//! Testing the tester: every planted error is found at the quick budget, with its smallest witness, and the truth is spared.

use std::process::Command;

use contrapositive_command_line::planted_errors::findings;
use evidence::run::Silent;

#[test]
fn every_planted_error_is_found_with_its_smallest_witness() {
    let found = findings(1, &Silent);
    assert!(found.len() >= 8);
    for finding in &found {
        assert!(finding.spares_the_truth(), "{}: {:?}", finding.name, finding.sound);
        assert!(finding.finds_the_error(), "{}: {:?}", finding.name, finding.planted.counts);
        let witness = finding.planted.witness.as_ref().expect("a refuted reading has a witness");
        assert_eq!(witness.instance, finding.smallest, "{}", finding.name);
    }
}

#[test]
fn no_seed_misses_an_error() {
    for seed in 2..20 {
        for finding in findings(seed, &Silent) {
            assert!(finding.passes(), "seed {seed}, {}: {:?}", finding.name, finding.planted.witness);
        }
    }
}

#[test]
fn the_command_prints_the_table() {
    let output =
        Command::new(env!("CARGO_BIN_EXE_contrapositive")).arg("quality").output().expect("the program starts");
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{shown}");
    for part in ["a constant wrong by 1 %: found", "x = [0.5]", "planted errors found with their smallest witness"] {
        assert!(shown.contains(part), "no \"{part}\" in:\n{shown}");
    }
}
