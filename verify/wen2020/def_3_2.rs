//! Definition 3.2: the initialisation, and the second moments that it is chosen for.
//!
//! E‖h_l‖² = 1 at every hidden layer and E‖f(x)‖² = 1 for unit x. Exactly: given h_{l−1}, ‖h_l‖² is (2/m)‖h_{l−1}‖² times the sum of squares of
//! the B ~ Binomial(m, ½) normals that are positive, so that one layer multiplies the mean by (2/m) E B = 1; the output multiplies it by d · (1/d). The
//! initialiser of the library is compared with the printed law in distribution: entries with Φ, ratios of squared norms with the law of the
//! increments, both by the Dvoretzky-Kiefer-Wolfowitz inequality, and the independence of W and θ by the signs of entries in the same place.

use contrastive::network::{Encoder, TwoEncoders};
use enclosures::probability::clopper_pearson;
use enclosures::probability::{Binomial, IncrementLaw};
use enclosures::vectors::sum_of_squares;
use evidence::prelude::*;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

use crate::shared::encoder_pair::shape;
use crate::shared::signs::{HIDDEN, KEY_NETWORK, LAYERS, OUTPUT, QUERY_NETWORK, WIDTH};

/// m, L and d; the inputs have three coordinates.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(simpler = Self::one_smaller, stored)]
struct NetworkSizes {
    #[instance(symbol = "m", range = "1..=400")]
    width: usize,
    #[instance(symbol = "L", range = "1..=400")]
    layers: usize,
    #[instance(symbol = "d", range = "1..=400")]
    output: usize,
}

impl NetworkSizes {
    fn one_smaller(&self) -> Vec<Self> {
        let narrower = NetworkSizes { width: self.width / 2, ..self.clone() };
        let shallower = NetworkSizes { layers: self.layers - 1, ..self.clone() };
        let lower = NetworkSizes { output: self.output / 2, ..self.clone() };
        [narrower, shallower, lower].into_iter().filter(|s| s.validate().is_ok()).collect()
    }
}

/// E‖h_l‖²/E‖h_{l−1}‖² for hidden entries of a variance: that times E B.
fn layer_factor(width: usize, variance: Interval) -> Interval {
    let masses = Binomial::masses(width, Interval::point(0.5));
    let mean: Interval = masses.iter().enumerate().map(|(b, &mass)| mass * b as f64).sum();
    mean * variance
}

/// E‖h_0‖², …, E‖h_{L−1}‖², E‖f(x)‖² for the variances of hidden and of output entries.
fn moments(s: &NetworkSizes, hidden: Interval, output: Interval) -> Vec<Enclosure> {
    let factor = layer_factor(s.width, hidden);
    let layers: Vec<Interval> = (1..=s.layers).map(|l| factor.powi(l as i64)).collect();
    let last = layers[s.layers - 1] * output * s.output as f64;
    layers.into_iter().chain([last]).map(Enclosure::from).collect()
}

fn one_over(size: usize) -> Interval {
    Interval::ONE / size as f64
}

fn all_one(moments: &[Enclosure]) -> Evaluation {
    all_of(moments.iter().enumerate().map(|(l, &x)| (format!("layer {l}"), equal(x, 1))))
}

/// What samples of initialised encoders show.
struct Drawn {
    /// The largest distance of distribution functions: entries of W_0, of W_L, and ratios ‖h_l‖²/‖h_{l−1}‖² from their laws.
    distances: [Enclosure; 3],
    /// P(W_e > 0 and θ_e > 0).
    both_positive: Enclosure,
}

/// sup |G − F| for the law F stated and the law G that a sample of independent draws comes from, by the Dvoretzky-Kiefer-Wolfowitz inequality. The law is
/// evaluated at every fiftieth order statistic; both distribution functions grow, which bounds their difference in between.
fn distance(mut sample: Vec<f64>, law: impl Fn(f64) -> Interval, alpha: f64) -> Enclosure {
    sample.sort_by(f64::total_cmp);
    let count = sample.len() as f64;
    let mut grid: Vec<f64> = sample.iter().copied().step_by(50).chain(sample.last().copied()).collect();
    grid.dedup();
    let up_to = |x: f64| sample.partition_point(|&y| y <= x) as f64 / count;
    let below = |x: f64| sample.partition_point(|&y| y < x) as f64 / count;
    let (mut least, mut most) = (0.0f64, 0.0f64);
    let (mut previous, mut previous_law) = (0.0, Interval::ZERO);
    for &x in &grid {
        // In front of x, where the law may have an atom.
        let (under, at) = (law(x.next_down()), law(x));
        most = most.max(below(x) - previous_law.lo()).max(under.hi() - previous);
        let gap = (Interval::point(up_to(x)) - at).abs();
        (least, most) = (least.max(gap.lo()), most.max(gap.hi()));
        (previous, previous_law) = (up_to(x), at);
    }
    most = most.max(1.0 - previous_law.lo());
    let radius = ((Interval::point(2.0) / alpha).ln() / (2.0 * count)).sqrt().hi();
    Enclosure::sampled((least - radius).max(0.0), most + radius, alpha)
}

/// Φ(x), from the law of 2z² with probability ½ and 0 otherwise: its distribution function at 2x² is ½ + ½ P(|z| ≤ |x|).
fn normal_law(x: f64) -> Interval {
    let two_sided = IncrementLaw::new(1).cdf(Interval::point(x).square() * 2.0);
    if x >= 0.0 { two_sided } else { Interval::ONE - two_sided }
}

/// Entries of each kind that are compared with their laws.
const ENTRIES: usize = 20_000;

/// Ratios of squared norms: fewer where a network is large. The band around 10 000 of them is 0.033 wide, a third of what is resolved.
fn ratios_wanted(s: &NetworkSizes) -> usize {
    if s.width < 20 { 20_000 } else { 10_000 }
}

fn sample(s: &NetworkSizes, trial: &mut Trial) -> Result<Drawn, MeasureError> {
    let shape = shape(3, s.width, s.layers, s.output);
    let (mut first, mut last, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    let (mut pairs, mut positive) = (0u64, 0u64);
    let point = [2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0];
    while ratios.len() < ratios_wanted(s) || first.len() < ENTRIES || last.len() < ENTRIES {
        let drawn = TwoEncoders::initialise(shape, trial.rng())?;
        let scaled = |encoder: &Encoder, l: usize, deviation: f64| -> Vec<f64> {
            encoder.weights().matrices().nth(l).map_or_else(Vec::new, |m| m.iter().map(|x| x / deviation).collect())
        };
        if first.len() < ENTRIES {
            first.extend(scaled(&drawn.query, 0, (2.0 / s.width as f64).sqrt()));
        }
        if last.len() < ENTRIES {
            last.extend(scaled(&drawn.query, s.layers, (1.0 / s.output as f64).sqrt()));
        }
        let entries = drawn.query.weights().a.iter().zip(&drawn.key.weights().a);
        for (w, theta) in entries {
            pairs += 1;
            positive += u64::from(*w > 0.0 && *theta > 0.0);
        }
        let seen = drawn.query.activations(&point)?;
        let mut before = 1.0;
        for l in 0..s.layers {
            let square = sum_of_squares(seen.hidden(l).unwrap_or(&[]));
            if before > 0.0 {
                ratios.push(square / before);
            }
            before = square;
        }
    }
    // Fixed numbers of independent draws, whatever came after.
    first.truncate(ENTRIES);
    last.truncate(ENTRIES);
    ratios.truncate(ratios_wanted(s));
    let alpha = trial.alpha(4);
    let law = IncrementLaw::new(u32::try_from(s.width)?);
    Ok(Drawn {
        distances: [
            distance(first, normal_law, alpha),
            distance(last, normal_law, alpha),
            distance(
                ratios,
                |x| {
                    if x < 0.0 { Interval::ZERO } else { law.cdf(Interval::point(x)) }
                },
                alpha,
            ),
        ],
        both_positive: clopper_pearson(positive, pairs, alpha)?,
    })
}

/// Deviations of distribution functions below this are not resolved by the samples.
const RESOLVED: f64 = 0.1;

pub fn claim() -> Claim {
    Claim::new("wen2020.def-3.2", "initialisation", Kind::Definition)
        .statement(
            "entries independent, those of W_0, …, W_{L−1} ~ N(0, 2/m), those of W_L ~ N(0, 1/d), θ likewise and \
             independent of W; then E‖h_l‖² = 1 and E‖f(x)‖² = 1 for ‖x‖ = 1",
        )
        .source("Definition 3.2", &[])
        .symbols([WIDTH, LAYERS, OUTPUT, QUERY_NETWORK, KEY_NETWORK, HIDDEN])
        .symbol(
            "E‖",
            "the mean over the entries, all independent, those of W_0, …, W_{L−1} ~ N(0, 2/m) and those of W_L ~ N(0, \
             1/d) unless the check says otherwise, for one input x ∈ ℝ³ with ‖x‖ = 1",
        )
        .symbol("W_e", "an entry of W_0, and θ_e the entry of θ_0 in the same place")
        .remark(
            "The moments of the part `printed` are exact. Laws are compared in the check `drawn` only, to within 1/10 \
             in the distribution function: that is what the samples resolve.",
        )
        .setting(printed())
        .setting(drawn())
}

fn printed() -> Setting<NetworkSizes, Vec<Enclosure>> {
    Setting::measuring(|s: &NetworkSizes, _| Ok(moments(s, one_over(s.width) * 2.0, one_over(s.output))))
        .given("m, L, d ≥ 1")
        .family(edge("registered", sizes))
        .family(random("sizes", || {
            (1usize..=120, 1usize..=8, 1usize..=16).prop_map(|(width, layers, output)| NetworkSizes {
                width,
                layers,
                output,
            })
        }))
        .without_search()
        .part("printed", "E‖h_l‖² = 1 for 0 ≤ l ≤ L − 1 and E‖f(x)‖² = 1, exactly", holds(), |_, found| all_one(found))
        .because("it is introduced as the initialisation of He et al., whose variances are chosen for this")
        .control(
            "a",
            "entries of W_0, …, W_{L−1} of variance 1/m: E‖h_l‖² = 1 and E‖f(x)‖² = 1",
            |s, _| all_one(&moments(s, one_over(s.width), one_over(s.output))),
        )
        .control("b", "entries of W_L of variance 1/m: E‖h_l‖² = 1 and E‖f(x)‖² = 1", |s, _| {
            all_one(&moments(s, one_over(s.width) * 2.0, one_over(s.width)))
        })
}

fn drawn() -> Setting<NetworkSizes, Drawn> {
    Setting::measuring(sample)
        .given("m, L, d ≥ 1")
        .given(
            "20,000 entries of W_0, as many of W_L, at least as many pairs (W_e, θ_e), and 10,000 ratios, 20,000 where m \
             < 20",
        )
        .family(edge("registered", sizes))
        .without_search()
        .part(
            "drawn",
            "the library's initialiser draws the entries of W_0 and of W_L, and through them the ratios \
             ‖h_l‖²/‖h_{l−1}‖² with h_{l−1} ≠ 0, with the laws of Definition 3.2, to within 1/10 in the distribution \
             function",
            holds(),
            |_, d| {
                let parts =
                    ["entries of W_0", "entries of W_L", "ratios of squared norms"].into_iter().zip(d.distances);
                all_of(parts.map(|(name, x)| (name, equal(x, 0).on_unit_scale().within(RESOLVED))))
            },
        )
        .not_evidence("compares the library's own initialiser with the law that it is made from")
        .part(
            "independent",
            "W and θ are independent: P(W_e > 0, θ_e > 0) = ¼ in the same place, to within 1/10",
            holds(),
            |_, d| equal(d.both_positive, exact(0.25)).on_unit_scale().within(RESOLVED),
        )
        .not_evidence("the library draws both encoders from one stream, one after the other")
        .control("c", "W and θ share their signs: P(W_e > 0, θ_e > 0) = ½ to within 1/10", |_, d| {
            equal(d.both_positive, exact(0.5)).on_unit_scale().within(RESOLVED)
        })
}

fn sizes() -> Vec<(String, NetworkSizes)> {
    let mut list = Vec::new();
    for width in [1, 2, 50] {
        for layers in [1, 4] {
            for output in [1, 8] {
                list.push(NetworkSizes { width, layers, output });
            }
        }
    }
    described(list)
}
