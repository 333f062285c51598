//! Families: named sources of instances.

use std::fmt::Display;
use std::marker::PhantomData;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

use super::fixtures::Fixtures;
use super::subject::Subject;
use super::trial::MeasureError;
use crate::family_kind::FamilyKind;
use crate::instance::Instance;

type Named = Vec<(String, Subject)>;
type Loader = Box<dyn Fn(&Fixtures) -> Result<Named, MeasureError> + Send + Sync>;
/// Draws one instance, or says why the strategy gave up.
pub(crate) type Draw = Box<dyn Fn(&mut TestRunner) -> Result<Subject, String>>;

/// Instances picked by hand. A trait of its own for the sake of [questions](super::question).
pub(crate) trait Picked: Send + Sync {
    fn instances(&self) -> Named;
}

impl<I, N, F> Picked for F
where
    I: Instance,
    N: Into<String>,
    F: Fn() -> Vec<(N, I)> + Send + Sync,
{
    fn instances(&self) -> Named {
        named(self())
    }
}

/// How a family produces its instances.
pub(crate) enum FamilySource {
    Edge(Box<dyn Picked>),
    Outside(Box<dyn Picked>),
    Data(Loader),
    Random { strategy: Box<dyn Fn() -> Draw + Send + Sync>, share: f64 },
}

impl FamilySource {
    pub(crate) fn kind(&self) -> FamilyKind {
        match self {
            FamilySource::Edge(_) => FamilyKind::Edge,
            FamilySource::Outside(_) => FamilyKind::Outside,
            FamilySource::Data(_) => FamilyKind::Data,
            FamilySource::Random { .. } => FamilyKind::Random,
        }
    }
}

/// A named source of instances of one type.
pub struct Family<I> {
    pub(crate) name: &'static str,
    pub(crate) source: FamilySource,
    pub(crate) restriction: Option<&'static str>,
    of: PhantomData<fn() -> I>,
}

impl<I> Family<I> {
    fn of(name: &'static str, source: FamilySource) -> Self {
        Family { name, source, restriction: None, of: PhantomData }
    }

    /// Says what the family restricts beyond the hypotheses, where numbers cannot show it ("starts of equal length"): printed with every
    /// check that is tried on it. The ranges of all numbers are measured by the engine.
    #[must_use]
    pub fn restricted(mut self, text: &'static str) -> Self {
        self.restriction = Some(text);
        self
    }

    /// Draws only this share of the budget's trials from a random family whose instances are expensive (or more, above one).
    #[must_use]
    pub fn taking(mut self, share: f64) -> Self {
        if let FamilySource::Random { share: s, .. } = &mut self.source {
            *s = share;
        }
        self
    }
}

fn named<I: Instance, N: Into<String>>(list: Vec<(N, I)>) -> Named {
    // A plain loop: this is compiled for every type of instances.
    let mut named = Named::with_capacity(list.len());
    for (name, instance) in list {
        named.push((name.into(), Subject::of(instance)));
    }
    named
}

/// One family where several may stand.
impl<I> IntoIterator for Family<I> {
    type Item = Self;
    type IntoIter = std::iter::Once<Self>;

    fn into_iter(self) -> Self::IntoIter {
        std::iter::once(self)
    }
}

/// Hand-picked instances that deliberately miss a hypothesis, each with a name: the paper's own other case. They do not count when it is
/// asked whether the hypotheses are ever met, and the ledger of hypotheses starts from them.
pub fn outside<I: Instance, N: Into<String>>(
    name: &'static str,
    instances: impl Fn() -> Vec<(N, I)> + Send + Sync + 'static,
) -> Family<I> {
    Family::of(name, FamilySource::Outside(Box::new(instances)))
}

/// Hand-picked instances, each with a name that says what is special about it.
pub fn edge<I: Instance, N: Into<String>>(
    name: &'static str,
    instances: impl Fn() -> Vec<(N, I)> + Send + Sync + 'static,
) -> Family<I> {
    Family::of(name, FamilySource::Edge(Box::new(instances)))
}

/// Hand-picked instances, each named by its own description.
///
/// ```
/// use contrapositive::prelude::*;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Debug, Clone, Serialize, Deserialize, Instance)]
/// #[instance(describe = "{number} coins")]
/// struct Coins {
///     #[instance(range = "1..=100")]
///     number: u32,
/// }
///
/// let family: Family<Coins> = edge("few and many coins", || described([1, 2, 100].map(|number| Coins { number })));
/// assert_eq!(described([Coins { number: 2 }])[0].0, "2 coins");
/// # drop(family);
/// ```
pub fn described<I: Instance>(instances: impl IntoIterator<Item = I>) -> Vec<(String, I)> {
    let named = |instance: I| (instance.describe(), instance);
    instances.into_iter().map(named).collect()
}

/// Hand-picked instances, one for each value of a parameter and named after it: "m = 2", "m = 100".
///
/// ```
/// use contrapositive::claim::edge_over;
/// use contrapositive::prelude::*;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Debug, Clone, Serialize, Deserialize, Instance)]
/// struct Coins {
///     #[instance(range = "1..=100")]
///     number: u32,
/// }
///
/// let claim = Claim::new("mine.coins", "coins", Kind::Inequality).setting(
///     Setting::of()
///         .family(edge_over("few and many coins", "n", [1, 2, 100], |number| Coins { number }))
///         .part("few", "n ≤ 2", fails("there may be more"), |coins: &Coins, ()| at_most(exact(coins.number.into()), 2)),
/// );
/// assert_eq!(claim.tried().checks[0].verdict, Verdict::Fails);
/// ```
pub fn edge_over<I: Instance, T: Display + Copy + Send + Sync + 'static>(
    name: &'static str,
    parameter: &'static str,
    values: impl IntoIterator<Item = T>,
    make: impl Fn(T) -> I + Send + Sync + 'static,
) -> Family<I> {
    let values: Vec<T> = values.into_iter().collect();
    edge(name, move || {
        let named = |&value: &T| (format!("{parameter} = {value}"), make(value));
        values.iter().map(named).collect()
    })
}

/// Instances drawn from a proptest strategy. Only the strategy's distribution is used: the seeds are the run's own, and
/// shrinking works on the instance's JSON form.
pub fn random<I: Instance, S>(name: &'static str, strategy: impl Fn() -> S + Send + Sync + 'static) -> Family<I>
where
    S: Strategy<Value = I> + 'static,
{
    let draws = move || -> Draw {
        let strategy = strategy();
        Box::new(move |runner| {
            let tree = strategy.new_tree(runner).map_err(|reason| reason.to_string())?;
            Ok(Subject::of(tree.current()))
        })
    };
    let source = FamilySource::Random { strategy: Box::new(draws), share: 1.0 };
    Family::of(name, source)
}

/// Instances made from a data set in the fixtures.
pub fn data<I: Instance, N: Into<String>>(
    name: &'static str,
    instances: impl Fn(&Fixtures) -> Result<Vec<(N, I)>, MeasureError> + Send + Sync + 'static,
) -> Family<I> {
    Family::of(name, FamilySource::Data(Box::new(move |fixtures| instances(fixtures).map(named))))
}
