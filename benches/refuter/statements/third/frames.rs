//! Orthonormal rows, doubly stochastic matrices, and laws with places.

use enclosures::enclosure::{Enclosure, exact};
use evidence::claim::{at_least, at_most};

use crate::instances::{Atoms, DoublyStochastic, Orthogonal, hidden, numbers, probabilities, square};
use crate::statement::{Class, Draft, Statement, cube};

/// The rows of a square matrix, each without what it has of those before it.
fn orthonormal(x: &[f64]) -> Vec<Vec<f64>> {
    let mut rows = square(x);
    for i in 0..rows.len() {
        let (before, from) = rows.split_at_mut(i);
        let row = &mut from[0];
        // Twice is enough (Kahan; Parlett, The Symmetric Eigenvalue Problem, 6.9).
        for other in before.iter().chain(before.iter()) {
            let inner: f64 = row.iter().zip(other).map(|(a, b)| a * b).sum();
            row.iter_mut().zip(other).for_each(|(a, b)| *a -= inner * b);
        }
        let norm = row.iter().map(|a| a * a).sum::<f64>().sqrt();
        row.iter_mut().for_each(|a| *a /= norm);
    }
    rows
}

/// Rows and columns divided by their sums, in turn.
fn doubly_stochastic(x: &[f64]) -> Vec<Vec<f64>> {
    let mut rows = square(x);
    let size = rows.len();
    for _ in 0..200 {
        for row in &mut rows {
            let sum: f64 = row.iter().sum();
            row.iter_mut().for_each(|a| *a /= sum);
        }
        for j in 0..size {
            let sum: f64 = rows.iter().map(|row| row[j]).sum();
            rows.iter_mut().for_each(|row| row[j] /= sum);
        }
    }
    rows
}

fn of_orthogonal(name: &'static str, words: &'static str, size: usize, constants: (f64, f64)) -> Draft<Orthogonal> {
    Draft {
        class: Class::Orthogonal,
        name,
        words,
        ranges: cube(size * size, -1.0, 1.0),
        from: |x| Orthogonal { rows: orthonormal(x) },
        hypothesis: None,
        constants,
    }
}

fn of_doubly_stochastic(
    name: &'static str,
    words: &'static str,
    size: usize,
    constants: (f64, f64),
) -> Draft<DoublyStochastic> {
    Draft {
        class: Class::Orthogonal,
        name,
        words,
        ranges: cube(size * size, 0.05, 1.0),
        from: |x| DoublyStochastic { rows: doubly_stochastic(x) },
        hypothesis: None,
        constants,
    }
}

fn of_atoms(name: &'static str, words: &'static str, size: usize, constants: (f64, f64)) -> Draft<Atoms> {
    Draft {
        class: Class::Atoms,
        name,
        words,
        ranges: [cube(size, 0.05, 1.0), cube(size, -2.0, 2.0)].concat(),
        from: |x| {
            let (w, x) = x.split_at(x.len() / 2);
            Atoms { w: w.to_vec(), x: x.to_vec() }
        },
        hypothesis: None,
        constants,
    }
}

/// The central moments of an order.
fn moment(a: &Atoms, order: i64) -> Enclosure {
    let p = probabilities(&a.w);
    let mean: Enclosure = p.iter().zip(numbers(&a.x)).map(|(p, x)| *p * x).sum();
    p.iter().zip(numbers(&a.x)).map(|(p, x)| *p * (x - mean).powi(order)).sum()
}

/// A whole number without a pattern, below 101.
fn price(i: usize, j: usize) -> f64 {
    ((37 * i * i + 61 * j * j + 17 * i * j + 13 * i + 29 * j) % 101) as f64
}

pub fn all() -> Vec<Statement> {
    vec![
        of_orthogonal("refuter.trace-of-a-rotation-4", "tr Q ≤ c for orthonormal rows", 4, (4.0 - 1e-6, 4.000_001))
            .judged(|q, c| at_most((0..4).map(|i| exact(q.rows[i][i])).sum::<Enclosure>(), c)),
        of_orthogonal("refuter.absolute-entries-4", "Σ |qᵢⱼ| ≤ c for orthonormal rows", 4, (8.0 - 1e-6, 8.000_001))
            .judged(|q, c| at_most(q.rows.iter().flat_map(|row| numbers(row)).map(|x| x.abs()).sum::<Enclosure>(), c)),
        of_orthogonal("refuter.nearest-rotation-4", "⟨Q, H⟩ ≤ c for orthonormal rows", 4, (3.208, 3.209)).judged(
            |q, c| {
                let entries = q.rows.iter().flatten().zip(0..).map(|(&x, place)| exact(x) * exact(hidden(place)));
                at_most(entries.sum::<Enclosure>(), c)
            },
        ),
        of_orthogonal(
            "refuter.largest-entries-5",
            "Σᵢ maxⱼ |qᵢⱼ| ≤ c for orthonormal rows",
            5,
            (5.0 - 1e-6, 5.000_001),
        )
        .judged(|q, c| {
            let largest = |row: &Vec<f64>| exact(row.iter().fold(0.0, |m: f64, x| m.max(x.abs())));
            at_most(q.rows.iter().map(largest).sum::<Enclosure>(), c)
        }),
        of_doubly_stochastic(
            "refuter.permanent-3",
            "the permanent of a doubly stochastic matrix is at least c",
            3,
            (0.222_223, 0.222_222),
        )
        .judged(|m, c| {
            let a = |i: usize, j: usize| exact(m.rows[i][j]);
            let minor = |i: usize, j: usize| a(1, i) * a(2, j) + a(1, j) * a(2, i);
            at_least(a(0, 0) * minor(1, 2) + a(0, 1) * minor(0, 2) + a(0, 2) * minor(0, 1), c)
        }),
        of_doubly_stochastic(
            "refuter.squares-of-a-plan-5",
            "Σ mᵢⱼ² ≤ c for doubly stochastic m",
            5,
            (5.0 - 1e-6, 5.000_001),
        )
        .judged(|m, c| at_most(m.rows.iter().flat_map(|row| numbers(row)).map(|x| x.square()).sum::<Enclosure>(), c)),
        of_doubly_stochastic(
            "refuter.cheapest-plan-5",
            "Σ price(i, j) mᵢⱼ ≥ c for doubly stochastic m",
            5,
            (166.001, 165.999),
        )
        .judged(|m, c| {
            let row = |i: usize| (0..5).map(move |j| exact(m.rows[i][j]) * exact(price(i, j)));
            at_least((0..5).flat_map(row).sum::<Enclosure>(), c)
        }),
        of_atoms("refuter.kurtosis-6", "m₄ m₂ ≥ c (m₃² + m₂³) for central moments", 6, (1.000_001, 1.0)).judged(
            |a, c| {
                let (m2, m3) = (moment(a, 2), moment(a, 3));
                at_least(moment(a, 4) * m2, c * (m3.square() + m2.powi(3)))
            },
        ),
        of_atoms("refuter.bhatia-davis-8", "Var X ≤ c (1 − E X) (E X + 1), X clipped to [−1, 1]", 8, (1.0 - 1e-9, 1.0))
            .judged(|a, c| {
                let clipped = Atoms { w: a.w.clone(), x: a.x.iter().map(|x| x.clamp(-1.0, 1.0)).collect() };
                let mean: Enclosure = probabilities(&a.w).iter().zip(numbers(&clipped.x)).map(|(p, x)| *p * x).sum();
                at_most(moment(&clipped, 2), c * (1.0 - mean) * (mean + 1.0))
            }),
        of_atoms("refuter.absolute-deviation-8", "(E|X − E X|)² ≤ c Var X", 8, (1.0 - 1e-6, 1.0)).judged(|a, c| {
            let p = probabilities(&a.w);
            let mean: Enclosure = p.iter().zip(numbers(&a.x)).map(|(p, x)| *p * x).sum();
            let deviation: Enclosure = p.iter().zip(numbers(&a.x)).map(|(p, x)| *p * (x - mean).abs()).sum();
            at_most(deviation.square(), c * moment(a, 2))
        }),
        of_atoms("refuter.popoviciu-8", "Var X ≤ c (max X − min X)²/4", 8, (1.0 - 1e-6, 1.0)).judged(|a, c| {
            let largest = numbers(&a.x).reduce(Enclosure::max).unwrap_or(Enclosure::ZERO);
            let least = numbers(&a.x).reduce(Enclosure::min).unwrap_or(Enclosure::ZERO);
            at_most(moment(a, 2), c * (largest - least).square() / 4.0)
        }),
    ]
}
