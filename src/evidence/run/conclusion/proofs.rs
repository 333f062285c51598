//! The proofs of a check: run, tied to the instances of the statement, and turned into witnesses where they refute.

use crate::claim::{AnySetting, Place, ProofResult, Reduction, Subject};
use crate::judge::Judgement;
use crate::run::context::{Context, Event};
use crate::run::trials::evaluate;
use crate::verdict::Outcome;
use enclosures::proof::CoverResult;

/// The proofs of one check, and whether together they speak of every judged instance of its families.
pub(crate) struct Proofs {
    pub(crate) results: Vec<ProofResult>,
    /// Whether every judged instance lies in the domain of a proof that succeeded.
    pub(crate) everywhere: bool,
}

impl Proofs {
    /// Runs the proofs; `judged` are the instances of the families with their outcomes.
    pub(crate) fn run<'a>(
        reductions: &[Box<dyn Reduction>],
        judged: impl Iterator<Item = (&'a str, &'a Subject, &'a Outcome)>,
    ) -> Self {
        let mut results: Vec<ProofResult> = reductions.iter().map(|r| ProofResult::alone(r.as_ref())).collect();
        let mut placed: Vec<Vec<usize>> = Vec::new();
        for (name, instance, outcome) in judged {
            let Outcome::Judged { comparison, .. } = outcome else {
                continue;
            };
            let mut within = Vec::new();
            for (number, (reduction, result)) in reductions.iter().zip(&mut results).enumerate() {
                match reduction.place(instance, comparison) {
                    Place::Outside => continue,
                    Place::Inside => {}
                    Place::Contradicts(how) => {
                        result.contradiction.get_or_insert_with(|| format!("{name}: {how}"));
                    }
                }
                result.inside += 1;
                within.push(number);
            }
            placed.push(within);
        }
        let covered = |within: &Vec<usize>| within.iter().any(|&number| results[number].succeeded());
        let everywhere = !placed.is_empty() && placed.iter().all(covered);
        Proofs { results, everywhere }
    }
}

/// The instances at the points where proofs of a check were refuted, judged by the check itself.
pub(crate) fn refuting(
    setting: &AnySetting,
    check: usize,
    proofs: &mut Proofs,
    context: &Context<'_>,
) -> Vec<(String, Subject, Outcome)> {
    let mut found = Vec::new();
    let reductions = &setting.checks[check].proofs;
    for (number, (reduction, result)) in reductions.iter().zip(&mut proofs.results).enumerate() {
        let CoverResult::Refuted { point, .. } = &result.conclusion.outcome else {
            continue;
        };
        let Some(instance) = reduction.instance(point) else {
            continue;
        };
        let name = format!("where proof {} is refuted", number + 1);
        let mut trial = context.trial(&["proof", setting.checks[check].id, &name]);
        let outcome = evaluate(setting, &[check], &instance, &mut trial).swap_remove(0);
        context.observer.event(Event::Tried { trials: 1 });
        let violated = matches!(outcome, Outcome::Judged { judgement: Judgement::Violated, .. });
        if !violated {
            result
                .contradiction
                .get_or_insert_with(|| format!("{name}: the check does not fail at {}", instance.describe()));
        }
        found.push((name, instance, outcome));
    }
    found
}
