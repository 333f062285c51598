//! Data with a start of the linear model: the two losses, the velocity of an output read off from the loss, and families.

use enclosures::linear_algebra::{IntervalMatrix, Matrix, MatrixError, matrix_exponential};
use enclosures::vectors::{largest_magnitude, points, sum_of_products};
use evidence::prelude::*;
use linear_ssl::self_supervised::{SelfSupervisedError, TripletData};
use proptest::collection::vec;
use proptest::sample::select;
use proptest::strategy::{Just, Strategy};
use serde::{Deserialize, Serialize};

use crate::shared::flows::without;

/// Which of the two losses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    Contrastive,
    NonContrastive,
}

pub const LOSSES: [(&str, Loss); 2] = [("non-contrastive", Loss::NonContrastive), ("contrastive", Loss::Contrastive)];

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
            TripletData { anchors, positives, negatives }
        })
    })
}

/// Data, a start Θ₀ (rows θ_l), a point x, and a time in units of 1/(1 + ‖C‖_∞).
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(
    describe = "{data}, Θ₀ = {start:?}, x = {point:?}, t = {time}/(1+‖C‖)",
    valid = Self::fits,
    simpler = Self::with_fewer, stored)]
pub struct DataStart {
    #[instance(nested)]
    pub data: TripletData,
    #[instance(length = "z in 1.., d in 1..", range = "-1e6..=1e6")]
    pub start: Vec<Vec<f64>>,
    #[instance(length = "d", range = "-1e6..=1e6")]
    pub point: Vec<f64>,
    #[instance(range = "0..=4")]
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
        let size: f64 =
            map.entries().iter().map(|e| e.magnitude()).sum::<f64>() + self.point.iter().map(|x| x.abs()).sum::<f64>();
        let pairs = (self.data.anchors.iter().zip(&self.data.positives)).zip(&self.data.negatives);
        let data: f64 =
            pairs.map(|((x, p), m)| largest_magnitude(x) * (largest_magnitude(p) + largest_magnitude(m))).sum();
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
            let here = map.at(i, j);
            if i == l { here + Interval::point(sign * x[j]) } else { here }
        };
        loss.value(data, &IntervalMatrix::from_fn(map.rows(), map.columns(), entry)?)
    };
    Ok((moved(-1.0)? - moved(1.0)?) * 0.5)
}

/// The inner product of two points.
pub fn inner(a: &[f64], b: &[f64]) -> Interval {
    sum_of_products(&points(a), b)
}

impl DataStart {
    fn fits(&self) -> Result<(), String> {
        let d = self.data.dimension();
        if self.point.len() == d { Ok(()) } else { Err(format!("x has length {} where d = {d}", self.point.len())) }
    }

    fn with_fewer(&self) -> Vec<Self> {
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
        let rows = (0..z).filter(|_| z > 1).map(|l| DataStart { start: without(&self.start, l), ..self.clone() });
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
        ("asymmetric pair", DataStart::one(&[1.0, 0.0], &[0.0, 1.0], &[0.0, 0.0], &[&[1.0, 0.0]], &[0.0, 1.0])),
        ("x⁻ = x⁺", plane(&[1.0, 0.0], &[0.0, 1.0], &[0.0, 1.0], &[1.0, 1.0])),
        ("x⁺ = x, x⁻ = −x", plane(&[1.0, 2.0], &[1.0, 2.0], &[-1.0, -2.0], &[1.0, 2.0])),
        ("x⁻ = x", plane(&[1.0, 2.0], &[2.0, 1.0], &[1.0, 2.0], &[3.0, -1.0])),
        ("zero vectors", plane(&[0.0, 0.0], &[0.0, 0.0], &[0.0, 0.0], &[1.0, 1.0])),
        ("orthonormal anchors, x⁺ = x, x⁻ = 0", orthonormal),
    ]
}

/// Data from [`triplets`], a start and a point of moderate size.
pub fn data_starts() -> impl Strategy<Value = DataStart> {
    (triplets(), 1..=3usize, 0.0..2.0f64).prop_flat_map(|(data, z, time)| {
        let d = data.dimension();
        (Just(data), vec(vec(-2.0..2.0f64, d), z), vec(-2.0..2.0f64, d))
            .prop_map(move |(data, start, point)| DataStart { data, start, point, time })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_velocity_is_the_one_of_the_trace_form() {
        for (name, start) in named_data_starts() {
            let map = start.initial().expect("a matrix");
            for (loss_name, loss) in LOSSES {
                let c = loss.matrix(&start.data).expect("the data fit");
                for l in 0..start.outputs() {
                    let found = velocity(loss, &start.data, &map, l, &start.point).expect("the data fit");
                    let at = |i: usize, j: usize| map.get(l, i).expect("an entry") * c.get(i, j).expect("an entry");
                    let d = start.point.len();
                    let terms = pairs(0..d, 0..d);
                    let expected: Interval = terms.map(|(i, j)| at(i, j) * start.point[j] * -2.0).sum();
                    let size = 1.0 + expected.abs().hi();
                    assert!((found - expected).abs().hi() < 1e-9 * size, "{name}, {loss_name}, output {l}");
                }
            }
        }
    }
}
