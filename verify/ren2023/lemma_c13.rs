//! Lemma C.13: signal and noise columns stay orthogonal in Stage 2.
//!
//! The linear form is true at every aligned state, for noise of either view. Its matrix [[−c, c−γ_1], [c,
//! −c−γ_1−γ_2]] has a negative trace and the determinant c(2γ_1+γ_2) > 0: stable (r1). But a² + b² can grow (r2)
//! exactly where γ_1² > 4c(2γ_1+γ_2), roughly γ_1 > 8c: where σ_ξ²/q is not small against σ_p²(1−T_p), however little
//! noise is left, for γ_1 does not contain n. So the words of the proof, that a first, negative semidefinite matrix
//! settles it, need c_p to dominate. For a = b the sum falls at the rate −4γ_1−2γ_2 (r3).

use std::error::Error;

use enclosures::vectors::largest_magnitude;
use evidence::prelude::*;

use crate::shared::linear_systems::{Plane, linear_system, quadratic};
use crate::shared::manifold_directions::ManifoldDirection;
use crate::shared::manifold_families::aligned;
use crate::shared::notation::{
    AGREEMENT, DATA, FEATURES, KAPPA, KAPPA_HAT, LOSS, LOSS_WITHOUT_NEGATIVES, MEAN_SELECTION, MOTION, NORMALISER,
    NORMALISER_BOTH, OUTPUTS, PERTURBATION, PULL, PULL_OF_STAGE_TWO, PULLS_OF_STAGE_TWO, RHO, SIZES, TANH,
};
use crate::shared::rates_off_manifold::{Base, Leaving, slopes_are};
use crate::shared::stage_two::{EQUAL_NORMS, PARALLEL, over_directions};

struct Measured {
    leaving: Leaving,
    /// J of (a, b) for the first signal and the first noise column of A.
    plane: Plane,
}

fn measure(s: &ManifoldDirection) -> Result<Measured, Box<dyn Error + Send + Sync>> {
    let (r, d) = (s.r(), s.d());
    Ok(Measured { leaving: s.leaving()?, plane: Plane(linear_system(s, [(0, r), (r, d)])?) })
}

/// c_p, γ_1, γ_2 of the first signal and noise column.
fn coefficients(s: &ManifoldDirection, base: &Base) -> [Interval; 3] {
    let common = base.g(s, 0) * s.tau_squared / base.normalisers.square();
    [base.pull_a(s, 0), common * s.noise_squared * s.norms_b[0], common * s.sigma_squared[0] * s.noise_a[0]]
}

/// Whether γ_1² ≤ 4c(2γ_1 + γ_2) for the first signal and noise column.
fn in_the_region(s: &ManifoldDirection) -> bool {
    s.q() >= 1
        && s.base().is_ok_and(|base| {
            let [c, first, second] = coefficients(s, &base);
            first.square().hi() <= (4.0 * c * (2.0 * first + second)).lo()
        })
}

/// Signal p of A and of B with noise column k of A, then of B.
fn columns(r: usize, d: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..r).flat_map(move |p| (r..d).flat_map(move |k| [(p, k), (d + p, k), (d + p, d + k), (p, d + k)]))
}

/// The linear form with γ_1 and γ_2 multiplied by these factors.
fn moves_by(s: &ManifoldDirection, m: &Leaving, gamma: [f64; 2]) -> Evaluation {
    let (r, d, base) = (s.r(), s.d(), &m.base);
    slopes_are(m, columns(r, d), |signal, noise| {
        let (p, view) = (signal % d, noise / d);
        let own = signal / d == view;
        let (a, b) = (s.cosine(p + view * d, noise), s.cosine(p + (1 - view) * d, noise));
        let rho = s.correlation[p];
        // The view of the noise column is that of a; the other view's norms enter.
        let (pull_own, pull_other, other, norms) = if view == 0 {
            (base.pull_a(s, p), base.pull_b(s, p), s.norms_b[p], &s.noise_a)
        } else {
            (base.pull_b(s, p), base.pull_a(s, p), s.norms_a[p], &s.noise_b)
        };
        let common = base.g(s, p) * s.tau_squared * b / base.normalisers.square();
        let first = common * s.noise_squared * other * gamma[0];
        let second = common * s.sigma_squared[p] * norms[noise % d - r] * gamma[1];
        if own {
            vec![pull_own * b, -(pull_own * rho * a), -(first * rho)]
        } else {
            vec![pull_other * a, -(pull_other * rho * b), -first, -second]
        }
    })
}

/// The linear form as printed: neither ρ_p nor the norms of the signals in the other view occur.
fn moves_as_printed(s: &ManifoldDirection, m: &Leaving) -> Evaluation {
    let (r, d, base) = (s.r(), s.d(), &m.base);
    slopes_are(m, columns(r, d), |signal, noise| {
        let (p, view) = (signal % d, noise / d);
        let (a, b) = (s.cosine(p + view * d, noise), s.cosine(p + (1 - view) * d, noise));
        // The view of the noise column is that of a.
        let (kappa_squared, noise_norms) =
            if view == 0 { (s.norms_a[p], &s.noise_a) } else { (s.norms_b[p], &s.noise_b) };
        let pull = base.aligned_pull(s, p);
        let common = base.g(s, p) * s.tau_squared * b / base.normalisers.square();
        let first = common * s.noise_squared * kappa_squared;
        let second = common * s.sigma_squared[p] * noise_norms[noise % d - r];
        if signal / d == view {
            vec![pull * b, -(pull * a), -first]
        } else {
            vec![pull * a, -(pull * b), -first, -second]
        }
    })
}

/// a and b of the first signal and noise column.
fn pattern(s: &ManifoldDirection) -> [f64; 2] {
    [s.cosine(0, s.r()), s.cosine(s.d(), s.r())]
}

fn energy_falls(s: &ManifoldDirection, m: &Measured) -> Evaluation {
    let x = pattern(s);
    let size = largest_magnitude(m.plane.0.as_flattened());
    at_most(2.0 * Enclosure::from(quadratic(&m.plane.0, x)), 0)
        .on_scale_of("the largest entry of the matrix times a² + b²", size * (x[0] * x[0] + x[1] * x[1]))
}

const REGION: Hypothesis<ManifoldDirection> = Hypothesis::new("γ_1² ≤ 4c(2γ_1 + γ_2)", in_the_region);

pub fn claim() -> Claim {
    Claim::new("ren2023.lemma-c13", "orthogonality between signals and noise in Stage 2", Kind::Dynamics)
        .statement(
            "at an aligned state, a = cos([K_A]_p, [K_{A,ξ}]_k), b = cos([K_B]_p, [K_{A,ξ}]_k), γ_1 = \
             σ_ξ²κ_p²g_pτ²/N⁴, γ_2 = σ_p²g_pτ²n/N⁴: ȧ = c_p(b−a) − γ_1b + O(ε²), ḃ = c_p(a−b) − (γ_1+γ_2)b + O(ε²); so \
             a² + b² does not grow, to leading order",
        )
        .reconstructed("the displays; that the first matrix of the proof is negative semidefinite survives in words")
        .source("Lemma C.13", &["Section C.2"])
        .symbols([
            SIZES, DATA, FEATURES, NORMALISER, NORMALISER_BOTH, OUTPUTS, LOSS, LOSS_WITHOUT_NEGATIVES, AGREEMENT,
            KAPPA, KAPPA_HAT, RHO, TANH, MEAN_SELECTION, PULL,
        ])
        .symbol("ȧ", MOTION)
        .symbols([PERTURBATION, PULL_OF_STAGE_TWO, PULLS_OF_STAGE_TWO])
        .symbol("g_p", "(1−S̄)(S̄(2−2T_p+T_p²) + 2 − T_p²)/q")
        .symbol("c", "short for c_p")
        .symbol("a", "cos([K_A]_p, [K_{A,ξ}]_k), b = cos([K_B]_p, [K_{A,ξ}]_k), both proportional to ε")
        .symbol("γ_1", "σ_ξ²β_p²g_pτ²/(N_AN_B)², which is σ_ξ²κ_p²g_pτ²/N⁴ for equal norms; γ_2 = σ_p²g_pτ²n/(N_AN_B)²")
        .symbol("n", "‖[K_{A,ξ}]_k‖²")
        .symbol(
            "the matrix",
            "that of ȧ, ḃ in a, b to first order along the flow, all other cosines 0; at equal norms and ρ_p = 1 it \
             is [[−c, c−γ_1], [c, −c−γ_1−γ_2]]",
        )
        .remark(
            "Proof: determinant c(c+γ_1+γ_2) − c(c−γ_1) = c(2γ_1+γ_2), trace −2c−γ_1−γ_2. The symmetric part has the \
             determinant c(2γ_1+γ_2) − γ_1²/4, so that a² + b² falls for all (a, b) exactly if γ_1² ≤ 4c(2γ_1+γ_2).",
        )
        .setting(printed())
}

fn printed() -> Setting<ManifoldDirection, Measured> {
    over_directions(Setting::measuring(|s: &ManifoldDirection, _| measure(s)))
        .assume(Hypothesis::new("q ≥ 1", |s| s.q() >= 1))
        .assume(Hypothesis::new("τ² > 0", |s| s.tau_squared > 0.0))
        .given(
            "every signal p and noise column k; what is said of the matrix, or of a² + b² to leading order (by the \
             matrix), is tried on the first signal and the first noise column of A",
        )
        .family(edge("one signal, one noise", || {
            let of = |tau: f64, noise: f64, norm: f64, a: f64, b: f64| {
                let mut s = aligned(&[1.0], &[1.0], (noise, &[norm]), tau, 1.0);
                // Pairs of [A, A_ξ, B, B_ξ] without (A, B): (0,1), (0,3), (1,2), (1,3), (2,3).
                s.cosines = vec![a, 0.0, b, 0.0, 0.0];
                s
            };
            vec![
                ("little noise, opposite signs", of(2.0, 1.0, 0.01, 1.0, -0.5)),
                ("T near 1, opposite signs", of(6.0, 1.0, 0.01, 1.0, -0.5)),
                ("T near 1, a = 0.9, b = −0.4", of(3.0, 4.0, 0.05, 0.9, -0.4)),
                ("T near 1, a = b", of(6.0, 1.0, 0.5, 1.0, 1.0)),
                ("weak noise, a = b", of(1.0, 0.1, 0.5, 1.0, 1.0)),
            ]
        }))
        .without_search()
        .part(
            "printed",
            "ȧ and ḃ are 0 at ε = 0, and their derivatives in ε are those of c_p(b−a) − γ_1b and c_p(a−b) − \
             (γ_1+γ_2)b, for noise of A and, with the views exchanged, of B",
            holds(),
            |s, m| moves_as_printed(s, &m.leaving),
        )
        .assume(EQUAL_NORMS)
        .assume(PARALLEL)
        .ours("r1", "the matrix has a negative trace and a positive determinant", holds(), |_, m| {
            all_of([("trace", less_than(m.plane.trace(), 0)), ("determinant", greater_than(m.plane.determinant(), 0))])
        })
        .assume(EQUAL_NORMS)
        .assume(PARALLEL)
        .because("the lemma defines a sum of squares and bounds its rate; it does not speak of eigenvalues")
        .part(
            "r2",
            "d(a² + b²)/dt ≤ 0 to leading order",
            fails("γ_1 > 8c and a, b of opposite signs, with as little noise as one likes"),
            energy_falls,
        )
        .assume(EQUAL_NORMS)
        .assume(PARALLEL)
        .sides("d(a² + b²)/dt to leading order", "0")
        .because("the proof says that the first matrix is negative semidefinite, whence the bound")
        .ours("r3", "for a = b ≠ 0, d(a² + b²)/dt = −(4γ_1 + 2γ_2)a² < 0 to leading order", holds(), |s, m| {
            let [_, first, second] = coefficients(s, &m.leaving.base);
            let expected = -(4.0 * first + 2.0 * second);
            let rate = 2.0 * quadratic(&m.plane.0, [1.0, 1.0]);
            let size = largest_magnitude(m.plane.0.as_flattened());
            all_of([
                ("rate", equal(rate, expected).on_scale_of("the largest entry of the matrix", size)),
                ("sign", less_than(expected, 0)),
            ])
        })
        .assume(EQUAL_NORMS)
        .assume(PARALLEL)
        .because("a special case that the words do not name")
        .amendment(
            "r2-region",
            "d(a² + b²)/dt ≤ 0 to leading order where γ_1² ≤ 4c(2γ_1 + γ_2), so where γ_1 ≤ 8c",
            holds(),
            energy_falls,
        )
        .assume(REGION)
        .assume(EQUAL_NORMS)
        .assume(PARALLEL)
        .sharpening(
            "general",
            "for any norms and ρ_p: for noise of A ȧ = c_{A,p}(b−ρ_pa) − ρ_pγ_1b + O(ε²), ḃ = c_{B,p}(a−ρ_pb) − \
             (γ_1+γ_2)b + O(ε²) with γ_1 = σ_ξ²β_p²g_pτ²/(N_AN_B)², γ_2 = σ_p²g_pτ²n/(N_AN_B)²; for noise of B with \
             the views exchanged",
            holds(),
            |s, m| moves_by(s, &m.leaving, [1.0, 1.0]),
        )
        .step(
            "s1",
            "the matrix has determinant 2c_pγ_1 + c_pγ_2, and its symmetric part one less by γ_1²/4",
            holds(),
            |s, m| {
                let [c, first, second] = coefficients(s, &m.leaving.base);
                let determinant = c * (2.0 * first + second);
                let scale = (c + first + second).square().magnitude();
                all_of([
                    ("determinant", equal(m.plane.determinant(), determinant).on_scale_of("(c + γ_1 + γ_2)²", scale)),
                    (
                        "symmetric part",
                        equal(m.plane.symmetric_determinant(), determinant - first.square() / 4.0)
                            .on_scale_of("(c + γ_1 + γ_2)²", scale),
                    ),
                ])
            },
        )
        .assume(EQUAL_NORMS)
        .assume(PARALLEL)
        .control("n1", "γ_2 dropped", |s, m| moves_by(s, &m.leaving, [1.0, 0.0]))
        .assume(EQUAL_NORMS)
        .assume(PARALLEL)
        .control("n2", "the sign of γ_1 flipped", |s, m| moves_by(s, &m.leaving, [-1.0, 1.0]))
        .assume(EQUAL_NORMS)
        .assume(PARALLEL)
}
