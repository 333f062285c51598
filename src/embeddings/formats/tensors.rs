//! Safetensors: named tensors of little-endian numbers.

use contrastive::data::{ClassNames, DataError, MOST_LABELS, MOST_NUMBERS, Table, at_most, room};
use half::{bf16, f16};
use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensors};

const ACCEPTED: &str = "BOOL, I8, I16, I32, I64, U8, U16, U32, F16, BF16, F32, F64";
/// Integers up to 2^53 in size are doubles without rounding.
const LARGEST_EXACT: u64 = 1 << 53;

/// The tensor of a given name, or the only one, as a table.
pub(super) fn table(input: &str, bytes: &[u8], asked: Option<&str>) -> Result<Table, DataError> {
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
    Table::new(&name, values, rows, columns)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_numbers_than_asked_for_are_refused() {
        let view = TensorView::new(Dtype::U8, vec![2, 3], &[0; 6]).unwrap();
        assert!(matches!(numbers("a", &view, 6), Ok(Numbers::Integers(found)) if found.len() == 6));
        assert!(matches!(numbers("a", &view, 5), Err(DataError::TooMany { found: 6, limit: 5, .. })));
    }
}
