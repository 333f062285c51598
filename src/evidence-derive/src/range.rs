//! Ranges of numbers: as Rust writes them (`0.0..=1.0`, `1..`, `0<..`), or as mathematics does (`(0, 1]`, `[0, ∞)`).

/// The numbers between two ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeclaredRange {
    pub low: f64,
    pub high: f64,
    pub low_open: bool,
    pub high_open: bool,
}

impl DeclaredRange {
    /// Reads a range.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let range = match text.chars().next() {
            Some('(' | '[') => in_brackets(text)?,
            _ => with_dots(text)?,
        };
        let single = range.low == range.high && !range.low_open && !range.high_open;
        if single || range.low < range.high {
            return Ok(range);
        }
        Err(format!("`{text}` holds no number"))
    }

    /// Reads a range of lengths; the greatest is `u64::MAX` where there is none.
    pub fn parse_lengths(text: &str) -> Result<(u64, u64), String> {
        let whole = |x: f64| x.fract() == 0.0 && (0.0..=4_294_967_296.0).contains(&x);
        if let Some(length) = number(text.trim()).ok().filter(|x| whole(*x)) {
            return Ok((length as u64, length as u64));
        }
        let range = DeclaredRange::parse(text)?;
        let least = if range.low == f64::NEG_INFINITY { 0.0 } else { range.low };
        let unbounded = range.high == f64::INFINITY;
        if !whole(least) || !(unbounded || whole(range.high)) {
            return Err(format!("`{}` is not a range of lengths: whole numbers from 0 to 2^32", text.trim()));
        }
        let least = least as u64 + u64::from(range.low_open && range.low.is_finite());
        let greatest = if unbounded { u64::MAX } else { range.high as u64 - u64::from(range.high_open) };
        if least > greatest {
            return Err(format!("`{}` holds no length", text.trim()));
        }
        Ok((least, greatest))
    }
}

fn number(text: &str) -> Result<f64, String> {
    let (sign, size) = match text.strip_prefix(['-', '−']) {
        Some(rest) => (-1.0, rest.trim_start()),
        None => (1.0, text),
    };
    let x = match size {
        "∞" | "inf" => f64::INFINITY,
        "π" | "pi" => std::f64::consts::PI,
        _ => {
            let digits = size.replace('_', "");
            let plain = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.');
            let x: Option<f64> = digits.parse().ok().filter(|x: &f64| plain && x.is_finite());
            x.ok_or_else(|| format!("`{text}` is not a number"))?
        }
    };
    Ok(sign * x)
}

fn in_brackets(text: &str) -> Result<DeclaredRange, String> {
    let form = || format!("`{text}` is not a range such as `(0, 1]` or `[0, ∞)`");
    let (low_open, inner) = match text.strip_prefix('(') {
        Some(rest) => (true, rest),
        None => (false, &text[1..]),
    };
    let (high_open, inner) = match (inner.strip_suffix(')'), inner.strip_suffix(']')) {
        (Some(rest), _) => (true, rest),
        (_, Some(rest)) => (false, rest),
        _ => return Err(form()),
    };
    let (low, high) = inner.split_once(',').ok_or_else(form)?;
    let range = DeclaredRange { low: number(low.trim())?, high: number(high.trim())?, low_open, high_open };
    let closed_at_infinity = (range.low.is_infinite() && !low_open) || (range.high.is_infinite() && !high_open);
    if closed_at_infinity {
        return Err(format!("`{text}` includes infinity, which is not a number: write a round bracket"));
    }
    Ok(range)
}

fn with_dots(text: &str) -> Result<DeclaredRange, String> {
    let (low, high) = text
        .split_once("..")
        .ok_or_else(|| format!("`{text}` is not a range such as `0.0..=1.0`, `1..` or `(0, 1]`"))?;
    let (low, low_open) = match low.trim_end().strip_suffix('<') {
        Some(low) => (low, true),
        None => (low, false),
    };
    let (high, high_open) = match high.strip_prefix('=') {
        Some(high) if high.trim().is_empty() => return Err(format!("`{text}` has no end after `..=`")),
        Some(high) => (high, false),
        None => (high, true),
    };
    let end = |end: &str, without: f64| match end.trim() {
        "" => Ok(without),
        end => number(end),
    };
    let (low, high) = (end(low, f64::NEG_INFINITY)?, end(high, f64::INFINITY)?);
    Ok(DeclaredRange { low, high, low_open: low_open || low.is_infinite(), high_open: high_open || high.is_infinite() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn reads(text: &str, low: f64, high: f64, low_open: bool, high_open: bool) {
        let expected = DeclaredRange { low, high, low_open, high_open };
        assert_eq!(DeclaredRange::parse(text), Ok(expected), "{text}");
    }

    #[test]
    fn both_notations_are_read() {
        reads("0.0..=1.0", 0.0, 1.0, false, false);
        reads("0<..=1", 0.0, 1.0, true, false);
        reads("(0, 1]", 0.0, 1.0, true, false);
        reads("-1e3..1_000", -1e3, 1e3, false, true);
        reads("1e-6..", 1e-6, f64::INFINITY, false, true);
        reads("(−∞, π)", f64::NEG_INFINITY, std::f64::consts::PI, true, true);
        reads("[2, 2]", 2.0, 2.0, false, false);
    }

    #[test]
    fn what_holds_no_number_is_refused_with_its_reason() {
        for (text, reason) in [
            ("1..=0", "holds no number"),
            ("(1, 1]", "holds no number"),
            ("0..0", "holds no number"),
            ("[0, ∞]", "includes infinity"),
            ("0 to 1", "is not a range"),
            ("zero..1", "`zero` is not a number"),
            ("0..=", "no end"),
            ("nan..1", "`nan` is not a number"),
        ] {
            let refused = DeclaredRange::parse(text).expect_err(text);
            assert!(refused.contains(reason), "{text}: {refused}");
        }
    }

    #[test]
    fn lengths_are_whole() {
        assert_eq!(DeclaredRange::parse_lengths("1..=8"), Ok((1, 8)));
        assert_eq!(DeclaredRange::parse_lengths("2.."), Ok((2, u64::MAX)));
        assert_eq!(DeclaredRange::parse_lengths("..5"), Ok((0, 4)));
        assert_eq!(DeclaredRange::parse_lengths("(0, 3]"), Ok((1, 3)));
        assert_eq!(DeclaredRange::parse_lengths("4"), Ok((4, 4)));
        assert!(DeclaredRange::parse_lengths("0.5..=2").is_err());
        assert!(DeclaredRange::parse_lengths("-1..=2").is_err());
        assert!(DeclaredRange::parse_lengths("0..0").is_err());
    }
}
