//! Models whose gradients in all their parameters are compared: one-layer models on features, and two-layer networks.
//!
//! Every derivative is had twice. Forward differentiation of the model as a function of its parameters knows nothing of gradients
//! ([`Model::outputs`] in dual numbers); [`Model::jacobian`] is the gradient written down by hand.

use std::fmt;

use contrastive::network::Activation;
use enclosures::interval::Dual;
use enclosures::vectors::{minus, points, sum_of_products};
use evidence::prelude::*;
use serde::{Deserialize, Serialize};

use crate::shared::flows::{check_numbers, without};
use crate::shared::linear_data::inner;
use crate::shared::model_activations::Differentiable;

/// A feature map ψ of finite dimension.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[serde(rename_all = "snake_case")]
#[instance(describe = Self::to_string, stored)]
pub enum Features {
    /// x itself: the linear model.
    Inputs,
    /// All monomials up to degree two, weighted so that k(x, x′) = (1 + xᵀx′)².
    Quadratic,
    /// D^{−½}(cos ω_mᵀx, sin ω_mᵀx) for D frequencies: k(x, x′) = D^{−1}Σ_m cos ω_mᵀ(x − x′).
    Fourier {
        #[instance(range = "-1e6..=1e6")]
        frequencies: Vec<Vec<f64>>,
    },
}

/// "ψ(x) = x", or the kernel that ψ belongs to.
impl fmt::Display for Features {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Features::Inputs => f.write_str("ψ(x) = x"),
            Features::Quadratic => f.write_str("ψ(x)ᵀψ(x′) = (1 + xᵀx′)²"),
            Features::Fourier { frequencies } => {
                write!(f, "ψ(x)ᵀψ(x′) the mean of cos ωᵀ(x − x′) over ω in {frequencies:?}")
            }
        }
    }
}

impl Features {
    /// ψ(x).
    pub fn at(&self, x: &[f64]) -> Vec<Interval> {
        match self {
            Features::Inputs => points(x),
            Features::Quadratic => {
                let root = Interval::point(2.0).sqrt();
                let x = points(x);
                let mut all = vec![Interval::ONE];
                for (a, &first) in x.iter().enumerate() {
                    all.push(root * first);
                    all.push(first.square());
                    all.extend(x[..a].iter().map(|&second| root * first * second));
                }
                all
            }
            Features::Fourier { frequencies } => {
                let factor = Interval::ONE / Interval::point(frequencies.len() as f64).sqrt();
                let angles = frequencies.iter().map(|f| inner(f, x));
                angles.flat_map(|a| [a.cos() * factor, a.sin() * factor]).collect()
            }
        }
    }

    /// The number of features of a point of ℝ^d.
    pub fn count(&self, d: usize) -> usize {
        match self {
            Features::Inputs => d,
            Features::Quadratic => (d + 1) * (d + 2) / 2,
            Features::Fourier { frequencies } => 2 * frequencies.len(),
        }
    }

    /// k(x, x′), without the features.
    pub fn kernel(&self, x: &[f64], y: &[f64]) -> Interval {
        match self {
            Features::Inputs => inner(x, y),
            Features::Quadratic => (inner(x, y) + 1.0).square(),
            Features::Fourier { frequencies } => {
                let apart = minus(&points(x), y);
                let angle = |f: &Vec<f64>| sum_of_products(&apart, f);
                frequencies.iter().map(|f| angle(f).cos()).sum::<Interval>() / frequencies.len() as f64
            }
        }
    }
}

/// A model u: ℝ^d → ℝ^z at given parameters Θ.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Model {
    /// u(x) = Θψ(x), the rows of Θ being θ_1, …, θ_z.
    OneLayer { features: Features, map: Vec<Vec<f64>> },
    /// u(x) = W₂ᵀφ(W₁x), W₁ (`first`) of shape h×d, W₂ (`second`) of shape h×z.
    TwoLayer { activation: Activation, first: Vec<Vec<f64>>, second: Vec<Vec<f64>> },
}

/// "u = Θψ" with the features ψ and Θ, or the activation with both matrices.
impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Model::OneLayer { features, map } => write!(f, "u = Θψ, {features}, Θ = {map:?}"),
            Model::TwoLayer { activation, first, second } => {
                write!(f, "φ = {activation}, W₁ = {first:?}, W₂ = {second:?}")
            }
        }
    }
}

/// How many parameters one pass of forward differentiation takes.
const PASS: usize = 8;

/// The gradient of a function of the parameters, by forward differentiation.
pub fn gradient(parameters: &[f64], f: impl Fn(&[Dual<PASS>]) -> Dual<PASS>) -> Vec<Interval> {
    let mut all = Vec::with_capacity(parameters.len());
    for start in (0..parameters.len()).step_by(PASS) {
        let dual = |(p, &x): (usize, &f64)| Dual {
            slopes: std::array::from_fn(|k| if p == start + k { Interval::ONE } else { Interval::ZERO }),
            ..Dual::constant(x)
        };
        let variables: Vec<Dual<PASS>> = parameters.iter().enumerate().map(dual).collect();
        let found = f(&variables);
        all.extend(found.slopes.into_iter().take(parameters.len() - start));
    }
    all
}

impl Model {
    /// Θ = θ in one row.
    pub fn one_layer(features: Features, map: &[&[f64]]) -> Self {
        Model::OneLayer { features, map: map.iter().map(|r| r.to_vec()).collect() }
    }

    pub fn two_layer(activation: Activation, first: &[&[f64]], second: &[&[f64]]) -> Self {
        Model::TwoLayer {
            activation,
            first: first.iter().map(|r| r.to_vec()).collect(),
            second: second.iter().map(|r| r.to_vec()).collect(),
        }
    }

    /// All parameters, row by row, W₁ before W₂.
    pub fn parameters(&self) -> Vec<f64> {
        match self {
            Model::OneLayer { map, .. } => map.concat(),
            Model::TwoLayer { first, second, .. } => [first.concat(), second.concat()].concat(),
        }
    }

    /// How many of the parameters, the first ones, belong to W₁.
    pub fn hidden_parameters(&self) -> usize {
        match self {
            Model::OneLayer { .. } => 0,
            Model::TwoLayer { first, .. } => first.iter().map(Vec::len).sum(),
        }
    }

    /// z.
    pub fn output_count(&self) -> usize {
        match self {
            Model::OneLayer { map, .. } => map.len(),
            Model::TwoLayer { second, .. } => second.first().map_or(0, Vec::len),
        }
    }

    /// u(x) as a function of the parameters.
    pub fn outputs<const K: usize>(&self, parameters: &[Dual<K>], x: &[f64]) -> Vec<Dual<K>> {
        match self {
            Model::OneLayer { features, .. } => {
                let psi = features.at(x);
                let row = |theta: &[Dual<K>]| sum_of_products(theta, &psi);
                parameters.chunks_exact(psi.len()).map(row).collect()
            }
            Model::TwoLayer { activation, first, .. } => {
                let (h, d, z) = (first.len(), x.len(), self.output_count());
                let (first, second) = parameters.split_at(h * d);
                let sum = |w: &[Dual<K>]| sum_of_products(w, x);
                let hidden: Vec<Dual<K>> = first.chunks_exact(d).map(|w| activation.of(sum(w))).collect();
                let output = |j: usize| hidden.iter().enumerate().map(|(k, &y)| second[k * z + j] * y).sum();
                (0..z).map(output).collect()
            }
        }
    }

    /// u(x).
    pub fn at(&self, x: &[f64]) -> Vec<Interval> {
        let parameters: Vec<Dual<0>> = self.parameters().into_iter().map(Dual::from).collect();
        self.outputs(&parameters, x).into_iter().map(|u| u.value).collect()
    }

    /// The rate of change of u(x) when the parameters move with this velocity, by forward differentiation.
    pub fn along(&self, velocity: &[Interval], x: &[f64]) -> Vec<Interval> {
        let moving =
            self.parameters().into_iter().zip(velocity).map(|(p, &v)| Dual { slopes: [v], ..Dual::<1>::constant(p) });
        let parameters: Vec<Dual<1>> = moving.collect();
        self.outputs(&parameters, x).into_iter().map(|u| u.slopes[0]).collect()
    }

    /// ∇_Θu_1(x), …, ∇_Θu_z(x) by hand: e_l ψ(x)ᵀ; and w_{kl} φ′(s_k) x_a in W₁ with δ_{lj} φ(s_k) in W₂, s = W₁x.
    pub fn jacobian(&self, x: &[f64]) -> Vec<Vec<Interval>> {
        let z = self.output_count();
        let row = |l: usize| -> Vec<Interval> {
            match self {
                Model::OneLayer { features, map } => {
                    let psi = features.at(x);
                    let block = |j: usize| psi.iter().map(move |&p| if j == l { p } else { Interval::ZERO });
                    (0..map.len()).flat_map(block).collect()
                }
                Model::TwoLayer { activation, first, second } => {
                    let sums: Vec<Interval> = first.iter().map(|w| inner(w, x)).collect();
                    let hidden = sums.iter().zip(second).flat_map(|(&s, w)| {
                        let slope = activation.slope(s) * w[l];
                        x.iter().map(move |&x| slope * x)
                    });
                    let last = sums.iter().flat_map(|&s| {
                        let value = activation.value(s);
                        (0..z).map(move |j| if j == l { value } else { Interval::ZERO })
                    });
                    hidden.chain(last).collect()
                }
            }
        };
        (0..z).map(row).collect()
    }

    /// Whether u is differentiable in Θ at this point: no unit of a rectified network sits at its kink.
    pub fn is_smooth_at(&self, x: &[f64]) -> bool {
        match self {
            Model::TwoLayer { activation: Activation::Relu, first, .. } => {
                first.iter().all(|w| !inner(w, x).contains(0.0))
            }
            _ => true,
        }
    }

    /// Refuses sizes that do not fit together.
    pub fn check(&self, d: usize) -> Result<(), String> {
        let fits = match self {
            Model::OneLayer { features, map } => {
                let frequencies = match features {
                    Features::Fourier { frequencies } => &frequencies[..],
                    _ => &[],
                };
                check_numbers("frequency", &frequencies.concat())?;
                let count = features.count(d);
                count > 0 && frequencies.iter().all(|f| f.len() == d) && map.iter().all(|r| r.len() == count)
            }
            Model::TwoLayer { first, second, .. } => {
                let z = self.output_count();
                !first.is_empty()
                    && first.len() == second.len()
                    && first.iter().all(|r| r.len() == d)
                    && second.iter().all(|r| r.len() == z)
            }
        };
        check_numbers("parameter", &self.parameters())?;
        if fits && d > 0 && self.output_count() > 0 {
            Ok(())
        } else {
            Err("the parameters do not fit together or to the data".into())
        }
    }

    fn without_output(&self, l: usize) -> Self {
        let mut fewer = self.clone();
        match &mut fewer {
            Model::OneLayer { map, .. } => *map = without(map, l),
            Model::TwoLayer { second, .. } => second.iter_mut().for_each(|r| *r = without(r, l)),
        }
        fewer
    }

    fn without_unit(&self, k: usize) -> Self {
        let mut fewer = self.clone();
        if let Model::TwoLayer { first, second, .. } = &mut fewer {
            *first = without(first, k);
            *second = without(second, k);
        }
        fewer
    }

    /// The model on points without coordinate a, where that is a model of the same kind.
    pub fn without_input(&self, a: usize) -> Option<Self> {
        let mut fewer = self.clone();
        match &mut fewer {
            Model::OneLayer { features: Features::Inputs, map } => map.iter_mut().for_each(|r| *r = without(r, a)),
            Model::OneLayer { .. } => return None,
            Model::TwoLayer { first, .. } => first.iter_mut().for_each(|r| *r = without(r, a)),
        }
        Some(fewer)
    }

    /// Fewer outputs, with the number of the one left out, if there is more than one.
    pub fn fewer_outputs(&self) -> Vec<(usize, Self)> {
        let z = self.output_count();
        (0..z).filter(|_| z > 1).map(|l| (l, self.without_output(l))).collect()
    }

    /// Fewer hidden units, and the linear model of the same size.
    pub fn plainer(&self) -> Vec<Self> {
        let Model::TwoLayer { activation, first, second } = self else {
            return Vec::new();
        };
        let h = first.len();
        let mut all: Vec<Self> = (0..h).filter(|_| h > 1).map(|k| self.without_unit(k)).collect();
        if h == 1 {
            let map = second[0].iter().map(|w| first[0].iter().map(|x| w * x).collect());
            all.push(Model::OneLayer { features: Features::Inputs, map: map.collect() });
        }
        if *activation != Activation::Identity {
            all.push(Model::TwoLayer {
                activation: Activation::Identity,
                first: first.clone(),
                second: second.clone(),
            });
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_have_their_kernels() {
        let frequencies = vec![vec![1.0, -0.5], vec![2.0, 0.25]];
        for features in [Features::Inputs, Features::Quadratic, Features::Fourier { frequencies }] {
            let (x, y) = ([0.5, -1.0], [2.0, 0.75]);
            let product: Interval = features.at(&x).into_iter().zip(features.at(&y)).map(|(a, b)| a * b).sum();
            let off = product - features.kernel(&x, &y);
            assert!(off.contains(0.0) && off.width() < 1e-12 && features.at(&x).len() == features.count(2));
        }
    }
}
