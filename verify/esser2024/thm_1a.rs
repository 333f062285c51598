//! Theorem 1: at initialisation a non-linear network is near its linear counterpart.
//!
//! *As printed* (every width, every draw) it is false: at h = 1 the right side is zero, and for W₁ = [I; 0], W₂ = [I; 0] the difference does not depend on h.
//! *With probability tending to one* it is true for every K > 0, and far from sharp. W₁x/‖x‖ is a uniform unit vector s of ℝ^h, so
//! ‖ε‖² ≤ (c²/4)‖x‖⁴Σs_k⁴ with E Σs_k⁴ = 3/(h + 2); W₂ is independent, E W₂W₂ᵀ = (z/h)I. Hence
//! E‖u^φ − u^I‖² ≤ 3zc²‖x‖⁴/(4h(h + 2)), with equality for the parabola: no d, no logarithm, and h^{−1} in place of h^{−1/2}. By Markov's inequality the
//! printed bound fails with probability at most 3z/(4K²d²(h + 2)log⁴h).
//!
//! The linear output itself has ‖u^I‖ ≈ √(z/h)‖x‖, below the printed bound: φ = 0 would obey it too. What says something is the quotient
//! of the two, which is of order c‖x‖/√h.

use contrapositive::claim::{
    Claim, Evaluation, Kind, Setting, all_of, at_most, consistent, edge, fails, holds, vacuous,
};
use contrapositive::enclosure::Enclosure;
use contrapositive::instance::Instance;
use contrapositive::network::Activation;
use contrapositive::probability::{clopper_pearson, orthonormal_row_tail, sphere_coordinate_tail};
use serde::{Deserialize, Serialize};

use super::initial_differences::{Difference, ROUND_OFF, rms};
use super::near_linear_start::{Start, observe};

/// A constant K so large that it is the width or the draw that refutes, not the constant.
const K: f64 = 10.0;

/// A rounded number of the draw.
fn rounded(x: f64, scale: f64) -> Enclosure {
    Enclosure::between(x - ROUND_OFF * (x.abs() + scale), x + ROUND_OFF * (x.abs() + scale))
}

fn largest(all: &[Difference], of: impl Fn(&Difference) -> f64) -> f64 {
    all.iter().map(of).fold(0.0, f64::max)
}

fn each(all: &[Difference], judged: impl Fn(&Difference) -> Evaluation) -> Evaluation {
    all_of(all.iter().enumerate().map(|(i, d)| (format!("draw {i}"), judged(d))))
}

fn starts() -> Vec<(String, Start)> {
    let smooth = [
        Activation::Identity,
        Activation::Tanh,
        Activation::Sine,
        Activation::Arctangent,
        Activation::Parabola(1.0),
        Activation::CentredSoftplus,
        Activation::Elu,
    ];
    let mut all = Vec::new();
    let mut add = |activation, (d, z, h), norm| {
        let s = Start {
            activation,
            d,
            z,
            h,
            norm,
        };
        all.push((s.describe(), s));
    };
    for activation in smooth {
        for (shape, norm) in [
            ((1, 1, 1), 1.0),
            ((1, 1, 2), 1.0),
            ((3, 2, 16), 10.0),
            ((5, 2, 64), 1.0),
            ((2, 2, 512), 1.0),
        ] {
            add(activation, shape, norm);
        }
    }
    for (shape, norm) in [
        ((2, 2, 2), 0.1),
        ((5, 5, 5), 1.0),
        ((20, 1, 32), 1.0),
        ((2, 5, 4096), 1.0),
        ((20, 2, 8192), 1.0),
        ((3, 1, 64), 0.0),
    ] {
        add(Activation::Parabola(1.0), shape, norm);
    }
    for activation in [
        Activation::Cubic,
        Activation::ExponentialMinusOne,
        Activation::HyperbolicSine,
    ] {
        for shape in [(2, 2, 16), (3, 1, 64), (2, 2, 512)] {
            add(activation, shape, 1.0);
        }
    }
    add(Activation::Parabola(1.0), (2, 1, 64), 1e6);
    add(Activation::Parabola(1e6), (2, 1, 64), 1.0);
    for h in [2, 64, 2048] {
        add(Activation::Shifted, (2, 2, h), 1.0);
        add(Activation::Sigmoid, (2, 2, h), 1.0);
    }
    all
}

/// The width 2^k of the weights W₁ = [I; 0], W₂ = [I; 0].
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Coherent {
    doublings: u32,
}

impl Instance for Coherent {
    fn describe(&self) -> String {
        format!("W₁ = W₂ = e₁, h = 2^{}, φ = s + s²/2, x = 1", self.doublings)
    }

    fn validate(&self) -> Result<(), String> {
        if (1..=1000).contains(&self.doublings) {
            Ok(())
        } else {
            Err("1 to 1000 doublings".into())
        }
    }

    fn simpler(&self) -> Vec<Self> {
        let fewer = [self.doublings / 2, self.doublings.saturating_sub(1)];
        fewer
            .into_iter()
            .filter(|k| *k >= 1)
            .map(|doublings| Coherent { doublings })
            .collect()
    }
}

impl Coherent {
    /// log²h/√h.
    fn rate(&self) -> Enclosure {
        let log = Enclosure::ln_2() * f64::from(self.doublings);
        log.square() * (-log / 2.0).exp()
    }
}

pub fn claim() -> Claim {
    let touching = |s: &Start| s.activation.touches_identity();
    Claim::new(
        "esser2024.thm-1a",
        "linear against non-linear output at initialisation",
        Kind::ProbabilityBound,
    )
    .statement(
        "φ(0) = 0, φ′(0) = 1, |φ″| ≤ c; W₁ ∈ St(h,d), W₂ ∈ St(h,z) uniformly random: ‖u^φ(x) − u^I(x)‖ ≤ \
         Kc‖x‖²d√(log⁴h/h) with a universal constant K",
    )
    .source("Theorem 1", &["equation (6)", "Proof of Theorem 1"])
    .remark(
        "As printed there is no probability in the statement. The sampled checks draw W₁ and W₂ in full (20 to 400 \
         draws by width).",
    )
    .remark(
        "Where |φ″| is unbounded, c is its supremum over |s| ≤ ‖x‖: no pre-activation is larger. With this c the \
         footnote's case needs no wide network. Step s1 of the proof is eq-13, s4 is the second half of eq-14.",
    )
    .remark(
        "Power: log²h/√h exceeds 1/2 up to h = 5·10⁴, where ‖u^φ − u^I‖ ≤ c‖x‖²/2 for all weights; with K = 1 no draw \
         at the usual widths could refute the printed rate.",
    )
    .sense(
        "every",
        "as it stands: the inequality carries no probability, so it is one for all widths and all weights",
    )
    .sense(
        "probable",
        "with probability tending to one as h → ∞ at fixed d, z, x and φ, as the proof says",
    )
    .setting(
        Setting::measuring(observe)
            .assume("max(d, z) ≤ h", |s| s.h >= s.d.max(s.z))
            .family(edge("activations, sizes and norms", starts))
            .without_search()
            .part(
                "printed",
                "every width, every draw, K = 10",
                fails("h = 1: the right side is zero for every K, the left side is not"),
                |s, all| {
                    s.bounded(|c| {
                        at_most(
                            rounded(largest(all, |d| d.outputs), s.norm),
                            K * c * s.square() * s.rate(),
                        )
                    })
                },
            )
            .when("φ(0) = 0, φ′(0) = 1, |φ″| ≤ c", Start::is_smooth)
            .in_sense("every")
            .part(
                "probable",
                "probability tending to one: no draw at h ≥ 16 exceeds the bound with K = 1",
                consistent(),
                |s, all| {
                    s.bounded(|c| {
                        let ratio = largest(all, |d| d.outputs);
                        at_most(rounded(ratio, ROUND_OFF), c * s.square() * s.rate() + ROUND_OFF).as_trend()
                    })
                },
            )
            .when("h ≥ 16, φ(0) = 0, φ′(0) = 1, |φ″| ≤ c", |s| {
                s.h >= 16 && s.is_smooth()
            })
            .in_sense("probable")
            .part(
                "footnote",
                "the same with c a bound of |φ″| over |s| ≤ ‖x‖ only, for φ = s + s³, eˢ − 1, sinh s",
                consistent(),
                |s, all| {
                    s.bounded(|c| {
                        at_most(
                            rounded(largest(all, |d| d.outputs), ROUND_OFF),
                            c * s.square() * s.rate() + ROUND_OFF,
                        )
                        .as_trend()
                    })
                },
            )
            .when(
                "h ≥ 16, φ(0) = 0, φ′(0) = 1, φ″ continuous and unbounded",
                move |s| s.h >= 16 && touching(s) && s.activation.curvature().is_none(),
            )
            .in_sense("probable")
            .amendment(
                "markov",
                "P(‖u^φ − u^I‖² ≥ 4·3zc²‖x‖⁴/(4h(h+2))) ≤ 1/4",
                holds(),
                |s, all| {
                    s.bounded(|c| {
                        let level = 4.0 * s.mean_square(c);
                        if level.lo() <= 0.0 {
                            return vacuous("both sides are zero");
                        }
                        let above = all
                            .iter()
                            .filter(|d| d.outputs * d.outputs >= level.lo() * (1.0 - 1e-9))
                            .count();
                        let chance =
                            clopper_pearson(above as u64, all.len() as u64, contrapositive::budget::TRIAL_ALPHA);
                        chance.map(|p| at_most(p, 0.25)).into()
                    })
                },
            )
            .when("h ≤ 128, φ(0) = 0, φ′(0) = 1", move |s| {
                s.h <= 128 && s.h >= 2 && touching(s)
            })
            .sharpening(
                "mean",
                "root mean square at most (√3/2)c‖x‖²√(z/(h(h+2))), within 4 standard errors",
                consistent(),
                |s, all| {
                    s.bounded(|c| {
                        let squares: Vec<f64> = all.iter().map(|d| d.outputs * d.outputs).collect();
                        let n = squares.len() as f64;
                        let mean = squares.iter().sum::<f64>() / n;
                        let variance = squares.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (n * n);
                        at_most(
                            mean - 4.0 * variance.sqrt(),
                            s.mean_square(c) + ROUND_OFF * s.square().square(),
                        )
                        .as_trend()
                        .noting(format!(
                            "quotient of the two roots {:.2}",
                            (Enclosure::from(mean) / s.mean_square(c)).sqrt()
                        ))
                    })
                },
            )
            .when("φ(0) = 0, φ′(0) = 1", touching)
            .step(
                "s2",
                "max(W₁)²_{ij} ≥ 9log²h/h with probability at most 1/h",
                holds(),
                |s, _| {
                    let a = 3.0 * s.h().ln() / s.h().sqrt();
                    let one = Enclosure::from(sphere_coordinate_tail(u64::from(s.h), a.interval()));
                    at_most((one * s.h() * f64::from(s.d)).min(1.0), 1.0 / s.h())
                },
            )
            .step(
                "s3",
                "some ‖row_i‖² ≥ 9d log²h/h with probability at most 1/h; with s4, |row_i·x|² ≤ ‖row_i‖²‖x‖²",
                holds(),
                |s, _| {
                    let x = 9.0 * f64::from(s.d) * s.h().ln().square() / s.h();
                    let one = Enclosure::from(orthonormal_row_tail(u64::from(s.h), u64::from(s.d), x.interval()));
                    at_most((one * s.h()).min(1.0), 1.0 / s.h())
                },
            )
            .step(
                "s5",
                "‖ε‖² ≤ (c²/4)Σ(row_i·x)⁴ for every draw",
                holds(),
                |s, all| {
                    s.bounded(|c| {
                        each(all, |d| {
                            let right = c.square() * d.fourth / 4.0;
                            at_most(
                                Enclosure::from(d.hidden).square() * (1.0 - ROUND_OFF),
                                right * (1.0 + ROUND_OFF) + ROUND_OFF * s.square().square(),
                            )
                        })
                    })
                },
            )
            .when("φ(0) = 0, φ′(0) = 1", touching)
            .step(
                "s6",
                "Σ(row_i·x)⁴ ≤ h(‖x‖² max‖row_i‖²)² for every draw",
                holds(),
                |s, all| {
                    each(all, |d| {
                        at_most(
                            d.fourth * (1.0 - ROUND_OFF),
                            s.h() * (s.square() * d.largest_row).square() * (1.0 + ROUND_OFF),
                        )
                    })
                },
            )
            .step(
                "s7",
                "‖W₂ᵀε‖ ≤ ‖ε‖ for every draw",
                holds(),
                |_, all| {
                    each(all, |d| {
                        at_most(d.outputs * (1.0 - ROUND_OFF), d.hidden * (1.0 + ROUND_OFF))
                    })
                },
            )
            .control("a", "φ(0) = 0 dropped: φ = s + 1, K = 10", |s, all| {
                s.bounded(|c| {
                    at_most(
                        rounded(largest(all, |d| d.outputs), s.norm),
                        K * c * s.square() * s.rate(),
                    )
                })
            })
            .when("φ = s + 1", |s| s.activation == Activation::Shifted)
            .control("b", "‖x‖ in place of ‖x‖², K = 10", |s, all| {
                s.bounded(|c| at_most(rounded(largest(all, |d| d.outputs), s.norm), K * c * s.norm * s.rate()))
            })
            .when("h ≥ 2, φ(0) = 0, φ′(0) = 1", move |s| s.h >= 2 && touching(s))
            .control("c", "without c, K = 10", |s, all| {
                at_most(rounded(largest(all, |d| d.outputs), s.norm), K * s.square() * s.rate())
            })
            .when("h ≥ 2, φ(0) = 0, φ′(0) = 1", move |s| s.h >= 2 && touching(s))
            .control(
                "mean-half",
                "root mean square at most half of the sharpened bound",
                |s, all| s.bounded(|c| at_most(rms(all.iter().map(|d| d.outputs)), s.mean_square(c).sqrt() / 2.0)),
            )
            .when("φ(0) = 0, φ′(0) = 1", touching),
    )
    .setting(
        Setting::of()
            .assume("d = z = 1", |_: &Coherent| true)
            .family(edge("doublings", || {
                (1..=64)
                    .map(|doublings| (format!("2^{doublings}"), Coherent { doublings }))
                    .collect()
            }))
            .without_search()
            .part(
                "every-draw",
                "h ≥ 2 and K = 10, but every W₁, W₂: the difference at W₁ = W₂ = e₁ is c/2 at every width",
                fails("the right side tends to zero, so no K serves; nearby weights do the same"),
                |s, ()| at_most(0.5, K * s.rate()),
            )
            .in_sense("every")
            .because(
                "weights as near to these as one likes do the same, so a draw meets them with positive probability",
            ),
    )
}
