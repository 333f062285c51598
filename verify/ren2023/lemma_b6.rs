//! Lemma B.6: the scalar Q_0 and the matrix Q_2 in Stage 1.
//!
//! True, in the reconstructed form, for every state: Q_0 is c_KΨ at τ = 0 with the stated slope, which follows from r
//! Q_0 = tr(CQ) and the slopes of the blocks; Q_2 vanishes at τ = 0 with a slope proportional to M_ξξ^T. Which matrix
//! the printed lemma treats is not legible; both are checked.

use evidence::prelude::*;

use crate::shared::feature_families::families;
use crate::shared::high_temperature::{Expansion, HighTemperature, REMAINDER, SECOND_ORDER, expand, vanishes};
use crate::shared::hypotheses::{LATENTS, LOSS, Q_MATRICES};
use crate::shared::notation::{SIZES, SPEED};

/// Ψ = tr M/r.
fn agreement(e: &Expansion) -> Interval {
    (0..e.signal()).map(|p| e.cross.at(p, p)).sum::<Interval>() / e.signal() as f64
}

/// The stated first-order coefficient of Q_0.
fn scalar_slope(e: &Expansion) -> Interval {
    let (r, d) = (e.signal(), e.latents());
    let (m, rr) = (|p: usize, s: usize| e.cross.at(p, s), (r * r) as f64);
    let over = |rows: (usize, usize), columns: (usize, usize), f: &dyn Fn(usize, usize) -> Interval| -> Interval {
        (rows.0..rows.1).map(|p| (columns.0..columns.1).map(|s| f(p, s)).sum::<Interval>()).sum()
    };
    let trace: Interval = (0..r).map(|p| m(p, p)).sum();
    let mixed = over((0, r), (0, r), &|p, s| {
        if p == s { Interval::ZERO } else { m(p, s) * (m(p, s) + m(s, p)) }
    });
    let square = |rows, columns| over(rows, columns, &|p, s| m(p, s).square());
    let mut slope = 2.0 * e.selection_slope() / rr * (mixed + trace.square()) + e.speed() / rr * square((0, r), (0, r));
    if d > r {
        let q = (d - r) as f64;
        let noise =
            (square((r, d), (0, r)) + square((0, r), (r, d))) / (r as f64 * q) + square((r, d), (r, d)) / (q * q);
        slope += e.noise_factor() * noise;
    }
    -slope
}

pub fn claim() -> Claim {
    Claim::new("ren2023.lemma-b6", "Q_0 and Q_2 in Stage 1", Kind::Asymptotic)
        .statement(
            "Q_0 = c_KΨ + O(τ²), with first-order term −τ²{(2K/(r²(1+K)²))[Σ_{p≠s} M_ps(M_ps + M_sp) + (tr M)²] + \
             (c_K/r²)‖M‖_F² + (2K(2+K)/(1+K)²)[(‖M_{ξAB}‖_F² + ‖M_{AξB}‖_F²)/(rq) + ‖M_ξξ‖_F²/q²]}; Q_2 = \
             −(2K(2+K)/(1+K)²)(τ²r/q²)M_ξξ^T + O(τ⁴)",
        )
        .source("Lemma B.6", &["Section B.1"])
        .symbols([SIZES, SPEED])
        .reconstructed("the formulas, and which of Q_0 and Q_2 they estimate; both are derived from the definitions")
        .sense("Q_0", "the lemma estimates the scalar Q_0")
        .sense("Q_2", "the lemma estimates the noise block Q_2")
        .remark(
            "Proof of the remainders: that of Lemma B.4, where an entry of Q_2 has products rξ_kξ_l of size r/q in \
             place of one, and Q_0 has ⟨f_A, f_B⟩, of size B.",
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
        .part("printed", "Q_0 at τ = 0 is c_KΨ, and |Q_0 − c_KΨ| ≤ 4τ²B²", holds(), |_, e| {
            let moved = (e.scalar - e.speed() * agreement(e)).abs();
            at_most(moved, 4.0 * e.tau_squared * e.bound.square()).on_unit_scale()
        })
        .our_constant("the explicit multiple: the words name an order only")
        .in_sense("Q_0")
        .part("scalar-first-order", "value and slope of Q_0 at τ = 0 are those of the statement", holds(), |_, e| {
            let gap = (e.scalar_start - e.speed() * agreement(e)).abs() + (e.scalar_slope - scalar_slope(e)).abs();
            vanishes(gap, e.bound.square() + 1.0)
        })
        .tested_by("n1")
        .in_sense("Q_0")
        .part("scalar-remainder", "|remainder of Q_0| ≤ 4.3 τ⁴B³", holds(), |_, e| {
            let first = e.speed() * agreement(e) + e.tau_squared * scalar_slope(e);
            at_most((e.scalar - first).abs(), SECOND_ORDER * e.tau_squared.square() * e.bound.powi(3)).on_unit_scale()
        })
        .our_constant("the explicit multiple: the words name an order only")
        .in_sense("Q_0")
        .part("noise-block", "value 0 and slope of Q_2 at τ = 0 are those of the statement", holds(), |_, e| {
            let r = e.signal();
            e.first_order_is_exact(|k, l| k >= r && l >= r)
        })
        .tested_by("n3")
        .in_sense("Q_2")
        .assume(Hypothesis::new("q ≥ 1", |s| s.noise > 0))
        .part("noise-remainder", "|remainder| ≤ 4.3 τ⁴B² r/q for every entry of Q_2", holds(), |_, e| {
            let r = e.signal();
            at_most(e.remainder(|k, l| k >= r && l >= r), e.second_order_bound()).on_unit_scale()
        })
        .our_constant("the explicit multiple: the words name an order only")
        .in_sense("Q_2")
        .assume(Hypothesis::new("q ≥ 1", |s| s.noise > 0))
        .step("s1", "r Q_0 = tr(C Q) at every τ", holds(), |_, e| {
            let d = e.latents();
            let trace: Interval = (0..d * d).map(|k| e.cross.at(k / d, k % d) * e.matrix.at(k % d, k / d)).sum();
            equal(trace, e.scalar * e.signal() as f64).on_scale_of("the terms before they cancel", e.bound.hi() + 1.0)
        })
        .control("n1", "Q_0 = c_K + O(τ²): Q_0 = c_K at τ = 0", |_, e| equal(e.scalar_start, e.speed()))
        .control("n2", "Q_0 − c_KΨ = O(τ⁴): the slope of Q_0 in τ² at τ = 0 is 0", |_, e| {
            vanishes(e.scalar_slope, e.bound.square())
        })
        .control("n3", "Q_2 is O(τ⁴): the slope in τ² at τ = 0 is 0 in every entry", |_, e| {
            let noises = e.signal()..e.latents();
            for_each_index("entry", pairs(noises.clone(), noises), |(k, l)| {
                vanishes(e.matrix_start.at(k, l).slopes[0], e.bound)
            })
        })
        .assume(Hypothesis::new("q ≥ 1", |s| s.noise > 0))
}
