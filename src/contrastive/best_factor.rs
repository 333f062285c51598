//! The smallest constants that carry the unsupervised loss with `N` negatives over to supervised losses.
//!
//! *Why a law of hits decides.* Fix an anchor of class `c` with logits `a_j = f(x).(mu_j - mu_c)` and put `w_j =
//! e^{a_j}`. For a set `S` of other classes let `g(S) = log(1 + sum_{j in S} w_j)`. Since `log(1 + y) = int_0^inf (1 -
//! e^{-ty}) e^{-t} dt/t`, and `1 - e^{-t w(S)}` is the probability that `S` meets a random set which holds each class
//! `j` independently with probability `1 - e^{-t w_j}`, the function `g` is a mixture, with positive weights, of the
//! functions "`S` meets `A`". So for two random sets,
//!
//! `E g(S) <= max_A P(S meets A)/P(J meets A) * E g(J)`,
//!
//! the maximum over all non-empty sets `A` of other classes. Let `J` be the set of other classes that `N` negatives
//! show. By Jensen's inequality the anchor's part of `L_un^N` is at least `E log(1 + sum_i w_{I_i})`. That is `log(N +
//! 1)` when all negatives fall into class `c`, and at least `g(J)` otherwise, so after averaging `L_un^N - tau_N log(N
//! + 1) >= E g(J)`.
//!
//! *Why nothing smaller will do.* One value per class on a line, `v` for the classes of `A` and 1 for all others: an
//! anchor at 1 has `a_j = v - 1` for `j` in `A` and 0 otherwise, one at `v` has no positive logit. With `F` the share
//! of the anchors at 1, `E g(S) >= F (v - 1) P(S meets A)` and `L_un^N <= F (v - 1) P(J meets A) + log(N + 1)`: for `v
//! -> inf` the ratio of the two losses tends to `P(S meets A)/P(J meets A)`.

use super::ContrastiveError;
use enclosures::interval::Interval;

/// `1 - (1 - p)^N`, the probability that `N` independent draws show an outcome of probability `p` at least once.
///
/// With the smallest class probability for `p` and at least two classes, `1/(1 - (1 - p)^N)` is the smallest `K` with
/// `L_sup^mu(f, C) <= K L_un^N(f)` for all models with these class probabilities: here `S` is the set of all other
/// classes and always meets `A`, so that the maximum is over single classes. It is also the smallest with `L_un^N -
/// tau_N log(N + 1)` on the right.
///
/// ```
/// use contrapositive_contrastive::drawn_probability;
/// use enclosures::interval::Interval;
/// let seen = drawn_probability(Interval::point(0.25), 2);
/// assert!(seen.contains(0.4375) && seen.width() < 1e-15);
/// ```
#[must_use]
pub fn drawn_probability(probability: Interval, negatives: u64) -> Interval {
    let p = Interval::new(probability.lo().clamp(0.0, 1.0), probability.hi().clamp(0.0, 1.0));
    if negatives == 0 {
        return Interval::ZERO;
    }
    // Increasing in p, so that the two ends may be taken apart; log1p(-1) is minus infinity.
    let at = |p: f64| {
        if p >= 1.0 { Interval::ONE } else { -(Interval::point(-p).ln_1p() * negatives as f64).exp_m1() }
    };
    Interval::new(at(p.lo()).lo().max(0.0), at(p.hi()).hi().min(1.0))
}

/// The law of hits for tasks of `k + 1` out of `classes` equally likely classes: for `m = 1, 2, ..., classes - 1` the
/// probabilities that `k` other classes, drawn without replacement, meet a given set of `m` of them, and that
/// `negatives` independent draws from all classes do.
///
/// # Errors
/// [`ContrastiveError::TaskSize`] unless `1 <= k < classes`; [`ContrastiveError::Negatives`] unless `1 <= negatives <=
/// 2^53`.
pub fn task_hits(classes: usize, k: usize, negatives: u64) -> Result<Vec<[Interval; 2]>, ContrastiveError> {
    if k == 0 || k >= classes {
        return Err(ContrastiveError::TaskSize { k, classes });
    }
    if !(1..=1 << 53).contains(&negatives) {
        return Err(ContrastiveError::Negatives { negatives });
    }
    let others = classes - 1;
    let hits = |m: usize| {
        let missed = |i: usize| Interval::point(others.saturating_sub(m + i) as f64) / (others - i) as f64;
        let task = Interval::ONE - (0..k).map(missed).product::<Interval>();
        let share = Interval::point(m as f64) / classes as f64;
        [task, drawn_probability(share, negatives)]
    };
    Ok((1..classes).map(hits).collect())
}

/// The smallest `K` with `L_sup,k^mu(f) <= K (L_un^N(f) - tau_N log(N + 1))` for all models with equally likely
/// classes:
///
/// `K = max_{1 <= m < N_C} (1 - C(N_C-1-m, k)/C(N_C-1, k)) / (1 - (1 - m/N_C)^N)`.
///
/// It is `k/(1 - tau_N)` for one negative or `k = 1`, less otherwise, and tends to 1, not to `k`, as `N` grows.
/// Compare Proposition 1 of Merad, Yu, Bacry and Gaiffas; the proof is in the module's documentation.
///
/// ```
/// use contrapositive_contrastive::best_task_factor;
/// // Ten-way tasks out of ten classes with fifteen negatives: 1.26 in place of 9.
/// assert!((best_task_factor(10, 9, 15).unwrap().midpoint() - 1.259_273_180_8).abs() < 1e-9);
/// assert!(best_task_factor(10, 10, 15).is_err());
/// ```
///
/// # Errors
/// As [`task_hits`].
pub fn best_task_factor(classes: usize, k: usize, negatives: u64) -> Result<Interval, ContrastiveError> {
    let ratios = task_hits(classes, k, negatives)?.into_iter().map(|[task, draws]| task / draws);
    Ok(ratios.fold(Interval::ZERO, Interval::max))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LatentClassModel, sup_mean_average, unsupervised_loss};

    #[test]
    fn hits_are_those_of_a_list_of_all_cases() {
        let (classes, k, draws) = (4usize, 2usize, 3u32);
        let hits = task_hits(classes, k, u64::from(draws)).unwrap();
        for m in 1..classes {
            // The anchor's class is number 3; the set to be met is {0, ..., m - 1}.
            let sets: Vec<usize> = (0..8usize).filter(|s| s.count_ones() as usize == k).collect();
            let met = sets.iter().filter(|s| *s & ((1 << m) - 1) != 0).count();
            let drawn = (0..classes.pow(draws))
                .filter(|outcome| (0..draws).any(|i| outcome / classes.pow(i) % classes < m))
                .count();
            let [task, negatives] = hits[m - 1];
            assert!((task.midpoint() - met as f64 / sets.len() as f64).abs() < 1e-15);
            assert!((negatives.midpoint() - drawn as f64 / 64.0).abs() < 1e-15 && negatives.width() < 1e-15);
        }
    }

    #[test]
    fn the_factor_is_the_printed_one_for_a_single_negative_or_another_class_only() {
        for (classes, k) in [(2, 1), (3, 1), (3, 2), (10, 4), (10, 9)] {
            let printed = |n: i64| k as f64 / (1.0 - (Interval::ONE / classes as f64).powi(n).midpoint());
            let best = |n: u64| best_task_factor(classes, k, n).unwrap();
            assert!((best(1).midpoint() - printed(1)).abs() < 1e-13);
            for n in 2..40 {
                assert!(best(n).hi() <= best(n - 1).hi() && best(n).lo() >= 1.0 - 1e-15);
                let room = printed(n as i64) - best(n).midpoint();
                assert!(if k == 1 { room.abs() < 1e-13 } else { room > 0.1 });
            }
            assert!((best(65536).midpoint() - 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn the_factor_is_approached_by_two_far_values() {
        for (classes, k, n) in [(3, 1, 2), (3, 2, 5), (5, 2, 3), (5, 4, 8)] {
            let hits = task_hits(classes, k, n).unwrap();
            let ratios: Vec<f64> = hits.iter().map(|[t, d]| (*t / *d).midpoint()).collect();
            let best = best_task_factor(classes, k, n).unwrap().hi();
            let far = ratios.iter().position(|r| *r >= best * (1.0 - 1e-12)).unwrap() + 1;
            let points: Vec<Vec<f64>> = (0..classes).map(|c| vec![if c < far { 1e4 } else { 1.0 }]).collect();
            let model = LatentClassModel::point_masses(&vec![1.0; classes], &points).unwrap();
            let ratio = sup_mean_average(&model, k).unwrap() / unsupervised_loss(&model, n).unwrap();
            assert!(ratio.hi() <= best && ratio.lo() > 0.998 * best, "{ratio:?} {best}");
        }
    }

    #[test]
    fn probabilities_at_the_ends() {
        assert_eq!(drawn_probability(Interval::ONE, 7), Interval::ONE);
        assert_eq!(drawn_probability(Interval::ZERO, 7), Interval::ZERO);
        assert_eq!(drawn_probability(Interval::point(0.3), 0), Interval::ZERO);
        let rare = drawn_probability(Interval::point(1e-8), 2);
        assert!(rare.contains(2e-8 - 1e-16) && rare.width() < 1e-22);
        assert!(task_hits(3, 0, 1).is_err() && task_hits(3, 1, 0).is_err());
    }
}
