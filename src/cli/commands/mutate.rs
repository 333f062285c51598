//! `mutate`: stronger statements, tried on the families of the catalogue.

use enclosures::enclosure::plain;
use evidence::claim::Claim;
use evidence::run::{self, CheckMutants, Context, Fate, Mutation, Plan, Silent, WitnessStore};
use serde_json::{Value, json};

use crate::catalogue::Catalogue;
use crate::outcome::status::{Status, Trouble};
use crate::report::stopped::Stopped;
use crate::terminal::console::say;
use crate::terminal::progress::Progress;
use crate::words::arguments::{Mutate, TableFormat};
use crate::words::select::select;

/// Prints one line for each check that is expected to hold. Survivors are information, not errors: the status
/// is 0 unless a damaged witness kept a claim from being tried.
pub fn mutate(catalogue: &Catalogue, options: &Mutate) -> Result<Status, Trouble> {
    let claims = catalogue.claims();
    let chosen = select(claims, &options.selection)?;
    let fixtures = catalogue.fixtures(options.fixtures.as_ref())?;
    let witnesses = WitnessStore::load(&fixtures.path("witnesses"))?;
    let plan = Plan { seed: options.seed, budget: options.budget };
    catalogue.examine(&fixtures)?;
    let stopped = Stopped::of(&chosen, &witnesses, catalogue);
    let context = Context {
        seed: plan.seed,
        budget: plan.budget,
        fixtures: &fixtures,
        witnesses: &witnesses,
        observer: &Silent,
        claim: "",
    };
    let judged: Vec<&Claim> = chosen.into_iter().filter(|c| stopped.lets(c, &context)).collect();
    let claims = judged.iter().map(|claim| (claim.id, None));
    let progress = Progress::of(claims, 0, rayon::current_num_threads(), false);
    let mut checks = run::mutate(&judged, plan, &fixtures, &witnesses, &progress);
    progress.finish();
    let summary = Summary::of(&checks);
    if options.survivors {
        checks.retain(|check| check.survivors().next().is_some());
    }
    match options.format {
        TableFormat::Markdown => table(&checks, &summary)?,
        TableFormat::Json => say!("{:#}", as_json(&checks, &summary, plan))?,
    }
    stopped.tell();
    Ok(if stopped.is_empty() { Status::AsExpected } else { Status::Usage })
}

/// How many mutants of each kind were tried and survived.
struct Summary(Vec<(String, usize, usize)>);

impl Summary {
    fn of(checks: &[CheckMutants]) -> Self {
        let mut kinds: Vec<(String, usize, usize)> = Vec::new();
        for check in checks {
            for (mutation, fate) in check.mutants.iter().filter(|(_, fate)| *fate != Fate::Equivalent) {
                let name = kind(check, *mutation);
                let at = kinds.iter().position(|(n, ..)| *n == name).unwrap_or_else(|| {
                    kinds.push((name, 0, 0));
                    kinds.len() - 1
                });
                kinds[at].1 += 1;
                kinds[at].2 += usize::from(*fate == Fate::Survived);
            }
        }
        Summary(kinds)
    }
}

fn kind(check: &CheckMutants, mutation: Mutation) -> String {
    let of = if check.relation == Some(evidence::claim::Relation::Equal) { "identities" } else { "inequalities" };
    format!("{of}, {}", name(mutation))
}

fn name(mutation: Mutation) -> String {
    match mutation {
        Mutation::Scaled(factor) => format!("× {factor}"),
        Mutation::Swapped => "swapped".into(),
    }
}

fn table(checks: &[CheckMutants], summary: &Summary) -> Result<(), Trouble> {
    say!("| check | part | relation | instances | least slack | killed | survived |\n|---|---|---|---|---|---|---|")?;
    for check in checks {
        let with = |survived: bool| -> String {
            let chosen = check.mutants.iter().filter(|(_, fate)| match fate {
                Fate::Killed { .. } => !survived,
                Fate::Survived => survived,
                Fate::Equivalent => false,
            });
            chosen.map(|(mutation, _)| name(*mutation)).collect::<Vec<_>>().join(", ")
        };
        say!(
            "| {} {} | {} | {} | {} | {} | {} | {} |",
            check.claim,
            check.check,
            check.role,
            check.relation.map_or(String::new(), |r| r.to_string()),
            check.judged,
            check.slack.map_or(String::new(), |s| plain(s, 2)),
            with(false),
            with(true),
        )?;
    }
    say!("\n| mutants | tried | survived |\n|---|---|---|")?;
    for (name, tried, survived) in &summary.0 {
        say!("| {name} | {tried} | {survived} |")?;
    }
    Ok(())
}

fn as_json(checks: &[CheckMutants], summary: &Summary, plan: Plan) -> Value {
    let mutant = |(mutation, fate): &(Mutation, Fate)| {
        let (fate, by) = match fate {
            Fate::Killed { by } => ("killed", Some(by)),
            Fate::Survived => ("survived", None),
            Fate::Equivalent => ("equivalent", None),
        };
        let factor = match mutation {
            Mutation::Scaled(factor) => Some(factor),
            Mutation::Swapped => None,
        };
        json!({"mutation": name(*mutation), "factor": factor, "fate": fate, "by": by})
    };
    let check = |c: &CheckMutants| {
        json!({
            "claim": c.claim,
            "check": c.check,
            "role": c.role.to_string(),
            "statement": c.statement,
            "relation": c.relation.map(|r| r.to_string()),
            "instances": c.judged,
            "slack": c.slack.filter(|s| s.is_finite()),
            "mutants": c.mutants.iter().map(mutant).collect::<Vec<_>>(),
        })
    };
    let kinds = summary.0.iter();
    json!({
        "schema": 1,
        "seed": plan.seed,
        "budget": plan.budget.to_string(),
        "summary": kinds.map(|(n, tried, survived)| json!({"mutants": n, "tried": tried, "survived": survived})).collect::<Vec<_>>(),
        "checks": checks.iter().map(check).collect::<Vec<_>>(),
    })
}
