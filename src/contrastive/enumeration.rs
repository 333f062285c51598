//! The unsupervised loss as the finite sum that it is, for few negatives and few atoms.

use super::average::average;
use super::{ContrastiveError, LatentClassModel, WeightedAtom};
use enclosures::interval::{self, Interval};

/// No more than this many terms are added up.
const LIMIT: f64 = 2e7;

/// The number of terms of [`by_enumeration`]: (anchor, positive) pairs times the `C(N + K - 1, N)` ways to count how often
/// each of the `K` atoms occurs among the `N` negatives.
#[must_use]
pub fn enumeration_terms(model: &LatentClassModel, negatives: u64) -> f64 {
    let pairs: f64 = model.classes().iter().map(|c| (c.len() * c.len()) as f64).sum();
    let kinds = model.n_atoms() as f64;
    let mut counts = 1.0;
    // C(N + K - 1, min(N, K - 1)) as a product; it only has to be right where it is small.
    let (small, large) = if (negatives as f64) < kinds - 1.0 {
        (negatives as f64, kinds - 1.0)
    } else {
        (kinds - 1.0, negatives as f64)
    };
    let mut i = 1.0;
    while i <= small && counts < 1e300 {
        counts *= (large + i) / i;
        i += 1.0;
    }
    pairs * counts
}

/// `L_un^N` by enumeration: for `N = 1` the sum of `softplus(f(x).f(x^-) - f(x).f(x^+))` over all triples, for larger `N` the sum
/// over the numbers of times `(n_y)` that each atom occurs, with multinomial weights and values `log(1 + sum n_y e^{delta_y})`.
///
/// # Errors
/// [`ContrastiveError::TooManyTerms`] beyond twenty million terms, [`ContrastiveError::Negatives`] for `N = 0`.
pub fn by_enumeration(model: &LatentClassModel, negatives: u64) -> Result<Interval, ContrastiveError> {
    if negatives == 0 {
        return Err(ContrastiveError::Negatives { negatives });
    }
    let terms = enumeration_terms(model, negatives);
    if terms.is_nan() || terms > LIMIT || negatives > 1 << 20 {
        return Err(ContrastiveError::TooManyTerms { terms, limit: LIMIT });
    }
    let atoms = model.weighted_atoms();
    let mut values = Vec::with_capacity(atoms.len());
    for anchor in &atoms {
        let logits: Vec<Interval> = atoms.iter().map(|y| interval::dot(anchor.at, y.at)).collect();
        let mut value = Vec::new();
        for (positive, &own) in atoms.iter().zip(&logits).filter(|(p, _)| p.class == anchor.class) {
            let expected = if negatives == 1 {
                let terms = atoms.iter().zip(&logits).map(|(y, &a)| ((a - own).softplus(), y.overall));
                average(&terms.collect::<Vec<_>>())
            } else {
                count_vectors(&atoms, &logits, own, negatives)
            };
            value.push((expected, positive.within));
        }
        values.push((average(&value), anchor.overall));
    }
    Ok(average(&values))
}

/// The sum over count vectors for one anchor and one positive with logit `own`.
fn count_vectors(atoms: &[WeightedAtom<'_>], logits: &[Interval], own: Interval, negatives: u64) -> Interval {
    let walk = Walk {
        probabilities: atoms.iter().map(|y| y.overall).collect(),
        differences: logits.iter().map(|a| *a - own).collect(),
    };
    let mut chosen = Vec::with_capacity(atoms.len() + 1);
    chosen.push(Interval::ZERO);
    let mut terms = Vec::new();
    walk.descend(0, negatives, Interval::ONE, &mut chosen, &mut terms);
    interval::sum(&terms)
}

struct Walk {
    probabilities: Vec<Interval>,
    differences: Vec<Interval>,
}

impl Walk {
    /// Distributes the `left` remaining draws over the atoms from `index` on. `weight` is the probability of the counts so
    /// far, `chosen` holds `log n_y + delta_y` of the atoms that occur.
    fn descend(
        &self,
        index: usize,
        left: u64,
        weight: Interval,
        chosen: &mut Vec<Interval>,
        terms: &mut Vec<Interval>,
    ) {
        let (Some(&p), Some(&difference)) = (self.probabilities.get(index), self.differences.get(index)) else {
            if left == 0 {
                terms.push(weight * interval::log_sum_exp(chosen));
            }
            return;
        };
        let is_last = index + 1 == self.probabilities.len();
        // C(left, n) p^n for n = 0, 1, ..., left.
        let mut factor = Interval::ONE;
        for n in 0..=left {
            if n > 0 {
                factor = factor * p * (left - n + 1) as f64 / n as f64;
            }
            if is_last && n < left {
                continue;
            }
            if n > 0 {
                chosen.push(Interval::point(n as f64).ln() + difference);
            }
            self.descend(index + 1, left - n, weight * factor, chosen, terms);
            if n > 0 {
                chosen.pop();
            }
        }
    }
}
