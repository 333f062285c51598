//! The alignment score: how often an anchor is closer to its positive partner than to an independent negative one,
//! counted over all latent states.

use super::MultimodalError;
use super::block::MatrixBlock;
use super::enumeration::MOST_LATENTS;
use super::gram::{GramState, View};
use enclosures::interval::Interval;

/// What "closer" means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closeness {
    /// The smaller distance `||f_A - f_B||`.
    Distance,
    /// The larger inner product `<f_A, f_B>`.
    InnerProduct,
}

/// Numbers of draws `(z^+, ξ_A^+, ξ_B^+, z^-, ξ_B^-)`, each of probability `2^{-2r-3q}`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcomes {
    /// The positive partner is strictly closer.
    pub wins: u64,
    /// Both are equally close, exactly.
    pub ties: u64,
    /// The negative partner is strictly closer.
    pub losses: u64,
    /// Rounding hides which.
    pub unresolved: u64,
}

impl Outcomes {
    /// All draws.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.wins + self.ties + self.losses + self.unresolved
    }

    /// The probability of a strict win; from 0 to 1 when there is no draw.
    #[must_use]
    pub fn score(&self) -> Interval {
        let total = self.total().max(1) as f64;
        Interval::point(self.wins as f64).hull(Interval::point((self.wins + self.unresolved) as f64)) / total
    }

    /// The same with every tie counted as half a win.
    #[must_use]
    pub fn score_with_half_ties(&self) -> Interval {
        let (least, total) = (self.wins as f64 + 0.5 * self.ties as f64, self.total().max(1) as f64);
        Interval::point(least).hull(Interval::point(least + self.unresolved as f64)) / total
    }

    /// Counts one draw by the lead of the positive partner.
    pub fn record(&mut self, difference: Interval) {
        if difference.lo() > 0.0 {
            self.wins += 1;
        } else if difference.hi() < 0.0 {
            self.losses += 1;
        } else if difference == Interval::ZERO {
            self.ties += 1;
        } else {
            self.unresolved += 1;
        }
    }
}

/// Outcomes over all draws, and over those whose negative has another signal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AlignmentScore {
    /// All draws.
    pub all: Outcomes,
    /// Draws with `z^- != z^+`.
    pub other_signal: Outcomes,
    /// The smallest lead of the positive partner over draws with another signal, times `r N_B^2`: `d(A+,B-)^2 -
    /// d(A+,B+)^2` or twice the difference of the inner products.
    pub least_lead: Option<Interval>,
}

/// The alignment score of view A (anchor in A, partners in B) of a state.
///
/// Exact where the Gram matrix consists of small integers, both normalisers agree and q is 0 or r; otherwise draws
/// that rounding cannot separate are counted as unresolved, except a negative equal to the positive, which is a tie.
///
/// # Errors
/// A view without output, or more than 5 latent coordinates when there is noise (10 without): `2^{2r+3q}` draws.
pub fn alignment_score(state: &GramState<Interval>, closeness: Closeness) -> Result<AlignmentScore, MultimodalError> {
    let (sizes, d) = (state.sizes(), state.sizes().latents());
    let limit = if sizes.noise() == 0 { MOST_LATENTS } else { 7 };
    if d > limit {
        return Err(MultimodalError::TooManyLatents { latents: d, limit });
    }
    let ratio = state.normaliser_squared(View::B)? / state.normaliser_squared(View::A)?;
    let ratio = ratio.sqrt();
    // Signal coordinates are scaled to one, noise coordinates to the root of r/q: integers stay integers.
    let noise_scale = if sizes.noise() == 0 {
        Interval::ZERO
    } else {
        (Interval::point(sizes.signal() as f64) / sizes.noise() as f64).sqrt()
    };
    let scale = |k: usize| if k < sizes.signal() { Interval::ONE } else { noise_scale };
    let scaled =
        |left: View| MatrixBlock::from_fn(d, d, |i, j| state.inner((left, i), (View::B, j)) * scale(i) * scale(j));
    let (cross, own) = (scaled(View::A), scaled(View::B));
    let n = 1usize << d;
    let signed = |k: usize, state: usize, x: Interval| if state >> k & 1 == 1 { -x } else { x };
    let form = |m: &MatrixBlock<Interval>, i: usize, j: usize| -> Interval {
        let row = |k: usize| -> Interval { (0..d).map(|l| signed(l, j, m.at(k, l))).sum() };
        (0..d).map(|k| signed(k, i, row(k))).sum()
    };
    let norms: Vec<Interval> = match closeness {
        Closeness::Distance => (0..n).map(|j| form(&own, j, j)).collect(),
        Closeness::InnerProduct => vec![Interval::ZERO; n],
    };
    let signal = (1usize << sizes.signal()) - 1;
    let mut score = AlignmentScore::default();
    for i in 0..n {
        // Minus the squared distance, up to a term that depends on the anchor only.
        let near: Vec<Interval> = (0..n).map(|j| 2.0 * ratio * form(&cross, i, j) - norms[j]).collect();
        for positive in (0..n).filter(|j| j & signal == i & signal) {
            for negative in 0..n {
                let lead = if negative == positive { Interval::ZERO } else { near[positive] - near[negative] };
                score.all.record(lead);
                if negative & signal != i & signal {
                    score.other_signal.record(lead);
                    score.least_lead = Some(score.least_lead.map_or(lead, |least| least.min(lead)));
                }
            }
        }
    }
    Ok(score)
}
