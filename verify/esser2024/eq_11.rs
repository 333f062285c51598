//! Equation (11): the gradient step with projection.
//!
//! As printed, W + η∇L, it ascends. With the opposite sign and the nearest orthonormal matrices (polar) it descends for every η < 1/(4|λ|max).
//! Proof: W − ηG = W⁺P with P = ((W − ηG)ᵀ(W − ηG))^{½}, and Δ = W⁺ − W has ΔᵀΔ = 2(I − sym(WᵀW⁺)), so ⟨G, Δ⟩ =
//! −(‖Δ‖² + Tr(PΔᵀΔ))/(2η) ≤ −(1/η − |λ|max)‖Δ‖², as P ≥ 1 − η‖G‖₂ ≥ 1 − 2η|λ|max. ∇L has Lipschitz constant at most 6|λ|max on
//! ‖W_i‖₂ ≤ 1 (blocks 2, 4; 4, 2 times |λ|max), hence L⁺ ≤ L − (1/η − 4|λ|max)‖Δ‖²; the factor of 1/η is the best, as η → 0. The same
//! step with QR need not descend, however small η is: QR turns the normal part of ∇L into a tangent one; for h = d = 2, z = 1,
//! C = diag(3, 4) it climbs. Projecting the gradient first repairs it. Many steps lead to the minimum from generic starts, not from saddles.

use enclosures::linear_algebra::{IntervalMatrix, Retraction, haar_orthonormal};
use enclosures::vectors::scaled;
use evidence::prelude::*;
use linear_ssl::flow::{FlowError, projected_descent_step};
use linear_ssl::self_supervised::{trace_loss, value_of_problem_4};

use crate::shared::notation::{EIGENVALUES, POLAR, QR, STEEPEST, STIEFEL};
use crate::shared::orthonormal_network::{OrthonormalNetwork, Trained, Weights, generic, named_networks, networks};

/// η|λ|max, from the largest that the register allows.
const STEPS: [f64; 2] = [0.1, 0.01];

type LayerPair = (IntervalMatrix, IntervalMatrix);

fn loss(w: &Weights, (first, second): (&IntervalMatrix, &IntervalMatrix)) -> Result<Interval, MeasureError> {
    Ok(trace_loss(&second.transpose().product(first)?, &w.c)?)
}

/// One step from the start.
struct Step {
    /// η|λ|max and η.
    fraction: f64,
    eta: Interval,
    /// The loss after the step.
    loss: Interval,
    /// ‖ΔW₁‖² + ‖ΔW₂‖².
    moved: Interval,
}

struct Start {
    w: Weights,
    loss: Interval,
    ascent: Vec<Step>,
    polar: Vec<Step>,
    qr: Vec<Step>,
    /// QR after the gradient is projected on the tangent space.
    tangent: Vec<Step>,
}

fn tangent_part(w: &IntervalMatrix, g: &IntervalMatrix) -> Result<IntervalMatrix, MeasureError> {
    Ok(g.minus(&w.product(&w.transpose().product(g)?.symmetric_part()?)?)?)
}

impl Start {
    fn of(network: &OrthonormalNetwork) -> Result<Self, MeasureError> {
        let w = network.weights()?;
        let free = w.gradients()?;
        let tangent = (tangent_part(&w.first, &free.0)?, tangent_part(&w.second, &free.1)?);
        let landed = |fraction: f64, (first, second): LayerPair| -> Result<Step, MeasureError> {
            Ok(Step {
                fraction,
                eta: Interval::point(fraction) / w.steepest,
                loss: loss(&w, (&first, &second))?,
                moved: first.minus(&w.first)?.frobenius_norm_squared()
                    + second.minus(&w.second)?.frobenius_norm_squared(),
            })
        };
        let each = |go: &dyn Fn(Interval) -> Result<LayerPair, MeasureError>| -> Result<Vec<Step>, MeasureError> {
            let one = |&fraction: &f64| landed(fraction, go(Interval::point(fraction) / w.steepest)?);
            STEPS.iter().map(one).collect()
        };
        let stepped = |retraction: Retraction, sign: f64| {
            let (w, sign) = (&w, sign);
            move |eta: Interval| -> Result<LayerPair, MeasureError> {
                Ok(projected_descent_step(&w.c, (&w.first, &w.second), eta * sign, retraction)?)
            }
        };
        let along = |eta: Interval| -> Result<LayerPair, MeasureError> {
            let retracted = |w: &IntervalMatrix, t: &IntervalMatrix| Retraction::Qr.applied(&w.minus(&t.scaled(eta))?);
            Ok((retracted(&w.first, &tangent.0)?, retracted(&w.second, &tangent.1)?))
        };
        Ok(Start {
            loss: loss(&w, (&w.first, &w.second))?,
            ascent: each(&stepped(Retraction::Polar, -1.0))?,
            polar: each(&stepped(Retraction::Polar, 1.0))?,
            qr: each(&stepped(Retraction::Qr, 1.0))?,
            tangent: each(&along)?,
            w,
        })
    }

    fn descends(&self, steps: &[Step]) -> Evaluation {
        at_every_step(steps, |s| less_than(s.loss, self.loss))
    }

    /// L⁺ ≤ L − (1/η − 4|λ|max)‖ΔW‖².
    fn descends_enough(&self) -> Evaluation {
        at_every_step(&self.polar, |s| {
            let rate = Interval::ONE / s.eta - 4.0 * self.w.steepest;
            at_most(s.loss, self.loss - rate * s.moved).on_scale_of("|λ|max", self.w.steepest)
        })
    }
}

fn at_every_step(steps: &[Step], test: impl Fn(&Step) -> Evaluation) -> Evaluation {
    all_of(steps.iter().map(|s| (format!("η|λ|max = {}", s.fraction), test(s))))
}

/// Far enough from where the projected gradient vanishes that enclosures tell the losses apart.
fn moves(network: &OrthonormalNetwork) -> bool {
    network.weights().is_ok_and(|w| slope(&w).is_ok_and(|s| s.lo() > 1e-6))
}

/// Eigenvalues that 300 steps tell apart, or that make no difference to the loss.
fn is_separated(network: &OrthonormalNetwork) -> bool {
    let (l, steepest) = (&network.spectrum, network.steepest());
    let fine = |x: f64| x.abs() <= 1e-6 * steepest || x.abs() >= 0.25 * steepest;
    l.iter().all(|&a| fine(a) && l.iter().all(|&b| fine(a - b)))
}

/// ‖G − W sym(WᵀG)‖², both matrices together, over |λ|max².
fn slope(w: &Weights) -> Result<Interval, MeasureError> {
    let free = w.gradients()?;
    let squares = tangent_part(&w.first, &free.0)?.frobenius_norm_squared()
        + tangent_part(&w.second, &free.1)?.frobenius_norm_squared();
    Ok(squares / Interval::point(w.steepest).square())
}

/// Losses after many rounded steps, each matrix kept orthonormal by the retraction.
struct OrbitEnds {
    descent: f64,
    ascent: f64,
    /// The worst descent from Haar starts.
    haar: f64,
    least: Interval,
    greatest: Interval,
    scale: f64,
}

const MANY: usize = 300;

fn after_many(c: &IntervalMatrix, start: LayerPair, eta: Interval) -> Result<f64, MeasureError> {
    let mut now = start;
    for _ in 0..MANY {
        let (first, second) = projected_descent_step(c, (&now.0, &now.1), eta, Retraction::Polar)?;
        now = (first.midpoint().into(), second.midpoint().into());
    }
    Ok(trace_loss(&now.1.transpose().product(&now.0)?, c)?.midpoint())
}

fn ends(network: &OrthonormalNetwork, trial: &mut Trial) -> Result<OrbitEnds, MeasureError> {
    let w = network.weights()?;
    let (d, z, h) = (network.d(), network.outputs, network.width);
    let eta = Interval::point(0.1) / w.steepest;
    let given = || (w.first.clone(), w.second.clone());
    let mut haar = f64::NEG_INFINITY;
    for _ in 0..trial.samples_at_least(2) {
        let start = (haar_orthonormal(trial.rng(), h, d)?.into(), haar_orthonormal(trial.rng(), h, z)?.into());
        haar = haar.max(after_many(&w.c, start, eta)?);
    }
    let bound = |sign: f64| -> Result<Interval, MeasureError> {
        let spectrum = scaled(&w.spectrum, sign);
        Ok(value_of_problem_4(&spectrum, z, h)?.ok_or("no orthonormal weights")?)
    };
    Ok(OrbitEnds {
        descent: after_many(&w.c, given(), eta)?,
        ascent: after_many(&w.c, given(), -eta)?,
        haar,
        least: bound(1.0)?,
        greatest: -bound(-1.0)?,
        scale: w.steepest,
    })
}

impl OrbitEnds {
    /// A loss after many steps is the least one, to 1 % of |λ|max, and not below.
    fn is_least(&self, value: f64) -> Evaluation {
        let room = exact(0.01) * self.scale;
        all_of([
            ("not below", at_least(Enclosure::measured(value), Enclosure::from(self.least) - exact(1e-9) * self.scale)),
            (
                "reached",
                at_most(Enclosure::measured(value), Enclosure::from(self.least) + room)
                    .on_scale_of("|λ|max", self.scale),
            ),
        ])
    }
}

const MOVES: Hypothesis<OrthonormalNetwork> =
    Hypothesis::new("the projection of ∇L on the tangent spaces has ‖·‖² > 10⁻⁶|λ|max²", moves);

pub fn claim() -> Claim {
    Claim::new("esser2024.eq-11", "the gradient step with projection", Kind::Convergence)
        .statement(
            "W_{1,2}^{(t+1)} = W_{1,2}^{(t)} + η∇L, projected back onto the constraints, is the gradient descent \
             update of (8): one small step decreases L, many approach the minimum",
        )
        .source("Equation (11)", &["Numerical Evaluation"])
        .symbols([STIEFEL, EIGENVALUES, STEEPEST, POLAR, QR])
        .symbol(
            "(8)",
            "L = Tr(W₂ᵀW₁CW₁ᵀW₂) under W₁ᵀW₁ = I, W₂ᵀW₂ = I; its minimum is Σ_{i≤k₀} λ_i + Σ_{k₀<i≤min(d,z)} \
             min(λ_i,0), k₀ = max(0, d+z−h), its maximum the same for −Λ with a minus sign",
        )
        .symbol("∇L", "2W₂W₂ᵀW₁C in W₁, 2W₁CW₁ᵀW₂ in W₂")
        .symbol(
            "a step",
            "W_i ← the retraction of W_i ± η∇L for both from the same weights, + with the printed sign, − with the \
             opposite one; L⁺ the loss after it, ΔW_i the change of W_i, ‖·‖² the sum of its squared entries; where Λ \
             = 0, 10⁻⁹ stands for |λ|max",
        )
        .symbol("tangent spaces", "{Z : WᵀZ + ZᵀW = 0}; the orthogonal projection of G is G − W(WᵀG + GᵀW)/2")
        .symbol("Haar starts", "W₁, W₂ uniformly distributed with orthonormal columns")
        .remark(
            "R1 is the printed sign, R2 the opposite one, both with the polar retraction (the projection onto the \
             constraints) at η|λ|max = 0.1 and 0.01; a step counts where the projected gradient is not zero.",
        )
        .remark(
            "With QR instead, z = 1, h = d = 2 and C = diag(λ₁, λ₂) in this order, L′ = −4m₁²m₂²(λ₁−λ₂)(2λ₁−λ₂) to \
             first order: it climbs for λ₂/2 < λ₁ < λ₂, at every η.",
        )
        .setting(single_steps())
        .setting(limits_of_training())
}

fn single_steps() -> Setting<OrthonormalNetwork, Start> {
    Setting::measuring(|n: &OrthonormalNetwork, _| Start::of(n))
        .given("W₁ ∈ St(h,d), W₂ ∈ St(h,z), C symmetric with orthonormal eigenvectors V; h ≥ max(d,z)")
        .family(networks())
        .without_search()
        .part(
            "R1",
            "printed sign, polar: a step decreases L, at η|λ|max = 0.1 and 0.01",
            fails("+η∇L ascends"),
            |_, s| s.descends(&s.ascent),
        )
        .assume(MOVES)
        .sides("L after the step", "L before it")
        .our_constant("how small a step is: η|λ|max = 0.1 and 0.01")
        .meant("R2", "opposite sign, polar: a step decreases L, at η|λ|max = 0.1 and 0.01", holds(), |_, s| {
            s.descends(&s.polar)
        })
        .assume(MOVES)
        .our_constant("how small a step is: η|λ|max = 0.1 and 0.01")
        .ours(
            "R2-qr",
            "opposite sign, QR: a step decreases L, at η|λ|max = 0.1 and 0.01",
            fails("QR turns the normal part of ∇L into a tangent one, which may climb"),
            |_, s| s.descends(&s.qr),
        )
        .assume(MOVES)
        .sides("L after the step", "L before it")
        .because(
            "\"projecting the weights back\" is the projection on the constraints, hence polar; QR is another \
             retraction",
        )
        .amendment(
            "descent",
            "opposite sign, polar: L⁺ ≤ L − (1/η − 4|λ|max)(‖ΔW₁‖² + ‖ΔW₂‖²), at η|λ|max = 0.1 and 0.01",
            holds(),
            |_, s| s.descends_enough(),
        )
        .amendment(
            "tangent-qr",
            "opposite sign, QR after projecting ∇L on the tangent spaces: a step decreases L, at η|λ|max = 0.01",
            holds(),
            |_, s| s.descends(&s.tangent[1..]),
        )
        .assume(Hypothesis::new("the projection of ∇L on the tangent spaces has ‖·‖² > 10⁻⁶|λ|max²", moves))
        .control(
            "a",
            "opposite sign, without a retraction: ‖W₂ᵀW₂ − I‖_∞ (the largest sum of |entries| of a row) after a step \
             at η|λ|max = 0.1 is at most 1e-12",
            |_, s| {
                let gram = || -> Result<Evaluation, FlowError> {
                    let (_, up) = s.w.gradients()?;
                    let next = s.w.second.minus(&up.scaled(Interval::point(0.1) / s.w.steepest))?;
                    let identity = IntervalMatrix::identity(next.columns())?;
                    let off = next.transpose().product(&next)?.minus(&identity)?.infinity_norm();
                    Ok(at_most(off, exact(1e-12)))
                };
                gram().into()
            },
        )
        .control(
            "c",
            "opposite sign, polar: L⁺ ≤ L − (1/η)(‖ΔW₁‖² + ‖ΔW₂‖²), without 4|λ|max, at η|λ|max = 0.1 and 0.01",
            |_, s| {
                let one = |t: &Step| (format!("η|λ|max = {}", t.fraction), at_most(t.loss, s.loss - t.moved / t.eta));
                all_of(s.polar.iter().map(one))
            },
        )
}

fn limits_of_training() -> Setting<Trained, OrbitEnds> {
    Setting::measuring(|n: &Trained, trial| ends(&n.0, trial))
        .given(
            "W₁ ∈ St(h,d), W₂ ∈ St(h,z) at the start, C symmetric; h ≥ max(d,z), the polar retraction, η|λ|max = 0.1, \
             300 steps",
        )
        .assume(Hypothesis::new(
            "every |λ_i| and every |λ_i − λ_j| is at most 10⁻⁶|λ|max or at least |λ|max/4",
            |n| is_separated(&n.0),
        ))
        .family(outside("eigenvalues that take longer to tell apart", || {
            vec![
                ("diag(−1/50, 1)", Trained(generic(&[-0.02, 1.0], 1, 4))),
                ("diag(−1, −0.9)", Trained(generic(&[-1.0, -0.9], 1, 3))),
            ]
        }))
        .family(edge("named", || {
            let every = named_networks();
            let saddles = every.iter().filter(|(name, _)| name.starts_with('q')).cloned();
            let others = every.iter().filter(|(name, _)| !name.starts_with('q')).step_by(5).cloned();
            Trained::named(saddles.chain(others).collect())
        }))
        .without_search()
        .ours(
            "R2-limit",
            "opposite sign: the steps reach the minimum of (8), to 1 % of |λ|max, from every start",
            fails("saddles: a start blind to e₁ stays so"),
            |_, e| e.is_least(e.descent),
        )
        .because("(11) is called the gradient descent update of (8); where it ends is not said")
        .amendment(
            "haar",
            "opposite sign: from two Haar starts of the same sizes the steps reach the minimum of (8), to 1 % of \
             |λ|max, and do not undercut it by more than 10⁻⁹|λ|max",
            holds(),
            |_, e| e.is_least(e.haar),
        )
        .amendment(
            "R1-limit",
            "printed sign: the steps end between the minimum and the maximum of (8), to 10⁻⁹|λ|max",
            holds(),
            |_, e| {
                let (ascent, room) = (Enclosure::measured(e.ascent), exact(1e-9) * e.scale);
                ascending([Enclosure::from(e.least) - room, ascent, Enclosure::from(e.greatest) + room])
            },
        )
        .control("b", "both signs end at the same loss, to |λ|max/1000", |_, e| {
            equal(Enclosure::measured(e.descent), Enclosure::measured(e.ascent))
                .on_scale_of("|λ|max", e.scale)
                .within(1e-3)
        })
}
