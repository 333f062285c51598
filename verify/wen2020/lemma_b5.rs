//! Lemma B.5: products of masked layers with sparse changes D″ of the activations and small changes W′ of the weights.
//!
//! As printed, for 0 ≤ a ≤ c ≤ L and without any bound on b or on m/d, it is false at the single matrices a = c: ‖W_L‖
//! is at least the length of its first row, whose square is χ²_m/d, and ‖W_0‖ at least that of its first row, 2χ²_b/m.
//! Both exceed every C√L with probability tending to one, as m/d → ∞ and as b/m → ∞. For c ≤ L − 1 and b ≤ m it holds
//! for adversarial D″ and W′ with explicit constants, and the factors (1 + √(b/m)) for a = 0 and (1 + √(m/d)) for c = L
//! repair the rest. The constants are not those of Lemma B.2: one entry ±3 of D″ between a row and a column of norm √2
//! gives 6 by itself.

use enclosures::probability::chi_square_lower_tail;
use evidence::prelude::*;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

use crate::shared::drawn_encoders::{Curve, DrawnSizes, SizeSweep, Varied};
use crate::shared::failure_events::{changed_products, single_matrix};
use crate::shared::failure_rates::{FailureSweep, NeededConstants, failures};
use crate::shared::perturbed_products::{adversary, top};
use crate::shared::signs::{INITIALISATION, LAYERS, OUTPUT, QUERY_NETWORK, WIDTH};

/// A single matrix at the end of the range, W_0 or W_L, against C√L.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, stored)]
struct EndMatrix {
    /// Entries of a row: m of W_L, b of W_0.
    #[instance(range = "1..=2_000_000")]
    row: u32,
    /// What the squares of the entries are divided by: d for W_L, m/2 for W_0.
    #[instance(range = "0.5..=1e6", scale = "logarithmic")]
    inverse_variance: f64,
    #[instance(range = "1..=100")]
    layers: u32,
    /// C.
    #[instance(range = "0.01..=1e3", scale = "logarithmic")]
    factor: f64,
    /// W_L rather than W_0.
    output: bool,
}

impl EndMatrix {
    /// P(‖first row‖ ≤ C√L), which bounds the success probability.
    fn success(&self) -> Enclosure {
        let square = Interval::point(self.factor).square() * f64::from(self.layers) * self.inverse_variance;
        chi_square_lower_tail(self.row, square).into()
    }
}

impl EndMatrix {
    fn in_words(&self) -> String {
        let (row, other, size) =
            if self.output { ("m", "d", self.inverse_variance) } else { ("b", "m", 2.0 * self.inverse_variance) };
        format!("{row} = {}, {other} = {size}, L = {}, C = {}", self.row, self.layers, self.factor)
    }
}

/// Largest found over (a, c) with c ≤ L − 1, then for c = L: without changes, with D″, with D″ and W′ of norm radius ·
/// L^{−3/2}.
fn perturbed(s: &DrawnSizes, trial: &mut Trial) -> Result<[Enclosure; 6], MeasureError> {
    let encoder = s.draw(trial)?;
    let point = s.point();
    let seen = encoder.activations(&point)?;
    let layers = s.depth();
    let omega = s.radius / (s.l() * s.l().sqrt());
    let mut worst = [Enclosure::ZERO; 6];
    let mut pairs = vec![(0, 0), (0, layers - 1), (1.min(layers - 1), layers - 1), (0, layers), (1, layers)];
    pairs.dedup();
    for (a, c) in pairs {
        let columns = if a == 0 { s.input } else { s.width } as usize;
        let start = top(&seen, a, c, columns, trial)?;
        let turned = adversary(&encoder, &seen, (a, c), &start, s.sparsity as usize, 0.0)?;
        let with_diagonals = seen.clone().with_diagonals(turned.diagonals)?;
        let second = top(&with_diagonals, a, c, columns, trial)?;
        let both = adversary(&encoder, &seen, (a, c), &second, s.sparsity as usize, omega)?;
        let changed = encoder.displaced(&both.change, 1.0)?;
        let moved = changed.activations(&point)?.with_diagonals(both.diagonals)?;
        let third = top(&moved, a, c, columns, trial)?;
        let offset = if c == layers { 3 } else { 0 };
        for (worst, found) in worst[offset..].iter_mut().zip([start, second, third]) {
            *worst = worst.max(found.value);
        }
    }
    Ok(worst)
}

/// A product with D″ = 3I, so s = m.
fn all_changed(s: &DrawnSizes, trial: &mut Trial) -> Result<[Enclosure; 1], MeasureError> {
    let encoder = s.draw(trial)?;
    let seen = encoder.activations(&s.point())?;
    let three = |l: usize| seen.diagonal(l).map(|d| d.iter().map(|x| x + 3.0).collect::<Vec<_>>());
    let diagonals: Vec<Vec<f64>> = (0..s.depth()).filter_map(three).collect();
    let changed = seen.clone().with_diagonals(diagonals)?;
    Ok([top(&changed, 1, s.depth() - 1, s.width as usize, trial)?.value])
}

fn per_limit(s: &DrawnSizes) -> f64 {
    1.0 / s.limiting_norm()
}

/// Against the limit times 1 + √(b/m).
fn with_input(s: &DrawnSizes) -> f64 {
    per_limit(s) / (1.0 + (f64::from(s.input) / s.m()).sqrt())
}

pub fn claim() -> Claim {
    Claim::new("wen2020.lemma-b5", "forward products with perturbed activations", Kind::Asymptotic)
        .statement(
            "for 1 ≤ s ≤ O(m/(L³ log m)), with probability ≥ 1 − e^{−Ω(s log m)}, for all 0 ≤ a ≤ c ≤ L, all diagonal \
             D″_l with at most s non-zero entries in [−3, 3] and all ‖W′‖₂ ≤ ω ∈ [0, 1]: (a) ‖W_c(D_{c−1} + D″_{c−1}) \
             ⋯ (D_a + D″_a)W_a‖ ≤ O(√L); (b) the same with W + W′ if ω ≤ O(L^{−3/2})",
        )
        .source("Lemma B.5", &["Modification of Lemma 8.6 of Allen-Zhu et al. (2018)"])
        .symbols([WIDTH, LAYERS, OUTPUT, QUERY_NETWORK, INITIALISATION])
        .symbol(
            "D″",
            "diagonal matrices D″_l with at most s entries that are not zero, of size at most 3; of drawn networks ±3 \
             where they raise the product most",
        )
        .symbol("W′", "added to W in (b), every matrix of spectral norm at most ω = O(L^{−3/2})")
        .symbol("ν", "√(min_z (1 + z)^{L−2}(2 + z)²/z) over z = 1/200, 2/200, …, 2")
        .symbol("first row", "its length; the square has the law of χ²_m/d for W_L and of 2χ²_b/m for W_0")
        .symbol("b", "the dimension of the inputs")
        .symbol(
            "(a)",
            "the bound on ‖W_c(D_{c−1} + D″_{c−1}) ⋯ (D_a + D″_a)W_a‖₂, and (b) that with W + W′ in place of W",
        )
        .symbol(
            "at most",
            "the largest spectral norm found over (a, c) = (0, 0), (0, L − 1), (1, L − 1), and over (0, L), (1, L) for \
             c = L",
        )
        .symbol(
            "upper bound of the suprema",
            "max((‖W_1‖₂ + ω)(√((2/m)(Σ_r max(g_r, 0)² + G)) + 4ω), ‖W_1‖₂ + ω, √(2/m)‖g‖ + ω), g standard normal in \
             ℝ^m and independent of W_1, and G the sum of the s largest of 15g_r² (g_r > 0) and 9g_r² (g_r ≤ 0)",
        )
        .symbol("D_{c−1}", "D_l = diag 1{(W_l h_{l−1})_r ≥ 0} at one input x, h_l = max(W_l h_{l−1}, 0), h_{−1} = x")
        .remark(
            "The printed ‖W‖₂ ≤ ω is read as ‖W′‖₂ ≤ ω. D″ and W′ follow the top singular vectors of the product, in \
             two rounds. The depth runs from 2 to 4 only, with m = 8L³, so that s = 1 is allowed, and with three \
             networks of each size; s runs from 1 to 3 at m = 128, where more is not allowed. The other sweeps have \
             five sizes with twenty networks each. The constants are ours.",
        )
        .setting(printed())
        .setting(bounded_products())
        .setting(whole_rank())
        .setting(hidden_rate())
        .setting(single_rate())
}

fn printed() -> Setting<EndMatrix, ()> {
    Setting::of()
        .family(edge("ends", ends))
        .family(random("larger and larger rows", || {
            (0.5..16.0f64, 1u32..5, 0u32..2).prop_map(|(factor, layers, output)| EndMatrix {
                row: (factor * factor * f64::from(4 * layers)) as u32 + 40,
                inverse_variance: 1.0,
                layers,
                factor,
                output: output == 1,
            })
        }))
        .part(
            "printed",
            "(a) at a = c = L with the constant C: P(first row of W_L ≤ C√L) is at least ½, at every m, d and L, \
             whatever C is",
            fails("‖W_L‖ ≥ √(χ²_m/d): the output matrix needs the factor √(m/d)"),
            |e: &EndMatrix, ()| {
                if e.output { at_least(e.success(), exact(0.5)) } else { vacuous("not the output matrix") }
            },
        )
        .sides("P(first row of W_L ≤ C√L)", "½")
        .except("not the output matrix")
        .part(
            "hidden-any-b",
            "(a) for c ≤ L − 1, at a = c = 0: P(first row of W_0 ≤ C√L) is at least ½ for every b, m and L, whatever C \
             is",
            fails("‖W_0‖ ≥ √(2χ²_b/m): no bound on b/m is printed"),
            |e, ()| {
                if e.output { vacuous("not the input matrix") } else { at_least(e.success(), exact(0.5)) }
            },
        )
        .sides("P(first row of W_0 ≤ C√L)", "½")
        .except("not the input matrix")
        .step(
            "s1",
            "‖W_cD_{c−1}⋯D_0W_0‖ ≤ O(√L) with high probability, at c = 0 with the constant C: P(first row of W_0 ≤ \
             C√L) is at least ½ for every b, m and L, whatever C is",
            fails("false unless b ≤ O(m)"),
            |e, ()| {
                if e.output { vacuous("not the input matrix") } else { at_least(e.success(), exact(0.5)) }
            },
        )
        .sides("P(first row of W_0 ≤ C√L)", "½")
        .except("not the input matrix")
        .ours(
            "no-constant",
            "for every C > 0, the first row of W_0 where 2b/m ≥ 4C²L and that of W_L where m/d ≥ 4C²L exceed C√L with \
             probability > ½, and with them ‖W_0‖ and ‖W_L‖",
            holds(),
            |e, ()| {
                let mean = f64::from(e.row) / e.inverse_variance;
                if mean < 4.0 * e.factor * e.factor * f64::from(e.layers) {
                    return vacuous("2b/m < 4C²L, or m/d < 4C²L");
                }
                less_than(e.success(), exact(0.5))
            },
        )
        .sides("P(first row ≤ C√L)", "½")
        .except("2b/m < 4C²L, or m/d < 4C²L")
}

fn bounded_products() -> Setting<SizeSweep, [Curve; 6]> {
    Setting::measuring(|s: &SizeSweep, trial| s.extremes(trial, perturbed))
        .given("one input, n = 1; every network that was drawn, as in Definition 3.2; ω = radius · L^{−3/2}")
        .assume(Hypothesis::new("L ≥ 2 and 1 ≤ s ≤ m/(L³ log m)", |s| {
            s.points().iter().all(|(_, p)| p.layers >= 2 && p.s() * p.l() * p.l() * p.l() * p.log_m() <= p.m())
        }))
        .assume(Hypothesis::new("ω ≤ 0.8L^{−3/2}", |s| s.points().iter().all(|(_, p)| p.radius <= 0.8)))
        .family(edge("sweeps", sweeps).restricted("D″ and W′ of two rounds along the top singular vectors"))
        .family(outside("one layer, too many changes, and a large W′", || {
            let of = |layers, sparsity| {
                let others = drawn(2, 1, layers, 1).sparse(sparsity);
                SizeSweep::of(Varied::Width, &[32.0, 40.0, 50.0], others, 1)
            };
            let large = SizeSweep::of(Varied::Width, &[48.0, 72.0, 108.0], drawn(2, 1, 2, 1).within(4.0), 1);
            vec![("L = 1", of(1, 1)), ("s = m/2", of(2, 16)), ("ω = 4L^{−3/2}", large)]
        }))
        .without_search()
        .step(
            "s1-bounded",
            "(s1) for b ≤ m and c ≤ L − 1, D″ = 0 and W′ = 0: at most 2ν, where ν ≤ 2√(eL) is the limit for L − 1 \
             square factors as m → ∞",
            consistent(),
            |s, c: &[Curve; 6]| c[0].scaled(s, per_limit).at_most(2.0),
        )
        .sides("the largest norm/ν", "2")
        .our_constant("the constant 2ν/√L, at most 4√e, above every ratio that was drawn")
        .assume(Hypothesis::new("b ≤ m", |s| s.points().iter().all(|(_, p)| p.input <= p.width)))
        .meant(
            "hidden",
            "(a) and (b) for c ≤ L − 1 and b ≤ m, ω ≤ 0.8 L^{−3/2}: at most 6ν",
            consistent(),
            |s, c| c[2].scaled(s, per_limit).at_most(6.0),
        )
        .sides("the largest norm/ν", "6")
        .our_constant(
            "the constant 6ν/√L, at most 12√e, above every ratio that was drawn, 0.8 in ω ≤ 0.8L^{−3/2}, and b ≤ m",
        )
        .because(
            "the printed W′ = (W′_0, …, W′_{L−1}) leaves out the output layer, so that c ≤ L − 1 is meant; b ≤ m is \
             ours",
        )
        .assume(Hypothesis::new("b ≤ m", |s| s.points().iter().all(|(_, p)| p.input <= p.width)))
        .amendment("input", "(a) and (b) for c ≤ L − 1 and any b: at most 6ν(1 + √(b/m))", holds(), |s, c| {
            c[2].scaled(s, with_input).at_most(6.0)
        })
        .sides("the largest norm/(ν(1 + √(b/m)))", "6")
        .amendment("output", "(a) and (b) for c = L: at most 4ν(1 + √(b/m))(1 + √(m/d))", holds(), |s, c| {
            c[5].scaled(s, |p| with_input(p) / (1.0 + (p.m() / p.d()).sqrt())).at_most(4.0)
        })
        .sides("the largest norm/(ν(1 + √(b/m))(1 + √(m/d)))", "4")
        .control("a", "the largest norm with D″ and W′ = 0, c ≤ L − 1, is at most 2", |_, c| c[1].at_most(2.0))
}

fn whole_rank() -> Setting<SizeSweep, [Curve; 1]> {
    Setting::measuring(|s: &SizeSweep, trial| s.extremes(trial, all_changed))
        .given("L ≥ 2, a = 1, c = L − 1")
        .family(edge("all entries changed", || {
            let of = |width, values: &[f64]| SizeSweep::of(Varied::Layers, values, drawn(2, width, 2, 1), 1);
            vec![("m = 64", of(64, &[2.0, 3.0, 4.0, 5.0])), ("m = 40", of(40, &[2.0, 3.0, 4.0, 5.0]))]
        }))
        .without_search()
        .control("b", "s = m: ‖W_c(D_{c−1} + 3I) ⋯ (D_a + 3I)W_a‖ ≤ 6ν", |s, c: &[Curve; 1]| {
            c[0].scaled(s, per_limit).at_most(6.0)
        })
        .sides("the norm/ν", "6")
}

fn hidden_rate() -> Setting<FailureSweep, NeededConstants> {
    Setting::measuring(|s: &FailureSweep, trial| Ok(s.draw(trial, changed_products)))
        .assume(Hypothesis::new("L = 2 and b = 1", |s| {
            s.sizes.points().iter().all(|(_, p)| p.layers == 2 && p.input == 1)
        }))
        .family(edge("m, largest s", || at_the_end(7.0)).restricted("m from 27 to 215"))
        .family(outside("three layers, and two inputs", || other_shapes(7.0)))
        .without_search()
        .part(
            "hidden-rate",
            "(a) and (b) for c ≤ 1, L = 2, b = 1, all D″ and W′ with ω = ½L^{−3/2}, s = ⌊m/(L³ log m)⌋, exact law: \
             P(an upper bound of the suprema > 7√L) ≤ e^{−(s log m)/12}",
            consistent(),
            |s, n: &NeededConstants| n.fail_at_most(s.factor, 1.0 / 12.0, exponent),
        )
        .our_constant("the constants 7 and 1/12, and ½ in ω")
        .control(
            "c",
            "hidden-rate with the constant 5: P(an upper bound of the suprema > 5√L) ≤ e^{−(s log m)/12}",
            |_, n| n.fail_at_most(5.0, 1.0 / 12.0, exponent),
        )
}

fn single_rate() -> Setting<FailureSweep, NeededConstants> {
    Setting::measuring(|s: &FailureSweep, trial| Ok(s.draw(trial, single_matrix)))
        .assume(Hypothesis::new("L = 2", |s| s.sizes.points().iter().all(|(_, p)| p.layers == 2)))
        .family(edge("m, largest s", || at_the_end(2.04)).restricted("m from 27 to 215"))
        .family(outside("three layers", || other_shapes(2.04)[..1].to_vec()))
        .without_search()
        .part(
            "single-rate",
            "a = c = 1, L = 2, s = ⌊m/(L³ log m)⌋, exact law: P(‖W_1‖ > 2.04√L) ≤ e^{−(s log m)/8}",
            consistent(),
            |s, n: &NeededConstants| n.fail_at_most(s.factor, 1.0 / 8.0, exponent),
        )
        .our_constant("the constants 2.04 and 1/8")
        .control("d", "P(‖W_1‖ > 1.95√L) ≤ e^{−(s log m)/8}, L = 2 (‖W_1‖ tends to 2√2)", |_, n| {
            n.fail_at_most(1.95, 1.0 / 8.0, exponent)
        })
}

/// s log m.
fn exponent(s: &DrawnSizes) -> Enclosure {
    Enclosure::from(s.width).ln() * f64::from(s.sparsity)
}

/// At fixed m the supremum grows with s and the promise falls, so that the largest s is the one to be judged.
fn at_the_end(factor: f64) -> Vec<(&'static str, FailureSweep)> {
    let of = |widths: &[f64]| failures(Varied::WidthAndSparsity, widths, drawn(1, 1, 2, 1), factor, 4000);
    vec![("m to 215", of(&[27.0, 68.0, 115.0, 164.0, 215.0])), ("m to 90", of(&[30.0, 43.0, 62.0, 90.0]))]
}

fn other_shapes(factor: f64) -> Vec<(&'static str, FailureSweep)> {
    let of = |input, layers| {
        let others = drawn(input, 1, layers, 1);
        failures(Varied::Width, &[30.0, 40.0, 50.0, 60.0], others, factor, 100)
    };
    vec![("L = 3", of(1, 3)), ("b = 2", of(2, 2))]
}

fn ends() -> Vec<(&'static str, EndMatrix)> {
    let of =
        |row, inverse_variance, layers, factor, output| EndMatrix { row, inverse_variance, layers, factor, output };
    vec![
        ("W_L: m = 16, d = 1, L = 1, C = 1", of(16, 1.0, 1, 1.0, true)),
        ("W_L: m = 2000, d = 1, L = 8, C = 10", of(2000, 1.0, 8, 10.0, true)),
        ("W_L: m = 2000, d = 4, L = 2, C = 10", of(2000, 4.0, 2, 10.0, true)),
        ("W_L: m = d = 100, L = 1, C = 2", of(100, 100.0, 1, 2.0, true)),
        ("W_0: b = 100 m, m = 20, L = 1, C = 10", of(2000, 10.0, 1, 10.0, false)),
        ("W_0: b = 1000 m, m = 2, L = 2, C = 20", of(2000, 1.0, 2, 20.0, false)),
        ("W_0: b = m = 100, L = 1, C = 2", of(100, 50.0, 1, 2.0, false)),
    ]
}

fn drawn(input: u32, width: u32, layers: u32, output: u32) -> DrawnSizes {
    DrawnSizes::of(width, layers, output).with_input(input).within(0.5)
}

fn sweeps() -> Vec<(&'static str, SizeSweep)> {
    let of = |varied, values: &[f64], others| SizeSweep {
        varied,
        values: values.to_vec(),
        others,
        // m = 512 at four layers costs a hundred times what a sweep of small widths does.
        networks: if varied == Varied::Depth { 3 } else { 20 },
    };
    vec![
        ("m, L = 2", of(Varied::Width, &[32.0, 48.0, 72.0, 108.0, 162.0], drawn(10, 1, 2, 2))),
        ("L to 4, m = 8L³", of(Varied::Depth, &[2.0, 3.0, 4.0], drawn(10, 1, 1, 2))),
        ("b to 30 m", of(Varied::Input, &[1.0, 8.0, 48.0, 240.0, 1440.0], drawn(1, 48, 2, 2))),
        ("d to m", of(Varied::Output, &[1.0, 4.0, 12.0, 28.0, 64.0], drawn(10, 64, 2, 1))),
        ("s to 3", of(Varied::Sparsity, &[1.0, 2.0, 3.0], drawn(10, 128, 2, 2))),
        ("ω → 0", of(Varied::Radius, &[0.05, 0.1, 0.2, 0.4, 0.8], drawn(10, 64, 2, 2))),
    ]
}
