//! Laws with finitely many outcomes as non-negative weights: every number is free to move, and the shares add up to one.

use contrapositive::prelude::*;

/// The largest weight; ratios beyond say nothing that smaller ones do not.
const LARGEST: f64 = 1e6;

/// The probabilities that belong to weights.
pub fn shares(weights: &[f64]) -> Vec<Enclosure> {
    let total: Enclosure = weights.iter().map(|&w| exact(w)).sum();
    weights.iter().map(|&w| w / total).collect()
}

/// Refuses what are no weights of a law.
///
/// # Errors
/// No positive weight, or one that is negative, not a number, or above a million.
pub fn refused(weights: &[f64]) -> Result<(), String> {
    if let Some(w) = weights.iter().find(|w| !(0.0..=LARGEST).contains(*w)) {
        return Err(format!("weight {w} is not between 0 and {LARGEST}"));
    }
    let positive = weights.iter().any(|&w| w > 0.0);
    positive.then_some(()).ok_or_else(|| "no positive weight".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_add_up_to_one() {
        let total: Enclosure = shares(&[1.0, 2.0, 4.5]).into_iter().sum();
        assert!(total.interval().contains(1.0) && total.width() < 1e-15);
    }

    #[test]
    fn what_is_no_law_is_refused() {
        for weights in [&[][..], &[0.0, 0.0], &[-1.0, 2.0], &[f64::NAN], &[1e7]] {
            assert!(refused(weights).is_err(), "{weights:?}");
        }
        assert_eq!(refused(&[0.0, 1.0]), Ok(()));
    }
}
