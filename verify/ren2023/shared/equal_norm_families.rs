//! Families of diagonal states with equal norms: infinite-width starts, and states anywhere.

use evidence::prelude::*;
use proptest::collection::vec;
use proptest::option;
use proptest::strategy::Strategy;

use super::equal_norms::{EqualNoises, EqualNorms, EqualSignals};

type Spectrum = &'static [(f64, u32)];

/// Infinite-width starts: harmless, spread, with a dominant group, weak directions, little and much noise; early and
/// late.
pub fn wide_starts() -> Vec<(String, EqualNorms)> {
    let spectra: [(&str, Spectrum); 8] = [
        ("all equal", &[(2.0, 3)]),
        ("(3,1,1,1)", &[(3.0, 1), (1.0, 3)]),
        ("(20,20,20,20,2,1)", &[(20.0, 4), (2.0, 1), (1.0, 1)]),
        ("(1, 0.01)", &[(1.0, 1), (0.01, 1)]),
        ("(9,1)", &[(9.0, 1), (1.0, 1)]),
        ("geometric", &[(8.0, 1), (4.0, 1), (2.0, 1), (1.0, 1)]),
        ("one large among many", &[(4.0, 1), (1.0, 4095)]),
        ("one direction", &[(1.5, 1)]),
    ];
    let noises: [(&str, Option<(f64, u32)>); 4] = [
        ("no noise", None),
        ("weak noise", Some((0.05, 18))),
        ("noise", Some((1.0, 6))),
        ("q = 1000", Some((4.0, 1000))),
    ];
    let mut list = Vec::new();
    for (what, spectrum) in spectra {
        for (k, (noise, law)) in noises.iter().enumerate() {
            let weakest = spectrum.iter().map(|s| s.0).fold(f64::INFINITY, f64::min);
            let strongest = spectrum.iter().map(|s| s.0).fold(0.0, f64::max);
            for (when, clock) in [("early", 2.0 / strongest), ("late", 3.0 / weakest)] {
                let negatives = [1.0, 0.1, 10.0, 2.0][k];
                list.push((format!("{what}, {noise}, {when}"), EqualNorms::wide(spectrum, *law, negatives, clock)));
            }
        }
    }
    list.push(("start".into(), EqualNorms::wide(&[(3.0, 1), (1.0, 3)], None, 1.0, 0.0)));
    list
}

/// Up to four groups of any strengths, with and without noise.
pub fn any_wide_start() -> impl Strategy<Value = EqualNorms> {
    let signal = (-2.0..3.0f64, 1u32..6);
    let noise = option::of((-3.0..2.0f64, 1u32..200));
    (vec(signal, 1..5), noise, -2.3..2.3f64, -3.0..3.0f64).prop_map(|(signals, noise, log_negatives, log_clock)| {
        let e = |x: f64| exact(x).exp().midpoint();
        let signals: Vec<(f64, u32)> = signals.into_iter().map(|(s, n)| (e(s), n)).collect();
        EqualNorms::wide(&signals, noise.map(|(s, q)| (e(s), q)), e(log_negatives), e(log_clock))
    })
}

pub fn wide_families() -> [Family<EqualNorms>; 2] {
    [edge("infinite width", wide_starts), random("any infinite width", any_wide_start)]
}

/// States with equal norms anywhere: correlations of both signs and at the ends, extreme norms, noise shares up to
/// nearly one.
pub fn states() -> Vec<(&'static str, EqualNorms)> {
    let of = |signals: &[(f64, f64, f64)], noise: Option<(f64, f64, u32)>, clock: f64| EqualNorms {
        signals: signals
            .iter()
            .map(|&(s, k, c)| EqualSignals { sigma_squared: s, kappa_squared: k, correlation: c, copies: 1 })
            .collect(),
        noise: noise.map(|(s, n, q)| EqualNoises { sigma_squared: s, norm_squared: n, copies: q }),
        negatives: 2.0,
        clock,
    };
    vec![
        ("one direction", of(&[(1.0, 1.0, 0.5)], None, 1.0)),
        ("equal correlations", of(&[(3.0, 1.0, 0.5), (1.0, 2.0, 0.5)], None, 1.0)),
        ("one aligned, one not", of(&[(4.0, 1.0, 1.0), (1.0, 1.0, 0.0)], None, 3.0)),
        ("the weak one aligned", of(&[(4.0, 1.0, 0.0), (1.0, 50.0, 1.0)], None, 2.0)),
        ("aligned, much noise", of(&[(4.0, 1.0, 1.0), (1.0, 1.0, 1.0)], Some((1.0, 9.0, 3)), 1.0)),
        ("opposite", of(&[(2.0, 1.0, -1.0), (1.0, 1.0, 0.5)], Some((0.5, 0.5, 2)), 1.0)),
        ("extreme norms", of(&[(1.5, 55.0, 0.9), (1.0, 0.02, 0.1), (1.2, 1.0, 0.3)], None, 4.0)),
        ("almost only noise", of(&[(1.0, 0.01, 0.0), (2.0, 0.01, 0.2)], Some((4.0, 100.0, 30)), 5.0)),
        ("negative correlations", of(&[(1.0, 1.0, -0.9), (3.0, 1.0, -0.2)], None, 1.0)),
    ]
}

pub fn state_families() -> [Family<EqualNorms>; 2] {
    let drawn = || {
        let signal = (-1.5..3.0f64, -4.0..4.0f64, -1.0..1.0f64, 1u32..4);
        let noise = option::of((-3.0..2.0f64, -6.0..4.0f64, 1u32..50));
        (vec(signal, 1..5), noise, -2.3..2.3f64, -3.0..2.0f64).prop_map(|(signals, noise, log_negatives, log_clock)| {
            let e = |x: f64| exact(x).exp().midpoint();
            EqualNorms {
                signals: signals
                    .into_iter()
                    .map(|(s, k, correlation, copies)| EqualSignals {
                        sigma_squared: e(s),
                        kappa_squared: e(k),
                        correlation,
                        copies,
                    })
                    .collect(),
                noise: noise.map(|(s, n, copies)| EqualNoises { sigma_squared: e(s), norm_squared: e(n), copies }),
                negatives: e(log_negatives),
                clock: e(log_clock),
            }
        })
    };
    [edge("states", states), random("any state", drawn)]
}

#[cfg(test)]
mod tests {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;

    use super::*;

    /// Without noise or with it, ρ_p = tanh(σ_p²θ) from ρ_p = 0: "early" the strongest direction is aligned to tanh 2 and "late" the
    /// weakest to tanh 3.
    #[test]
    fn early_and_late_are_so_for_the_strongest_and_the_weakest_direction() {
        for (name, start) in wide_starts() {
            assert!(start.is_wide() && start.validate().is_ok(), "{name}");
            let state = start.flow().expect("a start").at(start.clock).expect("a time");
            let of = |strength: f64| {
                let p = start.signals.iter().position(|g| g.sigma_squared == strength);
                state.correlation[p.expect("one of them")].midpoint()
            };
            let (found, expected) = match name.rsplit(", ").next() {
                Some("early") => (of(start.strongest()), core_math::tanh(2.0)),
                Some("late") => (of(start.weakest()), core_math::tanh(3.0)),
                _ => (of(start.strongest()), 0.0),
            };
            assert!((found - expected).abs() < 1e-9, "{name}: {found}");
        }
    }

    #[test]
    fn drawn_starts_are_wide_and_the_states_are_not() {
        let (mut runner, mut noisy) = (TestRunner::deterministic(), 0);
        for _ in 0..100 {
            let start = any_wide_start().new_tree(&mut runner).expect("a draw").current();
            assert!(start.is_wide() && start.validate().is_ok(), "{}", start.describe());
            noisy += usize::from(start.noise.is_some());
        }
        assert!((20..=80).contains(&noisy), "{noisy} of 100 have noise");
        for (name, state) in states() {
            assert!(!state.is_wide() && state.validate().is_ok(), "{name}");
        }
    }
}
