//! First orders of S_A, S_B, Q and Q_0 near the diagonal manifold, and bounds of what they leave out.
//!
//! Along C(t) = diag M + tB, t ∈ [0, 1], the exponents τ²⟨f_A, f_B⟩ move by t·δ with |δ| ≤ Δ. The residuals of
//! first-order formulas are bounded by Δ² with absolute constants, whatever the sizes, norms, τ and K. Write μ =
//! E_wδ, v = Var_wδ ≤ Δ² − μ² for a tilted mean.
//! - S = sigmoid(φ), φ' = δ⁺ − μ, φ'' = −v, so S'' = S(1−S)((1−2S)φ'² − v), |φ'| ≤ Δ + |μ|. With y = |1−2S| the
//!   bracket is at most Δ²/(1−y) for y ≤ 1/2 and 4yΔ² beyond, S(1−S) = (1−y²)/4, hence |S''| ≤ 2Δ²/(3√3).
//! - For |g| ≤ 1, P = (1−S)E_w g has |P'| ≤ (1−S)(S(Δ+|μ|) + √v) ≤ (1−S)(S + √(1+S²))Δ ≤ Δ, and |P''| ≤ |S''| +
//!   (Δ+|μ|)√v/2 + 2v ≤ 0.385Δ² + 0.65Δ² + 2Δ².
//! - An entry of Q is r|y_B y_A| times E[2−S_A−S_B] minus two such P: |Q'| ≤ 3Δ, and a half of |Q''| is at most
//!   3.5Δ².
//! - τ²Q_0 is the same sum over Ω times the exponents themselves, at most X + Δ with X = Σ|x_p|: half of its second
//!   derivative is at most (3.5(X+Δ) + 3)Δ².

use enclosures::interval::Dual;
use evidence::prelude::*;
use two_view::{Enumeration, LatentSizes, MatrixBlock, Scalar};

use super::near_manifold::{Bend, GIVEN, NearManifold, generic_family};

/// Terms of Q: that of the positive pair, that of the negatives of B, that of the negatives of A.
pub struct SelectionTerms<T> {
    pub positive: MatrixBlock<T>,
    pub negative_b: MatrixBlock<T>,
    pub negative_a: MatrixBlock<T>,
}

impl<T: Scalar> SelectionTerms<T> {
    fn of(e: &Enumeration<T>) -> Self {
        let (n, zero) = (e.states(), T::from(0.0));
        let (mut alpha, mut beta, mut positive) = (vec![zero; n], vec![zero; n], vec![zero; n * n]);
        for (i, j) in e.positive_pairs() {
            let (a, b) = (e.rest_a(i, j), e.rest_b(i, j));
            alpha[i] = alpha[i] + a;
            beta[j] = beta[j] + b;
            positive[i * n + j] = a + b;
        }
        let (p, count) = (T::from(e.pair_probability()), T::count(n));
        let matrix = |pull: &dyn Fn(usize, usize) -> T| e.matrix_of(&MatrixBlock::from_fn(n, n, |i, j| p * pull(i, j)));
        SelectionTerms {
            positive: matrix(&|i, j| positive[i * n + j]),
            negative_b: matrix(&|i, j| alpha[i] * e.tilt_a(i, j) / count),
            negative_a: matrix(&|i, j| beta[j] * e.tilt_b(i, j) / count),
        }
    }

    /// Q itself.
    pub fn q(&self, row: usize, column: usize) -> T {
        self.positive.at(row, column) - self.negative_b.at(row, column) - self.negative_a.at(row, column)
    }
}

/// What the claims compare at one state.
pub struct Near {
    pub sizes: LatentSizes,
    /// All latent states at ε.
    pub at: Enumeration<Interval>,
    pub terms: SelectionTerms<Interval>,
    /// Q_0 at ε.
    pub scalar: Interval,
    /// The same as functions of t at t = 0, with their derivatives.
    pub start: Enumeration<Dual<1>>,
    pub start_terms: SelectionTerms<Dual<1>>,
    pub start_scalar: Dual<1>,
    /// τ² times C beside its diagonal: E, m_{AξB}, m_{ξAB}, m_{ξξ}; rows belong to view A.
    pub bend: MatrixBlock<Interval>,
    /// Δ, the largest change of an exponent.
    pub change: Interval,
    /// C_pp and x_p.
    pub diagonal: Vec<Interval>,
    pub x: Vec<Interval>,
    /// T_p and 1 − T_p for p < r; 0 and 1 for a noise coordinate.
    pub tilt: Vec<Interval>,
    pub gap: Vec<Interval>,
    /// S̄ and 1 − S̄.
    pub chosen: Interval,
    pub rest: Interval,
    /// N_A², N_B² and N_A N_B.
    pub squares: [Interval; 2],
    pub normalisers: Interval,
}

fn largest_change(bend: &MatrixBlock<Interval>, sizes: LatentSizes) -> Interval {
    let d = bend.rows();
    let root = |k: usize| sizes.variance::<Interval>(k).sqrt();
    let scaled = MatrixBlock::from_fn(d, d, |i, j| bend.at(i, j) * root(i) * root(j));
    let over = |s: usize| -> Interval {
        let signed = |i: usize, j: usize| {
            if s >> i & 1 == 1 { -scaled.at(i, j) } else { scaled.at(i, j) }
        };
        (0..d).map(|j| (0..d).map(|i| signed(i, j)).sum::<Interval>().abs()).sum()
    };
    (0..1usize << d).map(over).fold(Interval::ZERO, Interval::max)
}

impl Near {
    pub fn of(s: &NearManifold) -> Result<Near, MeasureError> {
        let (r, d) = (s.signal, s.latents());
        let sizes = LatentSizes::new(r, s.noise)?;
        let square = |list: &[f64]| -> Interval {
            let part = |from: usize, to: usize| -> Interval { (from..to).map(|k| Interval::point(list[k])).sum() };
            let signal = part(0, r) / r as f64;
            if s.noise == 0 { signal } else { signal + part(r, d) / s.noise as f64 }
        };
        let squares = [square(&s.norms[0]), square(&s.norms[1])];
        let normalisers = (squares[0] * squares[1]).sqrt();
        let length = |i: usize, j: usize| (Interval::point(s.norms[0][i]) * s.norms[1][j]).sqrt() / normalisers;
        let diagonal: Vec<Interval> = (0..r).map(|p| length(p, p) * s.correlation[p]).collect();
        let tau = Interval::point(s.tau_squared);
        let off = MatrixBlock::from_fn(d, d, |i, j| length(i, j) * s.cosine(i, j));
        let straight = |i: usize, j: usize| if i == j && i < r { diagonal[i] } else { Interval::ZERO };
        let cross = MatrixBlock::from_fn(d, d, |i, j| straight(i, j) + off.at(i, j));
        let line = MatrixBlock::from_fn(d, d, |i, j| Dual::<1> {
            value: straight(i, j),
            slopes: [off.at(i, j)],
            defined: true,
        });
        let at = Enumeration::new(sizes, &cross, s.tau_squared, s.negatives)?;
        let start = Enumeration::new(sizes, &line, s.tau_squared, s.negatives)?;
        let x: Vec<Interval> = diagonal.iter().map(|&c| tau * c / r as f64).collect();
        let odds = Interval::point(s.negatives).ln()
            + x.iter().map(|&x| (-2.0 * x).softplus() - Interval::ONE.ln_1p()).sum::<Interval>();
        let fill = |signal: Vec<Interval>, value: f64| {
            let noise = std::iter::repeat_n(Interval::point(value), s.noise);
            signal.into_iter().chain(noise).collect::<Vec<_>>()
        };
        let bend = off.scaled(tau);
        Ok(Near {
            sizes,
            terms: SelectionTerms::of(&at),
            scalar: at.scalar_of(&at.pulls()),
            start_terms: SelectionTerms::of(&start),
            start_scalar: start.scalar_of(&start.pulls()),
            change: largest_change(&bend, sizes),
            tilt: fill(x.iter().map(|x| x.tanh()).collect(), 0.0),
            gap: fill(x.iter().map(|&x| 2.0 * (-2.0 * x).sigmoid()).collect(), 1.0),
            chosen: (-odds).sigmoid(),
            rest: odds.sigmoid(),
            at,
            start,
            bend,
            diagonal,
            x,
            squares,
            normalisers,
        })
    }

    /// `y_k` of a latent state.
    pub fn latent(&self, k: usize, state: usize) -> Interval {
        let root = self.sizes.variance::<Interval>(k).sqrt();
        if state >> k & 1 == 1 { -root } else { root }
    }

    /// S_A − S̄ and S_B − S̄ at ε.
    pub fn changes(&self, i: usize, j: usize) -> [Interval; 2] {
        [self.rest - self.at.rest_a(i, j), self.rest - self.at.rest_b(i, j)]
    }

    /// The derivatives of S_A and S_B at ε = 0, by automatic differentiation.
    pub fn slopes(&self, i: usize, j: usize) -> [Interval; 2] {
        [-self.start.rest_a(i, j).slopes[0], -self.start.rest_b(i, j).slopes[0]]
    }

    /// The largest difference of a pair of numbers from their first-order formulas.
    pub fn gap_to_first_order(
        &self,
        found: impl Fn(&Near, usize, usize) -> [Interval; 2],
        formulas: impl Fn(&Near, usize, usize) -> [Interval; 2],
    ) -> Interval {
        self.worst(|i, j| {
            let (found, first) = (found(self, i, j), formulas(self, i, j));
            (found[0] - first[0]).abs().max((found[1] - first[1]).abs())
        })
    }

    /// Largest absolute value over the positive pairs.
    pub fn worst(&self, f: impl Fn(usize, usize) -> Interval) -> Interval {
        let values = self.at.positive_pairs().map(|(i, j)| f(i, j).abs());
        values.fold(Interval::ZERO, Interval::max)
    }

    /// S̄(1−S̄) Σ B_kl y_k y_l weight(k, l) at the pair (i, j), B the bend.
    pub fn first_order(&self, i: usize, j: usize, weight: impl Fn(usize, usize) -> Interval) -> Interval {
        let d = self.bend.rows();
        let sum: Interval = pairs(0..d, 0..d)
            .filter(|&(k, l)| self.bend.at(k, l) != Interval::ZERO)
            .map(|(k, l)| self.bend.at(k, l) * self.latent(k, i) * self.latent(l, j) * weight(k, l))
            .sum();
        self.chosen * self.rest * sum
    }

    /// X = Σ|x_p|.
    pub fn total(&self) -> Interval {
        self.x.iter().map(|x| x.abs()).sum()
    }

    /// (1−S̄)Δ, the size of a first-order change.
    pub fn first_size(&self) -> f64 {
        (self.rest * self.change).hi()
    }
}

/// Whether the residual of S is at most Δ²/(3√3), the best constant.
pub fn within_selection_bound(q: &Near, residual: Interval) -> Evaluation {
    at_most(residual, q.change.square() / (3.0 * Interval::point(3.0).sqrt())).on_unit_scale()
}

/// Whether the residual of an entry of Q of this size r|y_B y_A| is at most the size times 7Δ²/2.
pub fn within_entry_bound(q: &Near, size: Interval, residual: Interval) -> Evaluation {
    at_most(residual.abs(), size * 3.5 * q.change.square()).on_unit_scale()
}

/// A residual as a function of 1/ε, from the state's own ε on and halved five times; none if it is zero to rounding.
pub fn orders(s: &NearManifold, residual: impl Fn(f64) -> Result<Interval, MeasureError>) -> Option<Vec<(f64, f64)>> {
    let point = |halvings: u32| {
        let size = s.size / f64::from(1u32 << halvings);
        // Residuals of states with second-order terms stay above 1e-11 down to the last halving.
        let seen = residual(size).ok().map(Interval::midpoint).filter(|&x| x > 1e-12);
        seen.map(|x| (1.0 / size, x))
    };
    (0..=5).map(point).collect()
}

/// The same of a residual that is read off the state.
pub fn state_orders(s: &NearManifold, residual: impl Fn(&Near) -> Interval) -> Option<Vec<(f64, f64)>> {
    orders(s, |size| Ok(residual(&Near::of(&NearManifold { size, ..s.clone() })?)))
}

/// "The residual is O(ε^order)."
pub fn falls_like(residuals: &Option<Vec<(f64, f64)>>, order: f64) -> Evaluation {
    match residuals {
        Some(points) => Trend::through(points).named("1/ε").grows_at_most(-order),
        None => vacuous("the residual is zero"),
    }
}

/// The check `order` of Lemmas C.4 to C.8: off the manifold, bent as said, the residual is of second order.
pub fn order(
    bend: Bend,
    residual: impl Fn(&Near) -> Interval + Send + Sync + 'static,
) -> Setting<NearManifold, Option<Vec<(f64, f64)>>> {
    Setting::measuring(move |s: &NearManifold, _| Ok(state_orders(s, &residual)))
        .given(GIVEN)
        .family(generic_family(bend))
        .without_search()
        .part(
            "order",
            "as the ε of the state is halved five times, the residual falls like ε² or faster (fitted exponent, slack \
             1/4)",
            consistent(),
            |_, o| falls_like(o, 2.0),
        )
        .except("the residual is zero")
        .implied_by("printed")
}

#[cfg(test)]
mod tests {
    use evidence::judge::Judgement;
    use evidence::testing::judged;

    use super::*;
    use crate::shared::near_manifold::generic;

    #[test]
    fn on_the_manifold_all_positive_pairs_have_one_selection() {
        for (name, s) in generic() {
            let q = Near::of(&NearManifold { size: 0.0, ..s }).expect("sizes fit");
            assert!(q.worst(|i, j| q.changes(i, j)[0].abs().max(q.changes(i, j)[1].abs())).hi() < 1e-12, "{name}");
            assert_eq!(q.change, Interval::ZERO, "{name}");
            let (r, d) = (q.sizes.signal(), q.sizes.latents());
            for k in 0..d {
                for l in 0..d {
                    // q_p = 2(1 − S̄)(1 − T_p) for a signal.
                    let expected = if k == l && k < r { 2.0 * q.rest * q.gap[k] } else { Interval::ZERO };
                    assert!((q.terms.q(k, l) - expected).magnitude() < 1e-12, "{name}: ({k}, {l})");
                }
            }
            assert!(q.tilt.iter().zip(&q.gap).all(|(&t, &g)| (t + g - 1.0).magnitude() < 1e-14), "{name}");
            assert!((q.chosen + q.rest - 1.0).magnitude() < 1e-14, "{name}");
        }
    }

    #[test]
    fn slopes_are_differences_of_nearby_selections() {
        for (name, s) in generic() {
            let size = 1e-5;
            let q = Near::of(&NearManifold { size, ..s.clone() }).expect("sizes fit");
            // The line is parametrised by ε/size, so that slopes are changes up to second order.
            let gap = q.gap_to_first_order(Near::changes, Near::slopes);
            let largest = q.worst(|i, j| q.slopes(i, j)[0]);
            assert!(gap.hi() < 1e-3 * largest.lo() && largest.lo() > 1e-8, "{name}: {gap:?} {largest:?}");
            let terms = q.terms.q(0, 1) - q.start_terms.q(0, 1).value;
            let slope = q.start_terms.q(0, 1).slopes[0];
            assert!((terms - slope).magnitude() < 1e-3 * slope.mignitude(), "{name}: {terms:?} {slope:?}");
            let scalar = q.scalar - q.start_scalar.value - q.start_scalar.slopes[0];
            assert!(scalar.magnitude() < 1e-8, "{name}");
            // A negative of view B has the mean T_l times the anchor in coordinate l, so that B_kl counts by 1 − T_l.
            for (i, j) in q.at.positive_pairs() {
                let expected = [q.first_order(i, j, |_, l| q.gap[l]), q.first_order(i, j, |k, _| q.gap[k])];
                for (slope, formula) in q.slopes(i, j).into_iter().zip(expected) {
                    assert!((slope - formula).magnitude() < 1e-9 * largest.lo(), "{name}: ({i}, {j})");
                }
            }
        }
    }

    #[test]
    fn the_terms_add_up_to_the_selection() {
        for (name, s) in generic() {
            let q = Near::of(&s).expect("sizes fit");
            let whole = q.at.matrix_of(&q.at.pulls());
            let d = whole.rows();
            for (k, l) in pairs(0..d, 0..d) {
                assert!((q.terms.q(k, l) - whole.at(k, l)).magnitude() < 1e-12, "{name}: ({k}, {l})");
            }
            assert!((whole.at(0, 1) - whole.at(1, 0)).mignitude() > 1e-4, "{name}: rows are not columns");
        }
    }

    #[test]
    fn exponents_change_by_what_the_cosines_add_up_to() {
        let change = |s: &NearManifold| Near::of(s).expect("sizes fit").change;
        // N = 1, τ² = 2 and ε = 0.1: τ²(C_12 y_1y_2′ + C_21 y_2y_1′) with y of size 1/√2.
        let two = |cosines: &[f64]| NearManifold::of(&[1.0, 1.0], 0, 0.1, cosines);
        assert!((change(&two(&[0.0, 1.0, -0.5, 0.0])) - 0.15).magnitude() < 1e-14);
        assert!((change(&two(&[0.0, 0.0, 1.0, 0.0])) - 0.1).magnitude() < 1e-14);
        // N² = 1 + 0.3; a noise column of length √0.3 with a signal of length 1.
        let noisy = NearManifold::of(&[1.0], 1, 0.1, &[0.0, 1.0, 0.0, 0.0]);
        assert!((change(&noisy) - 0.2 * 0.3f64.sqrt() / 1.3).magnitude() < 1e-14);
        // Two cosines of one column add up whatever their signs, for the signs of the latent coordinates are free.
        let mixed = NearManifold::of(&[1.0], 1, 0.1, &[0.0, 1.0, 0.5, -1.0]);
        assert!((change(&mixed) - 0.2 * (1.5 * 0.3f64.sqrt() + 0.3) / 1.3).magnitude() < 1e-14);
        let q = Near::of(&noisy).expect("sizes fit");
        assert!((q.squares[1] - 1.3).magnitude() < 1e-14 && (q.total() - 1.0 / 1.3).magnitude() < 1e-14);
    }

    #[test]
    fn a_quadratic_residual_is_of_second_order_and_not_of_third() {
        let (_, s) = generic().swap_remove(0);
        let points = orders(&s, |size| Ok(Interval::point(3.0 * size * size)));
        assert_eq!(points.as_ref().map(Vec::len), Some(6));
        assert_eq!(
            points.as_ref().and_then(|p| p.last().copied()),
            Some((32.0 / 0.05, 3.0 * (0.05 / 32.0) * (0.05 / 32.0)))
        );
        assert_ne!(judged(falls_like(&points, 2.0)), Judgement::Violated);
        assert_eq!(judged(falls_like(&points, 3.0)), Judgement::Violated);
        let vanishing = falls_like(&orders(&s, |_| Ok(Interval::ZERO)), 2.0);
        assert!(!matches!(vanishing, Evaluation::Compared(_)));
    }
}
