//! Classes by whatever names they have where they come from.

use std::collections::BTreeSet;

use super::DataError;

/// The class of every point as a number, and the name of every number.
///
/// Classes are numbered in the order of their names: integers by size, words by their characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassNames {
    codes: Vec<u32>,
    names: Vec<String>,
}

impl ClassNames {
    /// From an integer for every point. `input` names their origin in errors.
    ///
    /// # Errors
    /// [`DataError::Empty`] without any.
    pub fn of_integers(input: &str, labels: Vec<i64>) -> Result<Self, DataError> {
        Self::of(input, labels, |label| label.to_string())
    }

    /// From a word for every point; if each is an integer they are taken as such. `input` names their origin in errors.
    ///
    /// # Errors
    /// [`DataError::Empty`] without any.
    pub fn of_words(input: &str, labels: Vec<String>) -> Result<Self, DataError> {
        let integers: Result<Vec<i64>, _> = labels.iter().map(|label| label.parse()).collect();
        match integers {
            Ok(integers) => Self::of_integers(input, integers),
            Err(_) => Self::of(input, labels, Clone::clone),
        }
    }

    fn of<T: Ord>(input: &str, labels: Vec<T>, name: impl Fn(&T) -> String) -> Result<Self, DataError> {
        if labels.is_empty() {
            return Err(DataError::Empty { input: input.to_owned() });
        }
        let distinct: Vec<&T> = labels.iter().collect::<BTreeSet<&T>>().into_iter().collect();
        // Every label is among them, and there are no more of them than points.
        let code = |label: &T| distinct.partition_point(|other| *other < label) as u32;
        Ok(ClassNames {
            codes: labels.iter().map(code).collect(),
            names: distinct.iter().map(|label| name(label)).collect(),
        })
    }

    /// The number of the class of every point, in the order of the points.
    #[must_use]
    pub fn codes(&self) -> &[u32] {
        &self.codes
    }

    /// The names, in the order of the numbers.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_numbered_in_the_order_of_their_names() {
        let integers = ClassNames::of_integers("y", vec![10, -1, 9, 10]).unwrap();
        assert_eq!(integers.codes(), [2, 0, 1, 2]);
        assert_eq!(integers.names(), ["-1", "9", "10"]);
        let words = |list: &[&str]| ClassNames::of_words("y", list.iter().map(|&w| w.to_owned()).collect()).unwrap();
        assert_eq!(words(&["10", "9"]).names(), ["9", "10"]);
        assert_eq!(words(&["10", "9", "cat"]).names(), ["10", "9", "cat"]);
        assert!(matches!(ClassNames::of_words("y", vec![]), Err(DataError::Empty { .. })));
    }
}
