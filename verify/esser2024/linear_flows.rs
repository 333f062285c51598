//! Starts of the unconstrained one-layer linear flow, by the spectrum of C or by data, and the two losses.

use contrapositive::flow::{FlowError, OneLayerFlow};
use contrapositive::instance::Instance;
use contrapositive::interval::Interval;
use contrapositive::linear_algebra::{IntervalMatrix, Matrix, MatrixError, matrix_exponential};
use contrapositive::self_supervised::{SelfSupervisedError, TripletData};
use proptest::collection::vec;
use proptest::sample::select;
use proptest::strategy::{Just, Strategy};
use serde::{Deserialize, Serialize};

use super::flows::{check_numbers, points, without};

/// A start Θ₀ (rows θ_l) of the one-layer flow Θ′ = −2ΘΛ in the eigenbasis of C.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LinearStart {
    pub spectrum: Vec<f64>,
    pub start: Vec<Vec<f64>>,
}

impl LinearStart {
    pub fn new(spectrum: &[f64], rows: &[&[f64]]) -> Self {
        LinearStart {
            spectrum: spectrum.to_vec(),
            start: rows.iter().map(|r| r.to_vec()).collect(),
        }
    }

    pub fn flow(&self) -> Result<OneLayerFlow, FlowError> {
        OneLayerFlow::new(self.spectrum.clone(), Matrix::from_rows(self.start.clone())?)
    }

    /// The flow of component l alone.
    pub fn component(&self, l: usize) -> Result<OneLayerFlow, FlowError> {
        OneLayerFlow::new(self.spectrum.clone(), Matrix::from_rows(vec![self.start[l].clone()])?)
    }

    /// Data with C = Λ: x_i = e_i, x_i⁺ = −λ_i e_i, x_i⁻ = 0, for the contrastive and the non-contrastive loss alike.
    pub fn data(&self) -> TripletData {
        let d = self.spectrum.len();
        let along = |factor: &dyn Fn(usize) -> f64| -> Vec<Vec<f64>> {
            (0..d)
                .map(|i| (0..d).map(|j| if i == j { factor(i) } else { 0.0 }).collect())
                .collect()
        };
        TripletData {
            anchors: along(&|_| 1.0),
            positives: along(&|i| -self.spectrum[i]),
            negatives: along(&|_| 0.0),
        }
    }

    pub fn is_zero(&self) -> bool {
        self.start.iter().flatten().all(|x| *x == 0.0)
    }
}

impl Instance for LinearStart {
    fn describe(&self) -> String {
        let (d, z) = (self.spectrum.len(), self.start.len());
        format!("d = {d}, z = {z}, C = diag {:?}, Θ₀ = {:?}", self.spectrum, self.start)
    }

    fn validate(&self) -> Result<(), String> {
        let d = self.spectrum.len();
        if d == 0 || self.start.is_empty() || self.start.iter().any(|r| r.len() != d) {
            return Err("Θ₀ is not z×d".into());
        }
        check_numbers("eigenvalue", &self.spectrum)?;
        check_numbers("entry", &self.start.concat())?;
        let tiny = self
            .start
            .iter()
            .flatten()
            .chain(&self.spectrum)
            .any(|x| *x != 0.0 && x.abs() < 1e-9);
        if tiny {
            Err("a non-zero number below 1e-9".into())
        } else {
            Ok(())
        }
    }

    fn simpler(&self) -> Vec<Self> {
        let (d, z) = (self.spectrum.len(), self.start.len());
        let columns = (0..d).filter(|_| d > 1).map(|k| LinearStart {
            spectrum: without(&self.spectrum, k),
            start: self.start.iter().map(|r| without(r, k)).collect(),
        });
        let rows = (0..z).filter(|_| z > 1).map(|l| LinearStart {
            spectrum: self.spectrum.clone(),
            start: without(&self.start, l),
        });
        columns.chain(rows).collect()
    }
}

/// Named starts: the spectra and initial matrices at the borders of the statements.
pub fn named_linear_starts() -> Vec<(&'static str, LinearStart)> {
    let of = LinearStart::new;
    vec![
        ("C = 0, one dimension", of(&[0.0], &[&[1.0], &[2.0]])),
        ("C = 0, Θ₀ = I", of(&[0.0, 0.0], &[&[1.0, 0.0], &[0.0, 1.0]])),
        ("C = −I, Θ₀ = I", of(&[-1.0, -1.0], &[&[1.0, 0.0], &[0.0, 1.0]])),
        ("C = I, Θ₀ = I", of(&[1.0, 1.0], &[&[1.0, 0.0], &[0.0, 1.0]])),
        (
            "simple lowest eigenvalue",
            of(&[-1.0, -0.5], &[&[1.0, 0.0], &[0.0, 1.0]]),
        ),
        ("all positive, simple", of(&[1.0, 2.0], &[&[1.0, 2.0], &[3.0, -1.0]])),
        ("kernel of dimension one", of(&[0.0, 1.0], &[&[1.0, 1.0], &[2.0, 1.0]])),
        (
            "kernel of dimension two",
            of(&[0.0, 0.0, 1.0], &[&[1.0, 0.0, 1.0], &[0.0, 1.0, 1.0]]),
        ),
        (
            "kernel of dimension three",
            of(
                &[0.0, 0.0, 0.0, 2.0],
                &[&[1.0, 0.0, 0.0, 1.0], &[0.0, 1.0, 0.0, 1.0], &[0.0, 0.0, 1.0, 1.0]],
            ),
        ),
        ("crossing", of(&[-1.0, 0.0], &[&[0.0, 10.0], &[0.1, 0.0]])),
        (
            "blind to the negative eigenvalue",
            of(&[-1.0, 0.0, 1.0], &[&[0.0, 1.0, 1.0], &[0.0, 2.0, 1.0]]),
        ),
        ("one component converges", of(&[-1.0, 0.0], &[&[0.0, 1.0], &[1.0, 1.0]])),
        (
            "aligned with an eigenvector",
            of(&[-1.0, 2.0], &[&[0.0, 1.0], &[0.0, 3.0]]),
        ),
        ("rank one", of(&[-1.0, -1.0], &[&[1.0, 2.0], &[2.0, 4.0]])),
        (
            "a zero component",
            of(&[-1.0, -1.0, 0.0], &[&[1.0, 2.0, 1.0], &[0.0, 0.0, 0.0]]),
        ),
        (
            "repeated three times",
            of(
                &[-2.0, -2.0, -2.0, 1.0],
                &[&[1.0, 0.0, 1.0, 1.0], &[0.0, 1.0, 1.0, 1.0]],
            ),
        ),
        ("nearly repeated", of(&[-1.0, -0.999999], &[&[1.0, 1.0], &[1.0, -1.0]])),
        (
            "widely spread",
            of(&[-1000.0, -0.1, 3.0], &[&[0.001, 1.0, 2.0], &[0.002, 5.0, 1.0]]),
        ),
        ("one output", of(&[-1.0, 1.0], &[&[1.0, 1.0]])),
        ("Θ₀ = 0", of(&[-1.0, 1.0], &[&[0.0, 0.0], &[0.0, 0.0]])),
    ]
}

/// Starts with small integer entries over the given spectra, some columns zero.
pub fn linear_starts(spectra: impl Strategy<Value = Vec<f64>>) -> impl Strategy<Value = LinearStart> {
    (spectra, 1..=3usize, 0..32u32).prop_flat_map(|(spectrum, z, mask)| {
        let d = spectrum.len();
        let entry = |column: usize| {
            (Just(column), -4..=4i32).prop_map(move |(j, x)| {
                if mask >> j & 1 == 1 && mask % 3 == 0 {
                    0.0
                } else {
                    f64::from(x)
                }
            })
        };
        let row = (0..d).map(entry).collect::<Vec<_>>();
        vec(row, z).prop_map(move |start| LinearStart {
            spectrum: spectrum.clone(),
            start,
        })
    })
}

/// Which of the two losses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    Contrastive,
    NonContrastive,
}

pub const LOSSES: [(&str, Loss); 2] = [
    ("non-contrastive", Loss::NonContrastive),
    ("contrastive", Loss::Contrastive),
];

impl Loss {
    /// The loss of u(x) = Θx, from its definition.
    pub fn value(self, data: &TripletData, map: &IntervalMatrix) -> Result<Interval, SelfSupervisedError> {
        match self {
            Loss::Contrastive => data.contrastive_loss(map),
            Loss::NonContrastive => data.non_contrastive_loss(map),
        }
    }

    /// The symmetric data matrix C; for the non-contrastive loss with the sign that reproduces the loss.
    pub fn matrix(self, data: &TripletData) -> Result<IntervalMatrix, SelfSupervisedError> {
        let half = match self {
            Loss::Contrastive => data.contrastive_matrix()?,
            Loss::NonContrastive => data.non_contrastive_matrix()?,
        };
        Ok(half.symmetric_part()?)
    }
}

/// Triples of up to five points in up to four dimensions: general, signs, far from the centre, on a line, with equal partners.
pub fn triplets() -> impl Strategy<Value = TripletData> {
    (select(vec![1usize, 2, 3, 5]), 1..=4usize, 0..8u8).prop_flat_map(|(n, d, kind)| {
        let rows = move || vec(vec(-2.0..2.0f64, d), n);
        (rows(), rows(), rows()).prop_map(move |(anchors, positives, negatives)| {
            let each = |points: &[Vec<f64>], f: &dyn Fn(f64) -> f64| -> Vec<Vec<f64>> {
                points.iter().map(|p| p.iter().map(|&x| f(x)).collect()).collect()
            };
            let (a, p, m) = (&anchors, &positives, &negatives);
            let (anchors, positives, negatives) = match kind {
                0 => (each(a, &f64::signum), each(p, &f64::signum), each(m, &f64::signum)),
                1 => (each(a, &|x| x + 10.0), each(p, &|x| x + 10.0), each(m, &|x| x + 10.0)),
                2 => (a.clone(), a.clone(), m.clone()),
                3 => (a.clone(), p.clone(), p.clone()),
                4 => (a.clone(), p.clone(), each(a, &|x| -x)),
                5 => {
                    let line = |points: &[Vec<f64>]| points.iter().map(|q| vec![q[0]; q.len()]).collect::<Vec<_>>();
                    (line(a), line(p), line(m))
                }
                _ => (a.clone(), p.clone(), m.clone()),
            };
            TripletData {
                anchors,
                positives,
                negatives,
            }
        })
    })
}

/// Data, a start Θ₀ (rows θ_l), a point x, and a time in units of 1/(1 + ‖C‖_∞).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DataStart {
    pub data: TripletData,
    pub start: Vec<Vec<f64>>,
    pub point: Vec<f64>,
    pub time: f64,
}

impl DataStart {
    /// The printed non-contrastive example and its like: one triple in the plane or on the line.
    pub fn one(x: &[f64], plus: &[f64], minus: &[f64], start: &[&[f64]], point: &[f64]) -> Self {
        DataStart {
            data: TripletData {
                anchors: vec![x.to_vec()],
                positives: vec![plus.to_vec()],
                negatives: vec![minus.to_vec()],
            },
            start: start.iter().map(|r| r.to_vec()).collect(),
            point: point.to_vec(),
            time: 0.5,
        }
    }

    pub fn outputs(&self) -> usize {
        self.start.len()
    }

    pub fn initial(&self) -> Result<IntervalMatrix, MatrixError> {
        Ok(Matrix::from_rows(self.start.clone())?.into())
    }

    /// The time meant by a fraction of `time`, for this loss.
    pub fn time_of(&self, loss: Loss, fraction: f64) -> Result<Interval, SelfSupervisedError> {
        let unit = Interval::ONE + loss.matrix(&self.data)?.infinity_norm().hi();
        Ok(Interval::point(self.time) * fraction / unit)
    }

    /// Θ(t) = Θ₀ e^{−2Ct} after a fraction of `time`.
    pub fn state(&self, loss: Loss, fraction: f64) -> Result<IntervalMatrix, SelfSupervisedError> {
        let time = self.time_of(loss, fraction)?;
        let growth = matrix_exponential(&loss.matrix(&self.data)?.scaled(time * -2.0))?;
        Ok(self.initial()?.product(&growth)?)
    }

    /// What the terms of a loss at Θ + (row of the size of x) add up to in absolute value.
    pub fn scale(&self, map: &IntervalMatrix) -> f64 {
        let largest = |p: &[f64]| p.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let size: f64 =
            map.entries().iter().map(|e| e.magnitude()).sum::<f64>() + self.point.iter().map(|x| x.abs()).sum::<f64>();
        let pairs = (self.data.anchors.iter().zip(&self.data.positives)).zip(&self.data.negatives);
        let data: f64 = pairs.map(|((x, p), m)| largest(x) * (largest(p) + largest(m))).sum();
        size * size * data
    }
}

/// u_l(x)′ under the gradient flow at Θ, from the loss alone: −⟨∇L(Θ), e_l xᵀ⟩ = −(L(Θ + e_l xᵀ) − L(Θ − e_l xᵀ))/2, exact because
/// the loss is quadratic.
pub fn velocity(
    loss: Loss,
    data: &TripletData,
    map: &IntervalMatrix,
    l: usize,
    x: &[f64],
) -> Result<Interval, SelfSupervisedError> {
    let moved = |sign: f64| -> Result<Interval, SelfSupervisedError> {
        let entry = |i: usize, j: usize| {
            let here = map.get(i, j).unwrap_or(Interval::ENTIRE);
            if i == l {
                here + Interval::point(sign * x[j])
            } else {
                here
            }
        };
        loss.value(data, &IntervalMatrix::from_fn(map.rows(), map.columns(), entry)?)
    };
    Ok((moved(-1.0)? - moved(1.0)?) * 0.5)
}

/// The inner product of two points.
pub fn inner(a: &[f64], b: &[f64]) -> Interval {
    points(a).into_iter().zip(b).map(|(x, &y)| x * y).sum()
}

impl Instance for DataStart {
    fn describe(&self) -> String {
        format!(
            "{}, Θ₀ = {:?}, x = {:?}, t = {}/(1+‖C‖)",
            self.data.describe(),
            self.start,
            self.point,
            self.time
        )
    }

    fn validate(&self) -> Result<(), String> {
        self.data.validate()?;
        let d = self.data.dimension();
        if self.start.is_empty() || self.start.iter().any(|r| r.len() != d) || self.point.len() != d {
            return Err("Θ₀ is not z×d, or x not in ℝ^d".into());
        }
        check_numbers("entry", &self.start.concat())?;
        check_numbers("coordinate", &self.point)?;
        if !(0.0..=4.0).contains(&self.time) {
            return Err(format!("time {} is not in [0, 4]", self.time));
        }
        Ok(())
    }

    fn simpler(&self) -> Vec<Self> {
        let n = self.data.count();
        let samples = (0..n).filter(|_| n > 1).map(|k| DataStart {
            data: TripletData {
                anchors: without(&self.data.anchors, k),
                positives: without(&self.data.positives, k),
                negatives: without(&self.data.negatives, k),
            },
            ..self.clone()
        });
        let z = self.start.len();
        let rows = (0..z).filter(|_| z > 1).map(|l| DataStart {
            start: without(&self.start, l),
            ..self.clone()
        });
        samples.chain(rows).collect()
    }
}

/// Named data: partners equal, opposite, zero; anchors orthonormal; points in and out of the sample.
pub fn named_data_starts() -> Vec<(&'static str, DataStart)> {
    let identity: &[&[f64]] = &[&[1.0, 0.0], &[0.0, 1.0]];
    let plane = |x: &[f64], plus: &[f64], minus: &[f64], point: &[f64]| DataStart::one(x, plus, minus, identity, point);
    let orthonormal = DataStart {
        data: TripletData {
            anchors: vec![vec![1.0, 0.0], vec![0.0, 1.0]],
            positives: vec![vec![1.0, 0.0], vec![0.0, 1.0]],
            negatives: vec![vec![0.0, 0.0], vec![0.0, 0.0]],
        },
        ..plane(&[0.0, 0.0], &[0.0, 0.0], &[0.0, 0.0], &[1.0, 1.0])
    };
    vec![
        ("on the line", DataStart::one(&[1.0], &[1.0], &[0.0], &[&[1.0]], &[1.0])),
        (
            "asymmetric pair",
            DataStart::one(&[1.0, 0.0], &[0.0, 1.0], &[0.0, 0.0], &[&[1.0, 0.0]], &[0.0, 1.0]),
        ),
        ("x⁻ = x⁺", plane(&[1.0, 0.0], &[0.0, 1.0], &[0.0, 1.0], &[1.0, 1.0])),
        (
            "x⁺ = x, x⁻ = −x",
            plane(&[1.0, 2.0], &[1.0, 2.0], &[-1.0, -2.0], &[1.0, 2.0]),
        ),
        ("x⁻ = x", plane(&[1.0, 2.0], &[2.0, 1.0], &[1.0, 2.0], &[3.0, -1.0])),
        (
            "zero vectors",
            plane(&[0.0, 0.0], &[0.0, 0.0], &[0.0, 0.0], &[1.0, 1.0]),
        ),
        ("orthonormal anchors, x⁺ = x, x⁻ = 0", orthonormal),
    ]
}

/// Data from [`triplets`], a start and a point of moderate size.
pub fn data_starts() -> impl Strategy<Value = DataStart> {
    (triplets(), 1..=3usize, 0.0..2.0f64).prop_flat_map(|(data, z, time)| {
        let d = data.dimension();
        (Just(data), vec(vec(-2.0..2.0f64, d), z), vec(-2.0..2.0f64, d)).prop_map(move |(data, start, point)| {
            DataStart {
                data,
                start,
                point,
                time,
            }
        })
    })
}
