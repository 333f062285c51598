//! Lemma B.10: whether hidden vectors of δ-separated inputs stay δ/2-separated.
//!
//! At infinite width two unit vectors at angle φ become unit vectors at angle φ′ with 1 − cos φ′ = 1 − cos φ − s(φ)/π,
//! s(φ) = sin φ − φ cos φ. With the chords c = 2 sin(φ/2) and c′ the step satisfies 1/(3π) ≤ 1/c′ − 1/c ≤ κ = (√2 −
//! 1)/2 (the limit φ → 0 and the value at φ = π), so that 1/(1/δ + κ(l+1)) ≤ chord_l ≤ 1/(1/δ + (l+1)/(3π)). The
//! separation δ/2 therefore survives while (l+1)δ ≤ 1/κ = 2(√2 + 1) and is lost once (l+1)δ > 3π. By the law of large
//! numbers the probability of the printed event then tends to zero as m → ∞, where the lemma promises that it tends to
//! one. Theorem 4.2 assumes δ = O(1/L), which the lemma itself does not.
//!
//! The bounds on one neuron go wrong by the same contraction. With ψ = π − φ and weights N(0, 2/m): E[(·)² | both
//! active] = (2δ²/m)(1 − sin ψ/ψ), E[(·)² | one active] = (2/m)(1 − sin 2φ/(2φ)), and E[(·)²] = (2/m)(1 − cos φ′),
//! which lies strictly below δ²/m and at or above δ²/(2m): s/(1 − cos φ) has the derivative sin φ (φ − sin φ)/(1 − cos
//! φ)² ≥ 0, hence s ≤ (π/2)(1 − cos φ), with equality at φ = π.

mod one_layer;
mod separation_failures;

use enclosures::probability::{angle_chain, angle_of_chord, chord_of_angle, first_layer_below, next_angle};
use evidence::prelude::*;
use proptest::strategy::Strategy;

use crate::shared::neuron_pair::{Neuron, Pair, PreActivation, SEPARATIONS, moments, pairs};
use crate::shared::signs::{LAYERS, WIDTH};

/// Chords at the last layer in question, with the separation.
struct Chords {
    separation: Enclosure,
    /// The chord after layer l.
    reached: Enclosure,
    /// The chord that one layer makes of δ/2.
    from_half: Enclosure,
    /// l + 1.
    layers: Enclosure,
}

fn chords(p: &Pair) -> Chords {
    let delta = Interval::point(p.separation);
    let angle = angle_chain(angle_of_chord(delta)).nth(p.layer as usize).unwrap_or(Interval::ZERO);
    let layers = Enclosure::from(p.layer) + 1.0;
    Chords {
        separation: delta.into(),
        reached: chord_of_angle(angle).into(),
        from_half: chord_of_angle(next_angle(angle_of_chord(delta / 2.0))).into(),
        layers,
    }
}

/// κ = (√2 − 1)/2.
fn kappa() -> Enclosure {
    (exact(2.0).sqrt() - 1.0) / 2.0
}

/// 1/c′ − 1/c for one layer, c the chord δ.
fn step(p: &Pair) -> Enclosure {
    let delta = Interval::point(p.separation);
    let next = Enclosure::from(chord_of_angle(next_angle(angle_of_chord(delta))));
    1.0 / next - 1.0 / exact(p.separation)
}

const ONLY_J_ACTIVE: Hypothesis<PreActivation> = Hypothesis::new("only j active", |p| p.i < 0.0 && p.j >= 0.0);
const ONLY_I_ACTIVE: Hypothesis<PreActivation> = Hypothesis::new("only i active", |p| p.i >= 0.0 && p.j < 0.0);
const NOT_OPPOSITE: Hypothesis<Neuron> = Hypothesis::new("φ < 3.13, so that both can be active", |n| n.angle < 3.13);

pub fn claim() -> Claim {
    Claim::new("wen2020.lemma-b10", "separation of hidden vectors", Kind::ProbabilityBound)
        .statement(
            "‖x_i‖ = 1 and ‖x_i − x_j‖ ≥ δ for i ≠ j imply, with probability ≥ 1 − O(n²) e^{−Ω(mδ⁴)}: ‖h_{i,l} − \
             h_{j,l}‖ ≥ δ/2 for all i ≠ j and every layer 0 ≤ l ≤ L − 1",
        )
        .source("Lemma B.10", &["used in Lemma C.1; Theorem 4.2 assumes δ = O(1/L)"])
        .symbols([WIDTH, LAYERS])
        .symbol(
            "h_{i,l}",
            "the hidden vector of layer l at x_i: h_{i,l} = max(W_l h_{i,l−1}, 0), h_{i,−1} = x_i, entries of W_l \
             independent N(0, 2/m)",
        )
        .symbol("δ", "the distance of the two inputs; in the bounds on one neuron δ_l = ‖h_i − h_j‖")
        .symbol(
            "chord",
            "chord_l = 2 sin(φ_{l+1}/2), the limit of ‖h_{i,l} − h_{j,l}‖ as m → ∞: δ = 2 sin(φ/2), φ_0 = φ and cos \
             φ_{l+1} = (sin φ_l + (π − φ_l) cos φ_l)/π",
        )
        .symbol("c′", "chord_0, for inputs at the distance c")
        .symbol("κ", "(√2 − 1)/2")
        .symbol(
            "E[",
            "the mean over w; (·) stands for σ(w·h_i) − σ(w·h_j), σ(t) = max(t, 0); active means w·h ≥ 0; Σ_r runs \
             over m independent neurons",
        )
        .sense("alone", "the lemma by itself: any δ ∈ (0, 2] and any number of layers")
        .sense("in-theorem", "with δ ≤ c/L, which Theorem 4.2 assumes; the constant c is ours")
        .remark(
            "As m → ∞ at fixed (δ, l) the distance tends to the chord of the infinite-width recursion. Where that is \
             below δ/2 the probability of the event tends to zero, whatever the constants; where it is above, the \
             probability tends to one.",
        )
        .remark(
            "The two-sided bound on 1/c′ − 1/c is proved for every angle by subdivision (check one-layer); adding it \
             up over the layers proves the bounds on chord_l. First layers with a chord below δ/2: 3 for δ = 2, 8 for \
             δ = 1, 93 for δ = 0.1, 941 for δ = 0.01.",
        )
        .setting(printed())
        .setting(first_layer_apart())
        .setting(one_neuron())
        .setting(only_one_active())
        .setting(separation_failures::deep())
        .setting(separation_failures::shallow())
        .setting(separation_failures::rates())
        .setting(separation_failures::antipodal())
}

fn printed() -> Setting<Pair, Chords> {
    Setting::measuring(|p: &Pair, _| Ok(chords(p)))
        .given("two unit inputs at distance 0 < δ ≤ 2, infinite width")
        .family(edge("registered", pairs))
        .family(random("log-uniform separation", || {
            (-4.6..0.69f64, 0u32..60)
                .prop_map(|(log, layer)| Pair { separation: exact(log).exp().midpoint().min(2.0), layer })
        }))
        .part(
            "printed",
            "infinite width, so the limit m → ∞ at fixed (δ, l): the chord after layer l is at least δ/2",
            fails(
                "every layer contracts: beyond l ≈ 3π/δ the limit is below δ/2, and the probability tends to 0 as m → \
                 ∞",
            ),
            |_, c| at_least(c.reached, c.separation / 2.0),
        )
        .sides("limit of the chord after layer l", "δ/2")
        .in_sense("alone")
        .step(
            "s8",
            "the induction, at infinite width: one layer takes two unit vectors at distance δ/2 to a distance (divided \
             by the length, which tends to one) of at least δ/2",
            fails("a layer strictly contracts; the conclusion at layer l − 1 is weaker than what is assumed there"),
            |_, c| at_least(c.from_half, c.separation / 2.0),
        )
        .sides("the chord that a layer makes of δ/2", "δ/2")
        .amendment("reciprocal", "chord_l ≥ 1/(1/δ + κ(l + 1)) with κ = (√2 − 1)/2", holds(), |_, c| {
            at_least(c.reached, 1.0 / (1.0 / c.separation + kappa() * c.layers))
        })
        .part("shallow", "chord_l ≥ δ/2 while (l + 1)δ ≤ 2(√2 + 1) = 4.83", holds(), |_, c| {
            at_least(c.reached, c.separation / 2.0)
        })
        .our_constant("4.828 in (l + 1)δ ≤ 4.828, for δ = O(1/L)")
        .in_sense("in-theorem")
        .assume(Hypothesis::new("(l + 1)δ ≤ 4.828", |p| (f64::from(p.layer) + 1.0) * p.separation <= 4.828))
        .amendment("deep", "conversely chord_l < δ/2 once (l + 1)δ > 3π = 9.42", holds(), |_, c| {
            less_than(c.reached, c.separation / 2.0)
        })
        .assume(Hypothesis::new("(l + 1)δ ≥ 9.425", |p| (f64::from(p.layer) + 1.0) * p.separation >= 9.425))
        .amendment("reciprocal-above", "chord_l ≤ 1/(1/δ + (l + 1)/(3π))", holds(), |_, c| {
            at_most(c.reached, 1.0 / (1.0 / c.separation + c.layers / (3.0 * Enclosure::pi())))
        })
        .sharpening(
            "one-layer",
            "1/(3π) ≤ 1/c′ − 1/c ≤ κ for one layer from chord c = δ",
            holds(),
            |p, _| {
                let gap = step(p);
                let low = 1.0 / (3.0 * Enclosure::pi());
                ascending([low, gap, kappa()])
            },
        )
        .proved_by(one_layer::small_angles(), one_layer::from_zero, one_layer::at_angle)
        .proved_by(one_layer::large_angles(), one_layer::from_pi, one_layer::at_angle_from_pi)
        .control("a", "chord_l ≥ δ", |_, c| at_least(c.reached, c.separation))
        .control("b", "chord_l ≤ δ/4 at layer 0", |p, c| {
            if p.layer == 0 { at_most(c.reached, c.separation / 4.0) } else { vacuous("not layer 0") }
        })
        .except("not layer 0")
        .control("c", "chord_l ≥ ½ whatever δ", |_, c| at_least(c.reached, exact(0.5)))
}

fn first_layer_apart() -> Setting<Pair, ()> {
    Setting::of()
        .given("two unit inputs at distance 0 < δ ≤ 2, infinite width")
        .family(edge("registered δ", || {
            let of = |separation| (format!("δ = {separation:.3}"), Pair { separation, layer: 0 });
            SEPARATIONS.into_iter().map(of).collect()
        }))
        .without_search()
        .amendment(
            "first-layer",
            "the first layer f with a chord below δ/2 satisfies 2(√2 + 1) < (f + 1)δ ≤ 3π + δ",
            holds(),
            |p: &Pair, ()| first_layer(p.separation),
        )
}

fn only_one_active() -> Setting<PreActivation, ()> {
    Setting::of()
        .family(outside("both or none active", || {
            vec![("both", PreActivation { i: 1.0, j: 2.0 }), ("none", PreActivation { i: -1.0, j: -2.0 })]
        }))
        .family(edge("named", || {
            vec![
                ("i active only", PreActivation { i: 1.0, j: -1.0 }),
                ("j active only", PreActivation { i: -1.0, j: 1.0 }),
            ]
        }))
        .family(random("of both signs", || {
            (0.01..3.0f64, 0.01..3.0f64, 0..2u32).prop_map(|(i, j, swap)| {
                if swap == 0 { PreActivation { i, j: -j } } else { PreActivation { i: -i, j } }
            })
        }))
        .step(
            "s2",
            "σ(w·h_i) − σ(w·h_j) = +w·h_j where only j is active",
            fails("the value is −w·h_j; squaring hides it"),
            |p, ()| equal(p.difference(), exact(p.j)),
        )
        .sides("σ(w·h_i) − σ(w·h_j)", "w·h_j")
        .assume(ONLY_J_ACTIVE)
        .step("s2-i", "σ(w·h_i) − σ(w·h_j) = w·h_i where only i is active", holds(), |p, ()| {
            equal(p.difference(), exact(p.i))
        })
        .assume(ONLY_I_ACTIVE)
        .amendment("s2-sign", "σ(w·h_i) − σ(w·h_j) = −w·h_j where only j is active", holds(), |p, ()| {
            equal(p.difference(), exact(-p.j))
        })
        .assume(ONLY_J_ACTIVE)
}

fn first_layer(separation: f64) -> Evaluation {
    let delta = Interval::point(separation);
    let Some(found) = first_layer_below(delta, delta / 2.0, 5000) else {
        return Evaluation::Failed("no such layer among the first 5000".into());
    };
    let depth = (Enclosure::from(found) + 1.0) * separation;
    let low = 1.0 / kappa();
    ascending([low, depth, 3.0 * Enclosure::pi() + separation]).noting(format!("f = {found} for δ = {separation:.3}"))
}

/// The steps about one neuron, over φ ∈ (0, π].
fn one_neuron() -> Setting<Neuron, crate::shared::neuron_pair::Moments> {
    Setting::measuring(|n: &Neuron, _| Ok(moments(n)))
        .given("‖h_i‖ = ‖h_j‖ = 1, w ~ N(0, (2/m)I), δ_l = ‖h_i − h_j‖ = 2 sin(φ/2), 0 < φ ≤ π")
        .family(edge("angles", || {
            let of = |angle| (format!("φ = {angle:.4}"), Neuron { width: 20, angle });
            let mut list: Vec<_> = [1e-3, 1e-2, 0.1, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.1].into_iter().map(of).collect();
            list.push(("φ = π".into(), Neuron { width: 1, angle: Enclosure::pi().lo() }));
            list.push(("φ = π/2".into(), Neuron { width: 1, angle: Enclosure::pi().lo() / 2.0 }));
            list
        }))
        .family(random("uniform angle", || {
            (1e-4..3.13f64, 1u32..200).prop_map(|(angle, width)| Neuron { width, angle })
        }))
        .step(
            "s1",
            "E[(σ(w·h_i) − σ(w·h_j))² | both active] ≥ 2δ_l²/m",
            fails("it is (2δ_l²/m)(1 − sin φ/(π − φ)), smaller at every angle and tending to 0 at φ → π"),
            |_, q| at_least(q.both, 2.0 * q.squared_chord / q.width),
        )
        .sides("E[(σ(w·h_i) − σ(w·h_j))² | both active]", "2δ_l²/m")
        .assume(NOT_OPPOSITE)
        .step(
            "s3",
            "E[(·)² | exactly one active] ≥ 2δ_l²/m",
            fails("it is (2/m)(1 − sin 2φ/(2φ)), between a quarter and two thirds of that"),
            |_, q| at_least(q.one, 2.0 * q.squared_chord / q.width),
        )
        .sides("E[(·)² | exactly one active]", "2δ_l²/m")
        .step("s4", "P(both inactive) ≤ ½", holds(), |_, q| at_most(q.inactive, exact(0.5)))
        .step(
            "s5",
            "E[(·)²] ≥ δ_l²/m",
            fails("it is (2/m)(1 − cos φ′), and φ′ < φ: strictly smaller at every angle"),
            |_, q| at_least(q.square, q.squared_chord / q.width),
        )
        .sides("E[(·)²]", "δ_l²/m")
        .step("s6", "E[(·)²] ≤ 2", holds(), |_, q| at_most(q.square, exact(2.0)))
        .step(
            "s7",
            "last display as printed: Σ_r ¼E[σ(w_r·h_i) − σ(w_r·h_j)] ≥ δ_l²/4",
            fails("the two means are equal, so that the middle term is 0"),
            |_, q| at_least(q.mean_difference, q.squared_chord / 4.0),
        )
        .sides("Σ_r ¼E[σ(w_r·h_i) − σ(w_r·h_j)]", "δ_l²/4")
        .step(
            "s7-norm",
            "last display, first part, ‖h_{i,l} − h_{j,l}‖² being Σ_r E[(·)²] as at infinite width: ‖h_{i,l} − \
             h_{j,l}‖ ≥ Σ_r ¼E[(·)]",
            holds(),
            |_, q| at_least((q.width * q.square).sqrt(), q.mean_difference),
        )
        .not_evidence("a norm is at least zero, and both means are equal")
        .step(
            "s7-squares",
            "last display with squares, second part: Σ_r ¼E[(·)²] ≥ δ_l²/4",
            fails("it is (1 − cos φ′)/2 < (1 − cos φ)/2 = δ_l²/4"),
            |_, q| at_least(q.width * q.square / 4.0, q.squared_chord / 4.0),
        )
        .sides("Σ_r ¼E[(·)²]", "δ_l²/4")
        .step(
            "s7-sum",
            "with squares, first part, ‖h_{i,l} − h_{j,l}‖² being Σ_r E[(·)²] as at infinite width: ‖h_{i,l} − \
             h_{j,l}‖² ≥ Σ_r ¼E[(·)²]",
            holds(),
            |_, q| at_least(q.width * q.square, q.width * q.square / 4.0),
        )
        .not_evidence("a sum is at least a quarter of itself")
        .amendment("s1-exact", "E[(·)² | both active] = (2δ_l²/m)(1 − sin φ/(π − φ))", holds(), |_, q| {
            equal(q.both, 2.0 * q.squared_chord * q.sine_ratio / q.width)
                .on_scale_of("2δ_l²/m", (2.0 * q.squared_chord / q.width).hi())
        })
        .assume(NOT_OPPOSITE)
        .amendment("s3-quarter", "E[(·)² | exactly one active] ≥ δ_l²/(2m), tight at φ = π", holds(), |_, q| {
            at_least(q.one, q.squared_chord / (2.0 * q.width))
        })
        .amendment("s5-half", "E[(·)²] ≥ δ_l²/(2m), tight at φ = π", holds(), |_, q| {
            at_least(q.square, q.squared_chord / (2.0 * q.width))
        })
        .amendment("s7-eighth", "Σ_r ¼E[(·)²] ≥ δ_l²/8, tight at φ = π", holds(), |_, q| {
            at_least(q.width * q.square / 4.0, q.squared_chord / 8.0)
        })
        .sharpening("s6-width", "E[(·)²] ≤ 2/m, attained at φ = π", holds(), |_, q| {
            at_most(q.square, 2.0 / q.width)
        })
        .control("d", "E[(·)²] ≥ δ_l²/(1.9m)", |_, q| at_least(q.square, q.squared_chord / (1.9 * q.width)))
        .control("e", "E[(·)²] ≤ 1.9/m", |_, q| at_most(q.square, 1.9 / q.width))
        .control("f", "P(both inactive) ≤ ¼", |_, q| at_most(q.inactive, exact(0.25)))
}
