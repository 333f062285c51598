//! What the README quotes from the report stands there.

use std::fs;
use std::path::Path;

#[test]
fn rows_quoted_in_the_readme_stand_in_the_report() {
    let read =
        |name: &str| fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).expect("a committed page");
    let (readme, report) = (read("README.md"), read("REPORT.md"));
    let rows: Vec<&str> = readme.lines().filter_map(|line| line.strip_prefix("> ")).collect();
    let quoted = rows.iter().filter(|row| row.starts_with("| [")).count();
    assert!(quoted >= 2, "the README quotes {quoted} rows");
    for row in rows {
        assert!(report.lines().any(|line| line == row), "the report has no line: {row}");
    }
}
