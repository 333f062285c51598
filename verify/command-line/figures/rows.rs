//! Tables read back: a page and its pictures are drawn from the tables beside them, so that what is committed can be drawn again, and
//! compared, without any training.

use std::str::FromStr;

use super::super::status::Trouble;

/// The fields of every row below the heading.
///
/// # Errors
/// Another heading, or a row with more or fewer fields.
pub fn rows<'a, const N: usize>(table: &'a str, heading: &str) -> Result<Vec<[&'a str; N]>, Trouble> {
    let mut lines = table.lines();
    let first = lines.next().unwrap_or_default();
    if first != heading.trim_end() {
        return Err(Trouble::Unusable(format!("a table begins with {first:?}, not {heading:?}")));
    }
    let fields = |(index, line): (usize, &'a str)| {
        let fields: Vec<&str> = line.split(',').collect();
        let found = fields.len();
        fields.try_into().map_err(|_| Trouble::Unusable(format!("row {} has {found} fields, not {N}", index + 1)))
    };
    lines.enumerate().map(fields).collect()
}

/// A field that is a number.
///
/// # Errors
/// It is none.
pub fn number<T: FromStr>(field: &str) -> Result<T, Trouble> {
    field.parse().map_err(|_| Trouble::Unusable(format!("a table has {field:?} where a number belongs")))
}

/// Neighbouring rows that have something in common, together.
pub fn together<R, K: PartialEq>(rows: Vec<R>, common: impl Fn(&R) -> K) -> Vec<(K, Vec<R>)> {
    let mut groups: Vec<(K, Vec<R>)> = Vec::new();
    for row in rows {
        let key = common(&row);
        match groups.last_mut() {
            Some((last, members)) if *last == key => members.push(row),
            _ => groups.push((key, vec![row])),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_their_heading_and_their_length() {
        let table = "a,b\n1,x\n2,y\n";
        assert_eq!(rows(table, "a,b\n").unwrap(), [["1", "x"], ["2", "y"]]);
        assert!(rows::<2>(table, "a,c\n").is_err());
        assert!(rows::<3>(table, "a,b\n").is_err());
        assert_eq!(number::<u32>("17").unwrap(), 17);
        assert!(number::<f64>("much").is_err());
    }

    #[test]
    fn neighbours_come_together() {
        let groups = together(vec![1, 3, 2, 5], |x| x % 2);
        assert_eq!(groups, [(1, vec![1, 3]), (0, vec![2]), (1, vec![5])]);
    }
}
