//! Theorem 3, first case: all eigenvalues positive.
//!
//! ρ = qᵀq obeys ρ′ = −8(1−ρ)qᵀΛq, so log(ρ/(1−ρ)) falls at the rate 8qᵀΛq/ρ ∈ [8λ₁, 8λ_d] while 0 < ρ < 1: every start inside
//! the sphere tends to zero, between two exponentials. But the sphere ρ = 1 is invariant, its points are attainable (for h = d all
//! outputs are on it), and there q follows the direction of e^{−2Λt}q₀ to the lowest eigenspace that q₀ touches. The proof's "the
//! derivative is negative" is wrong at ρ = 1 and at q = 0. Inside the sphere its conclusion is right, by the exponential; the sign of the
//! derivative alone proves no limit: for Λ = diag(0, 1) ρ falls for ever and stays away from zero.

use enclosures::linear_algebra::IntervalMatrix;
use enclosures::vectors::{largest_magnitude, norm, points};
use evidence::prelude::*;
use linear_ssl::flow::{FlowError, SphereFlow, orthogonal_velocity};

use crate::shared::flows::{SphereStart, spectra, starts};
use crate::shared::notation::EQUATION_TEN;

const STRICTLY_INSIDE: Hypothesis<SphereStart> =
    Hypothesis::new("0 < ‖q₀‖ < 1", |s| s.squared_norm > 0.0 && s.squared_norm < 1.0);
const NONE_NEGATIVE: Hypothesis<SphereStart> = Hypothesis::new("λ₁ ≥ 0", |s| s.smallest() >= 0.0);
const TOUCHES_A_POSITIVE: Hypothesis<SphereStart> = Hypothesis::new("q₀ touches a positive eigenvalue", |s| {
    (0..s.spectrum.len()).any(|j| s.touches(j) && s.spectrum[j] > 0.0)
});
const INSIDE: Hypothesis<SphereStart> = Hypothesis::new("‖q₀‖ < 1", |s| s.squared_norm < 1.0);

type Named = (&'static str, SphereStart);

fn positive() -> Vec<Named> {
    let of = SphereStart::new;
    vec![
        ("one dimension, h = d", of(1, &[1.0], &[1.0], 1.0)),
        ("q₀ = 0", of(2, &[1.0], &[1.0], 0.0)),
        ("h = d = 2, Pythagorean direction", of(2, &[1.0, 2.0], &[3.0, 4.0], 1.0)),
        ("w₂ in the range of W₁, h = 2d", of(4, &[0.5, 1.0], &[1.0, -1.0], 1.0)),
        ("an eigenvector inside", of(3, &[1.0, 2.0], &[1.0, 0.0], 0.25)),
        ("the highest eigenvector on the sphere", of(3, &[1.0, 2.0], &[0.0, 1.0], 1.0)),
        ("the highest eigenvector inside", of(3, &[1.0, 2.0], &[0.0, 1.0], 0.5)),
        ("just inside the sphere", of(3, &[1.0, 2.0], &[1.0, 1.0], 1.0 - 1e-12)),
        ("next to zero", of(50, &[1.0, 2.0], &[1.0, 1.0], 1e-12)),
        ("repeated eigenvalues", of(4, &[1.0, 1.0, 1.0], &[1.0, 2.0, -2.0], 0.75)),
        ("widely spread", of(10, &[1e-3, 1.0, 1e3], &[1.0, 1.0, 1.0], 0.5)),
    ]
}

fn beyond() -> Vec<Named> {
    let of = SphereStart::new;
    vec![
        ("one negative eigenvalue", of(4, &[-1.0, 2.0], &[1.0, 1.0], 0.5)),
        ("one zero eigenvalue", of(4, &[0.0, 1.0], &[1.0, 1.0], 0.5)),
        ("blind to the zero eigenvalue", of(4, &[0.0, 1.0], &[0.0, 1.0], 0.5)),
        ("Λ = 0", of(4, &[0.0, 0.0], &[1.0, 1.0], 0.5)),
        ("zero eigenvalue on the sphere", of(2, &[0.0, 1.0], &[3.0, 4.0], 1.0)),
    ]
}

/// Starts that a reader could take for exceptions: on an axis, or with one eigenvalue only.
fn is_plain(s: &SphereStart) -> bool {
    (0..s.spectrum.len()).filter(|&j| s.touches(j)).count() < 2 || s.smallest() == s.largest()
}

/// What misses a hypothesis of the first case.
fn other_starts() -> Vec<Named> {
    let mut all = beyond();
    all.push(("inside, h = d", SphereStart::new(2, &[1.0, 2.0], &[1.0, 1.0], 0.5)));
    all.push(("on the sphere", SphereStart::new(3, &[1.0, 2.0], &[1.0, 1.0], 1.0)));
    all
}

/// d(qᵀq)/dt at the start, as −8(1−ρ)·ρ·(Rayleigh quotient), without cancellation.
fn slope(s: &SphereStart) -> Interval {
    s.slack() * s.squared_norm * s.quotient() * -8.0
}

/// Twice qᵀq′ with q′ from (9), against the slope.
fn first_step(s: &SphereStart) -> Result<Evaluation, FlowError> {
    let q = s.position();
    let column = IntervalMatrix::new(q.len(), 1, q.clone())?;
    let velocity = orthogonal_velocity(&points(&s.spectrum), &column)?;
    let change: Interval = q.iter().zip(velocity.entries()).map(|(&x, &v)| x * v * 2.0).sum();
    let steepest = largest_magnitude(&s.spectrum);
    Ok(equal(change, slope(s)).on_scale_of("16 max|λ_i|‖q₀‖²", 16.0 * steepest * s.squared_norm))
}

/// Clocks at which the envelopes are tried: early for the fastest coordinate, late for the slowest.
fn clocks(s: &SphereStart) -> [f64; 3] {
    let slowest = s.lowest_touched().unwrap_or(1.0);
    // The reciprocal of a subnormal eigenvalue is no double.
    [0.5 / s.largest(), 5.0 / s.largest(), 5.0 / slowest].map(|tau: f64| tau.min(f64::MAX))
}

/// log(ρ/(1−ρ)) at the start and after some time.
struct Fall {
    time: Interval,
    start: Interval,
    end: Interval,
}

fn falls(s: &SphereStart) -> Result<Vec<Fall>, FlowError> {
    let flow = s.flow()?;
    let odds = |rho: Interval, slack: Interval| rho.ln() - slack.ln();
    let at = |tau: f64| {
        let state = flow.at_clock(tau)?;
        Ok(Fall {
            time: flow.time_at_clock(tau)?,
            start: odds(Interval::point(s.squared_norm), s.slack()),
            end: odds(state.squared_norm, state.slack),
        })
    };
    clocks(s).into_iter().map(at).collect()
}

/// log(ρ/(1−ρ)) at every time against its start less 8·rate·t. Logarithms, as the quotients leave the range of doubles.
fn envelope(falls: &[Fall], rate: f64, compare: impl Fn(Interval, Interval) -> Evaluation) -> Evaluation {
    all_of(falls.iter().map(|f| {
        let allowed = f.time * (8.0 * rate);
        let size = f.start.magnitude() + f.end.magnitude() + allowed.magnitude();
        (
            format!("t = {:.3}", f.time.midpoint()),
            compare(f.end, f.start - allowed).on_scale_of("the logarithms of both sides", size),
        )
    }))
}

/// On the sphere: the part of q(t) outside the lowest touched eigenspace is at most its ratio at the start times e^{−2(μ−λ)t}.
fn on_the_sphere(s: &SphereStart, flow: &SphereFlow) -> Result<Evaluation, FlowError> {
    let (lowest, limit) = (s.lowest_touched().unwrap_or(0.0), flow.limit().position());
    let winner = s.normalised_part(lowest);
    let mut parts: Vec<(String, Evaluation)> = (winner.iter().zip(&limit).enumerate())
        .map(|(j, (&w, &l))| (format!("limit, coordinate {}", j + 1), equal(l, w).on_unit_scale()))
        .collect();
    let split = |vector: &[Interval], inside: bool| -> Interval {
        let kept: Vec<Interval> = (vector.iter().zip(&s.spectrum))
            .map(|(&x, &l)| if (l == lowest) == inside { x } else { Interval::ZERO })
            .collect();
        norm(&kept)
    };
    let start = points(&s.direction);
    let rest = (0..s.spectrum.len()).filter(|&j| s.touches(j) && s.spectrum[j] > lowest);
    if let Some(second) = rest.map(|j| s.spectrum[j]).reduce(f64::min) {
        let gap = Interval::point(second) - lowest;
        for t in [0.25, 1.0, 4.0].map(|k| k / s.largest().abs().max(s.smallest().abs())) {
            let outside = split(&flow.at_clock(t)?.position(), false);
            let bound = split(&start, false) / split(&start, true) * (gap * -2.0 * t).exp();
            parts.push((format!("t = {t:.3}"), at_most(outside, bound).on_scale_of("10⁻¹²", 1e-12)));
        }
    }
    Ok(all_of(parts))
}

pub fn claim() -> Claim {
    Claim::new("esser2024.thm-3a", "all eigenvalues positive: outputs tend to zero", Kind::Convergence)
        .statement("if z = 1 and all eigenvalues of Λ are positive, then q(t) → 0 as t → ∞ for every attainable q₀")
        .source("Theorem 3, first case", &["its proof"])
        .symbols([EQUATION_TEN])
        .symbol("Λ", "diag(λ₁, …, λ_d), the eigenvalues, λ₁ ≤ … ≤ λ_d")
        .symbol(
            "q(t)",
            "the solution of (10) from q₀ ∈ ℝ^d; d/dt and conditions on q are at the start where no time is named, \
             limits at t → ∞",
        )
        .symbol("ρ", "‖q‖² = qᵀq, ρ₀ at the start")
        .symbol(
            "h > d or",
            "q₀ = VᵀW₁ᵀw₂ for an orthogonal V, an h×d matrix W₁ with orthonormal columns and a unit vector w₂",
        )
        .symbol("touches", "q₀ touches an eigenvalue if its projection on the eigenspace is not zero")
        .remark(
            "Attainable: q₀ = VᵀW₁ᵀw₂ with orthonormal columns W₁ and a unit vector w₂ of ℝ^h; every ‖q₀‖ ≤ 1 if h > \
             d, and exactly ‖q₀‖ = 1 if h = d, where the theorem is wrong for every start.",
        )
        .remark(
            "Step s4 is right here because the derivative of log(ρ/(1−ρ)) is at most −8λ₁ (see above); the proof gives \
             the sign only, and the sign is not enough: s4-alone.",
        )
        .remark(
            "Random weights with h > d give ‖q₀‖ < 1 with probability one, so the theorem holds for almost every start \
             of a wide network.",
        )
        .setting(printed())
        .setting(above())
        .setting(sign_alone())
}

fn printed() -> Setting<SphereStart, SphereFlow> {
    Setting::measuring(|s: &SphereStart, _| Ok(s.flow()?))
        .given("z = 1, ‖q₀‖ ≤ 1, h ≥ d")
        .assume(Hypothesis::new("λ₁ > 0", |s| s.smallest() > 0.0))
        .assume(Hypothesis::new("h > d or ‖q₀‖ = 1", SphereStart::is_attainable))
        .degenerate("q₀ on an axis or equal eigenvalues", is_plain)
        .family(edge("named", positive))
        .family(random("positive spectra", || starts(spectra(0.001, 2.0))))
        .family(outside("other eigenvalues, starts that no weights give", other_starts))
        .part(
            "printed",
            "lim qᵀq = 0",
            fails("the sphere ‖q‖ = 1 is invariant: a start on it stays on it"),
            |_, f| equal(f.limit().squared_norm, 0).on_unit_scale(),
        )
        .checked("esser2024.Theorem3.theorem_3a_printed_refuted")
        .sides("lim qᵀq", "0")
        .because("no start is excluded: the text before the theorem says \"independent of initialisation\"")
        .step("s1", "d(qᵀq)/dt = −8(1−qᵀq)qᵀΛq", holds(), |s, _| first_step(s).into())
        .checked("esser2024.Theorem3.theorem_3a_s1")
        .step("s2", "qᵀq ≤ 1 along the orbit, at three times each", holds(), |s, f| {
            all_of(clocks(s).map(|tau| {
                let part = f.at_clock(tau).map(|state| at_most(state.squared_norm, 1).with_margin(state.slack.into()));
                (format!("clock {tau:.3}"), part.into())
            }))
        })
        .step("s3", "d(qᵀq)/dt < 0 always", fails("it is 0 at ‖q‖ = 1 and at q = 0"), |s, _| {
            less_than(slope(s), 0)
        })
        .checked("esser2024.Theorem3.theorem_3a_s3_refuted")
        .sides("d(qᵀq)/dt", "0")
        .step("s4", "d(qᵀq)/dt < 0 at all times (s3-inside), and q → 0", holds(), |_, f| {
            equal(f.limit().squared_norm, 0).on_unit_scale()
        })
        .checked_in_part("esser2024.Theorem3.theorem_3a_limit")
        .tested_by("b")
        .assume(STRICTLY_INSIDE)
        .amendment(
            "exact",
            "q → 0 exactly when ‖q₀‖ < 1; if ‖q₀‖ = 1, then ‖q(t)‖ = 1 for all t",
            holds(),
            |s, f| {
                let expected = u32::from(s.squared_norm == 1.0);
                equal(f.limit().squared_norm, expected).on_unit_scale()
            },
        )
        .checked_in_part("esser2024.Theorem3.theorem_3a_limit")
        .amendment(
            "sphere",
            "q tends to p/‖p‖, p the projection of q₀ on the eigenspace of λ, the lowest eigenvalue that \
             q₀ touches, and the part of q(t) outside that eigenspace has at most the length ‖q₀ − \
             p‖/‖p‖·e^{−2(μ−λ)t}, μ the next eigenvalue that q₀ touches",
            holds(),
            |s, f| on_the_sphere(s, f).into(),
        )
        .assume(Hypothesis::new("‖q₀‖ = 1", |s| s.squared_norm == 1.0))
        .amendment("s3-inside", "d(qᵀq)/dt < 0", holds(), |s, _| less_than(slope(s), 0))
        .assume(STRICTLY_INSIDE)
}

fn above() -> Setting<SphereStart, Vec<Fall>> {
    Setting::measuring(|s: &SphereStart, _| Ok(falls(s)?))
        .given("z = 1, ‖q₀‖ ≤ 1, h ≥ d")
        .assume(Hypothesis::new("λ₁ > 0", |s| s.smallest() > 0.0))
        .assume(Hypothesis::new("0 < ‖q₀‖ < 1", |s| s.squared_norm > 0.0 && s.squared_norm < 1.0))
        .family(edge("named", positive))
        .family(random("positive spectra", || starts(spectra(0.001, 2.0))).taking(0.5))
        .family(outside("other eigenvalues", || {
            other_starts().into_iter().filter(|(_, s)| s.smallest() <= 0.0).collect()
        }))
        .without_search()
        .amendment(
            "above",
            "log(ρ/(1−ρ)) ≤ log(ρ₀/(1−ρ₀)) − 8λ₁t at every time t ≥ 0, that is, ρ/(1−ρ) ≤ ρ₀/(1−ρ₀)·e^{−8λ₁t}",
            holds(),
            |s, f| envelope(f, s.smallest(), at_most),
        )
        .checked("esser2024.Theorem3.theorem_3a_rate")
        .sharpening(
            "below",
            "log(ρ/(1−ρ)) ≥ log(ρ₀/(1−ρ₀)) − 8λ_d t at every time t ≥ 0: zero is not reached in finite time",
            holds(),
            |s, f| envelope(f, s.largest(), at_least),
        )
        .control(
            "a",
            "log(ρ/(1−ρ)) ≤ log(ρ₀/(1−ρ₀)) − 8λ_d t at every time t ≥ 0, with the largest eigenvalue",
            |s, f| envelope(f, s.largest(), at_most),
        )
}

fn sign_alone() -> Setting<SphereStart, SphereFlow> {
    Setting::measuring(|s: &SphereStart, _| Ok(s.flow()?))
        .given("z = 1, ‖q₀‖ ≤ 1, h ≥ d")
        .assume(Hypothesis::new("h > d or ‖q₀‖ = 1", SphereStart::is_attainable))
        .family(edge("beyond the hypothesis", beyond))
        .family(random("spectra of any sign", || starts(spectra(-1.0, 1.0))))
        .family(outside("starts that no weights give", || {
            vec![("inside, h = d", SphereStart::new(2, &[0.0, 1.0], &[1.0, 1.0], 0.5))]
        }))
        .step(
            "s4-alone",
            "s4 from the sign alone: d(qᵀq)/dt < 0 at all times, hence q → 0",
            fails("a function may fall for ever to a positive limit: so it does when q₀ touches an eigenvalue 0"),
            |_, f| equal(f.limit().squared_norm, 0).on_unit_scale(),
        )
        .sides("lim qᵀq", "0")
        .assume(NONE_NEGATIVE)
        .assume(TOUCHES_A_POSITIVE)
        .assume(INSIDE)
        .sharpening(
            "semidefinite",
            "q → 0 exactly when ‖q₀‖ < 1 and q₀ touches no eigenvalue 0",
            holds(),
            |s, f| {
                let vanishes = s.squared_norm < 1.0 && s.lowest_touched() != Some(0.0);
                let limit: Enclosure = f.limit().squared_norm.into();
                if vanishes { equal(limit, 0).on_unit_scale() } else { greater_than(limit, 0) }
            },
        )
        .assume(NONE_NEGATIVE)
        .control("b", "q → 0", |_, f| equal(f.limit().squared_norm, 0).on_unit_scale())
        .assume(Hypothesis::new("λ₁ < 0", |s| s.smallest() < 0.0))
}
