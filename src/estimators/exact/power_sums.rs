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
use enclosures::kernels::Function;

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

/// `log(1 - s)` for numbers `0 <= s <= 1`, to two units in the last place; minus infinity for what rounding has put above one.
pub(super) fn log_complements(s: &[f64]) -> Vec<f64> {
    let mut values: Vec<f64> = s.iter().map(|s| -s.min(1.0)).collect();
    Function::Ln1p.apply(&mut values);
    values
}

/// `1 - (1 - s)^n` from `log(1 - s)`, with at most eight roundings.
pub(super) fn gains(rates: &[f64], n: u64) -> Vec<f64> {
    let mut values: Vec<f64> = rates.iter().map(|rate| n as f64 * rate).collect();
    Function::ExpM1.apply(&mut values);
    values.iter_mut().for_each(|value| *value = -*value);
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn series_meet_the_functions_they_stand_for() {
        let y: Vec<f64> = (1..2000).map(|i| f64::from(i * i) * 1e-5).collect();
        let all = gains(&y.iter().map(|y| -y).collect::<Vec<_>>(), 1);
        let rates = log_complements(&y);
        for ((&y, gain), rate) in y.iter().zip(all).zip(rates) {
            let close = |a: f64, b: f64| assert!((a - b).abs() <= 1e-15 * b.abs(), "{y} {a} {b}");
            close(gain, -core_math::expm1(-y));
            if y < 0.99 {
                close(rate, core_math::log1p(-y));
            }
            if y < 0.0625 {
                close(series(&[1.0; NODES], y), -core_math::expm1(-y));
            }
        }
        assert_eq!(
            gains(&log_complements(&[0.0, 1.0, 1.0 + f64::EPSILON]), 3),
            [0.0, 1.0, 1.0]
        );
    }
}
