//! Puts the data sets and witnesses where the wheel takes them from.

use std::path::Path;
use std::{env, fs, io};

/// What the claims of the catalogue read when they run.
const NEEDED: [&str; 3] = ["digits", "mnist5k", "witnesses"];

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

fn main() -> io::Result<()> {
    let variable = |name| env::var_os(name).ok_or_else(|| io::Error::other(format!("{name} is not set")));
    let fixtures = Path::new(&variable("CARGO_MANIFEST_DIR")?).join("../../fixtures");
    let place = Path::new(&variable("OUT_DIR")?).join("fixtures");
    // What was there before may be there no longer.
    if place.exists() {
        fs::remove_dir_all(&place)?;
    }
    for folder in NEEDED {
        println!("cargo::rerun-if-changed=../../fixtures/{folder}");
        copy(&fixtures.join(folder), &place.join(folder))?;
    }
    Ok(())
}
