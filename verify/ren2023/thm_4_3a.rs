//! Theorem 4.3 (a): training without negatives ends aligned but not balanced.
//!
//! At infinite width the end is known in closed form (κ_p² = (σ_p²/2)e^{λσ_p²}, ρ_p = 1, no noise left), for every d.
//! What "not balanced" means is lost, and the readings have different answers:
//!
//! - R1, ρ_B ≤ (1−δ)r: true, for every growth of r, with and without noise, and for all three meanings of ρ_B (half
//!   of the directions strong).
//! - R2, ρ_B/r → 0: true if r grows (a share 1/s of the directions strong); impossible for fixed r, as ρ_B ≥ 1.
//! - R3, near rank one: true for fixed r, and for r = d^a with noise or with c log 2 > a. False for r = d^a without
//!   noise when c log 2 < a: e^{λσ_min²} ≤ 2 gives λ_1 ≤ 1/(1 + (r−1)/(s2^{s−1})) for *every* σ, which tends to 0.
//!
//! "Aligned" holds given z^- ≠ z^+; over all draws the score is 1 − 2^{−r}, which tends to one only if r grows.

use contrapositive::claim::{
    Claim, Evaluation, Kind, MeasureError, Series, Setting, Trial, all_of, at_least, at_most, consistent, edge, equal,
    fails, holds, vacuous,
};
use contrapositive::enclosure::Enclosure;
use contrapositive::interval::Interval;
use contrapositive::multimodal::{Balance, Closeness, Objective, View, alignment_score};

use super::equal_norms::EqualNorms;
use super::finite_width::{FiniteWidth, rigorous};
use super::growing_dimension::{End, Growth, Ratio, Signals, Strong, sweeps};
use super::starts::wide_families;
use super::trained::train;

/// A quantity that tends to zero along the sweep: from log d = 40 to 160 it falls to 0.6 of its value or less.
fn tends_to_zero(ends: &[End], f: impl Fn(&End) -> Interval) -> Evaluation {
    let shown: Vec<String> = ends.iter().map(|e| format!("{:.2e}", f(e).midpoint())).collect();
    at_most(f(&ends[3]), 0.6 * f(&ends[1]))
        .as_trend()
        .noting(shown.join(", "))
}

fn worst_balance(e: &End) -> Interval {
    e.balance
        .iter()
        .copied()
        .reduce(Interval::max)
        .unwrap_or(Interval::ENTIRE)
}

fn table(_: &mut Trial) -> Result<Series, MeasureError> {
    let mut table = Series::of([
        ("case", ""),
        ("log d", ""),
        ("λ_1", ""),
        ("tr Σ/(r‖Σ‖)", ""),
        ("(tr Σ)²/(r‖Σ‖_F²)", ""),
    ]);
    for (signals, constant) in [
        (Signals::Fixed(2), 1.0),
        (Signals::Root(4), 1.0),
        (Signals::Root(2), 0.3),
    ] {
        for noise in [false, true] {
            let growth = Growth {
                signals,
                ratio: Ratio::Log,
                constant,
                noise,
                strong: Strong::One,
            };
            for end in growth.sweep()? {
                let number = |x: Interval| Enclosure::from(x).into();
                table.push([
                    growth.to_string().into(),
                    end.log_d.into(),
                    number(end.top_share),
                    number(end.balance[1]),
                    number(end.balance[2]),
                ]);
            }
        }
    }
    Ok(table)
}

/// A Gaussian start after training: the balance (tr Σ/‖Σ‖), the alignment given another signal, and the loss.
struct Finite {
    balance: Interval,
    alignment: Interval,
    agreement: f64,
    signal: f64,
    /// A power of ten that the solver's achieved tolerance does not exceed.
    achieved: f64,
}

fn train_finite(s: &FiniteWidth, trial: &mut Trial) -> Result<Finite, MeasureError> {
    let orbit = s.follow(&s.start(trial.rng())?, Objective::NonContrastive, 1)?;
    let state = orbit.states.first().ok_or("no state")?;
    if orbit.error > 1e-6 {
        return Err(format!("the integration is off by {}", orbit.error).into());
    }
    let exact = rigorous(state)?;
    Ok(Finite {
        balance: Balance::of(&exact, View::A)?.trace_over_largest(),
        alignment: alignment_score(&exact, Closeness::Distance)?.other_signal.score(),
        agreement: state.agreement()?,
        signal: s.sigma_squared.len() as f64,
        achieved: orbit.achieved_power(),
    })
}

fn finite_table(trial: &mut Trial) -> Result<Series, MeasureError> {
    let mut table = Series::of([
        ("start", ""),
        ("tr Σ/(r‖Σ‖)", ""),
        ("alignment", ""),
        ("solver achieved", ""),
    ]);
    for (name, s) in widths() {
        let f = train_finite(&s, trial)?;
        table.push([
            name.into(),
            Enclosure::from(f.balance / f.signal).into(),
            Enclosure::from(f.alignment).into(),
            format!("{:e}", f.achieved).into(),
        ]);
    }
    Ok(table)
}

fn widths() -> Vec<(String, FiniteWidth)> {
    let of = |width: u32, sigma_squared: &[f64], noise: u32| FiniteWidth {
        width,
        sigma_squared: sigma_squared.to_vec(),
        noise,
        noise_squared: 0.5,
        time: 40.0,
    };
    let cases: [(&[f64], u32); 3] = [(&[4.0, 1.0, 1.0, 1.0], 0), (&[4.0, 1.0, 1.0], 1), (&[6.0, 1.0], 2)];
    let mut list = Vec::new();
    for width in [50, 400, 3200] {
        for (sigma, noise) in cases {
            list.push((
                format!("m = {width}, r = {}, q = {noise}", sigma.len()),
                of(width, sigma, noise),
            ));
        }
    }
    list
}

pub fn claim() -> Claim {
    Claim::new(
        "ren2023.thm-4.3a",
        "training without negatives: aligned, not balanced",
        Kind::Convergence,
    )
    .statement(
        "there is σ obeying H-σ such that, with m large, the flow of L_nc reaches within poly(d) time an \
             approximate stationary point at which ρ_A → 1 while the representation is not balanced",
    )
    .source("Theorem 4.3 (a)", &["Section 4", "proof: Lemmas B.1, B.9, B.17"])
    .reconstructed("the bound on ρ_B and the growth of r; only the qualitative claim survives")
    .sense("R1", "\"not balanced\" is ρ_B ≤ (1−δ)r, under H-σ(a), s ≤ c log d")
    .sense("R1-b", "\"not balanced\" is ρ_B ≤ (1−δ)r, under H-σ(b), s ≤ c√log d")
    .sense(
        "R2-growing",
        "\"not balanced\" is ρ_B/r → 0, and r grows like a power of d",
    )
    .sense("R2-fixed", "\"not balanced\" is ρ_B/r → 0, and r is fixed")
    .sense("R3-fixed", "\"not balanced\" is near rank one, λ_1 → 1, and r is fixed")
    .sense(
        "R3-noise",
        "\"not balanced\" is near rank one, λ_1 → 1, with noise, and r grows like a power of d",
    )
    .sense(
        "R3-growing",
        "\"not balanced\" is near rank one, λ_1 → 1, without noise, and r grows like a power of d",
    )
    .remark("Judged at infinite width and t → ∞ in closed form, log d from 20 to 160.")
    .remark(
        "R3 fails for r = d^a without noise if c log 2 < a, for every σ and not only for the families: Σ \
             e^{λσ_p²} = 2r gives e^{λσ_min²} ≤ 2, hence κ_1²/κ_p² ≤ s2^{s−1} and λ_1 ≤ 1/(1 + (r−1)/(s2^{s−1})). R2 \
             cannot hold for fixed r, as ρ_B ≥ 1.",
    )
    .remark("Given z^- ≠ z^+ the end scores 1; over all draws 1 − 2^{−r}, which tends to one only if r grows.")
    .setting(
        Setting::measuring(|g: &Growth, _| g.sweep())
            .assume("H-σ", |g| g.ratio != Ratio::One)
            .family(edge("growing dimension", sweeps))
            .without_search()
            .part(
                "printed",
                "R1: ρ_B ≤ (3/4)r for some σ, any growth of r, any noise, all meanings of ρ_B",
                consistent(),
                |_, e| at_most(worst_balance(&e[3]), 0.75).as_trend(),
            )
            .in_sense("R1")
            .when("half of the directions strong, H-σ(a)", |g| {
                g.strong == Strong::Half && g.ratio == Ratio::Log
            })
            .part("r1-b", "R1 under H-σ(b)", consistent(), |_, e| {
                at_most(worst_balance(&e[3]), 0.75).as_trend()
            })
            .in_sense("R1-b")
            .when("half of the directions strong, H-σ(b)", |g| {
                g.strong == Strong::Half && g.ratio == Ratio::RootLog
            })
            .part(
                "r2-growing",
                "R2: ρ_B/r → 0 for some σ if r = d^a, all three meanings of ρ_B",
                consistent(),
                |_, e| tends_to_zero(e, worst_balance),
            )
            .in_sense("R2-growing")
            .when("r = d^a, a share 1/s strong, H-σ(a)", |g| {
                g.strong == Strong::Inverse && g.ratio == Ratio::Log && matches!(g.signals, Signals::Root(_))
            })
            .part(
                "r2-fixed",
                "R2 for fixed r",
                fails("ρ_B ≥ 1, so ρ_B/r ≥ 1/r"),
                |_, e| tends_to_zero(e, |e| e.balance[1]),
            )
            .in_sense("R2-fixed")
            .when("r fixed, one strong", |g| {
                g.strong == Strong::One && matches!(g.signals, Signals::Fixed(_))
            })
            .part(
                "r3-fixed",
                "R3: λ_1 → 1 for fixed r, with and without noise",
                consistent(),
                |_, e| tends_to_zero(e, |e| e.other_share),
            )
            .in_sense("R3-fixed")
            .when("r fixed, one strong, H-σ(a)", |g| {
                g.strong == Strong::One && matches!(g.signals, Signals::Fixed(_)) && g.ratio == Ratio::Log
            })
            .part(
                "r3-noise",
                "R3 for r = d^a with noise that has died out",
                consistent(),
                |_, e| tends_to_zero(e, |e| e.other_share),
            )
            .in_sense("R3-noise")
            .when("r = d^a, noise, one strong, H-σ(a)", |g| {
                g.noise && g.strong == Strong::One && matches!(g.signals, Signals::Root(_)) && g.ratio == Ratio::Log
            })
            .part(
                "r3-growing",
                "R3 for r = d^a without noise",
                fails("λ_1 ≤ 1/(1 + (r−1)/(s2^{s−1})) for every σ, which tends to 0 if c log 2 < a"),
                |_, e| tends_to_zero(e, |e| e.other_share),
            )
            .in_sense("R3-growing")
            .when("r = d^a, no noise, one strong, H-σ(a)", |g| {
                !g.noise && g.strong == Strong::One && matches!(g.signals, Signals::Root(_)) && g.ratio == Ratio::Log
            })
            .ours(
                "one-strong",
                "one strong direction alone makes (tr Σ)²/‖Σ‖_F² ≤ (3/4)r, H-σ(a)",
                fails("no noise, r = d^a, 2c log 2 < a: κ_1⁴ is small against r"),
                |_, e| at_most(e[3].balance[2], 0.75).as_trend(),
            )
            .when("one strong, H-σ(a)", |g| {
                g.strong == Strong::One && g.ratio == Ratio::Log
            }),
    )
    .setting(
        Setting::measuring(|s: &EqualNorms, _| train(s))
            .assume("infinite-width start", EqualNorms::is_wide)
            .families(wide_families())
            .family(edge("registered", || {
                vec![(
                    "σ² = (3,1,1,1), no noise",
                    EqualNorms::wide(&[(3.0, 1), (1.0, 3)], None, 1.0, 30.0),
                )]
            }))
            .without_search()
            .part(
                "aligned",
                "at the end every draw with z^- ≠ z^+ is won, by distance and by inner product",
                holds(),
                |_, t| match &t.scores {
                    Some(s) => all_of([0, 1].map(|k| {
                        let name = ["distance", "inner product"][k];
                        (name, equal(s.wins[k], Enclosure::from(s.draws[k])))
                    })),
                    None => vacuous("more than five directions"),
                },
            )
            .when("r ≥ 2", |s| s.signal() > 1.0)
            .part("stationary", "the velocity is 0 at the end", holds(), |s, t| {
                equal(t.velocity, 0.0).on_scale(1.0 + s.strongest())
            })
            .part(
                "in-time",
                "without noise 1 + L_nc ≤ 1 − min ρ: small within the time of (e1) of Lemma 5.1",
                holds(),
                |_, t| at_most(1.0 - t.agreement, t.rest).on_scale(1.0),
            )
            .when("no noise", |s| s.noise.is_none())
            .step("s1", "L_nc ≥ −1, and = −1 at the end", holds(), |_, t| {
                at_most(t.agreement, 1.0).on_scale(1.0)
            })
            .step(
                "s2",
                "the end keeps Σ κ_p²/σ_p² = ‖W_A‖_F²",
                holds(),
                |_, t| equal(t.conserved[0], t.conserved[1]),
            )
            .step(
                "s3",
                "κ_max²/κ_min² of the strongest and weakest directions does not decrease",
                holds(),
                |_, t| {
                    let [start, at, end] = t.conditions;
                    all_of([
                        ("until θ", at_least(at, start).on_scale(1.0)),
                        ("from θ on", at_least(end, at).on_scale(1.0)),
                    ])
                },
            )
            .step("s4", "λ_1 at the end is κ_1²/Σ κ_p²", holds(), |_, t| {
                match &t.scores {
                    Some(s) => equal(s.balance.largest(), t.top_share),
                    None => vacuous("more than five directions"),
                }
            })
            .sharpening(
                "share",
                "without noise λ_1 ≤ 1/(1 + (r−1)/(s2^{s−1})) at the end, for every σ",
                holds(),
                |s, t| {
                    let ratio = Interval::point(s.strongest()) / s.weakest();
                    let power = ((ratio - 1.0) * Interval::point(2.0).ln()).exp() * ratio;
                    at_most(t.top_share, 1.0 / (1.0 + (t.signal - 1.0) / power))
                },
            )
            .when("no noise", |s| s.noise.is_none())
            .control("n1", "for every σ the end has tr Σ/‖Σ‖ ≤ 0.9r", |_, t| {
                at_most(1.0 / t.top_share, 0.9 * t.signal)
            })
            .control("n2", "for every σ the end has tr Σ/‖Σ‖ ≥ 0.9r", |_, t| {
                at_least(1.0 / t.top_share, 0.9 * t.signal)
            })
            .control("n3", "L_nc at the end exceeds −0.9", |s, t| {
                let square: Interval = t
                    .end
                    .a
                    .iter()
                    .zip(&s.signals)
                    .map(|(k, g)| *k * f64::from(g.copies))
                    .sum();
                let inner: Interval = t
                    .end
                    .h
                    .iter()
                    .zip(&s.signals)
                    .map(|(k, g)| *k * f64::from(g.copies))
                    .sum();
                at_most(inner / square, 0.9)
            }),
    )
    .setting(
        Setting::measuring(train_finite)
            .assume("one strong direction", |s: &FiniteWidth| {
                s.sigma_squared.len() > 1 && s.sigma_squared[0] >= 4.0
            })
            .family(edge("widths", widths))
            .without_search()
            .part(
                "finite-width",
                "m = 50 to 3200, t = 40: ρ_B ≤ (3/4)r, alignment ≥ 0.99, L_nc ≤ −0.99",
                consistent(),
                |_, f| {
                    all_of([
                        ("balance", at_most(f.balance, 0.75 * f.signal).as_trend()),
                        ("alignment", at_least(f.alignment, 0.99).as_trend()),
                        ("loss", at_least(f.agreement, 0.99).as_trend()),
                    ])
                },
            )
            .because("the widths, the time and the constants 3/4 and 0.99 are ours"),
    )
    .series(
        "ends",
        "the end of training without negatives, one strong direction",
        table,
    )
    .series(
        "finite-width",
        "the same at t = 40 from Gaussian starts, and the tolerance that the solver achieved at rtol = 1e-10",
        finite_table,
    )
}
