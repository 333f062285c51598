//! Families of features: named ones, and random ones of few latents and small width.

use evidence::prelude::*;
use proptest::collection::vec;
use proptest::strategy::{Just, Strategy};

use super::high_temperature::HighTemperature;

/// A matrix of small fractions with no pattern in it.
fn fixed(m: usize, columns: usize, salt: usize) -> Vec<Vec<f64>> {
    let entry = |i: usize, j: usize| {
        ((7 * i * i + 5 * i * j + 3 * j * j + 11 * j + salt * (i + 2 * j + 1)) % 17) as f64 / 8.0 - 1.0
    };
    (0..m).map(|i| (0..columns).map(|j| entry(i, j)).collect()).collect()
}

/// Aligned, unaligned, opposite, unequal, orthogonal, narrow and generic states.
pub fn states() -> Vec<(String, HighTemperature)> {
    let mut list = Vec::new();
    let mut add = |name: &str, signal: usize, noise: usize, rows: Vec<Vec<f64>>, tau_squared: f64, negatives: f64| {
        let state = HighTemperature { signal, noise, rows, tau_squared, negatives };
        list.push((name.to_owned(), state));
    };
    let twice = |rows: &[&[f64]], factor: f64| -> Vec<Vec<f64>> {
        let double = |row: &&[f64]| row.iter().copied().chain(row.iter().map(|x| factor * x)).collect();
        rows.iter().map(double).collect()
    };
    add("K_A = K_B = 1", 1, 0, vec![vec![1.0, 1.0]], 0.1, 1.0);
    add("K_A = K_B = diag(2, 1), K = 2", 2, 0, twice(&[&[2.0, 0.0], &[0.0, 1.0]], 1.0), 0.1, 2.0);
    add("K_A ⊥ K_B", 1, 0, vec![vec![1.0, 0.0], vec![0.0, 1.0]], 0.1, 0.5);
    add("K_B = −K_A", 2, 0, twice(&[&[1.0, 0.0], &[0.0, 1.0]], -1.0), 0.2, 10.0);
    add("K_A = 100 K_B", 2, 1, twice(&[&[1.0, 0.5, 0.25], &[0.0, 1.0, -0.5]], 0.01), 0.1, 0.1);
    add(
        "infinite width, r = q = 1",
        1,
        1,
        (0..4).map(|i| (0..4).map(|j| f64::from(i == j)).collect()).collect(),
        0.3,
        2.0,
    );
    add(
        "noise orthogonal, signals not",
        2,
        1,
        vec![
            vec![1.0, 0.5, 0.0, 0.75, 0.25, 0.0],
            vec![0.0, 1.0, 0.0, -0.5, 1.0, 0.0],
            vec![0.0, 0.0, 1.0, 0.0, 0.0, 0.0],
            vec![0.0, 0.0, 0.0, 0.0, 0.0, 1.0],
        ],
        0.2,
        0.5,
    );
    add("m = 1, noise stronger than signal", 1, 1, vec![vec![0.25, 1.0, 0.5, -1.0]], 0.1, 1.0);
    for (k, (signal, noise, m)) in
        [(1, 1, 2), (2, 1, 3), (1, 2, 2), (2, 2, 4), (3, 0, 2), (3, 1, 4), (1, 3, 3), (2, 0, 4), (2, 2, 1)]
            .into_iter()
            .enumerate()
    {
        let name = format!("generic, r = {signal}, q = {noise}, m = {m}");
        let (tau, negatives) = ([0.4, 0.1, 0.01, 1.0][k % 4], [0.1, 0.5, 1.0, 2.0, 10.0][k % 5]);
        add(&name, signal, noise, fixed(m, 2 * (signal + noise), k), tau, negatives);
    }
    list
}

/// The states above, and random ones.
pub fn families() -> [Family<HighTemperature>; 2] {
    let drawn = || {
        let sizes = (1usize..=3, 0usize..=2, 1usize..=5);
        sizes
            .prop_filter("d at most 4", |(r, q, _)| r + q <= 4)
            .prop_flat_map(|(r, q, m)| (Just((r, q)), vec(vec(-1.0..1.0f64, 2 * (r + q)), m)))
            .prop_flat_map(|(sizes, rows)| (Just(sizes), Just(rows), -7.0..1.0f64, -3.0..3.0f64))
            .prop_map(|((signal, noise), rows, log_tau, log_negatives)| HighTemperature {
                signal,
                noise,
                rows,
                tau_squared: exact(log_tau).exp().midpoint(),
                negatives: exact(log_negatives).exp().midpoint(),
            })
    };
    [edge("named", states), random("any features", drawn)]
}

/// Features whose noise columns are orthogonal to everything: each has a row of its own.
pub fn orthogonal_noise() -> Family<HighTemperature> {
    random("orthogonal noise", || {
        (1usize..=2, 1usize..=2).prop_flat_map(|(r, q)| {
            let (signals, noises) = (vec(vec(-1.0..1.0f64, 2 * r), 2), vec(0.1..2.0f64, 2 * q));
            (signals, noises, -5.0..1.0f64, -3.0..3.0f64).prop_map(move |(signals, noises, log_tau, log_negatives)| {
                let d = r + q;
                let mut rows: Vec<Vec<f64>> = (signals.iter())
                    .map(|row| {
                        let mut wide = vec![0.0; 2 * d];
                        for p in 0..r {
                            (wide[p], wide[d + p]) = (row[p], row[r + p]);
                        }
                        wide
                    })
                    .collect();
                for (k, &size) in noises.iter().enumerate() {
                    let mut own = vec![0.0; 2 * d];
                    own[if k < q { r + k } else { d + r + k - q }] = size;
                    rows.push(own);
                }
                HighTemperature {
                    signal: r,
                    noise: q,
                    rows,
                    tau_squared: exact(log_tau).exp().midpoint(),
                    negatives: exact(log_negatives).exp().midpoint(),
                }
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use two_view::View;

    use super::*;
    use crate::shared::high_temperature::expand;

    /// C = [K_A | K_Aξ]ᵀ[K_B | K_Bξ]/(N_A N_B) of a named state.
    fn cross(name: &str) -> Vec<f64> {
        let (_, state) = states().into_iter().find(|(n, _)| n == name).expect("a state of this name");
        let found = expand(&state).expect("the sizes fit");
        found.cross.entries().iter().map(|c: &Interval| c.midpoint()).collect()
    }

    fn is(found: &[f64], expected: &[f64]) -> bool {
        found.len() == expected.len() && found.iter().zip(expected).all(|(f, e)| (f - e).abs() < 1e-14)
    }

    #[test]
    fn named_states_are_what_they_are_called() {
        assert!(is(&cross("K_A = K_B = 1"), &[1.0]));
        // N² = (4 + 1)/2.
        assert!(is(&cross("K_A = K_B = diag(2, 1), K = 2"), &[1.6, 0.0, 0.0, 0.4]));
        assert!(is(&cross("K_A ⊥ K_B"), &[0.0]));
        assert!(is(&cross("K_B = −K_A"), &[-1.0, 0.0, 0.0, -1.0]));
        assert!(is(&cross("infinite width, r = q = 1"), &[0.0; 4]));
        let quiet = cross("noise orthogonal, signals not");
        assert!(quiet[..2].iter().chain(&quiet[3..5]).all(|c| c.abs() > 1e-3));
        assert!([2, 5, 6, 7, 8].iter().all(|&k| quiet[k] == 0.0), "{quiet:?}");
        // A common factor of view B cancels: N² = (1 + 0.25 + 1)/2 + 0.0625 + 0.25.
        let scaled = cross("K_A = 100 K_B");
        assert!((scaled[0] - 1.0 / 1.4375).abs() < 1e-14, "{scaled:?}");
        assert!((scaled[4] - 1.25 / 1.4375).abs() < 1e-14, "{scaled:?}");
    }

    #[test]
    fn products_of_columns_are_divided_by_the_roots_of_both_mean_squares() {
        for (name, state) in states() {
            assert_eq!(state.validate(), Ok(()), "{name}");
            let found = expand(&state).expect("the sizes fit");
            let d = found.latents();
            // E‖f_A‖² = Σ v_k‖K_k‖²/N_A², from the rows themselves.
            let square = |view: View| -> f64 {
                let from = view as usize * d;
                let term = |row: &Vec<f64>, k: usize| row[from + k] * row[from + k] * found.sizes.variance::<f64>(k);
                state.rows.iter().map(|row| (0..d).map(|k| term(row, k)).sum::<f64>()).sum()
            };
            let scale = (square(View::A) * square(View::B)).sqrt();
            let inner: f64 = state.rows.iter().map(|row| row[0] * row[d]).sum();
            assert!((found.cross.at(0, 0).midpoint() - inner / scale).abs() < 1e-12, "{name}");
        }
    }
}
