//! What a check answers: both sides of the statement as enclosures, and the margin between them. Never a bare boolean.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

use serde::{Deserialize, Serialize};

use enclosures::enclosure::{Enclosure, Grade, exact};

/// Two sides that agree to within this fraction of their size cannot be told apart by double-precision enclosures; equality
/// is then reported as attained, not as a violation and not as room to spare.
pub const RESOLUTION: f64 = 1.0 / (1u64 << 30) as f64;

/// How the left side is said to relate to the right side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Relation {
    /// left <= right
    AtMost,
    /// left >= right
    AtLeast,
    /// left < right
    LessThan,
    /// left > right
    GreaterThan,
    /// left = right, to within a tolerance
    Equal,
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Relation::AtMost => "≤",
            Relation::AtLeast => "≥",
            Relation::LessThan => "<",
            Relation::GreaterThan => ">",
            Relation::Equal => "=",
        })
    }
}

/// Both sides of a statement on one instance, and the margin between them. Its fields can be read and not written: whatever changes
/// one of them keeps the others in step, so that no margin contradicts its sides.
///
/// ```compile_fail,E0594
/// use contrapositive::claim::{Evaluation, at_most};
/// let Evaluation::Compared(mut comparison) = at_most(2, 1) else { unreachable!() };
/// comparison.margin = 1.0.into();
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Compared")]
pub struct Comparison(Compared);

/// The fields of a [`Comparison`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Compared {
    /// Left side.
    pub lhs: Enclosure,
    /// Right side.
    pub rhs: Enclosure,
    /// The relation that the statement asserts.
    pub relation: Relation,
    /// Room to spare: positive where the statement holds, negative where it is violated, in the units of the two sides.
    pub margin: Enclosure,
    /// Size against which the margin is small or large; the larger side unless stated otherwise.
    pub scale: f64,
    /// Fraction of the scale to which the sides of an identity must agree.
    pub tolerance: f64,
    /// Whether this measures a trend over sizes, which can agree with a statement but never establish it.
    pub trend: bool,
    /// Whether the sweep of this trend is too noisy to refute an exponent half a unit worse than the claimed one.
    pub lacks_power: bool,
    /// What else a reader should know of this comparison (a fitted exponent, which part was the tightest).
    pub note: Option<String>,
    /// What the scale is the size of, where it is not the larger side.
    pub scale_name: Option<Cow<'static, str>>,
    /// Why parts of a conjunction were left out, because they say nothing on this instance.
    pub left_out: Vec<String>,
    /// Of a conjunction in doubt: its other parts in doubt, and the worst of those that are not.
    #[serde(skip)]
    pub(crate) beside: Box<[Comparison]>,
}

impl Deref for Comparison {
    type Target = Compared;

    fn deref(&self) -> &Compared {
        &self.0
    }
}

impl TryFrom<Compared> for Comparison {
    type Error = String;

    /// A comparison of these fields; a message if the margin contradicts the sides.
    fn try_from(fields: Compared) -> Result<Self, String> {
        let margin = fields.margin;
        Comparison(fields).with_margin(margin)
    }
}

impl Compared {
    /// The margin that follows from the sides.
    fn plain_margin(&self) -> Enclosure {
        match self.relation {
            Relation::AtMost | Relation::LessThan => self.rhs - self.lhs,
            Relation::AtLeast | Relation::GreaterThan => self.lhs - self.rhs,
            Relation::Equal => exact(self.tolerance) * self.scale.min(f64::MAX) - (self.lhs - self.rhs).abs(),
        }
    }
}

impl Comparison {
    fn of(lhs: Enclosure, rhs: Enclosure, relation: Relation) -> Self {
        Comparison(Compared {
            lhs,
            rhs,
            relation,
            margin: Enclosure::ZERO,
            scale: lhs.magnitude().max(rhs.magnitude()),
            tolerance: RESOLUTION,
            trend: false,
            lacks_power: false,
            note: None,
            scale_name: None,
            left_out: Vec::new(),
            beside: Box::default(),
        })
        .settled()
    }

    /// The same statement of two other sides, judged on the same scale.
    pub(crate) fn with_sides(mut self, lhs: Enclosure, rhs: Enclosure) -> Self {
        (self.0.lhs, self.0.rhs) = (lhs, rhs);
        self.settled()
    }

    /// The same statement with sides and margin that are known to more digits; a scale that is the larger side's follows it.
    pub(crate) fn with_digits(mut self, lhs: Enclosure, rhs: Enclosure, margin: Enclosure) -> Self {
        let natural = self.scale == self.natural_scale();
        (self.0.lhs, self.0.rhs, self.0.margin) = (lhs, rhs, margin);
        if natural {
            self.0.scale = self.natural_scale();
        }
        self
    }

    /// The same on the scale of the larger side, with the usual tolerance.
    pub(crate) fn on_natural_scale(mut self) -> Self {
        (self.0.scale, self.0.tolerance) = (self.natural_scale(), RESOLUTION);
        self.settled_where_equal()
    }

    /// The same of a sweep that is too noisy, or not.
    pub(crate) fn with_power(mut self, lacks_power: bool) -> Self {
        self.0.lacks_power = lacks_power;
        self
    }

    /// The same with another note.
    pub(crate) fn with_note(mut self, note: String) -> Self {
        self.0.note = Some(note);
        self
    }

    /// The same with other parts beside it.
    pub(crate) fn with_parts_beside(mut self, beside: Vec<Comparison>) -> Self {
        self.0.beside = beside.into();
        self
    }

    /// The same without the parts beside it, and these.
    pub(crate) fn alone(mut self) -> (Self, Box<[Comparison]>) {
        let beside = std::mem::take(&mut self.0.beside);
        (self, beside)
    }

    /// The same with other parts left out.
    pub(crate) fn leaving_out(mut self, left_out: Vec<String>) -> Self {
        self.0.left_out = left_out;
        self
    }

    /// The same as one of a trend.
    pub(crate) fn of_trend(mut self) -> Self {
        self.0.trend = true;
        self
    }

    /// The size of the larger side: the scale unless another one is stated.
    #[must_use]
    pub fn natural_scale(&self) -> f64 {
        self.lhs.magnitude().max(self.rhs.magnitude())
    }

    fn settled(mut self) -> Self {
        self.0.margin = self.plain_margin();
        self
    }

    /// The margin of an identity follows its scale and tolerance; that of an inequality does not depend on them.
    fn settled_where_equal(self) -> Self {
        match self.relation {
            Relation::Equal => self.settled(),
            _ => self,
        }
    }

    /// Another enclosure of the margin, of no better grade than the sides; a message if it has no number in common with theirs.
    fn with_margin(mut self, margin: Enclosure) -> Result<Self, String> {
        let plain = self.plain_margin();
        let is_measured = [plain, margin].iter().any(|m| m.grade() == Grade::Measured);
        // Floating-point numbers without a bound enclose nothing: they agree as far as the judge tells them apart.
        let rounding = if is_measured { RESOLUTION * self.scale } else { 0.0 };
        let known = plain.interval().widened_by(rounding);
        if known.intersection(margin.interval()).is_none() {
            return Err(format!(
                "the sides leave a margin in [{:e}, {:e}], the one that is given lies in [{:e}, {:e}]",
                plain.lo(),
                plain.hi(),
                margin.lo(),
                margin.hi()
            ));
        }
        self.0.margin = if is_weaker(plain.grade(), margin.grade()) {
            Enclosure::graded(margin.interval(), plain.grade())
        } else {
            margin
        };
        Ok(self)
    }

    /// The margin as a fraction of the scale, lower end: how close to violation the instance came.
    #[must_use]
    pub fn relative_margin(&self) -> f64 {
        relative(self.margin.lo(), self.scale)
    }

    /// How far beyond doubt the statement is violated, as a fraction of the scale; zero if it is not.
    #[must_use]
    pub(crate) fn relative_violation(&self) -> f64 {
        relative(-self.margin.hi(), self.scale).max(0.0)
    }
}

/// Whether a grade is below another one; sampled ones are alike.
fn is_weaker(grade: Grade, than: Grade) -> bool {
    let rank = |grade| match grade {
        Grade::Measured => 0,
        Grade::Sampled { .. } => 1,
        Grade::Exact => 2,
        Grade::Proved => 3,
        Grade::Checked => 4,
    };
    rank(grade) < rank(than)
}

fn relative(x: f64, scale: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x / scale.max(f64::MIN_POSITIVE) }
}

/// The answer of a check on one instance.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "nearly every answer is a comparison")]
pub enum Evaluation {
    /// Both sides could be enclosed.
    Compared(Comparison),
    /// The statement says nothing on this instance (its right side is infinite, its event is empty), for the reason given.
    Vacuous(String),
    /// The sides could not be computed; never a verdict.
    Failed(String),
}

impl Evaluation {
    fn map(self, f: impl FnOnce(Comparison) -> Comparison) -> Self {
        match self {
            Evaluation::Compared(comparison) => Evaluation::Compared(f(comparison)),
            other => other,
        }
    }

    /// Adds what else a reader should know.
    #[must_use]
    pub fn noting(self, note: impl Into<String>) -> Self {
        self.map(|c| c.with_note(note.into()))
    }

    /// Marks the comparison as one of a measured trend with the growth that a statement allows: it can refute, but what it
    /// supports is reported as consistent, not as holding.
    #[must_use]
    pub fn as_trend(self) -> Self {
        self.map(Comparison::of_trend)
    }

    /// Replaces the margin `right - left` by one computed without cancellation, for instance in a factored form. Both are enclosures of one
    /// number: if they have none in common, one of the formulas is wrong, and the evaluation has failed. The grade stays that of the
    /// sides where the margin's would be better.
    ///
    /// ```
    /// use contrapositive::claim::{Evaluation, at_most};
    /// use contrapositive::enclosure::exact;
    ///
    /// let e = exact(1e-9);
    /// // 1 − e ≤ (1 − e/2)², by e²/4, which no difference of doubles shows.
    /// let evaluation = at_most(1.0 - e, (1.0 - e / 2.0).square());
    /// assert!(matches!(evaluation.clone().with_margin(e.square() / 4.0), Evaluation::Compared(c) if c.margin.lo() > 0.0));
    /// assert!(matches!(evaluation.with_margin(e), Evaluation::Failed(_)));
    /// ```
    #[must_use]
    pub fn with_margin(self, margin: Enclosure) -> Self {
        match self {
            Evaluation::Compared(c) => c.with_margin(margin).map_or_else(Evaluation::Failed, Evaluation::Compared),
            other => other,
        }
    }

    /// Sets the size that counts as one when the margin is judged small or large: the sum of the absolute values of what
    /// was added up, say, when the sides themselves are differences. Also the scale of an identity's tolerance.
    #[must_use]
    pub fn on_scale(self, scale: f64) -> Self {
        self.map(|mut c| {
            c.0.scale = scale.abs().max(c.scale);
            c.settled_where_equal()
        })
    }

    /// The same, with a name for what the scale is the size of ("‖A‖‖B‖"), so that the report can say it where it decides.
    #[must_use]
    pub fn on_scale_of(self, name: &'static str, scale: f64) -> Self {
        self.on_scale(scale).map(|mut c| {
            c.0.scale_name = Some(Cow::Borrowed(name));
            c
        })
    }

    /// The same, where what is compared is of the order of one: probabilities, cosines, shares.
    #[must_use]
    pub fn on_unit_scale(self) -> Self {
        self.on_scale_of("1", 1.0)
    }

    /// Demands that an identity's sides agree to a fraction `tolerance` of their scale instead of [`RESOLUTION`]; the error
    /// bound that justifies it belongs in a comment beside the call.
    #[must_use]
    pub fn within(self, tolerance: f64) -> Self {
        self.map(|mut c| {
            if c.relation == Relation::Equal {
                c.0.tolerance = tolerance;
            }
            c.settled_where_equal()
        })
    }
}

impl<E: fmt::Display> From<Result<Evaluation, E>> for Evaluation {
    fn from(result: Result<Evaluation, E>) -> Self {
        result.unwrap_or_else(|error| Evaluation::Failed(error.to_string()))
    }
}

macro_rules! comparisons {
    ($($(#[$doc:meta])* $name:ident => $relation:ident),* $(,)?) => {$(
        $(#[$doc])*
        pub fn $name(lhs: impl Into<Enclosure>, rhs: impl Into<Enclosure>) -> Evaluation {
            Evaluation::Compared(Comparison::of(lhs.into(), rhs.into(), Relation::$relation))
        }
    )*};
}
comparisons!(
    /// The statement `lhs <= rhs`.
    at_most => AtMost,
    /// The statement `lhs >= rhs`.
    at_least => AtLeast,
    /// The statement `lhs < rhs`; equality counts as a violation.
    less_than => LessThan,
    /// The statement `lhs > rhs`; equality counts as a violation.
    greater_than => GreaterThan,
    /// The statement `lhs = rhs`: their difference is at most [`RESOLUTION`] times the larger side.
    equal => Equal,
);

/// The statement that none of several exactly decided cases goes wrong: the number of those that do against zero.
#[must_use]
pub fn none_of(wrong: usize) -> Evaluation {
    at_most(wrong, 0)
}

/// The statement says nothing on this instance.
pub fn vacuous(reason: impl Into<String>) -> Evaluation {
    Evaluation::Vacuous(reason.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compared(evaluation: Evaluation) -> Comparison {
        match evaluation {
            Evaluation::Compared(comparison) => comparison,
            other => panic!("no comparison: {other:?}"),
        }
    }

    #[test]
    fn a_margin_that_contradicts_the_sides_is_no_comparison() {
        let one_and_two = || at_most(1, 2);
        assert_eq!(compared(one_and_two().with_margin(1.into())).margin, Enclosure::ONE);
        for wrong in [Enclosure::ZERO, 2.into(), Enclosure::between(1.5, 3.0)] {
            assert!(matches!(one_and_two().with_margin(wrong), Evaluation::Failed(_)), "{wrong}");
        }
        let kept = compared(one_and_two());
        let margin = |margin: Enclosure| Comparison::try_from(Compared { margin, ..(*kept).clone() }).ok();
        assert_eq!(margin(Enclosure::ONE), Some(kept.clone()));
        assert_eq!(margin(Enclosure::ZERO), None);
    }

    #[test]
    fn a_margin_is_of_no_better_grade_than_the_sides() {
        let measured = at_most(Enclosure::measured(1.0), 2);
        // Rounding does not contradict what is measured.
        let margin = compared(measured.clone().with_margin(exact(1.0 + 1e-12))).margin;
        assert_eq!((margin.grade(), margin.lo()), (Grade::Measured, 1.0 + 1e-12));
        assert!(matches!(measured.with_margin(exact(1.1)), Evaluation::Failed(_)));
        let sampled = at_most(Enclosure::sampled(0.0, 1.0, 1e-6), 2).with_margin(exact(1.5));
        assert_eq!(compared(sampled).margin.grade(), Grade::Sampled { alpha: 1e-6 });
    }

    #[test]
    fn the_margin_follows_scale_and_tolerance_of_an_identity() {
        let near = compared(equal(1, exact(1.0 + 1e-6)).on_scale(4.0).within(1e-6));
        assert!(near.margin.lo() > 2.9e-6 && near.margin.hi() < 3.1e-6, "{}", near.margin);
        assert_eq!(near.clone().on_natural_scale(), compared(equal(1, exact(1.0 + 1e-6))));
    }

    #[test]
    fn the_margin_is_the_room_on_the_good_side() {
        let margin = |e: Evaluation| compared(e).margin.midpoint();
        assert_eq!(margin(at_most(2, 5)), 3.0);
        assert_eq!(margin(less_than(5, 2)), -3.0);
        assert_eq!(margin(at_least(2, 5)), -3.0);
        assert_eq!(margin(greater_than(5, 2)), 3.0);
        // A tolerance of 1/8 on the scale of the larger side, 16, less the difference.
        assert_eq!(margin(equal(16, 15).within(0.125)), 1.0);
        assert_eq!(margin(equal(15, 16).within(0.125)), 1.0);
    }

    #[test]
    fn a_margin_is_a_fraction_of_its_scale() {
        let close = compared(at_most(3, 4));
        assert_eq!((close.scale, close.natural_scale()), (4.0, 4.0));
        assert_eq!((close.relative_margin(), close.relative_violation()), (0.25, 0.0));
        let broken = compared(at_most(4, 3));
        assert_eq!((broken.relative_margin(), broken.relative_violation()), (-0.25, 0.25));
        let wide = compared(at_most(Enclosure::between(1.0, 5.0), 4));
        assert_eq!((wide.relative_margin(), wide.relative_violation()), (-0.2, 0.0));
        let nothing = compared(at_most(0, 0));
        assert_eq!((nothing.relative_margin(), nothing.relative_violation()), (0.0, 0.0));
    }

    #[test]
    fn a_stated_scale_counts_where_it_is_larger_and_moves_the_margin_of_an_identity_only() {
        let inequality = compared(at_most(1, 2).on_scale_of("the sum", -8.0));
        assert_eq!((inequality.scale, inequality.scale_name.as_deref()), (8.0, Some("the sum")));
        assert_eq!((inequality.natural_scale(), inequality.margin), (2.0, exact(1.0)));
        assert_eq!(compared(at_most(1, 2).on_scale(0.5)).scale, 2.0);
        let identity = compared(equal(1, 2).within(0.25).on_scale(8.0));
        assert_eq!(identity.margin, exact(1.0));
        assert_eq!(compared(equal(0, 0).on_unit_scale()).scale, 1.0);
        assert_eq!(compared(at_most(1, 2).within(0.5)).tolerance, RESOLUTION);
    }

    #[test]
    fn what_is_added_to_a_comparison_stays_with_it() {
        let told = compared(at_most(1, 2).noting("so it is").as_trend().with_margin(exact(1.0)));
        assert_eq!((told.note.as_deref(), told.trend, told.margin), (Some("so it is"), true, exact(1.0)));
        assert_eq!(vacuous("nothing").noting("more").as_trend(), Evaluation::Vacuous("nothing".into()));
        let other = told.with_sides(exact(3.0), exact(8.0));
        assert_eq!((other.lhs, other.rhs, other.margin, other.scale), (exact(3.0), exact(8.0), exact(5.0), 2.0));
        let failed: Evaluation = Err::<Evaluation, _>("no such thing").into();
        assert_eq!(failed, Evaluation::Failed("no such thing".into()));
        assert_eq!((compared(none_of(2)).margin, compared(none_of(0)).margin), (exact(-2.0), exact(0.0)));
    }
}
