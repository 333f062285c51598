//! First-order statements about the velocity near the diagonal manifold, judged by its derivative.
//! A rate is an analytic function of the small cosines ε·c, so "the rate is linear + O(ε²)" says exactly that its
//! derivative in ε at ε = 0 is the linear form. That derivative is enclosed by dual numbers through the enumerated
//! velocity, at any state: no order of a residual has to be read off a sweep, and no state has to be near another.

use enclosures::interval::Dual;
use enclosures::vectors::largest_magnitude;
use evidence::prelude::*;
use two_view::{DiagonalSelection, GramState, MultimodalError, Scalar};

use super::manifold_directions::ManifoldDirection;

/// What `Leaving::unit` is.
pub const UNIT: &str = "(1−S̄) max_p(σ_p², σ_ξ²r/q)/min(N_A², N_B²)";

impl ManifoldDirection {
    pub fn base(&self) -> Result<Base, MultimodalError> {
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

    /// The largest σ_p² or σ_ξ² over the smaller of N_A² and N_B²: no entry of the Gram matrix moves faster by more than a constant.
    pub fn fastest_rate(&self) -> Result<Interval, MultimodalError> {
        let noise = if self.q() > 0 { self.noise_squared * self.r() as f64 / self.q() as f64 } else { 0.0 };
        let fastest = self.sigma_squared.iter().copied().fold(noise, f64::max);
        let [na, nb] = self.base()?.by.normalisers_squared;
        Ok(Interval::point(fastest) / na.min(nb))
    }

    /// The velocity of the states along the direction, with its derivative in ε at ε = 0.
    pub fn leaving(&self) -> Result<Leaving, MultimodalError> {
        let [epsilon] = Dual::variables([Interval::ZERO]);
        let state = self.gram_at(epsilon)?;
        let base = self.base()?;
        Ok(Leaving {
            moved: self.moved(&state)?,
            state,
            unit: self.fastest_rate()?.hi() * base.by.rest.magnitude(),
            base,
        })
    }
}

/// What the first-order formulas are made of: the quantities of Section 0.4 of the register at the manifold state.
pub struct Base {
    pub by: DiagonalSelection<Interval>,
    /// N_A N_B.
    pub normalisers: Interval,
    /// T_p.
    pub tanh: Vec<Interval>,
    /// ‖[K_A]_p‖ and ‖[K_B]_p‖.
    pub alpha: Vec<Interval>,
    pub beta: Vec<Interval>,
}

impl Base {
    /// S̄.
    pub fn share(&self) -> Interval {
        1.0 - self.by.rest
    }

    /// c_p of view A: q_p σ_p² β_p/(N_A N_B α_p).
    pub fn pull_a(&self, s: &ManifoldDirection, p: usize) -> Interval {
        self.by.pulls[p] * s.sigma_squared[p] * self.beta[p] / (self.normalisers * self.alpha[p])
    }

    /// c_p as printed for aligned states: q_pσ_p²/N².
    pub fn aligned_pull(&self, s: &ManifoldDirection, p: usize) -> Interval {
        self.by.pulls[p] * s.sigma_squared[p] / self.normalisers
    }

    /// The same as `pull_a` for view B.
    pub fn pull_b(&self, s: &ManifoldDirection, p: usize) -> Interval {
        self.by.pulls[p] * s.sigma_squared[p] * self.alpha[p] / (self.normalisers * self.beta[p])
    }

    /// E_{ps} = τ²⟨[K_A]_p,[K_B]_s⟩/(N_A N_B), per ε.
    fn off_diagonal(&self, s: &ManifoldDirection, p: usize, l: usize) -> Interval {
        self.alpha[p] * self.beta[l] * s.tau_squared * s.cosine(p, s.d() + l) / self.normalisers
    }

    /// [Q_1]_{pl} to first order (Lemma C.5), per ε.
    pub fn q1(&self, s: &ManifoldDirection, p: usize, l: usize) -> Interval {
        let (tp, tl, rest) = (self.tanh[p], self.tanh[l], self.by.rest);
        let (there, back) = (self.off_diagonal(s, p, l), self.off_diagonal(s, l, p));
        let bracket = (2.0 - tp - tl) * (there + back)
            - tp * (there * (1.0 - tl) + back * (1.0 - tp))
            - tl * (there * (1.0 - tp) + back * (1.0 - tl));
        let sum = self.share() * rest * bracket + rest * (2.0 - tp.square() - tl.square()) * back;
        -(sum / s.r() as f64)
    }

    /// g_p.
    pub fn g(&self, s: &ManifoldDirection, p: usize) -> Interval {
        let t = self.tanh[p];
        let inner = self.share() * (2.0 - 2.0 * t + t.square()) + 2.0 - t.square();
        self.by.rest * inner / s.q() as f64
    }
}

/// A state of the manifold with ε as the variable of differentiation.
pub struct Leaving {
    pub state: GramState<Dual<1>>,
    pub moved: GramState<Dual<1>>,
    pub base: Base,
    /// The size (1−S̄) max σ²/N² of what cancels in a rate that vanishes: the scale on which it is zero.
    pub unit: f64,
}

impl Leaving {
    /// The time derivative of the cosine of columns i and j: its value on the manifold and its slope in ε.
    pub fn cosine(&self, i: usize, j: usize) -> (Interval, Interval) {
        let rate = cosine_rate(&self.state, &self.moved, i, j);
        (rate.value, rate.slopes[0])
    }

    /// The time derivative of the logarithm of the squared norm of column i, in the same way.
    pub fn log_norm(&self, i: usize) -> (Interval, Interval) {
        let rate = log_norm_rate(&self.state, &self.moved, i);
        (rate.value, rate.slopes[0])
    }
}

/// The time derivative of the cosine of columns i and j of the 2d columns.
pub fn cosine_rate<T: Scalar>(state: &GramState<T>, moved: &GramState<T>, i: usize, j: usize) -> T {
    let (g, v) = (state.gram(), moved.gram());
    let length = (g.at(i, i) * g.at(j, j)).sqrt();
    let shrink = log_norm_rate(state, moved, i) + log_norm_rate(state, moved, j);
    v.at(i, j) / length - g.at(i, j) / length * shrink / T::from(2.0)
}

/// d/dt log ‖column i‖².
pub fn log_norm_rate<T: Scalar>(state: &GramState<T>, moved: &GramState<T>, i: usize) -> T {
    moved.gram().at(i, i) / state.gram().at(i, i)
}

/// How small the summands may be beside the unit of a rate: below that the rounding of the enumerated velocity, which adds up and cancels numbers of
/// the size of the unit, is not told from a difference. (Chosen: at a thousandth one of the 86 instances of seed 888006 was undecided.)
const LEAST_SHARE: f64 = 1e-2;

/// "This slope is the sum of these terms", on the scale of the largest of them but not below `least`.
fn is_sum(slope: Interval, terms: &[Interval], least: f64) -> Evaluation {
    let total: Interval = terms.iter().copied().sum();
    let scale = largest_magnitude(terms).max(least);
    equal(slope, total)
        .on_scale_of("the largest summand (at least 10⁻²(1−S̄) max_p(σ_p², σ_ξ²r/q)/min(N_A², N_B²))", scale)
}

/// Ordered pairs p ≠ s below r.
pub fn ordered_pairs(r: usize) -> impl Iterator<Item = (usize, usize)> {
    pairs(0..r, 0..r).filter(|(p, s)| p != s)
}

/// "d/dt cos(i, j) vanishes on the manifold and its slope is the sum of these terms", for every listed pair of columns.
pub fn slopes_are(
    leaving: &Leaving,
    listed: impl IntoIterator<Item = (usize, usize)>,
    terms: impl Fn(usize, usize) -> Vec<Interval>,
) -> Evaluation {
    for_each_index("columns", listed, |(i, j)| {
        let (value, slope) = leaving.cosine(i, j);
        let terms = terms(i, j);
        let on_it = equal(value, 0).on_scale_of(UNIT, leaving.unit);
        all_of([("on the manifold", on_it), ("slope", is_sum(slope, &terms, LEAST_SHARE * leaving.unit))])
    })
}

#[cfg(test)]
mod tests {
    use evidence::judge::{Judgement, judge};
    use two_view::FeatureSelection;

    use super::*;
    use crate::shared::manifold_families::{aligned, named_states};

    /// States on both sides of the manifold know nothing of dual numbers.
    #[test]
    fn slopes_are_differences_across_the_manifold() {
        for (name, s) in named_states() {
            let (leaving, step) = (s.leaving().expect("it moves"), 1e-4);
            let rates = |epsilon: f64, i: usize, j: usize| {
                let state = s.gram_at(Interval::point(epsilon)).expect("sizes fit");
                let moved = s.moved(&state).expect("it moves");
                [cosine_rate(&state, &moved, i, j), log_norm_rate(&state, &moved, i)].map(Interval::midpoint)
            };
            for (i, j) in [(0, s.d() + s.r() - 1), (0, 2 * s.d() - 1), (s.d() - 1, s.d())] {
                let (up, down) = (rates(step, i, j), rates(-step, i, j));
                let found = [leaving.cosine(i, j), leaving.log_norm(i)];
                for k in 0..2 {
                    let difference = (up[k] - down[k]) / (2.0 * step);
                    let off = (found[k].1.midpoint() - difference).abs();
                    assert!(off < 1e-5 * (1.0 + leaving.unit), "{name}, columns {i}, {j}: {off}");
                    let middle = 0.5 * (up[k] + down[k]);
                    assert!((found[k].0.midpoint() - middle).abs() < 1e-5 * (1.0 + leaving.unit), "{name}");
                }
            }
        }
    }

    #[test]
    fn rates_are_those_of_a_state_a_little_later() {
        for (name, s) in named_states() {
            let state: GramState<f64> = s.gram_at(0.125).expect("sizes fit");
            let (moved, step) = (s.moved(&state).expect("it moves"), 1e-5);
            let entry = |by: f64, i: usize, j: usize| state.gram().at(i, j) + by * moved.gram().at(i, j);
            let slope = |f: &dyn Fn(f64) -> f64| (f(step) - f(-step)) / (2.0 * step);
            for (i, j) in [(0, s.d()), (0, 2 * s.d() - 1), (s.d() - 1, s.d())] {
                let cosine = |by: f64| entry(by, i, j) / (entry(by, i, i) * entry(by, j, j)).sqrt();
                let off = cosine_rate(&state, &moved, i, j) - slope(&cosine);
                assert!(off.abs() < 1e-7, "{name}, columns {i}, {j}: {off}");
                let off = log_norm_rate(&state, &moved, i) - slope(&|by| core_math::log(entry(by, i, i)));
                assert!(off.abs() < 1e-7, "{name}, column {i}: {off}");
            }
        }
    }

    #[test]
    fn the_first_order_of_selection_is_the_slope_of_the_enumerated_matrix() {
        let s = aligned(&[2.0, 1.0], &[3.0, 0.5], (1.0, &[]), 1.5, 2.0);
        let [epsilon] = Dual::variables([Interval::ZERO]);
        let state = s.gram_at(epsilon).expect("sizes fit");
        let selection: FeatureSelection<Dual<1>> = FeatureSelection::of(&state, s.objective()).expect("outputs");
        let base = s.base().expect("outputs");
        for (p, l) in ordered_pairs(2) {
            let (found, expected) = (base.q1(&s, p, l), selection.matrix.at(p, l).slopes[0]);
            assert!((found - expected).magnitude() < 1e-12, "({p}, {l}): {found:?} {expected:?}");
            assert!(expected.mignitude() > 1e-3, "a slope that vanishes would show nothing");
        }
        for p in 0..2 {
            let value = selection.matrix.at(p, p).value;
            assert!((base.by.pulls[p] - value).magnitude() < 1e-12, "q_{p}");
        }
    }

    /// Row p of view B and a noise column of view A: −g_p τ²⟨[K_Aξ]_k, [K_B]_p⟩/(N_A N_B), and the same with the views exchanged.
    #[test]
    fn noise_enters_the_selection_through_g() {
        let s = aligned(&[2.0, 1.0], &[3.0, 0.5], (0.7, &[0.3, 0.6]), 2.5, 2.0);
        let [epsilon] = Dual::variables([Interval::ZERO]);
        let state = s.gram_at(epsilon).expect("sizes fit");
        let selection: FeatureSelection<Dual<1>> = FeatureSelection::of(&state, s.objective()).expect("outputs");
        let (base, cross) = (s.base().expect("outputs"), state.cross().expect("outputs"));
        for (p, k) in [(0, 2), (0, 3), (1, 2), (1, 3)] {
            let expected = [(selection.matrix.at(p, k), cross.at(k, p)), (selection.matrix.at(k, p), cross.at(p, k))];
            for (entry, product) in expected {
                let found = -(base.g(&s, p) * 2.5 * product.slopes[0]);
                assert!((entry.slopes[0] - found).magnitude() < 1e-12, "({p}, {k}): {entry:?} {found:?}");
                assert!(found.mignitude() > 1e-4, "a slope that vanishes would show nothing");
            }
        }
    }

    #[test]
    fn a_slope_is_the_sum_of_its_terms_and_of_no_others() {
        let judged = |evaluation: Evaluation| match evaluation {
            Evaluation::Compared(c) => Some(judge(&c)),
            _ => None,
        };
        let s = aligned(&[2.0, 1.0], &[3.0, 0.5], (1.0, &[]), 1.5, 2.0);
        let leaving = s.leaving().expect("it moves");
        let with = |share: f64| {
            let terms = |i: usize, j: usize| vec![leaving.cosine(i, j).1 * 0.25, leaving.cosine(i, j).1 * share];
            judged(slopes_are(&leaving, [(0, 1), (0, 3)], terms))
        };
        assert!(matches!(with(0.75), Some(Judgement::Holds | Judgement::Touches)));
        assert_eq!(with(0.7501), Some(Judgement::Violated));
    }

    #[test]
    fn quantities_of_unequal_views_are_those_by_hand() {
        let mut s = aligned(&[2.0, 1.0], &[4.0, 2.0], (3.0, &[1.0]), 1.0, 2.0);
        s.norms_b = vec![1.0, 0.5];
        s.noise_b = vec![0.25];
        // N_A² = 3 + 1, N_B² = ¾ + ¼; σ_ξ² r/q = 6 is the fastest.
        assert!((s.fastest_rate().expect("outputs") - 6.0).magnitude() < 1e-14);
        let base = s.base().expect("outputs");
        assert!((base.normalisers - 2.0).magnitude() < 1e-14);
        let q = base.by.pulls[0];
        assert!((base.pull_a(&s, 0) - q * 2.0 * 1.0 / (2.0 * 2.0)).magnitude() < 1e-14);
        assert!((base.pull_b(&s, 0) - q * 2.0 * 2.0 / (2.0 * 1.0)).magnitude() < 1e-14);
        assert_eq!(ordered_pairs(3).count(), 6);
        assert!(ordered_pairs(3).all(|(p, l)| p != l));
    }
}
