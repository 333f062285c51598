//! Formulas as MathML, which browsers set without a script.

use maud::{Markup, html};
use pages::formula::{Part, Piece, pieces};

/// A text with its formulas set.
pub(crate) fn text(text: &str) -> Markup {
    html! { @for piece in pieces(text) {
        @match piece {
            Piece::Words(words) => (words),
            Piece::Formula(parts) => (formula(&parts)),
        }
    } }
}

/// A formula in pieces between its spaces, since a browser breaks no line inside a piece.
fn formula(parts: &[Part]) -> Markup {
    let mut flat = Vec::new();
    flatten(parts, &mut flat);
    html! { @for (at, piece) in flat.split(|part| *part == Part::Space).enumerate() {
        @if at > 0 { " " }
        @if !piece.is_empty() { math { (row(piece)) } }
    } }
}

/// Brackets that hold spaces and bear no script, as signs between what they hold.
fn flatten(parts: &[Part], flat: &mut Vec<Part>) {
    for part in parts {
        match part {
            Part::Fenced(open, inside, close) => {
                flat.push(Part::Sign(*open));
                flatten(inside, flat);
                flat.push(Part::Sign(*close));
            }
            other => flat.push(other.clone()),
        }
    }
}

fn row(parts: &[Part]) -> Markup {
    html! { mrow { @for part in parts { (one(part)) } } }
}

fn one(part: &Part) -> Markup {
    match part {
        Part::Symbol(name) => html! { mi { (name) } },
        Part::Number(digits) => html! { mn { (digits) } },
        Part::Sign(c) => sign(*c),
        Part::Space => html! { mspace width="0.25em" {} },
        Part::Scripted { base, sub, sup } => match (sub.is_empty(), sup.is_empty()) {
            (false, false) => html! { msubsup { (one(base)) (row(sub)) (row(sup)) } },
            (false, true) => html! { msub { (one(base)) (row(sub)) } },
            _ => html! { msup { (one(base)) (row(sup)) } },
        },
        Part::Root(inside) => html! { msqrt { (row(inside)) } },
        Part::Fraction(above, below) => html! { mfrac { (row(above)) (row(below)) } },
        Part::Fenced(open, inside, close) => html! { mrow { (sign(*open)) (row(inside)) (sign(*close)) } },
    }
}

/// Signs keep the size of the line, as in the text around them, and take their space from the spaces that are written.
fn sign(c: char) -> Markup {
    html! { mo stretchy="false" lspace="0" rspace="0" { (c) } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_formula_among_words_is_set_and_the_words_stay() {
        assert_eq!(text("for every encoder").into_string(), "for every encoder");
        let found = text("the norm ‖x‖_2 < 1").into_string();
        assert!(found.starts_with("the norm <math><mrow>"), "{found}");
        assert!(found.contains("</math> <math>"), "{found}");
        assert!(
            found.contains(
                "<msub><mo stretchy=\"false\" lspace=\"0\" rspace=\"0\">‖</mo><mrow><mn>2</mn></mrow></msub>"
            )
        );
        assert!(found.contains("&lt;"), "{found}");
        let found = text("W₁ᵀW₂ and √d").into_string();
        assert!(
            found.contains("<msubsup><mi>W</mi><mrow><mn>1</mn></mrow><mrow><mi>T</mi></mrow></msubsup>"),
            "{found}"
        );
        assert!(found.contains("<msqrt><mrow><mi>d</mi></mrow></msqrt>"), "{found}");
    }
}
