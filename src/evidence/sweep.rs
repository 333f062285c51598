//! What was measured along a size: one row for each size, or for each of several draws at a size.
//!
//! A sweep is drawn once and judged many ways: every row by a bound with explicit constants ([`Sweep::at_each`]), the growth of
//! one of its quantities by a [`Trend`], all draws at once or one summary of the draws at each size. Draws come from the stream
//! of the trial, so that a redraw is a new draw.

use crate::claim::{Evaluation, all_of, at_most};
use crate::trend::Trend;
use enclosures::enclosure::{Enclosure, exact};

/// Rows in the order in which they were measured; the size may repeat.
///
/// ```
/// use contrapositive::claim::Evaluation;
/// use contrapositive::judge::{Judgement, judge};
/// use contrapositive::sweep::Sweep;
///
/// // Areas and perimeters of squares.
/// let sides = [(1.0, ()), (2.0, ()), (4.0, ()), (8.0, ())];
/// let squares = Sweep::of("side", sides.map(|(s, ())| (s, (s * s, 4.0 * s))));
/// let answer = |evaluation| match evaluation {
///     Evaluation::Compared(c) => judge(&c),
///     other => panic!("{other:?}"),
/// };
/// assert_eq!(answer(squares.trend(|q| q.0).grows_like(2.0)), Judgement::Holds);
/// assert_eq!(answer(squares.trend(|q| q.1).grows_like(2.0)), Judgement::Violated);
/// ```
#[derive(Clone, Debug)]
pub struct Sweep<T> {
    size: &'static str,
    rows: Vec<(f64, T)>,
}

impl<T> Sweep<T> {
    /// Rows `(size, what was measured there)`; `size` is what the reader calls the size ("m").
    pub fn of(size: &'static str, rows: impl IntoIterator<Item = (f64, T)>) -> Self {
        Sweep { size, rows: rows.into_iter().collect() }
    }

    /// Measures every size as often as it says: `places` are pairs of a size and a number of draws.
    ///
    /// # Errors
    /// The first error of `measure`, which is given the size and the number of the draw.
    pub fn drawn<E>(
        size: &'static str,
        places: impl IntoIterator<Item = (usize, usize)>,
        mut measure: impl FnMut(usize, usize) -> Result<T, E>,
    ) -> Result<Self, E> {
        let mut rows = Vec::new();
        for (at, draws) in places {
            for draw in 0..draws {
                rows.push((at as f64, measure(at, draw)?));
            }
        }
        Ok(Sweep { size, rows })
    }

    /// What the reader calls the size.
    #[must_use]
    pub fn size(&self) -> &'static str {
        self.size
    }

    /// Sizes with what was measured there.
    #[must_use]
    pub fn rows(&self) -> &[(f64, T)] {
        &self.rows
    }

    /// One row for each size, made of the rows of that size, which stand side by side.
    pub fn summed_up<U>(&self, summary: impl Fn(&[&T]) -> U) -> Sweep<U> {
        let groups = self.rows.chunk_by(|a, b| a.0 == b.0);
        Sweep::of(
            self.size,
            groups.map(|group| {
                let rows: Vec<&T> = group.iter().map(|(_, row)| row).collect();
                (group[0].0, summary(&rows))
            }),
        )
    }

    /// The median over the draws of each size, the upper one of two middle values.
    pub fn median(&self, of: impl Fn(&T) -> f64) -> Sweep<f64> {
        self.summed_up(|rows| median(rows.iter().map(|row| of(row))))
    }

    /// The root mean square over the draws of each size.
    pub fn root_mean_square(&self, of: impl Fn(&T) -> f64) -> Sweep<f64> {
        self.summed_up(|rows| root_mean_square(rows.iter().map(|row| of(row))))
    }

    /// The growth of one quantity along the size, through every row.
    pub fn trend(&self, of: impl Fn(&T) -> f64) -> Trend {
        let points: Vec<(f64, f64)> = self.rows.iter().map(|(at, row)| (*at, of(row))).collect();
        Trend::through(&points).named(self.size)
    }

    /// A quantity that is not negative is `O(size^exponent)`; where it is below `zero` at every size it is smaller than any
    /// power and there is no trend to fit.
    pub fn vanishes_like(&self, exponent: f64, zero: f64, of: impl Fn(&T) -> f64) -> Evaluation {
        let most = self.rows.iter().fold(0.0, |m: f64, (_, row)| m.max(of(row)));
        if most < zero {
            return at_most(Enclosure::measured(most), exact(zero)).as_trend().noting("zero at every size");
        }
        self.trend(of).grows_at_most(exponent)
    }

    /// The statement that holds at every row, judged by the worst one, which the note names by its size.
    pub fn at_each(&self, judged: impl Fn(f64, &T) -> Evaluation) -> Evaluation {
        let rows = self.rows.iter();
        all_of(rows.map(|(at, row)| (format!("{} = {at}", self.size), judged(*at, row))))
    }
}

/// The upper median; not a number if there are no values.
pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut sorted: Vec<f64> = values.into_iter().collect();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN)
}

/// √(mean of squares), the squares added from first to last; not a number if there are no values.
pub fn root_mean_square(values: impl IntoIterator<Item = f64>) -> f64 {
    let (sum, count) = values.into_iter().fold((0.0, 0u32), |(sum, count), x| (sum + x * x, count + 1));
    (sum / f64::from(count)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::greater_than;
    use crate::judge::{Judgement, judge};

    fn answer(evaluation: Evaluation) -> (Judgement, String) {
        match evaluation {
            Evaluation::Compared(c) => (judge(&c), c.note.clone().unwrap_or_default()),
            other => panic!("not a comparison: {other:?}"),
        }
    }

    /// Five draws at each of six sizes, h^{−1} times 1, …, 5.
    fn inverse() -> Sweep<f64> {
        let places = (3..9).map(|k| (1 << k, 5));
        let row = |h: usize, draw: usize| Ok::<f64, ()>((draw + 1) as f64 / h as f64);
        Sweep::drawn("h", places, row).expect("no measurement fails")
    }

    #[test]
    fn every_size_is_drawn_as_often_as_it_says_and_summed_up_once() {
        let sweep = inverse();
        assert_eq!(sweep.rows().len(), 30);
        let medians = sweep.median(|x| *x);
        assert_eq!(medians.rows().len(), 6);
        assert_eq!(medians.rows()[0], (8.0, 3.0 / 8.0));
        let squares = sweep.root_mean_square(|x| *x);
        assert!((squares.rows()[1].1 - 11.0_f64.sqrt() / 16.0).abs() < 1e-15);
        assert_eq!(sweep.summed_up(|rows| rows.len()).rows()[5], (256.0, 5));
    }

    #[test]
    fn a_trend_passes_through_every_draw_or_through_the_summaries() {
        let sweep = inverse();
        let (all, note) = answer(sweep.median(|x| *x).trend(|x| *x).grows_like(-1.0));
        assert_eq!(all, Judgement::Holds);
        assert!(note.contains("6 points, h from 8 to 256"), "{note}");
        let (_, note) = answer(sweep.trend(|x| *x).grows_like(-1.0));
        assert!(note.contains("30 points"), "{note}");
    }

    #[test]
    fn what_is_zero_everywhere_vanishes_faster_than_any_power_and_what_is_not_is_fitted() {
        let nothing = inverse().vanishes_like(-3.0, 1e-12, |_| 0.0);
        assert_eq!(answer(nothing).0, Judgement::Holds);
        let tiny = Sweep::of("h", [(1.0, 1e-13), (2.0, 1e-13), (4.0, 1e-13), (8.0, 1e-3)]);
        assert_ne!(answer(tiny.vanishes_like(-3.0, 1e-12, |x| *x)).0, Judgement::Holds);
    }

    #[test]
    fn the_worst_row_is_named_by_its_size() {
        let (judgement, note) = answer(inverse().at_each(|h, x| greater_than(exact(x * h), exact(1.5))));
        assert_eq!(judgement, Judgement::Violated);
        assert!(note.starts_with("h = 8"), "{note}");
    }

    #[test]
    fn a_measurement_that_fails_ends_the_sweep() {
        let failed = Sweep::drawn("h", [(1, 1), (2, 1)], |h, _| if h == 2 { Err("no") } else { Ok(h) });
        assert_eq!(failed.map(|s| s.rows().len()), Err("no"));
    }
}
