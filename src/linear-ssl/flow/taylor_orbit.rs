//! Orbits of polynomial vector fields on matrices, enclosed step by step.
//!
//! A step of length h from the box X: first a box B that contains the orbit up to h (Picard: `X + [0, h] f(B)` inside B), then
//! the Taylor polynomial at X plus the last coefficient over B times `h^(ORDER + 1)` (Moore, Kearfott, Cloud, Introduction to Interval
//! Analysis, section 10.2). No change of coordinates: widths grow like `e^(L t)` with a Lipschitz constant L of
//! absolute values, which is fine while `L t` is of order ten.

use super::FlowError;
use super::error::check_time;
use enclosures::interval::Interval;
use enclosures::linear_algebra::{IntervalMatrix, MatrixError};

/// Order of the polynomials.
const ORDER: usize = 16;

/// How often a box for the orbit is enlarged before the step counts as too long.
const ATTEMPTS: usize = 12;

/// The coefficients of a matrix-valued power series.
pub(super) type Series = Vec<IntervalMatrix>;

/// An autonomous vector field with polynomial components on a tuple of matrices.
pub(super) trait PolynomialField {
    /// The coefficients `0..=order` of the solution through each matrix of `start`.
    fn expansion(&self, start: &[IntervalMatrix], order: usize) -> Result<Vec<Series>, MatrixError>;
}

/// Coefficient k of the product of two series.
pub(super) fn convolution(a: &[IntervalMatrix], b: &[IntervalMatrix], k: usize) -> Result<IntervalMatrix, MatrixError> {
    let mut sum = a[0].product(&b[k])?;
    for j in 1..=k {
        sum = sum.plus(&a[j].product(&b[k - j])?)?;
    }
    Ok(sum)
}

fn entrywise(a: &IntervalMatrix, f: impl Fn(Interval) -> Interval) -> Result<IntervalMatrix, MatrixError> {
    IntervalMatrix::new(a.rows(), a.columns(), a.entries().iter().map(|&x| f(x)).collect())
}

/// Whether every entry of `inner` lies in that of `outer`, which is bounded.
fn inside(inner: &[IntervalMatrix], outer: &[IntervalMatrix]) -> bool {
    let pairs = inner.iter().zip(outer).flat_map(|(a, b)| a.entries().iter().zip(b.entries()));
    pairs.into_iter().all(|(a, b)| b.is_finite() && b.lo() <= a.lo() && a.hi() <= b.hi())
}

/// A box that contains the orbit over `[0, h]`.
fn rough_box<F: PolynomialField>(
    field: &F,
    start: &[IntervalMatrix],
    h: f64,
    time: f64,
) -> Result<Vec<IntervalMatrix>, FlowError> {
    let span = Interval::new(0.0, h);
    let reached = |from: &[IntervalMatrix]| -> Result<Vec<IntervalMatrix>, MatrixError> {
        let velocity = field.expansion(from, 1)?;
        start.iter().zip(&velocity).map(|(x, v)| x.plus(&v[1].scaled(span))).collect()
    };
    let wider = |b: &IntervalMatrix| entrywise(b, |x| x.widened_by(0.2 * x.width() + f64::MIN_POSITIVE));
    let mut trial = reached(start)?.iter().map(wider).collect::<Result<Vec<_>, _>>()?;
    for _ in 0..ATTEMPTS {
        let image = reached(&trial)?;
        if inside(&image, &trial) {
            return Ok(image);
        }
        trial = image.iter().map(wider).collect::<Result<_, _>>()?;
    }
    Err(FlowError::StepTooLong { step: h, time })
}

/// The matrices at time t, `t >= 0`, in so many steps.
pub(super) fn followed<F: PolynomialField>(
    field: &F,
    start: Vec<IntervalMatrix>,
    time: f64,
    steps: usize,
) -> Result<Vec<IntervalMatrix>, FlowError> {
    check_time(time)?;
    if time == 0.0 {
        return Ok(start);
    }
    let mut state = start;
    let mut now = 0.0;
    for k in 0..steps.max(1) {
        // The ends of the steps are doubles, so that the last one is the given time.
        let next = time * ((k + 1) as f64 / steps.max(1) as f64);
        let exact = Interval::point(next) - now;
        let over = rough_box(field, &state, exact.hi(), now)?;
        let near = field.expansion(&state, ORDER)?;
        let far = field.expansion(&over, ORDER + 1)?;
        let advance = |(series, rest): (&Series, &Series)| -> Result<IntervalMatrix, MatrixError> {
            let mut sum = rest[ORDER + 1].scaled(exact);
            for c in series[1..].iter().rev() {
                sum = sum.plus(c)?.scaled(exact);
            }
            series[0].plus(&sum)
        };
        state = near.iter().zip(&far).map(advance).collect::<Result<_, _>>()?;
        now = next;
    }
    Ok(state)
}
