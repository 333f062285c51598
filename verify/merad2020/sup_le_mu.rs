//! After equation (5): the best linear head is at least as good as the mean classifier.
//!
//! True: W^μ is one of the heads over which the infimum is taken. So is W = 0, hence also L_sup ≤ log|T|, which is the
//! better bound wherever the mean classifier is worse than guessing. What the check compares is a lower bound of the
//! infimum, from a dual feasible point, and L_sup^μ; every dual value must stay below the loss of every head.

use std::collections::BTreeMap;

use contrastive::{LatentClassModel, best_head_dual_bound, best_head_loss, sup_mean, sup_mean_average};
use enclosures::interval;
use enclosures::vectors::{points, scaled};
use evidence::prelude::*;
use serde::{Deserialize, Serialize};

use crate::shared::digits;
use crate::shared::drawn_heads::{DrawnHeads, HEADS, named_for_heads};
use crate::shared::drawn_models::{DRAWN, DrawnModel};
use crate::shared::families::{line, models, zero};
use crate::shared::hypotheses::{MODEL, OTHER_LAWS};
use crate::shared::notation::{
    BEST_HEAD_LOSS, BEST_TASK_AVERAGE, CLASS_COUNT, DUAL_BOUND, EMBEDDING, LOGARITHM, MEAN_CLASSIFIER_LOSS, RHO,
    TASK_AVERAGE,
};
use crate::shared::subsets::subsets;

/// A model and a task: a non-empty set of its classes.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "T = {task:?} of \
                       {model}", valid = Self::fits, simpler = Self::smaller, equivalents = Self::relabelled, stored)]
struct SomeClasses {
    task: Vec<usize>,
    #[instance(nested)]
    model: LatentClassModel,
}

impl SomeClasses {
    fn fits(&self) -> Result<(), String> {
        self.model.check_task(&self.task).map_err(|e| e.to_string())
    }

    fn smaller(&self) -> Vec<Self> {
        let fits = |model: &LatentClassModel| self.task.iter().all(|&c| c < model.n_classes());
        let models =
            self.model.simpler().into_iter().filter(fits).map(|model| SomeClasses { task: self.task.clone(), model });
        let without = |drop: usize| SomeClasses {
            task: self.task.iter().copied().filter(|&c| c != drop).collect(),
            model: self.model.clone(),
        };
        models.chain(self.task.iter().filter(|_| self.task.len() > 1).map(|&drop| without(drop))).collect()
    }

    fn relabelled(&self) -> Vec<(&'static str, Self)> {
        let last = self.model.n_classes().saturating_sub(1);
        let of = |(change, model)| {
            // The classes of the task go with their names.
            let renamed = |&class: &usize| {
                if change == "classes in another order" { last - class } else { class }
            };
            let task = self.task.iter().map(renamed).collect();
            (change, SomeClasses { task, model })
        };
        self.model.equivalents().into_iter().map(of).collect()
    }
}

/// One atom of the task: its place, the position of its class in the task, its probability.
struct Labelled<'a> {
    at: &'a [f64],
    label: usize,
    weight: Interval,
}

fn atoms(t: &SomeClasses) -> Vec<Labelled<'_>> {
    let shares = t.model.task_probabilities(&t.task);
    let place = |(label, (&class, share)): (usize, (&usize, Interval))| {
        let within = t.model.atom_probabilities(class);
        let class = t.model.classes()[class].iter();
        class.zip(within).map(move |(atom, p)| Labelled { at: &atom.at, label, weight: share * p }).collect::<Vec<_>>()
    };
    t.task.iter().zip(shares).enumerate().flat_map(place).collect()
}

/// A linear head: a row for every class of the task.
type Head = Vec<Vec<Interval>>;

/// W f(x).
fn scores(head: &Head, at: &[f64]) -> Vec<Enclosure> {
    let product = |row: &Vec<Interval>| interval::sum(&row.iter().zip(at).map(|(&w, &x)| w * x).collect::<Vec<_>>());
    head.iter().map(|row| product(row).into()).collect()
}

/// E[−log softmax(W f(x))_c], and the largest score, the size of what cancels.
fn loss(head: &Head, atoms: &[Labelled<'_>]) -> (Enclosure, f64) {
    let (mut total, mut size) = (Enclosure::ZERO, 1.0f64);
    for atom in atoms {
        let scores = scores(head, atom.at);
        size = scores.iter().fold(size, |most, s| most.max(s.magnitude()));
        let differences: Vec<Enclosure> = scores.iter().map(|&s| s - scores[atom.label]).collect();
        total += log_sum_exp(&differences).max(0) * Enclosure::from(atom.weight);
    }
    (total, size)
}

fn mean_classifier(t: &SomeClasses) -> Head {
    t.task.iter().map(|&class| t.model.class_mean(class)).collect()
}

/// Multiples of the mean classifier, and steps of gradient descent from W = 0.
fn heads(t: &SomeClasses, atoms: &[Labelled<'_>]) -> Vec<Head> {
    let mean = mean_classifier(t);
    let times = |factor: f64| -> Head { mean.iter().map(|row| scaled(row, factor)).collect() };
    let mut all: Vec<Head> = [-1.0, 0.0, 0.25, 0.5, 1.0, 2.0].map(times).into();
    let largest = atoms.iter().map(|a| interval::dot(a.at, a.at).midpoint()).fold(f64::MIN_POSITIVE, f64::max);
    let mut rows = vec![vec![0.0; t.model.dimension()]; t.task.len()];
    for _ in 0..4 {
        let exact: Head = rows.iter().map(|row| points(row)).collect();
        for atom in atoms {
            let scores = scores(&exact, atom.at);
            let normaliser = log_sum_exp(&scores);
            for (class, score) in scores.iter().enumerate() {
                let share = (*score - normaliser).exp().midpoint() - if class == atom.label { 1.0 } else { 0.0 };
                let step = atom.weight.midpoint() * share / largest;
                rows[class].iter_mut().zip(atom.at).for_each(|(w, x)| *w -= step * x);
            }
        }
        all.push(rows.iter().map(|row| points(row)).collect());
    }
    all
}

/// H(c | f(x)): the dual value of the point that gives every atom the shares of the classes at its place.
fn conditional_entropy(atoms: &[Labelled<'_>], classes: usize) -> Enclosure {
    let mut places: BTreeMap<Vec<u64>, Vec<Interval>> = BTreeMap::new();
    for atom in atoms {
        // Adding zero makes the two zeros one.
        let key = atom.at.iter().map(|x| (x + 0.0).to_bits()).collect();
        places.entry(key).or_insert_with(|| vec![Interval::ZERO; classes])[atom.label] += atom.weight;
    }
    let entropy = |shares: &Vec<Interval>| {
        let total: Interval = shares.iter().copied().sum();
        let present = shares.iter().filter(|s| s.hi() > 0.0);
        present.map(|&s| Enclosure::from(s) * -(Enclosure::from(s / total).min(1)).ln()).sum::<Enclosure>()
    };
    places.values().map(entropy).sum()
}

struct HeadLosses {
    /// A lower bound of L_sup, whatever the upper one.
    dual: f64,
    /// L_sup, enclosed.
    head: Enclosure,
    /// L_sup^μ.
    mean: Enclosure,
}

fn losses(t: &SomeClasses) -> Result<HeadLosses, MeasureError> {
    Ok(HeadLosses {
        dual: best_head_dual_bound(&t.model, &t.task)?,
        head: best_head_loss(&t.model, &t.task)?.into(),
        mean: sup_mean(&t.model, &t.task)?.into(),
    })
}

/// The full task, its first two classes, and one class alone.
fn tasks(model: LatentClassModel) -> Vec<SomeClasses> {
    let classes = model.n_classes();
    let mut all = vec![(0..classes).collect::<Vec<_>>(), vec![classes - 1]];
    if classes > 2 {
        all.push(vec![0, classes - 1]);
    }
    all.into_iter().map(|task| SomeClasses { task, model: model.clone() }).collect()
}

fn pairs() -> Vec<(&'static str, SomeClasses)> {
    let full = |model: LatentClassModel| SomeClasses { task: (0..model.n_classes()).collect(), model };
    vec![
        ("1 and −1", full(line(&[1.0, 1.0], &[1.0, -1.0]))),
        ("zero encoder, two classes", full(zero(2))),
        ("1 and 20: the mean classifier is worse than guessing", full(line(&[1.0, 1.0], &[1.0, 20.0]))),
        ("two of three at one point", full(line(&[1.0, 3.0, 1.0], &[2.0, 2.0, -1.0]))),
    ]
}

pub fn claim() -> Claim {
    Claim::new("merad2020.sup-le-mu", "best linear head against mean classifier", Kind::Inequality)
        .statement(
            "L_sup(f,T) ≤ L_sup^μ(f,T) for every non-empty task T, hence L_sup,k(f) ≤ L_sup,k^μ(f) for 1 ≤ k ≤ N_C − 1",
        )
        .speaks_also_of(OTHER_LAWS)
        .symbols([
            CLASS_COUNT, RHO, EMBEDDING, MEAN_CLASSIFIER_LOSS, BEST_HEAD_LOSS, DUAL_BOUND, TASK_AVERAGE,
            BEST_TASK_AVERAGE, LOGARITHM,
        ])
        .symbol("W^μ", "the head with w_c = μ_c for every class c of T")
        .symbol("H(c | f(x))", "−E log P(c | f(x)), the conditional entropy of the class given the embedding")
        .source(
            "after equation (5)",
            &[
                "first inequality of (7), (8) and of Propositions 1 and 2",
                "Proposition 3.3 (restated) of the earlier version, first inequalities",
            ],
        )
        .remark(
            "L_sup enters by a lower bound from a dual feasible point: only a dual value above L_sup^μ would refute \
             the statement.",
        )
        .setting(printed())
        .setting(admissible_head())
        .setting(average())
        .setting(drawn())
}

fn printed() -> Setting<SomeClasses, HeadLosses> {
    Setting::measuring(|t: &SomeClasses, _| losses(t))
        .given(MODEL)
        .given("T is a non-empty set of classes; instances list it by numbers from 0 to N_C − 1")
        .family(edge("pairs", pairs))
        .family(models(5, tasks).into_iter().map(|f| f.taking(0.3)))
        .family(digits::family(|model| {
            vec![(", full task".into(), SomeClasses { task: (0..model.n_classes()).collect(), model })]
        }))
        .without_search()
        .part("printed", "L_sup(f,T) ≤ L_sup^μ(f,T), L_sup(f,T) by its dual bound", holds(), |_, l| {
            at_most(exact(l.dual), l.mean)
        })
        .checked("merad2020.SupLeMu.sup_le_mu_printed")
        .sharpening("guessing", "L_sup(f,T) ≤ min(L_sup^μ(f,T), log|T|)", holds(), |t, l| {
            at_most(exact(l.dual), l.mean.min(Enclosure::from(t.task.len()).ln()))
        })
        .checked("merad2020.SupLeMu.sup_le_mu_guessing")
        .control("a", "L_sup ≥ L_sup^μ", |_, l| at_least(l.head, l.mean))
        .control("b", "L_sup ≤ ½·L_sup^μ", |_, l| at_most(exact(l.dual), 0.5 * l.mean))
        .control("c", "L_sup ≤ L_sup^μ/1.01", |_, l| at_most(exact(l.dual), l.mean / 1.01))
        .assume(Hypothesis::new("|T| ≥ 2", |t| t.task.len() >= 2))
}

fn admissible_head() -> Setting<SomeClasses, ()> {
    Setting::of()
        .given(MODEL)
        .given("T is a non-empty set of classes; instances list it by numbers from 0 to N_C − 1")
        .family(edge("pairs", pairs))
        .family(models(5, tasks).into_iter().map(|f| f.taking(0.3)))
        .without_search()
        .step("s1", "W^μ is admissible: its loss on T, from the rows μ_c, is L_sup^μ(f,T)", holds(), |t, ()| {
            let (direct, size) = loss(&mean_classifier(t), &atoms(t));
            sup_mean(&t.model, &t.task).map(|mean| equal(direct, mean).on_scale_of("the largest score", size)).into()
        })
        .step(
            "s2",
            "H(c | f(x)) and the dual bound of L_sup(f,T) are at most the loss E log Σ_{c'∈T} e^{f(x)·(w_{c'} − w_c)} \
             of ten heads: −1, 0, ¼, ½, 1 and 2 times W^μ, and four steps of gradient descent from W = 0 with the step \
             1/max ‖f(x)‖²",
            holds(),
            |t, ()| {
                let atoms = atoms(t);
                let entropy = conditional_entropy(&atoms, t.task.len());
                let repaired = match best_head_dual_bound(&t.model, &t.task) {
                    Ok(dual) => dual,
                    Err(error) => return evidence::claim::Evaluation::Failed(error.to_string()),
                };
                let each = |head: &Head| {
                    let (loss, size) = loss(head, &atoms);
                    [
                        ("entropy", at_most(entropy, loss).on_scale_of("the largest score", size)),
                        ("repaired", at_most(exact(repaired), loss).on_scale_of("the largest score", size)),
                    ]
                };
                all_of(heads(t, &atoms).iter().flat_map(each))
            },
        )
        .control("d", "1.01·H(c | f(x)) is at most the loss of the ten heads of s2", |t, ()| {
            let atoms = atoms(t);
            let entropy = conditional_entropy(&atoms, t.task.len());
            all_of(heads(t, &atoms).iter().map(|head| ("entropy", at_most(1.01 * entropy, loss(head, &atoms).0))))
        })
}

fn average() -> Setting<LatentClassModel, ()> {
    Setting::of()
        .given(MODEL)
        .assume(Hypothesis::new("N_C ≥ 2", |m: &LatentClassModel| m.n_classes() >= 2))
        .family(models(4, |m| vec![m]).into_iter().map(|f| f.taking(0.15)))
        .without_search()
        .part("average", "L_sup,k(f) ≤ L_sup,k^μ(f) for every 1 ≤ k ≤ N_C − 1", holds(), |m, ()| {
            let size = |k: usize| -> Result<_, MeasureError> {
                let tasks: Vec<Vec<usize>> = subsets(m.n_classes(), k + 1);
                let duals = tasks.iter().map(|task| best_head_dual_bound(m, task).map(exact));
                let total: Enclosure = duals.collect::<Result<Vec<_>, _>>()?.into_iter().sum();
                Ok(at_most(total / tasks.len() as f64, sup_mean_average(m, k)?))
            };
            let parts = (1..m.n_classes()).map(|k| Ok((format!("k = {k}"), size(k)?)));
            parts.collect::<Result<Vec<_>, MeasureError>>().map(all_of).into()
        })
        .checked("merad2020.SupLeMu.sup_le_mu_average")
}

fn drawn() -> Setting<DrawnModel, DrawnHeads> {
    Setting::measuring(|m: &DrawnModel, trial| DrawnHeads::of(m, trial))
        .given(DRAWN)
        .given("T = 𝒞")
        .given(HEADS)
        .family(edge("continuous laws", named_for_heads))
        .without_search()
        .part("drawn", "continuous laws: E_S ≤ L_sup^μ, which L_sup ≤ L_sup^μ implies", holds(), |_, l| {
            at_most(l.below, l.mean)
        })
        .implied_by("printed")
        .because(
            "bounded laws are limits of laws with finitely many values, along which the losses of every head converge",
        )
        .control(
            "drawn-reversed",
            "continuous laws: the loss of W is at least L_sup^μ, as if L_sup ≥ L_sup^μ",
            |_, l| at_least(l.above, l.mean),
        )
        .control("drawn-half", "continuous laws: E_S ≤ L_sup^μ/2, as if L_sup ≤ L_sup^μ/2", |_, l| {
            at_most(l.below, l.mean / 2.0)
        })
}
