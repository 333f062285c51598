//! Arrays of NumPy as tables: every type of number that fits a double, in any order of memory, with one copy that widens on its way.

use contrastive::data::{MOST_NUMBERS, NumberTable, at_most, room};
use half::f16;
use numpy::{Element, PyArrayDyn, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// Points, one row for each. `name` is that of the argument, for errors.
pub fn table(name: &str, array: &Bound<'_, PyUntypedArray>) -> PyResult<NumberTable> {
    let shape = array.shape();
    let &[rows, columns] = shape else {
        return Err(PyValueError::new_err(format!(
            "{name}: an array with {} axes, expected 2: one row for each point",
            shape.len()
        )));
    };
    // An array may repeat what it holds without holding it: what is asked for is known before there is room for it.
    let found = (rows as u64).saturating_mul(columns as u64);
    at_most(name, found, MOST_NUMBERS).map_err(|error| PyValueError::new_err(error.to_string()))?;
    let values = values(name, array)?;
    NumberTable::new(name, values, rows, columns).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// The numbers row by row.
fn values(name: &str, array: &Bound<'_, PyUntypedArray>) -> PyResult<Vec<f64>> {
    let values = &mut room(name, array.len()).map_err(|error| PyValueError::new_err(error.to_string()))?;
    let found = widened::<f64>(array, values, |x| x)
        .or_else(|| widened::<f32>(array, values, f64::from))
        .or_else(|| widened::<f16>(array, values, f64::from))
        .or_else(|| widened::<bool>(array, values, |x| f64::from(u8::from(x))))
        .or_else(|| widened::<u8>(array, values, f64::from))
        .or_else(|| widened::<i8>(array, values, f64::from))
        .or_else(|| widened::<u16>(array, values, f64::from))
        .or_else(|| widened::<i16>(array, values, f64::from))
        .or_else(|| widened::<u32>(array, values, f64::from))
        .or_else(|| widened::<i32>(array, values, f64::from));
    if found.is_some() {
        return Ok(std::mem::take(values));
    }
    // The widest integers fit a double only up to 2^53.
    let wide = widened::<i64>(array, values, |x| x as f64).or_else(|| widened::<u64>(array, values, |x| x as f64));
    match wide {
        Some(()) => match values.iter().find(|x| x.abs() > 9_007_199_254_740_992.0) {
            None => Ok(std::mem::take(values)),
            Some(x) => {
                Err(PyValueError::new_err(format!("{name}: the integer {x} is beyond 2^53 and no float of 64 bits")))
            }
        },
        None => Err(PyTypeError::new_err(format!(
            "{name}: elements of type {}, expected floats of 16 to 64 bits, integers or truth values",
            array.dtype()
        ))),
    }
}

/// Appends the numbers of an array of this type in the order of the rows, whatever that of the memory is; none of another type.
fn widened<T: Element + Copy>(
    array: &Bound<'_, PyUntypedArray>,
    values: &mut Vec<f64>,
    wide: impl Fn(T) -> f64,
) -> Option<()> {
    let array = array.cast::<PyArrayDyn<T>>().ok()?;
    let array = array.readonly();
    let view = array.as_array();
    match view.as_slice() {
        Some(slice) => values.extend(slice.iter().map(|&x| wide(x))),
        None => values.extend(view.iter().map(|&x| wide(x))),
    }
    Some(())
}
