//! Proposition 1, last sentence: the learning dynamics of a kernel machine.
//!
//! With u_l = ⟨θ_l, ψ(·)⟩ the loss is a quadratic form of the θ_l, and moving θ_l by ψ(x) moves u_l(p) by k(x, p): so
//! u_l(x)′ = −⟨∇L, e_l ψ(x)ᵀ⟩ is again half the difference of two values of the loss, and bilinearity gives the printed sums with k for the inner
//! product. Solved: u = Σ_m a_m k(p_m, ·) with a′ = −2SKa, whatever K is. If K is positive definite, KSK and S have the same numbers
//! of negative and positive eigenvalues (Sylvester): n of each, and n zeros more in the contrastive case.

use enclosures::linear_algebra::{IntervalMatrix, MatrixError, matrix_exponential, symmetric_eigenvalues};
use enclosures::vectors::points;
use evidence::prelude::*;
use linear_ssl::self_supervised::SelfSupervisedError;

use crate::shared::kernel_machine::{Kernel, KernelStart, KernelState, kernel_starts, named_kernel_starts};
use crate::shared::linear_data::{LOSSES, Loss};
use crate::shared::notation::{ANCHORS, BOTH_LOSSES, POINT};

struct KernelMoment {
    name: String,
    loss: Loss,
    state: KernelState,
    /// What the terms of the loss add up to in absolute value, with outputs moved by a column of K.
    scale: f64,
}

fn moments(i: &KernelStart) -> Result<Vec<KernelMoment>, MatrixError> {
    let mut found = Vec::new();
    for (name, loss) in LOSSES {
        for fraction in [0.0, 1.0] {
            let state = i.state(loss, fraction)?;
            let size = state.outputs.magnitude() + state.gram.magnitude();
            let name = format!("{name}, {}", if fraction == 0.0 { "start" } else { "t" });
            let scale = 8.0 * (i.data.count() * i.outputs()) as f64 * size * size;
            found.push(KernelMoment { name, loss, state, scale });
        }
    }
    Ok(found)
}

/// The loss from its definition, for outputs U moved by `sign` times k(x, ·) in component l.
fn loss_at(i: &KernelStart, m: &KernelMoment, l: usize, sign: f64) -> Interval {
    let (n, x) = (i.data.count(), 3 * i.data.count());
    let output = |p: usize, c: usize| {
        let here = m.state.outputs.at(p, c);
        let move_by = m.state.gram.at(p, x) * sign;
        if c == l { here + move_by } else { here }
    };
    let mut total = Interval::ZERO;
    for (p, c) in pairs(0..n, 0..i.outputs()) {
        total -= output(p, c) * output(p + n, c);
        if m.loss == Loss::Contrastive {
            total += output(p, c) * output(p + 2 * n, c);
        }
    }
    total
}

/// u_l(x)′ from the loss.
fn velocity(i: &KernelStart, m: &KernelMoment, l: usize) -> Interval {
    (loss_at(i, m, l, -1.0) - loss_at(i, m, l, 1.0)) * 0.5
}

/// The printed sum with `kernel(p)` for the inner product of x with data point p.
fn printed(i: &KernelStart, m: &KernelMoment, l: usize, kernel: impl Fn(usize) -> Interval) -> Interval {
    let n = i.data.count();
    let u = |p: usize| m.state.outputs.at(p, l);
    let term = |p: usize| match m.loss {
        Loss::NonContrastive => kernel(p) * u(p + n) + kernel(p + n) * u(p),
        Loss::Contrastive => kernel(p) * (u(p + n) - u(p + 2 * n)) + (kernel(p + n) - kernel(p + 2 * n)) * u(p),
    };
    (0..n).map(term).sum()
}

fn with_kernel(i: &KernelStart, m: &KernelMoment, l: usize) -> Interval {
    let x = 3 * i.data.count();
    printed(i, m, l, |p| m.state.gram.at(p, x))
}

/// −2k(x,·)SU, with a factor in front of S.
fn closed(i: &KernelStart, m: &KernelMoment, l: usize, factor: f64) -> Result<Interval, MatrixError> {
    let x = 3 * i.data.count();
    let pulled = m.state.gram.product(&m.state.pairing.product(&m.state.outputs)?)?;
    Ok(pulled.at(x, l) * (-2.0 * factor))
}

fn each(
    i: &KernelStart,
    moments: &[KernelMoment],
    sides: impl Fn(&KernelMoment, usize) -> Result<(Interval, Interval), MatrixError>,
) -> Evaluation {
    let parts = moments.iter().flat_map(|m| (0..i.outputs()).map(move |l| (m, l)));
    all_of(parts.map(|(m, l)| {
        let compared =
            sides(m, l).map(|(left, right)| equal(left, right).on_scale_of("the terms in absolute value", m.scale));
        (format!("{}, component {}", m.name, l + 1), compared.into())
    }))
}

/// For the linear kernel: the outputs at x against those of the linear model started at θ_l = Σ_m a_m p_m.
fn reduces(i: &KernelStart, moments: &[KernelMoment]) -> Result<Evaluation, SelfSupervisedError> {
    let (all, d) = (i.points(), i.data.dimension());
    let start = IntervalMatrix::from_fn(i.outputs(), d, |l, c| {
        all.iter().zip(&i.coefficients[l]).map(|(p, &a)| Interval::point(a) * p[c]).sum()
    })?;
    let mut parts = Vec::new();
    for m in moments {
        let growth = matrix_exponential(&m.loss.matrix(&i.data)?.scaled(m.state.time * -2.0))?;
        let outputs = start.product(&growth)?.times_vector(&points(&i.point))?;
        for (l, &output) in outputs.iter().enumerate() {
            let here = m.state.outputs.get(3 * i.data.count(), l).unwrap_or(Interval::ENTIRE);
            parts.push((
                format!("{}, component {}", m.name, l + 1),
                equal(here, output).on_scale_of("the terms in absolute value", m.scale.max(1.0)),
            ));
        }
    }
    Ok(all_of(parts))
}

/// Where the signs of the eigenvalues of KSK are not computed.
const UNSIGNED: &str = "K has a condition number beyond 100, or may have";

/// The signs of the eigenvalues of KSK on the points that the loss uses.
fn inertia(i: &KernelStart) -> Result<Evaluation, MatrixError> {
    let n = i.data.count();
    let mut parts = Vec::new();
    for (name, loss) in LOSSES {
        let used = if loss == Loss::Contrastive { 3 * n } else { 2 * n };
        let cut = |m: &IntervalMatrix| IntervalMatrix::from_fn(used, used, |a, b| m.at(a, b));
        let (gram, pairing) = (cut(&i.gram()?)?, cut(&i.pairing(loss)?)?);
        let definite = symmetric_eigenvalues(&gram)?;
        if definite[0].lo() < 0.01 * definite[used - 1].hi() {
            continue;
        }
        let found = symmetric_eigenvalues(&gram.product(&pairing)?.product(&gram)?.symmetric_part()?)?;
        let scale = found[used - 1].magnitude().max(found[0].magnitude());
        for (k, &value) in found.iter().enumerate() {
            let part = match k {
                _ if k < n => less_than(value, 0),
                _ if k >= used - n => greater_than(value, 0),
                _ => equal(value, 0).on_scale_of("the terms in absolute value", scale),
            };
            parts.push((format!("{name}, eigenvalue {}", k + 1), part));
        }
    }
    Ok(if parts.is_empty() { vacuous(UNSIGNED) } else { all_of(parts) })
}

pub fn claim() -> Claim {
    Claim::new("esser2024.prop-1b", "printed ODE, kernel model", Kind::Dynamics)
        .statement(
            "for u = Θψ(x) under gradient flow, both equations of Proposition 1 hold with every xᵀx′ replaced by k(x, \
             x′)",
        )
        .speaks_also_of("kernels with infinitely many features")
        .source("Proposition 1, last sentence", &[])
        .symbols([ANCHORS, BOTH_LOSSES, POINT])
        .symbol(
            "ψ",
            "a feature map of the kernel, k(x, x′) = ψ(x)ᵀψ(x′); tried are xᵀx′, (xᵀx′ + b)^p and exp(−‖x − \
             x′‖²/(2b²))",
        )
        .symbol("p_m", "the points of the data (all x_i, x_i⁺, x_i⁻) and x, m = 1, …, 3n + 1")
        .symbol(
            "S",
            "has the entries −½ between x_i and x_i⁺, for the loss (1) also ½ between x_i and x_i⁻, and zeros \
             otherwise",
        )
        .symbol("′", "the derivative in the time along Θ′ = −∇_ΘL")
        .symbol(
            "the printed sum",
            "with k: non-contrastive Σ_i [k(x, x_i)u_l(x_i⁺) + k(x, x_i⁺)u_l(x_i)], contrastive Σ_i [k(x, \
             x_i)(u_l(x_i⁺) − u_l(x_i⁻)) + (k(x, x_i⁺) − k(x, x_i⁻))u_l(x_i)], i = 1, …, n",
        )
        .symbol("t", "any time from 0 to 2/(1 + ‖SK‖_∞), ‖·‖_∞ the largest sum of |entries| of a row")
        .remark(
            "The start is any function u_l = Σ_m a_ml k(p_m, ·) over the data and one further point; the solution is \
             enclosed in coefficients, a(t) = e^{−2SKt}a(0), so K may be singular.",
        )
        .setting(derivatives())
        .setting(conserved_inertia())
}

fn derivatives() -> Setting<KernelStart, Vec<KernelMoment>> {
    Setting::measuring(|i: &KernelStart, _| Ok(moments(i)?))
        .given(
            "k positive semi-definite, Θ unconstrained, u_l = Σ_m a_ml k(p_m, ·), a = (a_ml), over the data and x at \
             the start; K the Gram matrix of these points, U their outputs, S symmetric with L = Tr(UᵀSU)",
        )
        .family(edge("named", named_kernel_starts))
        .family(random("kernels, data and starts", kernel_starts).taking(0.5))
        .part(
            "printed",
            "u_l(x)′ = −(L₊ − L₋)/2, L± the loss with u_l replaced by u_l ± k(x, ·), = the printed sum with k, at the \
             times 0 and t, both losses, every l",
            holds(),
            |i, m| each(i, m, |m, l| Ok((velocity(i, m, l), with_kernel(i, m, l)))),
        )
        .checked_in_part("esser2024.KernelMachines.prop_1b_contrastive")
        .checked_in_part("esser2024.KernelMachines.prop_1b_non_contrastive")
        .ours(
            "closed",
            "−2k(x,·)SU, the derivative of the closed form u_l = Σ_m a_ml k(p_m, ·) with a(t) = e^{−2SKt}a(0), = the \
             printed sum with k, at the times 0 and t, both losses, every l",
            holds(),
            |i, m| each(i, m, |m, l| Ok((closed(i, m, l, 1.0)?, with_kernel(i, m, l)))),
        )
        .ours(
            "linear",
            "the outputs u(x) at the times 0 and t are Θ₀e^{−2Ct}x with θ_l = Σ_m a_ml p_m at the \
             start, C the symmetric matrix with L = Tr(ΘCΘᵀ)",
            holds(),
            |i, m| reduces(i, m).into(),
        )
        .assume(Hypothesis::new("k(x, x′) = xᵀx′", |i| matches!(i.kernel, Kernel::Linear)))
        .control("a", "u_l(x)′ = the printed sum with Euclidean inner products, for a Gaussian kernel", |i, m| {
            let all = i.points();
            each(i, m, |m, l| Ok((velocity(i, m, l), printed(i, m, l, |p| Kernel::Linear.at(&i.point, all[p])))))
        })
        .assume(Hypothesis::new("Gaussian kernel", |i| matches!(i.kernel, Kernel::Gaussian { .. })))
        .control("b", "u_l(x)′ = −4k(x,·)SU: S without the factor ½", |i, m| {
            each(i, m, |m, l| Ok((velocity(i, m, l), closed(i, m, l, 2.0)?)))
        })
}

fn conserved_inertia() -> Setting<KernelStart, ()> {
    Setting::of()
        .given(
            "k positive semi-definite, K the Gram matrix of the points of the loss, U their outputs, S symmetric with \
             L = Tr(UᵀSU)",
        )
        .family(edge("named", named_kernel_starts))
        .family(random("kernels, data and starts", kernel_starts).taking(0.5))
        .without_search()
        .sharpening(
            "inertia",
            "K positive definite, on the points of the loss, 2n, or 3n of the contrastive one: KSK, which plays the \
             part of C, has n negative and n positive eigenvalues, and n zeros in the contrastive case: outputs \
             diverge for generic starts, whatever the data",
            holds(),
            |i, ()| inertia(i).into(),
        )
        .except(UNSIGNED)
}
