//! Permutations: the order of numbers drawn at random.

use enclosures::enclosure::{Enclosure, exact};
use evidence::claim::{at_least, at_most};

use crate::instances::{Permutation, hidden};
use crate::statement::{Class, Draft, Statement, cube};

/// The place of every number among all of them.
fn places(x: &[f64]) -> Vec<u64> {
    let smaller = |i: usize| (0..x.len()).filter(|&j| (x[j], j) < (x[i], i)).count() as u64;
    (0..x.len()).map(smaller).collect()
}

fn of_order(name: &'static str, words: &'static str, size: usize, constants: (f64, f64)) -> Draft<Permutation> {
    Draft {
        class: Class::Order,
        name,
        words,
        ranges: cube(size, 0.0, 1.0),
        from: |x| Permutation { order: places(x) },
        hypothesis: None,
        constants,
    }
}

/// Whole prices without a pattern, below 101.
fn price(i: u64, j: u64) -> u64 {
    (37 * i * i + 61 * j * j + 17 * i * j + 13 * i + 29 * j) % 101
}

/// Twelve places on a circle, out of order.
fn place(number: u64) -> (Enclosure, Enclosure) {
    let angle = Enclosure::pi() * exact(((7 * number) % 12) as f64) / 6.0;
    (angle.cos(), angle.sin())
}

fn pairs(order: &[u64]) -> impl Iterator<Item = (u64, u64)> + '_ {
    let later = move |i: usize| order[i + 1..].iter().map(move |&b| (order[i], b));
    (0..order.len()).flat_map(later)
}

fn neighbours(order: &[u64]) -> impl Iterator<Item = (u64, u64)> + '_ {
    order.windows(2).map(|pair| (pair[0], pair[1]))
}

pub fn all() -> Vec<Statement> {
    vec![
        of_order("refuter.inversions-10", "a permutation of 10 has at most c inversions", 10, (44.0, 45.0))
            .judged(|p, c| at_most(pairs(&p.order).filter(|(a, b)| a > b).count() as u64, c)),
        of_order("refuter.footrule-16", "Σ |σ(i) − i| ≤ c", 16, (127.0, 128.0)).judged(|p, c| {
            let numbered = p.order.iter().zip(0u64..);
            at_most(numbered.map(|(a, i)| a.abs_diff(i)).sum::<u64>(), c)
        }),
        of_order(
            "refuter.queens-12",
            "of twelve queens in twelve columns and rows, c pairs stand on a diagonal",
            12,
            (1.0, 0.0),
        )
        .judged(|p, c| {
            let numbered: Vec<(u64, u64)> = p.order.iter().copied().zip(0u64..).collect();
            let on_a_diagonal = |(k, a): (usize, &(u64, u64))| {
                numbered[k + 1..].iter().filter(|b| a.0.abs_diff(b.0) == a.1.abs_diff(b.1)).count() as u64
            };
            at_least(numbered.iter().enumerate().map(on_a_diagonal).sum::<u64>(), c)
        }),
        of_order("refuter.tour-12", "a tour through twelve points of a circle has length ≥ c", 12, (6.22, 6.21))
            .judged(|p, c| {
                let legs = neighbours(&p.order).chain([(p.order[p.order.len() - 1], p.order[0])]);
                let length = |(a, b): (u64, u64)| {
                    let ((x, y), (u, v)) = (place(a), place(b));
                    ((x - u).square() + (y - v).square()).sqrt()
                };
                at_least(legs.map(length).sum::<Enclosure>(), c)
            }),
        of_order("refuter.products-12", "Σ (σ(i) + 1) (σ(i + 1) + 1) ≥ c", 12, (293.0, 292.0))
            .judged(|p, c| at_least(neighbours(&p.order).map(|(a, b)| (a + 1) * (b + 1)).sum::<u64>(), c)),
        of_order("refuter.assignment-10", "Σ price(i, σ(i)) ≥ c", 10, (245.0, 244.0)).judged(|p, c| {
            let numbered = p.order.iter().zip(0u64..);
            at_least(numbered.map(|(&a, i)| price(i, a)).sum::<u64>(), c)
        }),
        of_order("refuter.assignment-real-10", "Σ a(i, σ(i)) ≥ c", 10, (-7.785, -7.786)).judged(|p, c| {
            let entries = p.order.iter().zip(0usize..).map(|(&a, i)| exact(hidden(10 * i + a as usize)));
            at_least(entries.sum::<Enclosure>(), c)
        }),
        of_order("refuter.graceful-14", "the steps |σ(i + 1) − σ(i)| take at most c values", 14, (12.0, 13.0)).judged(
            |p, c| {
                let mut steps: Vec<u64> = neighbours(&p.order).map(|(a, b)| a.abs_diff(b)).collect();
                steps.sort_unstable();
                steps.dedup();
                at_most(steps.len() as u64, c)
            },
        ),
        of_order("refuter.rearrangement-24", "Σ i σ(i) ≥ c", 24, (2025.0, 2024.0)).judged(|p, c| {
            let numbered = p.order.iter().zip(0u64..);
            at_least(numbered.map(|(a, i)| a * i).sum::<u64>(), c)
        }),
    ]
}
