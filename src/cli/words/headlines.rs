//! The headlines that a word of the command line names, in the words of a report (PASS, FAIL) or of a verdict (holds, fails).

use std::str::FromStr;

use evidence::verdict::Verdict;

/// The names of headlines and verdicts.
#[cfg(feature = "manual")]
pub const VERDICTS: [&str; 10] =
    ["PASS", "FAIL", "MISPRINT", "MIXED", "holds", "consistent", "fails", "undecided", "inconclusive", "vacuous"];

/// Some headlines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Headlines(Vec<Verdict>);

impl Headlines {
    /// Whether a headline is among them.
    #[must_use]
    pub fn contain(&self, verdict: Verdict) -> bool {
        self.0.contains(&verdict)
    }
}

impl FromStr for Headlines {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let word = text.to_lowercase();
        Ok(Headlines(match word.as_str() {
            "pass" => vec![Verdict::Holds, Verdict::Consistent],
            "fail" => vec![Verdict::Fails],
            _ => vec![word.parse().map_err(|_| {
                format!(
                    "unknown verdict \"{text}\": use PASS, FAIL, MISPRINT, MIXED, or one of holds, consistent, fails, \
                     undecided, inconclusive, vacuous"
                )
            })?],
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_report_and_of_a_verdict_are_read() {
        for (word, expected) in [
            ("PASS", vec![Verdict::Holds, Verdict::Consistent]),
            ("fail", vec![Verdict::Fails]),
            ("MISPRINT", vec![Verdict::Misprint]),
            ("Mixed", vec![Verdict::Mixed]),
            ("consistent", vec![Verdict::Consistent]),
        ] {
            assert_eq!(word.parse(), Ok(Headlines(expected)), "{word}");
        }
        assert!("right".parse::<Headlines>().is_err_and(|e| e.contains("\"right\": use PASS")));
    }
}
