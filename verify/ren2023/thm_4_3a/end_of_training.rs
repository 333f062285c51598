//! The end of training without negatives from an infinite-width start, and its scores.

use enclosures::vectors::{scaled, sum_of_products};
use evidence::prelude::*;
use two_view::{Balance, Closeness, DiagonalState, Objective, View, alignment_score};

use crate::shared::equal_norms::{EqualNorms, EqualSignals as Group};

/// The end of the flow from an infinite-width start, and the state at its clock.
pub struct Trained {
    /// Ψ = −L_nc and 1 − min ρ at the clock.
    pub agreement: Interval,
    pub rest: Interval,
    /// max − min over p of log κ_p² at the start, at the clock and at the end, top group against bottom group.
    pub conditions: [Interval; 3],
    /// Σ κ_p²/σ_p² at the end and ‖W_A‖_F².
    pub conserved: [Interval; 2],
    /// λ_1 at the end.
    pub top_share: Interval,
    pub signal: f64,
    pub end: DiagonalState<Interval>,
    /// The largest entry of the velocity at the end, in units of the largest κ² there, and the same at the clock.
    pub velocity: Interval,
    pub velocity_before: Interval,
    /// Of the end, for few directions: the balance, and the draws with another signal that the alignment wins.
    pub scores: Option<TrainedScores>,
}

/// Balance, and the draws with another signal: by distance, by inner product.
pub struct TrainedScores {
    pub balance: Balance,
    pub wins: [u64; 2],
    pub draws: [u64; 2],
}

/// Views that are opposed throughout, without noise: a rest point, since ρ_p = Ψ = −1 for every p.
fn is_opposed(s: &EqualNorms) -> bool {
    s.noise.is_none() && s.signals.iter().all(|g| g.correlation == -1.0)
}

/// In closed form, and by enumeration for at most five directions.
pub fn train(s: &EqualNorms) -> Result<Trained, MeasureError> {
    let flow = s.flow()?;
    let at = flow.at(s.clock)?;
    let (logs, correlation) = if is_opposed(s) {
        let norms = s.signals.iter().map(|g| Interval::point(g.kappa_squared).ln());
        (norms.collect(), -1.0)
    } else {
        (flow.limit().ok_or("a correlation is −1")?, 1.0)
    };
    let kappa: Vec<Interval> = logs.iter().map(|l| l.exp()).collect();
    let copies: Vec<f64> = s.signals.iter().map(|g| f64::from(g.copies)).collect();
    let total = sum_of_products(&kappa, &copies);
    let top = kappa.iter().copied().reduce(Interval::max).ok_or("no signal")?;
    let extreme = |strength: f64| s.signals.iter().position(|g| g.sigma_squared == strength).unwrap_or(0);
    let (strong, weak) = (extreme(s.strongest()), extreme(s.weakest()));
    let ratio = |l: &[Interval]| l[strong] - l[weak];
    let end = DiagonalState {
        a: kappa.clone(),
        b: kappa.clone(),
        h: scaled(&kappa, correlation),
        noise_a: vec![Interval::ZERO; s.noise.iter().len()],
        noise_b: vec![Interval::ZERO; s.noise.iter().len()],
    };
    let law = s.law()?;
    let fastest = |state: &DiagonalState<Interval>| -> Result<Interval, MeasureError> {
        let moving = law.velocity(state, Objective::NonContrastive)?;
        let speeds = moving.a.iter().chain(&moving.h).map(|v| v.abs());
        Ok(speeds.fold(Interval::ZERO, Interval::max) / top)
    };
    let now: Vec<Interval> = at.log_kappa_squared.iter().map(|l| l.exp()).collect();
    let noise: Vec<Interval> = at.log_noise.iter().map(|l| l.exp()).collect();
    let before = DiagonalState {
        h: now.iter().zip(&at.correlation).map(|(k, c)| *k * *c).collect(),
        a: now.clone(),
        b: now,
        noise_a: noise.clone(),
        noise_b: noise,
    };
    let weights = (s.signals.iter().zip(&kappa)).map(|(g, k)| *k * f64::from(g.copies) / g.sigma_squared);
    Ok(Trained {
        agreement: s.normaliser(&at).1,
        rest: 1.0 - at.correlation.iter().copied().fold(Interval::ONE, Interval::min),
        conditions: [ratio(&flow.at(0.0)?.log_kappa_squared), ratio(&at.log_kappa_squared), ratio(&logs)],
        conserved: [weights.sum(), flow.squared_weight_norm()],
        top_share: top / total,
        signal: s.signal(),
        velocity: fastest(&end)?,
        velocity_before: fastest(&before)?,
        scores: if s.signal() <= 5.0 { Some(scores(s, &end)?) } else { None },
        end,
    })
}

fn scores(s: &EqualNorms, end: &DiagonalState<Interval>) -> Result<TrainedScores, MeasureError> {
    let spread = |list: &[Interval]| -> Vec<Interval> {
        let copies = |(g, k): (&Group, &Interval)| vec![*k; g.copies as usize];
        s.signals.iter().zip(list).flat_map(copies).collect()
    };
    let single = DiagonalState {
        a: spread(&end.a),
        b: spread(&end.b),
        h: spread(&end.h),
        noise_a: Vec::new(),
        noise_b: Vec::new(),
    };
    let gram = single.gram()?;
    let distance = alignment_score(&gram, Closeness::Distance)?;
    let inner = alignment_score(&gram, Closeness::InnerProduct)?;
    Ok(TrainedScores {
        balance: Balance::of(&gram, View::A)?,
        wins: [distance.other_signal.wins, inner.other_signal.wins],
        draws: [distance.other_signal.total(), inner.other_signal.total()],
    })
}
