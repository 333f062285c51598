//! Assumption 1: unit inputs.
//!
//! The data families of this catalogue have norm one to within rounding, and data scaled by two are refused. The remark that norms may lie in [c₁, c₂]
//! instead is true of the upper bounds, not of what needs separated inputs: f(cx) = c f(x), so x and 2x have parallel tangent features at any distance, and
//! the Gram matrix of the tangent kernel is singular. What has to be separated then are the directions x_i/‖x_i‖.

use contrastive::network::{Pairs, Separation};
use enclosures::vectors::scaled;
use evidence::prelude::*;
use proptest::collection::vec;
use proptest::prelude::Strategy;

use crate::remark_ntk::{UNRESOLVED, positive, smallest_tangent_eigenvalue};
use crate::shared::signs::{LAYERS, POINTS, SEPARATION};
use crate::shared::unit_points::{UnitPoints, circle, data_sets, on_the_sphere, two};

/// What counts as norm one in doubles.
const TOLERANCE: f64 = 1e-12;

fn separation(p: &UnitPoints, factor: f64) -> Result<Separation, MeasureError> {
    Ok(Separation::of(&scaled(&p.points.concat(), factor), p.points[0].len())?)
}

/// The norms of the data, to within 1e-12 of one.
fn normalised(found: &Separation) -> evidence::claim::Evaluation {
    let norms = found.norms();
    let ends = [("smallest", norms.lo()), ("largest", norms.hi())];
    all_of(ends.map(|(name, norm)| (name, equal(exact(norm), 1).within(TOLERANCE))))
}

fn norms_between(p: &UnitPoints, low: f64, high: f64) -> bool {
    (0..p.points.len()).all(|i| p.norm(i).lo() >= low && p.norm(i).hi() <= high)
}

pub fn claim() -> Claim {
    Claim::new("wen2020.assumption-1", "unit norm", Kind::Definition)
        .statement("‖x_i‖₂ = 1 for all i; it may be relaxed to c₁ ≤ ‖x_i‖ ≤ c₂")
        .source("Assumption 1", &["sentence after it"])
        .symbols([POINTS, LAYERS, SEPARATION])
        .symbol(
            "tangent kernel",
            "the n × n matrix ‖x_i‖‖x_j‖ T_L(φ_ij), φ_ij the angle of x_i and x_j: with φ_0 = φ_ij, T_0 = cos φ_0, T_l \
             = T_{l−1}(1 − φ_{l−1}/π) + cos φ_l, cos φ_l = (sin φ_{l−1} + (π − φ_{l−1}) cos φ_{l−1})/π for l = 1, …, L",
        )
        .symbol("λ_min", "the smallest eigenvalue of that matrix for the inputs x_i/‖x_i‖")
        .remark(
            "Relaxed with norms in [½, 2]. The Gram matrix of points c_i x_i is diag(c) K diag(c), K that of the \
             directions, since ReLU networks without biases are homogeneous.",
        )
        .setting(printed())
        .setting(relaxed())
}

fn printed() -> Setting<UnitPoints, [Separation; 2]> {
    Setting::measuring(|p: &UnitPoints, _| Ok([separation(p, 1.0)?, separation(p, 2.0)?]))
        .assume(Hypothesis::new("1 − 10⁻¹² ≤ ‖x_i‖ ≤ 1 + 10⁻¹² for all i", |p| {
            norms_between(p, 1.0 - TOLERANCE, 1.0 + TOLERANCE)
        }))
        .family(outside("longer", || vec![("a point of norm 2", of_two(1.0, 2.0, 2))]))
        .family(edge("data sets", unit_sets))
        .family(random("on the sphere", || drawn(1.0..1.000_000_1f64)))
        .without_search()
        .part(
            "printed",
            "the inputs have norm one to within 10⁻¹²: 1 − 10⁻¹² ≤ ‖x_i‖ ≤ 1 + 10⁻¹² for all i",
            holds(),
            |_, [data, _]| normalised(data),
        )
        .not_evidence("the families are normalised by construction")
        .control("a", "the inputs scaled by two have norm one to within 10⁻¹²", |_, [_, doubled]| {
            normalised(doubled)
        })
}

fn relaxed() -> Setting<UnitPoints, (Option<Interval>, Enclosure)> {
    Setting::measuring(|p: &UnitPoints, _| {
        Ok((separation(p, 1.0)?.smallest_distance(Pairs::Indexed), smallest_tangent_eigenvalue(p)?))
    })
    .given("L hidden layers, no biases, infinite width, all layers trained")
    .degenerate("b = 1, where directions are signs", |p: &UnitPoints| p.points[0].len() < 2)
    .assume(Hypothesis::new("½ ≤ ‖x_i‖ ≤ 2 for all i", |p| norms_between(p, 0.5, 2.0)))
    .assume(Hypothesis::new("δ > 0: all points are distinct", |p| {
        separation(p, 1.0).is_ok_and(|s| s.smallest_distance(Pairs::Indexed).is_some_and(|d| d.lo() > 0.0))
    }))
    .family(outside("other norms, repeated points, one layer", || {
        vec![
            ("a norm of 4", of_two(1.0, 4.0, 2)),
            ("a point twice", of_two(1.0, 1.0, 2)),
            ("one layer", of_two(1.0, 2.0, 1)),
            (
                "norms of 4 and 1 at a right angle",
                UnitPoints { layers: 2, points: vec![vec![4.0, 0.0], vec![0.0, 1.0]] },
            ),
            ("three pairs in the plane, one layer", UnitPoints { layers: 1, points: circle(6) }),
        ]
    }))
    .family(edge("scaled", scaled_sets))
    .family(random("scaled", || drawn(0.5..2.0f64)).taking(0.5))
    .without_search()
    .sense(
        "relaxed",
        "norms in [½, 2] and ‖x_i − x_j‖ ≥ δ > 0, two hidden layers or more: the tangent kernel is positive definite",
        fails("x and 2x are separated, and their tangent features are parallel"),
        |_, (_, smallest)| positive(*smallest),
    )
    .sides("λ_min of the tangent kernel", "0")
    .except(UNRESOLVED)
    .because("what the assumptions on the data are to give is read off the remark after Assumption 2: λ_min > 0")
    .assume(Hypothesis::new("L ≥ 2", |p| p.layers >= 2))
    .sense(
        "directions",
        "norms in [½, 2] and distinct directions x_i/‖x_i‖, two hidden layers or more: the tangent kernel is positive \
         definite",
        holds(),
        |_, (_, smallest)| positive(*smallest),
    )
    .except(UNRESOLVED)
    .because("the fair reading of a relaxed Assumption 1: what is separated are the normalised inputs")
    .assume(Hypothesis::new("L ≥ 2", |p| p.layers >= 2))
    .assume(Hypothesis::new("the directions x_i/‖x_i‖ are distinct", |p| !p.repeats()))
    .control(
        "b",
        "λ_min is at least the smallest distance ‖x_i − x_j‖ of the data",
        |_, (distance, smallest)| {
            let distance: Interval = distance.unwrap_or(Interval::ZERO);
            evidence::claim::at_least(*smallest, Enclosure::from(distance))
        },
    )
}

/// Two points of the line.
fn of_two(first: f64, second: f64, layers: usize) -> UnitPoints {
    UnitPoints { layers, points: vec![vec![first], vec![second]] }
}

fn unit_sets() -> Vec<(String, UnitPoints)> {
    let unit =
        |(name, points): (String, Vec<Vec<f64>>)| (name, UnitPoints { layers: 1, points: on_the_sphere(points) });
    data_sets().into_iter().map(unit).collect()
}

fn scaled_sets() -> Vec<(String, UnitPoints)> {
    let of = |name: &str, points: Vec<Vec<f64>>| (name.to_owned(), UnitPoints { layers: 2, points });
    let alternating = |points: Vec<Vec<f64>>| {
        let scale =
            |(i, x): (usize, Vec<f64>)| x.into_iter().map(|c| if i % 2 == 0 { 0.75 * c } else { 1.5 * c }).collect();
        points.into_iter().enumerate().map(scale).collect::<Vec<Vec<f64>>>()
    };
    vec![
        of("a point and its double", vec![vec![1.0], vec![2.0]]),
        of("a point and its double in the plane", vec![vec![0.75, 0.5], vec![1.5, 1.0], vec![0.0, 1.0]]),
        of("two directions, two norms", alternating(two(0.1))),
        of("a circle of two radii", alternating(circle(7))),
    ]
}

/// Points of random directions with norms in the range.
fn drawn(norms: std::ops::Range<f64>) -> impl Strategy<Value = UnitPoints> {
    let unit = norms.end < 1.1;
    (2usize..=6, 1usize..=4).prop_flat_map(move |(n, b)| {
        (vec(vec(-1.0..1.0f64, b), n), vec(norms.clone(), n)).prop_map(move |(rows, norms)| {
            let scale = |(x, norm): (Vec<f64>, f64)| x.into_iter().map(|c| if unit { c } else { norm * c }).collect();
            let points = on_the_sphere(rows).into_iter().zip(norms).map(scale).collect();
            UnitPoints { layers: 2, points }
        })
    })
}
