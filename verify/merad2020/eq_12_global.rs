//! Section 4, after (12): the inequality (12) holds with no constant on the whole of R^{3d}.
//!
//! True, by a scaling. At z = (0, −r e_1, r e_1) and z' = (x/r · e_1, 0, 0) the argument moves from 0 to 2x, ∇ℓ(z) = (r
//! e_1, 0, 0) and the quotient is Q = 2(ζ(2x) − log 2 − x) r²/x² = r² · 2 log cosh(x)/x² ≥ r²(1 − x²/6), which exceeds
//! any constant as r grows. One large block is enough: the same happens with z = (r e_1, 0, 0) and with z = (0, 0, r
//! e_1). The growth is quadratic and no faster: the norm of the Hessian lies between G/4 and 1 + G/4 where z_1 ⟂ z_3 −
//! z_2, and is at most 1 + G/4 everywhere (Lemma 3).

use contrapositive::claim::{
    Claim, Kind, Setting, all_of, at_least, at_most, consistent, edge, greater_than, holds, random,
};
use contrapositive::contrastive::Triplet;
use contrapositive::enclosure::Enclosure;
use contrapositive::instance::Instance;
use proptest::prelude::Strategy;
use serde::{Deserialize, Serialize};

use super::displacements::{Displacement, Smoothness};
use super::families::log_uniform;
use super::triples::triple;

/// A dimension and a constant that is to fail.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Candidate {
    dimension: usize,
    constant: f64,
}

impl Instance for Candidate {
    fn describe(&self) -> String {
        format!("d = {}, L_smooth = {}", self.dimension, self.constant)
    }

    fn validate(&self) -> Result<(), String> {
        let fine = (1..=64).contains(&self.dimension) && self.constant > 0.0 && self.constant <= 1e250;
        if fine {
            Ok(())
        } else {
            Err("1 ≤ d ≤ 64 and 0 < L ≤ 1e250".into())
        }
    }

    fn simpler(&self) -> Vec<Self> {
        let one = Candidate { dimension: 1, ..*self };
        if self.dimension > 1 { vec![one] } else { Vec::new() }
    }
}

/// Lengths along the first axis as three vectors.
fn along_axis(dimension: usize, lengths: [f64; 3]) -> Triplet {
    let [a, p, n] = lengths.map(|x| (0..dimension).map(|i| if i == 0 { x } else { 0.0 }).collect::<Vec<_>>());
    triple(&a, &p, &n)
}

/// The quotient for lengths along the first axis.
fn quotient(dimension: usize, from: [f64; 3], by: [f64; 3]) -> Enclosure {
    let (from, by) = (along_axis(dimension, from), along_axis(dimension, by));
    Smoothness::of(&Displacement { from, by })
        .quotient
        .unwrap_or(Enclosure::ZERO)
}

fn candidates() -> Vec<(String, Candidate)> {
    let constants = [1e-9, 0.1, 1.0, 10.0, 1e3, 1e8, 1e100, 1e250];
    let each = |dimension| {
        constants.map(|constant| {
            (
                format!("L_smooth = {constant:e}, d = {dimension}"),
                Candidate { dimension, constant },
            )
        })
    };
    [1, 2, 8].into_iter().flat_map(each).collect()
}

/// z_1 ⟂ z_3 = −z_2, all of norm r.
fn orthogonal() -> Vec<(String, Triplet)> {
    let each = |r: f64| (format!("norms {r}"), triple(&[r, 0.0], &[0.0, -r], &[0.0, r]));
    [1.0, 10.0, 100.0, 1e3, 1e4].map(each).to_vec()
}

pub fn claim() -> Claim {
    Claim::new("merad2020.eq-12-global", "no global smoothness", Kind::Inequality)
        .statement(
            "there is no L_smooth < ∞ with ℓ(z+z') ≤ ℓ(z) + ⟨∇ℓ(z), z'⟩ + (L_smooth/2)‖z'‖² for all z, z' ∈ R^{3d}, d \
             ≥ 1",
        )
        .source("section 4, sentence after equation (12)", &[])
        .remark(
            "For every constant the quotient Q(z, z') = 2(ℓ(z+z') − ℓ(z) − ⟨∇ℓ(z), z'⟩)/‖z'‖² is enclosed at one \
             explicit pair; by the scaling in the claim's source the pair works for all constants.",
        )
        .setting(
            Setting::measuring(|c: &Candidate, _| Ok((2.0 * c.constant.sqrt(), c.dimension)))
                .assume("0 < L_smooth < ∞", |c| c.constant > 0.0 && c.constant.is_finite())
                .family(edge("constants", candidates))
                .family(random("drawn constants", || {
                    (1usize..=8, log_uniform(1e-6, 1e30))
                        .prop_map(|(dimension, constant)| Candidate { dimension, constant })
                }))
                .part(
                    "printed",
                    "some pair z, z' has Q(z, z') > L_smooth",
                    holds(),
                    |c, &(r, d)| greater_than(quotient(d, [0.0, -r, r], [0.1 / r, 0.0, 0.0]), c.constant),
                )
                .step(
                    "s1",
                    "Q = 2 log cosh(x)·r²/x² ≥ r²(1 − x²/6) at z = (0, −r e_1, r e_1), z' = (x/r·e_1, 0, 0), x = 0.1",
                    holds(),
                    |_, &(r, d)| {
                        let least = Enclosure::from(r).square() * (1.0 - Enclosure::from(0.1).square() / 6.0);
                        at_least(quotient(d, [0.0, -r, r], [0.1 / r, 0.0, 0.0]), least)
                    },
                )
                .sharpening(
                    "one-block",
                    "one large vector is enough: Q > L_smooth with z = (2√L e_1, 0, 0) and with z = (0, 0, 3√L e_1)",
                    holds(),
                    |c, &(r, d)| {
                        let t = 0.1 / r;
                        all_of([
                            (
                                "z_1",
                                greater_than(quotient(d, [r, 0.0, 0.0], [0.0, -t, t]), c.constant),
                            ),
                            (
                                "z_3",
                                greater_than(quotient(d, [0.0, 0.0, 1.5 * r], [t, 0.0, 0.0]), c.constant),
                            ),
                        ])
                    },
                )
                .control("a", "L_smooth = 1000 is enough: Q ≤ 1000", |_, &(r, d)| {
                    at_most(quotient(d, [0.0, -r, r], [0.1 / r, 0.0, 0.0]), 1000.0)
                })
                .control(
                    "b",
                    "vectors of norm at most 1 are enough: Q > L_smooth at r = 1",
                    |c, &(_, d)| greater_than(quotient(d, [0.0, -1.0, 1.0], [0.1, 0.0, 0.0]), c.constant),
                ),
        )
        .setting(
            Setting::measuring(|z: &Triplet, _| {
                Ok((
                    Enclosure::from(z.hessian_spectral_norm()),
                    z.squared_argument_gradient(),
                ))
            })
            .assume("z_1 ⟂ z_3 − z_2", |z| z.argument() == Enclosure::ZERO)
            .family(edge("growing norms", orthogonal))
            .without_search()
            .ours(
                "growth",
                "the largest eigenvalue over the squared norm stays between 3/2 and 5/2",
                consistent(),
                |_, &(norm, g)| {
                    let square = g / 6.0;
                    all_of([
                        ("below", at_least(norm, 1.5 * square)),
                        ("above", at_most(norm, 2.5 * square)),
                    ])
                    .as_trend()
                    .noting(format!("‖∇²ℓ‖/r² = {:.6}", (norm / square).midpoint()))
                },
            )
            .sharpening(
                "between",
                "G/4 ≤ ‖∇²ℓ(z)‖ ≤ 1 + G/4 where z_1 ⟂ z_3 − z_2",
                holds(),
                |_, &(norm, g)| {
                    all_of([
                        ("below", at_least(norm, g / 4.0)),
                        ("above", at_most(norm, 1.0 + g / 4.0)),
                    ])
                },
            )
            .control("c", "linear growth: ‖∇²ℓ(z)‖ ≤ 2 + 8r", |_, &(norm, g)| {
                at_most(norm, 2.0 + 8.0 * (g / 6.0).sqrt())
            }),
        )
}
