//! Functions with a shape: smooth, ill-conditioned, deceptive.

use enclosures::enclosure::{Enclosure, exact, log_sum_exp};
use evidence::claim::{at_least, at_most};

use super::drafts;
use crate::instances::{Number, Pair, Point, TwoVectors, hidden, numbers, squared_distance};
use crate::statement::{Class, Draft, Statement, cube};

fn pair(x: &[f64]) -> Pair {
    Pair { x: x[0], y: x[1] }
}

/// A statement about a vector drawn from a cube, without a hypothesis.
fn of_point(
    class: Class,
    name: &'static str,
    words: &'static str,
    cube: (usize, f64, f64),
    constants: (f64, f64),
) -> Draft<Point> {
    drafts::of_point(class, name, words, cube, None, constants)
}

fn rosenbrock(x: &[f64]) -> Enclosure {
    let term = |pair: &[f64]| {
        let (a, b) = (exact(pair[0]), exact(pair[1]));
        (1.0 - a).square() + 100.0 * (b - a.square()).square()
    };
    x.windows(2).map(term).sum()
}

/// Squares with weights from one to `condition`, about the hidden point.
fn ellipsoid(x: &[f64], condition: f64) -> Enclosure {
    let last = (x.len() - 1) as f64;
    let term = |(i, &x): (usize, &f64)| {
        let weight = core_math::pow(condition, i as f64 / last);
        weight * (exact(x) - 3.0 * hidden(i)).square()
    };
    x.iter().enumerate().map(term).sum()
}

/// Rastrigin's function about the hidden point: a bowl with a dent of depth twenty around every point of a lattice.
fn rastrigin(x: &[f64]) -> Enclosure {
    let term = |(i, &x): (usize, &f64)| {
        let y = exact(x) - 3.0 * hidden(i);
        y.square() + 10.0 * (1.0 - (2.0 * Enclosure::pi() * y).cos())
    };
    x.iter().enumerate().map(term).sum()
}

fn ackley(x: &[f64]) -> Enclosure {
    let n = x.len() as f64;
    let shifted = |(i, &x): (usize, &f64)| exact(x) - 3.0 * hidden(i);
    let squares: Enclosure = x.iter().enumerate().map(shifted).map(Enclosure::square).sum();
    let cosines: Enclosure = (x.iter().enumerate().map(shifted)).map(|y| (2.0 * Enclosure::pi() * y).cos()).sum();
    20.0 * (1.0 - (-0.2 * (squares / n).sqrt()).exp()) + (exact(1.0).exp() - (cosines / n).exp())
}

fn griewank(x: &[f64]) -> Enclosure {
    let shifted = |(i, &x): (usize, &f64)| exact(x) - 40.0 * hidden(i);
    let squares: Enclosure = x.iter().enumerate().map(shifted).map(Enclosure::square).sum();
    let cosines = x.iter().enumerate().map(|(i, x)| {
        let root = exact(i as f64 + 1.0).sqrt();
        (shifted((i, x)) / root).cos()
    });
    1.0 + squares / 4000.0 - cosines.fold(Enclosure::ONE, |a, b| a * b)
}

pub fn all() -> Vec<Statement> {
    [smooth(), ill_conditioned(), deceptive()].into_iter().flatten().collect()
}

fn smooth() -> Vec<Statement> {
    use Class::Smooth;
    vec![
        Draft {
            hypothesis: Some(("0 < xᵢ < 50", |p: &Point| p.x.iter().all(|&x| 0.0 < x && x < 50.0))),
            ..of_point(Smooth, "refuter.product-of-six", "Π x e^(1−x) ≤ c", (6, 0.0, 50.0), (1.0 - 1e-6, 1.0))
        }
        .judged(|p, c| {
            let factors = numbers(&p.x).map(|x| x * (1.0 - x).exp());
            at_most(factors.fold(Enclosure::ONE, |a, b| a * b), c)
        }),
        Draft {
            class: Smooth,
            name: "refuter.hump",
            words: "2x/(1 + x²) ≤ c",
            ranges: cube(1, 0.0, 100.0),
            from: |x| Number { x: x[0] },
            hypothesis: Some(("x ≥ 0", |n: &Number| n.x >= 0.0)),
            constants: (1.0 - 1e-6, 1.0),
        }
        .judged(|n, c| at_most(2.0 * exact(n.x) / (1.0 + exact(n.x).square()), c)),
        Draft {
            class: Smooth,
            name: "refuter.triangle",
            words: "sin x + sin y + sin(x + y) ≤ c",
            ranges: cube(2, 0.0, 3.0),
            from: pair,
            hypothesis: Some(("0 ≤ x, y ≤ 3", |p: &Pair| (0.0..=3.0).contains(&p.x) && (0.0..=3.0).contains(&p.y))),
            constants: (2.59807, 2.59808),
        }
        .judged(|p, c| {
            let (x, y) = (exact(p.x), exact(p.y));
            at_most(x.sin() + y.sin() + (x + y).sin(), c)
        }),
        Draft {
            class: Smooth,
            name: "refuter.branin",
            words: "Branin(x, y) ≥ c",
            ranges: vec![(-5.0, 10.0), (0.0, 15.0)],
            from: pair,
            hypothesis: Some(("−5 ≤ x ≤ 10, 0 ≤ y ≤ 15", |p: &Pair| {
                (-5.0..=10.0).contains(&p.x) && (0.0..=15.0).contains(&p.y)
            })),
            constants: (0.39789, 0.39788),
        }
        .judged(|p, c| {
            let (x, y, pi) = (exact(p.x), exact(p.y), Enclosure::pi());
            let valley = y - 5.1 * x.square() / (4.0 * pi.square()) + 5.0 * x / pi - 6.0;
            at_least(valley.square() + 10.0 * (1.0 - 1.0 / (8.0 * pi)) * x.cos() + 10.0, c)
        }),
        Draft {
            class: Smooth,
            name: "refuter.softplus-parabola",
            words: "log(1 + e^a) ≤ log 2 + a/2 + c a²",
            ranges: cube(1, -20.0, 20.0),
            from: |x| Number { x: x[0] },
            hypothesis: None,
            constants: (0.12499, 0.125),
        }
        .judged(|n, c| {
            let a = exact(n.x);
            at_most(a.softplus(), Enclosure::ln_2() + a / 2.0 + c * a.square())
        }),
        of_point(Smooth, "refuter.bump-5", "exp(−‖x − a‖²) ≤ c", (5, -5.0, 5.0), (0.999, 1.0))
            .judged(|p, c| at_most((-squared_distance(&p.x, 4.0)).exp(), c)),
        of_point(Smooth, "refuter.bowl-10", "‖x − a‖² ≥ c", (10, -10.0, 10.0), (1e-3, 0.0))
            .judged(|p, c| at_least(squared_distance(&p.x, 8.0), c)),
        of_point(Smooth, "refuter.log-sum-exp", "log Σ e^xᵢ − mean xᵢ ≥ c", (4, -10.0, 10.0), (1.3863, 1.38629))
            .judged(|p, c| {
                let x: Vec<Enclosure> = numbers(&p.x).collect();
                let mean = x.iter().copied().sum::<Enclosure>() / p.x.len() as f64;
                at_least(log_sum_exp(&x) - mean, c)
            }),
        Draft {
            class: Smooth,
            name: "refuter.camel",
            words: "(4 − 2.1x² + x⁴/3) x² + xy + 4 (y² − 1) y² ≥ c",
            ranges: vec![(-3.0, 3.0), (-2.0, 2.0)],
            from: pair,
            hypothesis: None,
            constants: (-1.03162, -1.03163),
        }
        .judged(|p, c| {
            let (x, y) = (exact(p.x), exact(p.y));
            let first = (4.0 - 2.1 * x.square() + x.powi(4) / 3.0) * x.square();
            at_least(first + x * y + 4.0 * (y.square() - 1.0) * y.square(), c)
        }),
        of_point(Smooth, "refuter.bump-24", "exp(−‖x − a‖²/24) ≤ c", (24, -5.0, 5.0), (0.999, 1.0))
            .judged(|p, c| at_most((-squared_distance(&p.x, 4.0) / 24.0).exp(), c)),
        of_point(Smooth, "refuter.bowl-50", "‖x − a‖² ≥ c", (50, -10.0, 10.0), (1e-3, 0.0))
            .judged(|p, c| at_least(squared_distance(&p.x, 8.0), c)),
        of_point(Smooth, "refuter.bowl-200", "‖x‖² ≥ c", (200, -1.0, 1.0), (1e-6, 0.0))
            .judged(|p, c| at_least(numbers(&p.x).map(Enclosure::square).sum::<Enclosure>(), c)),
    ]
}

fn ill_conditioned() -> Vec<Statement> {
    use Class::IllConditioned;
    vec![
        of_point(IllConditioned, "refuter.rosenbrock-2", "Rosenbrock(x) ≥ c", (2, -5.0, 5.0), (1e-6, 0.0))
            .judged(|p, c| at_least(rosenbrock(&p.x), c)),
        of_point(IllConditioned, "refuter.rosenbrock-5", "Rosenbrock(x) ≥ c", (5, -5.0, 5.0), (1e-4, 0.0))
            .judged(|p, c| at_least(rosenbrock(&p.x), c)),
        of_point(IllConditioned, "refuter.rosenbrock-10", "Rosenbrock(x) ≥ c", (10, -5.0, 5.0), (1e-2, 0.0))
            .judged(|p, c| at_least(rosenbrock(&p.x), c)),
        of_point(IllConditioned, "refuter.rosenbrock-20", "Rosenbrock(x) ≥ c", (20, -5.0, 5.0), (1.0, 0.0))
            .judged(|p, c| at_least(rosenbrock(&p.x), c)),
        of_point(
            IllConditioned,
            "refuter.ellipsoid-8",
            "Σ 10^(6(i−1)/7) (xᵢ − aᵢ)² ≥ c",
            (8, -10.0, 10.0),
            (1e-2, 0.0),
        )
        .judged(|p, c| at_least(ellipsoid(&p.x, 1e6), c)),
        of_point(
            IllConditioned,
            "refuter.ellipsoid-40",
            "Σ 10^(6(i−1)/39) (xᵢ − aᵢ)² ≥ c",
            (40, -10.0, 10.0),
            (1e-2, 0.0),
        )
        .judged(|p, c| at_least(ellipsoid(&p.x, 1e6), c)),
        of_point(
            IllConditioned,
            "refuter.prefixes-12",
            "Σᵢ (Σ_{j ≤ i} (xⱼ − aⱼ))² ≥ c",
            (12, -10.0, 10.0),
            (1e-4, 0.0),
        )
        .judged(|p, c| {
            let mut prefix = Enclosure::ZERO;
            let mut total = Enclosure::ZERO;
            for (i, x) in numbers(&p.x).enumerate() {
                prefix += x - 3.0 * hidden(i);
                total += prefix.square();
            }
            at_least(total, c)
        }),
        of_point(
            IllConditioned,
            "refuter.powell",
            "(x₁ + 10x₂)² + 5 (x₃ − x₄)² + (x₂ − 2x₃)⁴ + 10 (x₁ − x₄)⁴ ≥ c, about a point",
            (4, -5.0, 5.0),
            (1e-6, 0.0),
        )
        .judged(|p, c| {
            let x: Vec<Enclosure> = numbers(&p.x).enumerate().map(|(i, x)| x - 2.0 * hidden(i)).collect();
            let squares = (x[0] + 10.0 * x[1]).square() + 5.0 * (x[2] - x[3]).square();
            at_least(squares + (x[1] - 2.0 * x[2]).powi(4) + 10.0 * (x[0] - x[3]).powi(4), c)
        }),
        Draft {
            class: IllConditioned,
            name: "refuter.cauchy-schwarz",
            words: "⟨x, y⟩² ≤ c ‖x‖² ‖y‖²",
            ranges: cube(8, -5.0, 5.0),
            from: |x| TwoVectors { x: x[..4].to_vec(), y: x[4..].to_vec() },
            hypothesis: None,
            constants: (1.0 - 1e-7, 1.0),
        }
        .judged(|v, c| {
            let square = |x: &[f64]| numbers(x).map(Enclosure::square).sum::<Enclosure>();
            let product: Enclosure = numbers(&v.x).zip(numbers(&v.y)).map(|(x, y)| x * y).sum();
            at_most(product.square(), c * square(&v.x) * square(&v.y))
        }),
        of_point(
            IllConditioned,
            "refuter.hilbert",
            "xᵀHx ≥ c ‖x‖², H the Hilbert matrix",
            (5, -1.0, 1.0),
            (3.3e-6, 3.2e-6),
        )
        .judged(|p, c| {
            let x: Vec<Enclosure> = numbers(&p.x).collect();
            let mut form = Enclosure::ZERO;
            for i in 0..x.len() {
                for j in 0..x.len() {
                    form += x[i] * x[j] / (i + j + 1) as f64;
                }
            }
            at_least(form, c * x.iter().map(|x| x.square()).sum::<Enclosure>())
        }),
        of_point(
            IllConditioned,
            "refuter.chain-30",
            "(x₁ − 1)² + Σ (xᵢ − xᵢ₊₁)² + (x₃₀ − 2)² ≥ c",
            (30, -10.0, 10.0),
            (0.0323, 0.0322),
        )
        .judged(|p, c| {
            // Thirty-one differences that add up to one: the least sum of squares is 1/31 = 0.032258.
            let steps: Enclosure = p.x.windows(2).map(|w| (exact(w[0]) - exact(w[1])).square()).sum();
            let last = p.x[p.x.len() - 1];
            at_least(steps + (exact(p.x[0]) - 1.0).square() + (exact(last) - 2.0).square(), c)
        }),
    ]
}

fn deceptive() -> Vec<Statement> {
    use Class::Deceptive;
    vec![
        of_point(Deceptive, "refuter.rastrigin-3", "Rastrigin(x − a) ≥ c", (3, -5.0, 5.0), (0.5, -1e-9))
            .judged(|p, c| at_least(rastrigin(&p.x), c)),
        of_point(Deceptive, "refuter.rastrigin-8", "Rastrigin(x − a) ≥ c", (8, -5.0, 5.0), (0.9, -1e-9))
            .judged(|p, c| at_least(rastrigin(&p.x), c)),
        of_point(Deceptive, "refuter.rastrigin-24", "Rastrigin(x − a) ≥ c", (24, -5.0, 5.0), (0.9, -1e-9))
            .judged(|p, c| at_least(rastrigin(&p.x), c)),
        of_point(Deceptive, "refuter.narrow-well", "min(0.3 + ‖x‖²/50, 30 ‖x − a‖²) ≥ c", (2, -5.0, 5.0), (0.01, 0.0))
            .judged(|p, c| {
                let wide = 0.3 + numbers(&p.x).map(Enclosure::square).sum::<Enclosure>() / 50.0;
                at_least(wide.min(30.0 * squared_distance(&p.x, 4.0)), c)
            }),
        of_point(Deceptive, "refuter.ackley", "Ackley(x − a) ≥ c", (5, -10.0, 10.0), (0.1, -1e-6))
            .judged(|p, c| at_least(ackley(&p.x), c)),
        of_point(Deceptive, "refuter.griewank", "Griewank(x − a) ≥ c", (4, -100.0, 100.0), (0.003, -1e-9))
            .judged(|p, c| at_least(griewank(&p.x), c)),
        Draft {
            hypothesis: Some(("|xᵢ| ≤ 500", |p: &Point| p.x.iter().all(|x| x.abs() <= 500.0))),
            ..of_point(Deceptive, "refuter.schwefel", "−Σ xᵢ sin √|xᵢ| ≥ c", (3, -500.0, 500.0), (-1256.94, -1256.95))
        }
        .judged(|p, c| at_least(-numbers(&p.x).map(|x| x * x.abs().sqrt().sin()).sum::<Enclosure>(), c)),
        Draft {
            class: Deceptive,
            name: "refuter.two-waves",
            words: "sin x + sin(10x/3) ≥ c",
            ranges: cube(1, 2.7, 7.5),
            from: |x| Number { x: x[0] },
            hypothesis: Some(("2.7 ≤ x ≤ 7.5", |n: &Number| (2.7..=7.5).contains(&n.x))),
            constants: (-1.8995, -1.8996),
        }
        .judged(|n, c| at_least(exact(n.x).sin() + (10.0 * exact(n.x) / 3.0).sin(), c)),
        Draft {
            class: Deceptive,
            name: "refuter.comb",
            words: "x sin(1000x) ≤ c",
            ranges: cube(1, 0.0, 1.0),
            from: |x| Number { x: x[0] },
            hypothesis: Some(("0 ≤ x ≤ 1", |n: &Number| (0.0..=1.0).contains(&n.x))),
            constants: (0.994, 0.9944),
        }
        .judged(|n, c| at_most(exact(n.x) * (1000.0 * exact(n.x)).sin(), c)),
    ]
}
