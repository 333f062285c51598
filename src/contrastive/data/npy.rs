//! NumPy's `.npy` arrays of one or two axes.
//!
//! Accepted elements: truth values, integers and floating-point numbers of every size up to 64 bits and of either byte
//! order, in C or Fortran order; for the names of classes also strings. Every conversion is exact or refused.

mod stream;

use std::fs::File;
use std::path::Path;

use half::f16;
use npyz::{DType, Deserialize, Endianness, NpyFile, NpyHeader, Order, TypeChar, TypeStr};

use super::file::{MOST_LABELS, MOST_NUMBERS, at_most, read};
use super::{ClassNames, DataError, Table};

const ACCEPTED: &str = "b1, i1, i2, i4, i8, u1, u2, u4, u8, f2, f4, f8";
const ACCEPTED_NAMES: &str = "b1, i1, i2, i4, i8, u1, u2, u4, u8, f2, f4, f8, U, S";
pub(super) const MAGIC: &[u8] = b"\x93NUMPY";
/// NumPy refuses longer headers too; plain arrays need about a hundred characters.
const LONGEST_HEADER: usize = 10_000;
/// A plain array opens a dictionary and a tuple. The parser behind `npyz` recurses at every bracket.
const DEEPEST_HEADER: usize = 8;
/// Integers up to 2^53 in absolute value are `f64` without rounding.
const LARGEST_EXACT: u64 = 1 << 53;

pub use stream::{read_table, read_table_within};

/// Loads an array with two axes.
///
/// # Errors
/// [`DataError::Unreadable`], and whatever [`parse_table`] refuses.
pub fn load_table(path: &Path) -> Result<Table, DataError> {
    let input = path.display().to_string();
    match File::open(path) {
        Ok(file) => read_table(&input, file),
        Err(source) => Err(DataError::Unreadable { input, source }),
    }
}

/// Loads an array with one axis as numbers.
///
/// # Errors
/// [`DataError::Unreadable`], and whatever [`parse_vector`] refuses.
pub fn load_vector(path: &Path) -> Result<Vec<f64>, DataError> {
    let (input, bytes) = read(path)?;
    parse_vector(&input, &bytes)
}

/// Loads an array with one axis as labels.
///
/// # Errors
/// [`DataError::Unreadable`], and whatever [`parse_labels`] refuses.
pub fn load_labels(path: &Path) -> Result<Vec<u32>, DataError> {
    let (input, bytes) = read(path)?;
    parse_labels(&input, &bytes)
}

/// Reads an array with two axes from the bytes of a file; `input` names it in errors.
///
/// # Errors
/// [`DataError::WrongMagic`], [`DataError::Malformed`], [`DataError::TooLarge`], [`DataError::Empty`],
/// [`DataError::UnsupportedType`] (a ragged list saved by NumPy has type `O`), [`DataError::WrongRank`],
/// [`DataError::TooMany`], [`DataError::Truncated`], [`DataError::TrailingBytes`], [`DataError::Inexact`], [`DataError::NotFinite`].
pub fn parse_table(input: &str, bytes: &[u8]) -> Result<Table, DataError> {
    let array = Array::parse(input, bytes, Axes::Two)?;
    let (rows, columns) = (array.shape[0], array.shape[1]);
    let stored = array.elements.into_numbers(input)?;
    let values = match array.order {
        Order::C => stored,
        Order::Fortran => (0..rows)
            .flat_map(|row| stored.iter().skip(row).step_by(rows))
            .copied()
            .collect(),
    };
    Table::new(input, values, rows, columns)
}

/// Reads an array with one axis as numbers from the bytes of a file; `input` names it in errors.
///
/// # Errors
/// As [`parse_table`].
pub fn parse_vector(input: &str, bytes: &[u8]) -> Result<Vec<f64>, DataError> {
    let array = Array::parse(input, bytes, Axes::One)?;
    let count = array.shape[0];
    Ok(Table::new(input, array.elements.into_numbers(input)?, count, 1)?.into_values())
}

/// Reads an array with one axis, or one column, as labels from the bytes of a file; `input` names it in errors. Real elements
/// are accepted as long as each is an integer.
///
/// # Errors
/// As [`parse_table`], and [`DataError::NotALabel`] for anything but an integer in 0..=`u32::MAX`.
pub fn parse_labels(input: &str, bytes: &[u8]) -> Result<Vec<u32>, DataError> {
    let refuse = |index, value| DataError::NotALabel {
        input: input.to_owned(),
        index,
        value,
    };
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
                if is_label {
                    Ok(value as u32)
                } else {
                    Err(refuse(index, value.to_string()))
                }
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
                Err(DataError::NotALabel {
                    input: input.to_owned(),
                    index,
                    value: value.to_string(),
                })
            };
            let values: Result<Vec<i64>, DataError> = values.into_iter().enumerate().map(whole).collect();
            ClassNames::of_integers(input, values?)
        }
    }
}

fn unsupported(input: &str, found: String, accepted: &'static str) -> DataError {
    DataError::UnsupportedType {
        input: input.to_owned(),
        found,
        accepted,
    }
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
        matches!(
            (self, shape),
            (Axes::One | Axes::Column, [_]) | (Axes::Two, [_, _]) | (Axes::Column, [_, 1])
        )
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
                    return Err(DataError::Inexact {
                        input: input.to_owned(),
                        index,
                        value: values[index],
                    });
                }
                Ok(values.into_iter().map(|value| value as f64).collect())
            }
        }
    }

    /// Strings of so many characters (`U`, four bytes each) or bytes (`S`), filled up with zeros.
    fn words(input: &str, data: &[u8], kind: &TypeStr) -> Result<Self, DataError> {
        let length = kind.size_field() as usize;
        let malformed = |reason: &str| DataError::Malformed {
            input: input.to_owned(),
            reason: reason.to_owned(),
        };
        if length == 0 {
            return Err(DataError::Empty {
                input: input.to_owned(),
            });
        }
        let word = |bytes: &[u8]| -> Result<String, DataError> {
            if kind.type_char() == TypeChar::ByteStr {
                let end = bytes.iter().rposition(|&b| b != 0).map_or(0, |last| last + 1);
                let text = str::from_utf8(&bytes[..end]).map_err(|_| malformed("a string that is not UTF-8"))?;
                return Ok(text.to_owned());
            }
            let (points, _) = bytes.as_chunks::<4>();
            let number = |&b: &[u8; 4]| match kind.endianness() {
                Endianness::Big => u32::from_be_bytes(b),
                _ => u32::from_le_bytes(b),
            };
            let text: Option<String> = points.iter().map(|b| char::from_u32(number(b))).collect();
            let text = text.ok_or_else(|| malformed("a string with a number that is no character"))?;
            Ok(text.trim_end_matches('\0').to_owned())
        };
        let words: Result<Vec<String>, DataError> = data.chunks_exact(length * character(kind)).map(word).collect();
        Ok(Elements::Words(words?))
    }
}

/// Bytes per unit of the size field of a type.
fn character(kind: &TypeStr) -> usize {
    if kind.type_char() == TypeChar::UnicodeStr { 4 } else { 1 }
}

/// Numbers of sixteen bits, which few languages have.
fn half_floats(data: &[u8], kind: &TypeStr) -> Vec<f64> {
    let (numbers, _) = data.as_chunks::<2>();
    let number = |&b: &[u8; 2]| match kind.endianness() {
        Endianness::Big => f16::from_be_bytes(b).to_f64(),
        _ => f16::from_le_bytes(b).to_f64(),
    };
    numbers.iter().map(number).collect()
}

/// A file whose header and length agree.
struct Array {
    shape: Vec<usize>,
    order: Order,
    elements: Elements,
}

impl Array {
    /// Reads a non-empty array with axes that fit.
    fn parse(input: &str, bytes: &[u8], axes: Axes) -> Result<Self, DataError> {
        let malformed = |reason: String| DataError::Malformed {
            input: input.to_owned(),
            reason,
        };
        let (text, data) = split_header(input, bytes)?;
        let count = check_header(input, text)?;
        let most = if axes == Axes::Column {
            MOST_LABELS
        } else {
            MOST_NUMBERS
        };
        at_most(input, count, most)?;
        let mut from = bytes;
        let header = NpyHeader::from_reader(&mut from).map_err(|error| malformed(error.to_string()))?;
        let accepted = if axes == Axes::Column { ACCEPTED_NAMES } else { ACCEPTED };
        let DType::Plain(kind) = header.dtype() else {
            return Err(unsupported(input, "record".to_owned(), accepted));
        };
        if !axes.fit(header.shape()) {
            return Err(DataError::WrongRank {
                input: input.to_owned(),
                found: header.shape().len(),
                expected: if axes == Axes::Two { 2 } else { 1 },
            });
        }
        let too_large = || DataError::TooLarge {
            input: input.to_owned(),
            shape: header.shape().to_vec(),
        };
        let shape: Option<Vec<usize>> = header.shape().iter().map(|&axis| usize::try_from(axis).ok()).collect();
        let shape = shape.ok_or_else(too_large)?;
        let order = header.order();

        // The size field is the number of bytes of an element, or of characters of four bytes.
        let size = kind.size_field();
        let needed = count
            .checked_mul(size)
            .and_then(|n| n.checked_mul(character(&kind) as u64))
            .and_then(|n| usize::try_from(n).ok())
            .ok_or_else(too_large)?;
        let complete = || {
            let start = bytes.len() - data.len();
            let (input, found, expected) = (input.to_owned(), bytes.len(), start.saturating_add(needed));
            match data.len() {
                length if length < needed => Err(DataError::Truncated { input, found, expected }),
                length if length > needed => Err(DataError::TrailingBytes { input, found, expected }),
                _ => Ok(NpyFile::with_header(header.clone(), data)),
            }
        };
        let elements = match (kind.type_char(), size) {
            (TypeChar::Bool, 1) => {
                let truths = complete()?.into_vec::<bool>();
                truths.map(|values| Elements::Integers(values.into_iter().map(i64::from).collect()))
            }
            (TypeChar::Int, 1) => integers::<i8>(complete()?),
            (TypeChar::Int, 2) => integers::<i16>(complete()?),
            (TypeChar::Int, 4) => integers::<i32>(complete()?),
            (TypeChar::Int, 8) => complete()?.into_vec::<i64>().map(Elements::Integers),
            (TypeChar::Uint, 1) => integers::<u8>(complete()?),
            (TypeChar::Uint, 2) => integers::<u16>(complete()?),
            (TypeChar::Uint, 4) => integers::<u32>(complete()?),
            (TypeChar::Uint, 8) => {
                let values = complete()?.into_vec::<u64>();
                let values = values.map_err(|error| malformed(error.to_string()))?;
                let signed: Result<Vec<i64>, _> = values.iter().map(|&value| i64::try_from(value)).collect();
                match signed {
                    Ok(values) => Ok(Elements::Integers(values)),
                    Err(_) => return Err(unsupported(input, format!("{kind} beyond 2^63"), accepted)),
                }
            }
            (TypeChar::Float, 2) => complete().map(|_| Ok(Elements::Reals(half_floats(data, &kind))))?,
            (TypeChar::Float, 4) => {
                let values = complete()?.into_vec::<f32>();
                values.map(|values| Elements::Reals(values.into_iter().map(f64::from).collect()))
            }
            (TypeChar::Float, 8) => complete()?.into_vec::<f64>().map(Elements::Reals),
            (TypeChar::UnicodeStr | TypeChar::ByteStr, _) if axes == Axes::Column => {
                complete()?;
                Ok(Elements::words(input, data, &kind)?)
            }
            _ => return Err(unsupported(input, kind.to_string(), accepted)),
        };
        Ok(Self {
            shape,
            order,
            elements: elements.map_err(|error| malformed(error.to_string()))?,
        })
    }
}

/// Integers of a type that fits into 64 bits with a sign.
fn integers<T: Deserialize + Into<i64>>(file: NpyFile<&[u8]>) -> std::io::Result<Elements> {
    let values = file.into_vec::<T>()?;
    Ok(Elements::Integers(values.into_iter().map(Into::into).collect()))
}

/// Cuts the file into the text of its header and its data.
fn split_header<'b>(input: &str, bytes: &'b [u8]) -> Result<(&'b [u8], &'b [u8]), DataError> {
    if !bytes.starts_with(MAGIC) {
        return Err(DataError::WrongMagic {
            input: input.to_owned(),
            format: "npy",
            found: bytes[..bytes.len().min(MAGIC.len())].to_vec(),
            expected: MAGIC.to_vec(),
        });
    }
    let truncated = |expected| DataError::Truncated {
        input: input.to_owned(),
        found: bytes.len(),
        expected,
    };
    let (length, start) = match bytes.get(6) {
        Some(1) => (
            bytes.get(8..10).map(|b| usize::from(u16::from_le_bytes([b[0], b[1]]))),
            10,
        ),
        _ => (
            bytes
                .get(8..12)
                .map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]) as usize),
            12,
        ),
    };
    let length = length.ok_or_else(|| truncated(start))?;
    if length > LONGEST_HEADER {
        let reason = format!("{length} characters, at most {LONGEST_HEADER} are accepted");
        return Err(DataError::Malformed {
            input: input.to_owned(),
            reason,
        });
    }
    let rest = &bytes[start..];
    rest.split_at_checked(length).ok_or_else(|| truncated(start + length))
}

/// Returns the number of elements the header declares, having refused what `npyz` would meet with a panic: shapes whose
/// product overflows and deeply nested literals. Escapes could hide either from this check and are refused as well.
fn check_header(input: &str, text: &[u8]) -> Result<u64, DataError> {
    let malformed = |reason: &str| DataError::Malformed {
        input: input.to_owned(),
        reason: reason.to_owned(),
    };
    let text = str::from_utf8(text)
        .ok()
        .filter(|text| text.is_ascii() && !text.contains('\\'));
    let text = text.ok_or_else(|| malformed("not plain ASCII"))?;
    if text.chars().filter(|c| "([{".contains(*c)).count() > DEEPEST_HEADER {
        return Err(malformed("more brackets than a plain array needs"));
    }
    // Of a key that stands twice `npyz` takes the last and other readers the first.
    for (key, problem) in [
        ("descr", "the type of the elements is not given exactly once"),
        ("fortran_order", "the order of the elements is not given exactly once"),
        ("shape", "the shape is not given exactly once"),
    ] {
        if text.matches(key).count() != 1 {
            return Err(malformed(problem));
        }
    }
    if text.matches(':').count() != 3 {
        return Err(malformed("other keys than descr, fortran_order and shape"));
    }
    let after = text.split("shape").nth(1).unwrap_or_default();
    let tuple = after
        .trim_start_matches(['\'', '"'])
        .trim_start()
        .strip_prefix(':')
        .map(str::trim_start);
    let tuple = tuple
        .and_then(|tuple| tuple.strip_prefix('('))
        .and_then(|tuple| tuple.split(')').next());
    let tuple = tuple.ok_or_else(|| malformed("the shape is not a tuple"))?;
    let axes: Result<Vec<u64>, _> = tuple
        .split(',')
        .map(str::trim)
        .filter(|axis| !axis.is_empty())
        .map(str::parse)
        .collect();
    let axes = axes.map_err(|_| malformed("the shape is not a tuple of lengths"))?;
    if axes.contains(&0) {
        return Err(DataError::Empty {
            input: input.to_owned(),
        });
    }
    let count = axes.iter().try_fold(1_u64, |product, &axis| product.checked_mul(axis));
    count.ok_or_else(|| DataError::TooLarge {
        input: input.to_owned(),
        shape: axes,
    })
}

#[cfg(test)]
mod tests;
