//! Assumption 2: separated inputs.
//!
//! δ is the smallest distance, always computed from the data. Unit points allow δ ≤ √(2n/(n − 1)), attained by the regular simplex: the squared distances of all
//! pairs add up to n² − ‖Σ x_i‖². With n ≥ b + 2 points δ ≤ √2 (Rankin 1955: b + 2 vectors of ℝ^b cannot have negative inner products pairwise), and
//! disjoint balls of radius δ/2 give n ≤ (1 + 2/δ)^b. Antipodal pairs are allowed: they have distance 2, the largest there is.

use evidence::claim::pairs_below;
use evidence::prelude::*;
use proptest::collection::vec;
use proptest::prelude::Strategy;

use crate::shared::signs::{POINTS, SEPARATION};
use crate::shared::unit_points::{UnitPoints, data_sets, on_the_sphere};

struct Spread {
    n: f64,
    b: usize,
    delta: Enclosure,
    /// The largest distance.
    widest: Enclosure,
    /// ‖Σ x_i‖².
    sum: Enclosure,
    /// Σ_{i<j} ‖x_i − x_j‖².
    distances: Enclosure,
}

fn spread(p: &UnitPoints) -> Spread {
    let (n, b) = (p.points.len(), p.points[0].len());
    let directions: Vec<Vec<Interval>> = (0..n).map(|i| p.direction(i)).collect();
    let total = |c: usize| directions.iter().map(|x| x[c]).sum::<Interval>();
    let squared = |i: usize, j: usize| {
        let differences = directions[i].iter().zip(&directions[j]).map(|(&x, &y)| (x - y).square());
        differences.sum::<Interval>()
    };
    Spread {
        n: n as f64,
        b,
        delta: p.separation().into(),
        widest: pairs_below(n).map(|(j, i)| squared(i, j)).fold(Interval::ZERO, Interval::max).sqrt().into(),
        sum: (0..b).map(|c| total(c).square()).sum::<Interval>().into(),
        distances: pairs_below(n).map(|(j, i)| squared(i, j)).sum::<Interval>().into(),
    }
}

impl Spread {
    /// 2n/(n − 1).
    fn simplex(&self) -> Enclosure {
        exact(2.0 * self.n) / (self.n - 1.0)
    }
}

/// One point on each of as many coordinate axes as there are points.
fn one_on_each_axis(p: &UnitPoints) -> bool {
    let axis = |x: &Vec<f64>| x.iter().position(|&c| c != 0.0);
    let mut axes: Vec<Option<usize>> = p.points.iter().map(axis).collect();
    axes.sort();
    axes.dedup();
    p.on_the_axes() && axes.len() == p.points.len()
}

pub fn claim() -> Claim {
    Claim::new("wen2020.assumption-2", "separation", Kind::Definition)
        .statement("there is a universal constant δ > 0 with ‖x_i − x_j‖₂ ≥ δ for all i ≠ j")
        .source("Assumption 2", &[])
        .symbols([POINTS])
        .symbol("b", "the dimension of the inputs")
        .symbols([SEPARATION])
        .remark("The theorem asks for δ ∈ (0, O(1/L)); the lemmas of Appendices B and C do not always repeat it.")
        .setting(printed())
}

fn printed() -> Setting<UnitPoints, Spread> {
    Setting::measuring(|p: &UnitPoints, _| Ok(spread(p)))
        .given("unit inputs x_i ∈ ℝ^b, n ≥ 2; δ their smallest distance")
        .assume(Hypothesis::new("all points distinct", |p| !p.repeats()))
        .family(edge("data sets", || {
            let of = |(name, points)| (name, UnitPoints { layers: 1, points });
            data_sets().into_iter().map(of).collect()
        }))
        .family(random("on the sphere", || {
            (2usize..=12, 1usize..=5).prop_flat_map(|(n, b)| {
                let rows = vec(vec(-1.0..1.0f64, b), n);
                rows.prop_map(|rows| UnitPoints { layers: 1, points: on_the_sphere(rows) })
            })
        }))
        .without_search()
        .part("printed", "the inputs are separated: δ > 0", holds(), |_, s| greater_than(s.delta, 0))
        .not_evidence("the families have distinct points by construction")
        .part(
            "universal",
            "‖x_i − x_j‖ = √2 for all i ≠ j of n orthogonal unit inputs, at every n: one δ serves every n, as \
             \"universal\" asks",
            holds(),
            |_, s| {
                let root = exact(2.0).sqrt();
                all_of([("the smallest", equal(s.delta, root)), ("the largest", equal(s.widest, root))])
            },
        )
        .checked("wen2020.Separated.assumption_2_universal")
        .assume(Hypothesis::new("every input lies on a coordinate axis, no two on the same", one_on_each_axis))
        .ours("diameter", "δ ≤ 2, antipodal pairs included", holds(), |_, s| at_most(s.delta, 2))
        .checked("wen2020.Separated.assumption_2_diameter")
        .because("a consequence that the paper does not draw")
        .ours("simplex", "δ² ≤ 2n/(n − 1)", holds(), |_, s| at_most(s.delta.square(), s.simplex()))
        .checked("wen2020.Separated.assumption_2_simplex")
        .because("a consequence that the paper does not draw")
        .sharpening(
            "sum",
            "Σ_{i<j} ‖x_i − x_j‖² = n² − ‖Σ x_i‖², hence δ² ≤ 2(n² − ‖Σ x_i‖²)/(n(n − 1))",
            holds(),
            |_, s| {
                let total = exact(s.n * s.n) - s.sum;
                all_of([
                    ("identity", equal(s.distances, total).on_scale_of("n²", s.n * s.n)),
                    ("bound", at_most(s.delta.square(), 2.0 * s.distances / (s.n * (s.n - 1.0)))),
                ])
            },
        )
        .checked_in_part("wen2020.Separated.assumption_2_sum")
        .sharpening("rankin", "n ≥ b + 2: δ² ≤ 2", holds(), |_, s| at_most(s.delta.square(), 2))
        .assume(Hypothesis::new("n ≥ b + 2", |p| p.points.len() >= p.points[0].len() + 2))
        .sharpening("packing", "n ≤ (1 + 2/δ)^b", holds(), |_, s| {
            at_most(exact(s.n), (1.0 + 2.0 / s.delta).powi(s.b as i64))
        })
        .control("a", "δ ≥ 3/2 with ten points or more", |_, s| at_least(s.delta, exact(1.5)))
        .assume(Hypothesis::new("n ≥ 10", |p| p.points.len() >= 10))
        .control("b", "δ² ≤ 0.99 · 2n/(n − 1)", |_, s| at_most(s.delta.square(), 0.99 * s.simplex()))
        .control("c", "δ² ≤ 2 for all n", |_, s| at_most(s.delta.square(), 2))
}
