//! Matrices and laws.

use enclosures::enclosure::{Enclosure, exact};
use evidence::claim::{at_least, at_most};

use super::drafts::{of_matrix, of_two_laws, of_weights};
use super::matrices::{entries, product, squares, trace};
use crate::instances::{Law, Matrix, Pair, Symmetric, TwoLaws, TwoMatrices, numbers, probabilities, square, x_log_x};
use crate::statement::{Class, Draft, Statement, cube};

type Entries = Vec<Vec<Enclosure>>;

fn transposed(a: &Entries) -> Entries {
    (0..a.len()).map(|j| a.iter().map(|row| row[j]).collect()).collect()
}

/// By expansion along the first row; sizes up to five.
fn determinant(a: &Entries) -> Enclosure {
    if a.len() == 1 {
        return a[0][0];
    }
    let minor = |j: usize| -> Entries {
        let without = |row: &Vec<Enclosure>| {
            let kept = row.iter().enumerate().filter(|(k, _)| *k != j);
            kept.map(|(_, x)| *x).collect()
        };
        a[1..].iter().map(without).collect()
    };
    let term = |j: usize| {
        let value = a[0][j] * determinant(&minor(j));
        if j.is_multiple_of(2) { value } else { -value }
    };
    (0..a.len()).map(term).sum()
}

/// A symmetric matrix from the entries of its lower triangle.
fn symmetric(x: &[f64]) -> Symmetric {
    let size = (1..).find(|n| n * (n + 1) / 2 >= x.len()).unwrap_or(1);
    let at = |i: usize, j: usize| {
        let (i, j) = (i.max(j), i.min(j));
        x[i * (i + 1) / 2 + j]
    };
    Symmetric { rows: (0..size).map(|i| (0..size).map(|j| at(i, j)).collect()).collect() }
}

fn of_symmetric(name: &'static str, words: &'static str, size: usize, constants: (f64, f64)) -> Draft<Symmetric> {
    Draft {
        class: Class::Matrix,
        name,
        words,
        ranges: cube(size * (size + 1) / 2, -3.0, 3.0),
        from: symmetric,
        hypothesis: None,
        constants,
    }
}

fn hadamard(m: &Matrix, c: Enclosure) -> evidence::claim::Evaluation {
    let a = entries(&m.rows);
    let rows = a.iter().map(|row| row.iter().map(|x| x.square()).sum::<Enclosure>());
    at_most(determinant(&a).square(), c * rows.fold(Enclosure::ONE, |p, r| p * r))
}

fn of_law(name: &'static str, words: &'static str, n: usize, constants: (f64, f64)) -> Draft<Law> {
    Draft {
        class: Class::Probability,
        name,
        words,
        ranges: cube(n, 0.0, 1.0),
        from: |w| {
            let total: f64 = w.iter().sum();
            let mut p: Vec<f64> = w.iter().map(|w| w / total).collect();
            // What rounding left over goes to the largest, so that the sum is one.
            let rest = 1.0 - p.iter().sum::<f64>();
            if let Some(largest) = p.iter_mut().max_by(|a, b| a.total_cmp(b)) {
                *largest += rest;
            }
            Law { p }
        },
        hypothesis: None,
        constants,
    }
}

fn entropy(w: &[f64]) -> Enclosure {
    -probabilities(w).into_iter().map(x_log_x).sum::<Enclosure>()
}

/// `KL(p ‖ q)`, infinite where `q` misses mass of `p`.
fn divergence(l: &TwoLaws) -> Enclosure {
    let pairs = probabilities(&l.p).into_iter().zip(probabilities(&l.q));
    let term = |(p, q): (Enclosure, Enclosure)| {
        if p.hi() == 0.0 { Enclosure::ZERO } else { p * (p / q).ln() }
    };
    pairs.map(term).sum()
}

fn positive_weights(l: &TwoLaws) -> bool {
    l.p.iter().chain(&l.q).all(|&w| w > 0.0)
}

pub fn all() -> Vec<Statement> {
    [matrices(), laws()].into_iter().flatten().collect()
}

fn matrices() -> Vec<Statement> {
    vec![
        of_matrix("refuter.hadamard-3", "det(A)² ≤ c Π ‖rowᵢ‖²", 3, (1.0 - 1e-6, 1.0)).judged(hadamard),
        of_matrix("refuter.hadamard-5", "det(A)² ≤ c Π ‖rowᵢ‖²", 5, (1.0 - 1e-4, 1.0)).judged(hadamard),
        of_matrix("refuter.trace-4", "tr(A)² ≤ c ‖A‖²", 4, (3.99999, 4.0)).judged(|m, c| {
            let a = entries(&m.rows);
            at_most(trace(&a).square(), c * squares(&a))
        }),
        of_matrix("refuter.rank-one-4", "‖AᵀA‖² ≤ c ‖A‖⁴", 4, (1.0 - 1e-6, 1.0)).judged(|m, c| {
            let a = entries(&m.rows);
            at_most(squares(&product(&transposed(&a), &a)), c * squares(&a).square())
        }),
        of_symmetric("refuter.eigenvalue-gap", "λ₁ − λ₂ ≥ c for symmetric A", 2, (1e-6, 0.0)).judged(|m, c| {
            let a = entries(&m.rows);
            let gap = (a[0][0] - a[1][1]).square() + 4.0 * a[0][1].square();
            at_least(gap.sqrt(), c)
        }),
        of_symmetric("refuter.symmetric-4", "tr(A)² ≤ c tr(A²) for symmetric A", 4, (3.9999, 4.0)).judged(|m, c| {
            let a = entries(&m.rows);
            at_most(trace(&a).square(), c * trace(&product(&a, &a)))
        }),
        Draft {
            class: Class::Matrix,
            name: "refuter.commutator",
            words: "‖AB − BA‖² ≤ c ‖A‖² ‖B‖²",
            ranges: cube(8, -3.0, 3.0),
            from: |x| TwoMatrices { a: square(&x[..4]), b: square(&x[4..]) },
            hypothesis: None,
            constants: (1.9999, 2.0),
        }
        .judged(|m, c| {
            let (a, b) = (entries(&m.a), entries(&m.b));
            let (ab, ba) = (product(&a, &b), product(&b, &a));
            let difference = ab.iter().flatten().zip(ba.iter().flatten());
            let left: Enclosure = difference.map(|(x, y)| (*x - *y).square()).sum();
            at_most(left, c * squares(&a) * squares(&b))
        }),
    ]
}

fn laws() -> Vec<Statement> {
    vec![
        Draft {
            class: Class::Probability,
            name: "refuter.binary-divergence",
            words: "kl(p, q) ≥ c (p − q)²",
            ranges: cube(2, 0.0, 1.0),
            from: |x| Pair { x: x[0], y: x[1] },
            hypothesis: Some(("0 < p, q < 1", |p: &Pair| 0.0 < p.x && p.x < 1.0 && 0.0 < p.y && p.y < 1.0)),
            constants: (2.000001, 2.0),
        }
        .judged(|l, c| {
            let (p, q) = (exact(l.x), exact(l.y));
            let kl = p * (p / q).ln() + (1.0 - p) * ((1.0 - p) / (1.0 - q)).ln();
            at_least(kl, c * (p - q).square())
        }),
        of_weights("refuter.entropy-5", "H(p) ≤ log 5 − c", 5, (1e-7, 0.0))
            .judged(|w, c| at_most(entropy(&w.w), exact(5.0).ln() - c)),
        of_weights("refuter.entropy-100", "H(p) ≤ log 100 − c", 100, (1e-4, 0.0))
            .judged(|w, c| at_most(entropy(&w.w), exact(100.0).ln() - c)),
        Draft {
            hypothesis: Some(("pᵢ, qᵢ > 0", positive_weights)),
            ..of_two_laws("refuter.pinsker-4", "KL(p ‖ q) ≥ c ‖p − q‖₁²", 4, (0.5001, 0.5))
        }
        .judged(|l, c| {
            let pairs = probabilities(&l.p).into_iter().zip(probabilities(&l.q));
            let distance: Enclosure = pairs.map(|(p, q)| (p - q).abs()).sum();
            at_least(divergence(l), c * distance.square())
        }),
        Draft {
            hypothesis: Some(("pᵢ, qᵢ > 0", positive_weights)),
            ..of_two_laws("refuter.divergence-3", "KL(p ‖ q) ≤ c", 3, (50.0, 2000.0))
        }
        .judged(|l, c| at_most(divergence(l), c)),
        of_two_laws("refuter.jensen-shannon", "JS(p, q) ≤ c", 3, (0.693_146, 0.693_148)).judged(|l, c| {
            let (p, q) = (probabilities(&l.p), probabilities(&l.q));
            let middle = p.iter().zip(&q).map(|(p, q)| (*p + *q) / 2.0);
            let mixed = -middle.map(x_log_x).sum::<Enclosure>();
            at_most(mixed - (entropy(&l.p) + entropy(&l.q)) / 2.0, c)
        }),
        of_law("refuter.collision-6", "Σ pᵢ² ≥ c", 6, (1.0 / 6.0 + 1e-6, 1.0 / 6.0 - 1e-9))
            .judged(|l, c| at_least(numbers(&l.p).map(Enclosure::square).sum::<Enclosure>(), c)),
        of_law("refuter.vertex-4", "max pᵢ ≤ c", 4, (1.0 - 1e-6, 1.0 + 1e-9))
            .judged(|l, c| at_most(numbers(&l.p).reduce(Enclosure::max).unwrap_or(Enclosure::ZERO), c)),
        of_law("refuter.collision-60", "Σ pᵢ² ≥ c", 60, (1.0 / 60.0 + 1e-5, 1.0 / 60.0 - 1e-9))
            .judged(|l, c| at_least(numbers(&l.p).map(Enclosure::square).sum::<Enclosure>(), c)),
    ]
}
