//! Section 8, before Lemma 6: the gradient of the loss in the parameters is the sum of what the three outputs send back.
//!
//! True: it is the chain rule, and the three outputs share the parameters, so that the sum has three terms, also where two
//! inputs coincide. Left, the composition of network and loss is differentiated forwards, in interval arithmetic, along every
//! parameter; right, the Jacobians of the outputs are products of matrices, applied to the loss vectors. No difference
//! quotients. Where a pre-activation is exactly zero the network has no gradient, but with relu'(0) = 0 on both sides the
//! formula is still an identity. The backpropagation that the training claims use is held against the same enclosures.

use contrastive::network::{
    ConvolutionalEncoder, ConvolutionalShape, Encoder, EncoderShape, GradientDescent, Trained, Weights,
};
use enclosures::probability::fill_standard_normal;
use enclosures::stream::stream;
use evidence::prelude::*;
use proptest::collection::vec;
use proptest::prelude::Strategy;

use crate::shared::network_point::{NetworkPoint, points};
use crate::shared::notation::{BLOCK_COLUMN, EMPIRICAL_LOSS, NETWORK, OUTPUT_TRIPLE, TRIPLET_LOSS};
use crate::shared::training_record::slopes;

struct ChainedGradients {
    composed: Vec<Interval>,
    through: Vec<Interval>,
    backward: Vec<Enclosure>,
    /// Without the anchors, the positives, the negatives.
    without: [Vec<Interval>; 3],
    /// The largest sum of two of the three terms: at a critical point the whole cancels.
    size: f64,
}

fn measure(point: &NetworkPoint) -> Result<ChainedGradients, MeasureError> {
    let composed = point.composed()?;
    let without = [[false, true, true], [true, false, true], [true, true, false]];
    let [a, b, c] = without.map(|kept| point.through_outputs(kept));
    let without = [a?, b?, c?];
    Ok(ChainedGradients {
        through: point.through_outputs([true; 3])?,
        backward: backward(point)?,
        size: largest(without.iter().flatten()),
        without,
        composed,
    })
}

fn largest<'a>(derivatives: impl Iterator<Item = &'a Interval>) -> f64 {
    derivatives.fold(0.0, |m: f64, x| m.max(x.magnitude()))
}

/// Plain backpropagation.
fn backward(point: &NetworkPoint) -> Result<Vec<Enclosure>, MeasureError> {
    let shape = EncoderShape {
        input: point.inputs.first().map_or(0, Vec::len),
        width: point.hidden.first().map_or(0, Vec::len),
        depth: point.hidden.len().saturating_sub(1),
        output: point.head.len(),
    };
    let weights = Weights {
        a: point.hidden.first().map(|a| a.concat()).unwrap_or_default(),
        w: point.hidden.iter().skip(1).map(|w| w.concat()).collect(),
        b: point.head.concat(),
    };
    let run = GradientDescent::new(Encoder::new(shape, weights)?, point.inputs.concat(), 1.0, Trained::All)?;
    let (_, slope) = slopes(&run)?;
    let weights = run.gradient(&slope)?;
    Ok(weights.matrices().flatten().map(|&g| Enclosure::measured(g)).collect())
}

fn same<T: Copy + Into<Enclosure>>(g: &ChainedGradients, other: &[T]) -> Evaluation {
    if g.composed.len() != other.len() {
        return Evaluation::Failed("two gradients of different lengths".into());
    }
    for_each("parameter", g.composed.iter().zip(other), |_, (&x, &y)| {
        equal(x, y).on_scale_of("the largest sum of two of the three terms of a parameter", g.size)
    })
}

/// Small networks of every depth with inputs of norm one, some of which coincide.
fn drawn() -> impl Strategy<Value = NetworkPoint> {
    let shape = (2usize..=3, 2usize..=4, 0usize..=3, 1usize..=3, 1usize..=2, 0usize..6);
    shape.prop_flat_map(|(input, width, depth, output, triplets, repeat)| {
        let matrix = |rows: usize, columns: usize| vec(vec(-1.5..1.5f64, columns), rows);
        let parts = (
            matrix(width, input),
            vec(matrix(width, width), depth),
            matrix(output, width),
            matrix(3 * triplets, input),
        );
        parts.prop_map(move |(first, rest, head, mut inputs)| {
            // One list in two repeats an input within the first triplet.
            if repeat < 3 {
                inputs[repeat] = inputs[(repeat + 1) % 3].clone();
            }
            NetworkPoint { hidden: std::iter::once(first).chain(rest).collect(), head, inputs }
        })
    })
}

/// Coinciding inputs, a dead network, a network without a head, and pre-activations that are exactly zero.
fn named() -> Vec<(String, NetworkPoint)> {
    let mut list = points();
    let hidden = || vec![vec![vec![1.0, 0.5], vec![-0.5, 1.0], vec![0.25, -1.0]]];
    let head = || vec![vec![1.0, -0.5, 0.75], vec![0.5, 1.0, 0.25]];
    let inputs = [vec![0.6, 0.8], vec![0.8, -0.6], vec![0.28, 0.96]];
    let mut add = |name: &str, hidden, head, roles: [usize; 3]| {
        let inputs = roles.iter().map(|&i| inputs[i].clone()).collect();
        list.push((name.to_owned(), NetworkPoint { hidden, head, inputs }));
    };
    add("three inputs", hidden(), head(), [0, 1, 2]);
    add("anchor = positive", hidden(), head(), [0, 0, 2]);
    add("anchor = negative", hidden(), head(), [0, 1, 0]);
    add("positive = negative", hidden(), head(), [0, 1, 1]);
    add("all inputs equal", hidden(), head(), [0, 0, 0]);
    add("B = 0", hidden(), vec![vec![0.0; 3]; 2], [0, 1, 2]);
    add("A = 0, every pre-activation zero", vec![vec![vec![0.0; 2]; 3]], head(), [0, 1, 2]);
    add("dead on two inputs", vec![vec![vec![-1.0, -1.0]; 3]], head(), [0, 1, 2]);
    let kink = NetworkPoint {
        hidden: vec![vec![vec![1.0, 0.0], vec![0.0, 1.0], vec![1.0, 1.0]]],
        head: head(),
        inputs: vec![vec![1.0, 0.0], vec![0.0, 1.0], vec![-1.0, 0.0]],
    };
    list.push(("some pre-activations zero".into(), kink));
    list
}

/// A convolutional encoder of images of 4 × 4 pixels as the dense one that is the same function: the last coordinate of every image is 1 and
/// carries the biases. Its shared weights count as many, so that the formula is tried on each of them. Four maps make its layers as wide as its
/// images, which a list of matrices asks of them.
fn convolutional() -> Vec<(String, NetworkPoint)> {
    let mut rng = stream(8, &["convolutional point"]);
    let shape = ConvolutionalShape { side: 4, channels: 1, maps: [4, 4], kernel: 2, stride: 2, output: 2 };
    let encoder = ConvolutionalEncoder::initialise(shape, &mut rng).and_then(|encoder| encoder.as_dense());
    let encoder = encoder.expect("the sizes are small and positive");
    let (shape, weights) = (encoder.shape(), encoder.weights());
    let rows = |matrix: &[f64], columns: usize| matrix.chunks_exact(columns).map(<[f64]>::to_vec).collect();
    let mut images = [0.0; 48];
    fill_standard_normal(&mut rng, &mut images);
    let point = NetworkPoint {
        hidden: std::iter::once(rows(&weights.a, shape.input))
            .chain(weights.w.iter().map(|w| rows(w, shape.width)))
            .collect(),
        head: rows(&weights.b, shape.width),
        inputs: images.chunks_exact(16).map(|image| [image, &[1.0]].concat()).collect(),
    };
    vec![("images of 4 × 4 pixels".into(), point)]
}

pub fn claim() -> Claim {
    Claim::new("merad2020.chain-rule", "parameter gradient through the three outputs", Kind::Identity)
        .statement(
            "at every θ where the network is differentiable at the three inputs, ∂ℓ(z_i)/∂θ = Σ_{j=1..3} \
             (∂f(x_j)/∂θ)·A_jᵀ ∂ℓ/∂z(z_i); summed over i it is the gradient of L̂_un",
        )
        .symbols([NETWORK, TRIPLET_LOSS, OUTPUT_TRIPLE, EMPIRICAL_LOSS, BLOCK_COLUMN])
        .symbol(
            "θ",
            "all entries of A, W_1, …, W_L, B; the j-th output of triplet i is f at x_i, x_i⁺, x_i⁻ for j = 1, 2, 3",
        )
        .symbol(
            "∂f(x_j)/∂θ",
            "the transposed Jacobian of f at the j-th input of triplet i, with a row for each parameter and a column \
             for each of the d outputs",
        )
        .source("section 8, before Lemma 6", &["section B of the earlier version, before Lemma B.1"])
        .remark(
            "The library's own tests hold the same backpropagation against num-dual's dual numbers and central \
             differences; here its doubles are held against enclosures.",
        )
        .setting(printed())
        .setting(kinks())
}

fn printed() -> Setting<NetworkPoint, ChainedGradients> {
    Setting::measuring(|p: &NetworkPoint, _| measure(p))
        .given("f(x) = B h_L, h_0 = relu(A x), h_l = relu(W_l h_{l−1})")
        .assume(Hypothesis::new(
            "no pre-activation, that is no entry of A x and W_l h_{l−1} at any input x of the triplets, vanishes",
            NetworkPoint::is_smooth,
        ))
        .family(edge("named", named))
        .family(edge("convolutional", convolutional))
        .family(random("drawn networks", drawn).taking(0.5))
        .without_search()
        .part(
            "printed",
            "∂L̂_un/∂θ = Σ_{i≤n} Σ_{j≤3} (∂f(x_j)/∂θ)·A_jᵀ ∂ℓ/∂z(z_i), every parameter",
            holds(),
            |_, g| same(g, &g.through),
        )
        .step(
            "backpropagation",
            "backpropagation in doubles, whose gradient the training claims follow, gives ∂L̂_un/∂θ, every parameter",
            holds(),
            |_, g| same(g, &g.backward),
        )
        .control("a", "∂L̂_un/∂θ without the term of the anchor, j = 1", |_, g| same(g, &g.without[0]))
        .control("b", "∂L̂_un/∂θ without the term of the positive, j = 2", |_, g| same(g, &g.without[1]))
        .control("c", "∂L̂_un/∂θ without the term of the negative, j = 3", |_, g| same(g, &g.without[2]))
}

fn kinks() -> Setting<NetworkPoint, ChainedGradients> {
    Setting::measuring(|p: &NetworkPoint, _| measure(p))
        .given("f(x) = B h_L, h_0 = relu(A x), h_l = relu(W_l h_{l−1})")
        .assume(Hypothesis::new(
            "some pre-activation, that is some entry of A x or W_l h_{l−1} at some input x of the triplets, vanishes",
            |p| !p.is_smooth(),
        ))
        .family(edge("named", named))
        .without_search()
        .ours(
            "kinks",
            "with relu'(0) = 0 on both sides, ∂L̂_un/∂θ = Σ_{i≤n} Σ_{j≤3} (∂f(x_j)/∂θ)·A_jᵀ ∂ℓ/∂z(z_i), every parameter",
            holds(),
            |_, g| same(g, &g.through),
        )
        .because("the network is not differentiable there")
}

#[cfg(test)]
mod tests {
    use evidence::instance::Instance;

    #[test]
    fn the_convolutional_encoder_is_an_instance_and_meets_the_hypothesis() {
        for (name, point) in super::convolutional() {
            assert_eq!(point.validate(), Ok(()), "{name}");
            assert!(point.is_smooth(), "{name}");
        }
    }
}
