//! Mutants of a catalogue: every statement that is expected to hold made stronger by a stated factor, or turned round, and tried on
//! its own families. A mutant that survives is either true, and then the statement has room to spare, or the families are too weak to tell.

use rayon::prelude::*;

use super::fate::{Fate, is_identity, mutants, slack};
use crate::claim::{AnySetting, Claim, Comparison, Fixtures, Relation, Role};
use crate::run::context::{Context, Event, Observer, Plan};
use crate::run::trials::{Mutation, gather, try_all};
use crate::run::witness::WitnessStore;
use crate::verdict::{Outcome, Verdict};

/// The mutants of one check.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckMutants {
    /// The claim's id.
    pub claim: &'static str,
    /// The check's id.
    pub check: &'static str,
    /// Its part in the claim.
    pub role: Role,
    /// What it compares.
    pub statement: &'static str,
    /// The relation it asserts, equality if it asserts several and that is one of them; none if no instance was judged.
    pub relation: Option<Relation>,
    /// Instances of the families that were judged.
    pub judged: usize,
    /// The least room that an instance leaves an inequality, as a fraction of its scale; instances on which both sides vanish do
    /// not count. None for identities.
    pub slack: Option<f64>,
    /// Every mutant and what became of it.
    pub mutants: Vec<(Mutation, Fate)>,
}

impl CheckMutants {
    /// Mutants that no instance violates.
    pub fn survivors(&self) -> impl Iterator<Item = Mutation> {
        let survived = |(m, fate): &(Mutation, Fate)| (*fate == Fate::Survived).then_some(*m);
        self.mutants.iter().filter_map(survived)
    }
}

/// Tries the mutants of every check that is expected to hold, controls aside.
#[must_use]
pub fn mutate(
    claims: &[&Claim],
    plan: Plan,
    fixtures: &Fixtures,
    witnesses: &WitnessStore,
    observer: &dyn Observer,
) -> Vec<CheckMutants> {
    let of = |claim: &&Claim| -> Vec<CheckMutants> {
        observer.event(Event::Started { claim: claim.id.into() });
        let context = Context { seed: plan.seed, budget: plan.budget, fixtures, witnesses, observer, claim: claim.id };
        let found: Vec<CheckMutants> =
            claim.settings().iter().flat_map(|s| mutate_setting(s, claim.id, &context)).collect();
        observer.event(Event::Mutated {
            claim: claim.id.into(),
            mutants: found.iter().map(|check| check.mutants.len()).sum(),
            survivors: found.iter().map(|check| check.survivors().count()).sum(),
        });
        found
    };
    claims.par_iter().flat_map_iter(of).collect()
}

/// The mutants of one setting's checks.
fn mutate_setting(setting: &AnySetting, claim: &'static str, context: &Context<'_>) -> Vec<CheckMutants> {
    let candidates = gather(setting, context);
    let rows = try_all(setting, &candidates, context);
    let expected = |(_, check): &(usize, &crate::claim::Check)| {
        check.role != Role::Control && check.expectation.verdict == Verdict::Holds
    };
    let checks = setting.checks.iter().enumerate().filter(expected);
    checks
        .map(|(at, check)| {
            let comparisons: Vec<(&str, &Comparison)> = candidates
                .iter()
                .zip(&rows)
                .filter_map(|(candidate, row)| match &row[at] {
                    Outcome::Judged { comparison, .. } => Some((candidate.name.as_str(), &**comparison)),
                    _ => None,
                })
                .collect();
            CheckMutants {
                claim,
                check: check.id,
                role: check.role,
                statement: check.statement,
                relation: if is_identity(&comparisons) {
                    Some(Relation::Equal)
                } else {
                    comparisons.first().map(|(_, c)| c.relation)
                },
                judged: comparisons.len(),
                slack: slack(&comparisons),
                mutants: mutants(&comparisons),
            }
        })
        .collect()
}
