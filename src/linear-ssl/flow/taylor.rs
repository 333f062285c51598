//! Taylor polynomials with interval coefficients: derivatives of high order, enclosed.

use enclosures::interval::Interval;

/// Order of the polynomials; even, so that the remainder of an integral has one sign.
pub(super) const ORDER: usize = 14;

/// The coefficients `f^(k)(x) / k!`, k = 0..=ORDER, of a function at every point x of an interval. The recurrences are those of Moore, Kearfott
/// and Cloud, Introduction to Interval Analysis, section 9.2.
#[derive(Clone, Copy, Debug)]
pub(super) struct Taylor([Interval; ORDER + 1]);

impl Taylor {
    /// The function with one value everywhere.
    pub(super) fn constant(value: Interval) -> Self {
        let mut c = [Interval::ZERO; ORDER + 1];
        c[0] = value;
        Taylor(c)
    }

    /// The function x at `x`.
    pub(super) fn variable(x: Interval) -> Self {
        let mut c = [Interval::ZERO; ORDER + 1];
        (c[0], c[1]) = (x, Interval::ONE);
        Taylor(c)
    }

    /// `f^(k) / k!`.
    pub(super) fn coefficient(&self, k: usize) -> Interval {
        self.0.get(k).copied().unwrap_or(Interval::ENTIRE)
    }

    /// The function plus a number.
    pub(super) fn shifted(mut self, by: Interval) -> Self {
        self.0[0] += by;
        self
    }

    /// The function times a number.
    pub(super) fn scaled(self, by: Interval) -> Self {
        Taylor(self.0.map(|c| c * by))
    }

    /// The sum of two functions.
    pub(super) fn plus(mut self, other: &Self) -> Self {
        for (c, d) in self.0.iter_mut().zip(&other.0) {
            *c += *d;
        }
        self
    }

    /// The product of two functions.
    pub(super) fn times(&self, other: &Self) -> Self {
        let coefficient = |k: usize| (0..=k).map(|j| self.0[j] * other.0[k - j]).sum();
        Taylor(std::array::from_fn(coefficient))
    }

    /// `e^f`: `k b_k = sum of j a_j b_{k-j}` over j = 1..k.
    pub(super) fn exp(&self) -> Self {
        let mut b = [Interval::ZERO; ORDER + 1];
        b[0] = self.0[0].exp();
        for k in 1..=ORDER {
            let sum: Interval = (1..=k).map(|j| self.0[j] * b[k - j] * j as f64).sum();
            b[k] = sum / k as f64;
        }
        Taylor(b)
    }

    /// `log f` for positive f: `b_k a_0 = a_k - (1/k) sum of j b_j a_{k-j}` over j = 1..k-1.
    pub(super) fn ln(&self) -> Self {
        let mut b = [Interval::ZERO; ORDER + 1];
        b[0] = self.0[0].ln();
        for k in 1..=ORDER {
            let sum: Interval = (1..k).map(|j| b[j] * self.0[k - j] * j as f64).sum();
            b[k] = (self.0[k] - sum / k as f64) / self.0[0];
        }
        Taylor(b)
    }

    /// `sqrt f` for positive f: `2 b_0 b_k = a_k - sum of b_j b_{k-j}` over j = 1..k-1.
    pub(super) fn sqrt(&self) -> Self {
        let mut b = [Interval::ZERO; ORDER + 1];
        b[0] = self.0[0].sqrt();
        for k in 1..=ORDER {
            let sum: Interval = (1..k).map(|j| b[j] * b[k - j]).sum();
            b[k] = (self.0[k] - sum) / (b[0] * 2.0);
        }
        Taylor(b)
    }

    /// `1 / f` for f without zero: `a_0 b_k = -(sum of a_j b_{k-j})` over j = 1..k.
    pub(super) fn reciprocal(&self) -> Self {
        let mut b = [Interval::ZERO; ORDER + 1];
        b[0] = Interval::ONE / self.0[0];
        for k in 1..=ORDER {
            let sum: Interval = (1..=k).map(|j| self.0[j] * b[k - j]).sum();
            b[k] = -sum / self.0[0];
        }
        Taylor(b)
    }
}

/// The integral over `[m - r, m + r]` of a function with expansion `centre` at m and `cell` on the whole interval:
/// `sum over even k < ORDER of 2 c_k r^{k+1} / (k + 1)` plus `2 c r^{ORDER+1} / (ORDER + 1)` for some c among the last coefficients
/// of `cell` (Lagrange remainder; odd powers cancel, and the last power does not change its sign).
pub(super) fn integral(centre: &Taylor, cell: &Taylor, radius: Interval) -> Interval {
    let term = |k: usize, c: Interval| c * radius.powi(k as i64 + 1) * 2.0 / (k + 1) as f64;
    let polynomial: Interval = (0..ORDER).step_by(2).map(|k| term(k, centre.coefficient(k))).sum();
    polynomial + term(ORDER, cell.coefficient(ORDER))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integrals_with_known_values() {
        // sqrt(1 + e^x) over [-1/8, 1/8], by substitution 2 s + log((s - 1)/(s + 1)), s = sqrt(1 + e^x).
        let f = |x: Interval| Taylor::variable(x).exp().shifted(Interval::ONE).sqrt();
        let radius = Interval::point(0.125);
        let value = integral(&f(Interval::ZERO), &f(Interval::new(-0.125, 0.125)), radius);
        let primitive = |x: f64| {
            let s = (Interval::ONE + Interval::point(x).exp()).sqrt();
            s * 2.0 + ((s - 1.0) / (s + 1.0)).ln()
        };
        let exact = primitive(0.125) - primitive(-0.125);
        assert!(value.intersection(exact).is_some(), "{value:?} {exact:?}");
        assert!(value.width() < 1e-14, "{value:?}");
    }

    #[test]
    fn inverse_functions_undo_each_other() {
        let x = Taylor::variable(Interval::point(1.5));
        let back = [x.exp().ln(), x.times(&x).sqrt(), x.reciprocal().reciprocal()];
        for f in back {
            for k in 0..=ORDER {
                let c = f.coefficient(k) - x.coefficient(k);
                assert!(c.contains(0.0) && c.width() < 1e-8, "{k}: {c:?}");
            }
        }
    }
}
