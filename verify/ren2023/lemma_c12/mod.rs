//! Lemma C.12: signals stay orthogonal in Stage 2.
//!
//! For the cosines (AA, BB, AB, BA) of a pair p, s of signals at an aligned state, J is the matrix of Lemmas C.10 and
//! C.11. It leaves the planes AA = BB, AB = BA and AA = −BB, AB = −BA invariant. With c = c_p + c_s, G± as below and
//! H = (h_1+h_2)τ²κ_pκ_sG₊/(rN²) the first block has trace −2c − H and determinant 2cH, the second a negative trace
//! and determinant 4c_pc_s + 2g(c_ph_2 + c_sh_1), g = τ²κ_pκ_sG₋/(rN²): stable, always (r1). The sum of squares δ²
//! need not fall (r2): one large T_p makes c_p tiny, and then [Q_1] alone moves AA and BB in opposite senses. With
//! equal cosines δ² falls at the rate 2H = Θ(1/r) at τ² = 1 (r3). Likeness of order and x ≤ 1 do not rescue it either
//! (r4: σ² = (20,1), equal κ), unless σ_p²/σ_s² ≤ 3 + 2√2.

mod signal_pairs;

use std::error::Error;

use enclosures::vectors::{largest_magnitude, sum_of_squares};
use evidence::prelude::*;
use proptest::strategy::Strategy;

use crate::shared::hypotheses::H_ORTH;
use crate::shared::linear_systems::{linear_system, quadratic};
use crate::shared::manifold_directions::ManifoldDirection;
use crate::shared::manifold_families::{Views, aligned, drawn};
use crate::shared::notation::{
    AGREEMENT, ARGUMENT, CROSS_PULLS, DATA, FEATURES, FOUR_COSINES, GRAM, KAPPA, KAPPA_HAT, LOSS,
    LOSS_WITHOUT_NEGATIVES, MEAN_SELECTION, MOTION, NORMALISER_BOTH, OUTPUTS, PULL, RHO, SIZES, TANH,
};
use crate::shared::rates_off_manifold::cosine_rate;
use crate::shared::stage_two::{EQUAL_NORMS, PARALLEL, on_the_manifold};
use crate::shared::temperature_schedule::Schedule;
use crate::shared::two_levels::TwoLevels;
use signal_pairs::{EQUAL, System, columns, pattern, patterns, system, with_pattern};

fn grows_nowhere(s: &ManifoldDirection, m: &System) -> Evaluation {
    let x = pattern(s);
    let size = largest_magnitude(m.j.as_flattened());
    at_most(2.0 * Enclosure::from(quadratic(&m.j, x)), 0)
        .on_scale_of("the largest entry of J times δ²", size * sum_of_squares(&x))
}

fn in_the_region(s: &ManifoldDirection) -> bool {
    system(s).is_ok_and(|m| {
        let [p, l] = m.pull;
        let g = m.coupling * m.g(-1.0);
        let spread = (g * (m.h[1] - m.h[0])).square();
        let room = 16.0 * p * l + 8.0 * g * (p * m.h[1] + l * m.h[0]);
        m.decay().hi() <= (8.0 * (p + l)).lo() && spread.hi() <= room.lo()
    })
}

fn strength_ratio(s: &ManifoldDirection) -> f64 {
    let (p, l) = (s.sigma_squared[0], s.sigma_squared[1]);
    p.max(l) / p.min(l)
}

/// Near an aligned state but positive definite: dδ²/dt at the state, over δ².
struct Nearby {
    rate: Enclosure,
    /// The same for J at the aligned state.
    leading: Enclosure,
}

fn nearby(s: &ManifoldDirection) -> Result<Nearby, Box<dyn Error + Send + Sync>> {
    let state = s.gram_at(Interval::point(EPSILON))?;
    let moved = s.moved(&state)?;
    let listed = columns(s);
    let x = pattern(s);
    let square = sum_of_squares(&x);
    let exact: Interval =
        (0..4).map(|k| cosine_rate(&state, &moved, listed[k].0, listed[k].1) * (2.0 * x[k])).sum::<Interval>()
            / (EPSILON * square);
    let touching = ManifoldDirection { correlation: vec![1.0; s.r()], ..s.clone() };
    let j = linear_system(&touching, columns(&touching))?;
    Ok(Nearby { rate: exact.into(), leading: (2.0 * quadratic(&j, x) / square).into() })
}

const EPSILON: f64 = 1e-6;

const ORDERED_ALIKE: Hypothesis<ManifoldDirection> = Hypothesis::new("(κ_p−κ_s)(σ_p−σ_s) ≥ 0", |s| {
    s.r() >= 2 && (s.norms_a[0] - s.norms_a[1]) * (s.sigma_squared[0] - s.sigma_squared[1]) >= 0.0
});
const ARGUMENTS_BELOW_ONE: Hypothesis<ManifoldDirection> = Hypothesis::new("max x_p ≤ 1 + 1e-12", |s| {
    s.base().is_ok_and(|b| b.by.arguments.iter().all(|x| x.hi() <= 1.0 + 1e-12))
});
const REGION: Hypothesis<ManifoldDirection> =
    Hypothesis::new("H ≤ 8c and g²(h_2−h_1)² ≤ 16c_pc_s + 8g(c_ph_2 + c_sh_1)", in_the_region);
const SIMILAR_STRENGTHS: Hypothesis<ManifoldDirection> =
    Hypothesis::new("1/5.828 ≤ σ_p²/σ_s² ≤ 5.828", |s| s.r() >= 2 && strength_ratio(s) <= 5.828);

pub fn claim() -> Claim {
    Claim::new("ren2023.lemma-c12", "orthogonality between signals in Stage 2", Kind::Dynamics)
        .statement(
            "for p ≠ s, δ² = AA² + BB² + AB² + BA² of the cosines of the columns p and s does not grow in Stage 2, to \
             leading order: dδ²/dt = 2x^T J x ≤ 0 for x = (AA, BB, AB, BA), J the matrix of Lemmas C.10 and C.11",
        )
        .reconstructed(
            "the quantity and the displayed bound of its rate; the proof's first matrix, its eigenvalues and the \
             direction treated apart survive in words",
        )
        .source("Lemma C.12", &["Section C.2"])
        .symbols([
            SIZES, DATA, FEATURES, NORMALISER_BOTH, OUTPUTS, LOSS, LOSS_WITHOUT_NEGATIVES, GRAM, AGREEMENT, KAPPA,
            KAPPA_HAT, RHO, ARGUMENT, TANH, MEAN_SELECTION, PULL, FOUR_COSINES,
        ])
        .symbol("d/dt", MOTION)
        .symbols([CROSS_PULLS])
        .symbol("δ²", "AA² + BB² + AB² + BA², x = (AA, BB, AB, BA)")
        .symbol("c_p", "q_pσ_p²/N², c = c_p + c_s")
        .symbol("G₊", "(1−S̄)[S̄(2−T_p−T_s)² + 2−T_p²−T_s²]")
        .symbol("g", "τ²κ_pκ_sG₋/(rN²), G₋ = (1−S̄)[S̄(T_p−T_s)² + 2−T_p²−T_s²]")
        .symbol(
            "H",
            "(h_1+h_2)τ²κ_pκ_sG₊/(rN²); where κ_1² = R_0κ_p² for all other p, that of the first signal and another",
        )
        .symbol(
            "J",
            "d/dt x = Jx to first order in x along the flow, all other cosines 0; at an aligned state, by Lemmas C.10 \
             and C.11, it is the matrix of d AA = c_p(BA−AA) + c_s(AB−AA) + h_1[Q_1]_sp + h_2[Q_1]_ps, d BB = \
             c_p(AB−BB) + c_s(BA−BB) + h_1[Q_1]_ps + h_2[Q_1]_sp, d AB = c_p(BB−AB) + c_s(AA−AB) + (h_1+h_2)[Q_1]_sp, \
             d BA = c_p(AA−BA) + c_s(BB−BA) + (h_1+h_2)[Q_1]_ps with [Q_1] of first order: [Q_1]_ps = \
             (1/r){−S̄(1−S̄)[(2−T_p−T_s)(E_ps+E_sp) − T_p(E_ps(1−T_s)+E_sp(1−T_p)) − T_s(E_ps(1−T_p)+E_sp(1−T_s))] − \
             (1−S̄)(2−T_p²−T_s²)E_sp}, E_ps = τ²κ_pκ_sAB/N², E_sp = τ²κ_pκ_sBA/N²",
        )
        .symbol(
            "block",
            "J on the plane AA = BB, AB = BA (symmetric) or AA = −BB, AB = −BA (antisymmetric), projected onto it, in \
             the coordinates (AA, AB)",
        )
        .remark(
            "The words of the proof, a first matrix with three negative eigenvalues that dominate and the fourth \
             direction by itself, point to an inequality for δ². It needs c_p and c_s to dominate the terms of Q_1.",
        )
        .remark(
            "Why J is stable: the block of AA = BB, AB = BA is [[−c, c−H], [c, −c−H]], c = c_p + c_s, with determinant \
             2cH; the other has determinant 4c_pc_s + 2g(c_ph_2 + c_sh_1). δ² falls for all cosines exactly where H ≤ \
             8c and g²(h_2−h_1)² ≤ 16c_pc_s + 8g(c_ph_2 + c_sh_1).",
        )
        .remark(
            "Proof of the bounded form, a = 1−T_p ≤ b = 1−T_s, t = σ_p²/σ_s², in units of 2(1−S̄)σ_s²/N²: G₋ ≤ \
             2(a+b−ab) ≤ 4b (times 1−S̄). If t x_s ≥ x_p then (t x_s − x_p)² ≤ (t−1)²x_s² and G₋²(t−1)²x_s²/4 ≤ 4G₋ t b \
             x_s as (t−1)² ≤ 4t, that is t ≤ 3+2√2; else G₋x_p ≤ 2a+2 ≤ 16ta as a ≥ 1/7. H ≤ 8c follows from G₊ ≤ \
             2(a+b+ab) and x(1−tanh x) < 0.28.",
        )
        .setting(stability())
        .setting(near_alignment())
        .setting(order_in_size())
}

fn stability() -> Setting<ManifoldDirection, System> {
    on_the_manifold(Setting::measuring(|s: &ManifoldDirection, _| system(s)))
        .given("p, s are the first two signals; to first order in their cosines")
        .assume(EQUAL_NORMS)
        .assume(PARALLEL)
        .assume(Hypothesis::new("r ≥ 2", |s| s.r() >= 2))
        .assume(Hypothesis::new("τ² > 0", |s| s.tau_squared > 0.0))
        .family(edge("patterns", patterns))
        .family(outside("the stronger signal has the shorter columns", || {
            let against = aligned(&[5.8, 1.0], &[1.0, 1000.0], (1.0, &[]), 1.001, 1e-4);
            vec![("σ² = (5.8, 1), κ² = (1, 1000)", against)]
        }))
        .family(random("aligned", || drawn((2, 0), Views::Aligned)).taking(0.5))
        .family(
            random("moderate temperature", || {
                (drawn((2, 0), Views::Aligned), 0.05..0.6f64)
                    .prop_map(|(s, t)| ManifoldDirection { tau_squared: t * s.r() as f64, ..s })
            })
            .taking(0.5),
        )
        .without_search()
        .ours("r1", "both blocks of J have a negative trace and a positive determinant", holds(), |_, m| {
            all_of([("symmetric", m.stable(m.plane(1.0))), ("antisymmetric", m.stable(m.plane(-1.0)))])
        })
        .because("the lemma defines δ² and bounds its rate; it does not speak of eigenvalues")
        .sense(
            "r2",
            "dδ²/dt = 2x^T J x ≤ 0 for the cosines x of the instance",
            fails("a large T_p leaves c_p too small against the terms of Q_1"),
            grows_nowhere,
        )
        .sides("2x^T J x", "0")
        .because("the proof of Lemma C.1 uses that nothing of the order of the left side is left on the right")
        .step("r3", "for equal cosines d/dt of each is −H times it, H > 0", holds(), |_, m| {
            let size = largest_magnitude(m.j.as_flattened());
            let positive = greater_than(m.decay(), 0);
            let rows = m.j.iter().map(|row| {
                let sum: Interval = row.iter().copied().sum();
                ("row", equal(sum, -m.decay()).on_scale_of("the largest entry of J", size))
            });
            all_of(rows.chain([("sign", positive)]))
        })
        .sense(
            "r4",
            "dδ²/dt = 2x^T J x ≤ 0 for the cosines x of the instance, where κ and σ are ordered alike and the \
             arguments x_p are at most 1",
            fails(
                "at equal κ and x = 1 it needs (s−1)² ≤ 14.24 s for s = σ_p²/σ_s²: the strong signal's h_1 outweighs \
                 both pulls from s = 16.18 on",
            ),
            grows_nowhere,
        )
        .sides("2x^T J x", "0")
        .because("the proof says that the signals dominate: this grants it the states that Stage 1 leaves")
        .assume(ORDERED_ALIKE)
        .assume(ARGUMENTS_BELOW_ONE)
        .amendment(
            "r4-bounded",
            "where also σ_p²/σ_s² and its inverse are at most 5.828 < 3 + 2√2, the symmetric parts of both blocks of J \
             have a positive determinant: with the negative traces of r1 they are negative definite, and δ² falls",
            holds(),
            |_, m| {
                all_of([1.0, -1.0].map(|sign| {
                    let plane = m.plane(sign);
                    (
                        if sign > 0.0 { "symmetric" } else { "antisymmetric" },
                        greater_than(plane.symmetric_determinant(), 0),
                    )
                }))
            },
        )
        .assume(ORDERED_ALIKE)
        .assume(ARGUMENTS_BELOW_ONE)
        .assume(SIMILAR_STRENGTHS)
        .amendment(
            "r2-region",
            "dδ²/dt = 2x^T J x ≤ 0 for the cosines x of the instance, c = c_p + c_s",
            holds(),
            grows_nowhere,
        )
        .assume(REGION)
        .step("blocks", "J leaves the planes AA = BB, AB = BA and AA = −BB, AB = −BA invariant", holds(), |_, m| {
            let size = largest_magnitude(m.j.as_flattened());
            all_of([0, 2].into_iter().flat_map(|i| {
                [0, 2].map(|k| {
                    let j = |row: usize, column: usize| Enclosure::from(m.j[i + row][k + column]);
                    let out = equal(j(0, 0) + j(0, 1), j(1, 0) + j(1, 1)).on_scale_of("the largest entry of J", size);
                    let back = equal(j(0, 0) - j(0, 1), j(1, 1) - j(1, 0)).on_scale_of("the largest entry of J", size);
                    ("mixed entries", all_of([("out", out), ("in", back)]))
                })
            }))
        })
        .step("s1", "symmetric block: trace −2c − H, determinant 2cH", holds(), |_, m| {
            let (plane, c) = (m.plane(1.0), m.pull[0] + m.pull[1]);
            all_of([
                ("trace", equal(plane.trace(), -(2.0 * c + m.decay()))),
                (
                    "determinant",
                    equal(plane.determinant(), 2.0 * c * m.decay())
                        .on_scale_of("the square of the largest entry of J", m.largest_entry().square().magnitude()),
                ),
            ])
        })
        .step("s2", "antisymmetric block: determinant 4c_pc_s + 2g(c_ph_2 + c_sh_1)", holds(), |_, m| {
            let [p, l] = m.pull;
            let expected = 4.0 * p * l + 2.0 * m.coupling * m.g(-1.0) * (p * m.h[1] + l * m.h[0]);
            equal(m.plane(-1.0).determinant(), expected)
                .on_scale_of("the square of the largest entry of J", m.largest_entry().square().magnitude())
        })
        .control("n2", "J with the sign of the terms of Q_1 reversed is stable", |_, m| {
            all_of([("symmetric", m.stable(m.reversed(1.0))), ("antisymmetric", m.stable(m.reversed(-1.0)))])
        })
        .control(
            "n3",
            "for equal cosines AA falls at the rate (h_1 + h_2)κ_pκ_sG₊/N² times it, H without its factor τ²/r",
            |s, m| {
                let sum: Interval = m.j[0].iter().copied().sum();
                equal(-sum, m.decay() / (s.tau_squared / s.r() as f64))
            },
        )
}

fn near_alignment() -> Setting<ManifoldDirection, Nearby> {
    Setting::measuring(|s: &ManifoldDirection, _| nearby(s))
        .given(H_ORTH)
        .given("all columns orthogonal but for the cosines of the instance, times 1e-6, and [K_A]_p, [K_B]_p")
        .assume(Hypothesis::new(
            "G positive definite by row sums: 1.001e-6 Σ_{j≠i}|cosine of columns i, j| < 1 − |ρ_p| for all i, p",
            |s| s.is_definite_at(EPSILON),
        ))
        .assume(EQUAL_NORMS)
        .assume(Hypothesis::new("every 1 − ρ_p ≤ 2e-5", |s| s.correlation.iter().all(|&c| c >= 1.0 - 2e-5)))
        .family(edge("near the aligned manifold", || {
            let near = |mut s: ManifoldDirection| {
                s.correlation = vec![1.0 - 1e-5; s.r()];
                s
            };
            let mut list: Vec<_> = patterns().into_iter().map(|(name, s)| (name, near(s))).collect();
            let still = |sigma: [f64; 2], kappa: [f64; 2], k| {
                near(with_pattern(aligned(&sigma, &kappa, (1.0, &[]), 0.0, k), EQUAL))
            };
            list.push(("equal cosines, τ = 0", still([2.0, 1.0], [1.5, 0.5], 1.0)));
            list.push(("equal cosines, equal norms, τ = 0", still([3.0, 1.0], [1.0, 1.0], 2.0)));
            list
        }))
        .family(outside("other states", || {
            let mut apart = aligned(&[2.0, 1.0], &[1.5, 0.5], (1.0, &[]), 1.0, 1.0);
            (apart.correlation, apart.norms_b) = (vec![0.99999; 2], vec![1.0, 0.5]);
            let mut turned = aligned(&[2.0, 1.0], &[1.5, 0.5], (1.0, &[]), 1.0, 1.0);
            turned.correlation = vec![0.9; 2];
            let touching = aligned(&[2.0, 1.0], &[1.5, 0.5], (1.0, &[]), 1.0, 1.0);
            let mut strong = aligned(&[100.0, 100.0], &[4.0, 0.5], (1.0, &[]), 4.0, 1.0);
            strong.correlation = vec![0.99999; 2];
            vec![("unequal norms", apart), ("ρ = 0.9", turned), ("ρ = 1", touching), ("strong signals", strong)]
        }))
        .without_search()
        .part(
            "r2-near",
            "dδ²/dt ≤ 0 at positive definite states with cosines of order 1e-6 and 1 − ρ = 1e-5",
            fails("the growth is met at true Gram matrices"),
            |_, m| at_most(m.rate, 0),
        )
        .sides("(dδ²/dt)/δ²", "0")
        .in_sense("r2")
        .assume(Hypothesis::new("τ² > 0", |s| s.tau_squared > 0.0))
        .step(
            "leading",
            "dδ²/dt over δ² at the state differs from 2xᵀJx/δ², J that of the norms of the state and ρ_p = 1, by at \
             most 1/100",
            holds(),
            |_, m| equal(m.rate, m.leading).on_scale_of("10", 10.0).within(1e-3),
        )
        .assume(Hypothesis::new("every σ_p² and σ_ξ²r/q at most 30 N_A² and 30 N_B², τ² ≤ 10", |s| {
            s.tau_squared <= 10.0 && s.fastest_rate().is_ok_and(|rate| rate.hi() <= 30.0)
        }))
        .control("n1", "strict decrease along equal cosines at τ = 0", |_, m| less_than(m.rate, 0))
        .assume(Hypothesis::new("τ = 0", |s| s.tau_squared == 0.0))
}

fn order_in_size() -> Setting<TwoLevels, Vec<(f64, Enclosure)>> {
    Setting::measuring(|t: &TwoLevels, _| Ok(t.sizes().map(|r| (r, t.at(r).equal_cosine_decay())).collect::<Vec<_>>()))
        .given(
            "H-orth; aligned: K_A = K_B with orthogonal columns; no noise, every σ_p = 1, κ_1² = R_0κ_p² for all other \
             p, K > 0",
        )
        .assume(Hypothesis::new("τ² does not depend on r", |t| t.schedule.is_fixed()))
        .assume(Hypothesis::new("τ² ≤ 3, R_0 ≤ 8", |t| t.factor <= 3.0 && t.start <= 8.0))
        .family(outside("τ² = log r", || {
            let schedule = Schedule::Logarithm;
            let warmer = |(name, t)| (name, TwoLevels { schedule, ..t });
            let mut list: Vec<_> = TwoLevels::sweeps(10).into_iter().take(1).map(warmer).collect();
            let lead = TwoLevels::sweeps(10).into_iter().take(1);
            list.extend(lead.map(|(_, t)| ("R_0 = 1000".to_owned(), TwoLevels { start: 1e3, ..t })));
            list
        }))
        .family(edge("r = 4 to 4096", || TwoLevels::sweeps(10)))
        .without_search()
        .step(
            "r3-order",
            "N²H at fixed τ² is of order 1/r: from r = 64 on rN²H is within a factor two of its limit \
             τ²(R_0+1)(1−S)(2+4S), S = 1/(1+Ke^{−τ²})",
            holds(),
            |t, points| {
                all_of(points.iter().filter(|(r, _)| *r >= 64.0).flat_map(|&(r, h)| {
                    let limit = t.decay_limit();
                    [
                        (format!("r = {r}, not faster"), at_least(h * r, limit / 2.0)),
                        (format!("r = {r}, not slower"), at_most(h * r, limit * 2.0)),
                    ]
                }))
            },
        )
        .our_constant("the factor two and r ≥ 64: the words name an order only")
        .control(
            "n4",
            "N²H at fixed τ² is bounded away from 0: at the last r at least half of that at the first",
            |_, points| {
                let (first, last) = (points[0].1, points[points.len() - 1].1);
                at_least(last, first / 2.0)
            },
        )
}
