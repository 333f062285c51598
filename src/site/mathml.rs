//! Formulas as MathML, which browsers set without a script.

use maud::{Markup, html};
use pages::formula::{Node, Piece, pieces};

/// A text with its formulas set.
pub(crate) fn text(text: &str) -> Markup {
    html! { @for piece in pieces(text) {
        @match piece {
            Piece::Words(words) => (words),
            Piece::Formula(nodes) => (formula(&nodes)),
        }
    } }
}

/// A formula in pieces between its spaces, since a browser breaks no line inside a piece.
fn formula(nodes: &[Node]) -> Markup {
    let mut flat = Vec::new();
    flatten(nodes, &mut flat);
    html! { @for (at, piece) in flat.split(|node| *node == Node::Space).enumerate() {
        @if at > 0 { " " }
        @if !piece.is_empty() { math { (row(piece)) } }
    } }
}

/// Brackets that hold spaces and bear no script, as signs between what they hold.
fn flatten(nodes: &[Node], flat: &mut Vec<Node>) {
    for node in nodes {
        match node {
            Node::Fenced(open, inside, close) => {
                flat.push(Node::Sign(*open));
                flatten(inside, flat);
                flat.push(Node::Sign(*close));
            }
            other => flat.push(other.clone()),
        }
    }
}

fn row(nodes: &[Node]) -> Markup {
    html! { mrow { @for node in nodes { (one(node)) } } }
}

fn one(node: &Node) -> Markup {
    match node {
        Node::Symbol(name) => html! { mi { (name) } },
        Node::Number(digits) => html! { mn { (digits) } },
        Node::Sign(c) => sign(*c),
        Node::Space => html! { mspace width="0.25em" {} },
        Node::Scripted { base, sub, sup } => match (sub.is_empty(), sup.is_empty()) {
            (false, false) => html! { msubsup { (one(base)) (row(sub)) (row(sup)) } },
            (false, true) => html! { msub { (one(base)) (row(sub)) } },
            _ => html! { msup { (one(base)) (row(sup)) } },
        },
        Node::Root(inside) => html! { msqrt { (row(inside)) } },
        Node::Fraction(above, below) => html! { mfrac { (row(above)) (row(below)) } },
        Node::Fenced(open, inside, close) => html! { mrow { (sign(*open)) (row(inside)) (sign(*close)) } },
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
