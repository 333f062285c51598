//! The record of what Coq has checked belongs to the files that stand in `proofs/`. Coq itself is not asked here: `.ci/run --all` does.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use contrapositive::stream::file_hash;
use serde_json::Value;

/// The axioms of Coq's classical reals, and the numbers that its kernel computes with, which one refutation uses.
const AXIOMS: [&str; 6] = [
    "ClassicalDedekindReals.sig_forall_dec",
    "ClassicalDedekindReals.sig_not_dec",
    "Classical_Prop.classic",
    "FunctionalExtensionality.functional_extensionality_dep",
    "PrimInt63.",
    "Uint63.",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("proofs")
}

fn record() -> Vec<Value> {
    let text = fs::read_to_string(root().join("checked.json")).expect("the record");
    serde_json::from_str(&text).expect("a list of theorems")
}

fn text<'a>(entry: &'a Value, field: &str) -> &'a str {
    entry[field].as_str().unwrap_or_else(|| panic!("{field} of {entry}"))
}

#[test]
fn files_are_those_that_were_checked() {
    let mut seen = BTreeSet::new();
    for entry in record() {
        let imports = entry["imports"].as_object().expect("imports by file");
        let imports = imports.iter().map(|(file, hash)| (file.as_str(), hash.as_str().expect("a hash")));
        for (file, hash) in imports.chain([(text(&entry, "file"), text(&entry, "sha256"))]) {
            let now = file_hash(&root().join(file)).unwrap_or_else(|e| panic!("{file}: {e}"));
            assert_eq!(
                now,
                hash,
                "{file} is not what was checked for {}: build it, and record",
                text(&entry, "theorem")
            );
        }
        assert!(seen.insert(text(&entry, "theorem").to_owned()), "{} stands there twice", text(&entry, "theorem"));
    }
    assert!(seen.len() >= 200, "{} theorems", seen.len());
}

#[test]
fn theorems_are_about_claims_rest_on_known_axioms_and_have_a_false_sibling() {
    let register = Path::new(env!("CARGO_MANIFEST_DIR")).join("verify/command-line/register.json");
    let register = fs::read_to_string(register).expect("the register");
    let mut claims = BTreeSet::new();
    for entry in record() {
        let (theorem, claim) = (text(&entry, "theorem"), text(&entry, "claim"));
        assert!(register.contains(&format!("\"{claim}\"")), "{theorem} is about {claim}, which is not in the register");
        claims.insert(claim.to_owned());
        for axiom in entry["axioms"].as_array().expect("a list of axioms") {
            let axiom = axiom.as_str().expect("a name");
            assert!(AXIOMS.iter().any(|known| axiom.starts_with(known)), "{theorem} rests on {axiom}");
        }
        let is_refutation = theorem.ends_with("_refuted");
        let is_step = theorem.ends_with("_s1");
        assert!(is_refutation || is_step || entry["control"].is_string(), "{theorem} has no false sibling");
    }
    assert!(claims.len() >= 70, "{} claims", claims.len());
}

#[test]
fn nothing_is_admitted() {
    let mut open = vec![root()];
    let mut files = 0;
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() && !path.ends_with("compiled") {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "v") {
                files += 1;
                let text = fs::read_to_string(&path).expect("a source");
                for word in ["Admitted", "admit.", "Axiom ", "Parameter ", "Abort"] {
                    assert!(!text.contains(word), "{}: {word}", path.display());
                }
            }
        }
    }
    assert!(files >= 40, "{files} files");
}
