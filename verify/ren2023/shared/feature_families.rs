//! Families of features: named ones, and random ones of few latents and small width.

use enclosures::enclosure::exact;
use evidence::claim::{Family, edge, random};
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
        let state = HighTemperature {
            signal,
            noise,
            rows,
            tau_squared,
            negatives,
        };
        list.push((name.to_owned(), state));
    };
    let twice = |rows: &[&[f64]], factor: f64| -> Vec<Vec<f64>> {
        let double = |row: &&[f64]| row.iter().copied().chain(row.iter().map(|x| factor * x)).collect();
        rows.iter().map(double).collect()
    };
    add("K_A = K_B = 1", 1, 0, vec![vec![1.0, 1.0]], 0.1, 1.0);
    add(
        "K_A = K_B = diag(2, 1), K = 2",
        2,
        0,
        twice(&[&[2.0, 0.0], &[0.0, 1.0]], 1.0),
        0.1,
        2.0,
    );
    add("K_A ⊥ K_B", 1, 0, vec![vec![1.0, 0.0], vec![0.0, 1.0]], 0.1, 0.5);
    add("K_B = −K_A", 2, 0, twice(&[&[1.0, 0.0], &[0.0, 1.0]], -1.0), 0.2, 10.0);
    add(
        "K_A = 100 K_B",
        2,
        1,
        twice(&[&[1.0, 0.5, 0.25], &[0.0, 1.0, -0.5]], 0.01),
        0.1,
        0.1,
    );
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
    add(
        "m = 1, noise stronger than signal",
        1,
        1,
        vec![vec![0.25, 1.0, 0.5, -1.0]],
        0.1,
        1.0,
    );
    for (k, (signal, noise, m)) in [
        (1, 1, 2),
        (2, 1, 3),
        (1, 2, 2),
        (2, 2, 4),
        (3, 0, 2),
        (3, 1, 4),
        (1, 3, 3),
        (2, 0, 4),
        (2, 2, 1),
    ]
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
