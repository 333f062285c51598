//! Hypotheses as values: a name and its test in one place, for checks that share them.

use std::marker::PhantomData;
use std::sync::Arc;

use super::any_setting::AnyHypothesis;
use super::question::Typed;
use crate::instance::Instance;

/// A named predicate on instances of type `I`, whose name says exactly what it demands.
///
/// A constant of a claim's file, so that the words and the test that they stand for are read together, and a check names all it assumes
/// in one line:
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
/// const SMALL: Hypothesis<Point> = Hypothesis::new("x ≤ 1", |p| p.x <= 1.0);
/// let setting = Setting::of()
///     .given("x real")
///     .part("square", "x² ≤ x", holds(), |p: &Point, ()| at_most(exact(p.x).square(), exact(p.x)))
///     .under([POSITIVE, SMALL])
///     .part("cube", "0 < x³", holds(), |p, ()| at_most(exact(0.0), exact(p.x).powi(3)))
///     .under([POSITIVE]);
/// ```
pub struct Hypothesis<I> {
    name: &'static str,
    met: fn(&I) -> bool,
}

impl<I> Hypothesis<I> {
    /// A hypothesis by its name and its test.
    #[must_use]
    pub const fn new(name: &'static str, met: fn(&I) -> bool) -> Self {
        Hypothesis { name, met }
    }

    /// What it demands.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Whether an instance meets it.
    #[must_use]
    pub fn is_met(&self, instance: &I) -> bool {
        (self.met)(instance)
    }
}

impl<I> Clone for Hypothesis<I> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<I> Copy for Hypothesis<I> {}

impl<I: Instance> Hypothesis<I> {
    pub(super) fn forgetting_its_type(self) -> AnyHypothesis {
        AnyHypothesis::named(self.name, self.met)
    }
}

impl AnyHypothesis {
    /// A further property that an instance has or has not.
    pub(super) fn named<I: Instance>(name: &'static str, met: impl Fn(&I) -> bool + Send + Sync + 'static) -> Self {
        AnyHypothesis { name, selects: false, is_said: false, met: Arc::new(Typed(met, PhantomData::<fn(&I)>)) }
    }
}
