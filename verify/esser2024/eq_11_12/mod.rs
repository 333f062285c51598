//! Figure 3: does projected gradient descent (11) follow Euler's scheme (12)?
//!
//! No. The polar retraction projects orthogonally, so for small η (11), with the descending sign, follows the gradient flow of thm-2b,
//! q′ = −4Λq + Λqqᵀq + 3qqᵀΛq, and (12) follows (9) with the weights 2 and 2; D(η) tends to the distance of the two flows. Their
//! velocities differ by the commutator of MMᵀ and C, times M. On the circle h = d = 2, z = 1 they are one curve, tan θ = tan θ₀ e^{−3Δt}
//! against e^{−2Δt}, so (11) is 3/2 times as fast. From the same point (12) descends slower; along orbits that fails for z ≥ 2, and for
//! z = 1 with positive eigenvalues. There ρ = ‖q‖² has the same equation under both flows, ρ′ = −8(1−ρ)qᵀΛq, and the direction follows
//! e^{−2Λτ} with τ′ = 2 − ρ against 2 − ρ/2: the gradient flow turns sooner to low eigenvalues, where ρ falls more slowly. Both reach the same loss from generic starts; the outputs agree for z = 1, and differ for z ≥ 2.

mod two_schemes;

use evidence::claim::Series;
use evidence::prelude::*;
use proptest::strategy::Strategy;

use crate::figure_3::table;
use crate::shared::notation::{
    EIGENVALUES, EQUATION_NINE, EULER_STEP, GRADIENT_FLOW, GRADIENT_STEP, OUTPUTS, POLAR, QR, STEEPEST, STIEFEL,
};
use crate::shared::orthonormal_network::{
    Followed, OrthonormalNetwork, Trained, drawn_networks, generic, named_networks, turn,
};
use two_schemes::{
    Flows, HALVINGS, NO_ANGLE, NO_ROOM, SchemeEnds, SchemesSeen, circle, ends, errors, first_order, flows, on_circle,
    schemes, sees_negative, slopes, vanish,
};

const ONE_OUTPUT: Hypothesis<Followed> = Hypothesis::new("z = 1", |n| n.0.outputs == 1);
const NONE_POSITIVE: Hypothesis<Followed> = Hypothesis::new("all λ ≤ 0", |n| n.0.spectrum.iter().all(|l| *l <= 0.0));

pub fn claim() -> Claim {
    Claim::new("esser2024.eq-11-12", "gradient descent and the discretised dynamics stay together", Kind::Dynamics)
        .statement(
            "from the same start, projected gradient descent (11) (descending) and the scheme (12) give the same q(t) \
             up to discretisation, t = ηk; both converge to the same final loss and outputs; the loss decays slightly \
             more slowly in (12)",
        )
        .source(
            "Numerical Evaluation, Learning dynamics",
            &["Figure 3", "Learning Dynamics of Linear SSL Models, second paragraph"],
        )
        .symbols([
            STIEFEL, EIGENVALUES, OUTPUTS, STEEPEST, EQUATION_NINE, GRADIENT_STEP, EULER_STEP, POLAR, QR, GRADIENT_FLOW,
        ])
        .symbol("L", "Tr(W₂ᵀW₁CW₁ᵀW₂) = Tr(qᵀΛq), the loss")
        .symbol("as η → 0", "what the schemes tend to: (12) to (9), (11), polar, to the gradient flow of L, see limits")
        .symbol(
            "at t =",
            "(11) after t/η steps from W₁, W₂, (12) after t/η steps from q₀ = VᵀW₁ᵀW₂, a flow at the time t from q₀",
        )
        .symbol("distance", "‖·‖_F of the difference of the outputs q, the root of the sum of the squared entries")
        .symbol("θ(t)", "q(t) = ‖q(t)‖(cos θ, sin θ)")
        .symbol("two flows", "(9) and the gradient flow, from the same q₀, at t = ½/|λ|max")
        .remark(
            "What the two schemes tend to as η → 0 is enclosed at t = ½/|λ|max; with the polar retraction (11) tends \
             to the gradient flow at first order (limits). For QR the schemes themselves are compared, in 8 and in 32 \
             steps.",
        )
        .remark(
            "Long runs are rounded, 300 steps at η|λ|max = 0.1, from networks that see every eigenvector. On the \
             circle the two flows are one curve at the speeds 3 and 2.",
        )
        .setting(same_orbit_qr())
        .setting(same_orbit())
        .setting(limits())
        .setting(slower_at_a_point())
        .setting(same_loss())
        .series("figure-3", "projected gradient descent (11) and Euler's scheme (12) from the same network", table)
        .series("flows", "the two flows at t = ½/|λ|max, and the tolerance achieved by the solver", flow_table)
}

fn same_orbit_qr() -> Setting<Followed, Vec<SchemesSeen>> {
    Setting::measuring(|n: &Followed, _| schemes(&n.0))
        .given("W₁ ∈ St(h,d), W₂ ∈ St(h,z), C symmetric with orthonormal eigenvectors V; h ≥ max(d,z)")
        .assume(Hypothesis::new("λ₁ < 0", |n| sees_negative(&n.0)))
        .family(edge("named", || Followed::named(starts(6))))
        .family(random("random rotations", || drawn_networks().prop_map(Followed)).taking(0.03125))
        .without_search()
        .ours(
            "same-orbit-qr",
            "with QR (in the eigenbasis of C) the largest distance of (11) and (12) at the eighths of t = ½/|λ|max, in \
             32 steps, is at most 2^{−1.6} of that in 8",
            fails("QR leads to a third flow"),
            |_, s| vanish(&s.iter().map(|x| x.qr).collect::<Vec<_>>()),
        )
        .sides("largest distance in 32 steps", "2^{−1.6} of that in 8")
        .except(NO_ROOM)
        .because(
            "\"projecting the weights back\" is the projection on the constraints, hence polar; QR is another \
             retraction",
        )
}

fn same_orbit() -> Setting<Followed, Flows> {
    Setting::measuring(|n: &Followed, _| flows(&n.0))
        .given("W₁ ∈ St(h,d), W₂ ∈ St(h,z), C symmetric with orthonormal eigenvectors V; h ≥ max(d,z)")
        .assume(Hypothesis::new("λ₁ < 0", |n| sees_negative(&n.0)))
        .family(edge("named", || Followed::named(starts(4))))
        .family(random("random rotations", || drawn_networks().prop_map(Followed)).taking(0.0625))
        .without_search()
        .part(
            "same-orbit",
            "as η → 0, (11), polar, and (12) reach the same q at t = ½/|λ|max",
            fails("(11) follows the gradient flow, whose cubic terms have the weights 1 and 3, (12) follows (9)"),
            |_, f| equal(f.apart, 0).on_unit_scale().within(1e-6),
        )
        .sides("distance of the two q", "0")
        .because("the limits are enclosed: (9) for (12), the gradient flow for (11), see limits")
        .part(
            "slower",
            "as η → 0 the loss of (12) at t = ½/|λ|max is at least that of (11), polar, less 10⁻⁶Σ|λ|",
            fails("true from one point, not along orbits: for z ≥ 2 the slower flow may come through a steeper place"),
            |_, f| f.slower(),
        )
        .sides("loss of (12)", "loss of (11), polar")
        .ours(
            "slower-z1",
            "as η → 0 the loss of (12) at t = ½/|λ|max is at least that of (11), polar, less 10⁻⁶Σ|λ|",
            fails("positive eigenvalues: the flow that turns sooner to a lower one shrinks more slowly"),
            |_, f| f.slower(),
        )
        .sides("loss of (12)", "loss of (11), polar")
        .assume(ONE_OUTPUT)
        .because("the number of outputs in Figure 3 is not printed")
        .sharpening(
            "slower-z1-negative",
            "as η → 0 the loss of (12) at t = ½/|λ|max is at least that of (11), polar, less 10⁻⁶Σ|λ|",
            holds(),
            |_, f| f.slower(),
        )
        .assume(ONE_OUTPUT)
        .assume(NONE_POSITIVE)
        .step(
            "solver",
            "an adaptive solver at rtol = 1e-11 agrees with the enclosures of the two flows, within ten times the \
             tolerance it achieved",
            holds(),
            |_, f| f.solved_as([0, 1]),
        )
        .tested_by("d")
        .control(
            "d",
            "with the two flows exchanged, no entry of q of the solver is further from the enclosure than ten times the \
             tolerance it achieved: at most 0 entries, for each flow",
            |_, f| f.solved_as([1, 0]),
        )
        .control("c", "the distance of the two flows is at most 1e-4", |_, f| at_most(f.apart, exact(1e-4)))
}

fn limits() -> Setting<Followed, [Vec<Interval>; 2]> {
    Setting::measuring(|n: &Followed, _| errors(&n.0))
        .given("W₁ ∈ St(h,d), W₂ ∈ St(h,z), C symmetric with orthonormal eigenvectors V; h ≥ max(d,z)")
        .assume(Hypothesis::new("λ₁ < 0", |n| sees_negative(&n.0)))
        .family(edge("named", || Followed::named(starts(6))))
        .family(random("random rotations", || drawn_networks().prop_map(Followed)).taking(0.03125))
        .without_search()
        .amendment(
            "limits",
            "at t = ½/|λ|max every entry of (12) is within 4η|λ|max of (9), every entry of (11), polar, within \
             4η|λ|max of q′ = −4Λq + Λqqᵀq + 3qqᵀΛq, for η|λ|max = 1/16, 1/32, 1/64",
            holds(),
            |_, [euler, descent]| all_of([("(12)", first_order(euler)), ("(11)", first_order(descent))]),
        )
        .control("a", "an entry of (12) stays 0.01 away from (9), for η|λ|max = 1/64", |_, [euler, _]| {
            at_least(euler[HALVINGS], exact(0.01))
        })
}

fn slower_at_a_point() -> Setting<OrthonormalNetwork, ()> {
    Setting::of()
        .given("W₁ ∈ St(h,d), W₂ ∈ St(h,z), C symmetric with orthonormal eigenvectors V; h ≥ max(d,z)")
        .family(edge("named", || starts(1)))
        .family(random("random rotations", drawn_networks))
        .without_search()
        .amendment(
            "slower-at-a-point",
            "from the same q the derivative 2Tr(qᵀΛq′) of L is at least as large along (9) as along the gradient flow",
            holds(),
            |n, ()| slopes(n).into(),
        )
        .sharpening(
            "circle",
            "tan θ(t) = tan θ(0)·e^{−2(λ₂−λ₁)t} under (9), tan θ(0)·e^{−3(λ₂−λ₁)t} under the gradient flow; at t = \
             1/(8|λ|max), to 10⁻⁶",
            holds(),
            |n, ()| circle(n).into(),
        )
        .assume(Hypothesis::new("h = d = 2, z = 1, both coordinates of q₀ above 1/20 in absolute value", on_circle))
        .except(NO_ANGLE)
}

fn same_loss() -> Setting<Trained, SchemeEnds> {
    Setting::measuring(|n: &Trained, _| ends(&n.0))
        .given("W₁ ∈ St(h,d), W₂ ∈ St(h,z), C symmetric with orthonormal eigenvectors V; 300 steps at η|λ|max = 0.1")
        .assume(Hypothesis::new("h ≥ d + z", |n| n.0.width >= n.0.d() + n.0.outputs))
        .assume(Hypothesis::new("λ₁ < 0", |n| sees_negative(&n.0)))
        .family(outside("forced singular values, no negative eigenvalue", || {
            vec![("h = d", Trained(generic(&[-1.0, 1.0], 1, 2))), ("all positive", Trained(generic(&[1.0, 2.0], 1, 3)))]
        }))
        .family(
            edge("in general position", || {
                let spectra: [&[f64]; 5] =
                    [&[-1.0], &[-1.0, 1.0], &[-1.0, -2.0], &[-1.0, -2.0, 0.5], &[-2.0, -1.0, -0.5]];
                let of = |(spectrum, z): (&[f64], usize)| {
                    (format!("diag{spectrum:?}, z = {z}"), Trained(generic(spectrum, z, spectrum.len() + z)))
                };
                spectra.into_iter().flat_map(|s| [(s, 1), (s, 2)]).map(of).collect()
            })
            .restricted(
                "ten networks in general position, h = d + z, z = 1 and 2, spectra (−1), (−1, 1), (−1, −2), (−1, −2, \
                 ½), (−2, −1, −½); their q₀ sees every eigenvector",
            ),
        )
        .without_search()
        .part(
            "same-loss",
            "after 300 steps (11), polar, and (12) are at the same loss, to 1 % of Σ|λ|",
            consistent(),
            |_, e| at_most((e.losses[0] - e.losses[1]).abs(), exact(0.01) * e.scale).on_scale_of("Σ|λ_i|", e.scale),
        )
        .our_constant("300 steps, and one per cent")
        .part(
            "same-outputs",
            "after 300 steps (11), polar, and (12) are at the same outputs: their distance is at most 0.001",
            fails("for z ≥ 2 minimisers form a continuum, and the two flows end at different points of it"),
            |_, e| at_most(e.apart, exact(0.001)).on_unit_scale(),
        )
        .sides("distance of the outputs", "0.001")
        .our_constant("300 steps, and a thousandth")
        .amendment(
            "same-outputs-z1",
            "after 300 steps (11), polar, and (12) are at the same outputs: their distance is at most 0.001",
            holds(),
            |_, e| at_most(e.apart, exact(0.001)).on_unit_scale(),
        )
        .assume(Hypothesis::new("z = 1", |n| n.0.outputs == 1))
        .control("b", "(11), polar, converges to the maximum of L: after 300 steps the loss has not fallen", |_, e| {
            at_least(e.losses[0], e.start)
        })
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
