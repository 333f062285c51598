//! Equation (11) and the sentence after it: the empirical objective, and what it estimates.
//!
//! True: each summand is the loss (6) of one draw, and the expectation of a mean of n equally distributed numbers is
//! that of one; independence of the triplets is not even needed. What is needed is that f is fixed before the triplets
//! are drawn: the smaller of the empirical objectives of two encoders has a smaller expectation than the smaller of
//! their losses.

use contrastive::{LatentClassModel, Triplet, by_quadrature};
use enclosures::interval;
use evidence::prelude::*;
use serde::{Deserialize, Serialize};

use crate::shared::drawn_models::DRAWN;
use crate::shared::drawn_objective::{DrawnObjective, DrawnSample, named_samples};
use crate::shared::families::models;
use crate::shared::hypotheses::{MODEL, OTHER_LAWS};
use crate::shared::notation::{
    EMBEDDING, EMPIRICAL_LOSS, LOGARITHM, ONE_NEGATIVE_LOSS, OUTPUT_TRIPLE, RHO, SOFTPLUS, TRIPLET_LOSS,
};
use crate::shared::triples::families;

/// No more than this many outcomes of all triplets together are listed.
const LISTED: usize = 20_000;
/// Up to this size the exponentials of the literal form stay far from the ends of the double range.
const LITERAL: f64 = 300.0;

/// What is lost in the difference of two exponents is relative to them.
const SIZE: &str = "1 + max(|z_1·z_2|, |z_1·z_3|)";

/// A model and the number n of triplets drawn from it.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "n = {triplets}, {model}", valid = Self::can_be_listed, simpler = Self::smaller, stored)]
struct Sample {
    #[instance(range = "1..")]
    triplets: u32,
    #[instance(nested)]
    model: LatentClassModel,
}

impl Sample {
    /// The number of outcomes of one triplet.
    fn outcomes(&self) -> usize {
        let pairs: usize = self.model.classes().iter().map(|atoms| atoms.len() * atoms.len()).sum();
        pairs * self.model.n_atoms()
    }
}

impl Sample {
    fn can_be_listed(&self) -> Result<(), String> {
        let outcomes = self.outcomes();
        let listed = outcomes.checked_pow(self.triplets).is_some_and(|all| all <= LISTED);
        let many = || format!("n = {} triplets of {outcomes} outcomes each are too many to list", self.triplets);
        listed.then_some(()).ok_or_else(many)
    }

    fn smaller(&self) -> Vec<Self> {
        let models = self.model.simpler().into_iter().map(|model| Sample { triplets: self.triplets, model });
        let fewer = (1..self.triplets).map(|triplets| Sample { triplets, model: self.model.clone() });
        models.chain(fewer).collect()
    }
}

/// Every outcome of one triplet: its probability under D_sim × D_neg and its loss.
fn outcomes(model: &LatentClassModel) -> Result<Vec<(Enclosure, Enclosure)>, MeasureError> {
    let atoms = model.weighted_atoms();
    let mut all = Vec::new();
    for x in &atoms {
        for p in atoms.iter().filter(|p| p.class == x.class) {
            for y in &atoms {
                let chance = model.rho(x.class) * x.within * p.within * y.overall;
                let z = Triplet::new(x.at.to_vec(), p.at.to_vec(), y.at.to_vec())?;
                all.push((chance.into(), z.loss()));
            }
        }
    }
    Ok(all)
}

struct Objective {
    /// E[L̂_un/n].
    mean: Enclosure,
    /// E[min(L̂_un(f), L̂_un(0))/n]: the encoder is chosen after the triplets are drawn.
    chosen: Enclosure,
    /// L_un(f).
    loss: Enclosure,
    n: f64,
}

fn objective(s: &Sample) -> Result<Objective, MeasureError> {
    let (one, n) = (outcomes(&s.model)?, f64::from(s.triplets));
    let (mut mean, mut chosen) = (Enclosure::ZERO, Enclosure::ZERO);
    for sample in 0..one.len().pow(s.triplets) {
        let drawn = (0..s.triplets).map(|i| one[sample / one.len().pow(i) % one.len()]);
        let (chance, total) = drawn.fold((Enclosure::ONE, Enclosure::ZERO), |(p, sum), (q, loss)| (p * q, sum + loss));
        mean += chance * total / n;
        chosen += chance * (total / n).min(Enclosure::ln_2());
    }
    let loss = by_quadrature(&s.model, &[1])?;
    Ok(Objective { mean, chosen, loss: loss.into_iter().next().ok_or("no loss")?.into(), n })
}

/// −log( e^{z_1·z_2}/(e^{z_1·z_2} + e^{z_1·z_3}) ): literally where the exponentials are doubles, otherwise with the
/// largest exponent taken out; and the size of what cancels.
fn softmax_form(z: &Triplet) -> (Enclosure, f64) {
    let [anchor, positive, negative] = z.vectors();
    let [own, other] = [positive, negative].map(|v| Enclosure::from(interval::dot(anchor, v)));
    let size = 1.0 + own.magnitude().max(other.magnitude());
    if size < LITERAL {
        let (p, q) = (own.exp(), other.exp());
        return (-(p / (p + q)).ln(), size);
    }
    (log_sum_exp(&[own, other]) - own, size)
}

fn samples(model: LatentClassModel) -> Vec<Sample> {
    let of = |triplets| Sample { triplets, model: model.clone() };
    [1, 2, 3, 6].map(of).into_iter().filter(|s| s.validate().is_ok()).collect()
}

fn zero_encoders() -> Vec<(&'static str, Sample)> {
    let zero = |classes| LatentClassModel::zero_encoder(classes, 1).expect("at least one class");
    vec![
        ("zero encoder, one class, ten triplets", Sample { triplets: 10, model: zero(1) }),
        ("zero encoder, two triplets", Sample { triplets: 2, model: zero(2) }),
    ]
}

pub fn claim() -> Claim {
    Claim::new("merad2020.eq-11", "empirical objective", Kind::Identity)
        .statement(
            "L̂_un = Σ_i ℓ(z_i) with ℓ(z) = ζ(z_1·(z_3−z_2)) = −log(e^{z_1·z_2}/(e^{z_1·z_2} + e^{z_1·z_3})), and \
             E[L̂_un/n] = L_un(f) for triplets drawn from D_sim × D_neg independently of f",
        )
        .speaks_also_of(OTHER_LAWS)
        .symbols([RHO, EMBEDDING, OUTPUT_TRIPLE, TRIPLET_LOSS, EMPIRICAL_LOSS, ONE_NEGATIVE_LOSS, SOFTPLUS, LOGARITHM])
        .symbol("D_sim", "the law of (x, x⁺): a class c is drawn from ρ, then both independently from class c")
        .symbol("D_neg", "the law of x⁻: a class is drawn from ρ, then x⁻ from it")
        .symbol("L̂_un(0)", "L̂_un at f = 0, which is n log 2")
        .source("equation (11)", &["section 4, and the sentence after it"])
        .remark(
            "All outcomes of n triplets are listed, for models with few atoms; L_un(f) on the right comes from the \
             quadrature.",
        )
        .setting(printed())
        .setting(forms())
        .setting(drawn())
}

fn printed() -> Setting<Sample, Objective> {
    Setting::measuring(|s: &Sample, _| objective(s))
        .given(MODEL)
        .given("n ≥ 1 independent triplets from D_sim × D_neg; f is fixed before they are drawn, unless said otherwise")
        .family(edge("zero encoders", zero_encoders))
        .family(
            models(4, samples)
                .into_iter()
                .map(|f| f.taking(0.5).restricted("n ∈ {1, 2, 3, 6}, at most 20 000 outcomes of all n triplets")),
        )
        .part("printed", "E[L̂_un/n] = L_un(f)", holds(), |_, o| equal(o.mean, o.loss))
        .checked("merad2020.Descent.eq_11_printed")
        .sharpening(
            "chosen-late",
            "f chosen between two encoders after the draw: E[min(L̂_un(f), L̂_un(0))/n] ≤ min(L_un(f), log 2)",
            holds(),
            |_, o| at_most(o.chosen, o.loss.min(Enclosure::ln_2())),
        )
        .control("a", "E[L̂_un] = L_un(f)", |_, o| equal(o.n * o.mean, o.loss))
        .assume(Hypothesis::new("n ≥ 2", |s| s.triplets >= 2))
        .control("b", "f may be chosen after the draw: E[min(L̂_un(f), L̂_un(0))/n] = min(L_un(f), log 2)", |_, o| {
            equal(o.chosen, o.loss.min(Enclosure::ln_2()))
        })
}

fn forms() -> Setting<Triplet, (Enclosure, (Enclosure, f64))> {
    Setting::measuring(|z: &Triplet, _| Ok((z.loss(), softmax_form(z))))
        .given("z_1, z_2, z_3 ∈ ℝ^d, d ≥ 1")
        .family(families())
        .part(
            "forms",
            "ζ(z_1·(z_3−z_2)) = −log(e^{z_1·z_2}/(e^{z_1·z_2} + e^{z_1·z_3}))",
            holds(),
            |_, (loss, (form, size))| {
                // The literal form loses what is small against its exponents.
                equal(*loss, *form).on_scale_of(SIZE, *size)
            },
        )
        .checked("merad2020.Descent.eq_11_forms")
        .control("c", "positive and negative exchanged: ζ(z_1·(z_2−z_3))", |z, (_, (form, size))| {
            let [anchor, positive, negative] = z.vectors();
            let a: Interval = interval::dot(anchor, positive) - interval::dot(anchor, negative);
            equal(Enclosure::from(a).softplus(), *form).on_scale_of(SIZE, *size)
        })
}

fn drawn() -> Setting<DrawnSample, DrawnObjective> {
    let near = |left: Enclosure, right: Enclosure| {
        all_of([("not above", at_most(left, right + 0.05)), ("not below", at_most(right, left + 0.05))])
    };
    Setting::measuring(|s: &DrawnSample, trial| DrawnObjective::of(s, trial))
        .given(DRAWN)
        .given("n triplets from D_sim × D_neg; f is fixed before they are drawn, unless said otherwise")
        .given("each expectation is estimated from draws, within an interval that misses with probability 2^{−42} at most, until it is narrower than 1/50")
        .family(edge("continuous laws", named_samples))
        .without_search()
        .sharpening(
            "drawn",
            "continuous laws, n triplets with one negative in common, which are not independent: E[L̂_un/n] = L_un(f) up \
             to 1/20",
            consistent(),
            move |_, o| near(o.shared, o.loss),
        )
        .our_constant("1/20, more than two intervals")
        .sharpening(
            "drawn-chosen-late",
            "continuous laws, f chosen between two encoders after the draw: E[min(L̂_un(f), L̂_un(0))/n] ≤ min(L_un(f), \
             log 2) up to 1/20",
            consistent(),
            |_, o| at_most(o.chosen, o.loss.min(Enclosure::ln_2()) + 0.05),
        )
        .our_constant("1/20, more than two intervals")
        .control("drawn-sum", "continuous laws: E[L̂_un] = L_un(f) up to 1/20", move |_, o| near(o.n * o.shared, o.loss))
        .assume(Hypothesis::new("n ≥ 2", |s: &DrawnSample| s.triplets >= 2))
        .control(
            "drawn-late-equal",
            "continuous laws: f may be chosen after the draw, E[min(L̂_un(f), L̂_un(0))/n] ≥ min(L_un(f), log 2)",
            |_, o| at_least(o.chosen, o.loss.min(Enclosure::ln_2())),
        )
}
