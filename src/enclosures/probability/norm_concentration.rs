//! How likely a random ReLU network keeps all hidden norms of one input within `[1 - eps, 1 + eps]`, enclosed.
//!
//! The logarithm of the squared norm is a random walk with independent steps `X_l = log((2/m) chi^2_B)`. Rounding every
//! step down to a multiple of `s` moves the `l`-th partial sum by less than `l s`, so that the event "all sums lie in
//! `[a, b]`" contains "all rounded sums lie in `[a, b - l s]`" and is contained in "all rounded sums lie in
//! `[a - l s, b]`". Both are finite sums over cells, and their probabilities enclose the one sought.

use super::hidden_norms::IncrementLaw;
use crate::interval::Interval;

/// What is wrong with a question about hidden norms.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ConcentrationError {
    /// Not a relative deviation.
    #[error("the deviation {0} is not strictly between 0 and 1")]
    Deviation(f64),
    /// A width, depth or number of cells that is zero or too large.
    #[error(
        "width {width}, {layers} layers and {cells} cells are not all positive, or need more than the limit of 4e9 \
         steps"
    )]
    Size {
        /// Width of the hidden layers.
        width: u32,
        /// Number of hidden layers.
        layers: u32,
        /// Number of cells of the window.
        cells: u32,
    },
}

const STEP_LIMIT: f64 = 4e9;

fn check(width: u32, layers: u32, eps: f64, cells: u32) -> Result<(), ConcentrationError> {
    if !(eps > 0.0 && eps < 1.0) {
        return Err(ConcentrationError::Deviation(eps));
    }
    let (m, l, c) = (f64::from(width), f64::from(layers), f64::from(cells));
    if m == 0.0 || l == 0.0 || c == 0.0 || l * c * (c + l) > STEP_LIMIT || m * (c + l) > STEP_LIMIT / 40.0 {
        return Err(ConcentrationError::Size { width, layers, cells });
    }
    Ok(())
}

/// `P(1 - eps <= ||h_l|| <= 1 + eps for l = 0 .. L-1)` for one input of norm one, width `m` and `L` hidden layers. The
/// window of log squared norms is cut into `cells`; the width of the answer falls like `L / cells`, the time grows like
/// `L cells^2 + m cells`. One layer is exact whatever the number of cells.
///
/// # Errors
/// `eps` outside (0, 1); a size that is zero or too large.
pub fn concentration(width: u32, layers: u32, eps: f64, cells: u32) -> Result<Interval, ConcentrationError> {
    check(width, layers, eps, cells)?;
    let (window, law) = (Window::new(eps), IncrementLaw::new(width));
    if layers == 1 {
        return Ok(between(&law, window.squared_low, window.squared_high));
    }
    let lower = walk(&law, layers, &window, cells, Side::Inner);
    let upper = walk(&law, layers, &window, cells, Side::Outer);
    let simple = concentration_upper_bound(width, layers, eps)?;
    Ok(Interval::new(lower.lo().clamp(0.0, 1.0), upper.hi().min(simple.hi()).clamp(0.0, 1.0)))
}

/// A cheap upper bound of [`concentration`]: the first squared norm lies in `[(1-eps)^2, (1+eps)^2]` and every later
/// increment between the ratio of these numbers and its inverse, all independent. Exact for one layer.
///
/// # Errors
/// `eps` outside (0, 1); width or depth zero.
pub fn concentration_upper_bound(width: u32, layers: u32, eps: f64) -> Result<Interval, ConcentrationError> {
    check(width, layers.min(1), eps, 1)?;
    let (window, law) = (Window::new(eps), IncrementLaw::new(width));
    let first = between(&law, window.squared_low, window.squared_high);
    let ratio = window.squared_high / window.squared_low;
    let later = between(&law, Interval::ONE / ratio, ratio);
    Ok(first * later.powi(i64::from(layers) - 1))
}

/// `P(low <= increment <= high)`; the increment has no atom but the one at zero.
fn between(law: &IncrementLaw, low: Interval, high: Interval) -> Interval {
    (law.cdf(high) - law.cdf(low)).max(Interval::ZERO)
}

struct Window {
    squared_low: Interval,
    squared_high: Interval,
    /// A double at or below `2 log(1 - eps)`.
    start: f64,
    /// A double at or above the width of the window in log squared norm.
    length: f64,
}

impl Window {
    fn new(eps: f64) -> Self {
        let (low, high) = (Interval::ONE - eps, Interval::ONE + eps);
        // ln_1p keeps the relative accuracy that the comparison with cells needs when eps is tiny.
        let (a, b) = (Interval::point(-eps).ln_1p() * 2.0, Interval::point(eps).ln_1p() * 2.0);
        Window { squared_low: low.square(), squared_high: high.square(), start: a.lo(), length: (b - a.lo()).hi() }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Side {
    Inner,
    Outer,
}

/// The probability that all rounded partial sums stay inside the window shrunk (inner) or enlarged (outer) by `l` cells
/// after `l` steps. Cell `j` stands for the sum `start + j s`; the window is `0 <= j <= cells`.
fn walk(increments: &IncrementLaw, layers: u32, window: &Window, cells: u32, side: Side) -> Interval {
    let depth = i64::from(layers);
    // One unit of slack keeps the window on the right side of its rounded ends: the inner window is one cell short at
    // either end, the outer one one cell longer.
    let cells = i64::from(cells);
    let step = window.length / cells as f64;
    let (first, last) = if side == Side::Outer { (-depth - 1, cells + 1) } else { (1, cells - 1) };
    let size = (last - first + 1).max(0) as usize;
    if size == 0 {
        return Interval::ZERO;
    }
    // P(rounded step = d) for d = -(size-1) ..= size-1, and for the first step, which starts from zero.
    let law = |offset: f64, from: i64, count: usize| -> Vec<Interval> {
        let edge = |d: i64| (Interval::point(d as f64) * step + offset).exp();
        let cdf: Vec<Interval> = (0..=count as i64).map(|i| increments.cdf(edge(from + i))).collect();
        cdf.windows(2).map(|pair| (pair[1] - pair[0]).max(Interval::ZERO)).collect()
    };
    let limits = |l: i64| {
        if side == Side::Outer { (first.max(-l - 1), last) } else { (first, last - l) }
    };
    let mut mass = law(window.start, first, size);
    let clear = |mass: &mut [Interval], l: i64| {
        let (low, high) = limits(l);
        for (index, cell) in (first..).zip(mass.iter_mut()) {
            if index < low || index > high {
                *cell = Interval::ZERO;
            }
        }
    };
    clear(&mut mass, 1);
    if depth > 1 {
        let steps = law(0.0, 1 - size as i64, 2 * size - 1);
        for l in 2..=depth {
            let next: Vec<Interval> = (0..size)
                .map(|to| {
                    let terms = mass.iter().enumerate().map(|(from, m)| *m * steps[to + size - 1 - from]);
                    terms.sum()
                })
                .collect();
            mass = next;
            clear(&mut mass, l);
        }
    }
    mass.iter().copied().sum()
}

#[cfg(test)]
mod tests {
    use super::super::{clopper_pearson, hidden_norms};
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn one_layer_is_exact() {
        // m = 1: 2 z^2 in [(1-eps)^2, (1+eps)^2] with probability (erf((1+eps)/2) - erf((1-eps)/2)) / 2.
        let p = concentration(1, 1, 0.5, 1).unwrap();
        let closed = 0.5 * (core_math::erf(0.75) - core_math::erf(0.25));
        assert!((p.midpoint() - closed).abs() < 1e-15 && p.width() < 1e-14);
    }

    #[test]
    fn failure_at_half_is_about_the_observed_one() {
        let success = concentration(200, 4, 0.5, 700).unwrap();
        let failure = Interval::ONE - success;
        assert!(failure.lo() > 2e-3 && failure.hi() < 3.4e-3, "{failure:?}");
    }

    #[test]
    fn simulation_lies_inside() {
        let mut rng = ChaCha8Rng::seed_from_u64(17);
        for (width, layers, eps) in [(1, 2, 0.5), (2, 3, 0.9), (20, 4, 0.5), (50, 10, 0.3)] {
            let runs = 20_000;
            let kept = (0..runs)
                .filter(|_| hidden_norms(&mut rng, width).take(layers as usize).all(|x| (x - 1.0).abs() <= eps))
                .count();
            let sampled = clopper_pearson(kept as u64, runs, 1e-6).unwrap().interval();
            let exact = concentration(width, layers, eps, 400).unwrap();
            assert!(sampled.intersection(exact).is_some(), "{width} {layers} {sampled:?} {exact:?}");
            assert!(exact.width() < 0.2, "{exact:?}");
            assert!(concentration_upper_bound(width, layers, eps).unwrap().hi() >= exact.lo());
        }
    }

    #[test]
    fn finer_cells_answer_inside_coarser_ones() {
        let coarse = concentration(20, 3, 0.5, 100).unwrap();
        let fine = concentration(20, 3, 0.5, 800).unwrap();
        assert!(fine.intersection(coarse).is_some() && fine.width() < 0.3 * coarse.width());
    }

    #[test]
    fn two_layers_and_few_cells_are_a_sum_over_pairs_of_rounded_steps() {
        let (law, window) = (IncrementLaw::new(6), Window::new(0.5));
        let size = window.length / 5.0;
        let cdf = |x: f64| law.cdf(Interval::point(core_math::exp(x))).midpoint();
        let mass = |from: f64, cell: i32| {
            let edge = from + f64::from(cell) * size;
            cdf(edge + size) - cdf(edge)
        };
        let pairs = |firsts: std::ops::RangeInclusive<i32>, seconds: std::ops::RangeInclusive<i32>| -> f64 {
            let second = |first: i32| -> f64 { seconds.clone().map(|sum| mass(0.0, sum - first)).sum() };
            firsts.map(|first| mass(window.start, first) * second(first)).sum()
        };
        // Of the cells 0 to 5 one at either end is left out for the rounding of the ends, and one more for each step rounded down.
        let inner = walk(&law, 2, &window, 5, Side::Inner);
        assert!((inner.midpoint() - pairs(1..=3, 1..=2)).abs() < 1e-11, "{inner:?}");
        // One more at either end, and below as many again as steps were rounded down.
        let outer = walk(&law, 2, &window, 5, Side::Outer);
        assert!((outer.midpoint() - pairs(-2..=6, -3..=6)).abs() < 1e-11, "{outer:?}");
        // Of four cells the second step leaves one, of three none.
        assert!(walk(&law, 2, &window, 4, Side::Inner).lo() > 0.0);
        assert_eq!(walk(&law, 2, &window, 3, Side::Inner), Interval::ZERO);
    }

    #[test]
    fn three_layers_and_a_narrow_window_leave_no_constant() {
        // Success falls like eps^3, the promised one like c eps^2 m / 3: the implied c vanishes with eps at any width.
        for width in [1, 20, 1000] {
            let implied = |eps: f64| {
                let success = concentration_upper_bound(width, 3, eps).unwrap();
                (-(-success).ln_1p() * 3.0 / (eps * eps * f64::from(width))).hi()
            };
            assert!(implied(0.01) < 0.2 * implied(0.1).max(f64::from(width).sqrt()), "{width}");
            assert!(implied(0.001) < 0.2 * implied(0.01), "{width}");
        }
    }

    #[test]
    fn refusals() {
        assert!(matches!(concentration(5, 5, 1.0, 10), Err(ConcentrationError::Deviation(_))));
        assert!(matches!(concentration(5, 5, f64::NAN, 10), Err(ConcentrationError::Deviation(_))));
        for (width, layers, cells) in [(0, 1, 1), (1, 0, 1), (1, 1, 0), (1, 2, u32::MAX)] {
            assert!(matches!(concentration(width, layers, 0.5, cells), Err(ConcentrationError::Size { .. })));
        }
        // Either limit from both sides: 3.75e9 and 4.16e9 steps of the walk, 9e7 and 1.1e8 of the law.
        for (width, layers, cells, allowed) in
            [(1, 1000, 1500, true), (1, 1000, 1600, false), (1_000_000, 40, 50, true), (1_000_000, 50, 60, false)]
        {
            assert_eq!(check(width, layers, 0.5, cells).is_ok(), allowed, "{width} {layers} {cells}");
        }
        assert!(concentration_upper_bound(1, 0, 0.5).is_err());
        assert!(concentration_upper_bound(1, 1000, 0.5).unwrap().hi() < 1e-100);
    }
}
