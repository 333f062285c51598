//! Lemma B.2: norms of the products M = W_c D_{c−1} W_{c−1} ⋯ D_a W_a at initialisation, over all vectors and over
//! sparse ones.
//!
//! All four parts hold at every size that was drawn, with explicit constants. For one column the law is exact: given
//! the layers below, each masked layer multiplies ‖·‖² by an increment (2/m)χ²_B with B ~ Binomial(m, 1/2), whatever
//! the vector, and W_c by (2/m)χ²_m. (The sign of a row of W_l is independent of the modulus of its product with any
//! vector, and decides D_l.) So ‖M e_1‖² ≈ 2: the printed constant 2 in (b) leaves a factor √2, and P(‖M e_1‖ > 2)
//! decays like e^{−(log²2/10)m/L}.
//!
//! The constant of (a). With J = c − a + 1 factors ‖M‖² tends, as m → ∞, to min_z (1+z)^{J−1}(2+z)²/z. At z = 1/J this
//! is at most 4eJ (1 + 1/(2J))²/(1 + 1/J) = 4eJ + e/(J+1), so ‖M‖ ≤ 2√(eL) in the limit for every J ≤ L − 1.
//!
//! The constants of (c) and (d) are twice and one and a half times what Gordon's inequality gives for a single matrix
//! with entries N(0, 2/m): over s-sparse u, ‖uᵀW‖ ≤ √2 (1 + √(s/m) + √(2s log(em/s)/m)), about 2 at s ≤ m/(10 L log m);
//! over s-sparse u and v, |uᵀWv| ≤ √(2/m) · 2(√s + √(2s log(em/s))), about 4√(s log m/m).

use enclosures::linear_algebra::sparse_operator_norm;
use enclosures::probability::clopper_pearson;
use enclosures::probability::{chi_square, fill_standard_normal, hidden_norms, normal_two_sided_tail};
use enclosures::vectors::largest_magnitude;
use evidence::prelude::*;

use crate::shared::drawn_encoders::{Curve, DrawnSizes, SizeSweep, Varied};
use crate::shared::failure_events::{longest_row, single_matrix};
use crate::shared::failure_rates::{FailureSweep, NeededConstants, failures};
use crate::shared::hidden_norm_sizes::Sizes;
use crate::shared::perturbed_products::top;
use crate::shared::signs::{INITIALISATION, LAYERS, OUTPUT, PATTERN, QUERY_NETWORK, WIDTH};

const STARTS: u32 = 12;
/// A thousand runs without a failure leave room for 0.028.
const RESOLVED: f64 = 0.05;

/// Largest over a few (a, c): ‖M‖, the sup over s-sparse v, over s-sparse u, over both.
fn products(s: &DrawnSizes, trial: &mut Trial) -> Result<[Enclosure; 4], MeasureError> {
    if s.layers < 2 {
        return Err("one hidden layer has no product".into());
    }
    let encoder = s.draw(trial)?;
    let seen = encoder.activations(&s.point())?;
    let last = s.depth() - 1;
    let (m, sparsity) = (s.width as usize, s.sparsity as usize);
    let mut pairs = vec![(1, 1), (1, last), (last.div_ceil(2), last)];
    pairs.dedup();
    let mut worst = [Enclosure::ZERO; 4];
    for (a, c) in pairs {
        let forward = |v: &[f64]| seen.product(a, c, v).unwrap_or_default();
        let backward = |u: &[f64]| seen.transposed_product(a, c, u).unwrap_or_default();
        let mut sup = |kept| sparse_operator_norm(m, kept, STARTS, trial.rng(), forward, backward);
        let sparse = [sup([m, sparsity]), sup([sparsity, m]), sup([sparsity, sparsity])].map(Enclosure::measured);
        let whole = top(&seen, a, c, m, trial)?.value;
        for (worst, found) in worst.iter_mut().zip([whole, sparse[0], sparse[1], sparse[2]]) {
            *worst = worst.max(found);
        }
    }
    Ok(worst)
}

/// The largest |entry| of W_1.
fn largest_entry(s: &DrawnSizes, trial: &mut Trial) -> Result<[Enclosure; 1], MeasureError> {
    let mut row = vec![0.0; s.width as usize];
    let mut largest = 0.0f64;
    for _ in 0..s.width {
        fill_standard_normal(trial.rng(), &mut row);
        largest = largest.max(largest_magnitude(&row));
    }
    Ok([Enclosure::measured(largest * (2.0 / s.m()).sqrt())])
}

/// The largest share with which one column of M with J = L − 1 factors exceeds the norm 2.
fn long_columns(s: &Sizes, trial: &mut Trial) -> Result<Enclosure, MeasureError> {
    let runs = trial.samples(4000);
    let masked = (s.layers as usize).checked_sub(2).ok_or("one hidden layer has no product")?;
    let m = s.width;
    let mut long = 0u64;
    for _ in 0..runs {
        let below = hidden_norms(trial.rng(), m).take(masked).last().unwrap_or(1.0);
        let last = chi_square(trial.rng(), m) * 2.0 / f64::from(m);
        long += u64::from(below * below * last > 4.0);
    }
    Ok(clopper_pearson(long, runs as u64, trial.alpha(1))?)
}

/// √(s log m/m).
fn bilinear(s: &DrawnSizes) -> f64 {
    (s.s() * s.log_m() / s.m()).sqrt()
}

pub fn claim() -> Claim {
    Claim::new("wen2020.lemma-b2", "forward products", Kind::Asymptotic)
        .statement(
            "m ≥ Ω(nL log(nL)) implies, with probability ≥ 1 − e^{−Ω(m/L)}, for M = W_c ∏_{l=a}^{c−1} D_l W_l, 1 ≤ a ≤ \
             c ≤ L − 1: (a) ‖M‖₂ ≤ O(√L); (b) ‖Mv‖ ≤ 2‖v‖ and (c) ‖uᵀM‖ ≤ O(1)‖u‖ for ‖v‖₀, ‖u‖₀ ≤ O(m/(L log m)); (d) \
             |uᵀMv| ≤ O(√(s log m/m))‖u‖‖v‖ for s-sparse u, v, with probability ≥ 1 − e^{−Ω(s log m)}",
        )
        .source("Lemma B.2", &["Lemma 7.3 of Allen-Zhu et al. (2018)"])
        .symbols([WIDTH, LAYERS, OUTPUT, QUERY_NETWORK, PATTERN, INITIALISATION])
        .symbol(
            "M",
            "W_c D_{c−1} W_{c−1} ⋯ D_a W_a at one input, 1 ≤ a ≤ c ≤ L − 1; in sweeps the largest of (a, c) = (1, 1), \
             (1, L − 1) and (⌈(L−1)/2⌉, L − 1)",
        )
        .symbol("ν", "√(min_z (1 + z)^{L−2}(2 + z)²/z) over z = 1/200, 2/200, …, 2")
        .symbol(
            "s-sparse",
            "with at most s entries that are not zero; suprema over such vectors are found by truncated power \
             iteration, from below; where no such vector stands in a check, s in its list of sizes plays no part; nor \
             do radius and ε anywhere",
        )
        .symbol(
            "‖Me_1‖",
            "‖Me_1‖² has for a = 1, c = L − 1 the law of Y_1⋯Y_{L−2} (2/m)χ²_m, Y_j = (2/m)χ²_B with B ~ Binomial(m, \
             ½), all independent",
        )
        .symbol("e_1", "a vector of the standard basis; e_r is the r-th")
        .remark(
            "Spectral norms are enclosed by the power method from a random start (lower end certain up to rounding, \
             upper end missed with probability 2^{−46}); suprema over sparse vectors are lower bounds found by \
             truncated power iteration. For L = 1 the range of (a, c) is empty. Every sweep has five sizes; the \
             products, whose sparse suprema are dear and whose constant 2 asks for large widths, have three networks \
             of each, single matrices twenty.",
        )
        .setting(printed())
        .setting(part_d_entries())
        .setting(b_column())
        .setting(a_rate())
        .setting(d_rate())
}

fn printed() -> Setting<SizeSweep, [Curve; 4]> {
    Setting::measuring(|s: &SizeSweep, trial| s.extremes(trial, products))
        .given(
            "one input of length one, n = 1; networks drawn as in Definition 3.2, the entries of W_l ~ N(0, 2/m), D_l \
             the units 1{· ≥ 0} of the forward pass; every network that was drawn",
        )
        .assume(Hypothesis::new("L ≥ 2, so that some M exists", |s| s.points().iter().all(|(_, p)| p.layers >= 2)))
        .assume(Hypothesis::new("m ≥ 10L log L", |s| {
            s.points().iter().all(|(_, p)| p.m() >= 10.0 * p.l() * core_math::log(p.l()))
        }))
        .family(edge("sweeps", sweeps))
        .family(outside("no product, and too deep", || {
            let of = |layers| SizeSweep::of(Varied::Width, &[16.0, 24.0, 36.0], drawn(1, layers, 1), 1);
            vec![("L = 1", of(1)), ("L = 9", of(9))]
        }))
        .without_search()
        .part(
            "printed",
            "(a) ‖M‖ ≤ 2ν, spectral norm, where ν ≤ 2√(eL) is the limit for L − 1 factors as m → ∞",
            consistent(),
            |s, c: &[Curve; 4]| c[0].scaled(s, |p| 1.0 / p.limiting_norm()).at_most(2.0),
        )
        .sides("‖M‖/ν", "2")
        .our_constant("the constant 2ν/√L, at most 4√e, above every ratio that was drawn")
        .part("part-b", "(b) ‖Mv‖ ≤ 2‖v‖ for s-sparse v", consistent(), |s, c| {
            c[1].scaled(s, |_| 1.0).at_most(2.0)
        })
        .our_constant(
            "the constant 1/8 in s ≤ m/(8L log m), which serves for L ≤ 3; by the exact law in rate a large L wants \
             less than 1/20",
        )
        .assume(Hypothesis::new("s ≤ m/(8L log m) and L ≤ 3", |s| {
            let fits = |p: &DrawnSizes| p.l() <= 3.0 && 8.0 * p.s() * p.l() * p.log_m() <= p.m();
            s.points().iter().all(|(_, p)| fits(p))
        }))
        .part("part-c", "(c) ‖uᵀM‖ ≤ 4‖u‖ for s-sparse u", consistent(), |_, c| c[2].at_most(4.0))
        .our_constant("the constant 4, above every ratio that was drawn, and s = 1")
        .assume(Hypothesis::new("s = 1", |s| s.points().iter().all(|(_, p)| p.sparsity == 1)))
        .part("part-d", "(d) |uᵀMv| ≤ 6√(s log m/m) for s-sparse unit u, v", consistent(), |s, c| {
            c[3].scaled(s, |p| 1.0 / bilinear(p)).at_most(6.0)
        })
        .sides("|uᵀMv|/√(s log m/m)", "6")
        .our_constant("the constant 6, above every ratio that was drawn")
        .sharpening("order", "(a) cannot be improved: ‖M‖ ≥ √L for some (a, c)", holds(), |s, c| {
            c[0].scaled(s, |p| 1.0 / p.l().sqrt()).at_least(1.0)
        })
        .sides("the largest ‖M‖/√L", "1")
        .control("a", "‖M‖ ≤ 2, (a) with the bound 2", |_, c| c[0].at_most(2.0))
        .control("b", "‖Mv‖ ≤ ‖v‖ for s-sparse v, (b) with the constant 1", |_, c| c[1].at_most(1.0))
}

fn part_d_entries() -> Setting<SizeSweep, [Curve; 1]> {
    Setting::measuring(|s: &SizeSweep, trial| s.extremes(trial, largest_entry))
        .given("W_a drawn as in Definition 3.2, a = c and s = 1, for any L ≥ 2; every network that was drawn")
        .family(edge("single matrices", || {
            let of = |values: &[f64]| SizeSweep::of(Varied::Width, values, drawn(1, 2, 1), 20);
            vec![
                ("m to 1024", of(&[64.0, 128.0, 256.0, 512.0, 1024.0])),
                ("m to 700", of(&[45.0, 90.0, 175.0, 350.0, 700.0])),
            ]
        }))
        .without_search()
        .part(
            "part-d-entries",
            "(d) for s = 1 and a = c: the largest |entry| of W_a is at most 6√(log m/m)",
            consistent(),
            |s, c| c[0].scaled(s, |p| 1.0 / bilinear(p)).at_most(6.0),
        )
        .sides("the largest |entry|/√(log m/m)", "6")
        .our_constant("the constant 6, above every ratio that was drawn")
        .control(
            "c",
            "the largest |entry| of W_a is at most 6 log m/m, (d) with s log m/m in place of its root",
            |s, c| c[0].scaled(s, |p| 1.0 / (bilinear(p) * bilinear(p))).at_most(6.0),
        )
        .sides("the largest |entry|/(log m/m)", "6")
}

fn b_column() -> Setting<Sizes, Enclosure> {
    Setting::measuring(long_columns)
        .assume(Hypothesis::new("L ≥ 2", |s: &Sizes| s.layers >= 2))
        .family(edge("widths and depths", columns))
        .family(outside("no product", || vec![("L = 1", Sizes { width: 10, layers: 1, inputs: 1, eps: 0.5 })]))
        .without_search()
        .part(
            "b-column",
            "(b) for v = e_1, (a, c) = (1, L − 1), exact law of ‖Me_1‖: P(‖Me_1‖ > 2) ≤ 2e^{−m/(40L)}",
            consistent(),
            |s, &p| {
                let allowed = 2.0 * (-(s.width_over_depth() / 40.0)).exp();
                if allowed.hi() >= 1.0 {
                    return vacuous("the allowed failure probability is at least one");
                }
                at_most(p, allowed)
            },
        )
        .our_constant("the constants 2 and 1/40")
        .except("the allowed failure probability is at least one")
        .sharpening(
            "rate",
            "(a, c) = (1, L − 1), exact law: P(‖Me_1‖ > 2) ≤ e^{−(log²2/10) m/L}",
            holds(),
            |s, &p| {
                let rate = Enclosure::ln_2().square() / 10.0;
                let allowed = (-(rate * s.width_over_depth())).exp();
                if allowed.lo() < RESOLVED {
                    return vacuous("the allowed probability is below 0.05, which the runs do not resolve");
                }
                at_most(p, allowed)
            },
        )
        .except("the allowed probability is below 0.05, which the runs do not resolve")
}

fn a_rate() -> Setting<FailureSweep, [NeededConstants; 2]> {
    Setting::measuring(|s: &FailureSweep, trial| Ok([s.draw(trial, single_matrix), s.draw(trial, longest_row)]))
        .given("W_1 drawn as in Definition 3.2, ‖W_1‖ its spectral norm")
        .assume(Hypothesis::new("L = 2, so that M = W_1", |s| s.sizes.points().iter().all(|(_, p)| p.layers == 2)))
        .family(
            edge("widths", || {
                let of = |values: &[f64]| failures(Varied::Width, values, drawn(1, 2, 1), 2.04, 4000);
                vec![("to 96", of(&[16.0, 32.0, 48.0, 64.0, 96.0])), ("to 80", of(&[12.0, 20.0, 40.0, 56.0, 80.0]))]
            })
            .restricted("m from 12 to 96"),
        )
        .family(outside("a longer product", || {
            vec![("L = 3", failures(Varied::Width, &[12.0, 20.0, 30.0, 40.0], drawn(1, 3, 1), 2.04, 100))]
        }))
        .without_search()
        .part(
            "a-rate",
            "(a) at L = 2 and m from 12 to 96, exact law: P(‖W_1‖ > 2.04√L) ≤ e^{−m/(20L)}",
            consistent(),
            |s, [norm, _]: &[NeededConstants; 2]| norm.fail_at_most(s.factor, 1.0 / 20.0, DrawnSizes::width_over_depth),
        )
        .our_constant(
            "the constants 2.04 and 1/20, for m from 12 to 96: at m = 300 and 400 more than e^{−m/(20L)} fail",
        )
        .part(
            "c-rate",
            "(c) at L = 2 and m from 12 to 96 for u with one entry, exact law: P(max_r ‖e_rᵀW_1‖ > 1.8) ≤ e^{−m/(25L)}",
            consistent(),
            |_, [_, row]| row.fail_at_most(1.8, 1.0 / 25.0, DrawnSizes::width_over_depth),
        )
        .our_constant("the constants 1.8 and 1/25")
        .control(
            "d",
            "P(‖W_1‖ > 1.95√L) ≤ e^{−m/(20L)} at L = 2 (‖W_1‖ tends to 2√2)",
            |_, [norm, _]| norm.fail_at_most(1.95, 1.0 / 20.0, DrawnSizes::width_over_depth),
        )
        .control(
            "e",
            "P(max_r ‖e_rᵀW_1‖ > 1.4) ≤ e^{−m/(25L)} at L = 2 (rows tend to √2)",
            |_, [_, row]| row.fail_at_most(1.4, 1.0 / 25.0, DrawnSizes::width_over_depth),
        )
        .control("f", "P(‖W_1‖ > 2.04√L) ≤ e^{−(m/L)³/10⁴} at L = 2", |s, [norm, _]| {
            norm.fail_at_most(s.factor, 1e-4, |p| p.width_over_depth().powi(3))
        })
}

fn d_rate() -> Setting<Sizes, ()> {
    Setting::of()
        .given("W_1 drawn as in Definition 3.2, a = c = 1 and s = 1, for any L ≥ 2")
        .assume(Hypothesis::new("m ≥ 2", |s: &Sizes| s.width >= 2))
        .family(edge("widths", || {
            let of = |width| (format!("m = {width}"), Sizes { width, layers: 2, inputs: 1, eps: 0.5 });
            [2, 3, 10, 100, 1000, 100_000].map(of).to_vec()
        }))
        .family(outside("log m = 0", || vec![("m = 1", Sizes { width: 1, layers: 2, inputs: 1, eps: 0.5 })]))
        .without_search()
        .part(
            "d-rate",
            "(d) for s = 1 and a = c, exact law: P(some |entry| of W_1 > 6√(log m/m)) ≤ m^{−7}",
            holds(),
            |s, ()| at_most(some_entry_beyond(s.width, 6.0), Enclosure::from(s.width).powi(-7)),
        )
        .our_constant("the constants 6 and 7")
        .control("g", "P(some |entry| of W_1 > 2√(log m/m)) ≤ m^{−7}", |s, ()| {
            at_most(some_entry_beyond(s.width, 2.0), Enclosure::from(s.width).powi(-7))
        })
}

/// P(some |entry| of W_1 > C√(log m/m)) for m² independent entries of variance 2/m.
fn some_entry_beyond(width: u32, factor: f64) -> Enclosure {
    let m = Enclosure::from(width);
    let one = normal_two_sided_tail((factor * (m.ln() / 2.0).sqrt()).interval());
    -(m * m * (-Enclosure::from(one)).ln_1p()).exp_m1()
}

fn drawn(width: u32, layers: u32, sparsity: u32) -> DrawnSizes {
    DrawnSizes::of(width, layers, 1).sparse(sparsity)
}

/// At these widths some column of three networks is longer than 2 with a probability below 1/1000: log ‖Me_1‖² is about normal, of variance 2/m at
/// L = 2 and 7/m at L = 3. At m = 128 and L = 3 it is one in six.
fn sweeps() -> Vec<(&'static str, SizeSweep)> {
    let of = |varied, values: &[f64], others, networks| SizeSweep::of(varied, values, others, networks);
    vec![
        ("m to 600 at L = 3", of(Varied::Width, &[288.0, 346.0, 416.0, 500.0, 600.0], drawn(1, 3, 1), 3)),
        ("m to 320 at L = 2", of(Varied::Width, &[128.0, 160.0, 200.0, 256.0, 320.0], drawn(1, 2, 1), 3)),
        ("L to 9 at m = 256", of(Varied::Layers, &[2.0, 3.0, 4.0, 6.0, 9.0], drawn(256, 1, 1), 3)),
        ("s to 16 at m = 256, L = 3", of(Varied::Sparsity, &[1.0, 2.0, 4.0, 8.0, 16.0], drawn(256, 3, 1), 3)),
    ]
}

fn columns() -> Vec<(String, Sizes)> {
    let mut list = Vec::new();
    for (width, layers) in [(10, 2), (60, 2), (200, 2), (100, 3), (300, 4), (400, 8), (600, 10), (2000, 40), (50, 40)] {
        let sizes = Sizes { width, layers, inputs: 1, eps: 0.5 };
        list.push((format!("m = {width}, L = {layers}"), sizes));
    }
    list
}
