//! The distances of a log-sum-exp from its bounds, without cancellation. Plain functions of the entries: they are valid
//! for enclosures of any width, so that they can be evaluated on boxes.

use evidence::prelude::*;

/// The differences of all other entries to the largest one. (On boxes: to the one with the largest midpoint; any entry
/// will do for the formulas below.)
fn below_largest(x: &[Enclosure]) -> Vec<Enclosure> {
    let by_middle = |&i: &usize, &j: &usize| x[i].midpoint().total_cmp(&x[j].midpoint());
    let Some(pivot) = (0..x.len()).max_by(by_middle) else {
        return Vec::new();
    };
    let others = x.iter().enumerate().filter(|(i, _)| *i != pivot);
    others.map(|(_, &y)| y - x[pivot]).collect()
}

/// How far the maximum lies above the entry that was taken out: exactly zero unless the entries are wide.
fn overshoot(differences: &[Enclosure]) -> Enclosure {
    differences.iter().copied().fold(Enclosure::ZERO, Enclosure::max)
}

fn exponentials(differences: &[Enclosure]) -> Enclosure {
    differences.iter().map(|d| d.exp()).sum()
}

/// max x.
pub fn maximum(x: &[Enclosure]) -> Enclosure {
    x.iter().copied().reduce(Enclosure::max).unwrap_or(Enclosure::ZERO)
}

/// LSE(x) − max x = log(1 + S), S = Σ e^{x_i − max x} over all entries but one largest.
pub fn above_maximum(x: &[Enclosure]) -> Enclosure {
    let differences = below_largest(x);
    exponentials(&differences).ln_1p() - overshoot(&differences)
}

/// max x + log m − LSE(x) = log(1 + (m − 1 − S)/(1 + S)), with m − 1 − S = (m − n) + Σ (1 − e^{x_i − max x}).
pub fn below_maximum_plus_log(x: &[Enclosure], m: f64) -> Enclosure {
    let differences = below_largest(x);
    let missing: Enclosure = differences.iter().map(|d| -d.exp_m1()).sum();
    let rest = exact(m) - x.len() as f64 + missing;
    (rest / (1.0 + exponentials(&differences))).ln_1p() + overshoot(&differences)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_entries_lie_the_logarithm_of_their_number_apart() {
        for n in [1usize, 2, 3, 10] {
            let x = vec![exact(-37.5); n];
            let log = Enclosure::from(n).ln();
            assert!((above_maximum(&x) - log).abs().hi() < 1e-15 * (n as f64));
            assert_eq!(maximum(&x).midpoint(), -37.5);
            // max + log(2n) − (max + log n).
            let below = below_maximum_plus_log(&x, 2.0 * n as f64);
            assert!((below - Enclosure::ln_2()).abs().hi() < 1e-15, "{n}: {below}");
        }
        let vanishing = above_maximum(&[exact(0.0), exact(-600.0)]);
        assert!(vanishing.lo() > 0.0 && vanishing.width() < 1e-12 * vanishing.lo());
    }

    /// On boxes the largest entry is not known: what is found for any point of the box must lie in what is found for
    /// the box. In the second box the entry that is taken out need not be the largest by far.
    #[test]
    fn what_holds_on_a_box_holds_at_its_points() {
        for sides in
            [[(0.0, 1.0), (-0.5, 1.5), (0.75, 1.25), (-2.0, 2.0)], [(0.0, 1.0), (-10.0, 10.5), (0.0, 0.0), (-1.0, 0.0)]]
        {
            let boxes = sides.map(|(lo, hi)| Enclosure::between(lo, hi));
            let (above, below) = (above_maximum(&boxes), below_maximum_plus_log(&boxes, 5.0));
            for corner in 0..256usize {
                let at = |k: usize| {
                    let (lo, hi) = sides[k];
                    exact(lo + (hi - lo) * (corner / 4usize.pow(k as u32) % 4) as f64 / 3.0)
                };
                let x: [Enclosure; 4] = std::array::from_fn(at);
                let (sum, largest) = (log_sum_exp(&x), maximum(&x));
                let within = |y: Enclosure, range: Enclosure| y.hi() >= range.lo() && y.lo() <= range.hi();
                assert!(within(sum - largest, above), "{x:?}: {above}");
                let margin = largest + exact(5.0).ln() - sum;
                assert!(within(margin, below), "{x:?}: {below}");
                assert!((above_maximum(&x) - (sum - largest)).abs().hi() < 1e-13);
                assert!((below_maximum_plus_log(&x, 5.0) - margin).abs().hi() < 1e-13);
            }
        }
    }
}
