//! A random variable with finitely many values.

use contrapositive::prelude::*;
use proptest::collection::vec;
use proptest::prelude::Strategy;
use serde::{Deserialize, Serialize};

use super::weights::{refused, shares};

/// Values and their weights. The range [a, b] is that of the values.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "X in {values:?} with weights \
                       {weights:?}", valid = Self::has_weight, simpler = Self::of_fewer_values, stored)]
pub struct BoundedVariable {
    #[instance(length = "n in 0..", range = "-1e6..=1e6")]
    values: Vec<f64>,
    #[instance(length = "n")]
    weights: Vec<f64>,
}

impl BoundedVariable {
    /// Values with these weights.
    pub fn of(values: &[f64], weights: &[f64]) -> Self {
        BoundedVariable { values: values.to_vec(), weights: weights.to_vec() }
    }

    /// The values.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// a, the smallest value.
    pub fn least(&self) -> Enclosure {
        exact(self.values.iter().copied().fold(f64::INFINITY, f64::min))
    }

    /// b, the largest value.
    pub fn most(&self) -> Enclosure {
        exact(self.values.iter().copied().fold(f64::NEG_INFINITY, f64::max))
    }

    /// The probabilities of the values.
    pub fn probabilities(&self) -> Vec<Enclosure> {
        shares(&self.weights)
    }

    /// E f(X).
    pub fn expectation(&self, f: impl Fn(Enclosure) -> Enclosure) -> Enclosure {
        let values = self.values.iter().map(|&x| f(exact(x)));
        // A value without weight counts for nothing, even where f is infinite.
        let weighted = self.probabilities().into_iter().zip(values).filter(|(p, _)| p.hi() > 0.0);
        weighted.map(|(p, y)| p * y).sum()
    }

    /// E X.
    pub fn mean(&self) -> Enclosure {
        self.expectation(|x| x)
    }

    /// Var X.
    pub fn variance(&self) -> Enclosure {
        let mean = self.mean();
        self.expectation(|x| (x - mean).square())
    }

    /// Two to five values between these two.
    pub fn drawn(from: f64, to: f64) -> impl Strategy<Value = Self> {
        (2usize..=5).prop_flat_map(move |n| {
            (vec(from..to, n), vec(0.01..1.0f64, n)).prop_map(|(values, weights)| BoundedVariable { values, weights })
        })
    }
}

impl BoundedVariable {
    fn has_weight(&self) -> Result<(), String> {
        refused(&self.weights)
    }

    fn of_fewer_values(&self) -> Vec<Self> {
        let without = |i: usize| {
            let mut fewer = self.clone();
            fewer.values.remove(i);
            fewer.weights.remove(i);
            fewer
        };
        (0..self.len()).filter(|_| self.len() > 1).map(without).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_and_variance_of_a_lopsided_coin() {
        let x = BoundedVariable::of(&[0.0, 4.0], &[3.0, 1.0]);
        assert_eq!((x.mean(), x.variance()), (exact(1.0), exact(3.0)));
        assert_eq!((x.least(), x.most()), (exact(0.0), exact(4.0)));
    }
}
