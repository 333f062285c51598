//! The data that a claim puts before the reader, as tables.

use crate::page::{Block, Line, Table};
use crate::text::{sentence, stopped};
use crate::{picture, place};
use evidence::claim::{Cell, Column, Series};
use evidence::run::{ClaimResult, SeriesResult};

/// The series of a claim: the caption of each, its picture, and its table.
pub(crate) fn curves(claim: &ClaimResult) -> Vec<Block> {
    claim.series.iter().flat_map(|series| one(claim, series)).collect()
}

/// The pictures of a claim: for each a path from the root of the repository, and the file as SVG.
#[must_use]
pub fn pictures(claim: &ClaimResult) -> Vec<(String, String)> {
    let drawn = |series: &SeriesResult| {
        let svg = picture::svg(series.outcome.as_ref().ok()?)?;
        Some((place::picture(claim, &series.id), svg))
    };
    claim.series.iter().filter_map(drawn).collect()
}

fn one(claim: &ClaimResult, series: &SeriesResult) -> Vec<Block> {
    let caption = Line::new().strong(&*series.id);
    let mut blocks = vec![Block::Paragraph(caption.text(format!(": {}", stopped(&sentence(&series.caption)))))];
    match &series.outcome {
        Ok(computed) => {
            if let Some(note) = computed.note() {
                blocks.push(Block::paragraph(note));
            }
            if picture::svg(computed).is_some() {
                blocks
                    .push(Block::Picture { path: place::picture(claim, &series.id), words: sentence(&series.caption) });
            }
            blocks
                .push(Block::Folded { summary: "The numbers".to_owned(), inside: vec![Block::Table(table(computed))] });
        }
        Err(reason) => blocks.push(Block::Paragraph(Line::new().strong("Not computed").text(format!(": {reason}.")))),
    }
    blocks
}

fn table(series: &Series) -> Table {
    let heading = |column: &Column| match column.unit.as_str() {
        "" => column.name.clone(),
        unit => format!("{} ({unit})", column.name),
    };
    let row = |row: &Vec<Cell>| row.iter().map(|entry| entry.to_string().into()).collect();
    Table { columns: series.columns().iter().map(heading).collect(), rows: series.rows().iter().map(row).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use enclosures::enclosure::Enclosure;

    #[test]
    fn a_table_shows_units_and_supported_digits_only() {
        let mut series = Series::of([("N", ""), ("L_un", "nats")]);
        series.push([15usize.into(), Enclosure::between(0.123_456, 0.123_457).into()]);
        series.push(["all".into(), Enclosure::between(1.0, 1.5).into()]);
        let table = table(&series);
        assert_eq!(table.columns, ["N", "L_un (nats)"]);
        let row = |cells: [&str; 2]| cells.map(Line::from).to_vec();
        assert_eq!(table.rows, [row(["15", "0.1235"]), row(["all", "[1, 1.5]"])]);
    }
}
