//! A report about labelled embeddings: what is promised, what is the case.

use contrastive::{LatentClassModel, best_head_loss_all, sup_mean_average};
use enclosures::enclosure::Enclosure;
use enclosures::interval::Interval;
use estimators::bounds::{BOUNDS, Bound, Bounded, Draws, Inapplicable, RAREST_CLASS};
use serde::Serialize;

use super::class_table::{ClassRow, ClassShapes};
use super::fitted_head::fitted_head;
use super::geometry::{Geometry, geometry};
use super::linear_head::norm_above;
use super::mean_head::ClassMeans;
use super::{Embeddings, EmbeddingsError, HeadScore, Settings, Watcher, pixels, trained, unsupervised};

/// Numbers of negatives that the best one is looked for among, where they cost nothing.
const NEGATIVES: [u64; 26] =
    [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 25, 32, 40, 50, 64, 80, 100, 128, 160, 200, 256, 512, 1024, 2048, 4096];
/// The best head is enclosed from both sides where this many interval operations do it.
const ENCLOSED: f64 = 2e8;

/// Products of numbers of points, classes and coordinates up to which losses of tasks are computed.
const TASK_PRODUCTS: f64 = 2e7;
const U: f64 = f64::EPSILON / 2.0;

/// What a bound is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Worth {
    /// The whole enclosure of the bound lies below what guessing loses.
    Informative,
    /// What guessing loses lies inside the enclosure.
    Undecided,
    /// The bound is no smaller than what guessing loses.
    SaysNothing,
}

impl Worth {
    /// Of a bound against what guessing loses.
    #[must_use]
    pub fn of(bound: Enclosure, chance: Enclosure) -> Self {
        if bound.hi() < chance.lo() {
            Worth::Informative
        } else if bound.lo() >= chance.hi() {
            Worth::SaysNothing
        } else {
            Worth::Undecided
        }
    }

    /// In words.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Worth::Informative => "informative",
            Worth::Undecided => "undecided",
            Worth::SaysNothing => "says nothing",
        }
    }
}

/// An unsupervised loss.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LossRow {
    /// The number `N` of negatives.
    pub negatives: u64,
    /// `L_un^N` in nats.
    pub loss: Enclosure,
    /// Whether this number was asked for.
    pub asked: bool,
}

/// An unsupervised loss in the convention in which it is trained.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TrainedRow {
    /// The number `N` of negatives.
    pub negatives: u64,
    /// The loss in nats, where there is one.
    pub loss: Option<Enclosure>,
    /// Why there is none.
    pub reason: Option<String>,
}

/// A bound at the embeddings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BoundRow {
    /// `claim.check`.
    pub id: String,
    /// Id of the claim that tries it.
    pub claim: &'static str,
    /// A name of a few words.
    pub name: &'static str,
    /// The formula.
    pub formula: &'static str,
    /// The number `N` of negatives.
    pub negatives: u64,
    /// The number `k + 1` of classes of a task, for bounds on tasks.
    pub task_size: Option<usize>,
    /// What the unsupervised loss is multiplied with.
    pub factor: Option<Enclosure>,
    /// The bound in nats.
    pub limit: Option<Enclosure>,
    /// Why there is none.
    pub silent: Option<Inapplicable>,
    /// What guessing loses.
    pub chance: Enclosure,
    /// What the bound is worth.
    pub worth: Worth,
}

/// The average supervised loss over tasks of one size.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TaskRow {
    /// The number `k + 1` of classes of a task.
    pub task_size: usize,
    /// `L_sup,k^mu` in nats; none where there are too many tasks to go through.
    pub mean_classifier: Option<Enclosure>,
    /// Why there is none.
    pub reason: Option<String>,
}

/// All that is known of some labelled embeddings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LabelledReport {
    /// What was asked.
    pub settings: Settings,
    /// What was understood of the data and not asked for: a sentence each.
    pub reading: Vec<String>,
    /// Number of points.
    pub points: usize,
    /// Number of coordinates.
    pub dimension: usize,
    /// Number of classes.
    pub n_classes: usize,
    /// The smallest class probability.
    pub p_min: Enclosure,
    /// What a head of zeros loses: `log N_C`.
    pub chance: Enclosure,
    /// The mean classifier on all classes.
    pub mean_classifier: HeadScore,
    /// The loss of the best linear head without intercept, from both sides; the lower end is zero where it was not sought.
    pub best_head: Enclosure,
    /// The head that was found: its loss is the upper end above, or larger. It is the mean classifier where the work allows no search.
    pub found_head: HeadScore,
    /// Unsupervised losses, by number of negatives.
    pub unsupervised: Vec<LossRow>,
    /// The same in the convention of the settings, where that is another one; the bounds are not about these.
    pub trained: Vec<TrainedRow>,
    /// Every bound at every number of negatives asked for.
    pub bounds: Vec<BoundRow>,
    /// The sharp bound on all classes at every number of negatives of which the loss is known.
    pub sharp_bounds: Vec<BoundRow>,
    /// The sharp bound at the number of negatives where it is smallest; none with fewer than two classes.
    pub best_bound: Option<BoundRow>,
    /// `L_un^N` would have to be below this, there, for the bound to be informative.
    pub wanted: Option<Enclosure>,
    /// Average losses over tasks of the sizes asked for.
    pub tasks: Vec<TaskRow>,
    /// Class by class.
    pub classes: Vec<ClassRow>,
    /// How the embeddings lie.
    pub geometry: Geometry,
}

/// Losses of the empirical distribution of labelled embeddings, every bound on them, and what the classes look like.
///
/// The empirical distribution: points of a class are equally likely, an anchor, its positive and the negatives are independent draws, so that
/// the positive may be the anchor itself and a negative may be of the anchor's class.
///
/// # Errors
/// [`EmbeddingsError`]: no number of negatives, a row of zeros that is to be normalized, a temperature that is no positive number, more work than
/// allowed.
pub fn labelled_report(
    embeddings: &Embeddings,
    settings: &Settings,
    watcher: &dyn Watcher,
) -> Result<LabelledReport, EmbeddingsError> {
    settings.check(embeddings.points().classes())?;
    let points = embeddings.prepared(settings)?;
    let class_weights = embeddings.class_weights(settings.equal_classes);
    let n_classes = points.classes();
    let chance = Enclosure::from(n_classes).ln();

    let mut asked = settings.negatives.clone();
    asked.push(1);
    asked.sort_unstable();
    asked.dedup();
    // One chance for all that is sampled.
    let plain = settings.replacement && settings.self_positive;
    let alpha = if plain { settings.alpha } else { settings.alpha / 2.0 };
    let losses = unsupervised::losses(&points, settings, (&asked, &NEGATIVES), alpha, watcher)?;
    let trained = trained::losses(&points, settings, alpha, watcher)?;
    let trained_row = |(negatives, loss): trained::Trained| TrainedRow {
        negatives,
        reason: loss.as_ref().err().map(ToString::to_string),
        loss: loss.ok(),
    };
    let loss_row = |(negatives, loss)| LossRow { asked: asked.contains(&negatives), negatives, loss };

    let means = ClassMeans::of(&points);
    let shapes = ClassShapes::new(&points, &means, watcher)?;
    let geometry = geometry(&points, &means, settings.work, watcher)?;
    let mean = means.into_head(settings.temperature)?;
    let mean_classifier = mean.watched_score(&points, &class_weights, "mean classifier", watcher)?;
    let start = (&mean, mean_classifier.loss.midpoint());
    // As much as the losses take, within limits: where these are cheap, so is the rest.
    let work = unsupervised::exact_work(&points).clamp(settings.work / 16.0, settings.work / 4.0);
    let found_head = match fitted_head(&points, &class_weights, start, work, watcher)? {
        Some(found) => found.watched_score(&points, &class_weights, "the head found", watcher)?,
        None => mean_classifier.clone(),
    };
    drop(mean);
    let model = Model { points: &points, settings };
    let best_head = model.best_head(&mean_classifier, &found_head, chance)?;

    let draws = |n: u64| Draws::of_weights(&class_weights, n);
    let (mut bounds, mut sharp_bounds) = (Vec::new(), Vec::new());
    for &(n, loss) in &losses {
        let draws = draws(n)?;
        sharp_bounds.extend(row(&RAREST_CLASS, loss, &draws, None));
        if !asked.contains(&n) {
            continue;
        }
        for bound in BOUNDS {
            match bound.of {
                Bounded::AllClasses => bounds.extend(row(&bound, loss, &draws, None)),
                Bounded::Tasks => {
                    let sizes = settings.task_sizes.iter();
                    bounds.extend(sizes.filter_map(|&size| row(&bound, loss, &draws, Some(size))));
                }
            }
        }
    }
    let upper = |row: &BoundRow| row.limit.map_or(f64::INFINITY, Enclosure::hi);
    // The first of equally small ones.
    let best = (sharp_bounds.iter()).filter(|_| n_classes > 1).min_by(|a, b| upper(a).total_cmp(&upper(b))).cloned();
    let wanted = match &best {
        Some(best) => {
            let draws = draws(best.negatives)?;
            Some(draws.rarest_drawn() * chance + draws.collisions())
        }
        None => None,
    };
    Ok(LabelledReport {
        points: points.len(),
        dimension: points.dimension(),
        n_classes,
        p_min: draws(1)?.p_min(),
        chance,
        classes: shapes.table(&points, embeddings.names(), &class_weights, &mean_classifier),
        geometry,
        mean_classifier,
        best_head,
        found_head,
        unsupervised: losses.into_iter().map(loss_row).collect(),
        trained: trained.into_iter().map(trained_row).collect(),
        bounds,
        sharp_bounds,
        best_bound: best,
        wanted,
        tasks: model.tasks()?,
        reading: [embeddings.reading(), pixels::remark(embeddings.points().points(), settings.pixels).as_slice()]
            .concat(),
        settings: settings.clone(),
    })
}

/// A bound on one loss; none where the bound is about one negative and this is about more.
fn row(bound: &Bound, loss: Enclosure, draws: &Draws<'_>, task_size: Option<usize>) -> Option<BoundRow> {
    let k = task_size.map_or(0, |size| size - 1);
    let sides = bound.sides(loss, draws, k);
    if sides == Err(Inapplicable::OneNegative) {
        return None;
    }
    let chance = Enclosure::from(task_size.unwrap_or(draws.classes())).ln();
    let limit = sides.as_ref().ok().map(|sides| sides.limit());
    Some(BoundRow {
        id: bound.id(),
        claim: bound.claim,
        name: bound.name,
        formula: bound.formula,
        negatives: draws.negatives(),
        task_size,
        factor: sides.as_ref().ok().map(|sides| sides.scale.factor()),
        limit,
        silent: sides.err(),
        chance,
        worth: limit.map_or(Worth::SaysNothing, |limit| Worth::of(limit, chance)),
    })
}

/// The points as a latent-class model, for what is small enough for it.
struct Model<'a> {
    points: &'a contrastive::data::LabelledPoints,
    settings: &'a Settings,
}

impl Model<'_> {
    /// The points multiplied by a number.
    fn model(&self, scale: f64) -> Result<LatentClassModel, EmbeddingsError> {
        let labels: Vec<u32> = self.points.labels().iter().map(|&class| class as u32).collect();
        let scaled: Vec<f64>;
        let (mut points, d) = (self.points.points(), self.points.dimension());
        if scale != 1.0 {
            scaled = points.iter().map(|x| scale * x).collect();
            points = &scaled;
        }
        Ok(if self.settings.equal_classes {
            LatentClassModel::from_labelled_uniform(points, d, &labels)?
        } else {
            LatentClassModel::from_labelled(points, d, &labels)?
        })
    }

    /// The best head from both sides where the problem is small, from above otherwise.
    fn best_head(&self, mean: &HeadScore, found: &HeadScore, chance: Enclosure) -> Result<Enclosure, EmbeddingsError> {
        let (n, d) = (self.points.len() as f64, self.points.dimension() as f64);
        let classes = self.points.classes() as f64;
        let parameters = d * (classes - 1.0);
        let upper = mean.loss.hi().min(found.loss.hi()).min(chance.hi());
        let work = n * classes * classes * d * 40.0 + n * parameters * parameters * 10.0;
        if work > ENCLOSED {
            return Ok(Enclosure::between(0.0, upper));
        }
        let both = best_head_loss_all(&self.model(1.0)?)?;
        let upper = upper.min(both.hi());
        Ok(Interval::new(both.lo().min(upper), upper).into())
    }

    /// The average losses over tasks. Their mean classifier is that of the embeddings divided by the root of the temperature: rounding these costs a
    /// logit at most `13 u C^2`, `C` the largest norm after the division, and a loss no more.
    fn tasks(&self) -> Result<Vec<TaskRow>, EmbeddingsError> {
        if self.settings.task_sizes.is_empty() {
            return Ok(Vec::new());
        }
        let needed = self.points.len() as f64 * self.points.classes() as f64 * self.points.dimension() as f64;
        let temperature = self.settings.temperature;
        let (scale, mut error) = if temperature == 1.0 {
            (1.0, 0.0)
        } else {
            let norm = |i: usize| norm_above(self.points.point(i));
            let largest = (0..self.points.len()).map(norm).fold(0.0, f64::max);
            let underflow = self.points.dimension() as f64 * f64::MIN_POSITIVE;
            (1.0 / temperature.sqrt(), 14.0 * U * largest * largest / temperature + underflow)
        };
        // What is no number says nothing.
        if !error.is_finite() {
            error = f64::INFINITY;
        }
        let model = (needed <= TASK_PRODUCTS).then(|| self.model(scale)).transpose()?;
        let row = |&size: &usize| {
            let loss = match &model {
                Some(model) => sup_mean_average(model, size - 1).map_err(|error| error.to_string()),
                None => Err(format!(
                    "points times classes times coordinates are {needed:.1e}, more than {TASK_PRODUCTS:.0e}"
                )),
            };
            TaskRow {
                task_size: size,
                reason: loss.as_ref().err().cloned(),
                mean_classifier: loss.ok().map(|loss| {
                    let wide = loss.widened_by(error);
                    Interval::new(wide.lo().max(0.0), wide.hi()).into()
                }),
            }
        };
        Ok(self.settings.task_sizes.iter().map(row).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Unwatched;

    fn some(settings: &Settings) -> LabelledReport {
        let points = (0..60).map(|i| f64::from(i * i % 17) / 8.0 - 1.0).collect();
        let labels: Vec<u32> = (0..20).map(|i| i % 3).collect();
        labelled_report(&Embeddings::new(points, 3, &labels).unwrap(), settings, &Unwatched).unwrap()
    }

    #[test]
    fn losses_of_tasks_have_a_temperature() {
        let settings = Settings { task_sizes: vec![2], ..Settings::default() };
        let plain = some(&settings).tasks[0].mean_classifier.unwrap();
        let at = |temperature| some(&Settings { temperature, ..settings.clone() }).tasks[0].mean_classifier.unwrap();
        let near = at(1.0 + 1e-9);
        assert!((near.midpoint() - plain.midpoint()).abs() < 1e-6 && near.width() < 1e-12);
        // All classes are one task: the mean classifier on all of them.
        let three = some(&Settings { task_sizes: vec![3], temperature: 0.07, equal_classes: true, ..settings.clone() });
        let (task, all) = (three.tasks[0].mean_classifier.unwrap(), three.mean_classifier.loss);
        assert!(task.lo() <= all.hi() && all.lo() <= task.hi(), "{task:?} {all:?}");
        assert!(task.width() < 1e-10);
    }

    #[test]
    fn a_number_without_candidates_leaves_its_reason() {
        let settings = Settings { negatives: vec![5, 255], replacement: false, ..Settings::default() };
        let report = some(&settings);
        assert!(report.trained[0].loss.is_some() && report.trained[0].reason.is_none());
        let why = report.trained[1].reason.as_deref().unwrap();
        assert!(report.trained[1].loss.is_none() && why.contains("18 candidates"), "{why}");
    }

    #[test]
    fn one_class_has_nothing_to_bound() {
        let one = Embeddings::new(vec![1.0, 2.0, 3.0, 4.0], 2, &[7, 7]).unwrap();
        let report = labelled_report(&one, &Settings::default(), &Unwatched).unwrap();
        assert!(report.best_bound.is_none() && report.wanted.is_none());
        assert!(report.conclusion().starts_with("Nothing to bound"));
    }
}
