//! Lemma C.2: the probability of the events W_i, and that they are disjoint.
//!
//! The events are disjoint for any vectors. The bound on P(W_i) needs more than the printed separation: g_ij has the standard deviation
//! sin φ_ij, so that W_i becomes improbable as h̄_j comes near −h̄_i, and empty at −h̄_i. For hidden vectors of a ReLU network, which lie in the
//! non-negative orthant, it holds, and so it does for all directions with ‖h̄_i ± h̄_j‖ ≥ δ/2; but in Lemma C.1 with L = 1 the h_i are the inputs, which may
//! be antipodal.
//!
//! Proof. P(W_i) = erf(ξ/√2) P(|g_ij| ≥ 2ξ for all j), by independence. sin φ = ½‖h̄_i − h̄_j‖‖h̄_i + h̄_j‖ ≥ (δ/2)√(1 − δ²/16), hence
//! P(|g_ij| < 2ξ) ≤ 4ξ/(√(2π) sin φ) ≤ c/n with c = 1/(√8 √(1 − δ²/16)), and the second factor is at least 1 − c(n−1)/n. Since δ ≤ √(2n/(n−1)) for n unit
//! vectors at distance δ, that is at least 1 − 1/√7 > 0.622, where e^{−1/2} = 0.607 would do: there is room for √(122e) in place of √(128e).

use contrapositive::claim::{
    Claim, Evaluation, Kind, MeasureError, Setting, Trial, all_of, at_least, at_most, edge, equal, fails, greater_than,
    holds, random,
};
use contrapositive::enclosure::Enclosure;
use contrapositive::instance::Instance;
use contrapositive::interval::Interval;
use contrapositive::probability::{
    angle_of_chord, chord_of_angle, clopper_pearson, fill_standard_normal, normal_two_sided_tail,
};
use proptest::collection::vec;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

use super::unit_points::{UnitPoints, axes, circle, on_the_sphere, simplex, two};

/// Two directions that are nearly opposite: chords of larger angles have lost too many digits.
const LARGEST_ANGLE: f64 = 3.1405;

/// P(|X| ≤ x) for a standard normal X.
fn central(x: Interval) -> Interval {
    (Interval::ONE - normal_two_sided_tail(x)).max(Interval::ZERO)
}

/// ξ = √π δ/(16n).
fn xi(delta: Interval, n: usize) -> Interval {
    Interval::pi().sqrt() * delta / (16 * n) as f64
}

/// δ/(n √(constant · e)).
fn promised(delta: Interval, n: usize, constant: f64) -> Enclosure {
    let root = (Interval::ONE.exp() * constant).sqrt();
    (delta / root / n as f64).into()
}

/// √(2n/(n−1)), the largest separation of n unit vectors; 2 for a single one.
fn largest_separation(n: usize) -> Interval {
    let among = (n as f64 - 1.0).max(1.0);
    (Interval::point(2.0 * n as f64) / among)
        .sqrt()
        .min(Interval::point(2.0))
}

/// Two directions at an angle, with the δ of the statement.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Pair {
    angle: f64,
    delta: f64,
}

impl Instance for Pair {
    fn describe(&self) -> String {
        format!("n = 2, φ = {}, δ = {}", self.angle, self.delta)
    }

    fn validate(&self) -> Result<(), String> {
        let sound = self.angle >= 0.0 && self.angle < Interval::pi().hi() && self.delta > 1e-4 && self.delta <= 4.0;
        sound
            .then_some(())
            .ok_or_else(|| "an angle outside [0, π), or δ outside (0, 4]".into())
    }
}

impl Pair {
    fn delta(&self) -> Interval {
        Interval::point(self.delta)
    }

    /// erf(ξ/√2) erfc(√2 ξ/sin φ).
    fn probability(&self) -> Enclosure {
        let (xi, sine) = (xi(self.delta(), 2), Interval::point(self.angle).sin());
        let second = if sine.lo() <= 0.0 {
            Interval::ZERO
        } else {
            normal_two_sided_tail(xi * 2.0 / sine)
        };
        (central(xi) * second).into()
    }

    fn separated(&self) -> bool {
        chord_of_angle(Interval::point(self.angle)).lo() >= self.delta / 2.0
    }

    /// ‖h̄_1 + h̄_2‖ ≥ δ/2.
    fn apart_as_lines(&self) -> bool {
        chord_of_angle(Interval::pi() - self.angle).lo() >= self.delta / 2.0
    }
}

fn pairs() -> Vec<(String, Pair)> {
    let mut list = Vec::new();
    for angle in [1e-3, 0.01, 0.1, 1.0, 1.57, 2.5, 3.0, 3.1, 3.13] {
        let chord = chord_of_angle(Interval::point(angle)).lo();
        for delta in [2.0 * chord * (1.0 - 1e-9), 0.1 * chord] {
            let delta = delta.min(2.0);
            list.push((format!("φ = {angle}, δ = {delta:.4}"), Pair { angle, delta }));
        }
    }
    list.push(("equal directions".into(), Pair { angle: 0.0, delta: 1.0 }));
    list
}

/// The probability of one event W_i of a list of directions, enclosed by the union bound and by its least probable part.
struct Events {
    delta: Interval,
    probabilities: Vec<Enclosure>,
}

/// δ as large as the separation of the directions and n allow.
fn widest(p: &UnitPoints) -> Interval {
    (p.separation() * 2.0).min(largest_separation(p.points.len()))
}

fn events(p: &UnitPoints) -> Events {
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
    Events {
        delta,
        probabilities: (0..n).map(of).collect(),
    }
}

impl Events {
    fn each_at_least(&self, constant: f64) -> Evaluation {
        let bound = promised(self.delta, self.probabilities.len(), constant);
        let parts = self.probabilities.iter().enumerate();
        all_of(parts.map(|(i, &p)| (format!("i = {}", i + 1), at_least(p, bound))))
    }
}

fn in_the_orthant(p: &UnitPoints) -> bool {
    p.points.iter().flatten().all(|&x| x >= 0.0)
}

/// t(1, …, 1) + e_i: equal angles, in the orthant.
fn orthant_simplex(n: usize, t: f64) -> Vec<Vec<f64>> {
    (0..n)
        .map(|i| (0..n).map(|c| if c == i { 1.0 + t } else { t }).collect())
        .collect()
}

/// n directions of the positive quadrant with equal steps.
fn quarter(n: usize) -> Vec<Vec<f64>> {
    let at = |i: usize| {
        let angle = Interval::pi() * i as f64 / (2 * (n - 1)) as f64;
        vec![angle.cos().midpoint().max(0.0), angle.sin().midpoint()]
    };
    (0..n).map(at).collect()
}

fn configurations() -> Vec<(String, UnitPoints)> {
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
    list.into_iter()
        .map(|(name, points)| (name, UnitPoints { layers: 1, points }))
        .collect()
}

fn drawn() -> impl Strategy<Value = UnitPoints> {
    (2usize..=12, 2usize..=6).prop_flat_map(|(n, b)| {
        vec(vec(0.0..1.0f64, b), n).prop_map(|rows| UnitPoints {
            layers: 1,
            points: on_the_sphere(rows),
        })
    })
}

/// n directions with all distances δ/2.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct EqualAngles {
    count: usize,
    delta: f64,
}

impl Instance for EqualAngles {
    fn describe(&self) -> String {
        format!("n = {}, all distances δ/2, δ = {}", self.count, self.delta)
    }

    fn validate(&self) -> Result<(), String> {
        let sound = (1..=1_000_000).contains(&self.count) && self.delta >= 1e-3 && self.delta <= 2.0;
        sound
            .then_some(())
            .ok_or_else(|| "n outside 1 to 10⁶, or δ outside [0.001, 2]".into())
    }
}

/// Cells of the integral over the common part, up to nine standard deviations.
const CELLS: usize = 600;

impl EqualAngles {
    fn delta(&self) -> Interval {
        Interval::point(self.delta)
    }

    /// g_j = sin φ (√ρ Z + √(1−ρ) ε_j) with ρ = cos φ/(1 + cos φ): P(|g_j| ≥ 2ξ for all j) is the mean over Z of (1 − p(|Z|))^{n−1}, which grows with |Z|.
    fn second_factor(&self) -> Interval {
        if self.count == 1 {
            return Interval::ONE;
        }
        let angle = angle_of_chord(self.delta() / 2.0);
        let (cosine, sine) = (angle.cos().max(Interval::ZERO), angle.sin());
        let shared = (cosine / (cosine + 1.0)).sqrt();
        let own = (Interval::ONE / (cosine + 1.0)).sqrt();
        let threshold = xi(self.delta(), self.count) * 2.0 / sine;
        let power = (self.count - 1) as f64;
        let all_beyond = |z: f64| {
            let (near, far) = ((threshold - shared * z) / own, (threshold + shared * z) / own);
            let signed = central(near.abs()) * if near.midpoint() < 0.0 { -1.0 } else { 1.0 };
            let signed = if near.lo() < 0.0 && near.hi() > 0.0 {
                signed.hull(-signed)
            } else {
                signed
            };
            let inside = ((central(far) + signed) / 2.0).max(Interval::ZERO).min(Interval::ONE);
            ((-inside).ln_1p() * power).exp()
        };
        let at = |cell: usize| 9.0 * cell as f64 / CELLS as f64;
        let tail = |cell: usize| normal_two_sided_tail(Interval::point(at(cell)));
        let mut total = Interval::ZERO;
        for cell in 0..CELLS {
            let mass = (tail(cell) - tail(cell + 1)).max(Interval::ZERO);
            total += mass * all_beyond(at(cell)).hull(all_beyond(at(cell + 1)));
        }
        (total + tail(CELLS) * Interval::new(0.0, 1.0)).min(Interval::ONE)
    }

    fn probability(&self) -> Enclosure {
        (central(xi(self.delta(), self.count)) * self.second_factor()).into()
    }
}

fn equal_angles() -> Vec<(String, EqualAngles)> {
    let mut list = Vec::new();
    for (count, delta) in [
        (1, 2.0),
        (2, 2.0),
        (3, 1.7),
        (10, 1.45),
        (100, 1.4),
        (10_000, 1.4),
        (100_000, 1.41),
        (100_000, 0.1),
        (1000, 0.01),
        (20, 0.5),
    ] {
        list.push((format!("n = {count}, δ = {delta}"), EqualAngles { count, delta }));
    }
    list
}

/// Second factors of all W_i by sampling w: the share of draws with |g_ij| ≥ 2ξ for all j.
fn sampled(p: &UnitPoints, trial: &mut Trial) -> Result<Events, MeasureError> {
    let (n, delta) = (p.points.len(), widest(p));
    let xi = xi(delta, n);
    let runs = trial.samples(16_000);
    let rows: Vec<Vec<f64>> = (0..n)
        .map(|i| p.direction(i).iter().map(|x| x.midpoint()).collect())
        .collect();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f64>();
    let cosines: Vec<Vec<f64>> = rows.iter().map(|a| rows.iter().map(|b| dot(a, b)).collect()).collect();
    let mut hits = vec![0u64; n];
    let mut w = vec![0.0; rows[0].len()];
    for _ in 0..runs {
        fill_standard_normal(trial.rng(), &mut w);
        let along: Vec<f64> = rows.iter().map(|h| dot(h, &w)).collect();
        for (i, hits) in hits.iter_mut().enumerate() {
            let beyond = |j: usize| j == i || (along[j] - along[i] * cosines[i][j]).abs() >= 2.0 * xi.midpoint();
            *hits += u64::from((0..n).all(beyond));
        }
    }
    let alpha = trial.alpha(n);
    let first = Enclosure::from(central(xi));
    let probability = |&hits: &u64| Ok(first * clopper_pearson(hits, runs as u64, alpha)?);
    Ok(Events {
        delta,
        probabilities: hits.iter().map(probability).collect::<Result<_, MeasureError>>()?,
    })
}

/// A vector w of the plane of two directions: ⟨w, h̄_i⟩/ξ and ⟨w, h̄_j⟩/ξ.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct PlanePoint {
    angle: f64,
    first: f64,
    second: f64,
}

impl Instance for PlanePoint {
    fn describe(&self) -> String {
        format!(
            "φ = {}, ⟨w, h̄_i⟩ = {} ξ, ⟨w, h̄_j⟩ = {} ξ",
            self.angle, self.first, self.second
        )
    }

    fn validate(&self) -> Result<(), String> {
        let sound = self.angle > 1e-3 && self.angle < LARGEST_ANGLE && self.first.abs().max(self.second.abs()) <= 100.0;
        sound
            .then_some(())
            .ok_or_else(|| "an angle too close to 0 or π, or a w too large".into())
    }
}

impl PlanePoint {
    /// |⟨w, h̄_i⟩|, |⟨w, h̄_j⟩|, |g_ij|, |g_ji| in units of ξ.
    fn sizes(&self) -> [Enclosure; 4] {
        let cosine = Enclosure::from(self.angle).cos();
        let (a, b) = (Enclosure::from(self.first), Enclosure::from(self.second));
        [a.abs(), b.abs(), (b - a * cosine).abs(), (a - b * cosine).abs()]
    }

    /// By how much the worst of the four conditions of W_i and W_j is missed, for the threshold `times` ξ on g.
    fn outside(&self, times: f64) -> Evaluation {
        let [u_i, u_j, g_ij, g_ji] = self.sizes();
        let worst = (u_i - 1.0).max(u_j - 1.0).max(times - g_ij).max(times - g_ji);
        greater_than(worst, 0.0).on_scale(1.0)
    }
}

pub fn claim() -> Claim {
    Claim::new("wen2020.lemma-c2", "the events W_i", Kind::ProbabilityBound)
        .statement(
            "½ ≤ ‖h_i‖ ≤ 2 and ‖h̄_i − h̄_j‖ ≥ δ/2 for i ≠ j, ξ = √π δ/(16n), W_i = {|⟨w, h̄_i⟩| ≤ ξ and |⟨w − ⟨w, h̄_i⟩h̄_i, h̄_j⟩| ≥ 2ξ for all j ≠ i}, \
             w ~ N(0, I): P(W_i) ≥ δ/(n√(128e)), and W_i ∩ W_j = ∅ for i ≠ j",
        )
        .source("Lemma C.2", &["Lemma C.1 of Zou and Gu (2019)"])
        .remark("Norms do not enter. For n > 2 the probability is enclosed by the union bound and by its least probable part, or is a one-dimensional integral (equal angles).")
        .setting(
            Setting::measuring(|p: &Pair, _| Ok(p.probability()))
                .assume("0 < δ ≤ 2", |p| p.delta > 0.0 && p.delta <= 2.0)
                .family(edge("angles", pairs))
                .family(random("drawn", || {
                    (0.0..1.0f64, 1e-3..1.0f64).prop_map(|(turn, share)| {
                        let angle = 1e-3 + 3.139 * turn;
                        let delta = (2.0 * chord_of_angle(Interval::point(angle)).lo() * share).clamp(2e-4, 2.0);
                        Pair { angle, delta }
                    })
                }))
                .reading(
                    "printed",
                    "P(W_i) ≥ δ/(n√(128e)), n = 2, any two directions with ‖h̄_1 − h̄_2‖ ≥ δ/2",
                    fails("improbable if h̄_2 is near −h̄_1: |g_12| ≥ 2ξ is then out of reach"),
                    |p, &found| at_least(found, promised(p.delta(), 2, 128.0)),
                )
                .when("‖h̄_1 − h̄_2‖ ≥ δ/2", Pair::separated)
                .amendment("acute", "the same for directions at an angle of at most π/2, as in the non-negative orthant", holds(), |p, &found| {
                    at_least(found, promised(p.delta(), 2, 128.0))
                })
                .when("‖h̄_1 − h̄_2‖ ≥ δ/2", Pair::separated)
                .when("φ ≤ π/2", |p| p.angle <= 1.57)
                .amendment("lines", "the same where ‖h̄_1 ± h̄_2‖ ≥ δ/2", holds(), |p, &found| at_least(found, promised(p.delta(), 2, 128.0)))
                .when("‖h̄_1 − h̄_2‖ ≥ δ/2", Pair::separated)
                .when("‖h̄_1 + h̄_2‖ ≥ δ/2", Pair::apart_as_lines)
                .step("s1", "P(|⟨w, h̄_i⟩| ≤ ξ) ≥ 2ξ e^{−1/2}/√(2π)", holds(), |p, _| {
                    let xi = xi(p.delta(), 2);
                    let density = Interval::point(-0.5).exp() / (Interval::pi() * 2.0).sqrt();
                    at_least(Enclosure::from(central(xi)), Enclosure::from(xi * 2.0 * density))
                })
                .step("s1-value", "2ξ e^{−1/2}/√(2π) = δ/(n√(128e))", holds(), |p, _| {
                    let density = Interval::point(-0.5).exp() / (Interval::pi() * 2.0).sqrt();
                    equal(Enclosure::from(xi(p.delta(), 2) * 2.0 * density), promised(p.delta(), 2, 128.0))
                })
                .control("a", "P(W_i) ≥ δ/(11n)", |p, &found| at_least(found, Enclosure::from(p.delta) / 22.0))
                .control("b", "the bound without any separation", |p, &found| at_least(found, promised(p.delta(), 2, 128.0))),
        )
        .setting(
            Setting::measuring(|p: &UnitPoints, _| Ok(events(p)))
                .assume("distinct directions", |p| !p.repeats() && p.separation().lo() > 1e-3)
                .family(edge("named", configurations))
                .family(random("in the orthant", drawn).taking(0.5))
                .without_search()
                .reading("orthant", "P(W_i) ≥ δ/(n√(128e)) for all i, in the non-negative orthant, δ as large as allowed", holds(), |_, e| e.each_at_least(128.0))
                .when("in the non-negative orthant", in_the_orthant)
                .reading(
                    "inputs",
                    "the same outside the orthant: circles, simplices, both ends of the axes",
                    fails("with two antipodal points P(W_i) = 0"),
                    |_, e| e.each_at_least(128.0),
                )
                .when("not in the orthant", |p| !in_the_orthant(p))
                .sharpening("sharper", "P(W_i) ≥ δ/(n√(122e)) for all i, in the non-negative orthant", holds(), |_, e| e.each_at_least(122.0))
                .when("in the non-negative orthant", in_the_orthant),
        )
        .setting(
            Setting::measuring(|e: &EqualAngles, _| Ok(e.probability()))
                .assume("δ ≤ √(2n/(n−1))", |e| e.delta <= largest_separation(e.count).lo())
                .family(edge("sizes", equal_angles))
                .without_search()
                .reading("equal-angles", "P(W_i) ≥ δ/(n√(128e)) for n up to 10⁵ directions at equal distances δ/2", holds(), |e, &found| {
                    at_least(found, promised(e.delta(), e.count, 128.0))
                })
                .sharpening("equal-angles-sharper", "P(W_i) ≥ δ/(n√(122e)) for them", holds(), |e, &found| at_least(found, promised(e.delta(), e.count, 122.0)))
                .control("c", "P(W_i) ≥ δ/(n√(64e)) for them", |e, &found| at_least(found, promised(e.delta(), e.count, 64.0))),
        )
        .setting(
            Setting::measuring(sampled)
                .assume("directions of the non-negative orthant", in_the_orthant)
                .family(edge("sampled", || {
                    configurations().into_iter().filter(|(_, p)| in_the_orthant(p) && p.points.len() <= 10).collect::<Vec<_>>()
                }))
                .without_search()
                .reading("sampled", "P(W_i) ≥ δ/(n√(128e)) with the second factor sampled", holds(), |_, e| e.each_at_least(128.0))
                .control("d", "P(W_i) ≥ δ/(n√(40e)), sampled", |_, e| e.each_at_least(40.0)),
        )
        .setting(
            Setting::of()
                .assume("two different directions, not opposite", |p: &PlanePoint| p.angle > 0.0 && p.angle < LARGEST_ANGLE)
                .family(edge("corners", || {
                    let mut list = Vec::new();
                    for angle in [0.01, 1.0, std::f64::consts::FRAC_PI_3, 2.0, 3.1] {
                        for second in [-1.0, 1.0, 0.0] {
                            list.push((format!("φ = {angle}, second {second}"), PlanePoint { angle, first: 1.0, second }));
                        }
                    }
                    list
                }))
                .family(random("drawn", || {
                    (2e-3..LARGEST_ANGLE, -1.5..1.5f64, -4.0..4.0f64).prop_map(|(angle, first, second)| PlanePoint { angle, first, second })
                }))
                .reading("disjoint", "no w lies in W_i and in W_j", holds(), |p, ()| p.outside(2.0))
                .step("s2", "on W_i: |⟨w, h̄_j⟩| ≥ ξ(2 − |cos φ_ij|)", holds(), |p, ()| {
                    let [_, second, _, _] = p.sizes();
                    at_least(second, 2.0 - Enclosure::from(p.angle).cos().abs()).on_scale(1.0)
                })
                .when("w in W_i", |p| {
                    let [u_i, _, g_ij, _] = p.sizes();
                    u_i.hi() <= 1.0 && g_ij.lo() >= 2.0
                })
                .control("e", "the events with the threshold ξ in place of 2ξ are disjoint", |p, ()| p.outside(1.0))
                .control("f", "on W_i: |⟨w, h̄_j⟩| ≤ 2ξ", |p, ()| {
                    let [_, second, _, _] = p.sizes();
                    at_most(second, 2.0)
                })
                .when("w in W_i", |p| {
                    let [u_i, _, g_ij, _] = p.sizes();
                    u_i.hi() <= 1.0 && g_ij.lo() >= 2.0
                }),
        )
}
