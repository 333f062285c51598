//! One anchor in plain doubles: its loss averaged over all sets of negatives, and the weights of the negatives.
//!
//! # The integral
//! `E_A log(1 + sum_{j in A} e^{s_j}) = int e^{-e^u} (1 - E_A prod_{j in A} a_j) du` with `a_j = exp(-e^{u + s_j})`: this is
//! `log x = int (e^{-t} - e^{-tx}) dt/t` under `t = e^u`. The average over sets of `k` out of `N` is the normalised elementary symmetric
//! polynomial, which obeys a recurrence with coefficients in `[0, 1]`; for its complement all terms are non-negative, so
//! that tiny losses keep their relative accuracy. The weights are the derivatives with respect to `s_j`, by the adjoint
//! recurrence, whose coefficients are non-negative too. The trapezoid rule with step 1/4 is off by about `e^{-4 pi^2}`.

/// Step of the trapezoid rule.
const STEP: f64 = 0.25;
/// Beyond this `u` the factor `e^{-e^u}` is below 1e-23.
const LAST: f64 = 4.0;
/// Sets that are cheaper to list than to integrate over.
const FEW_SETS: f64 = 60.0;

/// The loss of one anchor and the weight of each negative.
pub(super) struct AnchorLoss {
    pub(super) value: f64,
    pub(super) weights: Vec<f64>,
}

/// For finite `logits` of the `N` candidates and `1 <= k <= N` negatives.
pub(super) fn anchor_loss(logits: &[f64], k: usize) -> AnchorLoss {
    if binomial(logits.len(), k) <= FEW_SETS && logits.len() < 63 {
        by_listing(logits, k)
    } else {
        by_quadrature(logits, k)
    }
}

fn binomial(n: usize, k: usize) -> f64 {
    (0..k.min(n - k)).map(|i| (n - i) as f64 / (i + 1) as f64).product()
}

pub(super) fn by_listing(logits: &[f64], k: usize) -> AnchorLoss {
    let mut found = AnchorLoss {
        value: 0.0,
        weights: vec![0.0; logits.len()],
    };
    let mut count = 0.0;
    for set in super::enumeration::subsets(logits.len(), k) {
        count += 1.0;
        // The zero stands for the positive; the largest of all is taken out of the sum.
        let largest = set.iter().map(|&j| logits[j]).fold(0.0, f64::max);
        let rest: f64 = set.iter().map(|&j| core_math::exp(logits[j] - largest)).sum();
        if largest == 0.0 {
            found.value += core_math::log1p(rest);
        } else {
            found.value += largest + core_math::log(core_math::exp(-largest) + rest);
        }
        let total = core_math::exp(-largest) + rest;
        for &j in &set {
            found.weights[j] += core_math::exp(logits[j] - largest) / total;
        }
    }
    found.value /= count;
    found.weights.iter_mut().for_each(|w| *w /= count);
    found
}

pub(super) fn by_quadrature(logits: &[f64], k: usize) -> AnchorLoss {
    let count = logits.len();
    let largest = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let first = -40.0 - (largest + core_math::log(k as f64)).max(0.0);
    let nodes = ((LAST - first) / STEP).ceil() as usize;
    let mut found = AnchorLoss {
        value: 0.0,
        weights: vec![0.0; count],
    };
    let columns = k + 1;
    let mut averages = vec![0.0; (count + 1) * columns];
    let (mut complement, mut adjoint) = (vec![0.0; columns], vec![0.0; columns]);
    let (mut rates, mut factors) = (vec![0.0; count], vec![0.0; count]);
    // Of the sets of c among the first r + 1 the share that holds the last of them; quotients cost more than all the rest of a step.
    let shares: Vec<f64> = (0..count)
        .flat_map(|r| (0..columns).map(move |c| c as f64 / (r + 1) as f64))
        .collect();
    for node in 0..=nodes {
        let u = first + STEP * node as f64;
        let measure = STEP * core_math::exp(-core_math::exp(u));
        complement.fill(0.0);
        averages[..columns].fill(0.0);
        averages[0] = 1.0;
        for (r, &s) in logits.iter().enumerate() {
            rates[r] = core_math::exp(u + s);
            factors[r] = core_math::exp(-rates[r]);
            let lost = -core_math::expm1(-rates[r]);
            let (done, now) = averages.split_at_mut((r + 1) * columns);
            let (before, now) = (&done[r * columns..], &mut now[..columns]);
            let (shares, factor) = (&shares[r * columns..(r + 1) * columns], factors[r]);
            let most = k.min(r + 1);
            now[0] = 1.0;
            now[most + 1..].fill(0.0);
            for c in 1..=most {
                now[c] = (1.0 - shares[c]) * before[c] + shares[c] * factor * before[c - 1];
            }
            // Downwards, so that it still holds the row before.
            for c in (1..=most).rev() {
                complement[c] = (1.0 - shares[c]) * complement[c] + shares[c] * (lost + factor * complement[c - 1]);
            }
        }
        found.value += measure * complement[k];
        adjoint.fill(0.0);
        adjoint[k] = 1.0;
        for r in (0..count).rev() {
            let row = r * columns..(r + 1) * columns;
            let (before, shares, factor) = (&averages[row.clone()], &shares[row], factors[r]);
            let slope: f64 = (1..=k).map(|c| shares[c] * adjoint[c] * before[c - 1]).sum();
            // Where the rate overflows, its factor has long been zero.
            if factor > 0.0 {
                found.weights[r] += measure * rates[r] * factor * slope;
            }
            for c in 0..k {
                let handed = shares[c + 1] * factor * adjoint[c + 1];
                adjoint[c] = (1.0 - shares[c]).max(0.0) * adjoint[c] + handed;
            }
            adjoint[k] *= (1.0 - shares[k]).max(0.0);
        }
    }
    found
}
