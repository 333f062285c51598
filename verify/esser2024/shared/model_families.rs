//! Families of models on data.

use contrastive::network::Activation;
use linear_ssl::self_supervised::TripletData;
use proptest::collection::vec;
use proptest::sample::select;
use proptest::strategy::{BoxedStrategy, Just, Strategy};

use crate::shared::gradient_models::{Features, Model};
use crate::shared::linear_data::triplets;
use crate::shared::model_activations::ACTIVATIONS;
use crate::shared::model_instances::{ModelOn, Regression};

/// Models of every kind with up to three outputs and four hidden units on points of ℝ^d; every other one has two layers.
pub fn models(d: usize) -> BoxedStrategy<Model> {
    let sizes = (0..6u8, 1..=3usize, 1..=4usize, select(ACTIVATIONS.to_vec()));
    let drawn = sizes.prop_flat_map(move |(kind, z, h, activation)| {
        let matrix = |rows: usize, columns: usize| vec(vec(-1.5..1.5f64, columns), rows);
        let one_layer = |features: Features| {
            let count = features.count(d);
            let of = move |map| Model::OneLayer { features: features.clone(), map };
            matrix(z, count).prop_map(of).boxed()
        };
        match kind {
            0 => one_layer(Features::Inputs),
            1 => one_layer(Features::Quadratic),
            2 => (matrix(h, d), matrix(z, 2 * h))
                .prop_map(|(frequencies, map)| Model::OneLayer { features: Features::Fourier { frequencies }, map })
                .boxed(),
            _ => (Just(activation), matrix(h, d), matrix(h, z))
                .prop_map(|(activation, first, second)| Model::TwoLayer { activation, first, second })
                .boxed(),
        }
    });
    drawn.boxed()
}

/// Triples under random models.
pub fn models_on_triplets() -> impl Strategy<Value = ModelOn<TripletData>> {
    triplets().prop_flat_map(|data| {
        let d = data.dimension();
        (Just(data), models(d), vec(-2.0..2.0f64, d)).prop_map(|(data, model, point)| ModelOn { data, model, point })
    })
}

/// Regression problems under random models: labels zero or not, points in the sample or not, repeated or not.
pub fn models_on_regressions() -> impl Strategy<Value = ModelOn<Regression>> {
    (1..=4usize, 1..=4usize, 0..6u8).prop_flat_map(|(n, d, kind)| {
        let points = (vec(vec(-2.0..2.0f64, d), n), vec(-2.0..2.0f64, d));
        (points, models(d)).prop_flat_map(move |((mut inputs, mut point), model)| {
            match kind {
                0 => point.clone_from(&inputs[0]),
                1 => inputs = vec![inputs[0].clone(); n],
                _ => {}
            }
            let z = model.output_count();
            let size = if kind == 2 { 1e-9 } else { 3.0 };
            let labels = vec(vec(-size..size, z), n);
            (Just(inputs), labels, Just(model), Just(point)).prop_map(|(inputs, labels, model, point)| ModelOn {
                data: Regression { inputs, labels },
                model,
                point,
            })
        })
    })
}

/// A small integer pattern.
fn pattern(rows: usize, columns: usize, shift: usize) -> Vec<Vec<f64>> {
    const VALUES: [f64; 7] = [1.0, -1.0, 0.5, 0.0, 1.0, -0.5, 1.5];
    let entry = |i: usize, j: usize| VALUES[(shift + 3 * i + 5 * j + i * j) % VALUES.len()];
    (0..rows).map(|i| (0..columns).map(|j| entry(i, j)).collect()).collect()
}

/// Named models on points of ℝ^d with z outputs: every feature map, every activation.
pub fn named_models(d: usize, z: usize) -> Vec<(String, Model)> {
    let features = [
        ("linear", Features::Inputs),
        ("quadratic kernel", Features::Quadratic),
        ("random-feature kernel", Features::Fourier { frequencies: pattern(3, d, 2) }),
    ];
    let mut all: Vec<(String, Model)> = features
        .into_iter()
        .map(|(name, features)| {
            let map = pattern(z, features.count(d), 1);
            (name.to_owned(), Model::OneLayer { features, map })
        })
        .collect();
    for activation in ACTIVATIONS {
        let network = Model::TwoLayer { activation, first: pattern(3, d, 0), second: pattern(3, z, 4) };
        all.push((format!("two layers, {activation}"), network));
    }
    all
}

/// Networks of width 64 with x⁻ = x⁺, where the contrastive loss vanishes identically.
pub fn wide_at_rest() -> Vec<(String, ModelOn<TripletData>)> {
    let (anchors, partners) = (pattern(3, 2, 0), pattern(3, 2, 2));
    let of = |activation: Activation| {
        // W₂ over 8, the root of the width.
        let second = pattern(64, 2, 4).into_iter().map(|row| row.iter().map(|w| w / 8.0).collect());
        let network = ModelOn {
            data: TripletData { anchors: anchors.clone(), positives: partners.clone(), negatives: partners.clone() },
            model: Model::TwoLayer { activation, first: pattern(64, 2, 0), second: second.collect() },
            point: vec![0.75, -0.25],
        };
        (format!("h = 64, {activation}"), network)
    };
    [Activation::Identity, Activation::Relu, Activation::Parabola(1.0)].map(of).to_vec()
}

/// One triple of numbers under the linear model with Θ = 1.
pub fn on_the_line(x: f64, plus: f64, minus: f64, point: f64) -> ModelOn<TripletData> {
    ModelOn {
        data: TripletData { anchors: vec![vec![x]], positives: vec![vec![plus]], negatives: vec![vec![minus]] },
        model: Model::one_layer(Features::Inputs, &[&[1.0]]),
        point: vec![point],
    }
}

/// The registered examples; data with equal, opposite and zero partners under every model; the largest sizes.
pub fn named_models_on_triplets() -> Vec<(String, ModelOn<TripletData>)> {
    let mut all = vec![
        ("x = x⁺ = 1".to_owned(), on_the_line(1.0, 1.0, 0.0, 1.0)),
        ("x = 1, x⁺ = 2".to_owned(), on_the_line(1.0, 2.0, 0.0, 1.0)),
        ("x = 1, x⁺ = 2, x⁻ = 3".to_owned(), on_the_line(1.0, 2.0, 3.0, 1.0)),
        ("x = x⁻ = 1, x⁺ = 2".to_owned(), on_the_line(1.0, 2.0, 1.0, 1.0)),
        ("all zero".to_owned(), on_the_line(0.0, 0.0, 0.0, 0.0)),
    ];
    let general = |n: usize, d: usize| TripletData {
        anchors: pattern(n, d, 0),
        positives: pattern(n, d, 2),
        negatives: pattern(n, d, 5),
    };
    for (name, model) in named_models(2, 2) {
        let data = general(2, 2);
        let (x, plus) = (data.anchors.clone(), data.positives.clone());
        let opposite = x.iter().map(|p| p.iter().map(|t| -t).collect()).collect();
        let variants = [
            ("", data.clone()),
            (", x⁺ = x", TripletData { positives: x.clone(), ..data.clone() }),
            (", x⁻ = x⁺", TripletData { negatives: plus, ..data.clone() }),
            (", x⁻ = −x", TripletData { negatives: opposite, ..data }),
        ];
        for (variant, data) in variants {
            let (model, point) = (model.clone(), vec![0.75, -0.25]);
            all.push((format!("{name}{variant}"), ModelOn { data, model, point }));
        }
    }
    let large = Model::TwoLayer { activation: Activation::Tanh, first: pattern(5, 5, 0), second: pattern(5, 5, 4) };
    let largest = ModelOn { data: general(5, 5), model: large, point: pattern(1, 5, 3).remove(0) };
    all.push(("n = d = h = z = 5".to_owned(), largest));
    all
}

/// The registered examples of two-layer networks that couple their outputs: W₁ = 1, W₂ = (1, 1), x = x_1 = 1.
pub fn coupled(label: [f64; 2]) -> ModelOn<Regression> {
    ModelOn {
        data: Regression { inputs: vec![vec![1.0]], labels: vec![label.to_vec()] },
        model: Model::two_layer(Activation::Identity, &[&[1.0]], &[&[1.0, 1.0]]),
        point: vec![1.0],
    }
}

/// A rectified unit whose input is zero at x_1.
pub fn at_a_kink() -> Vec<(&'static str, ModelOn<Regression>)> {
    let regression = ModelOn {
        data: Regression { inputs: vec![vec![1.0, 1.0], vec![2.0, 0.5]], labels: vec![vec![1.0], vec![-2.0]] },
        model: Model::two_layer(Activation::Relu, &[&[1.0, -1.0], &[0.5, 1.0]], &[&[1.0], &[-1.0]]),
        point: vec![0.75, -0.25],
    };
    vec![("ReLU, w_1ᵀx_1 = 0", regression)]
}

/// The registered examples; every model in and out of the sample, with labels zero, repeated points and points on a line.
pub fn named_models_on_regressions() -> Vec<(String, ModelOn<Regression>)> {
    let mut all = vec![("y = 0".to_owned(), coupled([0.0, 0.0])), ("y = (0, 5)".to_owned(), coupled([0.0, 5.0]))];
    for (name, model) in named_models(2, 2) {
        let inputs = pattern(3, 2, 0);
        let twice = vec![inputs[0].clone(), inputs[0].clone()];
        let line = vec![vec![1.0, -2.0], vec![-0.5, 1.0], vec![2.0, -4.0]];
        let of = |inputs: &[Vec<f64>], labels: Vec<Vec<f64>>, point: &[f64]| ModelOn {
            data: Regression { inputs: inputs.to_vec(), labels },
            model: model.clone(),
            point: point.to_vec(),
        };
        let general = of(&inputs, pattern(3, 2, 5), &[0.75, -0.25]);
        all.push((format!("{name}, in the sample"), of(&inputs, pattern(3, 2, 5), &inputs[1])));
        all.push((format!("{name}, out of the sample"), general));
        all.push((format!("{name}, y = 0"), of(&inputs, vec![vec![0.0; 2]; 3], &[0.75, -0.25])));
        all.push((format!("{name}, repeated point"), of(&twice, vec![vec![1.0, 2.0], vec![-1.0, 0.5]], &[1.0, 1.0])));
        all.push((format!("{name}, points on a line, one sample short"), of(&line, pattern(3, 2, 2), &[1.0, 1.0])));
    }
    all
}

#[cfg(test)]
mod tests {
    use enclosures::vectors::sum_of_products;
    use evidence::instance::Instance;

    use super::*;
    use crate::shared::linear_data::Loss;
    use crate::shared::model_instances::triplet_loss;

    #[test]
    fn wide_networks_at_rest_have_neither_loss_nor_gradient() {
        for (name, network) in wide_at_rest() {
            assert_eq!(network.validate(), Ok(()), "{name}");
            let slopes = |loss: Loss| network.gradient_of(|u| triplet_loss(loss, &network.data, u));
            assert_eq!(slopes(Loss::Contrastive).len(), 64 * 4, "{name}");
            assert!(slopes(Loss::Contrastive).iter().all(|s| s.contains(0.0)), "{name}");
            let pulled = slopes(Loss::NonContrastive);
            assert!(pulled.iter().any(|s| s.mignitude() > 0.01), "{name}: the other loss moves them");
        }
    }

    #[test]
    fn named_models_fit_their_points_and_only_kinks_are_not_smooth() {
        for (d, z) in [(1, 1), (2, 2), (3, 2)] {
            let all = named_models(d, z);
            assert_eq!(all.len(), 3 + ACTIVATIONS.len());
            for (name, model) in all {
                assert_eq!((model.check(d), model.output_count()), (Ok(()), z), "{name}");
                let x: Vec<f64> = (0..d).map(|a| 0.75 - a as f64).collect();
                assert_eq!(model.at(&x).len(), z, "{name}");
            }
        }
        let (_, kink) = &at_a_kink()[0];
        assert!(kink.validate().is_ok() && !kink.is_smooth());
        assert!(!kink.model.is_smooth_at(&[1.0, 1.0]) && kink.model.is_smooth_at(&[1.0, 0.5]));
    }

    /// W₂ᵀW₁ = (1, 1)ᵀ: both outputs are x, so that each is off by 1 − y_l.
    #[test]
    fn the_coupled_network_has_two_equal_outputs() {
        let network = coupled([0.0, 5.0]);
        let outputs = network.model.at(&network.point);
        assert!(outputs.len() == 2 && outputs.iter().all(|u| u.contains(1.0) && u.width() < 1e-14));
        let rows = network.model.jacobian(&network.point);
        // ∂u_l/∂W₁ = 1 couples them, ∂u_l/∂W₂ = e_l does not.
        let products: Vec<f64> = [(0, 0), (0, 1)].map(|(l, j)| sum_of_products(&rows[l], &rows[j]).midpoint()).to_vec();
        assert_eq!(products, [2.0, 1.0]);
    }
}
