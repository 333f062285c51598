//! Text with one point a line: commas, semicolons, tabs or blanks between the columns, with or without a line of names.

use contrastive::data::{ClassNames, DataError, MOST_LABELS, MOST_NUMBERS, at_most};
use csv::{Reader, ReaderBuilder, StringRecord, Trim};

use super::columns::{Columns, Coordinates};
use super::selection::{Selection, is_label_like};

const FORMAT: &str = "CSV";

/// The columns that are chosen, or all that are coordinates, but never the one that holds labels. A field is a number, or a list of numbers.
pub(super) fn table(
    input: &str,
    bytes: &[u8],
    columns: &Columns,
    without: Option<&str>,
) -> Result<Coordinates, DataError> {
    table_of(input, bytes, columns, without, MOST_NUMBERS)
}

fn table_of(
    input: &str,
    bytes: &[u8],
    columns: &Columns,
    without: Option<&str>,
    most: u64,
) -> Result<Coordinates, DataError> {
    let text = Text::new(input, bytes)?;
    let labels = without.map(|name| text.column(name)).transpose()?;
    let selection = Selection::of((input, FORMAT), &text.names, columns, labels, &[])?;
    let (mut values, mut widths) = (Vec::new(), Vec::new());
    let mut row = 0;
    text.each(|line, record| {
        at_most(input, (values.len() + selection.taken.len()) as u64, most)?;
        for (place, &at) in selection.taken.iter().enumerate() {
            let before = values.len();
            numbers(record.get(at).unwrap_or_default(), &mut values).map_err(|value| DataError::NotANumber {
                input: input.to_owned(),
                line,
                column: text.names[at].clone(),
                value,
            })?;
            let found = values.len() - before;
            match widths.get(place) {
                None => widths.push(found),
                Some(&expected) if found == expected => {}
                Some(&expected) => {
                    let input = format!("{input}:{}", text.names[at]);
                    return Err(DataError::RaggedLists { input, row, found, expected });
                }
            }
        }
        row += 1;
        at_most(input, values.len() as u64, most)
    })?;
    selection.coordinates(input, values, &widths)
}

/// The numbers of a field: one, or several between brackets or blanks, with or without commas, as `[0.5, 1]`, `(0.5, 1)` and `0.5 1`.
///
/// # Errors
/// What is no number, cut where it is long.
fn numbers(field: &str, values: &mut Vec<f64>) -> Result<(), String> {
    if let Ok(number) = field.parse::<f64>() {
        values.push(number);
        return Ok(());
    }
    let brackets = [('[', ']'), ('(', ')')];
    let inside = brackets.iter().find_map(|&(open, close)| field.strip_prefix(open)?.strip_suffix(close));
    let cut = |text: &str| {
        const SHOWN: usize = 40;
        let shown: String = text.chars().take(SHOWN).collect();
        if shown.len() < text.len() { shown + "…" } else { shown }
    };
    let list = inside.unwrap_or(field);
    let mut parts = list.split(|c: char| c == ',' || c.is_whitespace()).filter(|part| !part.is_empty()).peekable();
    if parts.peek().is_none() {
        return Err(cut(field));
    }
    for part in parts {
        values.push(part.parse().map_err(|_| cut(if inside.is_some() { part } else { field }))?);
    }
    Ok(())
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

/// Whether a field is a number or a list of numbers.
fn is_numeric(field: &str) -> bool {
    numbers(field, &mut Vec::new()).is_ok()
}

/// Lines that hold something, with their numbers from one; comments, as `numpy.savetxt` writes them, hold nothing. A line that is no UTF-8 has no
/// number, and is read as far as it is.
fn lines(bytes: &[u8]) -> impl Iterator<Item = (u64, &str)> {
    let all = bytes.split(|&b| b == b'\n').zip(1..);
    all.map(|(line, number)| (number, str::from_utf8(line).map_or("\u{fffd}", str::trim)))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// Whether blanks stand between the fields: the first line, or the second below names, is two numbers or more and at most one word.
fn has_blanks_between(bytes: &[u8]) -> bool {
    let is_row = |line: &str| {
        let fields = line.split_whitespace().count();
        let numbers = line.split_whitespace().filter(|field| field.parse::<f64>().is_ok()).count();
        numbers >= 2 && numbers + 1 >= fields
    };
    let mut first = lines(bytes).map(|(_, line)| line).take(2);
    let (one, other) = (first.next().unwrap_or_default(), first.next().unwrap_or_default());
    let fields = |line: &str| line.split_whitespace().count();
    is_row(one) || is_row(other) && fields(one) == fields(other)
}

/// A text whose first line has been looked at.
struct Text<'b> {
    input: &'b str,
    bytes: &'b [u8],
    /// The sign between fields; none where blanks are.
    delimiter: Option<u8>,
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
        let delimiter = (count(delimiter) > 0 || !has_blanks_between(bytes)).then_some(delimiter);
        let mut text = Text { input, bytes, delimiter, names: Vec::new(), has_names: false };
        let mut first = StringRecord::new();
        let read = match delimiter {
            Some(delimiter) => text.reader(delimiter, false).read_record(&mut first).map_err(|e| text.malformed(&e))?,
            None => lines(bytes).next().is_some_and(|(_, line)| {
                first.extend(line.split_whitespace());
                true
            }),
        };
        if !read {
            return Err(DataError::Empty { input: input.to_owned() });
        }
        // A line without any number names the columns, unless it is the label of a first point: one column of words has names
        // only where a number follows.
        let no_number = !first.iter().any(is_numeric);
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
        let named = first.get(0).is_some_and(is_label_like);
        let mut second = StringRecord::new();
        // One column has nothing between its fields.
        let mut reader = self.reader(self.delimiter.unwrap_or(b','), true);
        let there = reader.read_record(&mut second).map_err(|e| self.malformed(&e))?;
        // Blanks alone make no list of it: a spoilt first line of several columns would pass for a name.
        let is_list = |field: &str| field.starts_with(['[', '(']) && is_numeric(field);
        Ok(named || there && second.iter().all(|field| field.parse::<f64>().is_ok() || is_list(field)))
    }

    fn reader(&self, delimiter: u8, has_names: bool) -> Reader<&'b [u8]> {
        ReaderBuilder::new().has_headers(has_names).delimiter(delimiter).trim(Trim::All).from_reader(self.bytes)
    }

    /// Hands every record to `take`, with the number of its line.
    fn each(&self, mut take: impl FnMut(u64, &StringRecord) -> Result<(), DataError>) -> Result<(), DataError> {
        let mut record = StringRecord::new();
        let Some(delimiter) = self.delimiter else {
            for (number, line) in lines(self.bytes).skip(usize::from(self.has_names)) {
                record.clear();
                record.extend(line.split_whitespace());
                if record.len() != self.names.len() {
                    let (found, expected) = (record.len(), self.names.len());
                    let reason = format!("line {number} has {found} fields between blanks, the first one {expected}");
                    return Err(DataError::Malformed { input: self.input.to_owned(), reason });
                }
                take(number, &record)?;
            }
            return Ok(());
        };
        let mut reader = self.reader(delimiter, self.has_names);
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
            format: FORMAT,
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
        let table =
            |text: &[u8], without: Option<&str>| table("a", text, &Columns::Found, without).map(|found| found.table);
        let with = table(b"\xef\xbb\xbfx;y\n1;2\n3;4\n", Some("x")).unwrap();
        assert_eq!(with.values(), [2.0, 4.0]);
        let without = table(b"1, 2\r\n3 ,4e1", Some("2")).unwrap();
        assert_eq!(without.values(), [1.0, 3.0]);
        let suspect = |text: &[u8]| super::table("a", text, &Columns::Found, None).unwrap().suspect;
        assert_eq!(suspect(b"a,b,Label\n1,2,3\n").as_deref(), Some("Label"));
        assert_eq!((suspect(b"x,y\n1,2\n"), suspect(b"1,2\n")), (None, None));
        assert!(matches!(table(b"x,y\n", None), Err(DataError::Empty { .. })));
        assert!(matches!(table(b"1,inf\n", None), Err(DataError::NotFinite { .. })));
    }

    #[test]
    fn numbers_are_counted_while_they_are_read() {
        let of = |most| table_of("a", b"1,2\n3,4\n5,6\n", &Columns::Found, None, most);
        assert_eq!(of(6).unwrap().table.values().len(), 6);
        assert!(matches!(of(5), Err(DataError::TooMany { found: 6, limit: 5, .. })));
    }

    #[test]
    fn blanks_stand_between_columns_where_nothing_else_does() {
        let table = |text: &str| table("a", text.as_bytes(), &Columns::Found, None).map(|found| found.table);
        for text in [
            "1.5 2\n3 4e1\n",
            "  1.5   2 \n\n 3  4e1",
            "# written by numpy.savetxt\n1.5 2\n3 40\n",
            "a b\n1.5 2\n3 40\n",
        ] {
            let found = table(text).unwrap();
            assert_eq!((found.values(), found.rows()), (&[1.5, 2.0, 3.0, 40.0][..], 2), "{text:?}");
        }
        let error = table("1 2\n3\n").unwrap_err().to_string();
        assert!(error.contains("line 2 has 1 fields between blanks"), "{error}");
        let error = table("1 2 x\n").unwrap_err().to_string();
        assert!(error.contains("line 1, column 3 is \"x\""), "{error}");
        assert!(
            table("1 2\n3 \u{e9}\n").is_err() && super::table("a", b"1 2\n3 \xff\n", &Columns::Found, None).is_err()
        );
        // A class of two words is no row of two columns.
        let classes = classes("a", b"golden retriever\ntabby cat\ngolden retriever\n", None).unwrap();
        assert_eq!(classes.names(), ["golden retriever", "tabby cat"]);
    }

    #[test]
    fn a_field_may_hold_a_vector() {
        let table = |text: &str| table("a", text.as_bytes(), &Columns::Found, None).map(|found| found.table);
        for text in [
            "id,v\n7,\"[0.5, -1]\"\n9,\"[2.25, 0]\"\n",
            "v\n\"(0.5,-1)\"\n\"(2.25,0)\"\n",
            "a;v\n0.5;[-1.]\n2.25;[0]\n",
            "v\n[ 0.5 -1.  ]\n[2.25  0.\t]\n",
            "id,v\n1,\"0.5\n -1\"\n2,2.25 0\n",
        ] {
            let found = table(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
            assert_eq!((found.values(), found.columns()), (&[0.5, -1.0, 2.25, 0.0][..], 2), "{text:?}");
        }
        let refused = |text: &str| table(text).unwrap_err().to_string();
        let error = refused("v,w\n\"[1, 2]\",1\n\"[1, 2, 3]\",1\n");
        assert!(error.contains("a:v: row 1 is a list of 3 numbers, and row 0 is one of 2"), "{error}");
        let error = refused("v,w\n1,\"[1 ... 2]\"\n");
        assert!(error.contains("line 2, column w is \"...\""), "{error}");
        for (text, value) in [("v,w\n1,[]\n", "[]"), ("v,w\n1,\n", ""), ("v,w\n1,a b\n", "a b")] {
            let error = refused(text);
            assert!(error.contains(&format!("column w is {value:?}")), "{error}");
        }
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
