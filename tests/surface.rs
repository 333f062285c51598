//! What the packages promise: every public name of each, as it was when somebody last decided on it. A name that comes, goes or moves fails
//! this test until `RENEW_SURFACE=1 cargo test --test surface` has put it into the list, where the diff shows the decision.
//!
//! The names are read from the sources: what a macro writes is not among them, nor is what documentation hides.

mod surface {
    pub mod names;
    pub mod source;
}

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

#[test]
fn the_public_names_are_the_ones_decided_on() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let renew = std::env::var_os("RENEW_SURFACE").is_some();
    let (mut moved, mut read) = (Vec::new(), 0);
    for package in PACKAGES {
        let folder = if package == "." { root.join("src") } else { root.join(package) };
        let source = Source::read(&folder.join("lib.rs")).unwrap_or_else(|e| panic!("{package}: {e}"));
        let found = names(&source);
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
