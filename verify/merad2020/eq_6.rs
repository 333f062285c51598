//! Equation (6): the unsupervised loss as an expected log-sum-exp, and as an expected softplus for one negative.
//!
//! True: −log(e^a/(e^a + Σ e^{b_i})) = log(1 + Σ e^{b_i − a}). The anchor of a positive pair has the law of a negative,
//! because x and x⁺ are drawn independently from one class.
//!
//! The left side is the literal expression (6), outcome by outcome, where the outcomes are few and the exponentials are
//! doubles; for any N it is the quadrature of log((A + B)/A) with all positives pooled. The right side is taken over
//! the differences f(x)·(f(x⁻) − f(x⁺)), formed before the inner product: outcome by outcome, and for any N by a
//! quadrature of log(1 + B) for each positive alone.

use contrastive::{
    LatentClassModel, WeightedAtom, WeightedLogit, by_enumeration, by_quadrature, enumeration_terms, expected_log_ratio,
};
use enclosures::interval;
use enclosures::probability::clopper_pearson;
use evidence::budget::TRIAL_ALPHA;
use evidence::prelude::*;

use crate::shared::digits;
use crate::shared::families::models;
use crate::shared::hypotheses::{MODEL, OTHER_LAWS};
use crate::shared::interval_coverage::{CoverageStudy, Misses};
use crate::shared::negatives::Negatives;
use crate::shared::notation::{EMBEDDING, LOG_SUM_EXP, LOGARITHM, ONE_NEGATIVE, RHO, SOFTPLUS, UNSUPERVISED_LOSS};

/// No more than this many outcomes are listed.
const LISTED: f64 = 3000.0;
/// Up to so many draws the multinomial weights of counting stay within the double range.
const COUNTED: u64 = 500;
/// Up to this size of the logits the literal softmax stays far from the ends of the double range.
const LITERAL: f64 = 300.0;

struct LossForms {
    /// Equation (6) by quadrature, positives pooled.
    pooled: Enclosure,
    /// E LSE(0, f(x)·(f(x_i⁻) − f(x⁺))) by quadrature for every pair.
    pairwise: Enclosure,
    /// The same by counting how often each atom occurs, where that is cheap.
    counted: Option<Enclosure>,
    /// Equation (6) literally, and variants of it, where the outcomes are few.
    literal: Option<Literal>,
}

/// Expectations over all outcomes (anchor, positive, negatives).
struct Literal {
    printed: Enclosure,
    log_sum_exp: Enclosure,
    /// The mean of the negatives in the denominator.
    mean: Enclosure,
    /// The positive left out of the denominator.
    without_positive: Enclosure,
}

/// f(x)·(f(y) − f(p)), the difference taken first.
fn difference(x: &[f64], y: &[f64], p: &[f64]) -> Interval {
    let terms = x.iter().zip(y).zip(p).map(|((&x, &y), &p)| (Interval::point(y) - p) * x);
    interval::sum(&terms.collect::<Vec<_>>())
}

/// The positives of an anchor.
fn positives<'a>(
    atoms: &'a [WeightedAtom<'a>],
    anchor: &WeightedAtom<'_>,
) -> impl Iterator<Item = &'a WeightedAtom<'a>> {
    let class = anchor.class;
    atoms.iter().filter(move |p| p.class == class)
}

fn pairwise(atoms: &[WeightedAtom<'_>], negatives: u64) -> Result<Enclosure, MeasureError> {
    let certain = WeightedLogit { probability: Interval::ONE, logit: Interval::ZERO };
    let mut total = Enclosure::ZERO;
    for x in atoms {
        for p in positives(atoms, x) {
            let law =
                |y: &WeightedAtom<'_>| WeightedLogit { probability: y.overall, logit: difference(x.at, y.at, p.at) };
            let laws: Vec<WeightedLogit> = atoms.iter().map(law).collect();
            let loss = expected_log_ratio(&[certain], &laws, &[negatives])?;
            total += Enclosure::from(x.overall * p.within * loss[0]);
        }
    }
    Ok(total)
}

fn literal(atoms: &[WeightedAtom<'_>], negatives: u64) -> Option<Literal> {
    let (kinds, draws) = (atoms.len(), u32::try_from(negatives).ok()?);
    let pairs: usize = atoms.iter().map(|x| positives(atoms, x).count()).sum();
    let outcomes = kinds.checked_pow(draws).filter(|&tuples| (tuples * pairs) as f64 <= LISTED)?;
    let large = |x: &WeightedAtom<'_>| atoms.iter().any(|y| interval::dot(x.at, y.at).magnitude() > LITERAL);
    if atoms.iter().any(large) {
        return None;
    }
    let mut sums = [Enclosure::ZERO; 4];
    for x in atoms {
        for p in positives(atoms, x) {
            let own = Enclosure::from(interval::dot(x.at, p.at)).exp();
            for outcome in 0..outcomes {
                let drawn: Vec<&WeightedAtom<'_>> =
                    (0..draws).map(|i| &atoms[outcome / kinds.pow(i) % kinds]).collect();
                let chance: Interval = drawn.iter().map(|y| y.overall).product::<Interval>() * x.overall * p.within;
                let others: Enclosure = drawn.iter().map(|y| Enclosure::from(interval::dot(x.at, y.at)).exp()).sum();
                let mut terms = vec![Enclosure::ZERO];
                terms.extend(drawn.iter().map(|y| Enclosure::from(difference(x.at, y.at, p.at))));
                let values = [
                    -(own / (own + others)).ln(),
                    log_sum_exp(&terms),
                    -(own / (own + others / f64::from(draws))).ln(),
                    -(own / others).ln(),
                ];
                for (sum, value) in sums.iter_mut().zip(values) {
                    *sum += value * Enclosure::from(chance);
                }
            }
        }
    }
    let [printed, log_sum_exp, mean, without_positive] = sums;
    Some(Literal { printed, log_sum_exp, mean, without_positive })
}

fn losses(i: &Negatives) -> Result<LossForms, MeasureError> {
    let (model, n) = (&i.model, i.negatives);
    let atoms = model.weighted_atoms();
    let pooled = by_quadrature(model, &[n])?;
    Ok(LossForms {
        pooled: pooled.into_iter().next().ok_or("no loss")?.into(),
        pairwise: pairwise(&atoms, n)?,
        counted: (n <= COUNTED && enumeration_terms(model, n) <= LISTED)
            .then(|| by_enumeration(model, n))
            .transpose()?
            .map(Enclosure::from),
        literal: literal(&atoms, n),
    })
}

/// Why a statement of listed outcomes says nothing.
const TOO_MANY: &str = "more than 3000 outcomes, or logits above 300: they are not listed";

/// A part of a statement that needs the listed outcomes.
fn listed(l: &LossForms, test: impl Fn(&Literal) -> Evaluation) -> Evaluation {
    l.literal.as_ref().map_or_else(|| vacuous(TOO_MANY), test)
}

/// E ζ(f(x)·(f(x⁻) − f(x⁺))) as a plain sum, with the positive drawn from the anchor's class or, wrongly, from all.
fn softplus_sum(model: &LatentClassModel, from_class: bool) -> Enclosure {
    let atoms = model.weighted_atoms();
    let mut terms = Vec::new();
    for x in &atoms {
        for p in atoms.iter().filter(|p| !from_class || p.class == x.class) {
            let chance = x.overall * if from_class { p.within } else { p.overall };
            let loss = |y: &WeightedAtom<'_>| difference(x.at, y.at, p.at).softplus() * y.overall;
            terms.push(interval::sum(&atoms.iter().map(loss).collect::<Vec<_>>()) * chance);
        }
    }
    interval::sum(&terms).into()
}

/// The marginal law of the anchor, summed over the classes and the positives, against the law of a negative.
fn marginal(model: &LatentClassModel) -> Evaluation {
    let atoms = model.weighted_atoms();
    let of = |at: &WeightedAtom<'_>| {
        let joint = |p: &WeightedAtom<'_>| Enclosure::from(model.rho(at.class) * at.within * p.within);
        equal(positives(&atoms, at).map(joint).sum::<Enclosure>(), at.overall)
    };
    all_of(atoms.iter().map(|at| ("an atom", of(at))))
}

fn sizes(model: LatentClassModel) -> Vec<Negatives> {
    [1u64, 2, 3, 8, 64, 1024, 65536].map(|negatives| Negatives { negatives, model: model.clone() }).to_vec()
}

pub fn claim() -> Claim {
    Claim::new("merad2020.eq-6", "the unsupervised loss as softplus and as log-sum-exp", Kind::Identity)
        .statement(
            "L_un^N(f) = E LSE(0, f(x)·(f(x_1⁻) − f(x⁺)), …, f(x)·(f(x_N⁻) − f(x⁺))) for all ρ, all class laws, f and \
             N ≥ 1; in particular L_un(f) = E ζ(f(x)·(f(x⁻) − f(x⁺)))",
        )
        .speaks_also_of(OTHER_LAWS)
        .symbols([RHO, EMBEDDING, UNSUPERVISED_LOSS, ONE_NEGATIVE, SOFTPLUS, LOG_SUM_EXP, LOGARITHM])
        .source(
            "equation (6)",
            &["section 7, first displays of the proofs of Lemma 1 and Lemma 2", "section A of the earlier version"],
        )
        .setting(printed())
        .setting(coverage())
}

fn printed() -> Setting<Negatives, LossForms> {
    Setting::measuring(|i: &Negatives, _| losses(i))
        .given(MODEL)
        .given("N ≥ 1")
        .family(models(6, sizes).into_iter().map(|f| f.taking(0.4)))
        .family(digits::family(|model| vec![(", N = 15".into(), Negatives { negatives: 15, model })]))
        .without_search()
        .part(
            "printed",
            "L_un^N = E LSE(0, f(x)·(f(x_1⁻) − f(x⁺)), …, f(x)·(f(x_N⁻) − f(x⁺))), x, x⁺ and x_i⁻ drawn as for L_un^N",
            holds(),
            |_, l| {
                let literal = l
                    .literal
                    .as_ref()
                    .map(|s| ("outcome by outcome", equal(s.printed, s.log_sum_exp).on_scale_of("1", 1.0)));
                let sides =
                    l.literal.as_ref().map(|s| ("outcomes against quadrature", equal(s.log_sum_exp, l.pairwise)));
                let counted = l.counted.map(|counted| ("atoms counted", equal(counted, l.pairwise)));
                let pooled = [("positives pooled or one by one", equal(l.pooled, l.pairwise))];
                all_of(literal.into_iter().chain(sides).chain(counted).chain(pooled))
            },
        )
        .checked("merad2020.Lemma2.eq_6_printed")
        .part(
            "one",
            "L_un^N = E ζ(f(x)·(f(x_1⁻) − f(x⁺))), x, x⁺ and x_1⁻ drawn as for L_un^N",
            holds(),
            |i, l| {
                let sum = softplus_sum(&i.model, true);
                all_of([("pooled", equal(l.pooled, sum)), ("one by one", equal(l.pairwise, sum))])
            },
        )
        .checked("merad2020.Lemma2.eq_6_one")
        .assume(Hypothesis::new("N = 1", |i| i.negatives == 1))
        .ours("marginal", "f(x) has the law of every f(x_i⁻), x and x_i⁻ drawn as for L_un^N", holds(), |i, _| {
            marginal(&i.model)
        })
        .checked("merad2020.Lemma2.eq_6_marginal")
        .because("the paper uses it without saying it: (1) and (2) have one marginal law")
        .control(
            "a",
            "E −log(e^{f(x)·f(x⁺)}/(e^{f(x)·f(x⁺)} + (1/N) Σ_i e^{f(x)·f(x_i⁻)})) = E LSE(0, …): the mean of the \
             negatives in the denominator",
            |_, l| listed(l, |s| equal(s.mean, s.log_sum_exp).on_scale_of("1/1000", 1e-3)),
        )
        .except(TOO_MANY)
        .control(
            "b",
            "E −log(e^{f(x)·f(x⁺)}/Σ_i e^{f(x)·f(x_i⁻)}) = E LSE(0, …): the positive is left out of the denominator",
            |_, l| listed(l, |s| equal(s.without_positive, s.log_sum_exp).on_scale_of("1/1000", 1e-3)),
        )
        .except(TOO_MANY)
        .control("c", "L_un = E ζ(f(x)·(f(x_1⁻) − f(x⁺))) with x⁺ drawn from all classes", |i, l| {
            equal(l.pooled, softplus_sum(&i.model, false))
        })
        .assume(Hypothesis::new("N = 1", |i| i.negatives == 1))
}

fn coverage() -> Setting<CoverageStudy, Vec<Misses>> {
    let at_most_as_stated = |study: &CoverageStudy, counted: &[Misses], missed: fn(&Misses) -> u64| {
        all_of(counted.iter().map(|of| {
            let rate = clopper_pearson(missed(of), of.intervals, TRIAL_ALPHA / counted.len() as f64);
            (of.estimator, Evaluation::from(rate.map(|rate| at_most(rate, exact(study.level())))))
        }))
    };
    Setting::measuring(|study: &CoverageStudy, trial| study.misses(trial))
        .given(
            "an interval of every estimator from four chunks of draws, for at least 2500 draws (500 for costly estimators) of a model, a number of \
             negatives and a seed: 2 to 5 classes of 1 to 3 atoms in 1 to 3 dimensions, coordinates in [−1, 1], N from \
             1 to 8; the exact losses by enclosures",
        )
        .given(
            "estimators of L_un^N: single draws (plain, rows, table), batches, sweeps of all anchors with fresh \
             (conditional) or antithetic negatives, different members of a batch against its U-statistic; of L_sup^μ and \
             L_sup,1^μ: with known means, with means from 4 draws and the bound of their bias, and by levels; of L_sup: \
             from below, by dual bounds on samples, where only an interval above L_sup is a miss; those with tables, \
             estimated means or best heads are the costly ones",
        )
        .family(edge("studies", || {
            let of = |costly| CoverageStudy { percent: 10, costly };
            vec![("a chance of 1/10, quick estimators", of(false)), ("a chance of 1/10, costly estimators", of(true))]
        }))
        .without_search()
        .ours(
            "intervals",
            "the share of sampled intervals that miss the exact loss is at most the chance that they state, for every \
             estimator",
            holds(),
            move |study, m| {
                let counts = m.iter().map(|of| format!("{}: {} of {}", of.estimator, of.missed, of.intervals));
                at_most_as_stated(study, m, |of| of.missed).noting(counts.collect::<Vec<_>>().join("; "))
            },
        )
        .because("claims about laws that can only be drawn from rest on these intervals")
        .control(
            "intervals-of-a-third",
            "intervals of a third of the length around the same middle miss at most as often as stated, for every \
             estimator",
            move |study, m| at_most_as_stated(study, m, |of| of.missed_by_a_third),
        )
}
