//! Matrices, laws, and probabilities known from draws only.

use enclosures::enclosure::{Enclosure, exact, log_sum_exp};
use evidence::claim::{Evaluation, Trial, at_least, at_most};
use rand::RngExt;

use super::super::drafts::{of_matrix, of_point, of_two_laws, of_weights};
use super::super::matrices::{entries, product, squares, trace};
use crate::instances::{Symmetric, Weights, hidden, probabilities, x_log_x};
use crate::statement::{Class, Draft, Statement, cube};

fn of_symmetric(name: &'static str, words: &'static str, constants: (f64, f64)) -> Draft<Symmetric> {
    Draft {
        class: Class::Matrix,
        name,
        words,
        ranges: cube(6, -3.0, 3.0),
        from: |x| Symmetric { rows: vec![vec![x[0], x[1], x[2]], vec![x[1], x[3], x[4]], vec![x[2], x[4], x[5]]] },
        hypothesis: None,
        constants,
    }
}

/// A reflection that has no entry in common with the identity.
fn reflection(size: usize) -> Vec<Vec<f64>> {
    let normal: Vec<f64> = (0..size).map(|i| 1.0 + hidden(i)).collect();
    let length: f64 = normal.iter().map(|x| x * x).sum();
    let entry = |i: usize, j: usize| f64::from(u8::from(i == j)) - 2.0 * normal[i] * normal[j] / length;
    (0..size).map(|i| (0..size).map(|j| entry(i, j)).collect()).collect()
}

pub fn all() -> Vec<Statement> {
    [matrices(), laws(), sampled()].into_iter().flatten().collect()
}

fn matrices() -> Vec<Statement> {
    vec![
        of_matrix("refuter.determinant-and-norm", "|det A| ≤ c (‖A‖²/3)^(3/2)", 3, (1.0 - 1e-7, 1.0)).judged(|m, c| {
            let a = entries(&m.rows);
            let minor = |i: usize, j: usize| a[1][i] * a[2][j] - a[1][j] * a[2][i];
            let det = a[0][0] * minor(1, 2) - a[0][1] * minor(0, 2) + a[0][2] * minor(0, 1);
            let third = squares(&a) / 3.0;
            at_most(det.abs(), c * third * third.sqrt())
        }),
        of_symmetric("refuter.fourth-powers", "tr(A⁴) ≤ c tr(A²)² for symmetric A", (1.0 - 1e-7, 1.0)).judged(
            |m, c| {
                let a = entries(&m.rows);
                let a2 = product(&a, &a);
                at_most(squares(&a2), c * trace(&a2).square())
            },
        ),
        of_symmetric(
            "refuter.traces-of-cubes",
            "tr(A³)² ≤ c tr(A²)³/6 for symmetric A of trace zero",
            (1.0 - 1e-6, 1.0),
        )
        .judged(|m, c| {
            let mut a = entries(&m.rows);
            let mean = trace(&a) / 3.0;
            (0..3).for_each(|i| a[i][i] = a[i][i] - mean);
            let a2 = product(&a, &a);
            let cubes = trace(&product(&a2, &a));
            at_most(cubes.square(), c * trace(&a2).powi(3) / 6.0)
        }),
        of_matrix("refuter.near-a-reflection-6", "⟨A, Q⟩² ≤ c ‖A‖², Q a reflection", 6, (6.0 - 1e-5, 6.000_001))
            .judged(|m, c| {
                let q = reflection(6);
                let a = entries(&m.rows);
                let inner: Enclosure = a.iter().flatten().zip(q.iter().flatten()).map(|(x, y)| *x * *y).sum();
                at_most(inner.square(), c * squares(&a))
            }),
        of_matrix("refuter.rank-one-8", "‖AᵀA‖² ≤ c ‖A‖⁴", 8, (1.0 - 1e-4, 1.0)).judged(|m, c| {
            let a = entries(&m.rows);
            let transposed: Vec<Vec<Enclosure>> = (0..8).map(|j| a.iter().map(|row| row[j]).collect()).collect();
            at_most(squares(&product(&transposed, &a)), c * squares(&a).square())
        }),
        of_matrix("refuter.nilpotent-3", "‖A²‖² + (tr A)² + (‖A‖² − 1)² ≥ c", 3, (1e-8, -1e-9)).judged(|m, c| {
            let a = entries(&m.rows);
            let rest = trace(&a).square() + (squares(&a) - 1.0).square();
            at_least(squares(&product(&a, &a)) + rest, c)
        }),
    ]
}

fn laws() -> Vec<Statement> {
    let tilted = |w: &Weights, c: Enclosure| {
        let p = probabilities(&w.w);
        let a: Vec<Enclosure> = (0..p.len()).map(|i| exact(3.0 * hidden(i))).collect();
        let value = p.iter().zip(&a).map(|(p, a)| *p * *a - x_log_x(*p)).sum::<Enclosure>();
        at_most(value, log_sum_exp(&a) - c)
    };
    vec![
        of_weights("refuter.gibbs-20", "Σ pᵢ aᵢ + H(p) ≤ log Σ e^aᵢ − c", 20, (1e-7, 0.0)).judged(tilted),
        of_weights("refuter.gibbs-100", "Σ pᵢ aᵢ + H(p) ≤ log Σ e^aᵢ − c", 100, (1e-4, 0.0)).judged(tilted),
        of_weights("refuter.popoviciu-10", "the variance of a law on 0, 1/9, …, 1 is at most c", 10, (0.249_999, 0.25))
            .judged(|w, c| {
                let p = probabilities(&w.w);
                let moment = |k: i64| -> Enclosure {
                    p.iter().zip(0..).map(|(p, i)| *p * (exact(f64::from(i)) / 9.0).powi(k)).sum()
                };
                at_most(moment(2) - moment(1).square(), c)
            }),
        of_weights("refuter.skewness-6", "the third cumulant of a law on 0, …, 5 is at most c", 6, (12.028, 12.0282))
            .judged(|w, c| {
                let p = probabilities(&w.w);
                let mean: Enclosure = p.iter().zip(0..).map(|(p, i)| *p * f64::from(i)).sum();
                at_most(p.iter().zip(0..).map(|(p, i)| *p * (f64::from(i) - mean).powi(3)).sum::<Enclosure>(), c)
            }),
        of_weights(
            "refuter.dependence-3",
            "H(X) + H(Y) − H(X, Y) ≤ c for laws on three times three points",
            9,
            (1.0986, 1.0987),
        )
        .judged(|w, c| {
            let p = probabilities(&w.w);
            let row = |i: usize| (0..3).map(|j| p[3 * i + j]).sum::<Enclosure>();
            let column = |j: usize| (0..3).map(|i| p[3 * i + j]).sum::<Enclosure>();
            let marginals: Enclosure = (0..3).map(|i| x_log_x(row(i)) + x_log_x(column(i))).sum();
            at_most(p.iter().map(|p| x_log_x(*p)).sum::<Enclosure>() - marginals, c)
        }),
        of_two_laws("refuter.triangular-5", "Σ (pᵢ − qᵢ)²/(pᵢ + qᵢ) ≤ c Σ |pᵢ − qᵢ|", 5, (1.0 - 1e-6, 1.0)).judged(
            |l, c| {
                let (p, q) = (probabilities(&l.p), probabilities(&l.q));
                let pairs = || p.iter().zip(&q).filter(|(p, q)| p.hi() > 0.0 || q.hi() > 0.0);
                let left: Enclosure = pairs().map(|(p, q)| (*p - *q).square() / (*p + *q)).sum();
                at_most(left, c * pairs().map(|(p, q)| (*p - *q).abs()).sum::<Enclosure>())
            },
        ),
        of_two_laws("refuter.hellinger-4", "Σ (√pᵢ − √qᵢ)² ≥ c (Σ |pᵢ − qᵢ|)²", 4, (0.250_001, 0.25)).judged(|l, c| {
            let pairs = || probabilities(&l.p).into_iter().zip(probabilities(&l.q));
            let left: Enclosure = pairs().map(|(p, q)| (p.sqrt() - q.sqrt()).square()).sum();
            at_least(left, c * pairs().map(|(p, q)| (p - q).abs()).sum::<Enclosure>().square())
        }),
    ]
}

const DRAWS: usize = 4096;

/// The chance of a success, enclosed by Hoeffding's inequality from so many draws.
fn judged(success: f64, c: Enclosure, trial: &mut Trial) -> Evaluation {
    let draws = trial.samples(DRAWS);
    let alpha = trial.alpha(1);
    let rng = trial.rng();
    let hits = (0..draws).filter(|_| rng.random::<f64>() < success).count();
    let mean = hits as f64 / draws as f64;
    let radius = (core_math::log(2.0 / alpha) / (2.0 * draws as f64)).sqrt();
    let chance = Enclosure::sampled((mean - radius).max(0.0), (mean + radius).min(1.0), alpha);
    at_most(chance, c)
}

fn sampled() -> Vec<Statement> {
    let of = |name, words, dimension, reach: f64, constants| {
        of_point(Class::Sampled, name, words, (dimension, -reach, reach), None, constants)
    };
    vec![
        of("refuter.sampled-bump-4", "P(success) ≤ c, success with chance exp(−‖x − a‖²)", 4, 5.0, (0.92, 1.0))
            .sampled(|p, c, trial| {
                let terms = p.x.iter().enumerate().map(|(i, x)| x - 3.0 * hidden(i));
                judged(core_math::exp(-terms.map(|d| d * d).sum::<f64>()), c, trial)
            }),
        of("refuter.sampled-classifier-8", "P(success) ≤ c, success with chance σ(⟨a, x⟩)", 8, 0.5, (0.93, 1.0))
            .sampled(|p, c, trial| {
                let score: f64 = p.x.iter().enumerate().map(|(i, x)| hidden(i) * x).sum();
                judged(1.0 / (1.0 + core_math::exp(-score)), c, trial)
            }),
    ]
}
