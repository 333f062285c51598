//! The JSON form of an instance as a vector of coordinates: every floating-point number is one, integers are sizes and stay.

use serde_json::{Number, Value};

/// All floating-point numbers of a value, in the order in which they are written.
pub(crate) fn coordinates(value: &Value) -> Vec<f64> {
    let mut found = Vec::new();
    visit(value, &mut |x| found.push(x));
    found
}

fn visit(value: &Value, see: &mut impl FnMut(f64)) {
    match value {
        Value::Number(n) => {
            if let (true, Some(x)) = (n.is_f64(), n.as_f64()) {
                see(x);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| visit(item, see)),
        Value::Object(fields) => fields.values().for_each(|field| visit(field, see)),
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

/// The value with its floating-point numbers replaced in order; `None` if one of them is not finite.
pub(crate) fn with_coordinates(value: &Value, new: &[f64]) -> Option<Value> {
    let mut source = new.iter();
    replace(value, &mut source)
}

fn replace(value: &Value, source: &mut std::slice::Iter<'_, f64>) -> Option<Value> {
    Some(match value {
        Value::Number(n) if n.is_f64() => Value::Number(Number::from_f64(*source.next()?)?),
        Value::Array(items) => Value::Array(items.iter().map(|i| replace(i, source)).collect::<Option<_>>()?),
        Value::Object(fields) => {
            let replaced = fields.iter().map(|(k, v)| Some((k.clone(), replace(v, source)?)));
            Value::Object(replaced.collect::<Option<_>>()?)
        }
        other => other.clone(),
    })
}

/// A number rounded to so many significant decimal digits.
pub(crate) fn rounded(x: f64, digits: usize) -> f64 {
    format!("{:.*e}", digits.max(1) - 1, x).parse().unwrap_or(x)
}

/// Significant decimal digits that are needed to write a number; zero needs none.
pub(crate) fn digits_of(x: f64) -> usize {
    if x == 0.0 {
        return 0;
    }
    format!("{x:e}").split('e').next().map_or(0, |mantissa| mantissa.chars().filter(char::is_ascii_digit).count())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn floats_are_coordinates_and_integers_are_not() {
        let value = json!({"weights": [1.5, 2.0], "size": 3, "at": [[0.5, -1.0], [2.25]]});
        assert_eq!(coordinates(&value), [0.5, -1.0, 2.25, 1.5, 2.0]);
        let moved = with_coordinates(&value, &[1.0, 2.0, 3.0, 4.0, 5.0]).expect("finite");
        assert_eq!(moved, json!({"weights": [4.0, 5.0], "size": 3, "at": [[1.0, 2.0], [3.0]]}));
        assert_eq!(with_coordinates(&value, &[f64::NAN; 5]), None);
    }

    #[test]
    fn digits_are_counted_as_a_person_would() {
        assert_eq!([digits_of(0.0), digits_of(30.0), digits_of(0.25), digits_of(-1.0)], [0, 1, 2, 1]);
        assert_eq!(rounded(0.123_456, 2), 0.12);
    }
}
