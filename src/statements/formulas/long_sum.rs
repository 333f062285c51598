//! Long sums and products of terms that depend on their index alone, as `sum(i in 1..n, 1/i^2)`: enclosed along `n` once, with a mark every so often
//! from which any other `n` is reached in a few steps.

use std::cell::RefCell;

use enclosures::interval::Interval;

use super::term::Term;
use crate::numbers::number::Enclosed;
use crate::text::words::Fold;

/// Sums of fewer terms are added up as they are.
pub(crate) const LONG: u64 = 2_048;

/// Terms between two marks.
const STRIDE: u64 = 512;

/// How many sums are remembered.
const REMEMBERED: usize = 8;

/// The longest sum that is enclosed.
pub(crate) const LONGEST: u64 = 1 << 22;

/// A sum as far as it was computed.
struct Known {
    fold: Fold,
    body: Term,
    from: i64,
    /// The values of the first `k · STRIDE + 1` terms; none from where a term is not defined.
    marks: Vec<Option<Enclosed>>,
    /// How many terms beyond the first were added up last, and to what: what asks for one `n` after the other adds one term each.
    last: (u64, Option<Enclosed>),
}

thread_local! {
    static KNOWN: RefCell<Vec<Known>> = const { RefCell::new(Vec::new()) };
}

/// What a long sum counts as, in steps: about what it costs where its marks are known, whatever this thread did before.
pub(crate) fn steps(terms: u64) -> usize {
    (STRIDE / 4 + terms / STRIDE) as usize
}

/// A sum or a product from `from` to `to` of a body that depends on its index alone; none where a term is not defined for certain, or where
/// the sum is too long. `term` is the value of the body at an index.
pub(crate) fn enclosed(
    fold: Fold,
    body: &Term,
    (from, to): (i64, i64),
    term: &dyn Fn(i64) -> Option<Enclosed>,
) -> Option<Interval> {
    let last = to.abs_diff(from);
    if to < from || last > LONGEST {
        return None;
    }
    KNOWN.with(|known| {
        let mut known = known.borrow_mut();
        let at = known.iter().position(|k| k.fold == fold && k.from == from && k.body == *body).unwrap_or_else(|| {
            if known.len() >= REMEMBERED {
                known.remove(0);
            }
            let first = term(from);
            known.push(Known { fold, body: body.clone(), from, marks: vec![first], last: (0, first) });
            known.len() - 1
        });
        let sum = &mut known[at];
        let mark = last / STRIDE;
        while (sum.marks.len() as u64) <= mark {
            let begun = (sum.marks.len() as u64 - 1) * STRIDE;
            let next = sum.onwards((begun, sum.marks[(begun / STRIDE) as usize]), STRIDE, term);
            sum.marks.push(next);
        }
        let marked = (mark * STRIDE, sum.marks[mark as usize]);
        let begun = if (marked.0..=last).contains(&sum.last.0) { sum.last } else { marked };
        sum.last = (last, sum.onwards(begun, last - begun.0, term));
        let total = sum.last.1?;
        total.defined.then_some(total.value)
    })
}

impl Known {
    /// The value with `more` terms beyond those that were begun with.
    fn onwards(
        &self,
        (begun, total): (u64, Option<Enclosed>),
        more: u64,
        term: &dyn Fn(i64) -> Option<Enclosed>,
    ) -> Option<Enclosed> {
        let mut total = total?;
        for offset in 1..=more {
            let next = term(self.from.checked_add_unsigned(begun + offset)?)?;
            total = if self.fold == Fold::Sum { total + next } else { total * next };
        }
        Some(total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formulas::term::{Kind, Node};
    use crate::numbers::number::Number;

    #[test]
    fn a_long_sum_is_what_its_terms_add_up_to_in_any_order_of_asking() {
        let body = Term { kind: Kind::Scalar, node: Node::Index(0), span: 0..0 };
        let term = |i: i64| {
            let i = if i == 0 { None } else { Some(Enclosed::whole(i)) }?;
            Enclosed::whole(1).over(i.square()).ok()
        };
        for to in [9_000, 700, 3, 515, 514, 20_000, 12_345] {
            let plain = (3..=to).fold(Interval::ZERO, |sum, i| sum + Interval::ONE / Interval::point(i as f64).powi(2));
            let found = enclosed(Fold::Sum, &body, (3, to), &term).unwrap();
            assert!(found.intersection(plain).is_some() && found.width() < 1e-11, "{to}: {found:?} {plain:?}");
        }
        assert_eq!(enclosed(Fold::Sum, &body, (3, 2), &term), None);
        assert_eq!(enclosed(Fold::Sum, &body, (0, 5_000), &term), None);
        let product = enclosed(Fold::Product, &body, (1, 4_000), &term).unwrap();
        assert!(product.lo() >= 0.0 && product.hi() < 1e-300, "{product:?}");
    }
}
