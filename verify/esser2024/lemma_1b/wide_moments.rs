//! Inner products of the gradients of random two-layer networks, over a sweep of widths.

use std::fmt;

use contrastive::network::Activation;
use enclosures::linear_algebra::haar_orthonormal;
use enclosures::probability::fill_standard_normal;
use evidence::prelude::*;
use evidence::sweep::Sweep;
use serde::{Deserialize, Serialize};

pub const WIDTHS: [usize; 6] = [64, 128, 256, 512, 1024, 2048];
pub const DRAWS: usize = 40;

/// The four points, and the pairs (x, x′) among them: equal, orthogonal, at an obtuse angle.
pub const POINTS: [[f64; 2]; 4] = [[0.6, 0.8], [1.0, 0.0], [0.0, 1.0], [-0.5, 1.0]];
pub const PAIRS: [(&str, usize, usize); 3] = [("x = x′", 0, 0), ("x ⟂ x′", 1, 2), ("xᵀx′ < 0", 1, 3)];

pub fn inner(pair: (usize, usize)) -> f64 {
    let (x, y) = (POINTS[pair.0], POINTS[pair.1]);
    x[0] * y[0] + x[1] * y[1]
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Instance)]
#[serde(rename_all = "snake_case")]
#[instance(describe = Self::to_string, stored)]
pub enum Scaling {
    /// P1: u_j = h^{−½}w_jᵀφ(W₁x), standard normal weights.
    TangentKernel,
    /// P2: u_j = w_jᵀφ(W₁x), weights N(0, 1/h).
    Unit,
    /// P3: the same with W₁ and W₂ uniform with orthonormal columns.
    Orthonormal,
}

impl fmt::Display for Scaling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Scaling::TangentKernel => "P1: weights N(0, 1), outputs over √h",
            Scaling::Unit => "P2: weights N(0, 1/h)",
            Scaling::Orthonormal => "P3: orthonormal columns",
        })
    }
}

/// An activation and a scaling; widths are swept. Two outputs: every further one is as another pair of two.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(
    describe = "φ = {activation}, {scaling}, d = z = 2, h = {WIDTHS:?}",
    simpler = Self::of_the_identity,
    stored
)]
pub struct Study {
    pub activation: Activation,
    pub scaling: Scaling,
}

impl Study {
    fn of_the_identity(&self) -> Vec<Self> {
        let activation = Activation::Identity;
        let linear = (self.activation != activation).then(|| Study { activation, ..self.clone() });
        linear.into_iter().collect()
    }
}

/// What was seen of one pair in one draw.
#[derive(Clone, Copy)]
pub struct GradientProducts {
    /// ⟨∇u_1(x), ∇u_2(x′)⟩.
    pub off: f64,
    /// The W₁-part and the W₂-part of ⟨∇u_1(x), ∇u_1(x′)⟩.
    pub hidden: f64,
    pub last: f64,
}

impl GradientProducts {
    pub fn total(&self) -> f64 {
        self.hidden + self.last
    }
}

/// By pair, along the width.
pub type SeenByPair = Vec<Sweep<GradientProducts>>;

pub fn measure(study: &Study, trial: &mut Trial) -> Result<SeenByPair, MeasureError> {
    let mut all = PAIRS.map(|_| Vec::new());
    for h in WIDTHS {
        let (prefactor, spread) = match study.scaling {
            Scaling::TangentKernel => (1.0 / h as f64, 1.0),
            Scaling::Unit | Scaling::Orthonormal => (1.0, 1.0 / (h as f64).sqrt()),
        };
        for _ in 0..trial.samples_at_least(DRAWS) {
            let mut weights = [vec![0.0; 2 * h], vec![0.0; 2 * h]];
            for matrix in &mut weights {
                if study.scaling == Scaling::Orthonormal {
                    matrix.copy_from_slice(haar_orthonormal(trial.rng(), h, 2)?.entries());
                } else {
                    fill_standard_normal(trial.rng(), matrix);
                    matrix.iter_mut().for_each(|w| *w *= spread);
                }
            }
            let [first, second] = weights;
            let mut sums = [[0.0; 3]; PAIRS.len()];
            for (w, v) in first.chunks_exact(2).zip(second.chunks_exact(2)) {
                let looks = POINTS.map(|p| study.activation.at(w[0] * p[0] + w[1] * p[1]));
                for (sum, (_, a, b)) in sums.iter_mut().zip(PAIRS) {
                    let slopes = looks[a].1 * looks[b].1;
                    sum[0] += v[0] * v[1] * slopes;
                    sum[1] += v[0] * v[0] * slopes;
                    sum[2] += looks[a].0 * looks[b].0;
                }
            }
            for ((sum, (_, a, b)), rows) in sums.iter().zip(PAIRS).zip(&mut all) {
                let seen = GradientProducts {
                    off: prefactor * sum[0] * inner((a, b)),
                    hidden: prefactor * sum[1] * inner((a, b)),
                    last: prefactor * sum[2],
                };
                rows.push((h as f64, seen));
            }
        }
    }
    Ok(all.map(|rows| Sweep::of("h", rows)).into())
}
