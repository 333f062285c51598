//! Lemma B.3: products N = W_L D_{L−1} W_{L−1} ⋯ D_a W_a that end in the output, over sparse v, and over all u.
//!
//! (a) as printed, with √(s log m/m), is false: the entries of W_L have variance 1/d, so that ‖N e_1‖² has the law of
//! Y_1⋯Y_J χ²_d/d with increments Y of mean one. At d = 1, L = 2 it is below C√(s log m/m) with probability at most
//! 2√(2/π) C√(s log m/m) + P(Y < 1/4) ≤ 2√(2/π) C√(s log m/m) + 80/(9m), which tends to zero where 1 − e^{−cs log m} is
//! promised. With d in place of m below the root, as the proof of Lemma B.6 uses it, (a) holds with
//! explicit constants at every size that was drawn, and so does (b).

use enclosures::linear_algebra::sparse_operator_norm;
use enclosures::probability::clopper_pearson;
use enclosures::probability::{chi_square, hidden_norms};
use enclosures::vectors::unit_vector;
use evidence::prelude::*;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

use crate::shared::drawn_encoders::{Curve, DrawnSizes, SizeSweep, Varied};
use crate::shared::failure_events::{backward_norm, backward_sparse};
use crate::shared::failure_rates::{FailureSweep, NeededConstants, failures};
use crate::shared::perturbed_products::few_rows;
use crate::shared::signs::{INITIALISATION, LAYERS, OUTPUT, PATTERN, QUERY_NETWORK, WIDTH};

/// What the lemma promises with its constants: |uᵀNv| ≤ C√(s log m/m) with probability ≥ 1 − e^{−cs log m}.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(stored)]
struct Constants {
    /// C, which may be large.
    #[instance(symbol = "C", range = "1e-6..=1e12", scale = "logarithmic")]
    factor: f64,
    /// c, which may be small.
    #[instance(symbol = "c", range = "1e-12..=1e6", scale = "logarithmic")]
    rate: f64,
    #[instance(symbol = "s", range = "1..=1000")]
    sparsity: u32,
}

impl Constants {
    /// An upper bound of P(‖N e_1‖ ≤ C√(s log m/m)) at d = 1, L = 2, and what is promised, for a width.
    fn at(&self, width: Enclosure) -> (Enclosure, Enclosure) {
        let exponent = width.ln() * f64::from(self.sparsity);
        let bound = self.factor * (exponent / width).sqrt();
        let success = 2.0 * (2.0 / Enclosure::pi()).sqrt() * bound + 80.0 / (9.0 * width);
        (success, -(-(self.rate * exponent)).exp_m1())
    }

    /// A power of two at which the bound is below half of the promise, as log2 m.
    fn exponent_of_two(&self) -> i64 {
        let broken = |k: &i64| {
            let (success, promise) = self.at(exact(2.0).powi(*k));
            2.0 * success.hi() < promise.lo()
        };
        (4..1000).find(broken).unwrap_or(1000)
    }
}

/// Sizes at which the law of ‖N_1 e_1‖ is sampled, and the constant C.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(stored)]
struct SampledColumn {
    #[instance(symbol = "m", range = "1..=4_000_000")]
    width: u32,
    #[instance(symbol = "L", range = "2..=100")]
    layers: u32,
    #[instance(symbol = "d", range = "1..")]
    output: u32,
    #[instance(symbol = "s", range = "1..")]
    sparsity: u32,
    #[instance(symbol = "C", range = "1..=1e3", scale = "logarithmic")]
    factor: f64,
}

impl SampledColumn {
    /// 1 − e^{−(s log m)/8}.
    fn promise(&self) -> Enclosure {
        -(-(Enclosure::from(self.width).ln() * f64::from(self.sparsity) / 8.0)).exp_m1()
    }
}

/// Probability of ‖N_1 e_1‖ ≤ C√(s log m/X) for X = m and X = d.
fn short_columns(c: &SampledColumn, trial: &mut Trial) -> Result<[Enclosure; 2], MeasureError> {
    // Fewer leave a probability near one undecided against the largest promise, 0.95, at the error of a single trial.
    let runs = trial.samples_at_least(2000);
    let of = |x: u32| f64::from(x);
    let scale = c.factor * c.factor * of(c.sparsity) * core_math::log(of(c.width));
    let mut short = [0u64; 2];
    for _ in 0..runs {
        let masked = hidden_norms(trial.rng(), c.width).take(c.layers as usize - 1).last().unwrap_or(1.0);
        let square = masked * masked * chi_square(trial.rng(), c.output) / of(c.output);
        short[0] += u64::from(square * of(c.width) <= scale);
        short[1] += u64::from(square * of(c.output) <= scale);
    }
    let alpha = trial.alpha(2);
    Ok([clopper_pearson(short[0], runs as u64, alpha)?, clopper_pearson(short[1], runs as u64, alpha)?])
}

/// Largest over a: sup ‖N_a v‖ over s-sparse v, and ‖N_a‖.
fn products(s: &DrawnSizes, trial: &mut Trial) -> Result<[Enclosure; 2], MeasureError> {
    if s.layers < 2 {
        return Err("one hidden layer has no product".into());
    }
    let encoder = s.draw(trial)?;
    let seen = encoder.activations(&s.point())?;
    let (m, d) = (s.width as usize, s.output as usize);
    let mut worst = [Enclosure::ZERO; 2];
    let mut starts = vec![1, s.depth() - 1];
    starts.dedup();
    for a in starts {
        let rows: Vec<Vec<f64>> = (0..d).filter_map(|k| seen.back(a, &unit_vector(d, k))).collect();
        let sup = if s.sparsity == 1 {
            let column = |c: usize| rows.iter().map(|row| row[c] * row[c]).sum::<f64>().sqrt();
            (0..m).map(column).fold(0.0, f64::max)
        } else {
            let forward = |v: &[f64]| seen.product(a, s.depth(), v).unwrap_or_default();
            let backward = |u: &[f64]| seen.back(a, u).unwrap_or_default();
            sparse_operator_norm(m, [d, s.sparsity as usize], 8, trial.rng(), forward, backward)
        };
        worst[0] = worst[0].max(Enclosure::measured(sup));
        worst[1] = worst[1].max(few_rows(&rows, trial)?);
    }
    Ok(worst)
}

const MANY_ENTRIES: Hypothesis<SampledColumn> = Hypothesis::new("s log m ≥ d", |c| {
    f64::from(c.sparsity) * core_math::log(f64::from(c.width)) >= f64::from(c.output)
});
const FACTOR_TWO_OR_MORE: Hypothesis<SampledColumn> = Hypothesis::new("C ≥ 2", |c| c.factor >= 2.0);
const SPARSE: Hypothesis<SampledColumn> = Hypothesis::new("s ≤ m/(8L log m)", |c| {
    let rest = f64::from(c.width) / (8.0 * f64::from(c.layers) * core_math::log(f64::from(c.width)));
    f64::from(c.sparsity) <= rest
});
const WIDTH_VARIES: Hypothesis<SizeSweep> = Hypothesis::new("m varies", |s| s.varied == Varied::Width);
const FAILURES_BY_WIDTH: Hypothesis<FailureSweep> = Hypothesis::new("m varies", |s| s.sizes.varied == Varied::Width);

pub fn claim() -> Claim {
    Claim::new("wen2020.lemma-b3", "backward products", Kind::Asymptotic)
        .statement(
            "m ≥ Ω(nL log(nL)), Ω(d/log m) ≤ s ≤ O(m/(L log m)) and d ≤ O(m/(L log m)) imply for N = W_L ∏_{l=a}^{L−1} \
             D_l W_l, 1 ≤ a ≤ L − 1: (a) |uᵀNv| ≤ O(√(s log m/m))‖u‖‖v‖ for all u ∈ ℝ^d and ‖v‖₀ ≤ s, with probability \
             ≥ 1 − e^{−Ω(s log m)}; (b) ‖uᵀN‖ ≤ O(√(m/d))‖u‖ for all u, with probability ≥ 1 − e^{−Ω(m/L)}",
        )
        .source("Lemma B.3", &["part (a) used with √(s log m/d) in the proof of Lemma B.6"])
        .symbols([WIDTH, LAYERS, OUTPUT, QUERY_NETWORK, PATTERN, INITIALISATION])
        .symbol(
            "N",
            "W_L D_{L−1} W_{L−1} ⋯ D_a W_a at one input, a d × m matrix, and N_1 that for a = 1; in sweeps the larger \
             of a = 1 and a = L − 1, ‖N‖ its spectral norm",
        )
        .symbol(
            "P(‖N e_1‖ ≤ C√(s log m/m))",
            "at an input x ≠ 0, d = 1, L = 2, at most 2√(2/π) C√(s log m/m) + 80/(9m), which the checks take for it; \
             the power of two is the first, 16 or more, at which twice that is below the promise",
        )
        .symbol(
            "‖N e_1‖",
            "at an input x ≠ 0 ‖N_1 e_1‖² has the law of Y_1⋯Y_{L−1} χ²_d/d, Y_j = (2/m)χ²_B with B ~ Binomial(m, ½), \
             all independent, but for an event of probability at most L2^{−m}: that no unit of some layer is on",
        )
        .symbol(
            "s-sparse",
            "with at most s entries that are not zero; in sweeps suprema over such v are found by truncated power \
             iteration, from below; where no such v stands in a check, s in its list of sizes plays no part; nor does \
             the radius anywhere",
        )
        .symbol("e_c", "a vector of the standard basis of ℝ^m; e_1 is the first")
        .remark("The printed v ∈ ℝ^d in (a) does not fit the product; v ∈ ℝ^m is read.")
        .setting(printed())
        .setting(column_d())
        .setting(output())
        .setting(b_rate())
        .setting(output_rate())
        .setting(output_deep())
}

fn printed() -> Setting<Constants, ()> {
    Setting::of()
        .given("a network drawn as in Definition 3.2; C, c > 0, s ≥ 1")
        .family(edge("named", || {
            let of = |factor, rate, sparsity| Constants { factor, rate, sparsity };
            vec![
                ("C = c = 1, s = 1", of(1.0, 1.0, 1)),
                ("C = 1e6, c = 1e-6", of(1e6, 1e-6, 1)),
                ("C = 1e12, c = 1e-12, s = 1000", of(1e12, 1e-12, 1000)),
            ]
        }))
        .family(random("log-uniform constants", || {
            (-10.0..25.0f64, -25.0..10.0f64, 1u32..100).prop_map(|(factor, rate, sparsity)| Constants {
                factor: core_math::exp(factor),
                rate: core_math::exp(rate),
                sparsity,
            })
        }))
        .part(
            "printed",
            "(a) with constants C and c, at d = 1, L = 2 and a power of two m: P(‖N e_1‖ ≤ C√(s log m/m)) ≥ 1 − e^{−cs \
             log m}",
            fails("‖N e_1‖ is of order one, the bound tends to zero with m: d should stand below the root, not m"),
            |k: &Constants, ()| {
                let two = k.exponent_of_two();
                let (success, promise) = k.at(exact(2.0).powi(two));
                at_least(success, promise).noting(format!("m = 2^{two}"))
            },
        )
        .sides("upper bound of P(‖N e_1‖ ≤ C√(s log m/m))", "1 − e^{−cs log m}")
        .because("each instance is a pair of constants; no-constants shows that none works")
        .ours(
            "no-constants",
            "for all C > 0, c > 0 and s ≥ 1 there is a power of two m at which, with d = 1 and L = 2, P(‖N e_1‖ ≤ C√(s \
             log m/m)) < 1 − e^{−cs log m}",
            holds(),
            |k, ()| {
                let two = k.exponent_of_two();
                let (success, promise) = k.at(exact(2.0).powi(two));
                less_than(success, promise).noting(format!("m = 2^{two}"))
            },
        )
}

fn column_d() -> Setting<SampledColumn, [Enclosure; 2]> {
    Setting::measuring(short_columns)
        .given("networks drawn as in Definition 3.2, one input x ≠ 0, v = e_1, a = 1")
        .family(edge("wide", wide))
        .family(outside("too sparse for d", || {
            vec![(
                "s log m = 6.9 < d = 64",
                SampledColumn { width: 1000, layers: 2, output: 64, sparsity: 1, factor: 1.0 },
            )]
        }))
        .family(outside("too dense for m", || {
            vec![(
                "s = 30 > m/(8L log m) = 9.05",
                SampledColumn { width: 1000, layers: 2, output: 8, sparsity: 30, factor: 2.0 },
            )]
        }))
        .without_search()
        .meant(
            "column-d",
            "(a) as the proof of Lemma B.6 uses it, v = e_1: P(‖N e_1‖ ≤ C√(s log m/d)) ≥ 1 − e^{−(s log m)/8}",
            consistent(),
            |c, p| at_least(p[1], c.promise()),
        )
        .our_constant("the constants C ≥ 2, 1/8, and 1/8 in the range of s")
        .because("the proof of Lemma B.6 uses part (a) with d below the root")
        .assume(MANY_ENTRIES)
        .assume(FACTOR_TWO_OR_MORE)
        .assume(SPARSE)
        .control("h", "P(‖N e_1‖ ≤ C√(s log m/m)) ≥ 1 − e^{−(s log m)/8}, m in place of d", |c, p| {
            at_least(p[0], c.promise())
        })
}

fn output() -> Setting<SizeSweep, [Curve; 2]> {
    Setting::measuring(|s: &SizeSweep, trial| s.extremes(trial, products))
        .given(
            "one input of length one, n = 1; networks drawn as in Definition 3.2, the entries of W_l ~ N(0, 2/m), D_l \
             the units 1{· ≥ 0} of the forward pass; every network that was drawn",
        )
        .assume(Hypothesis::new("L ≥ 2", |s| s.points().iter().all(|(_, p)| p.layers >= 2)))
        .assume(Hypothesis::new("m ≥ 10L log L", |s| {
            s.points().iter().all(|(_, p)| p.m() >= 10.0 * p.l() * core_math::log(p.l()))
        }))
        .assume(Hypothesis::new("d, s ≤ m/(L log m)", |s| {
            let fits = |p: &DrawnSizes| p.d().max(p.s()) * p.l() * p.log_m() <= p.m();
            s.points().iter().all(|(_, p)| fits(p))
        }))
        .assume(Hypothesis::new("d ≤ 2.5s log m", |s| {
            s.points().iter().all(|(_, p)| p.d() <= 2.5 * p.s() * p.log_m())
        }))
        .family(edge("sweeps", sweeps))
        .family(outside("shallow, deep and wide outputs", || {
            let of = |widths: &[f64], layers, output, sparsity| {
                let others = DrawnSizes::of(1, layers, output).sparse(sparsity);
                SizeSweep::of(Varied::Width, widths, others, 1)
            };
            vec![
                ("L = 1", of(&[24.0, 30.0, 36.0], 1, 1, 1)),
                ("L = 9", of(&[48.0, 60.0, 72.0], 9, 1, 1)),
                ("d = 12", of(&[24.0, 30.0, 36.0], 2, 12, 3)),
                ("L = 20, d = 100", of(&[600.0, 660.0, 720.0], 20, 100, 7)),
                ("d = 16, s = 1", of(&[192.0, 240.0, 288.0], 2, 16, 1)),
            ]
        }))
        .without_search()
        .amendment(
            "output",
            "(a) with d below the root: sup ‖Nv‖ ≤ 4.5√(s log m/d) over s-sparse unit v",
            holds(),
            |s, c: &[Curve; 2]| c[0].scaled(s, |p| (p.d() / (p.s() * p.log_m())).sqrt()).at_most(4.5),
        )
        .sides("sup ‖Nv‖/√(s log m/d)", "4.5")
        .part("part-b", "(b) ‖N‖ ≤ 4√(m/d)", consistent(), |s, c| {
            c[1].scaled(s, |p| (p.d() / p.m()).sqrt()).at_most(4.0)
        })
        .sides("‖N‖/√(m/d)", "4")
        .our_constant("the constant 4, above every ratio that was drawn")
        .sharpening(
            "b-order",
            "(b) cannot be improved: ‖N‖ ≥ √(m/d)/2 (½ is ours, below every ratio that was drawn)",
            holds(),
            |s, c| c[1].scaled(s, |p| (p.d() / p.m()).sqrt()).at_least(0.5),
        )
        .sides("‖N‖/√(m/d)", "½")
        .control("a", "(b) with O(1): ‖N‖ ≤ 4", |_, c| c[1].at_most(4.0))
        .assume(WIDTH_VARIES)
        .control("b", "(a) with 4√(s log m)/m: sup ‖Nv‖ ≤ 4√(s log m)/m over s-sparse unit v", |s, c| {
            c[0].scaled(s, |p| p.m() / (p.s() * p.log_m()).sqrt()).at_most(4.0)
        })
        .sides("sup ‖Nv‖/(√(s log m)/m)", "4")
        .assume(WIDTH_VARIES)
}

fn b_rate() -> Setting<FailureSweep, NeededConstants> {
    Setting::measuring(|s: &FailureSweep, trial| Ok(s.draw(trial, backward_norm)))
        .given("networks drawn as in Definition 3.2, one input x ≠ 0")
        .assume(Hypothesis::new("L ≥ 2 and d = 1", |s| {
            s.sizes.points().iter().all(|(_, p)| p.layers >= 2 && p.output == 1)
        }))
        .family(
            edge("m and L", norm_failures).restricted("L = 2 with m from 16 to 192, or m = 192 with L from 3 to 12"),
        )
        .family(outside("no product, and two outputs", || {
            let of = |layers, output| {
                failures(
                    Varied::Width,
                    &[12.0, 20.0, 30.0, 40.0],
                    DrawnSizes::of(1, layers, output).with_input(1),
                    1.3,
                    100,
                )
            };
            vec![("L = 1", of(1, 1)), ("d = 2", of(2, 2))]
        }))
        .without_search()
        .part(
            "b-rate",
            "(b) for d = 1, exact law: P(‖N_1‖ > C√m) ≤ e^{−m/(30L)}, for C = 1.25 at L = 2 and C = 1.3 beyond",
            consistent(),
            |s, n: &NeededConstants| n.fail_at_most(s.factor, 1.0 / 30.0, DrawnSizes::width_over_depth),
        )
        .our_constant("the constants 1.25 and 1.3, and 1/30")
        .control("c", "P(‖N_1‖ > C√m) ≤ e^{−(m/L)³/10⁴} for d = 1", |s, n| {
            n.fail_at_most(s.factor, 1e-4, |p| p.width_over_depth().powi(3))
        })
        .assume(FAILURES_BY_WIDTH)
        .control("e", "P(‖N_1‖ > 0.95√m) ≤ e^{−m/(30L)} for d = 1", |_, n| {
            n.fail_at_most(0.95, 1.0 / 30.0, DrawnSizes::width_over_depth)
        })
}

fn output_rate() -> Setting<FailureSweep, NeededConstants> {
    Setting::measuring(|s: &FailureSweep, trial| Ok(s.draw(trial, backward_sparse)))
        .given("networks drawn as in Definition 3.2, one input x ≠ 0")
        .assume(Hypothesis::new("L ≥ 2, d = 1 and Ls log m ≤ m", |s| {
            s.sizes.points().iter().all(|(_, p)| p.layers >= 2 && p.output == 1 && p.s() * p.log_m() * p.l() <= p.m())
        }))
        .family(
            edge("m and s", entry_failures)
                .restricted("L = 2; s = 1 with m from 16 to 1296, or m = 100 with s from 1 to 6"),
        )
        .family(outside("no product, two outputs, and many entries", || {
            let of = |layers, output, sparsity| {
                let others = DrawnSizes::of(1, layers, output).with_input(1).sparse(sparsity);
                failures(Varied::Width, &[12.0, 20.0, 30.0, 40.0], others, 1.3, 100)
            };
            vec![("L = 1", of(1, 1, 1)), ("d = 2", of(2, 2, 1)), ("s = 10", of(2, 1, 10))]
        }))
        .without_search()
        .amendment(
            "output-rate",
            "(a) with d = 1 below the root, exact law and exact supremum over s-sparse unit v: P(sup |N_1v| > C√(s log \
             m)) ≤ e^{−(s log m)/12}, for C = 1.6 at s = 1 and C = 1.3 at m = 100",
            holds(),
            |s, n: &NeededConstants| n.fail_at_most(s.factor, 1.0 / 12.0, sparse_exponent),
        )
        .control("d", "P(sup |N_1v| > C√(s log m)) ≤ e^{−m/100} over s-sparse unit v, d = 1", |s, n| {
            n.fail_at_most(s.factor, 0.01, |p| p.width.into())
        })
        .assume(FAILURES_BY_WIDTH)
        .control("f", "P(sup |N_1v| > 1.1√(s log m)) ≤ e^{−(s log m)/12} over s-sparse unit v, d = 1", |_, n| {
            n.fail_at_most(1.1, 1.0 / 12.0, sparse_exponent)
        })
}

fn output_deep() -> Setting<FailureSweep, NeededConstants> {
    Setting::measuring(|s: &FailureSweep, trial| Ok(s.draw(trial, backward_sparse)))
        .given("networks drawn as in Definition 3.2, one input x ≠ 0; d = s = 1 and L = max(2, ⌊m/(2 log m)⌋)")
        .family(
            edge("as deep as the range of s allows", || {
                let of = |values: &[f64]| failures(Varied::WidthAndLayers, values, drawn(1, 2, 1), 2.3, 4000);
                vec![("m to 256", of(&[16.0, 32.0, 64.0, 128.0, 256.0])), ("m to 180", of(&[22.0, 45.0, 90.0, 180.0]))]
            })
            .restricted("m from 16 to 256"),
        )
        .without_search()
        .amendment(
            "output-deep",
            "(a) with d = 1 below the root at s = 1 ≈ m/(2L log m), where the norm itself is least certain: P(max_c \
             |N_1e_c| > C√log m) ≤ m^{−0.15} for C = 2.3",
            holds(),
            // log‖N_1‖² has the variance 5L/m = 2.5/log m, and its excess must be log(C²/2): m^{−log²(C²/2)/5}
            // = m^{−0.19}.
            |s, n: &NeededConstants| n.fail_at_most(s.factor, 0.15, log_width),
        )
        .control("g", "P(max_c |N_1e_c| > 1.6√log m) ≤ m^{−1}", |_, n| n.fail_at_most(1.6, 1.0, log_width))
}

fn log_width(s: &DrawnSizes) -> Enclosure {
    Enclosure::from(s.width).ln()
}

/// s log m.
fn sparse_exponent(s: &DrawnSizes) -> Enclosure {
    log_width(s) * f64::from(s.sparsity)
}

/// Input, output and radius play no part.
fn drawn(width: u32, layers: u32, sparsity: u32) -> DrawnSizes {
    DrawnSizes::of(width, layers, 1).with_input(1).sparse(sparsity)
}

fn norm_failures() -> Vec<(&'static str, FailureSweep)> {
    let widths = [16.0, 32.0, 64.0, 96.0, 128.0, 192.0];
    vec![
        ("m, L = 2", failures(Varied::Width, &widths, drawn(1, 2, 1), 1.25, 8000)),
        ("m to 160, L = 2", failures(Varied::Width, &[20.0, 40.0, 72.0, 112.0, 160.0], drawn(1, 2, 1), 1.25, 8000)),
        ("L, m = 192", failures(Varied::Layers, &[3.0, 4.0, 6.0, 8.0, 12.0], drawn(192, 1, 1), 1.3, 4000)),
    ]
}

fn entry_failures() -> Vec<(&'static str, FailureSweep)> {
    let widths = [16.0, 48.0, 144.0, 432.0, 1296.0];
    vec![
        ("m, s = 1, L = 2", failures(Varied::Width, &widths, drawn(1, 2, 1), 1.6, 4000)),
        (
            "m to 1100, s = 1, L = 2",
            failures(Varied::Width, &[20.0, 60.0, 180.0, 540.0, 1100.0], drawn(1, 2, 1), 1.6, 4000),
        ),
        ("s, m = 100, L = 2", failures(Varied::Sparsity, &[1.0, 2.0, 3.0, 4.0, 6.0], drawn(100, 2, 1), 1.3, 8000)),
    ]
}

fn wide() -> Vec<(String, SampledColumn)> {
    let mut list = Vec::new();
    for (width, layers, output, sparsity, factor) in [
        (100_000, 2, 1, 1, 1.0),
        (2_000_000, 2, 1, 1, 10.0),
        (200_000, 5, 8, 2, 3.0),
        (1000, 3, 4, 2, 2.0),
        (1000, 2, 8, 2, 2.0),
    ] {
        list.push(SampledColumn { width, layers, output, sparsity, factor });
    }
    described(list)
}

fn sweeps() -> Vec<(&'static str, SizeSweep)> {
    let others = |width, layers, output, sparsity| DrawnSizes::of(width, layers, output).sparse(sparsity);
    let of = |varied, values: &[f64], others| SizeSweep::of(varied, values, others, 20);
    vec![
        ("m, d = 2", of(Varied::Width, &[48.0, 96.0, 168.0, 288.0, 512.0], others(1, 3, 2, 1))),
        ("m, d = 1", of(Varied::Width, &[48.0, 96.0, 168.0, 288.0, 512.0], others(1, 2, 1, 1))),
        ("d to 16", of(Varied::Output, &[1.0, 2.0, 4.0, 8.0, 16.0], others(256, 2, 1, 3))),
        ("L to 9", of(Varied::Layers, &[2.0, 3.0, 4.0, 6.0, 9.0], others(200, 1, 4, 1))),
        ("s to 16", of(Varied::Sparsity, &[1.0, 2.0, 4.0, 8.0, 16.0], others(256, 2, 4, 1))),
    ]
}
