//! Lemma 1 for two-layer networks of growing width, at random initialisation.
//!
//! The inner product of gradients splits into a W₁-part xᵀx′·Σ_k w_kl w_kj φ′(s_k)φ′(s_k′) and, for l = j, a W₂-part Σ_k φ(s_k)φ(s_k′), each over
//! h under the tangent-kernel scaling P1. For l ≠ j the terms of the W₁-part are independent with mean zero, so under P1 its mean square is
//! exactly (xᵀx′)²E[φ′(s)²φ′(s′)²]/h: the lemma is true, at the rate h^{−½}. For l = j both parts survive: the limit is
//! E[φφ′] + xᵀx′E[φ′φ′], the tangent kernel. The printed proof keeps the W₂-part alone; for φ = id that would be xᵀx′, and the limit is 2xᵀx′.
//! With unit scaling (P2) or orthonormal weights (P3) pre-activations tend to zero. If φ(0) = 0 and φ is smooth there, the limit is
//! 2φ′(0)²xᵀx′, a linear kernel; if φ(0) ≠ 0 (sigmoid, s + 1) the W₂-part grows like hφ(0)² and there is no limit.

mod cross_output_slopes;
mod shifted_units;
mod wide_moments;

use contrastive::network::Activation;
use enclosures::vectors::{points, sum_of_products};
use evidence::claim::none_of;
use evidence::prelude::*;
use evidence::sweep::Sweep;
use evidence::sweep::root_mean_square;
use linear_ssl::self_supervised::TripletData;

use crate::shared::gradient_models::Model;
use crate::shared::hypotheses::{SMOOTH, is_smooth};
use crate::shared::model_activations::{ACTIVATIONS, Differentiable};
use crate::shared::model_families::{models_on_triplets, named_models_on_triplets};
use crate::shared::model_instances::{Look, ModelOn};
use crate::shared::notation::{GROWTH, PARAMETERS};
use cross_output_slopes::{couples_outputs, hidden_part, slopes};
use shifted_units::ShiftedUnits;
use wide_moments::{GradientProducts, PAIRS, POINTS, Scaling, SeenByPair, Study, WIDTHS, inner, measure};

const TANGENT_KERNEL: Hypothesis<Study> = Hypothesis::new("P1", is_tangent);
const OTHER_SCALING: Hypothesis<Study> = Hypothesis::new("P2 or P3", |s| !is_tangent(s));

/// What counts as zero: rounding of sums of order one.
const NOTHING: f64 = 1e-12;
/// What the words leave open where something [`vanishes`].
const NO_RATE: &str = "no rate is printed, h^{−¼} is ours; what is below 10⁻¹² at every width counts as zero";

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn deviation(values: &[f64]) -> f64 {
    let centre = mean(values);
    root_mean_square(values.iter().map(|x| x - centre))
}

/// A positive quantity is O(h^exponent); one that is zero at every width is smaller than any power, and has no trend to fit.
fn grows_at_most(along: &Sweep<f64>, exponent: f64) -> Evaluation {
    let most = along.rows().iter().fold(0.0, |m: f64, (_, x)| m.max(*x));
    if most < NOTHING {
        return at_most(Enclosure::measured(most), exact(NOTHING)).as_trend().noting("zero at every width");
    }
    along.trend(|x| *x).grows_at_most(exponent)
}

/// The lemma states no rate. This one is ours, half of what means of h independent terms have: hundreds of sweeps of forty draws are all to
/// tell it from a constant.
fn vanishes(along: &Sweep<f64>) -> Evaluation {
    grows_at_most(along, -0.25)
}

/// Each pair by itself.
fn each_pair(all: &SeenByPair, part: impl Fn((usize, usize), &Sweep<GradientProducts>) -> Evaluation) -> Evaluation {
    let pairs = PAIRS.into_iter().zip(all);
    all_of(pairs.map(|((name, a, b), seen)| (name, part((a, b), seen))))
}

fn off_diagonal_vanishes(all: &SeenByPair) -> Evaluation {
    each_pair(all, |_, seen| vanishes(&seen.root_mean_square(|s| s.off)))
}

/// What the quadrature of a limit may be off.
const QUADRATURE: f64 = 0.002;
/// How far the mean may be from its limit at the largest width for an activation whose slope has a kink at 0 (ELU): 2h^{−½} for h = 2048.
const BEFORE_LIMIT: f64 = 0.0442;

/// The mean at the largest width against its limit, up to four standard errors and a bias: one width stands for the limit, so that this
/// agrees with a limit but does not establish it.
fn mean_is(
    seen: &Sweep<GradientProducts>,
    value: impl Fn(&GradientProducts) -> f64,
    limit: f64,
    bias: f64,
) -> Evaluation {
    let widest = WIDTHS[WIDTHS.len() - 1] as f64;
    let last = seen.rows().iter().filter(|(h, _)| *h == widest);
    let last: Vec<f64> = last.map(|(_, s)| value(s)).collect();
    let band = 4.0 * deviation(&last) / (last.len() as f64).sqrt() + bias;
    let found = mean(&last);
    at_most(Enclosure::measured((found - limit).abs()), Enclosure::measured(band))
        .as_trend()
        .noting(format!("mean {found:.4}, limit {limit:.4}"))
}

/// Stays finite, and its fluctuation vanishes.
fn is_deterministic(all: &SeenByPair, value: impl Fn(&GradientProducts) -> f64) -> Evaluation {
    each_pair(all, |_, seen| {
        let fluctuation = seen.summed_up(|draws| deviation(&draws.iter().map(|s| value(s)).collect::<Vec<f64>>()));
        all_of([("size", grows_at_most(&seen.root_mean_square(&value), 0.0)), ("fluctuation", vanishes(&fluctuation))])
    })
}

/// E f(s, s′) for s = wᵀx, s′ = wᵀx′, w standard normal in the plane: the midpoint rule in polar coordinates, in doubles.
fn expectation(pair: (usize, usize), f: impl Fn(f64, f64) -> f64) -> f64 {
    const STEPS: usize = 240;
    const REACH: f64 = 8.0;
    let (x, y) = (POINTS[pair.0], POINTS[pair.1]);
    let mut total = 0.0;
    for k in 0..STEPS {
        let angle = (k as f64 + 0.5) / STEPS as f64 * std::f64::consts::TAU;
        let (sine, cosine) = (core_math::sin(angle), core_math::cos(angle));
        let (s, t) = (x[0] * cosine + x[1] * sine, y[0] * cosine + y[1] * sine);
        for m in 0..STEPS {
            let r = (m as f64 + 0.5) / STEPS as f64 * REACH;
            total += f(r * s, r * t) * r * core_math::exp(-0.5 * r * r);
        }
    }
    total * REACH / (STEPS * STEPS) as f64
}

/// The limits of the W₂-part and of the W₁-part under P1.
fn tangent_kernel(activation: Activation, pair: (usize, usize)) -> (f64, f64) {
    let at = |s: f64| activation.at(s);
    let last = expectation(pair, |s, t| at(s).0 * at(t).0);
    (last, inner(pair) * expectation(pair, |s, t| at(s).1 * at(t).1))
}

fn is_tangent(s: &Study) -> bool {
    s.scaling == Scaling::TangentKernel
}

fn is_identity(s: &Study) -> bool {
    s.activation == Activation::Identity
}

fn vanishes_at_zero(s: &Study) -> bool {
    s.activation.at(0.0).0 == 0.0
}

fn studies() -> Vec<(String, Study)> {
    let scalings = [Scaling::TangentKernel, Scaling::Unit, Scaling::Orthonormal];
    let activations = ACTIVATIONS.into_iter().chain([Activation::Oscillating]);
    let all = activations.flat_map(|activation| scalings.map(|scaling| Study { activation, scaling }));
    all.map(|s| (format!("φ = {}, {}", s.activation, s.scaling), s)).collect()
}

/// How many weights of the last layer, of an output's own column or of the others, that output depends on.
fn moved_by_last_layer(i: &ModelOn<TripletData>, own: bool) -> usize {
    let (z, hidden) = (i.model.output_count(), i.model.hidden_parameters());
    let moved = (0..z).flat_map(|j| {
        let last = slopes(i, &i.point, j).split_off(hidden);
        last.into_iter().enumerate().filter(move |(p, slope)| (p % z == j) == own && *slope != Interval::ZERO)
    });
    moved.count()
}

const IS_TANGENT: Hypothesis<Study> = Hypothesis::new("P1", is_tangent);

pub fn claim() -> Claim {
    Claim::new("esser2024.lemma-1b", "no interaction for wide two-layer networks at initialisation", Kind::Asymptotic)
        .statement(
            "u_j(x) = w_jᵀφ(W₁x), random weights with appropriate scaling, h → ∞: ⟨∇_Θu_l(x), ∇_Θu_j(x′)⟩ → 0 for l ≠ \
             j and → k(x, x′) for l = j, k the tangent kernel; the proof: the limit for l = j is that of ⟨φ(W₁x), \
             φ(W₁x′)⟩, which is xᵀx′ for φ = id",
        )
        .source("Lemma 1, the paragraph after it", &["Proof of Lemma 1"])
        .symbols([PARAMETERS, GROWTH])
        .symbol("h", "the width: W₁ is h×d, W₂ is h×z with columns w_1, …, w_z and rows (w_k1, …, w_kz)")
        .symbol(
            "φ",
            "the activation, applied to each coordinate; in the random networks id, tanh, sin, arctan, s + s²/2, \
             2log((1+eˢ)/2), ELU, ReLU, the sigmoid, 2s, s + 1, 0, s + s²sin(1/s)",
        )
        .symbol("→ 0", "judged as: the root mean square over the draws is O(h^{−¼}), or below 10⁻¹² at every width")
        .symbol(
            "finite deterministic kernel",
            "judged as: the root mean square over the draws is O(1), their standard deviation O(h^{−¼})",
        )
        .symbol(
            "four standard errors",
            "four times the standard deviation of the draws at the largest width over the root of their number",
        )
        .remark(
            "P1: u = h^{−½}W₂ᵀφ(W₁x), standard normal weights; P2: no prefactor, weights N(0, 1/h); P3: orthonormal \
             columns. Forty draws at each width h = 64, 128, …, 2048; limits by quadrature. \"Finite and \
             deterministic\": bounded, with a standard deviation O(h^{−¼}).",
        )
        .remark(
            "P2-P3-exact: for φ = s + 1 and weights N(0, 1/h), with s = W₁x, s′ = W₁x′ and w the column of W₂, K = Σ_k \
             (1 + s_k)(1 + s_k′) + xᵀx′Σ_k w_k², and E s_ks_k′ = xᵀx′/h gives E K = h + 2xᵀx′. The variances of Σ(s_k \
             + s_k′), Σ s_ks_k′ and Σ w_k² are ‖x‖² + ‖x′‖² + 2xᵀx′, (‖x‖²‖x′‖² + (xᵀx′)²)/h and 2/h, without \
             correlation, so that σ is bounded in h. By Chebyshev's inequality K is within 2σ of its mean at h and at \
             2h with probability at least ½, and these means are h apart.",
        )
        .remark(
            "The lemma survives, its proof does not: 'no training happens at the prior layers' is false under P1, P2 \
             and P3. The W₁-part of the kernel has a limit of its own, as large as the W₂-part for φ = id. It would be \
             true if W₁ were not trained; then the cross inner products are zero at every width.",
        )
        .setting(limits_in_width())
        .setting(split())
        .setting(linear_activation())
}

fn limits_in_width() -> Setting<Study, Vec<Sweep<GradientProducts>>> {
    let setting = Setting::measuring(measure)
        .given(
            "d = z = 2, l = 1 and j = 1 or 2, forty draws of the weights at each of the widths h = 64, 128, …, 2048; \
             (x, x′) is ((0.6, 0.8), (0.6, 0.8)), ((1, 0), (0, 1)) or ((1, 0), (−½, 1)), each pair judged by itself; \
             P1: u = h^{−½}W₂ᵀφ(W₁x), standard normal weights; P2: no prefactor, weights N(0, 1/h); P3: no prefactor, \
             W₁ and W₂ uniform with orthonormal columns; E over s = wᵀx, s′ = wᵀx′ with w standard normal, φ at s, φ \
             at s′ in this order, E[φφ′] = E[φ(s)φ(s′)], E[φ′φ′] = E[φ′(s)φ′(s′)] (derivatives) beside xᵀx′; W₁-part, \
             W₂-part: what the slopes in W₁, in W₂ add to the inner product ⟨∇_Θu_l(x), ∇_Θu_j(x′)⟩: xᵀx′Σ_k w_kl w_kj \
             φ′(s_k)φ′(s_k′), and Σ_k φ(s_k)φ(s_k′) if l = j, s = W₁x, s′ = W₁x′, under P1 both over h",
        )
        .family(edge("activations and scalings", studies).restricted("x = x′, x ⟂ x′ and xᵀx′ < 0, one pair each"))
        .without_search();
    corrected(steps(senses(setting)))
}

fn senses(setting: Setting<Study, Vec<Sweep<GradientProducts>>>) -> Setting<Study, Vec<Sweep<GradientProducts>>> {
    setting
        .sense(
            "P1",
            "tangent-kernel scaling: over the draws the root mean square of the inner product is O(h^{−¼}) for l ≠ j; \
             for l = j it is O(1), the standard deviation O(h^{−¼}), and the mean at the largest width is E[φφ′] + \
             xᵀx′E[φ′φ′], within four standard errors and 0.002",
            consistent(),
            |s, all| {
                all_of([
                    ("l ≠ j", off_diagonal_vanishes(all)),
                    (
                        "l = j",
                        each_pair(all, |pair, w| {
                            let (last, hidden) = tangent_kernel(s.activation, pair);
                            mean_is(w, GradientProducts::total, last + hidden, QUADRATURE)
                        }),
                    ),
                    ("fluctuation", is_deterministic(all, GradientProducts::total)),
                ])
            },
        )
        .our_constant("no rate is printed, h^{−¼} is ours; and one width stands for the limit")
        .because("the paragraph after the lemma names the tangent kernel, which belongs to this scaling")
        .assume(TANGENT_KERNEL)
        .sense(
            "P2-P3",
            "weights of order h^{−½}: → 0 for l ≠ j, and to a finite deterministic kernel for l = j",
            fails("for φ(0) ≠ 0 the kernel grows like hφ(0)²"),
            |_, all| {
                all_of([
                    ("l ≠ j", off_diagonal_vanishes(all)),
                    ("l = j", is_deterministic(all, GradientProducts::total)),
                ])
            },
        )
        .sides(
            "slope of a log root mean square or log standard deviation in log h",
            "1/4 for the size at l = j, else 0",
        )
        .our_constant(NO_RATE)
        .because("the proof has no prefactor and uses W₁ᵀW₁ → I, which belongs to these scalings")
        .assume(OTHER_SCALING)
}

fn steps(setting: Setting<Study, Vec<Sweep<GradientProducts>>>) -> Setting<Study, Vec<Sweep<GradientProducts>>> {
    setting
        .step(
            "last-layer",
            "P1: the limit for l = j is that of the W₂-part alone, E[φφ′]: the mean at the largest width, within four \
             standard errors and 0.002",
            fails("the W₁-part tends to xᵀx′E[φ′φ′]"),
            |s, all| {
                each_pair(all, |pair, w| {
                    mean_is(w, GradientProducts::total, tangent_kernel(s.activation, pair).0, QUADRATURE)
                })
            },
        )
        .sides("distance of the mean to the limit", "four standard errors and 0.002")
        .our_constant("one width stands for the limit, within a band of ours")
        .because("said in the proof; the lemma and the paragraph after it name the tangent kernel")
        .assume(TANGENT_KERNEL)
        .step(
            "identity",
            "φ = id: the limit for l = j is xᵀx′: the mean at the largest width, within four standard errors and 0.002",
            fails("it is 2xᵀx′, once from each layer"),
            |_, all| each_pair(all, |pair, w| mean_is(w, GradientProducts::total, inner(pair), QUADRATURE)),
        )
        .sides("distance of the mean to the limit", "four standard errors and 0.002")
        .our_constant("one width stands for the limit, within a band of ours")
        .because("said in the proof")
        .assume(Hypothesis::new("φ = id", is_identity))
        .step(
            "s3",
            "the W₁-part tends to 0 for l ≠ j: its root mean square is O(h^{−¼})",
            consistent(),
            |_, all| off_diagonal_vanishes(all),
        )
        .our_constant(NO_RATE)
        .step(
            "s4",
            "the W₁-part tends to 0 for l = j too: its root mean square is O(h^{−½})",
            fails("it tends to xᵀx′E[φ′φ′] (P1) or φ′(0)²xᵀx′ (P2, P3)"),
            |_, all| each_pair(all, |_, w| grows_at_most(&w.root_mean_square(|s| s.hidden), -0.5)),
        )
        .sides("slope of log root mean square in log h", "−1/2 + 1/4")
        .our_constant("no rate is printed, h^{−½} is ours; what is below 10⁻¹² at every width counts as zero")
        .step(
            "s5",
            "xᵀW₁ᵀW₁x′ → xᵀx′: the root mean square of their difference over the draws is O(h^{−¼})",
            consistent(),
            |_, all| each_pair(all, |pair, w| vanishes(&w.root_mean_square(|s| s.last - inner(pair)))),
        )
        .our_constant(NO_RATE)
        .assume(Hypothesis::new("φ = id, P2 or P3", |s| is_identity(s) && !is_tangent(s)))
        .step("s6", "P1: the W₂-part tends to a finite deterministic kernel", consistent(), |_, all| {
            is_deterministic(all, |s| s.last)
        })
        .our_constant(NO_RATE)
        .assume(TANGENT_KERNEL)
        .step(
            "s6-unit",
            "the W₂-part tends to a finite deterministic kernel, P2 and P3",
            fails("for φ(0) ≠ 0 it grows like hφ(0)²"),
            |_, all| is_deterministic(all, |s| s.last),
        )
        .our_constant(NO_RATE)
        .assume(OTHER_SCALING)
}

fn corrected(setting: Setting<Study, Vec<Sweep<GradientProducts>>>) -> Setting<Study, Vec<Sweep<GradientProducts>>> {
    setting
        .amendment(
            "centred",
            "P2 and P3 with φ(0) = 0: → 0 for l ≠ j, and to a finite deterministic kernel for l = j",
            consistent(),
            |_, all| {
                all_of([
                    ("l ≠ j", off_diagonal_vanishes(all)),
                    ("l = j", is_deterministic(all, GradientProducts::total)),
                ])
            },
        )
        .assume(Hypothesis::new("P2 or P3, φ(0) = 0", |s| !is_tangent(s) && vanishes_at_zero(s)))
        .amendment(
            "linear-limit",
            "P2 and P3, φ(0) = 0, φ′ continuous at 0: the limit for l = j is 2φ′(0)²xᵀx′, half from each layer: the \
             means of the W₁-part and of the W₂-part at the largest width are φ′(0)²xᵀx′, within four standard errors \
             and 2h^{−½}",
            consistent(),
            |s, all| {
                let slope = s.activation.at(0.0).1;
                each_pair(all, |pair, w| {
                    let half = slope * slope * inner(pair);
                    all_of([
                        ("W₁-part", mean_is(w, |s| s.hidden, half, BEFORE_LIMIT)),
                        ("W₂-part", mean_is(w, |s| s.last, half, BEFORE_LIMIT)),
                    ])
                })
            },
        )
        .assume(Hypothesis::new("P2 or P3, φ(0) = 0, φ′ continuous at 0", |s| {
            !is_tangent(s) && vanishes_at_zero(s) && !matches!(s.activation, Activation::Relu | Activation::Oscillating)
        }))
        .sharpening(
            "rate",
            "l ≠ j: the mean square is (xᵀx′)²E[φ′(s)²φ′(s′)²]/h at every width: the mean over draws and widths of \
             its ratio to that lies between 1/2 and 3/2, and all draws are zero where that is zero",
            holds(),
            |s, all| {
                each_pair(all, |pair, w| {
                    let squared = |x: f64| x * x;
                    let moment = expectation(pair, |s1, s2| squared(s.activation.at(s1).1 * s.activation.at(s2).1));
                    let expected = squared(inner(pair)) * moment;
                    let sizes = w.root_mean_square(|s| s.off);
                    let found = sizes.rows().iter().map(|(h, size)| h * squared(*size));
                    let average = found.sum::<f64>() / WIDTHS.len() as f64;
                    if expected < NOTHING {
                        return at_most(Enclosure::measured(average), exact(NOTHING)).noting("zero at every width");
                    }
                    equal(Enclosure::measured(average / expected), 1).within(0.5)
                })
            },
        )
        .assume(IS_TANGENT)
        .control("a", "P1, l ≠ j: the root mean square of the inner product is O(1/h)", |_, all| {
            each_pair(all, |_, w| grows_at_most(&w.root_mean_square(|s| s.off), -1.0))
        })
        .sides("slope of log root mean square in log h", "−1 + 1/4")
        .assume(IS_TANGENT)
        .control(
            "b",
            "P1 without the factor h^{−½}: the root mean square of the inner product for l ≠ j is O(h^{−½})",
            |_, all| {
                each_pair(all, |_, w| {
                    let sizes = w.root_mean_square(|s| s.off);
                    let without = sizes.rows().iter().map(|(h, size)| (*h, h * size));
                    grows_at_most(&Sweep::of("h", without), -0.5)
                })
            },
        )
        .sides("slope of log root mean square in log h", "−1/2 + 1/4")
        .assume(IS_TANGENT)
}

fn split() -> Setting<ModelOn<TripletData>, ()> {
    Setting::of()
        .given(
            "u(x) = W₂ᵀφ(W₁x) without a factor before it, w_kl the entry of W₂ in row k, column l; s = W₁x, s′ = W₁x′; \
             x′ = x_1, the first anchor",
        )
        .assume(Hypothesis::new("a two-layer network, z ≥ 2", couples_outputs))
        .assume(Hypothesis::new(SMOOTH, is_smooth))
        .family(edge("named", named_models_on_triplets))
        .family(random("models, data and points", models_on_triplets).taking(0.5))
        .without_search()
        .step("s1", "∇_{w_l}u_j(x) = 0 for l ≠ j, w_l the column l of W₂", holds(), |i, ()| {
            none_of(moved_by_last_layer(i, false))
        })
        .tested_by("s1-own")
        .control(
            "s1-own",
            "∇_{w_l}u_l(x) = 0: at most 0 entries of ∇_{w_1}u_1(x), …, ∇_{w_z}u_z(x) together are not 0",
            |i, ()| none_of(moved_by_last_layer(i, true)),
        )
        .step(
            "s2",
            "l = 1, j = 2: the inner product ⟨∇_Θu_l(x), ∇_Θu_j(x′)⟩ equals xᵀx′Σ_k w_kl w_kj φ′(s_k)φ′(s_k′), s = \
             W₁x, s′ = W₁x′, for any x, x′ ∈ ℝ^d where φ is differentiable at every s_k and s_k′",
            holds(),
            |i, ()| {
                if !couples_outputs(i) {
                    return Evaluation::Failed("one layer or one output".into());
                }
                let (x, y) = (&i.point[..], &i.data.anchors[0][..]);
                let found = sum_of_products(&slopes(i, x, 0), &slopes(i, y, 1));
                let (part, size) = hidden_part(i, x, 0, y, 1);
                equal(found, part).on_scale_of("the terms in absolute value", size)
            },
        )
        .sharpening(
            "split",
            "l = j = 1: the inner product ⟨∇_Θu_l(x), ∇_Θu_j(x′)⟩ is xᵀx′Σ_k w_kl w_kj φ′(s_k)φ′(s_k′) plus ⟨φ(W₁x), \
             φ(W₁x′)⟩, at every width",
            holds(),
            |i, ()| {
                let (x, y) = (&i.point[..], &i.data.anchors[0][..]);
                let Model::TwoLayer { activation, first, .. } = &i.model else {
                    return Evaluation::Failed("one layer".into());
                };
                let unit = |w: &[f64], x: &[f64]| activation.value(sum_of_products(&points(w), x));
                let last: Interval = first.iter().map(|w| unit(w, x) * unit(w, y)).sum();
                let (part, size) = hidden_part(i, x, 0, y, 0);
                let (here, there) = (Look::at(&i.model, x), Look::at(&i.model, y));
                equal(sum_of_products(&slopes(i, x, 0), &slopes(i, y, 0)), part + last)
                    .on_scale_of("the terms in absolute value", size + here.kernel_size(0, &there, 0))
            },
        )
}

fn linear_activation() -> Setting<ShiftedUnits, ()> {
    Setting::<ShiftedUnits, ()>::of()
        .given(
            "P2 with φ = s + 1: u = W₂ᵀφ(W₁x), weights N(0, 1/h); K the inner product ⟨∇_Θu_l(x), ∇_Θu_j(x′)⟩ for l = \
             j, of mean E K = h + 2xᵀx′ and variance σ² = ‖x‖² + ‖x′‖² + 2xᵀx′ + (‖x‖²‖x′‖² + 3(xᵀx′)²)/h at width h",
        )
        .assume(Hypothesis::new("h ≥ 64", |s| s.width >= 64))
        .degenerate("x = x′ = 0, where K = h for every draw", ShiftedUnits::is_zero)
        .family(edge("named", shifted_units::named))
        .family(random("widths and points", shifted_units::drawn))
        .family(outside("narrow", shifted_units::narrow))
        .part(
            "P2-P3-exact",
            "P2, φ = s + 1: K has a finite limit in probability, so that it cannot differ by more than 1 between the \
             widths h and 2h with probability 1/2 or more: E K − 2σ at 2h is at most E K + 2σ + 1 at h",
            fails("E K = h + 2xᵀx′ grows like h, and the variance of K stays bounded"),
            |s, ()| s.settles(),
        )
        .sides("E K − 2σ at 2h", "E K + 2σ + 1 at h")
        .in_sense("P2-P3")
        .our_constant("from which width on: 64; and by how much: 1")
}
