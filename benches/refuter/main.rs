//! How much of what is false by a hair falls, how soon, and how often something true is said to be false (never).
//!
//! `cargo bench --bench refuter` prints the table; `-- --seeds 20` takes other seeds, `-- --budget quick` another budget, `-- --write`
//! puts table and picture into `docs/`, `-- --serve` answers questions for other programs (see `benches/peers/refuter.py`).

mod instances;
mod measure;
mod picture;
mod serve;
mod statement;
mod statements;
mod table;

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use evidence::budget::Budget;

/// What the command line asks for.
struct Wishes {
    seeds: u64,
    budget: Budget,
    only: Option<String>,
}

fn wishes() -> Result<(Wishes, Vec<String>), String> {
    let mut wishes = Wishes {
        seeds: 10,
        budget: Budget::Standard,
        only: None,
    };
    let mut rest = Vec::new();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} wants a value"));
        match word.as_str() {
            "--seeds" => wishes.seeds = value()?.parse().map_err(|e| format!("--seeds: {e}"))?,
            "--budget" => wishes.budget = value()?.parse()?,
            "--only" => wishes.only = Some(value()?),
            // What `cargo bench` says to every benchmark.
            "--bench" => {}
            _ => rest.push(word),
        }
    }
    Ok((wishes, rest))
}

/// The table, and the picture of our curve beside those of other programs.
fn write(table: &str, rows: &[measure::Row]) -> Result<(), Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let fell: Vec<Option<usize>> = rows.iter().flat_map(|row| row.fell.iter().copied()).collect();
    let given = rows.iter().map(|row| row.most).max().unwrap_or(1);
    let ours = picture::Curve {
        name: "contrapositive".into(),
        fell,
        given,
    };
    let mut curves = vec![ours];
    curves.extend(picture::peers(&folder.join("refuter-peers.csv"))?);
    picture::draw(&curves, &folder.join("refuter.svg"))?;
    let mut text = String::from(INTRODUCTION);
    for curve in &curves[1..] {
        let refuted = curve.fell.iter().flatten().count();
        let share = 100.0 * refuted as f64 / curve.fell.len().max(1) as f64;
        text += &format!(
            "| {} | {} | {} | {share:.1} % |\n",
            curve.name,
            curve.given,
            curve.fell.len()
        );
    }
    text += "\n## This search\n\n";
    text += table;
    std::fs::write(folder.join("refuter.md"), text)?;
    Ok(())
}

/// What stands above the table.
const INTRODUCTION: &str = "\
# The refuter on statements that are false by a hair

A hundred statements and their true twins (`benches/refuter/statements`), each as a stranger hands it in: one type, at most one hypothesis,
numbers drawn uniformly from a box, no instance picked by hand. The list was frozen before the search was tuned. Written by
`cargo bench --bench refuter -- --write`, on one thread; times depend on the machine, all other figures do not.

![share of runs refuted against evaluations](refuter.svg)

## Other programs at the same statements

By `benches/peers/refuter.py`, from the same boxes, with the margin as the quantity to be made small.

| program | evaluations | runs | share refuted |
|---|---|---|---|
";

fn main() -> ExitCode {
    let (wishes, rest) = match wishes() {
        Ok(wishes) => wishes,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    if rest.iter().any(|word| word == "--serve") {
        return serve::serve(&mut std::io::stdin().lock(), &mut std::io::stdout().lock());
    }
    let chosen = |s: &statement::Statement| wishes.only.as_ref().is_none_or(|part| s.name.contains(part.as_str()));
    let statements: Vec<_> = statements::all().into_iter().filter(chosen).collect();
    let rows = measure::measure(&statements, wishes.budget, wishes.seeds);
    let table = table::table(&rows, wishes.budget, wishes.seeds);
    print!("{table}");
    if rest.iter().any(|word| word == "--write")
        && let Err(error) = write(&table, &rows)
    {
        eprintln!("{error}");
        return ExitCode::FAILURE;
    }
    if rows.iter().any(|row| row.alarms > 0) {
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
