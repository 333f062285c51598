//! The gradient with respect to the weights by automatic differentiation of the enumerated loss: independent of
//! every formula for it.

use super::MultimodalError;
use super::block::MatrixBlock;
use super::data::TwoViewData;
use super::gram::View;
use super::objective::Objective;
use super::selection::FeatureSelection;
use enclosures::interval::{Dual, Interval};

/// Derivatives taken in one pass.
const LANES: usize = 4;

/// The loss at weights `W_A`, `W_B`, as an enclosure.
///
/// # Errors
/// Weights that do not fit, a view without output, too many latent coordinates.
pub fn loss_at(
    data: &TwoViewData<Interval>,
    weights: [&MatrixBlock<Interval>; 2],
    objective: Objective,
) -> Result<Interval, MultimodalError> {
    Ok(FeatureSelection::of(&data.features(weights[0], weights[1])?.gram(), objective)?.loss)
}

/// `∇_{W_A} L` and `∇_{W_B} L` by forward differentiation in interval arithmetic, entry by entry.
///
/// # Errors
/// As [`loss_at`].
pub fn loss_gradient(
    data: &TwoViewData<Interval>,
    weights: [&MatrixBlock<Interval>; 2],
    objective: Objective,
) -> Result<[MatrixBlock<Interval>; 2], MultimodalError> {
    weight_gradient(data, weights, |lifted, moved| {
        Ok(FeatureSelection::of(&lifted.features(moved[0], moved[1])?.gram(), objective)?.loss)
    })
}

/// The gradient of any function of data and weights that is written in dual numbers.
///
/// # Errors
/// What the function refuses.
pub fn weight_gradient(
    data: &TwoViewData<Interval>,
    weights: [&MatrixBlock<Interval>; 2],
    function: impl Fn(&TwoViewData<Dual<LANES>>, [&MatrixBlock<Dual<LANES>>; 2]) -> Result<Dual<LANES>, MultimodalError>,
) -> Result<[MatrixBlock<Interval>; 2], MultimodalError> {
    let lifted =
        TwoViewData::new(data.sizes(), data.map(View::A).map(Dual::constant), data.map(View::B).map(Dual::constant))?;
    let gradient = |moving: usize| -> Result<MatrixBlock<Interval>, MultimodalError> {
        let columns = weights[moving].columns();
        let count = weights[moving].entries().len();
        let mut slopes = Vec::with_capacity(count);
        for start in (0..count).step_by(LANES) {
            let moved = [0, 1].map(|which: usize| {
                let source: &MatrixBlock<Interval> = weights[which];
                MatrixBlock::from_fn(source.rows(), source.columns(), |i, j| {
                    let mut entry = Dual::constant(source.at(i, j));
                    let lane = (i * columns + j).wrapping_sub(start);
                    if which == moving && lane < LANES {
                        entry.slopes[lane] = Interval::ONE;
                    }
                    entry
                })
            });
            let value = function(&lifted, [&moved[0], &moved[1]])?;
            slopes.extend(value.slopes.into_iter().take(count - start));
        }
        MatrixBlock::new(weights[moving].rows(), columns, slopes)
    };
    Ok([gradient(0)?, gradient(1)?])
}
