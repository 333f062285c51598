//! The house stays a house: packages and modules import downwards only, and no two import one another in a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

mod source;

use source::without_tests;

/// The packages, lowest first. What stands on one floor does not import one another.
const FLOORS: [&[&str]; 9] = [
    &["src/enclosures", "src/evidence-derive", "src/features"],
    &["src/evidence"],
    &["src/contrastive", "src/two-view", "src/statements", "src/pages"],
    &["src/cli", "src/estimators", "src/linear-ssl", "src/site"],
    &["src/embeddings"],
    &["verify/merad2020", "verify/esser2024", "verify/wen2020", "verify/ren2023"],
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
    lines.filter_map(|line| Some(line.split(['.', ' ', '=']).next()?.replace('-', "_"))).collect()
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
                assert!(below.contains(dependency), "{folder} depends on {dependency}, which is not below it");
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
        assert!(!engine.iter().any(|d| d == other) && !numbers.iter().any(|d| d == other), "{other}");
    }
    assert!(engine.iter().any(|d| d == "enclosures"));
}

/// The folder in which the modules of a package begin.
fn start(folder: &str) -> PathBuf {
    let sources = root().join(folder).join("src");
    if sources.exists() { sources } else { root().join(folder) }
}

/// Every module of a package but tests: its path in the package, and its text without comments and tests.
fn modules(folder: &str) -> BTreeMap<Vec<String>, String> {
    let mut found = BTreeMap::new();
    let mut open = vec![(start(folder), Vec::new())];
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
                let code: Vec<&str> = text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect();
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
    let Some(list) = rest.strip_prefix('{').filter(|_| path.is_empty() || path.ends_with("::")) else {
        return vec![path.to_owned()];
    };
    let (mut depth, mut start, mut found) = (0_usize, 0, Vec::new());
    for (place, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            '}' | ',' if depth == 0 => {
                found.extend(paths(list[start..place].trim()).iter().map(|inner| format!("{path}{inner}")));
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

/// The modules that a module names by a path through `crate` or `super`, itself and its ancestors among them; the root is the empty path.
fn named_modules(module: &[String], code: &str, known: &BTreeMap<Vec<String>, String>) -> BTreeSet<Vec<String>> {
    let mut found = BTreeSet::new();
    for (start, _) in code.match_indices("crate::").chain(code.match_indices("super::")) {
        let before = code[..start].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
            continue;
        }
        let mut base: Vec<String> = if code[start..].starts_with("crate") { Vec::new() } else { module.to_vec() };
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
            found.insert(target);
        }
    }
    found
}

/// The modules that a module imports, its own ancestors left out.
fn imports(module: &[String], code: &str, known: &BTreeMap<Vec<String>, String>) -> BTreeSet<Vec<String>> {
    let mut found = named_modules(module, code, known);
    found.retain(|target| !module.starts_with(target));
    found
}

/// Every module of a package with the modules that it imports.
fn edges(known: &BTreeMap<Vec<String>, String>) -> BTreeMap<Vec<String>, BTreeSet<Vec<String>>> {
    let each = known.iter();
    each.map(|(module, code)| (module.clone(), imports(module, code, known))).collect()
}

/// What is in a circle, or above one.
fn in_a_circle<M: Ord + Clone>(mut waiting: BTreeMap<M, BTreeSet<M>>) -> Vec<M> {
    loop {
        let free: BTreeSet<M> = waiting.iter().filter(|(_, needs)| needs.is_empty()).map(|(m, _)| m.clone()).collect();
        if free.is_empty() {
            return waiting.into_keys().collect();
        }
        waiting.retain(|module, _| !free.contains(module));
        waiting.values_mut().for_each(|needs| needs.retain(|n| !free.contains(n)));
    }
}

#[test]
fn modules_import_one_another_in_no_circle() {
    let mut edges_read = 0;
    for folder in FLOORS.iter().flat_map(|floor| floor.iter()).filter(|f| **f != ".") {
        let edges = edges(&modules(folder));
        edges_read += edges.values().map(BTreeSet::len).sum::<usize>();
        let left: Vec<String> = in_a_circle(edges).iter().map(|m| m.join("::")).collect();
        assert!(left.is_empty(), "{folder}: in a circle, or above one: {}", left.join(", "));
    }
    assert!(edges_read > 300, "only {edges_read} imports were read");
}

/// What stands side by side in a room, files and folders, each with its neighbours that it imports from anywhere inside of it.
fn neighbours(
    room: &[String],
    edges: &BTreeMap<Vec<String>, BTreeSet<Vec<String>>>,
) -> BTreeMap<String, BTreeSet<String>> {
    let beside = |module: &[String]| module.strip_prefix(room)?.first().cloned();
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (module, needs) in edges {
        let Some(own) = beside(module) else { continue };
        let others: BTreeSet<String> = needs.iter().filter_map(|n| beside(n)).filter(|n| *n != own).collect();
        found.entry(own).or_default().extend(others);
    }
    found
}

#[test]
fn folders_import_one_another_in_no_circle() {
    let mut rooms = 0;
    for folder in FLOORS.iter().flat_map(|floor| floor.iter()).filter(|f| **f != ".") {
        let edges = edges(&modules(folder));
        let above: BTreeSet<&[String]> = edges.keys().filter_map(|m| Some(m.split_last()?.1)).collect();
        for room in above {
            rooms += 1;
            let left = in_a_circle(neighbours(room, &edges));
            assert!(
                left.is_empty(),
                "{folder}, in the room `{}`: in a circle, or above one: {}",
                room.join("::"),
                left.join(", ")
            );
        }
    }
    assert!(rooms > 40, "only {rooms} rooms were read");
}

/// What is above its rooms and holds nothing of its own, so that an import from it is one of some room that nobody sees.
const ABOVE_ROOMS: [(&str, &str); 3] = [("src/evidence", "run"), ("src/pages", ""), ("src/statements", "")];

#[test]
fn rooms_import_from_one_another_and_not_from_the_list_of_them() {
    for (folder, above) in ABOVE_ROOMS {
        let known = modules(folder);
        let inside = known.iter().filter(|(module, _)| above.is_empty() || module.first().is_some_and(|m| m == above));
        for (module, code) in inside {
            let upward = named_modules(module, code, &known);
            let upward: Vec<_> = upward.iter().filter(|t| module.starts_with(t) && *t != module).collect();
            assert!(upward.is_empty(), "{folder}: {} imports from {upward:?}, which it stands in", module.join("::"));
        }
    }
}

/// The names between backticks, each once.
fn named(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for name in text.split('`').skip(1).step_by(2) {
        if !found.iter().any(|f| f == name) {
            found.push(name.to_owned());
        }
    }
    found
}

/// What the header of a room says after the words "lowest first"; none if it does not say them.
fn list_of(folder: &str, room: &[String]) -> Option<String> {
    let inside = room.iter().fold(start(folder), |path, step| path.join(step));
    let files = [inside.join("lib.rs"), inside.join("mod.rs"), inside.with_extension("rs")];
    let file = files.iter().find(|file| file.exists())?;
    let text = read(file);
    let header: Vec<&str> = text.lines().map_while(|line| line.strip_prefix("//!")).collect();
    let header = header.join("\n");
    let list = header.split("owest first").nth(1)?;
    Some(list.split("\n\n").next().unwrap_or_default().to_owned())
}

/// What a list with the lowest first gets wrong of those that stand side by side: a name that none of them has, an import of a later one.
fn faults(list: &[String], neighbours: &BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    let mut found = Vec::new();
    for (place, name) in list.iter().enumerate() {
        match neighbours.get(name) {
            Some(needs) => {
                let later = list[place..].iter().filter(|later| needs.contains(*later));
                found.extend(later.map(|later| format!("{name} imports {later}")));
            }
            None => found.push(format!("there is no {name}")),
        }
    }
    found
}

#[test]
fn a_list_with_the_lowest_first_is_in_the_order_of_the_imports() {
    let table = read(&root().join("ARCHITECTURE.md"));
    let (mut lists, mut wrong) = (0, Vec::new());
    for folder in FLOORS.iter().flat_map(|floor| floor.iter()).filter(|f| **f != ".") {
        let known = modules(folder);
        let edges = edges(&known);
        let package = folder.rsplit('/').next().unwrap_or(folder);
        let row = table.lines().find(|line| line.starts_with(&format!("| `{package}` |")));
        let list = named(row.and_then(|row| row.split('|').nth(4)).unwrap_or_default());
        lists += usize::from(!list.is_empty());
        let in_the_table = faults(&list, &neighbours(&[], &edges)).into_iter();
        wrong.extend(in_the_table.map(|fault| format!("ARCHITECTURE.md, {package}: {fault}")));
        let rooms: BTreeSet<&[String]> = edges.keys().filter_map(|m| Some(m.split_last()?.1)).collect();
        for room in rooms {
            let Some(text) = list_of(folder, room) else { continue };
            lists += 1;
            let neighbours = neighbours(room, &edges);
            // What is said of a module in parentheses may have names of its own.
            let list: Vec<String> = named(&text).into_iter().filter(|n| neighbours.contains_key(n)).collect();
            let mut faults = faults(&list, &neighbours);
            let declared = |name: &String| known[room].contains(&format!("mod {name};"));
            let left_out = neighbours.keys().filter(|n| declared(n) && !list.contains(n));
            faults.extend(left_out.map(|name| format!("{name} is not in the list")));
            let place = [&[(*folder).to_owned()], room].concat().join("/");
            wrong.extend(faults.iter().map(|fault| format!("{place}: {fault}")));
        }
    }
    assert!(wrong.is_empty(), "lists with the lowest first:\n{}", wrong.join("\n"));
    assert!(lists >= 20, "only {lists} lists were read");
}
