//! Powers of `1 - s`, for slopes: one exponential each.

use enclosures::kernels::ElementwiseFunction;

/// `log(1 - s)` for numbers `0 <= s <= 1`, to two units in the last place; minus infinity for what rounding has put above one.
pub(super) fn log_complements(s: &[f64]) -> Vec<f64> {
    let mut values: Vec<f64> = s.iter().map(|s| -s.min(1.0)).collect();
    ElementwiseFunction::Ln1p.apply(&mut values);
    values
}

/// `1 - (1 - s)^n` from `log(1 - s)`, with at most eight roundings.
pub(super) fn gains(rates: &[f64], n: u64) -> Vec<f64> {
    let mut values: Vec<f64> = rates.iter().map(|rate| n as f64 * rate).collect();
    ElementwiseFunction::ExpM1.apply(&mut values);
    values.iter_mut().for_each(|value| *value = -*value);
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gains_meet_the_functions_they_stand_for() {
        let y: Vec<f64> = (1..2000).map(|i| f64::from(i * i) * 1e-5).collect();
        let all = gains(&y.iter().map(|y| -y).collect::<Vec<_>>(), 1);
        let rates = log_complements(&y);
        for ((&y, gain), rate) in y.iter().zip(all).zip(rates) {
            let close = |a: f64, b: f64| assert!((a - b).abs() <= 1e-15 * b.abs(), "{y} {a} {b}");
            close(gain, -core_math::expm1(-y));
            if y < 0.99 {
                close(rate, core_math::log1p(-y));
            }
        }
        assert_eq!(gains(&log_complements(&[0.0, 1.0, 1.0 + f64::EPSILON]), 3), [0.0, 1.0, 1.0]);
    }
}
