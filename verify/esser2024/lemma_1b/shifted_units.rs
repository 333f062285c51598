//! Two-layer networks with φ = s + 1 and weights N(0, 1/h): the first two moments of the inner product of gradients, exactly.
//!
//! With s_k = (W₁x)_k, s_k′ = (W₁x′)_k and ρ = xᵀx′ the inner product for l = j is K = Σ_k (1 + s_k)(1 + s_k′) + ρΣ_k w_k², w the column of W₂.
//! E s_k s_k′ = ρ/h, so E K = h + 2ρ. The sums s_k + s_k′ have the variance (‖x‖² + ‖x′‖² + 2ρ)/h, the products s_k s_k′
//! (‖x‖²‖x′‖² + ρ²)/h², and the two are uncorrelated (odd moments vanish); Σ_k w_k² has the variance 2/h. So the variance of K stays
//! bounded while its mean grows like h: at x = x′ = 0, where it is zero, K = h for every draw.

use evidence::prelude::*;
use proptest::collection::vec;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

/// A width and two points.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, stored)]
pub struct ShiftedUnits {
    #[instance(range = "1..")]
    pub width: u32,
    #[instance(length = "d in 1..", range = "-1e6..=1e6")]
    pub first: Vec<f64>,
    #[instance(length = "d", range = "-1e6..=1e6")]
    pub second: Vec<f64>,
}

impl ShiftedUnits {
    fn in_words(&self) -> String {
        format!(
            "P2, φ = s + 1, h = {} and {}, x = {:?}, x′ = {:?}",
            self.width,
            2 * u64::from(self.width),
            self.first,
            self.second
        )
    }
}

fn inner(a: &[f64], b: &[f64]) -> Enclosure {
    a.iter().zip(b).map(|(&x, &y)| exact(x) * exact(y)).sum()
}

impl ShiftedUnits {
    /// Whether both points are zero, where nothing is random.
    pub fn is_zero(&self) -> bool {
        self.first.iter().chain(&self.second).all(|x| *x == 0.0)
    }

    /// E K at width h.
    fn mean(&self, h: Enclosure) -> Enclosure {
        h + 2.0 * inner(&self.first, &self.second)
    }

    /// The standard deviation of K at width h.
    fn deviation(&self, h: Enclosure) -> Enclosure {
        let (own, other) = (inner(&self.first, &self.first), inner(&self.second, &self.second));
        let product = inner(&self.first, &self.second);
        let once = own + other + 2.0 * product;
        // Of x + x′ and of products of squares: neither is negative.
        (once.max(0) + (own * other + 3.0 * product.square()) / h).sqrt()
    }

    /// E K − 2σ at the width 2h against E K + 2σ + 1 at the width h.
    pub fn settles(&self) -> Evaluation {
        let h = Enclosure::from(self.width);
        let low = self.mean(2.0 * h) - 2.0 * self.deviation(2.0 * h);
        at_most(low, self.mean(h) + 2.0 * self.deviation(h) + 1.0)
    }
}

pub fn named() -> Vec<(&'static str, ShiftedUnits)> {
    let of =
        |width, first: &[f64], second: &[f64]| ShiftedUnits { width, first: first.to_vec(), second: second.to_vec() };
    vec![
        ("x = x′ = 0", of(64, &[0.0], &[0.0])),
        ("x = x′", of(64, &[0.6, 0.8], &[0.6, 0.8])),
        ("x ⟂ x′", of(128, &[1.0, 0.0], &[0.0, 1.0])),
        ("xᵀx′ < 0", of(2048, &[1.0, 0.0], &[-0.5, 1.0])),
        ("longer points", of(1024, &[3.0, 4.0], &[4.0, 3.0])),
    ]
}

/// Widths below those from which a limit is asked for.
pub fn narrow() -> Vec<(&'static str, ShiftedUnits)> {
    let of = |width| ShiftedUnits { width, first: vec![1.0, 0.0], second: vec![0.5, 1.0] };
    vec![("h = 1", of(1)), ("h = 4", of(4))]
}

pub fn drawn() -> impl Strategy<Value = ShiftedUnits> {
    (64..1_000_000u32, 1..=4usize).prop_flat_map(|(width, d)| {
        (vec(-1.0..1.0f64, d), vec(-1.0..1.0f64, d)).prop_map(move |(first, second)| ShiftedUnits {
            width,
            first,
            second,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_random_at_zero() {
        let zero = &named()[0].1;
        let h = Enclosure::from(64u32);
        assert!(zero.is_zero());
        assert_eq!(zero.mean(h).midpoint(), 64.0);
        assert_eq!(zero.deviation(h).hi(), 0.0);
    }

    #[test]
    fn moments_are_those_of_two_units() {
        // ρ = 1, ‖x‖ = ‖x′‖ = 1, h = 2: mean 2 + 2, variance 4 + (1 + 3)/2.
        let unit = ShiftedUnits { width: 2, first: vec![1.0], second: vec![1.0] };
        let h = Enclosure::from(2u32);
        assert!((unit.mean(h).midpoint() - 4.0).abs() < 1e-12);
        assert!((unit.deviation(h).square().midpoint() - 6.0).abs() < 1e-12);
    }
}
