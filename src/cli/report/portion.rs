//! What one shard of a run has computed, as a file: the records of its claims, and everything that they depend on.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use enclosures::stream;
use evidence::claim::Fixtures;
use evidence::run::{ClaimResult, Plan, Run, WitnessStore};
use serde::{Deserialize, Serialize};

use super::stopped::Stopped;
use crate::outcome::merge_error::MergeError;
use crate::outcome::status::Trouble;
use crate::storage::sealed;
use crate::storage::shard::Shard;

const HEADING: &[u8] = b"contrapositive shard 1\n";

/// Everything that a run depends on, the same for all its shards.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Circumstances {
    /// SHA-256 of the program.
    pub program: String,
    /// Master seed.
    pub seed: u64,
    /// Size of the run.
    pub budget: String,
    /// SHA-256 of each data file.
    pub data: Vec<(String, String)>,
    /// SHA-256 of all stored witnesses.
    pub witnesses: String,
    /// The claims of the whole run, in order.
    pub claims: Vec<String>,
}

impl Circumstances {
    /// Those of a run of these claims by this program.
    ///
    /// # Errors
    /// The program or a data file cannot be read.
    pub fn of(
        plan: Plan,
        fixtures: &Fixtures,
        data: &[&str],
        witnesses: &WitnessStore,
        claims: Vec<String>,
    ) -> Result<Self, Trouble> {
        let hashed = |path: PathBuf| {
            stream::file_hash(&path).map_err(|source| Trouble::Io { action: "cannot read", path, source })
        };
        let data = data.iter().map(|name| Ok(((*name).to_owned(), hashed(fixtures.path(name))?)));
        let good = witnesses.iter().map(|w| w.text().unwrap_or_default());
        let damaged = witnesses.damaged().iter().map(|error| {
            let name = error.path().file_name().unwrap_or_default();
            name.to_string_lossy().into_owned()
        });
        Ok(Circumstances {
            program: sealed::program()?,
            seed: plan.seed,
            budget: plan.budget.to_string(),
            data: data.collect::<Result<_, Trouble>>()?,
            witnesses: stream::hash(good.chain(damaged).collect::<Vec<_>>().join("\n").as_bytes()),
            claims,
        })
    }

    /// The first thing in which another run differs: its name, what this one has, and what that one has.
    #[must_use]
    pub fn difference(&self, other: &Circumstances) -> Option<(&'static str, String, String)> {
        let short = |hash: &str| hash.get(..12).unwrap_or(hash).to_owned();
        let data = |c: &Circumstances| {
            let files = c.data.iter().map(|(name, hash)| format!("{name} {}", short(hash)));
            files.collect::<Vec<_>>().join(", ")
        };
        let selection = |c: &Circumstances| {
            let first = c.claims.first().map_or("", String::as_str);
            format!("{} claims from {first:?} on", c.claims.len())
        };
        let differing = [
            (self.program != other.program).then(|| ("program", short(&self.program), short(&other.program))),
            (self.seed != other.seed).then(|| ("seed", self.seed.to_string(), other.seed.to_string())),
            (self.budget != other.budget).then(|| ("budget", self.budget.clone(), other.budget.clone())),
            (self.data != other.data).then(|| ("data", data(self), data(other))),
            (self.witnesses != other.witnesses).then(|| {
                let (mine, theirs) = (short(&self.witnesses), short(&other.witnesses));
                ("set of stored witnesses", mine, theirs)
            }),
            (self.claims != other.claims).then(|| ("selection", selection(self), selection(other))),
        ];
        differing.into_iter().flatten().next()
    }
}

/// A claim of a shard: its record, or why it was not judged.
pub type Entry = (String, Result<Vec<u8>, String>);

/// What one shard has computed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Portion {
    /// What it depends on.
    pub circumstances: Circumstances,
    /// Number and count of the shard.
    pub shard: (u32, u32),
    /// Its claims.
    pub entries: Vec<Entry>,
}

impl Portion {
    /// What a shard has computed.
    ///
    /// # Errors
    /// A result cannot be written down.
    pub fn of(shard: Shard, circumstances: Circumstances, run: &Run, stopped: &Stopped) -> Result<Self, Trouble> {
        let record = |result: &ClaimResult| Ok((result.id.to_owned(), Ok(result.to_record()?)));
        let judged = run.claims.iter().map(record).collect::<Result<Vec<Entry>, _>>();
        let mut entries = judged.map_err(Trouble::Record)?;
        entries.extend(stopped.reasons().into_iter().map(|(claim, reason)| (claim, Err(reason))));
        Ok(Portion { circumstances, shard: shard.parts(), entries })
    }

    /// Writes it to a file.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn save(&self, path: &Path) -> Result<(), Trouble> {
        sealed::save(HEADING, path, self)
    }

    /// Reads it from a file.
    ///
    /// # Errors
    /// The file cannot be read, or is not what [`Self::save`] has written.
    pub fn load(path: &Path) -> Result<Self, MergeError> {
        let damaged = |reason: String| MergeError::Damaged { path: path.into(), reason };
        let portion: Portion = sealed::load(HEADING, path)?;
        let all: BTreeSet<&String> = portion.circumstances.claims.iter().collect();
        let mut seen = BTreeSet::new();
        let stray = portion.entries.iter().map(|(id, _)| id);
        match stray.into_iter().find(|id| !all.contains(id) || !seen.insert(*id)) {
            Some(id) => Err(damaged(format!("{id:?} does not belong to its run, or occurs twice"))),
            None => Ok(portion),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::storage::sealed::damage::{cases, changed, changes};

    fn portion() -> Portion {
        let circumstances = Circumstances {
            program: "0".repeat(64),
            seed: 1,
            budget: "quick".into(),
            data: vec![("digits".into(), "1".repeat(64))],
            witnesses: "2".repeat(64),
            claims: vec!["staged.claim".into()],
        };
        Portion { circumstances, shard: (1, 1), entries: vec![("staged.claim".into(), Ok(vec![7; 300]))] }
    }

    proptest! {
        #![proptest_config(cases())]

        #[test]
        fn what_is_damaged_behind_a_right_checksum_is_read_or_refused(changes in changes()) {
            let body = postcard::to_stdvec(&portion()).expect("bytes");
            if let Ok(read) = postcard::from_bytes::<Portion>(&changed(&body, &changes)) {
                prop_assert!(read.entries.len() <= body.len() + 100);
            }
        }
    }
}
