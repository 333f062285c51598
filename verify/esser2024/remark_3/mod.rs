//! Remark 3: a fixed projection u(x) = AΘx does not help.
//!
//! Training Θ moves Y = AΘ by Y′ = −2(AAᵀ)YC. If AAᵀA = αA (all non-zero singular values of A are √α; orthonormal rows, say) every row of Y obeys
//! the equation of Proposition 1, α times as fast. For other A and C ≠ 0 they do not: with C = −I and Θ = I, Y = A moves along AAᵀA, no
//! multiple of A. For any C ≠ 0 take λ_j ≠ 0: at Θ = e_le_jᵀ column j of YC is λ_jAe_l, and column j of Y′ is −2λ_jAAᵀAe_l, so that one c for
//! l = 1, …, z makes AAᵀA = cA.
//! So "identical learning dynamics for every A" is false. With AAᵀ = diag(a_i²) entry (i, j) of Y (in the eigenbasis of C) grows like e^{−2a_i²λ_jt}; the limit direction is what stands on
//! the largest rate. Collapse therefore has the exceptions of Proposition 1 (C = −I, A = I keeps full rank). Unequal a_i can remove one: for
//! C = −I, a₁ larger than the others and the first row of Y(0) not zero, Y collapses in direction, where the unprojected model does not.

mod kept_modes;
mod projected_starts;

use enclosures::linear_algebra::{IntervalMatrix, Matrix, MatrixError};
use enclosures::vectors::{sum_of_products, sum_of_squares, unit_vector};
use evidence::prelude::*;
use linear_ssl::self_supervised::SelfSupervisedError;
use proptest::collection::vec;
use proptest::strategy::{Just, Strategy};

use crate::shared::flows::spectra;
use crate::shared::linear_data::{LOSSES, Loss};
use crate::shared::notation::BOTH_LOSSES;
use kept_modes::{NO_DIRECTION, NO_LIMIT, direction_rank, leaders, limit_rank, rank, rank_stays};
use projected_starts::Projected;

const ONE_COMPONENT: &str = "one component";
const AT_REST: &str = "nothing moves";
const NO_PROJECTION: &str = "A = 0";

fn compare(p: &Projected, coupling: &IntervalMatrix) -> Result<Evaluation, SelfSupervisedError> {
    let mut parts = Vec::new();
    for (name, loss) in LOSSES {
        let (found, predicted) = (p.velocity(loss)?, p.predicted(coupling)?);
        for (k, (&left, &right)) in found.entries().iter().zip(predicted.entries()).enumerate() {
            parts.push((
                format!("{name}, entry {}", k + 1),
                equal(left, right).on_scale_of("the terms in absolute value", p.scale()),
            ));
        }
    }
    Ok(all_of(parts))
}

/// The only c that can have AAᵀYC = cYC at the start, by least squares; none if Y(0)C = 0, where nothing moves.
fn common_rate(p: &Projected) -> Result<Option<Interval>, MatrixError> {
    let moving = p.outputs()?.product(&Matrix::diagonal(&p.spectrum)?.into())?;
    let pulled = p.gram()?.product(&moving)?;
    let pairs = moving.entries().iter().zip(pulled.entries());
    let along: Interval = pairs.map(|(&x, &y)| x * y).sum();
    let size = moving.frobenius_norm_squared();
    Ok((size.lo() > 0.0).then(|| along / size))
}

/// One equation for all components, without the others: y_i′ = −2c·y_iC at the start, with one c. That needs no more than the states
/// AΘ that can be reached; it does not ask what AAᵀ does elsewhere.
fn one_equation(p: &Projected) -> Result<Evaluation, SelfSupervisedError> {
    let r = p.projection.len();
    if r < 2 {
        return Ok(vacuous(ONE_COMPONENT));
    }
    match common_rate(p)? {
        Some(c) => compare(p, &IntervalMatrix::identity(r)?.scaled(c)),
        None => Ok(vacuous(AT_REST)),
    }
}

/// AAᵀA, exact for entries that are small integers.
fn cubed(a: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let row = |u: &Vec<f64>| {
        let weights: Vec<f64> = a.iter().map(|v| sum_of_products(u, v)).collect();
        (0..u.len()).map(|j| a.iter().zip(&weights).map(|(v, w)| w * v[j]).sum()).collect()
    };
    a.iter().map(row).collect()
}

/// One equation with the α of AAᵀ = αI. Where there is no such α, any number may stand for it, and the only one that can do is tried; it does
/// not matter which where nothing moves.
fn one_rate(p: &Projected) -> Result<Evaluation, SelfSupervisedError> {
    let of_rows = p.weights().filter(|_| p.is_balanced()).and_then(|w| w.first().copied());
    let alpha = match of_rows {
        Some(alpha) => Interval::point(alpha),
        None => common_rate(p)?.unwrap_or(Interval::ZERO),
    };
    compare(p, &IntervalMatrix::identity(p.projection.len())?.scaled(alpha))
}

/// The starts e_le_jᵀ, l = 1, …, z, with |λ_j| largest, on the same A and C.
fn unit_starts(p: &Projected) -> Vec<Projected> {
    let size = |j: &usize| p.spectrum[*j].abs();
    let steepest = (0..p.spectrum.len()).max_by(|a, b| size(a).total_cmp(&size(b))).unwrap_or(0);
    let row = unit_vector(p.spectrum.len(), steepest);
    let start =
        |l: usize| (0..p.start.len()).map(|k| if k == l { row.clone() } else { vec![0.0; row.len()] }).collect();
    (0..p.start.len()).map(|l| Projected { start: start(l), ..p.clone() }).collect()
}

/// Both directions: with AAᵀA = αA one equation at the start; without, no c serves the starts e_le_jᵀ together, which are the columns of A
/// one by one: Y′ is parallel to YC over all of them only if AAᵀA is a multiple of A.
fn one_equation_exactly_when(p: &Projected) -> Result<Evaluation, SelfSupervisedError> {
    let (a, b) = (p.projection.concat(), cubed(&p.projection).concat());
    let Some(k) = a.iter().position(|x| *x != 0.0) else {
        return Ok(vacuous(NO_PROJECTION));
    };
    if a.iter().zip(&b).all(|(x, y)| x * b[k] == y * a[k]) {
        let alpha = Interval::point(b[k]) / a[k];
        return compare(p, &IntervalMatrix::identity(p.projection.len())?.scaled(alpha));
    }
    let spread = Matrix::diagonal(&p.spectrum)?.into();
    let (mut moving, mut velocities) = (Vec::new(), Vec::new());
    for start in unit_starts(p) {
        moving.extend_from_slice(start.outputs()?.product(&spread)?.entries());
        velocities.extend_from_slice(start.velocity(Loss::NonContrastive)?.entries());
    }
    let sizes = sum_of_squares(&moving) * sum_of_squares(&velocities);
    Ok(greater_than(sizes, sum_of_products(&moving, &velocities).square()))
}

/// Whether all entries are whole numbers up to three.
fn small_integers(matrix: &[Vec<f64>]) -> bool {
    matrix.iter().flatten().all(|x| x.fract() == 0.0 && x.abs() <= 3.0)
}

fn named() -> Vec<(&'static str, Projected)> {
    let of = Projected::new;
    let one: &[&[f64]] = &[&[1.0, 0.0], &[0.0, 1.0]];
    let three: &[&[f64]] = &[&[1.0, 0.0], &[0.0, 1.0], &[2.0, -1.0]];
    vec![
        ("A = I, C = −I, Θ₀ = I", of(one, one, &[-1.0, -1.0])),
        ("A = I, C = −I", of(one, &[&[1.0, 2.0], &[3.0, -1.0]], &[-1.0, -1.0])),
        ("A = I, C = −I, Θ₀ triangular", of(one, &[&[2.0, 1.0], &[0.0, 1.0]], &[-1.0, -1.0])),
        ("A = diag(1, 2), C = −I", of(&[&[1.0, 0.0], &[0.0, 2.0]], one, &[-1.0, -1.0])),
        (
            "A = diag(1, 2), unequal eigenvalues",
            of(&[&[1.0, 0.0], &[0.0, 2.0]], &[&[1.0, 2.0], &[1.0, -1.0]], &[-1.0, -0.5]),
        ),
        (
            "A = diag(1, 2), a tie: a₁²λ₁ = a₂²λ₂",
            of(&[&[1.0, 0.0], &[0.0, 2.0]], &[&[1.0, 0.0], &[0.0, 1.0]], &[-4.0, -1.0]),
        ),
        ("rows not orthogonal", of(&[&[1.0, 1.0], &[0.0, 1.0]], one, &[-1.0, 2.0])),
        ("orthogonal rows of length 5", of(&[&[3.0, 4.0], &[-4.0, 3.0]], &[&[1.0, 2.0], &[1.0, -1.0]], &[-1.0, 0.5])),
        ("orthonormal rows, r = 2 < z = 3", of(&[&[1.0, 0.0, 0.0], &[0.0, 1.0, 0.0]], three, &[-1.0, -1.0])),
        ("C = 0", of(one, one, &[0.0, 0.0])),
        ("A = diag(1, 2), C = 0", of(&[&[1.0, 0.0], &[0.0, 2.0]], one, &[0.0, 0.0])),
        ("C = diag(0, 0, 1)", of(one, &[&[1.0, 0.0, 1.0], &[0.0, 1.0, 1.0]], &[0.0, 0.0, 1.0])),
        ("C positive, one zero eigenvalue", of(one, &[&[1.0, 1.0], &[0.0, 1.0]], &[0.0, 1.0])),
        ("C positive definite", of(one, &[&[1.0, 1.0], &[0.0, 1.0]], &[2.0, 1.0])),
        ("a zero row of A", of(&[&[1.0, 0.0], &[0.0, 0.0]], one, &[-1.0, -1.0])),
        ("A of rank one", of(&[&[1.0, 1.0], &[1.0, 1.0]], one, &[-1.0, -1.0])),
        (
            "three components",
            of(
                &[&[1.0, 0.0, 0.0, 0.0], &[0.0, 1.0, 0.0, 0.0], &[0.0, 0.0, 1.0, 0.0]],
                &[&[1.0, 0.0], &[0.0, 1.0], &[1.0, 1.0], &[1.0, 2.0]],
                &[-1.0, -0.5],
            ),
        ),
    ]
}

fn starts(diagonal: bool) -> impl Strategy<Value = Projected> {
    (spectra(-2.0, 2.0), 2..=3usize, 0..=2usize, 0..3u8).prop_flat_map(move |(spectrum, r, more, kind)| {
        let (z, d) = (r + more, spectrum.len());
        let entry = || (-3..=3i32).prop_map(f64::from);
        let projection = vec(vec(entry(), z), r).prop_map(move |mut a| {
            if diagonal {
                for (i, row) in a.iter_mut().enumerate() {
                    let own = if kind == 0 { 2.0 } else { row[i] };
                    row.fill(0.0);
                    row[i] = own;
                }
            }
            a
        });
        (projection, vec(vec(entry(), d), z), Just(spectrum)).prop_map(|(projection, start, spectrum)| Projected {
            projection,
            start,
            spectrum: spectrum.into_iter().map(|x| if x.abs() < 1e-3 { 0.0 } else { x }).collect(),
        })
    })
}

const ORTHOGONAL_ROWS: Hypothesis<Projected> = Hypothesis::new("AAᵀ = diag(a_i²)", Projected::has_orthogonal_rows);

pub fn claim() -> Claim {
    Claim::new("esser2024.remark-3", "fixed projections do not help", Kind::Dynamics)
        .statement(
            "u(x) = AΘx, A ∈ ℝ^{r×z} fixed, Θ trained on (1) or (2): for every r > 1 all r components of u have \
             identical learning dynamics, and hence collapse at convergence",
        )
        .source("Remark 3", &[])
        .symbols([BOTH_LOSSES])
        .symbol("C", "diagonal with the entries λ_j; the loss is Tr(AΘC(AΘ)ᵀ), whose gradient flow is Θ′ = −2AᵀAΘC")
        .symbol("Y", "entry (i, j) of Y(t) = AΘ(t) is called a mode; Y(0) touches it if it is not zero")
        .symbol("‖Y(t)‖", "the root of the sum of the squared entries")
        .remark("Every spectrum is realised by data: x_i = e_i, x_i⁺ = −λ_ie_i, x_i⁻ = 0 has C = Λ for both losses.")
        .remark(
            "Collapse in the three senses of Proposition 1. R1 and R2 are read off where AAᵀ is diagonal; that is no \
             restriction, since the left singular vectors of A may be rotated away.",
        )
        .remark(
            "A minor of Y(t) is a sum of exponentials e^{ρt} with algebraic factors and rates ρ; where it does not \
             vanish at t = 0 it has isolated zeros, none of which is rational and positive (Lindemann and \
             Weierstrass). At such a zero the rank may drop for a moment: A = diag(1, 2), Θ₀ = ((2, 1), (1, 1)), C = \
             diag(0, 1) has rank 2 but for t = (log 2)/6, where it is 1.",
        )
        .remark(
            "Unequal singular values of A do not protect from collapse; for C = −I they cause it: with a₁ larger than \
             the others and the first row of Y(0) not zero, the first component alone survives in the limit direction, \
             where the unprojected model keeps its rank.",
        )
        .sense("limit", "collapse at convergence: of the limit of AΘ(t)")
        .sense("direction", "collapse at convergence: of the direction of AΘ(t)")
        .sense("finite time", "collapse at convergence: from some time on")
        .setting(every_projection())
}

fn every_projection() -> Setting<Projected, ()> {
    let setting = Setting::of()
        .given(
            "u = AΘx, A ∈ ℝ^{r×z}, r ≤ z, Θ ∈ ℝ^{z×d}, Θ(0) = Θ₀, Y = AΘ, gradient flow in Θ of either loss, in the \
             eigenbasis of C = diag(λ_j)",
        )
        .degenerate("C = 0 or AΘ₀ = 0", |p: &Projected| {
            p.spectrum.iter().all(|l| *l == 0.0) || p.outputs().is_ok_and(|y| y.frobenius_norm_squared().hi() == 0.0)
        })
        .family(edge("named", named))
        .family(random("any projection", || starts(false)).taking(0.5))
        .family(random("orthogonal rows", || starts(true)).taking(0.5));
    corrected(parts(setting))
}

fn parts(setting: Setting<Projected, ()>) -> Setting<Projected, ()> {
    setting
        .part(
            "every-projection",
            "all components obey one equation, without the others, for every A: at the start one number c has Y′ = \
             −2cYC",
            fails("Y′ = −2(AAᵀ)YC: rows of unequal length have unequal rates, rows at an angle mix"),
            |p, ()| one_equation(p).into(),
        )
        .sides("an entry of Y′", "that entry of −2cYC")
        .except(ONE_COMPONENT)
        .except(AT_REST)
        .part(
            "b-R1",
            "if lim Y(t) exists, its rank is at most one",
            fails("the kernel of C keeps its part of Y, all of it if C = 0"),
            |p, ()| limit_rank(p).into(),
        )
        .assume(ORTHOGONAL_ROWS)
        .sides("rank of lim Y(t)", "1")
        .except(NO_LIMIT)
        .in_sense("limit")
        .part(
            "b-R2",
            "lim Y(t)/‖Y(t)‖ has rank at most one",
            fails("modes of equal rate keep their rank: A = I, C = −I"),
            |p, ()| direction_rank(p).into(),
        )
        .assume(ORTHOGONAL_ROWS)
        .sides("rank of lim Y(t)/‖Y(t)‖", "1")
        .except(NO_DIRECTION)
        .in_sense("direction")
        .part(
            "b-R2-moving",
            "Y diverges: lim Y(t)/‖Y(t)‖ has rank at most one",
            fails("modes of equal rate keep their rank: A = I, C = −I"),
            |p, ()| direction_rank(p).into(),
        )
        .assume(ORTHOGONAL_ROWS)
        .sides("rank of lim Y(t)/‖Y(t)‖", "1")
        .except(NO_DIRECTION)
        .in_sense("direction")
        .assume(Hypothesis::new("all eigenvalues of C negative", |p| p.spectrum.iter().all(|l| *l < 0.0)))
        .part(
            "b-R3",
            "from some finite time on, rank Y(t) ≤ 1, for which rank Y(0) ≤ 1 is needed",
            fails("at all but isolated times the rank of Y(t) is at least that of Y(0)"),
            |p, ()| p.outputs().map(|y| at_most(rank(&y), 1)).into(),
        )
        .sides("rank Y(0)", "1")
        .in_sense("finite time")
        .step(
            "coupling",
            "Y′ at the start is −2(AAᵀ)YC, for both losses on data x_i = e_i, x_i⁺ = −λ_ie_i, x_i⁻ = 0",
            holds(),
            |p, ()| p.gram().map_err(Into::into).and_then(|g| compare(p, &g)).into(),
        )
}

fn corrected(setting: Setting<Projected, ()>) -> Setting<Projected, ()> {
    setting
        .amendment(
            "a-balanced",
            "Y′ = −2αYC at the start for some α, that of AAᵀ = αI where there is one: every component obeys the equation \
             of Proposition 1, α times as fast",
            holds(),
            |p, ()| one_rate(p).into(),
        )
        .assume(Hypothesis::new("AAᵀ = αI, α > 0", Projected::is_balanced))
        .amendment(
            "a-exact",
            "all starts Θ₀ obey one equation Y′ = −2cYC, with one c, iff AAᵀA = αA for some α, that is iff the \
             non-zero singular values of A are equal; then c = α (\"if\" is tried at the start of the instance, \"only \
             if\" at the starts e_le_jᵀ, e unit vectors, l = 1, …, z, with |λ_j| largest: ‖YC‖²‖Y′‖² > ⟨YC, Y′⟩² for the Y \
             of all l side by side)",
            holds(),
            |p, ()| one_equation_exactly_when(p).into(),
        )
        .except(NO_PROJECTION)
        .assume(Hypothesis::new("C ≠ 0", |p| p.spectrum.iter().any(|l| *l != 0.0)))
        .assume(Hypothesis::new("A with integer entries up to 3", |p| small_integers(&p.projection)))
        .amendment(
            "b-leading",
            "lim Y(t)/‖Y(t)‖ has rank one",
            holds(),
            |p, ()| direction_rank(p).into(),
        )
        .assume(Hypothesis::new(
            "AAᵀ = diag(a_i²), one mode alone has the largest rate −2a_i²λ_j among those that Y(0) touches",
            |p| p.has_orthogonal_rows() && leaders(p) == 1,
        ))
        .amendment(
            "b-R3-exact",
            "at every rational t > 0, and at all but isolated times t, rank Y(t) ≥ rank Y(0) (tried at one rational \
             t): no collapse from some time on",
            holds(),
            |p, ()| rank_stays(p).into(),
        )
        .assume(Hypothesis::new(
            "A and Θ₀ with integer entries up to 3, λ_j rational, d ≤ 3, where ranks are decided",
            |p| small_integers(&p.projection) && small_integers(&p.start) && p.spectrum.len() <= 3,
        ))
        .control("a", "orthonormal rows: Y′ at the start is not −2YC, the equation of Proposition 1", |p, ()| {
            let apart = || -> Result<Evaluation, SelfSupervisedError> {
                let found = p.velocity(Loss::NonContrastive)?;
                let off = found.minus(&p.predicted(&IntervalMatrix::identity(p.projection.len())?)?)?;
                Ok(greater_than(off.frobenius_norm(), 0))
            };
            apart().into()
        })
        .assume(Hypothesis::new("AAᵀ = I", |p| p.weights().is_some_and(|w| w.iter().all(|x| *x == 1.0))))
        .control("b", "rank Y(1) ≤ 1", |p, ()| p.outputs_at(1.0).map(|y| at_most(rank(&y), 1)).into())
        .assume(Hypothesis::new("A = I₂, C = −I₂", |p| {
            p.projection == [[1.0, 0.0], [0.0, 1.0]] && p.spectrum == [-1.0, -1.0]
        }))
}
