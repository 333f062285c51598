//! What the packages promise: every public name of each, as it was when somebody last decided on it. A name that comes, goes or moves fails
//! this test until `RENEW_SURFACE=1 cargo test --test surface` has put it into the list, where the diff shows the decision.
//!
//! The names are read from the sources: what a macro writes is not among them, nor is what documentation hides.

mod surface {
    pub mod names;
    pub mod source;
}

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use surface::names::names;
use surface::source::Source;

/// Every package, as its folder.
const PACKAGES: [&str; 17] = [
    ".", "src/enclosures", "src/evidence", "src/evidence-derive/src", "src/pages", "src/site", "src/cli",
    "src/statements", "src/contrastive", "src/two-view", "src/linear-ssl", "src/estimators", "src/embeddings",
    "verify/merad2020", "verify/esser2024", "verify/wen2020", "verify/ren2023",
];

/// The public names of a package.
fn public(package: &str) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = if package == "." { root.join("src") } else { root.join(package) };
    names(&Source::read(&folder.join("lib.rs")).unwrap_or_else(|e| panic!("{package}: {e}")))
}

#[test]
fn the_public_names_are_the_ones_decided_on() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let renew = std::env::var_os("RENEW_SURFACE").is_some();
    let (mut moved, mut read) = (Vec::new(), 0);
    for package in PACKAGES {
        let found = public(package);
        read += found.len();
        let list = root.join("tests/surface").join(format!(
            "{}.txt",
            if package == "." {
                "contrapositive"
            } else {
                package.trim_end_matches("/src").rsplit('/').next().unwrap_or(package)
            }
        ));
        if renew {
            fs::write(&list, found.join("\n") + "\n").expect("the list can be written");
        }
        let known = fs::read_to_string(&list).unwrap_or_default();
        let known: Vec<&str> = known.lines().collect();
        let come = found.iter().filter(|n| !known.contains(&n.as_str())).map(|n| format!("{package}: + {n}"));
        moved.extend(come);
        let gone = known.iter().filter(|n| !found.iter().any(|f| f == *n)).map(|n| format!("{package}: - {n}"));
        moved.extend(gone);
    }
    assert!(
        moved.is_empty(),
        "public names came or went; `RENEW_SURFACE=1 cargo test --test surface` records the decision:\n{}",
        moved.join("\n")
    );
    assert!(read > 1000, "only {read} names were read");
}

/// Whether a public name is that of a type or a trait, and no re-export.
fn is_type(name: &str) -> bool {
    let (modules, own) = name.rsplit_once("::").unwrap_or(("", name));
    let is_capitalised = |word: &str| word.starts_with(char::is_uppercase);
    is_capitalised(own)
        && own.contains(char::is_lowercase)
        && !own.contains(['.', '=', '!'])
        && !modules.split("::").any(is_capitalised)
}

/// A reader who meets a name in two packages meets one thing.
#[test]
fn no_two_packages_have_public_types_of_one_name() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in PACKAGES {
        for name in public(package).into_iter().filter(|name| is_type(name)) {
            let own = name.rsplit("::").next().unwrap_or(&name).to_owned();
            places.entry(own).or_default().push(format!("{package}: {name}"));
        }
    }
    assert!(places.len() > 350, "only {} types were read", places.len());
    let shared: Vec<String> = places.into_values().filter(|p| p.len() > 1).map(|p| p.join(", ")).collect();
    assert!(shared.is_empty(), "public types of one name:\n{}", shared.join("\n"));
}

/// The reader sees what is public and nothing else: re-exports under the name they are given, members of types once, macros at the root.
#[test]
fn the_reader_tells_public_from_private() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    };
    write(
        "lib.rs",
        "pub mod open;\nmod shut;\npub use shut::{Kept as Shown, inner};\npub use other::Thing;\npub(crate) fn own() \
         {}\n#[cfg(test)]\npub mod tests {}",
    );
    write(
        "open.rs",
        "pub struct Point { pub x: f64, y: f64 }\nimpl Point { pub fn norm(&self) {} fn hidden(&self) {} \
         }\n#[macro_export]\nmacro_rules! shout { () => {} }\npub use crate::shut::*;",
    );
    write(
        "shut/mod.rs",
        "pub mod inner;\npub enum Kept { One, Two }\npub struct Glob;\n#[doc(hidden)]\npub fn unseen() {}\nstruct \
         Private;",
    );
    write("shut/inner.rs", "pub trait Walk { fn step(&self); }\nimpl super::Kept { pub const MOST: u8 = 2; }");
    let source = Source::read(&folder.path().join("lib.rs")).expect("readable");
    assert_eq!(
        names(&source),
        [
            "Shown = open::Kept", "Thing = other::Thing", "inner", "inner::Walk = open::inner::Walk", "open",
            "open::Glob", "open::Kept", "open::Kept::MOST", "open::Kept::One", "open::Kept::Two", "open::Point",
            "open::Point.x", "open::Point::norm", "open::inner", "open::inner::Walk", "open::inner::Walk::step",
            "shout!",
        ]
    );
}
