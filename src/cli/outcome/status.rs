//! Exit statuses and the errors that lead to them.

use std::path::PathBuf;
use std::process::ExitCode;

use evidence::run::{ClaimResult, RecordError, Run, WitnessError};
use evidence::verdict::Verdict;
use evidence::writing::WriteError;
use thiserror::Error;

use super::format::Format;
use super::merge_error::MergeError;

/// What the exit status says. When several apply, the one that stands first in [`Status::of`] is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Status {
    /// 0: every verdict is the expected one and every control was refuted.
    AsExpected = 0,
    /// 1: a verdict changed.
    Changed = 1,
    /// 2: bad input or usage.
    Usage = 2,
    /// 3: a control survived; its claim has no power.
    ControlSurvived = 3,
    /// 4: (nearly) no instance met the hypotheses of a claim, or its checks had nothing to compare, or it has neither a part nor a sense.
    Vacuous = 4,
    /// 5: nothing was selected.
    NothingSelected = 5,
    /// 70: an internal fault: a check panicked, or the program could not do its own work.
    Internal = 70,
    /// 74: a result could not be written, because the disk is full or the folder has gone. What was computed is in the journal.
    Unwritten = 74,
    /// 141: the reader of standard output has closed it: 128 plus the number of SIGPIPE, which ends other programs then. Likewise 129,
    /// 130 and 143 after SIGHUP, SIGINT and SIGTERM.
    NobodyReads = 141,
}

impl Status {
    /// The status of a finished run.
    #[must_use]
    pub fn of(run: &Run) -> Status {
        let checks = || run.claims.iter().flat_map(|c| &c.checks);
        if run.claims.is_empty() {
            Status::NothingSelected
        } else if checks().any(|c| c.counts.panicked > 0) {
            Status::Internal
        } else if run.claims.iter().any(says_nothing) {
            Status::Vacuous
        } else if run.claims.iter().any(|c| c.regressions().next().is_some() || c.missing_series().next().is_some()) {
            Status::Changed
        } else if run.claims.iter().any(|c| c.survivors().next().is_some()) {
            Status::ControlSurvived
        } else {
            Status::AsExpected
        }
    }
}

/// Whether a check came out vacuous that should not, or the claim has neither a part nor a sense.
fn says_nothing(claim: &ClaimResult) -> bool {
    claim.is_bare() || claim.regressions().any(|check| check.verdict == Verdict::Vacuous)
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(status as u8)
    }
}

/// Why the program could not do what was asked.
#[derive(Debug, Error)]
pub enum Trouble {
    /// No claim matches the selection.
    #[error("no claim matches {0}\nhint: `list` shows every id; patterns are globs such as 'merad2020.*'")]
    NothingSelected(String),
    /// A pattern is not a glob.
    #[error("\"{pattern}\" is not a pattern: {source}")]
    Pattern {
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        source: glob::PatternError,
    },
    /// A stored witness could not be used.
    #[error(transparent)]
    Witness(#[from] WitnessError),
    /// Neither a file nor a name by which a witness is stored.
    #[error("\"{name}\" is neither a witness file nor a claim or check with a stored witness{hint}")]
    NoWitness {
        /// What was asked for.
        name: String,
        /// What there is instead, as a line of its own; empty if nothing is close.
        hint: String,
    },
    /// A witness speaks of a claim or check that the catalogue does not hold, or of a value that is no instance.
    #[error("witness {path} cannot be judged: {reason}")]
    Unjudgeable {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// A file could not be read or written.
    #[error("{action} {path}: {source}")]
    Io {
        /// What was tried.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What went wrong.
        source: std::io::Error,
    },
    /// The fixtures are not where they should be.
    #[error("no fixtures folder at {0}\nhint: run in a folder with fixtures, or name one with --fixtures")]
    NoFixtures(PathBuf),
    /// A place for results turned out to be none before any work was done.
    #[error("{0}\nhint: nothing has been computed yet")]
    NoPlace(WriteError),
    /// The form asked for is not that of the file.
    #[error(
        "{path} does not fit --format {asked}\nhint: .md is for markdown and summary, .json for json, .xml for junit, \
         .tex for latex, a folder for markdown"
    )]
    Form {
        /// The form.
        asked: Format,
        /// The file.
        path: PathBuf,
    },
    /// Nothing says in which form a file is to be written.
    #[error(
        "the ending of {0} belongs to no format\nhint: name one with --format: markdown, json, junit, latex or summary"
    )]
    NoForm(PathBuf),
    /// Shards make no run.
    #[error("{0}\nhint: all shards must come from the same program, seed, budget, selection and data; name each once")]
    Merge(#[from] MergeError),
    /// A result cannot be written down.
    #[error("a result cannot be serialised: {0}")]
    Record(RecordError),
    /// A table of costs cannot be used.
    #[error("{path} is not a table of costs: {reason}")]
    Costs {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// There is nothing to compare with.
    #[error(
        "cannot compare with {path}: {reason}\nhint: --baseline takes a file that `verify --output run.json` or \
         `verify --costs FILE` has written"
    )]
    Baseline {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A run cannot be written down as JUnit has it.
    #[error("the run cannot be written as JUnit XML: {0}")]
    Junit(String),
    /// What was asked for stands behind a feature of the program that it was built without.
    #[error(
        "{what} needs the feature `{feature}`, which this program was built without\nhint: cargo install --path \
         verify/command-line --features full; for a catalogue of your own, the feature `cli-full` of contrapositive"
    )]
    NotBuilt {
        /// What was asked for.
        what: &'static str,
        /// The feature.
        feature: &'static str,
    },
    /// A result could not be written.
    #[error(transparent)]
    Unwritten(#[from] WriteError),
    /// Standard output could not be written.
    #[error("cannot write standard output: {0}")]
    Output(std::io::Error),
    /// Nobody reads standard output any more.
    #[error("standard output was closed by its reader")]
    NobodyReads,
    /// Something of a user's cannot be used; the sentence names it.
    #[error("{0}")]
    Unusable(String),
    /// Signals could not be taken.
    #[error("cannot install signal handlers: {0}")]
    Signals(std::io::Error),
    /// The environment asks for more threads than are reasonable.
    #[error("{variable} asks for {number} threads: 1 to {most} are possible")]
    ThreadsWished {
        /// The variable.
        variable: &'static str,
        /// How many it asks for.
        number: usize,
        /// The most that are possible.
        most: u16,
    },
    /// The thread pool could not be made.
    #[error("cannot start {threads} threads: {source}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What went wrong.
        source: rayon::ThreadPoolBuildError,
    },
}

impl Trouble {
    /// What was asked for stands behind a feature that this program was built without.
    #[must_use]
    pub fn without(what: &'static str, feature: &'static str) -> Self {
        Trouble::NotBuilt { what, feature }
    }

    /// Why standard output could not be written.
    #[must_use]
    pub fn output(error: std::io::Error) -> Self {
        if error.kind() == std::io::ErrorKind::BrokenPipe { Trouble::NobodyReads } else { Trouble::Output(error) }
    }

    /// The exit status that goes with the error.
    #[must_use]
    pub fn status(&self) -> Status {
        match self {
            Trouble::NothingSelected(_) => Status::NothingSelected,
            Trouble::Unwritten(_) | Trouble::Output(_) => Status::Unwritten,
            Trouble::Witness(WitnessError::Write(_)) => Status::Unwritten,
            Trouble::NoPlace(error) if error.source.kind() == std::io::ErrorKind::NotConnected => Status::Unwritten,
            Trouble::NobodyReads => Status::NobodyReads,
            Trouble::Signals(_) | Trouble::Threads { .. } | Trouble::Junit(_) | Trouble::Record(_) => Status::Internal,
            _ => Status::Usage,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use enclosures::enclosure::exact;
    use evidence::budget::Budget;
    use evidence::claim::{Claim, Evaluation, Fixtures, Hypothesis, Kind, Setting, at_least, at_most, edge, holds};
    use evidence::instance::Instance;
    use evidence::run::{Plan, Silent, WitnessStore, run};
    use serde::{Deserialize, Serialize};

    #[derive(Clone, Debug, Serialize, Deserialize)]
    struct Number {
        x: f64,
    }

    impl Instance for Number {
        fn describe(&self) -> String {
            format!("x = {}", self.x)
        }
    }

    type Staged = fn(&Number, &()) -> Evaluation;

    /// A claim about x = 1 that expects to hold, with one control.
    fn status(
        assumed: bool,
        reading: fn(&Number, &()) -> Evaluation,
        control: fn(&Number, &()) -> Evaluation,
    ) -> Status {
        let setting = Setting::of()
            .assume(Hypothesis::capturing("as staged", move |_: &Number| assumed))
            .family(edge("one", || vec![("one", Number { x: 1.0 })]))
            .without_search()
            .part("printed", "staged", holds(), reading)
            .control("a", "staged", control);
        let claim = Claim::new("staged.claim", "staged", Kind::Inequality).setting(setting);
        status_of(&claim)
    }

    fn status_of(claim: &Claim) -> Status {
        let plan = Plan { seed: 0, budget: Budget::Quick };
        Status::of(&run(&[claim], plan, &Fixtures::at("none"), &WitnessStore::default(), &Silent))
    }

    #[test]
    fn every_situation_has_its_own_status() {
        let (good, bad): (Staged, Staged) = (|n, ()| at_least(exact(n.x), 0), |n, ()| at_most(exact(n.x), 0));
        assert_eq!(status(true, good, bad), Status::AsExpected);
        assert_eq!(status(true, bad, bad), Status::Changed);
        assert_eq!(status(true, good, good), Status::ControlSurvived);
        assert_eq!(status(false, good, bad), Status::Vacuous);
        let bare = Claim::new("staged.claim", "staged", Kind::Inequality);
        assert_eq!(status_of(&bare), Status::Vacuous);
        assert_eq!(status(true, |_, ()| panic!("a planted panic"), bad), Status::Internal);
        let nothing = Run { plan: Plan { seed: 0, budget: Budget::Quick }, claims: Vec::new() };
        assert_eq!(Status::of(&nothing), Status::NothingSelected);
    }
}
