//! Branch and bound: the box with the least known margin is halved first.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::bound::{Domain, Open, Sight, look};
use super::halving::{cut, extent};
use super::{Conclusion, CoverResult};
use crate::interval::{Dual, Interval};

/// A range as narrow as this, by its [`extent`], is halved no further.
const FINEST: f64 = 1.0 / (1u64 << 40) as f64;

/// Every so many generations the widest range is halved, whatever the slopes say, so that no parameter is starved.
const FAIR: usize = 4;

struct Waiting<const K: usize> {
    open: Open<K>,
    generation: usize,
    /// Number in order of creation, which settles ties.
    number: usize,
}

impl<const K: usize> Ord for Waiting<K> {
    fn cmp(&self, other: &Self) -> Ordering {
        // A heap yields its largest element: the least bound, and of equal ones the oldest.
        let by_bound = other.open.bound.total_cmp(&self.open.bound);
        by_bound.then_with(|| other.number.cmp(&self.number))
    }
}

impl<const K: usize> PartialOrd for Waiting<K> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<const K: usize> PartialEq for Waiting<K> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<const K: usize> Eq for Waiting<K> {}

/// Looks at no more than `most` boxes.
pub(super) fn cover<const K: usize>(
    domain: &Domain<K>,
    margin: &dyn Fn([Dual<K>; K]) -> Dual<K>,
    strict: bool,
    most: usize,
) -> Conclusion {
    let mut waiting = BinaryHeap::new();
    let mut stuck: Vec<[Interval; K]> = Vec::new();
    let mut boxes = 0;
    let mut next = vec![(domain.ranges, 0)];
    loop {
        for (ranges, generation) in next.drain(..) {
            boxes += 1;
            match look(domain, ranges, margin, strict) {
                Sight::Settled => {}
                Sight::Refuted { point, margin } => {
                    let point = point.to_vec();
                    let outcome = CoverResult::Refuted { point, margin };
                    return Conclusion { outcome, boxes };
                }
                Sight::Open(open) => waiting.push(Waiting { open, generation, number: boxes }),
            }
        }
        // Two more boxes must fit into the budget.
        if boxes + 2 > most {
            break;
        }
        let Some(Waiting { open, generation, .. }) = waiting.pop() else {
            break;
        };
        match halves(&open, generation) {
            Some(two) => next.extend(two.map(|ranges| (ranges, generation + 1))),
            None => stuck.push(open.ranges),
        }
    }
    stuck.extend(waiting.into_iter().map(|w| w.open.ranges));
    let outcome = match stuck.split_first() {
        None => CoverResult::Covered,
        Some((first, rest)) => CoverResult::Residual {
            open: stuck.len(),
            hull: (0..K).map(|i| rest.iter().fold(first[i], |hull, r| hull.hull(r[i]))).collect(),
        },
    };
    Conclusion { outcome, boxes }
}

/// The two halves of a box across the parameter whose range contributes most to the doubt; none if it cannot be halved.
fn halves<const K: usize>(open: &Open<K>, generation: usize) -> Option<[[Interval; K]; 2]> {
    let mut best: Option<((f64, f64), usize, f64)> = None;
    for (i, (&range, &slope)) in open.ranges.iter().zip(&open.slopes).enumerate() {
        let (extent, cut) = (extent(range), cut(range));
        if extent <= FINEST || cut <= range.lo() || cut >= range.hi() || slope == Interval::ZERO {
            continue;
        }
        // The smear of Kearfott: slope times width bounds what this parameter contributes to the mean value form.
        let smear = slope.magnitude() * range.width();
        let score = if generation % FAIR == FAIR - 1 { (extent, smear) } else { (smear, extent) };
        if best.is_none_or(|(s, _, _)| score > s) {
            best = Some((score, i, cut));
        }
    }
    let (_, i, cut) = best?;
    let part = |lo: f64, hi: f64| {
        let mut ranges = open.ranges;
        ranges[i] = Interval::new(lo, hi);
        ranges
    };
    Some([part(open.ranges[i].lo(), cut), part(cut, open.ranges[i].hi())])
}
