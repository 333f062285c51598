//! Probabilities that are known from draws only.

use enclosures::enclosure::Enclosure;
use evidence::claim::{Evaluation, Trial, at_most};
use rand::RngExt;

use super::drafts;
use crate::instances::{Number, Point, hidden};
use crate::statement::{Class, Condition, Draft, Statement, cube};

const DRAWS: usize = 4096;

/// The chance of a success, enclosed by Hoeffding's inequality from so many draws.
fn chance(success: f64, trial: &mut Trial) -> Enclosure {
    let draws = trial.samples(DRAWS);
    let alpha = trial.alpha(1);
    let rng = trial.rng();
    let hits = (0..draws).filter(|_| rng.random::<f64>() < success).count();
    let (mean, radius) = (hits as f64 / draws as f64, (core_math::log(2.0 / alpha) / (2.0 * draws as f64)).sqrt());
    Enclosure::sampled((mean - radius).max(0.0), (mean + radius).min(1.0), alpha)
}

fn of_point(
    name: &'static str,
    words: &'static str,
    cube: (usize, f64, f64),
    hypothesis: Condition<Point>,
    constants: (f64, f64),
) -> Draft<Point> {
    drafts::of_point(Class::Sampled, name, words, cube, hypothesis, constants)
}

fn judged(success: f64, c: Enclosure, trial: &mut Trial) -> Evaluation {
    at_most(chance(success, trial), c)
}

pub fn all() -> Vec<Statement> {
    vec![
        Draft {
            class: Class::Sampled,
            name: "refuter.sampled-parabola",
            words: "P(success) ≤ c, success with chance (4x (1 − x))⁴⁰",
            ranges: cube(1, 0.0, 1.0),
            from: |x| Number { x: x[0] },
            hypothesis: Some(("0 ≤ x ≤ 1", |n: &Number| (0.0..=1.0).contains(&n.x))),
            constants: (0.9, 1.0),
        }
        .sampled(|n, c, trial| judged(core_math::pow(4.0 * n.x * (1.0 - n.x), 40.0), c, trial)),
        of_point(
            "refuter.sampled-product-3",
            "P(success) ≤ c, success with chance Π 2xᵢ/(1 + xᵢ²)",
            (3, 0.0, 10.0),
            Some(("xᵢ ≥ 0", |p| p.x.iter().all(|&x| x >= 0.0))),
            (0.9, 1.0),
        )
        .sampled(|p, c, trial| judged(p.x.iter().map(|x| 2.0 * x / (1.0 + x * x)).product(), c, trial)),
        of_point(
            "refuter.sampled-bump-6",
            "P(success) ≤ c, success with chance exp(−‖x − a‖²/4)",
            (6, -3.0, 3.0),
            None,
            (0.85, 1.0),
        )
        .sampled(|p, c, trial| {
            let terms = p.x.iter().enumerate().map(|(i, x)| x - 2.0 * hidden(i));
            judged(core_math::exp(-terms.map(|d| d * d).sum::<f64>() / 4.0), c, trial)
        }),
        of_point(
            "refuter.sampled-far-out",
            "P(success) ≤ c, success with chance xy/((1 + x)(1 + y))",
            (2, 0.0, 3.0),
            Some(("xᵢ ≥ 0", |p| p.x.iter().all(|&x| x >= 0.0))),
            (0.9, 1.0),
        )
        .sampled(|p, c, trial| judged(p.x.iter().map(|x| x / (1.0 + x)).product(), c, trial)),
    ]
}
