//! Lemma B.15: signal columns stay nearly orthogonal. For p ≠ s the four cosines AA, BB, AB, BA obey at τ = 0 a linear
//! system; for equal norms its matrix is a negative semidefinite one plus (c_p(1−ρ_p) + c_s(1−ρ_s))I, so that dδ²/dt ≤
//! 2(c_p(1−ρ_p) + c_s(1−ρ_s))δ² and δ(t) ≤ δ(0)√((1+ρ_p(t))(1+ρ_s(t))/((1+ρ_p(0))(1+ρ_s(0)))).
//!
//! True, and the system is solved exactly. For N_A = N_B the velocity of [K_A]_p ± [K_B]_p is a multiple of [K_A]_p ±
//! [K_B]_p, so **its direction never changes**, and no angle between such vectors of p and s does. With equal norms
//! this says that (AA + ε_2AB + ε_1BA + ε_1ε_2BB)²/((1+ε_1ρ_p)(1+ε_2ρ_s)) is conserved for the four choices of signs:
//! the bound is attained for all t if AA = BB = AB = BA, and as ρ → 1 only the sum of the four cosines survives: δ(∞) =
//! |AA + BB + AB + BA|/√((1+ρ_p(0))(1+ρ_s(0))).
//!
//! Norms must agree: for unequal ones and ρ ≥ 0 the rate c_p(1−ρ_p) becomes c_p(cosh(u_p/2) − ρ_pe^{−|u_p|/2}), and
//! with ρ = 0 and four equal cosines the printed rate is missed by the factor cosh(u/2).

mod four_cosines;

use enclosures::vectors::sum_of_squares;
use evidence::prelude::*;
use proptest::strategy::Strategy;
use two_view::View;

use crate::shared::hypotheses::{over_learning_states, over_orthogonal_learning_states};
use crate::shared::learning_motion::LearningMotion;
use crate::shared::learning_states::{LearningState, state};
use crate::shared::notation::{
    AGREEMENT, DATA, FEATURES, FOUR_COSINES, H_ORTH, LOSS, LOSS_WITHOUT_NEGATIVES, MOTION, NORM_RATIO, NORMALISER,
    NORMALISER_BOTH, OUTPUTS, PULL_OF_STAGE_ONE, PULLS_OF_STAGE_ONE, REMAINDER, RHO, SIZES, SPEED, SPREAD,
    TANGENTIAL_REMAINDER,
};
use four_cosines::{FourCosines, Integrated, SIGNS, Solved, integrated, solved, starts, still};

/// What the sides are differences of.
const SUMMANDS: &str = "the largest summands of the rate";

/// AA, BB, AB, BA of one pair of signals, their rates, and the coefficients.
struct SignalPairCosines {
    name: String,
    values: [Interval; 4],
    rates: [Interval; 4],
    /// c_{A,p}, c_{B,p}, c_{A,s}, c_{B,s}.
    on: [Interval; 4],
    /// c_Kσ²/(N_AN_B) of p and s.
    pulls: [Interval; 2],
    rho: [Interval; 2],
    /// u_p, u_s.
    ratios: [Interval; 2],
    scale: f64,
}

fn cosines(m: &LearningMotion, p: usize, s: usize) -> SignalPairCosines {
    let (a, b) = (View::A, View::B);
    let ends = [((a, p), (a, s)), ((b, p), (b, s)), ((a, p), (b, s)), ((b, p), (a, s))];
    let ratio = |k: usize| (m.squared_norm((a, k)) / m.squared_norm((b, k))).ln();
    SignalPairCosines {
        name: format!("p = {}, s = {}", p + 1, s + 1),
        values: ends.map(|(x, y)| m.cosine(x, y)),
        rates: ends.map(|(x, y)| m.cosine_rate(x, y)),
        on: [(a, p), (b, p), (a, s), (b, s)].map(|x| m.pull_on(x)),
        pulls: [m.pull(p), m.pull(s)],
        rho: [m.correlation(p), m.correlation(s)],
        ratios: [ratio(p), ratio(s)],
        scale: [(a, p), (b, p), (a, s), (b, s)].map(|x| m.pace(x)).iter().sum(),
    }
}

fn pairs(m: &LearningMotion) -> Vec<SignalPairCosines> {
    let r = m.signal();
    (0..r).flat_map(|p| (p + 1..r).map(move |s| (p, s))).map(|(p, s)| cosines(m, p, s)).collect()
}

impl SignalPairCosines {
    /// The four right sides.
    fn predicted(&self) -> [Interval; 4] {
        let [aa, bb, ab, ba] = self.values;
        let ([ap, bp, a_s, bs], [p, s]) = (self.on, self.rho);
        [
            ap * (ba - p * aa) + a_s * (ab - s * aa),
            bp * (ab - p * bb) + bs * (ba - s * bb),
            ap * (bb - p * ab) + bs * (aa - s * ab),
            bp * (aa - p * ba) + a_s * (bb - s * ba),
        ]
    }

    /// δ².
    fn size(&self) -> Interval {
        sum_of_squares(&self.values)
    }

    /// dδ²/dt.
    fn size_rate(&self) -> Interval {
        self.values.iter().zip(&self.rates).map(|(&x, &v)| 2.0 * x * v).sum()
    }

    /// c_p(1−ρ_p) + c_s(1−ρ_s).
    fn printed(&self) -> Interval {
        self.pulls[0] * (1.0 - self.rho[0]) + self.pulls[1] * (1.0 - self.rho[1])
    }

    fn grows_at_most(&self, rate: Interval) -> Evaluation {
        at_most(self.size_rate(), 2.0 * rate * self.size())
            .on_scale_of(SUMMANDS, self.scale * self.size().magnitude().max(1e-12))
    }

    /// d/dt of (AA + ε_2AB + ε_1BA + ε_1ε_2BB)²/((1+ε_1ρ_p)(1+ε_2ρ_s)), times the denominator, for equal norms.
    fn invariant_rate(&self, first: f64, second: f64) -> Interval {
        let mode = |x: &[Interval; 4]| x[0] + first * second * x[1] + second * x[2] + first * x[3];
        let (y, rate) = (mode(&self.values), mode(&self.rates));
        // dρ/dt = 2c(1−ρ²) for equal norms, hence d log(1+ερ)/dt = 2c(ε−ρ).
        let fall = self.pulls[0] * (first - self.rho[0]) + self.pulls[1] * (second - self.rho[1]);
        2.0 * y * (rate - fall * y)
    }

    /// d/dt of (AA + ε_2AB + ε_1BA + ε_1ε_2BB)² alone.
    fn undivided_rate(&self, first: f64, second: f64) -> Interval {
        let mode = |x: &[Interval; 4]| x[0] + first * second * x[1] + second * x[2] + first * x[3];
        2.0 * mode(&self.values) * mode(&self.rates)
    }

    /// The first matrix of the proof for equal norms, −(c_p + c_s)I plus the two exchanges, in the order AA, BB, AB,
    /// BA.
    fn first_matrix(&self) -> [[Interval; 4]; 4] {
        let ([p, s], o) = (self.pulls, Interval::ZERO);
        let d = -(p + s);
        [[d, o, s, p], [o, d, p, s], [s, p, d, o], [p, s, o, d]]
    }
}

fn each(all: &[SignalPairCosines], check: impl Fn(&SignalPairCosines) -> Evaluation) -> Evaluation {
    all_of(all.iter().map(|c| (c.name.clone(), check(c))))
}

/// What the solved starts have in common.
const SOLVED: &str = "H-orth; two signals with equal norms in both views, N_A = N_B, τ = 0; dθ = (2c_K/N²)dt, σ_s² = 1";

pub fn claim() -> Claim {
    Claim::new("ren2023.lemma-b15", "orthogonality between signals", Kind::Dynamics)
        .statement(
            "for p ≠ s, δ² = AA² + BB² + AB² + BA² (cosines of the columns p and s) obeys dδ²/dt ≤ 2(c_p(1−ρ_p) + \
             c_s(1−ρ_s))δ² + O(τ²), c_p = c_Kσ_p²/(N_AN_B), for equal norms; so δ(t) ≤ 2δ(0)/√((1+ρ_p(0))(1+ρ_s(0))) \
             at τ = 0",
        )
        .reconstructed(
            "the displayed rate; the 4×4 system of the proof and the eigenvalues of its first matrix survive in words",
        )
        .source("Lemma B.15", &["Section B.3, and its use in (16)"])
        .symbols([
            SIZES, DATA, H_ORTH, FEATURES, NORMALISER, NORMALISER_BOTH, OUTPUTS, LOSS, LOSS_WITHOUT_NEGATIVES,
            AGREEMENT, RHO, SPEED, SPREAD, NORM_RATIO, FOUR_COSINES,
        ])
        .symbol("dδ²/dt", MOTION)
        .symbols([PULL_OF_STAGE_ONE, PULLS_OF_STAGE_ONE, TANGENTIAL_REMAINDER, REMAINDER])
        .symbol(
            "first matrix",
            "in (AA, BB, AB, BA), for equal norms: the system less (c_p(1−ρ_p) + c_s(1−ρ_s))I, which is [[g, 0, c_s, \
             c_p], [0, g, c_p, c_s], [c_s, c_p, g, 0], [c_p, c_s, 0, g]], g = −(c_p + c_s)",
        )
        .symbol("δ", "δ² = AA² + BB² + AB² + BA² of the pair, for all signals p ≠ s")
        .remark(
            "True for equal norms, and exactly solvable: the directions of [K_A]_p ± [K_B]_p are constant whenever N_A \
             = N_B, so (AA + ε_2AB + ε_1BA + ε_1ε_2BB)²/((1+ε_1ρ_p)(1+ε_2ρ_s)) is conserved for each choice of signs, \
             δ(∞) = |AA+BB+AB+BA|/√((1+ρ_p(0))(1+ρ_s(0))), and the bound is attained by four equal cosines. For \
             unequal norms the stated rate is too small.",
        )
        .setting(derivatives())
        .setting(unequal_norms())
        .setting(warm())
        .setting(growth())
        .setting(flow())
}

fn derivatives() -> Setting<LearningState, Vec<SignalPairCosines>> {
    over_learning_states(Setting::measuring(|s: &LearningState, _| Ok(pairs(&LearningMotion::equalised(s)?))))
        .given(
            "τ = 0, whatever the τ² of the instance; every column of view B has been given the norm of its partner in \
             view A",
        )
        .assume(Hypothesis::new("r ≥ 2", |s| s.signal >= 2))
        .family(edge("nearly equal cosines", about_a_quarter))
        .without_search()
        .part(
            "printed",
            "dδ²/dt ≤ 2(c_p(1−ρ_p) + c_s(1−ρ_s))δ² at τ = 0 for equal norms",
            holds(),
            |_, all| each(all, |c| c.grows_at_most(c.printed())),
        )
        .checked("ren2023.ColdFlow.lemma_b15_printed")
        .step(
            "s2",
            "the first matrix has the eigenvalues 0, −2c_p, −2c_s, −2(c_p+c_s): negative semidefinite",
            holds(),
            |_, all| {
                each(all, |c| {
                    let ([p, s], matrix) = (c.pulls, c.first_matrix());
                    all_of(SIGNS.into_iter().flat_map(|(first, second)| {
                        let vector = [1.0, first * second, second, first];
                        let value = -(p + s) + first * p + second * s;
                        (0..4).map(move |i| {
                            let image: Interval = (0..4).map(|j| matrix[i][j] * vector[j]).sum();
                            let name = format!("signs {first}, {second}");
                            (name, equal(image, value * vector[i]).on_scale_of(SUMMANDS, (p + s).magnitude()))
                        })
                    }))
                })
            },
        )
        .sharpening(
            "conserved",
            "for equal norms (AA + ε_2AB + ε_1BA + ε_1ε_2BB)²/((1+ε_1ρ_p)(1+ε_2ρ_s)) is conserved at τ = 0 for all \
             signs ε_1, ε_2",
            holds(),
            |_, all| {
                each(all, |c| {
                    all_of(SIGNS.map(|(f, s)| {
                        (format!("signs {f}, {s}"), equal(c.invariant_rate(f, s), 0).on_scale_of(SUMMANDS, c.scale))
                    }))
                })
            },
        )
        .checked("ren2023.ColdFlow.lemma_b15_conserved")
        .tested_by("undivided")
        .control(
            "undivided",
            "for equal norms the squares (AA + ε_2AB + ε_1BA + ε_1ε_2BB)² themselves are conserved at τ = 0",
            |_, all| {
                each(all, |c| {
                    all_of(SIGNS.map(|(f, s)| {
                        (format!("signs {f}, {s}"), equal(c.undivided_rate(f, s), 0).on_scale_of(SUMMANDS, c.scale))
                    }))
                })
            },
        )
        .control("n1", "δ never increases", |_, all| each(all, |c| at_most(c.size_rate(), 0)))
        .sides("dδ²/dt", "0")
        .control("slower", "the rate two per cent smaller", |_, all| each(all, |c| c.grows_at_most(0.98 * c.printed())))
}

/// With ρ = 0 and four equal cosines dδ²/dt is 2(c_p + c_s)cosh(u/2)δ², and with equal norms the bound is attained.
fn about_a_quarter() -> Vec<(&'static str, LearningState)> {
    let columns: [&[f64]; 4] =
        [&[2.0, 0.0, 0.0, 0.0], &[0.5, 0.5, 1.875, 0.0], &[0.0, 1.0, 0.0, 0.0], &[0.25, 0.25, -0.0625, 0.9375]];
    vec![("K_A twice as long, ρ = 0, cosines about ¼", state(2, &[1.0, 1.0], &columns))]
}

fn unequal_norms() -> Setting<LearningState, Vec<SignalPairCosines>> {
    over_learning_states(Setting::measuring(|s: &LearningState, _| Ok(pairs(&LearningMotion::cold(s)?))))
        .given("τ = 0, whatever the τ² of the instance")
        .assume(Hypothesis::new("r ≥ 2", |s| s.signal >= 2))
        .family(edge("unequal norms", about_a_quarter))
        .family(outside("the strong signal's columns at 150 degrees", || {
            // u_p = 1, u_s = 0: plane columns at 0, 80, 150 and 80 degrees.
            let columns: [&[f64]; 4] = [
                &[1.284025416687741, 0.0],
                &[0.17364817766693, 0.984807753012208],
                &[-0.674461262690541, 0.389400391535702],
                &[0.17364817766693, 0.984807753012208],
            ];
            vec![("ρ = (−√3/2, 1), σ² = (10, 1)", state(2, &[10.0, 1.0], &columns))]
        }))
        .without_search()
        .step(
            "s1",
            "dAA/dt = c_{A,p}(BA−ρ_pAA) + c_{A,s}(AB−ρ_sAA), dBB/dt = c_{B,p}(AB−ρ_pBB) + c_{B,s}(BA−ρ_sBB), dAB/dt = \
             c_{A,p}(BB−ρ_pAB) + c_{B,s}(AA−ρ_sAB), dBA/dt = c_{B,p}(AA−ρ_pBA) + c_{A,s}(BB−ρ_sBA), with c_{A,p} = \
             c_Kσ_p²‖[K_B]_p‖/(‖[K_A]_p‖N_AN_B), also for unequal norms",
            holds(),
            |_, all| {
                each(all, |c| {
                    let sides = c.rates.into_iter().zip(c.predicted()).zip(["AA", "BB", "AB", "BA"]);
                    all_of(sides.map(|((left, right), name)| (name, equal(left, right).on_scale_of(SUMMANDS, c.scale))))
                })
            },
        )
        .checked("ren2023.ColdFlow.lemma_b15_s1")
        .sharpening(
            "unequal-norms",
            "for ρ ≥ 0 and any norms dδ²/dt ≤ 2Σ c_p(cosh(u_p/2) − ρ_pe^{−|u_p|/2})δ², the sum over p and s",
            holds(),
            |_, all| {
                each(all, |c| {
                    let part = |k: usize| {
                        let half = 0.5 * c.ratios[k];
                        let skew = 0.5 * (half.exp() + (-half).exp());
                        c.pulls[k] * (skew - c.rho[k] * (-half.abs()).exp())
                    };
                    c.grows_at_most(part(0) + part(1))
                })
            },
        )
        .assume(Hypothesis::new("every ρ_p ≥ 0", |s| {
            let gram = s.gram::<Interval>();
            gram.is_ok_and(|g| (0..s.signal).all(|p| g.correlation(p).lo() >= 0.0))
        }))
        .control("n4", "the printed rate also for unequal norms", |_, all| each(all, |c| c.grows_at_most(c.printed())))
}

/// An entry of a matrix by its place.
type Entry = (usize, usize, Interval);

fn warm() -> Setting<LearningState, (Vec<SignalPairCosines>, Vec<Entry>)> {
    over_orthogonal_learning_states(Setting::measuring(|s: &LearningState, _| {
        let m = LearningMotion::warm(s)?;
        let errors: Vec<(usize, usize, Interval)> = {
            let r = m.signal();
            let of = |p: usize, q: usize| {
                let columns = [(View::A, p), (View::B, p), (View::A, q), (View::B, q)];
                columns.map(|x| m.tangential_error(x, s.tau_squared)).into_iter().sum::<Interval>()
            };
            (0..r).flat_map(|p| (p + 1..r).map(move |q| (p, q))).map(|(p, q)| (p, q, of(p, q))).collect()
        };
        Ok((pairs(&m), errors))
    }))
    .assume(Hypothesis::new("r ≥ 2", |s| s.signal >= 2))
    .without_search()
    .part(
        "warm",
        "at every τ² ≥ 0, dAA/dt, dBB/dt, dAB/dt, dBA/dt differ from c_{A,p}(BA−ρ_pAA) + c_{A,s}(AB−ρ_sAA), \
         c_{B,p}(AB−ρ_pBB) + c_{B,s}(BA−ρ_sBB), c_{A,p}(BB−ρ_pAB) + c_{B,s}(AA−ρ_sAB), c_{B,p}(AA−ρ_pBA) + \
         c_{A,s}(BB−ρ_sBA) by at most the sum of the remainder t of the four columns p, s of A and B",
        holds(),
        |_, (all, errors)| {
            all_of(all.iter().zip(errors).flat_map(|(c, (_, _, error))| {
                let sides = c.rates.into_iter().zip(c.predicted());
                sides
                    .map(|(left, right)| {
                        (c.name.clone(), at_most((left - right).abs(), *error).on_scale_of(SUMMANDS, c.scale))
                    })
                    .collect::<Vec<_>>()
            }))
        },
    )
    .our_constant("the explicit multiple: the words name an order only")
    .control("warm-exact", "the four equations without remainder at every temperature", |_, (all, _)| {
        all_of(all.iter().flat_map(|c| {
            let sides = c.rates.into_iter().zip(c.predicted());
            sides
                .map(|(left, right)| (c.name.clone(), equal(left, right).on_scale_of(SUMMANDS, c.scale)))
                .collect::<Vec<_>>()
        }))
    })
}

fn growth() -> Setting<FourCosines, Solved> {
    Setting::measuring(|s: &FourCosines, _| Ok(solved(s)))
        .given(SOLVED)
        .assume(Hypothesis::new("some cosine is not zero", |s| s.cosines.iter().any(|x| *x != 0.0)))
        .family(edge("named starts", starts))
        .family(outside("a start at rest", still))
        .family(random("random starts", || {
            let cosine = || -0.2..0.2f64;
            let cosines = (cosine(), cosine(), cosine(), cosine());
            (cosines, -0.95..0.95f64, -0.95..0.95f64, 0.1..12.0f64, 0.0..5.0f64).prop_map(
                |((a, b, c, d), p, s, strength, theta)| FourCosines {
                    cosines: [a, b, c, d],
                    rho: [p, s],
                    strength,
                    theta,
                },
            )
        }))
        .part(
            "growth",
            "δ(t) ≤ δ(0)√((1+ρ_p(t))(1+ρ_s(t))/((1+ρ_p(0))(1+ρ_s(0)))) at τ = 0",
            holds(),
            |_, x| at_most(x.after, x.before * x.factor),
        )
        .step(
            "s3",
            "√((1+ρ_p(t))(1+ρ_s(t))/((1+ρ_p(0))(1+ρ_s(0)))), the factor of growth, is at most \
             2/√((1+ρ_p(0))(1+ρ_s(0)))",
            holds(),
            |_, x| at_most(x.factor, x.limit),
        )
        .control("n2", "δ grows at most by the factor 1.5 from ρ = 0", |_, x| at_most(x.after, 1.5 * x.before))
        .assume(Hypothesis::new("ρ(0) = 0", |s| s.rho == [0.0, 0.0]))
        .control("n3", "the factor grows like s: from four equal cosines and ρ = 0 it exceeds s/2", |_, x| {
            at_most(0.5 * x.strongest, x.after / x.before)
        })
        .sides("s/2", "the factor")
        .assume(Hypothesis::new("ρ(0) = 0 and four equal cosines", |s| {
            s.rho == [0.0, 0.0] && s.cosines.windows(2).all(|c| c[0] == c[1])
        }))
}

fn flow() -> Setting<FourCosines, Integrated> {
    Setting::measuring(|s: &FourCosines, _| integrated(s))
        .given("H-orth; two signals, no noise, columns of norm one at the start, σ_s² = 1; τ = 0, K = 2")
        .assume(Hypothesis::new("some cosine is not zero", |s| s.cosines.iter().any(|x| *x != 0.0)))
        .assume(Hypothesis::new("0 < θ ≤ 2", |s| s.theta > 0.0 && s.theta <= 2.0))
        .family(edge("named starts", starts))
        .family(outside("a start at rest", still))
        .without_search()
        .step(
            "flow",
            "δ at θ by the integrated Gram flow is that by the constancy of (AA + ε_2AB + ε_1BA + \
             ε_1ε_2BB)²/((1+ε_1ρ_p)(1+ε_2ρ_s)) for all signs ε_1, ε_2, to a relative 1e−7",
            holds(),
            |_, i| {
                // The integrator's own estimate of its error is below 1e-9 on these starts.
                equal(i.over_predicted, 1).within(1e-7)
            },
        )
        .sides("the ratio of the two", "1")
        .control(
            "flow-still",
            "δ at θ by the integrated Gram flow is that at the start, to a relative 1e−7, as if (AA + ε_2AB + ε_1BA + \
             ε_1ε_2BB)² were constant",
            |_, i| equal(i.over_start, 1).within(1e-7),
        )
        .sides("the ratio of the two", "1")
}
