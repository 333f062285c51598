//! Section 5.2, after eq. (7): the dynamics depend on the initialisation only through norms and inner products of
//! the columns.
//!
//! True for both losses, and without the orthogonality hypotheses too: 𝐊̇ = 𝐊R with R a function of G = 𝐊ᵀ𝐊 (and of
//! the data), so Ġ = RᵀG + GR is a closed equation; the field is smooth where N_A, N_B > 0, so that equal G(0) gives
//! equal G(t).

use enclosures::initial_value::{Tolerance, solve};
use enclosures::linear_algebra::PlaneRotation;
use evidence::prelude::*;
use two_view::{
    Features, MatrixBlock, Metrics, MultimodalError, Objective, TwoViewData, View, feature_velocity, gram_orbit,
    gram_velocity, loss_gradient,
};

use crate::shared::differentiated_loss::{agree, largest};
use crate::shared::hypotheses::{ORTHOGONAL, over_warm_models};
use crate::shared::notation::{AGREEMENT, GRAM, LOSS_WITHOUT_NEGATIVES, MOTION, Q_BLOCKS, Q_SCALAR, SIZES};
use crate::shared::two_views::TwoViews;

/// W ↦ UW with the first m columns U of an orthogonal matrix of size m + 2.
fn lifted(weights: &MatrixBlock<Interval>) -> Result<MatrixBlock<Interval>, MeasureError> {
    let (m, wide) = (weights.rows(), weights.rows() + 2);
    let turn = |k: usize| PlaneRotation { first: k % wide, second: (k + 1) % wide, half_tangent: 1.0 / (k + 2) as f64 };
    let frame = PlaneRotation::product_of(wide, &(0..2 * wide).map(turn).collect::<Vec<_>>())?;
    let columns = MatrixBlock::from_fn(wide, m, |i, j| frame.entries()[i * wide + j]);
    Ok(columns.product(weights)?)
}

struct GramSides {
    /// 𝐊̇ᵀ𝐊 + 𝐊ᵀ𝐊̇ by automatic differentiation, at width m and at width m + 2, for L and for L_nc.
    direct: [[MatrixBlock<Interval>; 2]; 2],
    /// Ġ from G alone.
    closed: [MatrixBlock<Interval>; 2],
    /// The same for the start with −f_B in place of f_B: equal norms, other inner products.
    opposed: MatrixBlock<Interval>,
    scale: f64,
}

fn product_rule(
    data: &TwoViewData<Interval>,
    weights: [&MatrixBlock<Interval>; 2],
    objective: Objective,
    speed: f64,
) -> Result<MatrixBlock<Interval>, MultimodalError> {
    let gradient = loss_gradient(data, weights, objective)?;
    let moved = |view: View| -> Result<MatrixBlock<Interval>, MultimodalError> {
        Ok(gradient[view as usize].product(data.map(view))?.scaled(Interval::point(-1.0) * speed))
    };
    let velocity = moved(View::A)?.beside(&moved(View::B)?)?;
    let features = data.features(weights[0], weights[1])?;
    let half = features.stacked().transpose().product(&velocity)?;
    half.plus(&half.transpose())
}

fn sides(v: &TwoViews) -> Result<GramSides, MeasureError> {
    if v.tau_squared == 0.0 {
        return Err("at τ = 0 the flow of L is a limit, which the gradients of the weights do not show".into());
    }
    let (data, w) = (v.data()?, [v.weights(View::A), v.weights(View::B)]);
    let wide = [lifted(&w[0])?, lifted(&w[1])?];
    let state = data.features(&w[0], &w[1])?.gram();
    let metrics = Metrics::of(&data);
    let r = v.signal as f64;
    let each = |objective: Objective,
                speed: f64|
     -> Result<([MatrixBlock<Interval>; 2], MatrixBlock<Interval>), MeasureError> {
        let both = [
            product_rule(&data, [&w[0], &w[1]], objective, speed)?,
            product_rule(&data, [&wide[0], &wide[1]], objective, speed)?,
        ];
        Ok((both, gram_velocity(&state, &metrics, objective)?.gram().clone()))
    };
    let (contrastive, first) = each(v.contrastive(), r / v.tau_squared)?;
    let (plain, second) = each(Objective::NonContrastive, r)?;
    let turned = w[1].scaled(-Interval::ONE);
    let opposed = gram_velocity(&data.features(&w[0], &turned)?.gram(), &metrics, v.contrastive())?.gram().clone();
    let squares = [View::A, View::B].map(|view| state.normaliser_squared(view).map_or(0.0, |n| n.lo()));
    let fastest = largest(&data.metric(View::A)).max(largest(&data.metric(View::B))) * (v.signal + v.noise) as f64;
    Ok(GramSides {
        scale: 8.0 * fastest * largest(state.gram()) * r * r / squares[0].min(squares[1]),
        direct: [contrastive, plain],
        closed: [first, second],
        opposed,
    })
}

/// Where the flow is too fast to be followed cheaply.
const FAST: &str = "2 max |entry of AᵀA or BᵀB|/min(N_A², N_B²) > 100 at the start";
/// Where the solver did not reach ten digits.
const UNREACHED: &str =
    "the solver's estimate of its error is above 10⁻¹⁰ of the largest entry of G(0), or of 1 if that is larger";
/// A step of the solver may overshoot to where the loss is not defined.
const LEFT: &str = "a step of the solver meets N_A = 0 or N_B = 0, or cannot be made";

/// The flow of the features at width m and at width m + 2, and of G itself, at time 0.2.
fn trajectories(v: &TwoViews, objective: Objective) -> Result<Evaluation, MeasureError> {
    let (data, w) = (v.data()?, [v.weights(View::A), v.weights(View::B)]);
    let near = |b: &MatrixBlock<Interval>| b.map(|x| x.midpoint());
    let metrics = Metrics::new(near(&data.metric(View::A)), near(&data.metric(View::B)))?;
    let starts = [data.features(&w[0], &w[1])?, data.features(&lifted(&w[0])?, &lifted(&w[1])?)?];
    let squares = [View::A, View::B].map(|view| starts[0].gram().normaliser_squared(view).map_or(0.0, |n| n.lo()));
    let fastest = largest(&data.metric(View::A)).max(largest(&data.metric(View::B))) * 2.0 / squares[0].min(squares[1]);
    if fastest > 100.0 {
        return Ok(vacuous(FAST));
    }
    let sizes = data.sizes();
    let run = |f: &Features<Interval>| -> Result<(MatrixBlock<f64>, f64), MultimodalError> {
        let (rows, columns) = (f.stacked().rows(), f.stacked().columns());
        let velocity = |_: f64, x: &[f64]| -> Result<Vec<f64>, MultimodalError> {
            let now = Features::new(sizes, MatrixBlock::new(rows, columns, x.to_vec())?)?;
            Ok(feature_velocity(&now, &metrics, objective)?.stacked().entries().to_vec())
        };
        let orbit = solve(velocity, near(f.stacked()).entries(), &[0.2], Tolerance::of(1e-11))?;
        let end = MatrixBlock::new(rows, columns, orbit.states.into_iter().next().unwrap_or_default())?;
        Ok((end.gram(), orbit.error))
    };
    let (narrow, wide) = (run(&starts[0])?, run(&starts[1])?);
    let start = two_view::GramState::new(sizes, near(starts[0].gram().gram()))?;
    let own = gram_orbit(&start, &metrics, objective, &[0.2], 1e-11)?;
    let scale = largest(starts[0].gram().gram()).max(1.0);
    let reached = [narrow.1, wide.1, own.error].iter().all(|e| *e <= 1e-10 * scale);
    if !reached {
        return Ok(vacuous(UNREACHED));
    }
    let end = own.states.first().map(|s| s.gram().clone()).unwrap_or(narrow.0.clone());
    let parts = narrow.0.entries().iter().zip(wide.0.entries()).zip(end.entries());
    // Each run agrees with a coarser one to 1e-10; entries of the Gram matrix double that.
    let same = |x: f64, y: f64| {
        equal(Enclosure::measured(x), Enclosure::measured(y))
            .on_scale_of("the terms before they cancel", scale)
            .within(2e-9)
    };
    Ok(all_of(
        parts
            .flat_map(|((&n, &w), &g)| [("width m against m + 2", same(n, w)), ("features against G", same(n, g))])
            .collect::<Vec<_>>(),
    ))
}

fn pointwise(s: &GramSides) -> Evaluation {
    all_of(["L", "L_nc"].into_iter().zip(0..2).flat_map(|(name, k)| {
        [
            (format!("{name}, width m"), agree(&s.direct[k][0], &s.closed[k], s.scale)),
            (format!("{name}, width m + 2"), agree(&s.direct[k][1], &s.closed[k], s.scale)),
        ]
    }))
}

pub fn claim() -> Claim {
    Claim::new("ren2023.gram-closure", "the dynamics depend on norms and inner products only", Kind::Dynamics)
        .statement(
            "if two initialisations, of any widths, have the same Gram matrix G(0), then G(t) agrees for all t, for \
             both losses",
        )
        .source("Section 5.2", &["the sentence after eq. (7)"])
        .symbols([SIZES, LOSS_WITHOUT_NEGATIVES, GRAM, AGREEMENT, Q_BLOCKS, Q_SCALAR])
        .symbol("Ġ", MOTION)
        .symbol("m + 2", "weights UW_A and UW_B with one (m + 2) × m matrix U, UᵀU = I")
        .symbol(
            "R(G)",
            "the R of 𝐊̇ = 𝐊R, that is [K̇_A | K̇_{A,ξ}] = [K_B | K_{B,ξ}]QXᵀX/(N_AN_B) − Q_0[K_A | K_{A,ξ}]PXᵀX/N_A² \
             with X = [A | A_ξ], P = diag(I, (r/q)I), and the same for B with X = [B | B_ξ] and Qᵀ; for L_nc Q_1 = I, \
             the other blocks of Q are 0 and Q_0 = Ψ; Q, Q_0, N_A, N_B are functions of G",
        )
        .remark(
            "The words leave one reading. Proof: 𝐊̇ = 𝐊R(G), so that Ġ = RᵀG + GR, a smooth field where N_A, N_B > 0; \
             solutions are unique.",
        )
        .setting(printed())
        .setting(orbit())
}

fn printed() -> Setting<TwoViews, GramSides> {
    over_warm_models(Setting::measuring(|v: &TwoViews, _| sides(v)))
        .assume(Hypothesis::new("d ≤ 4", |v| v.signal + v.noise <= 4))
        .without_search()
        .part(
            "printed",
            "Ġ = 𝐊̇ᵀ𝐊 + 𝐊ᵀ𝐊̇ by the gradients of the weights is RᵀG + GR with one R(G), at width m and at m + 2, for L \
             and for L_nc",
            holds(),
            |_, s| pointwise(s),
        )
        .checked("ren2023.GramClosure.gram_closure_any_maps")
        .assume(ORTHOGONAL)
        .sharpening(
            "any-maps",
            "for arbitrary maps, H-orth or not, Ġ by the gradients of the weights is RᵀG + GR with one R(G), at width \
             m and at m + 2, for L and for L_nc",
            holds(),
            |_, s| pointwise(s),
        )
        .checked("ren2023.GramClosure.gram_closure_any_maps")
        .control(
            "n1",
            "norms alone decide: the start with −f_B in place of f_B has the same derivatives of the norms",
            |v, s| {
                let d = v.signal + v.noise;
                for_each_index("column", 0..2 * d, |k| {
                    equal(s.closed[0].at(k, k), s.opposed.at(k, k)).on_scale_of("the terms before they cancel", s.scale)
                })
            },
        )
}

fn orbit() -> Setting<TwoViews, ()> {
    over_warm_models(Setting::of())
        .assume(Hypothesis::new("d ≤ 3", |v| v.signal + v.noise <= 3))
        .without_search()
        .step(
            "orbit",
            "features at the widths m and m + 2, and G by Ġ = RᵀG + GR, arrive at the same G(0.2), for L and for L_nc, \
             entry by entry to 2·10⁻⁹ of the largest entry of G(0), or of 1 if that is larger",
            holds(),
            |v, ()| {
                // A step of the solver may overshoot to where the loss is not defined.
                let unfollowed = |_| vacuous(LEFT);
                let run = |objective| trajectories(v, objective).unwrap_or_else(unfollowed);
                all_of([("L", run(v.contrastive())), ("L_nc", run(Objective::NonContrastive))])
            },
        )
        .assume(ORTHOGONAL)
        .except(FAST)
        .except(UNREACHED)
        .except(LEFT)
}
