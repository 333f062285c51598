//! What would decide a comparison that was left in doubt, in words.

use crate::claim::Comparison;

/// Beyond so many times the present number of samples nobody draws them.
const TOO_MANY: f64 = 1e6;

/// What would decide a comparison whose margin contains zero.
pub(crate) fn advice(comparison: &Comparison) -> String {
    let margin = comparison.margin;
    let (middle, radius) = (margin.midpoint().abs(), 0.5 * margin.width());
    if !radius.is_finite() {
        return "one of the sides is unbounded here: nothing but another form of it, or a narrower range of instances, \
                decides".into();
    }
    if margin.grade().is_sampled() {
        // A confidence interval narrows with the square root of the number of samples.
        let factor = (radius / middle) * (radius / middle);
        return if factor.is_finite() && factor < TOO_MANY {
            format!(
                "the sides differ by {middle:.2e}, of which sampling sees {radius:.2e}: about {factor:.0} times as \
                 many samples would decide"
            )
        } else {
            format!(
                "the sides differ by less than sampling sees ({radius:.2e}) by so much that only a closed form decides"
            )
        };
    }
    let scale = comparison.natural_scale();
    format!(
        "the margin has an error of {radius:.2e}, and the sides are of size {scale:.2e}: rewrite the statement so that \
         no nearly equal numbers are subtracted, or compute with more digits"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claim::{Evaluation, at_least, at_most};
    use enclosures::enclosure::{Enclosure, exact};

    fn told(evaluation: Evaluation) -> String {
        match evaluation {
            Evaluation::Compared(c) => advice(&c),
            other => panic!("not a comparison: {other:?}"),
        }
    }

    #[test]
    fn each_kind_of_doubt_has_its_own_way_out() {
        // 0.9 against 0.89 to within 0.03: nine times as many samples see a third of that.
        let sampled = told(at_most(Enclosure::sampled(0.87, 0.93, 1e-12), exact(0.89)));
        assert!(sampled.contains("about 9 times as many samples"), "{sampled}");
        let hopeless = told(at_most(Enclosure::sampled(0.87, 0.93, 1e-12), exact(0.9)));
        assert!(hopeless.contains("closed form"), "{hopeless}");
        let x = exact(1e9);
        let cancelled = told(at_least((x.square() + 1.0).sqrt() - x, exact(1e-9)));
        assert!(cancelled.contains("subtracted"), "{cancelled}");
        let unbounded = told(at_least(exact(1.0) / Enclosure::between(-1.0, 1.0), exact(0.0)));
        assert!(unbounded.contains("unbounded"), "{unbounded}");
    }
}
