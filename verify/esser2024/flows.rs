//! Instances of the learning dynamics: starts of the one-output flow (10), of the one-layer linear flow, and data with a start.

use contrapositive::flow::{FlowError, OneLayerFlow, SphereFlow};
use contrapositive::instance::Instance;
use contrapositive::interval::Interval;
use contrapositive::linear_algebra::{IntervalMatrix, Matrix};
use contrapositive::self_supervised::{SelfSupervisedError, TripletData};
use proptest::collection::vec;
use proptest::sample::select;
use proptest::strategy::{Just, Strategy};
use serde::{Deserialize, Serialize};

/// Eigenvalues and coordinates beyond this are refused.
const LARGEST: f64 = 1e6;

pub fn check_numbers(what: &str, values: &[f64]) -> Result<(), String> {
    match values.iter().find(|x| !(x.abs() <= LARGEST)) {
        Some(x) => Err(format!("{what} {x} is beyond {LARGEST:e}")),
        None => Ok(()),
    }
}

/// The list without entry `k`.
pub fn without<T: Clone>(list: &[T], k: usize) -> Vec<T> {
    list.iter()
        .enumerate()
        .filter(|(i, _)| *i != k)
        .map(|(_, x)| x.clone())
        .collect()
}

pub fn points(values: &[f64]) -> Vec<Interval> {
    values.iter().map(|&x| Interval::point(x)).collect()
}

pub fn length(vector: &[Interval]) -> Interval {
    vector.iter().map(|x| x.square()).sum::<Interval>().sqrt()
}

/// A start of the flow (10) in the eigenbasis of C: `√squared_norm · direction/‖direction‖`, for a network of width h.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SphereStart {
    pub width: usize,
    pub spectrum: Vec<f64>,
    pub direction: Vec<f64>,
    pub squared_norm: f64,
}

impl SphereStart {
    pub fn new(width: usize, spectrum: &[f64], direction: &[f64], squared_norm: f64) -> Self {
        SphereStart {
            width,
            spectrum: spectrum.to_vec(),
            direction: direction.to_vec(),
            squared_norm,
        }
    }

    /// With orthonormal weights, d columns and one column of `ℝ^h`: every norm up to one if h > d, the norm one if h = d.
    pub fn is_attainable(&self) -> bool {
        let d = self.spectrum.len();
        self.width > d || (self.width == d && self.squared_norm == 1.0)
    }

    pub fn flow(&self) -> Result<SphereFlow, FlowError> {
        SphereFlow::new(self.spectrum.clone(), self.direction.clone(), self.squared_norm)
    }

    pub fn smallest(&self) -> f64 {
        self.spectrum.iter().copied().fold(f64::INFINITY, f64::min)
    }

    pub fn largest(&self) -> f64 {
        self.spectrum.iter().copied().fold(f64::NEG_INFINITY, f64::max)
    }

    /// Whether coordinate j of the start is not zero.
    pub fn touches(&self, j: usize) -> bool {
        self.squared_norm > 0.0 && self.direction[j] != 0.0
    }

    /// The smallest eigenvalue with a non-zero coordinate.
    pub fn lowest_touched(&self) -> Option<f64> {
        let touched = (0..self.spectrum.len()).filter(|&j| self.touches(j));
        touched.map(|j| self.spectrum[j]).reduce(f64::min)
    }

    /// The start projected on the eigenspace of `eigenvalue` and normalised; zero if the projection is.
    pub fn normalised_part(&self, eigenvalue: f64) -> Vec<Interval> {
        let part: Vec<Interval> = (0..self.spectrum.len())
            .map(|j| match self.touches(j) && self.spectrum[j] == eigenvalue {
                true => Interval::point(self.direction[j]),
                false => Interval::ZERO,
            })
            .collect();
        let norm = length(&part);
        part.into_iter()
            .map(|x| if x == Interval::ZERO { x } else { x / norm })
            .collect()
    }

    /// The coordinates of the start.
    pub fn position(&self) -> Vec<Interval> {
        let direction = points(&self.direction);
        let factor = Interval::point(self.squared_norm).sqrt() / length(&direction);
        let coordinate = |&x: &Interval| {
            if x == Interval::ZERO || self.squared_norm == 0.0 {
                Interval::ZERO
            } else {
                x * factor
            }
        };
        direction.iter().map(coordinate).collect()
    }

    /// `qᵀΛq/qᵀq` at the start.
    pub fn quotient(&self) -> Interval {
        let squares: Vec<Interval> = self.direction.iter().map(|&x| Interval::point(x).square()).collect();
        let weighted: Interval = squares.iter().zip(&self.spectrum).map(|(&s, &l)| s * l).sum();
        weighted / squares.iter().copied().sum::<Interval>()
    }

    /// 1 − ‖q₀‖².
    pub fn slack(&self) -> Interval {
        Interval::ONE - self.squared_norm
    }
}

impl Instance for SphereStart {
    fn describe(&self) -> String {
        let d = self.spectrum.len();
        let (h, spectrum, direction, rho) = (self.width, &self.spectrum, &self.direction, self.squared_norm);
        if rho == 0.0 {
            return format!("d = {d}, h = {h}, Λ = diag {spectrum:?}, q₀ = 0");
        }
        format!("d = {d}, h = {h}, Λ = diag {spectrum:?}, q₀ along {direction:?}, ‖q₀‖² = {rho}")
    }

    fn validate(&self) -> Result<(), String> {
        let d = self.spectrum.len();
        if d == 0 || d != self.direction.len() || self.width < d {
            return Err(format!(
                "d = {d}, {} coordinates, h = {}",
                self.direction.len(),
                self.width
            ));
        }
        check_numbers("eigenvalue", &self.spectrum)?;
        check_numbers("coordinate", &self.direction)?;
        if self.direction.iter().any(|x| *x != 0.0 && x.abs() < 1e-100) {
            return Err("a coordinate below 1e-100".into());
        }
        if !(0.0..=1.0).contains(&self.squared_norm) {
            return Err(format!("‖q₀‖² = {} is not in [0, 1]", self.squared_norm));
        }
        if self.direction.iter().all(|x| *x == 0.0) {
            return Err("no direction".into());
        }
        Ok(())
    }

    fn simpler(&self) -> Vec<Self> {
        let d = self.spectrum.len();
        let fewer = (0..d).filter(|_| d > 1).map(|k| SphereStart {
            width: self.width - 1,
            spectrum: without(&self.spectrum, k),
            direction: without(&self.direction, k),
            squared_norm: self.squared_norm,
        });
        let narrower = [d, d + 1]
            .into_iter()
            .filter(|&h| h < self.width)
            .map(|width| SphereStart { width, ..self.clone() });
        fewer.chain(narrower).collect()
    }
}

/// Starts over spectra from a strategy: some coordinates zero, norms 0, 1, close to them and between, widths d, d + 1, 2d and 50.
pub fn starts(spectra: impl Strategy<Value = Vec<f64>>) -> impl Strategy<Value = SphereStart> {
    let norm = (
        select(vec![0.0, 1.0, 1.0, 1e-12, 1.0 - 1e-12, 2.0, 2.0, 2.0, 2.0, 2.0]),
        0.0..1.0f64,
    )
        .prop_map(|(named, drawn)| if named > 1.0 { drawn } else { named });
    (spectra, norm, 0..4usize).prop_flat_map(|(spectrum, norm, breadth)| {
        let d = spectrum.len();
        let coordinate = (-1.0..1.0f64, 0..5u8).prop_map(|(x, keep)| if keep == 0 || x.abs() < 1e-9 { 0.0 } else { x });
        vec(coordinate, d).prop_map(move |mut direction| {
            if direction.iter().all(|x| *x == 0.0) {
                direction[0] = 1.0;
            }
            SphereStart {
                width: [d, d + 1, 2 * d, 50][breadth],
                spectrum: spectrum.clone(),
                direction,
                squared_norm: if breadth == 0 || (breadth == 2 && d == 1 && norm == 0.0) {
                    1.0
                } else {
                    norm
                },
            }
        })
    })
}

/// Spectra of size up to five: from the grid of halves, continuous, with repetitions.
pub fn spectra(lo: f64, hi: f64) -> impl Strategy<Value = Vec<f64>> {
    let grid: Vec<f64> = [-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0]
        .into_iter()
        .filter(|x| (lo..=hi).contains(x))
        .collect();
    (1..=5usize, 0..3u8).prop_flat_map(move |(d, kind)| {
        let grid = grid.clone();
        vec((select(grid), lo..hi), d).prop_map(move |pairs| {
            let mut spectrum: Vec<f64> = pairs.iter().map(|&(g, x)| if kind == 0 { g } else { x }).collect();
            if kind == 2 && spectrum.len() > 1 {
                spectrum[1] = spectrum[0];
            }
            spectrum
        })
    })
}

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
