//! Kernel machines trained on the two losses: instances, Gram matrices, and the solution in coefficients.

use std::fmt;

use enclosures::linear_algebra::{IntervalMatrix, Matrix, MatrixError, matrix_exponential};
use evidence::prelude::*;
use linear_ssl::self_supervised::TripletData;
use proptest::collection::vec;
use proptest::sample::select;
use proptest::strategy::{Just, Strategy};
use serde::{Deserialize, Serialize};

use crate::shared::flows::check_numbers;
use crate::shared::linear_data::{Loss, inner, triplets};

/// A positive semi-definite kernel.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[serde(rename_all = "snake_case")]
#[instance(describe = Self::to_string, stored)]
pub enum Kernel {
    /// xᵀx′.
    Linear,
    /// (xᵀx′ + offset)^degree, offset ≥ 0.
    Polynomial { degree: u32, offset: f64 },
    /// exp(−‖x − x′‖²/(2 bandwidth²)).
    Gaussian {
        #[instance(range = "0.01..=100")]
        bandwidth: f64,
    },
}

/// "k(x, x′) = …".
impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Kernel::Linear => f.write_str("k(x, x′) = xᵀx′"),
            Kernel::Polynomial { degree, offset: 0.0 } => write!(f, "k(x, x′) = (xᵀx′)^{degree}"),
            Kernel::Polynomial { degree, offset } => write!(f, "k(x, x′) = (xᵀx′ + {offset})^{degree}"),
            Kernel::Gaussian { bandwidth: 1.0 } => f.write_str("k(x, x′) = exp(−‖x − x′‖²/2)"),
            Kernel::Gaussian { bandwidth } => write!(f, "k(x, x′) = exp(−‖x − x′‖²/(2·{bandwidth}²))"),
        }
    }
}

impl Kernel {
    pub fn at(&self, x: &[f64], y: &[f64]) -> Interval {
        match *self {
            Kernel::Linear => inner(x, y),
            Kernel::Polynomial { degree, offset } => (inner(x, y) + offset).powi(i64::from(degree)),
            Kernel::Gaussian { bandwidth } => {
                let square: Interval = x.iter().zip(y).map(|(&a, &b)| (Interval::point(a) - b).square()).sum();
                (-square / (Interval::point(bandwidth).square() * 2.0)).exp()
            }
        }
    }
}

/// Data, a kernel, a start u_l = Σ_m coefficients[l][m]·k(p_m, ·) over the 3n data points (anchors, positives, negatives) and one
/// further point x, and a time in units of 1/(1 + ‖SK‖_∞).
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(
    describe = "{kernel}, {data}, x = {point:?}, z = {z}, coefficients {coefficients:?}, t = {time}/(1+‖SK‖)",
    valid = Self::fits,
    simpler = Self::with_fewer_outputs,
    stored
)]
pub struct KernelStart {
    pub kernel: Kernel,
    #[instance(nested)]
    pub data: TripletData,
    #[instance(range = "-1e6..=1e6")]
    pub point: Vec<f64>,
    #[instance(length = "z in 1.., points in 1..", range = "-1e6..=1e6")]
    pub coefficients: Vec<Vec<f64>>,
    #[instance(range = "0..=2")]
    pub time: f64,
}

/// The state at one time.
pub struct KernelState {
    /// Gram matrix of the data points and x (last).
    pub gram: IntervalMatrix,
    /// Pairing matrix S with L = Tr(UᵀSU), zero at x.
    pub pairing: IntervalMatrix,
    /// Outputs U at these points, one row each.
    pub outputs: IntervalMatrix,
    /// The time.
    pub time: Interval,
}

impl KernelStart {
    /// All points: anchors, positives, negatives, x.
    pub fn points(&self) -> Vec<&[f64]> {
        let data = self.data.anchors.iter().chain(&self.data.positives).chain(&self.data.negatives);
        data.chain([&self.point]).map(Vec::as_slice).collect()
    }

    pub fn outputs(&self) -> usize {
        self.coefficients.len()
    }

    pub fn gram(&self) -> Result<IntervalMatrix, MatrixError> {
        let points = self.points();
        IntervalMatrix::from_fn(points.len(), points.len(), |i, j| self.kernel.at(points[i.min(j)], points[i.max(j)]))
    }

    /// S_{i,i⁺} = −½, and S_{i,i⁻} = ½ for the contrastive loss.
    pub fn pairing(&self, loss: Loss) -> Result<IntervalMatrix, MatrixError> {
        let n = self.data.count();
        IntervalMatrix::from_fn(3 * n + 1, 3 * n + 1, |i, j| {
            let (low, high) = (i.min(j), i.max(j));
            Interval::point(match loss {
                _ if low < n && high == low + n => -0.5,
                Loss::Contrastive if low < n && high == low + 2 * n => 0.5,
                _ => 0.0,
            })
        })
    }

    /// The coefficients a (one row per point) solve a′ = −2SKa, hence a(t) = e^{−2SKt}a(0): no inverse of K is needed.
    pub fn state(&self, loss: Loss, fraction: f64) -> Result<KernelState, MatrixError> {
        let (gram, pairing) = (self.gram()?, self.pairing(loss)?);
        let generator = pairing.product(&gram)?;
        let time = Interval::point(self.time) * fraction / (Interval::ONE + generator.infinity_norm().hi());
        let start = IntervalMatrix::from(Matrix::from_rows(self.coefficients.clone())?).transpose();
        let coefficients = matrix_exponential(&generator.scaled(time * -2.0))?.product(&start)?;
        Ok(KernelState { outputs: gram.product(&coefficients)?, gram, pairing, time })
    }
}

impl KernelStart {
    fn fits(&self) -> Result<(), String> {
        let all = (self.data.anchors.iter()).chain(&self.data.positives).chain(&self.data.negatives);
        check_numbers("coordinate", &all.flatten().copied().collect::<Vec<f64>>())?;
        let points = 3 * self.data.count() + 1;
        if self.point.len() != self.data.dimension() || self.coefficients.iter().any(|c| c.len() != points) {
            return Err(format!("x not in ℝ^d, or not {points} coefficients"));
        }
        match self.kernel {
            Kernel::Polynomial { degree, offset } if !(1..=4).contains(&degree) || !(0.0..=100.0).contains(&offset) => {
                Err("not 1 ≤ degree ≤ 4, 0 ≤ offset ≤ 100".into())
            }
            _ => Ok(()),
        }
    }

    fn with_fewer_outputs(&self) -> Vec<Self> {
        let z = self.coefficients.len();
        let fewer = |l: usize| KernelStart {
            coefficients: crate::shared::flows::without(&self.coefficients, l),
            ..self.clone()
        };
        (0..z).filter(|_| z > 1).map(fewer).collect()
    }
}

fn one(kernel: Kernel, [x, plus, minus, point]: [[f64; 2]; 4], coefficients: [f64; 4]) -> KernelStart {
    KernelStart {
        kernel,
        data: TripletData {
            anchors: vec![x.to_vec()],
            positives: vec![plus.to_vec()],
            negatives: vec![minus.to_vec()],
        },
        point: point.to_vec(),
        coefficients: vec![coefficients.to_vec(), vec![0.0, 0.0, 1.0, 1.0]],
        time: 0.5,
    }
}

pub fn named_kernel_starts() -> Vec<(&'static str, KernelStart)> {
    let apart = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]];
    let doubled = [[1.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
    let a = [1.0, 0.0, 0.0, 1.0];
    vec![
        ("linear", one(Kernel::Linear, [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 2.0]], a)),
        ("linear, equal points", one(Kernel::Linear, doubled, a)),
        ("quadratic", one(Kernel::Polynomial { degree: 2, offset: 1.0 }, apart, a)),
        ("cubic without offset", one(Kernel::Polynomial { degree: 3, offset: 0.0 }, apart, a)),
        ("Gaussian", one(Kernel::Gaussian { bandwidth: 1.0 }, apart, a)),
        ("narrow Gaussian", one(Kernel::Gaussian { bandwidth: 0.1 }, apart, a)),
        ("wide Gaussian", one(Kernel::Gaussian { bandwidth: 10.0 }, apart, a)),
        ("Gaussian, equal points", one(Kernel::Gaussian { bandwidth: 1.0 }, doubled, a)),
        ("start outside the data", one(Kernel::Gaussian { bandwidth: 1.0 }, apart, [0.0, 0.0, 0.0, 1.0])),
        ("start zero on the data side", one(Kernel::Linear, apart, [1.0, 0.0, 0.0, 0.0])),
    ]
}

pub fn kernel_starts() -> impl Strategy<Value = KernelStart> {
    let kernel = (0..4u8, 0..5usize, 1..=3u32).prop_map(|(kind, place, degree)| match kind {
        0 => Kernel::Linear,
        1 => Kernel::Polynomial { degree, offset: [0.0, 0.5, 1.0, 2.0, 1.0][place] },
        _ => Kernel::Gaussian { bandwidth: [0.1, 0.5, 1.0, 3.0, 10.0][place] },
    });
    let small = triplets().prop_filter("few points near the origin", |t| {
        t.count() <= 3 && t.anchors.iter().flatten().all(|x| x.abs() < 5.0)
    });
    (kernel, small, select(vec![1usize, 2]), 0.0..2.0f64).prop_flat_map(|(kernel, data, z, time)| {
        let (points, d) = (3 * data.count() + 1, data.dimension());
        (Just(kernel), Just(data), vec(-2.0..2.0f64, d), vec(vec(-1.0..1.0f64, points), z)).prop_map(
            move |(kernel, data, point, coefficients)| KernelStart { kernel, data, point, coefficients, time },
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::linear_data::LOSSES;

    #[test]
    fn kernels_have_the_values_by_hand() {
        let (x, y) = ([1.0, 2.0], [3.0, -0.5]);
        let polynomial = Kernel::Polynomial { degree: 3, offset: 1.0 };
        assert!(Kernel::Linear.at(&x, &y).contains(2.0) && polynomial.at(&x, &y).contains(27.0));
        assert!(polynomial.at(&x, &y).width() < 1e-12);
        // ‖x − y‖² = 4 + 6.25, over 2·2².
        let found = Kernel::Gaussian { bandwidth: 2.0 }.at(&x, &y);
        assert!((found - core_math::exp(-10.25 / 8.0)).magnitude() < 1e-15);
    }

    /// With the linear kernel u = Θx, Θ_l = Σ_m a_lm p_m, and Θ(t) = Θ₀e^{−2Ct}: neither Gram matrix nor pairing enter.
    #[test]
    fn the_linear_kernel_machine_is_the_linear_model() {
        let (name, start) = named_kernel_starts().swap_remove(0);
        let points = start.points();
        let theta = IntervalMatrix::from_fn(start.outputs(), 2, |l, a| {
            let terms = start.coefficients[l].iter().zip(&points);
            terms.map(|(&c, p)| Interval::point(c) * p[a]).sum()
        })
        .expect("a matrix");
        for (which, loss) in LOSSES {
            let state = start.state(loss, 1.0).expect("the sizes fit");
            let growth = loss.matrix(&start.data).expect("data fit").scaled(state.time * -2.0);
            let map = theta.product(&matrix_exponential(&growth).expect("it is square")).expect("the sizes fit");
            for (i, p) in points.iter().enumerate() {
                for l in 0..start.outputs() {
                    let expected: Interval = (0..2).map(|a| map.at(l, a) * p[a]).sum();
                    let off = state.outputs.at(i, l) - expected;
                    assert!(off.magnitude() < 1e-12, "{name}, {which}: point {i}, output {l}");
                }
            }
            let form = state.outputs.transpose().product(&state.pairing).expect("sizes fit");
            let form = form.product(&state.outputs).expect("sizes fit").trace().expect("square");
            let direct = loss.value(&start.data, &map).expect("data fit");
            assert!((form - direct).magnitude() < 1e-12 && direct.mignitude() > 1e-3, "{name}, {which}");
        }
    }
}
