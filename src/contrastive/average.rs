//! Expectations over finitely many values.

use enclosures::interval::{self, Interval};

/// `sum w_i x_i` for weights that are known to add up to one: the rounded sum, cut down to what lies between the smallest and
/// the largest value. (An average of equal values is that value, whatever the rounding of the weights.)
pub(super) fn average(terms: &[(Interval, Interval)]) -> Interval {
    let sum = interval::sum(&terms.iter().map(|(x, w)| *x * *w).collect::<Vec<_>>());
    let range = terms.iter().map(|(x, _)| *x).reduce(Interval::hull);
    range.and_then(|range| range.intersection(sum)).unwrap_or(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_are_their_own_average() {
        let (tenth, x) = (Interval::ONE / 10.0, Interval::point(0.7));
        assert_eq!(average(&[(x, tenth); 10]), x);
        assert_eq!(average(&[(x, Interval::point(0.5)), (x + 1.0, Interval::point(0.5))]), x + 0.5);
        assert_eq!(average(&[]), Interval::ZERO);
    }
}
