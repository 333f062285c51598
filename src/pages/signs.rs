//! The signs of a claim and what they stand for, as a reader wants them.
//!
//! A claim names a sign by the letters with which it stands in its texts ("cond(κ", "O(", "C⁴"), so that one rule can ask whether it is
//! used. A reader wants it whole, and once.

use crate::page::Line;
use evidence::claim::Symbol;

/// What may stand between a sign and its meaning.
const LINKS: [&str; 4] = [" = ", ": ", " is ", " are "];

/// A sign and what it stands for.
pub(crate) fn line(symbol: &Symbol) -> Line {
    let Symbol { sign, meaning } = symbol;
    // A meaning that begins with the sign itself, or with the letter of it, names it in full.
    let first = LINKS.iter().filter_map(|link| meaning.find(link)).min();
    let head = first.map_or("", |at| &meaning[..at]);
    let names_it = !head.is_empty() && (head.starts_with(sign) || sign.starts_with(head)) && !head.contains([';', ' ']);
    if names_it {
        Line::new().strong(head).text(&meaning[head.len()..])
    } else {
        Line::new().strong(closed(sign)).text(format!(": {meaning}"))
    }
}

/// A sign whose brackets and bars are closed around what they leave open.
fn closed(sign: &str) -> String {
    let count = |letter: char| sign.chars().filter(|&c| c == letter).count();
    if count('(') > count(')') {
        return format!("{sign}…)");
    }
    if count('[') > count(']') {
        return format!("{sign}…]");
    }
    // A bar in the middle parts ("KL(P‖Q)"); one at an end opens or closes.
    if count('‖') != 1 {
        return sign.to_owned();
    }
    match sign.strip_prefix('‖') {
        Some(rest) if rest.starts_with(['_', '₂', '²']) => format!("‖·‖{rest}"),
        Some(rest) => format!("‖{}‖", if rest.is_empty() { "·" } else { rest }),
        None if sign.ends_with('‖') => format!("{sign}·‖"),
        None => sign.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Inline;

    fn told(sign: &'static str, meaning: &'static str) -> String {
        let told = |span: &Inline| match span {
            Inline::Strong(text) => format!("*{text}*"),
            Inline::Text(text) => text.clone(),
            other => panic!("{other:?}"),
        };
        line(&Symbol::new(sign, meaning)).0.iter().map(told).collect()
    }

    #[test]
    fn a_sign_is_whole_and_stands_there_once() {
        assert_eq!(
            told("cond(κ", "cond(κ) = max κ_p/min κ_p over the signals"),
            "*cond(κ)* = max κ_p/min κ_p over the signals"
        );
        assert_eq!(told("C⁴", "C is the largest ‖f(x)‖"), "*C* is the largest ‖f(x)‖");
        assert_eq!(told("M/(1", "M: the number of negatives"), "*M*: the number of negatives");
        assert_eq!(told("‖", "the Euclidean norm"), "*‖·‖*: the Euclidean norm");
        assert_eq!(told("O(", "judged over the sweep: an interval"), "*O(…)*: judged over the sweep: an interval");
        assert_eq!(told("KL(P‖Q)", "the divergence"), "*KL(P‖Q)*: the divergence");
        assert_eq!(told("E‖", "the mean"), "*E‖·‖*: the mean");
        assert_eq!(told("‖_F", "the root"), "*‖·‖_F*: the root");
        assert_eq!(told("| W_i", "given W_i"), "*| W_i*: given W_i");
        assert_eq!(told("St(h,", "St(h,k): the real h×k matrices"), "*St(h,k)*: the real h×k matrices");
        assert_eq!(told("log", "the natural logarithm"), "*log*: the natural logarithm");
        assert_eq!(
            told("σ_max²", "σ_max² = max σ_p² and σ_min² = min σ_p²"),
            "*σ_max²* = max σ_p² and σ_min² = min σ_p²"
        );
    }
}
