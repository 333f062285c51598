//! Every word means what its documentation says: the examples of the table hold to the last digit that an enclosure supports.

use contrapositive_statements::words::{WORDS, table};
use contrapositive_statements::{AttemptOutcome, Options, Texts, attempt};

#[test]
fn every_example_of_the_table_holds_and_its_falsification_does_not() {
    for word in WORDS {
        let right = attempt(&Texts::of(word.example), Options::default());
        let right = right.unwrap_or_else(|e| panic!("{}: {e}", word.example));
        assert!(
            matches!(
                &right.outcome,
                AttemptOutcome::Stands { .. } | AttemptOutcome::Proved(_) | AttemptOutcome::Sampled(_)
            ),
            "{}\n{right}",
            word.example
        );
        let (left, value) = word.example.split_once(" = ").unwrap_or_else(|| panic!("{} is no equation", word.example));
        let wrong = format!("{left} = {value} + 1e-6");
        let wrong = attempt(&Texts::of(&wrong), Options::default()).unwrap_or_else(|e| panic!("{wrong}: {e}"));
        assert!(matches!(wrong.outcome, AttemptOutcome::Refuted { .. }), "{wrong}");
        assert!(word.names.iter().any(|name| word.example.contains(name)), "{:?}", word.names);
    }
}

#[test]
fn names_are_unique_and_the_documentation_holds_the_table() {
    let mut names: Vec<&str> = WORDS.iter().flat_map(|w| w.names.iter().copied()).collect();
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
    let page = include_str!("../../../docs/statements.md");
    assert!(page.contains(&table()), "docs/statements.md does not hold this table:\n{}", table());
}
