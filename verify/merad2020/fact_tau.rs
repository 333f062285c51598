//! Section 7, proof of Proposition 1, and section 3.2: the probability that all negatives share the anchor's class.
//!
//! True: given the anchor's class c, each of the N independent draws is c with probability ρ(c), and c itself has
//! probability ρ(c). For uniform ρ the sum is N_C·N_C^{−(N+1)}. By the power-mean inequality the uniform value is the
//! smallest of all; and whatever ρ, p_max^{N+1} ≤ τ_N ≤ p_max^N and τ_N decreases strictly in N for N_C ≥ 2.

use evidence::prelude::*;
use proptest::strategy::Strategy;

use crate::shared::class_weights::{ClassWeights, Draws, drawn, named_draws};
use crate::shared::notation::{CLASS_COUNT, COLLISION, P_MAX, RHO};

/// No more than this many tuples of classes are listed.
const LISTED: f64 = 5000.0;
/// Up to so many draws the joint law is built up one draw at a time.
const STEPS: u64 = 64;

struct Collision {
    /// P(c_1 = … = c_N = c), from the joint law.
    probability: Enclosure,
    /// The same over all N_C^{N+1} tuples, where they are few.
    listed: Option<Enclosure>,
    /// Σ_c ρ(c)^{N+1}.
    tau: Enclosure,
    /// τ_{N+1}/τ_N.
    next_share: Enclosure,
    /// 1 − τ_{N+1}/τ_N.
    lost_share: Enclosure,
    p_max: Enclosure,
    /// N_C^{−N}.
    uniform: Enclosure,
}

fn power_sum(rho: &[Enclosure], exponent: i64) -> Enclosure {
    rho.iter().map(|p| p.powi(exponent)).sum()
}

fn listed(rho: &[Enclosure], draws: u64) -> Option<Enclosure> {
    let (classes, length) = (rho.len(), u32::try_from(draws).ok()? + 1);
    let tuples = classes.checked_pow(length).filter(|&tuples| tuples as f64 <= LISTED)?;
    let mut total = Enclosure::ZERO;
    for tuple in 0..tuples {
        let drawn: Vec<usize> = (0..length).map(|i| tuple / classes.pow(i) % classes).collect();
        if drawn.iter().all(|c| *c == drawn[0]) {
            total += drawn.iter().map(|&c| rho[c]).fold(Enclosure::ONE, |product, p| product * p);
        }
    }
    Some(total)
}

/// Σ_c q_c ρ(c)/Σ_c q_c and Σ_c q_c (1 − ρ(c))/Σ_c q_c, q_c = (ρ(c)/p_max)^n: no power of the most likely class vanishes,
/// and 1 − ρ(c) is the share of the others.
fn kept_and_lost(classes: &ClassWeights, n: i64) -> [Enclosure; 2] {
    let weights = &classes.weights;
    let largest = weights.iter().copied().fold(0.0, f64::max);
    let (mut kept, mut lost, mut all) = (Enclosure::ZERO, Enclosure::ZERO, Enclosure::ZERO);
    for (c, &weight) in weights.iter().enumerate() {
        let power = (exact(weight) / largest).powi(n);
        let others = weights.iter().enumerate().filter(|(other, _)| *other != c);
        let others: Enclosure = others.map(|(_, &w)| exact(w)).sum();
        kept += power * weight;
        lost += power * others;
        all += power;
    }
    let total = all * classes.total();
    [kept / total, lost / total]
}

fn collision(i: &Draws) -> Collision {
    let rho = i.classes.probabilities();
    let n = i.draws as i64;
    // Draw by draw, or by logarithms for many draws: not the powers of the right side.
    let one_by_one = |&p: &Enclosure| {
        if i.draws <= STEPS {
            (0..i.draws).fold(p, |joint, _| joint * p)
        } else {
            ((i.draws + 1) as f64 * p.ln()).exp()
        }
    };
    let [next_share, lost_share] = kept_and_lost(&i.classes, n + 1);
    Collision {
        probability: rho.iter().map(one_by_one).sum(),
        listed: listed(&rho, i.draws),
        tau: power_sum(&rho, n + 1),
        next_share,
        lost_share,
        p_max: rho.iter().copied().fold(Enclosure::ZERO, Enclosure::max),
        uniform: (1.0 / Enclosure::from(rho.len())).powi(n),
    }
}

pub fn claim() -> Claim {
    Claim::new("merad2020.fact-tau", "collision probability", Kind::Identity)
        .statement("P(c_i = c for all i ≤ N) = Σ_c ρ(c)^{N+1} for all ρ and N; for uniform ρ this is N_C^{−N}")
        .symbols([CLASS_COUNT, RHO, P_MAX, COLLISION])
        .symbol("c_i", "c, c_1, …, c_N are independent draws from ρ")
        .source(
            "section 7, proof of Proposition 1, part (2)",
            &["section 3.2", "section A of the earlier version, proof of Proposition 3.3"],
        )
        .setting(
            Setting::measuring(|i: &Draws, _| Ok(collision(i)))
                .given("ρ(c) > 0 for every class, Σ ρ = 1, and N ≥ 1")
                .family(edge("named", || named_draws(&[1, 2, 3, 4, 5, 10], &[1, 2, 3, 4, 5, 6, 64, 1024, 65536])))
                .family(random("drawn weights", || {
                    (drawn(6), 1u64..=40).prop_map(|(classes, draws)| Draws { draws, classes })
                }))
                .part("printed", "P(c_i = c for all i ≤ N) = Σ_c ρ(c)^{N+1}", holds(), |_, c| {
                    let listed = c.listed.map(|listed| ("listed", equal(listed, c.tau)));
                    all_of(listed.into_iter().chain([("joint law", equal(c.probability, c.tau))]))
                })
                .checked("merad2020.Classes.fact_tau_printed")
                .part("uniform", "P(c_i = c for all i ≤ N) = N_C^{−N}", holds(), |_, c| {
                    equal(c.probability, c.uniform)
                })
                .checked("merad2020.Classes.fact_tau_uniform")
                .assume(Hypothesis::new("ρ uniform", |i| i.classes.is_uniform()))
                .sharpening(
                    "least",
                    "τ_N ≥ N_C^{−N} for every ρ: uniform classes collide least",
                    holds(),
                    |_, c| at_least(c.tau, c.uniform),
                )
                .checked("merad2020.Classes.fact_tau_least")
                .sharpening("between", "p_max^{N+1} ≤ τ_N ≤ p_max^N for every ρ", holds(), |i, c| {
                    let n = i.draws as i64;
                    ascending([c.p_max.powi(n + 1), c.tau, c.p_max.powi(n)])
                })
                .checked("merad2020.Classes.fact_tau_between")
                .sharpening("decreasing", "τ_{N+1}/τ_N < 1 for every ρ", holds(), |_, c| {
                    less_than(c.next_share, 1).with_margin(c.lost_share)
                })
                .checked("merad2020.Classes.fact_tau_decreasing")
                .assume(Hypothesis::new("N_C ≥ 2", |i| i.classes.classes() >= 2))
                .control("a", "τ_N = N_C^{−N} for every ρ", |_, c| equal(c.tau, c.uniform))
                .control("b", "P(c_i = c for all i ≤ N) = Σ_c ρ(c)^N: the anchor is not counted", |i, c| {
                    equal(c.probability, power_sum(&i.classes.probabilities(), i.draws as i64))
                }),
        )
}
