//! Small networks before and after a change of their weights, in exact arithmetic: weights are quarters of small integers.

use enclosures::piecewise_linear::{ReluDifference, relu_difference};
use enclosures::stream::stream;
use enclosures::vectors::{plus, sum_of_products};
use evidence::prelude::*;
use serde::{Deserialize, Serialize};

/// A network W, a change W′ and one input, all in quarters. With L ≤ 3, at most 3 units and entries up to 8 quarters all pre-activations are
/// exact in doubles.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, valid = Self::fits, simpler = Self::with_one_less, stored)]
pub struct QuarterNetwork {
    /// Row by row W_0, …, W_L; the rows of W_l have as many entries as the layer below.
    #[instance(length = "2..=4, 1..=3, 1..=3", range = "-8..=8")]
    pub weights: Vec<Vec<Vec<i32>>>,
    #[instance(length = "2..=4, 1..=3, 1..=3", range = "-8..=8")]
    pub change: Vec<Vec<Vec<i32>>>,
    #[instance(length = "1..=3", range = "-8..=8")]
    pub point: Vec<i32>,
}

/// Everything that the decomposition speaks of.
pub struct Decomposition {
    weights: Vec<Vec<Vec<f64>>>,
    change: Vec<Vec<Vec<f64>>>,
    /// h_{−1} = x, h_0, …, h_{L−1}, and the same with primes.
    below: Vec<Vec<f64>>,
    below_changed: Vec<Vec<f64>>,
    /// D and D″ of layers 0 to L − 1.
    pub entries: Vec<Vec<ReluDifference>>,
    /// f before and after.
    outputs: [Vec<f64>; 2],
}

fn times(matrix: &[Vec<f64>], v: &[f64]) -> Vec<f64> {
    matrix.iter().map(|row| sum_of_products(row, v)).collect()
}

fn enclosed(matrix: &[Vec<f64>], v: &[Enclosure]) -> Vec<Enclosure> {
    matrix.iter().map(|row| sum_of_products(v, row)).collect()
}

fn as_points(v: &[f64]) -> Vec<Enclosure> {
    v.iter().map(|&x| exact(x)).collect()
}

fn relu(v: &[f64]) -> Vec<f64> {
    v.iter().map(|x| x.max(0.0)).collect()
}

impl QuarterNetwork {
    /// Entries −8 to 8 quarters from a seed.
    pub fn filled(input: usize, width: usize, layers: usize, output: usize, seed: u64) -> Self {
        let mut rng = stream(seed, &["quarter network"]);
        let mut number = || ((1.0 - uniform(&mut rng)) * 17.0) as i32 - 8;
        let mut matrices = || -> Vec<Vec<Vec<i32>>> {
            let shape = |l: usize| (if l == layers { output } else { width }, if l == 0 { input } else { width });
            let mut one = |(rows, columns): (usize, usize)| -> Vec<Vec<i32>> {
                (0..rows).map(|_| (0..columns).map(|_| number()).collect()).collect()
            };
            (0..=layers).map(|l| one(shape(l))).collect()
        };
        let (weights, change) = (matrices(), matrices());
        QuarterNetwork { weights, change, point: (0..input).map(|c| if c == 0 { 4 } else { 3 }).collect() }
    }

    fn layers(&self) -> usize {
        self.weights.len().saturating_sub(1)
    }

    /// Whether the first layer stays as it is.
    pub fn first_layer_kept(&self) -> bool {
        self.change.first().is_some_and(|w| w.iter().flatten().all(|&x| x == 0))
    }

    /// Runs both networks and takes D″ from Lemma B.8.
    pub fn displacement(&self) -> Result<Decomposition, MeasureError> {
        let quarters = |list: &[Vec<Vec<i32>>]| -> Vec<Vec<Vec<f64>>> {
            let row = |row: &Vec<i32>| row.iter().map(|&x| f64::from(x) / 4.0).collect();
            list.iter().map(|matrix| matrix.iter().map(row).collect()).collect()
        };
        let (weights, change) = (quarters(&self.weights), quarters(&self.change));
        let point: Vec<f64> = self.point.iter().map(|&x| f64::from(x) / 4.0).collect();
        let (mut below, mut below_changed, mut entries) = (vec![point.clone()], vec![point], Vec::new());
        let mut outputs = [Vec::new(), Vec::new()];
        for l in 0..weights.len() {
            let before = times(&weights[l], &below[l]);
            let moved = times(&change[l], &below_changed[l]);
            let after = plus(&times(&weights[l], &below_changed[l]), &moved);
            if l + 1 == weights.len() {
                outputs = [before, after];
            } else {
                entries.push(relu_difference(&before, &after)?);
                below.push(relu(&before));
                below_changed.push(relu(&after));
            }
        }
        Ok(Decomposition { weights, change, below, below_changed, entries, outputs })
    }
}

impl Decomposition {
    /// Number L of hidden layers.
    pub fn layers(&self) -> usize {
        self.entries.len()
    }

    fn slopes(&self, l: usize, v: Vec<Enclosure>, corrected: bool) -> Vec<Enclosure> {
        let slope = |e: &ReluDifference| Enclosure::from(if corrected { e.slope } else { e.indicator() });
        self.entries[l].iter().zip(v).map(|(e, x)| slope(e) * x).collect()
    }

    /// h′_l − h_l.
    pub fn moved(&self, l: usize) -> Vec<Enclosure> {
        let pairs = self.below_changed[l + 1].iter().zip(&self.below[l + 1]);
        pairs.map(|(&x, &y)| exact(x) - y).collect()
    }

    /// Σ_{a=from}^{l} (∏_{c=a+1}^{l} (D_c + D″_c)W_c)(D_a + D″_a)W′_a h′_{a−1}, with D″ or without.
    pub fn decomposed(&self, from: usize, l: usize, corrected: bool) -> Vec<Enclosure> {
        let mut total = vec![Enclosure::ZERO; self.below[l + 1].len()];
        for a in from..=l {
            let mut term = self.slopes(a, as_points(&times(&self.change[a], &self.below_changed[a])), corrected);
            for c in a + 1..=l {
                term = self.slopes(c, enclosed(&self.weights[c], &term), corrected);
            }
            total = plus(&total, &term);
        }
        total
    }

    /// f_{W+W′}(x) − f_W(x).
    pub fn output_moved(&self) -> Vec<Enclosure> {
        let pairs = self.outputs[1].iter().zip(&self.outputs[0]);
        pairs.map(|(&x, &y)| exact(x) - y).collect()
    }

    /// W′_L h′_{L−1} + V (σ(b) − σ(a)) for the pre-activations a, b of layer L − 1, with V = W_L, or W′_L as printed.
    pub fn last_layer(&self, printed: bool) -> Vec<Enclosure> {
        let last = self.layers();
        let first = as_points(&times(&self.change[last], &self.below_changed[last]));
        let matrix = if printed { &self.change[last] } else { &self.weights[last] };
        plus(&first, &enclosed(matrix, &self.moved(last - 1)))
    }

    /// W′_L h′_{L−1} + Σ_{l=0}^{L−1} W_L (∏_{a=l+1}^{L−1} (D_a + D″_a)W_a)(D_l + D″_l)W′_l h′_{l−1}.
    pub fn output_decomposed(&self) -> Vec<Enclosure> {
        let last = self.layers();
        let first = as_points(&times(&self.change[last], &self.below_changed[last]));
        plus(&first, &enclosed(&self.weights[last], &self.decomposed(0, last - 1, true)))
    }

    /// All entries of D + D″.
    pub fn all_slopes(&self) -> impl Iterator<Item = Interval> + '_ {
        self.entries.iter().flatten().map(|e| e.slope)
    }
}

impl QuarterNetwork {
    fn in_words(&self) -> String {
        format!("L = {}, W = {:?}/4, W′ = {:?}/4, x = {:?}/4", self.layers(), self.weights, self.change, self.point)
    }

    fn fits(&self) -> Result<(), String> {
        if self.weights.len() != self.change.len() {
            return Err("W′ has another depth".into());
        }
        let mut columns = self.point.len();
        for (matrix, change) in self.weights.iter().zip(&self.change) {
            let fits = |m: &Vec<Vec<i32>>| m.len() == matrix.len() && m.iter().all(|row| row.len() == columns);
            if !fits(matrix) || !fits(change) {
                return Err("matrices that do not fit together".into());
            }
            columns = matrix.len();
        }
        Ok(())
    }

    fn with_one_less(&self) -> Vec<Self> {
        let mut found = Vec::new();
        let width = self.weights[0].len();
        for k in 0..width {
            // Without unit k of every hidden layer.
            let cut = |list: &[Vec<Vec<i32>>]| -> Vec<Vec<Vec<i32>>> {
                let last = list.len() - 1;
                let without = |row: &Vec<i32>| {
                    row.iter().enumerate().filter(|(c, _)| *c != k).map(|(_, &x)| x).collect::<Vec<_>>()
                };
                let matrix = |(l, m): (usize, &Vec<Vec<i32>>)| -> Vec<Vec<i32>> {
                    let rows = m.iter().enumerate().filter(|(r, _)| l == last || *r != k).map(|(_, row)| row);
                    rows.map(|row| if l == 0 { row.clone() } else { without(row) }).collect()
                };
                list.iter().enumerate().map(matrix).collect()
            };
            if width > 1 {
                found.push(QuarterNetwork {
                    weights: cut(&self.weights),
                    change: cut(&self.change),
                    point: self.point.clone(),
                });
            }
        }
        if self.layers() > 1
            && self.weights[1].len() == width
            && self.weights[1].first().is_some_and(|r| r.len() == width)
        {
            let mut shorter = self.clone();
            shorter.weights.remove(1);
            shorter.change.remove(1);
            found.push(shorter);
        }
        found.retain(|q| q.validate().is_ok());
        found
    }
}
