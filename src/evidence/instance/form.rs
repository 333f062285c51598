//! The stored form of an instance as a flat list of tokens: what `serde` writes, without text and without a tree of values.
//!
//! A form is written once and read as often as a search wishes, each time with other numbers in place of its own. It says what
//! JSON says (a struct is a map, `None` and `()` are null, a variant without fields is its name), so that a type meets nothing
//! here that it does not meet when it is stored.

mod groups;
mod json;
mod read;
mod write;

use serde::de::DeserializeOwned;
use serde::{Serialize, de, ser};
use thiserror::Error;

use super::layout::{Coordinate, Layout};

/// A value cannot be written as a form, or no value of the type reads as this one.
#[derive(Debug, Error)]
#[error("{0}")]
pub(crate) struct FormError(String);

impl ser::Error for FormError {
    fn custom<T: std::fmt::Display>(message: T) -> Self {
        FormError(message.to_string())
    }
}

impl de::Error for FormError {
    fn custom<T: std::fmt::Display>(message: T) -> Self {
        FormError(message.to_string())
    }
}

/// One piece of a stored value.
#[derive(Clone, Debug, PartialEq)]
enum Token {
    Null,
    /// A truth value that may move.
    Flag(bool),
    /// A truth value that stays: a key.
    Truth(bool),
    /// A number that may move: the next coordinate.
    Real(f64),
    /// A whole number that may move, and whether its type knows a sign.
    Whole(f64),
    /// A whole number that stays: a key, or too large to be held exactly by a double.
    Unsigned(u64),
    Signed(i64),
    /// The name of a field or variant.
    Name(&'static str),
    Text(Box<str>),
    /// So many items follow.
    Items(usize),
    /// So many pairs of a key and a value follow.
    Pairs(usize),
}

/// A stored value whose numbers can be replaced.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    tokens: Vec<Token>,
    coordinates: Vec<Coordinate>,
}

impl Form {
    /// The form of a value.
    pub(crate) fn of<T: Serialize>(value: &T) -> Result<Self, FormError> {
        let mut writer = write::Writer::default();
        let written = value.serialize(&mut writer);
        writer.into_form(written)
    }

    /// The value as it was written.
    pub(crate) fn start(&self) -> Vec<f64> {
        let numbers = self.tokens.iter();
        let free = numbers.filter_map(|token| match token {
            Token::Real(x) | Token::Whole(x) => Some(*x),
            Token::Flag(flag) => Some(f64::from(u8::from(*flag))),
            _ => None,
        });
        free.collect()
    }

    /// The value with these numbers in place of its own.
    ///
    /// # Errors
    /// Too few or too many numbers, one that is not finite, a whole number that its type does not hold, or whatever the type
    /// refuses when it is read.
    pub(crate) fn read<T: DeserializeOwned>(&self, at: &[f64]) -> Result<T, FormError> {
        T::deserialize(&mut self.reader(at)?)
    }

    fn reader<'f>(&'f self, at: &'f [f64]) -> Result<read::Reader<'f, 'f>, FormError> {
        if at.len() != self.coordinates.len() || at.iter().any(|x| !x.is_finite()) {
            return Err(FormError(format!("{} finite numbers are needed", self.coordinates.len())));
        }
        Ok(read::Reader::new(&self.tokens, at))
    }

    /// What the numbers of a form mean, and where they stand; nothing of a value that cannot be written as one.
    pub(crate) fn chart(form: Option<&Self>) -> (Layout, Vec<f64>) {
        form.map_or_else(Default::default, |form| (form.layout(), form.start()))
    }

    /// What its numbers mean, as far as the form tells.
    pub(crate) fn layout(&self) -> Layout {
        Layout { coordinates: self.coordinates.clone(), groups: groups::groups(&self.tokens), sizes: Vec::new() }
    }
}

#[cfg(test)]
mod tests;
