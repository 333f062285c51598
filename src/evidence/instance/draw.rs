//! Drawing an instance from its declared ranges.
//!
//! The draws are those of a tester, not of a statistician: ends of ranges, zeros, whole numbers and equal entries are likely,
//! because that is where statements break.

use super::declaration::Length;
use super::layout::{Range, Scale};

/// Lists without a longest length are drawn up to this much longer than their shortest.
const LONGER: u64 = 7;

/// Numbers without an end are drawn within this many decades around one.
const DECADES: f64 = 3.0;

/// A source of numbers, and the lengths that were drawn.
pub struct Draws<'a> {
    /// None for the plainest instance: zeros, shortest lists, first variants.
    source: Option<&'a mut dyn FnMut() -> u64>,
    lengths: Vec<(u32, u64)>,
}

impl<'a> Draws<'a> {
    /// Draws from a source of uniform 64-bit numbers.
    pub fn from(source: &'a mut dyn FnMut() -> u64) -> Self {
        Draws { source: Some(source), lengths: Vec::new() }
    }

    /// Draws nothing: every number is as near to zero as its range allows, every list as short, every variant the first.
    #[must_use]
    pub fn plainest() -> Self {
        Draws { source: None, lengths: Vec::new() }
    }

    pub(super) fn is_plainest(&self) -> bool {
        self.source.is_none()
    }

    /// Visits the fields of a type of its own.
    pub fn scoped<T>(&mut self, visit: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::take(&mut self.lengths);
        let drawn = visit(self);
        self.lengths = outer;
        drawn
    }

    /// One of `count` numbers from 0; the first where nothing is drawn.
    pub fn below(&mut self, count: u64) -> u64 {
        match &mut self.source {
            // The bias is below 2^-40 for every count that occurs, and the same everywhere.
            Some(source) => ((u128::from(source()) * u128::from(count)) >> 64) as u64,
            None => 0,
        }
    }

    /// Uniform in [0, 1).
    fn unit(&mut self) -> f64 {
        match &mut self.source {
            Some(source) => (source() >> 11) as f64 / 9_007_199_254_740_992.0,
            None => 0.0,
        }
    }

    pub(super) fn real(&mut self, range: Range, scale: Scale) -> f64 {
        if self.source.is_none() {
            return range.clamp(0.0);
        }
        let sort = self.below(16);
        let bounded = range.low.is_finite() && range.high.is_finite();
        let drawn = match sort {
            0 if range.low.is_finite() => range.low,
            1 if range.high.is_finite() => range.high,
            2 => 0.0,
            _ if bounded && scale == Scale::Linear => range.low + self.unit() * (range.high - range.low),
            _ => self.magnitude(range),
        };
        // Whole numbers are plain, and meet each other.
        range.clamp(if sort == 3 { drawn.round() } else { drawn })
    }

    /// Log-uniform between the ends, or within some decades from the end that there is, or around one with a random sign.
    fn magnitude(&mut self, range: Range) -> f64 {
        let unit = self.unit();
        if range.low >= 0.0 && range.high.is_finite() {
            let high = core_math::log10(range.high.max(f64::MIN_POSITIVE));
            let low = if range.low > 0.0 { core_math::log10(range.low) } else { high - 2.0 * DECADES };
            return core_math::exp10(low + unit * (high - low));
        }
        let size = core_math::exp10(DECADES * (2.0 * unit - 1.0));
        if range.low.is_finite() {
            range.low + size
        } else if range.high.is_finite() {
            range.high - size
        } else if self.below(2) == 0 {
            size
        } else {
            -size
        }
    }

    /// A whole number between the closed ends of a range.
    pub(super) fn whole(&mut self, range: Range, scale: Scale) -> f64 {
        if self.source.is_none() {
            return range.clamp(0.0);
        }
        // Up to a thousand beyond the smallest where nothing is declared: the number may be a cost.
        let high = if range.declared { range.high } else { range.high.min(range.clamp(0.0) + 1000.0) };
        let low = if range.declared { range.low } else { range.clamp(0.0) };
        let drawn = match self.below(8) {
            0 => low,
            1 => low + self.below(4) as f64,
            _ if scale == Scale::Logarithmic => {
                low - 1.0 + core_math::exp10(self.unit() * core_math::log10(high - low + 1.0)).round()
            }
            _ => low + self.below((high - low) as u64 + 1) as f64,
        };
        drawn.min(high)
    }

    /// The length of a list, which it shares with those of the same key.
    pub(super) fn length(&mut self, length: &Length) -> u64 {
        if let Some((_, known)) = self.lengths.iter().find(|(key, _)| *key == length.key) {
            return *known;
        }
        let room = length.greatest.saturating_sub(length.least).min(LONGER);
        let drawn = length.least + self.below(room + 1);
        self.lengths.push((length.key, drawn));
        drawn
    }

    /// Whether the items of a list are to be equal.
    pub(super) fn equal(&mut self) -> bool {
        self.source.is_some() && self.below(8) == 0
    }
}
