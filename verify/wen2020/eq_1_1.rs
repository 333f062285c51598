//! (1.1): the contrastive objective as a function of the outputs.
//!
//! φ = −log(e^{q·k_0}/Σ_{j≥0} e^{q·k_j}) = log(1 + Σ_{j≥1} e^{q·(k_j − k_0)}) is convex in q, in the keys and in the logits, positive, and
//! not convex in all outputs together: with q = u and all k_j − k_0 = −u at one end, both with the opposite sign at the other, the ends have
//! log(1 + k e^{−‖u‖²}) and the midpoint log(k + 1), for every k, d and u ≠ 0.

use enclosures::vectors::sum_of_products;
use evidence::prelude::*;
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, prop_oneof};
use serde::{Deserialize, Serialize};

/// A query with the keys k_0, …, k_k.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "q = {query:?}, keys {keys:?}")]
struct Outputs {
    #[instance(length = "d in 1..", range = "-1e3..=1e3")]
    query: Vec<f64>,
    #[instance(length = "2.., d", range = "-1e3..=1e3")]
    keys: Vec<Vec<f64>>,
}

/// Two ends of a segment.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, valid = Self::of_one_shape, simpler = Self::with_fewer, stored)]
struct Segment {
    from: Outputs,
    to: Outputs,
}

impl Segment {
    fn in_words(&self) -> String {
        let negatives = self.from.keys.len() - 1;
        format!("k = {negatives}: {} to {}", self.from.describe(), self.to.describe())
    }

    fn of_one_shape(&self) -> Result<(), String> {
        let shape = |o: &Outputs| (o.query.len(), o.keys.len());
        if shape(&self.from) == shape(&self.to) {
            Ok(())
        } else {
            Err("the outputs at the two ends have different shapes".into())
        }
    }

    fn with_fewer(&self) -> Vec<Self> {
        let without = |o: &Outputs, j: usize| {
            let kept = o.keys.iter().enumerate().filter(|(i, _)| *i != j);
            Outputs { query: o.query.clone(), keys: kept.map(|(_, r)| r.clone()).collect() }
        };
        let narrowed = |o: &Outputs, c: usize| {
            let row = |r: &Vec<f64>| r.iter().enumerate().filter(|(i, _)| *i != c).map(|(_, &x)| x).collect();
            Outputs { query: row(&o.query), keys: o.keys.iter().map(row).collect() }
        };
        let fewer =
            (0..self.from.keys.len()).map(|j| Segment { from: without(&self.from, j), to: without(&self.to, j) });
        let flatter =
            (0..self.from.query.len()).map(|c| Segment { from: narrowed(&self.from, c), to: narrowed(&self.to, c) });
        fewer.chain(flatter).collect()
    }
}

type EnclosedVector = Vec<Enclosure>;

fn point(v: &[f64]) -> EnclosedVector {
    v.iter().map(|&x| exact(x)).collect()
}

fn middle(a: &[Enclosure], b: &[Enclosure]) -> EnclosedVector {
    a.iter().zip(b).map(|(&a, &b)| (a + b) / 2.0).collect()
}

fn logits(query: &[Enclosure], keys: &[EnclosedVector]) -> EnclosedVector {
    let logit = |key: &EnclosedVector| {
        let terms = query.iter().zip(key.iter().zip(&keys[0]));
        terms.map(|(&q, (&key, &own))| q * (key - own)).sum()
    };
    keys[1..].iter().map(logit).collect()
}

/// log(1 + Σ e^{s_j}).
fn loss(logits: &[Enclosure]) -> Enclosure {
    log_sum_exp(logits).softplus()
}

fn outputs(o: &Outputs) -> (EnclosedVector, Vec<EnclosedVector>) {
    (point(&o.query), o.keys.iter().map(|k| point(k)).collect())
}

/// −log(e^{q·k_0}/Σ_{j≥0} e^{q·k_j}), by the logarithm of each.
fn printed(o: &Outputs) -> Enclosure {
    let (query, keys) = outputs(o);
    let products: EnclosedVector = keys.iter().map(|key| sum_of_products(&query, key)).collect();
    log_sum_exp(&products) - products[0]
}

/// The largest product in size, which the printed form subtracts.
fn largest_product(o: &Outputs) -> f64 {
    let product = |key: &Vec<f64>| o.query.iter().zip(key).map(|(q, k)| (q * k).abs()).sum::<f64>();
    o.keys.iter().map(product).fold(1.0, f64::max)
}

fn of(o: &Outputs) -> Enclosure {
    let (query, keys) = outputs(o);
    loss(&logits(&query, &keys))
}

/// φ at the midpoint against the mean of the ends.
fn convex(at_middle: Enclosure, ends: [Enclosure; 2]) -> Evaluation {
    at_most(at_middle, (ends[0] + ends[1]) / 2.0)
}

/// Convexity along the segment between two queries at the keys of its beginning.
fn in_the_query(s: &Segment) -> Evaluation {
    let ((q, keys), (p, _)) = (outputs(&s.from), outputs(&s.to));
    let at = |query: &[Enclosure]| loss(&logits(query, &keys));
    convex(at(&middle(&q, &p)), [at(&q), at(&p)])
}

fn in_the_keys(s: &Segment) -> Evaluation {
    let ((q, keys), (_, others)) = (outputs(&s.from), outputs(&s.to));
    let at = |keys: &[EnclosedVector]| loss(&logits(&q, keys));
    let between: Vec<EnclosedVector> = keys.iter().zip(&others).map(|(a, b)| middle(a, b)).collect();
    convex(at(&between), [at(&keys), at(&others)])
}

fn in_the_logits(s: &Segment) -> Evaluation {
    let ends = [&s.from, &s.to].map(|o| {
        let (query, keys) = outputs(o);
        logits(&query, &keys)
    });
    convex(loss(&middle(&ends[0], &ends[1])), [loss(&ends[0]), loss(&ends[1])])
}

fn jointly(s: &Segment) -> Evaluation {
    let ((q, keys), (p, others)) = (outputs(&s.from), outputs(&s.to));
    let between: Vec<EnclosedVector> = keys.iter().zip(&others).map(|(a, b)| middle(a, b)).collect();
    convex(loss(&logits(&middle(&q, &p), &between)), [of(&s.from), of(&s.to)])
}

/// φ > 0, as φ e^{−s} > 0 with the largest logit s where that is negative: e^s itself may be below the smallest double.
fn positive(s: &Segment) -> Evaluation {
    let (query, keys) = outputs(&s.from);
    let all = logits(&query, &keys);
    let (largest, total) = (all.iter().copied().reduce(Enclosure::max).unwrap_or(Enclosure::ZERO), log_sum_exp(&all));
    if total.hi() >= -30.0 {
        return greater_than(loss(&all), 0);
    }
    // x − x²/2 ≤ log(1 + x) ≤ x with x = e^{total} < e^{−30}.
    let share = Enclosure::between(1.0 - 1e-13, 1.0);
    greater_than((total - largest).exp() * share, 0)
}

/// The segment from (u, −u, …, −u) to (−u, u, …, u): its midpoint lies above the mean of its ends.
fn saddle(s: &Segment) -> Evaluation {
    let square: Enclosure = s.from.query.iter().map(|&x| exact(x).square()).sum();
    let negatives = (s.from.keys.len() - 1) as f64;
    let end = (negatives * (-square).exp()).ln_1p();
    // log(k + 1) − log(1 + k e^{−w}) = log(1 + k(1 − e^{−w})/(1 + k e^{−w})), w = ‖u‖².
    let gap = (negatives * -(-square).exp_m1() / (1.0 + negatives * (-square).exp())).ln_1p();
    greater_than(exact(negatives + 1.0).ln(), end).with_margin(gap)
}

pub fn claim() -> Claim {
    Claim::new("wen2020.eq-1.1", "shape of the contrastive objective", Kind::Identity)
        .statement(
            "−log(e^{q·k_0}/Σ_{j=0}^k e^{q·k_j}) = log(1 + Σ_{j=1}^k e^{q·(k_j − k_0)}), convex in q, in the keys and \
             in the logits, not convex in queries and keys together",
        )
        .source("Section 1, (1.1)", &["Section 5.2 (\"clearly convex\")"])
        .symbol("q", "the query, a vector of ℝ^d")
        .symbol("k_0", "the key of the positive; k_1, …, k_k are those of the negatives, all of them vectors of ℝ^d")
        .symbol("Σ_{j≥1}", "the sum over the negatives, j = 1, …, k; Σ_{j≥0} that over j = 0, …, k")
        .symbol(
            "φ",
            "log(1 + Σ_{j≥1} e^{q·(k_j − k_0)}) as a function of q, of the keys k_0, …, k_k, or of the logits q·(k_j − \
             k_0)",
        )
        .symbol("u", "a vector of ℝ^d")
        .setting(two_forms())
}

fn two_forms() -> Setting<Segment, ()> {
    Setting::of()
        .given("k ≥ 1; both ends of a segment have as many keys, of one dimension")
        .family(edge("named", named))
        .family(random("drawn", drawn))
        .part(
            "printed",
            "−log(e^{q·k_0}/Σ_{j≥0} e^{q·k_j}) = log(1 + Σ_{j≥1} e^{q·(k_j − k_0)})",
            holds(),
            |s, ()| {
                let forms = [&s.from, &s.to].map(|o| {
                    equal(printed(o), of(o)).on_scale_of("the largest Σ_c |q_c k_c| (at least 1)", largest_product(o))
                });
                all_of(["from", "to"].into_iter().zip(forms))
            },
        )
        .checked("wen2020.Contrastive.eq_1_1_printed")
        .part(
            "convex",
            "log(1 + Σ_{j≥1} e^{q·(k_j − k_0)}) is convex: φ at the midpoint of two points is at most the mean of φ at \
             both, in q with the keys fixed, in all keys with q fixed, and in the logits q·(k_j − k_0)",
            holds(),
            |s, ()| all_of([("query", in_the_query(s)), ("keys", in_the_keys(s)), ("logits", in_the_logits(s))]),
        )
        .checked_in_part("wen2020.Contrastive.eq_1_1_convex")
        .part(
            "saddle",
            "not convex jointly: between q = u, k_j − k_0 = −u and q = −u, k_j − k_0 = u for all j ≥ 1 the midpoint \
             has log(k + 1), more than log(1 + k e^{−‖u‖²}) at both ends",
            holds(),
            |s, ()| saddle(s),
        )
        .checked("wen2020.Contrastive.eq_1_1_saddle")
        .assume(Hypothesis::new("some coordinate of u is beyond 10⁻¹⁰⁰ in size", |s| {
            s.from.query.iter().any(|x| x.abs() > 1e-100)
        }))
        .ours("positive", "log(1 + Σ_{j≥1} e^{q·(k_j − k_0)}) > 0", holds(), |s, ()| positive(s))
        .checked("wen2020.Contrastive.eq_1_1_positive")
        .because("the paper does not say it; it is why an infimum of zero is not attained")
        .control(
            "a",
            "φ at the midpoint of two points is at most the mean of φ at both, in q and all keys together",
            |s, ()| jointly(s),
        )
        .control("b", "without the positive: log Σ_{j≥1} e^{q·(k_j − k_0)} is the same", |s, ()| {
            let (query, keys) = outputs(&s.from);
            equal(log_sum_exp(&logits(&query, &keys)), of(&s.from))
        })
        .control("c", "φ at the midpoint of two queries is at least the mean of φ at both", |s, ()| {
            let ((q, keys), (p, _)) = (outputs(&s.from), outputs(&s.to));
            let at = |query: &[Enclosure]| loss(&logits(query, &keys));
            at_least(at(&middle(&q, &p)), (at(&q) + at(&p)) / 2.0)
        })
}

fn named() -> Vec<(&'static str, Segment)> {
    let end = |query: &[f64], keys: &[&[f64]]| Outputs {
        query: query.to_vec(),
        keys: keys.iter().map(|k| k.to_vec()).collect(),
    };
    let of = |from: Outputs, to: Outputs| Segment { from, to };
    vec![
        ("a saddle", of(end(&[1.0], &[&[0.0], &[-1.0]]), end(&[-1.0], &[&[0.0], &[1.0]]))),
        ("the other diagonal", of(end(&[1.0], &[&[0.0], &[1.0]]), end(&[-1.0], &[&[0.0], &[-1.0]]))),
        ("zero queries", of(end(&[0.0], &[&[1.0], &[2.0], &[3.0]]), end(&[0.0], &[&[3.0], &[2.0], &[1.0]]))),
        ("all keys equal", of(end(&[2.0], &[&[1.0], &[1.0]]), end(&[-3.0], &[&[1.0], &[1.0]]))),
        ("a logit of −2000", of(end(&[1000.0], &[&[2.0], &[0.0]]), end(&[1000.0], &[&[0.0], &[2.0]]))),
        ("logits of ±700", of(end(&[700.0], &[&[1.0], &[0.0]]), end(&[-700.0], &[&[1.0], &[0.0]]))),
        (
            "small outputs",
            of(end(&[1e-3, 0.0], &[&[1e-3, 0.0], &[0.0, 1e-3]]), end(&[0.0, 1e-3], &[&[0.0; 2], &[1e-3; 2]])),
        ),
        (
            "one end twice",
            of(end(&[1.0, 2.0], &[&[0.5, 0.5], &[1.0, -1.0]]), end(&[1.0, 2.0], &[&[0.5, 0.5], &[1.0, -1.0]])),
        ),
    ]
}

fn drawn() -> impl Strategy<Value = Segment> {
    let scale = prop_oneof![Just(1e-3), Just(0.1), Just(1.0), Just(10.0), Just(300.0)];
    (1usize..=5, 1usize..=4, scale).prop_flat_map(|(k, d, scale)| {
        let row = vec((-1.0..1.0f64).prop_map(move |x| scale * x), d);
        let end = move || (row.clone(), vec(row.clone(), k + 1)).prop_map(|(query, keys)| Outputs { query, keys });
        (end(), end()).prop_map(|(from, to)| Segment { from, to })
    })
}
