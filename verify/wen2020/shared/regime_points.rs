//! The inequalities of the proof at single points of their regimes: both sides as numbers.
//!
//! X ≤ O(Y) says that one constant serves all sizes. An inequality that holds is tried with the constant one, and one that
//! fails with the constant 1000 and sizes so large that it does not help. log m stands for itself: it is bounded below by
//! one like any other size.

use evidence::prelude::*;
use proptest::array::{uniform2, uniform9};
use proptest::sample::select;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

use crate::shared::monomials::{Logarithms, Monomial, in_words};
use crate::shared::proof_exponents::ProofStep;

/// What the words of an instance mean, for pages that do not say it otherwise.
pub const NUMBERS: &str = "(k1) to (k13) are the numbers that the page of the bookkeeping (Appendix A.2) gives the \
                           inequalities of the proof; log m is a size of its own, and leftover is \
                           right/left with every bounded size set to its bound.";

/// An inequality at one point of its regime: logarithms of the sizes (their signs follow from the size), and of the room in each bound.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, stored)]
pub struct AtPoint {
    pub step: ProofStep,
    #[instance(range = "0..=100")]
    pub sizes: [f64; 9],
    /// Beyond the first bound of the regime, and beyond the others.
    #[instance(range = "0..=100")]
    pub room: [f64; 2],
}

impl AtPoint {
    fn point(&self) -> Logarithms {
        let mut point = self.sizes;
        // δ, ε and ω are at most one.
        for place in [4, 5, 8] {
            point[place] = -point[place];
        }
        for (place, bound) in self.step.inequality().given.iter().enumerate().rev() {
            bound.impose(&mut point, self.room[place.min(1)]);
        }
        point
    }

    /// Logarithms of both sides.
    pub fn sides(&self) -> LogarithmicSides {
        let (inequality, point) = (self.step.inequality(), self.point());
        let size = point.iter().map(|x| x.abs()).sum::<f64>();
        LogarithmicSides {
            left: inequality.left.at(&point),
            right: inequality.right.at(&point),
            leftover: inequality.leftover().at(&point),
            // Exponents are at most 32.
            scale: 32.0 * (1.0 + size),
        }
    }
}

impl AtPoint {
    fn in_words(&self) -> String {
        let step = self.step.inequality();
        format!(
            "{}: {} {} {}, leftover {}, at {}",
            self.step,
            step.left,
            if self.step.is_equality() { '=' } else { '≤' },
            step.right,
            step.leftover(),
            in_words(&self.point())
        )
    }
}

/// [`LogarithmicSides::scale`].
pub const LOGARITHMS: &str = "32(1 + Σ|log| of the sizes)";

/// Logarithms of the sides of an inequality at a point.
pub struct LogarithmicSides {
    pub left: Enclosure,
    pub right: Enclosure,
    /// Of the smallest value that right/left takes as the bounded sizes vary.
    pub leftover: Enclosure,
    /// What was added up.
    pub scale: f64,
}

impl LogarithmicSides {
    /// left ≤ constant · right.
    fn within(&self, constant: f64) -> Evaluation {
        at_most(self.left, self.right + exact(constant).ln()).on_scale_of(LOGARITHMS, self.scale)
    }

    /// left ≤ right, or left = right where the paper has an equality.
    pub fn hold(&self, step: ProofStep) -> Evaluation {
        if step.is_equality() {
            equal(self.left, self.right).on_scale_of(LOGARITHMS, self.scale)
        } else {
            self.within(1.0)
        }
    }

    /// left ≤ 1000 right.
    pub fn hold_up_to_a_thousand(&self) -> Evaluation {
        self.within(1000.0)
    }
}

/// The inequality with a factor on its left side, at a point: left · factor ≤ 1000 right.
pub fn with_factor(p: &AtPoint, s: &LogarithmicSides, factor: Monomial) -> Evaluation {
    let left = s.left + factor.at(&p.point());
    at_most(left, s.right + exact(1000.0).ln()).on_scale_of(LOGARITHMS, s.scale)
}

/// Points of the regimes of some inequalities: each size large alone, with and without room in the bounds, and points drawn.
pub fn points(steps: impl IntoIterator<Item = ProofStep>) -> Vec<Family<AtPoint>> {
    let steps: Vec<ProofStep> = steps.into_iter().collect();
    let (all, share) = (steps.clone(), 0.25 * steps.len() as f64);
    let corner = |step: ProofStep, place: usize, room: [f64; 2]| {
        let mut sizes = [0.0; 9];
        sizes[place] = 24.0;
        AtPoint { step, sizes, room }
    };
    vec![
        edge("one size large", move || {
            let places = |step: ProofStep| {
                (0..9).flat_map(move |place| [[0.0; 2], [24.0, 0.0], [0.0, 24.0]].map(|room| corner(step, place, room)))
            };
            described(all.iter().copied().flat_map(places))
        }),
        random("points of the regimes", move || {
            (select(steps.clone()), uniform9(0.0..20.0f64), uniform2(0.0..20.0f64))
                .prop_map(|(step, sizes, room)| AtPoint { step, sizes, room })
        })
        .taking(share),
    ]
}

#[cfg(test)]
mod tests {
    use evidence::judge::Judgement;
    use evidence::testing::judged;

    use super::*;
    use crate::shared::monomials::N;

    /// Logarithms of n, L, m, log m, 1/δ, 1/ε, d, k, 1/ω.
    const SIZES: [f64; 9] = [5.0, 2.0, 30.0, 3.0, 4.0, 1.0, 6.0, 7.0, 8.0];

    fn at(step: ProofStep, room: [f64; 2]) -> AtPoint {
        AtPoint { step, sizes: SIZES, room }
    }

    /// The logarithm of right/left, worked by hand at this point.
    #[test]
    fn sides_differ_by_what_is_worked_by_hand() {
        for (step, room, apart, leftover) in [
            (ProofStep::K1, [0.0; 2], 0.0, 0.0),
            // 1/√n.
            (ProofStep::K4, [0.0; 2], -2.5, -2.5),
            (ProofStep::K5, [0.0; 2], 0.0, 0.0),
            // The width is e^r times its bound, and enters as √m.
            (ProofStep::K2Least, [3.0, 0.0], 1.5, 0.0),
            (ProofStep::K2Appendix, [3.0, 0.0], -1.0, -2.5),
            // 1/L on the bound of ω, and ω^{−2/3} for what ω is smaller.
            (ProofStep::K8, [0.0; 2], -2.0, -2.0),
            (ProofStep::K8, [6.0, 0.0], 2.0, -2.0),
            // n⁴L^{11/2}(log m)^{3/2}/(δ²ε) with the width at its bound and d = (log m)².
            (ProofStep::K6BLast, [0.0; 2], 44.5, 44.5),
            // kω²m/d.
            (ProofStep::K13, [1.5, 0.0], 10.0, 7.0),
        ] {
            let sides = at(step, room).sides();
            let found = [sides.right - sides.left, sides.leftover];
            for (x, expected) in found.into_iter().zip([apart, leftover]) {
                assert!((x - expected).abs().hi() < 1e-11, "{step}: {x}, {expected}");
            }
        }
    }

    #[test]
    fn a_thousand_is_a_bit_less_than_e_to_the_seventh() {
        let point = at(ProofStep::K1, [0.0; 2]);
        let sides = point.sides();
        assert!(judged(sides.hold(ProofStep::K1)) >= Judgement::Touches);
        // n = e^5, and log 1000 = 6.9077….
        for (factor, expected) in
            [(N, Judgement::Holds), (N.to(69, 50), Judgement::Holds), (N.to(7, 5), Judgement::Violated)]
        {
            assert_eq!(judged(with_factor(&point, &sides, factor)), expected, "{factor}");
        }
        // (k4) fails by √n = e^{2.5}, which is less than a thousand and more than one.
        let sides = at(ProofStep::K4, [0.0; 2]).sides();
        assert_eq!(judged(sides.hold(ProofStep::K4)), Judgement::Violated);
        assert_eq!(judged(sides.hold_up_to_a_thousand()), Judgement::Holds);
    }
}
