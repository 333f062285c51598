//! The evidence on one claim.

use std::borrow::Cow;
use std::ops::Deref;

use serde::{Deserialize, Serialize};

use super::series::SeriesResult;
use crate::claim::{Claim, Head, Role, reading};
use crate::headline::{Headline, Reading, Sense, headline};
use crate::run::conclusion::CheckResult;
use crate::run::ledgers::{Dropped, Ledger, Reach};
use crate::verdict::Verdict;
use enclosures::enclosure::Grade;

/// Controls of a claim: how many there are, and how many were refuted as they must be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Controls {
    /// All controls.
    pub total: usize,
    /// Those refuted.
    pub refuted: usize,
}

/// The evidence on one claim. What the claim itself declares is not written down with it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ClaimResult {
    /// What the claim says of itself.
    #[serde(skip, default = "Head::absent")]
    pub head: Head,
    /// Hypotheses that no instance of the families misses: a fault of the catalogue.
    pub unmissed: Vec<Cow<'static, str>>,
    /// What the instances of each setting reach, and the ids of its checks.
    pub reach: Vec<(Vec<Cow<'static, str>>, Reach)>,
    /// The senses of the printed words.
    #[serde(skip)]
    pub senses: Vec<Sense>,
    /// The headline that the catalogue expects.
    #[serde(skip)]
    pub expected: Headline,
    /// Every check, in the order of declaration.
    pub checks: Vec<CheckResult>,
    /// What became of the statement without each of its hypotheses.
    pub dropped: Vec<Dropped>,
    /// What the instances ask of the statement's constants.
    pub ledgers: Vec<Ledger>,
    /// The data that the claim puts before the reader.
    pub series: Vec<SeriesResult>,
}

impl Deref for ClaimResult {
    type Target = Head;

    fn deref(&self) -> &Head {
        &self.head
    }
}

impl ClaimResult {
    /// What the claim itself says, before any evidence.
    pub(super) fn declared(claim: &Claim) -> Self {
        ClaimResult {
            head: Head::clone(claim),
            unmissed: Vec::new(),
            reach: Vec::new(),
            senses: claim.senses(),
            expected: claim.expected(),
            checks: Vec::new(),
            dropped: Vec::new(),
            ledgers: Vec::new(),
            series: Vec::new(),
        }
    }

    /// The headline, computed from the verdicts of the readings.
    #[must_use]
    pub fn headline(&self) -> Headline {
        let readings: Vec<Reading> = self
            .checks
            .iter()
            .filter_map(|check| reading(check.id, check.role, &check.classification, check.verdict))
            .collect();
        headline(&self.senses, &readings)
    }

    /// The verdict of the headline; vacuous if no part counts.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        self.headline().verdict
    }

    /// The parts that decide the headline.
    #[must_use]
    pub fn decisive(&self) -> Vec<&CheckResult> {
        let ids: Vec<&str> = self.headline().decisive().collect();
        self.checks.iter().filter(|c| c.role == Role::Part && ids.contains(&c.id)).collect()
    }

    /// The part that stands for the headline where one has to: of those that decide it the one with a witness, or with the least room.
    #[must_use]
    pub fn leading(&self) -> Option<&CheckResult> {
        let decisive = self.decisive();
        let room = |c: &CheckResult| c.tightest.as_ref().map_or(f64::INFINITY, |t| t.comparison.relative_margin());
        let refuted = decisive.iter().find(|c| c.witness.is_some()).copied();
        refuted.or_else(|| decisive.into_iter().min_by(|a, b| room(a).total_cmp(&room(b))))
    }

    /// The grade of the headline: the weakest of what a pass rests on, the strongest of what refutes.
    #[must_use]
    pub fn grade(&self) -> Option<Grade> {
        self.headline().grade(|part| self.grade_of(part))
    }

    /// The grade with which a check enters the headline: its own, but where the printed words speak of more than the checks, theorems
    /// about these do not raise what passes.
    #[must_use]
    pub fn grade_of(&self, check: &str) -> Option<Grade> {
        let check = self.checks.iter().find(|c| c.id == check)?;
        match self.speaks_also_of {
            Some(_) if check.verdict != Verdict::Fails => check.grade_without_theorems,
            _ => check.grade,
        }
    }

    /// Checks that play a given part.
    pub fn with_role(&self, role: Role) -> impl Iterator<Item = &CheckResult> {
        self.checks.iter().filter(move |c| c.role == role)
    }

    /// How many controls were refuted.
    #[must_use]
    pub fn controls(&self) -> Controls {
        let refuted = self.with_role(Role::Control).filter(|c| c.verdict == Verdict::Fails).count();
        Controls { total: self.with_role(Role::Control).count(), refuted }
    }

    /// Checks other than controls whose verdict is not the expected one.
    pub fn regressions(&self) -> impl Iterator<Item = &CheckResult> {
        self.checks.iter().filter(|c| c.role != Role::Control && !c.as_expected())
    }

    /// Controls that were not refuted.
    pub fn survivors(&self) -> impl Iterator<Item = &CheckResult> {
        self.with_role(Role::Control).filter(|c| c.verdict != Verdict::Fails)
    }

    /// Series that could not be computed, each with the reason.
    pub fn missing_series(&self) -> impl Iterator<Item = (&str, &str)> {
        self.series.iter().filter_map(|s| Some((&*s.id, s.outcome.as_ref().err()?.as_str())))
    }

    /// Whether the claim has neither a part nor a sense, so that its headline says nothing: a fault of the catalogue.
    #[must_use]
    pub fn is_bare(&self) -> bool {
        self.with_role(Role::Part).next().is_none()
    }

    /// Whether the headline says something, every check came out as the catalogue expects, and every series could be computed.
    #[must_use]
    pub fn as_expected(&self) -> bool {
        !self.is_bare() && self.checks.iter().all(CheckResult::as_expected) && self.missing_series().next().is_none()
    }
}
