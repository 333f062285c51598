//! Lemma B.3: products N = W_L D_{L−1} W_{L−1} ⋯ D_a W_a that end in the output, over sparse v, and over all u.
//!
//! (a) as printed, with √(s log m/m), is false: the entries of W_L have variance 1/d, so that ‖N e_1‖² has the law of
//! Y_1⋯Y_J χ²_d/d with increments Y of mean one. At d = 1, L = 2 it is below C√(s log m/m) with probability at most
//! 2√(2/π) C√(s log m/m) + P(Y < 1/4) ≤ 2√(2/π) C√(s log m/m) + 80/(9m), which tends to zero where 1 − e^{−cs log m} is
//! promised. With d in place of m below the root, as the proof of Lemma B.6 uses it, (a) agrees with every sweep, and
//! so does (b).

use contrapositive::claim::{
    Claim, Evaluation, Kind, MeasureError, Setting, Trial, at_least, consistent, edge, fails, holds, less_than, random,
};
use contrapositive::enclosure::Enclosure;
use contrapositive::instance::Instance;
use contrapositive::linear_algebra::sparse_operator_norm;
use contrapositive::probability::{chi_square, clopper_pearson, hidden_norms};
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

use super::drawn_encoders::{Curve, DrawnSizes, SizeSweep, Varied};
use super::failure_events::{backward_norm, backward_sparse};
use super::failure_rates::{FailureSweep, NeededConstants, failures};
use super::perturbed_products::few_rows;

/// What the lemma promises with its constants: |uᵀNv| ≤ C√(s log m/m) with probability ≥ 1 − e^{−cs log m}.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Constants {
    /// C, which may be large.
    factor: f64,
    /// c, which may be small.
    rate: f64,
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
            let (success, promise) = self.at(Enclosure::from(2.0).powi(*k));
            2.0 * success.hi() < promise.lo()
        };
        (4..1000).find(broken).unwrap_or(1000)
    }
}

impl Instance for Constants {
    fn describe(&self) -> String {
        format!("C = {}, c = {}, s = {}", self.factor, self.rate, self.sparsity)
    }

    fn validate(&self) -> Result<(), String> {
        let sound = (1e-6..=1e12).contains(&self.factor) && (1e-12..=1e6).contains(&self.rate);
        if sound && (1..=1000).contains(&self.sparsity) {
            Ok(())
        } else {
            Err("C not in [1e-6, 1e12], c not in [1e-12, 1e6], or s not in 1 to 1000".into())
        }
    }
}

/// Sizes at which the law of ‖N_1 e_1‖ is sampled, and the constant C.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Column {
    width: u32,
    layers: u32,
    output: u32,
    sparsity: u32,
    factor: f64,
}

impl Instance for Column {
    fn describe(&self) -> String {
        format!(
            "m = {}, L = {}, d = {}, s = {}, C = {}",
            self.width, self.layers, self.output, self.sparsity, self.factor
        )
    }

    fn validate(&self) -> Result<(), String> {
        let sound = self.factor >= 1.0 && self.factor <= 1e3 && (2..=100).contains(&self.layers);
        if !sound || [self.width, self.output, self.sparsity].contains(&0) || self.width > 4_000_000 {
            return Err("a size is zero, L not in 2 to 100, m beyond 4000000, or C not in [1, 1000]".into());
        }
        Ok(())
    }
}

/// Probability of ‖N_1 e_1‖ ≤ C√(s log m/X) for X = m and X = d.
fn short_columns(c: &Column, trial: &mut Trial) -> Result<[Enclosure; 2], MeasureError> {
    // Fewer leave a probability near one undecided against one half, at the error of a single trial.
    let runs = trial.samples_at_least(200);
    let of = |x: u32| f64::from(x);
    let scale = c.factor * c.factor * of(c.sparsity) * core_math::log(of(c.width));
    let mut short = [0u64; 2];
    for _ in 0..runs {
        let masked = hidden_norms(trial.rng(), c.width)
            .take(c.layers as usize - 1)
            .last()
            .unwrap_or(1.0);
        let square = masked * masked * chi_square(trial.rng(), c.output) / of(c.output);
        short[0] += u64::from(square * of(c.width) <= scale);
        short[1] += u64::from(square * of(c.output) <= scale);
    }
    let alpha = trial.alpha(2);
    Ok([
        clopper_pearson(short[0], runs as u64, alpha)?,
        clopper_pearson(short[1], runs as u64, alpha)?,
    ])
}

/// Largest over a: sup ‖N_a v‖ over s-sparse v, and ‖N_a‖.
fn products(s: &DrawnSizes, trial: &mut Trial) -> Result<[Enclosure; 2], MeasureError> {
    let encoder = s.draw(trial)?;
    let seen = encoder.activations(&s.point())?;
    let (m, d) = (s.width as usize, s.output as usize);
    let mut worst = [Enclosure::ZERO; 2];
    let mut starts = vec![1, s.depth() - 1];
    starts.dedup();
    for a in starts {
        let axis = |k: usize| (0..d).map(|r| f64::from(u8::from(r == k))).collect::<Vec<_>>();
        let rows: Vec<Vec<f64>> = (0..d).filter_map(|k| seen.back(a, &axis(k))).collect();
        let sup = if s.sparsity == 1 {
            let column = |c: usize| rows.iter().map(|row| row[c] * row[c]).sum::<f64>().sqrt();
            (0..m).map(column).fold(0.0, f64::max)
        } else {
            let forward = |v: &[f64]| seen.product(a, s.depth(), v).unwrap_or_default();
            let backward = |u: &[f64]| seen.back(a, u).unwrap_or_default();
            sparse_operator_norm(m, [d, s.sparsity as usize], 8, trial.rng(), forward, backward)
        };
        worst[0] = worst[0].max(sup);
        worst[1] = worst[1].max(few_rows(&rows, trial)?);
    }
    Ok(worst)
}

pub fn claim() -> Claim {
    Claim::new("wen2020.lemma-b3", "backward products", Kind::Asymptotic)
        .statement(
            "m ≥ Ω(nL log(nL)), Ω(d/log m) ≤ s ≤ O(m/(L log m)) and d ≤ O(m/(L log m)) imply for N = W_L ∏_{l=a}^{L−1} \
             D_l W_l, 1 ≤ a ≤ L − 1: (a) |uᵀNv| ≤ O(√(s log m/m))‖u‖‖v‖ for all u ∈ ℝ^d and ‖v‖₀ ≤ s, with probability \
             ≥ 1 − e^{−Ω(s log m)}; (b) ‖uᵀN‖ ≤ O(√(m/d))‖u‖ for all u, with probability ≥ 1 − e^{−Ω(m/L)}",
        )
        .source(
            "Lemma B.3",
            &["part (a) used with √(s log m/d) in the proof of Lemma B.6"],
        )
        .remark("The printed v ∈ ℝ^d in (a) does not fit the product; v ∈ ℝ^m is read.")
        .setting(
            Setting::measuring(short_columns)
                .assume("one of the sparse vectors is v = e_1: s ≥ 1", |c: &Column| {
                    c.sparsity >= 1
                })
                .family(edge("wide", wide))
                .without_search()
                .part(
                    "printed",
                    "(a): P(‖N e_1‖ ≤ C√(s log m/m)) is at least ½, where a number tending to one is promised",
                    fails(
                        "‖N e_1‖ is of order one, the bound tends to zero with m: d should stand below the root, not m",
                    ),
                    |_, p| at_least(p[0], 0.5),
                )
                .meant(
                    "column-d",
                    "(a) as the proof of Lemma B.6 uses it: P(‖N e_1‖ ≤ C√(s log m/d)) ≥ ½",
                    consistent(),
                    |_, p| at_least(p[1], 0.5).as_trend(),
                )
                .because("the proof of Lemma B.6 uses part (a) with d below the root")
                .when("s log m ≥ d", |c| {
                    f64::from(c.sparsity) * core_math::log(f64::from(c.width)) >= f64::from(c.output)
                }),
        )
        .setting(
            Setting::of()
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
                .amendment(
                    "no-constants",
                    "for all C, c and s there is a power of two m at which, with d = 1 and L = 2, P(‖N e_1‖ ≤ C√(s log \
                     m/m)) < 1 − e^{−cs log m}",
                    holds(),
                    |k: &Constants, ()| {
                        let two = k.exponent_of_two();
                        let (success, promise) = k.at(Enclosure::from(2.0).powi(two));
                        less_than(success, promise).noting(format!("m = 2^{two}"))
                    },
                ),
        )
        .setting(
            Setting::measuring(|s: &SizeSweep, trial| s.worst(trial, products))
                .assume("L ≥ 2", |s| s.points().iter().all(|(_, p)| p.layers >= 2))
                .family(edge("sweeps", sweeps))
                .without_search()
                .amendment(
                    "output",
                    "(a) with X = d: sup ‖Nv‖ ≤ 4√(s log m/d) over s-sparse unit v",
                    consistent(),
                    |s, c: &[Curve; 2]| c[0].scaled(s, |p| (p.d() / (p.s() * p.log_m())).sqrt()).bounded_by(4.0),
                )
                .part("part-b", "(b) ‖N‖ ≤ 4√(m/d)", consistent(), |s, c| {
                    c[1].scaled(s, |p| (p.d() / p.m()).sqrt()).bounded_by(4.0)
                })
                .sharpening(
                    "b-order",
                    "(b) cannot be improved: ‖N‖ ≥ √(m/d)/2",
                    consistent(),
                    |s, c| c[1].scaled(s, |p| (p.d() / p.m()).sqrt()).at_least(0.5),
                )
                .control("a", "(b) with O(1)", |_, c| c[1].grows_slowly())
                .when("m varies", |s| s.varied == Varied::Width)
                .control("b", "(a) with √(s log m)/m", |s, c| {
                    c[0].scaled(s, |p| p.m() / (p.s() * p.log_m()).sqrt()).grows_slowly()
                })
                .when("m varies", |s| s.varied == Varied::Width),
        )
        .setting(
            Setting::measuring(|s: &FailureSweep, trial| Ok(s.draw(trial, backward_norm)))
                .assume("L ≥ 2 and d = 1", |s| {
                    s.sizes.points().iter().all(|(_, p)| p.layers >= 2 && p.output == 1)
                })
                .family(edge("m and L", norm_failures))
                .without_search()
                .part(
                    "b-rate",
                    "(b) for d = 1 fails with probability e^{−Ω(m/L)}: −log P(‖N_1‖ > C√m), exact law, grows with m/L \
                     at a rate that does not vanish",
                    consistent(),
                    |s, n: &NeededConstants| n.fall_exponentially(s.factor, |p| p.m() / p.l()),
                )
                .control("c", "the same for e^{−Ω((m/L)³)}", |s, n| {
                    n.fall_exponentially(s.factor, |p| core_math::pow(p.m() / p.l(), 3.0))
                })
                .when("m varies", |s| s.sizes.varied == Varied::Width)
                .control("e", "the same with the constant C = 0.95", |_, n| {
                    n.fall_exponentially(0.95, |p| p.m() / p.l())
                })
                .when("m varies", |s| s.sizes.varied == Varied::Width),
        )
        .setting(
            Setting::measuring(|s: &FailureSweep, trial| Ok(s.draw(trial, backward_sparse)))
                .assume("L ≥ 2, d = 1 and s log m ≤ m/L", |s| {
                    s.sizes
                        .points()
                        .iter()
                        .all(|(_, p)| p.layers >= 2 && p.output == 1 && p.s() * p.log_m() * p.l() <= p.m())
                })
                .family(edge("m and s", entry_failures))
                .without_search()
                .amendment(
                    "output-rate",
                    "(a) with X = d = 1 fails with probability e^{−Ω(s log m)}: −log P(sup |N_1v| > C√(s log m)), \
                     exact law and exact supremum, grows with s log m at a rate that does not vanish",
                    consistent(),
                    |s, n: &NeededConstants| n.fall_exponentially(s.factor, |p| p.s() * p.log_m()),
                )
                .control("d", "the same for e^{−Ω(m)}", |s, n| {
                    n.fall_exponentially(s.factor, DrawnSizes::m)
                })
                .when("m varies", |s| s.sizes.varied == Varied::Width)
                .control("f", "the same with the constant C = 1.3", |_, n| {
                    n.fall_exponentially(1.3, |p| p.s() * p.log_m())
                })
                .when("m varies", |s| s.sizes.varied == Varied::Width),
        )
        .setting(
            Setting::measuring(|s: &FailureSweep, trial| Ok(s.draw(trial, backward_sparse)))
                .family(edge("as deep as the range of s allows", || {
                    vec![(
                        "s = 1, L = m/(2 log m), C = 2.3",
                        failures(
                            Varied::WidthAndLayers,
                            &[16.0, 32.0, 64.0, 128.0, 256.0],
                            drawn(1, 2, 1),
                            2.3,
                            2000,
                        ),
                    )]
                }))
                .without_search()
                .amendment(
                    "output-deep",
                    "(a) with X = d = 1 at s = 1 ≈ m/(2L log m), where the norm itself is least certain: P(max_c \
                     |N_1e_c| > C√log m) ≤ m^{−0.15}",
                    consistent(),
                    |s, n: &NeededConstants| {
                        // log‖N_1‖² has the variance 5L/m = 2.5/log m, and its excess must be log(C²/2): m^{−log²(C²/2)/5} = m^{−0.19}.
                        Evaluation::from(n.beyond(s.factor, DrawnSizes::log_m).map(|r| r.leaves_room_for(0.15)))
                    },
                )
                .control("g", "with C = 1.6: at most m^{−1}", |_, n| {
                    Evaluation::from(n.beyond(1.6, DrawnSizes::log_m).map(|r| r.leaves_room_for(1.0)))
                }),
        )
}

/// Input, output and radius play no part.
fn drawn(width: u32, layers: u32, sparsity: u32) -> DrawnSizes {
    DrawnSizes::of(width, layers, 1).with_input(1).sparse(sparsity)
}

fn norm_failures() -> Vec<(&'static str, FailureSweep)> {
    let widths = [16.0, 32.0, 64.0, 96.0, 128.0, 192.0];
    vec![
        ("m, L = 2", failures(Varied::Width, &widths, drawn(1, 2, 1), 1.25, 8000)),
        (
            "L, m = 192",
            failures(Varied::Layers, &[3.0, 4.0, 6.0, 8.0, 12.0], drawn(192, 1, 1), 1.3, 4000),
        ),
    ]
}

fn entry_failures() -> Vec<(&'static str, FailureSweep)> {
    let widths = [16.0, 48.0, 144.0, 432.0, 1296.0];
    vec![
        (
            "m, s = 1, L = 2",
            failures(Varied::Width, &widths, drawn(1, 2, 1), 1.6, 4000),
        ),
        (
            "s, m = 100, L = 2",
            failures(
                Varied::Sparsity,
                &[1.0, 2.0, 3.0, 4.0, 6.0],
                drawn(100, 2, 1),
                1.3,
                8000,
            ),
        ),
    ]
}

fn wide() -> Vec<(String, Column)> {
    let mut list = Vec::new();
    for (width, layers, output, sparsity, factor) in [
        (100_000, 2, 1, 1, 1.0),
        (2_000_000, 2, 1, 1, 10.0),
        (200_000, 5, 8, 2, 3.0),
        (1000, 3, 4, 2, 2.0),
        (1_000, 2, 64, 20, 2.0),
    ] {
        let column = Column {
            width,
            layers,
            output,
            sparsity,
            factor,
        };
        list.push((column.describe(), column));
    }
    list
}

fn sweeps() -> Vec<(&'static str, SizeSweep)> {
    let others = |width, layers, output, sparsity| DrawnSizes::of(width, layers, output).sparse(sparsity);
    let of = |varied, values: &[f64], others| SizeSweep::of(varied, values, others, 20);
    vec![
        (
            "m, d = 2",
            of(Varied::Width, &[48.0, 96.0, 168.0, 288.0, 512.0], others(1, 3, 2, 1)),
        ),
        (
            "m, d = 1",
            of(Varied::Width, &[48.0, 96.0, 168.0, 288.0, 512.0], others(1, 2, 1, 1)),
        ),
        (
            "d to 16",
            of(Varied::Output, &[1.0, 2.0, 4.0, 8.0, 16.0], others(256, 2, 1, 3)),
        ),
        (
            "L to 9",
            of(Varied::Layers, &[2.0, 3.0, 4.0, 6.0, 9.0], others(160, 1, 4, 1)),
        ),
        (
            "s to 16",
            of(Varied::Sparsity, &[1.0, 2.0, 4.0, 8.0, 16.0], others(256, 2, 4, 1)),
        ),
    ]
}
