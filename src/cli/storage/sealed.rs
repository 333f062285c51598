//! Files with a heading before them and a checksum behind: whether one is what it was when it was written can be told.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use enclosures::stream;
use evidence::writing;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::outcome::merge_error::{LONGEST, MergeError};
use crate::outcome::status::Trouble;

/// Length of the checksum, SHA-256 in hexadecimal digits.
const SUM: usize = 64;

/// A body under its heading, with its checksum.
#[must_use]
pub fn seal(heading: &[u8], body: &[u8]) -> Vec<u8> {
    [heading, body, stream::hash(body).as_bytes()].concat()
}

/// The body, if the heading is this one and the checksum is right.
#[must_use]
pub fn open<'a>(heading: &[u8], bytes: &'a [u8]) -> Option<&'a [u8]> {
    let rest = bytes.strip_prefix(heading)?;
    let (body, sum) = rest.split_at(rest.len().checked_sub(SUM)?);
    (stream::hash(body).as_bytes() == sum).then_some(body)
}

/// Writes what one shard has computed to a file.
///
/// # Errors
/// It cannot be written.
pub fn save(heading: &[u8], path: &Path, portion: &impl Serialize) -> Result<(), Trouble> {
    let body = postcard::to_stdvec(portion).map_err(|e| Trouble::Record(e.into()))?;
    Ok(writing::write(path, &seal(heading, &body))?)
}

/// Reads what one shard has computed from its file.
///
/// # Errors
/// The file cannot be read, or is not what [`save`] has written under this heading.
pub fn load<T: DeserializeOwned>(heading: &[u8], path: &Path) -> Result<T, MergeError> {
    let io = |source| MergeError::Io { path: path.into(), source };
    let damaged = |reason: String| MergeError::Damaged { path: path.into(), reason };
    let other = || damaged("it does not have the heading and checksum of a shard".into());
    let (mut file, mut bytes) = (File::open(path).map_err(io)?, Vec::new());
    // What does not begin as a shard is not read any further.
    file.by_ref().take(heading.len() as u64).read_to_end(&mut bytes).map_err(io)?;
    if bytes != heading {
        return Err(other());
    }
    let rest = file.take(LONGEST + 1).read_to_end(&mut bytes);
    if rest.map_err(io)? as u64 > LONGEST {
        return Err(MergeError::TooLong { path: path.into() });
    }
    let body = open(heading, &bytes).ok_or_else(other)?;
    postcard::from_bytes(body).map_err(|e| damaged(e.to_string()))
}

/// The SHA-256 of the program that runs, by which shards of one program are told from those of another.
///
/// # Errors
/// The program's file cannot be found or read.
pub fn program() -> Result<String, Trouble> {
    let program = std::env::current_exe().map_err(|source| Trouble::Io {
        action: "cannot find",
        path: "this program".into(),
        source,
    })?;
    stream::file_hash(&program).map_err(|source| Trouble::Io { action: "cannot read", path: program, source })
}

/// What befalls bytes behind a right checksum, for the tests of those who read them: a checksum keeps accidents out, not whoever can compute one.
#[cfg(test)]
pub(crate) mod damage {
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    /// Some changes: where, as a fraction of the length, of which kind, and a byte.
    pub(crate) fn changes() -> impl Strategy<Value = Vec<(f64, u8, u8)>> {
        prop::collection::vec((0.0..1.0f64, 0u8..5, any::<u8>()), 1..5)
    }

    /// Bytes with some of them changed, doubled or left out.
    pub(crate) fn changed(bytes: &[u8], changes: &[(f64, u8, u8)]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        for &(place, kind, byte) in changes {
            let at = ((place * bytes.len() as f64) as usize).min(bytes.len().saturating_sub(1));
            match kind {
                0 => bytes[at] = byte,
                1 => bytes[at] ^= 1 << (byte % 8),
                // The bytes of a length that asks for all there is.
                2 => bytes.splice(at..at, [0xff, 0xff, 0xff, 0xff, 0x0f]).for_each(drop),
                3 => bytes.splice(at..at, vec![byte; usize::from(byte % 9)]).for_each(drop),
                _ => bytes.truncate(at.max(1)),
            }
        }
        bytes
    }

    /// Two thousand cases, the same each time, or as many others as `PROPTEST_CASES` asks for.
    pub(crate) fn cases() -> ProptestConfig {
        let mut config = ProptestConfig { failure_persistence: None, ..ProptestConfig::default() };
        if std::env::var_os("PROPTEST_CASES").is_none() {
            config.cases = 2000;
            config.rng_seed = RngSeed::Fixed(1);
        }
        config
    }
}
