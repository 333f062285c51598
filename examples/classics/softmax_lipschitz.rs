//! How far softmax moves: its Lipschitz constant in the Euclidean norm, with its temperature.
//!
//! "1-Lipschitz" is what one reads (Gao and Pavel 2017); the best constant is ½, since the Jacobian diag(v) − vvᵀ has norm at most ½. "¼, like
//! the sigmoid" is false: for two classes the sigmoid sees the difference of the logits, which is √2 times their distance, and its two
//! outputs move together. All of this is for temperature one; the constant is divided by τ.

use contrapositive::prelude::*;
use proptest::collection::vec;
use proptest::prelude::Strategy;
use serde::{Deserialize, Serialize};

/// Two vectors of logits, and a temperature.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "x = {x:?}, y = {y:?}, τ = {tau}", simpler = Self::shorter, stored)]
struct Logits {
    #[instance(length = "n in 1..", range = "-1e4..=1e4")]
    x: Vec<f64>,
    #[instance(length = "n", range = "-1e4..=1e4")]
    y: Vec<f64>,
    #[instance(range = "0.01..=100")]
    tau: f64,
}

impl Logits {
    fn of(x: &[f64], y: &[f64], tau: f64) -> Self {
        Logits { x: x.to_vec(), y: y.to_vec(), tau }
    }

    fn softmax(&self, x: &[f64]) -> Vec<Enclosure> {
        let scaled: Vec<Enclosure> = x.iter().map(|&x| exact(x) / self.tau).collect();
        let total = log_sum_exp(&scaled);
        scaled.into_iter().map(|x| (x - total).exp()).collect()
    }

    /// ‖σ(x/τ) − σ(y/τ)‖² and ‖x − y‖².
    fn moved(&self) -> Moved {
        let outputs = self.softmax(&self.x).into_iter().zip(self.softmax(&self.y));
        let inputs = self.x.iter().zip(&self.y);
        Moved {
            out: outputs.map(|(a, b)| (a - b).square()).sum(),
            into: inputs.map(|(&a, &b)| (exact(a) - b).square()).sum(),
            tau: exact(self.tau),
        }
    }
}

struct Moved {
    out: Enclosure,
    into: Enclosure,
    tau: Enclosure,
}

impl Moved {
    /// ‖σ(x/τ) − σ(y/τ)‖ ≤ c ‖x − y‖, both sides squared.
    fn at_most(&self, c: impl Into<Enclosure>) -> Evaluation {
        at_most(self.out, c.into().square() * self.into).on_scale_of("‖σ‖² ≤ 1", 1.0)
    }
}

impl Logits {
    fn shorter(&self) -> Vec<Self> {
        let without = |i: usize| {
            let mut fewer = self.clone();
            fewer.x.remove(i);
            fewer.y.remove(i);
            fewer
        };
        (0..self.x.len()).filter(|_| self.x.len() > 1).map(without).collect()
    }
}

fn named() -> Vec<(&'static str, Logits)> {
    vec![
        ("equal", Logits::of(&[1.0, 2.0], &[1.0, 2.0], 1.0)),
        ("two classes around zero", Logits::of(&[0.125, -0.125], &[-0.125, 0.125], 1.0)),
        ("two classes, far apart", Logits::of(&[5.0, -5.0], &[-5.0, 5.0], 1.0)),
        ("two of four classes compete", Logits::of(&[0.25, -0.25, -9.0, -9.0], &[-0.25, 0.25, -9.0, -9.0], 1.0)),
        ("cold", Logits::of(&[0.0625, 0.0], &[0.0, 0.0625], 0.25)),
        ("colder", Logits::of(&[0.015625, 0.0, 0.0], &[0.0, 0.015625, 0.0], 0.125)),
        ("hot", Logits::of(&[2.0, 0.0, -1.0], &[0.0, 2.0, 1.0], 4.0)),
        ("one class", Logits::of(&[1.0], &[3.0], 1.0)),
    ]
}

fn drawn() -> impl Strategy<Value = Logits> {
    (2usize..=5, 0.25..4.0f64).prop_flat_map(|(n, tau)| {
        (vec(-2.0..2.0f64, n), vec(-2.0..2.0f64, n)).prop_map(move |(x, y)| Logits { x, y, tau })
    })
}

fn setting() -> Setting<Logits, Moved> {
    Setting::measuring(|l: &Logits, _| Ok(l.moved()))
        .given("σ is softmax, ‖·‖ the Euclidean norm, 0.01 ≤ τ ≤ 100")
        .family(edge("named", named))
        .family(random("drawn", drawn))
}

/// As it is quoted.
pub fn claim() -> Claim {
    Claim::new("classics.softmax-lipschitz", "The Lipschitz constant of softmax", Kind::Inequality)
        .statement("‖σ(x/τ) − σ(y/τ)‖ ≤ (1/τ) ‖x − y‖")
        .source("Gao and Pavel 2017, proposition 4", &[])
        .symbol("σ", "σ(x)_i = e^(x_i)/Σ_j e^(x_j)")
        .setting(
            setting()
                .part("printed", "‖σ(x/τ) − σ(y/τ)‖ ≤ (1/τ) ‖x − y‖", holds(), |_, m| {
                    m.at_most(1.0 / m.tau)
                })
                .sharpening("half", "‖σ(x/τ) − σ(y/τ)‖ ≤ (1/(2τ)) ‖x − y‖", holds(), |_, m| {
                    m.at_most(0.5 / m.tau)
                })
                .control(
                    "a",
                    "‖σ(x/τ) − σ(y/τ)‖ ≤ (0.49/τ) ‖x − y‖: no constant below ½ will do",
                    |_, m| m.at_most(0.49 / m.tau),
                )
                .control("b", "‖σ(x/τ) − σ(y/τ)‖ ≤ ‖x − y‖: the temperature forgotten", |_, m| {
                    m.at_most(1)
                }),
        )
}

/// The constant of the sigmoid.
pub fn misquoted() -> Claim {
    Claim::new("classics.softmax-quarter", "Softmax with the constant of the sigmoid, misquoted", Kind::Inequality)
        .statement("‖σ(x) − σ(y)‖ ≤ ¼ ‖x − y‖")
        .source("a misquotation", &["the constant of the sigmoid as a function of one logit"])
        .symbol("σ", "σ(x)_i = e^(x_i)/Σ_j e^(x_j)")
        .setting(
            setting()
                .assume(Hypothesis::new("τ = 1", |l| l.tau == 1.0))
                .family(random("temperature one", || drawn().prop_map(|l| Logits { tau: 1.0, ..l })))
                .part(
                    "printed",
                    "‖σ(x) − σ(y)‖ ≤ ¼ ‖x − y‖",
                    fails("two classes of equal logits: the constant is ½"),
                    |_, m| m.at_most(exact(0.25)),
                )
                .amendment("corrected", "‖σ(x) − σ(y)‖ ≤ ½ ‖x − y‖", holds(), |_, m| {
                    m.at_most(exact(0.5))
                })
                .amendment(
                    "one-output",
                    "|σ(x)_1 − σ(y)_1| ≤ ¼ |(x_1 − x_2) − (y_1 − y_2)| for two classes: where ¼ belongs",
                    holds(),
                    |l, _| {
                        let out = (l.softmax(&l.x)[0] - l.softmax(&l.y)[0]).abs();
                        let gap = (exact(l.x[0]) - l.x[l.x.len() - 1] - l.y[0] + l.y[l.y.len() - 1]).abs();
                        at_most(out, gap / 4.0).on_scale_of("‖σ‖² ≤ 1", 1.0)
                    },
                )
                .assume(Hypothesis::new("two classes", |l| l.x.len() == 2))
                .control("a", "‖σ(x) − σ(y)‖ ≤ 0.45 ‖x − y‖", |_, m| m.at_most(exact(0.45))),
        )
}
