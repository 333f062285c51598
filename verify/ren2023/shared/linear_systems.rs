//! Matrices of the linear systems of Lemmas C.10, C.11 and C.13, differentiated from the velocity itself.

use enclosures::interval::{Dual, Interval};
use two_view::MultimodalError;

use super::manifold_directions::ManifoldDirection;
use super::rates_off_manifold::cosine_rate;

/// The matrix J of d/dt (x_1, .., x_N) = J x to first order, x_k the cosine of the k-th pair of columns; all other
/// cosines are zero.
pub fn linear_system<const N: usize>(
    s: &ManifoldDirection,
    pairs: [(usize, usize); N],
) -> Result<[[Interval; N]; N], MultimodalError> {
    let variables = Dual::variables([Interval::ZERO; N]);
    let zero = Dual::constant(Interval::ZERO);
    let state = s.gram_with(|i, j| pairs.iter().position(|&p| p == (i, j)).map_or(zero, |k| variables[k]))?;
    let moved = s.moved(&state)?;
    Ok(pairs.map(|(i, j)| cosine_rate(&state, &moved, i, j).slopes))
}

/// x^T J x.
pub fn quadratic<const N: usize>(j: &[[Interval; N]; N], x: [f64; N]) -> Interval {
    let row = |i: usize| -> Interval { (0..N).map(|k| j[i][k] * x[k]).sum() };
    (0..N).map(|i| row(i) * x[i]).sum()
}

/// A 2x2 block of a linear system.
#[derive(Clone, Copy)]
pub struct Plane(pub [[Interval; 2]; 2]);

impl Plane {
    pub fn trace(self) -> Interval {
        self.0[0][0] + self.0[1][1]
    }

    pub fn determinant(self) -> Interval {
        self.0[0][0] * self.0[1][1] - self.0[0][1] * self.0[1][0]
    }

    /// The determinant of the symmetric part: with a negative trace it is at least 0 exactly if the energy never grows.
    pub fn symmetric_determinant(self) -> Interval {
        self.0[0][0] * self.0[1][1] - ((self.0[0][1] + self.0[1][0]) / 2.0).square()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_invariants_of_a_plane_are_those_of_its_matrix() {
        let plane = Plane([[1.0, 2.0], [3.0, 4.0]].map(|row| row.map(Interval::point)));
        assert!(plane.trace().contains(5.0) && plane.determinant().contains(-2.0));
        assert!(plane.symmetric_determinant().contains(-2.25));
    }

    #[test]
    fn a_quadratic_form_is_summed_over_rows_and_columns() {
        let form = [[2.0, 1.0], [-3.0, 5.0]].map(|row| row.map(Interval::point));
        // 2·1 + (1 − 3)·(−2) + 5·4
        assert!(quadratic(&form, [1.0, -2.0]).contains(26.0));
    }
}
