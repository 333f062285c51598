//! Lemma B.10 at finite width: how often ‖h_{i,l} − h_{j,l}‖ ≥ δ/2 fails, sampled by the Gram chain of two inputs, and
//! in closed form for antipodal inputs.

use enclosures::probability::clopper_pearson;
use enclosures::probability::{GramChain, angle_of_chord, chi_square_lower_tail};
use evidence::prelude::*;

use crate::shared::failure_rates::NeededConstants;
use crate::shared::neuron_pair::Widths;

/// Failure probabilities of ‖h_i − h_j‖ ≥ δ/2 at one layer, for every width of the sweep.
fn failures(w: &Widths, trial: &mut Trial) -> Result<Vec<Enclosure>, MeasureError> {
    let runs = trial.samples(w.runs as usize);
    let alpha = trial.alpha(w.widths.len());
    let start = GramChain::pair(angle_of_chord(Interval::point(w.separation)).midpoint())?;
    let mut found = Vec::new();
    for &width in &w.widths {
        let mut failed = 0;
        for _ in 0..runs {
            let mut chain = start.clone();
            for _ in 0..=w.layer {
                chain.step(width, trial.rng())?;
            }
            failed += u64::from(chain.distance(0, 1).is_none_or(|d| d < w.separation / 2.0));
        }
        found.push(clopper_pearson(failed, runs as u64, alpha)?);
    }
    Ok(found)
}

/// mδ⁴.
fn promised_exponent(w: &Widths, width: u32) -> Enclosure {
    exact(w.separation).powi(4) * f64::from(width)
}

/// δ/‖h_i − h_j‖ at layer l, for every width: the least C with ‖h_i − h_j‖ ≥ δ/C.
fn contractions(w: &Widths, trial: &mut Trial) -> NeededConstants<u32> {
    let angle = angle_of_chord(Interval::point(w.separation)).midpoint();
    NeededConstants::of(w.widths.iter().copied(), w.runs, trial, |&width, rng| {
        let mut reached = || {
            let mut chain = GramChain::pair(angle).ok()?;
            for _ in 0..=w.layer {
                chain.step(width, rng).ok()?;
            }
            chain.distance(0, 1)
        };
        reached().map_or(f64::INFINITY, |distance| w.separation / distance)
    })
}

/// P(χ²_m < m/2): σ(t) − σ(−t) = t, so that ‖h_i − h_j‖² = (2/m)χ²_m for x_j = −x_i.
fn too_close(width: u32) -> Enclosure {
    chi_square_lower_tail(width, Interval::point(f64::from(width)) / 2.0).into()
}

/// e^{−m(log 2 − ½)/2}, Chernoff's bound; with k = m/2 the first term of the series of P(Γ_k < k/2) is (k/2)^k
/// e^{−k/2}/Γ(k + 1), which Stirling's formula bounds from below by that times e^{−1/(6m)}/√(πm).
fn antipodal_rate(width: u32) -> Enclosure {
    (-((Enclosure::ln_2() - 0.5) / 2.0 * f64::from(width))).exp()
}

/// 4 e^{−mδ⁴/200}: what the lemma allows to n = 2 inputs, with constants.
fn allowed(w: &Widths, width: u32) -> Enclosure {
    4.0 * (-(promised_exponent(w, width) / 200.0)).exp()
}

fn each_width(w: &Widths, failures: &[Enclosure], judge: impl Fn(u32, Enclosure) -> Evaluation) -> Evaluation {
    let parts = w.widths.iter().zip(failures);
    let shown: Vec<String> =
        parts.clone().map(|(m, p)| format!("m = {m}: P in [{:.3}, {:.3}]", p.lo(), p.hi())).collect();
    all_of(parts.map(|(&m, &failure)| (format!("m = {m}"), judge(m, failure)))).noting(shown.join("; "))
}

fn for_widths(w: &Widths, judge: impl Fn(u32) -> Evaluation) -> Evaluation {
    all_of(w.widths.iter().map(|&m| (format!("m = {m}"), judge(m))))
}

/// Beyond the first layer below δ/2.
pub fn deep() -> Setting<Widths, Vec<Enclosure>> {
    Setting::measuring(failures)
        .given("n = 2 unit inputs at distance δ; networks drawn by their Gram matrices")
        .assume(Hypothesis::new(
            "(l + 1)δ > 9.425 > 3π or δ = 2, l = 3, where the limit of the distance is below δ/2",
            |w: &Widths| f64::from(w.layer + 1) * w.separation > 9.425 || w.separation == 2.0 && w.layer == 3,
        ))
        .family(outside("the first layer", || {
            vec![("δ = 2, l = 0", Widths { separation: 2.0, layer: 0, runs: 20, widths: vec![24, 32] })]
        }))
        .family(edge("deep", || {
            let of = |separation, layer, runs| Widths { separation, layer, runs, widths: vec![100, 400, 1600] };
            vec![
                ("δ = 2, l = 3, the first layer below", of(2.0, 3, 120)),
                ("δ = 2, l = 5", of(2.0, 5, 120)),
                ("δ = 1, l = 12", of(1.0, 12, 60)),
            ]
        }))
        .without_search()
        .part(
            "finite-width",
            "beyond the first layer with chord_l < δ/2, with the constants of finite-shallow: P(‖h_{i,l} − h_{j,l}‖ < \
             δ/2) ≤ 4 e^{−mδ⁴/200}",
            fails("beyond the first layer below δ/2 the event fails with probability tending to one"),
            |w, fails| each_width(w, fails, |m, failure| at_most(failure, allowed(w, m))),
        )
        .sides("chance of failure", "4 e^{−mδ⁴/200}")
        .our_constant("the constants 4 and 1/200; P tends to one, so that none serves")
        .in_sense("alone")
}

/// Where the limit stays above δ/2: the promised probability with constants.
pub fn shallow() -> Setting<Widths, Vec<Enclosure>> {
    Setting::measuring(failures)
        .given("n = 2 unit inputs at distance δ; networks drawn by their Gram matrices")
        .assume(Hypothesis::new("(l + 1)δ ≤ 2", |w: &Widths| f64::from(w.layer + 1) * w.separation <= 2.0))
        .family(outside("deeper layers", || {
            vec![("δ = 2, l = 5", Widths { separation: 2.0, layer: 5, runs: 20, widths: vec![50, 100] })]
        }))
        .family(edge("shallow", || {
            let of =
                |separation, layer, widths: &[u32]| Widths { separation, layer, runs: 1000, widths: widths.to_vec() };
            vec![
                ("δ = 2, l = 0", of(2.0, 0, &[24, 28, 32])),
                ("δ = 1, l = 0", of(1.0, 0, &[400, 500, 600])),
                ("δ = 1, l = 1", of(1.0, 1, &[400, 500, 600])),
                ("δ = √2, l = 0", of(1.414, 0, &[100, 125, 150])),
                ("δ = √3, l = 0", of(1.732, 0, &[45, 55, 65])),
            ]
        }))
        .without_search()
        .part(
            "finite-shallow",
            "P(‖h_{i,l} − h_{j,l}‖ < δ/2) ≤ 4 e^{−mδ⁴/200}, which is O(n²) e^{−Ω(mδ⁴)} with constants at n = 2 (1/165 \
             is the largest constant, see antipodal)",
            consistent(),
            |w, fails| each_width(w, fails, |m, failure| at_most(failure, allowed(w, m))),
        )
        .our_constant("the constants 4 and 1/200, and 2 in (l + 1)δ ≤ 2")
        .in_sense("in-theorem")
}

/// And how fast the failures fall with the width at the first layer.
pub fn rates() -> Setting<Widths, NeededConstants<u32>> {
    Setting::measuring(|w: &Widths, trial| Ok(contractions(w, trial)))
        .given("n = 2 unit inputs at distance δ; networks drawn by their Gram matrices")
        .assume(Hypothesis::new("l = 0", |w| w.layer == 0))
        .family(outside("a deep layer", || {
            vec![("δ = 2, l = 5", Widths { separation: 2.0, layer: 5, runs: 20, widths: vec![8, 16] })]
        }))
        .family(edge("m at several δ", || {
            let of =
                |separation, layer, widths: &[u32]| Widths { separation, layer, runs: 8000, widths: widths.to_vec() };
            vec![
                ("δ = 2, l = 0", of(2.0, 0, &[8, 12, 16, 20, 24])),
                ("δ = 1, l = 0", of(1.0, 0, &[10, 12, 15, 18, 22])),
                ("δ = 0.3, l = 0", of(0.3, 0, &[10, 12, 15, 18, 22])),
            ]
        }))
        .without_search()
        .sharpening(
            "shallow-width",
            "the rate does not need δ⁴ at l = 0: P(‖h_{i,0} − h_{j,0}‖ < δ/2) ≤ e^{−m/20}",
            holds(),
            |_, n: &NeededConstants<u32>| n.fail_at_most(2.0, 0.05, |&m| m.into()),
        )
        .control("g", "l = 0: P(‖h_{i,0} − h_{j,0}‖ < δ) ≤ e^{−m/20}", |_, n| {
            n.fail_at_most(1.0, 0.05, |&m| m.into())
        })
}

/// Antipodal inputs at layer 0, where the law is known.
pub fn antipodal() -> Setting<Widths, ()> {
    Setting::of()
        .given("antipodal inputs, δ = 2, at l = 0")
        .family(edge("widths", || {
            let of = |widths: &[u32]| Widths { separation: 2.0, layer: 0, runs: 1, widths: widths.to_vec() };
            vec![("to 12", of(&[1, 2, 3, 6, 12])), ("to 120", of(&[30, 60, 120])), ("to 200", of(&[100, 200]))]
        }))
        .without_search()
        .amendment(
            "antipodal",
            "δ = 2: P(‖h_{i,0} − h_{j,0}‖ < 1) = P(χ²_m < m/2) ≤ e^{−mδ⁴(log 2 − ½)/32}",
            holds(),
            |w: &Widths, ()| for_widths(w, |m| at_most(too_close(m), antipodal_rate(m))),
        )
        .sharpening(
            "antipodal-order",
            "δ = 2: P(‖h_{i,0} − h_{j,0}‖ < 1) = P(χ²_m < m/2) ≥ (2/(5√m)) e^{−mδ⁴(log 2 − ½)/32}: no constant above \
             1/165 serves in place of (log 2 − ½)/32",
            holds(),
            |w, ()| for_widths(w, |m| at_least(too_close(m), antipodal_rate(m) * 0.4 / Enclosure::from(m).sqrt())),
        )
        .control("h", "δ = 2: P(‖h_{i,0} − h_{j,0}‖ < 1) ≤ 4 e^{−mδ⁴/100}", |w, ()| {
            for_widths(w, |m| at_most(too_close(m), 4.0 * (-(Enclosure::from(m) * 0.16)).exp()))
        })
}
