//! How norms and cosines of the columns move, and how far the contrastive motion can be from that of the positive pairs alone.
//!
//! With b = τ²B, B ≥ max |⟨f_A, f_B⟩|: the logit of S differs from −log K by at most 2b, hence S from 1/(1+K) by at most b/2, and
//! a tilt w from 1 by at most e^{2b} − 1. Therefore every entry of Q differs from its value at τ = 0 by at most r √(v_i v_j) e(b), where
//! v_i is the variance of latent coordinate i, and Q_0 by at most B e(b), with **e(b) = 2b + c_K (e^{2b} − 1)**. Nothing is
//! assumed of the state or of τ.

use enclosures::vectors::points;
use evidence::prelude::*;
use two_view::{FeatureSelection, GramState, MatrixBlock, Metrics, MultimodalError, Objective, View, rates_of};

use super::learning_states::LearningState;

/// A column of a view: 0..r signal, r..d noise.
pub type Column = (View, usize);

/// A state and its velocity.
pub struct LearningMotion {
    pub gram: GramState<Interval>,
    speed: MatrixBlock<Interval>,
    /// 𝐊' = 𝐊 R.
    pub rates: MatrixBlock<Interval>,
    strengths: Vec<Interval>,
    negatives: Interval,
    /// N_A².
    pub square_a: Interval,
    /// N_B².
    pub square_b: Interval,
    /// N_A N_B.
    pub both: Interval,
    /// Ψ.
    pub agreement: Interval,
}

impl LearningMotion {
    fn new(
        state: &LearningState,
        gram: GramState<Interval>,
        selection: impl FnOnce(&GramState<Interval>) -> Result<FeatureSelection<Interval>, MultimodalError>,
    ) -> Result<Self, MultimodalError> {
        let metrics: Metrics<Interval> = state.metrics()?;
        let rates = rates_of(&gram, &metrics, &selection(&gram)?)?;
        let half = gram.gram().product(&rates)?;
        Ok(LearningMotion {
            speed: half.plus(&half.transpose())?,
            rates,
            strengths: points(&state.strengths),
            negatives: Interval::point(state.negatives),
            square_a: gram.normaliser_squared(View::A)?,
            square_b: gram.normaliser_squared(View::B)?,
            both: gram.normalisers()?,
            agreement: gram.agreement()?,
            gram,
        })
    }

    /// The motion at τ = 0, from all latent states.
    pub fn cold(state: &LearningState) -> Result<Self, MultimodalError> {
        Self::new(state, state.gram()?, |g| FeatureSelection::enumerated(g, 0.0, state.negatives))
    }

    /// The motion at τ = 0 after every column of view B got the norm of its partner.
    pub fn equalised(state: &LearningState) -> Result<Self, MultimodalError> {
        Self::new(state, state.equalised_gram()?, |g| FeatureSelection::enumerated(g, 0.0, state.negatives))
    }

    /// The motion at the state's own temperature.
    pub fn warm(state: &LearningState) -> Result<Self, MultimodalError> {
        Self::new(state, state.gram()?, |g| FeatureSelection::enumerated(g, state.tau_squared, state.negatives))
    }

    /// The motion under the non-contrastive loss.
    pub fn positive_pairs(state: &LearningState) -> Result<Self, MultimodalError> {
        Self::new(state, state.gram()?, |g| FeatureSelection::of(g, Objective::NonContrastive))
    }

    fn index(&self, (view, k): Column) -> usize {
        view as usize * self.latents() + k
    }

    pub fn latents(&self) -> usize {
        self.strengths.len()
    }

    pub fn signal(&self) -> usize {
        self.gram.sizes().signal()
    }

    /// All columns of both views.
    pub fn columns(&self) -> Vec<Column> {
        let d = self.latents();
        (0..2 * d).map(|k| (if k < d { View::A } else { View::B }, k % d)).collect()
    }

    /// The columns 0..r of both views.
    pub fn signal_columns(&self) -> Vec<Column> {
        self.columns().into_iter().filter(|c| c.1 < self.signal()).collect()
    }

    /// The columns r..d of both views.
    pub fn noise_columns(&self) -> Vec<Column> {
        self.columns().into_iter().filter(|c| c.1 >= self.signal()).collect()
    }

    /// σ_p² or σ_ξ².
    pub fn strength(&self, k: usize) -> Interval {
        self.strengths[k]
    }

    /// c_K = 2K/(1+K).
    pub fn factor(&self) -> Interval {
        2.0 * self.negatives / (1.0 + self.negatives)
    }

    /// N_A² or N_B².
    pub fn square(&self, view: View) -> Interval {
        match view {
            View::A => self.square_a,
            View::B => self.square_b,
        }
    }

    /// Squared norm of a column.
    pub fn squared_norm(&self, x: Column) -> Interval {
        self.gram.squared_norm(x.0, x.1)
    }

    /// Norm of a column.
    pub fn norm(&self, x: Column) -> Interval {
        self.squared_norm(x).sqrt()
    }

    pub fn inner(&self, x: Column, y: Column) -> Interval {
        self.gram.inner(x, y)
    }

    /// d/dt of the squared norm.
    pub fn squared_norm_rate(&self, x: Column) -> Interval {
        self.speed.at(self.index(x), self.index(x))
    }

    /// d/dt log of the squared norm.
    pub fn log_rate(&self, x: Column) -> Interval {
        self.squared_norm_rate(x) / self.squared_norm(x)
    }

    pub fn cosine(&self, x: Column, y: Column) -> Interval {
        self.inner(x, y) / (self.norm(x) * self.norm(y))
    }

    /// d/dt of the cosine.
    pub fn cosine_rate(&self, x: Column, y: Column) -> Interval {
        let radial = 0.5 * (self.log_rate(x) + self.log_rate(y));
        self.speed.at(self.index(x), self.index(y)) / (self.norm(x) * self.norm(y)) - self.cosine(x, y) * radial
    }

    /// ρ_p.
    pub fn correlation(&self, p: usize) -> Interval {
        self.cosine((View::A, p), (View::B, p))
    }

    /// c_K σ_p²/(N_A N_B).
    pub fn pull(&self, p: usize) -> Interval {
        self.factor() * self.strength(p) / self.both
    }

    /// c_{A,p} or c_{B,p}: the pull times the partner's norm over the own.
    pub fn pull_on(&self, x: Column) -> Interval {
        self.pull(x.1) * self.norm((x.0.other(), x.1)) / self.norm(x)
    }

    /// A bound of every summand in the relative velocity of a column, against which rounding errors are small.
    pub fn pace(&self, x: Column) -> f64 {
        let partners: Interval = (0..self.latents()).map(|k| self.norm((x.0.other(), k))).sum();
        let share = self.signal_share(x.1);
        let sum = partners / (self.norm(x) * self.both) + share / self.square(x.0);
        (4.0 * self.strength(x.1) * sum).magnitude()
    }

    /// A bound of every summand in the velocity of a column, also of one that is 0.
    pub fn speed_scale(&self, x: Column) -> f64 {
        let partners: Interval = (0..self.latents()).map(|k| self.norm((x.0.other(), k))).sum();
        let share = self.signal_share(x.1);
        let sum = partners / self.both + share * self.norm(x) / self.square(x.0);
        (4.0 * self.strength(x.1) * sum).magnitude()
    }

    /// r v_k: one for a signal, r/q for a noise coordinate.
    pub fn signal_share(&self, k: usize) -> Interval {
        Interval::point(self.signal() as f64) * self.variance(k)
    }

    fn variance(&self, k: usize) -> Interval {
        self.gram.sizes().variance::<Interval>(k)
    }

    /// B = Σ √(v_i v_j) |C_ij| ≥ max |⟨f_A, f_B⟩|.
    pub fn largest_similarity(&self) -> Interval {
        let d = self.latents();
        let term = |i: usize, j: usize| {
            self.inner((View::A, i), (View::B, j)).abs() / self.both * (self.variance(i) * self.variance(j)).sqrt()
        };
        pairs(0..d, 0..d).map(|(i, j)| term(i, j)).sum()
    }

    /// e(b) at b = τ²B.
    pub fn selection_error(&self, tau_squared: f64) -> Interval {
        let b = self.largest_similarity() * tau_squared;
        2.0 * b + self.factor() * (2.0 * b).exp_m1()
    }

    /// Bound of what τ adds to d/dt log ‖x‖².
    pub fn radial_error(&self, x: Column, tau_squared: f64) -> Interval {
        let others: Interval =
            (0..self.latents()).map(|k| self.inner(x, (x.0.other(), k)).abs() * self.variance(k).sqrt()).sum();
        let r = Interval::point(self.signal() as f64);
        let pulled = r * self.variance(x.1).sqrt() * others / (self.both * self.squared_norm(x));
        let shrunk = self.signal_share(x.1) * self.largest_similarity() / self.square(x.0);
        2.0 * self.strength(x.1) * self.selection_error(tau_squared) * (pulled + shrunk)
    }

    /// Σ √v_j‖x_j‖ over the columns x_j of the other view.
    fn weighted_partners(&self, x: Column) -> Interval {
        (0..self.latents()).map(|k| self.norm((x.0.other(), k)) * self.variance(k).sqrt()).sum()
    }

    /// Bound of the norm of what τ adds to the velocity of the unit vector of x.
    pub fn tangential_error(&self, x: Column, tau_squared: f64) -> Interval {
        let r = Interval::point(self.signal() as f64);
        let pulled = r * self.variance(x.1).sqrt() * self.weighted_partners(x) / (self.both * self.norm(x));
        self.strength(x.1) * self.selection_error(tau_squared) * pulled
    }

    /// Bound of the norm of what τ adds to the velocity of the column x itself, also where x = 0.
    pub fn velocity_error(&self, x: Column, tau_squared: f64) -> Interval {
        let r = Interval::point(self.signal() as f64);
        let pulled = r * self.variance(x.1).sqrt() * self.weighted_partners(x) / self.both;
        let shrunk = self.signal_share(x.1) * self.largest_similarity() * self.norm(x) / self.square(x.0);
        self.strength(x.1) * self.selection_error(tau_squared) * (pulled + shrunk)
    }
}

#[cfg(test)]
mod tests {
    use enclosures::vectors::{norm, sum_of_products, sum_of_squares};

    use super::*;
    use crate::shared::learning_states::{named, state};

    fn close(a: f64, b: f64, scale: f64) -> bool {
        (a - b).abs() < 1e-7 * (1.0 + scale)
    }

    /// The columns a little later and a little earlier, from 𝐊' = 𝐊R alone.
    #[test]
    fn norms_and_cosines_move_with_the_columns() {
        for (name, s) in named() {
            let motion = LearningMotion::warm(&s).expect("it moves");
            let n = s.columns.len();
            let drift = |j: usize, row: usize| -> f64 {
                (0..n).map(|k| s.columns[k][row] * motion.rates.at(k, j).midpoint()).sum()
            };
            let moved = |j: usize, by: f64| -> Vec<f64> {
                let entries = s.columns[j].iter().enumerate();
                entries.map(|(row, x)| x + by * drift(j, row)).collect()
            };
            let step = 1e-5;
            let slope = |f: &dyn Fn(f64) -> f64| (f(step) - f(-step)) / (2.0 * step);
            let all = motion.columns();
            for (i, &x) in all.iter().enumerate() {
                let square = |by: f64| sum_of_squares(&moved(i, by));
                let pace = motion.pace(x);
                let rate = slope(&|by| core_math::log(square(by)));
                assert!(close(motion.log_rate(x).midpoint(), rate, pace), "{name}, column {i}");
                assert!(rate.abs() <= 2.0 * pace, "{name}, column {i}");
                for (j, &y) in all.iter().enumerate().skip(i + 1) {
                    let cosine = |by: f64| {
                        sum_of_products(&moved(i, by), &moved(j, by))
                            / (square(by) * sum_of_squares(&moved(j, by))).sqrt()
                    };
                    assert!(close(motion.cosine(x, y).midpoint(), cosine(0.0), 0.0), "{name}, columns {i}, {j}");
                    let found = motion.cosine_rate(x, y).midpoint();
                    let size = pace + motion.pace(y);
                    assert!(close(found, slope(&cosine), size), "{name}, columns {i}, {j}");
                }
            }
        }
    }

    #[test]
    fn the_cold_motion_is_that_of_the_positive_pairs_times_its_constant() {
        for (name, s) in named() {
            let cold = LearningMotion::cold(&s).expect("it moves");
            let pairs = LearningMotion::positive_pairs(&s).expect("it moves");
            let expected = 2.0 * s.negatives / (1.0 + s.negatives);
            assert!((cold.factor() - expected).magnitude() < 1e-14);
            for (c, p) in cold.rates.entries().iter().zip(pairs.rates.entries()) {
                assert!((*c - *p * expected).magnitude() < 1e-11 * (1.0 + p.magnitude()), "{name}");
            }
        }
    }

    /// What τ adds to the velocity of a column: all of it, and the part that turns the column.
    #[test]
    fn no_temperature_turns_a_column_further_than_the_bound() {
        for (name, s) in named() {
            let cold = LearningMotion::cold(&s).expect("it moves");
            let warm = LearningMotion::warm(&s).expect("it moves");
            for (i, x) in cold.columns().into_iter().enumerate() {
                let own = &s.columns[i];
                let added = |row: usize| -> f64 {
                    let rate = |k: usize| (warm.rates.at(k, i) - cold.rates.at(k, i)).midpoint();
                    (0..s.columns.len()).map(|k| s.columns[k][row] * rate(k)).sum()
                };
                let added: Vec<f64> = (0..own.len()).map(added).collect();
                let (square, along) = (sum_of_squares(own), sum_of_products(own, &added));
                let whole = norm(&added);
                let across = (sum_of_squares(&added) - along * along / square).max(0.0).sqrt();
                assert!(whole <= cold.velocity_error(x, s.tau_squared).hi(), "{name}, {x:?}");
                assert!(across <= cold.tangential_error(x, s.tau_squared).hi() * square.sqrt() + 1e-9, "{name}, {x:?}");
            }
        }
    }

    #[test]
    fn no_temperature_moves_a_norm_further_than_the_bound() {
        for (name, s) in named() {
            let (warm, cold) =
                (LearningMotion::warm(&s).expect("it moves"), LearningMotion::cold(&s).expect("it moves"));
            for x in warm.columns() {
                let added = (warm.log_rate(x) - cold.log_rate(x)).abs();
                assert!(added.lo() <= cold.radial_error(x, s.tau_squared).hi(), "{name}, {x:?}");
            }
        }
        // One aligned signal has ⟨f_A, f_B⟩ = ±1: e(b) = 2b + 4/3(e^{2b} − 1) at K = 2 and b = 1/4.
        let aligned = LearningMotion::cold(&state(1, &[1.0], &[&[2.0, 0.0], &[1.0, 0.0]])).expect("it moves");
        assert!((aligned.largest_similarity() - 1.0).magnitude() < 1e-14);
        let expected = 0.5 + 4.0 / 3.0 * core_math::expm1(0.5);
        assert!((aligned.selection_error(0.25) - expected).magnitude() < 1e-13);
        // Lengths 2 and 1, N_A² = 4 and N_A N_B = 2: e(b) times 2(1/4 + 1/4), 1/(2·2) and 2/4 + 2/4.
        let errors = [
            (aligned.radial_error((View::A, 0), 0.25), 1.0),
            (aligned.tangential_error((View::A, 0), 0.25), 0.25),
            (aligned.velocity_error((View::A, 0), 0.25), 1.0),
        ];
        for (found, factor) in errors {
            assert!((found - factor * expected).magnitude() < 1e-13, "{found:?} {factor}");
        }
        // ‖[K_B]_1‖/‖[K_A]_1‖ = ½ and c_K σ²/(N_A N_B) = (4/3)/2.
        assert!((aligned.pull_on((View::A, 0)) - 1.0 / 3.0).magnitude() < 1e-14);
    }
}
