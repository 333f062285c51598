//! Section 3.2, after Proposition 1: the prefactor k/(1 − τ_N) as N grows.
//!
//! True as printed: τ_N = N_C^{−N}. But the whole right side of Proposition 1 is not improved by N: for the zero
//! encoder it is k log(N + 1). Nor is it increasing for every model (one class at ±10, the other at 0: from N = 1 to 2
//! it falls); for point masses it is, by the coupling in the proof of Proposition 1, part (2)
//! (fact-conditional).
//!
//! And k is not the limit of the best factor. Let q_k(N) be the probability that N uniform draws show k given classes.
//! For every task the negatives show its k other classes with this probability, so that q_k(N)·L_sup,k^μ ≤ L_un^N − τ_N
//! log(N+1), and q_k(N) → 1: the best factor is at most min(k/(1 − τ_N), 1/q_k(N)), which tends to 1.

use contrastive::{Atom, LatentClassModel, collision_split, sup_mean_average};
use evidence::prelude::*;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

use crate::shared::factored::at_most_by;
use crate::shared::families::{line, models, orthonormal, skewed, uniform, zero};
use crate::shared::hypotheses::{MODEL, POINT_MASSES, UNIFORM, are_points, is_uniform, is_zero};
use crate::shared::notation::{
    CLASS_COUNT, EMBEDDING, LOGARITHM, MEAN_CLASSIFIER_LOSS, RHO, TASK_AVERAGE, UNSUPERVISED_LOSS,
};

/// Sizes alone.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "N_C = {classes}, k = {k}, N = {negatives}", valid = Self::fits, simpler = Self::smaller, stored)]
struct Sizes {
    classes: u32,
    #[instance(range = "1..")]
    k: u32,
    #[instance(range = "1..")]
    negatives: u32,
}

impl Sizes {
    fn fits(&self) -> Result<(), String> {
        if self.k < self.classes { Ok(()) } else { Err("k is less than N_C".into()) }
    }

    fn smaller(&self) -> Vec<Self> {
        let fewer = (1..self.negatives.min(4)).map(|negatives| Sizes { negatives, ..*self });
        fewer.chain((1..self.k).map(|k| Sizes { k, ..*self })).collect()
    }
}

impl Sizes {
    /// τ_N = N_C^{−N}.
    fn tau(&self, negatives: u32) -> Enclosure {
        (1.0 / Enclosure::from(self.classes)).powi(i64::from(negatives))
    }

    /// Σ_c ρ(c)^{N+1} for ρ(c) = 1/N_C, class by class.
    fn collision(&self) -> Enclosure {
        let each = (1.0 / Enclosure::from(self.classes)).powi(i64::from(self.negatives) + 1);
        (0..self.classes).map(|_| each).sum()
    }

    fn factor(&self, negatives: u32) -> Enclosure {
        Enclosure::from(self.k) / (1.0 - self.tau(negatives))
    }

    /// k/(1 − τ_N) − k = kτ_N/(1 − τ_N).
    fn excess(&self) -> Enclosure {
        self.factor(self.negatives) * self.tau(self.negatives)
    }

    /// Whether τ_{N+1} is a double with full precision.
    fn resolved(&self) -> bool {
        self.tau(self.negatives + 1).lo() > 1e-300
    }
}

fn sizes() -> Vec<(String, Sizes)> {
    let lengths = [1, 2, 3, 4, 5, 6, 7, 8, 16, 32, 64, 65536];
    let tasks = [2u32, 3, 10].into_iter().flat_map(|classes| (1..classes).map(move |k| (classes, k)));
    let all = tasks.flat_map(|(classes, k)| lengths.map(|negatives| Sizes { classes, k, negatives }));
    described(all)
}

/// A model with equally likely classes, a task size and a number of negatives.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "k = {k}, N = {negatives}, \
                       {model}", valid = Self::fits, simpler = Self::smaller, equivalents = Self::relabelled, stored)]
struct TaskOfModel {
    #[instance(range = "1..")]
    k: usize,
    #[instance(range = "1..=1000")]
    negatives: u64,
    #[instance(nested)]
    model: LatentClassModel,
}

impl TaskOfModel {
    fn fits(&self) -> Result<(), String> {
        if self.k < self.model.n_classes() { Ok(()) } else { Err("k is less than N_C".into()) }
    }

    fn smaller(&self) -> Vec<Self> {
        let models = self.model.simpler().into_iter().filter(|m| m.n_classes() >= 2);
        let models =
            models.map(|model| TaskOfModel { k: self.k.min(model.n_classes() - 1), negatives: self.negatives, model });
        let fewer = (1..self.negatives.min(4)).map(|negatives| TaskOfModel { negatives, ..self.clone() });
        let smaller = (1..self.k).map(|k| TaskOfModel { k, ..self.clone() });
        models.chain(fewer).chain(smaller).collect()
    }

    fn relabelled(&self) -> Vec<(&'static str, Self)> {
        let models = self.model.equivalents().into_iter();
        let of = |model| TaskOfModel { model, ..self.clone() };
        models.map(|(change, model)| (change, of(model))).collect()
    }
}

/// L_un^N − τ_N log(N + 1) = (1 − τ_N)·E[loss | some foreign class] + τ_N·(E[loss | none] − log(N + 1)), and 1 − τ_N.
fn reduced_loss(model: &LatentClassModel, negatives: u64) -> Result<(Enclosure, Enclosure), MeasureError> {
    let split = collision_split(model, negatives)?;
    let different = Enclosure::from(split.different.ok_or("a task needs two classes")?);
    let tau = Enclosure::from(split.tau);
    let rest = 1.0 - tau;
    // For point masses the loss without a foreign class is log(N + 1) exactly.
    let excess = if are_points(model) {
        Enclosure::ZERO
    } else {
        Enclosure::from(split.same) - Enclosure::from(negatives + 1).ln()
    };
    Ok((rest * different + tau * excess, rest))
}

struct Bound {
    /// L_un^N − τ_N log(N + 1).
    reduced: Enclosure,
    /// k/(1 − τ_N) times that, at N and at N + 1.
    right: [Enclosure; 2],
    /// L_sup,k^μ.
    average: Enclosure,
    /// q_k(N).
    all_shown: Enclosure,
}

fn bound(t: &TaskOfModel) -> Result<Bound, MeasureError> {
    let (reduced, rest) = reduced_loss(&t.model, t.negatives)?;
    let (next, next_rest) = reduced_loss(&t.model, t.negatives + 1)?;
    let k = t.k as f64;
    Ok(Bound {
        reduced,
        right: [k * reduced / rest, k * next / next_rest],
        average: sup_mean_average(&t.model, t.k)?.into(),
        all_shown: all_shown(t.model.n_classes(), t.k, t.negatives),
    })
}

/// The probability that so many uniform draws show k given classes: draw by draw, by how many of them are seen.
fn all_shown(classes: usize, k: usize, draws: u64) -> Enclosure {
    let all = classes as f64;
    let mut seen = vec![Enclosure::ZERO; k + 1];
    seen[0] = Enclosure::ONE;
    for _ in 0..draws {
        for j in (0..=k).rev() {
            let stay = seen[j] * (all - (k - j) as f64) / all;
            seen[j] = if j == 0 { stay } else { stay + seen[j - 1] * (k - j + 1) as f64 / all };
        }
    }
    seen[k]
}

fn tasks(model: &LatentClassModel) -> Vec<TaskOfModel> {
    let classes = model.n_classes();
    let lengths = [1, 2, 3, 8, 40];
    let each = |k| lengths.into_iter().map(move |negatives| TaskOfModel { k, negatives, model: model.clone() });
    (1..classes).filter(|k| [1, 2, classes - 1].contains(k)).flat_map(each).collect()
}

/// One class spread over ±10, the other at zero.
fn spread() -> LatentClassModel {
    let atom = |x: f64| Atom { weight: 1.0, at: vec![x] };
    let classes = vec![vec![atom(10.0), atom(-10.0)], vec![atom(0.0)]];
    LatentClassModel::new(vec![1.0, 1.0], classes).expect("a valid model")
}

fn extra() -> Vec<(String, TaskOfModel)> {
    let models = [
        ("one class at ±10, the other at 0", spread()),
        ("zero encoder, two classes", zero(2)),
        ("separated", orthonormal(4, 8.0)),
        ("1, 1, 30", line(&[1.0; 3], &[1.0, 1.0, 30.0])),
    ];
    let all = models.into_iter().flat_map(|(name, model)| tasks(&model).into_iter().map(move |t| (name.to_owned(), t)));
    all.collect()
}

/// left > right with the difference in factored form.
fn exceeds(left: Enclosure, right: Enclosure, difference: Enclosure) -> Evaluation {
    greater_than(left, right).with_margin(difference)
}

pub fn claim() -> Claim {
    Claim::new("merad2020.remark-N-factor", "the prefactor as N grows", Kind::Asymptotic)
        .statement(
            "for uniform ρ, N_C ≥ 2: τ_N = N_C^{−N} decreases to 0, so that k/(1 − τ_N) decreases in N, exceeds k, and \
             tends to k",
        )
        .symbols([CLASS_COUNT, RHO, EMBEDDING, MEAN_CLASSIFIER_LOSS, TASK_AVERAGE, UNSUPERVISED_LOSS, LOGARITHM])
        .source("section 3.2, after Proposition 1", &[])
        .remark(
            "For every ρ on two classes and more τ_N decreases to 0 as well (fact-tau), so that uniformity is not \
             needed. The whole right side of Proposition 1 is monotone in neither direction; for point masses it \
             increases.",
        )
        .remark(
            "Proof of `covering`: given anchor and task, LSE(0, a_{c_1}, …, a_{c_N}) ≥ LSE over the task as soon as \
             its k other classes are drawn, an event of probability q_k(N) on which some negative is foreign; average \
             over anchors and tasks. So the factor of Proposition 1 may be replaced by 1/q_k(N), which tends to 1.",
        )
        .setting(printed())
        .setting(whole_decreasing())
}

fn printed() -> Setting<Sizes, ()> {
    Setting::of()
        .given("1 ≤ k ≤ N_C − 1, N ≥ 1, ρ uniform and τ_N = N_C^{−N}")
        .family(edge("registered", sizes))
        .family(random("sizes", || {
            (2u32..=40, 1u32..=60, 0u32..1000).prop_map(|(classes, negatives, which)| Sizes {
                classes,
                k: 1 + which % (classes - 1),
                negatives,
            })
        }))
        .without_search()
        .part(
            "printed",
            "Σ_c ρ(c)^{N+1} = N_C^{−N} = τ_N > τ_{N+1} and k/(1 − τ_N) > k/(1 − τ_{N+1}) > k",
            holds(),
            |s, ()| {
                let (here, next) = (s.tau(s.negatives), s.tau(s.negatives + 1));
                let (factor, lower) = (s.factor(s.negatives), s.factor(s.negatives + 1));
                // k(τ_N − τ_{N+1})/((1 − τ_N)(1 − τ_{N+1})) and kτ_{N+1}/(1 − τ_{N+1}).
                let drop = factor * (here - next) / (1.0 - next);
                all_of([
                    ("value", equal(s.collision(), here)),
                    ("τ", greater_than(here, next)),
                    ("decreasing", exceeds(factor, lower, drop)),
                    ("above k", exceeds(lower, s.k.into(), lower * next)),
                ])
            },
        )
        .checked_in_part("merad2020.Classes.remark_N_factor_printed")
        .assume(Hypothesis::new("N_C^{−N−1} > 10^{−300}", Sizes::resolved))
        .part("limit", "k/(1 − τ_N) − k ≤ 2kN_C^{−N}, which tends to 0 as N → ∞", holds(), |s, ()| {
            let (k, tau) = (Enclosure::from(s.k), s.tau(s.negatives));
            // 2kτ_N − kτ_N/(1 − τ_N) = (k/(1 − τ_N))·τ_N·(1 − 2τ_N).
            let room = s.factor(s.negatives) * tau * (1.0 - 2.0 * tau);
            at_most_by(s.factor(s.negatives) - k, 2.0 * k * tau, room)
        })
        .checked_in_part("merad2020.Classes.remark_N_factor_limit")
        .our_constant("printed is \"closer to k\"; the bound 2kN_C^{−N} of the distance")
        .sharpening(
            "rate",
            "kN_C^{−N} ≤ k/(1 − τ_N) − k ≤ (N_C/(N_C − 1))·kN_C^{−N}",
            holds(),
            |s, ()| {
                let leading = Enclosure::from(s.k) * s.tau(s.negatives);
                let most = leading * f64::from(s.classes) / f64::from(s.classes - 1);
                all_of([
                    ("lower", at_least(s.excess(), leading)),
                    ("upper", at_most(s.excess(), most)),
                    (
                        "difference",
                        equal(s.factor(s.negatives) - f64::from(s.k), s.excess()).on_scale_of("k", f64::from(s.k)),
                    ),
                ])
            },
        )
        .checked("merad2020.Classes.remark_N_factor_rate")
        .control("a", "k/(1 − τ_N) ≤ k", |s, ()| at_most(s.factor(s.negatives), s.k).with_margin(-s.excess()))
        .control("b", "k/(1 − τ_N) − k ≤ 0.99·kN_C^{−N}", |s, ()| {
            at_most(s.excess(), 0.99 * Enclosure::from(s.k) * s.tau(s.negatives))
        })
}

fn whole_decreasing() -> Setting<TaskOfModel, Bound> {
    Setting::measuring(|t: &TaskOfModel, _| bound(t))
        .given(MODEL)
        .given("1 ≤ k ≤ N_C − 1 and N ≥ 1")
        .given("R_N = (k/(1−τ_N))·(L_un^N − τ_N log(N+1)), τ_N = Σ_c ρ(c)^{N+1}, which is N_C^{−N} for uniform ρ")
        .given("q_k(N) is the probability that N uniform draws show k given classes")
        .assume(Hypothesis::new(UNIFORM, |t| is_uniform(&t.model)))
        .family(outside("ρ skewed", || {
            let each =
                |(name, model): (&'static str, LatentClassModel)| tasks(&model).into_iter().map(move |t| (name, t));
            skewed().into_iter().flat_map(each).collect()
        }))
        .degenerate("f = 0", |t| is_zero(&t.model))
        .family(edge("two sides", extra))
        .family(models(5, |m| tasks(&uniform(&m))).into_iter().map(|f| f.taking(0.5)))
        .ours(
            "whole-decreasing",
            "R_N ≥ R_{N+1}: the whole right side of Proposition 1 decreases in N",
            fails("for the zero encoder it is k log(N + 1)"),
            |_, b| at_least(b.right[0], b.right[1]),
        )
        .sides("R_N", "R_{N+1}")
        .because("the paper speaks of the prefactor only")
        .ours(
            "whole-increasing",
            "R_N ≤ R_{N+1}: the whole right side of Proposition 1 increases in N",
            fails(
                "the part k τ_N/(1 − τ_N)·(E[loss | no foreign class] − log(N+1)) may fall faster than the rest grows",
            ),
            |_, b| at_most(b.right[0], b.right[1]),
        )
        .sides("R_N", "R_{N+1}")
        .because("the paper speaks of the prefactor only")
        .ours(
            "whole-points",
            "R_N ≤ R_{N+1}: the whole right side of Proposition 1 increases in N",
            holds(),
            |_, b| at_most(b.right[0], b.right[1]),
        )
        .assume(Hypothesis::new(POINT_MASSES, |t| are_points(&t.model)))
        .sharpening(
            "covering",
            "q_k(N)·L_sup,k^μ ≤ L_un^N − τ_N log(N+1): the factor 1/q_k(N) serves where q_k(N) > 0, and tends to 1 as \
             N → ∞",
            holds(),
            |_, b| at_most(b.all_shown * b.average, b.reduced),
        )
        .control("c", "L_sup,k^μ ≤ L_un^N − τ_N log(N+1), the factor 1 for every N", |_, b| {
            at_most(b.average, b.reduced)
        })
        .control("d", "q_k(N)·L_sup,k^μ ≤ ½(L_un^N − τ_N log(N+1))", |_, b| {
            at_most(b.all_shown * b.average, 0.5 * b.reduced)
        })
}
