//! `merge`: the shards of a run, put together to what one run would have made of it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use evidence::claim::{Claim, Fixtures};
use evidence::run::{ClaimResult, Plan, Run, WitnessStore};

use crate::catalogue::Catalogue;
use crate::outcome::merge_error::MergeError;
use crate::outcome::status::{Status, Trouble};
use crate::report::finish::Finish;
use crate::report::portion::{Circumstances, Entry, Portion};
use crate::report::stopped::Stopped;
use crate::storage::shard::Shard;
use crate::words::arguments::Merge;

/// Puts shards together, in whatever order they are named, and ends as the whole run would have ended.
///
/// # Errors
/// As [`Merged::of`], or something cannot be written.
pub fn merge(catalogue: &Catalogue, options: &Merge) -> Result<Status, Trouble> {
    let fixtures = catalogue.fixtures(options.reporting.fixtures.as_ref())?;
    let merged = Merged::of(catalogue, &options.shards, &fixtures)?;
    let is_whole = merged.selected == catalogue.claims().len() && catalogue.has_page();
    let finish = Finish::of(&options.reporting, is_whole, &fixtures)?;
    finish.finish(catalogue, &merged.run, &merged.stopped, &fixtures, &merged.witnesses, None)
}

/// A run that was put together from its shards.
pub struct Merged {
    /// The claims that were judged.
    pub run: Run,
    /// Those that were not.
    pub stopped: Stopped,
    /// What was stored of them before.
    pub witnesses: WitnessStore,
    /// How many claims the run was to have.
    pub selected: usize,
}

impl Merged {
    /// Reads shards, in whatever order they are named.
    ///
    /// # Errors
    /// A shard is missing, doubled, damaged, or belongs to another run, program or data.
    pub fn of(catalogue: &Catalogue, shards: &[PathBuf], fixtures: &Fixtures) -> Result<Self, Trouble> {
        let portions = shards.iter().map(|path| Ok((path.clone(), Portion::load(path)?)));
        let portions: Vec<(PathBuf, Portion)> = portions.collect::<Result<_, MergeError>>()?;
        let Some((first, portion)) = portions.first() else {
            return Err(Trouble::NothingSelected("no shards".into()));
        };
        for (path, other) in &portions {
            own(path, &other.circumstances, &first.display().to_string(), &portion.circumstances)?;
        }
        let damaged = |reason: String| MergeError::Damaged { path: first.clone(), reason };
        let budget = portion.circumstances.budget.parse().map_err(damaged)?;
        let plan = Plan { seed: portion.circumstances.seed, budget };
        catalogue.examine(fixtures)?;
        let witnesses = WitnessStore::load(&fixtures.path("witnesses"))?;
        let here =
            Circumstances::of(plan, fixtures, catalogue.data(), &witnesses, portion.circumstances.claims.clone())?;
        own(first, &portion.circumstances, "this program here", &here)?;
        let claims = catalogue.claims();
        let ids = &portion.circumstances.claims;
        let chosen = ids.iter().map(|id| {
            let found = claims.iter().find(|c| c.id == id);
            found.ok_or_else(|| damaged(format!("the catalogue has no claim {id:?}")))
        });
        let chosen: Vec<&Claim> = chosen.collect::<Result<_, _>>()?;
        let mut entries = united(&portions)?;
        let stopped = Stopped::of(&chosen, &witnesses, catalogue);
        let mut results = Vec::new();
        for claim in &chosen {
            let Some((path, entry)) = entries.remove(claim.id) else {
                continue;
            };
            match entry {
                Err(reason) => stopped.stop(claim, reason.clone()),
                Ok(record) => {
                    let result = ClaimResult::from_record(claim, record);
                    results
                        .push(result.map_err(|e| MergeError::Damaged { path: path.clone(), reason: e.to_string() })?);
                }
            }
        }
        let run = Run { plan, claims: results };
        Ok(Merged { run, stopped, witnesses, selected: chosen.len() })
    }
}

/// Whether a shard belongs to a run.
fn own(path: &Path, mine: &Circumstances, other: &str, theirs: &Circumstances) -> Result<(), MergeError> {
    match mine.difference(theirs) {
        None => Ok(()),
        Some((what, found, expected)) => {
            Err(MergeError::Foreign { path: path.to_owned(), what, found, other: other.to_owned(), expected })
        }
    }
}

/// Entries by claim, each with the file that holds it.
type United<'a> = BTreeMap<&'a str, (&'a PathBuf, &'a Result<Vec<u8>, String>)>;

/// The entries of all shards by claim, each with its file; every claim of the run once.
fn united(portions: &[(PathBuf, Portion)]) -> Result<United<'_>, MergeError> {
    let mut united = United::new();
    for (path, portion) in portions {
        let known: Vec<&Entry> = portion.entries.iter().filter(|(id, _)| united.contains_key(id.as_str())).collect();
        if let Some((id, _)) = known.first() {
            return Err(MergeError::Doubled {
                first: united[id.as_str()].0.clone(),
                second: path.clone(),
                claims: listed(&known.iter().map(|(id, _)| id.as_str()).collect::<Vec<_>>()),
            });
        }
        united.extend(portion.entries.iter().map(|(id, entry)| (id.as_str(), (path, entry))));
    }
    let all = portions.iter().flat_map(|(_, p)| &p.circumstances.claims);
    let mut lost: Vec<&str> = all.map(String::as_str).filter(|id| !united.contains_key(id)).collect();
    lost.sort_unstable();
    lost.dedup();
    if lost.is_empty() {
        return Ok(united);
    }
    Err(MergeError::Missing(absent(portions, &lost)))
}

/// What is absent: shards by their numbers where all are cut alike, and claims.
fn absent(portions: &[(PathBuf, Portion)], lost: &[&str]) -> String {
    let cuts: Vec<(u32, u32)> = portions.iter().map(|(_, p)| p.shard).collect();
    let alike = cuts.iter().all(|(_, of)| *of == cuts[0].1);
    let shards = Shard::new(cuts[0].0, cuts[0].1).ok().filter(|_| alike);
    let shards = shards.into_iter().flat_map(Shard::siblings);
    let names: Vec<String> = shards.filter(|s| !cuts.contains(&s.parts())).map(|s| s.to_string()).collect();
    match names.as_slice() {
        [] => format!("no shard holds {}", listed(lost)),
        [one] => format!("shard {one}, which holds {}", listed(lost)),
        some => format!("shards {}, which hold {}", some.join(", "), listed(lost)),
    }
}

/// A few ids, and how many more there are.
fn listed(ids: &[&str]) -> String {
    const SHOWN: usize = 3;
    let shown = ids[..ids.len().min(SHOWN)].join(", ");
    match ids.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}
