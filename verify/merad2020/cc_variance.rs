//! Section 3.1, after Lemma 2: the variance of the coupon-collector time is printed as (π N_C)²/6.
//!
//! T_cc is a sum of independent geometric times with success probabilities (N_C − i)/N_C, so its variance is the finite sum
//! Σ_j N_C (N_C − j)/j² over j = 1..N_C, that is N_C² H⁽²⁾ − N_C H with H⁽²⁾ = Σ 1/j² and H = Σ 1/j. Because H⁽²⁾ < π²/6 the
//! printed value is a strict upper bound, and because H⁽²⁾ → π²/6 while H/N_C → 0 it is right asymptotically; it is never
//! attained.

use enclosures::interval::sum;
use enclosures::probability::{collector_mean, collector_variance};
use evidence::prelude::*;
use proptest::strategy::Strategy;

use crate::shared::collector_time::{BY_LAW, COLLECTOR, ClassCount, moments_by_law, named};
use crate::shared::notation::CLASS_COUNT;

struct Variance {
    /// Var T_cc, from the law for few classes and from the geometric waits for many.
    exact: Enclosure,
    /// (π N_C)²/6.
    printed: Enclosure,
    /// N_C² Σ 1/j².
    without_harmonic: Enclosure,
    /// N_C H.
    mean: Enclosure,
    classes: Enclosure,
}

fn variance(instance: &ClassCount) -> Result<Variance, MeasureError> {
    let n = Enclosure::from(instance.classes);
    let squares: Vec<Interval> =
        (1..=instance.classes).map(|j| Interval::ONE / Interval::point(j as f64).square()).collect();
    Ok(Variance {
        exact: if instance.classes <= BY_LAW {
            moments_by_law(instance.classes)?[1]
        } else {
            collector_variance(instance.classes).into()
        },
        printed: (Enclosure::pi() * n).square() / 6.0,
        without_harmonic: n.square() * Enclosure::from(sum(&squares)),
        mean: collector_mean(instance.classes).into(),
        classes: n,
    })
}

pub fn claim() -> Claim {
    Claim::new("merad2020.cc-variance", "variance of the coupon-collector time", Kind::Identity)
        .statement("Var T_cc = (π N_C)²/6 for uniform draws from N_C classes")
        .symbols([CLASS_COUNT])
        .source("section 3.1, after Lemma 2", &[])
        .remark(
            "For up to 100 classes the left side comes from the exact law of T_cc, beyond that from the geometric \
             waits.",
        )
        .remark(
            "Proof of the forms that hold: Var T_cc = N_C² Σ_j 1/j² − N_C Σ_j 1/j over j ≤ N_C; the first sum lies below \
             π²/6 by the tail 1/(N_C + 1) < Σ_{j > N_C} 1/j² < 1/N_C, so the variance stays below the printed value by \
             more than N_C H + N_C²/(N_C + 1) and less than N_C H + N_C; divided by the printed value the latter is \
             6(H + 1)/(π² N_C).",
        )
        .setting(printed())
}

fn printed() -> Setting<ClassCount, Variance> {
    Setting::measuring(|i: &ClassCount, _| variance(i))
        .given(COLLECTOR)
        .degenerate("N_C = 1: T_cc = 1", |i| i.classes == 1)
        .family(edge("every size", || (1..=50).chain([100, 1000, 10_000, 1_000_000]).map(named).collect()))
        .family(random("log-uniform size", || (0.0..13.0f64).prop_map(|u| ClassCount { classes: floor_exp(u) })))
        .without_search()
        .part(
            "printed",
            "Var T_cc = (π N_C)²/6",
            fails(
                "the printed value is only an upper bound, never attained; it leaves out −N_C H and the tail of Σ 1/j²",
            ),
            |_, v| equal(v.exact, v.printed),
        )
        .checked("merad2020.CouponCollector.cc_variance_printed_refuted")
        .sides("Var T_cc", "(π N_C)²/6")
        .meant("upper-bound", "Var T_cc ≤ (π N_C)²/6", holds(), |_, v| at_most(v.exact, v.printed))
        .checked("merad2020.CouponVariance.cc_variance_upper_bound")
        .because("printed is = for ≤: the display after it needs the upper bound")
        .amendment(
            "asymptotic",
            "1 − 6(H + 1)/(π² N_C) ≤ Var T_cc/((π N_C)²/6) ≤ 1: the ratio tends to one",
            holds(),
            |_, v| ascending([v.printed - v.mean - v.classes, v.exact, v.printed]),
        )
        .because("printed is \"given by\" for every N_C; the limit is what remains true of the equality")
        .amendment("exact", "Var T_cc = N_C² Σ_{j ≤ N_C} 1/j² − N_C H", holds(), |_, v| {
            equal(v.exact, v.without_harmonic - v.mean).on_scale_of("N_C² Σ_{j ≤ N_C} 1/j²", v.without_harmonic.hi())
        })
        .checked("merad2020.CouponVariance.cc_variance_exact")
        .sharpening("two-term", "Var T_cc ≤ (π N_C)²/6 − N_C H − N_C²/(N_C + 1)", holds(), |_, v| {
            at_most(v.exact, v.printed - v.mean - v.classes.square() / (v.classes + 1.0))
        })
        .control("a", "Var T_cc = N_C² Σ_{j ≤ N_C} 1/j²", |_, v| equal(v.exact, v.without_harmonic))
        .control("b", "Var T_cc ≤ (π N_C)²/12", |_, v| at_most(v.exact, v.printed / 2.0))
        .control("c", "1 − 3(H + 1)/(π² N_C) ≤ Var T_cc/((π N_C)²/6)", |_, v| {
            at_least(v.exact, v.printed - (v.mean + v.classes) / 2.0)
        })
}

/// ⌊e^u⌋, at least 1.
fn floor_exp(u: f64) -> u64 {
    Interval::point(u).exp().lo().floor().max(1.0) as u64
}
