//! Lemma C.1: the lower bound on the gradient of the last hidden layer, for all vectors v_1, …, v_n at once.
//!
//! As printed, with norms, it is false: the left side is homogeneous of degree one in v and the right side of degree
//! two. With squared norms, as its proof and Lemma C.4 have it, the left side is vᵀMv with M = (1/n²) Σ_r (s_r s_rᵀ ∘
//! H) ⊗ c_r c_rᵀ, and E M = (m/(n²d)) (H ∘ K) ⊗ I, K_ij = (π − φ_ij)/(2π).
//!
//! * For L = 1 the h_i are the inputs, and more antipodal pairs than dimensions make M singular: σ′(wx)x − σ′(−wx)(−x)
//!   = x does not depend on w, so that v_{±p} = ±c_p u with Σ c_p x_p = 0 gives zero (six points on a circle).
//! * At fixed δ the hidden vectors of deep layers come closer like 1/l (Lemma B.10 is false for them), and λ_min falls
//!   below any multiple of δ/n.
//! * For directions with ‖h̄_i ± h̄_j‖ ≥ δ/2, ReLU outputs say, λ_min(H ∘ K) ≥ δ/(16n√(128e)): by Lemmas C.2 and C.3,
//!   E‖Σ a_i σ′h_i‖² ≥ Σ_i P(W_i) a_i²‖h_i‖²/4, because the mean of ‖A‖² and ‖A + a_i h_i‖² is at least a_i²‖h_i‖²/4.

mod drawn_layer;
mod gram_depths;
mod proof_events;
mod tail_sums;

use enclosures::linear_algebra::{IntervalMatrix, symmetric_eigenvalues};
use enclosures::probability::{both_active, normal_two_sided_tail};
use evidence::prelude::*;
use proptest::collection::vec;
use proptest::strategy::Strategy;

use crate::shared::failure_rates::NeededConstants;
use crate::shared::gaussian_events::{events, in_the_orthant, orthant_simplex, quarter, widest};
use crate::shared::neuron_pair::Widths;
use crate::shared::signs::{OUTPUT, POINTS, WIDTH};
use crate::shared::unit_points::{UnitPoints, data_sets, on_the_sphere};
use drawn_layer::{Degree, Layer, at_least_sixteenth, drawn_layers, layers};
use gram_depths::{Depths, quarter_of_square, smallest_of_pairs};
use proof_events::{Column, HiddenVectors, Seen, columns, hidden_vectors, on_events};
use tail_sums::{Coins, Weighted};

/// λ_min(H ∘ K) for unit vectors: entries cos φ_ij (π − φ_ij)/(2π).
fn smallest(p: &UnitPoints) -> Result<Enclosure, MeasureError> {
    let n = p.points.len();
    let entry = |i: usize, j: usize| {
        let angle = p.angle(i.min(j), i.max(j));
        angle.cos() * both_active(angle)
    };
    let eigenvalues = symmetric_eigenvalues(&IntervalMatrix::from_fn(n, n, entry)?)?;
    // A matrix of second moments is positive semidefinite.
    Ok(Enclosure::from(eigenvalues[0].max(Interval::ZERO)))
}

/// λ_min(H ∘ K) ≥ constant δ/n.
fn at_least_share(p: &UnitPoints, found: Enclosure, constant: Enclosure) -> Evaluation {
    let bound = constant * Enclosure::from(widest(p)) / p.points.len() as f64;
    at_least(found, bound)
}

/// 1/(4√(128e)): for unit vectors.
fn proved_constant() -> Enclosure {
    1.0 / (4.0 * (128.0 * Enclosure::ONE.exp()).sqrt())
}

fn sets() -> Vec<(String, UnitPoints)> {
    let mut list: Vec<(String, Vec<Vec<f64>>)> = data_sets();
    for n in [3, 5, 10, 20, 40] {
        list.push((format!("quarter circle, n = {n}"), quarter(n)));
    }
    for (n, t) in [(3, 0.5), (8, 1.0), (20, 3.0)] {
        list.push((format!("equal angles in the orthant, n = {n}"), orthant_simplex(n, t)));
    }
    list.into_iter().map(|(name, points)| (name, UnitPoints { layers: 1, points })).collect()
}

fn orthant() -> impl Strategy<Value = UnitPoints> {
    (2usize..=10, 2usize..=5).prop_flat_map(|(n, b)| {
        vec(vec(0.0..1.0f64, b), n).prop_map(|rows| UnitPoints { layers: 1, points: on_the_sphere(rows) })
    })
}

pub fn claim() -> Claim {
    Claim::new("wen2020.lemma-c1", "gradient lower bound at the last hidden layer", Kind::ProbabilityBound)
        .statement(
            "m ≥ Ω(n³d/δ²), W_L and W_{L−1} as drawn: with probability ≥ 1 − e^{−Ω(mδ²/n²)}, for all v_1, …, v_n ∈ \
             ℝ^d: Σ_r ‖(1/n) Σ_i ⟨[W_L]^r, v_i⟩ σ′(⟨[W_{L−1}]_r, h_{i,L−2}⟩) h_{i,L−2}‖ ≥ Ω(mδ/(n³d)) Σ_i ‖v_i‖²",
        )
        .source("Lemma C.1", &["used in Lemma C.4 with squared norms"])
        .symbols([POINTS, WIDTH, OUTPUT])
        .symbol("H ∘ K", "the n × n matrix cos φ_ij (π − φ_ij)/(2π), φ_ij the angle of the unit vectors h_i and h_j")
        .symbol(
            "M)",
            "M = (1/n²) Σ_{r≤m} (s_r s_rᵀ ∘ H) ⊗ c_r c_rᵀ, (s_r)_i = 1{⟨w_r, h_i⟩ ≥ 0}, H_ij = h_i·h_j, w_r ~ N(0, I), \
             c_r ~ N(0, I/d) in ℝ^d: the left side with squared norms is vᵀMv",
        )
        .symbol(
            "δ",
            "twice the smallest distance of the directions h_i/‖h_i‖, at most √(2n/(n−1)) and 2, unless the check \
             gives it",
        )
        .symbol("[W_L]^r", "column r of W_L, entries N(0, 1/d); [W_{L−1}]_r row r of W_{L−1}")
        .symbol("t", "a length")
        .symbol(
            "W_i",
            "the event |⟨w_r, h̄_i⟩| ≤ ξ and |⟨w_r − ⟨w_r, h̄_i⟩h̄_i, h̄_j⟩| ≥ 2ξ for all j ≠ i, h̄ = h/‖h‖, ξ = √π \
             δ/(16n), w_r ~ N(0, I)",
        )
        .symbol(
            "A_i",
            "the event W_i, |⟨[W_L]^r, v_i⟩| ≥ ‖v_i‖/√d and ‖h_r‖ ≥ |⟨[W_L]^r, v_i⟩|/4, h_r = Σ_j ⟨[W_L]^r, v_j⟩ \
             1{⟨w_r, h_j⟩ ≥ 0} h_j; in s4 any disjoint events with P(A_i) ≥ κ, Z_r = Σ_i 1_{A_i} ‖v_i‖²/(32d)",
        )
        .symbol(
            "infinite width",
            "there the unit h_i of layer L − 2 have the angle φ_{L−1}: 2 sin(φ_0/2) = δ, cos φ_{l+1} = (sin φ_l + (π − \
             φ_l) cos φ_l)/π",
        )
        .symbol("c", "a constant")
        .remark(
            "With squared norms the best constant over all v is λ_min(M) n³d/(mδ); its mean matrix gives n λ_min(H ∘ \
             K)/δ.",
        )
        .remark(
            "Proof of the amendment: Lemma C.2 (true for ‖h̄_i ± h̄_j‖ ≥ δ/2) with P(W_i) ≥ δ/(n√(128e)); on W_i the \
             mean of ‖A‖² and ‖A + a_i h_i‖² is at least a_i²‖h_i‖²/4, and the W_i are disjoint.",
        )
        .setting(printed())
        .setting(squares_drawn())
        .setting(squares_rate())
        .setting(squares_inputs())
        .setting(single_column())
        .setting(norms_on_events())
        .setting(squares_deep())
        .setting(lower_tail())
        .setting(weighted_sums())
}

fn printed() -> Setting<Degree, ()> {
    Setting::of()
        .given("0 < c, 0 < δ ≤ 2; ‖h_i‖ ≤ 2")
        .family(edge("named", || {
            let of = |constant, separation, points, output| Degree { constant, separation, points, output };
            vec![
                ("c = 1, two inputs", of(1.0, 1.0, 2, 1)),
                ("c = 1e-3, n = 10, d = 4", of(1e-3, 0.5, 10, 4)),
                ("c = 1e-9, n = 1000, d = 100", of(1e-9, 0.01, 1000, 100)),
            ]
        }))
        .family(random("drawn", || {
            (-20.0..0.0f64, 0.01..2.0f64, 2u32..100, 1u32..100).prop_map(|(log, separation, points, output)| Degree {
                constant: core_math::exp(log),
                separation,
                points,
                output,
            })
        }))
        .part(
            "printed",
            "norms, not squared, with a constant c, at v_i = t e_1 and t = 5n²√d/(cδ): 4tm/√d, which the left side \
             exceeds with probability at most ¼, is at least c (mδ/(n³d)) nt²",
            fails("degree one in v against degree two"),
            |k: &Degree, ()| at_least(k.left(), k.right()),
        )
        .sides("4t/√d", "c (δ/(n³d)) nt²")
        .because("each instance is one constant; no-constant shows that none works")
        .ours(
            "no-constant",
            "for every c, n, d and δ, at v_i = t e_1 and t = 5n²√d/(cδ): 4tm/√d < c (mδ/(n³d)) nt²; by Markov's \
             inequality for Σ_r [W_L]_{1r}² the left side exceeds 4tm/√d with probability at most ¼",
            holds(),
            |k, ()| less_than(k.left(), k.right()),
        )
        .sides("4t/√d", "c (δ/(n³d)) nt²")
}

fn squares_drawn() -> Setting<Layer, Vec<(usize, Enclosure)>> {
    Setting::measuring(drawn_layers)
        .assume(Hypothesis::new("½ ≤ ‖h_i‖ ≤ 2, distinct directions", Layer::fits))
        .assume(Hypothesis::new("m ≥ n³d/δ²", Layer::wide))
        .family(edge("layers", layers).restricted("two or three unit vectors of the non-negative orthant"))
        .family(outside("a direction twice, a long vector, and a narrow layer", || {
            let of =
                |points: [[f64; 2]; 2], width| Layer { points: points.map(|h| h.to_vec()).to_vec(), width, output: 1 };
            vec![
                ("h_1 = h_2", of([[1.0, 0.0], [1.0, 0.0]], 64)),
                ("‖h_1‖ = 3", of([[3.0, 0.0], [0.0, 1.0]], 64)),
                ("m = 1", of([[1.0, 0.0], [0.0, 1.0]], 1)),
            ]
        }))
        .without_search()
        .amendment(
            "squares-drawn",
            "squared norms, drawn layers of the width that is named and of 2, 4 and 8 times it: λ_min(M) ≥ mδ/(16n³d)",
            holds(),
            |l, found| at_least_sixteenth(l, found),
        )
        .sides("λ_min(M) n³d/m", "δ/16")
}

fn squares_rate() -> Setting<Widths, NeededConstants<u32>> {
    Setting::measuring(|w: &Widths, trial| Ok(smallest_of_pairs(w, trial)))
        .assume(Hypothesis::new("m ≥ n³d/δ²", |w| {
            w.widths.iter().all(|&m| f64::from(m) * w.separation * w.separation >= 8.0)
        }))
        .given("n = 2, d = 1, unit vectors h_1 and h_2")
        .family(outside("a narrow layer", || {
            vec![("m = 1, δ = 2", Widths { separation: 2.0, layer: 0, runs: 20, widths: vec![1, 2] })]
        }))
        .family(
            edge("m at several δ", || {
                let of =
                    |separation, widths: &[u32], runs| Widths { separation, layer: 0, runs, widths: widths.to_vec() };
                vec![
                    ("δ = 2", of(2.0, &[8, 10, 12, 16, 20, 24], 8000)),
                    ("δ = 0.6", of(0.6, &[60, 89, 111, 133, 178, 222], 8000)),
                    ("δ = 0.2", of(0.2, &[400, 600, 800, 1200, 1600], 4000)),
                ]
            })
            .restricted("δ = 2 with m from 8 to 24, δ = 0.6 with m from 60 to 222, δ = 0.2 with m from 400 to 1600"),
        )
        .without_search()
        .amendment(
            "squares-rate",
            "squared norms, n = 2, d = 1, directions at distance δ/2, exact law: P(λ_min(M) < mδ/(8n³d)) ≤ \
             e^{−mδ²/(12n²)}",
            holds(),
            |w, n: &NeededConstants<u32>| n.fail_at_most(8.0, 1.0 / 12.0, quarter_of_square(w)),
        )
        .control(
            "i",
            "n = 2, d = 1, directions at distance δ/2: P(λ_min(M) < mδ/(5n³d)) ≤ e^{−mδ²/(10n²)} (n λ_min(H ∘ K)/δ is \
             near 1/(2π))",
            |w, n| n.fail_at_most(5.0, 0.1, quarter_of_square(w)),
        )
}

fn squares_inputs() -> Setting<UnitPoints, Enclosure> {
    Setting::measuring(|p: &UnitPoints, _| smallest(p))
        .assume(Hypothesis::new("distinct directions", |p| !p.repeats()))
        .given("unit vectors; δ as large as their distances allow, at most √(2n/(n−1))")
        .family(edge("named", sets))
        .family(random("in the orthant", orthant).taking(0.5))
        .family(outside("a direction twice", || {
            let points = vec![vec![1.0, 0.0], vec![1.0, 0.0]];
            vec![("h_1 = h_2", UnitPoints { layers: 1, points })]
        }))
        .without_search()
        .meant(
            "squares-inputs",
            "squared norms, mean over the weights, L = 1 (any inputs): λ_min(H ∘ K) ≥ 10⁻⁶ δ/n",
            fails("zero for more antipodal pairs than dimensions, whatever the constant"),
            |p, &found| at_least_share(p, found, exact(1e-6)),
        )
        .sides("λ_min(H ∘ K)", "10⁻⁶ δ/n")
        .our_constant("the constant 10⁻⁶; the left side is zero, so that none serves")
        .because(
            "the proof and Lemma C.4 have squared norms; for L = 1 the h_i are the inputs, of which only Assumptions 1 \
             and 2 are known",
        )
        .amendment(
            "squares",
            "squared norms, mean over the weights, unit vectors in the non-negative orthant: λ_min(H ∘ K) ≥ \
             δ/(4n√(128e))",
            holds(),
            |p, &found| at_least_share(p, found, proved_constant()),
        )
        .assume(Hypothesis::new("in the non-negative orthant", in_the_orthant))
        .step(
            "s1",
            "P(W_i) ½ P(|N(0,1)| ≥ 1) ≥ δ/(256√2 e n), with the δ/(n√(128e)) of Lemma C.2 for P(W_i) and the ½ of \
             Lemma C.3",
            holds(),
            |p, _| {
                let n = p.points.len() as f64;
                let (e, two) = (Enclosure::ONE.exp(), exact(2.0));
                let event = Enclosure::from(widest(p)) / (n * (128.0 * e).sqrt());
                let tail = Enclosure::from(normal_two_sided_tail(Interval::ONE));
                at_least(event * 0.5 * tail, Enclosure::from(widest(p)) / (256.0 * n * two.sqrt() * e))
            },
        )
        .not_evidence("both sides are multiples of δ/n, so every instance compares the same two numbers")
        .step(
            "s1-inputs",
            "P(r ∈ A_i) ≥ δ/(256√2 e n) for any inputs (L = 1): P(W_i) P(|N(0,1)| ≥ 1), which is no less than P(A_i), \
             is at least that for all i",
            fails("Lemma C.2 is needed, and P(W_i) = 0 for two antipodal inputs"),
            |p, _| {
                let found = events(p);
                let n = p.points.len() as f64;
                let (e, two) = (Enclosure::ONE.exp(), exact(2.0));
                let bound = Enclosure::from(found.delta) / (256.0 * n * two.sqrt() * e);
                let tail = Enclosure::from(normal_two_sided_tail(Interval::ONE));
                let parts = found.probabilities.iter().map(|&q| ("an event", at_least(exact((q * tail).hi()), bound)));
                all_of(parts)
            },
        )
        .sides("P(W_i) P(|N(0,1)| ≥ 1)", "δ/(256√2 e n)")
        .assume(Hypothesis::new("not in the orthant", |p| !in_the_orthant(p)))
        .control("a", "λ_min(H ∘ K) ≥ n/100: the bound Ω(m/(nd)) without δ/n²", |p, &found| {
            at_least(found, exact(p.points.len() as f64) / 100.0)
        })
        .control("b", "λ_min(H ∘ K) ≥ δ/n", |p, &found| at_least_share(p, found, Enclosure::ONE))
}

fn single_column() -> Setting<Column, Enclosure> {
    Setting::measuring(|c: &Column, trial| c.share_beyond(trial))
        .assume(Hypothesis::new("v ≠ 0", |c| c.vector.iter().any(|&x| x != 0.0)))
        .family(edge("columns", columns))
        .family(outside("no vector", || vec![("v = 0", Column { vector: vec![0.0, 0.0] })]))
        .without_search()
        .step(
            "s2",
            "P(|⟨[W_L]^r, v⟩| ≥ ‖v‖/√d) > 0.3173 for a column of d entries N(0, 1/d): the exact law, and a sample \
             within 0.05 of it",
            holds(),
            |c, &share| {
                let law = c.beyond(c.threshold());
                all_of([
                    ("law", greater_than(law, exact(0.3173))),
                    ("sample", equal(share, law).on_unit_scale().within(0.05)),
                ])
            },
        )
        .control("h", "P(|⟨[W_L]^r, v⟩| ≥ ‖v‖) > 0.3173, without √d", |c, _| {
            greater_than(c.beyond(c.length()), exact(0.3173))
        })
        .assume(Hypothesis::new("d ≥ 2", |c| c.vector.len() >= 2))
}

fn norms_on_events() -> Setting<HiddenVectors, Seen> {
    Setting::measuring(on_events)
        .assume(Hypothesis::new("½ ≤ ‖h_i‖ ≤ 2, distinct directions", HiddenVectors::fits))
        .family(edge("drawn rows and columns", hidden_vectors))
        .family(outside("a short vector", || {
            let points = vec![vec![0.1, 0.0], vec![0.0, 1.0]];
            vec![("‖h_1‖ = 0.1", HiddenVectors { points, output: 1 })]
        }))
        .without_search()
        .step(
            "s3",
            "on A_i: ‖h_r‖² ≥ ‖v_i‖²/(32d), for all rows and columns of a sample that meet A_i",
            holds(),
            |_, found| found.at_least(1.0 / 32.0),
        )
        .sides("the least d‖h_r‖²/‖v_i‖²", "1/32")
        .except("no drawn row meets an A_i")
        .not_evidence("it follows from the definition of A_i, with 1/16 in place of 1/32")
        .control("g", "on A_i: ‖h_r‖² ≥ ‖v_i‖²/(2d)", |_, found| found.at_least(0.5))
        .sides("the least d‖h_r‖²/‖v_i‖²", "½")
}

fn squares_deep() -> Setting<Depths, ()> {
    Setting::of()
        .given("c > 0, 0 < δ ≤ 2")
        .family(edge("named", || {
            [(2.0, 0.1), (1.0, 0.01), (0.1, 0.1), (2.0, 1.0)]
                .map(|(separation, constant)| {
                    (format!("δ = {separation}, c = {constant}"), Depths { separation, constant })
                })
                .to_vec()
        }))
        .family(random("drawn", || {
            (0.2..2.0f64, -4.0..-1.5f64)
                .prop_map(|(separation, log)| Depths { separation, constant: core_math::exp(log) })
        }))
        .without_search()
        .meant(
            "squares-deep",
            "squared norms, two inputs at distance δ, infinite width, L = ⌈3π/(cδ)⌉ + 2 and a constant c: n λ_min(H ∘ \
             K)/δ ≥ c",
            fails("the hidden vectors come together like 1/L; Lemma B.10 is needed and is false"),
            |d: &Depths, ()| at_least(d.ratio(), exact(d.constant)),
        )
        .sides("n λ_min(H ∘ K)/δ", "c")
        .because(
            "the proof and Lemma C.4 have squared norms; no relation between δ and L is printed. An instance is a \
             constant; that none serves is no-constant-deep",
        )
        .ours(
            "no-constant-deep",
            "two inputs at distance δ, infinite width, L = ⌈3π/(cδ)⌉ + 2 hidden layers, squared norms, and every c < \
             1/δ: 2 λ_min(H ∘ K)/δ < c; for chord_l, the distance of the two hidden vectors, is at most 3π/L (the \
             upper bound that stands at Lemma B.10), and λ_min less than half of chord + chord²",
            holds(),
            |d, ()| less_than(d.ratio(), exact(d.constant)),
        )
        .assume(Hypothesis::new("c < 1/δ", |d| d.constant * d.separation < 1.0))
}

fn lower_tail() -> Setting<Coins, ()> {
    Setting::of()
        .given("Z_1, …, Z_m independent, 1 with probability p ∈ (0, 1] and else 0; sums over r = 1, …, m")
        .family(edge("named", || {
            let of = |count, probability| Coins { count, probability };
            vec![
                ("one", of(1, 0.5)),
                ("constant", of(50, 1.0)),
                ("fair", of(100, 0.5)),
                ("rare", of(1000, 0.05)),
                ("very rare", of(10_000, 0.01)),
            ]
        }))
        .family(random("drawn", || {
            (1u32..2000, 0.01..1.0f64).prop_map(|(count, probability)| Coins { count, probability })
        }))
        .without_search()
        .step(
            "s5",
            "P(Σ(Z_r − EZ_r) ≤ +½ΣEZ_r) ≤ e^{−m(EZ_1)²/(8E[Z_1²])}",
            fails("the event is nearly certain: a minus sign is missing"),
            |c: &Coins, ()| Evaluation::from(c.below(1.5).map(|p| at_most(p, c.allowed(8.0)))),
        )
        .sides("P(Σ(Z_r − EZ_r) ≤ ½ΣEZ_r)", "e^{−m(EZ_1)²/(8E[Z_1²])}")
        .amendment(
            "s5-lower-tail",
            "P(Σ(Z_r − EZ_r) ≤ −½ΣEZ_r) ≤ e^{−m(EZ_1)²/(8E[Z_1²])}",
            holds(),
            |c, ()| Evaluation::from(c.below(0.5).map(|p| at_most(p, c.allowed(8.0)))),
        )
        .control("c", "P(Σ(Z_r − EZ_r) ≥ −m) ≤ e^{−m}", |c, ()| {
            at_most(Enclosure::ONE, (-Enclosure::from(c.count)).exp())
        })
        .control("d", "P(Σ(Z_r − EZ_r) ≤ −½ΣEZ_r) ≤ e^{−m(EZ_1)²/(2E[Z_1²])}", |c, ()| {
            Evaluation::from(c.below(0.5).map(|p| at_most(p, c.allowed(2.0))))
        })
}

fn weighted_sums() -> Setting<Weighted, ()> {
    Setting::of()
        .family(edge("named", || {
            let of = |squares: &[f64], excess: &[f64], share| Weighted {
                squares: squares.to_vec(),
                excess: excess.to_vec(),
                share,
                output: 2,
            };
            vec![
                ("one vector", of(&[1.0], &[1.0], 0.5)),
                ("two equal vectors", of(&[1.0, 1.0], &[1.0, 1.0], 0.01)),
                ("one of three is not zero", of(&[0.0, 4.0, 0.0], &[1.0, 1.0, 1.0], 1.0)),
                ("a probable event with a short vector", of(&[1e-3, 1.0], &[100.0, 1.0], 0.01)),
                ("all zero", of(&[0.0, 0.0], &[1.0, 2.0], 0.1)),
            ]
        }))
        .family(random("drawn", || {
            (vec((0.0..10.0f64, 1.0..3.0f64), 1..8), 1e-3..0.3f64, 1u32..5).prop_map(|(list, share, output)| {
                let (squares, excess) = list.into_iter().unzip();
                Weighted { squares, excess, share, output }
            })
        }))
        .step(
            "s4",
            "P(A_i) ≥ κ > 0 for n disjoint A_i: EZ_r ≥ κ Σ_i‖v_i‖²/(32d), (EZ_r)² ≥ κ² Σ_i‖v_i‖⁴/(32d)², E[Z_r²] ≤ \
             Σ_i‖v_i‖⁴/(32d)²",
            holds(),
            |z: &Weighted, ()| {
                let ([mean, least], [square, weighted], [second, most]) =
                    (z.mean(), z.squared_mean(), z.second_moment());
                all_of([
                    ("mean", at_least(mean, least)),
                    ("its square", at_least(square, weighted)),
                    ("second moment", at_most(second, most)),
                ])
            },
        )
        .step("s6", "(Σ_i‖v_i‖²)² ≥ Σ_i‖v_i‖⁴, any v_1, …, v_n", holds(), |z, ()| {
            let sum: Enclosure = z.squares.iter().map(|&a| exact(a)).sum();
            let fourth: Enclosure = z.squares.iter().map(|&a| exact(a).square()).sum();
            at_least(sum.square(), fourth)
        })
        .control("e", "(EZ_r)² ≥ 2κ² Σ‖v_i‖⁴/(32d)²", |z, ()| {
            let [square, weighted] = z.squared_mean();
            at_least(square, 2.0 * weighted)
        })
        .control("f", "E[Z_r²] ≤ κ Σ_i‖v_i‖⁴/(32d)²", |z, ()| {
            let [mean, most] = z.second_moment();
            at_most(mean, most * z.share / z.squares.len() as f64)
        })
        .assume(Hypothesis::new("some P(A_i) > 1.5κ", |z| z.excess.iter().any(|&p| p > 1.5)))
}
