//! Section 3.1, after Lemma 2: the mean of the coupon-collector time.
//!
//! True: with i classes seen, the wait for a new one is geometric with mean N_C/(N_C − i), and the sum over i is N_C
//! H_{N_C}. The left side is taken from the law of T_cc, E T_cc = Σ_n P(T_cc > n), which knows nothing of these waits;
//! the sum is broken off at n = m, and what is left out is at most N_C²(1 − 1/N_C)^m by the union bound over the
//! classes.

use contrapositive::claim::{
    Claim, Kind, MeasureError, Setting, all_of, edge, equal, greater_than, holds, less_than, none_of, random, vacuous,
};
use contrapositive::enclosure::Enclosure;
use contrapositive::interval::{Interval, sum};
use contrapositive::probability::{CoverageLaw, collector_mean};
use proptest::strategy::Strategy;

use super::cc_variance::{ClassCount, named};

/// Up to so many classes the mean is taken from the law.
const BY_LAW: u64 = 100;
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

/// Σ_{n<m} P(T_cc > n), and a bound of the rest.
fn by_law(classes: u64) -> Result<Enclosure, MeasureError> {
    let n = Enclosure::from(classes);
    let last = (n * (2.0 * n.ln() + 40.0)).hi().ceil() as usize;
    let law = CoverageLaw::uniform(classes as usize, last)?;
    let terms: Vec<Interval> = (0..last).map(|m| law.survival(m)).collect();
    let rest = n.square() * (1.0 - 1.0 / n).powi(last as i64);
    Ok(Enclosure::from(sum(&terms)) + Enclosure::between(0.0, rest.hi()))
}

fn mean(i: &ClassCount) -> Result<Mean, MeasureError> {
    let n = Enclosure::from(i.classes);
    let waits: Vec<Interval> = (0..i.classes)
        .map(|seen| (n / Enclosure::from(i.classes - seen)).interval())
        .collect();
    let waits = Enclosure::from(sum(&waits));
    Ok(Mean {
        exact: if i.classes <= BY_LAW { by_law(i.classes)? } else { waits },
        waits,
        printed: collector_mean(i.classes).into(),
        classes: n,
    })
}

/// Whether Σ_j (−1)^{j+1} C(N, j) N/j = N H_N fails, both multiplied by the least common multiple of 1..N.
fn inclusion_and_exclusion_fails(classes: u64) -> bool {
    let n = i128::from(classes);
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
        right += n * (common / j);
    }
    left != right
}

/// Euler's constant.
fn euler() -> Enclosure {
    Enclosure::between(0.577_215_664_901_532_8, 0.577_215_664_901_532_9)
}

pub fn claim() -> Claim {
    Claim::new("merad2020.cc-mean", "mean of the coupon-collector time", Kind::Identity)
        .statement("E T_cc = N_C·H_{N_C} for uniform draws from N_C classes")
        .source("section 3.1, after Lemma 2", &[])
        .remark(
            "For up to 100 classes the left side is Σ_n P(T_cc > n) over the exact law, beyond that the sum of the \
             geometric waits. \
             The sharpening is 1/(2n+2) < H_n − log n − γ < 1/(2n) (Young, Mathematical Gazette 75, 1991) times N_C.",
        )
        .setting(
            Setting::measuring(|i: &ClassCount, _| mean(i))
                .assume("N_C ≥ 1", |i| i.classes >= 1)
                .family(edge("every size", || {
                    (1..=50).chain([100, 1000, 10_000]).map(named).collect()
                }))
                .family(random("sizes", || (1u64..=60).prop_map(|classes| ClassCount { classes })).taking(0.1))
                .family(
                    random("large sizes", || {
                        (100u64..=3000).prop_map(|classes| ClassCount { classes })
                    })
                    .taking(0.25),
                )
                .without_search()
                .part("printed", "E T_cc = N_C H_{N_C}", holds(), |_, m| {
                    equal(m.exact, m.printed)
                })
                .ours(
                    "waits",
                    "E T_cc = Σ_{i<N_C} N_C/(N_C − i), the waits for a new class",
                    holds(),
                    |_, m| equal(m.exact, m.waits),
                )
                .when("N_C ≤ 100, where the left side is taken from the law", |i| {
                    i.classes <= BY_LAW
                })
                .because("a second way to the mean, which the paper does not take")
                .ours(
                    "exact",
                    "Σ_j (−1)^{j+1} C(N_C, j) N_C/j = N_C H_{N_C}, in integers",
                    holds(),
                    |i, _| match i.classes {
                        0..=BY_INTEGERS => none_of(usize::from(inclusion_and_exclusion_fails(i.classes))),
                        _ => vacuous("the integers are beyond 128 bits"),
                    },
                )
                .when("N_C ≤ 30", |i| i.classes <= BY_INTEGERS)
                .because("a third way to the mean, without rounding")
                .sharpening(
                    "asymptotic",
                    "N_C log N_C + γN_C + N_C/(2N_C + 2) < E T_cc < N_C log N_C + γN_C + ½",
                    holds(),
                    |_, m| {
                        let n = m.classes;
                        let leading = n * n.ln() + euler() * n;
                        all_of([
                            ("lower", greater_than(m.exact, leading + n / (2.0 * n + 2.0))),
                            ("upper", less_than(m.exact, leading + 0.5)),
                        ])
                    },
                )
                .control("a", "E T_cc = N_C log N_C", |_, m| {
                    equal(m.exact, m.classes * m.classes.ln())
                })
                .control("b", "E T_cc = N_C H_{N_C − 1}", |_, m| {
                    equal(m.exact, m.printed - 1.0)
                }),
        )
}
