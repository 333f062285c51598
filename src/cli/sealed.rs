//! Bytes with a heading before them and a checksum behind: whether a file is what it was when it was written can be told.

use enclosures::stream;

/// Length of the checksum, SHA-256 in hexadecimal digits.
const SUM: usize = 64;

/// A body under its heading, with its checksum.
#[must_use]
pub fn seal(heading: &[u8], body: &[u8]) -> Vec<u8> {
    [heading, body, stream::hash(body).as_bytes()].concat()
}

/// The body, if the heading is this one and the checksum is right.
#[must_use]
pub fn open<'a>(heading: &[u8], bytes: &'a [u8]) -> Option<&'a [u8]> {
    let rest = bytes.strip_prefix(heading)?;
    let (body, sum) = rest.split_at(rest.len().checked_sub(SUM)?);
    (stream::hash(body).as_bytes() == sum).then_some(body)
}
