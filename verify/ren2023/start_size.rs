//! Section 3: the entries of W_A and W_B start with variance 1/m, so that outputs do not blow up before they are normalised.
//!
//! True for every input: ‖W_Ax‖² = ‖x‖²X/m with X of the law χ²_m. Chernoff's bound for it, with E e^{θX} = (1 − 2θ)^{−m/2}, is P(X ≥ tm) ≤
//! (te^{1−t})^{m/2} for t ≥ 1 and the same of P(X ≤ tm) for t ≤ 1: the outputs do not vanish either. With variance 1 they grow as √m.

use enclosures::probability::{chi_square_lower_tail, chi_square_upper_tail};
use evidence::claim::edge_over;
use evidence::prelude::*;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

use crate::shared::notation::WIDTH;

/// The width, and a squared length of an output in units of that of its input.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "m = {width}, t = {level}", stored)]
struct StartOutput {
    #[instance(range = "1..=900")]
    width: u32,
    #[instance(range = "0.2..=3", scale = "logarithmic")]
    level: f64,
}

impl StartOutput {
    fn level(&self) -> Interval {
        Interval::point(f64::from(self.width)) * Interval::point(self.level)
    }

    /// (te^{1−t})^{m·share}.
    fn chernoff(&self, share: f64) -> Enclosure {
        let t = exact(self.level);
        ((t.ln() + 1.0 - t) * (f64::from(self.width) * share)).exp()
    }
}

/// P(X ≤ tm) and P(X > tm), X of the law χ²_m.
struct Tails {
    below: Enclosure,
    above: Enclosure,
}

pub fn claim() -> Claim {
    Claim::new("ren2023.start-size", "the size of outputs at the start", Kind::ProbabilityBound)
        .statement(
            "with entries of W_A and W_B drawn from N(0, 1/m), the norm of outputs before normalisation does not blow up as m → ∞",
        )
        .source("Section 3", &["the sentence after eq. (2)"])
        .symbols([WIDTH])
        .symbol("x", "any input, a vector of R^d other than 0; the same of W_B")
        .symbol("t", "a positive number")
        .reconstructed("the variance and what grows; the width is meant, as the variance falls with it")
        .setting(widths())
}

fn widths() -> Setting<StartOutput, Tails> {
    Setting::measuring(|s: &StartOutput, _| {
        Ok(Tails {
            below: chi_square_lower_tail(s.width, s.level()).into(),
            above: chi_square_upper_tail(s.width, s.level()).into(),
        })
    })
    .given("the entries of W_A are independent with the law N(0, 1/m), so that ‖W_Ax‖²m/‖x‖² has the law χ²_m")
    .family(edge_over("twice the length", "m", [1, 2, 3, 10, 50, 100, 400, 900], |width| StartOutput {
        width,
        level: 2.0,
    }))
    .family(edge_over("half the length", "m", [1, 2, 3, 10, 50, 100, 400, 900], |width| StartOutput {
        width,
        level: 0.5,
    }))
    .family(random("drawn", || {
        (1..=900u32, -1.6..1.0f64).prop_map(|(width, log)| StartOutput { width, level: exact(log).exp().midpoint() })
    }))
    .without_search()
    .part(
        "bounded",
        "P(‖W_Ax‖² > t‖x‖²) ≤ (te^{1−t})^{m/2}, which tends to 0 as m → ∞ for t > 1",
        holds(),
        |s, tails| at_most(tails.above, s.chernoff(0.5)),
    )
    .assume(Hypothesis::new("t ≥ 1", |s| s.level >= 1.0))
    .sharpening(
        "floor",
        "nor do outputs vanish: P(‖W_Ax‖² ≤ t‖x‖²) ≤ (te^{1−t})^{m/2}",
        holds(),
        |s, tails| at_most(tails.below, s.chernoff(0.5)),
    )
    .assume(Hypothesis::new("t ≤ 1", |s| s.level <= 1.0))
    .control("a", "P(‖W_Ax‖² > t‖x‖²) ≤ (te^{1−t})^m", |s, tails| at_most(tails.above, s.chernoff(1.0)))
    .assume(Hypothesis::new("t ≥ 1", |s| s.level >= 1.0))
    .control("b", "with variance 1 in place of 1/m: P(‖W_Ax‖² > t‖x‖²) ≤ (te^{1−t})^{m/2}", |s, _| {
        at_most(chi_square_upper_tail(s.width, Interval::point(s.level)), s.chernoff(0.5))
    })
    .assume(Hypothesis::new("t ≥ 1", |s| s.level >= 1.0))
}
