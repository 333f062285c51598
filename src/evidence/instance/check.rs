//! What speaks against an instance: the value at fault and the limit it broke.

use super::declaration::{Field, Length};

/// What is wrong, and where in its field. Boxed: every number is checked at every step of a search, and nearly all are sound.
#[derive(Debug)]
pub struct Problem(Box<Details>);

#[derive(Debug)]
struct Details {
    /// Places in lists, from 1, outermost first.
    at: Vec<usize>,
    text: String,
    /// The text names the field already.
    whole: bool,
}

impl Problem {
    /// A problem with one number: the text follows its name.
    pub(super) fn new(text: String) -> Self {
        Problem(Box::new(Details { at: Vec::new(), text, whole: false }))
    }

    /// A problem with the whole instance.
    #[must_use]
    pub fn of_instance(text: String) -> Self {
        let mut problem = Problem::new(text);
        problem.0.whole = true;
        problem
    }

    /// The same, of an item of a list.
    pub(super) fn item(mut self, index: usize) -> Self {
        self.0.at.insert(0, index + 1);
        self
    }

    /// The same, of a field.
    #[must_use]
    pub fn of(self, field: &Field) -> Self {
        let Details { at, text, whole } = *self.0;
        let place = at.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
        let symbol = field.symbol;
        Problem::of_instance(match (at.len(), whole) {
            (0, true) => text,
            (0, false) => format!("{symbol} {text}"),
            (1, true) => format!("item {place} of {symbol}: {text}"),
            (_, true) => format!("item ({place}) of {symbol}: {text}"),
            (1, false) => format!("entry {place} of {symbol} {text}"),
            (_, false) => format!("entry ({place}) of {symbol} {text}"),
        })
    }

    /// In words.
    #[must_use]
    pub fn into_text(self) -> String {
        self.0.text
    }
}

/// So many lengths are remembered without allocation: an instance is checked at every step of a search.
const FEW: usize = 8;

/// The lengths that have been met, by key.
#[derive(Debug, Default)]
pub struct Lengths {
    first: [(u32, usize); FEW],
    known: usize,
    more: Vec<(u32, usize)>,
}

impl Lengths {
    fn get(&self, key: u32) -> Option<usize> {
        let mut all = self.first[..self.known].iter().chain(&self.more);
        all.find(|(known, _)| *known == key).map(|(_, length)| *length)
    }

    fn remember(&mut self, key: u32, length: usize) {
        match self.first.get_mut(self.known) {
            Some(free) => {
                *free = (key, length);
                self.known += 1;
            }
            None => self.more.push((key, length)),
        }
    }

    /// Refuses a list that is too short, too long, or of another length than those with which it shares it.
    pub(super) fn check(&mut self, length: &Length, found: usize) -> Result<(), Problem> {
        let many = |n: u64| if n == 1 { "item" } else { "items" };
        if let Some(expected) = self.get(length.key) {
            if found == expected {
                return Ok(());
            }
            let expected = match length.name {
                "" => format!("and not {expected}"),
                name => format!("where {name} = {expected}"),
            };
            return Err(Problem::new(format!("has {found} {} {expected}", many(found as u64))));
        }
        let n = found as u64;
        if n < length.least {
            return Err(Problem::new(format!("has {n} {}, fewer than {}", many(n), length.least)));
        }
        if n > length.greatest {
            return Err(Problem::new(format!("has {n} items, more than {}", length.greatest)));
        }
        self.remember(length.key, found);
        Ok(())
    }
}
