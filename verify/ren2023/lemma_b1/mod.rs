//! Lemma B.1 with (11): Stage 1, formally.
//!
//! *Time.* True, explicitly, at infinite width: after θ_0 = 1/σ_min² all ρ_p ≥ 3/4, and Ψ ≥ ψ := (3/8)(mean
//! σ²)/N_max², so the noise falls at the rate σ_ξ²(r/q)ψ at least and κ_p² ≥ σ_p²/2: T_1 ≤ N_max²θ*/(2c_K) with θ* =
//! max(log(2/δ_−)/(2σ_min²), θ_0 + (q/(rσ_ξ²ψ)) log⁺(2σ_ξ²/(σ_min²δ_{N/S}²))).
//!
//! *Errors (11) at τ = 0.* Each unit column is a non-negative combination α, β of its start and its partner's start,
//! and α + β ≤ √(2/(1+ρ(0))): cosines between signals grow by at most 2/(1+min ρ(0)) and signal–noise ones by its
//! root, at every width; noise directions and the ratios of noise norms within a view do not change at all. Norms of
//! A against B: those of the signals stay bounded by their start, but those of the noise drift apart like
//! log(n(0)/n(t)), without bound as T_1 → ∞: R1 is false for them, R2 true.
//!
//! *Condition number with noise (q5).* For σ² = (2, 1) and targets that fall like d^{−1/2} it grows like √d although
//! the ratio s = 2 is fixed: d^{O(c)} is false; √(2ds) is true. At targets δ that do not depend on d it stays below
//! 4/δ²: the noise ratio is met as soon as κ_2² = e^λ/2 ≥ 1/δ², where κ_1²/κ_2² = 2e^λ.

mod cosines;
mod stage_one_time;
mod view_gaps;

use evidence::prelude::*;
use two_view::{Objective, PositivePairsState};

use crate::shared::equal_norm_families::wide_families;
use crate::shared::equal_norms::{EqualNorms, log_condition};
use crate::shared::feature_families::families;
use crate::shared::finite_width::FiniteWidth;
use crate::shared::high_temperature::HighTemperature;
use crate::shared::hypotheses::from_infinite_width;
use crate::shared::notation::{
    AGREEMENT, CONDITION, DATA, EXTREME_STRENGTHS, FEATURES, GRAM, H_ORTH, KAPPA, LOSS, LOSS_WITHOUT_NEGATIVES, MOTION,
    NOISE_RATIO, NOISE_SHARE, NORM_RATIO, NORMALISER, NORMALISER_BOTH, OUTPUTS, RHO, SIZES, SPEED, SPREAD, WEIGHT_NORM,
};
use cosines::{Errors, errors, four_equal_cosines};
use stage_one_time::{GrowingNoise, clock_bound, conditions, log_noise_ratio, rest};
use view_gaps::{GapDrift, Gaps, ViewGap, any_drift, drifts, gaps, view_gaps};

/// States of Stage 1 from an infinite-width start.
struct Stage {
    /// At θ* for δ = 0.1, 0.001 and 1e-5.
    ends: Vec<(f64, PositivePairsState)>,
    at: PositivePairsState,
    later: PositivePairsState,
    square: Interval,
    largest_square: Interval,
    weight: Interval,
    limit: Vec<Interval>,
}

fn stage(s: &EqualNorms) -> Result<Stage, MeasureError> {
    let flow = s.flow()?;
    let end = |delta: f64| Ok::<_, MeasureError>((delta, flow.at(clock_bound(s, &flow, delta).hi())?));
    let at = flow.at(s.clock)?;
    Ok(Stage {
        ends: [0.1, 1e-3, 1e-5].into_iter().map(end).collect::<Result<_, _>>()?,
        square: s.normaliser(&at).0,
        later: flow.at(1.25 * s.clock)?,
        at,
        largest_square: s.largest_normaliser(&flow),
        weight: flow.squared_weight_norm(),
        limit: flow.limit().ok_or("a correlation is −1")?,
    })
}

/// E = 2n/‖[K_A]_p + [K_B]_p‖²·2 for every group: log of n/(κ_p²(1 + ρ_p)).
fn log_tracked(at: &PositivePairsState) -> Vec<Interval> {
    let noise = at.log_noise.unwrap_or(Interval::ZERO);
    at.log_kappa_squared.iter().zip(&at.correlation).map(|(k, c)| noise - *k - c.ln_1p()).collect()
}

const OPPOSED: &str = "2/(1 + min ρ(0)) ≥ 1000";

/// A bound `factor` of the growth of a cosine, to integration accuracy.
fn grows_at_most(start: f64, largest: f64, factor: f64) -> Evaluation {
    if factor.is_nan() || factor <= 0.0 || factor >= 1e3 {
        return vacuous(OPPOSED);
    }
    at_most(Enclosure::measured(largest), Enclosure::measured(factor) * start + 1e-6)
}

pub fn claim() -> Claim {
    Claim::new("ren2023.lemma-b1", "Stage 1 (formal)", Kind::Convergence)
        .statement(
            "let T_1 be the first time with 1−ρ_p ≤ δ_− and ‖[K_{A,ξ}]_k‖/‖[K_A]_p‖, ‖[K_{B,ξ}]_k‖/‖[K_B]_p‖ ≤ \
             δ_{N/S}. If m is large and τ_1² small, then T_1 ≤ poly(d), up to T_1 the condition number is bounded \
             (√d-type bound), and (11) holds",
        )
        .source("Lemma B.1", &["(11)", "Section B", "proof: Section B.4", "informal version: Lemma 5.1"])
        .symbols([
            SIZES, DATA, H_ORTH, FEATURES, NORMALISER, NORMALISER_BOTH, OUTPUTS, LOSS, LOSS_WITHOUT_NEGATIVES, GRAM,
            AGREEMENT, KAPPA, RHO, SPEED, NOISE_SHARE, SPREAD, EXTREME_STRENGTHS, CONDITION, NORM_RATIO, WEIGHT_NORM,
        ])
        .symbol("flow of L", MOTION)
        .symbols([NOISE_RATIO])
        .symbol(
            "(11)",
            "the errors of Stage 1, each the largest of its kind: |log| of ratios of norms of partners in A and B \
             (δ_{A/B}) and of noise norms within a view (δ_ξ), |cos| of columns of different signals (δ_⊥), of signal \
             with noise columns and of noise columns of A with those of B (δ_{ξ⊥})",
        )
        .symbol(
            "six runs",
            "from ‖[K_A]_p‖² = σ_p²e^{u_p/2}, ‖[K_B]_p‖² = σ_p²e^{−u_p/2}, squared noise norms σ_ξ²e^{±v/2}, all other \
             products 0, until T; (σ²; u(0); v(0); σ_ξ², q; T): (1; 0.1; 0.1; 1, 1; 5), the same to 60, (2,1; 0.1,0.1; \
             0; 1, 2; 100), (4,1; 0.1,−0.1; 0; 0.5, 2; 30), (2,1,1; 0,0,0; 0.05; 1, 6; 60), (9,0.3; 0.1,0.1; 0.1; 1, \
             2; 60); seen at T/10, 2T/10, …, T",
        )
        .symbol("log⁺", "max(log, 0)")
        .symbol("v", "log(n_A/n_B), n_A and n_B the squared norms of the noise columns of A and of B, n = n_A")
        .symbol("sup-distance", "the largest Frobenius norm of the difference of the two G at the times 3/8, 6/8, …, 3")
        .symbol(
            "T_1",
            "the first time at which the targets are met: 1 − ρ_p ≤ δ_− for all p, and ‖[K_{A,ξ}]_k‖/‖[K_A]_p‖, \
             ‖[K_{B,ξ}]_k‖/‖[K_B]_p‖ ≤ δ_{N/S} for all p, k",
        )
        .reconstructed("every size; only the qualitative claim survives")
        .sense(
            "R1",
            "each error of (11) is up to T_1 at most a constant times its start, and the condition number is d^{O(c)}",
        )
        .sense(
            "R2",
            "each error of (11) is up to T_1 at most polynomial in d times its start, and the condition number is O(√d \
             √(σ_max²/σ_min²))",
        )
        .remark(
            "It is split into the time (q1), each error of (11) on its own (q2), the width (q3), and the condition \
             number with noise (q5), at τ = 0.",
        )
        .remark(
            "(q2) at τ = 0: a unit column is αK̄_A(0) + βK̄_B(0) with α, β ≥ 0 and unit length, so α + β ≤ \
             √(2/(1+ρ(0))); this bounds all cosines at every width. The noise norms of a view keep their ratios. The \
             log ratio v of noise norms of A and B drifts in proportion to the decay of the noise: n_A decays at the \
             rate 2c_Kσ_ξ²(r/q)Ψ/N_A² and n_B at the same with N_B². For r = q = 1, σ = σ_ξ = 1 both N² = ‖W‖² are \
             constant, so that v(t) = v(0) + (N_A²/N_B² − 1) log(n_A(0)/n_A(t)).",
        )
        .remark(
            "(q5) For σ² = (2, 1), σ_ξ² = 1, r = 2 and targets δ = d^{−1/2}, cond(κ²) at T_1 is near 2√(2d) at fixed \
             s: the bound d^{O(c)} with c = s/log d would be a constant. For a fixed δ it stays below 4/δ². By (e3) of \
             Lemma 5.1 cond(κ) ≤ √2·√d·√s at all times.",
        )
        .setting(printed())
        .setting(condition_number())
        .setting(cosines_and_norms())
        .setting(gap_of_views())
        .setting(noise_of_views())
        .setting(distance_in_width())
}

fn printed() -> Setting<EqualNorms, Stage> {
    from_infinite_width(Setting::measuring(|s: &EqualNorms, _| stage(s)))
        .family(wide_families().into_iter().map(|f| f.taking(0.5)))
        .without_search()
        .part(
            "printed",
            "(q1) both targets δ_− = δ_{N/S} = δ are met at θ* = max(log(2/δ)/(2σ_min²), 1/σ_min² + (q/(rσ_ξ²ψ)) \
             log⁺(2σ_ξ²/(σ_min²δ²))), ψ = (3/8)(Σ_pσ_p²/r)/N_max², that is within a time N_max²θ*/(2c_K): δ = 10⁻¹, \
             10⁻³, 10⁻⁵",
            holds(),
            |_, f| {
                all_of(f.ends.iter().map(|(delta, at)| {
                    let target = Interval::point(*delta);
                    let aligned = at_most(rest(at), target);
                    let noise = log_noise_ratio(at).map(|x| at_most(x, 2.0 * target.ln()));
                    let parts = [Some(("alignment", aligned)), noise.map(|e| ("noise", e))];
                    (format!("δ = {delta}"), all_of(parts.into_iter().flatten()))
                }))
            },
        )
        .our_constant("the explicit time: the words say a polynomial")
        .part(
            "q5-r2",
            "(q5) R2: cond(κ) ≤ √2·√d·√(σ_max²/σ_min²) at all times, compared as log cond(κ²) ≤ \
             log(2dσ_max²/σ_min²) at θ and in the limit θ → ∞",
            holds(),
            |s, f| {
                let bound = (2.0 * f.weight * s.strongest() / s.weakest()).ln();
                at_most(log_condition(&f.at.log_kappa_squared).max(log_condition(&f.limit)), bound)
            },
        )
        .our_constant("the factor √2")
        .in_sense("R2")
        .step(
            "s1",
            "1 − ρ_p ≤ 2e^{−2σ_p²θ}, and ‖[K_{A,ξ}]_k‖²/‖[K_A]_p + [K_B]_p‖² does not increase from θ to 1.25θ",
            holds(),
            |s, f| {
                let aligned = s.signals.iter().zip(&f.at.correlation).map(|(g, &c)| {
                    let bound = 2.0 * (-2.0 * g.sigma_squared * Interval::point(s.clock)).exp();
                    ("alignment", at_most(1.0 - c, bound).on_unit_scale())
                });
                let (now, later) = (log_tracked(&f.at), log_tracked(&f.later));
                let tracked = now.into_iter().zip(later).map(|(n, l)| ("noise ratio", at_most(l, n).on_unit_scale()));
                all_of(aligned.chain(tracked))
            },
        )
        .step("s4", "N_A² ≤ ‖W_A‖_F² max(σ_max²/r, σ_ξ²/q)", holds(), |_, f| {
            at_most(f.square, f.largest_square)
        })
        .control(
            "n3",
            "T_1 does not depend on δ_{N/S}: at θ* for δ = 0.1 the noise ratio is already at most 10⁻⁵⁰, compared as \
             log of its square ≤ −100 log 10",
            |_, f| {
                log_noise_ratio(&f.ends[0].1)
                    .map_or_else(|| Evaluation::Failed("no noise".into()), |x| at_most(x, Interval::point(1e-100).ln()))
            },
        )
        .assume(Hypothesis::new("q ≥ 1", |s| s.noise.is_some()))
}

fn condition_number() -> Setting<GrowingNoise, Vec<Interval>> {
    Setting::measuring(|s: &GrowingNoise, _| conditions(s))
        .given(
            "H-orth; τ = 0, from κ_p² = σ_p², ρ_p = 0, squared noise norms σ_ξ² (m = ∞), r = 2, q = d − 2, σ² = (s, \
             1), δ_− = δ_{N/S} = δd^{−a}, d = 20, 200, 2000, 10⁵",
        )
        .degenerate("targets that do not depend on d", |s| s.fall == 0.0)
        .family(edge("two signals", || {
            let of = |strength: f64, noise_squared: f64, (delta, fall): (f64, f64)| GrowingNoise {
                strength,
                noise_squared,
                delta,
                fall,
            };
            vec![
                ("σ² = (2,1), targets d^{−1/2}", of(2.0, 1.0, (1.0, 0.5))),
                ("s = 3, targets d^{−1/2}", of(3.0, 1.0, (1.0, 0.5))),
                ("σ² = (2,1)", of(2.0, 1.0, (0.1, 0.0))),
                ("weak noise", of(2.0, 0.05, (0.01, 0.0))),
                ("strong noise", of(2.0, 4.0, (0.01, 0.0))),
                ("s = 4", of(4.0, 1.0, (0.1, 0.0))),
            ]
        }))
        .without_search()
        .part(
            "q5-r1",
            "(q5) R1: cond(κ²) at T_1 is at most d^{O(c)}, a function of s: at most e^{2s} for d up to 10⁵",
            fails("σ² = (2,1), targets d^{−1/2}: with noise cond(κ²) grows like √d although s = 2"),
            |s, c| {
                let shown: Vec<String> = c.iter().map(|x| format!("{:.1}", x.exp().midpoint())).collect();
                let note = format!("cond(κ²) = {}", shown.join(", "));
                at_most(c[3], 2.0 * exact(s.strength)).noting(note)
            },
        )
        .sides("log cond(κ²) at T_1, d = 10⁵", "2s")
        .our_constant(
            "the constant 2 of e^{2s}, at d = 10⁵: with targets d^{−1/2} cond(κ²) at T_1 is near 2√(2d) at s = 2, so \
             that none serves for all targets; for a fixed target δ it stays below 4/δ²",
        )
        .in_sense("R1")
}

fn cosines_and_norms() -> Setting<HighTemperature, Errors> {
    Setting::measuring(|s: &HighTemperature, _| errors(s))
        .given(
            "H-orth with σ_p² = p, σ_ξ² = 1/2; the flow of L_nc, seen at t = N_AN_B/4, N_AN_B/2, N_AN_B, 2N_AN_B \
             (normalisers of the start)",
        )
        .assume(Hypothesis::new("no column is 0", |s| {
            let columns = 2 * (s.signal + s.noise);
            (0..columns).all(|j| s.rows.iter().any(|row| row[j] != 0.0))
        }))
        .assume(Hypothesis::new("‖[K_A|K_{A,ξ}]‖_F and ‖[K_B|K_{B,ξ}]‖_F agree up to a factor 4", |s| {
            let d = s.signal + s.noise;
            let size = |from: usize| s.rows.iter().flat_map(|row| &row[from..from + d]).map(|x| x * x).sum::<f64>();
            (1.0 / 16.0..=16.0).contains(&(size(0) / size(d)))
        }))
        .family(edge("equal cosines", four_equal_cosines))
        .family(families().into_iter().map(|f| f.taking(0.1)))
        .without_search()
        .part(
            "q2-signals",
            "(q2) R1: at these times δ_⊥ is at most 2/(1 + min ρ(0)) times that of the start, plus 10⁻⁶",
            consistent(),
            |_, e| grows_at_most(e.start.signals, e.largest.signals, e.factor),
        )
        .our_constant("the factor 2/(1 + min ρ(0)): the words leave the multiple open")
        .except(OPPOSED)
        .assume(Hypothesis::new("r ≥ 2", |s| s.signal > 1))
        .part(
            "q2-signal-noise",
            "(q2) δ_{ξ⊥}, R1: at these times the largest |cos| of a signal and a noise column is at most √(2/(1 + min \
             ρ(0))) times that of the start, and the largest |cos| of noise columns of A and B at most that of the \
             start, each plus 10⁻⁶",
            consistent(),
            |_, e| {
                all_of([
                    ("signal and noise", grows_at_most(e.start.signal_noise, e.largest.signal_noise, e.factor.sqrt())),
                    ("noises", grows_at_most(e.start.noises, e.largest.noises, 1.0)),
                ])
            },
        )
        .our_constant("the factors √(2/(1 + min ρ(0))) and 1: the words leave the multiple open")
        .except(OPPOSED)
        .assume(Hypothesis::new("q ≥ 1", |s| s.noise > 0))
        .part(
            "q2-noise-norms",
            "(q2) δ_ξ, R1: the ratio of the largest to the smallest squared noise norm within view A is at the last \
             time that of the start, to 10⁻⁵",
            consistent(),
            |_, e| equal(Enclosure::measured(e.spread[1]), Enclosure::measured(e.spread[0])).within(1e-5),
        )
        .our_constant("the factor 1: the words leave the multiple open")
        .assume(Hypothesis::new("q ≥ 2", |s| s.noise > 1))
        .control("n2", "the cosines between signals never grow", |_, e| {
            at_most(Enclosure::measured(e.largest.signals), Enclosure::measured(1.01 * e.start.signals))
        })
        .assume(Hypothesis::new("r ≥ 2", |s| s.signal > 1))
}

fn gap_of_views() -> Setting<ViewGap, Gaps> {
    Setting::measuring(|s: &ViewGap, _| gaps(s))
        .given(
            "H-orth; the diagonal manifold with ρ_p(0) = 0 and norms that differ between the views; the flow of L_nc",
        )
        .family(edge("views that differ", view_gaps).restricted("six runs"))
        .without_search()
        .part(
            "q2-views",
            "(q2) δ_{A/B} of the signals, R1: in six runs |u_p| ≤ 4 max(max_s |u_s(0)|, |v(0)|) for every p",
            consistent(),
            |_, g| at_most(Enclosure::measured(g.signals), 4.0 * Enclosure::measured(g.start)),
        )
        .our_constant("the factor four and the runs")
        .step("drift", "v(T) = v(0) + (N_A²/N_B² − 1) log(n_A(0)/n_A(T)), to 10⁻⁶", holds(), |s, g| {
            equal(Enclosure::measured(g.noise), Enclosure::measured(s.drift(g.decay))).within(1e-6)
        })
        .assume(Hypothesis::new("r = q = 1, σ = σ_ξ = 1", ViewGap::is_plain))
        .part(
            "q2-view-noise-r2",
            "(q2) δ_{A/B} of the noise, R2: in six runs |v(T)| ≤ (4 + e^g log(n(0)/n(T))) g, g = max(max_p |u_p(0)|, \
             |v(0)|)",
            consistent(),
            |_, g| {
                let bound = (4.0 + Enclosure::measured(g.start).exp() * g.decay) * g.start;
                at_most(Enclosure::measured(g.noise), bound)
            },
        )
        .our_constant(
            "both factors and the runs; where r = q = 1, σ = σ_ξ and u(0) = v(0) = g, step drift gives |v(T)| = g + \
             (e^g − 1) log(n(0)/n(T)) with 1 < (e^g − 1)/g < e^g, so that e^g serves at every T and 1 does not; for \
             other r, q and strengths they are tried in the runs only",
        )
        .in_sense("R2")
}

fn noise_of_views() -> Setting<GapDrift, Interval> {
    Setting::measuring(|s: &GapDrift, _| Ok(s.at_the_end()))
        .given(
            "H-orth; τ = 0, r = q = 1, σ = σ_ξ = 1; ‖K_A‖² = ‖K_{A,ξ}‖² = e^{g/2}, ‖K_B‖² = ‖K_{B,ξ}‖² = e^{−g/2}, \
             ρ(0) ≥ 0; T_1 for δ_{N/S} = δ",
        )
        .degenerate("g > 1/5", |s| s.gap > 0.2)
        .family(edge("one signal, one noise", drifts))
        .family(random("one signal, one noise of any gap", any_drift))
        .part(
            "q2-view-noise-r1",
            "(q2) δ_{A/B} of the noise, R1: at most four times its start at T_1, r = q = 1, σ = σ_ξ",
            fails("it is v(0) + (N_A²/N_B² − 1) log(n_A(0)/n_A(T_1)), unbounded as δ_{N/S} → 0"),
            |s, &end| at_most(end, 4.0 * exact(s.gap)),
        )
        .sides("δ_{A/B} of the noise at T_1, at least", "4 times its start")
        .our_constant("the factor four: the ratio is unbounded as δ_{N/S} → 0, so that none serves")
        .in_sense("R1")
}

fn distance_in_width() -> Setting<FiniteWidth, Vec<(f64, f64)>> {
    Setting::measuring(|s: &FiniteWidth, trial| s.distances(&[Objective::NonContrastive], 8, &[1, 8, 64, 512], trial))
        .given(
            "H-orth; starts of iid N(0, 1/m) weights, the flow of L_nc for t ≤ 3; (σ²; q) = (2,1; 1) and (3,1,1; 0), \
             σ_ξ² = 1",
        )
        .family(edge("growing width", || {
            let of = |sigma: &[f64], noise: u32| FiniteWidth {
                width: 50,
                sigma_squared: sigma.to_vec(),
                noise,
                noise_squared: 1.0,
                time: 3.0,
            };
            vec![("r = 2, q = 1", of(&[2.0, 1.0], 1)), ("r = 3", of(&[3.0, 1.0, 1.0], 0))]
        }))
        .without_search()
        .part(
            "q3",
            "(q3) the sup-distance of G to the infinite-width trajectory falls at least like m^{−1/2}, m = 50, 400, \
             3200, 25600, eight starts or more at each",
            consistent(),
            |_, distances| Trend::through(distances).named("m").grows_at_most(-0.5),
        )
        .control("n1", "it falls at least like 1/m", |_, distances| {
            Trend::through(distances).named("m").grows_at_most(-1.0)
        })
}
