//! Lemma B.4: the matrix Q_1 in Stage 1.
//!
//! True, in the reconstructed form: Q_1 is analytic in τ², its value at 0 is c_K I and its slope the stated one, both
//! for every state and without (11). The slope collects E[(z^T M z) z z^T] from S_A and S_B, and E_{w_A}[z^-] = τ²M^T
//! z^+/r from the tilts (after averaging over ξ_A: for a fixed ξ_A there is a second summand M_{ξAB}^T ξ_A).
//! Remainders are explicit.

use evidence::prelude::*;
use two_view::signs;

use crate::shared::feature_families::families;
use crate::shared::high_temperature::{Expansion, HighTemperature, REMAINDER, agree, expand, vanishes};
use crate::shared::hypotheses::{LATENTS, LOSS, Q_MATRICES};
use crate::shared::notation::{SIZES, SPEED};

/// E[(z^T M z) z_p z_s], by enumeration of z, is (M_ps + M_sp)/r² (p ≠ s), tr M/r² (p = s).
fn fourth_moments(e: &Expansion, both_orders: bool) -> Evaluation {
    let r = e.signal();
    let (all, square) = ((0..1usize << r).map(|z| signs(r, z)).collect::<Vec<_>>(), (r * r) as f64);
    let m = |p: usize, s: usize| e.cross.at(p, s);
    let form = |z: &[f64]| -> Interval { (0..r * r).map(|k| m(k / r, k % r) * (z[k / r] * z[k % r])).sum() };
    for_each_index("entry", pairs(0..r, 0..r), |(p, s)| {
        let mean = all.iter().map(|z| form(z) * (z[p] * z[s])).sum::<Interval>() / (all.len() as f64 * square);
        let expected: Interval = if p == s {
            (0..r).map(|k| m(k, k)).sum()
        } else if both_orders {
            m(p, s) + m(s, p)
        } else {
            m(p, s)
        };
        agree(mean, expected / square, e.bound + 1.0)
    })
}

/// The slope at τ = 0 of E[E_{w_A}[z^-_p] | z^+] is (M^T z^+)_p/r, for every z^+ and p.
fn tilted_mean(e: &Expansion, transposed: bool) -> Evaluation {
    let (r, d, n) = (e.signal(), e.latents(), e.at.states());
    let noises = 1usize << (d - r);
    let z: Vec<Vec<Interval>> = (0..n).map(|i| e.latent(i)).collect();
    for_each_index("z^+ and p:", pairs(0..1usize << r, 0..r), |(signal, p)| {
        let one = |i: usize| -> Interval {
            (0..n).map(|j| e.start.tilt_a(i, j).slopes[0] * z[j][p]).sum::<Interval>() / n as f64
        };
        let mean = (0..noises).map(|k| one(signal | k << r)).sum::<Interval>() / noises as f64;
        let entry = |k: usize| if transposed { e.cross.at(k, p) } else { e.cross.at(p, k) };
        let expected: Interval = (0..r).map(|k| entry(k) * z[signal][k]).sum();
        agree(mean, expected / r as f64, e.bound + 1.0)
    })
}

/// The largest |M_ps| with p ≠ s.
fn off_diagonal(e: &Expansion) -> Interval {
    let r = e.signal();
    e.largest(|p, s| p < r && s < r && p != s, |p, s| e.cross.at(p, s))
}

pub fn claim() -> Claim {
    Claim::new("ren2023.lemma-b4", "Q_1 in Stage 1", Kind::Asymptotic)
        .statement(
            "Q_1 = c_K I_r + O(τ²); to first order [Q_1]_ps = −(2Kτ²/(r(1+K)²))(M_ps + M_sp) − (c_Kτ²/r)M_sp for p ≠ s \
             and [Q_1]_pp = c_K − (2Kτ²/(r(1+K)²)) tr M − (c_Kτ²/r)M_pp, up to O(τ⁴); so off-diagonal entries are \
             O(τ²δ_⊥) + O(τ⁴)",
        )
        .source("Lemma B.4", &["Section B.1"])
        .symbols([SIZES, SPEED])
        .symbol("E_{w_A}[z^-]", "E_{x_B⁻}[w_A z⁻], a function of x_A⁺")
        .symbol("δ_⊥", "max |M_ps| over p ≠ s")
        .reconstructed("the formulas; they are derived from the definitions")
        .remark(
            "Holds for every state; (11) is needed only to call M_ps small. The proof's E_{w_A}[z^-] = τ²M^T z^+/r + \
             O(τ⁴) is right after averaging over ξ_A; for a fixed ξ_A, M_{ξAB}^T ξ_A joins M^T z^+.",
        )
        .remark(
            "Proof of `remainder`, derivatives in τ²: for ℓ = log((1 − S)/S) |ℓ'| ≤ 2B and 0 ≤ ℓ'' ≤ B², a variance of \
             numbers in [−B, B]; with |σ'| ≤ 1/4 and |σ''| ≤ 1/(6√3) for the logistic function |(1 − S)'| ≤ B/2 and \
             |(1 − S)''| < 0.635B². A tilt w has E|w'| ≤ B and E|w''| ≤ 2B². An entry of Q_1 is the mean of (2 − S_A − \
             S_B)·rz_pz_s less the means of (1 − S_A)w_A and (1 − S_B)w_B times such products, all of size one, so \
             that its second derivative is at most (2·0.635 + 2(0.635 + 1 + 2))B² < 8.6B², of which Taylor's formula \
             takes half.",
        )
        .setting(printed())
}

fn printed() -> Setting<HighTemperature, Expansion> {
    Setting::measuring(|s: &HighTemperature, _| expand(s))
        .given(LATENTS)
        .given(LOSS)
        .given(Q_MATRICES)
        .given(REMAINDER)
        .family(families())
        .without_search()
        .part("printed", "Q_1 at τ = 0 is c_K I_r, and |Q_1 − c_K I_r| ≤ 4τ²B entrywise", holds(), |_, e| {
            let r = e.signal();
            let moved = e.largest(|k, l| k < r && l < r, |k, l| e.matrix.at(k, l) - e.leading(k, l));
            at_most(moved, 4.0 * e.tau_squared * e.bound).on_unit_scale()
        })
        .our_constant("the explicit multiple: the words name an order only")
        .part("first-order", "value and slope of Q_1 at τ = 0 are those of the statement", holds(), |_, e| {
            let r = e.signal();
            e.first_order_is_exact(|k, l| k < r && l < r)
        })
        .tested_by("n1")
        .part("remainder", "|remainder| ≤ 4.3 τ⁴B² for every entry of Q_1", holds(), |_, e| {
            let r = e.signal();
            at_most(e.remainder(|k, l| k < r && l < r), e.second_order_bound()).on_unit_scale()
        })
        .our_constant("the explicit multiple: the words name an order only")
        .part(
            "off-diagonal",
            "|[Q_1]_ps| ≤ (τ²/r)(4K/(1+K)² + c_K) max_{p′≠s′} |M_{p′s′}| + 4.3 τ⁴B² for all p ≠ s",
            holds(),
            |_, e| {
                let r = e.signal();
                let found = e.largest(|k, l| k < r && l < r && k != l, |k, l| e.matrix.at(k, l));
                let factor = 4.0 * e.selection_slope() + e.speed();
                at_most(found, e.tau_squared / r as f64 * factor * off_diagonal(e) + e.second_order_bound())
                    .on_unit_scale()
            },
        )
        .our_constant("the explicit multiple: the words name an order only")
        .assume(Hypothesis::new("r ≥ 2", |s| s.signal > 1))
        .step("s1", "E[(z^T M z) z_p z_s] = (M_ps + M_sp)/r² for p ≠ s, tr M/r² for p = s", holds(), |_, e| {
            fourth_moments(e, true)
        })
        .tested_by("n4")
        .step(
            "s2",
            "E[E_{w_A}[z^-] | z^+] = τ²M^T z^+/r to first order: its slope in τ² at τ = 0 is M^T z^+/r, for every z^+",
            holds(),
            |_, e| tilted_mean(e, true),
        )
        .tested_by("n5")
        .control("n1", "the leading constant is K/(1+K)", |_, e| equal(e.matrix_start.at(0, 0).value, e.speed() / 2.0))
        .control(
            "n2",
            "off-diagonal entries are O(τ⁴): the slope in τ² of [Q_1]_ps at τ = 0 is 0 for all p ≠ s",
            |_, e| {
                let off = pairs(0..e.signal(), 0..e.signal()).filter(|(p, s)| p != s);
                for_each_index("entry", off, |(p, s)| vanishes(e.matrix_start.at(p, s).slopes[0], e.bound))
            },
        )
        .assume(Hypothesis::new("r ≥ 2", |s| s.signal > 1))
        .control("n4", "E[(z^T M z) z_p z_s] = M_ps/r² for p ≠ s, one order alone", |_, e| fourth_moments(e, false))
        .control("n5", "E[E_{w_A}[z^-] | z^+] = τ²M z^+/r to first order, M untransposed", |_, e| {
            tilted_mean(e, false)
        })
        .control(
            "n3",
            "Q_1 is symmetric to first order: [Q_1]_ps and [Q_1]_sp have the same slope in τ² at τ = 0",
            |_, e| {
                let slope = |p: usize, s: usize| e.matrix_start.at(p, s).slopes[0];
                for_each_index("entry", pairs(0..e.signal(), 0..e.signal()), |(p, s)| {
                    agree(slope(p, s), slope(s, p), e.bound)
                })
            },
        )
}
