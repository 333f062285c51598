//! The benchmark over many machines: what one of them has measured as a file, and a whole put together from such files. Times are those of
//! whoever measured them; everything else is the same wherever it is computed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cli::storage::sealed;
use cli::storage::shard::Shard;
use cli::{MergeError, Trouble};
use evidence::budget::Budget;
use serde::{Deserialize, Serialize};

use crate::measure::{Found, measure};
use crate::statement::Statement;

const HEADING: &[u8] = b"contrapositive refuter shard 1\n";

/// A statement of one of the lists, and from how many seeds it is tried.
pub struct Task {
    pub list: usize,
    pub statement: Statement,
    pub seeds: u64,
}

/// The list and the name.
type Key = (usize, String);

impl Task {
    fn key(&self) -> Key {
        (self.list, self.statement.name.to_owned())
    }
}

/// What is measured, the same for all shards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Circumstances {
    program: String,
    budget: String,
    tasks: Vec<(Key, u64)>,
}

impl Circumstances {
    fn of(tasks: &[Task], budget: Budget) -> Result<Self, Trouble> {
        Ok(Circumstances {
            program: sealed::program()?,
            budget: budget.to_string(),
            tasks: tasks.iter().map(|task| (task.key(), task.seeds)).collect(),
        })
    }
}

/// What one shard has measured.
#[derive(Debug, Serialize, Deserialize)]
struct Portion {
    circumstances: Circumstances,
    shard: (u32, u32),
    found: Vec<(Key, Found)>,
}

/// Measures every statement.
pub fn all(tasks: &[Task], budget: Budget) -> Vec<Found> {
    let measured = tasks.iter().map(|task| measure(&task.statement, budget, task.seeds));
    measured.collect()
}

/// Measures the statements whose turn it is in a shard, and writes what was found to a file.
pub fn one(tasks: &[Task], budget: Budget, shard: Shard, path: &Path) -> Result<(), Trouble> {
    let (number, of) = shard.parts();
    let circumstances = Circumstances::of(tasks, budget)?;
    let mine = tasks.iter().skip(number as usize - 1).step_by(of as usize);
    let found = mine.map(|task| (task.key(), measure(&task.statement, budget, task.seeds)));
    let portion = Portion { circumstances, shard: (number, of), found: found.collect() };
    sealed::save(HEADING, path, &portion)
}

/// What all shards have found, in the order of the tasks.
pub fn merged(tasks: &[Task], budget: Budget, paths: &[PathBuf]) -> Result<Vec<Found>, Trouble> {
    let here = Circumstances::of(tasks, budget)?;
    let mut seen: BTreeMap<(u32, u32), &PathBuf> = BTreeMap::new();
    let mut found: BTreeMap<Key, Found> = BTreeMap::new();
    for path in paths {
        let portion: Portion = sealed::load(HEADING, path)?;
        let foreign = |what, found: &str, expected: &str| MergeError::Foreign {
            path: path.clone(),
            what,
            found: found.to_owned(),
            other: "the benchmark here".into(),
            expected: expected.to_owned(),
        };
        let theirs = &portion.circumstances;
        if theirs.program != here.program {
            return Err(foreign("program", &theirs.program, &here.program).into());
        }
        if theirs.budget != here.budget {
            return Err(foreign("budget", &theirs.budget, &here.budget).into());
        }
        if theirs.tasks != here.tasks {
            let count = |c: &Circumstances| format!("{} statements", c.tasks.len());
            return Err(foreign("list of statements and seeds", &count(theirs), &count(&here)).into());
        }
        if let Some(first) = seen.insert(portion.shard, path) {
            return Err(Trouble::from(MergeError::Doubled {
                first: first.clone(),
                second: path.clone(),
                claims: format!("shard {}/{}", portion.shard.0, portion.shard.1),
            }));
        }
        found.extend(portion.found);
    }
    let taken = tasks.iter().map(|task| found.remove(&task.key()).ok_or(task));
    taken.collect::<Result<_, _>>().map_err(|task| {
        let parts: Vec<String> = seen.keys().map(|(number, of)| format!("{number}/{of}")).collect();
        let message = format!("{}, which none of shards {} holds", task.statement.name, parts.join(", "));
        Trouble::from(MergeError::Missing(message))
    })
}
