//! Numbers as text: no digit that an enclosure does not support.

use crate::interval::Interval;

/// The number inside, with at most `most` significant digits and none that the enclosure does not support; an interval
/// that does not support two digits is written as its two ends: "1" would be read as more than [0.953, 0.999] says.
#[must_use]
pub fn safe_digits(x: Interval, most: usize) -> String {
    if !x.is_finite() {
        return around(x, 3);
    }
    if x.lo() == 0.0 && x.hi() == 0.0 {
        return "0".into();
    }
    for digits in (most.min(2)..=most).rev() {
        let (lo, hi) = (plain(x.lo(), digits), plain(x.hi(), digits));
        if lo == hi {
            return lo;
        }
        // Two ends that straddle a rounding boundary still agree to within one unit of the last digit kept.
        let unit = core_math::exp10(f64::from(x.magnitude().log10_floor() - digits as i32 + 1));
        if x.width() <= 0.1 * unit {
            return plain(x.midpoint(), digits);
        }
    }
    around(x, 2)
}

trait DecimalExponent {
    fn log10_floor(self) -> i32;
}

impl DecimalExponent for f64 {
    fn log10_floor(self) -> i32 {
        core_math::log10(self).floor() as i32
    }
}

/// A double with so many significant digits, trailing zeros removed, in plain notation where that is short.
#[must_use]
pub fn plain(x: f64, digits: usize) -> String {
    let scientific = format!("{:.*e}", digits.max(1) - 1, x);
    let Some((mantissa, exponent)) = scientific.split_once('e') else {
        return scientific;
    };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trim = |s: &str| {
        if s.contains('.') { s.trim_end_matches('0').trim_end_matches('.').to_owned() } else { s.into() }
    };
    if (-4..7).contains(&exponent) {
        let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
        let rounded: f64 = scientific.parse().unwrap_or(x);
        let text = trim(&format!("{rounded:.decimals$}"));
        if text == "-0" { "0".into() } else { text }
    } else {
        format!("{}e{exponent}", trim(mantissa))
    }
}

/// An interval of so many significant digits that holds this one: its ends are rounded outward.
#[must_use]
pub fn around(x: Interval, digits: usize) -> String {
    let end = |x: f64, outward: f64| {
        if !x.is_finite() {
            return if x > 0.0 { "∞".into() } else { "-∞".into() };
        }
        let nearest = plain(x, digits);
        let is_outside = |text: &str| {
            let (text, short) = (text.parse::<f64>().unwrap_or(x), (x * 1024.0).fract() == 0.0 && x.abs() < 1e6);
            // A text that is read as x is x itself only where x is a short binary fraction.
            (text - x) * outward > 0.0 || text == x && short
        };
        if is_outside(&nearest) {
            return nearest;
        }
        let unit = core_math::exp10(f64::from(x.abs().log10_floor() - digits as i32 + 1)).max(f64::from_bits(1));
        // One unit suffices; a second one covers the rounding of the sum.
        let further = (1..=2).map(|units| plain(x + outward * unit * f64::from(units), digits));
        further.into_iter().find(|text| is_outside(text)).unwrap_or(if outward < 0.0 {
            "-∞".into()
        } else {
            "∞".into()
        })
    };
    format!("[{}, {}]", end(x.lo(), -1.0), end(x.hi(), 1.0))
}

#[cfg(test)]
mod tests {
    use super::around;
    use crate::enclosure::{Enclosure, exact};
    use crate::interval::Interval;

    #[test]
    fn only_safe_digits_are_printed() {
        assert_eq!(Enclosure::between(0.593_147_1, 0.593_147_3).to_string(), "0.593147");
        assert_eq!(Enclosure::between(0.69, 0.70).to_string(), "[0.68, 0.71]");
        assert_eq!(Enclosure::between(0.953, 0.999).to_string(), "[0.95, 1]");
        assert_eq!(Enclosure::from(0).to_string(), "0");
        // Below the normal doubles as above: no digit is safe where zero is one of the ends.
        assert_eq!(Enclosure::between(0.0, 1e-323).to_string(), "[0, 1.5e-323]");
        assert_eq!(exact(-1234.5).to_string(), "-1234.5");
        assert_eq!(exact(2.0e-9).to_string(), "2e-9");
        assert_eq!(Enclosure::between(-1.0, 1.0).to_string(), "[-1, 1]");
        assert_eq!(Enclosure::between(1.0, f64::INFINITY).to_string(), "[1, ∞]");
    }
    #[test]
    fn ends_are_rounded_outward() {
        assert_eq!(around(Interval::new(1.0 / 6.0, 0.209_3), 4), "[0.1666, 0.2094]");
        assert_eq!(around(Interval::new(-0.25, 1.0 / 45.0), 4), "[-0.25, 0.02223]");
        // As doubles 0.3 is below three tenths, and 0.1 above one tenth.
        assert_eq!(around(Interval::new(0.3, 0.3), 2), "[0.29, 0.31]");
        assert_eq!(around(Interval::new(-99_996.0, f64::INFINITY), 4), "[-100000, ∞]");
    }
}
