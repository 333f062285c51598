//! What a check answers: both sides of the statement as enclosures, and the margin between them. Never a bare boolean.

use std::fmt;

use enclosures::enclosure::{Enclosure, exact};

/// Two sides that agree to within this fraction of their size cannot be told apart by double-precision enclosures; equality
/// is then reported as attained, not as a violation and not as room to spare.
pub const RESOLUTION: f64 = 1.0 / (1u64 << 30) as f64;

/// How the left side is said to relate to the right side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// Both sides of a statement on one instance.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
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
    pub scale_name: Option<&'static str>,
    /// Why parts of a conjunction were left out, because they say nothing on this instance.
    pub left_out: Vec<String>,
}

impl Comparison {
    fn of(lhs: Enclosure, rhs: Enclosure, relation: Relation) -> Self {
        let scale = lhs.magnitude().max(rhs.magnitude());
        let mut comparison = Comparison {
            lhs,
            rhs,
            relation,
            margin: Enclosure::ZERO,
            scale,
            tolerance: RESOLUTION,
            trend: false,
            lacks_power: false,
            note: None,
            scale_name: None,
            left_out: Vec::new(),
        };
        comparison.settle();
        comparison
    }

    /// The same statement of two other sides, judged on the same scale.
    pub(crate) fn with_sides(&self, lhs: Enclosure, rhs: Enclosure) -> Self {
        let mut changed = Comparison {
            lhs,
            rhs,
            ..self.clone()
        };
        changed.settle();
        changed
    }

    /// The size of the larger side: the scale unless another one is stated.
    #[must_use]
    pub fn natural_scale(&self) -> f64 {
        self.lhs.magnitude().max(self.rhs.magnitude())
    }

    pub(crate) fn settle(&mut self) {
        self.margin = match self.relation {
            Relation::AtMost | Relation::LessThan => self.rhs - self.lhs,
            Relation::AtLeast | Relation::GreaterThan => self.lhs - self.rhs,
            Relation::Equal => exact(self.tolerance) * self.scale.min(f64::MAX) - (self.lhs - self.rhs).abs(),
        };
    }

    /// The margin as a fraction of the scale, lower end: how close to violation the instance came.
    #[must_use]
    pub fn relative_margin(&self) -> f64 {
        relative(self.margin.lo(), self.scale)
    }

    /// How far beyond doubt the statement is violated, as a fraction of the scale; zero if it is not.
    #[must_use]
    pub fn relative_violation(&self) -> f64 {
        relative(-self.margin.hi(), self.scale).max(0.0)
    }
}

fn relative(x: f64, scale: f64) -> f64 {
    if x == 0.0 {
        0.0
    } else {
        x / scale.max(f64::MIN_POSITIVE)
    }
}

/// The answer of a check on one instance.
#[derive(Clone, Debug, PartialEq)]
pub enum Evaluation {
    /// Both sides could be enclosed.
    Compared(Comparison),
    /// The statement says nothing on this instance (its right side is infinite, its event is empty), for the reason given.
    Vacuous(String),
    /// The sides could not be computed; never a verdict.
    Failed(String),
}

impl Evaluation {
    /// Adds what else a reader should know.
    #[must_use]
    pub fn noting(mut self, note: impl Into<String>) -> Self {
        if let Evaluation::Compared(c) = &mut self {
            c.note = Some(note.into());
        }
        self
    }

    /// Marks the comparison as one of a measured trend with the growth that a statement allows: it can refute, but what it
    /// supports is reported as consistent, not as holding.
    #[must_use]
    pub fn as_trend(mut self) -> Self {
        if let Evaluation::Compared(c) = &mut self {
            c.trend = true;
        }
        self
    }

    /// Replaces the margin `right - left` by one computed without cancellation, for instance in a factored form.
    #[must_use]
    pub fn with_margin(mut self, margin: Enclosure) -> Self {
        if let Evaluation::Compared(c) = &mut self {
            c.margin = margin;
        }
        self
    }

    /// Sets the size that counts as one when the margin is judged small or large: the sum of the absolute values of what
    /// was added up, say, when the sides themselves are differences. Also the scale of an identity's tolerance.
    #[must_use]
    pub fn on_scale(mut self, scale: f64) -> Self {
        if let Evaluation::Compared(c) = &mut self {
            c.scale = scale.abs().max(c.scale);
            if c.relation == Relation::Equal {
                c.settle();
            }
        }
        self
    }

    /// The same, with a name for what the scale is the size of ("‖A‖‖B‖"), so that the report can say it where it decides.
    #[must_use]
    pub fn on_scale_of(self, name: &'static str, scale: f64) -> Self {
        let mut scaled = self.on_scale(scale);
        if let Evaluation::Compared(c) = &mut scaled {
            c.scale_name = Some(name);
        }
        scaled
    }

    /// The same, where what is compared is of the order of one: probabilities, cosines, shares.
    #[must_use]
    pub fn on_unit_scale(self) -> Self {
        self.on_scale_of("1", 1.0)
    }

    /// Demands that an identity's sides agree to a fraction `tolerance` of their scale instead of [`RESOLUTION`]; the error
    /// bound that justifies it belongs in a comment beside the call.
    #[must_use]
    pub fn within(mut self, tolerance: f64) -> Self {
        if let Evaluation::Compared(c) = &mut self
            && c.relation == Relation::Equal
        {
            c.tolerance = tolerance;
            c.settle();
        }
        self
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
