//! Embeddings and labels from files of whichever format, told by their first bytes.
//!
//! | format | points | labels |
//! |---|---|---|
//! | `.npy` | two axes, truth values, integers, `f2` to `f8` | one axis or one column, the same or strings |
//! | `.npz` | an array of it, `file.npz:name` | the same |
//! | IDX, plain or gzip | images | labels |
//! | safetensors | a tensor with two axes, `file.safetensors:name` | one with one axis, or one column |
//! | Parquet | its [`Columns`], or one: `file.parquet:embedding`, also of lists | `file.parquet:column` |
//! | CSV (commas, semicolons, tabs or blanks) | its [`Columns`], or one, also of lists as text: `[0.5, 1]` | `file.csv:column` |
//!
//! A name is needed where a file holds more than one array that would do. `-` is standard input. Any of them may be inside gzip. All but `.npy` and IDX stand behind the
//! feature `formats`; without it they are recognised, and refused by [`DataError::OtherFormat`].

mod announced;
#[cfg(feature = "formats")]
mod columnar;
mod columns;
#[cfg(feature = "formats")]
mod delimited;
#[cfg_attr(not(feature = "formats"), path = "refused.rs")]
mod others;
#[cfg(feature = "formats")]
mod selection;
mod source;
#[cfg(feature = "formats")]
mod tensors;
#[cfg(feature = "formats")]
mod zipped;

use std::borrow::Cow;
use std::io::{self, Read};
use std::path::PathBuf;

use contrastive::data::{ClassNames, DataError, LARGEST_FILE, LabelledPoints, NumberTable, idx, npy};
use flate2::read::MultiGzDecoder;

pub use columns::Columns;
pub use source::ArraySource;

use self::columns::{Coordinates, without_columns, without_name};
use self::source::{Format, Opened};
use super::Embeddings;

impl Embeddings {
    /// Points and their labels. Both may be columns of one file: `data.csv` and `data.csv:label`.
    ///
    /// # Errors
    /// [`DataError`]: what cannot be read, is of no format that is read, holds no such array, or does not fit together.
    pub fn load(points: &ArraySource, labels: &ArraySource, columns: &Columns) -> Result<Self, DataError> {
        let same = points.path == labels.path && points.array.is_none();
        let without = same.then_some(labels.array.as_deref()).flatten();
        let opened = points.open()?;
        let input = opened.input.clone();
        let asked = points.array.as_deref();
        let (found, name, classes) = if points.path == labels.path {
            let (name, bytes) = opened.bytes()?;
            let found = table(&input, (&bytes).into(), asked, columns, without)?;
            (found, name.clone(), parse_classes(&name, &bytes, labels.array.as_deref())?)
        } else if labels.is_file() {
            // Labels are few, and points that do not fit them need not be read.
            let (name, bytes) = labels.open()?.bytes()?;
            let classes = parse_classes(&name, &bytes, labels.array.as_deref())?;
            drop(bytes);
            (opened_table(opened, asked, columns, Some((&name, classes.codes().len())))?, name, classes)
        } else {
            // Whoever writes into two pipes may begin with the points.
            let found = opened_table(opened, asked, columns, None)?;
            let (name, bytes) = labels.open()?.bytes()?;
            (found, name.clone(), parse_classes(&name, &bytes, labels.array.as_deref())?)
        };
        let Coordinates { table, remark, suspect } = found;
        let names = classes.names().to_vec();
        let points = LabelledPoints::from_table(&name, &input, table, classes.codes().to_vec())?;
        let suspect = suspect.filter(|_| !same);
        Ok(Embeddings::named(points, names).read_with(suspect, remark.into_iter().collect()))
    }
}

/// One array with two axes, and what was left out of it, in sentences.
///
/// # Errors
/// As [`Embeddings::load`].
pub fn load_table(source: &ArraySource, columns: &Columns) -> Result<(NumberTable, Vec<String>), DataError> {
    let found = opened_table(source.open()?, source.array.as_deref(), columns, None)?;
    Ok((found.table, found.remark.into_iter().collect()))
}

/// NumPy's arrays in pieces, other formats at once; not where they say that there are not as many rows as `labels`.
fn opened_table(
    opened: Opened,
    asked: Option<&str>,
    columns: &Columns,
    labels: Option<(&str, usize)>,
) -> Result<Coordinates, DataError> {
    if opened.format == Format::Npy {
        let input = opened.input.clone();
        announced::check((&input, opened.format), &opened.beginning, asked, labels)?;
        without_columns(&input, "NumPy", columns)?;
        without_name(&input, "NumPy", asked)?;
        let limit = opened.limit();
        return npy::read_table_within(&input, opened.stream(), limit).map(Coordinates::from);
    }
    let format = opened.format;
    let (input, bytes) = opened.bytes()?;
    announced::check((&input, format), &bytes, asked, labels)?;
    table(&input, bytes.into(), asked, columns, None)
}

/// An array with two axes from the bytes of a file of any format; `input` names it in errors, `asked` is the array in it where it may
/// hold several.
///
/// # Errors
/// As [`Embeddings::load`].
pub fn parse_table(input: &str, bytes: &[u8], asked: Option<&str>) -> Result<NumberTable, DataError> {
    table(input, bytes.into(), asked, &Columns::Found, None).map(|found| found.table)
}

fn table(
    input: &str,
    bytes: Cow<'_, [u8]>,
    asked: Option<&str>,
    columns: &Columns,
    without: Option<&str>,
) -> Result<Coordinates, DataError> {
    match Format::of(input, &bytes)? {
        Format::Npy => {
            without_columns(input, "NumPy", columns)?;
            without_name(input, "NumPy", asked)?;
            npy::parse_table(input, &bytes).map(Coordinates::from)
        }
        Format::Idx => {
            without_columns(input, "IDX", columns)?;
            without_name(input, "IDX", asked)?;
            idx::parse_pixels(input, &bytes).map(Coordinates::from)
        }
        Format::Gzip => table(input, unpacked(input, &bytes)?.into(), asked, columns, without),
        Format::Other(other) => others::table(other, input, bytes, asked, columns, without),
    }
}

/// What is inside gzip, once.
fn unpacked(input: &str, bytes: &[u8]) -> Result<Vec<u8>, DataError> {
    let mut inside = Vec::new();
    let read = MultiGzDecoder::new(bytes).take(LARGEST_FILE + 1).read_to_end(&mut inside);
    match read {
        Err(source) => Err(DataError::Gzip { input: input.to_owned(), source }),
        Ok(length) if length as u64 > LARGEST_FILE => {
            Err(DataError::Endless { input: input.to_owned(), limit: LARGEST_FILE })
        }
        Ok(_) if Format::of(input, &inside)? == Format::Gzip => Err(DataError::Gzip {
            input: input.to_owned(),
            source: io::Error::other("it is gzip inside gzip: unpack it once"),
        }),
        Ok(_) => Ok(inside),
    }
}

/// The class of every point from the bytes of a file of any format; as [`parse_table`].
///
/// # Errors
/// As [`Embeddings::load`].
pub fn parse_classes(input: &str, bytes: &[u8], asked: Option<&str>) -> Result<ClassNames, DataError> {
    match Format::of(input, bytes)? {
        Format::Npy => {
            without_name(input, "NumPy", asked)?;
            npy::parse_classes(input, bytes)
        }
        Format::Idx => {
            without_name(input, "IDX", asked)?;
            let labels = idx::parse_labels(input, bytes)?;
            ClassNames::of_integers(input, labels.into_iter().map(i64::from).collect())
        }
        Format::Gzip => parse_classes(input, &unpacked(input, bytes)?, asked),
        Format::Other(other) => others::classes(other, input, bytes, asked),
    }
}

impl From<PathBuf> for ArraySource {
    fn from(path: PathBuf) -> Self {
        ArraySource { path, array: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// Written by NumPy, and by the script beside them: three points of two coordinates, and several ways to name their classes.
    fn fixture(name: &str) -> ArraySource {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/readers/embeddings").join(name);
        ArraySource::parse(path.to_str().expect("a plain path"))
    }

    #[test]
    fn arrays_of_numpy_are_read_with_and_without_other_formats() {
        for labels in ["words.npy", "bytes.npy"] {
            let read = Embeddings::load(&fixture("points-f2.npy"), &fixture(labels), &Columns::Found).unwrap();
            assert_eq!(read.points().points(), [0.5, -1.0, 2.25, 0.0, -3.5, 1.0], "{labels}");
            assert_eq!(read.points().labels(), [1, 0, 1], "{labels}");
        }
    }

    #[test]
    fn the_name_of_an_array_where_there_are_none_is_refused() {
        for (points, labels) in [("points-f2.npy:a", "words.npy"), ("points-f2.npy", "words.npy:a")] {
            let refused =
                Embeddings::load(&fixture(points), &fixture(labels), &Columns::Found).unwrap_err().to_string();
            assert!(refused.ends_with("(NumPy) holds one array, without a name; leave out \":a\""), "{refused}");
        }
    }

    #[cfg(not(feature = "formats"))]
    #[test]
    fn what_this_build_does_not_read_is_named_with_the_way_to_read_it() {
        for (points, format) in [
            ("points.npz:points", "an archive of NumPy"),
            ("points.safetensors", "safetensors"),
            ("points.parquet", "Parquet"),
            ("points.csv", "CSV"),
        ] {
            for (points, labels) in [(points, "words.npy"), ("points-f2.npy", points)] {
                let refused =
                    Embeddings::load(&fixture(points), &fixture(labels), &Columns::Found).unwrap_err().to_string();
                let told = [format, "feature `formats`", "--features full"].map(|part| refused.contains(part));
                assert_eq!(told, [true; 3], "{refused}");
            }
        }
    }

    #[cfg(feature = "formats")]
    #[test]
    fn every_format_holds_the_same_points() {
        let expected = [0.5, -1.0, 2.25, 0.0, -3.5, 1.0];
        for points in [
            "points-f2.npy", "points.npz:points", "points-compressed.npz:points", "points.safetensors:points",
            "points.safetensors:half", "points.safetensors:brain", "points.csv", "points.tsv",
        ] {
            for labels in [
                "words.npy", "bytes.npy", "points.npz:labels", "points.safetensors:labels", "data.csv:kind",
                "labels.csv",
            ] {
                let read = Embeddings::load(&fixture(points), &fixture(labels), &Columns::Found);
                let read = read.unwrap_or_else(|error| panic!("{points} {labels}: {error}"));
                assert_eq!(read.points().points(), expected, "{points}");
                assert_eq!(read.points().labels(), [1, 0, 1], "{labels}");
                assert_eq!(read.names().len(), 2, "{labels}");
            }
        }
        let one = Embeddings::load(&fixture("data.csv"), &fixture("data.csv:kind"), &Columns::Found).unwrap();
        assert_eq!(one.points().points(), expected);
        assert_eq!(one.names(), ["cat", "dog"]);
    }

    #[cfg(feature = "formats")]
    #[test]
    fn a_million_classes_have_a_million_names() {
        let mut text = String::new();
        (0..1_000_000u32).for_each(|i| text.push_str(&format!("w{}\n", i.wrapping_mul(2_654_435_761) ^ 0x55)));
        let classes = parse_classes("a", text.as_bytes(), None).unwrap();
        assert_eq!((classes.names().len(), classes.codes().len()), (1_000_000, 1_000_000));
    }

    #[cfg(feature = "formats")]
    #[test]
    fn parquet_holds_columns_and_lists() {
        let expected = [0.5, -1.0, 2.25, 0.0, -3.5, 1.0];
        let read = |points: &str, labels: &str| Embeddings::load(&fixture(points), &fixture(labels), &Columns::Found);
        for (points, labels) in [
            ("points.parquet", "labels.csv"),
            ("data.parquet:list", "data.parquet:kind"),
            ("data.parquet:half", "data.parquet:number"),
            ("data.parquet:half", "data.parquet:truth"),
        ] {
            let read = read(points, labels).unwrap_or_else(|error| panic!("{points} {labels}: {error}"));
            assert_eq!(read.points().points(), expected, "{points}");
            assert_eq!(read.points().labels(), [1, 0, 1], "{labels}");
        }
        assert_eq!(read("data.parquet:list", "data.parquet:kind").unwrap().names(), ["cat", "dog"]);
        let refused = |points: &str, labels: &str| read(points, labels).unwrap_err().to_string();
        let error = refused("data.parquet", "labels.csv");
        assert!(error.contains("data.parquet:kind") && error.contains("words"), "{error}");
        let error = refused("data.parquet:none", "labels.csv");
        assert!(error.contains("list") && error.contains("truth"), "{error}");
        let error = refused("data.parquet:ragged", "labels.csv");
        assert!(error.contains("ragged: row 1 is a list of"), "{error}");
        let error = refused("data.parquet:gap", "labels.csv");
        assert!(error.contains("has no value (null)"), "{error}");
        let error = refused("data.parquet:day", "labels.csv");
        assert!(error.contains("INT32 DATE"), "{error}");
        let error = refused("points.parquet", "data.parquet:list");
        assert!(error.contains("2 axes"), "{error}");
    }

    #[cfg(feature = "formats")]
    #[test]
    fn spoilt_parquet_is_refused_and_never_a_panic_of_ours() {
        let whole = std::fs::read(&fixture("points.parquet").path).unwrap();
        for length in (4..whole.len()).step_by(7) {
            assert!(parse_table("a", &whole[..length], None).is_err(), "{length}");
        }
        for at in (4..whole.len()).step_by(3) {
            let mut spoilt = whole.clone();
            spoilt[at] ^= 0x55;
            // Whatever it is, it is an answer.
            if let Ok(table) = parse_table("a", &spoilt, None) {
                assert!(table.values().iter().all(|x| x.is_finite()), "{at}");
            }
        }
    }

    #[cfg(feature = "formats")]
    #[test]
    fn what_cannot_be_read_is_named_with_what_there_is() {
        let refused = |points: &str, labels: &str| {
            Embeddings::load(&fixture(points), &fixture(labels), &Columns::Found).unwrap_err().to_string()
        };
        let error = refused("points.npz", "labels.csv");
        assert!(error.contains("labels, points") && error.contains("colon"), "{error}");
        let error = refused("points.npz:none", "labels.csv");
        assert!(error.contains("has no none"), "{error}");
        let error = refused("points.safetensors:none", "labels.csv");
        assert!(error.contains("brain"), "{error}");
        let error = refused("data.csv", "labels.csv");
        assert!(error.contains("line 2") && error.contains("kind") && error.contains("dog"), "{error}");
        let error = refused("data.csv", "data.csv:sort");
        assert!(error.contains("has no sort; it has x, y, kind"), "{error}");
        let error = refused("points.csv", "points.csv");
        assert!(error.contains("x, y"), "{error}");
        let error = refused("refused-ragged.csv", "labels.csv");
        assert!(
            error.contains("refused-ragged.csv") && error.contains("line: 3") || error.contains("line 3"),
            "{error}"
        );
        let error = refused("refused-picture.png", "labels.csv");
        assert!(error.contains("PNG") && error.contains("safetensors"), "{error}");
        let error = refused("points.safetensors:labels", "labels.csv");
        assert!(error.contains("1 axes, expected 2"), "{error}");
    }
}
