//! Lemma 6: gradient descent on a wide network makes the output gradient of the contrastive loss as small as one
//! likes.
//!
//! Under M (no input twice) consistent, with steps that grow like 1/ε instead of 1/ε², not with m, and at ν ∝ δ like
//! δ^{−3/2} log(1/δ) for m → ∞ instead of δ^{−2} (derived for Theorem 1); Assumption 2, which the proof uses, is not needed
//! as a hypothesis of these runs. Under S (a set of inputs) it is false: with x⁺ = x⁻ the blocks −s z_1 and s z_1 of
//! one sample cancel, the network never moves, and the slot-wise gradient stays at √(½ Σ ‖z_{i,1}‖²). With the blocks
//! of one sample added up it is 0, and in that sense the lemma is consistent; but then Lemma 4 is false (in its sense
//! samples). From a start of one's choice the lemma is false as Theorem 1 is.
//!
//! Together with Assumption 2 for a fixed C the conclusion is empty for small ε: ‖∇L̂_un‖ ≥ √(6n) C σ(−2C²) where it
//! is below η/2.
//!
//! *The proxy* (step s4), descent on the outputs with step 1/L_t, gains ‖∇L̂_un‖²/(2L_t) per step for L_t = 2 + 8C_t²,
//! and already for **L_t = 1 + 6C_t²**: the blocks of ∇ℓ are at most 2C σ(2C²) ≤ C(1 + C²) long, so a step moves no
//! output by more than C(1 + C²)/(1 + 6C²) ≤ C, the segment stays in the ball of radius 2C, and there ‖∇²ℓ‖ ≤ 1 + G/4
//! ≤ 1 + 6C² (Lemma 3, with G ≤ 6(2C)²). Triplets are independent variables, so the sum has the constant of its worst
//! part.

use contrastive::Triplet;
use enclosures::vectors::plus;
use evidence::prelude::*;

use super::proxy_descent::{proxy, short_steps};
use crate::shared::notation::{
    EMPIRICAL_LOSS, GROWTH, HESSIAN, LOGARITHM, NETWORK, NORM, NORMAL_LAW, OUTPUT_GRADIENT, OUTPUT_TRIPLE, SEPARATION,
    SIGMOID, SOFTPLUS, STEP_SIZE, STEPS, TRIPLET_GRADIENT, TRIPLET_LOSS, WIDTH,
};
use crate::shared::separation_and_width::{START, separation_and_width};
use crate::shared::shared_data::{SharedData, SharedRecord, shared_data, trained_on_shared_data};
use crate::shared::training_families::{ANY_START, any_starts, critical_starts, trainings};
use crate::shared::training_record::{Goal, TrainingRecord, halvings, record, slopes, triplets};
use crate::shared::training_run::TrainingRun;
use crate::shared::triples::largest_squared_norm;
use crate::shared::window::{Window, badly_posed, corner, windows};

/// The exponent of 1/ε in poly(n, L)/(δ²ε²).
const PRINTED: f64 = 2.0;

const SEPARATED: &str = "Assumption 1 (M): ‖x‖ = 1 and no input twice, by construction of the data";

/// The data on which descent stands still.
const TWINS: Hypothesis<SharedData> =
    Hypothesis::new("x_i⁺ = x_i⁻ for all i", SharedData::names_one_sample_for_both_everywhere);

/// Where a check says nothing.
const SHORT: &str = "‖∇L̂_un‖ is above ε at all steps, and the gradient in the matrices at the last is not 0 (under \
                     Assumption 1 (S): above 10^{−9} of the first)";
const LARGE: &str = "‖∇L̂_un‖ is η/2 or more at all these steps";

/// Whether a gradient gets below ε; says nothing of a run that is neither there nor at rest.
fn reaches(least: Enclosure, accuracy: f64, at_rest: bool) -> Evaluation {
    if at_rest || least.hi() <= accuracy { at_most(least, exact(accuracy)) } else { vacuous(SHORT) }
}

pub fn claim() -> Claim {
    Claim::new("merad2020.lemma-6", "gradient descent reaches a small output gradient", Kind::Convergence)
        .statement(
            "let Assumption 1 hold and ε > 0; if m ≥ Ω(poly(n, L, 1/δ)·d/ε), gradient descent with ν = Θ(dδ/(poly(n, \
             L)·m)) finds parameters with ‖∇L̂_un(f)‖ ≤ ε after T = O(poly(n, L)/(δ²ε²)) steps",
        )
        .symbols([
            NETWORK, WIDTH, STEP_SIZE, SEPARATION, STEPS, EMPIRICAL_LOSS, OUTPUT_GRADIENT, OUTPUT_TRIPLE, TRIPLET_LOSS,
            TRIPLET_GRADIENT, HESSIAN, SOFTPLUS, SIGMOID, NORM, LOGARITHM, GROWTH, NORMAL_LAW,
        ])
        .symbol(
            "η",
            "the smallest norm of an output: of all outputs so far in s5, a bound of them in s5-every; C is the \
             largest, or its bound",
        )
        .symbol("∂L̂_un/∂θ", "the gradient of L̂_un in all entries θ of A, W_1, …, W_L, B")
        .source("Lemma 6", &["section 8", "Lemma B.1 of the earlier version"])
        .sense(
            "M",
            "no input stands twice, as the end of section 4 says; from a random start with high probability, as in the \
             cited theorem",
        )
        .sense(
            "S",
            "an input may stand in several places; the gradient is taken in the 3n outputs, place by place; from a \
             random start",
        )
        .sense(
            "S-distinct",
            "an input may stand in several places; the gradient is taken in the outputs of the distinct samples; from \
             a random start",
        )
        .sense("any start", "no input stands twice; the statement names no start, so that every start counts")
        .remark(
            "The proof uses Assumption 2 for smoothness and boundedness; the statement does not grant it, and the runs \
             do not need it. Runs, sweeps and the limit m → ∞ are those of theorem-1.",
        )
        .remark(
            "The sharpening three-halves is for d ≥ 2: on a line an output that changes its sign passes the saddle at \
             0, which delays a run by as much as it comes near.",
        )
        .remark(
            "What refutes S is exact. With x⁺ = x⁻ in every triplet the blocks −½z_1 and ½z_1 that go back through one \
             input cancel and the block of the anchor is 0, so that descent stays at its start, whatever the start, \
             the width and the step; ‖∇L̂_un‖ = √(½ Σ ‖f(x_i)‖²) there, and every ε below that is missed for ever.",
        )
        .remark(
            "Step s3 is the claim lemma-3 on the ball of the run; here it is tried at the outputs of trained networks \
             only.",
        )
        .setting(three_halves())
        .setting(separation_and_width(Goal::Gradient, ["M-separation", "M-width"]))
        .setting(s_others())
        .setting(any_start())
        .setting(steps_of_training())
        .setting(proxy())
        .setting(small_outputs())
        .setting(short_steps())
}

fn three_halves() -> Setting<TrainingRun, TrainingRecord> {
    Setting::measuring(|run: &TrainingRun, trial| record(run, Goal::Gradient, &halvings(trial.samples(9).clamp(9, 14))))
        .given(SEPARATED)
        .given(START)
        .family(trainings())
        .without_search()
        .part(
            "M",
            "every ε = 1, 1/2, …, 1/256 is reached within 100 000 updates, and over the last seven of these ε T(ε) \
             grows at most like ε^{−2}, those left out that are more than half of ‖∇L̂_un‖ at the start",
            consistent(),
            |_, r| r.growth(PRINTED),
        )
        .in_sense("M")
        .step(
            "s5",
            "at the first steps with ‖∇L̂_un‖ ≤ ε, ε = 1, 1/2, …, 1/256: where it is below η/2 it is at least √(6n) C \
             σ(−2C²), η and C the extreme norms of outputs so far",
            holds(),
            |run, r| {
                let each = r.passages.iter().filter_map(|p| {
                    let least = Enclosure::from(p.norms.smallest()?);
                    let most = Enclosure::from(p.norms.largest()?).as_measured();
                    let small = p.gradient.hi() < 0.5 * least.lo();
                    let compared = at_least(p.gradient, corner(run.triplets, most));
                    small.then(|| (format!("ε = {}", p.accuracy), compared))
                });
                let each: Vec<_> = each.collect();
                if each.is_empty() { vacuous(LARGE) } else { all_of(each) }
            },
        )
        .except(LARGE)
        .sharpening(
            "three-halves",
            "ε = 1/4, 1/8, …, 1/256 are all reached within 100 000 updates, and from the first of them that is at most \
             half of ‖∇L̂_un‖ at the start to the last T(ε) + 1 grows at most by the factor by which ε^{−3/2} does",
            holds(),
            |_, r| r.overall_growth(1.5),
        )
        .assume(Hypothesis::new("d ≥ 2", |run| run.output >= 2))
}

fn s_others() -> Setting<SharedData, SharedRecord> {
    trained_on_shared_data()
        .family(shared_data())
        .without_search()
        .part(
            "S",
            "‖∇L̂_un‖ ≤ ε at some step, the gradient taken in the 3n outputs",
            fails("with x⁺ = x⁻ the network never moves, and the gradient stays at √(½ Σ ‖z_{i,1}‖²)"),
            |i, r: &SharedRecord| reaches(r.by_slot, i.accuracy, r.at_rest),
        )
        .sides("least ‖∇L̂_un‖ of all steps", "ε")
        .except(SHORT)
        .assume(TWINS)
        .in_sense("S")
        .part(
            "S-others",
            "‖∇L̂_un‖ ≤ ε at some step, the gradient taken in the 3n outputs",
            consistent(),
            |i, r| reaches(r.by_slot, i.accuracy, r.at_rest),
        )
        .except(SHORT)
        .assume(Hypothesis::new(
            "no non-empty set of triplets has a form Σ f(x_i)·(f(x_i⁻) − f(x_i⁺)), summed over the set, in the outputs \
             of the samples with a symmetric matrix each of whose diagonal entries is at least the sum of the sizes of \
             the others in its row",
            SharedData::has_no_conflict,
        ))
        .in_sense("S")
        .our_constant("the 400 updates, ν and m")
        .part(
            "S-distinct",
            "at some step ‖∇L̂_un‖ ≤ ε, the gradient taken in the outputs of the distinct samples (the blocks of one \
             sample added up)",
            consistent(),
            |i, r| reaches(r.by_sample, i.accuracy, r.at_rest),
        )
        .except(SHORT)
        .in_sense("S-distinct")
        .our_constant("the 400 updates, ν and m")
        .amendment(
            "no-repeat",
            "‖∇L̂_un‖ ≤ ε at some step, the gradient taken in the 3n outputs",
            holds(),
            |i, r| reaches(r.by_slot, i.accuracy, r.at_rest),
        )
        .except(SHORT)
        .assume(Hypothesis::new("no sample stands in two places", SharedData::names_no_sample_twice))
        .step(
            "a-rest",
            "every entry of ∂L̂_un/∂θ vanishes at the start, so that the matrices stay there",
            holds(),
            |_, r| at_most(usize::from(!r.at_rest), 0),
        )
        .assume(TWINS)
        .tested_by("a")
        .control(
            "a",
            "at some step ‖∇L̂_un‖, the gradient taken in the 3n outputs, is at most half of what it is at the start",
            |_, r| at_most(r.by_slot, r.by_slot_at_the_start / 2.0),
        )
        .assume(TWINS)
}

fn any_start() -> Setting<TrainingRun, TrainingRecord> {
    Setting::measuring(|run: &TrainingRun, _| record(run, Goal::Gradient, &[0.25]))
        .given(SEPARATED)
        .given(ANY_START)
        .family(critical_starts())
        .without_search()
        .part(
            "any-start",
            "‖∇L̂_un‖ gets to ε = ¼ or less",
            fails("a critical point of all matrices where z_2 = z_3 and z_1 ≠ 0"),
            |_, r| reaches(r.last_gradient, 0.25, r.at_rest),
        )
        .sides("‖∇L̂_un‖ at the last step", "¼")
        .except(SHORT)
        .in_sense("any start")
        .control("start", "no training is needed: ‖∇L̂_un‖ ≤ ¼ at the start", |_, r| {
            at_most(r.first_gradient, exact(0.25))
        })
}

fn steps_of_training() -> Setting<TrainingRun, Backward> {
    Setting::measuring(|run: &TrainingRun, _| trained_blocks(run))
        .given(SEPARATED)
        .given(
            "the network after three updates with ν = dδ/(n(L+1)m) of all matrices, from a random start, inputs \
             orthonormal but for x⁻ at a distance from x⁺, entries of A and W_l from N(0, 2/m), of B from N(0, 1/d), \
             or from the critical start: A with the rows −e_1 and e_1, every W_l with the block (1, −1; −1, 1), B with \
             the block (1, 0; 0, 1), all else 0",
        )
        .family(any_starts())
        .without_search()
        .step(
            "s1",
            "∂L̂_un/∂θ is the sum over the roles anchor, positive, negative of what backpropagation gives if ∇L̂_un is \
             set to 0 at the outputs of the two other roles (chain-rule)",
            holds(),
            |_, b| {
                all_of(b.whole.iter().zip(&b.parts).map(|(w, p)| {
                    ("an entry", equal(*w, *p).on_scale_of("the largest entry of the three parts", b.size))
                }))
            },
        )
        .step(
            "s2",
            "ζ(−2C²) ≤ ℓ(z_i) ≤ ζ(2C²) for every i, C the largest norm of an output",
            holds(),
            |_, b| {
                let each = b.outputs.iter().flat_map(|z| {
                    let square = 2.0 * b.square;
                    [
                        ("above", at_most(z.loss(), square.softplus())),
                        ("below", at_least(z.loss(), (-square).softplus())),
                    ]
                });
                all_of(each)
            },
        )
        .step("s3", "‖∇²ℓ(z_i)‖ ≤ 2 + 8C² for every i, C the largest norm of an output", holds(), |_, b| {
            all_of(b.outputs.iter().map(|z| ("a triplet", at_most(z.hessian_spectral_norm(), 2.0 + 8.0 * b.square))))
        })
        .control("s1-without", "∂L̂_un/∂θ is the sum over the roles positive and negative of the same", |_, b| {
            all_of(
                b.whole.iter().zip(&b.without).map(|(w, p)| {
                    ("an entry", equal(*w, *p).on_scale_of("the largest entry of the three parts", b.size))
                }),
            )
        })
}

fn small_outputs() -> Setting<Window, ()> {
    Setting::of()
        .given("n ≥ 1, ε, η, C > 0")
        .assume(Hypothesis::new("ε < η/2 and η < C", Window::is_posed))
        .family(windows())
        .family(outside("ε too large, or C too small", badly_posed))
        .without_search()
        .step(
            "s5-every",
            "η, C fixed before ε: some outputs with η < ‖z_{i,j}‖ < C have ‖∇L̂_un‖ ≤ ε; equivalently √(6n) C σ(−2C²) < \
             ε",
            fails("outputs in a ball of radius C have ‖∇L̂_un‖ ≥ √(6n) C σ(−2C²) where it is below η/2"),
            |w: &Window, ()| less_than(corner(w.triplets as usize, exact(w.cap)), exact(w.accuracy)),
        )
        .sides("√(6n) C σ(−2C²)", "ε")
}

/// A network's outputs, and its parameter gradient as one and by roles.
struct Backward {
    outputs: Vec<Triplet>,
    /// C².
    square: Enclosure,
    whole: Vec<Enclosure>,
    /// The sum of what anchors, positives and negatives send back, and the same without the anchors.
    parts: Vec<Enclosure>,
    without: Vec<Enclosure>,
    size: f64,
}

fn trained_blocks(run: &TrainingRun) -> Result<Backward, MeasureError> {
    let mut descent = run.begin()?;
    for _ in 0..3 {
        let (_, slope) = slopes(&descent)?;
        descent.step(&slope)?;
    }
    let (_, slope) = slopes(&descent)?;
    let flat = |slope: &[f64]| -> Result<Vec<Enclosure>, MeasureError> {
        let weights = descent.gradient(slope)?;
        Ok(weights.matrices().flatten().map(|&g| Enclosure::measured(g)).collect())
    };
    let role = |kept: usize| -> Vec<f64> {
        let d = run.output;
        slope.iter().enumerate().map(|(i, &g)| if i / d % 3 == kept { g } else { 0.0 }).collect()
    };
    let whole = flat(&slope)?;
    let each = [flat(&role(0))?, flat(&role(1))?, flat(&role(2))?];
    let without = plus(&each[1], &each[2]);
    let outputs = triplets(descent.outputs(), run.output)?;
    Ok(Backward {
        square: outputs.iter().map(largest_squared_norm).fold(Enclosure::ZERO, Enclosure::max).as_measured(),
        parts: plus(&each[0], &without),
        size: each.concat().iter().fold(0.0, |m: f64, g| m.max(g.magnitude())),
        outputs,
        whole,
        without,
    })
}
