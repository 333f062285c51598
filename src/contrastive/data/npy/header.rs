//! The header of a `.npy` file: what the elements are, in which order they stand, and how many there are along each axis.
//!
//! It is a dictionary in Python's notation, with exactly these keys: `{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }`. It is read
//! from left to right without recursion, and whatever NumPy would not write is refused.

use super::element::ElementType;
use crate::data::DataError;

pub(in crate::data) const MAGIC: &[u8] = b"\x93NUMPY";
/// NumPy refuses longer headers too; plain arrays need about a hundred characters.
pub(super) const LONGEST_HEADER: usize = 10_000;

/// What a header says of an array that is not empty.
pub(super) struct Header {
    /// The type of the elements; none for records, which have a list of fields.
    pub(super) element: Option<ElementType>,
    pub(super) fortran_order: bool,
    pub(super) shape: Vec<u64>,
    /// The number of the elements.
    pub(super) count: u64,
}

impl Header {
    /// Reads the header of a file, of which perhaps only the beginning is there; the data behind it is returned as well.
    pub(super) fn read<'b>(input: &str, bytes: &'b [u8]) -> Result<(Self, &'b [u8]), DataError> {
        let malformed = |reason: String| DataError::Malformed { input: input.to_owned(), reason };
        let (text, data) = split(input, bytes)?;
        if let &[major, minor, ..] = &bytes[MAGIC.len()..]
            && !matches!((major, minor), (1..=3, 0))
        {
            let reason = format!("version {major}.{minor}, where 1.0, 2.0 and 3.0 are known");
            return Err(malformed(reason));
        }
        let text = str::from_utf8(text).ok();
        // An escape could hide one key from a reader and show it to another.
        let text = text.filter(|text| text.is_ascii() && !text.contains('\\'));
        let text = text.ok_or_else(|| malformed("not plain ASCII".to_owned()))?;
        let Fields { element, fortran_order, shape } = fields(text).map_err(malformed)?;
        let input = input.to_owned();
        if shape.contains(&0) {
            return Err(DataError::Empty { input });
        }
        match shape.iter().try_fold(1_u64, |product, &axis| product.checked_mul(axis)) {
            None => Err(DataError::TooLarge { input, shape }),
            Some(count) => Ok((Self { element, fortran_order, shape, count }, data)),
        }
    }
}

/// Cuts a file into the text of its header and its data.
fn split<'b>(input: &str, bytes: &'b [u8]) -> Result<(&'b [u8], &'b [u8]), DataError> {
    if !bytes.starts_with(MAGIC) {
        return Err(DataError::WrongMagic {
            input: input.to_owned(),
            format: "npy",
            found: bytes[..bytes.len().min(MAGIC.len())].to_vec(),
            expected: MAGIC.to_vec(),
        });
    }
    let truncated = |expected| DataError::Truncated { input: input.to_owned(), found: bytes.len(), expected };
    let (length, start) = match bytes.get(6) {
        Some(1) => (bytes.get(8..10).map(|b| usize::from(u16::from_le_bytes([b[0], b[1]]))), 10),
        _ => (bytes.get(8..12).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]) as usize), 12),
    };
    let length = length.ok_or_else(|| truncated(start))?;
    if length > LONGEST_HEADER {
        let reason = format!("{length} characters, at most {LONGEST_HEADER} are accepted");
        return Err(DataError::Malformed { input: input.to_owned(), reason });
    }
    let rest = &bytes[start..];
    rest.split_at_checked(length).ok_or_else(|| truncated(start + length))
}

/// The values of the three keys.
struct Fields {
    element: Option<ElementType>,
    fortran_order: bool,
    shape: Vec<u64>,
}

/// Reads the dictionary, or says why it is none of an array.
fn fields(text: &str) -> Result<Fields, String> {
    let mut text = Text(text.strip_suffix('\n').unwrap_or(text));
    let (mut element, mut fortran_order, mut shape) = (None, None, None);
    let not_once = |key: &str| format!("the key '{key}' is not given exactly once");
    text.require('{')?;
    while !text.sign('}') {
        let key = text.quoted()?;
        text.require(':')?;
        // Of a key that stands twice some readers take the first and others the last.
        let again = match key {
            "descr" => element.replace(text.descr()?).is_some(),
            "fortran_order" => fortran_order.replace(text.truth()?).is_some(),
            "shape" => shape.replace(text.shape()?).is_some(),
            _ => return Err("other keys than descr, fortran_order and shape".to_owned()),
        };
        if again {
            return Err(not_once(key));
        }
        if !text.sign(',') {
            text.require('}')?;
            break;
        }
    }
    text.end()?;
    Ok(Fields {
        element: element.ok_or_else(|| not_once("descr"))?,
        fortran_order: fortran_order.ok_or_else(|| not_once("fortran_order"))?,
        shape: shape.ok_or_else(|| not_once("shape"))?,
    })
}

/// What is left to read of a header.
struct Text<'t>(&'t str);

impl<'t> Text<'t> {
    fn skip_blanks(&mut self) {
        self.0 = self.0.trim_start_matches([' ', '\t', '\x0c']);
    }

    /// Whether this sign comes next; it is read if so.
    fn sign(&mut self, sign: char) -> bool {
        self.skip_blanks();
        let rest = self.0.strip_prefix(sign);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }

    fn require(&mut self, sign: char) -> Result<(), String> {
        if self.sign(sign) {
            return Ok(());
        }
        Err(self.instead_of(&format!("`{sign}`")))
    }

    fn end(&mut self) -> Result<(), String> {
        self.skip_blanks();
        if self.0.is_empty() {
            return Ok(());
        }
        Err(self.instead_of("the end"))
    }

    /// That something else comes next.
    fn instead_of(&self, expected: &str) -> String {
        match self.0.chars().next() {
            Some(next) => format!("{next:?} where {expected} was expected"),
            None => format!("the end where {expected} was expected"),
        }
    }

    /// A string, on one line as every string of a header.
    fn quoted(&mut self) -> Result<&'t str, String> {
        self.skip_blanks();
        let quote = self.0.chars().next().filter(|c| ['\'', '"'].contains(c));
        let quote = quote.ok_or_else(|| self.instead_of("a string"))?;
        let inside = &self.0[1..];
        let end = inside.find([quote, '\n', '\r']);
        let end = end.filter(|&end| inside[end..].starts_with(quote));
        let end = end.ok_or_else(|| "a string without an end".to_owned())?;
        self.0 = &inside[end + 1..];
        Ok(&inside[..end])
    }

    /// A number or a word; empty if neither comes next.
    fn word(&mut self) -> &'t str {
        self.skip_blanks();
        let part = |c: char| c.is_ascii_alphanumeric() || "+-._".contains(c);
        let (word, rest) = self.0.split_at(self.0.find(|c| !part(c)).unwrap_or(self.0.len()));
        self.0 = rest;
        word
    }

    /// The type of the elements, or none and a list of fields.
    fn descr(&mut self) -> Result<Option<ElementType>, String> {
        self.skip_blanks();
        if self.0.starts_with('[') {
            return self.list().map(|()| None);
        }
        let written = self.quoted()?;
        let found = ElementType::named(written);
        found.map(Some).ok_or_else(|| format!("{written:?} is no type of elements"))
    }

    fn truth(&mut self) -> Result<bool, String> {
        match self.word() {
            "True" => Ok(true),
            "False" => Ok(false),
            _ => Err("fortran_order is neither True nor False".to_owned()),
        }
    }

    fn shape(&mut self) -> Result<Vec<u64>, String> {
        let no_tuple = || "the shape is not a tuple of lengths".to_owned();
        let mut axes = Vec::new();
        if !self.sign('(') {
            return Err(no_tuple());
        }
        while !self.sign(')') {
            axes.push(self.word().parse().map_err(|_| no_tuple())?);
            if !self.sign(',') {
                self.require(')')?;
                // (3) is a number.
                return if axes.len() > 1 { Ok(axes) } else { Err(no_tuple()) };
            }
        }
        Ok(axes)
    }

    /// A list, whose brackets match; what is in it is not looked at.
    fn list(&mut self) -> Result<(), String> {
        let mut open = Vec::new();
        loop {
            self.skip_blanks();
            match self.0.chars().next() {
                Some('[') => open.push(']'),
                Some('(') => open.push(')'),
                Some(next @ (']' | ')')) if open.pop() == Some(next) => {}
                Some(',') => {}
                Some('\'' | '"') => {
                    self.quoted()?;
                    continue;
                }
                _ if !self.word().is_empty() => continue,
                _ => return Err(self.instead_of("the rest of a list")),
            }
            self.0 = &self.0[1..];
            if open.is_empty() {
                return Ok(());
            }
        }
    }
}
