//! Weights and data maps of a linear two-view model, small enough that the loss is enumerated and differentiated
//! entry by entry.

use enclosures::linear_algebra::PlaneRotation;
use evidence::prelude::*;
use proptest::collection::vec;
use proptest::prelude::any;
use proptest::sample::select;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};
use two_view::{Features, LatentSizes, MatrixBlock, MultimodalError, Objective, TwoViewData, View, orthogonal_map};

/// X_A = O_A diag(σ_1, …, σ_r, σ_ξ, …) + T_A with an exactly orthogonal O_A; the paper's hypotheses are T_A = T_B =
/// 0.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TwoViews {
    pub signal: usize,
    pub noise: usize,
    pub sigma_squared: Vec<f64>,
    pub noise_squared: f64,
    /// Half tangents of rotations in the planes (0, 1), (1, 2), …, of O_A and O_B.
    pub turns: [Vec<f64>; 2],
    /// Entries of T_A and T_B, row by row; empty for zero.
    pub tilts: [Vec<f64>; 2],
    /// Rows of W_A and W_B.
    pub weights: [Vec<Vec<f64>>; 2],
    pub tau_squared: f64,
    pub negatives: f64,
}

impl Instance for TwoViews {
    fn describe(&self) -> String {
        let width = self.weights[0].len();
        let shown = |name: &str, list: &[Vec<f64>; 2]| match list.iter().all(Vec::is_empty) {
            true => String::new(),
            false => format!(", {name}_A = {:?}, {name}_B = {:?}", list[0], list[1]),
        };
        let maps = shown("half tangents", &self.turns) + &shown("T", &self.tilts);
        format!(
            "r = {}, q = {}, m = {width}, σ² = {:?}, σ_ξ² = {}, τ² = {}, K = {}, W_A = {:?}, W_B = {:?}{maps}",
            self.signal,
            self.noise,
            self.sigma_squared,
            self.noise_squared,
            self.tau_squared,
            self.negatives,
            self.weights[0],
            self.weights[1]
        )
    }

    fn validate(&self) -> Result<(), String> {
        let d = self.signal + self.noise;
        if self.signal == 0 || d > 5 || self.sigma_squared.len() != self.signal {
            return Err("the sizes do not fit, or are beyond r + q = 5".into());
        }
        let width = self.weights[0].len();
        if !(1..=6).contains(&width) || self.weights[1].len() != width {
            return Err("the widths differ or are not between 1 and 6".into());
        }
        if self.weights.iter().flatten().any(|row| row.len() != d) {
            return Err("a row of the weights has another length than r + q".into());
        }
        if self.tilts.iter().any(|t| !t.is_empty() && t.len() != d * d) {
            return Err("a tilt is neither empty nor full".into());
        }
        let positive = |x: f64| (1e-4..=1e4).contains(&x);
        if !self.sigma_squared.iter().all(|&s| positive(s))
            || !positive(self.noise_squared)
            || !positive(self.negatives)
        {
            return Err("a strength is not between 1e-4 and 1e4".into());
        }
        if !(self.tau_squared == 0.0 || (1e-4..=30.0).contains(&self.tau_squared)) {
            return Err("τ² is neither 0 nor between 1e-4 and 30".into());
        }
        let all = self.turns.iter().chain(&self.tilts).flatten().chain(self.weights.iter().flatten().flatten());
        if all.clone().all(|x| x.abs() <= 1e3) { Ok(()) } else { Err("a number is beyond 1000".into()) }
    }

    fn equivalents(&self) -> Vec<(&'static str, Self)> {
        let mut turned = self.clone();
        turned.weights.iter_mut().for_each(|rows| rows.reverse());
        let mut all = vec![("views exchanged", self.swapped()), ("features turned", turned)];
        // Turned or tilted data would have to be turned and tilted back.
        if self.turns.iter().chain(&self.tilts).all(Vec::is_empty) {
            let mut signals = self.clone();
            signals.sigma_squared.reverse();
            let rows = signals.weights.iter_mut().flatten();
            rows.for_each(|row| row[..self.signal].reverse());
            all.push(("signals in another order", signals));
        }
        all
    }
}

impl TwoViews {
    /// σ = 1, no rotation, no tilt, K = τ² = 1.
    pub fn plain(signal: usize, noise: usize, weights_a: &[&[f64]], weights_b: &[&[f64]]) -> Self {
        let rows = |w: &[&[f64]]| w.iter().map(|row| row.to_vec()).collect();
        TwoViews {
            signal,
            noise,
            sigma_squared: vec![1.0; signal],
            noise_squared: 1.0,
            turns: [vec![], vec![]],
            tilts: [vec![], vec![]],
            weights: [rows(weights_a), rows(weights_b)],
            tau_squared: 1.0,
            negatives: 1.0,
        }
    }

    pub fn with_sigma(mut self, sigma_squared: &[f64], noise_squared: f64) -> Self {
        self.sigma_squared = sigma_squared.to_vec();
        self.noise_squared = noise_squared;
        self
    }

    pub fn at(mut self, tau_squared: f64, negatives: f64) -> Self {
        (self.tau_squared, self.negatives) = (tau_squared, negatives);
        self
    }

    pub fn tilted(mut self, a: &[f64], b: &[f64]) -> Self {
        self.tilts = [a.to_vec(), b.to_vec()];
        self
    }

    pub fn turned(mut self, a: &[f64], b: &[f64]) -> Self {
        self.turns = [a.to_vec(), b.to_vec()];
        self
    }

    /// The same model with the views exchanged.
    pub fn swapped(&self) -> Self {
        let mut other = self.clone();
        other.turns.swap(0, 1);
        other.tilts.swap(0, 1);
        other.weights.swap(0, 1);
        other
    }

    /// Whether AᵀA = BᵀB = D_σ, A_ξᵀA_ξ = B_ξᵀB_ξ = σ_ξ² I, AᵀA_ξ = BᵀB_ξ = 0, as far as enclosures can tell.
    pub fn is_orthogonal(&self) -> bool {
        let d = self.signal + self.noise;
        let expected = |i: usize, j: usize| if i == j { self.strength(i) } else { 0.0 };
        let fits = |metric: &MatrixBlock<Interval>| {
            (0..d * d).all(|k| (metric.at(k / d, k % d) - expected(k / d, k % d)).contains(0.0))
        };
        let straight = self.tilts.iter().flatten().all(|&t| t == 0.0);
        straight || self.data().is_ok_and(|data| [View::A, View::B].into_iter().all(|v| fits(&data.metric(v))))
    }

    pub fn sizes(&self) -> Result<LatentSizes, MultimodalError> {
        LatentSizes::new(self.signal, self.noise)
    }

    /// σ_p² for p < r, σ_ξ² beyond.
    pub fn strength(&self, column: usize) -> f64 {
        self.sigma_squared.get(column).copied().unwrap_or(self.noise_squared)
    }

    pub fn contrastive(&self) -> Objective {
        Objective::Contrastive { tau_squared: self.tau_squared, negatives: self.negatives }
    }

    pub fn weights(&self, view: View) -> MatrixBlock<Interval> {
        let rows = &self.weights[view as usize];
        MatrixBlock::from_fn(rows.len(), self.signal + self.noise, |i, j| Interval::point(rows[i][j]))
    }

    fn map(&self, view: View) -> Result<MatrixBlock<Interval>, MeasureError> {
        let d = self.signal + self.noise;
        let turns: Vec<PlaneRotation> = (0..self.turns[view as usize].len())
            .filter(|_| d > 1)
            .map(|k| PlaneRotation { first: k % d, second: (k + 1) % d, half_tangent: self.turns[view as usize][k] })
            .collect();
        let frame = PlaneRotation::product_of(d, &turns)?;
        let straight = orthogonal_map(self.sizes()?, &self.sigma_squared, self.noise_squared, &frame)?;
        let tilt = &self.tilts[view as usize];
        let entry = |i: usize, j: usize| Interval::point(tilt.get(i * d + j).copied().unwrap_or(0.0));
        Ok(straight.plus(&MatrixBlock::from_fn(d, d, entry))?)
    }

    pub fn data(&self) -> Result<TwoViewData<Interval>, MeasureError> {
        Ok(TwoViewData::new(self.sizes()?, self.map(View::A)?, self.map(View::B)?)?)
    }

    pub fn features(&self) -> Result<Features<Interval>, MeasureError> {
        Ok(self.data()?.features(&self.weights(View::A), &self.weights(View::B))?)
    }

    /// Whether N_A and N_B are certainly positive, and not so small that squares lose their digits.
    pub fn has_outputs(&self) -> bool {
        self.features().is_ok_and(|f| {
            let square = |v| f.gram().normaliser_squared(v).is_ok_and(|n: Interval| n.lo() > 1e-8);
            square(View::A) && square(View::B)
        })
    }
}

pub type Named = (&'static str, TwoViews);

fn orthogonal_edges() -> Vec<Named> {
    let of = TwoViews::plain;
    let one: &[&[f64]] = &[&[1.0]];
    let diagonal: &[&[f64]] = &[&[2.0, 0.0], &[0.0, 1.0]];
    let wide: &[&[f64]] = &[&[1.0, -0.5, 0.25], &[0.5, 2.0, 1.0]];
    let other: &[&[f64]] = &[&[0.5, 1.0, -1.0], &[-0.25, 1.5, 0.75]];
    vec![
        ("everything one", of(1, 0, one, one)),
        ("K_A = 2, K_B = 1", of(1, 0, &[&[2.0]], one)),
        ("opposed", of(1, 0, one, &[&[-1.0]])),
        ("K_A = e₁, K_B = e₂", of(1, 0, &[&[1.0], &[0.0]], &[&[0.0], &[1.0]])),
        ("aligned diag(2, 1)", of(2, 0, diagonal, diagonal)),
        ("aligned diag(2, 1), K = 2, τ² = 2", of(2, 0, diagonal, diagonal).at(2.0, 2.0)),
        ("aligned diag(2, 1), σ² = (2, 1)", of(2, 0, diagonal, diagonal).with_sigma(&[2.0, 1.0], 1.0)),
        ("one row for two signals", of(2, 0, &[&[1.0, 1.0]], &[&[1.0, 1.0]]).at(0.5, 2.0)),
        ("one signal, one noise", of(1, 1, diagonal, diagonal).with_sigma(&[2.0], 0.5)),
        (
            "r = 2, q = 1, turned",
            of(2, 1, wide, other).with_sigma(&[2.0, 1.0], 0.5).turned(&[0.5, 0.25], &[-0.5]).at(1.0, 2.0),
        ),
        (
            "r = 1, q = 2, turned",
            of(1, 2, wide, other).with_sigma(&[2.0], 0.25).turned(&[0.5], &[0.25, 1.0]).at(3.0, 0.5),
        ),
        ("unequal norms", of(1, 1, &[&[100.0, 1.0]], &[&[0.01, 0.02]]).at(1.0, 0.5)),
        ("a zero column", of(2, 1, &[&[0.0, 1.0, 1.0]], &[&[0.0, 2.0, -1.0]]).at(1.0, 3.0)),
        ("all noise", of(1, 1, &[&[0.0, 1.0]], &[&[0.0, 1.0]]).at(1.0, 0.5)),
        ("cold", of(2, 0, diagonal, &[&[1.0, 0.5], &[0.5, 1.0]]).at(30.0, 0.1)),
        ("hot", of(2, 0, diagonal, &[&[1.0, 0.5], &[0.5, 1.0]]).at(1e-4, 10.0)),
        ("d = 4, r = 1", {
            let four: &[&[f64]] = &[&[1.0, 0.5, -0.5, 1.0]];
            of(1, 3, four, &[&[2.0, -1.0, 1.0, 0.25]]).with_sigma(&[1.5], 0.5).at(1.0, 2.0)
        }),
        ("m = 4, d = 5, r = 2", {
            let entry = |i: usize, j: usize, s: usize| ((7 * i + 3 * j + s) % 5) as f64 / 2.0 - 0.75;
            let rows =
                |s: usize| -> Vec<Vec<f64>> { (0..4).map(|i| (0..5).map(|j| entry(i, j, s)).collect()).collect() };
            TwoViews { weights: [rows(0), rows(3)], ..of(2, 3, &[], &[]).with_sigma(&[2.0, 1.0], 0.5).at(1.0, 2.0) }
        }),
    ]
}

fn oblique_edges() -> Vec<Named> {
    let of = TwoViews::plain;
    let half = std::f64::consts::FRAC_1_SQRT_2;
    vec![
        ("A = e₁, A_ξ = (e₁ + e₂)/√2", {
            let tilt = [0.0, half, 0.0, half - 1.0];
            of(1, 1, &[&[1.0, 0.5], &[-0.5, 1.0]], &[&[1.0, -1.0], &[0.5, 0.25]]).tilted(&tilt, &tilt).at(1.0, 2.0)
        }),
        (
            "A = (e₁, e₁ + e₂), no noise",
            of(2, 0, &[&[1.0, 1.0]], &[&[1.0, 2.0]]).tilted(&[0.0, 1.0, 0.0, 0.0], &[]).at(0.5, 2.0),
        ),
        (
            "one view is blind to its signal",
            of(1, 1, &[&[1.0, 1.0]], &[&[1.0, 2.0]]).tilted(&[-1.0, 0.0, 0.0, 0.0], &[]).at(1.0, 2.0),
        ),
    ]
}

/// Models one view of which has no output.
pub fn silent() -> Vec<Named> {
    let of = |a: &[f64], b: &[f64]| TwoViews::plain(1, 1, &[a], &[b]);
    vec![("W_A = 0", of(&[0.0, 0.0], &[1.0, 0.5])), ("W_B = 0", of(&[1.0, 0.5], &[0.0, 0.0]))]
}

/// Models at τ = 0.
pub fn cold() -> Vec<Named> {
    let rows: &[&[f64]] = &[&[2.0, 0.5], &[0.0, 1.0]];
    let other: &[&[f64]] = &[&[1.0, 0.0], &[0.5, 1.0]];
    vec![
        ("no temperature", TwoViews::plain(2, 0, rows, other).at(0.0, 2.0)),
        ("no temperature, noise", TwoViews::plain(1, 1, rows, other).at(0.0, 0.5)),
    ]
}

pub fn drawn(sizes: &'static [(usize, usize)], oblique: bool) -> impl Strategy<Value = TwoViews> {
    (select(sizes), 1usize..=3).prop_flat_map(move |((signal, noise), width)| {
        let d = signal + noise;
        let rows = move || vec(vec(-2.0..2.0f64, d), width);
        let turns = move || vec(-1.5..1.5f64, 0..=d);
        let tilts = move || vec(-1.0..1.0f64, if oblique { d * d } else { 0 });
        let tau = select(&[1e-2, 0.1, 0.5, 1.0, 2.0, 3.0, 10.0][..]);
        let strengths = (vec(0.25..4.0f64, signal), 0.05..4.0f64);
        (
            strengths,
            (turns(), turns()),
            (tilts(), tilts()),
            (rows(), rows()),
            tau,
            select(&[0.1, 0.5, 2.0, 10.0][..]),
            any::<bool>(),
        )
            .prop_map(
                move |((sigma_squared, noise_squared), turns, tilts, weights, tau_squared, negatives, aligned)| {
                    TwoViews {
                        signal,
                        noise,
                        sigma_squared,
                        noise_squared,
                        turns: turns.into(),
                        tilts: tilts.into(),
                        weights: if aligned { [weights.0.clone(), weights.0] } else { weights.into() },
                        tau_squared,
                        negatives,
                    }
                },
            )
    })
}

/// All named models.
pub fn edges() -> Vec<Named> {
    orthogonal_edges().into_iter().chain(oblique_edges()).collect()
}

/// Models that keep H-orth.
pub fn orthogonal() -> [Family<TwoViews>; 2] {
    [
        edge("orthogonal maps", orthogonal_edges),
        random("random orthogonal maps", || drawn(&[(1, 0), (1, 1), (2, 0), (2, 1), (1, 2), (3, 0), (2, 2)], false))
            .taking(0.5),
    ]
}

/// Models whose data maps are arbitrary matrices.
pub fn oblique() -> [Family<TwoViews>; 2] {
    [
        edge("maps that are not orthogonal", oblique_edges),
        random("arbitrary maps", || drawn(&[(1, 1), (2, 0), (2, 1), (1, 2)], true)).taking(0.25),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turned_maps_keep_the_strengths_and_tilted_ones_do_not() {
        for (name, v) in orthogonal_edges() {
            assert_eq!(v.validate(), Ok(()), "{name}");
            let data = v.data().expect("sizes fit");
            for view in [View::A, View::B] {
                let metric = data.metric(view);
                for k in 0..metric.rows() * metric.rows() {
                    let (i, j) = (k / metric.rows(), k % metric.rows());
                    let expected = match (i == j, i < v.signal) {
                        (true, true) => v.sigma_squared[i],
                        (true, false) => v.noise_squared,
                        _ => 0.0,
                    };
                    assert!((metric.at(i, j) - expected).magnitude() < 1e-13, "{name}, {view:?}");
                }
            }
            assert!(v.is_orthogonal(), "{name}");
        }
        assert!(oblique_edges().iter().all(|(_, v)| v.validate().is_ok() && !v.is_orthogonal()));
    }

    #[test]
    fn features_are_those_by_hand() {
        let strengths = TwoViews::plain(2, 2, &[&[1.0; 4]], &[&[1.0; 4]]).with_sigma(&[2.0, 3.0], 0.5);
        assert_eq!([0, 1, 2, 3].map(|k| strengths.strength(k)), [2.0, 3.0, 0.5, 0.5]);
        let half = std::f64::consts::FRAC_1_SQRT_2;
        // W_A = [1 ½; −½ 1] and X_A = [1 1/√2; 0 1/√2].
        let (name, tilted) = oblique_edges().swap_remove(0);
        let stacked = tilted.features().expect("sizes fit");
        let expected = [1.0, 1.5 * half, 1.0, 0.0, -0.5, 0.5 * half, 0.5, 0.75 * half];
        for (k, e) in expected.into_iter().enumerate() {
            let found = stacked.stacked().at(k / 4, k % 4);
            assert!((found - e).magnitude() < 1e-14, "{name}, ({}, {})", k / 4, k % 4);
        }
        // A half tangent ½ turns by the angle of (3, 4)/5; strengths 4 and 9 scale the columns by 2 and 3.
        let turned = TwoViews::plain(1, 1, &[&[1.0, 0.0]], &[&[1.0, 0.0]]).with_sigma(&[4.0], 9.0).turned(&[0.5], &[]);
        let row: Vec<f64> =
            turned.features().expect("sizes fit").stacked().row(0).iter().map(|x| x.midpoint()).collect();
        assert!((row[0] - 1.2).abs() < 1e-14 && (row[1].abs() - 2.4).abs() < 1e-14, "{row:?}");
        assert!((row[2] - 2.0).abs() < 1e-14 && row[3].abs() < 1e-14, "{row:?}");
    }

    #[test]
    fn exchanged_views_exchange_their_features() {
        for (name, v) in edges() {
            let (here, there) = (v.features().expect("sizes fit"), v.swapped().features().expect("sizes fit"));
            assert_eq!(here.of_view(View::A), there.of_view(View::B), "{name}");
            assert_eq!(here.of_view(View::B), there.of_view(View::A), "{name}");
            let agreement = |v: &TwoViews| v.features().and_then(|f| Ok(f.gram().agreement()?)).expect("outputs");
            for (change, other) in v.equivalents() {
                assert!((agreement(&v) - agreement(&other)).magnitude() < 1e-12, "{name}, {change}");
            }
            assert!(v.has_outputs(), "{name}");
        }
        assert!(silent().iter().all(|(_, v)| !v.has_outputs() && v.validate().is_ok()));
        // N² = 1e-10 has an output, but no digits to spare.
        assert!(!TwoViews::plain(1, 0, &[&[1e-5]], &[&[1.0]]).has_outputs());
    }
}
