//! Gradient descent on the outputs themselves: the proxy of Lemma 6 without a network.

use contrastive::Triplet;
use evidence::prelude::*;

use crate::shared::training_record::{gradient, loss};
use crate::shared::triples::norms;

/// The step is this many times 1/L_t, where L_t = constant + slope·C_t² and C_t is the largest current norm.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    pub constant: f64,
    pub slope: f64,
    pub times: f64,
}

/// 1/L_t with the constant of Lemma 3.
pub const PRINTED: Rule = Rule { constant: 2.0, slope: 8.0, times: 1.0 };

/// One update, with what it promises and what it does.
pub struct Update {
    /// L̂_un before and after.
    pub before: Enclosure,
    pub after: Enclosure,
    /// ‖∇L̂_un‖² before.
    pub square: Enclosure,
    /// L_t.
    pub smoothness: Enclosure,
}

fn largest(outputs: &[Triplet]) -> Enclosure {
    outputs.iter().flat_map(norms).fold(Enclosure::ZERO, Enclosure::max)
}

impl Rule {
    /// L_t.
    fn smoothness(self, outputs: &[Triplet]) -> Enclosure {
        self.constant + self.slope * largest(outputs).square()
    }

    /// The outputs after one update, in plain arithmetic.
    fn moved(self, outputs: &[Triplet]) -> Result<Vec<Triplet>, MeasureError> {
        let step = self.times / self.smoothness(outputs).midpoint();
        let of = |z: &Triplet| -> Result<Triplet, MeasureError> {
            let [x, positive, negative] = z.vectors();
            let [a, b, c] = z.gradient();
            let along = |v: &[f64], g: &[enclosures::interval::Interval]| -> Vec<f64> {
                v.iter().zip(g).map(|(v, g)| v - step * g.midpoint()).collect()
            };
            Ok(Triplet::new(along(x, &a), along(positive, &b), along(negative, &c))?)
        };
        outputs.iter().map(of).collect()
    }

    /// So many updates. Each starts from the outputs that the last one left, so that the promise of one update is tried at
    /// every one of them; the rounding of a step is far below what the step gains.
    pub fn follow(self, start: &[Triplet], updates: usize) -> Result<Vec<Update>, MeasureError> {
        let mut outputs = start.to_vec();
        let mut path = Vec::with_capacity(updates);
        for _ in 0..updates {
            let next = self.moved(&outputs)?;
            // The updates themselves are rounded.
            path.push(Update {
                before: loss(&outputs).as_measured(),
                after: loss(&next).as_measured(),
                square: gradient(&outputs).square().as_measured(),
                smoothness: self.smoothness(&outputs),
            });
            outputs = next;
        }
        Ok(path)
    }
}
