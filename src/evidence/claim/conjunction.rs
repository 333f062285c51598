//! Conjunctions: the statement that every part holds, judged by its worst part.

use std::ops::Range;

use enclosures::enclosure::Enclosure;

use crate::comparison::{Comparison, Evaluation, at_most, less_than};
use crate::judge::{Judgement, judge};

/// The statement that every part holds, judged by its worst part; each part is named so that the report can say which one
/// that was. Parts that are vacuous are left out unless all are.
pub fn all_of<N: Into<String>>(parts: impl IntoIterator<Item = (N, Evaluation)>) -> Evaluation {
    // The loop alone is compiled for every kind of list; what it does with a part is compiled once.
    let mut conjunction = Conjunction::default();
    for (name, part) in parts {
        if let Some(part) = conjunction.counts(part) {
            conjunction.named(name.into(), part);
        }
        if conjunction.failed.is_some() {
            break;
        }
    }
    conjunction.judged()
}

/// A part as it is judged.
pub(crate) struct JudgedPart {
    pub(crate) judgement: Judgement,
    pub(crate) comparison: Comparison,
}

impl JudgedPart {
    pub(crate) fn of(comparison: Comparison) -> Self {
        JudgedPart { judgement: judge(&comparison), comparison }
    }

    /// The worst part judges a conjunction; of parts that are judged alike, the one with the least room.
    pub(crate) fn is_worse_than(&self, other: Option<&Self>) -> bool {
        let order = |part: &Self| (part.judgement, part.comparison.relative_margin());
        other.is_none_or(|other| order(self) < order(other))
    }

    fn is_in_doubt(&self) -> bool {
        self.judgement == Judgement::Undecided
    }
}

/// What is known of a conjunction after some of its parts.
#[derive(Default)]
struct Conjunction {
    worst: Option<JudgedPart>,
    /// Other parts in doubt, while the worst part is in doubt: more digits for that one would not decide these.
    doubtful: Vec<Comparison>,
    /// The worst part that is decided, while the worst part is in doubt.
    decided: Option<JudgedPart>,
    left_out: Vec<String>,
    /// A part that could not be computed ends the conjunction.
    failed: Option<Evaluation>,
}

impl Conjunction {
    fn leave_out(&mut self, reason: String) {
        if !self.left_out.contains(&reason) {
            self.left_out.push(reason);
        }
    }

    /// The part, if it may have a say in how the conjunction is judged.
    fn counts(&mut self, part: Evaluation) -> Option<JudgedPart> {
        match part {
            Evaluation::Failed(_) => self.failed = Some(part),
            Evaluation::Vacuous(reason) => self.leave_out(reason),
            Evaluation::Compared(comparison) => {
                comparison.left_out.iter().for_each(|reason| self.leave_out(reason.clone()));
                let part = JudgedPart::of(comparison);
                let beside = self.worst.as_ref().is_some_and(JudgedPart::is_in_doubt)
                    && (part.is_in_doubt() || part.is_worse_than(self.decided.as_ref()));
                return (beside || part.is_worse_than(self.worst.as_ref())).then_some(part);
            }
        }
        None
    }

    fn named(&mut self, name: String, part: JudgedPart) {
        let (comparison, beside) = part.comparison.alone();
        self.take(JudgedPart { comparison: under(&name, comparison), ..part });
        for other in beside {
            self.take(JudgedPart::of(under(&name, other)));
        }
    }

    /// Finds the place of a part: the worst one, or beside it.
    fn take(&mut self, part: JudgedPart) {
        let other = if part.is_worse_than(self.worst.as_ref()) { self.worst.replace(part) } else { Some(part) };
        match other {
            Some(other) if other.is_in_doubt() => self.doubtful.push(other.comparison),
            Some(other) if other.is_worse_than(self.decided.as_ref()) => self.decided = Some(other),
            _ => {}
        }
    }

    fn judged(mut self) -> Evaluation {
        match (self.failed, self.worst) {
            (Some(failed), _) => failed,
            (None, Some(worst)) => {
                let in_doubt = worst.is_in_doubt();
                let comparison = worst.comparison.leaving_out(self.left_out);
                Evaluation::Compared(if in_doubt {
                    self.doubtful.extend(self.decided.map(|part| part.comparison));
                    comparison.with_parts_beside(self.doubtful)
                } else {
                    comparison
                })
            }
            (None, None) => Evaluation::Vacuous(self.left_out.pop().unwrap_or_else(|| "no part applies".into())),
        }
    }
}

/// A part of a conjunction under its name.
fn under(name: &str, part: Comparison) -> Comparison {
    let note = match &part.note {
        Some(note) => format!("{name}: {note}"),
        None => name.to_owned(),
    };
    part.with_note(note)
}

/// The statement for every entry of a list, counted from zero in code, from one in words: `for_each("group", groups, …)` has the parts
/// "group 1" and "group 2". The part is made of the entry's index and the entry.
///
/// ```
/// use contrapositive::claim::{Evaluation, at_most, for_each};
/// use contrapositive::enclosure::exact;
///
/// let Evaluation::Compared(worst) = for_each("group", [0.5, 3.0], |_, sigma| at_most(exact(sigma), 1)) else {
///     panic!("a comparison")
/// };
/// assert_eq!(worst.note.as_deref(), Some("group 2"));
/// ```
pub fn for_each<T>(
    kind: &str,
    entries: impl IntoIterator<Item = T>,
    mut part: impl FnMut(usize, T) -> Evaluation,
) -> Evaluation {
    let entries = entries.into_iter().enumerate();
    all_of(entries.map(|(index, entry)| (format!("{kind} {}", index + 1), part(index, entry))))
}

/// An index, or a pair of indices, counted from zero in code and from one in words.
pub trait Index {
    /// As it is written: "3", "(1, 2)".
    fn in_words(&self) -> String;
}

impl Index for usize {
    fn in_words(&self) -> String {
        (self + 1).to_string()
    }
}

impl Index for (usize, usize) {
    fn in_words(&self) -> String {
        format!("({}, {})", self.0 + 1, self.1 + 1)
    }
}

/// The statement for every index, or for every pair of indices: `for_each_index("column", 0..2, …)` has the parts "column 1" and "column 2",
/// `for_each_index("p =", 0..2, …)` the parts "p = 1" and "p = 2", `for_each_index("entry", pairs(0..1, 0..2), …)` the parts "entry (1, 1)" and
/// "entry (1, 2)".
///
/// ```
/// use contrapositive::claim::{Evaluation, at_most, for_each_index};
/// use contrapositive::enclosure::exact;
///
/// let matrix = [[0.5, 3.0], [0.25, 0.0]];
/// let above = [(0, 1)];
/// let Evaluation::Compared(worst) = for_each_index("entry", above, |(i, j)| at_most(exact(matrix[i][j]), 1)) else {
///     panic!("a comparison")
/// };
/// assert_eq!(worst.note.as_deref(), Some("entry (1, 2)"));
/// ```
pub fn for_each_index<I: Index>(
    label: &str,
    indices: impl IntoIterator<Item = I>,
    mut part: impl FnMut(I) -> Evaluation,
) -> Evaluation {
    all_of(indices.into_iter().map(|index| (format!("{label} {}", index.in_words()), part(index))))
}

/// Every pair of an index of the first range and one of the second, which runs faster: the places of a matrix, row by row.
///
/// ```
/// use contrapositive::claim::pairs;
/// assert!(pairs(0..2, 0..2).eq([(0, 0), (0, 1), (1, 0), (1, 1)]));
/// ```
pub fn pairs(first: Range<usize>, second: Range<usize>) -> impl Iterator<Item = (usize, usize)> + Clone {
    first.flat_map(move |i| second.clone().map(move |j| (i, j)))
}

/// Every pair `(i, j)` with `j < i < n`, by growing `i`: the places of a matrix below its diagonal, row by row.
///
/// ```
/// use contrapositive::claim::pairs_below;
/// assert!(pairs_below(3).eq([(1, 0), (2, 0), (2, 1)]));
/// ```
pub fn pairs_below(n: usize) -> impl Iterator<Item = (usize, usize)> + Clone {
    (0..n).flat_map(|i| (0..i).map(move |j| (i, j)))
}

/// The chain `a ≤ b ≤ c`: every term is at most the next. Of two inequalities the worse one is named "left" or "right", of more it is numbered.
///
/// ```
/// use contrapositive::claim::{Evaluation, ascending};
/// use contrapositive::enclosure::exact;
///
/// let Evaluation::Compared(worst) = ascending([0.into(), exact(0.75), 1.into()]) else {
///     panic!("a comparison")
/// };
/// assert_eq!((worst.lhs.midpoint(), worst.note.as_deref()), (0.75, Some("right inequality")));
/// ```
pub fn ascending<const TERMS: usize>(terms: [Enclosure; TERMS]) -> Evaluation {
    chain(&terms, at_most)
}

/// The chain `a < b < c`: every term is less than the next; two equal ones violate it.
pub fn strictly_ascending<const TERMS: usize>(terms: [Enclosure; TERMS]) -> Evaluation {
    chain(&terms, less_than)
}

fn chain(terms: &[Enclosure], link: impl Fn(Enclosure, Enclosure) -> Evaluation) -> Evaluation {
    let links = terms.len().saturating_sub(1);
    all_of(terms.windows(2).enumerate().map(|(at, pair)| {
        let name = match (at, links) {
            (0, 2) => "left inequality".into(),
            (1, 2) => "right inequality".into(),
            _ => format!("inequality {}", at + 1),
        };
        (name, link(pair[0], pair[1]))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::vacuous;
    use crate::judge::Judgement;
    use enclosures::enclosure::exact;

    fn worst(parts: &[(&str, Evaluation)]) -> Comparison {
        match all_of(parts.iter().map(|(name, part)| (*name, part.clone()))) {
            Evaluation::Compared(comparison) => comparison,
            other => panic!("not a comparison: {other:?}"),
        }
    }

    #[test]
    fn the_worst_part_stands_for_all() {
        let roomy = ("roomy", at_most(1, 10));
        let close = ("close", at_most(9, 10));
        let third = Enclosure::from(1) / 3.0;
        let touching = ("touching", at_most(third, third));
        let unclear = ("unclear", at_most(Enclosure::between(9.0, 11.0), 10));
        let broken = ("broken", at_most(11, 10));
        let all = [roomy, close, touching, unclear, broken];
        // Each is worse than those before it, wherever it stands.
        for count in 1..=all.len() {
            let expected = Some(all[count - 1].0);
            let forth: Vec<_> = all[..count].to_vec();
            let back: Vec<_> = forth.iter().rev().cloned().collect();
            assert_eq!(worst(&forth).note.as_deref(), expected);
            assert_eq!(worst(&back).note.as_deref(), expected);
        }
    }

    #[test]
    fn a_conjunction_in_doubt_keeps_what_else_is_in_doubt_and_the_worst_of_the_rest() {
        let unclear = |scale: f64| at_most(Enclosure::between(9.0, 11.0) * scale, exact(10.0 * scale));
        let inner = all_of([("first", unclear(2.0)), ("second", at_most(1, 10)), ("third", unclear(3.0))]);
        let parts = [("roomy", at_most(1, 10)), ("a", unclear(1.0)), ("b", inner), ("close", at_most(9, 10))];
        for turn in 0..parts.len() {
            let mut turned = parts.clone();
            turned.rotate_left(turn);
            let found = worst(&turned);
            let mut names: Vec<_> = found.beside.iter().map(|part| part.note.clone().unwrap_or_default()).collect();
            names.extend(found.note.clone());
            names.sort();
            assert_eq!(names, ["a", "b: first", "b: third", "close"], "turned by {turn}");
        }
        let broken = worst(&[("a", unclear(1.0)), ("b", unclear(2.0)), ("broken", at_most(11, 10))]);
        assert!(broken.beside.is_empty());
    }

    #[test]
    fn of_two_equal_parts_the_first_is_named_and_a_note_follows_its_name() {
        let same = [("first", at_most(1, 2).noting("at 3")), ("second", at_most(1, 2))];
        assert_eq!(worst(&same).note.as_deref(), Some("first: at 3"));
    }

    #[test]
    fn parts_that_say_nothing_are_left_out_each_reason_once() {
        let inner = all_of([("silent", vacuous("no class")), ("spoken", at_most(1, 2))]);
        let parts = [("a", vacuous("no point")), ("b", vacuous("no class")), ("c", inner), ("d", vacuous("no point"))];
        let found = worst(&parts);
        assert_eq!(found.left_out, ["no point", "no class"]);
        assert_eq!(found.note.as_deref(), Some("c: spoken"));
        assert_eq!(all_of([("a", vacuous("no point"))]), Evaluation::Vacuous("no point".into()));
        let none: [(&str, Evaluation); 0] = [];
        assert_eq!(all_of(none), Evaluation::Vacuous("no part applies".into()));
    }

    #[test]
    fn a_part_that_cannot_be_computed_ends_the_conjunction() {
        let mut asked = 0;
        let parts = (0..5).map(|part| {
            asked += 1;
            let evaluation = if part == 2 { Evaluation::Failed("no".into()) } else { at_most(exact(5.0), 1) };
            (part.to_string(), evaluation)
        });
        assert_eq!(all_of(parts), Evaluation::Failed("no".into()));
        assert_eq!(asked, 3, "nothing is asked of the parts behind it");
    }

    #[test]
    fn a_chain_is_as_good_as_its_worst_link_and_strict_where_it_says_so() {
        let judged = |evaluation| match evaluation {
            Evaluation::Compared(comparison) => (judge(&comparison), comparison.note.clone().unwrap_or_default()),
            other => panic!("not a comparison: {other:?}"),
        };
        let terms = [1, 2, 2, 5].map(Enclosure::from);
        assert_eq!(judged(ascending(terms)), (Judgement::Holds, "inequality 2".into()));
        assert_eq!(judged(strictly_ascending(terms)), (Judgement::Violated, "inequality 2".into()));
        let falls = [3, 4, 2].map(Enclosure::from);
        assert_eq!(judged(ascending(falls)), (Judgement::Violated, "right inequality".into()));
        assert!(matches!(ascending([Enclosure::ONE]), Evaluation::Vacuous(_)));
    }
}
