//! Section 3.1, after Lemma 2: the mean of the coupon-collector time.
//!
//! True: with i classes seen, the wait for a new one is geometric with mean N_C/(N_C − i), and the sum over i is N_C
//! H_{N_C}. The left side is taken from the law of T_cc, E T_cc = Σ_n P(T_cc > n), which knows nothing of these waits.

use enclosures::interval::sum;
use enclosures::probability::collector_mean;
use evidence::claim::{none_of, strictly_ascending};
use evidence::prelude::*;
use proptest::strategy::Strategy;

use crate::shared::collector_time::{BY_LAW, COLLECTOR, ClassCount, moments_by_law, named};
use crate::shared::notation::{CLASS_COUNT, LOGARITHM};

/// Up to so many classes inclusion and exclusion fits into 128 bits.
const BY_INTEGERS: u64 = 30;

struct Mean {
    /// E T_cc, from the law for few classes and from the geometric waits for many.
    exact: Enclosure,
    /// Σ_i N_C/(N_C − i).
    waits: Enclosure,
    /// N_C H_{N_C}.
    printed: Enclosure,
    classes: Enclosure,
}

fn mean(i: &ClassCount) -> Result<Mean, MeasureError> {
    let n = Enclosure::from(i.classes);
    let waits: Vec<Interval> = (0..i.classes).map(|seen| (n / Enclosure::from(i.classes - seen)).interval()).collect();
    let waits = Enclosure::from(sum(&waits));
    Ok(Mean {
        exact: if i.classes <= BY_LAW { moments_by_law(i.classes)?[0] } else { waits },
        waits,
        printed: collector_mean(i.classes).into(),
        classes: n,
    })
}

/// Why nothing is said of more classes.
const BEYOND: &str = "N_C > 30: the integers are beyond 128 bits";

/// Σ_j (−1)^{j+1} C(N, j) N/j = N H_m, both multiplied by the least common multiple of 1..N.
fn inclusion_and_exclusion(classes: u64, m: u64) -> Evaluation {
    if classes > BY_INTEGERS {
        return vacuous(BEYOND);
    }
    let (n, m) = (i128::from(classes), i128::from(m));
    let gcd = |mut a: i128, mut b: i128| {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let common = (1..=n).fold(1, |l, j| l / gcd(l, j) * j);
    let (mut left, mut right, mut binomial) = (0, 0, 1);
    for j in 1..=n {
        binomial = binomial * (n + 1 - j) / j;
        let term = binomial * n * (common / j);
        left += if j % 2 == 1 { term } else { -term };
        right += if j <= m { n * (common / j) } else { 0 };
    }
    none_of(usize::from(left != right))
}

/// Euler's constant.
fn euler() -> Enclosure {
    Enclosure::between(0.577_215_664_901_532_8, 0.577_215_664_901_532_9)
}

pub fn claim() -> Claim {
    Claim::new("merad2020.cc-mean", "mean of the coupon-collector time", Kind::Identity)
        .statement("E T_cc = N_C·H_{N_C} for uniform draws from N_C classes")
        .symbols([CLASS_COUNT, LOGARITHM])
        .symbol("γ", "Euler's constant 0.57721…, the limit of H_n − log n")
        .symbol("C(N_C, j)", "the binomial coefficient")
        .source("section 3.1, after Lemma 2", &[])
        .remark(
            "For up to 100 classes the left side is Σ_n P(T_cc > n) over the exact law, beyond that the sum of the \
             geometric waits. The sharpening is 1/(2n+2) < H_n − log n − γ < 1/(2n) (Young, Mathematical Gazette 75, \
             1991) times N_C.",
        )
        .setting(printed())
}

fn printed() -> Setting<ClassCount, Mean> {
    Setting::measuring(|i: &ClassCount, _| mean(i))
        .given(COLLECTOR)
        .family(edge("every size", || (1..=50).chain([100, 1000, 10_000]).map(named).collect()))
        .family(random("sizes", || (1u64..=60).prop_map(|classes| ClassCount { classes })).taking(0.1))
        .family(random("large sizes", || (100u64..=3000).prop_map(|classes| ClassCount { classes })).taking(0.25))
        .without_search()
        .part("printed", "E T_cc = N_C H_{N_C}", holds(), |_, m| equal(m.exact, m.printed))
        .checked("merad2020.CouponCollector.cc_mean_printed")
        .ours("waits", "E T_cc = Σ_{0≤i<N_C} N_C/(N_C − i), the waits for a new class", holds(), |_, m| {
            equal(m.exact, m.waits)
        })
        .assume(Hypothesis::new("N_C ≤ 100", |i| i.classes <= BY_LAW))
        .because("a second way to the mean, which the paper does not take")
        .ours(
            "exact",
            "Σ_{1≤j≤N_C} (−1)^{j+1} C(N_C, j) N_C/j = N_C H_{N_C}, both sides times the common denominator of 1, 1/2, \
             …, 1/N_C, in integers",
            holds(),
            |i, _| inclusion_and_exclusion(i.classes, i.classes),
        )
        .sides("1 if the integers differ", "0")
        .except(BEYOND)
        .because("a third way to the mean, without rounding")
        .tested_by("c")
        .sharpening(
            "asymptotic",
            "N_C log N_C + γN_C + N_C/(2N_C + 2) < E T_cc < N_C log N_C + γN_C + ½",
            holds(),
            |_, m| {
                let n = m.classes;
                let leading = n * n.ln() + euler() * n;
                strictly_ascending([leading + n / (2.0 * n + 2.0), m.exact, leading + 0.5])
            },
        )
        .control("a", "E T_cc = N_C log N_C", |_, m| equal(m.exact, m.classes * m.classes.ln()))
        .control("b", "E T_cc = N_C H_{N_C − 1}", |_, m| equal(m.exact, m.printed - 1.0))
        .control("c", "Σ_j (−1)^{j+1} C(N_C, j) N_C/j = N_C H_{N_C − 1}, in integers", |i, _| {
            inclusion_and_exclusion(i.classes, i.classes - 1)
        })
        .sides("1 if the integers differ", "0")
        .except(BEYOND)
}
