//! The table: every statement, then the classes and the sizes.

use std::fmt::Write;

use evidence::budget::Budget;

use crate::measure::{Row, median};
use crate::statement::Class;

/// The sizes that are told apart: up to so many coordinates.
const SIZES: [(usize, &str); 4] = [(1, "1"), (5, "2 to 5"), (20, "6 to 20"), (usize::MAX, "more than 20")];

fn share(rows: &[&Row], seeds: u64) -> String {
    let (refuted, all) = (rows.iter().map(|r| r.found.refuted()).sum::<usize>(), rows.len() * seeds as usize);
    let always = rows.iter().filter(|r| r.found.refuted() == seeds as usize).count();
    let percent = 100.0 * refuted as f64 / all.max(1) as f64;
    format!("{} | {always} | {percent:.1} %", rows.len())
}

fn milliseconds(time: std::time::Duration) -> f64 {
    1e3 * time.as_secs_f64()
}

/// The whole table in Markdown.
pub fn table(rows: &[Row], budget: Budget, seeds: u64) -> String {
    let mut text = format!(
        "Budget {budget}, {seeds} seeds.\n\n| class | statements | refuted from every seed | share of runs \
         |\n|---|---|---|---|\n"
    );
    for class in Class::ALL {
        let of: Vec<&Row> = rows.iter().filter(|r| r.class == class).collect();
        if !of.is_empty() {
            let _ = writeln!(text, "| {} | {} |", class.name(), share(&of, seeds));
        }
    }
    text += "\n| coordinates | statements | refuted from every seed | share of runs |\n|---|---|---|---|\n";
    let mut least = 0;
    for (most, name) in SIZES {
        let of: Vec<&Row> = rows.iter().filter(|r| r.dimension > least && r.dimension <= most).collect();
        least = most;
        if !of.is_empty() {
            let _ = writeln!(text, "| {name} | {} |", share(&of, seeds));
        }
    }
    let _ = writeln!(text, "| all | {} |", share(&rows.iter().collect::<Vec<_>>(), seeds));
    let times = rows.iter().flat_map(|r| r.found.times.iter().copied()).collect();
    let alarms: usize = rows.iter().map(|r| r.found.alarms).sum();
    let _ = writeln!(
        text,
        "\nMedian time until a verdict {:.1} ms. True twins refuted: {alarms} of {} runs.\n",
        milliseconds(median(times).unwrap_or_default()),
        rows.len() * seeds as usize,
    );
    text += "| statement | says | class | coordinates | refuted | evaluations (median) | time (median, ms) | true twin \
             (longest, ms) |\n|---|---|---|---|---|---|---|---|\n";
    for row in rows {
        let evaluations = row.found.median_evaluations().map_or("–".to_owned(), |n| n.to_string());
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {}/{seeds} | {evaluations} | {:.1} | {:.1} |",
            row.name.trim_start_matches("refuter."),
            row.words.replace('|', "\\|"),
            row.class.name(),
            row.dimension,
            row.found.refuted(),
            milliseconds(row.found.median_time()),
            milliseconds(row.found.longest),
        );
    }
    text
}
