//! Points of one dimension, each with a class.

use serde::{Deserialize, Serialize};

use super::{DataError, NumberTable};

/// A non-empty list of points in R^dimension, each with a label.
///
/// Labels are arbitrary `u32`; the distinct ones, in increasing order, are the classes 0..C. Points with equal labels
/// form a class; every class has at least one member. The serialised form is `{points, dimension, labels}` with the
/// original labels, and reading it back runs the same checks as [`LabelledPoints::new`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "StoredPoints", into = "StoredPoints")]
pub struct LabelledPoints {
    points: Vec<f64>,
    dimension: usize,
    classes: Vec<usize>,
    names: Vec<u32>,
    members: Vec<Vec<usize>>,
}

/// The serialised form, before it has been checked.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredPoints {
    points: Vec<f64>,
    dimension: usize,
    labels: Vec<u32>,
}

impl TryFrom<StoredPoints> for LabelledPoints {
    type Error = DataError;

    fn try_from(stored: StoredPoints) -> Result<Self, DataError> {
        Self::new(stored.points, stored.dimension, stored.labels)
    }
}

impl From<LabelledPoints> for StoredPoints {
    fn from(data: LabelledPoints) -> Self {
        let labels = data.classes.iter().map(|&class| data.names[class]).collect();
        Self { points: data.points, dimension: data.dimension, labels }
    }
}

impl LabelledPoints {
    /// Takes `labels.len()` points of `dimension` coordinates each, stored one after the other.
    ///
    /// # Errors
    /// [`DataError::Empty`] without points or coordinates, [`DataError::Ragged`] if the last point is incomplete,
    /// [`DataError::CountMismatch`] if there are not as many labels as points, [`DataError::NotFinite`] for a coordinate
    /// that is NaN or infinite.
    pub fn new(points: Vec<f64>, dimension: usize, labels: Vec<u32>) -> Result<Self, DataError> {
        if points.is_empty() || dimension == 0 {
            return Err(DataError::Empty { input: "points".to_owned() });
        }
        let rows = points.len() / dimension;
        if !points.len().is_multiple_of(dimension) {
            let input = "points".to_owned();
            return Err(DataError::Ragged { input, found: points.len(), rows: rows + 1, columns: dimension });
        }
        Self::from_table("labels", "points", NumberTable::new("points", points, rows, dimension)?, labels)
    }

    /// Takes one point per row of `table`. `input` names the origin of the labels in errors, `of` that of the points.
    ///
    /// # Errors
    /// [`DataError::CountMismatch`] if there are not as many labels as rows.
    pub fn from_table(input: &str, of: &str, table: NumberTable, labels: Vec<u32>) -> Result<Self, DataError> {
        if table.rows() != labels.len() {
            let (input, of) = (input.to_owned(), of.to_owned());
            return Err(DataError::CountMismatch { input, of, points: table.rows(), labels: labels.len() });
        }
        let mut names = labels.clone();
        names.sort_unstable();
        names.dedup();
        let mut members = vec![Vec::new(); names.len()];
        let mut classes = Vec::with_capacity(labels.len());
        for (index, label) in labels.iter().enumerate() {
            // The label is one of `names`, so this position is its place among them.
            let class = names.partition_point(|name| name < label);
            members[class].push(index);
            classes.push(class);
        }
        let dimension = table.columns();
        Ok(Self { points: table.into_values(), dimension, classes, names, members })
    }

    /// Number of points, at least one.
    #[expect(clippy::len_without_is_empty, reason = "there is always a point")]
    pub fn len(&self) -> usize {
        self.classes.len()
    }

    /// Number of coordinates of a point, at least one.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Coordinates of point `i`.
    ///
    /// # Panics
    /// If `i >= self.len()`, as indexing a slice does.
    pub fn point(&self, i: usize) -> &[f64] {
        &self.points[i * self.dimension..(i + 1) * self.dimension]
    }

    /// All coordinates, point by point: `len() * dimension()` values.
    pub fn points(&self) -> &[f64] {
        &self.points
    }

    /// Class of point `i`, in 0..[`classes`](Self::classes).
    ///
    /// # Panics
    /// If `i >= self.len()`, as indexing a slice does.
    pub fn label(&self, i: usize) -> usize {
        self.classes[i]
    }

    /// Class of every point, in the order of the points.
    pub fn labels(&self) -> &[usize] {
        &self.classes
    }

    /// Number of classes: distinct labels, at least one.
    pub fn classes(&self) -> usize {
        self.names.len()
    }

    /// The label that class 0, 1, ... had where the data came from, in increasing order.
    pub fn original_labels(&self) -> &[u32] {
        &self.names
    }

    /// Indices of the points of class `c` in increasing order; none if there is no such class.
    pub fn class_members(&self, c: usize) -> &[usize] {
        self.members.get(c).map_or(&[], Vec::as_slice)
    }

    /// The first `k` points of each class, kept in the order in which they stand here.
    ///
    /// # Errors
    /// [`DataError::Empty`] if `k` is zero, [`DataError::TooFewMembers`] if a class has fewer than `k` members: a
    /// subset of unequal classes would silently change the class probabilities.
    pub fn subset_per_class(&self, k: usize) -> Result<Self, DataError> {
        if k == 0 {
            return Err(DataError::Empty { input: "subset_per_class(0)".to_owned() });
        }
        if let Some(class) = (0..self.classes()).find(|&class| self.members[class].len() < k) {
            let (label, found) = (self.names[class], self.members[class].len());
            return Err(DataError::TooFewMembers { label, found, needed: k });
        }
        let mut chosen: Vec<usize> = self.members.iter().flat_map(|members| &members[..k]).copied().collect();
        chosen.sort_unstable();
        let points = chosen.iter().flat_map(|&i| self.point(i)).copied().collect();
        let labels = chosen.iter().map(|&i| self.names[self.classes[i]]).collect();
        Self::new(points, self.dimension, labels)
    }

    /// The same labels on other points: row `i` of `table` replaces point `i`.
    ///
    /// # Errors
    /// [`DataError::CountMismatch`] if there are not as many rows as points here.
    pub fn with_points(&self, table: NumberTable) -> Result<Self, DataError> {
        if table.rows() != self.len() {
            return Err(DataError::CountMismatch {
                input: "with_points".to_owned(),
                of: "table".to_owned(),
                points: table.rows(),
                labels: self.len(),
            });
        }
        let dimension = table.columns();
        let (classes, names, members) = (self.classes.clone(), self.names.clone(), self.members.clone());
        Ok(Self { points: table.into_values(), dimension, classes, names, members })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn three_classes() -> LabelledPoints {
        let points = (0..12).map(f64::from).collect();
        LabelledPoints::new(points, 2, vec![7, 2, 7, 40, 2, 7]).unwrap()
    }

    #[test]
    fn classes_follow_the_order_of_the_labels() {
        let data = three_classes();
        assert_eq!((data.len(), data.dimension(), data.classes()), (6, 2, 3));
        assert_eq!(data.labels(), [1, 0, 1, 2, 0, 1]);
        assert_eq!(data.original_labels(), [2, 7, 40]);
        assert_eq!(data.class_members(1), [0, 2, 5]);
        assert_eq!(data.class_members(3), [0_usize; 0]);
        assert_eq!((data.point(3), data.label(3)), ([6.0, 7.0].as_slice(), 2));
    }

    #[test]
    fn a_subset_takes_the_first_members_in_index_order() {
        let subset = three_classes().subset_per_class(1).unwrap();
        assert_eq!(subset.points(), [0.0, 1.0, 2.0, 3.0, 6.0, 7.0]);
        assert_eq!(subset.original_labels(), [2, 7, 40]);
        assert_eq!(subset.labels(), [1, 0, 2]);
    }

    #[test]
    fn subsets_that_cannot_be_had_are_refused() {
        let error = three_classes().subset_per_class(2).unwrap_err();
        assert!(matches!(error, DataError::TooFewMembers { label: 40, found: 1, needed: 2 }));
        assert!(matches!(three_classes().subset_per_class(0), Err(DataError::Empty { .. })));
    }

    #[test]
    fn malformed_points_are_refused() {
        let new = LabelledPoints::new;
        assert!(matches!(new(vec![], 2, vec![]), Err(DataError::Empty { .. })));
        assert!(matches!(new(vec![1.0], 0, vec![1]), Err(DataError::Empty { .. })));
        assert!(matches!(new(vec![1.0; 3], 2, vec![1, 1]), Err(DataError::Ragged { found: 3, rows: 2, .. })));
        let mismatch = new(vec![1.0; 4], 2, vec![1]);
        assert!(matches!(mismatch, Err(DataError::CountMismatch { points: 2, labels: 1, .. })));
        let nan = new(vec![1.0, 1.0, f64::NAN, 1.0], 2, vec![1, 1]);
        assert!(matches!(nan, Err(DataError::NotFinite { row: 1, column: 0, .. })));
        let table = NumberTable::new("t", vec![1.0; 5], 5, 1).unwrap();
        assert!(matches!(
            three_classes().with_points(table),
            Err(DataError::CountMismatch { points: 5, labels: 6, .. })
        ));
    }

    #[test]
    fn reading_back_checks_again() {
        let ragged = r#"{"points": [1.0, 2.0, 3.0], "dimension": 2, "labels": [0, 1]}"#;
        assert!(serde_json::from_str::<LabelledPoints>(ragged).is_err());
    }

    proptest! {
        #[test]
        fn serialising_and_back_changes_nothing(
            rows in prop::collection::vec((prop::array::uniform3(prop::num::f64::NORMAL), any::<u32>()), 1..20),
        ) {
            let points = rows.iter().flat_map(|(row, _)| *row).collect();
            let labels = rows.iter().map(|&(_, label)| label).collect();
            let data = LabelledPoints::new(points, 3, labels).unwrap();
            let text = serde_json::to_string(&data).unwrap();
            prop_assert_eq!(serde_json::from_str::<LabelledPoints>(&text).unwrap(), data);
        }

        #[test]
        fn every_point_is_a_member_of_its_class_and_of_no_other(
            labels in prop::collection::vec(0_u32..6, 1..40),
        ) {
            let data = LabelledPoints::new(vec![0.5; labels.len()], 1, labels.clone()).unwrap();
            let mut seen = vec![0; data.len()];
            for class in 0..data.classes() {
                for &i in data.class_members(class) {
                    seen[i] += 1;
                    prop_assert_eq!(data.original_labels()[data.label(i)], labels[i]);
                    prop_assert_eq!(data.label(i), class);
                }
            }
            prop_assert!(seen.iter().all(|&count| count == 1));
        }
    }
}
