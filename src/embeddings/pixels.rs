//! Pixels: whole numbers from 0 to 255. Whatever holds them, a file of any format or an array, they stay as they are stored unless it is asked
//! that they be divided by 255.

use contrastive::data::idx::BRIGHTEST;
use rayon::prelude::*;

use super::EmbeddingsError;

fn is_pixel(x: f64) -> bool {
    (0.0..=BRIGHTEST).contains(&x) && x.fract() == 0.0
}

/// Divides by 255 what are pixels, row after row.
///
/// # Errors
/// [`EmbeddingsError::NotAPixel`] for the first number that is none.
pub(crate) fn scale(values: &mut [f64], columns: usize) -> Result<(), EmbeddingsError> {
    if let Some(at) = values.par_iter().position_first(|&x| !is_pixel(x)) {
        return Err(EmbeddingsError::NotAPixel { row: at / columns, column: at % columns, value: values[at] });
    }
    values.par_iter_mut().for_each(|x| *x /= BRIGHTEST);
    Ok(())
}

/// What a reader is told of pixels: that they were scaled, or that all numbers look like some and were not.
pub(crate) fn remark(values: &[f64], scaled: bool) -> Option<String> {
    if scaled {
        return Some("Pixels are scaled by 1/255.".into());
    }
    let largest = values.par_iter().copied().reduce(|| 0.0, f64::max);
    (largest > 1.0 && values.par_iter().all(|&x| is_pixel(x))).then(|| {
        format!(
            "All coordinates are whole numbers from 0 to {largest}, like pixels. They are used as stored (--pixels \
             divides them by 255)."
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_are_scaled_where_it_is_asked_and_told_where_it_is_not() {
        let mut values = vec![0.0, 51.0, 255.0, 102.0];
        assert!(remark(&values, false).unwrap().contains("from 0 to 255"));
        scale(&mut values, 2).unwrap();
        assert_eq!(values, [0.0, 0.2, 1.0, 0.4]);
        assert_eq!(remark(&values, true).unwrap(), "Pixels are scaled by 1/255.");
        // Truth values, numbers with a sign and fractions are none.
        for others in [[0.0, 1.0, 1.0, 0.0], [0.0, -3.0, 7.0, 1.0], [0.0, 0.5, 7.0, 1.0], [0.0, 256.0, 7.0, 1.0]] {
            assert_eq!(remark(&others, false), None, "{others:?}");
        }
        let refused = scale(&mut [1.0, 2.0, 3.0, 256.0], 2).unwrap_err().to_string();
        assert!(refused.contains("row 1, column 1 is 256"), "{refused}");
    }
}
