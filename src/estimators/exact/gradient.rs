//! The gradient of the exact loss with respect to every embedding.
//!
//! With `W_xy = rho_x dL_x/da_xy` (see [`super::slopes`]) and `a_xy = f(x).f(y)/temperature`, a point acts as anchor and as what anchors meet:
//! `dL/df(i) = sum_y (W_iy + W_yi) f(y) / temperature`. A block of anchors meets all points twice: first for the moments of its logits, which give
//! the polynomials of its slopes; then strip by strip, where the slopes of a tile are written down and multiplied with the embeddings at once,
//! along its rows and along its columns. Blocks follow one another and share out their work by anchors, then by strips, so that
//! every sum has one order.

use std::ops::Range;

use rayon::prelude::*;

use super::anchor::{AnchorMoments, Workspace};
use super::inner_products::SplitLogits;
use super::kernels::{ANCHORS, Instructions, STRIP};
use super::reference_slopes::{self, LogitSlope};
use super::sample::Sample;
use super::slope_row::Row;
use super::slopes::{Errors, SlopeTables, Slopes};
use super::spare::Spare;
use super::table::Cell;
use super::tile_products::{self, LANES, ROWS, TILE};
use super::{LARGEST, LossOptions, Problem, check};
use crate::EstimatorError;
use contrastive::LogarithmBase;
use contrastive::data::LabelledPoints;
use enclosures::enclosure::Enclosure;
use enclosures::interval::Interval;

/// Bytes of the logits and polynomials of one block of anchors.
const BLOCK_BYTES: usize = 1 << 26;
/// Most anchors of a block, which are a multiple of the other.
const BLOCK: usize = 64;
const BLOCK_STEP: usize = 4;
/// Most anchors of a block that meet a strip one after another while it is in the cache.
const AT_ONCE: usize = 32;
const U: f64 = f64::EPSILON / 2.0;

/// The derivatives of one loss with respect to the coordinates of all points.
#[derive(Clone, Debug, PartialEq)]
pub struct LossGradient {
    negatives: u64,
    dimension: usize,
    values: Vec<f64>,
    /// Per point: the error of the sum of the slopes it takes part in.
    errors: Vec<f64>,
    /// Per coordinate: the largest absolute value among the points.
    sizes: Vec<f64>,
}

impl LossGradient {
    /// The number of negatives of the loss.
    #[must_use]
    pub fn negatives(&self) -> u64 {
        self.negatives
    }

    /// The number of points.
    #[must_use]
    pub fn points(&self) -> usize {
        self.errors.len()
    }

    /// All derivatives, point by point in the order of the data: `points x dimension` numbers.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The derivative with respect to one coordinate of one point, enclosed; none outside the data.
    #[must_use]
    pub fn entry(&self, point: usize, coordinate: usize) -> Option<Enclosure> {
        let radius = self.errors.get(point)? * self.sizes.get(coordinate)?;
        let value = *self.values.get(point * self.dimension + coordinate)?;
        Some(Interval::point(value).widened_by(radius).into())
    }

    /// The largest error bound of an entry.
    #[must_use]
    pub fn largest_radius(&self) -> f64 {
        let largest = |x: &[f64]| x.iter().copied().fold(0.0, f64::max);
        largest(&self.errors) * largest(&self.sizes)
    }
}

/// The gradients of the losses of [`super::exact_unsupervised_losses`] with respect to the embeddings, one for every number of
/// negatives, in the convention of `options`.
///
/// Every entry comes with an error bound ([`LossGradient::entry`]), a few `1e-12` of the slopes that meet in it times the largest
/// coordinate. Anchors with logits beyond 1000 take the straightforward path, and where their range exceeds 3000, the bound is all
/// there is. The cost is that of the loss, two Gram products per number of negatives, and some nanoseconds per pair and
/// number; the memory, twice the answer and 64 MB. The answer has the same bits for any number of threads and on every processor.
///
/// ```
/// use contrastive::data::LabelledPoints;
/// use contrapositive_estimators::exact::{LossOptions, exact_unsupervised_gradients};
/// let points = LabelledPoints::new(vec![1.0, -1.0], 1, vec![0, 1]).unwrap();
/// let gradient = &exact_unsupervised_gradients(&points, &[1], &LossOptions::default()).unwrap()[0];
/// // Half the negatives are at distance 2: (log 2 + log(1 + e^(-2 x^2)))/2 at x = 1, half of its derivative for each point.
/// let slope = -2.0 / (1.0 + core_math::exp(2.0));
/// let entry = gradient.entry(0, 0).unwrap();
/// assert!((entry.midpoint() - 0.5 * slope).abs() < 1e-12 && entry.width() < 1e-10);
/// ```
///
/// # Errors
/// As [`super::exact_unsupervised_losses`].
pub fn exact_unsupervised_gradients(
    points: &LabelledPoints,
    negatives: &[u64],
    options: &LossOptions,
) -> Result<Vec<LossGradient>, EstimatorError> {
    gradients_with(Instructions::detect(), points, negatives, options, &|_| ())
}

/// [`exact_unsupervised_gradients`], telling `watch` after every block of anchors what share of them is done.
///
/// # Errors
/// As there.
pub fn watched_unsupervised_gradients(
    points: &LabelledPoints,
    negatives: &[u64],
    options: &LossOptions,
    watch: &(dyn Fn(f64) + Sync),
) -> Result<Vec<LossGradient>, EstimatorError> {
    gradients_with(Instructions::detect(), points, negatives, options, watch)
}

pub(super) fn gradients_with(
    set: Instructions,
    points: &LabelledPoints,
    negatives: &[u64],
    options: &LossOptions,
    watch: &(dyn Fn(f64) + Sync),
) -> Result<Vec<LossGradient>, EstimatorError> {
    check(negatives, options)?;
    if negatives.is_empty() {
        return Ok(Vec::new());
    }
    let sample = Sample::new(points, options)?;
    let problem = Problem::new(set, &sample, negatives, options, LARGEST);
    Ok(Gradient::new(&problem).all(watch))
}

/// One request.
struct Gradient<'a> {
    problem: &'a Problem<'a>,
    tables: SlopeTables,
    /// The sorted points of every strip, filled up with zeros to `padded` coordinates, a whole number of eights: `[eight][point][coordinate]`.
    strips: Vec<Vec<f64>>,
    padded: usize,
    /// Roundings of the two products, in units of roundoff.
    roundings: f64,
    /// Anchors of a block.
    block: usize,
    /// What threads need for the moments of some anchors, and for a tile.
    gathering: Spare<(Workspace, Vec<AnchorMoments>)>,
    tiles: Spare<Tile>,
}

/// The slopes of a block of anchors with one strip, and room for values of polynomials.
struct Tile {
    slopes: Vec<f64>,
    values: [f64; STRIP],
}

/// The logits of a block of anchors, `[anchor][point]`.
struct Logits {
    cells: Vec<i32>,
    rests: Vec<f64>,
}

/// What gives the slopes of one anchor.
enum Source {
    /// Polynomials for every number of negatives with their errors, and the first cells of those of positives and negatives.
    Polynomials(Vec<(Slopes, Errors)>, (i32, i32)),
    /// All slopes for every number of negatives, times the probability of the anchor.
    Slopes(Vec<Vec<LogitSlope>>),
}

/// What all points have gathered: `[number][strip][eight][point][coordinate]`, and the errors `[number][point]`.
struct Totals {
    values: Vec<f64>,
    errors: Vec<f64>,
}

/// What one strip has given the anchors of a block for one number of negatives: `[eight][anchor][coordinate]`, and their errors.
struct StripRows {
    values: Vec<f64>,
    errors: Vec<f64>,
}

impl<'a> Gradient<'a> {
    fn new(problem: &'a Problem<'a>) -> Self {
        let (n, d) = (problem.sample.len(), problem.sample.dimension());
        let padded = d.next_multiple_of(LANES);
        let strip = |first| in_eights(problem.sample, first..(first + STRIP).min(n));
        let polynomials = 2 * (2 * problem.half as usize + 1) * problem.numbers.len() * size_of::<Cell>();
        let per_anchor = 12 * n + polynomials;
        let block = (BLOCK_BYTES / per_anchor / BLOCK_STEP * BLOCK_STEP).clamp(BLOCK_STEP, BLOCK);
        Gradient {
            problem,
            tables: SlopeTables::new(&problem.plan),
            strips: (0..n).step_by(STRIP).map(strip).collect(),
            padded,
            roundings: 160.0 + n as f64 / 64.0 + n.div_ceil(block) as f64 + n.div_ceil(STRIP) as f64,
            block,
            gathering: Spare::new(),
            tiles: Spare::new(),
        }
    }

    fn all(&self, watch: &(dyn Fn(f64) + Sync)) -> Vec<LossGradient> {
        let (n, m) = (self.problem.sample.len(), self.problem.numbers.len());
        let mut totals = Totals { values: vec![0.0; m * n * self.padded], errors: vec![0.0; m * n] };
        let mut logits = Logits { cells: vec![0; self.block * n], rests: vec![0.0; self.block * n] };
        for begin in (0..n).step_by(self.block) {
            let end = (begin + self.block).min(n);
            let sources = self.sources(&mut logits, begin, end);
            self.add(&logits, &sources, begin..end, &mut totals);
            watch(end as f64 / n as f64);
        }
        self.gradients(&totals)
    }

    /// Where the coordinates of a sorted point from an eight on stand among those that belong to one number.
    fn place(&self, point: usize, eight: usize) -> usize {
        let (strip, within) = (point / STRIP, point % STRIP);
        let points = STRIP.min(self.problem.sample.len() - strip * STRIP);
        strip * STRIP * self.padded + (eight * points + within) * LANES
    }

    /// In the order of the data, in the unit of the loss.
    fn gradients(&self, totals: &Totals) -> Vec<LossGradient> {
        let sample = self.problem.sample;
        let (n, d) = (sample.len(), sample.dimension());
        let unit = match self.problem.options.base {
            LogarithmBase::Nats => 1.0,
            LogarithmBase::Bits => std::f64::consts::LOG2_E,
        };
        let scale = unit / self.problem.options.temperature;
        let mut sizes = vec![0.0f64; d];
        for point in sample.data().points().chunks_exact(d) {
            sizes.iter_mut().zip(point).for_each(|(size, x)| *size = size.max(x.abs()));
        }
        let one = |(j, &negatives): (usize, &u64)| {
            let mut gradient = LossGradient {
                negatives,
                dimension: d,
                values: vec![0.0; n * d],
                errors: vec![0.0; n],
                sizes: sizes.clone(),
            };
            for (sorted, &i) in sample.order.iter().enumerate() {
                let values = gradient.values[i * d..][..d].chunks_mut(LANES);
                for (eight, values) in values.enumerate() {
                    let total = &totals.values[j * n * self.padded + self.place(sorted, eight)..];
                    values.iter_mut().zip(total).for_each(|(value, total)| *value = scale * total);
                }
                gradient.errors[i] = 1.01 * scale * totals.errors[j * n + sorted] + 1e-290;
            }
            gradient
        };
        self.problem.numbers.iter().enumerate().map(one).collect()
    }

    /// Logits and polynomials of the sorted points `begin .. end`.
    fn sources(&self, logits: &mut Logits, begin: usize, end: usize) -> Vec<Source> {
        let n = self.problem.sample.len();
        let share = (end - begin) / rayon::current_num_threads() / ANCHORS * ANCHORS;
        let share = share.clamp(ANCHORS, AT_ONCE);
        let groups = (logits.cells.par_chunks_mut(share * n))
            .zip(logits.rests.par_chunks_mut(share * n))
            .take((end - begin).div_ceil(share));
        let memory = || {
            let cells = self.problem.cells();
            let moments = (0..AT_ONCE).map(|_| AnchorMoments::new(cells)).collect();
            (Workspace::new(cells), moments)
        };
        let sources: Vec<Vec<Source>> = enclosures::work::shared((self.problem.numbers.len() * n) as u64, || {
            let group = |(g, logits): (usize, (&mut [i32], &mut [f64]))| {
                let first = begin + g * share;
                let anchors = first..(first + share).min(end);
                self.gathering.with(memory, |(workspace, moments)| {
                    self.gather(workspace, moments, anchors.clone(), logits);
                    (anchors.zip(moments)).map(|(anchor, moments)| self.source(moments, anchor)).collect()
                })
            };
            groups.enumerate().map(group).collect()
        });
        sources.into_iter().flatten().collect()
    }

    /// Logits and moments of some sorted points.
    fn gather(
        &self,
        workspace: &mut Workspace,
        moments: &mut [AnchorMoments],
        anchors: Range<usize>,
        (cells, rests): (&mut [i32], &mut [f64]),
    ) {
        let problem = self.problem;
        let n = problem.sample.len();
        moments.iter_mut().for_each(AnchorMoments::clear);
        let groups = problem.groups(&anchors);
        for strip in 0..n.div_ceil(STRIP) {
            for group in &groups {
                let slot = group.0.start - anchors.start;
                let at = slot * n + strip * STRIP;
                let logits = SplitLogits {
                    cells: &mut cells[at..],
                    rests: &mut rests[at..],
                    stride: n,
                    count: problem.points_of(strip),
                };
                workspace.gather_and_split(problem, strip, group, &mut moments[slot..], logits);
            }
        }
    }

    /// What gives the slopes of an anchor.
    fn source(&self, moments: &mut AnchorMoments, anchor: usize) -> Source {
        let problem = self.problem;
        let (sample, options) = (problem.sample, problem.options);
        let fast = problem.within(anchor).then(|| {
            let laws = moments.laws(sample, options, anchor, -problem.half);
            let (positives, negatives) = laws?;
            let coupled = options.positive_in_denominator.then_some(&positives);
            let slopes = problem.plan.slopes((&self.tables, &problem.wide), coupled, &negatives)?;
            let place = |first: i64| (first + i64::from(problem.half)) as i32;
            Some((slopes, (place(positives.first), place(negatives.first))))
        });
        let numbers = problem.numbers.iter();
        match fast.flatten() {
            Some((slopes, first)) => {
                let of_logits = core_math::expm1(2.02 * problem.logit_error(anchor));
                let rounding = 1.01 * (of_logits + U * self.roundings);
                let with_errors = |(slopes, &number): (Slopes, &u64)| {
                    let mut errors = Errors {
                        negative: slopes.errors.negative + rounding,
                        positive: slopes.errors.positive + rounding,
                        absolute: slopes.errors.absolute,
                    };
                    // Slopes that are one.
                    if !options.positive_in_denominator {
                        errors.positive = 1.01 * U * self.roundings;
                        if number == 1 {
                            (errors.negative, errors.absolute) = (errors.positive, 0.0);
                        }
                    }
                    (slopes, errors)
                };
                Source::Polynomials(slopes.into_iter().zip(numbers).map(with_errors).collect(), first)
            }
            None => {
                let weight = sample.weights[anchor];
                let weigh = |slope: LogitSlope| LogitSlope {
                    value: weight * slope.value,
                    error: weight * (slope.error + 1.01 * U * self.roundings * slope.value.abs()),
                };
                let of = |&number: &u64| {
                    let slopes = reference_slopes::anchor_slopes(sample, anchor, number, options);
                    slopes.into_iter().map(weigh).collect()
                };
                Source::Slopes(numbers.map(of).collect())
            }
        }
    }

    /// Adds what the anchors of a block, and the points as what these meet, have to do with each other.
    fn add(&self, logits: &Logits, sources: &[Source], anchors: Range<usize>, totals: &mut Totals) {
        let of_block = &in_eights(self.problem.sample, anchors.clone());
        let begin = anchors.start;
        let (n, m) = (self.problem.sample.len(), self.problem.numbers.len());
        let strips = n.div_ceil(STRIP);
        let columns = (totals.values.par_chunks_mut(n * self.padded)).zip(totals.errors.par_chunks_mut(n));
        let rows: Vec<Vec<StripRows>> = enclosures::work::shared((m * n) as u64, || {
            let of_number = |(j, (values, errors)): (usize, (&mut [f64], &mut [f64]))| {
                let columns = (values.par_chunks_mut(STRIP * self.padded)).zip(errors.par_chunks_mut(STRIP));
                let of_strip = |(strip, columns)| {
                    let add =
                        |tile: &mut Tile| self.add_tile(tile, logits, (sources, of_block), begin, (j, strip), columns);
                    self.tiles.with(Tile::new, add)
                };
                columns.enumerate().map(of_strip).collect()
            };
            columns.enumerate().map(of_number).collect()
        });
        debug_assert!(rows.iter().all(|rows| rows.len() == strips), "a tile for every strip");
        for (j, rows) in rows.iter().enumerate() {
            for rows in rows {
                let height = rows.values.len() / self.padded;
                for (eight, values) in rows.values.chunks_exact(height * LANES).enumerate() {
                    for (anchor, values) in anchors.clone().zip(values.chunks_exact(LANES)) {
                        let to = &mut totals.values[j * n * self.padded + self.place(anchor, eight)..];
                        to.iter_mut().zip(values).for_each(|(to, from)| *to += from);
                    }
                }
                let errors = totals.errors[j * n + begin..].iter_mut().zip(&rows.errors);
                errors.take(sources.len()).for_each(|(to, from)| *to += from);
            }
        }
    }

    /// The slopes of a block with one strip, multiplied with the vectors of the block for the columns, with those of the strip for the
    /// rows.
    fn add_tile(
        &self,
        tile: &mut Tile,
        logits: &Logits,
        (sources, of_block): (&[Source], &[f64]),
        begin: usize,
        (j, strip): (usize, usize),
        (values, errors): (&mut [f64], &mut [f64]),
    ) -> StripRows {
        let problem = self.problem;
        let (set, n) = (problem.plan.set, problem.sample.len());
        let (from, count) = (strip * STRIP, errors.len());
        let height = sources.len().next_multiple_of(ROWS);
        let Tile { slopes: tile, values: room } = tile;
        tile.resize(height * TILE, 0.0);
        let mut rows = StripRows { values: vec![0.0; height * self.padded], errors: vec![0.0; sources.len()] };
        for (a, slopes) in tile.chunks_exact_mut(TILE).enumerate() {
            slopes.fill(0.0);
            let (Some(source), slopes) = (sources.get(a), &mut slopes[..count]) else {
                continue;
            };
            match source {
                Source::Polynomials(all, first) => {
                    let Some((of, errors_of)) = all.get(j) else {
                        continue;
                    };
                    let row = Row {
                        sample: problem.sample,
                        options: problem.options,
                        anchor: begin + a,
                        number: problem.numbers[j],
                        slopes: of,
                        first: *first,
                        errors: *errors_of,
                    };
                    let at = a * n + from..a * n + from + count;
                    let logits = (&logits.cells[at.clone()], &logits.rests[at]);
                    rows.errors[a] = row.write(set, strip, logits, room, (slopes, &mut *errors));
                }
                Source::Slopes(all) => {
                    let own = all.get(j).and_then(|own| own.get(from..from + count)).unwrap_or(&[]);
                    for ((slope, column), own) in slopes.iter_mut().zip(&mut *errors).zip(own) {
                        *slope = own.value;
                        *column += own.error;
                        rows.errors[a] += own.error;
                    }
                }
            }
        }
        tile_products::row_products(set, tile, &self.strips[strip], count, &mut rows.values);
        tile_products::add_column_products(set, tile, of_block, (sources.len(), count), values);
        rows
    }
}

impl Tile {
    fn new() -> Self {
        Tile { slopes: Vec::new(), values: [0.0; STRIP] }
    }
}

/// The coordinates of some sorted points, eight by eight: `[eight][point][coordinate]`, zeros where there are no more.
fn in_eights(sample: &Sample<'_>, points: Range<usize>) -> Vec<f64> {
    let mut all = vec![0.0; points.len() * sample.dimension().next_multiple_of(LANES)];
    for (eight, vectors) in all.chunks_exact_mut(points.len() * LANES).enumerate() {
        for (point, vector) in points.clone().zip(vectors.chunks_exact_mut(LANES)) {
            let coordinates = sample.point(point).iter().skip(eight * LANES);
            vector.iter_mut().zip(coordinates).for_each(|(to, x)| *to = *x);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the errors of slopes consist of: those of the slopes themselves, of the logits, and the roundings of the sums.
    #[test]
    fn errors_of_slopes_take_in_those_of_logits_and_sums_and_little_else() {
        // Five points near the origin, and two whose logits with each other are beyond every histogram.
        let coordinates = vec![0.3, -0.2, 0.1, 0.7, -0.5, 0.4, 0.6, 0.2, -0.1, -0.3, 38.0, 1.0, 36.0, -1.0];
        let points = LabelledPoints::new(coordinates, 2, vec![0, 1, 0, 1, 0, 1, 0]).unwrap();
        let (options, numbers) = (LossOptions::default(), [3, 50]);
        let sample = Sample::new(&points, &options).unwrap();
        let n = sample.len();
        let problem = Problem::new(Instructions::detect(), &sample, &numbers, &options, LARGEST);
        let gradient = Gradient::new(&problem);
        let mut logits = Logits { cells: vec![0; gradient.block * n], rests: vec![0.0; gradient.block * n] };
        let of_sums = U * gradient.roundings;
        let mut slow = 0;
        for (anchor, source) in gradient.sources(&mut logits, 0, n).into_iter().enumerate() {
            assert_eq!(problem.within(anchor), matches!(source, Source::Polynomials(..)), "{anchor}");
            match source {
                Source::Polynomials(all, _) => {
                    let least = 2.0 * problem.logit_error(anchor) + of_sums;
                    for (slopes, errors) in all {
                        for (of_slope, error) in
                            [(slopes.errors.negative, errors.negative), (slopes.errors.positive, errors.positive)]
                        {
                            assert!(error >= of_slope + least, "{anchor}: {error:e} {of_slope:e} {least:e}");
                            assert!(error <= of_slope + 1.05 * least, "{anchor}: {error:e} {of_slope:e} {least:e}");
                        }
                    }
                }
                Source::Slopes(all) => {
                    slow += 1;
                    let weight = sample.weights[anchor];
                    for (own, number) in all.iter().zip(numbers) {
                        let slopes = reference_slopes::anchor_slopes(&sample, anchor, number, &options);
                        for (own, slope) in own.iter().zip(slopes) {
                            let error = weight * (slope.error + of_sums * slope.value.abs());
                            assert_eq!(own.value, weight * slope.value);
                            assert!(own.error >= error && own.error <= 1.05 * error, "{anchor}: {own:?} {slope:?}");
                        }
                    }
                }
            }
        }
        assert_eq!(slow, 2);
    }
}
