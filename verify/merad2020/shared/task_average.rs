//! What Propositions 1 and 2 compare: the average task loss, the unsupervised loss split by whether all negatives fall
//! into the anchor's class, and the averages over classes that the proof passes through.

use contrastive::data::LabelledPoints;
use contrastive::{
    AnchorLogits, Atom, CollisionSplit, ContrastiveError, LatentClassModel, anchor_logits, best_task_factor,
    collision_split, jensen_loss, sup_mean_average, task_hits, unsupervised_loss,
};
use estimators::bounds::printed_task_factor;
use estimators::exact::{SubsetOptions, exact_subset_losses};
use evidence::prelude::*;
use serde::{Deserialize, Serialize};

use super::families::{self, line, orthonormal, uniform, zero};
use super::hypotheses::{MODEL, are_points};
use super::negatives::fewer_negatives;
use super::subsets::subsets;

/// A model, the number k + 1 of classes of a task and the number N of negatives.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "k = {k}, N = {negatives}, \
                       {model}", valid = Self::fits, simpler = Self::smaller, equivalents = Self::relabelled, stored)]
pub struct TaskDraws {
    pub k: usize,
    #[instance(range = "1..=1_048_576")]
    pub negatives: u64,
    #[instance(nested)]
    pub model: LatentClassModel,
}

/// Refuses k outside 1 ≤ k ≤ N_C − 1.
pub fn check_task_size(k: usize, classes: usize) -> Result<(), String> {
    if (1..classes).contains(&k) {
        Ok(())
    } else {
        let most = classes.saturating_sub(1);
        Err(format!("k = {k} is not between 1 and N_C − 1 = {most}"))
    }
}

impl TaskDraws {
    fn fits(&self) -> Result<(), String> {
        check_task_size(self.k, self.model.n_classes())
    }

    fn smaller(&self) -> Vec<Self> {
        let with = |k, negatives, model: LatentClassModel| TaskDraws { k, negatives, model };
        let models = self.model.simpler().into_iter().map(|model| {
            let most = model.n_classes().saturating_sub(1);
            with(self.k.min(most), self.negatives, model)
        });
        let sizes = (1..self.k).map(|k| with(k, self.negatives, self.model.clone()));
        let draws = fewer_negatives(self.negatives).map(|n| with(self.k, n, self.model.clone()));
        models.chain(sizes).chain(draws).collect()
    }

    fn relabelled(&self) -> Vec<(&'static str, Self)> {
        let models = self.model.equivalents().into_iter();
        let of = |model| TaskDraws { model, ..self.clone() };
        models.map(|(change, model)| (change, of(model))).collect()
    }
}

/// Every k with several numbers of negatives.
pub fn task_sizes(model: &LatentClassModel) -> Vec<TaskDraws> {
    let numbers = [1, 2, 3, 5, 15, 64, 1024, 65536];
    let with = |k| numbers.map(|negatives| TaskDraws { k, negatives, model: model.clone() });
    (1..model.n_classes()).flat_map(with).collect()
}

/// The same for class probabilities that are not uniform.
pub fn skewed() -> Vec<(&'static str, TaskDraws)> {
    let each = |(name, model): (&'static str, LatentClassModel)| task_sizes(&model).into_iter().map(move |i| (name, i));
    families::skewed().into_iter().flat_map(each).collect()
}

/// The same with equally likely classes.
pub fn uniform_task_sizes(model: LatentClassModel) -> Vec<TaskDraws> {
    task_sizes(&uniform(&model))
}

/// For sizes up to ten classes the models that approach the best factor: one value per class on a line, a large one for
/// as many classes as attain the maximum in [`best_task_factor`], 1 for the others.
pub fn approaching() -> Vec<(String, TaskDraws)> {
    let sizes = [
        (2, 1, 1),
        (3, 1, 2),
        (3, 2, 1),
        (3, 2, 5),
        (5, 2, 3),
        (5, 4, 8),
        (10, 1, 5),
        (10, 4, 5),
        (10, 4, 15),
        (10, 9, 15),
        (10, 9, 65536),
    ];
    let each = |(classes, k, negatives)| {
        let far = most_favourable(classes, k, negatives);
        [10.0, 100.0, 10_000.0].map(|value| {
            let values: Vec<f64> = (0..classes).map(|c| if c < far { value } else { 1.0 }).collect();
            let model = line(&vec![1.0; classes], &values);
            (format!("{far} of {classes} classes at {value}"), TaskDraws { k, negatives, model })
        })
    };
    sizes.into_iter().flat_map(each).collect()
}

/// Twenty and fifty classes, with tasks of every size: zero encoders, separated classes, values spread over a line, and
/// those that approach the best factor; and spread classes with the smallest and the largest tasks.
pub fn many_classes() -> Vec<(String, TaskDraws)> {
    let mut list = Vec::new();
    for classes in [20usize, 50] {
        let even = vec![1.0; classes];
        let spread: Vec<f64> = (0..classes).map(|c| 6.0 * c as f64 / classes as f64 - 3.0).collect();
        let mut add = |name: &str, k: usize, negatives: u64, model: LatentClassModel| {
            let name = format!("{classes} classes, {name}, k = {k}, N = {negatives}");
            list.push((name, TaskDraws { k, negatives, model }));
        };
        for (k, negatives) in [(1, 1), (2, 15), (classes / 2, 200), (classes - 1, 65536)] {
            add("zero encoder", k, negatives, zero(classes));
            add("orthonormal times 2", k, negatives, orthonormal(classes, 2.0));
            add("spread over a line", k, negatives, line(&even, &spread));
            let far = most_favourable(classes, k, negatives);
            let value = |c: usize| if c < far { 60.0 } else { 1.0 };
            let values: Vec<f64> = (0..classes).map(value).collect();
            add(&format!("{far} of them at 60"), k, negatives, line(&even, &values));
        }
        let pair = |c: usize| {
            let atom = |offset: f64| Atom { weight: 1.0, at: vec![spread[c] + offset, 1.0] };
            vec![atom(-0.5), atom(0.5)]
        };
        if let Ok(model) = LatentClassModel::new(even, (0..classes).map(pair).collect()) {
            add("two atoms each", 1, 15, model.clone());
            add("two atoms each", classes - 1, 200, model);
        }
    }
    list
}

/// L_sup,k^μ for equally likely classes: all tasks one by one, or, where they are too many and every class is one
/// point, the exact loss over the k-subsets of the others.
fn average_over_tasks(model: &LatentClassModel, k: usize) -> Result<Enclosure, MeasureError> {
    let listed = sup_mean_average(model, k);
    let points = are_points(model);
    if !(points && matches!(listed, Err(ContrastiveError::TooManyTerms { .. }))) {
        return Ok(listed?.into());
    }
    let rows = model.classes().iter().flatten().flat_map(|atom| atom.at.iter().copied());
    let labels = (0..model.n_classes() as u32).collect();
    let labelled = LabelledPoints::new(rows.collect(), model.dimension(), labels)?;
    let options = SubsetOptions { same_class_negatives: false, self_positive: true, ..SubsetOptions::default() };
    Ok(exact_subset_losses(&labelled, &[k], &options)?[0])
}

/// A number of classes that attains the maximum in the best factor.
fn most_favourable(classes: usize, k: usize, negatives: u64) -> usize {
    let hits = task_hits(classes, k, negatives).unwrap_or_default();
    let ratios = hits.iter().map(|[task, draws]| (*task / *draws).midpoint());
    let best =
        ratios.enumerate().fold((0, 0.0), |(i, most), (j, ratio)| if ratio > most { (j, ratio) } else { (i, most) });
    best.0 + 1
}

/// If all classes are single values on a line, some at v > 1 and the rest at 1, how many are at v.
pub fn far_classes(model: &LatentClassModel) -> Option<usize> {
    let value = |atoms: &Vec<Atom>| match &atoms[..] {
        [only] if only.at.len() == 1 => Some(only.at[0]),
        _ => None,
    };
    let values: Option<Vec<f64>> = model.classes().iter().map(value).collect();
    let values = values?;
    let far = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let two = far > 1.0 && values.iter().all(|&x| x == far || x == 1.0);
    let count = values.iter().filter(|&&x| x == far).count();
    (two && count < values.len()).then_some(count)
}

/// The losses and the parts they are made of, all in nats.
pub struct TaskLosses {
    /// L_sup,k^μ.
    pub average: Enclosure,
    /// L_un^N.
    pub unsupervised: Enclosure,
    /// L_un^N after Jensen's inequality.
    pub jensen: Enclosure,
    /// τ_N = Σ ρ^{N+1}.
    pub tau: Enclosure,
    pub split: CollisionSplit,
    /// D = E[loss | some negative is of another class].
    pub different: Enclosure,
    /// S − log(N+1) for S = E[loss | all negatives are of the anchor's class]; not negative by Jensen's inequality, and
    /// exactly zero for point masses.
    pub excess: Enclosure,
    pub anchors: Vec<AnchorLogits>,
    pub k: Enclosure,
    /// log(N + 1).
    pub log_draws: Enclosure,
    /// The best factor for equally likely classes, see [`best_task_factor`].
    pub best: Enclosure,
    task: usize,
}

impl TaskLosses {
    pub fn of(model: &LatentClassModel, k: usize, negatives: u64) -> Result<Self, MeasureError> {
        let split = collision_split(model, negatives)?;
        let points = are_points(model);
        let log_draws = if negatives == 1 { Enclosure::ln_2() } else { (Enclosure::from(negatives) + 1.0).ln() };
        Ok(TaskLosses {
            average: average_over_tasks(model, k)?,
            unsupervised: unsupervised_loss(model, negatives)?.into(),
            jensen: jensen_loss(model, negatives)?.into(),
            tau: model.tau(negatives).into(),
            different: split.different.ok_or("a task needs two classes")?.into(),
            excess: if points { Enclosure::ZERO } else { Enclosure::from(split.same) - log_draws },
            split,
            anchors: anchor_logits(model),
            k: k.into(),
            log_draws,
            best: best_task_factor(model.n_classes(), k, negatives)?.into(),
            task: k,
        })
    }

    pub fn of_task(i: &TaskDraws) -> Result<Self, MeasureError> {
        Self::of(&i.model, i.k, i.negatives)
    }

    /// k/(1 − τ_N).
    pub fn printed_factor(&self) -> Enclosure {
        printed_task_factor(self.task, self.tau)
    }

    /// factor·(L_un^N − τ_N log(N+1)) in nats, in the form factor·((1 − τ_N) D + τ_N (S − log(N+1))), which cancels
    /// nothing.
    pub fn right_side(&self, factor: Enclosure) -> Enclosure {
        factor * (1.0 - self.tau) * self.different + factor * self.tau * self.excess
    }

    /// L_sup,k^μ ≤ factor·(L_un^N − τ_N log(N+1)).
    pub fn bounded(&self, factor: Enclosure) -> Evaluation {
        at_most(self.average, self.right_side(factor))
    }

    /// The expectation over anchors.
    pub fn expectation(&self, of: impl Fn(&AnchorLogits) -> Enclosure) -> Enclosure {
        let terms = self.anchors.iter();
        terms.map(|anchor| of(anchor) * Enclosure::from(anchor.probability)).sum()
    }

    /// The average over anchors, and for each over the k-subsets of the other classes, of a function of their logits.
    pub fn over_subsets(&self, of: impl Fn(&[Enclosure]) -> Enclosure) -> Enclosure {
        self.expectation(|anchor| {
            let others = foreign(anchor);
            let sets = subsets(others.len(), self.task);
            let count = Enclosure::from(sets.len());
            let each = |set: &Vec<usize>| of(&set.iter().map(|&i| others[i]).collect::<Vec<_>>());
            sets.iter().map(each).sum::<Enclosure>() / count
        })
    }

    /// E_{c,x} of the mean over c' ≠ c of ζ(a_{c'}).
    pub fn foreign_softplus(&self) -> Enclosure {
        self.expectation(|anchor| {
            let others = foreign(anchor);
            let count = Enclosure::from(others.len());
            others.into_iter().map(Enclosure::softplus).sum::<Enclosure>() / count
        })
    }
}

/// The logits of the classes other than the anchor's own.
fn foreign(anchor: &AnchorLogits) -> Vec<Enclosure> {
    let others = anchor.logits.iter().enumerate().filter(|(c, _)| *c != anchor.class);
    others.map(|(_, &a)| a.into()).collect()
}

/// Σ ζ(a_i).
pub fn softplus_sum(logits: &[Enclosure]) -> Enclosure {
    logits.iter().map(|a| a.softplus()).sum()
}

/// log(1 + Σ e^{a_i}).
pub fn softplus_of_sum(logits: &[Enclosure]) -> Enclosure {
    log_sum_exp(logits).softplus()
}

/// The control of both forms of the bound: the formula that holds for uniform ρ, for every ρ.
pub fn less_collisions() -> Setting<TaskDraws, TaskLosses> {
    Setting::measuring(|i: &TaskDraws, _| TaskLosses::of_task(i))
        .given(MODEL)
        .given("1 ≤ k ≤ N_C − 1 and N ≥ 1")
        .family(families::models(5, |m| task_sizes(&m)))
        .control(
            "c",
            "L_sup,k^μ ≤ (k/(1−τ_N))·(L_un^N − τ_N log(N+1)) with τ_N = Σ_c ρ(c)^{N+1}, for every ρ",
            |_, l| at_most(l.average, l.printed_factor() * (l.unsupervised - l.tau * l.log_draws)),
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(x: Enclosure, y: Enclosure) -> bool {
        (x - y).abs().hi() < 1e-13
    }

    /// At ±1 the other class has the logit −2: L_sup = log(1 + e^{−2}), and half of all negatives collide.
    #[test]
    fn two_opposite_classes_have_the_losses_that_are_worked_by_hand() {
        let found = TaskLosses::of(&line(&[1.0; 2], &[1.0, -1.0]), 1, 1).unwrap();
        let other = exact(-2.0).exp().ln_1p();
        assert!(near(found.average, other) && near(found.different, other));
        assert!(near(found.unsupervised, (Enclosure::ln_2() + other) / 2.0));
        assert!(near(found.tau, exact(0.5)) && near(found.printed_factor(), exact(2.0)));
        // The best factor is the chance of the other class among one task over that among one draw.
        assert!(near(found.best, exact(2.0)));
        assert!(near(found.right_side(exact(3.0)), 1.5 * other));
        assert!(near(found.foreign_softplus(), other));
    }

    /// Classes of several atoms, where S − log(N + 1) is not zero.
    fn several_atoms() -> LatentClassModel {
        let atom = |weight: f64, x: f64, y: f64| Atom { weight, at: vec![x, y] };
        let classes = vec![
            vec![atom(1.0, 1.0, 0.5), atom(2.0, -1.0, 0.25)],
            vec![atom(1.0, 0.0, 2.0)],
            vec![atom(1.0, 2.0, -1.0), atom(1.0, 0.5, 0.5)],
            vec![atom(1.0, -1.5, -0.5)],
        ];
        LatentClassModel::new(vec![1.0; 4], classes).unwrap()
    }

    #[test]
    fn the_right_side_is_the_difference_that_it_stands_for() {
        for negatives in [1, 2, 3] {
            let found = TaskLosses::of(&several_atoms(), 2, negatives).unwrap();
            let plain = found.unsupervised - found.tau * (exact(negatives as f64) + 1.0).ln();
            let right = found.right_side(exact(0.75));
            assert!((right - 0.75 * plain).abs().hi() < 1e-9, "N = {negatives}: {right}");
            assert!(found.excess.lo() > 1e-3);
        }
    }

    /// An anchor's task with equally likely classes is its own class with k of the others, all equally likely; a class
    /// is in k of n of these sets.
    #[test]
    fn averages_over_subsets_are_those_over_tasks_and_over_classes() {
        for k in 1..4 {
            let found = TaskLosses::of(&several_atoms(), k, 1).unwrap();
            assert!(near(found.over_subsets(softplus_of_sum), found.average), "k = {k}");
            let sums = found.over_subsets(softplus_sum);
            assert!(near(sums, found.k * found.foreign_softplus()), "k = {k}: {sums}");
        }
    }

    #[test]
    fn the_approaching_models_come_near_the_best_factor_and_stay_below() {
        let far = approaching().into_iter().filter(|(name, _)| name.ends_with("10000"));
        let mut tried = 0;
        for (name, draws) in far {
            let found = TaskLosses::of_task(&draws).unwrap();
            let ratio = found.average / found.right_side(exact(1.0));
            assert!(ratio.lo() <= found.best.hi(), "{name}: {ratio}, {}", found.best);
            assert!(ratio.hi() > 0.99 * found.best.lo(), "{name}: {ratio}, {}", found.best);
            let count = far_classes(&draws.model).unwrap();
            assert!(name.starts_with(&format!("{count} of ")), "{name}: {count}");
            tried += 1;
        }
        assert_eq!(tried, 11);
    }
}
