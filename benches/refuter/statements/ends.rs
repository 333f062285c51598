//! Violations where numbers are equal or opposite, on the boundary of the hypotheses, far out, or tiny.

use enclosures::enclosure::{Enclosure, exact};
use evidence::claim::{at_least, at_most, greater_than};

use super::drafts::{of_number, of_pair, of_point};
use crate::instances::{Number, Point, hidden, numbers};
use crate::statement::{Class, Condition, Statement};

fn sum(p: &Point) -> Enclosure {
    numbers(&p.x).sum()
}

fn spread(p: &Point) -> Enclosure {
    let largest = p.x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let smallest = p.x.iter().copied().fold(f64::INFINITY, f64::min);
    exact(largest) - exact(smallest)
}

fn means(p: &Point) -> (Enclosure, Enclosure) {
    let n = p.x.len() as f64;
    let logarithms: Enclosure = numbers(&p.x).map(Enclosure::ln).sum();
    (sum(p) / n, (logarithms / n).exp())
}

fn positive(p: &Point) -> bool {
    p.x.iter().all(|&x| x > 0.0)
}

fn in_unit_cube(p: &Point) -> bool {
    p.x.iter().all(|x| (0.0..=1.0).contains(x))
}

const POSITIVE: Condition<Point> = Some(("xᵢ > 0", positive));
const UNIT_CUBE: Condition<Point> = Some(("0 ≤ xᵢ ≤ 1", in_unit_cube));

pub fn all() -> Vec<Statement> {
    [tied(), boundary(), far_out(), tiny()].into_iter().flatten().collect()
}

fn tied() -> Vec<Statement> {
    use Class::Tied;
    vec![
        of_point(
            Tied,
            "refuter.means-5",
            "the arithmetic mean is at least c times the geometric one",
            (5, 0.0, 10.0),
            POSITIVE,
            (1.0 + 1e-8, 1.0),
        )
        .judged(|p, c| {
            let (arithmetic, geometric) = means(p);
            at_least(arithmetic, c * geometric)
        }),
        of_point(Tied, "refuter.spread-3", "max xᵢ − min xᵢ ≥ c", (3, 0.0, 1.0), None, (1e-6, 0.0))
            .judged(|p, c| at_least(spread(p), c)),
        of_point(Tied, "refuter.opposite", "|x + y| + |y + z| ≥ c", (3, -10.0, 10.0), None, (1e-6, 0.0)).judged(
            |p, c| {
                let x: Vec<Enclosure> = numbers(&p.x).collect();
                at_least((x[0] + x[1]).abs() + (x[1] + x[2]).abs(), c)
            },
        ),
        of_point(Tied, "refuter.pairwise-6", "Σ |xᵢ − xⱼ| ≥ c", (6, 0.0, 1.0), None, (1e-4, 0.0)).judged(|p, c| {
            let mut total = Enclosure::ZERO;
            for (i, &x) in p.x.iter().enumerate() {
                total += p.x[..i].iter().map(|&y| (exact(x) - exact(y)).abs()).sum();
            }
            at_least(total, c)
        }),
        of_pair(Tied, "refuter.equal-inverses", "(x − y)² + (xy − 1)² ≥ c", (-10.0, 10.0), None, (1e-8, 0.0)).judged(
            |p, c| {
                let (x, y) = (exact(p.x), exact(p.y));
                at_least((x - y).square() + (x * y - 1.0).square(), c)
            },
        ),
        of_pair(Tied, "refuter.never-equal", "(x − y)² > c", (-10.0, 10.0), None, (0.0, -1e-9))
            .judged(|p, c| greater_than((exact(p.x) - exact(p.y)).square(), c)),
        of_point(Tied, "refuter.variance-10", "Σ (xᵢ − mean)² ≥ c", (10, 0.0, 5.0), None, (1e-6, 0.0)).judged(
            |p, c| {
                let mean = sum(p) / p.x.len() as f64;
                at_least(numbers(&p.x).map(|x| (x - mean).square()).sum::<Enclosure>(), c)
            },
        ),
        of_point(Tied, "refuter.spread-30", "max xᵢ − min xᵢ ≥ c", (30, 0.0, 1.0), None, (1e-3, 0.0))
            .judged(|p, c| at_least(spread(p), c)),
        of_point(Tied, "refuter.norms-64", "Σ |xᵢ| ≤ c √64 ‖x‖", (64, -3.0, 3.0), None, (0.9999, 1.0)).judged(
            |p, c| {
                let squares: Enclosure = numbers(&p.x).map(Enclosure::square).sum();
                at_most(numbers(&p.x).map(Enclosure::abs).sum::<Enclosure>(), c * 8.0 * squares.sqrt())
            },
        ),
        of_point(
            Tied,
            "refuter.means-100",
            "the arithmetic mean is at least c times the geometric one",
            (100, 0.0, 10.0),
            POSITIVE,
            (1.0 + 1e-6, 1.0),
        )
        .judged(|p, c| {
            let (arithmetic, geometric) = means(p);
            at_least(arithmetic, c * geometric)
        }),
    ]
}

#[expect(clippy::approx_constant, reason = "a hair below half of the circle constant, and a hair above")]
fn boundary() -> Vec<Statement> {
    use Class::Boundary;
    vec![
        of_point(Boundary, "refuter.corner-5", "Σ xᵢ ≤ c", (5, 0.0, 1.0), UNIT_CUBE, (4.9999, 5.0))
            .judged(|p, c| at_most(sum(p), c)),
        of_point(Boundary, "refuter.corner-10", "Σ (−1)ⁱ xᵢ ≤ c", (10, 0.0, 1.0), UNIT_CUBE, (4.9999, 5.0)).judged(
            |p, c| {
                let signed = numbers(&p.x).enumerate().map(|(i, x)| if i % 2 == 0 { x } else { -x });
                at_most(signed.sum::<Enclosure>(), c)
            },
        ),
        of_pair(
            Boundary,
            "refuter.simplex-square",
            "x² + y² ≤ c",
            (0.0, 1.0),
            Some(("x, y ≥ 0, x + y ≤ 1", |p| p.x >= 0.0 && p.y >= 0.0 && p.x + p.y <= 1.0)),
            (0.99999, 1.0 + 1e-9),
        )
        .judged(|p, c| at_most(exact(p.x).square() + exact(p.y).square(), c)),
        of_number(
            Boundary,
            "refuter.end-point",
            "x (1 − x) > c",
            (0.0, 1.0),
            Some(("0 ≤ x ≤ 1", |n| (0.0..=1.0).contains(&n.x))),
            (0.0, -1e-9),
        )
        .judged(|n, c| greater_than(exact(n.x) * (1.0 - exact(n.x)), c)),
        of_number(
            Boundary,
            "refuter.arc-sine",
            "arcsin x ≤ c",
            (-1.0, 1.0),
            Some(("|x| ≤ 1", |n| n.x.abs() <= 1.0)),
            (1.5707, 1.5708),
        )
        .judged(|n, c| at_most(exact(n.x).asin(), c)),
        of_point(
            Boundary,
            "refuter.ball-6",
            "⟨a, x⟩ ≤ c ‖a‖",
            (6, -0.5, 0.5),
            Some(("‖x‖ ≤ 1", |p| p.x.iter().map(|x| x * x).sum::<f64>() <= 1.0)),
            (0.99999, 1.0 + 1e-9),
        )
        .judged(|p, c| {
            let product: Enclosure = numbers(&p.x).enumerate().map(|(i, x)| x * hidden(i)).sum();
            let square: Enclosure = (0..p.x.len()).map(|i| exact(hidden(i)).square()).sum();
            at_most(product, c * square.sqrt())
        }),
        of_point(Boundary, "refuter.convex-12", "Σ (xᵢ − 0.4)² ≤ c", (12, 0.0, 1.0), UNIT_CUBE, (4.319, 4.3201))
            .judged(|p, c| at_most(numbers(&p.x).map(|x| (x - 0.4).square()).sum::<Enclosure>(), c)),
        of_point(
            Boundary,
            "refuter.ordered",
            "x₁ + x₂ + x₃ + x₄ ≤ c",
            (4, 0.0, 1.0),
            Some(("0 ≤ x₁ ≤ x₂ ≤ x₃ ≤ x₄ ≤ 1", |p| {
                in_unit_cube(p) && p.x.windows(2).all(|w| w[0] <= w[1])
            })),
            (3.9999, 4.0),
        )
        .judged(|p, c| at_most(sum(p), c)),
        of_point(Boundary, "refuter.corner-200", "Σ xᵢ ≤ c", (200, 0.0, 1.0), UNIT_CUBE, (199.9, 200.0))
            .judged(|p, c| at_most(sum(p), c)),
    ]
}

fn far_out() -> Vec<Statement> {
    use Class::FarOut;
    let nonnegative: Condition<Number> = Some(("x ≥ 0", |n| n.x >= 0.0));
    vec![
        of_number(
            FarOut,
            "refuter.root-gap",
            "√(x² + 1) − x ≥ c, as 1/(√(x² + 1) + x)",
            (0.0, 1000.0),
            nonnegative,
            (1e-9, 0.0),
        )
        .judged(|n, c| at_least(1.0 / ((exact(n.x).square() + 1.0).sqrt() + exact(n.x)), c)),
        of_number(FarOut, "refuter.root-gap-as-written", "√(x² + 1) − x ≥ c", (0.0, 1000.0), nonnegative, (1e-9, 0.0))
            .judged(|n, c| at_least((exact(n.x).square() + 1.0).sqrt() - exact(n.x), c)),
        of_number(FarOut, "refuter.saturation", "tanh x ≤ c", (0.0, 5.0), nonnegative, (1.0 - 1e-12, 1.0))
            .judged(|n, c| at_most(exact(n.x).tanh(), c)),
        of_number(FarOut, "refuter.share", "x/(1 + x) ≤ c", (0.0, 10.0), nonnegative, (1.0 - 1e-9, 1.0))
            .judged(|n, c| at_most(exact(n.x) / (1.0 + exact(n.x)), c)),
        of_number(FarOut, "refuter.logarithm", "log(1 + x) ≤ c", (0.0, 10.0), nonnegative, (100.0, 800.0))
            .judged(|n, c| at_most(exact(n.x).ln_1p(), c)),
        of_number(FarOut, "refuter.decay", "e^(−x) ≥ c", (0.0, 10.0), nonnegative, (1e-300, 0.0))
            .judged(|n, c| at_least((-exact(n.x)).exp(), c)),
        of_pair(
            FarOut,
            "refuter.parallel",
            "xy/(x + y) ≤ c",
            (0.0, 100.0),
            Some(("x, y > 0", |p| p.x > 0.0 && p.y > 0.0)),
            (1e9, 1e308),
        )
        .judged(|p, c| at_most(exact(p.x) * exact(p.y) / (exact(p.x) + exact(p.y)), c)),
        of_pair(FarOut, "refuter.opposite-ends", "(x − y)² ≤ c (x² + y² + 1)", (-10.0, 10.0), None, (1.999999, 2.0))
            .judged(|p, c| {
                let (x, y) = (exact(p.x), exact(p.y));
                at_most((x - y).square(), c * (x.square() + y.square() + 1.0))
            }),
        of_point(
            FarOut,
            "refuter.logarithms-4",
            "Σ log(1 + xᵢ) ≤ c",
            (4, 0.0, 10.0),
            Some(("xᵢ ≥ 0", |p| p.x.iter().all(|&x| x >= 0.0))),
            (200.0, 3000.0),
        )
        .judged(|p, c| at_most(numbers(&p.x).map(Enclosure::ln_1p).sum::<Enclosure>(), c)),
        of_number(FarOut, "refuter.late-peak", "x e^(−x/10⁶) ≤ c", (0.0, 1000.0), nonnegative, (3.678e5, 3.679e5))
            .judged(|n, c| at_most(exact(n.x) * (-exact(n.x) / 1e6).exp(), c)),
    ]
}

fn tiny() -> Vec<Statement> {
    use Class::Tiny;
    let unit: Condition<Number> = Some(("0 < x ≤ 1", |n| 0.0 < n.x && n.x <= 1.0));
    vec![
        of_number(Tiny, "refuter.onset", "x/(x + 10⁻²⁰⁰) ≥ c", (0.0, 1.0), unit, (0.5, 0.0))
            .judged(|n, c| at_least(exact(n.x) / (exact(n.x) + 1e-200), c)),
        of_number(Tiny, "refuter.neglog", "−log x ≤ c", (0.0, 1.0), unit, (100.0, 800.0))
            .judged(|n, c| at_most(-exact(n.x).ln(), c)),
        of_number(Tiny, "refuter.nearly-zero", "|x| ≥ c", (-1.0, 1.0), None, (1e-10, 0.0))
            .judged(|n, c| at_least(exact(n.x).abs(), c)),
        of_pair(
            Tiny,
            "refuter.ratio",
            "x/y ≤ c",
            (0.0, 1.0),
            Some(("0 < x ≤ 1, 10⁻³⁰⁰ ≤ y ≤ 1", |p| {
                0.0 < p.x && p.x <= 1.0 && (1e-300..=1.0).contains(&p.y)
            })),
            (1e12, 1e301),
        )
        .judged(|p, c| at_most(exact(p.x) / exact(p.y), c)),
        of_point(Tiny, "refuter.all-small", "max xᵢ ≥ c", (3, 0.0, 1.0), POSITIVE, (1e-8, 0.0))
            .judged(|p, c| at_least(numbers(&p.x).reduce(Enclosure::max).unwrap_or(Enclosure::ZERO), c)),
        of_number(Tiny, "refuter.second-order", "e^x − 1 ≥ x (1 + c x)", (0.0, 1.0), unit, (0.500001, 0.5))
            .judged(|n, c| at_least(exact(n.x).exp_m1(), exact(n.x) * (1.0 + c * exact(n.x)))),
    ]
}
