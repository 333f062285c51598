//! Narrow and deep networks, of which a whole layer is dead.

use contrapositive::claim::{MeasureError, Trial};
use contrapositive::enclosure::Enclosure;
use contrapositive::instance::Instance;
use contrapositive::probability::{clopper_pearson, fill_standard_normal};
use serde::{Deserialize, Serialize};

/// Widths m of networks with L = 2^m hidden layers, for two orthogonal inputs (δ = √2, n = 2).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Narrow {
    pub widths: Vec<u32>,
}

impl Instance for Narrow {
    fn describe(&self) -> String {
        format!("two orthogonal inputs, m in {:?}, L = 2^m", self.widths)
    }

    fn validate(&self) -> Result<(), String> {
        let sound = self.widths.len() >= 2 && self.widths.iter().all(|m| (1..=9).contains(m));
        sound
            .then_some(())
            .ok_or_else(|| "fewer than two widths, or one outside 1 to 9".into())
    }
}

/// Whether the two inputs e_1, e_2 of a drawn network still have a hidden vector that is not zero at the last layer.
fn alive(width: usize, layers: usize, trial: &mut Trial) -> [bool; 2] {
    let mut hidden = [vec![1.0, 0.0], vec![0.0, 1.0]];
    for _ in 0..layers {
        let columns = hidden[0].len();
        let mut matrix = vec![0.0; width * columns];
        fill_standard_normal(trial.rng(), &mut matrix);
        for h in &mut hidden {
            let row = |row: &[f64]| row.iter().zip(h.iter()).map(|(a, b)| a * b).sum::<f64>().max(0.0);
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
    let runs = trial.samples(1600);
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
