//! Section 3.1, after Lemma 1: the smallest class probability is at most 1/N_C.
//!
//! True: N_C numbers that add up to one cannot all exceed 1/N_C. More exactly (N_C − 1)p_min + p_max ≤ 1, that is p_min
//! ≤ 1/N_C − (p_max − p_min)/N_C, with equality when all classes but the most likely one are equally likely.

use evidence::prelude::*;

use crate::shared::class_weights::{ClassWeights, drawn, named};
use crate::shared::factored::at_most_by;
use crate::shared::notation::{CLASS_COUNT, P_MAX, P_MIN, RHO};

struct Extremes {
    p_min: Enclosure,
    p_max: Enclosure,
    n: Enclosure,
}

fn extremes(classes: &ClassWeights) -> Extremes {
    let rho = classes.probabilities();
    Extremes {
        p_min: rho.iter().copied().fold(Enclosure::ONE, Enclosure::min),
        p_max: rho.iter().copied().fold(Enclosure::ZERO, Enclosure::max),
        n: classes.classes().into(),
    }
}

/// (1 − (p_max − p_min))/N_C − p_min: the excesses w_c − w_min of all classes but one most likely one, over N_C Σ w.
fn room_below_spread(classes: &ClassWeights) -> Enclosure {
    let mut sorted = classes.weights.clone();
    sorted.sort_by(f64::total_cmp);
    let inner = sorted.iter().take(sorted.len() - 1);
    let spread: Enclosure = inner.map(|&w| exact(w) - sorted[0]).sum();
    spread / (classes.classes() as f64 * classes.total())
}

/// 1/m − p_min = ( Σ (w_c − w_min) + (N_C − m) w_min ) / (m Σ w), without cancellation.
fn room_below(classes: &ClassWeights, m: f64) -> Enclosure {
    let least = classes.weights.iter().copied().fold(f64::INFINITY, f64::min);
    let spread: Enclosure = classes.weights.iter().map(|&w| exact(w) - least).sum();
    let missing = Enclosure::from(classes.classes()) - m;
    (spread + missing * least) / (m * classes.total())
}

pub fn claim() -> Claim {
    Claim::new("merad2020.pmin", "the smallest class probability", Kind::Inequality)
        .statement("p_min ≤ 1/N_C for all ρ on N_C classes")
        .symbols([CLASS_COUNT, RHO, P_MIN, P_MAX])
        .source("section 3.1, after Lemma 1", &[])
        .setting(
            Setting::measuring(|c: &ClassWeights, _| Ok(extremes(c)))
                .given("ρ(c) > 0 for every class, Σ ρ = 1")
                .family(edge("named", || named(&[1, 2, 3, 4, 5, 10, 20, 50])))
                .family(random("drawn weights", || drawn(50)))
                .part("printed", "p_min ≤ 1/N_C", holds(), |c, e| {
                    at_most_by(e.p_min, 1.0 / e.n, room_below(c, c.classes() as f64))
                })
                .checked("merad2020.Classes.pmin_printed")
                .sharpening("spread", "p_min ≤ 1/N_C − (p_max − p_min)/N_C", holds(), |c, e| {
                    at_most_by(e.p_min, (1.0 - (e.p_max - e.p_min)) / e.n, room_below_spread(c))
                })
                .checked("merad2020.Classes.pmin_spread")
                .sharpening("uniform-only", "p_min < 1/N_C", holds(), |c, e| {
                    less_than(e.p_min, 1.0 / e.n).with_margin(room_below(c, c.classes() as f64))
                })
                .checked("merad2020.Classes.pmin_uniform_only")
                .assume(Hypothesis::new("ρ is not uniform", |c| !c.is_uniform()))
                .control("a", "p_min ≤ 1/(N_C + 1)", |c, e| {
                    at_most_by(e.p_min, 1.0 / (e.n + 1.0), room_below(c, c.classes() as f64 + 1.0))
                })
                .control("b", "p_min ≤ 1/N_C − 1.1·(p_max − p_min)/N_C", |_, e| {
                    at_most(e.p_min, (1.0 - 1.1 * (e.p_max - e.p_min)) / e.n)
                }),
        )
}
