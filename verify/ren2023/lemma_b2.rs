//! Lemma B.2 (Lemma 5.2 in the main text): the comparison lemma.
//!
//! X' = −A X and Y' = A X Y are solved by X = X_0 e^{−I}, Y = Y_0 exp(X_0 − X) with I = ∫A, so log Y + X is constant
//! and the bound Y_T ≤ Y_0 exp(X_0) has the slack exp(X_T) > 1: strict, and sharp as I grows.

use evidence::prelude::*;
use proptest::collection::vec;
use proptest::strategy::Strategy;

use crate::shared::comparison_lemma::{PROCESS, Process, Solution, negative, solve};
use crate::shared::comparison_lemma::{bounded_with_slack, exact_growth, with_false_bounds};
use crate::shared::notation::INTEGRAL;

pub fn claim() -> Claim {
    Claim::new("ren2023.lemma-b2", "the comparison (nonlinear Gronwall) lemma", Kind::Dynamics)
        .statement("X' = −A_t X, Y' = A_t X Y with A_t > 0 and X_0, Y_0 > 0 implies Y_T ≤ Y_0 exp(X_0) for every T ≥ 0")
        .source("Lemma B.2", &["Section B", "Lemma 5.2 in the main text"])
        .symbols([INTEGRAL])
        .reconstructed("the formulas; the words of the proof survive and leave one reading")
        .remark(
            "Proof: X_T = X_0 e^{−∫A}, and A X = −X' gives log Y_T = log Y_0 + X_0 − X_T with X_T > 0 if X_0 > 0. Then \
             the bound is not attained, and approached as ∫A grows; for X_0 = 0 both sides agree. The sign of A is not \
             used.",
        )
        .setting(printed())
        .setting(negative_starts())
}

fn printed() -> Setting<Process, Solution> {
    with_false_bounds(
        Setting::measuring(|p: &Process, _| Ok(solve(p)))
            .given(PROCESS)
            .assume(Hypothesis::new("X_0 ≥ 0", |p| p.x0 >= 0.0))
            .family(outside("X_0, C or A negative", negative))
            .family(edge("named", || {
                let of = |x0: f64, log_y0: f64, pieces: &[[f64; 4]]| Process {
                    pieces: pieces.to_vec(),
                    x0,
                    log_y0,
                    coupling: 1.0,
                };
                vec![
                    ("nothing happens", of(1.0, 0.0, &[])),
                    ("A = 0", of(1.0, 0.0, &[[3.0, 0.0, 0.0, 0.0]])),
                    ("one long piece", of(1.0, 0.0, &[[10.0, 1.0, 0.0, 0.0]])),
                    ("so long that the bound is reached to rounding", of(1.0, 0.0, &[[100.0, 1.0, 0.0, 0.0]])),
                    ("A = 1, T = 5", of(1.0, 0.0, &[[5.0, 1.0, 0.0, 0.0]])),
                    ("tiny X_0", of(1e-6, 23.0, &[[1.0, 2.0, 0.0, 0.0], [2.0, 0.5, 0.0, 0.0]])),
                    ("large X_0", of(50.0, -23.0, &[[0.01, 10.0, 0.0, 0.0], [5.0, 0.1, 0.0, 0.0]])),
                    ("A of both signs", of(2.0, 0.0, &[[1.0, 1.0, 0.0, 0.0], [0.5, -1.0, 0.0, 0.0]])),
                    (
                        "1/√t in steps",
                        of(3.0, 0.0, &[[1e-6, 1e3, 0.0, 0.0], [1e-3, 30.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0]]),
                    ),
                    ("slack in both", of(1.0, 0.0, &[[1.0, 1.0, 0.5, 0.5], [2.0, 3.0, 0.0, 1.0]])),
                    ("X_0 = 0", of(0.0, 0.0, &[[1.0, 1.0, 0.0, 0.0]])),
                ]
            }))
            .family(random("piecewise rates", || {
                let piece = (0.0..3.0f64, -1.0..5.0f64, 0.0..1.0f64, 0.0..1.0f64).prop_map(|(t, a, x, y)| [t, a, x, y]);
                (vec(piece, 0..6), -14.0..3.9f64, -23.0..23.0f64, 0.0..4.0f64).prop_map(
                    |(pieces, log_x0, log_y0, coupling)| Process {
                        pieces,
                        x0: exact(log_x0).exp().midpoint(),
                        log_y0,
                        coupling,
                    },
                )
            }))
            .part("printed", "log Y_T ≤ log Y_0 + X_0", holds(), |p, s| {
                at_most(p.log_y0 + s.growth, exact(p.log_y0) + p.x0)
                    .with_margin(p.x0 - s.growth)
                    .on_scale_of("X_0, or the sizes of the summands", p.x0)
            })
            .checked_in_part("ren2023.LemmaB2.lemma_b2_printed")
            .ours("conserved", "log Y_T + X_T = log Y_0 + X_0", holds(), |p, s| {
                equal(s.growth + s.x_end, exact(p.x0))
                    .on_scale_of("X_0, or the sizes of the summands", s.growth.magnitude() + s.x_end.magnitude())
            })
            .checked_in_part("ren2023.LemmaB2.lemma_b2_conserved")
            .ours(
                "inequality",
                "X' ≤ −A X, Y' ≤ C A X Y implies log Y_T ≤ log Y_0 + C X_0",
                holds(),
                bounded_with_slack,
            )
            .assume(Hypothesis::new("C ≥ 0", |p| p.coupling >= 0.0))
            .because("the form that the proofs use")
            .assume(Hypothesis::new("A ≥ 0", |p| p.pieces.iter().all(|[_, a, ..]| *a >= 0.0)))
            .step("s1", "X_T = X_0 e^{−∫A}", holds(), |p, s| equal(s.x_end, p.x0 * (-s.integral).exp()))
            .checked_in_part("ren2023.LemmaB2.lemma_b2_s1")
            .step("s2", "∫A X = X_0 − X_T", holds(), |p, s| {
                equal(s.growth, p.x0 - s.x_end)
                    .on_scale_of("X_0, or the sizes of the summands", p.x0 + s.x_end.magnitude())
            })
            .step("s3", "X_T > 0 when X_0 > 0", holds(), |_, s| greater_than(s.x_end, 0))
            .checked_in_part("ren2023.LemmaB2.lemma_b2_s3")
            .assume(Hypothesis::new("X_0 > 0", |p| p.x0 > 0.0))
            .sharpening(
                "strict",
                "the slack is exactly X_T: log Y_T = log Y_0 + X_0 (1 − e^{−∫A})",
                holds(),
                exact_growth,
            )
            .checked_in_part("ren2023.LemmaB2.lemma_b2_strict"),
    )
}

fn negative_starts() -> Setting<Process, Solution> {
    Setting::measuring(|p: &Process, _| Ok(solve(p)))
        .given("A constant on pieces, X' = −AX, Y' = AXY")
        .assume(Hypothesis::new("A ≥ 0", |p| p.pieces.iter().all(|[_, a, ..]| *a >= 0.0)))
        .family(outside("X_0, C or A negative", negative))
        .family(edge("negative start", || {
            let of = |x0: f64| Process { pieces: vec![[1.0, 1.0, 0.0, 0.0]], x0, log_y0: 0.0, coupling: 1.0 };
            vec![("X_0 = −1, ∫A = 1", of(-1.0)), ("X_0 = 1, ∫A = 1", of(1.0))]
        }))
        .control("n2", "X_0 < 0 allowed", |p, s| at_most(s.growth, exact(p.x0)))
}
