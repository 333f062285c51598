//! Lemma 7: softplus against its tangent.

use contrapositive::prelude::*;
use serde::{Deserialize, Serialize};

/// The number a.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
struct Logit {
    #[instance(range = "-700.0..=700.0")]
    a: f64,
}

pub fn claim() -> Claim {
    Claim::new("mine.lemma-7", "softplus against its tangent", Kind::Inequality)
        .statement("log(1 + e^a) ≤ log 2 + a/2 for all a ≤ 0")
        .source("Lemma 7", &["section 2"])
        .symbol("log", "natural logarithm")
        .setting(
            Setting::measuring(|x: &Logit, _| Ok(exact(x.a)))
                .given("a a double between -700 and 700")
                .assume(Hypothesis::new("a ≤ 0", |x| x.a <= 0.0))
                .family(edge("named", || vec![("zero", Logit { a: 0.0 }), ("minus one", Logit { a: -1.0 })]))
                .family(random("drawn", any::<Logit>))
                .family(outside("positive", || vec![("one", Logit { a: 1.0 })]))
                .part("printed", "log(1 + e^a) ≤ log 2 + a/2", fails("softplus is convex"), |_, &a| {
                    at_most(a.softplus(), Enclosure::ln_2() + a / 2.0)
                })
                .amendment("corrected", "log(1 + e^a) ≥ log 2 + a/2", holds(), |_, &a| {
                    at_least(a.softplus(), Enclosure::ln_2() + a / 2.0)
                })
                .control("a", "log(1 + e^a) ≥ log 2", |_, &a| at_least(a.softplus(), Enclosure::ln_2())),
        )
}
