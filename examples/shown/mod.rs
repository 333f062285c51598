//! What the examples print: one line per check, and the instance that refutes it.

use contrapositive::prelude::*;

/// Tries a claim at the budget of seconds and prints what the evidence says of each of its checks.
pub fn try_and_print(claim: &Claim) {
    let plan = Plan {
        seed: 1,
        budget: Budget::Quick,
    };
    let fixtures = Fixtures::at("fixtures");
    let done = run(&[claim], plan, &fixtures, &WitnessStore::default(), &Silent);
    for result in &done.claims {
        println!("{}\n{}: {}\n", result.title, result.statement, result.verdict());
        for check in &result.checks {
            let grade = check.grade.map_or(String::new(), |grade| format!(" ({grade})"));
            println!(
                "{} {}: {}{grade}\n    {}",
                check.role, check.id, check.verdict, check.statement
            );
            if let Some(witness) = &check.witness {
                println!("    refuted by {}", witness.description);
            } else if let Some(tightest) = &check.tightest {
                let c = &tightest.comparison;
                println!(
                    "    closest at {}: {} {} {}",
                    tightest.instance, c.lhs, c.relation, c.rhs
                );
            }
            if let Some(note) = check.tightest.as_ref().and_then(|t| t.comparison.note.as_ref()) {
                println!("    {note}");
            }
        }
    }
}
