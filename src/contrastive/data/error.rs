//! Why a data set was refused.

use std::io;

/// Why a data set was refused: the input at fault, the value found there and the limit it broke.
///
/// `input` is the path of the file, or the name of the argument for data built in memory. Rows, columns and indices count
/// from zero.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DataError {
    /// The file could not be read at all.
    #[error("{input}: cannot be read")]
    Unreadable {
        /// Path of the file.
        input: String,
        /// What the operating system said.
        #[source]
        source: io::Error,
    },
    /// The file is longer than anything that is read, or has no end.
    #[error("{input}: more than {limit} bytes, which is all that is read")]
    Endless {
        /// Path of the file.
        input: String,
        /// The limit in bytes; for a compressed file, of what it holds.
        limit: u64,
    },
    /// The file is a data set that the project knows, and not the bytes that it knows.
    #[error("{input}: changed: its SHA-256 is {found}, that of the data set is {expected}")]
    Changed {
        /// Path of the file.
        input: String,
        /// SHA-256 of the file, in hexadecimal.
        found: String,
        /// SHA-256 of the data set, in hexadecimal.
        expected: &'static str,
    },
    /// The gzip stream is damaged or incomplete.
    #[error("{input}: the gzip stream is damaged or incomplete")]
    Gzip {
        /// Path of the file.
        input: String,
        /// What the decoder said.
        #[source]
        source: io::Error,
    },
    /// The first bytes are not those of the expected format.
    #[error("{input}: starts with bytes {found:02x?}, expected {expected:02x?} ({format})")]
    WrongMagic {
        /// Path of the file.
        input: String,
        /// Name of the expected format.
        format: &'static str,
        /// The first bytes of the file.
        found: Vec<u8>,
        /// The first bytes of the expected format.
        expected: Vec<u8>,
    },
    /// The first bytes are those of no format that is read.
    #[error("{input}: begins with {found}, which is not the start of a supported format: {accepted}")]
    UnknownFormat {
        /// Path of the file.
        input: String,
        /// The beginning, as text with escapes.
        found: String,
        /// The formats that are read.
        accepted: &'static str,
    },
    /// The file is of a format that is known and not read.
    #[error("{input}: {found}; {advice}")]
    OtherFormat {
        /// Path of the file.
        input: String,
        /// What it is.
        found: &'static str,
        /// What to do about it.
        advice: &'static str,
    },
    /// The file holds several arrays or columns, and not the one that is asked for.
    #[error("{input} ({format}) {}", no_such_array(.asked.as_deref(), .found))]
    NoSuchArray {
        /// Path of the file.
        input: String,
        /// Name of its format.
        format: &'static str,
        /// The name asked for, if one was.
        asked: Option<String>,
        /// The names of what is there.
        found: Vec<String>,
    },
    /// Columns were chosen of a file that has none with names.
    #[error("{input} ({format}) has no columns with names to choose from")]
    NoColumns {
        /// Path of the file.
        input: String,
        /// Name of its format.
        format: &'static str,
    },
    /// A text that should be a number is none.
    #[error("{input}: line {line}, column {column} is {value:?}, which is not a number")]
    NotANumber {
        /// Path of the file.
        input: String,
        /// Line, counted from one.
        line: u64,
        /// Name of the column, or its number from one.
        column: String,
        /// The text.
        value: String,
    },
    /// The file contradicts its format.
    #[error("{input}: malformed: {reason}")]
    Malformed {
        /// Path of the file.
        input: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A value of a column is not there.
    #[error("{input}: row {row} has no value (null); fill it, or leave the row out")]
    MissingValue {
        /// Path of the file, with the name of the column.
        input: String,
        /// The row.
        row: usize,
    },
    /// The lists of a column have several lengths.
    #[error("{input}: row {row} is a list of {found} numbers, and row 0 is one of {expected}")]
    RaggedLists {
        /// Path of the file, with the name of the column.
        input: String,
        /// The first row whose length differs from that of row 0.
        row: usize,
        /// Its length.
        found: usize,
        /// The length of row 0.
        expected: usize,
    },
    /// A column is compressed in a way that is not read.
    #[error("{input}: compressed by {codec}, which is not read; write it with zstd, snappy, gzip, lz4 or brotli")]
    Compression {
        /// Path of the file, with the name of the column.
        input: String,
        /// The name of the compression.
        codec: String,
    },
    /// The elements have a type that is not accepted.
    #[error("{input}: elements of type {found}, expected one of {accepted}")]
    UnsupportedType {
        /// Path of the file.
        input: String,
        /// The type the file declares, in the notation of the format.
        found: String,
        /// The accepted types.
        accepted: &'static str,
    },
    /// The array has another number of axes than the reader expects.
    #[error("{input}: an array with {found} axes, expected {expected}")]
    WrongRank {
        /// Path of the file.
        input: String,
        /// Number of axes found.
        found: usize,
        /// Number of axes expected.
        expected: usize,
    },
    /// The array has another shape than the data set is known to have.
    #[error("{input}: {found_rows} rows of {found_columns} values, expected {rows} rows of {columns}")]
    WrongShape {
        /// Path of the file.
        input: String,
        /// Rows found.
        found_rows: usize,
        /// Columns found.
        found_columns: usize,
        /// Rows expected.
        rows: usize,
        /// Columns expected.
        columns: usize,
    },
    /// The declared sizes multiply to more than this machine can address.
    #[error("{input}: the declared shape {shape:?} has more elements than can be addressed")]
    TooLarge {
        /// Path of the file or name of the argument.
        input: String,
        /// The declared shape.
        shape: Vec<u64>,
    },
    /// There are more numbers or labels in it than are read.
    #[error("{input}: holds {found} values or more; at most {limit} of this kind are read")]
    TooMany {
        /// Path of the file, with the name of the array where it has one.
        input: String,
        /// How many there are, as far as is known.
        found: u64,
        /// The limit.
        limit: u64,
    },
    /// It is within the limits, and this machine has no room for it.
    #[error("{input}: there is no memory for {numbers} numbers of 64 bits")]
    NoMemory {
        /// Path of the file, or the name of the argument.
        input: String,
        /// How many there are.
        numbers: usize,
    },
    /// There is nothing in it: an axis of length zero, or zero points asked for.
    #[error("{input}: empty, at least one element is required")]
    Empty {
        /// Path of the file or name of the argument.
        input: String,
    },
    /// The file ends before its header says it does.
    #[error("{input}: truncated: {found} bytes, the header announces {expected}")]
    Truncated {
        /// Path of the file.
        input: String,
        /// Bytes found.
        found: usize,
        /// Bytes the format and the header call for.
        expected: usize,
    },
    /// The file goes on after its header says it ends.
    #[error("{input}: at least {found} bytes, but the header announces {expected}")]
    TrailingBytes {
        /// Path of the file.
        input: String,
        /// Bytes found; for a compressed file, where reading stopped.
        found: usize,
        /// Bytes the format and the header call for.
        expected: usize,
    },
    /// The values do not fill whole rows.
    #[error("{input}: {found} values do not fill {rows} rows of {columns}")]
    Ragged {
        /// Path of the file or name of the argument.
        input: String,
        /// Number of values.
        found: usize,
        /// Number of rows they should fill.
        rows: usize,
        /// Length of a row.
        columns: usize,
    },
    /// A value is NaN or infinite.
    #[error("{input}: the value at row {row}, column {column} is {value}, only finite numbers are accepted")]
    NotFinite {
        /// Path of the file or name of the argument.
        input: String,
        /// Row of the value.
        row: usize,
        /// Column of the value.
        column: usize,
        /// The value.
        value: f64,
    },
    /// An integer is too large to be an `f64` without rounding.
    #[error("{input}: the integer {value} at position {index} exceeds 2^53 and would be rounded")]
    Inexact {
        /// Path of the file.
        input: String,
        /// Position of the value in storage order.
        index: usize,
        /// The value.
        value: i64,
    },
    /// A value that should be a label is no whole number, or one beyond what labels may be.
    #[error("{input}: {value} at position {index} is not a label, expected {expected}")]
    NotALabel {
        /// Path of the file.
        input: String,
        /// Position of the value.
        index: usize,
        /// The value, as text because it may be of any type.
        value: String,
        /// What a label may be.
        expected: &'static str,
    },
    /// A value lies outside the range the data set is known to have.
    #[error("{input}: the value {value} at row {row}, column {column} lies outside [{low}, {high}]")]
    OutOfRange {
        /// Path of the file.
        input: String,
        /// Row of the value.
        row: usize,
        /// Column of the value.
        column: usize,
        /// The value.
        value: f64,
        /// Smallest value allowed.
        low: f64,
        /// Largest value allowed.
        high: f64,
    },
    /// There are not as many labels as points.
    #[error("{input}: {labels} labels for the {points} points of {of}")]
    CountMismatch {
        /// Path of the labels or name of the argument.
        input: String,
        /// Path of the points or name of the argument.
        of: String,
        /// Number of points.
        points: usize,
        /// Number of labels.
        labels: usize,
    },
    /// A class has fewer members than were asked for.
    #[error("the class with label {label} has {found} members, {needed} were asked for")]
    TooFewMembers {
        /// Original label of the class.
        label: u32,
        /// Members of the class.
        found: usize,
        /// Members asked for.
        needed: usize,
    },
}

/// What is wrong with the name of an array, and which names there are.
fn no_such_array(asked: Option<&str>, found: &[String]) -> String {
    const SHOWN: usize = 12;
    let mut list: Vec<&str> = found.iter().take(SHOWN).map(String::as_str).collect();
    if found.len() > SHOWN {
        list.push("…");
    }
    let list = list.join(", ");
    match asked {
        Some(name) if found.is_empty() => format!("holds one array, without a name; leave out \":{name}\""),
        Some(name) => format!("has no {name}; it has {list}"),
        None => format!("holds {} of them; say which with a colon and its name: {list}", found.len()),
    }
}
