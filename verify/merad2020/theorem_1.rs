//! Theorem 1: gradient descent on a wide network makes the contrastive training loss as small as one likes.
//!
//! Three senses, and what is true of each. *M* (no input twice), η and C found along the run: consistent, with room to
//! spare; steps grow like 1/ε where 1/ε² is printed, not with m, and like δ^{−3/2} log(1/δ) at ν ∝ δ for m → ∞ where
//! δ^{−2} is printed (derived below; at a fixed width, which the theorem excludes as δ falls, at most like δ^{−3}:
//! separation-cubic). *M*, η and C fixed before ε: consistent where it says anything, which is only for ε ≥ nζ(−2C²).
//! Outputs shorter than C have L̂_un ≥ nζ(−2C²); for smaller ε the conclusion contradicts the assumption, no run can
//! meet both, and every run recorded leaves the ball first. *S* (a set of inputs, as the display says) is false for
//! both kinds of bounds: a triplet with x⁺ = x⁻ costs log 2 under every encoder, and as its gradient vanishes
//! identically the network stays where it is, in any bounds one chooses. So do conflicts between triplets: (x, p, q)
//! and (x, q, p) cost 2 log 2.
//!
//! Where the exponent 3/2 comes from: for one triplet with x orthogonal to x⁺ and x⁻ put w = z_3 − z_2, a = z_1·w, s =
//! σ(a), K the tangent kernel for m → ∞ and k = K_22 + K_33 − 2K_23, which is of order δ. In continuous time z_1' =
//! −sK_11 w and w' = −sk z_1, so that √k z_1 − √K_11 w grows at the rate s√(kK_11) and √k z_1 + √K_11 w falls at the same
//! rate. 4√(kK_11) a is the square of the second less that of the first: it passes a given negative level once the first
//! has grown from order √k to order k^{1/4}, after a time of order log(1/k)/√k. With a step proportional to δ these are
//! δ^{−3/2} log(1/δ) updates. At a fixed width k falls like δ² once δ is small against 1/m.
//!
//! A random start is nowhere in the statement. From a start of one's choice it is false at every width: the critical
//! networks of remark-critical-point meet both assumptions for ever, with L̂_un = n log 2.
//!
//! The proof asks Lemma 6 for the accuracy εη/(2n) and needs it below η/2, that is ε < n; larger ε have to be replaced
//! by n/2.

use evidence::claim::{none_of, vacuous_expected};
use evidence::prelude::*;

use super::theorem_1_proof::{accuracy_in_the_proof, compatible_bounds, least_loss};
use crate::shared::notation::{
    EMPIRICAL_LOSS, GROWTH, LOGARITHM, NETWORK, NORM, NORM_BOUNDS, NORMAL_LAW, OUTPUT_GRADIENT, OUTPUT_TRIPLE,
    SEPARATION, SIGMOID, SOFTPLUS, STEP_SIZE, STEPS, TRIPLET_LOSS, WIDTH,
};
use crate::shared::separation_and_width::{START, separation_and_width};
use crate::shared::shared_data::{SharedData, SharedRecord, shared_data, trained_on_shared_data};
use crate::shared::training_families::{ANY_START, critical_starts, trainings, zero_starts};
use crate::shared::training_record::{Goal, TrainingRecord, halvings, record};
use crate::shared::training_run::{FLOOR, TrainingRun};

/// The exponent of 1/ε in poly(n, L)/(δ²ε²).
const PRINTED: f64 = 2.0;

const SEPARATED: &str = "Assumption 1 (M): ‖x‖ = 1 and no input twice, by construction of the data";

/// Where a check says nothing.
const LEFT: &str = "the norms leave (η, C) before L̂_un ≤ ε";
const NONE: &str = "no accuracy of the list is below nζ(−2C²)";
const VANISHED: &str = "an output vanishes";
const OUTSIDE: &str = "the norm of an output is outside (η, C), or 0";
const SHORT: &str = "the last L̂_un is above ½, and some derivative in the matrices is not zero there";

/// T(ε) ≤ 10 n²(L+1)²/(δ²ε²) for those accuracies up to whose passage the norms lie in (η, C).
fn within_bounds(run: &TrainingRun, r: &TrainingRecord, counts: impl Fn(f64) -> bool) -> Evaluation {
    let Ok(delta) = run.smallest_distance() else {
        return Evaluation::Failed("no smallest distance".into());
    };
    let sizes = Enclosure::from(run.triplets * (run.depth + 1)).square();
    let promised = |e: f64| 10.0 * sizes / (exact(delta) * e).square();
    let reached = r.passages.iter().filter(|p| counts(p.accuracy)).map(|p| {
        let inside = TrainingRecord::stayed_inside(p, run.cap);
        let compared = if inside {
            at_most(Enclosure::from(p.step).as_measured(), promised(p.accuracy))
        } else {
            vacuous("the norms leave (η, C) before L̂_un ≤ ε")
        };
        (format!("ε = {}", p.accuracy), compared)
    });
    let missed = r.missed.iter().filter(|&&e| counts(e)).map(|&e| {
        let compared = if r.norms.lies_within(FLOOR, run.cap) != Some(true) {
            vacuous("the norms leave (η, C) before L̂_un ≤ ε")
        } else if (r.steps as f64) < promised(e).lo() {
            Evaluation::Failed("the run ended early".into())
        } else {
            at_most(Enclosure::from(r.steps + 1).as_measured(), promised(e))
        };
        (format!("ε = {e}"), compared)
    });
    let all: Vec<_> = reached.chain(missed).collect();
    if all.is_empty() { vacuous(NONE) } else { all_of(all) }
}

/// T(ε) grows at most like ε^{−limit}, of a run whose outputs stay away from zero.
fn growth(r: &TrainingRecord, limit: f64) -> Evaluation {
    if_bounded_away(r, |r| r.growth(limit))
}

fn if_bounded_away(r: &TrainingRecord, judged: impl Fn(&TrainingRecord) -> Evaluation) -> Evaluation {
    if r.norms.is_bounded_away() == Some(true) { judged(r) } else { vacuous(VANISHED) }
}

/// inf L̂_un over all encoders against ε, if Assumption 2 holds along the run and the run is at rest, or there is an
/// encoder.
fn reachable(i: &SharedData, r: &SharedRecord, in_bounds: Option<bool>) -> Evaluation {
    if in_bounds == Some(true) { r.some_encoder_reaches(i.accuracy) } else { vacuous(OUTSIDE) }
}

/// Whether the loss gets below ½; says nothing of a run that is neither there nor at rest.
fn reaches_half(r: &TrainingRecord) -> Evaluation {
    if r.at_rest || r.last_loss.hi() <= 0.5 { at_most(r.last_loss, exact(0.5)) } else { vacuous(SHORT) }
}

pub fn claim() -> Claim {
    Claim::new("merad2020.theorem-1", "gradient descent reaches small contrastive training loss", Kind::Convergence)
        .statement(
            "let Assumptions 1 and 2 hold and ε > 0; if m ≥ Ω(poly(n, L, 1/δ)·d/ε), gradient descent with ν = \
             Θ(dδ/(poly(n, L)·m)) finds within T = O(poly(n, L)/(δ²ε²)) steps parameters with L̂_un(f) ≤ ε",
        )
        .symbols([
            NETWORK, WIDTH, STEP_SIZE, SEPARATION, NORM_BOUNDS, STEPS, EMPIRICAL_LOSS, OUTPUT_GRADIENT, OUTPUT_TRIPLE,
            TRIPLET_LOSS, SOFTPLUS, SIGMOID, NORM, LOGARITHM, GROWTH, NORMAL_LAW,
        ])
        .source("Theorem 1", &["section 4", "proof at the end of section 8", "end of section B of the earlier version"])
        .sense(
            "M",
            "no input stands twice, as the end of section 4 says; from a random start with high probability, as in the \
             cited theorem",
        )
        .sense("S", "an input may stand in several places, as the display says; from a random start")
        .sense("any start", "no input stands twice; the statement names no start, so that every start counts")
        .remark(
            "Assumption 2 with η and C fixed before ε is (i), with the bounds of the run (ii); the theorem's words \
             allow both, and each sense is tried under both.",
        )
        .remark(
            "Measured with ν = dδ/(n(L+1)m), all matrices trained or W alone, ε = 1, 1/2, …, 1/1024. Constants and \
             polynomials are not given, so under M exponents are judged. The widths fixed here are below the printed \
             Ω(d/ε): more width is asked for than was needed.",
        )
        .remark(
            "In the limit m → ∞ descent moves the outputs along the tangent kernel of infinite width (Jacot, Gabriel \
             and Hongler 2018), which is followed here without a network; trained widths from 32 on end at the same \
             numbers of steps. For one triplet T is there of the order δ^{−3/2} log(1/δ): the outputs leave the saddle \
             z_2 = z_3 exponentially, at a rate of the order √δ per unit of νt.",
        )
        .remark(
            "What refutes the sense any start is exact: the inputs and the matrices of the critical networks are made \
             of halves of whole numbers, all derivatives vanish without rounding, and the network stays at L̂_un = log \
             2 at every width. By hand: one unit sees x only, one sees x⁺ and x⁻ with the value ½, B sends them to e_1 \
             and e_2, so that z_1 = e_1, z_2 = z_3 = e_2/2.",
        )
        .remark(
            "Under (i) a given C serves only ε ≥ nζ(−2C²). The theorem needs bounds that may grow as ε falls, C² ≥ ½ \
             log(1/(e^{ε/n} − 1)), and the constants hidden in its O and Ω depend on them: L_smooth = 2 + 8C² adds a \
             factor log(n/ε).",
        )
        .remark(
            "The cited convergence theorem fixes the last coordinate of every input at 1/√2, which Assumption 1 does \
             not; antipodal inputs are then excluded.",
        )
        .setting(m_ii())
        .setting(separation_and_width(Goal::Loss, ["M-ii-separation", "M-ii-width"]))
        .setting(s_ii())
        .setting(any_start())
        .setting(dead())
        .setting(accuracy_in_the_proof())
        .setting(compatible_bounds())
}

fn m_ii() -> Setting<TrainingRun, TrainingRecord> {
    Setting::measuring(|run: &TrainingRun, trial| record(run, Goal::Loss, &halvings(trial.samples(11).clamp(11, 14))))
        .given(SEPARATED)
        .given(START)
        .family(trainings())
        .without_search()
        .part(
            "M-i",
            "η = 1/1000 and the C of the run: L̂_un ≤ ε after T ≤ 10 n²(L+1)²/(δ²ε²) updates, for each ε = 1, 1/2, …, \
             1/1024 up to whose T the norms of all outputs lie in (η, C)",
            consistent(),
            |run, r| within_bounds(run, r, |_| true),
        )
        .except(LEFT)
        .in_sense("M")
        .our_constant("the polynomial n²(L+1)², its factor 10, the widths and κ")
        .part(
            "M-ii",
            "bounds found along the run: if no output vanishes, every ε = 1, 1/2, …, 1/1024 is reached within 100 000 \
             updates, and over the last seven of these ε T(ε) grows at most like ε^{−2}, those left out that are more \
             than half of L̂_un at the start",
            consistent(),
            |_, r| growth(r, PRINTED),
        )
        .except(VANISHED)
        .in_sense("M")
        .part(
            "M-i-small",
            "η = 1/1000 and the C of the run: L̂_un ≤ ε after T ≤ 10 n²(L+1)²/(δ²ε²) updates, for each ε = 1, 1/2, …, \
             1/1024 with ε < nζ(−2C²) up to whose T the norms of all outputs lie in (η, C)",
            vacuous_expected(
                "for ε < nζ(−2C²) the conclusion contradicts Assumption 2: no run meets the hypotheses to the end",
            ),
            |run, r| {
                let least = least_loss(run.triplets, run.cap).lo();
                within_bounds(run, r, |e| e < least)
            },
        )
        .except(LEFT)
        .except(NONE)
        .in_sense("M")
        .step(
            "s3",
            "after 1, 2, 4, 8, … updates, and where an ε = 1, 1/2, …, 1/1024 is first reached, L̂_un ≥ nζ(−2C_t²), C_t \
             the largest norm of an output so far",
            holds(),
            |_, r| at_least(r.least_excess, 0),
        )
        .sides("the smallest L̂_un − nζ(−2C_t²) of these steps", "0")
        .step(
            "initial",
            "before training, L̂_un and its value with positives and negatives exchanged add up to 2n log 2 at least",
            holds(),
            |run, r| {
                let least = 2.0 * Enclosure::from(run.triplets) * Enclosure::ln_2();
                at_least(r.first_loss + r.exchanged_loss, least)
            },
        )
        .sharpening(
            "three-halves",
            "ε = 1/16, 1/32, …, 1/1024 are all reached within 100 000 updates, and from the first of them that is at \
             most half of L̂_un at the start to the last T(ε) + 1 grows at most by the factor by which ε^{−3/2} does",
            holds(),
            |_, r| if_bounded_away(r, |r| r.overall_growth(1.5)),
        )
        .except(VANISHED)
        .control(
            "bounded-below",
            "at the last step L̂_un ≥ nζ(−C_t²), C_t the largest norm of an output so far",
            |run, r| {
                let largest = r.norms.largest().map_or(Enclosure::ZERO, Enclosure::from).as_measured();
                at_least(r.last_loss, Enclosure::from(run.triplets) * (-largest.square()).softplus())
            },
        )
}

fn s_ii() -> Setting<SharedData, SharedRecord> {
    trained_on_shared_data()
        .degenerate("some triplet has x⁺ = x⁻", SharedData::names_one_sample_for_both)
        .family(shared_data())
        .without_search()
        .part(
            "S-i",
            "η = 1/1000 and C = 10 fixed: if the norms of all outputs of the run lie in (η, C), some encoder f, any \
             function of the samples, has L̂_un ≤ ε",
            fails("x⁺ = x⁻ costs log 2 under every encoder, and descent does not move"),
            |i, r| reachable(i, r, r.norms.lies_within(FLOOR, 10.0)),
        )
        .sides("lower bound of L̂_un over all encoders", "ε")
        .except(OUTSIDE)
        .in_sense("S")
        .part(
            "S-ii",
            "bounds found along the run: if no output of the run vanishes, some encoder f, any function of the \
             samples, has L̂_un ≤ ε",
            fails("x⁺ = x⁻ costs log 2 under every encoder, and descent does not move"),
            |i, r| reachable(i, r, r.norms.is_bounded_away()),
        )
        .sides("lower bound of L̂_un over all encoders", "ε")
        .except(OUTSIDE)
        .in_sense("S")
        .amendment(
            "no-conflict",
            "some encoder f has L̂_un ≤ ε: B of the trained network times 0, ¼, 1, 4, 16 or 64",
            holds(),
            |i, r| r.some_encoder_reaches(i.accuracy),
        )
        .assume(Hypothesis::new("no sample stands in two places", SharedData::names_no_sample_twice))
        .amendment(
            "conflict",
            "L̂_un ≥ k log 2 for every encoder f, if k triplets have Σ f(x_i)·(f(x_i⁻) − f(x_i⁺)) ≥ 0 for all f because \
             the symmetric matrix of this quadratic form in the f-values of the samples is diagonally dominant, with \
             no diagonal entry negative: tried on the trained network with B times 0, ¼, 1, 4, 16 and 64",
            holds(),
            |i, r| at_least(r.attained, i.least()),
        )
        .control("one-more", "L̂_un ≥ (k + 1) log 2 for the encoders and the largest k of `conflict`", |i, r| {
            at_least(r.attained, i.least() + Enclosure::ln_2())
        })
}

fn any_start() -> Setting<TrainingRun, TrainingRecord> {
    Setting::measuring(|run: &TrainingRun, _| record(run, Goal::Loss, &[0.5]))
        .given(SEPARATED)
        .given(ANY_START)
        .family(critical_starts())
        .without_search()
        .part(
            "any-start",
            "η = 1/1000 and the C of the run fixed, the norms of all outputs in (η, C): L̂_un gets to ½ or less",
            fails("a critical point of all matrices meets both assumptions for ever, with L̂_un = n log 2"),
            |run, r| match r.norms.lies_within(FLOOR, run.cap) {
                Some(true) => reaches_half(r),
                _ => vacuous(OUTSIDE),
            },
        )
        .sides("L̂_un at the last step", "½")
        .except(OUTSIDE)
        .except(SHORT)
        .in_sense("any start")
        .control("a", "no training is needed: L̂_un ≤ ½ at the start", |_, r| at_most(r.first_loss, exact(0.5)))
}

fn dead() -> Setting<TrainingRun, TrainingRecord> {
    Setting::measuring(|run: &TrainingRun, _| record(run, Goal::Loss, &[0.5]))
        .given(SEPARATED)
        .given(
            "a start at which all outputs are zero: A = −|A| on inputs with no negative coordinate, or B = 0, else \
             random; ν = dδ/(n(L+1)m), all matrices trained for 400 updates",
        )
        .family(zero_starts())
        .without_search()
        .step(
            "dead",
            "all derivatives of L̂_un in the matrices vanish, so that the network stays where it is, with all outputs 0 \
             and L̂_un = n log 2",
            holds(),
            |run, r| {
                let level = Enclosure::from(run.triplets) * Enclosure::ln_2();
                all_of([
                    ("at rest", none_of(usize::from(!r.at_rest))),
                    ("loss", equal(r.last_loss, level)),
                    ("norms", equal(r.norms.largest().map_or(Enclosure::ONE, Enclosure::from), 0)),
                ])
            },
        )
        .tested_by("b")
        .control("b", "the lower bound of Assumption 2 dropped: L̂_un gets to ½ or less", |_, r| reaches_half(r))
        .except(SHORT)
}
