//! The learning dynamics do not depend on the width.
//!
//! True for the flow (9): two networks with the same C and the same q₀ have the same q(t), whatever their widths, because the right side
//! knows q only. What h does decide is which q₀ there are: exactly those with ‖q₀‖₂ ≤ 1 and at least max(0, d+z−h) singular values equal to
//! one, a set that grows with h (append zero rows) and is everything for h ≥ d + z. Projected gradient descent (11) shares the property:
//! with orthonormal weights the step closes in M = W₁ᵀW₂ for the polar retraction and for QR, so it is no merit of the equation.

use enclosures::linear_algebra::{IntervalMatrix, PlaneRotation, Retraction, SingularValues};
use evidence::prelude::*;
use linear_ssl::flow::{FlowError, OutputFlow, WeightFlow, projected_descent_outputs, projected_descent_step};
use linear_ssl::self_supervised::forced_unit_singular_values;
use proptest::sample::select;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

use crate::shared::notation::{EIGENVALUES, EQUATION_NINE, GRADIENT_STEP, OUTPUTS, POLAR, QR, STEEPEST};
use crate::shared::orthonormal_network::{
    OrthonormalNetwork, Weights, distance, drawn_networks, entries_agree, named_networks, turn,
};

/// A network, and a width that is at least as large.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "{network}, h′ = \
                       {larger}", valid = Self::are_in_order, simpler = Self::with_smaller_widths, stored)]
struct TwoWidths {
    #[instance(nested)]
    network: OrthonormalNetwork,
    #[instance(range = "..=200")]
    larger: usize,
}

impl TwoWidths {
    fn are_in_order(&self) -> Result<(), String> {
        if self.larger >= self.network.width { Ok(()) } else { Err(format!("h′ = {} is below h", self.larger)) }
    }

    fn with_smaller_widths(&self) -> Vec<Self> {
        let smaller = self.network.simpler().into_iter().map(|network| TwoWidths { network, larger: self.larger });
        let narrower = (self.larger > self.network.width + 1)
            .then(|| TwoWidths { larger: self.network.width + 1, ..self.clone() });
        narrower.into_iter().chain(smaller).collect()
    }
}

/// The weights with zero rows appended and ℝ^{h′} rotated.
fn widened(w: &Weights, larger: usize) -> Result<(IntervalMatrix, IntervalMatrix), FlowError> {
    let h = w.first.rows();
    let planes: Vec<PlaneRotation> =
        (0..larger.min(h + 4)).filter(|_| larger > h).map(|k| turn(k % h, h + k % (larger - h), 0.5)).collect();
    let o = PlaneRotation::product_of(larger, &planes)?;
    // O times [W; 0] is the first h columns of O times W.
    let left = IntervalMatrix::from_fn(larger, h, |i, j| o.at(i, j))?;
    Ok((left.product(&w.first)?, left.product(&w.second)?))
}

struct Both {
    w: Weights,
    wide: (IntervalMatrix, IntervalMatrix),
}

impl Both {
    fn of(t: &TwoWidths) -> Result<Self, FlowError> {
        let w = t.network.weights()?;
        Ok(Both { wide: widened(&w, t.larger)?, w })
    }
}

/// W₁′ᵀW₂ + W₁ᵀW₂′.
fn change(
    first: &IntervalMatrix,
    second: &IntervalMatrix,
    velocity: &(IntervalMatrix, IntervalMatrix),
) -> Result<IntervalMatrix, FlowError> {
    let left = velocity.0.transpose().product(second)?;
    Ok(left.plus(&first.transpose().product(&velocity.1)?)?)
}

/// The starts have the same outputs, and these the same velocity.
fn same_velocity(b: &Both) -> Result<Evaluation, FlowError> {
    let flow = WeightFlow::new(b.w.c.clone())?;
    let narrow = change(&b.w.first, &b.w.second, &flow.velocity(&b.w.first, &b.w.second)?)?;
    let wide = change(&b.wide.0, &b.wide.1, &flow.velocity(&b.wide.0, &b.wide.1)?)?;
    let outputs = b.wide.0.transpose().product(&b.wide.1)?;
    Ok(all_of([
        ("q₀", entries_agree(&b.w.product, &outputs, 1.0)),
        ("q′", entries_agree(&narrow, &wide, b.w.steepest)),
    ]))
}

/// Unconstrained gradient flow of u = h^{−½}W₂ᵀW₁: the velocity of the outputs, for weights h^{¼}W so that both widths have equal outputs.
fn unconstrained(
    first: &IntervalMatrix,
    second: &IntervalMatrix,
    c: &IntervalMatrix,
) -> Result<IntervalMatrix, FlowError> {
    let width = Interval::point(first.rows() as f64);
    let root = width.sqrt();
    let (first, second) = (first.scaled(root.sqrt()), second.scaled(root.sqrt()));
    let outputs = first.transpose().product(&second)?.scaled(Interval::ONE / root);
    let image = c.product(&outputs)?;
    let rate = Interval::point(-2.0) / root;
    let velocity = (second.product(&image.transpose())?.scaled(rate), first.product(&image)?.scaled(rate));
    Ok(change(&first, &second, &velocity)?.scaled(Interval::ONE / root))
}

/// One step of (11) with the weights of either width and with the outputs alone.
fn same_step(b: &Both, retraction: Retraction) -> Result<Evaluation, FlowError> {
    let eta = Interval::ONE / (10.0 * b.w.steepest.max(1e-3));
    let direct = projected_descent_outputs(&b.w.c, &b.w.product, eta, retraction)?;
    let of = |first: &IntervalMatrix, second: &IntervalMatrix| -> Result<Evaluation, FlowError> {
        let (first, second) = projected_descent_step(&b.w.c, (first, second), eta, retraction)?;
        Ok(entries_agree(&first.transpose().product(&second)?, &direct, 1.0))
    };
    Ok(all_of([("h", of(&b.w.first, &b.w.second)?), ("h′", of(&b.wide.0, &b.wide.1)?)]))
}

/// q(t) at t = ¼/|λ|max from both widths and from (9), and q₀.
fn orbits(t: &TwoWidths) -> Result<[IntervalMatrix; 4], FlowError> {
    let b = Both::of(t)?;
    let time = 0.25 / b.w.steepest;
    let (steps, flow) = (b.w.steps(time), WeightFlow::new(b.w.c.clone())?);
    let outputs = |first: &IntervalMatrix, second: &IntervalMatrix| -> Result<IntervalMatrix, FlowError> {
        let (first, second) = flow.followed(first, second, time, steps)?;
        Ok(b.w.v.transpose().product(&first.transpose().product(&second)?)?)
    };
    Ok([
        outputs(&b.w.first, &b.w.second)?,
        outputs(&b.wide.0, &b.wide.1)?,
        OutputFlow::printed(t.network.spectrum.clone())?.followed(&b.w.q, time, steps)?,
        b.w.q.clone(),
    ])
}

/// Equal entries. Orbits are enclosed to 1e-6.
fn together(a: &IntervalMatrix, b: &IntervalMatrix) -> Result<Evaluation, FlowError> {
    Ok(equal(distance(a, b)?, 0).on_unit_scale().within(1e-6))
}

/// The singular values of q₀, from above, and how many of them width h forces to be one.
fn attainable(t: &TwoWidths, h: usize) -> Result<Evaluation, MeasureError> {
    let values = SingularValues::of(&t.network.weights()?.q)?;
    let Some(forced) = forced_unit_singular_values(t.network.d(), t.network.outputs, h) else {
        return Ok(Evaluation::Failed("no orthonormal weights".into()));
    };
    let parts = values.values().iter().take(forced).enumerate();
    let mut all: Vec<(String, Evaluation)> =
        parts.map(|(k, &s)| (format!("singular value {}", k + 1), equal(s, 1))).collect();
    all.push(("‖q₀‖₂ ≤ 1".into(), at_least(1, values.spectral_norm())));
    Ok(all_of(all))
}

fn judged(result: Result<Evaluation, FlowError>) -> Evaluation {
    result.into()
}

pub fn claim() -> Claim {
    Claim::new("esser2024.width", "the dynamics do not depend on the width", Kind::Dynamics)
        .statement("two linear networks of widths h, h′ with the same C and the same q₀ have the same q(t) for all t")
        .speaks_also_of("the whole course of q, which (9) determines")
        .source("Abstract, Theorem 2 and Runtime", &["equation (9)"])
        .symbols([EIGENVALUES, OUTPUTS, STEEPEST, EQUATION_NINE, GRADIENT_STEP, POLAR, QR])
        .symbol("flows of thm-2a", "W₂′ = −2(I−W₂W₂ᵀ)W₁CW₁ᵀW₂, W₁′ = −2(I−W₁W₁ᵀ)W₂W₂ᵀW₁C")
        .symbol("‖q₀‖₂", "the largest singular value")
        .remark(
            "The hypothesis that q₀ is attainable at both widths matters: width h attains exactly the q₀ with ‖q₀‖₂ ≤ \
             1 and at least d + z − h unit singular values.",
        )
        .remark("Attainable sets grow with h: no q₀ is attainable at small widths only. q₀ = 0 needs h ≥ d + z.")
        .setting(printed())
        .setting(equal_orbits())
}

fn printed() -> Setting<TwoWidths, Both> {
    Setting::measuring(|t: &TwoWidths, _| Ok(Both::of(t)?))
        .given(
            "W₁ of h rows and d columns, W₂ of h rows and z columns, orthonormal columns at both widths, h ≤ h′, the \
             same C and the same q₀",
        )
        .family(edge("named", pairs))
        .family(random("random networks", drawn))
        .without_search()
        .part(
            "printed",
            "networks of widths h and h′ with equal q₀ have equal q′ under the flows of thm-2a",
            holds(),
            |_, b| judged(same_velocity(b)),
        )
        .checked("esser2024.Theorem2.width_printed")
        .step(
            "attainable",
            "q₀ has ‖q₀‖₂ ≤ 1 and at least max(0, d+z−h) singular values equal to one, and so for h′",
            holds(),
            |t, _| {
                let both = || -> Result<Evaluation, MeasureError> {
                    Ok(all_of([("h", attainable(t, t.network.width)?), ("h′", attainable(t, t.larger)?)]))
                };
                both().unwrap_or_else(|e| Evaluation::Failed(e.to_string()))
            },
        )
        .sharpening(
            "descent",
            "a polar step of (11), η = 1/(10|λ|max), 100 where |λ|max < 10⁻³, leads to equal W₁ᵀW₂ at h and h′: it \
             closes in W₁ᵀW₂",
            holds(),
            |_, b| judged(same_step(b, Retraction::Polar)),
        )
        .sharpening(
            "descent-qr",
            "a step of (11) with QR, η = 1/(10|λ|max), 100 where |λ|max < 10⁻³, leads to equal W₁ᵀW₂ at h and h′",
            holds(),
            |_, b| judged(same_step(b, Retraction::Qr)),
        )
        .control(
            "a",
            "equal derivatives of h^{−½}W₁ᵀW₂ at h and h′ under the unconstrained gradient flow of Tr(AᵀCA), A = \
             h^{−½}W₁ᵀW₂, from weights scaled to equal A",
            |_, b| {
                let both = || -> Result<Evaluation, FlowError> {
                    let narrow = unconstrained(&b.w.first, &b.w.second, &b.w.c)?;
                    Ok(entries_agree(&narrow, &unconstrained(&b.wide.0, &b.wide.1, &b.w.c)?, b.w.steepest))
                };
                judged(both())
            },
        )
        .control(
            "b",
            "q₀ with ‖q₀‖₂ ≤ 1 is attainable at h = max(d,z): all its singular values are one",
            |t, _| {
                let narrowest = t.network.d().max(t.network.outputs);
                attainable(t, narrowest).unwrap_or_else(|e| Evaluation::Failed(e.to_string()))
            },
        )
}

fn equal_orbits() -> Setting<TwoWidths, [IntervalMatrix; 4]> {
    Setting::measuring(|t: &TwoWidths, _| Ok(orbits(t)?))
        .given(
            "W₁ of h rows and d columns, W₂ of h rows and z columns, orthonormal columns at both widths, h ≤ h′, the \
             same C and the same q₀",
        )
        .family(edge("named", || {
            // Wider networks cost more and show the same.
            let narrow = pairs().into_iter().filter(|(_, t)| t.larger <= 12);
            narrow.step_by(9).collect()
        }))
        .family(random("random networks", drawn).taking(0.0625))
        .without_search()
        .part(
            "orbits",
            "equal q(t) at t = ¼/|λ|max from both widths and from (9), every entry to 10⁻⁶",
            holds(),
            |_, [narrow, wide, nine, _]| {
                let both = || Ok(all_of([("h, h′", together(narrow, wide)?), ("h′, (9)", together(wide, nine)?)]));
                judged(both())
            },
        )
        .tested_by("still")
        .control("still", "q(t) is q₀ at t = ¼/|λ|max, every entry to 10⁻⁶", |_, [narrow, _, _, start]| {
            judged(together(narrow, start))
        })
}

/// Every named network beside the widths h + 1, d + z, 10 and 100.
fn pairs() -> Vec<(String, TwoWidths)> {
    let mut all = Vec::new();
    for (name, network) in named_networks() {
        let full = network.d() + network.outputs;
        for larger in [network.width + 1, full.max(network.width), 10] {
            let pair = TwoWidths { network: network.clone(), larger };
            all.push((format!("{name}, h′ = {larger}"), pair));
        }
    }
    if let Some((name, network)) = named_networks().into_iter().nth(40) {
        all.push((format!("{name}, h′ = 100"), TwoWidths { network, larger: 100 }));
    }
    all
}

fn drawn() -> impl Strategy<Value = TwoWidths> {
    (drawn_networks(), select(vec![0usize, 1, 2, 3, 7]))
        .prop_map(|(network, more)| TwoWidths { larger: network.width + more, network })
}
