//! The table and the sweeps as text, and their place in docs/benchmarks.md: a section for every processor, for a product of matrices, the
//! unit of the table, is another one on each.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use crate::Answer;
use crate::growth::Sweep;
use crate::rows::{Aim, Measured, Row};

const END: &str = "<!-- end of what is written -->";

/// What a section begins with.
fn begin(machine: &str) -> String {
    format!("<!-- written by `cargo bench --bench limits -- --write` on {machine} -->")
}

/// The processor and how many threads work.
pub fn machine() -> String {
    format!("{}, {} threads", processor(), rayon::current_num_threads())
}

/// The name of the picture that belongs to a machine: its letters and digits.
pub fn picture_name(machine: &str) -> String {
    let words = machine.split(|c: char| !c.is_ascii_alphanumeric());
    let words: Vec<String> = words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    format!("benchmarks-{}.svg", words.join("-"))
}

fn short(seconds: f64) -> String {
    if seconds < 0.1 { format!("{:.1} ms", 1e3 * seconds) } else { format!("{seconds:.2} s") }
}

fn cells(row: &Row, measured: &Measured) -> (String, String) {
    match (&row.aim, measured.product) {
        (Aim::Products(aim), Some(product)) => {
            (format!("{:.1} products of {}", measured.seconds / product, short(product)), format!("{aim} products"))
        }
        (Aim::Products(aim), None) => (format!("{:.2} s", measured.seconds), format!("{aim} products")),
        (Aim::Seconds(seconds, megabytes), _) => (
            format!("{:.2} s", measured.seconds),
            megabytes.map_or_else(|| format!("{seconds} s"), |most| format!("{seconds} s, {most} MB")),
        ),
    }
}

/// The largest resident set, and against the points themselves where these are many.
fn memory(measured: &Measured) -> String {
    match measured.megabytes {
        Some(most) if measured.data > 20.0 => format!("{most:.0} MB, {:.1} times the data", most / measured.data),
        Some(most) => format!("{most:.0} MB"),
        None => String::new(),
    }
}

/// What there is to say of the result, and of what was not measured.
fn result(measured: &Measured) -> String {
    let million = measured.million.map_or_else(String::new, |seconds| {
        format!("; a million points, by the square and not measured: {:.1} h", seconds / 3600.0)
    });
    format!("{}{million}", measured.result)
}

/// One row for a terminal.
pub fn line(row: &Row, measured: &Measured) -> String {
    let (is, aim) = cells(row, measured);
    let memory = memory(measured);
    format!("{:60} {is:28} (aim {aim}) {memory:>8}  {}", row.name, result(measured))
}

/// One sweep for a terminal.
pub fn growth(sweep: &Sweep) -> String {
    let times: Vec<String> = sweep.times.iter().map(|(size, time)| format!("{size}: {time:.3} s")).collect();
    format!("{}: exponent {:.2} (expected {}); {}", sweep.over, sweep.exponent(), sweep.expected, times.join(", "))
}

/// What the section of a machine begins with; to be asked before anything is measured, so that the commit is that of what was.
pub fn head(machine: &str) -> String {
    let measured = commit().map_or_else(String::new, |commit| format!("Measured at commit {commit}.\n\n"));
    format!("### {machine}\n\n{measured}")
}

/// All of it as Markdown, after its head.
pub fn section(
    (machine, head): (&str, String),
    table: &[(&Row, Measured)],
    sweeps: &[Sweep],
    beside: &str,
    peers: Option<&str>,
) -> String {
    let mut text = head;
    text.push_str("| what | then | measured | aim | memory | result |\n|---|---|---|---|---|---|\n");
    for (row, measured) in table {
        let (is, aim) = cells(row, measured);
        let _ = writeln!(
            text,
            "| {} | {} | {is} | {aim} | {} | {} |",
            row.name,
            row.then,
            memory(measured),
            result(measured)
        );
    }
    text.push_str("\nOne exact loss over every size, and the exponent of the growth between the last two sizes:\n\n");
    text.push_str("| over | seconds | exponent | expected |\n|---|---|---|---|\n");
    for sweep in sweeps {
        let times: Vec<String> = sweep.times.iter().map(|(size, time)| format!("{size}: {time:.3}")).collect();
        let exponent = sweep.exponent();
        let _ = writeln!(text, "| {} | {} | {exponent:.2} | {} |", sweep.over, times.join(", "), sweep.expected);
    }
    let _ = write!(text, "\n![time over size]({})\n", picture_name(machine));
    let _ = write!(text, "\nBeside the table, each pair in turn in one process:\n\n{beside}");
    if let Some(peers) = peers {
        let _ = write!(
            text,
            "\nThe same by other programs (`benches/peers/losses.py`, `benches/peers/monte_carlo.py`):\n\n{peers}"
        );
    }
    text
}

/// The name of the processor, where the system tells.
fn processor() -> String {
    let told = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = told.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    name.map_or_else(|| "An unnamed processor".to_owned(), |(_, name)| name.trim().to_owned())
}

/// The commit whose code is measured, where git tells.
fn commit() -> Option<String> {
    let describe = Command::new("git")
        .args(["-C", env!("CARGO_MANIFEST_DIR"), "describe", "--always", "--dirty", "--abbrev=8"])
        .output()
        .ok()?;
    let told = String::from_utf8(describe.stdout).ok()?;
    (describe.status.success() && !told.trim().is_empty()).then(|| told.trim().to_owned())
}

/// A page with the text as the section of a machine: in place of the one that it has of it, or after all others.
///
/// # Errors
/// The page cannot be read, or has no section.
pub fn replaced(page: &Path, machine: &str, text: &str) -> Answer<String> {
    let old = std::fs::read_to_string(page)?;
    let begin = begin(machine);
    let section = format!("{begin}\n\n{}\n{END}", text.trim_end());
    if let Some((before, rest)) = old.split_once(&begin) {
        let (_, after) = rest.split_once(END).ok_or("the section of this machine has no end")?;
        return Ok(format!("{before}{section}{after}"));
    }
    let (before, after) = old.rsplit_once(END).ok_or("the page has no section of any machine")?;
    Ok(format!("{before}{END}\n\n{section}{after}"))
}
