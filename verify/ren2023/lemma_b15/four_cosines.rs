//! The four cosines between two pairs of signal columns at τ = 0, in closed form from what the flow conserves, and integrated.

use enclosures::vectors::sum_of_squares;
use evidence::prelude::*;
use serde::{Deserialize, Serialize};
use two_view::{GramState, LatentSizes, MatrixBlock, Metrics, Objective, View, gram_orbit};

/// The signs (ε_1, ε_2) of the four modes AA + ε_2AB + ε_1BA + ε_1ε_2BB.
pub(super) const SIGNS: [(f64, f64); 4] = [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)];

/// The four cosines at time 0, both ρ(0), and the strengths; σ_s² = 1.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "(AA, BB, AB, BA) = {cosines:?}, ρ = {rho:?}, σ² = ({strength}, 1), θ = {theta}", stored)]
pub(super) struct FourCosines {
    #[instance(range = "-0.5..=0.5")]
    pub(super) cosines: [f64; 4],
    #[instance(range = "(-1, 1)")]
    pub(super) rho: [f64; 2],
    #[instance(range = "0.01..=100", scale = "logarithmic")]
    pub(super) strength: f64,
    /// θ, dθ = (2c_K/N²)dt.
    #[instance(range = "0..=1e3")]
    pub(super) theta: f64,
}

/// δ(0), δ(θ) by the conserved quantities, and the correlations at θ.
pub(super) struct Solved {
    pub(super) before: Enclosure,
    pub(super) after: Enclosure,
    /// √((1+ρ_p(θ))(1+ρ_s(θ))/((1+ρ_p(0))(1+ρ_s(0)))).
    pub(super) factor: Enclosure,
    /// 2/√((1+ρ_p(0))(1+ρ_s(0))).
    pub(super) limit: Enclosure,
    /// max(σ_p²/σ_s², σ_s²/σ_p²).
    pub(super) strongest: Enclosure,
}

pub(super) fn solved(start: &FourCosines) -> Solved {
    let [aa, bb, ab, ba] = start.cosines.map(exact);
    // (1 − ρ)/(1 + ρ) falls like e^{−2σ²θ}; so (1 + ερ(θ))/(1 + ερ(0)) = 2 e^{∓…}/…, written without cancellation.
    let growth = |k: usize, sign: f64| {
        let (rho, strength) = (exact(start.rho[k]), if k == 0 { start.strength } else { 1.0 });
        let decay = (-(exact(2.0 * strength) * start.theta)).exp();
        let common = 2.0 / ((1.0 + rho) + (1.0 - rho) * decay);
        if sign > 0.0 { common } else { common * decay }
    };
    let mode = |(first, second): (f64, f64)| {
        let y = aa + first * second * bb + second * ab + first * ba;
        (y.square(), growth(0, first) * growth(1, second))
    };
    let (now, later): (Vec<Enclosure>, Vec<Enclosure>) = SIGNS.map(mode).iter().map(|&(y, g)| (y, y * g)).unzip();
    let root = |list: Vec<Enclosure>| (list.into_iter().sum::<Enclosure>() / 4.0).sqrt();
    Solved {
        before: root(now),
        after: root(later),
        factor: (growth(0, 1.0) * growth(1, 1.0)).sqrt(),
        limit: 2.0 / ((1.0 + exact(start.rho[0])) * (1.0 + exact(start.rho[1]))).sqrt(),
        strongest: exact(start.strength).max(1.0 / exact(start.strength)),
    }
}

/// δ at the clock θ from the Gram flow, over that by the conserved quantities, and over δ at the start.
pub(super) struct Integrated {
    pub(super) over_predicted: Enclosure,
    pub(super) over_start: Enclosure,
}

/// The Gram flow at τ = 0, K = 2, with the unit columns of the start.
pub(super) fn integrated(start: &FourCosines) -> Result<Integrated, MeasureError> {
    let ([aa, bb, ab, ba], [p, s]) = (start.cosines, start.rho);
    let gram = [
        [1.0, aa, p, ab], //
        [aa, 1.0, ba, s],
        [p, ba, 1.0, bb],
        [ab, s, bb, 1.0],
    ];
    let sizes = LatentSizes::new(2, 0)?;
    let block = MatrixBlock::from_fn(4, 4, |i, j| gram[i][j]);
    let strengths = [start.strength, 1.0];
    let metrics = Metrics::<f64>::orthogonal(sizes, &strengths, 1.0)?;
    // N² moves between 1 and its bound: the clock θ is added up along the orbit instead of inverted.
    let (cold, factor) = (Objective::Contrastive { tau_squared: 0.0, negatives: 2.0 }, 4.0 / 3.0);
    let end = start.theta / (2.0 * factor);
    let count = 64;
    let times: Vec<f64> = (1..=count).map(|k| end * f64::from(k) / f64::from(count)).collect();
    let orbit = gram_orbit(&GramState::new(sizes, block)?, &metrics, cold, &times, 1e-11)?;
    let last = orbit.states.last().ok_or("no state")?;
    let cos = |x, y| last.inner(x, y) / (last.squared_norm(x.0, x.1) * last.squared_norm(y.0, y.1)).sqrt();
    let (a, b) = (View::A, View::B);
    let columns = [((a, 0), (a, 1)), ((b, 0), (b, 1)), ((a, 0), (b, 1)), ((b, 0), (a, 1))];
    let size = sum_of_squares(&columns.map(|(x, y)| cos(x, y)));
    // The clock that has passed, from ρ_p: artanh ρ_s moves by θ (σ_s² = 1).
    let rho = last.correlation(1);
    let passed = 0.5 * (core_math::log((1.0 + rho) / (1.0 - rho)) - core_math::log((1.0 + s) / (1.0 - s)));
    let Solved { before, after, .. } = solved(&FourCosines { theta: passed, ..start.clone() });
    let found = Enclosure::measured(size.sqrt());
    Ok(Integrated { over_predicted: found / after, over_start: found / before })
}

/// A start with orthogonal signals.
pub(super) fn still() -> Vec<(&'static str, FourCosines)> {
    let start = FourCosines { cosines: [0.0; 4], rho: [0.5, 0.0], strength: 1.0, theta: 1.0 };
    vec![("no cosines", start)]
}

pub(super) fn starts() -> Vec<(&'static str, FourCosines)> {
    let of = |cosines, rho, strength, theta| FourCosines { cosines, rho, strength, theta };
    vec![
        ("ρ = 0, four equal cosines", of([0.01; 4], [0.0, 0.0], 1.0, 1.0)),
        ("ρ = 0, four equal cosines, late", of([0.01; 4], [0.0, 0.0], 1.0, 50.0)),
        ("s = 12, four equal cosines, late", of([0.01; 4], [0.0, 0.0], 12.0, 50.0)),
        ("s = 8, four equal cosines, late", of([0.05; 4], [0.0, 0.0], 8.0, 20.0)),
        ("antisymmetric", of([0.01, 0.01, -0.01, -0.01], [0.0, 0.0], 2.0, 1.0)),
        ("one cosine", of([0.1, 0.0, 0.0, 0.0], [0.5, -0.5], 3.0, 0.7)),
        ("ρ = −0.9", of([0.01, 0.02, 0.01, 0.015], [-0.9, -0.9], 4.0, 2.0)),
        ("ρ = 0.9", of([0.1, -0.05, 0.02, 0.1], [0.9, 0.9], 1.5, 2.0)),
    ]
}
