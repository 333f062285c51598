//! Lemma 2: entries of a random matrix with orthonormal columns are at most of order log h/√h.
//!
//! *True*, for every constant L > 0. One entry is a coordinate s₁ of a uniform unit vector and P(|s₁| ≥ a) ≤ (1 − a²)^{(h−1)/2}, so a union over at
//! most h² entries gives P ≤ h²e^{−L²log²h (h−1)/(2h)}, which is at most 1/h once log h ≥ 6h/((h−1)L²): for L = 3 from h = 3 on. At h = 2 this
//! threshold exceeds one, at h = 1 the bound 1/h is one. With the same union √(6 log h/h) suffices in place of L log h/√h: the printed threshold is too large by the factor √log h.
//!
//! *The printed proof* needs three repairs. Its tail P(|X| ≥ a) ≤ e^{−a²/2}/√(2π) is false for a < 1.57 (at a = 0 it is 1 ≤ 0.4), so
//! s1 fails at h = 1 and 2; e^{−a²/2} is true. In s3 the norm of X must be bounded below, not above. In s6 neither s nor t may be zero.

mod gaussian_columns;

use enclosures::linear_algebra::haar_orthonormal;
use enclosures::probability::clopper_pearson;
use enclosures::probability::{chi_square_lower_tail, normal_two_sided_tail, sphere_coordinate_tail};
use evidence::prelude::*;
use proptest::prelude::Strategy;
use serde::{Deserialize, Serialize};

use gaussian_columns::{ColumnSample, Gaussians, compare_largest, exceeds, gaussians, log, samples, vanishing};

/// A width, a number of columns and the constant of the threshold.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(valid = Self::are_tall, simpler = Self::with_smaller_sizes, stored)]
struct ColumnSizes {
    #[instance(range = "1..=4503599627370496")]
    h: u64,
    #[instance(range = "1..")]
    d: u64,
    #[instance(symbol = "L", range = "0..=100")]
    constant: f64,
}

impl ColumnSizes {
    fn are_tall(&self) -> Result<(), String> {
        if self.d <= self.h { Ok(()) } else { Err(format!("d = {} is beyond h = {}", self.d, self.h)) }
    }

    fn with_smaller_sizes(&self) -> Vec<Self> {
        let of = |h: u64, d: u64| ColumnSizes { h, d, ..self.clone() };
        let (h, d) = (self.h, self.d);
        let halved = (h > 1).then(|| of(h.div_ceil(2), d.min(h.div_ceil(2))));
        let less = (h > 1).then(|| of(h - 1, d.min(h - 1)));
        let fewer = (d > 1).then(|| of(h, d.div_ceil(2)));
        [halved, less, fewer].into_iter().flatten().collect()
    }
}

impl ColumnSizes {
    /// h ≥ 2 and L² log h ≥ 6h/(h − 1), beyond doubt.
    fn is_wide(&self) -> bool {
        let h = Enclosure::from(self.h);
        self.h > 1 && (log(self.h) * (h - 1.0) * exact(self.constant).square()).lo() >= (6.0 * h).hi()
    }
}

fn printed_threshold(h: u64, constant: f64) -> Enclosure {
    log(h) * constant / Enclosure::from(h).sqrt()
}

fn sizes() -> Vec<Family<ColumnSizes>> {
    vec![
        edge("widths, columns and constants", || {
            let mut all = Vec::new();
            for h in [1u64, 2, 3, 4, 5, 6, 8, 20, 100, 512, 4096, 1_000_000, 1_000_000_000, 1_000_000_000_000] {
                for d in [1, h.min(3), h] {
                    for constant in [0.1, 0.5, 1.0, 2.0, 3.0] {
                        all.push(ColumnSizes { h, d, constant });
                    }
                }
            }
            described(all)
        }),
        random("any width", || {
            (0.0..27.0f64, 0.0..=1.0f64, 0.3..4.0f64).prop_map(|(size, share, constant)| {
                let h = exact(size).exp().midpoint() as u64;
                let d = exact(size * share).exp().midpoint() as u64;
                ColumnSizes { h: h.max(1), d: d.clamp(1, h.max(1)), constant }
            })
        }),
    ]
}

/// Frequencies over Haar draws against the law of a coordinate.
fn frequency(s: &ColumnSizes, trial: &mut Trial) -> Result<(Enclosure, Enclosure), MeasureError> {
    let (h, d) = (s.h as usize, s.d as usize);
    let level = (exact(s.constant) / Enclosure::from(s.h).sqrt()).midpoint();
    // So many that the interval is shorter than the 0.15 of the step on every budget.
    let draws = trial.samples_at_least(1600);
    let mut above = 0;
    for _ in 0..draws {
        let q = haar_orthonormal(trial.rng(), h, d)?;
        above += u64::from(q.entries().last().is_some_and(|x| x.abs() >= level));
    }
    let law = sphere_coordinate_tail(s.h, exact(level).interval());
    Ok((clopper_pearson(above, draws as u64, trial.alpha(1))?, law.into()))
}

fn shapes(list: &'static [(u64, u64, f64)]) -> impl Fn() -> Vec<(String, ColumnSizes)> {
    move || {
        let of = |&(h, d, constant): &(u64, u64, f64)| ColumnSizes { h, d, constant };
        described(list.iter().map(of))
    }
}

const FEW_UNITS: Hypothesis<Gaussians> = Hypothesis::new("h ≤ 1000", |g| g.h <= 1000);

pub fn claim() -> Claim {
    Claim::new("esser2024.lemma-2", "entries of a random semi-orthogonal matrix", Kind::ProbabilityBound)
        .statement(
            "Q the first d ≤ h columns of a Haar h×h orthogonal matrix: there are L and ε_h → 0 with P(max_{ij}|Q_ij| \
             ≥ L log h/√h) ≤ ε_h for all h and d ≤ h",
        )
        .source("Lemma 2", &["its proof in the appendix"])
        .symbol("Haar", "uniformly distributed on the orthogonal matrices")
        .symbol(
            "Q_ij",
            "the entries of Q, i = 1, …, h, j = 1, …, d; max is over all of them, and over i = 1, …, h for X_i",
        )
        .symbol("L", "a positive constant")
        .symbol("log", "the natural logarithm")
        .symbol("‖X‖", "(ΣX_i²)^{1/2}")
        .remark(
            "The probability is enclosed between that of one entry (Student's t law) and the sum over all entries; \
             nothing is sampled but s7.",
        )
        .remark(
            "s2 holds with C′ = 1 and c′ = 1/4, from 1 − s ≤ e^{−s − s²/2} in Chernoff's bound; 1/4 is the largest \
             constant, as the exponent per degree of freedom is s²/4 + O(s³).",
        )
        .setting(printed())
        .setting(largest_of_gaussians())
        .setting(below_the_norm())
        .setting(law_of_an_entry())
}

fn printed() -> Setting<ColumnSizes, ()> {
    Setting::of()
        .given("1 ≤ d ≤ h, Q the first d columns of a Haar h×h matrix")
        .family(sizes())
        .part(
            "printed",
            "P(max|Q_ij| ≥ 3 log h/√h) ≤ 1/h: L = 3 and ε_h = 1/h serve all h and d",
            holds(),
            |s, ()| at_most(exceeds(s.h, s.d, printed_threshold(s.h, 3.0)), 1.0 / Enclosure::from(s.h)),
        )
        .our_constant(
            "L = 3 and ε_h = 1/h; printed is that there are such. The indices p and n of the print are read as h",
        )
        .sharpening("every-constant", "P(max|Q_ij| ≥ L log h/√h) ≤ 1/h", holds(), |s, ()| {
            at_most(exceeds(s.h, s.d, printed_threshold(s.h, s.constant)), 1.0 / Enclosure::from(s.h))
        })
        .assume(Hypothesis::new("h ≥ 2 and L² log h ≥ 6h/(h − 1)", ColumnSizes::is_wide))
        .sharpening("root-log", "P(max|Q_ij| ≥ √(6 log h/h)) ≤ h^{−1+3/h}", holds(), |s, ()| {
            let h = Enclosure::from(s.h);
            let threshold = (6.0 * log(s.h) / h).sqrt();
            at_most(exceeds(s.h, s.d, threshold), ((3.0 / h - 1.0) * log(s.h)).exp())
        })
        .control("a", "P(max|Q_ij| ≥ 1/√h) ≤ 1/h", |s, ()| {
            let h = Enclosure::from(s.h);
            at_most(exceeds(s.h, s.d, 1.0 / h.sqrt()), 1.0 / h)
        })
        .control("b", "Q = [I; 0], which is not random: max < 3 log h/√h", |s, ()| {
            less_than(1, printed_threshold(s.h, 3.0))
        })
        .control("c", "P(max|Q_ij| ≥ √(log h/h)) ≤ 1/h", |s, ()| {
            let h = Enclosure::from(s.h);
            at_most(exceeds(s.h, s.d, (log(s.h) / h).sqrt()), 1.0 / h)
        })
}

fn largest_of_gaussians() -> Setting<Gaussians, ()> {
    Setting::<Gaussians, ()>::of()
        .degenerate("h = 1", |g| g.h == 1)
        .given("X_1, …, X_h independent and standard normal, a = t log h, h ≥ 1, t ≥ 0, s ≥ 0")
        .assume(Hypothesis::new("s < 1", |g: &Gaussians| g.s < 1.0))
        .family(outside("s = 1", || vec![("h = 4", Gaussians { h: 4, t: 1.0, s: 1.0 })]))
        .family(gaussians())
        .step(
            "s1",
            "P(max|X_i| ≥ a) ≤ he^{−a²/2}/√(2π)",
            fails("h = 1: the left side is one; for one variable the inequality needs a ≥ 1.57"),
            |g, ()| at_most(g.largest_above(), g.decay() / (Enclosure::pi() * 2.0).sqrt()),
        )
        .sides("P(max|X_i| ≥ a)", "he^{−a²/2}/√(2π)")
        .assume(Hypothesis::new("t > 0", |g| g.t > 0.0))
        .amendment("s1-standard", "P(max|X_i| ≥ a) ≤ he^{−a²/2}", holds(), |g, ()| {
            at_most(g.largest_above(), g.decay())
        })
        .amendment("s1-three", "P(max|X_i| ≥ a) ≤ he^{−a²/2}/√(2π)", holds(), |g, ()| {
            at_most(g.largest_above(), g.decay() / (Enclosure::pi() * 2.0).sqrt())
        })
        .assume(Hypothesis::new("h ≥ 3", |g| g.h >= 3))
        .step("s2", "P(ΣX_i²/h < 1 − s) ≤ e^{−hs²/4}: C′ = 1, c′ = 1/4", holds(), |g, ()| {
            let level = Enclosure::from(g.h()) * (1.0 - exact(g.s));
            at_most(chi_square_lower_tail(g.h, level.interval()), g.norm_decay())
        })
        .assume(FEW_UNITS)
        .our_constant("C′ = 1 and c′ = 1/4; printed is that there are such")
        .sharpening(
            "s2-factor",
            "P(ΣX_i²/h < 1 − s) ≤ P(X_1² < 1)e^{−hs²/4}, P(X_1² < 1) = 0.683, attained for h = 1 and s = 0",
            holds(),
            |g, ()| {
                let level = Enclosure::from(g.h()) * (1.0 - exact(g.s));
                let factor = 1.0 - Enclosure::from(normal_two_sided_tail(Enclosure::ONE.interval()));
                at_most(chi_square_lower_tail(g.h, level.interval()), g.norm_decay() * factor).on_unit_scale()
            },
        )
        .assume(FEW_UNITS)
        .control("s2-larger", "P(ΣX_i²/h < 1 − s) ≤ e^{−hs²/2}", |g, ()| {
            let level = Enclosure::from(g.h()) * (1.0 - exact(g.s));
            at_most(chi_square_lower_tail(g.h, level.interval()), g.norm_decay().square())
        })
        .assume(FEW_UNITS)
        .step(
            "s4",
            "P(max|X_i|/‖X‖ ≥ a/√(h(1−s))) ≤ he^{−a²/2}/√(2π) + e^{−hs²/4}",
            holds(),
            |g, ()| at_most(g.column_above(1), g.printed_bound()),
        )
        .assume(FEW_UNITS)
        .step(
            "s5",
            "P(max|Q_ij| ≥ a/√(h(1−s))) ≤ h²e^{−a²/2}/√(2π) + he^{−hs²/4}, Q Haar h×h with all its d = h columns",
            holds(),
            |g, ()| at_most(g.column_above(g.h()), g.printed_bound() * f64::from(g.h)),
        )
        .assume(FEW_UNITS)
        .step(
            "s6",
            "h²e^{−t²log²h/2} ≤ 1/h at log h = 6.006/t² and he^{−hs²/4} ≤ 1/h at h = 64/s⁴ (1/1000 there for a smaller \
             t or s), both compared by the logarithms of their sides, so both tend to 0, for all s, t ≥ 0",
            fails("for t = 0 or s = 0 both sequences grow"),
            |g, ()| vanishing(g),
        )
        .amendment(
            "s6-positive",
            "h²e^{−t²log²h/2} ≤ 1/h at log h = 6.006/t² and he^{−hs²/4} ≤ 1/h at h = 64/s⁴ (1/1000 there for a smaller \
             t or s), both compared by the logarithms of their sides",
            holds(),
            |g, ()| vanishing(g),
        )
        .assume(Hypothesis::new("s ≥ 1/1000", |g| g.s >= 1e-3))
        .assume(Hypothesis::new("t ≥ 1/1000", |g| g.t >= 1e-3))
}

fn below_the_norm() -> Setting<ColumnSample, ()> {
    Setting::of()
        .given("X ∈ ℝ^h, t ≥ 0, 0 < s < 1")
        .assume(Hypothesis::new("max|X_i| ≤ t log h", ColumnSample::largest_is_small))
        .family(samples())
        .step(
            "s3",
            "√(h(1−s))·max|X_i| ≤ t log h·‖X‖",
            fails("a short vector: its norm is bounded above, where a bound below is needed"),
            |v, ()| compare_largest(v),
        )
        .sides("√(h(1−s))·max|X_i|", "t log h·‖X‖")
        .assume(Hypothesis::new("ΣX_i²/h ≤ 1 + s", |v| v.mean_square().hi() <= 1.0 + v.s))
        .amendment("s3-below", "√(h(1−s))·max|X_i| ≤ t log h·‖X‖", holds(), |v, ()| compare_largest(v))
        .assume(Hypothesis::new("ΣX_i²/h ≥ 1 − s", |v| v.mean_square().lo() >= 1.0 - v.s))
}

fn law_of_an_entry() -> Setting<ColumnSizes, (Enclosure, Enclosure)> {
    Setting::measuring(frequency)
        .given("Q the first d columns of a Haar h×h matrix")
        .family(edge("small shapes", shapes(&[(2, 2, 1.0), (3, 1, 1.0), (5, 5, 0.5), (8, 3, 1.5), (16, 2, 1.0)])))
        .without_search()
        .step(
            "s7",
            "an entry of a column of Q has the law of X_i/‖X‖, X standard normal in ℝ^h: the frequency of |Q_hd| ≥ \
             L/√h over at least 1600 draws of Q and the probability that |X_1|/‖X‖ ≥ L/√h differ by at most 0.15",
            consistent(),
            |_, (found, law)| at_most((*found - *law).abs(), exact(0.15)),
        )
        .our_constant("0.15")
}
