//! How many distinct classes uniform draws have shown: its law, draw by draw.
//!
//! Every probability is enclosed, `D_{n+1}(j) = D_n(j) j/N + D_n(j-1) (N-j+1)/N`. All numbers are finite and none is negative, so that
//! lower and upper ends are two recurrences apart, each a loop over `j` that fills vector registers: the bits of the operations on intervals, and
//! counted as the work these are.
//!
//! The probability of few classes falls below the smallest normal double, and subnormal numbers slow a processor down by an order of magnitude.
//! What is below [`NEGLIGIBLE`] is therefore enclosed by zero and that.

use crate::interval::Interval;
use crate::interval::rounding::{TRUST_ERROR_TERM, product_error_by_halves, sum_error};
use crate::kernels::{InstructionSet, Kernel};
use crate::work::spend;

/// Far below every probability that is printed, and so far above the subnormal numbers that errors of products are not among them.
const NEGLIGIBLE: f64 = 1e-250;

/// The law of the number of distinct classes among some draws.
pub(super) struct DistinctClasses {
    draws: usize,
    /// Lower and upper ends of the probability of each number, `classes + 1` of them.
    ends: [Vec<f64>; 2],
    /// Ends of `j/N`: the next draw shows a class that was seen.
    stay: [Vec<f64>; 2],
    /// Ends of `(N-j+1)/N`: it shows a new one, the `j`-th.
    grow: [Vec<f64>; 2],
    instructions: InstructionSet,
}

impl DistinctClasses {
    /// No class seen, of so many; at least one.
    pub(super) fn before_any_draw(classes: usize) -> Self {
        let all = classes as f64;
        let share = |count: usize| Interval::point(count as f64) / all;
        let stay = (0..=classes).map(share);
        let grow = (0..=classes).map(|j| share(classes + 1 - j.max(1)));
        let mut none = vec![0.0; classes + 1];
        none[0] = 1.0;
        DistinctClasses {
            draws: 0,
            ends: [none.clone(), none],
            stay: ends(stay),
            grow: ends(grow),
            instructions: InstructionSet::best(),
        }
    }

    /// The probability of each number of classes, from none to all.
    pub(super) fn probabilities(&self) -> Vec<Interval> {
        let [lower, upper] = &self.ends;
        lower.iter().zip(upper).map(|(&lo, &hi)| Interval::new(lo, hi)).collect()
    }

    /// One more draw.
    pub(super) fn after_another_draw(&mut self) {
        self.draws += 1;
        let most = self.draws.min(self.ends[0].len() - 1);
        // Two products and their sum for each number.
        spend(3 * most as u64);
        self.instructions.run(Draw::<false>::of(self, most));
        self.instructions.run(Draw::<true>::of(self, most));
        for end in &mut self.ends {
            end[0] = 0.0;
        }
    }
}

fn ends(intervals: impl Iterator<Item = Interval>) -> [Vec<f64>; 2] {
    let (lower, upper) = intervals.map(|i| (i.lo(), i.hi())).unzip();
    [lower, upper]
}

/// One draw's recurrence for lower or for upper ends.
struct Draw<'a, const UPPER: bool> {
    ends: &'a mut [f64],
    stay: &'a [f64],
    grow: &'a [f64],
}

impl<'a, const UPPER: bool> Draw<'a, UPPER> {
    /// For the numbers up to `most`.
    fn of(law: &'a mut DistinctClasses, most: usize) -> Self {
        let end = usize::from(UPPER);
        Draw { ends: &mut law.ends[end][..=most], stay: &law.stay[end][..=most], grow: &law.grow[end][..=most] }
    }

    #[inline(always)]
    fn next(before: f64, at: f64, stay: f64, grow: f64) -> f64 {
        let (stays, grows) = (product::<UPPER>(at, stay), product::<UPPER>(before, grow));
        let sum = stays + grows;
        let bound = moved::<UPPER>(sum, outward::<UPPER>(sum_error(stays, grows, sum)));
        // A number of classes that cannot have been seen yet keeps its zero.
        let least = if UPPER && bound > 0.0 { NEGLIGIBLE } else { 0.0 };
        if bound < NEGLIGIBLE { least } else { bound }
    }
}

impl<const UPPER: bool> Kernel for Draw<'_, UPPER> {
    type Output = ();

    #[inline(always)]
    fn run<const WIDTH: usize>(self) {
        let Draw { ends, stay, grow } = self;
        // From above, so that what is read has not been written.
        let mut top = ends.len();
        while top > WIDTH {
            let from = top - WIDTH;
            let next: [f64; WIDTH] = std::array::from_fn(|lane| {
                let j = from + lane;
                Self::next(ends[j - 1], ends[j], stay[j], grow[j])
            });
            ends[from..top].copy_from_slice(&next);
            top = from;
        }
        for j in (1..top).rev() {
            ends[j] = Self::next(ends[j - 1], ends[j], stay[j], grow[j]);
        }
    }
}

/// Whether the true value lies beyond the rounded one, on the side on which it is to be bounded.
#[inline(always)]
fn outward<const UPPER: bool>(error: f64) -> bool {
    if UPPER { error > 0.0 } else { error < 0.0 }
}

/// The next double on that side of a number that is not negative.
#[inline(always)]
fn moved<const UPPER: bool>(value: f64, move_it: bool) -> f64 {
    let (bits, step) = (value.to_bits(), u64::from(move_it));
    f64::from_bits(if UPPER { bits + step } else { bits - step })
}

/// A bound of the product of two finite numbers, none negative.
#[inline(always)]
fn product<const UPPER: bool>(a: f64, b: f64) -> f64 {
    let product = a * b;
    // An error that may have underflowed is taken for one that lies on this side; zero stays a lower bound.
    let tiny = if UPPER { (a > 0.0) & (b > 0.0) } else { product > 0.0 };
    let seen = outward::<UPPER>(product_error_by_halves(a, b, product));
    let trusted = product >= TRUST_ERROR_TERM;
    moved::<UPPER>(product, (trusted & seen) | (!trusted & tiny))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work::counted;

    #[test]
    fn each_instruction_set_gives_what_intervals_give_to_the_bit_and_counts_the_same_work() {
        // Short of what is negligible.
        for (classes, draws) in [(1, 4), (2, 800), (5, 30), (13, 200), (40, 150)] {
            for instructions in InstructionSet::available() {
                let mut law = DistinctClasses { instructions, ..DistinctClasses::before_any_draw(classes) };
                let share = |count: usize| Interval::point(count as f64) / classes as f64;
                let mut seen = vec![Interval::ZERO; classes + 1];
                seen[0] = Interval::ONE;
                for n in 0..draws {
                    assert_eq!(law.probabilities(), seen, "{classes} classes, {n} draws, {instructions:?}");
                    let ((), by_intervals) = counted(|| {
                        for j in (1..=classes.min(n + 1)).rev() {
                            let factors = counted(|| (share(j), share(classes + 1 - j))).0;
                            seen[j] = seen[j] * factors.0 + seen[j - 1] * factors.1;
                        }
                    });
                    seen[0] = Interval::ZERO;
                    assert_eq!(counted(|| law.after_another_draw()).1, by_intervals);
                }
            }
        }
    }

    #[test]
    fn negligible_probabilities_are_enclosed_and_move_no_other() {
        for (classes, draws) in [(2, 1100), (13, 3000), (40, 4000)] {
            let mut law = DistinctClasses::before_any_draw(classes);
            let mut seen = vec![Interval::ZERO; classes + 1];
            seen[0] = Interval::ONE;
            for n in 1..=draws {
                for j in (1..=classes).rev() {
                    let share = |count: usize| Interval::point(count as f64) / classes as f64;
                    seen[j] = seen[j] * share(j) + seen[j - 1] * share(classes + 1 - j);
                }
                seen[0] = Interval::ZERO;
                law.after_another_draw();
                for (j, (found, by_intervals)) in law.probabilities().iter().zip(&seen).enumerate() {
                    assert!(
                        found.intersection(*by_intervals).is_some(),
                        "{j} of {classes} classes, {n} draws: {found:?}"
                    );
                    // What flows in from below settles at N/(N - j) times as much, at most N = 40 times.
                    assert!((found.hi() - by_intervals.hi()).abs() <= 100.0 * NEGLIGIBLE);
                    assert!((found.lo() - by_intervals.lo()).abs() <= 100.0 * NEGLIGIBLE);
                }
            }
            assert_eq!(law.probabilities()[1].lo(), 0.0, "one class alone is negligible in the end");
        }
    }
}
