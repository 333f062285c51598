//! Functions with a shape: smooth, ill-conditioned, deceptive.

use enclosures::enclosure::{Enclosure, exact, log_sum_exp};
use evidence::claim::{at_least, at_most};

use super::super::drafts::{of_number, of_point};
use crate::instances::{Point, hidden, numbers, squared_distance};
use crate::statement::{Class, Condition, Statement};

const POSITIVE: Condition<Point> = Some(("xᵢ > 0", |p| p.x.iter().all(|&x| x > 0.0)));

fn shifted(x: &[f64], scale: f64) -> Vec<Enclosure> {
    numbers(x).enumerate().map(|(i, x)| x - scale * hidden(i)).collect()
}

fn product(factors: impl Iterator<Item = Enclosure>) -> Enclosure {
    factors.fold(Enclosure::ONE, |a, b| a * b)
}

pub fn all() -> Vec<Statement> {
    [smooth(), ill_conditioned(), deceptive(), deceptive_on_the_line()].into_iter().flatten().collect()
}

fn smooth() -> Vec<Statement> {
    use Class::Smooth;
    vec![
        of_point(
            Smooth,
            "refuter.product-of-eight",
            "Π (xᵢ/aᵢ) e^(1 − xᵢ/aᵢ) ≤ c",
            (8, 0.0, 60.0),
            POSITIVE,
            (1.0 - 1e-6, 1.0),
        )
        .judged(|p, c| {
            let factor = |(i, x): (usize, Enclosure)| {
                let share = x / (2.0 + hidden(i));
                share * (1.0 - share).exp()
            };
            at_most(product(numbers(&p.x).enumerate().map(factor)), c)
        }),
        of_point(Smooth, "refuter.bump-15", "exp(−‖x − a‖²) ≤ c", (15, -5.0, 5.0), None, (1.0 - 1e-5, 1.0))
            .judged(|p, c| at_most((-squared_distance(&p.x, 3.0)).exp(), c)),
        of_number(
            Smooth,
            "refuter.x-log-x",
            "x log x ≥ c",
            (0.0, 10.0),
            Some(("x > 0", |n| n.x > 0.0)),
            (-0.367_879_44, -0.367_879_45),
        )
        .judged(|n, c| at_least(exact(n.x) * exact(n.x).ln(), c)),
        of_point(
            Smooth,
            "refuter.sines-of-a-triangle",
            "sin x sin y sin(x + y) ≤ c for the angles of a triangle",
            (2, 0.0, 3.1),
            Some(("x, y > 0, x + y < 3", |p| p.x.iter().all(|&x| x > 0.0) && p.x[0] + p.x[1] < 3.0)),
            (0.649_519, 0.649_52),
        )
        .judged(|p, c| {
            let (x, y) = (exact(p.x[0]), exact(p.x[1]));
            at_most(x.sin() * y.sin() * (x + y).sin(), c)
        }),
        of_number(
            Smooth,
            "refuter.gaussian-slope",
            "x e^(−x²/2) ≤ c",
            (0.0, 40.0),
            Some(("x ≥ 0", |n| n.x >= 0.0)),
            (0.606_53, 0.606_54),
        )
        .judged(|n, c| at_most(exact(n.x) * (-exact(n.x).square() / 2.0).exp(), c)),
        of_point(
            Smooth,
            "refuter.logarithms-of-cosines-30",
            "Σ log cosh(xᵢ − aᵢ) ≥ c",
            (30, -10.0, 10.0),
            None,
            (1e-6, -1e-6),
        )
        .judged(|p, c| {
            let term = |x: Enclosure| (2.0 * x).softplus() - x - Enclosure::ln_2();
            at_least(shifted(&p.x, 5.0).into_iter().map(term).sum::<Enclosure>(), c)
        }),
        of_point(
            Smooth,
            "refuter.trid-10",
            "Σ (xᵢ − 1)² − Σ xᵢ xᵢ₋₁ ≥ c",
            (10, -100.0, 100.0),
            None,
            (-209.999, -210.0),
        )
        .judged(|p, c| {
            let squares: Enclosure = numbers(&p.x).map(|x| (x - 1.0).square()).sum();
            let products: Enclosure = p.x.windows(2).map(|w| exact(w[0]) * exact(w[1])).sum();
            at_least(squares - products, c)
        }),
        of_point(
            Smooth,
            "refuter.softmax-value-12",
            "Σ aᵢ xᵢ − log Σ e^xᵢ ≤ c, a a law",
            (12, -5.0, 5.0),
            None,
            (-2.450_06, -2.45),
        )
        .judged(|p, c| {
            let weight = |i: usize| 2.0 + hidden(i);
            let total: Enclosure = (0..p.x.len()).map(|i| exact(weight(i))).sum();
            let x: Vec<Enclosure> = numbers(&p.x).collect();
            let mean: Enclosure = x.iter().enumerate().map(|(i, x)| weight(i) * *x).sum();
            at_most(mean / total - log_sum_exp(&x), c)
        }),
    ]
}

fn ill_conditioned() -> Vec<Statement> {
    use Class::IllConditioned;
    vec![
        of_point(
            IllConditioned,
            "refuter.dixon-price-8",
            "(x₁ − 1)² + Σ i (2xᵢ² − xᵢ₋₁)² ≥ c",
            (8, -10.0, 10.0),
            None,
            (1e-6, 0.0),
        )
        .judged(|p, c| {
            let x: Vec<Enclosure> = numbers(&p.x).collect();
            let terms = (1..x.len()).map(|i| (i + 1) as f64 * (2.0 * x[i].square() - x[i - 1]).square());
            at_least((x[0] - 1.0).square() + terms.sum::<Enclosure>(), c)
        }),
        of_point(
            IllConditioned,
            "refuter.zakharov-10",
            "Σ yᵢ² + (Σ i yᵢ/2)² + (Σ i yᵢ/2)⁴ ≥ c, y = x − a",
            (10, -10.0, 10.0),
            None,
            (1e-6, 0.0),
        )
        .judged(|p, c| {
            let y = shifted(&p.x, 3.0);
            let squares: Enclosure = y.iter().map(|y| y.square()).sum();
            let weighted: Enclosure = y.iter().enumerate().map(|(i, y)| (0.5 * (i + 1) as f64) * *y).sum();
            at_least(squares + weighted.square() + weighted.powi(4), c)
        }),
        of_point(
            IllConditioned,
            "refuter.beale",
            "(1.5 − x + xy)² + (2.25 − x + xy²)² + (2.625 − x + xy³)² ≥ c",
            (2, -4.5, 4.5),
            None,
            (1e-8, 0.0),
        )
        .judged(|p, c| {
            let (x, y) = (exact(p.x[0]), exact(p.x[1]));
            let terms = [1.5, 2.25, 2.625].into_iter().zip(1..);
            at_least(terms.map(|(a, k)| (a - x + x * y.powi(k)).square()).sum::<Enclosure>(), c)
        }),
        of_point(
            IllConditioned,
            "refuter.badly-scaled",
            "(x − 10⁶)² + (y − 2·10⁻⁶)² + (xy − 2)² ≥ c",
            (2, -1e7, 1e7),
            None,
            (1e-6, 0.0),
        )
        .judged(|p, c| {
            let (x, y) = (exact(p.x[0]), exact(p.x[1]));
            at_least((x - 1e6).square() + (y - 2e-6).square() + (x * y - 2.0).square(), c)
        }),
        of_point(
            IllConditioned,
            "refuter.discus-40",
            "10⁶ (x₁ − a₁)² + Σ (xᵢ − aᵢ)² ≥ c",
            (40, -10.0, 10.0),
            None,
            (1e-4, 0.0),
        )
        .judged(|p, c| {
            let y = shifted(&p.x, 5.0);
            let rest: Enclosure = y[1..].iter().map(|y| y.square()).sum();
            at_least(1e6 * y[0].square() + rest, c)
        }),
        of_point(
            IllConditioned,
            "refuter.shifted-rosenbrock-6",
            "Rosenbrock(x − a) ≥ c",
            (6, -5.0, 5.0),
            None,
            (1e-4, 0.0),
        )
        .judged(|p, c| {
            let y = shifted(&p.x, 2.0);
            let term = |pair: &[Enclosure]| (1.0 - pair[0]).square() + 100.0 * (pair[1] - pair[0].square()).square();
            at_least(y.windows(2).map(term).sum::<Enclosure>(), c)
        }),
        of_point(
            IllConditioned,
            "refuter.fitted-exponential",
            "Σₖ (x e^(−ky) − 2 e^(−0.7k))² ≥ c, k to 8",
            (2, 0.0, 10.0),
            None,
            (1e-10, 0.0),
        )
        .judged(|p, c| {
            let (x, y) = (exact(p.x[0]), exact(p.x[1]));
            let term = |k: i32| (x * (-f64::from(k) * y).exp() - 2.0 * (exact(-0.7) * f64::from(k)).exp()).square();
            at_least((1..=8).map(term).sum::<Enclosure>(), c)
        }),
        of_point(
            IllConditioned,
            "refuter.chain-120",
            "Σ (2xᵢ − xᵢ₋₁ − xᵢ₊₁ − aᵢ)² ≥ c, zero at the ends",
            (120, -10.0, 10.0),
            None,
            (1e-2, -1e-6),
        )
        .judged(|p, c| {
            let at = |i: usize| if i == 0 || i > p.x.len() { 0.0 } else { p.x[i - 1] };
            let term = |i: usize| 2.0 * exact(at(i)) - exact(at(i - 1)) - exact(at(i + 1)) - 0.1 * hidden(i);
            at_least((1..=p.x.len()).map(|i| term(i).square()).sum::<Enclosure>(), c)
        }),
    ]
}

fn deceptive() -> Vec<Statement> {
    use Class::Deceptive;
    vec![
        of_point(
            Deceptive,
            "refuter.styblinski-tang-6",
            "½ Σ (x⁴ − 16x² + 5x) ≥ c",
            (6, -5.0, 5.0),
            None,
            (-234.9969, -234.997),
        )
        .judged(|p, c| {
            let term = |x: Enclosure| x.powi(4) - 16.0 * x.square() + 5.0 * x;
            at_least(numbers(&p.x).map(term).sum::<Enclosure>() / 2.0, c)
        }),
        of_point(Deceptive, "refuter.levy-5", "Lévy(x − a) ≥ c", (5, -10.0, 10.0), None, (1e-3, -1e-9)).judged(
            |p, c| {
                let w: Vec<Enclosure> = shifted(&p.x, 4.0).into_iter().map(|y| 1.0 + y / 4.0).collect();
                let last = w[w.len() - 1];
                let sine = |x: Enclosure| (Enclosure::pi() * x).sin().square();
                let terms = w[..w.len() - 1]
                    .iter()
                    .map(|&w| (w - 1.0).square() * (1.0 + 10.0 * (Enclosure::pi() * w + 1.0).sin().square()));
                let end = (last - 1.0).square() * (1.0 + sine(2.0 * last));
                at_least(sine(w[0]) + terms.sum::<Enclosure>() + end, c)
            },
        ),
        of_point(
            Deceptive,
            "refuter.michalewicz-5",
            "−Σ sin xᵢ sin²⁰(i xᵢ²/π) ≥ c",
            (5, 0.0, 3.1),
            Some(("0 ≤ xᵢ ≤ 3.2", |p| p.x.iter().all(|x| (0.0..=3.2).contains(x)))),
            (-4.6876, -4.6877),
        )
        .judged(|p, c| {
            let term = |(i, x): (usize, Enclosure)| {
                let inner = (i + 1) as f64 * x.square() / Enclosure::pi();
                x.sin() * inner.sin().powi(20)
            };
            at_least(-numbers(&p.x).enumerate().map(term).sum::<Enclosure>(), c)
        }),
        of_point(
            Deceptive,
            "refuter.eggholder",
            "Eggholder(x, y) ≥ c",
            (2, -512.0, 512.0),
            Some(("|x|, |y| ≤ 512", |p| p.x.iter().all(|x| x.abs() <= 512.0))),
            (-959.64, -959.65),
        )
        .judged(|p, c| {
            let (x, y) = (exact(p.x[0]), exact(p.x[1]) + 47.0);
            let first = y * (x / 2.0 + y).abs().sqrt().sin();
            at_least(-first - x * (x - y).abs().sqrt().sin(), c)
        }),
        of_point(
            Deceptive,
            "refuter.drop-wave",
            "−(1 + cos 12r)/(r²/2 + 2) ≥ c, r the distance from a point",
            (2, -5.0, 5.0),
            None,
            (-0.9999, -1.0001),
        )
        .judged(|p, c| {
            let square = squared_distance(&p.x, 3.0);
            at_least(-(1.0 + (12.0 * square.sqrt()).cos()) / (square / 2.0 + 2.0), c)
        }),
        of_point(
            Deceptive,
            "refuter.rings",
            "½ + (sin² r − ½)/(1 + r²/1000)² ≥ c, r the distance from a point",
            (2, -100.0, 100.0),
            None,
            (0.005, -1e-9),
        )
        .judged(|p, c| {
            let square = squared_distance(&p.x, 40.0);
            let ring = (square.sqrt().sin().square() - 0.5) / (1.0 + square / 1000.0).square();
            at_least(0.5 + ring, c)
        }),
    ]
}

fn deceptive_on_the_line() -> Vec<Statement> {
    use Class::Deceptive;
    vec![
        of_number(
            Deceptive,
            "refuter.beat",
            "cos x + cos(√2 x) ≤ c for x from 1 to 1000",
            (1.0, 1000.0),
            Some(("1 ≤ x ≤ 1000", |n| (1.0..=1000.0).contains(&n.x))),
            (1.9995, 2.0),
        )
        .judged(|n, c| {
            let x = exact(n.x);
            at_most(x.cos() + (exact(2.0).sqrt() * x).cos(), c)
        }),
        of_number(
            Deceptive,
            "refuter.weierstrass",
            "Σₖ cos(3ᵏ π (x − a))/2ᵏ ≥ c, k to 7",
            (0.0, 2.0),
            None,
            (-1.992, -2.0),
        )
        .judged(|n, c| {
            let y = Enclosure::pi() * (exact(n.x) - 0.123);
            let term = |k: u32| (f64::from(3u32.pow(k)) * y).cos() / f64::from(2u32.pow(k));
            at_least((0..=7).map(term).sum::<Enclosure>(), c)
        }),
        of_point(
            Deceptive,
            "refuter.foxholes",
            "Σₖ 1/(cₖ + ‖x − aₖ‖²) ≤ c over ten points",
            (4, 0.0, 10.0),
            None,
            (11.0812, 11.0813),
        )
        .judged(|p, c| {
            let hole = |k: usize| {
                let at = |i: usize| 5.0 + 5.0 * hidden(4 * k + i);
                let distance: Enclosure = numbers(&p.x).enumerate().map(|(i, x)| (x - at(i)).square()).sum();
                1.0 / (0.1 + 0.05 * k as f64 + distance)
            };
            at_most((0..10).map(hole).sum::<Enclosure>(), c)
        }),
    ]
}
