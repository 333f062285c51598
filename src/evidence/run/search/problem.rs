//! What the methods of the search see: a function of a vector of numbers that is to be made small, a number of looks that they may take,
//! and where the hypotheses end.

use super::effort::Effort;
use super::space::Space;
use crate::claim::Subject;
use enclosures::work;

/// Why a method has to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// Its own share of looks is used up.
    Share,
    /// The search is over: something was found, or there is no effort left.
    Search,
}

/// A value and the point where it was seen.
pub(super) type Valued = (f64, Vec<f64>);

/// A value, or the end.
pub(super) type Seen = Result<f64, Stop>;

/// What one look at an instance tells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Height {
    /// Outside the domain, or without a value there.
    Nothing,
    /// How high it is, by two measures: as a fraction of its scale, and in its own units.
    At([f64; 2]),
    /// What was looked for.
    Found,
}

/// How the opposite of a height changes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slopes {
    /// By which measure.
    pub(crate) measure: usize,
    /// The numbers that entered into it, each with the slope along it; none where they are not known.
    pub(crate) along: Vec<(f64, f64)>,
}

/// How to look at an instance; where slopes are asked for and known, they are given too.
pub(crate) type Look<'a> = &'a mut dyn FnMut(&Subject, Option<&mut Slopes>) -> Height;

/// Whether an instance meets the hypotheses.
pub(crate) type Admits<'a> = &'a dyn Fn(&Subject) -> bool;

/// One space, the function on it, and what is left to spend.
pub(super) struct SearchProblem<'a, 'b> {
    pub(super) space: &'a mut Space,
    look: Look<'b>,
    admits: Admits<'b>,
    pub(super) effort: &'a mut Effort,
    /// Which measure of height counts.
    pub(super) measure: usize,
    /// Looks that the method at work may still take.
    pub(super) share: usize,
    /// The best point by either measure, with its value.
    pub(super) best: &'a mut [Valued; 2],
    pub(super) found: bool,
    /// The individuals that evolve, by either measure.
    pub(super) population: &'a mut [Vec<Valued>; 2],
    lowest: Option<Valued>,
    point: Vec<f64>,
}

/// What a look costs beside the work that it counts: moving an instance, asking for its hypotheses, comparing, judging.
const LOOK: u64 = 50;

/// What it costs to ask for the hypotheses alone.
const QUESTION: u64 = 20;

/// The relative change that tells numbers apart.
const NUDGE: f64 = 1.0 / (1u64 << 40) as f64;

/// Quarters of whole numbers up to this are plain.
const PLAIN: f64 = 64.0;

/// How often the way to a point outside the hypotheses is halved.
const HALVINGS: usize = 32;

/// How often a way within the hypotheses is doubled before it counts as having no end.
const DOUBLINGS: usize = 12;

impl<'a, 'b> SearchProblem<'a, 'b> {
    pub(super) fn new(
        space: &'a mut Space,
        look: Look<'b>,
        admits: Admits<'b>,
        effort: &'a mut Effort,
        (best, population): (&'a mut [Valued; 2], &'a mut [Vec<Valued>; 2]),
    ) -> Self {
        SearchProblem {
            space,
            look,
            admits,
            effort,
            measure: 0,
            share: 0,
            best,
            found: false,
            population,
            lowest: None,
            point: Vec::new(),
        }
    }

    /// The value at a point: the smaller, the closer to what is looked for; infinite where there is none.
    pub(super) fn value(&mut self, at: &[f64]) -> Seen {
        self.seen(at, None)
    }

    /// The slopes at a point along the numbers that may move, in their order, as far as the operations of the check tell: none where they
    /// were not recorded, and where two numbers cannot be told apart.
    pub(super) fn slopes(&mut self, at: &[f64]) -> Result<Option<Vec<f64>>, Stop> {
        if self.space.is_repaired() {
            return Ok(None);
        }
        let mut slopes = Slopes { measure: self.measure, along: Vec::new() };
        let value = self.seen(&self.told_apart(at), Some(&mut slopes))?;
        let slopes = slopes.along;
        if !value.is_finite() || slopes.is_empty() {
            return Ok(None);
        }
        let numbers: Vec<u64> = self.space.movable.iter().map(|&i| self.point[i].to_bits()).collect();
        let mut sorted = numbers.clone();
        sorted.sort_unstable();
        if sorted.windows(2).any(|pair| pair[0] == pair[1]) {
            return Ok(None);
        }
        let along = |bits: &u64| slopes.iter().find(|(x, _)| x.to_bits() == *bits).map_or(0.0, |(_, slope)| *slope);
        let found: Vec<f64> = numbers.iter().map(along).collect();
        Ok(found.iter().all(|s| s.is_finite()).then_some(found))
    }

    /// The point with the last digits of some numbers changed: of those that are equal, and of plain ones, which may be constants of the
    /// check as well. What was recorded knows a number by its digits only.
    fn told_apart(&self, at: &[f64]) -> Vec<f64> {
        let mut point = at.to_vec();
        let mut known: Vec<u64> = Vec::with_capacity(self.space.movable.len());
        for (place, &index) in self.space.movable.iter().enumerate() {
            let x = point[index];
            let is_plain = x.abs() <= PLAIN && (4.0 * x).fract() == 0.0;
            if self.space.grid[index] == 0.0 && (is_plain || known.contains(&x.to_bits())) {
                let nudge = (place + 1) as f64 * NUDGE;
                point[index] = if x == 0.0 { nudge * self.space.spread[index] } else { x * (1.0 - nudge) };
            }
            known.push(point[index].to_bits());
        }
        point
    }

    fn seen(&mut self, at: &[f64], slopes: Option<&mut Slopes>) -> Seen {
        if self.found || self.effort.is_spent() {
            return Err(Stop::Search);
        }
        self.share = self.share.checked_sub(1).ok_or(Stop::Share)?;
        self.point.clear();
        self.point.extend_from_slice(at);
        let restoring = self.space.restore(&mut self.point);
        // Types may have to compute where a point lies.
        let (subject, placing) = work::counted(|| self.space.at(&self.point));
        let Some(subject) = subject else {
            self.effort.spend(LOOK + placing);
            return Ok(f64::INFINITY);
        };
        let (height, work) = work::counted(|| (self.look)(subject, slopes));
        self.effort.spend(LOOK + self.point.len() as u64 / 4 + restoring + placing + work);
        self.effort.costliest = self.effort.costliest.max(work);
        match height {
            Height::Nothing => Ok(f64::INFINITY),
            Height::Found => {
                self.found = true;
                Err(Stop::Search)
            }
            Height::At(heights) => {
                for (measure, height) in heights.into_iter().enumerate() {
                    if -height < self.best[measure].0 {
                        self.best[measure].0 = -height;
                        self.best[measure].1.clone_from(&self.point);
                    }
                }
                let value = -heights[self.measure];
                let value = if value.is_nan() { f64::INFINITY } else { value };
                if self.lowest.as_ref().is_none_or(|(lowest, _)| value < *lowest) {
                    self.lowest = Some((value, self.point.clone()));
                }
                Ok(value)
            }
        }
    }

    /// The point as it is looked at: within the ends, with what the starts have in common.
    pub(super) fn restored(&self, at: &[f64]) -> Vec<f64> {
        let mut point = at.to_vec();
        self.space.restore(&mut point);
        point
    }

    /// Whether the hypotheses are met at a point. Costs little and is no look.
    pub(super) fn admits(&mut self, at: &[f64]) -> bool {
        self.point.clear();
        self.point.extend_from_slice(at);
        self.space.restore(&mut self.point);
        let (subject, placing) = work::counted(|| self.space.at(&self.point));
        let Some(subject) = subject else {
            return false;
        };
        let (met, work) = work::counted(|| (self.admits)(subject));
        self.effort.work(QUESTION + self.point.len() as u64 / 8 + placing + work);
        met
    }

    /// The last point on the way from `inside` at which the hypotheses are met; none if they are met all the way, or not even at its
    /// beginning.
    pub(super) fn drawn_in(&mut self, inside: &[f64], at: &[f64]) -> Option<Vec<f64>> {
        if !self.admits(inside) || self.admits(at) {
            return None;
        }
        let between = |t: f64| -> Vec<f64> { inside.iter().zip(at).map(|(a, b)| a + t * (b - a)).collect() };
        let (mut good, mut bad) = (0.0, 1.0);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (good + bad);
            if self.admits(&between(middle)) {
                good = middle;
            } else {
                bad = middle;
            }
        }
        Some(between(good))
    }

    /// The last point on the way from `inside` through `at`, and on beyond it, at which the hypotheses are met; none if they are met
    /// however far one goes.
    pub(super) fn drawn_out(&mut self, inside: &[f64], at: &[f64]) -> Option<Vec<f64>> {
        let mut good = inside.to_vec();
        let mut far = at.to_vec();
        for _ in 0..DOUBLINGS {
            if let Some(end) = self.drawn_in(&good, &far) {
                return Some(end);
            }
            if !self.admits(&far) {
                return None;
            }
            let next = far.iter().zip(inside).map(|(f, i)| f + (f - i)).collect();
            good = std::mem::replace(&mut far, next);
        }
        None
    }

    /// Lets a method work with no more than `share` looks of what is left, and gives the lowest point that it saw.
    pub(super) fn apart(
        &mut self,
        share: usize,
        work: impl FnOnce(&mut Self) -> Result<(), Stop>,
    ) -> Result<Option<Valued>, Stop> {
        let before = self.share;
        let granted = share.min(before);
        self.share = granted;
        self.lowest = None;
        let ended = work(self);
        self.share += before - granted;
        match ended {
            Err(Stop::Search) => Err(Stop::Search),
            Err(Stop::Share) if self.share == 0 => Err(Stop::Share),
            _ => Ok(self.lowest.take()),
        }
    }

    /// The last double on the way from a number that the hypotheses allow to the end of its range at which they still do, the other
    /// numbers staying.
    pub(super) fn end_of(&mut self, at: &[f64], index: usize, upper: bool) -> f64 {
        let (low, high) = self.space.ends[index];
        let end = if upper { high } else { low };
        let mut moved = at.to_vec();
        let mut allows = |problem: &mut Self, x: f64| {
            moved[index] = x;
            problem.admits(&moved)
        };
        if allows(self, end) {
            return end;
        }
        let (mut good, mut bad) = (order_of(at[index]), order_of(end));
        while good.abs_diff(bad) > 1 {
            let middle = midway(good, bad);
            if allows(self, double_at(middle)) {
                good = middle;
            } else {
                bad = middle;
            }
        }
        double_at(good)
    }
}

fn midway(a: i64, b: i64) -> i64 {
    ((i128::from(a) + i128::from(b)) / 2) as i64
}

/// The number of a double among all doubles, zero for zero: neighbours have neighbouring numbers.
pub(super) fn order_of(x: f64) -> i64 {
    let magnitude = (x.abs().to_bits()) as i64;
    if x < 0.0 { -magnitude } else { magnitude }
}

/// The double with a number.
pub(super) fn double_at(order: i64) -> f64 {
    let x = f64::from_bits(order.unsigned_abs());
    if order < 0 { -x } else { x }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_are_numbered_in_order() {
        for x in [0.0, 1.0, -1.0, 5e-324, f64::MAX, -0.3] {
            assert_eq!(double_at(order_of(x)), x);
            assert_eq!(double_at(order_of(x) + i64::from(x < f64::MAX)), if x < f64::MAX { x.next_up() } else { x });
        }
        assert!(order_of(-1.0) < order_of(-0.5) && order_of(-0.5) < order_of(0.0));
        assert_eq!(midway(-3, 8), 2);
    }
}
