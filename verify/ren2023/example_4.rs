//! The example between Definition 4.2 and Theorem 4.3: K_A = K_B = diag(a, 1, …, 1) is aligned and, for large a,
//! unbalanced.
//!
//! True: K is injective, so that every negative with another signal is strictly farther, and orthogonal columns make
//! ‖Kz‖ the same for all z, so that distances and inner products order alike. The covariance is diag(a², 1, …,
//! 1)/(a² + r − 1).

use enclosures::vectors::sum_of_squares;
use evidence::prelude::*;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};
use two_view::{Balance, Closeness, View, alignment_score};

use crate::shared::feature_pairs::{FeaturePair, half_to};
use crate::shared::notation::{ALIGNMENT, BALANCE, COVARIANCE, DATA, FEATURES, NORMALISER, OUTPUTS, SIZES};

#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(stored)]
struct Example {
    #[instance(symbol = "r", range = "2..=6")]
    signal: usize,
    #[instance(range = "1e-4..=1e4", scale = "logarithmic")]
    a: f64,
}

struct ExampleScores {
    alignment: [Interval; 2],
    /// R1, R2, R3 of the balance, by eigenvalues.
    balance: [Interval; 3],
    /// ‖K z‖² at the 2^r signals, over its mean.
    norms: Vec<Interval>,
}

fn scores(e: &Example) -> Result<ExampleScores, MeasureError> {
    let mut norms = vec![1.0; e.signal];
    norms[0] = e.a;
    let pair = FeaturePair::diagonal(e.signal, &norms);
    let state = pair.state()?;
    let balance = Balance::of(&state, View::A)?;
    let score = |c| alignment_score(&state, c).map(|s| s.all.score());
    Ok(ExampleScores {
        alignment: [score(Closeness::Distance)?, score(Closeness::InnerProduct)?],
        balance: balance.meanings(),
        norms: pair.outputs(View::A)?.iter().map(|f| sum_of_squares(f)).collect(),
    })
}

/// The printed values of R1, R2, R3.
fn printed(e: &Example) -> [Enclosure; 3] {
    let (a2, rest) = (exact(e.a).square(), Enclosure::from(e.signal - 1));
    let a4 = a2.square();
    let third = (a2 + rest).square() / (a4 + rest);
    if e.a >= 1.0 { [1.0 + rest / a4, 1.0 + rest / a2, third] } else { [a4 + rest, a2 + rest, third] }
}

pub fn claim() -> Claim {
    Claim::new("ren2023.example-4", "an aligned but unbalanced model", Kind::Identity)
        .statement(
            "q = 0, K_A = K_B = diag(a, 1, …, 1): ρ_A = 1 − 2^{−r}, and for a ≥ 1 ρ_B = 1 + (r−1)/a⁴ (R1), 1 + \
             (r−1)/a² (R2), (a²+r−1)²/(a⁴+r−1) (R3)",
        )
        .source("Section 4", &["the paragraph between Definition 4.2 and Theorem 4.3"])
        .symbols([SIZES, DATA, FEATURES, NORMALISER, OUTPUTS])
        .symbol("Σ", COVARIANCE.meaning)
        .symbols([BALANCE, ALIGNMENT])
        .reconstructed("the model and both scores; they are derived from the definitions")
        .remark("For a < 1 the largest eigenvalue is that of the other columns: R1 = a⁴+r−1, R2 = a²+r−1.")
        .setting(aligned())
}

fn aligned() -> Setting<Example, ExampleScores> {
    Setting::measuring(|e: &Example, _| scores(e))
        .given("q = 0, K_A = K_B = diag(a, 1, …, 1), a > 0, r ≥ 2")
        .family(edge("registered", || {
            let sizes = [1.0, 2.0, 10.0, std::f64::consts::SQRT_2, 4.0, 100.0, 0.5, 0.01];
            (2..=6)
                .flat_map(|signal| sizes.map(|a| (format!("r = {signal}, a = {a}"), Example { signal, a })))
                .collect()
        }))
        .family(
            random("any a", || {
                (2usize..=5, -4.0..4.0f64).prop_map(|(signal, log)| Example { signal, a: exact(log).exp().midpoint() })
            })
            .taking(0.5),
        )
        .without_search()
        .part("aligned", "ρ_A = 1 − 2^{−r} by distances and by inner products", holds(), |e, s| {
            let expected = exact(1.0 - half_to(e.signal));
            all_of([("R1", equal(s.alignment[0], expected)), ("R2", equal(s.alignment[1], expected))])
        })
        .part(
            "balance",
            "‖Σ‖_F²/‖Σ‖_2² = 1 + (r−1)/a⁴ and tr Σ/‖Σ‖_2 = 1 + (r−1)/a² for a ≥ 1, a⁴ + r − 1 and a² + r − 1 for a < \
             1, and (tr Σ)²/‖Σ‖_F² = (a²+r−1)²/(a⁴+r−1)",
            holds(),
            |e, s| {
                let parts = ["R1", "R2", "R3"].into_iter().zip(s.balance).zip(printed(e));
                all_of(parts.map(|((name, found), expected)| (name, equal(found, expected))))
            },
        )
        .step("s1", "‖K_Az‖ is the same for all z ∈ {±1/√r}^r", holds(), |_, s| {
            for_each("state", &s.norms, |_, &x| equal(x, 1))
        })
        .control("n1", "unbalanced models are not aligned: ρ_A < 1/2", |_, s| less_than(s.alignment[0], exact(0.5)))
        .control("n2", "ρ_B ≥ r/2 for this model (R2)", |e, s| {
            at_least(s.balance[1], Enclosure::from(e.signal) / 2.0)
        })
        .control("n3", "the values for a ≥ 1 also for a < 1", |e, s| {
            let rest = Enclosure::from(e.signal - 1);
            equal(s.balance[1], 1.0 + rest / exact(e.a).square())
        })
}
