//! What the README quotes from the report stands there, and links of the pages lead somewhere.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use pages::anchor;
use pages::formula::latex;

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

/// The committed files of Markdown.
fn texts() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut found, mut open) = (Vec::new(), vec![root.to_owned()]);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
            if path.is_dir() && !name.starts_with('.') && !["target", "compiled"].contains(&name) {
                open.push(path);
            } else if name.ends_with(".md") {
                found.push(path);
            }
        }
    }
    found
}

/// The lines of a text that are not code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut fenced = false;
    text.lines().filter(move |line| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    })
}

/// The names that headings go by in links.
fn anchors(text: &str) -> BTreeSet<String> {
    let titles = prose(text).filter(|line| line.starts_with('#'));
    titles.map(|line| anchor(line.trim_start_matches('#').trim_start())).collect()
}

/// The addresses of a text's links: what stands in brackets behind the text of a link, but not in a span of code.
fn addresses(text: &str) -> Vec<&str> {
    let outside_code = prose(text).flat_map(|line| line.split('`').step_by(2));
    let behind = outside_code.flat_map(|span| span.split("](").skip(1));
    behind.filter_map(|rest| rest.split_once(')')).map(|(address, _)| address).filter(|a| !a.contains(' ')).collect()
}

#[test]
fn every_sign_of_a_page_has_a_command_of_latex() {
    for path in texts().into_iter().filter(|path| path.components().any(|part| part.as_os_str() == "verify")) {
        let text = fs::read_to_string(&path).expect("a text");
        for line in prose(&text) {
            let set = latex(line);
            let is_known = |c: char| c.is_ascii() || ('\u{c0}'..'\u{180}').contains(&c);
            assert!(set.chars().all(is_known) && !set.contains("{U+"), "{}: {set}", path.display());
        }
    }
}

#[test]
fn links_lead_to_a_file_and_a_heading_that_stand_there() {
    let (mut seen, mut broken) = (0, Vec::new());
    for path in texts() {
        let text = fs::read_to_string(&path).expect("a text");
        for address in addresses(&text).into_iter().filter(|address| !address.contains("://")) {
            let (file, heading) =
                address.split_once('#').map_or((address, None), |(file, heading)| (file, Some(heading)));
            let there = if file.is_empty() { path.clone() } else { path.with_file_name("").join(file) };
            let stands = match heading {
                Some(heading) if there.extension().is_some_and(|end| end == "md") => {
                    fs::read_to_string(&there).is_ok_and(|text| anchors(&text).contains(heading))
                }
                _ => there.exists(),
            };
            seen += 1;
            if !stands {
                broken.push(format!("{}: {address}", path.display()));
            }
        }
    }
    assert!(seen > 1000, "{seen} links");
    assert!(broken.is_empty(), "{} links lead nowhere:\n{}", broken.len(), broken.join("\n"));
}
