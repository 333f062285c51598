//! The instances of a setting in their fixed order, and every check on each.

use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use rayon::prelude::*;

use super::evaluate::evaluate;
use crate::budget::Budget;
use crate::claim::{AnySetting, FamilyKind, FamilySource, Subject};
use crate::run::context::{Context, Event};
use crate::verdict::Outcome;
use enclosures::stream;

/// An instance waiting to be tried, or the reason why it could not be made.
pub(crate) struct Candidate {
    pub(crate) family: FamilyKind,
    /// The smallest budget that draws it.
    pub(crate) since: Budget,
    pub(crate) name: String,
    pub(crate) instance: Result<Subject, String>,
}

impl Candidate {
    /// The instance, if it could be made.
    pub(crate) fn subject(&self) -> Option<&Subject> {
        self.instance.as_ref().ok()
    }
}

/// The instances among some candidates.
pub(crate) fn instances(candidates: &[Candidate]) -> Vec<&Subject> {
    candidates.iter().filter_map(|c| c.instance.as_ref().ok()).collect()
}

/// The outcomes of every check on every candidate.
pub(crate) fn try_all(setting: &AnySetting, candidates: &[Candidate], context: &Context<'_>) -> Vec<Vec<Outcome>> {
    let every: Vec<usize> = (0..setting.checks.len()).collect();
    candidates
        .par_iter()
        .map(|candidate| {
            let outcomes = match &candidate.instance {
                Err(message) => vec![Outcome::Failed { message: message.clone() }; every.len()],
                Ok(instance) => {
                    let mut trial = context.trial(&["trial", &candidate.name]);
                    evaluate(setting, &every, instance, &mut trial)
                }
            };
            context.observer.event(Event::Tried { trials: every.len() });
            outcomes
        })
        .collect()
}

/// Witnesses first, then edge and data instances, then random ones.
pub(crate) fn gather(setting: &AnySetting, context: &Context<'_>) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for check in &setting.checks {
        if let Some(witness) = context.witnesses.get(context.claim, check.id) {
            let instance = (setting.read)(&witness.instance)
                .map_err(|e| format!("stored witness {} is not an instance of this claim: {e}", witness.file_name()));
            let name = format!("witness of {}", check.id);
            candidates.push(Candidate { family: FamilyKind::Witness, since: Budget::Quick, name, instance });
        }
    }
    for family in &setting.families {
        match &family.source {
            FamilySource::Edge(list) | FamilySource::Outside(list) => {
                candidates.extend(list.instances().into_iter().map(|(name, instance)| Candidate {
                    family: family.source.kind(),
                    since: Budget::Quick,
                    name: format!("{}: {name}", family.name),
                    instance: Ok(instance),
                }))
            }
            FamilySource::Data(load) => match load(context.fixtures) {
                Ok(list) => candidates.extend(list.into_iter().map(|(name, instance)| Candidate {
                    family: FamilyKind::Data,
                    since: Budget::Quick,
                    name: format!("{}: {name}", family.name),
                    instance: Ok(instance),
                })),
                Err(error) => candidates.push(Candidate {
                    family: FamilyKind::Data,
                    since: Budget::Quick,
                    name: family.name.to_owned(),
                    instance: Err(error.to_string()),
                }),
            },
            FamilySource::Random { strategy, share } => {
                let draw = strategy();
                let drawn_by = |budget: Budget| (budget.random_trials() as f64 * share).ceil() as usize;
                let stages = context.budget.stages();
                candidates.extend((0..drawn_by(context.budget)).map(|number| {
                    let name = format!("{} #{number}", family.name);
                    let seed = stream::seed(context.seed, &[context.claim, "draw", &name]);
                    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
                    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
                    let instance = draw(&mut runner).map_err(|reason| format!("the strategy gave up: {reason}"));
                    let drawing = stages.iter().find(|stage| number < drawn_by(**stage));
                    Candidate {
                        family: FamilyKind::Random,
                        since: drawing.copied().unwrap_or(context.budget),
                        name,
                        instance,
                    }
                }));
            }
        }
    }
    candidates
}
