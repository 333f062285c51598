//! Taking stock of a declared instance: its coordinates, groups and sizes.

use super::declaration::Length;
use super::layout::{Coordinate, CoordinateKind, Group, ItemBlock, Items, Layout, Range, Scale, Shape, Size};

/// What a part turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// A double.
    Number,
    /// A whole number or a choice.
    Whole,
    /// A list of so many doubles.
    Vector(usize),
    /// Anything else.
    Other,
}

/// The layout of an instance, and where it lies, as far as its fields have been visited.
#[derive(Debug, Default)]
pub struct Survey {
    layout: Layout,
    start: Vec<f64>,
    /// The sizes of the type whose fields are being visited, by key.
    scope: Vec<(u32, usize)>,
}

impl Survey {
    /// What was found.
    #[must_use]
    pub fn finish(self) -> (Layout, Vec<f64>) {
        (self.layout, self.start)
    }

    /// Visits the fields of a type of its own: its sizes are not those of the type around it, even if they have the same name.
    pub fn scoped<T>(&mut self, visit: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::take(&mut self.scope);
        let seen = visit(self);
        self.scope = outer;
        seen
    }

    /// How many coordinates have been found.
    pub(super) fn seen(&self) -> usize {
        self.start.len()
    }

    /// How many groups have been found.
    pub(super) fn grouped(&self) -> usize {
        self.layout.groups.len()
    }

    /// The next coordinate.
    pub(super) fn number(&mut self, at: f64, coordinate: Coordinate) {
        self.start.push(at);
        self.layout.coordinates.push(coordinate);
    }

    /// The next coordinate is one of so many choices.
    pub fn choice(&mut self, at: usize, count: usize) {
        let range = Range::closed(0.0, count.saturating_sub(1) as f64);
        let coordinate = Coordinate { kind: CoordinateKind::Choice, range, typical: range, scale: Scale::Linear };
        self.number(at as f64, coordinate);
    }

    /// The next size is the variant of an enum with fields.
    pub fn variant(&mut self, at: usize, count: usize) {
        self.layout.sizes.push(Size {
            name: String::new(),
            value: at as u64,
            least: 0,
            greatest: count.saturating_sub(1) as u64,
            items: Items::Variant,
            blocks: Vec::new(),
        });
    }

    /// The coordinates since `start` form a group, to be named before the groups since `place`.
    pub(super) fn group(&mut self, place: usize, start: usize, shape: Shape) {
        let length = self.seen() - start;
        self.layout.groups.insert(place, Group { start, length, shape });
    }

    /// A list of this length begins: the number of its size, which it may share with lists before it.
    pub(super) fn list(&mut self, length: &Length, value: usize) -> usize {
        let known = self.scope.iter().find(|(key, _)| *key == length.key);
        let size = known.map_or(self.layout.sizes.len(), |(_, size)| *size);
        if known.is_none() {
            self.scope.push((length.key, size));
            self.layout.sizes.push(Size {
                name: length.name.to_owned(),
                value: value as u64,
                least: length.least,
                greatest: length.greatest,
                items: Items::Ordered,
                blocks: Vec::new(),
            });
        }
        if length.interchangeable {
            self.layout.sizes[size].items = Items::Interchangeable;
        }
        size
    }

    /// The items of a list of that size, each of so many coordinates, began at `start`.
    pub(super) fn block(&mut self, size: usize, start: usize, width: usize) {
        self.layout.sizes[size].blocks.push(ItemBlock { start, width });
    }

    /// All sizes of a hand-written instance within this one, with its coordinates.
    pub(super) fn nested(&mut self, layout: &Layout, start: &[f64]) {
        let offset = self.seen();
        self.layout.coordinates.extend_from_slice(&layout.coordinates);
        self.start.extend_from_slice(start);
        let group = |g: &Group| Group { start: g.start + offset, ..*g };
        self.layout.groups.extend(layout.groups.iter().map(group));
        let size = |s: &Size| {
            let mut size = s.clone();
            size.blocks.iter_mut().for_each(|block| block.start += offset);
            size
        };
        self.layout.sizes.extend(layout.sizes.iter().map(size));
    }
}
