//! A query and a key encoder with a data set, small enough for exact gradients, and the families that the statements of sections 3 and 5
//! on them share.

use contrastive::network::{
    ConvolutionalEncoder, ConvolutionalShape, EnclosedActivations, Encoder, EncoderShape, NetworkError, TwoEncoders,
    Weights,
};
use enclosures::probability::list_of_standard_normals;
use enclosures::stream::stream;
use enclosures::vectors::norm;
use evidence::prelude::*;
use proptest::prelude::{Strategy, any};
use serde::{Deserialize, Serialize};

/// n points, the number k of negatives, and both encoders.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EncoderPair {
    pub negatives: usize,
    pub points: Vec<Vec<f64>>,
    pub encoders: TwoEncoders,
}

/// The sizes that may be chosen.
#[derive(Clone, Copy, Debug)]
pub struct PairSizes {
    pub points: usize,
    pub negatives: usize,
    pub shape: EncoderShape,
}

/// b, m, L, d.
pub fn shape(input: usize, width: usize, layers: usize, output: usize) -> EncoderShape {
    EncoderShape { input, width, depth: layers - 1, output }
}

impl EncoderPair {
    /// Encoders as Definition 3.2 draws them, points on the sphere.
    pub fn drawn(sizes: PairSizes, seed: u64) -> Result<Self, NetworkError> {
        let mut rng = stream(seed, &["encoder pair"]);
        let encoders = TwoEncoders::initialise(sizes.shape, &mut rng)?;
        let coordinates = list_of_standard_normals(&mut rng, sizes.points * sizes.shape.input);
        let unit = |x: &[f64]| {
            let norm = norm(x);
            x.iter().map(|a| a / norm).collect()
        };
        Ok(EncoderPair {
            negatives: sizes.negatives,
            points: coordinates.chunks_exact(sizes.shape.input).map(unit).collect(),
            encoders,
        })
    }

    pub fn shape(&self) -> EncoderShape {
        self.encoders.query.shape()
    }

    /// Number L of hidden layers.
    pub fn layers(&self) -> usize {
        self.shape().depth + 1
    }

    /// The query encoder, then the key encoder, on every point.
    pub fn activations(&self) -> Result<[Vec<EnclosedActivations>; 2], NetworkError> {
        let all = |encoder: &Encoder| -> Result<Vec<_>, NetworkError> {
            let one = |x: &Vec<f64>| EnclosedActivations::of(encoder, x);
            self.points.iter().map(one).collect()
        };
        Ok([all(&self.encoders.query)?, all(&self.encoders.key)?])
    }

    /// Whether every pre-activation is at least this far from the kink of the ReLU.
    pub fn off_the_kinks(&self, distance: f64) -> bool {
        let far = |seen: &EnclosedActivations| seen.distance_from_kinks() >= distance;
        self.activations().is_ok_and(|sides| sides.iter().flatten().all(far))
    }

    /// Without the units, layers, coordinates or points that `keep` refuses.
    fn restricted(&self, keep: &Kept) -> Option<Self> {
        let encoder = |encoder: &Encoder| keep.encoder(encoder);
        let point = |x: &Vec<f64>| keep.inputs.iter().map(|&c| x[c]).collect::<Vec<_>>();
        let count = keep.points.len();
        Some(EncoderPair {
            negatives: self.negatives.min(count.checked_sub(1)?),
            points: keep.points.iter().map(|&i| point(&self.points[i])).collect(),
            encoders: TwoEncoders { query: encoder(&self.encoders.query)?, key: encoder(&self.encoders.key)? },
        })
    }
}

/// What remains of an instance: indices of points, input coordinates, units of every hidden layer, square layers, outputs.
#[derive(Clone)]
struct Kept {
    points: Vec<usize>,
    inputs: Vec<usize>,
    units: Vec<usize>,
    squares: Vec<usize>,
    outputs: Vec<usize>,
}

impl Kept {
    fn all(pair: &EncoderPair) -> Self {
        let shape = pair.shape();
        let range = |n: usize| (0..n).collect::<Vec<_>>();
        Kept {
            points: range(pair.points.len()),
            inputs: range(shape.input),
            units: range(shape.width),
            squares: range(shape.depth),
            outputs: range(shape.output),
        }
    }

    fn encoder(&self, encoder: &Encoder) -> Option<Encoder> {
        let (from, weights) = (encoder.shape(), encoder.weights());
        let part = |matrix: &[f64], columns: usize, rows: &[usize], kept: &[usize]| {
            let entry = |&r: &usize| kept.iter().map(move |&c| (r, c));
            rows.iter().flat_map(entry).map(|(r, c)| matrix[r * columns + c]).collect()
        };
        let square = |&l: &usize| part(&weights.w[l], from.width, &self.units, &self.units);
        let shape = EncoderShape {
            input: self.inputs.len(),
            width: self.units.len(),
            depth: self.squares.len(),
            output: self.outputs.len(),
        };
        let weights = Weights {
            a: part(&weights.a, from.input, &self.units, &self.inputs),
            w: self.squares.iter().map(square).collect(),
            b: part(&weights.b, from.width, &self.outputs, &self.units),
        };
        Encoder::new(shape, weights).ok()
    }

    /// Every way to leave one out.
    fn smaller(&self) -> Vec<Self> {
        let parts: [fn(&mut Self) -> &mut Vec<usize>; 5] =
            [|k| &mut k.points, |k| &mut k.squares, |k| &mut k.units, |k| &mut k.outputs, |k| &mut k.inputs];
        let mut found = Vec::new();
        for part in parts {
            for place in 0..part(&mut self.clone()).len() {
                let mut fewer = self.clone();
                part(&mut fewer).remove(place);
                found.push(fewer);
            }
        }
        found
    }
}

impl Instance for EncoderPair {
    fn describe(&self) -> String {
        let shape = self.shape();
        let sizes = format!(
            "n = {}, k = {}, b = {}, m = {}, L = {}, d = {}",
            self.points.len(),
            self.negatives,
            shape.input,
            shape.width,
            self.layers(),
            shape.output
        );
        let weights = |encoder: &Encoder| encoder.weights().matrices().map(<[f64]>::to_vec).collect::<Vec<_>>();
        if shape.parameters().is_some_and(|count| count <= 12) {
            let (query, key) = (weights(&self.encoders.query), weights(&self.encoders.key));
            format!("{sizes}, points {:?}, W = {query:?}, θ = {key:?}", self.points)
        } else {
            sizes
        }
    }

    fn validate(&self) -> Result<(), String> {
        let (query, key) = (self.encoders.query.shape(), self.encoders.key.shape());
        if query != key {
            return Err("the two encoders have different shapes".into());
        }
        if !(1..self.points.len()).contains(&self.negatives) || self.points.len() > 12 {
            return Err(format!("{} negatives among {} points", self.negatives, self.points.len()));
        }
        if self.points.iter().any(|x| x.len() != query.input || x.iter().any(|a| !a.is_finite())) {
            return Err(format!("a point that is not in ℝ^{}", query.input));
        }
        let weights = || self.encoders.query.weights().matrices().chain(self.encoders.key.weights().matrices());
        if weights().flatten().chain(self.points.iter().flatten()).all(|x| x.abs() <= 1e3) {
            Ok(())
        } else {
            Err("a number is beyond 1000".into())
        }
    }

    fn simpler(&self) -> Vec<Self> {
        let smaller = Kept::all(self).smaller();
        let mut found: Vec<Self> = smaller.iter().filter_map(|kept| self.restricted(kept)).collect();
        if self.negatives > 1 {
            found.push(EncoderPair { negatives: self.negatives - 1, ..self.clone() });
        }
        found
    }

    fn equivalents(&self) -> Vec<(&'static str, Self)> {
        let with = |change: &dyn Fn(&mut Kept)| {
            let mut order = Kept::all(self);
            change(&mut order);
            self.restricted(&order)
        };
        let all = [
            ("points in another order", with(&|order| order.points.reverse())),
            ("inputs in another order", with(&|order| order.inputs.reverse())),
            ("hidden units in another order", with(&|order| order.units.reverse())),
            ("outputs in another order", with(&|order| order.outputs.reverse())),
        ];
        all.into_iter().filter_map(|(change, pair)| Some((change, pair?))).collect()
    }
}

/// Drawn pairs of all small sizes. The seed is part of the draw, not of the instance.
pub fn drawn(most_layers: usize) -> impl Strategy<Value = EncoderPair> {
    let sizes = (2usize..=5, 1usize..=3, 1usize..=4, 1..=most_layers, 1usize..=3);
    (sizes, any::<u64>(), any::<u8>()).prop_map(|((points, input, width, layers, output), seed, k)| {
        let sizes = PairSizes {
            points,
            negatives: 1 + usize::from(k) % (points - 1),
            shape: shape(input, width, layers, output),
        };
        EncoderPair::drawn(sizes, seed).expect("the sizes are small and positive")
    })
}

/// A pair from its matrices, layer after layer; `b`, `m`, `L`, `d` in `shape`.
pub fn pair(shape: EncoderShape, points: &[&[f64]], negatives: usize, query: &[&[f64]], key: &[&[f64]]) -> EncoderPair {
    let encoder = |matrices: &[&[f64]]| {
        let last = matrices.len() - 1;
        let weights = Weights {
            a: matrices[0].to_vec(),
            w: matrices[1..last].iter().map(|w| w.to_vec()).collect(),
            b: matrices[last].to_vec(),
        };
        Encoder::new(shape, weights).expect("the families are made of valid parts")
    };
    EncoderPair {
        negatives,
        points: points.iter().map(|x| x.to_vec()).collect(),
        encoders: TwoEncoders { query: encoder(query), key: encoder(key) },
    }
}

/// Two convolutional encoders, two maps after each of the convolutions, as the dense ones that are the same functions. The last coordinate
/// of every point carries their biases: images of norm one and the number one, both over √2, so that all layers are theirs over √2.
fn convolutional() -> EncoderPair {
    let mut rng = stream(8, &["convolutional pair"]);
    let shape = ConvolutionalShape { side: 3, channels: 1, maps: [2, 2], kernel: 2, stride: 1, output: 2 };
    let mut encoder = || {
        let encoder = ConvolutionalEncoder::initialise(shape, &mut rng).and_then(|encoder| encoder.as_dense());
        encoder.expect("the sizes are small and positive")
    };
    let encoders = TwoEncoders { query: encoder(), key: encoder() };
    let mut images = [0.0; 27];
    enclosures::probability::fill_standard_normal(&mut rng, &mut images);
    let point = |image: &[f64]| {
        let norm = norm(image);
        let on_the_sphere = |x: f64| x * std::f64::consts::FRAC_1_SQRT_2;
        (image.iter().map(|a| on_the_sphere(a / norm))).chain([on_the_sphere(1.0)]).collect()
    };
    EncoderPair { negatives: 2, points: images.chunks_exact(9).map(point).collect(), encoders }
}

/// Pairs with a name that says what is special about them.
pub fn named() -> Vec<(String, EncoderPair)> {
    let mut list: Vec<(String, EncoderPair)> = Vec::new();
    let mut add = |name: &str, p: EncoderPair| list.push((name.to_owned(), p));
    let line = shape(1, 1, 1, 1);
    add("one negative weight", pair(line, &[&[1.0], &[-1.0]], 1, &[&[-1.0], &[1.0]], &[&[1.0], &[2.0]]));
    add("one unit each", pair(line, &[&[1.0], &[0.5]], 1, &[&[1.0], &[2.0]], &[&[1.5], &[-1.0]]));
    let two = shape(2, 2, 1, 2);
    let axes: [&[f64]; 3] = [&[1.0, 0.0], &[0.0, 1.0], &[0.6, 0.8]];
    add(
        "all units dead for one point",
        pair(
            two,
            &axes,
            2,
            &[&[-1.0, 1.0, -2.0, 0.5], &[1.0, 0.0, 0.0, 1.0]],
            &[&[1.0, -1.0, 0.5, 2.0], &[1.0, 2.0, -1.0, 1.0]],
        ),
    );
    add(
        "a pre-activation of zero",
        pair(
            two,
            &axes,
            1,
            &[&[1.0, 0.0, -1.0, 1.0], &[1.0, 2.0, 3.0, 4.0]],
            &[&[0.0, 1.0, 1.0, 1.0], &[1.0, 0.0, 2.0, 1.0]],
        ),
    );
    add(
        "zero output layers",
        pair(two, &axes, 2, &[&[1.0, 2.0, -1.0, 1.0], &[0.0; 4]], &[&[1.0, 2.0, -1.0, 1.0], &[0.0; 4]]),
    );
    add("convolutional encoders of images of 3 × 3 pixels", convolutional());
    for (points, negatives, shape, seed) in [
        (3, 1, shape(2, 2, 2, 1), 1),
        (3, 2, shape(2, 3, 2, 3), 2),
        (4, 2, shape(3, 3, 3, 2), 3),
        (4, 3, shape(4, 4, 2, 4), 4),
        (5, 2, shape(3, 4, 4, 2), 5),
        (3, 1, shape(3, 3, 3, 3), 6),
        (2, 1, shape(2, 4, 1, 2), 7),
    ] {
        let sizes = PairSizes { points, negatives, shape };
        let pair = EncoderPair::drawn(sizes, seed).expect("the sizes are small and positive");
        list.push((format!("drawn, {}", pair.describe()), pair));
    }
    list
}

/// The named and the drawn pairs with up to so many hidden layers.
pub fn families(most_layers: usize) -> Vec<Family<EncoderPair>> {
    vec![edge("named", named), random("drawn", move || drawn(most_layers)).taking(0.5)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loss(p: &EncoderPair) -> f64 {
        let found = p.encoders.gradient(&p.points.concat(), p.negatives);
        found.unwrap().contrast.loss
    }

    /// No loss depends on the order of points, coordinates, units or outputs, but the order of one alone, in the points
    /// and not in the matrices say, would change it.
    #[test]
    fn a_pair_in_another_order_has_the_same_loss() {
        for (name, pair) in named() {
            let equivalents = pair.equivalents();
            assert_eq!(equivalents.len(), 4);
            for (change, other) in equivalents {
                assert!((loss(&other) - loss(&pair)).abs() < 1e-12, "{name}, {change}");
            }
        }
    }

    /// The second unit is dead at both points in both encoders.
    #[test]
    fn a_dead_unit_may_be_left_out() {
        let points: [&[f64]; 2] = [&[1.0, 0.0], &[0.6, 0.8]];
        let whole = pair(
            shape(2, 3, 2, 1),
            &points,
            1,
            &[
                &[1.0, 2.0, -1.0, -1.0, 0.5, -0.5],
                &[1.0, 9.0, 1.0, -1.0, -9.0, -1.0, 2.0, 9.0, -1.0],
                &[1.5, 9.0, -2.0],
            ],
            &[&[2.0, -1.0, -3.0, -1.0, 1.0, 1.0], &[0.5, 9.0, 1.0, -2.0, -9.0, -1.0, 1.0, 9.0, 1.0], &[-1.0, 9.0, 3.0]],
        );
        let mut kept = Kept::all(&whole);
        kept.units = vec![0, 2];
        let rest = whole.restricted(&kept).unwrap();
        assert_eq!(rest.shape(), shape(2, 2, 2, 1));
        assert_eq!(loss(&rest), loss(&whole));
        kept.units = vec![0, 1];
        assert!((loss(&whole.restricted(&kept).unwrap()) - loss(&whole)).abs() > 0.01);
        // The square layer, every unit and every input may go, but no output and no point.
        let valid = whole.simpler().into_iter().filter(|p| p.validate().is_ok());
        let sizes: Vec<_> = valid.map(|p| p.shape().parameters().unwrap()).collect();
        assert_eq!(sizes, [9, 10, 10, 10, 15, 15]);
    }

    #[test]
    fn points_are_unit_vectors_and_layers_are_counted_from_one() {
        for (name, pair) in named() {
            if name.starts_with("drawn") || name.starts_with("convolutional") {
                for x in &pair.points {
                    let square = enclosures::vectors::sum_of_squares(x);
                    assert!((square - 1.0).abs() < 1e-14, "{name}: {square}");
                }
            }
            let hidden = pair.encoders.query.forward(&pair.points[0]).unwrap().hidden().len();
            assert_eq!(pair.layers(), hidden, "{name}");
        }
        let kinked = named().into_iter().find(|(name, _)| name == "a pre-activation of zero").unwrap().1;
        assert!(!kinked.off_the_kinks(1e-9) && kinked.off_the_kinks(0.0));
    }
}
