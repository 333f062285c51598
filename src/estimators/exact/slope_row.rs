//! From the polynomials of one anchor to the slopes of its logits with a strip of points.

use super::LossOptions;
use super::anchor::{Part, segments};
use super::gradient_kernels;
use super::kernels::{Instructions, STRIP};
use super::sample::Sample;
use super::slopes::{Errors, Slopes};

/// One anchor and one number of negatives.
pub(super) struct Row<'a> {
    pub(super) sample: &'a Sample<'a>,
    pub(super) options: &'a LossOptions,
    pub(super) anchor: usize,
    pub(super) number: u64,
    /// The polynomials, and the first cells of those of positives and negatives.
    pub(super) slopes: &'a Slopes,
    pub(super) first: (i32, i32),
    pub(super) errors: Errors,
}

impl Row<'_> {
    /// Adds to the slopes of the points of a strip (times the probability of the anchor) and to the errors of their columns, given cells
    /// and rests of the logits of the strip, and room for values of polynomials; answers with the sum of the errors.
    pub(super) fn write(
        &self,
        set: Instructions,
        strip: usize,
        (cells, rests): (&[i32], &[f64]),
        values: &mut [f64; STRIP],
        (slopes, columns): (&mut [f64], &mut [f64]),
    ) -> f64 {
        let (sample, options) = (self.sample, self.options);
        let class = sample.class(self.anchor);
        let (start, end) = sample.members(class);
        let weight = sample.weights[self.anchor];
        let others = if options.same_class_negatives { 1.0 } else { sample.without_class(class, options.shares) };
        let share = 1.0 / (end - start - usize::from(!options.self_positive)) as f64;
        let alone = !options.positive_in_denominator && self.number == 1;
        let begin = strip * STRIP;
        let mut errors = 0.0;
        for (from, to, part) in segments(sample, options, self.anchor) {
            let (from, to) = (from.max(begin), to.min(begin + cells.len()));
            if from >= to {
                continue;
            }
            let run = from - begin..to - begin;
            let values = &mut values[..run.len()];
            let (cells, rests) = (&cells[run.clone()], &rests[run.clone()]);
            let (slopes, columns) = (&mut slopes[run.clone()], &mut columns[run]);
            if part == Part::Rest || (part == Part::Own && options.same_class_negatives) {
                if alone {
                    values.fill(1.0);
                } else {
                    gradient_kernels::polynomials(set, cells, rests, self.first.1, &self.slopes.negatives, values);
                }
                let factors = (weight * others, self.errors.negative, self.errors.absolute);
                errors +=
                    gradient_kernels::add_weighted(set, values, &sample.weights[from..to], factors, slopes, columns);
            }
            if part == Part::Own {
                if options.positive_in_denominator {
                    gradient_kernels::polynomials(set, cells, rests, self.first.0, &self.slopes.positives, values);
                } else {
                    values.fill(1.0);
                }
                let factor = weight * share;
                let factors = (factor, factor * self.errors.positive);
                errors += gradient_kernels::subtract_scaled(set, values, factors, slopes, columns);
            }
        }
        errors
    }
}
