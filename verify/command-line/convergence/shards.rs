//! A study over many machines: the curves that one of them has measured as a file, and a study put together from such files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use cli::MergeError;
use estimators::convergence::{Curve, Loss, Place, StudyError, StudySettings, Subject};
use serde::{Deserialize, Serialize};

use super::super::console::tell;
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
    pub fn of(subjects: &[Subject], settings: &StudySettings, data: Vec<String>) -> Result<Self, Trouble> {
        Ok(Circumstances {
            program: sealed::program()?,
            seed: settings.seed,
            negatives: settings.negatives.clone(),
            repetitions: settings.repetitions,
            work: settings.work,
            subjects: subjects.iter().map(|s| (s.name().to_owned(), s.about().to_owned())).collect(),
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
            .or_else(|| pair("list of negatives", format!("{:?}", self.negatives), format!("{:?}", other.negatives)))
            .or_else(|| pair("amount of work", self.work.to_string(), other.work.to_string()))
            .or_else(|| pair("data", data(self), data(other)))
            .or_else(|| pair("list of models", format!("{:?}", self.subjects), format!("{:?}", other.subjects)))
            .or_else(|| (self != other).then(|| ("plan", "one".to_owned(), "another".to_owned())))
    }
}

/// What names a curve within its study.
type Key = (String, Loss, String);

fn key(place: &Place<'_>) -> Key {
    (place.subject.to_owned(), place.loss, place.method.name.to_owned())
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
        Portion { circumstances, shard: shard.parts(), curves: Vec::new() }
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

/// Curves that are kept until all of a study, or of a shard of it, are measured, so that the same command goes on where it was stopped.
#[derive(Debug)]
pub struct Unfinished {
    path: PathBuf,
    portion: Portion,
    /// Whether one could not be kept, which is said once.
    failed: bool,
}

impl Unfinished {
    /// What an earlier call of the same study has kept below the folder of the results; nothing if it was another one.
    pub fn below(folder: &Path, shard: Shard, circumstances: Circumstances) -> Self {
        let (number, of) = shard.parts();
        let path = folder.join(format!(".unfinished-convergence-{number}-of-{of}.bin"));
        let kept = sealed::load::<Portion>(HEADING, &path).ok();
        let same = |kept: &Portion| kept.circumstances == circumstances && kept.shard == shard.parts();
        let portion = kept.filter(same).unwrap_or_else(|| Portion::of(shard, circumstances));
        Unfinished { path, portion, failed: false }
    }

    /// How many curves there are.
    pub fn count(&self) -> usize {
        self.portion.curves.len()
    }

    /// The curve of a place: the one that was kept, or the one that is measured now and kept.
    pub fn curve(
        &mut self,
        place: &Place<'_>,
        measure: &mut dyn FnMut() -> Result<Curve, StudyError>,
    ) -> Result<Curve, StudyError> {
        let key = key(place);
        if let Some((_, curve)) = self.portion.curves.iter().find(|(other, _)| *other == key) {
            return Ok(curve.clone());
        }
        let curve = measure()?;
        self.portion.keep(place, curve.clone());
        if let Err(trouble) = self.portion.save(&self.path)
            && !std::mem::replace(&mut self.failed, true)
        {
            tell!("note: curves are not stored: {trouble}");
        }
        Ok(curve)
    }

    /// What was measured, to be written where it belongs.
    pub fn portion(&self) -> &Portion {
        &self.portion
    }

    /// Removes the file: everything is written where it belongs.
    pub fn forget(self) {
        let _ = std::fs::remove_file(self.path);
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

#[cfg(test)]
mod tests {
    use estimators::convergence::supplied;
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    use super::*;

    fn measured() -> Portion {
        let subjects = [Subject::reference().expect("a model")];
        let settings = StudySettings { seed: 1, negatives: vec![1], repetitions: 2, work: 1 << 8 };
        let circumstances = Circumstances::of(&subjects, &settings, vec!["0".repeat(64)]).expect("a program");
        let mut portion = Portion::of("1/1".parse().expect("a shard"), circumstances);
        let studied = supplied(
            &subjects,
            &settings,
            &mut |place, measure| {
                let curve = measure()?;
                portion.keep(place, curve.clone());
                Ok(Some(curve))
            },
            &mut |_| (),
        );
        assert!(studied.is_ok() && !portion.curves.is_empty());
        portion
    }

    fn cases() -> ProptestConfig {
        let mut config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
        if std::env::var_os("PROPTEST_CASES").is_none() {
            config.cases = 1000;
            config.rng_seed = RngSeed::Fixed(1);
        }
        config
    }

    /// A checksum keeps accidents out, not whoever can compute one: what stands behind it is read or refused.
    #[test]
    fn a_shard_damaged_behind_a_right_checksum_is_read_or_refused() {
        let portion = measured();
        let body = postcard::to_stdvec(&portion).expect("bytes");
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("convergence-1-of-1.bin");
        let changes = prop::collection::vec((0.0..1.0f64, 0u8..4, any::<u8>()), 1..5);
        let outcome = proptest::test_runner::TestRunner::new(cases()).run(&changes, |changes| {
            let mut bytes = body.clone();
            for (place, kind, byte) in changes {
                let at = (place * bytes.len() as f64) as usize;
                match kind {
                    0 => bytes.get_mut(at).into_iter().for_each(|b| *b = byte),
                    1 => bytes.get_mut(at).into_iter().for_each(|b| *b ^= 1 << (byte % 8)),
                    // The bytes of a length that asks for all there is.
                    2 => bytes.splice(at..at, [0xff, 0xff, 0xff, 0xff, 0x0f]).for_each(drop),
                    _ => bytes.truncate(at.max(1)),
                }
            }
            std::fs::write(&path, sealed::seal(HEADING, &bytes)).map_err(|e| TestCaseError::fail(e.to_string()))?;
            if let Ok(Measured(curves)) = Measured::load(std::slice::from_ref(&path), &portion.circumstances) {
                prop_assert!(curves.len() <= bytes.len());
            }
            Ok(())
        });
        outcome.unwrap_or_else(|e| panic!("{e}"));
        std::fs::write(&path, sealed::seal(HEADING, &body)).expect("written");
        let whole = Measured::load(&[path], &portion.circumstances).expect("a shard as it was written");
        assert_eq!(whole.0.len(), portion.curves.len());
    }
}
