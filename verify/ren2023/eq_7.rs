//! Equation (7): the structure at infinite width, at the start and afterwards.
//!
//! (a) The moments of the start are exact at every width: means D_σ and 0, variances of order 1/m, so all limits
//! hold in probability. Checked by three-point Gauss–Hermite quadrature in every entry of W, which is exact for the
//! polynomials of degree four at hand. (c) The structure is a linear set of Gram matrices to which the velocity is
//! tangent, for both losses and every τ: so it persists.

use contrapositive::claim::{
    Claim, Evaluation, Kind, MeasureError, Setting, all_of, edge, equal, holds, random, vacuous,
};
use contrapositive::instance::Instance;
use contrapositive::interval::Interval;
use contrapositive::linear_algebra::PlaneRotation;
use contrapositive::multimodal::{Block, GramState, Metrics, Objective, Selection, View, gram_orbit, gram_velocity};
use proptest::collection::vec;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

use super::diagonal_starts::{DiagonalStart, families};

/// Two signal directions of strengths σ² in rotated maps, and a width.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Start {
    width: usize,
    sigma_squared: [f64; 2],
    /// Half tangents of the rotations of A and B.
    turns: [f64; 2],
}

impl Instance for Start {
    fn describe(&self) -> String {
        format!(
            "m = {}, σ² = {:?}, half tangents {:?}",
            self.width, self.sigma_squared, self.turns
        )
    }

    fn validate(&self) -> Result<(), String> {
        let fine = (1..=3).contains(&self.width)
            && self.sigma_squared.iter().all(|s| (1e-4..=1e4).contains(s))
            && self.turns.iter().all(|t| t.abs() <= 1e3);
        if fine {
            Ok(())
        } else {
            Err("a width beyond 3 or a number out of range".into())
        }
    }
}

/// Means of ⟨[K_A]_p, [K_A]_s⟩ and ⟨[K_A]_p, [K_B]_s⟩, and of their squares.
struct Moments {
    same: [[Interval; 4]; 2],
    /// None at widths where the quadrature in both W_A and W_B is too large.
    cross: Option<[[Interval; 4]; 2]>,
}

/// Means of the four inner products and of their squares over all nodes of `variables` independent N(0, 1/m) entries.
fn quadrature(width: usize, variables: usize, products: impl Fn(&[Interval]) -> [Interval; 4]) -> [[Interval; 4]; 2] {
    let root = (Interval::point(3.0) / width as f64).sqrt();
    let nodes = [
        (Interval::ZERO, Interval::point(2.0) / 3.0),
        (root, Interval::ONE / 6.0),
        (-root, Interval::ONE / 6.0),
    ];
    let mut means = [[Interval::ZERO; 4]; 2];
    let mut values = vec![Interval::ZERO; variables];
    for mut index in 0..3usize.pow(variables as u32) {
        let mut weight = Interval::ONE;
        for value in &mut values {
            let (node, share) = nodes[index % 3];
            (*value, weight) = (node, weight * share);
            index /= 3;
        }
        for (k, x) in products(&values).into_iter().enumerate() {
            means[0][k] += weight * x;
            means[1][k] += weight * x.square();
        }
    }
    means
}

fn moments(s: &Start) -> Result<Moments, MeasureError> {
    let map = |view: usize| -> Result<[[Interval; 2]; 2], MeasureError> {
        let turn = PlaneRotation {
            first: 0,
            second: 1,
            half_tangent: s.turns[view],
        };
        let frame = PlaneRotation::product_of(2, &[turn])?;
        let entry = |i: usize, j: usize| frame.entries()[2 * i + j] * Interval::point(s.sigma_squared[j]).sqrt();
        Ok([[entry(0, 0), entry(0, 1)], [entry(1, 0), entry(1, 1)]])
    };
    let (a, b) = (map(0)?, map(1)?);
    let feature = |w: &[Interval], map: &[[Interval; 2]; 2], row: usize, p: usize| {
        w[2 * row] * map[0][p] + w[2 * row + 1] * map[1][p]
    };
    let inner = |wa: &[Interval], ma: &[[Interval; 2]; 2], wb: &[Interval], mb: &[[Interval; 2]; 2]| {
        [0, 1, 2, 3].map(|k: usize| {
            (0..s.width)
                .map(|i| feature(wa, ma, i, k / 2) * feature(wb, mb, i, k % 2))
                .sum()
        })
    };
    let entries = 2 * s.width;
    Ok(Moments {
        same: quadrature(s.width, entries, |w| inner(w, &a, w, &a)),
        cross: (s.width <= 2)
            .then(|| quadrature(s.width, 2 * entries, |w| inner(&w[..entries], &a, &w[entries..], &b))),
    })
}

const PLACES: [&str; 4] = ["(1, 1)", "(1, 2)", "(2, 1)", "(2, 2)"];

/// Four entries against expected ones, on the scale σ_p²σ_s² (or its root).
fn four(found: [Interval; 4], expected: [Interval; 4], scale: f64) -> Evaluation {
    all_of(
        PLACES
            .into_iter()
            .zip(found)
            .zip(expected)
            .map(|((name, x), y)| (name, equal(x, y).on_scale(scale))),
    )
}

fn variances(means: &[[Interval; 4]; 2]) -> [Interval; 4] {
    [0, 1, 2, 3].map(|k| means[1][k] - means[0][k].square())
}

fn spread(s: &Start, same_view: bool, width: f64) -> [Interval; 4] {
    [0, 1, 2, 3].map(|k: usize| {
        let (p, q) = (k / 2, k % 2);
        let twice = if same_view && p == q { 2.0 } else { 1.0 };
        Interval::point(s.sigma_squared[p]) * s.sigma_squared[q] * twice / width
    })
}

/// A Gram matrix (or its velocity) has the structure (7): both views agree, noise columns share one norm, all else
/// but h_p is zero.
fn structured(g: &Block<Interval>, r: usize, d: usize, scale: f64) -> Evaluation {
    let entries = (0..4 * d * d).map(|k| (k / (2 * d), k % (2 * d)));
    all_of(entries.map(|(i, j)| {
        let (p, s) = (i % d, j % d);
        let expected = if i == j && p < r {
            g.at(p, p)
        } else if i == j {
            g.at(r, r)
        } else if p == s && p < r {
            return (format!("h_{}", p + 1), equal(g.at(i, j), g.at(j, i)).on_scale(scale));
        } else {
            Interval::ZERO
        };
        (
            format!("entry ({}, {})", i + 1, j + 1),
            equal(g.at(i, j), expected).on_scale(scale),
        )
    }))
}

struct Velocities {
    contrastive: Block<Interval>,
    plain: Block<Interval>,
    selection: Selection<Interval>,
    /// With ⟨[K_A]_1, [K_A]_2⟩ = 0.3 of the smaller norm at the start: the state a short time later.
    bent: Option<Block<Interval>>,
    /// With twice the strengths in view A.
    uneven: Block<Interval>,
    scale: f64,
}

fn velocities(s: &DiagonalStart) -> Result<Velocities, MeasureError> {
    let (state, metrics) = (s.gram::<Interval>()?, s.metrics::<Interval>()?);
    let doubled = Metrics::new(
        metrics.view(View::A).scaled(Interval::point(2.0)),
        metrics.view(View::B).clone(),
    )?;
    let field = |state: &GramState<Interval>, m: &Metrics<Interval>, o: Objective| {
        gram_velocity(state, m, o).map(|g| g.gram().clone())
    };
    let d = s.signal() + s.noise;
    let bent = (s.signal() >= 2).then(|| {
        let small = 0.3 * s.kappa_squared[0].min(s.kappa_squared[1]);
        let corner = |i: usize, j: usize| {
            if (i, j) == (0, 1) || (i, j) == (1, 0) {
                small
            } else {
                0.0
            }
        };
        let start = state
            .gram()
            .plus(&Block::from_fn(2 * d, 2 * d, |i, j| Interval::point(corner(i, j))))?;
        let velocity = field(
            &GramState::new(state.sizes(), start.clone())?,
            &metrics,
            s.contrastive(),
        )?;
        start.plus(&velocity.scaled(Interval::point(1e-3)))
    });
    let square = state.normaliser_squared(View::A)?.lo();
    let largest = |list: &[f64]| list.iter().fold(0.0, |m: f64, x| m.max(*x));
    let strength =
        largest(&s.sigma_squared).max(s.noise_squared * (s.signal() as f64 / s.noise.max(1) as f64).max(1.0));
    Ok(Velocities {
        contrastive: field(&state, &metrics, s.contrastive())?,
        plain: field(&state, &metrics, Objective::NonContrastive)?,
        selection: Selection::of(&state, s.contrastive())?,
        bent: bent.transpose()?,
        uneven: field(&state, &doubled, s.contrastive())?,
        scale: 8.0 * strength * largest(&s.kappa_squared).max(s.noise_norm_squared) * s.signal() as f64 / square,
    })
}

/// The structure at t = 0.3 along the integrated flow.
fn later(s: &DiagonalStart) -> Result<Evaluation, MeasureError> {
    let d = s.signal() + s.noise;
    let rate = s.sigma_squared.iter().sum::<f64>() * s.signal() as f64 / s.kappa_squared.iter().sum::<f64>();
    if rate > 60.0 {
        return Ok(vacuous("the flow is too fast to be followed cheaply"));
    }
    let orbit = gram_orbit(&s.gram()?, &s.metrics()?, s.contrastive(), &[0.3], 1e-11)?;
    let scale = s.kappa_squared.iter().sum::<f64>().max(s.noise_norm_squared);
    let reached = orbit.error <= 1e-8 * scale;
    if !reached {
        return Ok(vacuous("the solver did not reach eight digits"));
    }
    let end = orbit.states.first().map(|g| g.gram().map(Interval::point));
    let achieved = format!("solver achieved {:e}", orbit.achieved_power());
    // Rounding alone may leave the structure: the step errors cancel exactly.
    Ok(end
        .map_or_else(|| vacuous("no state"), |g| structured(&g, s.signal(), d, scale))
        .noting(achieved))
}

pub fn claim() -> Claim {
    Claim::new(
        "ren2023.eq-7",
        "structure at infinite width, at the start and afterwards",
        Kind::Dynamics,
    )
    .statement(
        "W entries iid N(0, 1/m), m → ∞: K_AᵀK_A = K_BᵀK_B = diag(κ²), \
                     K_AᵀK_B = diag(κ̂²) with κ_p² = σ_p², κ̂_p² = 0 at the start, all \
                     other cross terms 0; this structure persists for both losses and \
                     every τ",
    )
    .source("Equation (7)", &["Section 5.2", "the displays before it"])
    .reconstructed("the formulas; they are derived from the definitions")
    .remark("A start of finite width has standard deviations of order m^{−1/2} around the structure.")
    .remark(
        "Proof of persistence: flipping one latent coordinate in both views \
                     is a symmetry, so Q is diagonal; with equal norms A and B move \
                     alike; uniqueness of solutions.",
    )
    .setting(
        Setting::measuring(|s: &Start, _| moments(s))
            .assume("independent W_A, W_B with iid N(0, 1/m) entries", |_| true)
            .family(edge("widths", || {
                let of = |width, sigma_squared, turns| Start {
                    width,
                    sigma_squared,
                    turns,
                };
                vec![
                    ("m = 1", of(1, [1.0, 1.0], [0.0, 0.0])),
                    ("m = 2, σ² = (3, 1)", of(2, [3.0, 1.0], [0.5, -0.25])),
                    ("m = 3, σ² = (100, 0.01)", of(3, [100.0, 0.01], [1.0, 0.0])),
                ]
            }))
            .family(
                random("strengths and rotations", || {
                    (1usize..=3, vec(0.1..4.0f64, 2), vec(-2.0..2.0f64, 2)).prop_map(|(width, s, t)| Start {
                        width,
                        sigma_squared: [s[0], s[1]],
                        turns: [t[0], t[1]],
                    })
                })
                .taking(0.15),
            )
            .without_search()
            .part(
                "a-means",
                "E[K_AᵀK_A] = D_σ and E[K_AᵀK_B] = 0",
                holds(),
                |s, m| {
                    let size = s.sigma_squared[0].max(s.sigma_squared[1]);
                    let strengths = [
                        s.sigma_squared[0].into(),
                        Interval::ZERO,
                        Interval::ZERO,
                        s.sigma_squared[1].into(),
                    ];
                    let cross = m
                        .cross
                        .map_or_else(|| vacuous("too wide"), |c| four(c[0], [Interval::ZERO; 4], size));
                    all_of([("AA", four(m.same[0], strengths, size)), ("AB", cross)])
                },
            )
            .part(
                "a-variances",
                "variances σ_p²σ_s²/m (p ≠ s, and all of AB), 2σ_p⁴/m for the norms",
                holds(),
                |s, m| {
                    let size = s.sigma_squared[0].max(s.sigma_squared[1]);
                    let cross = m.cross.map_or_else(
                        || vacuous("too wide"),
                        |c| four(variances(&c), spread(s, false, s.width as f64), size * size),
                    );
                    all_of([
                        (
                            "AA",
                            four(variances(&m.same), spread(s, true, s.width as f64), size * size),
                        ),
                        ("AB", cross),
                    ])
                },
            )
            .because("the limits m → ∞ follow from it by Chebyshev's inequality")
            .control("n1", "K_AᵀK_B has the mean diag(σ²) at the start", |s, m| {
                let strengths = [
                    s.sigma_squared[0].into(),
                    Interval::ZERO,
                    Interval::ZERO,
                    s.sigma_squared[1].into(),
                ];
                m.cross
                    .map_or_else(|| vacuous("too wide"), |c| four(c[0], strengths, 0.0))
            })
            .control("n2", "the variances scale as m^{−2}", |s, m| {
                four(variances(&m.same), spread(s, true, (s.width * s.width) as f64), 0.0)
            }),
    )
    .setting(
        Setting::measuring(|s: &DiagonalStart, _| velocities(s))
            .assume("the structure (7), with noise columns of one norm", |_| true)
            .families(families())
            .without_search()
            .part(
                "c",
                "the velocity of G keeps the structure, for L at every τ² and for \
                     L_nc",
                holds(),
                |s, v| {
                    let (r, d) = (s.signal(), s.signal() + s.noise);
                    all_of([
                        ("L", structured(&v.contrastive, r, d, v.scale)),
                        ("L_nc", structured(&v.plain, r, d, v.scale)),
                    ])
                },
            )
            .step("s2", "Q is diagonal and its noise blocks vanish", holds(), |s, v| {
                let (r, q) = (s.signal(), &v.selection.matrix);
                all_of(
                    (0..q.rows() * q.rows())
                        .map(|k| (k / q.rows(), k % q.rows()))
                        .filter(|(i, j)| i != j || *i >= r)
                        .map(|(i, j)| {
                            (
                                format!("Q ({}, {})", i + 1, j + 1),
                                equal(q.at(i, j), 0.0).on_scale(2.0 * r as f64),
                            )
                        }),
                )
            })
            .when("r + q ≥ 2", |s| s.signal() + s.noise >= 2)
            .control(
                "n3",
                "the structure holds a moment after a start with ⟨[K_A]_1, [K_A]_2⟩ \
                     ≠ 0",
                |s, v| {
                    v.bent.as_ref().map_or_else(
                        || vacuous("one direction"),
                        |g| structured(g, s.signal(), s.signal() + s.noise, 0.0),
                    )
                },
            )
            .control("n4", "kept when AᵀA = 2BᵀB", |s, v| {
                structured(&v.uneven, s.signal(), s.signal() + s.noise, v.scale)
            }),
    )
    .setting(
        Setting::of()
            .assume("r + q ≤ 4", |s: &DiagonalStart| s.signal() + s.noise <= 4)
            .families(families())
            .without_search()
            .step(
                "orbit",
                "the integrated flow of all columns still has the structure at t = \
                     0.3",
                holds(),
                |s, ()| later(s).unwrap_or_else(|e| Evaluation::Failed(e.to_string())),
            ),
    )
}
