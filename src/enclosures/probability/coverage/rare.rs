//! The probability that some class is missing, where that is rare: Bonferroni's inequalities.
//!
//! With `S_k` the sum of `(1 - rho(U))^N` over the sets `U` of `k` classes,
//! `S_1 - S_2 <= 1 - p_cc <= S_1 - S_2 + S_3`. Because `(1 - a - b)^N` lies between `x (1 - N a b/((1-a)(1-b)))` and
//! `x = (1-a)^N (1-b)^N`, the second sum needs no pairs unless its last digits matter, and `S_3 <= S_1^3/6`.

use crate::interval::{DoubleDouble, Interval};

/// Beyond this expected number of missing classes the inequalities are not tried.
pub(super) const MANY: f64 = 1e-3;
/// Largest number of different probabilities of which all pairs are visited.
const PAIRS: usize = 1000;
/// Relative accuracy at which pairs are not visited.
const FINE: f64 = 1e-15;

/// `1 - p_cc(draws)` for classes of these probabilities, with how many share each; nothing where it is not small.
pub(super) fn missed(groups: &[(DoubleDouble, u64)], draws: u64) -> Option<Interval> {
    let n = draws as f64;
    let quick: f64 =
        groups.iter().map(|(rho, count)| *count as f64 * core_math::exp(n * core_math::log1p(-rho.hi()))).sum();
    if quick.is_nan() || quick > MANY {
        return None;
    }
    let (mut one, mut squares, mut weighted) = (DoubleDouble::ZERO, DoubleDouble::ZERO, 0.0);
    let mut error = 0.0;
    for (rho, count) in groups {
        let (exponent, count) = ((-*rho + 1.0).ln() * n, *count as f64);
        let term = exponent.exp();
        one = one + term * count;
        squares = squares + term * term * count;
        weighted += count * term.hi() * rho.hi() / (1.0 - rho.hi());
        // The logarithm is off by ERROR (1 + |log|), and so n times that; below e^-700 the exponential is given up.
        let off = (n + 2.0 * exponent.hi().abs() + 2.0) * DoubleDouble::ERROR;
        error += 2.0 * count * (term.hi() * off + 1e-303);
    }
    let total = one.widened_by(error).max(Interval::ZERO);
    let product = ((one * one - squares).scaled(0.5)).widened_by(4.0 * error * total.hi() + 1e-303);
    let slack = 1.001 * n * weighted * weighted / 2.0;
    let two = if slack > FINE * total.lo() && groups.len() <= PAIRS {
        pairs(groups, n)
    } else {
        Interval::new(product.lo() - slack, product.hi())
    };
    let three = Interval::new(0.0, 1.001 * total.hi() * total.hi() * total.hi() / 6.0);
    Some((total - two.max(Interval::ZERO) + three).max(Interval::ZERO))
}

/// The second sum, to ten digits: it is small against the first.
fn pairs(groups: &[(DoubleDouble, u64)], n: f64) -> Interval {
    let (mut total, mut doubtful) = (0.0, 0.0);
    let mut add = |count: f64, union: f64| {
        // Close to one the rounding of the union matters. With a third class this is as good as zero.
        let rest = 1.0 - union;
        if rest > 1e-3 {
            total += count * core_math::exp(n * core_math::log1p(-union));
        } else {
            doubtful += count * core_math::exp(n * core_math::log(rest.max(0.0) + 1e-15));
        }
    };
    for (i, (a, count)) in groups.iter().enumerate() {
        let m = *count as f64;
        add(m * (m - 1.0) / 2.0, 2.0 * a.hi());
        for (b, k) in groups.iter().skip(i + 1) {
            add(m * *k as f64, a.hi() + b.hi());
        }
    }
    Interval::point(total).widened_by(1e-10 * total + 1e-303) + Interval::new(0.0, doubtful)
}
