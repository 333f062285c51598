//! The table and the sweeps as text, and their place in docs/benchmarks.md.

use std::fmt::Write;
use std::path::Path;

use crate::Answer;
use crate::growth::Sweep;
use crate::rows::{Aim, Measured, Row};

const BEGIN: &str = "<!-- written by `cargo bench --bench limits -- --write` -->";
const END: &str = "<!-- end of what is written -->";

fn short(seconds: f64) -> String {
    if seconds < 0.1 {
        format!("{:.1} ms", 1e3 * seconds)
    } else {
        format!("{seconds:.2} s")
    }
}

fn cells(row: &Row, measured: &Measured) -> (String, String) {
    match (&row.aim, measured.product) {
        (Aim::Products(aim), Some(product)) => (
            format!("{:.1} products of {}", measured.seconds / product, short(product)),
            format!("{aim} products"),
        ),
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
        format!(
            "; a million points, by the square and not measured: {:.1} h",
            seconds / 3600.0
        )
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
    let times: Vec<String> = sweep
        .times
        .iter()
        .map(|(size, time)| format!("{size}: {time:.3} s"))
        .collect();
    format!(
        "{}: exponent {:.2} (expected {}); {}",
        sweep.over,
        sweep.exponent(),
        sweep.expected,
        times.join(", ")
    )
}

/// All of it as Markdown.
pub fn section(table: &[(&Row, Measured)], sweeps: &[Sweep], beside: &str, peers: Option<&str>) -> String {
    let mut text = format!("{}, {} threads.\n\n", processor(), rayon::current_num_threads());
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
        let times: Vec<String> = sweep
            .times
            .iter()
            .map(|(size, time)| format!("{size}: {time:.3}"))
            .collect();
        let exponent = sweep.exponent();
        let _ = writeln!(
            text,
            "| {} | {} | {exponent:.2} | {} |",
            sweep.over,
            times.join(", "),
            sweep.expected
        );
    }
    text.push_str("\n![time over size](benchmarks.svg)\n");
    let _ = write!(
        text,
        "\nBeside the table, each pair in turn in one process:\n\n{beside}"
    );
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
    let name = told
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    name.map_or_else(|| "An unnamed processor".to_owned(), |(_, name)| name.trim().to_owned())
}

/// A page with the text between its two marks.
///
/// # Errors
/// The page cannot be read, or has no marks.
pub fn replaced(page: &Path, text: &str) -> Answer<String> {
    let old = std::fs::read_to_string(page)?;
    let (before, rest) = old.split_once(BEGIN).ok_or("the page has no place for the table")?;
    let (_, after) = rest.split_once(END).ok_or("the place for the table has no end")?;
    Ok(format!("{before}{BEGIN}\n\n{}\n{END}{after}", text.trim_end()))
}
