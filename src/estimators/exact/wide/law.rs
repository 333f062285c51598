//! The moments of one anchor's logits in sorted cells, of which only those are stored that are not empty.

use crate::exact::anchor::{Part, segments};
use crate::exact::kernels::{Instructions, RUN, powers};
use crate::exact::logits::AccurateLogits;
use crate::exact::options::LossOptions;
use crate::exact::quadrature::Law;
use crate::exact::sample::Sample;
use crate::exact::table::{CELLS, Cell, TERMS};
use enclosures::interval::Interval;

const U: f64 = f64::EPSILON / 2.0;

/// The moments of one law of logits: non-empty cells only.
pub(in crate::exact) struct SparseLaw {
    /// Places on the grid of logits, ascending.
    pub(super) places: Vec<i64>,
    /// Moments, place by place.
    pub(super) cells: Vec<Cell>,
    /// What turns weights into probabilities.
    pub(super) scale: f64,
    /// Roundings behind every moment.
    pub(super) roundings: f64,
}

/// The logits of an anchor with all points: places on the grid, what is left, and weights.
struct PlacedLogits<'a> {
    places: &'a [i64],
    rests: &'a [f64],
    weights: &'a [f64],
}

impl PlacedLogits<'_> {
    /// Ascending points by the places of their logits, equal ones in their own order.
    fn sorted(&self, mut points: Vec<usize>) -> Vec<usize> {
        let narrow = |place: i64| i32::try_from(place).is_ok();
        if self.places.len() <= u32::MAX as usize && points.iter().all(|&y| narrow(self.places[y])) {
            // Both in one number, which is compared at once.
            let key = |&y: &usize| self.places[y] << 32 | y as i64;
            let mut keys: Vec<i64> = points.iter().map(key).collect();
            keys.sort_unstable();
            points.iter_mut().zip(keys).for_each(|(y, key)| *y = key as u32 as usize);
        } else {
            points.sort_unstable_by_key(|&y| (self.places[y], y));
        }
        points
    }

    /// Both of two sorted lists, of equal places those of the first list first.
    fn merged(&self, first: &[usize], second: &[usize]) -> Vec<usize> {
        let mut all = Vec::with_capacity(first.len() + second.len());
        let mut rest = first;
        for &y in second {
            let before = rest.iter().take_while(|&&x| self.places[x] <= self.places[y]).count();
            all.extend_from_slice(&rest[..before]);
            all.push(y);
            rest = &rest[before..];
        }
        all.extend_from_slice(rest);
        all
    }
}

impl From<&Law<'_>> for SparseLaw {
    fn from(law: &Law<'_>) -> Self {
        let most = law.cells.len();
        let (mut places, mut cells) = (Vec::with_capacity(most), Vec::with_capacity(most));
        for (cell, place) in law.cells.iter().zip(law.first..) {
            // Weights are positive, so that a cell without weight is empty.
            if cell[0] > 0.0 {
                places.push(place);
                cells.push(*cell);
            }
        }
        SparseLaw { places, cells, scale: law.scale, roundings: law.roundings }
    }
}

impl SparseLaw {
    /// From the logits of all points and the order in which those of the law lie on the grid.
    fn new(logits: &PlacedLogits<'_>, order: &[usize], scale: f64) -> Self {
        let (mut places, mut cells) = (Vec::with_capacity(order.len()), Vec::with_capacity(order.len()));
        let mut fullest = 0;
        for group in order.chunk_by(|&a, &b| logits.places[a] == logits.places[b]) {
            let mut cell = [0.0; TERMS];
            for run in group.chunks(RUN) {
                let mut sums = [0.0; TERMS];
                for &y in run {
                    let p = powers(logits.rests[y], logits.weights[y]);
                    for j in 0..TERMS {
                        sums[j] += p[j];
                    }
                }
                for j in 0..TERMS {
                    cell[j] += sums[j];
                }
            }
            places.push(logits.places[group[0]]);
            cells.push(cell);
            fullest = fullest.max(group.len());
        }
        SparseLaw { roundings: 24.0 + (fullest.min(RUN) + fullest.div_ceil(RUN)) as f64, places, cells, scale }
    }

    /// Positives and negatives of an anchor.
    pub(in crate::exact) fn of_anchor(
        set: Instructions,
        sample: &Sample<'_>,
        options: &LossOptions,
        anchor: usize,
        accurate: AccurateLogits,
    ) -> (SparseLaw, SparseLaw) {
        let n = sample.len();
        let (mut places, mut rests) = (vec![0; n], vec![0.0; n]);
        accurate.places(set, sample, anchor, &mut places, &mut rests);
        let logits = PlacedLogits { places: &places, rests: &rests, weights: &sample.weights };
        let (mut own, mut rest) = (Vec::new(), Vec::new());
        for (from, to, part) in segments(sample, options, anchor) {
            match part {
                Part::Own => own.extend(from..to),
                Part::Rest => rest.extend(from..to),
                Part::Nobody => {}
            }
        }
        let (own, mut rest) = (logits.sorted(own), logits.sorted(rest));
        let mut others = sample.without_class(sample.class(anchor), options.shares);
        if options.same_class_negatives {
            rest = logits.merged(&rest, &own);
            others = 1.0;
        }
        let positives = 1.0 / (sample.weights[anchor] * own.len() as f64);
        (SparseLaw::new(&logits, &own, positives), SparseLaw::new(&logits, &rest, others))
    }

    /// The expectation of the logit.
    pub(in crate::exact) fn mean_logit(&self) -> Interval {
        let (mut sum, mut size) = (CompensatedSum::default(), 0.0);
        for (&place, cell) in self.places.iter().zip(&self.cells) {
            sum.add(cell[0] * place as f64);
            sum.add(cell[1]);
            size += cell[0] * (place.abs() as f64 + 1.0);
        }
        let scale = self.scale / CELLS as f64;
        Interval::point(sum.value() * scale).widened_by(1.01 * U * (self.roundings + 16.0) * size * scale)
    }
}

/// A sum that carries its rounding errors along (Neumaier).
#[derive(Clone, Copy, Default)]
pub(super) struct CompensatedSum {
    sum: f64,
    carry: f64,
}

impl CompensatedSum {
    /// One more term.
    pub(super) fn add(&mut self, x: f64) {
        let next = self.sum + x;
        let back = next - self.sum;
        self.carry += (self.sum - (next - back)) + (x - back);
        self.sum = next;
    }

    /// The sum so far.
    pub(super) fn value(self) -> f64 {
        self.sum + self.carry
    }
}
