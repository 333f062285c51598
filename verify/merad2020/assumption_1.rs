//! Assumption 1: all inputs have norm one and are pairwise at distance δ at least.
//!
//! A definition whose words have three senses. Word for word "any x, x' ∈ X_data" includes x = x', and then no data set
//! meets it. Over distinct elements of the set X_data (S) an input may stand in several places; over the places of the
//! list of triplets (M) it may not. What the paper says follows from it ("separated and, in particular, distinct";
//! invalidated "simply by reusing a sample in two different triples") is true in the sense M only, which is stronger:
//! δ*_M is δ*_S, or 0 if an input is repeated. How large δ can be is limited: K unit vectors have Σ_{i<j} ‖x_i − x_j‖² =
//! K² − ‖Σ x_i‖², so the smallest distance is at most √(2K/(K−1)), with equality for a regular simplex.

use contrastive::network::{Pairs, Separation};
use enclosures::interval;
use enclosures::vectors::unit_vector;
use evidence::claim::none_of;
use evidence::prelude::*;
use proptest::collection::vec;
use proptest::prelude::Strategy;
use serde::{Deserialize, Serialize};

use crate::shared::notation::NORM;

const UNREPEATED: Hypothesis<Inputs> = Hypothesis::new("no input is repeated", |i| !is_repeated(i));
const REPEATED: Hypothesis<Inputs> = Hypothesis::new("some input is repeated", is_repeated);

/// How far a norm may be from one.
const TOLERANCE: f64 = 1e-12;

/// Where doubles cannot tell.
const CLOSE: &str = "δ agrees with a distance to all digits";

/// The inputs of a list of triplets, and a δ.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, simpler = Self::of_fewer_points, stored)]
struct Inputs {
    #[instance(range = "(0, 2]")]
    delta: f64,
    #[instance(length = "2.., 1..", range = "-1e6..=1e6")]
    points: Vec<Vec<f64>>,
}

impl Inputs {
    fn in_words(&self) -> String {
        let (count, d) = (self.points.len(), self.dimension());
        if count * d <= 12 {
            format!("δ = {}, inputs {:?}", self.delta, self.points)
        } else {
            format!("δ = {}, {count} inputs in dimension {d}", self.delta)
        }
    }

    fn of_fewer_points(&self) -> Vec<Self> {
        let without = |i: usize| {
            let mut fewer = self.clone();
            fewer.points.remove(i);
            fewer
        };
        if self.points.len() > 2 { (0..self.points.len()).map(without).collect() } else { Vec::new() }
    }
}

impl Inputs {
    fn dimension(&self) -> usize {
        self.points.first().map_or(0, Vec::len)
    }
}

/// The definition word for word, computed apart from the predicate.
struct MeasuredSeparation {
    separation: Separation,
    /// The smallest ‖x − x'‖ over pairs of positions, and over pairs of distinct points.
    indexed: Enclosure,
    distinct: Option<Enclosure>,
    /// Whether all norms are one up to the tolerance.
    normalised: bool,
    /// Whether some point stands in two places.
    repeated: bool,
}

fn distance(x: &[f64], y: &[f64]) -> Enclosure {
    let minus = x.iter().zip(y).map(|(&x, &y)| Enclosure::from(Interval::point(y) - x));
    minus.map(Enclosure::square).sum::<Enclosure>().max(0).sqrt()
}

fn measure(inputs: &Inputs) -> Result<MeasuredSeparation, MeasureError> {
    let (mut indexed, mut distinct): (Option<Enclosure>, Option<Enclosure>) = (None, None);
    let mut repeated = false;
    for (i, x) in inputs.points.iter().enumerate() {
        for y in &inputs.points[i + 1..] {
            let apart = distance(x, y);
            indexed = Some(indexed.map_or(apart, |least| least.min(apart)));
            if x == y {
                repeated = true;
            } else {
                distinct = Some(distinct.map_or(apart, |least| least.min(apart)));
            }
        }
    }
    let norm = |x: &Vec<f64>| interval::dot(x, x).sqrt();
    let unit = |n: Interval| n.lo() >= 1.0 - TOLERANCE && n.hi() <= 1.0 + TOLERANCE;
    Ok(MeasuredSeparation {
        separation: Separation::of(&inputs.points.concat(), inputs.dimension())?,
        indexed: indexed.ok_or("there is no pair of inputs")?,
        distinct,
        normalised: inputs.points.iter().map(norm).all(unit),
        repeated,
    })
}

impl MeasuredSeparation {
    /// The predicate's answer against the definition: with no distance below δ it must accept, with one it must refuse.
    fn agrees(&self, pairs: Pairs, least: Option<Enclosure>, delta: f64) -> Evaluation {
        let accepts = self.separation.satisfies(pairs, delta, TOLERANCE);
        let far = |bound: f64| least.is_none_or(|d| d.lo() >= bound);
        let near = least.is_some_and(|d| d.hi() < delta);
        match accepts {
            Some(answer) if self.normalised && far(delta) => none_of(usize::from(!answer)),
            Some(answer) if !self.normalised || near => none_of(usize::from(answer)),
            _ => vacuous(CLOSE),
        }
    }
}

/// The point at an angle on the unit circle.
fn on_circle(angle: f64) -> Vec<f64> {
    let angle = Interval::point(angle);
    vec![angle.cos().midpoint(), angle.sin().midpoint()]
}

/// `count` points on the circle whose neighbours are at distance δ.
fn neighbours(count: usize, delta: f64) -> Vec<Vec<f64>> {
    let step = 2.0 * Interval::point(delta / 2.0).asin().midpoint();
    (0..count).map(|i| on_circle(i as f64 * step)).collect()
}

fn axes(count: usize) -> Vec<Vec<f64>> {
    (0..count).map(|i| unit_vector(count, i)).collect()
}

fn named() -> Vec<(String, Inputs)> {
    let mut list = Vec::new();
    let mut add =
        |name: &str, delta: f64, points: Vec<Vec<f64>>| list.push((name.to_owned(), Inputs { delta, points }));
    let e = axes(3);
    add("orthonormal, one triplet", 1.4, e.clone());
    add("orthonormal, δ too large", 1.5, e.clone());
    add("orthonormal, five triplets", 1.4, axes(15));
    add("one input is anchor and positive", 0.5, vec![e[0].clone(), e[0].clone(), e[2].clone()]);
    add("one input in two triplets", 1.0, vec![e[0].clone(), e[1].clone(), e[2].clone(), e[0].clone()]);
    add("all inputs equal", 1.0, vec![vec![1.0, 0.0]; 3]);
    add("an input of norm 1.001", 1.0, vec![vec![1.001, 0.0], vec![0.0, 1.0], vec![-1.0, 0.0]]);
    add("an input of norm 0.999", 1.0, vec![vec![0.999, 0.0], vec![0.0, 1.0], vec![-1.0, 0.0]]);
    add("an input of norm 0", 0.5, vec![vec![0.0, 0.0], vec![0.0, 1.0], vec![-1.0, 0.0]]);
    add("opposite points on the line", 2.0, vec![vec![1.0], vec![-1.0]]);
    add("the line has two unit vectors only", 1.0, vec![vec![1.0], vec![-1.0], vec![1.0]]);
    for delta in [1.0, 0.3, 0.1, 0.01] {
        let points = neighbours(6, delta);
        add(&format!("neighbours at distance {delta}, a little less asked for"), 0.999 * delta, points.clone());
        add(&format!("neighbours at 0.9 of the δ = {delta} asked for"), delta, neighbours(6, 0.9 * delta));
    }
    let half = 0.75f64.sqrt();
    add("equilateral triangle", 1.7, vec![vec![1.0, 0.0], vec![-0.5, half], vec![-0.5, -half]]);
    list
}

/// Unit vectors in random directions, some of them repeated.
fn drawn() -> impl Strategy<Value = Inputs> {
    let shape = (1usize..=6, 1usize..=4, 0.01..2.0f64, 0usize..6);
    shape.prop_flat_map(|(d, n, delta, repeats)| {
        vec(vec(-1.0..1.0f64, d), 3 * n).prop_map(move |mut points| {
            for x in &mut points {
                let norm = interval::dot(x, x).sqrt().midpoint();
                let zero = norm == 0.0;
                x.iter_mut().for_each(|t| *t = if zero { 0.0 } else { *t / norm });
                if zero {
                    x[0] = 1.0;
                }
            }
            // One list in three repeats an input.
            if repeats < 2 {
                let last = points.len() - 1;
                points[last] = points[repeats].clone();
            }
            Inputs { delta, points }
        })
    })
}

/// Whether some input stands in two places.
fn is_repeated(i: &Inputs) -> bool {
    (1..i.points.len()).any(|j| i.points[..j].contains(&i.points[j]))
}

/// Whether two inputs differ.
fn is_varied(i: &Inputs) -> bool {
    i.points.iter().any(|x| *x != i.points[0])
}

/// Inputs that are not all equal have a pair; no check gets here.
fn no_pair() -> Evaluation {
    Evaluation::Failed("all inputs are equal".into())
}

/// Whether all norms are one, up to the tolerance.
fn is_unit(i: &Inputs) -> bool {
    let near = |x: &Vec<f64>| (interval::dot(x, x).sqrt() - 1.0).magnitude() < TOLERANCE;
    i.points.iter().all(near)
}

const VARIED: Hypothesis<Inputs> = Hypothesis::new("the inputs are not all equal", is_varied);

const UNIT: Hypothesis<Inputs> = Hypothesis::new("every norm is within 10^{−12} of 1", is_unit);

pub fn claim() -> Claim {
    Claim::new("merad2020.assumption-1", "separation of the inputs", Kind::Definition)
        .statement(
            "‖x‖ = 1 and ‖x − x'‖ ≥ δ > 0 for any x, x' ∈ X_data = ∪_i {x_i, x_i⁺, x_i⁻}; it would be invalidated by \
             reusing a sample in two different triples",
        )
        .symbols([NORM])
        .symbol(
            "x_i",
            "the n triplets of inputs are (x_i, x_i⁺, x_i⁻), read as a list of 3n places, X_data the set of the points \
             in it; an instance is any list of inputs",
        )
        .source("Assumption 1", &["section 4", "section 4, last remark", "used in Lemma B.1 of the earlier version"])
        .sense(
            "M",
            "x and x' stand in different places of the list of triplets, as the end of section 4 says: all samples are \
             distinct",
        )
        .sense("S", "x ≠ x' is understood: distinct elements of the set")
        .sense("word-for-word", "x = x' is included")
        .remark(
            "A definition is judged by what the paper says of it: that data can meet it (section 4 allows augmented \
             samples), and that reusing a sample violates it. Norms are compared up to 1e−12, distances are enclosed.",
        )
        .setting(reuse())
}

fn reuse() -> Setting<Inputs, MeasuredSeparation> {
    Setting::measuring(|i: &Inputs, _| measure(i))
        .given("two inputs or more, of one dimension; 0 < δ ≤ 2")
        .given(
            "δ*_M is the smallest distance over pairs of different places of the list, δ*_S over pairs of different \
             points, ∞ if there is no such pair",
        )
        .family(edge("named", named))
        .family(random("random directions", drawn))
        .part("met", "the inputs are apart by some δ > 0: δ*_M > 0", holds(), |_, m| greater_than(m.indexed, 0))
        .assume(UNREPEATED)
        .in_sense("M")
        .part("reuse", "no δ > 0 serves: δ*_M = 0", holds(), |_, m| equal(m.indexed, 0))
        .assume(REPEATED)
        .tested_by("reuse-kept")
        .in_sense("M")
        .part("met-S", "the different points are apart by some δ > 0: δ*_S > 0", holds(), |_, m| {
            m.distinct.map_or_else(no_pair, |distinct| greater_than(distinct, 0))
        })
        .assume(VARIED)
        .in_sense("S")
        .part(
            "reuse-S",
            "a sample in two places violates it: δ*_S = 0",
            fails("between the different elements of a set a repeated sample adds no pair"),
            |_, m| m.distinct.map_or_else(no_pair, |distinct| equal(distinct, 0)),
        )
        .assume(VARIED)
        .sides("δ*_S", "0")
        .assume(REPEATED)
        .in_sense("S")
        .ours(
            "S-implies-M",
            "what satisfies S satisfies M: δ*_M ≥ δ*_S",
            fails("a repeated input is at distance 0 from itself under M, and no pair at all under S"),
            |_, m| m.distinct.map_or_else(no_pair, |distinct| at_least(m.indexed, distinct)),
        )
        .assume(VARIED)
        .sides("δ*_M", "δ*_S")
        .part(
            "word-for-word",
            "there is a δ > 0 with ‖x − x'‖ ≥ δ for all inputs x, x' of the list, x = x' included",
            fails("‖x − x‖ = 0 < δ: x ≠ x' has to be understood"),
            |i, _| {
                let all = i.points.iter().flat_map(|x| i.points.iter().map(|y| distance(x, y)));
                greater_than(all.fold(exact(2.0), Enclosure::min), 0)
            },
        )
        .sides("min(2, ‖x − x'‖ over all x, x')", "0")
        .assume(UNREPEATED)
        .in_sense("word-for-word")
        .ours(
            "predicate-M",
            "the library's predicate over pairs of places, computed from the inputs with error bounds, accepts δ if \
             and only if |‖x‖ − 1| ≤ 10^{−12} for every input x and δ*_M ≥ δ",
            holds(),
            |i, m| m.agrees(Pairs::Indexed, Some(m.indexed), i.delta),
        )
        .except(CLOSE)
        .tested_by("b")
        .not_evidence("it tries the library's predicate against the definition")
        .ours(
            "predicate-S",
            "the library's predicate over pairs of different points, computed from the inputs with error bounds, \
             accepts δ if and only if |‖x‖ − 1| ≤ 10^{−12} for every input x and δ*_S ≥ δ",
            holds(),
            |i, m| m.agrees(Pairs::Distinct, m.distinct, i.delta),
        )
        .except(CLOSE)
        .tested_by("b")
        .not_evidence("it tries the library's predicate against the definition")
        .sharpening("repeats-only", "δ*_M is δ*_S if no input is repeated, and 0 otherwise", holds(), |_, m| {
            match (m.repeated, m.distinct) {
                (false, Some(distinct)) => equal(m.indexed, distinct),
                _ => equal(m.indexed, 0),
            }
        })
        .sharpening(
            "simplex",
            "δ*_M ≤ (1 + 2·10^{−12})·√(2K/(K−1)), K the number of inputs; the 2·10^{−12} is what the norms leave open",
            holds(),
            |i, m| {
                let count = Enclosure::from(i.points.len());
                at_most(m.indexed, (2.0 * count / (count - 1.0)).sqrt() * (1.0 + 2.0 * TOLERANCE))
            },
        )
        .assume(UNIT)
        .control("d", "all inputs have δ*_M ≤ √2", |_, m| at_most(m.indexed, exact(2.0).sqrt()))
        .assume(UNIT)
        .control("reuse-kept", "a sample in two places leaves δ*_M > 0", |_, m| greater_than(m.indexed, 0))
        .assume(REPEATED)
        .control("a", "the library's predicate accepts inputs of norm 1.001", |i, m| {
            let accepts = m.separation.satisfies(Pairs::Indexed, i.delta, TOLERANCE);
            let fine = m.separation.is_normalised(2e-3) && m.indexed.lo() >= i.delta;
            none_of(usize::from(fine && accepts == Some(false)))
        })
        .sides("1 if it refuses the inputs, whose norms are within 2·10^{−3} of 1 and whose δ*_M is at least δ", "0")
        .control("b", "the library's predicate accepts two inputs at distance 0.9 δ", |i, m| {
            let accepts = m.separation.satisfies(Pairs::Indexed, i.delta, TOLERANCE);
            let fine = m.normalised && m.indexed.lo() >= 0.85 * i.delta;
            none_of(usize::from(fine && accepts == Some(false)))
        })
        .sides(
            "1 if it refuses the inputs, whose norms are within 10^{−12} of 1 and whose δ*_M is at least 0.85 δ",
            "0",
        )
        .control("c", "the library's predicate over pairs of places accepts a repeated input", |i, m| {
            let accepts = m.separation.satisfies(Pairs::Indexed, i.delta, TOLERANCE);
            none_of(usize::from(m.repeated && m.normalised && accepts == Some(false)))
        })
        .sides("1 if it refuses the inputs, one of them repeated and all norms within 10^{−12} of 1", "0")
}
