//! `quality`: planted errors, which the engine must find.

use contrapositive::run::Silent;

use super::arguments::Quality;
use super::status::{Status, Trouble};
use crate::quality::findings;

/// Prints one line for each planted error; the status is 1 if one was missed, or a true statement refuted.
pub fn quality(options: &Quality) -> Result<Status, Trouble> {
    let findings = findings(options.seed, &Silent);
    println!("Planted errors, at the quick budget with seed {}:\n", options.seed);
    for finding in &findings {
        let verdict = match (
            finding.spares_the_truth(),
            finding.finds_the_error(),
            finding.is_smallest(),
        ) {
            (true, true, true) => "found",
            (true, true, false) => "found, but not by the smallest witness",
            (true, false, _) => "MISSED",
            (false, ..) => "a true statement does not pass",
        };
        println!("{}: {}", finding.error, verdict);
        println!("  true     {}  ({})", finding.sound.statement, finding.sound.verdict);
        println!(
            "  planted  {}  ({})",
            finding.planted.statement, finding.planted.verdict
        );
        let (tried, against) = (finding.planted.counts.tried(), finding.planted.counts.violated);
        match &finding.planted.witness {
            Some(witness) => println!(
                "  witness  {}  ({against} of {tried} trials violate)",
                witness.description
            ),
            None => println!("  witness  none in {tried} trials"),
        }
    }
    let passed = findings.iter().filter(|f| f.passes()).count();
    println!(
        "\n{passed} of {} planted errors found with their smallest witness.",
        findings.len()
    );
    Ok(if passed == findings.len() {
        Status::AsExpected
    } else {
        Status::Changed
    })
}
