//! Proposition 1, second sentence: collapse to one dimension at convergence.
//!
//! Θ(t) = Θ₀e^{−2Ct} splits into the part P on the lowest eigenvalue λ that Θ₀ touches and the rest R, which loses ground like
//! e^{−2(μ−λ)t}, μ the next one. So Θ(t)/‖Θ(t)‖ → P/‖P‖, and the direction collapses exactly when P has rank one; a simple λ does it, a
//! repeated one in general does not. As ΘΘᵀ = PPᵀ + RRᵀ (up to the common factor), σ₂/σ₁ stays above σ₂(P)/√(σ₁(P)² + ‖R‖²).
//! The limit of Θ(t) itself, where it exists, is Θ₀ restricted to ker C, of any rank; and e^{−2Ct} is invertible, so no finite time
//! changes the rank. Every diagonal C is the data matrix of both losses for x_i = e_i, x_i⁺ = −λ_i e_i, x_i⁻ = 0.

use enclosures::linear_algebra::{
    IntervalMatrix, Matrix, MatrixError, SingularValues, rank_by_elimination, symmetric_eigenvalues,
};
use evidence::prelude::*;
use linear_ssl::flow::{FlowError, LinearLimit};
use linear_ssl::self_supervised::SelfSupervisedError;

use crate::shared::flows::spectra;
use crate::shared::linear_data::{DataStart, LOSSES, data_starts, named_data_starts};
use crate::shared::linear_flows::{LinearStart, linear_starts, named_linear_starts};
use crate::shared::notation::BOTH_LOSSES;

const TWO_OF_EACH: Hypothesis<LinearStart> =
    Hypothesis::new("d, z ≥ 2", |s| s.start.len() >= 2 && s.spectrum.len() >= 2);
const TWO_OF_EACH_AND_A_START: Hypothesis<LinearStart> =
    Hypothesis::new("d, z ≥ 2, Θ₀ ≠ 0", |s| TWO_OF_EACH.is_met(s) && !s.is_zero());
const TOUCHES_FIRST: Hypothesis<LinearStart> = Hypothesis::new("Θ₀v₁ ≠ 0", touches_first);

fn rank_of(matrix: Matrix) -> Enclosure {
    rank_by_elimination(&matrix.into()).enclosed()
}

const NO_LIMIT: &str = "Θ(t) has no limit";
const AT_ZERO: &str = "Θ₀ = 0";

/// Rank of lim Θ(t), where that exists.
fn limit_rank(s: &LinearStart) -> Result<Evaluation, FlowError> {
    Ok(match s.flow()?.limit()? {
        LinearLimit::Diverges => vacuous(NO_LIMIT),
        LinearLimit::Converges(limit) => at_most(rank_of(limit), 1),
    })
}

/// Rank of lim Θ(t)/‖Θ(t)‖.
fn direction_rank(s: &LinearStart) -> Result<Evaluation, FlowError> {
    Ok(s.flow()?.leading_part()?.map_or_else(|| vacuous(AT_ZERO), |part| at_most(rank_of(part), 1)))
}

fn singular(s: &LinearStart, t: f64) -> Result<SingularValues, FlowError> {
    Ok(SingularValues::of(&s.flow()?.at(t)?.matrix)?)
}

/// σ₂/σ₁ at time t.
fn ratio(s: &LinearStart, t: f64) -> Result<Interval, FlowError> {
    let found = singular(s, t)?;
    Ok(found.values()[1] / found.values()[0])
}

fn sorted(s: &LinearStart) -> Vec<f64> {
    let mut sorted = s.spectrum.clone();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// The columns that Θ₀ touches, by eigenvalue.
fn touched(s: &LinearStart) -> Vec<f64> {
    let mut found: Vec<f64> =
        (0..s.spectrum.len()).filter(|&j| s.start.iter().any(|r| r[j] != 0.0)).map(|j| s.spectrum[j]).collect();
    found.sort_by(f64::total_cmp);
    found.dedup();
    found
}

/// Θ₀ on the lowest touched eigenvalue, and the rest.
fn split(s: &LinearStart) -> Result<(IntervalMatrix, IntervalMatrix), FlowError> {
    let lowest = touched(s).first().copied().unwrap_or(0.0);
    let kept = |inside: bool| {
        let entry =
            |i: usize, j: usize| Interval::point(if (s.spectrum[j] == lowest) == inside { s.start[i][j] } else { 0.0 });
        IntervalMatrix::from_fn(s.start.len(), s.spectrum.len(), entry)
    };
    Ok((kept(true)?, kept(false)?))
}

/// The first gap between touched eigenvalues; one if there is none.
fn gap(s: &LinearStart) -> Interval {
    match touched(s)[..] {
        [lowest, second, ..] => Interval::point(second) - lowest,
        _ => Interval::ONE,
    }
}

/// σ₂/σ₁ against both bounds of the module's proof, at three times.
fn both_bounds(s: &LinearStart) -> Result<Evaluation, FlowError> {
    if !TWO_OF_EACH_AND_A_START.is_met(s) {
        return Ok(Evaluation::Failed("there is no second singular value".into()));
    }
    let (lead, rest) = split(s)?;
    let norms = SingularValues::of(&lead)?;
    let (top, second) = (norms.values()[0], norms.values()[1]);
    let rank_one = rank_by_elimination(&lead).exact() == Some(1);
    let mut parts = Vec::new();
    for k in [0.25, 1.0, 4.0] {
        let t = k / gap(s).midpoint();
        let (now, decay) = (ratio(s, t)?, (gap(s) * -2.0 * t).exp());
        let left = SingularValues::of(&rest)?.spectral_norm() * decay;
        parts.push(if rank_one {
            (format!("collapse, t = {t:.3}"), at_most(now, left / top).on_unit_scale())
        } else {
            let floor = second / (top.square() + left.square()).sqrt();
            (format!("no collapse, t = {t:.3}"), at_least(now, floor).on_unit_scale())
        });
    }
    Ok(all_of(parts))
}

/// The first place of the lowest eigenvalue: v₁ is the unit vector there.
fn first_place(s: &LinearStart) -> usize {
    let lowest = sorted(s)[0];
    s.spectrum.iter().position(|l| *l == lowest).unwrap_or(0)
}

/// Whether Θ₀v₁ ≠ 0.
fn touches_first(s: &LinearStart) -> bool {
    let place = first_place(s);
    s.start.iter().any(|row| row[place] != 0.0)
}

/// σ₂/σ₁ against ‖Θ₀(I−v₁v₁ᵀ)‖₂/‖Θ₀v₁‖·e^{−2(λ₂−λ₁)t}, at three times.
fn rate_bound(s: &LinearStart) -> Result<Evaluation, FlowError> {
    if !TWO_OF_EACH_AND_A_START.is_met(s) || !touches_first(s) {
        return Ok(Evaluation::Failed("there is no ratio, or no bound".into()));
    }
    let (place, spectrum) = (first_place(s), sorted(s));
    let gap = Interval::point(spectrum[1]) - spectrum[0];
    let kept = |inside: bool| {
        let entry = |i: usize, j: usize| Interval::point(if (j == place) == inside { s.start[i][j] } else { 0.0 });
        IntervalMatrix::from_fn(s.start.len(), s.spectrum.len(), entry)
    };
    let norm = |m: &IntervalMatrix| SingularValues::of(m).map(|found| found.spectral_norm());
    let start = norm(&kept(false)?)? / norm(&kept(true)?)?;
    let mut parts = Vec::new();
    for k in [0.25, 1.0, 4.0] {
        let t = k / gap.midpoint().max(0.25);
        let bound = start * (gap * -2.0 * t).exp();
        parts.push((format!("t = {t:.3}"), at_most(ratio(s, t)?, bound).on_unit_scale()));
    }
    Ok(all_of(parts))
}

/// The stable rank at a few times against its start.
fn stable_rank_falls(s: &LinearStart) -> Result<Evaluation, FlowError> {
    let stable =
        |t: f64| -> Result<Interval, FlowError> { Ok(singular(s, t)?.stable_rank().unwrap_or(Interval::ZERO)) };
    let mut parts = Vec::new();
    for k in [0.5, 1.0, 2.0] {
        parts.push((format!("step {k}"), at_most(stable(k / gap(s).midpoint())?, stable(0.0)?)));
    }
    Ok(all_of(parts))
}

/// σ₂/σ₁ ≤ (σ₂/σ₁)(0)·e^{−4(λ₂−λ₁)t}.
fn fast_rate(s: &LinearStart) -> Result<Evaluation, FlowError> {
    let spectrum = sorted(s);
    let gap = Interval::point(spectrum[1]) - spectrum[0];
    Ok(at_most(ratio(s, 1.0)?, ratio(s, 0.0)? * (gap * -4.0).exp()))
}

/// The rank shortly after the start against the rank at the start.
fn rank_stays(s: &LinearStart) -> Result<Evaluation, FlowError> {
    let spectrum = sorted(s);
    let spread = (spectrum[spectrum.len() - 1] - spectrum[0]).max(1.0);
    let state = s.flow()?.at(0.5 / spread)?.matrix;
    let bounds = SingularValues::of(&state)?.rank_bounds().and(rank_by_elimination(&state));
    let now = bounds.enclosed();
    Ok(at_least(now, rank_of(Matrix::from_rows(s.start.clone())?)))
}

/// C of the data that realise Λ against ±Λ, for both losses, entry by entry.
fn realised(s: &LinearStart, sign: f64) -> Result<Evaluation, SelfSupervisedError> {
    let mut parts = Vec::new();
    for (name, loss) in LOSSES {
        let found = loss.matrix(&s.data())?;
        let d = s.spectrum.len();
        parts.extend(pairs(0..d, 0..d).map(|(a, b)| {
            let expected = if a == b { sign * s.spectrum[a] } else { 0.0 };
            (format!("{name}, entry ({}, {})", a + 1, b + 1), equal(found.at(a, b), exact(expected)))
        }));
    }
    Ok(all_of(parts))
}

/// σ_k(Θ(t)) against ‖Θ₀‖₂e^{−2λ_k t}, for data of any kind and both losses.
fn envelopes(i: &DataStart) -> Result<Evaluation, SelfSupervisedError> {
    let mut parts = Vec::new();
    let norm = |m: &IntervalMatrix| -> Result<SingularValues, MatrixError> { SingularValues::of(m) };
    for (name, loss) in LOSSES {
        let eigenvalues = symmetric_eigenvalues(&loss.matrix(&i.data)?)?;
        let (time, start) = (i.time_of(loss, 1.0)?, norm(&i.initial()?)?.spectral_norm());
        let now = norm(&i.state(loss, 1.0)?)?;
        for (k, &value) in now.values().iter().enumerate() {
            let bound = start * (eigenvalues[k] * time * -2.0).exp();
            let scale = start.hi() * (eigenvalues[0] * time * -2.0).exp().hi();
            parts.push((format!("{name}, σ_{}", k + 1), at_most(value, bound).on_scale_of("‖Θ₀‖₂e^{−2λ₁t}", scale)));
        }
    }
    Ok(all_of(parts))
}

pub fn claim() -> Claim {
    Claim::new("esser2024.prop-1d", "collapse to one dimension at convergence", Kind::Convergence)
        .statement(
            "as a consequence the output u: ℝ^d → ℝ^z collapses to one dimension at convergence, for both losses, \
             every initialisation and data set",
        )
        .source("Proposition 1, second sentence", &["abstract", "Contributions"])
        .symbols([BOTH_LOSSES])
        .symbol("Θ₀", "the start, z×d; Θ(t) = Θ₀e^{−2Ct}")
        .symbol("‖Θ(t)‖", "‖·‖ is the Frobenius norm, ‖·‖₂ the largest singular value")
        .symbol("e_i", "the i-th unit vector of ℝ^d")
        .remark(
            "'At convergence' has two senses: of Θ(t) and of its direction; R3 asks besides about finite times. No \
             exception is stated; x⁻ = x⁺ (C = 0) is one to each of them, orthonormal anchors with x⁺ = x (C = −I) to \
             the last two.",
        )
        .remark(
            "For data and starts drawn with a density, λ₁ is simple and Θ₀v₁ ≠ 0 with probability one; then R2 holds, \
             at the rate e^{−2(λ₂−λ₁)t}.",
        )
        .setting(ranks_of_limits())
        .setting(bounds_of_singular_values())
}

fn ranks_of_limits() -> Setting<LinearStart, ()> {
    Setting::of()
        .given(
            "u = Θx, gradient flow, in the eigenbasis of C = Λ = diag(λ_j); σ₁ ≥ σ₂ ≥ … the singular values of Θ(t), t \
             ≥ 0, λ₁ ≤ λ₂ ≤ …, v₁ a unit eigenvector of λ₁, L = Tr(ΘCΘᵀ), Θ' = −2ΘC",
        )
        .degenerate("C = 0 or Θ₀ = 0", LinearStart::is_still)
        .family(edge("named", named_linear_starts))
        .family(random("spectra of any sign", || linear_starts(spectra(-2.0, 2.0))))
        .sense(
            "R1",
            "if lim Θ(t) exists, its rank is at most one",
            fails("the limit is Θ₀ restricted to ker C, of any rank"),
            |s, ()| limit_rank(s).into(),
        )
        .checked("esser2024.Proposition1.prop_1d_R1_refuted")
        .sides("rank of lim Θ(t)", "1")
        .except(NO_LIMIT)
        .sense(
            "R2",
            "lim Θ(t)/‖Θ(t)‖ has rank at most one",
            fails("on a repeated lowest eigenvalue the direction keeps the rank of Θ₀ there"),
            |s, ()| direction_rank(s).into(),
        )
        .checked("esser2024.Proposition1.prop_1d_R2_refuted")
        .sides("rank of lim Θ(t)/‖Θ(t)‖", "1")
        .except(AT_ZERO)
        .sense(
            "R2-moving",
            "the outputs diverge: lim Θ(t)/‖Θ(t)‖ has rank at most one",
            fails("a repeated λ₁: C = −I keeps the direction of Θ₀"),
            |s, ()| direction_rank(s).into(),
        )
        .checked("esser2024.Proposition1.prop_1d_R2_moving_refuted")
        .sides("rank of lim Θ(t)/‖Θ(t)‖", "1")
        .because("grants that the outputs move, as the text has it")
        .assume(Hypothesis::new("λ₁ < 0, Θ₀ not zero on its eigenspace", |s| {
            sorted(s)[0] < 0.0 && touched(s).first() == Some(&sorted(s)[0])
        }))
        .ours(
            "R3",
            "from some finite time on, rank Θ(t) ≤ 1 (rank Θ(t) = rank Θ₀)",
            fails("e^{−2Ct} is invertible: the rank never changes"),
            |s, ()| Matrix::from_rows(s.start.clone()).map(|start| at_most(rank_of(start), 1)).into(),
        )
        .sides("rank Θ₀", "1")
        .step(
            "data",
            "x_i = e_i, x_i⁺ = −λ_i e_i, x_i⁻ = 0, i = 1, …, d, has C = Λ for both losses",
            holds(),
            |s, ()| realised(s, 1.0).into(),
        )
        .tested_by("data-sign")
        .amendment(
            "exact",
            "P: the columns of Θ₀ that belong to λ, the lowest eigenvalue with a non-zero column; R: the other \
             columns, μ the lowest of their eigenvalues with a non-zero column (any μ if R = 0): σ₂/σ₁ ≤ \
             ‖R‖₂/‖P‖₂·e^{−2(μ−λ)t} if rank P = 1, and ≥ σ₂(P)/√(σ₁(P)²+‖R‖₂²e^{−4(μ−λ)t}) otherwise: the direction \
             collapses exactly when rank P = 1",
            holds(),
            |s, ()| both_bounds(s).into(),
        )
        .assume(TWO_OF_EACH_AND_A_START)
        .amendment("simple", "lim Θ(t)/‖Θ(t)‖ has rank one", holds(), |s, ()| direction_rank(s).into())
        .assume(Hypothesis::new("λ₁ simple, Θ₀v₁ ≠ 0", |s| {
            let spectrum = sorted(s);
            spectrum.get(1).is_none_or(|second| *second > spectrum[0]) && touched(s).first() == Some(&spectrum[0])
        }))
        .amendment(
            "R3-exact",
            "rank Θ(t) ≥ rank Θ₀: collapse in finite time only if rank Θ₀ ≤ 1 from the start",
            holds(),
            |s, ()| rank_stays(s).into(),
        )
        .assume(Hypothesis::new("Θ₀ with integer entries up to 10, |λ| ≤ 1000, where ranks are decided", |s| {
            s.start.iter().flatten().all(|x| x.fract() == 0.0 && x.abs() <= 10.0)
                && s.spectrum.iter().all(|l| l.abs() <= 1000.0)
        }))
        .sharpening(
            "rate",
            "σ₂/σ₁ ≤ ‖Θ₀(I−v₁v₁ᵀ)‖₂/‖Θ₀v₁‖·e^{−2(λ₂−λ₁)t}, v₁ a unit vector of the lowest eigenvalue",
            holds(),
            |s, ()| rate_bound(s).into(),
        )
        .assume(TWO_OF_EACH)
        .assume(TOUCHES_FIRST)
        .control("data-sign", "x_i = e_i, x_i⁺ = −λ_i e_i, x_i⁻ = 0 has C = −Λ for both losses", |s, ()| {
            realised(s, -1.0).into()
        })
        .control("a", "the stable rank ‖Θ(t)‖²/‖Θ(t)‖₂² never increases", |s, ()| {
            stable_rank_falls(s).into()
        })
        .assume(TWO_OF_EACH_AND_A_START)
        .control("b", "σ₂/σ₁ ≤ (σ₂/σ₁)(0)·e^{−4(λ₂−λ₁)t}", |s, ()| fast_rate(s).into())
        .assume(TWO_OF_EACH_AND_A_START)
}

fn bounds_of_singular_values() -> Setting<DataStart, ()> {
    Setting::of()
        .given(
            "u = Θx, gradient flow of either loss, Θ(t) = Θ₀e^{−2Ct}, λ₁ ≤ … ≤ λ_d the eigenvalues of C, σ_1 ≥ σ_2 ≥ … \
             the singular values of Θ(t), 0 ≤ t ≤ 2/(1 + ‖C‖_∞), ‖C‖_∞ the largest sum of |entries| of a row",
        )
        .family(edge("named", named_data_starts))
        .family(random("data, start and point", data_starts).taking(0.5))
        .without_search()
        .sharpening(
            "envelopes",
            "σ_k(Θ(t)) ≤ ‖Θ₀‖₂e^{−2λ_k t} for every k ≤ min(d, z), data set and start: σ₂ lags behind by the gap of C",
            holds(),
            |i, ()| envelopes(i).into(),
        )
}
