//! Families: named sources of instances.

use std::fmt;
use std::path::{Path, PathBuf};

use proptest::strategy::{BoxedStrategy, Strategy};
use serde::{Deserialize, Serialize};

use super::trial::MeasureError;

/// Where an instance came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FamilyKind {
    /// Stored after an earlier refutation; always tried first.
    Witness,
    /// Picked by hand, with a name.
    Edge,
    /// Taken from a data set.
    Data,
    /// Drawn from a strategy.
    Random,
    /// Found by the adversarial search.
    Search,
    /// A point at which a proof by subdivision is refuted.
    Proof,
}

impl fmt::Display for FamilyKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FamilyKind::Witness => "witness",
            FamilyKind::Edge => "edge",
            FamilyKind::Data => "data",
            FamilyKind::Random => "random",
            FamilyKind::Search => "search",
            FamilyKind::Proof => "proof",
        })
    }
}

/// The folder that holds data sets and witnesses.
#[derive(Clone, Debug)]
pub struct Fixtures {
    root: PathBuf,
}

impl Fixtures {
    /// The fixtures below `root`; nothing is read yet.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Fixtures { root: root.into() }
    }

    /// The folder itself.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A file or folder in it.
    #[must_use]
    pub fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }
}

type Named<I> = Vec<(String, I)>;
type Loader<I> = Box<dyn Fn(&Fixtures) -> Result<Named<I>, MeasureError> + Send + Sync>;

/// How a family produces its instances.
pub(crate) enum FamilySource<I> {
    Edge(Box<dyn Fn() -> Named<I> + Send + Sync>),
    Data(Loader<I>),
    Random {
        strategy: Box<dyn Fn() -> BoxedStrategy<I> + Send + Sync>,
        share: f64,
    },
}

/// A named source of instances of one type.
pub struct Family<I> {
    pub(crate) name: &'static str,
    pub(crate) source: FamilySource<I>,
}

impl<I> Family<I> {
    /// The family's name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The family's kind.
    #[must_use]
    pub fn kind(&self) -> FamilyKind {
        match self.source {
            FamilySource::Edge(_) => FamilyKind::Edge,
            FamilySource::Data(_) => FamilyKind::Data,
            FamilySource::Random { .. } => FamilyKind::Random,
        }
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

/// Hand-picked instances, each with a name that says what is special about it.
pub fn edge<I, N: Into<String>>(
    name: &'static str,
    instances: impl Fn() -> Vec<(N, I)> + Send + Sync + 'static,
) -> Family<I> {
    let named = move || instances().into_iter().map(|(n, i)| (n.into(), i)).collect();
    Family {
        name,
        source: FamilySource::Edge(Box::new(named)),
    }
}

/// Instances drawn from a proptest strategy. Only the strategy's distribution is used: the seeds are the run's own, and
/// shrinking works on the instance's JSON form.
pub fn random<I, S>(name: &'static str, strategy: impl Fn() -> S + Send + Sync + 'static) -> Family<I>
where
    S: Strategy<Value = I> + 'static,
{
    Family {
        name,
        source: FamilySource::Random {
            strategy: Box::new(move || strategy().boxed()),
            share: 1.0,
        },
    }
}

/// Instances made from a data set in the fixtures.
pub fn data<I, N: Into<String>>(
    name: &'static str,
    instances: impl Fn(&Fixtures) -> Result<Vec<(N, I)>, MeasureError> + Send + Sync + 'static,
) -> Family<I> {
    let named = move |fixtures: &Fixtures| {
        instances(fixtures).map(|list| list.into_iter().map(|(n, i)| (n.into(), i)).collect())
    };
    Family {
        name,
        source: FamilySource::Data(Box::new(named)),
    }
}
