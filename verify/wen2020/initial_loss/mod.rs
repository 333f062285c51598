//! The loss at initialisation, in the proof of the theorem.
//!
//! Bounded outputs give L_S ≤ log(1 + k e^{2C²}), which is O(log(k + 1)) and not O(log k): for k = 1, log k = 0 and L_S > 0. (O(n) is right either way.)
//!
//! The probability 1 − O(n)e^{−Ω(d)} lacks the width: ‖f‖² = ‖h_{L−1}‖² χ²_d/d, and the first factor does not know of d. At fixed m the probability that it
//! exceeds 2C² stays, while the promise tends to zero as d grows; the theorem has no upper limit on d. With d ≥ O(m/L) excluded, or with e^{−Ω(m/L)} added, it is true:
//! P(‖f‖ > 2) ≤ e^{−d/10} + e^{−m/(16L)}, from P(max_l ‖h_l‖ ≥ 3/2) ≤ (2/3)e^{−(2/5) log²(3/2) m/L} (amendment of Lemma B.1) and Chernoff's bound
//! for χ²_d/d ≥ 16/9.

mod output_norm_law;

use contrastive::QueriesAndKeys;
use contrastive::network::TwoEncoders;
use enclosures::probability::{IncrementLaw, chi_square_lower_tail};
use enclosures::stream::stream;
use enclosures::vectors::{norm, points, sum_of_products};
use evidence::prelude::*;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

use crate::shared::encoder_pair::shape;
use crate::shared::query_key_outputs::families;
use crate::shared::signs::{INITIALISATION, KEY, LOSS, NETWORKS, QUERY};
use crate::shared::unit_points::drawn_on_the_sphere;
use output_norm_law::OutputNorm;

/// C², C the largest norm of an output.
fn largest_square(o: &QueriesAndKeys) -> Enclosure {
    let square = |row: &Vec<f64>| {
        let row = points(row);
        Enclosure::from(sum_of_products(&row, &row))
    };
    o.queries().iter().chain(o.keys()).map(square).fold(Enclosure::ZERO, Enclosure::max)
}

fn logarithm(k: usize) -> Enclosure {
    Enclosure::from(k).ln()
}

/// One hidden layer of width m, outputs of dimension d, and the norm C that may be exceeded.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "L = 1, m = {width}, d = {output}, C = {threshold}", simpler = Self::one_smaller, stored)]
struct LongOutput {
    #[instance(range = "1..=2000")]
    width: u32,
    #[instance(range = "1..=65536")]
    output: u32,
    #[instance(range = "1..=4")]
    threshold: f64,
}

impl LongOutput {
    fn one_smaller(&self) -> Vec<Self> {
        let with = |width, output| LongOutput { width, output, ..*self };
        [with(1, self.output), with(self.width, self.output / 2)]
            .into_iter()
            .filter(|s| s.validate().is_ok() && (s.width < self.width || s.output < self.output))
            .collect()
    }
}

/// P(‖f‖ > C): ‖f‖² = Yχ²_d/d exceeds C² if Y > 2C² and χ²_d > d/2; its mean is one, so that P ≤ 1/C².
fn excess(s: &LongOutput) -> Enclosure {
    let (law, square) = (IncrementLaw::new(s.width), exact(s.threshold).square());
    let long = 1.0 - Enclosure::from(law.cdf((2.0 * square).interval()));
    let half = Interval::point(f64::from(s.output)) / 2.0;
    // Chernoff: P(χ²_d ≤ d/2) ≤ (√e/2)^{d/2} < e^{−0.09 d}.
    let short = if s.output > 500 {
        (exact(f64::from(s.output)) * -0.09).exp()
    } else {
        chi_square_lower_tail(s.output, half).into()
    };
    let least = long * (1.0 - short);
    Enclosure::between(least.lo().max(0.0), (1.0 / square).hi())
}

const TOO_SMALL: &str = "the allowed probability is below 10⁻⁶, which is not resolved";

const NO_PROMISE: &str = "the allowed probability is at least one";

fn excess_at_most(found: Enclosure, allowed: Enclosure) -> Evaluation {
    if allowed.lo() < 1e-6 {
        vacuous(TOO_SMALL)
    } else if allowed.hi() >= 1.0 {
        vacuous(NO_PROMISE)
    } else {
        at_most(found, allowed)
    }
}

/// Both networks at random initialisation: n = 65 inputs on the sphere of ℝ³².
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(
    describe = "n = {points}, k = {negatives}, m = {width}, L = {layers}, d = {output}, seed {seed}",
    valid = Self::fits,
    stored
)]
struct Start {
    #[instance(range = "2..=128")]
    points: usize,
    #[instance(range = "1..")]
    negatives: usize,
    #[instance(range = "..=1000")]
    width: usize,
    #[instance(range = "1..")]
    layers: usize,
    output: usize,
    seed: u32,
}

impl Start {
    fn fits(&self) -> Result<(), String> {
        if self.negatives < self.points { Ok(()) } else { Err("no fewer negatives than points".into()) }
    }
}

struct LossFound {
    loss: f64,
    norms: Vec<f64>,
}

impl LossFound {
    /// The largest norm of an output.
    fn longest(&self) -> Enclosure {
        Enclosure::measured(self.norms.iter().copied().fold(0.0, f64::max))
    }
}

fn start(s: &Start) -> Result<LossFound, MeasureError> {
    const INPUT: usize = 32;
    let mut rng = stream(u64::from(s.seed), &["initial loss"]);
    let points = drawn_on_the_sphere(&mut rng, s.points, INPUT).concat();
    let encoders = TwoEncoders::initialise(shape(INPUT, s.width, s.layers, s.output), &mut rng)?;
    let loss = encoders.gradient(&points, s.negatives)?.contrast.loss;
    let (queries, keys) = (encoders.query.forward(&points)?, encoders.key.forward(&points)?);
    let rows = queries.outputs().chunks_exact(s.output).chain(keys.outputs().chunks_exact(s.output));
    let norms = rows.map(norm).collect();
    Ok(LossFound { loss, norms })
}

fn starts() -> Vec<(String, Start)> {
    let of = |negatives, output, layers, seed| Start { points: 65, negatives, width: 200, layers, output, seed };
    let mut list = Vec::new();
    for (seed, k) in [1, 2, 3, 10, 32, 64].into_iter().enumerate() {
        list.push(of(k, 16, 2, seed as u32));
        list.push(of(k, 64, 1, 10 + seed as u32));
    }
    list.extend([of(1, 4, 2, 30), of(64, 4, 2, 31), of(3, 16, 4, 32)]);
    described(list)
}

pub fn claim() -> Claim {
    Claim::new("wen2020.initial-loss", "L_S at initialisation", Kind::ProbabilityBound)
        .statement(
            "with probability ≥ 1 − O(n)e^{−Ω(d)}, ‖f_{W^{(0)}}(x_i)‖, ‖f_{θ^{(0)}}(x_i)‖ ≤ O(1) for all i, which \
             implies L_S(W^{(0)}, θ^{(0)}) ≤ O(log k) ≤ O(n)",
        )
        .source("Appendix A.2, ① of (A.3)", &["display after (A.3)"])
        .symbols(NETWORKS)
        .symbols([QUERY, KEY, LOSS, INITIALISATION])
        .symbol(
            "f(x)",
            "the output of a network drawn as Definition 3.2 says at one x with ‖x‖ = 1 (f_{W^{(0)}}): ‖f(x)‖² has the \
             law of Y_1⋯Y_L χ²_d/d, Y_j = (2/m)χ²_B with B ~ Binomial(m, ½), all independent",
        )
        .symbol("P(", "the probability over the draw of the network")
        .sense("printed", "any k ≥ 1, and any d at any width")
        .sense("supplied", "k ≥ 2, so that log k > 0, and d ≤ m/L, as Lemma B.3 asks with a logarithm to spare")
        .remark(
            "Losses of given outputs are enclosed over all sets of negatives; the law of an output's norm is that of \
             ‖h_{L−1}‖²χ²_d/d.",
        )
        .setting(printed())
        .setting(norms())
        .setting(both_sizes())
        .setting(ratio())
}

fn printed() -> Setting<QueriesAndKeys, (Enclosure, Enclosure)> {
    Setting::measuring(|o: &QueriesAndKeys, _| Ok((Enclosure::from(o.loss()), largest_square(o))))
        .given(
            "n points, 1 ≤ k ≤ n − 1; their queries q_i and keys k_i are any vectors of one dimension, C the largest \
             norm of them",
        )
        .degenerate(crate::shared::query_key_outputs::DEGENERATE, crate::shared::query_key_outputs::degenerate)
        .family(families(6))
        .without_search()
        .part(
            "printed",
            "L_S ≤ 1000(1 + C²) log k for all k ≥ 1",
            fails("k = 1: log k = 0, and no constant helps"),
            |o, &(loss, square)| at_most(loss, 1000.0 * (1.0 + square) * logarithm(o.negatives())),
        )
        .sides("L_S", "1000(1 + C²) log k")
        .our_constant("the constant 1000(1 + C²); none helps for k = 1")
        .in_sense("printed")
        .part("s2", "L_S ≤ (1 + (2C² + ½)/log 2) log k for k ≥ 2", holds(), |o, &(loss, square)| {
            at_most(loss, (1.0 + (2.0 * square + 0.5) / Enclosure::ln_2()) * logarithm(o.negatives()))
        })
        .our_constant("the constant 1 + (2C² + ½)/log 2")
        .in_sense("supplied")
        .assume(Hypothesis::new("k ≥ 2", |o| o.negatives() >= 2))
        .step("s3", "L_S ≤ (1 + 2C²/log 2) log(k + 1) for k ≥ 1", holds(), |o, &(loss, square)| {
            at_most(loss, (1.0 + 2.0 * square / Enclosure::ln_2()) * logarithm(o.negatives() + 1))
        })
        .part("s4", "log k ≤ n", holds(), |o, _| at_most(logarithm(o.negatives()), o.count()))
        .amendment(
            "shifted",
            "L_S ≤ log(1 + k e^{2C²}) ≤ log(k + 1) + 2C² for k ≥ 1",
            holds(),
            |o, &(loss, square)| {
                let k = Enclosure::from(o.negatives());
                let bound = (2.0 * square + k.ln()).softplus();
                let last = logarithm(o.negatives() + 1) + 2.0 * square;
                all_of([("first", at_most(loss, bound)), ("second", at_most(bound, last))])
            },
        )
        .sharpening("from-below", "L_S ≥ log(1 + k e^{−2C²})", holds(), |o, &(loss, square)| {
            let bound = (Enclosure::from(o.negatives()).ln() - 2.0 * square).softplus();
            at_least(loss, bound - 1e-14 * bound)
        })
        .control("half", "L_S ≤ ½ log(k + 1)", |o, &(loss, _)| at_most(loss, 0.5 * logarithm(o.negatives() + 1)))
}

fn norms() -> Setting<LongOutput, Enclosure> {
    Setting::measuring(|s: &LongOutput, _| Ok(excess(s)))
        .given("‖x‖ = 1, L = 1, W^{(0)} drawn as Definition 3.2 says")
        .assume(Hypothesis::new("C > 1", |s| s.threshold > 1.0))
        .family(outside("the mean itself", || {
            let of = |output| LongOutput { width: 1, output, threshold: 1.0 };
            vec![("C = 1, d = 1", of(1)), ("C = 1, d = 4096", of(4096))]
        }))
        .family(edge("narrow networks", || {
            let of =
                |width, threshold| [1, 16, 256, 4096, 65_536].map(|output| LongOutput { width, output, threshold });
            described([of(1, 3.0), of(1, 1.5), of(2, 2.0), of(5, 1.5), of(10, 1.5), of(20, 1.2)].concat())
        }))
        .family(
            random("widths", || {
                (1u32..=12, 0u32..=16, 1.1..2.0f64).prop_map(|(width, octave, threshold)| LongOutput {
                    width,
                    output: 1 << octave,
                    threshold,
                })
            })
            .taking(0.25),
        )
        .without_search()
        .part(
            "norms",
            "L = 1: P(‖f_{W^{(0)}}(x)‖ > C) ≤ 100 e^{−d/1000} for all m and d",
            fails("P tends to P(‖h_{L−1}‖ > C) > 0 as d grows, the promise to zero"),
            |s, &found| at_most(found, 100.0 * (exact(f64::from(s.output)) / -1000.0).exp()),
        )
        .sides("P(‖f_{W^{(0)}}(x)‖ > C)", "100 e^{−d/1000}")
        .our_constant("the constants 100 and 1/1000; P does not fall with d, so that none helps")
        .in_sense("printed")
}

fn both_sizes() -> Setting<OutputNorm, Enclosure> {
    Setting::measuring(OutputNorm::excess)
        .given("m, L, d ≥ 1; one input, a network drawn as Definition 3.2 says")
        .family(edge("named", || {
            let of = |width, layers, output| OutputNorm { width, layers, output };
            described([
                of(16, 1, 1),
                of(50, 1, 16),
                of(100, 1, 64),
                of(60, 1, 600),
                of(200, 1, 20),
                of(100, 4, 20),
                of(200, 8, 40),
                of(64, 4, 300),
                of(20, 1, 100),
            ])
        }))
        .family(
            random("one layer", || {
                (17u32..=200, 11u32..=200).prop_map(|(width, output)| OutputNorm { width, layers: 1, output })
            })
            .taking(0.2),
        )
        .without_search()
        .amendment("both-sizes", "P(‖f(x)‖ > 2) ≤ e^{−d/10} + e^{−m/(16L)}", holds(), |s, &found| {
            excess_at_most(found, s.allowed(0.1, 1.0 / 16.0))
        })
        .except(TOO_SMALL)
        .except(NO_PROMISE)
        .part("norms-supplied", "P(‖f(x)‖ > 2) ≤ 2e^{−d/16} for d ≤ m/L", consistent(), |s, &found| {
            excess_at_most(found, 2.0 * (Enclosure::from(s.output) / -16.0).exp())
        })
        .our_constant("the constants 2, 2 and 1/16; n inputs and two networks make it 2n times as much")
        .except(TOO_SMALL)
        .except(NO_PROMISE)
        .in_sense("supplied")
        .assume(Hypothesis::new("d ≤ m/L", |s| s.output * s.layers <= s.width))
        .control("faster", "P(‖f(x)‖ > 2) ≤ e^{−2d} + e^{−3m/L}", |s, &found| {
            let allowed = s.allowed(2.0, 3.0);
            if allowed.hi() >= 1.0 { vacuous(NO_PROMISE) } else { at_most(found, allowed) }
        })
        .except(NO_PROMISE)
}

fn ratio() -> Setting<Start, LossFound> {
    Setting::measuring(|s: &Start, _| start(s))
        .given(
            "n = 65 inputs drawn uniformly on the sphere of ℝ³², m = 200, 1 ≤ k ≤ n − 1; both networks drawn as \
             Definition 3.2 says",
        )
        .family(edge("both networks drawn", starts).restricted(
            "one draw of each size: k = 1, 2, 3, 10, 32, 64 with d = 16, L = 2 and with d = 64, L = 1; k = 1, 64 with \
             d = 4, L = 2; k = 3 with d = 16, L = 4",
        ))
        .without_search()
        .step("s1", "‖q_i‖, ‖k_i‖ ≤ 4 for all i", consistent(), |_, f| at_most(f.longest(), 4))
        .our_constant("the constant 4 of the norms, above every norm that was drawn")
        .assume(Hypothesis::new("d ≥ 16", |s| s.output >= 16))
        .amendment("ratio", "L_S ≤ 2 log(k + 1)", holds(), |s, f| {
            let bound = 2.0 * logarithm(s.negatives + 1);
            at_most(Enclosure::measured(f.loss), bound)
                .noting(format!("ratio {:.3}", f.loss / (0.5 * bound.midpoint())))
        })
        .control("a", "L_S ≤ ½ log(k + 1)", |s, f| {
            at_most(Enclosure::measured(f.loss), 0.5 * logarithm(s.negatives + 1))
        })
        .control("b", "‖q_i‖, ‖k_i‖ ≤ ½ for all i", |_, f| at_most(f.longest(), exact(0.5)))
}
