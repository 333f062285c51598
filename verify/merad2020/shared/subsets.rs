//! Subsets of a finite set, for tasks and for distinct classes.

/// All subsets of {0, …, n − 1} with k elements, for n below 32.
pub fn subsets(n: usize, k: usize) -> Vec<Vec<usize>> {
    (0u32..1 << n)
        .filter(|bits| bits.count_ones() as usize == k)
        .map(|bits| (0..n).filter(|i| bits >> i & 1 == 1).collect())
        .collect()
}
