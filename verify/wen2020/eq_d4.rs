//! (D.4) to (D.7): the first-order error of the query network and its bounds.
//!
//! (D.4) is an identity for any displacement, with D″ of Lemma B.8; one of its lines prints a plus sign where the second sum is subtracted.
//! Two steps of the bounds are wrong as printed. The bound of Q_2^L has √(log m)/√d without √m: ‖W′_L‖₂‖h′_{L−1} − h_{L−1}‖ may be ω² (move
//! W_0 by ω u xᵀ and W_L by ω e uᵀ with a unit vector u ≥ 0 of active units, L = 1), and ω² exceeds every multiple of ω^{4/3} √(log m/d) once d
//! grows with m as the lemma allows. And Σ_l ‖W′_l‖_F is at most √(L+1) ‖W′‖_F, not O(1) ‖W′‖_F. The bounds (D.5) to (D.7) have room for
//! both: the measured ratios do not grow.

use contrapositive::claim::{
    Claim, Evaluation, Kind, MeasureError, Setting, Trial, all_of, at_most, consistent, edge, equal, fails, holds,
    random,
};
use contrapositive::enclosure::Enclosure;
use contrapositive::instance::Instance;
use contrapositive::interval::Interval;
use contrapositive::network::{Encoder, Weights};
use contrapositive::probability::fill_standard_normal;
use proptest::collection::vec;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

use super::aligned_step::aligned;
use super::displaced_encoder::{Displacement, LossVectors, Moved, Vector, families, minus, plus};
use super::encoder_pair::shape;
use super::growth_of_ratios::bounded_above;
use super::outputs::inner;

struct Queries {
    moved: Vec<Moved>,
    /// l̃oss_i of Fact 1.
    vectors: Vec<Vector>,
    /// ⟨∇_W L_S, W′⟩.
    slope: Interval,
}

fn queries(d: &Displacement) -> Queries {
    let moved = d.moved();
    let vectors = LossVectors::before(&moved, d.at.negatives).query;
    let [moved, _] = moved;
    Queries {
        moved,
        vectors,
        slope: d.slope(0),
    }
}

/// f_{W+W′} − f_W with `sign` times its linear part.
fn error(m: &Moved, sign: f64) -> Vector {
    let linear = m.expansion(0, &m.below, &m.pattern);
    plus(&m.difference(), &linear.iter().map(|&x| x * sign).collect::<Vector>())
}

/// Σ_l Q_1^l without the loss vector, for diagonals D + D″.
fn patterns_part(m: &Moved, chords: &[Vector]) -> Vector {
    let zero = vec![Interval::ZERO; m.output.len()];
    (0..m.layers()).fold(zero, |sum, l| {
        let start = m.change(l, &m.below_after[l]);
        plus(
            &sum,
            &minus(&m.arrived(l, &start, chords), &m.arrived(l, &start, &m.pattern)),
        )
    })
}

/// Σ_l Q_2^l without the loss vector.
fn vectors_part(m: &Moved) -> Vector {
    let gap = |l: usize| minus(&m.below_after[l], &m.below[l]);
    let last = m.layers();
    (0..last).fold(m.change(last, &gap(last)), |sum, l| {
        plus(&sum, &m.arrived(l, &m.change(l, &gap(l)), &m.pattern))
    })
}

impl Queries {
    /// Σ_i l̃oss_i·left(x_i) = Σ_i l̃oss_i·right(x_i), point by point.
    fn compared(&self, left: impl Fn(&Moved) -> Vector, right: impl Fn(&Moved) -> Vector) -> Evaluation {
        let parts = self.moved.iter().zip(&self.vectors).enumerate().map(|(i, (m, v))| {
            let size = v.iter().map(|x| x.magnitude()).fold(1e-3, f64::max) * m.size();
            let sides = [inner(v, &left(m)), inner(v, &right(m))].map(Enclosure::from);
            (format!("point {}", i + 1), equal(sides[0], sides[1]).on_scale(size))
        });
        all_of(parts)
    }

    fn whole(&self, factor: f64) -> Evaluation {
        let n = self.moved.len() as f64;
        let pair = |of: &dyn Fn(&Moved) -> Vector| -> Interval {
            let terms = self.moved.iter().zip(&self.vectors).map(|(m, v)| inner(v, &of(m)));
            terms.sum::<Interval>() * factor / n
        };
        let left = pair(&Moved::difference) - self.slope;
        let right = pair(&|m| plus(&patterns_part(m, &m.chords), &vectors_part(m)));
        let vectors = self
            .vectors
            .iter()
            .flatten()
            .map(|x| x.magnitude())
            .fold(1e-3, f64::max);
        let size = self.moved.iter().map(Moved::size).fold(1e-3, f64::max) * vectors;
        equal(Enclosure::from(left), Enclosure::from(right)).on_scale(size)
    }
}

/// Norms of a list of matrices or of vectors.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Norms {
    list: Vec<f64>,
}

impl Instance for Norms {
    fn describe(&self) -> String {
        format!("{} norms {:?}", self.list.len(), self.list)
    }

    fn validate(&self) -> Result<(), String> {
        let sound = self.list.iter().all(|x| (0.0..=1e6).contains(x));
        sound.then_some(()).ok_or_else(|| "a norm outside [0, 10⁶]".into())
    }

    fn simpler(&self) -> Vec<Self> {
        let shorter = |k: usize| Norms {
            list: self.list[..k].to_vec(),
        };
        (1..self.list.len()).map(shorter).collect()
    }
}

impl Norms {
    fn sum(&self) -> Enclosure {
        self.list.iter().map(|&x| Enclosure::from(x)).sum()
    }

    fn length(&self) -> Enclosure {
        self.list
            .iter()
            .map(|&x| Enclosure::from(x).square())
            .sum::<Enclosure>()
            .sqrt()
    }
}

/// What grows along a sweep of exponents: the width 2^{10 k}, or the number of layers 2^k, k = 1, …, `steps`; ω = `share` (log m)^{−3/2}.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Growing {
    steps: u32,
    share: f64,
}

impl Instance for Growing {
    fn describe(&self) -> String {
        format!("{} steps, ω = {} (log m)^(−3/2)", self.steps, self.share)
    }

    fn validate(&self) -> Result<(), String> {
        let sound = (3..=10).contains(&self.steps) && self.share > 0.0 && self.share <= 1.0;
        sound
            .then_some(())
            .ok_or_else(|| "not 3 to 10 steps, or a share outside (0, 1]".into())
    }
}

impl Growing {
    /// For m = 2^{10 k}, L = 1 and d = m/log m: ω²/(ω^{1/3} √(log m/d) √2 ω), the last two factors ‖W′‖_F; times m^{−1/2} if the root is restored.
    fn last_layer(&self, with_root: bool) -> Vec<(f64, f64)> {
        let at = |k: u32| {
            let log = Enclosure::ln_2() * f64::from(10 * k);
            let omega = self.share * log.powi(-3).sqrt();
            let room = (omega.ln() * 2.0 / 3.0).exp() / Enclosure::from(2.0).sqrt();
            let width = log.exp();
            let ratio = if with_root {
                room / log
            } else {
                room * width.sqrt() / log
            };
            (width.midpoint(), ratio.midpoint())
        };
        (1..=self.steps).map(at).collect()
    }

    /// Σ_l ‖W′_l‖_F/‖W′‖_F = √(L+1) for L + 1 matrices of equal norms.
    fn layers(&self, power: i64) -> Vec<(f64, f64)> {
        let at = |k: u32| {
            let count = f64::from(1u32 << k);
            let norms = Norms {
                list: vec![1.0; 1 << k],
            };
            let ratio = norms.sum() / norms.length() / Enclosure::from(count).powi(power).sqrt();
            (count, ratio.midpoint())
        };
        (1..=self.steps).map(at).collect()
    }
}

/// A sweep over drawn networks; one size is multiplied by `factor` again and again.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Networks {
    vary: Size,
    width: usize,
    layers: usize,
    output: usize,
    omega: f64,
    points: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Size {
    Width,
    Layers,
    Output,
    Radius,
}

impl Instance for Networks {
    fn describe(&self) -> String {
        format!(
            "m = {}, L = {}, d = {}, ω = {}, then {:?} doubled {} times",
            self.width,
            self.layers,
            self.output,
            self.omega,
            self.vary,
            self.points - 1
        )
    }

    fn validate(&self) -> Result<(), String> {
        let sound = self.width > 0 && self.layers > 0 && self.output > 0 && (3..=5).contains(&self.points);
        sound
            .then_some(())
            .ok_or_else(|| "a size of zero, or not 3 to 5 points".into())
    }
}

impl Networks {
    fn at(&self, k: usize) -> Self {
        let mut s = self.clone();
        match self.vary {
            Size::Width => s.width <<= k,
            Size::Layers => s.layers <<= k,
            Size::Output => s.output <<= k,
            Size::Radius => s.omega *= f64::from(1u32 << k),
        }
        s
    }

    /// F_1/(‖l̃oss‖ ω^{1/3} L² √(m log m/d) ‖W′‖_F) of one network: the largest over three displacements.
    fn ratio(&self, trial: &mut Trial) -> Result<f64, MeasureError> {
        let shape = shape(4, self.width, self.layers, self.output);
        let encoder = Encoder::initialise(shape, trial.rng())?;
        let mut point = vec![0.0; 4];
        fill_standard_normal(trial.rng(), &mut point);
        let norm = point.iter().map(|x| x * x).sum::<f64>().sqrt();
        point.iter_mut().for_each(|x| *x /= norm);
        let mut v = vec![0.0; self.output];
        v[0] = 1.0;
        let along = aligned(&encoder, &[(1.0, &point)], &v, self.omega)?.weights;
        let mut against = along.clone();
        against.matrices_mut().flatten().for_each(|x| *x = -*x);
        let mut largest = 0.0_f64;
        for step in [along, against, flipping(&encoder, &point, &v, self.omega)?] {
            largest = largest.max(first_order_error(&encoder, &point, &v, &step)?.abs() / size_of(&step));
        }
        let (m, d) = (self.width as f64, self.output as f64);
        let depth = self.layers as f64;
        let bracket = core_math::cbrt(self.omega) * depth * depth * (m * core_math::log(m) / d).sqrt();
        Ok(largest / bracket)
    }
}

fn size_of(step: &Weights) -> f64 {
    step.matrices().flatten().map(|x| x * x).sum::<f64>().sqrt()
}

/// W′_0 = −2 (the smallest pre-activations whose flip raises v·f) xᵀ, of Frobenius norm at most ω; the other matrices stay.
fn flipping(encoder: &Encoder, point: &[f64], v: &[f64], omega: f64) -> Result<Weights, MeasureError> {
    let seen = encoder.activations(point)?;
    let weight = seen.back(1, v).ok_or("the vector does not fit")?;
    let pre = seen.pre_activations(0).ok_or("no first layer")?;
    let mut units: Vec<usize> = (0..pre.len()).filter(|&r| weight[r] > 0.0).collect();
    units.sort_by(|&a, &b| pre[a].abs().total_cmp(&pre[b].abs()));
    let mut step = encoder.weights().clone();
    step.matrices_mut().flatten().for_each(|x| *x = 0.0);
    let mut spent = 0.0;
    for r in units {
        let move_by = -2.0 * pre[r];
        spent += move_by * move_by;
        if spent > omega * omega {
            break;
        }
        let row = step.a.chunks_exact_mut(point.len()).nth(r).ok_or("no such unit")?;
        row.iter_mut().zip(point).for_each(|(x, p)| *x = move_by * p);
    }
    Ok(step)
}

/// v·(f_{W+W′}(x) − f_W(x) − the linear part).
fn first_order_error(encoder: &Encoder, point: &[f64], v: &[f64], step: &Weights) -> Result<f64, MeasureError> {
    let before = encoder.forward(point)?;
    let gradient = encoder.backward(&before, v)?;
    let after = encoder.displaced(step, 1.0)?.forward(point)?;
    let pairs = gradient.matrices().flatten().zip(step.matrices().flatten());
    let linear: f64 = pairs.map(|(g, s)| g * s).sum();
    let dot = |outputs: &[f64]| outputs.iter().zip(v).map(|(a, b)| a * b).sum::<f64>();
    Ok(dot(after.outputs()) - dot(before.outputs()) - linear)
}

fn ratios(s: &Networks, trial: &mut Trial) -> Result<Vec<(f64, f64)>, MeasureError> {
    let seeds = trial.samples(4);
    let mut points = Vec::new();
    for k in 0..s.points {
        let at = s.at(k);
        let mut largest = 0.0_f64;
        for _ in 0..seeds {
            largest = largest.max(at.ratio(trial)?);
        }
        points.push((f64::from(1u32 << k), largest));
    }
    Ok(points)
}

pub fn claim() -> Claim {
    Claim::new("wen2020.eq-d4", "first-order error of the query network", Kind::Identity)
        .statement(
            "(D.4) l̃oss_iᵀ(f_{W+W′}(x_i) − f_W(x_i) − [W′_L h_{L−1} + Σ_{l<L} W_L (∏_{a>l} D_a W_a) D_l W′_l h_{l−1}]) = Σ_{l<L} Q_1^l + Σ_{l≤L} Q_2^l; \
             (D.5), (D.6) Q ≤ ‖l̃oss_i‖ O(ω^{1/3} L² √(m log m)/√d) ‖W′_l‖_F; (D.7) F_1 ≤ ‖l̃oss‖ O(ω^{1/3} L² √(m log m)/√(nd)) ‖W′‖_F",
        )
        .source("(D.4) to (D.7)", &["Appendix D.2, Step 1"])
        .remark("The term l = L of the printed sums is read as W′_L h_{L−1}, upper limits L of products as L − 1, and the stray factor B as W_L^(0).")
        .remark(
            "s6, with L = 1: h′ − h = ω u for W′_0 = ω u xᵀ, and Q_2^L = ‖l̃oss_i‖ ω² for W′_L = ω e uᵀ, e along l̃oss_i. One active unit suffices for u. The ratio to \
             the printed bound is ω^{2/3} √(d/(2 log m)), unbounded for d = m/log m and ω = c (log m)^{−3/2}.",
        )
        .setting(
            Setting::measuring(|d: &Displacement, _| Ok(queries(d)))
                .assume("every pre-activation is at least 10⁻³ in size", |d| d.at.off_the_kinks(1e-3))
                .assume("every sign after the displacement is known", Displacement::certain)
                .families(families(4))
                .without_search()
                .reading("printed", "(D.4), first expression and last", holds(), |_, q| {
                    q.compared(|m| error(m, -1.0), |m| plus(&patterns_part(m, &m.chords), &vectors_part(m)))
                })
                .reading("whole", "−⟨∇_W L_S, W′⟩ + (1/n) Σ_i ⟨l̃oss_i, q̃_i − q_i⟩ = (1/n) Σ_i Σ (Q_1 + Q_2), l̃oss_i of Fact 1", holds(), |_, q| q.whole(1.0))
                .reading(
                    "definition",
                    "the same with l̃oss_i the derivative of Definition 4.1",
                    fails("the factor 1/n stands there twice"),
                    |_, q| q.whole(1.0 / q.moved.len() as f64),
                )
                .step("s1", "f_{W+W′} − f_W = W′_L h′_{L−1} + Σ_l W_L (∏ (D_a + D″_a) W_a)(D_l + D″_l) W′_l h′_{l−1}", holds(), |_, q| {
                    q.compared(Moved::difference, |m| m.expansion(0, &m.below_after, &m.chords))
                })
                .step(
                    "s2",
                    "(D.4), the line with a plus sign in front of the second sum",
                    fails("the linear part of the hidden layers is subtracted: a minus sign is meant"),
                    |_, q| {
                        q.compared(
                            |m| {
                                let last = m.layers();
                                let output = m.change(last, &m.below[last]);
                                let hidden = minus(&m.expansion(0, &m.below, &m.pattern), &output);
                                plus(&minus(&m.difference(), &output), &hidden)
                            },
                            |m| plus(&patterns_part(m, &m.chords), &vectors_part(m)),
                        )
                    },
                )
                .amendment("s2-minus", "the same line with a minus sign", holds(), |_, q| {
                    q.compared(|m| minus(&m.difference(), &m.expansion(0, &m.below, &m.pattern)), |m| {
                        plus(&patterns_part(m, &m.chords), &vectors_part(m))
                    })
                })
                .sharpening("no-flip", "where no unit changes its sign, F_1 = Σ Q_2 alone", holds(), |_, q| {
                    q.compared(|m| error(m, -1.0), vectors_part)
                })
                .when("no unit changes its sign", |d| d.moved()[0].iter().all(|m| !m.flips()))
                .control("a", "F_1 = Σ Q_1 alone", |_, q| q.compared(|m| error(m, -1.0), |m| patterns_part(m, &m.chords)))
                .control("b", "D″ = 0", |_, q| {
                    q.compared(|m| error(m, -1.0), |m| plus(&patterns_part(m, &m.pattern), &vectors_part(m)))
                }),
        )
        .setting(
            Setting::of()
                .assume("at least one norm", |n: &Norms| !n.list.is_empty())
                .family(edge("named", || {
                    let of = |list: &[f64]| Norms { list: list.to_vec() };
                    vec![
                        ("one", of(&[2.0])),
                        ("equal", of(&[1.0; 4])),
                        ("one of many", of(&[0.0, 0.0, 3.0, 0.0])),
                        ("all zero", of(&[0.0; 3])),
                    ]
                }))
                .family(random("drawn", || vec(0.0..1.0f64, 1..12).prop_map(|list| Norms { list })))
                .step("s4", "(1/n) Σ_i ‖l̃oss_i‖ ≤ n^{−1/2} (Σ_i ‖l̃oss_i‖²)^{1/2}", holds(), |n, ()| {
                    let count = n.list.len() as f64;
                    at_most(n.sum() / count, n.length() / Enclosure::from(count).sqrt())
                })
                .amendment("s5-root", "Σ_{l≤L} ‖W′_l‖_F ≤ √(L+1) ‖W′‖_F", holds(), |n, ()| {
                    at_most(n.sum(), Enclosure::from(n.list.len()).sqrt() * n.length())
                })
                .control("c", "Σ_{l≤L} ‖W′_l‖_F ≤ ‖W′‖_F", |n, ()| at_most(n.sum(), n.length())),
        )
        .setting(
            Setting::of()
                .assume("ω ≤ (log m)^{−3/2}, L = 1, d ≤ m/log m", |g: &Growing| g.share <= 1.0)
                .family(edge("named", || {
                    [1.0, 0.1, 0.001]
                        .map(|share| (format!("c = {share}"), Growing { steps: 8, share }))
                        .to_vec()
                }))
                .without_search()
                .step("s5", "Σ_{l≤L} ‖W′_l‖_F ≤ O(1) ‖W′‖_F", fails("equal norms give √(L+1)"), |g, ()| bounded_above(&g.layers(0)))
                .step(
                    "s6",
                    "Q_2^L ≤ ‖l̃oss_i‖ O(ω^{1/3} L² √(log m)/√d) ‖W′‖_F",
                    fails("a root of m is missing: ω² is attained, whatever d"),
                    |g, ()| bounded_above(&g.last_layer(false)),
                )
                .amendment("s6-root", "Q_2^L ≤ ‖l̃oss_i‖ O(ω^{1/3} L² √(m log m)/√d) ‖W′‖_F on the same displacements", consistent(), |g, ()| {
                    bounded_above(&g.last_layer(true))
                })
                .control("d", "Σ_{l≤L} ‖W′_l‖_F ≤ O((L+1)^{1/10}) ‖W′‖_F", |g, ()| {
                    let points: Vec<(f64, f64)> = g.layers(0).iter().map(|&(x, y)| (x, y / core_math::pow(x, 0.1))).collect();
                    bounded_above(&points)
                }),
        )
        .setting(
            Setting::measuring(ratios)
                .assume("at least three sizes", |s: &Networks| s.points >= 3)
                .family(edge("sweeps", || {
                    let of = |vary, width, layers, output, omega, points| Networks { vary, width, layers, output, omega, points };
                    vec![
                        ("width", of(Size::Width, 50, 2, 2, 0.1, 4)),
                        ("depth", of(Size::Layers, 100, 1, 2, 0.05, 4)),
                        ("output", of(Size::Output, 120, 2, 1, 0.1, 5)),
                        ("radius", of(Size::Radius, 200, 2, 2, 0.02, 4)),
                    ]
                }))
                .without_search()
                .step("s3", "(D.5) to (D.7): F_1/(‖l̃oss‖ ω^{1/3} L² √(m log m/d) ‖W′‖_F) is bounded", consistent(), |_, points| bounded_above(points)),
        )
}
