//! The dimension of Johnson and Lindenstrauss in the proof of Dasgupta and Gupta, with exact chi-square tails.
//!
//! A Gaussian map keeps the squared length of one vector up to a factor χ²_k/k. What the proof needs is that this misses [1 − ε, 1 + ε] with
//! probability at most 2/n², since there are fewer than n²/2 pairs. The dimension is often quoted as 8 log n/ε², without the cubic term
//! in its denominator, and then is too small for ε near one.

use contrapositive::prelude::*;
use contrapositive::probability::chi_square_lower_tail;
use proptest::prelude::Strategy;
use serde::{Deserialize, Serialize};

/// The largest dimension for which tails are computed.
const LARGEST: f64 = 650.0;

/// A number of points and a distortion.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "n = {n}, ε = {eps}", valid = Self::is_low, simpler = Self::fewer, stored)]
struct Points {
    #[instance(range = "2..=10_000")]
    n: u64,
    #[instance(range = "(0, 1)")]
    eps: f64,
}

impl Points {
    fn log_n(&self) -> Enclosure {
        Enclosure::from(self.n).ln()
    }

    /// 4 log n/(ε²/2 − ε³/3).
    fn quoted(&self) -> Enclosure {
        let eps = exact(self.eps);
        4.0 * self.log_n() / (eps.square() / 2.0 - eps.powi(3) / 3.0)
    }

    /// The chance that a map into `dimension` dimensions, rounded up, does not keep the squared length of one vector.
    fn missed(&self, dimension: Enclosure) -> Enclosure {
        let k = dimension.hi().ceil() as u32;
        let below = |factor: Enclosure| -> Enclosure {
            chi_square_lower_tail(k, (factor * Enclosure::from(k)).interval()).into()
        };
        let eps = exact(self.eps);
        below(1.0 - eps) + (1.0 - below(1.0 + eps))
    }

    /// 2/n².
    fn allowed(&self) -> Enclosure {
        2.0 / Enclosure::from(self.n).square()
    }
}

impl Points {
    fn is_low(&self) -> Result<(), String> {
        let k = self.quoted().hi();
        (k <= LARGEST).then_some(()).ok_or_else(|| format!("the dimension {k} exceeds {LARGEST}"))
    }

    fn fewer(&self) -> Vec<Self> {
        vec![Points { n: self.n / 2, ..*self }, Points { n: self.n - 1, ..*self }]
    }
}

fn named() -> Vec<(&'static str, Points)> {
    let of = |n, eps| Points { n, eps };
    vec![
        ("two points", of(2, 0.25)),
        ("ten points", of(10, 0.5)),
        ("a hundred points", of(100, 0.3)),
        ("a thousand points, coarse", of(1000, 0.9)),
        ("a thousand points", of(1000, 0.5)),
        ("ten thousand points, coarse", of(10_000, 0.95)),
        ("ten thousand points", of(10_000, 0.45)),
    ]
}

fn drawn() -> impl Strategy<Value = Points> {
    (2u32..=13, 0.0..1.0f64, 0.0..1.0f64).prop_map(|(octave, place, share)| {
        let base = 1u64 << octave;
        let n = (base + (base as f64 * place) as u64).min(10_000);
        // From the least ε whose dimension is computed, up to one.
        let least = (0.1 * f64::from(octave + 1)).sqrt() * 0.36 + 0.05;
        Points { n, eps: (least + share * (0.99 - least)).min(0.99) }
    })
}

/// As it is quoted.
pub fn claim() -> Claim {
    Claim::new("classics.johnson-lindenstrauss", "The dimension of Johnson and Lindenstrauss", Kind::ProbabilityBound)
        .statement(
            "for k ≥ 4 log n/(ε²/2 − ε³/3) a Gaussian map ℝ^d → ℝ^k keeps the squared distance of two points up to a \
             factor in [1 − ε, 1 + ε], except with probability at most 2/n²",
        )
        .source("Dasgupta and Gupta 2003, theorem 2.1 and lemma 2.2", &["Johnson and Lindenstrauss 1984, lemma 1"])
        .symbol("χ²_k/k", "the factor of the squared distance: a mean of k squares of standard normal variables")
        .symbol("k", "the stated dimension, rounded up")
        .setting(
            Setting::of()
                .given("0 < ε < 1, 2 ≤ n ≤ 10000, k ≤ 650")
                .family(edge("named", named))
                .family(random("drawn", drawn))
                .part(
                    "printed",
                    "P(χ²_k/k ∉ [1 − ε, 1 + ε]) ≤ 2/n² with k = 4 log n/(ε²/2 − ε³/3)",
                    holds(),
                    |p: &Points, ()| at_most(p.missed(p.quoted()), p.allowed()),
                )
                .control("a", "the same with k = log n/ε²", |p, ()| {
                    at_most(p.missed(p.log_n() / exact(p.eps).square()), p.allowed())
                })
                .control("b", "the same with k = 2 log n/(ε²/2 − ε³/3), half of it", |p, ()| {
                    at_most(p.missed(p.quoted() / 2.0), p.allowed())
                }),
        )
}

/// Without the cubic term.
pub fn misquoted() -> Claim {
    Claim::new(
        "classics.johnson-lindenstrauss-cubic",
        "The dimension of Johnson and Lindenstrauss without its cubic term, misquoted",
        Kind::ProbabilityBound,
    )
    .statement(
        "for k ≥ 8 log n/ε² a Gaussian map ℝ^d → ℝ^k keeps the squared distance of two points up to a factor in [1 − \
         ε, 1 + ε], except with probability at most 2/n²",
    )
    .source("a misquotation", &["of Dasgupta and Gupta 2003, theorem 2.1"])
    .symbol("χ²_k/k", "the factor of the squared distance: a mean of k squares of standard normal variables")
    .symbol("k", "the stated dimension, rounded up")
    .setting(
        Setting::of()
            .given("0 < ε < 1, 2 ≤ n ≤ 10000, 4 log n/(ε²/2 − ε³/3) ≤ 650")
            .family(edge("named", named))
            .family(random("drawn", drawn))
            .part(
                "printed",
                "P(χ²_k/k ∉ [1 − ε, 1 + ε]) ≤ 2/n² with k = 8 log n/ε²",
                fails("ε near one"),
                |p: &Points, ()| at_most(p.missed(8.0 * p.log_n() / exact(p.eps).square()), p.allowed()),
            )
            .amendment("corrected", "the same with k = 4 log n/(ε²/2 − ε³/3)", holds(), |p, ()| {
                at_most(p.missed(p.quoted()), p.allowed())
            })
            .amendment("twelve", "the same with k = 24 log n/ε², which is never smaller", holds(), |p, ()| {
                at_most(p.missed(24.0 * p.log_n() / exact(p.eps).square()), p.allowed())
            })
            .assume(Hypothesis::new("24 log n/ε² ≤ 650", |p| {
                (24.0 * p.log_n() / exact(p.eps).square()).hi() <= LARGEST
            }))
            .control("a", "the same with k = 4 log n/ε²", |p, ()| {
                at_most(p.missed(4.0 * p.log_n() / exact(p.eps).square()), p.allowed())
            }),
    )
}
