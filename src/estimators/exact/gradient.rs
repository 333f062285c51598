//! The gradient of the exact loss with respect to every embedding.
//!
//! With `W_xy = rho_x dL_x/da_xy` (see [`super::slopes`]) and `a_xy = f(x).f(y)/temperature`, a point acts as anchor and as what anchors meet:
//! `dL/df(i) = sum_y (W_iy + W_yi) f(y) / temperature`. The slopes of a block of anchors with all points are written down, at
//! some additions per pair and number of negatives; then come two products with the embeddings, one for the rows of the block and
//! one for its columns. Blocks follow one another and share out their work by anchors, then by points, so that every sum
//! has one order.

use rayon::prelude::*;

use super::anchor::Workspace;
use super::gradient_kernels;
use super::kernels::{ANCHORS, Instructions, STRIP};
use super::reference_slopes::{self, Slope};
use super::sample::Sample;
use super::slope_row::Row;
use super::slopes::Errors;
use super::table::Table;
use super::{LossOptions, Problem, check};
use crate::EstimatorError;
use contrastive::LogarithmBase;
use contrastive::data::LabelledPoints;
use enclosures::enclosure::Enclosure;
use enclosures::interval::Interval;

/// Bytes of the slopes of one block of anchors and their errors.
const BLOCK_BYTES: usize = 1 << 26;
/// Most anchors of a block.
const BLOCK: usize = 64;
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
/// there is. The cost is that of the loss, two Gram products per number of negatives, and some `10 ns` per pair and
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
    gradients_with(Instructions::detect(), points, negatives, options)
}

pub(super) fn gradients_with(
    set: Instructions,
    points: &LabelledPoints,
    negatives: &[u64],
    options: &LossOptions,
) -> Result<Vec<LossGradient>, EstimatorError> {
    check(negatives, options)?;
    if negatives.is_empty() {
        return Ok(Vec::new());
    }
    let sample = Sample::new(points, options)?;
    let problem = Problem::new(set, &sample, negatives, options);
    Ok(Gradient::new(&problem).all())
}

/// One request.
struct Gradient<'a> {
    problem: &'a Problem<'a>,
    tables: Vec<Table>,
    /// The sorted points, each filled up with zeros to `padded` coordinates.
    vectors: Vec<f64>,
    padded: usize,
    /// Roundings of the two products, in units of roundoff.
    roundings: f64,
    /// Anchors of a block.
    block: usize,
}

/// What is known of one block of anchors, `[anchor][number][point]` and `[anchor][number][coordinate]`.
struct Block {
    slopes: Vec<f64>,
    errors: Vec<f64>,
    rows: Vec<f64>,
}

/// One thread's memory.
struct Memory {
    workspace: Workspace,
    /// Cells and rests of all logits of a few anchors, `[anchor][point]`.
    cells: Vec<i32>,
    rests: Vec<f64>,
    values: Vec<f64>,
}

impl<'a> Gradient<'a> {
    fn new(problem: &'a Problem<'a>) -> Self {
        let (n, d) = (problem.sample.len(), problem.sample.dimension());
        let padded = d.next_multiple_of(8);
        let mut vectors = vec![0.0; n * padded];
        for (i, vector) in vectors.chunks_exact_mut(padded).enumerate() {
            vector[..d].copy_from_slice(problem.sample.point(i));
        }
        let per_anchor = 16 * n * problem.numbers.len();
        let block = (BLOCK_BYTES / per_anchor / ANCHORS * ANCHORS).clamp(ANCHORS, BLOCK);
        Gradient {
            problem,
            tables: problem.plan.slope_tables(),
            vectors,
            padded,
            roundings: 160.0 + n as f64 / 64.0 + n.div_ceil(block) as f64,
            block,
        }
    }

    fn all(&self) -> Vec<LossGradient> {
        let sample = self.problem.sample;
        let (n, m, d, padded) = (
            sample.len(),
            self.problem.numbers.len(),
            sample.dimension(),
            self.padded,
        );
        let mut totals = vec![0.0; m * n * padded];
        let mut errors = vec![0.0; m * n];
        let mut block = Block {
            slopes: vec![0.0; self.block * m * n],
            errors: vec![0.0; self.block * m * n],
            rows: vec![0.0; self.block * m * padded],
        };
        for begin in (0..n).step_by(self.block) {
            let end = (begin + self.block).min(n);
            self.fill(&mut block, begin, end);
            self.add_columns(&block, begin, end, &mut totals, &mut errors);
            for (j, anchor) in (0..m).flat_map(|j| (begin..end).map(move |anchor| (j, anchor))) {
                let row = (anchor - begin) * m + j;
                let from = &block.rows[row * padded..][..padded];
                let to = &mut totals[(j * n + anchor) * padded..][..padded];
                to.iter_mut().zip(from).for_each(|(to, from)| *to += from);
                errors[j * n + anchor] += block.errors[row * n..][..n].iter().sum::<f64>();
            }
        }
        let unit = match self.problem.options.base {
            LogarithmBase::Nats => 1.0,
            LogarithmBase::Bits => std::f64::consts::LOG2_E,
        };
        let scale = unit / self.problem.options.temperature;
        let size = |k: usize| {
            sample
                .data()
                .points()
                .iter()
                .skip(k)
                .step_by(d)
                .fold(0.0, |a: f64, x| a.max(x.abs()))
        };
        let sizes: Vec<f64> = (0..d).map(size).collect();
        let one = |(j, &negatives): (usize, &u64)| {
            let mut gradient = LossGradient {
                negatives,
                dimension: d,
                values: vec![0.0; n * d],
                errors: vec![0.0; n],
                sizes: sizes.clone(),
            };
            for (sorted, &i) in sample.order.iter().enumerate() {
                let total = &totals[(j * n + sorted) * padded..][..d];
                let values = &mut gradient.values[i * d..][..d];
                values
                    .iter_mut()
                    .zip(total)
                    .for_each(|(value, total)| *value = scale * total);
                gradient.errors[i] = 1.01 * scale * errors[j * n + sorted] + 1e-290;
            }
            gradient
        };
        self.problem.numbers.iter().enumerate().map(one).collect()
    }

    /// The slopes of the sorted points `begin .. end`, and the products of their rows with the points.
    fn fill(&self, block: &mut Block, begin: usize, end: usize) {
        let sample = self.problem.sample;
        let (n, m) = (sample.len(), self.problem.numbers.len());
        let cells = 2 * self.problem.half as usize + 1;
        let memory = || Memory {
            workspace: Workspace::new(cells, ANCHORS),
            cells: vec![0; ANCHORS * n],
            rests: vec![0.0; ANCHORS * n],
            values: vec![0.0; n],
        };
        block.rows.fill(0.0);
        let groups = (block.slopes.par_chunks_mut(ANCHORS * m * n))
            .zip(block.errors.par_chunks_mut(ANCHORS * m * n))
            .zip(block.rows.par_chunks_mut(ANCHORS * m * self.padded));
        enclosures::work::shared((m * n) as u64, || {
            groups
                .enumerate()
                .for_each_init(memory, |memory, (g, ((slopes, errors), rows))| {
                    let first = begin + g * ANCHORS;
                    if first >= end {
                        return;
                    }
                    slopes.fill(0.0);
                    errors.fill(0.0);
                    self.gather(memory, first, end);
                    for anchor in first..(first + ANCHORS).min(end) {
                        let at = (anchor - first) * m * n;
                        self.anchor(
                            memory,
                            (anchor - first, anchor),
                            &mut slopes[at..at + m * n],
                            &mut errors[at..at + m * n],
                        );
                    }
                    gradient_kernels::combine(self.problem.plan.set, slopes, n, 1, &self.vectors, self.padded, rows);
                });
        });
    }

    /// Logits and moments of up to [`ANCHORS`] sorted points from `first` on.
    fn gather(&self, memory: &mut Memory, first: usize, end: usize) {
        let problem = self.problem;
        let sample = problem.sample;
        let n = sample.len();
        let group = first..(first + ANCHORS).min(end);
        memory.workspace.clear();
        let mut packed = std::mem::take(&mut memory.workspace.packed);
        sample.packed(first, &mut packed);
        for strip in 0..n.div_ceil(STRIP) {
            problem.inner_products(&mut memory.workspace, &packed, strip, group.clone());
            for anchor in group.clone().filter(|&i| problem.within(i)) {
                problem.gather(&mut memory.workspace, strip, (anchor - first, anchor - first, anchor));
                let count = STRIP.min(n - strip * STRIP);
                let at = (anchor - first) * n + strip * STRIP;
                let (cells, rests) = memory.workspace.last_split();
                memory.cells[at..at + count].copy_from_slice(&cells[..count]);
                memory.rests[at..at + count].copy_from_slice(&rests[..count]);
            }
        }
        memory.workspace.packed = packed;
    }

    /// The slopes of one anchor for all numbers of negatives, and their errors.
    fn anchor(&self, memory: &mut Memory, (slot, anchor): (usize, usize), slopes: &mut [f64], errors: &mut [f64]) {
        let problem = self.problem;
        let (sample, options, n) = (problem.sample, problem.options, problem.sample.len());
        let weight = sample.weights[anchor];
        let fast = problem.within(anchor).then(|| {
            let laws = memory.workspace.laws(slot, sample, options, anchor, -problem.half);
            let (positives, negatives) = laws?;
            let coupled = options.positive_in_denominator.then_some(&positives);
            let slopes = problem.plan.slopes(&self.tables, coupled, &negatives)?;
            let place = |first: i64| (first + i64::from(problem.half)) as i32;
            Some((slopes, place(positives.first), place(negatives.first)))
        });
        let rows = slopes.chunks_exact_mut(n).zip(errors.chunks_exact_mut(n));
        match fast.flatten() {
            Some((polynomials, positives, negatives)) => {
                let of_logits = core_math::expm1(2.02 * problem.logit_error(anchor));
                let rounding = 1.01 * (of_logits + U * self.roundings);
                for ((of, &number), (slopes, errors)) in polynomials.iter().zip(problem.numbers).zip(rows) {
                    let mut errors_of = Errors {
                        negative: of.errors.negative + rounding,
                        positive: of.errors.positive + rounding,
                        absolute: of.errors.absolute,
                    };
                    // Slopes that are one.
                    if !options.positive_in_denominator {
                        errors_of.positive = 1.01 * U * self.roundings;
                        if number == 1 {
                            (errors_of.negative, errors_of.absolute) = (errors_of.positive, 0.0);
                        }
                    }
                    let row = Row {
                        sample,
                        options,
                        anchor,
                        number,
                        first: (positives, negatives),
                        errors: errors_of,
                    };
                    let of_anchor = slot * n..(slot + 1) * n;
                    row.write(
                        problem.plan.set,
                        of,
                        (&memory.cells[of_anchor.clone()], &memory.rests[of_anchor]),
                        &mut memory.values,
                        (slopes, errors),
                    );
                }
            }
            None => {
                for (&number, (slopes, errors)) in problem.numbers.iter().zip(rows) {
                    let reference = reference_slopes::anchor_slopes(sample, anchor, number, options);
                    for (Slope { value, error }, (slope, bound)) in
                        reference.into_iter().zip(slopes.iter_mut().zip(errors))
                    {
                        *slope = weight * value;
                        *bound = weight * (error + 1.01 * U * self.roundings * value.abs());
                    }
                }
            }
        }
    }

    /// Adds what the points are to the anchors of a block.
    fn add_columns(&self, block: &Block, begin: usize, end: usize, totals: &mut [f64], errors: &mut [f64]) {
        let (n, m) = (self.problem.sample.len(), self.problem.numbers.len());
        let anchors = &self.vectors[begin * self.padded..end * self.padded];
        let totals = totals.par_chunks_mut(n * self.padded).zip(errors.par_chunks_mut(n));
        enclosures::work::shared((m * n) as u64, || {
            totals.enumerate().for_each(|(j, (totals, errors))| {
                let strips = (totals.par_chunks_mut(STRIP * self.padded)).zip(errors.par_chunks_mut(STRIP));
                strips.enumerate().for_each(|(strip, (totals, errors))| {
                    let at = j * n + strip * STRIP;
                    gradient_kernels::combine(
                        self.problem.plan.set,
                        &block.slopes[at..],
                        1,
                        m * n,
                        anchors,
                        self.padded,
                        totals,
                    );
                    for a in 0..end - begin {
                        let from = &block.errors[a * m * n + at..];
                        errors.iter_mut().zip(from).for_each(|(to, from)| *to += from);
                    }
                });
            });
        });
    }
}
