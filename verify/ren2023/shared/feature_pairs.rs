//! Features K_A, K_{A,ξ}, K_B, K_{B,ξ} given directly: all that scores depend on, and singular values of their
//! blocks.

use enclosures::linear_algebra::{IntervalMatrix, SingularValues};
use enclosures::vectors::sum_of_products;
use evidence::prelude::*;
use proptest::collection::vec;
use proptest::sample::select;
use proptest::strategy::{Just, Strategy};
use serde::{Deserialize, Serialize};
use two_view::{Features, GramState, LatentSizes, MatrixBlock, View, signs};

/// 2^{−k}, exactly.
pub fn half_to(k: usize) -> f64 {
    1.0 / (1u64 << k) as f64
}

/// Rows of [K_A | K_{A,ξ}] and of [K_B | K_{B,ξ}].
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, valid = Self::fits, equivalents = Self::relabelled, stored)]
pub struct FeaturePair {
    #[instance(range = "1..=8")]
    pub signal: usize,
    #[instance(range = "0..=5")]
    pub noise: usize,
    #[instance(range = "-1e4..=1e4")]
    pub rows: [Vec<Vec<f64>>; 2],
}

impl FeaturePair {
    fn in_words(&self) -> String {
        let (r, q) = (self.signal, self.noise);
        format!("r = {r}, q = {q}, [K_A | K_Aξ] = {:?}, [K_B | K_Bξ] = {:?}", self.rows[0], self.rows[1])
    }

    fn fits(&self) -> Result<(), String> {
        let d = self.signal + self.noise;
        if d > 8 || (self.noise > 0 && d > 5) {
            return Err("the sizes are beyond r + q = 5 (8 without noise)".into());
        }
        if !(1..=12).contains(&self.rows[0].len()) {
            return Err("the width is not between 1 and 12".into());
        }
        match self.rows.iter().flatten().find(|row| row.len() != d) {
            Some(row) => Err(format!("a row has length {} where r + q = {d}", row.len())),
            None => Ok(()),
        }
    }

    /// The same features under other names and signs of their coordinates.
    fn relabelled(&self) -> Vec<(&'static str, Self)> {
        let r = self.signal;
        let of = |rows: [Vec<Vec<f64>>; 2]| FeaturePair { rows, ..self.clone() };
        let each = |change: &dyn Fn(&Vec<f64>) -> Vec<f64>| {
            of(self.rows.clone().map(|view| view.iter().map(change).collect()))
        };
        let [a, b] = self.rows.clone();
        let signals = |row: &Vec<f64>| row[..r].iter().rev().chain(&row[r..]).copied().collect();
        let negated = |row: &Vec<f64>| std::iter::once(-row[0]).chain(row[1..].iter().copied()).collect();
        vec![
            ("features turned", of(self.rows.clone().map(|view| view.into_iter().rev().collect()))),
            ("signals in another order", each(&signals)),
            ("a signal negated", each(&negated)),
            ("views exchanged", of([b, a])),
        ]
    }

    pub fn new(signal: usize, a: &[&[f64]], b: &[&[f64]]) -> Self {
        let rows = |w: &[&[f64]]| w.iter().map(|row| row.to_vec()).collect::<Vec<_>>();
        let noise = a[0].len() - signal;
        FeaturePair { signal, noise, rows: [rows(a), rows(b)] }
    }

    /// K_A = K_B.
    pub fn same(signal: usize, rows: &[&[f64]]) -> Self {
        Self::new(signal, rows, rows)
    }

    /// K_A = K_B with orthogonal columns of these squared norms' roots.
    pub fn diagonal(signal: usize, norms: &[f64]) -> Self {
        let d = norms.len();
        let rows: Vec<Vec<f64>> =
            (0..d).map(|i| (0..d).map(|j| if i == j { norms[i] } else { 0.0 }).collect()).collect();
        FeaturePair { signal, noise: d - signal, rows: [rows.clone(), rows] }
    }

    pub fn view(&self, view: View) -> MatrixBlock<Interval> {
        let rows = &self.rows[view as usize];
        MatrixBlock::from_fn(rows.len(), self.signal + self.noise, |i, j| Interval::point(rows[i][j]))
    }

    pub fn state(&self) -> Result<GramState<Interval>, MeasureError> {
        let sizes = LatentSizes::new(self.signal, self.noise)?;
        Ok(Features::new(sizes, self.view(View::A).beside(&self.view(View::B))?)?.gram())
    }

    pub fn has_outputs(&self) -> bool {
        self.state().is_ok_and(|s| {
            [View::A, View::B].into_iter().all(|v| s.normaliser_squared(v).is_ok_and(|n: Interval| n.lo() > 1e-8))
        })
    }

    /// The signal block K, or the noise block, over N; none if the block is empty.
    fn normalised(&self, view: View, noise: bool) -> Result<Option<MatrixBlock<Interval>>, MeasureError> {
        let (r, d) = (self.signal, self.signal + self.noise);
        let (from, to) = if noise { (r, d) } else { (0, r) };
        let norm = self.state()?.normaliser_squared(view)?.sqrt();
        Ok((from < to).then(|| self.view(view).columns_between(from, to).scaled(Interval::ONE / norm)))
    }

    /// Singular values of K̃ = K/N, the largest first, as many as r (zeros added if m < r).
    pub fn signal_values(&self, view: View) -> Result<Vec<Interval>, MeasureError> {
        let block = self.normalised(view, false)?;
        let mut values = match block {
            Some(block) => singular_values(&block)?,
            None => Vec::new(),
        };
        values.resize(self.signal, Interval::ZERO);
        Ok(values)
    }

    /// ‖K_ξ‖_2/N, zero without noise.
    pub fn noise_norm(&self, view: View) -> Result<Interval, MeasureError> {
        match self.normalised(view, true)? {
            Some(block) => Ok(singular_values(&block)?.first().copied().unwrap_or(Interval::ZERO)),
            None => Ok(Interval::ZERO),
        }
    }

    /// ‖K̃_A − K̃_B‖_2.
    pub fn signal_gap(&self) -> Result<Interval, MeasureError> {
        if self.rows[0] == self.rows[1] {
            return Ok(Interval::ZERO);
        }
        let (Some(a), Some(b)) = (self.normalised(View::A, false)?, self.normalised(View::B, false)?) else {
            return Ok(Interval::ZERO);
        };
        let difference = a.plus(&b.scaled(-Interval::ONE))?;
        Ok(singular_values(&difference)?.first().copied().unwrap_or(Interval::ZERO))
    }

    /// f at every latent state of a view.
    pub fn outputs(&self, view: View) -> Result<Vec<Vec<Interval>>, MeasureError> {
        let (d, k) = (self.signal + self.noise, self.view(view));
        let state = self.state()?;
        let norm = state.normaliser_squared(view)?.sqrt();
        let latent = |s: usize| -> Vec<Interval> {
            let roots = (0..d).map(|j| state.sizes().variance::<Interval>(j).sqrt());
            roots.zip(signs(d, s)).map(|(root, sign)| root * sign).collect()
        };
        let output = |s: usize| -> Vec<Interval> {
            let u = latent(s);
            (0..k.rows()).map(|i| sum_of_products(k.row(i), &u) / norm).collect()
        };
        Ok((0..1usize << d).map(output).collect())
    }
}

fn singular_values(block: &MatrixBlock<Interval>) -> Result<Vec<Interval>, MeasureError> {
    let matrix = IntervalMatrix::new(block.rows(), block.columns(), block.entries().to_vec())?;
    Ok(SingularValues::of(&matrix)?.values().to_vec())
}

/// All 2×2 matrices with entries from −3 to 3 that no change of signs or order of rows reduces to another one listed.
fn small_integer_matrices() -> Vec<(String, FeaturePair)> {
    let mut list = Vec::new();
    for a in 0..=3i32 {
        for b in -3..=3i32 {
            for c in 0..=a {
                for d in -3..=3i32 {
                    let rows = [[a.into(), b.into()], [c.into(), d.into()]];
                    let pair = FeaturePair::same(2, &[&rows[0], &rows[1]]);
                    list.push((format!("K = {rows:?}"), pair));
                }
            }
        }
    }
    list
}

fn named() -> Vec<(&'static str, FeaturePair)> {
    let identity: &[&[f64]] = &[&[1.0, 0.0], &[0.0, 1.0]];
    let noisy: &[&[f64]] = &[&[1.0, 0.0, 5.0], &[0.0, 1.0, 0.0]];
    let e = |a: &[&[f64]], b: &[&[f64]]| FeaturePair::new(2, a, b);
    vec![
        ("I₂", FeaturePair::same(2, identity)),
        ("I₂ and −I₂", e(identity, &[&[-1.0, 0.0], &[0.0, -1.0]])),
        ("I₂ and a quarter turn", e(identity, &[&[0.0, -1.0], &[1.0, 0.0]])),
        ("[1 1]", FeaturePair::same(2, &[&[1.0, 1.0]])),
        ("[3 1; 0 1]", FeaturePair::same(2, &[&[3.0, 1.0], &[0.0, 1.0]])),
        ("strong noise along a signal", FeaturePair::same(2, noisy)),
        ("one signal", FeaturePair::same(1, &[&[1.0]])),
        ("K_A = 100 K_B", e(&[&[100.0, 0.0], &[0.0, 100.0]], identity)),
        ("diag(10, 1)", FeaturePair::diagonal(2, &[10.0, 1.0])),
        ("diag(10, 1, 1)", FeaturePair::diagonal(3, &[10.0, 1.0, 1.0])),
        ("diag(5/4, 1, 1)", FeaturePair::diagonal(3, &[1.25, 1.0, 1.0])),
        ("diag(6/5, 1, 1, 1)", FeaturePair::diagonal(4, &[1.2, 1.0, 1.0, 1.0])),
        ("diag(3/2, 1, 1, 1, 1)", FeaturePair::diagonal(5, &[1.5, 1.0, 1.0, 1.0, 1.0])),
        ("I₃", FeaturePair::diagonal(3, &[1.0, 1.0, 1.0])),
        ("I₄ and a little noise in B", {
            let rows = |noise: f64| -> Vec<Vec<f64>> {
                (0..4)
                    .map(|i| {
                        (0..5)
                            .map(|j| {
                                if j == i {
                                    1.0
                                } else if j == 4 {
                                    noise / (1 << i) as f64
                                } else {
                                    0.0
                                }
                            })
                            .collect()
                    })
                    .collect()
            };
            FeaturePair { signal: 4, noise: 1, rows: [rows(0.0), rows(1.0 / 64.0)] }
        }),
        (
            "noise only in B, distinct lengths",
            e(
                &[&[1.0, 0.0, 0.0, 0.0], &[0.0, 1.0, 0.0, 0.0]],
                &[&[1.0, 0.0, 0.015625, 0.00390625], &[0.0, 1.0, 0.00732421875, 0.001220703125]],
            ),
        ),
        ("one signal, a little noise in B", FeaturePair::new(1, &[&[1.0, 0.0]], &[&[1.0, 0.0625]])),
        ("orthogonal noise", FeaturePair::diagonal(2, &[1.0, 1.0, 0.1])),
        ("strong orthogonal noise", FeaturePair::diagonal(3, &[1.0, 1.0, 1.0, 3.0])),
        ("rank-one noise", FeaturePair::same(2, &[&[1.0, 0.0, 2.0, 2.0], &[0.0, 1.0, 2.0, 2.0]])),
        ("m < r", FeaturePair::same(3, &[&[1.0, 2.0, 4.0]])),
        ("a zero column", FeaturePair::diagonal(2, &[1.0, 0.0])),
        ("all noise", FeaturePair::diagonal(1, &[0.0, 1.0])),
        ("nearly equal views", e(&[&[1.0, 0.25], &[-0.25, 1.0]], &[&[1.0, 0.2501], &[-0.25, 1.0]])),
        ("a condition number of a thousand", FeaturePair::diagonal(2, &[1000.0, 1.0])),
    ]
}

/// Hand-picked pairs, all small integer matrices, and random ones: arbitrary, nearly equal, orthogonal.
pub fn families() -> [Family<FeaturePair>; 4] {
    let sizes = || select(&[(1usize, 0usize), (1, 1), (2, 0), (2, 1), (1, 2), (3, 0), (2, 2)][..]);
    [
        edge("named", named),
        edge("2×2 integer matrices", small_integer_matrices),
        random("arbitrary pairs", move || {
            (sizes(), 1usize..=4).prop_flat_map(|((signal, noise), width)| {
                let rows = move || vec(vec(-2.0..2.0f64, signal + noise), width);
                (rows(), rows()).prop_map(move |(a, b)| FeaturePair { signal, noise, rows: [a, b] })
            })
        })
        .taking(0.5),
        random("nearly equal pairs with weak noise", move || {
            (sizes(), 2usize..=4, -4.0..0.0f64, -4.0..0.0f64).prop_flat_map(|((signal, noise), width, near, weak)| {
                let width = width.max(signal);
                let rows = move || vec(vec(-2.0..2.0f64, signal + noise), width);
                (rows(), rows(), Just((near, weak))).prop_map(move |(a, b, (near, weak))| {
                    let (near, weak) = (decade(near), decade(weak));
                    let scale = |j: usize| if j < signal { 1.0 } else { weak };
                    let first: Vec<Vec<f64>> =
                        a.iter().map(|row| row.iter().enumerate().map(|(j, x)| x * scale(j)).collect()).collect();
                    let second = first.iter().zip(&b).map(|(row, other)| {
                        row.iter().zip(other).enumerate().map(|(j, (x, y))| x + near * y * scale(j)).collect()
                    });
                    FeaturePair { signal, noise, rows: [first.clone(), second.collect()] }
                })
            })
        })
        .taking(0.5),
    ]
}

fn decade(exponent: f64) -> f64 {
    enclosures::enclosure::exact(exponent * std::f64::consts::LN_10).exp().midpoint()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(x: Interval, y: f64) -> bool {
        (x - y).magnitude() < 1e-12
    }

    #[test]
    fn singular_values_and_gaps_are_those_by_hand() {
        let long = FeaturePair::diagonal(2, &[1.0, 10.0]);
        let values = long.signal_values(View::A).expect("sizes fit");
        // N² = (1 + 100)/2.
        let norm = 50.5f64.sqrt();
        assert!(near(values[0], 10.0 / norm) && near(values[1], 1.0 / norm));
        assert_eq!(long.signal_gap().expect("sizes fit"), Interval::ZERO);
        let identity: &[&[f64]] = &[&[1.0, 0.0], &[0.0, 1.0]];
        let turned = FeaturePair::new(2, identity, &[&[0.0, -1.0], &[1.0, 0.0]]);
        assert!(near(turned.signal_gap().expect("sizes fit"), 2f64.sqrt()));
        let doubled = FeaturePair::new(2, identity, &[&[-2.0, 0.0], &[0.0, -2.0]]);
        assert!(near(doubled.signal_gap().expect("sizes fit"), 2.0), "norms do not matter, signs do");
        // N² = 2/2 + 25/1.
        let noisy = FeaturePair::same(2, &[&[1.0, 0.0, 5.0], &[0.0, 1.0, 0.0]]);
        assert!(near(noisy.noise_norm(View::B).expect("sizes fit"), 5.0 / 26f64.sqrt()));
        assert!(near(noisy.signal_values(View::B).expect("sizes fit")[1], 1.0 / 26f64.sqrt()));
        let narrow = FeaturePair::same(3, &[&[1.0, 2.0, 2.0]]).signal_values(View::A).expect("sizes fit");
        assert!(near(narrow[0], 3f64.sqrt()) && narrow[1..] == [Interval::ZERO; 2]);
        assert_eq!([half_to(0), half_to(3)], [1.0, 0.125]);
    }

    /// N normalises outputs over all latent states, and the mean of products over positive pairs is Ψ.
    #[test]
    fn outputs_have_mean_square_one_and_the_agreement_of_the_state() {
        let pair =
            FeaturePair::new(2, &[&[1.0, 0.5, 0.25], &[-0.5, 2.0, 1.0]], &[&[0.75, 1.0, -1.0], &[0.25, -1.0, 0.5]]);
        let [a, b] = [View::A, View::B].map(|v| pair.outputs(v).expect("sizes fit"));
        for outputs in [&a, &b] {
            let mean = outputs.iter().map(|f| sum_of_products(f, f)).sum::<Interval>() / 8.0;
            assert!(near(mean, 1.0), "{mean:?}");
        }
        let positive = pairs(0..8, 0..8).filter(|(i, j)| i & 3 == j & 3);
        let mean = positive.map(|(i, j)| sum_of_products(&a[i], &b[j])).sum::<Interval>() / 16.0;
        let agreement = pair.state().and_then(|s| Ok(s.agreement()?)).expect("outputs");
        assert!(near(mean - agreement, 0.0) && agreement.mignitude() > 0.1);
    }

    #[test]
    fn other_names_keep_the_singular_values() {
        let size = |pair: &FeaturePair| {
            let values = pair.signal_values(View::A).expect("sizes fit");
            let other = pair.signal_values(View::B).expect("sizes fit");
            (values[0] + other[0], values[1] * other[1], pair.signal_gap().expect("sizes fit"))
        };
        let pair =
            FeaturePair::new(2, &[&[1.0, 0.5, 0.25], &[-0.5, 2.0, 1.0]], &[&[0.75, 1.0, -1.0], &[0.25, -1.0, 0.5]]);
        let start = size(&pair);
        for (change, other) in pair.relabelled() {
            let found = size(&other);
            assert_eq!(other.validate(), Ok(()), "{change}");
            assert!(near(found.0 - start.0, 0.0) && near(found.1 - start.1, 0.0), "{change}");
            assert!(near(found.2 - start.2, 0.0), "{change}");
        }
        assert!(start.2.lo() > 0.1);
    }
}
