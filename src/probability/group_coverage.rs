//! `p_cc(N)`: the probability that `N` independent draws show every class, for any class probabilities.
//!
//! Three ways, all interval valued, and the intersection of those that were affordable:
//! 1. inclusion and exclusion, `sum_U (-1)^{N_C - |U|} rho(U)^N` over the sets `U` of classes, for few classes;
//! 2. a recursion with positive terms over groups of equally likely classes: within a group the uniform law of
//!    [`CoverageLaw`], between groups `F_g(m) = sum_k Bin(m, q_g)(k) U_g(k) F_{g+1}(m - k)`, where `q_g` is the share of
//!    group `g` in what is left;
//! 3. Bonferroni's inequalities with one, two and three missing classes, for many draws.

use super::binomial::Binomial;
use super::coupon_collector::{CollectorError, CoverageLaw, STEP_LIMIT};
use crate::interval::{Interval, sum};

/// Largest number of classes for inclusion and exclusion over all sets.
const ALL_SETS: usize = 12;
/// Relative width at which no further method is tried.
const SHARP: f64 = 1e-12;
/// Relative width at which the recursion is spared for more than [`CHEAP_DRAWS`] draws.
const FAIR: f64 = 1e-9;
/// Number of draws up to which the recursion takes no time to speak of.
const CHEAP_DRAWS: usize = 200;
/// Largest number of classes of which all triples are visited.
const TRIPLES: usize = 250;

/// One way to enclose `p_cc`; none where it would take too long.
type Method = fn(&[Interval], usize) -> Option<Interval>;

/// The class probabilities `w_c / sum w` of positive weights, enclosed.
///
/// # Errors
/// No classes; a weight that is not a positive finite number.
pub fn probabilities_of(weights: &[f64]) -> Result<Vec<Interval>, CollectorError> {
    if weights.is_empty() {
        return Err(CollectorError::NoClasses);
    }
    for (class, &weight) in weights.iter().enumerate() {
        if !(weight > 0.0 && weight.is_finite()) {
            return Err(CollectorError::Weight { class, weight });
        }
    }
    let points: Vec<Interval> = weights.iter().map(|&w| Interval::point(w)).collect();
    let total = sum(&points);
    Ok(points.iter().map(|&w| w / total).collect())
}

/// `p_cc(draws)` for class probabilities that add up to one; zero exactly for fewer draws than classes. Classes with the
/// same enclosure count as equally likely (which [`probabilities_of`] guarantees for equal weights).
///
/// ```
/// use contrapositive::probability::{coverage_probability, probabilities_of};
/// let rho = probabilities_of(&[5.0, 3.0, 2.0])?;
/// assert!((coverage_probability(&rho, 5)?.midpoint() - 0.507).abs() < 1e-14);
/// # Ok::<(), contrapositive::probability::CollectorError>(())
/// ```
///
/// # Errors
/// No classes; a probability that is not positive; probabilities that cannot add up to one.
pub fn coverage_probability(probabilities: &[Interval], draws: usize) -> Result<Interval, CollectorError> {
    coverage_probability_within(probabilities, draws, 0.0)
}

/// [`coverage_probability`] where an enclosure of this width is good enough: the costly recursion is then spared for a small
/// probability whose relative accuracy nobody needs.
///
/// # Errors
/// As there.
pub fn coverage_probability_within(
    probabilities: &[Interval],
    draws: usize,
    width: f64,
) -> Result<Interval, CollectorError> {
    let classes = probabilities.len();
    if classes == 0 {
        return Err(CollectorError::NoClasses);
    }
    for (class, rho) in probabilities.iter().enumerate() {
        if rho.hi() <= 0.0 || rho.lo() < 0.0 || rho.lo() > 1.0 {
            return Err(CollectorError::Weight {
                class,
                weight: rho.midpoint(),
            });
        }
    }
    let total = sum(probabilities);
    if !total.contains(1.0) {
        return Err(CollectorError::Total {
            lo: total.lo(),
            hi: total.hi(),
        });
    }
    if draws < classes {
        return Ok(Interval::ZERO);
    }
    if classes == 1 {
        return Ok(Interval::ONE);
    }
    let mut best = Interval::new(0.0, 1.0);
    let methods: [Method; 3] = [all_sets, bonferroni, groups];
    for (number, method) in methods.into_iter().enumerate() {
        // The recursion is worth its time only where the sums lose their digits.
        let enough = if number == 2 && draws > CHEAP_DRAWS {
            FAIR
        } else {
            SHARP
        };
        if best.width() <= (enough * best.lo()).max(width) {
            break;
        }
        if let Some(value) = method(probabilities, draws) {
            best = best.intersection(value).unwrap_or(best);
        }
    }
    Ok(best)
}

fn all_sets(probabilities: &[Interval], draws: usize) -> Option<Interval> {
    let classes = probabilities.len();
    if classes > ALL_SETS {
        return None;
    }
    let mut shares = vec![Interval::ZERO; 1 << classes];
    let mut terms = Vec::with_capacity(1 << classes);
    for set in 1..(1usize << classes) {
        let lowest = set.trailing_zeros() as usize;
        shares[set] = shares[set & (set - 1)] + probabilities[lowest];
        let share = if set + 1 == 1 << classes {
            Interval::ONE
        } else {
            shares[set]
        };
        let term = share.min(Interval::ONE).powi(draws as i64);
        let missing = classes - set.count_ones() as usize;
        terms.push(if missing.is_multiple_of(2) { term } else { -term });
    }
    Some(sum(&terms))
}

/// Classes with the same enclosure, as (probability of one, how many), the largest group first.
fn grouped(probabilities: &[Interval]) -> Vec<(Interval, usize)> {
    let mut sorted = probabilities.to_vec();
    sorted.sort_by(|a, b| a.lo().total_cmp(&b.lo()).then(a.hi().total_cmp(&b.hi())));
    let mut groups: Vec<(Interval, usize)> = Vec::new();
    for rho in sorted {
        match groups.last_mut() {
            Some((same, count)) if *same == rho => *count += 1,
            _ => groups.push((rho, 1)),
        }
    }
    groups.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    groups
}

fn groups(probabilities: &[Interval], draws: usize) -> Option<Interval> {
    let groups = grouped(probabilities);
    let n = draws as f64;
    let convolutions = groups.len().saturating_sub(2) as f64;
    if n * (probabilities.len() as f64) + convolutions * n * n + n > STEP_LIMIT {
        return None;
    }
    let (first, rest) = groups.split_first()?;
    let uniform = |count: usize| CoverageLaw::uniform(count, draws).ok();
    let Some((last, middle)) = rest.split_last() else {
        return Some(uniform(first.1)?.covered(draws));
    };
    // `covered[m]`: all classes of the groups gathered so far are seen in m draws from those groups alone.
    let law = uniform(last.1)?;
    let mut covered: Vec<Interval> = (0..=draws).map(|m| law.covered(m)).collect();
    let mut mass = last.0 * last.1 as f64;
    for group in middle.iter().rev() {
        let own = group.0 * group.1 as f64;
        covered = mixed(share(own, mass)?, &uniform(group.1)?, &covered);
        mass += own;
    }
    let row = Binomial::masses(draws, share(first.0 * first.1 as f64, mass)?);
    let law = uniform(first.1)?;
    let terms: Vec<Interval> = row
        .iter()
        .enumerate()
        .map(|(k, weight)| *weight * law.covered(k) * covered[draws - k])
        .collect();
    Some(sum(&terms).max(Interval::ZERO).min(Interval::ONE))
}

/// `own / (own + others)`, formed so that each operand occurs once; nothing if it is not inside (0, 1).
fn share(own: Interval, others: Interval) -> Option<Interval> {
    let share = Interval::ONE / (Interval::ONE + others / own);
    (share.lo() > 0.0 && share.hi() < 1.0).then_some(share)
}

/// `F_new(m) = sum_k Bin(m, q)(k) U(k) F_old(m - k)` for every `m`, the rows of the binomial law by Pascal's rule.
fn mixed(q: Interval, law: &CoverageLaw, old: &[Interval]) -> Vec<Interval> {
    let other = Interval::ONE - q;
    let mut row = vec![Interval::ONE];
    let mut new = Vec::with_capacity(old.len());
    for m in 0..old.len() {
        let value: Interval = (law.classes()..=m).map(|k| row[k] * law.covered(k) * old[m - k]).sum();
        new.push(value.min(Interval::ONE));
        row.push(Interval::ZERO);
        for k in (1..row.len()).rev() {
            row[k] = row[k] * other + row[k - 1] * q;
        }
        row[0] *= other;
    }
    new
}

/// `1 - S_1 <= p <= 1 - S_1 + S_2`, and `1 - S_1 + S_2 - S_3 <= p`, `S_r` the sum of `(1 - rho(S))^N` over the sets of
/// `r` classes.
fn bonferroni(probabilities: &[Interval], draws: usize) -> Option<Interval> {
    let missed = |gone: Interval| (Interval::ONE - gone).max(Interval::ZERO).powi(draws as i64);
    let (mut one, mut two, mut three) = (Interval::ZERO, Interval::ZERO, Interval::ZERO);
    if probabilities.len() > 20_000 {
        return None;
    }
    for (i, &a) in probabilities.iter().enumerate() {
        one += missed(a);
        for (j, &b) in probabilities.iter().enumerate().skip(i + 1) {
            two += missed(a + b);
            if probabilities.len() <= TRIPLES {
                three += probabilities.iter().skip(j + 1).map(|&c| missed(a + b + c)).sum();
            }
        }
    }
    let upper = Interval::ONE - one + two;
    let lower = if probabilities.len() <= TRIPLES {
        upper - three
    } else {
        Interval::ONE - one
    };
    Some(Interval::new(lower.lo().clamp(0.0, 1.0), upper.hi().clamp(0.0, 1.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sharp(x: Interval, value: f64, relative: f64) -> bool {
        (x.midpoint() - value).abs() <= relative * value && x.width() <= 1e-10 * x.lo()
    }

    #[test]
    fn reference_values() {
        let rho = probabilities_of(&[0.5, 0.3, 0.2]).unwrap();
        for (n, value) in [(3, 0.18), (5, 0.507), (10, 0.864_384_3), (20, 0.987_672_862_325_83)] {
            let p = coverage_probability(&rho, n).unwrap();
            assert!(sharp(p, value, 1e-13), "{n} {p:?}");
        }
        let uniform = probabilities_of(&[1.0; 10]).unwrap();
        for (n, value) in [
            (10, 3.6288e-4),
            (15, 0.045_950_224_32),
            (25, 0.436_603_931_753),
            (35, 0.767_487_638_43),
        ] {
            assert!(sharp(coverage_probability(&uniform, n).unwrap(), value, 1e-11), "{n}");
        }
        assert_eq!(coverage_probability(&rho, 2).unwrap(), Interval::ZERO);
    }

    #[test]
    fn the_three_ways_agree() {
        let weights = [1.0, 2.0, 2.0, 3.0, 5.0, 8.0, 8.0];
        let rho = probabilities_of(&weights).unwrap();
        for n in [7, 8, 12, 30, 100, 400] {
            let (sets, positive, bounds) = (all_sets(&rho, n), groups(&rho, n), bonferroni(&rho, n));
            let (sets, positive, bounds) = (sets.unwrap(), positive.unwrap(), bounds.unwrap());
            assert!(
                sets.intersection(positive)
                    .is_some_and(|both| both.intersection(bounds).is_some()),
                "{n}"
            );
            assert!(positive.width() <= 1e-11 * positive.lo(), "{n} {positive:?}");
        }
    }

    #[test]
    fn as_many_draws_as_classes() {
        // N_C! times the product of the probabilities.
        let rho = probabilities_of(&(1..=20).map(f64::from).collect::<Vec<_>>()).unwrap();
        let exact = (1..=20).fold(Interval::ONE, |product, k| product * f64::from(k))
            * rho.iter().copied().product::<Interval>();
        let p = coverage_probability(&rho, 20).unwrap();
        assert!(p.intersection(exact).is_some() && p.width() <= 1e-10 * p.lo());
    }

    #[test]
    fn two_large_groups_and_very_many_draws() {
        let weights: Vec<f64> = (0..300).map(|c| if c % 2 == 0 { 1.5 } else { 0.5 }).collect();
        let rho = probabilities_of(&weights).unwrap();
        let p = coverage_probability(&rho, 4000).unwrap();
        assert!(p.lo() > 0.5 && p.width() <= 1e-10);
        let distinct = probabilities_of(&(100..140).map(f64::from).collect::<Vec<_>>()).unwrap();
        let far = coverage_probability(&distinct, 65_536).unwrap();
        assert!(far.lo() > 1.0 - 1e-9);
    }

    #[test]
    fn refusals() {
        assert_eq!(probabilities_of(&[]), Err(CollectorError::NoClasses));
        assert!(matches!(
            probabilities_of(&[1.0, 0.0]),
            Err(CollectorError::Weight { class: 1, .. })
        ));
        assert!(matches!(
            probabilities_of(&[f64::NAN]),
            Err(CollectorError::Weight { .. })
        ));
        let half = Interval::point(0.5);
        assert!(matches!(
            coverage_probability(&[half], 3),
            Err(CollectorError::Total { .. })
        ));
        assert_eq!(coverage_probability(&[], 3), Err(CollectorError::NoClasses));
    }
}
