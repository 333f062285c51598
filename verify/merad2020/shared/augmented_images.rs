//! Positive pairs made by augmentation: an input of a class is one of its images of digits, cropped, shifted and with noise, seen through an
//! encoder at random weights or trained on such pairs.

use std::fmt;

use contrastive::data::digits;
use estimators::bounds::Bound;
use estimators::monte_carlo::{Augmentation, AugmentedLaw, ImageEncoding};
use evidence::prelude::*;
use serde::{Deserialize, Serialize};

use super::drawn_models::{SampledLosses, sampled_losses};

/// What every such model is by its construction.
pub const AUGMENTED: &str = "ρ uniform; class c = 0, …, N_C − 1 holds the images number mb, …, mb + m − 1 of the digit c mod 10, b = ⌊c/10⌋, \
                             of the 8 × 8 digits; an input is one of them, all equally likely: a window of w × w pixels at a random place \
                             stretched over the image, then shifted by up to s pixels in both directions, blank pixels filled in, then \
                             noise of the uniform law on [−σ, σ] in every pixel, less the mean of all images of all classes; f(x) = R h/‖h‖ \
                             (R e_1 if h = 0), h ∈ ℝ^8 the output of the encoder: a Gaussian matrix (linear), a layer of 32 rectified units and \
                             a matrix (ReLU), or two convolutions and a matrix, at random weights or after some updates of Adam on the \
                             contrastive loss of pairs of 8 inputs of every class";

/// Images of a digit that there are at least.
const IMAGES_OF_A_DIGIT: u32 = 170;

/// What makes embeddings of images.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Instance)]
#[serde(rename_all = "kebab-case")]
#[instance(describe = Self::to_string, stored)]
pub enum ImageEncoder {
    Linear,
    Relu,
    Convolutional,
}

impl fmt::Display for ImageEncoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ImageEncoder::Linear => "linear",
            ImageEncoder::Relu => "ReLU",
            ImageEncoder::Convolutional => "convolutional",
        })
    }
}

/// Augmented digits; see [`AUGMENTED`]. With one image a class, the classes are images.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "{encoder} after {updates} updates, N_C = {classes}, m = {images}, N = {negatives}, R = {radius}, \
                       w = {window}, s = {shift}, σ = {noise}", valid = Self::is_a_law, stored)]
pub struct AugmentedDigits {
    pub encoder: ImageEncoder,
    #[instance(range = "0..=2000")]
    pub updates: u32,
    #[instance(range = "2..=1000")]
    pub classes: u32,
    #[instance(range = "1..=170")]
    pub images: u32,
    #[instance(range = "1..=4096")]
    pub negatives: u64,
    #[instance(range = "0.01..=4.0")]
    pub radius: f64,
    #[instance(range = "1..=8")]
    pub window: u32,
    #[instance(range = "0..=7")]
    pub shift: u32,
    #[instance(range = "0.0..=4.0")]
    pub noise: f64,
}

impl AugmentedDigits {
    fn is_a_law(&self) -> Result<(), String> {
        match self.encoder {
            _ if self.classes.div_ceil(10) * self.images > IMAGES_OF_A_DIGIT => {
                Err("there are 170 images of every digit".into())
            }
            ImageEncoder::Linear if self.updates > 0 => Err("the linear encoder is not trained".into()),
            _ => Ok(()),
        }
    }

    fn law(&self, fixtures: &Fixtures) -> Result<AugmentedLaw, MeasureError> {
        let all = digits::load(fixtures.root())?;
        let of_a_class = self.images as usize;
        let mut images = Vec::new();
        for class in 0..self.classes as usize {
            let members = all.class_members(class % 10).iter().skip(class / 10 * of_a_class).take(of_a_class);
            members.for_each(|&i| images.extend_from_slice(all.point(i)));
        }
        let how = Augmentation {
            encoding: match self.encoder {
                ImageEncoder::Linear => ImageEncoding::Linear,
                ImageEncoder::Relu => ImageEncoding::Relu,
                ImageEncoder::Convolutional => ImageEncoding::Convolutional,
            },
            updates: self.updates as usize,
            radius: self.radius,
            window: self.window as usize,
            shift: self.shift as usize,
            noise: self.noise,
        };
        Ok(AugmentedLaw::new(images, of_a_class, how, &self.encoder.to_string())?)
    }

    /// Both losses, sampled until each of the bounds is decided; for tasks of k + 1 classes, or the task of all classes.
    pub fn losses(&self, k: Option<usize>, bounds: &[Bound], trial: &mut Trial) -> Result<SampledLosses, MeasureError> {
        sampled_losses(&self.law(trial.fixtures())?, self.negatives, k, bounds, trial)
    }
}

/// Augmented digits and the number k + 1 of classes of a task.
#[derive(Clone, Debug, Serialize, Deserialize, Instance)]
#[instance(describe = "k = {k}, {model}", valid = Self::fits, stored)]
pub struct AugmentedTask {
    #[instance(range = "1..=999")]
    pub k: u32,
    #[instance(nested)]
    pub model: AugmentedDigits,
}

impl AugmentedTask {
    fn fits(&self) -> Result<(), String> {
        if self.k < self.model.classes { Ok(()) } else { Err("k ≤ N_C − 1 is needed".into()) }
    }

    /// As [`AugmentedDigits::losses`].
    pub fn losses(&self, bounds: &[Bound], trial: &mut Trial) -> Result<SampledLosses, MeasureError> {
        self.model.losses(Some(self.k as usize), bounds, trial)
    }
}

/// Digits and images as classes, through every encoder, random and trained.
pub fn augmented(negatives: u64) -> Vec<(String, AugmentedDigits)> {
    use ImageEncoder::{Convolutional, Linear, Relu};
    let of = |encoder, updates, [classes, images]: [u32; 2], [window, shift]: [u32; 2], noise| AugmentedDigits {
        encoder,
        updates,
        classes,
        images,
        negatives,
        radius: 1.0,
        window,
        shift,
        noise,
    };
    let list = [
        of(Linear, 0, [10, 50], [8, 1], 0.125),
        of(Relu, 0, [10, 50], [7, 1], 0.125),
        of(Relu, 300, [10, 50], [7, 1], 0.125),
        of(Convolutional, 0, [10, 50], [8, 1], 0.0),
        of(Convolutional, 200, [10, 50], [8, 1], 0.25),
        of(Relu, 300, [20, 1], [6, 1], 0.25),
        of(Convolutional, 200, [20, 1], [6, 1], 0.25),
    ];
    list.into_iter().map(|model| (model.describe(), model)).collect()
}

/// Tasks of some classes and of all: what the bounds lose there is more than the length of an interval from as many draws as an embedding
/// that has to be computed allows.
pub fn augmented_tasks(negatives: u64) -> Vec<(String, AugmentedTask)> {
    let of = |k, of: usize| AugmentedTask { k, model: augmented(negatives).swap_remove(of).1 };
    [of(3, 1), of(5, 2), of(9, 4)].into_iter().map(|task| (task.describe(), task)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use estimators::monte_carlo::Sampler;

    #[test]
    fn named_laws_and_tasks_are_some_and_what_is_none_is_refused() {
        assert!(augmented(1).iter().all(|(_, model)| model.is_a_law().is_ok()));
        assert!(augmented_tasks(1).iter().all(|(_, task)| task.fits().is_ok() && task.model.is_a_law().is_ok()));
        let (_, relu) = augmented(1).swap_remove(2);
        assert!(AugmentedDigits { classes: 20, images: 100, ..relu.clone() }.is_a_law().is_err());
        assert!(AugmentedDigits { encoder: ImageEncoder::Linear, ..relu.clone() }.is_a_law().is_err());
        assert!(AugmentedTask { k: 10, model: relu }.fits().is_err());
    }

    #[test]
    fn classes_beyond_the_tenth_hold_further_images() {
        let fixtures = Fixtures::at("../../fixtures");
        let (_, images) = augmented(1).swap_remove(5);
        assert_eq!((images.classes, images.images), (20, 1));
        let untrained = AugmentedDigits { updates: 0, ..images };
        assert_eq!(untrained.law(&fixtures).unwrap().class_weights().len(), 20);
    }
}
