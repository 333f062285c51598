//! What is kept of the observations: per chunk their number and power sums, and over chunks exact sums of those.

use std::collections::BTreeMap;

use super::{ExactSum, MonteCarloError, ObservationRange};
use enclosures::kernels::{InstructionSet, Kernel};

/// Number, sum and sum of squares of the observations of one chunk, added up in a fixed order.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    /// Number of observations.
    pub count: u64,
    /// Their sum; its error is at most `(count/16 + 70) u` times the sum of their moduli: one term after the other goes into one of
    /// sixteen sums, blocks of 1024 one after the other into the total.
    pub sum: f64,
    /// The sum of their squares, to a relative `(count/16 + 71) u`.
    pub squares: f64,
}

/// Observations added up in one pass.
const BLOCK: usize = 1024;
/// Interleaved sums.
const LANES: usize = 16;

/// Adds up the observations of one chunk as they come, block by block.
#[derive(Clone, Debug)]
pub struct Collector {
    moments: Moments,
    least: f64,
    most: f64,
    bad: Option<MonteCarloError>,
}

/// Sum, sum of squares, least and most of some observations, in sixteen interleaved parts.
struct Observations<'a>(&'a [f64]);

impl Kernel for Observations<'_> {
    type Output = [f64; 4];

    #[inline(always)]
    fn run<const WIDTH: usize>(self) -> [f64; 4] {
        let (mut sums, mut squares) = ([0.0; LANES], [0.0; LANES]);
        let (mut least, mut most) = ([f64::INFINITY; LANES], [f64::NEG_INFINITY; LANES]);
        let (groups, rest) = self.0.as_chunks::<LANES>();
        for group in groups {
            for i in 0..LANES {
                let x = group[i];
                sums[i] += x;
                squares[i] += x * x;
                least[i] = if x < least[i] { x } else { least[i] };
                most[i] = if x > most[i] { x } else { most[i] };
            }
        }
        for (i, &x) in rest.iter().enumerate() {
            sums[i] += x;
            squares[i] += x * x;
            least[i] = if x < least[i] { x } else { least[i] };
            most[i] = if x > most[i] { x } else { most[i] };
        }
        let mut half = LANES / 2;
        while half > 0 {
            for i in 0..half {
                sums[i] += sums[i + half];
                squares[i] += squares[i + half];
                least[i] = least[i].min(least[i + half]);
                most[i] = most[i].max(most[i + half]);
            }
            half /= 2;
        }
        [sums[0], squares[0], least[0], most[0]]
    }
}

impl Default for Collector {
    fn default() -> Self {
        Collector { moments: Moments::default(), least: f64::INFINITY, most: f64::NEG_INFINITY, bad: None }
    }
}

impl Collector {
    /// Adds some observations.
    pub fn take(&mut self, observations: &[f64]) {
        for block in observations.chunks(BLOCK) {
            let [sum, squares, least, most] = InstructionSet::best().run(Observations(block));
            if self.bad.is_none() && !squares.is_finite() {
                let index = block.iter().position(|x| !x.is_finite()).unwrap_or(0);
                self.bad = Some(MonteCarloError::NotFinite {
                    index: self.moments.count as usize + index,
                    value: block.get(index).copied().unwrap_or(squares),
                });
            }
            self.moments.count += block.len() as u64;
            self.moments.sum += sum;
            self.moments.squares += squares;
            self.least = self.least.min(least);
            self.most = self.most.max(most);
        }
    }

    /// What was added up.
    ///
    /// # Errors
    /// [`MonteCarloError::NotFinite`] when one of the observations, or the sum of their squares, is not finite;
    /// [`MonteCarloError::OutOfRange`] when one lies outside the range.
    pub fn finish(self, range: Option<ObservationRange>) -> Result<Moments, MonteCarloError> {
        if let Some(error) = self.bad {
            return Err(error);
        }
        if !self.moments.squares.is_finite() {
            let value = self.moments.squares;
            return Err(MonteCarloError::NotFinite { index: 0, value });
        }
        let outside = |range: ObservationRange| [self.least, self.most].into_iter().find(|x| !range.contains(*x));
        match range.filter(|_| self.moments.count > 0) {
            Some(range) => match outside(range) {
                Some(value) => Err(MonteCarloError::OutOfRange { value, lo: range.lo(), hi: range.hi() }),
                None => Ok(self.moments),
            },
            None => Ok(self.moments),
        }
    }
}

impl Moments {
    /// The moments of a chunk.
    ///
    /// # Errors
    /// [`MonteCarloError::NotFinite`] when one of the observations, or the sum of their squares, is not finite.
    pub fn of(observations: &[f64]) -> Result<Moments, MonteCarloError> {
        let mut collector = Collector::default();
        collector.take(observations);
        collector.finish(None)
    }

    /// Average of the observations; zero without any.
    #[must_use]
    pub fn mean(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum / self.count as f64 }
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
        if self.count == 0 { 0.0 } else { self.sum.value() / self.count as f64 }
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
        if self.count == 0 { 0.0 } else { (self.variance() / self.count as f64).sqrt() }
    }
}

/// Chunks by their index: what one worker hands to another. Merging disjoint shards in any order gives the same shard, and
/// so the same totals and the same confidence sequence, as sampling all of it at once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChunkTotals {
    chunks: BTreeMap<u64, Moments>,
}

impl ChunkTotals {
    /// A shard of the chunks `first, first + 1, ...`.
    #[must_use]
    pub fn new(first: u64, chunks: impl IntoIterator<Item = Moments>) -> Self {
        ChunkTotals { chunks: (first..).zip(chunks).collect() }
    }

    /// Takes over the chunks of another shard.
    ///
    /// # Errors
    /// [`MonteCarloError::Overlap`] when a chunk is in both; nothing is changed.
    pub fn merge(&mut self, other: &ChunkTotals) -> Result<(), MonteCarloError> {
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
    use enclosures::probability::uniform;
    use enclosures::stream::stream;

    fn chunks(count: usize) -> Vec<Moments> {
        let mut rng = stream(3, &["moments"]);
        (0..count).map(|i| Moments::of(&(0..i % 37).map(|_| uniform(&mut rng)).collect::<Vec<_>>()).unwrap()).collect()
    }

    #[test]
    fn shards_merge_to_the_whole_bit_for_bit() {
        let all = chunks(200);
        let whole = ChunkTotals::new(0, all.clone());
        let cut = |a: usize, b: usize| ChunkTotals::new(a as u64, all[a..b].to_vec());
        for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0], [2, 1, 0]] {
            let parts = [cut(0, 13), cut(13, 150), cut(150, 200)];
            let (mut merged, mut tally) = (ChunkTotals::default(), Tally::default());
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
    fn what_lies_outside_the_range_is_refused() {
        let range = ObservationRange::new(0.0, 1.0).unwrap();
        let finished = |observations: &[f64]| {
            let mut collector = Collector::default();
            collector.take(observations);
            collector.finish(Some(range))
        };
        assert_eq!(finished(&[0.0, 0.5, 1.0]), Moments::of(&[0.0, 0.5, 1.0]));
        assert_eq!(finished(&[]), Moments::of(&[]));
        for value in [1.5, -0.25] {
            let (lo, hi) = (0.0, 1.0);
            assert_eq!(finished(&[0.5, value, 0.75]), Err(MonteCarloError::OutOfRange { value, lo, hi }));
        }
    }

    #[test]
    fn the_numbers_are_the_textbook_ones() {
        let moments = Moments::of(&[1.0, 2.0, 3.0, 4.0, 10.0]).unwrap();
        assert_eq!((moments.count, moments.sum, moments.squares), (5, 20.0, 130.0));
        let tally = ChunkTotals::new(7, [moments]).tally().unwrap();
        assert_eq!((tally.mean(), tally.variance()), (4.0, 12.5));
        assert_eq!(Tally::default().standard_error(), 0.0);
        assert!(matches!(Moments::of(&[0.0, f64::NAN]), Err(MonteCarloError::NotFinite { index: 1, .. })));
    }
}
