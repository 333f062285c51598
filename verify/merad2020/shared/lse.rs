//! The distances of a log-sum-exp from its bounds, without cancellation. Plain functions of the entries: they are valid
//! for enclosures of any width, so that they can be evaluated on boxes.

use enclosures::enclosure::{Enclosure, exact};

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
