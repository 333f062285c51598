//! What can be wrong with a model, a task or a request.

use thiserror::Error;

/// A refused input, naming the value at fault and the limit it broke.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum ContrastiveError {
    /// A model needs at least one class.
    #[error("a model needs at least one class")]
    NoClasses,
    /// The two lists of a model disagree.
    #[error("{weights} class weights for {classes} classes")]
    ClassCount {
        /// Number of class weights.
        weights: usize,
        /// Number of lists of atoms.
        classes: usize,
    },
    /// A class without atoms has no law.
    #[error("class {class} has no atoms")]
    EmptyClass {
        /// Index of the class.
        class: usize,
    },
    /// Probabilities come from positive finite weights whose sum is finite.
    #[error("weight {value} of {what}: weights must be positive and finite, with a finite sum")]
    Weight {
        /// Which weight.
        what: String,
        /// Its value.
        value: f64,
    },
    /// All vectors of one object share a dimension.
    #[error("{what} has dimension {found}, expected {expected}")]
    Dimension {
        /// Which vector.
        what: String,
        /// Its length.
        found: usize,
        /// The length of the others.
        expected: usize,
    },
    /// Vectors have at least one coordinate.
    #[error("the embedding dimension must be at least 1")]
    NoCoordinates,
    /// NaN or an infinity among the coordinates.
    #[error("{what} has the coordinate {value}, which is not finite")]
    NotFinite {
        /// Which vector.
        what: String,
        /// The coordinate.
        value: f64,
    },
    /// As many labels as rows are needed.
    #[error("{values} numbers do not make {labels} rows of dimension {dimension}")]
    Shape {
        /// Length of the flat array.
        values: usize,
        /// Number of labels.
        labels: usize,
        /// Numbers per row.
        dimension: usize,
    },
    /// The loss needs at least one negative, and counts beyond 2^53 are not doubles.
    #[error("{negatives} negatives: the number must lie between 1 and 2^53")]
    Negatives {
        /// The number asked for.
        negatives: u64,
    },
    /// A task is a non-empty set of distinct classes.
    #[error("class {class} of the task: a task is a non-empty set of distinct classes below {classes}")]
    Task {
        /// The class that is repeated or out of range, or the number of classes for an empty task.
        class: usize,
        /// Number of classes of the model.
        classes: usize,
    },
    /// Tasks of `k + 1` classes need `1 <= k <= classes - 1`.
    #[error("k = {k}: tasks of k + 1 classes out of {classes} need 1 <= k <= {classes} - 1")]
    TaskSize {
        /// The number asked for.
        k: usize,
        /// Number of classes of the model.
        classes: usize,
    },
    /// A finite sum that would take too long.
    #[error("about {terms:e} terms to add up, more than the limit of {limit:e}")]
    TooManyTerms {
        /// How many there are.
        terms: f64,
        /// How many are allowed.
        limit: f64,
    },
}
