//! Every package can be published: it says what a registry asks for, and it holds every file that its code takes in.

use std::fs;
use std::path::{Component, Path, PathBuf};

mod source;

use source::without_tests;

/// What a registry and the pages of documentation show.
const STATED: [&str; 10] = [
    "name", "description", "version", "edition", "rust-version", "license", "documentation", "keywords", "categories",
    "readme",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The folders of all packages of the workspace that are published.
fn packages() -> Vec<PathBuf> {
    let manifest = read(&root().join("Cargo.toml"));
    let members = manifest.split("members = [").nth(1).and_then(|rest| rest.split(']').next());
    let folders = members.expect("members").split('"').skip(1).step_by(2);
    folders
        .map(|folder| root().join(folder))
        .filter(|folder| !read(&folder.join("Cargo.toml")).contains("publish = false"))
        .collect()
}

#[test]
fn every_package_says_what_a_registry_asks_for() {
    let packages = packages();
    assert!(packages.len() > 14, "only {} packages were found", packages.len());
    for folder in packages {
        let manifest = read(&folder.join("Cargo.toml"));
        let section = manifest.split("[package]\n").nth(1).expect("a package");
        let lines = section.lines().take_while(|line| !line.starts_with('['));
        let keys: Vec<&str> = lines.filter_map(|line| line.split(['.', ' ', '=']).next()).collect();
        for key in STATED {
            assert!(keys.contains(&key), "{} states no {key}", folder.display());
        }
    }
}

#[test]
fn every_package_brings_the_texts_of_its_licences() {
    for folder in packages() {
        for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
            let own = read(&folder.join(licence));
            assert_eq!(own, read(&root().join(licence)), "{}", folder.display());
        }
    }
}

#[test]
fn cargo_run_means_one_program() {
    let named = |folder: &PathBuf| read(&folder.join("Cargo.toml")).contains("\ndefault-run = \"contrapositive\"\n");
    let of: Vec<PathBuf> = packages().into_iter().filter(named).collect();
    assert_eq!(of, [root().join("verify/command-line")]);
}

/// Source files of a package, tests and benchmarks aside: they are run where the whole repository is.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let (mut found, mut open) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory).unwrap_or_else(|e| panic!("{}: {e}", directory.display())) {
            let path = entry.expect("an entry").path();
            let stem = path.file_stem().and_then(|s| s.to_str()).expect("a name");
            let is_other = ["tests", "benches", "examples", "target"].contains(&stem) || stem.starts_with('.');
            if is_other || path.join("Cargo.toml").exists() {
                continue;
            }
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                found.push(path);
            }
        }
    }
    found
}

/// Whether a file named from a folder lies below another folder.
fn stays_below(named: &str, from: &Path, folder: &Path) -> bool {
    let mut place = from.to_owned();
    for part in Path::new(named).components() {
        match part {
            Component::ParentDir => {
                place.pop();
            }
            part => place.push(part),
        }
    }
    place.starts_with(folder)
}

#[test]
fn no_package_takes_in_a_file_of_another() {
    let mut taken = 0;
    for folder in packages() {
        for path in sources(&folder) {
            let code = without_tests(&read(&path));
            for word in ["include_str!(\"", "include_bytes!(\""] {
                for named in code.split(word).skip(1).filter_map(|rest| rest.split('"').next()) {
                    taken += 1;
                    assert!(
                        stays_below(named, path.parent().expect("a folder"), &folder),
                        "{} takes in {named}, which is not in its package",
                        path.display()
                    );
                }
            }
        }
    }
    assert!(taken >= 8, "only {taken} files that are taken in were found");
}

#[test]
fn the_wheel_takes_along_what_the_claims_read() {
    let build = read(&root().join("src/python/build.rs"));
    let list = build.split("const NEEDED").nth(1).and_then(|rest| rest.split("];").next());
    let taken: Vec<&str> = list.expect("a list").split('"').skip(1).step_by(2).collect();
    let mut named = vec!["witnesses".to_owned()];
    for path in sources(&root().join("src/contrastive/data")) {
        let text = read(&path);
        for file in text.split("pub const IMAGES: &str = \"").skip(1) {
            named.extend(file.split('/').next().map(str::to_owned));
        }
    }
    assert!(named.len() > 2, "data sets of the project are looked for in the wrong place");
    for folder in &named {
        assert!(taken.contains(&folder.as_str()), "the wheel takes {taken:?} along, but not {folder}");
    }
}
