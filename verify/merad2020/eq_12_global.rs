//! Section 4, after (12): the inequality (12) holds with no constant on the whole of R^{3d}.
//!
//! True, by a scaling. At z = (0, −r e_1, r e_1) and z' = (x/r · e_1, 0, 0) the argument moves from 0 to 2x, ∇ℓ(z) = (r
//! e_1, 0, 0) and the quotient is Q = 2(log(1 + e^{2x}) − log 2 − x) r²/x² = r² · 2 log cosh(x)/x² ≥ r²(1 − x²/6), which exceeds
//! any constant as r grows. One large block is enough: the same happens with z = (r e_1, 0, 0) and with z = (0, 0, r
//! e_1). The growth is quadratic and no faster: the norm of the Hessian is ½(G/4 + √(G²/16 + 2)), between G/4 and 1 +
//! G/4, where z_1 ⟂ z_3 − z_2, and is at most 1 + G/4 everywhere (Lemma 3).

use contrastive::Triplet;
use evidence::prelude::*;
use proptest::prelude::Strategy;
use serde::{Deserialize, Serialize};

use crate::shared::displacements::{Displacement, Smoothness};
use crate::shared::families::log_uniform;
use crate::shared::notation::{HESSIAN, LOGARITHM, NORM, OUTPUT_TRIPLE, SIGMOID, TRIPLET_GRADIENT, TRIPLET_LOSS};
use crate::shared::triples::{drawn, triple};

/// r = 2√L, a double.
fn length(c: &Candidate) -> f64 {
    2.0 * c.constant.sqrt()
}

/// A dimension and a constant that is to fail.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "d = {dimension}, L_smooth = {constant}", simpler = Self::in_one_dimension, stored)]
struct Candidate {
    #[instance(range = "1..=64")]
    dimension: usize,
    #[instance(range = "(0, 1e250]")]
    constant: f64,
}

impl Candidate {
    fn in_one_dimension(&self) -> Vec<Self> {
        let one = Candidate { dimension: 1, ..*self };
        if self.dimension > 1 { vec![one] } else { Vec::new() }
    }
}

/// Lengths along the first axis as three vectors.
fn along_axis(dimension: usize, lengths: [f64; 3]) -> Triplet {
    let [a, p, n] = lengths.map(|x| (0..dimension).map(|i| if i == 0 { x } else { 0.0 }).collect::<Vec<_>>());
    triple(&a, &p, &n)
}

/// The quotient for lengths along the first axis; anything where the squares of the lengths leave the doubles.
fn quotient(dimension: usize, from: [f64; 3], by: [f64; 3]) -> Enclosure {
    let (from, by) = (along_axis(dimension, from), along_axis(dimension, by));
    Smoothness::of(&Displacement { from, by }).quotient.unwrap_or(Interval::ENTIRE.into())
}

fn candidates() -> Vec<(String, Candidate)> {
    let constants = [1e-9, 0.1, 1.0, 10.0, 1e3, 1e8, 1e100, 1e250];
    let each = |dimension| {
        constants
            .map(|constant| (format!("L_smooth = {constant:e}, d = {dimension}"), Candidate { dimension, constant }))
    };
    [1, 2, 8].into_iter().flat_map(each).collect()
}

/// z_1 ⟂ z_3 = −z_2, all of norm r.
fn orthogonal() -> Vec<(String, Triplet)> {
    let each = |r: f64| (format!("norms {r}"), triple(&[r, 0.0], &[0.0, -r], &[0.0, r]));
    [1.0, 10.0, 100.0, 1e3, 1e4].map(each).to_vec()
}

/// z_1 on the first axis, z_2 and z_3 with one first coordinate.
fn drawn_orthogonal() -> impl Strategy<Value = Triplet> {
    let length = || log_uniform(1e-3, 1e3);
    let signs = proptest::bool::ANY;
    ([length(), length(), length(), length()], signs).prop_map(|([x, across, p, n], opposite)| {
        let n = if opposite { -n } else { n };
        triple(&[x, 0.0], &[across, p], &[across, n])
    })
}

pub fn claim() -> Claim {
    Claim::new("merad2020.eq-12-global", "no global smoothness", Kind::Inequality)
        .statement(
            "there is no L_smooth < ∞ with ℓ(z+z') ≤ ℓ(z) + ⟨∇ℓ(z), z'⟩ + (L_smooth/2)‖z'‖² for all z, z' ∈ R^{3d}, d \
             ≥ 1",
        )
        .symbols([OUTPUT_TRIPLE, TRIPLET_LOSS, TRIPLET_GRADIENT, HESSIAN, SIGMOID, NORM, LOGARITHM])
        .symbol("e_1", "the first unit vector of ℝ^d")
        .source("section 4, sentence after equation (12)", &[])
        .remark(
            "For every constant the quotient Q(z, z') = 2(ℓ(z+z') − ℓ(z) − ⟨∇ℓ(z), z'⟩)/‖z'‖² is enclosed at one \
             explicit pair; by the scaling in the claim's source the pair works for all constants.",
        )
        .setting(printed())
        .setting(exact_norm())
}

fn printed() -> Setting<Candidate, (f64, usize)> {
    Setting::measuring(|c: &Candidate, _| Ok((length(c), c.dimension)))
        .given("0 < L_smooth ≤ 10^{250}, 1 ≤ d ≤ 64, r = 2√L_smooth; Q(z, z') = 2(ℓ(z+z') − ℓ(z) − ⟨∇ℓ(z), z'⟩)/‖z'‖²")
        .family(edge("constants", candidates))
        .family(random("drawn constants", || {
            (1usize..=8, log_uniform(1e-6, 1e30)).prop_map(|(dimension, constant)| Candidate { dimension, constant })
        }))
        .part(
            "printed",
            "some pair z, z' has Q(z, z') > L_smooth, namely z = (0, −r e_1, r e_1), z' = (0.1/r·e_1, 0, 0)",
            holds(),
            |c, &(r, d)| greater_than(quotient(d, [0.0, -r, r], [0.1 / r, 0.0, 0.0]), exact(c.constant)),
        )
        .step(
            "s1",
            "Q = 2 log cosh(x)·r²/x² ≥ r²(1 − x²/6) at z = (0, −r e_1, r e_1), z' = (x/r·e_1, 0, 0), x = 0.1",
            holds(),
            |_, &(r, d)| {
                let found = quotient(d, [0.0, -r, r], [0.1 / r, 0.0, 0.0]);
                let (square, x) = (exact(r).square(), exact(0.1));
                // log cosh x = ζ(2x) − log 2 − x.
                let log_cosh = (2.0 * x).softplus() - Enclosure::ln_2() - x;
                all_of([
                    ("the value", equal(found, 2.0 * log_cosh * square / x.square())),
                    ("the bound", at_least(found, square * (1.0 - x.square() / 6.0))),
                ])
            },
        )
        .sharpening(
            "one-block",
            "one large vector is enough: Q > L_smooth at z = (r e_1, 0, 0), z' = (0, −t e_1, t e_1) and at z = (0, 0, \
             (3/2)r e_1), z' = (t e_1, 0, 0), t = 0.1/r",
            holds(),
            |c, &(r, d)| {
                let t = 0.1 / r;
                all_of([
                    ("z_1", greater_than(quotient(d, [r, 0.0, 0.0], [0.0, -t, t]), exact(c.constant))),
                    ("z_3", greater_than(quotient(d, [0.0, 0.0, 1.5 * r], [t, 0.0, 0.0]), exact(c.constant))),
                ])
            },
        )
        .control(
            "a",
            "L_smooth = 1000 is enough: Q ≤ 1000 at z = (0, −r e_1, r e_1), z' = (0.1/r·e_1, 0, 0)",
            |_, &(r, d)| at_most(quotient(d, [0.0, -r, r], [0.1 / r, 0.0, 0.0]), 1000),
        )
        .control(
            "b",
            "vectors of norm at most 1 are enough: Q > L_smooth at z = (0, −e_1, e_1), z' = (e_1/10, 0, 0)",
            |c, &(_, d)| greater_than(quotient(d, [0.0, -1.0, 1.0], [0.1, 0.0, 0.0]), exact(c.constant)),
        )
}

fn exact_norm() -> Setting<Triplet, (Enclosure, Enclosure)> {
    Setting::measuring(|z: &Triplet, _| Ok((Enclosure::from(z.hessian_spectral_norm()), z.squared_argument_gradient())))
        .given("z_1, z_2, z_3 ∈ ℝ^d, d ≥ 1; G = ‖z_3 − z_2‖² + 2‖z_1‖²")
        .assume(Hypothesis::new("z_1·(z_3 − z_2) = 0", |z| z.argument() == Enclosure::ZERO))
        .family(edge("growing norms", orthogonal))
        .family(random("orthogonal triples", drawn_orthogonal).restricted("d = 2, z_1 on the first axis"))
        .family(random("drawn triples", drawn).taking(0.25))
        .without_search()
        .sharpening("exact", "‖∇²ℓ(z)‖ = ½(G/4 + √(G²/16 + 2))", holds(), |_, &(norm, g)| {
            equal(norm, 0.5 * (g / 4.0 + (g.square() / 16.0 + 2.0).sqrt()))
        })
        .sharpening("between", "G/4 ≤ ‖∇²ℓ(z)‖ ≤ 1 + G/4", holds(), |_, &(norm, g)| {
            ascending([g / 4.0, norm, 1.0 + g / 4.0])
        })
        .control("c", "linear growth: ‖∇²ℓ(z)‖ ≤ 2 + 4√G", |_, &(norm, g)| {
            at_most(norm, 2.0 + 4.0 * g.sqrt())
        })
}
