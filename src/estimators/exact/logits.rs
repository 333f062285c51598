//! Logits in twice the working precision, for anchors whose inner products are too large for plain ones.

use super::sample::Sample;
use super::table::CELLS;

const U: f64 = f64::EPSILON / 2.0;

/// The factor from inner products to cells, `16/temperature`, as an unevaluated sum.
#[derive(Clone, Copy, Debug)]
pub(super) struct AccurateLogits {
    scale: f64,
    scale_rest: f64,
}

impl AccurateLogits {
    /// For a temperature.
    pub(super) fn new(temperature: f64) -> Self {
        let scale = CELLS as f64 / temperature;
        AccurateLogits {
            scale,
            scale_rest: -scale.mul_add(temperature, -(CELLS as f64)) / temperature,
        }
    }

    /// The rounded factor.
    pub(super) fn scale(self) -> f64 {
        self.scale
    }

    /// Cells (relative to `base`) and rests of the logits of an anchor with the points from `begin` on. A rest may exceed one half by
    /// a few `1e-16 |logit|`.
    pub(super) fn split(
        self,
        sample: &Sample<'_>,
        anchor: usize,
        begin: usize,
        base: i32,
        cells: &mut [i32],
        rests: &mut [f64],
    ) {
        let x = sample.point(anchor);
        for (y, (cell, rest)) in cells.iter_mut().zip(rests).enumerate() {
            let (dot, dot_rest) = product(x, sample.point(begin + y));
            let t = dot * self.scale;
            let low = dot.mul_add(self.scale, -t) + (dot * self.scale_rest + dot_rest * self.scale);
            let near = t.round_ties_even();
            *cell = (near as i32).wrapping_sub(base);
            *rest = (t - near) + low;
        }
    }

    /// An upper bound of the error of the logits of an anchor: Dot2 of Ogita, Rump and Oishi (2005) is off by
    /// `(d u)^2 sum |a_k b_k|` before its last rounding, which is kept here; the rest of the way is as accurate, and the rounding of
    /// the rest itself is `u` of a cell.
    pub(super) fn error(sample: &Sample<'_>, anchor: usize) -> f64 {
        let roundings = 2.0 * sample.dimension() as f64 + 16.0;
        roundings * roundings * U * U * sample.logit_bound(anchor) + 2.0 * U / CELLS as f64
    }
}

/// The inner product as an unevaluated sum.
fn product(a: &[f64], b: &[f64]) -> (f64, f64) {
    let (mut value, mut correction) = (0.0f64, 0.0f64);
    for (&x, &y) in a.iter().zip(b) {
        let product = x * y;
        let product_error = x.mul_add(y, -product);
        let sum = value + product;
        let part = sum - value;
        correction += ((value - (sum - part)) + (product - part)) + product_error;
        value = sum;
    }
    let sum = value + correction;
    (sum, correction - (sum - value))
}
