//! The type of the elements as NumPy writes it: the order of the bytes, a letter, a size. `<f8`, `|S3`, `<M8[ns]`.

use std::fmt;

/// The units that dates and spans of time are counted in.
const UNITS: [&str; 13] =
    ["[Y]", "[M]", "[W]", "[D]", "[h]", "[m]", "[s]", "[ms]", "[us]", "[ns]", "[ps]", "[fs]", "[as]"];

/// A type that NumPy has, accepted by a reader or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ElementType {
    /// `b` for truth values, `i` and `u` for integers, `f` for numbers, `U` and `S` for strings; others are refused by their name.
    pub(super) letter: char,
    /// Bytes of an element; none for Python's objects, which have no size.
    pub(super) bytes: u64,
    pub(super) big_endian: bool,
    written: String,
}

impl ElementType {
    /// The type of that name, if NumPy has one.
    pub(super) fn named(written: &str) -> Option<Self> {
        let mut characters = written.chars();
        let (order, letter) = (characters.next()?, characters.next()?);
        let rest = characters.as_str();
        let (size, units) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()));
        let size: u64 = match letter {
            'O' if size.is_empty() => 0,
            'O' => return None,
            _ => size.parse().ok()?,
        };
        let sizes: &[u64] = match letter {
            'b' => &[1],
            'i' | 'u' => &[1, 2, 4, 8],
            'f' => &[2, 4, 8, 16],
            'c' => &[8, 16, 32],
            'm' | 'M' => &[8],
            'S' | 'a' | 'U' | 'V' | 'O' => &[],
            _ => return None,
        };
        // A single byte has no order, nor has what is a sequence of them.
        let ordered = match order {
            '<' | '>' => true,
            '|' => !sizes.is_empty() && size == 1 || "SaVO".contains(letter),
            _ => false,
        };
        let measured = match letter {
            'm' | 'M' => UNITS.contains(&units),
            _ => units.is_empty(),
        };
        (ordered && measured && (sizes.is_empty() || sizes.contains(&size))).then_some(())?;
        Some(Self {
            letter: if letter == 'a' { 'S' } else { letter },
            bytes: if letter == 'U' { size.checked_mul(4)? } else { size },
            big_endian: order == '>',
            written: written.to_owned(),
        })
    }
}

impl fmt::Display for ElementType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_types_that_numpy_has_and_no_others_have_a_size() {
        let bytes = |written| ElementType::named(written).map(|t| (t.letter, t.bytes, t.big_endian));
        assert_eq!(bytes(">f8"), Some(('f', 8, true)));
        assert_eq!(bytes("<f8"), Some(('f', 8, false)));
        assert_eq!(bytes("|u1"), Some(('u', 1, false)));
        assert_eq!(bytes("<U3"), Some(('U', 12, false)));
        assert_eq!(bytes("|a5"), Some(('S', 5, false)));
        assert_eq!(bytes("|O"), Some(('O', 0, false)));
        assert_eq!(bytes("<M8[ns]"), Some(('M', 8, false)));
        for none in [
            "", "<", "<f", "f8", "=f8", "<f9", "|f8", "<i16", "<b2", "|U3", "|O8", "<M8", "<M8[]", "<M8[25s]",
            "<f8[ns]", "<f8 ", "<q8", "<S-1", "<é8", "<U4611686018427387904", "|S99999999999999999999",
        ] {
            assert_eq!(bytes(none), None, "{none}");
        }
    }

    /// The writer that the tests know knows the same types.
    #[test]
    fn an_independent_reader_of_types_agrees() {
        let parts = |list: &'static str| list.split(' ').chain([""]);
        for order in parts("< > | =") {
            for letter in parts("b i u f c m M S a U O V x é") {
                for size in parts("0 1 2 4 8 08 16 32 99 18446744073709551616") {
                    for units in parts("[ns] [D] [] [x] ns") {
                        let written = format!("{order}{letter}{size}{units}");
                        let theirs = written.parse::<npyz::TypeStr>().ok();
                        let ours = ElementType::named(&written);
                        assert_eq!(
                            ours.map(|t| (t.letter, t.bytes)),
                            theirs.map(|t| (
                                t.type_char().to_str().chars().next().unwrap(),
                                t.num_bytes().unwrap_or(0) as u64
                            )),
                            "{written}"
                        );
                    }
                }
            }
        }
    }
}
