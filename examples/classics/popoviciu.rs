//! How large a variance can be: Popoviciu, Bhatia and Davis, and the sample variance, for which the quarter is not enough.

use contrapositive::prelude::*;
use proptest::collection::vec;
use proptest::prelude::Strategy;
use serde::{Deserialize, Serialize};

use crate::shared::BoundedVariable;

struct VarianceBounds {
    variance: Enclosure,
    /// (M − μ)(μ − m).
    product: Enclosure,
    range: Enclosure,
}

/// As it is quoted.
pub fn claim() -> Claim {
    let named = || {
        vec![
            ("a fair coin", BoundedVariable::of(&[0.0, 1.0], &[1.0, 1.0])),
            ("an unfair coin", BoundedVariable::of(&[0.0, 1.0], &[9.0, 1.0])),
            ("constant", BoundedVariable::of(&[2.0], &[1.0])),
            ("mostly in the middle", BoundedVariable::of(&[-1.0, 0.0, 1.0], &[1.0, 6.0, 1.0])),
        ]
    };
    Claim::new("classics.popoviciu", "The inequalities of Bhatia and Davis and of Popoviciu", Kind::Inequality)
        .statement("Var X ≤ (M − μ)(μ − m) ≤ (M − m)²/4 for m ≤ X ≤ M with mean μ")
        .source("Popoviciu 1935", &["Bhatia and Davis 2000, theorem 1"])
        .symbol("m", "the least value of X")
        .symbol("M", "the largest value of X")
        .symbol("μ", "E X")
        .setting(
            Setting::measuring(|x: &BoundedVariable, _| {
                let (mean, least, most) = (x.mean(), x.least(), x.most());
                Ok(VarianceBounds {
                    variance: x.variance(),
                    product: (most - mean) * (mean - least),
                    range: most - least,
                })
            })
            .given("X has finitely many values")
            .family(edge("named", named))
            .family(random("drawn", || BoundedVariable::drawn(-2.0, 2.0)))
            .part("bhatia-davis", "Var X ≤ (M − μ)(μ − m)", holds(), |_, s| {
                at_most(s.variance, s.product).on_scale_of("(M − m)²", s.range.square().hi())
            })
            .part("popoviciu", "(M − μ)(μ − m) ≤ (M − m)²/4", holds(), |_, s| {
                at_most(s.product, s.range.square() / 4.0).on_scale_of("(M − m)²", s.range.square().hi())
            })
            .control("a", "Var X ≤ (M − m)²/5", |_, s| at_most(s.variance, s.range.square() / 5.0))
            .control("b", "Var X ≤ ¾ (M − μ)(μ − m)", |_, s| at_most(s.variance, 0.75 * s.product)),
        )
}

/// Finitely many observations.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "x = {x:?}", simpler = Self::without_one, stored)]
struct Sample {
    #[instance(length = "2..", range = "-1e6..=1e6")]
    x: Vec<f64>,
}

impl Sample {
    fn size(&self) -> Enclosure {
        self.x.len().into()
    }

    /// Σ (x_i − x̄)²/(n − 1).
    fn variance(&self) -> Enclosure {
        let mean = self.x.iter().map(|&x| exact(x)).sum::<Enclosure>() / self.size();
        self.x.iter().map(|&x| (x - mean).square()).sum::<Enclosure>() / (self.size() - 1.0)
    }

    /// (M − m)².
    fn squared_range(&self) -> Enclosure {
        let (least, most) = (
            self.x.iter().copied().fold(f64::INFINITY, f64::min),
            self.x.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        );
        (exact(most) - least).square()
    }
}

impl Sample {
    fn without_one(&self) -> Vec<Self> {
        let without = |i: usize| {
            let mut x = self.x.clone();
            x.remove(i);
            Sample { x }
        };
        (0..self.x.len()).map(without).collect()
    }
}

/// The bound of the variance for the sample variance.
pub fn misquoted() -> Claim {
    let named = || {
        let of = |x: &[f64]| Sample { x: x.to_vec() };
        vec![
            ("two", of(&[0.0, 1.0])),
            ("three", of(&[0.0, 0.0, 1.0])),
            ("four, half and half", of(&[0.0, 0.0, 1.0, 1.0])),
            ("equal", of(&[2.0, 2.0, 2.0])),
            ("even", of(&[0.0, 1.0, 2.0, 3.0, 4.0])),
        ]
    };
    let drawn = || vec(-2.0..2.0f64, 2..=8).prop_map(|x| Sample { x });
    Claim::new(
        "classics.popoviciu-sample",
        "Popoviciu's inequality for the sample variance, misquoted",
        Kind::Inequality,
    )
    .statement("s² ≤ (M − m)²/4")
    .source("a misquotation", &["of Popoviciu's inequality"])
    .symbol("s²", "Σ (x_i − x̄)²/(n − 1), the sample variance of n ≥ 2 observations")
    .symbol("m", "the least observation")
    .symbol("M", "the largest observation")
    .setting(
        Setting::measuring(|s: &Sample, _| Ok((s.variance(), s.squared_range())))
            .given("x_1, …, x_n finite, n ≥ 2")
            .family(edge("named", named))
            .family(random("drawn", drawn))
            .part("printed", "s² ≤ (M − m)²/4", fails("two observations"), |_, &(variance, range)| {
                at_most(variance, range / 4.0)
            })
            .amendment("corrected", "s² ≤ n/(n − 1) · (M − m)²/4", holds(), |s, &(variance, range)| {
                at_most(variance, s.size() / (s.size() - 1.0) * range / 4.0)
            })
            .amendment("any-n", "s² ≤ (M − m)²/2", holds(), |_, &(variance, range)| {
                at_most(variance, range / 2.0)
            })
            .control("a", "s² ≤ 0.45 (M − m)²", |_, &(variance, range)| at_most(variance, 0.45 * range)),
    )
}
