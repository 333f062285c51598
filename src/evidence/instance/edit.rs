//! Changing one size of a declared instance, in all lists that share it.

use super::declaration::Length;

/// What becomes of the lists of the size.
#[derive(Clone, Copy, Debug)]
pub(super) enum Change {
    /// So many items, or another variant.
    To(u64),
    /// Without one item.
    Without(usize),
}

/// One change, to be made where the size is met. The sizes are numbered in the order in which a survey meets them.
#[derive(Debug)]
pub struct Edit {
    target: usize,
    pub(super) change: Change,
    met: usize,
    scope: Vec<(u32, usize)>,
    /// Whether the change was made, and nothing spoke against it.
    pub(super) made: bool,
    pub(super) refused: bool,
}

impl Edit {
    pub(super) fn new(target: usize, change: Change) -> Self {
        Edit { target, change, met: 0, scope: Vec::new(), made: false, refused: false }
    }

    /// Visits the fields of a type of its own.
    pub fn scoped<T>(&mut self, visit: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::take(&mut self.scope);
        let seen = visit(self);
        self.scope = outer;
        seen
    }

    /// A list of this length begins: the change, if it is to change.
    pub(super) fn list(&mut self, length: &Length) -> Option<Change> {
        let known = self.scope.iter().find(|(key, _)| *key == length.key);
        let size = known.map_or(self.met, |(_, size)| *size);
        if known.is_none() {
            self.scope.push((length.key, size));
            self.met += 1;
        }
        (size == self.target).then_some(self.change)
    }

    /// An enum with fields begins: the variant to change to, if it is to change.
    pub fn variant(&mut self, count: usize) -> Option<usize> {
        let here = self.met == self.target;
        self.met += 1;
        match self.change {
            Change::To(variant) if here && variant < count as u64 => Some(variant as usize),
            _ if here => {
                self.refused = true;
                None
            }
            _ => None,
        }
    }

    /// The variant was changed, if there was a value of the new one.
    pub fn changed(&mut self, done: bool) {
        self.made |= done;
        self.refused |= !done;
    }

    /// A hand-written instance with so many sizes begins: the number of its size that is to change.
    pub(super) fn nested(&mut self, sizes: usize) -> Option<usize> {
        let first = self.met;
        self.met += sizes;
        (first..self.met).contains(&self.target).then(|| self.target - first)
    }
}
