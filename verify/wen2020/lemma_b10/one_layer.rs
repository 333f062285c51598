//! Proof that one layer moves the reciprocal of a chord by between 1/(3π) and κ = (√2 − 1)/2, for every angle φ ∈ (0, π].
//!
//! Write c = 2 sin(φ/2) for the chord, c′ for the next one: c′² = c² − 2s/π, s = sin φ − φ cos φ. At φ → 0 the lower bound is
//! approached, at φ = π the upper one is attained, so each end has its own form, free of cancellation:
//!
//! * near 0, with s = φ³S and c = φC: 1/c′ − 1/c = (2S/π)/(CC′(C + C′)), C′ = √(C² − 2φS/π), and the lower bound reads
//!   6S ≥ CC′(C + C′), an equality of dyadic numbers at φ = 0;
//! * near π, with ψ = π − φ: c = 2 cos(ψ/2) and c′² = 2(1 − r), r = ψ³S(ψ)/π. With 1/c = ½ + d the upper bound c′(κ + 1/c) ≥ 1, squared,
//!   reads (2√2 d + 2d²)(1 − r) ≥ r, and d = ψ²D with D = (sin(ψ/4)/ψ)²/cos(ψ/2): both sides are divided by ψ².

use enclosures::interval::Dual;
use enclosures::probability::angle_of_chord;
use evidence::prelude::*;

use crate::shared::neuron_pair::Pair;

type Angle = Dual<1>;

/// Σ_{k ≥ 0} (−1)^k c_k x^{2k} with terms that fall in size, so that what is left out has the sign and at most the size of the next term,
/// and its derivative likewise.
fn alternating(x: Angle, coefficient: impl Fn(u32) -> Interval) -> Angle {
    const TERMS: u32 = 12;
    let term = |k: u32| {
        let size = coefficient(k) * x.powi(2 * i64::from(k));
        if k.is_multiple_of(2) { size } else { -size }
    };
    let share = |x: Interval| x.hull(Interval::ZERO);
    let next = term(TERMS);
    let rest = Dual { value: share(next.value), slopes: next.slopes.map(share), ..next };
    // The smallest first.
    (0..TERMS).rev().map(term).fold(rest, |sum, term| sum + term)
}

fn factorial(n: u32) -> Interval {
    (2..=n).map(|i| Interval::point(f64::from(i))).product()
}

/// sin(x/2)/(x/2) for |x| ≤ 2.
fn chord_quotient(x: Angle) -> Angle {
    alternating(x / 2.0, |k| Interval::ONE / factorial(2 * k + 1))
}

/// 3(sin x − x cos x)/x³ for |x| ≤ 2: the coefficients 3(2k + 2)/(2k + 3)! begin with 1.
fn thrice_s(x: Angle) -> Angle {
    alternating(x, |k| if k == 0 { Interval::ONE } else { 3.0 * f64::from(2 * k + 2) / factorial(2 * k + 3) })
}

fn kappa() -> Interval {
    (Interval::point(2.0).sqrt() - 1.0) / 2.0
}

/// Both bounds at φ ∈ [0, 1.15]; `scale` multiplies 1/(3π).
fn near_zero(phi: Angle, scale: f64) -> Angle {
    let pi = Interval::pi();
    let (c, s) = (chord_quotient(phi), thrice_s(phi));
    let next = (c.square() - phi * s * (2.0 / (3.0 * pi))).sqrt();
    let product = c * next * (c + next);
    let lower = 2.0 * s - scale * product;
    let upper = kappa() - s * (2.0 / (3.0 * pi)) / product;
    lower.min(upper)
}

/// Both bounds at ψ = π − φ ∈ [0, 2]; `scale` multiplies the left side of the upper one.
fn near_pi(psi: Angle, scale: f64) -> Angle {
    let pi = Interval::pi();
    let cosine = (psi / 2.0).cos();
    let step = psi * thrice_s(psi) / (3.0 * pi);
    let r = psi.square() * step;
    let d = (chord_quotient(psi / 2.0) / 4.0).square() / cosine;
    let gain = 2.0 * Interval::point(2.0).sqrt() * d + 2.0 * (psi * d).square();
    let upper = scale * gain * (1.0 - r) - step;
    upper.min(gap_from_pi(psi) - Interval::ONE / (3.0 * pi))
}

/// 1/c′ − 1/c at ψ = π − φ.
fn gap_from_pi(psi: Angle) -> Angle {
    let r = psi.powi(3) * thrice_s(psi) / (3.0 * Interval::pi());
    1.0 / (2.0 * (1.0 - r)).sqrt() - 0.5 / (psi / 2.0).cos()
}

/// Angles up to 1.15.
pub fn small_angles() -> Proof<1> {
    Proof::covering("0 < φ ≤ 1.15", [(0.0, 1.15)], |[phi]| near_zero(phi, 1.0))
        .in_other_form("the lower bound is 6S ≥ CC′(C + C′) for chords c = φC, c′ = φC′")
        .control("1.01/(3π) in place of 1/(3π)", |[phi]| near_zero(phi, 1.01))
}

/// Angles from 1.15 to π.
pub fn large_angles() -> Proof<1> {
    Proof::covering("1.1416 ≤ φ ≤ π", [(0.0, 2.0)], |[psi]| near_pi(psi, 1.0))
        .in_other_form("the upper bound is c′²(κ + 1/c)² ≥ 1, divided by (π − φ)²")
        .control("0.99κ in place of κ", |[psi]| 0.99 * kappa() - gap_from_pi(psi))
        .control("seven tenths of the left side of the upper bound", |[psi]| near_pi(psi, 0.7))
}

fn angle(p: &Pair) -> Enclosure {
    angle_of_chord(Interval::point(p.separation)).into()
}

/// φ, for [`small_angles`].
pub fn from_zero(p: &Pair) -> Option<[Enclosure; 1]> {
    Some([angle(p)]).filter(|[phi]| phi.hi() <= 1.15)
}

/// π − φ, for [`large_angles`].
pub fn from_pi(p: &Pair) -> Option<[Enclosure; 1]> {
    let psi = (Enclosure::pi() - angle(p)).max(0);
    Some([psi]).filter(|[psi]| psi.hi() <= 2.0)
}

/// Inputs at the angle φ.
pub fn at_angle([phi]: [f64; 1]) -> Pair {
    let separation = (2.0 * (exact(phi) / 2.0).sin()).midpoint();
    Pair { separation, layer: 0 }
}

/// Inputs at the angle π − ψ.
pub fn at_angle_from_pi([psi]: [f64; 1]) -> Pair {
    let separation = (2.0 * (exact(psi) / 2.0).cos()).midpoint();
    Pair { separation, layer: 0 }
}
