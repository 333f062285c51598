//! Lemma C.3: given W_i, the vector h(w) is at least |a_i|/4 long with probability at least ½.
//!
//! True whenever P(W_i) > 0. Given W_i, the signs of ⟨w, h_j⟩ for j ≠ i are those of g_ij (|g_ij| ≥ 2ξ, while the part
//! along h̄_i is at most ξ), and do not change if w is reflected along h̄_i. So for every pattern of those signs h(w)
//! is A or A + a_i h_i with probability ½ each, and ‖A‖ and ‖A + a_i h_i‖ cannot both be below |a_i|‖h_i‖/2 ≥ |a_i|/4.
//! Since g is symmetric, a pattern and its opposite are equally likely: the probability is enclosed by the smallest and
//! the largest mean of such a pair of patterns (exactly known for n ≤ 2).

use enclosures::vectors::{norm, points, sum_of_squares};
use evidence::claim::pairs_below;
use evidence::prelude::*;
use proptest::collection::vec;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

use crate::shared::unit_points::UnitPoints;

/// The vectors h_1, …, h_n and the numbers a_1, …, a_n.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(
    describe = "h = {vectors:?}, a = {factors:?}",
    simpler = Self::without_a_vector,
    valid = Self::has_directions,
    stored
)]
struct Combination {
    #[instance(length = "n in 1..=9, 1..", range = "-1e3..=1e3")]
    vectors: Vec<Vec<f64>>,
    #[instance(length = "n", range = "-1e3..=1e3")]
    factors: Vec<f64>,
}

impl Combination {
    fn without_a_vector(&self) -> Vec<Self> {
        let without = |drop: usize| {
            let mut fewer = self.clone();
            fewer.vectors.remove(drop);
            fewer.factors.remove(drop);
            fewer
        };
        (0..self.factors.len()).map(without).collect()
    }
}

impl Combination {
    /// Every h̄_i, and with it W_i, is defined.
    fn has_directions(&self) -> Result<(), String> {
        let zero = |h: &Vec<f64>| h.iter().all(|&x| x == 0.0);
        if self.vectors.iter().any(zero) { Err("a vector is zero and has no direction".into()) } else { Ok(()) }
    }

    fn count(&self) -> usize {
        self.factors.len()
    }

    fn norm_squared(&self, i: usize) -> Interval {
        sum_of_squares(&points(&self.vectors[i]))
    }

    fn norms_fit(&self) -> bool {
        (0..self.count()).all(|i| {
            let square = self.norm_squared(i);
            square.lo() >= 0.25 && square.hi() <= 4.0
        })
    }

    /// Whether the angle of every two vectors lies between these two.
    fn all_angles(&self, least: f64, most: f64) -> bool {
        let points = UnitPoints { layers: 1, points: self.vectors.clone() };
        self.count() < 2
            || pairs_below(self.count()).all(|(j, i)| {
                let angle = points.angle(i, j);
                angle.lo() > least && angle.hi() < most
            })
    }

    /// Whether the directions are distinct as lines, by a margin, so that every W_i has a positive probability for
    /// small ξ.
    fn distinct_lines(&self) -> bool {
        self.all_angles(1e-6, 3.141_591)
    }

    /// A for every pattern of the signs of the others, and A + a_i h_i.
    fn sums(&self, i: usize) -> Vec<[Vec<Interval>; 2]> {
        let others: Vec<usize> = (0..self.count()).filter(|&j| j != i).collect();
        let add = |sum: &mut Vec<Interval>, j: usize| {
            for (s, &h) in sum.iter_mut().zip(&self.vectors[j]) {
                *s += Interval::point(self.factors[j]) * h;
            }
        };
        let pattern = |bits: u32| {
            let mut sum = vec![Interval::ZERO; self.vectors[i].len()];
            for (place, &j) in others.iter().enumerate() {
                if bits >> place & 1 == 1 {
                    add(&mut sum, j);
                }
            }
            let mut with_own = sum.clone();
            add(&mut with_own, i);
            [sum, with_own]
        };
        (0..1u32 << others.len()).map(pattern).collect()
    }

    /// P(‖h(w)‖ ≥ threshold | W_i), given the square of the threshold.
    fn probability(&self, i: usize, threshold_squared: Interval) -> Enclosure {
        let reached = |v: &Vec<Interval>| {
            let square = sum_of_squares(v);
            if square.lo() >= threshold_squared.hi() {
                Interval::ONE
            } else if square.hi() < threshold_squared.lo() {
                Interval::ZERO
            } else {
                Interval::new(0.0, 1.0)
            }
        };
        let means: Vec<Interval> =
            self.sums(i).iter().map(|pair| (reached(&pair[0]) + reached(&pair[1])) / 2.0).collect();
        // The opposite pattern has the complementary bits.
        let pairs = means.iter().zip(means.iter().rev()).map(|(&a, &b)| (a + b) / 2.0);
        let (low, high) = pairs.fold((1.0_f64, 0.0_f64), |(lo, hi), p| (lo.min(p.lo()), hi.max(p.hi())));
        Enclosure::between(low, high)
    }

    /// P(‖h(w)‖ ≥ share |a_i| | W_i) ≥ probability for all i.
    fn judged(&self, share: f64, probability: f64) -> Evaluation {
        self.given_each(|i| {
            let threshold = Interval::point(self.factors[i]).square() * Interval::point(share).square();
            at_least(self.probability(i, threshold), exact(probability))
        })
    }

    /// A statement given W_i, for all i. Where two vectors may lie on one line some W_i may be empty.
    fn given_each(&self, check: impl Fn(usize) -> Evaluation) -> Evaluation {
        if !self.all_angles(0.0, std::f64::consts::PI) {
            return vacuous("two vectors lie on one line: P(W_i) = 0");
        }
        for_each_index("i =", 0..self.count(), check)
    }
}

fn named() -> Vec<(&'static str, Combination)> {
    let of = |vectors: &[&[f64]], factors: &[f64]| Combination {
        vectors: vectors.iter().map(|h| h.to_vec()).collect(),
        factors: factors.to_vec(),
    };
    vec![
        ("n = 1, ‖h‖ = ½", of(&[&[0.5]], &[1.0])),
        ("n = 1, ‖h‖ = 2", of(&[&[2.0]], &[-3.0])),
        ("a_i = 0", of(&[&[1.0, 0.0], &[0.0, 1.0]], &[0.0, 1.0])),
        ("half cancelled by a near vector", of(&[&[0.5, 0.0], &[0.5, 0.0078125]], &[1.0, -0.5])),
        ("half cancelled by a near vector, twice as long", of(&[&[0.5625, 0.0], &[0.5625, 0.0078125]], &[2.0, -1.0])),
        ("half cancelled in three dimensions", of(&[&[0.0, 0.53125, 0.0], &[0.0, 0.53125, 0.015625]], &[-1.0, 0.5])),
        ("orthogonal", of(&[&[1.0, 0.0], &[0.0, 1.0]], &[1.0, -1.0])),
        (
            "three near vectors that cancel",
            of(&[&[0.5, 0.0, 0.0], &[0.5, 0.015625, 0.0], &[0.5, 0.0, 0.015625]], &[1.0, -0.5, -0.5]),
        ),
        ("three in a plane", of(&[&[1.0, 0.0], &[0.5, 0.75], &[0.0, 1.5]], &[2.0, -1.0, 0.5])),
    ]
}

fn drawn() -> impl Strategy<Value = Combination> {
    (1usize..=5, 1usize..=4).prop_flat_map(|(n, d)| {
        let d = if n > 1 { d.max(2) } else { d };
        (vec(vec(-1.0..1.0f64, d), n), vec(-2.0..2.0f64, n), vec(0.55..1.95f64, n)).prop_map(
            |(rows, factors, norms)| {
                let scaled = |(row, wanted): (Vec<f64>, f64)| {
                    let length = norm(&row).max(1e-3);
                    row.iter().map(|x| wanted * x / length).collect()
                };
                Combination { vectors: rows.into_iter().zip(norms).map(scaled).collect(), factors }
            },
        )
    })
}

pub fn claim() -> Claim {
    Claim::new("wen2020.lemma-c3", "length of h(w) given W_i", Kind::ProbabilityBound)
        .statement(
            "½ ≤ ‖h_i‖ ≤ 2; for all a ∈ ℝⁿ, h(w) = Σ_i a_i σ′(⟨w, h_i⟩) h_i with w ~ N(0, I), and every i: P(‖h(w)‖ ≥ \
             |a_i|/4 | w ∈ W_i) ≥ ½",
        )
        .source("Lemma C.3", &["Lemma C.2 of Zou and Gu (2019)"])
        .symbol("h(w)", "Σ_i a_i 1{⟨w, h_i⟩ ≥ 0} h_i, i = 1, …, n, of w ~ N(0, I)")
        .symbol(
            "W_i",
            "the event |⟨w, h̄_i⟩| ≤ ξ, |⟨w − ⟨w, h̄_i⟩h̄_i, h̄_j⟩| ≥ 2ξ for all j ≠ i, h̄ = h/‖h‖, for any ξ > 0 that is \
             small enough",
        )
        .symbol("‖A‖", "of A = Σ_{j≠i} a_j 1{⟨w, h_j⟩ ≥ 0} h_j, for every choice of the indicators")
        .symbol(
            "| W_i",
            "given W_i the two values of 1{⟨w, h_i⟩ ≥ 0} are equally likely for every pattern of the others, and a \
             pattern is as likely as its opposite",
        )
        .remark("P(W_i) > 0 is a silent hypothesis; it fails for antipodal vectors.")
        .remark(
            "Proof of the sharpening: given the signs of ⟨w, h_j⟩, j ≠ i, which a reflection of w along h̄_i leaves \
             alone on W_i, h(w) is A or A + a_i h_i with probability ½ each, and ‖A‖ + ‖A + a_i h_i‖ ≥ |a_i|‖h_i‖.",
        )
        .setting(printed())
}

fn printed() -> Setting<Combination, ()> {
    Setting::of()
        .given("n ≥ 1 vectors h_1, …, h_n of one dimension, none of them zero, a ∈ ℝⁿ")
        .assume(Hypothesis::new("½ ≤ ‖h_i‖ ≤ 2", Combination::norms_fit))
        .assume(Hypothesis::new(
            "no two vectors on one line (their angle is between 10⁻⁶ and 3.141591), so that P(W_i) > 0",
            Combination::distinct_lines,
        ))
        .family(edge("named", named))
        .family(outside("short, long and opposite vectors", || {
            let of = |vectors: &[&[f64]], factors: &[f64]| Combination {
                vectors: vectors.iter().map(|h| h.to_vec()).collect(),
                factors: factors.to_vec(),
            };
            vec![
                ("‖h_1‖ = 0.1", of(&[&[0.1]], &[1.0])),
                ("‖h_1‖ = 3", of(&[&[3.0]], &[1.0])),
                ("h_2 = −h_1", of(&[&[1.0, 0.0], &[-1.0, 0.0]], &[1.0, 1.0])),
            ]
        }))
        .family(random("drawn", drawn))
        .part("printed", "P(‖h(w)‖ ≥ |a_i|/4 | W_i) ≥ ½ for every i", holds(), |c: &Combination, ()| {
            c.judged(0.25, 0.5)
        })
        .step(
            "s1",
            "max(‖A‖, ‖A + a_i h_i‖) ≥ |a_i|‖h_i‖/2 for every i and every pattern of the other signs",
            holds(),
            |c, ()| {
                all_of((0..c.count()).flat_map(|i| {
                    let own = c.norm_squared(i) * Interval::point(c.factors[i]).square();
                    c.sums(i).into_iter().map(move |[without, with_own]| {
                        let longer = sum_of_squares(&without).max(sum_of_squares(&with_own));
                        (format!("i = {}", i + 1), at_least(longer, own / 4.0))
                    })
                }))
            },
        )
        .sharpening("own-norm", "P(‖h(w)‖ ≥ |a_i|‖h_i‖/2 | W_i) ≥ ½ for every i", holds(), |c, ()| {
            c.given_each(|i| {
                // Both sums may be exactly as long as the threshold; a last place is left to rounding.
                let own = c.norm_squared(i) * Interval::point(c.factors[i]).square();
                let threshold = own / 4.0 * (1.0 - 1e-12);
                at_least(c.probability(i, threshold), exact(0.5))
            })
        })
        .control("a", "P(‖h(w)‖ ≥ 0.51|a_i| | W_i) ≥ ½ for every i", |c, ()| c.judged(0.51, 0.5))
        .control("b", "P(‖h(w)‖ ≥ |a_i|/4 | W_i) ≥ 0.51 for every i", |c, ()| c.judged(0.25, 0.51))
        .assume(Hypothesis::new("n = 1", |c| c.count() == 1))
        .control("c", "P(‖h(w)‖ ≥ 0.3|a_i| | W_i) ≥ ½ for every i, n ≥ 2", |c, ()| c.judged(0.3, 0.5))
        .assume(Hypothesis::new("n ≥ 2", |c| c.count() >= 2))
}
