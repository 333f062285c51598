//! A Gaussian start of two signal directions at a small width: the moments of its Gram matrix, by three-point Gauss–Hermite
//! quadrature in every entry of the weights.

use enclosures::linear_algebra::PlaneRotation;
use evidence::prelude::*;
use proptest::collection::vec;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

/// Two signal directions of strengths σ² in rotated maps, and a width.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "m = {width}, σ² = {sigma_squared:?}, half tangents {turns:?}", stored)]
pub struct GaussianStart {
    #[instance(range = "1..=3")]
    pub width: usize,
    #[instance(range = "1e-4..=1e4", scale = "logarithmic")]
    pub sigma_squared: [f64; 2],
    /// Half tangents of the rotations of A and B.
    #[instance(range = "-1e3..=1e3")]
    pub turns: [f64; 2],
}

/// Means of ⟨[K_A]_p, [K_A]_s⟩ and ⟨[K_A]_p, [K_B]_s⟩, and of their squares.
pub struct Moments {
    pub same: [[Interval; 4]; 2],
    /// None at widths where the quadrature in both W_A and W_B is too large.
    pub cross: Option<[[Interval; 4]; 2]>,
}

/// Means of the four inner products and of their squares over all nodes of `variables` independent N(0, 1/m) entries.
fn quadrature(width: usize, variables: usize, products: impl Fn(&[Interval]) -> [Interval; 4]) -> [[Interval; 4]; 2] {
    let root = (Interval::point(3.0) / width as f64).sqrt();
    let nodes =
        [(Interval::ZERO, Interval::point(2.0) / 3.0), (root, Interval::ONE / 6.0), (-root, Interval::ONE / 6.0)];
    let mut means = [[Interval::ZERO; 4]; 2];
    let mut values = vec![Interval::ZERO; variables];
    for mut index in 0..3usize.pow(variables as u32) {
        let mut weight = Interval::ONE;
        for value in &mut values {
            let (node, share) = nodes[index % 3];
            (*value, weight) = (node, weight * share);
            index /= 3;
        }
        for (k, x) in products(&values).into_iter().enumerate() {
            means[0][k] += weight * x;
            means[1][k] += weight * x.square();
        }
    }
    means
}

/// Both, by quadrature.
pub fn moments(s: &GaussianStart) -> Result<Moments, MeasureError> {
    let map = |view: usize| -> Result<[[Interval; 2]; 2], MeasureError> {
        let turn = PlaneRotation { first: 0, second: 1, half_tangent: s.turns[view] };
        let frame = PlaneRotation::product_of(2, &[turn])?;
        let entry = |i: usize, j: usize| frame.entries()[2 * i + j] * Interval::point(s.sigma_squared[j]).sqrt();
        Ok([[entry(0, 0), entry(0, 1)], [entry(1, 0), entry(1, 1)]])
    };
    let (a, b) = (map(0)?, map(1)?);
    let feature = |w: &[Interval], map: &[[Interval; 2]; 2], row: usize, p: usize| {
        w[2 * row] * map[0][p] + w[2 * row + 1] * map[1][p]
    };
    let inner = |wa: &[Interval], ma: &[[Interval; 2]; 2], wb: &[Interval], mb: &[[Interval; 2]; 2]| {
        [0, 1, 2, 3].map(|k: usize| (0..s.width).map(|i| feature(wa, ma, i, k / 2) * feature(wb, mb, i, k % 2)).sum())
    };
    let entries = 2 * s.width;
    Ok(Moments {
        same: quadrature(s.width, entries, |w| inner(w, &a, w, &a)),
        cross: (s.width <= 2)
            .then(|| quadrature(s.width, 2 * entries, |w| inner(&w[..entries], &a, &w[entries..], &b))),
    })
}

/// Why the moments of two views are left out at the largest width.
pub const WIDE: &str = "m = 3: too many nodes for the moments of K_AᵀK_B";

const PLACES: [&str; 4] = ["(1, 1)", "(1, 2)", "(2, 1)", "(2, 2)"];

/// Four entries against expected ones, on the scale σ_p²σ_s² (or its root).
pub fn four(found: [Interval; 4], expected: [Interval; 4], scale: f64) -> Evaluation {
    all_of(
        PLACES
            .into_iter()
            .zip(found)
            .zip(expected)
            .map(|((name, x), y)| (name, equal(x, y).on_scale_of("σ_max², or its square", scale))),
    )
}

/// Variances from means of the entries and of their squares.
pub fn variances(means: &[[Interval; 4]; 2]) -> [Interval; 4] {
    [0, 1, 2, 3].map(|k| means[1][k] - means[0][k].square())
}

/// σ_p²σ_s²/m, twice that for a squared norm.
pub fn spread(s: &GaussianStart, same_view: bool, width: f64) -> [Interval; 4] {
    [0, 1, 2, 3].map(|k: usize| {
        let (p, q) = (k / 2, k % 2);
        let twice = if same_view && p == q { 2.0 } else { 1.0 };
        Interval::point(s.sigma_squared[p]) * s.sigma_squared[q] * twice / width
    })
}

/// Named widths, and any strengths and rotations.
pub fn starts() -> [Family<GaussianStart>; 2] {
    [
        edge("widths", || {
            let of = |width, sigma_squared, turns| GaussianStart { width, sigma_squared, turns };
            vec![
                ("m = 1", of(1, [1.0, 1.0], [0.0, 0.0])),
                ("m = 2, σ² = (3, 1)", of(2, [3.0, 1.0], [0.5, -0.25])),
                ("m = 3, σ² = (100, 0.01)", of(3, [100.0, 0.01], [1.0, 0.0])),
            ]
        }),
        random("strengths and rotations", || {
            (1usize..=3, vec(0.1..4.0f64, 2), vec(-2.0..2.0f64, 2)).prop_map(|(width, s, t)| GaussianStart {
                width,
                sigma_squared: [s[0], s[1]],
                turns: [t[0], t[1]],
            })
        })
        .taking(0.15),
    ]
}
