//! Section 3.1, after Lemma 2: Chebyshev's inequality for the coupon-collector time.
//!
//! True: the variance is at most (π N_C)²/6 (see cc-variance). It is far from the truth: the union bound over the classes
//! gives P(T_cc > n) ≤ N_C (1 − 1/N_C)^n ≤ N_C e^{−n/N_C}, which falls exponentially in β where Chebyshev's bound falls like
//! 1/β².

use std::sync::OnceLock;

use enclosures::interval::Dual;
use enclosures::probability::{CollectorError, CoverageLaw, collector_mean, collector_variance};
use enclosures::work::shared;
use evidence::prelude::*;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

use crate::shared::collector_time::COLLECTOR;
use crate::shared::notation::CLASS_COUNT;

/// A number of classes and a deviation in units of it.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "N_C = {classes}, β = {beta}", simpler = Self::of_fewer_classes, stored)]
struct Deviation {
    // The law is computed for these.
    #[instance(range = "1..=300")]
    classes: usize,
    // Beyond 40 both sides are below every printed digit; the law would only get longer.
    #[instance(range = "(-∞, 40]")]
    beta: f64,
}

impl Deviation {
    fn of_fewer_classes(&self) -> Vec<Self> {
        let sizes = [1, 2, self.classes / 2, self.classes - 1];
        let fewer = sizes.into_iter().filter(|&classes| (1..self.classes).contains(&classes));
        fewer.map(|classes| Deviation { classes, beta: self.beta }).collect()
    }
}

/// The laws are computed up to this deviation; the exact probability is below e^−12 there.
const LARGEST_BETA: f64 = 12.0;

/// The law for so many classes, computed once however many trials ask.
fn law(classes: usize) -> Result<&'static CoverageLaw, CollectorError> {
    static LAWS: [OnceLock<Result<CoverageLaw, CollectorError>>; 301] = [const { OnceLock::new() }; 301];
    let slot = LAWS.get(classes).ok_or(CollectorError::TooLarge { classes, draws: 0 })?;
    // What is kept is no work of whoever asks first.
    let compute = || {
        let longest = collector_mean(classes as u64) + Interval::point(LARGEST_BETA) * classes as f64;
        CoverageLaw::uniform(classes, longest.hi().ceil() as usize + 2)
    };
    let computed = shared(0, || slot.get_or_init(compute));
    computed.as_ref().map_err(Clone::clone)
}

struct Tail {
    law: &'static CoverageLaw,
    /// P(|T_cc − N_C H| ≥ β N_C).
    probability: Enclosure,
    /// P(|T_cc − N_C H| ≥ β).
    unscaled: Enclosure,
    /// π²/(6β²).
    bound: Enclosure,
    /// N_C H + β N_C.
    upper_end: Interval,
    variance: Enclosure,
}

fn tail(instance: &Deviation) -> Result<Tail, Box<dyn std::error::Error + Send + Sync>> {
    let (n, beta) = (instance.classes as f64, Interval::point(instance.beta));
    let upper_end = collector_mean(instance.classes as u64) + beta * n;
    let law = law(instance.classes)?;
    Ok(Tail {
        probability: law.deviation(beta).into(),
        unscaled: law.deviation(beta / n).into(),
        bound: Enclosure::pi().square() / (6.0 * Enclosure::from(beta).square()),
        upper_end,
        variance: collector_variance(instance.classes as u64).into(),
        law,
    })
}

impl Tail {
    /// P(T_cc > N) at N = N_C H + β N_C; where the enclosure of N does not settle its integer part, both are enclosed.
    fn beyond(&self) -> Enclosure {
        let at = |x: f64| self.law.survival(x.floor() as usize);
        at(self.upper_end.lo()).hull(at(self.upper_end.hi())).into()
    }
}

/// Numbers of classes for which the bound is proved for every β.
const FEW: usize = 100;

/// π²/(6β²) less the exact probability, the smallest over N_C ≤ [`FEW`], times `scale` for the bound.
fn room(beta: Dual<1>, scale: f64) -> Dual<1> {
    let bound = scale * Interval::pi().square() / (6.0 * beta.square());
    let smallest = (1..=FEW).map(|classes| match law(classes) {
        // A step function of β: its range is known, its slopes are not.
        Ok(law) => bound - Dual { value: law.deviation(beta.value), slopes: [Interval::ENTIRE], defined: true },
        Err(_) => bound - Interval::ENTIRE,
    });
    smallest.fold(bound, Dual::min)
}

/// The bound for few classes, where it is below one and the law is computed.
fn few_classes() -> Proof<1> {
    let domain = [(1.28, LARGEST_BETA)];
    Proof::covering("N_C ≤ 100 and 1.28 ≤ β ≤ 12", domain, |[beta]| room(beta, 1.0))
        .in_other_form("the smallest room over all N_C ≤ 100")
        .control("π²/(60β²)", |[beta]| room(beta, 0.1))
}

/// Beyond, by the union bound: N_C e^{−n/N_C} with n ≥ N_C H + β N_C − 1, against π²/(6β²), both times β² and e^{β/2} ≥ β²/8.
fn tail_of_few() -> Proof<1> {
    let room = |beta: Dual<1>, scale: f64| {
        let each = (1..=FEW as u64).map(|classes| {
            let n = Interval::point(classes as f64);
            let first = (1.0 / n - collector_mean(classes) / n).exp();
            scale * Interval::pi().square() / 6.0 - 8.0 * n * first * (-0.5 * beta).exp()
        });
        each.fold(Dual::constant(1.0), Dual::min)
    };
    Proof::covering("N_C ≤ 100 and β ≥ 12", [(LARGEST_BETA, f64::INFINITY)], move |[beta]| room(beta, 1.0))
        .in_other_form("times β², with the union bound for the probability and e^{β/2} ≥ β²/8; T_cc ≤ 0 is impossible")
        .control("no bound at all", move |[beta]| room(beta, 0.0))
}

fn deviation_of_few(i: &Deviation) -> Option<[Enclosure; 1]> {
    Some([exact(i.beta)]).filter(|_| i.classes <= FEW)
}

fn deviation([beta]: [f64; 1]) -> Deviation {
    Deviation { classes: FEW, beta }
}

pub fn claim() -> Claim {
    Claim::new("merad2020.cc-chebyshev", "tail of the coupon-collector time", Kind::ProbabilityBound)
        .statement("P(|T_cc − N_C H_{N_C}| ≥ β N_C) ≤ π²/(6β²) for all N_C ≥ 1, β > 0 and uniform draws")
        .symbols([CLASS_COUNT])
        .symbol("p_cc", "p_cc(N) = P(T_cc ≤ N), the probability that N uniform draws show every class")
        .source("section 3.1, display after Lemma 2", &[])
        .remark("For β ≤ π/√6 = 1.28… the right side is at least one and the statement says nothing.")
        .remark(
            "Proofs of the sharpenings: Chebyshev's inequality with the exact variance; Cantelli's one-sided \
             inequality; and the union bound over the classes, P(T_cc > n) ≤ N_C (1 − 1/N_C)^n ≤ N_C e^{−n/N_C}.",
        )
        .setting(printed())
}

fn printed() -> Setting<Deviation, Tail> {
    Setting::measuring(|i: &Deviation, _| tail(i))
        .given(COLLECTOR)
        .assume(Hypothesis::new("β > 0", |i| i.beta > 0.0))
        .family(edge("grid", || {
            let sizes = [1usize, 2, 5, 20, 100, 300];
            let betas = [0.1, 0.5, 1.0, 1.25, 1.3, 1.5, 2.0, 3.0, 5.0, 10.0];
            let pairs = sizes.into_iter().flat_map(|classes| betas.map(|beta| Deviation { classes, beta }));
            described(pairs)
        }))
        // N_C (H + β) is an integer: with H_2 = 3/2 and H_5 = 137/60 the end point belongs to the event.
        .family(edge("integer end points", || {
            let two = (1..=8).map(|k| Deviation { classes: 2, beta: f64::from(k) / 2.0 });
            let one = (1..=4).map(|k| Deviation { classes: 1, beta: f64::from(k) });
            described(two.chain(one))
        }))
        .family(random("sizes and deviations", || {
            (1usize..=60, 0.1..10.0f64).prop_map(|(classes, beta)| Deviation { classes, beta })
        }))
        .family(outside("β ≤ 0", || {
            let of = |classes, beta| Deviation { classes, beta };
            described([of(2, 0.0), of(5, -1.0), of(5, -2.0), of(20, -1.5)])
        }))
        .part("printed", "P(|T_cc − N_C H| ≥ β N_C) ≤ π²/(6β²)", holds(), |_, t| {
            if t.bound.lo() >= 1.0 {
                return vacuous("the bound exceeds one");
            }
            at_most(t.probability, t.bound)
        })
        .checked("merad2020.CouponVariance.cc_chebyshev_printed")
        .except("the bound exceeds one")
        .proved_by(few_classes(), |i| deviation_of_few(i).filter(|[beta]| beta.hi() <= LARGEST_BETA), deviation)
        .proved_by(tail_of_few(), |i| deviation_of_few(i).filter(|[beta]| beta.lo() >= LARGEST_BETA), deviation)
        .step("s1", "p_cc(N) ≥ 1 − π²/(6β²) at N = ⌊N_C H + β N_C⌋", holds(), |_, t| {
            at_most(t.beyond(), t.bound)
        })
        .sides("1 − p_cc(N)", "π²/(6β²)")
        .sharpening("variance", "P(|T_cc − N_C H| ≥ β N_C) ≤ Var T_cc/(β N_C)²", holds(), |i, t| {
            let radius = exact(i.beta) * i.classes as f64;
            at_most(t.probability, t.variance / radius.square())
        })
        .checked("merad2020.CouponVariance.cc_chebyshev_variance")
        .sharpening(
            "one-sided",
            "P(T_cc > N_C H + β N_C) ≤ v/(v + β²) with v = Var T_cc/N_C²",
            holds(),
            |i, t| {
                let v = t.variance / Enclosure::from(i.classes).square();
                at_most(t.beyond(), v / (v + exact(i.beta).square()))
            },
        )
        .sharpening("exponential", "P(T_cc > n) ≤ N_C e^{−n/N_C} at n = ⌊N_C H + β N_C⌋", holds(), |i, t| {
            let n = Enclosure::between(t.upper_end.lo().floor(), t.upper_end.hi().floor());
            at_most(t.beyond(), Enclosure::from(i.classes) * (-(n / i.classes as f64)).exp())
        })
        .checked("merad2020.CouponCollector.cc_chebyshev_exponential")
        .control("a", "P(|T_cc − N_C H| ≥ β N_C) ≤ π²/(60β²)", |_, t| at_most(t.probability, t.bound / 10.0))
        .control("b", "P(|T_cc − N_C H| ≥ β) ≤ π²/(6β²)", |_, t| at_most(t.unscaled, t.bound))
        .control("c", "P(|T_cc − N_C H| ≥ β N_C) ≥ min(π²/(6β²), 1)", |_, t| {
            at_least(t.probability, t.bound.min(1))
        })
}
