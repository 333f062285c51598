//! Numbers for Python: enclosures, and what comparing them answers. Arithmetic rounds outward, no float comes in unsaid, and a comparison is
//! both sides and the margin between them, never a truth value. The two types make one another, so that they stand in one file.

use enclosures::enclosure::{self as inner, Grade, exact};
use enclosures::interval::Interval;
use enclosures::probability::{self, IntervalError};
use evidence::claim::{self, Evaluation};
use evidence::judge::judge;
use pyo3::basic::CompareOp;
use pyo3::create_exception;
use pyo3::exceptions::{PyArithmeticError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt};
use statements::number::REASONS;
use statements::{BEYOND, DOUBTFUL};

create_exception!(
    contrapositive,
    Undefined,
    PyArithmeticError,
    "A formula that the mathematics gives no value: the logarithm of a negative number, a quotient by zero."
);

/// Which of the reasons of the language of statements it is.
#[derive(Clone, Copy)]
enum Reason {
    Logarithm,
    Root,
    Quotient,
    Power,
    Arc,
}

fn undefined(reason: Reason) -> PyErr {
    Undefined::new_err(REASONS[reason as usize])
}

/// What an enclosure is made from again: both ends, the name of its grade, and the chance of a miss.
type Pickled = (f64, f64, String, Option<f64>);

/// What an evaluation is made from again: its kind, and what is kept of it.
type Recalled = (&'static str, Vec<u8>);

/// A real number known to lie between two floats, with how well that is known.
#[pyclass(frozen, module = "contrapositive")]
#[derive(Clone, Copy, Debug)]
pub struct Enclosure {
    pub(crate) value: inner::Enclosure,
    /// Whether every operation on the way had a value on the whole of its operands.
    pub(crate) defined: bool,
}

impl Enclosure {
    pub(crate) fn of(value: inner::Enclosure) -> Self {
        Enclosure { value, defined: true }
    }

    fn map(&self, f: impl FnOnce(inner::Enclosure) -> inner::Enclosure) -> Self {
        Enclosure { value: f(self.value), defined: self.defined }
    }

    fn with(self, other: Self, f: impl FnOnce(inner::Enclosure, inner::Enclosure) -> inner::Enclosure) -> Self {
        Enclosure { value: f(self.value, other.value), defined: self.defined && other.defined }
    }

    /// A function that is defined from `least` to `greatest`; at the ends themselves if they are `closed`.
    fn on(
        &self,
        (least, greatest, closed): (f64, f64, bool),
        reason: Reason,
        f: impl FnOnce(inner::Enclosure) -> inner::Enclosure,
    ) -> PyResult<Self> {
        let (lo, hi) = (self.value.lo(), self.value.hi());
        let (below, above) = if closed { (hi < least, lo > greatest) } else { (hi <= least, lo >= greatest) };
        if below || above {
            return Err(undefined(reason));
        }
        let inside = if closed { lo >= least && hi <= greatest } else { lo > least && hi < greatest };
        Ok(Enclosure { value: f(self.value), defined: self.defined && inside })
    }

    fn over(self, other: Self) -> PyResult<Self> {
        if other.value.lo() == 0.0 && other.value.hi() == 0.0 {
            return Err(undefined(Reason::Quotient));
        }
        let around_zero = other.value.lo() <= 0.0 && other.value.hi() >= 0.0;
        let quotient = self.with(other, |a, b| a / b);
        Ok(Enclosure { defined: quotient.defined && !around_zero, ..quotient })
    }

    fn raised(self, exponent: &Bound<'_, PyAny>) -> PyResult<Self> {
        if exponent.is_instance_of::<PyInt>() && !exponent.is_instance_of::<PyBool>() {
            let exponent: i64 = exponent.extract()?;
            if exponent < 0 {
                let positive =
                    exponent.checked_neg().ok_or_else(|| PyOverflowError::new_err("an exponent of 64 bits"))?;
                return Enclosure::of(exact(1.0)).over(self.map(|x| x.powi(positive)));
            }
            return Ok(self.map(|x| x.powi(exponent)));
        }
        let exponent = number(exponent)?;
        // x^y = e^(y log x), on positive x.
        let logarithm = self.on((0.0, f64::INFINITY, false), Reason::Power, inner::Enclosure::ln)?;
        Ok(logarithm.with(exponent, |a, b| (a * b).exp()))
    }
}

/// The enclosure of a Python number: an enclosure, a whole number or a fraction exactly, a float as the float itself.
pub(crate) fn number(value: &Bound<'_, PyAny>) -> PyResult<Enclosure> {
    if let Ok(known) = value.cast::<Enclosure>() {
        return Ok(*known.get());
    }
    if value.is_instance_of::<PyBool>() {
        return Err(PyTypeError::new_err("a truth value is no number here"));
    }
    if value.is_instance_of::<PyFloat>() {
        return from_float(value.extract()?);
    }
    let kind = value.get_type().qualname()?.to_string();
    if value.hasattr("__index__")? {
        let whole = value.call_method0("__index__")?;
        return from_whole(&whole);
    }
    if value.hasattr("numerator")? && value.hasattr("denominator")? {
        let part = |name| from_whole(&value.getattr(name)?.call_method0("__index__")?);
        return part("numerator")?.over(part("denominator")?);
    }
    // Scalars of NumPy, of a width that a double holds.
    if kind == "float32" || kind == "float16" {
        return from_float(value.call_method0("__float__")?.extract()?);
    }
    Err(PyTypeError::new_err(format!(
        "{kind} is no number here: use int, float, fractions.Fraction or contrapositive.Enclosure"
    )))
}

fn from_float(x: f64) -> PyResult<Enclosure> {
    if x.is_finite() {
        Ok(Enclosure::of(exact(x)))
    } else {
        Err(PyValueError::new_err(format!("{x} is no real number")))
    }
}

fn from_whole(whole: &Bound<'_, PyAny>) -> PyResult<Enclosure> {
    if let Ok(x) = whole.extract::<i64>() {
        let size = inner::Enclosure::from(x.unsigned_abs());
        return Ok(Enclosure::of(if x < 0 { -size } else { size }));
    }
    // Python rounds to the nearest double, so that the number lies between its neighbours.
    let near: f64 = whole.call_method0("__float__")?.extract()?;
    Ok(Enclosure::of(inner::Enclosure::between(near.next_down(), near.next_up())))
}

#[pymethods]
impl Enclosure {
    /// The numbers between two floats; without the second, the first itself.
    #[new]
    #[pyo3(signature = (lo, hi = None))]
    fn new(lo: f64, hi: Option<f64>) -> PyResult<Self> {
        let hi = hi.unwrap_or(lo);
        if lo <= hi && lo < f64::INFINITY && hi > f64::NEG_INFINITY {
            Ok(Enclosure::of(inner::Enclosure::between(lo, hi)))
        } else {
            Err(PyValueError::new_err(format!("[{lo}, {hi}] is no interval")))
        }
    }

    /// The lower end.
    #[getter]
    fn lo(&self) -> f64 {
        self.value.lo()
    }

    /// The upper end.
    #[getter]
    fn hi(&self) -> f64 {
        self.value.hi()
    }

    /// A number inside, the middle where both ends are finite.
    #[getter]
    fn mid(&self) -> f64 {
        self.value.midpoint()
    }

    /// An upper bound of hi − lo.
    #[getter]
    fn width(&self) -> f64 {
        self.value.width()
    }

    /// How well it is known: "measured", "sampled", "exact" or "proved".
    #[getter]
    fn grade(&self) -> String {
        self.value.grade().to_string()
    }

    /// Of a sampled one, the chance that it misses; none otherwise.
    #[getter]
    fn alpha(&self) -> Option<f64> {
        match self.value.grade() {
            Grade::Sampled { alpha } => Some(alpha),
            _ => None,
        }
    }

    /// The exponential.
    fn exp(&self) -> Self {
        self.map(inner::Enclosure::exp)
    }

    /// e^x − 1, accurate near zero.
    fn expm1(&self) -> Self {
        self.map(inner::Enclosure::exp_m1)
    }

    /// log(1 + e^x).
    fn softplus(&self) -> Self {
        self.map(inner::Enclosure::softplus)
    }

    /// 1 / (1 + e^(−x)).
    fn sigmoid(&self) -> Self {
        self.map(inner::Enclosure::sigmoid)
    }

    /// Sine.
    fn sin(&self) -> Self {
        self.map(inner::Enclosure::sin)
    }

    /// Cosine.
    fn cos(&self) -> Self {
        self.map(inner::Enclosure::cos)
    }

    /// Hyperbolic sine.
    fn sinh(&self) -> Self {
        self.map(inner::Enclosure::sinh)
    }

    /// Hyperbolic cosine.
    fn cosh(&self) -> Self {
        self.map(inner::Enclosure::cosh)
    }

    /// Hyperbolic tangent.
    fn tanh(&self) -> Self {
        self.map(inner::Enclosure::tanh)
    }

    /// Arc tangent.
    fn arctan(&self) -> Self {
        self.map(inner::Enclosure::atan)
    }

    /// Inverse hyperbolic sine.
    fn arcsinh(&self) -> Self {
        self.map(inner::Enclosure::asinh)
    }

    /// The square, never negative.
    fn square(&self) -> Self {
        self.map(inner::Enclosure::square)
    }

    /// The natural logarithm.
    fn log(&self) -> PyResult<Self> {
        self.on((0.0, f64::INFINITY, false), Reason::Logarithm, inner::Enclosure::ln)
    }

    /// The logarithm to base two.
    fn log2(&self) -> PyResult<Self> {
        self.on((0.0, f64::INFINITY, false), Reason::Logarithm, inner::Enclosure::log2)
    }

    /// log(1 + x), accurate near zero.
    fn log1p(&self) -> PyResult<Self> {
        self.on((-1.0, f64::INFINITY, false), Reason::Logarithm, inner::Enclosure::ln_1p)
    }

    /// The square root.
    fn sqrt(&self) -> PyResult<Self> {
        self.on((0.0, f64::INFINITY, true), Reason::Root, inner::Enclosure::sqrt)
    }

    /// Arc sine.
    fn arcsin(&self) -> PyResult<Self> {
        self.on((-1.0, 1.0, true), Reason::Arc, inner::Enclosure::asin)
    }

    /// Arc cosine.
    fn arccos(&self) -> PyResult<Self> {
        self.on((-1.0, 1.0, true), Reason::Arc, inner::Enclosure::acos)
    }

    /// Inverse hyperbolic cosine.
    fn arccosh(&self) -> PyResult<Self> {
        self.on((1.0, f64::INFINITY, true), Reason::Arc, inner::Enclosure::acosh)
    }

    /// Inverse hyperbolic tangent.
    fn arctanh(&self) -> PyResult<Self> {
        self.on((-1.0, 1.0, false), Reason::Arc, inner::Enclosure::atanh)
    }

    /// The larger of two.
    fn max(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(self.with(number(other)?, |a, b| a.max(b)))
    }

    /// The smaller of two.
    fn min(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(self.with(number(other)?, |a, b| a.min(b)))
    }

    fn __add__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(self.with(number(other)?, |a, b| a + b))
    }

    fn __radd__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(number(other)?.with(*self, |a, b| a + b))
    }

    fn __sub__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(self.with(number(other)?, |a, b| a - b))
    }

    fn __rsub__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(number(other)?.with(*self, |a, b| a - b))
    }

    fn __mul__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(self.with(number(other)?, |a, b| a * b))
    }

    fn __rmul__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(number(other)?.with(*self, |a, b| a * b))
    }

    fn __truediv__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.over(number(other)?)
    }

    fn __rtruediv__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        number(other)?.over(*self)
    }

    fn __pow__(&self, exponent: &Bound<'_, PyAny>, _modulo: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        self.raised(exponent)
    }

    fn __rpow__(&self, base: &Bound<'_, PyAny>, _modulo: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let base = number(base)?;
        let logarithm = base.on((0.0, f64::INFINITY, false), Reason::Power, inner::Enclosure::ln)?;
        Ok(logarithm.with(*self, |a, b| (a * b).exp()))
    }

    fn __neg__(&self) -> Self {
        self.map(|x| -x)
    }

    fn __pos__(&self) -> Self {
        *self
    }

    fn __abs__(&self) -> Self {
        self.map(inner::Enclosure::abs)
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
        let py = other.py();
        match number(other) {
            Ok(right) => Ok(Py::new(py, Comparison::of(*self, op, right)?)?.into_any()),
            // To be equal to what is no number at all is a question with an answer.
            Err(_) if matches!(op, CompareOp::Eq | CompareOp::Ne) => Ok(py.NotImplemented()),
            Err(error) => Err(error),
        }
    }

    fn __bool__(&self) -> PyResult<bool> {
        Err(PyTypeError::new_err("an enclosure is neither true nor false"))
    }

    fn __repr__(&self) -> String {
        let (lo, hi) = (self.value.lo(), self.value.hi());
        format!("Enclosure({lo:?}, {hi:?}, {})", self.value.grade())
    }

    /// The same digits; the ends show when the mouse rests on them.
    fn _repr_html_(&self) -> String {
        let escaped = |text: String| text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
        let (ends, digits) = (escaped(self.__repr__()), escaped(self.value.to_string()));
        format!("<code title=\"{ends}\">{digits}</code>")
    }

    /// The digits on which both ends agree, at most six.
    fn __str__(&self) -> String {
        self.value.to_string()
    }

    fn __format__(&self, spec: &str) -> PyResult<String> {
        if spec.is_empty() {
            return Ok(self.value.to_string());
        }
        match spec.strip_prefix('.').and_then(|digits| digits.parse::<usize>().ok()) {
            Some(digits) if (1..=17).contains(&digits) => Ok(format!("{:.digits$}", self.value)),
            _ => Err(PyValueError::new_err(format!(
                "{spec:?} is no format of an enclosure: use \".n\", n digits from 1 to 17 at the most"
            ))),
        }
    }

    /// Makes NumPy's scalars leave arithmetic to enclosures, and its arrays refuse it.
    #[classattr]
    fn __array_ufunc__() -> Option<Py<PyAny>> {
        None
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<(Py<PyAny>, Pickled)> {
        let make = slf.py().import("contrapositive._native")?.getattr("enclosure")?;
        let it = slf.get();
        Ok((make.unbind(), (it.lo(), it.hi(), it.grade(), it.alpha())))
    }
}

/// The numbers between two ends, of a grade; an end that is none lies at infinity.
#[pyfunction]
#[pyo3(signature = (lo, hi, grade = "exact", alpha = None))]
pub fn enclosure(lo: Option<f64>, hi: Option<f64>, grade: &str, alpha: Option<f64>) -> PyResult<Enclosure> {
    let (lo, hi) = (lo.unwrap_or(f64::NEG_INFINITY), hi.unwrap_or(f64::INFINITY));
    let known = Enclosure::new(lo, Some(hi))?.value.interval();
    let grade = match (grade, alpha) {
        ("measured", None) => Grade::Measured,
        ("sampled", Some(alpha)) if (0.0..=1.0).contains(&alpha) => Grade::Sampled { alpha },
        ("exact", None) => Grade::Exact,
        ("proved", None) => Grade::Proved,
        _ => {
            return Err(PyValueError::new_err(format!(
                "grade: {grade:?} with alpha {alpha:?}; use measured, exact, proved, or sampled with its alpha"
            )));
        }
    };
    Ok(Enclosure::of(inner::Enclosure::graded(known, grade)))
}

/// A number that was computed in floating point, without a bound of its error.
#[pyfunction]
pub fn measured(x: f64) -> PyResult<Enclosure> {
    Ok(Enclosure::of(from_float(x)?.value.as_measured()))
}

/// The circle constant.
#[pyfunction]
pub fn pi() -> Enclosure {
    Enclosure::of(inner::Enclosure::pi())
}

/// log Σ e^x of one or more numbers.
#[pyfunction]
pub fn log_sum_exp(terms: Vec<Bound<'_, PyAny>>) -> PyResult<Enclosure> {
    if terms.is_empty() {
        return Err(PyValueError::new_err("terms: the logarithm of an empty sum has no value"));
    }
    let terms: Vec<Enclosure> = terms.iter().map(number).collect::<PyResult<_>>()?;
    let values: Vec<inner::Enclosure> = terms.iter().map(|t| t.value).collect();
    Ok(Enclosure { value: inner::log_sum_exp(&values), defined: terms.iter().all(|t| t.defined) })
}

/// A probability from the successes among independent trials (Clopper and Pearson); it misses with a chance of at most alpha.
#[pyfunction]
pub fn clopper_pearson(successes: &Bound<'_, PyAny>, trials: &Bound<'_, PyAny>, alpha: f64) -> PyResult<Enclosure> {
    let (successes, trials) = (count("successes", successes)?, count("trials", trials)?);
    let known = probability::clopper_pearson(successes, trials, alpha);
    known.map(Enclosure::of).map_err(|error| {
        let name = match error {
            IntervalError::Level(_) => "alpha",
            IntervalError::Successes { .. } => "successes",
            _ => "trials",
        };
        PyValueError::new_err(format!("{name}: {error}"))
    })
}

/// A number of things that are counted; `name` is that of the argument.
fn count(name: &str, value: &Bound<'_, PyAny>) -> PyResult<u64> {
    let refused = |_| PyValueError::new_err(format!("{name}: {value} is no whole number from 0 to 2^64 - 1"));
    value.extract::<u64>().map_err(refused)
}

impl From<Interval> for Enclosure {
    fn from(interval: Interval) -> Self {
        Enclosure::of(interval.into())
    }
}

/// Both sides of a statement on one instance.
#[pyclass(frozen, module = "contrapositive")]
#[derive(Clone, Debug)]
pub struct Comparison {
    pub(crate) evaluation: Evaluation,
}

impl Comparison {
    pub(crate) fn of(left: Enclosure, op: CompareOp, right: Enclosure) -> PyResult<Self> {
        let compare = match op {
            CompareOp::Le => claim::at_most,
            CompareOp::Ge => claim::at_least,
            CompareOp::Lt => claim::less_than,
            CompareOp::Gt => claim::greater_than,
            CompareOp::Eq => claim::equal,
            CompareOp::Ne => {
                return Err(PyTypeError::new_err(
                    "enclosures can show that two numbers differ by how much, not that they differ: use < or >",
                ));
            }
        };
        Ok(Comparison { evaluation: between(left, right, compare) })
    }
}

/// What is not defined or has left the range of doubles says nothing, as in the language of statements.
fn between(
    left: Enclosure,
    right: Enclosure,
    compare: fn(inner::Enclosure, inner::Enclosure) -> Evaluation,
) -> Evaluation {
    if !(left.defined && right.defined) {
        return claim::vacuous(DOUBTFUL);
    }
    let (left, right) = (left.value, right.value);
    let overlap = left.lo() <= right.hi() && right.lo() <= left.hi();
    if overlap && !(left.interval().is_finite() && right.interval().is_finite()) {
        return claim::vacuous(BEYOND);
    }
    compare(left, right)
}

#[pymethods]
impl Comparison {
    /// The left side; none where nothing could be compared.
    #[getter]
    fn left(&self) -> Option<Enclosure> {
        self.sides().map(|c| Enclosure::of(c.lhs))
    }

    /// The right side.
    #[getter]
    fn right(&self) -> Option<Enclosure> {
        self.sides().map(|c| Enclosure::of(c.rhs))
    }

    /// The relation: "≤", "≥", "<", ">" or "=".
    #[getter]
    fn relation(&self) -> Option<String> {
        self.sides().map(|c| c.relation.to_string())
    }

    /// Room to spare: negative where the statement is violated.
    #[getter]
    fn margin(&self) -> Option<Enclosure> {
        self.sides().map(|c| Enclosure::of(c.margin))
    }

    /// What else there is to know, or why nothing could be compared.
    #[getter]
    fn note(&self) -> Option<String> {
        match &self.evaluation {
            Evaluation::Compared(c) => c.note.clone(),
            Evaluation::Vacuous(reason) | Evaluation::Failed(reason) => Some(reason.clone()),
        }
    }

    /// What the judge says of it: "holds", "touches", "violated", "undecided", "vacuous" or "failed".
    #[getter]
    fn judgement(&self) -> String {
        match &self.evaluation {
            Evaluation::Compared(c) => format!("{:?}", judge(c)).to_lowercase(),
            Evaluation::Vacuous(_) => "vacuous".into(),
            Evaluation::Failed(_) => "failed".into(),
        }
    }

    /// The same with the margin replaced by one that was computed without cancellation.
    fn with_margin(&self, margin: &Bound<'_, PyAny>) -> PyResult<Self> {
        let margin = number(margin)?;
        Ok(Comparison { evaluation: self.evaluation.clone().with_margin(margin.value) })
    }

    /// The same, with the size that counts as one when the margin is judged small or large.
    fn on_scale(&self, scale: f64) -> PyResult<Self> {
        if !(scale > 0.0 && scale.is_finite()) {
            return Err(PyValueError::new_err(format!("scale: {scale} is no positive number")));
        }
        Ok(Comparison { evaluation: self.evaluation.clone().on_scale(scale) })
    }

    fn __bool__(&self) -> PyResult<bool> {
        Err(PyTypeError::new_err(
            "a comparison of enclosures is evidence, not a truth value: return it, join several by all_of(...), or \
             look at .judgement; a chain a <= b <= c is all_of(a <= b, b <= c)",
        ))
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<(Py<PyAny>, Recalled)> {
        let make = slf.py().import("contrapositive._native")?.getattr("recalled")?;
        let kept = match &slf.get().evaluation {
            Evaluation::Vacuous(reason) => ("vacuous", reason.clone().into_bytes()),
            Evaluation::Failed(reason) => ("failed", reason.clone().into_bytes()),
            Evaluation::Compared(comparison) => ("compared", postcard::to_stdvec(comparison).map_err(unreadable)?),
        };
        Ok((make.unbind(), kept))
    }

    fn __repr__(&self) -> String {
        match &self.evaluation {
            Evaluation::Compared(c) => format!("<{} {} {}: {}>", c.lhs, c.relation, c.rhs, self.judgement()),
            Evaluation::Vacuous(reason) => format!("<says nothing: {reason}>"),
            Evaluation::Failed(reason) => format!("<failed: {reason}>"),
        }
    }
}

impl Comparison {
    fn sides(&self) -> Option<&claim::Comparison> {
        match &self.evaluation {
            Evaluation::Compared(comparison) => Some(comparison),
            _ => None,
        }
    }
}

fn unreadable(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(format!("record: {error}"))
}

/// A comparison from what it was pickled as.
#[pyfunction]
pub fn recalled(kind: &str, record: Vec<u8>) -> PyResult<Comparison> {
    let reason = || String::from_utf8(record.clone()).map_err(unreadable);
    Ok(Comparison {
        evaluation: match kind {
            "vacuous" => Evaluation::Vacuous(reason()?),
            "failed" => Evaluation::Failed(reason()?),
            "compared" => Evaluation::Compared(postcard::from_bytes(&record).map_err(unreadable)?),
            other => return Err(unreadable(format!("{other:?} is no kind of comparison"))),
        },
    })
}

/// The statement that all of several statements hold; the worst of them is the one that is judged.
#[pyfunction]
#[pyo3(signature = (*parts))]
pub fn all_of(parts: Vec<PyRef<'_, Comparison>>) -> PyResult<Comparison> {
    if parts.is_empty() {
        return Err(PyValueError::new_err("parts: there is none"));
    }
    let named = parts.iter().enumerate().map(|(at, part)| (format!("part {}", at + 1), part.evaluation.clone()));
    Ok(Comparison { evaluation: claim::all_of(named) })
}

/// The statement that two numbers are equal: to within a fraction of the larger one, 2^-30 unless another is given.
#[pyfunction]
#[pyo3(signature = (left, right, within = None))]
pub fn equal(left: &Bound<'_, PyAny>, right: &Bound<'_, PyAny>, within: Option<f64>) -> PyResult<Comparison> {
    let evaluation = between(number(left)?, number(right)?, claim::equal);
    Ok(Comparison {
        evaluation: match within {
            Some(tolerance) if tolerance > 0.0 && tolerance < 1.0 => evaluation.within(tolerance),
            Some(tolerance) => {
                return Err(PyValueError::new_err(format!("within: {tolerance} does not lie between 0 and 1")));
            }
            None => evaluation,
        },
    })
}

/// Both sides of a stored comparison again: its ends, and an end that is none lies at infinity.
#[pyfunction]
pub fn judged(
    left: (Option<f64>, Option<f64>),
    relation: &str,
    right: (Option<f64>, Option<f64>),
) -> PyResult<Comparison> {
    let side = |(lo, hi): (Option<f64>, Option<f64>)| {
        Enclosure::from(Interval::new(lo.unwrap_or(f64::NEG_INFINITY), hi.unwrap_or(f64::INFINITY)))
    };
    let op = match relation {
        "≤" => CompareOp::Le,
        "≥" => CompareOp::Ge,
        "<" => CompareOp::Lt,
        ">" => CompareOp::Gt,
        "=" => CompareOp::Eq,
        _ => return Err(PyValueError::new_err(format!("relation: {relation:?} is none"))),
    };
    Comparison::of(side(left), op, side(right))
}
