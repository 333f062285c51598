//! The estimators of the study, one line each.

use super::batch_statistic::BatchStatistic;
use super::coverage::Coverage;
use super::{Loss, Subject, Work};
use crate::monte_carlo::{
    BatchUnsupervised, ConditionalUnsupervised, ControlVariateSupervised, Estimator, MonteCarloError,
    MultilevelSupervised, PairTable, PlugInSupervised, RowsUnsupervised, Sampler, Supervised, TabulatedUnsupervised,
    Unsupervised,
};

/// Embeddings of each class in a batch.
const PER_CLASS: usize = 8;
/// The most classes of which a batch is made: a single one of a thousand would take longer than all else.
const MOST_CLASSES: u64 = 100;
/// Draws of a class from which means are estimated, for the two plug-in estimators.
const DRAWS: [usize; 2] = [4, 64];

/// How an estimator enters the study.
#[derive(Debug)]
pub struct Method {
    /// A short name.
    pub name: &'static str,
    /// What one observation is.
    pub about: &'static str,
    /// The estimator for a model and a loss; none where it does not apply.
    pub(super) prepare: for<'a> fn(&Setting<'a>, Loss) -> Preparation<'a>,
}

/// Every estimator of the study. To add one, write a line here and the function it names.
pub const METHODS: &[Method] = &[
    Method { name: "plain", about: "one anchor, one positive, `N` negatives, all drawn afresh", prepare: plain },
    Method { name: "rows", about: "the same law, computed in blocks; finite models only", prepare: rows },
    Method {
        name: "table",
        about: "the same law, from a table of all exponentials; finite models only",
        prepare: table,
    },
    Method {
        name: "batch",
        about: "all ordered pairs of 8 embeddings of each class against `N` shared negatives",
        prepare: batch,
    },
    Method {
        name: "U-statistic",
        about: "all pairs and all third points of a batch of 8 embeddings of each class; `N = 1` only",
        prepare: u_statistic,
    },
    Method {
        name: "conditional",
        about: "all anchors and all positives, `N` fresh negatives for each anchor; finite models only",
        prepare: conditional,
    },
    Method { name: "anchors", about: "one anchor of every class of a task, at known means", prepare: anchors },
    Method {
        name: "control variate",
        about: "one anchor of one class, minus its first-order expansion at the known mean; the task of all classes",
        prepare: control_variate,
    },
    Method {
        name: "means of 4",
        about: "the same, at means estimated from 4 fresh draws of every class: biased",
        prepare: means_of_four,
    },
    Method {
        name: "means of 64",
        about: "the same, at means estimated from 64 fresh draws of every class: less biased",
        prepare: means_of_many,
    },
    Method {
        name: "levels",
        about: "the same, at means from 8 draws, plus a correction at a random level (multilevel Monte Carlo)",
        prepare: levels,
    },
    Method { name: "classes", about: "whether `N` negatives cover all classes", prepare: classes },
];

/// An estimator of the study, stored by its name.
pub(super) mod by_name {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    use super::{METHODS, Method};

    pub fn serialize<S: Serializer>(method: &&'static Method, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(method.name)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<&'static Method, D::Error> {
        let name = String::deserialize(deserializer)?;
        let found = METHODS.iter().find(|method| method.name == name);
        found.ok_or_else(|| D::Error::custom(format!("no estimator is called {name:?}")))
    }
}

/// A model with what several estimators share.
pub(super) struct Setting<'a> {
    pub(super) subject: &'a Subject,
    /// The exponentials of all pairs, or why there are none; none for models that are not finite.
    pub(super) table: Option<Result<&'a PairTable<'a>, MonteCarloError>>,
}

/// An estimator and the work it takes.
pub(super) struct Prepared<'a> {
    pub(super) estimator: Box<dyn Estimator + 'a>,
    pub(super) set_up: Work,
    pub(super) observation: Work,
}

pub(super) type Preparation<'a> = Result<Option<Prepared<'a>>, MonteCarloError>;

fn prepared<'a>(estimator: impl Estimator + 'a, set_up: Work, observation: Work) -> Preparation<'a> {
    Ok(Some(Prepared { estimator: Box::new(estimator), set_up, observation }))
}

fn plain<'a>(setting: &Setting<'a>, loss: Loss) -> Preparation<'a> {
    let Loss::Unsupervised(negatives) = loss else {
        return Ok(None);
    };
    let n = negatives as u64;
    let work = Work { products: n + 1, draws: n + 2, functions: n + 3 };
    prepared(Unsupervised::new(setting.subject.sampler(), negatives)?, Work::default(), work)
}

fn rows<'a>(setting: &Setting<'a>, loss: Loss) -> Preparation<'a> {
    let Loss::Unsupervised(negatives) = loss else {
        return Ok(None);
    };
    let Some((_, sampler)) = setting.subject.finite() else {
        return Ok(None);
    };
    let n = negatives as u64;
    let work = Work { products: n + 1, draws: n + 2, functions: n + 2 };
    prepared(RowsUnsupervised::new(sampler, negatives)?, Work::default(), work)
}

/// All inner products and their exponentials.
fn table_work(subject: &Subject) -> Work {
    let n = subject.finite().map_or(0, |(model, _)| model.n_atoms() as u64);
    Work { products: n * n, draws: 0, functions: n * n }
}

fn table<'a>(setting: &Setting<'a>, loss: Loss) -> Preparation<'a> {
    let Loss::Unsupervised(negatives) = loss else {
        return Ok(None);
    };
    let Some(table) = setting.table.clone().transpose()? else {
        return Ok(None);
    };
    let work = Work { products: 0, draws: negatives as u64 + 2, functions: 1 };
    let set_up = table_work(setting.subject);
    prepared(TabulatedUnsupervised::new(table, negatives)?, set_up, work)
}

fn batch<'a>(setting: &Setting<'a>, loss: Loss) -> Preparation<'a> {
    let Loss::Unsupervised(negatives) = loss else {
        return Ok(None);
    };
    let sampler = setting.subject.sampler();
    let (n, m, classes) = (negatives as u64, PER_CLASS as u64, sampler.class_weights().len() as u64);
    if classes > MOST_CLASSES {
        return Ok(None);
    }
    let work = Work {
        products: classes * m * (m + n),
        draws: classes * m + n,
        functions: classes * m * (n + 1 + 2 * (m - 1)),
    };
    prepared(BatchUnsupervised::new(sampler, negatives, PER_CLASS, 1)?, Work::default(), work)
}

fn u_statistic<'a>(setting: &Setting<'a>, loss: Loss) -> Preparation<'a> {
    let Loss::Unsupervised(negatives) = loss else {
        return Ok(None);
    };
    if negatives != 1 {
        return Ok(None);
    }
    let sampler = setting.subject.sampler();
    let (m, classes) = (PER_CLASS as u64, sampler.class_weights().len() as u64);
    if classes > MOST_CLASSES {
        return Ok(None);
    }
    let work = Work {
        products: classes * classes * m * (2 * m - 1),
        draws: classes * m,
        functions: 2 * classes * m * (m - 1) * (classes * m - 2),
    };
    prepared(BatchStatistic::new(sampler, PER_CLASS)?, Work::default(), work)
}

fn conditional<'a>(setting: &Setting<'a>, loss: Loss) -> Preparation<'a> {
    let Loss::Unsupervised(negatives) = loss else {
        return Ok(None);
    };
    let (Some((model, _)), Some(table)) = (setting.subject.finite(), setting.table.clone().transpose()?) else {
        return Ok(None);
    };
    let work = Work {
        products: 0,
        draws: model.n_atoms() as u64 * negatives as u64,
        functions: model.classes().iter().map(|atoms| (atoms.len() * atoms.len()) as u64).sum(),
    };
    let set_up = table_work(setting.subject);
    prepared(ConditionalUnsupervised::new(table, model, negatives)?, set_up, work)
}

/// The number `T` of classes of a task; none for what is no supervised loss.
fn task_size(sampler: &dyn Sampler, loss: Loss) -> Option<u64> {
    match loss {
        Loss::AllClasses => Some(sampler.class_weights().len() as u64),
        Loss::Tasks(k) => Some(k as u64 + 1),
        _ => None,
    }
}

/// What it takes to hold an anchor of every one of `t` classes against all their means, `times` times, all means being drawn `draws` times.
fn anchor_work(t: u64, times: u64, draws: u64) -> Work {
    Work { products: times * t * t, draws: t * (1 + draws), functions: times * t * (t + 1) }
}

fn anchors<'a>(setting: &Setting<'a>, loss: Loss) -> Preparation<'a> {
    let sampler = setting.subject.sampler();
    let Some(t) = task_size(sampler, loss) else {
        return Ok(None);
    };
    let estimator = match loss {
        Loss::Tasks(k) => Supervised::tasks(sampler, k)?,
        _ => Supervised::all(sampler)?,
    };
    prepared(estimator, Work::default(), anchor_work(t, 1, 0))
}

fn control_variate<'a>(setting: &Setting<'a>, loss: Loss) -> Preparation<'a> {
    let sampler = setting.subject.sampler();
    let (Some(t), Loss::AllClasses) = (task_size(sampler, loss), loss) else {
        return Ok(None);
    };
    // All means against all means, and the sums that make the slopes.
    let set_up = Work { products: 2 * t * t, draws: 0, functions: t * (t + 1) };
    let work = Work { products: t + 1, draws: 2, functions: t + 1 };
    prepared(ControlVariateSupervised::all(sampler)?, set_up, work)
}

fn means_of_four<'a>(setting: &Setting<'a>, loss: Loss) -> Preparation<'a> {
    estimated_means(setting, loss, DRAWS[0])
}

fn means_of_many<'a>(setting: &Setting<'a>, loss: Loss) -> Preparation<'a> {
    estimated_means(setting, loss, DRAWS[1])
}

fn estimated_means<'a>(setting: &Setting<'a>, loss: Loss, draws: usize) -> Preparation<'a> {
    let sampler = setting.subject.sampler();
    let Some(t) = task_size(sampler, loss) else {
        return Ok(None);
    };
    let estimator = match loss {
        Loss::Tasks(k) => PlugInSupervised::tasks(sampler, k, draws)?,
        _ => PlugInSupervised::all(sampler, draws)?,
    };
    prepared(estimator, Work::default(), anchor_work(t, 1, draws as u64))
}

fn levels<'a>(setting: &Setting<'a>, loss: Loss) -> Preparation<'a> {
    let sampler = setting.subject.sampler();
    let Some(t) = task_size(sampler, loss) else {
        return Ok(None);
    };
    let estimator = match loss {
        Loss::Tasks(k) => MultilevelSupervised::tasks(sampler, k)?,
        _ => MultilevelSupervised::all(sampler)?,
    };
    // Four losses of every anchor; the draws are an average, since levels differ.
    let work = Work { draws: estimator.draws() as u64, ..anchor_work(t, 4, 0) };
    prepared(estimator, Work::default(), work)
}

fn classes<'a>(setting: &Setting<'a>, loss: Loss) -> Preparation<'a> {
    let Loss::Coverage(negatives) = loss else {
        return Ok(None);
    };
    let work = Work { draws: negatives as u64, ..Work::default() };
    prepared(Coverage { model: setting.subject.sampler(), negatives }, Work::default(), work)
}
