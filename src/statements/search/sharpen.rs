//! Which constant of a statement could be improved, for all that was tried.

use std::fmt;

use enclosures::enclosure::plain;
use enclosures::stream;
use evidence::claim::Evaluation;
use evidence::judge::{Judgement, judge};
use rand_core::Rng;

use super::screen::cost;
use crate::formulas::term::{Chain, Kind, Node, Term, Terms, inside};
use crate::instances::assignment::Assignment;
use crate::instances::compare::{is_met, judged, room};
use crate::instances::draw::{Dice, STYLES, draw, edges};
use crate::instances::statement::Statement;
use crate::numbers::number::{Value, decimal};
use crate::text::syntax::{Literal, Span};

/// A constant and how far it could be moved.
#[derive(Clone, Debug, PartialEq)]
pub struct MovableConstant {
    /// As it was written, and which one it is where several are written alike.
    pub text: String,
    /// How far.
    pub room: Room,
}

/// How far a constant can be moved so that the statement becomes stronger.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Room {
    /// Not by a thousandth.
    None,
    /// To here, which has three digits or as many more as it takes to differ.
    UpTo(f64),
}

impl fmt::Display for MovableConstant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.room {
            Room::None => write!(f, "{} is tight: changed by 0.1 %, it fails on an instance that was tried", self.text),
            Room::UpTo(x) => {
                write!(f, "{} could be {}: no instance that was tried with that fails", self.text, plain(x, 6))
            }
        }
    }
}

/// How many assignments constants are held against.
const POOL: usize = 800;
/// Steps that an evaluation on all of them may take: where one takes many, there are fewer.
const WORK: usize = 2_000_000;
/// Numbers inside a sum are not moved where whole numbers beyond this were tried.
const LONG: u64 = 1 << 14;
/// A rounding error is no refutation.
const FAINT: f64 = -1e-11;
/// The largest factor that is tried.
const LARGEST: f64 = 1e3;

/// The constants of a statement, each on its own, the others as they are; `extra` are assignments that came close, the closest first: what
/// it refutes for certain is no room, whatever doubles say.
pub(crate) fn constants(statement: &Statement, extra: &[Assignment], seed: u64) -> Vec<MovableConstant> {
    let met = extra.iter().filter(|a| statement.conditions.iter().all(|c| is_met(c, a)));
    let lifted = met.filter_map(|a| a.plain().ok());
    // Where doubles see a violation that enclosures do not, they have no say.
    let mut pool: Vec<Vec<Value<f64>>> =
        lifted.filter(|values| room(&statement.chain, values).is_none_or(|room| room >= FAINT)).collect();
    let mut stream = stream::stream(seed, &["constants", &statement.texts.statement]);
    let mut bits = || stream.next_u64();
    let mut dice = Dice::new(&mut bits);
    let most = (WORK / cost(statement).max(1)).clamp(1, POOL);
    let drawn = (0..most).filter_map(|n| draw(&statement.declarations, STYLES[n % 3], &mut dice));
    let all = edges(&statement.declarations).into_iter().map(|(_, a)| a).chain(drawn);
    let met = all.filter(|a| statement.conditions.iter().all(|c| is_met(c, a)));
    pool.extend(met.filter_map(|a| a.plain().ok()));
    let least = |chain: &Chain| {
        let rooms = pool.iter().filter_map(|values| room(chain, values));
        let least = rooms.fold(f64::INFINITY, f64::min);
        let refuted = |a: &Assignment| match judged(chain, a) {
            Evaluation::Compared(comparison) => judge(&comparison) == Judgement::Violated,
            _ => false,
        };
        if least >= FAINT && extra.first().is_some_and(refuted) { f64::NEG_INFINITY } else { least }
    };
    let before = least(&statement.chain);
    if before < FAINT || before == f64::INFINITY {
        return Vec::new();
    }
    // With another number inside, a long sum is added up anew from its first term on.
    let is_long = |value: &Value<f64>| matches!(value, Value::Whole(n) if n.unsigned_abs() > LONG);
    let are_long = pool.iter().flatten().any(is_long);
    let mut summed = Vec::new();
    statement.chain.sides.iter().for_each(|side| in_sums(side, false, &mut summed));
    let mut found = Vec::new();
    for number in 0.. {
        if are_long && summed.get(number) == Some(&true) {
            continue;
        }
        let Some((value, span)) = literal(&statement.chain, number) else {
            break;
        };
        // What `let` names is written elsewhere, and what alternatives are compared with nowhere.
        if value == 0.0 || !is_number(&statement.texts.statement, &span) {
            continue;
        }
        let moved = |factor: f64| {
            let mut chain = statement.chain.clone();
            let mut left = number;
            chain.sides.iter_mut().for_each(|side| replace(side, &mut left, Literal::Near(value * factor)));
            // The slack of a rounding error again: a constant that is the best possible touches.
            least(&chain)
        };
        let (more, less) = (moved(1.001), moved(1.0 / 1.001));
        let room = match (more >= FAINT, less >= FAINT) {
            (false, false) => None,
            // One way is weaker; was the other refuted, the constant is the best possible.
            (false, true) | (true, false) => Some(Room::None),
            (true, true) if more == less => None,
            (true, true) => {
                let direction = |factor: f64| if more < less { factor } else { 1.0 / factor };
                let (mut good, mut bad) = (1.001, LARGEST);
                if moved(direction(bad)) >= FAINT {
                    None
                } else {
                    while bad / good > 1.0005 {
                        let middle = (good * bad).sqrt();
                        if moved(direction(middle)) >= FAINT { good = middle } else { bad = middle }
                    }
                    Some(Room::UpTo(in_few_digits(value * direction(good), value)))
                }
            }
        };
        found.extend(room.map(|room| MovableConstant { text: which(&statement.texts.statement, &span), room }));
    }
    found
}

/// A number of few digits between two, close to the first, which may be it, and not the second.
fn in_few_digits(number: f64, beyond: f64) -> f64 {
    let away = (number - beyond).signum();
    for digits in 2..6 {
        let written = format!("{number:.digits$e}");
        let exponent: i32 = written.split_once('e').and_then(|(_, e)| e.parse().ok()).unwrap_or(0);
        let (Ok(nearest), Ok(unit)) =
            (written.parse::<f64>(), format!("1e{}", exponent - digits as i32).parse::<f64>())
        else {
            break;
        };
        let rounded = if (nearest - number) * away > 0.0 { nearest - away * unit } else { nearest };
        if (rounded - beyond) * away > 0.0 {
            return rounded;
        }
    }
    number
}

/// Whether a number is written in a text at this place.
pub(crate) fn is_number(text: &str, span: &Span) -> bool {
    let written = text.get(span.clone()).unwrap_or_default();
    let written = written.trim_matches(|c: char| matches!(c, '(' | ')' | '{' | '}') || c.is_whitespace());
    written.parse::<f64>().is_ok() && written.starts_with(|c: char| c.is_ascii_digit() || c == '.')
}

/// A number as it is written, and which one it is where the text has several alike.
pub(crate) fn which(text: &str, span: &Span) -> String {
    const ORDINALS: [&str; 6] = ["first", "second", "third", "fourth", "fifth", "sixth"];
    let written = text.get(span.clone()).unwrap_or_default().trim();
    let number = written.trim_matches(|c| matches!(c, '(' | ')' | ' '));
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_');
    let places: Vec<usize> = text
        .match_indices(number)
        .map(|(at, _)| at)
        .filter(|&at| {
            let goes_on = text[at + number.len()..].starts_with(|c: char| c.is_ascii_digit() || c == '.');
            !(text[..at].ends_with(is_part) || goes_on)
        })
        .collect();
    let before = places.iter().filter(|&&at| at < span.start).count();
    match ORDINALS.get(before) {
        _ if places.len() < 2 => written.to_owned(),
        Some(ordinal) => format!("{number} (the {ordinal})"),
        None => format!("{number} (number {})", before + 1),
    }
}

/// The constant with this number, in the order of the text, and where it stands.
fn literal(chain: &Chain, number: usize) -> Option<(f64, Span)> {
    let mut found = None;
    let mut left = number;
    for side in &chain.sides {
        walk(side, &mut |term| {
            if let Node::Number(literal) = term.node {
                if left == 0 && found.is_none() {
                    found = Some((decimal(literal).midpoint(), term.span.clone()));
                }
                left = left.wrapping_sub(1);
            }
        });
    }
    found
}

/// The constants of a chain in the order of the text: where each stands, and its value. Zeros are none, and neither are indices, whole
/// exponents and the ends of sums.
pub(crate) fn constants_of(chain: &Chain) -> Vec<(Span, f64)> {
    let mut found = Vec::new();
    for side in &chain.sides {
        walk(side, &mut |term| {
            if let Node::Number(literal) = term.node {
                found.push((term.span.clone(), decimal(literal).midpoint()));
            }
        });
    }
    found.retain(|(_, value)| *value != 0.0);
    found
}

fn replace(term: &mut Term, left: &mut usize, by: Literal) {
    if let Node::Number(literal) = &mut term.node {
        if *left == 0 {
            *literal = by;
            term.kind = Kind::Scalar;
        }
        *left = left.wrapping_sub(1);
        return;
    }
    let changed_kind = |term: &Term| term.kind == Kind::Whole;
    let was_whole = changed_kind(term);
    for inner in real_parts_mut(term) {
        replace(inner, left, by);
    }
    // A sum of whole numbers one of which no longer is.
    if was_whole && real_parts(term).iter().any(|t| t.kind == Kind::Scalar) {
        term.kind = Kind::Scalar;
    }
}

/// Of every number, in the order of the text, whether it stands under a sum over an index.
fn in_sums(term: &Term, inside: bool, found: &mut Vec<bool>) {
    if matches!(term.node, Node::Number(_)) {
        found.push(inside);
    }
    let inside = inside || matches!(term.node, Node::Fold(_, Terms::Over { .. }));
    real_parts(term).into_iter().for_each(|inner| in_sums(inner, inside, found));
}

fn walk<'t>(term: &'t Term, see: &mut dyn FnMut(&'t Term)) {
    see(term);
    for inner in real_parts(term) {
        walk(inner, see);
    }
}

/// The parts of a term that hold real constants: not its indices, whole exponents and ends of sums.
fn real_parts(term: &Term) -> Vec<&Term> {
    match &term.node {
        Node::WholePower(a, _) | Node::Entry(a, _) | Node::Row(a, _) | Node::Cell(a, _, _) => vec![a],
        Node::Gcd(..) | Node::Remainder(..) => Vec::new(),
        Node::Binomial(..) | Node::Harmonic(_) | Node::Factorial(_) | Node::Identity(_) | Node::Length(_) => Vec::new(),
        Node::Fold(_, Terms::Over { body, .. }) | Node::Guarded(_, body) => vec![body],
        _ => inside(term),
    }
}

fn real_parts_mut(term: &mut Term) -> Vec<&mut Term> {
    match &mut term.node {
        Node::WholePower(a, _) | Node::Entry(a, _) | Node::Row(a, _) | Node::Cell(a, _, _) => vec![a],
        Node::Number(_)
        | Node::Whole(_)
        | Node::Constant(_)
        | Node::Variable(_)
        | Node::Index(_)
        | Node::Binomial(..)
        | Node::Gcd(..)
        | Node::Remainder(..)
        | Node::Harmonic(_)
        | Node::Factorial(_)
        | Node::Identity(_)
        | Node::Length(_) => Vec::new(),
        Node::Fold(_, Terms::Over { body, .. }) | Node::Guarded(_, body) => vec![body],
        Node::Negated(a)
        | Node::Apply(_, a)
        | Node::Norm(_, a)
        | Node::Trace(a)
        | Node::Det(a)
        | Node::Eigenvalues(a)
        | Node::Singular(a)
        | Node::Inverse(a)
        | Node::Entropy(a)
        | Node::Softmax(a)
        | Node::Transposed(a)
        | Node::Diagonal(a)
        | Node::Fold(_, Terms::Entries(a)) => vec![a],
        Node::Binary(_, a, b)
        | Node::RealPower(a, b)
        | Node::Dot(a, b)
        | Node::Kl(a, b)
        | Node::TotalVariation(a, b)
        | Node::Outer(a, b)
        | Node::Expectation { law: a, body: b } => vec![a, b],
        Node::Fold(_, Terms::Listed(items)) | Node::List(items) | Node::Rows(items) => items.iter_mut().collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_is_rounded_towards_the_one_that_was_written() {
        for (number, written, rounded) in [
            (2.003, 3.0, 2.01),
            (1.99996, 0.9, 1.99),
            (2.004_9, 1.0, 2.0),
            (0.001_234, 0.1, 0.001_24),
            (1.001_2, 1.0, 1.001),
        ] {
            let found = in_few_digits(number, written);
            assert!((found - rounded).abs() < 1e-12, "{number} beside {written}: {found}");
        }
    }
}
