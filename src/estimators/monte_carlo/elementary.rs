//! Sums over slices in a fixed order, and exponentials below their largest.

use enclosures::kernels::ElementwiseFunction;

/// Replaces `x` by `e^(x - max)` and answers with the maximum; minus infinity for an empty slice.
pub(super) fn exp_below_max(x: &mut [f64]) -> f64 {
    let max = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    x.iter_mut().for_each(|x| *x -= max);
    ElementwiseFunction::Exp.apply(x);
    max
}

/// The sum of a slice in eight interleaved sums: the order is fixed.
pub(super) fn sum(x: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let groups = x.chunks_exact(8);
    for (sum, x) in sums.iter_mut().zip(groups.remainder()) {
        *sum += x;
    }
    for group in groups {
        for (sum, x) in sums.iter_mut().zip(group) {
            *sum += x;
        }
    }
    ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_take_every_term() {
        let x: Vec<f64> = (1..=21).map(f64::from).collect();
        assert_eq!(sum(&x), 231.0);
        let mut logits = [1.0, 3.0, 3.0];
        assert_eq!(exp_below_max(&mut logits), 3.0);
        assert_eq!(logits[1], 1.0);
    }
}
