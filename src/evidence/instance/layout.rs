//! What the coordinates of an instance mean: kinds, ranges, scales, and which of them belong together.

use std::fmt;

/// What a coordinate counts in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoordinateKind {
    /// A double.
    Real,
    /// A whole number: an index, an exponent, a number of steps.
    Integer,
    /// One of the words of a plain enum, or a truth value, by its number from 0; neighbours have nothing in common.
    Choice,
}

/// How steps along a coordinate are best taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// By adding.
    #[default]
    Linear,
    /// By multiplying: a temperature, a condition number, a variance.
    Logarithmic,
}

/// The numbers that a coordinate may take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Infimum; minus infinity where there is none.
    pub low: f64,
    /// Supremum; infinity where there is none.
    pub high: f64,
    /// Whether the infimum itself is left out. An infinite end is always left out.
    pub low_open: bool,
    /// Whether the supremum itself is left out.
    pub high_open: bool,
    /// Whether the author of the type said so, or the range is merely all that its representation holds.
    pub declared: bool,
}

impl Range {
    /// Every finite double.
    pub const FINITE: Range =
        Range { low: f64::NEG_INFINITY, high: f64::INFINITY, low_open: true, high_open: true, declared: false };

    /// The numbers from `low` to `high`, both included, by the author's declaration.
    #[must_use]
    pub const fn closed(low: f64, high: f64) -> Self {
        Range { low, high, low_open: false, high_open: false, declared: true }
    }

    /// The same numbers, as what a representation holds rather than as a declaration.
    #[must_use]
    pub const fn undeclared(self) -> Self {
        Range { declared: false, ..self }
    }

    /// Whether a finite number lies in the range.
    #[must_use]
    pub fn contains(&self, x: f64) -> bool {
        let above = if self.low_open { x > self.low } else { x >= self.low };
        let below = if self.high_open { x < self.high } else { x <= self.high };
        x.is_finite() && above && below
    }

    /// The least double in the range.
    #[must_use]
    pub fn least(&self) -> f64 {
        if self.low == f64::NEG_INFINITY {
            f64::MIN
        } else if self.low_open {
            self.low.next_up()
        } else {
            self.low
        }
    }

    /// The greatest double in the range.
    #[must_use]
    pub fn greatest(&self) -> f64 {
        if self.high == f64::INFINITY {
            f64::MAX
        } else if self.high_open {
            self.high.next_down()
        } else {
            self.high
        }
    }

    /// The double of the range that is nearest to `x`; not a number becomes the one nearest to zero.
    #[must_use]
    pub fn clamp(&self, x: f64) -> f64 {
        let x = if x.is_nan() { 0.0 } else { x };
        // Not `f64::clamp`, which panics where a declaration left no number at all.
        x.min(self.greatest()).max(self.least())
    }
}

impl fmt::Display for Range {
    /// As mathematics writes it: `[0, 1]`, `(0, ∞)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = |x: f64| {
            let sign = if x < 0.0 { "−" } else { "" };
            if x.is_infinite() {
                format!("{sign}∞")
            } else if x != 0.0 && !(1e-4..1e7).contains(&x.abs()) {
                format!("{sign}{:e}", x.abs())
            } else {
                format!("{sign}{}", x.abs())
            }
        };
        let open = self.low_open || self.low == f64::NEG_INFINITY;
        let (left, right) =
            (if open { '(' } else { '[' }, if self.high_open || self.high == f64::INFINITY { ')' } else { ']' });
        write!(f, "{left}{}, {}{right}", end(self.low), end(self.high))
    }
}

/// One number that may move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coordinate {
    /// What it counts in.
    pub kind: CoordinateKind,
    /// Where it may move. An integer whose range is not [`Range::declared`] may be a width or a cost: move it with care.
    pub range: Range,
    /// Where it mostly lies, within the range: what its author draws it from, or the range itself.
    pub typical: Range,
    /// How it is best moved.
    pub scale: Scale,
}

impl Coordinate {
    /// A double without a declared range.
    pub const REAL: Coordinate =
        Coordinate { kind: CoordinateKind::Real, range: Range::FINITE, typical: Range::FINITE, scale: Scale::Linear };
}

/// How the coordinates of a group belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Shape {
    /// A vector.
    Vector,
    /// A list of whole numbers or of choices.
    List,
    /// A matrix, row by row. Its rows are groups of their own as well.
    Matrix {
        /// Number of rows.
        rows: usize,
        /// Number of columns.
        columns: usize,
    },
    /// The upper triangle of a symmetric matrix, row by row: `size (size + 1) / 2` coordinates; the mirror follows by itself.
    Symmetric {
        /// Number of rows.
        size: usize,
    },
    /// Numbers, none negative and not all zero, of which only the ratios matter: a probability vector before it is divided by its sum.
    Weights,
}

/// A run of coordinates that belong together. Groups may contain each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// Number of the first coordinate.
    pub start: usize,
    /// How many there are.
    pub length: usize,
    /// What they form.
    pub shape: Shape,
}

impl Group {
    /// The coordinates.
    #[must_use]
    pub fn range(&self) -> std::ops::Range<usize> {
        self.start..self.start + self.length
    }
}

/// What the items of a size are to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Items {
    /// Their order matters, or nothing is known of it.
    Ordered,
    /// Exchanging two of them changes nothing that a statement could depend on: atoms of a law, points of a sample.
    Interchangeable,
    /// There are none: the size says which variant of an enum with fields is taken.
    Variant,
}

/// Where one list keeps the items of a size: item `i` takes the `width` coordinates from `start + i * width`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ItemBlock {
    /// First coordinate of item 0.
    pub start: usize,
    /// Coordinates of an item.
    pub width: usize,
}

impl ItemBlock {
    /// The coordinates of one item.
    #[must_use]
    pub fn item(self, item: usize) -> std::ops::Range<usize> {
        let first = self.start + item * self.width;
        first..first + self.width
    }
}

/// A length that lists of the instance share, or a choice among the variants of an enum with fields. Changing it changes the shape: see
/// [`Instance::with_size`](super::Instance::with_size) and [`Instance::without_item`](super::Instance::without_item).
#[derive(Clone, Debug, PartialEq)]
pub struct Size {
    /// Its name in the declaration; empty where it has none.
    pub name: String,
    /// Its value in this shape.
    pub value: u64,
    /// Smallest declared value.
    pub least: u64,
    /// Largest declared value; `u64::MAX` where there is none.
    pub greatest: u64,
    /// What the items are to each other.
    pub items: Items,
    /// Where the items are, list by list; nothing of lists whose items differ in shape, or of symmetric matrices.
    pub blocks: Vec<ItemBlock>,
}

impl Size {
    /// The coordinates of one item, in all lists that share the length, in the same order for every item: two items are exchanged,
    /// made equal or merged by acting on both sequences side by side.
    pub fn item(&self, item: usize) -> impl Iterator<Item = usize> {
        self.blocks.iter().flat_map(move |block| block.item(item))
    }
}

/// The coordinates of all instances of one shape, in the order of declaration.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    /// The numbers that may move.
    pub coordinates: Vec<Coordinate>,
    /// Which of them belong together.
    pub groups: Vec<Group>,
    /// The lengths and choices that fix the shape.
    pub sizes: Vec<Size>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_open_end_is_left_out_and_the_nearest_double_is_in() {
        let range = Range { low_open: true, ..Range::closed(0.0, 1.0) };
        assert!(!range.contains(0.0) && range.contains(1.0) && range.contains(range.least()));
        assert_eq!([range.clamp(-3.0), range.clamp(0.5), range.clamp(2.0)], [0.0_f64.next_up(), 0.5, 1.0]);
        assert!(!Range::FINITE.contains(f64::INFINITY) && Range::FINITE.contains(f64::MAX));
        assert_eq!(Range::FINITE.clamp(f64::NAN), 0.0);
        assert_eq!(Range::FINITE.clamp(f64::NEG_INFINITY), f64::MIN);
    }

    #[test]
    fn the_items_of_a_size_are_found_in_every_list() {
        // weights[3], then points[3][2]: coordinates 0..3 and 3..9.
        let block = |start, width| ItemBlock { start, width };
        let size = |value, blocks| Size {
            name: "n".into(),
            value,
            least: 1,
            greatest: 8,
            items: Items::Interchangeable,
            blocks,
        };
        let atoms = size(3, vec![block(0, 1), block(3, 2)]);
        assert_eq!(atoms.item(1).collect::<Vec<_>>(), [1, 5, 6]);
        // The second coordinate of every point.
        let dimension = size(2, vec![block(3, 1), block(5, 1), block(7, 1)]);
        assert_eq!(dimension.item(1).collect::<Vec<_>>(), [4, 6, 8]);
    }
}
