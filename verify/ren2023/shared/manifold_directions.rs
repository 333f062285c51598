//! Diagonal states of the two views, and directions in which they leave the diagonal manifold (register families I6
//! and I7).

use enclosures::vectors::points;
use evidence::prelude::*;
use serde::{Deserialize, Serialize};
use two_view::{
    DiagonalLaw, DiagonalState, GramState, LatentSizes, MatrixBlock, Metrics, MultimodalError, Objective, Scalar,
    gram_velocity,
};

/// A state of the diagonal manifold, the parameters of the flow, and cosines c (to be multiplied by ε) between
/// columns that are orthogonal there.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(
    describe = Self::in_words, valid = Self::fits, simpler = Self::with_fewer_cosines, equivalents = Self::relabelled, stored
)]
pub struct ManifoldDirection {
    #[instance(length = "r in 1..=64", range = "1e-5..=1e5", scale = "logarithmic")]
    pub sigma_squared: Vec<f64>,
    #[instance(range = "1e-5..=1e5", scale = "logarithmic")]
    pub noise_squared: f64,
    /// Squared norms of the signal columns of both views.
    #[instance(length = "r", range = "1e-5..=1e5", scale = "logarithmic")]
    pub norms_a: Vec<f64>,
    #[instance(length = "r", range = "1e-5..=1e5", scale = "logarithmic")]
    pub norms_b: Vec<f64>,
    /// ρ_p.
    #[instance(length = "r", range = "-1..=1")]
    pub correlation: Vec<f64>,
    /// Squared norms of the noise columns of both views.
    #[instance(length = "q in 0..=63", range = "1e-5..=1e5", scale = "logarithmic")]
    pub noise_a: Vec<f64>,
    #[instance(length = "q", range = "1e-5..=1e5", scale = "logarithmic")]
    pub noise_b: Vec<f64>,
    #[instance(range = "0..=100")]
    pub tau_squared: f64,
    #[instance(range = "1e-5..=1e5", scale = "logarithmic")]
    pub negatives: f64,
    /// One for each pair i < j of the 2d columns [A | A_ξ | B | B_ξ] but the pairs ([K_A]_p, [K_B]_p), row by row; or
    /// none at all.
    #[instance(range = "-1..=1")]
    pub cosines: Vec<f64>,
}

impl ManifoldDirection {
    fn in_words(&self) -> String {
        let mut text = format!(
            "σ² = {:?}, ‖[K_A]_p‖² = {:?}, ‖[K_B]_p‖² = {:?}, ρ = {:?}, τ² = {}, K = {}",
            self.sigma_squared, self.norms_a, self.norms_b, self.correlation, self.tau_squared, self.negatives
        );
        if self.q() > 0 {
            text += &format!(", σ_ξ² = {}, noise {:?} and {:?}", self.noise_squared, self.noise_a, self.noise_b);
        }
        let column = |k: usize| {
            let (view, at) = (["A", "B"][k / self.d()], k % self.d());
            match at.checked_sub(self.r()) {
                None => format!("{view}_{}", at + 1),
                Some(noise) => format!("{view}_ξ{}", noise + 1),
            }
        };
        let moves = self.cosines.iter().any(|&c| c != 0.0);
        if moves && self.cosines.len() > 15 {
            // Too many to be named one by one.
            let columns: Vec<_> = (0..2 * self.d()).map(column).collect();
            text += &format!(
                ", cosines ∝ {:?} of the pairs of {}, each with the later ones, A_p with B_p left out",
                self.cosines,
                columns.join(", ")
            );
        } else if moves {
            let named = orthogonal_pairs(self.r(), self.d())
                .zip(&self.cosines)
                .filter(|(_, c)| **c != 0.0)
                .map(|((i, j), c)| format!("{} with {}: {c}", column(i), column(j)));
            text += &format!(", cosines ∝ {}", named.collect::<Vec<_>>().join(", "));
        }
        text
    }

    fn fits(&self) -> Result<(), String> {
        let (r, q) = (self.r(), self.q());
        if r + q > 64 {
            return Err(format!("r = {r}, q = {q}"));
        }
        if !self.cosines.is_empty() && self.cosines.len() != orthogonal_pairs(r, r + q).count() {
            return Err(format!("{} cosines", self.cosines.len()));
        }
        Ok(())
    }

    fn with_fewer_cosines(&self) -> Vec<Self> {
        let quiet = |k: usize| {
            let mut less = self.clone();
            less.cosines[k] = 0.0;
            less
        };
        let moving = |&k: &usize| self.cosines[k] != 0.0;
        (0..self.cosines.len()).filter(moving).map(quiet).collect()
    }

    /// The cosines where the column at k was at `from(k)`.
    fn cosines_from(&self, from: impl Fn(usize) -> usize) -> Vec<f64> {
        let (r, d) = (self.r(), self.d());
        let places: Vec<(usize, usize)> = orthogonal_pairs(r, d).collect();
        let at = |i: usize, j: usize| {
            let pair = (i.min(j), i.max(j));
            places.iter().position(|p| *p == pair).map_or(0.0, |k| self.cosines[k])
        };
        if self.cosines.is_empty() {
            return Vec::new();
        }
        places.iter().map(|&(i, j)| at(from(i), from(j))).collect()
    }

    /// The same state under other names of its coordinates.
    fn relabelled(&self) -> Vec<(&'static str, Self)> {
        let (r, d) = (self.r(), self.d());
        let back = |list: &[f64]| list.iter().rev().copied().collect::<Vec<_>>();
        let signals = ManifoldDirection {
            sigma_squared: back(&self.sigma_squared),
            norms_a: back(&self.norms_a),
            norms_b: back(&self.norms_b),
            correlation: back(&self.correlation),
            cosines: self.cosines_from(|k| if k % d < r { k / d * d + r - 1 - k % d } else { k }),
            ..self.clone()
        };
        let noise = ManifoldDirection {
            noise_a: back(&self.noise_a),
            noise_b: back(&self.noise_b),
            cosines: self.cosines_from(|k| if k % d < r { k } else { k / d * d + d - 1 - (k % d - r) }),
            ..self.clone()
        };
        let views = ManifoldDirection {
            norms_a: self.norms_b.clone(),
            norms_b: self.norms_a.clone(),
            noise_a: self.noise_b.clone(),
            noise_b: self.noise_a.clone(),
            cosines: self.cosines_from(|k| (k + d) % (2 * d)),
            ..self.clone()
        };
        vec![("signals in another order", signals), ("noise in another order", noise), ("views exchanged", views)]
    }
}

/// Pairs i < j of columns that are orthogonal on the manifold.
pub fn orthogonal_pairs(r: usize, d: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..2 * d).flat_map(move |i| (i + 1..2 * d).map(move |j| (i, j))).filter(move |&(i, j)| !(i < r && j == i + d))
}

impl ManifoldDirection {
    pub fn r(&self) -> usize {
        self.sigma_squared.len()
    }

    pub fn q(&self) -> usize {
        self.noise_a.len()
    }

    pub fn d(&self) -> usize {
        self.r() + self.q()
    }

    pub fn objective(&self) -> Objective {
        Objective::Contrastive { tau_squared: self.tau_squared, negatives: self.negatives }
    }

    pub fn has_equal_norms(&self) -> bool {
        self.norms_a == self.norms_b && self.noise_a == self.noise_b
    }

    /// The cosine of columns i and j, which are not a pair ([K_A]_p, [K_B]_p).
    pub fn cosine(&self, i: usize, j: usize) -> f64 {
        let wanted = (i.min(j), i.max(j));
        let at = orthogonal_pairs(self.r(), self.d()).position(|pair| pair == wanted);
        at.and_then(|k| self.cosines.get(k)).copied().unwrap_or(0.0)
    }

    /// The Gram matrix whose columns i and j that are orthogonal on the manifold have the cosine `cosine(i, j)`.
    pub fn gram_with<T: Scalar>(&self, cosine: impl Fn(usize, usize) -> T) -> Result<GramState<T>, MultimodalError> {
        let (r, d) = (self.r(), self.d());
        let norms: Vec<T> = [&self.norms_a, &self.noise_a, &self.norms_b, &self.noise_b]
            .into_iter()
            .flatten()
            .map(|&x| T::from(x))
            .collect();
        let entry = |i: usize, j: usize| {
            let (i, j) = (i.min(j), i.max(j));
            if i == j {
                return norms[i];
            }
            let length = if norms[i] == norms[j] { norms[i] } else { (norms[i] * norms[j]).sqrt() };
            if i < r && j == i + d { T::from(self.correlation[i]) * length } else { cosine(i, j) * length }
        };
        GramState::new(LatentSizes::new(r, self.q())?, MatrixBlock::from_fn(2 * d, 2 * d, entry))
    }

    /// The state at distance ε from the manifold, in the direction of the cosines.
    pub fn gram_at<T: Scalar>(&self, epsilon: T) -> Result<GramState<T>, MultimodalError> {
        self.gram_with(|i, j| epsilon * T::from(self.cosine(i, j)))
    }

    /// Whether the state at distance ε is certainly a Gram matrix: the cosines of each column with the others add up
    /// to less than 1 − |ρ| (Gershgorin, applied to the perturbation of the blocks with eigenvalues 1 ± ρ).
    pub fn is_definite_at(&self, epsilon: f64) -> bool {
        let columns = 0..2 * self.d();
        let row = |i: usize| -> f64 { columns.clone().filter(|&j| j != i).map(|j| self.cosine(i, j).abs()).sum() };
        let room = self.correlation.iter().map(|c| 1.0 - c.abs()).fold(1.0, f64::min);
        columns.clone().all(|i| 1.001 * epsilon.abs() * row(i) < room)
    }

    pub fn moved<T: Scalar>(&self, state: &GramState<T>) -> Result<GramState<T>, MultimodalError> {
        let metrics = Metrics::orthogonal(state.sizes(), &self.sigma_squared, self.noise_squared)?;
        gram_velocity(state, &metrics, self.objective())
    }

    pub fn law(&self) -> Result<DiagonalLaw, MultimodalError> {
        DiagonalLaw::new(self.sigma_squared.clone(), self.noise_squared, self.q())
    }

    pub fn diagonal(&self) -> DiagonalState<Interval> {
        let inner = |p: usize| {
            let (a, b) = (self.norms_a[p], self.norms_b[p]);
            let length = if a == b { Interval::point(a) } else { (Interval::point(a) * b).sqrt() };
            length * self.correlation[p]
        };
        DiagonalState {
            a: points(&self.norms_a),
            b: points(&self.norms_b),
            h: (0..self.r()).map(inner).collect(),
            noise_a: points(&self.noise_a),
            noise_b: points(&self.noise_b),
        }
    }
}

#[cfg(test)]
mod tests {
    use enclosures::linear_algebra::{IntervalMatrix, symmetric_eigenvalues};

    use super::*;
    use crate::shared::manifold_families::named_states;

    #[test]
    fn pairs_are_all_but_the_partners() {
        let list: Vec<(usize, usize)> = orthogonal_pairs(2, 3).collect();
        assert_eq!(list.len(), 6 * 5 / 2 - 2);
        assert!(!list.contains(&(0, 3)) && !list.contains(&(1, 4)) && list.contains(&(2, 5)));
        assert!(list.iter().all(|(i, j)| i < j) && list.is_sorted());
    }

    #[test]
    fn columns_have_the_norms_and_the_cosines_of_the_state() {
        for (name, s) in named_states() {
            let (r, d, epsilon) = (s.r(), s.d(), 0.125);
            let state = s.gram_at(Interval::point(epsilon)).expect("sizes fit");
            let at = |i: usize, j: usize| state.gram().at(i, j).midpoint();
            let norms = [&s.norms_a, &s.noise_a, &s.norms_b, &s.noise_b].map(|n| n.clone()).concat();
            let mut listed = s.cosines.iter();
            for (i, &norm) in norms.iter().enumerate() {
                assert_eq!(at(i, i), norm, "{name}");
                for j in i + 1..2 * d {
                    let expected = if i < r && j == i + d {
                        s.correlation[i]
                    } else {
                        epsilon * listed.next().expect("one for each pair")
                    };
                    let found = at(i, j) / (at(i, i) * at(j, j)).sqrt();
                    assert!((found - expected).abs() < 1e-14 && at(i, j) == at(j, i), "{name}: {i}, {j}");
                }
            }
            assert_eq!(listed.next(), None, "{name}");
        }
    }

    #[test]
    fn the_motion_of_the_manifold_itself_is_the_diagonal_law() {
        for (name, s) in named_states() {
            let found = s.moved(&s.gram_at(Interval::ZERO).expect("sizes fit")).expect("it moves");
            let expected = s.law().and_then(|law| law.velocity(&s.diagonal(), s.objective())).expect("it moves");
            let expected = expected.gram().expect("one column for each");
            for (x, y) in found.gram().entries().iter().zip(expected.gram().entries()) {
                assert!((*x - *y).magnitude() < 1e-11, "{name}: {x:?} {y:?}");
            }
        }
    }

    #[test]
    fn what_is_called_definite_has_positive_eigenvalues_only() {
        let (_, apart) = named_states().into_iter().find(|(name, _)| *name == "views apart").expect("it is named");
        let least = |epsilon: f64| {
            let state = apart.gram_at(Interval::point(epsilon)).expect("sizes fit");
            let block = state.gram();
            let matrix =
                IntervalMatrix::new(block.rows(), block.columns(), block.entries().to_vec()).expect("a matrix");
            symmetric_eigenvalues(&matrix).expect("symmetric").into_iter().reduce(Interval::min).expect("eigenvalues")
        };
        let largest = (1..=100).map(|k| f64::from(k) / 100.0).filter(|&e| apart.is_definite_at(e)).fold(0.0, f64::max);
        assert!(largest > 0.01 && least(largest).lo() > 0.0, "{largest}");
        assert!(least(1.0).hi() < 0.0 && !apart.is_definite_at(1.0) && !apart.is_definite_at(-1.0));
    }

    #[test]
    fn other_names_keep_the_pairs_that_meet() {
        for (name, s) in named_states() {
            let sizes = |s: &ManifoldDirection| {
                let state = s.gram_at(Interval::point(0.125)).expect("sizes fit");
                let moved = s.moved(&state).expect("it moves");
                (state.gram().squared_norm(), moved.gram().squared_norm())
            };
            let start = sizes(&s);
            for (change, other) in s.relabelled() {
                let found = sizes(&other);
                assert!((found.0 - start.0).magnitude() < 1e-10, "{name}, {change}");
                assert!((found.1 - start.1).magnitude() < 1e-9 * (1.0 + start.1.magnitude()), "{name}, {change}");
            }
        }
    }
}
