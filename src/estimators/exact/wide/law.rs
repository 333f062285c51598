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

impl From<&Law<'_>> for SparseLaw {
    fn from(law: &Law<'_>) -> Self {
        // Weights are positive, so that a cell without weight is empty.
        let filled = || law.cells.iter().zip(law.first..).filter(|(cell, _)| cell[0] > 0.0);
        SparseLaw {
            places: filled().map(|(_, place)| place).collect(),
            cells: filled().map(|(cell, _)| *cell).collect(),
            scale: law.scale,
            roundings: law.roundings,
        }
    }
}

impl SparseLaw {
    /// From cells, rests and weights of logits.
    fn new(mut logits: Vec<(i64, f64, f64)>, scale: f64) -> Self {
        // Stable, so that equal cells keep the order of the points.
        logits.sort_by_key(|l| l.0);
        let (mut places, mut cells) = (Vec::with_capacity(logits.len()), Vec::with_capacity(logits.len()));
        let mut fullest = 0;
        for group in logits.chunk_by(|a, b| a.0 == b.0) {
            let mut cell = [0.0; TERMS];
            for run in group.chunks(RUN) {
                let mut sums = [0.0; TERMS];
                for &(_, rest, weight) in run {
                    let p = powers(rest, weight);
                    for j in 0..TERMS {
                        sums[j] += p[j];
                    }
                }
                for j in 0..TERMS {
                    cell[j] += sums[j];
                }
            }
            places.push(group[0].0);
            cells.push(cell);
            fullest = fullest.max(group.len());
        }
        SparseLaw {
            roundings: 24.0 + (fullest.min(RUN) + fullest.div_ceil(RUN)) as f64,
            places,
            cells,
            scale,
        }
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
        let (mut own, mut rest) = (Vec::new(), Vec::new());
        for (from, to, part) in segments(sample, options, anchor) {
            let logits = (from..to).map(|y| (places[y], rests[y], sample.weights[y]));
            match part {
                Part::Own => own.extend(logits),
                Part::Rest => rest.extend(logits),
                Part::Nobody => {}
            }
        }
        let mut others = sample.without_class(sample.class(anchor), options.shares);
        if options.same_class_negatives {
            rest.extend_from_slice(&own);
            others = 1.0;
        }
        let positives = 1.0 / (sample.weights[anchor] * own.len() as f64);
        (SparseLaw::new(own, positives), SparseLaw::new(rest, others))
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
