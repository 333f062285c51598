//! The loss of one triplet as a function of its three vectors, with the norms of its derivatives in closed form.

use serde::{Deserialize, Serialize};

use super::ContrastiveError;
use enclosures::enclosure::{Enclosure, plain};
use enclosures::interval::{self, Interval};
use enclosures::linear_algebra::quarter_turn;
use evidence::instance::Instance;

/// `z = (z_1, z_2, z_3)`: the outputs of an encoder for an anchor, a positive and a negative.
///
/// The loss is `ell(z) = log(1 + e^a)` with `a = z_1.(z_3 - z_2)`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "UncheckedTriplet")]
pub struct Triplet {
    anchor: Vec<f64>,
    positive: Vec<f64>,
    negative: Vec<f64>,
}

#[derive(Deserialize)]
struct UncheckedTriplet {
    anchor: Vec<f64>,
    positive: Vec<f64>,
    negative: Vec<f64>,
}

impl TryFrom<UncheckedTriplet> for Triplet {
    type Error = ContrastiveError;
    fn try_from(raw: UncheckedTriplet) -> Result<Self, ContrastiveError> {
        Self::new(raw.anchor, raw.positive, raw.negative)
    }
}

impl Triplet {
    /// Three vectors of one dimension.
    ///
    /// # Errors
    /// Different or zero dimensions, coordinates that are not finite.
    pub fn new(anchor: Vec<f64>, positive: Vec<f64>, negative: Vec<f64>) -> Result<Self, ContrastiveError> {
        let expected = anchor.len();
        if expected == 0 {
            return Err(ContrastiveError::NoCoordinates);
        }
        for (what, vector) in [("the anchor", &anchor), ("the positive", &positive), ("the negative", &negative)] {
            let (what, found) = (what.to_owned(), vector.len());
            if found != expected {
                return Err(ContrastiveError::Dimension { what, found, expected });
            }
            if let Some(&value) = vector.iter().find(|x| !x.is_finite()) {
                return Err(ContrastiveError::NotFinite { what, value });
            }
        }
        Ok(Triplet { anchor, positive, negative })
    }

    /// Dimension `d` of the three vectors.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.anchor.len()
    }

    /// The vectors `z_1, z_2, z_3`.
    #[must_use]
    pub fn vectors(&self) -> [&[f64]; 3] {
        [&self.anchor, &self.positive, &self.negative]
    }

    /// `w = z_3 - z_2`, the gradient of `a` with respect to `z_1`.
    fn difference(&self) -> Vec<Interval> {
        let pairs = self.negative.iter().zip(&self.positive);
        pairs.map(|(&n, &p)| Interval::point(n) - p).collect()
    }

    /// The argument `a = z_1.(z_3 - z_2)` of the softplus.
    #[must_use]
    pub fn argument(&self) -> Enclosure {
        super::mean_classifier::product(&self.anchor, &self.difference()).into()
    }

    /// `ell(z) = log(1 + e^a)`.
    #[must_use]
    pub fn loss(&self) -> Enclosure {
        self.argument().softplus()
    }

    /// The slope `s = sigma(a)` of the softplus.
    #[must_use]
    pub fn slope(&self) -> Enclosure {
        self.argument().sigmoid()
    }

    /// `1 - s = sigma(-a)`, accurate also where `s` is nearly 1.
    #[must_use]
    pub fn complement(&self) -> Enclosure {
        (-self.argument()).sigmoid()
    }

    /// The gradient `s g`, `g = (z_3 - z_2, -z_1, z_1)`, as three blocks.
    #[must_use]
    pub fn gradient(&self) -> [Vec<Interval>; 3] {
        let s = self.slope().interval();
        let times = |x: Interval| s * x;
        let anchor: Vec<Interval> = self.anchor.iter().map(|x| s * *x).collect();
        [self.difference().into_iter().map(times).collect(), anchor.iter().map(|x| -*x).collect(), anchor]
    }

    /// `G = |g|^2 = |z_3 - z_2|^2 + 2 |z_1|^2`.
    #[must_use]
    pub fn squared_argument_gradient(&self) -> Enclosure {
        let squares = |v: Vec<Interval>| interval::sum(&v.into_iter().map(Interval::square).collect::<Vec<_>>());
        let anchor = self.anchor.iter().map(|x| Interval::point(*x)).collect();
        Enclosure::from(squares(self.difference()) + squares(anchor) * 2.0).max(0)
    }

    /// `|grad ell(z)|^2 = s^2 G`.
    #[must_use]
    pub fn squared_gradient_norm(&self) -> Enclosure {
        (self.slope().square() * self.squared_argument_gradient()).max(0)
    }

    /// The spectral norm of the curvature part `s (1 - s) g g^T` of the Hessian alone: `s (1 - s) G`.
    #[must_use]
    pub fn curvature_norm(&self) -> Enclosure {
        (self.slope() * self.complement() * self.squared_argument_gradient()).max(0)
    }

    /// The spectral norm of the Hessian `s K + s (1 - s) g g^T`, `K = [[0, -I, I], [-I, 0, 0], [I, 0, 0]]`:
    ///
    /// `s ( kG/2 + sqrt( (kG/2)^2 + 4 k a + 2 ) )`, `k = 1 - s`.
    ///
    /// *Proof.* `K` vanishes on the vectors `(0, y, y)`, to which `g` is orthogonal. On the rest, written as
    /// `(x, -y/sqrt 2, y/sqrt 2)`, `K` maps `(x, y)` to `sqrt 2 (y, x)`: with `p = (x + y)/sqrt 2`, `m = (x - y)/sqrt 2` it is `sqrt 2` on `p` and
    /// `-sqrt 2` on `m`, and `g` has the parts `g_p, g_m = (w +- sqrt 2 z_1)/sqrt 2`, `w = z_3 - z_2`. With unit vectors along `g_p` and `g_m`
    /// (any, where one vanishes; `d >= 1` provides them) the Hessian splits into `+- sqrt 2 s` on their complements, empty for
    /// `d = 1`, and the 2 x 2 matrix `s [[sqrt 2 + k P, k sqrt(PM)], [k sqrt(PM), -sqrt 2 + k M]]`, `P = |g_p|^2`, `M = |g_m|^2`. Its trace is
    /// `s k (P + M) = s k G`, and from `P - M = 2 sqrt 2 a` its larger eigenvalue is the formula. By its first diagonal entry that is at
    /// least `sqrt 2 s`; and as `s (1 - s) g g^T` is positive semidefinite, no eigenvalue lies below `-sqrt 2 s`. So the larger
    /// eigenvalue is the norm, in every dimension and every degenerate position.
    #[must_use]
    pub fn hessian_spectral_norm(&self) -> Interval {
        let (a, s, k) = (self.argument(), self.slope(), self.complement());
        let half = k * self.squared_argument_gradient() / 2.0;
        let root = (half.square() + 4.0 * k * a + 2.0).max(0).sqrt();
        let value = (s * (half + root)).interval();
        let least = (s * Enclosure::from(2).sqrt()).lo();
        Interval::new(value.lo().max(least.min(value.hi())), value.hi())
    }
}

impl Instance for Triplet {
    fn describe(&self) -> String {
        if self.dimension() <= 4 {
            let show = |v: &[f64]| v.iter().map(|x| plain(*x, 6)).collect::<Vec<_>>().join(", ");
            let [a, p, n] = self.vectors().map(show);
            return format!("d = {}, z = (({a}), ({p}), ({n}))", self.dimension());
        }
        let norm = |v: &[f64]| plain(interval::dot(v, v).sqrt().midpoint(), 4);
        let [a, p, n] = self.vectors().map(norm);
        format!("d = {}, norms {a}, {p}, {n}", self.dimension())
    }

    fn validate(&self) -> Result<(), String> {
        let [anchor, positive, negative] = self.vectors().map(<[f64]>::to_vec);
        Self::new(anchor, positive, negative).map(drop).map_err(|e| e.to_string())
    }

    fn simpler(&self) -> Vec<Self> {
        let d = self.dimension();
        let keep = |range: std::ops::Range<usize>| Triplet {
            anchor: self.anchor[range.clone()].to_vec(),
            positive: self.positive[range.clone()].to_vec(),
            negative: self.negative[range].to_vec(),
        };
        let mut found = Vec::new();
        if d > 2 {
            found.extend([keep(0..d / 2), keep(d / 2..d)]);
        }
        for i in (0..d).filter(|_| d > 1) {
            let mut one = self.clone();
            for v in [&mut one.anchor, &mut one.positive, &mut one.negative] {
                v.remove(i);
            }
            found.push(one);
        }
        for which in 0..3 {
            let mut zeroed = self.clone();
            let vector = match which {
                0 => &mut zeroed.anchor,
                1 => &mut zeroed.positive,
                _ => &mut zeroed.negative,
            };
            vector.fill(0.0);
            if zeroed != *self {
                found.push(zeroed);
            }
        }
        found
    }

    fn equivalents(&self) -> Vec<(&'static str, Self)> {
        let [anchor, positive, negative] = self.vectors().map(quarter_turn);
        let turned = Triplet { anchor, positive, negative };
        vec![("points turned", turned)]
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::{DMatrix, SymmetricEigen};
    use proptest::prelude::*;

    use super::*;
    use enclosures::enclosure::exact;

    fn dense_norm(z: &Triplet) -> f64 {
        let d = z.dimension();
        let (s, k) = (z.slope().midpoint(), z.complement().midpoint());
        let g: Vec<f64> = z.gradient().iter().flatten().map(|x| x.midpoint() / s).collect();
        let mut h = DMatrix::from_fn(3 * d, 3 * d, |i, j| s * k * g[i] * g[j]);
        for i in 0..d {
            for (block, sign) in [(1, -s), (2, s)] {
                h[(i, block * d + i)] += sign;
                h[(block * d + i, i)] += sign;
            }
        }
        let eigen = SymmetricEigen::try_new(h, 1e-15, 10_000).unwrap();
        eigen.eigenvalues.iter().fold(0.0f64, |m, x| m.max(x.abs()))
    }

    fn agrees(z: &Triplet) {
        let (norm, dense) = (z.hessian_spectral_norm(), dense_norm(z));
        // An error of the argument is a relative error of the slope.
        let tolerance = 1e-12 + 1e-14 * z.argument().magnitude();
        assert!(norm.width() <= tolerance * norm.hi(), "{norm:?}");
        assert!((norm.midpoint() - dense).abs() <= tolerance * dense + 1e-300, "{norm:?} {dense} {z:?}");
    }

    fn triplet(a: &[f64], p: &[f64], n: &[f64]) -> Triplet {
        Triplet::new(a.to_vec(), p.to_vec(), n.to_vec()).unwrap()
    }

    #[test]
    fn reference_values() {
        let z = triplet(&[1.0, 2.0], &[0.0, -1.0], &[0.5, 0.25]);
        let near = |x: Enclosure, value: f64| {
            assert!((x.midpoint() - value).abs() < 2e-14 && x.width() < 1e-14, "{x:?} {value}");
        };
        near(z.loss(), 3.048_587_351_573_742);
        near(z.slope(), 0.952_574_126_822_433_4);
        near(z.hessian_spectral_norm().into(), 1.816_792_301_854_05);
        assert_eq!(z.squared_argument_gradient(), exact(11.8125));
    }

    #[test]
    fn degenerate_positions() {
        for d in [1, 2, 3] {
            let (zero, e) = (vec![0.0; d], {
                let mut e = vec![0.0; d];
                e[0] = 2.0;
                e
            });
            let minus: Vec<f64> = e.iter().map(|x| -x).collect();
            for (a, p, n) in [
                (&zero, &zero, &zero),
                (&e, &zero, &zero),
                (&zero, &e, &minus),
                (&e, &e, &e),
                (&e, &minus, &e),
                (&e, &e, &minus),
            ] {
                agrees(&triplet(a, p, n));
            }
        }
        // Parallel with |w| = sqrt 2 |z_1| up to rounding: one of the two parts of g vanishes.
        agrees(&triplet(&[1.0], &[0.0], &[-std::f64::consts::SQRT_2]));
        agrees(&triplet(&[1.0, 0.0], &[0.0, 3.0], &[0.0, -3.0]));
        let far = triplet(&[1e200], &[1e200], &[-1e200]);
        assert!(far.hessian_spectral_norm().lo() >= 0.0 && far.loss().lo() >= 0.0);
        assert!(Triplet::new(vec![1.0], vec![f64::NAN], vec![0.0]).is_err());
        assert!(Triplet::new(vec![1.0], vec![1.0, 2.0], vec![0.0]).is_err());
        assert!(serde_json::from_str::<Triplet>(r#"{"anchor":[],"positive":[],"negative":[]}"#).is_err());
    }

    proptest! {
        #[test]
        fn closed_form_is_the_norm_of_the_dense_matrix(
            d in prop::sample::select(vec![1usize, 2, 3, 8]),
            numbers in prop::collection::vec(-1.0f64..1.0, 24),
            scale in prop::array::uniform3(-4.0f64..3.0),
        ) {
            let vector = |i: usize| (0..d).map(|j| numbers[8 * i + j] * core_math::exp(scale[i])).collect::<Vec<_>>();
            agrees(&triplet(&vector(0), &vector(1), &vector(2)));
        }
    }
}
