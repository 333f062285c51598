//! Whole numbers, alone and beside real ones.

use enclosures::enclosure::{Enclosure, exact};
use evidence::claim::{at_least, at_most};

use super::super::drafts::{self, of_mixed, of_whole};
use crate::instances::{Chosen, Mixed, TwoWhole, numbers};
use crate::statement::{Class, Condition, Draft, Statement};

/// A statement about two whole numbers from one range.
fn of_two(
    name: &'static str,
    words: &'static str,
    range: (f64, f64),
    hypothesis: Condition<TwoWhole>,
    constants: (f64, f64),
) -> Draft<TwoWhole> {
    drafts::of_two(name, words, [range; 2], hypothesis, constants)
}

/// The least divisor beside one.
fn least_divisor(n: u64) -> u64 {
    (2..).find(|d| n.is_multiple_of(*d) || d * d > n).map_or(n, |d| if n.is_multiple_of(d) { d } else { n })
}

/// Steps of Collatz's walk from a number to one.
fn walk(n: u64) -> u64 {
    let mut at = n;
    (0..)
        .take_while(|_| {
            let goes_on = at > 1;
            at = if at.is_multiple_of(2) { at / 2 } else { 3 * at + 1 };
            goes_on
        })
        .count() as u64
}

fn common_divisor(n: u64, k: u64) -> u64 {
    if k == 0 { n } else { common_divisor(k, n % k) }
}

pub fn all() -> Vec<Statement> {
    [whole(), mixed()].into_iter().flatten().collect()
}

fn whole() -> Vec<Statement> {
    vec![
        of_whole(
            "refuter.euler-primes",
            "the least divisor of n² + n + 41 is at least c (n² + n + 41)",
            (0.0, 30.0),
            Some(("n ≤ 1000", |w| w.n <= 1000)),
            (1.0, 0.0),
        )
        .judged(|w, c| {
            let n = w.n.min(1000);
            let value = n * n + n + 41;
            at_least(least_divisor(value), c * Enclosure::from(value))
        }),
        of_whole(
            "refuter.whole-sines",
            "|sin n| ≥ c",
            (1.0, 10_000.0),
            Some(("1 ≤ n ≤ 10000", |w| (1..=10_000).contains(&w.n))),
            (1e-4, 1e-6),
        )
        .judged(|w, c| at_least(Enclosure::from(w.n).sin().abs(), c)),
        of_whole(
            "refuter.collatz",
            "the walk from n takes at most c steps",
            (1.0, 1000.0),
            Some(("1 ≤ n ≤ 1000", |w| (1..=1000).contains(&w.n))),
            (177.0, 178.0),
        )
        .judged(|w, c| at_most(walk(w.n.clamp(1, 1000)), c)),
        of_whole(
            "refuter.pendulum",
            "n³ − 3000 n² + 2 222 222 n ≥ c",
            (0.0, 100_000.0),
            Some(("n ≤ 100000", |w| w.n <= 100_000)),
            (-41_794_772.5, -41_794_774.0),
        )
        .judged(|w, c| {
            let n = Enclosure::from(w.n);
            at_least(n.powi(3) - 3000.0 * n.square() + 2_222_222.0 * n, c)
        }),
        of_whole(
            "refuter.late-sum",
            "Σ 1/(k log² (k + 1)) to n is at most c",
            (1.0, 100.0),
            Some(("1 ≤ n ≤ 5000", |w| (1..=5000).contains(&w.n))),
            (3.2, 4.0),
        )
        .judged(|w, c| {
            let term = |k: u64| 1.0 / (Enclosure::from(k) * Enclosure::from(k + 1).ln().square());
            at_most((1..=w.n.min(5000)).map(term).sum::<Enclosure>(), c)
        }),
        of_two(
            "refuter.common-divisor",
            "gcd(n, k) ≤ c for n ≠ k",
            (1.0, 1000.0),
            Some(("1 ≤ n, k ≤ 1000, n ≠ k", |w| {
                (1..=1000).contains(&w.n) && (1..=1000).contains(&w.k) && w.n != w.k
            })),
            (330.0, 500.0),
        )
        .judged(|w, c| at_most(common_divisor(w.n, w.k), c)),
        of_two(
            "refuter.near-cubes",
            "|n³ − 2k³| ≥ c for n, k ≥ 2",
            (2.0, 200.0),
            Some(("2 ≤ n, k ≤ 5000", |w| (2..=5000).contains(&w.n) && (2..=5000).contains(&w.k))),
            (4.0, 1.0),
        )
        .judged(|w, c| at_least(w.n.pow(3).abs_diff(2 * w.k.pow(3)), c)),
        of_two(
            "refuter.two-squares",
            "|n² + k² − 7778| ≥ c",
            (0.0, 1000.0),
            Some(("n, k ≤ 1000", |w| w.n <= 1000 && w.k <= 1000)),
            (1.0, 0.0),
        )
        .judged(|w, c| at_least((w.n * w.n + w.k * w.k).abs_diff(7778), c)),
    ]
}

fn mixed() -> Vec<Statement> {
    let unit = |m: &Mixed| m.n >= 1 && (0.0..=1.0).contains(&m.x);
    vec![
        of_mixed(
            "refuter.poisson",
            "e^(−x) xⁿ/n! ≤ c for n ≥ 1",
            [(1.0, 50.0), (0.0, 50.0)],
            Some(("1 ≤ n ≤ 150, x ≥ 0", |m| (1..=150).contains(&m.n) && m.x >= 0.0)),
            (0.367_879, 0.367_88),
        )
        .judged(|m, c| {
            let factor = |k: u64| exact(m.x) / Enclosure::from(k);
            let terms = (1..=m.n.min(150)).map(factor);
            at_most(terms.fold((-exact(m.x)).exp(), |a, b| a * b), c)
        }),
        of_mixed(
            "refuter.slow-maximum",
            "n xⁿ (1 − x) ≤ c",
            [(1.0, 100.0), (0.0, 1.0)],
            Some(("n ≥ 1, 0 ≤ x ≤ 1", unit)),
            (0.3678, 0.367_88),
        )
        .judged(|m, c| at_most(Enclosure::from(m.n) * exact(m.x).powi(m.n as i64) * (1.0 - exact(m.x)), c)),
        of_mixed(
            "refuter.wave-of-order-n",
            "cos(nx) ≤ c for 1/10 ≤ x ≤ 3, n ≥ 2",
            [(2.0, 40.0), (0.1, 3.0)],
            Some(("2 ≤ n ≤ 60, 1/10 ≤ x ≤ 3", |m| (2..=60).contains(&m.n) && (0.1..=3.0).contains(&m.x))),
            (1.0 - 1e-9, 1.0),
        )
        .judged(|m, c| at_most((Enclosure::from(m.n) * exact(m.x)).cos(), c)),
        of_mixed(
            "refuter.one-order-only",
            "|n − 17| + (x − 2.2)² ≥ c",
            [(0.0, 1000.0), (-5.0, 5.0)],
            Some(("n ≤ 1000", |m| m.n <= 1000)),
            (1e-8, -1e-9),
        )
        .judged(|m, c| at_least(Enclosure::from(m.n.abs_diff(17)) + (exact(m.x) - 2.2).square(), c)),
        Draft {
            class: Class::Mixed,
            name: "refuter.chosen-share",
            words: "x_k²/Σ xᵢ² + (k − 3)² ≥ c",
            ranges: vec![(0.0, 6.0), (-2.0, 2.0), (-2.0, 2.0), (-2.0, 2.0), (-2.0, 2.0), (-2.0, 2.0), (-2.0, 2.0)],
            from: |x| Chosen { k: x[0] as usize, x: x[1..].to_vec() },
            hypothesis: Some(("x ≠ 0", |i: &Chosen| i.x.iter().any(|&x| x != 0.0))),
            constants: (1e-9, -1e-9),
        }
        .judged(|i, c| {
            let all: Enclosure = numbers(&i.x).map(Enclosure::square).sum();
            let distance = Enclosure::from(i.k.abs_diff(3) as u64);
            at_least(exact(i.x[i.k]).square() / all + distance.square(), c)
        }),
    ]
}
