//! Whole numbers, alone and beside real ones.

use enclosures::enclosure::{Enclosure, exact};
use evidence::claim::{at_least, at_most};

use super::drafts::{of_mixed, of_two, of_whole};
use crate::instances::{Chosen, Number, Switched};
use crate::statement::{Class, Draft, Statement};

pub fn all() -> Vec<Statement> {
    [whole(), mixed()].into_iter().flatten().collect()
}

fn whole() -> Vec<Statement> {
    vec![
        of_whole(
            "refuter.residue",
            "(n − 1234) mod 9973 ≥ c",
            (0.0, 20_000.0),
            Some(("n ≤ 20000", |w| w.n <= 20_000)),
            (1.0, 0.0),
        )
        .judged(|w, c| at_least((w.n + 9973 - 1234) % 9973, c)),
        of_whole(
            "refuter.powers-of-two",
            "n log 2 − 10 log n ≥ c",
            (1.0, 10_000.0),
            Some(("n ≥ 1", |w| w.n >= 1)),
            (0.0, -17.0),
        )
        .judged(|w, c| {
            let n = Enclosure::from(w.n);
            at_least(n * Enclosure::ln_2() - 10.0 * n.ln(), c)
        }),
        of_whole(
            "refuter.harmonic",
            "1 + 1/2 + … + 1/n ≤ c",
            (1.0, 1000.0),
            Some(("1 ≤ n ≤ 20000", |w| (1..=20_000).contains(&w.n))),
            (10.0, 13.0),
        )
        .judged(|w, c| {
            let terms = (1..=w.n.min(20_000)).map(|k| Enclosure::ONE / k as f64);
            at_most(terms.sum::<Enclosure>(), c)
        }),
        of_whole(
            "refuter.compound-interest",
            "n log(1 + 1/n) ≤ c",
            (1.0, 100.0),
            Some(("n ≥ 1", |w| w.n >= 1)),
            (1.0 - 1e-5, 1.0),
        )
        .judged(|w, c| {
            let n = Enclosure::from(w.n);
            at_most(n * (1.0 / n).ln_1p(), c)
        }),
        of_two(
            "refuter.pell",
            "|n² − 2k²| ≥ c",
            [(1.0, 1000.0), (1.0, 1000.0)],
            Some(("1 ≤ n, k ≤ 10⁶", |w| (1..=1_000_000).contains(&w.n) && (1..=1_000_000).contains(&w.k))),
            (2.0, 1.0),
        )
        .judged(|w, c| at_least((w.n * w.n).abs_diff(2 * w.k * w.k), c)),
        of_two(
            "refuter.powers",
            "|2ⁿ − 3ᵏ| ≥ c",
            [(1.0, 60.0), (1.0, 38.0)],
            Some(("1 ≤ n ≤ 60, 1 ≤ k ≤ 38", |w| (1..=60).contains(&w.n) && (1..=38).contains(&w.k))),
            (2.0, 1.0),
        )
        .judged(|w, c| at_least((1u64 << w.n.min(60)).abs_diff(3u64.pow(w.k.min(38) as u32)), c)),
        of_two(
            "refuter.two-residues",
            "max((n − 17) mod 97, (k − 23) mod 89) ≥ c",
            [(0.0, 1000.0), (0.0, 1000.0)],
            Some(("n, k ≤ 1000", |w| w.n <= 1000 && w.k <= 1000)),
            (1.0, 0.0),
        )
        .judged(|w, c| at_least(((w.n + 80) % 97).max((w.k + 66) % 89), c)),
    ]
}

fn mixed() -> Vec<Statement> {
    vec![
        of_mixed(
            "refuter.one-success",
            "n x (1 − x)ⁿ⁻¹ ≤ c",
            [(1.0, 21.0), (0.0, 1.0)],
            Some(("n ≥ 1, 0 ≤ x ≤ 1", |m| m.n >= 1 && (0.0..=1.0).contains(&m.x))),
            (0.9999, 1.0),
        )
        .judged(|m, c| {
            let rest = (1.0 - exact(m.x)).powi(m.n as i64 - 1);
            at_most(Enclosure::from(m.n) * exact(m.x) * rest, c)
        }),
        of_mixed(
            "refuter.bernoulli",
            "(1 + t − c)ⁿ ≥ 1 + n (t − c) for t ≥ 0",
            [(1.0, 1000.0), (0.0, 10.0)],
            Some(("1 ≤ n ≤ 1000, t ≥ 0", |m| (1..=1000).contains(&m.n) && m.x >= 0.0)),
            (2.02, 2.0),
        )
        .judged(|m, c| {
            let x = exact(m.x) - c;
            at_least((1.0 + x).powi(m.n as i64), 1.0 + Enclosure::from(m.n) * x)
        }),
        of_mixed(
            "refuter.ridge",
            "n log x − x ≤ n log n − n + c",
            [(1.0, 100.0), (0.0, 200.0)],
            Some(("n ≥ 1, x > 0", |m| m.n >= 1 && m.x > 0.0)),
            (-1e-4, 0.0),
        )
        .judged(|m, c| {
            let (n, x) = (Enclosure::from(m.n), exact(m.x));
            at_most(n * x.ln() - x, n * n.ln() - n + c)
        }),
        Draft {
            class: Class::Mixed,
            name: "refuter.chosen-entry",
            words: "x_k − mean of the others ≤ c",
            ranges: vec![(0.0, 4.0), (0.0, 1.0), (0.0, 1.0), (0.0, 1.0), (0.0, 1.0)],
            from: |x| Chosen { k: x[0] as usize, x: x[1..].to_vec() },
            hypothesis: Some(("0 ≤ xᵢ ≤ 1", |i: &Chosen| i.x.iter().all(|x| (0.0..=1.0).contains(x)))),
            constants: (0.9999, 1.0),
        }
        .judged(|i, c| {
            let others = i.x.iter().enumerate().filter(|(j, _)| *j != i.k);
            let mean = others.map(|(_, &x)| exact(x)).sum::<Enclosure>() / (i.x.len() - 1) as f64;
            at_most(exact(i.x[i.k]) - mean, c)
        }),
        Draft {
            class: Class::Mixed,
            name: "refuter.switched",
            words: "x² e^(1−x²) ≤ c where the switch is on, 1/2 ≤ c where it is off",
            ranges: vec![(0.0, 2.0), (-10.0, 10.0)],
            from: |x| Switched { flag: x[0] >= 1.0, x: x[1] },
            hypothesis: None,
            constants: (1.0 - 1e-8, 1.0),
        }
        .judged(|s, c| {
            let square = exact(s.x).square();
            let on = square * (1.0 - square).exp();
            at_most(if s.flag { on } else { exact(0.5) }, c)
        }),
        Draft {
            class: Class::Integer,
            name: "refuter.whole-root",
            words: "|x² − 2209/4| ≥ c",
            ranges: vec![(0.0, 2000.0)],
            from: |x| Number { x: x[0].floor() / 2.0 },
            hypothesis: Some(("2x is whole", |n: &Number| (2.0 * n.x).fract() == 0.0)),
            constants: (1e-9, 0.0),
        }
        .judged(|n, c| at_least((exact(n.x).square() - 552.25).abs(), c)),
    ]
}
