//! Hypotheses as values: a name and its test in one place, for checks that share them.

use std::marker::PhantomData;
use std::sync::Arc;

use super::any_setting::AnyHypothesis;
use super::question::Typed;
use crate::instance::Instance;

/// A named predicate on instances of type `I`, whose name says exactly what it demands. [`Setting::assume`](super::Setting::assume) takes it.
///
/// One that several checks share is a constant of the claim's file, so that its words and its test are read together; one of a single check
/// is made on the spot.
///
/// ```
/// # use contrapositive::claim::{Hypothesis, Setting, at_most, edge, holds};
/// # use contrapositive::enclosure::exact;
/// # use contrapositive::instance::Instance;
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Clone, Debug, Serialize, Deserialize)]
/// # struct Point { x: f64 }
/// # impl Instance for Point { fn describe(&self) -> String { format!("x = {}", self.x) } }
/// const POSITIVE: Hypothesis<Point> = Hypothesis::new("x > 0", |p| p.x > 0.0);
/// let setting = Setting::of()
///     .given("x real")
///     .part("square", "x² ≤ x", holds(), |p: &Point, ()| at_most(exact(p.x).square(), exact(p.x)))
///     .assume(POSITIVE)
///     .assume(Hypothesis::new("x ≤ 1", |p| p.x <= 1.0))
///     .part("cube", "0 < x³", holds(), |p, ()| at_most(exact(0.0), exact(p.x).powi(3)))
///     .assume(POSITIVE);
/// ```
pub struct Hypothesis<I> {
    name: &'static str,
    selects: bool,
    is_said: bool,
    met: Met<I>,
}

enum Met<I> {
    Function(fn(&I) -> bool),
    Closure(Arc<dyn Fn(&I) -> bool + Send + Sync>),
}

impl<I> Hypothesis<I> {
    /// A hypothesis by its name and its test.
    #[must_use]
    pub const fn new(name: &'static str, met: fn(&I) -> bool) -> Self {
        Hypothesis { name, selects: false, is_said: false, met: Met::Function(met) }
    }

    /// A hypothesis whose test needs more than the instance.
    #[must_use]
    pub fn capturing(name: &'static str, met: impl Fn(&I) -> bool + Send + Sync + 'static) -> Self {
        Hypothesis { name, selects: false, is_said: false, met: Met::Closure(Arc::new(met)) }
    }

    /// The instances that are a check's own, as its statement says; see [`Hypothesis::said`].
    #[must_use]
    pub fn own(is_its_own: fn(&I) -> bool) -> Self {
        Self::new("an instance of this line", is_its_own).said()
    }

    /// The same where the statement of the check itself names the condition, so that nothing is assumed beyond it: other instances are
    /// counted as discarded, and no hypothesis is printed.
    #[must_use]
    pub fn said(self) -> Self {
        Hypothesis { selects: true, is_said: true, ..self }
    }

    /// The same where it tells which of several statements an instance belongs to. It is printed like any other, but never left out by the
    /// ledger: without it the instance speaks of another statement.
    #[must_use]
    pub fn selecting(self) -> Self {
        Hypothesis { selects: true, ..self }
    }

    /// What it demands.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Whether an instance meets it.
    #[must_use]
    pub fn is_met(&self, instance: &I) -> bool {
        match &self.met {
            Met::Function(met) => met(instance),
            Met::Closure(met) => met(instance),
        }
    }
}

impl<I: Instance> Hypothesis<I> {
    pub(super) fn forgetting_its_type(self) -> AnyHypothesis {
        let Hypothesis { name, selects, is_said, .. } = self;
        let met = Typed(move |instance: &I| self.is_met(instance), PhantomData::<fn(&I)>);
        AnyHypothesis { name, selects, is_said, met: Arc::new(met) }
    }
}
