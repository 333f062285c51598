//! Equation (10): the learning dynamics with one output.
//!
//! For z = 1, (9) reads q′ = −2[2Λq − Λq(qᵀq) − q(qᵀΛq)] = −2[(1 − qᵀq)Λq + (Λq − q(qᵀΛq))], and qᵀΛq is a number: the identity
//! is one of polynomials and needs no norm constraint. Hence (qᵀq)′ = 2qᵀq′ = −8(1 − qᵀq)qᵀΛq, and q′ = −2(2 − qᵀq)Λq + 2(qᵀΛq)q:
//! up to a clock the direction is that of e^{−2Λτ}q₀, which solves the equation.

use std::convert::Infallible;

use enclosures::linear_algebra::IntervalMatrix;
use enclosures::vectors::{largest_magnitude, norm, points, sum_of_squares};
use evidence::prelude::*;
use linear_ssl::flow::{SphereFlow, classical_step, orthogonal_velocity, sphere_velocity};
use proptest::collection::vec;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

use crate::shared::flows::{spectra, without};
use crate::shared::notation::EQUATION_NINE;

/// A point q of ℝ^d, of any norm, and the eigenvalues.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "d = {d}, Λ = diag {spectrum:?}, q = {point:?}", simpler = Self::without_a_coordinate, stored)]
struct OutputPoint {
    #[instance(length = "d in 1..", range = "-1e6..=1e6")]
    spectrum: Vec<f64>,
    #[instance(length = "d", range = "-1e6..=1e6")]
    point: Vec<f64>,
}

impl OutputPoint {
    fn squared_norm(&self) -> Interval {
        sum_of_squares(&points(&self.point))
    }

    fn steepest(&self) -> f64 {
        largest_magnitude(&self.spectrum)
    }
}

impl OutputPoint {
    fn without_a_coordinate(&self) -> Vec<Self> {
        let d = self.point.len();
        let fewer = |k: usize| OutputPoint { spectrum: without(&self.spectrum, k), point: without(&self.point, k) };
        (0..d).filter(|_| d > 1).map(fewer).collect()
    }
}

struct HalfSpeedSides {
    /// q′ by (9).
    nine: Vec<Interval>,
    /// The printed right side of (10).
    half: Vec<Interval>,
    q: Vec<Interval>,
    image: Vec<Interval>,
    /// qᵀq and qᵀΛq.
    rho: Interval,
    energy: Interval,
    /// What the terms of a coordinate add up to in absolute value.
    scale: f64,
}

fn sides(p: &OutputPoint) -> Result<HalfSpeedSides, Box<dyn std::error::Error + Send + Sync>> {
    let (spectrum, q) = (points(&p.spectrum), points(&p.point));
    let column = IntervalMatrix::new(q.len(), 1, q.clone())?;
    let rho = p.squared_norm();
    let largest = largest_magnitude(&q);
    Ok(HalfSpeedSides {
        nine: orthogonal_velocity(&spectrum, &column)?.entries().to_vec(),
        half: sphere_velocity(&spectrum, &q)?.into_iter().map(|x| x * 0.5).collect(),
        image: spectrum.iter().zip(&q).map(|(&l, &x)| l * x).collect(),
        energy: spectrum.iter().zip(&q).map(|(&l, x)| l * x.square()).sum(),
        scale: 4.0 * p.steepest() * largest * (1.0 + rho.hi()),
        rho,
        q,
    })
}

fn coordinatewise(
    left: impl Fn(usize) -> Interval,
    right: impl Fn(usize) -> Interval,
    s: &HalfSpeedSides,
) -> Evaluation {
    let one = |j: usize| {
        (format!("coordinate {}", j + 1), equal(left(j), right(j)).on_scale_of("the terms in absolute value", s.scale))
    };
    all_of((0..s.q.len()).map(one))
}

/// Classical Runge-Kutta for (10) in plain doubles.
fn numerical_orbit(p: &OutputPoint, time: f64, steps: u32) -> Vec<f64> {
    let velocity = |q: &[f64]| -> Vec<f64> {
        let rho: f64 = sum_of_squares(q);
        let energy: f64 = q.iter().zip(&p.spectrum).map(|(x, l)| l * x * x).sum();
        let one = |(x, l): (&f64, &f64)| -2.0 * (2.0 - rho) * l * x + 2.0 * energy * x;
        q.iter().zip(&p.spectrum).map(one).collect()
    };
    let along = |q: &[f64], v: &[f64], s: f64| -> Vec<f64> { q.iter().zip(v).map(|(x, y)| x + s * y).collect() };
    let step = time / f64::from(steps);
    (0..steps).fold(p.point.clone(), |q, _| {
        let Ok(next) = classical_step(&q, step, |q| Ok::<_, Infallible>(velocity(q)), |q, v, s| along(q, v, s));
        next
    })
}

/// A quarter of a unit of time, in a thousand steps: with |λ| ≤ 2 the velocity has Lipschitz constant at most 24, so the
/// error is below 1000·(24·0.00025)⁵·e⁶/120 < 1e-7.
fn against_orbit(p: &OutputPoint) -> Result<Evaluation, linear_ssl::flow::FlowError> {
    let exact = SphereFlow::from_point(p.spectrum.clone(), p.point.clone())?.at_time(0.25)?.position();
    let found = numerical_orbit(p, 0.25, 1000);
    let one = |(j, (&x, &y)): (usize, (&Interval, &f64))| {
        (format!("coordinate {}", j + 1), equal(x, Enclosure::measured(y)).on_unit_scale().within(1e-6))
    };
    Ok(all_of(exact.iter().zip(&found).enumerate().map(one)))
}

pub fn claim() -> Claim {
    Claim::new("esser2024.eq-10", "the learning dynamics with one output", Kind::Identity)
        .statement("for z = 1 the dynamics (9) read q′/2 = −(1−qᵀq)Λq − (I−qqᵀ)Λq")
        .source("Equation (10)", &["after Theorem 2"])
        .symbols([EQUATION_NINE])
        .symbol("q", "a vector of ℝ^d; q′ by (9) with z = 1")
        .symbol("Λ", "diag(λ_1, …, λ_d)")
        .symbol("|λ|max", "the largest |λ_j|")
        .remark("An identity of polynomials in q and Λ; it holds at every q, attainable (‖q‖ ≤ 1) or not.")
        .setting(printed())
        .setting(solution())
}

fn printed() -> Setting<OutputPoint, HalfSpeedSides> {
    Setting::measuring(|p: &OutputPoint, _| sides(p))
        .given("q ∈ ℝ^d, Λ diagonal")
        .family(families())
        .part("printed", "half of the right side of (9) = −(1−qᵀq)Λq − (I−qqᵀ)Λq", holds(), |_, s| {
            coordinatewise(|j| s.nine[j] * 0.5, |j| s.half[j], s)
        })
        .checked("esser2024.Riccati.eq_10_printed")
        .step("s1", "(qᵀq)′ = −8(1−qᵀq)qᵀΛq", holds(), |_, s| {
            let change: Interval = s.q.iter().zip(&s.nine).map(|(&x, &v)| x * v * 2.0).sum();
            let size = s.q.len() as f64 * s.scale * s.rho.sqrt().hi();
            equal(change, (Interval::ONE - s.rho) * s.energy * -8.0)
                .on_scale_of("the terms in absolute value", 4.0 * size)
        })
        .checked("esser2024.Riccati.eq_10_s1")
        .sharpening(
            "direction",
            "q′ = −2(2−qᵀq)Λq + 2(qᵀΛq)q: up to a clock, the direction obeys q′ = −2Λq",
            holds(),
            |_, s| {
                coordinatewise(
                    |j| s.nine[j],
                    |j| (Interval::point(2.0) - s.rho) * s.image[j] * -2.0 + s.energy * s.q[j] * 2.0,
                    s,
                )
            },
        )
        .checked_in_part("esser2024.Riccati.eq_10_direction")
        .control("a", "q′/2 = −(1+qᵀq)Λq − (I−qqᵀ)Λq", |_, s| {
            coordinatewise(|j| s.nine[j] * 0.5, |j| s.half[j] - s.rho * s.image[j] * 2.0, s)
        })
        .control("b", "q′ = −(1−qᵀq)Λq − (I−qqᵀ)Λq", |_, s| {
            coordinatewise(|j| s.nine[j], |j| s.half[j], s)
        })
}

fn solution() -> Setting<OutputPoint, ()> {
    Setting::of()
        .given("Λ diagonal; the flow starts at q = q₀, ρ₀ = ‖q₀‖²")
        .assume(Hypothesis::new("0 < ‖q₀‖² ≤ 0.9", |p: &OutputPoint| {
            p.squared_norm().lo() > 0.0 && p.squared_norm().hi() <= 0.9
        }))
        .assume(Hypothesis::new("|λ|max ≤ 2", |p| p.steepest() <= 2.0))
        .family(families())
        .without_search()
        .step(
            "s2",
            "q(t) = √(ρ/N) e^{−2Λτ}q₀ with N = ‖e^{−2Λτ}q₀‖², ρ = ρ(τ) ∈ [0, 1) from ρ²/(1−ρ) = N²/(1−ρ₀), at the \
             clock τ with t = ∫₀^τ ds/(2−ρ(s)), is at t = ¼ the end of a numerical orbit of (9) from q₀, every \
             coordinate to 10⁻⁶",
            holds(),
            |p, ()| against_orbit(p).into(),
        )
}

fn families() -> [Family<OutputPoint>; 2] {
    let named = edge("named", || {
        let of = |spectrum: &[f64], q: &[f64]| OutputPoint { spectrum: spectrum.to_vec(), point: q.to_vec() };
        vec![
            ("q = 0", of(&[-1.0, 1.0], &[0.0, 0.0])),
            ("one dimension", of(&[-1.0], &[0.5])),
            ("an eigenvector of norm one", of(&[-1.0, 2.0], &[0.0, 1.0])),
            ("inside the sphere", of(&[-1.0, 2.0], &[0.25, 0.5])),
            ("outside the sphere", of(&[-1.0, 2.0], &[2.0, -3.0])),
            ("Λ = 0", of(&[0.0, 0.0], &[0.5, 0.5])),
            ("Λ = −I", of(&[-1.0, -1.0, -1.0], &[0.25, 0.5, -0.5])),
            ("Λ = I", of(&[1.0, 1.0], &[0.5, -0.5])),
            ("widely spread", of(&[-1e4, -1.0, 0.0, 1e-4], &[0.1, 0.2, 0.3, 0.4])),
            ("nearly repeated", of(&[-1.0, -0.999999], &[0.5, 0.5])),
            ("rounding hides the norm one", of(&[-1.0, 1.0], &[0.6, 0.8])),
        ]
    });
    let drawn = random("spectra and points of norm up to three", || {
        (spectra(-2.0, 2.0), 0.0..3.0f64).prop_flat_map(|(spectrum, size)| {
            vec(-1.0..1.0f64, spectrum.len()).prop_map(move |q| {
                let norm = norm(&q).max(1e-9);
                OutputPoint { spectrum: spectrum.clone(), point: q.iter().map(|x| x * size / norm).collect() }
            })
        })
    });
    [named, drawn]
}
