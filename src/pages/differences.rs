//! Instances in a row, of each only what it has other than the one before.

/// What a list says of itself that was shortened here.
pub(crate) const SHORTENED: &str = "each entry lists only what differs from the one before";

/// A list with semicolons whose entries repeat nothing of the entry before them, where both name the same quantities in the same order;
/// none where no entry becomes shorter.
pub(crate) fn differences(list: &str) -> Option<String> {
    let entries: Vec<Vec<&str>> = split(list, "; ").into_iter().map(|entry| split(entry, ", ")).collect();
    let mut told = vec![entries.first()?.join(", ")];
    let mut shortened = false;
    for pair in entries.windows(2) {
        let (before, entry) = (&pair[0], &pair[1]);
        let other: Vec<&str> = entry.iter().zip(before).filter(|(a, b)| a != b).map(|(a, _)| *a).collect();
        let repeats = before.len() == entry.len() && before.iter().zip(entry).all(|(a, b)| quantity(a) == quantity(b));
        // A single number that is left out saves nothing to those who read.
        if repeats && !other.is_empty() && other.len() + 2 <= entry.len() {
            shortened = true;
            told.push(other.join(", "));
        } else {
            told.push(entry.join(", "));
        }
    }
    shortened.then(|| told.join("; "))
}

/// What stands before the sign of equality.
fn quantity(field: &str) -> Option<&str> {
    field.split_once(" = ").map(|(name, _)| name)
}

/// The pieces between separators that stand outside of all brackets.
fn split<'a>(text: &'a str, separator: &str) -> Vec<&'a str> {
    let (mut pieces, mut depth, mut from) = (Vec::new(), 0i32, 0);
    for (at, sign) in text.char_indices() {
        match sign {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ if depth == 0 && at >= from && text[at..].starts_with(separator) => {
                pieces.push(&text[from..at]);
                from = at + separator.len();
            }
            _ => {}
        }
    }
    pieces.push(&text[from..]);
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_instance_shares_with_the_one_before_is_said_once() {
        let list = "zero queries, m = 256, L = 1, d = 1; zero queries, m = 512, L = 1, d = 4; a hexagon, m = 512, L = 1, d = 4";
        let told = "zero queries, m = 256, L = 1, d = 1; m = 512, d = 4; a hexagon";
        assert_eq!(differences(list).as_deref(), Some(told));
    }

    #[test]
    fn other_quantities_twins_and_short_entries_stay_whole() {
        for list in [
            "m = 1, L = 1, d = 1; m = 2, L = 1, n = 1",
            "m = 1, L = 1, d = 1; m = 1, L = 1, d = 1",
            "m = 1, L = 1; m = 2, L = 1",
            "W = [[1, 2]; [3, 4]], d = 1",
            "x, y in [0, 1] (drawn)",
        ] {
            assert_eq!(differences(list), None, "{list}");
        }
    }
}
