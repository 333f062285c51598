//! The remark after Assumption 2: separated unit inputs make the Gram matrix of the limiting tangent kernel positive definite.
//!
//! Not for the network of Definition 3.1 with one hidden layer. There the kernel is K(u) = uκ(u) + κ₁(u), u the cosine of the angle φ, κ = (π − φ)/π, κ₁ the
//! arc-cosine kernel, and K(u) − K(−u) = 2u: a quadratic form in a vector v that is opposite on p antipodal pairs ±x_p is a multiple of
//! ‖Σ v_p x_p‖², zero for some v ≠ 0 as soon as the x_p are linearly dependent, for instance with p > b (six points on a circle).
//! The same holds for one trained layer, where uκ(u) − (−u)κ(−u) = u. The cited source asks that no two inputs are parallel, and Assumption
//! 2 allows x_j = −x_i. With p ≤ b independent pairs, or none, or with two hidden layers or more, the matrix is positive definite: the
//! power series of K in u has, besides the linear term, all even powers, and a second layer brings all odd ones.

use enclosures::linear_algebra::{IntervalMatrix, symmetric_eigenvalues};
use enclosures::probability::{both_active, difference_moment, next_angle};
use evidence::prelude::*;
use proptest::collection::vec;
use proptest::prelude::{Strategy, prop_oneof};

use crate::shared::signs::{LAYERS, POINTS, SEPARATION};
use crate::shared::unit_points::{UnitPoints, data_sets, on_the_sphere};

/// Which parameters are trained.
#[derive(Clone, Copy)]
enum Trained {
    /// All layers.
    All,
    /// All layers but the output layer: what is left of ‖∇_W‖² in units of m/(2d) as m → ∞ at fixed d.
    Hidden,
    /// W_{L−1} alone.
    LastHidden,
}

/// K of two unit inputs at an angle, for so many hidden layers.
fn kernel(angle: Interval, layers: usize, trained: Trained) -> Interval {
    let mut angle = angle;
    let (mut covariance, mut tangent) = (angle.cos(), angle.cos());
    for layer in 0..layers {
        let share = both_active(angle) * 2.0;
        match trained {
            Trained::LastHidden if layer + 1 == layers => return covariance * share,
            Trained::Hidden if layer + 1 == layers => return tangent * share,
            _ => {}
        }
        covariance = Interval::ONE - difference_moment(angle);
        tangent = tangent * share + covariance;
        angle = next_angle(angle);
    }
    tangent
}

struct Spectrum {
    all: Enclosure,
    last_hidden: Enclosure,
    separation: Enclosure,
}

/// The Gram matrix's eigenvalues, ascending.
fn eigenvalues(p: &UnitPoints, trained: Trained) -> Result<Vec<Interval>, MeasureError> {
    let n = p.points.len();
    let entry = |i: usize, j: usize| kernel(p.angle(i.min(j), i.max(j)), p.layers, trained);
    Ok(symmetric_eigenvalues(&IntervalMatrix::from_fn(n, n, entry)?)?)
}

/// λ_min of the Gram matrix; an error if its enclosure contradicts a null vector that is known.
fn smallest_eigenvalue(p: &UnitPoints, trained: Trained) -> Result<Enclosure, MeasureError> {
    let smallest = eigenvalues(p, trained)?[0];
    // A matrix of covariances is positive semidefinite; where a null vector is known, its smallest eigenvalue is zero.
    let possible = if singular(p) { Interval::ZERO } else { Interval::new(0.0, f64::MAX) };
    let found = smallest.intersection(possible).ok_or("the eigenvalues contradict what is known of them")?;
    Ok(found.into())
}

/// λ_min with all layers trained.
pub fn smallest_tangent_eigenvalue(p: &UnitPoints) -> Result<Enclosure, MeasureError> {
    smallest_eigenvalue(p, Trained::All)
}

/// λ_min and λ_max with all layers but the output layer trained.
pub fn hidden_spectrum(p: &UnitPoints) -> Result<[Enclosure; 2], MeasureError> {
    let all = eigenvalues(p, Trained::Hidden)?;
    Ok([smallest_eigenvalue(p, Trained::Hidden)?, all[all.len() - 1].into()])
}

/// Whether a null vector is known: a repeated point, or, with one hidden layer, more antipodal pairs than coordinates.
fn singular(p: &UnitPoints) -> bool {
    p.repeats() || (p.layers == 1 && p.antipodal_pairs().len() > p.points[0].len())
}

fn spectrum(p: &UnitPoints) -> Result<Spectrum, MeasureError> {
    Ok(Spectrum {
        all: smallest_eigenvalue(p, Trained::All)?,
        last_hidden: smallest_eigenvalue(p, Trained::LastHidden)?,
        separation: p.separation().into(),
    })
}

pub const UNRESOLVED: &str = "the enclosure of λ_min contains 0 and positive numbers";

/// λ_min > 0; an eigenvalue that the enclosure cannot tell from zero says nothing.
pub fn positive(smallest: Enclosure) -> Evaluation {
    if smallest.lo() <= 0.0 && smallest.hi() > 0.0 {
        return vacuous(UNRESOLVED);
    }
    greater_than(smallest, 0)
}

/// One antipodal pair is independent of none.
fn no_pairs(p: &UnitPoints) -> bool {
    p.antipodal_pairs().len() <= 1
}

pub fn claim() -> Claim {
    Claim::new("wen2020.remark-ntk", "positive definite tangent kernel", Kind::Inequality)
        .statement(
            "if all ‖x_i‖ = 1 and ‖x_i − x_j‖ ≥ δ > 0 for i ≠ j, the Gram matrix of the limiting tangent kernel has \
             λ_min(K^{(L)}) > 0",
        )
        .source("remark after Assumption 2 (Section 3.3)", &[])
        .symbols([POINTS, LAYERS, SEPARATION])
        .symbol(
            "λ_min",
            "the smallest eigenvalue of the n × n matrix T_L(φ_ij), φ_ij the angle of x_i and x_j: with φ_0 = φ_ij, \
             T_0 = cos φ_0, T_l = T_{l−1}(1 − φ_{l−1}/π) + cos φ_l, cos φ_l = (sin φ_{l−1} + (π − φ_{l−1}) cos \
             φ_{l−1})/π for l = 1, …, L",
        )
        .symbol(
            "W_{L−1} alone",
            "with the matrix cos φ_{L−1} (1 − φ_{L−1}/π) in place of T_L(φ_ij), in the angles of that recursion",
        )
        .remark(
            "The kernel is read as that of the bias-free ReLU network of Definition 3.1 with L hidden layers; points \
             are directions, so that they have norm one exactly.",
        )
        .remark(
            "The cited source asks that no two inputs are parallel, for smooth activations. With an odd one, tanh say, \
             f(−x) = −f(x) for all weights, and a single antipodal pair makes the matrix singular at every depth.",
        )
        .remark(
            "A null vector is not read off from eigenvalues: with more antipodal pairs than coordinates the pairs are \
             linearly dependent, and λ_min = 0 exactly.",
        )
        .setting(printed())
        .setting(
            Setting::measuring(|p: &UnitPoints, _| spectrum(p))
                .given("a point stands twice")
                .family(edge("repeated points", repeated))
                .without_search()
                .control("a", "λ_min > 0 also with a repeated point", |_, s| positive(s.all))
                .except(UNRESOLVED),
        )
}

fn printed() -> Setting<UnitPoints, Spectrum> {
    Setting::measuring(|p: &UnitPoints, _| spectrum(p))
        .given("unit inputs, n ≥ 2; L hidden layers, no biases, infinite width")
        .assume(Hypothesis::new("all points distinct", |p| !p.repeats()))
        .family(edge("named", named))
        .family(random("on the sphere", drawn).taking(0.5))
        .without_search()
        .sense(
            "printed",
            "all layers trained: λ_min > 0",
            fails("one hidden layer and more antipodal pairs than coordinates"),
            |_, s| positive(s.all),
        )
        .sides("λ_min, all layers trained", "0")
        .except(UNRESOLVED)
        .because("which kernel is meant is left to the cited source: that of all layers")
        .sense(
            "one-layer",
            "W_{L−1} alone trained: λ_min > 0",
            fails("one hidden layer and more antipodal pairs than coordinates"),
            |_, s| positive(s.last_hidden),
        )
        .sides("λ_min, W_{L−1} alone trained", "0")
        .except(UNRESOLVED)
        .because("or that of the last hidden layer, as in Du et al.")
        .amendment("deep", "two hidden layers or more: λ_min > 0, all layers or W_{L−1} alone", holds(), |_, s| {
            all_of([("all layers", positive(s.all)), ("W_{L−1}", positive(s.last_hidden))])
        })
        .except(UNRESOLVED)
        .assume(Hypothesis::new("L ≥ 2", |p| p.layers >= 2))
        .amendment(
            "no-parallel-pairs",
            "one hidden layer, no two points parallel (or one pair): λ_min > 0, all layers or W_{L−1} alone",
            holds(),
            |_, s| all_of([("all layers", positive(s.all)), ("W_{L−1}", positive(s.last_hidden))]),
        )
        .except(UNRESOLVED)
        .assume(Hypothesis::new("L = 1", |p| p.layers == 1))
        .assume(Hypothesis::new("at most one pair x_j = −x_i", no_pairs))
        .amendment(
            "axes",
            "one hidden layer, every input on a coordinate axis: λ_min > 0, all layers trained",
            holds(),
            |_, s| positive(s.all),
        )
        .except(UNRESOLVED)
        .assume(Hypothesis::new("L = 1", |p| p.layers == 1))
        .assume(Hypothesis::new("every point lies on a coordinate axis", UnitPoints::on_the_axes))
        .control("b", "λ_min ≥ δ, all layers trained", |_, s| at_least(s.all, s.separation))
}

fn named() -> Vec<(String, UnitPoints)> {
    let plane =
        vec![vec![1.0, 0.0], vec![-1.0, 0.0], vec![0.0, 1.0], vec![0.0, -1.0], vec![3.0, 4.0], vec![-3.0, -4.0]];
    let sets = [("three antipodal pairs in the plane".to_owned(), plane)].into_iter().chain(data_sets());
    let deep = |(name, points): (String, Vec<Vec<f64>>)| {
        [1, 2, 3, 5].map(|layers| (format!("{name}, L = {layers}"), UnitPoints { layers, points: points.clone() }))
    };
    sets.flat_map(deep).collect()
}

fn repeated() -> Vec<(&'static str, UnitPoints)> {
    let of = |layers, points| UnitPoints { layers, points };
    vec![
        ("the first point twice", of(2, vec![vec![1.0, 0.0], vec![0.0, 1.0], vec![1.0, 0.0]])),
        ("two equal points", of(1, vec![vec![1.0, 2.0]; 2])),
        ("three layers", of(3, vec![vec![0.5, 1.0, 2.0], vec![0.5, 1.0, 2.0], vec![1.0, 0.0, 0.0]])),
    ]
}

fn drawn() -> impl Strategy<Value = UnitPoints> {
    let layers = prop_oneof![1usize..=3, 1usize..=1];
    (layers, 2usize..=6, 1usize..=4).prop_flat_map(|(layers, n, b)| {
        vec(vec(-1.0..1.0f64, b), n).prop_map(move |rows| UnitPoints { layers, points: on_the_sphere(rows) })
    })
}
