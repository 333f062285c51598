//! Pairs of views without labels: the losses by which SimCLR, MoCo and CLIP are trained, on all pairs at once, enclosed.
//!
//! With `s(x, y) = x.y / temperature` and `n` pairs `(a_i, b_i)`, in nats:
//!
//! | loss | definition |
//! |---|---|
//! | InfoNCE from `a` to `b` (van den Oord et al., 2018; MoCo with every other key in its queue) | mean over `i` of `-log( e^{s(a_i, b_i)} / sum_j e^{s(a_i, b_j)} )` |
//! | CLIP (Radford et al., 2021) | mean of InfoNCE from `a` to `b` and from `b` to `a` |
//! | NT-Xent (SimCLR, Chen et al., 2020) | mean over all `2n` views `x` with partner `y` of `-log( e^{s(x, y)} / sum_{z != x} e^{s(x, z)} )` |
//! | InfoNCE with `N` negatives | as the first, with `N` keys drawn independently from the other pairs, with replacement, beside the partner; in expectation |
//!
//! The first three are finite sums. The last is an expectation with an exact value too ([`contrastive::expected_log_ratio`]).
//!
//! # Where the sums are too many
//! Some anchors are drawn, each meets all of its keys as before, and the mean over all is enclosed by a confidence sequence: with `C` the largest norm, every
//! loss of an anchor with `K` keys lies in `[0, log K + 2 C^2/temperature]`.
//!
//! # Error
//! As for [`super::LinearHead`]: an inner product is off by at most `|x| |y| d u / (1 - d u)` and what underflows, its division by the temperature by
//! `u` more.

use contrastive::data::{DataError, NumberTable};
use contrastive::{WeightedLogit, expected_log_ratio};
use enclosures::enclosure::{Enclosure, Grade, exact};
use enclosures::interval::{self, Interval};
use enclosures::kernels::{InstructionSet, PackedRows, inner_product};
use enclosures::stream::seed;
use enclosures::work::shared;
use estimators::EstimatorError;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::anchors::{Sampling, means};
use super::conclusion::with_reading;
use super::embedded::normalize;
use super::linear_head::{PointScore, norm_above, point_score};
use super::pairs::{Distances, distances};
use super::settings::check_sampling;
use super::watcher::Progress;
use super::{Effort, EmbeddingsError, Watcher, certain, certain_interval, certain_percent, pixels};

const U: f64 = f64::EPSILON / 2.0;
/// Logits of a piece of work, about.
const PIECE: usize = 1 << 20;
/// Exponentials that a pair costs where some of the negatives are drawn.
const NODES: f64 = 400.0;

/// A request about pairs of views.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ViewSettings {
    /// Divide inner products by this number.
    pub temperature: f64,
    /// Whether the coordinates are pixels from 0 to 255 that are to be divided by 255, before anything else.
    pub pixels: bool,
    /// Whether every view is divided by its Euclidean norm.
    pub normalize: bool,
    /// Numbers `N` of drawn negatives to look at, beside all of them.
    pub negatives: Vec<u64>,
    /// Exactly or as the work allows.
    pub effort: Effort,
    /// Multiplications that the sums may take.
    pub work: f64,
    /// Chance that any of the sampled intervals misses.
    pub alpha: f64,
    /// Relative half-width at which sampling stops.
    pub half_width: f64,
    /// Master seed of the sampling.
    pub seed: u64,
}

impl Default for ViewSettings {
    fn default() -> Self {
        ViewSettings {
            temperature: 1.0,
            pixels: false,
            normalize: false,
            negatives: Vec::new(),
            effort: Effort::Within,
            work: 3e11,
            alpha: 1e-6,
            half_width: 1e-3,
            seed: 0,
        }
    }
}

/// How well partners are told from others.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PairScore {
    /// Mean loss in nats.
    pub loss: Enclosure,
    /// Share of the anchors whose partner has the largest inner product; ties up to rounding make an interval.
    pub first: Enclosure,
}

/// Everything about some pairs of views.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ViewsReport {
    /// What was asked.
    pub settings: ViewSettings,
    /// What was understood of the data and not asked for: a sentence each.
    pub reading: Vec<String>,
    /// Number of pairs.
    pub pairs: usize,
    /// Number of coordinates.
    pub dimension: usize,
    /// InfoNCE from the first view to the second.
    pub forth: PairScore,
    /// InfoNCE from the second view to the first.
    pub back: PairScore,
    /// CLIP's symmetric loss.
    pub clip: Enclosure,
    /// SimCLR's NT-Xent.
    pub nt_xent: PairScore,
    /// What equal views lose: `log n` for InfoNCE and CLIP.
    pub chance: Enclosure,
    /// `log(2n - 1)`, the same for NT-Xent.
    pub chance_nt_xent: Enclosure,
    /// InfoNCE from the first view to the second with drawn negatives.
    pub drawn: Vec<DrawnLoss>,
    /// Mean squared distance of partners (Wang and Isola, 2020), in floating point.
    pub alignment: f64,
    /// Uniformity and separation of the views of either kind among themselves, in floating point.
    pub distances: [Option<Distances>; 2],
}

/// InfoNCE with drawn negatives.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct DrawnLoss {
    /// Their number `N`.
    pub negatives: u64,
    /// The loss in nats.
    pub loss: Enclosure,
}

/// The losses of pairs of views: row `i` of `first` and row `i` of `second` are partners.
///
/// # Errors
/// [`EmbeddingsError`]: arrays of different shapes, a single pair, a row of zeros that is to be normalized, a temperature that is no
/// positive number, more work than allowed.
pub fn views_report(
    first: &NumberTable,
    second: &NumberTable,
    settings: &ViewSettings,
    watcher: &dyn Watcher,
) -> Result<ViewsReport, EmbeddingsError> {
    check_sampling(settings.work, settings.alpha, settings.half_width)?;
    let views = Views::new(first, second, settings, watcher)?;
    let needed =
        views.work(Way::Forth) * 4.0 + if settings.negatives.is_empty() { 0.0 } else { views.work(Way::Drawn) };
    if needed > settings.work && settings.effort == Effort::Exact {
        return Err(EmbeddingsError::Work { needed, allowed: settings.work });
    }
    let whole = needed <= settings.work;
    if whole {
        watcher.begin("losses of all pairs", needed);
    }
    let forth = views.score(Way::Forth, whole)?;
    let back = views.score(Way::Back, whole)?;
    let nt_xent = views.score(Way::Both, whole)?;
    let drawn = views.drawn(whole)?;
    let (a, b) = views.values.split_at(views.pairs * views.dimension);
    let distance = |(x, y): (&[f64], &[f64])| x.iter().zip(y).map(|(x, y)| (x - y) * (x - y)).sum::<f64>();
    let partners = a.chunks_exact(views.dimension).zip(b.chunks_exact(views.dimension));
    watcher.begin("distances of all pairs", 0.1 * settings.work);
    let within = |side| distances(side, views.dimension, 0.05 * settings.work, watcher);
    Ok(ViewsReport {
        pairs: views.pairs,
        dimension: views.dimension,
        clip: (forth.loss + back.loss) / 2.0,
        forth,
        back,
        nt_xent,
        chance: Enclosure::from(views.pairs).ln(),
        chance_nt_xent: Enclosure::from(2 * views.pairs - 1).ln(),
        drawn,
        alignment: partners.map(distance).sum::<f64>() / views.pairs as f64,
        distances: [within(a)?, within(b)?],
        settings: settings.clone(),
        reading: views.reading,
    })
}

/// Who meets whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// The first views all of the second.
    Forth,
    /// The second views all of the first.
    Back,
    /// All views all others.
    Both,
    /// The first views some of the second.
    Drawn,
}

impl Way {
    fn stage(self) -> &'static str {
        match self {
            Way::Forth => "InfoNCE, one to other, sampled",
            Way::Back => "InfoNCE, other to one, sampled",
            Way::Both => "NT-Xent, sampled",
            Way::Drawn => "InfoNCE with drawn keys, sampled",
        }
    }
}

/// Views ready for inner products: those of the first kind, then those of the second.
struct Views<'a> {
    values: Vec<f64>,
    pairs: usize,
    dimension: usize,
    settings: &'a ViewSettings,
    reading: Vec<String>,
    watcher: &'a dyn Watcher,
    temperature: f64,
    /// The largest norm of a view.
    largest: f64,
    /// How many anchors have met their keys.
    progress: Progress<'a>,
}

impl<'a> Views<'a> {
    fn new(
        first: &NumberTable,
        second: &NumberTable,
        settings: &'a ViewSettings,
        watcher: &'a dyn Watcher,
    ) -> Result<Self, EmbeddingsError> {
        if (first.rows(), first.columns()) != (second.rows(), second.columns()) {
            return Err(DataError::WrongShape {
                input: "the second views".to_owned(),
                found_rows: second.rows(),
                found_columns: second.columns(),
                rows: first.rows(),
                columns: first.columns(),
            }
            .into());
        }
        if first.rows() < 2 {
            return Err(EmbeddingsError::OnePair);
        }
        let temperature = settings.temperature;
        if !(temperature > 0.0 && temperature.is_finite() && (1.0 / temperature).is_finite()) {
            return Err(EstimatorError::Temperature { temperature }.into());
        }
        let d = first.columns();
        let mut values = [first.values(), second.values()].concat();
        let reading = pixels::remark(&values, settings.pixels).into_iter().collect();
        if settings.pixels {
            pixels::scale(&mut values, d)?;
        }
        if settings.normalize {
            let zero = values.chunks_exact(d).position(|row| row.iter().all(|x| *x == 0.0));
            if let Some(row) = zero {
                return Err(EmbeddingsError::ZeroRow { row: row % first.rows(), second: row >= first.rows() });
            }
            values.par_chunks_exact_mut(d).for_each(normalize);
        }
        Ok(Views {
            largest: values.chunks_exact(d).map(norm_above).fold(0.0, f64::max),
            values,
            pairs: first.rows(),
            dimension: d,
            settings,
            reading,
            watcher,
            temperature,
            // One way, back, all views against all others, and once more with drawn keys.
            progress: Progress::new(watcher, (4 + settings.negatives.len().min(1)) * first.rows()),
        })
    }

    /// All anchors and all keys of a way.
    fn sides(&self, way: Way) -> (&[f64], &[f64]) {
        let (a, b) = self.values.split_at(self.pairs * self.dimension);
        match way {
            Way::Forth | Way::Drawn => (a, b),
            Way::Back => (b, a),
            Way::Both => (&self.values, &self.values),
        }
    }

    /// Multiplications of all anchors of a way, about.
    fn work(&self, way: Way) -> f64 {
        let (n, d) = (self.pairs as f64, self.dimension as f64);
        match way {
            Way::Forth | Way::Back => n * n * (d + 20.0),
            Way::Both => 2.0 * n * 2.0 * n * (d + 20.0) / 2.0,
            Way::Drawn => n * n * (d + NODES),
        }
    }

    /// Hands the logits of anchors, with a bound of their errors, to `of`, which is told their places among the anchors given; answers in that order.
    fn each<T: Send>(
        &self,
        anchors: &[f64],
        packed: &PackedRows,
        counted: bool,
        of: impl Fn(usize, &mut Vec<f64>, f64) -> Result<T, EmbeddingsError> + Sync,
    ) -> Result<Vec<T>, EmbeddingsError> {
        let d = self.dimension;
        let set = InstructionSet::best();
        let count = packed.rows();
        let together = (PIECE / count).clamp(1, 256);
        let gamma = d as f64 * U / (1.0 - d as f64 * U);
        let piece = |(at, rows): (usize, &[f64])| -> Result<Vec<T>, EmbeddingsError> {
            let mut logits = vec![0.0; rows.len() / d * count];
            packed.products_on(set, rows, &mut logits)?;
            let mut row = Vec::with_capacity(count);
            let each = rows.chunks_exact(d).zip(logits.chunks_exact(count)).enumerate();
            let answers = each
                .map(|(i, (anchor, products))| {
                    row.clear();
                    row.extend(products.iter().map(|p| p / self.temperature));
                    let size = row.iter().fold(0.0f64, |m, x| m.max(x.abs()));
                    let plain = norm_above(anchor) * self.largest * gamma + d as f64 * f64::MIN_POSITIVE;
                    let error = (plain / self.temperature + U * size) * (1.0 + 8.0 * U) + f64::MIN_POSITIVE;
                    of(at * together + i, &mut row, error)
                })
                .collect();
            if counted {
                self.progress.add(rows.len() / d);
            }
            answers
        };
        let amount = (anchors.len() / d * count) as u64;
        let pieces: Result<Vec<Vec<T>>, EmbeddingsError> =
            shared(amount, || anchors.par_chunks(together * d).enumerate().map(piece).collect());
        Ok(pieces?.into_iter().flatten().collect())
    }

    /// What an anchor of a way loses; its logits are overwritten.
    fn anchor_score(&self, way: Way, i: usize, logits: &mut Vec<f64>, error: f64) -> PointScore {
        let set = InstructionSet::best();
        if way != Way::Both {
            return point_score(set, logits, i, error);
        }
        let partner = (i + self.pairs) % (2 * self.pairs);
        // The last one takes the place of the view itself.
        let last = logits.len() - 1;
        logits.swap_remove(i);
        let partner = if partner == last { i } else { partner };
        point_score(set, logits, partner, error)
    }

    /// Every key other than the partner as a negative: all anchors, or as many as the work allows.
    fn score(&self, way: Way, whole: bool) -> Result<PairScore, EmbeddingsError> {
        let (anchors, keys) = self.sides(way);
        let packed = PackedRows::new(keys, self.dimension)?;
        if whole || self.work(way) <= self.share(way) {
            let scores =
                self.each(anchors, &packed, whole, |i, logits, error| Ok(self.anchor_score(way, i, logits, error)))?;
            return Ok(mean(&scores));
        }
        let known = |i: usize, logits: &mut Vec<f64>, error: f64| {
            let score = self.anchor_score(way, i, logits, error);
            let first = Interval::new(f64::from(u8::from(score.right)), f64::from(u8::from(score.right || score.tied)));
            Ok(vec![score.loss, first])
        };
        let most = self.most(if way == Way::Both { 2 * self.pairs - 1 } else { self.pairs });
        let found = self.sampled(way, &packed, &[most, 1.0], 1, known)?;
        match found[..] {
            [loss, first] => Ok(PairScore { loss, first }),
            _ => Err(EmbeddingsError::OnePair),
        }
    }

    /// What a loss with so many keys does not exceed.
    fn most(&self, keys: usize) -> f64 {
        let size = Interval::point(self.largest).square() / self.temperature * 2.0;
        ((Interval::point(keys as f64).ln() + size) * (1.0 + 8.0 * U)).hi()
    }

    /// What one way may take of the work: both views against all others count twice.
    fn share(&self, way: Way) -> f64 {
        let parts = 4.0 + if self.settings.negatives.is_empty() { 0.0 } else { 1.0 };
        self.settings.work / parts * if way == Way::Both { 2.0 } else { 1.0 }
    }

    /// The means of what is known of the anchors, of which as many are drawn as the work allows.
    fn sampled(
        &self,
        way: Way,
        packed: &PackedRows,
        limits: &[f64],
        deciding: usize,
        known: impl Fn(usize, &mut Vec<f64>, f64) -> Result<Vec<Interval>, EmbeddingsError> + Sync,
    ) -> Result<Vec<Enclosure>, EmbeddingsError> {
        let (anchors, _) = self.sides(way);
        let (d, settings) = (self.dimension, self.settings);
        let count = anchors.len() / d;
        let name = format!("{way:?}");
        // Loss and first place of three ways, and every loss with drawn keys.
        let intervals = 6 + settings.negatives.len();
        let sampling = Sampling {
            count,
            most: (self.share(way) / (self.work(way) / count as f64)) as usize,
            alpha: settings.alpha / intervals as f64,
            half_width: settings.half_width,
            seed: seed(settings.seed, &["embeddings", "views", &name]),
        };
        self.watcher.begin(way.stage(), self.share(way));
        means(
            &sampling,
            limits,
            deciding,
            |chosen| {
                let rows: Vec<f64> =
                    (chosen.iter()).flat_map(|&i| anchors[i * d..(i + 1) * d].iter().copied()).collect();
                self.each(&rows, packed, false, |at, logits, error| known(chosen[at], logits, error))
            },
            |share, loss| self.watcher.advance(share, &certain_interval(loss.interval(), 5)),
        )
    }

    /// InfoNCE with keys drawn from the other pairs.
    fn drawn(&self, whole: bool) -> Result<Vec<DrawnLoss>, EmbeddingsError> {
        let negatives = &self.settings.negatives;
        if negatives.is_empty() {
            return Ok(Vec::new());
        }
        let (anchors, keys) = self.sides(Way::Drawn);
        let packed = PackedRows::new(keys, self.dimension)?;
        let share = Interval::ONE / (self.pairs - 1) as f64;
        let row = |i: usize, logits: &mut Vec<f64>, error: f64| -> Result<Vec<Interval>, EmbeddingsError> {
            let weighted = |logit: &f64, probability| WeightedLogit {
                probability,
                logit: Interval::point(*logit).widened_by(error),
            };
            let own = [weighted(&logits[i], Interval::ONE)];
            let others = logits.iter().enumerate().filter(|(j, _)| *j != i);
            let others: Vec<WeightedLogit> = others.map(|(_, logit)| weighted(logit, share)).collect();
            Ok(expected_log_ratio(&own, &others, negatives)?)
        };
        let losses: Vec<Enclosure> = if whole || self.work(Way::Drawn) <= self.share(Way::Drawn) {
            let rows = self.each(anchors, &packed, whole, row)?;
            let column = |column: usize| {
                let terms: Vec<Interval> = rows.iter().filter_map(|row| row.get(column).copied()).collect();
                (interval::sum(&terms) / self.pairs as f64).into()
            };
            (0..negatives.len()).map(column).collect()
        } else {
            let keys = |&n: &u64| self.most(usize::try_from(n).unwrap_or(usize::MAX).saturating_add(1));
            let limits: Vec<f64> = negatives.iter().map(keys).collect();
            self.sampled(Way::Drawn, &packed, &limits, limits.len(), row)?
        };
        let each = negatives.iter().zip(losses);
        Ok(each.map(|(&negatives, loss)| DrawnLoss { negatives, loss }).collect())
    }
}

fn mean(scores: &[PointScore]) -> PairScore {
    let count = exact(scores.len() as f64);
    let losses: Vec<Interval> = scores.iter().map(|score| score.loss).collect();
    let right = scores.iter().filter(|score| score.right).count() as f64;
    let tied = scores.iter().filter(|score| score.tied).count() as f64;
    PairScore {
        loss: Enclosure::from(interval::sum(&losses)) / count,
        first: Enclosure::between(right, right + tied) / count,
    }
}

impl ViewsReport {
    /// One line: which loss, against what guessing loses, and how often partners find each other.
    #[must_use]
    pub fn conclusion(&self) -> String {
        with_reading(self.verdict(), &self.reading)
    }

    fn verdict(&self) -> String {
        format!(
            "Among {} pairs a view finds its partner first in {} of the cases one way and {} the other; CLIP's loss is \
             {} nats and NT-Xent {}, while views that are all alike lose {} and {}.",
            self.pairs,
            self.first(self.forth.first, self.pairs),
            self.first(self.back.first, self.pairs),
            certain(self.clip, 4),
            certain(self.nt_xent.loss, 4),
            certain(self.chance, 4),
            certain(self.chance_nt_xent, 4),
        )
    }
}

impl ViewsReport {
    /// How many of so many anchors have their partner first: a count where that is certain, otherwise an interval of per cent.
    #[must_use]
    pub fn first(&self, share: Enclosure, of: usize) -> String {
        let count = share * Enclosure::from(of);
        let whole = count.midpoint().round();
        if share.grade() == Grade::Exact && count.width() < 0.5 && (count.midpoint() - whole).abs() < 0.25 {
            let percent = certain_percent(whole as u64, of as u64, 4);
            return format!("{whole} of {of} ({percent} %)");
        }
        format!("{} %", certain(share * exact(100.0), 4))
    }

    /// Whether some of the losses are sampled.
    #[must_use]
    pub fn is_sampled(&self) -> bool {
        let losses = [self.forth.loss, self.back.loss, self.nt_xent.loss];
        losses.iter().chain(self.drawn.iter().map(|row| &row.loss)).any(|loss| loss.grade().is_sampled())
    }
}

/// Whether a row is one of a unit vector up to rounding; used to warn that inner products are no cosines.
#[must_use]
pub fn is_normalized(table: &NumberTable) -> bool {
    let mut rows = table.values().chunks_exact(table.columns());
    rows.all(|row| (inner_product(row, row) - 1.0).abs() < 1e-3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Unwatched;

    fn tables(n: usize, d: usize) -> (NumberTable, NumberTable) {
        let value = |i: usize| ((i * i + 3 * i) % 29) as f64 / 9.0 - 1.5;
        let first: Vec<f64> = (0..n * d).map(value).collect();
        let second: Vec<f64> = (0..n * d).map(|i| 0.8 * value(i) + 0.1 * value(i + 7)).collect();
        (NumberTable::new("a", first, n, d).unwrap(), NumberTable::new("b", second, n, d).unwrap())
    }

    fn row(table: &NumberTable, i: usize, normalized: bool) -> Vec<f64> {
        let row = &table.values()[i * table.columns()..(i + 1) * table.columns()];
        let norm = if normalized { row.iter().map(|x| x * x).sum::<f64>().sqrt() } else { 1.0 };
        row.iter().map(|x| x / norm).collect()
    }

    fn logit(x: &[f64], y: &[f64], temperature: f64) -> f64 {
        x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>() / temperature
    }

    fn close(enclosed: Enclosure, expected: f64) {
        assert!((enclosed.midpoint() - expected).abs() < 1e-12 * expected.max(1.0), "{enclosed:?} {expected}");
        assert!(enclosed.width() < 1e-12, "{enclosed:?}");
    }

    #[test]
    fn the_losses_are_those_of_plain_loops() {
        let (a, b) = tables(7, 3);
        for (normalize, temperature) in [(true, 0.2), (false, 1.0)] {
            let settings = ViewSettings { temperature, normalize, ..ViewSettings::default() };
            let report = views_report(&a, &b, &settings, &Unwatched).unwrap();
            let views: Vec<Vec<f64>> = (0..14).map(|i| row(if i < 7 { &a } else { &b }, i % 7, normalize)).collect();
            let info = |from: usize, to: usize| {
                let one = |i: usize| {
                    let logits = (0..7).map(|j| logit(&views[from + i], &views[to + j], temperature));
                    let sum: f64 = logits.map(core_math::exp).sum();
                    core_math::log(sum) - logit(&views[from + i], &views[to + i], temperature)
                };
                (0..7).map(one).sum::<f64>() / 7.0
            };
            close(report.forth.loss, info(0, 7));
            close(report.back.loss, info(7, 0));
            close(report.clip, (info(0, 7) + info(7, 0)) / 2.0);
            let nt_xent = |i: usize| {
                let others = (0..14).filter(|&j| j != i);
                let sum: f64 = others.map(|j| core_math::exp(logit(&views[i], &views[j], temperature))).sum();
                core_math::log(sum) - logit(&views[i], &views[(i + 7) % 14], temperature)
            };
            close(report.nt_xent.loss, (0..14).map(nt_xent).sum::<f64>() / 14.0);
        }
    }

    #[test]
    fn drawn_negatives_are_averaged_over_all_draws() {
        let (a, b) = tables(4, 2);
        let settings = ViewSettings { negatives: vec![1, 2], temperature: 0.7, ..ViewSettings::default() };
        let report = views_report(&a, &b, &settings, &Unwatched).unwrap();
        let weight = |i: usize, j: usize| core_math::exp(logit(&row(&a, i, false), &row(&b, j, false), 0.7));
        let (mut one, mut two) = (0.0, 0.0);
        for i in 0..4 {
            for j in (0..4).filter(|&j| j != i) {
                one += core_math::log1p(weight(i, j) / weight(i, i)) / 12.0;
                for k in (0..4).filter(|&k| k != i) {
                    two += core_math::log1p((weight(i, j) + weight(i, k)) / weight(i, i)) / 36.0;
                }
            }
        }
        close(report.drawn[0].loss, one);
        close(report.drawn[1].loss, two);
    }

    #[test]
    fn equal_views_lose_what_guessing_loses_and_share_the_first_place() {
        let same = NumberTable::new("a", vec![1.0; 10], 5, 2).unwrap();
        let report = views_report(&same, &same, &ViewSettings::default(), &Unwatched).unwrap();
        close(report.clip, core_math::log(5.0));
        close(report.nt_xent.loss, core_math::log(9.0));
        assert_eq!((report.forth.first.lo(), report.forth.first.hi()), (0.0, 1.0));
        assert!(is_normalized(&NumberTable::new("u", vec![0.6, 0.8], 1, 2).unwrap()) && !is_normalized(&same));
    }

    #[test]
    fn what_makes_no_pairs_is_refused() {
        let (a, b) = tables(4, 2);
        let refused = |first: &NumberTable, second: &NumberTable, settings: &ViewSettings| {
            views_report(first, second, settings, &Unwatched).unwrap_err().to_string()
        };
        let settings = ViewSettings::default();
        assert!(refused(&a, &tables(5, 2).1, &settings).contains("5 rows of 2 values, expected 4 rows of 2"));
        let (one, other) = tables(1, 2);
        assert!(refused(&one, &other, &settings).contains("two pairs"));
        let hot = ViewSettings { temperature: 0.0, ..settings.clone() };
        assert!(refused(&a, &b, &hot).contains("temperature 0"));
        for (wrong, words) in [
            (ViewSettings { work: f64::NAN, ..settings.clone() }, "work = NaN"),
            (ViewSettings { alpha: 2.0, ..settings.clone() }, "alpha = 2"),
        ] {
            assert!(refused(&a, &b, &wrong).contains(words));
        }
        let little = ViewSettings { work: 10.0, effort: Effort::Exact, ..settings };
        assert!(refused(&a, &b, &little).contains("more than the 1.0e1 allowed"));
    }

    #[test]
    fn sampled_anchors_enclose_the_exact_losses() {
        let (a, b) = tables(400, 3);
        let settings =
            ViewSettings { normalize: true, temperature: 0.3, negatives: vec![1, 7], ..ViewSettings::default() };
        let exactly = views_report(&a, &b, &settings, &Unwatched).unwrap();
        let hurried = ViewSettings { work: 1e7, alpha: 1e-3, ..settings };
        let sampled = views_report(&a, &b, &hurried, &Unwatched).unwrap();
        assert!(!exactly.is_sampled() && sampled.is_sampled());
        let pairs = [
            (exactly.clip, sampled.clip),
            (exactly.nt_xent.loss, sampled.nt_xent.loss),
            (exactly.forth.first, sampled.forth.first),
            (exactly.nt_xent.first, sampled.nt_xent.first),
            (exactly.drawn[1].loss, sampled.drawn[1].loss),
        ];
        for (exact, sampled) in pairs {
            assert!(sampled.lo() <= exact.hi() && exact.lo() <= sampled.hi(), "{sampled:?} {exact:?}");
        }
        assert!(sampled.drawn[1].loss.grade().is_sampled());
        assert!(sampled.nt_xent.loss.width() < 0.5 * exactly.nt_xent.loss.hi());
    }
}
