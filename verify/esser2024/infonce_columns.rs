//! InfoNCE on x_i = e_i, x_i⁺ = λ_ie_i, x_i⁻ = 0, where orthogonal columns c_i of Θ grow without mixing: y_i = λ_i‖c_i‖² obeys T(y_i) = λ_it up
//! to a constant, with T(y) = ∫(1 + e^s)/(4s) ds.

use contrapositive::instance::Instance;
use contrapositive::interval::Interval;
use serde::{Deserialize, Serialize};

/// λ_1 ≥ λ_2 > 0 and the common start λ_i‖c_i‖² = y₀ of two orthogonal columns.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Columns {
    pub rates: [f64; 2],
    pub start: f64,
}

impl Instance for Columns {
    fn describe(&self) -> String {
        format!(
            "x_i = e_i, x_i⁺ = λ_ie_i, x_i⁻ = 0, λ = {:?}, λ_i‖c_i‖² = {} at the start",
            self.rates, self.start
        )
    }

    fn validate(&self) -> Result<(), String> {
        let [fast, slow] = self.rates;
        if !(0.1..=10.0).contains(&slow) || !(slow..=4.0 * slow).contains(&fast) || !(0.1..=2.0).contains(&self.start) {
            return Err("not 0.1 ≤ λ_2 ≤ λ_1 ≤ 4λ_2, λ_2 ≤ 10, with a start in [0.1, 2]".into());
        }
        Ok(())
    }
}

/// Where the faster column is looked at.
pub const FAR: f64 = 40.0;
const CELLS: usize = 4096;

/// y_2 at the time at which y_1 = 40: T(y_2) = T(40)λ_2/λ_1, T enclosed cell by cell.
pub fn slower(c: &Columns) -> Interval {
    let node = |k: usize| c.start + (FAR - c.start) * (k as f64 / CELLS as f64);
    let mut sums = vec![Interval::ZERO];
    for k in 0..CELLS {
        let s = Interval::new(node(k), node(k + 1));
        let cell = (s.exp() + 1.0) / (s * 4.0) * (Interval::point(node(k + 1)) - node(k));
        sums.push(sums[k] + cell);
    }
    let target = sums[CELLS] * c.rates[1] / c.rates[0];
    let below = (0..=CELLS).rev().find(|&k| sums[k].hi() <= target.lo()).unwrap_or(0);
    let above = (0..=CELLS).find(|&k| sums[k].lo() >= target.hi()).unwrap_or(CELLS);
    Interval::new(node(below), node(above))
}

/// The smaller over the larger of the two singular values ‖c_i‖ = √(y_i/λ_i).
pub fn singular_ratio(c: &Columns, slow: Interval) -> Interval {
    let (first, second) = (Interval::point(FAR) / c.rates[0], slow / c.rates[1]);
    (first.min(second) / first.max(second)).sqrt()
}

pub fn columns() -> Vec<(&'static str, Columns)> {
    let of = |rates, start| Columns { rates, start };
    vec![
        ("equal rates", of([1.0, 1.0], 1.0)),
        ("λ = (2, 1)", of([2.0, 1.0], 1.0)),
        ("λ = (4, 1)", of([4.0, 1.0], 0.5)),
        ("small start", of([1.5, 1.0], 0.1)),
    ]
}
