//! Lemma C.2: the probability of the events W_i, and that they are disjoint.
//!
//! The events are disjoint for any vectors. The bound on P(W_i) needs more than the printed separation: g_ij has the
//! standard deviation sin φ_ij, so that W_i becomes improbable as h̄_j comes near −h̄_i, and empty at −h̄_i. For hidden
//! vectors of a ReLU network, which lie in the non-negative orthant, it holds, and so it does for all directions with
//! ‖h̄_i ± h̄_j‖ ≥ δ/2; but in Lemma C.1 with L = 1 the h_i are the inputs, which may be antipodal.
//!
//! Proof. P(W_i) = erf(ξ/√2) P(|g_ij| ≥ 2ξ for all j), by independence. sin φ = ½‖h̄_i − h̄_j‖‖h̄_i + h̄_j‖ ≥ (δ/2)√(1
//! − δ²/16), hence P(|g_ij| < 2ξ) ≤ 4ξ/(√(2π) sin φ) ≤ c/n with c = 1/(√8 √(1 − δ²/16)), and the second factor is at
//! least 1 − c(n−1)/n. Since δ ≤ √(2n/(n−1)) for n unit vectors at distance δ, that is at least 1 − 1/√7 > 0.622, where
//! e^{−1/2} = 0.607 would do: there is room for √(122e) in place of √(128e).

use enclosures::probability::{angle_of_chord, chord_of_angle, normal_two_sided_tail};
use evidence::prelude::*;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

use crate::shared::gaussian_events::{
    DirectionPair, Events, central, configurations, drawn, events, in_the_orthant, largest_separation, pairs, promised,
    sampled, xi,
};
use crate::shared::signs::POINTS;
use crate::shared::unit_points::UnitPoints;

/// Two directions that are nearly opposite: chords of larger angles have lost too many digits.
const LARGEST_ANGLE: f64 = 3.1405;

/// n directions with all distances δ/2.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "n = {count}, all distances δ/2, δ = {delta}", stored)]
struct EqualAngles {
    #[instance(range = "1..=1_000_000")]
    count: usize,
    #[instance(range = "1e-3..=2", scale = "logarithmic")]
    delta: f64,
}

/// Cells of the integral over the common part, up to nine standard deviations.
const CELLS: usize = 600;

impl EqualAngles {
    fn delta(&self) -> Interval {
        Interval::point(self.delta)
    }

    /// g_j = sin φ (√ρ Z + √(1−ρ) ε_j) with ρ = cos φ/(1 + cos φ): P(|g_j| ≥ 2ξ for all j) is the mean over Z of (1 −
    /// p(|Z|))^{n−1}, which grows with |Z|.
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
            let signed = if near.lo() < 0.0 && near.hi() > 0.0 { signed.hull(-signed) } else { signed };
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

/// A vector w of the plane of two directions: ⟨w, h̄_i⟩/ξ and ⟨w, h̄_j⟩/ξ.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "φ = {angle}, ⟨w, h̄_i⟩ = {first} ξ, ⟨w, h̄_j⟩ = {second} ξ", stored)]
struct PlanePoint {
    #[instance(range = "1e-3<..3.1405")]
    angle: f64,
    #[instance(range = "-100..=100")]
    first: f64,
    #[instance(range = "-100..=100")]
    second: f64,
}

impl PlanePoint {
    /// |⟨w, h̄_i⟩|, |⟨w, h̄_j⟩|, |g_ij|, |g_ji| in units of ξ.
    fn sizes(&self) -> [Enclosure; 4] {
        let cosine = exact(self.angle).cos();
        let (a, b) = (exact(self.first), exact(self.second));
        [a.abs(), b.abs(), (b - a * cosine).abs(), (a - b * cosine).abs()]
    }

    /// By how much the worst of the four conditions of W_i and W_j is missed, for the threshold `times` ξ on g.
    fn outside(&self, times: f64) -> Evaluation {
        let [u_i, u_j, g_ij, g_ji] = self.sizes();
        let worst = (u_i - 1.0).max(u_j - 1.0).max(times - g_ij).max(times - g_ji);
        greater_than(worst, 0).on_unit_scale()
    }
}

const IN_THE_ORTHANT: Hypothesis<UnitPoints> = Hypothesis::new("in the non-negative orthant", in_the_orthant);
const IN_W_I: Hypothesis<PlanePoint> = Hypothesis::new("w in W_i", |p| {
    let [u_i, _, g_ij, _] = p.sizes();
    u_i.hi() <= 1.0 && g_ij.lo() >= 2.0
});

const SEPARATED: Hypothesis<DirectionPair> = Hypothesis::new("‖h̄_1 − h̄_2‖ ≥ δ/2", DirectionPair::separated);

pub fn claim() -> Claim {
    Claim::new("wen2020.lemma-c2", "the events W_i", Kind::ProbabilityBound)
        .statement(
            "½ ≤ ‖h_i‖ ≤ 2 and ‖h̄_i − h̄_j‖ ≥ δ/2 for i ≠ j, ξ = √π δ/(16n), W_i = {|⟨w, h̄_i⟩| ≤ ξ and |⟨w − ⟨w, \
             h̄_i⟩h̄_i, h̄_j⟩| ≥ 2ξ for all j ≠ i}, w ~ N(0, I): P(W_i) ≥ δ/(n√(128e)), and W_i ∩ W_j = ∅ for i ≠ j",
        )
        .source("Lemma C.2", &["Lemma C.1 of Zou and Gu (2019)"])
        .symbols([POINTS])
        .symbol("h̄_i", "h_i/‖h_i‖, the directions")
        .symbol("W_i", "the event |⟨w, h̄_i⟩| ≤ ξ and |g_ij| ≥ 2ξ for all j ≠ i, of w ~ N(0, I)")
        .symbol("ξ", "√π δ/(16n)")
        .symbol("g_", "g_ij = ⟨w − ⟨w, h̄_i⟩h̄_i, h̄_j⟩")
        .symbol("φ", "the angle of the two directions")
        .symbol(
            "δ as large",
            "δ as large as the distances allow is twice the smallest distance of two directions, at most √(2n/(n−1)) \
             and 2",
        )
        .symbol(
            "P(W_i)",
            "P(|N(0,1)| ≤ ξ) P(|g_ij| ≥ 2ξ for all j ≠ i), a product by independence; for n = 2 it is erf(ξ/√2) \
             erfc(√2 ξ/sin φ)",
        )
        .sense(
            "any-vectors",
            "the h_i are any vectors with the stated norms and separation; for L = 1 they are the inputs",
        )
        .sense(
            "hidden-vectors",
            "the h_i are outputs of a ReLU layer, as the use of Lemma B.10 suggests: in the non-negative orthant",
        )
        .remark(
            "Norms do not enter. For n > 2 the probability is enclosed by the union bound and by its least probable \
             part, or is a one-dimensional integral (equal angles).",
        )
        .setting(printed())
        .setting(orthant())
        .setting(many_directions())
        .setting(sampled_directions())
        .setting(disjoint())
}

fn printed() -> Setting<DirectionPair, Enclosure> {
    Setting::measuring(|p: &DirectionPair, _| Ok(p.probability()))
        .given("n = 2 unit directions at an angle φ ∈ [0, π], δ > 0")
        .assume(Hypothesis::new("δ ≤ 2", |p| p.delta <= 2.0))
        .family(outside("a larger δ", || vec![("δ = 3, φ = 2", DirectionPair { angle: 2.0, delta: 3.0 })]))
        .family(edge("angles", pairs))
        .family(random("drawn", || {
            (0.0..1.0f64, 1e-3..1.0f64).prop_map(|(turn, share)| {
                let angle = 1e-3 + 3.139 * turn;
                let delta = (2.0 * chord_of_angle(Interval::point(angle)).lo() * share).clamp(2e-4, 2.0);
                DirectionPair { angle, delta }
            })
        }))
        .part(
            "printed",
            "P(W_i) ≥ δ/(n√(128e)), n = 2, any two directions with ‖h̄_1 − h̄_2‖ ≥ δ/2",
            fails("improbable if h̄_2 is near −h̄_1: |g_12| ≥ 2ξ is then out of reach"),
            |p, &found| at_least(found, promised(p.delta(), 2, 128.0)),
        )
        .assume(SEPARATED)
        .sides("P(W_i)", "δ/(n√(128e))")
        .in_sense("any-vectors")
        .amendment(
            "acute",
            "P(W_i) ≥ δ/(n√(128e)), n = 2, for directions at an angle of at most 1.57 < π/2, as in the non-negative \
             orthant",
            holds(),
            |p, &found| at_least(found, promised(p.delta(), 2, 128.0)),
        )
        .assume(SEPARATED)
        .assume(Hypothesis::new("φ ≤ 1.57", |p| p.angle <= 1.57))
        .amendment(
            "lines",
            "P(W_i) ≥ δ/(n√(128e)), n = 2, where ‖h̄_1 ± h̄_2‖ ≥ δ/2",
            holds(),
            |p, &found| at_least(found, promised(p.delta(), 2, 128.0)),
        )
        .assume(SEPARATED)
        .assume(Hypothesis::new("‖h̄_1 + h̄_2‖ ≥ δ/2", DirectionPair::apart_as_lines))
        .step("s1", "P(|⟨w, h̄_i⟩| ≤ ξ) ≥ 2ξ e^{−1/2}/√(2π)", holds(), |p, _| {
            let xi = xi(p.delta(), 2);
            let density = Interval::point(-0.5).exp() / (Interval::pi() * 2.0).sqrt();
            at_least(central(xi), xi * 2.0 * density)
        })
        .step("s1-value", "2ξ e^{−1/2}/√(2π) = δ/(n√(128e))", holds(), |p, _| {
            let density = Interval::point(-0.5).exp() / (Interval::pi() * 2.0).sqrt();
            equal(xi(p.delta(), 2) * 2.0 * density, promised(p.delta(), 2, 128.0))
        })
        .control("a", "P(W_i) ≥ δ/(11n)", |p, &found| at_least(found, exact(p.delta) / 22.0))
        .control("b", "P(W_i) ≥ δ/(n√(128e)), n = 2, without any separation", |p, &found| {
            at_least(found, promised(p.delta(), 2, 128.0))
        })
}

fn orthant() -> Setting<UnitPoints, Events> {
    Setting::measuring(|p: &UnitPoints, _| Ok(events(p)))
        .given("n ≥ 2 unit directions, δ as large as the distances allow, at most √(2n/(n−1))")
        .assume(Hypothesis::new("all distances above 10⁻³", |p| !p.repeats() && p.separation().lo() > 1e-3))
        .family(outside("a direction twice", || {
            let points = vec![vec![1.0, 0.0], vec![1.0, 0.0]];
            vec![("h_1 = h_2", UnitPoints { layers: 1, points })]
        }))
        .family(edge("named", configurations))
        .family(random("in the orthant", drawn).taking(0.5))
        .without_search()
        .part(
            "orthant",
            "P(W_i) ≥ δ/(n√(128e)) for all i, in the non-negative orthant, δ as large as allowed",
            holds(),
            |_, e| e.each_at_least(128.0),
        )
        .in_sense("hidden-vectors")
        .assume(IN_THE_ORTHANT)
        .part(
            "inputs",
            "P(W_i) ≥ δ/(n√(128e)) for all i, δ as large as allowed, in and outside the non-negative orthant: circles, \
             simplices, both ends of the axes",
            fails("with two antipodal points P(W_i) = 0"),
            |_, e| e.each_at_least(128.0),
        )
        .sides("P(W_i)", "δ/(n√(128e))")
        .in_sense("any-vectors")
        .assume(Hypothesis::new("not in the orthant", |p| !in_the_orthant(p)))
        .sharpening("sharper", "P(W_i) ≥ δ/(n√(122e)) for all i, in the non-negative orthant", holds(), |_, e| {
            e.each_at_least(122.0)
        })
        .assume(IN_THE_ORTHANT)
}

fn many_directions() -> Setting<EqualAngles, Enclosure> {
    Setting::measuring(|e: &EqualAngles, _| Ok(e.probability()))
        .given("n directions with all distances δ/2")
        .assume(Hypothesis::new("δ ≤ 2, and δ ≤ √(2n/(n−1)) for n ≥ 2", |e| {
            e.delta <= largest_separation(e.count).lo()
        }))
        .family(edge("sizes", equal_angles))
        .family(outside("further apart than so many points can be", || {
            [3, 10].map(|count| (format!("n = {count}, δ = 2"), EqualAngles { count, delta: 2.0 })).to_vec()
        }))
        .without_search()
        .part(
            "equal-angles",
            "P(W_i) ≥ δ/(n√(128e)) for n up to 10⁵ directions at equal distances δ/2",
            holds(),
            |e, &found| at_least(found, promised(e.delta(), e.count, 128.0)),
        )
        .in_sense("hidden-vectors")
        .sharpening(
            "equal-angles-sharper",
            "P(W_i) ≥ δ/(n√(122e)) for n up to 10⁵ directions at equal distances δ/2",
            holds(),
            |e, &found| at_least(found, promised(e.delta(), e.count, 122.0)),
        )
        .control("c", "P(W_i) ≥ δ/(n√(64e)) for n directions at equal distances δ/2", |e, &found| {
            at_least(found, promised(e.delta(), e.count, 64.0))
        })
}

fn sampled_directions() -> Setting<UnitPoints, Events> {
    Setting::measuring(sampled)
        .given("n ≥ 2 unit directions, δ as large as the distances allow, at most √(2n/(n−1))")
        .assume(Hypothesis::new("directions of the non-negative orthant", in_the_orthant))
        .family(outside("outside the orthant", || {
            configurations().into_iter().filter(|(_, p)| !in_the_orthant(p) && p.points.len() <= 4).collect::<Vec<_>>()
        }))
        .family(edge("sampled", || {
            configurations().into_iter().filter(|(_, p)| in_the_orthant(p) && p.points.len() <= 10).collect::<Vec<_>>()
        }))
        .without_search()
        .part(
            "sampled",
            "P(W_i) ≥ δ/(n√(128e)) for all i, with the second factor sampled, δ as large as allowed",
            holds(),
            |_, e| e.each_at_least(128.0),
        )
        .in_sense("hidden-vectors")
        .control("d", "P(W_i) ≥ δ/(n√(40e)), sampled", |_, e| e.each_at_least(40.0))
}

fn disjoint() -> Setting<PlanePoint, ()> {
    Setting::of()
        .given("two directions at an angle 0 < φ < 3.1405, and w in their plane")
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
            (2e-3..LARGEST_ANGLE, -1.5..1.5f64, -4.0..4.0f64).prop_map(|(angle, first, second)| PlanePoint {
                angle,
                first,
                second,
            })
        }))
        .part(
            "disjoint",
            "no w lies in W_i and in W_j: one of |⟨w, h̄_i⟩| ≤ ξ, |⟨w, h̄_j⟩| ≤ ξ, |g_ij| ≥ 2ξ, |g_ji| ≥ 2ξ fails",
            holds(),
            |p: &PlanePoint, ()| p.outside(2.0),
        )
        .sides("max(|⟨w, h̄_i⟩|/ξ − 1, |⟨w, h̄_j⟩|/ξ − 1, 2 − |g_ij|/ξ, 2 − |g_ji|/ξ)", "0")
        .step("s2", "on W_i: |⟨w, h̄_j⟩| ≥ ξ(2 − |cos φ|)", holds(), |p, ()| {
            let [_, second, _, _] = p.sizes();
            at_least(second, 2.0 - exact(p.angle).cos().abs()).on_unit_scale()
        })
        .sides("|⟨w, h̄_j⟩|/ξ", "2 − |cos φ|")
        .assume(IN_W_I)
        .control("e", "the events with the threshold ξ in place of 2ξ are disjoint", |p, ()| p.outside(1.0))
        .sides("max(|⟨w, h̄_i⟩|/ξ − 1, |⟨w, h̄_j⟩|/ξ − 1, 1 − |g_ij|/ξ, 1 − |g_ji|/ξ)", "0")
        .control("f", "on W_i: |⟨w, h̄_j⟩| ≤ 2ξ", |p, ()| {
            let [_, second, _, _] = p.sizes();
            at_most(second, 2)
        })
        .sides("|⟨w, h̄_j⟩|/ξ", "2")
        .assume(IN_W_I)
}
