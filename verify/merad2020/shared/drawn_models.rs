//! Models that can only be drawn from: continuous laws of the inputs of every class, seen through encoders of bounded output, and both losses
//! estimated from draws.

use std::fmt;

use enclosures::stream;
use estimators::bounds::{Bound, Draws};
use estimators::monte_carlo::{
    BoundedLaw, BoundedLawShape, DrawnLosses, Encoding, LossQuestion, Sampler, drawn_losses,
};
use evidence::prelude::*;
use proptest::strategy::Strategy;
use serde::{Deserialize, Serialize};

/// What every such model is by its construction.
pub const DRAWN: &str = "ρ(c) ∝ c^{−β} for c = 1, …, N_C; m_c standard normal in ℝ^p and the rows w_i of W too, drawn once; Fourier features: f(x) = R(cos w_i·x, sin w_i·x)/√(d/2), i ≤ d/2, x ~ N(m_c, s²I); cap: f(x) = R(t m_c/‖m_c‖ + √(1 − t²) u), p = d, t uniform on [1 − s, 1], u uniform on the unit sphere orthogonal to m_c; heavy tails: f(x) = RWx/B, W d×p, x_j = m_{c,j} ± s min(U^{−1/2}, 8), both signs equally likely, U uniform on (0, 1), B = max_c ‖Wm_c‖ + 8sΣ_j‖We_j‖; ReLU: f(x) = R h/‖h‖ (R e_1 if h = 0), h = max(0, Wx), W d×p, x ~ N(m_c, s²I)";

/// How the two losses are found.
pub const INTERVALS: &str = "both losses are estimated from draws, each within an interval that misses with probability 2^{−41}; more \
                             is drawn until the sides are told apart";

/// See [`Encoding`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Instance)]
#[serde(rename_all = "kebab-case")]
#[instance(describe = Self::to_string, stored)]
pub enum Encoder {
    FourierFeatures,
    Cap,
    HeavyTails,
    Relu,
}

impl fmt::Display for Encoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Encoder::FourierFeatures => "Fourier features",
            Encoder::Cap => "cap",
            Encoder::HeavyTails => "heavy tails",
            Encoder::Relu => "ReLU",
        })
    }
}

/// A law that can only be drawn from; see [`DRAWN`].
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "{encoder}, N_C = {classes}, N = {negatives}, p = {input}, d = {dimension}, R = {radius}, \
                       s = {spread}, β = {skew}, weights no. {drawing}", valid = Self::is_a_law, stored)]
pub struct DrawnModel {
    pub encoder: Encoder,
    #[instance(range = "2..=1000")]
    pub classes: u32,
    #[instance(range = "1..=4096")]
    pub negatives: u64,
    #[instance(range = "1..=512")]
    pub input: u32,
    #[instance(range = "2..=512")]
    pub dimension: u32,
    #[instance(range = "0.01..=4.0")]
    pub radius: f64,
    #[instance(range = "0.01..=4.0")]
    pub spread: f64,
    #[instance(range = "0.0..=4.0")]
    pub skew: f64,
    pub drawing: u32,
}

/// Both losses of a model, and what the bounds ask beside them.
pub struct SampledLosses {
    losses: DrawnLosses,
    class_weights: Vec<f64>,
    negatives: u64,
    k: usize,
}

impl SampledLosses {
    /// Both sides of a bound, as [`estimators::bounds::EvaluatedBound::against`] has them.
    fn sides(&self, bound: &Bound) -> Result<(Enclosure, Enclosure), MeasureError> {
        let draws = Draws::of_weights(&self.class_weights, self.negatives)?;
        Ok(bound.sides(self.losses.unsupervised, &draws, self.k)?.against(self.losses.mean_classifier))
    }

    /// Whether the sides of a bound are told apart, or the bound does not speak of this model.
    fn tells(&self, bound: &Bound) -> bool {
        self.sides(bound).map_or(true, |(left, right)| told_apart(left, right))
    }

    /// L_sup^μ or L_sup,k^μ, and L_un^N.
    pub fn both(&self) -> (Enclosure, Enclosure) {
        (self.losses.mean_classifier, self.losses.unsupervised)
    }

    /// The statement that the bound holds.
    pub fn below(&self, bound: &Bound) -> Evaluation {
        self.sides(bound).map(|(left, right)| at_most(left, right)).into()
    }

    /// The reversed statement, which is false.
    pub fn above(&self, bound: &Bound) -> Evaluation {
        self.sides(bound).map(|(left, right)| at_least(left, right)).into()
    }
}

/// Whether one is at most the other, or more.
pub fn told_apart(left: Enclosure, right: Enclosure) -> bool {
    left.hi() <= right.lo() || right.hi() < left.lo()
}

/// Whether the sides of every bound are told apart.
pub fn all_told(losses: &SampledLosses, bounds: &[Bound]) -> bool {
    bounds.iter().all(|bound| losses.tells(bound))
}

impl DrawnModel {
    fn shape(&self) -> BoundedLawShape {
        let encoding = match self.encoder {
            Encoder::FourierFeatures => Encoding::FourierFeatures,
            Encoder::Cap => Encoding::SphericalCap,
            Encoder::HeavyTails => Encoding::HeavyTails,
            Encoder::Relu => Encoding::ReluNetwork,
        };
        BoundedLawShape {
            encoding,
            classes: self.classes as usize,
            input: self.input as usize,
            dimension: self.dimension as usize,
            radius: self.radius,
            spread: self.spread,
            skew: self.skew,
        }
    }

    fn is_a_law(&self) -> Result<(), String> {
        let odd = self.encoder == Encoder::FourierFeatures && !self.dimension.is_multiple_of(2);
        match self.encoder {
            _ if odd => Err("Fourier features come in pairs".into()),
            Encoder::Cap if self.spread > 2.0 => Err("t reaches below −1 for s > 2".into()),
            Encoder::Cap if self.input != self.dimension => Err("a cap has p = d".into()),
            _ => Ok(()),
        }
    }

    /// Both losses, sampled until each of the bounds is decided; for tasks of k + 1 classes, or the task of all classes.
    pub fn losses(&self, k: Option<usize>, bounds: &[Bound], trial: &mut Trial) -> Result<SampledLosses, MeasureError> {
        sampled_losses(&self.law()?, self.negatives, k, &|losses| all_told(losses, bounds), trial)
    }

    /// The law itself.
    pub fn law(&self) -> Result<BoundedLaw, MeasureError> {
        Ok(BoundedLaw::new(self.shape(), &stream::seed(self.drawing.into(), &["drawn models"]))?)
    }
}

/// Both losses of a law, sampled until they decide; for tasks of k + 1 classes, or the task of all classes.
pub fn sampled_losses(
    law: &dyn Sampler,
    negatives: u64,
    k: Option<usize>,
    decided: &dyn Fn(&SampledLosses) -> bool,
    trial: &mut Trial,
) -> Result<SampledLosses, MeasureError> {
    let question = LossQuestion {
        negatives: usize::try_from(negatives)?,
        task: k,
        seed: stream::seed(uniform(trial.rng()).to_bits(), &["drawn losses"]),
        alpha: trial.alpha(2),
        most_chunks: trial.samples_at_least(256) as u64,
    };
    let of = |losses: &DrawnLosses| SampledLosses {
        losses: *losses,
        class_weights: law.class_weights().to_vec(),
        negatives,
        k: k.unwrap_or(0),
    };
    Ok(of(&drawn_losses(law, &question, &mut |losses| decided(&of(losses)))?))
}

/// Laws of every kind, from small to a thousand classes and to 512 coordinates, with this number of negatives.
pub fn named(negatives: u64) -> Vec<(String, DrawnModel)> {
    use Encoder::{Cap, FourierFeatures, HeavyTails, Relu};
    let of = |encoder, [classes, input, dimension]: [u32; 3], radius, spread, skew| DrawnModel {
        encoder,
        classes,
        negatives,
        input,
        dimension,
        radius,
        spread,
        skew,
        drawing: classes + dimension,
    };
    let list = [
        of(FourierFeatures, [2, 3, 4], 1.0, 0.5, 0.0),
        of(FourierFeatures, [10, 8, 64], 1.5, 0.25, 0.0),
        of(FourierFeatures, [5, 4, 16], 1.0, 1.0, 1.0),
        of(FourierFeatures, [100, 8, 128], 1.0, 0.25, 0.0),
        of(Cap, [3, 3, 3], 1.5, 0.25, 0.0),
        of(Cap, [10, 512, 512], 2.0, 0.5, 0.0),
        of(Cap, [1000, 32, 32], 1.0, 0.5, 0.0),
        of(HeavyTails, [4, 6, 8], 2.0, 1.0, 0.0),
        of(HeavyTails, [10, 16, 32], 2.0, 0.5, 0.5),
        of(Relu, [3, 4, 8], 1.0, 0.5, 0.0),
        of(Relu, [10, 8, 32], 1.5, 0.25, 0.75),
    ];
    list.into_iter().map(|model| (model.describe(), model)).collect()
}

/// Laws that are soon drawn from, with thousands of negatives.
pub fn with_many_negatives() -> Vec<(String, DrawnModel)> {
    let small = |model: &DrawnModel| model.dimension <= 8 || model.classes == 1000;
    named(4096).into_iter().filter(|(_, model)| small(model)).collect()
}

/// Laws of every kind and of some sizes, with up to this many negatives.
pub fn any_law(most_negatives: u64) -> impl Strategy<Value = DrawnModel> {
    let sizes = (0..4u8, 2..=12u32, 1..=most_negatives, 1..=8u32, 1..=8u32);
    (sizes, 0.25..2.0f64, 0.125..1.5f64, 0.0..1.5f64, 0..1000u32).prop_map(
        |((encoder, classes, negatives, input, pairs), radius, spread, skew, drawing)| {
            let encoder =
                [Encoder::FourierFeatures, Encoder::Cap, Encoder::HeavyTails, Encoder::Relu][encoder as usize];
            let dimension = 2 * pairs;
            let input = if encoder == Encoder::Cap { dimension } else { input };
            DrawnModel { encoder, classes, negatives, input, dimension, radius, spread, skew, drawing }
        },
    )
}

/// A model with uniform ρ, and the number k + 1 of classes of a task.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "k = {k}, {model}", valid = Self::fits, stored)]
pub struct DrawnTask {
    #[instance(range = "1..=999")]
    pub k: u32,
    #[instance(nested)]
    pub model: DrawnModel,
}

impl DrawnTask {
    fn fits(&self) -> Result<(), String> {
        match &self.model {
            _ if self.k >= self.model.classes => Err("k ≤ N_C − 1 is needed".into()),
            model if model.skew > 0.0 => Err("the classes have to be equally likely".into()),
            _ => Ok(()),
        }
    }

    /// As [`DrawnModel::losses`].
    pub fn losses(&self, bounds: &[Bound], trial: &mut Trial) -> Result<SampledLosses, MeasureError> {
        self.model.losses(Some(self.k as usize), bounds, trial)
    }
}

/// Tasks of two classes, of some and of all, of classes that scatter widely: what Jensen's inequality loses then is more than an interval's
/// length.
pub fn named_tasks(negatives: u64) -> Vec<(String, DrawnTask)> {
    use Encoder::{Cap, FourierFeatures, Relu};
    let of = |encoder, [classes, input, dimension]: [u32; 3], radius, k| DrawnTask {
        k,
        model: DrawnModel {
            encoder,
            classes,
            negatives,
            input,
            dimension,
            radius,
            spread: 1.0,
            skew: 0.0,
            drawing: classes + dimension,
        },
    };
    let list = [
        of(FourierFeatures, [2, 3, 4], 1.0, 1),
        of(FourierFeatures, [10, 8, 16], 1.5, 1),
        of(FourierFeatures, [10, 8, 16], 1.5, 9),
        of(Cap, [3, 3, 3], 1.5, 1),
        of(Cap, [3, 3, 3], 1.5, 2),
        of(Cap, [10, 64, 64], 2.0, 4),
        of(Cap, [100, 16, 16], 2.0, 20),
        of(Relu, [4, 4, 8], 1.0, 3),
    ];
    list.into_iter().map(|task| (task.describe(), task)).collect()
}

/// Any task of caps that are wide, with up to this many negatives.
pub fn any_task(most_negatives: u64) -> impl Strategy<Value = DrawnTask> {
    (any_law(most_negatives), 0.0..1.0f64).prop_map(|(model, share)| {
        let k = 1 + (share * f64::from(model.classes - 1)) as u32;
        let (encoder, spread, radius) = (Encoder::Cap, 0.5 + model.spread / 2.0, 1.0 + model.radius / 2.0);
        let model = DrawnModel { encoder, input: model.dimension, spread, radius, skew: 0.0, ..model };
        DrawnTask { k: k.min(model.classes - 1), model }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use estimators::bounds::LEMMA_1;
    use evidence::budget::Budget;
    use evidence::claim::Fixtures;

    fn trial() -> Trial {
        Trial::new(stream::stream(1, &["drawn models"]), Budget::Quick, Fixtures::at("none"))
    }

    #[test]
    fn named_laws_and_tasks_are_laws_and_what_is_none_is_refused() {
        let laws = [1, 16].into_iter().flat_map(named).chain(with_many_negatives());
        assert!(laws.map(|(_, model)| model).all(|model| model.is_a_law().is_ok()));
        assert!(named_tasks(1).iter().all(|(_, task)| task.fits().is_ok()));
        let (_, law) = named(1).swap_remove(0);
        assert!(DrawnModel { dimension: 5, ..law.clone() }.is_a_law().is_err());
        assert!(DrawnModel { encoder: Encoder::Cap, ..law.clone() }.is_a_law().is_err(), "p = d is needed");
        let task = |k, model| DrawnTask { k, model }.fits();
        assert!(task(1, law.clone()).is_ok() && task(2, law.clone()).is_err());
        assert!(task(1, DrawnModel { skew: 1.0, ..law.clone() }).is_err());
    }

    #[test]
    fn a_bound_holds_and_its_reverse_does_not() {
        let (_, law) = named(1).swap_remove(4);
        let found = law.losses(None, &[LEMMA_1], &mut trial()).unwrap();
        let judged = |evaluation| match evaluation {
            Evaluation::Compared(comparison) => comparison.margin,
            other => panic!("{other:?}"),
        };
        assert!(judged(found.below(&LEMMA_1)).lo() > 0.0 && judged(found.above(&LEMMA_1)).hi() < 0.0);
    }
}
