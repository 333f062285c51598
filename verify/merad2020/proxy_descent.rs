//! The proxy of Lemma 6: descent on the outputs themselves, z free, with step 1/L_t.
//!
//! It gains ‖∇L̂_un‖²/(2L_t) per step for L_t = 2 + 8C_t², and already for **L_t = 1 + 6C_t²**; the proof stands at the
//! reasons given for Lemma 6.

use contrastive::Triplet;
use evidence::prelude::*;

use super::free_outputs::{PRINTED, Rule, Update};
use crate::shared::output_triplets::{Outputs, converged, loose, named};
use crate::shared::triples::{families, largest_squared_norm, triple};

/// Two losses that agree to nine digits say nothing of their difference.
const RESOLUTION: &str = "the gain is below 10^{−9} of the loss";

/// L̂_un falls by ‖∇L̂_un‖²/(2L_t) or more in every update.
fn gains(path: &[Update]) -> Evaluation {
    for_each("update", path, |_, u| {
        let promised = u.square / (2.0 * u.smoothness);
        let scale = (u.before.hi() * 1e-9).max(f64::MIN_POSITIVE);
        if promised.hi() < scale { vacuous(RESOLUTION) } else { at_least(u.before - u.after, promised) }
    })
}

/// min ‖∇L̂_un‖² over the first T updates is at most 2 max L_t·L̂_un(z_0)/T.
fn rate(path: &[Update]) -> Evaluation {
    let (Some(first), Some(square), Some(smoothness)) = (
        path.first(),
        path.iter().map(|u| u.square).reduce(Enclosure::min),
        path.iter().map(|u| u.smoothness).reduce(Enclosure::max),
    ) else {
        return Evaluation::Failed("no update".into());
    };
    at_most(square, 2.0 * smoothness * first.before / path.len() as f64)
}

/// What one start of the proxy yields: with the printed smoothness constant, and with 1 + 6C².
pub struct Proxy {
    printed: Vec<Update>,
    sharper: Vec<Update>,
    hasty: Vec<Update>,
}

const UPDATES: usize = 12;

const SHARPER: Rule = Rule { constant: 1.0, slope: 6.0, times: 1.0 };

const HASTY: Rule = Rule { times: 100.0, ..PRINTED };

/// Step s4 and its sharpening.
pub fn proxy() -> Setting<Outputs, Proxy> {
    Setting::measuring(|o: &Outputs, _| {
        Ok(Proxy {
            printed: PRINTED.follow(&o.triplets, UPDATES)?,
            sharper: SHARPER.follow(&o.triplets, UPDATES)?,
            hasty: HASTY.follow(&o.triplets, 1)?,
        })
    })
    .given(
        "n ≥ 1 triplets of outputs in ℝ^d, d ≥ 1; the outputs z are moved directly, each update subtracts its step \
         times ∇L̂_un; C_t is the largest norm of an output after t updates; T = 12 updates",
    )
    .family(edge("named", named))
    .family(edge("special triples", || {
        let mut list = crate::shared::triples::named();
        list.push(("a long step".into(), triple(&[1.0], &[-0.5], &[0.5])));
        let outputs = list.into_iter().map(|(name, z)| (name, Outputs { floor: 1.0, triplets: vec![z] }));
        outputs.collect::<Vec<_>>()
    }))
    .family(random("nearly converged outputs", converged).taking(0.25))
    .family(random("any outputs", loose).taking(0.5))
    .without_search()
    .step(
        "s4",
        "descent on the outputs with step 1/L_t, L_t = 2 + 8C_t²: every update lowers L̂_un by ‖∇L̂_un‖²/(2L_t) at least",
        holds(),
        |_, p| gains(&p.printed),
    )
    .except(RESOLUTION)
    .step(
        "s4-rate",
        "descent on the outputs with step 1/L_t, L_t = 2 + 8C_t²: min_{t<T} ‖∇L̂_un‖² ≤ 2 max_t L_t·L̂_un(z_0)/T",
        holds(),
        |_, p| rate(&p.printed),
    )
    .sharpening(
        "six",
        "descent on the outputs with step 1/L_t, L_t = 1 + 6C_t²: every update lowers L̂_un by ‖∇L̂_un‖²/(2L_t) at \
         least, and min_{t<T} ‖∇L̂_un‖² ≤ 2 max_t L_t·L̂_un(z_0)/T",
        holds(),
        |_, p| all_of([("gain", gains(&p.sharper)), ("rate", rate(&p.sharper))]),
    )
    .except(RESOLUTION)
    .control(
        "b",
        "descent on the outputs with step 100/L_t, L_t = 2 + 8C_t²: the first update lowers L̂_un by ‖∇L̂_un‖²/(2L_t) at \
         least",
        |_, p| gains(&p.hasty),
    )
    .except(RESOLUTION)
    .control(
        "c",
        "descent on the outputs with step 1/L_t, L_t = 2 + 8C_t²: every update lowers L̂_un by ‖∇L̂_un‖²/L_t at least",
        |_, p| {
            let twice = p.printed.iter().map(|u| Update { square: 2.0 * u.square, ..*u });
            gains(&twice.collect::<Vec<_>>())
        },
    )
    .except(RESOLUTION)
}

/// Why a step 1/(1 + 6C²) stays where the Hessian is bounded by 1 + 6C².
pub fn short_steps() -> Setting<Triplet, Enclosure> {
    Setting::measuring(|z: &Triplet, _| Ok(largest_squared_norm(z)))
        .given("z_1, z_2, z_3 ∈ ℝ^d, d ≥ 1; C = max_j ‖z_j‖")
        .family(families())
        .without_search()
        .step(
            "six-block",
            "the blocks of ∇ℓ are at most C(1 + C²) long, and C(1 + C²)/(1 + 6C²) ≤ C: a step 1/(1 + 6C²) stays in the \
             ball of radius 2C",
            holds(),
            |z, &square| {
                let radius = square.sqrt();
                let blocks = z.gradient().into_iter().map(|block| {
                    let length =
                        block.into_iter().map(|x| Enclosure::from(x).square()).sum::<Enclosure>().max(0).sqrt();
                    ("a block", at_most(length, radius * (1.0 + square)))
                });
                let ratio = (1.0 + square) / (1.0 + 6.0 * square);
                all_of(blocks.chain([("the ratio", at_most(ratio, 1))]))
            },
        )
}
