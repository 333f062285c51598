//! Section 5.2 and Appendix B: activation matrices, printed in four ways, and the hidden vectors they are to give.
//!
//! Only the fourth way, D_l = diag 1{W_l h_{l−1} ≥ 0} (Lemma B.4), gives h_l = D_l W_l h_{l−1}. Section 5.2 puts σ inside the indicator, and σ ≥ 0
//! always: D is the identity, and the representation fails at the first negative pre-activation. Appendix B asks for the sign of W_l
//! h_l, the hidden vector that D is to define. Its version for the initial network leaves h_{l−1} unmarked: read as the perturbed
//! network's, it gives the pattern of neither. The key recursion of Section 5.2 with h^q on the right uses the wrong network.

use contrastive::network::EnclosedActivations;
use enclosures::vectors::{points, sum_of_products, unit_vector};
use evidence::prelude::*;

use crate::shared::encoder_pair::{EncoderPair, families};
use crate::shared::query_key_outputs::same_numbers;
use crate::shared::signs::{HIDDEN, KEY_NETWORK, LAYERS, OUTPUT, QUERY_NETWORK, RELU, WIDTH};

type BothEncoders = [Vec<EnclosedActivations>; 2];

/// D v with D = diag 1{signs ≥ 0}.
fn kept(signs: &[Interval], v: &[Interval]) -> Vec<Interval> {
    let keep = |(s, x): (&Interval, &Interval)| {
        if s.lo() >= 0.0 {
            *x
        } else if s.hi() < 0.0 {
            Interval::ZERO
        } else {
            x.hull(Interval::ZERO)
        }
    };
    signs.iter().zip(v).map(keep).collect()
}

/// A statement on every hidden layer of every point that a network sees.
fn layers(
    sides: &[&[EnclosedActivations]],
    test: impl Fn(&EnclosedActivations, usize, usize) -> Evaluation,
) -> Evaluation {
    let mut parts = Vec::new();
    for (side, points) in sides.iter().enumerate() {
        for (i, seen) in points.iter().enumerate() {
            for l in 0..seen.layers() {
                let network = if side == 0 { "query" } else { "key" };
                parts.push((format!("{network}, point {}, layer {l}", i + 1), test(seen, i, l)));
            }
        }
    }
    all_of(parts)
}

/// h_l = D W_l h_{l−1} with D = diag 1{signs ≥ 0}.
fn represented(seen: &EnclosedActivations, l: usize, signs: &[Interval]) -> Evaluation {
    same_numbers(seen.below(l + 1), &kept(signs, seen.pre_activations(l)))
}

fn first_variant(s: &BothEncoders) -> Evaluation {
    layers(&[&s[0], &s[1]], |seen, _, l| {
        let activated: Vec<Interval> = seen.pre_activations(l).iter().map(|x| x.max(Interval::ZERO)).collect();
        represented(seen, l, &activated)
    })
}

fn second_variant(s: &BothEncoders) -> Evaluation {
    layers(&[&s[0], &s[1]], |seen, _, l| {
        if seen.below(l).len() != seen.below(l + 1).len() {
            return vacuous("W_0 h_0 has no meaning for b ≠ m");
        }
        represented(seen, l, &seen.apply(l, seen.below(l + 1)))
    })
}

/// The query network stands for the initial one, the key network for the perturbed one.
fn third_variant(s: &BothEncoders) -> Evaluation {
    layers(&[&s[0]], |initial, i, l| represented(initial, l, &initial.apply(l, s[1][i].below(l))))
}

fn fourth_variant(s: &BothEncoders) -> Evaluation {
    layers(&[&s[0], &s[1]], |seen, _, l| represented(seen, l, seen.pre_activations(l)))
}

/// h^k_l = σ(θ_l h_{l−1}) with the hidden vectors of `other` on the right, for l ≥ 1.
fn key_recursion(s: &BothEncoders, other: usize) -> Evaluation {
    layers(&[&s[1]], |key, i, l| {
        if l == 0 {
            return vacuous("the recursion begins at layer 1");
        }
        let next: Vec<Interval> = key.apply(l, s[other][i].below(l)).iter().map(|x| x.max(Interval::ZERO)).collect();
        same_numbers(key.below(l + 1), &next)
    })
}

/// f(x) = W_L D_{L−1} W_{L−1} ⋯ D_0 W_0 x, as the rows of Back_0 applied to x.
fn outputs_represented(p: &EncoderPair, s: &BothEncoders) -> Evaluation {
    let rows = p.shape().output;
    let unit = |r: usize| points(&unit_vector(rows, r));
    let product = |seen: &EnclosedActivations| -> Vec<Interval> {
        let row = |r: usize| sum_of_products(&seen.back(0, &unit(r)), seen.below(0));
        (0..rows).map(row).collect()
    };
    let one = |(i, seen): (usize, &EnclosedActivations)| {
        (format!("point {}", i + 1), same_numbers(seen.output(), &product(seen)))
    };
    all_of(s.iter().flat_map(|side| side.iter().enumerate().map(one)))
}

pub fn claim() -> Claim {
    Claim::new("wen2020.def-activation", "activation matrices and hidden vectors", Kind::Definition)
        .statement("with (D_l)_aa = 1{σ(W_l h_{l−1})_a ≥ 0}: h_l = D_l W_l h_{l−1} for all layers of both networks")
        .source("Section 5.2, before \"Gradient bounds\"", &["head of Appendix B", "Lemma B.4 (b)"])
        .symbols([WIDTH, LAYERS, OUTPUT, QUERY_NETWORK, KEY_NETWORK, RELU, HIDDEN])
        .symbol(
            "D_l",
            "the diagonal matrix of layer l, as the check defines it for W and likewise for θ; l = 0, …, L − 1 where \
             the check names no l",
        )
        .symbol("h^k_l", "the hidden vector of the key network, and h^q_l that of the query network")
        .symbol("h^(0)", "the hidden vector of the network with the matrices W^(0)")
        .remark("A unit whose pre-activation is exactly zero may count as active or not: D_l W_l h_{l−1} is the same.")
        .setting(printed())
}

fn printed() -> Setting<EncoderPair, [Vec<EnclosedActivations>; 2]> {
    Setting::measuring(|p: &EncoderPair, _| Ok(p.activations()?))
        .given("both encoders have one shape")
        .degenerate("some input or some matrix is zero", |p: &EncoderPair| {
            let nothing = |x: &[f64]| x.iter().all(|&entry| entry == 0.0);
            let encoders = [&p.encoders.query, &p.encoders.key];
            p.points.iter().any(|x| nothing(x)) || encoders.iter().any(|e| e.weights().matrices().any(nothing))
        })
        .family(families(4))
        .without_search()
        .part(
            "printed",
            "(V1), Section 5.2: h_l = D_l W_l h_{l−1} with D_l = diag 1{σ(W_l h_{l−1}) ≥ 0}",
            fails("σ is never negative: D is the identity"),
            |_, s| first_variant(s),
        )
        .checked("wen2020.Notation.def_activation_printed_refuted")
        .sides("an entry of h_l", "that entry of D_l W_l h_{l−1}")
        .step(
            "s2",
            "(V2), Appendix B: h_l = D_l W_l h_{l−1} with D_l = diag 1{W_l h_l ≥ 0}",
            fails("the sign is that of the wrong layer"),
            |_, s| second_variant(s),
        )
        .checked("wen2020.Notation.def_activation_s2_refuted")
        .sides("an entry of h_l", "that entry of D_l W_l h_{l−1}")
        .except("W_0 h_0 has no meaning for b ≠ m")
        .step(
            "s3",
            "(V3), Appendix B, with W^(0) = W and θ for the perturbed network: h^(0)_l = D W^(0)_l h^(0)_{l−1} with D \
             = diag 1{W^(0)_l h_{l−1} ≥ 0}, h_{l−1} the hidden vector of θ",
            fails("the hidden vector lacks the mark of the initial network"),
            |_, s| third_variant(s),
        )
        .sides("an entry of h^(0)_l", "that entry of D W^(0)_l h^(0)_{l−1}")
        .step(
            "s4",
            "(V4), Lemma B.4: h_l = D_l W_l h_{l−1} with D_l = diag 1{W_l h_{l−1} ≥ 0}",
            holds(),
            |_, s| fourth_variant(s),
        )
        .checked("wen2020.Notation.def_activation_s4")
        .part(
            "s5",
            "h^k_l = σ(θ_l h^q_{l−1}) for 1 ≤ l ≤ L − 1, as printed",
            fails("h^q belongs to the other network"),
            |_, s| key_recursion(s, 0),
        )
        .sides("an entry of h^k_l", "that entry of σ(θ_l h^q_{l−1})")
        .except("the recursion begins at layer 1")
        .because("displayed beside the matrices in Section 5.2")
        .meant(
            "sign",
            "D = diag 1{W_l h_{l−1} ≥ 0} gives h_l = D_l W_l h_{l−1}, and f_W(x) = W_L D_{L−1} W_{L−1} ⋯ D_0 W_0 x",
            holds(),
            |p, s| all_of([("layers", fourth_variant(s)), ("outputs", outputs_represented(p, s))]),
        )
        .because("Lemma B.4 prints the indicator without σ")
        .meant("key-recursion", "h^k_l = σ(θ_l h^k_{l−1}) for 1 ≤ l ≤ L − 1", holds(), |_, s| {
            key_recursion(s, 1)
        })
        .except("the recursion begins at layer 1")
        .because("the superscript of the other network; Appendix C.1 has h^k")
        .amendment(
            "first-layer",
            "(V3) at layer 0, where h_{−1} = x is the same for both networks: h^(0)_0 = D W^(0)_0 x with D = diag \
             1{W^(0)_0 x ≥ 0}",
            holds(),
            |_, s| {
                layers(&[&s[0]], |initial, i, l| {
                    if l > 0 {
                        return vacuous("a later layer");
                    }
                    represented(initial, l, &initial.apply(l, s[1][i].below(l)))
                })
            },
        )
        .except("a later layer")
        .control("a", "h_l = D_l W_l h_{l−1} with D_l = diag 1{W_l h_{l−1} ≤ 0}", |_, s| {
            layers(&[&s[0], &s[1]], |seen, _, l| {
                let reversed: Vec<Interval> = seen.pre_activations(l).iter().map(|&x| -x).collect();
                represented(seen, l, &reversed)
            })
        })
        .control(
            "b",
            "h_l = D_l W_l h_{l−1} with D_l = diag 1{W_{l−1} h_{l−2} ≥ 0}, the pattern of layer l − 1",
            |_, s| {
                layers(&[&s[0], &s[1]], |seen, _, l| match l {
                    0 => vacuous("there is no layer before"),
                    _ => represented(seen, l, seen.pre_activations(l - 1)),
                })
            },
        )
        .except("there is no layer before")
}
