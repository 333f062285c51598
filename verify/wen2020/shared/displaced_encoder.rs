//! Two encoders and a displacement of all their weights: what moves, and how the decompositions of Appendix D.2 split it.

use contrastive::network::{Encoder, NetworkError};
use contrastive::{subset_loss, subset_weights};
use enclosures::interval::Dual;
use enclosures::vectors::{minus, plus, points, sum_of_products};
use evidence::prelude::*;
use proptest::prelude::{Strategy, any};
use serde::{Deserialize, Serialize};

use crate::shared::encoder_pair::{EncoderPair, PairSizes, drawn, pair, shape};

pub type Vector = Vec<Interval>;

/// Encoders with their data, and the matrices W′, θ′ that are added to theirs (stored as encoders of the same shape).
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, valid = Self::is_of_one_shape, simpler = Self::with_fewer, stored)]
pub struct Displacement {
    #[instance(nested)]
    pub at: EncoderPair,
    #[instance(nested)]
    pub by: EncoderPair,
}

impl Displacement {
    fn in_words(&self) -> String {
        let small = self.at.shape().parameters().is_some_and(|count| count <= 12);
        if small {
            let list = |e: &Encoder| e.weights().matrices().map(<[f64]>::to_vec).collect::<Vec<_>>();
            let (query, key) = (list(&self.by.encoders.query), list(&self.by.encoders.key));
            format!("{}, W′ = {query:?}, θ′ = {key:?}", self.at.describe())
        } else {
            self.at.describe()
        }
    }

    fn is_of_one_shape(&self) -> Result<(), String> {
        if self.at.shape() == self.by.shape() && self.at.points.len() == self.by.points.len() {
            Ok(())
        } else {
            Err("the displacement does not have the shape of the encoders".into())
        }
    }

    fn with_fewer(&self) -> Vec<Self> {
        // Both have the same shape, and leave out the same units in the same order.
        let pairs = self.at.simpler().into_iter().zip(self.by.simpler());
        pairs.map(|(at, by)| Displacement { at, by }).collect()
    }
}

/// One point in an encoder before and after the displacement.
pub struct Moved {
    weights: Vec<Vec<f64>>,
    changes: Vec<Vec<f64>>,
    /// h_{l−1} for l = 0, …, L.
    pub below: Vec<Vector>,
    /// h′_{l−1} for l = 0, …, L.
    pub below_after: Vec<Vector>,
    /// The diagonals of D_l.
    pub pattern: Vec<Vector>,
    /// The diagonals of the patterns after the displacement.
    pub pattern_after: Vec<Vector>,
    /// The diagonals of D_l + D″_l: the slopes of the chords of σ (Lemma B.8).
    pub chords: Vec<Vector>,
    /// f_W(x) and f_{W+W′}(x).
    pub output: Vector,
    pub output_after: Vector,
}

fn times(matrix: &[f64], v: &[Interval]) -> Vector {
    let row = |row: &[f64]| sum_of_products(v, row);
    matrix.chunks_exact(v.len().max(1)).map(row).collect()
}

/// 1{x ≥ 0}, or both values where the sign is not known.
pub fn indicator(x: Interval) -> Interval {
    if x.lo() >= 0.0 {
        Interval::ONE
    } else if x.hi() < 0.0 {
        Interval::ZERO
    } else {
        Interval::new(0.0, 1.0)
    }
}

/// The slope of the chord of σ between two pre-activations.
fn chord(a: Interval, b: Interval) -> Interval {
    let (before, after) = (indicator(a), indicator(b));
    if before.width() > 0.0 || after.width() > 0.0 {
        Interval::new(0.0, 1.0)
    } else if before == after {
        before
    } else {
        // Opposite signs: nothing cancels in the gap.
        a.max(b) / (a - b).abs()
    }
}

impl Moved {
    pub fn of(at: &Encoder, by: &Encoder, point: &[f64]) -> Self {
        let matrices = |e: &Encoder| e.weights().matrices().map(<[f64]>::to_vec).collect::<Vec<_>>();
        let start = points(point);
        let mut moved = Moved {
            weights: matrices(at),
            changes: matrices(by),
            below: vec![start.clone()],
            below_after: vec![start],
            pattern: Vec::new(),
            pattern_after: Vec::new(),
            chords: Vec::new(),
            output: Vec::new(),
            output_after: Vec::new(),
        };
        for l in 0..moved.weights.len() {
            let before = times(&moved.weights[l], &moved.below[l]);
            let input = &moved.below_after[l];
            let after = plus(&times(&moved.weights[l], input), &times(&moved.changes[l], input));
            if l + 1 == moved.weights.len() {
                (moved.output, moved.output_after) = (before, after);
                break;
            }
            let active = |v: &Vector| v.iter().map(|x| x.max(Interval::ZERO)).collect::<Vector>();
            moved.below.push(active(&before));
            moved.below_after.push(active(&after));
            moved.pattern.push(before.iter().map(|&x| indicator(x)).collect());
            moved.pattern_after.push(after.iter().map(|&x| indicator(x)).collect());
            moved.chords.push(before.iter().zip(&after).map(|(&a, &b)| chord(a, b)).collect());
        }
        moved
    }

    /// Number L of hidden layers.
    pub fn layers(&self) -> usize {
        self.pattern.len()
    }

    /// Whether the sign of every pre-activation is known.
    pub fn certain(&self) -> bool {
        let all = self.pattern.iter().chain(&self.pattern_after).flatten();
        all.into_iter().all(|x| x.width() == 0.0)
    }

    /// Whether some unit changes its sign.
    pub fn flips(&self) -> bool {
        self.pattern != self.pattern_after
    }

    /// W′_l v.
    pub fn change(&self, l: usize, v: &[Interval]) -> Vector {
        times(&self.changes[l], v)
    }

    /// (∏_{a=l+1}^{L−1} E_a W_a) E_l v for diagonals E: what arrives at h_{L−1}.
    pub fn carried(&self, l: usize, v: &[Interval], diagonals: &[Vector]) -> Vector {
        let mask = |v: &[Interval], a: usize| -> Vector { v.iter().zip(&diagonals[a]).map(|(&x, &e)| x * e).collect() };
        let mut current = mask(v, l);
        for a in l + 1..self.layers() {
            current = mask(&times(&self.weights[a], &current), a);
        }
        current
    }

    /// The same with W_L in front: what arrives at the output.
    pub fn arrived(&self, l: usize, v: &[Interval], diagonals: &[Vector]) -> Vector {
        times(&self.weights[self.layers()], &self.carried(l, v, diagonals))
    }

    /// W′_L h_{L−1} + Σ_{l ≥ first} W_L (∏ E_a W_a) E_l W′_l h_{l−1}, with h or h′ in `below`.
    pub fn expansion(&self, first: usize, below: &[Vector], diagonals: &[Vector]) -> Vector {
        let last = self.layers();
        (first..last).fold(self.change(last, &below[last]), |sum, l| {
            plus(&sum, &self.arrived(l, &self.change(l, &below[l]), diagonals))
        })
    }

    /// f_{W+W′}(x) − f_W(x).
    pub fn difference(&self) -> Vector {
        minus(&self.output_after, &self.output)
    }

    /// The size of what is added up in the outputs.
    pub fn size(&self) -> f64 {
        let all = self.output.iter().chain(&self.output_after);
        all.map(|x| x.magnitude()).fold(1e-3, f64::max)
    }
}

impl Displacement {
    /// Every point in the query encoder, then in the key encoder.
    pub fn moved(&self) -> [Vec<Moved>; 2] {
        let (at, by) = (&self.at.encoders, &self.by.encoders);
        let all = |at: &Encoder, by: &Encoder| self.at.points.iter().map(|x| Moved::of(at, by, x)).collect();
        [all(&at.query, &by.query), all(&at.key, &by.key)]
    }

    /// Whether the signs of all pre-activations are known, before and after.
    pub fn certain(&self) -> bool {
        self.moved().iter().flatten().all(Moved::certain)
    }

    /// ⟨∇_W L_S, W′⟩ for side 0, ⟨∇_θ L_S, θ′⟩ for side 1, by forward differentiation of the loss along the displacement.
    pub fn slope(&self, side: usize) -> Interval {
        let outputs = |which: usize, at: &Encoder, by: &Encoder| -> Vec<Vec<Dual<1>>> {
            let factor = if which == side { 1.0 } else { 0.0 };
            let number = |(&x, &dx): (&f64, &f64)| {
                let mut number = Dual::<1>::constant(x);
                number.slopes = [Interval::point(dx * factor)];
                number
            };
            let layers = at.weights().matrices().zip(by.weights().matrices());
            let matrices: Vec<Vec<Dual<1>>> = layers.map(|(w, dw)| w.iter().zip(dw).map(number).collect()).collect();
            self.at.points.iter().map(|x| send(&matrices, x)).collect()
        };
        let (at, by) = (&self.at.encoders, &self.by.encoders);
        let (queries, keys) = (outputs(0, &at.query, &by.query), outputs(1, &at.key, &by.key));
        subset_loss(&queries, &keys, self.at.negatives).slopes[0]
    }
}

fn send(matrices: &[Vec<Dual<1>>], point: &[f64]) -> Vec<Dual<1>> {
    let mut current: Vec<Dual<1>> = point.iter().map(|&x| Dual::constant(x)).collect();
    for (l, matrix) in matrices.iter().enumerate() {
        let row = |row: &[Dual<1>]| sum_of_products(row, &current);
        let values = matrix.chunks_exact(current.len().max(1)).map(row);
        current = if l + 1 < matrices.len() { values.map(|x: Dual<1>| x.max(0.0)).collect() } else { values.collect() };
    }
    current
}

/// The weights P_ij of enclosed outputs, and the loss vectors of Facts 1 and 2 with them.
pub struct LossVectors {
    pub weights: Vec<Vector>,
    pub query: Vec<Vector>,
    pub key: Vec<Vector>,
}

impl LossVectors {
    pub fn of(queries: &[Vector], keys: &[Vector], negatives: usize) -> Self {
        let n = queries.len();
        let logit = |i: usize, j: usize| sum_of_products(&queries[i], &minus(&keys[j], &keys[i]));
        let logits: Vec<Vector> = (0..n).map(|i| (0..n).map(|j| logit(i, j)).collect()).collect();
        let weights = subset_weights(&logits, negatives);
        let sum = |i: usize, term: &dyn Fn(usize, usize) -> Interval| -> Vector {
            let entry = |c: usize| (0..n).filter(|&j| j != i).map(|j| term(j, c)).sum();
            (0..queries[i].len()).map(entry).collect()
        };
        let query = |i: usize| sum(i, &|j, c| weights[i][j] * (keys[j][c] - keys[i][c]));
        let key = |i: usize| sum(i, &|j, c| weights[j][i] * queries[j][c] - weights[i][j] * queries[i][c]);
        LossVectors { query: (0..n).map(query).collect(), key: (0..n).map(key).collect(), weights }
    }

    /// For the outputs before a displacement.
    pub fn before(moved: &[Vec<Moved>; 2], negatives: usize) -> Self {
        let rows = |side: usize| moved[side].iter().map(|m| m.output.clone()).collect::<Vec<_>>();
        Self::of(&rows(0), &rows(1), negatives)
    }
}

/// The displacement `size` times a pair drawn with another seed.
fn by(at: &EncoderPair, size: f64, seed: u64) -> Result<Displacement, NetworkError> {
    let sizes = PairSizes { points: at.points.len(), negatives: at.negatives, shape: at.shape() };
    let drawn = EncoderPair::drawn(sizes, seed)?;
    let scaled = |e: &Encoder| {
        // A point of zeros only leaves nothing but the scaled weights.
        let zero = Encoder::new(e.shape(), zeros(e))?;
        zero.displaced(e.weights(), size)
    };
    let (query, key) = (scaled(&drawn.encoders.query)?, scaled(&drawn.encoders.key)?);
    let mut by = drawn;
    (by.encoders.query, by.encoders.key) = (query, key);
    Ok(Displacement { at: at.clone(), by })
}

fn zeros(e: &Encoder) -> contrastive::network::Weights {
    let mut weights = e.weights().clone();
    weights.matrices_mut().flatten().for_each(|x| *x = 0.0);
    weights
}

fn named() -> Vec<(String, Displacement)> {
    let mut list: Vec<(String, Displacement)> = Vec::new();
    let line = shape(1, 1, 1, 1);
    let at = pair(line, &[&[1.0], &[0.5]], 1, &[&[1.0], &[1.0]], &[&[1.0], &[1.0]]);
    let to = |query: &[&[f64]], key: &[&[f64]]| Displacement {
        at: at.clone(),
        by: pair(line, &[&[1.0], &[0.5]], 1, query, key),
    };
    list.push(("one unit that stays active".into(), to(&[&[1.0], &[0.5]], &[&[0.5], &[1.0]])));
    list.push(("one unit that is switched off".into(), to(&[&[-2.0], &[1.0]], &[&[-2.0], &[1.0]])));
    list.push(("the last layer alone moves".into(), to(&[&[0.0], &[1.0]], &[&[0.0], &[-3.0]])));
    list.push(("nothing moves".into(), to(&[&[0.0], &[0.0]], &[&[0.0], &[0.0]])));
    let two = shape(2, 2, 2, 2);
    let axes: [&[f64]; 3] = [&[1.0, 0.0], &[0.0, 1.0], &[0.6, 0.8]];
    let square = |a: &[f64], b: &[f64], c: &[f64]| pair(two, &axes, 2, &[a, b, c], &[a, b, c]);
    let at_two = square(&[1.0, -1.0, 0.5, 1.0], &[1.0, 0.5, -1.0, 1.0], &[1.0, 2.0, -1.0, 1.0]);
    list.push((
        "no change of the first layer".into(),
        Displacement { at: at_two.clone(), by: square(&[0.0; 4], &[-2.0, 1.0, 3.0, 0.5], &[1.0, 0.0, 0.5, 1.0]) },
    ));
    list.push((
        "a change of the first layer only".into(),
        Displacement { at: at_two, by: square(&[-3.0, 2.0, 1.0, -2.0], &[0.0; 4], &[0.0; 4]) },
    ));
    for (points, negatives, shape, size, seed) in [
        (3, 1, shape(2, 3, 2, 2), 0.1, 1),
        (3, 2, shape(2, 4, 3, 4), 1.0, 2),
        (4, 2, shape(3, 5, 4, 2), 2.0, 3),
        (2, 1, shape(2, 6, 1, 3), 3.0, 4),
        (4, 3, shape(3, 10, 2, 2), 1.0, 5),
    ] {
        let sizes = PairSizes { points, negatives, shape };
        let found = EncoderPair::drawn(sizes, seed).and_then(|at| by(&at, size, seed + 100));
        let found = found.expect("the sizes are small and positive");
        list.push((format!("drawn, {}, times {size}", found.describe()), found));
    }
    list
}

/// What the statements on patterns before and after a displacement assume.
pub const CERTAIN: &str =
    "every pre-activation is at least 10⁻³ in size, and its sign after the displacement is not lost to rounding";

/// Every pre-activation is at least 10⁻³ in size, and its sign after the displacement is not lost to rounding.
pub fn certain(d: &Displacement) -> bool {
    d.at.off_the_kinks(1e-3) && d.certain()
}

/// Named and drawn displacements of all sizes.
pub fn families(most_layers: usize) -> Vec<Family<Displacement>> {
    let displaced = move || {
        (drawn(most_layers), -3.0..1.0f64, any::<u64>()).prop_map(|(at, log, seed)| {
            let size = enclosures::enclosure::exact(log).exp().midpoint();
            by(&at, size, seed).expect("the sizes are small and positive")
        })
    };
    vec![edge("named", named), random("drawn", displaced).taking(0.5)]
}

#[cfg(test)]
mod tests {
    use contrastive::QueriesAndKeys;

    use super::*;

    fn drawn_displacement() -> Displacement {
        let sizes = PairSizes { points: 3, negatives: 2, shape: shape(3, 6, 3, 2) };
        by(&EncoderPair::drawn(sizes, 11).unwrap(), 0.75, 12).unwrap()
    }

    fn close(x: &[Interval], y: &[f64], tolerance: f64) -> bool {
        x.len() == y.len() && x.iter().zip(y).all(|(x, y)| (*x - *y).abs().hi() < tolerance)
    }

    /// (σ(b) − σ(a))/(b − a).
    #[test]
    fn a_chord_has_the_slope_of_the_secant() {
        for (a, b) in [(1.0, -1.0), (-1.0, 3.0), (2.0, 5.0), (-1.0, -2.0), (0.5, -7.5)] {
            let secant = (f64::max(b, 0.0) - f64::max(a, 0.0)) / (b - a);
            let found = chord(Interval::point(a), Interval::point(b));
            assert!(found.contains(secant) && found.width() < 1e-15, "{a}, {b}: {found:?}");
        }
        let unknown = chord(Interval::new(-1e-9, 1e-9), Interval::point(1.0));
        assert_eq!((unknown.lo(), unknown.hi()), (0.0, 1.0));
    }

    /// With the chords in place of the patterns and h′ below, the expansion is no approximation; and forward passes of
    /// the two encoders know nothing of it.
    #[test]
    fn the_expansion_along_the_chords_is_the_difference_of_two_forward_passes() {
        let d = drawn_displacement();
        for (side, moved) in d.moved().iter().enumerate() {
            let both = [&d.at, &d.by].map(|pair| [&pair.encoders.query, &pair.encoders.key][side]);
            let after = both[0].displaced(both[1].weights(), 1.0).unwrap();
            for (m, x) in moved.iter().zip(&d.at.points) {
                let outputs = [both[0], &after].map(|e| e.forward(x).unwrap().into_outputs());
                let difference = minus(&outputs[1], &outputs[0]);
                assert!(m.certain() && close(&m.difference(), &difference, 1e-12));
                assert!(close(&m.expansion(0, &m.below_after, &m.chords), &difference, 1e-12));
                // The patterns of the start make an approximation of it, where some unit is switched.
                assert_eq!(m.flips(), !close(&m.expansion(0, &m.below_after, &m.pattern), &difference, 1e-9));
            }
        }
        assert!(d.moved().iter().flatten().any(Moved::flips));
    }

    #[test]
    fn the_slope_of_a_side_is_a_difference_quotient_of_the_loss() {
        let d = drawn_displacement();
        let points = d.at.points.concat();
        for side in 0..2 {
            let at = |t: f64| {
                let mut encoders = d.at.encoders.clone();
                if side == 0 {
                    encoders.query = encoders.query.displaced(d.by.encoders.query.weights(), t).unwrap();
                } else {
                    encoders.key = encoders.key.displaced(d.by.encoders.key.weights(), t).unwrap();
                }
                encoders.gradient(&points, d.at.negatives).unwrap().contrast.loss
            };
            let slope = (at(1e-5) - at(-1e-5)) / 2e-5;
            let found = d.slope(side);
            assert!((found - slope).abs().hi() < 1e-7 * (1.0 + slope.abs()), "{found:?}, {slope}");
        }
    }

    /// n ∂L/∂q_i and n ∂L/∂k_i, by difference quotients of the sum over all sets.
    #[test]
    fn loss_vectors_are_derivatives_of_the_loss() {
        let queries = [[0.5, -1.0], [1.5, 0.25], [-0.75, 0.5]];
        let keys = [[1.0, 0.5], [-0.5, 1.25], [0.25, -1.0]];
        let rows = |list: &[[f64; 2]]| list.iter().map(|r| r.to_vec()).collect::<Vec<_>>();
        let points = |list: &[[f64; 2]]| list.iter().map(|r| r.map(Interval::point).to_vec()).collect::<Vec<_>>();
        let loss = |q: &[[f64; 2]], k: &[[f64; 2]]| {
            let all = QueriesAndKeys::new(1, rows(q), rows(k)).unwrap();
            all.loss().midpoint()
        };
        let found = LossVectors::of(&points(&queries), &points(&keys), 1);
        for i in 0..3 {
            for c in 0..2 {
                let at = |by: [f64; 2]| {
                    let (mut q, mut k) = (queries, keys);
                    q[i][c] += by[0];
                    k[i][c] += by[1];
                    loss(&q, &k)
                };
                let query = 3.0 * (at([1e-5, 0.0]) - at([-1e-5, 0.0])) / 2e-5;
                let key = 3.0 * (at([0.0, 1e-5]) - at([0.0, -1e-5])) / 2e-5;
                assert!((found.query[i][c] - query).abs().hi() < 1e-7, "query {i}, {c}");
                assert!((found.key[i][c] - key).abs().hi() < 1e-7, "key {i}, {c}");
            }
        }
    }
}
