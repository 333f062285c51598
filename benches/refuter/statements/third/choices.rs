//! Signs, each of which is one of two.

use evidence::claim::{at_least, at_most};

use crate::instances::Signs;
use crate::statement::{Class, Draft, Statement, cube};

fn of_signs(name: &'static str, words: &'static str, size: usize, constants: (f64, f64)) -> Draft<Signs> {
    Draft {
        class: Class::Choices,
        name,
        words,
        ranges: cube(size, -1.0, 1.0),
        from: |x| Signs { plus: x.iter().map(|&x| x > 0.0).collect() },
        hypothesis: None,
        constants,
    }
}

fn signs(s: &Signs) -> Vec<i64> {
    s.plus.iter().map(|&plus| if plus { 1 } else { -1 }).collect()
}

/// The weight of an edge between two of eighteen vertices.
fn weight(i: u64, j: u64) -> u64 {
    (11 * i * j + 7 * (i + j)) % 13
}

/// Twenty-two numbers without a pattern.
fn number(i: i64) -> i64 {
    (7919 * (i + 1) * (i + 1) + 104_729 * (i + 3)) % 9973
}

pub fn all() -> Vec<Statement> {
    vec![
        of_signs("refuter.all-plus-30", "of 30 signs at most c are plus", 30, (29.0, 30.0))
            .judged(|s, c| at_most(s.plus.iter().filter(|plus| **plus).count() as u64, c)),
        of_signs("refuter.cut-18", "a cut of the graph weighs at most c", 18, (603.0, 604.0)).judged(|s, c| {
            let between = |i: usize| {
                (i + 1..18).filter(move |&j| s.plus[i] != s.plus[j]).map(move |j| weight(i as u64, j as u64))
            };
            at_most((0..18).flat_map(between).sum::<u64>(), c)
        }),
        of_signs("refuter.halves-22", "|Σ ± aᵢ| ≥ c", 22, (100.0, 5.0)).judged(|s, c| {
            let total: i64 = signs(s).iter().zip(0..).map(|(sign, i)| sign * number(i)).sum();
            at_least(total.unsigned_abs(), c)
        }),
        of_signs("refuter.autocorrelation-21", "Σₖ (Σᵢ sᵢ sᵢ₊ₖ)² ≥ c for signs s", 21, (27.0, 26.0)).judged(|s, c| {
            let s = signs(s);
            let at_lag = |k: usize| s.iter().zip(&s[k..]).map(|(a, b)| a * b).sum::<i64>();
            at_least((1..s.len()).map(|k| at_lag(k).pow(2)).sum::<i64>().unsigned_abs(), c)
        }),
        of_signs("refuter.alternating-40", "40 signs change at most c times", 40, (38.0, 39.0))
            .judged(|s, c| at_most(s.plus.windows(2).filter(|pair| pair[0] != pair[1]).count() as u64, c)),
    ]
}
