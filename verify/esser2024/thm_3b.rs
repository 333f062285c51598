//! Theorem 3, second case: at least one negative eigenvalue.
//!
//! By (10) the direction of q is that of e^{−2Λτ}q₀ in the clock dτ = (2−ρ)dt, ρ = qᵀq, so coordinates that are zero stay zero, signs stay, and
//! with P₁ the projection on the lowest eigenspace, q tends to P₁q₀/‖P₁q₀‖ as soon as P₁q₀ ≠ 0 (ρ → 1 because λ₁ < 0). If P₁q₀ = 0
//! the lowest eigenspace is never seen. So the limit depends on the start: its sign for a simple λ₁, its place on the
//! unit sphere of the eigenspace for a repeated one. Each ratio has (log|q_j/q₁|)′ = −2(2−ρ)(λ_j−λ₁) with 1 ≤ 2−ρ ≤ 2.

use enclosures::linear_algebra::IntervalMatrix;
use enclosures::vectors::{largest_magnitude, minus, norm, points};
use evidence::prelude::*;
use linear_ssl::flow::{FlowError, SphereFlow, orthogonal_velocity};
use proptest::strategy::Strategy;

use crate::shared::flows::{SphereStart, spectra, starts};
use crate::shared::notation::EQUATION_TEN;

fn named() -> Vec<(&'static str, SphereStart)> {
    let of = SphereStart::new;
    vec![
        ("one dimension, negative start", of(2, &[-1.0], &[-1.0], 0.25)),
        ("one dimension, positive start", of(2, &[-1.0], &[1.0], 0.25)),
        ("one dimension, h = d", of(1, &[-1.0], &[-1.0], 1.0)),
        ("q₀ = 0", of(2, &[-1.0], &[1.0], 0.0)),
        ("q₀ = e₁", of(3, &[-1.0, 2.0], &[1.0, 0.0], 1.0)),
        ("q₀ = −e₁", of(3, &[-1.0, 2.0], &[-1.0, 0.0], 1.0)),
        ("blind to e₁, tends to 0", of(3, &[-1.0, 2.0], &[0.0, 1.0], 0.25)),
        ("blind to e₁, tends to e₂", of(3, &[-2.0, -1.0], &[0.0, 1.0], 0.25)),
        ("blind to e₁, on the sphere", of(2, &[-1.0, 2.0], &[0.0, 1.0], 1.0)),
        ("nearly blind to e₁", of(3, &[-1.0, 2.0], &[1e-12, 1.0], 0.25)),
        ("first away from the sphere, then back", of(3, &[-1.0, 2.0], &[1.0, 5.0], 0.26)),
        ("on the sphere, h = d", of(2, &[-1.0, 2.0], &[3.0, 4.0], 1.0)),
        ("repeated lowest eigenvalue, on the sphere", of(2, &[-1.0, -1.0], &[3.0, 4.0], 1.0)),
        ("repeated lowest eigenvalue, inside", of(4, &[-1.0, -1.0, 1.0], &[1.0, 2.0, 2.0], 0.5)),
        ("nearly repeated", of(4, &[-1.0, -0.999999], &[1.0, 1.0], 0.5)),
        ("several negative eigenvalues", of(6, &[-2.0, -1.0, -0.5], &[1.0, -1.0, 1.0], 0.5)),
        ("zero eigenvalues", of(6, &[-1.0, 0.0, 0.0], &[1.0, 1.0, 1.0], 0.5)),
    ]
}

/// Place of the first smallest eigenvalue: the coordinate of e₁.
fn first(s: &SphereStart) -> usize {
    s.spectrum.iter().position(|l| *l == s.smallest()).unwrap_or(0)
}

fn unit(s: &SphereStart, place: usize, sign: f64) -> Vec<Interval> {
    (0..s.spectrum.len()).map(|j| if j == place { Interval::point(sign) } else { Interval::ZERO }).collect()
}

/// Distance of a point to e₁ and to −e₁.
fn distances(s: &SphereStart, point: &[Interval]) -> (Interval, Interval) {
    let to = |sign: f64| norm(&minus(point, &unit(s, first(s), sign)));
    (to(1.0), to(-1.0))
}

fn zero(x: impl Into<Enclosure>) -> Evaluation {
    equal(x, 0).on_unit_scale()
}

fn differs_from_zero(x: impl Into<Enclosure>) -> Evaluation {
    greater_than(x, 0)
}

/// Length of the part of a vector in the lowest eigenspace.
fn lowest_part(s: &SphereStart, vector: &[Interval]) -> Interval {
    let kept: Vec<Interval> =
        (vector.iter().zip(&s.spectrum)).map(|(&x, &l)| if l == s.smallest() { x } else { Interval::ZERO }).collect();
    norm(&kept)
}

fn sees_lowest(s: &SphereStart) -> bool {
    s.lowest_touched() == Some(s.smallest())
}

/// The coordinates in the lowest eigenspace that are not zero.
fn touched_lowest(s: &SphereStart) -> Vec<usize> {
    (0..s.spectrum.len()).filter(|&j| s.touches(j) && s.spectrum[j] == s.smallest()).collect()
}

/// (1−ρ)(−λ₁) + (qᵀΛq−λ₁) at the start, as Σ_j (λ_j−λ₁)q_j² − 2λ₁(1−ρ).
fn growth(s: &SphereStart) -> Interval {
    excess(s) - s.slack() * s.smallest()
}

/// qᵀΛq − λ₁ = Σ_j (λ_j−λ₁)q_j² − λ₁(1−ρ), without cancellation for λ₁ ≤ 0.
fn excess(s: &SphereStart) -> Interval {
    let q = s.position();
    let above: Interval =
        q.iter().zip(&s.spectrum).map(|(x, &l)| (Interval::point(l) - s.smallest()) * x.square()).sum();
    above - s.slack() * s.smallest()
}

fn first_step(s: &SphereStart) -> Result<Evaluation, FlowError> {
    let q = s.position();
    let column = IntervalMatrix::new(q.len(), 1, q.clone())?;
    let velocity = orthogonal_velocity(&points(&s.spectrum), &column)?;
    let e = first(s);
    let steepest = largest_magnitude(&s.spectrum);
    Ok(equal(velocity.entries()[e], growth(s) * q[e] * 2.0)
        .on_scale_of("8 max|λ_i||e₁ᵀq|", 8.0 * steepest * q[e].magnitude()))
}

/// What the lines on ratios compare: the fall of a logarithm.
const FALL: &str = "log|q_j/q₁| at 0 less log|q_j/q₁| at t";

/// Why the ratios say nothing.
const BLIND: &str = "P₁q₀ = 0";

/// What misses a hypothesis of the second case.
fn other_starts() -> Vec<(&'static str, SphereStart)> {
    let of = SphereStart::new;
    vec![
        ("all positive", of(3, &[1.0, 2.0], &[1.0, 1.0], 0.5)),
        ("λ₁ = 0", of(3, &[0.0, 1.0], &[1.0, 1.0], 0.5)),
        ("inside, h = d", of(2, &[-1.0, 1.0], &[1.0, 1.0], 0.5)),
        ("all positive, on the sphere", of(2, &[1.0, 2.0], &[1.0, 1.0], 1.0)),
    ]
}

/// The fall of log|q_j/q_e| over time, for the coordinates above the lowest eigenvalue, against `factor`·(λ_j−λ₁)·t.
fn ratios(s: &SphereStart, factor: f64, at_least_factor: bool) -> Result<Evaluation, FlowError> {
    let flow = s.flow()?;
    let Some(&e) = touched_lowest(s).first() else {
        return Ok(vacuous(BLIND));
    };
    let log_ratio = |x: &[Interval], j: usize| (x[j].abs() / x[e].abs()).ln();
    let spread = (s.largest() - s.smallest()).max(1e-9);
    let mut parts = Vec::new();
    for tau in [0.5 / spread, 4.0 / spread] {
        let (time, now) = (flow.time_at_clock(tau)?, flow.at_clock(tau)?.direction);
        for j in (0..s.spectrum.len()).filter(|&j| s.touches(j) && s.spectrum[j] > s.smallest()) {
            let start = log_ratio(&points(&s.direction), j);
            let end = log_ratio(&now, j);
            let allowed = (Interval::point(s.spectrum[j]) - s.smallest()) * factor * time;
            let compared = if at_least_factor { at_least(start - end, allowed) } else { at_most(start - end, allowed) };
            let size = start.magnitude() + end.magnitude() + allowed.magnitude();
            parts.push((
                format!("q_{}/q_{}, clock {tau:.2}", j + 1, e + 1),
                compared.on_scale_of("the logarithms of both sides", size),
            ));
        }
    }
    Ok(all_of(parts))
}

/// ρ at a few clocks against its start.
fn never_falls(s: &SphereStart, flow: &SphereFlow) -> Result<Evaluation, FlowError> {
    let scale = largest_magnitude(&s.spectrum).max(1e-9);
    let mut parts = Vec::new();
    for tau in [0.1 / scale, 0.3 / scale] {
        parts.push((format!("clock {tau:.2}"), at_least(flow.at_clock(tau)?.squared_norm, exact(s.squared_norm))));
    }
    Ok(all_of(parts))
}

/// Starts over spectra with a negative eigenvalue.
fn below_zero() -> impl Strategy<Value = SphereStart> {
    starts(spectra(-2.0, 2.0).prop_map(|mut spectrum| {
        if spectrum.iter().all(|l| *l >= 0.0) {
            spectrum[0] = -0.5 - spectrum[0];
        }
        spectrum
    }))
}

pub fn claim() -> Claim {
    Claim::new("esser2024.thm-3b", "a negative eigenvalue: outputs tend to the lowest eigenvector", Kind::Convergence)
        .statement(
            "if z = 1 and Λ has a negative eigenvalue, then q(t) → e₁, the eigenvector of the smallest eigenvalue, for \
             every attainable q₀",
        )
        .source("Theorem 3, second case", &["its proof", "the remark before Theorem 3", "Figure 3"])
        .symbols([EQUATION_TEN])
        .symbol("Λ", "diag(λ₁, …, λ_d), the eigenvalues, λ₁ ≤ … ≤ λ_d")
        .symbol(
            "q",
            "q(t) is the solution of (10) from q₀ ∈ ℝ^d; d/dt and conditions on q are at the start where no time is \
             named, limits at t → ∞",
        )
        .symbol(
            "e₁",
            "the unit vector of ℝ^d in the first place where Λ, in whatever order its entries stand, has its lowest \
             one, λ₁",
        )
        .symbol("q_j", "the coordinates of q(t), q₁ = e₁ᵀq")
        .symbol("P₁", "the projection on the eigenspace of λ₁")
        .symbol(
            "h > d or",
            "q₀ = VᵀW₁ᵀw₂ for an orthogonal V, an h×d matrix W₁ with orthonormal columns and a unit vector w₂",
        )
        .symbol("touches", "q₀ touches an eigenvalue if its projection on the eigenspace is not zero")
        .remark(
            "Three senses of the limit: the vector e₁, one of ±e₁, some unit vector of the lowest eigenspace. Every \
             sense fails at starts that do not see the lowest eigenspace, such as q₀ = 0.",
        )
        .remark(
            "For a simple λ₁ and starts drawn with a density, P₁q₀ ≠ 0 with probability one, and the second sense \
             holds; the sign is the start's.",
        )
        .setting(limits())
        .setting(ratios_in_time())
        .setting(any_sign())
}

fn limits() -> Setting<SphereStart, SphereFlow> {
    Setting::measuring(|s: &SphereStart, _| Ok(s.flow()?))
        .given("z = 1, ‖q₀‖ ≤ 1, h ≥ d")
        .degenerate("q₀ = 0 or q₀ on an axis", |s| (0..s.spectrum.len()).filter(|&j| s.touches(j)).count() < 2)
        .assume(Hypothesis::new("λ₁ < 0", |s| s.smallest() < 0.0))
        .assume(Hypothesis::new("h > d or ‖q₀‖ = 1", SphereStart::is_attainable))
        .family(outside("no negative eigenvalue, starts that no weights give", other_starts))
        .family(edge("named", named))
        .family(random("spectra with a negative eigenvalue", below_zero))
        .sense(
            "R1",
            "lim q = e₁, the fixed vector",
            fails("coordinates keep their signs, and those that are zero stay zero"),
            |s, f| zero(distances(s, &f.limit().position()).0),
        )
        .checked("esser2024.Theorem3.theorem_3b_R1_refuted")
        .sides("‖lim q − e₁‖", "0")
        .because("no start is excluded: the text before the theorem says \"independent of initialisation\"")
        .sense(
            "R2",
            "lim q is e₁ or −e₁",
            fails("a start with e₁ᵀq₀ = 0 never sees e₁, and a repeated λ₁ has other limits"),
            |s, f| {
                let (plus, minus) = distances(s, &f.limit().position());
                zero(plus.min(minus))
            },
        )
        .checked("esser2024.Theorem3.theorem_3b_R2_refuted")
        .sides("distance of lim q to the nearer of ±e₁", "0")
        .sense(
            "R3",
            "lim q is a unit vector of the lowest eigenspace",
            fails("a start orthogonal to the lowest eigenspace stays so"),
            |s, f| equal(lowest_part(s, &f.limit().position()), 1),
        )
        .checked("esser2024.Theorem3.theorem_3b_R3_refuted")
        .sides("length of lim q in the lowest eigenspace", "1")
        .step("s1", "d(e₁ᵀq)/dt = 2[(1−qᵀq)(−λ₁)+(qᵀΛq−λ₁)]e₁ᵀq", holds(), |s, _| {
            first_step(s).into()
        })
        .checked("esser2024.Theorem3.theorem_3b_s1")
        .step("s2", "qᵀΛq − λ₁ ≥ 0", holds(), |s, _| at_least(excess(s), 0))
        .checked("esser2024.Theorem3.theorem_3b_s2")
        .step("s3", "d(e₁ᵀq)/dt > 0 unless q = e₁", fails("it has the sign of e₁ᵀq"), |s, _| {
            greater_than(growth(s) * s.position()[first(s)] * 2.0, 0)
        })
        .checked("esser2024.Theorem3.theorem_3b_s3_refuted")
        .sides("d(e₁ᵀq)/dt", "0")
        .assume(Hypothesis::new("q₀ ≠ e₁", |s| {
            let others = (0..s.spectrum.len()).any(|j| j != first(s) && s.touches(j));
            s.squared_norm < 1.0 || others || s.direction[first(s)] < 0.0
        }))
        .step(
            "s4",
            "1−qᵀq = qᵀΛq−λ₁ = 0 only at q = e₁",
            fails("also at −e₁, and on the whole unit sphere of a repeated λ₁"),
            |s, _| zero(distances(s, &s.position()).0),
        )
        .checked("esser2024.Theorem3.theorem_3b_s4_refuted")
        .sides("‖q − e₁‖", "0")
        .assume(Hypothesis::new("1−qᵀq = 0 and qᵀΛq = λ₁", |s| {
            s.squared_norm == 1.0 && (0..s.spectrum.len()).all(|j| !s.touches(j) || s.spectrum[j] == s.smallest())
        }))
        .amendment(
            "limit",
            "q → P₁q₀/‖P₁q₀‖, P₁ the projection on the lowest eigenspace",
            holds(),
            |s, f| {
                if !sees_lowest(s) {
                    return vacuous("P₁q₀ = 0 has no direction");
                }
                zero(norm(&minus(&f.limit().position(), &s.normalised_part(s.smallest()))))
            },
        )
        .tested_by("a")
        .assume(Hypothesis::new("P₁q₀ ≠ 0", sees_lowest))
        .amendment("R1-exact", "q → e₁ exactly when P₁q₀ is a positive multiple of e₁", holds(), |s, f| {
            let distance = distances(s, &f.limit().position()).0;
            let met = touched_lowest(s) == [first(s)] && s.direction[first(s)] > 0.0;
            if met { zero(distance) } else { differs_from_zero(distance) }
        })
        .amendment("R2-exact", "q → ±e₁ exactly when P₁q₀ is a non-zero multiple of e₁", holds(), |s, f| {
            let (plus, minus) = distances(s, &f.limit().position());
            if touched_lowest(s) == [first(s)] { zero(plus.min(minus)) } else { differs_from_zero(plus.min(minus)) }
        })
        .amendment(
            "R3-exact",
            "q tends to a unit vector of the lowest eigenspace exactly when P₁q₀ ≠ 0",
            holds(),
            |s, f| {
                let part = lowest_part(s, &f.limit().position());
                if sees_lowest(s) { equal(part, 1) } else { equal(part, 0).on_unit_scale() }
            },
        )
        .amendment(
            "s3-sign",
            "d(e₁ᵀq)/dt = 2γe₁ᵀq with γ = qᵀΛq − (2 − ‖q‖²)λ₁ > 0: it has the sign of e₁ᵀq",
            holds(),
            |s, _| greater_than(growth(s), 0),
        )
        .assume(Hypothesis::new("‖q₀‖ < 1 or q₀ touches a higher eigenvalue", |s| {
            s.squared_norm < 1.0 || (0..s.spectrum.len()).any(|j| s.touches(j) && s.spectrum[j] > s.smallest())
        }))
        .control("a", "q tends to ± the eigenvector of the largest eigenvalue", |s, f| {
            let last = s.spectrum.iter().position(|l| *l == s.largest()).unwrap_or(0);
            let limit = f.limit().position();
            let to = |sign| norm(&minus(&limit, &unit(s, last, sign)));
            zero(to(1.0).min(to(-1.0)))
        })
        .control("b", "qᵀq never falls", |s, f| never_falls(s, f).into())
}

fn ratios_in_time() -> Setting<SphereStart, ()> {
    Setting::of()
        .given("z = 1, ‖q₀‖ ≤ 1, h ≥ d, e₁ in the direction of P₁q₀")
        .assume(Hypothesis::new("λ₁ < 0", |s: &SphereStart| s.smallest() < 0.0))
        .assume(Hypothesis::new("P₁q₀ ≠ 0", sees_lowest))
        .assume(Hypothesis::new("q₀ touches an eigenvalue above λ₁", |s| {
            (0..s.spectrum.len()).any(|j| s.touches(j) && s.spectrum[j] > s.smallest())
        }))
        .family(outside("no negative eigenvalue", || {
            other_starts().into_iter().filter(|(_, s)| s.smallest() >= 0.0).collect()
        }))
        .family(edge("named", named))
        .family(random("spectra with a negative eigenvalue", below_zero).taking(0.5))
        .without_search()
        .sharpening(
            "fast",
            "|q_j/q₁| is at time t at most e^{−2(λ_j−λ₁)t} times what it is at 0, for λ_j > λ₁",
            holds(),
            |s, ()| ratios(s, 2.0, true).into(),
        )
        .sides(FALL, "2(λ_j−λ₁)t")
        .except(BLIND)
        .sharpening(
            "slow",
            "|q_j/q₁| is at time t at least e^{−4(λ_j−λ₁)t} times what it is at 0, for λ_j > λ₁",
            holds(),
            |s, ()| ratios(s, 4.0, false).into(),
        )
        .sides(FALL, "4(λ_j−λ₁)t")
        .except(BLIND)
        .control(
            "c",
            "|q_j/q₁| is at time t at most e^{−8(λ_j−λ₁)t} times what it is at 0, for λ_j > λ₁",
            |s, ()| ratios(s, 8.0, true).into(),
        )
        .sides(FALL, "8(λ_j−λ₁)t")
        .except(BLIND)
}

fn any_sign() -> Setting<SphereStart, ()> {
    Setting::<SphereStart, ()>::of()
        .degenerate("q = 0", |s| s.squared_norm == 0.0)
        .given("z = 1, ‖q‖ ≤ 1")
        .family(edge("positive spectra", || {
            let of = SphereStart::new;
            vec![
                ("λ₁ > 0, q = 0", of(2, &[1.0], &[1.0], 0.0)),
                ("λ₁ > 0, q inside", of(3, &[1.0, 2.0], &[3.0, 4.0], 0.25)),
                ("λ₁ = 0", of(3, &[0.0, 2.0], &[1.0, 1.0], 0.5)),
            ]
        }))
        .family(random("spectra of any sign", || starts(spectra(-2.0, 2.0))))
        .step(
            "s2-any-sign",
            "qᵀΛq − λ₁ ≥ 0 for every Λ",
            fails("for λ₁ > 0 it is −λ₁ at q = 0"),
            |s, ()| at_least(excess(s), 0),
        )
        .checked("esser2024.Theorem3.theorem_3b_s2_any_sign_refuted")
        .sides("qᵀΛq − λ₁", "0")
        .amendment("s2-exact", "qᵀΛq − λ₁ ≥ 0", holds(), |s, ()| at_least(excess(s), 0))
        .checked("esser2024.Theorem3.theorem_3b_s2_exact")
        .assume(Hypothesis::new("λ₁ ≤ 0 or ‖q‖ = 1", |s| s.smallest() <= 0.0 || s.squared_norm == 1.0))
}
