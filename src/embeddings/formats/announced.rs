//! How many rows a file says that it has, before there is room for any of them: points without as many labels are not read.

use contrastive::data::{DataError, npy};

use super::others;
use super::source::Format;

/// Refuses points that say themselves that there are not as many of them as labels. What they say is looked at once more when they have been read.
pub(super) fn check(
    (of, format): (&str, Format),
    beginning: &[u8],
    asked: Option<&str>,
    labels: Option<(&str, usize)>,
) -> Result<(), DataError> {
    let Some((input, labels)) = labels else { return Ok(()) };
    let rows = match format {
        Format::Npy => npy::announced_rows(beginning),
        Format::Idx => idx(beginning),
        Format::Gzip => None,
        Format::Other(other) => others::announced_rows(other, of, beginning, asked),
    };
    match rows.and_then(|rows| usize::try_from(rows).ok()) {
        Some(points) if points != labels => {
            Err(DataError::CountMismatch { input: input.to_owned(), of: of.to_owned(), points, labels })
        }
        _ => Ok(()),
    }
}

/// Images that are not compressed.
fn idx(beginning: &[u8]) -> Option<u64> {
    match beginning {
        [0, 0, 8, 3, a, b, c, d, ..] => Some(u32::from_be_bytes([*a, *b, *c, *d]).into()),
        _ => None,
    }
}
