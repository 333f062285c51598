//! NumPy's `.npy` arrays of one or two axes.
//!
//! Accepted elements: truth values, integers and floating-point numbers of every size up to 64 bits and of either byte
//! order, in C or Fortran order; for the names of classes also strings. Every conversion is exact or refused.

mod element;
mod header;
mod stream;

use std::fs::File;
use std::path::Path;

use half::f16;

use self::element::ElementType;
use self::header::Header;
use super::file::{MOST_LABELS, MOST_NUMBERS, at_most};
use super::{ClassNames, DataError, NumberTable};

const ACCEPTED: &str = "b1, i1, i2, i4, i8, u1, u2, u4, u8, f2, f4, f8";
const ACCEPTED_NAMES: &str = "b1, i1, i2, i4, i8, u1, u2, u4, u8, f2, f4, f8, U, S";
/// Integers up to 2^53 in absolute value are `f64` without rounding.
const LARGEST_EXACT: u64 = 1 << 53;

pub(super) use header::MAGIC;
pub use stream::{read_table, read_table_within};

/// Loads an array with two axes.
///
/// # Errors
/// [`DataError::Unreadable`], and whatever [`parse_table`] refuses.
pub fn load_table(path: &Path) -> Result<NumberTable, DataError> {
    let input = path.display().to_string();
    match File::open(path) {
        Ok(file) => read_table(&input, file),
        Err(source) => Err(DataError::Unreadable { input, source }),
    }
}

/// How many rows the header of a file says that its array has, from its first bytes; none where they hold no whole header.
#[must_use]
pub fn announced_rows(beginning: &[u8]) -> Option<u64> {
    Header::read("", beginning).ok().and_then(|(header, _)| header.shape.first().copied())
}

/// Reads an array with two axes from the bytes of a file; `input` names it in errors.
///
/// # Errors
/// [`DataError::WrongMagic`], [`DataError::Malformed`], [`DataError::TooLarge`], [`DataError::Empty`],
/// [`DataError::UnsupportedType`] (a ragged list saved by NumPy has type `O`), [`DataError::WrongRank`],
/// [`DataError::TooMany`], [`DataError::Truncated`], [`DataError::TrailingBytes`], [`DataError::Inexact`], [`DataError::NotFinite`].
pub fn parse_table(input: &str, bytes: &[u8]) -> Result<NumberTable, DataError> {
    let array = Array::parse(input, bytes, Axes::Two)?;
    let (rows, columns) = (array.shape[0], array.shape[1]);
    let stored = array.elements.into_numbers(input)?;
    let values = if array.fortran_order {
        let by_row = (0..rows).flat_map(|row| stored.iter().skip(row).step_by(rows));
        by_row.copied().collect()
    } else {
        stored
    };
    NumberTable::new(input, values, rows, columns)
}

/// Reads an array with one axis as numbers from the bytes of a file; `input` names it in errors.
///
/// # Errors
/// As [`parse_table`].
pub fn parse_vector(input: &str, bytes: &[u8]) -> Result<Vec<f64>, DataError> {
    let array = Array::parse(input, bytes, Axes::One)?;
    let count = array.shape[0];
    Ok(NumberTable::new(input, array.elements.into_numbers(input)?, count, 1)?.into_values())
}

/// Reads an array with one axis, or one column, as labels from the bytes of a file; `input` names it in errors. Real elements
/// are accepted as long as each is an integer.
///
/// # Errors
/// As [`parse_table`], and [`DataError::NotALabel`] for anything but an integer in 0..=`u32::MAX`.
pub fn parse_labels(input: &str, bytes: &[u8]) -> Result<Vec<u32>, DataError> {
    let expected = "an integer from 0 to 4294967295";
    let refuse = |index, value| DataError::NotALabel { input: input.to_owned(), index, value, expected };
    match Array::parse(input, bytes, Axes::Column)?.elements {
        Elements::Words(_) => Err(unsupported(input, "string".to_owned(), ACCEPTED)),
        Elements::Integers(values) => {
            let label =
                |(index, value): (usize, i64)| u32::try_from(value).map_err(|_| refuse(index, value.to_string()));
            values.into_iter().enumerate().map(label).collect()
        }
        Elements::Reals(values) => {
            let label = |(index, value): (usize, f64)| {
                let is_label = (0.0..=f64::from(u32::MAX)).contains(&value) && value.fract() == 0.0;
                if is_label { Ok(value as u32) } else { Err(refuse(index, value.to_string())) }
            };
            values.into_iter().enumerate().map(label).collect()
        }
    }
}

/// Reads an array with one axis, or one column, as the class of every point from the bytes of a file; `input` names it in
/// errors. Classes may be named by integers of any sign, truth values, real numbers that are integers, or strings.
///
/// # Errors
/// As [`parse_table`], and [`DataError::NotALabel`] for a real number that is no integer.
pub fn parse_classes(input: &str, bytes: &[u8]) -> Result<ClassNames, DataError> {
    match Array::parse(input, bytes, Axes::Column)?.elements {
        Elements::Words(words) => ClassNames::of_words(input, words),
        Elements::Integers(values) => ClassNames::of_integers(input, values),
        Elements::Reals(values) => {
            let whole = |(index, value): (usize, f64)| {
                if value.fract() == 0.0 && value.abs() <= LARGEST_EXACT as f64 {
                    return Ok(value as i64);
                }
                let expected = "a whole number of at most 2^53 in size";
                Err(DataError::NotALabel { input: input.to_owned(), index, value: value.to_string(), expected })
            };
            let values: Result<Vec<i64>, DataError> = values.into_iter().enumerate().map(whole).collect();
            ClassNames::of_integers(input, values?)
        }
    }
}

fn unsupported(input: &str, found: String, accepted: &'static str) -> DataError {
    DataError::UnsupportedType { input: input.to_owned(), found, accepted }
}

fn malformed(input: &str, reason: String) -> DataError {
    let input = input.to_owned();
    DataError::Malformed { input, reason }
}

/// The axes that a reader takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Axes {
    One,
    Two,
    /// One axis, or two of which the second has length one.
    Column,
}

impl Axes {
    fn fit(self, shape: &[u64]) -> bool {
        matches!((self, shape), (Axes::One | Axes::Column, [_]) | (Axes::Two, [_, _]) | (Axes::Column, [_, 1]))
    }
}

/// The elements of a file in storage order.
enum Elements {
    Integers(Vec<i64>),
    Reals(Vec<f64>),
    Words(Vec<String>),
}

impl Elements {
    fn into_numbers(self, input: &str) -> Result<Vec<f64>, DataError> {
        match self {
            Self::Words(_) => Err(unsupported(input, "string".to_owned(), ACCEPTED)),
            Self::Reals(values) => Ok(values),
            Self::Integers(values) => {
                if let Some(index) = values.iter().position(|value| value.unsigned_abs() > LARGEST_EXACT) {
                    return Err(DataError::Inexact { input: input.to_owned(), index, value: values[index] });
                }
                Ok(values.into_iter().map(|value| value as f64).collect())
            }
        }
    }

    /// The elements of a type, of which the bytes are asked for once it is known to be accepted.
    fn stored<'b>(
        input: &str,
        kind: &ElementType,
        axes: Axes,
        bytes: impl Fn() -> Result<&'b [u8], DataError>,
    ) -> Result<Self, DataError> {
        let accepted = if axes == Axes::Column { ACCEPTED_NAMES } else { ACCEPTED };
        Ok(match (kind.letter, kind.bytes) {
            ('b', 1) => Self::Integers(truths(input, bytes()?)?),
            ('i', 1) => Self::Integers(decoded(bytes()?, kind, [i8::from_le_bytes, i8::from_be_bytes])),
            ('i', 2) => Self::Integers(decoded(bytes()?, kind, [i16::from_le_bytes, i16::from_be_bytes])),
            ('i', 4) => Self::Integers(decoded(bytes()?, kind, [i32::from_le_bytes, i32::from_be_bytes])),
            ('i', 8) => Self::Integers(decoded(bytes()?, kind, [i64::from_le_bytes, i64::from_be_bytes])),
            ('u', 1) => Self::Integers(decoded(bytes()?, kind, [u8::from_le_bytes, u8::from_be_bytes])),
            ('u', 2) => Self::Integers(decoded(bytes()?, kind, [u16::from_le_bytes, u16::from_be_bytes])),
            ('u', 4) => Self::Integers(decoded(bytes()?, kind, [u32::from_le_bytes, u32::from_be_bytes])),
            ('u', 8) => {
                let values: Vec<u64> = decoded(bytes()?, kind, [u64::from_le_bytes, u64::from_be_bytes]);
                let signed: Result<Vec<i64>, _> = values.into_iter().map(i64::try_from).collect();
                Self::Integers(signed.map_err(|_| unsupported(input, format!("{kind} beyond 2^63"), accepted))?)
            }
            ('f', 2) => Self::Reals(decoded(bytes()?, kind, [f16::from_le_bytes, f16::from_be_bytes])),
            ('f', 4) => Self::Reals(decoded(bytes()?, kind, [f32::from_le_bytes, f32::from_be_bytes])),
            ('f', 8) => Self::Reals(decoded(bytes()?, kind, [f64::from_le_bytes, f64::from_be_bytes])),
            ('U' | 'S', _) if axes == Axes::Column => Self::Words(words(input, bytes()?, kind)?),
            _ => return Err(unsupported(input, kind.to_string(), accepted)),
        })
    }
}

/// Numbers of `N` bytes, by the one of two functions that reads their order: the lowest byte first, or the highest.
fn decoded<const N: usize, T, U: From<T>>(data: &[u8], kind: &ElementType, read: [fn([u8; N]) -> T; 2]) -> Vec<U> {
    let read = read[usize::from(kind.big_endian)];
    data.as_chunks().0.iter().map(|&bytes| read(bytes).into()).collect()
}

fn truths(input: &str, data: &[u8]) -> Result<Vec<i64>, DataError> {
    match data.iter().find(|&&byte| byte > 1) {
        None => Ok(data.iter().map(|&byte| byte.into()).collect()),
        Some(byte) => Err(malformed(input, format!("a truth value of {byte}"))),
    }
}

/// Strings of so many characters (`U`, four bytes each) or bytes (`S`), filled up with zeros.
fn words(input: &str, data: &[u8], kind: &ElementType) -> Result<Vec<String>, DataError> {
    let length = usize::try_from(kind.bytes).ok().filter(|&length| length > 0);
    let length = length.ok_or_else(|| DataError::Empty { input: input.to_owned() })?;
    let word = |bytes: &[u8]| -> Result<String, DataError> {
        if kind.letter == 'S' {
            let end = bytes.iter().rposition(|&b| b != 0).map_or(0, |last| last + 1);
            let text = str::from_utf8(&bytes[..end]);
            let text = text.map_err(|_| malformed(input, "a string that is not UTF-8".to_owned()))?;
            return Ok(text.to_owned());
        }
        let points: Vec<u32> = decoded(bytes, kind, [u32::from_le_bytes, u32::from_be_bytes]);
        let text: Option<String> = points.into_iter().map(char::from_u32).collect();
        let text = text.ok_or_else(|| malformed(input, "a string with a number that is no character".to_owned()))?;
        Ok(text.trim_end_matches('\0').to_owned())
    };
    data.chunks_exact(length).map(word).collect()
}

/// A file whose header and length agree.
struct Array {
    shape: Vec<usize>,
    fortran_order: bool,
    elements: Elements,
}

impl Array {
    /// Reads a non-empty array with axes that fit.
    fn parse(input: &str, bytes: &[u8], axes: Axes) -> Result<Self, DataError> {
        let (header, data) = Header::read(input, bytes)?;
        let (most, accepted) = match axes {
            Axes::Column => (MOST_LABELS, ACCEPTED_NAMES),
            _ => (MOST_NUMBERS, ACCEPTED),
        };
        at_most(input, header.count, most)?;
        let kind = header.element.as_ref();
        let kind = kind.ok_or_else(|| unsupported(input, "record".to_owned(), accepted))?;
        if !axes.fit(&header.shape) {
            return Err(DataError::WrongRank {
                input: input.to_owned(),
                found: header.shape.len(),
                expected: if axes == Axes::Two { 2 } else { 1 },
            });
        }
        let too_large = || DataError::TooLarge { input: input.to_owned(), shape: header.shape.clone() };
        let shape: Option<Vec<usize>> = header.shape.iter().map(|&axis| usize::try_from(axis).ok()).collect();
        let shape = shape.ok_or_else(too_large)?;
        let needed = header.count.checked_mul(kind.bytes);
        let needed = needed.and_then(|n| usize::try_from(n).ok()).ok_or_else(too_large)?;
        let complete = || {
            let start = bytes.len() - data.len();
            let (input, found, expected) = (input.to_owned(), bytes.len(), start.saturating_add(needed));
            match data.len() {
                length if length < needed => Err(DataError::Truncated { input, found, expected }),
                length if length > needed => Err(DataError::TrailingBytes { input, found, expected }),
                _ => Ok(data),
            }
        };
        Ok(Self {
            shape,
            fortran_order: header.fortran_order,
            elements: Elements::stored(input, kind, axes, complete)?,
        })
    }
}

#[cfg(test)]
mod tests;
