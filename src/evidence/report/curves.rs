//! The data that claims put before the reader, as tables.

use std::fmt::Write;

use super::text::{cell, sentence};
use crate::claim::{Column, Entry, Series};
use crate::run::Run;

/// The section of curves, if a claim has any.
pub(super) fn curves(out: &mut String, run: &Run) {
    if run.claims.iter().all(|claim| claim.series.is_empty()) {
        return;
    }
    let _ = writeln!(
        out,
        "\n## Curves\n\nWhat was measured in this run and is shown rather than judged: the figures of the papers on the data at \
         hand, and tables of the same kind. What may be said of them is said by the checks of the claim."
    );
    for claim in &run.claims {
        for series in &claim.series {
            let _ = writeln!(
                out,
                "\n### {}, {}\n\n{}.",
                claim.id,
                series.id,
                sentence(series.caption)
            );
            match &series.outcome {
                Ok(series) => table(out, series),
                Err(reason) => {
                    let _ = writeln!(out, "\n**Not computed**: {reason}.");
                }
            }
        }
    }
}

fn table(out: &mut String, series: &Series) {
    if let Some(note) = series.note() {
        let _ = writeln!(out, "{note}");
    }
    let heading = |column: &Column| match column.unit.as_str() {
        "" => cell(&column.name),
        unit => format!("{} ({})", cell(&column.name), cell(unit)),
    };
    let headings: Vec<String> = series.columns().iter().map(heading).collect();
    let _ = writeln!(
        out,
        "\n| {} |\n|{}",
        headings.join(" | "),
        "---|".repeat(headings.len())
    );
    for row in series.rows() {
        let cells: Vec<String> = row.iter().map(|entry: &Entry| cell(&entry.to_string())).collect();
        let _ = writeln!(out, "| {} |", cells.join(" | "));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use enclosures::enclosure::Enclosure;

    #[test]
    fn a_table_shows_units_and_supported_digits_only() {
        let mut series = Series::of([("N", ""), ("L|un", "nats")]).noting("two runs");
        series.push([15usize.into(), Enclosure::between(0.123_456, 0.123_457).into()]);
        series.push(["all".into(), Enclosure::between(1.0, 1.5).into()]);
        let mut out = String::new();
        table(&mut out, &series);
        assert_eq!(
            out,
            "two runs\n\n| N | L\\|un (nats) |\n|---|---|\n| 15 | 0.1235 |\n| all | [1, 1.5] |\n"
        );
        assert_eq!(sentence("ähnlich"), "Ähnlich");
    }
}
