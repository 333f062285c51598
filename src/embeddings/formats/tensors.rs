//! Safetensors: named tensors of little-endian numbers.

use contrastive::data::{ClassNames, DataError, MOST_LABELS, MOST_NUMBERS, NumberTable, at_most, room};
use half::{bf16, f16};
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};

const ACCEPTED: &str = "BOOL, I8, I16, I32, I64, U8, U16, U32, F8_E4M3, F8_E5M2, F16, BF16, F32, F64";
/// Integers up to 2^53 in size are doubles without rounding.
const LARGEST_EXACT: u64 = 1 << 53;

/// The tensor of a given name, or the only one, as a table.
pub(super) fn table(input: &str, bytes: &[u8], asked: Option<&str>) -> Result<NumberTable, DataError> {
    let file = parsed(input, bytes)?;
    let (name, tensor) = chosen(input, &file, asked)?;
    let &[rows, columns] = tensor.shape() else {
        return Err(DataError::WrongRank { input: name, found: tensor.shape().len(), expected: 2 });
    };
    let values = match numbers(&name, &tensor, MOST_NUMBERS)? {
        Numbers::Reals(values) => values,
        Numbers::Integers(values) => {
            if let Some(index) = values.iter().position(|value| value.unsigned_abs() > LARGEST_EXACT) {
                return Err(DataError::Inexact { input: name, index, value: values[index] });
            }
            values.into_iter().map(|value| value as f64).collect()
        }
    };
    NumberTable::new(&name, values, rows, columns)
}

/// How many rows a tensor has.
pub(super) fn announced_rows(input: &str, bytes: &[u8], asked: Option<&str>) -> Option<u64> {
    let file = parsed(input, bytes).ok()?;
    let (_, tensor) = chosen(input, &file, asked).ok()?;
    tensor.shape().first().map(|&rows| rows as u64)
}

/// The tensor of a given name, or the only one, as the class of every point.
pub(super) fn classes(input: &str, bytes: &[u8], asked: Option<&str>) -> Result<ClassNames, DataError> {
    let file = parsed(input, bytes)?;
    let (name, tensor) = chosen(input, &file, asked)?;
    if !matches!(tensor.shape(), [_] | [_, 1]) {
        return Err(DataError::WrongRank { input: name, found: tensor.shape().len(), expected: 1 });
    }
    match numbers(&name, &tensor, MOST_LABELS)? {
        Numbers::Integers(values) => ClassNames::of_integers(&name, values),
        Numbers::Reals(_) => Err(DataError::UnsupportedType {
            input: name,
            found: format!("{:?}", tensor.dtype()),
            accepted: "BOOL, I8, I16, I32, I64, U8, U16, U32 (for labels)",
        }),
    }
}

fn parsed<'b>(input: &str, bytes: &'b [u8]) -> Result<SafeTensors<'b>, DataError> {
    SafeTensors::deserialize(bytes)
        .map_err(|error| DataError::Malformed { input: input.to_owned(), reason: error.to_string() })
}

fn chosen<'b>(input: &str, file: &SafeTensors<'b>, asked: Option<&str>) -> Result<(String, TensorView<'b>), DataError> {
    let mut names: Vec<String> = file.names().into_iter().map(|name| name.to_owned()).collect();
    names.sort_unstable();
    let name = match (asked, names.as_slice()) {
        (Some(name), _) => Some(name.to_owned()),
        (None, [only]) => Some(only.clone()),
        _ => None,
    };
    let tensor = name.as_deref().and_then(|name| file.tensor(name).ok());
    match (name, tensor) {
        (Some(name), Some(tensor)) => Ok((format!("{input}:{name}"), tensor)),
        _ => Err(DataError::NoSuchArray {
            input: input.to_owned(),
            format: "safetensors",
            asked: asked.map(str::to_owned),
            found: names,
        }),
    }
}

enum Numbers {
    Integers(Vec<i64>),
    Reals(Vec<f64>),
}

/// The numbers of a tensor, each exactly, if there are no more than so many.
fn numbers(input: &str, tensor: &TensorView<'_>, most: u64) -> Result<Numbers, DataError> {
    fn each<const SIZE: usize, T>(
        (input, data): (&str, &[u8]),
        of: impl Fn([u8; SIZE]) -> T,
    ) -> Result<Vec<T>, DataError> {
        let (chunks, _) = data.as_chunks::<SIZE>();
        let mut values = room(input, chunks.len())?;
        values.extend(chunks.iter().map(|&bytes| of(bytes)));
        Ok(values)
    }
    let data = (input, tensor.data());
    // The reader has compared the shape with the bytes that there are.
    let found = tensor.shape().iter().map(|&axis| axis as u64).product();
    at_most(input, found, most)?;
    Ok(match tensor.dtype() {
        Dtype::BOOL | Dtype::U8 => Numbers::Integers(each(data, |[b]: [u8; 1]| i64::from(b))?),
        Dtype::I8 => Numbers::Integers(each(data, |b| i64::from(i8::from_le_bytes(b)))?),
        Dtype::I16 => Numbers::Integers(each(data, |b| i64::from(i16::from_le_bytes(b)))?),
        Dtype::U16 => Numbers::Integers(each(data, |b| i64::from(u16::from_le_bytes(b)))?),
        Dtype::I32 => Numbers::Integers(each(data, |b| i64::from(i32::from_le_bytes(b)))?),
        Dtype::U32 => Numbers::Integers(each(data, |b| i64::from(u32::from_le_bytes(b)))?),
        Dtype::I64 => Numbers::Integers(each(data, i64::from_le_bytes)?),
        Dtype::F8_E4M3 => Numbers::Reals(each(data, |[b]: [u8; 1]| of_four_bits(b))?),
        // The upper half of a float of 16 bits.
        Dtype::F8_E5M2 => Numbers::Reals(each(data, |[b]: [u8; 1]| f16::from_le_bytes([0, b]).to_f64())?),
        Dtype::F16 => Numbers::Reals(each(data, |b| f16::from_le_bytes(b).to_f64())?),
        Dtype::BF16 => Numbers::Reals(each(data, |b| bf16::from_le_bytes(b).to_f64())?),
        Dtype::F32 => Numbers::Reals(each(data, |b| f64::from(f32::from_le_bytes(b)))?),
        Dtype::F64 => Numbers::Reals(each(data, f64::from_le_bytes)?),
        other => {
            return Err(DataError::UnsupportedType {
                input: input.to_owned(),
                found: format!("{other:?}"),
                accepted: ACCEPTED,
            });
        }
    })
}

/// A float of 8 bits with four of them for the exponent and three for the fraction: no infinity, and one not-a-number of either sign.
fn of_four_bits(b: u8) -> f64 {
    let (exponent, fraction) = (i32::from(b >> 3 & 0xf), f64::from(b & 7));
    let size = match (exponent, b & 7) {
        (0xf, 7) => f64::NAN,
        // Powers of two, and so exact.
        (0, _) => fraction / 8.0 / 64.0,
        _ => (1.0 + fraction / 8.0) * f64::from_bits(((exponent - 7 + 1023) as u64) << 52),
    };
    if b & 0x80 == 0 { size } else { -size }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_numbers_than_asked_for_are_refused() {
        let view = TensorView::new(Dtype::U8, vec![2, 3], &[0; 6]).unwrap();
        assert!(matches!(numbers("a", &view, 6), Ok(Numbers::Integers(found)) if found.len() == 6));
        assert!(matches!(numbers("a", &view, 5), Err(DataError::TooMany { found: 6, limit: 5, .. })));
    }

    #[test]
    fn floats_of_eight_bits_are_those_of_their_definition() {
        let of = |kind: Dtype, bytes: &[u8]| {
            let view = TensorView::new(kind, vec![1, bytes.len()], bytes).unwrap();
            match numbers("a", &view, 100) {
                Ok(Numbers::Reals(values)) => values,
                _ => panic!("reals"),
            }
        };
        // One, the largest, the smallest normal one, the smallest and the largest below it, minus two, the zeros.
        let four = of(Dtype::F8_E4M3, &[0x38, 0x7e, 0x08, 0x01, 0x07, 0xc0, 0x00, 0x80]);
        assert_eq!(four, [1.0, 448.0, 0.015_625, 0.001_953_125, 0.013_671_875, -2.0, 0.0, 0.0]);
        assert!(of(Dtype::F8_E4M3, &[0x7f, 0xff]).iter().all(|x| x.is_nan()));
        let five = of(Dtype::F8_E5M2, &[0x3c, 0x7b, 0x04, 0x01, 0xc0]);
        assert_eq!(five, [1.0, 57344.0, 0.000_061_035_156_25, 0.000_015_258_789_062_5, -2.0]);
        assert!(of(Dtype::F8_E5M2, &[0x7c])[0].is_infinite());
    }
}
