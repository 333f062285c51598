//! Raised and lowered characters, and how far a script reaches that no braces close.

/// The character that a raised one stands for.
pub(super) fn raised(c: char) -> Option<char> {
    Some(match c {
        '⁰' => '0',
        '¹' => '1',
        '²' => '2',
        '³' => '3',
        '⁴'..='⁹' => char::from_u32(u32::from(c) - 0x2070 + u32::from('0'))?,
        '⁺' => '+',
        '⁻' => '−',
        '⁽' => '(',
        '⁾' => ')',
        'ᵀ' => 'T',
        'ⁿ' => 'n',
        'ⁱ' => 'i',
        'ˢ' => 's',
        _ => return None,
    })
}

/// The character that a lowered one stands for.
pub(super) fn lowered(c: char) -> Option<char> {
    Some(match c {
        '₀'..='₉' => char::from_u32(u32::from(c) - 0x2080 + u32::from('0'))?,
        '₊' => '+',
        '₋' => '−',
        _ => return None,
    })
}

/// Whether a character sits on the letter before it.
pub(super) fn is_accent(c: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&c)
}

/// Letters that count places, of which two may stand together below a letter: z_ij.
const INDICES: &str = "ijklmnpqrst";

/// Names of two letters that stand below a letter: L_un, p_cc, L_nc.
const SHORT_NAMES: [&str; 3] = ["un", "cc", "nc"];

/// Whether letters below a letter are a name and no indices.
pub(super) fn is_name(letters: &[char]) -> bool {
    letters.len() > 2 || SHORT_NAMES.contains(&letters.iter().collect::<String>().as_str())
}

/// How many characters the script below a letter takes, where no brace opens it: a number, a name, an index or two.
pub(super) fn length_below(rest: &[char]) -> usize {
    let run = |is: fn(&char) -> bool| rest.iter().take_while(|c| is(c)).count();
    let digits = run(char::is_ascii_digit);
    if digits > 0 {
        return digits;
    }
    let letters = run(char::is_ascii_lowercase);
    // A letter with a script of its own is the next factor: q_tq_t.
    let has_script = rest.get(letters) == Some(&'_');
    let letters = if has_script && letters > 1 && letters < 4 { letters - 1 } else { letters };
    let name: String = rest[..letters].iter().collect();
    match letters {
        0 | 1 => 1,
        2 if SHORT_NAMES.contains(&name.as_str()) || name.chars().all(|c| INDICES.contains(c)) => 2,
        2 => 1,
        // L_sup,k: the size of a task belongs to the name.
        3 if matches!(rest.get(3..5), Some([',', k]) if k.is_ascii_lowercase() || k.is_ascii_digit())
            && !rest.get(5).is_some_and(char::is_ascii_alphanumeric) =>
        {
            5
        }
        _ => letters,
    }
}

/// How many characters a script above takes, where no brace opens it: a number, with its sign, or one sign.
pub(super) fn length_above(rest: &[char]) -> usize {
    let sign = usize::from(matches!(rest.first(), Some('−' | '-' | '+')));
    let digits = rest[sign..].iter().take_while(|c| c.is_ascii_digit()).count();
    let letter = usize::from(digits == 0 && rest.get(sign).is_some_and(|c| sign == 0 || c.is_alphanumeric()));
    sign + digits + letter
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_below_ends_where_the_next_factor_begins() {
        for (text, expected) in [
            ("un^N", "un"),
            ("sup,k^μ ≤", "sup,k"),
            ("sup,1^μ", "sup,1"),
            ("sup,kx", "sup"),
            ("sup^μ", "sup"),
            ("C log", "C"),
            ("12", "12"),
            ("ij‖", "ij"),
            ("la²", "l"),
            ("tq_t", "t"),
            ("pτ²", "p"),
            ("AA_ξ", "A"),
            ("smooth ", "smooth"),
            ("ξ²", "ξ"),
            ("1x", "1"),
        ] {
            let chars: Vec<char> = text.chars().collect();
            let found: String = chars[..length_below(&chars)].iter().collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn a_script_above_is_a_number_or_one_sign() {
        for (text, expected) in [("−12x", "−12"), ("30.", "30"), ("x y", "x"), ("T)", "T"), ("+ b", "+"), ("−½W", "−½")]
        {
            let chars: Vec<char> = text.chars().collect();
            let found: String = chars[..length_above(&chars)].iter().collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
