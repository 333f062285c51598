//! What is kept of the observations: per chunk their number and power sums, and over chunks exact sums of those.

use std::collections::BTreeMap;

use super::{ExactSum, MonteCarloError};

/// Number, sum and sum of squares of the observations of one chunk, added up in a fixed order.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    /// Number of observations.
    pub count: u64,
    /// Their sum; its relative error is at most `(count/4 + 2) u` for observations of one sign.
    pub sum: f64,
    /// The sum of their squares, to a relative `(count/4 + 3) u`.
    pub squares: f64,
}

impl Moments {
    /// The moments of a chunk, in four interleaved sums.
    ///
    /// # Errors
    /// [`MonteCarloError::NotFinite`] when one of the observations, or the sum of their squares, is not finite.
    pub fn of(observations: &[f64]) -> Result<Moments, MonteCarloError> {
        let (mut sums, mut squares) = ([0.0f64; 4], [0.0f64; 4]);
        let groups = observations.chunks_exact(4);
        let rest = groups.remainder();
        for group in groups.chain(std::iter::once(rest)) {
            for ((x, sum), square) in group.iter().zip(&mut sums).zip(&mut squares) {
                *sum += x;
                *square += x * x;
            }
        }
        let moments = Moments {
            count: observations.len() as u64,
            sum: (sums[0] + sums[1]) + (sums[2] + sums[3]),
            squares: (squares[0] + squares[1]) + (squares[2] + squares[3]),
        };
        if moments.squares.is_finite() {
            return Ok(moments);
        }
        let index = observations.iter().position(|x| !x.is_finite()).unwrap_or(0);
        Err(MonteCarloError::NotFinite {
            index,
            value: observations.get(index).copied().unwrap_or(moments.squares),
        })
    }

    /// Average of the observations; zero without any.
    #[must_use]
    pub fn mean(&self) -> f64 {
        if self.count == 0 {
            0.0
        } else {
            self.sum / self.count as f64
        }
    }
}

/// The exact totals of any set of chunks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    count: u64,
    sum: ExactSum,
    squares: ExactSum,
}

impl Tally {
    /// Adds a chunk.
    ///
    /// # Errors
    /// [`MonteCarloError::NotFinite`].
    pub fn add(&mut self, chunk: &Moments) -> Result<(), MonteCarloError> {
        self.sum.add(chunk.sum)?;
        self.squares.add(chunk.squares)?;
        self.count += chunk.count;
        Ok(())
    }

    /// Adds the chunks of another tally. Associative and commutative to the last bit.
    pub fn merge(&mut self, other: &Tally) {
        self.count += other.count;
        self.sum.merge(&other.sum);
        self.squares.merge(&other.squares);
    }

    /// Number of observations.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Average of the observations; zero without any.
    #[must_use]
    pub fn mean(&self) -> f64 {
        if self.count == 0 {
            0.0
        } else {
            self.sum.value() / self.count as f64
        }
    }

    /// The unbiased sample variance; zero for fewer than two observations. It is for reports: below about `1e-15` of the
    /// squared mean it is noise.
    #[must_use]
    pub fn variance(&self) -> f64 {
        if self.count < 2 {
            return 0.0;
        }
        let n = self.count as f64;
        let sum = self.sum.value();
        ((self.squares.value() - sum * (sum / n)) / (n - 1.0)).max(0.0)
    }

    /// The estimated standard error of the mean.
    #[must_use]
    pub fn standard_error(&self) -> f64 {
        if self.count == 0 {
            0.0
        } else {
            (self.variance() / self.count as f64).sqrt()
        }
    }
}

/// Chunks by their index: what one worker hands to another. Merging disjoint shards in any order gives the same shard, and
/// so the same totals and the same confidence sequence, as sampling all of it at once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shard {
    chunks: BTreeMap<u64, Moments>,
}

impl Shard {
    /// A shard of the chunks `first, first + 1, ...`.
    #[must_use]
    pub fn new(first: u64, chunks: impl IntoIterator<Item = Moments>) -> Self {
        Shard {
            chunks: (first..).zip(chunks).collect(),
        }
    }

    /// Takes over the chunks of another shard.
    ///
    /// # Errors
    /// [`MonteCarloError::Overlap`] when a chunk is in both; nothing is changed.
    pub fn merge(&mut self, other: &Shard) -> Result<(), MonteCarloError> {
        if let Some(&chunk) = other.chunks.keys().find(|chunk| self.chunks.contains_key(chunk)) {
            return Err(MonteCarloError::Overlap { chunk });
        }
        self.chunks.extend(&other.chunks);
        Ok(())
    }

    /// The chunks in the order of their index.
    pub fn chunks(&self) -> impl Iterator<Item = (u64, &Moments)> {
        self.chunks.iter().map(|(index, moments)| (*index, moments))
    }

    /// The exact totals.
    ///
    /// # Errors
    /// [`MonteCarloError::NotFinite`] for a chunk that was not made by [`Moments::of`].
    pub fn tally(&self) -> Result<Tally, MonteCarloError> {
        let mut tally = Tally::default();
        self.chunks.values().try_for_each(|chunk| tally.add(chunk))?;
        Ok(tally)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probability::uniform;
    use crate::stream::stream;

    fn chunks(count: usize) -> Vec<Moments> {
        let mut rng = stream(3, &["moments"]);
        (0..count)
            .map(|i| Moments::of(&(0..i % 37).map(|_| uniform(&mut rng)).collect::<Vec<_>>()).unwrap())
            .collect()
    }

    #[test]
    fn shards_merge_to_the_whole_bit_for_bit() {
        let all = chunks(200);
        let whole = Shard::new(0, all.clone());
        let cut = |a: usize, b: usize| Shard::new(a as u64, all[a..b].to_vec());
        for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0], [2, 1, 0]] {
            let parts = [cut(0, 13), cut(13, 150), cut(150, 200)];
            let (mut merged, mut tally) = (Shard::default(), Tally::default());
            for i in order {
                merged.merge(&parts[i]).unwrap();
                tally.merge(&parts[i].tally().unwrap());
            }
            assert_eq!(merged, whole);
            assert_eq!(tally, whole.tally().unwrap());
            assert_eq!(tally.mean().to_bits(), whole.tally().unwrap().mean().to_bits());
            assert_eq!(tally.variance().to_bits(), whole.tally().unwrap().variance().to_bits());
        }
        let overlap = cut(0, 20).merge(&cut(19, 30));
        assert_eq!(overlap, Err(MonteCarloError::Overlap { chunk: 19 }));
    }

    #[test]
    fn the_numbers_are_the_textbook_ones() {
        let moments = Moments::of(&[1.0, 2.0, 3.0, 4.0, 10.0]).unwrap();
        assert_eq!((moments.count, moments.sum, moments.squares), (5, 20.0, 130.0));
        let tally = Shard::new(7, [moments]).tally().unwrap();
        assert_eq!((tally.mean(), tally.variance()), (4.0, 12.5));
        assert_eq!(Tally::default().standard_error(), 0.0);
        assert!(matches!(
            Moments::of(&[0.0, f64::NAN]),
            Err(MonteCarloError::NotFinite { index: 1, .. })
        ));
    }
}
