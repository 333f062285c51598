//! Numbers as text in which every digit is certain: cut and never rounded, and intervals rounded outward.

use enclosures::enclosure::Enclosure;
use enclosures::interval::Interval;

/// Digits after which a double is written down exactly, whatever it is.
const ALL: usize = 770;
/// An interval whose ends share fewer digits than this is shown by its ends.
const FEWEST: usize = 3;

/// The leading digits of the number inside, cut to at most `most` of them (more where it takes more to the decimal point): a number shown as
/// `1.234` lies in `[1.234, 1.235)`. An enclosure whose ends share fewer than three digits is shown as an interval
/// that contains it; a whole number that is known exactly is shown in full.
#[must_use]
pub fn certain(x: Enclosure, most: usize) -> String {
    let x = x.interval();
    if x.lo() == x.hi() && x.lo() == x.lo().trunc() && x.lo().abs() < 1e15 {
        return format!("{:.0}", x.lo() + 0.0);
    }
    if x.is_finite() && (x.lo() > 0.0 || x.hi() < 0.0) {
        let ((a, at), (b, bt)) = (digits(x.lo()), digits(x.hi()));
        if at == bt {
            let most = most.max(usize::try_from(at + 1).unwrap_or(0));
            let shared = a.iter().zip(&b).take(most).take_while(|(a, b)| a == b).count();
            // A whole number of seven digits is not cut to six and filled up with zeros.
            if shared >= FEWEST && i32::try_from(shared).is_ok_and(|shared| shared > at || at >= 7) {
                return written(x.hi() < 0.0, &a[..shared], at);
            }
        }
    }
    certain_interval(x, most)
}

/// `[lo, hi]` with both ends rounded outward, to as many digits as tell them apart and at most `most`.
#[must_use]
pub fn certain_interval(x: Interval, most: usize) -> String {
    let (lo, hi) = (x.lo(), x.hi());
    let enough = (2..most.max(3)).find(|&d| {
        let distance = (0.02 * (hi - lo)).abs();
        distance > 0.0
            && (lo - rounded(lo, d, true).1).abs() <= distance
            && (rounded(hi, d, false).1 - hi).abs() <= distance
    });
    let d = enough.unwrap_or(most.max(3));
    format!("[{}, {}]", rounded(lo, d, true).0, rounded(hi, d, false).0)
}

/// The upper end, rounded up to so many significant digits.
#[must_use]
pub fn upper_end(x: Enclosure, most: usize) -> String {
    rounded(x.hi(), most, false).0
}

/// So many of so many in per cent, cut to at most `most` significant digits and from the integers themselves: `36.6` for 366 of 1000.
#[must_use]
pub fn certain_percent(count: u64, of: u64, most: usize) -> String {
    if of == 0 {
        return "0".into();
    }
    let (count, of) = (u128::from(count) * 100, u128::from(of));
    let mut text = (count / of).to_string();
    let mut rest = count % of;
    let mut significant = if count >= of { text.len() } else { 0 };
    if rest > 0 && significant < most {
        text.push('.');
    }
    while rest > 0 && significant < most {
        rest *= 10;
        let digit = rest / of;
        rest %= of;
        significant += usize::from(significant > 0 || digit > 0);
        text.push_str(&digit.to_string());
    }
    text
}

/// The decimal digits of a number that is neither zero nor infinite, and the exponent of the first one.
fn digits(x: f64) -> (Vec<u8>, i32) {
    let text = format!("{:.*e}", ALL, x.abs());
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let digits = mantissa.bytes().filter(u8::is_ascii_digit).map(|b| b - b'0').collect();
    (digits, exponent.parse().unwrap_or(0))
}

/// A number with `d` significant digits, rounded down or up, as text and as the double nearest to that.
fn rounded(x: f64, d: usize, down: bool) -> (String, f64) {
    if x == 0.0 {
        return ("0".into(), 0.0);
    }
    if !x.is_finite() {
        return ((if x > 0.0 { "∞" } else { "-∞" }).into(), x);
    }
    let (all, mut at) = digits(x);
    let (kept, rest) = all.split_at(d.min(all.len()));
    let mut kept = kept.to_vec();
    let away = down == (x < 0.0);
    if away && rest.iter().any(|&digit| digit > 0) {
        match kept.iter().rposition(|&digit| digit < 9) {
            Some(place) => {
                kept[place] += 1;
                kept[place + 1..].fill(0);
            }
            None => {
                kept.fill(0);
                kept[0] = 1;
                at += 1;
            }
        }
    }
    while kept.len() > 1 && kept.last() == Some(&0) {
        kept.pop();
    }
    let text = written(x < 0.0, &kept, at);
    let value = text.parse().unwrap_or(x);
    (text, value)
}

/// Digits and the exponent of the first one as a number.
fn written(negative: bool, digits: &[u8], exponent: i32) -> String {
    let mut text = String::new();
    if negative {
        text.push('-');
    }
    let digit = |i: usize| char::from(b'0' + digits.get(i).copied().unwrap_or(0));
    match exponent {
        -4..0 => {
            text.push_str("0.");
            (exponent..-1).for_each(|_| text.push('0'));
            (0..digits.len()).for_each(|i| text.push(digit(i)));
        }
        0..16 if digits.len() > 7 || exponent < 7 => {
            let whole = exponent as usize + 1;
            (0..whole).for_each(|i| text.push(digit(i)));
            if digits.len() > whole {
                text.push('.');
                (whole..digits.len()).for_each(|i| text.push(digit(i)));
            }
        }
        _ => {
            text.push(digit(0));
            if digits.len() > 1 {
                text.push('.');
                (1..digits.len()).for_each(|i| text.push(digit(i)));
            }
            text.push_str(&format!("e{exponent}"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(lo: f64, hi: f64) -> String {
        certain(Enclosure::between(lo, hi), 6)
    }

    #[test]
    fn digits_are_cut_and_never_rounded() {
        assert_eq!(shown(1_125_731.299_1, 1_125_731.299_2), "1125731");
        assert_eq!(shown(0.577_215_66, 0.577_215_67), "0.577215");
        assert_eq!(shown(2.999_999_99, 2.999_999_991), "2.99999");
        assert_eq!(shown(-0.012_345_67, -0.012_345_66), "-0.0123456");
        assert_eq!(shown(1797.0, 1797.0), "1797");
        assert_eq!(shown(7_654_321.0, 7_654_321.0), "7654321");
        assert_eq!(shown(0.0, 0.0), "0");
        assert_eq!(shown(1.234e-9, 1.234e-9), "1.23400e-9");
        assert_eq!(shown(123.4, 123.9), "123");
        assert_eq!(upper_end(Enclosure::between(0.0, 0.123_411), 4), "0.1235");
    }

    #[test]
    fn an_interval_printed_contains_the_interval_it_stands_for() {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        for i in 0..4000 {
            let scale = core_math::exp10(f64::from(i % 25) - 12.0);
            let (a, b) = (next() * scale, next() * scale * core_math::exp10(-f64::from(i % 17)));
            let x = Interval::new(a.min(a + b), a.max(a + b));
            let text = certain_interval(x, 6);
            let ends: Vec<f64> = text.trim_matches(['[', ']']).split(", ").map(|end| end.parse().unwrap()).collect();
            assert!(ends[0] <= x.lo() && x.hi() <= ends[1], "{text} for {x:?}");
            let one = certain(x.into(), 6);
            if let Ok(value) = one.parse::<f64>() {
                // Cut towards zero: both ends lie beyond what is shown, by less than one unit of its last digit.
                let least = x.lo().abs().min(x.hi().abs());
                assert!(value.abs() <= least * (1.0 + 1e-15) && value * x.lo() >= 0.0, "{one} for {x:?}");
            }
        }
    }

    #[test]
    fn shares_are_cut_from_the_integers() {
        for (count, of, text) in [
            (366, 1000, "36.6"),
            (600, 600, "100"),
            (0, 7, "0"),
            (1, 3, "33.33"),
            (111, 125, "88.8"),
            (1, 30_000, "0.003333"),
            (1_796, 1_797, "99.94"),
            (u64::MAX, u64::MAX, "100"),
        ] {
            assert_eq!(certain_percent(count, of, 4), text);
        }
    }

    #[test]
    fn ends_are_rounded_outward() {
        assert_eq!(shown(0.0, 1.0 / 1_073_741_824.0), "[0, 9.4e-10]");
        assert_eq!(shown(-1.0, 2.0), "[-1, 2]");
        assert_eq!(shown(1.0, f64::INFINITY), "[1, ∞]");
        assert_eq!(shown(0.999_999_999, 1.000_000_001), "[0.999999, 1.00001]");
    }
}
