//! Text with one point a line: commas, semicolons or tabs between the columns, with or without a line of names.

use contrastive::data::{ClassNames, DataError, MOST_LABELS, MOST_NUMBERS, Table, at_most};
use csv::{Reader, ReaderBuilder, StringRecord, Trim};

/// All columns as numbers, but for the one that holds labels.
pub(super) fn table(input: &str, bytes: &[u8], asked: Option<&str>, without: Option<&str>) -> Result<Table, DataError> {
    table_of(input, bytes, asked, without, MOST_NUMBERS)
}

fn table_of(
    input: &str,
    bytes: &[u8],
    asked: Option<&str>,
    without: Option<&str>,
    most: u64,
) -> Result<Table, DataError> {
    if let Some(column) = asked {
        return Err(DataError::NoSuchArray {
            input: input.to_owned(),
            format: "CSV, of which all columns are the points",
            asked: Some(column.to_owned()),
            found: columns(input, bytes)?,
        });
    }
    let text = Text::new(input, bytes)?;
    let left_out = without.map(|name| text.column(name)).transpose()?;
    let (mut values, mut rows) = (Vec::new(), 0);
    text.each(|line, record| {
        rows += 1;
        at_most(input, (values.len() + record.len()) as u64, most)?;
        for (at, field) in record.iter().enumerate().filter(|(at, _)| Some(*at) != left_out) {
            let number = field.parse::<f64>().map_err(|_| DataError::NotANumber {
                input: input.to_owned(),
                line,
                column: text.names[at].clone(),
                value: field.to_owned(),
            })?;
            values.push(number);
        }
        Ok(())
    })?;
    let columns = text.names.len() - usize::from(left_out.is_some());
    Table::new(input, values, rows, columns)
}

/// The column of a given name, or the only one, as the class of every point.
pub(super) fn classes(input: &str, bytes: &[u8], asked: Option<&str>) -> Result<ClassNames, DataError> {
    let text = Text::new(input, bytes)?;
    let at = match asked {
        Some(name) => text.column(name)?,
        None if text.names.len() == 1 => 0,
        None => return Err(text.no_such(None)),
    };
    let mut words = Vec::new();
    text.each(|_, record| {
        at_most(input, words.len() as u64 + 1, MOST_LABELS)?;
        words.push(record.get(at).unwrap_or_default().to_owned());
        Ok(())
    })?;
    ClassNames::of_words(input, words)
}

/// What columns of labels are called.
const USUAL: [&str; 9] = ["label", "labels", "class", "classes", "y", "target", "targets", "category", "kind"];

/// The first of several columns whose name is that of labels.
pub(super) fn label_like(input: &str, bytes: &[u8]) -> Result<Option<String>, DataError> {
    let mut names = columns(input, bytes)?;
    // "y" is a coordinate where "x" is one.
    let plane = names.iter().any(|name| name.eq_ignore_ascii_case("x"));
    names.retain(|name| USUAL.contains(&name.to_lowercase().as_str()) && !(plane && name.eq_ignore_ascii_case("y")));
    Ok(names.into_iter().next())
}

fn columns(input: &str, bytes: &[u8]) -> Result<Vec<String>, DataError> {
    Ok(Text::new(input, bytes)?.names)
}

/// A text whose first line has been looked at.
struct Text<'b> {
    input: &'b str,
    bytes: &'b [u8],
    delimiter: u8,
    /// Names of the columns, numbers from one where there are none.
    names: Vec<String>,
    has_names: bool,
}

impl<'b> Text<'b> {
    fn new(input: &'b str, bytes: &'b [u8]) -> Result<Self, DataError> {
        // A mark at the beginning that some programs write is no part of the first name.
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let line = bytes.split(|&b| b == b'\n').next().unwrap_or_default();
        let count = |delimiter: u8| line.iter().filter(|&&b| b == delimiter).count();
        let delimiter = *[b',', b';', b'\t'].iter().max_by_key(|&&d| (count(d), d == b',')).unwrap_or(&b',');
        let mut text = Text { input, bytes, delimiter, names: Vec::new(), has_names: false };
        let mut first = StringRecord::new();
        if !text.reader(false).read_record(&mut first).map_err(|e| text.malformed(&e))? {
            return Err(DataError::Empty { input: input.to_owned() });
        }
        // A line without any number names the columns, unless it is the label of a first point: one column of words has names
        // only where a number follows.
        let no_number = first.iter().all(|field| field.parse::<f64>().is_err());
        text.has_names = no_number && (first.len() > 1 || text.second_is_of_another_kind(&first)?);
        text.names = if text.has_names {
            first.iter().map(str::to_owned).collect()
        } else {
            (1..=first.len()).map(|i| i.to_string()).collect()
        };
        Ok(text)
    }

    /// Whether the second line of a single column is a number, or the first line is what such columns are called.
    fn second_is_of_another_kind(&self, first: &StringRecord) -> Result<bool, DataError> {
        let named = first.get(0).is_some_and(|name| USUAL.contains(&name.to_lowercase().as_str()));
        let mut second = StringRecord::new();
        let mut reader = self.reader(true);
        let there = reader.read_record(&mut second).map_err(|e| self.malformed(&e))?;
        Ok(named || there && second.iter().all(|field| field.parse::<f64>().is_ok()))
    }

    fn reader(&self, has_names: bool) -> Reader<&'b [u8]> {
        ReaderBuilder::new().has_headers(has_names).delimiter(self.delimiter).trim(Trim::All).from_reader(self.bytes)
    }

    /// Hands every record to `take`, with the number of its line.
    fn each(&self, mut take: impl FnMut(u64, &StringRecord) -> Result<(), DataError>) -> Result<(), DataError> {
        let mut reader = self.reader(self.has_names);
        let mut record = StringRecord::new();
        while reader.read_record(&mut record).map_err(|e| self.malformed(&e))? {
            take(record.position().map_or(0, csv::Position::line), &record)?;
        }
        Ok(())
    }

    /// The column of a name, or of a number counted from one where the columns have no names.
    fn column(&self, name: &str) -> Result<usize, DataError> {
        let found = self.names.iter().position(|other| other == name);
        found.ok_or_else(|| self.no_such(Some(name)))
    }

    fn no_such(&self, asked: Option<&str>) -> DataError {
        DataError::NoSuchArray {
            input: self.input.to_owned(),
            format: "CSV",
            asked: asked.map(str::to_owned),
            found: self.names.clone(),
        }
    }

    fn malformed(&self, error: &csv::Error) -> DataError {
        DataError::Malformed { input: self.input.to_owned(), reason: error.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_named_by_a_first_line_without_numbers() {
        let with = table("a", b"\xef\xbb\xbfx;y\n1;2\n3;4\n", None, Some("x")).unwrap();
        assert_eq!(with.values(), [2.0, 4.0]);
        let without = table("a", b"1, 2\r\n3 ,4e1", None, Some("2")).unwrap();
        assert_eq!(without.values(), [1.0, 3.0]);
        let suspect = |text: &[u8]| label_like("a", text).unwrap();
        assert_eq!(suspect(b"a,b,Label\n1,2,3\n").as_deref(), Some("Label"));
        assert_eq!((suspect(b"x,y\n1,2\n"), suspect(b"1,2\n")), (None, None));
        let error = table("a", b"x,y\n1,2\n", Some("x"), None).unwrap_err();
        assert!(error.to_string().contains("all columns are the points"), "{error}");
        assert!(matches!(table("a", b"x,y\n", None, None), Err(DataError::Empty { .. })));
        assert!(matches!(table("a", b"1,inf\n", None, None), Err(DataError::NotFinite { .. })));
    }

    #[test]
    fn numbers_are_counted_while_they_are_read() {
        let of = |most| table_of("a", b"1,2\n3,4\n5,6\n", None, None, most);
        assert_eq!(of(6).unwrap().values().len(), 6);
        assert!(matches!(of(5), Err(DataError::TooMany { found: 6, limit: 5, .. })));
    }

    #[test]
    fn a_single_column_of_words_has_a_name_only_where_one_can_be_told() {
        let classes = |text: &str| classes("a", text.as_bytes(), None).unwrap();
        assert_eq!(classes("cat\ndog\ncat\n").codes(), [0, 1, 0]);
        assert_eq!(classes("Label\ncat\ndog\n").codes(), [0, 1]);
        assert_eq!(classes("digit\n7\n3\n").names(), ["3", "7"]);
        assert_eq!(classes("7\n3\n").codes(), [1, 0]);
    }
}
