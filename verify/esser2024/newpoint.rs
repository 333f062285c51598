//! New Datapoint: the output at any point follows from the outputs at the eigenvectors.
//!
//! True: u is linear and V orthogonal, x̂ = VVᵀx̂, so u(x̂) = MᵀVVᵀx̂ = qᵀVᵀx̂, at each time of each flow of the weights. With q(t)
//! from (9) instead of the weights it is Theorem 2 that is used.

use enclosures::linear_algebra::{IntervalMatrix, MatrixError};
use enclosures::vectors::points;
use evidence::prelude::*;
use linear_ssl::flow::{FlowError, OutputFlow, WeightFlow};
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

use crate::shared::notation::{EIGENVALUES, EQUATION_NINE, OUTPUTS, STEEPEST};
use crate::shared::orthonormal_network::{
    OrthonormalNetwork, Weights, drawn_networks, entries_agree, generic, named_networks, turn,
};

/// A network and a new point x̂ ∈ ℝ^d.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "{network}, x̂ = {point:?}", valid = Self::fits, simpler = Self::of_simpler_networks, stored)]
struct NewPoint {
    #[instance(nested)]
    network: OrthonormalNetwork,
    #[instance(range = "-1e6..=1e6")]
    point: Vec<f64>,
}

impl NewPoint {
    fn fits(&self) -> Result<(), String> {
        if self.point.len() == self.network.d() {
            Ok(())
        } else {
            Err(format!("a point of dimension {}", self.point.len()))
        }
    }

    fn of_simpler_networks(&self) -> Vec<Self> {
        let networks = self.network.simpler().into_iter();
        networks.map(|network| NewPoint { point: self.point[..network.d()].to_vec(), network }).collect()
    }
}

impl NewPoint {
    fn column(&self) -> Result<IntervalMatrix, MatrixError> {
        IntervalMatrix::new(self.point.len(), 1, points(&self.point))
    }

    fn size(&self) -> f64 {
        self.point.iter().map(|x| x.abs()).sum()
    }
}

struct OutputsAtPoint {
    w: Weights,
    x: IntervalMatrix,
    /// W₂ᵀW₁x̂.
    direct: IntervalMatrix,
    scale: f64,
}

impl OutputsAtPoint {
    fn of(p: &NewPoint) -> Result<Self, MatrixError> {
        let (w, x) = (p.network.weights()?, p.column()?);
        Ok(OutputsAtPoint { direct: w.second.transpose().product(&w.first.product(&x)?)?, scale: p.size(), w, x })
    }

    fn is(&self, right: Result<IntervalMatrix, MatrixError>) -> Evaluation {
        right.map(|r| entries_agree(&self.direct, &r, self.scale)).into()
    }
}

/// W₂ᵀtanh(W₁x).
fn tanh_output(w: &Weights, x: &IntervalMatrix) -> Result<IntervalMatrix, MatrixError> {
    let hidden = w.first.product(x)?;
    let bent =
        IntervalMatrix::new(hidden.rows(), hidden.columns(), hidden.entries().iter().map(|s| s.tanh()).collect())?;
    w.second.transpose().product(&bent)
}

/// u(x̂) from the weights and from q at t = ¼/|λ|max, each by its own flow. The enclosures of an orbit widen exponentially: at twice that time some are
/// wider than what is asked.
fn later(p: &NewPoint) -> Result<Evaluation, FlowError> {
    let (w, x) = (p.network.weights()?, p.column()?);
    let time = 0.25 / w.steepest;
    let steps = w.steps(time);
    let (first, second) = WeightFlow::new(w.c.clone())?.followed(&w.first, &w.second, time, steps)?;
    let q = OutputFlow::printed(p.network.spectrum.clone())?.followed(&w.q, time, steps)?;
    let direct = second.transpose().product(&first.product(&x)?)?;
    let through = q.transpose().product(&w.v.transpose().product(&x)?)?;
    // Orbits are enclosed to 1e-6.
    let entries = direct.entries().iter().zip(through.entries()).enumerate();
    let one = |(k, (&a, &b)): (usize, (&Interval, &Interval))| {
        let output = equal(a, b).on_scale_of("1 + Σ|x̂_i|", 1.0 + p.size()).within(1e-6);
        (format!("output {}", k + 1), output)
    };
    Ok(all_of(entries.map(one)))
}

pub fn claim() -> Claim {
    Claim::new("esser2024.newpoint", "the output at a new point", Kind::Identity)
        .statement("for all x̂ ∈ ℝ^d with α = Vᵀx̂: u_t(x̂) = Σ_i α_i u_t(v_i) = q_tᵀα = q_tᵀVᵀx̂")
        .source("New Datapoint", &["after Theorem 3"])
        .symbols([EIGENVALUES, OUTPUTS, STEEPEST, EQUATION_NINE])
        .symbol("x̂", "any point of ℝ^d, α = Vᵀx̂ ∈ ℝ^d")
        .symbol("W₁", "h×d and W₂ h×z with orthonormal columns; u(x) = W₂ᵀW₁x")
        .symbol("flows of Theorem 2", "W₂′ = −2(I−W₂W₂ᵀ)W₁CW₁ᵀW₂, W₁′ = −2(I−W₁W₁ᵀ)W₂W₂ᵀW₁C")
        .remark("Linearity of u and VVᵀ = I are all that is used; the orthonormality of the weights plays no part.")
        .setting(printed())
        .setting(along_flows())
}

fn printed() -> Setting<NewPoint, OutputsAtPoint> {
    Setting::measuring(|p: &NewPoint, _| Ok(OutputsAtPoint::of(p)?))
        .given("u = W₂ᵀW₁x with orthonormal weights, C = VΛVᵀ symmetric, V orthogonal")
        .family(edge("named", named))
        .family(random("random networks and points", drawn))
        .without_search()
        .part("printed", "W₂ᵀW₁x̂ = Σ_i α_i u(v_i) = qᵀVᵀx̂", holds(), |_, o| {
            let sum = || -> Result<IntervalMatrix, MatrixError> {
                let alpha = o.w.v.transpose().product(&o.x)?;
                o.w.q.transpose().product(&alpha)
            };
            o.is(sum())
        })
        .checked("esser2024.Theorem2.newpoint_printed")
        .control("a", "W₂ᵀW₁x̂ = qᵀVx̂, V not transposed", |_, o| {
            o.is(o.w.v.product(&o.x).and_then(|alpha| o.w.q.transpose().product(&alpha)))
        })
        .control("b", "u(x̂) = Σ_i α_i u(v_i) for u = W₂ᵀtanh(W₁x)", |_, o| {
            let both = || -> Result<Evaluation, MatrixError> {
                let alpha = o.w.v.transpose().product(&o.x)?;
                let through = tanh_output(&o.w, &o.w.v)?.product(&alpha)?;
                Ok(entries_agree(&tanh_output(&o.w, &o.x)?, &through, o.scale))
            };
            both().into()
        })
}

fn along_flows() -> Setting<NewPoint, ()> {
    Setting::of()
        .given(
            "u = W₂ᵀW₁x with orthonormal weights, C = VΛVᵀ symmetric, V orthogonal, the weights on the flows of \
             Theorem 2",
        )
        .family(edge("named", || named().into_iter().step_by(6).collect()))
        .family(random("random networks and points", drawn).taking(0.0625))
        .without_search()
        .part(
            "along-flows",
            "u_t(x̂) = q_tᵀVᵀx̂ at t = ¼/|λ|max, the weights by their flow and q by (9), every output to 10⁻⁶(1 + \
             Σ|x̂_i|)",
            holds(),
            |p, ()| later(p).into(),
        )
}

fn named() -> Vec<(String, NewPoint)> {
    let mut all = Vec::new();
    for (name, network) in named_networks() {
        let d = network.d();
        let point: Vec<f64> = (0..d).map(|k| [1.0, -2.0, 0.5][k % 3]).collect();
        all.push((format!("{name}, x̂ generic"), NewPoint { network, point }));
    }
    let mut rotated = generic(&[-1.0, 0.5, 1.0], 2, 5);
    rotated.rotations = vec![turn(0, 1, 0.5), turn(1, 2, 0.25)];
    for (name, point) in [("0", [0.0; 3]), ("the first basis vector", [1.0, 0.0, 0.0]), ("long", [1e5, -1e5, 3.0])] {
        let network = rotated.clone();
        all.push((format!("C rotated, x̂ = {name}"), NewPoint { network, point: point.to_vec() }));
    }
    all
}

fn drawn() -> impl Strategy<Value = NewPoint> {
    drawn_networks().prop_flat_map(|network| {
        proptest::collection::vec(-2.0..2.0f64, network.d())
            .prop_map(move |point| NewPoint { network: network.clone(), point })
    })
}
