//! `explain`: the page of a claim on the terminal, or the claim as JSON, with evidence from a run at hand.

use evidence::claim::Claim;
use evidence::report::{self, Register};
use evidence::run::{Plan, Run, Silent, WitnessStore, run_claim};
use pages::page::{Block, Item, Section};

use crate::catalogue::Catalogue;
use crate::outcome::status::{Status, Trouble};
use crate::report::finish::facts;
use crate::terminal::console::{print_styled, say, tell};
use crate::terminal::page::{Look, shown};
use crate::words::arguments::{Explain, Selection, TextFormat};
use crate::words::seed::DEFAULT_SEED;
use crate::words::select::select;

/// Runs the claim at the budget asked for and prints its page, or what a report in JSON says of it.
pub fn explain(catalogue: &Catalogue, options: &Explain) -> Result<Status, Trouble> {
    let claims = catalogue.claims();
    let selection = Selection { ids: vec![options.id.clone()], ..Selection::default() };
    let chosen = select(claims, &selection)?;
    let fixtures = catalogue.fixtures_to_read(options.fixtures.as_ref())?;
    let witnesses = WitnessStore::load(&fixtures.path("witnesses"))?;
    let plan = Plan { seed: DEFAULT_SEED, budget: options.budget };
    let one = |claim: &Claim| {
        tell!("{} at the {} budget:", claim.id, plan.budget);
        run_claim(claim, plan, &fixtures, &witnesses, &Silent)
    };
    if options.format == TextFormat::Json {
        let claims = chosen.into_iter().map(one).collect();
        // Without the statements that were not asked for.
        let nothing_else = Register { papers: Vec::new() };
        say!("{:#}", report::json(&Run { plan, claims }, &nothing_else, &facts(catalogue, &fixtures)?))?;
        return Ok(Status::AsExpected);
    }
    if options.latex {
        let run = Run { plan, claims: chosen.into_iter().map(one).collect() };
        let shown: Vec<_> = run.claims.iter().map(|claim| pages::claim_page(claim, &run, catalogue.notes())).collect();
        say!("{}", pages::document_in_latex(&shown))?;
        return Ok(Status::AsExpected);
    }
    let look = Look::of_output(options.all);
    for (at, claim) in chosen.into_iter().enumerate() {
        if at > 0 {
            say!("")?;
        }
        let claims = vec![one(claim)];
        let run = Run { plan, claims };
        let mut page = pages::claim_page(&run.claims[0], &run, catalogue.notes());
        page.sections.extend(families(claim));
        print_styled(&shown(&page, look))?;
    }
    Ok(Status::AsExpected)
}

/// Where the instances of a claim come from.
fn families(claim: &Claim) -> Option<Section> {
    let named = claim.families().into_iter().map(|(kind, name)| format!("{name} ({kind})"));
    let others = ["stored witnesses", "adversarial search"].map(str::to_owned);
    let items = named.chain(others).map(Item::from).collect();
    Section::of("Families", vec![Block::Items(items)])
}
