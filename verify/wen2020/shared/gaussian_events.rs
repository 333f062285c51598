//! The events W_i of Lemma C.2: their probabilities for two directions, for lists of directions, and by sampling.

use enclosures::probability::clopper_pearson;
use enclosures::probability::{chord_of_angle, fill_standard_normal, normal_two_sided_tail};
use enclosures::vectors::sum_of_products;
use evidence::prelude::*;
use proptest::collection::vec;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

use crate::shared::unit_points::{UnitPoints, axes, circle, on_the_sphere, simplex, two};

/// P(|X| ≤ x) for a standard normal X.
pub fn central(x: Interval) -> Interval {
    (Interval::ONE - normal_two_sided_tail(x)).max(Interval::ZERO)
}

/// ξ = √π δ/(16n).
pub fn xi(delta: Interval, n: usize) -> Interval {
    Interval::pi().sqrt() * delta / (16 * n) as f64
}

/// δ/(n √(constant · e)).
pub fn promised(delta: Interval, n: usize, constant: f64) -> Enclosure {
    let root = (Interval::ONE.exp() * constant).sqrt();
    (delta / root / n as f64).into()
}

/// √(2n/(n−1)), the largest separation of n unit vectors; 2 for a single one.
pub fn largest_separation(n: usize) -> Interval {
    if n < 2 {
        return Interval::point(2.0);
    }
    (Interval::point(2.0 * n as f64) / (n as f64 - 1.0)).sqrt()
}

/// Two directions at an angle, with the δ of the statement.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "n = 2, φ = {angle}, δ = {delta}", stored)]
pub struct DirectionPair {
    // The double π lies below the number.
    #[instance(range = "[0, π]")]
    pub angle: f64,
    #[instance(range = "(1e-4, 4]")]
    pub delta: f64,
}

impl DirectionPair {
    pub fn delta(&self) -> Interval {
        Interval::point(self.delta)
    }

    /// erf(ξ/√2) erfc(√2 ξ/sin φ).
    pub fn probability(&self) -> Enclosure {
        let (xi, sine) = (xi(self.delta(), 2), Interval::point(self.angle).sin());
        let second = if sine.lo() <= 0.0 { Interval::ZERO } else { normal_two_sided_tail(xi * 2.0 / sine) };
        (central(xi) * second).into()
    }

    pub fn separated(&self) -> bool {
        chord_of_angle(Interval::point(self.angle)).lo() >= self.delta / 2.0
    }

    /// ‖h̄_1 + h̄_2‖ ≥ δ/2.
    pub fn apart_as_lines(&self) -> bool {
        chord_of_angle(Interval::pi() - self.angle).lo() >= self.delta / 2.0
    }
}

pub fn pairs() -> Vec<(String, DirectionPair)> {
    let mut list = Vec::new();
    for angle in [1e-3, 0.01, 0.1, 1.0, 1.57, 2.5, 3.0, 3.1, 3.13] {
        let chord = chord_of_angle(Interval::point(angle)).lo();
        for delta in [2.0 * chord * (1.0 - 1e-9), 0.1 * chord] {
            let delta = delta.min(2.0);
            list.push((format!("φ = {angle}, δ = {delta:.4}"), DirectionPair { angle, delta }));
        }
    }
    list.push(("equal directions".into(), DirectionPair { angle: 0.0, delta: 1.0 }));
    list
}

/// The probability of one event W_i of a list of directions, enclosed by the union bound and by its least probable
/// part.
pub struct Events {
    pub delta: Interval,
    pub probabilities: Vec<Enclosure>,
}

/// δ as large as the separation of the directions and n allow.
pub fn widest(p: &UnitPoints) -> Interval {
    (p.separation() * 2.0).min(largest_separation(p.points.len()))
}

pub fn events(p: &UnitPoints) -> Events {
    let (n, delta) = (p.points.len(), widest(p));
    let xi = xi(delta, n);
    let of = |i: usize| {
        let tails = (0..n).filter(|&j| j != i).map(|j| {
            let sine = p.angle(i, j).sin().max(Interval::ZERO);
            if sine.lo() <= 0.0 {
                Interval::new(0.0, if sine.hi() <= 1e-12 { 0.0 } else { 1.0 })
            } else {
                normal_two_sided_tail(xi * 2.0 / sine)
            }
        });
        let (mut missing, mut least) = (Interval::ZERO, Interval::ONE);
        for tail in tails {
            missing += Interval::ONE - tail;
            least = least.min(tail);
        }
        let lower = (Interval::ONE - missing).lo().max(0.0).min(least.hi());
        Enclosure::from(central(xi) * Interval::new(lower, least.hi()))
    };
    Events { delta, probabilities: (0..n).map(of).collect() }
}

impl Events {
    pub fn each_at_least(&self, constant: f64) -> Evaluation {
        let bound = promised(self.delta, self.probabilities.len(), constant);
        for_each_index("i =", 0..self.probabilities.len(), |i| at_least(self.probabilities[i], bound))
    }
}

pub fn in_the_orthant(p: &UnitPoints) -> bool {
    p.points.iter().flatten().all(|&x| x >= 0.0)
}

/// t(1, …, 1) + e_i: equal angles, in the orthant.
pub fn orthant_simplex(n: usize, t: f64) -> Vec<Vec<f64>> {
    (0..n).map(|i| (0..n).map(|c| if c == i { 1.0 + t } else { t }).collect()).collect()
}

/// n directions of the positive quadrant with equal steps.
pub fn quarter(n: usize) -> Vec<Vec<f64>> {
    let at = |i: usize| {
        let angle = Interval::pi() * i as f64 / (2 * (n - 1)) as f64;
        vec![angle.cos().midpoint().max(0.0), angle.sin().midpoint()]
    };
    (0..n).map(at).collect()
}

pub fn configurations() -> Vec<(String, UnitPoints)> {
    let mut list: Vec<(String, Vec<Vec<f64>>)> = Vec::new();
    for n in [2, 3, 8, 20, 64] {
        list.push((format!("quarter circle, n = {n}"), quarter(n)));
        list.push((format!("orthonormal, n = {n}"), orthant_simplex(n, 0.0)));
    }
    for (n, t) in [(2, 1.0), (5, 0.5), (10, 0.3), (30, 2.0)] {
        list.push((format!("equal angles in the orthant, n = {n}"), orthant_simplex(n, t)));
    }
    for n in [3, 4, 6, 7] {
        list.push((format!("{n} points on a circle"), circle(n)));
    }
    list.push(("both ends of two axes".into(), axes(2)));
    list.push(("regular simplex of 5 points".into(), simplex(5)));
    list.push(("nearly antipodal".into(), two(3.1)));
    list.into_iter().map(|(name, points)| (name, UnitPoints { layers: 1, points })).collect()
}

pub fn drawn() -> impl Strategy<Value = UnitPoints> {
    (2usize..=12, 2usize..=6).prop_flat_map(|(n, b)| {
        vec(vec(0.0..1.0f64, b), n).prop_map(|rows| UnitPoints { layers: 1, points: on_the_sphere(rows) })
    })
}

/// Second factors of all W_i by sampling w: the share of draws with |g_ij| ≥ 2ξ for all j.
pub fn sampled(p: &UnitPoints, trial: &mut Trial) -> Result<Events, MeasureError> {
    let (n, delta) = (p.points.len(), widest(p));
    let xi = xi(delta, n);
    let runs = trial.samples(16_000);
    let rows: Vec<Vec<f64>> = (0..n).map(|i| p.direction(i).iter().map(|x| x.midpoint()).collect()).collect();
    let cosines: Vec<Vec<f64>> = rows.iter().map(|a| rows.iter().map(|b| sum_of_products(a, b)).collect()).collect();
    let mut hits = vec![0u64; n];
    let mut w = vec![0.0; rows[0].len()];
    for _ in 0..runs {
        fill_standard_normal(trial.rng(), &mut w);
        let along: Vec<f64> = rows.iter().map(|h| sum_of_products(h, &w)).collect();
        for (i, hits) in hits.iter_mut().enumerate() {
            let beyond = |j: usize| j == i || (along[j] - along[i] * cosines[i][j]).abs() >= 2.0 * xi.midpoint();
            *hits += u64::from((0..n).all(beyond));
        }
    }
    let alpha = trial.alpha(n);
    let first = Enclosure::from(central(xi));
    let probability = |&hits: &u64| Ok(first * clopper_pearson(hits, runs as u64, alpha)?);
    Ok(Events { delta, probabilities: hits.iter().map(probability).collect::<Result<_, MeasureError>>()? })
}

#[cfg(test)]
mod tests {
    use enclosures::stream::stream;

    use super::*;
    use evidence::budget::Budget;
    use evidence::claim::Fixtures;

    fn near(x: Interval, y: f64) -> bool {
        (x - y).abs().hi() < 1e-14
    }

    #[test]
    fn the_numbers_of_the_lemma_have_their_known_values() {
        // P(|X| ≤ 1) and P(|X| ≤ 2).
        assert!(near(central(Interval::ONE), 0.682_689_492_137_085_9));
        assert!(near(central(Interval::point(2.0)), 0.954_499_736_103_641_6));
        // √π/16 for δ = n.
        assert!(near(xi(Interval::point(3.0), 3), 0.110_778_365_681_594_7));
        assert_eq!(largest_separation(1), Interval::point(2.0));
        // Opposite points, a triangle in the plane, a tetrahedron in space.
        for (n, square) in [(2, 4.0), (3, 3.0), (4, 8.0 / 3.0)] {
            assert!(near(largest_separation(n).square(), square), "{n}");
        }
        let simplex = UnitPoints { layers: 1, points: simplex(5) };
        assert!((simplex.separation() - largest_separation(5)).abs().hi() < 1e-13);
    }

    /// Orthogonal directions see independent numbers, of which the second has to be beyond 2ξ.
    #[test]
    fn orthogonal_directions_have_a_product_of_probabilities() {
        let pair = DirectionPair { angle: std::f64::consts::FRAC_PI_2, delta: 2.0 };
        let xi = Interval::pi().sqrt() / 16.0;
        let expected = central(xi) * (1.0 - central(xi * 2.0));
        assert!((pair.probability().interval() - expected).abs().hi() < 1e-14);
        // Of parallel ones the second follows the first and is never beyond.
        assert_eq!(DirectionPair { angle: 0.0, delta: 2.0 }.probability().hi(), 0.0);
        let of = |angle: f64, delta: f64| DirectionPair { angle, delta };
        // ‖h_1 − h_2‖ = 1 at 60°, ‖h_1 + h_2‖ = 1 at 120°.
        assert!(of(1.0473, 2.0).apart_as_lines() && of(1.0473, 1.99).separated() && !of(1.04, 2.0).separated());
        assert!(of(2.0943, 2.0).apart_as_lines() && !of(2.0945, 2.0).apart_as_lines());
    }

    /// Three ways to one probability: the law of two numbers, the bounds for lists, and draws.
    #[test]
    fn two_directions_have_one_probability_by_formula_by_bounds_and_by_draws() {
        let mut trial = Trial::new(stream(8, &["events"]), Budget::Standard, Fixtures::at("none"));
        for angle in [0.5, 1.5, 2.75] {
            let points = UnitPoints { layers: 1, points: two(angle) };
            let delta = widest(&points).midpoint();
            let by_formula = DirectionPair { angle, delta }.probability();
            let (by_bounds, by_draws) = (events(&points), sampled(&points, &mut trial).unwrap());
            for (bound, drawn) in by_bounds.probabilities.iter().zip(&by_draws.probabilities) {
                assert!((*bound - by_formula).abs().hi() < 1e-12, "φ = {angle}: {bound}");
                let common = drawn.interval().intersection(by_formula.interval());
                assert!(common.is_some() && drawn.width() < 0.05, "φ = {angle}: {drawn}");
            }
        }
        let many = UnitPoints { layers: 1, points: quarter(4) };
        let (by_bounds, by_draws) = (events(&many), sampled(&many, &mut trial).unwrap());
        for (bound, drawn) in by_bounds.probabilities.iter().zip(&by_draws.probabilities) {
            assert!(bound.lo() <= drawn.hi() && drawn.lo() <= bound.hi(), "{bound}, {drawn}");
        }
        // Equal steps of 30°.
        let neighbours = (0..3).map(|i| many.angle(i, i + 1));
        assert!(neighbours.into_iter().all(|angle| (angle - Interval::pi() / 6.0).abs().hi() < 1e-14));
    }
}
