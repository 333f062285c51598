//! `quality`: planted errors, which the engine must find.

use evidence::run::Silent;

use super::arguments::Quality;
use super::console::say;
use super::status::{Status, Trouble};
use crate::planted_errors::findings;

/// Prints one line for each planted error; the status is 1 if one was missed, or a true statement refuted.
pub fn quality(options: &Quality) -> Result<Status, Trouble> {
    let findings = findings(options.seed, &Silent);
    say!("Planted errors, at the quick budget with seed {}:\n", options.seed)?;
    for finding in &findings {
        let verdict = match (finding.spares_the_truth(), finding.finds_the_error(), finding.is_smallest()) {
            (true, true, true) => "found",
            (true, true, false) => "found, but not by the smallest witness",
            (true, false, _) => "MISSED",
            (false, ..) => "a true statement does not pass",
        };
        say!("{}: {}", finding.error, verdict)?;
        say!("  true     {}  ({})", finding.sound.statement, finding.sound.verdict)?;
        say!("  planted  {}  ({})", finding.planted.statement, finding.planted.verdict)?;
        let (tried, against) = (finding.planted.counts.tried(), finding.planted.counts.violated);
        match &finding.planted.witness {
            Some(witness) => say!("  witness  {}  ({against} of {tried} trials violate)", witness.description)?,
            None => say!("  witness  none in {tried} trials")?,
        }
    }
    let passed = findings.iter().filter(|f| f.passes()).count();
    say!("\n{passed} of {} planted errors found with their smallest witness.", findings.len())?;
    Ok(if passed == findings.len() { Status::AsExpected } else { Status::Changed })
}
