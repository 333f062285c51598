//! Puts the data sets and witnesses into the program, so that it can explain and replay claims where there is no folder with them.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// What claims read when they run.
const CARRIED: [&str; 3] = ["digits", "mnist5k", "witnesses"];

fn files(below: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(below)? {
        let path = entry?.path();
        if path.is_dir() {
            files(&path, found)?;
        } else {
            found.push(path);
        }
    }
    Ok(())
}

fn main() -> io::Result<()> {
    let variable = |name| env::var_os(name).ok_or_else(|| io::Error::other(format!("{name} is not set")));
    // A package without its workspace has none, and carries nothing.
    let fixtures = Path::new(&variable("CARGO_MANIFEST_DIR")?).join("../../fixtures");
    let mut found = Vec::new();
    for folder in CARRIED.map(|name| fixtures.join(name)) {
        println!("cargo::rerun-if-changed={}", folder.display());
        if folder.is_dir() {
            files(&folder, &mut found)?;
        }
    }
    found.sort();
    let mut hash = DefaultHasher::new();
    let mut entries = String::new();
    for path in &found {
        let name = path.strip_prefix(&fixtures).map_err(io::Error::other)?;
        let name: Vec<_> = name.iter().map(|part| part.to_string_lossy()).collect();
        (&name, fs::read(path)?).hash(&mut hash);
        entries += &format!("    ({:?}, include_bytes!({:?})),\n", name.join("/"), path.canonicalize()?);
    }
    let text = format!("cli::Carried {{ mark: \"{:016x}\", files: &[\n{entries}] }}\n", hash.finish());
    fs::write(Path::new(&variable("OUT_DIR")?).join("carried.rs"), text)
}
