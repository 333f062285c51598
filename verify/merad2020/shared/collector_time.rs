//! The coupon-collector time T_cc of equally likely classes: its instances, and its moments from its law alone.

use enclosures::interval::sum;
use enclosures::probability::CoverageLaw;
use evidence::prelude::*;
use serde::{Deserialize, Serialize};

/// What the statements on T_cc are about.
pub const COLLECTOR: &str = "T_cc is the number of independent uniform draws from N_C ≥ 1 classes until every class is shown, H_n \
                             = Σ_{i ≤ n} 1/i, H = H_{N_C}";
/// Up to so many classes the moments are taken from the law.
pub const BY_LAW: u64 = 100;

/// A number of classes, drawn from uniformly.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "N_C = {classes}", simpler = Self::fewer, stored)]
pub struct ClassCount {
    #[instance(range = "1..")]
    pub classes: u64,
}

impl ClassCount {
    fn fewer(&self) -> Vec<Self> {
        [1, 2, self.classes / 2, self.classes.saturating_sub(1)]
            .into_iter()
            .filter(|classes| (1..self.classes).contains(classes))
            .map(|classes| ClassCount { classes })
            .collect()
    }
}

/// The instance under the name of its size.
pub fn named(classes: u64) -> (String, ClassCount) {
    (format!("N_C = {classes}"), ClassCount { classes })
}

/// Mean and variance of T_cc from its law, which knows nothing of the waits for a new class: E T = Σ_n P(T > n) and E T² =
/// Σ_n (2n + 1) P(T > n), broken off at n = m. By the union bound P(T > n) ≤ N q^n, q = 1 − 1/N, so that what is left out
/// is at most N²q^m and N²q^m (2m + 1 + 2N).
pub fn moments_by_law(classes: u64) -> Result<[Enclosure; 2], MeasureError> {
    let n = Enclosure::from(classes);
    let last = (n * (2.0 * n.ln() + 40.0)).hi().ceil() as usize;
    let law = CoverageLaw::uniform(classes as usize, last)?;
    let up_to = |weight: &dyn Fn(usize) -> f64| -> Enclosure {
        let terms: Vec<Interval> = (0..last).map(|m| law.survival(m) * weight(m)).collect();
        sum(&terms).into()
    };
    let rest = n.square() * (1.0 - 1.0 / n).powi(last as i64);
    let beyond = |rest: Enclosure| Enclosure::between(0.0, rest.hi());
    let mean = up_to(&|_| 1.0) + beyond(rest);
    let second = up_to(&|m| (2 * m + 1) as f64) + beyond(rest * (2.0 * n + (2 * last + 1) as f64));
    Ok([mean, second - mean.square()])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// E T = N H_N and Var T = N² Σ 1/i² − N H_N, worked by hand for up to four classes.
    #[test]
    fn the_law_has_the_moments_of_sums_of_geometric_waits() {
        let by_hand = [(1, 1.0, 0.0), (2, 3.0, 2.0), (3, 5.5, 6.75), (4, 25.0 / 3.0, 130.0 / 9.0)];
        for (classes, mean, variance) in by_hand {
            let [first, second] = moments_by_law(classes).unwrap();
            for (found, expected) in [(first, mean), (second, variance)] {
                let near = Interval::point(expected).widened_by(1e-14);
                assert!(found.interval().intersection(near).is_some(), "N = {classes}: {found}");
                assert!(found.width() < 1e-9, "N = {classes}: {found}");
            }
        }
    }
}
