//! Draws of an index with given probabilities: uniform ones without any error, others by Walker's alias table.

use super::{ChunkStream, MonteCarloError};

/// A law on `0 .. n`.
#[derive(Clone, Debug)]
pub enum IndexLaw {
    /// All `n` indices equally likely, exactly.
    Uniform(usize),
    /// Column `i` of the table gives `i` with probability `keep[i] / 2^64` and else `other[i]` (Walker 1977; Vose 1991).
    Alias {
        /// For every column, the limit of the second random word and the alternative.
        columns: Vec<(u64, u32)>,
    },
}

impl IndexLaw {
    /// The law with probabilities proportional to the weights.
    ///
    /// # Errors
    /// [`MonteCarloError::Weight`] for a weight that is not positive and normal, or weights whose sum is not finite;
    /// [`MonteCarloError::Count`] unless there are between 1 and `2^32 - 1` of them.
    pub fn new(weights: &[f64]) -> Result<IndexLaw, MonteCarloError> {
        let total: f64 = weights.iter().sum();
        if weights.is_empty() || weights.len() >= u32::MAX as usize {
            return Err(MonteCarloError::Count {
                what: "number of weights",
                value: weights.len() as u64,
                least: 1,
                most: u64::from(u32::MAX) - 1,
            });
        }
        for (index, &value) in weights.iter().enumerate() {
            if !(value.is_normal() && value > 0.0 && total.is_finite()) {
                return Err(MonteCarloError::Weight { index, value });
            }
        }
        if weights.iter().all(|w| *w == weights[0]) {
            return Ok(IndexLaw::Uniform(weights.len()));
        }
        let n = weights.len() as f64;
        let mut share: Vec<f64> = weights.iter().map(|w| w / total * n).collect();
        let (mut small, mut large): (Vec<usize>, Vec<usize>) = (0..share.len()).partition(|&i| share[i] < 1.0);
        let mut columns: Vec<(u64, u32)> = (0..share.len()).map(|i| (u64::MAX, i as u32)).collect();
        while let (Some(less), Some(&more)) = (small.pop(), large.last()) {
            // The cast saturates: 2^64 becomes the largest word.
            columns[less] = ((share[less] * 18_446_744_073_709_551_616.0) as u64, more as u32);
            share[more] -= 1.0 - share[less];
            if share[more] < 1.0 {
                large.pop();
                small.push(more);
            }
        }
        Ok(IndexLaw::Alias { columns })
    }

    /// Number of indices.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            IndexLaw::Uniform(n) => *n,
            IndexLaw::Alias { columns } => columns.len(),
        }
    }

    /// Whether there is no index at all; never, for a law made by [`IndexLaw::new`].
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The sum of the absolute errors of all probabilities is at most this: zero for a uniform law, else `8 n u`. The sum of the
    /// weights and the two roundings of each share cost `(n + 2) u` relatively; each of the at most `n` subtractions errs by at
    /// most `u` of a share below `n`, in columns that weigh `1/n`; the cut to 64 bits adds `2^-64` per column.
    #[must_use]
    pub fn distance(&self) -> f64 {
        match self {
            IndexLaw::Uniform(_) => 0.0,
            IndexLaw::Alias { columns } => 4.0 * columns.len() as f64 * f64::EPSILON,
        }
    }

    /// One draw.
    #[inline]
    pub fn draw(&self, stream: &mut ChunkStream) -> usize {
        match self {
            IndexLaw::Uniform(n) => stream.below(*n),
            IndexLaw::Alias { columns } => {
                let column = stream.below(columns.len());
                match columns.get(column) {
                    Some(&(keep, other)) if stream.word() >= keep => other as usize,
                    _ => column,
                }
            }
        }
    }

    /// Independent draws; four from each random word where the law is uniform on fewer than `2^16` indices.
    pub fn fill(&self, stream: &mut ChunkStream, out: &mut [u32]) {
        match self {
            IndexLaw::Uniform(n) if *n < 1 << 16 => {
                let bound = *n as u64;
                let mut groups = out.chunks_exact_mut(4);
                for group in &mut groups {
                    let drawn = stream.several([bound; 4]);
                    for (index, d) in group.iter_mut().zip(drawn) {
                        *index = d as u32;
                    }
                }
                for index in groups.into_remainder() {
                    *index = stream.several([bound])[0] as u32;
                }
            }
            _ => {
                for index in out {
                    *index = self.draw(stream) as u32;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_of_few_equally_likely_indices_come_four_from_a_word() {
        let law = IndexLaw::new(&[1.0; 1000]).unwrap();
        assert!(law.len() == 1000 && !law.is_empty() && IndexLaw::Uniform(0).is_empty());
        let (mut filled, mut single) = (ChunkStream::new(&[5; 32], 1), ChunkStream::new(&[5; 32], 1));
        let mut drawn = [0; 10];
        law.fill(&mut filled, &mut drawn);
        let mut expected = Vec::new();
        for _ in 0..2 {
            expected.extend(single.several([1000; 4]));
        }
        for _ in 0..2 {
            expected.extend(single.several([1000]));
        }
        assert_eq!(drawn.map(u64::from).as_slice(), expected);
        // Of more indices, one from each word.
        let many = IndexLaw::new(&[1.0; 70_000]).unwrap();
        many.fill(&mut filled, &mut drawn);
        assert_eq!(drawn.map(|index| index as usize), [(); 10].map(|()| many.draw(&mut single)));
    }

    #[test]
    fn the_table_holds_the_probabilities() {
        for weights in [vec![1.0, 2.0, 3.0], vec![1e-9, 5.0, 0.3, 0.3, 7.0], vec![1e300, 1e-300]] {
            let law = IndexLaw::new(&weights).unwrap();
            let IndexLaw::Alias { columns } = &law else { panic!("uniform") };
            let total: f64 = weights.iter().sum();
            let mut probability = vec![0.0; weights.len()];
            for (i, &(keep, other)) in columns.iter().enumerate() {
                let keep = keep as f64 / 18_446_744_073_709_551_616.0;
                probability[i] += keep / weights.len() as f64;
                probability[other as usize] += (1.0 - keep) / weights.len() as f64;
            }
            for (p, w) in probability.iter().zip(&weights) {
                assert!((p - w / total).abs() <= law.distance(), "{p} {w}");
            }
        }
    }

    #[test]
    fn draws_have_the_right_frequencies() {
        let mut stream = ChunkStream::new(&[1; 32], 0);
        for weights in [vec![1.0; 7], vec![1.0, 2.0, 3.0, 4.0]] {
            let law = IndexLaw::new(&weights).unwrap();
            let total: f64 = weights.iter().sum();
            let mut drawn = vec![0u32; 100_003];
            law.fill(&mut stream, &mut drawn);
            for (i, w) in weights.iter().enumerate() {
                let share = drawn.iter().filter(|&&d| d as usize == i).count() as f64 / drawn.len() as f64;
                assert!((share - w / total).abs() < 0.008, "{i} {share}");
            }
        }
    }

    #[test]
    fn weights_are_checked() {
        assert!(IndexLaw::new(&[]).is_err());
        assert!(matches!(IndexLaw::new(&[1.0, -1.0]), Err(MonteCarloError::Weight { index: 1, .. })));
        assert!(IndexLaw::new(&[f64::MAX, f64::MAX]).is_err() && IndexLaw::new(&[f64::NAN]).is_err());
    }
}
