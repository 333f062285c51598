//! Subsets of a finite set, for tasks and for distinct classes.

/// All subsets of {0, …, n − 1} with k elements, for n below 32.
pub fn subsets(n: usize, k: usize) -> Vec<Vec<usize>> {
    (0u32..1 << n)
        .filter(|bits| bits.count_ones() as usize == k)
        .map(|bits| (0..n).filter(|i| bits >> i & 1 == 1).collect())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// C(n, k) of them, all different, every element in C(n − 1, k − 1).
    #[test]
    fn subsets_are_counted_by_binomials() {
        let binomial = |n: usize, k: usize| (0..k).fold(1, |c, i| c * (n - i) / (i + 1));
        for (n, k) in [(1, 1), (4, 2), (6, 3), (7, 7), (5, 0)] {
            let mut found = subsets(n, k);
            assert!(found.iter().all(|set| set.len() == k && set.is_sorted()));
            for i in 0..n {
                let with = found.iter().filter(|set| set.contains(&i)).count();
                assert_eq!(with * n, k * binomial(n, k), "{n}, {k}, {i}");
            }
            found.dedup();
            assert_eq!(found.len(), binomial(n, k));
        }
    }
}
