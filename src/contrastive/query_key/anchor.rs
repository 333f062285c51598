//! One anchor in plain doubles: its loss averaged over all sets of negatives, and the weights of the negatives.
//!
//! # The integral
//! `E_A log(1 + sum_{j in A} e^{s_j}) = int e^{-e^u} (1 - E_A prod_{j in A} a_j) du` with `a_j = exp(-e^{u + s_j})`: this is
//! `log x = int (e^{-t} - e^{-tx}) dt/t` under `t = e^u`. The average over sets of `k` out of `N` is the normalised elementary symmetric
//! polynomial, which obeys a recurrence with coefficients in `[0, 1]`; for its complement all terms are non-negative, so
//! that tiny losses keep their relative accuracy. The weights are the derivatives with respect to `s_j`, by the adjoint
//! recurrence, whose coefficients are non-negative too. The trapezoid rule with step 1/4 is off by about `e^{-4 pi^2}`.

use enclosures::kernels::{InstructionSet, Kernel, correctly_rounded};

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
    let mut found = AnchorLoss { value: 0.0, weights: vec![0.0; logits.len()] };
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
    let nodes = ((LAST - first) / STEP).ceil() as usize + 1;
    let mut found = AnchorLoss { value: 0.0, weights: vec![0.0; count] };
    let mut averages = SetAverages::new(count, k);
    let set = InstructionSet::best();
    for start in (0..nodes).step_by(NODES) {
        let places: [f64; NODES] = std::array::from_fn(|lane| first + STEP * (start + lane) as f64);
        let measures = places.map(|u| STEP * core_math::exp(-core_math::exp(u)));
        let exponents: Vec<f64> = logits.iter().flat_map(|s| places.map(|u| u + s)).collect();
        let mut rates = correctly_rounded::exp(&exponents);
        rates.iter_mut().for_each(|rate| *rate = -*rate);
        let factors = correctly_rounded::exp_and_exp_m1(&rates);
        for (i, (factor, less)) in factors.into_iter().enumerate() {
            averages.factors[i / NODES][i % NODES] = factor;
            averages.lost[i / NODES][i % NODES] = -less;
        }
        let complement = set.run(&mut averages);
        // One node after the other, in order.
        let meant = NODES.min(nodes - start);
        for (measure, complement) in measures.iter().zip(complement).take(meant) {
            found.value += measure * complement;
        }
        let rates = rates.as_chunks::<NODES>().0;
        for (r, weight) in found.weights.iter_mut().enumerate() {
            let (factors, slopes) = (&averages.factors[r], &averages.slopes[r]);
            for lane in 0..meant {
                // Where the rate overflows, its factor has long been zero.
                if factors[lane] > 0.0 {
                    *weight += measures[lane] * -rates[r][lane] * factors[lane] * slopes[lane];
                }
            }
        }
    }
    found
}

/// Nodes that are treated together: a value of each is one vector.
const NODES: usize = 8;

/// A number for each node.
type AtNodes = [f64; NODES];

/// `E_A prod_{j in A} a_j` over the sets of `k` of the logits, at several nodes: its complement, and its derivatives.
struct SetAverages {
    k: usize,
    /// Of the sets of `c` among the first `r + 1` the share that holds the last of them; quotients cost more than all the rest of a step.
    shares: Vec<f64>,
    /// `a_j` of each logit.
    factors: Vec<AtNodes>,
    /// `1 - a_j`.
    lost: Vec<AtNodes>,
    /// The averages over the sets of `c` among the first `r`, row by row.
    averages: Vec<AtNodes>,
    /// Found by the kernel: the derivative with respect to each `a_j`.
    slopes: Vec<AtNodes>,
    complement: Vec<AtNodes>,
    adjoint: Vec<AtNodes>,
}

impl SetAverages {
    fn new(count: usize, k: usize) -> Self {
        let columns = k + 1;
        let (zeros, of_sizes) = (vec![[0.0; NODES]; count], vec![[0.0; NODES]; columns]);
        SetAverages {
            k,
            shares: (0..count).flat_map(|r| (0..columns).map(move |c| c as f64 / (r + 1) as f64)).collect(),
            factors: zeros.clone(),
            lost: zeros.clone(),
            averages: vec![[0.0; NODES]; (count + 1) * columns],
            slopes: zeros,
            complement: of_sizes.clone(),
            adjoint: of_sizes,
        }
    }
}

impl Kernel for &mut SetAverages {
    /// The complement of the average over all sets.
    type Output = AtNodes;

    #[inline(always)]
    fn run<const WIDTH: usize>(self) -> AtNodes {
        let (k, columns, count) = (self.k, self.k + 1, self.factors.len());
        let (complement, adjoint) = (&mut self.complement[..columns], &mut self.adjoint[..columns]);
        complement.fill([0.0; NODES]);
        self.averages[..columns].fill([0.0; NODES]);
        self.averages[0] = [1.0; NODES];
        for r in 0..count {
            let (done, now) = self.averages.split_at_mut((r + 1) * columns);
            let (before, now) = (&done[r * columns..], &mut now[..columns]);
            let shares = &self.shares[r * columns..(r + 1) * columns];
            let (factor, lost) = (&self.factors[r], &self.lost[r]);
            let most = k.min(r + 1);
            now[0] = [1.0; NODES];
            now[most + 1..].fill([0.0; NODES]);
            for c in 1..=most {
                let share = shares[c];
                for lane in 0..NODES {
                    now[c][lane] = (1.0 - share) * before[c][lane] + share * factor[lane] * before[c - 1][lane];
                }
            }
            // Downwards, so that it still holds the row before.
            for c in (1..=most).rev() {
                let share = shares[c];
                for lane in 0..NODES {
                    let handed = lost[lane] + factor[lane] * complement[c - 1][lane];
                    complement[c][lane] = (1.0 - share) * complement[c][lane] + share * handed;
                }
            }
        }
        adjoint.fill([0.0; NODES]);
        adjoint[k] = [1.0; NODES];
        for r in (0..count).rev() {
            let row = r * columns..(r + 1) * columns;
            let (before, shares, factor) = (&self.averages[row.clone()], &self.shares[row], &self.factors[r]);
            let mut slope = [0.0; NODES];
            for c in 1..=k {
                for lane in 0..NODES {
                    slope[lane] += shares[c] * adjoint[c][lane] * before[c - 1][lane];
                }
            }
            self.slopes[r] = slope;
            for c in 0..k {
                let (share, kept) = (shares[c + 1], (1.0 - shares[c]).max(0.0));
                for lane in 0..NODES {
                    let handed = share * factor[lane] * adjoint[c + 1][lane];
                    adjoint[c][lane] = kept * adjoint[c][lane] + handed;
                }
            }
            let kept = (1.0 - shares[k]).max(0.0);
            for value in &mut adjoint[k] {
                *value *= kept;
            }
        }
        complement[k]
    }
}
