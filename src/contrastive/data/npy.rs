//! NumPy's `.npy` arrays of one or two axes.
//!
//! Accepted elements: `u8`, `i32`, `i64`, `f32`, `f64` of either byte order, in C or Fortran order. Every conversion is
//! exact or refused.

use std::path::Path;

use npyz::{DType, NpyFile, NpyHeader, Order, TypeChar};

use super::file::read;
use super::{DataError, Table};

const ACCEPTED: &str = "u1, i4, i8, f4, f8";
pub(super) const MAGIC: &[u8] = b"\x93NUMPY";
/// NumPy refuses longer headers too; plain arrays need about a hundred characters.
const LONGEST_HEADER: usize = 10_000;
/// A plain array opens a dictionary and a tuple. The parser behind `npyz` recurses at every bracket.
const DEEPEST_HEADER: usize = 8;
/// Integers up to 2^53 in absolute value are `f64` without rounding.
const LARGEST_EXACT: u64 = 1 << 53;

/// Loads an array with two axes.
///
/// # Errors
/// [`DataError::Unreadable`], and whatever [`parse_table`] refuses.
pub fn load_table(path: &Path) -> Result<Table, DataError> {
    let (input, bytes) = read(path)?;
    parse_table(&input, &bytes)
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
/// [`DataError::Truncated`], [`DataError::TrailingBytes`], [`DataError::Inexact`], [`DataError::NotFinite`].
pub fn parse_table(input: &str, bytes: &[u8]) -> Result<Table, DataError> {
    let array = Array::parse(input, bytes, 2)?;
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
    let array = Array::parse(input, bytes, 1)?;
    let count = array.shape[0];
    Ok(Table::new(input, array.elements.into_numbers(input)?, count, 1)?.into_values())
}

/// Reads an array with one axis as labels from the bytes of a file; `input` names it in errors. Real elements are
/// accepted as long as each is an integer.
///
/// # Errors
/// As [`parse_table`], and [`DataError::NotALabel`] for anything but an integer in 0..=`u32::MAX`.
pub fn parse_labels(input: &str, bytes: &[u8]) -> Result<Vec<u32>, DataError> {
    let refuse = |index, value| DataError::NotALabel {
        input: input.to_owned(),
        index,
        value,
    };
    match Array::parse(input, bytes, 1)?.elements {
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

/// The elements of a file in storage order.
enum Elements {
    Integers(Vec<i64>),
    Reals(Vec<f64>),
}

impl Elements {
    fn into_numbers(self, input: &str) -> Result<Vec<f64>, DataError> {
        match self {
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
}

/// A file whose header and length agree.
struct Array {
    shape: Vec<usize>,
    order: Order,
    elements: Elements,
}

impl Array {
    /// Reads a non-empty array with `rank` axes.
    fn parse(input: &str, bytes: &[u8], rank: usize) -> Result<Self, DataError> {
        let malformed = |reason: String| DataError::Malformed {
            input: input.to_owned(),
            reason,
        };
        let (text, data) = split_header(input, bytes)?;
        let count = check_header(input, text)?;
        let mut from = bytes;
        let header = NpyHeader::from_reader(&mut from).map_err(|error| malformed(error.to_string()))?;
        let DType::Plain(kind) = header.dtype() else {
            let (input, found) = (input.to_owned(), "record".to_owned());
            return Err(DataError::UnsupportedType {
                input,
                found,
                accepted: ACCEPTED,
            });
        };
        if header.shape().len() != rank {
            let (input, found) = (input.to_owned(), header.shape().len());
            return Err(DataError::WrongRank {
                input,
                found,
                expected: rank,
            });
        }
        let too_large = || DataError::TooLarge {
            input: input.to_owned(),
            shape: header.shape().to_vec(),
        };
        let shape: Option<Vec<usize>> = header.shape().iter().map(|&axis| usize::try_from(axis).ok()).collect();
        let shape = shape.ok_or_else(too_large)?;
        let order = header.order();

        // The size field is the number of bytes of an element for the types that are read below.
        let size = kind.size_field();
        let needed = count
            .checked_mul(size)
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
            (TypeChar::Uint, 1) => complete()?
                .into_vec::<u8>()
                .map(|values| Elements::Integers(values.into_iter().map(i64::from).collect())),
            (TypeChar::Int, 4) => complete()?
                .into_vec::<i32>()
                .map(|values| Elements::Integers(values.into_iter().map(i64::from).collect())),
            (TypeChar::Int, 8) => complete()?.into_vec::<i64>().map(Elements::Integers),
            (TypeChar::Float, 4) => complete()?
                .into_vec::<f32>()
                .map(|values| Elements::Reals(values.into_iter().map(f64::from).collect())),
            (TypeChar::Float, 8) => complete()?.into_vec::<f64>().map(Elements::Reals),
            _ => {
                let (input, found) = (input.to_owned(), kind.to_string());
                return Err(DataError::UnsupportedType {
                    input,
                    found,
                    accepted: ACCEPTED,
                });
            }
        };
        Ok(Self {
            shape,
            order,
            elements: elements.map_err(|error| malformed(error.to_string()))?,
        })
    }
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
