//! The vectors and matrices among the numbers of a form.

use super::Token;
use crate::instance::layout::{Group, Shape};

/// What one value turned out to be.
enum Found {
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
    let mut walk = Walk {
        tokens: tokens.iter(),
        seen: 0,
        groups: Vec::new(),
    };
    walk.value();
    walk.groups
}

impl Walk<'_> {
    fn value(&mut self) -> Found {
        match self.tokens.next() {
            Some(Token::Real(_)) => {
                self.seen += 1;
                Found::Number
            }
            Some(Token::Whole(_) | Token::Flag(_)) => {
                self.seen += 1;
                Found::Whole
            }
            Some(Token::Items(count)) => self.list(*count),
            Some(Token::Pairs(count)) => {
                for _ in 0..*count {
                    self.value();
                    self.value();
                }
                Found::Other
            }
            _ => Found::Other,
        }
    }

    fn list(&mut self, count: usize) -> Found {
        let (start, place) = (self.seen, self.groups.len());
        let items: Vec<Found> = (0..count).map(|_| self.value()).collect();
        let length = self.seen - start;
        let shape = match items.first() {
            Some(Found::Number) if items.iter().all(|i| matches!(i, Found::Number)) => Shape::Vector,
            Some(Found::Whole) if items.iter().all(|i| matches!(i, Found::Whole)) => Shape::List,
            Some(&Found::Vector(columns)) if items.iter().all(|i| matches!(i, Found::Vector(n) if *n == columns)) => {
                Shape::Matrix { rows: count, columns }
            }
            _ => return Found::Other,
        };
        // The whole before its rows.
        self.groups.insert(place, Group { start, length, shape });
        match shape {
            Shape::Vector => Found::Vector(count),
            _ => Found::Other,
        }
    }
}
