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
//! # Error
//! As for [`super::LinearHead`]: an inner product is off by at most `|x| |y| d u / (1 - d u)` and what underflows, its division by the temperature by
//! `u` more.

use contrastive::data::{DataError, Table};
use contrastive::{WeightedLogit, expected_log_ratio};
use enclosures::enclosure::{Enclosure, exact};
use enclosures::interval::{self, Interval};
use enclosures::kernels::{InstructionSet, PackedRows, inner_product};
use enclosures::work::shared;
use estimators::EstimatorError;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::embedded::normalize;
use super::linear_head::{PointScore, norm_above, point_score};
use super::watcher::Progress;
use super::{EmbeddingsError, Watcher};

const U: f64 = f64::EPSILON / 2.0;
/// Logits of a piece of work, about.
const PIECE: usize = 1 << 20;
/// Exponentials that a pair costs where some of the negatives are drawn.
const NODES: f64 = 400.0;

/// A request about pairs of views.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ViewSettings {
    /// What inner products are divided by.
    pub temperature: f64,
    /// Whether every view is divided by its Euclidean norm.
    pub normalize: bool,
    /// Numbers `N` of drawn negatives to look at, beside all of them.
    pub negatives: Vec<u64>,
    /// Multiplications that the exact sums may take.
    pub work: f64,
}

impl Default for ViewSettings {
    fn default() -> Self {
        ViewSettings {
            temperature: 1.0,
            normalize: false,
            negatives: Vec::new(),
            work: 3e11,
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
    first: &Table,
    second: &Table,
    settings: &ViewSettings,
    watcher: &dyn Watcher,
) -> Result<ViewsReport, EmbeddingsError> {
    let views = Views::new(first, second, settings, watcher)?;
    let (n, d) = (views.pairs as f64, views.dimension as f64);
    let needed = 4.0 * n * n * (d + 20.0) + settings.negatives.len().min(1) as f64 * n * n * NODES;
    if needed > settings.work {
        return Err(EmbeddingsError::Work {
            needed,
            allowed: settings.work,
        });
    }
    watcher.begin("losses of all pairs", needed);
    let (a, b) = views.values.split_at(views.pairs * views.dimension);
    let forth = views.one_way(a, b)?;
    let back = views.one_way(b, a)?;
    let nt_xent = views.nt_xent()?;
    let distance = |(x, y): (&[f64], &[f64])| x.iter().zip(y).map(|(x, y)| (x - y) * (x - y)).sum::<f64>();
    let partners = a.chunks_exact(views.dimension).zip(b.chunks_exact(views.dimension));
    Ok(ViewsReport {
        pairs: views.pairs,
        dimension: views.dimension,
        clip: (forth.loss + back.loss) / 2.0,
        forth,
        back,
        nt_xent,
        chance: Enclosure::from(views.pairs).ln(),
        chance_nt_xent: Enclosure::from(2 * views.pairs - 1).ln(),
        drawn: views.drawn(a, b, &settings.negatives)?,
        alignment: partners.map(distance).sum::<f64>() / n,
        settings: settings.clone(),
    })
}

/// Views ready for inner products: those of the first kind, then those of the second.
struct Views<'a> {
    values: Vec<f64>,
    pairs: usize,
    dimension: usize,
    temperature: f64,
    /// The largest norm of a view.
    largest: f64,
    /// How many anchors have met their keys.
    progress: Progress<'a>,
}

impl<'a> Views<'a> {
    fn new(
        first: &Table,
        second: &Table,
        settings: &ViewSettings,
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
        if settings.normalize {
            let zero = values.chunks_exact(d).position(|row| row.iter().all(|x| *x == 0.0));
            if let Some(row) = zero {
                return Err(EmbeddingsError::ZeroRow {
                    row: row % first.rows(),
                });
            }
            values.par_chunks_exact_mut(d).for_each(normalize);
        }
        Ok(Views {
            largest: values.chunks_exact(d).map(norm_above).fold(0.0, f64::max),
            values,
            pairs: first.rows(),
            dimension: d,
            temperature,
            // One way, back, all views against all others, and once more with drawn keys.
            progress: Progress::new(watcher, (4 + settings.negatives.len().min(1)) * first.rows()),
        })
    }

    /// Hands the logits of every anchor, with a bound of their errors, to `of`; answers in the order of the anchors.
    fn each<T: Send>(
        &self,
        anchors: &[f64],
        keys: &[f64],
        of: impl Fn(usize, &mut Vec<f64>, f64) -> Result<T, EmbeddingsError> + Sync,
    ) -> Result<Vec<T>, EmbeddingsError> {
        let d = self.dimension;
        let packed = PackedRows::new(keys, d)?;
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
            self.progress.add(rows.len() / d);
            answers
        };
        let amount = (anchors.len() / d * count) as u64;
        let pieces: Result<Vec<Vec<T>>, EmbeddingsError> = shared(amount, || {
            anchors.par_chunks(together * d).enumerate().map(piece).collect()
        });
        Ok(pieces?.into_iter().flatten().collect())
    }

    /// InfoNCE with every other key as a negative.
    fn one_way(&self, anchors: &[f64], keys: &[f64]) -> Result<PairScore, EmbeddingsError> {
        let set = InstructionSet::best();
        let scores = self.each(anchors, keys, |i, logits, error| Ok(point_score(set, logits, i, error)))?;
        Ok(mean(&scores))
    }

    /// Every view against all others but itself.
    fn nt_xent(&self) -> Result<PairScore, EmbeddingsError> {
        let set = InstructionSet::best();
        let scores = self.each(&self.values, &self.values, |i, logits, error| {
            let partner = (i + self.pairs) % (2 * self.pairs);
            // The last one takes the place of the view itself.
            let last = logits.len() - 1;
            logits.swap_remove(i);
            let partner = if partner == last { i } else { partner };
            Ok(point_score(set, logits, partner, error))
        })?;
        Ok(mean(&scores))
    }

    /// InfoNCE with keys drawn from the other pairs.
    fn drawn(&self, anchors: &[f64], keys: &[f64], negatives: &[u64]) -> Result<Vec<DrawnLoss>, EmbeddingsError> {
        if negatives.is_empty() {
            return Ok(Vec::new());
        }
        let share = Interval::ONE / (self.pairs - 1) as f64;
        let rows = self.each(anchors, keys, |i, logits, error| {
            let weighted = |logit: &f64, probability| WeightedLogit {
                probability,
                logit: Interval::point(*logit).widened_by(error),
            };
            let own = [weighted(&logits[i], Interval::ONE)];
            let others = logits.iter().enumerate().filter(|(j, _)| *j != i);
            let others: Vec<WeightedLogit> = others.map(|(_, logit)| weighted(logit, share)).collect();
            Ok(expected_log_ratio(&own, &others, negatives)?)
        })?;
        let loss = |(column, &negatives): (usize, &u64)| {
            let terms: Vec<Interval> = rows.iter().filter_map(|row| row.get(column).copied()).collect();
            DrawnLoss {
                negatives,
                loss: (interval::sum(&terms) / self.pairs as f64).into(),
            }
        };
        Ok(negatives.iter().enumerate().map(loss).collect())
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
        use super::certain;
        let percent = |share: Enclosure| certain(share * exact(100.0), 4);
        format!(
            "Among {} pairs a view finds its partner first in {} % of the cases one way and {} % the other; CLIP's loss is \
             {} nats and NT-Xent {}, where views that are all alike lose {} and {}.",
            self.pairs,
            percent(self.forth.first),
            percent(self.back.first),
            certain(self.clip, 4),
            certain(self.nt_xent.loss, 4),
            certain(self.chance, 4),
            certain(self.chance_nt_xent, 4),
        )
    }
}

/// Whether a row is one of a unit vector up to rounding; used to warn that inner products are no cosines.
#[must_use]
pub fn is_normalized(table: &Table) -> bool {
    let mut rows = table.values().chunks_exact(table.columns());
    rows.all(|row| (inner_product(row, row) - 1.0).abs() < 1e-3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Unwatched;

    fn tables(n: usize, d: usize) -> (Table, Table) {
        let value = |i: usize| ((i * i + 3 * i) % 29) as f64 / 9.0 - 1.5;
        let first: Vec<f64> = (0..n * d).map(value).collect();
        let second: Vec<f64> = (0..n * d).map(|i| 0.8 * value(i) + 0.1 * value(i + 7)).collect();
        (
            Table::new("a", first, n, d).unwrap(),
            Table::new("b", second, n, d).unwrap(),
        )
    }

    fn row(table: &Table, i: usize, normalized: bool) -> Vec<f64> {
        let row = &table.values()[i * table.columns()..(i + 1) * table.columns()];
        let norm = if normalized {
            row.iter().map(|x| x * x).sum::<f64>().sqrt()
        } else {
            1.0
        };
        row.iter().map(|x| x / norm).collect()
    }

    fn logit(x: &[f64], y: &[f64], temperature: f64) -> f64 {
        x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>() / temperature
    }

    fn close(enclosed: Enclosure, expected: f64) {
        assert!(
            (enclosed.midpoint() - expected).abs() < 1e-12 * expected.max(1.0),
            "{enclosed:?} {expected}"
        );
        assert!(enclosed.width() < 1e-12, "{enclosed:?}");
    }

    #[test]
    fn the_losses_are_those_of_plain_loops() {
        let (a, b) = tables(7, 3);
        for (normalize, temperature) in [(true, 0.2), (false, 1.0)] {
            let settings = ViewSettings {
                temperature,
                normalize,
                ..ViewSettings::default()
            };
            let report = views_report(&a, &b, &settings, &Unwatched).unwrap();
            let views: Vec<Vec<f64>> = (0..14)
                .map(|i| row(if i < 7 { &a } else { &b }, i % 7, normalize))
                .collect();
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
                let sum: f64 = others
                    .map(|j| core_math::exp(logit(&views[i], &views[j], temperature)))
                    .sum();
                core_math::log(sum) - logit(&views[i], &views[(i + 7) % 14], temperature)
            };
            close(report.nt_xent.loss, (0..14).map(nt_xent).sum::<f64>() / 14.0);
        }
    }

    #[test]
    fn drawn_negatives_are_averaged_over_all_draws() {
        let (a, b) = tables(4, 2);
        let settings = ViewSettings {
            negatives: vec![1, 2],
            temperature: 0.7,
            ..ViewSettings::default()
        };
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
        let same = Table::new("a", vec![1.0; 10], 5, 2).unwrap();
        let report = views_report(&same, &same, &ViewSettings::default(), &Unwatched).unwrap();
        close(report.clip, core_math::log(5.0));
        close(report.nt_xent.loss, core_math::log(9.0));
        assert_eq!((report.forth.first.lo(), report.forth.first.hi()), (0.0, 1.0));
        assert!(is_normalized(&Table::new("u", vec![0.6, 0.8], 1, 2).unwrap()) && !is_normalized(&same));
    }

    #[test]
    fn what_makes_no_pairs_is_refused() {
        let (a, b) = tables(4, 2);
        let refused = |first: &Table, second: &Table, settings: &ViewSettings| {
            views_report(first, second, settings, &Unwatched)
                .unwrap_err()
                .to_string()
        };
        let settings = ViewSettings::default();
        assert!(refused(&a, &tables(5, 2).1, &settings).contains("5 rows of 2 values, expected 4 rows of 2"));
        let (one, other) = tables(1, 2);
        assert!(refused(&one, &other, &settings).contains("two pairs"));
        let hot = ViewSettings {
            temperature: 0.0,
            ..settings.clone()
        };
        assert!(refused(&a, &b, &hot).contains("temperature 0"));
        let little = ViewSettings { work: 10.0, ..settings };
        assert!(refused(&a, &b, &little).contains("more than the 1.0e1 allowed"));
    }
}
