//! Diagonal states of the two views, and directions in which they leave the diagonal manifold (register families I6 and I7).
//!
//! A rate is an analytic function of the small cosines ε·c, so "the rate is linear + O(ε²)" says exactly that its derivative in ε at
//! ε = 0 is the linear form. That derivative is enclosed by dual numbers through the enumerated velocity, at any state: no order of a
//! residual has to be read off a sweep, and no state has to be near another.

use contrapositive::claim::{Evaluation, Family, all_of, at_most, edge, equal, random, vacuous};
use contrapositive::enclosure::Enclosure;
use contrapositive::instance::Instance;
use contrapositive::interval::{Dual, Interval};
use contrapositive::multimodal::{
    Block, DiagonalLaw, DiagonalSelection, DiagonalState, GramState, LatentSizes, Metrics, MultimodalError, Objective,
    Scalar, gram_velocity, observed_orders,
};
use proptest::collection::vec;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

/// A state of the diagonal manifold, the parameters of the flow, and cosines c (to be multiplied by ε) between columns that are
/// orthogonal there.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct NearManifold {
    pub(super) sigma_squared: Vec<f64>,
    pub(super) noise_squared: f64,
    /// Squared norms of the signal columns of both views.
    pub(super) norms_a: Vec<f64>,
    pub(super) norms_b: Vec<f64>,
    /// ρ_p.
    pub(super) correlation: Vec<f64>,
    /// Squared norms of the noise columns of both views.
    pub(super) noise_a: Vec<f64>,
    pub(super) noise_b: Vec<f64>,
    pub(super) tau_squared: f64,
    pub(super) negatives: f64,
    /// One for each pair i < j of the 2d columns [A | A_ξ | B | B_ξ] but the pairs ([K_A]_p, [K_B]_p), row by row; or none at all.
    pub(super) cosines: Vec<f64>,
}

impl Instance for NearManifold {
    fn describe(&self) -> String {
        let mut text = format!(
            "σ² = {:?}, ‖[K_A]_p‖² = {:?}, ‖[K_B]_p‖² = {:?}, ρ = {:?}, τ² = {}, K = {}",
            self.sigma_squared, self.norms_a, self.norms_b, self.correlation, self.tau_squared, self.negatives
        );
        if self.q() > 0 {
            text += &format!(
                ", σ_ξ² = {}, noise {:?} and {:?}",
                self.noise_squared, self.noise_a, self.noise_b
            );
        }
        if self.cosines.iter().any(|&c| c != 0.0) && self.cosines.len() <= 15 {
            text += &format!(", cosines ∝ {:?}", self.cosines);
        }
        text
    }

    fn validate(&self) -> Result<(), String> {
        let (r, q) = (self.r(), self.q());
        if r == 0 || r + q > 64 {
            return Err(format!("r = {r}, q = {q}"));
        }
        let lengths = [self.norms_a.len(), self.norms_b.len(), self.correlation.len()];
        if lengths != [r; 3] || self.noise_b.len() != q {
            return Err("lists of different lengths".into());
        }
        if !self.cosines.is_empty() && self.cosines.len() != pairs(r, r + q).count() {
            return Err(format!("{} cosines", self.cosines.len()));
        }
        let sizes = [
            &self.sigma_squared,
            &self.norms_a,
            &self.norms_b,
            &self.noise_a,
            &self.noise_b,
        ];
        let positive = sizes
            .into_iter()
            .flatten()
            .chain([&self.noise_squared, &self.negatives]);
        for x in positive {
            if !(1e-5..=1e5).contains(x) {
                return Err(format!("{x} is not between 1e-5 and 1e5"));
            }
        }
        if !(0.0..=100.0).contains(&self.tau_squared) {
            return Err(format!("τ² = {}", self.tau_squared));
        }
        match self
            .correlation
            .iter()
            .chain(&self.cosines)
            .find(|c| c.is_nan() || c.abs() > 1.0)
        {
            Some(c) => Err(format!("{c} is not a cosine")),
            None => Ok(()),
        }
    }

    fn simpler(&self) -> Vec<Self> {
        let quiet = |k: usize| {
            let mut less = self.clone();
            less.cosines[k] = 0.0;
            less
        };
        let moving = |&k: &usize| self.cosines[k] != 0.0;
        (0..self.cosines.len()).filter(moving).map(quiet).collect()
    }
}

/// The largest ε of a sweep.
const FIRST: f64 = 0.02;

/// Pairs i < j of columns that are orthogonal on the manifold.
fn pairs(r: usize, d: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..2 * d)
        .flat_map(move |i| (i + 1..2 * d).map(move |j| (i, j)))
        .filter(move |&(i, j)| !(i < r && j == i + d))
}

impl NearManifold {
    pub(super) fn r(&self) -> usize {
        self.sigma_squared.len()
    }

    pub(super) fn q(&self) -> usize {
        self.noise_a.len()
    }

    pub(super) fn d(&self) -> usize {
        self.r() + self.q()
    }

    pub(super) fn objective(&self) -> Objective {
        Objective::Contrastive {
            tau_squared: self.tau_squared,
            negatives: self.negatives,
        }
    }

    /// K_A = K_B in norms, and ρ = 1.
    pub(super) fn is_aligned(&self) -> bool {
        self.has_equal_norms() && self.correlation.iter().all(|&c| c == 1.0)
    }

    pub(super) fn has_equal_norms(&self) -> bool {
        self.norms_a == self.norms_b && self.noise_a == self.noise_b
    }

    /// The cosine of columns i and j, which are not a pair ([K_A]_p, [K_B]_p).
    pub(super) fn cosine(&self, i: usize, j: usize) -> f64 {
        let wanted = (i.min(j), i.max(j));
        let at = pairs(self.r(), self.d()).position(|pair| pair == wanted);
        at.and_then(|k| self.cosines.get(k)).copied().unwrap_or(0.0)
    }

    /// The Gram matrix whose columns i and j that are orthogonal on the manifold have the cosine `cosine(i, j)`.
    pub(super) fn gram_with<T: Scalar>(
        &self,
        cosine: impl Fn(usize, usize) -> T,
    ) -> Result<GramState<T>, MultimodalError> {
        let (r, d) = (self.r(), self.d());
        let norms: Vec<T> = [&self.norms_a, &self.noise_a, &self.norms_b, &self.noise_b]
            .into_iter()
            .flatten()
            .map(|&x| T::from(x))
            .collect();
        let entry = |i: usize, j: usize| {
            let (i, j) = (i.min(j), i.max(j));
            if i == j {
                return norms[i];
            }
            let length = if norms[i] == norms[j] {
                norms[i]
            } else {
                (norms[i] * norms[j]).sqrt()
            };
            if i < r && j == i + d {
                T::from(self.correlation[i]) * length
            } else {
                cosine(i, j) * length
            }
        };
        GramState::new(LatentSizes::new(r, self.q())?, Block::from_fn(2 * d, 2 * d, entry))
    }

    /// The state at distance ε from the manifold, in the direction of the cosines.
    pub(super) fn gram_at<T: Scalar>(&self, epsilon: T) -> Result<GramState<T>, MultimodalError> {
        self.gram_with(|i, j| epsilon * T::from(self.cosine(i, j)))
    }

    /// Whether the state at distance ε is certainly a Gram matrix: the cosines of each column with the others add up to less than
    /// 1 − |ρ| (Gershgorin, applied to the perturbation of the blocks with eigenvalues 1 ± ρ).
    pub(super) fn is_definite_at(&self, epsilon: f64) -> bool {
        let columns = 0..2 * self.d();
        let row = |i: usize| -> f64 {
            columns
                .clone()
                .filter(|&j| j != i)
                .map(|j| self.cosine(i, j).abs())
                .sum()
        };
        let room = self.correlation.iter().map(|c| 1.0 - c.abs()).fold(1.0, f64::min);
        columns.clone().all(|i| 1.001 * epsilon.abs() * row(i) < room)
    }

    pub(super) fn moved<T: Scalar>(&self, state: &GramState<T>) -> Result<GramState<T>, MultimodalError> {
        let metrics = Metrics::orthogonal(state.sizes(), &self.sigma_squared, self.noise_squared)?;
        gram_velocity(state, &metrics, self.objective())
    }

    pub(super) fn law(&self) -> Result<DiagonalLaw, MultimodalError> {
        DiagonalLaw::new(self.sigma_squared.clone(), self.noise_squared, self.q())
    }

    pub(super) fn diagonal(&self) -> DiagonalState<Interval> {
        let points = |list: &[f64]| list.iter().map(|&x| Interval::point(x)).collect();
        let inner = |p: usize| {
            let (a, b) = (self.norms_a[p], self.norms_b[p]);
            let length = if a == b {
                Interval::point(a)
            } else {
                (Interval::point(a) * b).sqrt()
            };
            length * self.correlation[p]
        };
        DiagonalState {
            a: points(&self.norms_a),
            b: points(&self.norms_b),
            h: (0..self.r()).map(inner).collect(),
            noise_a: points(&self.noise_a),
            noise_b: points(&self.noise_b),
        }
    }

    pub(super) fn base(&self) -> Result<Base, MultimodalError> {
        let by = self.law()?.selection(&self.diagonal(), self.objective())?;
        let roots = |list: &[f64]| list.iter().map(|&x| Interval::point(x).sqrt()).collect();
        Ok(Base {
            normalisers: (by.normalisers_squared[0] * by.normalisers_squared[1]).sqrt(),
            tanh: by.arguments.iter().map(|x| x.tanh()).collect(),
            alpha: roots(&self.norms_a),
            beta: roots(&self.norms_b),
            by,
        })
    }

    /// The velocity of the states along the direction, with its derivative in ε at ε = 0.
    pub(super) fn leaving(&self) -> Result<Leaving, MultimodalError> {
        let [epsilon] = Dual::variables([Interval::ZERO]);
        let state = self.gram_at(epsilon)?;
        let base = self.base()?;
        let noise = if self.q() > 0 {
            self.noise_squared * self.r() as f64 / self.q() as f64
        } else {
            0.0
        };
        let fastest = self.sigma_squared.iter().copied().fold(noise, f64::max);
        let [na, nb] = base.by.normalisers_squared;
        Ok(Leaving {
            moved: self.moved(&state)?,
            state,
            unit: fastest * base.by.rest.magnitude() / na.min(nb).lo(),
            base,
        })
    }

    /// "max_k |quantity_k(ε) − quantity_k(0) − ε·slope_k| is O(ε²)": over ε², the residual has ceased to grow as ε is halved five times from 0.02 (a
    /// first-order rest would double it each time). It may pass through zero on the way, so a single ratio says little.
    pub(super) fn residual_order(
        &self,
        quantities: impl Fn(&GramState<f64>, &GramState<f64>) -> Vec<f64>,
        slopes: &[f64],
    ) -> Evaluation {
        let of = |epsilon: f64| -> Option<Vec<f64>> {
            let state = self.gram_at(epsilon).ok()?;
            Some(quantities(&state, &self.moved(&state).ok()?))
        };
        let Some(start) = of(0.0) else {
            return Evaluation::Failed("no velocity on the manifold".into());
        };
        let residual = |epsilon: f64| {
            let now = of(epsilon).unwrap_or_default();
            let gaps = now
                .iter()
                .zip(&start)
                .zip(slopes)
                .map(|((x, x0), s)| (x - x0 - epsilon * s).abs());
            gaps.fold(0.0, f64::max)
        };
        let Some(orders) = observed_orders(residual, FIRST, 5) else {
            return vacuous("the residual is zero");
        };
        let over_square = |k: i32| residual(FIRST / f64::from(1 << k)) * f64::from(1 << (2 * k));
        let earlier = (0..5).map(over_square).fold(0.0, f64::max);
        at_most(over_square(5), 1.5 * earlier)
            .as_trend()
            .noting(format!("orders {orders:.3?}"))
    }
}

/// What the first-order formulas are made of: the quantities of Section 0.4 of the register at the manifold state.
pub(super) struct Base {
    pub(super) by: DiagonalSelection<Interval>,
    /// N_A N_B.
    pub(super) normalisers: Interval,
    /// T_p.
    pub(super) tanh: Vec<Interval>,
    /// ‖[K_A]_p‖ and ‖[K_B]_p‖.
    pub(super) alpha: Vec<Interval>,
    pub(super) beta: Vec<Interval>,
}

impl Base {
    /// S̄.
    pub(super) fn share(&self) -> Interval {
        1.0 - self.by.rest
    }

    /// c_p of view A: q_p σ_p² β_p/(N_A N_B α_p).
    pub(super) fn pull_a(&self, s: &NearManifold, p: usize) -> Interval {
        self.by.pulls[p] * s.sigma_squared[p] * self.beta[p] / (self.normalisers * self.alpha[p])
    }

    /// The same for view B.
    pub(super) fn pull_b(&self, s: &NearManifold, p: usize) -> Interval {
        self.by.pulls[p] * s.sigma_squared[p] * self.alpha[p] / (self.normalisers * self.beta[p])
    }

    /// E_{ps} = τ²⟨[K_A]_p,[K_B]_s⟩/(N_A N_B), per ε.
    fn off_diagonal(&self, s: &NearManifold, p: usize, l: usize) -> Interval {
        self.alpha[p] * self.beta[l] * s.tau_squared * s.cosine(p, s.d() + l) / self.normalisers
    }

    /// [Q_1]_{pl} to first order (Lemma C.5), per ε.
    pub(super) fn q1(&self, s: &NearManifold, p: usize, l: usize) -> Interval {
        let (tp, tl, rest) = (self.tanh[p], self.tanh[l], self.by.rest);
        let (there, back) = (self.off_diagonal(s, p, l), self.off_diagonal(s, l, p));
        let bracket = (2.0 - tp - tl) * (there + back)
            - tp * (there * (1.0 - tl) + back * (1.0 - tp))
            - tl * (there * (1.0 - tp) + back * (1.0 - tl));
        let sum = self.share() * rest * bracket + rest * (2.0 - tp.square() - tl.square()) * back;
        -(sum / s.r() as f64)
    }

    /// g_p.
    pub(super) fn g(&self, s: &NearManifold, p: usize) -> Interval {
        let t = self.tanh[p];
        let inner = self.share() * (2.0 - 2.0 * t + t.square()) + 2.0 - t.square();
        self.by.rest * inner / s.q() as f64
    }
}

/// A state of the manifold with ε as the variable of differentiation.
pub(super) struct Leaving {
    pub(super) state: GramState<Dual<1>>,
    pub(super) moved: GramState<Dual<1>>,
    pub(super) base: Base,
    /// The size (1−S̄) max σ²/N² of what cancels in a rate that vanishes: the scale on which it is zero.
    pub(super) unit: f64,
}

impl Leaving {
    /// The time derivative of the cosine of columns i and j: its value on the manifold and its slope in ε.
    pub(super) fn cosine(&self, i: usize, j: usize) -> (Interval, Interval) {
        let rate = cosine_rate(&self.state, &self.moved, i, j);
        (rate.value, rate.slopes[0])
    }

    /// The time derivative of the logarithm of the squared norm of column i, in the same way.
    pub(super) fn log_norm(&self, i: usize) -> (Interval, Interval) {
        let rate = log_norm_rate(&self.state, &self.moved, i);
        (rate.value, rate.slopes[0])
    }
}

/// The time derivative of the cosine of columns i and j of the 2d columns.
pub(super) fn cosine_rate<T: Scalar>(state: &GramState<T>, moved: &GramState<T>, i: usize, j: usize) -> T {
    let (g, v) = (state.gram(), moved.gram());
    let length = (g.at(i, i) * g.at(j, j)).sqrt();
    let shrink = log_norm_rate(state, moved, i) + log_norm_rate(state, moved, j);
    v.at(i, j) / length - g.at(i, j) / length * shrink / T::from(2.0)
}

/// d/dt log ‖column i‖².
pub(super) fn log_norm_rate<T: Scalar>(state: &GramState<T>, moved: &GramState<T>, i: usize) -> T {
    moved.gram().at(i, i) / state.gram().at(i, i)
}

/// "This slope is the sum of these terms", on the scale of the largest of them but not below `least`.
fn is_sum(slope: Interval, terms: &[Interval], least: f64) -> Evaluation {
    let total: Interval = terms.iter().copied().sum();
    let scale = terms.iter().map(|t| t.magnitude()).fold(least, f64::max);
    equal(Enclosure::from(slope), Enclosure::from(total)).on_scale(scale)
}

/// Ordered pairs p ≠ s below r.
pub(super) fn ordered_pairs(r: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..r).flat_map(move |p| (0..r).filter(move |&s| s != p).map(move |s| (p, s)))
}

/// "d/dt cos(i, j) vanishes on the manifold and its slope is the sum of these terms", for every listed pair of columns.
pub(super) fn slopes_are(
    leaving: &Leaving,
    listed: impl IntoIterator<Item = (usize, usize)>,
    terms: impl Fn(usize, usize) -> Vec<Interval>,
) -> Evaluation {
    all_of(listed.into_iter().map(|(i, j)| {
        let (value, slope) = leaving.cosine(i, j);
        let terms = terms(i, j);
        let on_it = equal(Enclosure::from(value), 0.0).on_scale(leaving.unit);
        (
            format!("columns {i}, {j}"),
            all_of([
                ("on the manifold", on_it),
                ("slope", is_sum(slope, &terms, 1e-3 * leaving.unit)),
            ]),
        )
    }))
}

/// Sizes (r, q) with at least `r` signal and `q` noise coordinates.
fn shapes(r: usize, q: usize) -> Vec<(usize, usize)> {
    let all = [(1, 0), (1, 1), (2, 0), (1, 2), (2, 1), (3, 0), (2, 2), (3, 1), (1, 3)];
    all.into_iter().filter(|&(a, b)| a >= r && b >= q).collect()
}

/// States of a given shape: the alignment of the views is one of the three of [`Views`].
pub(super) fn drawn(least: (usize, usize), views: Views) -> impl Strategy<Value = NearManifold> {
    let list = shapes(least.0, least.1);
    (0..list.len()).prop_flat_map(move |k| of_shape(list[k], views))
}

/// How the two views are related.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Views {
    /// Equal norms and ρ = 1.
    Aligned,
    /// Equal norms, any ρ.
    EqualNorms,
    /// Any norms and ρ.
    Any,
}

pub(super) fn of_shape((r, q): (usize, usize), views: Views) -> impl Strategy<Value = NearManifold> {
    let signal = (
        vec(0.2..4.0f64, r),
        vec(0.2..4.0f64, r),
        vec(0.2..4.0f64, r),
        vec(-1.0..1.0f64, r),
    );
    let noise = (vec(0.02..1.5f64, q), vec(0.02..1.5f64, q));
    let count = pairs(r, r + q).count();
    (
        signal,
        noise,
        vec(-1.0..1.0f64, count),
        0.1..3.0f64,
        0.05..8.0f64,
        0.2..5.0f64,
    )
        .prop_map(
            move |(
                (sigma_squared, norms_a, other, correlation),
                (noise_a, other_noise),
                cosines,
                noise_squared,
                tau_squared,
                negatives,
            )| {
                let equal = views != Views::Any;
                NearManifold {
                    sigma_squared,
                    noise_squared,
                    norms_b: if equal { norms_a.clone() } else { other },
                    norms_a,
                    correlation: if views == Views::Aligned {
                        vec![1.0; r]
                    } else {
                        correlation
                    },
                    noise_b: if equal { noise_a.clone() } else { other_noise },
                    noise_a,
                    tau_squared,
                    negatives,
                    cosines,
                }
            },
        )
}

/// States on the manifold alone, with up to eight signals.
pub(super) fn on_manifold(noise: std::ops::Range<usize>, views: Views) -> impl Strategy<Value = NearManifold> {
    (1usize..9, noise)
        .prop_flat_map(move |shape| of_shape(shape, views))
        .prop_map(|s| NearManifold {
            cosines: Vec::new(),
            ..s
        })
}

/// An aligned state with given strengths and squared norms.
pub(super) fn aligned(sigma: &[f64], kappa: &[f64], noise: (f64, &[f64]), tau: f64, k: f64) -> NearManifold {
    let (r, d) = (sigma.len(), sigma.len() + noise.1.len());
    let pattern = |(i, j): (usize, usize)| match (7 * i + 3 * j) % 5 {
        0 => 1.0,
        1 => -0.5,
        2 => 0.25,
        3 => -1.0,
        _ => 0.75,
    };
    NearManifold {
        sigma_squared: sigma.to_vec(),
        noise_squared: noise.0,
        norms_a: kappa.to_vec(),
        norms_b: kappa.to_vec(),
        correlation: vec![1.0; r],
        noise_a: noise.1.to_vec(),
        noise_b: noise.1.to_vec(),
        tau_squared: tau,
        negatives: k,
        cosines: pairs(r, d).map(pattern).collect(),
    }
}

/// Named aligned states, and states with unequal norms and angles; every shape that has at least `least` coordinates.
pub(super) fn named(least: (usize, usize)) -> Family<NearManifold> {
    edge("named states", move || {
        let mut apart = aligned(&[2.0, 1.0], &[1.5, 0.6], (0.5, &[0.4, 0.1]), 2.0, 0.5);
        apart.norms_b = vec![0.7, 2.0];
        apart.noise_b = vec![0.2, 0.3];
        apart.correlation = vec![0.8, -0.3];
        let list = vec![
            ("one signal", aligned(&[1.0], &[1.0], (1.0, &[]), 1.0, 1.0)),
            (
                "one signal, one noise",
                aligned(&[2.0], &[1.0], (0.5, &[0.3]), 2.5, 2.0),
            ),
            (
                "two signals, equal",
                aligned(&[1.0, 1.0], &[1.0, 1.0], (1.0, &[]), 1.0, 1.0),
            ),
            ("two signals", aligned(&[2.0, 1.0], &[3.0, 0.5], (1.0, &[]), 1.5, 2.0)),
            (
                "two signals, T near 1",
                aligned(&[0.5, 3.0], &[3.0, 0.5], (1.0, &[]), 8.0, 0.5),
            ),
            ("small τ²", aligned(&[2.0, 1.0], &[1.0, 2.0], (1.0, &[0.4]), 0.01, 2.0)),
            (
                "two signals, two noises",
                aligned(&[2.0, 1.0], &[1.0, 0.4], (0.7, &[0.3, 0.6]), 2.5, 2.0),
            ),
            (
                "three signals, one noise",
                aligned(&[1.0, 2.0, 0.5], &[2.0, 1.0, 0.3], (0.4, &[0.2]), 2.0, 1.0),
            ),
            (
                "one signal, three noises",
                aligned(&[1.5], &[0.8], (0.4, &[0.2, 0.5, 1.0]), 1.0, 3.0),
            ),
            ("views apart", apart),
        ];
        list.into_iter()
            .filter(|(_, s)| s.r() >= least.0 && s.q() >= least.1)
            .collect()
    })
}

/// The named and the random states for identities of first order.
pub(super) fn near_states(least: (usize, usize)) -> [Family<NearManifold>; 3] {
    [
        named(least),
        random("aligned", move || drawn(least, Views::Aligned)).taking(0.5),
        random("any norms and angles", move || drawn(least, Views::Any)).taking(0.5),
    ]
}
