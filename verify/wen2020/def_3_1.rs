//! Definition 3.1: two encoders of L hidden ReLU layers, printed as nested maps and as a product of masked matrices.
//!
//! Both forms are the same map: σ(t) = 1{t ≥ 0} t. From it follow positive homogeneity, f(cx) = c f(x) for c > 0, and for one hidden layer that the odd
//! part of f is linear, f(x) − f(−x) = W_1 W_0 x, since σ(t) − σ(−t) = t. The latter is what makes antipodal inputs special (remark-ntk).

use contrastive::network::{EnclosedActivations, Encoder};
use enclosures::vectors::{minus, points, scaled, sum_of_products, unit_vector};
use evidence::prelude::*;

use crate::shared::encoder_pair::{EncoderPair, families};
use crate::shared::query_key_outputs::same_numbers;
use crate::shared::signs::{HIDDEN, KEY_NETWORK, LAYERS, OUTPUT, PATTERN, QUERY_NETWORK, RELU, WIDTH};

/// One encoder at one point.
struct Evaluated {
    /// W_L σ(W_{L−1} σ(⋯ σ(W_0 x))).
    nested: Vec<Interval>,
    /// Rows of W_L D_{L−1} W_{L−1} ⋯ D_0 W_0, applied to x.
    product: Vec<Interval>,
    /// Half of f(2x).
    at_double: Vec<Interval>,
    /// f(x) − f(−x).
    odd_part: Vec<Interval>,
    /// W_L ⋯ W_0 x.
    linear: Vec<Interval>,
    /// Without the ReLU of the last hidden layer.
    unbent: Vec<Interval>,
}

fn evaluated(encoder: &Encoder, x: &[f64]) -> Result<Evaluated, Box<dyn std::error::Error + Send + Sync>> {
    let at = |factor: f64| EnclosedActivations::of(encoder, &scaled(x, factor));
    let (seen, double, opposite) = (at(1.0)?, at(2.0)?, at(-1.0)?);
    let (layers, rows) = (seen.layers(), seen.output().len());
    let unit = |r: usize| points(&unit_vector(rows, r));
    let linear = (0..=layers).fold(seen.below(0).to_vec(), |v, l| seen.apply(l, &v));
    Ok(Evaluated {
        nested: nested(encoder, x),
        product: (0..rows).map(|r| sum_of_products(&seen.back(0, &unit(r)), seen.below(0))).collect(),
        at_double: scaled(double.output(), 0.5),
        odd_part: minus(seen.output(), opposite.output()),
        unbent: seen.apply(layers, seen.pre_activations(layers - 1)),
        linear,
    })
}

/// The nested form, from the weights alone.
fn nested(encoder: &Encoder, x: &[f64]) -> Vec<Interval> {
    let mut current = points(x);
    let matrices: Vec<&[f64]> = encoder.weights().matrices().collect();
    for (l, matrix) in matrices.iter().enumerate() {
        if l > 0 {
            current = current.into_iter().map(|h| h.max(Interval::ZERO)).collect();
        }
        let row = |row: &[f64]| sum_of_products(&current, row);
        current = matrix.chunks_exact(current.len()).map(row).collect();
    }
    current
}

fn everywhere(all: &[Evaluated], test: impl Fn(&Evaluated) -> Evaluation) -> Evaluation {
    for_each("evaluation", all, |_, e| test(e))
}

pub fn claim() -> Claim {
    Claim::new("wen2020.def-3.1", "network", Kind::Definition)
        .statement(
            "f_W(x) = W_L σ(W_{L−1} σ(⋯ σ(W_0 x))) equals W_L h_{L−1} with h_0 = D_0 W_0 x, h_l = D_l W_l h_{l−1}; the \
             key network likewise with θ",
        )
        .source("Definition 3.1", &["recursive form at the head of Appendix B"])
        .symbols([WIDTH, LAYERS, OUTPUT, QUERY_NETWORK, KEY_NETWORK, RELU, HIDDEN, PATTERN])
        .symbol("f(x)", "f_W(x), and f_θ(x) with θ in place of W")
        .remark(
            "The remark after the definition (other architectures are possible) has no content that could be checked.",
        )
        .setting(printed())
}

fn printed() -> Setting<EncoderPair, Vec<Evaluated>> {
    Setting::measuring(|p: &EncoderPair, _| {
        let sides = [&p.encoders.query, &p.encoders.key];
        let all = sides.iter().flat_map(|encoder| p.points.iter().map(|x| evaluated(encoder, x)));
        all.collect::<Result<Vec<_>, _>>()
    })
    .given("both encoders have one shape")
    .family(families(5))
    .without_search()
    .part(
        "printed",
        "W_L σ(W_{L−1} σ(⋯ σ(W_0 x))) = W_L D_{L−1} W_{L−1} ⋯ D_0 W_0 x, D_l = diag 1{W_l h_{l−1} ≥ 0}",
        holds(),
        |_, all| everywhere(all, |e| same_numbers(&e.nested, &e.product)),
    )
    .sharpening("homogeneous", "f(2x) = 2 f(x)", holds(), |_, all| {
        everywhere(all, |e| same_numbers(&e.nested, &e.at_double))
    })
    .sharpening("odd-part", "one hidden layer: f(x) − f(−x) = W_1 W_0 x", holds(), |_, all| {
        everywhere(all, |e| same_numbers(&e.odd_part, &e.linear))
    })
    .assume(Hypothesis::new("L = 1", |p| p.layers() == 1))
    .control(
        "a",
        "W_L σ(W_{L−1} σ(⋯ σ(W_0 x))) = W_L W_{L−1} h_{L−2}, no ReLU at the last hidden layer",
        |_, all| everywhere(all, |e| same_numbers(&e.nested, &e.unbent)),
    )
    .control("b", "f(x) = σ(f(x)), a ReLU at the output", |_, all| {
        everywhere(all, |e| {
            let bent: Vec<Interval> = e.nested.iter().map(|x| x.max(Interval::ZERO)).collect();
            same_numbers(&e.nested, &bent)
        })
    })
    .control("c", "f(x) − f(−x) = W_L ⋯ W_0 x beyond one hidden layer", |_, all| {
        everywhere(all, |e| same_numbers(&e.odd_part, &e.linear))
    })
    .assume(Hypothesis::new("L ≥ 2", |p| p.layers() >= 2))
}
