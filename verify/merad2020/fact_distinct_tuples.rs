//! Section 7, proof of Proposition 1: averaging over distinct classes.
//!
//! True: by symmetry each of c_1, …, c_k is uniform on the classes other than c. By counting: a class lies in C(N_C−2,
//! k−1) of the C(N_C−1, k) subsets, a fraction k/(N_C−1). Only the classes other than c have to be equally likely; the
//! probability of c does not enter. If they are not, conditioning k ≥ 2 independent draws on being distinct favours the
//! rare classes.

use enclosures::enclosure::plain;
use enclosures::vectors::{largest_magnitude, unit_vector};
use evidence::prelude::*;
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, prop_oneof};
use serde::{Deserialize, Serialize};

use crate::shared::families::log_uniform;
use crate::shared::notation::CLASS_COUNT;
use crate::shared::subsets::subsets;

/// The classes other than c, each with a relative weight and the value of h, and the number k of distinct draws from
/// them.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, valid = Self::fits, simpler = Self::with_fewer, stored)]
struct Others {
    #[instance(range = "1..")]
    k: usize,
    #[instance(length = "n in 1..=8", range = "1e-9..=1e9")]
    weights: Vec<f64>,
    #[instance(length = "n")]
    h: Vec<f64>,
}

impl Others {
    fn uniform(k: usize, h: Vec<f64>) -> Self {
        Others { k, weights: vec![1.0; h.len()], h }
    }

    fn is_uniform(&self) -> bool {
        self.weights.windows(2).all(|pair| pair[0] == pair[1])
    }
}

impl Others {
    fn in_words(&self) -> String {
        let list = |v: &[f64]| v.iter().map(|&x| plain(x, 6)).collect::<Vec<_>>().join(", ");
        let weights = if self.is_uniform() { String::new() } else { format!(", weights ({})", list(&self.weights)) };
        format!("N_C = {}, k = {}, h = ({}){weights}", self.h.len() + 1, self.k, list(&self.h))
    }

    fn fits(&self) -> Result<(), String> {
        if self.k <= self.h.len() { Ok(()) } else { Err("k is at most N_C − 1".into()) }
    }

    fn with_fewer(&self) -> Vec<Self> {
        let without = |drop: usize| {
            let mut smaller = self.clone();
            smaller.weights.remove(drop);
            smaller.h.remove(drop);
            smaller.k = smaller.k.min(smaller.h.len());
            smaller
        };
        let n = self.h.len();
        let fewer_draws = (1..self.k).map(|k| Others { k, ..self.clone() });
        (0..n).filter(|_| n > 1).map(without).chain(fewer_draws).collect()
    }
}

/// Visits every ordered tuple of k distinct elements of {0, …, n−1}.
fn for_each_tuple(n: usize, k: usize, tuple: &mut Vec<usize>, visit: &mut impl FnMut(&[usize])) {
    if tuple.len() == k {
        visit(tuple);
        return;
    }
    for next in 0..n {
        if !tuple.contains(&next) {
            tuple.push(next);
            for_each_tuple(n, k, tuple, visit);
            tuple.pop();
        }
    }
}

/// C(n, k) as a product of exact quotients.
fn binomial(n: usize, k: usize) -> usize {
    (1..=k).fold(1, |product, i| product * (n + 1 - i) / i)
}

/// E[h(c⁻) | c⁻ ≠ c].
fn one_draw(o: &Others) -> Enclosure {
    let total: Enclosure = o.weights.iter().map(|&w| exact(w)).sum();
    o.weights.iter().zip(&o.h).map(|(&w, &h)| exact(w) * h).sum::<Enclosure>() / total
}

/// (1/k) E[Σ_{i≤k} h(c_i) | c, c_1, …, c_k distinct] for independent draws: every ordered tuple counts with the product
/// of its weights.
fn distinct_draws(o: &Others) -> Enclosure {
    let (mut total, mut mass) = (Enclosure::ZERO, Enclosure::ZERO);
    for_each_tuple(o.h.len(), o.k, &mut Vec::new(), &mut |tuple| {
        let weight = tuple.iter().fold(Enclosure::ONE, |product, &i| product * o.weights[i]);
        total += weight * tuple.iter().map(|&i| exact(o.h[i])).sum::<Enclosure>();
        mass += weight;
    });
    total / mass / o.k as f64
}

/// The same over subsets, for equal weights.
fn subset_average(o: &Others) -> Enclosure {
    let sets = subsets(o.h.len(), o.k);
    let each = sets.iter().map(|set| set.iter().map(|&i| exact(o.h[i])).sum::<Enclosure>());
    each.sum::<Enclosure>() / sets.len() as f64 / o.k as f64
}

fn same(o: &Others, left: Enclosure, right: Enclosure) -> Evaluation {
    let scale = largest_magnitude(&o.h);
    equal(left, right).on_scale_of("max |h|", scale)
}

/// Every other class lies in `expected` of the k-subsets.
fn counted(o: &Others, expected: usize) -> Evaluation {
    let sets = subsets(o.h.len(), o.k);
    let occurs = |class: usize| sets.iter().filter(|set| set.contains(&class)).count();
    for_each_index("class", 0..o.h.len(), |class| equal(occurs(class), expected))
}

fn named() -> Vec<(String, Others)> {
    let mut list = Vec::new();
    for n in 1..=8usize {
        for k in 1..=n {
            let mut add = |what: &str, h: Vec<f64>| {
                list.push((format!("N_C = {}, k = {k}, {what}", n + 1), Others::uniform(k, h)));
            };
            add("h one-hot", unit_vector(n, 0));
            add("h of a huge range", (0..n).map(|i| if i % 2 == 0 { 1e15 } else { -1.0 / (i as f64) }).collect());
        }
    }
    list
}

fn skewed() -> Vec<(&'static str, Others)> {
    let of = |k, weights: &[f64], h: &[f64]| Others { k, weights: weights.to_vec(), h: h.to_vec() };
    vec![
        ("ρ = (0.6, 0.3, 0.1), c the last", of(2, &[6.0, 3.0], &[1.0, 0.0])),
        ("k = 1", of(1, &[6.0, 3.0], &[1.0, 0.0])),
        ("four classes", of(2, &[8.0, 1.0, 1.0], &[1.0, 0.0, 0.0])),
        ("equal but for c", of(2, &[3.0, 3.0, 3.0], &[1.0, 0.0, 5.0])),
    ]
}

fn drawn(uniform: bool) -> impl Strategy<Value = Others> {
    (1usize..=6).prop_flat_map(move |n| {
        let value = prop_oneof![-1.0..1.0f64, log_uniform(1e-6, 1e6)];
        let weights = if uniform { Just(vec![1.0; n]).boxed() } else { vec(log_uniform(0.01, 1.0), n).boxed() };
        (1..=n, weights, vec(value, n)).prop_map(|(k, weights, h)| Others { k, weights, h })
    })
}

pub fn claim() -> Claim {
    Claim::new("merad2020.fact-distinct-tuples", "averaging over distinct tuples", Kind::Identity)
        .statement(
            "E[h(c⁻) | c⁻ ≠ c] = (1/k)·E[Σ_{i≤k} h(c_i) | c, c_1, …, c_k distinct] for uniform ρ, N_C ≥ 2, 1 ≤ k ≤ N_C \
             − 1 and every h",
        )
        .symbols([CLASS_COUNT])
        .symbol("c⁻", "a class drawn from ρ; c is a fixed class, and c_1, …, c_k are independent draws from ρ")
        .symbol("h", "any real function on 𝒞 without c")
        .symbol("C(N_C−2, k−1)", "binomial coefficients; the k-subsets are those of the N_C − 1 classes other than c")
        .source(
            "section 7, proof of Proposition 1",
            &["section A of the earlier version, proof of Proposition 3.3, where it is complete"],
        )
        .setting(printed())
        .setting(over_the_other_classes())
}

fn printed() -> Setting<Others, ()> {
    Setting::of()
        .given("N_C ≥ 2 and 1 ≤ k ≤ N_C − 1")
        .assume(Hypothesis::new(
            "the classes other than c are equally likely, with a positive probability",
            Others::is_uniform,
        ))
        .family(edge("every size", named))
        .family(edge("weights", skewed))
        .family(random("drawn values", || drawn(true)))
        .without_search()
        .part(
            "printed",
            "E[h(c⁻) | c⁻ ≠ c] = (1/k)·E[Σ_{i≤k} h(c_i) | c, c_1, …, c_k distinct]",
            holds(),
            |o, ()| same(o, one_draw(o), distinct_draws(o)),
        )
        .checked("merad2020.DistinctTuples.fact_distinct_tuples_printed")
        .step("s1", "each class other than c lies in exactly C(N_C−2, k−1) of the k-subsets", holds(), |o, ()| {
            counted(o, binomial(o.h.len() - 1, o.k - 1))
        })
        .step(
            "s2",
            "(N_C−1)·C(N_C−2, k−1) = k·C(N_C−1, k), the number of entries of all k-subsets",
            holds(),
            |o, ()| {
                let n = o.h.len();
                let (part, whole) = (binomial(n - 1, o.k - 1), binomial(n, o.k));
                all_of([
                    ("quotient", equal(n * part, o.k * whole)),
                    ("number of subsets", equal(whole, subsets(n, o.k).len())),
                ])
            },
        )
        .step(
            "s3",
            "(1/k)·E[Σ_{i≤k} h(c_i) | c, c_1, …, c_k distinct], over ordered tuples, is the mean of (1/k)·Σ_{t∈S} h(t) \
             over all k-subsets S",
            holds(),
            |o, ()| same(o, distinct_draws(o), subset_average(o)),
        )
        .control("a", "each class lies in C(N_C−1, k−1) of the k-subsets", |o, ()| {
            counted(o, binomial(o.h.len(), o.k - 1))
        })
        .control("d", "(N_C−1)·C(N_C−2, k−1) = k·C(N_C−1, k−1)", |o, ()| {
            let n = o.h.len();
            equal(n * binomial(n - 1, o.k - 1), o.k * binomial(n, o.k - 1))
        })
        .control(
            "c",
            "E[h(c⁻) | c⁻ ≠ c] = (1/(k+1))·E[Σ_{i≤k} h(c_i) | c, c_1, …, c_k distinct]",
            |o, ()| same(o, one_draw(o), distinct_draws(o) * o.k as f64 / (o.k as f64 + 1.0)),
        )
}

fn over_the_other_classes() -> Setting<Others, ()> {
    Setting::of()
        .given("N_C ≥ 2 and 1 ≤ k ≤ N_C − 1; any ρ that is positive on the classes other than c")
        .family(edge("weights", skewed))
        .family(random("drawn weights", || drawn(false)))
        .sharpening(
            "one",
            "E[h(c⁻) | c⁻ ≠ c] = (1/k)·E[Σ_{i≤k} h(c_i) | c, c_1, …, c_k distinct]",
            holds(),
            |o: &Others, ()| same(o, one_draw(o), distinct_draws(o)),
        )
        .checked("merad2020.DistinctTuples.fact_distinct_tuples_one")
        .assume(Hypothesis::new("k = 1", |o| o.k == 1))
        .control(
            "b",
            "E[h(c⁻) | c⁻ ≠ c] = (1/k)·E[Σ_{i≤k} h(c_i) | c, c_1, …, c_k distinct] for every ρ",
            |o, ()| same(o, one_draw(o), distinct_draws(o)),
        )
}
