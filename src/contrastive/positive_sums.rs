//! Sums of terms of one sign in plain floating point, with relative error bounds.

/// Unit roundoff.
const U: f64 = f64::EPSILON / 2.0;

/// The weighted sum in eight lanes; all terms share their sign, so the relative error is at most `(n/8 + 5) u`.
pub(super) fn weighted_sum(weights: &[f64], values: &[f64]) -> f64 {
    let mut lanes = [0.0; 8];
    let (w8, v8) = (weights.chunks_exact(8), values.chunks_exact(8));
    let tail: f64 = w8.remainder().iter().zip(v8.remainder()).map(|(w, v)| w * v).sum();
    for (w, v) in w8.zip(v8) {
        for lane in 0..8 {
            lanes[lane] += w[lane] * v[lane];
        }
    }
    let [a, b, c, d, e, f, g, h] = lanes;
    (((a + b) + (c + d)) + ((e + f) + (g + h))) + tail
}

/// The relative error of [`weighted_sum`] over `n` terms of one sign, with the rounding of its weights.
pub(super) fn relative_error(n: usize) -> f64 {
    (n as f64 / 8.0 + 14.0) * U
}

/// A sum of non-negative terms with relative error `3u`.
#[derive(Clone, Copy, Default)]
pub(super) struct Compensated {
    sum: f64,
    carry: f64,
}

impl Compensated {
    pub(super) fn add(&mut self, term: f64) {
        let next = self.sum + term;
        let back = next - self.sum;
        self.carry += (self.sum - (next - back)) + (term - back);
        self.sum = next;
    }

    pub(super) fn value(self) -> f64 {
        self.sum + self.carry
    }
}
