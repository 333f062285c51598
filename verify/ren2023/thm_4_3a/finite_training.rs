//! Networks of finite width trained without negatives.

use evidence::claim::Series;
use evidence::prelude::*;
use two_view::{Balance, Closeness, Objective, View, alignment_score};

use crate::shared::finite_width::{FiniteWidth, rigorous};

/// A Gaussian start after training: the balance (tr Σ/‖Σ‖), the alignment given another signal, and the loss.
pub struct Finite {
    pub balance: Enclosure,
    pub alignment: Enclosure,
    pub agreement: Enclosure,
    pub signal: f64,
    /// A power of ten that the solver's achieved tolerance does not exceed.
    achieved: f64,
}

/// Follows the flow of L_nc from a Gaussian start.
pub fn train_finite(s: &FiniteWidth, trial: &mut Trial) -> Result<Finite, MeasureError> {
    let orbit = s.follow(&s.start(trial.rng())?, Objective::NonContrastive, 1)?;
    let state = orbit.states.first().ok_or("no state")?;
    if orbit.error > 1e-6 {
        return Err(format!("the integration is off by {}", orbit.error).into());
    }
    let end = rigorous(state)?;
    Ok(Finite {
        balance: Enclosure::from(Balance::of(&end, View::A)?.trace_over_largest()).as_measured(),
        alignment: Enclosure::from(alignment_score(&end, Closeness::Distance)?.other_signal.score()).as_measured(),
        agreement: Enclosure::measured(state.agreement()?),
        signal: s.sigma_squared.len() as f64,
        achieved: orbit.achieved_power(),
    })
}

/// All networks, for the report.
pub fn finite_table(trial: &mut Trial) -> Result<Series, MeasureError> {
    let mut table = Series::of([("start", ""), ("tr Σ/(r‖Σ‖)", ""), ("alignment", ""), ("solver achieved", "")]);
    for (name, s) in widths() {
        let f = train_finite(&s, trial)?;
        table.push([
            name.into(),
            (f.balance / f.signal).into(),
            f.alignment.into(),
            format!("{:e}", f.achieved).into(),
        ]);
    }
    Ok(table)
}

/// One strong direction among weak ones, with and without noise, at three widths.
pub fn widths() -> Vec<(String, FiniteWidth)> {
    let of = |width: u32, sigma_squared: &[f64], noise: u32| FiniteWidth {
        width,
        sigma_squared: sigma_squared.to_vec(),
        noise,
        noise_squared: 0.5,
        time: 40.0,
    };
    let cases: [(&[f64], u32); 3] = [(&[4.0, 1.0, 1.0, 1.0], 0), (&[4.0, 1.0, 1.0], 1), (&[6.0, 1.0], 2)];
    let mut list = Vec::new();
    for width in [50, 400, 3200] {
        for (sigma, noise) in cases {
            list.push((format!("m = {width}, r = {}, q = {noise}", sigma.len()), of(width, sigma, noise)));
        }
    }
    list
}
