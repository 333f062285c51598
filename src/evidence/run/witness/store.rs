//! The folder of stored witnesses.

use std::collections::BTreeMap;
use std::path::Path;

use super::file::{Witness, WitnessError};

/// The stored witnesses of a catalogue, by claim and check, and the files among them that are none.
#[derive(Debug, Default)]
pub struct WitnessStore {
    by_check: BTreeMap<(String, String), Witness>,
    damaged: Vec<WitnessError>,
}

impl WitnessStore {
    /// Reads every `.json` file of a folder; a folder that does not exist holds none. A file that is no witness, or goes by the
    /// name of another one, is set aside among the [`damaged`](WitnessStore::damaged) and does not keep the others from being read.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn load(folder: &Path) -> Result<Self, WitnessError> {
        let mut store = WitnessStore::default();
        let io = |source| WitnessError::Io { path: folder.into(), source };
        let entries = match std::fs::read_dir(folder) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(store),
            entries => entries.map_err(io)?,
        };
        let mut paths = Vec::new();
        for entry in entries {
            paths.push(entry.map_err(io)?.path());
        }
        // The order in which a folder lists its files is nobody's choice.
        paths.sort();
        for path in paths.into_iter().filter(|p| p.extension().is_some_and(|e| e == "json")) {
            // A pipe would be waited for.
            let file = if path.is_file() {
                Witness::load(&path)
            } else {
                let source = std::io::Error::other("not a file");
                Err(WitnessError::Io { path: path.clone(), source })
            };
            match file {
                Err(error) => store.damaged.push(error),
                Ok(witness) => {
                    let expected = witness.file_name();
                    if path.file_name().is_some_and(|name| name == expected.as_str()) {
                        store.insert(witness);
                    } else {
                        let Witness { claim, check, .. } = witness;
                        store.damaged.push(WitnessError::Misnamed { path, claim, check, expected });
                    }
                }
            }
        }
        Ok(store)
    }

    /// Adds a witness, in place of one for the same check.
    pub fn insert(&mut self, witness: Witness) {
        self.by_check.insert((witness.claim.clone(), witness.check.clone()), witness);
    }

    /// All of them, by claim and check.
    pub fn iter(&self) -> impl Iterator<Item = &Witness> {
        self.by_check.values()
    }

    /// The witness of one check.
    #[must_use]
    pub fn get(&self, claim: &str, check: &str) -> Option<&Witness> {
        self.by_check.get(&(claim.to_owned(), check.to_owned()))
    }

    /// The files that could not be used, by path.
    #[must_use]
    pub fn damaged(&self) -> &[WitnessError] {
        &self.damaged
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::witness::file::SCHEMA;
    use crate::run::witness::sides::Sides;

    fn stored(folder: &Path) -> Witness {
        let sides = Sides {
            left: [Some(1.0), Some(1.0)],
            relation: "≤".to_owned(),
            right: [Some(0.0), None],
            margin: [None, Some(-1.0)],
        };
        let witness = Witness {
            schema: SCHEMA,
            claim: "staged.claim".to_owned(),
            check: "printed".to_owned(),
            statement: "x ≤ 0".to_owned(),
            description: "x = 1".to_owned(),
            instance: serde_json::json!({"x": 1.0}),
            sides,
            convincing: None,
        };
        witness.store(folder).expect("stored");
        witness
    }

    #[test]
    fn a_damaged_file_is_named_and_the_others_are_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let witness = stored(folder.path());
        let text = witness.text().expect("JSON");
        let twice = text.replacen("\"schema\": 1,", "\"schema\": 1, \"schema\": 1,", 1);
        let more = text.replacen("\"schema\": 1,", "\"schema\": 1, \"scheme\": 1,", 1);
        let damaged = [
            ("a.empty.json", ""),
            ("b.cut.json", &text[..text.len() / 2]),
            ("c.copy.json", &text),
            ("d.twice.json", &twice),
            ("e.more.json", &more),
            ("f.later.json", r#"{"schema": 4294967297}"#),
            ("g.deep.json", &"[".repeat(100_000)),
        ];
        for (name, text) in damaged {
            std::fs::write(folder.path().join(name), text).expect("written");
        }
        let store = WitnessStore::load(folder.path()).expect("a folder");
        assert_eq!(store.iter().collect::<Vec<_>>(), [&witness]);
        let told: Vec<String> = store.damaged().iter().map(ToString::to_string).collect();
        let reasons = [
            "EOF",
            "EOF",
            "whose file is staged.claim.printed.json",
            "stands twice",
            "scheme",
            "schema 4294967297",
            "recursion",
        ];
        assert_eq!(told.len(), damaged.len(), "{told:#?}");
        for ((told, (name, _)), reason) in told.iter().zip(damaged).zip(reasons) {
            assert!(told.contains(name) && told.contains(reason), "{told}");
        }
    }
}
