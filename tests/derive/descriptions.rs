//! Descriptions, against those that stand in the catalogue.

use contrapositive::instance::{Declared, Instance, drawn};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

use super::types::{
    Activation, ByHand, Coins, DiagonalStart, Displacement, Inputs, Law, Matrices, Network, Quadratic, Weighted,
};

/// `by_hand` is what the catalogue's implementation prints.
#[track_caller]
fn alike<I: Declared>(by_hand: impl Fn(&I) -> String) {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    for _ in 0..300 {
        let instance: I = drawn(&mut || rng.random()).expect("every field can be drawn");
        assert_eq!(instance.describe(), by_hand(&instance));
    }
}

#[test]
fn five_types_of_the_catalogue_describe_themselves_as_they_do_by_hand() {
    alike(|c: &Coins| format!("m = {}, p = {}", c.count, c.probability));
    alike(|d: &Displacement| format!("k = {}, y = {:?}, y′ = {:?}", d.point.len(), d.point, d.by));
    alike(|m: &Matrices| format!("A = {:?}, B = {:?}", m.a, m.b));
    alike(|w: &Weighted| {
        let Weighted { squares, excess, share, output } = w;
        format!("‖v_i‖² = {squares:?}, P(A_i)/κ = {excess:?}, nκ = {share}, d = {output}")
    });
    alike(|s: &DiagonalStart| {
        format!(
            "σ² = {:?}, κ² = {:?}, ρ = {:?}, {} noise columns of squared norm {} with σ_ξ² = {}, τ² = {}, K = {}",
            s.sigma_squared,
            s.kappa_squared,
            s.correlation,
            s.noise,
            s.noise_norm_squared,
            s.noise_squared,
            s.tau_squared,
            s.negatives
        )
    });
}

#[test]
fn sizes_come_first_and_parts_speak_for_themselves() {
    let law = Law { weights: vec![1.0, 3.0], points: vec![vec![0.5], vec![-2.0]] };
    assert_eq!(law.describe(), "n = 2, d = 1, p = [1.0, 3.0], x = [[0.5], [-2.0]]");
    let quadratic = Quadratic { matrix: vec![vec![1.0, 0.5], vec![0.5, 2.0]], seed: 7 };
    assert_eq!(quadratic.describe(), "n = 2, A = [[1.0, 0.5], [0.5, 2.0]], seed = 7");
    let network = Network {
        activation: Activation::Relu,
        inputs: Inputs::Close { angle: 0.5 },
        start: ByHand { x: 1.5 },
        layers: vec![Coins { count: 2, probability: 0.5 }],
        eta: Some(0.25),
        bias: [0.0, 1.0],
        biased: true,
    };
    assert_eq!(
        network.describe(),
        "activation = Relu, closer than 0.5, by hand 1.5, layers = [m = 2, p = 0.5], η = 0.25 d/m, bias = [0.0, 1.0], \
         biased = true"
    );
    assert_eq!(Inputs::Circle.describe(), "Circle");
    assert_eq!(Inputs::Given(vec![1.0]).describe(), "Given (x = [1.0])");
    let long = Displacement { point: vec![1.0; 30], by: vec![0.0; 30] };
    assert_eq!(long.describe(), "k = 30, y of 30 numbers, y′ of 30 numbers");
}
