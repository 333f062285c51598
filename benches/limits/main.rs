//! How near the estimators and the report on embeddings come to what no program can go below, in one run.
//!
//! `cargo bench --bench limits` prints the table; with `-- --write` it also replaces the section of this processor in docs/benchmarks.md
//! and draws its picture beside it. Further arguments select rows by parts of their names. Every row is measured in a process of its own, so that its
//! memory is its own, and where a product of matrices is the unit, in the same process as that product. `PEERS=venv/bin/python` adds the
//! programs of `benches/peers`; of several Pythons, divided by colons, each runs what it has.

mod beside;
mod data;
mod growth;
mod page;
mod peer_rows;
mod picture;
mod rows;

use std::error::Error;
use std::path::Path;
use std::process::Command;

use crate::growth::Sweep;
use crate::rows::{Measured, ROWS, Row};

type Answer<T> = Result<T, Box<dyn Error>>;

/// One row in a process of its own.
fn apart(row: &Row) -> Answer<Measured> {
    let output = Command::new(std::env::current_exe()?).args(["--row", row.name]).output()?;
    if !output.status.success() {
        return Err(format!("{}: {}", row.name, String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

fn peers() -> Answer<Option<String>> {
    let Ok(pythons) = std::env::var("PEERS") else {
        return Ok(None);
    };
    let run = |python: &str, script: &str, arguments: &[&str]| -> Answer<String> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/peers").join(script);
        let output = Command::new(python).arg(&script).args(arguments).output()?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
        }
        Ok(String::from_utf8(output.stdout)?)
    };
    let losses = |python: &str| run(python, "losses.py", &[]);
    let mut each = pythons.split(':').map(losses).collect::<Answer<Vec<String>>>()?;
    // Sampling is NumPy's, and Numba's where it is installed: the first Python's.
    if let Some(first) = pythons.split(':').next() {
        each.push(run(first, "monte_carlo.py", &["--markdown"])?);
    }
    Ok(Some(each.join("\n")))
}

fn main() -> Answer<()> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    if let [flag, name] = &arguments[..]
        && flag == "--row"
    {
        let row = ROWS.iter().chain(&peer_rows::ROWS).find(|row| row.name == name).ok_or("no such row")?;
        println!("{}", serde_json::to_string(&rows::measured(row)?)?);
        return Ok(());
    }
    let write = arguments.iter().any(|a| a == "--write");
    let parts: Vec<&String> = arguments.iter().filter(|a| !a.starts_with("--")).collect();
    let chosen = |name: &str| parts.is_empty() || parts.iter().any(|part| name.contains(part.as_str()));
    let machine = page::machine();
    let head = page::head(&machine);
    let mut table = Vec::new();
    for row in ROWS.iter().chain(&peer_rows::ROWS).filter(|row| chosen(row.name)) {
        let measured = apart(row)?;
        println!("{}", page::line(row, &measured));
        table.push((row, measured));
    }
    let mut sweeps: Vec<Sweep> = Vec::new();
    for sweep in growth::SWEEPS.iter().filter(|sweep| chosen(sweep.over)) {
        let sweep = growth::measured(sweep)?;
        println!("{}", page::growth(&sweep));
        sweeps.push(sweep);
    }
    let beside = if chosen("beside") { beside::measured()? } else { String::new() };
    print!("{beside}");
    let peers = if chosen("peers") { peers()? } else { None };
    print!("{}", peers.as_deref().unwrap_or_default());
    if write {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
        let page = docs.join("benchmarks.md");
        let section = page::section((&machine, head), &table, &sweeps, &beside, peers.as_deref());
        let text = page::replaced(&page, &machine, &section)?;
        let picture = docs.join(page::picture_name(&machine));
        evidence::writing::write_together(&[(picture, picture::draw(&sweeps)?), (page, text)])?;
    }
    Ok(())
}
