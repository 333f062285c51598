//! Two-layer linear networks with exactly orthonormal weights, given by plane rotations, over matrices C with known eigenvalues.

use enclosures::linear_algebra::{IntervalMatrix, MatrixError, PlaneRotation, SymmetricMatrix};
use enclosures::vectors::{largest_magnitude, points, sum_of_products};
use evidence::prelude::*;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

use crate::shared::flows::{check_numbers, without};
use crate::shared::spectra::rotations;

/// C = VΛVᵀ with V from `rotations`; W₁ and W₂ are the first d and z columns of orthogonal matrices of ℝ^h.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OrthonormalNetwork {
    pub width: usize,
    pub outputs: usize,
    /// The eigenvalues, in any order.
    pub spectrum: Vec<f64>,
    /// The factors of V.
    pub rotations: Vec<PlaneRotation>,
    /// The factors of the orthogonal matrices that W₁ and W₂ are cut from.
    pub first: Vec<PlaneRotation>,
    pub second: Vec<PlaneRotation>,
}

/// The matrices of a network, enclosed.
pub struct Weights {
    pub spectrum: Vec<Interval>,
    pub v: IntervalMatrix,
    pub c: IntervalMatrix,
    /// W₁ (h×d) and W₂ (h×z).
    pub first: IntervalMatrix,
    pub second: IntervalMatrix,
    /// M = W₁ᵀW₂ and q = VᵀM (d×z).
    pub product: IntervalMatrix,
    pub q: IntervalMatrix,
    /// max|λ|, at least a tiny number.
    pub steepest: f64,
}

/// The first columns of a matrix.
fn columns(m: &IntervalMatrix, k: usize) -> Result<IntervalMatrix, MatrixError> {
    IntervalMatrix::from_fn(m.rows(), k, |i, j| m.at(i, j))
}

impl OrthonormalNetwork {
    pub fn d(&self) -> usize {
        self.spectrum.len()
    }

    pub fn steepest(&self) -> f64 {
        largest_magnitude(&self.spectrum)
    }

    pub fn weights(&self) -> Result<Weights, MatrixError> {
        let matrix = SymmetricMatrix::Spectral { spectrum: self.spectrum.clone(), rotations: self.rotations.clone() };
        let v = PlaneRotation::product_of(self.d(), &self.rotations)?;
        let first = columns(&PlaneRotation::product_of(self.width, &self.first)?, self.d())?;
        let second = columns(&PlaneRotation::product_of(self.width, &self.second)?, self.outputs)?;
        let product = first.transpose().product(&second)?;
        Ok(Weights {
            spectrum: points(&self.spectrum),
            q: v.transpose().product(&product)?,
            c: matrix.entries()?,
            steepest: self.steepest().max(1e-9),
            v,
            first,
            second,
            product,
        })
    }
}

impl Weights {
    /// 2W₂W₂ᵀW₁C and 2W₁CW₁ᵀW₂, the free gradients of L.
    pub fn gradients(&self) -> Result<(IntervalMatrix, IntervalMatrix), MatrixError> {
        let image = self.c.product(&self.product)?;
        Ok((self.second.product(&image.transpose())?.scaled(2.0), self.first.product(&image)?.scaled(2.0)))
    }

    /// The gradients of L on the weights that meet the constraints: G − W sym(WᵀG), the orthogonal projections on the tangent spaces
    /// {Z : WᵀZ + ZᵀW = 0}.
    pub fn projected_gradients(&self) -> Result<(IntervalMatrix, IntervalMatrix), MatrixError> {
        let tangent =
            |w: &IntervalMatrix, g: &IntervalMatrix| g.minus(&w.product(&w.transpose().product(g)?.symmetric_part()?)?);
        let (down, up) = self.gradients()?;
        Ok((tangent(&self.first, &down)?, tangent(&self.second, &up)?))
    }

    /// VᵀW₁′ᵀW₂ + VᵀW₁ᵀW₂′, the velocity of q for given velocities of the weights.
    pub fn output_velocity(&self, weights: &(IntervalMatrix, IntervalMatrix)) -> Result<IntervalMatrix, MatrixError> {
        let change = weights.0.transpose().product(&self.second)?.plus(&self.first.transpose().product(&weights.1)?)?;
        self.v.transpose().product(&change)
    }

    /// So many steps of at most 1/(64|λ|max) over a time.
    pub fn steps(&self, time: f64) -> usize {
        (64.0 * time * self.steepest).ceil().max(1.0) as usize
    }
}

/// (I − WWᵀ)G.
pub fn off_range(w: &IntervalMatrix, g: &IntervalMatrix) -> Result<IntervalMatrix, MatrixError> {
    g.minus(&w.product(&w.transpose().product(g)?)?)
}

/// ⟨A, B⟩ = Tr AᵀB.
pub fn inner(a: &IntervalMatrix, b: &IntervalMatrix) -> Interval {
    sum_of_products(a.entries(), b.entries())
}

/// The largest absolute value of an entry of a difference.
pub fn distance(a: &IntervalMatrix, b: &IntervalMatrix) -> Result<Interval, MatrixError> {
    let off = a.minus(b)?;
    Ok(off.entries().iter().map(|x| x.abs()).fold(Interval::ZERO, Interval::max))
}

/// Two matrices entry by entry, on a common scale.
pub fn entries_agree(a: &IntervalMatrix, b: &IntervalMatrix, scale: f64) -> Evaluation {
    let one = |(k, (&x, &y)): (usize, (&Interval, &Interval))| {
        let (row, column) = (k / a.columns() + 1, k % a.columns() + 1);
        (format!("entry ({row}, {column})"), equal(x, y).on_scale_of("the terms in absolute value", scale))
    };
    all_of(a.entries().iter().zip(b.entries()).enumerate().map(one))
}

impl Instance for OrthonormalNetwork {
    fn describe(&self) -> String {
        let (d, z, h) = (self.d(), self.outputs, self.width);
        let q = self.weights().map(|w| w.q.midpoint().to_rows());
        let shown = match q {
            Ok(rows) if d * z <= 6 => {
                let short = |x: &f64| format!("{:.4}", x + 0.0);
                let row = |r: &Vec<f64>| r.iter().map(short).collect::<Vec<_>>().join(" ");
                format!(", q = [{}]", rows.iter().map(row).collect::<Vec<_>>().join("; "))
            }
            _ => String::new(),
        };
        let turned = if self.rotations.is_empty() { "" } else { ", C rotated" };
        format!("d = {d}, z = {z}, h = {h}, Λ = diag {:?}{turned}{shown}", self.spectrum)
    }

    fn validate(&self) -> Result<(), String> {
        let (d, z, h) = (self.d(), self.outputs, self.width);
        if d == 0 || z == 0 || h < d.max(z) || h > 200 || d > 8 || z > 8 {
            return Err(format!("d = {d}, z = {z}, h = {h}"));
        }
        check_numbers("eigenvalue", &self.spectrum)?;
        self.weights().map(drop).map_err(|e| e.to_string())
    }

    fn simpler(&self) -> Vec<Self> {
        let mut all = Vec::new();
        let dropped = |list: &Vec<PlaneRotation>| (0..list.len()).map(|k| without(list, k)).collect::<Vec<_>>();
        for rotations in dropped(&self.rotations) {
            all.push(OrthonormalNetwork { rotations, ..self.clone() });
        }
        for first in dropped(&self.first) {
            all.push(OrthonormalNetwork { first, ..self.clone() });
        }
        for second in dropped(&self.second) {
            all.push(OrthonormalNetwork { second, ..self.clone() });
        }
        if self.outputs > 1 {
            all.push(OrthonormalNetwork { outputs: self.outputs - 1, ..self.clone() });
        }
        let d = self.d();
        if d > 1 && self.rotations.iter().all(|r| r.first < d - 1 && r.second < d - 1) {
            all.push(OrthonormalNetwork { spectrum: self.spectrum[..d - 1].to_vec(), ..self.clone() });
        }
        let h = self.width;
        if h > d.max(self.outputs)
            && (self.first.iter().chain(&self.second)).all(|r| r.first < h - 1 && r.second < h - 1)
        {
            all.push(OrthonormalNetwork { width: h - 1, ..self.clone() });
        }
        all
    }
}

/// Networks under another name. The ledger of hypotheses tries a statement on every instance of its kind in a claim; what follows a
/// network in time is too dear for all of them, so its networks are a kind of their own.
macro_rules! networks_apart {
    ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, Serialize, Deserialize, Instance)]
        #[serde(transparent)]
        #[instance(simpler = Self::smaller, stored)]
        pub struct $name(#[instance(nested)] pub OrthonormalNetwork);

        impl $name {
            pub fn named(list: Vec<(String, OrthonormalNetwork)>) -> Vec<(String, Self)> {
                list.into_iter().map(|(name, network)| (name, Self(network))).collect()
            }

            fn smaller(&self) -> Vec<Self> {
                self.0.simpler().into_iter().map(Self).collect()
            }
        }
    )*};
}
networks_apart! {
    /// A network whose flow is integrated.
    Followed,
    /// A network that makes some hundred steps.
    Trained,
}

pub fn turn(first: usize, second: usize, half_tangent: f64) -> PlaneRotation {
    PlaneRotation { first, second, half_tangent }
}

/// Rotations by Pythagorean angles in the planes (k, k + 1), and in (k, k + 2) where there is room.
fn chain(size: usize, tangents: &[f64]) -> Vec<PlaneRotation> {
    let planes = (1..size).map(|k| (k - 1, k)).chain((2..size).map(|k| (k - 2, k)));
    planes.zip(tangents).map(|((a, b), &t)| turn(a, b, t)).collect()
}

/// The network whose W₁ and W₂ are in general position.
pub fn generic(spectrum: &[f64], z: usize, h: usize) -> OrthonormalNetwork {
    OrthonormalNetwork {
        width: h,
        outputs: z,
        spectrum: spectrum.to_vec(),
        rotations: Vec::new(),
        first: chain(h, &[0.5, 0.25, -0.5, 0.75, 0.125]),
        second: chain(h, &[-0.25, 0.5, 0.75, 0.5, -0.5, 0.25]),
    }
}

/// W₁ = [I; 0] and W₂ a rotated [I; 0].
fn plain(spectrum: &[f64], z: usize, h: usize, second: &[PlaneRotation]) -> OrthonormalNetwork {
    OrthonormalNetwork { first: Vec::new(), second: second.to_vec(), ..generic(spectrum, z, h) }
}

/// Small networks at the borders of the statements, in every relation of h to d and z.
pub fn named_networks() -> Vec<(String, OrthonormalNetwork)> {
    let spectra: [&[f64]; 9] = [
        &[-1.0],
        &[1.0, 2.0],
        &[-1.0, 1.0],
        &[-1.0, -1.0],
        &[0.0, 0.0],
        &[-1.0, -0.5, 1.0],
        &[-2.0, -1.0, -1.0],
        &[0.0, 1.0, 2.0],
        &[-1.0, -0.999999, 0.5],
    ];
    let mut all = Vec::new();
    for spectrum in spectra {
        let d = spectrum.len();
        for (z, h) in [(1, d), (1, d + 1), (2, d.max(2)), (2, d + 2), (3, d + 3), (d, d)] {
            all.push((format!("diag{spectrum:?}, z = {z}, h = {h}"), generic(spectrum, z, h.max(z))));
        }
    }
    let mut rotated = generic(&[-1.0, 0.5, 1.0], 2, 5);
    rotated.rotations = vec![turn(0, 1, 0.5), turn(1, 2, 0.25)];
    let mut repeated = generic(&[-1.0, -1.0, 2.0], 2, 4);
    repeated.rotations = vec![turn(0, 2, 0.5), turn(0, 1, 0.75)];
    all.push(("C rotated".into(), rotated));
    all.push(("a repeated eigenvalue, any basis".into(), repeated));
    all.push(("q = 0".into(), plain(&[-1.0], 1, 2, &[turn(0, 1, 1.0)])));
    all.push(("q = e₁".into(), plain(&[-1.0, 1.0], 1, 3, &[])));
    all.push(("q = e₂".into(), plain(&[-1.0, 1.0], 1, 2, &[turn(0, 1, 1.0)])));
    all.push(("on the circle".into(), plain(&[-1.0, 2.0], 1, 2, &[turn(0, 1, 0.5)])));
    all.push(("on the circle, both positive".into(), plain(&[3.0, 4.0], 1, 2, &[turn(0, 1, 0.5)])));
    all.push(("d = 1, inside".into(), plain(&[-1.0], 1, 2, &[turn(0, 1, 0.5)])));
    all
}

pub fn drawn_networks() -> impl Strategy<Value = OrthonormalNetwork> {
    (1usize..=3, 1usize..=3, 0usize..6).prop_map(|(d, z, more)| (d, z, d.max(z) + more % 4)).prop_flat_map(
        |(d, z, h)| {
            let grid = proptest::sample::select(vec![-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0]);
            let spectrum = proptest::collection::vec((grid, -2.0..2.0f64), d);
            let parts = (spectrum, 0..2u8, rotations(d, 3), rotations(h, 6), rotations(h, 6));
            parts.prop_map(move |(pairs, kind, rotations, first, second)| OrthonormalNetwork {
                width: h,
                outputs: z,
                spectrum: pairs.into_iter().map(|(g, x)| if kind == 0 { g } else { x }).collect(),
                rotations,
                first,
                second,
            })
        },
    )
}

/// Networks of every relation of h to d and z, and random ones.
pub fn networks() -> Vec<Family<OrthonormalNetwork>> {
    vec![edge("named", named_networks), random("random rotations", drawn_networks)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_networks_are_orthonormal_and_have_one_loss_in_either_basis() {
        for (name, network) in named_networks() {
            let w = network.weights().expect("the sizes fit");
            for matrix in [&w.first, &w.second] {
                let gram = matrix.transpose().product(matrix).expect("the sizes fit");
                let unit = |i, j| if i == j { Interval::ONE } else { Interval::ZERO };
                let unit = IntervalMatrix::from_fn(gram.rows(), gram.columns(), unit).expect("a matrix");
                assert!(distance(&gram, &unit).expect("equal sizes").hi() < 1e-12, "{name}");
            }
            let energy = |i: usize| -> Interval {
                let row = (0..network.outputs).map(|j| w.q.get(i, j).expect("an entry").square());
                row.sum::<Interval>() * network.spectrum[i]
            };
            let in_eigenbasis: Interval = (0..network.d()).map(energy).sum();
            let direct = inner(&w.product, &w.c.product(&w.product).expect("the sizes fit"));
            assert!((in_eigenbasis - direct).abs().hi() < 1e-11 * (1.0 + w.steepest), "{name}");
        }
    }
}
