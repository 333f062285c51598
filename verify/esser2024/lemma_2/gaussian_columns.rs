//! Gaussian columns, from which Lemma 2 makes random orthonormal ones: the probabilities of its proof, and vectors for its step s3.

use enclosures::probability::{normal_two_sided_tail, sphere_coordinate_tail};
use enclosures::vectors::largest_magnitude;
use evidence::prelude::*;
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy, prop_oneof};
use serde::{Deserialize, Serialize};

pub fn log(h: u64) -> Enclosure {
    Enclosure::from(h).ln()
}

/// P(max |Q_ij| ≥ a) over h×d entries: at least that of one entry, at most the sum.
pub fn exceeds(h: u64, d: u64, a: Enclosure) -> Enclosure {
    let one = Enclosure::from(sphere_coordinate_tail(h, a.interval()));
    let all = (one * Enclosure::from(h) * Enclosure::from(d)).min(Enclosure::ONE);
    Enclosure::between(one.lo(), all.hi())
}

/// A width and the numbers t, s of the proof.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(simpler = Self::narrower, stored)]
pub struct Gaussians {
    #[instance(range = "1..=1_000_000")]
    pub h: u32,
    #[instance(range = "0..=8")]
    pub t: f64,
    #[instance(range = "0..=1")]
    pub s: f64,
}

impl Gaussians {
    fn narrower(&self) -> Vec<Self> {
        let of = |h| Gaussians { h, ..self.clone() };
        (self.h > 1).then(|| [of(self.h.div_ceil(2)), of(self.h - 1)]).into_iter().flatten().collect()
    }
}

impl Gaussians {
    pub fn h(&self) -> u64 {
        u64::from(self.h)
    }

    /// a = t log h.
    pub fn level(&self) -> Enclosure {
        log(self.h()) * self.t
    }

    /// P(max|X_i| ≥ a) = 1 − (1 − p)^h.
    pub fn largest_above(&self) -> Enclosure {
        let p = Enclosure::from(normal_two_sided_tail(self.level().interval()));
        if p.hi() >= 1.0 {
            return Enclosure::between(p.lo(), 1.0);
        }
        -((-p).ln_1p() * f64::from(self.h)).exp_m1()
    }

    /// h e^{−a²/2}.
    pub fn decay(&self) -> Enclosure {
        (-(self.level().square() / 2.0)).exp() * f64::from(self.h)
    }

    /// e^{−hs²/4}: C′ = 1 and c′ = 1/4.
    pub fn norm_decay(&self) -> Enclosure {
        (-(exact(self.s).square() * f64::from(self.h) / 4.0)).exp()
    }

    /// P(|X_i|/‖X‖ ≥ t log h/√(h(1−s)) for an entry of so many columns).
    pub fn column_above(&self, columns: u64) -> Enclosure {
        let scale = (Enclosure::from(self.h()) * (1.0 - exact(self.s))).sqrt();
        exceeds(self.h(), columns, self.level() / scale)
    }

    /// The right side of s4.
    pub fn printed_bound(&self) -> Enclosure {
        self.decay() / (Enclosure::pi() * 2.0).sqrt() + self.norm_decay()
    }
}

pub fn gaussians() -> Vec<Family<Gaussians>> {
    vec![
        edge("small and large widths", || {
            let mut all = Vec::new();
            for h in [1u32, 2, 3, 4, 5, 7, 10, 20, 100, 300, 1_000_000] {
                for t in [0.0, 0.1, 0.5, 1.0, 1.5, 2.0, 4.0] {
                    for s in [0.0, 0.1, 0.5, 0.9] {
                        all.push(Gaussians { h, t, s });
                    }
                }
            }
            described(all)
        }),
        random("any", || {
            let h = prop_oneof![1u32..=12, 1u32..=600];
            let t = prop_oneof![0.0..4.0f64, Just(0.0)];
            (h, t, 0.0..1.0f64).prop_map(|(h, t, s)| Gaussians { h, t, s })
        }),
    ]
}

/// A vector and the numbers of step s3.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "X = {x:?}, t = {t}, s = {s}", simpler = Self::without_a_number, stored)]
pub struct ColumnSample {
    #[instance(length = "1..", range = "-1e6..=1e6")]
    pub x: Vec<f64>,
    #[instance(range = "0..=8")]
    pub t: f64,
    #[instance(range = "0.01..0.999")]
    pub s: f64,
}

impl ColumnSample {
    fn without_a_number(&self) -> Vec<Self> {
        let all = (0..self.x.len()).filter(|_| self.x.len() > 1);
        let without = |k: usize| {
            let mut x = self.x.clone();
            x.remove(k);
            ColumnSample { x, ..self.clone() }
        };
        all.map(without).collect()
    }
}

impl ColumnSample {
    pub fn h(&self) -> u64 {
        self.x.len() as u64
    }

    pub fn largest(&self) -> f64 {
        largest_magnitude(&self.x)
    }

    pub fn squares(&self) -> Enclosure {
        self.x.iter().map(|&x| exact(x).square()).sum()
    }

    pub fn mean_square(&self) -> Enclosure {
        self.squares() / Enclosure::from(self.h())
    }

    /// max|X_i| ≤ t log h, beyond doubt.
    pub fn largest_is_small(&self) -> bool {
        self.largest() <= (log(self.h()) * self.t).lo()
    }
}

pub fn samples() -> Vec<Family<ColumnSample>> {
    vec![
        edge("named", || {
            let of = |x: &[f64], t, s| ColumnSample { x: x.to_vec(), t, s };
            vec![
                ("one entry", of(&[1.0, 0.0], 2.0, 0.25)),
                ("constant", of(&[1.0, 1.0, 1.0], 1.0, 0.25)),
                ("small", of(&[0.125, 0.125, 0.0], 1.0, 0.5)),
                ("zero", of(&[0.0, 0.0], 1.0, 0.5)),
                ("long", of(&[2.0, 2.0, 2.0], 4.0, 0.5)),
                ("h = 1", of(&[0.0], 1.0, 0.5)),
                ("all conditions nearly equalities", of(&[0.549, 0.549, 0.549], 0.5, 0.699)),
            ]
        }),
        random("any", || {
            let x = (1usize..=8).prop_flat_map(|h| vec(-1.5..1.5f64, h));
            (x, 0.5..3.0f64, 0.01..0.99f64).prop_map(|(x, t, s)| ColumnSample { x, t, s })
        }),
    ]
}

pub fn compare_largest(v: &ColumnSample) -> Evaluation {
    let right = log(v.h()) * v.t * v.squares().sqrt();
    let left = exact(v.largest()) * (Enclosure::from(v.h()) * (1.0 - exact(v.s))).sqrt();
    at_most(left, right)
}

/// Logarithms of both sequences, at a size from which they should be below 1/h.
pub fn vanishing(g: &Gaussians) -> Evaluation {
    // Exponents beyond these mean that there is no such size.
    let k = (6.0 / exact(g.t.max(1e-3)).square()) * 1.001;
    let first = 2.0 * k - exact(g.t).square() * k.square() / 2.0;
    let h = 64.0 / exact(g.s.max(1e-3)).powi(4);
    let second = h.ln() - exact(g.s).square() * h / 4.0;
    all_of([("h²e^{−t²log²h/2}", at_most(first, -k)), ("he^{−hs²/4}", at_most(second, -h.ln()))])
}
