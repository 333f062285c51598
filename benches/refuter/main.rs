//! How much of what is false by a hair falls, how soon, and how often something true is said to be false (never).
//!
//! `cargo bench --bench refuter` prints the tables; `-- --seeds 20` takes other seeds, `-- --budget quick` another budget, `-- --list
//! second` the second list alone (or `first`, `third`, or `open`: three that are tried from two hundred seeds), `-- --only NAME` the statements
//! whose names contain that. `-- --shard 3/8` measures an eighth of it into `refuter-3-of-8.bin` of the folder at hand, for one of eight
//! machines; with the same other words and `-- --merge FILE…` in its place, the whole is put together. `-- --write` puts tables and picture into `docs/`, `-- --serve` answers questions for other programs (see
//! `benches/peers/refuter.py`).

mod instances;
mod measure;
mod picture;
mod serve;
mod shards;
mod statement;
mod statements;
mod table;

use std::collections::BTreeSet;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use cli::storage::shard::Shard;
use evidence::budget::Budget;

/// The names of the lists.
const LISTS: [&str; 4] = ["first", "second", "third", "open"];

/// What the command line asks for.
struct Wishes {
    seeds: u64,
    budget: Budget,
    only: Option<String>,
    list: Option<String>,
    shard: Option<Shard>,
    merge: Vec<PathBuf>,
}

fn wishes() -> Result<(Wishes, Vec<String>), String> {
    let mut wishes =
        Wishes { seeds: 10, budget: Budget::Standard, only: None, list: None, shard: None, merge: Vec::new() };
    let mut rest = Vec::new();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| format!("{word} wants a value"));
        match word.as_str() {
            "--seeds" => wishes.seeds = value()?.parse().map_err(|e| format!("--seeds: {e}"))?,
            "--budget" => wishes.budget = value()?.parse()?,
            "--only" => wishes.only = Some(value()?),
            "--list" => wishes.list = Some(list(value()?)?),
            "--shard" => wishes.shard = Some(value()?.parse()?),
            "--merge" => wishes.merge.extend(words.by_ref().map(PathBuf::from)),
            // What `cargo bench` says to every benchmark.
            "--bench" => {}
            _ => rest.push(word),
        }
    }
    Ok((wishes, rest))
}

/// The name of a list.
fn list(name: String) -> Result<String, String> {
    if LISTS.contains(&name.as_str()) {
        Ok(name)
    } else {
        Err(format!("unknown list \"{name}\": use one of {}", LISTS.join(", ")))
    }
}

/// The tables, and the picture of our curve beside those of other programs, on the first list.
fn write(tables: &[String; 4], rows: &[measure::Row]) -> Result<(), Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
    let fell: Vec<Option<usize>> = rows.iter().flat_map(|row| row.found.fell.iter().copied()).collect();
    let given = rows.iter().map(|row| row.found.most).max().unwrap_or(1);
    let ours = picture::Curve { name: "contrapositive".into(), fell, given };
    let mut curves = vec![ours];
    curves.extend(picture::peers(&folder.join("refuter-peers.csv"))?);
    let picture = picture::draw(&curves)?;
    let mut text = String::from(INTRODUCTION);
    // Ours at as many evaluations as the others were given: the same runs, cut short.
    let given: BTreeSet<usize> = curves[1..].iter().map(|curve| curve.given).collect();
    let cut = given.into_iter().map(|evaluations| (&curves[0], evaluations));
    for (curve, evaluations) in curves[1..].iter().map(|curve| (curve, curve.given)).chain(cut) {
        let refuted = curve.fell.iter().flatten().filter(|&&fell| fell <= evaluations).count();
        let runs = curve.fell.len();
        let share = 100.0 * refuted as f64 / runs.max(1) as f64;
        text += &format!("| {} | {evaluations} | {runs} | {share:.1} % |\n", curve.name);
    }
    let [first, second, third, open] = tables;
    text += &format!("\n## Results by class and statement\n\n{first}{SECOND}{second}{THIRD}{third}{OPEN}{open}");
    evidence::writing::write_together(&[(folder.join("refuter.svg"), picture), (folder.join("refuter.md"), text)])?;
    Ok(())
}

/// What stands above the table.
const INTRODUCTION: &str = "\
# The search on statements that are barely false

A hundred false statements and their true twins (`benches/refuter/statements`), each as a new user would state it: \
one type, at most one hypothesis,
numbers drawn uniformly from a box, no instance picked by hand. Each has a constant c, chosen so that it barely \
fails; its twin barely holds. The list was frozen before the search was tuned.
`cargo bench --bench refuter -- --write` writes this page, on one thread. Times depend on the machine, all other \
figures do not.
What the search adds to the claims of the catalogue, beyond the instances of their families, has a [page of its \
own](../verify/SEARCHED.md).

![share of runs refuted against evaluations](refuter.svg)

## Beside other programs, at equal numbers of evaluations

Measured by `benches/peers/refuter.py`, on the same boxes. Each program minimises the margin. Our own rows count the \
runs refuted within that many
evaluations, including the instances that a claim is tried on before the search starts.

| program | evaluations | runs | share refuted |
|---|---|---|---|
";

/// What stands above the table of the second list.
const SECOND: &str = "
## A second list

This list was written after the search had been tuned on the first one. Before any change made for it, 394 of 425 \
runs were refuted (five
seeds). It is frozen as well.

";

/// What stands above the table of the third list.
const THIRD: &str = "
## A third list

Instances in which no number can change alone: permutations, signs, orthonormal rows, doubly stochastic matrices, \
laws with locations. Before the
search had any move for them, 91 of 250 runs were refuted (ten seeds). The list is frozen as well.

";

/// What stands above the table of three statements.
const OPEN: &str = "
## Three statements from two hundred seeds

";

/// Statements that are tried from many seeds, and how many.
const TRIED_IN_THE_OPEN: ([&str; 3], u64) =
    (["refuter.product-of-six", "refuter.root-gap-as-written", "refuter.binary-divergence"], 200);

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
    let writes = rest.iter().any(|word| word == "--write");
    if writes && (wishes.list.is_some() || wishes.only.is_some()) {
        eprintln!("--write wants every statement of every list");
        return ExitCode::from(2);
    }
    if writes && wishes.shard.is_some() {
        eprintln!("--write wants a whole benchmark: --merge what the shards have written");
        return ExitCode::from(2);
    }
    let tasks = tasks(&wishes);
    let found = match found(&wishes, &tasks) {
        Ok(Some(found)) => found,
        Ok(None) => return ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(error.status() as u8);
        }
    };
    let mut rows: [Vec<measure::Row>; 4] = Default::default();
    for (task, found) in tasks.iter().zip(found) {
        rows[task.list].push(measure::Row::of(&task.statement, found));
    }
    let mut tables: [String; 4] = Default::default();
    for (number, table) in tables.iter_mut().enumerate() {
        let Some(task) = tasks.iter().find(|task| task.list == number) else {
            continue;
        };
        *table = table::table(&rows[number], wishes.budget, task.seeds);
        println!("{table}");
    }
    if writes && let Err(error) = write(&tables, &rows[0]) {
        eprintln!("{error}");
        return ExitCode::FAILURE;
    }
    if rows.iter().flatten().any(|row| row.found.alarms > 0) {
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// The statements that are asked for, list by list.
fn tasks(wishes: &Wishes) -> Vec<shards::Task> {
    let (three, many) = TRIED_IN_THE_OPEN;
    let mut lists = [
        (statements::all(), wishes.seeds),
        (statements::second::all(), wishes.seeds),
        (statements::third::all(), wishes.seeds),
        (statements::all(), many),
    ];
    lists[3].0.retain(|s| three.contains(&s.name));
    let is_wanted = |list: usize, name: &str| {
        wishes.list.as_ref().is_none_or(|wanted| wanted == LISTS[list])
            && wishes.only.as_ref().is_none_or(|part| name.contains(part.as_str()))
    };
    let mut tasks = Vec::new();
    for (list, (statements, seeds)) in lists.into_iter().enumerate() {
        let wanted = statements.into_iter().filter(|s| is_wanted(list, s.name));
        tasks.extend(wanted.map(|statement| shards::Task { list, statement, seeds }));
    }
    tasks
}

/// What came of the statements, measured here or by shards; nothing where one shard was asked for, which is a file.
fn found(wishes: &Wishes, tasks: &[shards::Task]) -> Result<Option<Vec<measure::Found>>, cli::Trouble> {
    if let Some(shard) = wishes.shard {
        let (number, of) = shard.parts();
        let path = PathBuf::from(format!("refuter-{number}-of-{of}.bin"));
        shards::one(tasks, wishes.budget, shard, &path)?;
        eprintln!("wrote {}", path.display());
        return Ok(None);
    }
    if wishes.merge.is_empty() {
        return Ok(Some(shards::all(tasks, wishes.budget)));
    }
    shards::merged(tasks, wishes.budget, &wishes.merge).map(Some)
}
