//! The value of a number as it was written.

use super::syntax::Literal;

/// The largest power of ten that a number may have.
const LARGEST_EXPONENT: i32 = 1000;

/// A decimal number, exactly where 38 digits are enough.
pub(crate) fn literal(text: &str) -> Literal {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let fraction = fraction.trim_end_matches('0');
    let digits = format!("{whole}{fraction}");
    let exact = || {
        let digits: u128 = digits.parse().ok()?;
        let written: i32 = exponent.parse().ok()?;
        let exponent = written.checked_sub(i32::try_from(fraction.len()).ok()?)?;
        // 1e3 is the whole number 1000.
        let scaled = u32::try_from(exponent).ok().and_then(|e| digits.checked_mul(10u128.checked_pow(e)?));
        if let Some(digits) = scaled.filter(|&d| d <= 1 << 53) {
            let exponent = 0;
            return Some(Literal::Decimal { digits, exponent });
        }
        (exponent.abs() <= LARGEST_EXPONENT).then_some(Literal::Decimal { digits, exponent })
    };
    exact().unwrap_or_else(|| Literal::Near(text.parse().unwrap_or(f64::INFINITY)))
}
