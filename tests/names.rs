//! Names tell things apart: no two types of one name in a package, no file whose name says nothing or differs from its neighbour's by a
//! letter, and no module that is declared otherwise than by a plain `mod` line, which `cargo fmt` and a reader follow.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

mod source;

use source::without_tests;

/// Every package.
const PACKAGES: [&str; 19] = [
    "src/enclosures", "src/evidence", "src/evidence-derive", "src/contrastive", "src/two-view", "src/site",
    "src/statements", "src/estimators", "src/cli", "src/linear-ssl", "src/pages", "src/embeddings", "src/python",
    "examples/classics", "verify/merad2020", "verify/esser2024", "verify/wen2020", "verify/ren2023",
    "verify/command-line",
];

/// What a file may not be called, because anything could stand in it.
const NOT_NAMES: [&str; 6] = ["outputs", "runs", "shares", "starts", "helpers", "utils"];

/// Every source file of a package but tests, without its ending, and its text without tests.
fn sources(folder: &str) -> BTreeMap<PathBuf, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut found, mut open) = (BTreeMap::new(), vec![root.join(folder)]);
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory).expect("a folder of sources") {
            let path = entry.expect("an entry").path();
            let stem = path.file_stem().and_then(|s| s.to_str()).expect("a name");
            if ["tests", "benches", "target"].contains(&stem) || path.join("Cargo.toml").exists() {
                continue;
            }
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let text = fs::read_to_string(&path).expect("a source file");
                let code = without_tests(&text);
                let inside = path.strip_prefix(root).expect("below the root").with_extension("");
                found.insert(inside, code);
            }
        }
    }
    found
}

/// The types that a file declares at its top level.
fn types(code: &str) -> BTreeSet<&str> {
    code.lines()
        .filter_map(|line| {
            let line = match line.strip_prefix("pub") {
                Some(rest) if rest.starts_with('(') => rest.split_once(") ")?.1,
                Some(rest) => rest.strip_prefix(' ')?,
                None => line,
            };
            let kinds = ["struct ", "enum ", "union ", "trait ", "type "];
            let rest = kinds.iter().find_map(|kind| line.strip_prefix(kind))?;
            rest.split(|c: char| !(c.is_alphanumeric() || c == '_')).next()
        })
        .collect()
}

#[test]
fn no_two_types_of_one_name_in_a_package() {
    let mut read = 0;
    for package in PACKAGES {
        let sources = sources(package);
        let mut places: BTreeMap<&str, Vec<&Path>> = BTreeMap::new();
        for (path, code) in &sources {
            for name in types(code) {
                places.entry(name).or_default().push(path);
            }
        }
        read += places.len();
        places.retain(|_, files| files.len() > 1);
        assert!(places.is_empty(), "{package} has more than one of these: {places:?}");
    }
    assert!(read > 800, "only {read} types were read");
}

#[test]
fn files_are_named_for_what_is_in_them() {
    let mut vague = Vec::new();
    for package in PACKAGES {
        let sources = sources(package);
        for path in sources.keys() {
            let stem = path.file_name().and_then(|s| s.to_str()).expect("a name");
            let plural = path.with_file_name(format!("{stem}s"));
            assert!(!sources.contains_key(&plural), "{} beside its own plural", path.display());
            if NOT_NAMES.contains(&stem) {
                vague.push(path.display().to_string());
            }
        }
    }
    assert_eq!(vague, [""; 0], "a file whose name says nothing");
}

#[test]
fn the_papers_modules_are_plain_lines() {
    let mut files = 0;
    for package in PACKAGES.into_iter().filter(|package| package.starts_with("verify/")) {
        let sources = sources(package);
        for path in sources.keys() {
            let (directory, stem) = (path.parent().expect("a folder"), path.file_name().expect("a name"));
            // A room is declared by the file of its folder, a folder by the one above.
            let (above, name) = match stem.to_str().expect("a name") {
                "lib" | "main" | "build" => continue,
                "mod" => (directory.parent().expect("a folder"), directory.file_name().expect("a name")),
                _ => (directory, stem),
            };
            let name = name.to_str().expect("a name");
            let lines = [format!("mod {name};"), format!("mod r#{name};")];
            let parents = ["lib", "mod", "main"].map(|file| sources.get(&above.join(file)));
            let parents = parents.into_iter().flatten().chain(sources.get(above));
            let declared = parents.flat_map(|code| code.lines()).any(|l| {
                let l = l.strip_prefix("pub").unwrap_or(l);
                let l = if l.starts_with('(') { l.split_once(')').map_or(l, |(_, rest)| rest) } else { l };
                lines.iter().any(|line| l.trim_start() == line) && !l.starts_with("    ")
            });
            assert!(declared, "no line `mod {name};` declares {}", path.display());
            files += 1;
        }
    }
    assert!(files > 300, "only {files} files were read");
}

#[test]
fn what_follows_a_test_is_read() {
    let text = "use a::b;\n#[cfg(test)]\nuse c::d;\n#[cfg(test)]\nuse e::{\n    f,\n};\nstruct G;\n#[cfg(test)]\nmod \
                tests {\n    fn h() {\n    }\n}\nstruct I;\n\
                impl I {\n    #[cfg(test)]\n    #[must_use]\n    fn j() -> u8 {\n        1\n    }\n    fn k() {}\n}\n";
    let read = without_tests(text);
    assert_eq!(read, "use a::b;\nstruct G;\nstruct I;\nimpl I {\n    fn k() {}\n}");
}
