//! One ReLU layer of infinite width: expectations over two standard normals `u, v` with correlation `cos phi`.
//!
//! With `s(t) = sin t - t cos t` and `r(t) = t - sin t cos t`, both computed without cancellation,
//! - `E[relu(u) relu(v)] = s(pi - phi) / (2 pi)` (the arc-cosine kernel of Cho and Saul 2009),
//! - `E[(relu(u) - relu(v))^2] = 1 - cos phi' = 2 sin^2(phi/2) - s(phi)/pi`, where `phi'` is the next layer's angle,
//! - `E[u^2; u, v >= 0] = r(pi - phi) / (2 pi)`, `E[u^2; u >= 0 > v] = r(phi) / (2 pi)`,
//! - `E[(u - v)^2; u, v >= 0] = (1 - cos phi)(psi - sin psi)/pi`, `psi = pi - phi`.
//!
//! Angles are in radians, clipped to `[0, pi]`. Every function is monotone in the angle, so that intervals lose nothing.
//! For weights `N(0, 2/m)` and unit inputs, a quadratic expectation is to be multiplied by `2/m` per neuron.

use std::sync::LazyLock;

use crate::interval::Interval;
use crate::work::{counted, spend};

/// Up to this angle (radians) differences are summed as power series.
const SMALL: f64 = 1.0;
/// Terms of the series: the last one is below `1e-25` of the first for angles up to one.
const TERMS: i32 = 12;

/// `sum_{k>=1} (-1)^{k+1} c_k t^{2k+1}` with positive terms that decrease for `0 <= t <= 1`, plus the next term as
/// remainder; `coefficient(k)` gives `c_k`.
fn alternating(t: Interval, coefficient: impl Fn(i32) -> Interval) -> Interval {
    let square = t.square();
    let mut total = Interval::ZERO;
    // Horner's rule from the last term, whose factor lies between its value and zero.
    for k in (1..=TERMS).rev() {
        let inner = if k == TERMS { Interval::new(0.0, coefficient(k).hi()) } else { coefficient(k) };
        total = inner - square * total;
    }
    total * t * square
}

/// `n!` for `n` up to that of the last term; counts as the product it is, though it is found once.
fn factorial(n: i32) -> Interval {
    static FOUND: LazyLock<Vec<Interval>> = LazyLock::new(|| {
        let product = |n: i32| (2..=n).fold(Interval::ONE, |product, i| product * f64::from(i));
        counted(|| (0..=2 * TERMS + 1).map(product).collect()).0
    });
    spend(n.max(1) as u64 - 1);
    FOUND[n as usize]
}

/// Values at both ends of a non-decreasing function.
fn non_decreasing(x: Interval, f: impl Fn(Interval) -> Interval) -> Interval {
    Interval::new(f(Interval::point(x.lo())).lo(), f(Interval::point(x.hi())).hi())
}

/// `sin t - t cos t = sum 2k t^{2k+1} / (2k+1)!` with alternating signs; non-decreasing on `[0, pi]`.
fn sine_minus_tangent(t: Interval) -> Interval {
    non_decreasing(t, |x| {
        if x.hi() <= SMALL {
            alternating(x, |k| Interval::point(f64::from(2 * k)) / factorial(2 * k + 1))
        } else {
            x.sin() - x * x.cos()
        }
    })
    .max(Interval::ZERO)
}

/// `t - sin t cos t = sum 2^{2k} t^{2k+1} / (2k+1)!` with alternating signs; non-decreasing.
fn twice_segment(t: Interval) -> Interval {
    non_decreasing(t, |x| {
        if x.hi() <= SMALL {
            alternating(x, |k| Interval::point(4.0).powi(i64::from(k)) / factorial(2 * k + 1))
        } else {
            x - x.sin() * x.cos()
        }
    })
    .max(Interval::ZERO)
}

/// `t - sin t = sum t^{2k+1} / (2k+1)!` with alternating signs; non-decreasing.
fn angle_minus_sine(t: Interval) -> Interval {
    non_decreasing(t, |x| {
        if x.hi() <= SMALL { alternating(x, |k| Interval::ONE / factorial(2 * k + 1)) } else { x - x.sin() }
    })
    .max(Interval::ZERO)
}

fn angle(phi: Interval) -> Interval {
    phi.max(Interval::ZERO).min(Interval::pi())
}

fn supplement(phi: Interval) -> Interval {
    (Interval::pi() - angle(phi)).max(Interval::ZERO)
}

/// The arc-cosine kernel `E[relu(u) relu(v)]`, from 1/2 at equal arguments down to 0 at opposite ones.
#[must_use]
pub fn arc_cosine_kernel(phi: Interval) -> Interval {
    sine_minus_tangent(supplement(phi)) / (Interval::pi() * 2.0)
}

/// `E[(relu(u) - relu(v))^2] = 1 - cos phi'`, non-decreasing from 0 to 1, with full relative accuracy for small angles.
///
/// ```
/// use contrapositive_enclosures::{interval::Interval, probability::difference_moment};
/// let small = difference_moment(Interval::point(1e-6));
/// assert!(small.lo() > 0.0 && small.width() < 1e-14 * small.lo());
/// ```
#[must_use]
pub fn difference_moment(phi: Interval) -> Interval {
    non_decreasing(angle(phi), |x| (x / 2.0).sin().square() * 2.0 - sine_minus_tangent(x) / Interval::pi())
        .max(Interval::ZERO)
        .min(Interval::ONE)
}

/// `P(u >= 0, v >= 0) = (pi - phi) / (2 pi)`; the same for both negative.
#[must_use]
pub fn both_active(phi: Interval) -> Interval {
    supplement(phi) / (Interval::pi() * 2.0)
}

/// `P(exactly one of u, v is >= 0) = phi / pi`.
#[must_use]
pub fn one_active(phi: Interval) -> Interval {
    (angle(phi) / Interval::pi()).min(Interval::ONE)
}

/// `E[u^2; u >= 0, v >= 0]`.
#[must_use]
pub fn square_when_both_active(phi: Interval) -> Interval {
    twice_segment(supplement(phi)) / (Interval::pi() * 2.0)
}

/// `E[u^2; u >= 0 > v]`, the contribution of a neuron that only the first input activates; together with
/// [`square_when_both_active`] it makes 1/2.
#[must_use]
pub fn square_when_only_first_active(phi: Interval) -> Interval {
    twice_segment(angle(phi)) / (Interval::pi() * 2.0)
}

/// `E[(u - v)^2; u >= 0, v >= 0] = 2 sin^2(phi/2) (psi - sin psi) / pi`, `psi = pi - phi`. Not monotone in the angle: an
/// interval of angles is answered by the product of the ranges of the two factors.
#[must_use]
pub fn squared_difference_when_both_active(phi: Interval) -> Interval {
    let versine = non_decreasing(angle(phi), |x| (x / 2.0).sin().square() * 2.0);
    versine * angle_minus_sine(supplement(phi)) / Interval::pi()
}

/// The chord `2 sin(phi/2)` between two unit vectors at an angle.
#[must_use]
pub fn chord_of_angle(phi: Interval) -> Interval {
    non_decreasing(angle(phi), |x| (x / 2.0).sin() * 2.0)
}

/// The angle `2 asin(chord/2)`; chords are clipped to `[0, 2]`.
#[must_use]
pub fn angle_of_chord(chord: Interval) -> Interval {
    let clipped = chord.max(Interval::ZERO).min(Interval::point(2.0));
    angle((clipped / 2.0).asin() * 2.0)
}

/// The angle after one infinitely wide layer: `phi' = 2 asin sqrt((1 - cos phi')/2)`. Never larger than `phi`.
#[must_use]
pub fn next_angle(phi: Interval) -> Interval {
    angle((difference_moment(phi) / 2.0).sqrt().asin() * 2.0).min(angle(phi))
}

/// Angles after layers `0, 1, 2, ...` of an infinitely wide network, for inputs at angle `phi`; without end.
pub fn angle_chain(phi: Interval) -> impl Iterator<Item = Interval> {
    std::iter::successors(Some(next_angle(phi)), |&phi| Some(next_angle(phi)))
}

/// The first layer (counted from 0) at which the chord of inputs with chord `separation` is certainly below `threshold`,
/// if it is among the first `layers`. In a network of infinite width; earlier layers are not certainly below.
#[must_use]
pub fn first_layer_below(separation: Interval, threshold: Interval, layers: usize) -> Option<usize> {
    angle_chain(angle_of_chord(separation)).take(layers).position(|phi| chord_of_angle(phi).hi() < threshold.lo())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(x: f64) -> Interval {
        Interval::point(x)
    }

    #[test]
    fn series_meet_the_closed_forms() {
        for t in [0.3, 0.5, 0.9, 0.999] {
            let x = point(t);
            for (series, closed) in [
                (sine_minus_tangent(x), x.sin() - x * x.cos()),
                (twice_segment(x), x - x.sin() * x.cos()),
                (angle_minus_sine(x), x - x.sin()),
            ] {
                assert!(series.intersection(closed).is_some(), "{t}");
                assert!(series.width() <= 1e-14 * series.lo(), "{t} {series:?}");
            }
        }
    }

    #[test]
    fn small_angles_keep_their_relative_accuracy() {
        for t in [1e-150, 1e-30, 1e-8, 1e-3] {
            // To leading order t^3/3, t^3 2/3, t^3/6 and t^2/2.
            for (value, leading) in [
                (sine_minus_tangent(point(t)), t * t * t / 3.0),
                (twice_segment(point(t)), t * t * t / 1.5),
                (angle_minus_sine(point(t)), t * t * t / 6.0),
                (difference_moment(point(t)), t * t / 2.0),
            ] {
                assert!(leading < 1e-280 || (value.midpoint() / leading - 1.0).abs() < t + 1e-14, "{t} {value:?}");
                assert!(leading < 1e-280 || value.width() <= 1e-14 * leading);
            }
            let next = next_angle(point(t));
            assert!(next.hi() <= t && next.lo() >= t * (1.0 - t - 1e-14));
        }
    }

    #[test]
    fn special_angles() {
        let pi = Interval::pi();
        let right = pi / 2.0;
        // Independent inputs: (E relu)^2 = 1/(2 pi).
        assert!(arc_cosine_kernel(right).intersection(Interval::ONE / (pi * 2.0)).is_some());
        assert!(both_active(right).contains(0.25) && one_active(right).contains(0.5));
        assert!(square_when_both_active(right).contains(0.25));
        assert!(difference_moment(pi).contains(1.0) && difference_moment(Interval::ZERO) == Interval::ZERO);
        assert!(arc_cosine_kernel(Interval::ZERO).contains(0.5) && arc_cosine_kernel(pi).contains(0.0));
        assert!(next_angle(pi).intersection(right).is_some());
        assert!(squared_difference_when_both_active(pi).hi() < 1e-15);
    }

    #[test]
    fn parts_add_up() {
        for t in [0.01, 0.7, 1.0, 1.5, 2.5, 3.1] {
            let phi = point(t);
            let halves = square_when_both_active(phi) + square_when_only_first_active(phi);
            assert!(halves.contains(0.5) && halves.width() < 1e-15);
            let whole = squared_difference_when_both_active(phi) + square_when_only_first_active(phi) * 2.0;
            assert!(whole.intersection(difference_moment(phi)).is_some(), "{t}");
            let kernel = Interval::ONE - arc_cosine_kernel(phi) * 2.0;
            assert!(kernel.intersection(difference_moment(phi)).is_some());
        }
    }

    #[test]
    fn chord_shrinks_as_registered() {
        let first = angle_chain(angle_of_chord(point(1.0))).next().unwrap();
        assert!((chord_of_angle(first).midpoint() - 0.884).abs() < 1e-3);
        let long = angle_chain(angle_of_chord(point(2.0))).nth(1000).unwrap();
        assert!(long.width() < 1e-13 && long.lo() > 0.005);
        // An interval of angles keeps every angle inside.
        let wide = next_angle(Interval::new(0.4, 1.2));
        assert!(wide.lo() <= next_angle(point(0.7)).lo() && next_angle(point(0.7)).hi() <= wide.hi());
    }

    #[test]
    fn first_layers_below_half_the_separation() {
        let below = |d: f64| first_layer_below(point(d), point(d) / 2.0, 5000);
        let found: Vec<usize> = [2.0, 1.0, 0.5, 0.1, 0.01].iter().map(|&d| below(d).unwrap()).collect();
        assert!(found.windows(2).all(|pair| pair[0] < pair[1]), "{found:?}");
        assert_eq!(first_layer_below(point(1.0), point(0.5), 2), None);
        assert_eq!(first_layer_below(point(1.0), point(1.0), 2), Some(0));
    }
}
