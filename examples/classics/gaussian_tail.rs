//! The tail of the normal law: Mills' ratio and the exponential bound, one-sided and two-sided.

use contrapositive::prelude::*;
use contrapositive::probability::normal_two_sided_tail;
use proptest::prelude::Strategy;
use serde::{Deserialize, Serialize};

/// The number x.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "x = {x}", stored)]
struct Point {
    // Beyond, tails underflow.
    #[instance(range = "-37..=37")]
    x: f64,
}

struct NormalTail {
    /// P(|Z| ≥ x), twice P(Z ≥ x).
    two_sided: Enclosure,
    /// The density at x.
    density: Enclosure,
    /// e^(−x²/2).
    bell: Enclosure,
    x: Enclosure,
}

impl NormalTail {
    fn one_sided(&self) -> Enclosure {
        self.two_sided / 2.0
    }
}

fn setting() -> Setting<Point, NormalTail> {
    let named = || -> Vec<(&'static str, Point)> {
        let named = [
            ("one sixteenth", 0.0625),
            ("one eighth", 0.125),
            ("one half", 0.5),
            ("one", 1.0),
            ("two", 2.0),
            ("six", 6.0),
            ("thirty", 30.0),
        ];
        named.map(|(name, x)| (name, Point { x })).into()
    };
    Setting::measuring(|p: &Point, _| {
        let x = exact(p.x);
        let bell = (-x.square() / 2.0).exp();
        Ok(NormalTail {
            two_sided: normal_two_sided_tail(x.interval()).into(),
            density: bell / (2.0 * Enclosure::pi()).sqrt(),
            bell,
            x,
        })
    })
    .given("x ≤ 37")
    .assume(Hypothesis::new("x > 0", |p| p.x > 0.0))
    .family(edge("named", named))
    .family(random("drawn", || (0.001..8.0f64).prop_map(|x| Point { x })))
    .outside("not positive", || vec![("zero", Point { x: 0.0 }), ("minus one", Point { x: -1.0 })])
}

fn symbols(claim: Claim) -> Claim {
    claim.symbol("Z", "a standard normal variable").symbol("φ(x)", "e^(−x²/2)/√(2π), its density")
}

/// As it is quoted.
pub fn claim() -> Claim {
    symbols(Claim::new("classics.gaussian-tail", "Tails of the normal law", Kind::Inequality))
        .statement("x/(1 + x²) · φ(x) ≤ P(Z ≥ x) ≤ min(φ(x)/x, e^(−x²/2)) for all x > 0")
        .source("Gordon 1941", &["Feller 1968, lemma VII.2; Vershynin 2018, proposition 2.1.2"])
        .setting(
            setting()
                .part("below", "x/(1 + x²) · φ(x) ≤ P(Z ≥ x)", holds(), |_, s| {
                    at_most(s.x / (1.0 + s.x.square()) * s.density, s.one_sided())
                })
                .part("mills", "P(Z ≥ x) ≤ φ(x)/x", holds(), |_, s| at_most(s.one_sided(), s.density / s.x))
                .part("exponential", "P(Z ≥ x) ≤ e^(−x²/2)", holds(), |_, s| at_most(s.one_sided(), s.bell))
                .sharpening(
                    "half",
                    "P(Z ≥ x) ≤ ½ e^(−x²/2), so that P(|Z| ≥ x) ≤ e^(−x²/2)",
                    holds(),
                    |_, s| at_most(s.one_sided(), s.bell / 2.0),
                )
                .sharpening(
                    "birnbaum",
                    "½ (√(x² + 4) − x) φ(x) ≤ P(Z ≥ x) (Birnbaum 1942)",
                    holds(),
                    |_, s| {
                        // 2/(√(x² + 4) + x) is the same without cancellation.
                        at_most(2.0 / ((s.x.square() + 4.0).sqrt() + s.x) * s.density, s.one_sided())
                    },
                )
                .control("a", "P(Z ≥ x) ≤ 0.45 e^(−x²/2)", |_, s| at_most(s.one_sided(), 0.45 * s.bell))
                .control("b", "φ(x)/x ≤ P(Z ≥ x)", |_, s| at_most(s.density / s.x, s.one_sided()))
                .control("c", "P(Z ≥ x) ≤ x/(1 + x²) · φ(x)", |_, s| {
                    at_most(s.one_sided(), s.x / (1.0 + s.x.square()) * s.density)
                }),
        )
}

/// The one-sided bound for both sides.
pub fn misquoted() -> Claim {
    symbols(Claim::new("classics.mills-two-sided", "Mills' ratio for both sides, misquoted", Kind::Inequality))
        .statement("P(|Z| ≥ x) ≤ φ(x)/x for all x > 0")
        .source("a misquotation", &["of the bound by Mills' ratio, which is one-sided"])
        .setting(
            setting()
                .part("printed", "P(|Z| ≥ x) ≤ φ(x)/x", fails("there are two tails"), |_, s| {
                    at_most(s.two_sided, s.density / s.x)
                })
                .amendment("corrected", "P(|Z| ≥ x) ≤ 2φ(x)/x", holds(), |_, s| {
                    at_most(s.two_sided, 2.0 * s.density / s.x)
                })
                .control("a", "P(|Z| ≥ x) ≤ 3φ(x)/(2x)", |_, s| at_most(s.two_sided, 1.5 * s.density / s.x)),
        )
}
