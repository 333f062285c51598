//! The sizes at which the concentration of hidden norms is looked at.

use enclosures::enclosure::exact;
use proptest::prop_oneof;
use proptest::strategy::{Just, Strategy};

use crate::shared::hidden_norm_sizes::{Sample, Sizes};

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
        let s = Sizes { width, layers, inputs, eps };
        list.push((format!("m = {width}, L = {layers}, n = {inputs}, ε = {eps}"), s));
    }
    list
}

pub fn beyond_the_enclosures() -> Vec<(&'static str, Sizes)> {
    let of = |width, layers, inputs| Sizes { width, layers, inputs, eps: 0.5 };
    vec![("nine layers", of(200, 9, 1)), ("two layers, two inputs", of(200, 2, 2))]
}

pub fn random_sizes() -> impl Strategy<Value = Sizes> {
    let eps = prop_oneof![Just(0.5), 0.1..0.95f64];
    (2.0..6.8f64, prop_oneof![Just(1u32), 1u32..=6], eps, 0.0..9.0f64).prop_map(|(log, layers, eps, inputs)| Sizes {
        width: exact(log).exp().midpoint() as u32,
        layers,
        inputs: if layers == 1 { exact(inputs).exp().midpoint() as u32 } else { 1 },
        eps,
    })
}

pub fn samples() -> Vec<(&'static str, Sample)> {
    let of = |inputs, dimension, width, layers, eps| Sample { dimension, sizes: Sizes { width, layers, inputs, eps } };
    vec![
        ("one input, L = 4", of(1, 3, 90, 4, 0.8)),
        ("n = 8, b = 3", of(8, 3, 100, 1, 0.6)),
        ("n = 8, b = 110 ≥ m", of(8, 110, 100, 1, 0.6)),
        ("n = 4, L = 2", of(4, 3, 120, 2, 0.7)),
        ("n = 64 on a circle", of(64, 2, 150, 1, 0.6)),
        ("n = 256 on a circle", of(256, 2, 190, 1, 0.62)),
    ]
}
