//! Bounds for a whole range at once, by subdivision.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::Interval;

struct Part {
    range: Interval,
    /// An upper bound of the function there.
    bound: f64,
}

impl PartialEq for Part {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Part {}

impl PartialOrd for Part {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Part {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_bound = self.bound.total_cmp(&other.bound);
        by_bound.then_with(|| self.range.lo().total_cmp(&other.range.lo()))
    }
}

/// Encloses the maximum over `range` of a function, given as an extension to intervals: `f(X)` contains `f(x)` for every `x` in
/// `X`. The part with the largest upper bound is halved until the enclosure is as narrow as `tolerance` times its size,
/// or `evaluations` are used up; it is a true enclosure in either case.
pub fn maximum_over(range: Interval, tolerance: f64, evaluations: usize, f: impl Fn(Interval) -> Interval) -> Interval {
    let at_the_middle = |part: Interval| f(Interval::point(part.midpoint())).lo();
    let mut least =
        at_the_middle(range).max(f(Interval::point(range.lo())).lo()).max(f(Interval::point(range.hi())).lo());
    let mut parts = BinaryHeap::new();
    parts.push(Part { range, bound: f(range).hi() });
    // The bound of parts that cannot be halved any further.
    let mut settled = f64::NEG_INFINITY;
    for _ in 0..evaluations {
        let Some(top) = parts.peek() else { break };
        if top.bound.max(settled) - least <= tolerance * least.abs() {
            break;
        }
        let Some(Part { range, bound }) = parts.pop() else {
            break;
        };
        let middle = range.midpoint();
        if middle <= range.lo() || middle >= range.hi() {
            settled = settled.max(bound);
            continue;
        }
        for half in [Interval::new(range.lo(), middle), Interval::new(middle, range.hi())] {
            least = least.max(at_the_middle(half));
            let bound = f(half).hi().min(bound);
            if bound >= least {
                parts.push(Part { range: half, bound });
            }
        }
    }
    let most = parts.peek().map_or(settled, |top| top.bound.max(settled));
    Interval::new(least, most.max(least))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maxima_inside_and_at_the_ends_are_enclosed() {
        // x (1 - x) on [0, 1] has the maximum 1/4; on [2, 3] it is -2.
        let f = |x: Interval| x * (Interval::ONE - x);
        let inside = maximum_over(Interval::new(0.0, 1.0), 1e-3, 10_000, f);
        assert!(inside.contains(0.25) && inside.width() < 1e-3, "{inside:?}");
        let end = maximum_over(Interval::new(2.0, 3.0), 1e-9, 10_000, f);
        assert!(end.contains(-2.0) && end.width() < 1e-8, "{end:?}");
        let point = maximum_over(Interval::point(0.5), 1e-9, 10, f);
        assert_eq!(point, Interval::point(0.25));
    }

    #[test]
    fn an_exhausted_budget_still_encloses() {
        let rough = maximum_over(Interval::new(0.0, 1.0), 0.0, 3, |x| x * (Interval::ONE - x));
        assert!(rough.contains(0.25) && rough.width() > 0.0);
    }
}
