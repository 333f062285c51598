//! A ReLU network with its triplets of inputs, and the enclosed gradient of L̂_un with respect to all its matrices.

use enclosures::vectors::{self, minus, scaled, sum_of_products};
use evidence::prelude::*;
use serde::{Deserialize, Serialize};

pub type Matrix = Vec<Vec<f64>>;

/// f(x) = B h_L, h_0 = relu(A x), h_l = relu(W_l h_{l−1}), and inputs x_1, x_1⁺, x_1⁻, x_2, ….
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, valid = Self::fits, stored)]
pub struct NetworkPoint {
    /// A, W_1, …, W_L, as rows.
    #[instance(range = "-1e6..=1e6")]
    pub hidden: Vec<Matrix>,
    /// B, as rows.
    #[instance(range = "-1e6..=1e6")]
    pub head: Matrix,
    #[instance(range = "-1e6..=1e6")]
    pub inputs: Matrix,
}

impl NetworkPoint {
    fn in_words(&self) -> String {
        let width = self.hidden.first().map_or(0, Vec::len);
        let sizes = format!(
            "n = {}, m = {width}, L = {}, d = {}",
            self.inputs.len() / 3,
            self.hidden.len().saturating_sub(1),
            self.head.len()
        );
        let hidden: Vec<String> = self
            .hidden
            .iter()
            .enumerate()
            .map(|(l, matrix)| match l {
                0 => format!("A = {matrix:?}"),
                _ => format!("W_{l} = {matrix:?}"),
            })
            .collect();
        let triplets: Vec<String> = self.inputs.chunks(3).map(|triplet| format!("{triplet:?}")).collect();
        format!("{sizes}, {}, B = {:?}, (x, x⁺, x⁻) = {}", hidden.join(", "), self.head, triplets.join(" and "))
    }

    fn fits(&self) -> Result<(), String> {
        let columns = |m: &Matrix| m.first().map_or(0, Vec::len);
        let whole = |m: &Matrix| columns(m) > 0 && m.iter().all(|row| row.len() == columns(m));
        let chain = self.hidden.iter().chain([&self.head]);
        let fits = chain.clone().zip(chain.skip(1)).all(|(below, above)| columns(above) == below.len());
        let first = self.hidden.first().is_some_and(|a| columns(a) == columns(&self.inputs));
        let mut all = self.hidden.iter().chain([&self.head, &self.inputs]);
        if fits && first && all.all(whole) && self.inputs.len().is_multiple_of(3) {
            Ok(())
        } else {
            Err("the matrices and inputs do not fit together".into())
        }
    }
}

/// What the network computes for one input: the layers' values, and which units are active.
struct Pass {
    /// x, h_0, …, h_L.
    values: Vec<Vec<Interval>>,
    active: Vec<Vec<bool>>,
}

fn times(matrix: &Matrix, x: &[Interval]) -> Vec<Interval> {
    matrix.iter().map(|row| sum_of_products(x, row)).collect()
}

fn transposed(matrix: &Matrix, y: &[Interval]) -> Vec<Interval> {
    let columns = matrix.first().map_or(0, Vec::len);
    (0..columns).map(|j| matrix.iter().zip(y).map(|(row, &t)| t * row[j]).sum()).collect()
}

impl NetworkPoint {
    fn pass(&self, x: &[f64]) -> Result<Pass, MeasureError> {
        let mut values = vec![vectors::points(x)];
        let mut active = Vec::new();
        for matrix in &self.hidden {
            let before = times(matrix, values.last().map_or(&[][..], |v| v));
            if before.iter().any(|g| g.lo() <= 0.0 && g.hi() >= 0.0) {
                return Err("a pre-activation may be zero, where the network has no gradient".into());
            }
            let on: Vec<bool> = before.iter().map(|g| g.lo() > 0.0).collect();
            let zeroed = before.iter().zip(&on).map(|(&g, &on)| if on { g } else { Interval::ZERO });
            values.push(zeroed.collect());
            active.push(on);
        }
        Ok(Pass { values, active })
    }

    fn output(&self, pass: &Pass) -> Vec<Interval> {
        times(&self.head, pass.values.last().map_or(&[][..], |v| v))
    }

    /// The outputs' norms, L̂_un, and ‖∇_θ L̂_un‖ for θ = (A, W_1, …, W_L, B).
    pub fn measure(&self) -> Result<Stationarity, MeasureError> {
        let chain: Vec<&Matrix> = self.hidden.iter().chain([&self.head]).collect();
        let zero = |m: &&Matrix| vec![vec![Interval::ZERO; m.first().map_or(0, Vec::len)]; m.len()];
        let mut gradient: Vec<Vec<Vec<Interval>>> = chain.iter().map(zero).collect();
        let (mut total, mut norms) = (Enclosure::ZERO, Vec::new());
        for triplet in self.inputs.chunks_exact(3) {
            let passes = triplet.iter().map(|x| self.pass(x)).collect::<Result<Vec<_>, _>>()?;
            let outputs: Vec<Vec<Interval>> = passes.iter().map(|p| self.output(p)).collect();
            let way = minus(&outputs[2], &outputs[1]);
            let argument = sum_of_products(&outputs[0], &way);
            let slope = argument.sigmoid();
            total += Enclosure::from(argument).softplus();
            let blocks = [scaled(&way, slope), scaled(&outputs[0], -slope), scaled(&outputs[0], slope)];
            for (pass, block) in passes.iter().zip(blocks) {
                let mut upstream = block;
                for layer in (0..chain.len()).rev() {
                    for (row, &u) in gradient[layer].iter_mut().zip(&upstream) {
                        for (entry, &h) in row.iter_mut().zip(&pass.values[layer]) {
                            *entry += u * h;
                        }
                    }
                    if layer > 0 {
                        let back = transposed(chain[layer], &upstream);
                        let masked = back.into_iter().zip(&pass.active[layer - 1]);
                        upstream = masked.map(|(u, &on)| if on { u } else { Interval::ZERO }).collect();
                    }
                }
            }
            norms.extend(
                outputs.iter().map(|z| z.iter().map(|&x| Enclosure::from(x).square()).sum::<Enclosure>().sqrt()),
            );
        }
        let squares = gradient.iter().flatten().flatten().map(|&x| Enclosure::from(x).square());
        Ok(Stationarity {
            triplets: self.inputs.len() / 3,
            total,
            gradient: squares.sum::<Enclosure>().max(0).sqrt(),
            smallest_norm: norms.into_iter().reduce(Enclosure::min).unwrap_or(Enclosure::ZERO),
        })
    }
}

/// How close to a critical point of the parameters a network is, and its loss.
pub struct Stationarity {
    pub triplets: usize,
    /// L̂_un.
    pub total: Enclosure,
    /// ‖∇_θ L̂_un‖.
    pub gradient: Enclosure,
    /// The smallest ‖f(x)‖.
    pub smallest_norm: Enclosure,
}

/// Critical points of the parameters, of every depth, with and without a dead unit: unit 1 sees x only, unit 2 sees x⁺
/// and x⁻ and cannot tell them apart; B sends the two units in orthogonal directions. And networks that do tell them
/// apart.
pub fn points() -> Vec<(String, NetworkPoint)> {
    // Halves of whole numbers, so that the gradient is zero without rounding.
    let inputs = vec![vec![-1.0, 0.0, 0.0, 0.0], vec![0.5, 0.5, 0.5, 0.5], vec![0.5, 0.5, 0.5, -0.5]];
    let blind = vec![vec![-1.0, 0.0, 0.0, 0.0], vec![1.0, 0.0, 0.0, 0.0]];
    let exchange = vec![vec![1.0, -1.0], vec![-1.0, 1.0]];
    let mut list = Vec::new();
    for depth in [0, 1, 2] {
        let mut hidden = vec![blind.clone()];
        hidden.extend((0..depth).map(|_| exchange.clone()));
        let head = vec![vec![1.0, 0.0], vec![0.0, 1.0]];
        let inputs = inputs.clone();
        list.push((format!("a critical point, L = {depth}"), NetworkPoint { hidden, head, inputs }));
    }
    for (name, unit) in [
        ("a dead unit more", vec![1.0, -2.0, -2.0, 0.0]),
        ("a unit more that tells x⁺ from x⁻", vec![0.5, 0.0, 0.0, 1.0]),
    ] {
        let hidden = vec![[blind.clone(), vec![unit]].concat()];
        let head = vec![vec![1.0, 0.0, 0.5], vec![0.0, 1.0, -0.25]];
        let inputs = inputs.clone();
        list.push((format!("a critical point and {name}"), NetworkPoint { hidden, head, inputs }));
    }
    for size in [1.0, 3.0, 5.0] {
        let hidden = vec![vec![vec![0.6, 0.8], vec![-0.6, 0.8]]];
        let inputs = vec![vec![0.6, 0.8], vec![0.28, 0.96], vec![-0.96, 0.28]];
        let head = vec![vec![size, -size]];
        list.push((format!("outputs 0.72, 0.34, −0.8 times {size}"), NetworkPoint { hidden, head, inputs }));
    }
    list
}

/// A critical point with one input twice, and one with inputs of norm two.
pub fn badly_placed() -> Vec<(&'static str, NetworkPoint)> {
    let Some((_, critical)) = points().into_iter().next() else {
        return Vec::new();
    };
    let [x, positive, negative] = [0, 1, 2].map(|i: usize| critical.inputs[i].clone());
    let with = |inputs| NetworkPoint { inputs, ..critical.clone() };
    let doubled = critical.inputs.iter().map(|x| x.iter().map(|t| 2.0 * t).collect());
    vec![
        ("x⁺ = x⁻", with(vec![x.clone(), positive.clone(), positive.clone()])),
        ("norms 2", with(doubled.collect())),
        ("one triplet twice", with([vec![x, positive, negative], critical.inputs.clone()].concat())),
    ]
}

/// The triplets' inputs as one list, for the separation of the inputs.
pub fn inputs(point: &NetworkPoint) -> (Vec<f64>, usize) {
    (point.inputs.concat(), point.inputs.first().map_or(0, Vec::len))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(name: &str) -> NetworkPoint {
        let found = points().into_iter().find(|(n, _)| n == name);
        found.expect("there is such a point").1
    }

    /// x makes e_1 of itself, x⁺ and x⁻ both e_2/2: a = 0, and all derivatives cancel.
    #[test]
    fn critical_points_have_no_gradient_and_the_loss_of_a_coin() {
        for depth in [0, 1, 2] {
            let found = find(&format!("a critical point, L = {depth}")).measure().unwrap();
            assert_eq!((found.gradient.hi(), found.triplets), (0.0, 1), "L = {depth}");
            assert!((found.total - Enclosure::ln_2()).abs().hi() < 1e-15);
            assert_eq!(found.smallest_norm.midpoint(), 0.5);
        }
        let told_apart = find("a critical point and a unit more that tells x⁺ from x⁻");
        assert!(told_apart.measure().unwrap().gradient.lo() > 1e-3);
    }

    #[test]
    fn the_gradient_norm_is_that_of_difference_quotients() {
        for name in ["outputs 0.72, 0.34, −0.8 times 1", "a critical point and a unit more that tells x⁺ from x⁻"]
        {
            // Two triplets, the second with its negative and its positive exchanged.
            let mut point = find(name);
            let [x, positive, negative] = [0, 1, 2].map(|i: usize| point.inputs[i].clone());
            point.inputs.extend([x, negative, positive]);
            let sizes: Vec<usize> = point.hidden.iter().chain([&point.head]).map(|m| m.len() * m[0].len()).collect();
            let mut square = 0.0;
            for k in 0..sizes.iter().sum() {
                let at = |by: f64| {
                    let mut other = point.clone();
                    let all = other.hidden.iter_mut().chain([&mut other.head]);
                    *all.flatten().flatten().nth(k).unwrap() += by;
                    other.measure().unwrap().total.midpoint()
                };
                let slope = (at(1e-5) - at(-1e-5)) / 2e-5;
                square += slope * slope;
            }
            let gradient = point.measure().unwrap().gradient;
            assert!((gradient.midpoint() - square.sqrt()).abs() < 1e-7, "{name}: {gradient}");
        }
    }

    #[test]
    fn the_outputs_are_those_of_the_name() {
        let found = find("outputs 0.72, 0.34, −0.8 times 3").measure().unwrap();
        // a = 9 · 0.72 · (−0.8 − 0.336).
        let expected = enclosures::enclosure::exact(-9.0 * 0.72 * 1.136).softplus();
        assert!((found.total - expected).abs().hi() < 1e-14, "{}", found.total);
        assert!((found.smallest_norm.midpoint() - 3.0 * 0.336).abs() < 1e-14);
    }
}
