//! What `#[derive(Instance)]` writes down of a field: symbol, range, lengths. Ordinary code reads it.

use super::layout::{Range, Scale};

/// How the numbers of a field belong together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arrangement {
    /// As the field's type says.
    #[default]
    Plain,
    /// Weights of which only the ratios matter: none negative, not all zero.
    Weights,
    /// A symmetric matrix, stored in full.
    Symmetric,
}

/// The length of a list.
#[derive(Clone, Copy, Debug)]
pub struct Length {
    /// What tells the lengths of a type apart; lists with the same key have the same length.
    pub key: u32,
    /// The name in the declaration; empty where there is none.
    pub name: &'static str,
    /// Smallest length.
    pub least: u64,
    /// Largest length; `u64::MAX` where there is none.
    pub greatest: u64,
    /// Whether exchanging two items changes nothing.
    pub interchangeable: bool,
}

/// A field of a declared type.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// How the field is called in descriptions.
    pub symbol: &'static str,
    /// What its numbers are measured in; empty where there is nothing to say.
    pub unit: &'static str,
    /// The range of its numbers.
    pub range: Range,
    /// From where its numbers are drawn, if that is narrower than the range.
    pub typical: Option<Range>,
    /// How its numbers are best moved.
    pub scale: Scale,
    /// How its numbers belong together.
    pub arrangement: Arrangement,
    /// The lengths of its lists, outermost first.
    pub lengths: &'static [Length],
}

impl Field {
    /// A field of which nothing is declared.
    pub const PLAIN: Field = Field {
        symbol: "",
        unit: "",
        range: Range::FINITE,
        typical: None,
        scale: Scale::Linear,
        arrangement: Arrangement::Plain,
        lengths: &[],
    };
}
