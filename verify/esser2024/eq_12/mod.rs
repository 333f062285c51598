//! Equation (12): Euler's method for the learning dynamics.
//!
//! It is consistent: with ‖q‖₂ ≤ 1 one step errs by at most 64(η|λ|max)²‖q‖, and the global error is of first order. But no step
//! size is safe for all C: at the limit ±e₁ the Jacobian has the eigenvalues 1 + 8ηλ₁ and 1 − 2η(λ_j − λ₁), at 0 it has 1 − 4ηλ_j. The limits of
//! Theorem 3 attract if η|λ₁| < 1/4 and η(λ_d − λ₁) < 1 (for all λ > 0: ηλ_d < 1/2), and do not where one of these is exceeded. C is a
//! sum over n samples, so η = 0.01 fails beyond |λ₁| = 25: the orbit oscillates, and from η|λ|max near 1 it overflows. So it does on 200
//! half moons and on the images of two digits. With C/n it converges.

mod digits_matrix;
mod euler_iterates;

use enclosures::vectors::{minus, norm};
use evidence::prelude::*;
use linear_ssl::flow::{FlowError, euler_step};
use proptest::strategy::Strategy;

use crate::shared::flows::{SphereStart, spectra, starts};
use crate::shared::notation::{EQUATION_TEN, EULER_STEP};
use digits_matrix::{DigitsRun, TwoDigits, pairs, run};
use euler_iterates::{
    EqualSamples, EulerStart, Orbit, attracts, axis, first_order, global_errors, jacobian_is, misses, multipliers,
    nearly_second_order, one_step, orbit,
};

pub fn claim() -> Claim {
    Claim::new("esser2024.eq-12", "Euler's method for the learning dynamics", Kind::Dynamics)
        .statement(
            "q_{t+1} = q_t − 2η[2Λq_t − Λq_tq_tᵀq_t − q_tq_tᵀΛq_t] discretises (9), with global error O(η); with η = \
             0.01 it converges to the limits of Theorem 3 for C built by (7)",
        )
        .source("Equation (12)", &["Numerical Evaluation, η = 0.01"])
        .symbols([EULER_STEP, EQUATION_TEN])
        .symbol(
            "Λ",
            "diag(λ₁, …, λ_d), the eigenvalues of C, λ₁ the lowest, |λ|max the largest |λ_j| (in the lines at t = \
             ½/|λ|max 1/1000 in its place where it is less)",
        )
        .symbol("η", "the step of (12), above zero")
        .symbol("m", "Vq ∈ ℝ^64: (12) with m and C in place of q and Λ, started at Vq₀")
        .symbol("distance", "the Euclidean norm of the difference, also where one is within so much of another")
        .symbol("e₁", "the unit vector of ℝ^d in the place of the lowest eigenvalue (the first such place)")
        .symbol("q₀", "the start in ℝ^d, the same for the scheme and for (10)")
        .symbol("its limit", "e₁ times the sign of e₁ᵀq₀ if λ₁ < 0, 0 if λ₁ > 0")
        .symbol("(7)", "the symmetric part of Σ_i x_i(x_i⁻ − x_i⁺)ᵀ, a sum over the samples")
        .remark(
            "Every spectrum is that of a C from (7): x_i = e_i, x_i⁺ = −λ_ie_i, x_i⁻ = 0. n samples with x = x⁺ = 1 \
             and x⁻ = 0 give C = −n.",
        )
        .remark(
            "Orbits of 10000 steps are rounded; the flow's limit is in closed form. The statement as printed is asked \
             for η = 0.01 only.",
        )
        .setting(printed())
        .setting(orders_of_error())
        .setting(order())
        .setting(samples())
        .setting(digits())
        .setting(fixed())
}

fn printed() -> Setting<EulerStart, Orbit> {
    Setting::measuring(|e: &EulerStart, _| Ok(orbit(e)))
        .given("z = 1")
        .assume(Hypothesis::new("10⁻⁶ < ‖q₀‖² ≤ 0.95", |e| {
            e.start.squared_norm > 1e-6 && e.start.squared_norm <= 0.95
        }))
        .assume(Hypothesis::new("λ₁ is simple", EulerStart::lowest_is_simple))
        .assume(Hypothesis::new("|e₁ᵀq₀| > ‖q₀‖/1000", EulerStart::sees_lowest))
        .family(edge("named", named))
        .family(random("any spectrum and step", drawn).taking(0.5))
        .family(outside("starts that hardly see e₁, or are at a border", || {
            let of = |spectrum: &[f64], direction: &[f64], rho, step| {
                let start = SphereStart::new(spectrum.len() + 1, spectrum, direction, rho);
                EulerStart { start, step }
            };
            vec![
                ("blind to e₁", of(&[-1.0, -0.5], &[0.0, 1.0], 0.25, 0.1)),
                ("nearly blind to e₁", of(&[-1.0, 1.0], &[1e-5, 1.0], 0.25, 0.1)),
                ("on the sphere", of(&[0.5, 1.0], &[1.0, 1.0], 1.0, 0.1)),
                ("a double lowest eigenvalue", of(&[-1.0, -1.0], &[1.0, 1.0], 0.25, 0.1)),
                ("a double lowest eigenvalue, η = 0.01", of(&[-1.0, -1.0], &[1.0, 1.0], 0.25, 0.01)),
                ("two eigenvalues close together", of(&[-1.0, -0.999], &[1.0, 1.0], 0.25, 0.1)),
            ]
        }))
        .without_search()
        .part(
            "printed",
            "after 10000 steps of (12) q is within 0.001 of its limit under (10), ±e₁ or 0",
            fails("C is a sum over samples: for η|λ₁| > 1/4 the limit repels, and larger steps overflow"),
            |e, o| misses(e, o).into(),
        )
        .sides("distance of q to its limit", "0.001")
        .our_constant("10000 steps, and a thousandth")
        .assume(Hypothesis::new("η = 0.01", |e| e.step == 0.01))
        .assume(Hypothesis::new("|λ₁| > 1/10", |e| e.start.smallest().abs() > 0.1))
        .amendment(
            "attracting",
            "after 10000 steps of (12) q is within 0.001 of its limit under (10), ±e₁ or 0",
            holds(),
            |e, o| misses(e, o).into(),
        )
        .assume(Hypothesis::new(
            "|1 + 8ηλ₁| < 0.98 and |1 − 2η(λ_j−λ₁)| < 0.98 for λ_j > λ₁ if λ₁ < 0, |1 − 4ηλ_j| < 0.98 for all j if not",
            attracts,
        ))
        .assume(Hypothesis::new("η|λ|max ≤ 1/8", |e| e.fraction() <= 0.125))
        .control("b", "10000 steps of (12) keep ‖q‖ ≤ 1", |_, o| {
            at_most(Enclosure::measured(o.largest.min(f64::MAX)), 1)
        })
}

fn orders_of_error() -> Setting<EulerStart, Interval> {
    Setting::measuring(|e: &EulerStart, _| Ok(one_step(e)?))
        .given("z = 1, ‖q₀‖ ≤ 1")
        .family(edge("named", named))
        .family(random("any spectrum and step", drawn))
        .without_search()
        .step(
            "s1",
            "a step of (12) from q₀ is within 64(η|λ|max)²‖q₀‖ of the solution of (10) at t = η",
            holds(),
            |e, &error| {
                let bound = (Interval::point(e.step) * e.steepest()).square()
                    * 64.0
                    * Interval::point(e.start.squared_norm).sqrt();
                at_most(error, bound).on_unit_scale()
            },
        )
        .our_constant("64")
        .assume(Hypothesis::new("η|λ|max ≤ 1", |e| e.fraction() <= 1.0))
        .sharpening(
            "multipliers",
            "the Jacobian of a step of (12) is diagonal: if λ₁ < 0, at q = e₁ with 1 + 8ηλ₁ in the place of e₁ and 1 − \
             2η(λ_j−λ₁) in every other place j; if not, at q = 0 with 1 − 4ηλ_j in place j",
            holds(),
            |e, _| jacobian_is(e).into(),
        )
        .control(
            "c",
            "if λ₁ < 0, 1 + 8ηλ₁ and all 1 − 2η(λ_j−λ₁), j another place, are below one in size; if not, all 1 − 4ηλ_j \
             are",
            |e, _| {
                let one = |(j, m): (usize, Interval)| (format!("multiplier {}", j + 1), less_than(m.abs(), 1));
                all_of(multipliers(e, axis(e)).into_iter().enumerate().map(one))
            },
        )
        .control(
            "d",
            "a step of (12) from q₀ is within (η|λ|max)²‖q₀‖/100 of the solution of (10) at t = η",
            |e, &error| {
                let bound = (Interval::point(e.step) * e.steepest()).square()
                    * 0.01
                    * Interval::point(e.start.squared_norm).sqrt();
                at_most(error, bound)
            },
        )
}

fn order() -> Setting<SphereStart, Vec<Interval>> {
    Setting::measuring(|s: &SphereStart, _| -> Result<Vec<Interval>, MeasureError> { Ok(global_errors(s)?) })
        .given("z = 1, ‖q₀‖ ≤ 1")
        .family(edge("named", || named().into_iter().map(|(name, e)| (name, e.start)).collect()))
        .family(random("any spectrum", || starts(spectra(-2.0, 2.0))).taking(0.5))
        .without_search()
        .part(
            "order",
            "the distance of (12) to the solution of (10) at t = ½/|λ|max is at most 4η|λ|max, for η|λ|max = 1/128, \
             1/256, 1/512 and 1/1024",
            holds(),
            |_, errors| first_order(errors, 4.0),
        )
        .our_constant("4")
        .control(
            "a",
            "second order: the distance of (12) to the solution of (10) at t = ½/|λ|max with η|λ|max = 1/1024 is at \
             most 2^{−5.4} of that with 1/128",
            |_, errors| nearly_second_order(errors),
        )
        .control(
            "constant",
            "the distance of (12) to the solution of (10) at t = ½/|λ|max is at most η|λ|max/4, for η|λ|max = 1/128, \
             1/256, 1/512 and 1/1024",
            |_, errors| first_order(errors, 0.25),
        )
}

fn samples() -> Setting<EqualSamples, Interval> {
    Setting::measuring(|s: &EqualSamples, _| Ok(s.after_many()))
        .given("n samples with x = x⁺ = 1 and x⁻ = 0, so C = −n; z = 1, 1/100 ≤ q₀ ≤ 1, η = 0.01")
        .family(edge("numbers of samples", || {
            let all = [(1, 0.5), (10, 0.1), (20, 0.5), (24, 0.9), (27, 0.5), (30, 0.5), (30, 0.9), (32, 0.25)];
            described(all.map(|(count, start)| EqualSamples { count, start }))
        }))
        .without_search()
        .part(
            "samples",
            "after 10000 steps q is within 0.001 of its limit 1 under (10)",
            fails(
                "from 26 samples on, η|λ₁| > 1/4 and the limit repels: the orbit settles on a cycle (26 to 33 samples) \
                 or on none",
            ),
            |_, &q| at_most((q - 1.0).abs(), exact(0.001)),
        )
        .sides("|q − 1|", "0.001")
        .our_constant("10000 steps, and a thousandth")
        .amendment("few-samples", "after 10000 steps q is within 0.001 of its limit 1 under (10)", holds(), |_, &q| {
            at_most((q - 1.0).abs(), exact(0.001))
        })
        .assume(Hypothesis::new("n ≤ 24", |s| s.count <= 24))
        .control("cycle", "after 10000 steps q is 0.1 away from 1", |_, &q| at_least((q - 1.0).abs(), exact(0.1)))
}

fn digits() -> Setting<TwoDigits, DigitsRun> {
    Setting::measuring(run)
        .given(
            "all images of the two digits among the 1797 of 8 × 8 pixels that come with scikit-learn, pixels in [0, \
             1]; z = 1, ‖q₀‖ = 1/10 in a random direction, x⁻ uniform over the images of both, x⁺ = x + ε, ε normal of \
             variance 0.1 in each pixel",
        )
        .family(edge("two classes of the digits", pairs))
        .without_search()
        .part(
            "digits",
            "η = 0.01 on the images of two digits: after 10000 steps m of (12), in the basis of the pixels, is at a \
             unit vector of the lowest eigenspace: |‖m‖ − 1| ≤ 0.001, and with λ = mᵀCm/‖m‖² ‖Cm − λm‖ and |λ − λ₁| \
             are at most 0.001|λ₁|",
            fails("some hundred images make η|λ₁| larger than one: overflow"),
            |_, r| r.arrives(),
        )
        .sides("|‖m‖ − 1|, ‖Cm − λm‖ or |λ − λ₁|", "0.001, or 0.001|λ₁| for the latter two")
        .our_constant("10000 steps, and a thousandth")
        .assume(Hypothesis::new("C is the sum of (7)", |t| !t.mean))
        .amendment(
            "digits-mean",
            "η = 0.01 on the images of two digits: after 10000 steps m of (12), in the basis of the pixels, is at a \
             unit vector of the lowest eigenspace: |‖m‖ − 1| ≤ 0.001, and with λ = mᵀCm/‖m‖² ‖Cm − λm‖ and |λ − λ₁| \
             are at most 0.001|λ₁|",
            holds(),
            |_, r| r.arrives(),
        )
        .assume(Hypothesis::new("C is the mean over the images", |t| t.mean))
}

fn fixed() -> Setting<EulerStart, ()> {
    Setting::<EulerStart, ()>::of()
        .given("z = 1, Λ diagonal")
        .assume(Hypothesis::new("q₀ is a unit vector on an axis", EulerStart::is_on_an_axis))
        .family(edge("axes", || {
            let of = |spectrum: &[f64], direction: &[f64], rho, step| {
                let start = SphereStart::new(spectrum.len() + 1, spectrum, direction, rho);
                EulerStart { start, step }
            };
            vec![
                ("λ = 0", of(&[0.0], &[1.0], 1.0, 0.01)),
                ("λ = −1", of(&[-1.0], &[-1.0], 1.0, 0.01)),
                ("the highest of three", of(&[-1.0, 0.5, 2.0], &[0.0, 0.0, -1.0], 1.0, 0.5)),
                ("a large step", of(&[-3.0, 5.0], &[1.0, 0.0], 1.0, 10.0)),
                ("off the axes", of(&[-1.0, 2.0], &[3.0, 4.0], 1.0, 0.1)),
                ("inside the sphere", of(&[-1.0, 2.0], &[1.0, 0.0], 0.25, 0.1)),
            ]
        }))
        .family(random("any spectrum and step", || {
            drawn().prop_map(|mut e| {
                let keep = (0..e.start.direction.len()).find(|&j| e.start.direction[j] != 0.0);
                for (j, x) in e.start.direction.iter_mut().enumerate() {
                    *x = f64::from(u8::from(Some(j) == keep));
                }
                e.start.squared_norm = 1.0;
                e
            })
        }))
        .without_search()
        .step("fixed", "q₀ is a fixed point of a step of (12), for every η", holds(), |e, ()| {
            let both = || -> Result<Evaluation, FlowError> {
                let q = e.column()?;
                let next = euler_step(&e.spectrum(), &q, Interval::point(e.step))?;
                Ok(equal(norm(&minus(q.entries(), next.entries())), 0).on_unit_scale())
            };
            both().into()
        })
        .tested_by("fixed-half")
        .control("fixed-half", "q₀ is a fixed point of q ← q − 3ηΛq + 2η(Λqqᵀq + qqᵀΛq)", |e, ()| {
            let both = || -> Result<Evaluation, FlowError> {
                let q = e.column()?;
                let next = euler_step(&e.spectrum(), &q, Interval::point(e.step))?;
                let image = q.entries().iter().zip(e.spectrum()).map(|(&x, l)| x * l * e.step);
                let moved: Vec<Interval> = next.entries().iter().zip(image).map(|(&x, y)| x + y).collect();
                Ok(equal(norm(&minus(q.entries(), &moved)), 0).on_unit_scale())
            };
            both().into()
        })
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
