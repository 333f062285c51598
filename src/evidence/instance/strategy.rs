//! Declared instances for other testers: drawn from their ranges, and shrunk as a property tester shrinks.

use std::marker::PhantomData;

use proptest::strategy::{NewTree, Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use rand::RngExt;

use super::Instance;
use super::derived;
use super::part::Part;

/// A type with `#[derive(Instance)]`: it knows what it consists of, so that it can be drawn and shrunk.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not declare what it consists of",
    note = "write `#[derive(Instance)]` in place of `impl Instance for {Self}`"
)]
pub trait Declared: Instance + Part {}

impl<I: Instance + Part> Declared for I {}

/// A random instance from the declared ranges, from a source of uniform 64-bit numbers: ends of ranges, zeros, whole numbers and equal
/// entries are likely, because that is where statements break. None if a field is of a type that cannot be drawn, or if a
/// hundred draws in a row miss the type's further condition.
///
/// With it a declared type is drawn by any tester; for `quickcheck`:
///
/// ```
/// use contrapositive::instance::{Instance, drawn, shrunk};
/// use quickcheck::{Arbitrary, Gen, QuickCheck};
/// use serde::{Deserialize, Serialize};
///
/// /// Two sides of a right angle.
/// #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Instance)]
/// struct Sides {
///     #[instance(range = "0..=1e6")]
///     a: f64,
///     #[instance(range = "0..=1e6")]
///     b: f64,
/// }
///
/// impl Arbitrary for Sides {
///     fn arbitrary(g: &mut Gen) -> Self {
///         drawn(&mut || u64::arbitrary(g)).expect("numbers can be drawn")
///     }
///
///     fn shrink(&self) -> Box<dyn Iterator<Item = Self>> {
///         Box::new(shrunk(self).into_iter())
///     }
/// }
///
/// fn longest_side_is_at_most_the_sum(s: Sides) -> bool {
///     (s.a * s.a + s.b * s.b).sqrt() <= (s.a + s.b) * (1.0 + 1e-15)
/// }
/// QuickCheck::new().quickcheck(longest_side_is_at_most_the_sum as fn(Sides) -> bool);
/// ```
#[must_use]
pub fn drawn<I: Declared>(source: &mut dyn FnMut() -> u64) -> Option<I> {
    derived::draw(source)
}

/// Instances that are simpler than this one, the boldest first: those of [`Instance::simpler`], then those with a plainer number.
/// Repeated as long as one of them still shows what is to be shown, this ends.
#[must_use]
pub fn shrunk<I: Declared>(instance: &I) -> Vec<I> {
    let mut all = instance.simpler();
    all.extend(derived::plainer(instance));
    all
}

/// Declared instances as a proptest strategy, with shrinking.
///
/// ```
/// use contrapositive::instance::{Instance, any};
/// use proptest::test_runner::{TestError, TestRunner};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, Instance)]
/// struct Point {
///     #[instance(length = "1..=5", range = "-10..=10")]
///     x: Vec<f64>,
/// }
///
/// let mut runner = TestRunner::deterministic();
/// let failure = runner.run(&any::<Point>(), |p| {
///     proptest::prop_assert!(p.x.iter().all(|&x| x <= 7.5));
///     Ok(())
/// });
/// // The simplest point with an entry beyond 7.5: nothing but that entry, of one digit.
/// let Err(TestError::Fail(_, simplest)) = failure else { panic!("{failure:?}") };
/// assert_eq!(simplest, Point { x: vec![8.0] });
/// ```
#[must_use]
pub fn any<I: Declared>() -> AnyOf<I> {
    AnyOf { of: PhantomData }
}

/// See [`any`].
pub struct AnyOf<I> {
    of: PhantomData<fn() -> I>,
}

impl<I> std::fmt::Debug for AnyOf<I> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "any {}", std::any::type_name::<I>())
    }
}

impl<I: Declared> Strategy for AnyOf<I> {
    type Tree = Shrinking<I>;
    type Value = I;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let rng = runner.rng();
        let instance = drawn(&mut || rng.random::<u64>());
        instance
            .map(|current| Shrinking { current, before: None, next: Vec::new().into_iter() })
            .ok_or_else(|| "no valid instance was drawn from the declared ranges".into())
    }
}

/// An instance, and those simpler than the last one that was accepted.
#[derive(Debug)]
pub struct Shrinking<I> {
    current: I,
    /// What to go back to.
    before: Option<I>,
    next: std::vec::IntoIter<I>,
}

impl<I: Declared> ValueTree for Shrinking<I> {
    type Value = I;

    fn current(&self) -> I {
        self.current.clone()
    }

    fn simplify(&mut self) -> bool {
        self.next = shrunk(&self.current).into_iter();
        self.before = None;
        self.complicate()
    }

    fn complicate(&mut self) -> bool {
        let Some(simpler) = self.next.next() else {
            if let Some(before) = self.before.take() {
                self.current = before;
            }
            return false;
        };
        let tried = std::mem::replace(&mut self.current, simpler);
        self.before.get_or_insert(tried);
        true
    }
}
