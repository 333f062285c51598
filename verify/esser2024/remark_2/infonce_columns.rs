//! InfoNCE on x_i = e_i, x_i⁺ = λ_ie_i, x_i⁻ = 0, where orthogonal columns c_i of Θ grow without mixing: y_i = λ_i‖c_i‖² obeys T(y_i) = λ_it up
//! to a constant, with T(y) = ∫(1 + e^s)/(4s) ds.

use evidence::prelude::*;
use serde::{Deserialize, Serialize};

/// λ_1 ≥ λ_2 > 0 and the starts y_i = λ_i‖c_i‖² of two orthogonal columns.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(
    describe = "x_i = e_i, x_i⁺ = λ_ie_i, x_i⁻ = 0, λ = {rates:?}, λ_i‖c_i‖² = {starts:?} at the start",
    valid = Self::has_a_faster_first,
    stored
)]
pub struct Columns {
    #[instance(range = "0.1..=40")]
    pub rates: [f64; 2],
    #[instance(range = "0.1..40")]
    pub starts: [f64; 2],
}

impl Columns {
    fn has_a_faster_first(&self) -> Result<(), String> {
        let [fast, slow] = self.rates;
        if slow <= 10.0 && (slow..=4.0 * slow).contains(&fast) {
            Ok(())
        } else {
            Err("not λ_2 ≤ λ_1 ≤ 4λ_2, λ_2 ≤ 10".into())
        }
    }
}

/// Where the faster column is looked at.
pub const FAR: f64 = 40.0;
const CELLS: usize = 4096;

fn node(start: f64, end: f64, k: usize) -> f64 {
    start + (end - start) * (k as f64 / CELLS as f64)
}

/// T at the nodes between two places, less T at the first, enclosed cell by cell.
fn times(start: f64, end: f64) -> Vec<Interval> {
    let mut sums = vec![Interval::ZERO];
    for k in 0..CELLS {
        let (from, to) = (node(start, end, k), node(start, end, k + 1));
        let s = Interval::new(from, to);
        sums.push(sums[k] + (s.exp() + 1.0) / (s * 4.0) * (Interval::point(to) - from));
    }
    sums
}

/// y_2 at the time at which y_1 = 40: T(y_2) − T(y_2(0)) = (T(40) − T(y_1(0)))λ_2/λ_1. Where it is beyond 41, no more
/// is said than that.
pub fn slower(c: &Columns) -> Interval {
    const REACH: f64 = FAR + 1.0;
    let [first, second] = c.starts;
    let target = times(first, FAR)[CELLS] * c.rates[1] / c.rates[0];
    let sums = times(second, REACH);
    let below = (0..=CELLS).rev().find(|&k| sums[k].hi() <= target.lo()).unwrap_or(0);
    let above = (0..=CELLS).find(|&k| sums[k].lo() >= target.hi());
    let above = above.map_or(f64::INFINITY, |k| node(second, REACH, k));
    Interval::new(node(second, REACH, below), above)
}

/// The smaller over the larger of the two singular values ‖c_i‖ = √(y_i/λ_i).
pub fn singular_ratio(c: &Columns, slow: Interval) -> Interval {
    let (first, second) = (Interval::point(FAR) / c.rates[0], slow / c.rates[1]);
    (first.min(second) / first.max(second)).sqrt()
}

pub fn columns() -> Vec<(&'static str, Columns)> {
    let of = |rates, starts| Columns { rates, starts };
    vec![
        ("equal rates", of([1.0, 1.0], [1.0, 1.0])),
        ("λ = (2, 1)", of([2.0, 1.0], [1.0, 1.0])),
        ("λ = (4, 1)", of([4.0, 1.0], [0.5, 2.0])),
        ("small start", of([1.5, 1.0], [0.1, 0.1])),
    ]
}

/// One column starts where it is looked at, so that the other has no time to grow.
pub fn late_columns() -> Vec<(&'static str, Columns)> {
    let late = Columns { rates: [1.0, 1.0], starts: [39.9, 0.1] };
    vec![("λ_1‖c_1‖² = 39.9 at the start", late)]
}
