//! How texts and pairs of sides are written into Markdown.

use crate::run::Sides;
use enclosures::enclosure::Enclosure;

/// Both sides to four digits.
pub(super) fn in_numbers(sides: &Sides) -> String {
    let number = |ends: &[Option<f64>; 2]| {
        let [lo, hi] = [ends[0].unwrap_or(f64::NEG_INFINITY), ends[1].unwrap_or(f64::INFINITY)];
        format!("{:.4}", Enclosure::between(lo, hi))
    };
    format!("{} {} {}", number(&sides.left), sides.relation, number(&sides.right))
}

/// A text that may stand in a table cell.
pub(super) fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

/// With a capital letter.
pub(super) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters
        .next()
        .map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
