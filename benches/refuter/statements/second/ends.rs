//! Violations where numbers are equal or in proportion, on the boundary of the hypotheses, far out, or tiny.

use std::f64::consts::{E, FRAC_PI_2};

use enclosures::enclosure::{Enclosure, exact};
use evidence::claim::{at_least, at_most};

use super::super::drafts::{of_number, of_point};
use crate::instances::{Number, Point, TwoVectors, hidden, numbers};
use crate::statement::{Class, Condition, Draft, Statement, cube};

const POSITIVE: Condition<Point> = Some(("xᵢ > 0", |p| p.x.iter().all(|&x| x > 0.0)));
const NONNEGATIVE: Condition<Number> = Some(("x ≥ 0", |n| n.x >= 0.0));
const UNIT: Condition<Number> = Some(("0 < x ≤ 1", |n| 0.0 < n.x && n.x <= 1.0));

pub fn all() -> Vec<Statement> {
    [tied(), boundary(), far_out(), tiny()].into_iter().flatten().collect()
}

fn of_two(
    name: &'static str,
    words: &'static str,
    (length, reach): (usize, f64),
    constants: (f64, f64),
) -> Draft<TwoVectors> {
    Draft {
        class: Class::Tied,
        name,
        words,
        ranges: cube(2 * length, -reach, reach),
        from: |x| TwoVectors { x: x[..x.len() / 2].to_vec(), y: x[x.len() / 2..].to_vec() },
        hypothesis: None,
        constants,
    }
}

fn square(x: &[f64]) -> Enclosure {
    numbers(x).map(Enclosure::square).sum()
}

fn tied() -> Vec<Statement> {
    use Class::Tied;
    vec![
        of_two("refuter.cauchy-schwarz-20", "⟨x, y⟩² ≤ c ‖x‖² ‖y‖²", (20, 5.0), (1.0 - 1e-5, 1.0)).judged(|v, c| {
            let product: Enclosure = numbers(&v.x).zip(numbers(&v.y)).map(|(x, y)| x * y).sum();
            at_most(product.square(), c * square(&v.x) * square(&v.y))
        }),
        of_two("refuter.parallelogram-6", "‖x + y‖² ≤ c (‖x‖² + ‖y‖²)", (6, 4.0), (2.0 - 1e-6, 2.0)).judged(|v, c| {
            let sums: Enclosure = numbers(&v.x).zip(numbers(&v.y)).map(|(x, y)| (x + y).square()).sum();
            at_most(sums, c * (square(&v.x) + square(&v.y)))
        }),
        of_two("refuter.weighted-tie-5", "Σ |xᵢ − i yᵢ| + (x₁ − 1.7)² ≥ c", (5, 10.0), (1e-6, -1e-9)).judged(|v, c| {
            let pairs = numbers(&v.x).zip(numbers(&v.y)).enumerate();
            let total: Enclosure = pairs.map(|(i, (x, y))| (x - (i + 1) as f64 * y).abs()).sum();
            at_least(total + (exact(v.x[0]) - 1.7).square(), c)
        }),
        of_point(
            Tied,
            "refuter.proportional-3",
            "|2x − 3y| + |y − 5z| + (x − 1.7)² ≥ c",
            (3, -10.0, 10.0),
            None,
            (1e-7, -1e-9),
        )
        .judged(|p, c| {
            let x: Vec<Enclosure> = numbers(&p.x).collect();
            let sum = (2.0 * x[0] - 3.0 * x[1]).abs() + (x[1] - 5.0 * x[2]).abs();
            at_least(sum + (x[0] - 1.7).square(), c)
        }),
        of_point(Tied, "refuter.largest-10", "max |xᵢ − aᵢ| ≥ c", (10, -5.0, 5.0), None, (1e-6, -1e-9)).judged(
            |p, c| {
                let distances = numbers(&p.x).enumerate().map(|(i, x)| (x - 3.0 * hidden(i)).abs());
                at_least(distances.reduce(Enclosure::max).unwrap_or(Enclosure::ZERO), c)
            },
        ),
        of_point(Tied, "refuter.absolute-30", "Σ |xᵢ − aᵢ| ≥ c", (30, -5.0, 5.0), None, (1e-6, -1e-9)).judged(
            |p, c| {
                let distances = numbers(&p.x).enumerate().map(|(i, x)| (x - 3.0 * hidden(i)).abs());
                at_least(distances.sum::<Enclosure>(), c)
            },
        ),
        of_point(
            Tied,
            "refuter.sharp-valley",
            "|1 − x + a| + 10 |y − (x − a)²| ≥ c",
            (2, -5.0, 5.0),
            None,
            (1e-4, -1e-9),
        )
        .judged(|p, c| {
            let (x, y) = (exact(p.x[0]) - 0.617, exact(p.x[1]));
            at_least((1.0 - x).abs() + 10.0 * (y - x.square()).abs(), c)
        }),
        of_point(
            Tied,
            "refuter.muirhead",
            "x⁴y + y⁴z + z⁴x ≥ c xyz (x² + y² + z²)",
            (3, 0.0, 10.0),
            POSITIVE,
            (1.0 + 1e-7, 1.0),
        )
        .judged(|p, c| {
            let x: Vec<Enclosure> = numbers(&p.x).collect();
            let left = x[0].powi(4) * x[1] + x[1].powi(4) * x[2] + x[2].powi(4) * x[0];
            at_least(left, c * x[0] * x[1] * x[2] * x.iter().map(|x| x.square()).sum::<Enclosure>())
        }),
        of_point(
            Tied,
            "refuter.weighted-means-4",
            "Σ i xᵢ/10 ≥ c Π xᵢ^(i/10) Π at xᵢ scaled by i",
            (4, 0.0, 10.0),
            POSITIVE,
            (1.0 + 1e-7, 1.0),
        )
        .judged(|p, c| {
            let y: Vec<Enclosure> = numbers(&p.x).zip(1..).map(|(x, i)| x * (f64::from(i) + 0.5)).collect();
            let weighted = |f: fn(Enclosure) -> Enclosure| -> Enclosure {
                y.iter().zip(1..).map(|(y, i)| f(*y) * (f64::from(i) / 10.0)).sum()
            };
            at_least(weighted(|y| y), c * weighted(Enclosure::ln).exp())
        }),
    ]
}

fn boundary() -> Vec<Statement> {
    use Class::Boundary;
    vec![
        of_point(
            Boundary,
            "refuter.ball-12",
            "Σ i xᵢ ≤ c for ‖x‖ ≤ 1",
            (12, -0.25, 0.25),
            Some(("‖x‖ ≤ 1", |p| p.x.iter().map(|x| x * x).sum::<f64>() <= 1.0)),
            (25.4949, 25.4951),
        )
        .judged(|p, c| {
            let sum: Enclosure = numbers(&p.x).enumerate().map(|(i, x)| (i + 1) as f64 * x).sum();
            at_most(sum, c)
        }),
        of_point(
            Boundary,
            "refuter.polytope",
            "3x + 2y + 4z ≤ c",
            (3, 0.0, 1.0),
            Some(("x + y + 2z ≤ 1.3, 2x + z ≤ 0.9, nonnegative", |p| {
                let x = &p.x;
                x.iter().all(|&x| x >= 0.0) && x[0] + x[1] + 2.0 * x[2] <= 1.3 && 2.0 * x[0] + x[2] <= 0.9
            })),
            (3.049_99, 3.050_01),
        )
        .judged(|p, c| at_most(3.0 * exact(p.x[0]) + 2.0 * exact(p.x[1]) + 4.0 * exact(p.x[2]), c)),
        of_point(
            Boundary,
            "refuter.hyperbola",
            "2x + 3y ≥ c where xy ≥ 1",
            (2, 0.0, 10.0),
            Some(("x, y > 0, xy ≥ 1", |p| p.x[0] > 0.0 && p.x[1] > 0.0 && p.x[0] * p.x[1] >= 1.0)),
            (4.898_99, 4.898_97),
        )
        .judged(|p, c| at_least(2.0 * exact(p.x[0]) + 3.0 * exact(p.x[1]), c)),
        of_point(
            Boundary,
            "refuter.thin-strip",
            "x y² ≤ c where |x − y| ≤ 1/50",
            (2, 0.0, 1.0),
            Some(("0 ≤ x, y ≤ 1, |x − y| ≤ 1/50", |p| {
                p.x.iter().all(|x| (0.0..=1.0).contains(x)) && (p.x[0] - p.x[1]).abs() <= 0.02
            })),
            (0.999_99, 1.0),
        )
        .judged(|p, c| at_most(exact(p.x[0]) * exact(p.x[1]).square(), c)),
        of_point(
            Boundary,
            "refuter.lens",
            "x + 2y ≤ c in the intersection of two discs",
            (2, -1.0, 1.0),
            Some(("x² + y² ≤ 1, (x − 1)² + y² ≤ 1.2", |p| {
                let (x, y) = (p.x[0], p.x[1]);
                x * x + y * y <= 1.0 && (x - 1.0) * (x - 1.0) + y * y <= 1.2
            })),
            (2.236_06, 2.236_07),
        )
        .judged(|p, c| at_most(exact(p.x[0]) + 2.0 * exact(p.x[1]), c)),
        of_point(
            Boundary,
            "refuter.steps-6",
            "Σ i² xᵢ ≤ c for steps of at most 1/10",
            (6, 0.0, 0.1),
            Some(("|xᵢ − xᵢ₋₁| ≤ 1/10, x₀ = 0", |p| {
                let before = std::iter::once(0.0).chain(p.x.iter().copied());
                p.x.iter().zip(before).all(|(x, b)| (x - b).abs() <= 0.1)
            })),
            (44.0999, 44.1001),
        )
        .judged(|p, c| {
            let sum: Enclosure = numbers(&p.x).zip(1..).map(|(x, i)| f64::from(i * i) * x).sum();
            at_most(sum, c)
        }),
        of_number(
            Boundary,
            "refuter.pole",
            "x/(1 − x) ≤ c for x < 1",
            (0.0, 1.0),
            Some(("0 ≤ x < 1", |n| (0.0..1.0).contains(&n.x))),
            (1e12, 1e17),
        )
        .judged(|n, c| at_most(exact(n.x) / (1.0 - exact(n.x)), c)),
        of_point(
            Boundary,
            "refuter.vertex-of-cube-40",
            "Σ (xᵢ − aᵢ/2)² ≤ c in the cube [−1, 1]⁴⁰",
            (40, -1.0, 1.0),
            Some(("|xᵢ| ≤ 1", |p| p.x.iter().all(|x| x.abs() <= 1.0))),
            (62.999, 63.0),
        )
        .judged(|p, c| {
            let terms = numbers(&p.x).enumerate().map(|(i, x)| (x - 0.5 * hidden(i)).square());
            at_most(terms.sum::<Enclosure>(), c)
        }),
    ]
}

fn far_out() -> Vec<Statement> {
    use Class::FarOut;
    vec![
        of_number(FarOut, "refuter.twice-logarithm", "log(1 + log(1 + x)) ≤ c", (0.0, 10.0), NONNEGATIVE, (6.0, 7.0))
            .judged(|n, c| at_most(exact(n.x).ln_1p().ln_1p(), c)),
        of_number(
            FarOut,
            "refuter.arc-tangent",
            "arctan x ≤ c",
            (-10.0, 10.0),
            None,
            (FRAC_PI_2 - 1e-8, FRAC_PI_2 + 1e-8),
        )
        .judged(|n, c| at_most(exact(n.x).atan(), c)),
        of_number(
            FarOut,
            "refuter.compound-growth",
            "(1 + 1/x)^x ≤ c",
            (0.0, 100.0),
            Some(("x > 0", |n| n.x > 0.0)),
            (E - 1e-10, E + 1e-10),
        )
        .judged(|n, c| at_most((exact(n.x) * (1.0 / exact(n.x)).ln_1p()).exp(), c)),
        of_number(
            FarOut,
            "refuter.softplus-gap",
            "log(1 + e^x) − x ≥ c",
            (0.0, 10.0),
            Some(("0 ≤ x ≤ 700", |n| (0.0..=700.0).contains(&n.x))),
            (1e-30, 0.0),
        )
        .judged(|n, c| at_least(exact(n.x).softplus() - exact(n.x), c)),
        of_number(FarOut, "refuter.root-difference", "√(x + 1) − √x ≥ c", (0.0, 100.0), NONNEGATIVE, (1e-7, 0.0))
            .judged(|n, c| at_least((exact(n.x) + 1.0).sqrt() - exact(n.x).sqrt(), c)),
        of_point(FarOut, "refuter.one-dominates-5", "(Σ xᵢ)² ≥ c Σ xᵢ²", (5, 0.0, 1.0), POSITIVE, (1.0 + 1e-9, 1.0))
            .judged(|p, c| at_least(numbers(&p.x).sum::<Enclosure>().square(), c * square(&p.x))),
        of_point(
            FarOut,
            "refuter.exponential-ratio",
            "(x + y + 1) e^(−y) ≤ c",
            (2, 0.0, 10.0),
            Some(("x, y ≥ 0", |p| p.x.iter().all(|&x| x >= 0.0))),
            (1e50, f64::MAX),
        )
        .judged(|p, c| at_most((exact(p.x[0]) + exact(p.x[1]) + 1.0) * (-exact(p.x[1])).exp(), c)),
        of_point(
            FarOut,
            "refuter.margin-50",
            "log Σ e^xᵢ − x₁ ≥ c",
            (50, -1.0, 1.0),
            Some(("|xᵢ| ≤ 700", |p| p.x.iter().all(|x| x.abs() <= 700.0))),
            (1e-12, 0.0),
        )
        .judged(|p, c| {
            let others: Vec<Enclosure> = p.x.iter().map(|x| (exact(*x) - exact(p.x[0])).exp()).collect();
            at_least(others[1..].iter().copied().sum::<Enclosure>().ln_1p(), c)
        }),
        of_point(
            FarOut,
            "refuter.unequal-growth",
            "x³ + y³ ≤ c (x + y)(x² + y² + 1)",
            (2, 0.0, 3.0),
            POSITIVE,
            (1.0 - 1e-9, 1.0),
        )
        .judged(|p, c| {
            let (x, y) = (exact(p.x[0]), exact(p.x[1]));
            at_most(x.powi(3) + y.powi(3), c * (x + y) * (x.square() + y.square() + 1.0))
        }),
    ]
}

fn tiny() -> Vec<Statement> {
    use Class::Tiny;
    vec![
        of_number(Tiny, "refuter.cosine-quotient", "(1 − cos x)/x² ≤ c", (0.0, 1.0), UNIT, (0.5 - 1e-12, 0.5))
            .judged(|n, c| at_most((1.0 - exact(n.x).cos()) / exact(n.x).square(), c)),
        of_number(Tiny, "refuter.sine-quotient", "sin x/x ≤ c", (0.0, 1.0), UNIT, (1.0 - 1e-12, 1.0))
            .judged(|n, c| at_most(exact(n.x).sin() / exact(n.x), c)),
        of_number(Tiny, "refuter.third-order", "tanh x ≤ x − c x³", (0.0, 1.0), UNIT, (0.333_333_4, 0.2))
            .judged(|n, c| at_most(exact(n.x).tanh(), exact(n.x) - c * exact(n.x).powi(3))),
        of_number(Tiny, "refuter.slow-root", "x^(1/100) ≥ c", (0.0, 1.0), UNIT, (0.01, 0.0))
            .judged(|n, c| at_least((exact(n.x).ln() / 100.0).exp(), c)),
        of_point(
            Tiny,
            "refuter.ratio-of-sums",
            "(x² + y)/(x + y²) ≥ c",
            (2, 0.0, 1.0),
            Some(("0 < x, y ≤ 1", |p| p.x.iter().all(|&x| 0.0 < x && x <= 1.0))),
            (1e-9, 0.0),
        )
        .judged(|p, c| {
            let (x, y) = (exact(p.x[0]), exact(p.x[1]));
            at_least((x.square() + y) / (x + y.square()), c)
        }),
        of_point(
            Tiny,
            "refuter.small-entropy-3",
            "−Σ xᵢ log xᵢ ≥ c (1 − max xᵢ) for x₁ + x₂ + x₃ = 1",
            (2, 0.0, 0.5),
            Some(("x, y > 0, x + y < 1", |p| p.x.iter().all(|&x| x > 0.0) && p.x[0] + p.x[1] < 1.0)),
            (1.3863, 1.3862),
        )
        .judged(|p, c| {
            let rest = 1.0 - exact(p.x[0]) - exact(p.x[1]);
            let x = [exact(p.x[0]), exact(p.x[1]), rest];
            let entropy: Enclosure = x.iter().map(|x| -*x * x.ln()).sum();
            at_least(entropy, c * (1.0 - x[0].max(x[1]).max(x[2])))
        }),
    ]
}
