//! A study over many machines: the curves that one of them has measured as a file, and a study put together from such files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cli::MergeError;
use estimators::convergence::{Curve, Place, Settings, Subject};
use serde::{Deserialize, Serialize};

use super::super::sealed;
use super::super::shard::Shard;
use super::super::status::Trouble;

const HEADING: &[u8] = b"contrapositive convergence shard 1\n";

/// Everything that a study depends on, the same for all its shards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Circumstances {
    program: String,
    seed: u64,
    negatives: Vec<usize>,
    repetitions: u64,
    work: u64,
    /// Name of each model, and what it is.
    subjects: Vec<(String, String)>,
    /// SHA-256 of each file that was read.
    data: Vec<String>,
}

impl Circumstances {
    /// Those of a study by this program.
    pub fn of(subjects: &[Subject], settings: &Settings, data: Vec<String>) -> Result<Self, Trouble> {
        Ok(Circumstances {
            program: sealed::program()?,
            seed: settings.seed,
            negatives: settings.negatives.clone(),
            repetitions: settings.repetitions,
            work: settings.work,
            subjects: subjects
                .iter()
                .map(|s| (s.name().to_owned(), s.about().to_owned()))
                .collect(),
            data,
        })
    }

    /// The first thing in which another study differs: its name, what this one has, and what that one has.
    fn difference(&self, other: &Self) -> Option<(&'static str, String, String)> {
        let short = |hash: &String| hash.get(..12).unwrap_or(hash).to_owned();
        let data = |c: &Self| c.data.iter().map(short).collect::<Vec<_>>().join(", ");
        let pair = |what, mine: String, theirs: String| (mine != theirs).then_some((what, mine, theirs));
        pair("program", short(&self.program), short(&other.program))
            .or_else(|| pair("seed", self.seed.to_string(), other.seed.to_string()))
            .or_else(|| {
                pair(
                    "list of negatives",
                    format!("{:?}", self.negatives),
                    format!("{:?}", other.negatives),
                )
            })
            .or_else(|| pair("amount of work", self.work.to_string(), other.work.to_string()))
            .or_else(|| pair("data", data(self), data(other)))
            .or_else(|| {
                pair(
                    "list of models",
                    format!("{:?}", self.subjects),
                    format!("{:?}", other.subjects),
                )
            })
            .or_else(|| (self != other).then(|| ("plan", "one".to_owned(), "another".to_owned())))
    }
}

/// What names a curve within its study.
type Key = (String, usize, String);

fn key(place: &Place<'_>) -> Key {
    (place.subject.to_owned(), place.negatives, place.method.name.to_owned())
}

/// Whether a curve belongs to a shard. Along a panel and down the panels every shard has its turn.
pub fn is_of(shard: Shard, place: &Place<'_>) -> bool {
    let (number, of) = shard.parts();
    (place.panel + place.line) % of as usize + 1 == number as usize
}

/// What one shard has measured.
#[derive(Debug, Serialize, Deserialize)]
pub struct Portion {
    circumstances: Circumstances,
    shard: (u32, u32),
    curves: Vec<(Key, Curve)>,
}

impl Portion {
    /// Nothing yet.
    pub fn of(shard: Shard, circumstances: Circumstances) -> Self {
        Portion {
            circumstances,
            shard: shard.parts(),
            curves: Vec::new(),
        }
    }

    /// Takes up a curve.
    pub fn keep(&mut self, place: &Place<'_>, curve: Curve) {
        self.curves.push((key(place), curve));
    }

    /// Its file in a folder.
    pub fn place(shard: Shard, folder: &Path) -> PathBuf {
        let (number, of) = shard.parts();
        folder.join(format!("convergence-{number}-of-{of}.bin"))
    }

    /// Writes it.
    pub fn save(&self, path: &Path) -> Result<(), Trouble> {
        Ok(sealed::save(HEADING, path, self)?)
    }
}

/// The curves of all shards of a study.
#[derive(Debug)]
pub struct Measured(BTreeMap<Key, Curve>);

impl Measured {
    /// Reads the shards of the study at hand, in whatever order they are named.
    pub fn load(paths: &[PathBuf], here: &Circumstances) -> Result<Self, Trouble> {
        let refused = |error: MergeError| Trouble::from(cli::Trouble::from(error));
        let mut seen: BTreeMap<(u32, u32), &PathBuf> = BTreeMap::new();
        let mut curves = BTreeMap::new();
        for path in paths {
            let portion: Portion = sealed::load(HEADING, path).map_err(refused)?;
            if let Some((what, found, expected)) = portion.circumstances.difference(here) {
                return Err(refused(MergeError::Foreign {
                    path: path.clone(),
                    what,
                    found,
                    other: "the study here".into(),
                    expected,
                }));
            }
            if let Some(first) = seen.insert(portion.shard, path) {
                return Err(refused(MergeError::Doubled {
                    first: first.clone(),
                    second: path.clone(),
                    claims: format!("shard {}/{}", portion.shard.0, portion.shard.1),
                }));
            }
            curves.extend(portion.curves);
        }
        let Some((&(_, of), first)) = seen.first_key_value() else {
            return Ok(Measured(curves));
        };
        if let Some((other, path)) = seen.iter().find(|((_, other), _)| *other != of) {
            return Err(refused(MergeError::Foreign {
                path: (*path).clone(),
                what: "number of shards",
                found: other.1.to_string(),
                other: first.display().to_string(),
                expected: of.to_string(),
            }));
        }
        let absent = (1..=of).filter(|number| !seen.contains_key(&(*number, of)));
        let absent: Vec<String> = absent.map(|number| format!("shard {number}/{of}")).collect();
        if !absent.is_empty() {
            return Err(refused(MergeError::Missing(absent.join(", "))));
        }
        Ok(Measured(curves))
    }

    /// The curve of a place.
    pub fn take(&mut self, place: &Place<'_>) -> Option<Curve> {
        self.0.remove(&key(place))
    }
}
