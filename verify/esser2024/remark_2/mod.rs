//! Remark 2: which other losses decouple the outputs of a linear model.
//!
//! (a) InfoNCE does not decouple: for d = 1, one negative, L = log(1 + e^{a‖θ‖²}) has the mixed derivative 4a²θ_1θ_2σ′. It does to leading
//! order at Θ → 0, where L = n log(1 + M) + (loss (1) over 1 + M) + O(‖Θ‖⁴): the mixed block is a covariance under the softmax weights of
//! vectors that are linear in Θ. (b) The cosine loss does not decouple either, and small Θ makes it worse: L(εΘ) = L(Θ), so second derivatives
//! grow like ε^{−2}. (c) The spectral loss is coupled: the mixed block is the sum over triples of 2g_l g_jᵀ, g_l = x u_l(x⁻) + x⁻u_l(x), whose
//! trace is positive for θ_l = θ_j unless g_l = (xx⁻ᵀ + x⁻xᵀ)θ_l vanishes for all triples; for all θ_l it does so only where x or x⁻ is zero.
//! Collapse does not follow. x⁻ = x⁺ (InfoNCE) and x⁺ = x (cosine) make the losses constant, so that nothing moves. Nor must it be constant:
//! pulls of several negatives or pairs cancel, as for three pairs of partners whose outputs are at 60 degrees, where the cosine loss is least
//! for all Θ, −3/2, while rank one has −1 at best. For x_i = e_i, x_i⁺ = λ_ie_i,
//! x_i⁻ = 0 with λ_1 > λ_2, where loss (1) collapses at the rate e^{−2(λ_1−λ_2)t}, columns c_i of Θ grow by c_i′ = 2λ_iσ(−λ_i‖c_i‖²)c_i under
//! InfoNCE; with T(y) = ∫(1 + e^s)/(4s) ds both y_i = λ_i‖c_i‖² obey T(y_i) = λ_it, so y_1 − y_2 → log(λ_1/λ_2) while both tend to
//! infinity: the direction of Θ keeps rank two. The saturation of the loss is what prevents the collapse.

mod coupled_starts;
mod infonce_columns;

use enclosures::vectors::{norm, sum_of_squares};
use evidence::prelude::*;
use proptest::strategy::Strategy;

use crate::shared::coupled_losses::{Coupled, DIRECTIONS, Objective, magnitude};
use crate::shared::decoupled_outputs::{
    NOT_AT_REST, ONE_OUTPUT, coupling_is_quadratic, decouples, has_two, rest_is_collapsed, scale_free, simplified,
};
use crate::shared::gradient_models::gradient;
use crate::shared::linear_data::inner;
use coupled_starts::{at_rest, is_degenerate, named, starts, unequal_counts};
use infonce_columns::{Columns, FAR, columns, late_columns, singular_ratio, slower};

/// g_1 and g_2 of a single triple with one negative.
fn interactions(i: &Coupled) -> Option<[Vec<Interval>; 2]> {
    let (x, minus) = (&i.data.anchors[0], &i.data.negatives[0][0]);
    let g = |l: usize| -> Vec<Interval> {
        let (own, far) = (inner(&i.map[l], x), inner(&i.map[l], minus));
        x.iter().zip(minus).map(|(&a, &b)| far * a + own * b).collect()
    };
    (i.z() >= 2 && i.data.anchors.len() == 1 && i.data.negatives[0].len() == 1).then(|| [g(0), g(1)])
}

/// The spectral loss with the first row of Θ in two rows, whatever the data: the trace of their mixed block against 2ΣΣ‖g‖².
fn equal_rows_interact(i: &Coupled) -> Evaluation {
    let row = &i.map[0];
    let twice = Coupled { data: i.data.clone(), map: vec![row.clone(), row.clone()] };
    let u = |y: &[f64]| inner(row, y);
    let mut expected = Interval::ZERO;
    for (x, minus) in i.data.anchors.iter().zip(&i.data.negatives) {
        for far in minus {
            let g = x.iter().zip(far).map(|(&a, &b)| u(far) * a + u(x) * b);
            expected += g.map(|e| e.square()).sum::<Interval>() * 2.0;
        }
    }
    let block = twice.block(Objective::Spectral, (0, 1), 1.0);
    let trace = block.iter().step_by(i.d() + 1).copied().sum::<Interval>();
    equal(trace, expected)
        .on_scale_of("(Σ_i|x_i|(|x_i⁺| + Σ_m|x_im⁻|)Σ|Θ_la|)², |·| summing absolute entries", twice.size())
}

fn interact(i: &Coupled) -> bool {
    interactions(i).is_some_and(|g| g.iter().all(|g| g.iter().any(|e| e.mignitude() > 1e-6)))
}

const ONE_COUNT: Hypothesis<Coupled> = Hypothesis::new("equally many negatives for each anchor", |i| {
    i.data.negatives.iter().all(|m| m.len() == i.data.negatives[0].len())
});
const HAS_DIRECTIONS: Hypothesis<Coupled> = Hypothesis::new(DIRECTIONS, Coupled::has_directions);

pub fn claim() -> Claim {
    Claim::new("esser2024.remark-2", "other losses", Kind::Dynamics)
        .statement(
            "linear models: (a) under InfoNCE the output dimensions decouple too, hence collapse; (b) the same for the \
             cosine-similarity non-contrastive loss; (c) for the spectral contrastive loss they stay coupled",
        )
        .source("Remark 2", &[])
        .symbol("Θ", "the z×d matrix of the linear model, rows θ_1, …, θ_z, so that u_l(x) = θ_lx")
        .symbol(
            "InfoNCE",
            "the loss Σ_i log(1 + Σ_m e^{u(x_i)ᵀ(u(x_im⁻) − u(x_i⁺))}), each of the n anchors x_i, in ℝ^d and with one \
             positive x_i⁺ and the negatives x_im⁻, m = 1, …, M, with the weight one",
        )
        .symbol("cosine loss", "−Σ_i u(x_i)ᵀu(x_i⁺)/(‖u(x_i)‖‖u(x_i⁺)‖), each of the n anchors with the weight one")
        .symbol(
            "spectral loss",
            "Σ_i (Σ_m (u(x_i)ᵀu(x_im⁻))² − 2u(x_i)ᵀu(x_i⁺)), each of the n anchors with the weight one",
        )
        .symbol("∇L", "the gradient of the loss named in Θ")
        .symbol(
            "mixed block",
            "the d×d matrix of second derivatives of a loss in the entries of two rows of Θ, rows 1 and 2 where none \
             are named; its size is the root of the sum of its squares",
        )
        .symbol("at rest", "Θ with ∇L = 0, where the gradient flow Θ′ = −∇L stays")
        .symbol("M/(1", "M: the number of negatives, the same for each anchor")
        .symbol("σ₂", "σ₁ ≥ σ₂: the singular values of Θ")
        .remark(
            "R1: mixed second derivatives between rows of Θ vanish for every Θ. R2: to leading order at Θ → 0. R3: \
             collapse of the direction of Θ, which the remark concludes in either sense. Second derivatives by forward \
             differentiation of the gradient, which is compared with that of the loss.",
        )
        .remark(
            "The argument by the simplified loss holds at Θ → 0 alone. Trained Θ grow, InfoNCE saturates, and the \
             lagging directions catch up: where loss (1) collapses exponentially, InfoNCE keeps rank two in the limit. \
             For the cosine loss there is no simplified loss at all.",
        )
        .sense("exact", "outputs decouple: mixed second derivatives between rows of Θ vanish for every Θ")
        .sense("simplified", "outputs decouple in the simplified loss: to leading order at Θ → 0")
        .setting(mixed_blocks())
        .setting(late_ranks())
}

fn mixed_blocks() -> Setting<Coupled, ()> {
    let setting = Setting::of()
        .given("u = Θx, one positive and at least one negative for each anchor")
        .degenerate("d ≥ 2, and every x⁺ parallel or orthogonal to its x, or equal to its x⁻", is_degenerate)
        .family(edge("named", named))
        .family(edge("at rest, the loss not constant", at_rest))
        .family(random("data and Θ", starts).taking(0.5))
        .family(outside("one negative and two", unequal_counts))
        .without_search();
    controls(corrected(steps(senses(setting))))
}

fn senses(setting: Setting<Coupled, ()>) -> Setting<Coupled, ()> {
    setting
        .part(
            "a-R1",
            "InfoNCE: the mixed blocks vanish for every Θ",
            fails(
                "the softmax weights depend on all outputs: for d = 1 and one negative the block is \
                 4a²θ_1θ_2σ(t)σ(−t), t = a‖Θ‖², a = x(x⁻ − x⁺), σ(t) = 1/(1 + e^{−t})",
            ),
            |i, ()| decouples(i, Objective::InfoNce, 1.0),
        )
        .sides("an entry of a mixed block", "0")
        .except(ONE_OUTPUT)
        .in_sense("exact")
        .part(
            "a-R2",
            "InfoNCE at Θ = 0: mixed blocks vanish, and second derivatives within a row are M/(1 + M) times those of \
             Σ_i (M^{−1}Σ_m u(x_i)ᵀu(x_im⁻) − u(x_i)ᵀu(x_i⁺)), which is loss (1) averaged over negatives",
            holds(),
            // Without one M for all anchors the line has no meaning.
            |i, ()| if ONE_COUNT.is_met(i) { simplified(i) } else { vacuous("no common M") },
        )
        .in_sense("simplified")
        .assume(ONE_COUNT)
        .part(
            "a-R3",
            "InfoNCE: a start at rest has rank at most one",
            fails("x⁻ = x⁺ makes the loss constant, and pulls of several negatives may cancel"),
            |i, ()| rest_is_collapsed(i, Objective::InfoNce).into(),
        )
        .sides("rank Θ", "1")
        .except(NOT_AT_REST)
        .part(
            "b-R1",
            "cosine loss: the mixed blocks vanish for every Θ",
            fails("the norms couple the outputs"),
            |i, ()| decouples(i, Objective::Cosine, 1.0),
        )
        .assume(HAS_DIRECTIONS)
        .sides("an entry of a mixed block", "0")
        .except(ONE_OUTPUT)
        .in_sense("exact")
        .part(
            "b-R2",
            "cosine loss: the mixed block at Θ/4 is no larger than at Θ",
            fails("L(εΘ) = L(Θ): second derivatives grow like ε^{−2}"),
            |i, ()| {
                if !has_two(i) {
                    return vacuous(ONE_OUTPUT);
                }
                let size = |block: Vec<Interval>| norm(&block);
                let (here, closer) =
                    (i.block(Objective::Cosine, (0, 1), 1.0), i.block(Objective::Cosine, (0, 1), 0.25));
                at_most(size(closer), size(here)).on_unit_scale()
            },
        )
        .assume(HAS_DIRECTIONS)
        .sides("norm of the mixed block at Θ/4", "norm of the mixed block at Θ")
        .our_constant("how small Θ is: a quarter")
        .in_sense("simplified")
        .assume(Hypothesis::new("z ≥ 2", has_two))
        .part(
            "b-R3",
            "cosine loss: a start at rest has rank at most one",
            fails("x⁺ = x makes the loss constant, and the pulls of several pairs may cancel"),
            |i, ()| rest_is_collapsed(i, Objective::Cosine).into(),
        )
        .assume(HAS_DIRECTIONS)
        .sides("rank Θ", "1")
        .except(NOT_AT_REST)
        .part("c", "spectral loss: the mixed block is not zero", holds(), |i, ()| {
            if !has_two(i) {
                return vacuous(ONE_OUTPUT);
            }
            let block = i.block(Objective::Spectral, (0, 1), 1.0);
            greater_than(sum_of_squares(&block), 0)
        })
        .assume(Hypothesis::new(
            "n = 1, one negative, z ≥ 2, g_l = x u_l(x⁻) + x⁻u_l(x) with an entry beyond 1e-6 in absolute value for l \
             = 1 and 2",
            interact,
        ))
}

fn steps(setting: Setting<Coupled, ()>) -> Setting<Coupled, ()> {
    setting.step(
        "gradients",
        "with p_l(x, y) = x u_l(y) + y u_l(x) the gradient in θ_l is, InfoNCE: Σ_iΣ_m w_im(p_l(x_i, x_im⁻) − p_l(x_i, \
         x_i⁺)), w_im = E_im/(1 + Σ_m E_im), E_im = e^{u(x_i)ᵀ(u(x_im⁻) − u(x_i⁺))}; cosine loss: −Σ_i [p_l(x, x⁺) − \
         u(x)ᵀu(x⁺)(x u_l(x)/‖u(x)‖² + x⁺u_l(x⁺)/‖u(x⁺)‖²)]/(‖u(x)‖‖u(x⁺)‖) at x = x_i, where ‖u(x_i)‖² and ‖u(x_i⁺)‖² \
         are beyond 1e-3 for every i; spectral loss: Σ_i (2Σ_m u(x_i)ᵀu(x_im⁻)p_l(x_i, x_im⁻) − 2p_l(x_i, x_i⁺)); loss \
         (1) averaged over negatives, Σ_i (M^{−1}Σ_m u(x_i)ᵀu(x_im⁻) − u(x_i)ᵀu(x_i⁺)): Σ_i (M^{−1}Σ_m p_l(x_i, x_im⁻) \
         − p_l(x_i, x_i⁺))",
        holds(),
        |i, ()| {
            let all = [
                ("InfoNCE", Objective::InfoNce),
                ("cosine", Objective::Cosine),
                ("spectral", Objective::Spectral),
                ("loss (1)", Objective::Plain),
            ];
            let usable = all.into_iter().filter(|(_, o)| *o != Objective::Cosine || i.has_directions());
            all_of(usable.flat_map(|(name, objective)| {
                let found = gradient(&i.map.concat(), |t| i.value(objective, t));
                let scale = magnitude(&found);
                found.into_iter().zip(i.slopes(objective)).map(move |(f, s)| {
                    (name, equal(f, s).on_scale_of("1 or the largest entry of the gradient", scale.max(1.0)))
                })
            }))
        },
    )
}

fn corrected(setting: Setting<Coupled, ()>) -> Setting<Coupled, ()> {
    setting
        .amendment(
            "a-order",
            "InfoNCE: the second derivative in the entries a of row l = 1 and b of row j = 2 is in absolute value at \
             most Σ_i max_m|g_l,m,a|·max_m|g_j,m,b|, with g_l,m = x u_l(x_m⁻) + x_m⁻u_l(x) − x u_l(x⁺) − x⁺u_l(x) at x \
             = x_i, linear in Θ: the outputs decouple to leading order at Θ → 0",
            holds(),
            |i, ()| coupling_is_quadratic(i, 1.0),
        )
        .except(ONE_OUTPUT)
        .amendment(
            "b-scale",
            "cosine loss: ⟨Θ, ∇L⟩ = Σ_la Θ_la(∇L)_la = 0, so the flow keeps ‖Θ‖_F² = Σ_la Θ_la², and, if z ≥ 2, the \
             mixed block at Θ/4 is 16 times that at Θ: no scale at which outputs decouple",
            holds(),
            |i, ()| scale_free(i),
        )
        .assume(Hypothesis::new(DIRECTIONS, Coupled::has_directions))
        .sharpening(
            "c-exact",
            "spectral loss, one triple: the mixed block of rows l = 1 and j = 2 is 2g_l g_jᵀ, g_l = x u_l(x⁻) + \
             x⁻u_l(x)",
            holds(),
            |i, ()| {
                let Some([g, h]) = interactions(i) else {
                    return vacuous("not one triple");
                };
                let block = i.block(Objective::Spectral, (0, 1), 1.0);
                let scale = magnitude(&g) * magnitude(&h);
                for_each("entry", block, |k, e| {
                    equal(e, g[k / i.d()] * h[k % i.d()] * 2.0)
                        .on_scale_of("the largest entries of g_1 and g_2 multiplied", scale)
                })
            },
        )
        .assume(Hypothesis::new("n = 1, one negative, z ≥ 2", |i| interactions(i).is_some()))
        .sharpening(
            "c-data",
            "spectral loss, any data: where Θ has two rows, both θ_1, their mixed block has the trace 2Σ_iΣ_m‖x_i \
             u_1(x_im⁻) + x_im⁻u_1(x_i)‖²; so the outputs are coupled at some Θ as soon as some x_i and x_im⁻ are not \
             zero",
            holds(),
            |i, ()| equal_rows_interact(i),
        )
}

fn controls(setting: Setting<Coupled, ()>) -> Setting<Coupled, ()> {
    setting
        .control("a", "loss (1), averaged over the negatives, has a non-zero mixed block", |i, ()| {
            if !has_two(i) {
                return vacuous(ONE_OUTPUT);
            }
            let block = i.block(Objective::Plain, (0, 1), 1.0);
            greater_than(sum_of_squares(&block), 0)
        })
        .assume(Hypothesis::new("z ≥ 2", has_two))
        .control(
            "order",
            "InfoNCE: the second derivatives that a-order bounds are at most 0.99 of its bound",
            |i, ()| coupling_is_quadratic(i, 0.99),
        )
        .except(ONE_OUTPUT)
        .control("b", "the spectral loss has vanishing mixed blocks", |i, ()| decouples(i, Objective::Spectral, 1.0))
        .except(ONE_OUTPUT)
}

fn late_ranks() -> Setting<Columns, Interval> {
    Setting::measuring(|c: &Columns, _| -> Result<Interval, MeasureError> { Ok(slower(c)) })
        .given(
            "InfoNCE on x_i = e_i, x_i⁺ = λ_ie_i, x_i⁻ = 0, i = 1, 2, along the gradient flow Θ′ = −∇L; orthogonal \
             columns c_1, c_2 of Θ, which stay orthogonal, so that σ₁, σ₂ are the larger and the smaller of ‖c_1‖, \
             ‖c_2‖; 0.1 ≤ λ_2 ≤ λ_1 ≤ 4λ_2, λ_2 ≤ 10, λ_i‖c_i‖² ≥ 0.1 at the start",
        )
        .assume(Hypothesis::new("λ_i‖c_i‖² ≤ 2 at the start", |c| c.starts.iter().all(|y| *y <= 2.0)))
        .family(edge("named", columns))
        .family(
            random("rates and starts", || {
                (0.2..5.0f64, 1.0..4.0f64, [0.1..2.0f64, 0.1..2.0f64])
                    .prop_map(|(slow, factor, starts)| Columns { rates: [slow * factor, slow], starts })
            })
            .taking(0.25),
        )
        .family(outside("a late start", late_columns))
        .without_search()
        .part(
            "a-R3-late",
            "InfoNCE: when λ_1‖c_1‖² has reached 40, σ₂/σ₁ is below a tenth",
            fails("both λ_i‖c_i‖² grow like log t"),
            |c, &slow| less_than(singular_ratio(c, slow), exact(0.1)),
        )
        .sides("σ₂/σ₁ when λ_1‖c_1‖² = 40", "1/10")
        .our_constant("when and how far: 40 and a tenth")
        .sharpening(
            "no-collapse",
            "when λ_1‖c_1‖² has reached 40, λ_1‖c_1‖² − λ_2‖c_2‖² differs from log(λ_1/λ_2) by at most log(λ_1/λ_2)/30 \
             + 1/40",
            holds(),
            |c, &slow| {
                let expected = (Interval::point(c.rates[0]) / c.rates[1]).ln();
                let off = (Interval::point(FAR) - slow - expected).abs();
                at_most(off, expected / 30.0 + 0.025)
            },
        )
        .sharpening(
            "rank-two",
            "when λ_1‖c_1‖² has reached 40, σ₂/σ₁ ≥ √(λ_2/λ_1) − 1/1000: the direction keeps rank two",
            holds(),
            |c, &slow| at_least(singular_ratio(c, slow), (Interval::point(c.rates[1]) / c.rates[0]).sqrt() - 0.001),
        )
}
