//! Equation (7): the structure at infinite width, at the start and afterwards.
//!
//! (a) The moments of the start are exact at every width: means D_σ and 0, variances of order 1/m, so all limits
//! hold in probability. Checked by three-point Gauss–Hermite quadrature in every entry of W, which is exact for the
//! polynomials of degree four at hand. (c) The structure is a linear set of Gram matrices to which the velocity is
//! tangent, for both losses and every τ: so it persists.

mod gaussian_start;

use evidence::prelude::*;
use two_view::{FeatureSelection, GramState, MatrixBlock, Metrics, Objective, View, gram_orbit, gram_velocity};

use crate::shared::diagonal_starts::{DiagonalStart, families};
use crate::shared::hypotheses::over_diagonal_states;
use crate::shared::notation::{
    AGREEMENT, DATA, FEATURES, GRAM, H_ORTH, KAPPA, KAPPA_HAT, LOSS, LOSS_WITHOUT_NEGATIVES, MOTION, NORMALISER,
    NORMALISER_BOTH, OUTPUTS, Q_MATRIX, SELECTION, SIZES,
};
use gaussian_start::{GaussianStart, Moments, WIDE, four, moments, spread, starts, variances};

/// A Gram matrix (or its velocity) has the structure (7): both views agree, noise columns share one norm, all else
/// but h_p is zero.
fn structured(at: impl Fn(usize, usize) -> Enclosure, r: usize, d: usize, scale: f64) -> Evaluation {
    let entries = (0..4 * d * d).map(|k| (k / (2 * d), k % (2 * d)));
    all_of(entries.map(|(i, j)| {
        let (p, s) = (i % d, j % d);
        let expected = if i == j && p < r {
            at(p, p)
        } else if i == j {
            at(r, r)
        } else if p == s && p < r {
            return (
                format!("h_{}", p + 1),
                equal(at(i, j), at(j, i)).on_scale_of("the terms before they cancel", scale),
            );
        } else {
            Enclosure::ZERO
        };
        (
            format!("entry ({}, {})", i + 1, j + 1),
            equal(at(i, j), expected).on_scale_of("the terms before they cancel", scale),
        )
    }))
}

fn entries(block: &MatrixBlock<Interval>) -> impl Fn(usize, usize) -> Enclosure {
    |i, j| block.at(i, j).into()
}

struct Velocities {
    contrastive: MatrixBlock<Interval>,
    plain: MatrixBlock<Interval>,
    selection: FeatureSelection<Interval>,
    /// Q at the state with ⟨[K_A]_1, [K_B]_2⟩ = 0.3 of the smaller norm.
    crossed: Option<FeatureSelection<Interval>>,
    /// With ⟨[K_A]_1, [K_A]_2⟩ = 0.3 of the smaller norm at the start: the state a short time later.
    bent: Option<MatrixBlock<Interval>>,
    /// With twice the strengths in view A.
    uneven: MatrixBlock<Interval>,
    scale: f64,
}

fn velocities(s: &DiagonalStart) -> Result<Velocities, MeasureError> {
    let (state, metrics) = (s.gram::<Interval>()?, s.metrics::<Interval>()?);
    let doubled = Metrics::new(metrics.view(View::A).scaled(Interval::point(2.0)), metrics.view(View::B).clone())?;
    let field = |state: &GramState<Interval>, m: &Metrics<Interval>, o: Objective| {
        gram_velocity(state, m, o).map(|g| g.gram().clone())
    };
    let d = s.signal() + s.noise;
    let bent = (s.signal() >= 2).then(|| {
        let small = 0.3 * s.kappa_squared[0].min(s.kappa_squared[1]);
        let corner = |i: usize, j: usize| {
            if (i, j) == (0, 1) || (i, j) == (1, 0) { small } else { 0.0 }
        };
        let start = state.gram().plus(&MatrixBlock::from_fn(2 * d, 2 * d, |i, j| Interval::point(corner(i, j))))?;
        let velocity = field(&GramState::new(state.sizes(), start.clone())?, &metrics, s.contrastive())?;
        start.plus(&velocity.scaled(Interval::point(1e-3)))
    });
    let crossed = (s.signal() >= 2).then(|| {
        let small = 0.3 * s.kappa_squared[0].min(s.kappa_squared[1]);
        let corner = |i: usize, j: usize| {
            if (i, j) == (0, d + 1) || (i, j) == (d + 1, 0) { small } else { 0.0 }
        };
        let start = state.gram().plus(&MatrixBlock::from_fn(2 * d, 2 * d, |i, j| Interval::point(corner(i, j))))?;
        FeatureSelection::of(&GramState::new(state.sizes(), start)?, s.contrastive())
    });
    let square = state.normaliser_squared(View::A)?.lo();
    let largest = |list: &[f64]| list.iter().fold(0.0, |m: f64, x| m.max(*x));
    let strength =
        largest(&s.sigma_squared).max(s.noise_squared * (s.signal() as f64 / s.noise.max(1) as f64).max(1.0));
    Ok(Velocities {
        contrastive: field(&state, &metrics, s.contrastive())?,
        plain: field(&state, &metrics, Objective::NonContrastive)?,
        selection: FeatureSelection::of(&state, s.contrastive())?,
        bent: bent.transpose()?,
        crossed: crossed.transpose()?,
        uneven: field(&state, &doubled, s.contrastive())?,
        scale: 8.0 * strength * largest(&s.kappa_squared).max(s.noise_norm_squared) * s.signal() as f64 / square,
    })
}

/// Q is diagonal and its noise blocks vanish.
fn diagonal(selection: &FeatureSelection<Interval>, r: usize) -> Evaluation {
    let (q, d) = (&selection.matrix, selection.matrix.rows());
    let off = pairs(0..d, 0..d).filter(|(i, j)| i != j || *i >= r);
    for_each_index("Q", off, |(i, j)| equal(q.at(i, j), 0).on_scale_of("the terms before they cancel", 2.0 * r as f64))
}

/// Where the flow is too fast to be followed cheaply.
const FAST: &str = "r Σσ_p²/Σκ_p² > 60";
/// Where the solver did not reach eight digits.
const UNREACHED: &str =
    "the solver's estimate of its error is above 10⁻⁸ max(Σκ_p², the squared length of a noise column)";

/// The structure at t = 0.3 along the integrated flow.
fn later(s: &DiagonalStart) -> Result<Evaluation, MeasureError> {
    let d = s.signal() + s.noise;
    let rate = s.sigma_squared.iter().sum::<f64>() * s.signal() as f64 / s.kappa_squared.iter().sum::<f64>();
    if rate > 60.0 {
        return Ok(vacuous(FAST));
    }
    let orbit = gram_orbit(&s.gram()?, &s.metrics()?, s.contrastive(), &[0.3], 1e-11)?;
    let scale = s.kappa_squared.iter().sum::<f64>().max(s.noise_norm_squared);
    let reached = orbit.error <= 1e-8 * scale;
    if !reached {
        return Ok(vacuous(UNREACHED));
    }
    let end = orbit.states.first().map(GramState::gram);
    let achieved = format!("solver achieved {:e}", orbit.achieved_power());
    // Rounding alone may leave the structure: the step errors cancel exactly.
    Ok(end
        .map_or_else(
            || Evaluation::Failed("no state".into()),
            |g| structured(|i, j| Enclosure::measured(g.at(i, j)), s.signal(), d, scale),
        )
        .noting(achieved))
}

pub fn claim() -> Claim {
    Claim::new("ren2023.eq-7", "structure at infinite width, at the start and afterwards", Kind::Dynamics)
        .statement(
            "W entries iid N(0, 1/m), m → ∞: K_AᵀK_A = K_BᵀK_B = diag(κ²), K_AᵀK_B = diag(κ̂²) with κ_p² = σ_p², κ̂_p² = \
             0 at the start, all other cross terms 0; this structure persists for both losses and every τ",
        )
        .source("Equation (7)", &["Section 5.2", "the displays before it"])
        .symbols([
            SIZES, DATA, H_ORTH, FEATURES, NORMALISER, NORMALISER_BOTH, OUTPUTS, SELECTION, LOSS,
            LOSS_WITHOUT_NEGATIVES, GRAM, AGREEMENT, KAPPA, KAPPA_HAT,
        ])
        .symbol("velocity", MOTION)
        .symbols([Q_MATRIX])
        .reconstructed("the formulas; they are derived from the definitions")
        .remark("A start of finite width has standard deviations of order m^{−1/2} around the structure.")
        .remark(
            "Proof of persistence: flipping one latent coordinate in both views is a symmetry, so Q is diagonal; with \
             equal norms A and B move alike; uniqueness of solutions.",
        )
        .setting(a_means())
        .setting(motion())
        .setting(orbit())
}

fn a_means() -> Setting<GaussianStart, Moments> {
    Setting::measuring(|s: &GaussianStart, _| moments(s))
        .given("W_A, W_B independent with iid N(0, 1/m) entries; r = 2, q = 0, AᵀA = BᵀB = D_σ")
        .family(starts())
        .without_search()
        .part("a-means", "E[K_AᵀK_A] = D_σ and E[K_AᵀK_B] = 0", holds(), |s, m| {
            let size = s.sigma_squared[0].max(s.sigma_squared[1]);
            let strengths = [s.sigma_squared[0].into(), Interval::ZERO, Interval::ZERO, s.sigma_squared[1].into()];
            let cross = m.cross.map_or_else(|| vacuous(WIDE), |c| four(c[0], [Interval::ZERO; 4], size));
            all_of([("AA", four(m.same[0], strengths, size)), ("AB", cross)])
        })
        .except(WIDE)
        .part(
            "a-variances",
            "Var [K_AᵀK_A]_ps = σ_p²σ_s²/m for p ≠ s and 2σ_p⁴/m for p = s, Var [K_AᵀK_B]_ps = σ_p²σ_s²/m for all p, s",
            holds(),
            |s, m| {
                let size = s.sigma_squared[0].max(s.sigma_squared[1]);
                let cross = m.cross.map_or_else(
                    || vacuous(WIDE),
                    |c| four(variances(&c), spread(s, false, s.width as f64), size * size),
                );
                all_of([("AA", four(variances(&m.same), spread(s, true, s.width as f64), size * size)), ("AB", cross)])
            },
        )
        .except(WIDE)
        .because("the limits m → ∞ follow from it by Chebyshev's inequality")
        .control("n1", "K_AᵀK_B has the mean diag(σ²) at the start", |s, m| {
            let strengths = [s.sigma_squared[0].into(), Interval::ZERO, Interval::ZERO, s.sigma_squared[1].into()];
            m.cross.map_or_else(|| vacuous(WIDE), |c| four(c[0], strengths, 0.0))
        })
        .except(WIDE)
        .control("n2", "the variances scale as m^{−2}", |s, m| {
            four(variances(&m.same), spread(s, true, (s.width * s.width) as f64), 0.0)
        })
}

fn motion() -> Setting<DiagonalStart, Velocities> {
    over_diagonal_states(Setting::measuring(|s: &DiagonalStart, _| velocities(s)))
        .family(families())
        .without_search()
        .part(
            "c",
            "the velocity of G has the structure (7), for L at every τ² and for L_nc: the same diagonal entry for \
             [K_A]_p and [K_B]_p, one for all noise columns, 0 off the diagonal but for [K_A]_p with [K_B]_p",
            holds(),
            |s, v| {
                let (r, d) = (s.signal(), s.signal() + s.noise);
                all_of([
                    ("L", structured(entries(&v.contrastive), r, d, v.scale)),
                    ("L_nc", structured(entries(&v.plain), r, d, v.scale)),
                ])
            },
        )
        .step("s2", "for L at τ² Q_1 is diagonal and the noise blocks of Q vanish", holds(), |s, v| {
            diagonal(&v.selection, s.signal())
        })
        .tested_by("n5")
        .assume(Hypothesis::new("r + q ≥ 2", |s| s.signal() + s.noise >= 2))
        .control(
            "n3",
            "with ⟨[K_A]_1, [K_A]_2⟩ = 0.3 min(κ_1², κ_2²) at the start, in place of the 0 of (7), the structure (7) \
             holds a moment later: G + 10⁻³ times its velocity has it",
            |s, v| {
                v.bent.as_ref().map_or_else(
                    || Evaluation::Failed("one direction".into()),
                    |g| structured(entries(g), s.signal(), s.signal() + s.noise, 0.0),
                )
            },
        )
        .assume(Hypothesis::new("r ≥ 2", |s| s.signal() >= 2))
        .control(
            "n5",
            "with ⟨[K_A]_1, [K_B]_2⟩ = 0.3 min(κ_1², κ_2²) in place of the 0 of (7), Q_1 is diagonal and the noise \
             blocks of Q vanish",
            |s, v| {
                v.crossed
                    .as_ref()
                    .map_or_else(|| Evaluation::Failed("one direction".into()), |q| diagonal(q, s.signal()))
            },
        )
        .assume(Hypothesis::new("r ≥ 2", |s| s.signal() >= 2))
        .control(
            "n4",
            "the velocity of G has the structure (7) with AᵀA = 2D_σ and A_ξᵀA_ξ = 2σ_ξ²I in place of those of H-orth, \
             B as there",
            |s, v| structured(entries(&v.uneven), s.signal(), s.signal() + s.noise, v.scale),
        )
}

fn orbit() -> Setting<DiagonalStart, ()> {
    over_diagonal_states(Setting::of())
        .family(families())
        .without_search()
        .step(
            "orbit",
            "the integrated flow of L for all columns still has the structure (7) at t = 0.3, with other κ, κ̂ and \
             noise norm",
            holds(),
            |s, ()| later(s).unwrap_or_else(|e| Evaluation::Failed(e.to_string())),
        )
        .except(FAST)
        .except(UNREACHED)
}
