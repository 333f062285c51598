//! A source file as the tests of the house read it.

/// The text without what is compiled for tests only: every item under `#[cfg(test)]`, to the end of its line or, as `cargo fmt` leaves it, to
/// the bracket that closes it in the column in which it begins.
pub fn without_tests(text: &str) -> String {
    let mut kept = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.trim() != "#[cfg(test)]" {
            kept.push(line);
            continue;
        }
        let column = &line[..line.len() - line.trim_start().len()];
        let ends = ["}", "};", ");"].map(|end| format!("{column}{end}"));
        let mut item = lines.by_ref().skip_while(|line| line.trim_start().starts_with("#["));
        if item.next().is_none_or(|first| first.ends_with([';', '}'])) {
            continue;
        }
        item.find(|line| ends.iter().any(|end| end == line));
    }
    kept.join("\n")
}
