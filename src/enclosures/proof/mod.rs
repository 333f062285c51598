//! Proof by subdivision: an inequality shown on a whole box of a few real parameters at once, in interval arithmetic.
//!
//! A [`Proof`] states a domain and a margin that is said to be non-negative everywhere on it. Running it bounds the margin
//! from below on the whole box and halves the box wherever the bound does not suffice, until every part is
//! settled, a point with a negative margin is met, or the budget of boxes is spent. Nothing is sampled: what is concluded holds for
//! every real point of the domain, half-infinite domains included.

mod bound;
mod conclusion;
mod cover;
mod halving;

use crate::interval::{Dual, Interval};
use bound::Domain;

pub use conclusion::{Conclusion, CoverResult};
pub use halving::{cut, extent};

/// The margin as a function of the parameters, evaluated on boxes.
type Margin<const K: usize> = Box<dyn Fn([Dual<K>; K]) -> Dual<K> + Send + Sync>;

/// How many boxes a proof may look at unless it says otherwise.
const BOXES: usize = 20_000;

/// The claim that a margin is non-negative on a box of `K` parameters (at most four make sense), to be proved by subdivision.
///
/// ```
/// use contrapositive_enclosures::proof::{CoverResult, Proof};
/// // -log(1 - x) <= x/(1 - x) for 0 <= x < 1 is log(1 + t) <= t for t = x/(1 - x) >= 0.
/// let proof = Proof::covering("0 ≤ x < 1, t = x/(1 − x)", [(0.0, f64::INFINITY)], |[t]| t - t.ln_1p())
///     .control("half the right side", |[t]| 0.5 * t - t.ln_1p());
/// assert!(matches!(proof.run().outcome, CoverResult::Covered));
/// assert!(matches!(proof.run_controls()[0].1.outcome, CoverResult::Refuted { .. }));
/// ```
pub struct Proof<const K: usize> {
    domain: &'static str,
    covered: Domain<K>,
    margin: Margin<K>,
    strict: bool,
    boxes: usize,
    form: Option<&'static str>,
    controls: Vec<(&'static str, Margin<K>)>,
}

impl<const K: usize> Proof<K> {
    /// The statement that `margin` is non-negative for all parameters within `ranges`; an end may be infinite, and then stands
    /// for all real numbers on that side. `domain` says in words which cases of a statement those parameters stand for.
    ///
    /// The margin is evaluated on boxes as a [`Dual`], so that its slopes are known too: where it is monotone in a parameter
    /// only one face of the box matters. A margin that vanishes inside the domain needs a form without cancellation
    /// (a square, a product of factors); one that vanishes in a corner often needs nothing.
    #[must_use]
    pub fn covering(
        domain: &'static str,
        ranges: [(f64, f64); K],
        margin: impl Fn([Dual<K>; K]) -> Dual<K> + Send + Sync + 'static,
    ) -> Self {
        Proof {
            domain,
            covered: Domain { ranges: ranges.map(|(lo, hi)| Interval::new(lo, hi)), excluded: [(false, false); K] },
            margin: Box::new(margin),
            strict: false,
            boxes: BOXES,
            form: None,
            controls: Vec::new(),
        }
    }

    /// The margin must be positive, not only non-negative.
    #[must_use]
    pub fn strictly(mut self) -> Self {
        self.strict = true;
        self
    }

    /// Ends of the ranges that do not belong to the domain, the lower and the upper of each: a margin that must be positive may vanish there.
    #[must_use]
    pub fn excluding(mut self, ends: [(bool, bool); K]) -> Self {
        self.covered.excluded = ends;
        self
    }

    /// Another budget of boxes than the usual 20000.
    #[must_use]
    pub fn within(mut self, boxes: usize) -> Self {
        self.boxes = boxes;
        self
    }

    /// The margin is not the difference of the two sides of the statement but something of the same sign, for the reason given.
    #[must_use]
    pub fn in_other_form(mut self, reason: &'static str) -> Self {
        self.form = Some(reason);
        self
    }

    /// A false margin on the same domain, which the same procedure must refute.
    #[must_use]
    pub fn control(
        mut self,
        statement: &'static str,
        margin: impl Fn([Dual<K>; K]) -> Dual<K> + Send + Sync + 'static,
    ) -> Self {
        self.controls.push((statement, Box::new(margin)));
        self
    }

    /// The domain in words.
    #[must_use]
    pub fn domain(&self) -> &'static str {
        self.domain
    }

    /// Why the margin has the sign of the difference of the two sides, where it is not that difference.
    #[must_use]
    pub fn form(&self) -> Option<&'static str> {
        self.form
    }

    /// The ranges of the parameters.
    #[must_use]
    pub fn ranges(&self) -> &[Interval; K] {
        &self.covered.ranges
    }

    /// Encloses the margin for parameters that are known to lie within these intervals.
    #[must_use]
    pub fn margin_at(&self, parameters: [Interval; K]) -> Interval {
        (self.margin)(parameters.map(Dual::constant)).value
    }

    /// Runs the proof. The result is the same everywhere and always.
    #[must_use]
    pub fn run(&self) -> Conclusion {
        cover::cover(&self.covered, &*self.margin, self.strict, self.boxes)
    }

    /// Runs the same procedure on every false margin.
    #[must_use]
    pub fn run_controls(&self) -> Vec<(&'static str, Conclusion)> {
        let one = |(statement, margin): &(&'static str, Margin<K>)| {
            (*statement, cover::cover(&self.covered, &**margin, self.strict, self.boxes))
        };
        self.controls.iter().map(one).collect()
    }
}

#[cfg(test)]
mod tests;
