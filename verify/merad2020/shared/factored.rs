//! Inequalities whose sides nearly agree: the margin comes in a form without cancellation, and is held against the
//! plain difference of the sides.

use evidence::prelude::*;

/// The common part of the plain difference and its other form. Both contain the same number, so that nothing in common
/// means that one of the formulas is wrong: that is a failure of the check, never a verdict.
fn settled(evaluation: Evaluation, difference: Enclosure, factored: Enclosure) -> Evaluation {
    match difference.interval().intersection(factored.interval()) {
        Some(common) => evaluation.with_margin(Enclosure::graded(common, difference.grade().and(factored.grade()))),
        None => Evaluation::Failed(format!(
            "the difference of the sides lies in [{:e}, {:e}], its factored form in [{:e}, {:e}]",
            difference.lo(),
            difference.hi(),
            factored.lo(),
            factored.hi()
        )),
    }
}

/// `left ≤ right`, where `factored` is `right − left` written without cancellation.
pub fn at_most_by(left: Enclosure, right: Enclosure, factored: Enclosure) -> Evaluation {
    settled(at_most(left, right), right - left, factored)
}

/// `left ≥ right`, where `factored` is `left − right` written without cancellation.
pub fn at_least_by(left: Enclosure, right: Enclosure, factored: Enclosure) -> Evaluation {
    settled(at_least(left, right), left - right, factored)
}

#[cfg(test)]
mod tests {
    use evidence::judge::{Judgement, judge};

    use super::*;

    fn judged(evaluation: Evaluation) -> Option<Judgement> {
        match evaluation {
            Evaluation::Compared(c) => Some(judge(&c)),
            _ => None,
        }
    }

    #[test]
    fn the_narrower_form_decides_and_a_wrong_one_is_found_out() {
        let (third, sixth) = (Enclosure::ONE / 3.0, exact(2.0) / 6.0);
        assert_eq!(judged(at_most_by(third, sixth, Enclosure::ZERO)), Some(Judgement::Holds));
        assert_eq!(judged(at_least_by(third, sixth, exact(-1e-20))), Some(Judgement::Violated));
        assert_eq!(judged(at_most_by(third, sixth, exact(0.1))), None);
        assert_eq!(judged(at_most_by(third, sixth, exact(-0.1))), None);
    }
}
