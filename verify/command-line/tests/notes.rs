//! What is written by hand about the papers agrees with the catalogue.

use std::path::Path;

use contrapositive_command_line::{catalogue, notes};
use evidence::claim::Claim;
use evidence::verdict::Verdict;
use pages::ErratumKind;

/// The claims of one paper.
fn of(paper: &str) -> Vec<Claim> {
    catalogue::claims().into_iter().filter(|c| c.paper == paper).collect()
}

#[test]
fn every_failing_part_and_step_has_exactly_one_erratum() {
    for paper in notes::notes().papers {
        let claims = of(&paper.paper);
        assert_eq!(paper.errata.faults(&claims), Vec::<String>::new(), "{}", paper.paper);
    }
}

#[test]
fn an_erratum_left_out_said_twice_or_of_what_holds_is_refused() {
    let mut paper = notes::notes().papers.remove(0);
    let claims = of(&paper.paper);
    // An improvement may answer a question of ours, which needs no erratum.
    let of_what_fails = paper.errata.entries.iter().position(|e| e.kind != ErratumKind::Improvement);
    let first = paper.errata.entries.remove(of_what_fails.expect("something fails"));
    let faults = paper.errata.faults(&claims).join("\n");
    assert!(faults.contains("covered by 0 errata"), "{faults}");
    paper.errata.entries.extend([first.clone(), first.clone()]);
    let faults = paper.errata.faults(&claims).join("\n");
    assert!(faults.contains("covered by 2 errata"), "{faults}");
    let mut holding = first;
    holding.claim = "merad2020.lemma-1".to_owned();
    holding.covers = vec!["printed".to_owned(), "no-such".to_owned()];
    paper.errata.entries.push(holding);
    let faults = paper.errata.faults(&claims).join("\n");
    for fault in ["covers printed, which is no part or step that fails", "covers no-such"] {
        assert!(faults.contains(fault), "{faults}");
    }
}

#[test]
fn every_false_headline_is_recomputed_without_this_program() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    for paper in notes::notes().papers {
        let entries = &paper.errata.entries;
        for check in entries.iter().filter_map(|e| e.check.as_ref()) {
            let file = root.join(&paper.folder).join("checks").join(check);
            assert!(file.is_file(), "{}", file.display());
        }
        let is_false = |c: &Claim| matches!(c.expected().verdict, Verdict::Fails | Verdict::Misprint | Verdict::Mixed);
        for claim in of(&paper.paper).iter().filter(|c| is_false(c)) {
            let checked = entries.iter().any(|e| e.claim == claim.id && e.check.is_some());
            assert!(checked, "{} has no check of its own", claim.id);
        }
    }
}

#[test]
fn the_dependences_know_every_claim_and_no_circle() {
    for paper in notes::notes().papers {
        let claims = of(&paper.paper);
        assert_eq!(paper.dependences.faults(&claims), Vec::<String>::new(), "{}", paper.paper);
    }
}
