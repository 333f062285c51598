//! Lemma 4: a small gradient with respect to the outputs means a small loss on every triplet.
//!
//! Block 2 and block 3 of the gradient of ℓ(z_i) are ∓s_i z_{i,1}, so the part of one triplet has at least the norm √2 s_i ‖z_{i,1}‖. With
//! ‖z_{i,1}‖ ≥ η and x = ε/η this gives s_i ≤ x/√2, and for x < √2
//!
//!   **ℓ(z_i) = −log(1 − s_i) ≤ −log(1 − x/√2)**.
//!
//! Only the anchors' norms are used. The bound is the supremum for every x < √2: z_1 of norm η along z_3 − z_2 of length |a|/η with
//! σ(a) = x/√2, as η → ∞. It is convex in x, so below x = ½ it is at most c x with c = −2 log(1 − 1/(2√2)) < 0.8726, and at most
//! 2x up to the root x = 1.3115… of −log(1 − x/√2) = 2x: the hypothesis ε < η/2 can be relaxed to ε ≤ 1.311 η, not to 1.312 η.
//! Adding up, Σ s_i ≤ √n ε/(√2 η) and convexity give L̂_un ≤ c √n ε/η, where the lemma alone gives 2nε/η.
//!
//! *Which (ε, η, C) admit any outputs* with η < ‖z_{i,j}‖ < C (step s5). One triplet has the gradient norm at least
//! f(p, q) = σ(−pq)√(q² + 2p²), p = ‖z_1‖, q = ‖z_3 − z_2‖ ≤ 2C, with equality in parallel position. Where f < p/2, that is
//! 2√(t² + 2) < 1 + e^u with t = q/p, u = pq, f falls in q and in p: q ∂_q log f = −uσ(u) + t²/(t² + 2), and uσ(u) >
//! log(2√(t²+2) − 1)·(1 − 1/(2√(t²+2))) exceeds t²/(t²+2) for all t and 2/(t²+2) for t ≥ 2. So from any point with f < η/2 one descends
//! first in q to 2C, then in p to C, to the corner **m = √6 C σ(−2C²)**: for ε < η/2 such outputs exist if and only if
//! √n m < ε (strictly, the balls are open). In particular there are none for any ε < η/2 if C² ≤ ½ log(2√6 − 1) = 0.6804,
//! that is C ≤ 0.8248, whatever η.

use contrastive::Triplet;
use enclosures::interval;
use evidence::claim::edge_over;
use evidence::prelude::*;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

use super::shared_outputs::{SharedOutputs, drawn_shared, shared, short_shared};
use crate::shared::notation::{
    EMPIRICAL_LOSS, LOGARITHM, NORM, OUTPUT_GRADIENT, OUTPUT_TRIPLE, SIGMOID, SOFTPLUS, TRIPLET_LOSS,
};
use crate::shared::output_triplets::{Outputs, converged, loose, named};
use crate::shared::triples::norms;
use crate::shared::window::{Window, badly_posed, corner, windows};

/// The slope v_2 of one triplet.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "v = {v}", stored)]
struct Slope {
    v: f64,
}

/// What the lemma compares for a list of triplets.
struct ListGradient {
    /// The largest ℓ(z_i).
    loss: Enclosure,
    /// Σ ℓ(z_i).
    total: Enclosure,
    /// ‖∇L̂_un‖, the smallest admissible ε.
    accuracy: Enclosure,
    /// ε/η.
    ratio: Enclosure,
    /// v_2 = σ(z_{i,1}·(z_{i,3} − z_{i,2})) of every triplet.
    slopes: Vec<Enclosure>,
}

fn gradient(outputs: &Outputs) -> ListGradient {
    let triplets = &outputs.triplets;
    let accuracy = outputs.gradient();
    ListGradient {
        loss: triplets.iter().map(Triplet::loss).fold(Enclosure::ZERO, Enclosure::max),
        total: triplets.iter().map(Triplet::loss).sum(),
        accuracy,
        ratio: accuracy / outputs.floor,
        slopes: triplets.iter().map(Triplet::slope).collect(),
    }
}

/// The smallest accuracy that the hypothesis admits: the right side grows with ε.
const ACCURACY: &str = "n ≥ 1 triplets of outputs in ℝ^d, d ≥ 1, η > 0; ε = ‖∇L̂_un‖, in the 3n outputs";

/// −log(1 − x/√2).
fn exact_bound(ratio: Enclosure) -> Enclosure {
    -(-(ratio / exact(2.0).sqrt())).ln_1p()
}

/// c = −2 log(1 − 1/(2√2)).
fn constant() -> Enclosure {
    2.0 * exact_bound(exact(0.5))
}

pub fn claim() -> Claim {
    Claim::new("merad2020.lemma-4", "a small output gradient implies a small loss", Kind::Inequality)
        .statement(
            "η > 0, ‖z_{i,j}‖ > η for all i, j, 0 < ε < η/2 and ‖∇L̂_un‖ ≤ ε (gradient in the 3n outputs) imply ℓ(z_i) \
             ≤ 2ε/η for every i",
        )
        .symbols([OUTPUT_TRIPLE, TRIPLET_LOSS, EMPIRICAL_LOSS, OUTPUT_GRADIENT, SOFTPLUS, SIGMOID, NORM, LOGARITHM])
        .source(
            "Lemma 4",
            &["section 4", "Lemma 7 in section 8, and the sentence after it", "Lemma 4.2 of the earlier version"],
        )
        .remark("Checked at the smallest admissible accuracy, ε = ‖∇L̂_un‖; the right side grows with ε.")
        .sense(
            "places",
            "the gradient is taken in 3n independent outputs, one for each place of the triplets, as the loss vectors \
             of the proof are",
        )
        .sense(
            "samples",
            "the gradient is taken in the outputs f(x) of the samples: the blocks of a sample that stands in several \
             places add up",
        )
        .remark(
            "The lemma grants Assumption 2 only, so that a sample may stand in several places. In the outputs of the \
             samples the blocks of such a sample can cancel, and the lemma is false.",
        )
        .remark(
            "Only ‖z_{i,1}‖ > η is used, ε < η/2 can be relaxed to ε ≤ 1.311η, and the constant 2 can be replaced by \
             0.873; the bound −log(1 − ε/(√2η)) is the best in terms of ε/η alone. For the sum, the whole \
             objective of the sentence after Lemma 7, L̂_un ≤ 0.873 √n ε/η, so that an accuracy of order εη/√n suffices where Theorem 1 asks for εη/(2n).",
        )
        .remark(
            "With an upper bound C as well, outputs that meet the hypotheses exist if and only if √(6n) C σ(−2C²) < ε: \
             for a given n and ε → 0 the bound C must grow like √(½ log(1/ε)), and for C ≤ 0.8248 no accuracy below \
             η/2 can be reached at all.",
        )
        .setting(printed())
        .setting(slopes_alone())
        .setting(sharper())
        .setting(controls())
        .setting(samples())
        .setting(small_ball())
}

fn printed() -> Setting<Outputs, ListGradient> {
    Setting::measuring(|o: &Outputs, _| Ok(gradient(o)))
        .given(ACCURACY)
        .assume(Hypothesis::new("‖z_{i,j}‖ > η for all i, j", Outputs::is_above_floor))
        .assume(Hypothesis::new("‖∇L̂_un‖ < η/2", |o| o.has_gradient_below(0.5)))
        .family(edge("named", named))
        .family(random("nearly converged outputs", converged))
        .part("printed", "ℓ(z_i) ≤ 2ε/η for every i", holds(), |_, g| at_most(g.loss, 2.0 * g.ratio))
        .checked("merad2020.Descent.lemma_4_printed")
        .in_sense("places")
        .step("s1", "every block of ∇L̂_un has norm at most ε", holds(), |o, g| {
            let blocks = o.triplets.iter().flat_map(Triplet::gradient);
            let square = |block: Vec<interval::Interval>| {
                block.into_iter().map(|x| Enclosure::from(x).square()).sum::<Enclosure>()
            };
            all_of(blocks.map(|block| ("a block", at_most(square(block), g.accuracy.square()))))
        })
        .step(
            "s2",
            "v_2 = σ(z_1·(z_3 − z_2)) up to 10^{−6} of it, which rounding may leave, for v = softmax(z_1·z_2, \
             z_1·z_3), and v_2 ≤ ε/η, for every triplet z = z_i",
            holds(),
            |o, g| {
                let each = |(z, &slope): (&Triplet, &Enclosure)| {
                    [
                        // Outputs of size 1e3 leave rounding errors of 1e−9 in the two inner products.
                        ("the definition of v_2", equal(second_share(z), slope).within(1e-6)),
                        ("v_2 against ε/η", at_most(slope, g.ratio)),
                    ]
                };
                all_of(o.triplets.iter().zip(&g.slopes).flat_map(each))
            },
        )
        .step(
            "s3",
            "ℓ(z) = ζ(a) = −log(1 − v_2), a = z_1·(z_3 − z_2), v_2 = σ(a), for every triplet z = z_i",
            holds(),
            |o, g| {
                let each = |(z, &slope): (&Triplet, &Enclosure)| ("a triplet", equal(z.loss(), -(-slope).ln_1p()));
                all_of(o.triplets.iter().zip(&g.slopes).map(each))
            },
        )
        .step(
            "s4",
            "−log(1 − v_2) ≤ v_2/(1 − v_2) ≤ 2v_2 ≤ 2ε/η, v_2 = σ(z_1·(z_3 − z_2)), for every triplet z = z_i",
            holds(),
            |o, g| {
                let each = |(z, &v): (&Triplet, &Enclosure)| {
                    let odds = v / z.complement();
                    [
                        ("logarithm", at_most(-(-v).ln_1p(), odds)),
                        ("v_2 ≤ ½", at_most(odds, 2.0 * v)),
                        ("gradient", at_most(2.0 * v, 2.0 * g.ratio)),
                    ]
                };
                all_of(o.triplets.iter().zip(&g.slopes).flat_map(each))
            },
        )
        .step("s5", "‖∇L̂_un‖ ≥ √(6n) C σ(−2C²) with C = max_{i,j} ‖z_{i,j}‖", holds(), |o, g| {
            let largest = o.triplets.iter().flat_map(norms).fold(Enclosure::ZERO, Enclosure::max);
            at_least(g.accuracy, corner(o.triplets.len(), largest))
        })
        .sharpening(
            "constant",
            "ℓ(z_i) ≤ c ε/η for every i, c = −2 log(1 − 1/(2√2)) < 0.8726",
            holds(),
            |_, g| at_most(g.loss, constant() * g.ratio),
        )
        .sharpening(
            "sum",
            "L̂_un ≤ c √n ε/η, c = −2 log(1 − 1/(2√2)), in place of 2nε/η",
            holds(),
            |o, g| at_most(g.total, constant() * Enclosure::from(o.triplets.len()).sqrt() * g.ratio),
        )
        .constant(
            "factor",
            "c in ℓ(z_i) ≤ c ε/η",
            "2",
            |o| Some(format!("n = {}", o.triplets.len())),
            |_, g| (g.ratio.lo() > 0.0).then(|| g.loss / g.ratio),
        )
        .control("a", "ℓ(z_i) ≤ ½ε/η for every i", |_, g| at_most(g.loss, 0.5 * g.ratio))
        .control("d", "ℓ(z_i) ≤ ε/(√2η) for every i: the slope at 0 for all ε", |_, g| {
            at_most(g.loss, g.ratio / exact(2.0).sqrt())
        })
}

fn sharper() -> Setting<Outputs, ListGradient> {
    Setting::measuring(|o: &Outputs, _| Ok(gradient(o)))
        .given(ACCURACY)
        .assume(Hypothesis::new("‖z_{i,1}‖ > η for all i", Outputs::has_anchors_above_floor))
        .assume(Hypothesis::new("‖∇L̂_un‖ < √2η", |o| o.has_gradient_below(std::f64::consts::SQRT_2)))
        .family(edge("named", named))
        .family(random("nearly converged outputs", converged))
        .family(random("large slopes, large η", loose))
        .sharpening("exact", "ℓ(z_i) ≤ −log(1 − ε/(√2η)) for every i", holds(), |_, g| {
            at_most(g.loss, exact_bound(g.ratio))
        })
        .checked("merad2020.Descent.lemma_4_exact")
        .sharpening("range", "ℓ(z_i) ≤ 2ε/η for every i", holds(), |_, g| at_most(g.loss, 2.0 * g.ratio))
        .assume(Hypothesis::new("‖∇L̂_un‖ < 1.311η", |o| o.has_gradient_below(1.311)))
        .control("e", "ℓ(z_i) ≤ 2ε/η for every i, up to ε < √2η", |_, g| at_most(g.loss, 2.0 * g.ratio))
}

fn controls() -> Setting<Outputs, ListGradient> {
    Setting::measuring(|o: &Outputs, _| Ok(gradient(o)))
        .given(ACCURACY)
        .assume(Hypothesis::new("‖∇L̂_un‖ < η/2", |o| o.has_gradient_below(0.5)))
        .family(edge("named", named))
        .control("b", "ℓ(z_i) ≤ 2ε/η for every i, without a lower bound on the norms", |_, g| {
            at_most(g.loss, 2.0 * g.ratio)
        })
        .control("f", "ℓ(z_i) ≤ 2ε/η for every i, without a lower bound on ‖z_{i,1}‖", |_, g| {
            at_most(g.loss, 2.0 * g.ratio)
        })
        .assume(Hypothesis::new("‖z_{i,2}‖, ‖z_{i,3}‖ > η", |o| {
            o.triplets.iter().map(norms).all(|[_, b, c]| b.lo() > o.floor && c.lo() > o.floor)
        }))
}

fn samples() -> Setting<SharedOutputs, (Enclosure, Enclosure)> {
    Setting::measuring(|o: &SharedOutputs, _| Ok((o.largest_loss(), o.accuracy() / o.floor)))
        .given(
            "outputs of distinct samples in ℝ^d and n ≥ 1 triplets of them, η > 0; ε = ‖∇L̂_un‖, in the outputs of the \
             samples: the blocks of all places where a sample stands are added up",
        )
        .degenerate("some triplet has x⁺ = x⁻, or two outputs are equal", SharedOutputs::is_degenerate)
        .assume(Hypothesis::new("every output has norm > η", |o| o.norms().all(|norm| norm.lo() > o.floor)))
        .assume(Hypothesis::new("‖∇L̂_un‖ < η/2", |o| o.accuracy().hi() < 0.5 * o.floor))
        .family(edge("samples used twice", shared))
        .family(outside("a short output", short_shared))
        .family(random("triplets of a few samples", drawn_shared).taking(0.5))
        .part(
            "samples",
            "ℓ(z_i) ≤ 2ε/η for every i, the gradient taken in the outputs of the samples",
            fails("with x⁺ = x⁻ the blocks of the common sample cancel: no gradient, and ℓ = log 2"),
            |_, (loss, ratio)| at_most(*loss, 2.0 * *ratio),
        )
        .sides("max_i ℓ(z_i)", "2ε/η")
        .in_sense("samples")
}

fn small_ball() -> Setting<Window, ()> {
    Setting::of()
        .given("n ≥ 1, ε, η, C > 0")
        .assume(Hypothesis::new("ε < η/2 and η < C", Window::is_posed))
        .family(windows())
        .family(outside("ε too large, or C too small", badly_posed))
        .family(outside("ε below what doubles resolve", || {
            let accuracy = 1e-305;
            vec![("ε = 10^{−305}", Window { triplets: 1, accuracy, floor: 1.0, cap: 20.0 })]
        }))
        .step(
            "s5-small-ball",
            "no outputs of n triplets with η < ‖z_{i,j}‖ < C have ‖∇L̂_un‖ < η/2, because √(6n) C σ(−2C²) ≥ η/2",
            holds(),
            |w: &Window, ()| at_least(corner(w.triplets as usize, exact(w.cap)), 0.5 * exact(w.floor)),
        )
        .assume(Hypothesis::new("C² ≤ ½ log(2√6 − 1)", |w| {
            let limit = 0.5 * (2.0 * exact(6.0).sqrt() - 1.0).ln();
            exact(w.cap).square().hi() <= limit.lo()
        }))
        .step(
            "s5-sufficient",
            "n triplets z_1 = z_2 = −z_3 of norm C − min(10^{−6} C, (C − η)/2, max(10^{−5}/C, 10^{−12} C)) have η < \
             ‖z_{i,j}‖ < C and ‖∇L̂_un‖ ≤ ε",
            holds(),
            |w, ()| {
                let outputs = w.just_inside();
                let inside = outputs.triplets.iter().flat_map(norms).fold(Enclosure::ZERO, Enclosure::max);
                all_of([
                    ("‖∇L̂_un‖ ≤ ε", at_most(outputs.gradient(), exact(w.accuracy))),
                    ("norms below C", less_than(inside, exact(w.cap))),
                    ("norms above η", less_than(exact(w.floor), inside)),
                ])
            },
        )
        .assume(Hypothesis::new("√(6n) C σ(−2C²) < 0.999 ε", |w| {
            corner(w.triplets as usize, exact(w.cap)).hi() < 0.999 * w.accuracy
        }))
        .assume(Hypothesis::new("ε ≥ 10^{−300}", |w| w.accuracy >= 1e-300))
        // Between neighbouring doubles there is no room for a vector of doubles.
        .assume(Hypothesis::new("C − η > 10^{−9} C", |w| w.cap - w.floor > 1e-9 * w.cap))
        .control(
            "g",
            "some outputs with η < ‖z_{i,j}‖ < C have ‖∇L̂_un‖ < ε: √(6n) C σ(−2C²) < ε",
            |w, ()| less_than(corner(w.triplets as usize, exact(w.cap)), exact(w.accuracy)),
        )
}

/// The last step for one number v = v_2, proved on its whole range.
fn slopes_alone() -> Setting<Slope, Enclosure> {
    let odds = |v: f64| exact(v) / (1.0 - exact(v));
    let parameter = move |s: &Slope| Some([odds(s.v)]);
    let instance = |[t]: [f64; 1]| Slope { v: t / (1.0 + t) };
    Setting::measuring(move |s: &Slope, _| Ok(odds(s.v)))
        .assume(Hypothesis::new("0 ≤ v ≤ ½", |s| (0.0..=0.5).contains(&s.v)))
        .family(edge_over("slopes", "v", [0.0, 1e-300, 1e-8, 0.25, 0.499, 0.5], |v| Slope { v }))
        .family(random("uniform slopes", || (0.0..=0.5f64).prop_map(|v| Slope { v })))
        .family(outside("slopes above ½", || vec![("v = 0.6", Slope { v: 0.6 }), ("v = 0.9", Slope { v: 0.9 })]))
        .step("s4-logarithm", "−log(1 − v) ≤ v/(1 − v)", holds(), |s, &odds| {
            at_most(-(-exact(s.v)).ln_1p(), odds)
        })
        .proved_by(
            Proof::covering("0 ≤ v ≤ ½, t = v/(1 − v)", [(0.0, 1.0)], |[t]| t - t.ln_1p())
                .control("0.99 v/(1 − v)", |[t]| 0.99 * t - t.ln_1p()),
            parameter,
            instance,
        )
        .step("s4-half", "v/(1 − v) ≤ 2v", holds(), |s, &odds| at_most(odds, 2.0 * exact(s.v)))
        .proved_by(
            Proof::covering("0 ≤ v ≤ ½, t = v/(1 − v)", [(0.0, 1.0)], |[t]| t * (1.0 - t) / (1.0 + t))
                .control("1.99 v", |[t]| 1.99 * t / (1.0 + t) - t),
            parameter,
            instance,
        )
        .control("s4-without", "−log(1 − v) ≤ v", |s, _| at_most(-(-exact(s.v)).ln_1p(), exact(s.v)))
}

/// v_2 as printed, from the inner products z_1·z_2 and z_1·z_3, which are summed in one so that their rounding stays small.
fn second_share(z: &Triplet) -> Enclosure {
    let [anchor, positive, negative] = z.vectors();
    let minus: Vec<f64> = positive.iter().map(|x| -x).collect();
    Enclosure::from(interval::dot(&[anchor, anchor].concat(), &[negative, &minus].concat())).sigmoid()
}
