//! Equation (8): the noiseless infinite-width equations.
//!
//! True on every Gram matrix of the structure (7), with τ ≥ 0 and correlations of either sign: the enumerated
//! velocity has these entries. In ρ_p = κ̂_p²/κ_p² the normalisation drops out: ρ̇_p =
//! (4(1−S̄)σ_p²/N²)(1−T_p)(1−ρ_p²) ≥ 0.

use evidence::prelude::*;
use two_view::{DiagonalSelection, DiagonalState, FeatureSelection, gram_orbit, noiseless_velocity};

use crate::shared::diagonal_starts::{DiagonalStart, aligned, families};
use crate::shared::hypotheses::over_diagonal_states;
use crate::shared::notation::{
    AGREEMENT, DATA, FEATURES, H_ORTH, KAPPA, KAPPA_HAT, LOSS, LOSS_WITHOUT_NEGATIVES, MOTION, NORMALISER,
    NORMALISER_BOTH, OUTPUTS, SIZES,
};

struct DiagonalSides {
    /// The diagonal of Ġ by enumeration of all latent states.
    enumerated: DiagonalState<Interval>,
    /// The right sides of (8).
    printed: Vec<(Interval, Interval)>,
    /// The version with noise.
    noisy: DiagonalState<Interval>,
    by: DiagonalSelection<Interval>,
    loss: Interval,
    scale: f64,
}

fn sides(s: &DiagonalStart) -> Result<DiagonalSides, MeasureError> {
    let (law, state) = (s.law()?, s.diagonal::<Interval>());
    let by = law.selection(&state, s.contrastive())?;
    let largest = |list: &[f64]| list.iter().fold(0.0, |m: f64, x| m.max(*x));
    let strength =
        largest(&s.sigma_squared).max(s.noise_squared * (s.signal() as f64 / s.noise.max(1) as f64).max(1.0));
    let norms = largest(&s.kappa_squared).max(s.noise_norm_squared);
    Ok(DiagonalSides {
        enumerated: DiagonalState::of(&s.enumerated_velocity()?),
        printed: noiseless_velocity(
            &s.sigma_squared,
            &s.kappa::<Interval>(),
            &s.kappa_hat(),
            s.tau_squared,
            s.negatives,
        )?,
        noisy: law.velocity(&state, s.contrastive())?,
        loss: FeatureSelection::of(&s.gram::<Interval>()?, s.contrastive())?.loss,
        scale: 8.0 * strength * norms * s.signal() as f64 / by.normalisers_squared[0].lo(),
        by,
    })
}

/// (d κ_p²/dt, d κ̂_p²/dt) against other right sides.
fn compare(s: &DiagonalSides, right: impl Fn(usize) -> (Interval, Interval)) -> Evaluation {
    all_of((0..s.printed.len()).flat_map(|p| {
        let (norm, inner) = right(p);
        [
            (
                format!("κ²_{}", p + 1),
                equal(s.enumerated.a[p], norm).on_scale_of("the terms before they cancel", s.scale),
            ),
            (
                format!("κ̂²_{}", p + 1),
                equal(s.enumerated.h[p], inner).on_scale_of("the terms before they cancel", s.scale),
            ),
        ]
    }))
}

/// The right sides of (8) with T_p given, the sign of the second terms, and a strength for each p.
fn variant(
    s: &DiagonalStart,
    q: &DiagonalSides,
    tilt: impl Fn(usize) -> Interval,
    sign: f64,
    strength: impl Fn(usize) -> f64,
    p: usize,
) -> (Interval, Interval) {
    let (kappa, hat): (Vec<Interval>, Vec<Interval>) = (s.kappa(), s.kappa_hat());
    let total: Interval = kappa.iter().copied().sum();
    let mean = hat.iter().copied().sum::<Interval>() / total;
    let tilted = hat.iter().enumerate().map(|(k, &h)| h * tilt(k)).sum::<Interval>() / total;
    let rate = q.by.rest * 4.0 * strength(p) / q.by.normalisers_squared[0];
    let norm = rate * (hat[p] - mean * kappa[p]) + rate * (hat[p] * tilt(p) - tilted * kappa[p]) * sign;
    (norm, rate * (kappa[p] - mean * hat[p]) + rate * (kappa[p] * tilt(p) - tilted * hat[p]) * sign)
}

/// Σκ_p²/weight(σ_p²) does not move.
fn constant(s: &DiagonalStart, q: &DiagonalSides, weight: impl Fn(f64) -> f64) -> Evaluation {
    let sum: Interval = (q.enumerated.a.iter().zip(&s.sigma_squared)).map(|(&a, &sigma)| a / weight(sigma)).sum();
    let least = s.sigma_squared.iter().map(|&x| weight(x)).fold(f64::INFINITY, f64::min);
    equal(sum, 0).on_scale_of("the terms before they cancel", q.scale * s.signal() as f64 / least)
}

/// Where the flow is too fast to be followed cheaply.
const FAST: &str = "r Σσ_p²/Σκ_p² > 50";
/// Where the solver did not reach nine digits.
const UNREACHED: &str = "the solver's estimate of its error is above 10⁻⁹ max(1, Σκ_p²)";

const TIMES: [f64; 2] = [0.1, 0.3];

/// The Gram flow of all 2d columns against the flow of the few numbers of (8), or of its version with noise.
fn trajectories(s: &DiagonalStart) -> Result<Evaluation, MeasureError> {
    let law = s.law()?;
    let rate = s.sigma_squared.iter().sum::<f64>() * s.signal() as f64 / s.kappa_squared.iter().sum::<f64>();
    if rate > 50.0 {
        return Ok(vacuous(FAST));
    }
    let (full, error) = {
        let orbit = gram_orbit(&s.gram()?, &s.metrics()?, s.contrastive(), &TIMES, 1e-11)?;
        (orbit.states, orbit.error)
    };
    let (few, other) = law.orbit(&s.diagonal(), s.contrastive(), &TIMES, 1e-11)?;
    let scale = s.kappa_squared.iter().sum::<f64>().max(1.0);
    let reached = [error, other].iter().all(|e| *e <= 1e-9 * scale);
    if !reached {
        return Ok(vacuous(UNREACHED));
    }
    let parts = full.iter().zip(&few).zip(TIMES).flat_map(|((g, d), t)| {
        let g = DiagonalState::of(g);
        let pairs: Vec<(f64, f64)> =
            g.a.iter().copied().zip(d.a.iter().copied()).chain(g.h.iter().copied().zip(d.h.iter().copied())).collect();
        // Both runs agree with coarser ones to 1e-9.
        pairs.into_iter().map(move |(x, y)| {
            let (x, y) = (Enclosure::measured(x), Enclosure::measured(y));
            (format!("t = {t}"), equal(x, y).on_scale_of("the terms before they cancel", scale).within(4e-9))
        })
    });
    Ok(all_of(parts.collect::<Vec<_>>()))
}

const NOISELESS: Hypothesis<DiagonalStart> = Hypothesis::new("q = 0", |s| s.noise == 0);

pub fn claim() -> Claim {
    Claim::new("ren2023.eq-8", "the noiseless infinite-width equations", Kind::Dynamics)
        .statement(
            "d/dt κ_p² = (4(1−S̄)σ_p²/N²)(κ̂_p² − (‖κ̂‖²/‖κ‖²)κ_p²) − (4(1−S̄)σ_p²/N²)(κ̂_p²T_p − (Σ_sκ̂_s²T_s/‖κ‖²)κ_p²), \
             d/dt κ̂_p² = (4(1−S̄)σ_p²/N²)(κ_p² − (‖κ̂‖²/‖κ‖²)κ̂_p²) − (4(1−S̄)σ_p²/N²)(κ_p²T_p − (Σ_sκ̂_s²T_s/‖κ‖²)κ̂_p²)",
        )
        .source("Equation (8)", &["Section 5.2", "calculation: Lemma A.7"])
        .symbols([
            SIZES, DATA, H_ORTH, FEATURES, NORMALISER, NORMALISER_BOTH, OUTPUTS, LOSS, LOSS_WITHOUT_NEGATIVES,
            AGREEMENT, KAPPA, KAPPA_HAT,
        ])
        .symbol("d/dt", MOTION)
        .symbol("aligned", "κ̂_p² = κ_p² for all p")
        .reconstructed("the formulas; they are derived from the definitions")
        .remark("The time scale is W' = −(r/τ²)∇L; T_p = tanh(τ²κ̂_p²/(rN²)), ‖κ̂‖² = Σ_sκ̂_s².")
        .setting(printed())
        .setting(orbit())
}

fn printed() -> Setting<DiagonalStart, DiagonalSides> {
    over_diagonal_states(Setting::measuring(|s: &DiagonalStart, _| sides(s)))
        .family(families())
        .family(aligned())
        .without_search()
        .part(
            "printed",
            "the right sides of the statement are dκ_p²/dt and dκ̂_p²/dt, by enumeration of all latent states, for \
             every p, q = 0",
            holds(),
            |_, q| compare(q, |p| q.printed[p]),
        )
        .checked("ren2023.Noiseless.eq_8_printed")
        .assume(Hypothesis::new("q = 0", |s| s.noise == 0))
        .ours(
            "noisy",
            "with noise of squared norm n: dκ_p²/dt = 2σ_p²(q_pκ̂_p² − Q_0κ_p²)/N², dκ̂_p²/dt = 2σ_p²(q_pκ_p² − \
             Q_0κ̂_p²)/N², dn/dt = −2σ_ξ²(r/q)Q_0n/N², q_p = 2(1−S̄)(1−T_p), Q_0 = Σq_pκ̂_p²/(rN²)",
            holds(),
            |_, q| {
                let noise = q.enumerated.noise_a.iter().zip(&q.noisy.noise_a).map(|(&x, &y)| {
                    ("noise".to_owned(), equal(x, y).on_scale_of("the terms before they cancel", q.scale))
                });
                let signal = ("signal".to_owned(), compare(q, |p| (q.noisy.a[p], q.noisy.h[p])));
                all_of(noise.chain([signal]))
            },
        )
        .because("equation (8) is printed without noise")
        .step(
            "s1",
            "d/dt(κ̂_p²/κ_p²) = (4(1−S̄)σ_p²/N²)(1−T_p)(1 − (κ̂_p²/κ_p²)²)",
            holds(),
            |s, q| {
                for_each_index("p =", 0..s.signal(), |p| {
                    let (kappa, rho) = (Interval::point(s.kappa_squared[p]), Interval::point(s.correlation[p]));
                    let left = (q.enumerated.h[p] - rho * q.enumerated.a[p]) / kappa;
                    let rate = q.by.pulls[p] * 2.0 * s.sigma_squared[p] / q.by.normalisers_squared[0];
                    equal(left, rate * (1.0 - rho.square()))
                        .on_scale_of("the terms before they cancel", q.scale / s.kappa_squared[p])
                })
            },
        )
        .checked_in_part("ren2023.Noiseless.eq_8_s1")
        .step("s2", "Σκ_p²/σ_p² is constant without noise", holds(), |s, q| constant(s, q, |sigma| sigma))
        .checked("ren2023.Noiseless.eq_8_s2")
        .tested_by("n4")
        .assume(Hypothesis::new("q = 0", |s| s.noise == 0))
        .step(
            "s3",
            "aligned states: L = 2 log(1 + K e^{−τ²}∏cosh x_p), Σx_p = τ², and L is smallest, at these r, τ² and K, \
             when all κ_p agree",
            holds(),
            |s, q| {
                let tau = exact(s.tau_squared);
                let value = |x: Vec<Enclosure>| -> Enclosure {
                    // log cosh x − x = log(1 + e^{−2x}) − log 2, summed with Σx = τ².
                    let odds: Enclosure = x.iter().map(|&x| (-2.0 * x).softplus() - Enclosure::ln_2()).sum();
                    2.0 * (odds + exact(s.negatives).ln()).softplus()
                };
                let own = value(q.by.arguments.iter().map(|&x| x.into()).collect());
                let equal_shares = value(vec![tau / s.signal() as f64; s.signal()]);
                let sum: Interval = q.by.arguments.iter().copied().sum();
                all_of([
                    ("L", equal(q.loss, own)),
                    ("Σx", equal(sum, exact(s.tau_squared))),
                    ("smallest", at_least(q.loss, equal_shares)),
                ])
            },
        )
        .assume(Hypothesis::new("aligned, q = 0", |s| s.noise == 0 && s.correlation.iter().all(|&c| c == 1.0)))
        .control("n4", "Σκ_p² is constant", |s, q| constant(s, q, |_| 1.0))
        .assume(NOISELESS)
        .control("n1", "T_p replaced by its argument", |s, q| {
            compare(q, |p| variant(s, q, |k| q.by.arguments[k], -1.0, |p| s.sigma_squared[p], p))
        })
        .assume(NOISELESS)
        .control("n2", "the second terms with a plus sign", |s, q| {
            compare(q, |p| variant(s, q, |k| q.by.arguments[k].tanh(), 1.0, |p| s.sigma_squared[p], p))
        })
        .assume(NOISELESS)
        .control("n3", "σ_p² dropped", |s, q| {
            compare(q, |p| variant(s, q, |k| q.by.arguments[k].tanh(), -1.0, |_| 1.0, p))
        })
        .assume(NOISELESS)
}

fn orbit() -> Setting<DiagonalStart, ()> {
    over_diagonal_states(Setting::of())
        .family(families())
        .without_search()
        .step(
            "orbit",
            "the flow of L for all columns, and the equations with noise dκ_p²/dt = 2σ_p²(q_pκ̂_p² − Q_0κ_p²)/N², \
             dκ̂_p²/dt = 2σ_p²(q_pκ_p² − Q_0κ̂_p²)/N², dn/dt = −2σ_ξ²(r/q)Q_0n/N², q_p = 2(1−S̄)(1−T_p), Q_0 = \
             Σq_pκ̂_p²/(rN²), n the squared norm of a noise column (those of the statement if q = 0), agree in κ_p² and \
             κ̂_p² at t = 0.1 and 0.3, to 4·10⁻⁹ of max(1, Σκ_p²)",
            holds(),
            |s, ()| trajectories(s).unwrap_or_else(|e| Evaluation::Failed(e.to_string())),
        )
        .except(FAST)
        .except(UNREACHED)
}
