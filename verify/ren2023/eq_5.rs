//! Equation (5): the dynamics of K_A under the contrastive loss.
//!
//! True under the orthogonality hypotheses (AᵀA_ξ = 0 among them); see Lemma A.3 for the form without. At τ = 0 the
//! right side is finite: S = 1/(1+K), w = 1, the negatives cancel.

use evidence::prelude::*;
use two_view::{Enumeration, MatrixBlock, View};

use crate::shared::differentiated_loss::{DifferentiatedLoss, Expectations, agree, times_strengths};
use crate::shared::hypotheses::{ORTHOGONAL, over_warm_models};
use crate::shared::notation::{AGREEMENT, LOSS_WITHOUT_NEGATIVES, MOTION, SIZES};
use crate::shared::two_views::TwoViews;

struct ContrastiveVelocity {
    velocity: MatrixBlock<Interval>,
    printed: MatrixBlock<Interval>,
    unnormalised: MatrixBlock<Interval>,
    flipped: MatrixBlock<Interval>,
    one_sided: MatrixBlock<Interval>,
    scale: f64,
    /// 1 − S_A, 1 − S_B, w_A, w_B at τ = 0, and the right side there against that of positive pairs alone.
    at_zero: [Vec<Interval>; 2],
    zero_sides: [MatrixBlock<Interval>; 2],
    zero_scale: f64,
}

fn forms(v: &TwoViews) -> Result<ContrastiveVelocity, MeasureError> {
    let s = DifferentiatedLoss::of(v, v.contrastive())?;
    let (e, one) = (Expectations::of(v, &s, false)?, Expectations::of(v, &s, true)?);
    let variance = |k: usize| s.data.sizes().variance::<Interval>(k);
    let (r, signs) = (v.signal, [1.0, -1.0, -1.0]);
    let signal = |block: MatrixBlock<Interval>| times_strengths(v, &block).columns_between(0, r);
    let zero = TwoViews { tau_squared: 0.0, ..v.clone() };
    let enumeration = Enumeration::new(s.data.sizes(), &s.state.cross()?, 0.0, v.negatives)?;
    let pairs: Vec<(usize, usize)> = enumeration.positive_pairs().collect();
    let rests = pairs.iter().flat_map(|&(i, j)| [enumeration.rest_a(i, j), enumeration.rest_b(i, j)]).collect();
    let tilts = pairs.iter().flat_map(|&(i, j)| [enumeration.tilt_a(i, j), enumeration.tilt_b(i, j)]).collect();
    let limit = Interval::point(2.0) * v.negatives / (Interval::ONE + v.negatives);
    let agreement = s.state.agreement()?;
    let positive = MatrixBlock::from_fn(s.features[0].rows(), r, |i, p| {
        (s.features[1].at(i, p) / s.both - agreement * s.features[0].at(i, p) / s.squares[0]) * limit * v.strength(p)
    });
    Ok(ContrastiveVelocity {
        velocity: s.velocity(View::A)?.columns_between(0, r),
        printed: signal(e.bracket(&s, signs, variance)),
        unnormalised: signal(e.bracket(&s, signs, |_| Interval::ZERO)),
        flipped: signal(e.bracket(&s, [1.0, 1.0, 1.0], variance)),
        one_sided: signal(one.bracket(&s, signs, variance)),
        scale: s.speed_scale(View::A),
        // The weight of the pairs is at most two at τ = 0 as well.
        zero_scale: s.speed_scale(View::A) * 2.0 / s.weight,
        at_zero: [rests, tilts],
        zero_sides: [signal(Expectations::of(&zero, &s, false)?.bracket(&s, signs, variance)), positive],
    })
}

fn every(name: &'static str, values: &[Interval], expected: Interval) -> (&'static str, Evaluation) {
    (name, all_of(values.iter().map(|&x| (name, equal(x, expected)))))
}

pub fn claim() -> Claim {
    Claim::new("ren2023.eq-5", "dynamics of K_A under the contrastive loss", Kind::Dynamics)
        .statement(
            "K̇_A = r E{(2−S_A−S_B)(f_B⁺z⁺ᵀ/N_A − ⟨f_A⁺,f_B⁺⟩K_A/(rN_A²))}D_σ − r E{(1−S_A)w_A(f_B⁻z⁺ᵀ/N_A − \
             ⟨f_A⁺,f_B⁻⟩K_A/(rN_A²))}D_σ − r E{(1−S_B)w_B(f_B⁺z⁻ᵀ/N_A − ⟨f_A⁻,f_B⁺⟩K_A/(rN_A²))}D_σ",
        )
        .source("Equation (5)", &["Section 5.1", "calculation: Lemma A.3"])
        .symbols([SIZES, LOSS_WITHOUT_NEGATIVES, AGREEMENT])
        .symbol("K̇_A", MOTION)
        .symbol("D_σ", "diag(AᵀA) = diag(σ_1², …, σ_r²), that of the instance also where H-orth fails")
        .reconstructed("the formula; three terms, each with a normalisation part, survive in words")
        .remark("Derived from the definitions with the time scale W' = −(r/τ²)∇L.")
        .setting(printed())
}

fn printed() -> Setting<TwoViews, ContrastiveVelocity> {
    over_warm_models(Setting::measuring(|v: &TwoViews, _| forms(v)))
        .without_search()
        .part("printed", "the right side of the statement is −(r/τ²)(∇_{W_A}L)A", holds(), |_, f| {
            agree(&f.velocity, &f.printed, f.scale)
        })
        .checked("ren2023.Dynamics.eq_5_printed")
        .assume(ORTHOGONAL)
        .step(
            "s2",
            "with 0 in place of the instance's τ²: S_A = S_B = 1/(1+K) at every positive pair, w_A = w_B = 1 with \
             every negative",
            holds(),
            |v, f| {
                let rest = Interval::point(v.negatives) / (Interval::ONE + v.negatives);
                all_of([every("1 − S", &f.at_zero[0], rest), every("w", &f.at_zero[1], Interval::ONE)])
            },
        )
        .step(
            "s2-limit",
            "with 0 in place of the instance's τ² the right side of the statement is 2K/(1+K) (K_B/(N_AN_B) − \
             ΨK_A/N_A²)D_σ",
            holds(),
            |_, f| agree(&f.zero_sides[0], &f.zero_sides[1], f.zero_scale),
        )
        .control("n1", "normalisation parts dropped", |_, f| agree(&f.velocity, &f.unnormalised, f.scale))
        .assume(ORTHOGONAL)
        .control("n2", "second and third terms with a plus sign", |_, f| agree(&f.velocity, &f.flipped, f.scale))
        .assume(ORTHOGONAL)
        .control("n3", "1 − S_A in place of 2 − S_A − S_B", |_, f| agree(&f.velocity, &f.one_sided, f.scale))
        .assume(ORTHOGONAL)
        .control("n4", "the formula of the statement without H-orth", |_, f| agree(&f.velocity, &f.printed, f.scale))
        .assume(Hypothesis::new("not H-orth", |v| !v.is_orthogonal()))
}
