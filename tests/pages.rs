//! What the README quotes from the report stands there.

use std::fs;
use std::path::Path;

#[test]
fn rows_quoted_in_the_readme_stand_in_the_report() {
    let read =
        |name: &str| fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).expect("a committed page");
    let (readme, report) = (read("README.md"), read("REPORT.md"));
    let rows: Vec<&str> = readme
        .lines()
        .filter_map(|line| line.strip_prefix("> | "))
        .skip(1)
        .collect();
    assert!(rows.len() >= 2, "the README quotes {} rows", rows.len());
    for row in rows {
        let cells: Vec<&str> = row.trim_end_matches('|').split('|').map(str::trim).collect();
        let start = format!("| {} | {} |", cells[0], cells[1]);
        let found = report.lines().find(|line| line.starts_with(&start));
        let found = found.unwrap_or_else(|| panic!("the report has no row {start}"));
        for words in cells[2..].iter().flat_map(|cell| cell.split("; ")) {
            assert!(found.contains(words), "{start} does not say: {words}");
        }
    }
}
