//! Random streams keyed by name, so that a trial's draws depend on nothing but its own key.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use sha2::{Digest, Sha256};

/// The generator every trial draws from.
pub type Stream = ChaCha8Rng;

/// The 32-byte seed that belongs to a master seed and a path of names.
///
/// Names are hashed with their lengths, so that `["a", "bc"]` and `["ab", "c"]` are different paths.
#[must_use]
pub fn seed(master: u64, path: &[&str]) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(b"contrapositive stream 1");
    hash.update(master.to_le_bytes());
    for name in path {
        hash.update((name.len() as u64).to_le_bytes());
        hash.update(name.as_bytes());
    }
    hash.finalize().into()
}

/// The generator that belongs to a master seed and a path of names.
#[must_use]
pub fn stream(master: u64, path: &[&str]) -> Stream {
    Stream::from_seed(seed(master, path))
}

/// The SHA-256 of a file in hexadecimal, by which a report names the data it used.
///
/// # Errors
/// The file cannot be read.
pub fn file_hash(path: &std::path::Path) -> std::io::Result<String> {
    Ok(hash(&std::fs::read(path)?))
}

/// The SHA-256 of some bytes in hexadecimal.
#[must_use]
pub fn hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|b| format!("{b:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_unambiguous_and_independent_of_each_other() {
        assert_ne!(seed(1, &["a", "bc"]), seed(1, &["ab", "c"]));
        assert_ne!(seed(1, &["a"]), seed(2, &["a"]));
        assert_eq!(seed(7, &["claim", "family", "3"]), seed(7, &["claim", "family", "3"]));
    }
}
