//! Figure 3: does projected gradient descent (11) follow Euler's scheme (12)?
//!
//! No. The polar retraction projects orthogonally, so for small η (11), with the descending sign, follows the gradient flow of thm-2b,
//! q′ = −4Λq + Λqqᵀq + 3qqᵀΛq, and (12) follows (9) with the weights 2 and 2; D(η) tends to the distance of the two flows. Their
//! velocities differ by the commutator of MMᵀ and C, times M. On the circle h = d = 2, z = 1 they are one curve, tan θ = tan θ₀ e^{−3Δt}
//! against e^{−2Δt}, so (11) is 3/2 times as fast. From the same point (12) descends slower; along orbits that fails for z ≥ 2, and for
//! z = 1 with positive eigenvalues. There ρ = ‖q‖² has the same equation under both flows, ρ′ = −8(1−ρ)qᵀΛq, and the direction follows
//! e^{−2Λτ} with τ′ = 2 − ρ against 2 − ρ/2: the gradient flow turns sooner to low eigenvalues, where ρ falls more slowly. Both reach the same loss from generic starts; the outputs agree for z = 1, and differ for z ≥ 2.

use contrapositive::claim::{
    Claim, Kind, MeasureError, Series, Setting, Trial, all_of, at_least, at_most, consistent, edge, fails, holds,
    random,
};
use contrapositive::enclosure::Enclosure;
use contrapositive::interval::Interval;

use super::figure_3::table;
use super::orthonormal_network::{OrthonormalNetwork, drawn_networks, generic, named_networks, turn};
use super::two_schemes::{
    HALVINGS, circle, ends, errors, first_order, flows, on_circle, schemes, sees_negative, slopes, vanish,
};

pub fn claim() -> Claim {
    Claim::new(
        "esser2024.eq-11-12",
        "gradient descent and the discretised dynamics stay together",
        Kind::Dynamics,
    )
    .statement(
        "from the same start, projected gradient descent (11) (descending) and the scheme (12) give the same q(t) up \
         to discretisation, t = ηk; both converge to the same final loss and outputs; the loss decays slightly more \
         slowly in (12)",
    )
    .source(
        "Numerical Evaluation, Learning dynamics",
        &["Figure 3", "Learning Dynamics of Linear SSL Models, second paragraph"],
    )
    .remark(
        "D(η) is the largest distance of the two schemes up to t = ½/|λ|max, enclosed, for 8, 16 and 32 steps; polar \
         retraction, QR in a check of its own. Consistent iff it falls at least like η^0.8.",
    )
    .remark(
        "Long runs are rounded, 300 steps at η|λ|max = 0.1, from networks that see every eigenvector. On the circle \
         the two flows are one curve at the speeds 3 and 2.",
    )
    .setting(
        Setting::measuring(|n: &OrthonormalNetwork, _| schemes(n))
            .assume("h ≥ max(d,z), λ₁ < 0", |n| n.is_small() && sees_negative(n))
            .family(edge("named", || starts(2)))
            .family(random("random rotations", drawn_networks).taking(0.125))
            .without_search()
            .part(
                "same-orbit",
                "the distance of (11), polar, and (12) up to t = ½/|λ|max vanishes with η",
                fails("(11) follows the gradient flow, whose cubic terms have the weights 1 and 3, (12) follows (9)"),
                |_, s| vanish(&s.iter().map(|x| x.polar).collect::<Vec<_>>()),
            )
            .ours(
                "same-orbit-qr",
                "the same with the QR retraction",
                fails("QR leads to a third flow"),
                |_, s| vanish(&s.iter().map(|x| x.qr).collect::<Vec<_>>()),
            )
            .because("\"projecting the weights back\" is the projection on the constraints, hence polar; QR is another retraction"),
    )
    .setting(
        Setting::measuring(|n: &OrthonormalNetwork, _| flows(n))
            .assume("h ≥ max(d,z), λ₁ < 0", |n| n.is_small() && sees_negative(n))
            .family(edge("named", || starts(3)))
            .family(random("random rotations", drawn_networks).taking(0.125))
            .without_search()
            .part(
                "slower",
                "as η → 0 the loss of (12) at t = ½/|λ|max is at least that of (11)",
                fails(
                    "true from one point, not along orbits: for z ≥ 2 the slower flow may come through a steeper \
                     place",
                ),
                |_, f| f.slower(),
            )
            .ours(
                "slower-z1",
                "the same for z = 1",
                fails("positive eigenvalues: the flow that turns sooner to a lower one shrinks more slowly"),
                |_, f| f.slower(),
            )
            .when("z = 1", |n| n.outputs == 1)
            .because("the number of outputs in Figure 3 is not printed")
            .sharpening(
                "slower-z1-negative",
                "the same for z = 1 and no positive eigenvalue",
                holds(),
                |_, f| f.slower(),
            )
            .when("z = 1, all λ ≤ 0", |n| {
                n.outputs == 1 && n.spectrum.iter().all(|l| *l <= 0.0)
            })
            .step(
                "solver",
                "an adaptive solver at rtol = 1e-11 agrees with the enclosures of both flows within ten times the \
                 tolerance it achieved",
                holds(),
                |_, f| f.solved_as([0, 1]),
            )
            .control("d", "the solver agrees with the two flows exchanged", |_, f| {
                f.solved_as([1, 0])
            })
            .control("c", "the two flows never part by more than 1e-4", |_, f| {
                at_most(f.apart, 1e-4)
            }),
    )
    .setting(
        Setting::measuring(|n: &OrthonormalNetwork, _| errors(n))
            .assume("h ≥ max(d,z), λ₁ < 0", |n| n.is_small() && sees_negative(n))
            .family(edge("named", || starts(3)))
            .family(random("random rotations", drawn_networks).taking(0.0625))
            .without_search()
            .amendment(
                "limits",
                "(12) stays within 4η|λ|max of (9), (11) within 4η|λ|max of q′ = −4Λq + Λqqᵀq + 3qqᵀΛq, for η|λ|max = \
                 1/16, 1/32, 1/64",
                consistent(),
                |_, [euler, descent]| all_of([("(12)", first_order(euler)), ("(11)", first_order(descent))]),
            )
            .control("a", "(12) stays 0.01 away from (9) as η falls", |_, [euler, _]| {
                at_least(euler[HALVINGS], 0.01)
            }),
    )
    .setting(
        Setting::of()
            .assume("h ≥ max(d,z)", |_: &OrthonormalNetwork| true)
            .family(edge("named", || starts(1)))
            .family(random("random rotations", drawn_networks))
            .without_search()
            .amendment(
                "slower-at-a-point",
                "from the same point L falls no faster along (9) than along the gradient flow",
                holds(),
                |n, ()| slopes(n).into(),
            )
            .sharpening(
                "circle",
                "h = d = 2, z = 1: tan θ(t) = tan θ₀ e^{−2(λ₂−λ₁)t} under (9), e^{−3(λ₂−λ₁)t} under the gradient flow",
                holds(),
                |n, ()| circle(n).into(),
            )
            .when("h = d = 2, z = 1, off the axes", on_circle),
    )
    .setting(
        Setting::measuring(|n: &OrthonormalNetwork, _| ends(n))
            .assume("h ≥ d + z, λ₁ < 0, a start in general position", |n| {
                n.width >= n.d() + n.outputs && sees_negative(n)
            })
            .family(edge("in general position", || {
                let spectra: [&[f64]; 5] = [
                    &[-1.0],
                    &[-1.0, 1.0],
                    &[-1.0, -2.0],
                    &[-1.0, -2.0, 0.5],
                    &[-2.0, -1.0, -0.5],
                ];
                let of = |(spectrum, z): (&[f64], usize)| {
                    (
                        format!("diag{spectrum:?}, z = {z}"),
                        generic(spectrum, z, spectrum.len() + z),
                    )
                };
                spectra.into_iter().flat_map(|s| [(s, 1), (s, 2)]).map(of).collect()
            }))
            .without_search()
            .part(
                "same-loss",
                "both end at the same loss, to 1 % of Σ|λ|",
                consistent(),
                |_, e| {
                    at_most((e.losses[0] - e.losses[1]).abs(), 0.01 * e.scale)
                        .on_scale(e.scale)
                        .as_trend()
                },
            )
            .part(
                "same-outputs",
                "both end at the same outputs, to 0.001",
                fails("for z ≥ 2 minimisers form a continuum, and the two flows end at different points of it"),
                |_, e| at_most(e.apart, 0.001).on_scale(1.0).as_trend(),
            )
            .amendment("same-outputs-z1", "for z = 1 they do", consistent(), |_, e| {
                at_most(e.apart, 0.001).on_scale(1.0).as_trend()
            })
            .when("z = 1", |n| n.outputs == 1)
            .control(
                "b",
                "(11) converges to the maximum of (8): the loss does not fall",
                |_, e| at_least(e.losses[0], e.start),
            ),
    )
    .series(
        "figure-3",
        "projected gradient descent (11) and Euler's scheme (12) from the same network",
        table,
    )
    .series(
        "flows",
        "the two flows at t = ½/|λ|max, and the tolerance achieved by the solver",
        flow_table,
    )
}

/// Both flows at t = ½/|λ|max from the starts picked by hand: enclosed, and the tolerance that the solver achieved.
fn flow_table(_: &mut Trial) -> Result<Series, MeasureError> {
    let mut table = Series::of([
        ("start", ""),
        ("L along (9)", ""),
        ("L along the gradient flow", ""),
        ("distance", ""),
        ("solver achieved, (9)", ""),
        ("solver achieved, gradient flow", ""),
    ]);
    for (name, network) in hand_picked() {
        let f = flows(&network)?;
        let number = |x: Interval| Enclosure::from(x).into();
        let [nine, gradient] = [0, 1].map(|k| format!("{:e}", f.solved[k].achieved_power()).into());
        let [loss, other] = f.losses.map(number);
        table.push([name.into(), loss, other, number(f.apart), nine, gradient]);
    }
    Ok(table)
}

/// Every so many of the named networks, and those picked by hand.
fn starts(every: usize) -> Vec<(String, OrthonormalNetwork)> {
    let mut all: Vec<(String, OrthonormalNetwork)> = named_networks().into_iter().step_by(every).collect();
    all.extend(hand_picked());
    all
}

/// The circle with λ₁ < 0, and starts from which the printed flow is ahead for a while.
fn hand_picked() -> Vec<(String, OrthonormalNetwork)> {
    let circle = |spectrum: &[f64], half_tangent| OrthonormalNetwork {
        width: 2,
        outputs: 1,
        spectrum: spectrum.to_vec(),
        rotations: Vec::new(),
        first: Vec::new(),
        second: vec![turn(0, 1, half_tangent)],
    };
    vec![
        ("circle, diag(−1, 1)".into(), circle(&[-1.0, 1.0], 0.5)),
        ("circle, diag(−1, −½)".into(), circle(&[-1.0, -0.5], 0.75)),
        (
            "z = 1, a slower flow that gets ahead".into(),
            OrthonormalNetwork {
                width: 4,
                outputs: 1,
                spectrum: vec![0.5, 1.0, -0.25],
                rotations: Vec::new(),
                first: Vec::new(),
                second: vec![turn(0, 1, 0.5), turn(0, 3, 0.25)],
            },
        ),
        (
            "a slower flow that gets ahead".into(),
            OrthonormalNetwork {
                width: 4,
                outputs: 2,
                spectrum: vec![-0.5, -1.0],
                rotations: Vec::new(),
                first: Vec::new(),
                second: vec![turn(0, 1, 0.5), turn(0, 2, 1.5), turn(1, 3, 0.25)],
            },
        ),
    ]
}
