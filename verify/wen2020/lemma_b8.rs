//! Lemma B.8: σ(a) − σ(b) is a diagonal matrix D + D″ applied to a − b.
//!
//! Coordinate by coordinate, (p3) reads σ(a) − σ(b) = (D + D″)(a − b). Where a ≠ b it leaves no choice: D + D″ is the
//! slope of the chord of σ between b and a, which lies in [0, 1]. Both signs equal: D″ = 0. For a < 0 ≤ b: D″ = b/(b −
//! a) ∈ [0, 1). For a ≥ 0 > b: D = 1 and D″ = −|b|/(a + |b|) ∈ [−1, 0), so that |D − D″| = 1 + |b|/(a + |b|) > 1
//! always, up to 2. Hence the printed constraint fails exactly where some a_k ≥ 0 > b_k, and with a plus sign it holds
//! everywhere. Where a = b any entry satisfies (p3), and D″ = 0 satisfies the rest.

use enclosures::piecewise_linear::{ReluDifference, relu_difference};
use evidence::claim::none_of;
use evidence::prelude::*;
use proptest::collection::vec;
use proptest::prop_oneof;
use proptest::strategy::{Just, Strategy};
use serde::{Deserialize, Serialize};

use crate::shared::signs::RELU;

/// Two vectors of pre-activations.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "m = {m}, a = {a:?}, b = {b:?}", simpler = Self::one_entry, stored)]
struct PreActivations {
    #[instance(length = "m in 1..", range = "-1e100..=1e100")]
    a: Vec<f64>,
    #[instance(length = "m", range = "-1e100..=1e100")]
    b: Vec<f64>,
}

impl PreActivations {
    fn one_entry(&self) -> Vec<Self> {
        let one = |k: usize| PreActivations { a: vec![self.a[k]], b: vec![self.b[k]] };
        if self.a.len() == 1 { Vec::new() } else { (0..self.a.len()).map(one).collect() }
    }
}

/// One coordinate: both pre-activations and the entries of D and D″ that (p3) forces.
struct Coordinate {
    a: f64,
    b: f64,
    entry: ReluDifference,
}

impl Coordinate {
    fn first_only(&self) -> bool {
        self.a >= 0.0 && self.b < 0.0
    }

    fn correction(&self) -> Enclosure {
        self.entry.correction.into()
    }

    /// |D − D″| ≤ 1. Where only a is active, the margin is 1 − |1 − D″| = D″ ≤ 0.
    fn printed(&self) -> Evaluation {
        let compared = at_most(self.entry.minus(), 1);
        if self.first_only() { compared.with_margin(self.correction()) } else { compared }
    }

    /// σ(a) − σ(b) = factor·(a − b), relative to the larger of |a| and |b|.
    fn identity(&self, factor: Enclosure) -> Evaluation {
        let difference = exact(self.a.max(0.0)) - self.b.max(0.0);
        let linear = factor * (exact(self.a) - self.b);
        equal(difference, linear).on_scale_of("max(|a|, |b|)", self.a.abs().max(self.b.abs()))
    }

    fn indicator(&self) -> Enclosure {
        self.entry.indicator().into()
    }

    fn slope(&self) -> Enclosure {
        self.entry.slope.into()
    }
}

fn coordinates(i: &PreActivations) -> Result<Vec<Coordinate>, Box<dyn std::error::Error + Send + Sync>> {
    let entries = relu_difference(&i.a, &i.b)?;
    let pairs = i.a.iter().zip(&i.b).zip(entries);
    Ok(pairs.map(|((&a, &b), entry)| Coordinate { a, b, entry }).collect())
}

/// The statement in every coordinate.
fn everywhere(all: &[Coordinate], test: impl Fn(&Coordinate) -> Evaluation) -> Evaluation {
    for_each("coordinate", all, |_, c| test(c))
}

pub fn claim() -> Claim {
    Claim::new("wen2020.lemma-b8", "linearised ReLU difference", Kind::Identity)
        .statement(
            "for all a, b ∈ ℝ^m and D = diag(1{a_k ≥ 0}) there is a diagonal D″ with (p1) |D_kk − D″_kk| ≤ 1 and \
             |D″_kk| ≤ 1, (p2) D″_kk ≠ 0 only if 1{a_k ≥ 0} ≠ 1{b_k ≥ 0}, (p3) σ(a) − σ(b) = (D + D″)(a − b)",
        )
        .source("Lemma B.8", &["quoted with |D + D″| ≤ 1 in Appendix D.2"])
        .symbols([RELU])
        .symbol("D_kk", "1{a_k ≥ 0}, the entries of the diagonal matrix D; D″ likewise")
        .symbol("D″_kk", "(σ(a_k) − σ(b_k))/(a_k − b_k) − D_kk where a_k ≠ b_k, and 0 where a_k = b_k")
        .remark(
            "Where a_k ≠ b_k, (p3) determines D″_kk, so that existence is decided by looking at one number: D + D″ is \
             the slope of the chord of σ between b_k and a_k. It lies in [0, 1], which is the amended (p1); the minus \
             sign is a misprint that matters exactly where a_k ≥ 0 > b_k, where |D − D″| = 1 + |b_k|/(a_k + |b_k|).",
        )
        .setting(single_vectors())
}

fn single_vectors() -> Setting<PreActivations, Vec<Coordinate>> {
    Setting::measuring(|i: &PreActivations, _| coordinates(i))
        .given("a, b ∈ ℝ^m, m ≥ 1; k is each of 1, …, m")
        .degenerate("a_k = 0 or b_k = 0 for some k", |i| i.a.iter().chain(&i.b).any(|&x| x == 0.0))
        .family(edge("named", named))
        .family(random("Gaussian scales with ties and zeros", mixed))
        .part(
            "printed",
            "(p1) with the D″ that (p3) forces: |D_kk − D″_kk| ≤ 1",
            fails(
                "for a_k ≥ 0 > b_k the entry of D″ is negative, so that |D − D″| = 1 + |D″| > 1: the sign should be \
                 plus",
            ),
            |_, all| everywhere(all, Coordinate::printed),
        )
        .sides("|D_kk − D″_kk|", "1")
        .checked("wen2020.ReluSlopes.lemma_b8_printed_refuted")
        .part("p1-size", "second half of (p1): |D″_kk| ≤ 1", holds(), |_, all| {
            everywhere(all, |c| at_most(c.correction().abs(), 1))
        })
        .checked("wen2020.ReluSlopes.lemma_b8_size")
        .part("p2", "D″_kk = 0 unless exactly one of a_k, b_k is at least 0", holds(), |_, all| {
            let wrong = |c: &&Coordinate| (c.a >= 0.0) == (c.b >= 0.0) && c.correction().magnitude() > 0.0;
            none_of(all.iter().filter(wrong).count())
        })
        .tested_by("e")
        .checked("wen2020.ReluSlopes.lemma_b8_p2")
        .part("p3", "σ(a) − σ(b) = (D + D″)(a − b)", holds(), |_, all| {
            everywhere(all, |c| c.identity(c.indicator() + c.correction()))
        })
        .checked("wen2020.ReluSlopes.lemma_b8_p3")
        .meant("quoted", "as Appendix D.2 quotes it: |D_kk + D″_kk| ≤ 1", holds(), |_, all| {
            everywhere(all, |c| at_most(c.slope().abs(), 1))
        })
        .because("Appendix D.2 quotes (p1) with a plus sign")
        .checked("wen2020.ReluSlopes.lemma_b8_quoted")
        .amendment(
            "plus",
            "(p1) with a plus sign, |D_kk + D″_kk| ≤ 1, and (p3), σ(a) − σ(b) = (D + D″)(a − b), with the same D″",
            holds(),
            |_, all| {
                everywhere(all, |c| all_of([("(p1)", at_most(c.entry.plus(), 1)), ("(p3)", c.identity(c.slope()))]))
            },
        )
        .checked("wen2020.ReluSlopes.lemma_b8_plus")
        .amendment("where", "|D_kk − D″_kk| ≤ 1 exactly where not a_k ≥ 0 > b_k", holds(), |_, all| {
            everywhere(all, |c| {
                if c.first_only() { greater_than(c.entry.minus(), 1).with_margin(-c.correction()) } else { c.printed() }
            })
        })
        .checked("wen2020.ReluSlopes.lemma_b8_where")
        .sharpening("slope", "0 ≤ D_kk + D″_kk ≤ 1, the slope of a chord of σ", holds(), |_, all| {
            everywhere(all, |c| {
                let slope = c.slope();
                ascending([0.into(), slope, 1.into()])
            })
        })
        .checked("wen2020.ReluSlopes.lemma_b8_slope")
        .sharpening("extent", "|D_kk − D″_kk| ≤ 2, attained at a_k = 0 > b_k", holds(), |_, all| {
            everywhere(all, |c| at_most(c.entry.minus(), 2))
        })
        .checked("wen2020.ReluSlopes.lemma_b8_extent")
        .control("e", "D″_kk = 0 for all k", |_, all| {
            let wrong = |c: &&Coordinate| c.correction().magnitude() > 0.0;
            none_of(all.iter().filter(wrong).count())
        })
        .control("a", "σ(a) − σ(b) = D(a − b), D″ = 0", |_, all| everywhere(all, |c| c.identity(c.indicator())))
        .control("b", "D″_kk ≥ 0 for all k", |_, all| everywhere(all, |c| at_least(c.correction(), 0)))
        .control("c", "σ(a) − σ(b) = (D + D″)(b − a)", |_, all| everywhere(all, |c| c.identity(-c.slope())))
        .control("d", "|D_kk − D″_kk| ≤ 1.9", |_, all| {
            let active: Vec<_> = all.iter().filter(|c| c.first_only()).collect();
            if active.is_empty() {
                return vacuous("no coordinate has a_k ≥ 0 > b_k");
            }
            all_of(active.into_iter().map(|c| ("a coordinate", at_most(c.entry.minus(), exact(1.9)))))
        })
        .except("no coordinate has a_k ≥ 0 > b_k")
}

fn named() -> Vec<(&'static str, PreActivations)> {
    let of = |a: &[f64], b: &[f64]| PreActivations { a: a.to_vec(), b: b.to_vec() };
    vec![
        ("a = 1, b = −1", of(&[1.0], &[-1.0])),
        ("the extreme: a = 0, b = −1", of(&[0.0], &[-1.0])),
        ("the other way round", of(&[-1.0], &[1.0])),
        ("b = 0 > a", of(&[-1.0], &[0.0])),
        ("zeros", of(&[0.0, 0.0], &[0.0, 0.0])),
        ("equal entries", of(&[1.5, -2.0], &[1.5, -2.0])),
        ("same pattern", of(&[2.0, -1.0], &[0.5, -3.0])),
        ("b = −a", of(&[1.0, -2.0, 3.0], &[-1.0, 2.0, -3.0])),
        ("nearly equal across zero", of(&[1e-12, -1e-12], &[-1e-12, 1e-12])),
        ("far apart in size", of(&[1e-20, 1e20], &[-1.0, -1.0])),
        ("negative zero", of(&[-0.0, -1.0], &[-1.0, -0.0])),
    ]
}

fn mixed() -> impl Strategy<Value = PreActivations> {
    let size = (-6.0..6.0f64).prop_map(|u| exact(u).exp().midpoint());
    let pair = (size, -1.0..1.0f64, -1.0..1.0f64, 0..8u32).prop_map(|(s, x, y, tie)| match tie {
        0 => (s * x, -s * x),
        1 => (s * x, s * x),
        2 => (0.0, -s * y.abs()),
        _ => (s * x, s * y),
    });
    prop_oneof![Just(1usize), 2usize..=50].prop_flat_map(move |m| {
        vec(pair.clone(), m).prop_map(|pairs| {
            let (a, b) = pairs.into_iter().unzip();
            PreActivations { a, b }
        })
    })
}
