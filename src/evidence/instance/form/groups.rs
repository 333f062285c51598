//! The vectors and matrices among the numbers of a form.

use super::Token;
use crate::instance::layout::{Group, Shape};

/// What one value turned out to be.
enum FormValue {
    Number,
    /// A whole number or a truth value.
    Whole,
    /// A list of so many numbers.
    Vector(usize),
    Other,
}

struct Walk<'a> {
    tokens: std::slice::Iter<'a, Token>,
    /// Coordinates seen so far.
    seen: usize,
    groups: Vec<Group>,
}

/// Every list of floating-point numbers is a vector, one of whole numbers or truth values a list; a list of equally long vectors is a matrix as
/// well.
pub(super) fn groups(tokens: &[Token]) -> Vec<Group> {
    let mut walk = Walk { tokens: tokens.iter(), seen: 0, groups: Vec::new() };
    walk.value();
    walk.groups
}

impl Walk<'_> {
    fn value(&mut self) -> FormValue {
        match self.tokens.next() {
            Some(Token::Real(_)) => {
                self.seen += 1;
                FormValue::Number
            }
            Some(Token::Whole(_) | Token::Flag(_)) => {
                self.seen += 1;
                FormValue::Whole
            }
            Some(Token::Items(count)) => self.list(*count),
            Some(Token::Pairs(count)) => {
                for _ in 0..*count {
                    self.value();
                    self.value();
                }
                FormValue::Other
            }
            _ => FormValue::Other,
        }
    }

    fn list(&mut self, count: usize) -> FormValue {
        let (start, place) = (self.seen, self.groups.len());
        let items: Vec<FormValue> = (0..count).map(|_| self.value()).collect();
        let length = self.seen - start;
        let shape = match items.first() {
            Some(FormValue::Number) if items.iter().all(|i| matches!(i, FormValue::Number)) => Shape::Vector,
            Some(FormValue::Whole) if items.iter().all(|i| matches!(i, FormValue::Whole)) => Shape::List,
            Some(&FormValue::Vector(columns))
                if items.iter().all(|i| matches!(i, FormValue::Vector(n) if *n == columns)) =>
            {
                Shape::Matrix { rows: count, columns }
            }
            _ => return FormValue::Other,
        };
        // The whole before its rows.
        self.groups.insert(place, Group { start, length, shape });
        match shape {
            Shape::Vector => FormValue::Vector(count),
            _ => FormValue::Other,
        }
    }
}
