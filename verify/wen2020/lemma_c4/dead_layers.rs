//! Deep networks of which a whole layer is dead.
//!
//! Let p_L be the probability that a network of width m is dead for both of two orthogonal inputs within L layers. A
//! layer on a non-zero vector is dead with probability 2^{−m}, so that p_{L+1} − p_L ≤ 2^{−m}; two vectors of the
//! non-negative orthant are both dead with probability at least 4^{−m}, so that p_L tends to one. At the first depth
//! with p_L ≥ ½ then p_L ≤ ½ + 2^{−m}. The query network is dead and the key network, which is independent of it, is
//! not with probability p_L(1 − p_L) ≥ ¼ − 4^{−m}; and then ∇_W L_S = 0, while the two keys differ, so that l̃oss ≠ 0.

use enclosures::probability::clopper_pearson;
use enclosures::probability::list_of_standard_normals;
use enclosures::vectors::sum_of_products;
use evidence::prelude::*;
use serde::{Deserialize, Serialize};

/// A constant c in the probability 1 − 2e^{−cmδ²/n²}, for two orthogonal inputs: δ²/n² = ½.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, stored)]
pub struct DeadLayerPromise {
    #[instance(range = "1e-9..=10", scale = "logarithmic")]
    pub constant: f64,
}

impl DeadLayerPromise {
    fn in_words(&self) -> String {
        format!("c = {}, m = {}", self.constant, self.width())
    }
}

impl DeadLayerPromise {
    /// m = ⌈(2/c) log 12⌉ + 1.
    fn width(&self) -> f64 {
        (exact(12.0).ln() * 2.0 / exact(self.constant)).hi().ceil() + 1.0
    }

    /// ¼ − 4^{−m}.
    pub fn failure(&self) -> Enclosure {
        0.25 - (-(Enclosure::ln_2() * 2.0 * self.width())).exp()
    }

    /// 2e^{−cm/2}.
    pub fn allowed(&self) -> Enclosure {
        2.0 * (-(exact(self.constant) * self.width() / 2.0)).exp()
    }
}

/// Widths m of networks with L = 2^m hidden layers, for two orthogonal inputs (δ = √2, n = 2).
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "two orthogonal inputs, m in {widths:?}, L = 2^m", stored)]
pub struct Narrow {
    #[instance(length = "2..", range = "1..=9")]
    pub widths: Vec<u32>,
}

/// Whether the two inputs e_1, e_2 of a drawn network still have a hidden vector that is not zero at the last layer.
fn alive(width: usize, layers: usize, trial: &mut Trial) -> [bool; 2] {
    let mut hidden = [vec![1.0, 0.0], vec![0.0, 1.0]];
    for _ in 0..layers {
        let columns = hidden[0].len();
        let matrix = list_of_standard_normals(trial.rng(), width * columns);
        for h in &mut hidden {
            let row = |row: &[f64]| sum_of_products(row, h).max(0.0);
            *h = matrix.chunks_exact(columns).map(row).collect();
        }
        if hidden.iter().flatten().all(|&x| x == 0.0) {
            break;
        }
        // The scale does not matter for what is dead; without this it would run out of range.
        let largest = hidden.iter().flatten().fold(0.0_f64, |m, &x| m.max(x));
        hidden.iter_mut().flatten().for_each(|x| *x /= largest);
    }
    let some = |h: &Vec<f64>| h.iter().any(|&x| x > 0.0);
    [some(&hidden[0]), some(&hidden[1])]
}

/// For every width, the probability that the query network is dead for both inputs and the key network alive for one:
/// then ∇_W L_S = 0 and l̃oss ≠ 0.
pub fn failures(n: &Narrow, trial: &mut Trial) -> Result<Vec<Enclosure>, MeasureError> {
    let runs = trial.samples_at_least(1600);
    let alpha = trial.alpha(n.widths.len());
    let mut list = Vec::new();
    for &width in &n.widths {
        let layers = 1usize << width;
        let mut failed = 0;
        for _ in 0..runs {
            let query = alive(width as usize, layers, trial);
            if query == [false, false] {
                let key = alive(width as usize, layers, trial);
                failed += u64::from(key != [false, false]);
            }
        }
        list.push(clopper_pearson(failed, runs as u64, alpha)?);
    }
    Ok(list)
}
