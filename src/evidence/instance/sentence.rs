//! The description that a declared instance gives where its declaration gives none: sizes first, then the numbers where they are few.

use std::fmt;

use super::Instance;
use super::declaration::Field;
use super::part::Part;

/// Longer lists of numbers are not written out.
const MANY: usize = 24;

/// A description that is being put together.
#[derive(Debug)]
pub struct Sentence {
    name: &'static str,
    /// The name is that of a variant, and said.
    variant: bool,
    phrases: Vec<String>,
}

impl Sentence {
    /// Of a struct, or of a variant with its fields.
    #[must_use]
    pub fn new(name: &'static str, variant: bool) -> Self {
        Sentence { name, variant, phrases: Vec::new() }
    }

    /// A named length.
    pub fn size(&mut self, name: &str, value: usize) {
        self.phrases.push(format!("{name} = {value}"));
    }

    /// A field.
    pub fn part<P: Part>(&mut self, field: &Field, part: &P, renamed: bool) {
        let symbol = field.symbol;
        let numbers = part.count();
        self.phrases.push(if numbers > MANY {
            format!("{symbol} of {numbers} numbers")
        } else if P::SPEAKS && !renamed && numbers > 0 && !symbol.is_empty() && part.length(0).is_none() {
            part.tell()
        } else if field.unit.is_empty() {
            format!("{symbol} = {}", part.tell())
        } else {
            format!("{symbol} = {} {}", part.tell(), field.unit)
        });
    }

    /// A field that is a hand-written instance.
    pub fn spoken<I: Instance>(&mut self, field: &Field, instance: &I, renamed: bool) {
        self.phrases.push(if renamed {
            format!("{} = {}", field.symbol, instance.describe())
        } else {
            instance.describe()
        });
    }

    /// The whole description.
    #[must_use]
    pub fn finish(self) -> String {
        let phrases = self.phrases.join(", ");
        match (self.variant, phrases.is_empty()) {
            (_, true) => self.name.to_owned(),
            (true, _) => format!("{} ({phrases})", self.name),
            (false, _) => phrases,
        }
    }
}

/// A part in a format string: shown as it describes itself.
pub struct Told<'a, P>(pub &'a P);

impl<P: Part> fmt::Display for Told<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.tell())
    }
}

impl<P: Part> fmt::Debug for Told<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.0, f)
    }
}

/// A hand-written instance in a format string: shown as it describes itself.
pub struct Spoken<'a, I>(pub &'a I);

impl<I: Instance> fmt::Display for Spoken<'_, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.describe())
    }
}

impl<I: Instance> fmt::Debug for Spoken<'_, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.0, f)
    }
}
