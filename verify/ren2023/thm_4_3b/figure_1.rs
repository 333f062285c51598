//! Figure 1 of the paper as a table: both stages of training with negatives, beside training without them, from one start.

use evidence::claim::{MeasureError, Series, Trial};
use two_view::{Closeness, Enumeration, GramState, Objective, alignment_score};

use crate::shared::finite_columns::{columns, finite};
use crate::shared::finite_width::{TWO_STAGES, rigorous};

/// States shown per stage.
const TIMES: u32 = 8;
/// Length of a stage.
const TIME: f64 = 40.0;
const WITHOUT_NEGATIVES: [Objective; 2] = [Objective::NonContrastive; 2];

/// L with the temperature of the stage, cond(κ²), the share of pairs that are closer than with another signal, and the
/// noise-to-signal ratio.
fn shown(state: &GramState<f64>, stage: Objective) -> Result<[f64; 4], MeasureError> {
    let Objective::Contrastive { tau_squared, negatives } = stage else {
        return Err("the loss with negatives is shown".into());
    };
    let loss = Enumeration::new(state.sizes(), &state.cross()?, tau_squared, negatives)?.loss();
    let alignment = alignment_score(&rigorous(state)?, Closeness::Distance)?.other_signal.score();
    let found = columns(state);
    Ok([loss, found.condition, alignment.midpoint(), found.noise_ratio])
}

pub fn figure_1(trial: &mut Trial) -> Result<Series, MeasureError> {
    let network = finite(200, &[4.0, 1.0], 2, TIME);
    let start = network.start(trial.rng())?;
    let with = network.stages(&start, &TWO_STAGES, TIMES)?;
    let without = network.stages(&start, &WITHOUT_NEGATIVES, TIMES)?;
    let mut table = Series::of([
        ("stage", ""),
        ("t", ""),
        ("L", "nats"),
        ("cond(κ²)", ""),
        ("alignment", ""),
        ("noise/signal", ""),
        ("without negatives: L", "nats"),
        ("cond(κ²)", ""),
        ("alignment", ""),
        ("noise/signal", ""),
    ])
    .noting(
        "m = 200, σ² = (4, 1), two noise columns of σ_ξ² = 1, K = 1, τ² = 0.01 and then 1; L has the temperature of \
         the stage in both",
    );
    let mut row = |stage: usize, time: f64, states: [&GramState<f64>; 2]| -> Result<(), MeasureError> {
        let [a, b] = [shown(states[0], TWO_STAGES[stage])?, shown(states[1], TWO_STAGES[stage])?];
        table.push([
            (stage + 1).into(),
            time.into(),
            a[0].into(),
            a[1].into(),
            a[2].into(),
            a[3].into(),
            b[0].into(),
            b[1].into(),
            b[2].into(),
            b[3].into(),
        ]);
        Ok(())
    };
    row(0, 0.0, [&start, &start])?;
    for (k, states) in with.iter().zip(&without).enumerate() {
        let time = TIME * (k + 1) as f64 / f64::from(TIMES);
        row(k / TIMES as usize, time, [states.0, states.1])?;
    }
    Ok(table)
}
