//! `explain`: the page of a claim on the terminal, with evidence from a run at hand.

use evidence::claim::Claim;
use evidence::run::{Plan, Run, Silent, WitnessStore, run_claim};
use pages::page::{Block, Item, Section};

use super::arguments::{Explain, Selection};
use super::catalogue::Catalogue;
use super::console::{print_styled, say, tell};
use super::seed::DEFAULT_SEED;
use super::select::select;
use super::status::{Status, Trouble};
use super::terminal::{Look, shown};

/// Runs the claim at the budget asked for and prints its page.
pub fn explain(catalogue: &Catalogue, options: &Explain) -> Result<Status, Trouble> {
    let claims = catalogue.claims();
    let selection = Selection {
        ids: vec![options.id.clone()],
        ..Selection::default()
    };
    let chosen = select(claims, &selection)?;
    let fixtures = catalogue.fixtures(options.fixtures.as_ref())?;
    let witnesses = WitnessStore::load(&fixtures.path("witnesses"))?;
    let plan = Plan {
        seed: DEFAULT_SEED,
        budget: options.budget,
    };
    let look = Look::of_output(options.all);
    for (at, claim) in chosen.into_iter().enumerate() {
        if at > 0 {
            say!("")?;
        }
        tell!("{} at the {} budget:", claim.id(), plan.budget);
        let claims = vec![run_claim(claim, plan, &fixtures, &witnesses, &Silent)];
        let run = Run { plan, claims };
        let mut page = pages::claim_page(&run.claims[0], &run, catalogue.notes());
        page.sections.extend(families(claim));
        print_styled(&shown(&page, look))?;
    }
    Ok(Status::AsExpected)
}

/// Where the instances of a claim come from.
fn families(claim: &Claim) -> Option<Section> {
    let named = claim
        .families()
        .into_iter()
        .map(|(kind, name)| format!("{name} ({kind})"));
    let others = ["stored witnesses", "adversarial search"].map(str::to_owned);
    let items = named.chain(others).map(Item::from).collect();
    Section::of("Families", vec![Block::Items(items)])
}
