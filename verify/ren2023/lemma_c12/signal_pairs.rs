//! The linear system of the cosines of two signals at an aligned state (Lemmas C.10 to C.12), and states to try it on.

use std::error::Error;

use evidence::prelude::*;

use crate::shared::linear_systems::{Plane, linear_system};
use crate::shared::manifold_directions::ManifoldDirection;
use crate::shared::manifold_families::aligned;
use crate::shared::rates_off_manifold::Base;

/// J for the pair (0, 1) of signals, and the coefficients of the lemmas.
pub(super) struct System {
    /// In the order AA, BB, AB, BA.
    pub(super) j: [[Interval; 4]; 4],
    pub(super) base: Base,
    pub(super) pull: [Interval; 2],
    /// h_1, h_2.
    pub(super) h: [Interval; 2],
    /// τ²κ_pκ_s/(rN²).
    pub(super) coupling: Interval,
}

pub(super) fn columns(s: &ManifoldDirection) -> [(usize, usize); 4] {
    let d = s.d();
    [(0, 1), (d, d + 1), (0, d + 1), (1, d)]
}

pub(super) fn pattern(s: &ManifoldDirection) -> [f64; 4] {
    columns(s).map(|(i, j)| s.cosine(i, j))
}

pub(super) fn system(s: &ManifoldDirection) -> Result<System, Box<dyn Error + Send + Sync>> {
    if s.r() < 2 {
        return Err("a pair takes two signals".into());
    }
    let base = s.base()?;
    let n = base.normalisers;
    let (k0, k1) = (base.alpha[0], base.alpha[1]);
    Ok(System {
        j: linear_system(s, columns(s))?,
        pull: [base.pull_a(s, 0), base.pull_a(s, 1)],
        h: [k1 * s.sigma_squared[0] / (k0 * n), k0 * s.sigma_squared[1] / (k1 * n)],
        coupling: k0 * k1 * s.tau_squared / (n * s.r() as f64),
        base,
    })
}

impl System {
    /// J on AA = ±BB = X, AB = ±BA = Y.
    pub(super) fn plane(&self, sign: f64) -> Plane {
        let entry = |row: usize, column: usize| {
            let ones = [1.0, sign];
            let terms = (0..4).map(|k| self.j[2 * row + k / 2][2 * column + k % 2] * (ones[k / 2] * ones[k % 2]));
            terms.sum::<Interval>() / 2.0
        };
        Plane([[entry(0, 0), entry(0, 1)], [entry(1, 0), entry(1, 1)]])
    }

    /// The largest |entry| of J, from which the determinants of its blocks are what is left over.
    pub(super) fn largest_entry(&self) -> Interval {
        let entries = self.j.iter().flatten();
        Interval::point(entries.map(|x| x.magnitude()).fold(0.0, f64::max))
    }

    /// G₊ or G₋: (1−S̄)[S̄(2−T_p−T_s)² + 2−T_p²−T_s²], with (T_p−T_s)² in the second.
    pub(super) fn g(&self, sign: f64) -> Interval {
        let (t0, t1) = (self.base.tanh[0], self.base.tanh[1]);
        let square = if sign > 0.0 { (2.0 - t0 - t1).square() } else { (t0 - t1).square() };
        self.base.by.rest * (self.base.share() * square + 2.0 - t0.square() - t1.square())
    }

    /// H.
    pub(super) fn decay(&self) -> Interval {
        (self.h[0] + self.h[1]) * self.coupling * self.g(1.0)
    }

    pub(super) fn stable(&self, plane: Plane) -> Evaluation {
        all_of([("trace", less_than(plane.trace(), 0)), ("determinant", greater_than(plane.determinant(), 0))])
    }

    /// The plane with the terms of Q_1 reversed: those of the pulls alone, twice, minus the plane.
    pub(super) fn reversed(&self, sign: f64) -> Plane {
        let [p, s] = self.pull;
        let pulls =
            if sign > 0.0 { [[-(p + s), p + s], [p + s, -(p + s)]] } else { [[-(p + s), s - p], [s - p, -(p + s)]] };
        let plane = self.plane(sign).0;
        Plane([0, 1].map(|i| [0, 1].map(|k| 2.0 * pulls[i][k] - plane[i][k])))
    }
}

pub(super) fn with_pattern(mut s: ManifoldDirection, x: [f64; 4]) -> ManifoldDirection {
    s.cosines = match s.r() {
        // Pairs of two signals without noise: (0,1), (0,3), (1,2), (2,3).
        2 if s.q() == 0 => vec![x[0], x[2], x[3], x[1]],
        _ => s.cosines,
    };
    s
}

pub(super) const EQUAL: [f64; 4] = [1.0; 4];
pub(super) const OPPOSITE: [f64; 4] = [1.0, -1.0, 0.0, 0.0];

pub(super) fn patterns() -> Vec<(&'static str, ManifoldDirection)> {
    let two =
        |sigma: [f64; 2], kappa: [f64; 2], tau, k, x| with_pattern(aligned(&sigma, &kappa, (1.0, &[]), tau, k), x);
    vec![
        ("equal cosines", two([2.0, 1.0], [1.5, 0.5], 1.0, 1.0, EQUAL)),
        ("equal cosines, equal norms", two([1.0, 1.0], [1.0, 1.0], 2.0, 2.0, EQUAL)),
        ("equal cosines, small τ²", two([1.0, 3.0], [1.0, 2.0], 0.01, 0.5, EQUAL)),
        ("equal cosines, τ² = 7", two([1.0, 1.0], [1.0, 1.2], 7.0, 0.5, EQUAL)),
        ("antisymmetric", two([2.0, 1.0], [1.5, 0.5], 1.0, 1.0, OPPOSITE)),
        ("one large κ", two([1.0, 1.0], [4.0, 0.5], 4.0, 1.0, [1.0, -1.0, 0.5, -0.5])),
        ("one large κ, weak signal", two([0.5, 3.0], [4.0, 0.5], 4.0, 1.0, [1.0, -1.0, 0.6, -0.6])),
        ("equal κ, σ² = (20, 1), x = 1", two([20.0, 1.0], [1.0, 1.0], 2.0, 1.0, [1.0, -1.0, -0.6, 0.6])),
        ("equal κ, σ² = (30, 1), x = 1", two([30.0, 1.0], [1.0, 1.0], 2.0, 1.0, [1.0, -1.0, -0.6, 0.6])),
        ("equal κ, σ² = (5, 1), x = 1", two([5.0, 1.0], [1.0, 1.0], 2.0, 1.0, [1.0, -1.0, -0.6, 0.6])),
        ("three signals", aligned(&[1.0, 2.0, 0.5], &[2.0, 1.0, 0.3], (1.0, &[]), 2.0, 1.0)),
        ("two signals, one noise", aligned(&[1.0, 2.0], &[2.0, 1.0], (0.4, &[0.2]), 2.0, 1.0)),
    ]
}
