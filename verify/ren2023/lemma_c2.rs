//! Lemma C.2: averages over the negative latent, tilted by the diagonal exponent.
//!
//! True for all real exponents and every z⁺: under the tilt the products z_k⁺z_k⁻ are independent with means T_k/r,
//! so that the three identities are the cases |P| = 0, 1, 2 of E e^{…}Π_{p∈P} z_p⁺z_p⁻ = Z r^{−|P|}Π_{p∈P}T_p.

use evidence::claim::pairs_below;
use evidence::prelude::*;
use proptest::collection::vec;
use proptest::sample::select;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

use crate::shared::notation::{KRONECKER, SIZES, TANH};

#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(
    describe = "κ̂² = {kappa_hat:?}, τ² = {tau_squared}, N_A N_B = {normalisers}, z⁺ has the signs of {anchor:b}",
    simpler = Self::without_a_direction,
    stored
)]
struct Tilt {
    /// κ̂_p², signed numbers.
    #[instance(length = "1..=10", range = "-1e3..=1e3")]
    kappa_hat: Vec<f64>,
    #[instance(range = "0..=1e3")]
    tau_squared: f64,
    /// N_A N_B.
    #[instance(range = "1e-3..=1e3", scale = "logarithmic")]
    normalisers: f64,
    /// Bit k is set where z_k⁺ is negative.
    anchor: u32,
}

impl Tilt {
    fn without_a_direction(&self) -> Vec<Self> {
        let without = |k: usize| {
            let mut less = self.clone();
            less.kappa_hat.remove(k);
            less
        };
        (0..self.kappa_hat.len()).filter(|_| self.kappa_hat.len() > 1).map(without).collect()
    }
}

/// Sums over all z⁻, all divided by e^{Σ|x_k|}.
struct Averages {
    x: Vec<Interval>,
    /// τ²κ̂_p²/(N_A N_B), without 1/r.
    unscaled: Vec<Interval>,
    /// E e^{…}.
    total: Interval,
    /// Of each set P of at most two coordinates, or of any set for r ≤ 6: E[e^{…}Π_{p∈P} z_p⁻] r^{|P|/2}.
    moments: Vec<(u32, Interval)>,
    /// ∏cosh x_k.
    product: Interval,
}

fn sign(state: u32, set: u32) -> f64 {
    if (state & set).count_ones() % 2 == 1 { -1.0 } else { 1.0 }
}

impl Averages {
    fn of(t: &Tilt) -> Averages {
        let r = t.kappa_hat.len();
        let unscaled: Vec<Interval> =
            (t.kappa_hat.iter()).map(|&k| Interval::point(t.tau_squared) * k / t.normalisers).collect();
        let x: Vec<Interval> = unscaled.iter().map(|&u| u / r as f64).collect();
        let ceiling: Interval = x.iter().map(|x| x.abs()).sum();
        let states = 1u32 << r;
        let weights: Vec<Interval> = (0..states)
            .map(|state| {
                let exponent: Interval = (x.iter().enumerate()).map(|(k, &x)| x * sign(state ^ t.anchor, 1 << k)).sum();
                (exponent - ceiling).exp() / f64::from(states)
            })
            .collect();
        let moment = |set: u32| -> Interval { (0..states).map(|s| weights[s as usize] * sign(s, set)).sum() };
        let sets = (0..states).filter(|set| r <= 6 || set.count_ones() <= 2);
        Averages {
            total: weights.iter().copied().sum(),
            moments: sets.map(|set| (set, moment(set))).collect(),
            product: x.iter().map(|x| (1.0 + (-2.0 * x.abs()).exp()) * 0.5).product(),
            x,
            unscaled,
        }
    }

    /// E[e^{…}Π z_p⁺z_p⁻]r^{|P|} over the sets of `size` coordinates (of any number if none) against Z times
    /// `expected`.
    fn compare(&self, t: &Tilt, size: Option<u32>, expected: impl Fn(u32) -> Interval) -> Vec<(String, Evaluation)> {
        let chosen = self.moments.iter().filter(|(set, _)| size.is_none_or(|n| set.count_ones() == n));
        let one = |&(set, moment): &(u32, Interval)| {
            let left = moment * sign(t.anchor, set) / self.total;
            (format!("coordinates {set:b}"), equal(left, expected(set)).on_unit_scale())
        };
        chosen.map(one).collect()
    }

    /// ΠT_p over a set, T of the given exponents.
    fn tilts(x: &[Interval], set: u32) -> Interval {
        (x.iter().enumerate()).filter(|(k, _)| set >> k & 1 == 1).map(|(_, x)| x.tanh()).product()
    }
}

pub fn claim() -> Claim {
    Claim::new("ren2023.lemma-c2", "tilted averages over the negative latent", Kind::Identity)
        .statement(
            "with x_p = τ²κ̂_p²/(rN_AN_B), T_p = tanh x_p: E_{z⁻}e^{τ²Σ_sκ̂_s²z_s⁺z_s⁻/(N_AN_B)} = ∏_s cosh x_s =: Z, \
             E[e^{…}z_p⁺z_p⁻] = ZT_p/r, and E[e^{…}z_p⁺z_p⁻z_s⁺z_s⁻] = ZT_pT_s/r² for p ≠ s",
        )
        .reconstructed("the displays; the words of the proof fix the first two")
        .source("Lemma C.2", &["Section C.1"])
        .symbols([SIZES, KRONECKER, TANH])
        .symbol("e^{…}", "e^{τ²Σ_sκ̂_s²z_s⁺z_s⁻/(N_AN_B)}, the sum over all signals s")
        .symbol("E", "the mean over z⁻, uniform on {±1/√r}^r; E_w, Cov_w those under the law w")
        .symbol("Z", "∏_s cosh x_s over all signals s")
        .symbol("z_p", "coordinate p of z⁺ or z⁻, each ±1/√r; w the law of z⁻ with the weight e^{…}/Z")
        .remark("Proof of all moments: the exponential is a product over coordinates, and so is the uniform law of z⁻.")
        .setting(printed())
}

fn printed() -> Setting<Tilt, Averages> {
    Setting::measuring(|t: &Tilt, _| Ok(Averages::of(t)))
        .given("κ̂_p² any real numbers, τ² ≥ 0, N_A, N_B > 0, z⁺ any state, z⁻ uniform")
        .family(edge("named", || {
            let of = |kappa_hat: &[f64], tau_squared: f64, anchor: u32| Tilt {
                kappa_hat: kappa_hat.to_vec(),
                tau_squared,
                normalisers: 1.0,
                anchor,
            };
            vec![
                ("one direction", of(&[1.0], 1.0, 0)),
                ("one direction, negative anchor", of(&[1.0], 1.0, 1)),
                ("x = (1, 1)", of(&[2.0, 2.0], 1.0, 0)),
                ("both signs", of(&[3.0, -2.0, 1.0], 2.0, 0b010)),
                ("zeros", of(&[0.0, 0.0, 1.0], 2.0, 0b101)),
                ("all zero", of(&[0.0, 0.0], 2.0, 0b01)),
                ("τ = 0", of(&[1.0, 5.0], 0.0, 0b10)),
                ("x = ±30", of(&[30.0, -30.0], 2.0, 0b11)),
                ("x = ±700", of(&[700.0, -700.0, 1.0], 3.0, 0b001)),
                ("tiny", of(&[1e-9, -1e-12], 1.0, 0b00)),
                ("r = 10, ties", of(&[1.0; 10], 5.0, 0b1100110011)),
                ("N_A N_B = 7", Tilt { normalisers: 7.0, ..of(&[3.0, 1.0, -1.0], 4.0, 0b110) }),
            ]
        }))
        .family(random("any exponents", || {
            let r = select(&[1usize, 2, 3, 4, 5, 6, 8][..]);
            let numbers = (r, -3.0..3.4f64, 0.2..5.0f64, 0u32..256)
                .prop_flat_map(|(r, log, n, anchor)| vec(-1.0..1.0f64, r).prop_map(move |k| (k, log, n, anchor)));
            numbers.prop_map(|(k, log, normalisers, anchor)| Tilt {
                tau_squared: Interval::point(log).exp().midpoint() * k.len() as f64,
                anchor: anchor & ((1 << k.len()) - 1),
                kappa_hat: k,
                normalisers,
            })
        }))
        .without_search()
        .part(
            "printed",
            "E e^{…} = Z, E[e^{…}z_p⁺z_p⁻] = ZT_p/r for every p, and E[e^{…}z_p⁺z_p⁻z_s⁺z_s⁻] = ZT_pT_s/r² for all p ≠ \
             s",
            holds(),
            |t, a| {
                let few = (1..=2).flat_map(|n| a.compare(t, Some(n), |set| Averages::tilts(&a.x, set)));
                all_of(few.chain([("Z".to_owned(), equal(a.total, a.product))]))
            },
        )
        .checked("ren2023.Tilted.lemma_c2_printed")
        .step(
            "s1",
            "E_w z_p⁻ = T_pz_p⁺, because y = ±1/√r with equal chances has E[e^{ay}y] = sinh(a/√r)/√r = cosh(a/√r) \
             tanh(a/√r)/√r for every a",
            holds(),
            |t, a| {
                let one = a.moments.iter().filter(|(set, _)| set.count_ones() == 1);
                all_of(one.map(|&(set, moment)| {
                    let mean = Averages::tilts(&a.x, set) * sign(t.anchor, set);
                    (format!("coordinate {set:b}"), equal(moment / a.total, mean).on_unit_scale())
                }))
            },
        )
        .step(
            "s2",
            "E_w[z_p⁻z_s⁻] = E_w[z_p⁻]E_w[z_s⁻] for p ≠ s, so that Cov_w(z_p⁻, z_s⁻) = δ_ps(1−T_p²)/r",
            holds(),
            |t, a| {
                let moment =
                    |set: u32| a.moments.iter().find(|(s, _)| *s == set).map_or(Interval::ENTIRE, |m| m.1) / a.total;
                for_each_index("signals", pairs_below(t.kappa_hat.len()), |(p, s)| {
                    equal(moment(1 << p | 1 << s), moment(1 << p) * moment(1 << s)).on_unit_scale()
                })
            },
        )
        .assume(Hypothesis::new("r ≥ 2", |t| t.kappa_hat.len() >= 2))
        .sharpening(
            "all",
            "for every set P of signals: E[e^{…}Π_{p∈P}z_p⁺z_p⁻] = Z r^{−|P|}Π_{p∈P}T_p",
            holds(),
            |t, a| all_of(a.compare(t, None, |set| Averages::tilts(&a.x, set))),
        )
        .checked("ren2023.Tilted.lemma_c2_all")
        .assume(Hypothesis::new("r ≤ 6", |t| t.kappa_hat.len() <= 6))
        .control("n1", "T_p = tanh(τ²κ̂_p²/(N_AN_B)), without 1/r", |t, a| {
            all_of(a.compare(t, Some(1), |set| Averages::tilts(&a.unscaled, set)))
        })
        .control("n2", "two coordinates with 1/r", |t, a| {
            all_of(a.compare(t, Some(2), |set| Averages::tilts(&a.x, set) * t.kappa_hat.len() as f64))
        })
        .assume(Hypothesis::new("r ≥ 2", |t| t.kappa_hat.len() >= 2))
        .control("n3", "one coordinate without z_p⁺ on the left", |_, a| {
            let one = a.moments.iter().filter(|(set, _)| set.count_ones() == 1);
            all_of(one.map(|&(set, moment)| {
                (format!("{set:b}"), equal(moment / a.total, Averages::tilts(&a.x, set)).on_unit_scale())
            }))
        })
}
