//! Section 7, proof of Lemma 2: the log-sum-exp of some of the entries is at most that of all.
//!
//! True: terms e^{x_i} > 0 are dropped; what is lost is exactly ζ(LSE(dropped) − LSE(kept)). In the proof the kept
//! entries are one a_c for every class. Its own class need not be drawn: the entry 0 = a_c stands in the list already.

use evidence::prelude::*;
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, any};
use serde::{Deserialize, Serialize};

use crate::shared::factored::{at_least_by, at_most_by};
use crate::shared::families::log_uniform;
use crate::shared::notation::{LOG_SUM_EXP, SOFTPLUS};
use crate::shared::reals::Reals;

/// A list and which of its entries are kept.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, valid = Self::fits, simpler = Self::smaller, stored)]
struct Subset {
    list: Reals,
    kept: Vec<bool>,
}

impl Subset {
    fn of(x: &[f64], kept: &[usize]) -> Self {
        Subset { list: Reals::of(x), kept: (0..x.len()).map(|i| kept.contains(&i)).collect() }
    }

    /// The entries that are kept, or those that are not.
    fn part(&self, kept: bool) -> Vec<Enclosure> {
        let entries = self.list.enclosures().into_iter().zip(&self.kept);
        entries.filter(|(_, k)| **k == kept).map(|(x, _)| x).collect()
    }
}

impl Subset {
    fn in_words(&self) -> String {
        let indices: Vec<String> = (1..).zip(&self.kept).filter(|(_, k)| **k).map(|(i, _)| i.to_string()).collect();
        format!("{}, S = {{{}}}", self.list.describe(), indices.join(", "))
    }

    fn fits(&self) -> Result<(), String> {
        let mut kept = self.list.x.iter().zip(&self.kept).filter(|(_, k)| **k);
        if self.kept.len() != self.list.len() || !kept.any(|(x, _)| x.is_some()) {
            return Err("S must contain the place of a finite entry, and say of every place whether it belongs".into());
        }
        Ok(())
    }

    fn smaller(&self) -> Vec<Self> {
        let without = |drop: usize| {
            let mut smaller = self.clone();
            smaller.list.x.remove(drop);
            smaller.kept.remove(drop);
            smaller
        };
        (0..self.kept.len()).filter(|_| self.kept.len() > 1).map(without).collect()
    }
}

/// LSE over S, LSE over all entries, and LSE over those dropped.
struct RestrictedSums {
    some: Enclosure,
    all: Enclosure,
    dropped: Enclosure,
}

impl RestrictedSums {
    /// LSE(x) − LSE(x_S).
    fn lost(&self) -> Enclosure {
        (self.dropped - self.some).softplus()
    }
}

fn sides(s: &Subset) -> RestrictedSums {
    RestrictedSums {
        some: log_sum_exp(&s.part(true)),
        all: log_sum_exp(&s.list.enclosures()),
        dropped: log_sum_exp(&s.part(false)),
    }
}

fn named() -> Vec<(&'static str, Subset)> {
    let infinite = f64::NEG_INFINITY;
    vec![
        ("all kept", Subset::of(&[1.0, 2.0, -3.0], &[0, 1, 2])),
        ("two zeros, one kept", Subset::of(&[0.0, 0.0], &[0])),
        ("the largest dropped", Subset::of(&[50.0, 0.0, -1.0], &[1, 2])),
        ("negligible ones dropped", Subset::of(&[0.0, -800.0, -800.0], &[0])),
        ("all negligible but the dropped one", Subset::of(&[-800.0, -801.0, 0.0], &[0, 1])),
        ("beyond the exponential", Subset::of(&[1e4, 9990.0, -1e4], &[0, 2])),
        ("a missing entry dropped", Subset::of(&[0.5, infinite], &[0])),
        ("a missing entry kept", Subset::of(&[0.5, infinite, 0.25], &[0, 1])),
        ("tiny", Subset::of(&[1e-300, -1e-300, 1e-17], &[1])),
    ]
}

fn drawn() -> impl Strategy<Value = Subset> {
    (1usize..=8, log_uniform(1e-3, 1e3)).prop_flat_map(|(n, scale)| {
        let list = vec((-scale..scale).prop_map(Some), n).prop_map(|x| Reals { x });
        let kept = (vec(any::<bool>(), n), 0..n).prop_map(|(mut kept, one)| {
            kept[one] = true;
            kept
        });
        (list, kept).prop_map(|(list, kept)| Subset { list, kept })
    })
}

/// Logits of the classes, the anchor's own first and zero, and the classes of the negatives.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "a = (0, {others:?}), I = {drawn:?}", valid = Self::fits, simpler = Self::of_fewer_draws, stored)]
struct DrawnClasses {
    #[instance(range = "-1e6..=1e6")]
    others: Vec<f64>,
    drawn: Vec<usize>,
}

impl DrawnClasses {
    fn logits(&self) -> Vec<Enclosure> {
        [0.0].into_iter().chain(self.others.iter().copied()).map(exact).collect()
    }

    fn shows(&self, class: usize) -> bool {
        self.drawn.contains(&class)
    }

    /// LSE(0, a_{I_1}, …, a_{I_N}).
    fn of_negatives(&self) -> Enclosure {
        let logits = self.logits();
        let terms: Vec<Enclosure> =
            [Enclosure::ZERO].into_iter().chain(self.drawn.iter().map(|&c| logits[c])).collect();
        log_sum_exp(&terms)
    }

    /// LSE(a_1, …, a_{N_C}).
    fn of_classes(&self) -> Enclosure {
        log_sum_exp(&self.logits())
    }
}

impl DrawnClasses {
    fn fits(&self) -> Result<(), String> {
        if self.drawn.iter().all(|&c| c <= self.others.len()) { Ok(()) } else { Err("a class does not exist".into()) }
    }

    fn of_fewer_draws(&self) -> Vec<Self> {
        let without = |drop: usize| {
            let mut smaller = self.clone();
            smaller.drawn.remove(drop);
            smaller
        };
        (0..self.drawn.len()).map(without).collect()
    }
}

fn named_draws() -> Vec<(&'static str, DrawnClasses)> {
    let of = |others: &[f64], drawn: &[usize]| DrawnClasses { others: others.to_vec(), drawn: drawn.to_vec() };
    vec![
        ("each class once", of(&[1.0, -2.0], &[0, 1, 2])),
        ("all but the own class", of(&[1.0, -2.0], &[2, 1])),
        ("zero logits, each once", of(&[0.0, 0.0], &[0, 1, 2])),
        ("a large one is missing", of(&[1.0, 20.0], &[0, 1, 1, 0])),
        ("zero logits, one class is drawn", of(&[0.0, 0.0], &[1])),
        ("the larger one is missing", of(&[1.0, -2.0], &[0, 2])),
        ("large logits", of(&[900.0, -900.0, 899.0], &[3, 2, 1, 0, 0])),
        ("one class", of(&[], &[0, 0])),
    ]
}

fn drawn_classes() -> impl Strategy<Value = DrawnClasses> {
    (1usize..=4, log_uniform(0.01, 100.0)).prop_flat_map(|(others, scale)| {
        let extra = vec(0..=others, 0..=6);
        (vec(-scale..scale, others), extra, Just(others), any::<bool>()).prop_map(|(logits, mut drawn, others, own)| {
            drawn.extend(1..=others);
            drawn.extend(own.then_some(0));
            DrawnClasses { others: logits, drawn }
        })
    })
}

pub fn claim() -> Claim {
    Claim::new("merad2020.fact-lse-restrict", "monotone under restriction", Kind::Inequality)
        .statement("LSE(x_S) ≤ LSE(x) for all x ∈ ℝ^n and ∅ ≠ S ⊆ {1..n}")
        .symbols([LOG_SUM_EXP, SOFTPLUS])
        .symbol("x_S", "the entries x_i with i ∈ S; S^c are the other indices")
        .symbol(
            "I_1",
            "I_1, …, I_N are the classes of the N negatives, any of 1, …, N_C; a_1, …, a_{N_C} are any real numbers \
             but for a_c",
        )
        .source("section 7, proof of Lemma 2", &["section A of the earlier version, proof of Lemma 3.2"])
        .setting(printed())
        .setting(own_class_free())
}

fn printed() -> Setting<Subset, RestrictedSums> {
    Setting::measuring(|s: &Subset, _| Ok(sides(s)))
        .given("x has n ≥ 1 entries, each a real number or −∞; x_i is finite for some i ∈ S ⊆ {1..n}")
        .family(edge("named", named))
        .family(random("drawn subsets", drawn))
        .part("printed", "LSE(x_S) ≤ LSE(x)", holds(), |_, s| at_most_by(s.some, s.all, s.lost()))
        .checked("merad2020.LogSumExp.fact_lse_restrict_printed")
        .sharpening("lost", "LSE(x) = LSE(x_S) + ζ(LSE(x_{S^c}) − LSE(x_S))", holds(), |_, s| {
            equal(s.all, s.some + s.lost()).on_scale_of("1", 1.0)
        })
        .checked("merad2020.LogSumExp.fact_lse_restrict_lost")
        .control("a", "LSE(x_S) ≥ LSE(x)", |_, s| at_least_by(s.some, s.all, -s.lost()))
        .control("b", "LSE(x_S) + ½ ≤ LSE(x) for S ≠ {1..n}", |_, s| at_least(s.lost(), exact(0.5)))
        .assume(Hypothesis::new("S ≠ {1..n}", |s| s.kept.iter().any(|&k| !k)))
}

fn own_class_free() -> Setting<DrawnClasses, ()> {
    Setting::of()
        .given("a_c = 0 for the anchor's class c")
        .family(edge("named", named_draws))
        .family(random("drawn classes", drawn_classes))
        .step("use", "LSE(0, a_{I_1}, …, a_{I_N}) ≥ LSE(a_1, …, a_{N_C})", holds(), |d: &DrawnClasses, ()| {
            at_least(d.of_negatives(), d.of_classes())
        })
        .assume(Hypothesis::new("every class is drawn", |d| (0..=d.others.len()).all(|c| d.shows(c))))
        .sharpening("own-class-free", "LSE(0, a_{I_1}, …, a_{I_N}) ≥ LSE(a_1, …, a_{N_C})", holds(), |d, ()| {
            at_least(d.of_negatives(), d.of_classes())
        })
        .checked("merad2020.Lemma2.fact_lse_restrict_own_class_free")
        .assume(Hypothesis::new("every other class is drawn", |d| (1..=d.others.len()).all(|c| d.shows(c))))
        .control("c", "LSE(0, a_{I_1}, …, a_{I_N}) ≥ LSE(a_1, …, a_{N_C}) whatever is drawn", |d, ()| {
            at_least(d.of_negatives(), d.of_classes())
        })
}
