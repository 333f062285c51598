//! States of the learning dynamics at finite width: the features of both views, column by column.

use enclosures::linear_algebra::quarter_turn;
use enclosures::vectors::largest_magnitude;
use evidence::prelude::*;
use proptest::collection::vec;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};
use two_view::{Features, GramState, LatentSizes, MatrixBlock, Metrics, MultimodalError, Scalar, View};

/// Features, the strengths of the data, and the constants of the loss.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(
    describe = Self::in_words, valid = Self::fits, simpler = Self::with_fewer, equivalents = Self::relabelled, stored
)]
pub struct LearningState {
    /// r.
    #[instance(range = "1..=4")]
    pub signal: usize,
    /// σ_1², …, σ_r², then the squared strength of each of the q noise directions.
    #[instance(length = "d in 1..=4", range = "1e-3..=1e3", scale = "logarithmic")]
    pub strengths: Vec<f64>,
    /// The 2(r + q) columns of [K_A | K_{A,ξ} | K_B | K_{B,ξ}].
    #[instance(range = "-1e3..=1e3")]
    pub columns: Vec<Vec<f64>>,
    /// K.
    #[instance(range = "1e-3..=1e3", scale = "logarithmic")]
    pub negatives: f64,
    #[instance(range = "0..=10")]
    pub tau_squared: f64,
}

impl LearningState {
    fn in_words(&self) -> String {
        let q = self.latents() - self.signal;
        format!(
            "r = {}, q = {q}, K = {}, τ² = {}, squared strengths {:?}, columns of [K_A | K_A,ξ | K_B | K_B,ξ]: {:?}",
            self.signal, self.negatives, self.tau_squared, self.strengths, self.columns
        )
    }

    fn fits(&self) -> Result<(), String> {
        let d = self.latents();
        if d < self.signal {
            return Err(format!("{} signals among {d} latent coordinates", self.signal));
        }
        if self.columns.len() != 2 * d || self.columns[0].is_empty() {
            return Err(format!("the features are not {} columns of one positive length", 2 * d));
        }
        Ok(())
    }

    fn with_fewer(&self) -> Vec<Self> {
        let (r, d) = (self.signal, self.latents());
        let without = |k: usize| {
            let mut less = self.clone();
            less.columns.remove(d + k);
            less.columns.remove(k);
            less.strengths.remove(k);
            less.signal = if k < r { r - 1 } else { r };
            less
        };
        let flatter = |row: usize| {
            let mut less = self.clone();
            for column in &mut less.columns {
                column.remove(row);
            }
            less
        };
        let rows = self.columns.first().map_or(0, Vec::len);
        (0..d).map(without).chain((0..rows).map(flatter)).collect()
    }

    /// The state with its latent coordinates renamed: the one at k was at `from(k)`.
    fn renamed(&self, from: impl Fn(usize) -> usize) -> Self {
        let d = self.latents();
        let column = |k: usize| self.columns[k / d * d + from(k % d)].clone();
        LearningState {
            strengths: (0..d).map(|k| self.strengths[from(k)]).collect(),
            columns: (0..2 * d).map(column).collect(),
            ..self.clone()
        }
    }

    /// The same state under other names and signs of its coordinates.
    fn relabelled(&self) -> Vec<(&'static str, Self)> {
        let (r, d) = (self.signal, self.latents());
        let mut exchanged = self.clone();
        exchanged.columns.rotate_left(d);
        let mut turned = self.clone();
        turned.columns.iter_mut().for_each(|column| *column = quarter_turn(column));
        let mut negated = self.clone();
        for k in [0, d] {
            negated.columns[k].iter_mut().for_each(|x| *x = -*x);
        }
        vec![
            ("signals in another order", self.renamed(|k| if k < r { r - 1 - k } else { k })),
            ("noise in another order", self.renamed(|k| if k < r { k } else { d - 1 - (k - r) })),
            ("views exchanged", exchanged),
            ("features turned", turned),
            ("a signal negated", negated),
        ]
    }

    /// d = r + q.
    pub fn latents(&self) -> usize {
        self.strengths.len()
    }

    pub fn sizes(&self) -> Result<LatentSizes, MultimodalError> {
        LatentSizes::new(self.signal, self.latents() - self.signal)
    }

    pub fn features<T: Scalar>(&self) -> Result<Features<T>, MultimodalError> {
        let rows = self.columns.first().map_or(0, Vec::len);
        let entry = |i: usize, j: usize| T::from(self.columns[j][i]);
        Features::new(self.sizes()?, MatrixBlock::from_fn(rows, self.columns.len(), entry))
    }

    /// X_A^T X_A = X_B^T X_B = diag(strengths).
    pub fn metrics<T: Scalar>(&self) -> Result<Metrics<T>, MultimodalError> {
        let strengths: Vec<T> = self.strengths.iter().map(|&s| T::from(s)).collect();
        Metrics::new(MatrixBlock::diagonal(&strengths), MatrixBlock::diagonal(&strengths))
    }

    /// The Gram matrix of the features.
    pub fn gram<T: Scalar>(&self) -> Result<GramState<T>, MultimodalError> {
        Ok(self.features()?.gram())
    }

    /// The Gram matrix after every column of view B got the norm of its partner in view A.
    pub fn equalised_gram(&self) -> Result<GramState<Interval>, MultimodalError> {
        let (gram, d): (GramState<Interval>, usize) = (self.gram()?, self.latents());
        let ratio = |k: usize| (gram.squared_norm(View::A, k) / gram.squared_norm(View::B, k)).sqrt();
        let factors: Vec<Interval> = (0..d).map(|_| Interval::ONE).chain((0..d).map(ratio)).collect();
        let entry = |i: usize, j: usize| {
            if i == j { gram.squared_norm(View::A, i % d) } else { gram.gram().at(i, j) * factors[i] * factors[j] }
        };
        GramState::new(self.sizes()?, MatrixBlock::from_fn(2 * d, 2 * d, entry))
    }

    /// No column is as good as zero.
    pub fn has_columns(&self) -> bool {
        self.columns.iter().all(|c| largest_magnitude(c) >= 1e-2)
    }

    /// Neither view is as good as zero.
    pub fn has_outputs(&self) -> bool {
        let above = |n: Interval| n.lo() > 1e-8;
        self.gram().is_ok_and(|g| [View::A, View::B].into_iter().all(|v| g.normaliser_squared(v).is_ok_and(above)))
    }

    /// H-orth asks for one strength of all noise directions.
    pub fn has_one_noise_strength(&self) -> bool {
        self.strengths[self.signal..].windows(2).all(|pair| pair[0] == pair[1])
    }

    /// The same features at another temperature.
    pub fn at(&self, tau_squared: f64) -> Self {
        LearningState { tau_squared, ..self.clone() }
    }
}

/// A state with τ² = 1/8 and K = 2.
pub fn state(signal: usize, strengths: &[f64], columns: &[&[f64]]) -> LearningState {
    LearningState {
        signal,
        strengths: strengths.to_vec(),
        columns: columns.iter().map(|c| c.to_vec()).collect(),
        negatives: 2.0,
        tau_squared: 0.125,
    }
}

fn near_the_manifold(epsilon: f64) -> LearningState {
    let bump = |j: usize, i: usize| epsilon * (((7 * j + 3 * i) % 5) as f64 - 2.0) / 2.0;
    let mut near = state(
        2,
        &[2.0, 1.0, 0.5],
        &[
            &[1.5, 0.0, 0.0, 0.0, 0.0, 0.0],
            &[0.0, 1.0, 0.0, 0.0, 0.0, 0.0],
            &[0.0, 0.0, 0.75, 0.0, 0.0, 0.0],
            &[0.75, 0.0, 0.0, 1.25, 0.0, 0.0],
            &[0.0, 0.5, 0.0, 0.0, 1.0, 0.0],
            &[0.0, 0.0, 0.0, 0.0, 0.0, 0.75],
        ],
    );
    for (j, column) in near.columns.iter_mut().enumerate() {
        for (i, entry) in column.iter_mut().enumerate() {
            *entry += bump(j, i);
        }
    }
    near
}

/// Hand-picked states: unequal norms, opposite views, width one, few and many noise directions, nearly diagonal Gram matrices.
pub fn named() -> Vec<(&'static str, LearningState)> {
    let with =
        |state: LearningState, negatives: f64, tau_squared: f64| LearningState { negatives, tau_squared, ..state };
    let doubled = || {
        state(
            2,
            &[1.0, 3.0, 0.5],
            &[
                &[2.0, 0.0, 0.5],
                &[0.0, 2.0, 1.0],
                &[1.0, -1.0, 2.0],
                &[1.0, 0.0, 0.25],
                &[0.0, 1.0, 0.5],
                &[0.5, -0.5, 1.0],
            ],
        )
    };
    let opposite = state(1, &[1.0, 1.0], &[&[1.0, 0.5], &[0.0, 1.0], &[-1.0, -0.5], &[0.0, -1.0]]);
    let many_noises = state(
        1,
        &[1.0, 0.5, 0.5, 0.5],
        &[&[1.0, 0.5], &[0.5, 0.0], &[0.0, 0.5], &[0.5, 0.5], &[1.0, 0.0], &[-0.5, 0.25], &[0.0, -0.5], &[0.25, 0.5]],
    );
    let two_noises = || {
        state(
            2,
            &[2.0, 1.0, 0.5, 0.5],
            &[
                &[1.0, 0.5, -0.25],
                &[-0.5, 1.0, 0.5],
                &[0.25, 0.0, 1.0],
                &[0.0, -0.75, 0.5],
                &[0.5, 0.5, 0.5],
                &[0.0, 1.0, -1.0],
                &[1.0, 0.25, 0.0],
                &[0.5, -0.5, 0.75],
            ],
        )
    };
    vec![
        ("r = 1, orthogonal views", state(1, &[1.0], &[&[1.0, 0.0], &[0.0, 1.0]])),
        ("r = 1, a norm twice the other", state(1, &[1.0], &[&[2.0, 0.0], &[0.0, 1.0]])),
        ("K_A = 2 K_B", doubled()),
        ("K_A = 2 K_B, K = 10, warm", with(doubled(), 10.0, 1.0)),
        ("K_B = −K_A with noise", opposite),
        ("r = 1, q = 3", many_noises),
        ("aligned, σ² = (4,1)", state(2, &[4.0, 1.0], &[&[2.0, 0.0], &[0.0, 1.0], &[2.0, 0.0], &[0.0, 1.0]])),
        ("width one", state(2, &[1.0, 2.0], &[&[1.0], &[0.5], &[0.75], &[-0.5]])),
        ("q = 2, generic, K = 0.1", with(two_noises(), 0.1, 0.25)),
        ("q = 2, generic, τ² = 1", with(two_noises(), 1.0, 1.0)),
        ("ε = 1/8 from the diagonal manifold", near_the_manifold(0.125)),
        ("ε = 1/1024 from the diagonal manifold", near_the_manifold(1.0 / 1024.0)),
        (
            "ρ = 0, four equal cosines",
            state(
                2,
                &[1.0, 2.0],
                &[&[1.0, 0.0, 0.0, 0.0], &[0.25, 0.25, 0.9, 0.2], &[0.0, 1.0, 0.0, 0.0], &[0.25, 0.25, -0.2, 0.9]],
            ),
        ),
    ]
}

fn strategy() -> impl Strategy<Value = LearningState> {
    let sizes = (1usize..=2, 0usize..=2, 1usize..=5);
    sizes.prop_flat_map(|(r, q, m)| {
        let strengths = (vec(0.25..4.0f64, r), 0.1..4.0f64);
        let columns = vec(vec(-1.5..1.5f64, m), 2 * (r + q));
        (strengths, columns, -2.3..2.3f64, -9.0..0.7f64).prop_map(
            move |((mut signal, noise), columns, log_k, log_tau)| {
                signal.resize(r + q, noise);
                LearningState {
                    signal: r,
                    strengths: signal,
                    columns,
                    negatives: core_math::exp(log_k),
                    tau_squared: core_math::exp(log_tau),
                }
            },
        )
    })
}

/// The named states and random ones with at most four latent coordinates and widths up to five.
pub fn states() -> Vec<Family<LearningState>> {
    vec![edge("named states", named), random("random features", strategy)]
}

/// States one column of which vanishes.
pub fn without_direction() -> Vec<(&'static str, LearningState)> {
    vec![
        (
            "a noise column of view A is 0",
            state(1, &[1.0, 0.5], &[&[1.0, 0.5], &[0.0, 0.0], &[0.5, 1.0], &[1.0, -1.0]]),
        ),
        (
            "a signal column of view B is 0",
            state(2, &[2.0, 1.0], &[&[1.0, 0.5], &[0.0, 1.0], &[0.5, 1.0], &[0.0, 0.0]]),
        ),
    ]
}

/// States one view of which vanishes.
pub fn without_view() -> Vec<(&'static str, LearningState)> {
    vec![
        ("view B is 0", state(1, &[1.0], &[&[1.0, 0.5], &[0.0, 0.0]])),
        ("view A is 0", state(1, &[2.0, 0.5], &[&[0.0, 0.0], &[0.0, 0.0], &[0.5, 1.0], &[1.0, -1.0]])),
    ]
}

/// States whose noise directions differ in strength.
pub fn with_two_noise_strengths() -> Vec<(&'static str, LearningState)> {
    let columns: &[&[f64]] = &[&[1.0, 0.5], &[0.5, 0.0], &[0.0, 0.5], &[1.0, 0.0], &[-0.5, 0.25], &[0.25, 0.5]];
    vec![
        ("σ_ξ² = 1/2 and 2", state(1, &[1.0, 0.5, 2.0], columns)),
        ("σ_ξ² = 1/10 and 1", state(1, &[2.0, 0.1, 1.0], columns)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(x: Interval, y: f64) -> bool {
        (x - y).magnitude() < 1e-12
    }

    #[test]
    fn equalising_keeps_the_cosines_and_gives_view_b_the_norms_of_view_a() {
        for (name, s) in named() {
            let (gram, even): (GramState<Interval>, _) =
                (s.gram().expect("sizes fit"), s.equalised_gram().expect("sizes fit"));
            let d = s.latents();
            let cosine = |g: &GramState<Interval>, i: usize, j: usize| {
                g.gram().at(i, j) / (g.gram().at(i, i) * g.gram().at(j, j)).sqrt()
            };
            for i in 0..2 * d {
                assert!(near(even.gram().at(i, i) - gram.gram().at(i % d, i % d), 0.0), "{name}, column {i}");
                for j in 0..2 * d {
                    assert!(near(cosine(&even, i, j) - cosine(&gram, i, j), 0.0), "{name}, columns {i}, {j}");
                }
            }
        }
    }

    #[test]
    fn other_names_keep_norms_and_agreement() {
        for (name, s) in named() {
            let measured = |s: &LearningState| -> [Interval; 3] {
                let g: GramState<Interval> = s.gram().expect("sizes fit");
                let weighted = |k: usize| g.gram().at(k, k) * s.strengths[k % s.latents()];
                [
                    (0..2 * s.latents()).map(weighted).sum(),
                    g.normalisers().expect("outputs"),
                    g.agreement().expect("outputs"),
                ]
            };
            let start = measured(&s);
            for (change, other) in s.relabelled() {
                assert_eq!(other.validate(), Ok(()), "{name}, {change}");
                for (found, expected) in measured(&other).into_iter().zip(start) {
                    assert!(near(found - expected, 0.0), "{name}, {change}");
                }
            }
            for less in s.with_fewer().iter().filter(|less| less.signal > 0 && !less.columns[0].is_empty()) {
                assert_eq!(less.validate(), Ok(()), "{name}: {less:?}");
            }
        }
    }

    #[test]
    fn a_state_without_a_coordinate_loses_its_column_in_either_view() {
        let s = state(2, &[1.0, 3.0, 0.5], &[&[1.0], &[2.0], &[3.0], &[4.0], &[5.0], &[6.0]]);
        let smaller = s.with_fewer();
        let found = |k: usize| (smaller[k].signal, smaller[k].strengths.clone(), smaller[k].columns.concat());
        assert_eq!(found(0), (1, vec![3.0, 0.5], vec![2.0, 3.0, 5.0, 6.0]));
        assert_eq!(found(2), (2, vec![1.0, 3.0], vec![1.0, 2.0, 4.0, 5.0]));
        assert_eq!(smaller.len(), 4, "three coordinates and one row");
    }

    #[test]
    fn states_near_the_manifold_are_diagonal_up_to_their_distance() {
        let off = |epsilon: f64| -> f64 {
            let gram: GramState<Interval> = near_the_manifold(epsilon).gram().expect("sizes fit");
            let beside = pairs(0..6, 0..6).filter(|&(i, j)| i != j && !(i % 3 == j % 3 && i % 3 < 2));
            beside.map(|(i, j)| gram.gram().at(i, j).magnitude()).fold(0.0, f64::max)
        };
        assert_eq!(off(0.0), 0.0);
        let ratio = off(1.0 / 1024.0) / off(1.0 / 2048.0);
        assert!(off(1.0 / 1024.0) > 1e-4 && (ratio - 2.0).abs() < 0.02, "{ratio}");
    }

    #[test]
    fn families_of_exceptions_miss_what_they_are_there_to_miss() {
        assert!(named().iter().all(|(_, s)| s.has_columns() && s.has_one_noise_strength()));
        assert!(without_direction().iter().all(|(_, s)| !s.has_columns() && s.has_one_noise_strength()));
        assert!(with_two_noise_strengths().iter().all(|(_, s)| s.has_columns() && !s.has_one_noise_strength()));
    }
}
