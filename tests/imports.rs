//! The house stays a house: packages and modules import downwards only, and no two import one another in a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

mod source;

use source::without_tests;

/// The packages, lowest first. What stands on one floor does not import one another.
const FLOORS: [&[&str]; 9] = [
    &["src/enclosures", "src/evidence-derive"],
    &["src/evidence"],
    &["src/contrastive", "src/two-view", "src/statements", "src/pages"],
    &["src/cli", "src/estimators", "src/linear-ssl", "src/site"],
    &["src/embeddings"],
    &[
        "verify/merad2020",
        "verify/esser2024",
        "verify/wen2020",
        "verify/ren2023",
    ],
    &["verify/command-line", "src/python"],
    &["."],
    &["examples/classics"],
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The names under `[dependencies]` of a package.
fn dependencies(folder: &str) -> Vec<String> {
    let manifest = read(&root().join(folder).join("Cargo.toml"));
    let section = manifest.split("\n[dependencies]\n").nth(1).expect("dependencies");
    let lines = section.lines().take_while(|line| !line.starts_with('['));
    lines
        .filter_map(|line| Some(line.split(['.', ' ', '=']).next()?.replace('-', "_")))
        .collect()
}

/// The name by which other packages of the workspace call the one in a folder.
fn name(folder: &str) -> String {
    match folder {
        "." => "contrapositive".to_owned(),
        _ => folder.rsplit('/').next().unwrap_or(folder).replace('-', "_"),
    }
}

#[test]
fn packages_depend_on_lower_floors_only() {
    let mut below: BTreeSet<String> = BTreeSet::new();
    let all: BTreeSet<String> = FLOORS.iter().flat_map(|floor| floor.iter().map(|f| name(f))).collect();
    let mut seen = 0;
    for floor in FLOORS {
        for folder in floor {
            for dependency in dependencies(folder).iter().filter(|d| all.contains(*d)) {
                seen += 1;
                assert!(
                    below.contains(dependency),
                    "{folder} depends on {dependency}, which is not below it"
                );
            }
        }
        below.extend(floor.iter().map(|f| name(f)));
    }
    assert!(seen >= 20, "only {seen} dependencies between packages were read");
}

#[test]
fn the_engine_knows_nothing_of_contrastive_learning() {
    let numbers = dependencies("src/enclosures");
    let engine = dependencies("src/evidence");
    for other in ["contrastive", "two_view", "estimators", "linear_ssl"] {
        assert!(
            !engine.iter().any(|d| d == other) && !numbers.iter().any(|d| d == other),
            "{other}"
        );
    }
    assert!(engine.iter().any(|d| d == "enclosures"));
}

/// Every module of a package but tests: its path in the package, and its text without comments and tests.
fn modules(folder: &str) -> BTreeMap<Vec<String>, String> {
    let mut found = BTreeMap::new();
    let sources = root().join(folder).join("src");
    let start = if sources.exists() { sources } else { root().join(folder) };
    let mut open = vec![(start, Vec::new())];
    while let Some((path, module)) = open.pop() {
        for entry in fs::read_dir(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display())) {
            let entry = entry.expect("a directory entry").path();
            let stem = entry.file_stem().and_then(|s| s.to_str()).expect("a name").to_owned();
            if ["tests", "benches", "target", "main"].contains(&stem.as_str()) || entry.join("Cargo.toml").exists() {
                continue;
            }
            let mut inner = module.clone();
            if entry.is_dir() {
                inner.push(stem);
                open.push((entry, inner));
            } else if entry.extension().is_some_and(|e| e == "rs") {
                if !["mod", "lib"].contains(&stem.as_str()) {
                    inner.push(stem);
                }
                let text = without_tests(&read(&entry));
                let code: Vec<&str> = text
                    .lines()
                    .map(|line| line.split("//").next().unwrap_or_default())
                    .collect();
                found.insert(inner, code.join("\n"));
            }
        }
    }
    found
}

/// The paths that a tree of imports names: `a::{b, c::{d, e}}` names `a::b`, `a::c::d` and `a::c::e`.
fn paths(tree: &str) -> Vec<String> {
    let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let (path, rest) = tree.split_at(tree.find(|c| !is_path(c)).unwrap_or(tree.len()));
    let Some(list) = rest
        .strip_prefix('{')
        .filter(|_| path.is_empty() || path.ends_with("::"))
    else {
        return vec![path.to_owned()];
    };
    let (mut depth, mut start, mut found) = (0_usize, 0, Vec::new());
    for (place, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            '}' | ',' if depth == 0 => {
                found.extend(
                    paths(list[start..place].trim())
                        .iter()
                        .map(|inner| format!("{path}{inner}")),
                );
                start = place + 1;
                if c == '}' {
                    break;
                }
            }
            _ => {}
        }
    }
    found
}

#[test]
fn a_tree_of_imports_is_read_to_its_leaves() {
    let read = paths("a::{b::{c, d}, e as f,\n g};\nuse x");
    assert_eq!(read, ["a::b::c", "a::b::d", "a::e", "a::g"]);
    assert_eq!(paths("{a, b::c}"), ["a", "b::c"]);
    assert_eq!(paths("a::b(x)"), ["a::b"]);
}

/// The modules that a module names by a path through `crate` or `super`, its own ancestors left out.
fn imports(module: &[String], code: &str, known: &BTreeMap<Vec<String>, String>) -> BTreeSet<Vec<String>> {
    let mut found = BTreeSet::new();
    for (start, _) in code.match_indices("crate::").chain(code.match_indices("super::")) {
        let before = code[..start].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
            continue;
        }
        let mut base: Vec<String> = if code[start..].starts_with("crate") {
            Vec::new()
        } else {
            module.to_vec()
        };
        let mut rest = &code[start..];
        if let Some(after) = rest.strip_prefix("crate::") {
            rest = after;
        }
        while let Some(after) = rest.strip_prefix("super::") {
            base.pop();
            rest = after;
        }
        for path in paths(rest) {
            let mut target = base.clone();
            target.extend(path.split("::").filter(|s| !s.is_empty()).map(str::to_owned));
            while !target.is_empty() && !known.contains_key(&target) {
                target.pop();
            }
            if !target.is_empty() && !module.starts_with(&target) {
                found.insert(target);
            }
        }
    }
    found
}

#[test]
fn modules_import_one_another_in_no_circle() {
    let mut edges_read = 0;
    for folder in FLOORS.iter().flat_map(|floor| floor.iter()).filter(|f| **f != ".") {
        let known = modules(folder);
        let mut waiting: BTreeMap<&Vec<String>, BTreeSet<Vec<String>>> = known
            .iter()
            .map(|(module, code)| (module, imports(module, code, &known)))
            .collect();
        edges_read += waiting.values().map(BTreeSet::len).sum::<usize>();
        loop {
            let free: Vec<Vec<String>> = waiting
                .iter()
                .filter(|(_, needs)| needs.is_empty())
                .map(|(m, _)| (*m).clone())
                .collect();
            if free.is_empty() {
                break;
            }
            waiting.retain(|module, _| !free.contains(module));
            waiting
                .values_mut()
                .for_each(|needs| needs.retain(|n| !free.contains(n)));
        }
        let left: Vec<String> = waiting.keys().map(|m| m.join("::")).collect();
        assert!(
            left.is_empty(),
            "{folder}: in a circle, or above one: {}",
            left.join(", ")
        );
    }
    assert!(edges_read > 300, "only {edges_read} imports were read");
}
