//! Parquet: named columns of numbers, lists of numbers and words.
//!
//! A column of lists, as data sets of embeddings often have it, gives as many coordinates as each of its lists is long.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;

use bytes::Bytes;
use contrastive::data::{ClassNames, DataError, MOST_LABELS, MOST_NUMBERS, at_most, room};
use half::f16;
use parquet::basic::{Compression, ConvertedType, LogicalType, Type};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::errors::ParquetError;
use parquet::file::metadata::ParquetMetaDataReader;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::schema::types::ColumnDescriptor;
use serde::Deserialize;

use super::columns::{Columns, Coordinates};
use super::selection::Selection;

const FORMAT: &str = "Parquet";
const ACCEPTED: &str = "BOOLEAN, INT32, INT64, FLOAT, DOUBLE, float16, lists of these";
const ACCEPTED_LABELS: &str = "BOOLEAN, INT32, INT64, BYTE_ARRAY (for labels)";
/// Integers up to 2^53 in size are doubles without rounding.
const LARGEST_EXACT: u64 = 1 << 53;
/// Rows that are read at a time.
const ROWS: usize = 1 << 14;
/// The most bytes of all words of a column together: a word that is stored once may stand in every row.
const MOST_TEXT: u64 = 1 << 30;

/// The columns that are chosen, or all that are coordinates, but never the one that holds labels.
pub(super) fn table(
    input: &str,
    bytes: Vec<u8>,
    columns: &Columns,
    without: Option<&str>,
) -> Result<Coordinates, DataError> {
    table_of(input, bytes, columns, without, MOST_NUMBERS)
}

fn table_of(
    input: &str,
    bytes: Vec<u8>,
    columns: &Columns,
    without: Option<&str>,
    most: u64,
) -> Result<Coordinates, DataError> {
    guarded(input, || {
        let file = File::new(input, bytes)?;
        let labels = without.map(|name| file.column(Some(name))).transpose()?;
        let selection = Selection::of((input, FORMAT), &file.names, columns, labels, &file.index())?;
        // Of all columns together, before any of them is read.
        let counts = selection.taken.iter().map(|&at| file.count(at));
        at_most(input, counts.sum::<Result<u64, _>>()?, most)?;
        let mut columns = Vec::with_capacity(selection.taken.len());
        for &at in &selection.taken {
            columns.push(file.read(at)?.numbers(&file.name(at), file.rows)?);
        }
        let widths: Vec<usize> = columns.iter().map(|column| column.len() / file.rows.max(1)).collect();
        let mut values = room(input, file.rows.saturating_mul(widths.iter().sum()))?;
        for row in 0..file.rows {
            for (column, &length) in columns.iter().zip(&widths) {
                values.extend_from_slice(&column[row * length..(row + 1) * length]);
            }
        }
        drop(columns);
        selection.coordinates(input, values, &widths)
    })
}

/// How many rows a file says that it has.
pub(super) fn announced_rows(input: &str, bytes: &[u8]) -> Option<u64> {
    // The reader keeps what it is given, so that it is given no more than the end, where the file speaks of itself.
    guarded(input, || {
        let end = Bytes::copy_from_slice(&bytes[footer(bytes)..]);
        let metadata = ParquetMetaDataReader::new().parse_and_finish(&end);
        let metadata = metadata.map_err(|error| malformed(input, &error.to_string()))?;
        Ok(u64::try_from(metadata.file_metadata().num_rows()).ok())
    })
    .ok()
    .flatten()
}

/// Where the footer of a file begins.
fn footer(bytes: &[u8]) -> usize {
    let length = bytes.last_chunk::<8>().map_or(0, |&[a, b, c, d, ..]| u32::from_le_bytes([a, b, c, d]) as usize);
    bytes.len().saturating_sub(length.saturating_add(8))
}

/// The column of a given name, or the only one, as the class of every point.
pub(super) fn classes(input: &str, bytes: Vec<u8>, asked: Option<&str>) -> Result<ClassNames, DataError> {
    guarded(input, || {
        let file = File::new(input, bytes)?;
        let at = file.column(asked)?;
        at_most(&file.name(at), file.count(at)?, MOST_LABELS)?;
        let (name, column) = (file.name(at), file.read(at)?);
        if column.values.len() != file.rows || !column.is_flat {
            return Err(DataError::WrongRank { input: name, found: 2, expected: 1 });
        }
        match column.values {
            Values::Integers(values) => ClassNames::of_integers(&name, values),
            Values::Words(words) => ClassNames::of_words(&name, words),
            Values::Reals(_) => Err(unsupported(&name, "real numbers".to_owned(), ACCEPTED_LABELS)),
        }
    })
}

/// What is wrong with a file of bytes that the reader does not expect is an error, even where the reader stops; what it says on
/// stopping is not for whoever wants to know what is wrong with the file.
fn guarded<T>(input: &str, read: impl FnOnce() -> Result<T, DataError>) -> Result<T, DataError> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let told = take_hook();
        set_hook(Box::new(move |panic| {
            if !IS_GUARDED.with(Cell::get) {
                told(panic);
            }
        }));
    });
    let before = IS_GUARDED.replace(true);
    let found = catch_unwind(AssertUnwindSafe(read));
    IS_GUARDED.set(before);
    found.unwrap_or_else(|_| Err(malformed(input, "it contradicts itself")))
}

thread_local! {
    /// Whether this thread reads a file whose reader may stop.
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

fn malformed(input: &str, reason: &str) -> DataError {
    DataError::Malformed { input: input.to_owned(), reason: reason.to_owned() }
}

fn unsupported(input: &str, found: String, accepted: &'static str) -> DataError {
    DataError::UnsupportedType { input: input.to_owned(), found, accepted }
}

/// A file whose schema has been read.
struct File<'a> {
    input: &'a str,
    reader: SerializedFileReader<Bytes>,
    /// Names of the columns: of a list, that of the list.
    names: Vec<String>,
    rows: usize,
}

/// All values of one column.
struct Column {
    values: Values,
    /// Whether it holds one value per row by its type.
    is_flat: bool,
}

enum Values {
    Integers(Vec<i64>),
    Reals(Vec<f64>),
    Words(Vec<String>),
}

impl Values {
    fn len(&self) -> usize {
        match self {
            Values::Integers(values) => values.len(),
            Values::Reals(values) => values.len(),
            Values::Words(values) => values.len(),
        }
    }
}

impl Column {
    /// As doubles, as many for every row.
    fn numbers(self, name: &str, rows: usize) -> Result<Vec<f64>, DataError> {
        if !self.values.len().is_multiple_of(rows.max(1)) {
            return Err(malformed(name, "lists of different lengths"));
        }
        match self.values {
            Values::Reals(values) => Ok(values),
            Values::Words(_) => Err(unsupported(name, "words".to_owned(), ACCEPTED)),
            Values::Integers(values) => match values.iter().position(|value| value.unsigned_abs() > LARGEST_EXACT) {
                Some(index) => Err(DataError::Inexact { input: name.to_owned(), index, value: values[index] }),
                None => Ok(values.into_iter().map(|value| value as f64).collect()),
            },
        }
    }
}

impl<'a> File<'a> {
    fn new(input: &'a str, bytes: Vec<u8>) -> Result<Self, DataError> {
        let reader =
            SerializedFileReader::new(Bytes::from(bytes)).map_err(|error| malformed(input, &error.to_string()))?;
        let metadata = reader.metadata().file_metadata();
        let rows = usize::try_from(metadata.num_rows()).map_err(|_| malformed(input, "a negative number of rows"))?;
        let columns = metadata.schema_descr().columns();
        let name = |column: &std::sync::Arc<ColumnDescriptor>| {
            let path = column.path().parts();
            if column.max_rep_level() == 1 { path.first().cloned().unwrap_or_default() } else { path.join(".") }
        };
        let names = columns.iter().map(name).collect();
        if rows == 0 {
            return Err(DataError::Empty { input: input.to_owned() });
        }
        Ok(File { input, reader, names, rows })
    }

    fn name(&self, at: usize) -> String {
        format!("{}:{}", self.input, self.names[at])
    }

    /// The columns that pandas wrote as an index; of a range there are none.
    fn index(&self) -> Vec<String> {
        #[derive(Default, Deserialize)]
        struct Pandas {
            #[serde(default)]
            index_columns: Vec<serde_json::Value>,
        }
        let metadata = self.reader.metadata().file_metadata().key_value_metadata();
        let told =
            metadata.into_iter().flatten().find(|entry| entry.key == "pandas").and_then(|entry| entry.value.as_deref());
        let told: Pandas = told.and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
        told.index_columns.iter().filter_map(|name| Some(name.as_str()?.to_owned())).collect()
    }

    /// The column of a given name, or the only one.
    fn column(&self, asked: Option<&str>) -> Result<usize, DataError> {
        let found = match (asked, self.names.len()) {
            (Some(name), _) => self.names.iter().position(|other| other == name),
            (None, 1) => Some(0),
            (None, _) => None,
        };
        found.ok_or_else(|| DataError::NoSuchArray {
            input: self.input.to_owned(),
            format: FORMAT,
            asked: asked.map(str::to_owned),
            found: self.names.clone(),
        })
    }

    /// How many values a column holds by the headers of all its pages: what the file says of itself as a whole is not trusted.
    fn count(&self, at: usize) -> Result<u64, DataError> {
        let failed = |error: ParquetError| malformed(&self.name(at), &error.to_string());
        let mut count = 0;
        for group in 0..self.reader.num_row_groups() {
            let group = self.reader.get_row_group(group).map_err(failed)?;
            if let codec @ Compression::LZO = group.metadata().column(at).compression() {
                return Err(DataError::Compression { input: self.name(at), codec: codec.to_string() });
            }
            let mut pages = group.get_column_page_reader(at).map_err(failed)?;
            while let Some(page) = pages.peek_next_page().map_err(failed)? {
                let values = page.num_levels.or(page.num_rows).unwrap_or(0);
                count += if page.is_dict { 0 } else { values as u64 };
                pages.skip_next_page().map_err(failed)?;
            }
        }
        Ok(count)
    }

    /// All values of a column, none of which may be missing.
    fn read(&self, at: usize) -> Result<Column, DataError> {
        let name = self.name(at);
        let failed = |error: ParquetError| malformed(&name, &error.to_string());
        let descriptor = self.reader.metadata().file_metadata().schema_descr().column(at);
        let mut all: Option<Values> = None;
        let (mut row, mut first_length) = (0, None);
        for group in 0..self.reader.num_row_groups() {
            let group = self.reader.get_row_group(group).map_err(failed)?;
            let reader = group.get_column_reader(at).map_err(failed)?;
            let more = self.values(&name, &descriptor, reader).map_err(|error| further(error, row))?;
            let here = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
            if descriptor.max_rep_level() > 0 && here > 0 {
                let length = more.len() / here;
                same_length(&name, row, length, *first_length.get_or_insert(length))?;
            }
            row += here;
            match (&mut all, more) {
                (None, more) => all = Some(more),
                (Some(Values::Integers(all)), Values::Integers(more)) => all.extend(more),
                (Some(Values::Reals(all)), Values::Reals(more)) => all.extend(more),
                (Some(Values::Words(all)), Values::Words(more)) => all.extend(more),
                _ => return Err(malformed(&name, "row groups of different types")),
            }
        }
        let column =
            Column { values: all.unwrap_or(Values::Reals(Vec::new())), is_flat: descriptor.max_rep_level() == 0 };
        if column.is_flat && column.values.len() != self.rows {
            return Err(malformed(&name, "fewer values than rows"));
        }
        Ok(column)
    }

    /// The values of one column of one group of rows.
    fn values(&self, name: &str, of: &ColumnDescriptor, reader: ColumnReader) -> Result<Values, DataError> {
        let refused = || unsupported(name, format!("{} {}", of.physical_type(), of.converted_type()), ACCEPTED);
        let whole = matches!(
            of.converted_type(),
            ConvertedType::NONE
                | ConvertedType::INT_8
                | ConvertedType::INT_16
                | ConvertedType::INT_32
                | ConvertedType::INT_64
                | ConvertedType::UINT_8
                | ConvertedType::UINT_16
        );
        let unsigned = matches!(of.converted_type(), ConvertedType::UINT_32 | ConvertedType::UINT_64);
        if of.max_rep_level() > 1 {
            return Err(refused());
        }
        Ok(match reader {
            ColumnReader::BoolColumnReader(reader) => {
                Values::Integers(records(name, of, reader, |b| Some(i64::from(*b)))?)
            }
            ColumnReader::Int32ColumnReader(reader) if whole => {
                Values::Integers(records(name, of, reader, |i| Some(i64::from(*i)))?)
            }
            ColumnReader::Int32ColumnReader(reader) if unsigned => {
                Values::Integers(records(name, of, reader, |i| Some(i64::from(i.cast_unsigned())))?)
            }
            ColumnReader::Int64ColumnReader(reader) if whole => {
                Values::Integers(records(name, of, reader, |i| Some(*i))?)
            }
            // What exceeds the half of them that has a sign is refused.
            ColumnReader::Int64ColumnReader(reader) if unsigned => {
                Values::Integers(records(name, of, reader, |i| (*i >= 0).then_some(*i))?)
            }
            ColumnReader::FloatColumnReader(reader) => {
                Values::Reals(records(name, of, reader, |x| Some(f64::from(*x)))?)
            }
            ColumnReader::DoubleColumnReader(reader) => Values::Reals(records(name, of, reader, |x| Some(*x))?),
            ColumnReader::FixedLenByteArrayColumnReader(reader)
                if of.logical_type_ref() == Some(&LogicalType::Float16) =>
            {
                let half = |b: &parquet::data_type::FixedLenByteArray| {
                    Some(f16::from_le_bytes(b.data().try_into().ok()?).to_f64())
                };
                Values::Reals(records(name, of, reader, half)?)
            }
            ColumnReader::ByteArrayColumnReader(reader) if of.physical_type() == Type::BYTE_ARRAY => {
                let text = Cell::new(0);
                let word = |b: &parquet::data_type::ByteArray| {
                    text.set(text.get() + b.len() as u64);
                    (text.get() <= MOST_TEXT).then(|| b.as_utf8().ok().map(str::to_owned))?
                };
                let words = records(name, of, reader, word);
                at_most(&format!("{name} (bytes of words)"), text.get(), MOST_TEXT)?;
                Values::Words(words?)
            }
            _ => return Err(refused()),
        })
    }
}

/// The same about a row of the file, where the rows before its group are so many.
fn further(mut error: DataError, before: usize) -> DataError {
    if let DataError::MissingValue { row, .. } | DataError::RaggedLists { row, .. } = &mut error {
        *row += before;
    }
    error
}

/// All values of a reader, each of which has to be there; lists of one length.
fn records<T: DataType, V>(
    name: &str,
    of: &ColumnDescriptor,
    mut reader: ColumnReaderImpl<T>,
    value: impl Fn(&T::T) -> Option<V>,
) -> Result<Vec<V>, DataError> {
    let (mut all, mut piece) = (Vec::new(), Vec::new());
    let (mut defined, mut repeated) = (Vec::new(), Vec::new());
    let (mut row, mut length, mut first_length) = (0usize, 0usize, None);
    loop {
        piece.clear();
        defined.clear();
        repeated.clear();
        let read = reader.read_records(ROWS, Some(&mut defined), Some(&mut repeated), &mut piece);
        let (rows, _, _) = read.map_err(|error| malformed(name, &error.to_string()))?;
        if rows == 0 && piece.is_empty() {
            break;
        }
        if let Some(at) = defined.iter().position(|&level| level < of.max_def_level()) {
            let begun = repeated.iter().take(at + 1).filter(|&&level| level == 0).count();
            let before = if of.max_rep_level() == 0 { all.len() + at } else { row + begun.saturating_sub(1) };
            return Err(DataError::MissingValue { input: name.to_owned(), row: before });
        }
        for &level in &repeated {
            if level == 0 && row > 0 {
                same_length(name, row - 1, length, *first_length.get_or_insert(length))?;
            }
            (row, length) = if level == 0 { (row + 1, 1) } else { (row, length + 1) };
        }
        for found in &piece {
            all.push(value(found).ok_or_else(|| malformed(name, "a value that is not an accepted number or word"))?);
        }
    }
    same_length(name, row.saturating_sub(1), length, first_length.unwrap_or(length))?;
    Ok(all)
}

fn same_length(name: &str, row: usize, found: usize, expected: usize) -> Result<(), DataError> {
    if found == expected {
        return Ok(());
    }
    Err(DataError::RaggedLists { input: name.to_owned(), row, found, expected })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use parquet::data_type::DoubleType;
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;

    use super::*;

    #[test]
    fn a_reader_that_stops_is_an_error() {
        let stopped = guarded::<()>("a", || panic!("of the reader"));
        assert!(matches!(stopped, Err(DataError::Malformed { .. })));
    }

    /// Columns of equal numbers, which cost next to nothing in a file, in two groups of rows.
    fn equal(rows: usize) -> Vec<u8> {
        let schema = parse_message_type("message m { required double x; required double y; }").unwrap();
        let mut bytes = Vec::new();
        let properties = Arc::new(WriterProperties::builder().build());
        let mut writer = SerializedFileWriter::new(&mut bytes, Arc::new(schema), properties).unwrap();
        for _ in 0..2 {
            let mut group = writer.next_row_group().unwrap();
            while let Some(mut column) = group.next_column().unwrap() {
                let values = vec![0.5; rows / 2];
                column.typed::<DoubleType>().write_batch(&values, None, None).unwrap();
                column.close().unwrap();
            }
            group.close().unwrap();
        }
        writer.close().unwrap();
        bytes
    }

    #[test]
    fn a_bomb_is_refused_by_the_headers_of_its_pages() {
        let bytes = equal(200_000);
        assert!(bytes.len() < 1 << 14, "{}", bytes.len());
        let of = |most| table_of("a", bytes.clone(), &Columns::Found, None, most);
        assert_eq!(of(400_000).unwrap().table.values().len(), 400_000);
        let error = of(399_999).unwrap_err();
        assert!(matches!(error, DataError::TooMany { found: 400_000, limit: 399_999, .. }), "{error}");
        let one = table_of("a", bytes, &Columns::Chosen(vec!["y".into()]), None, 200_000).unwrap().table;
        assert_eq!((one.rows(), one.columns()), (200_000, 1));
    }
}
