//! Example 1: half moons with and without the constraint.
//!
//! *(a) holds*: given the points, E C = −n Cov(x), so C is negative definite for all but tiny samples. One layer diverges from almost
//! every start as soon as λ₁ < 0. For two layers there is a sharp criterion: with N = ‖W₁‖² + ‖W₂‖², N′ = −8L and, by Euler's relation and Cauchy's
//! inequality, |L|/N² does not decrease once L < 0; so L(W₀) < 0 forces N → ∞ before the time N₀/(8|L₀|). If C ≥ 0, N never grows.
//!
//! *(b) is consistent* from generic starts: the scaled loss settles at its minimum λ₁ + … (min(z, 2) terms). "Whatever the initialisation" can only mean
//! that some fixed point is reached: a start along the second eigenvector is one. Nor do the weights become orthonormal: for z = 1 only the leading
//! singular direction of W₁ is determined. For z = 2 = d and C < 0 they do, up to a factor: at the minimum MMᵀ = I and ‖W_i‖₂ = 1, and
//! 1 = σ₂(M) ≤ σ₂(W₁)‖W₂‖₂ leaves no smaller singular value.

use contrapositive::claim::{
    Claim, Evaluation, Kind, MeasureError, Series, Setting, Trial, all_of, at_least, at_most, consistent, edge, fails,
    holds, vacuous,
};
use contrapositive::enclosure::Enclosure;
use contrapositive::instance::Instance;
use contrapositive::probability::clopper_pearson;

use super::moons_data::{Moons, eigenvalues};
use super::moons_starts::Along;
use super::settling_runs::{DEVIATIONS, NOISES, Run, STARTS, STEP, STEPS, Sample, train, training, trainings};

fn as_printed(s: &Sample) -> bool {
    DEVIATIONS.contains(&s.deviation) && NOISES.contains(&s.noise)
}

fn samples() -> Vec<(String, Sample)> {
    let mut all = Vec::new();
    for count in [2, 5, 10, 20, 50, 200] {
        for noise in NOISES {
            for deviation in DEVIATIONS {
                let s = Sample {
                    count,
                    noise,
                    deviation,
                };
                all.push((s.describe(), s));
            }
        }
    }
    all
}

/// Frequencies of signs of the eigenvalues of C.
struct Signs {
    lowest_negative: Enclosure,
    highest_positive: Enclosure,
}

fn signs(s: &Sample, trial: &mut Trial) -> Result<Signs, MeasureError> {
    // Never fewer, whatever the budget: a frequency of one still has to exclude 0.85.
    let standard = if s.count > 50 { 300 } else { 600 };
    let draws = trial.samples_at_least(standard);
    let (mut lowest, mut highest) = (0, 0);
    for _ in 0..draws {
        let [low, high] = eigenvalues(Moons::draw(s.count, s.noise, s.deviation, trial.rng())?.matrix());
        lowest += u64::from(low < 0.0);
        highest += u64::from(high > 0.0);
    }
    let chance = |count| clopper_pearson(count, draws as u64, trial.alpha(2));
    Ok(Signs {
        lowest_negative: chance(lowest)?,
        highest_positive: chance(highest)?,
    })
}

fn last(values: &[f64]) -> f64 {
    values.last().copied().unwrap_or(f64::NAN)
}

/// The curves of Figure 1: n = 200, h = 10, ten starts on ten data sets for each z.
fn figure_1(trial: &mut Trial) -> Result<Series, MeasureError> {
    let (one, two) = (
        train(&training(200, 1, 10), trial)?,
        train(&training(200, 2, 10), trial)?,
    );
    let sorted = |runs: &[Run], of: &dyn Fn(&Run) -> f64| {
        let mut values: Vec<f64> = runs.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        values
    };
    let mut table = Series::of([
        ("steps", ""),
        ("time", "1/max |λ|"),
        ("free: starts that have left", ""),
        ("scaled, z = 1: least", "minimum"),
        ("median", "minimum"),
        ("largest", "minimum"),
        ("scaled, z = 2: least", "minimum"),
        ("median", "minimum"),
        ("σ₂/σ₁ of W₁, z = 1: median", ""),
        ("z = 2: median", ""),
    ])
    .noting(format!(
        "{STARTS} starts; scaled losses over their minimum; free: two-layer gradient flow of L, z = 1, gone when \
         ‖W₁‖² + ‖W₂‖² has grown a millionfold"
    ));
    for k in [0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, STEPS] {
        let time = STEP * k as f64;
        let gone = one
            .iter()
            .filter(|r| r.escape.is_some_and(|t| t * r.rate <= time))
            .count();
        let (single, double) = (sorted(&one, &|r| r.curve[k]), sorted(&two, &|r| r.curve[k]));
        let round = |runs: &[Run]| sorted(runs, &|r| r.roundness[k])[STARTS / 2];
        table.push([
            k.into(),
            time.into(),
            gone.into(),
            single[0].into(),
            single[STARTS / 2].into(),
            single[STARTS - 1].into(),
            double[0].into(),
            double[STARTS / 2].into(),
            round(&one).into(),
            round(&two).into(),
        ]);
    }
    Ok(table)
}

fn each(all: &[Run], judged: impl Fn(&Run) -> Evaluation) -> Evaluation {
    all_of(
        all.iter()
            .enumerate()
            .map(|(i, run)| (format!("start {i}"), judged(run))),
    )
}

/// Four starts in five end within 4 % of the minimum, and stay there over the last fifth of the descent; the minimum is a
/// bound, and no run may undercut it.
fn mostly_settle(all: &[Run]) -> Evaluation {
    let highest = |run: &Run| run.curve.iter().fold(f64::MIN, |m, x| m.max(*x));
    let settled = |run: &&Run| last(&run.curve) >= 0.96 && run.spread <= 0.04;
    let bound = each(all, |run| at_most(highest(run), 1.0 + 1e-9));
    let share = at_least(5 * all.iter().filter(settled).count(), 4 * all.len());
    all_of([("settled", share), ("bound", bound)]).as_trend()
}

pub fn claim() -> Claim {
    Claim::new("esser2024.example-1", "half moons", Kind::Observation)
        .statement(
            "half moons, x⁻ a draw from the data set, x⁺ = x + ε, ε ~ N(0, 0.1 I): (a) the unconstrained dynamics of \
             L_c diverge; (b) under L/(‖W₂‖₂²‖W₁‖₂²) the function converges to fixed points whatever the \
             initialisation",
        )
        .source("Example 1", &["Figure 1"])
        .remark(
            "Sizes are not printed: n from 2 to 200, noise 0 and 0.1, z = 1 and 2, h = 2 and 10; 0.1 is read as a \
             variance and as a standard deviation. C is drawn anew 300 to 600 times for (a), for (b) there are ten \
             data sets and starts each.",
        )
        .remark(
            "(b) is judged for z = 1 and z = 2. For z = 2 the quotient is not differentiable at its minimum, where \
             both singular values of each factor are equal; descent by a fixed step then hovers about it by one or \
             two per cent. And L is quartic in the second singular values s of the factors near rank one, where they \
             grow like s³ only: with h = 2, where small s are common, some starts are still there after 10000 steps: \
             (b) is judged at h = 10 then.",
        )
        .remark(
            "Descent on the scaled loss uses a step of 0.005 of the inverse of the largest |λ|, 2000 steps for z = 1 \
             and 10000 for z = 2; weights are kept at operator norm one, which the quotient does not see.",
        )
        .sense(
            "random starts",
            "\"whatever the initialisation\": from random weights, as in the figure",
        )
        .sense(
            "every start",
            "\"whatever the initialisation\": from every start, to some fixed point",
        )
        .sense(
            "every start, one end",
            "\"whatever the initialisation\": from every start, to the same fixed points",
        )
        .setting(
            Setting::measuring(signs)
                .assume("half moons, noise 0 or 0.1, ε of variance or deviation 0.1", as_printed)
                .family(edge("samples", samples))
                .without_search()
                .part(
                    "printed",
                    "(a), one layer: C has a negative eigenvalue, so that almost every start diverges, with \
                     probability at least 0.85 (n ≥ 10)",
                    holds(),
                    |_, s| at_least(s.lowest_negative, 0.85),
                )
                .because("the number 0.85 and the sizes are ours")
                .when("n ≥ 10", |s| s.count >= 10)
                .sharpening(
                    "definite",
                    "n = 200: C is negative definite with probability at least 0.85, so that every start but zero \
                     diverges",
                    holds(),
                    |_, s| at_most(s.highest_positive, 0.15),
                )
                .when("n = 200", |s| s.count == 200)
                .control(
                    "a",
                    "n = 200: the largest eigenvalue of C is positive with probability at least 1/2",
                    |_, s| at_least(s.highest_positive, 0.5),
                )
                .when("n = 200", |s| s.count == 200),
        )
        .setting(
            Setting::measuring(train)
                .assume(
                    "half moons, noise 0 or 0.1, ε of variance or deviation 0.1, Gaussian weights",
                    |t| as_printed(&t.sample),
                )
                .family(edge("trainings", trainings))
                .without_search()
                .part(
                    "two-layer",
                    "(a), two layers, n ≥ 50: every start diverges",
                    consistent(),
                    |_, runs| at_least(runs.iter().filter(|r| r.escape.is_some()).count(), STARTS).as_trend(),
                )
                .because("the sizes are ours")
                .when("n ≥ 50", |t| t.sample.count >= 50)
                .part(
                    "fixed-points",
                    "(b): from at least four in five generic starts the scaled loss settles, within 4 % of its \
                     minimum",
                    consistent(),
                    |_, runs| mostly_settle(runs),
                )
                .in_sense("random starts")
                .because("four in five and four per cent are ours")
                .when("n ≥ 50, and h = 10 if z = 2", |t| {
                    t.sample.count >= 50 && (t.z == 1 || t.h == 10)
                })
                .ours(
                    "orthogonal",
                    "the scaled loss corresponds to orthogonality constraints: in the end W₁ has equal singular \
                     values (z = 1)",
                    fails("only the leading singular direction of W₁ is determined"),
                    |_, runs| each(runs, |r| at_least(last(&r.roundness), 0.95).as_trend()),
                )
                .when("z = 1, h = 10", |t| t.z == 1 && t.h == 10)
                .sharpening(
                    "orthogonal-two",
                    "z = 2: in the end W₁ has equal singular values, within 5 %",
                    consistent(),
                    |_, runs| each(runs, |r| at_least(last(&r.roundness), 0.95).as_trend()),
                )
                .when("n ≥ 50, z = 2, h = 10", |t| {
                    t.sample.count >= 50 && t.z == 2 && t.h == 10
                })
                .sharpening(
                    "deadline",
                    "L(W₀) < 0: the free flow leaves every ball before the time N₀/(8|L₀|)",
                    consistent(),
                    |_, runs| {
                        each(runs, |r| {
                            if r.initial >= 0.0 {
                                return vacuous("L(W₀) ≥ 0");
                            }
                            at_most(r.escape.unwrap_or(f64::MAX), r.deadline).as_trend()
                        })
                    },
                )
                .control(
                    "b",
                    "z = 1: the descent on the scaled loss ends above λ₁/2",
                    |_, runs| each(runs, |r| at_most(last(&r.curve), 0.5)),
                )
                .when("z = 1", |t| t.z == 1)
                .control(
                    "tenth-deadline",
                    "the free flow leaves every ball before a tenth of that time",
                    |_, runs| {
                        each(runs, |r| {
                            if r.initial >= 0.0 {
                                return vacuous("L(W₀) ≥ 0");
                            }
                            at_most(r.escape.unwrap_or(f64::MAX), 0.1 * r.deadline)
                        })
                    },
                ),
        )
        .setting(
            Setting::of()
                .assume("C = diag(−2, −1), z = 1", |_: &Along| true)
                .family(edge("starts", || {
                    let of = |first, second, apart| Along { first, second, apart };
                    [
                        ("first", of(1.0, 0.0, false)),
                        ("second", of(0.0, 1.0, false)),
                        ("between", of(1.0, 2.0, false)),
                        ("M = 0", of(1.0, 2.0, true)),
                    ]
                    .to_vec()
                }))
                .without_search()
                .part(
                    "every-start",
                    "(b): the descent reaches the minimum of the scaled loss from every start",
                    fails("a start along the second eigenvector is a fixed point of higher loss"),
                    |s, ()| at_most(s.descent(STEPS)[STEPS], -1.9).as_trend(),
                )
                .in_sense("every start, one end")
                .part(
                    "some-fixed-point",
                    "(b): from every start, stationary ones included, the descent settles somewhere: its last fifth \
                     spans at most 1e-9",
                    consistent(),
                    |s, ()| {
                        let losses = s.descent(STEPS);
                        let late = &losses[4 * STEPS / 5..];
                        let (low, high) = late
                            .iter()
                            .fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(*x), b.max(*x)));
                        at_most(high - low, 1e-9).as_trend()
                    },
                )
                .in_sense("every start"),
        )
        .series(
            "figure-1",
            "unconstrained and scaled loss during training, n = 200, noise 0.1, h = 10, variance 0.1",
            figure_1,
        )
}
