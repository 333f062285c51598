//! Every reader of files, fed with damaged ones: an answer or an error, never a panic, and what is accepted is what it should be.
//!
//! The files of `fixtures/readers` are the beginning: whole ones, and such (`refused-…`) as were once a trouble. Each input is one of them,
//! changed at a few places, or put together from parts of its format. A bounded number is tried with every test run; docs/faults.md says
//! how to try many more. What fails is shrunk to the fewest changes and belongs into the folder afterwards.

use std::fs;
use std::io::Write;
use std::path::Path;

use cli::report::baseline::Baseline;
use cli::storage::costs::Costs;
use contrapositive_command_line::catalogue;
use contrastive::data::{DataError, NumberTable, cifar, idx, npy};
#[cfg(feature = "formats")]
use embeddings::formats;
use evidence::budget::Budget;
use evidence::claim::{Claim, Fixtures};
use evidence::report::Register;
use evidence::run::{Context, Silent, Witness, WitnessStore};
use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestRunner};
use statements::{Refutation, replay};

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures");

/// The named files of one reader, in a fixed order.
fn corpus(reader: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(FIXTURES).join("readers").join(reader);
    let mut files: Vec<(String, Vec<u8>)> = fs::read_dir(folder)
        .expect("a corpus")
        .map(|entry| {
            let path = entry.expect("an entry").path();
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, fs::read(path).expect("a file"))
        })
        .collect();
    files.sort();
    assert!(files.len() > 1, "{reader} has a corpus");
    files
}

/// One change of some bytes. Places are fractions of the length, so that a change means something for every file.
#[derive(Clone, Debug)]
enum Change {
    Set(f64, u8),
    Flip(f64, u8),
    Insert(f64, Vec<u8>),
    Remove(f64, usize),
    Cut(f64),
    Repeat(f64, usize),
    /// The digits next to this place become another number.
    Number(f64, &'static str),
    /// From here on another file of the corpus.
    Splice(f64, usize, f64),
}

/// Numbers that readers stumble over.
const NUMBERS: [&str; 14] = [
    "0", "-1", "1", "256", "65536", "99999999", "4294967296", "9223372036854775808", "18446744073709551616", "1e400",
    "-0.0", "1e-400", "0x10", "null",
];

fn change() -> impl Strategy<Value = Change> {
    let place = || 0.0..1.0f64;
    prop_oneof![
        (place(), prop_oneof![Just(0u8), Just(0xff), Just(0x7f), Just(b'"'), Just(b','), Just(b'{'), any::<u8>()])
            .prop_map(|(p, b)| Change::Set(p, b)),
        (place(), 0u8..8).prop_map(|(p, bit)| Change::Flip(p, bit)),
        (place(), prop::collection::vec(any::<u8>(), 1..9)).prop_map(|(p, b)| Change::Insert(p, b)),
        (place(), 1usize..40).prop_map(|(p, n)| Change::Remove(p, n)),
        place().prop_map(Change::Cut),
        (place(), 1usize..60).prop_map(|(p, n)| Change::Repeat(p, n)),
        (place(), prop::sample::select(&NUMBERS[..])).prop_map(|(p, n)| Change::Number(p, n)),
        (place(), any::<usize>(), place()).prop_map(|(p, file, from)| Change::Splice(p, file, from)),
    ]
}

impl Change {
    fn apply(&self, bytes: &mut Vec<u8>, corpus: &[(String, Vec<u8>)]) {
        let place = |p: f64, length: usize| ((p * length as f64) as usize).min(length);
        match self {
            Change::Set(p, byte) => {
                let at = place(*p, bytes.len());
                bytes.get_mut(at).into_iter().for_each(|b| *b = *byte);
            }
            Change::Flip(p, bit) => {
                let at = place(*p, bytes.len());
                bytes.get_mut(at).into_iter().for_each(|b| *b ^= 1 << bit);
            }
            Change::Insert(p, more) => {
                let at = place(*p, bytes.len());
                bytes.splice(at..at, more.iter().copied());
            }
            Change::Remove(p, count) => {
                let at = place(*p, bytes.len());
                bytes.drain(at..(at + count).min(bytes.len()));
            }
            Change::Cut(p) => bytes.truncate(place(*p, bytes.len())),
            Change::Repeat(p, count) => {
                let at = place(*p, bytes.len());
                let part = bytes[at..(at + count).min(bytes.len())].to_vec();
                bytes.splice(at..at, part);
            }
            Change::Number(p, number) => {
                let at = place(*p, bytes.len());
                let digit = |b: &u8| b.is_ascii_digit();
                if let Some(start) = bytes[at..].iter().position(digit).map(|skip| at + skip) {
                    let end = bytes[start..].iter().position(|b| !digit(b)).map_or(bytes.len(), |n| start + n);
                    bytes.splice(start..end, number.bytes());
                }
            }
            Change::Splice(p, file, from) => {
                let other = &corpus[file % corpus.len()].1;
                bytes.truncate(place(*p, bytes.len()));
                bytes.extend_from_slice(&other[place(*from, other.len())..]);
            }
        }
    }
}

/// How many inputs of each kind: as many as `PROPTEST_CASES` says, every time others, or a number that a test run bears, always the same.
fn inputs(usual: u32) -> Config {
    let mut config = Config { failure_persistence: None, max_shrink_iters: 20_000, ..Config::default() };
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = usual;
        config.rng_seed = RngSeed::Fixed(1);
    }
    config
}

/// Tries changed files of a corpus, and each file as it is: those named `refused-…` must be refused, all others accepted.
fn feed(reader: &str, usual: u32, accepts: impl Fn(&[u8]) -> Result<bool, TestCaseError>) {
    let files = corpus(reader);
    for (name, bytes) in &files {
        let accepted = accepts(bytes).unwrap_or_else(|e| panic!("{reader}/{name}: {e}"));
        assert_eq!(accepted, !name.starts_with("refused-"), "{reader}/{name}");
    }
    let changed = (0..files.len(), prop::collection::vec(change(), 1..6));
    let outcome = TestRunner::new(inputs(usual)).run(&changed, |(file, changes)| {
        let mut bytes = files[file].1.clone();
        changes.iter().for_each(|c| c.apply(&mut bytes, &files));
        accepts(&bytes).map(drop)
    });
    outcome.unwrap_or_else(|e| panic!("{reader}: {e}"));
}

/// What every table that is read must be.
fn sound_table(table: Result<NumberTable, DataError>) -> Result<bool, TestCaseError> {
    let Ok(table) = table else { return Ok(false) };
    prop_assert!(table.rows() > 0 && table.columns() > 0);
    prop_assert_eq!(table.values().len(), table.rows() * table.columns());
    prop_assert!(table.values().iter().all(|x| x.is_finite()));
    Ok(true)
}

fn npy_accepts(bytes: &[u8]) -> Result<bool, TestCaseError> {
    let table = sound_table(npy::parse_table("a", bytes))?;
    let vector = npy::parse_vector("a", bytes);
    let labels = npy::parse_labels("a", bytes);
    // One file is a table or a list, and labels are numbers.
    prop_assert!(!(table && vector.is_ok()));
    if let (Ok(numbers), Ok(labels)) = (&vector, &labels) {
        prop_assert_eq!(numbers, &labels.iter().map(|&l| f64::from(l)).collect::<Vec<_>>());
    }
    Ok(table || vector.is_ok() || labels.is_ok())
}

fn idx_accepts(bytes: &[u8]) -> Result<bool, TestCaseError> {
    let images = idx::parse_images("a", bytes);
    let labels = idx::parse_labels("a", bytes);
    prop_assert!(!(images.is_ok() && labels.is_ok()));
    let is_list = labels.is_ok_and(|l| !l.is_empty());
    Ok(sound_table(images)? || is_list)
}

/// A file of whichever format, as points or as the classes of points.
#[cfg(feature = "formats")]
fn embeddings_accept(bytes: &[u8]) -> Result<bool, TestCaseError> {
    let mut accepted = false;
    for asked in [None, Some("points"), Some("labels"), Some("kind")] {
        accepted |= sound_table(formats::parse_table("a", bytes, asked))?;
        if let Ok(classes) = formats::parse_classes("a", bytes, asked) {
            prop_assert!(!classes.codes().is_empty());
            prop_assert!(classes.codes().iter().all(|&code| (code as usize) < classes.names().len()));
            accepted = true;
        }
    }
    Ok(accepted)
}

#[cfg(feature = "formats")]
#[test]
fn files_of_embeddings() {
    feed("embeddings", 3000, embeddings_accept);
}

#[test]
fn numpy_files() {
    feed("npy", 4000, npy_accepts);
}

#[test]
fn idx_files_plain_and_compressed() {
    feed("idx", 2000, idx_accepts);
}

#[test]
fn idx_files_damaged_before_they_were_compressed() {
    let files = corpus("idx");
    let plain: Vec<&(String, Vec<u8>)> = files.iter().filter(|(name, _)| !name.ends_with(".gz")).collect();
    let changed = (0..plain.len(), prop::collection::vec(change(), 1..6));
    let outcome = TestRunner::new(inputs(1000)).run(&changed, |(file, changes)| {
        let mut bytes = plain[file].1.clone();
        changes.iter().for_each(|c| c.apply(&mut bytes, &files));
        // Changes may have put a compressed file in its place, and what is compressed twice is not read.
        prop_assume!(!bytes.starts_with(&[0x1f, 0x8b]));
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        let packed = encoder.write_all(&bytes).and_then(|()| encoder.finish());
        let packed = packed.map_err(|e| TestCaseError::fail(e.to_string()))?;
        // Compression changes nothing about what is accepted.
        prop_assert_eq!(idx_accepts(&packed)?, idx_accepts(&bytes)?);
        Ok(())
    });
    outcome.unwrap_or_else(|e| panic!("{e}"));
}

/// NumPy headers put together from parts, right and wrong, in any order.
#[test]
fn numpy_headers_from_parts() {
    let part = |key: &'static str, values: &'static [&'static str]| {
        (0..4usize, prop::sample::select(values))
            .prop_map(move |(times, value)| vec![format!("'{key}': {value}, "); times.saturating_sub(1).clamp(0, 2)])
    };
    let parts = (
        part("descr", &["'<f8'", "'>f4'", "'|u1'", "'<i8'", "'<f2'", "'|O'", "[('x', '<f8')]", "'<f88'", "''", "3"]),
        part("fortran_order", &["False", "True", "1", "'False'"]),
        part(
            "shape",
            &[
                "(2,)", "(1, 2)", "(2, 1)", "()", "(0, 2)", "(2, 2, 2)", "(9223372036854775807, 4)", "(-1,)", "2",
                "(2L,)",
            ],
        ),
        part("color", &["'red'"]),
    );
    let file = (parts, any::<bool>(), prop::sample::select(&[1u8, 2, 3, 0, 9][..]), 0usize..80);
    let outcome = TestRunner::new(inputs(4000)).run(&file, |((a, b, c, d), backwards, version, length)| {
        let mut fields = [a, b, c, d].concat();
        if backwards {
            fields.reverse();
        }
        let header = format!("{{{}}}\n", fields.concat());
        let mut bytes = [b"\x93NUMPY", &[version, 0][..]].concat();
        match version {
            1 => bytes.extend((header.len() as u16).to_le_bytes()),
            _ => bytes.extend((header.len() as u32).to_le_bytes()),
        }
        bytes.extend(header.as_bytes());
        bytes.extend((0..length).map(|i| [0, 0, 0, 0, 0, 0, 0xf0, 0x3f][i % 8]));
        let accepted = npy_accepts(&bytes)?;
        let once = |key: &str| header.matches(key).count() == 1;
        let plain = once("descr") && once("fortran_order") && once("shape") && !header.contains("color");
        prop_assert!(plain || !accepted, "accepted {header}");
        Ok(())
    });
    outcome.unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn witness_files() {
    let claims = catalogue::claims();
    let (fixtures, none) = (Fixtures::at(FIXTURES), WitnessStore::default());
    let admitted = |claim: &Claim, witness: &Witness| {
        let context = Context {
            seed: 1,
            budget: Budget::Quick,
            fixtures: &fixtures,
            witnesses: &none,
            observer: &Silent,
            claim: claim.id,
        };
        claim.admit(witness, &context).is_ok()
    };
    feed("witness", 1500, |bytes| {
        let Ok(witness) = Witness::parse(Path::new("a.json"), bytes) else {
            return Ok(false);
        };
        // What was read is what is written.
        let text = witness.text().map_err(|e| TestCaseError::fail(e.to_string()))?;
        let again = Witness::parse(Path::new("a.json"), text.as_bytes()).ok();
        prop_assert_eq!(again.as_ref(), Some(&witness));
        let claim = claims.iter().find(|c| c.id == witness.claim);
        Ok(claim.is_some_and(|claim| admitted(claim, &witness)))
    });
}

#[test]
fn registers() {
    feed("register", 1500, |bytes| {
        let register = std::str::from_utf8(bytes).ok().and_then(|t| Register::from_json(t).ok());
        let Some(register) = register else { return Ok(false) };
        let entries: usize = register.papers.iter().map(|p| p.entries.len()).sum();
        prop_assert!(register.ids().len() <= entries);
        Ok(true)
    });
}

#[test]
fn cifar_files() {
    feed("cifar", 1000, |bytes| {
        let Ok(records) = cifar::parse("a", bytes) else {
            return Ok(false);
        };
        prop_assert!(!records.is_empty());
        for (label, pixels) in records {
            prop_assert!(label < 100 && pixels.len() == cifar::DIMENSION);
        }
        Ok(true)
    });
}

#[test]
fn tables_of_costs() {
    feed("costs", 1500, |bytes| {
        let costs = std::str::from_utf8(bytes).ok().and_then(|t| Costs::parse(t).ok());
        let Some(costs) = costs else { return Ok(false) };
        for budget in [Budget::Quick, Budget::Standard, Budget::Deep] {
            let all = costs.measured_at(budget).into_iter().flatten();
            prop_assert!(all.into_iter().all(|(_, s)| s.is_finite() && *s >= 0.0));
        }
        Ok(true)
    });
}

#[test]
fn baselines() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("before.json");
    let whole = fs::read(Path::new(FIXTURES).join("readers/baseline/one-claim.json")).expect("a file");
    let now: serde_json::Value = serde_json::from_slice(&whole).expect("JSON");
    feed("baseline", 500, |bytes| {
        fs::write(&path, bytes).map_err(|e| TestCaseError::fail(e.to_string()))?;
        let Ok(baseline) = Baseline::load(std::slice::from_ref(&path)) else {
            return Ok(false);
        };
        // Whatever it says, it can be compared with.
        let moves = baseline.moves(now.clone(), Budget::Quick, None);
        prop_assert!(moves.is_ok());
        prop_assert!(bytes != whole || moves.is_ok_and(|moves| moves.is_empty()));
        Ok(true)
    });
}

#[test]
fn files_of_statements() {
    feed("statements", 1000, |bytes| {
        let text = std::str::from_utf8(bytes).ok();
        let read = text.and_then(|t| statements::catalogue::read(t, Path::new("a.toml"), 1).ok());
        let Some(read) = read else { return Ok(false) };
        prop_assert_eq!(read.claims.len(), read.register.papers[0].entries.len());
        Ok(true)
    });
}

#[test]
fn stored_counterexamples() {
    feed("counterexample", 1500, |bytes| {
        let Ok(refutation) = serde_json::from_slice::<Refutation>(bytes) else {
            return Ok(false);
        };
        Ok(replay(&refutation, 1).is_ok())
    });
}
