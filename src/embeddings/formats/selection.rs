//! Which columns of a file are coordinates: those that are asked for, or all but the labels and what numbers the rows.

use contrastive::data::{DataError, NumberTable};

use super::columns::{Columns, Coordinates};

/// The fewest rows of which the numbers in a column tell that it numbers them.
const FEWEST_ROWS: usize = 8;

/// Why a column numbers the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Why {
    Metadata,
    Name,
    Content,
}

impl Why {
    fn words(self) -> &'static str {
        match self {
            Why::Metadata => "an index, as the file says",
            Why::Name => "an index or an id, by its name",
            Why::Content => "whole numbers, all different",
        }
    }
}

/// Columns that are read, and those that are not.
#[derive(Debug)]
pub(super) struct Selection<'n> {
    names: &'n [String],
    /// Places of the columns to read, in the order of the file.
    pub taken: Vec<usize>,
    left_out: Vec<(usize, Why)>,
    chosen: bool,
}

impl<'n> Selection<'n> {
    /// By names and metadata: `labels` is never taken, `index` are the columns that the file calls its index.
    ///
    /// # Errors
    /// [`DataError::NoSuchArray`] for a choice that no column fits, [`DataError::Empty`] where nothing is left.
    pub fn of(
        (input, format): (&str, &'static str),
        names: &'n [String],
        columns: &Columns,
        labels: Option<usize>,
        index: &[String],
    ) -> Result<Self, DataError> {
        let others: Vec<usize> = (0..names.len()).filter(|&at| Some(at) != labels).collect();
        let empty = || DataError::Empty { input: input.to_owned() };
        if let Columns::Chosen(patterns) = columns {
            let fits = |pattern: &String, at: &usize| names[*at] == *pattern || matches(pattern, &names[*at]);
            if let Some(none) = patterns.iter().find(|pattern| !others.iter().any(|at| fits(pattern, at))) {
                let (input, found) = (input.to_owned(), others.iter().map(|&at| names[at].clone()).collect());
                return Err(DataError::NoSuchArray { input, format, asked: Some(none.clone()), found });
            }
            let taken: Vec<usize> =
                others.into_iter().filter(|at| patterns.iter().any(|pattern| fits(pattern, at))).collect();
            return if taken.is_empty() {
                Err(empty())
            } else {
                Ok(Selection { names, taken, left_out: Vec::new(), chosen: true })
            };
        }
        let named = names.iter().any(|name| !name.is_empty());
        let why = |at: usize| {
            let name = names[at].as_str();
            if index.iter().any(|other| other == name) {
                return Some(Why::Metadata);
            }
            (named && numbers_rows(name)).then_some(Why::Name)
        };
        let (mut taken, mut left_out) = (Vec::new(), Vec::new());
        for &at in &others {
            match why(at) {
                None => taken.push(at),
                Some(why) => left_out.push((at, why)),
            }
        }
        // A file that is nothing but an index is what was asked for.
        if taken.is_empty() {
            (taken, left_out) = (others, Vec::new());
        }
        if taken.is_empty() {
            return Err(empty());
        }
        Ok(Selection { names, taken, left_out, chosen: false })
    }

    /// The numbers of the columns taken, of which `widths` says how many each has in a row, without those that number the rows by what they hold.
    pub fn coordinates(mut self, input: &str, values: Vec<f64>, widths: &[usize]) -> Result<Coordinates, DataError> {
        let width: usize = widths.iter().sum();
        let rows = values.len().checked_div(width).unwrap_or(0);
        let mut numbering = if self.chosen { Vec::new() } else { numbering(&values, rows, widths) };
        if numbering.len() == self.taken.len() {
            numbering.clear();
        }
        let mut kept = values;
        let mut left = width;
        if !numbering.is_empty() {
            let mut keep = Vec::with_capacity(width);
            for (place, &width) in widths.iter().enumerate() {
                keep.extend(std::iter::repeat_n(!numbering.contains(&place), width));
            }
            let mut at = 0;
            kept.retain(|_| {
                let here = keep[at];
                at = (at + 1) % width;
                here
            });
            left = keep.iter().filter(|&&here| here).count();
            self.left_out.extend(numbering.iter().map(|&place| (self.taken[place], Why::Content)));
        }
        let taken = self.taken.iter().enumerate().filter(|(place, _)| !numbering.contains(place));
        let taken: Vec<&str> = taken.map(|(_, &at)| self.names[at].as_str()).collect();
        let table = NumberTable::new(input, kept, rows, left)?;
        Ok(Coordinates { table, remark: self.remark(), suspect: label_like(&taken) })
    }

    fn remark(&self) -> Option<String> {
        const SHOWN: usize = 6;
        if self.left_out.is_empty() {
            return None;
        }
        let shown = |&(at, why): &(usize, Why)| {
            let name = self.names[at].as_str();
            let name = if name.is_empty() { format!("column {} without a name", at + 1) } else { name.to_owned() };
            format!("{name} ({})", why.words())
        };
        let mut list: Vec<String> = self.left_out.iter().take(SHOWN).map(shown).collect();
        if self.left_out.len() > SHOWN {
            list.push(format!("and {} more", self.left_out.len() - SHOWN));
        }
        let (columns, are) = if self.left_out.len() == 1 { ("The column", "is") } else { ("The columns", "are") };
        Some(format!("{columns} {} {are} left out; --columns chooses others.", list.join(", ")))
    }
}

/// Whether a name is that of an index or an id.
fn numbers_rows(name: &str) -> bool {
    const NAMES: [&str; 13] =
        ["", "guid", "id", "ids", "idx", "index", "level_0", "row_id", "row_number", "rowid", "rownum", "uid", "uuid"];
    let name = name.trim();
    let lower = name.to_lowercase();
    let numbered = |start: &str, end: &str| {
        let middle = lower.strip_prefix(start).and_then(|rest| rest.strip_suffix(end));
        middle.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
    };
    // `sampleId` and `imageID`, but not `grid`.
    let humped = ["Id", "ID"]
        .iter()
        .filter_map(|end| name.strip_suffix(end))
        .any(|start| start.ends_with(|c: char| c.is_lowercase() || c.is_ascii_digit()));
    NAMES.contains(&lower.as_str())
        || lower.ends_with("_id")
        || humped
        || numbered("__index_level_", "__")
        || numbered("unnamed: ", "")
}

/// Places of the columns that number the rows by what they hold: whole numbers, all different, that are a whole stretch of them in some order, or
/// stand beside columns of other numbers.
fn numbering(values: &[f64], rows: usize, widths: &[usize]) -> Vec<usize> {
    if rows < FEWEST_ROWS {
        return Vec::new();
    }
    let width: usize = widths.iter().sum();
    let fractions = values.iter().any(|x| x.fract() != 0.0);
    let mut found = Vec::new();
    let mut start = 0;
    for (place, &columns) in widths.iter().enumerate() {
        let column = || values[start..].iter().step_by(width).copied();
        if columns == 1 && column().all(|x| x.fract() == 0.0) {
            let mut sorted: Vec<f64> = column().collect();
            sorted.sort_unstable_by(f64::total_cmp);
            let different = sorted.windows(2).all(|pair| pair[0] < pair[1]);
            let stretch =
                sorted.last().zip(sorted.first()).is_some_and(|(last, first)| last - first == (rows - 1) as f64);
            if different && (stretch || fractions) {
                found.push(place);
            }
        }
        start += columns;
    }
    found
}

/// Whether a name fits a pattern in which `*` stands for any signs.
fn matches(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| name.strip_prefix(first)) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// What columns of labels are called.
const USUAL: [&str; 9] = ["label", "labels", "class", "classes", "y", "target", "targets", "category", "kind"];

/// Whether a column of this name holds labels.
pub(super) fn is_label_like(name: &str) -> bool {
    USUAL.contains(&name.to_lowercase().as_str())
}

/// The first of several columns whose name is that of labels.
fn label_like(names: &[&str]) -> Option<String> {
    // "y" is a coordinate where "x" is one.
    let plane = names.iter().any(|name| name.eq_ignore_ascii_case("x"));
    let found = names.iter().find(|name| is_label_like(name) && !(plane && name.eq_ignore_ascii_case("y")));
    (names.len() > 1).then_some(found).flatten().map(|name| (*name).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &str) -> Vec<String> {
        list.split(',').map(str::to_owned).collect()
    }

    #[test]
    fn names_of_an_index_are_told_from_those_of_coordinates() {
        for name in [
            "", "id", "ID", " Id ", "idx", "index", "__index_level_0__", "__index_level_12__", "Unnamed: 0",
            "sample_id", "imageId", "rowid", "UUID", "_id", "level_0",
        ] {
            assert!(numbers_rows(name), "{name}");
        }
        for name in [
            "x", "0", "grid", "width", "body_mass_index", "refractive index", "unnamed", "Unnamed: x",
            "__index_level__", "valid", "acid", "identity", "idf", "row", "key",
        ] {
            assert!(!numbers_rows(name), "{name}");
        }
    }

    #[test]
    fn patterns_have_stars() {
        for (pattern, name, fits) in [
            ("x*", "x12", true),
            ("x*", "y1", false),
            ("*", "anything", true),
            ("a*b*c", "a1b2c", true),
            ("a*b*c", "acb", false),
            ("a*a", "a", false),
            ("x", "x1", false),
            ("*_1", "e_1", true),
            ("é*", "é1", true),
        ] {
            assert_eq!(matches(pattern, name), fits, "{pattern} {name}");
        }
    }

    #[test]
    fn a_column_of_different_whole_numbers_is_no_coordinate() {
        let list = names("a,b,c");
        let of = |column: &dyn Fn(usize) -> [f64; 3], rows: usize| {
            let select = Selection::of(("f", "CSV"), &list, &Columns::Found, None, &[]).unwrap();
            let found = select.coordinates("f", (0..rows).flat_map(column).collect(), &[1, 1, 1]).unwrap();
            (found.table.columns(), found.remark.unwrap_or_default())
        };
        let half = |i: usize| i as f64 / 2.0;
        // In order, out of order, from anywhere, with gaps beside fractions.
        for column in [&|i: usize| i as f64 as usize, &|i| i * 7 % 20, &|i| 500 - i, &|i| i * i + 3]
            as [&dyn Fn(usize) -> usize; 4]
        {
            let (columns, remark) = of(&|i| [half(i), column(i) as f64, half(i % 3)], 20);
            assert_eq!(columns, 2, "{remark}");
            assert_eq!(remark, "The column b (whole numbers, all different) is left out; --columns chooses others.");
        }
        // Too few rows, a number that comes twice, gaps among whole numbers only, nothing else: all are coordinates.
        assert_eq!(of(&|i| [half(i), i as f64, 0.0], 7).0, 3);
        assert_eq!(of(&|i| [half(i), i.max(1) as f64, 0.0], 20).0, 3);
        assert_eq!(of(&|i| [1.0, (i * i) as f64, 0.0], 20).0, 3);
        assert_eq!(of(&|i| [i as f64, (20 - i) as f64, (i * 3 % 20) as f64], 20).0, 3);
    }

    #[test]
    fn what_is_chosen_is_taken_and_what_no_column_fits_is_named() {
        let list = names("id,x1,x2,label");
        let chosen = |patterns: &str| Columns::Chosen(names(patterns));
        let select = |columns: &Columns| {
            let taken = Selection::of(("f", "CSV"), &list, columns, Some(3), &[]);
            taken.map(|selection| selection.taken)
        };
        assert_eq!(select(&Columns::Found).unwrap(), [1, 2]);
        assert_eq!(select(&chosen("x2,id")).unwrap(), [0, 2]);
        assert_eq!(select(&chosen("*")).unwrap(), [0, 1, 2]);
        let refused = select(&chosen("x*,z*")).unwrap_err().to_string();
        assert!(refused.contains("has no z*; it has id, x1, x2"), "{refused}");
        let index = Selection::of(("f", "Parquet"), &list, &Columns::Found, Some(3), &names("x1")).unwrap();
        assert_eq!(index.taken, [2]);
        let only = names("id");
        assert_eq!(Selection::of(("f", "CSV"), &only, &Columns::Found, None, &[]).unwrap().taken, [0]);
    }
}
