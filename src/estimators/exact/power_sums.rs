//! The kernels far to the left, where they are short power series.
//!
//! With `b = e^a`, `beta` the value at the middle of the top cell of a law, and `x = t beta`,
//!
//! `E[1 - e^{-t b}] = sum_m (-1)^(m+1) x^m mu_m / m!`, `mu_m = E (b/beta)^m`,
//!
//! and for `t max b <= 1/16` eight terms leave less than `16^-8/9! < 7e-16` of the first one. The eight `mu_m` come from the moments
//! by the Taylor polynomials of `e^{m r/16}`, whose remainder of at most `1.1 (m/32)^8/8!` weighs `x^(m-1)/m!` in the series:
//! below `1e-15` for all `m` together. So all nodes up to there cost as much as one block of eight.

use super::kernels::NODES;
use super::table::{CELLS, Cell, TERMS};

/// Relative error of the series, roundings of its few operations included.
pub(super) const ERROR: f64 = 6e-15;
/// Row of the top cell up to which the series is used: `(-45 - 1/2)/16` is below `-log 16`.
pub(super) const LAST_ROW: i64 = -47;

/// `1/m`, rounded, for `m = 1 ..= 8`.
const RECIPROCALS: [f64; NODES] = [1.0, 0.5, 1.0 / 3.0, 0.25, 0.2, 1.0 / 6.0, 1.0 / 7.0, 0.125];

/// Coefficients of `e^{m (i + r)/16}` for `m = 1 ..= 8` and `i = 1 - length ..= 0`.
pub(super) struct PowerTable {
    length: usize,
    rows: Vec<Cell>,
}

impl PowerTable {
    /// For laws of at most `length` cells.
    pub(super) fn new(length: usize) -> Self {
        let mut rows = Vec::with_capacity(length * NODES);
        for m in 1..=NODES {
            for i in 0..length {
                let distance = i as f64 + 1.0 - length as f64;
                let mut term = core_math::exp(m as f64 * distance / CELLS as f64);
                let mut row = [0.0; TERMS];
                for (j, coefficient) in row.iter_mut().enumerate() {
                    *coefficient = term;
                    term *= m as f64 / (CELLS as f64 * (j + 1) as f64);
                }
                rows.push(row);
            }
        }
        PowerTable { length, rows }
    }

    /// The rows that belong to the cells of a law of `cells` cells, and the distance from one power to the next. None for a
    /// longer law.
    pub(super) fn rows(&self, cells: usize) -> Option<(&[Cell], usize)> {
        let from = self.length.checked_sub(cells)?;
        Some((self.rows.get(from..)?, self.length))
    }
}

/// The series at `x`.
pub(super) fn series(mu: &[f64; NODES], x: f64) -> f64 {
    let mut value = 0.0;
    for (mu, reciprocal) in mu.iter().zip(RECIPROCALS).rev() {
        value = (mu - value) * (x * reciprocal);
    }
    value
}

/// `log(1 - s)` for `0 <= s <= 1`, correctly rounded or from the series, whose relative error is below `2^-49/8`.
pub(super) fn log_complement(s: f64) -> f64 {
    if s > 0.007_812_5 {
        return core_math::log1p(-s.min(1.0));
    }
    let value = RECIPROCALS.iter().take(7).rev().fold(0.0, |value, r| value * s + r);
    -s * value
}

/// `1 - e^y` for `y <= 0`, correctly rounded or from the series, whose relative error is below `2^-42/5040`; one below -40.
pub(super) fn gain(y: f64) -> f64 {
    if y < -40.0 {
        return 1.0;
    }
    if y < -0.007_812_5 {
        return -core_math::expm1(y);
    }
    let value = (RECIPROCALS.iter().take(6).skip(1).rev()).fold(1.0, |value, r| value * (y * r) + 1.0);
    -y * value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn series_meet_the_functions_they_stand_for() {
        for i in 1..2000 {
            let y = -f64::from(i) * f64::from(i) * 1e-5;
            let close = |a: f64, b: f64| assert!((a - b).abs() <= 1e-15 * b.abs(), "{y} {a} {b}");
            close(gain(y), -core_math::expm1(y));
            if y > -0.99 {
                close(log_complement(-y), core_math::log1p(y));
            }
            if y > -0.0625 {
                let powers = [1.0; NODES];
                close(series(&powers, -y), -core_math::expm1(y));
            }
        }
    }
}
