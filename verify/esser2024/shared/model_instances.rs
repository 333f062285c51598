//! Models on data: instances, their losses as functions of the parameters, and both sides of the output dynamics.

use enclosures::interval::Dual;
use enclosures::vectors::sum_of_products;
use evidence::prelude::*;
use linear_ssl::self_supervised::TripletData;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::shared::flows::{check_numbers, without};
use crate::shared::gradient_models::{Model, gradient};
use crate::shared::linear_data::Loss;
use crate::shared::linear_model::Samples;

/// Inputs x_i with labels y_i ∈ ℝ^z.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "x_i = {inputs:?}, y_i = \
                       {labels:?}", valid = Self::has_inputs, simpler = Self::with_fewer, equivalents = Self::reordered, stored)]
pub struct Regression {
    #[instance(length = "n in 0.., d in 1..", range = "-1e6..=1e6")]
    pub inputs: Vec<Vec<f64>>,
    #[instance(length = "n, 0..", range = "-1e6..=1e6")]
    pub labels: Vec<Vec<f64>>,
}

impl Regression {
    fn has_inputs(&self) -> Result<(), String> {
        if self.dimension() > 0 { Ok(()) } else { Err("no input".into()) }
    }

    /// The same samples in another order.
    fn reordered(&self) -> Vec<(&'static str, Self)> {
        let back = Regression {
            inputs: self.inputs.iter().rev().cloned().collect(),
            labels: self.labels.iter().rev().cloned().collect(),
        };
        vec![("samples in another order", back)]
    }

    fn with_fewer(&self) -> Vec<Self> {
        let (n, d) = (self.inputs.len(), self.dimension());
        let fewer = (0..n)
            .filter(|_| n > 1)
            .map(|k| Regression { inputs: without(&self.inputs, k), labels: without(&self.labels, k) });
        let flatter = (0..d).filter(|_| d > 1).map(|a| Regression {
            inputs: self.inputs.iter().map(|x| without(x, a)).collect(),
            labels: self.labels.clone(),
        });
        fewer.chain(flatter).collect()
    }
}

impl Samples for Regression {
    fn dimension(&self) -> usize {
        self.inputs.first().map_or(0, Vec::len)
    }
}

/// Data that a model is trained on.
pub trait Trained: Samples {
    /// Every point whose output the loss uses.
    fn all_points(&self) -> Vec<&[f64]>;

    /// Whether a model with z outputs can be trained on it.
    fn fits(&self, _z: usize) -> bool {
        true
    }

    /// The data for a model without output l.
    #[must_use]
    fn without_output(&self, _l: usize) -> Self {
        self.clone()
    }
}

impl Trained for TripletData {
    fn all_points(&self) -> Vec<&[f64]> {
        let all = self.anchors.iter().chain(&self.positives).chain(&self.negatives);
        all.map(Vec::as_slice).collect()
    }
}

impl Trained for Regression {
    fn all_points(&self) -> Vec<&[f64]> {
        self.inputs.iter().map(Vec::as_slice).collect()
    }

    fn fits(&self, z: usize) -> bool {
        self.labels.iter().all(|y| y.len() == z)
    }

    fn without_output(&self, l: usize) -> Self {
        Regression { inputs: self.inputs.clone(), labels: self.labels.iter().map(|y| without(y, l)).collect() }
    }
}

/// Data, a model at its parameters, and a point x.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "D: Serialize + DeserializeOwned")]
pub struct ModelOn<D> {
    pub data: D,
    pub model: Model,
    pub point: Vec<f64>,
}

impl<D: Trained> Instance for ModelOn<D> {
    fn describe(&self) -> String {
        let (data, parameters) = (self.data.describe(), self.model.parameters().len());
        if parameters > 12 {
            return format!("{data}; {parameters} parameters, z = {}", self.model.output_count());
        }
        format!("{data}; {}; x = {:?}", self.model, self.point)
    }

    fn validate(&self) -> Result<(), String> {
        self.data.validate()?;
        let d = self.data.dimension();
        self.model.check(d)?;
        for p in self.data.all_points() {
            check_numbers("coordinate", p)?;
        }
        check_numbers("coordinate", &self.point)?;
        if self.point.len() != d || !self.data.fits(self.model.output_count()) {
            return Err("x or the labels do not fit the model".into());
        }
        Ok(())
    }

    fn simpler(&self) -> Vec<Self> {
        let d = self.data.dimension();
        let mut all = Vec::new();
        // Data that are simpler by one coordinate come last, in the order of the coordinates.
        let mut coordinate = 0;
        for data in self.data.simpler() {
            let mut smaller = self.clone();
            if data.dimension() < d {
                let Some(model) = self.model.without_input(coordinate) else {
                    continue;
                };
                smaller.model = model;
                smaller.point = without(&self.point, coordinate);
                coordinate += 1;
            }
            smaller.data = data;
            all.push(smaller);
        }
        all.extend(self.model.fewer_outputs().into_iter().map(|(l, model)| ModelOn {
            data: self.data.without_output(l),
            model,
            point: self.point.clone(),
        }));
        all.extend(self.model.plainer().into_iter().map(|model| ModelOn { model, ..self.clone() }));
        all
    }

    fn equivalents(&self) -> Vec<(&'static str, Self)> {
        let of = |data| ModelOn { data, ..self.clone() };
        self.data.equivalents().into_iter().map(|(change, data)| (change, of(data))).collect()
    }
}

impl<D: Trained> ModelOn<D> {
    /// Whether u is differentiable in Θ at all points of interest.
    pub fn is_smooth(&self) -> bool {
        let mut points = self.data.all_points();
        points.push(&self.point);
        points.into_iter().all(|p| self.model.is_smooth_at(p))
    }

    /// The gradient of a loss that is given as a function of outputs, by forward differentiation.
    pub fn gradient_of(&self, loss: impl Fn(&dyn Fn(&[f64]) -> Vec<Dual<8>>) -> Dual<8>) -> Vec<Interval> {
        gradient(&self.model.parameters(), |p| loss(&|x| self.model.outputs(p, x)))
    }
}

/// (1) or (2), from the outputs.
pub fn triplet_loss<const K: usize>(loss: Loss, data: &TripletData, u: &dyn Fn(&[f64]) -> Vec<Dual<K>>) -> Dual<K> {
    let triples = data.anchors.iter().zip(&data.positives).zip(&data.negatives);
    let term = |((x, plus), minus): ((&Vec<f64>, &Vec<f64>), &Vec<f64>)| {
        let own = u(x);
        match loss {
            Loss::NonContrastive => -sum_of_products(&own, &u(plus)),
            Loss::Contrastive => sum_of_products(&own, &u(minus)) - sum_of_products(&own, &u(plus)),
        }
    };
    triples.map(term).sum()
}

/// ½Σ_i ‖u(x_i) − y_i‖².
pub fn squared_loss<const K: usize>(data: &Regression, u: &dyn Fn(&[f64]) -> Vec<Dual<K>>) -> Dual<K> {
    let term =
        |(x, y): (&Vec<f64>, &Vec<f64>)| u(x).into_iter().zip(y).map(|(u, &y)| (u - y).square()).sum::<Dual<K>>();
    data.inputs.iter().zip(&data.labels).map(term).sum::<Dual<K>>() * 0.5
}

/// Outputs at a point, and their gradients by hand.
pub struct Look {
    pub outputs: Vec<Interval>,
    pub jacobian: Vec<Vec<Interval>>,
}

impl Look {
    pub fn at(model: &Model, x: &[f64]) -> Self {
        Look { outputs: model.at(x), jacobian: model.jacobian(x) }
    }

    /// ⟨∇_Θu_l(x), ∇_Θu_j(x′)⟩, x′ being the other point.
    pub fn kernel(&self, l: usize, other: &Look, j: usize) -> Interval {
        sum_of_products(&self.jacobian[l], &other.jacobian[j])
    }

    /// What the products in it add up to in absolute value.
    pub fn kernel_size(&self, l: usize, other: &Look, j: usize) -> f64 {
        let pairs = self.jacobian[l].iter().zip(&other.jacobian[j]);
        pairs.map(|(a, b)| a.magnitude() * b.magnitude()).sum()
    }
}

/// A sum, and what its terms add up to in absolute value.
#[derive(Clone, Copy)]
pub struct Sum {
    pub value: Interval,
    pub size: f64,
}

impl Sum {
    pub const ZERO: Sum = Sum { value: Interval::ZERO, size: 0.0 };

    pub fn add(&mut self, value: Interval, size: f64) {
        self.value += value;
        self.size += size;
    }
}

/// The four double sums of (4) and (5) for one component of u(x): ⟨∇u_l(x),∇u_j(x_i)⟩u_j(x_i⁺), ⟨∇u_l(x),∇u_j(x_i⁺)⟩u_j(x_i), and
/// the same with x_i⁻ for x_i⁺.
pub type Terms = [Sum; 4];

/// Both sides of (4) or (5) at one instance, component by component.
pub struct Dynamics {
    /// u_l(x)′ by forward differentiation along Θ′ = −∇_ΘL.
    pub velocity: Vec<Interval>,
    /// ⟨∇_Θu_l(x), Θ′⟩ with the gradient of u_l by hand.
    pub chain: Vec<Interval>,
    /// The printed sums.
    pub terms: Vec<Terms>,
}

impl Dynamics {
    pub fn of(i: &ModelOn<TripletData>, loss: Loss) -> Self {
        let gradient = i.gradient_of(|u| triplet_loss(loss, &i.data, u));
        let downhill: Vec<Interval> = gradient.iter().map(|&g| -g).collect();
        let here = Look::at(&i.model, &i.point);
        let look = |points: &[Vec<f64>]| points.iter().map(|p| Look::at(&i.model, p)).collect::<Vec<_>>();
        let (own, plus, minus) = (look(&i.data.anchors), look(&i.data.positives), look(&i.data.negatives));
        let z = i.model.output_count();
        let double_sum = |l: usize, a: &[Look], b: &[Look]| {
            let mut sum = Sum::ZERO;
            for (a, b) in a.iter().zip(b) {
                for j in 0..z {
                    let (kernel, size) = (here.kernel(l, a, j), here.kernel_size(l, a, j));
                    sum.add(kernel * b.outputs[j], size * b.outputs[j].magnitude());
                }
            }
            sum
        };
        Dynamics {
            velocity: i.model.along(&downhill, &i.point),
            chain: here.jacobian.iter().map(|row| sum_of_products(row, &downhill)).collect(),
            terms: (0..z)
                .map(|l| {
                    [
                        double_sum(l, &own, &plus),
                        double_sum(l, &plus, &own),
                        double_sum(l, &own, &minus),
                        double_sum(l, &minus, &own),
                    ]
                })
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use contrastive::network::Activation;

    use super::*;
    use crate::shared::linear_data::LOSSES;
    use crate::shared::model_families::{named_models_on_regressions, named_models_on_triplets, on_the_line};

    fn near(x: Interval, y: f64) -> bool {
        (x - y).magnitude() < 1e-13
    }

    #[test]
    fn losses_and_dynamics_on_the_line_are_those_by_hand() {
        // u = θx at θ = 1: L = θ²x(x⁻ − x⁺), θ′ = −2(3 − 2), and x = 5 moves at −10.
        let triple = on_the_line(1.0, 2.0, 3.0, 5.0);
        let u = |x: &[f64]| vec![Dual::<0>::from(x[0])];
        assert!(near(triplet_loss(Loss::Contrastive, &triple.data, &u).value, 1.0));
        assert!(near(triplet_loss(Loss::NonContrastive, &triple.data, &u).value, -2.0));
        let labels = Regression { inputs: vec![vec![1.0], vec![2.0]], labels: vec![vec![3.0], vec![0.0]] };
        assert!(near(squared_loss(&labels, &u).value, 4.0));
        let motion = Dynamics::of(&triple, Loss::Contrastive);
        assert!(near(motion.velocity[0], -10.0) && near(motion.chain[0], -10.0));
        // 5·1·2, 5·2·1, 5·1·3 and 5·3·1.
        for (sum, expected) in motion.terms[0].iter().zip([10.0, 10.0, 15.0, 15.0]) {
            assert!(near(sum.value, expected) && (sum.size - expected).abs() < 1e-12);
        }
    }

    /// A step along the gradient, forwards and backwards, by outputs alone.
    #[test]
    fn the_velocity_is_a_difference_of_outputs() {
        let data = TripletData {
            anchors: vec![vec![1.0, 0.5], vec![-0.5, 0.25]],
            positives: vec![vec![0.75, 1.0], vec![0.5, 0.5]],
            negatives: vec![vec![-1.0, 0.5], vec![0.25, -0.75]],
        };
        let model = Model::two_layer(
            Activation::Tanh,
            &[&[0.5, -1.0], &[1.0, 0.25], &[-0.75, 0.5]],
            &[&[1.0, 0.5], &[-0.5, 1.0], &[0.25, -1.0]],
        );
        let point = vec![0.75, -0.25];
        let i = ModelOn { data, model, point };
        for (name, loss) in LOSSES {
            let (motion, step) = (Dynamics::of(&i, loss), 1e-5);
            let gradient = i.gradient_of(|u| triplet_loss(loss, &i.data, u));
            let moved = |by: f64| -> Vec<f64> {
                let parameters = i.model.parameters().into_iter().zip(&gradient);
                let parameters: Vec<Dual<0>> = parameters.map(|(p, g)| Dual::from(p - by * g.midpoint())).collect();
                let outputs = i.model.outputs(&parameters, &i.point).into_iter();
                outputs.map(|u| u.value.midpoint()).collect()
            };
            let (later, earlier) = (moved(step), moved(-step));
            for l in 0..2 {
                let difference = (later[l] - earlier[l]) / (2.0 * step);
                assert!((motion.velocity[l].midpoint() - difference).abs() < 1e-8, "{name}, output {l}");
                // (4) without the last two sums, (5) with them.
                let [a, b, c, d] = motion.terms[l].map(|sum| sum.value.midpoint());
                let printed = if loss == Loss::Contrastive { a + b - c - d } else { a + b };
                assert!((printed - difference).abs() < 1e-8 && difference.abs() > 1e-3, "{name}, output {l}");
            }
        }
    }

    #[test]
    fn what_is_simpler_still_fits() {
        fn checked<D: Trained>(list: Vec<(String, ModelOn<D>)>) {
            for (name, i) in list {
                assert_eq!(i.validate(), Ok(()), "{name}");
                for less in i.simpler() {
                    assert_eq!(less.validate(), Ok(()), "{name}: {less:?}");
                }
                for (change, other) in i.equivalents() {
                    assert_eq!(other.validate(), Ok(()), "{name}, {change}");
                }
            }
        }
        checked(named_models_on_triplets());
        checked(named_models_on_regressions());
    }
}
