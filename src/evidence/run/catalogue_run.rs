//! Running a list of claims.

use rayon::prelude::*;

use super::admission;
use super::candidates::{Candidate, gather, instances};
use super::hypotheses::{Leaving, drop_hypotheses, share_counterexamples};
use super::rejudge::rejudge;
use super::series::tabulate;
use super::setting_run::run_setting;
use super::{
    CheckResult, Context, Dropped, Event, Ledger, Observer, Reach, SeriesResult, Weakness, Witness, WitnessStore,
};
use crate::budget::Budget;
use crate::claim::{AnySetting, Claim, Fixtures, Kind, Role, Source, Symbol, reading};
use crate::headline::{Headline, Reading, Sense, headline};
use crate::verdict::Verdict;
use enclosures::enclosure::Grade;

/// What to run and how much to spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Master seed of every random stream.
    pub seed: u64,
    /// Size of the run.
    pub budget: Budget,
}

/// Controls of a claim: how many there are, and how many were refuted as they must be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Controls {
    /// All controls.
    pub total: usize,
    /// Those refuted.
    pub refuted: usize,
}

/// The evidence on one claim.
#[derive(Clone, Debug)]
pub struct ClaimResult {
    /// The claim's id.
    pub id: &'static str,
    /// The paper.
    pub paper: &'static str,
    /// Title.
    pub title: &'static str,
    /// Kind of statement.
    pub kind: Kind,
    /// The statement as printed.
    pub statement: &'static str,
    /// Where it is printed.
    pub source: Option<Source>,
    /// The file in which the claim stands.
    pub file: &'static str,
    /// What that file says of it before the code, as it stands there.
    pub prose: &'static str,
    /// Hypotheses that no instance of the families misses: a fault of the catalogue.
    pub unmissed: Vec<&'static str>,
    /// What the instances of each setting reach, and the ids of its checks.
    pub reach: Vec<(Vec<&'static str>, Reach)>,
    /// What the signs of its statement and checks stand for.
    pub symbols: Vec<Symbol>,
    /// What the report should say beside the verdict.
    pub remarks: Vec<&'static str>,
    /// What the source lost, if the statement was reconstructed by us.
    pub reconstructed: Option<&'static str>,
    /// The senses of the printed words.
    pub senses: Vec<Sense>,
    /// The headline that the catalogue expects.
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

impl ClaimResult {
    /// What the claim itself says, before any evidence.
    pub(super) fn declared(claim: &Claim) -> Self {
        ClaimResult {
            id: claim.id(),
            paper: claim.paper(),
            title: claim.title(),
            kind: claim.kind(),
            statement: claim.printed(),
            source: claim.printed_at().cloned(),
            file: claim.file(),
            prose: claim.told(),
            symbols: claim.signs().to_vec(),
            unmissed: Vec::new(),
            reach: Vec::new(),
            remarks: claim.remarks().to_vec(),
            reconstructed: claim.lost(),
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

    /// The grade of what the evidence says of a check.
    #[must_use]
    pub fn grade_of(&self, check: &str) -> Option<Grade> {
        self.checks.iter().find(|c| c.id == check)?.grade
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
    pub fn missing_series(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.series.iter().filter_map(|s| Some((s.id, s.outcome.as_ref().err()?.as_str())))
    }

    /// Whether every check came out as the catalogue expects, and every series could be computed.
    #[must_use]
    pub fn as_expected(&self) -> bool {
        self.checks.iter().all(CheckResult::as_expected) && self.missing_series().next().is_none()
    }
}

/// The evidence on a list of claims.
#[derive(Clone, Debug)]
pub struct Run {
    /// Seed and budget.
    pub plan: Plan,
    /// One result per claim, in the order given.
    pub claims: Vec<ClaimResult>,
}

/// Runs claims on the current thread pool. The result does not depend on the number of threads, on the order in which
/// claims finish, or on which other claims run.
#[must_use]
pub fn run(
    claims: &[&Claim],
    plan: Plan,
    fixtures: &Fixtures,
    witnesses: &WitnessStore,
    observer: &dyn Observer,
) -> Run {
    Run {
        plan,
        claims: (claims.par_iter()).map(|claim| run_claim(claim, plan, fixtures, witnesses, observer)).collect(),
    }
}

/// Runs one claim, as [`run`] does.
#[must_use]
pub fn run_claim(
    claim: &Claim,
    plan: Plan,
    fixtures: &Fixtures,
    witnesses: &WitnessStore,
    observer: &dyn Observer,
) -> ClaimResult {
    observer.event(Event::Started { claim: claim.id().into() });
    let context = Context { seed: plan.seed, budget: plan.budget, fixtures, witnesses, observer, claim: claim.id() };
    let (mut checks, mut leaving, mut ledgers) = (Vec::new(), Vec::new(), Vec::new());
    let (mut unmissed, mut reach) = (Vec::new(), Vec::new());
    let gathered: Vec<Vec<Candidate>> = claim.settings().iter().map(|s| gather(s, &context)).collect();
    for (setting, candidates) in claim.settings().iter().zip(&gathered) {
        let result = run_setting(setting, candidates, &context);
        // What is tried without a hypothesis: its own instances first, then those of the claim's other settings of the same type.
        let others =
            claim.settings().iter().zip(&gathered).filter(|(s, _)| s.of == setting.of && !std::ptr::eq(*s, setting));
        let mut tried = instances(candidates);
        tried.extend(others.flat_map(|(_, more)| instances(more)));
        let verdicts: Vec<Verdict> = result.checks.iter().map(|c| c.verdict).collect();
        leaving.extend(drop_hypotheses(setting, &verdicts, &tried, &context));
        reach.push((result.checks.iter().map(|c| c.id).collect(), result.reach));
        checks.extend(result.checks);
        unmissed.extend(result.unmissed);
        ledgers.extend(result.ledgers);
    }
    share_counterexamples(&mut leaving, &context);
    excuse_tested(&mut checks);
    let result = ClaimResult {
        unmissed,
        reach,
        checks,
        dropped: leaving.into_iter().map(Leaving::told).collect(),
        ledgers,
        series: tabulate(claim, &context),
        ..ClaimResult::declared(claim)
    };
    claim.settings().iter().for_each(AnySetting::forget);
    let (verdict, as_expected) = (result.verdict(), result.as_expected());
    observer.event(Event::Finished { claim: claim.id().into(), verdict, as_expected });
    result
}

/// A check that compares no numbers cannot be moved by a factor; its power is that of the control it names, if that one is refuted.
fn excuse_tested(checks: &mut [CheckResult]) {
    let refuted: Vec<&'static str> =
        checks.iter().filter(|c| c.role == Role::Control && c.verdict == Verdict::Fails).map(|c| c.id).collect();
    for check in checks.iter_mut() {
        if check.classification.tested_by.is_some_and(|control| refuted.contains(&control)) {
            check.weaknesses.retain(|w| *w != Weakness::Unmoved);
        }
    }
}

impl Claim {
    /// Re-judges a stored instance under one check.
    ///
    /// # Errors
    /// The check does not exist, or the value is not a valid instance of its setting, or one of a size far beyond all instances of
    /// its families.
    pub fn rejudge(
        &self,
        check: &str,
        instance: &serde_json::Value,
        context: &Context<'_>,
    ) -> Result<super::Rejudged, String> {
        rejudge(self.setting_of(check)?, check, instance, context)
    }

    /// Whether a stored witness of this claim can be judged: its check exists, and its instances are valid ones of bearable size.
    ///
    /// # Errors
    /// Why it cannot, in a lower-case fragment.
    pub fn admit(&self, witness: &Witness, context: &Context<'_>) -> Result<(), String> {
        let setting = self.setting_of(&witness.check)?;
        let second = witness.convincing.iter().map(|c| &c.instance);
        for instance in std::iter::once(&witness.instance).chain(second) {
            admission::read(setting, instance, context)?;
        }
        Ok(())
    }

    fn setting_of(&self, check: &str) -> Result<&AnySetting, String> {
        let mut settings = self.settings().iter();
        let setting = settings.find(|s| s.checks.iter().any(|c| c.id == check));
        setting.ok_or_else(|| format!("claim {} has no check {check:?}", self.id()))
    }
}
