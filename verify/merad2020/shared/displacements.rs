//! A triple of vectors and a displacement, with both sides of the smoothness inequality (12) in a form that cancels
//! nothing.

use contrastive::Triplet;
use enclosures::interval;
use enclosures::vectors::{self, minus, plus, points};
use evidence::prelude::*;
use proptest::prelude::{Strategy, prop_oneof};
use serde::{Deserialize, Serialize};

use super::families::log_uniform;
use super::triples::{self, drawn, largest_norm, triple};

/// z and z'.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "z: {from}; z': {by}", valid = Self::fits, simpler = Self::smaller, stored)]
pub struct Displacement {
    #[instance(nested)]
    pub from: Triplet,
    #[instance(nested)]
    pub by: Triplet,
}

impl Displacement {
    fn fits(&self) -> Result<(), String> {
        if self.from.dimension() != self.by.dimension() {
            return Err("z and z' have different dimensions".into());
        }
        let coordinates = [&self.from, &self.by].map(|z| z.vectors().concat()).concat();
        if coordinates.iter().all(|x| x.abs() <= 1e8) { Ok(()) } else { Err("a coordinate exceeds 1e8".into()) }
    }

    fn smaller(&self) -> Vec<Self> {
        // A simplification of both halves keeps their dimensions equal where it is of the same shape.
        let both = self.from.simpler().into_iter().zip(self.by.simpler());
        let together = both.map(|(from, by)| Displacement { from, by });
        let alone = self.by.simpler().into_iter().map(|by| Displacement { from: self.from.clone(), by });
        let start = self.from.simpler().into_iter().map(|from| Displacement { from, by: self.by.clone() });
        let fits = |d: &Displacement| d.from.dimension() == d.by.dimension();
        together.chain(alone).chain(start).filter(fits).collect()
    }
}

/// Σ x_i y_i of vectors of intervals.
fn product(x: &[Interval], y: &[Interval]) -> Interval {
    interval::sum(&x.iter().zip(y).map(|(&x, &y)| x * y).collect::<Vec<_>>())
}

fn difference(x: &[f64], y: &[f64]) -> Vec<Interval> {
    minus(&points(x), y)
}

/// ζ(a + x) − ζ(a) − σ(a) x, the smaller of several enclosures. It is log(1 + σ(a)(e^x − 1)) − σ(a) x; near x = 0,
/// where that cancels, its expansion sk x²/2 + sk(k − s) x³/6 with a remainder of at most x⁴/192, because |σ'''| ≤ 1/8.
pub fn softplus_excess(a: Enclosure, x: Enclosure) -> Enclosure {
    let (a, x) = (a.interval(), x.interval());
    let (s, k) = (a.sigmoid(), (-a).sigmoid());
    let square = x.square();
    let mut best = Interval::new(0.0, (square / 8.0).hi());
    let mut narrow = |candidate: Interval| {
        if candidate.is_finite() {
            // Enclosures of one number that do not meet would be an error: then nothing is decided.
            best = best.intersection(candidate).unwrap_or_else(|| best.hull(candidate));
        }
    };
    let rest = Interval::new(-1.0, 1.0) * square.square() / 192.0;
    narrow(s * k * square / 2.0 + s * k * (k - s) * square * x / 6.0 + rest);
    if x.hi() < 600.0 {
        narrow((s * x.exp_m1()).ln_1p() - s * x);
    }
    narrow((a + x).softplus() - a.softplus() - s * x);
    best.into()
}

/// The quotient Q(z, z') = 2(ℓ(z+z') − ℓ(z) − ⟨∇ℓ(z), z'⟩)/‖z'‖² and the radii of the three senses.
pub struct Smoothness {
    /// Q(z, z'); none for z' = 0.
    pub quotient: Option<Enclosure>,
    /// The smallest C with z and z + z' in B³.
    pub both_ends: Enclosure,
    /// The smallest C with z and z' in B³.
    pub both_parts: Enclosure,
    /// The smallest C with z in B³.
    pub start: Enclosure,
    /// G = ‖z_3 − z_2‖² + 2‖z_1‖² at z.
    pub squared_gradient: Enclosure,
}

impl Smoothness {
    /// With w = z_3 − z_2 and x = a(z+z') − a(z) = g·z' + e, g·z' = z'_1·w + z_1·w', e = z'_1·w', the numerator is
    /// 2(ζ(a+x) − ζ(a) − σ(a) x + σ(a) e).
    pub fn of(d: &Displacement) -> Self {
        let [anchor, positive, negative] = d.from.vectors();
        let [by_anchor, by_positive, by_negative] = d.by.vectors();
        let (way, by_way) = (difference(negative, positive), difference(by_negative, by_positive));
        let (anchor_part, by_anchor_part) = (points(anchor), points(by_anchor));
        let second = product(&by_anchor_part, &by_way);
        let linear = product(&[by_anchor_part, anchor_part].concat(), &[way.clone(), by_way].concat());
        let coordinates = d.by.vectors().concat();
        let square = Enclosure::from(interval::dot(&coordinates, &coordinates)).max(0);
        let excess = softplus_excess(d.from.argument(), Enclosure::from(linear + second));
        let numerator = excess + d.from.slope() * Enclosure::from(second);
        let end_norm = |x: &[f64], y: &[f64]| {
            let sums = plus(&points(x), y);
            let squares = sums.into_iter().map(Interval::square).collect::<Vec<_>>();
            Enclosure::from(interval::sum(&squares)).max(0).sqrt()
        };
        let start = largest_norm(&d.from);
        let ends = d.from.vectors().into_iter().zip(d.by.vectors());
        Smoothness {
            quotient: (square.lo() > 0.0).then(|| 2.0 * numerator / square),
            both_ends: ends.map(|(x, y)| end_norm(x, y)).fold(start, Enclosure::max),
            both_parts: start.max(largest_norm(&d.by)),
            start,
            squared_gradient: d.from.squared_argument_gradient(),
        }
    }
}

/// The displacement with every coordinate multiplied.
pub fn scaled(z: &Triplet, factor: f64) -> Triplet {
    let [a, p, n] = z.vectors().map(|v| vectors::scaled(v, factor));
    triple(&a, &p, &n)
}

/// g = (z_3 − z_2, −z_1, z_1), the gradient of the argument; where a = 0 and ‖w‖ = √2‖z_1‖ the Hessian's top
/// eigenvector.
fn along_gradient(z: &Triplet) -> Triplet {
    let [anchor, positive, negative] = z.vectors();
    let way = minus(negative, positive);
    let minus: Vec<f64> = anchor.iter().map(|x| -x).collect();
    triple(&way, &minus, anchor)
}

/// Named pairs: z' along the gradient of a, small, moderate and large; z' that makes z'_1·(z'_3 − z'_2) as large as it
/// gets; z' that turns one end into the other; from the named triples and the centre of the ball.
pub fn named() -> Vec<(String, Displacement)> {
    let mut list = Vec::new();
    for (name, z) in triples::named() {
        let gradient = along_gradient(&z);
        for size in [1e-6, -0.01, 0.1, -0.5, 1.0, 30.0] {
            list.push((format!("{name}; {size} along the gradient"), z.clone(), scaled(&gradient, size)));
        }
        // u in the eigenspace √2 of K: (√2 y, −y, y).
        let d = z.dimension();
        for (sign, size) in [(1.0, 0.3), (1.0, 3.0), (1.0, 1e4), (-1.0, 3.0)] {
            let axis = |x: f64| (0..d).map(|i| if i == 0 { x } else { 0.0 }).collect::<Vec<_>>();
            let root = sign * std::f64::consts::SQRT_2 * size;
            let by = triple(&axis(root), &axis(-size), &axis(size));
            list.push((format!("{name}; {size} along (√2, −1, 1)"), z.clone(), by));
        }
        list.push((format!("{name}; to the opposite triple"), z.clone(), scaled(&z, -2.0)));
        list.push((format!("{name}; to the centre"), z.clone(), scaled(&z, -1.0)));
        list.push((format!("{name}; doubled"), z.clone(), z.clone()));
        list.push((format!("{name}; not at all"), z.clone(), scaled(&z, 0.0)));
    }
    list.into_iter().map(|(name, from, by)| (name, Displacement { from, by })).collect()
}

/// Independent pairs, short moves, and moves along the gradient.
fn moves() -> impl Strategy<Value = Displacement> {
    let pair = || (drawn(), drawn()).prop_filter("one dimension", |(z, by)| z.dimension() == by.dimension());
    let independent = pair().prop_map(|(from, by)| Displacement { from, by });
    let short = (pair(), log_uniform(1e-6, 1.0)).prop_map(|((from, by), t)| Displacement { by: scaled(&by, t), from });
    let uphill = (drawn(), log_uniform(1e-4, 10.0), proptest::bool::ANY).prop_map(|(from, t, back)| Displacement {
        by: scaled(&along_gradient(&from), if back { -t } else { t }),
        from,
    });
    prop_oneof![independent, short, uphill]
}

/// The named and the drawn pairs.
pub fn families() -> Vec<Family<Displacement>> {
    vec![edge("named", named), random("drawn pairs", moves)]
}

#[cfg(test)]
mod tests {
    use enclosures::vectors::sum_of_products;

    use super::*;

    fn meet(x: Enclosure, y: Enclosure) -> bool {
        x.interval().intersection(y.interval()).is_some()
    }

    /// From a = 0 the excess is log cosh(x/2) = x²/8 − x⁴/192 + …, which is |x|/2 − log 2 far out.
    #[test]
    fn the_excess_from_zero_is_a_logarithm_of_a_hyperbolic_cosine() {
        for x in [-3.0, -0.5, 0.25, 1.0, 8.0, 40.0] {
            let found = softplus_excess(Enclosure::ZERO, exact(x));
            assert!(meet(found, (exact(x) / 2.0).cosh().ln()), "{x}: {found}");
            assert!(found.width() < 1e-12 * found.hi(), "{x}: {found}");
        }
        let tiny = softplus_excess(Enclosure::ZERO, exact(1e-7));
        assert!((tiny.midpoint() / (1e-14 / 8.0) - 1.0).abs() < 1e-13 && tiny.width() < 1e-28);
        assert!(meet(softplus_excess(Enclosure::ZERO, exact(-1600.0)), 800.0 - Enclosure::ln_2()));
    }

    /// ζ(u) = u + ζ(−u), so that both signs may be turned at once.
    #[test]
    fn the_excess_is_the_same_with_both_signs_turned() {
        for (a, x) in [(0.75, 1e-6), (-2.0, 0.5), (5.0, -7.0), (8.0, 2.0), (-0.5, 900.0)] {
            let (one, other) = (softplus_excess(exact(a), exact(x)), softplus_excess(exact(-a), exact(-x)));
            assert!(meet(one, other) && one.width() < 1e-8 * one.hi(), "{a}, {x}: {one}, {other}");
        }
    }

    #[test]
    fn the_quotient_is_that_of_losses_and_a_gradient() {
        let from = triple(&[0.5, -1.0], &[0.25, 0.75], &[-0.5, 0.5]);
        let by = triple(&[3.0, 4.0], &[0.5, -0.25], &[1.0, 2.0]);
        let ([a, p, n], [da, dp, dn]) = (from.vectors(), by.vectors());
        let to = triple(&plus(a, da), &plus(p, dp), &plus(n, dn));
        let moves = by.vectors().concat();
        let slope = sum_of_products(&from.gradient().concat(), &moves);
        // ‖z'‖² = 25 + 5/16 + 5.
        let expected = 2.0 * (to.loss() - from.loss() - Enclosure::from(slope)) / (30.0 + 5.0 / 16.0);
        let found = Smoothness::of(&Displacement { from, by });
        let quotient = found.quotient.unwrap();
        assert!(meet(quotient, expected) && quotient.width() < 1e-13, "{quotient}, {expected}");
        // ‖z_1‖² = 5/4 at the start, the longest part of z' is (3, 4), and z_1 ends at (3.5, 3).
        assert!(found.both_parts.interval().contains(5.0) && found.both_parts.width() < 1e-14);
        assert!(meet(found.start, exact(1.25).sqrt()));
        assert!(meet(found.both_ends, exact(3.5 * 3.5 + 9.0).sqrt()));
        // w = (−3/4, −1/4).
        assert!(found.squared_gradient.interval().contains(0.625 + 2.5));
    }
}
