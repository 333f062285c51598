//! Section 3.1, after Lemma 2: the variance of the coupon-collector time is printed as (π N_C)²/6.
//!
//! T_cc is a sum of independent geometric times with success probabilities (N_C − i)/N_C, so its variance is the finite sum
//! Σ_j N_C (N_C − j)/j² over j = 1..N_C, that is N_C² H⁽²⁾ − N_C H with H⁽²⁾ = Σ 1/j² and H = Σ 1/j. Because H⁽²⁾ < π²/6 the
//! printed value is a strict upper bound, and because H⁽²⁾ → π²/6 while H/N_C → 0 it is right asymptotically; it is never
//! attained.

use contrapositive::claim::{Claim, Kind, Setting, at_least, at_most, consistent, edge, equal, fails, holds, random};
use contrapositive::enclosure::Enclosure;
use contrapositive::instance::Instance;
use contrapositive::interval::{Interval, sum};
use contrapositive::probability::{collector_mean, collector_variance};
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

/// A number of classes, drawn from uniformly.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ClassCount {
    pub classes: u64,
}

impl Instance for ClassCount {
    fn describe(&self) -> String {
        format!("N_C = {}", self.classes)
    }

    fn simpler(&self) -> Vec<Self> {
        [1, 2, self.classes / 2, self.classes.saturating_sub(1)]
            .into_iter()
            .filter(|&classes| classes < self.classes)
            .map(|classes| ClassCount { classes })
            .collect()
    }
}

struct Variance {
    /// Var T_cc, a finite sum.
    exact: Enclosure,
    /// (π N_C)²/6.
    printed: Enclosure,
    /// N_C² Σ 1/j².
    without_harmonic: Enclosure,
    /// N_C H.
    mean: Enclosure,
    classes: Enclosure,
}

fn variance(instance: &ClassCount) -> Variance {
    let n = Enclosure::from(instance.classes);
    let squares: Vec<Interval> = (1..=instance.classes)
        .map(|j| Interval::ONE / Interval::point(j as f64).square())
        .collect();
    Variance {
        exact: collector_variance(instance.classes).into(),
        printed: (Enclosure::pi() * n).square() / 6.0,
        without_harmonic: n.square() * Enclosure::from(sum(&squares)),
        mean: collector_mean(instance.classes).into(),
        classes: n,
    }
}

pub fn claim() -> Claim {
    Claim::new(
        "merad2020.cc-variance",
        "variance of the coupon-collector time",
        Kind::Identity,
    )
    .statement("Var T_cc = (π N_C)²/6 for uniform draws from N_C classes")
    .source("section 3.1, after Lemma 2", &[])
    .remark(
        "Proof of the amended form: Var T_cc = N_C² Σ_j 1/j² − N_C Σ_j 1/j over j ≤ N_C; the first sum lies below π²/6 \
         by the tail Σ_{j > N_C} 1/j² > 1/(N_C + 1), so the variance stays below the printed value by more than N_C H \
         + N_C²/(N_C + 1), while the ratio tends to one.",
    )
    .setting(
        Setting::measuring(|i: &ClassCount, _| Ok(variance(i)))
            .assume("N_C ≥ 1", |i| i.classes >= 1)
            .family(edge("every size", || {
                (1..=50).chain([100, 1000, 10_000, 1_000_000]).map(named).collect()
            }))
            .family(random("log-uniform size", || {
                (0.0..13.0f64).prop_map(|u| ClassCount { classes: floor_exp(u) })
            }))
            .without_search()
            .part(
                "printed",
                "Var T_cc = (π N_C)²/6",
                fails(
                    "the printed value is only an upper bound, never attained; it leaves out −N_C H and the tail of Σ \
                     1/j²",
                ),
                |_, v| equal(v.exact, v.printed),
            )
            .amendment("upper-bound", "Var T_cc ≤ (π N_C)²/6", holds(), |_, v| {
                at_most(v.exact, v.printed)
            })
            .because("printed is \"given by\"; the upper bound is what the display after it needs")
            .amendment(
                "exact",
                "Var T_cc = N_C² Σ_{j ≤ N_C} 1/j² − N_C H",
                holds(),
                |_, v| equal(v.exact, v.without_harmonic - v.mean),
            )
            .sharpening(
                "two-term",
                "Var T_cc ≤ (π N_C)²/6 − N_C H − N_C²/(N_C + 1)",
                holds(),
                |_, v| at_most(v.exact, v.printed - v.mean - v.classes.square() / (v.classes + 1.0)),
            )
            .control("a", "Var T_cc = N_C² Σ 1/j²", |_, v| {
                equal(v.exact, v.without_harmonic)
            })
            .control("b", "Var T_cc ≤ (π N_C)²/12", |_, v| {
                at_most(v.exact, v.printed / 2.0)
            }),
    )
    .setting(
        Setting::of()
            .assume("N_C ≥ 1", |i: &ClassCount| i.classes >= 1)
            .family(edge("decades", || (0..=5).map(|k| named(10u64.pow(k))).collect()))
            .without_search()
            .amendment(
                "asymptotic",
                "the distance of Var T_cc / ((π N_C)²/6) from 1 shrinks at least fourfold with every decade of N_C",
                consistent(),
                |i, ()| {
                    let defect = |classes| {
                        let v = variance(&ClassCount { classes });
                        1.0 - v.exact / v.printed
                    };
                    let (here, next) = (defect(i.classes), defect(10 * i.classes));
                    at_least(here, 4.0 * next)
                        .as_trend()
                        .noting(format!("distance from 1 at 10 N_C: {next:.3}"))
                },
            )
            .because("printed is \"given by\" for every N_C; the limit is what remains true of the equality"),
    )
}

/// The instance under the name of its size.
pub fn named(classes: u64) -> (String, ClassCount) {
    (format!("N_C = {classes}"), ClassCount { classes })
}

/// ⌊e^u⌋, at least 1.
fn floor_exp(u: f64) -> u64 {
    Interval::point(u).exp().lo().floor().max(1.0) as u64
}
