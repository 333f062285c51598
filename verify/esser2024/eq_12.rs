//! Equation (12): Euler's method for the learning dynamics.
//!
//! It is consistent: with ‖q‖₂ ≤ 1 one step errs by at most 64(η|λ|max)²‖q‖, and the global error is of first order. But no step
//! size is safe for all C: at the limit ±e₁ the Jacobian has the eigenvalues 1 + 8ηλ₁ and 1 − 2η(λ_j − λ₁), at 0 it has 1 − 4ηλ_j. The limits of
//! Theorem 3 attract iff η|λ₁| < 1/4 and η(λ_d − λ₁) < 1 (for all λ > 0: ηλ_d < 1/2). C is a sum over n samples, so η = 0.01 fails from
//! |λ₁| = 25 on: the orbit oscillates, and from η|λ|max near 1 it overflows. So it does on 200 half moons and on the images of two
//! digits. With C/n it converges.

use contrapositive::claim::{
    Claim, Evaluation, Kind, MeasureError, Setting, all_of, at_most, consistent, edge, equal, fails, holds, less_than,
    random,
};
use contrapositive::flow::{FlowError, euler_step};
use contrapositive::interval::Interval;
use proptest::strategy::Strategy;

use super::digits_matrix::{TwoDigits, pairs, run};
use super::euler_iterates::{
    EulerStart, apart, attracts, axis, global_errors, is_plain, jacobian_is, misses, multipliers, one_step, orbit,
    order,
};
use super::flows::{SphereStart, spectra, starts};

pub fn claim() -> Claim {
    Claim::new(
        "esser2024.eq-12",
        "Euler's method for the learning dynamics",
        Kind::Dynamics,
    )
    .statement(
        "q_{t+1} = q_t − 2η[2Λq_t − Λq_tq_tᵀq_t − q_tq_tᵀΛq_t] discretises (9), with global error O(η); with η = 0.01 \
         it converges to the limits of Theorem 3 for C built by (7)",
    )
    .source("Equation (12)", &["Numerical Evaluation, η = 0.01"])
    .remark(
        "Every spectrum is that of a C from (7): x_i = e_i, x_i⁺ = −λ_ie_i, x_i⁻ = 0. n samples with x = x⁺ = 1 and \
         x⁻ = 0 give C = −n.",
    )
    .remark(
        "Orbits of 10000 steps are rounded; the flow's limit is in closed form. The statement as \
         printed is asked for η = 0.01 only.",
    )
    .setting(
        Setting::measuring(|e: &EulerStart, _| Ok(orbit(e)))
            .assume("z = 1, ‖q₀‖ ≤ 1, q₀ sees a simple lowest eigenvalue", is_plain)
            .family(edge("named", named))
            .family(random("any spectrum and step", drawn).taking(0.5))
            .without_search()
            .part(
                "printed",
                "η = 0.01: after 10000 steps within 0.001 of the limit of Theorem 3",
                fails("C is a sum over samples: for η|λ₁| > 1/4 the limit repels, and larger steps overflow"),
                |e, o| misses(e, o).into(),
            )
            .when("η = 0.01, λ₁ ≠ 0", |e| {
                e.step == 0.01 && e.start.smallest().abs() > 0.1
            })
            .amendment(
                "attracting",
                "the same for every η with η|λ₁| < 1/4 and η(λ_d−λ₁) < 1 (λ₁ > 0: ηλ_d < 1/2), η|λ|max ≤ 1/8 for the \
                 way there",
                consistent(),
                |e, o| misses(e, o).into(),
            )
            .when("clearly attracting, |λ₁|η ≥ 0.002", |e| {
                attracts(e) && e.fraction() <= 0.125 && e.start.smallest().abs() * e.step >= 0.002
            })
            .control("b", "the scheme keeps ‖q‖ ≤ 1", |_, o| {
                at_most(o.largest.min(f64::MAX), 1.0).as_trend()
            }),
    )
    .setting(
        Setting::measuring(|e: &EulerStart, _| Ok(one_step(e)?))
            .assume("z = 1, ‖q₀‖ ≤ 1", |_| true)
            .family(edge("named", named))
            .family(random("any spectrum and step", drawn))
            .without_search()
            .step(
                "s1",
                "one step errs by at most 64(η|λ|max)²‖q₀‖",
                holds(),
                |e, &error| {
                    let bound = (Interval::point(e.step) * e.steepest()).square()
                        * 64.0
                        * Interval::point(e.start.squared_norm).sqrt();
                    at_most(error, bound).on_scale(1.0)
                },
            )
            .sharpening(
                "multipliers",
                "the Jacobian at e₁ is diagonal with 1 + 8ηλ₁ and 1 − 2η(λ_j−λ₁), at 0 with 1 − 4ηλ_j",
                holds(),
                |e, _| jacobian_is(e).into(),
            )
            .control(
                "c",
                "the limit attracts at every step size: all multipliers below one",
                |e, _| {
                    let one = |(j, m): (usize, Interval)| (format!("multiplier {}", j + 1), less_than(m.abs(), 1.0));
                    all_of(multipliers(e, axis(e)).into_iter().enumerate().map(one))
                },
            )
            .control(
                "d",
                "one step errs by at most (η|λ|max)²‖q₀‖/100",
                |e, &error| {
                    let bound = (Interval::point(e.step) * e.steepest()).square()
                        * 0.01
                        * Interval::point(e.start.squared_norm).sqrt();
                    at_most(error, bound)
                },
            ),
    )
    .setting(
        Setting::measuring(|s: &SphereStart, _| -> Result<Vec<Interval>, MeasureError> { Ok(global_errors(s)?) })
            .assume("z = 1, ‖q₀‖ ≤ 1, t = ½/|λ|max", |_| true)
            .family(edge("named", || {
                named().into_iter().map(|(name, e)| (name, e.start)).collect()
            }))
            .family(random("any spectrum", || starts(spectra(-2.0, 2.0))).taking(0.5))
            .without_search()
            .part(
                "order",
                "the error at a fixed time falls at least like η^0.8 over three halvings",
                consistent(),
                |_, errors| order(errors, 0.8),
            )
            .control("a", "it falls like η^1.8", |_, errors| order(errors, 1.8)),
    )
    .setting(
        Setting::measuring(run)
            .assume("z = 1, ‖q₀‖ = 1/10", |_: &TwoDigits| true)
            .family(edge("two classes of the digits", pairs))
            .without_search()
            .part(
                "digits",
                "η = 0.01 on the images of two digits, C the sum of (7): after 10000 steps at a unit vector of the \
                 lowest eigenspace, to 0.001",
                fails("some hundred images make η|λ₁| larger than one: overflow"),
                |_, r| r.arrives(),
            )
            .when("C", |t| !t.mean)
            .amendment("digits-mean", "the same for C/n", consistent(), |_, r| r.arrives())
            .when("C/n", |t| t.mean),
    )
    .setting(
        Setting::of()
            .assume("z = 1", |_: &EulerStart| true)
            .family(edge("unit start", || {
                vec![
                    (
                        "λ = 0",
                        EulerStart {
                            start: SphereStart::new(2, &[0.0], &[1.0], 1.0),
                            step: 0.01,
                        },
                    ),
                    (
                        "λ = −1",
                        EulerStart {
                            start: SphereStart::new(1, &[-1.0], &[1.0], 1.0),
                            step: 0.01,
                        },
                    ),
                ]
            }))
            .without_search()
            .step("fixed", "±e_j are fixed points of the step", holds(), |e, ()| {
                let both = || -> Result<Evaluation, FlowError> {
                    let q = e.column()?;
                    let next = euler_step(&e.spectrum(), &q, Interval::point(e.step))?;
                    Ok(equal(apart(q.entries(), next.entries()), 0.0).on_scale(1.0))
                };
                both().into()
            }),
    )
}

fn named() -> Vec<(String, EulerStart)> {
    let mut all = Vec::new();
    let mut add = |name: &str, spectrum: &[f64], direction: &[f64], rho: f64, step: f64| {
        let start = SphereStart::new(spectrum.len() + 1, spectrum, direction, rho);
        all.push((format!("{name}, η = {step}"), EulerStart { start, step }));
    };
    for step in [0.01, 0.1, 0.2, 0.3, 0.5, 1.0] {
        add("Λ = −1", &[-1.0], &[1.0], 0.81, step);
        add("Λ = diag(−1, 1)", &[-1.0, 1.0], &[1.0, 1.0], 0.5, step);
        add("Λ = diag(½, 1)", &[0.5, 1.0], &[1.0, 1.0], 0.5, step);
    }
    // Data matrices of (7): 20, 30 and 200 samples with x = x⁺ = 1, x⁻ = 0, and the means.
    for n in [20.0, 30.0, 200.0] {
        add(&format!("{n} samples, C = −n"), &[-n], &[1.0], 0.25, 0.01);
        add(&format!("{n} samples, C/n = −1"), &[-1.0], &[1.0], 0.25, 0.01);
    }
    // 200 half moons as in Example 1: eigenvalues of one draw of C, and of C/n, to two digits.
    add("200 half moons, C", &[-170.0, -47.0], &[1.0, 1.0], 0.25, 0.01);
    add("200 half moons, C/n", &[-0.85, -0.235], &[1.0, 1.0], 0.25, 0.01);
    add("on the sphere", &[-1.0, 2.0], &[3.0, 4.0], 1.0, 0.01);
    add("next to the sphere", &[-1.0, 2.0], &[3.0, 4.0], 1.0 - 1e-12, 0.01);
    add("all zero", &[0.0, 0.0], &[1.0, 1.0], 0.5, 0.01);
    all
}

fn drawn() -> impl Strategy<Value = EulerStart> {
    let step = proptest::prop_oneof![
        proptest::strategy::Just(0.01),
        proptest::sample::select(vec![0.05, 0.1, 0.2, 0.5]),
        0.001..0.3f64
    ];
    (starts(spectra(-2.0, 2.0)), step).prop_map(|(start, step)| EulerStart { start, step })
}
