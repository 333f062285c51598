//! Section 3: inputs of different dimensions, made equal by zeros at the end of each column of A and B.
//!
//! True: W_A sees [A | A_ξ] through K_A and K_{A,ξ} alone, and the weights on the zeros multiply zeros. So outputs, losses and the gradients of the other
//! weights are those of the model without padding, the weights on the zeros never move, and AᵀA is what it was.
//!
//! With q = d − r noise directions in each view the views have different numbers of them before the padding, and what is padded lacks noise columns.
//! With columns of zeros in their place outputs are as they were (up to the scale √q of the noise), but A_ξᵀA_ξ = σ_ξ²I no longer holds.

use evidence::prelude::*;
use proptest::collection::vec;
use proptest::strategy::{Just, Strategy};
use serde::{Deserialize, Serialize};
use two_view::{FeatureSelection, Features, LatentSizes, MatrixBlock, Objective, TwoViewData, View, loss_gradient};

use crate::shared::differentiated_loss::{agree, largest};
use crate::shared::hypotheses::{LATENTS, LOSS};
use crate::shared::notation::{AGREEMENT, DATA, H_ORTH, LOSS_WITHOUT_NEGATIVES};

/// Data maps [A | A_ξ] and [B | B_ξ] by rows, of different numbers of rows, and weights for the longer inputs.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = Self::in_words, valid = Self::fits, stored)]
struct UnequalInputs {
    #[instance(range = "1..=3")]
    signal: usize,
    #[instance(range = "0..=2")]
    noise: usize,
    #[instance(range = "-100..=100")]
    map_a: Vec<Vec<f64>>,
    #[instance(range = "-100..=100")]
    map_b: Vec<Vec<f64>>,
    #[instance(range = "-100..=100")]
    weights: [Vec<Vec<f64>>; 2],
    #[instance(range = "0.001..=10", scale = "logarithmic")]
    tau_squared: f64,
    #[instance(range = "0.01..=100", scale = "logarithmic")]
    negatives: f64,
}

fn block(rows: &[Vec<f64>], count: usize, columns: usize) -> MatrixBlock<Interval> {
    MatrixBlock::from_fn(count, columns, |i, j| Interval::point(rows.get(i).map_or(0.0, |row| row[j])))
}

impl UnequalInputs {
    fn in_words(&self) -> String {
        let (maps, weights) = (self.maps(), &self.weights);
        format!(
            "r = {}, q = {}, [A | A_ξ] = {:?}, [B | B_ξ] = {:?}, W_A = {:?}, W_B = {:?}, τ² = {}, K = {}",
            self.signal, self.noise, maps[0], maps[1], weights[0], weights[1], self.tau_squared, self.negatives
        )
    }

    fn fits(&self) -> Result<(), String> {
        let (d, longest) = (self.signal + self.noise, self.longest());
        let width = self.weights[0].len();
        if !(1..=6).contains(&longest) || self.maps().iter().any(|map| map.is_empty()) || d > 4 {
            return Err("the sizes do not fit: up to 6 inputs and r + q ≤ 4".into());
        }
        if self.maps().into_iter().flatten().any(|row| row.len() != d) {
            return Err(format!("a row of a map has another length than r + q = {d}"));
        }
        if !(1..=4).contains(&width) || self.weights[1].len() != width {
            return Err("the widths differ or are not between 1 and 4".into());
        }
        if self.weights.iter().flatten().any(|row| row.len() != longest) {
            return Err(format!("a row of the weights has another length than the longer input, {longest}"));
        }
        Ok(())
    }

    fn maps(&self) -> [&[Vec<f64>]; 2] {
        [&self.map_a, &self.map_b]
    }

    /// The dimension of the longer input.
    fn longest(&self) -> usize {
        self.maps()[0].len().max(self.maps()[1].len())
    }

    fn sizes(&self) -> Result<LatentSizes, MeasureError> {
        Ok(LatentSizes::new(self.signal, self.noise)?)
    }

    /// A map with as many rows as it has, or with rows of zeros below.
    fn map(&self, view: View, rows: usize) -> MatrixBlock<Interval> {
        block(self.maps()[view as usize], rows, self.signal + self.noise)
    }

    /// W_A X_A and W_B X_B, with the weights that the shorter input has.
    fn features(&self) -> Result<[MatrixBlock<Interval>; 2], MeasureError> {
        let of = |view: View| {
            let rows = self.maps()[view as usize].len();
            let weights = &self.weights[view as usize];
            block(weights, weights.len(), self.longest()).columns_between(0, rows).product(&self.map(view, rows))
        };
        Ok([of(View::A)?, of(View::B)?])
    }

    fn has_outputs(&self) -> bool {
        let normalised = |f: [MatrixBlock<Interval>; 2]| -> Result<bool, MeasureError> {
            let state = Features::new(self.sizes()?, f[0].beside(&f[1])?)?.gram();
            let square = |view| state.normaliser_squared(view).is_ok_and(|n: Interval| n.lo() > 1e-4);
            Ok(square(View::A) && square(View::B))
        };
        self.features().and_then(normalised).is_ok_and(|has| has)
    }
}

/// A loss of the model without padding, and of the padded one.
struct BothModels {
    losses: [Interval; 2],
    /// ∇_{W_A} and ∇_{W_B} in the coordinates of each input, without padding and with it.
    gradients: [[MatrixBlock<Interval>; 2]; 2],
    /// Those of the weights on the zeros.
    on_zeros: Vec<Interval>,
    /// The same with the last row of a map repeated in place of zeros.
    repeated: Interval,
    /// At most the size of the two terms of a gradient, which are smaller once they cancel.
    size: f64,
}

struct PaddedModel {
    contrastive: BothModels,
    non_contrastive: BothModels,
    /// [A | A_ξ]ᵀ[A | A_ξ] and that of B, without padding and with it.
    metrics: [[MatrixBlock<Interval>; 2]; 2],
}

fn both_models(u: &UnequalInputs, objective: Objective) -> Result<BothModels, MeasureError> {
    let (sizes, longest) = (u.sizes()?, u.longest());
    let features = u.features()?;
    let state = Features::new(sizes, features[0].beside(&features[1])?)?.gram();
    // ∂L/∂[K | K_ξ] of both views, which is ∇_W for data maps that are identities.
    let identity = MatrixBlock::diagonal(&vec![Interval::ONE; sizes.latents()]);
    let plain = TwoViewData::new(sizes, identity.clone(), identity)?;
    let pulls = loss_gradient(&plain, [&features[0], &features[1]], objective)?;
    let padded = TwoViewData::new(sizes, u.map(View::A, longest), u.map(View::B, longest))?;
    let weights = [0, 1].map(|k| block(&u.weights[k], u.weights[k].len(), longest));
    let moved = loss_gradient(&padded, [&weights[0], &weights[1]], objective)?;
    let rows = [0, 1].map(|k| u.maps()[k].len());
    let own = |k: usize| pulls[k].product(&block(u.maps()[k], rows[k], sizes.latents()).transpose());
    let repeated = [0, 1].map(|k| {
        let last = |i: usize| i.min(rows[k] - 1);
        MatrixBlock::from_fn(longest, sizes.latents(), |i, j| Interval::point(u.maps()[k][last(i)][j]))
    });
    let repeated = TwoViewData::new(sizes, repeated[0].clone(), repeated[1].clone())?;
    let loss = |data: &TwoViewData<Interval>| -> Result<Interval, MeasureError> {
        let state = data.features(&weights[0], &weights[1])?.gram();
        // The repeated rows may leave a view without output.
        Ok(FeatureSelection::of(&state, objective)?.loss)
    };
    let outer = u.maps().into_iter().flatten().flatten().fold(1.0, |most: f64, x| most.max(x.abs()));
    let per_output = |view: View| -> Result<f64, MeasureError> {
        Ok(largest(&features[view as usize]) / state.normaliser_squared(view)?.lo())
    };
    let both = state.normalisers()?.lo();
    let pull = largest(&features[0]).max(largest(&features[1])) / both;
    let similarity = largest(&state.cross()?) * sizes.latents().pow(2) as f64;
    Ok(BothModels {
        losses: [FeatureSelection::of(&state, objective)?.loss, loss(&padded)?],
        on_zeros: [0, 1].iter().flat_map(|&k| moved[k].columns_between(rows[k], longest).entries().to_vec()).collect(),
        gradients: [[own(0)?, own(1)?], [0, 1].map(|k| moved[k].columns_between(0, rows[k]))],
        repeated: loss(&repeated).unwrap_or(Interval::ENTIRE),
        size: outer * u.tau_squared.max(1.0) * (pull + similarity * per_output(View::A)?.max(per_output(View::B)?)),
    })
}

impl BothModels {
    fn agree(&self) -> Evaluation {
        let [plain, padded] = &self.gradients;
        all_of([
            ("the loss", equal(self.losses[0], self.losses[1]).on_unit_scale()),
            ("∇_{W_A}", agree(&plain[0], &padded[0], self.size)),
            ("∇_{W_B}", agree(&plain[1], &padded[1], self.size)),
        ])
    }
}

fn named() -> Vec<(&'static str, UnequalInputs)> {
    let of = |signal: usize, noise: usize, maps: [&[&[f64]]; 2], weights: [&[&[f64]]; 2]| {
        let rows = |list: &[&[f64]]| list.iter().map(|row| row.to_vec()).collect::<Vec<_>>();
        let ([map_a, map_b], weights) = (maps.map(rows), weights.map(rows));
        UnequalInputs { signal, noise, map_a, map_b, weights, tau_squared: 1.0, negatives: 2.0 }
    };
    vec![
        ("one signal, one and two inputs", of(1, 0, [&[&[1.0]], &[&[2.0], &[1.0]]], [&[&[1.0, 5.0]], &[&[1.0, -1.0]]])),
        (
            "two signals, three and two inputs",
            of(
                2,
                0,
                [&[&[2.0, 0.0], &[0.0, 1.0], &[0.0, 0.0]], &[&[1.0, 0.0], &[0.0, 1.0]]],
                [&[&[1.0, 0.5, 3.0], &[-0.5, 1.0, 1.0]], &[&[1.0, 0.0, 7.0], &[0.25, 1.0, -7.0]]],
            ),
        ),
        (
            "a signal and a noise, two and four inputs",
            of(
                1,
                1,
                [&[&[1.0, 0.0], &[0.0, 0.5]], &[&[0.5, 0.5], &[0.5, -0.5], &[0.5, 0.5], &[0.5, -0.5]]],
                [&[&[1.0, 1.0, 2.0, 3.0]], &[&[1.0, 0.0, 0.5, 0.25]]],
            ),
        ),
    ]
}

/// The same models with W_B = 0.
fn without_output() -> Vec<(&'static str, UnequalInputs)> {
    let silent = |u: UnequalInputs| {
        let zeros = vec![vec![0.0; u.longest()]; u.weights[1].len()];
        UnequalInputs { weights: [u.weights[0].clone(), zeros], ..u }
    };
    named().into_iter().map(|(name, u)| (name, silent(u))).collect()
}

pub fn claim() -> Claim {
    Claim::new("ren2023.dimensions", "inputs of different dimensions", Kind::Equivalence)
        .statement(
            "the results generalise to settings where the dimensions of x_A and x_B are different, as one can pad zeros at the \
             end of each column of A and B",
        )
        .source("Section 3", &["after eq. (1)"])
        .symbol(
            "r",
            "the number of signals, over which p runs; q is that of the noise directions; if q = 0, every term with \
             noise is absent",
        )
        .symbol(
            "d",
            "the dimension of the longer input, which both have after the padding; W_A and W_B are m × d, m the width; \
             without the padding A or B of the shorter input has fewer rows and its weights fewer columns",
        )
        .symbols([DATA, H_ORTH, LOSS_WITHOUT_NEGATIVES, AGREEMENT])
        .reconstructed("whose dimensions they are; those of the inputs, as zeros at the end of a column add inputs")
        .remark("Here q is the same in both views.")
        .setting(padded())
}

fn padded() -> Setting<UnequalInputs, PaddedModel> {
    Setting::measuring(|u: &UnequalInputs, _| {
        let contrastive = Objective::Contrastive { tau_squared: u.tau_squared, negatives: u.negatives };
        let metric = |rows: Option<usize>| {
            [View::A, View::B].map(|v| u.map(v, rows.unwrap_or(u.maps()[v as usize].len())).gram())
        };
        Ok(PaddedModel {
            contrastive: both_models(u, contrastive)?,
            non_contrastive: both_models(u, Objective::NonContrastive)?,
            metrics: [metric(None), metric(Some(u.longest()))],
        })
    })
    .given(LATENTS)
    .given(LOSS)
    .given("the weights on the zeros that are added to an input are any numbers")
    .assume(Hypothesis::new("N_A², N_B² > 10⁻⁴", UnequalInputs::has_outputs))
    .family(outside("a view without output", without_output))
    .family(edge("named", named))
    .family(random("drawn", || {
        let sizes = (1usize..=2, 0usize..=1, 1usize..=3, 2usize..=5, 1usize..=4);
        sizes.prop_flat_map(|(signal, noise, width, long, short)| {
            let (d, short) = (signal + noise, short.min(long - 1));
            let rows = move |count: usize, columns: usize| vec(vec(-2.0..2.0f64, columns), count);
            let weights = (rows(width, long), rows(width, long));
            (Just((signal, noise)), rows(long, d), rows(short, d), weights, -3.0..1.5f64, -3.0..3.0f64).prop_map(
                |((signal, noise), long, short, weights, tau, negatives)| {
                    let (map_a, map_b) = if tau < -1.0 { (short, long) } else { (long, short) };
                    let at = |log: f64| exact(log).exp().midpoint();
                    let (weights, tau_squared, negatives) = (weights.into(), at(tau), at(negatives));
                    UnequalInputs { signal, noise, map_a, map_b, weights, tau_squared, negatives }
                },
            )
        })
    }))
    .without_search()
    .part(
        "same",
        "L, L_nc and their gradients in the weights of the inputs that were there are those of the model without padding",
        holds(),
        |_, c| all_of([("L", c.contrastive.agree()), ("L_nc", c.non_contrastive.agree())]),
    )
    .part("still", "the gradients of L and L_nc in the weights on the zeros are 0", holds(), |_, c| {
        let all = c.contrastive.on_zeros.iter().chain(&c.non_contrastive.on_zeros).copied().collect::<Vec<_>>();
        for_each("weight", &all, |_, &x| equal(x, 0))
    })
    .tested_by("b")
    .part(
        "assumptions",
        "[A | A_ξ]ᵀ[A | A_ξ] and [B | B_ξ]ᵀ[B | B_ξ] are the same before and after, and with them H-orth",
        holds(),
        |_, c| {
            let [plain, padded] = &c.metrics;
            all_of([0, 1].map(|k| (["A", "B"][k], agree(&plain[k], &padded[k], 1.0))))
        },
    )
    .control("a", "the last row of the shorter map repeated in place of zeros: L is the same", |_, c| {
        equal(c.contrastive.losses[0], c.contrastive.repeated).on_unit_scale()
    })
    .control("b", "the gradients of L in the weights of the inputs that were there are 0 too", |_, c| {
        for_each("weight", c.contrastive.gradients[1][0].entries(), |_, &x| equal(x, 0))
    })
}
