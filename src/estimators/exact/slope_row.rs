//! From the polynomials of one anchor to the slopes of its logits with all points.

use super::LossOptions;
use super::anchor::{Part, segments};
use super::gradient_kernels;
use super::kernels::Instructions;
use super::sample::Sample;
use super::slopes::{Errors, Slopes};

/// From the polynomials of one anchor and one number of negatives to the slopes of its logits.
pub(super) struct Row<'a> {
    pub(super) sample: &'a Sample<'a>,
    pub(super) options: &'a LossOptions,
    pub(super) anchor: usize,
    pub(super) number: u64,
    /// The first cells of the polynomials of positives and negatives.
    pub(super) first: (i32, i32),
    pub(super) errors: Errors,
}

impl Row<'_> {
    /// Adds to slopes (times the probability of the anchor) and their errors, given cells and rests of all logits.
    pub(super) fn write(
        &self,
        set: Instructions,
        of: &Slopes,
        (cells, rests): (&[i32], &[f64]),
        values: &mut [f64],
        (slopes, errors): (&mut [f64], &mut [f64]),
    ) {
        let (sample, options) = (self.sample, self.options);
        let class = sample.class(self.anchor);
        let (start, end) = sample.members(class);
        let weight = sample.weights[self.anchor];
        let others = if options.same_class_negatives {
            1.0
        } else {
            sample.without_class(class, options.shares)
        };
        let share = 1.0 / (end - start - usize::from(!options.self_positive)) as f64;
        let alone = !options.positive_in_denominator && self.number == 1;
        for (from, to, part) in segments(sample, options, self.anchor) {
            let run = from..to;
            let (cells, rests) = (&cells[run.clone()], &rests[run.clone()]);
            let values = &mut values[run.clone()];
            if part == Part::Rest || (part == Part::Own && options.same_class_negatives) {
                if alone {
                    values.fill(1.0);
                } else {
                    gradient_kernels::polynomials(set, cells, rests, self.first.1, &of.negatives, values);
                }
                let targets = slopes[run.clone()].iter_mut().zip(&mut errors[run.clone()]);
                for ((slope, error), (value, probability)) in
                    targets.zip(values.iter().zip(&sample.weights[run.clone()]))
                {
                    let factor = weight * (probability * others);
                    *slope += factor * value;
                    *error += factor * (value.abs() * self.errors.negative + self.errors.absolute);
                }
            }
            if part == Part::Own {
                if options.positive_in_denominator {
                    gradient_kernels::polynomials(set, cells, rests, self.first.0, &of.positives, values);
                } else {
                    values.fill(1.0);
                }
                let factor = weight * share;
                let targets = slopes[run.clone()].iter_mut().zip(&mut errors[run]);
                for ((slope, error), value) in targets.zip(values.iter()) {
                    *slope -= factor * value;
                    *error += factor * (value.abs() * self.errors.positive);
                }
            }
        }
    }
}
