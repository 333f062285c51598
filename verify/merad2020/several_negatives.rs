//! Section 4, after (11): the approach also applies to several negatives.
//!
//! What Theorem 1 takes from the loss are three facts: it is smooth on bounded outputs (Lemma 3), bounded on them (proof of Lemma 6), and small where
//! its gradient is (Lemma 4). All three hold for ℓ_N = log(1 + Σ_j e^{a_j}), a_j = z⁰·(z_j − z⁺), with the constants of one negative.
//!
//! * With v_j = ∂ℓ_N/∂a_j and S = Σ_j v_j = 1 − e^{−ℓ_N}, ∇²ℓ_N is Σ_j v_j ∇²a_j, of norm √(S² + Σ_j v_j²) ≤ √2, plus the covariance of ∇a_J under v. Two
//!   of these gradients differ along a unit vector by at most √(‖z_i − z_j‖² + 2‖z⁰‖²) ≤ √6 C, so that the covariance is at most 3C²/2. Hence
//!   ‖∇²ℓ_N‖ ≤ √2 + 3C²/2 ≤ 2 + 8C² for every N.
//! * |a_j| ≤ 2C², so that ℓ_N ≤ log(1 + N e^{2C²}).
//! * Block z⁺ of the gradient is −S z⁰ and block j is v_j z⁰, so that S √(1 + 1/N) ≤ ε/η and ℓ_N = −log(1 − S). The proof of Lemma 4 takes the block of
//!   the negative; with several negatives it has to take that of the positive, as each of theirs may be small by itself.

use enclosures::interval::HyperDual;
use enclosures::linear_algebra::{IntervalMatrix, symmetric_eigenvalues};
use enclosures::vectors::{sum_of_products, sum_of_squares};
use evidence::prelude::*;
use proptest::collection::vec;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

use crate::shared::notation::NORM;

/// The outputs of an input, of its positive and of its N negatives.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "z⁰ = {anchor:?}, z⁺ = {positive:?}, z_j = {negatives:?}", stored)]
struct OutputsOfMany {
    #[instance(length = "d in 1..=4", range = "-5..=5")]
    anchor: Vec<f64>,
    #[instance(length = "d", range = "-5..=5")]
    positive: Vec<f64>,
    #[instance(length = "1..=6, d", range = "-5..=5")]
    negatives: Vec<Vec<f64>>,
}

impl OutputsOfMany {
    fn d(&self) -> usize {
        self.anchor.len()
    }

    /// z⁰, z⁺, z_1, …, z_N one behind the other.
    fn stacked(&self) -> Vec<f64> {
        let negatives = self.negatives.iter().flatten();
        self.anchor.iter().chain(&self.positive).chain(negatives).copied().collect()
    }

    fn squared_norms(&self) -> Vec<Enclosure> {
        let square = |block: &[f64]| block.iter().map(|&x| exact(x).square()).sum();
        self.stacked().chunks(self.d()).map(square).collect()
    }
}

/// ℓ_N and what the three facts compare it with.
struct Facts {
    loss: Enclosure,
    /// ‖∇²ℓ_N‖.
    curvature: Enclosure,
    /// The squared norms of the blocks of ∇ℓ_N.
    blocks: Vec<Enclosure>,
    /// ε = ‖∇ℓ_N‖ over η, the smallest norm of an output.
    ratio: Enclosure,
    /// C², C the largest norm of an output.
    square: Enclosure,
    /// η.
    floor: Enclosure,
}

/// ℓ_N by log(e^x + e^a) = x + ζ(a − x), one negative after the other.
fn loss(stacked: &[HyperDual], d: usize) -> HyperDual {
    let blocks: Vec<&[HyperDual]> = stacked.chunks(d).collect();
    let own = sum_of_products(blocks[0], blocks[1]);
    let zero = HyperDual::variable(0.0, 0.0, 0.0);
    blocks[2..].iter().fold(zero, |all, negative| all + (sum_of_products(blocks[0], negative) - own - all).softplus())
}

/// ℓ_N along two coordinates of the outputs.
fn along(o: &OutputsOfMany, row: usize, column: usize) -> HyperDual {
    let unit = |k: usize, at: usize| if k == at { 1.0 } else { 0.0 };
    let number = |(k, &x): (usize, &f64)| HyperDual::variable(x, unit(k, row), unit(k, column));
    loss(&o.stacked().iter().enumerate().map(number).collect::<Vec<_>>(), o.d())
}

fn gradient(o: &OutputsOfMany) -> Vec<Interval> {
    (0..o.stacked().len()).map(|k| along(o, k, k).first).collect()
}

/// η.
fn floor(o: &OutputsOfMany) -> Enclosure {
    o.squared_norms().into_iter().reduce(Enclosure::min).unwrap_or(Enclosure::ZERO).max(0).sqrt()
}

/// ε/η.
fn ratio(o: &OutputsOfMany, gradient: &[Interval]) -> Enclosure {
    Enclosure::from(sum_of_squares(gradient)).max(0).sqrt() / floor(o)
}

fn facts(o: &OutputsOfMany) -> Result<Facts, MeasureError> {
    let (n, gradient) = (o.stacked().len(), gradient(o));
    let mut entries = vec![Interval::ZERO; n * n];
    for (i, j) in (0..n).flat_map(|i| (i..n).map(move |j| (i, j))) {
        let mixed = along(o, i, j).mixed;
        (entries[i * n + j], entries[j * n + i]) = (mixed, mixed);
    }
    let eigenvalues = symmetric_eigenvalues(&IntervalMatrix::new(n, n, entries)?)?;
    let magnitudes = eigenvalues.into_iter().map(|x| Enclosure::from(x.abs()));
    Ok(Facts {
        loss: along(o, 0, 0).value.into(),
        curvature: magnitudes.fold(Enclosure::ZERO, Enclosure::max),
        blocks: gradient.chunks(o.d()).map(|block| Enclosure::from(sum_of_squares(block))).collect(),
        ratio: ratio(o, &gradient),
        square: o.squared_norms().into_iter().fold(Enclosure::ZERO, Enclosure::max),
        floor: floor(o),
    })
}

impl Facts {
    /// −log(1 − ε/η √(N/(N + 1))).
    fn exact_bound(&self, negatives: usize) -> Enclosure {
        let share = Enclosure::from(negatives) / Enclosure::from(negatives + 1);
        -(-(self.ratio * share.sqrt())).ln_1p()
    }

    /// max_j ‖∂ℓ_N/∂z_j‖/η over the negatives.
    fn largest_of_negatives(&self) -> Enclosure {
        self.blocks[2..].iter().copied().fold(Enclosure::ZERO, Enclosure::max).max(0).sqrt() / self.floor
    }
}

const APART: Hypothesis<OutputsOfMany> =
    Hypothesis::new("η > 0", |o| o.squared_norms().iter().all(|square| square.lo() > 0.0));

const NEARLY_CRITICAL: Hypothesis<OutputsOfMany> =
    Hypothesis::new("‖∇ℓ_N‖ < η/2", |o| ratio(o, &gradient(o)).hi() < 0.5);

pub fn claim() -> Claim {
    Claim::new("merad2020.several-negatives", "the approach with several negatives", Kind::Inequality)
        .statement(
            "the approach also applies to N negatives: ℓ_N(z) = log(1 + Σ_j e^{z⁰·(z_j − z⁺)}) is smooth and bounded on outputs \
             of bounded norm, and small where its gradient is small",
        )
        .symbols([NORM])
        .symbol("z", "the outputs z⁰, z⁺, z_1, …, z_N ∈ ℝ^d of an input, of its positive and of its N negatives, as one vector")
        .symbol("C", "the largest norm of these outputs")
        .symbol("η", "the smallest norm of these outputs; ε = ‖∇ℓ_N‖, in all of them")
        .source("section 4, after equation (11)", &["Lemmas 3 and 4", "proof of Lemma 6"])
        .remark(
            "Three facts about the loss are all that Theorem 1 takes from it; they are tried with the constants of one \
             negative. The training itself is theorem-1 and lemma-6.",
        )
        .remark(
            "One step changes. The proof of Lemma 4 bounds v_2 by the block of the negative. With N negatives these blocks \
             bound their v_j one by one, and only the block of the positive bounds the sum (`negative-blocks`).",
        )
        .setting(three_facts())
}

fn three_facts() -> Setting<OutputsOfMany, Facts> {
    Setting::measuring(|o: &OutputsOfMany, _| facts(o))
        .given("N ≥ 1, d ≥ 1")
        .family(edge("named", named))
        .family(random("drawn", drawn))
        .family(random("nearly converged", converged))
        .part("smooth", "‖∇²ℓ_N(z)‖ ≤ 2 + 8C²", holds(), |_, f| at_most(f.curvature, 2.0 + 8.0 * f.square))
        .part("bounded", "ℓ_N(z) ≤ log(1 + N e^{2C²})", holds(), |o, f| {
            at_most(f.loss, (Enclosure::from(o.negatives.len()).ln() + 2.0 * f.square).softplus())
        })
        .part("small", "ℓ_N(z) ≤ 2ε/η", holds(), |_, f| at_most(f.loss, 2.0 * f.ratio))
        .assume(APART)
        .assume(NEARLY_CRITICAL)
        .step("positive", "‖∂ℓ_N/∂z⁺‖ = (1 − e^{−ℓ_N})‖z⁰‖", holds(), |o, f| {
            let share = -(-f.loss).exp_m1();
            equal(f.blocks[1], share.square() * o.squared_norms()[0])
        })
        .sharpening("curvature", "‖∇²ℓ_N(z)‖ ≤ √2 + 3C²/2, whatever N is", holds(), |_, f| {
            at_most(f.curvature, exact(2.0).sqrt() + 1.5 * f.square)
        })
        .sharpening("exact", "ℓ_N(z) ≤ −log(1 − √(N/(N+1)) ε/η)", holds(), |o, f| {
            at_most(f.loss, f.exact_bound(o.negatives.len()))
        })
        .assume(APART)
        .assume(NEARLY_CRITICAL)
        .control(
            "negative-blocks",
            "ℓ_N(z) ≤ 2 max_j ‖∂ℓ_N/∂z_j‖/η, the largest block of a negative",
            |_, f| at_most(f.loss, 2.0 * f.largest_of_negatives()),
        )
        .assume(APART)
        .assume(NEARLY_CRITICAL)
        .control("a", "‖∇²ℓ_N(z)‖ ≤ 1/2 + 3C²/4", |_, f| at_most(f.curvature, 0.5 + 0.75 * f.square))
        .control("b", "ℓ_N(z) ≤ log(1 + e^{2C²}), the bound of one negative", |_, f| {
            at_most(f.loss, (2.0 * f.square).softplus())
        })
        .control("c", "ℓ_N(z) ≤ ε/(3η)", |_, f| at_most(f.loss, f.ratio / 3.0))
        .assume(APART)
        .assume(NEARLY_CRITICAL)
        .control("d", "ℓ_N(z) ≤ 2ε/η for every ε", |_, f| at_most(f.loss, 2.0 * f.ratio))
        .assume(APART)
        .family(outside("an output of length zero", || {
            vec![("z⁺ = 0", of(&[1.0], &[0.0], &[&[-1.0]])), ("z⁰ = 0", of(&[0.0, 0.0], &[1.0, 0.0], &[&[0.0, 1.0]]))]
        }))
}

fn of(anchor: &[f64], positive: &[f64], negatives: &[&[f64]]) -> OutputsOfMany {
    OutputsOfMany {
        anchor: anchor.to_vec(),
        positive: positive.to_vec(),
        negatives: negatives.iter().map(|z| z.to_vec()).collect(),
    }
}

/// N negatives that are all alike, or spread.
fn named() -> Vec<(String, OutputsOfMany)> {
    let mut list = Vec::new();
    for n in [1, 2, 6] {
        for radius in [0.1, 1.0, 3.0] {
            let along = |x: f64| vec![radius * x, 0.0];
            let all = |z: Vec<f64>| vec![z; n];
            let mut add = |name: &str, anchor: Vec<f64>, positive: Vec<f64>, negatives: Vec<Vec<f64>>| {
                list.push((format!("{name}, N = {n}, norms {radius}"), OutputsOfMany { anchor, positive, negatives }));
            };
            add("all negatives opposite to the positive", along(1.0), along(1.0), all(along(-1.0)));
            add("all negatives where the input is", along(1.0), along(-1.0), all(along(1.0)));
            add("at right angles", along(1.0), vec![0.0, -radius], all(vec![0.0, radius]));
        }
    }
    list.push((
        "negatives at three angles".into(),
        of(&[3.0, 0.0], &[3.0, 0.0], &[&[0.0, 3.0], &[0.0, -3.0], &[-3.0, 0.0]]),
    ));
    list
}

fn drawn() -> impl Strategy<Value = OutputsOfMany> {
    (1..=3usize, 1..=4usize, 0.1..3.0f64).prop_flat_map(|(d, n, scale)| {
        vec(vec(-1.0..1.0f64, d), n + 2).prop_map(move |rows| {
            let mut rows = rows.into_iter().map(|row| row.into_iter().map(|x| scale * x).collect::<Vec<f64>>());
            let (anchor, positive) = (rows.next().unwrap_or_default(), rows.next().unwrap_or_default());
            OutputsOfMany { anchor, positive, negatives: rows.collect() }
        })
    })
}

/// Negatives beyond a plane at right angles to the input, the positive on its side.
fn converged() -> impl Strategy<Value = OutputsOfMany> {
    (2..=3usize, 1..=6usize, 1.0..4.0f64).prop_flat_map(|(d, n, length)| {
        (vec(vec(-1.0..1.0f64, d), n), 0.0..1.0f64).prop_map(move |(rows, lean)| {
            let axis = |x: f64| (0..d).map(|c| if c == 0 { x } else { 0.0 }).collect::<Vec<f64>>();
            let negatives = rows.into_iter().map(|mut row| {
                row[0] = -0.5 * length * (1.0 + row[0].abs() * lean);
                row
            });
            OutputsOfMany { anchor: axis(length), positive: axis(0.5 * length), negatives: negatives.collect() }
        })
    })
}
