//! A claim: one numbered statement of one paper.

use std::ops::Deref;
use std::panic::Location;

use super::any_setting::AnySetting;
use super::check::{CheckInfo, Classification};
use super::head::{Head, Source, Symbol};
use super::kind::Kind;
use super::proof_result::ProofResult;
use super::series::{DeclaredSeries, Series};
use super::setting::Setting;
use super::theorem::Theorems;
use super::trial::{MeasureError, Trial};
use crate::headline::{Headline, Reading, Sense, headline};
use crate::instance::Instance;
use crate::role::Role;
use crate::verdict::Verdict;

/// One statement of one paper as an executable claim.
///
/// The id is `paper.name`. The claim's [headline](crate::headline) is computed from the parts of the senses that its printed words
/// allow; nobody chooses it.
///
/// ```
/// use contrapositive::claim::{Claim, Hypothesis, Kind, Setting, at_most, edge, fails, holds};
/// use contrapositive::enclosure::exact;
/// use contrapositive::instance::Instance;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Clone, Debug, Serialize, Deserialize)]
/// struct Point {
///     x: f64,
/// }
///
/// impl Instance for Point {
///     fn describe(&self) -> String {
///         format!("x = {}", self.x)
///     }
/// }
///
/// let claim = Claim::new("textbook.neglog", "Elementary logarithm inequality", Kind::Inequality)
///     .statement("-log(1 - x) <= x / (1 - x) for all 0 <= x < 1")
///     .source("an exercise", &[])
///     .setting(
///         Setting::measuring(|p: &Point, _| Ok(exact(p.x)))
///             .assume(Hypothesis::new("0 <= x < 1", |p| (0.0..1.0).contains(&p.x)))
///             .family(edge("named", || vec![("zero", Point { x: 0.0 }), ("half", Point { x: 0.5 })]))
///             .part("printed", "as stated", holds(), |_, &x| at_most(-(-x).ln_1p(), x / (1.0 - x)))
///             .control("a", "-log(1 - x) <= x", |_, &x| at_most(-(-x).ln_1p(), x)),
///     );
/// assert_eq!(claim.paper, "textbook");
/// ```
pub struct Claim {
    head: Head,
    senses: Vec<Sense>,
    settings: Vec<AnySetting>,
    series: Vec<DeclaredSeries>,
}

impl Deref for Claim {
    type Target = Head;

    fn deref(&self) -> &Head {
        &self.head
    }
}

impl Claim {
    /// A claim with its id (`paper.name`), a title of a few words, and its kind. The file that calls this is the claim's own.
    #[must_use]
    #[track_caller]
    pub fn new(id: &'static str, title: &'static str, kind: Kind) -> Self {
        let head = Head::new(id, title, kind, Location::caller().file());
        Claim { head, senses: Vec::new(), settings: Vec::new(), series: Vec::new() }
    }

    /// What its file says of it before the code, in CommonMark, behind `//!` on every line: why it is true or false, a proof. The
    /// [table of contents](crate::catalogue) of a paper hands it over; a page of the report shows it.
    #[must_use]
    pub fn prose(mut self, prose: &'static str) -> Self {
        self.head.prose = prose;
        self
    }

    /// Says in which file the claim stands, where it is not the one that calls [`Claim::new`]; empty where there is none to show.
    #[must_use]
    pub fn in_file(mut self, file: &'static str) -> Self {
        self.head.file = file;
        self
    }

    /// The statement in plain Unicode mathematics, as printed.
    #[must_use]
    pub fn statement(mut self, statement: &'static str) -> Self {
        self.head.statement = statement;
        self
    }

    /// Where it is printed: the number readers look for, and every other place and number.
    #[must_use]
    pub fn source(mut self, number: &'static str, also: &[&'static str]) -> Self {
        self.head.source = Some(Source { number, also: also.to_vec() });
        self
    }

    /// What the signs of the statement and of its checks stand for, printed with them: whoever copies a line of the report can
    /// compute it from there.
    #[must_use]
    pub fn symbols(mut self, symbols: impl IntoIterator<Item = Symbol>) -> Self {
        self.head.symbols.extend(symbols);
        self
    }

    /// What one more sign stands for.
    #[must_use]
    pub fn symbol(self, sign: &'static str, meaning: &'static str) -> Self {
        self.symbols([Symbol::new(sign, meaning)])
    }

    /// What the report should say beside the verdict: how a gap in the print was read, what the evidence does not cover, a
    /// proof of the amended form.
    #[must_use]
    pub fn remark(mut self, remark: &'static str) -> Self {
        self.head.remarks.push(remark);
        self
    }

    /// Names what the printed words speak of and its checks do not: the checks are about less than the statement. Theorems about all that the
    /// checks are about then say less than the statement, and a headline that passes does not get the grade `checked` from them.
    #[must_use]
    pub fn speaks_also_of(mut self, what: &'static str) -> Self {
        self.head.speaks_also_of = Some(what);
        self
    }

    /// Looks up the theorems that its checks cite. What the record does not have about a check settles nothing.
    #[must_use]
    pub fn with_record(mut self, record: &Theorems) -> Self {
        let id = self.head.id;
        self.settings.iter_mut().for_each(|setting| setting.look_up(record, id));
        self
    }

    /// Declares a sense of the printed words that consists of several parts, and says what this sense grants or supplies.
    #[must_use]
    pub fn sense(mut self, name: &'static str, words: &'static str) -> Self {
        self.senses.push(Sense { name, words });
        self
    }

    /// Marks the statement as reconstructed by us, because its source lost what is named here. Said wherever the verdict is shown;
    /// what fails is not held against the paper.
    #[must_use]
    pub fn reconstructed(mut self, lost: &'static str) -> Self {
        self.head.reconstructed = Some(lost);
        self
    }

    /// Adds a setting: a type of instance, with its hypotheses, families and checks. Most claims have one.
    #[must_use]
    pub fn setting<I: Instance, Q: 'static>(mut self, setting: Setting<I, Q>) -> Self {
        self.settings.push(*setting.any);
        self
    }

    /// Adds data for the report, such as the curves of a figure: a table that the run computes after the checks and writes
    /// below the caption. It judges nothing; what is said of the data belongs into a check. A table that cannot be computed
    /// makes the claim's result an unexpected one. The trial has a random stream of its own, and scales with the budget.
    ///
    /// ```
    /// use contrapositive::claim::{Claim, Kind, Series};
    ///
    /// let claim = Claim::new("textbook.squares", "squares", Kind::Observation).series("areas", "areas of small squares", |trial| {
    ///     let mut areas = Series::of([("side", "m"), ("area", "m²")]);
    ///     for side in 1..=trial.samples(4) {
    ///         areas.push([side.into(), (side * side).into()]);
    ///     }
    ///     Ok(areas)
    /// });
    /// assert_eq!(claim.id, "textbook.squares");
    /// ```
    #[must_use]
    pub fn series(
        mut self,
        id: &'static str,
        caption: &'static str,
        compute: impl Fn(&mut Trial) -> Result<Series, MeasureError> + Send + Sync + 'static,
    ) -> Self {
        self.series.push(DeclaredSeries { id, caption, compute: Box::new(compute) });
        self
    }

    /// Every check of every setting, in the order of declaration.
    #[must_use]
    pub fn checks(&self) -> Vec<CheckInfo> {
        self.settings.iter().flat_map(|s| s.checks()).collect()
    }

    /// Kind and name of every family.
    #[must_use]
    pub fn families(&self) -> Vec<(super::FamilyKind, &'static str)> {
        self.settings.iter().flat_map(|s| s.families()).collect()
    }

    /// The senses of the printed words, in the order of declaration; empty if there is one that needs no name.
    #[must_use]
    pub fn senses(&self) -> Vec<Sense> {
        let of_settings = self.settings.iter().flat_map(|s| s.senses.iter().copied());
        self.senses.iter().copied().chain(of_settings).collect()
    }

    /// The headline that the catalogue expects: the rule applied to what is expected of the readings.
    #[must_use]
    pub fn expected(&self) -> Headline {
        let readings: Vec<Reading> = self
            .checks()
            .iter()
            .filter_map(|check| reading(check.id, check.role, &check.classification, check.expectation.verdict))
            .collect();
        headline(&self.senses(), &readings)
    }

    /// Runs every proof by subdivision, without reference to any instance: the id of its check, and how it ended.
    #[must_use]
    pub fn prove(&self) -> Vec<(&'static str, ProofResult)> {
        self.settings.iter().flat_map(|s| s.prove()).collect()
    }

    /// The id and the caption of every series.
    #[must_use]
    pub(crate) fn captions(&self) -> Vec<(&'static str, &'static str)> {
        self.series.iter().map(|s| (s.id, s.caption)).collect()
    }

    pub(crate) fn declared_series(&self) -> &[DeclaredSeries] {
        &self.series
    }

    pub(crate) fn settings(&self) -> &[AnySetting] {
        &self.settings
    }
}

/// A check as the rule of the headline sees it; none for steps, controls, amendments and sharpenings.
pub(crate) fn reading(
    id: &'static str,
    role: Role,
    classification: &Classification,
    verdict: Verdict,
) -> Option<Reading> {
    role.is_reading().then(|| Reading {
        id,
        role,
        senses: classification.senses.clone(),
        left_out: classification.not_evidence.is_some() || classification.implied_by.is_some(),
        verdict,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_knows_its_paper_its_title_and_its_file() {
        let claim = Claim::new("wang2020.thm-1", "alignment and uniformity", Kind::Asymptotic);
        assert_eq!(claim.paper, "wang2020");
        assert_eq!(claim.title, "alignment and uniformity");
        assert!(claim.file.ends_with("claim/claims.rs"), "{}", claim.file);
        assert_eq!(Claim::new("alone", "", Kind::Inequality).paper, "alone");
    }
}
