//! Two slower ways to `p_cc(N)`, which the tests compare with.
//!
//! 1. Inclusion and exclusion, `sum_U (-1)^{N_C - |U|} rho(U)^N` over the sets `U` of classes, for few classes.
//! 2. A recursion with positive terms over groups of equally likely classes: within a group the uniform law of
//!    [`CoverageLaw`], between groups `F_g(m) = sum_k Bin(m, q_g)(k) U_g(k) F_{g+1}(m - k)`, where `q_g` is the share
//!    of group `g` in what is left.

use crate::interval::{Interval, sum};
use crate::probability::binomial::Binomial;
use crate::probability::coupon_collector::CoverageLaw;

/// Largest number of classes for inclusion and exclusion over all sets.
const ALL_SETS: usize = 12;

pub(super) fn all_sets(probabilities: &[Interval], draws: usize) -> Option<Interval> {
    let classes = probabilities.len();
    if classes > ALL_SETS {
        return None;
    }
    let mut shares = vec![Interval::ZERO; 1 << classes];
    let mut terms = Vec::with_capacity(1 << classes);
    for set in 1..(1usize << classes) {
        let lowest = set.trailing_zeros() as usize;
        shares[set] = shares[set & (set - 1)] + probabilities[lowest];
        let share = if set + 1 == 1 << classes { Interval::ONE } else { shares[set] };
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

pub(super) fn groups(probabilities: &[Interval], draws: usize) -> Option<Interval> {
    let groups = grouped(probabilities);
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
    let terms: Vec<Interval> =
        row.iter().enumerate().map(|(k, weight)| *weight * law.covered(k) * covered[draws - k]).collect();
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
