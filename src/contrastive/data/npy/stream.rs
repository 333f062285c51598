//! An array with two axes from a stream, a piece at a time, so that its bytes and its numbers are never held together.

use std::io::Read;

use half::f16;

use super::super::file::{LARGEST_FILE, MOST_NUMBERS, at_most};
use super::element::ElementType;
use super::header::{Header, LONGEST_HEADER};
use super::parse_table;
use crate::data::{DataError, NumberTable};

/// Bytes of a piece, a multiple of every size of a number.
const PIECE: usize = 1 << 20;
/// Bytes before the text of a header, at most.
const PREFACE: usize = 12;

/// Reads an array with two axes from a stream to its end; `input` names it in errors. Beside the numbers, floating-point and small integer arrays
/// in C order take a megabyte.
///
/// # Errors
/// As [`parse_table`], [`DataError::Unreadable`], and [`DataError::Endless`] for more than 4 GiB.
pub fn read_table(input: &str, from: impl Read) -> Result<NumberTable, DataError> {
    read_table_within(input, from, LARGEST_FILE)
}

/// [`read_table`] with another limit of the bytes: the length of the file, where it is known to have one.
///
/// # Errors
/// As there.
pub fn read_table_within(input: &str, from: impl Read, limit: u64) -> Result<NumberTable, DataError> {
    let mut from = from.take(limit.saturating_add(1));
    let mut bytes = Vec::new();
    fill(input, &mut from, &mut bytes, PREFACE + LONGEST_HEADER)?;
    let (header, data) = Header::read(input, &bytes)?;
    at_most(input, header.count, MOST_NUMBERS)?;
    let start = bytes.len() - data.len();
    let Some((rows, columns, size, number)) = plain(&header) else {
        from.read_to_end(&mut bytes).map_err(|source| unreadable(input, source))?;
        if bytes.len() as u64 > limit {
            return Err(endless(input, limit));
        }
        return parse_table(input, &bytes);
    };
    let needed = rows.checked_mul(columns).and_then(|count| count.checked_mul(size));
    let needed = needed
        .ok_or_else(|| DataError::TooLarge { input: input.to_owned(), shape: vec![rows as u64, columns as u64] })?;
    bytes.drain(..start);
    let (mut values, mut found) = (Vec::new(), 0);
    loop {
        found += bytes.len();
        if (start + found) as u64 > limit {
            return Err(endless(input, limit));
        }
        // What the header says is believed as far as numbers arrive; beyond it they are only counted.
        let whole = bytes.len() - bytes.len() % size;
        if found - bytes.len() < needed {
            if values.try_reserve(whole / size).is_err() {
                return Err(DataError::NoMemory { input: input.to_owned(), numbers: needed / size });
            }
            values.extend(bytes[..whole].chunks_exact(size).map(number));
        }
        let rest = bytes.split_off(whole);
        found -= rest.len();
        let before = rest.len();
        bytes = rest;
        fill(input, &mut from, &mut bytes, PIECE)?;
        if bytes.len() == before {
            found += before;
            break;
        }
    }
    let (found, expected) = (start + found, start.saturating_add(needed));
    let input_name = input.to_owned();
    if found < expected {
        return Err(DataError::Truncated { input: input_name, found, expected });
    }
    if found > expected {
        return Err(DataError::TrailingBytes { input: input_name, found, expected });
    }
    NumberTable::new(input, values, rows, columns)
}

/// Adds bytes until there are so many, or no more.
fn fill(input: &str, from: &mut impl Read, bytes: &mut Vec<u8>, length: usize) -> Result<(), DataError> {
    let missing = length.saturating_sub(bytes.len()) as u64;
    match from.by_ref().take(missing).read_to_end(bytes) {
        Ok(_) => Ok(()),
        Err(source) => Err(unreadable(input, source)),
    }
}

fn unreadable(input: &str, source: std::io::Error) -> DataError {
    DataError::Unreadable { input: input.to_owned(), source }
}

fn endless(input: &str, limit: u64) -> DataError {
    DataError::Endless { input: input.to_owned(), limit }
}

type Number = fn(&[u8]) -> f64;

/// Rows, columns, and size and reading of a number; none for what is not read in pieces.
fn plain(header: &Header) -> Option<(usize, usize, usize, Number)> {
    let (Some(kind), &[rows, columns], false) = (&header.element, header.shape.as_slice(), header.fortran_order) else {
        return None;
    };
    let (size, number) = number(kind)?;
    Some((usize::try_from(rows).ok()?, usize::try_from(columns).ok()?, size, number))
}

/// The size of a number, and what its bytes stand for, exactly.
fn number(kind: &ElementType) -> Option<(usize, Number)> {
    /// Reads numbers of either order of bytes.
    macro_rules! ordered {
        ($type:ty, $value:expr) => {
            if kind.big_endian {
                (size_of::<$type>(), |b| $value(<$type>::from_be_bytes(b.try_into().unwrap_or_default())))
            } else {
                (size_of::<$type>(), |b| $value(<$type>::from_le_bytes(b.try_into().unwrap_or_default())))
            }
        };
    }
    Some(match (kind.letter, kind.bytes) {
        ('f', 2) => ordered!(f16, f16::to_f64),
        ('f', 4) => ordered!(f32, f64::from),
        ('f', 8) => ordered!(f64, f64::from),
        ('i', 1) => ordered!(i8, f64::from),
        ('i', 2) => ordered!(i16, f64::from),
        ('i', 4) => ordered!(i32, f64::from),
        ('u', 1) => ordered!(u8, f64::from),
        ('u', 2) => ordered!(u16, f64::from),
        ('u', 4) => ordered!(u32, f64::from),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use npyz::Order;

    use super::super::tests::{by_hand, npy, plain as file};
    use super::*;

    fn same(bytes: &[u8]) {
        let (whole, streamed) = (parse_table("a", bytes), read_table("a", bytes));
        match (whole, streamed) {
            (Ok(whole), Ok(streamed)) => assert_eq!(whole, streamed),
            (whole, streamed) => {
                let (whole, streamed) = (whole.map_err(|e| e.to_string()), streamed.map_err(|e| e.to_string()));
                assert_eq!(whole, streamed);
            }
        }
    }

    #[test]
    fn a_stream_gives_what_the_whole_file_gives() {
        let bytes: Vec<u8> = (0..96u8).collect();
        for (descr, size) in [
            ("|b1", 1),
            ("|i1", 1),
            ("|u1", 1),
            ("<i2", 2),
            (">i2", 2),
            (">u2", 2),
            ("<u4", 4),
            (">i4", 4),
            ("<i8", 8),
            ("<u8", 8),
            ("<f2", 2),
            (">f2", 2),
            ("<f4", 4),
            (">f4", 4),
            ("<f8", 8),
            (">f8", 8),
            ("<c16", 16),
            ("|O", 8),
            ("<U2", 8),
        ] {
            let whole = file(descr, "(2, 3)", &bytes[..6 * size]);
            same(&whole);
            same(&[&whole[..], b"x"].concat());
            for length in [0, 5, 8, 40, whole.len() - 1] {
                same(&whole[..length]);
            }
        }
        same(&npy(Order::Fortran, &[2, 3], &[1.0, 4.0, 2.0, 5.0, 3.0, 6.0]));
        same(&npy(Order::C, &[2], &[1.0, f64::NAN]));
        same(&npy(Order::C, &[2, 1], &[1.0, f64::NAN]));
        same(&file("<f4", "(4294967296, 4294967296)", &[0; 64]));
        same(&file("<f8", "(0, 3)", &[]));
        same(&by_hand("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1)", &[0; 8]));
    }

    #[test]
    fn the_limit_is_that_of_the_caller() {
        let bytes = npy(Order::C, &[2, 3], &[1.0f64; 6]);
        let within = |limit: usize| read_table_within("a", &bytes[..], limit as u64);
        assert!(within(bytes.len()).is_ok());
        let refused = within(bytes.len() - 1);
        assert!(matches!(refused, Err(DataError::Endless { limit, .. }) if limit + 1 == bytes.len() as u64));
    }

    #[test]
    fn pieces_are_joined_where_a_number_is_cut() {
        let values: Vec<f32> = (0..700_001).map(|i| i as f32 / 7.0).collect();
        same(&npy(Order::C, &[1, 700_001], &values));
        // A reader that gives three bytes at a time.
        struct Drop<'b>(&'b [u8]);
        impl Read for Drop<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
                let count = buffer.len().min(self.0.len()).min(3);
                buffer[..count].copy_from_slice(&self.0[..count]);
                self.0 = &self.0[count..];
                Ok(count)
            }
        }
        let bytes = npy(Order::C, &[2, 2], &[1.5f64, 2.5, -3.5, 4.5]);
        assert_eq!(read_table("a", Drop(&bytes)).unwrap(), parse_table("a", &bytes).unwrap());
    }
}
