//! Lemma 4.3 (A.3): gradients against loss vectors near the initialisation.
//!
//! The lower bound for θ as Section 4 prints it, with the loss vectors of the queries, is false for every constant: the ball contains points at which all queries vanish,
//! at a distance of order √(d/m) from the start; there l̂oss = 0, so ∇_θ L_S = 0, but l̃oss_i = Σ_j P_ij(k_j − k_i) ≠ 0. Lemma A.3 has l̂oss in its place.
//!
//! The lower bound for W is false too, for one hidden layer and antipodal inputs, which Assumption 2 admits. Then f(x) − f(−x) = W_1W_0x, so that on a
//! regular hexagon Σ (−1)^i f(x_i) = 0 for all weights, and loss vectors l̃oss_i = (−1)^i v leave ∇_W = 0. Both encoders linear on the data, k_i = u·x_i
//! and q_i = c k_i, give such loss vectors for one c; and these outputs too are within O(√(d/m)) (the part q-low-antipodal and its proof). Two hidden
//! layers, or no antipodal inputs: consistent.
//!
//! The upper bounds need d ≤ O(m): with d ≫ m the gradient of W_L alone is O(1/n) Σ ‖l̃oss_i‖². All of it is for the expressions of Facts 1 and 2;
//! with the derivatives of Definition 4.1 the upper bound lacks a factor n.

mod bad_points;
mod hexagon_limit;
mod one_unit;
mod zero_queries;

use enclosures::probability::chord_of_angle;
use evidence::prelude::*;
use proptest::collection::vec;
use proptest::strategy::Strategy;

use crate::remark_ntk::hidden_spectrum;
use crate::shared::encoder_pair::{EncoderPair, families};
use crate::shared::gradient_sweeps::{GradientSweep, Ratios, SHALLOW, SweepSizes, Vary};
use crate::shared::monomials::N;
use crate::shared::proof_exponents::ProofStep;
use crate::shared::regime_points::{AtPoint, LogarithmicSides, NUMBERS, points, with_factor};
use crate::shared::signs::{INITIALISATION, NETWORKS, QUERIES_AND_KEYS, QUERY_GRADIENT, SEPARATION, START};
use crate::shared::unit_points::{UnitPoints, data_sets, on_the_sphere};
use bad_points::{BadPoints, NamedOutputs, Reached};
use one_unit::OneUnit;
use zero_queries::{Distance, ZeroQueries, zero_queries};

type RatiosBySize = Vec<(f64, Ratios)>;

fn up(r: &RatiosBySize, side: usize, factor: impl Fn(f64) -> f64) -> Evaluation {
    let ratio = |(size, x): &(f64, Ratios)| (*size, x.up[side] * factor(*size));
    Trend::through(&r.iter().map(ratio).collect::<Vec<_>>()).is_bounded()
}

fn measured(x: f64) -> Enclosure {
    Enclosure::measured(x)
}

/// The largest ratio of Q-up or K-up along a sweep.
fn highest(r: &RatiosBySize, side: usize) -> Enclosure {
    measured(r.iter().map(|(_, x)| x.up[side]).fold(0.0, f64::max))
}

/// The smallest ratio of Q-low or K-low along a sweep.
fn lowest(r: &RatiosBySize, side: usize) -> Enclosure {
    measured(r.iter().map(|(_, x)| x.low[side]).fold(f64::INFINITY, f64::min))
}

/// What decides both bounds at random starts of infinite width.
struct Limit {
    n: Enclosure,
    layers: Enclosure,
    /// Extreme eigenvalues of the limit of the Gram matrix of the gradients, in units of m/(2d).
    smallest: Enclosure,
    largest: Enclosure,
    separation: Enclosure,
}

fn limit(p: &UnitPoints) -> Result<Limit, MeasureError> {
    let [smallest, largest] = hidden_spectrum(p)?;
    Ok(Limit {
        n: p.points.len().into(),
        layers: p.layers.into(),
        smallest,
        largest,
        separation: p.separation().into(),
    })
}

/// ‖x_i + x_j‖ ≥ δ for all i ≠ j.
fn no_opposites(p: &UnitPoints) -> bool {
    let delta = p.separation();
    let apart = |i: usize, j: usize| chord_of_angle(Interval::pi() - p.angle(i, j)).lo() >= delta.hi();
    (0..p.points.len()).all(|j| (0..j).all(|i| apart(i, j)))
}

fn data() -> Vec<(String, UnitPoints)> {
    let deep = |(name, points): (String, Vec<Vec<f64>>)| {
        [1, 2, 5].map(|layers| {
            let points = points.clone();
            (format!("{name}, L = {layers}"), UnitPoints { layers, points })
        })
    };
    data_sets().into_iter().flat_map(deep).collect()
}

fn on_spheres() -> impl Strategy<Value = UnitPoints> {
    (1usize..=4, 2usize..=12, 1usize..=6).prop_flat_map(|(layers, n, b)| {
        vec(vec(-1.0..1.0f64, b), n).prop_map(move |rows| UnitPoints { layers, points: on_the_sphere(rows) })
    })
}

/// The distances at which the outputs are reached, along the widths.
fn distances(r: &[Reached]) -> Vec<(f64, f64)> {
    r.iter().map(|x| (x.width as f64, x.distance)).collect()
}

const NOT_REACHED: &str = "at some width descent reached no point with a gradient below that";

/// The distances of the bad points fall no faster than a power of log m, as the radius does.
fn stays_outside(r: &[Reached]) -> Evaluation {
    let worst = r.iter().map(|x| x.ratio).fold(0.0, f64::max);
    if worst > 1e-9 {
        return vacuous(NOT_REACHED);
    }
    Trend::through(&distances(r)).named("m").stays_above_zero()
}

/// Eight to 24 starts of each size. Where δ falls, m stays above n³d/δ², which Lemma C.1 asks for.
fn sweeps() -> Vec<(String, GradientSweep)> {
    let of = GradientSweep::of;
    described([
        of(Vary::Points, 4, 12, SweepSizes { points: 2, input: 64, output: 4, ..SHALLOW }),
        of(Vary::Points, 3, 8, SweepSizes { points: 2, input: 64, layers: 2, ..SHALLOW }),
        of(Vary::Layers, 3, 8, SweepSizes { width: 128, output: 4, ..SHALLOW }),
        of(Vary::Layers, 3, 12, SweepSizes { points: 2, input: 8, width: 64, ..SHALLOW }),
        of(Vary::Outputs, 5, 12, SweepSizes { width: 200, output: 1, ..SHALLOW }),
        of(Vary::Width, 5, 24, SweepSizes { width: 50, output: 4, ..SHALLOW }),
        of(Vary::Width, 3, 24, SweepSizes { points: 3, input: 8, width: 40, layers: 2, ..SHALLOW }),
        of(Vary::Width, 3, 24, SweepSizes { input: 8, width: 40, layers: 3, output: 1, ..SHALLOW }),
        of(
            Vary::Closeness,
            3,
            12,
            SweepSizes { points: 2, input: 2, width: 65_536, output: 1, angle: 125_000, ..SHALLOW },
        ),
        of(
            Vary::Closeness,
            2,
            16,
            SweepSizes { points: 2, input: 2, width: 65_536, output: 4, angle: 125_000, ..SHALLOW },
        ),
        of(Vary::WideOutputs, 6, 12, SweepSizes { points: 3, input: 4, width: 16, output: 64, ..SHALLOW }),
        of(
            Vary::WideOutputs,
            6,
            12,
            SweepSizes { points: 2, input: 2, width: 16, layers: 2, output: 64, angle: 1_500_000 },
        ),
    ])
}

fn bad_points() -> Vec<(String, BadPoints)> {
    let zero = BadPoints {
        outputs: NamedOutputs::ZeroQueries,
        negatives: 1,
        width: 256,
        doublings: 5,
        layers: 1,
        output: 1,
        seeds: 2,
    };
    let alternating = BadPoints { outputs: NamedOutputs::Alternating, ..zero };
    let deep = BadPoints { width: 32, doublings: 4, layers: 2, ..alternating };
    described([
        BadPoints { doublings: 6, seeds: 3, ..zero },
        BadPoints { output: 4, ..zero },
        BadPoints { width: 32, doublings: 4, layers: 2, output: 2, seeds: 3, ..zero },
        alternating,
        BadPoints { negatives: 3, doublings: 4, output: 4, seeds: 1, ..alternating },
        deep,
        BadPoints { negatives: 3, ..deep },
    ])
}

fn squares(matrix: &[Interval]) -> Enclosure {
    matrix.iter().map(|x| Enclosure::from(*x).square()).sum()
}

const DEEP_OR_WITHOUT_OPPOSITES: Hypothesis<UnitPoints> =
    Hypothesis::new("L ≥ 2, or ‖x_i + x_j‖ ≥ δ for all i ≠ j", |p| p.layers >= 2 || no_opposites(p));
const WIDE_OUTPUT: Hypothesis<GradientSweep> = Hypothesis::new("d grows beyond m", |s| s.vary == Vary::WideOutputs);
const NARROW_OUTPUT: Hypothesis<GradientSweep> = Hypothesis::new("d ≤ m", |s| s.vary != Vary::WideOutputs);

pub fn claim() -> Claim {
    Claim::new("wen2020.lemma-4.3", "gradient bounds near initialisation", Kind::ProbabilityBound)
        .statement(
            "for ω, τ ≤ O(δ^{3/2}/(n³L⁶(log m)^{3/2})), with probability ≥ 1 − e^{−Ω(mω^{3/2}L)} − e^{−Ω(mτ^{3/2}L)}, \
             for all W, θ in the balls: Ω(mδ/(n³d)) Σ ‖l̃oss_i‖² ≤ ‖∇_W L_S‖² ≤ O(Lm/(nd)) Σ ‖l̃oss_i‖², Ω(mδ/(n³d)) Σ \
             ‖l̃oss_i‖² ≤ ‖∇_θ L_S‖² ≤ O(Lm/(nd)) Σ ‖l̂oss_i‖²; Lemma A.3 has l̂oss_i in the last lower bound",
        )
        .source("Lemma 4.3", &["Lemma A.3", "Appendix C.4"])
        .symbols(NETWORKS)
        .symbols([SEPARATION])
        .symbols(QUERIES_AND_KEYS)
        .symbols([QUERY_GRADIENT, START, INITIALISATION])
        .symbol(
            "Q-up",
            "the bound ‖∇_W‖² ≤ O(Lm/(nd)) Σ_i ‖l̃oss_i‖², Q-low that from below; K-up and K-low are those of ∇_θ",
        )
        .symbol(
            "ball",
            "W and θ with ‖W − W^{(0)}‖_F, ‖θ − θ^{(0)}‖_F ≤ δ^{3/2}/(n³L⁶(log m)^{3/2}) (log m at least 1, constants \
             where a check says so)",
        )
        .symbol("Σ", "over i = 1, …, n, where no range is given")
        .symbol(
            "alternating outputs",
            "the inputs are a regular hexagon x_0, …, x_5, k_i = −cos(iπ/3)(1, 0, …, 0) and q_i = c k_i with the c > 0 \
             for which l̃oss_i = (−1)^i v: one hidden layer has ∇_W = 0 there",
        )
        .symbol("zero queries", "q_i = 0 for n = 2 orthogonal inputs, while θ stays as it is")
        .symbol(
            "m → ∞",
            "‖∇_W‖² tends to (m/(2n²d)) Σ_ij κ(φ_ij) l̃oss_i·l̃oss_j, φ_ij the angle of x_i and x_j, κ = T_{L−1}(1 − \
             φ_{L−1}/π): with φ_0 = φ_ij, T_0 = cos φ_0, T_l = T_{l−1}(1 − φ_{l−1}/π) + cos φ_l, cos φ_l = (sin \
             φ_{l−1} + (π − φ_{l−1}) cos φ_{l−1})/π",
        )
        .sense(
            "facts",
            "the loss vectors are the expressions of Facts 1 and 2, and d ≤ O(m/(L log m)), as Lemmas B.3 and B.6 ask",
        )
        .sense("lemma-a3", "the same, with l̂oss_i in the last lower bound, as Lemma A.3 prints it")
        .sense("definition-4.1", "the loss vectors are the derivatives of Definition 4.1, and d ≤ O(m/(L log m))")
        .sense("any-d", "the loss vectors are the expressions of Facts 1 and 2, and d has no upper limit, as printed")
        .remark(NUMBERS)
        .remark(
            "Proof of q-low-no-constant: with σ(t) − σ(−t) = t and the masks of x and −x adding up to the identity, \
             loss vectors (−1)^i v on a hexagon leave ∇_W = 0 for one hidden layer, whose outputs obey Σ (−1)^i f(x_i) \
             = 0. Keys k_i = −cos(iπ/3) and queries c k_i give l̃oss_i = g(k_i) with an odd function g and l̃oss_0 > 0; \
             l̃oss_0 + l̃oss_1 is positive at c = 0 and negative at c = 5, hence zero for some c between, and there \
             l̃oss_i = (−1)^i l̃oss_0. While no unit changes its sign, the shortest change of W_0 that adds y to the \
             outputs has the squared length yᵀK⁺y, K_ij = Σ_r b_r² 1{both active} x_i·x_j with the output weights b_r. \
             As m → ∞, 2K/m tends to the circulant matrix of cos φ (1 − φ/π), with the eigenvalues 0 (on (−1)^i, to \
             which y is orthogonal), 5/6, 4/3 and 3/2; units move by O(b_r/m), so that the share of those that would \
             change their sign vanishes, and they can be left alone. The missing outputs have E‖y‖² = Σ q_i² + n = 3c² \
             + 6 ≤ 81, for the keys 9, so that by Markov's inequality both distances are at most √(12·4·81/(5m)) with \
             probability at least ½; a radius that falls like (log m)^{−3/2} exceeds that for large m.",
        )
        .remark(
            "Proof of any-d-no-constant: with z = k_2 − k_1, l̃oss_1 = P_12 z and l̃oss_2 = −P_21 z, so that ‖∇_{W_1}‖² \
             = ¼‖z‖²‖P_12h_1 − P_21h_2‖² ≥ ¼λ Σ ‖l̃oss_i‖², λ the smallest eigenvalue of the Gram matrix of h_1, h_2. \
             From x_1 ⊥ x_2 it tends to 1 − 1/π as m → ∞, whatever d is; in units of (Lm/(nd)) Σ ‖l̃oss_i‖² that is \
             (d/(2m))(1 − 1/π), and 2C(1 − 1/π) > C at d = 4Cm.",
        )
        .remark(
            "Distances are ‖·‖_F over all matrices, at least the distance per matrix in ‖·‖₂. The bad points are \
             reached by descent on the squared difference of the outputs, at a distance of order √(d/m); the radius \
             falls like (log m)^{−3/2} only, so that every constant in it is refuted by a width.",
        )
        .remark(
            "With d of order (log m)² or larger the queries of a random start are not close to zero, but those of \
             points of the ball are. The probability 1 − e^{−Ω(mω^{3/2}L)} is not contested: it tends to one as m \
             grows, while the bad points are there from almost every start.",
        )
        .setting(printed())
        .setting(up_limit())
        .setting(by_descent())
        .setting(hexagon_limit::setting())
        .setting(crate::shared::wide_limits::gradients())
        .setting(q_up())
        .setting(steps_of_gradients())
        .setting(final_radius())
        .setting(last_layer_alone())
}

fn printed() -> Setting<ZeroQueries, Distance> {
    Setting::measuring(|s: &ZeroQueries, _| s.measure())
        .given("a query encoder drawn as Definition 3.2 says, two orthogonal unit inputs, L = 1, d = 1, k = 1")
        .family(edge("widths", zero_queries).restricted("two random starts of each width m = 2^10, 2^11, …, 2^21"))
        .without_search()
        .part(
            "printed",
            "K-low of Lemma 4.3, with l̃oss: points with all queries zero, where ∇_θ = 0 and l̃oss_i = ½(k_j − k_i) ≠ 0, \
             stay outside the ball of radius δ^{3/2}/(n³L⁶(log m)^{3/2})",
            fails("all queries can be made zero within O(√(d/m)): then ∇_θ = 0, and l̃oss ≠ 0"),
            |_, x| at_least(x.distance, x.radius),
        )
        .sides("distance of such a point from the start", "δ^{3/2}/(n³L⁶(log m)^{3/2})")
        .our_constant("the constant 1 in the radius; the check near leaves none")
        .in_sense("facts")
        .in_sense("definition-4.1")
        .in_sense("any-d")
        .sharpening(
            "near",
            "in the networks drawn a point with all queries zero is within 8/√m of the start: with any constant in the \
             radius it is in the ball once m is large",
            holds(),
            |s, x| at_most(x.distance, 8.0 / exact(s.width as f64).sqrt()),
        )
        .control("nearer", "that point is within 1/√m of the start", |s, x| {
            at_most(x.distance, 1.0 / exact(s.width as f64).sqrt())
        })
}

fn up_limit() -> Setting<UnitPoints, Limit> {
    Setting::measuring(|p: &UnitPoints, _| limit(p))
        .given("unit inputs, 2 ≤ n ≤ 64; W, θ a random start, d fixed, m → ∞")
        .assume(Hypothesis::new("all points distinct", |p| !p.repeats()))
        .family(outside("a point twice", || {
            let points = vec![vec![1.0, 0.0], vec![0.0, 1.0], vec![1.0, 0.0]];
            vec![("three points, one twice", UnitPoints { layers: 2, points })]
        }))
        .family(edge("data sets", data))
        .family(random("on the sphere", on_spheres).taking(0.5))
        .without_search()
        .part(
            "up-limit",
            "W, θ a random start, m → ∞: ‖∇_W‖² ≤ (Lm/(2nd)) Σ ‖l̃oss_i‖² whatever the loss vectors, and the same for θ",
            holds(),
            |_, x| at_most(x.largest, x.n * x.layers),
        )
        .sides("the largest eigenvalue of (κ(φ_ij))", "nL")
        .in_sense("facts")
        .in_sense("lemma-a3")
        .part(
            "low-limit",
            "W, θ a random start, m → ∞: ‖∇_W‖² ≥ (mδ/(5n³d)) Σ ‖l̃oss_i‖² whatever the loss vectors, and the same for \
             θ",
            holds(),
            |_, x| at_least(x.n * x.smallest / 2.0, x.separation / 5.0),
        )
        .sides("n/2 times the smallest eigenvalue of (κ(φ_ij))", "δ/5")
        .our_constant("the constant 1/5")
        .assume(DEEP_OR_WITHOUT_OPPOSITES)
        .part(
            "definition",
            "Q-up with ∂L_S/∂q_i for l̃oss_i, W, θ a random start, m → ∞: ‖∇_W‖² ≤ 4(Lm/(nd)) Σ ‖l̃oss_i‖² whatever \
             vectors these are",
            fails("the derivatives are n times shorter: the ratio is n/2 at least"),
            |_, x| at_most(x.largest * x.n / (2.0 * x.layers), 4),
        )
        .sides("largest ‖∇_W‖²/((Lm/(nd)) Σ ‖l̃oss_i‖²)", "4")
        .our_constant("the constant 4; the check n-times leaves none")
        .in_sense("definition-4.1")
        .sharpening(
            "n-times",
            "W, θ a random start, m → ∞: ‖∇_W‖² reaches at least (n/2)(Lm/(nd)) Σ ‖∂L_S/∂q_i‖² for some vectors in the \
             place of the derivatives",
            holds(),
            |_, x| at_least(x.largest * x.n / (2.0 * x.layers), x.n / 2.0),
        )
        .sides("n/(2L) times the largest eigenvalue of (κ(φ_ij))", "n/2")
        .control(
            "up-half",
            "W, θ a random start, m → ∞: ‖∇_W‖² ≤ (Lm/(4nd)) Σ ‖l̃oss_i‖²",
            |_, x| at_most(x.largest, x.n * x.layers / 2.0),
        )
        .sides("the largest eigenvalue of (κ(φ_ij))", "nL/2")
        .ours(
            "n-squared",
            "W, θ a random start, m → ∞: ‖∇_W‖² ≥ (mδ/(20n²d)) Σ ‖l̃oss_i‖², n² in place of n³",
            holds(),
            |_, x| at_least(x.smallest / 2.0, x.separation / 20.0),
        )
        .sides("half the smallest eigenvalue of (κ(φ_ij))", "δ/20")
        .assume(DEEP_OR_WITHOUT_OPPOSITES)
        .control(
            "up-without-L",
            "W, θ a random start, m → ∞: ‖∇_W‖² ≤ (m/(2nd)) Σ ‖l̃oss_i‖²",
            |_, x| at_most(x.largest, x.n),
        )
        .sides("the largest eigenvalue of (κ(φ_ij))", "n")
        .control(
            "low-without-n",
            "W, θ a random start, m → ∞: ‖∇_W‖² ≥ (m/(10d)) Σ ‖l̃oss_i‖²",
            |_, x| at_least(x.smallest / (2.0 * x.n.square()), exact(0.1)),
        )
        .sides("the smallest eigenvalue of (κ(φ_ij)) over 2n²", "1/10")
        .control(
            "low-without-delta",
            "W, θ a random start, m → ∞: ‖∇_W‖² ≥ (m/(10n³d)) Σ ‖l̃oss_i‖²",
            |_, x| at_least(x.n * x.smallest / 2.0, exact(0.1)),
        )
        .sides("n/2 times the smallest eigenvalue of (κ(φ_ij))", "1/10")
}

fn by_descent() -> Setting<BadPoints, Vec<Reached>> {
    Setting::measuring(|s: &BadPoints, _| s.measure())
        .given(
            "distinct unit inputs, 1 ≤ k ≤ n − 1; a random start moved by gradient descent on ½ Σ_i ‖f(x_i) − y_i‖² \
             until the outputs are y_i to within 10^{−11}; the larger of ‖W − W^{(0)}‖_F and ‖θ − θ^{(0)}‖_F is its \
             distance",
        )
        .family(edge("outputs reached", bad_points))
        .without_search()
        .ours(
            "by-descent",
            "all queries zero by descent, d up to 4 and L up to 2: points with ‖∇_θ‖² < 10^{−9} (mδ/(n³d)) Σ ‖l̃oss_i‖² \
             stay out of the ball: their distance falls no faster than a power of log m (slope of log distance in log \
             m at least −1/4)",
            fails("they too are within O(√(d/m))"),
            |_, r| stays_outside(r),
        )
        .sides("slope of log distance in log m", "−1/4")
        .except(NOT_REACHED)
        .assume(Hypothesis::new("zero queries", |s| s.outputs == NamedOutputs::ZeroQueries))
        .because("printed in the check of that name, at other sizes")
        .ours(
            "hexagon-by-descent",
            "Q-low for one hidden layer on a hexagon, by descent, d up to 4: points with ‖∇_W‖² < 10^{−9} (mδ/(n³d)) Σ \
             ‖l̃oss_i‖² stay out of the ball: their distance falls no faster than a power of log m (slope of log \
             distance in log m at least −1/4)",
            fails("they are within O(√(d/m)) at every width that was drawn"),
            |_, r| stays_outside(r),
        )
        .sides("slope of log distance in log m", "−1/4")
        .except(NOT_REACHED)
        .assume(Hypothesis::new("a hexagon, one hidden layer", |s| {
            s.outputs == NamedOutputs::Alternating && s.layers == 1
        }))
        .because("q-low-antipodal in drawn networks, at other sizes")
        .sharpening(
            "how-near",
            "zero queries, and on a hexagon the alternating outputs, are reached within O(m^{−1/2}) of the start",
            consistent(),
            |_, r| Trend::through(&distances(r)).named("m").grows_at_most(-0.5),
        )
        .sides("slope of log distance in log m", "−1/2 + 1/4")
        .amendment(
            "two-layers",
            "Q-low on a hexagon with two hidden layers: at the alternating outputs, with which one layer would have \
             ∇_W = 0, ‖∇_W‖²/((mδ/(n³d)) Σ ‖l̃oss_i‖²) is bounded below as m grows",
            consistent(),
            |_, r| {
                let ratios: Vec<(f64, f64)> = r.iter().map(|x| (x.width as f64, x.ratio)).collect();
                Trend::through(&ratios).named("m").stays_above_zero()
            },
        )
        .sides("slope of log(‖∇_W‖²/((mδ/(n³d)) Σ ‖l̃oss_i‖²)) in log m", "−1/4")
        .assume(Hypothesis::new("a hexagon, two hidden layers", |s| {
            s.outputs == NamedOutputs::Alternating && s.layers == 2
        }))
        .control("not-at-the-start", "the ratio is at most 10^{−9} at random starts already", |_, r| {
            at_most(measured(r.iter().map(|x| x.before).fold(0.0, f64::max)), exact(1e-9))
        })
}

fn q_up() -> Setting<GradientSweep, Vec<(f64, Ratios)>> {
    Setting::measuring(|s: &GradientSweep, trial| s.measure(trial))
        .given(
            "distinct unit inputs, uniform on the sphere unless an angle is named, k = max(1, ⌊n/4⌋); four points of \
             the ball around a random start: the start, and W and θ both moved by the whole radius along a Gaussian \
             direction, along their gradients, and against them",
        )
        .family(edge("sweeps", sweeps).restricted("random starts, 8 to 24 of each size"))
        .without_search()
        .part(
            "q-up",
            "‖∇_W‖² ≤ 4(Lm/(nd)) Σ ‖l̃oss_i‖², at random starts and at points of the ball around them",
            consistent(),
            |_, r| at_most(highest(r, 0), 4),
        )
        .sides("the largest ‖∇_W‖²/((Lm/(nd)) Σ ‖l̃oss_i‖²) of a sweep", "4")
        .assume(NARROW_OUTPUT)
        .our_constant("the constant 4, above every ratio that was drawn")
        .in_sense("facts")
        .in_sense("lemma-a3")
        .part(
            "q-low",
            "‖∇_W‖² ≥ (mδ/(10n³d)) Σ ‖l̃oss_i‖², at random starts and at points of the ball around them",
            consistent(),
            |_, r| at_least(lowest(r, 0), exact(0.1)),
        )
        .sides("the smallest ‖∇_W‖²/((mδ/(n³d)) Σ ‖l̃oss_i‖²) of a sweep", "1/10")
        .assume(NARROW_OUTPUT)
        .our_constant("the constant 1/10, below every ratio that was drawn")
        .in_sense("facts")
        .in_sense("lemma-a3")
        .part(
            "k-up",
            "‖∇_θ‖² ≤ 4(Lm/(nd)) Σ ‖l̂oss_i‖², at random starts and at points of the ball around them",
            consistent(),
            |_, r| at_most(highest(r, 1), 4),
        )
        .sides("the largest ‖∇_θ‖²/((Lm/(nd)) Σ ‖l̂oss_i‖²) of a sweep", "4")
        .assume(NARROW_OUTPUT)
        .our_constant("the constant 4, above every ratio that was drawn")
        .in_sense("facts")
        .in_sense("lemma-a3")
        .part(
            "k-low-a3",
            "‖∇_θ‖² ≥ (mδ/(10n³d)) Σ ‖l̂oss_i‖², at random starts and at points of the ball around them",
            consistent(),
            |_, r| at_least(lowest(r, 1), exact(0.1)),
        )
        .sides("the smallest ‖∇_θ‖²/((mδ/(n³d)) Σ ‖l̂oss_i‖²) of a sweep", "1/10")
        .assume(NARROW_OUTPUT)
        .our_constant("the constant 1/10, below every ratio that was drawn")
        .in_sense("lemma-a3")
        .control(
            "any-d-drawn",
            "Q-up: ‖∇_W‖²/((Lm/(nd)) Σ ‖l̃oss_i‖²) is bounded as d grows beyond m, drawn networks",
            |_, r| up(r, 0, |_| 1.0),
        )
        .sides("slope of log(‖∇_W‖²/((Lm/(nd)) Σ ‖l̃oss_i‖²)) in log d", "1/4")
        .assume(WIDE_OUTPUT)
        .amendment(
            "any-d-amended",
            "‖∇_W‖² ≤ 4(L/n)(m/d + 1) Σ ‖l̃oss_i‖² with d beyond m, at random starts and at points of the ball around \
             them",
            holds(),
            |s, r| {
                let m = s.start.width as f64;
                let ratio = |(d, x): &(f64, Ratios)| x.up[0] * (m / d) / (m / d + 1.0);
                at_most(measured(r.iter().map(ratio).fold(0.0, f64::max)), 4)
            },
        )
        .sides("the largest ‖∇_W‖²/((L/n)(m/d + 1) Σ ‖l̃oss_i‖²) of a sweep", "4")
        .assume(WIDE_OUTPUT)
        .control("q-up-less", "‖∇_W‖² ≤ (Lm/(10nd)) Σ ‖l̃oss_i‖²", |_, r| {
            at_most(highest(r, 0), exact(0.1))
        })
        .sides("the largest ‖∇_W‖²/((Lm/(nd)) Σ ‖l̃oss_i‖²) of a sweep", "1/10")
        .assume(NARROW_OUTPUT)
        .control("q-low-more", "‖∇_W‖² ≥ (mδ/(n³d)) Σ ‖l̃oss_i‖²", |_, r| at_least(lowest(r, 0), 1))
        .sides("the smallest ‖∇_W‖²/((mδ/(n³d)) Σ ‖l̃oss_i‖²) of a sweep", "1")
        .assume(NARROW_OUTPUT)
}

fn steps_of_gradients() -> Setting<OneUnit, ()> {
    Setting::of()
        .given(
            "n ≥ 2, one unit, so that D, Back and h are numbers: u = Back·D, h ≥ 0, v = l̃oss_i; the marked ones at \
             W^{(0)}, the others at W",
        )
        .family(edge("named", || {
            let same = [1.0, 1.0, 2.0, 1.0, 2.0, 1.0];
            let moved = [1.0, 0.5, 1.0, 1.0, 1.0, 1.0];
            vec![
                ("two equal points", OneUnit { points: vec![same; 2] }),
                ("only the loss vectors move", OneUnit { points: vec![moved; 2] }),
                ("nothing moves", OneUnit { points: vec![[1.0; 6]; 3] }),
                ("equal parts", OneUnit { points: vec![[1.0, 1.0, 1.0, 0.0, 2.0, 1.0]; 2] }),
                ("opposite signs", OneUnit { points: vec![[1.0, 1.0, 2.0, 1.0, 1.0, 2.0]; 2] }),
            ]
        }))
        .family(random("drawn", || {
            let numbers = (-1.0..1.0f64, -1.0..1.0f64, -2.0..2.0f64, -2.0..2.0f64, 0.0..2.0f64, 0.0..2.0f64);
            vec(numbers.prop_map(|(a, b, c, d, e, f)| [a, b, c, d, e, f]), 2..=5).prop_map(|points| OneUnit { points })
        }))
        .step(
            "s1",
            "∇(W^{(0)}) − ∇(W) = (1/n) Σ v_i (u_i^{(0)}h_i^{(0)} − u_ih_i): the left side is (1/n) Σ (ṽ_i \
             u_i^{(0)}h_i^{(0)} − v_i u_i h_i) with ṽ_i = l̃oss_i at W^{(0)} and v_i = l̃oss_i at W",
            fails("l̃oss_i moves with W: the formula needs one v_i for both"),
            |p, ()| {
                let moving = p.mean(|[v, w, u0, u, h0, h]| w * u0 * h0 - v * u * h);
                let fixed = p.mean(|[v, _, u0, u, h0, h]| v * (u0 * h0 - u * h));
                equal(moving, fixed).on_scale_of("the mean of Π(1 + |·|) over the factors", p.scale())
            },
        )
        .sides("(1/n) Σ (ṽ_iu_i^{(0)}h_i^{(0)} − v_iu_ih_i)", "(1/n) Σ v_i (u_i^{(0)}h_i^{(0)} − u_ih_i)")
        .step(
            "s1-fixed",
            "(1/n) Σ v_i (u_i^{(0)}h_i^{(0)} − u_ih_i) = (1/n) Σ v_iu_i^{(0)}(h_i^{(0)} − h_i) + v_i(u_i^{(0)} − \
             u_i)h_i",
            holds(),
            |p, ()| {
                let split = p.mean(|[v, _, u0, u, h0, h]| v * u0 * (h0 - h) + v * (u0 - u) * h);
                equal(p.mean(|[v, _, u0, u, h0, h]| v * (u0 * h0 - u * h)), split)
                    .on_scale_of("the mean of Π(1 + |·|) over the factors", p.scale())
            },
        )
        .step(
            "s2",
            "‖(1/n) Σ v_i (u_i^{(0)}h_i^{(0)} − u_ih_i)‖² ≤ (1/n) Σ ‖v_iu_i^{(0)}‖²‖h_i^{(0)} − h_i‖² + (1/n) Σ \
             ‖v_i(u_i^{(0)} − u_i)‖²‖h_i‖²",
            fails("the factor 2 of ‖a + b‖² ≤ 2‖a‖² + 2‖b‖² is missing"),
            |p, ()| at_most(p.left(), p.right()),
        )
        .sides("‖(1/n) Σ v_i (u_i^{(0)}h_i^{(0)} − u_ih_i)‖²", "the two sums on the right")
        .amendment(
            "s2-twice",
            "‖(1/n) Σ v_i (u_i^{(0)}h_i^{(0)} − u_ih_i)‖² ≤ 2(1/n) Σ ‖v_iu_i^{(0)}‖²‖h_i^{(0)} − h_i‖² + 2(1/n) Σ \
             ‖v_i(u_i^{(0)} − u_i)‖²‖h_i‖²",
            holds(),
            |p, ()| {
                at_most(p.left(), 2.0 * p.right()).on_scale_of("the mean of Π(1 + |·|) over the factors", p.scale())
            },
        )
        .control(
            "s2-more",
            "‖(1/n) Σ v_i (u_i^{(0)}h_i^{(0)} − u_ih_i)‖² ≤ (3/2)(1/n) Σ ‖v_iu_i^{(0)}‖²‖h_i^{(0)} − h_i‖² + \
             (3/2)(1/n) Σ ‖v_i(u_i^{(0)} − u_i)‖²‖h_i‖²",
            |p, ()| at_most(p.left(), 1.5 * p.right()),
        )
}

fn final_radius() -> Setting<AtPoint, LogarithmicSides> {
    Setting::measuring(|p: &AtPoint, _| Ok(p.sides()))
        .given("n, L, m, log m, d ≥ 1 and 0 < δ ≤ 1, log m a size of its own; sides compared by their logarithms")
        .family(points([ProofStep::K9, ProofStep::K1]))
        .without_search()
        .step(
            "s3",
            "① in Appendix C.4: ω^{2/3}L⁴m log m/(nd) ≤ mδ/(n³d) at ω = δ^{3/2}/(n³L⁶(log m)^{3/2})",
            holds(),
            |_, s| s.hold(ProofStep::K9),
        )
        .assume(Hypothesis::own(|p| p.step == ProofStep::K9))
        .control(
            "s3-more",
            "ω^{2/3}L⁴m log m/(nd) ≤ 1000 mδ/(n⁴d) at ω = δ^{3/2}/(n³L⁶(log m)^{3/2})",
            |p, s| with_factor(p, s, N),
        )
        .sides("the logarithm of n times the left side", "that of n times the right side")
        .assume(Hypothesis::own(|p| p.step == ProofStep::K9))
}

fn last_layer_alone() -> Setting<EncoderPair, [Vec<Vec<Interval>>; 2]> {
    Setting::measuring(|p: &EncoderPair, _| Ok(p.encoders.enclosed_gradient(&p.points, p.negatives)?))
        .given("1 ≤ k ≤ n − 1")
        .family(families(2))
        .without_search()
        .step("s4", "‖∇_W‖² ≥ ‖∇_{W_{L−1}}‖², and the same for θ", holds(), |p, gradient| {
            let last = p.layers() - 1;
            all_of(["W", "θ"].into_iter().zip(gradient).map(|(name, matrices)| {
                let last = squares(&matrices[last]);
                let others = matrices.iter().enumerate().filter(|(l, _)| *l + 1 != p.layers());
                let others: Enclosure = others.map(|(_, m)| squares(m)).sum();
                (name, at_least(last + others, last).with_margin(others))
            }))
        })
        .not_evidence("a sum of squares is at least each of its terms")
        .control("s4-equal", "‖∇_W‖² ≤ ‖∇_{W_{L−1}}‖²", |p, gradient| {
            let all: Enclosure = gradient[0].iter().map(|m| squares(m)).sum();
            at_most(all, squares(&gradient[0][p.layers() - 1]))
        })
}
