//! The sizes at which the concentration of hidden norms is looked at.

use contrapositive::enclosure::Enclosure;
use proptest::prop_oneof;
use proptest::strategy::{Just, Strategy};

use super::hidden_norm_sizes::{Sample, Sizes, Sweep, Vary};

pub fn shrinking_sweeps() -> Vec<(&'static str, Sweep)> {
    let of = |vary, width, layers, inputs, eps, doublings| Sweep {
        vary,
        doublings,
        start: Sizes {
            width,
            layers,
            inputs,
            eps,
        },
    };
    vec![
        ("m = 1, depth to 64", of(Vary::Depth, 1, 1, 1, 0.5, 6)),
        ("m = 2, depth to 512", of(Vary::Depth, 2, 1, 1, 0.5, 9)),
        ("m = 5, depth to 4096", of(Vary::Depth, 5, 1, 1, 0.5, 12)),
        ("m = 10, depth to 65536", of(Vary::Depth, 10, 1, 1, 0.5, 16)),
        ("m = 1, three layers, ε → 0", of(Vary::Window, 1, 3, 1, 0.5, 9)),
        ("m = 20, three layers, ε → 0", of(Vary::Window, 20, 3, 1, 0.5, 9)),
        ("m = 1000, three layers, ε → 0", of(Vary::Window, 1000, 3, 1, 0.25, 9)),
        ("m = 20, one layer, n to 8192", of(Vary::Inputs, 20, 1, 1, 0.5, 13)),
        ("m = 400, one layer, n to 8192", of(Vary::Inputs, 400, 1, 1, 0.25, 13)),
    ]
}

pub fn random_sweeps() -> impl Strategy<Value = Sweep> {
    let vary = prop_oneof![Just(Vary::Depth), Just(Vary::Window), Just(Vary::Inputs)];
    (vary, 1u32..=30, 0.2..0.8f64).prop_map(|(vary, width, eps)| Sweep {
        vary,
        doublings: 8,
        start: Sizes {
            width,
            layers: if vary == Vary::Window { 3 } else { 1 },
            inputs: 1,
            eps,
        },
    })
}

pub fn sizes() -> Vec<(String, Sizes)> {
    let mut list = Vec::new();
    for (width, layers, inputs, eps) in [
        (1, 1, 1, 0.5),
        (20, 1, 1, 0.5),
        (100, 1, 1, 0.5),
        (400, 1, 1, 0.25),
        (200, 4, 1, 0.5),
        (800, 4, 1, 0.5),
        (2000, 1, 1, 0.3),
        (2000, 2, 1, 0.5),
        (500, 8, 1, 0.5),
        (1000, 8, 1, 0.5),
        (2000, 1, 64, 0.5),
        (2000, 1, 8192, 0.5),
        (5000, 1, 8192, 0.9),
        (40_000, 1, 1, 0.2),
        (1200, 4, 1, 0.9),
    ] {
        let s = Sizes {
            width,
            layers,
            inputs,
            eps,
        };
        list.push((format!("m = {width}, L = {layers}, n = {inputs}, ε = {eps}"), s));
    }
    list
}

pub fn random_sizes() -> impl Strategy<Value = Sizes> {
    let eps = prop_oneof![Just(0.5), 0.1..0.95f64];
    (2.0..6.8f64, prop_oneof![Just(1u32), 1u32..=6], eps, 0.0..9.0f64).prop_map(|(log, layers, eps, inputs)| Sizes {
        width: Enclosure::from(log).exp().midpoint() as u32,
        layers,
        inputs: if layers == 1 {
            Enclosure::from(inputs).exp().midpoint() as u32
        } else {
            1
        },
        eps,
    })
}

pub fn samples() -> Vec<(&'static str, Sample)> {
    let of = |inputs, dimension, width, layers, eps| Sample {
        dimension,
        sizes: Sizes {
            width,
            layers,
            inputs,
            eps,
        },
    };
    vec![
        ("one input, L = 4", of(1, 3, 90, 4, 0.8)),
        ("n = 8, b = 3", of(8, 3, 100, 1, 0.6)),
        ("n = 8, b = 110 ≥ m", of(8, 110, 100, 1, 0.6)),
        ("n = 4, L = 2", of(4, 3, 120, 2, 0.7)),
        ("n = 64 on a circle", of(64, 2, 150, 1, 0.6)),
        ("n = 256 on a circle", of(256, 2, 190, 1, 0.62)),
    ]
}
