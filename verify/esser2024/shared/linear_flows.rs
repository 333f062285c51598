//! Starts of the unconstrained one-layer linear flow by the spectrum of C.

use enclosures::linear_algebra::Matrix;
use evidence::instance::Instance;
use linear_ssl::flow::{FlowError, OneLayerFlow};
use linear_ssl::self_supervised::TripletData;
use proptest::collection::vec;
use proptest::strategy::{Just, Strategy};
use serde::{Deserialize, Serialize};

use crate::shared::flows::without;

/// A start Θ₀ (rows θ_l) of the one-layer flow Θ′ = −2ΘΛ in the eigenbasis of C.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(
    describe = "d = {d}, z = {z}, C = diag {spectrum:?}, Θ₀ = {start:?}",
    valid = Self::has_no_tiny_number,
    simpler = Self::with_fewer, stored)]
pub struct LinearStart {
    #[instance(length = "d in 1..", range = "-1e6..=1e6")]
    pub spectrum: Vec<f64>,
    #[instance(length = "z in 1.., d", range = "-1e6..=1e6")]
    pub start: Vec<Vec<f64>>,
}

impl LinearStart {
    pub fn new(spectrum: &[f64], rows: &[&[f64]]) -> Self {
        LinearStart { spectrum: spectrum.to_vec(), start: rows.iter().map(|r| r.to_vec()).collect() }
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
            (0..d).map(|i| (0..d).map(|j| if i == j { factor(i) } else { 0.0 }).collect()).collect()
        };
        TripletData { anchors: along(&|_| 1.0), positives: along(&|i| -self.spectrum[i]), negatives: along(&|_| 0.0) }
    }

    /// Nothing moves for want of data, or of a start.
    pub fn is_still(&self) -> bool {
        self.is_zero() || self.spectrum.iter().all(|l| *l == 0.0)
    }

    pub fn is_zero(&self) -> bool {
        self.start.iter().flatten().all(|x| *x == 0.0)
    }
}

impl LinearStart {
    fn has_no_tiny_number(&self) -> Result<(), String> {
        let mut numbers = self.start.iter().flatten().chain(&self.spectrum);
        match numbers.find(|x| **x != 0.0 && x.abs() < 1e-9) {
            Some(x) => Err(format!("{x} is not zero, but below 1e-9")),
            None => Ok(()),
        }
    }

    fn with_fewer(&self) -> Vec<Self> {
        let (d, z) = (self.spectrum.len(), self.start.len());
        let columns = (0..d).filter(|_| d > 1).map(|k| LinearStart {
            spectrum: without(&self.spectrum, k),
            start: self.start.iter().map(|r| without(r, k)).collect(),
        });
        let rows = (0..z)
            .filter(|_| z > 1)
            .map(|l| LinearStart { spectrum: self.spectrum.clone(), start: without(&self.start, l) });
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
        ("simple lowest eigenvalue", of(&[-1.0, -0.5], &[&[1.0, 0.0], &[0.0, 1.0]])),
        ("all positive, simple", of(&[1.0, 2.0], &[&[1.0, 2.0], &[3.0, -1.0]])),
        ("kernel of dimension one", of(&[0.0, 1.0], &[&[1.0, 1.0], &[2.0, 1.0]])),
        ("kernel of dimension two", of(&[0.0, 0.0, 1.0], &[&[1.0, 0.0, 1.0], &[0.0, 1.0, 1.0]])),
        (
            "kernel of dimension three",
            of(&[0.0, 0.0, 0.0, 2.0], &[&[1.0, 0.0, 0.0, 1.0], &[0.0, 1.0, 0.0, 1.0], &[0.0, 0.0, 1.0, 1.0]]),
        ),
        ("crossing", of(&[-1.0, 0.0], &[&[0.0, 10.0], &[0.1, 0.0]])),
        ("blind to the negative eigenvalue", of(&[-1.0, 0.0, 1.0], &[&[0.0, 1.0, 1.0], &[0.0, 2.0, 1.0]])),
        ("one component converges", of(&[-1.0, 0.0], &[&[0.0, 1.0], &[1.0, 1.0]])),
        ("aligned with an eigenvector", of(&[-1.0, 2.0], &[&[0.0, 1.0], &[0.0, 3.0]])),
        ("rank one", of(&[-1.0, -1.0], &[&[1.0, 2.0], &[2.0, 4.0]])),
        ("a zero component", of(&[-1.0, -1.0, 0.0], &[&[1.0, 2.0, 1.0], &[0.0, 0.0, 0.0]])),
        ("repeated three times", of(&[-2.0, -2.0, -2.0, 1.0], &[&[1.0, 0.0, 1.0, 1.0], &[0.0, 1.0, 1.0, 1.0]])),
        ("nearly repeated", of(&[-1.0, -0.999999], &[&[1.0, 1.0], &[1.0, -1.0]])),
        ("widely spread", of(&[-1000.0, -0.1, 3.0], &[&[0.001, 1.0, 2.0], &[0.002, 5.0, 1.0]])),
        ("one output", of(&[-1.0, 1.0], &[&[1.0, 1.0]])),
        ("Θ₀ = 0", of(&[-1.0, 1.0], &[&[0.0, 0.0], &[0.0, 0.0]])),
    ]
}

/// Starts with small integer entries over the given spectra, some columns zero.
pub fn linear_starts(spectra: impl Strategy<Value = Vec<f64>>) -> impl Strategy<Value = LinearStart> {
    (spectra, 1..=3usize, 0..32u32).prop_flat_map(|(spectrum, z, mask)| {
        let d = spectrum.len();
        let entry = |column: usize| {
            (Just(column), -4..=4i32).prop_map(
                move |(j, x)| {
                    if mask >> j & 1 == 1 && mask % 3 == 0 { 0.0 } else { f64::from(x) }
                },
            )
        };
        let row = (0..d).map(entry).collect::<Vec<_>>();
        vec(row, z).prop_map(move |start| LinearStart { spectrum: spectrum.clone(), start })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::linear_data::LOSSES;

    #[test]
    fn the_data_of_a_start_have_its_spectrum_under_both_losses() {
        for (name, start) in named_linear_starts() {
            for (loss_name, loss) in LOSSES {
                let c = loss.matrix(&start.data()).expect("the data fit");
                for (i, &lambda) in start.spectrum.iter().enumerate() {
                    for j in 0..start.spectrum.len() {
                        let expected = if i == j { lambda } else { 0.0 };
                        let found = c.get(i, j).expect("an entry");
                        let off = (found - expected).abs().hi();
                        assert!(off <= 1e-12 * (1.0 + lambda.abs()), "{name}, {loss_name}: ({i}, {j})");
                    }
                }
            }
        }
    }
}
